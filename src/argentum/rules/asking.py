# mypyc: compile, optimize
"""Questions to a player: decision steps, the moves to choose from, and the conditions of abilities.

Questions are public: the table holds the label of the resident or rule that asks (`asker`), the `step`, and the moves
`picked` so far. :func:`choose` and :func:`ask` set them. The generators follow the protocol of
:data:`argentum.rules.residents.Rule`.
"""

from collections.abc import Generator
from typing import Final

from argentum.rules import events as ev
from argentum.rules.fast_lists import remove
from argentum.rules.notation import AT_LEFT, AT_RIGHT, PICK_CARD, STOP, card_move
from argentum.rules.residents import Rule, has_number
from argentum.rules.table import HAND_TAKEN, Table

# Labels of the rules that ask what to do with the card in hand.
DRAWN_CARD_LABEL: Final = "G7"
TAKEN_CARD_LABEL: Final = "G8"

VILLAGE_ENDS: Final = [AT_LEFT, AT_RIGHT]

# The facing of the cards to choose from.
ANY_FACING: Final = -1
FACEUP: Final = 1
FACEDOWN: Final = 0

# Lists of seats, indexed by the number of players; OTHER_SEATS also by the seat to leave out. Computed once, because
# every choice needs them.
ALL_SEATS: Final = [list(range(players)) for players in range(5)]
OTHER_SEATS: Final = [[[seat for seat in seats if seat != me] for me in seats] for seats in ALL_SEATS]

# Steps of a turn, and of an ability. The values are part of the protocol.
STEP_FIRST_LOOK: Final = "look"  # a card of the first look (G4)
STEP_MAIN_ACTION: Final = "action"  # the main action, or what may be used before it (G5)
STEP_HAND: Final = "hand"  # what to do with the card in hand (G7, G8)
STEP_MORE_CARDS: Final = "more"  # another card of a set, or done (G10)
STEP_SPOT: Final = "spot"  # the spot for the card in hand (G10)
STEP_VILLAGE_END: Final = "end"  # at which end of a village to add a card
STEP_PENALTY_END: Final = "penalty"  # at which end to add the deck's top card after a failed exchange (G11)
STEP_END_WINDOW: Final = "close"  # what to use after the main action (G24)
STEP_CARD: Final = "card"  # the only card of an ability, or the first of several
STEP_SECOND_CARD: Final = "second"  # the second card of an ability that treats two cards differently
STEP_ANOTHER_CARD: Final = "another"  # one more card to treat like the first, or stop
STEP_VILLAGE: Final = "village"
STEP_DIRECTION: Final = "way"
STEP_USE: Final = "use"  # an ability to use, or what to do instead
STEP_KEEP: Final = "keep"  # which card of the deck to draw (A4)
STEPS: Final = (
    STEP_FIRST_LOOK, STEP_MAIN_ACTION, STEP_HAND, STEP_MORE_CARDS, STEP_SPOT, STEP_VILLAGE_END, STEP_PENALTY_END,
    STEP_END_WINDOW, STEP_CARD, STEP_SECOND_CARD, STEP_ANOTHER_CARD, STEP_VILLAGE, STEP_DIRECTION, STEP_USE, STEP_KEEP,
)  # fmt: skip


def choose(table: Table, options: list[int], step: str = STEP_CARD) -> Generator[list[int], int, int]:
    """Ask for one of `options` on behalf of the running ability, and return the chosen move.

    A single option is chosen without asking (G22). The move is added to `Table.picked`.
    """
    if table.cast.needs_resolving:
        table.resolve()
    move = options[0]
    if len(options) > 1:
        table.step = step
        move = yield options
    table.picked = (*table.picked, move)
    return move


def ask(
    table: Table, options: list[int], label: str, step: str, picked: tuple[int, ...] = ()
) -> Generator[list[int], int, int]:
    """Ask for one of `options` on behalf of the rule or resident `label`, and return the chosen move.

    The asker and the picks of the running ability are restored afterwards.
    """
    table.resolve()
    asker, saved_picks = table.asker, table.picked
    table.asker, table.step, table.picked = label, step, picked
    move = yield options
    table.asker, table.picked = asker, saved_picks
    return move


def choose_from_pile(table: Table, options: list[int], places: list[int]) -> Generator[list[int], int, int]:
    """Ask for one of `options`, such as `take 2` or `use 1`, and return the chosen move.

    The number N in an option refers to the Nth of `places`, which are indices of `Table.discard`.
    """
    table.pile_choices = tuple(places)
    move = yield from choose(table, options, STEP_USE)
    table.pile_choices = ()
    return move


def run_ability(table: Table, label: str, ability: Rule) -> Rule:
    """Run an ability with `label` as the asker and no picks; restore the asker and its picks afterwards.

    Later events belong to a new action.
    """
    asker, saved_picks = table.asker, table.picked
    table.asker, table.picked = label, ()
    yield from ability
    if table.cast.needs_resolving:
        table.resolve()
    table.begin_action()
    table.asker, table.picked = asker, saved_picks


# Cards to choose from.


def card_moves(table: Table, me: int, seats: list[int], facing: int = ANY_FACING) -> list[int]:
    """Return a `PICK_CARD` move for each card in the villages of `seats` that `me` may touch.

    `facing` restricts them to `FACEUP` or `FACEDOWN` cards.
    """
    moves: list[int] = []
    protects = table.cast.protects
    for seat in seats:
        for place, card in enumerate(table.villages[seat]):
            may_touch = card != table.covered_card and (not protects or table.may_touch(me, seat, card))
            if may_touch and (facing == ANY_FACING or table.is_faceup(card) == (facing == FACEUP)):
                moves.append(card_move(PICK_CARD, seat, place))
    return moves


