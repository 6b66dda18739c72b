"""Where the static edition has what the server has at a path."""

from collections.abc import Callable

FOLDERS = ("rules", "about", "privacy")
MANIFEST = "/static/manifest.webmanifest"  # of the server; ours opens from any folder


def places(up: str) -> Callable[[str], str]:
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
            found = f"{head}/" if head in FOLDERS else f"table/?new={head}"
        return up + found + mark + secret

    return at
