"""The end of a round, every village open and reckoned line by line; and the end of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from argentum import words
from argentum.rules.game import Game
from argentum.rules.scoring import ROUNDS, Line
from argentum.rules.views import View
from argentum.tableside.scene import MOONS, CardScene, Portrait, Seat, open_card, portrait


class Reckoning(NamedTuple):
    """How a round was scored: a view of its last table, and the score line by line."""

    view: View
    lines: tuple[Line, ...]


def reckoning_of(game: Game, seat: str) -> Reckoning:
    """How the last finished round was scored, as a seat (or, with an empty letter, whoever watches) is told it."""
    return Reckoning(game.view_end(game.rounds_over, seat), tuple(game.explain(game.rounds_over)))


@dataclass(frozen=True)
class Column:
    """One seat's village and how it counts."""

    seat: Seat
    yours: bool
    cards: tuple[CardScene, ...]
    ledger: tuple[words.LedgerLine, ...]
    lowest: bool
    called: bool
    token: bool
    score: int
    total: int


@dataclass(frozen=True)
class Reveal:
    """A round's end."""

    code: str
    cast: tuple[Portrait, ...]
    headline: str
    explanation: str
    round: int
    moon: str
    columns: tuple[Column, ...]
    token: str
    token_from: str
    token_to: str
    token_words: str
    totals: tuple[tuple[str, int], ...]  # the lowest first
    next_text: str
    ready: tuple[str, ...]  # who has seen enough of it


def reveal_of(end: Reckoning, seats: Sequence[Seat], ready: Sequence[str] = ()) -> Reveal:
    """A round's end, as the seat of its view is shown it."""
    view = end.view
    ledgers = words.ledger(end.lines, view)
    headline, explanation = words.verdict(end.lines, view)
    columns = [_column(view, seat, ledgers[seat.letter]) for seat in seats]
    names = {seat.letter: seat.name for seat in seats}
    return Reveal(
        code=view.boxes,
        cast=tuple([portrait(resident) for resident in view.residents]),
        headline=headline,
        explanation=explanation,
        round=view.round,
        moon=MOONS[view.round - 1],
        columns=tuple(columns),
        token=view.token,
        token_from=names[view.token_was],
        token_to=names[view.token_seat],
        token_words=words.inheritance(view),
        totals=tuple(sorted([(one.seat.name, one.total) for one in columns], key=lambda one: one[1])),
        next_text="See the result" if view.round == ROUNDS else f"On to round {view.round + 1}",
        ready=tuple(ready),
    )


def _column(view: View, seat: Seat, ledger: Sequence[words.LedgerLine]) -> Column:
    letter = seat.letter
    cards = [open_card(view, card, letter, place) for place, card in enumerate(view.villages[letter], 1)]
    return Column(
        seat=seat,
        yours=letter == view.seat,
        cards=tuple(cards),
        ledger=tuple(ledger),
        lowest=view.scores[letter] == min(view.scores.values()),
        called=letter == view.caller,
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
    rounds: tuple[int, ...]
    total: int
    winner: bool


@dataclass(frozen=True)
class Result:
    """The end of a game."""

    headline: str
    rows: tuple[Standing, ...]


def result_of(seats: Sequence[Seat], scores: Sequence[Mapping[str, int]], winner: str, you: str) -> Result:
    """The final standings: the fewest points first, and of equal totals the winner; the rest share a rank (G19)."""
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
                rounds=tuple([points[seat.letter] for points in scores]),
                total=total,
                winner=seat.letter == winner,
            )
        )
    return Result("You win." if you == winner else f"{order[0].name} wins.", tuple(rows))
