"""Where the static edition has what the server has at a path."""

from collections.abc import Callable

PAGES_IN_FOLDERS = ("rules", "about", "privacy")
MANIFEST = "/static/manifest.webmanifest"  # of the server; ours opens from any folder


def relative_urls(root: str) -> Callable[[str], str]:
    """Where things are, seen from a page: `./` from the first, `../` from those in folders.

    >>> at = places("../")
    >>> at("/"), at("/static/css/base.css"), at("/rules"), at("/deck/dddddddddddddd.svg")
    ('../', '../static/css/base.css', '../rules/', '../deck/all.svg')
    >>> at("/table/quiet-owl#secret"), at("/play")
    ('../table/?quiet-owl#secret', '../table/?new=play')
    """

    def at(path: str) -> str:
        name, mark, secret = path.partition("#")
        if name == MANIFEST:
            name = "/static/pyodide/argentum.webmanifest"
        head, _, rest = name.removeprefix("/").partition("/")
        if head == "table":
            found = f"table/?{rest}"
        elif head == "deck":
            found = "deck/all.svg"  # one sheet has everybody: there is no server to make one for each deck
        elif head in ("", "static"):
            found = name.removeprefix("/")
        else:
            found = f"{head}/" if head in PAGES_IN_FOLDERS else f"table/?new={head}"
        return root + found + mark + secret

    return at
