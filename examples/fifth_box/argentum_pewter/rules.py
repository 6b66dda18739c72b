"""Silver Pewter: residents and token."""

from argentum.rules import events as ev
from argentum.rules.asking import (
    FACEDOWN,
    FACEUP,
    STEP_SECOND_CARD,
    all_seats,
    card_moves,
    choose,
    has_card,
    has_facedown,
    has_own_touchable,
)
from argentum.rules.boxes.dagger import DAGGER
from argentum.rules.notation import STOP
from argentum.rules.residents import Box, Rule
from argentum.rules.scoring import Tally
from argentum.rules.table import Table

PEWTER = Box(
    "pewter",
    "p",
    "Silver Pewter of Polish",
    "Once, on your turn: turn over one of your own cards.",
    base=DAGGER,
    texts="argentum_pewter.texts",
    models="argentum_pewter.models",
    data="argentum_pewter",
)


def has_own_faceup(table: Table, me: int, card: int, chain: int) -> bool:
    return has_card(table, me, [me], FACEUP)


@PEWTER.village_ability(
    1, "Snuffer", "While faceup: once a turn, turn one of your faceup cards facedown.", has_own_faceup
)
def snuffer(table: Table, me: int, card: int, chain: int) -> Rule:
    table.turn_down(me, (yield from choose(table, card_moves(table, me, [me], FACEUP))))


@PEWTER.discard_rule(3, "Ragpicker", "While faceup: what you discard goes facedown onto the discard pile.")
def ragpicker(table: Table, me: int, stack: list[int]) -> int:
    for card in stack:
        table.put_on_discard_pile(card)
        table.faceup &= ~(1 << card)
    return ev.TO_DISCARD


@PEWTER.draw_ability(
    7, "Lamplighter", "When drawn: look at a facedown card of any village. You may turn it faceup.", has_facedown
)
def lamplighter(table: Table, me: int, card: int, chain: int) -> Rule:
    move = yield from choose(table, card_moves(table, me, all_seats(table), FACEDOWN))
    table.look(me, move)
    if (yield from choose(table, [move, STOP], STEP_SECOND_CARD)) != STOP:
        table.turn_up(me, move)


@PEWTER.scoring_rule(10, "Bellringer", "Faceup at scoring: take off 2 points for each faceup card of your village.")
def bellringer(tally: Tally, seat: int, card: int) -> None:
    table = tally.table
    if table.is_faceup(card):
        faceup = len([other for other in table.villages[seat] if table.is_faceup(other)])
        tally.set_sum(seat, tally.sums[seat] - 2 * faceup, card, "P10", value=faceup)


@PEWTER.card_value_rule(13, "Hermit", "At scoring, faceup or not: counts 3 for each other card of your village.")
def hermit(tally: Tally, seat: int, card: int) -> int:
    return 3 * (len(tally.table.villages[seat]) - 1)


@PEWTER.token_ability(has_own_touchable)
def silver_pewter(table: Table, me: int, card: int, chain: int) -> Rule:
    table.flip(me, (yield from choose(table, card_moves(table, me, [me]))))
