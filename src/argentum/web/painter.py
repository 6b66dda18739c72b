"""From a table to HTML: which page a reader is at, which parts of it have changed, and which cards moved."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from time import time
from typing import Any, NamedTuple, TypeAlias

from jinja2 import BaseLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

from argentum import words
from argentum.display import scene
from argentum.display.replay import Replay, replay_scene
from argentum.display.results import Reveal, Standing, reckoning_of, result_of, reveal_of
from argentum.display.session import WATCH, letter_of
from argentum.rulebook import lookup
from argentum.rulebook import lookup as lookup_module
from argentum.rules.boxes import BOX_OF, residents
from argentum.rules.events import Event
from argentum.rules.notation import SEATS
from argentum.web import versions
from argentum.web.bidi import isolated
from argentum.web.invitations import welcome_of
from argentum.web.lobby import Lobby, lobby_of, seat_link
from argentum.web.looks import looks_of, title_of
from argentum.web.mine import result_json
from argentum.web.motions import motions_of
from argentum.web.parts import Info, Line
from argentum.web.pieces import ITEM, Sent, items_of
from argentum.web.replays import ReplayStep
from argentum.web.reviewing import PLAYOUTS, reviewer
from argentum.web.room import GATHERING, Room
from argentum.web.sheets import Pen, Sheet
from argentum.web.templating import Templates
from argentum.web.timeline import Row as Decision
from argentum.web.timeline import timeline
from argentum.words import site_texts
from argentum.words.client_messages import PHRASES
from argentum.words.site_texts import kept_until

ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
LOG_LINES = 30
MOST_MOTIONS = 12
LATELY = 12  # events, among which is what a reader has just looked at
LOBBY_PARTS = (("deck-choice", "deck_choice"), ("party", "party"))
MOST_KEPT = 16_384  # badges, faces and the like, of a kind
MOST_LATELY = 2_048  # what a table's readers share at the moment, and much of it at the next: cards, lines of the log


Part: TypeAlias = tuple[str, Sequence[str]]  # of a page that has changed: its name, and the fragments of its HTML


@dataclass
class Reading:
    """What one browser shows now."""

    origin: str = ""  # of the browser's page, for links that are shown
    keep_days: float = 0.0  # how long the server keeps games
    looks_on: bool = False  # though a seat is free
    beside: tuple[str, ...] = ()  # other seats on the same device
    lifted: bool = False  # the curtain between those who share the device
    hangs: bool = False  # the same, until somebody lifts it: also if only one of them is left
    rounds_seen: int = 0  # whose reveals an onlooker has left
    replay_at: int | None = None
    replay_eyes: str = ""
    built: tuple[ReplayStep, Replay] | None = None  # the position of a finished game that is shown
    review: Sequence[Decision] = ()  # the decisions that are reviewed
    review_nth: int | None = None  # which of them is shown; None: not at the review
    frame: tuple[str, int, bool] = ("", 0, False)  # the kind of page, the game, and whether a bot fills in
    game: int = 0
    gathered: int = 0  # the game whose result has been left for a rematch
    parts: dict[str, str] = field(default_factory=dict)  # what each part shows, of pages other than the table's
    sheet: Sheet = field(default_factory=Sheet)  # the table's
    told: int | None = None  # events that have been shown as motions
    sent: Sent = field(default_factory=Sent)

    def copy(self) -> "Reading":
        """Another browser's, that shows the same."""
        return replace(self, parts=dict(self.parts), sheet=self.sheet.copy(), sent=self.sent.copy())

    def changed(self, part: str, shows: str) -> bool:
        """Whether a part showed something else until now."""
        old, self.parts[part] = self.parts.get(part), shows
        return old != shows

    def turn_over(self) -> None:
        """Begin another page, on which nothing is shown yet."""
        self.parts.clear()
        self.sheet = Sheet()

    def arrive(self, room: Room) -> None:
        """Begin where the table is: rounds that are over are not shown again, nor is the last game before a rematch."""
        self.rounds_seen = room.game.rounds_over if room.game is not None else 0
        if room.stage == GATHERING:
            self.leave_result(room)

    def leave_result(self, room: Room) -> None:
        """Go on from a game's result to the rematch."""
        self.gathered = room.play.games

    def return_to_result(self) -> None:
        """Go back from the rematch to the last game's result."""
        self.gathered, self.replay_at, self.review_nth = 0, None, None

    def keep_up(self, room: Room) -> None:
        """Turn to a new game, if there is one."""
        if self.game != room.play.games:
            self.game, self.told, self.replay_at, self.built = room.play.games, None, None, None
            self.review, self.review_nth = (), None
            self.rounds_seen = min(self.rounds_seen, room.game.rounds_over if room.game is not None else 0)


