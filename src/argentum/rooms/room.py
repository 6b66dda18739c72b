"""One table on the server: its arrangement, its doors, clock, play and pulse, and what people do there."""

import asyncio
import contextlib
import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from math import ceil, inf
from time import monotonic, time
from typing import Any

from argentum.display.errors import Refused, Stale
from argentum.display.scene import SeatInfo
from argentum.display.session import SPECTATOR, PlayedMove, GameSession
from argentum.display.updates import seats_json, table_fields_json
from argentum.records.fairness import VALUE_PATTERN, DealCommitment, make_commitment
from argentum.rooms import entries as entries_module
from argentum.rooms.access import KEY_BYTES, Doors, Reader, derived, digest
from argentum.rooms.arrangement import Arrangement, Rematch
from argentum.rooms.bot_players import STAND_IN, Mind
from argentum.rooms.chat import Talk
from argentum.rooms.clock import PACES, Clock, Pace, SwapTime
from argentum.rooms.commitments import commitment_of, secret_of
from argentum.rooms.limits import Gate
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Conflict, Damaged, Entry, Fenced, Journal
from argentum.rooms.ticker import Pulse
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.holders import UNKNOWN, Identity, SeatHolders
from argentum.words import errors as why


class Play:
    """What is played at a table, and its log."""

    def __init__(self, name: str, log: Journal, fade: float) -> None:
        self.name = name
        self.log = log
        self.fade = fade
        self.root = secrets.token_bytes(32)  # what the secret of each game follows from
        self.opening: DealCommitment | None = None  # what the deals of the last game follow from
        self.values: dict[str, str] = {}  # of the seats, for the next game
        self.people = ""  # the seats where people sat when the game began
        self.shut = False  # nothing may be written any more: another server may have the table
        self.seq = 0  # of the next entry of the log
        self.arranged: dict[str, str] | None = None  # digests in the last entry, if that is an arrangement
        self.written = time()  # when the last one was written
        self.set_at = self.written  # and the first
        self.kept = False  # for good, as somebody at the table wants it
        self.games = 0  # that were begun
        self.sitting: GameSession | None = None
        self.minds = [Mind() for _ in SEAT_LETTERS]
        self.by_bot = [0 for _ in SEAT_LETTERS]  # moves of each seat that a bot has made
        self.rounds_seen = [0 for _ in SEAT_LETTERS]  # of whose ends each seat has left the reveal

    @property
    def game(self) -> Game | None:
        """The game that is played, or was played last."""
        return self.sitting.game if self.sitting is not None else None

    async def write(self, kind: str, body: dict[str, Any]) -> None:
        """Write an entry; `Conflict`, if the log has another of that number. An arrangement replaces one before it."""
        if self.shut:
            raise LogError("another server has this table now")
        if kind == "arrange" and self.arranged is not None:
            body = {**body, "digests": {**self.arranged, **body["digests"]}}
            await self.log.replace(self.name, self.seq, kind, body)
        else:
            await self.log.append(self.name, self.seq, kind, body)
        self.seq += 1
        self.arranged = body["digests"] if kind == "arrange" else None
        self.written = time()

    async def start(self, one: Arrangement) -> None:
        """Begin a game."""
        names = [place.name for place in one.places]
        opened = make_commitment(secret_of(self.root, self.games), self.values)
        game = Game.new(one.code, len(names), opened.seed, one.chosen_token, names, opened.deals(len(names)))
        await self.write("start", entries_module.start_body(game, opened.seed, opened))
        self.opening = opened
        self.begin(game, one.memory)

    async def play_on(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]], memory: bool) -> None:
        """Begin in the middle of a game; the entries of what happened in it are written as if that had been here."""
        for kind, body in entries:
            await self.write(kind, body)
        self.opening = None
        self.begin(game, memory)
        self.rounds_seen = [game.rounds_finished for _ in SEAT_LETTERS]

    async def keep(self) -> None:
        """Keep the table's games for good, however long the server keeps others."""
        if not self.kept:
            await self.write("keep", {})
            self.kept = True

    def share_key(self, game: int) -> str:
        """The key of a link to one of the table's games, for when it is over."""
        code = hmac.digest(self.root, f"replay {game}".encode(), "sha256")
        return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")

    def commitment(self, gathering: bool) -> str:
        """What was promised for the game on the table, or is promised for the next."""
        if gathering:
            return commitment_of(self.root, self.games)
        return self.opening.commitment if self.opening is not None else ""

    def opened(self) -> str:
        """What a page needs to check the round that was over last, as JSON; empty if nothing was promised."""
        if self.opening is None or self.game is None or not self.game.rounds_finished:
            return ""
        nth = self.game.rounds_finished
        return json.dumps(self.opening.verification_data(nth, self.game.deals[nth - 1]))

    def begin(self, game: Game, memory: bool) -> None:
        """A game is on the table."""
        self.sitting = GameSession(game, self.seq, memory, self.fade)
        self.games += 1
        self.values = {}
        self.minds = [Mind() for _ in SEAT_LETTERS]
        self.by_bot = [0 for _ in SEAT_LETTERS]
        self.rounds_seen = [0 for _ in SEAT_LETTERS]

    async def commit(self, made: PlayedMove) -> None:
        """Write a move down; only then does the game go on."""
        assert self.sitting is not None
        await self.write("move", entries_module.move_body(self.sitting.game, made))
        self._went_on(made)

    def _went_on(self, made: PlayedMove) -> None:
        assert self.sitting is not None
        self.sitting.commit(made, self.seq)
        self.by_bot[SEAT_LETTERS.index(made.seat)] += bool(made.bot)

    def redo(self, entries: list[Entry], nth: int, memory: bool) -> None:
        """Take the step again that an entry tells of; those after it say how its game was dealt later on."""
        entry = entries[nth]
        self.seq, self.written = entry.seq + 1, entry.at
        self.arranged = entry.body["digests"] if entry.kind == "arrange" else None
        self.set_at = min(self.set_at, entry.at)
        self.kept = self.kept or entry.kind == "keep"
        if entry.kind == "table" and "secret" in entry.body:
            self.root = bytes.fromhex(entry.body["secret"])
        if entry.kind == "start":
            self.opening = entries_module.opening_of(entry.body)
            self.begin(entries_module.started(entries[nth:]), memory)
        elif entry.kind == "move":
            assert self.sitting is not None
            self._went_on(entries_module.redone(self.sitting.game, entry.body))

    def wake(self, last: Entry) -> None:
        """Go on after a restart: if the last thing that happened was a round's end, some may not have seen it yet."""
        if self.game is not None:
            ended = last.kind == "move" and ("deal" in last.body or self.game.over)
            self.rounds_seen = [self.game.rounds_finished - ended for _ in SEAT_LETTERS]

    def take_on(self, other: "Play") -> None:
        """Be as another is, who has read the log; what seats saw a moment ago is forgotten."""
        self.seq, self.games, self.sitting = other.seq, other.games, other.sitting
        self.arranged = other.arranged
        self.written, self.set_at, self.kept = other.written, other.set_at, other.kept
        self.root, self.opening, self.people = other.root, other.opening, other.people
        self.minds, self.by_bot = other.minds, other.by_bot
        self.rounds_seen = [min(pair) for pair in zip(self.rounds_seen, other.rounds_seen, strict=True)]


