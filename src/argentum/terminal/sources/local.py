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
from argentum.rooms.clock import BOT_PAUSE, PACES
from argentum.rooms.hints import hint_text
from argentum.rooms.log.file import GameFiles, SavedGame, record_text
from argentum.rooms.names import DEFAULT_PLAYER_NAMES
from argentum.rules.boxes import resolve_deck_code
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.sources import Message, OnMessage, Source

OWN_SEAT: Final = SEAT_LETTERS[0]


class LocalSource(Source):
    """A person in seat A, and bots in the others."""

    leave_text = "The game is saved; run `argentum terminal` to go on with it."

    def __init__(
        self,
        name: str,
        opponents: Sequence[str],
        boxes: str = "dagger",
        seed: int | None = None,
        memory: bool = False,
        pause: float = BOT_PAUSE,
        game_files: GameFiles | None = None,
    ) -> None:
        self.random = Random(seed)
        self.bot_players = {letter: BotRunner(self.random.getrandbits(32)) for letter in SEAT_LETTERS[1:]}
        others = [other if other != name else f"{other} 2" for other in DEFAULT_PLAYER_NAMES[1 : len(opponents) + 1]]
        places = [SeatConfig(other, bot) for other, bot in zip(others, opponents, strict=True)]
        code = resolve_deck_code(boxes, self.random)
        self.arrangement = Arrangement((SeatConfig(name, claimed=True), *places), code, memory=memory)
        self.pause = pause
        self.pace = "even"
        self.ahead = False  # without pauses, until the person is asked something
        self.game_files = game_files or GameFiles()
        self.save_error = ""  # why the game cannot be saved
        self.in_lobby = False  # the table is being arranged
        self.changed = asyncio.Event()
        self.pause_over = asyncio.Event()
        self.tell: OnMessage
        self.begin(0)

    def begin(self, moment: int) -> None:
        """Deal a new game."""
        one = self.arrangement
        self.seed = self.random.getrandbits(64)
        names = [place.name for place in one.seats]
        self._sit(Game.new(one.deck_code, len(names), self.seed, one.token_in_play, names), moment)
        self.arrangement = replace(one, rematch=None)
        self.events_sent: int | None = 0  # events
        self.has_moved = False  # the person has made a move: until then there is nothing to keep
        self.game_files.begin()

    def resume(self, kept: SavedGame) -> None:
        """Go on with a game that was kept."""
        self.arrangement, self.seed = kept.arrangement, kept.seed
        self._sit(kept.game, self.sitting.revision + 1)
        self.events_sent, self.has_moved = None, True
        self.game_files.resume(kept)

    def _sit(self, game: Game, moment: int) -> None:
        self.sitting = GameSession(game, moment, self.arrangement.memory)
        self.in_lobby = False

    # What is told.

    @property
    def game(self) -> Game:
        """The game that is played, or was played last."""
        return self.sitting.game

    @property
    def stage(self) -> str:
        """What the table is at."""
        return "gathering" if self.in_lobby else "over" if self.game.over else "playing"

    @property
    def unfinished(self) -> bool:
        """Whether a game goes on that is kept."""
        return self.has_moved and not self.game.over

    def update(self) -> Message:
        """How the table stands, and what happened since this was last asked."""
        seats = [
            SeatInfo(letter, place.name, place.bot, not place.bot, "")
            for letter, place in zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        ]
        sitting = None if self.in_lobby else self.sitting
        game = sitting.game if sitting is not None else None
        setting = {
            **self.arrangement.to_public(),
            "commitment": "",
        }  # nobody deals for somebody else: nothing to promise
        table = table_fields_json("", self.sitting.revision, self.stage, seats_json(seats, setting), game)
        text, told = update_json(OWN_SEAT, table, sitting, self.events_sent)
        self.events_sent = self.events_sent if sitting is None else told
        form: dict[str, Any] = json.loads(text)
        return form

    # What is done.

    async def run(self, tell: OnMessage) -> None:
        """Let the bots play whenever they are to choose, and looks fade with memory."""
        self.tell = tell
        tell(self.update())
        fading = asyncio.create_task(self._fade())
        try:
            while True:
                letter = next((one for one in self.game.seats[1:] if self.game.legal(one)), "")
                if letter and not self.in_lobby:
                    await self._play_bot(letter)
                else:
                    self.changed.clear()
                    await self.changed.wait()
        finally:
            fading.cancel()
            for mind in self.bot_players.values():
                mind.cancel()

    async def _play_bot(self, letter: str) -> None:
        """A bot's move. The person may take their first look meanwhile (G4), or want another game: then it is void."""
        sitting = self.sitting
        if not self.game.in_first_look:
            await self._wait()
        bot = self.arrangement.seats[SEAT_LETTERS.index(letter)].bot
        made = await self.bot_players[letter].play(self.game, letter, bot)
        if sitting is self.sitting:
            now = self.game.copy()
            for step in made.steps:
                now.play(int(step), letter)
            self.commit(made._replace(game=now))

    async def _wait(self) -> None:
        """Wait before a bot's move, for as long as the person wants it."""
        self.pause_over.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.0 if self.ahead else self.pause * PACES[self.pace]):
                await self.pause_over.wait()

    def commit(self, made: PlayedMove) -> None:
        """Make a move, write it down, and tell it."""
        self.sitting.commit(made, self.sitting.revision + 1)
        self.ahead = self.ahead and self.sitting.choice_number(OWN_SEAT) is None
        self._save()
        self._changed()

    def _save(self) -> None:
        """Write the record. If that fails, say so once, and play on."""
        if not self.has_moved:
            return
        try:
            self.game_files.write(self.record())
            self.save_error = ""
        except OSError as error:
            why = f"The game cannot be saved: {error.filename}: {error.strerror}."
            if why != self.save_error:
                self.tell({"type": "error", "code": "not saved", "message": why})
            self.save_error = why

    def _changed(self) -> None:
        self.tell(self.update())
        self.changed.set()

    async def _fade(self) -> None:
        """With memory: tell it when a card that was looked at is shown no more."""
        while True:
            wait = None
            if self.stage == "playing" and self.sitting.memory_mode:
                faded, wait = self.sitting.memory_of(OWN_SEAT).expire_looks(monotonic(), self.sitting.look_seconds)
                if faded:
                    self.tell(self.update())
            await asyncio.sleep(min(0.5 if wait is None else wait, 0.5))

    async def send(self, message: Message) -> None:
        """Do what a message of the protocol asks; and `another`, which arranges the table anew."""
        try:
            await self._do(message)
        except Stale:  # a key was pressed twice
            return
        except Refused as error:
            self.tell({"type": "error", "code": "refused", "message": str(error)})

    async def _do(self, message: Message) -> None:
        match message["type"]:
            case "move":
                made = self.sitting.try_move(OWN_SEAT, message["choice"], message["move"])
                self.has_moved = True
                self.commit(made)
            case "record":
                self.tell({"type": "record", "name": "game.silver", "text": self.record()})
            case "hint":
                self.tell({"type": "hint", "words": await hint_text(self.sitting, OWN_SEAT)})
            case "pace" | "ahead":
                self.pace = message.get("pace", self.pace)
                self.ahead = message["type"] == "ahead" and self.sitting.choice_number(OWN_SEAT) is None
                self.pause_over.set()
            case _:
                self._arrange(message)

    def _arrange(self, message: Message) -> None:
        """What is done before a game, or to have another."""
        match message["type"]:
            case "rematch" if self.stage == "over":
                again = Rematch(self.arrangement.deck_code, self.game.winner)
                self.arrangement, self.in_lobby = replace(self.arrangement, rematch=again), True
            case "new_table" if not self.unfinished:
                self.arrangement, self.in_lobby = replace(self.arrangement, rematch=None), True
            case "arrange" if self.in_lobby:
                changed = self.arrangement.with_changes({key: value for key, value in message.items() if key != "type"})
                places = [replace(place, bot=place.bot or DEFAULT_BOT) for place in changed.seats[1:]]
                self.arrangement = replace(changed, seats=(changed.seats[0], *places))
            case "swap" if self.in_lobby:
                self.arrangement = self.arrangement.with_swap(OWN_SEAT, message["number"], message.get("box"))
            case "start" if self.in_lobby:
                self.begin(self.sitting.revision + 1)
            case _:
                return
        self._changed()

    def record(self) -> str:
        """The game's record, from which it can be gone on with."""
        return record_text(self.game, self.arrangement, self.seed)
