"""Griffe extension for mkdocstrings: format the doctests in docstrings as code in the API reference."""

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(Extension):
    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Put code fences around the examples of a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(lambda match: f"\n```pycon\n{match[0]}\n```\n", obj.docstring.value)
