"""Positions that a test sets up, their scenes, and the HTML of the scenes."""

from collections.abc import Sequence
from typing import Any

from argentum import words
from argentum.display import scene, scene_builder
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.web.pages.renderer import PageRenderer
from argentum.web.pages.table import TableInfo
from argentum.web.sockets.readers import HtmlReader, PageState

RENDERER = PageRenderer()
NAMES = ["Ann", "Bo", "Cy"]
POSITION: dict[str, Any] = {
    "boxes": "amulet", "players": 3, "deck": "8 9 2 5", "discard": "9 6 7",
    "villages": {"A": "4 2 10 6 5^", "B": "1 7^ 3 6", "C": "5^ 12 11 8"},
}  # fmt: skip


def game_at(moves: Sequence[str] = (), **changes: Any) -> Game:
    """Return a game from POSITION with changed fields, after moves such as `A draw` (seat and move)."""
    game = Game.at({**POSITION, **changes}, NAMES)
    for move in moves:
        game.play(move[2:], move[0])
    return game


def seat_scene(game: Game, seat: str = "A") -> scene.Scene:
    """Return the scene that a seat sees of a game."""
    view = game.view(seat)
    seats = [scene.SeatInfo(letter, name, "", True, "") for letter, name in zip("ABC", NAMES, strict=True)]
    return scene_builder.build_scene(view, seats, [], [], words.prompt(view))


def position_villages(**cards: str) -> dict[str, Any]:
    """Return keyword arguments for `game_at` that replace the cards in the villages of some seats."""
    return {"villages": {**POSITION["villages"], **cards}}


def card_at(table: scene.Scene, spot: str) -> scene.SceneCard:
    return next(card for village in table.villages for card in village.cards if card.slot == spot)


def page_updates(room: Room, role: str, key: str, page: PageState) -> list[str]:
    """Return the next messages to a browser with this page state, and update the state."""
    reader = HtmlReader(RENDERER, room)
    reader.page = page
    return reader.page_updates(room, role, key)


def scene_html(table: scene.Scene) -> str:
    return RENDERER.table_html(table, TableInfo("quiet-owl", False, 0, 0, False, ()))
