# mypyc: compile
"""Deal a round (G2, G3)."""

from collections.abc import Sequence
from random import Random

from argentum.rules import events as ev
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, Cast, copies_of
from argentum.rules.shuffling import fast_shuffle, random_stream
from argentum.rules.table import NO_CARD, RULINGS, Table

VILLAGE_SIZE = 5
DEALT_SETS = 4
DECK_SIZE = CARDS_IN_DECK - DEALT_SETS * VILLAGE_SIZE - 1


class Deal:
    """The deal of a round: the start seat, and the card numbers of villages, first discard, and deck from the top.

    `shuffles` fixes the results of the first shuffles of the round (B8), each as the numbers of the shuffled village.
    """

    def __init__(
        self,
        start: int,
        villages: Sequence[Sequence[int]],
        discard: int,
        deck: Sequence[int],
        shuffles: Sequence[Sequence[int]] = (),
    ) -> None:
        self.start = start
        self.villages = villages
        self.discard = discard
        self.deck = deck
        self.shuffles = shuffles

    def __reduce__(self) -> tuple[object, ...]:
        return Deal, (self.start, self.villages, self.discard, self.deck, self.shuffles)

    def card_order(self, players: int) -> list[int]:
        """Return the numbers of all 52 cards in the order of the deal.

        Four villages are always dealt; those of absent players get the cards that the deal does not name. Raise
        `ValueError` if the deal does not fit the number of players.
        """
        dealt = [number for village in self.villages for number in village]
        unseen = missing_cards([*dealt, self.discard, *self.deck])
        sizes = [len(village) for village in self.villages]
        if sizes != [VILLAGE_SIZE] * players or len(self.deck) != DECK_SIZE:
            raise ValueError(
                f"a deal for {players} players is {players} villages of {VILLAGE_SIZE} cards, one discard and a deck of"
                f" {DECK_SIZE}; this one has villages of {sizes} and a deck of {len(self.deck)}"
            )
        return [*dealt, *unseen, self.discard, *self.deck]


def deal_from_order(start: int, order: Sequence[int], players: int, shuffles: Sequence[Sequence[int]]) -> Deal:
    """Build a `Deal` from all 52 card numbers in the order of :meth:`Deal.card_order`."""
    first = DEALT_SETS * VILLAGE_SIZE
    villages = [list(order[seat * VILLAGE_SIZE : (seat + 1) * VILLAGE_SIZE]) for seat in range(players)]
    return Deal(start, villages, order[first], list(order[first + 1 :]), shuffles)


def missing_cards(numbers: Sequence[int]) -> list[int]:
    """Return the cards of a full deck that are not in `numbers`; raise `ValueError` for cards that no deck contains."""
    copies_left = [copies_of(number) for number in range(RESIDENTS_PER_BOX)]
    for number in numbers:
        if not 0 <= number < RESIDENTS_PER_BOX:
            raise ValueError(f"{number} is not a card: they are numbered 0 to {RESIDENTS_PER_BOX - 1}")
        copies_left[number] -= 1
        if copies_left[number] < 0:
            raise ValueError(f"there are more than {copies_of(number)} cards of number {number}")
    return [number for number in range(RESIDENTS_PER_BOX) for _ in range(copies_left[number])]


FULL_DECK = missing_cards([])


def deal_first_round(cast: Cast, players: int, seed: int, fixed_deal: Deal | None, rulings: int = RULINGS) -> Table:
    """Deal the first round of a game (G3); raise `ValueError` if `fixed_deal` does not fit the players."""
    table = Table(cast, players, seed)
    table.rulings = rulings
    if fixed_deal is None:
        random = random_stream(seed, 1)
        start = random.randrange(players)
        lay_out_cards(table, start, shuffled_deck(random))
    else:
        if not 0 <= fixed_deal.start < players:
            raise ValueError(f"the start seat is one of {', '.join(SEAT_LETTERS[:players])}")
        table.fixed_shuffles = fixed_deal.shuffles
        lay_out_cards(table, fixed_deal.start, fixed_deal.card_order(players))
    table.token_seat = table.turn
    return table


def deal_next_round(table: Table, fixed_deal: Deal | None) -> Table:
    """Deal the round after `table` (G3): the seat with the token starts, and play goes clockwise."""
    new = Table(table.cast, table.players, table.seed)
    new.round = table.round + 1
    new.rulings = table.rulings
    new.totals = table.totals
    new.token_seat = table.token_seat
    new.token_state = table.token_state
    new.events_off = table.events_off
    new.action = table.action
    if fixed_deal is not None:
        new.fixed_shuffles = fixed_deal.shuffles
    order = (
        shuffled_deck(random_stream(new.seed, new.round)) if fixed_deal is None else fixed_deal.card_order(new.players)
    )
    lay_out_cards(new, table.token_seat, order)
    return new


def shuffled_deck(random: Random) -> list[int]:
    order = FULL_DECK[:]
    fast_shuffle(order, random)
    return order


def lay_out_cards(table: Table, start: int, order: list[int]) -> None:
    """Lay out cards in this order on an empty table: four villages of five, the first discard and the deck (G2)."""
    table.faces = order
    table.turn = start
    for seat in range(table.players):
        table.villages[seat] = list(range(seat * VILLAGE_SIZE, (seat + 1) * VILLAGE_SIZE))
    first = DEALT_SETS * VILLAGE_SIZE
    table.discard = [first]
    table.lay_faceup(first)
    table.deck = list(range(CARDS_IN_DECK - 1, first, -1))
    table.first_look_pending = (1 << table.players) - 1
    table.begin_action()
    table.add_event(ev.DEALT, start, -1, NO_CARD, table.round)
