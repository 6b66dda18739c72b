from collections.abc import Sequence
from typing import Any

from argentum import words
from argentum.display import scene, scene_builder
from argentum.rules.game import Game
from argentum.web.pages.renderer import PageRenderer
from argentum.web.pages.table import TableInfo

NAMES = ["Ann", "Bo", "Cy"]
POSITION: dict[str, Any] = {
    "boxes": "amulet", "players": 3, "deck": "8 9 2 5", "discard": "9 6 7",
    "villages": {"A": "4 2 10 6 5^", "B": "1 7^ 3 6", "C": "5^ 12 11 8"},
}  # fmt: skip


def game_at(moves: Sequence[str] = (), **changes: Any) -> Game:
    """A game from the position above, with some of it changed, after some moves (`A draw`)."""
    game = Game.at({**POSITION, **changes}, NAMES)
    for move in moves:
        game.play(move[2:], move[0])
    return game


def scene_of(game: Game, seat: str = "A") -> scene.Scene:
    """The table as a seat sees it."""
    view = game.view(seat)
    seats = [scene.SeatInfo(letter, name, "", True, "") for letter, name in zip("ABC", NAMES, strict=True)]
    return scene_builder.build_scene(view, seats, [], [], words.prompt(view))


def villages(**cards: str) -> dict[str, Any]:
    return {"villages": {**POSITION["villages"], **cards}}


def card_at(drawn: scene.Scene, spot: str) -> scene.SceneCard:
    return next(card for village in drawn.villages for card in village.cards if card.slot == spot)


def drawn_page(drawn: scene.Scene) -> str:
    """A scene's page as HTML."""
    return PageRenderer().table_html(drawn, TableInfo("quiet-owl", False, 0, 0, False, ()))
