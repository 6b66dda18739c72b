"""The reveal of a round in words: each seat's reckoning line by line, and what came of the call."""

from collections.abc import Sequence
from typing import NamedTuple

from argentum.rules.notation import SEATS
from argentum.rules.scoring import LOST_CALL, ROUNDS, Line
from argentum.rules.views import View
from argentum.words.labels import card_at
from argentum.words.seating import Seating, counted, listed, seating_of, sentence

MINUS = "\u2212"  # the printer's sign, as wide as a figure
FACE_MATTERS = ("D0", "D2", "C13")


class LedgerLine(NamedTuple):
    """A line of a seat's reckoning."""

    number: int | None  # of the resident that it is about
    words: str
    amount: str
    kind: str  # card, sum, change, call or score


def ledger(lines: Sequence[Line], end: View) -> dict[str, list[LedgerLine]]:
    """Each seat's reckoning of a finished round: `lines` as the game explains it, `end` a view of its last table."""
    return {seat: _account(seat, lines, end) for seat in end.villages}


def _account(seat: str, lines: Sequence[Line], end: View) -> list[LedgerLine]:
    """One seat's cards, their sum, what changed it, the call, and the score."""
    cards, changes = _split(seat, lines)
    told = [_card(line, end) for line in cards] or [LedgerLine(None, "No cards", "0", "card")]
    total = cards[-1].sum if cards else 0
    told.append(LedgerLine(None, "Sum", _signed(total), "sum"))
    for line in changes:
        told.append(_change(line, total, lines, end))
        total = line.sum
    if not changes:
        told.append(LedgerLine(None, "Nothing changes it", "", "change"))
    told.append(LedgerLine(None, "Round score", _signed(end.scores[seat]), "score"))
    return told


def _split(seat: str, lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """A seat's lines: what each of its cards counts, which comes first; and what changes the sum."""
    cards: dict[str, Line] = {}
    changes: list[Line] = []
    for line in lines:
        if line.seat == seat and line.why != "no cards":
            if line.card.startswith(seat) and line.card not in cards:
                cards[line.card] = line
            else:
                changes.append(line)
    return list(cards.values()), changes


def _number(line: Line) -> int | None:
    """The resident that a line is about; its words begin with the number."""
    return int(line.why.split()[0]) if line.card else None


def _card(line: Line, end: View) -> LedgerLine:
    """What one card counts, and its face where that matters."""
    number = _number(line)
    assert number is not None
    resident = end.residents[number]
    card = card_at(end, line.card)
    note = ""
    if card.covered:
        note = ", under the silver bullet"
    elif resident.label == "B13":
        note = f", counts as {line.change}"
    elif resident.label in FACE_MATTERS:
        note = ", faceup" if card.up else ", facedown"
    return LedgerLine(number, resident.name + note, _signed(line.change), "card")


def _change(line: Line, before: int, lines: Sequence[Line], end: View) -> LedgerLine:
    """What a scoring ability or the call did to a sum."""
    number = _number(line)
    if number is None:
        return _call(line, lines, end)
    name = end.residents[number].name
    if line.label == "D0":
        return LedgerLine(number, f"{name}: {_cards(-line.change)} in other villages", _gain(line.change), "change")
    if line.label == "D2":
        rounded = ", rounded up" * (before % 2)
        return LedgerLine(number, f"{name} halves {_signed(before)}{rounded}", _signed(line.sum), "change")
    if line.label == "C13":
        others = line.why.split(" are ")[1].split(",")[0]
        return LedgerLine(number, f"{name}: the others are {others}, less than 13", _signed(line.sum), "change")
    if line.card.startswith(line.seat):
        return LedgerLine(number, f"{name}: exactly 50 becomes 0", _signed(line.sum), "change")
    owner = sentence(seating_of(end).whose(line.card[0]))
    return LedgerLine(number, f"{owner} {name} hit exactly 50", _gain(line.change), "change")


def _call(line: Line, lines: Sequence[Line], end: View) -> LedgerLine:
    """What the call came to (G16)."""
    less = _lower(sums(lines), line.seat)
    if not less:
        return LedgerLine(None, "Call won: nobody has less", "0", "call")
    who = seating_of(end).does(less[0], "have") if len(less) == 1 else f"{counted(len(less), 'player')} have"
    return LedgerLine(None, f"Call lost: {who} less", _gain(LOST_CALL), "call")


def sums(lines: Sequence[Line]) -> dict[str, int]:
    """What each village counts, before the call is reckoned."""
    totals: dict[str, int] = {}
    for line in lines:
        if not (line.label == "G16" and line.why.startswith("the call")):
            totals[line.seat] = line.sum
    return totals


def _lower(totals: dict[str, int], seat: str) -> list[str]:
    """The seats with the lowest sum, if that is lower than one seat's."""
    lowest = min(totals.values())
    return sorted(other for other in totals if totals[other] == lowest < totals[seat])


def verdict(lines: Sequence[Line], end: View) -> tuple[str, str]:
    """How a round came out: a headline, and why."""
    seating, totals = seating_of(end), sums(lines)
    if not end.caller:
        return _no_call(seating, totals, end)
    who = sentence(seating.name(end.caller))
    own = totals[end.caller]
    less = _lower(totals, end.caller)
    if less:
        difference = own - totals[less[0]]
        by = "one" if difference == 1 else str(difference)
        counts = _counts(seating, less, totals[less[0]])
        return (
            f"{who} called, and the vote is lost.",
            f"{counts}, {by} less than {seating.whose(end.caller)} {_signed(own)}.",
        )
    as_low = sorted(other for other in totals if other != end.caller and totals[other] == own)
    if as_low:
        why = f"{_counts(seating, as_low, own)} too, but not less than {seating.whose(end.caller)} own."
    else:
        why = f"No village counts less than {seating.whose(end.caller)} {_signed(own)}."
    return f"{who} called, and the vote is won.", why


def inheritance(end: View) -> str:
    """What becomes of the token (G17)."""
    name = end.names[SEATS.index(end.token_seat)]
    if end.round == ROUNDS:
        return f"The silver {end.token} ends with {name}."
    starts = f"{name} has the silver {end.token} and starts round {end.round + 1}."
    if end.token_state == "active":
        return f"{starts} It is ready for use."
    return f"{starts} It lies idle: only a call that is won makes it ready."


def _no_call(seating: Seating, totals: dict[str, int], end: View) -> tuple[str, str]:
    """The deck ran out, or the round went on for too long (G13, G14)."""
    headline = f"The round ended after {end.turns} turns." if end.deck else "The deck ran out, and nobody called."
    lowest = min(totals.values())
    seats = sorted(seat for seat in totals if totals[seat] == lowest)
    return headline, f"{_counts(seating, seats, lowest)}, the least."


def _counts(seating: Seating, seats: Sequence[str], amount: int) -> str:
    """What one village counts, or several alike."""
    villages = listed([seating.whose(seat) for seat in seats])
    noun = "village counts" if len(seats) == 1 else "villages count"
    return f"{sentence(villages)} {noun} {_signed(amount)}"


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _signed(amount: int) -> str:
    """An amount, with the printer's minus."""
    return str(amount) if amount >= 0 else f"{MINUS}{-amount}"


def _gain(amount: int) -> str:
    """A change, with its sign."""
    return f"+{amount}" if amount > 0 else _signed(amount)
