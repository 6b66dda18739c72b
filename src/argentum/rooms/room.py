"""A room: the players of a table, its game, log, clocks and background task."""

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
from argentum.rooms.clock import RematchTimer, RoomClock, Timing, parse_pace
from argentum.rooms.commitments import game_commitment, game_secret
from argentum.rooms.holders import UNKNOWN, Identity, SeatHolders
from argentum.rooms.limits import TokenBucket
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import CorruptEntry, Entry, EntryConflict, Journal, WriterFenced
from argentum.rooms.ticker import Ticker
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors


class Play:
    """The games of a room, and their log."""

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
        self.kept = False  # a player asked to keep the games
        self.game_count = 0  # that were begun
        self.session: GameSession | None = None
        self.bot_players = [BotRunner() for _ in SEAT_LETTERS]
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]  # moves of each seat that a bot has made
        self.rounds_seen = [0 for _ in SEAT_LETTERS]  # of whose ends each seat has left the reveal

    @property
    def game(self) -> Game | None:
        """The current or last game."""
        return self.session.game if self.session is not None else None

    async def _append(self, kind: str, body: dict[str, Any]) -> None:
        """Append an entry; an arrangement replaces one directly before it.

        Raises `EntryConflict` if the log has gone on."""
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

    async def start(self, config: Arrangement) -> None:
        names = [seat_config.name for seat_config in config.seats]
        opened = make_commitment(game_secret(self.secret_root, self.game_count), self.shuffle_values)
        game = Game.new(
            config.deck_code, len(names), opened.seed, config.token_in_play, names, opened.deals(len(names))
        )
        await self._append("start", entries_module.start_body(game, opened.seed, opened))
        self.opening = opened
        self._begin_game(game, config.memory)

    async def start_branch(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]], memory: bool) -> None:
        """Start in the middle of a game, whose entries so far are written first."""
        for kind, body in entries:
            await self._append(kind, body)
        self.opening = None
        self._begin_game(game, memory)
        self.rounds_seen = [game.rounds_finished for _ in SEAT_LETTERS]

    async def keep(self) -> None:
        """Keep the games from expiring."""
        if not self.kept:
            await self._append("keep", {})
            self.kept = True

    def share_key(self, game: int) -> str:
        """Return the key of the link to one of the table's games."""
        code = hmac.digest(self.secret_root, f"replay {game}".encode(), "sha256")
        return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")

    def commitment(self, in_lobby: bool) -> str:
        """Return the shuffle commitment of the current game, or of the next."""
        if in_lobby:
            return game_commitment(self.secret_root, self.game_count)
        return self.opening.commitment if self.opening is not None else ""

    def opening_json(self) -> str:
        """Return the data to verify the last finished round, as JSON; empty without a commitment."""
        if self.opening is None or self.game is None or not self.game.rounds_finished:
            return ""
        index = self.game.rounds_finished
        return json.dumps(self.opening.verification_data(index, self.game.deals[index - 1]))

    def _begin_game(self, game: Game, memory: bool) -> None:
        self.session = GameSession(game, self.seq, memory, self.fade)
        self.game_count += 1
        self.shuffle_values = {}
        self.bot_players = [BotRunner() for _ in SEAT_LETTERS]
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]
        self.rounds_seen = [0 for _ in SEAT_LETTERS]

    async def _commit_move(self, move: PlayedMove) -> None:
        """Write a move to the log, then apply it."""
        assert self.session is not None
        await self._append("move", entries_module.move_body(self.session.game, move))
        self._game_advanced(move)

    def _game_advanced(self, move: PlayedMove) -> None:
        assert self.session is not None
        self.session.commit(move, self.seq)
        self.bot_move_counts[SEAT_LETTERS.index(move.seat)] += bool(move.bot)

    def replay_entry(self, entries: list[Entry], index: int, memory: bool) -> None:
        """Apply one of the entries; those after it contain later deals of its game."""
        entry = entries[index]
        self.seq, self.last_entry_at = entry.seq + 1, entry.at
        self.arranged = entry.body["digests"] if entry.kind == "arrange" else None
        self.created_at = min(self.created_at, entry.at)
        self.kept = self.kept or entry.kind == "keep"
        if entry.kind == "table" and "secret" in entry.body:
            self.secret_root = bytes.fromhex(entry.body["secret"])
        if entry.kind == "start":
            self.opening = entries_module.opening(entry.body)
            self._begin_game(entries_module.restore_game(entries[index:]), memory)
        elif entry.kind == "move":
            assert self.session is not None
            self._game_advanced(entries_module.apply_move(self.session.game, entry.body))

    def _after_restore(self, last: Entry) -> None:
        """Finish loading: if the last entry ended a round, some may not have seen its summary yet."""
        if self.game is not None:
            ended = last.kind == "move" and ("deal" in last.body or self.game.over)
            self.rounds_seen = [self.game.rounds_finished - ended for _ in SEAT_LETTERS]

    def _adopt(self, other: "Play") -> None:
        """Take the state of another, loaded from the log; recent looks are lost."""
        self.seq, self.game_count, self.session = other.seq, other.game_count, other.session
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
    """One room: settings, seats, connections, game and background task."""

    def __init__(
        self, name: str, log: Journal, digests: dict[str, str], arrangement: Arrangement, timing: Timing
    ) -> None:
        self.name = name
        self.arrangement = arrangement
        self.host_address = ""  # from which the host was here last; only in memory
        self.access = SeatAccess(digests)
        self.clock = RoomClock(timing)
        self.holders = SeatHolders()
        self.changes = {seat: TokenBucket(CHANGES, CHANGE_RATE) for seat in SEAT_LETTERS}
        self.rematch_timer = RematchTimer()
        self.play = Play(name, log, timing.look_seconds)
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
        """The current or last game."""
        return self.play.game

    @property
    def stage(self) -> str:
        """The stage: gathering, playing or over."""
        session = self.session
        if session is None:
            return LOBBY
        return OVER if session.game.over else PLAYING

    @property
    def playing(self) -> bool:
        session = self.session
        return session is not None and not session.game.over

    @property
    def session(self) -> GameSession | None:
        """The current game, or the last one until a rematch is opened."""
        return self.play.session if self.arrangement.rematch is None else None

    def seats(self) -> tuple[SeatInfo, ...]:
        """Return the seats as everybody sees them; the same object while nothing changes."""
        connected = [presence.connection_count > 0 for presence in self.access.presence]
        cache_key = (self.arrangement, self.playing, connected, self._away())
        if self._seat_cache[0] != cache_key:
            seats = [
                SeatInfo(
                    SEAT_LETTERS[index],
                    seat_config.name,
                    seat_config.bot,
                    connected[index],
                    "" if seat_config.bot else self.stand_in(index),
                    not seat_config.bot and not seat_config.claimed,
                )
                for index, seat_config in enumerate(self.arrangement.seats)
            ]
            self._seat_cache = (cache_key, tuple(seats))
        return self._seat_cache[1]

    def _away(self) -> list[bool]:
        """Return for each seat whether its player timed out or has been disconnected for too long."""
        now, seats = monotonic(), zip(self.clock.seats, self.access.presence, strict=True)
        return [
            clock.timed_out or (not presence.connection_count and self.clock.grace_over(presence.left_at, now))
            for clock, presence in seats
        ]

    @property
    def absent(self) -> str:
        """The seats of players who have been away, or timed out, beyond the grace time."""
        now = monotonic()
        gone = [
            letter
            for letter in self._with_claim()
            if self.clock.grace_over(self._gone_since(SEAT_LETTERS.index(letter)), now)
        ]
        return "".join(sorted(gone))

    def _gone_since(self, seat: int) -> float:
        """Return when the player of a seat left or timed out; infinite if present."""
        clock, presence = self.clock.seats[seat], self.access.presence[seat]
        return min(clock.slow_since if clock.timed_out else inf, inf if presence.connection_count else presence.left_at)

    def may_free(self, letter: str) -> bool:
        """Whether the host may free a seat after the game has started."""
        return letter in self.absent and not (self.playing and letter in self.arrangement.deposed)

    def _check_absent(self, seat: int) -> None:
        """Raise `Refused` unless the player of a seat has been away beyond the grace time."""
        if SEAT_LETTERS[seat] not in self.absent:
            remaining = ceil(self._gone_since(seat) + self.clock.timing.disconnect_grace - monotonic())
            raise Refused(errors.MAY_RETURN.format(name=self.arrangement.seats[seat].name, left=remaining))

    def may_start(self) -> set[str]:
        """Return who may start the next game: the host, and those on the same device."""
        host = self.arrangement.host
        devices = [getattr(reader, "roles", ()) for reader in self.access.connections]
        return {host, *[role for roles in devices if host in roles for role in roles]}

    def undecided(self) -> list[SeatInfo]:
        """Return the players whose swap a rematch waits for."""
        return self.rematch_timer.undecided(self.seats(), self.arrangement.rematch, self.may_start())

    def players(self) -> tuple[SeatInfo, ...]:
        """Return the seats of the game, which may differ from the current ones before a rematch."""
        assert self.game is not None
        seats = {seat.letter: seat for seat in self.seats()}
        names = zip(self.game.seats, self.game.names, strict=False)
        return tuple([seats.get(letter) or SeatInfo(letter, name, "", False, "") for letter, name in names])

    def played(self, role: str) -> bool:
        """Whether the player now in a seat has played the last game."""
        return role in self.played_by and self.access.digests.get(role, "") == self.played_by[role]

    def stand_in(self, seat: int) -> str:
        """Return the bot that fills in for the player of a seat, or an empty string."""
        nobody = self._away()[seat] or not self.arrangement.seats[seat].claimed
        return STAND_IN if nobody and self.playing else ""

    def choice_number(self, role: str) -> int | None:
        session = self.session
        return session.choice_number(role) if session is not None else None

    def time_left(self) -> float | None:
        """Return the seconds until the next deadline; None without one."""
        if self.session is None:
            return round(self.rematch_timer.seconds_left(), 1) if self.undecided() else None
        return self.clock.seconds_left(self.session.pending.values(), self.arrangement.turn_seconds)

    def update_fields(self) -> str:
        """Return the part of an update that is the same for everybody, cached."""
        seats = self.seats()
        cache_key = (self.play.seq, seats)
        if self._update_cache[0] != cache_key:
            game = self.session.game if self.session is not None else None
            self._update_cache = (
                cache_key,
                table_fields_json(self.name, self.play.seq, self.stage, self._seats_fields(seats), game),
            )
        return self._update_cache[1]

    def _seats_fields(self, seats: tuple[SeatInfo, ...]) -> str:
        commitment = self.play.commitment(self.stage == LOBBY)
        cache_key = (seats, self.arrangement, commitment)
        if self._seats_cache[0] != cache_key:
            self._seats_cache = (
                cache_key,
                seats_json(seats, {**self.arrangement.to_public(), "commitment": commitment}),
            )
        return self._seats_cache[1]

    @property
    def free_seats(self) -> list[str]:
        configs = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return [letter for letter, seat_config in configs if not seat_config.bot and not seat_config.claimed]

    @property
    def free_seat(self) -> str:
        """The first open seat, or an empty string."""
        return next(iter(self.free_seats), "")

    # Coming and going.

    async def enter(self, reader: RoomConnection, name: object = None, person: Identity = UNKNOWN) -> None:
        """Connect; a stand-in gives the seat back. The first connection to an open seat claims it."""
        self.access.add(reader)
        if reader.role == SPECTATOR:
            self.notify()
            return
        seat = SEAT_LETTERS.index(reader.role)
        self.clock.resume(seat, self.arrangement.turn_seconds)
        async with self._exclusive():
            key = getattr(reader, "key", "")
            if key and self.access.role_for_key(key) != reader.role:  # claimed by another player meanwhile
                return
            if reader.role in self.free_seats:
                await self._sit_down(reader.role, key, name, person)
            else:
                self.holders.note(reader.role, person)

    async def _sit_down(self, letter: str, key: str, name: object, person: Identity) -> None:
        """Claim an open seat, or return to one that was freed meanwhile, with the name if it is valid."""
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
        self.access.remove(reader)
        self.notify()

    async def claim_seat(self, key: str, name: object, wanted: object = None, person: Identity = UNKNOWN) -> None:
        """Claim an open seat for a key; the host's link to it becomes invalid."""
        async with self._exclusive():
            free = self.free_seats
            if not free:
                raise Refused(errors.ALL_TAKEN)
            if wanted is not None:
                self.arrangement.seat_index(wanted)
                if wanted not in free:
                    raise Refused(errors.JUST_TAKEN)
                free = [str(wanted)]
            for letter in free:
                try:
                    await self._sit_down(letter, key, name, person)
                    break
                except Refused:
                    if letter == free[-1]:
                        raise

    async def record_visit(self) -> None:
        """Record a visit to a finished game, which restarts the time until it expires."""
        if (
            self.stage != OVER or time() - self.play.last_entry_at <= SECONDS_PER_DAY
        ):  # without the lock, which a thinking bot may hold
            return
        async with self._exclusive():
            if self.stage == OVER and time() - self.play.last_entry_at > SECONDS_PER_DAY:
                await self.play._append("visit", {})

    def resume_seat(self, role: str) -> None:
        """Let a player who timed out continue."""
        self.clock.resume(SEAT_LETTERS.index(role), self.arrangement.turn_seconds)
        self.notify()

    def set_pace(self, role: str, pace: object) -> None:
        """Set a player's pace for bots."""
        self.clock.seats[SEAT_LETTERS.index(role)].pace = parse_pace(pace)
        self.notify()

    def skip_pauses(self, role: str) -> None:
        """Skip pauses until the player's next choice."""
        self.clock.seats[SEAT_LETTERS.index(role)].skips_pauses = self.choice_number(role) is None
        self.notify()

    def end_look(self, role: str) -> None:
        """End the player's looks, in memory mode."""
        if self.session is not None and self.session.memory_mode:
            self.session.memory_of(role).seen_at.clear()
            self.access.notify(role)

    def _present_seats(self) -> list[int]:
        """Return the seats of players who are connected and have not timed out."""
        configs = enumerate(self.arrangement.seats)
        return [
            index
            for index, config in configs
            if not config.bot and self.access.presence[index].connection_count and not self.clock.seats[index].timed_out
        ]

    def mark_round_seen(self, role: str, rounds: int) -> None:
        """Record that a player has left the summaries of the first `rounds` rounds."""
        seat = SEAT_LETTERS.index(role)
        self.play.rounds_seen[seat] = max(self.play.rounds_seen[seat], rounds)
        self.resume_seat(role)

    # What is done before and after a game.

    async def arrange(self, role: str, change: dict[str, Any], key: str = "") -> None:
        """Change the settings, as the host; other players may change their own name.

        A seat that is freed gets a new key, and the old one no longer opens it.
        """
        self._check_changes(role)
        async with self._exclusive():
            new = self.arrangement
            if not change:
                raise Refused(errors.WHAT_TO_CHANGE)
            if "name" in change:
                new = new.with_name(self._seat_index(role), change["name"])
            remaining_entries = {field: value for field, value in change.items() if field != "name"}
            if remaining_entries:
                self._require_host(role, errors.HOST_CHANGES)
                if self.stage != LOBBY:
                    self._require_idle_seat(remaining_entries)
                new = new.with_changes(remaining_entries)
            await self._save_arrangement(new, self.access.rotated_digests(key, self.arrangement, new))

    def _check_changes(self, role: str) -> None:
        """Rate-limit changes by players; spectators make none."""
        if role in self.changes and not self.changes[role].try_take():
            raise Refused(errors.CHANGES_FAST)
        self._check_room()

    def _check_room(self) -> None:
        if self.play.seq >= MOST_ENTRIES:
            raise Refused(errors.TABLE_FULL)

    def _require_idle_seat(self, change: dict[str, Any]) -> None:
        """During a game, allow the host only to free the seat of an absent player, for whom a stand-in plays."""
        if change.keys() != {"seat", "bot"} or change["bot"] != "":
            raise Refused(errors.GAME_STARTED)
        seat = self.arrangement.person_seat_index(change["seat"])
        seat_config = self.arrangement.seats[seat]
        if self.access.is_connected(seat) and not self.clock.seats[seat].timed_out:
            raise Refused(errors.IS_HERE.format(name=seat_config.name))
        if self.playing and change["seat"] in self.arrangement.deposed:
            raise Refused(errors.WAS_HOST.format(name=seat_config.name))
        if seat_config.claimed:
            self._check_absent(seat)

    async def transfer_host(self, role: str, to: str, key: str) -> None:
        """Make another player the host. If the host is absent, any player may take over.

        Invitations sent before stay valid.
        """
        self._check_changes(role)
        async with self._exclusive():
            host, seat_config = self.arrangement.host, self.arrangement.seats[self.arrangement.person_seat_index(to)]
            if role != host and (role != to or self.access.is_connected(SEAT_LETTERS.index(host))):
                raise Refused(errors.HOST_HANDS_OVER)
            if role != host:
                self._check_absent(SEAT_LETTERS.index(host))
            if to == host or not seat_config.claimed or self.access.digests[to] != key_digest(key):
                raise Refused(errors.HAND_OVER_TO)
            invites = {f"{SPECTATOR} {to}": key_digest(derive_key(key, SPECTATOR))}
            await self._save_arrangement(self.arrangement.hosted(to, takes_over=role != host), invites)

    async def swap(self, role: str, number: object, box: object = None) -> None:
        """Replace a number before a rematch; None undoes that, or keeps the deck."""
        self._check_changes(role)
        async with self._exclusive():
            self._seat_index(role)
            new = self.arrangement.with_swap(role, number, box)
            rematch = self.arrangement.rematch
            await self._save_arrangement(new)
            self.rematch_timer.record(role, number is None and rematch is not None and role not in rematch.swaps)

    async def rematch(self, role: str) -> None:
        """Open a rematch with the same players."""
        async with self._exclusive():
            self._seat_index(role)
            if self.stage != OVER or self.game is None:
                raise Refused(errors.NO_REMATCH_YET)
            self._check_room()
            rematch = Rematch(self.arrangement.deck_code, self.game.winner)
            await self._save_arrangement(replace(self.arrangement, rematch=rematch, guided=False))
            self.rematch_timer.start()

    def add_shuffle_value(self, role: str, value: object) -> None:
        """Set a seat's contribution to the shuffles of the next game."""
        self._seat_index(role)
        if self.stage != LOBBY:
            raise Refused(errors.ALREADY_DEALT)
        if not isinstance(value, str) or not VALUE_PATTERN.fullmatch(value):
            raise Refused(errors.INVALID_VALUE)
        self.play.shuffle_values[role] = value

    async def start(self, role: str) -> None:
        """Start the game, as the host."""
        async with self._exclusive():
            self._require_host(role, errors.HOST_STARTS)
            if self.stage != LOBBY:
                raise Refused(errors.GAME_ALREADY_STARTED)
            self._check_room()
            self.rematch_timer.require_done(self.seats(), self.arrangement.rematch, self.may_start())
            await self.play.start(self.arrangement)
            self._game_started()

    async def keep_game(self, role: str) -> None:
        """Keep a finished game from expiring."""
        async with self._exclusive():
            self._seat_index(role)
            if self.game is None or not self.game.over:
                raise Refused(errors.KEEP_LATER)
            await self.play.keep()

    async def play_on(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Start in the middle of a game that was played elsewhere; `entries` are its entries so far."""
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
            raise Refused(errors.ONLY_WATCH)
        return self.arrangement.person_seat_index(role)

    def _require_host(self, role: str, refusal: str) -> None:
        if role != self.arrangement.host:
            raise Refused(refusal)

    async def _save_arrangement(self, new: Arrangement, digests: dict[str, str] | None = None) -> None:
        """Write new settings to the log, with new digests for some seats, and apply them."""
        if new == self.arrangement and not digests:
            return
        await self.play._append("arrange", {"arrangement": new.to_log(), "digests": digests or {}})
        self._apply_arrangement(new, digests or {})

    def _apply_arrangement(self, new: Arrangement, digests: dict[str, str]) -> None:
        """Apply settings; during a game, rename its seats."""
        self.arrangement = new
        taken = self._with_claim()
        self.play.shuffle_values = {seat: value for seat, value in self.play.shuffle_values.items() if seat in taken}
        self.access.digests = {**self.access.digests, **digests}
        if self.playing and self.session is not None:
            self.holders.held |= self._with_claim()
            self._note_players()
            self.session.rename([seat_config.name for seat_config in new.seats], self.play.seq)

    def _note_players(self) -> None:
        self.played_by = {letter: self.access.digests.get(letter, "") for letter in self._with_claim()}

    def _with_claim(self) -> set[str]:
        """Return the seats that players have claimed."""
        configs = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return {letter for letter, seat_config in configs if seat_config.claimed and not seat_config.bot}

    # Moves.

    async def play_move(self, role: str, choice: object, text: object, hold: bool = False) -> None:
        """Play a move for the numbered choice; each choice is answered once.

        With `hold`, a move that reveals nothing is held back until the next one, and can be undone until then.
        """
        async with self._exclusive():
            seat = self._seat_index(role)
            if self.session is None or not self.playing:
                raise Refused(errors.NO_GAME)
            move = self.session.try_move(role, choice, text)
            self.clock.resume(seat, self.arrangement.turn_seconds)
            if hold and self.session.hold_move(move):
                return
            await self.play._commit_move(move)
            self._game_advanced()

    async def take_back(self, role: str) -> None:
        """Undo the held move of a role before it is committed."""
        async with self._exclusive():
            self._seat_index(role)
            if self.session is None or not self.playing:
                raise Refused(errors.NO_GAME)
            self.session.take_back(role)

    async def _let_bot_move(self, seat: int) -> None:
        """Play a bot's move, in its own seat or for an absent player."""
        async with self._exclusive():
            name = self.arrangement.seats[seat].bot or self.stand_in(seat)
            if self.game is None or not self.playing or not name or not self.game.legal_moves_of(seat):
                return
            move = await self.play.bot_players[seat].play(
                self.game, SEAT_LETTERS[seat], name, self.clock.timing.bot_time_limit
            )
            await self.play._commit_move(move._replace(bot=name))
            self._game_advanced()

    def _game_advanced(self) -> None:
        self.clock.last_move_at = monotonic()
        self._start_clocks()

    def _start_clocks(self) -> None:
        if self.session is not None:
            self.clock.start_turn(self.session.game, self.session.pending.values(), self.arrangement.turn_seconds)

    @contextlib.asynccontextmanager
    async def _exclusive(self) -> AsyncIterator[None]:
        """Hold the lock for a change, then notify everybody.

        If the log has gone on without us, the change is dropped and the room continues from the log.
        """
        async with self.lock:
            try:
                yield
            except EntryConflict:
                await self._reload()
                raise Stale(errors.CHANGED_MEANWHILE) from None
            except LogError as error:
                if not self.play.released and not isinstance(error, WriterFenced):
                    self.unsaved += 1
                    self.access.notify()
                raise
        self.notify()

    async def _reload(self) -> None:
        """Reload from the log, which another server has written to, or which a cancelled request has changed."""
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
        """Wake the background task and all connections."""
        self.last_active = monotonic()
        self.ticker.wake()
        self.access.notify()

    async def beat(self) -> float | None:
        """Run due work; return the seconds until more is due, or None to sleep until woken."""
        now = monotonic()
        waits = self._absences(now)
        if self.session is None or not self.playing:
            waits += self._waiting_for_swaps()
            return min(waits, default=None)
        for seat, choice in enumerate(self.session.pending.values()):
            waits += self._fading(self.session, seat, now)
            if not choice.legal:
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
        """Return the seconds until each absent player exceeds the grace time; notify everybody when one does."""
        if self._absent != self.absent:
            self._absent = self.absent
            self.access.notify()
        until = [
            self._gone_since(SEAT_LETTERS.index(letter)) + self.clock.timing.disconnect_grace
            for letter in self._with_claim()
        ]
        return [end - now for end in until if now < end < inf]

    def _waiting_for_swaps(self) -> list[float]:
        """Return the seconds until the rematch timer ends; notify everybody when it does."""
        if self.arrangement.rematch is None or not self.rematch_timer.deadline:
            return []
        remaining = self.rematch_timer.seconds_left()
        if not remaining:
            self.rematch_timer.deadline = 0.0
            self.access.notify()
        return [remaining] if remaining else []

    def _patience(self, seat: int, now: float) -> list[float]:
        """Return the seconds until a player times out; then a stand-in fills in."""
        if self.clock.expire(seat, self.arrangement.turn_seconds, now):
            self.notify()
            return [0.0]
        return [self.clock.seats[seat].deadline - now] if self.arrangement.turn_seconds else []

    def _fading(self, session: GameSession, seat: int, now: float) -> list[float]:
        """Return the seconds until a player's next look fades, in memory mode."""
        role = SEAT_LETTERS[seat]
        if role not in session.memories or not session.memory_mode:
            return []
        faded, wait = session.memory_of(role).expire_looks(now, session.look_seconds)
        if faded:
            self.access.notify(role)
        return [wait] if wait is not None else []

    async def close(self) -> None:
        await self.ticker.close()

    async def release(self) -> None:
        """Stop writing and disconnect everybody, as another server may own the table."""
        self.play.released = True
        self.access.notify()
        await self.close()

    # From the log.

    @staticmethod
    def from_entries(name: str, entries: Iterable[Entry], log: Journal, timing: Timing) -> "Room":
        """Load a room from its entries."""
        *_, room = Room._replayed(name, entries, log, timing)
        return room

    @staticmethod
    async def load(name: str, entries: Iterable[Entry], log: Journal, timing: Timing) -> "Room":
        """Load a room, yielding to the event loop in between."""
        for room in Room._replayed(name, entries, log, timing):  # noqa: B007
            await asyncio.sleep(0)
        return room

    @staticmethod
    def _replayed(name: str, entries: Iterable[Entry], log: Journal, timing: Timing) -> Iterator["Room"]:
        """Yield the room after each slice of its entries; the last one is complete."""
        remaining_entries = list(entries)
        if not remaining_entries or remaining_entries[0].kind != "table":  # (an assertion may be switched off)
            raise CorruptEntry(f"the log of table {name} does not begin with it")
        first = remaining_entries[0].body
        room = Room(name, log, dict(first["digests"]), Arrangement.from_log(first["arrangement"]), timing)
        for index, entry in enumerate(remaining_entries):
            room.play.replay_entry(remaining_entries, index, room.arrangement.memory)
            if entry.kind == "arrange":
                locks = room.arrangement.key_versions
                room._apply_arrangement(Arrangement.from_log(entry.body["arrangement"], locks), entry.body["digests"])
            elif entry.kind == "start":
                room._game_started()
            if index % SLICE == SLICE - 1:
                yield room
        room.play._after_restore(remaining_entries[-1])
        room._start_clocks()
        yield room


def may_take_over(room: Room, role: str) -> bool:
    """Whether a player may take over as the host, who has been away for too long."""
    host = room.arrangement.host
    return (
        role not in (SPECTATOR, host) and host in room.absent and not room.access.is_connected(SEAT_LETTERS.index(host))
    )
