"""Pages and macros from Jinja templates."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from keyword import iskeyword
from time import time
from typing import Any, NamedTuple

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup, escape

from argentum import words
from argentum.display import scene
from argentum.display.replay import build_replay_scene
from argentum.display.session import SPECTATOR, seat_of
from argentum.rooms.post_game import REVIEW_PLAYOUTS, review_bot
from argentum.rooms.room import Room
from argentum.rulebook import lookup
from argentum.rulebook import lookup as lookup_module
from argentum.rules.boxes import ALL_BOXES, residents
from argentum.rules.events import Event
from argentum.web.bidi import isolated
from argentum.web.pages import assets
from argentum.web.pages.end import game_end_page, pass_device_page, round_end_page, share_link
from argentum.web.pages.lobby import LobbyPage, invitation_page, lobby_page
from argentum.web.pages.page_diff import ITEM, CardMacros, ShownTable, split_items
from argentum.web.pages.review import review_page
from argentum.web.pages.table import LogItem, TableInfo, card_motions, look_title, looked_at_cards
from argentum.web.replays import ReplayStep
from argentum.web.sockets.readers import (
    ENCODER,
    LOBBY_PARTS,
    MAX_LOG_LINES,
    MAX_MOTIONS,
    PageState,
    PartHtml,
    _new_events,
    _stand_in_plays,
    _tab_title,
    next_local_seat,
    page_kind,
    table_info,
)
from argentum.words.client_messages import CLIENT_MESSAGES

MOST_KEPT = 8_192  # texts, escaped: names, spots, words on buttons

_escaped = lru_cache(MOST_KEPT)(escape)


def escaped(value: Any) -> str:
    """Whatever a template puts out, as HTML."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return _escaped(value)
    return str(value) if kind is int else escape(value)


class FastMacro(Macro):
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


def is_safe_literal(node: nodes.Expr | None) -> bool:
    """Whether an expression is one text or another that are HTML as they stand, such as the name of a class."""
    if isinstance(node, nodes.CondExpr):
        return is_safe_literal(node.expr1) and (node.expr2 is None or is_safe_literal(node.expr2))
    return isinstance(node, nodes.Const) and isinstance(node.value, str) and escape(node.value) == node.value


def is_output_loop(node: nodes.For) -> bool:
    """Whether all that a loop does is to put out each of the things it is given."""
    if node.else_ or node.test or node.recursive or not isinstance(node.target, nodes.Name):
        return False
    return node.body == [nodes.Output([nodes.Name(node.target.name, "load")])]


class FastCodeGenerator(CodeGenerator):
    """Writes the Python code of a template."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  (as its parent)
        """The whole template."""
        self.writeline("from argentum.web.pages.renderer import Drawer, text")
        super().visit_Template(node, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ARG002
        self.write("(" if is_safe_literal(node) else "text(")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802  (as its parent)
        """A loop. Most that only put something out are given what is drawn already: cards, lines of the log."""
        if frame.buffer is None or not is_output_loop(node):
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


class FastEnvironment(Environment):
    """Our templates."""

    code_generator_class = FastCodeGenerator


MAX_CACHED = 16_384  # badges, faces and the like, of a kind
MAX_RECENT = 2_048  # what a table's readers share at the moment, and much of it at the next: cards, lines of the log


class Opened(NamedTuple):
    """What a page checks a round's deal with."""

    text: str  # what the server opened, as JSON
    round: int
    players: int
    people: str  # the seats where people sat when the game began: only they add values
    you: str  # the reader's seat, and those of others on the same device


