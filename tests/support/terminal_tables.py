"""Tables for tests of the terminal: fixed messages, and games that tests play without a screen."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from argentum.display.scene import SeatInfo
from argentum.display.session import GameSession, PlayedMove, play_text
from argentum.display.updates import seats_json, table_fields_json, update_json
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.entries import GameStarted, MovePlayed, RoomEntry, TableCreated, entries_of_game
from argentum.rooms.log.file import FileJournal, GameFiles, SavedGame
from argentum.rules.game import Game
from argentum.rules.views import View
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source
from argentum.terminal.sources.local import LocalSource


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Save games in a temporary directory."""
    folder = tmp_path / "games"
    monkeypatch.setenv("ARGENTUM_GAMES", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


class FixedSource(Source):
    """A source that delivers fixed messages."""

    def __init__(self, messages: Sequence[ProtocolMessage], is_local: bool = False) -> None:
        self.messages = messages
        self.is_local = is_local
        self.sent: list[ProtocolMessage] = []

    async def run(self, on_message: OnMessage) -> None:
        for message in self.messages:
            on_message(message)
        await asyncio.Event().wait()

    async def send(self, message: ProtocolMessage) -> None:
        self.sent.append(message)


def choose_move(view: View, random: Random) -> str:
    """Choose a move by a simple policy: keep low cards, use some abilities, call as soon as possible."""
    legal, seat = [str(move) for move in view.legal], view.seat
    if legal[0].startswith("peek"):
        return f"peek {seat}1 {seat}{random.randint(2, 5)}"
    hand_value = 99 if view.hand is None or view.hand.number is None else view.hand.number
    known = {f"{seat}{place}": card.number for place, card in enumerate(view.villages[seat], 1)}
    values = {spot: 6 if number is None else number for spot, number in known.items()}
    highest_spot = max(values, key=lambda spot: values[spot])
    same_spots = (
        [spot for spot in known if known[spot] == known[highest_spot]]
        if known[highest_spot] is not None
        else [highest_spot]
    )
    if f"exchange {highest_spot}" in legal and (values[highest_spot] > hand_value or "discard" not in legal):
        return " ".join(["exchange", *same_spots])
    top_number = view.discard[0].number if view.discard else None
    preferred = [
        "call",
        *["take"] * (top_number is not None and top_number < 4),
        "draw",
        *["use"] * (random.random() < 0.5),
        "discard",
    ]
    return next((move for move in preferred if move in legal), random.choice(legal))


class TableUpdates:
    """The updates to Ann, in seat A, of a game against bots in which a test makes all moves."""

    def __init__(self, game: Game, memory: bool = False) -> None:
        self.session = GameSession(game, 0, memory)
        self.event_count = 0
        self.seats = [
            SeatInfo(letter, name, "" if letter == "A" else "novice", letter == "A", "")
            for letter, name in zip(game.seats, game.names, strict=True)
        ]
        configs = tuple([SeatConfig(seat.name, seat.bot, claimed=not seat.bot) for seat in self.seats])
        self.arrangement = Arrangement(configs, game.cast.code, memory=memory).to_public()

    @property
    def game(self) -> Game:
        return self.session.game

    def commit(self, move: PlayedMove) -> None:
        self.session.commit(move, self.session.revision + 1)

    def next(self) -> ProtocolMessage:
        """Return an update with the events since the previous one."""
        stage = "over" if self.game.over else "playing"
        seats = seats_json(self.seats, self.arrangement)
        table = table_fields_json("local-game", self.session.revision, stage, seats, self.game)
        text, self.event_count = update_json("A", table, self.session, self.event_count)
        update: ProtocolMessage = json.loads(text)
        return update


def updates_until(condition: Callable[[Game], bool]) -> list[ProtocolMessage]:
    """Play a game of four until a condition holds; return all updates to seat A."""
    game = Game.new("dddddddcdcddcb", 4, 2330393804099040876, names=["Ann", "Bramble", "Cinder", "Drift"])
    table, random = TableUpdates(game), Random(8)
    updates = [table.next()]
    while not condition(table.game):
        table.commit(play_any(table.game, random))
        updates.append(table.next())
    return updates


def play_any(game: Game, random: Random) -> PlayedMove:
    """Play a move of the next seat on a copy of the game."""
    letter = next(seat for seat in game.seats if game.legal(seat))
    return play_text(game, letter, choose_move(game.view(letter), random))


def has_drawn_card(game: Game) -> bool:
    """Whether Ann (seat A) holds a drawn card, after some turns."""
    view = game.view("A")
    return view.turns > 9 and view.holder == "A" and any(move.verb == "exchange" for move in view.legal)


def begins_turn(game: Game) -> bool:
    """Whether Ann (seat A) may draw, after some turns."""
    view = game.view("A")
    return view.turns > 9 and any(move.verb == "draw" for move in view.legal)


SAVED_DECK = "dddddddcdcddcb"
SAVED_SEATS = (SeatConfig("Ann", claimed=True), SeatConfig("Bramble", "steady"), SeatConfig("Cinder", "novice"))


def open_source(folder: Path, copy: Path | None = None, seed: int = 3, memory: bool = False) -> LocalSource:
    """Return a game against two bots that is saved in a folder, and in a copy if one is named."""
    return LocalSource("Ann", ["steady", "novice"], SAVED_DECK, seed, memory, 0, GameFiles(folder, copy))


class SavedTable:
    """A table that is saved like those of the terminal, and at which a test makes all moves."""

    def __init__(self, folder: Path, copy: Path | None = None, seed: int = 3, memory: bool = False) -> None:
        self.errors: list[str] = []
        self.journal = FileJournal(GameFiles(folder, copy), "A", self.errors.append)
        self.arrangement = Arrangement(SAVED_SEATS, SAVED_DECK, memory=memory)
        self._append(TableCreated(self.arrangement, {}))
        self.seed = seed
        self.start_game()

    @staticmethod
    def resumed(saved: SavedGame, folder: Path, copy: Path | None = None) -> "SavedTable":
        """Continue a saved game."""
        table = SavedTable(folder, copy, memory=saved.arrangement.memory)
        asyncio.run(table.journal.resume("test", saved))
        assert table.journal.game is not None
        table.game = table.journal.game.copy()
        return table

    def start_game(self) -> None:
        self.game = Game.new(SAVED_DECK, 3, self.seed, names=[seat.name for seat in SAVED_SEATS])
        self._append(GameStarted.from_game(self.game, self.seed))

    def play(self, moves: int, random: Random) -> None:
        """Play moves of whichever seat is to move, fewer if the game ends."""
        for _ in range(moves):
            if not self.game.over:
                move = play_any(self.game, random)
                self._append(MovePlayed.from_move(self.game, move))
                self.game = move.game

    def repeat(self, moves: Sequence[int]) -> None:
        """Play the complete moves that these one-card moves stand for."""
        finished = self.game.copy()
        for move in moves:
            finished.play(move)
        for entry in entries_of_game(finished, self.seed)[len(entries_of_game(self.game, self.seed)) :]:
            self._append(entry)
        self.game = finished

    def _append(self, entry: RoomEntry) -> None:
        asyncio.run(self.journal.append("test", len(self.journal.entries("test")), entry.kind, entry.body()))


def saved_game(game: Game, bot: str, seed: int) -> SavedGame:
    """Return a game of Ann against bots, as if it had been read from a file; `seed` is the game's."""
    seats = [SeatConfig(name, bot if index else "", claimed=not index) for index, name in enumerate(game.names)]
    arrangement = Arrangement(tuple(seats), game.cast.code)
    return SavedGame(Path("game.silver"), "", game, arrangement, seed)
