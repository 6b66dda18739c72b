"""The renderer of pages and macros: a Jinja environment with a code generator that makes templates faster."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from keyword import iskeyword
from typing import Any

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

from argentum import words
from argentum.display import scene
from argentum.rooms.arrangement import AWAY_CHOICES, TURN_SECONDS
from argentum.rooms.chat import MAX_LINE_LENGTH
from argentum.rooms.clock import DEFAULT_PACE, PACES
from argentum.rooms.names import MAX_NAME_LENGTH
from argentum.rulebook import lookup
from argentum.rulebook.card_art import box_style
from argentum.rules.boxes import ALL_BOXES, BOX_NAMES, DEFAULT_BOX, FOREIGN_BOXES, TOKEN_NAMES, residents
from argentum.rules.deal import FULL_DECK, VILLAGE_SIZE
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.web.bidi import isolate_names, right_to_left_pattern
from argentum.web.pages import assets
from argentum.web.pages.my_tables import MAX_TABLES
from argentum.web.pages.page_diff import ITEM, CardMacros, ShownTable
from argentum.web.pages.table import LogItem, TableInfo
from argentum.words import site_texts
from argentum.words.client_messages import CLIENT_MESSAGES

# Constants that scripts share with the server.
SCRIPT_CONSTANTS = {
    "defaultPace": DEFAULT_PACE,
    "deckNumbers": FULL_DECK,
    "maxTables": MAX_TABLES,
    "moons": scene.MOONS,
    "roundsPerGame": ROUNDS_PER_GAME,
    "seatLetters": SEAT_LETTERS,
    "villageSize": VILLAGE_SIZE,
}
MAX_CACHED_URLS = 4_096
MAX_ESCAPED = 8_192  # cached texts: names, spots, buttons

_cached_escape = lru_cache(MAX_ESCAPED)(escape)


def escape_value(value: Any) -> str:
    """Return a value as HTML, escaped unless it is Markup."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return _cached_escape(value)
    return str(value) if kind is int else escape(value)


class FastMacro(Macro):
    """A macro compiled to a function that returns HTML fragments. Positional calls skip Jinja's argument binding."""

    def __call__(self, *arguments: Any, **keywords: Any) -> str:
        omitted = self._argument_count - len(arguments)
        if keywords or omitted < 0 or self.caller or self.catch_varargs or self.catch_kwargs:
            return super().__call__(*arguments, **keywords)
        return str.__new__(Markup, "".join(self._func(*arguments, *(missing,) * omitted)))

    def _invoke(self, arguments: list[Any], autoescape: bool) -> str:  # noqa: ARG002  (as its parent)
        return str.__new__(Markup, "".join(self._func(*arguments)))

    def fragments(self, *arguments: Any) -> Sequence[str]:
        """Return the HTML as fragments; the output of each nested macro is one of them."""
        return self._func(*arguments)


def isolated(text: str, names: Iterable[str]) -> str:
    """Return HTML with right-to-left names in `<bdi>` elements; without such names, the text unchanged."""
    pattern = right_to_left_pattern(tuple(names))
    return text if pattern is None else isolate_names(text, pattern)


def is_safe_literal(node: nodes.Expr | None) -> bool:
    """Whether the value of an expression is always a literal text that needs no escaping, such as a class name."""
    if isinstance(node, nodes.CondExpr):
        return is_safe_literal(node.expr1) and (node.expr2 is None or is_safe_literal(node.expr2))
    return isinstance(node, nodes.Const) and isinstance(node.value, str) and escape(node.value) == node.value


def is_output_loop(node: nodes.For) -> bool:
    """Whether a loop does nothing but output its items."""
    if node.else_ or node.test or node.recursive or not isinstance(node.target, nodes.Name):
        return False
    return node.body == [nodes.Output([nodes.Name(node.target.name, "load")])]


