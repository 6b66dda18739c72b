"""A table without a server: a game on this machine against bots."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

from argentum import bots, records
from argentum.rules.boxes import random_code
from argentum.rules.game import Game, IllegalMove
from argentum.rules.move import Move
from argentum.rules.notation import SEATS
from argentum.rules.views import View
from argentum.tableside.recall import Recall, masked
from argentum.tableside.updates import VERSION, event_json, reckoning_json, view_json
from argentum.terminal.sources import Message, Source, Tell

NAMES: Final = ("Bramble", "Cinder", "Drift")  # of the bots
BOT_PAUSE: Final = 1.1  # seconds before a bot moves
FADE: Final = 7.0  # seconds for which a card that was looked at is shown, with memory
ME: Final = SEATS[0]
ANY_DECK: Final = "random"
STAND_IN: Final = "steady"


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
        self.names = [name, *[other if other != name else f"{other} 2" for other in NAMES[: len(opponents)]]]
        self.bots = {
            letter: bots.make(bot, self.random.getrandbits(32))
            for letter, bot in zip(SEATS[1:], opponents, strict=False)
        }
        self.boxes = boxes
        self.memory = memory
        self.pause = pause
        self.stirred = asyncio.Event()
        self.games = 0
        self.tell: Tell
        self.begin()

    def begin(self) -> None:
        """Deal a new game."""
        boxes = random_code(self.random) if self.boxes == ANY_DECK else self.boxes
        self.game = Game.new(boxes, len(self.names), self.random.getrandbits(64), names=self.names)
        self.recall = Recall(ME, self.game)
        self.recall.catch_up(self.game, 0)
        self.games += 1
        self.told = 0  # events
        self.made = 0  # moves
        self.choice = 0  # of the person

    # What is told.

    def view(self) -> View:
        """What the person may see now; with memory, without what they should remember by themselves."""
        if self.memory and not self.recall.revealed:
            return masked(self.recall.view, self.recall.fresh(FADE))
        return self.recall.view

    def update(self) -> Message:
        """How the table stands, and what happened since this was last asked."""
        game, recall = self.game, self.recall
        recall.catch_up(game, self.made)
        events, public = recall.events[self.told :], recall.public[self.told :]
        self.told = len(recall.events)
        view = self.view()
        form: Message = {
            "type": "update",
            "protocol": VERSION,
            "table": "",
            "seq": self.made,
            "stage": "over" if game.over else "playing",
            "seat": ME,
            "seats": [self._seat(letter) for letter in game.seats],
            "arrangement": {
                "boxes": view.boxes, "token": view.token, "memory": self.memory, "seconds": 0, "listed": False,
            },
            "choice": self.choice if view.legal else None,
            "clock": None,
            "view": json.loads(view_json(view)),
            "events": [event_json(*both) for both in zip(events, public, strict=True)],
            "scores": game.scores,
            "reckoning": None,
        }  # fmt: skip
        if any(event.kind == "token went" for event in events):
            form["reckoning"] = json.loads(reckoning_json(game, ME))
        return form | ({"winner": game.winner} if game.over else {})

    def _seat(self, letter: str) -> dict[str, Any]:
        bot = self.bots[letter].name if letter in self.bots else ""
        name = self.names[SEATS.index(letter)]
        return {"letter": letter, "name": name, "bot": bot, "here": not bot, "stand_in": ""}

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
            for bot in self.bots.values():
                bot.close()

    async def _let_play(self, letter: str) -> None:
        """A bot's move, all cards of it. It thinks in a thread; the person may take their first look meanwhile (G4)."""
        game, nth = self.game, self.games
        if not game.table.looking:
            await asyncio.sleep(self.pause)
        try:
            steps = await asyncio.to_thread(thought, game.copy(), letter, self.bots[letter])
        except Exception:  # a bot that fails must not stop the table
            steps = thought(game.copy(), letter, bots.make(STAND_IN))
        if nth == self.games:
            for step in steps:
                game.play(int(step), letter)
            self._made()

    def _made(self) -> None:
        self.made += 1
        self.tell(self.update())
        self.stirred.set()

    async def _fade(self) -> None:
        """With memory: tell it when a card that was looked at is shown no more."""
        while self.memory:
            faded, wait = self.recall.fading(monotonic(), FADE)
            if faded:
                self.tell(self.update())
            await asyncio.sleep(min(0.5 if wait is None else wait, 0.5))

    async def send(self, message: Message) -> None:
        """A move of the person's, a rematch, or a wish for the record."""
        match message["type"]:
            case "move" if message["choice"] == self.choice:
                self._play(message["move"])
            case "rematch" if self.game.over:
                self.begin()
                self._made()
            case "record":
                self.tell({"type": "record", "name": "game.silver", "text": self.record()})

    def _play(self, text: str) -> None:
        try:
            self.game.play(text, ME)
        except IllegalMove as error:
            self.tell({"type": "error", "code": "refused", "message": str(error)})
            return
        self.choice += 1
        self._made()

    def record(self) -> str:
        """The game's record; before its end, what the person was told."""
        return records.write(self.game) if self.game.over else records.write_for(self.game, ME)

    def write_record(self, file: Path) -> None:
        """Write the record down."""
        file.write_text(self.record(), encoding="utf-8")


def thought(game: Game, letter: str, bot: bots.Bot) -> list[Move]:
    """What a bot does in one move: more than one step where it names several cards."""
    steps: list[Move] = []
    while not steps or any([move.verb == "and" for move in game.legal(letter)]):
        steps.append(bots.ask(bot, game, letter))
        game.play(int(steps[-1]), letter)
    return steps
