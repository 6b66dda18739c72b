"""Templates that draw quickly: what Jinja decides anew for each value, it decides here when a template is compiled.

Our templates are given objects with attributes, and call plain functions and macros. So an attribute is read, and a
function called, as Python does it; what is in a dict is read by its key. An inline `if` without `else` is empty.
"""

from functools import lru_cache
from keyword import iskeyword
from typing import Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.runtime import Macro
from markupsafe import Markup, escape

MOST_KEPT = 8_192  # texts, escaped: names, spots, words on buttons

_escaped = lru_cache(MOST_KEPT)(escape)


def text(value: Any) -> str:
    """Whatever a template puts out, as HTML."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return _escaped(value)
    return str(value) if kind is int else escape(value)


class Drawer(Macro):
    """A macro. Given all that it takes, in order, it draws at once."""

    def __call__(self, *things: Any, **named: Any) -> str:
        """The HTML."""
        if named or len(things) != self._argument_count or self.caller or self.catch_varargs or self.catch_kwargs:
            return super().__call__(*things, **named)
        return str.__new__(Markup, self._func(*things))


class Generator(CodeGenerator):
    """Writes the Python code of a template."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  (as its parent)
        """The whole template."""
        self.writeline("from argentum.web.templating import Drawer, text")
        super().visit_Template(node, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ARG002
        self.write("text(")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802  (as its parent)
        """An attribute."""
        self.write("(")
        self.visit(node.node, frame)
        self.write(f").{node.attr}")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802  (as its parent)
        """An inline `if`."""
        if node.expr2 is None:
            node.expr2 = nodes.Const("")
        super().visit_CondExpr(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802  (as its parent)
        """A call."""
        named = [one.key for one in node.kwargs]
        if forward_caller or node.dyn_args or node.dyn_kwargs or any([iskeyword(name) for name in named]):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:  # noqa: ARG002
        """A macro."""
        node = macro_ref.node
        special = (macro_ref.accesses_kwargs, macro_ref.accesses_varargs, macro_ref.accesses_caller)
        given = (getattr(node, "name", None), tuple([argument.name for argument in node.args]), *special, True)
        self.write(f"Drawer(environment, macro, {', '.join([repr(one) for one in given])})")


class Templates(Environment):
    """Our templates."""

    code_generator_class = Generator
