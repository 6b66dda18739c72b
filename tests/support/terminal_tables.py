"""Tables for tests of the terminal: fixed messages, and games that tests play without a screen."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from argentum.display.session import play_text
from argentum.rooms.log.file import GameFiles
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

    def __init__(self, messages: Sequence[ProtocolMessage]) -> None:
        self.messages = messages
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


def updates_until(
    condition: Callable[[Game], bool], boxes: str = "dddddddcdcddcb", seed: int = 8
) -> list[ProtocolMessage]:
    """Play a game of four until a condition holds; return all updates to seat A."""
    table, random = LocalSource("Ann", ["novice"] * 3, boxes, seed), Random(seed)
    updates = [table.next_update()]
    while not condition(table.game):
        letter = next(seat for seat in table.game.seats if table.game.legal(seat))
        move = play_text(table.game, letter, choose_move(table.game.view(letter), random))
        table.session.commit(move, table.session.revision + 1)
        updates.append(table.next_update())
    return updates


def has_drawn_card(game: Game) -> bool:
    """Whether Ann (seat A) holds a drawn card, after some turns."""
    view = game.view("A")
    return view.turns > 9 and view.holder == "A" and any(move.verb == "exchange" for move in view.legal)


def begins_turn(game: Game) -> bool:
    """Whether Ann (seat A) may draw, after some turns."""
    view = game.view("A")
    return view.turns > 9 and any(move.verb == "draw" for move in view.legal)


def open_source(folder: Path, copy: Path | None = None, seed: int = 3, memory: bool = False) -> LocalSource:
    """Return a game against two bots that is saved in a folder, and in a copy if one is named."""
    source = LocalSource("Ann", ["steady", "novice"], "dddddddcdcddcb", seed, memory, 0, GameFiles(folder, copy))
    source.on_message = lambda message: None
    return source


def play_moves(source: LocalSource, moves: int, random: Random) -> None:
    """Play `moves` moves, of whichever seat is to move."""
    for _ in range(moves):
        letter = next((seat for seat in source.game.seats if source.game.legal(seat)), "")
        if letter:
            source.has_moved = source.has_moved or letter == "A"
            source.commit(play_text(source.game, letter, choose_move(source.game.view(letter), random)))
