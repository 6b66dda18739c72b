"""A room: the settings, players, games, log, clocks and background task of a table."""

import asyncio
import contextlib
import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from math import inf
from time import monotonic, time
from typing import Any

from argentum.display.errors import Refused, Stale
from argentum.display.scene import SeatInfo
from argentum.display.session import SPECTATOR, GameSession, PlayedMove
from argentum.display.updates import seats_json, table_fields_json
from argentum.records.fairness import DealCommitment, make_commitment
from argentum.rooms.access import KEY_BYTES, RoomConnection, SeatAccess
from argentum.rooms.arrangement import SECONDS_PER_DAY, Arrangement
from argentum.rooms.bot_players import STAND_IN, BotRunner
from argentum.rooms.chat import Chat
from argentum.rooms.clock import RematchTimer, RoomClock, Timing, parse_pace
from argentum.rooms.commitments import game_commitment, game_secret
from argentum.rooms.entries import apply_move, move_body, read_commitment, restore_game, start_body
from argentum.rooms.holders import UNKNOWN, Identity, SeatHolders
from argentum.rooms.limits import TokenBucket
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import CorruptEntry, Entry, EntryConflict, Journal, WriterFenced
from argentum.rooms.ticker import Ticker, tick
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors

LOBBY, PLAYING, OVER = "gathering", "playing", "over"  # stages
CHANGE_BURST, CHANGE_RATE = 60, 1.0  # changes of the arrangement by one seat: at once, and per second on average
REPLAY_SLICE = 100  # log entries replayed before the event loop serves others


