"""A room: a table with its games, and the people who come, chat, change its settings and go."""

import contextlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from dataclasses import replace
from time import monotonic, time

from argentum.display.errors import Refused, Stale
from argentum.display.scene import SeatInfo
from argentum.display.session import SPECTATOR
from argentum.display.updates import PROTOCOL_VERSION, seats_json, table_fields_json, update_json
from argentum.records.fairness import DealCommitment, make_commitment
from argentum.rooms.access import KEY_BYTES, RoomConnection, SeatKeys, key_digest
from argentum.rooms.arrangement import SECONDS_PER_DAY, Arrangement
from argentum.rooms.clock import Timing, parse_pace
from argentum.rooms.commitments import game_commitment, game_secret
from argentum.rooms.entries import (
    ArrangementChanged,
    GameKept,
    GameStarted,
    RoomEntry,
    RoomState,
    TableCreated,
    TableVisited,
    read_entries,
    replay,
)
from argentum.rooms.game_room import LOBBY, OVER, GameRoom, load_state
from argentum.rooms.holders import UNKNOWN, Identity, SeatHolders
from argentum.rooms.limits import TokenBucket
from argentum.rooms.log.journal import Entry, Journal
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.words import errors
from argentum.words.advice import ExchangeWarning

CHANGE_BURST, CHANGE_RATE = 60, 1.0  # changes of the arrangement by one seat: at once, and per second on average


