"""A table without a server: a game on this machine against bots."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

from argentum import records
from argentum.rules.boxes import code_for
from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.tableside.moves import Made
from argentum.tableside.refusals import Refused, Stale
from argentum.tableside.scene import Seat
from argentum.tableside.seating import BOT_PAUSE, NAMES, Mind
from argentum.tableside.sitting import Sitting
from argentum.tableside.updates import table_json, update_json
from argentum.terminal.sources import Message, Source, Tell

ME: Final = SEATS[0]


class LocalTable(Source):
    """A person in seat A, and bots in the others."""

    def __init__(
        self,
        name: str,
        opponents: Sequence[str],
        boxes: str = "dagger",
        seed: int | None = None,
        memory: bool = False,
        pause: float = BOT_PAUSE,
    ) -> None:
        self.random = Random(seed)
        self.names = [name, *[other if other != name else f"{other} 2" for other in NAMES[1 : len(opponents) + 1]]]
        self.bots = dict(zip(SEATS[1:], opponents, strict=False))
        self.minds = {letter: Mind(self.random.getrandbits(32)) for letter in self.bots}
        self.boxes = boxes
        self.memory = memory
        self.pause = pause
        self.stirred = asyncio.Event()
        self.tell: Tell
        self.begin(0)

    def begin(self, moment: int) -> None:
        """Deal a new game."""
        code = code_for(self.boxes, self.random)
        game = Game.new(code, len(self.names), self.random.getrandbits(64), names=self.names)
        self.sitting = Sitting(game, moment, self.memory)
        self.told = 0  # events

    # What is told.

    @property
    def game(self) -> Game:
        """The game that is played, or was played last."""
        return self.sitting.game

    def update(self) -> Message:
        """How the table stands, and what happened since this was last asked."""
        game = self.game
        seats = [self._seat(letter, name) for letter, name in zip(SEATS, self.names, strict=False)]
        setting = {
            "boxes": game.cast.code, "token": game.cast.token, "memory": self.memory, "seconds": 0, "listed": False,
            "commitment": "",  # nobody deals for somebody else, so there is nothing to promise
        }  # fmt: skip
        table = table_json("", self.sitting.moment, "over" if game.over else "playing", seats, setting, game)
        text, self.told = update_json(ME, table, self.sitting, self.told)
        form: dict[str, Any] = json.loads(text)
        return form

    def _seat(self, letter: str, name: str) -> Seat:
        bot = self.bots.get(letter, "")
        return Seat(letter, name, bot, not bot, "")

    # What is done.

    async def run(self, tell: Tell) -> None:
        """Let the bots play whenever they are to choose, and looks fade with memory."""
        self.tell = tell
        tell(self.update())
        fading = asyncio.create_task(self._fade())
        try:
            while True:
                letter = next((one for one in self.bots if self.game.legal(one)), "")
                if letter:
                    await self._let_play(letter)
                else:
                    self.stirred.clear()
                    await self.stirred.wait()
        finally:
            fading.cancel()
            for mind in self.minds.values():
                mind.hush()

    async def _let_play(self, letter: str) -> None:
        """A bot's move. The person may take their first look meanwhile (G4), or want another game: then it is void."""
        sitting = self.sitting
        if not self.game.looking:
            await asyncio.sleep(self.pause)
        made = await self.minds[letter].move(self.game, letter, self.bots[letter])
        if sitting is self.sitting:
            now = self.game.copy()
            for step in made.steps:
                now.play(int(step), letter)
            self.go_on(made._replace(game=now))

    def go_on(self, made: Made) -> None:
        """Make a move, and tell it."""
        self.sitting.go_on(made, self.sitting.moment + 1)
        self._stir()

    def _stir(self) -> None:
        self.tell(self.update())
        self.stirred.set()

    async def _fade(self) -> None:
        """With memory: tell it when a card that was looked at is shown no more."""
        while self.memory:
            faded, wait = self.sitting.recall(ME).fading(monotonic(), self.sitting.fade)
            if faded:
                self.tell(self.update())
            await asyncio.sleep(min(0.5 if wait is None else wait, 0.5))

    async def send(self, message: Message) -> None:
        """A move of the person's, a rematch, or a wish for the record."""
        match message["type"]:
            case "move":
                self._answer(message["choice"], message["move"])
            case "rematch" if self.game.over:
                self.begin(self.sitting.moment + 1)
                self._stir()
            case "record":
                self.tell({"type": "record", "name": "game.silver", "text": self.record()})

    def _answer(self, choice: int, text: str) -> None:
        try:
            self.go_on(self.sitting.answer(ME, choice, text))
        except Stale:  # a key was pressed twice
            return
        except Refused as error:
            self.tell({"type": "error", "code": "refused", "message": str(error)})

    def record(self) -> str:
        """The game's record; before its end, what the person was told."""
        return records.write(self.game) if self.game.over else records.write_for(self.game, ME)

    def write_record(self, file: Path) -> None:
        """Write the record down."""
        file.write_text(self.record(), encoding="utf-8")
