"""What is offered first: to go on with a game that was kept, or to begin another."""

from collections.abc import Sequence
from datetime import datetime

from textual.app import ComposeResult
from textual.widgets import Static

from argentum.rooms.log.file import SavedGame
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.terminal.screens.page import LEAVE, ButtonScreen
from argentum.terminal.screens.sheets import join_lines
from argentum.words.player_names import signed
from argentum.words.site_texts import deck_name

RESUME, NEW, ARRANGE, ABANDON = "go on ", "new", "arrange", "give up"


class ResumeScreen(ButtonScreen):
    """Games that are not over."""

    def __init__(self, kept: Sequence[SavedGame]) -> None:
        self.kept = kept
        several = len(kept) > 1
        counted = [str(nth) for nth, _ in _counted(kept)]
        choices = [(f"Go on with {nth}" if several else "Go on", f"{RESUME}{nth}", nth) for nth in counted]
        choices += [("New game", NEW, "n"), ("Arrange a table", ARRANGE, "a")]
        choices += [("Give up the first" if several else "Give it up", ABANDON, "g"), ("Leave", LEAVE, "q")]
        headline = "You have games that are not over." if several else "You have a game that is not over."
        super().__init__(headline, "Go on, or begin another: this one is kept.", "", choices)

    def body(self) -> ComposeResult:
        """Each game in two lines."""
        rows = [row for nth, one in _counted(self.kept) for row in (*describe_saved_game(one, nth), "")]
        yield Static(join_lines(*rows), id="text")


def _counted(kept: Sequence[SavedGame]) -> list[tuple[int, SavedGame]]:
    return list(enumerate(kept, 1))


def describe_saved_game(kept: SavedGame, nth: int) -> tuple[str, str]:
    """A kept game in words: when it was played, how far, with whom, and who leads."""
    game, places = kept.game, kept.arrangement.seats
    when = datetime.fromtimestamp(kept.file.stat().st_mtime)
    notes = ", from memory" if kept.arrangement.memory else ""
    totals = game.view(SEAT_LETTERS[0]).totals
    points = [
        f"{place.name}{f' ({place.bot})' if place.bot else ''} {signed(totals[letter])}"
        for letter, place in zip(SEAT_LETTERS, places, strict=False)
    ]
    return (
        f"{nth}  Round {game.round} of {ROUNDS_PER_GAME}, {deck_name(game.cast.code)}{notes}. Last played {when:%d %B, %H:%M}.",
        f"   Points so far: {', '.join(points)}.",
    )
