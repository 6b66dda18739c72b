"""A table on this machine, without a server: one player against bots."""

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any, Final

from argentum.display.errors import Refused, Stale
from argentum.display.scene import SeatInfo
from argentum.display.session import GameSession, PlayedMove
from argentum.display.updates import seats_json, table_fields_json, update_json
from argentum.rooms.arrangement import DEFAULT_BOT, Arrangement, Rematch, SeatConfig
from argentum.rooms.bot_players import BotRunner
from argentum.rooms.clock import BOT_DELAY, DEFAULT_PACE, PACES
from argentum.rooms.hints import hint_text
from argentum.rooms.log.file import GameFiles, SavedGame, record_text
from argentum.rooms.names import DEFAULT_PLAYER_NAMES
from argentum.rules.boxes import DEFAULT_BOX, resolve_deck_code
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source

OWN_SEAT: Final = SEAT_LETTERS[0]
MAX_EXPIRY_DELAY: Final = 0.5  # maximum seconds between checks for expired looks


class LocalSource(Source):
    """A table with a person in seat A and bots in the other seats."""

    leave_text = "The game is saved; run `argentum terminal` to continue."

    def __init__(
        self,
        name: str,
        opponents: Sequence[str],
        boxes: str = DEFAULT_BOX,
        seed: int | None = None,
        memory: bool = False,
        pause: float = BOT_DELAY,
        game_files: GameFiles | None = None,
    ) -> None:
        self.random = Random(seed)
        self.bot_players = {letter: BotRunner(self.random.getrandbits(32)) for letter in SEAT_LETTERS[1:]}
        default_names = DEFAULT_PLAYER_NAMES[1 : len(opponents) + 1]
        bot_names = [f"{bot_name} 2" if bot_name == name else bot_name for bot_name in default_names]
        seats = [SeatConfig(bot_name, bot) for bot_name, bot in zip(bot_names, opponents, strict=True)]
        code = resolve_deck_code(boxes, self.random)
        self.arrangement = Arrangement((SeatConfig(name, claimed=True), *seats), code, memory=memory)
        self.pause = pause
        self.pace = DEFAULT_PACE
        self.skip_bot_delays = False  # whether bots move without pauses until the person's next choice
        self.game_files = game_files or GameFiles()
        self.save_error = ""  # the latest error of saving the game; empty after a success
        self.in_lobby = False  # whether the next game is being prepared
        self.changed = asyncio.Event()  # wakes `run`
        self.pause_over = asyncio.Event()  # ends the pause before a bot's move
        self.on_message: OnMessage
        self.new_game(0)

    def new_game(self, revision: int) -> None:
        """Start a new game with the current arrangement; `revision` is that of its first state."""
        arrangement = self.arrangement
        self.seed = self.random.getrandbits(64)
        names = [seat.name for seat in arrangement.seats]
        self._start_session(
            Game.new(arrangement.deck_code, len(names), self.seed, arrangement.token_in_play, names), revision
        )
        self.arrangement = replace(arrangement, rematch=None)
        self.events_sent: int | None = 0
        self.has_moved = False  # A game is saved only after the person's first move.
        self.game_files.begin()

    def resume(self, saved_game: SavedGame) -> None:
        """Continue a saved game instead of the current one."""
        self.arrangement, self.seed = saved_game.arrangement, saved_game.seed
        self._start_session(saved_game.game, self.session.revision + 1)
        self.events_sent, self.has_moved = None, True
        self.game_files.resume(saved_game)

    def _start_session(self, game: Game, revision: int) -> None:
        self.session = GameSession(game, revision, self.arrangement.memory)
        self.in_lobby = False

    # State.

    @property
    def game(self) -> Game:
        """The current or last game."""
        return self.session.game

    @property
    def stage(self) -> str:
        return "gathering" if self.in_lobby else "over" if self.game.over else "playing"

    @property
    def is_resumable(self) -> bool:
        """Whether the current game is saved and can be resumed."""
        return self.has_moved and not self.game.over

    def next_update(self) -> ProtocolMessage:
        """Return an update with the events since the previous update."""
        seats = [
            SeatInfo(letter, seat.name, seat.bot, not seat.bot, "")
            for letter, seat in zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        ]
        session = None if self.in_lobby else self.session
        game = session.game if session is not None else None
        # No commitment: there is no other player to convince.
        arrangement = {**self.arrangement.to_public(), "commitment": ""}
        table = table_fields_json("", self.session.revision, self.stage, seats_json(seats, arrangement), game)
        text, event_count = update_json(OWN_SEAT, table, session, self.events_sent)
        if session is not None:
            self.events_sent = event_count
        update: dict[str, Any] = json.loads(text)
        return update

    # Actions.

    async def run(self, on_message: OnMessage) -> None:
        """Send updates and play the moves of the bots until cancelled."""
        self.on_message = on_message
        on_message(self.next_update())
        expiry_task = asyncio.create_task(self._expire_looks())
        try:
            while True:
                bot_seat = next((letter for letter in self.game.seats[1:] if self.game.legal(letter)), "")
                if bot_seat and not self.in_lobby:
                    await self._play_bot(bot_seat)
                else:
                    self.changed.clear()
                    await self.changed.wait()
        finally:
            expiry_task.cancel()
            for runner in self.bot_players.values():
                runner.cancel()

    async def _play_bot(self, letter: str) -> None:
        """Let a bot choose and play a move. Drop the move if a new game has started while the bot was thinking."""
        session = self.session
        if not self.game.in_first_look:
            await self._pause_before_move()
        bot = self.arrangement.seats[SEAT_LETTERS.index(letter)].bot
        move = await self.bot_players[letter].play(self.game, letter, bot)
        if session is self.session:
            # In a first look the person may have moved while the bot was thinking (G4).
            game = self.game.copy()
            for step in move.steps:
                game.play(int(step), letter)
            self.commit(move._replace(game=game))

    async def _pause_before_move(self) -> None:
        """Wait for the bot delay at the current pace; stop early if the player changes the pace or skips delays."""
        self.pause_over.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.0 if self.skip_bot_delays else self.pause * PACES[self.pace]):
                await self.pause_over.wait()

    def commit(self, move: PlayedMove) -> None:
        """Apply a move, save the game and send an update."""
        self.session.commit(move, self.session.revision + 1)
        self.skip_bot_delays = self.skip_bot_delays and self.session.choice_number(OWN_SEAT) is None
        self._save()
        self._notify_change()

    def _save(self) -> None:
        """Write the record if the person has made a move. Report an error unless it repeats the last one."""
        if not self.has_moved:
            return
        try:
            self.game_files.write(self.record())
            self.save_error = ""
        except OSError as error:
            error_text = f"The game cannot be saved: {error.filename}: {error.strerror}."
            if error_text != self.save_error:
                self.on_message({"type": "error", "code": "not saved", "message": error_text})
            self.save_error = error_text

    def _notify_change(self) -> None:
        """Send an update, and wake `run` to look for a bot that must move."""
        self.on_message(self.next_update())
        self.changed.set()

    async def _expire_looks(self) -> None:
        """In memory mode, hide cards some time after they were looked at, and send an update."""
        while True:
            delay = None
            if self.stage == "playing" and self.session.memory_mode:
                expired, delay = self.session.memory_of(OWN_SEAT).expire_looks(monotonic(), self.session.look_seconds)
                if expired:
                    self.on_message(self.next_update())
            await asyncio.sleep(MAX_EXPIRY_DELAY if delay is None else min(delay, MAX_EXPIRY_DELAY))

    async def send(self, message: ProtocolMessage) -> None:
        """Handle a message of the protocol, or of the local type `new_table`, which opens the lobby after a game.

        Report a refused message to `on_message` as an error. Ignore a move for a choice that was already answered.
        """
        try:
            await self._handle(message)
        except Stale:  # The choice was already answered, for example by a double key press.
            return
        except Refused as error:
            self.on_message({"type": "error", "code": "refused", "message": str(error)})

    async def _handle(self, message: ProtocolMessage) -> None:
        match message["type"]:
            case "move":
                move = self.session.try_move(OWN_SEAT, message["choice"], message["move"])
                self.has_moved = True
                self.commit(move)
            case "record":
                self.on_message({"type": "record", "name": "game.silver", "text": self.record()})
            case "hint":
                session = self.session
                game = session.game.copy() if session.choice_number(OWN_SEAT) is not None else None
                text = await hint_text(game, OWN_SEAT, session.memory_mode)
                self.on_message({"type": "hint", "words": text})
            case "pace" | "skip_bot_delays":
                self.pace = message.get("pace", self.pace)
                skips = message["type"] == "skip_bot_delays"
                self.skip_bot_delays = skips and self.session.choice_number(OWN_SEAT) is None
                self.pause_over.set()
            case _:
                self._handle_lobby_message(message)

    def _handle_lobby_message(self, message: ProtocolMessage) -> None:
        """Handle a message about the next game; ignore it if it does not fit the stage."""
        match message["type"]:
            case "rematch" if self.stage == "over":
                rematch = Rematch(self.arrangement.deck_code, self.game.winner)
                self.arrangement, self.in_lobby = replace(self.arrangement, rematch=rematch), True
            case "new_table" if not self.is_resumable:
                self.arrangement, self.in_lobby = replace(self.arrangement, rematch=None), True
            case "arrange" if self.in_lobby:
                changed = self.arrangement.with_changes({key: value for key, value in message.items() if key != "type"})
                seats = [replace(seat, bot=seat.bot or DEFAULT_BOT) for seat in changed.seats[1:]]
                self.arrangement = replace(changed, seats=(changed.seats[0], *seats))
            case "swap" if self.in_lobby:
                self.arrangement = self.arrangement.with_swap(OWN_SEAT, message["number"], message.get("box"))
            case "start" if self.in_lobby:
                self.new_game(self.session.revision + 1)
            case _:
                return
        self._notify_change()

    def record(self) -> str:
        """Return the record, from which the game can be resumed."""
        return record_text(self.game, self.arrangement, self.seed)
