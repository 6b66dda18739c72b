"""Re-dealing of the hidden faces."""

from random import Random
from typing import TYPE_CHECKING

from argentum.rules.residents import CARDS, NUMBERS
from argentum.rules.shuffling import Item, shuffle
from argentum.rules.table import LOW, Table
from argentum.rules.views import knows

if TYPE_CHECKING:
    from mypy_extensions import i64


def surely_alike(one: Table, other: Table, seat: int) -> bool:
    """Whether two tables look the same to a seat because all but unknown faces is the same, card by card.

    That is quickly seen, and nearly always so where one is a re-deal of the other; if not, their views may still be
    equal, as where marks differ that nobody can place (B8).
    """
    if (
        one.seen != other.seen
        or one.up != other.up
        or one.villages != other.villages
        or one.deck != other.deck
        or one.discard != other.discard
        or one.shown != other.shown
        or one.private != other.private
        or one.totals != other.totals
        or one.scores != other.scores
        or one.last != other.last
        or one.picked != other.picked
        or one.reach != other.reach
        or one.resting != other.resting
        or one.guards != other.guards
        or one.peeked != other.peeked
        or one.asker != other.asker
        or one.step != other.step
    ):
        return False
    if (
        one.used != other.used
        or one.passed != other.passed
        or one.sideways != other.sideways
        or one.blurred != other.blurred
        or one.named != other.named
        or one.looking != other.looking
        or one.hand != other.hand
        or one.held != other.held
        or one.covered != other.covered
        or one.turn != other.turn
        or one.turns != other.turns
        or one.round != other.round
        or one.extra != other.extra
        or one.caller != other.caller
        or one.chooser != other.chooser
        or one.direction != other.direction
        or one.reason != other.reason
        or one.over != other.over
        or one.deck_up != other.deck_up
        or one.token_seat != other.token_seat
        or one.token_state != other.token_state
        or one.token_was != other.token_was
        or one.players != other.players
    ):
        return False
    faces, others = one.faces, other.faces
    if one.deck_up and one.deck and faces[one.deck[-1]] != others[one.deck[-1]]:
        return False
    return not any([faces[card] != others[card] and knows(one, seat, card) for card in range(CARDS)])


def _unseen(before: list[int], now: list[int], viewer: int) -> list[int]:
    """The cards that a viewer neither had seen before nor has seen now."""
    found: list[int] = []
    by: i64
    for card, by in enumerate(now):
        if not (by | before[card]) & viewer:
            found.append(card)
    return found


def _shuffle_faces(table: Table, cards: list[int], above: int, random: Random) -> None:
    """Deal the faces of these cards anew among them; those in `above`, which all know to be above 4, get such faces."""
    dealt, before = table.faces, table.faces[:] if table.blurred else []
    counts = [0] * NUMBERS
    for card in cards:
        face: i64 = dealt[card]
        counts[face] += 1
    faces = [number for number in range(NUMBERS) for _ in range(counts[number])]  # in an order that tells nothing
    shuffle(faces, random)
    if above:
        for card in cards:
            if above >> card & 1:
                high = next(nth for nth, face in enumerate(faces) if face > LOW)
                dealt[card] = faces.pop(high)
        cards = [card for card in cards if not above >> card & 1]
    _deal_out(faces, cards, dealt)
    if before:
        _move_marks(table, before)


def _deal_out(faces: list[Item], cards: list[int], dealt: list[Item]) -> None:
    """Give each of these cards a face, the last one first."""
    left: i64 = len(faces)
    card: i64
    for card in cards:
        left -= 1
        dealt[card] = faces[left]


def _move_marks(table: Table, before: list[int]) -> None:
    """Marks that nobody can place go with a face like the one that had them (B8), if one lies in that village."""
    goes = list(range(len(before)))  # by card that has marks: the one that gets them
    for village in table.villages:
        blurred = [card for card in village if table.blurred >> card & 1]
        free = blurred[:]
        for card in blurred:
            if table.used >> card & 1 or card in [one for _, one, _ in table.resting]:
                alike = [one for one in free if table.faces[one] == before[card]]
                if alike:
                    goes[card] = card if card in alike else alike[0]
                    free.remove(goes[card])
    used = 0
    for card in range(len(before)):
        used |= (table.used >> card & 1) << goes[card]
    table.used = used
    table.resting = tuple([(owner, goes[card], left) for owner, card, left in table.resting])
