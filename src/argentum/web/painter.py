"""From a table to HTML: which page a reader is at, which parts of it have changed, and which cards moved."""

import json
from collections.abc import Hashable
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from argentum import words
from argentum.book import gallery, lookup
from argentum.rules.boxes import BOX_OF, residents
from argentum.rules.events import Event
from argentum.rules.notation import SEATS
from argentum.tableside import scene
from argentum.tableside.replay import Replay, replay_scene
from argentum.web.lobby import Lobby, lobby_of, seat_link
from argentum.web.reveal import over_of, reveal_of
from argentum.web.room import WATCH, Room

LOG_LINES = 30
MOST_MOTIONS = 12
LOBBY_PARTS = (("deck-choice", "deck_choice"), ("party", "party"))
MOST_KEPT = 16_384  # badges, faces and the like, of a kind
# The parts of a table's page besides the villages, and what each shows. A part is drawn only if that has changed, and
# it is given nothing else.
PARTS = {
    "banner": ("caller", "last_turns"),
    "piles": (
        "code", "deck", "deck_count", "shown", "shower", "top", "pile", "direction", "turn_side", "lantern_lit",
        "token", "token_side", "token_state", "token_ready",
    ),
    "prompt": ("code", "cast", "you", "holder", "hand", "your_move", "prompt", "coach", "fan", "buttons", "uses"),
    "moon": ("moon",),
    "bar": ("round", "moon"),
    "score-sheet": ("round", "scores"),
    "log": ("lines",),
    "foot": ("info",),
}  # fmt: skip
OF_A_VILLAGE = ("code", "token")
SHOWN = ("code", *[one.name for one in fields(scene.Scene)])


@dataclass
class Reading:
    """What one browser shows now."""

    rounds_seen: int = 0  # whose reveals an onlooker has left
    replay_at: int | None = None
    frame: tuple[str, int, bool] = ("", 0, False)  # the kind of page, the game, and whether a bot sits in
    game: int = 0
    gathered: int = 0  # the game whose result has been left for a rematch
    parts: dict[str, Hashable] = field(default_factory=dict)  # what each part shows
    lines: dict[tuple[words.Part, ...], Markup] = field(default_factory=dict)  # of the story, as they were drawn
    told: int | None = None  # events that have been shown as motions

    def changed(self, part: str, shows: Hashable) -> bool:
        """Whether a part showed something else until now."""
        old, self.parts[part] = self.parts.get(part), shows
        return old != shows

    def arrive(self, room: Room) -> None:
        """Begin where the table is: rounds that are over are not shown again, nor is the last game before a rematch."""
        self.rounds_seen = len(room.game.finished) if room.game is not None else 0
        if room.stage == "gathering":
            self.leave_result(room)

    def leave_result(self, room: Room) -> None:
        """Go on from a game's result to the rematch."""
        self.gathered = room.games

    def keep_up(self, room: Room) -> None:
        """Turn to a new game, if there is one."""
        if self.game != room.games:
            self.game, self.told, self.replay_at = room.games, None, None
            self.rounds_seen = min(self.rounds_seen, len(room.game.finished) if room.game is not None else 0)


class Info(NamedTuple):
    """What is to be said of the table itself."""

    table: str
    memory: bool
    seconds: int
    watching: int
    away: bool  # a bot sits in for the reader
    links: tuple[tuple[str, str], ...]  # for the host: what to copy, and the link


