"""Templates that draw quickly: what Jinja decides anew for each value, it decides here when a template is compiled.

Our templates are given objects with attributes, and call plain functions and macros. So an attribute is read, and a
function called, as Python does it; what is in a dict is read by its key. An inline `if` without `else` is empty.
"""

from collections.abc import Sequence
from functools import lru_cache
from keyword import iskeyword
from typing import Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.runtime import Macro
from jinja2.utils import missing
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
    """A macro. Given what it takes in order, it draws at once."""

    def __call__(self, *things: Any, **named: Any) -> str:
        """The HTML."""
        left_out = self._argument_count - len(things)
        if named or left_out < 0 or self.caller or self.catch_varargs or self.catch_kwargs:
            return super().__call__(*things, **named)
        return str.__new__(Markup, "".join(self._func(*things, *(missing,) * left_out)))

    def _invoke(self, arguments: list[Any], autoescape: bool) -> str:  # noqa: ARG002  (as its parent)
        return str.__new__(Markup, "".join(self._func(*arguments)))

    def fragments(self, *things: Any) -> Sequence[str]:
        """The HTML in the fragments of which it is made: what another macro has drawn is one of them."""
        return self._func(*things)


def is_plain(node: nodes.Expr | None) -> bool:
    """Whether an expression is one text or another that are HTML as they stand, such as the name of a class."""
    if isinstance(node, nodes.CondExpr):
        return is_plain(node.expr1) and (node.expr2 is None or is_plain(node.expr2))
    return isinstance(node, nodes.Const) and isinstance(node.value, str) and escape(node.value) == node.value


def only_puts_out(node: nodes.For) -> bool:
    """Whether all that a loop does is to put out each of the things it is given."""
    if node.else_ or node.test or node.recursive or not isinstance(node.target, nodes.Name):
        return False
    return node.body == [nodes.Output([nodes.Name(node.target.name, "load")])]


class Generator(CodeGenerator):
    """Writes the Python code of a template."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  (as its parent)
        """The whole template."""
        self.writeline("from argentum.web.templating import Drawer, text")
        super().visit_Template(node, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ARG002
        self.write("(" if is_plain(node) else "text(")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802  (as its parent)
        """A loop. Most that only put something out are given what is drawn already: cards, lines of the log."""
        if frame.buffer is None or not only_puts_out(node):
            super().visit_For(node, frame)
            return
        self.writeline(f"{frame.buffer}.extend([one if type(one) is Markup else text(one) for one in ", node)
        self.visit(node.iter, frame)
        self.write("])")

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

    def return_buffer_contents(self, frame: Frame, force_unescaped: bool = False) -> None:  # noqa: ARG002
        """The end of a macro: it gives its fragments (see Drawer)."""
        self.writeline(f"return {frame.buffer}")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:  # noqa: ARG002
        """A macro."""
        node = macro_ref.node
        special = (macro_ref.accesses_kwargs, macro_ref.accesses_varargs, macro_ref.accesses_caller)
        given = (getattr(node, "name", None), tuple([argument.name for argument in node.args]), *special, True)
        self.write(f"Drawer(environment, macro, {', '.join([repr(one) for one in given])})")


class Templates(Environment):
    """Our templates."""

    code_generator_class = Generator
