"""Render pages and their changed parts from Jinja templates, with a code generator that is faster than Jinja's."""

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
from argentum.rulebook.card_art import box_style
from argentum.rules.boxes import ALL_BOXES, BOX_NAMES, DEFAULT_BOX, residents
from argentum.rules.events import Event
from argentum.web.bidi import isolated
from argentum.web.pages import assets
from argentum.web.pages.end import game_end_page, pass_device_page, round_end_page, share_link
from argentum.web.pages.lobby import LobbyPage, invitation_page, lobby_page
from argentum.web.pages.page_diff import ITEM, CardMacros, ShownTable, split_items
from argentum.web.pages.review import review_page
from argentum.web.pages.table import LogItem, TableInfo, card_motions, look_title, looked_at_cards
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

MAX_ESCAPED = 8_192  # cached texts: names, spots, texts of buttons

_escaped = lru_cache(MAX_ESCAPED)(escape)


def escaped(value: Any) -> str:
    """Return the HTML of a value that a template outputs."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return _escaped(value)
    return str(value) if kind is int else escape(value)


class FastMacro(Macro):
    """A macro whose compiled function returns a list of fragments; positional calls skip Jinja's argument binding."""

    def __call__(self, *arguments: Any, **named: Any) -> str:
        left_out = self._argument_count - len(arguments)
        if named or left_out < 0 or self.caller or self.catch_varargs or self.catch_kwargs:
            return super().__call__(*arguments, **named)
        return str.__new__(Markup, "".join(self._func(*arguments, *(missing,) * left_out)))

    def _invoke(self, arguments: list[Any], autoescape: bool) -> str:  # noqa: ARG002  (as its parent)
        return str.__new__(Markup, "".join(self._func(*arguments)))

    def fragments(self, *arguments: Any) -> Sequence[str]:
        """Return the HTML as fragments; the output of each nested macro is one of them."""
        return self._func(*arguments)


def is_safe_literal(node: nodes.Expr | None) -> bool:
    """Whether an expression can only be a literal that needs no escaping, such as a class name."""
    if isinstance(node, nodes.CondExpr):
        return is_safe_literal(node.expr1) and (node.expr2 is None or is_safe_literal(node.expr2))
    return isinstance(node, nodes.Const) and isinstance(node.value, str) and escape(node.value) == node.value


def is_output_loop(node: nodes.For) -> bool:
    """Whether the body of a loop is only the output of its item."""
    if node.else_ or node.test or node.recursive or not isinstance(node.target, nodes.Name):
        return False
    return node.body == [nodes.Output([nodes.Name(node.target.name, "load")])]


class FastCodeGenerator(CodeGenerator):
    """Generate a template's Python code: `escaped` for every output, plain attribute access, `FastMacro` for macros."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  (as its parent)
        self.writeline("from argentum.web.pages.renderer import FastMacro, escaped")
        super().visit_Template(node, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ARG002
        self.write("(" if is_safe_literal(node) else "escaped(")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802  (as its parent)
        """Extend the buffer at once in loops that only output their item, mostly rendered cards or log lines."""
        if frame.buffer is None or not is_output_loop(node):
            super().visit_For(node, frame)
            return
        self.writeline(f"{frame.buffer}.extend([item if type(item) is Markup else escaped(item) for item in ", node)
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


MAX_CACHED = 16_384  # results per macro: badges, faces
MAX_RECENT = 2_048  # results per macro that a table's readers share for a few updates: cards, log lines


class Opened(NamedTuple):
    """What a page needs to verify a round's deal."""

    text: str  # the server's opening, as JSON
    round: int
    players: int
    people: str  # seats of people when the game began: only they add values
    you: str  # the reader's seats: their own and the others on the same device


