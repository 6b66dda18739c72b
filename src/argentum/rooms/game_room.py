"""The part of a room that plays games: its log, connections, clocks and bots."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from math import inf
from time import monotonic, time
from typing import Final, NamedTuple

from argentum.display.errors import Refused, Stale
from argentum.display.scene import Scene, SeatInfo
from argentum.display.session import SPECTATOR, GameSession, PlayedMove
from argentum.records.fairness import DealCommitment
from argentum.rooms.access import RoomConnection, SeatKeys, SeatPresence
from argentum.rooms.arrangement import Arrangement
from argentum.rooms.bot_players import STAND_IN, BotRunner
from argentum.rooms.chat import Chat
from argentum.rooms.clock import RematchTimer, RoomClock, Timing
from argentum.rooms.commitments import bot_seed
from argentum.rooms.entries import (
    ArrangementChanged,
    MovePlayed,
    RoomEntry,
    RoomState,
    read_entries,
    replay,
)
from argentum.rooms.log.databases import LogError
from argentum.rooms.log.journal import Entry, EntryConflict, Journal, WriterFenced
from argentum.rooms.ticker import Ticker, tick
from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View
from argentum.words import errors

LOBBY, PLAYING, OVER = "gathering", "playing", "over"  # stages


class BotTurn(NamedTuple):
    """A choice that a bot makes. Two are equal if a move for one answers the other."""

    session: GameSession
    seat: int
    letter: str
    bot: str
    number: int  # of the choice


class BotThought(NamedTuple):
    turn: BotTurn
    task: asyncio.Task[PlayedMove]


class GameRoom:
    """The part of a room that plays games: its log, connections, clocks and bots.

    Its parts are private: other modules read and change a room through its properties and methods.
    """

    def __init__(self, name: str, log: Journal, state: RoomState, timing: Timing) -> None:
        self.name: Final = name
        self._log = log
        self._state = state
        self._lock = asyncio.Lock()  # held during a change of the state, but never while a bot thinks
        self._failed_saves = 0
        self._released = False  # nothing may be written, because another server may own the table
        self._last_active = monotonic()
        self._ticker = Ticker(name, lambda: tick(self), lambda: self._is_active and not self._released)
        # People.
        self._connections: set[RoomConnection] = set()
        away_before = max(0.0, time() - state.last_entry_at)
        self._presence = [SeatPresence(away_before=away_before) for _ in SEAT_LETTERS]
        self._notified_absent_seats = ""  # the absent seats that all connections have been notified of
        self._chat = Chat()
        self._hint_consents: set[str] = set()  # digests of the keys of players who agree to hints
        self._seat_cache: tuple[tuple[object, ...], tuple[SeatInfo, ...]] = ((), ())
        # Games.
        self._clock = RoomClock(timing)
        self._rematch_timer = RematchTimer()
        self._bot_runners = self._new_bot_runners()
        self._thought: BotThought | None = None  # of the bot that thinks now
        # By seat: rounds whose summary the player has left.
        self._rounds_seen = [state.rounds_before_last_entry for _ in SEAT_LETTERS]
        self._restart_clocks()

    @property
    def timing(self) -> Timing:
        return self._clock.timing

    # The saved state.

    @property
    def arrangement(self) -> Arrangement:
        return self._state.arrangement

    @property
    def keys(self) -> SeatKeys:
        return self._state.keys

    @property
    def game(self) -> Game | None:
        """The current or last game."""
        return self._state.game

    @property
    def game_count(self) -> int:
        """The number of games started."""
        return self._state.game_count

    @property
    def stage(self) -> str:
        """The stage: gathering, playing or over."""
        session = self._state.session
        if session is None:
            return LOBBY
        return OVER if session.game.over else PLAYING

    @property
    def playing(self) -> bool:
        return self._state.playing

    @property
    def opening(self) -> DealCommitment | None:
        """The secret and values from which the deals of the last game are derived."""
        return self._state.opening

    @property
    def seq(self) -> int:
        """The number of the next log entry."""
        return self._state.seq

    def claimed_seats(self) -> set[str]:
        return self._state.claimed_seats()

    @property
    def free_seats(self) -> list[str]:
        configs = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return [letter for letter, seat_config in configs if not seat_config.bot and not seat_config.claimed]

    @property
    def first_free_seat(self) -> str:
        """The first open seat, or an empty string."""
        return next(iter(self.free_seats), "")

    # Who is here.

    @property
    def connections(self) -> tuple[RoomConnection, ...]:
        return tuple(self._connections)

    def connection_count(self, role: str) -> int:
        return sum([connection.role == role for connection in self._connections])

    def is_connected(self, letter: str) -> bool:
        return self._presence[SEAT_LETTERS.index(letter)].connection_count > 0

    def has_timed_out(self, role: str) -> bool:
        """Whether a bot fills in for a player whose time has run out."""
        return role != SPECTATOR and self._clock.seats[SEAT_LETTERS.index(role)].timed_out

    def is_present(self, letter: str) -> bool:
        """Whether the player of a seat is connected and has not timed out."""
        return self.is_connected(letter) and not self.has_timed_out(letter)

    def seats(self) -> tuple[SeatInfo, ...]:
        """Return the public state of the seats; the same object while nothing changes."""
        connected = [presence.connection_count > 0 for presence in self._presence]
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
        now, seats = monotonic(), zip(self._clock.seats, self._presence, strict=True)
        return [
            clock.timed_out
            or (must_return and not presence.connection_count and self._clock.is_grace_over(presence.left_at, now))
            for clock, presence in seats
        ]

    def stand_in(self, seat: int) -> str:
        """Return the bot that fills in for the player of a seat, or an empty string."""
        is_vacant = self._away_flags()[seat] or not self.arrangement.seats[seat].claimed
        return STAND_IN if is_vacant and self.playing else ""

    @property
    def absent_seats(self) -> str:
        """The seats of players who have been away, or timed out, for so long that others may act for them."""
        now = monotonic()
        return "".join(sorted([letter for letter in self.claimed_seats() if now >= self._absent_from(letter)]))

    def _absent_from(self, letter: str) -> float:
        """Return when the player of a seat is away, or timed out, for so long that others may act for them.

        The host may then free the seat, and others may take over from the host. Infinite if the player is present.
        """
        seat = SEAT_LETTERS.index(letter)
        clock, presence = self._clock.seats[seat], self._presence[seat]
        ends = [clock.timed_out_at + self.timing.disconnect_grace] if clock.timed_out else []
        if not presence.connection_count:
            may_take_a_day = self.arrangement.is_slow and self.playing
            ends.append(self._clock.absent_from(presence.left_at, presence.away_before, may_take_a_day))
        return min(ends, default=inf)

    @property
    def _is_active(self) -> bool:
        """Whether the background task has to run. Where people may take days, bots move even if nobody is connected."""
        return bool(self._connections) or (self.arrangement.is_slow and self.playing)

    # What clients are shown.

    def choice_number(self, role: str) -> int | None:
        session = self._state.session
        return session.choice_number(role) if session is not None else None

    def time_left(self) -> float | None:
        """Return the seconds until the next deadline; None if there is none."""
        session = self._state.session
        if session is None:
            return round(self._rematch_timer.seconds_left(), 1) if self.undecided() else None
        return self._clock.seconds_left(session.pending.values(), self.arrangement.turn_seconds)

    def undecided(self) -> list[SeatInfo]:
        """Return the players whose decision about a swap the rematch waits for."""
        return self._rematch_timer.undecided(self.seats(), self.arrangement.rematch, self._seats_allowed_to_start())

    def _seats_allowed_to_start(self) -> set[str]:
        """Return the seats that may start the next game: the host's, and other seats on the host's device."""
        host = self.arrangement.host
        devices = [getattr(connection, "roles", ()) for connection in self._connections]
        return {host, *[role for roles in devices if host in roles for role in roles]}

    def build_scene(self, role: str, max_lines: int) -> Scene:
        """Build the table as a role sees it now, with at most `max_lines` lines of the log."""
        return self._running_session().build_scene(role, self.seats(), max_lines, self.arrangement.guided)

    def events_of(self, role: str) -> Sequence[Event]:
        """Return the events of the game as a role has seen them, also those of a held move; none without a game."""
        session = self._state.session
        return session.memory_of(role).events if session is not None else ()

    def view_of(self, role: str) -> View:
        """Return what a role knows; unlike in a scene, also cards that fade in memory mode."""
        return self._running_session().memory_of(role).view

    def is_looking(self, role: str) -> bool:
        """Whether a card is shown to the role for some seconds in memory mode."""
        session = self._state.session
        return session is not None and session.is_looking(role)

    @property
    def look_seconds(self) -> float | None:
        """How long a card that was looked at is shown; None without memory mode."""
        session = self._state.session
        return session.look_seconds if session is not None and session.memory_mode else None

    def rounds_seen(self, seat: str) -> int:
        """Return how many summaries of rounds the player of a seat has left."""
        return self._rounds_seen[SEAT_LETTERS.index(seat)]

    @property
    def chat_position(self) -> tuple[int, bool]:
        """The position of a client that has seen the whole chat, for :meth:`unread_chat`."""
        return self._chat.line_count, self._chat.disabled

    def seats_allowing_hints(self) -> list[str]:
        return [seat for seat in sorted(self.claimed_seats()) if self.keys.digests.get(seat) in self._hint_consents]

    def _running_session(self) -> GameSession:
        session = self._state.session
        if session is None:
            raise Refused(errors.NO_GAME)
        return session

    # Moves.

    def seat_index(self, role: str) -> int:
        """Return the index of a player's seat; raise `Refused` for spectators."""
        if role == SPECTATOR:
            raise Refused(errors.ONLY_WATCH)
        index, seats = SEAT_LETTERS.index(role), self.arrangement.seats
        return index if index < len(seats) and not seats[index].bot else self.arrangement.person_seat_index(role)

    async def play_move(self, role: str, choice: object, text: object, hold: bool = False) -> bool:
        """Play a move that answers the choice with this number; raise `Stale` if that is not the pending choice.

        With `hold`, a move that reveals nothing is held back, and can be undone, until the player's next move. Return
        whether it is held.
        """
        async with self.exclusive():
            seat = self.seat_index(role)
            if not self.playing:
                raise Refused(errors.NO_GAME)
            session = self._running_session()
            move = session.try_move(role, choice, text)
            self._clock.resume(seat, self.arrangement.turn_limit)
            is_held = hold and session.hold_move(move)
            if not is_held:
                await self._commit_move(move)
        return is_held

    async def take_back(self, role: str) -> None:
        """Undo the held move of a role."""
        async with self.exclusive():
            self.seat_index(role)
            if not self.playing:
                raise Refused(errors.NO_GAME)
            self._running_session().take_back(role)

    async def _commit_move(self, move: PlayedMove) -> None:
        """Write a move to the log, then apply it. The caller holds the lock."""
        await self._append(MovePlayed.from_move(self._running_session().game, move))
        self._state.apply_move(move)
        self._clock.record_move()
        self._start_clocks()

    def _start_clocks(self) -> None:
        session = self._state.session
        if session is not None:
            self._clock.start_turn(session.game, session.pending.values(), self.arrangement.turn_limit)

    def _restart_clocks(self) -> None:
        """Start the clocks of a state that was loaded from the log."""
        self._clock.restart(max(0.0, time() - self._state.last_move_at))
        self._start_clocks()

    # Work of the background task. A method returns in how many seconds it must be called again, or None.

    def notice_absences(self, now: float) -> float | None:
        """Notify all connections if the set of absent players has changed; return when it changes next."""
        if self._notified_absent_seats != self.absent_seats:
            self._notified_absent_seats = self.absent_seats
            self.notify_connections()
        ends = [self._absent_from(letter) for letter in self.claimed_seats()]
        return min([end - now for end in ends if now < end < inf], default=None)

    def end_rematch_time(self) -> float | None:
        """Notify all connections once the time for swaps before a rematch is over."""
        if self.arrangement.rematch is None or not self._rematch_timer.deadline:
            return None
        remaining = self._rematch_timer.seconds_left()
        if not remaining:
            self._rematch_timer.deadline = 0.0
            self.notify_connections()
        return remaining or None

    def expire_turn(self, seat: int, now: float) -> float | None:
        """Let a bot fill in for a player whose time has run out."""
        turn_limit = self.arrangement.turn_limit
        if self._clock.expire(seat, turn_limit, now):
            self.notify()
            return 0.0
        return self._clock.seats[seat].deadline - now if turn_limit else None

    def expire_looks(self, seat: int, now: float) -> float | None:
        """Hide the cards that a player has looked at for long enough, in memory mode."""
        session, role = self._state.session, SEAT_LETTERS[seat]
        if session is None or not session.memory_mode or role not in session.memories:
            return None
        ended, wait = session.memory_of(role).expire_looks(now, session.look_seconds)
        if ended:
            self.notify_connections(role)
        return wait

    def bot_for(self, seat: int) -> str:
        """Return the bot that plays a seat now, as its own or for an absent player, or an empty string."""
        return self.arrangement.seats[seat].bot or self.stand_in(seat)

    def remaining_bot_delay(self, now: float) -> float:
        """Return the seconds until a bot may move, 0 or less if it may move now."""
        present = [
            index
            for index, config in enumerate(self.arrangement.seats)
            if not config.bot and self.is_present(SEAT_LETTERS[index])
        ]
        return self._clock.remaining_bot_delay(self._running_session().game, now, present)

    async def play_bot(self, seat: int) -> None:
        """Play a bot's move, in its own seat or for an absent player.

        The bot thinks without the lock. Its move is dropped if the choice is answered otherwise meanwhile, or if the
        player returns. Where people may take days, a stand-in does not call, so that nobody misses the end of a round.
        """
        turn = self._bot_turn(seat)
        if turn is None:
            return
        revision, game = turn.session.revision, turn.session.game.copy()
        may_call = bool(self.arrangement.seats[seat].bot) or not self.arrangement.is_slow
        thinking = self._bot_runners[seat].play(game, turn.letter, turn.bot, self.timing.bot_time_limit, may_call)
        task = asyncio.create_task(thinking)
        self._thought = BotThought(turn, task)
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()
            self._thought = None
        if task.cancelled():
            return
        move = task.result()._replace(bot=turn.bot)
        async with self.exclusive():
            if self._bot_turn(seat) == turn:
                is_current = turn.session.revision == revision
                await self._commit_move(move if is_current else turn.session.replay_move(move))

    def _cancel_obsolete_thought(self) -> None:
        thought = self._thought
        if thought is not None and self._bot_turn(thought.turn.seat) != thought.turn:
            thought.task.cancel()

    def _bot_turn(self, seat: int) -> BotTurn | None:
        """Return the choice that a bot must make in a seat; None if there is none."""
        session, letter = self._state.session, SEAT_LETTERS[seat]
        number = session.choice_number(letter) if session is not None else None
        if session is None or number is None:
            return None
        bot = self.bot_for(seat)
        return BotTurn(session, seat, letter, bot, number) if bot else None

    # Changes and notifications.

    @contextlib.asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Hold the lock during a change, then notify the ticker and all connections.

        If another server has written to the log, reload the room and raise `Stale`.
        """
        async with self._lock:
            try:
                yield
            except EntryConflict:
                await self._reload()
                raise Stale(errors.CHANGED_MEANWHILE) from None
            except LogError as error:
                if not self._released and not isinstance(error, WriterFenced):
                    self._failed_saves += 1
                    self.notify_connections()
                raise
        self.notify()

    def notify(self) -> None:
        """Wake the background task, and notify all connections."""
        self._last_active = monotonic()
        self._cancel_obsolete_thought()
        self._ticker.wake()
        self.notify_connections()

    def notify_connections(self, role: str = "") -> None:
        """Notify all connections, or those in one role."""
        for connection in self._connections:
            if role in ("", connection.role):
                connection.notify()

    @property
    def last_active(self) -> float:
        """When anything last changed, in monotonic time."""
        return self._last_active

    @property
    def failed_saves(self) -> int:
        """The number of failed writes to the log."""
        return self._failed_saves

    # The log.

    @property
    def released(self) -> bool:
        """Whether the room must not be used any more, because another server may own the table."""
        return self._released

    async def release(self) -> None:
        """Stop writing and disconnect all clients, because another server may own the table."""
        self._released = True
        self.notify_connections()
        await self.close()

    async def finish_and_release(self) -> None:
        """Release the room after pending writes."""
        async with self._lock:
            await self.release()

    async def close(self) -> None:
        await self._ticker.close()

    async def _append(self, entry: RoomEntry) -> None:
        """Append an entry to the log; consecutive changes of the arrangement become one. The caller holds the lock.

        Raises `EntryConflict` if another server has written to the log.
        """
        if self._released:
            raise LogError("another server owns this table now")
        seq, previous = self.seq, self._state.last_entry
        if seq and isinstance(entry, ArrangementChanged) and isinstance(previous, ArrangementChanged):
            entry = entry.after(previous)
            await self._log.replace(self.name, seq, entry.kind, entry.body())
        else:
            await self._log.append(self.name, seq, entry.kind, entry.body())
        self._state.record(entry, seq, time())

    def _new_bot_runners(self) -> list[BotRunner]:
        """Return a runner for each seat of the current game, whose random numbers derive from the room's secret."""
        root, number = self._state.secret_root, self.game_count
        return [BotRunner(bot_seed(root, number, seat)) for seat in SEAT_LETTERS]

    async def _reload(self) -> None:
        """Reload from the log, which another server has written to, or which a cancelled request has changed.

        Connections stay open; in memory mode, recent looks are lost.
        """
        stored = await asyncio.to_thread(self._log.entries, self.name)
        self._state = await load_state(stored, self.timing.look_seconds)
        self._bot_runners = self._new_bot_runners()
        self._rounds_seen = [min(rounds, self._state.rounds_before_last_entry) for rounds in self._rounds_seen]
        self._restart_clocks()
        self.notify()


async def load_state(stored: Sequence[Entry], look_seconds: float) -> RoomState:
    """Replay the entries of a room, yielding to the event loop after each slice."""
    entries = await asyncio.to_thread(read_entries, stored)
    for state in replay(stored, entries, look_seconds):  # noqa: B007
        await asyncio.sleep(0)
    return state
