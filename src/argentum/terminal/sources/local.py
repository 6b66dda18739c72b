"""A table without a server: games on this machine against bots."""

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
from argentum.rooms.clock import BOT_PAUSE, DEFAULT_PACE, PACES
from argentum.rooms.hints import hint_text
from argentum.rooms.log.file import GameFiles, SavedGame, record_text
from argentum.rooms.names import DEFAULT_PLAYER_NAMES
from argentum.rules.boxes import DEFAULT_BOX, resolve_deck_code
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source

OWN_SEAT: Final = SEAT_LETTERS[0]


class LocalSource(Source):
    """A person in seat A and bots in the other seats."""

    leave_text = "The game is saved; run `argentum terminal` to go on with it."

    def __init__(
        self,
        name: str,
        opponents: Sequence[str],
        boxes: str = DEFAULT_BOX,
        seed: int | None = None,
        memory: bool = False,
        pause: float = BOT_PAUSE,
        game_files: GameFiles | None = None,
    ) -> None:
        self.random = Random(seed)
        self.bot_players = {letter: BotRunner(self.random.getrandbits(32)) for letter in SEAT_LETTERS[1:]}
        others = [other if other != name else f"{other} 2" for other in DEFAULT_PLAYER_NAMES[1 : len(opponents) + 1]]
        seats = [SeatConfig(other, bot) for other, bot in zip(others, opponents, strict=True)]
        code = resolve_deck_code(boxes, self.random)
        self.arrangement = Arrangement((SeatConfig(name, claimed=True), *seats), code, memory=memory)
        self.pause = pause
        self.pace = DEFAULT_PACE
        self.ahead = False  # skip pauses until the person's next choice
        self.game_files = game_files or GameFiles()
        self.save_error = ""  # why the game cannot be saved
        self.in_lobby = False  # the next game is being arranged
        self.changed = asyncio.Event()
        self.pause_over = asyncio.Event()
        self.on_message: OnMessage
        self.begin(0)

    def begin(self, revision: int) -> None:
        """Deal a new game at this revision."""
        arrangement = self.arrangement
        self.seed = self.random.getrandbits(64)
        names = [seat.name for seat in arrangement.seats]
        self._sit(Game.new(arrangement.deck_code, len(names), self.seed, arrangement.token_in_play, names), revision)
        self.arrangement = replace(arrangement, rematch=None)
        self.events_sent: int | None = 0
        self.has_moved = False  # the person has moved; before that there is nothing to save
        self.game_files.begin()

    def resume(self, saved_game: SavedGame) -> None:
        self.arrangement, self.seed = saved_game.arrangement, saved_game.seed
        self._sit(saved_game.game, self.sitting.revision + 1)
        self.events_sent, self.has_moved = None, True
        self.game_files.resume(saved_game)

    def _sit(self, game: Game, revision: int) -> None:
        self.sitting = GameSession(game, revision, self.arrangement.memory)
        self.in_lobby = False

    # State.

    @property
    def game(self) -> Game:
        """The current or last game."""
        return self.sitting.game

    @property
    def stage(self) -> str:
        return "gathering" if self.in_lobby else "over" if self.game.over else "playing"

    @property
    def unfinished(self) -> bool:
        """Whether there is a saved game to resume."""
        return self.has_moved and not self.game.over

    def update(self) -> ProtocolMessage:
        """An update with the events since the last call."""
        seats = [
            SeatInfo(letter, seat.name, seat.bot, not seat.bot, "")
            for letter, seat in zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        ]
        session = None if self.in_lobby else self.sitting
        game = session.game if session is not None else None
        # No commitment: there is no other player to convince.
        arrangement = {**self.arrangement.to_public(), "commitment": ""}
        table = table_fields_json("", self.sitting.revision, self.stage, seats_json(seats, arrangement), game)
        text, events_sent = update_json(OWN_SEAT, table, session, self.events_sent)
        self.events_sent = self.events_sent if session is None else events_sent
        update: dict[str, Any] = json.loads(text)
        return update

    # Actions.

    async def run(self, on_message: OnMessage) -> None:
        """Send updates and play for the bots."""
        self.on_message = on_message
        on_message(self.update())
        fading = asyncio.create_task(self._fade())
        try:
            while True:
                due = next((letter for letter in self.game.seats[1:] if self.game.legal(letter)), "")
                if due and not self.in_lobby:
                    await self._play_bot(due)
                else:
                    self.changed.clear()
                    await self.changed.wait()
        finally:
            fading.cancel()
            for runner in self.bot_players.values():
                runner.cancel()

    async def _play_bot(self, letter: str) -> None:
        """Play the move of a bot, unless a new game began meanwhile.

        In a first look the person may move at the same time (G4).
        """
        sitting = self.sitting
        if not self.game.in_first_look:
            await self._wait()
        bot = self.arrangement.seats[SEAT_LETTERS.index(letter)].bot
        move = await self.bot_players[letter].play(self.game, letter, bot)
        if sitting is self.sitting:
            game = self.game.copy()
            for step in move.steps:
                game.play(int(step), letter)
            self.commit(move._replace(game=game))

    async def _wait(self) -> None:
        """Pause before a bot's move at the chosen pace."""
        self.pause_over.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.0 if self.ahead else self.pause * PACES[self.pace]):
                await self.pause_over.wait()

    def commit(self, move: PlayedMove) -> None:
        """Apply a move, save the game and send an update."""
        self.sitting.commit(move, self.sitting.revision + 1)
        self.ahead = self.ahead and self.sitting.choice_number(OWN_SEAT) is None
        self._save()
        self._changed()

    def _save(self) -> None:
        """Write the record. Report a failure once and play on."""
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

    def _changed(self) -> None:
        self.on_message(self.update())
        self.changed.set()

    async def _fade(self) -> None:
        """In memory mode, send an update when a card that was looked at is hidden again."""
        while True:
            wait = None
            if self.stage == "playing" and self.sitting.memory_mode:
                faded, wait = self.sitting.memory_of(OWN_SEAT).expire_looks(monotonic(), self.sitting.look_seconds)
                if faded:
                    self.on_message(self.update())
            await asyncio.sleep(min(0.5 if wait is None else wait, 0.5))

    async def send(self, message: ProtocolMessage) -> None:
        """Handle a message of the protocol, or `new_table`, which returns to the lobby."""
        try:
            await self._do(message)
        except Stale:  # A key was pressed twice.
            return
        except Refused as error:
            self.on_message({"type": "error", "code": "refused", "message": str(error)})

    async def _do(self, message: ProtocolMessage) -> None:
        match message["type"]:
            case "move":
                move = self.sitting.try_move(OWN_SEAT, message["choice"], message["move"])
                self.has_moved = True
                self.commit(move)
            case "record":
                self.on_message({"type": "record", "name": "game.silver", "text": self.record()})
            case "hint":
                self.on_message({"type": "hint", "words": await hint_text(self.sitting, OWN_SEAT)})
            case "pace" | "ahead":
                self.pace = message.get("pace", self.pace)
                self.ahead = message["type"] == "ahead" and self.sitting.choice_number(OWN_SEAT) is None
                self.pause_over.set()
            case _:
                self._arrange(message)

    def _arrange(self, message: ProtocolMessage) -> None:
        """Handle messages of the lobby and for a rematch."""
        match message["type"]:
            case "rematch" if self.stage == "over":
                rematch = Rematch(self.arrangement.deck_code, self.game.winner)
                self.arrangement, self.in_lobby = replace(self.arrangement, rematch=rematch), True
            case "new_table" if not self.unfinished:
                self.arrangement, self.in_lobby = replace(self.arrangement, rematch=None), True
            case "arrange" if self.in_lobby:
                changed = self.arrangement.with_changes({key: value for key, value in message.items() if key != "type"})
                seats = [replace(seat, bot=seat.bot or DEFAULT_BOT) for seat in changed.seats[1:]]
                self.arrangement = replace(changed, seats=(changed.seats[0], *seats))
            case "swap" if self.in_lobby:
                self.arrangement = self.arrangement.with_swap(OWN_SEAT, message["number"], message.get("box"))
            case "start" if self.in_lobby:
                self.begin(self.sitting.revision + 1)
            case _:
                return
        self._changed()

    def record(self) -> str:
        """The record, from which the game can be resumed."""
        return record_text(self.game, self.arrangement, self.seed)