class Painter:
    """Draws pages."""

    def __init__(self) -> None:
        self.templates = Environment(
            loader=PackageLoader("argentum.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(residents=(), kept=lru_cache(MOST_KEPT), sureness=gallery.sureness)
        self.macros: dict[str, Any] = {}

    def page(self, template: str, **context: Any) -> str:
        """A whole page."""
        return self.templates.get_template(template).render(**context)

    def shell(self, table: str) -> str:
        """A table's page, before anything is drawn on it."""
        residents_ = [(one, lookup.rulings()[one.label]) for one in residents()]
        return self.page("shell.html", table=table, residents=residents_, **rules_context())

    def rules(self) -> str:
        """The page of rules."""
        return self.page("rules.html", **rules_context())

    def _draw(self, template: str, macro: str, *things: Any) -> Markup:
        module = self.macros.get(template)
        if module is None:
            module = self.macros[template] = self.templates.get_template(template).module
        drawn: Markup = getattr(module, macro)(*things)
        return drawn

    # What is new for a reader.

    def news(self, room: Room, role: str, token: str, reading: Reading) -> list[str]:
        """Messages for a browser: the parts of its page that have changed, and what moved."""
        reading.keep_up(room)
        kind = _kind(room, role, reading)
        frame = (kind, room.games, _away(room, role))
        if reading.frame != frame:
            reading.parts.clear()
        if kind in ("table", "replay"):
            changed = self._table(kind, room, role, token, reading)
        elif kind == "gathering":
            changed = self._lobby(lobby_of(room, role, token), reading)
        else:
            whole = self._other(kind, room, role)
            changed = [("stage", whole)] if reading.changed("stage", whole) else []
        reading.frame = frame
        motions = _motions(room, role, reading)
        if not changed:
            return []
        return [
            json.dumps(
                {
                    "type": "page",
                    "choice": room.choice(role),
                    "kind": kind,
                    "title": _title(room, role),
                    "clock": room.clock(),
                    "parts": changed,
                    "motions": motions if kind == "table" else [],
                },
                ensure_ascii=False,
                separators=(",", ":"),
            )
        ]

    def _table(self, kind: str, room: Room, role: str, token: str, reading: Reading) -> list[tuple[str, str]]:
        """The table: whole, if the reader does not have it yet, or those parts that have changed."""
        if kind == "replay":
            assert room.game is not None
            assert reading.replay_at is not None
            replay = Replay.of(room.game, reading.replay_at)
            drawn = replay_scene(replay, "" if role == WATCH else role, room.seats(), LOG_LINES)
        else:
            replay = None
            drawn = table_scene(room, role)
        page = self._page(drawn, room, role, token, reading)
        new = not reading.parts
        changed = [part for part in parts_of(page) if reading.changed(part.name, part.shows)]
        bar = "" if replay is None else self._draw("replay.html", "bar", replay)
        if new:
            return [("stage", self._draw("table.html", "stage", page) + bar)]
        drawings: list[tuple[str, str]] = [
            (part.name, self._draw("table.html", part.macro, *part.things)) for part in changed
        ]
        return [*drawings, ("replay", bar)] if bar else drawings

    def _page(self, drawn: scene.Scene, room: Room, role: str, token: str, reading: Reading) -> SimpleNamespace:
        """All that a table's page shows. Lines of the story are drawn once for each reader."""
        lines = {
            entry.parts: reading.lines.get(entry.parts) or self._draw("table.html", "sentence", entry.parts, drawn.cast)
            for entry in drawn.log
        }
        reading.lines = lines
        info = Info(
            room.name,
            room.arrangement.memory,
            room.arrangement.seconds,
            sum([reader.role == WATCH for reader in room.readers]),
            _away(room, role),
            _links(room, role, token),
        )
        shown = {name: getattr(drawn, name) for name in SHOWN}
        return SimpleNamespace(**shown, lines=tuple([lines[entry.parts] for entry in drawn.log]), info=info)

    def _lobby(self, lobby: Lobby, reading: Reading) -> list[tuple[str, str]]:
        """The page on which a table is set: whole, or those parts that have changed."""
        new = not reading.parts
        parts = [(name, self._draw("gathering.html", macro, lobby)) for name, macro in LOBBY_PARTS]
        changed = [(name, html) for name, html in parts if reading.changed(name, html)]
        return [("stage", self._draw("gathering.html", "stage", lobby))] if new else [*changed]

    def _other(self, kind: str, room: Room, role: str) -> str:
        """The pages that are sent whole."""
        assert kind in ("reveal", "over")
        if kind == "reveal":
            return self._draw("reveal.html", "stage", reveal_of(room, role))
        return self._draw("over.html", "stage", over_of(room, role))


class Part(NamedTuple):
    """A part of a page: what it shows, and the macro that draws it from this and nothing else."""

    name: str
    macro: str
    shows: tuple[Hashable, ...]
    things: tuple[Any, ...]


def parts_of(page: SimpleNamespace) -> list[Part]:
    """The parts of a table's page."""
    parts = []
    for name, fields_ in PARTS.items():
        shown = {key: getattr(page, key) for key in fields_}
        parts.append(Part(name, name.replace("-", "_"), tuple(shown.values()), (SimpleNamespace(**shown),)))
    shown = {key: getattr(page, key) for key in OF_A_VILLAGE}
    for village in page.villages:
        shows = (village, *shown.values())
        parts.append(Part(f"village-{village.seat.letter}", "village", shows, (village, SimpleNamespace(**shown))))
    return parts


def table_scene(room: Room, role: str) -> scene.Scene:
    """The table as a role sees it now."""
    assert room.game is not None
    view = room.view(role)
    recall = room.recall(role)
    log = recall.entries(LOG_LINES)
    if room.arrangement.memory:
        log = [entry._replace(parts=entry.memory) for entry in log]
    prompt = words.prompt(view, recall.turn_events)
    coach = words.coach(view, recall.turn_events) if room.arrangement.guide and role != WATCH else ""
    return scene.build(view, room.seats(), room.game.scores, log, prompt, coach)


def _kind(room: Room, role: str, reading: Reading) -> str:
    """Which page a reader is at."""
    if room.game is None or (room.stage == "gathering" and reading.gathered == room.games):
        return "gathering"
    seen = reading.rounds_seen if role == WATCH else room.chairs[SEATS.index(role)].rounds_seen
    if seen < len(room.game.finished):
        return "reveal"
    if not room.game.over:
        return "table"
    return "over" if reading.replay_at is None else "replay"


def _links(room: Room, role: str, token: str) -> tuple[tuple[str, str], ...]:
    """What the host may still send to friends while a game goes on: seats that are open, and the onlookers' link."""
    if role != SEATS[0] or not room.playing:
        return ()
    places = zip(SEATS, room.arrangement.places, strict=False)
    seats = [
        (f"Link for {place.name}'s seat", letter) for letter, place in places if not place.bot and not place.claimed
    ]
    return tuple([(text, seat_link(room, token, to)) for text, to in [*seats, ("Link for onlookers", WATCH)]])


def _away(room: Room, role: str) -> bool:
    """Whether a bot sits in for the reader."""
    return role != WATCH and room.stage == "playing" and room.chairs[SEATS.index(role)].slow


def _title(room: Room, role: str) -> str:
    """The title of the browser's tab."""
    yours = role != WATCH and room.playing and bool(room.chairs[SEATS.index(role)].legal)
    return ("Your turn · " if yours else "") + f"Argentum, {room.name}"


def _motions(room: Room, role: str, reading: Reading) -> list[tuple[str, str]]:
    """Which cards went where since the reader was last shown the table: from place to place."""
    if room.game is None or room.stage == "gathering":
        return []
    events = room.recall(role).events
    new = events[reading.told :] if reading.told is not None else []
    reading.told = len(events)
    return [motion for event in new[-MOST_MOTIONS:] for motion in motions_of(event)]


def motions_of(event: Event) -> list[tuple[str, str]]:
    """Where the card of an event went, as places of the page.

    >>> motions_of(Event("drew", "A", "", None, "deck", None, ""))
    [('deck', 'hand')]
    """
    piles = {"pile": "pile", "deck": "deck", "bottom of the pile": "pile"}
    match event.kind:
        case "drew":
            return [("deck" if event.to == "deck" else f"own-{event.seat}", "hand")]
        case "took":
            return [("pile", "hand")]
        case "discarded":
            return [("hand", piles[event.to])]
        case "left" if event.to in piles:
            return [(event.spot, piles[event.to])]
        case "placed" | "added":
            return [("hand", event.spot)]
        case "switched":
            return [(event.spot, event.to), (event.to, event.spot)]
        case "shifted" | "gave":
            return [(event.spot, event.to)]
        case "kept":
            return [("deck", f"own-{event.seat}")]
        case "counted":
            return [("deck", "pile")]
    return []


@cache
def rules_context() -> dict[str, Any]:
    """What the page of rules is made from."""
    return {
        "boxes": list(BOX_OF.values()),
        "rulings": lookup.rulings(),
        "sections": lookup.SECTIONS,
        "when": lookup.WHEN,
        "portrait": scene.portrait,
    }
