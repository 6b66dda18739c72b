"""Values that the round-end and game-end pages show: round summaries and final standings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from argentum import words
from argentum.display.scene import MOONS, ResidentSummary, SceneCard, SeatInfo, resident_summary
from argentum.display.scene_builder import build_faceup_card
from argentum.rules.game import Game
from argentum.rules.scoring import ScoreLine
from argentum.rules.standings import shared_ranks
from argentum.rules.views import View


class RoundScoring(NamedTuple):
    """The end of a round as a seat sees it, and the score lines."""

    view: View
    lines: tuple[ScoreLine, ...]


def round_scoring(game: Game, seat: str) -> RoundScoring:
    """Return the scoring of the last finished round as a seat sees it; an empty `seat` is a spectator."""
    return RoundScoring(game.round_end_view(game.rounds_finished, seat), tuple(game.explain(game.rounds_finished)))


@dataclass(frozen=True)
class SeatSummary:
    seat: SeatInfo
    is_viewer: bool
    cards: tuple[SceneCard, ...]
    ledger: tuple[words.ScoreText, ...]
    is_lowest: bool
    call: str  # "called", "called and won" or "called and lost"; empty if the seat did not call
    token: bool
    score: int
    total: int


@dataclass(frozen=True)
class RoundSummary:
    code: str
    cast: tuple[ResidentSummary, ...]
    provisional_headline: str  # shown until the sums are revealed
    headline: str
    explanation: str
    round: int
    moon: str
    columns: tuple[SeatSummary, ...]
    token: str
    token_words: str
    next_button: str
    ready_names: tuple[str, ...]  # other players who have pressed the button
    people_count: int  # players who are asked to press it, without bots


def summarize_round(scoring: RoundScoring, seats: Sequence[SeatInfo], ready: Sequence[str] = ()) -> RoundSummary:
    """Summarize a round for the seat that the scoring is for; `ready` names the players who have continued."""
    view = scoring.view
    ledgers = words.score_texts(scoring.lines, view)
    headline, explanation = words.round_result(scoring.lines, view)
    columns = [_summarize_seat(scoring, seat, ledgers[seat.letter]) for seat in seats]
    return RoundSummary(
        code=view.boxes + view.cast.token_box.letter,
        cast=tuple([resident_summary(resident) for resident in view.residents]),
        provisional_headline=words.reveal_headline(view),
        headline=headline,
        explanation=explanation,
        round=view.round,
        moon=MOONS[view.round - 1],
        columns=tuple(columns),
        token=view.token,
        token_words=words.token_result(view),
        next_button=words.continue_button_text(view),
        ready_names=tuple(ready),
        people_count=len([seat for seat in seats if not seat.bot]),
    )


def _summarize_seat(scoring: RoundScoring, seat: SeatInfo, ledger: Sequence[words.ScoreText]) -> SeatSummary:
    view, letter = scoring.view, seat.letter
    cards = [build_faceup_card(view, card, letter, position) for position, card in enumerate(view.villages[letter], 1)]
    return SeatSummary(
        seat=seat,
        is_viewer=letter == view.seat,
        cards=tuple(cards),
        ledger=tuple(ledger),
        is_lowest=view.scores[letter] == min(view.scores.values()),
        call=words.call_outcome(scoring.lines, view) if letter == view.caller else "",
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
    had_stand_in: bool  # a bot has moved for the person
    rounds: tuple[int, ...]
    total: int
    winner: bool


@dataclass(frozen=True)
class GameResult:
    headline: str
    rows: tuple[Standing, ...]


def game_result(
    seats: Sequence[SeatInfo], scores: Sequence[Mapping[str, int]], winner: str, viewer: str, stand_in_seats: str = ""
) -> GameResult:
    """Rank the seats by points, fewest first (G19). Equal totals share a rank, except that the winner comes first.

    `viewer` is the seat that is addressed, or empty. `stand_in_seats` contains the letters of the players' seats in
    which a bot has made a move.
    """
    totals = {seat.letter: sum([points[seat.letter] for points in scores]) for seat in seats}
    ranks = shared_ranks(list(totals.values()), list(totals).index(winner))
    rows = [
        Standing(
            rank=rank,
            name=seat.name,
            yours=seat.letter == viewer,
            bot=seat.bot,
            had_stand_in=not seat.bot and seat.letter in stand_in_seats,
            rounds=tuple([points[seat.letter] for points in scores]),
            total=totals[seat.letter],
            winner=seat.letter == winner,
        )
        for rank, seat in zip(ranks, seats, strict=True)
    ]
    rows.sort(key=lambda row: row.rank)
    return GameResult(words.winner_text(rows[0].name, viewer == winner), tuple(rows))