class Room:
    """A table with its settings, connections and games, which are restored from its log."""

    def __init__(
        self, name: str, log: Journal, digests: dict[str, str], arrangement: Arrangement, timing: Timing
    ) -> None:
        self.name = name
        self.log = log
        self.arrangement = arrangement
        self.host_address = ""  # where the host last connected from; never saved
        self.access = SeatAccess(digests)
        self.clock = RoomClock(timing)
        self.holders = SeatHolders()
        self.changes = {seat: TokenBucket(CHANGE_BURST, CHANGE_RATE) for seat in SEAT_LETTERS}
        self.rematch_timer = RematchTimer()
        self.chat = Chat()
        self.hint_consents: set[str] = set()  # digests of the keys of players who agree to hints
        self.last_active = monotonic()  # when anything last changed
        self.lock = asyncio.Lock()
        self.failed_saves = 0  # number of failed writes to the log
        self.ticker = Ticker(name, lambda: tick(self), lambda: self.is_active and not self.released)
        self.played_by: dict[str, str] = {}  # key digests of the players of the last game, by seat
        self.notified_absent_seats = ""  # the absent seats that all connections have been notified of
        # Games.
        self.last_session: GameSession | None = None  # the current or last game
        self.game_count = 0  # games started
        self.secret_root = secrets.token_bytes(32)  # from which the secret of each game is derived
        self.opening: DealCommitment | None = None  # from which the deals of the last game are derived
        self.shuffle_values: dict[str, str] = {}  # contributions of the seats to the next game's shuffles
        self.human_seats_at_start = ""  # seats of players when the game began
        self.bot_players = [BotRunner() for _ in SEAT_LETTERS]
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]  # by seat: moves that a bot has made
        self.rounds_seen = [0 for _ in SEAT_LETTERS]  # by seat: rounds whose summary the player has left
        self.is_kept = False  # a player asked to keep the games
        # The log.
        self.seq = 0  # number of the next entry
        self.last_arrange_digests: dict[str, str] | None = None  # of the last entry, if that is `arrange`
        self.last_entry_at = time()
        self.created_at = self.last_entry_at  # when the first entry was written
        self.released = False  # nothing may be written, because another server may own the table
        # Caches.
        self._update_cache: tuple[tuple[object, ...], str] = ((), "")
        self._seats_json_cache: tuple[tuple[object, ...], str] = ((), "")
        self._seat_cache: tuple[tuple[object, ...], tuple[SeatInfo, ...]] = ((), ())

    # State.

    @property
    def game(self) -> Game | None:
        """The current or last game."""
        return self.last_session.game if self.last_session is not None else None

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
        """The current game, or the last one until a rematch is opened; None if there is none."""
        return self.last_session if self.arrangement.rematch is None else None

    def seats(self) -> tuple[SeatInfo, ...]:
        """Return the public state of the seats; the same object while nothing changes."""
        connected = [presence.connection_count > 0 for presence in self.access.presence]
        cache_key = (self.arrangement, self.playing, connected, self._away_flags())
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

    def _away_flags(self) -> list[bool]:
        """Return for each seat whether its player timed out, or left and did not return in the grace period.

        Where people may take days, nobody has to return before the time for the turn is up.
        """
        must_return = not self.arrangement.is_slow
        now, seats = monotonic(), zip(self.clock.seats, self.access.presence, strict=True)
        return [
            clock.timed_out
            or (must_return and not presence.connection_count and self.clock.is_grace_over(presence.left_at, now))
            for clock, presence in seats
        ]

    @property
    def absent_seats(self) -> str:
        """The seats of players who have been away, or timed out, for so long that others may act for them."""
        now = monotonic()
        away = [letter for letter in self.claimed_seats() if now >= self.absent_from(SEAT_LETTERS.index(letter))]
        return "".join(sorted(away))

    def absent_from(self, seat: int) -> float:
        """Return when the player of a seat is away, or timed out, for so long that others may act for them.

        The host may then free the seat, and others may take over from the host. Infinite if the player is present.
        """
        clock, presence = self.clock.seats[seat], self.access.presence[seat]
        may_take_a_day = self.arrangement.is_slow and self.playing
        return min(
            clock.timed_out_at + self.clock.timing.disconnect_grace if clock.timed_out else inf,
            inf
            if presence.connection_count
            else self.clock.absent_from(presence.left_at, presence.away_before, may_take_a_day),
        )

    @property
    def is_active(self) -> bool:
        """Whether the background task has to run. Where people may take days, bots move even if nobody is connected."""
        return bool(self.access.connections) or (self.arrangement.is_slow and self.playing)

    def may_free(self, letter: str) -> bool:
        """Whether the host may free a seat after the game has started."""
        return letter in self.absent_seats and not (self.playing and letter in self.arrangement.deposed)

    def may_take_over(self, role: str) -> bool:
        """Whether a player may take over from a host who has been away for too long."""
        host = self.arrangement.host
        is_host_away = host in self.absent_seats and not self.access.is_connected(SEAT_LETTERS.index(host))
        return role not in (SPECTATOR, host) and is_host_away

    def roles_allowed_to_start(self) -> set[str]:
        """Return the roles that may start the next game: the host, and other seats on the host's device."""
        host = self.arrangement.host
        devices = [getattr(connection, "roles", ()) for connection in self.access.connections]
        return {host, *[role for roles in devices if host in roles for role in roles]}

    def undecided(self) -> list[SeatInfo]:
        """Return the players whose decision about a swap the rematch waits for."""
        return self.rematch_timer.undecided(self.seats(), self.arrangement.rematch, self.roles_allowed_to_start())

    def players(self) -> tuple[SeatInfo, ...]:
        """Return the seats of the last game, which differ from the table's if the host has changed those since."""
        assert self.game is not None
        seats = {seat.letter: seat for seat in self.seats()}
        names = zip(self.game.seats, self.game.names, strict=False)
        return tuple([seats.get(letter) or SeatInfo(letter, name, "", False, "") for letter, name in names])

    def has_played(self, role: str) -> bool:
        """Whether the player who has a seat now also had it in the last game."""
        return role in self.played_by and self.access.digests.get(role, "") == self.played_by[role]

    def stand_in(self, seat: int) -> str:
        """Return the bot that fills in for the player of a seat, or an empty string."""
        is_vacant = self._away_flags()[seat] or not self.arrangement.seats[seat].claimed
        return STAND_IN if is_vacant and self.playing else ""

    def choice_number(self, role: str) -> int | None:
        session = self.session
        return session.choice_number(role) if session is not None else None

    def time_left(self) -> float | None:
        """Return the seconds until the next deadline; None if there is none."""
        if self.session is None:
            return round(self.rematch_timer.seconds_left(), 1) if self.undecided() else None
        return self.clock.seconds_left(self.session.pending.values(), self.arrangement.turn_seconds)

    def update_fields(self) -> str:
        """Return the part of a JSON update that is the same for all clients, from a cache if possible."""
        seats = self.seats()
        cache_key = (self.seq, seats)
        if self._update_cache[0] != cache_key:
            game = self.session.game if self.session is not None else None
            self._update_cache = (
                cache_key,
                table_fields_json(self.name, self.seq, self.stage, self._seats_fields(seats), game),
            )
        return self._update_cache[1]

    def _seats_fields(self, seats: tuple[SeatInfo, ...]) -> str:
        commitment = self.commitment(self.stage == LOBBY)
        cache_key = (seats, self.arrangement, commitment)
        if self._seats_json_cache[0] != cache_key:
            self._seats_json_cache = (
                cache_key,
                seats_json(seats, {**self.arrangement.to_public(), "commitment": commitment}),
            )
        return self._seats_json_cache[1]

    @property
    def free_seats(self) -> list[str]:
        configs = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return [letter for letter, seat_config in configs if not seat_config.bot and not seat_config.claimed]

    @property
    def first_free_seat(self) -> str:
        """The first open seat, or an empty string."""
        return next(iter(self.free_seats), "")

    # Connections and seats.

    async def enter(self, connection: RoomConnection, name: object = None, identity: Identity = UNKNOWN) -> None:
        """Register a connection in its role.

        If it is a player's, the seat's stand-in stops playing, and an open seat is claimed.
        """
        self.access.add(connection)
        if connection.role == SPECTATOR:
            self.notify()
            return
        seat = SEAT_LETTERS.index(connection.role)
        self.clock.resume(seat, self.arrangement.turn_limit, is_connecting=True)
        async with self.exclusive():
            key = getattr(connection, "key", "")
            # The key may be invalid by now, because another player has claimed the seat.
            if key and self.access.role_for_key(key) != connection.role:
                return
            if connection.role in self.free_seats:
                await self._claim(connection.role, key, name, identity)
            else:
                self.holders.record_holder(connection.role, identity)

    def enter_claimed_seat(self, connection: RoomConnection) -> None:
        """Register a connection in a seat that its player has just claimed."""
        self.access.add(connection)
        self.resume_seat(connection.role)

    async def _claim(self, letter: str, key: str, name: object, identity: Identity) -> None:
        """Claim an open seat for a new or returning player, who gets `name` if it is valid. The caller holds the lock.

        Raise `Refused` if a new player may have held another seat of the running game.
        """
        seat, new = SEAT_LETTERS.index(letter), self.arrangement
        is_returning = self.access.is_returning(letter, key)
        if not is_returning:
            if self.playing:
                self.holders.check(letter, identity)
            new = replace(new, deposed=new.deposed.replace(letter, ""))
            self.holders.retire_holder(letter)
        new = new.with_claimed(seat)
        with contextlib.suppress(Refused):
            new = new.with_name(seat, name)
        await self.save_arrangement(new, self.access.digests_for_claim(letter, key) if key else {})
        self.holders.record_holder(letter, identity._replace(keys=(*identity.keys, key)) if key else identity)
        self.access.presence[seat].mark_left()

    def leave(self, connection: RoomConnection) -> None:
        self.access.remove(connection)
        self.notify()

    async def claim_seat(
        self, key: str, name: object, wanted_seat: object = None, identity: Identity = UNKNOWN
    ) -> None:
        """Claim `wanted_seat`, or any open seat if it is None; `key` replaces the seat's key in the host's link.

        Raise `Refused` if the seat is not open, or if the person may have held another seat of the running game.
        """
        async with self.exclusive():
            free = self.free_seats
            if not free:
                raise Refused(errors.ALL_TAKEN)
            if wanted_seat is not None:
                self.arrangement.seat_index(wanted_seat)
                if wanted_seat not in free:
                    raise Refused(errors.JUST_TAKEN)
                free = [str(wanted_seat)]
            for letter in free:
                try:
                    await self._claim(letter, key, name, identity)
                    break
                except Refused:
                    if letter == free[-1]:
                        raise

    async def record_visit(self) -> None:
        """Reset the expiry of a finished game, at most once a day."""
        # Checked before taking the lock, which a thinking bot may hold.
        if self.stage != OVER or time() - self.last_entry_at <= SECONDS_PER_DAY:
            return
        async with self.exclusive():
            if self.stage == OVER and time() - self.last_entry_at > SECONDS_PER_DAY:
                await self.append_entry("visit", {})

    def resume_seat(self, role: str) -> None:
        """Let a player who timed out play again instead of the stand-in."""
        self.clock.resume(SEAT_LETTERS.index(role), self.arrangement.turn_limit)
        self.notify()

    def set_pace(self, role: str, pace: object) -> None:
        """Set the pace of bots that a player prefers; raise `Refused` if it is unknown."""
        self.clock.seats[SEAT_LETTERS.index(role)].pace = parse_pace(pace)
        self.notify()

    def skip_bot_delays(self, role: str) -> None:
        """Skip the delays of bots until the player's next choice."""
        self.clock.seats[SEAT_LETTERS.index(role)].skips_bot_delays = self.choice_number(role) is None
        self.notify()

    def end_look(self, role: str) -> None:
        """Hide the cards that a player is looking at, in memory mode."""
        if self.session is not None and self.session.memory_mode:
            self.session.memory_of(role).seen_at.clear()
            self.access.notify(role)

    def present_seats(self) -> list[int]:
        """Return the seats of players who are connected and have not timed out."""
        configs = enumerate(self.arrangement.seats)
        return [
            index
            for index, config in configs
            if not config.bot and self.access.presence[index].connection_count and not self.clock.seats[index].timed_out
        ]

    def mark_round_seen(self, role: str, rounds: int) -> None:
        """Record that a player has left the summaries of the first rounds; resume the seat if it had timed out."""
        seat = SEAT_LETTERS.index(role)
        self.rounds_seen[seat] = max(self.rounds_seen[seat], rounds)
        self.resume_seat(role)

    # Starting, saving and keeping games.

    async def start_game(self) -> None:
        """Deal and start a game with the current settings. The caller holds the lock."""
        arrangement = self.arrangement
        names = [seat_config.name for seat_config in arrangement.seats]
        opened = make_commitment(game_secret(self.secret_root, self.game_count), self.shuffle_values)
        game = Game.new(
            arrangement.deck_code, len(names), opened.seed, arrangement.token_in_play, names, opened.deals(len(names))
        )
        await self.append_entry("start", start_body(game, opened.seed, opened))
        self.opening = opened
        self._begin_game(game, arrangement.memory)
        self._after_game_start()

    async def start_branch(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Continue a game of another table from a position; `entries` are the log entries of its moves so far."""
        async with self.exclusive():
            for kind, body in entries:
                await self.append_entry(kind, body)
            self.opening = None
            self._begin_game(game, self.arrangement.memory)
            self.rounds_seen = [game.rounds_finished for _ in SEAT_LETTERS]
            self._after_game_start()

    async def keep_game(self, role: str) -> None:
        """Exempt the table from expiry; raise `Refused` for spectators and before the game is over."""
        async with self.exclusive():
            self.seat_index(role)
            if self.game is None or not self.game.over:
                raise Refused(errors.KEEP_LATER)
            await self.mark_kept()

    async def mark_kept(self) -> None:
        """Record in the log that the table does not expire. The caller holds the lock."""
        if not self.is_kept:
            await self.append_entry("keep", {})
            self.is_kept = True

    def _begin_game(self, game: Game, memory: bool) -> None:
        self.last_session = GameSession(game, self.seq, memory, self.clock.timing.look_seconds)
        self.game_count += 1
        self.shuffle_values = {}
        self.bot_players = [BotRunner() for _ in SEAT_LETTERS]
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]
        self.rounds_seen = [0 for _ in SEAT_LETTERS]

    def _after_game_start(self) -> None:
        """Record the players of the game that has begun, end the rematch, and start the clocks."""
        self.human_seats_at_start = "".join(sorted(self.claimed_seats()))
        self.arrangement = replace(self.arrangement, rematch=None)
        self.holders.start_game(self.claimed_seats())
        self._record_players()
        self.clock.start_game()
        self._start_clocks()

    def share_key(self, game: int) -> str:
        """Return the key of the link to game number `game` of this table."""
        code = hmac.digest(self.secret_root, f"replay {game}".encode(), "sha256")
        return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")

    def commitment(self, in_lobby: bool) -> str:
        """Return the shuffle commitment of the next game (`in_lobby`) or the current one; empty if there is none."""
        if in_lobby:
            return game_commitment(self.secret_root, self.game_count)
        return self.opening.commitment if self.opening is not None else ""

    def opening_json(self) -> str:
        """Return the data to verify the last finished round as JSON; empty if there is none or it had no commitment."""
        if self.opening is None or self.game is None or not self.game.rounds_finished:
            return ""
        index = self.game.rounds_finished
        return json.dumps(self.opening.verification_data(index, self.game.deals[index - 1]))

    def seat_index(self, role: str) -> int:
        if role == SPECTATOR:
            raise Refused(errors.ONLY_WATCH)
        return self.arrangement.person_seat_index(role)

    async def save_arrangement(self, new: Arrangement, digests: dict[str, str] | None = None) -> None:
        """Write changed settings to the log, with new digests by role, and apply them."""
        if new == self.arrangement and not digests:
            return
        await self.append_entry("arrange", {"arrangement": new.to_log(), "digests": digests or {}})
        self._apply_arrangement(new, digests or {})

    def _apply_arrangement(self, new: Arrangement, digests: dict[str, str]) -> None:
        """Apply changed settings; rename the players of a running game."""
        self.arrangement = new
        taken = self.claimed_seats()
        self.shuffle_values = {seat: value for seat, value in self.shuffle_values.items() if seat in taken}
        self.access.digests = {**self.access.digests, **digests}
        if self.playing and self.session is not None:
            self.holders.held_seats |= self.claimed_seats()
            self._record_players()
            self.session.rename([seat_config.name for seat_config in new.seats], self.seq)

    def _record_players(self) -> None:
        self.played_by = {letter: self.access.digests.get(letter, "") for letter in self.claimed_seats()}

    def claimed_seats(self) -> set[str]:
        configs = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return {letter for letter, seat_config in configs if seat_config.claimed and not seat_config.bot}

    # Moves.

    async def play_move(self, role: str, choice: object, text: object, hold: bool = False) -> None:
        """Play a move that answers the choice with this number; raise `Stale` if that is not the pending choice.

        With `hold`, a move that reveals nothing is held back, and can be undone, until the player's next move.
        """
        async with self.exclusive():
            seat = self.seat_index(role)
            if self.session is None or not self.playing:
                raise Refused(errors.NO_GAME)
            move = self.session.try_move(role, choice, text)
            self.clock.resume(seat, self.arrangement.turn_limit)
            if hold and self.session.hold_move(move):
                return
            await self.commit_move(move)

    async def take_back(self, role: str) -> None:
        """Undo the held move of a role."""
        async with self.exclusive():
            self.seat_index(role)
            if self.session is None or not self.playing:
                raise Refused(errors.NO_GAME)
            self.session.take_back(role)

    async def commit_move(self, move: PlayedMove) -> None:
        """Write a move to the log, then apply it. The caller holds the lock."""
        assert self.last_session is not None
        await self.append_entry("move", move_body(self.last_session.game, move))
        self._apply_move(move)
        self.clock.record_move()
        self._start_clocks()

    def _apply_move(self, move: PlayedMove) -> None:
        assert self.last_session is not None
        self.last_session.commit(move, self.seq)
        self.bot_move_counts[SEAT_LETTERS.index(move.seat)] += bool(move.bot)

    def _start_clocks(self) -> None:
        if self.session is not None:
            self.clock.start_turn(self.session.game, self.session.pending.values(), self.arrangement.turn_limit)

    @contextlib.asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Hold the lock during a change, then notify the ticker and all connections.

        If another server has written to the log, reload the room and raise `Stale`.
        """
        async with self.lock:
            try:
                yield
            except EntryConflict:
                await self._reload()
                raise Stale(errors.CHANGED_MEANWHILE) from None
            except LogError as error:
                if not self.released and not isinstance(error, WriterFenced):
                    self.failed_saves += 1
                    self.access.notify()
                raise
        self.notify()

    async def _reload(self) -> None:
        """Reload from the log, which another server has written to, or which a cancelled request has changed.

        Connections stay open; in memory mode, recent looks are lost.
        """
        entries = await asyncio.to_thread(self.log.entries, self.name)
        new = await Room.load(self.name, entries, self.log, self.clock.timing)
        self.arrangement, self.access.digests = new.arrangement, new.access.digests
        self.holders.held_seats, self.played_by = new.holders.held_seats, new.played_by
        self.seq, self.game_count, self.last_session = new.seq, new.game_count, new.last_session
        self.last_arrange_digests = new.last_arrange_digests
        self.last_entry_at, self.created_at, self.is_kept = new.last_entry_at, new.created_at, new.is_kept
        self.secret_root, self.opening = new.secret_root, new.opening
        self.human_seats_at_start = new.human_seats_at_start
        self.bot_players, self.bot_move_counts = new.bot_players, new.bot_move_counts
        self.rounds_seen = [min(pair) for pair in zip(self.rounds_seen, new.rounds_seen, strict=True)]
        self.clock.reset()
        self.clock.last_move_at = new.clock.last_move_at
        self._start_clocks()
        self.notify()

    def notify(self) -> None:
        """Wake the background task, and notify all connections."""
        self.last_active = monotonic()
        self.ticker.wake()
        self.access.notify()

    async def close(self) -> None:
        await self.ticker.close()

    async def release(self) -> None:
        """Stop writing and disconnect all clients, because another server may own the table."""
        self.released = True
        self.access.notify()
        await self.close()

    # The log.

    async def append_entry(self, kind: str, body: dict[str, Any]) -> None:
        """Append an entry to the log; consecutive `arrange` entries become one. The caller holds the lock.

        Raises `EntryConflict` if another server has written to the log.
        """
        if self.released:
            raise LogError("another server owns this table now")
        if kind == "arrange" and self.last_arrange_digests is not None:
            body = {**body, "digests": {**self.last_arrange_digests, **body["digests"]}}
            await self.log.replace(self.name, self.seq, kind, body)
        else:
            await self.log.append(self.name, self.seq, kind, body)
        self.seq += 1
        self.last_arrange_digests = body["digests"] if kind == "arrange" else None
        self.last_entry_at = time()

    @staticmethod
    def from_entries(name: str, entries: Iterable[Entry], log: Journal, timing: Timing) -> "Room":
        """Load a room from its entries."""
        *_, room = Room._replay_entries(name, entries, log, timing)
        return room

    @staticmethod
    async def load(name: str, entries: Iterable[Entry], log: Journal, timing: Timing) -> "Room":
        """Load a room from its entries, yielding to the event loop after each slice."""
        for room in Room._replay_entries(name, entries, log, timing):  # noqa: B007
            await asyncio.sleep(0)
        return room

    @staticmethod
    def _replay_entries(name: str, entries: Iterable[Entry], log: Journal, timing: Timing) -> Iterator["Room"]:
        """Yield the room after each slice of its entries; the last one is complete."""
        entry_list = list(entries)
        if not entry_list or entry_list[0].kind != "table":
            raise CorruptEntry(f"the log of table {name} does not begin with an entry of kind table")
        first = entry_list[0].body
        room = Room(name, log, dict(first["digests"]), Arrangement.from_log(first["arrangement"]), timing)
        for index, entry in enumerate(entry_list):
            room._replay_entry(entry_list, index)
            if entry.kind == "arrange":
                key_versions = room.arrangement.key_versions
                room._apply_arrangement(
                    Arrangement.from_log(entry.body["arrangement"], key_versions), entry.body["digests"]
                )
            elif entry.kind == "start":
                room._after_game_start()
            if index % REPLAY_SLICE == REPLAY_SLICE - 1:
                yield room
        room._after_restore(entry_list[-1])
        moved_at = [entry.at for entry in entry_list if entry.kind in ("start", "move")]
        room.clock.last_move_at = monotonic() - max(0.0, time() - max(moved_at, default=time()))
        room.access.restore_absences(max(0.0, time() - entry_list[-1].at))
        room._start_clocks()
        yield room

    def _replay_entry(self, entries: list[Entry], index: int) -> None:
        """Apply one of the entries to the games. A `start` entry also needs the later deals in the entries after it."""
        entry = entries[index]
        self.seq, self.last_entry_at = entry.seq + 1, entry.at
        self.last_arrange_digests = entry.body["digests"] if entry.kind == "arrange" else None
        self.created_at = min(self.created_at, entry.at)
        self.is_kept = self.is_kept or entry.kind == "keep"
        if entry.kind == "table" and "secret" in entry.body:
            self.secret_root = bytes.fromhex(entry.body["secret"])
        if entry.kind == "start":
            self.opening = read_commitment(entry.body)
            self._begin_game(restore_game(entries[index:]), self.arrangement.memory)
        elif entry.kind == "move":
            assert self.last_session is not None
            self._apply_move(apply_move(self.last_session.game, entry.body))

    def _after_restore(self, last: Entry) -> None:
        """Finish loading: mark all round summaries as seen, except one that the last entry has added."""
        if self.game is not None:
            ended = last.kind == "move" and ("deal" in last.body or self.game.over)
            self.rounds_seen = [self.game.rounds_finished - ended for _ in SEAT_LETTERS]
