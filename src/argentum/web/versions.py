"""Versions of static files: a page names each with a digest of it, so that browsers keep it for good."""

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

FOR_GOOD = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"  # a browser may keep it, but asks whether it has changed
NAMED = re.compile(r'((?:href|src)="/static/)([\w./-]+\.(?:css|js))"')


@cache
def version(path: str) -> str:
    """The version of a static file; empty if there is none of that name."""
    file = files("argentum.web") / "static" / path
    return sha256(file.read_bytes()).hexdigest()[:10] if file.is_file() else ""


def versioned(page: str) -> str:
    """A page that names its style sheets and scripts with their versions."""
    return NAMED.sub(lambda found: f'{found[1]}{found[2]}?v={version(found[2])}"', page)


def at(path: str) -> str:
    """Where the server has a path. Parts of a page show pictures too, so the address of those has their version.

    >>> at("/rules"), at("/static/signs.svg").partition("?")[0]
    ('/rules', '/static/signs.svg')
    """
    static = path.startswith("/static/") and path.endswith(".svg")
    return f"{path}?v={version(path.removeprefix('/static/'))}" if static else path


def cache_control(path: str, query: str) -> str:
    """How long a browser may keep a static file that it asked for in this way."""
    known = version(path)
    return FOR_GOOD if known and query == f"v={known}" else ASK_AGAIN