class PageRenderer:
    """Draws pages."""

    def __init__(self, loader: BaseLoader | None = None, at: Callable[[str], str] = assets.at) -> None:
        """Draw with the templates of a loader; `at` says where a path of the server's is found."""
        self.templates = FastEnvironment(
            loader=loader or PackageLoader("argentum.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(
            at=at,
            residents=(),
            kept=lru_cache(MAX_CACHED),
            lately=lru_cache(MAX_RECENT),
            each=cached_map,
            items=log_items,
            sureness=lookup_module.source_status,
            isolated=isolated,
            phrases=CLIENT_MESSAGES,
        )
        self.templates.tests["chip"] = lambda part: isinstance(part, words.CardChip)
        self.macros: dict[tuple[str, str], Any] = {}
        self.card_macros: CardMacros | None = None
        self.url_for = at

    def page(self, template: str, **context: Any) -> str:
        """A whole page."""
        return assets.with_digests(self.templates.get_template(template).render(**context))

    def table_shell(self, table: str, template: str = "table_shell.html") -> str:
        """A table's page, before anything is drawn on it."""
        residents_ = [(one, lookup.rulings()[one.label]) for one in residents()]
        return self.page(template, table=table, residents=residents_, **rules_context())

    def rules_page(self) -> str:
        """The page of rules."""
        return self.page("rules.html", **rules_context())

    def table_html(self, drawn: scene.Scene, info: TableInfo) -> str:
        """The whole page of a table."""
        return self._render("table.html", "stage", ShownTable().show(drawn, info, self._card_macros()))

    def _card_macros(self) -> CardMacros:
        if self.card_macros is None:
            sentence, item = self._macro("table.html", "sentence"), self._macro("table.html", "told_by")
            self.card_macros = CardMacros(self._macro("card.html", "spot"), sentence, item)
        return self.card_macros

    def _macro(self, template: str, macro: str) -> Any:
        """A macro, which draws: a Drawer, or one whose drawings are kept."""
        found = self.macros.get((template, macro))
        if found is None:
            found = self.macros[template, macro] = getattr(self.templates.get_template(template).module, macro)
        return found

    def _render(self, template: str, macro: str, *things: Any) -> str:
        drawn: str = self._macro(template, macro)(*things)
        return drawn

    # What is new for a reader.

    def page_updates(self, room: Room, role: str, key: str, reading: PageState) -> list[str]:
        """Messages for a browser: the parts of its page that have changed, and what moved."""
        reading.sync_game(room)
        kind = page_kind(room, role, reading)
        if kind != "table":
            reading.device_passed = False
        reading.cards_hidden = reading.cards_hidden or kind == "curtain"
        frame = (kind, room.play.game_count, _stand_in_plays(room, role, *reading.local_seats))
        if reading.frame != frame:
            reading.reset()
        if kind in ("table", "replay"):
            changed = self._table(kind, room, role, key, reading)
        elif kind == "gathering":
            changed = self._lobby(lobby_page(room, role, key, reading.origin, reading.local_seats), reading)
        else:
            whole = self._whole_page(kind, room, role, reading)
            changed = [("stage", split_items(whole))] if reading.replace_part("stage", whole) else []
        reading.frame = frame
        events = _new_events(room, role, reading) if kind == "table" else []
        if not changed:
            return []
        title = _tab_title(room, role if kind != "curtain" else SPECTATOR)
        message = {
            "type": "page",
            "choice": room.choice_number(role) if kind != "curtain" else None,
            "kind": kind,
            "title": title if reading.replace_part("title", title) else "",
            "clock": room.time_left(),
            "anew": reading.fragments.starts_over(),
            "motions": [motion for event in events[-MAX_MOTIONS:] for motion in card_motions(event)],
            **self._looks(room, role, events),
            **({} if room.play.game_count else {"waited": round(time() - room.play.created_at, 3)}),
        }
        # What is not there is none; a number may be 0.
        told = {what: value for what, value in message.items() if value or (value == 0 and value is not False)}
        parts = ",".join([f'["{name}",{reading.fragments.encode(fragments)}]' for name, fragments in changed])
        return [f'{ENCODER.encode(told)[:-1]},"parts":[{parts}]}}']

    def _looks(self, room: Room, role: str, events: list[Event]) -> dict[str, Any]:
        """What the reader has just looked at, and for how many seconds each is shown where it must be remembered."""
        if not any([event.kind == "looked" for event in events]):
            return {}
        assert room.session is not None
        view = room.session.memory_of(role).view
        looks = looked_at_cards(events, view)
        cards = [
            (look.place, self._render("card.html", "face", look.portrait), look_title(looks, nth, view))
            for nth, look in enumerate(looks)
        ]
        fade = room.session.look_seconds if room.session.memory_mode else None
        return {"look": {"cards": cards, "fade": fade}} if cards else {}

    def _table(self, kind: str, room: Room, role: str, key: str, reading: PageState) -> list[PartHtml]:
        """The table: whole, if the reader does not have it yet, or those parts that have changed."""
        if kind == "replay":
            assert reading.built is not None
            replay = reading.built[1]
            drawn = build_replay_scene(replay, seat_of(role), room.players(), MAX_LOG_LINES)
        else:
            assert room.session is not None
            replay = None
            drawn = room.session.build_scene(role, room.seats(), MAX_LOG_LINES, room.arrangement.guided)
        info, sheet = table_info(room, role, key, reading), reading.shown_table
        bar = "" if replay is None else self._render("replay.html", "bar", replay, share_link(room, role, reading))
        if sheet.page is None:
            page = sheet.show(drawn, info, self._card_macros())
            return [("stage", split_items(self._render("table.html", "stage", page) + bar))]
        changed = sheet.diff(drawn, info, self._card_macros())
        drawn_parts = [(part.id, self._macro("table.html", part.macro).fragments(*part.shows)) for part in changed]
        return [*drawn_parts, ("replay", split_items(bar))] if bar else drawn_parts

    def _lobby(self, lobby: LobbyPage, reading: PageState) -> list[PartHtml]:
        """The page on which a table is set: whole, or those parts that have changed."""
        new = not reading.sent_parts
        parts = [(name, self._render("lobby.html", macro, lobby)) for name, macro in LOBBY_PARTS]
        changed: list[PartHtml] = [
            (name, split_items(html)) for name, html in parts if reading.replace_part(name, html)
        ]
        return [("stage", split_items(self._render("lobby.html", "stage", lobby)))] if new else changed

    def _whole_page(self, kind: str, room: Room, role: str, reading: PageState) -> str:
        """The pages that are sent whole. Those who share a device are told of a round as onlookers are, by names."""
        assert kind in ("invite", "curtain", "reveal", "review", "over")
        if kind == "review":
            assert reading.built is not None
            made_by, nth = (review_bot(), REVIEW_PLAYOUTS), reading.decision_index or 0
            page = review_page(room, role, reading.review, nth, made_by, reading.built[1])
            return self._render("review.html", "stage", page)
        if kind == "invite":
            return self._render("invitation.html", "stage", invitation_page(room))
        if kind == "curtain":
            return self._render(
                "pass_device.html", "stage", pass_device_page(room, next_local_seat(room, role, reading))
            )
        if kind == "reveal":
            end_of_round = round_end_page(room, SPECTATOR if reading.local_seats else role)
            return self._render("round_end.html", "stage", end_of_round, opened_of(room, role, *reading.local_seats))
        player = role if not reading.local_seats and room.played(role) else SPECTATOR
        end = game_end_page(room, player)._replace(can_rematch=role != SPECTATOR)
        end = end._replace(sharing=share_link(room, role, reading))
        return self._render("game_end.html", "stage", end, opened_of(room, role, *reading.local_seats))


def opened_of(room: Room, *roles: str) -> Opened | None:
    """What those who share a device check the last round's deal with; None if nothing was promised."""
    text, game = room.play.opening_json(), room.game
    if not text or game is None:
        return None
    return Opened(
        text, game.rounds_finished, game.players, room.play.people, "".join([seat_of(role) for role in roles])
    )


def missing_step(room: Room, role: str, reading: PageState) -> ReplayStep | None:
    """The position of a finished game that the reader's page shows, if it is not built yet."""
    reading.sync_game(room)
    kind = page_kind(room, role, reading)
    if kind == "replay":
        assert reading.replay_index is not None
        step = ReplayStep(reading.game_number, reading.replay_index, reading.replay_viewer)
    elif kind == "review":
        nth = min(max(reading.decision_index or 0, 0), len(reading.review) - 1)
        step = ReplayStep(reading.game_number, reading.review[nth]["at"], role)
    else:
        return None
    return step if reading.built is None or reading.built[0] != step else None


def cached_map(draw: Callable[[Any], str]) -> Callable[[tuple[Any, ...]], tuple[str, ...]]:
    """Draw each of several things. All that was drawn together lately is kept."""

    @lru_cache(MAX_RECENT)
    def drawn(things: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple([draw(thing) for thing in things])

    return drawn


def log_items(lines: Sequence[LogItem], since: int, title: str) -> list[str]:
    """The items of the story. The first ones came after the reader's last turn, and have a title."""
    items = [line.item_html for line in lines]
    if since:
        items[since] = Markup(f'<li class="before"{items[since][len(ITEM) :]}')
        items.insert(0, Markup(f'<li class="since">{title}</li>'))
    return items


@cache
def rules_context() -> dict[str, Any]:
    """What the page of rules is made from."""
    return {
        "boxes": list(ALL_BOXES),
        "rulings": lookup.rulings(),
        "sections": lookup.RULING_SECTIONS,
        "when": lookup.TIMING_TEXT,
        "portrait": scene.resident_summary,
    }