class PageRenderer:
    """Render the pages of a server or of the static edition."""

    def __init__(self, loader: BaseLoader | None = None, url_for: Callable[[str], str] = assets.at) -> None:
        """Load templates with `loader`; `url_for` maps a path of the server to a URL."""
        self.templates = FastEnvironment(
            loader=loader or PackageLoader("argentum.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(
            url=url_for,
            residents=(),
            cached=lru_cache(MAX_CACHED),
            recent_cached=lru_cache(MAX_RECENT),
            cached_map=cached_map,
            log_items=log_items,
            text_certainty=lookup_module.source_status,
            isolated=isolated,
            phrases=CLIENT_MESSAGES,
            box_names=BOX_NAMES,
            box_style=box_style,
            default_box=DEFAULT_BOX,
        )
        self.templates.tests["resident_chip"] = lambda part: isinstance(part, words.CardChip)
        self.macros: dict[tuple[str, str], Any] = {}
        self.card_macros: CardMacros | None = None
        self.url_for = url_for

    def page(self, template: str, **context: Any) -> str:
        return assets.with_digests(self.templates.get_template(template).render(**context))

    def table_shell(self, table: str, template: str = "table_shell.html") -> str:
        """The static part of a table's page; the socket fills in the rest."""
        with_rulings = [(resident, lookup.rulings()[resident.label]) for resident in residents()]
        return self.page(template, table=table, build=assets.page_build(), residents=with_rulings, **rules_context())

    def rules_page(self) -> str:
        return self.page("rules.html", **rules_context())

    def table_html(self, table_scene: scene.Scene, info: TableInfo) -> str:
        return self._render("table.html", "page", ShownTable().show(table_scene, info, self._card_macros()))

    def _card_macros(self) -> CardMacros:
        if self.card_macros is None:
            sentence, item = self._macro("table.html", "sentence"), self._macro("table.html", "log_item")
            self.card_macros = CardMacros(self._macro("card.html", "card_in_slot"), sentence, item)
        return self.card_macros

    def _macro(self, template: str, macro: str) -> Any:
        """A template's macro: a FastMacro, or a cached wrapper of one."""
        function = self.macros.get((template, macro))
        if function is None:
            function = getattr(self.templates.get_template(template).module, macro)
            self.macros[template, macro] = function
        return function

    def _render(self, template: str, macro: str, *arguments: Any) -> str:
        html: str = self._macro(template, macro)(*arguments)
        return html

    def page_updates(self, room: Room, role: str, key: str, state: PageState) -> list[str]:
        """Messages for a browser: the changed parts of its page, and the cards that moved."""
        state.sync_game(room)
        kind = page_kind(room, role, state)
        if kind != "table":
            state.device_passed = False
        state.cards_hidden = state.cards_hidden or kind == "pass_device"
        frame = (kind, room.play.game_count, _stand_in_plays(room, role, *state.local_seats))
        if state.frame != frame:
            state.reset()
        if kind in ("table", "replay"):
            changed = self._table(kind, room, role, key, state)
        elif kind == "lobby":
            changed = self._lobby(lobby_page(room, role, key, state.origin, state.local_seats), state)
        else:
            whole = self._whole_page(kind, room, role, state)
            changed = [("stage", split_items(whole))] if state.replace_part("stage", whole) else []
        state.frame = frame
        events = _new_events(room, role, state) if kind == "table" else []
        if not changed:
            return []
        title = _tab_title(room, role if kind != "pass_device" else SPECTATOR)
        message = {
            "type": "page",
            "choice": room.choice_number(role) if kind != "pass_device" else None,
            "page": kind,
            "title": title if state.replace_part("title", title) else "",
            "clock": room.time_left(),
            "reset": state.fragments.starts_over(),
            "motions": [motion for event in events[-MAX_MOTIONS:] for motion in card_motions(event)],
            **self._looks(room, role, events),
            **({} if room.play.game_count else {"lobby_seconds": round(time() - room.play.created_at, 3)}),
        }
        # Empty fields are left out; a number may be 0.
        fields = {name: value for name, value in message.items() if value or (value == 0 and value is not False)}
        parts = ",".join([f'["{name}",{state.fragments.encode(fragments)}]' for name, fragments in changed])
        return [f'{ENCODER.encode(fields)[:-1]},"parts":[{parts}]}}']

    def _looks(self, room: Room, role: str, events: list[Event]) -> dict[str, Any]:
        """Cards that the reader has just looked at; `fade` is how long each is shown at a table with memory."""
        if not any([event.kind == "looked" for event in events]):
            return {}
        assert room.session is not None
        view = room.session.memory_of(role).view
        looks = looked_at_cards(events, view)
        cards = [
            (look.place, self._render("card.html", "face", look.portrait), look_title(looks, index, view))
            for index, look in enumerate(looks)
        ]
        fade = room.session.look_seconds if room.session.memory_mode else None
        return {"looks": {"cards": cards, "fade": fade}} if cards else {}

    def _table(self, kind: str, room: Room, role: str, key: str, state: PageState) -> list[PartHtml]:
        """The table page: all of it for a new reader, else its changed parts."""
        if kind == "replay":
            assert state.built is not None
            replay = state.built[1]
            table_scene = build_replay_scene(replay, seat_of(role), room.players(), MAX_LOG_LINES)
        else:
            assert room.session is not None
            replay = None
            table_scene = room.session.build_scene(role, room.seats(), MAX_LOG_LINES, room.arrangement.guided)
        info, sheet = table_info(room, role, key, state), state.shown_table
        bar = "" if replay is None else self._render("replay.html", "replay_bar", replay, share_link(room, role, state))
        if sheet.page is None:
            page = sheet.show(table_scene, info, self._card_macros())
            return [("stage", split_items(self._render("table.html", "page", page) + bar))]
        changed = sheet.diff(table_scene, info, self._card_macros())
        drawn_parts = [(part.id, self._macro("table.html", part.macro).fragments(*part.arguments)) for part in changed]
        return [*drawn_parts, ("replay", split_items(bar))] if bar else drawn_parts

    def _lobby(self, lobby: LobbyPage, state: PageState) -> list[PartHtml]:
        """The lobby: all of it for a new reader, else its changed parts."""
        new = not state.sent_parts
        parts = [(name, self._render("lobby.html", macro, lobby)) for name, macro in LOBBY_PARTS]
        changed: list[PartHtml] = [(name, split_items(html)) for name, html in parts if state.replace_part(name, html)]
        return [("stage", split_items(self._render("lobby.html", "page", lobby)))] if new else changed

    def _whole_page(self, kind: str, room: Room, role: str, state: PageState) -> str:
        """A page that is sent whole. People who share a device see the end of a round as spectators do, by names."""
        assert kind in ("invitation", "pass_device", "round_end", "review", "game_end")
        if kind == "review":
            assert state.built is not None
            method, index = (review_bot(), REVIEW_PLAYOUTS), state.decision_index or 0
            page = review_page(room, role, state.review, index, method, state.built[1])
            return self._render("review.html", "page", page)
        if kind == "invitation":
            return self._render("invitation.html", "page", invitation_page(room))
        if kind == "pass_device":
            return self._render("pass_device.html", "page", pass_device_page(room, next_local_seat(room, role, state)))
        if kind == "round_end":
            end_of_round = round_end_page(room, SPECTATOR if state.local_seats else role)
            return self._render("round_end.html", "page", end_of_round, opened_of(room, role, *state.local_seats))
        player = role if not state.local_seats and room.played(role) else SPECTATOR
        end = game_end_page(room, player)._replace(can_rematch=role != SPECTATOR)
        end = end._replace(sharing=share_link(room, role, state))
        return self._render("game_end.html", "page", end, opened_of(room, role, *state.local_seats))


def opened_of(room: Room, *roles: str) -> Opened | None:
    """The opening of the last round's deal, for the seats on one device; None without a commitment."""
    text, game = room.play.opening_json(), room.game
    if not text or game is None:
        return None
    return Opened(
        text, game.rounds_finished, game.players, room.play.people, "".join([seat_of(role) for role in roles])
    )


def cached_map(render: Callable[[Any], str]) -> Callable[[tuple[Any, ...]], tuple[str, ...]]:
    """Map a macro over a tuple, and cache the results by the tuple."""

    @lru_cache(MAX_RECENT)
    def rendered(items: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple([render(item) for item in items])

    return rendered


def log_items(lines: Sequence[LogItem], since: int, title: str) -> list[str]:
    """The items of the log's list; `since` items came after the reader's last turn, and get a title."""
    items = [line.item_html for line in lines]
    if since:
        items[since] = Markup(f'<li class="before"{items[since][len(ITEM) :]}')
        items.insert(0, Markup(f'<li class="since">{title}</li>'))
    return items


@cache
def rules_context() -> dict[str, Any]:
    """Return what the template of the rules page needs."""
    return {
        "boxes": list(ALL_BOXES),
        "rulings": lookup.rulings(),
        "sections": lookup.RULING_SECTIONS,
        "when": lookup.TIMING_TEXT,
        "portrait": scene.resident_summary,
    }
