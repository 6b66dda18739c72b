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
from argentum.display.session import SPECTATOR, GameSession, PlayedMove
from argentum.display.updates import seats_json, table_fields_json
from argentum.records.fairness import VALUE_PATTERN, DealCommitment, make_commitment
from argentum.rooms import entries as entries_module
from argentum.rooms.access import KEY_BYTES, RoomConnection, SeatAccess, derive_key, key_digest
from argentum.rooms.arrangement import Arrangement, Rematch
from argentum.rooms.bot_players import STAND_IN, BotRunner
from argentum.rooms.chat import Chat
from argentum.rooms.clock import PACES, RematchTimer, RoomClock, Timing
from argentum.rooms.commitments import game_commitment, game_secret
from argentum.rooms.holders import UNKNOWN, Identity, SeatHolders
from argentum.rooms.limits import TokenBucket
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import CorruptEntry, Entry, EntryConflict, Journal, WriterFenced
from argentum.rooms.ticker import Ticker
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors as why


class Play:
    """What is played at a table, and its log."""

    def __init__(self, name: str, log: Journal, fade: float) -> None:
        self.name = name
        self.log = log
        self.fade = fade
        self.secret_root = secrets.token_bytes(32)  # what the secret of each game follows from
        self.opening: DealCommitment | None = None  # what the deals of the last game follow from
        self.shuffle_values: dict[str, str] = {}  # of the seats, for the next game
        self.people = ""  # the seats where people sat when the game began
        self.released = False  # nothing may be written any more: another server may have the table
        self.seq = 0  # of the next entry of the log
        self.arranged: dict[str, str] | None = None  # digests in the last entry, if that is an arrangement
        self.last_entry_at = time()  # when the last one was written
        self.created_at = self.last_entry_at  # and the first
        self.kept = False  # for good, as somebody at the table wants it
        self.game_count = 0  # that were begun
        self.sitting: GameSession | None = None
        self.bot_players = [BotRunner() for _ in SEAT_LETTERS]
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]  # moves of each seat that a bot has made
        self.rounds_seen = [0 for _ in SEAT_LETTERS]  # of whose ends each seat has left the reveal

    @property
    def game(self) -> Game | None:
        """The game that is played, or was played last."""
        return self.sitting.game if self.sitting is not None else None

    async def _append(self, kind: str, body: dict[str, Any]) -> None:
        """Write an entry; `Conflict`, if the log has another of that number. An arrangement replaces one before it."""
        if self.released:
            raise LogError("another server has this table now")
        if kind == "arrange" and self.arranged is not None:
            body = {**body, "digests": {**self.arranged, **body["digests"]}}
            await self.log.replace(self.name, self.seq, kind, body)
        else:
            await self.log.append(self.name, self.seq, kind, body)
        self.seq += 1
        self.arranged = body["digests"] if kind == "arrange" else None
        self.last_entry_at = time()

    async def start(self, one: Arrangement) -> None:
        """Begin a game."""
        names = [place.name for place in one.seats]
        opened = make_commitment(game_secret(self.secret_root, self.game_count), self.shuffle_values)
        game = Game.new(one.deck_code, len(names), opened.seed, one.token_in_play, names, opened.deals(len(names)))
        await self._append("start", entries_module.start_body(game, opened.seed, opened))
        self.opening = opened
        self._begin_game(game, one.memory)

    async def start_branch(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]], memory: bool) -> None:
        """Begin in the middle of a game; the entries of what happened in it are written as if that had been here."""
        for kind, body in entries:
            await self._append(kind, body)
        self.opening = None
        self._begin_game(game, memory)
        self.rounds_seen = [game.rounds_finished for _ in SEAT_LETTERS]

    async def keep(self) -> None:
        """Keep the table's games for good, however long the server keeps others."""
        if not self.kept:
            await self._append("keep", {})
            self.kept = True

    def share_key(self, game: int) -> str:
        """The key of a link to one of the table's games, for when it is over."""
        code = hmac.digest(self.secret_root, f"replay {game}".encode(), "sha256")
        return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")

    def commitment(self, gathering: bool) -> str:
        """What was promised for the game on the table, or is promised for the next."""
        if gathering:
            return game_commitment(self.secret_root, self.game_count)
        return self.opening.commitment if self.opening is not None else ""

    def opening_json(self) -> str:
        """What a page needs to check the round that was over last, as JSON; empty if nothing was promised."""
        if self.opening is None or self.game is None or not self.game.rounds_finished:
            return ""
        nth = self.game.rounds_finished
        return json.dumps(self.opening.verification_data(nth, self.game.deals[nth - 1]))

    def _begin_game(self, game: Game, memory: bool) -> None:
        """A game is on the table."""
        self.sitting = GameSession(game, self.seq, memory, self.fade)
        self.game_count += 1
        self.shuffle_values = {}
        self.bot_players = [BotRunner() for _ in SEAT_LETTERS]
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]
        self.rounds_seen = [0 for _ in SEAT_LETTERS]

    async def _commit_move(self, made: PlayedMove) -> None:
        """Write a move down; only then does the game go on."""
        assert self.sitting is not None
        await self._append("move", entries_module.body(self.sitting.game, made))
        self._went_on(made)

    def _went_on(self, made: PlayedMove) -> None:
        assert self.sitting is not None
        self.sitting.commit(made, self.seq)
        self.bot_move_counts[SEAT_LETTERS.index(made.seat)] += bool(made.bot)

    def replay_entry(self, entries: list[Entry], nth: int, memory: bool) -> None:
        """Take the step again that an entry tells of; those after it say how its game was dealt later on."""
        entry = entries[nth]
        self.seq, self.last_entry_at = entry.seq + 1, entry.at
        self.arranged = entry.body["digests"] if entry.kind == "arrange" else None
        self.created_at = min(self.created_at, entry.at)
        self.kept = self.kept or entry.kind == "keep"
        if entry.kind == "table" and "secret" in entry.body:
            self.secret_root = bytes.fromhex(entry.body["secret"])
        if entry.kind == "start":
            self.opening = entries_module.opening(entry.body)
            self._begin_game(entries_module.restore_game(entries[nth:]), memory)
        elif entry.kind == "move":
            assert self.sitting is not None
            self._went_on(entries_module.apply(self.sitting.game, entry.body))

    def _after_restore(self, last: Entry) -> None:
        """Go on after a restart: if the last thing that happened was a round's end, some may not have seen it yet."""
        if self.game is not None:
            ended = last.kind == "move" and ("deal" in last.body or self.game.over)
            self.rounds_seen = [self.game.rounds_finished - ended for _ in SEAT_LETTERS]

    def _adopt(self, other: "Play") -> None:
        """Be as another is, who has read the log; what seats saw a moment ago is forgotten."""
        self.seq, self.game_count, self.sitting = other.seq, other.game_count, other.sitting
        self.arranged = other.arranged
        self.last_entry_at, self.created_at, self.kept = other.last_entry_at, other.created_at, other.kept
        self.secret_root, self.opening, self.people = other.secret_root, other.opening, other.people
        self.bot_players, self.bot_move_counts = other.bot_players, other.bot_move_counts
        self.rounds_seen = [min(pair) for pair in zip(self.rounds_seen, other.rounds_seen, strict=True)]