class Room(GameRoom):
    """A table: its games, and the people who come, chat, change its settings and go."""

    def __init__(self, name: str, log: Journal, state: RoomState, timing: Timing) -> None:
        super().__init__(name, log, state, timing)
        self._holders = SeatHolders()
        self._host_address = ""
        self._change_buckets = {seat: TokenBucket(CHANGE_BURST, CHANGE_RATE) for seat in SEAT_LETTERS}
        self._shuffle_values: dict[str, str] = {}  # contributions of the seats to the next game's shuffles
        self._update_cache: tuple[tuple[object, ...], str] = ((), "")
        self._seats_json_cache: tuple[tuple[object, ...], str] = ((), "")

    # Loading and saving.

    @staticmethod
    def from_entries(name: str, stored: Sequence[Entry], log: Journal, timing: Timing) -> "Room":
        """Load a room from its entries; raise `CorruptEntry` if they are invalid."""
        *_, state = replay(stored, read_entries(stored), timing.look_seconds)
        return Room(name, log, state, timing)

    @staticmethod
    async def load(name: str, stored: Sequence[Entry], log: Journal, timing: Timing) -> "Room":
        """Load a room from its entries, yielding to the event loop after each slice."""
        return Room(name, log, await load_state(stored, timing.look_seconds), timing)

    def make_past(self, key: str, present: "Room") -> None:
        """Turn this copy of the room `present`, as of the end of a game, into what the link with `key` opens.

        Spectators can watch with the key. Nobody can claim a seat or chat.
        """
        state, seats = self._state, self.arrangement.seats
        seats = tuple([replace(seat_config, claimed=True) for seat_config in seats])
        state.arrangement, state.keys = replace(self.arrangement, seats=seats), SeatKeys({SPECTATOR: key_digest(key)})
        state.is_kept, state.last_entry_at = present.is_kept, present.last_entry_at
        self._chat.disabled = True

    async def save_creation(self) -> None:
        """Write the first entry of a new table; raise `EntryConflict` if there is a table of this name."""
        await self._append(TableCreated(self.arrangement, self.keys.digests, self._state.secret_root))

    def revoke_keys(self) -> None:
        """Make all keys invalid and hide the table, because it is being deleted."""
        self._state.keys = SeatKeys(dict.fromkeys(self.keys.digests, ""))
        self._state.arrangement = replace(self.arrangement, listed=False)

    @property
    def created_at(self) -> float:
        return self._state.created_at

    @property
    def last_entry_at(self) -> float:
        return self._state.last_entry_at

    @property
    def is_kept(self) -> bool:
        """Whether a player asked to keep the games."""
        return self._state.is_kept

    async def keep_game(self, role: str) -> None:
        """Exempt the table from expiry; raise `Refused` for spectators and before the game is over."""
        async with self.exclusive():
            self.seat_index(role)
            if self.game is None or not self.game.over:
                raise Refused(errors.KEEP_LATER)
            if not self.is_kept:
                await self._append(GameKept())

    async def record_visit(self) -> None:
        """Reset the expiry of a finished game, at most once a day."""
        if self.stage != OVER or time() - self.last_entry_at <= SECONDS_PER_DAY:
            return
        async with self.exclusive():
            if self.stage == OVER and time() - self.last_entry_at > SECONDS_PER_DAY:
                await self._append(TableVisited())

    # The last game.

    def players(self) -> tuple[SeatInfo, ...]:
        """Return the seats of the last game, which differ from the table's if the host has changed those since."""
        assert self.game is not None
        seats = {seat.letter: seat for seat in self.seats()}
        names = zip(self.game.seats, self.game.names, strict=False)
        return tuple([seats.get(letter) or SeatInfo(letter, name, "", False, "") for letter, name in names])

    def has_played(self, role: str) -> bool:
        """Whether the player who has a seat now also had it in the last game."""
        return role in self._state.played_by and self.keys.digest_of(role) == self._state.played_by[role]

    @property
    def human_seats_at_start(self) -> str:
        """The seats of players when the game began."""
        return self._state.human_seats_at_start

    @property
    def bot_move_counts(self) -> Sequence[int]:
        """The number of moves that a bot has made, by seat."""
        return tuple(self._state.bot_move_counts)

    def mark_round_seen(self, role: str, rounds: int) -> None:
        """Record that a player has left the summaries of the first rounds; resume the seat if it had timed out."""
        seat = SEAT_LETTERS.index(role)
        self._rounds_seen[seat] = max(self._rounds_seen[seat], rounds)
        self.resume_seat(role)

    def share_key(self, game: int) -> str:
        """Return the key of the link to game number `game` of this table."""
        code = hmac.digest(self._state.secret_root, f"replay {game}".encode(), "sha256")
        return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")

    def commitment(self, in_lobby: bool) -> str:
        """Return the shuffle commitment of the next game (`in_lobby`) or the current one; empty if there is none."""
        if in_lobby:
            return game_commitment(self._state.secret_root, self.game_count)
        return self.opening.commitment if self.opening is not None else ""

    def opening_json(self) -> str:
        """Return the data to verify the last finished round as JSON; empty if there is none or it had no commitment."""
        if self.opening is None or self.game is None or not self.game.rounds_finished:
            return ""
        index = self.game.rounds_finished
        return json.dumps(self.opening.verification_data(index, self.game.deals[index - 1]))

    # What programs are sent.

    def update_json(self, role: str, since: int | None, protocol: int = PROTOCOL_VERSION) -> tuple[str, int]:
        """Return an update for a role with the events from index `since`, and the number of events so far."""
        return update_json(role, self._update_fields(), self._state.session, since, self.time_left(), protocol)

    def _update_fields(self) -> str:
        """Return the part of a JSON update that is the same for all clients, from a cache if possible."""
        seats = self.seats()
        cache_key = (self.seq, seats)
        if self._update_cache[0] != cache_key:
            game = self.game if self._state.session is not None else None
            fields = table_fields_json(self.name, self.seq, self.stage, self._seats_fields(seats), game)
            self._update_cache = (cache_key, fields)
        return self._update_cache[1]

    def _seats_fields(self, seats: tuple[SeatInfo, ...]) -> str:
        commitment = self.commitment(self.stage == LOBBY)
        cache_key = (seats, self.arrangement, commitment)
        if self._seats_json_cache[0] != cache_key:
            arrangement = {**self.arrangement.to_public(), "commitment": commitment}
            self._seats_json_cache = (cache_key, seats_json(seats, arrangement))
        return self._seats_json_cache[1]

    @property
    def memory_mode(self) -> bool:
        """Whether the current game, or else the last one, is played from memory."""
        session = self._state.last_session
        return session is not None and session.memory_mode

    def game_of(self, role: str) -> Game | None:
        """Return a copy of the current game in which a role plays next, after its held move; None without a game."""
        session = self._state.session
        return session.game_of(role).copy() if session is not None else None

    def preview_exchange(self, seat: str, spots: object) -> ExchangeWarning:
        """Return the consequences of exchanging `spots` that the seat can know; raise `Refused` if it is illegal."""
        if self.choice_number(seat) is None:
            raise Stale(errors.NOTHING_ASKED)
        return self._running_session().preview_exchange(seat, spots)

    # Connections and seats.

    async def enter(self, connection: RoomConnection, name: object = None, identity: Identity = UNKNOWN) -> None:
        """Register a connection in its role.

        If it is a player's, the seat's stand-in stops playing, and an open seat is claimed.
        """
        self._connections.add(connection)
        if connection.role == SPECTATOR:
            self.notify()
            return
        seat = SEAT_LETTERS.index(connection.role)
        self._presence[seat].connection_count += 1
        self._clock.resume(seat, self.arrangement.turn_limit, is_connecting=True)
        async with self.exclusive():
            key = getattr(connection, "key", "")
            # The key may be invalid by now, because another player has claimed the seat.
            if key and self.keys.role_for_key(key) != connection.role:
                return
            if connection.role in self.free_seats:
                await self._claim(connection.role, key, name, identity)
            else:
                self._holders.record_holder(connection.role, identity)

    def enter_claimed_seat(self, connection: RoomConnection) -> None:
        """Register a connection in a seat that its player has just claimed."""
        self._connections.add(connection)
        self._presence[SEAT_LETTERS.index(connection.role)].connection_count += 1
        self.resume_seat(connection.role)

    def leave(self, connection: RoomConnection) -> None:
        """Remove a connection, if it was registered."""
        if connection not in self._connections:
            return
        self._connections.discard(connection)
        if connection.role != SPECTATOR:
            presence = self._presence[SEAT_LETTERS.index(connection.role)]
            presence.connection_count -= 1
            presence.mark_left()
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

    async def _claim(self, letter: str, key: str, name: object, identity: Identity) -> None:
        """Claim an open seat for a new or returning player, who gets `name` if it is valid. The caller holds the lock.

        Raise `Refused` if a new player may have held another seat of the running game.
        """
        seat, new = SEAT_LETTERS.index(letter), self.arrangement
        if not self.keys.is_returning(letter, key):
            if self.playing:
                self._holders.check(letter, identity, self._state.held_seats)
            new = replace(new, deposed=new.deposed.replace(letter, ""))
            self._holders.retire_holder(letter, self._state.held_seats)
        new = new.with_claimed(seat)
        with contextlib.suppress(Refused):
            new = new.with_name(seat, name)
        await self.save_arrangement(new, self.keys.digests_for_claim(letter, key) if key else {})
        self._holders.record_holder(letter, identity._replace(keys=(*identity.keys, key)) if key else identity)
        self._presence[seat].mark_left()

    def key_in_use(self, seat: object) -> str:
        """Return the valid key of a connection to a seat, or an empty string if there is none."""
        keys = [str(getattr(connection, "key", "")) for connection in self._connections if connection.role == seat]
        return next((key for key in keys if key_digest(key) == self.keys.digest_of(str(seat))), "")

    @property
    def host_address(self) -> str:
        """Where the host last connected from; never saved."""
        return self._host_address

    def set_host_address(self, address: str) -> None:
        self._host_address = address

    def grace_left(self, letter: str) -> float:
        """Return the seconds until the player of a seat counts as absent; infinite while they are present."""
        return self._absent_from(letter) - monotonic()

    def may_free(self, letter: str) -> bool:
        """Whether the host may free a seat after the game has started."""
        return letter in self.absent_seats and not (self.playing and letter in self.arrangement.deposed)

    def may_take_over(self, role: str) -> bool:
        """Whether a player may take over from a host who has been away for too long."""
        host = self.arrangement.host
        is_host_away = host in self.absent_seats and not self.is_connected(host)
        return role not in (SPECTATOR, host) and is_host_away

    # Settings of one player.

    def resume_seat(self, role: str) -> None:
        """Let a player who timed out play again instead of the stand-in."""
        self._clock.resume(SEAT_LETTERS.index(role), self.arrangement.turn_limit)
        self.notify()

    def set_pace(self, role: str, pace: object) -> None:
        """Set the pace of bots that a player prefers; raise `Refused` if it is unknown."""
        self._clock.seats[SEAT_LETTERS.index(role)].pace = parse_pace(pace)
        self.notify()

    def skip_bot_delays(self, role: str) -> None:
        """Skip the delays of bots until the player's next choice."""
        self._clock.seats[SEAT_LETTERS.index(role)].skips_bot_delays = self.choice_number(role) is None
        self.notify()

    def end_look(self, role: str) -> None:
        """Hide the cards that a player is looking at, in memory mode."""
        session = self._state.session
        if session is not None and session.memory_mode:
            session.memory_of(role).seen_at.clear()
            self.notify_connections(role)

    def allow_hints(self, roles: Iterable[str], allowed: bool) -> None:
        """Give or withdraw the consent of seats to hints. A seat that gets a new key no longer consents."""
        digests = {self.keys.digests[role] for role in roles if role != SPECTATOR}
        self._hint_consents = self._hint_consents | digests if allowed else self._hint_consents - digests
        self.notify_connections()

    # Chat.

    def say(self, role: str, text: object) -> None:
        self._chat.say(role, self._author_name(role), text)
        self.notify_connections()

    def emote(self, role: str, text: object) -> None:
        self._chat.emote(role, self._author_name(role), text)
        self.notify_connections()

    def nudge(self, role: str, nudged_seat: str) -> None:
        """Remind a player that it is their turn."""
        self._chat.nudge(role, self._author_name(role), nudged_seat)
        self.notify_connections()

    def disable_chat(self, disabled: bool) -> None:
        self._chat.disabled = disabled
        self.notify_connections()

    def unread_chat(self, role: str, seen: tuple[int, bool] | None) -> list[str]:
        """Return at most one JSON message with what is new since a position; for a new client, `seen` is None."""
        return self._chat.unread_messages(role, seen)

    def _author_name(self, role: str) -> str:
        return "An onlooker" if role == SPECTATOR else self.arrangement.seats[SEAT_LETTERS.index(role)].name

    # The lobby. For changes that depend on the state, the caller holds the lock.

    def allow_change(self, role: str) -> bool:
        """Count a change of the settings by a role; return whether the rate limit allows it."""
        return role not in self._change_buckets or self._change_buckets[role].try_take()

    async def save_arrangement(self, new: Arrangement, digests: dict[str, str] | None = None) -> None:
        """Write changed settings to the log, with new digests by role, and apply them. The caller holds the lock."""
        if new == self.arrangement and not digests:
            return
        await self._append(ArrangementChanged(new, digests or {}))
        self._state.set_arrangement(new, digests or {})
        taken = self.claimed_seats()
        self._shuffle_values = {seat: value for seat, value in self._shuffle_values.items() if seat in taken}

    def rotated_digests(self, host_key: str, new: Arrangement) -> dict[str, str]:
        """Return the digests to save with a new arrangement (see :meth:`SeatKeys.rotated_digests`)."""
        connected = [seat for seat in SEAT_LETTERS if self.is_connected(seat)]
        return self.keys.rotated_digests(host_key, self.arrangement, new, connected)

    def add_shuffle_value(self, role: str, value: str) -> None:
        """Set a seat's contribution to the shuffles of the next game."""
        self._shuffle_values[role] = value

    def start_rematch_timer(self) -> None:
        self._rematch_timer.start()

    def record_swap_decision(self, seat: str, keeps: bool) -> None:
        """Record whether a seat keeps the deck unchanged before a rematch."""
        self._rematch_timer.record(seat, keeps)

    def keeps_deck(self, seat: str) -> bool:
        """Whether a seat has decided to keep the deck unchanged before a rematch."""
        return seat in self._rematch_timer.kept_by

    def require_swap_decisions(self) -> None:
        """Raise `Refused` while a rematch waits for a player's decision about a swap."""
        self._rematch_timer.require_done(self.seats(), self.arrangement.rematch, self._seats_allowed_to_start())

    async def start_game(self) -> None:
        """Deal and start a game with the current settings. The caller holds the lock."""
        arrangement = self.arrangement
        names = [seat_config.name for seat_config in arrangement.seats]
        opened = make_commitment(game_secret(self._state.secret_root, self.game_count), self._shuffle_values)
        game = Game.new(
            arrangement.deck_code, len(names), opened.seed, arrangement.token_in_play, names, opened.deals(len(names))
        )
        await self._append(GameStarted.from_game(game, opened.seed, opened))
        self._begin_game(game, opened)

    async def start_branch(self, game: Game, entries: Iterable[RoomEntry]) -> None:
        """Continue a game of another table from a position; `entries` are the log entries of its moves so far."""
        async with self.exclusive():
            for entry in entries:
                await self._append(entry)
            self._begin_game(game, None)
            self._rounds_seen = [game.rounds_finished for _ in SEAT_LETTERS]

    def _begin_game(self, game: Game, opened: DealCommitment | None) -> None:
        self._state.start_game(game, opened)
        self._shuffle_values = {}
        self._bot_runners = self._new_bot_runners()
        self._rounds_seen = [0 for _ in SEAT_LETTERS]
        self._holders.start_game()
        self._clock.start_game()
        self._start_clocks()