def has_card(table: Table, me: int, seats: list[int], facing: int = ANY_FACING) -> bool:
    """Whether :func:`card_moves` would return any moves. (Faster than listing them.)"""
    protects = table.cast.protects
    for seat in seats:
        for card in table.villages[seat]:
            may_touch = card != table.covered_card and (not protects or table.may_touch(me, seat, card))
            if may_touch and (facing == ANY_FACING or table.is_faceup(card) == (facing == FACEUP)):
                return True
    return False


def movable_cards(table: Table, me: int, seats: list[int]) -> list[int]:
    """Return a `PICK_CARD` move for each card in the villages of `seats` that `me` may move (G23)."""
    return card_moves(table, me, [seat for seat in seats if not table.is_closed(seat, me)])


def all_seats(table: Table) -> list[int]:
    """Return all seats. The list is shared: do not change it."""
    return ALL_SEATS[table.players]


def other_seats(table: Table, me: int) -> list[int]:
    """Return all seats except `me`. The list is shared: do not change it."""
    return OTHER_SEATS[table.players][me]


# Conditions that several residents share: whether an ability could be started (G21).


def always_usable(table: Table, me: int, card: int, chain: int) -> bool:
    """Condition for abilities that may be used even without effect (D11, D14)."""
    return True


def has_any_card(table: Table, me: int, card: int, chain: int) -> bool:
    return has_card(table, me, all_seats(table))


def has_facedown(table: Table, me: int, card: int, chain: int) -> bool:
    return has_card(table, me, all_seats(table), FACEDOWN)


def has_facedown_elsewhere(table: Table, me: int, card: int, chain: int) -> bool:
    return has_card(table, me, other_seats(table, me), FACEDOWN)


def has_own_facedown(table: Table, me: int, card: int, chain: int) -> bool:
    return has_card(table, me, [me], FACEDOWN)


def has_own_touchable(table: Table, me: int, card: int, chain: int) -> bool:
    return table.touchable_count(me) > 0


def deck_not_empty(table: Table, me: int, card: int, chain: int) -> bool:
    return bool(table.deck)


def has_single_exchange_target(table: Table, me: int) -> bool:
    """Whether `me` holds a taken card and has only one card to exchange for it (G8).

    Abilities must not cover or remove that card, because a taken card has to be exchanged.
    """
    return table.hand_source == HAND_TAKEN and table.touchable_count(me) == 1


def can_use_covering_token(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether `me` has a card to put the token on (B14, A14, G8)."""
    return table.touchable_count(me) > 0 and not has_single_exchange_target(table, me)


# Questions shared by several residents.


def ask_village_end(table: Table, seat: int, ignoring: int = -1) -> Generator[list[int], int, bool]:
    """Ask for an end of a village; return whether it is the left one.

    If the village has no card other than `ignoring`, return False without asking (X9).
    """
    village = table.villages[seat]
    if not village or village == [ignoring]:
        return False
    return (yield from choose(table, VILLAGE_ENDS, STEP_VILLAGE_END)) == AT_LEFT


def look_at_up_to(table: Table, me: int, limit: int, seats: list[int]) -> Rule:
    """Let `me` look at up to `limit` facedown cards of these villages, one by one (G21)."""
    options = card_moves(table, me, seats, FACEDOWN)
    for count in range(limit):
        move = yield from choose(table, options, STEP_ANOTHER_CARD if count else STEP_CARD)
        if move == STOP:
            return
        table.look(me, move)
        if count == 0:
            options.append(STOP)
        remove(options, move)
        if options == [STOP]:
            return


# Draw abilities, own and borrowed.


def can_use_draw_ability(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether `me` could start the draw ability of a card (G21)."""
    number = table.faces[card]
    if table.cast.draw_abilities[number] is None:
        return False
    condition = table.cast.residents[number].condition
    return condition is not None and condition(table, me, card, chain)


def can_borrow(table: Table, me: int, card: int, chain: int) -> bool:
    """Whether `me` may use the draw ability of a card without having drawn it (X1 to X4, X18)."""
    number = table.faces[card]
    if table.cast.draw_abilities[number] is None or has_number(chain, card):
        return False
    resident = table.cast.residents[number]
    if not resident.can_be_borrowed:
        return False
    owner = table.owner(card)
    if owner >= 0 and (not table.may_touch(me, owner, card) or (resident.joins_village and table.is_closed(owner, me))):
        return False
    return resident.condition is not None and resident.condition(table, me, card, chain | 1 << card)


def use_draw_ability(table: Table, me: int, card: int, chain: int, spot: int = -1) -> Rule:
    """Reveal a card to everybody and run its draw ability, wherever the card lies (B3, X1)."""
    table.reveal_to_all(card)
    table.add_event(ev.USED, me, spot, card)
    number = table.faces[card]
    ability = table.cast.draw_abilities[number]
    assert ability is not None
    return run_ability(table, table.cast.labels[number], ability(table, me, card, chain | 1 << card))


def borrow_draw_ability(table: Table, me: int, card: int, chain: int, spot: int = -1) -> Rule:
    """Use the draw ability of a card that `me` has not drawn, as an action of its own (X1)."""
    table.begin_action()
    return use_draw_ability(table, me, card, chain, spot)
