"""The end of a round, every village open and reckoned line by line; and the end of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from argentum import words
from argentum.display.scene import MOONS, CardScene, Portrait, Seat, portrait
from argentum.display.scene_builder import open_card
from argentum.rules.game import Game
from argentum.rules.scoring import ScoreLine
from argentum.rules.views import View


class Reckoning(NamedTuple):
    """How a round was scored: a view of its last table, and the score line by line."""

    view: View
    lines: tuple[ScoreLine, ...]


def reckoning_of(game: Game, seat: str) -> Reckoning:
    """How the last finished round was scored, as a seat (or, with an empty letter, whoever watches) is told it."""
    return Reckoning(game.round_end_view(game.rounds_finished, seat), tuple(game.explain(game.rounds_finished)))


@dataclass(frozen=True)
class Column:
    """One seat's village and how it counts."""

    seat: Seat
    yours: bool
    cards: tuple[CardScene, ...]
    ledger: tuple[words.ScoreText, ...]
    lowest: bool
    call: str  # what came of this seat's call: called, called and won, called and lost; empty without
    token: bool
    score: int
    total: int


@dataclass(frozen=True)
class Reveal:
    """A round's end."""

    code: str
    cast: tuple[Portrait, ...]
    so_far: str  # the headline until the sums are seen
    headline: str
    explanation: str
    round: int
    moon: str
    columns: tuple[Column, ...]
    token: str
    token_words: str
    next_text: str
    ready: tuple[str, ...]  # who else has seen enough of it
    people: int  # who are asked, bots not counted


def reveal_of(end: Reckoning, seats: Sequence[Seat], ready: Sequence[str] = ()) -> Reveal:
    """A round's end, as the seat of its view is shown it."""
    view = end.view
    ledgers = words.score_texts(end.lines, view)
    headline, explanation = words.round_result(end.lines, view)
    columns = [_column(end, seat, ledgers[seat.letter]) for seat in seats]
    return Reveal(
        code=view.boxes + view.token[0],
        cast=tuple([portrait(resident) for resident in view.residents]),
        so_far=words.reveal_headline(view),
        headline=headline,
        explanation=explanation,
        round=view.round,
        moon=MOONS[view.round - 1],
        columns=tuple(columns),
        token=view.token,
        token_words=words.token_result(view),
        next_text=words.continue_button(view),
        ready=tuple(ready),
        people=len([seat for seat in seats if not seat.bot]),
    )


def _column(end: Reckoning, seat: Seat, ledger: Sequence[words.ScoreText]) -> Column:
    view, letter = end.view, seat.letter
    cards = [open_card(view, card, letter, place) for place, card in enumerate(view.villages[letter], 1)]
    return Column(
        seat=seat,
        yours=letter == view.seat,
        cards=tuple(cards),
        ledger=tuple(ledger),
        lowest=view.scores[letter] == min(view.scores.values()),
        call=words.call_outcome(end.lines, view) if letter == view.caller else "",
        token=letter == view.token_seat,
        score=view.scores[letter],
        total=view.totals[letter],
    )


@dataclass(frozen=True)
class Standing:
    """A line of the final standings."""

    rank: int
    name: str
    yours: bool
    bot: str
    filled_in: bool  # a bot has made moves in a person's place
    rounds: tuple[int, ...]
    total: int
    winner: bool


@dataclass(frozen=True)
class Result:
    """The end of a game."""

    headline: str
    rows: tuple[Standing, ...]


def result_of(
    seats: Sequence[Seat], scores: Sequence[Mapping[str, int]], winner: str, you: str, by_bot: str = ""
) -> Result:
    """The final standings: the fewest points first, and of equal totals the winner; the rest share a rank (G19).

    `by_bot` are the seats in which a bot has made moves.
    """
    totals = {seat.letter: sum([points[seat.letter] for points in scores]) for seat in seats}
    order = sorted(seats, key=lambda seat: (totals[seat.letter], seat.letter != winner))
    rows: list[Standing] = []
    for nth, seat in enumerate(order):
        total = totals[seat.letter]
        tied = nth > 1 and total == rows[-1].total
        rows.append(
            Standing(
                rank=rows[-1].rank if tied else nth + 1,
                name=seat.name,
                yours=seat.letter == you,
                bot=seat.bot,
                filled_in=not seat.bot and seat.letter in by_bot,
                rounds=tuple([points[seat.letter] for points in scores]),
                total=total,
                winner=seat.letter == winner,
            )
        )
    return Result(words.winner_text(order[0].name, you == winner), tuple(rows))
