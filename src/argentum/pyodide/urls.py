"""Map the server's paths to relative URLs of the static edition."""

from collections.abc import Callable

PAGES_IN_FOLDERS = ("rules", "about", "privacy")
MANIFEST = "/static/manifest.webmanifest"  # of the server; the static edition has one that opens from any folder


def relative_urls(root: str) -> Callable[[str], str]:
    """Return a function that maps a path; `root` is `./` on the landing page and `../` on pages in folders.

    >>> url = relative_urls("../")
    >>> url("/"), url("/static/css/base.css"), url("/rules"), url("/deck/dddddddddddddd.svg")
    ('../', '../static/css/base.css', '../rules/', '../deck/all.svg')
    >>> url("/table/quiet-owl#secret"), url("/play")
    ('../table/?quiet-owl#secret', '../table/?new=play')
    """

    def url(path: str) -> str:
        name, mark, secret = path.partition("#")
        if name == MANIFEST:
            name = "/static/pyodide/argentum.webmanifest"
        head, _, rest = name.removeprefix("/").partition("/")
        if head == "table":
            target = f"table/?{rest}"
        elif head == "deck":
            target = "deck/all.svg"  # one sheet has all residents, as there is no server to make one for each deck
        elif head in ("", "static"):
            target = name.removeprefix("/")
        else:
            target = f"{head}/" if head in PAGES_IN_FOLDERS else f"table/?new={head}"
        return root + target + mark + secret

    return url
