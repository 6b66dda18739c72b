"""First screen of a local game: resume a saved game or start a new one."""

from collections.abc import Sequence
from datetime import datetime

from textual.app import ComposeResult
from textual.widgets import Static

from argentum.rooms.log.file import SavedGame
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.terminal.screens.page import LEAVE, ButtonScreen
from argentum.terminal.screens.sheets import join_lines
from argentum.words.player_names import format_points
from argentum.words.site_texts import deck_name

RESUME, NEW, ARRANGE, ABANDON = "resume ", "new", "arrange", "abandon"  # actions; a number follows RESUME


class ResumeScreen(ButtonScreen):
    def __init__(self, saved_games: Sequence[SavedGame]) -> None:
        self.saved_games = saved_games
        several = len(saved_games) > 1
        numbers = [str(number) for number, _ in _enumerate_games(saved_games)]
        buttons = [(f"Go on with {number}" if several else "Go on", f"{RESUME}{number}", number) for number in numbers]
        buttons += [("New game", NEW, "n"), ("Arrange a table", ARRANGE, "a")]
        buttons += [("Give up the first" if several else "Give it up", ABANDON, "g"), ("Leave", LEAVE, "q")]
        headline = "You have unfinished games." if several else "You have an unfinished game."
        super().__init__(headline, "Go on, or start another game; this one stays saved.", "", buttons)

    def body(self) -> ComposeResult:
        rows = [
            row
            for number, saved_game in _enumerate_games(self.saved_games)
            for row in (*describe_saved_game(saved_game, number), "")
        ]
        yield Static(join_lines(*rows), id="text")


def _enumerate_games(saved_games: Sequence[SavedGame]) -> list[tuple[int, SavedGame]]:
    return list(enumerate(saved_games, 1))


def describe_saved_game(saved_game: SavedGame, number: int) -> tuple[str, str]:
    """Describe a saved game in two lines: progress, deck and date, then the points."""
    game, seats = saved_game.game, saved_game.arrangement.seats
    played_at = datetime.fromtimestamp(saved_game.file.stat().st_mtime)
    notes = ", from memory" if saved_game.arrangement.memory else ""
    totals = game.view(SEAT_LETTERS[0]).totals
    points = [
        f"{seat.name}{f' ({seat.bot})' if seat.bot else ''} {format_points(totals[letter])}"
        for letter, seat in zip(SEAT_LETTERS, seats, strict=False)
    ]
    return (
        f"{number}  Round {game.round} of {ROUNDS_PER_GAME}, {deck_name(game.cast.code)}{notes}. "
        f"Last played {played_at:%d %B, %H:%M}.",
        f"   Points so far: {', '.join(points)}.",
    )
