"""Texts about the score and the result of a round."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from argentum.rules import scoring
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import Resident
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME, ScoreLine
from argentum.rules.views import View, card_at
from argentum.words.english import capitalize_first, count_noun, join_list
from argentum.words.player_names import PlayerNames, format_points, player_names
from argentum.words.residents import texts_of

CALL_OUTCOMES = {scoring.LINE_CALL_WON: "called and won", scoring.LINE_CALL_LOST: "called and lost"}


class ScoreText(NamedTuple):
    """A line of a seat's score sheet, as text."""

    number: int | None  # of the resident concerned
    words: str
    amount: str
    kind: str  # card, sum, change, call or score


def score_texts(lines: Sequence[ScoreLine], end: View) -> dict[str, list[ScoreText]]:
    """Return a score sheet per seat. `lines` are from `Game.explain`, `end` is a view of the finished round."""
    return {seat: _seat_texts(seat, [line for line in lines if line.seat == seat], lines, end) for seat in end.villages}


def _seat_texts(seat: str, own_lines: Sequence[ScoreLine], lines: Sequence[ScoreLine], end: View) -> list[ScoreText]:
    cards = [line for line in own_lines if line.kind == scoring.LINE_CARD]
    texts = [_card_text(line, end) for line in cards] or [ScoreText(None, "No cards", "0", "card")]
    total = cards[-1].sum if cards else 0
    texts.append(ScoreText(None, "Sum", format_points(total), "sum"))
    changes: list[ScoreText] = []
    for line in own_lines:
        if line.kind == scoring.LINE_CHANGE:
            changes.append(_change_text(line, total, end))
            total = line.sum
        elif line.kind in (scoring.LINE_CALL_WON, scoring.LINE_CALL_LOST):
            changes.append(_call_text(line, lines, end))
    texts += changes or [ScoreText(None, "Nothing changes it", "", "change")]
    texts.append(ScoreText(None, "Round score", format_points(end.scores[seat]), "score"))
    return texts


def _card_text(line: ScoreLine, end: View) -> ScoreText:
    """Describe the points of a card, and its facing if that matters."""
    assert line.number is not None
    resident = end.residents[line.number]
    card = card_at(end, line.spot)
    note = ""
    if card.covered:
        note = f", under the silver {end.token}"
    elif texts_of(resident.label).shows_facing:
        note = ", faceup" if card.up else ", facedown"
    elif line.amount != line.number:
        note = f", counts as {format_points(line.amount)}"
    return ScoreText(line.number, resident.name + note, format_points(line.amount), "card")


def _change_text(line: ScoreLine, before: int, end: View) -> ScoreText:
    """Describe how a scoring ability changed a sum; the resident may be in another village."""
    assert line.number is not None
    resident = end.residents[line.number]
    texts, from_other_village = texts_of(resident.label), line.spot[0] != line.seat
    cards = line.value or 0
    words = (texts.other_score_change if from_other_village else texts.own_score_change).format(
        name=resident.name,
        whose=capitalize_first(player_names(end).possessive(line.spot[0])),
        before=format_points(before),
        rounded=", rounded up" * (before % 2),
        value=format_points(cards),
        cards=f"{cards} card{'s' * (cards != 1)}",
    )
    amount = _signed_change(line.amount) if from_other_village or texts.shows_difference else format_points(line.sum)
    return ScoreText(line.number, words, amount, "change")


def _call_text(line: ScoreLine, lines: Sequence[ScoreLine], end: View) -> ScoreText:
    """Describe the result of the call (G16)."""
    if line.kind == scoring.LINE_CALL_WON:
        return ScoreText(None, "Call won: nobody has less", "0", "call")
    lower_seats = _lowest_seats_below(village_sums(lines), line.seat)
    winners = (
        player_names(end).with_verb(lower_seats[0], "have")
        if len(lower_seats) == 1
        else f"{count_noun(len(lower_seats), 'player')} have"
    )
    return ScoreText(None, f"Call lost: {winners} less", _signed_change(LOST_CALL_POINTS), "call")


def village_sums(lines: Sequence[ScoreLine]) -> dict[str, int]:
    """Return the sum of each village before the call is scored."""
    return {line.seat: line.sum for line in lines if line.kind not in (scoring.LINE_CALL_WON, scoring.LINE_CALL_LOST)}