GATHERING, PLAYING, OVER = "gathering", "playing", "over"  # what a table is at
A_DAY = 86400.0  # seconds
MOST_ENTRIES = 20_000  # of a table in the log, before which it begins no other game: that is some fifty games
CHANGES, CHANGE_RATE = 60, 1.0  # of the arrangement by one seat: at once, and a second in the long run
SLICE = 100  # entries that are played again before others are served


class Room:
    """A table on the server."""

    def __init__(self, name: str, log: Journal, digests: dict[str, str], arrangement: Arrangement, pace: Pace) -> None:
        self.name = name
        self.arrangement = arrangement
        self.host_address = ""  # from which the host was here last; only in memory
        self.doors = Doors(digests)
        self.clock = Clock(pace)
        self.holders = SeatHolders()
        self.changes = {seat: Gate(CHANGES, CHANGE_RATE) for seat in SEAT_LETTERS}
        self.swap_time = SwapTime()
        self.play = Play(name, log, pace.fade)
        self.talk = Talk()
        self.touched = monotonic()  # when anything last happened
        self.lock = asyncio.Lock()
        self.unsaved = 0  # how many times something could not be saved
        self.pulse = Pulse(name, self.beat, lambda: bool(self.doors.readers) and not self.play.shut)
        self.played_by: dict[str, str] = {}  # digests of keys by seat, of those who played the last game
        self._absent = ""
        self._told: tuple[tuple[object, ...], str] = ((), "")
        self._party: tuple[tuple[object, ...], str] = ((), "")
        self._seats: tuple[tuple[object, ...], tuple[SeatInfo, ...]] = ((), ())

    # What anybody may ask.

    @property
    def game(self) -> Game | None:
        """The game that is played, or was played last."""
        return self.play.game

    @property
    def stage(self) -> str:
        """What the table is at: gathering, playing, over."""
        sitting = self.sitting
        if sitting is None:
            return GATHERING
        return OVER if sitting.game.over else PLAYING

    @property
    def playing(self) -> bool:
        """Whether a game goes on."""
        sitting = self.sitting
        return sitting is not None and not sitting.game.over

    @property
    def sitting(self) -> GameSession | None:
        """The game that is on the table: it goes on, or nobody has gathered for another yet."""
        return self.play.sitting if self.arrangement.rematch is None else None

    def seats(self) -> tuple[SeatInfo, ...]:
        """Who sits where, for everybody to see; the same object as long as nothing of it changes."""
        here = [there.here > 0 for there in self.doors.seats]
        moment = (self.arrangement, self.playing, here, self._away())
        if self._seats[0] != moment:
            seats = [
                SeatInfo(
                    SEAT_LETTERS[nth],
                    place.name,
                    place.bot,
                    here[nth],
                    "" if place.bot else self.stand_in(nth),
                    not place.bot and not place.claimed,
                )
                for nth, place in enumerate(self.arrangement.places)
            ]
            self._seats = (moment, tuple(seats))
        return self._seats[1]

    def _away(self) -> list[bool]:
        """Whether the person of each seat is late, or gone for too long."""
        now, seats = monotonic(), zip(self.clock.seats, self.doors.seats, strict=True)
        return [hand.slow or (not there.here and self.clock.gone(there.left, now)) for hand, there in seats]

    @property
    def absent(self) -> str:
        """The seats of people who have been away, or late, for so long that we need not wait for them."""
        now = monotonic()
        gone = [
            letter for letter in self._claimed() if self.clock.gone(self._gone_since(SEAT_LETTERS.index(letter)), now)
        ]
        return "".join(sorted(gone))

    def _gone_since(self, seat: int) -> float:
        """When the person of a seat left, or ran out of time; infinite for who is there."""
        hand, there = self.clock.seats[seat], self.doors.seats[seat]
        return min(hand.slow_since if hand.slow else inf, inf if there.here else there.left)

    def may_free(self, letter: str) -> bool:
        """Whether the host may free a seat after the game has begun."""
        return letter in self.absent and not (self.playing and letter in self.arrangement.deposed)

    def _check_absent(self, seat: int) -> None:
        """Refuse what may only be done when somebody has been away for long enough."""
        if SEAT_LETTERS[seat] not in self.absent:
            left = ceil(self._gone_since(seat) + self.clock.pace.grace - monotonic())
            raise Refused(why.MAY_RETURN.format(name=self.arrangement.places[seat].name, left=left))

    def starters(self) -> set[str]:
        """Who starts the next game: the host, and those on the same device."""
        host = self.arrangement.host
        devices = [getattr(reader, "roles", ()) for reader in self.doors.readers]
        return {host, *[role for roles in devices if host in roles for role in roles]}

    def undecided(self) -> list[SeatInfo]:
        """Whom a rematch still waits for."""
        return self.swap_time.undecided(self.seats(), self.arrangement.rematch, self.starters())

    def players(self) -> tuple[SeatInfo, ...]:
        """Who plays, or played, the game: before a rematch seats may have come, or gone, since."""
        assert self.game is not None
        seats = {seat.letter: seat for seat in self.seats()}
        names = zip(self.game.seats, self.game.names, strict=False)
        return tuple([seats.get(letter) or SeatInfo(letter, name, "", False, "") for letter, name in names])

    def played(self, role: str) -> bool:
        """Whether the person in a seat has played the last game there; before a rematch, others may sit down."""
        return role in self.played_by and self.doors.digests.get(role, "") == self.played_by[role]

    def stand_in(self, seat: int) -> str:
        """Which bot fills in for a person now, if any: the seat is still open, or they are late or gone."""
        nobody = self._away()[seat] or not self.arrangement.places[seat].claimed
        return STAND_IN if nobody and self.playing else ""

    def choice(self, role: str) -> int | None:
        """The number of what a role is asked now; None for nothing."""
        sitting = self.sitting
        return sitting.choice_number(role) if sitting is not None else None

    def time_left(self) -> float | None:
        """The seconds that are left to whoever is asked; None without a clock."""
        if self.sitting is None:
            return round(self.swap_time.left(), 1) if self.undecided() else None
        return self.clock.left(self.sitting.pending.values(), self.arrangement.seconds)

    def told(self) -> str:
        """What an update tells every reader alike, put into words once."""
        seats = self.seats()
        moment = (self.play.seq, seats)
        if self._told[0] != moment:
            game = self.sitting.game if self.sitting is not None else None
            self._told = (
                moment,
                table_fields_json(self.name, self.play.seq, self.stage, self._party_told(seats), game),
            )
        return self._told[1]

    def _party_told(self, seats: tuple[SeatInfo, ...]) -> str:
        """Who sits here, and the settings."""
        commitment = self.play.commitment(self.stage == GATHERING)
        moment = (seats, self.arrangement, commitment)
        if self._party[0] != moment:
            self._party = (moment, seats_json(seats, {**self.arrangement.as_told(), "commitment": commitment}))
        return self._party[1]

    @property
    def free_seats(self) -> list[str]:
        """The seats of people where nobody sits."""
        places = zip(SEAT_LETTERS, self.arrangement.places, strict=False)
        return [letter for letter, place in places if not place.bot and not place.claimed]

    @property
    def free_seat(self) -> str:
        """The first of them, or an empty string."""
        return next(iter(self.free_seats), "")

    # Coming and going.

    async def enter(self, reader: Reader, name: object = None, person: Identity = UNKNOWN) -> None:
        """Somebody connects, and gets the seat back from a bot that filled in. Who comes first may say their name."""
        self.doors.enter(reader)
        if reader.role == SPECTATOR:
            self.stir()
            return
        seat = SEAT_LETTERS.index(reader.role)
        self.clock.take_back(seat, self.arrangement.seconds)
        async with self._alone():
            key = getattr(reader, "key", "")
            if key and self.doors.role_of(key) != reader.role:  # somebody else has sat down meanwhile
                return
            if reader.role in self.free_seats:
                await self._sit_down(reader.role, key, name, person)
            else:
                self.holders.note(reader.role, person)

    async def _sit_down(self, letter: str, key: str, name: object, person: Identity) -> None:
        """Somebody takes a free seat, or returns to their own that was freed, under their name if that can be used."""
        seat, new = SEAT_LETTERS.index(letter), self.arrangement
        returns = self.doors.returns(letter, key)
        if not returns:
            if self.playing:
                self.holders.check(letter, person)
            new = replace(new, deposed=new.deposed.replace(letter, ""))
            self.holders.replace(letter)
        new = new.claimed(seat)
        with contextlib.suppress(Refused):
            new = new.named(seat, name)
        await self._arrange(new, self.doors.sit_down(letter, key) if key else {})
        self.holders.note(letter, person)
        self.doors.seats[seat].left = monotonic()

    def leave(self, reader: Reader) -> None:
        """A connection is gone."""
        self.doors.leave(reader)
        self.stir()

    async def take_seat(self, key: str, name: object, wanted: object = None, person: Identity = UNKNOWN) -> None:
        """Somebody takes a free seat: from now on this key stands for it, and the host's link for it is void."""
        async with self._alone():
            free = self.free_seats
            if not free:
                raise Refused(why.ALL_TAKEN)
            if wanted is not None:
                self.arrangement.place_number(wanted)
                if wanted not in free:
                    raise Refused(why.JUST_TAKEN)
                free = [str(wanted)]
            for letter in free:
                try:
                    await self._sit_down(letter, key, name, person)
                    break
                except Refused:
                    if letter == free[-1]:
                        raise

    async def visit(self) -> None:
        """Write down that somebody came back to a finished game: it is then kept as if it had ended today."""
        if self.stage != OVER or time() - self.play.written <= A_DAY:  # nobody waits for a bot that is thinking
            return
        async with self._alone():
            if self.stage == OVER and time() - self.play.written > A_DAY:
                await self.play.write("visit", {})

    def return_to(self, role: str) -> None:
        """Somebody who was late is back."""
        self.clock.take_back(SEAT_LETTERS.index(role), self.arrangement.seconds)
        self.stir()

    def set_pace(self, role: str, pace: object) -> None:
        """Somebody wants the bots slower or faster."""
        if not isinstance(pace, str) or pace not in PACES:
            raise Refused(why.INVALID_PACE.format(paces=", ".join(PACES)))
        self.clock.seats[SEAT_LETTERS.index(role)].wish = pace
        self.stir()

    def go_ahead(self, role: str) -> None:
        """Somebody wants no pauses until they are asked something."""
        self.clock.seats[SEAT_LETTERS.index(role)].ahead = self.choice(role) is None
        self.stir()

    def turn_back(self, role: str) -> None:
        """Somebody has looked long enough: with memory, what they saw is shown no more."""
        if self.sitting is not None and self.sitting.memory_mode:
            self.sitting.memory_of(role).seen_at.clear()
            self.doors.call(role)

    def _people(self) -> list[int]:
        """The seats of people who are here and play themselves."""
        places = enumerate(self.arrangement.places)
        return [
            nth for nth, one in places if not one.bot and self.doors.seats[nth].here and not self.clock.seats[nth].slow
        ]

    def saw(self, role: str, rounds: int) -> None:
        """Somebody has seen enough of a round's end."""
        seat = SEAT_LETTERS.index(role)
        self.play.rounds_seen[seat] = max(self.play.rounds_seen[seat], rounds)
        self.return_to(role)

    # What is done before and after a game.

    async def arrange(self, role: str, change: dict[str, Any], key: str = "") -> None:
        """The host, by the host's key, changes the arrangement; anybody seated may change their own name.

        A seat that is given away gets another link, and whoever sat there by the old one has no seat any more.
        """
        self._check_changes(role)
        async with self._alone():
            new = self.arrangement
            if not change:
                raise Refused(why.WHAT_TO_CHANGE)
            if "name" in change:
                new = new.named(self._place(role), change["name"])
            rest = {field: value for field, value in change.items() if field != "name"}
            if rest:
                self._host_only(role, why.HOST_CHANGES)
                if self.stage != GATHERING:
                    self._check_idle(rest)
                new = new.changed(rest)
            await self._arrange(new, self.doors.new_locks(key, self.arrangement, new))

    def _check_changes(self, role: str) -> None:
        """Refuse too many changes to the table; onlookers change nothing."""
        if role in self.changes and not self.changes[role].admits():
            raise Refused(why.CHANGES_FAST)
        self._check_room()

    def _check_room(self) -> None:
        if self.play.seq >= MOST_ENTRIES:
            raise Refused(why.TABLE_FULL)

    def _check_idle(self, change: dict[str, Any]) -> None:
        """In a game the host can only free a seat whose player is away or late: a bot keeps it until somebody comes."""
        if change.keys() != {"seat", "bot"} or change["bot"] != "":
            raise Refused(why.GAME_STARTED)
        seat = self.arrangement.persons_number(change["seat"])
        place = self.arrangement.places[seat]
        if self.doors.here(seat) and not self.clock.seats[seat].slow:
            raise Refused(why.IS_HERE.format(name=place.name))
        if self.playing and change["seat"] in self.arrangement.deposed:
            raise Refused(why.WAS_HOST.format(name=place.name))
        if place.claimed:
            self._check_absent(seat)

    async def hand_over(self, role: str, to: str, key: str) -> None:
        """Make somebody else the host, whose key this is; from a host who stays away, anybody seated may take over.

        Invitations that were sent before still open the table.
        """
        self._check_changes(role)
        async with self._alone():
            host, place = self.arrangement.host, self.arrangement.places[self.arrangement.persons_number(to)]
            if role != host and (role != to or self.doors.here(SEAT_LETTERS.index(host))):
                raise Refused(why.HOST_HANDS_OVER)
            if role != host:
                self._check_absent(SEAT_LETTERS.index(host))
            if to == host or not place.claimed or self.doors.digests[to] != digest(key):
                raise Refused(why.HAND_OVER_TO)
            invites = {f"{SPECTATOR} {to}": digest(derived(key, SPECTATOR))}
            await self._arrange(self.arrangement.hosted(to, takes_over=role != host), invites)

    async def swap(self, role: str, number: object, box: object = None) -> None:
        """A loser replaces a number before a rematch; without a number, takes that back or keeps the deck."""
        self._check_changes(role)
        async with self._alone():
            self._place(role)
            new = self.arrangement.swapped(role, number, box)
            again = self.arrangement.rematch
            await self._arrange(new)
            self.swap_time.chosen(role, number is None and again is not None and role not in again.swaps)

    async def rematch(self, role: str) -> None:
        """After a game: gather for another with the same people."""
        async with self._alone():
            self._place(role)
            if self.stage != OVER or self.game is None:
                raise Refused(why.NO_REMATCH_YET)
            self._check_room()
            again = Rematch(self.arrangement.code, self.game.winner)
            await self._arrange(replace(self.arrangement, rematch=again, guide=False))
            self.swap_time.begin()

    def add_value(self, role: str, value: object) -> None:
        """A seat's share in the next game's shuffles; the last one counts."""
        self._place(role)
        if self.stage != GATHERING:
            raise Refused(why.ALREADY_DEALT)
        if not isinstance(value, str) or not VALUE_PATTERN.fullmatch(value):
            raise Refused(why.INVALID_VALUE)
        self.play.values[role] = value

    async def start(self, role: str) -> None:
        """The host starts the game."""
        async with self._alone():
            self._host_only(role, why.HOST_STARTS)
            if self.stage != GATHERING:
                raise Refused(why.GAME_ALREADY_STARTED)
            self._check_room()
            self.swap_time.check(self.seats(), self.arrangement.rematch, self.starters())
            await self.play.start(self.arrangement)
            self._begun()

    async def keep(self, role: str) -> None:
        """Somebody who played wants a finished game kept for good."""
        async with self._alone():
            self._place(role)
            if self.game is None or not self.game.over:
                raise Refused(why.KEEP_LATER)
            await self.play.keep()

    async def play_on(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Begin in the middle of a game that was played elsewhere; these are its entries so far."""
        async with self._alone():
            await self.play.play_on(game, entries, self.arrangement.memory)
            self._begun()

    def _begun(self) -> None:
        self.play.people = "".join(sorted(self._claimed()))
        self.arrangement = replace(self.arrangement, rematch=None)
        self.holders.begin(self._claimed())
        self._note_players()
        self.clock.begin()
        self._wind()

    def _place(self, role: str) -> int:
        if role == SPECTATOR:
            raise Refused(why.ONLY_WATCH)
        return self.arrangement.persons_number(role)

    def _host_only(self, role: str, words: str) -> None:
        if role != self.arrangement.host:
            raise Refused(words)

    async def _arrange(self, new: Arrangement, digests: dict[str, str] | None = None) -> None:
        """Take on an arrangement, with other keys for some seats."""
        if new == self.arrangement and not digests:
            return
        await self.play.write("arrange", {"arrangement": new.as_json(), "digests": digests or {}})
        self._set(new, digests or {})

    def _set(self, new: Arrangement, digests: dict[str, str]) -> None:
        """Take on an arrangement; in a game, the names at the table are these."""
        self.arrangement = new
        taken = self._claimed()
        self.play.values = {seat: value for seat, value in self.play.values.items() if seat in taken}
        self.doors.digests = {**self.doors.digests, **digests}
        if self.playing and self.sitting is not None:
            self.holders.held |= self._claimed()
            self._note_players()
            self.sitting.rename([place.name for place in new.places], self.play.seq)

    def _note_players(self) -> None:
        self.played_by = {letter: self.doors.digests.get(letter, "") for letter in self._claimed()}

    def _claimed(self) -> set[str]:
        """The seats in which people have sat down."""
        places = zip(SEAT_LETTERS, self.arrangement.places, strict=False)
        return {letter for letter, place in places if place.claimed and not place.bot}

    # Moves.

    async def move(self, role: str, choice: object, text: object, hold: bool = False) -> None:
        """A person's move, with the number of the choice that it answers: a choice is answered once.

        With `hold`, one that shows nobody anything is kept back until the next, and can be taken back till then.
        """
        async with self._alone():
            seat = self._place(role)
            if self.sitting is None or not self.playing:
                raise Refused(why.NO_GAME)
            made = self.sitting.try_move(role, choice, text)
            self.clock.take_back(seat, self.arrangement.seconds)
            if hold and self.sitting.hold_move(made):
                return
            await self.play.commit(made)
            self._went_on()

    async def take_back(self, role: str) -> None:
        """Somebody thinks better of a choice that nobody was told yet."""
        async with self._alone():
            self._place(role)
            if self.sitting is None or not self.playing:
                raise Refused(why.NO_GAME)
            self.sitting.take_back(role)

    async def _let_bot_move(self, seat: int) -> None:
        """A bot's move, in its own seat or in a person's."""
        async with self._alone():
            name = self.arrangement.places[seat].bot or self.stand_in(seat)
            if self.game is None or not self.playing or not name or not self.game.legal_moves_of(seat):
                return
            made = await self.play.minds[seat].move(self.game, SEAT_LETTERS[seat], name, self.clock.pace.bot_budget)
            await self.play.commit(made._replace(bot=name))
            self._went_on()

    def _went_on(self) -> None:
        self.clock.moved = monotonic()
        self._wind()

    def _wind(self) -> None:
        """Set the clocks of those who are asked."""
        if self.sitting is not None:
            self.clock.ask(self.sitting.game, self.sitting.pending.values(), self.arrangement.seconds)

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Do something at the table, one at a time, and let everybody know.

        If the log has gone on without us, what was to be done is not, and the table goes on from what the log has.
        """
        async with self.lock:
            try:
                yield
            except Conflict:
                await self._reload()
                raise Stale(why.CHANGED_MEANWHILE) from None
            except LogError as error:
                if not self.play.shut and not isinstance(error, Fenced):
                    self.unsaved += 1
                    self.doors.call()
                raise
        self.stir()

    async def _reload(self) -> None:
        """Be as the log has it: another server wrote there, or somebody left before the log had answered."""
        entries = await asyncio.to_thread(self.play.log.entries, self.name)
        new = await Room.load(self.name, entries, self.play.log, self.clock.pace)
        self.arrangement, self.doors.digests = new.arrangement, new.doors.digests
        self.holders.held, self.played_by = new.holders.held, new.played_by
        self.play.take_on(new.play)
        self.clock.restart()
        self._wind()
        self.stir()

    # The table's own task: bots, clocks, leavers, and what fades from memory.

    def stir(self) -> None:
        """Let the table's own task, and everybody's page, have a look."""
        self.touched = monotonic()
        self.pulse.stir()
        self.doors.call()

    async def beat(self) -> float | None:
        """Do what is due; how long until something else is (None: until something happens)."""
        now = monotonic()
        waits = self._absences(now)
        if self.sitting is None or not self.playing:
            waits += self._waiting_for_swaps()
            return min(waits, default=None)
        for seat, question in enumerate(self.sitting.pending.values()):
            waits += self._fading(self.sitting, seat, now)
            if not question.legal:
                continue
            if self.arrangement.places[seat].bot or self.stand_in(seat):
                pause = self.clock.pause(self.sitting.game, now, self._people())
                if pause <= 0:
                    await self._let_bot_move(seat)
                    return 0.0
                waits.append(pause)
            else:
                waits += self._patience(seat, now)
        return min(waits, default=None)

    def _absences(self, now: float) -> list[float]:
        """How long each person who left, or is late, may still come back; when the time is up, every page says so."""
        if self._absent != self.absent:
            self._absent = self.absent
            self.doors.call()
        until = [self._gone_since(SEAT_LETTERS.index(letter)) + self.clock.pace.grace for letter in self._claimed()]
        return [end - now for end in until if now < end < inf]

    def _waiting_for_swaps(self) -> list[float]:
        """How long a rematch still waits; when the time is up, every page says so."""
        if self.arrangement.rematch is None or not self.swap_time.until:
            return []
        left = self.swap_time.left()
        if not left:
            self.swap_time.until = 0.0
            self.doors.call()
        return [left] if left else []

    def _patience(self, seat: int, now: float) -> list[float]:
        """How long a person may still take; if the clock has run out, a bot fills in."""
        if self.clock.late(seat, self.arrangement.seconds, now):
            self.stir()
            return [0.0]
        return [self.clock.seats[seat].deadline - now] if self.arrangement.seconds else []

    def _fading(self, sitting: GameSession, seat: int, now: float) -> list[float]:
        """When the next card that a seat looked at fades; those that have faded are shown no more."""
        role = SEAT_LETTERS[seat]
        if role not in sitting.memories or not sitting.memory_mode:
            return []
        faded, wait = sitting.memory_of(role).expire_looks(now, sitting.look_seconds)
        if faded:
            self.doors.call(role)
        return [wait] if wait is not None else []

    async def close(self) -> None:
        """Stop the table's own task."""
        await self.pulse.close()

    async def shut(self) -> None:
        """Stop for good, as another server may have the table: whoever is here is to come again."""
        self.play.shut = True
        self.doors.call()
        await self.close()

    # From the log.

    @staticmethod
    def restored(name: str, entries: Iterable[Entry], log: Journal, pace: Pace) -> "Room":
        """A table as the log has it."""
        *_, room = Room._replayed(name, entries, log, pace)
        return room

    @staticmethod
    async def load(name: str, entries: Iterable[Entry], log: Journal, pace: Pace) -> "Room":
        """A table as the log has it; others are served in between."""
        for room in Room._replayed(name, entries, log, pace):  # noqa: B007
            await asyncio.sleep(0)
        return room

    @staticmethod
    def _replayed(name: str, entries: Iterable[Entry], log: Journal, pace: Pace) -> Iterator["Room"]:
        """The table after each slice of its log; the last one is whole."""
        rest = list(entries)
        if not rest or rest[0].kind != "table":  # (an assertion may be switched off)
            raise Damaged(f"the log of table {name} does not begin with it")
        first = rest[0].body
        room = Room(name, log, dict(first["digests"]), Arrangement.of_json(first["arrangement"]), pace)
        for nth, entry in enumerate(rest):
            room.play.redo(rest, nth, room.arrangement.memory)
            if entry.kind == "arrange":
                locks = room.arrangement.locks
                room._set(Arrangement.of_json(entry.body["arrangement"], locks), entry.body["digests"])
            elif entry.kind == "start":
                room._begun()
            if nth % SLICE == SLICE - 1:
                yield room
        room.play.wake(rest[-1])
        room._wind()
        yield room


def may_take_over(room: Room, role: str) -> bool:
    """Whether somebody may make themselves the host: when the host has been away for long enough."""
    host = room.arrangement.host
    return role not in (SPECTATOR, host) and host in room.absent and not room.doors.here(SEAT_LETTERS.index(host))
