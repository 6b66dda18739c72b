"""The reveal of a round in words: each seat's reckoning line by line, and what came of the call."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from argentum.rules import scoring
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME, ScoreLine
from argentum.rules.views import View
from argentum.words.context import card_at
from argentum.words.english import counted, listed, sentence
from argentum.words.event_sentences import enders
from argentum.words.player_names import Seating, seating_of, signed
from argentum.words.residents import voice_of

OUTCOMES = {scoring.LINE_CALL_WON: "called and won", scoring.LINE_CALL_LOST: "called and lost"}


class LedgerLine(NamedTuple):
    """A line of a seat's reckoning."""

    number: int | None  # of the resident that it is about
    words: str
    amount: str
    kind: str  # card, sum, change, call or score


def ledger(lines: Sequence[ScoreLine], end: View) -> dict[str, list[LedgerLine]]:
    """Each seat's reckoning of a finished round: `lines` as the game explains it, `end` a view of its last table."""
    return {seat: _account(seat, [line for line in lines if line.seat == seat], lines, end) for seat in end.villages}


def _account(seat: str, own: Sequence[ScoreLine], lines: Sequence[ScoreLine], end: View) -> list[LedgerLine]:
    """One seat's cards, their sum, what changed it, the call, and the score."""
    cards = [line for line in own if line.kind == scoring.LINE_CARD]
    told = [_card(line, end) for line in cards] or [LedgerLine(None, "No cards", "0", "card")]
    total = cards[-1].sum if cards else 0
    told.append(LedgerLine(None, "Sum", signed(total), "sum"))
    changes: list[LedgerLine] = []
    for line in own:
        if line.kind == scoring.LINE_CHANGE:
            changes.append(_change(line, total, end))
            total = line.sum
        elif line.kind in (scoring.LINE_CALL_WON, scoring.LINE_CALL_LOST):
            changes.append(_call(line, lines, end))
    told += changes or [LedgerLine(None, "Nothing changes it", "", "change")]
    told.append(LedgerLine(None, "Round score", signed(end.scores[seat]), "score"))
    return told


def _card(line: ScoreLine, end: View) -> LedgerLine:
    """What one card counts, and its face where that matters."""
    assert line.number is not None
    resident = end.residents[line.number]
    card = card_at(end, line.spot)
    note = ""
    if card.covered:
        note = f", under the silver {end.token}"
    elif voice_of(resident.label).faced:
        note = ", faceup" if card.up else ", facedown"
    elif line.amount != line.number:
        note = f", counts as {signed(line.amount)}"
    return LedgerLine(line.number, resident.name + note, signed(line.amount), "card")


def _change(line: ScoreLine, before: int, end: View) -> LedgerLine:
    """What a scoring ability did to a sum; it may be one of another village."""
    assert line.number is not None
    resident = end.residents[line.number]
    voice, abroad = voice_of(resident.label), line.spot[0] != line.seat
    cards = line.value or 0
    words = (voice.abroad if abroad else voice.change).format(
        name=resident.name,
        whose=sentence(seating_of(end).whose(line.spot[0])),
        before=signed(before),
        rounded=", rounded up" * (before % 2),
        value=signed(cards),
        cards=f"{cards} card{'s' * (cards != 1)}",
    )
    amount = _gain(line.amount) if abroad or voice.by else signed(line.sum)
    return LedgerLine(line.number, words, amount, "change")


def _call(line: ScoreLine, lines: Sequence[ScoreLine], end: View) -> LedgerLine:
    """What the call came to (G16)."""
    if line.kind == scoring.LINE_CALL_WON:
        return LedgerLine(None, "Call won: nobody has less", "0", "call")
    less = _lower(sums(lines), line.seat)
    who = seating_of(end).does(less[0], "have") if len(less) == 1 else f"{counted(len(less), 'player')} have"
    return LedgerLine(None, f"Call lost: {who} less", _gain(LOST_CALL_POINTS), "call")


