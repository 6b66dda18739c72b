"""Map the server's paths to relative URLs of the static edition."""

from collections.abc import Callable

PAGES_IN_FOLDERS = ("rules", "about", "privacy")
MANIFEST = "/static/manifest.webmanifest"  # of the server; that of the static edition works in any folder


def relative_urls(root: str) -> Callable[[str], str]:
    """Return a function that maps a server path to a URL; `root` is `./` on the landing page, `../` in folders.

    >>> url = relative_urls("../")
    >>> url("/"), url("/static/css/home.css"), url("/rules"), url("/deck/dddddddddddddd.svg")
    ('../', '../static/css/home.css', '../rules/', '../deck/all.svg')
    >>> url("/table/quiet-owl#secret"), url("/play")
    ('../table/?quiet-owl#secret', '../table/?new=play')
    """

    def url(path: str) -> str:
        name, hash_sign, key = path.partition("#")
        if name == MANIFEST:
            name = "/static/pyodide/argentum.webmanifest"
        folder, _, rest = name.removeprefix("/").partition("/")
        if folder == "table":
            target = f"table/?{rest}"
        elif folder == "deck":
            target = "deck/all.svg"  # one sheet with all residents; a server has one for each deck
        elif folder in ("", "static"):
            target = name.removeprefix("/")
        else:
            target = f"{folder}/" if folder in PAGES_IN_FOLDERS else f"table/?new={folder}"
        return root + target + hash_sign + key

    return url
