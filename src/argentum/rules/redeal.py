# mypyc: compile, optimize
"""Deal the faces that a viewer cannot know, from public facts and the faces that it knows."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from argentum.rules.fast_lists import remove
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, copies_of, has_number
from argentum.rules.shuffling import fast_shuffle
from argentum.rules.table import HIGHEST_LOW_NUMBER, NO_CARD, Table
from argentum.rules.views import may_see_face

if TYPE_CHECKING:
    from mypy_extensions import i64  # mypyc: unboxed int; used in annotations only

UNKNOWN_FACE: Final = -1  # an unknown face in the `Table.faces` of a position as a seat knows it
UNIFORM_WEIGHTS: Final = [1.0] * RESIDENTS_PER_BOX
COPIES: Final = [copies_of(number) for number in range(RESIDENTS_PER_BOX)]

# By card, the relative probability of each number.
Weights: TypeAlias = Mapping[int, Sequence[float]]


def are_surely_indistinguishable(table: Table, other: Table, seat: int) -> bool:
    """Whether two tables differ only in faces that a seat cannot know, so that its views are equal.

    False negatives are possible: views can be equal although hidden marks are on different cards (B8). Comparing
    tables is nearly always sufficient after a re-deal, which within an ability takes half as long as with views.
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


def deal_faces(table: Table, unknown: "i64", above: "i64", weights: Weights | None, random: Random) -> None:
    """Deal the cards in the bit mask `unknown` from those that the others leave; those with `weights` come first.

    Cards in the bit mask `above` get numbers above 4 (D7). The result depends on where cards lie, not on their indices
    or former faces.
    """
    faces, counts = table.faces, COPIES[:]
    for card in range(CARDS_IN_DECK):
        if not has_number(unknown, card):
            number = faces[card]
            counts[number] = counts[number] - 1  # mypyc: `-=` on an item is a generic operation on objects
    cards = cards_by_location(table, unknown)
    high_cards = [card for card in cards if has_number(above, card)] if above else []
    if weights is not None:
        for card in high_cards:
            faces[card] = draw_number(counts, weights.get(card, UNIFORM_WEIGHTS), HIGHEST_LOW_NUMBER + 1, random)
        for card, card_weights in weights.items():
            if has_number(unknown, card) and not has_number(above, card):
                faces[card] = draw_number(counts, card_weights, 0, random)
        cards = [card for card in cards if card not in weights and not has_number(above, card)]
        high_cards = []
    numbers = [number for number in range(RESIDENTS_PER_BOX) for _ in range(counts[number])]
    fast_shuffle(numbers, random)
    if weights is not None:
        random.random()  # so that searches repeat those of earlier versions, which drew the last card, too
    for card in high_cards:
        index = next(index for index, number in enumerate(numbers) if number > HIGHEST_LOW_NUMBER)
        faces[card] = numbers.pop(index)
    if above:
        cards = [card for card in cards if not has_number(above, card)]
    last_index = len(numbers) - 1
    for index, card in enumerate(cards):
        faces[card] = numbers[last_index - index]


def draw_number(counts: list[int], weights: Sequence[float], lowest: int, random: Random) -> int:
    """Draw a number from `lowest` on with a probability proportional to its count and weight; reduce its count."""
    total = 0.0
    for number in range(lowest, RESIDENTS_PER_BOX):
        total += counts[number] * weights[number]
    threshold = random.random() * total
    drawn_number = lowest
    for number in range(lowest, RESIDENTS_PER_BOX):
        if counts[number]:
            drawn_number = number
            threshold -= counts[number] * weights[number]
            if threshold < 0:
                break
    counts[drawn_number] -= 1
    return drawn_number


def cards_by_location(table: Table, mask: "i64") -> list[int]:
    """Return the cards in a bit mask in the order of a position text, which begins with the villages."""
    cards: list[int] = []
    for village in table.villages:
        cards += [card for card in village if has_number(mask, card)]
    for private in table.private:
        cards += [card for card in reversed(private) if has_number(mask, card)]
    cards += [card for card in reversed(table.deck) if has_number(mask, card)]
    cards += [card for card in reversed(table.discard) if has_number(mask, card)]
    cards += [card for card in table.shown if has_number(mask, card)]
    if table.hand != NO_CARD and has_number(mask, table.hand):
        cards.append(table.hand)
    for card in cards:
        mask &= ~(1 << card)
    return cards + [card for card in range(CARDS_IN_DECK) if has_number(mask, card)] if mask else cards


# Marks that a shuffle has hidden (B8): nobody knows which card has them, only its village and number.


def hide_marks(table: Table) -> dict[int, int]:
    """Move the hidden marks of each village to its first shuffled cards, so that their positions reveal nothing.

    Map each card that now has marks to the number of the card that they belong to.
    """
    numbers: dict[int, int] = {}
    new_card: dict[int, int] = {}
    resting = {card: awaited for _, card, awaited in table.cooldowns}
    for village in table.villages:
        shuffled = [card for card in village if table.is_untraceable(card)]
        marked = [card for card in shuffled if table.is_used(card) or card in resting]
        marked.sort(key=lambda card: (table.faces[card], table.is_used(card), resting.get(card, 0)))
        for index, card in enumerate(marked):
            new_card[card] = shuffled[index]
            numbers[shuffled[index]] = table.faces[card]
    move_marks(table, new_card)
    return numbers


def place_marks(table: Table, numbers: dict[int, int]) -> None:
    """Move each hidden mark to a card of its village that has the number of the marked card, if there is one."""
    new_card: dict[int, int] = {}
    for village in table.villages:
        shuffled = [card for card in village if table.is_untraceable(card)]
        unmatched: list[int] = []
        for card in [card for card in shuffled if card in numbers]:
            matching = [other for other in shuffled if table.faces[other] == numbers[card]]
            if matching:
                new_card[card] = matching[0]
                remove(shuffled, matching[0])
            else:
                unmatched.append(card)
        new_card.update(zip(unmatched, shuffled, strict=False))
    move_marks(table, new_card)


def move_marks(table: Table, new_card: dict[int, int]) -> None:
    """Move the marks of cards to other cards."""
    used = table.used_cards
    for card in new_card:
        used &= ~(1 << card)
    for card, other in new_card.items():
        if table.is_used(card):
            used |= 1 << other
    table.used_cards = used
    table.cooldowns = tuple([(owner, new_card.get(card, card), awaited) for owner, card, awaited in table.cooldowns])