LOBBY, PLAYING, OVER = "gathering", "playing", "over"  # what a table is at
SECONDS_PER_DAY = 86400.0  # seconds
MOST_ENTRIES = 20_000  # of a table in the log, before which it begins no other game: that is some fifty games
CHANGES, CHANGE_RATE = 60, 1.0  # of the arrangement by one seat: at once, and a second in the long run
SLICE = 100  # entries that are played again before others are served


class Room:
    """A table on the server."""

    def __init__(
        self, name: str, log: Journal, digests: dict[str, str], arrangement: Arrangement, pace: Timing
    ) -> None:
        self.name = name
        self.arrangement = arrangement
        self.host_address = ""  # from which the host was here last; only in memory
        self.access = SeatAccess(digests)
        self.clock = RoomClock(pace)
        self.holders = SeatHolders()
        self.changes = {seat: TokenBucket(CHANGES, CHANGE_RATE) for seat in SEAT_LETTERS}
        self.rematch_timer = RematchTimer()
        self.play = Play(name, log, pace.look_seconds)
        self.chat = Chat()
        self.last_active = monotonic()  # when anything last happened
        self.lock = asyncio.Lock()
        self.unsaved = 0  # how many times something could not be saved
        self.ticker = Ticker(name, self.beat, lambda: bool(self.access.connections) and not self.play.released)
        self.played_by: dict[str, str] = {}  # digests of keys by seat, of those who played the last game
        self._absent = ""
        self._update_cache: tuple[tuple[object, ...], str] = ((), "")
        self._seats_cache: tuple[tuple[object, ...], str] = ((), "")
        self._seat_cache: tuple[tuple[object, ...], tuple[SeatInfo, ...]] = ((), ())

    # What anybody may ask.

    @property
    def game(self) -> Game | None:
        """The game that is played, or was played last."""
        return self.play.game

    @property
    def stage(self) -> str:
        """What the table is at: gathering, playing, over."""
        sitting = self.session
        if sitting is None:
            return LOBBY
        return OVER if sitting.game.over else PLAYING

    @property
    def playing(self) -> bool:
        """Whether a game goes on."""
        sitting = self.session
        return sitting is not None and not sitting.game.over

    @property
    def session(self) -> GameSession | None:
        """The game that is on the table: it goes on, or nobody has gathered for another yet."""
        return self.play.sitting if self.arrangement.rematch is None else None

    def seats(self) -> tuple[SeatInfo, ...]:
        """Who sits where, for everybody to see; the same object as long as nothing of it changes."""
        here = [there.connection_count > 0 for there in self.access.presence]
        moment = (self.arrangement, self.playing, here, self._away())
        if self._seat_cache[0] != moment:
            seats = [
                SeatInfo(
                    SEAT_LETTERS[nth],
                    place.name,
                    place.bot,
                    here[nth],
                    "" if place.bot else self.stand_in(nth),
                    not place.bot and not place.claimed,
                )
                for nth, place in enumerate(self.arrangement.seats)
            ]
            self._seat_cache = (moment, tuple(seats))
        return self._seat_cache[1]

    def _away(self) -> list[bool]:
        """Whether the person of each seat is late, or gone for too long."""
        now, seats = monotonic(), zip(self.clock.seats, self.access.presence, strict=True)
        return [
            hand.timed_out or (not there.connection_count and self.clock.grace_over(there.left_at, now))
            for hand, there in seats
        ]

    @property
    def absent(self) -> str:
        """The seats of people who have been away, or late, for so long that we need not wait for them."""
        now = monotonic()
        gone = [
            letter
            for letter in self._with_claim()
            if self.clock.grace_over(self._gone_since(SEAT_LETTERS.index(letter)), now)
        ]
        return "".join(sorted(gone))

    def _gone_since(self, seat: int) -> float:
        """When the person of a seat left, or ran out of time; infinite for who is there."""
        hand, there = self.clock.seats[seat], self.access.presence[seat]
        return min(hand.slow_since if hand.timed_out else inf, inf if there.connection_count else there.left_at)

    def may_free(self, letter: str) -> bool:
        """Whether the host may free a seat after the game has begun."""
        return letter in self.absent and not (self.playing and letter in self.arrangement.deposed)

    def _check_absent(self, seat: int) -> None:
        """Refuse what may only be done when somebody has been away for long enough."""
        if SEAT_LETTERS[seat] not in self.absent:
            left = ceil(self._gone_since(seat) + self.clock.timing.disconnect_grace - monotonic())
            raise Refused(why.MAY_RETURN.format(name=self.arrangement.seats[seat].name, left=left))

    def may_start(self) -> set[str]:
        """Who starts the next game: the host, and those on the same device."""
        host = self.arrangement.host
        devices = [getattr(reader, "roles", ()) for reader in self.access.connections]
        return {host, *[role for roles in devices if host in roles for role in roles]}

    def undecided(self) -> list[SeatInfo]:
        """Whom a rematch still waits for."""
        return self.rematch_timer.undecided(self.seats(), self.arrangement.rematch, self.may_start())

    def players(self) -> tuple[SeatInfo, ...]:
        """Who plays, or played, the game: before a rematch seats may have come, or gone, since."""
        assert self.game is not None
        seats = {seat.letter: seat for seat in self.seats()}
        names = zip(self.game.seats, self.game.names, strict=False)
        return tuple([seats.get(letter) or SeatInfo(letter, name, "", False, "") for letter, name in names])

    def played(self, role: str) -> bool:
        """Whether the person in a seat has played the last game there; before a rematch, others may sit down."""
        return role in self.played_by and self.access.digests.get(role, "") == self.played_by[role]

    def stand_in(self, seat: int) -> str:
        """Which bot fills in for a person now, if any: the seat is still open, or they are late or gone."""
        nobody = self._away()[seat] or not self.arrangement.seats[seat].claimed
        return STAND_IN if nobody and self.playing else ""

    def choice_number(self, role: str) -> int | None:
        """The number of what a role is asked now; None for nothing."""
        sitting = self.session
        return sitting.choice_number(role) if sitting is not None else None

    def time_left(self) -> float | None:
        """The seconds that are left to whoever is asked; None without a clock."""
        if self.session is None:
            return round(self.rematch_timer.seconds_left(), 1) if self.undecided() else None
        return self.clock.seconds_left(self.session.pending.values(), self.arrangement.turn_seconds)

    def update_fields(self) -> str:
        """What an update tells every reader alike, put into words once."""
        seats = self.seats()
        moment = (self.play.seq, seats)
        if self._update_cache[0] != moment:
            game = self.session.game if self.session is not None else None
            self._update_cache = (
                moment,
                table_fields_json(self.name, self.play.seq, self.stage, self._seats_fields(seats), game),
            )
        return self._update_cache[1]

    def _seats_fields(self, seats: tuple[SeatInfo, ...]) -> str:
        """Who sits here, and the settings."""
        commitment = self.play.commitment(self.stage == LOBBY)
        moment = (seats, self.arrangement, commitment)
        if self._seats_cache[0] != moment:
            self._seats_cache = (moment, seats_json(seats, {**self.arrangement.to_public(), "commitment": commitment}))
        return self._seats_cache[1]

    @property
    def free_seats(self) -> list[str]:
        """The seats of people where nobody sits."""
        places = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return [letter for letter, place in places if not place.bot and not place.claimed]

    @property
    def free_seat(self) -> str:
        """The first of them, or an empty string."""
        return next(iter(self.free_seats), "")

    # Coming and going.

    async def enter(self, reader: RoomConnection, name: object = None, person: Identity = UNKNOWN) -> None:
        """Somebody connects, and gets the seat back from a bot that filled in. Who comes first may say their name."""
        self.access.add(reader)
        if reader.role == SPECTATOR:
            self.notify()
            return
        seat = SEAT_LETTERS.index(reader.role)
        self.clock.resume(seat, self.arrangement.turn_seconds)
        async with self._exclusive():
            key = getattr(reader, "key", "")
            if key and self.access.role_for_key(key) != reader.role:  # somebody else has sat down meanwhile
                return
            if reader.role in self.free_seats:
                await self._sit_down(reader.role, key, name, person)
            else:
                self.holders.note(reader.role, person)

    async def _sit_down(self, letter: str, key: str, name: object, person: Identity) -> None:
        """Somebody takes a free seat, or returns to their own that was freed, under their name if that can be used."""
        seat, new = SEAT_LETTERS.index(letter), self.arrangement
        returns = self.access.returns(letter, key)
        if not returns:
            if self.playing:
                self.holders.check(letter, person)
            new = replace(new, deposed=new.deposed.replace(letter, ""))
            self.holders.replace(letter)
        new = new.with_claimed(seat)
        with contextlib.suppress(Refused):
            new = new.with_name(seat, name)
        await self._save_arrangement(new, self.access.sit_down(letter, key) if key else {})
        self.holders.note(letter, person)
        self.access.presence[seat].left_at = monotonic()

    def leave(self, reader: RoomConnection) -> None:
        """A connection is gone."""
        self.access.remove(reader)
        self.notify()

    async def claim_seat(self, key: str, name: object, wanted: object = None, person: Identity = UNKNOWN) -> None:
        """Somebody takes a free seat: from now on this key stands for it, and the host's link for it is void."""
        async with self._exclusive():
            free = self.free_seats
            if not free:
                raise Refused(why.ALL_TAKEN)
            if wanted is not None:
                self.arrangement.seat_index(wanted)
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

    async def record_visit(self) -> None:
        """Write down that somebody came back to a finished game: it is then kept as if it had ended today."""
        if (
            self.stage != OVER or time() - self.play.last_entry_at <= SECONDS_PER_DAY
        ):  # nobody waits for a bot that is thinking
            return
        async with self._exclusive():
            if self.stage == OVER and time() - self.play.last_entry_at > SECONDS_PER_DAY:
                await self.play._append("visit", {})

    def resume_seat(self, role: str) -> None:
        """Somebody who was late is back."""
        self.clock.resume(SEAT_LETTERS.index(role), self.arrangement.turn_seconds)
        self.notify()

    def set_pace(self, role: str, pace: object) -> None:
        """Somebody wants the bots slower or faster."""
        if not isinstance(pace, str) or pace not in PACES:
            raise Refused(why.INVALID_PACE.format(paces=", ".join(PACES)))
        self.clock.seats[SEAT_LETTERS.index(role)].pace = pace
        self.notify()

    def skip_pauses(self, role: str) -> None:
        """Somebody wants no pauses until they are asked something."""
        self.clock.seats[SEAT_LETTERS.index(role)].skips_pauses = self.choice_number(role) is None
        self.notify()

    def end_look(self, role: str) -> None:
        """Somebody has looked long enough: with memory, what they saw is shown no more."""
        if self.session is not None and self.session.memory_mode:
            self.session.memory_of(role).seen_at.clear()
            self.access.notify(role)

    def _present_seats(self) -> list[int]:
        """The seats of people who are here and play themselves."""
        places = enumerate(self.arrangement.seats)
        return [
            nth
            for nth, one in places
            if not one.bot and self.access.presence[nth].connection_count and not self.clock.seats[nth].timed_out
        ]

    def mark_round_seen(self, role: str, rounds: int) -> None:
        """Somebody has seen enough of a round's end."""
        seat = SEAT_LETTERS.index(role)
        self.play.rounds_seen[seat] = max(self.play.rounds_seen[seat], rounds)
        self.resume_seat(role)

    # What is done before and after a game.

    async def arrange(self, role: str, change: dict[str, Any], key: str = "") -> None:
        """The host, by the host's key, changes the arrangement; anybody seated may change their own name.

        A seat that is given away gets another link, and whoever sat there by the old one has no seat any more.
        """
        self._check_changes(role)
        async with self._exclusive():
            new = self.arrangement
            if not change:
                raise Refused(why.WHAT_TO_CHANGE)
            if "name" in change:
                new = new.with_name(self._seat_index(role), change["name"])
            rest = {field: value for field, value in change.items() if field != "name"}
            if rest:
                self._require_host(role, why.HOST_CHANGES)
                if self.stage != LOBBY:
                    self._require_idle_seat(rest)
                new = new.with_changes(rest)
            await self._save_arrangement(new, self.access.rotated_digests(key, self.arrangement, new))

    def _check_changes(self, role: str) -> None:
        """Refuse too many changes to the table; onlookers change nothing."""
        if role in self.changes and not self.changes[role].try_take():
            raise Refused(why.CHANGES_FAST)
        self._check_room()

    def _check_room(self) -> None:
        if self.play.seq >= MOST_ENTRIES:
            raise Refused(why.TABLE_FULL)

    def _require_idle_seat(self, change: dict[str, Any]) -> None:
        """In a game the host can only free a seat whose player is away or late: a bot keeps it until somebody comes."""
        if change.keys() != {"seat", "bot"} or change["bot"] != "":
            raise Refused(why.GAME_STARTED)
        seat = self.arrangement.person_seat_index(change["seat"])
        place = self.arrangement.seats[seat]
        if self.access.is_connected(seat) and not self.clock.seats[seat].timed_out:
            raise Refused(why.IS_HERE.format(name=place.name))
        if self.playing and change["seat"] in self.arrangement.deposed:
            raise Refused(why.WAS_HOST.format(name=place.name))
        if place.claimed:
            self._check_absent(seat)

    async def transfer_host(self, role: str, to: str, key: str) -> None:
        """Make somebody else the host, whose key this is; from a host who stays away, anybody seated may take over.

        Invitations that were sent before still open the table.
        """
        self._check_changes(role)
        async with self._exclusive():
            host, place = self.arrangement.host, self.arrangement.seats[self.arrangement.person_seat_index(to)]
            if role != host and (role != to or self.access.is_connected(SEAT_LETTERS.index(host))):
                raise Refused(why.HOST_HANDS_OVER)
            if role != host:
                self._check_absent(SEAT_LETTERS.index(host))
            if to == host or not place.claimed or self.access.digests[to] != key_digest(key):
                raise Refused(why.HAND_OVER_TO)
            invites = {f"{SPECTATOR} {to}": key_digest(derive_key(key, SPECTATOR))}
            await self._save_arrangement(self.arrangement.hosted(to, takes_over=role != host), invites)

    async def swap(self, role: str, number: object, box: object = None) -> None:
        """A loser replaces a number before a rematch; without a number, takes that back or keeps the deck."""
        self._check_changes(role)
        async with self._exclusive():
            self._seat_index(role)
            new = self.arrangement.with_swap(role, number, box)
            again = self.arrangement.rematch
            await self._save_arrangement(new)
            self.rematch_timer.record(role, number is None and again is not None and role not in again.swaps)

    async def rematch(self, role: str) -> None:
        """After a game: gather for another with the same people."""
        async with self._exclusive():
            self._seat_index(role)
            if self.stage != OVER or self.game is None:
                raise Refused(why.NO_REMATCH_YET)
            self._check_room()
            again = Rematch(self.arrangement.deck_code, self.game.winner)
            await self._save_arrangement(replace(self.arrangement, rematch=again, guided=False))
            self.rematch_timer.start()

    def add_shuffle_value(self, role: str, value: object) -> None:
        """A seat's share in the next game's shuffles; the last one counts."""
        self._seat_index(role)
        if self.stage != LOBBY:
            raise Refused(why.ALREADY_DEALT)
        if not isinstance(value, str) or not VALUE_PATTERN.fullmatch(value):
            raise Refused(why.INVALID_VALUE)
        self.play.shuffle_values[role] = value

    async def start(self, role: str) -> None:
        """The host starts the game."""
        async with self._exclusive():
            self._require_host(role, why.HOST_STARTS)
            if self.stage != LOBBY:
                raise Refused(why.GAME_ALREADY_STARTED)
            self._check_room()
            self.rematch_timer.require_done(self.seats(), self.arrangement.rematch, self.may_start())
            await self.play.start(self.arrangement)
            self._game_started()

    async def keep_game(self, role: str) -> None:
        """Somebody who played wants a finished game kept for good."""
        async with self._exclusive():
            self._seat_index(role)
            if self.game is None or not self.game.over:
                raise Refused(why.KEEP_LATER)
            await self.play.keep()

    async def play_on(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Begin in the middle of a game that was played elsewhere; these are its entries so far."""
        async with self._exclusive():
            await self.play.start_branch(game, entries, self.arrangement.memory)
            self._game_started()

    def _game_started(self) -> None:
        self.play.people = "".join(sorted(self._with_claim()))
        self.arrangement = replace(self.arrangement, rematch=None)
        self.holders.begin(self._with_claim())
        self._note_players()
        self.clock.start_game()
        self._start_clocks()

    def _seat_index(self, role: str) -> int:
        if role == SPECTATOR:
            raise Refused(why.ONLY_WATCH)
        return self.arrangement.person_seat_index(role)

    def _require_host(self, role: str, refusal: str) -> None:
        if role != self.arrangement.host:
            raise Refused(refusal)

    async def _save_arrangement(self, new: Arrangement, digests: dict[str, str] | None = None) -> None:
        """Take on an arrangement, with other keys for some seats."""
        if new == self.arrangement and not digests:
            return
        await self.play._append("arrange", {"arrangement": new.to_log(), "digests": digests or {}})
        self._apply_arrangement(new, digests or {})

    def _apply_arrangement(self, new: Arrangement, digests: dict[str, str]) -> None:
        """Take on an arrangement; in a game, the names at the table are these."""
        self.arrangement = new
        taken = self._with_claim()
        self.play.shuffle_values = {seat: value for seat, value in self.play.shuffle_values.items() if seat in taken}
        self.access.digests = {**self.access.digests, **digests}
        if self.playing and self.session is not None:
            self.holders.held |= self._with_claim()
            self._note_players()
            self.session.rename([place.name for place in new.seats], self.play.seq)

    def _note_players(self) -> None:
        self.played_by = {letter: self.access.digests.get(letter, "") for letter in self._with_claim()}

    def _with_claim(self) -> set[str]:
        """The seats in which people have sat down."""
        places = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return {letter for letter, place in places if place.claimed and not place.bot}

    # Moves.

    async def play_move(self, role: str, choice: object, text: object, hold: bool = False) -> None:
        """A person's move, with the number of the choice that it answers: a choice is answered once.

        With `hold`, one that shows nobody anything is kept back until the next, and can be taken back till then.
        """
        async with self._exclusive():
            seat = self._seat_index(role)
            if self.session is None or not self.playing:
                raise Refused(why.NO_GAME)
            made = self.session.try_move(role, choice, text)
            self.clock.resume(seat, self.arrangement.turn_seconds)
            if hold and self.session.hold_move(made):
                return
            await self.play._commit_move(made)
            self._game_advanced()

    async def take_back(self, role: str) -> None:
        """Somebody thinks better of a choice that nobody was told yet."""
        async with self._exclusive():
            self._seat_index(role)
            if self.session is None or not self.playing:
                raise Refused(why.NO_GAME)
            self.session.take_back(role)

    async def _let_bot_move(self, seat: int) -> None:
        """A bot's move, in its own seat or in a person's."""
        async with self._exclusive():
            name = self.arrangement.seats[seat].bot or self.stand_in(seat)
            if self.game is None or not self.playing or not name or not self.game.legal_moves_of(seat):
                return
            made = await self.play.bot_players[seat].play(
                self.game, SEAT_LETTERS[seat], name, self.clock.timing.bot_time_limit
            )
            await self.play._commit_move(made._replace(bot=name))
            self._game_advanced()

    def _game_advanced(self) -> None:
        self.clock.last_move_at = monotonic()
        self._start_clocks()

    def _start_clocks(self) -> None:
        """Set the clocks of those who are asked."""
        if self.session is not None:
            self.clock.start_turn(self.session.game, self.session.pending.values(), self.arrangement.turn_seconds)

    @contextlib.asynccontextmanager
    async def _exclusive(self) -> AsyncIterator[None]:
        """Do something at the table, one at a time, and let everybody know.

        If the log has gone on without us, what was to be done is not, and the table goes on from what the log has.
        """
        async with self.lock:
            try:
                yield
            except EntryConflict:
                await self._reload()
                raise Stale(why.CHANGED_MEANWHILE) from None
            except LogError as error:
                if not self.play.released and not isinstance(error, WriterFenced):
                    self.unsaved += 1
                    self.access.notify()
                raise
        self.notify()

    async def _reload(self) -> None:
        """Be as the log has it: another server wrote there, or somebody left before the log had answered."""
        entries = await asyncio.to_thread(self.play.log.entries, self.name)
        new = await Room.load(self.name, entries, self.play.log, self.clock.timing)
        self.arrangement, self.access.digests = new.arrangement, new.access.digests
        self.holders.held, self.played_by = new.holders.held, new.played_by
        self.play._adopt(new.play)
        self.clock.reset()
        self._start_clocks()
        self.notify()

    # The table's own task: bots, clocks, leavers, and what fades from memory.

    def notify(self) -> None:
        """Let the table's own task, and everybody's page, have a look."""
        self.last_active = monotonic()
        self.ticker.wake()
        self.access.notify()

    async def beat(self) -> float | None:
        """Do what is due; how long until something else is (None: until something happens)."""
        now = monotonic()
        waits = self._absences(now)
        if self.session is None or not self.playing:
            waits += self._waiting_for_swaps()
            return min(waits, default=None)
        for seat, question in enumerate(self.session.pending.values()):
            waits += self._fading(self.session, seat, now)
            if not question.legal:
                continue
            if self.arrangement.seats[seat].bot or self.stand_in(seat):
                pause = self.clock.bot_delay(self.session.game, now, self._present_seats())
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
            self.access.notify()
        until = [
            self._gone_since(SEAT_LETTERS.index(letter)) + self.clock.timing.disconnect_grace
            for letter in self._with_claim()
        ]
        return [end - now for end in until if now < end < inf]

    def _waiting_for_swaps(self) -> list[float]:
        """How long a rematch still waits; when the time is up, every page says so."""
        if self.arrangement.rematch is None or not self.rematch_timer.deadline:
            return []
        left = self.rematch_timer.seconds_left()
        if not left:
            self.rematch_timer.deadline = 0.0
            self.access.notify()
        return [left] if left else []

    def _patience(self, seat: int, now: float) -> list[float]:
        """How long a person may still take; if the clock has run out, a bot fills in."""
        if self.clock.expire(seat, self.arrangement.turn_seconds, now):
            self.notify()
            return [0.0]
        return [self.clock.seats[seat].deadline - now] if self.arrangement.turn_seconds else []

    def _fading(self, sitting: GameSession, seat: int, now: float) -> list[float]:
        """When the next card that a seat looked at fades; those that have faded are shown no more."""
        role = SEAT_LETTERS[seat]
        if role not in sitting.memories or not sitting.memory_mode:
            return []
        faded, wait = sitting.memory_of(role).expire_looks(now, sitting.look_seconds)
        if faded:
            self.access.notify(role)
        return [wait] if wait is not None else []

    async def close(self) -> None:
        """Stop the table's own task."""
        await self.ticker.close()

    async def release(self) -> None:
        """Stop for good, as another server may have the table: whoever is here is to come again."""
        self.play.released = True
        self.access.notify()
        await self.close()

    # From the log.

    @staticmethod
    def from_entries(name: str, entries: Iterable[Entry], log: Journal, pace: Timing) -> "Room":
        """A table as the log has it."""
        *_, room = Room._replayed(name, entries, log, pace)
        return room

    @staticmethod
    async def load(name: str, entries: Iterable[Entry], log: Journal, pace: Timing) -> "Room":
        """A table as the log has it; others are served in between."""
        for room in Room._replayed(name, entries, log, pace):  # noqa: B007
            await asyncio.sleep(0)
        return room

    @staticmethod
    def _replayed(name: str, entries: Iterable[Entry], log: Journal, pace: Timing) -> Iterator["Room"]:
        """The table after each slice of its log; the last one is whole."""
        rest = list(entries)
        if not rest or rest[0].kind != "table":  # (an assertion may be switched off)
            raise CorruptEntry(f"the log of table {name} does not begin with it")
        first = rest[0].body
        room = Room(name, log, dict(first["digests"]), Arrangement.from_log(first["arrangement"]), pace)
        for nth, entry in enumerate(rest):
            room.play.replay_entry(rest, nth, room.arrangement.memory)
            if entry.kind == "arrange":
                locks = room.arrangement.key_versions
                room._apply_arrangement(Arrangement.from_log(entry.body["arrangement"], locks), entry.body["digests"])
            elif entry.kind == "start":
                room._game_started()
            if nth % SLICE == SLICE - 1:
                yield room
        room.play._after_restore(rest[-1])
        room._start_clocks()
        yield room


def may_take_over(room: Room, role: str) -> bool:
    """Whether somebody may make themselves the host: when the host has been away for long enough."""
    host = room.arrangement.host
    return (
        role not in (SPECTATOR, host) and host in room.absent and not room.access.is_connected(SEAT_LETTERS.index(host))
    )
