"""One table: its arrangement, its game, who sits there; moves are written to the log before anybody hears of them."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from random import SystemRandom
from time import monotonic
from typing import Any

from argentum import bots
from argentum.rules.events import Event
from argentum.rules.game import Game, IllegalMove
from argentum.rules.move import Move
from argentum.rules.notation import SEATS
from argentum.rules.views import View
from argentum.tableside.recall import Recall, masked
from argentum.tableside.scene import Seat
from argentum.web import story
from argentum.web.arrangement import Arrangement, Refused, Rematch
from argentum.web.chairs import NO_TURN, Chair, Pace, Reader
from argentum.web.log import Conflict, Entry, Log
from argentum.web.tokens import derived, digest

WATCH = "watch"
STAND_IN = "steady"
logger = logging.getLogger(__name__)


class Stale(Refused):
    """A move for a choice that is no longer asked for."""


@dataclass
class Room:
    """A table on the server."""

    name: str
    log: Log
    digests: dict[str, str]
    arrangement: Arrangement
    pace: Pace
    game: Game | None = None
    seq: int = 0  # of the next entry of the log
    games: int = 0
    chairs: list[Chair] = field(default_factory=lambda: [Chair() for _ in SEATS])
    readers: set[Reader] = field(default_factory=set)
    recalls: dict[str, Recall] = field(default_factory=dict)
    heard: list[Event] = field(default_factory=list)  # what everybody was told, as far as it was asked for
    touched: float = field(default_factory=monotonic)  # when anything last happened
    changed_at: float = 0.0  # when the game last went on

    def __post_init__(self) -> None:
        self.lock = asyncio.Lock()
        self.stirred = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self._said: dict[str, tuple[Hashable, str]] = {}

    # What anybody may ask.

    @property
    def playing(self) -> bool:
        """Whether a game goes on."""
        return self.game is not None and not self.game.over and self.arrangement.rematch is None

    @property
    def stage(self) -> str:
        """What the table is at: gathering, playing, over."""
        if self.game is None or self.arrangement.rematch is not None:
            return "gathering"
        return "over" if self.game.over else "playing"

    def seats(self) -> list[Seat]:
        """Who sits where, for everybody to see."""
        return [
            Seat(SEATS[nth], place.name, place.bot, self.chairs[nth].here > 0, "" if place.bot else self.stand_in(nth))
            for nth, place in enumerate(self.arrangement.places)
        ]

    def stand_in(self, seat: int) -> str:
        """Which bot sits in for a person now, if any: the seat is still open, or they are late or gone."""
        chair, place = self.chairs[seat], self.arrangement.places[seat]
        gone = not chair.here and monotonic() >= chair.left + self.pace.grace
        return STAND_IN if self.playing and (not place.claimed or chair.slow or gone) else ""

    def view(self, role: str) -> View:
        """What a role may see now; with memory, without what it should remember by itself."""
        recall = self.recall(role)
        if self.arrangement.memory and role != WATCH and not recall.revealed:
            return masked(recall.view, recall.fresh(self.pace.fade))
        return recall.view

    def choice(self, role: str) -> int | None:
        """The number of what a role is asked now; None for nothing."""
        chair = None if role == WATCH else self.chairs[SEATS.index(role)]
        return chair.choice if chair is not None and chair.legal and self.playing else None

    def clock(self) -> float | None:
        """The seconds that are left to whoever is asked; None without a clock."""
        waiting = [chair.deadline for chair in self.chairs if chair.legal and not chair.slow]
        if not self.playing or not self.arrangement.seconds or not waiting:
            return None
        return round(max(0.0, min(waiting) - monotonic()), 1)

    def recall(self, role: str) -> Recall:
        """What a role sees now, and was told so far."""
        assert self.game is not None
        recall = self.recalls.get(role)
        if recall is None:
            recall = self.recalls[role] = Recall("" if role == WATCH else role, self.game)
        recall.catch_up(self.game, self.seq)
        return recall

    def public(self) -> list[Event]:
        """What everybody was told so far."""
        assert self.game is not None
        self.heard += self.game.events(None, since=len(self.heard))
        return self.heard

    def said(self, what: str, moment: Hashable, words: Callable[[], str]) -> str:
        """Something that all readers are told alike, put into words once."""
        kept = self._said.get(what)
        if kept is None or kept[0] != moment:
            kept = self._said[what] = (moment, words())
        return kept[1]

    # Coming and going.

    async def enter(self, reader: Reader, name: object = None) -> None:
        """Somebody connects: whoever sat in for them stands up at once. Who comes first may say their name."""
        self.readers.add(reader)
        if reader.role != WATCH:
            place = SEATS.index(reader.role)
            self.chairs[place].here += 1
            self._take_back(self.chairs[place])
            async with self.lock:
                places = self.arrangement.places
                if place < len(places) and not places[place].claimed:
                    await self._arrange(self._claimed(place, name))
        self._stir()

    def _claimed(self, place: int, name: object) -> Arrangement:
        """Somebody sits down, under their own name if that can be used."""
        new = self.arrangement.claimed(place)
        with contextlib.suppress(Refused):
            new = new.named(place, name)
        return new

    def leave(self, reader: Reader) -> None:
        """A connection is gone."""
        self.readers.discard(reader)
        if reader.role != WATCH:
            chair = self.chairs[SEATS.index(reader.role)]
            chair.here -= 1
            chair.left = monotonic()
        self._stir()

    def return_to(self, role: str) -> None:
        """Somebody who was late is back."""
        self._take_back(self.chairs[SEATS.index(role)])
        self._stir()

    def saw(self, role: str, rounds: int) -> None:
        """Somebody has seen enough of a round's end."""
        chair = self.chairs[SEATS.index(role)]
        chair.rounds_seen = max(chair.rounds_seen, rounds)
        self._take_back(chair)
        self._stir()

    def _take_back(self, chair: Chair) -> None:
        if chair.slow:
            chair.slow = False
            chair.deadline = monotonic() + self.arrangement.seconds

    def _stir(self) -> None:
        """Let the table's own task, and everybody's page, have a look."""
        self.touched = monotonic()
        self.stirred.set()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._keep_going(), name=f"table {self.name}")
        for reader in self.readers:
            reader.touch()

    # What is done before and after a game.

    async def arrange(self, role: str, change: dict[str, Any], host: str = "") -> None:
        """The host, by the host's token, changes the arrangement; anybody seated may change their own name.

        A seat that is given away gets another link, and whoever sat there by the old one has no seat any more.
        """
        async with self.lock:
            new = self.arrangement
            if not change:
                raise Refused("say what is to be changed")
            if "name" in change:
                new = new.named(self._place(role), change["name"])
            rest = {key: value for key, value in change.items() if key != "name"}
            if rest:
                self._host_only(role, "change the table")
                if self.stage != "gathering":
                    raise Refused("the game has begun: the table is arranged before it")
                new = new.changed(rest)
            old = {letter: place.key for letter, place in zip(SEATS, self.arrangement.places, strict=False)}
            await self._arrange(
                new,
                {
                    letter: digest(derived(host, letter, place.key))
                    for letter, place in zip(SEATS, new.places, strict=False)
                    if place.key != old.get(letter, 0)
                },
            )
        self._stir()

    async def swap(self, role: str, number: object, box: object) -> None:
        """A loser replaces a number before a rematch."""
        async with self.lock:
            self._place(role)
            await self._arrange(self.arrangement.swapped(role, number, box))
        self._stir()

    async def rematch(self, role: str) -> None:
        """After a game: gather for another with the same people."""
        async with self.lock:
            self._place(role)
            if self.stage != "over" or self.game is None:
                raise Refused("a rematch comes after a game")
            again = Rematch(self.arrangement.code, self.game.winner)
            await self._arrange(replace(self.arrangement, rematch=again, guide=False))
        self._stir()

    async def start(self, role: str) -> None:
        """The host starts the game."""
        async with self.lock:
            self._host_only(role, "start the game")
            if self.stage != "gathering":
                raise Refused("the game has begun already")
            one = self.arrangement
            names = [place.name for place in one.places]
            seed = SystemRandom().getrandbits(64)
            game = Game.new(one.code, len(names), seed, one.chosen_token, names)
            await self._write("start", story.start_body(game, seed))
            self._begin(game)
            self._asked(None)
        self._stir()

    def _begin(self, game: Game) -> None:
        self.arrangement = replace(self.arrangement, rematch=None)
        self.game = game
        self.games += 1
        self.changed_at = monotonic()
        self.recalls.clear()
        self.heard.clear()
        for chair in self.chairs:
            chair.bot, chair.rounds_seen, chair.slow, chair.legal = None, 0, False, ()

    def _place(self, role: str) -> int:
        if role == WATCH:
            raise Refused("onlookers only watch; a seat has its own link")
        return self.arrangement.persons_number(role)

    def _host_only(self, role: str, what: str) -> None:
        if role != SEATS[0]:
            raise Refused(f"only the host may {what}")

    async def _arrange(self, new: Arrangement, digests: dict[str, str] | None = None) -> None:
        """Take on an arrangement, with other keys for some seats."""
        await self._write("arrange", {"arrangement": new.as_json(), "digests": digests or {}})
        self.digests.update(digests or {})
        self._set(new)

    def _set(self, new: Arrangement) -> None:
        """Take on an arrangement; in a game, the names at the table are these."""
        self.arrangement = new
        if self.playing and self.game is not None:
            self.game.names[:] = [place.name for place in new.places]
            for role, old in self.recalls.items():  # all is told anew, and nothing is seen longer for it
                self.recalls[role] = Recall(old.seat, self.game, old.looks)
            self.heard.clear()

    @property
    def free_seat(self) -> str:
        """A person's seat where nobody has sat down yet, or an empty string."""
        places = zip(SEATS, self.arrangement.places, strict=False)
        return next((letter for letter, place in places if not place.bot and not place.claimed), "")

    async def take_seat(self, token: str, name: str) -> None:
        """Somebody takes a free seat: from now on this token stands for it, and the host's link for it is void."""
        async with self.lock:
            seat = self.free_seat
            if not seat:
                raise Refused("every seat of that table is taken; but you may watch")
            await self._arrange(self._claimed(SEATS.index(seat), name), {seat: digest(token)})
        self._stir()

    async def _write(self, kind: str, body: dict[str, Any]) -> None:
        """Write an entry. If the log has another of that number, the table goes on from what the log has."""
        try:
            await self.log.append(self.name, self.seq, kind, body)
        except Conflict:
            await self._reload()
            raise Stale("the table has gone on meanwhile; look again, nothing of yours was done") from None
        self.seq += 1

    async def _reload(self) -> None:
        """Be as the log has it: another server wrote there, or somebody left before the log had answered."""
        entries = await asyncio.to_thread(self.log.entries, self.name)
        new = Room.restored(self.name, entries, self.log, self.pace)
        self.digests, self.arrangement, self.game = new.digests, new.arrangement, new.game
        self.seq, self.games = new.seq, new.games
        for chair, other in zip(self.chairs, new.chairs, strict=True):
            chair.legal, chair.choice, chair.turn, chair.deadline = (
                other.legal, other.choice, other.turn, other.deadline,
            )  # fmt: skip
            chair.bot, chair.rounds_seen = None, min(chair.rounds_seen, other.rounds_seen)
        self.recalls.clear()
        self.heard.clear()
        self._stir()

    # Moves.

    async def play(self, role: str, choice: object, text: object) -> None:
        """A person's move, with the number of the choice that it answers: a choice is answered once."""
        async with self.lock:
            place = self._place(role)
            chair = self.chairs[place]
            if self.game is None or not self.playing:
                raise Refused("no game is going on at this table")
            if not isinstance(text, str) or not isinstance(choice, int):
                raise Refused("a move has a text, and the number of the choice that it answers")
            if choice != chair.choice or isinstance(choice, bool):
                raise Stale("that is not what you are asked now; nothing was played")
            new = self.game.copy()
            try:
                steps = story.play_text(new, role, text)
            except IllegalMove as error:
                raise Refused(str(error)) from None
            self._take_back(chair)
            await self._commit(new, role, steps, "")
        self._stir()

    async def _play_bot(self, seat: int) -> None:
        """A bot's move, in its own seat or in a person's."""
        async with self.lock:
            name = self.arrangement.places[seat].bot or self.stand_in(seat)
            letter = SEATS[seat]
            if self.game is None or not self.playing or not name or not self.game.choices_of(seat):
                return
            new, steps = await self._bot_move(self.game, seat, name)
            await self._commit(new, letter, steps, name)
        self._stir()

    async def _bot_move(self, game: Game, seat: int, name: str) -> tuple[Game, list[Move]]:
        """What a bot does, which thinks in a thread; if it cannot, or takes too long, what the stand-in does."""
        chair = self.chairs[seat]
        for who in (name, STAND_IN):
            new = game.copy()
            try:
                if chair.bot is None or chair.bot.name != who:
                    chair.bot = bots.make(who)
                async with asyncio.timeout(self.pace.bot_budget):
                    return new, await asyncio.to_thread(story.play_bot, new, SEATS[seat], chair.bot)
            except Exception:
                logger.exception("the bot %s failed at table %s", who, self.name)
            finally:
                self._hush(chair)
        new = game.copy()
        return new, story.play_any(new, SEATS[seat])

    def _hush(self, chair: Chair) -> None:
        """A bot that nobody waits for any more need not think on."""
        try:
            if chair.bot is not None:
                chair.bot.close()
        except Exception:
            logger.exception("a bot could not be stopped at table %s", self.name)

    async def _commit(self, new: Game, letter: str, steps: list[Move], bot: str) -> None:
        """Write a move down; only then does the game go on."""
        assert self.game is not None
        await self._write("move", story.move_body(self.game, new, letter, steps, bot))
        self.game = new
        self.changed_at = monotonic()
        self._asked(letter)

    def _asked(self, mover: str | None) -> None:
        """Number what each seat is asked now, and set its clock. In the first look nobody waits for others (G4)."""
        assert self.game is not None
        for nth, chair in enumerate(self.chairs[: len(self.arrangement.places)]):
            legal = tuple(self.game.choices_of(nth))
            if legal != chair.legal or SEATS[nth] == mover:
                chair.legal, chair.choice = legal, self.seq
            looking = bool(self.game.table.looking)
            turn = (self.game.round, self.game.table.finished, looking)
            if legal and chair.turn != turn:
                least = self.pace.first_look if looking else 0.0
                chair.turn = turn
                chair.deadline = monotonic() + max(self.arrangement.seconds, least)

    # The table's own task: bots, clocks, leavers, and what fades from memory.

    async def _keep_going(self) -> None:
        while self.readers:
            self.stirred.clear()
            try:
                wait = await self._beat()
            except Stale:
                wait = 0.0
            except Exception:
                logger.exception("table %s stumbled", self.name)
                wait = 5.0
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):  # (wait_for, in Python 3.11, may swallow that the table is closed)
                    await self.stirred.wait()

    async def _beat(self) -> float | None:
        """Do what is due; how long until something else is (None: until something happens)."""
        if self.game is None or not self.playing:
            return None
        now = monotonic()
        waits: list[float] = []
        for nth, chair in enumerate(self.chairs[: len(self.arrangement.places)]):
            fades = self._fading(nth, now)
            waits += fades
            if not chair.legal:
                continue
            if self.arrangement.places[nth].bot or self.stand_in(nth):
                pause = 0.0 if self.game.table.looking else self.changed_at + self.pace.bot_pause - now
                if pause <= 0:
                    await self._play_bot(nth)
                    return 0.0
                waits.append(pause)
            else:
                waits += self._patience(chair, now)
        return min(waits, default=None)

    def _patience(self, chair: Chair, now: float) -> list[float]:
        """How long a person may still take; if the clock has run out, a bot sits in."""
        waits = []
        if self.arrangement.seconds:
            if now >= chair.deadline:
                chair.slow = True
                self._stir()
                return [0.0]
            waits.append(chair.deadline - now)
        if not chair.here:
            waits.append(max(0.0, chair.left + self.pace.grace - now))
        return waits

    def _fading(self, seat: int, now: float) -> list[float]:
        """When the next card that a seat looked at fades; those that have faded are shown no more."""
        if SEATS[seat] not in self.recalls or not self.arrangement.memory:
            return []
        faded, wait = self.recall(SEATS[seat]).fading(now, self.pace.fade)
        if faded:
            for reader in self.readers:
                if reader.role == SEATS[seat]:
                    reader.touch()
        return [wait] if wait is not None else []

    async def close(self) -> None:
        """Stop the table's own task."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    # From the log.

    @staticmethod
    def restored(name: str, entries: Iterable[Entry], log: Log, pace: Pace) -> "Room":
        """A table as the log has it."""
        rest = list(entries)
        room: Room | None = None
        for nth, entry in enumerate(rest):
            if entry.kind == "table":
                room = Room(
                    name, log, dict(entry.body["digests"]), Arrangement.of_json(entry.body["arrangement"]), pace
                )
            assert room is not None, f"the log of table {name} does not begin with it"
            room.seq = entry.seq + 1
            room._redo(entry, rest[nth:])
        assert room is not None
        now = monotonic()
        for chair in room.chairs:
            chair.left = now
            chair.turn = NO_TURN
            chair.rounds_seen = _rounds_seen(room.game, rest[-1])
        if room.playing:
            room._asked(None)
        return room

    def _redo(self, entry: Entry, rest: list[Entry]) -> None:
        """Do again what an entry says."""
        body = entry.body
        match entry.kind:
            case "arrange":
                self.digests.update(body["digests"])
                self._set(Arrangement.of_json(body["arrangement"]))
            case "start":
                self._begin(story.started(rest))
                self._asked(None)
            case "move":
                assert self.game is not None
                for step in body["steps"]:
                    self.game.play(Move.of(step), body["seat"])
                self._asked(body["seat"])


def _rounds_seen(game: Game | None, last: Entry) -> int:
    """Whose ends need not be shown again: if the last thing that happened was a round's end, it may not have been."""
    if game is None:
        return 0
    ended = last.kind == "move" and ("deal" in last.body or game.over)
    return len(game.finished) - ended
