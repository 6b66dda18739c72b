# mypyc: compile
"""Re-deal the faces that a seat cannot know."""

from random import Random
from typing import TYPE_CHECKING

from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, has_number
from argentum.rules.shuffling import Item, fast_shuffle
from argentum.rules.table import HIGHEST_LOW_NUMBER, Table
from argentum.rules.views import may_see_face

if TYPE_CHECKING:
    from mypy_extensions import i64  # mypyc: unboxed int; used in annotations only


def are_surely_indistinguishable(table: Table, other: Table, seat: int) -> bool:
    """Whether two tables differ only in faces that a seat cannot know, so that its views are equal.

    False negatives are possible: views can be equal although hidden marks are on different cards (B8). Comparing
    tables is faster than comparing views, and nearly always sufficient after a re-deal.
    """
    if (
        table.seen != other.seen
        or table.faceup != other.faceup
        or table.villages != other.villages
        or table.deck != other.deck
        or table.discard != other.discard
        or table.shown != other.shown
        or table.private != other.private
        or table.totals != other.totals
        or table.scores != other.scores
        or table.last_turns != other.last_turns
        or table.picked != other.picked
        or table.pile_choices != other.pile_choices
        or table.cooldowns != other.cooldowns
        or table.guards != other.guards
        or table.first_peeks != other.first_peeks
        or table.asker != other.asker
        or table.step != other.step
    ):
        return False
    if (
        table.used_cards != other.used_cards
        or table.passed_over != other.passed_over
        or table.sideways != other.sideways
        or table.untraceable != other.untraceable
        or table.named_places != other.named_places
        or table.first_look_pending != other.first_look_pending
        or table.hand != other.hand
        or table.hand_source != other.hand_source
        or table.covered_card != other.covered_card
        or table.turn != other.turn
        or table.turns != other.turns
        or table.round != other.round
        or table.extra_turns != other.extra_turns
        or table.caller != other.caller
        or table.chooser != other.chooser
        or table.direction != other.direction
        or table.end_reason != other.end_reason
        or table.round_over != other.round_over
        or table.deck_up != other.deck_up
        or table.token_seat != other.token_seat
        or table.token_state != other.token_state
        or table.scored_token_seat != other.scored_token_seat
        or table.players != other.players
    ):
        return False
    faces, others = table.faces, other.faces
    if table.deck_up and table.deck and faces[table.deck[-1]] != others[table.deck[-1]]:
        return False
    return not any([faces[card] != others[card] and may_see_face(table, seat, card) for card in range(CARDS_IN_DECK)])


def cards_outside(mask: int) -> list[int]:
    """Return the cards that are not in a bit mask."""
    return [card for card in range(CARDS_IN_DECK) if not has_number(mask, card)]


def redeal_faces(table: Table, cards: list[int], above: int, random: Random) -> None:
    """Shuffle the faces of `cards`, so that those in the bit mask `above` get numbers above 4 (D7)."""
    dealt, before = table.faces, table.faces[:] if table.untraceable else []
    counts = [0] * RESIDENTS_PER_BOX
    for card in cards:
        face: i64 = dealt[card]
        counts[face] += 1
    # Sorted, so that the order before the shuffle does not depend on the true faces.
    faces = [number for number in range(RESIDENTS_PER_BOX) for _ in range(counts[number])]
    fast_shuffle(faces, random)
    if above:
        for card in cards:
            if has_number(above, card):
                index = next(index for index, face in enumerate(faces) if face > HIGHEST_LOW_NUMBER)
                dealt[card] = faces.pop(index)
        cards = [card for card in cards if not has_number(above, card)]
    assign_faces(faces, cards, dealt)
    if before:
        move_untraceable_marks(table, before)


def assign_faces(faces: list[Item], cards: list[int], dealt: list[Item]) -> None:
    """Set `dealt[card]` for each of `cards` to one of `faces`, starting from the end of `faces`."""
    # mypyc: unboxed int
    left: i64 = len(faces)
    card: i64
    for card in cards:
        left -= 1
        dealt[card] = faces[left]


def move_untraceable_marks(table: Table, before: list[int]) -> None:
    """Move each hidden mark (B8) to a card of the same village that now has the face of the marked card.

    `before` contains the faces before the re-deal.
    """
    new_card = list(range(len(before)))  # by card: the card to which its marks move
    for village in table.villages:
        shuffled = [card for card in village if table.is_untraceable(card)]
        free = shuffled[:]
        for card in shuffled:
            if table.is_used(card) or card in [marked for _, marked, _ in table.cooldowns]:
                candidates = [other for other in free if table.faces[other] == before[card]]
                if candidates:
                    new_card[card] = card if card in candidates else candidates[0]
                    free.remove(new_card[card])
    used = 0
    for card in range(len(before)):
        if table.is_used(card):
            used |= 1 << new_card[card]
    table.used_cards = used
    table.cooldowns = tuple([(owner, new_card[card], awaited) for owner, card, awaited in table.cooldowns])