class FastCodeGenerator(CodeGenerator):
    """Generates a template's Python code with `escape_value`, plain attribute access, and `FastMacro` for macros."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  (as its parent)
        self.writeline("from argentum.web.pages.renderer import FastMacro, escape_value")
        super().visit_Template(node, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ARG002
        self.write("(" if is_safe_literal(node) else "escape_value(")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802  (as its parent)
        """Generate one `extend` for a loop that only outputs its items, mostly rendered cards or log lines."""
        if frame.buffer is None or not is_output_loop(node):
            super().visit_For(node, frame)
            return
        self.writeline(
            f"{frame.buffer}.extend([item if type(item) is Markup else escape_value(item) for item in ", node
        )
        self.visit(node.iter, frame)
        self.write("])")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802  (as its parent)
        self.write("(")
        self.visit(node.node, frame)
        self.write(f").{node.attr}")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802  (as its parent)
        if node.expr2 is None:
            node.expr2 = nodes.Const("")
        super().visit_CondExpr(node, frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802  (as its parent)
        keywords = [keyword.key for keyword in node.kwargs]
        if forward_caller or node.dyn_args or node.dyn_kwargs or any([iskeyword(name) for name in keywords]):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def return_buffer_contents(self, frame: Frame, force_unescaped: bool = False) -> None:  # noqa: ARG002
        """Return the fragments instead of the joined text (see FastMacro)."""
        self.writeline(f"return {frame.buffer}")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:  # noqa: ARG002
        node = macro_ref.node
        special = (macro_ref.accesses_kwargs, macro_ref.accesses_varargs, macro_ref.accesses_caller)
        arguments = (getattr(node, "name", None), tuple([argument.name for argument in node.args]), *special, True)
        self.write(f"FastMacro(environment, macro, {', '.join([repr(value) for value in arguments])})")


class FastEnvironment(Environment):
    code_generator_class = FastCodeGenerator


MAX_CACHED = 16_384  # results per macro, for badges and faces
MAX_RECENT = 2_048  # results per macro, for cards and log lines, which readers of a table share for a few updates


class PageRenderer:
    """Renders the pages of a server or of the static edition."""

    def __init__(self, loader: BaseLoader | None = None, url_for: Callable[[str], str] = assets.url_for) -> None:
        """Load templates with `loader`; `url_for` maps a path of the server to a URL."""
        self.templates = FastEnvironment(
            loader=loader or PackageLoader("argentum.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(
            url=lru_cache(MAX_CACHED_URLS)(url_for),
            residents=(),
            cached=lru_cache(MAX_CACHED),
            recent_cached=lru_cache(MAX_RECENT),
            cached_map=cached_map,
            log_items=log_items,
            text_certainty=lookup.source_status,
            isolated=isolated,
            imported_modules=assets.imported_modules,
            script_data={"phrases": CLIENT_MESSAGES, "constants": SCRIPT_CONSTANTS},
            box_names=BOX_NAMES,
            token_names=TOKEN_NAMES,
            box_style=box_style,
            default_box=DEFAULT_BOX,
            token_labels={box.name: box.icon_label for box in ALL_BOXES},
            seat_letters=SEAT_LETTERS,
            seat_counts=range(MIN_PLAYERS, MAX_PLAYERS + 1),
            rounds_per_game=ROUNDS_PER_GAME,
            away_choices=[(away, site_texts.AWAY_LABELS[away]) for away in AWAY_CHOICES],
            turn_times=[(seconds, site_texts.turn_time_label(seconds)) for seconds in (0, *TURN_SECONDS[:0:-1])],
            paces=tuple(PACES),
            emotes=site_texts.EMOTE_LABELS,
            max_name_length=MAX_NAME_LENGTH,
            max_line_length=MAX_LINE_LENGTH,
        )
        self.templates.tests["resident_chip"] = lambda part: isinstance(part, words.CardChip)
        self._macros: dict[tuple[str, str], Any] = {}
        self.url_for = url_for

    def page(self, template: str, **values: Any) -> str:
        compiled = self.templates.get_template(template)
        context = compiled.new_context(values)
        html = "".join(compiled.root_render_func(context))
        context.vars.clear()  # breaks the reference cycle of the context and the macros of the page
        return html

    def table_shell(self, table: str, template: str = "table_shell.html") -> str:
        """Render the page of a table without its content, which the WebSocket sends."""
        with_rulings = [(resident, lookup.rulings()[resident.label]) for resident in residents()]
        return self.page(template, table=table, build=assets.page_build(), residents=with_rulings, **rules_context())

    def rules_page(self) -> str:
        return self.page("rules.html", **rules_context())

    def table_html(self, table_scene: scene.Scene, info: TableInfo) -> str:
        return self.render("table.html", "page", ShownTable().show(table_scene, info, self.card_macros))

    @cached_property
    def card_macros(self) -> CardMacros:
        sentence, item = self.macro("table.html", "sentence"), self.macro("table.html", "log_item")
        return CardMacros(self.macro("card.html", "card_in_slot"), sentence, item)

    def macro(self, template: str, macro: str) -> Any:
        """Return a macro of a template: a :class:`FastMacro`, or a function that caches a macro's results."""
        function = self._macros.get((template, macro))
        if function is None:
            function = getattr(self.templates.get_template(template).module, macro)
            self._macros[template, macro] = function
        return function

    def render(self, template: str, macro: str, *arguments: Any) -> str:
        """Return the HTML of a macro of a template, called with these arguments."""
        html: str = self.macro(template, macro)(*arguments)
        return html


def cached_map(render: Callable[[Any], str]) -> Callable[[tuple[Any, ...]], tuple[str, ...]]:
    """Return a function that maps a macro over a tuple, and caches the results."""

    @lru_cache(MAX_RECENT)
    def render_all(items: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple([render(item) for item in items])

    return render_all


def log_items(lines: Sequence[LogItem], since: int, title: str) -> list[str]:
    """Return the log as HTML list items, newest first, with a title above the newest `since` lines."""
    items = [line.item_html for line in lines]
    if since:
        items[since] = Markup(f'<li class="before"{items[since][len(ITEM) :]}')
        items.insert(0, Markup(f'<li class="since">{title}</li>'))
    return items


@cache
def rules_context() -> dict[str, Any]:
    """Return the template values of the rules page."""
    return {
        "boxes": list(ALL_BOXES),
        "foreign_boxes": FOREIGN_BOXES,
        "rulings": lookup.rulings(),
        "sections": lookup.RULING_SECTIONS,
        "when": lookup.TIMING_TEXT,
        "portrait": scene.resident_summary,
    }