def sums(lines: Sequence[ScoreLine]) -> dict[str, int]:
    """What each village counts, before the call is reckoned."""
    return {line.seat: line.sum for line in lines if line.kind not in (scoring.LINE_CALL_WON, scoring.LINE_CALL_LOST)}


def _lower(totals: dict[str, int], seat: str) -> list[str]:
    """The seats with the lowest sum, if that is lower than one seat's."""
    lowest = min(totals.values())
    return sorted(other for other in totals if totals[other] == lowest < totals[seat])


def verdict(lines: Sequence[ScoreLine], end: View) -> tuple[str, str]:
    """How a round came out: a headline, and why. A round that was cut short says so first (A0, G14)."""
    totals = sums(lines)
    headline, why = _of_call(totals, end) if end.caller else _of_least(totals, end)
    if end.reason not in CUT_SHORT:
        return headline, why
    return CUT_SHORT[end.reason](end), f"{headline} {why}" if end.caller else why


def _of_call(totals: dict[str, int], end: View) -> tuple[str, str]:
    """What came of the call, and why (G16)."""
    seating = seating_of(end)
    who = sentence(seating.name(end.caller))
    own = totals[end.caller]
    less = _lower(totals, end.caller)
    if less:
        difference = own - totals[less[0]]
        by = "one" if difference == 1 else str(difference)
        counts = _counts(seating, less, totals[less[0]])
        return (
            f"{who} called, and the vote is lost.",
            f"{counts}, {by} less than {seating.whose(end.caller)} {signed(own)}.",
        )
    as_low = sorted(other for other in totals if other != end.caller and totals[other] == own)
    if as_low:
        why = f"{_counts(seating, as_low, own)} too, but the caller wins a tie."
    else:
        why = f"No village counts less than {seating.whose(end.caller)} {signed(own)}."
    return f"{who} called, and the vote is won.", why


def _of_least(totals: dict[str, int], end: View) -> tuple[str, str]:
    """Nobody called: who has the least (G13)."""
    lowest = min(totals.values())
    seats = sorted(seat for seat in totals if totals[seat] == lowest)
    return "The deck ran out, and nobody called.", f"{_counts(seating_of(end), seats, lowest)}, the least."


CUT_SHORT: dict[str, Callable[[View], str]] = {
    "villagers": lambda end: f"{sentence(enders(end.residents))} came to lie faceup: the round ended at once.",
    "turn cap": lambda end: f"The round ended after {end.turns} turns.",
}


def inheritance(end: View) -> str:
    """What becomes of the token (G17)."""
    name = end.names[SEAT_LETTERS.index(end.token_seat)]
    if end.round == ROUNDS_PER_GAME:
        return f"The silver {end.token} ends with {name}."
    starts = f"{name} has the silver {end.token} and starts round {end.round + 1}."
    if end.token_state == "active":
        return f"{starts} It is ready for use."
    return f"{starts} It lies idle: only a successful call makes it ready."


def before_sums(end: View) -> str:
    """The headline of a round's end until the cards are reckoned."""
    return f"{sentence(seating_of(end).name(end.caller))} called." if end.caller else "All cards are shown."


def of_call(lines: Sequence[ScoreLine], end: View) -> str:
    """What came of the call, in a word or three beside the caller's name; a round cut short may not judge it."""
    return next((OUTCOMES[line.kind] for line in lines if line.seat == end.caller and line.kind in OUTCOMES), "called")


def winner(name: str, yours: bool) -> str:
    """Who has won the game."""
    return "You win." if yours else f"{name} wins."


def onward(end: View) -> str:
    """The button that leads on from a round's end."""
    return "See the result" if end.round == ROUNDS_PER_GAME else f"On to round {end.round + 1}"


def _counts(seating: Seating, seats: Sequence[str], amount: int) -> str:
    """What one village counts, or several alike."""
    villages = listed([seating.whose(seat) for seat in seats])
    noun = "village counts" if len(seats) == 1 else "villages count"
    return f"{sentence(villages)} {noun} {signed(amount)}"


def _gain(amount: int) -> str:
    """A change, with its sign."""
    return f"+{amount}" if amount > 0 else signed(amount)