class Sharing(NamedTuple):
    """The link to a finished game, and how long it lasts."""

    link: str  # empty where nobody else could open it
    until: str
    may_keep: bool  # the reader may have it kept for good


class Over(NamedTuple):
    """The page of a game's end."""

    table: str
    headline: str
    rows: tuple[Standing, ...]
    can_rematch: bool
    rematch: bool  # somebody wants one
    result: str  # for the reader's statistics
    sharing: Sharing | None = None


class Opened(NamedTuple):
    """What a page checks a round's deal with."""

    text: str  # what the server opened, as JSON
    round: int
    players: int
    people: str  # the seats where people sat when the game began: only they add values
    you: str  # the reader's seat, and those of others on the same device


class Curtain(NamedTuple):
    """What is shown between the turns of two who share a device."""

    table: str
    seat: str
    name: str
    round: int


class Painter:
    """Draws pages."""

    def __init__(self, loader: BaseLoader | None = None, at: Callable[[str], str] = versions.at) -> None:
        """Draw with the templates of a loader; `at` says where a path of the server's is found."""
        self.templates = Templates(
            loader=loader or PackageLoader("argentum.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(
            at=at,
            residents=(),
            kept=lru_cache(MOST_KEPT),
            lately=lru_cache(MOST_LATELY),
            each=_each,
            items=_items,
            sureness=lookup_module.sureness,
            isolated=isolated,
            phrases=PHRASES,
        )
        self.templates.tests["chip"] = lambda part: isinstance(part, words.Chip)
        self.drawers: dict[tuple[str, str], Any] = {}
        self.pen: Pen | None = None
        self.at = at

    def page(self, template: str, **context: Any) -> str:
        """A whole page."""
        return versions.versioned(self.templates.get_template(template).render(**context))

    def shell(self, table: str, template: str = "shell.html") -> str:
        """A table's page, before anything is drawn on it."""
        residents_ = [(one, lookup.rulings()[one.label]) for one in residents()]
        return self.page(template, table=table, residents=residents_, **rules_context())

    def rules(self) -> str:
        """The page of rules."""
        return self.page("rules.html", **rules_context())

    def table(self, drawn: scene.Scene, info: Info) -> str:
        """The whole page of a table."""
        return self._draw("table.html", "stage", Sheet().show(drawn, info, self._pen()))

    def _pen(self) -> Pen:
        if self.pen is None:
            sentence, item = self._drawer("table.html", "sentence"), self._drawer("table.html", "told_by")
            self.pen = Pen(self._drawer("card.html", "spot"), sentence, item)
        return self.pen

    def _drawer(self, template: str, macro: str) -> Any:
        """A macro, which draws: a Drawer, or one whose drawings are kept."""
        found = self.drawers.get((template, macro))
        if found is None:
            found = self.drawers[template, macro] = getattr(self.templates.get_template(template).module, macro)
        return found

    def _draw(self, template: str, macro: str, *things: Any) -> str:
        drawn: str = self._drawer(template, macro)(*things)
        return drawn

    # What is new for a reader.

    def news(self, room: Room, role: str, key: str, reading: Reading) -> list[str]:
        """Messages for a browser: the parts of its page that have changed, and what moved."""
        reading.keep_up(room)
        kind = _kind(room, role, reading)
        if kind != "table":
            reading.lifted = False
        reading.hangs = reading.hangs or kind == "curtain"
        frame = (kind, room.play.games, _away(room, role, *reading.beside))
        if reading.frame != frame:
            reading.turn_over()
        if kind in ("table", "replay"):
            changed = self._table(kind, room, role, key, reading)
        elif kind == "gathering":
            changed = self._lobby(lobby_of(room, role, key, reading.origin, reading.beside), reading)
        else:
            whole = self._other(kind, room, role, reading)
            changed = [("stage", items_of(whole))] if reading.changed("stage", whole) else []
        reading.frame = frame
        events = _new_events(room, role, reading) if kind == "table" else []
        if not changed:
            return []
        title = _title(room, role if kind != "curtain" else WATCH)
        message = {
            "type": "page",
            "choice": room.choice(role) if kind != "curtain" else None,
            "kind": kind,
            "title": title if reading.changed("title", title) else "",
            "clock": room.time_left(),
            "anew": reading.sent.begins(),
            "motions": [motion for event in events[-MOST_MOTIONS:] for motion in motions_of(event)],
            **self._looks(room, role, events),
            **({} if room.play.games else {"waited": round(time() - room.play.set_at, 3)}),
        }
        # What is not there is none; a number may be 0.
        told = {what: value for what, value in message.items() if value or (value == 0 and value is not False)}
        parts = ",".join([f'["{name}",{reading.sent.pack(fragments)}]' for name, fragments in changed])
        return [f'{ENCODER.encode(told)[:-1]},"parts":[{parts}]}}']

    def _looks(self, room: Room, role: str, events: list[Event]) -> dict[str, Any]:
        """What the reader has just looked at, and for how many seconds each is shown where it must be remembered."""
        if not any([event.kind == "looked" for event in events]):
            return {}
        assert room.sitting is not None
        view = room.sitting.recall(role).view
        looks = looks_of(events, view)
        cards = [
            (look.place, self._draw("card.html", "face", look.portrait), title_of(looks, nth, view))
            for nth, look in enumerate(looks)
        ]
        fade = room.sitting.fade if room.sitting.memory else None
        return {"look": {"cards": cards, "fade": fade}} if cards else {}

    def _table(self, kind: str, room: Room, role: str, key: str, reading: Reading) -> list[Part]:
        """The table: whole, if the reader does not have it yet, or those parts that have changed."""
        if kind == "replay":
            assert reading.built is not None
            replay = reading.built[1]
            drawn = replay_scene(replay, letter_of(role), room.players(), LOG_LINES)
        else:
            assert room.sitting is not None
            replay = None
            drawn = room.sitting.scene(role, room.seats(), LOG_LINES, room.arrangement.guide)
        info, sheet = info_of(room, role, key, reading), reading.sheet
        bar = "" if replay is None else self._draw("replay.html", "bar", replay, sharing_of(room, role, reading))
        if sheet.page is None:
            page = sheet.show(drawn, info, self._pen())
            return [("stage", items_of(self._draw("table.html", "stage", page) + bar))]
        changed = sheet.go_on(drawn, info, self._pen())
        drawn_parts = [(part.id, self._drawer("table.html", part.macro).fragments(*part.shows)) for part in changed]
        return [*drawn_parts, ("replay", items_of(bar))] if bar else drawn_parts

    def _lobby(self, lobby: Lobby, reading: Reading) -> list[Part]:
        """The page on which a table is set: whole, or those parts that have changed."""
        new = not reading.parts
        parts = [(name, self._draw("gathering.html", macro, lobby)) for name, macro in LOBBY_PARTS]
        changed: list[Part] = [(name, items_of(html)) for name, html in parts if reading.changed(name, html)]
        return [("stage", items_of(self._draw("gathering.html", "stage", lobby)))] if new else changed

    def _other(self, kind: str, room: Room, role: str, reading: Reading) -> str:
        """The pages that are sent whole. Those who share a device are told of a round as onlookers are, by names."""
        assert kind in ("invite", "curtain", "reveal", "review", "over")
        if kind == "review":
            assert reading.built is not None
            made_by, nth = (reviewer(), PLAYOUTS), reading.review_nth or 0
            page = timeline(room, role, reading.review, nth, made_by, reading.built[1])
            return self._draw("review.html", "stage", page)
        if kind == "invite":
            return self._draw("invite.html", "stage", welcome_of(room))
        if kind == "curtain":
            return self._draw("curtain.html", "stage", curtain_of(room, next_shown(room, role, reading)))
        if kind == "reveal":
            end_of_round = round_end(room, WATCH if reading.beside else role)
            return self._draw("reveal.html", "stage", end_of_round, opened_of(room, role, *reading.beside))
        player = role if not reading.beside and room.played(role) else WATCH
        end = game_end(room, player)._replace(can_rematch=role != WATCH)
        end = end._replace(sharing=sharing_of(room, role, reading))
        return self._draw("over.html", "stage", end, opened_of(room, role, *reading.beside))


def info_of(room: Room, role: str, key: str, reading: Reading) -> Info:
    """What is to be said of a table itself."""
    return Info(
        room.name,
        room.arrangement.memory,
        room.arrangement.seconds,
        room.doors.crowd(WATCH),
        _away(room, role, *reading.beside),
        _links(room, role, key),
        room.play.commitment(False) if reading.replay_at is None else "",  # that of a game that is over is no promise
        _fresh(room, role) if room.playing else 0,
    )


def opened_of(room: Room, *roles: str) -> Opened | None:
    """What those who share a device check the last round's deal with; None if nothing was promised."""
    text, game = room.play.opened(), room.game
    if not text or game is None:
        return None
    return Opened(text, game.rounds_over, game.players, room.play.people, "".join([letter_of(role) for role in roles]))


def round_end(room: Room, role: str) -> Reveal:
    """The last finished round, as a role is shown it, and who else has seen enough of it."""
    assert room.game is not None
    me, round_ = letter_of(role), room.game.rounds_over
    seen = zip(room.players(), room.play.rounds_seen, strict=False)
    ready = [seat.name for seat, rounds in seen if not seat.bot and seat.letter != me and rounds >= round_]
    return reveal_of(reckoning_of(room.game, me), room.players(), ready)


def game_end(room: Room, role: str) -> Over:
    """The end of a game, as a role is shown it."""
    assert room.game is not None
    by_bot = "".join([letter for letter, moves in zip(SEATS, room.play.by_bot, strict=True) if moves])
    end = result_of(room.players(), room.game.scores, room.game.winner, letter_of(role), by_bot)
    again = room.arrangement.rematch is not None
    return Over(room.name, end.headline, end.rows, role != WATCH, again, result_json(room, role))


def sharing_of(room: Room, role: str, reading: Reading) -> Sharing:
    """The link to the game that is over, for anybody who looks at it."""
    play = room.play
    link = f"/table/{room.name}?game={play.games}#{play.share_key(play.games)}" if reading.origin else ""
    may_keep = role != WATCH and bool(reading.keep_days) and not play.kept
    return Sharing(link, kept_until(play.written, reading.keep_days, play.kept), may_keep)


def _kind(room: Room, role: str, reading: Reading) -> str:
    """Which page a reader is at."""
    if role == WATCH and room.free_seat and not reading.looks_on:
        return "invite"
    if room.game is None:
        return "gathering"
    if room.game.over and reading.replay_at is not None:
        return "replay"
    if room.stage == GATHERING and reading.gathered == room.play.games:
        return "gathering"
    seen = reading.rounds_seen if role == WATCH else room.play.rounds_seen[SEATS.index(role)]
    if seen < room.game.rounds_over:
        return "reveal"
    if not room.game.over:
        stays = next_shown(room, role, reading) == role or looks_now(room, role)
        alone = not reading.beside and not reading.hangs
        return "table" if alone or (reading.lifted and stays) else "curtain"
    return "over" if reading.review_nth is None else "review"


def missing_step(room: Room, role: str, reading: Reading) -> ReplayStep | None:
    """The position of a finished game that the reader's page shows, if it is not built yet."""
    reading.keep_up(room)
    kind = _kind(room, role, reading)
    if kind == "replay":
        assert reading.replay_at is not None
        step = ReplayStep(reading.game, reading.replay_at, reading.replay_eyes)
    elif kind == "review":
        nth = min(max(reading.review_nth or 0, 0), len(reading.review) - 1)
        step = ReplayStep(reading.game, reading.review[nth]["at"], role)
    else:
        return None
    return step if reading.built is None or reading.built[0] != step else None


def next_shown(room: Room, role: str, reading: Reading) -> str:
    """Whose cards a device shows that several share: of who is asked something; else of who was shown last."""
    asked = [one for one in (role, *reading.beside) if room.choice(one) is not None]
    return asked[0] if asked else role


def looks_now(room: Room, role: str) -> bool:
    """Whether somebody who must remember it is looking at a card: the curtain waits until it has turned back."""
    sitting = room.sitting
    if sitting is None or not sitting.memory or role == WATCH:
        return False
    recall = sitting.recall(role)
    seen = {one.spot for one in recall.events[-LATELY:] if one.kind == "looked" and one.seat == role}
    return not seen.isdisjoint(recall.fresh(sitting.fade))


def curtain_of(room: Room, role: str) -> Curtain:
    """The curtain before somebody's turn: nothing on it is secret."""
    assert room.sitting is not None
    seat = room.seats()[SEATS.index(role)]
    return Curtain(room.name, seat.letter, seat.name, room.sitting.game.round)


def _fresh(room: Room, role: str) -> int:
    """The round on the table, as long as every card lies where it was dealt; else 0."""
    assert room.sitting is not None
    for event in reversed(room.sitting.recall(role).events):
        if event.kind == "dealt":
            return room.sitting.game.round
        if event.kind not in ("looked", "turn"):
            break
    return 0


def _links(room: Room, role: str, key: str) -> tuple[tuple[str, str], ...]:
    """What the host may still send to friends while a game goes on: the invitation."""
    if role != room.arrangement.host or not room.playing:
        return ()
    return ((site_texts.INVITATION if room.free_seat else site_texts.FOR_ONLOOKERS, seat_link(room, key, WATCH)),)


def _away(room: Room, *roles: str) -> bool:
    """Whether a bot fills in for the reader, or for somebody who shares the device."""
    return room.playing and any([role != WATCH and room.clock.seats[SEATS.index(role)].slow for role in roles])


def _title(room: Room, role: str) -> str:
    """The title of the browser's tab."""
    return site_texts.tab_title(room.name, room.choice(role) is not None)


def _each(draw: Callable[[Any], str]) -> Callable[[tuple[Any, ...]], tuple[str, ...]]:
    """Draw each of several things. All that was drawn together lately is kept."""

    @lru_cache(MOST_LATELY)
    def drawn(things: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple([draw(thing) for thing in things])

    return drawn


def _items(lines: Sequence[Line], since: int, title: str) -> list[str]:
    """The items of the story. The first ones came after the reader's last turn, and have a title."""
    items = [line.item for line in lines]
    if since:
        items[since] = Markup(f'<li class="before"{items[since][len(ITEM) :]}')
        items.insert(0, Markup(f'<li class="since">{title}</li>'))
    return items


def _new_events(room: Room, role: str, reading: Reading) -> list[Event]:
    """What happened since the reader was last shown the table; nothing for whoever has just come."""
    if room.sitting is None:
        return []
    events = room.sitting.recall(role).events
    new = events[reading.told :] if reading.told is not None else []
    reading.told = len(events)
    return new


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
