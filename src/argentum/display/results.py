"""Round summaries and final standings, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from argentum import words
from argentum.display.scene import MOONS, ResidentSummary, SceneCard, SeatInfo, resident_summary
from argentum.display.scene_builder import faceup_card
from argentum.rules.game import Game
from argentum.rules.scoring import ScoreLine
from argentum.rules.views import View


class RoundScoring(NamedTuple):
    """The last view of a round and its score lines."""

    view: View
    lines: tuple[ScoreLine, ...]


def round_scoring(game: Game, seat: str) -> RoundScoring:
    """Return the scoring of the last finished round, as a seat sees it (empty: a spectator)."""
    return RoundScoring(game.round_end_view(game.rounds_finished, seat), tuple(game.explain(game.rounds_finished)))


@dataclass(frozen=True)
class SeatSummary:
    seat: SeatInfo
    is_viewer: bool
    cards: tuple[SceneCard, ...]
    ledger: tuple[words.ScoreText, ...]
    is_lowest: bool
    call: str  # what came of this seat's call: called, called and won, called and lost; empty without
    token: bool
    score: int
    total: int


@dataclass(frozen=True)
class RoundSummary:
    code: str
    cast: tuple[ResidentSummary, ...]
    provisional_headline: str  # the headline until the sums are seen
    headline: str
    explanation: str
    round: int
    moon: str
    columns: tuple[SeatSummary, ...]
    token: str
    token_words: str
    next_button: str
    ready_names: tuple[str, ...]  # who else has seen enough of it
    people_count: int  # who are asked, bots not counted


def summarize_round(end: RoundScoring, seats: Sequence[SeatInfo], ready: Sequence[str] = ()) -> RoundSummary:
    """Summarize a round for the seat of its view."""
    view = end.view
    ledgers = words.score_texts(end.lines, view)
    headline, explanation = words.round_result(end.lines, view)
    columns = [_seat_summary(end, seat, ledgers[seat.letter]) for seat in seats]
    return RoundSummary(
        code=view.boxes + view.token[0],
        cast=tuple([resident_summary(resident) for resident in view.residents]),
        provisional_headline=words.reveal_headline(view),
        headline=headline,
        explanation=explanation,
        round=view.round,
        moon=MOONS[view.round - 1],
        columns=tuple(columns),
        token=view.token,
        token_words=words.token_result(view),
        next_button=words.continue_button(view),
        ready_names=tuple(ready),
        people_count=len([seat for seat in seats if not seat.bot]),
    )


def _seat_summary(end: RoundScoring, seat: SeatInfo, ledger: Sequence[words.ScoreText]) -> SeatSummary:
    view, letter = end.view, seat.letter
    cards = [faceup_card(view, card, letter, position) for position, card in enumerate(view.villages[letter], 1)]
    return SeatSummary(
        seat=seat,
        is_viewer=letter == view.seat,
        cards=tuple(cards),
        ledger=tuple(ledger),
        is_lowest=view.scores[letter] == min(view.scores.values()),
        call=words.call_outcome(end.lines, view) if letter == view.caller else "",
        token=letter == view.token_seat,
        score=view.scores[letter],
        total=view.totals[letter],
    )


@dataclass(frozen=True)
class Standing:
    rank: int
    name: str
    yours: bool
    bot: str
    had_stand_in: bool  # a bot has made moves in a person's place
    rounds: tuple[int, ...]
    total: int
    winner: bool


@dataclass(frozen=True)
class GameResult:
    headline: str
    rows: tuple[Standing, ...]


def game_result(
    seats: Sequence[SeatInfo], scores: Sequence[Mapping[str, int]], winner: str, you: str, by_bot: str = ""
) -> GameResult:
    """Rank the seats: fewest points first, then the winner among equal totals; other ties share a rank (G19).

    `by_bot` are the seats of people for whom a bot has moved.
    """
    totals = {seat.letter: sum([points[seat.letter] for points in scores]) for seat in seats}
    order = sorted(seats, key=lambda seat: (totals[seat.letter], seat.letter != winner))
    rows: list[Standing] = []
    for index, seat in enumerate(order):
        total = totals[seat.letter]
        tied = index > 1 and total == rows[-1].total
        rows.append(
            Standing(
                rank=rows[-1].rank if tied else index + 1,
                name=seat.name,
                yours=seat.letter == you,
                bot=seat.bot,
                had_stand_in=not seat.bot and seat.letter in by_bot,
                rounds=tuple([points[seat.letter] for points in scores]),
                total=total,
                winner=seat.letter == winner,
            )
        )
    return GameResult(words.winner_text(order[0].name, you == winner), tuple(rows))