def _lowest_seats_below(totals: dict[str, int], seat: str) -> list[str]:
    """Return the seats with the lowest sum; empty if no sum is lower than that of `seat`."""
    lowest = min(totals.values())
    return sorted(other for other in totals if totals[other] == lowest < totals[seat])


def round_result(lines: Sequence[ScoreLine], end: View) -> tuple[str, str]:
    """Return the headline and the explanation of a round's result. If the round ended early, the headline says so."""
    totals = village_sums(lines)
    headline, explanation = _call_result(totals, end) if end.caller else _lowest_result(totals, end)
    if end.reason not in EARLY_END_TEXT:
        return headline, explanation
    return EARLY_END_TEXT[end.reason](end), f"{headline} {explanation}" if end.caller else explanation


def _call_result(totals: dict[str, int], end: View) -> tuple[str, str]:
    """Return the headline and the explanation of a round with a call (G16)."""
    names = player_names(end)
    caller = capitalize_first(names.name(end.caller))
    caller_sum = totals[end.caller]
    lower_seats = _lowest_seats_below(totals, end.caller)
    if lower_seats:
        difference = caller_sum - totals[lower_seats[0]]
        by = "one" if difference == 1 else str(difference)
        counts = _sum_sentence(names, lower_seats, totals[lower_seats[0]])
        return (
            f"{caller} called, and the vote is lost.",
            f"{counts}, {by} less than {names.possessive(end.caller)} {format_points(caller_sum)}.",
        )
    tied_seats = sorted(other for other in totals if other != end.caller and totals[other] == caller_sum)
    if tied_seats:
        explanation = f"{_sum_sentence(names, tied_seats, caller_sum)} too, but the caller wins a tie."
    else:
        explanation = f"No village counts less than {names.possessive(end.caller)} {format_points(caller_sum)}."
    return f"{caller} called, and the vote is won.", explanation


def _lowest_result(totals: dict[str, int], end: View) -> tuple[str, str]:
    """Return the headline and the explanation of a round without a call (G13)."""
    lowest = min(totals.values())
    seats = sorted(seat for seat in totals if totals[seat] == lowest)
    return "The deck ran out, and nobody called.", f"{_sum_sentence(player_names(end), seats, lowest)}, the least."


def round_ending_residents(residents: Sequence[Resident]) -> str:
    """Return a phrase for those residents that end a round when all are faceup: "both Villagers" (A0)."""
    return " and ".join([f"both {resident.name}s" for resident in residents if resident.ends_round])


EARLY_END_TEXT: dict[str, Callable[[View], str]] = {
    "residents": lambda end: (
        f"{capitalize_first(round_ending_residents(end.residents))} came to lie faceup: the round ended at once."
    ),
    "turn cap": lambda end: f"The round ended after {end.turns} turns.",
}


def token_result(end: View) -> str:
    """Return sentences that say who gets the token, and whether it is active (G17)."""
    name = end.names[SEAT_LETTERS.index(end.token_seat)]
    if end.round == ROUNDS_PER_GAME:
        return f"The silver {end.token} ends with {name}."
    starts = f"{name} has the silver {end.token} and starts round {end.round + 1}."
    if end.token_state == "active":
        return f"{starts} It is ready for use."
    return f"{starts} It lies idle: only a successful call makes it ready."


def reveal_headline(end: View) -> str:
    """Return the headline of a finished round before its score is shown."""
    return f"{capitalize_first(player_names(end).name(end.caller))} called." if end.caller else "All cards are shown."


def call_outcome(lines: Sequence[ScoreLine], end: View) -> str:
    """Return the label for the caller: "called and won", or "called" if the call was not scored."""
    return next(
        (CALL_OUTCOMES[line.kind] for line in lines if line.seat == end.caller and line.kind in CALL_OUTCOMES), "called"
    )


def winner_text(name: str, is_reader: bool) -> str:
    return "You win." if is_reader else f"{name} wins."


def continue_button_text(end: View) -> str:
    """Return the text of the button that continues after a round."""
    return "See the result" if end.round == ROUNDS_PER_GAME else f"On to round {end.round + 1}"


def _sum_sentence(names: PlayerNames, seats: Sequence[str], amount: int) -> str:
    """Return a clause with the sum of one village, or the equal sums of several."""
    villages = join_list([names.possessive(seat) for seat in seats])
    noun = "village counts" if len(seats) == 1 else "villages count"
    return f"{capitalize_first(villages)} {noun} {format_points(amount)}"


def _signed_change(amount: int) -> str:
    return f"+{amount}" if amount > 0 else format_points(amount)
