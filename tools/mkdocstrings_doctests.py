"""Lets the API reference show the examples in docstrings as code. MkDocs loads this through mkdocstrings."""

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(Extension):
    """Fences every example."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Fence the examples of a docstring, wherever they stand in it."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(lambda found: f"\n```pycon\n{found[0]}\n```\n", obj.docstring.value)
