# mypyc: compile, optimize
"""Fast rule-based policy for playouts: a few microseconds per move.

It reads a table, but uses only faces that the choosing seat knows. It values abilities by the constants of the ability
models (`typical_gain`, `faceup_bonus`), while `steady` calls their functions.
"""

from functools import lru_cache
from math import erf, fsum, sqrt
from typing import Final

from argentum.bots.heuristics.abilities import ABILITY_MODELS
from argentum.bots.heuristics.ability_model import (
    EFFECT_BORROW,
    EFFECT_COVER,
    EFFECT_FLIP,
    EFFECT_GIVE_UP,
    EFFECT_GUARD,
    EFFECT_LOOK,
    EFFECT_MERGE,
    EFFECT_REMOVE,
    EFFECT_REPLACE,
    EFFECT_ROTATE,
    EFFECT_SEEK_LOW,
    EFFECT_SHUFFLE,
    EFFECT_SKIP_TURN,
    EFFECT_SWITCH,
    EFFECT_USE_PILE,
    NO_MODEL,
    SUM_CLEARED,
    SUM_HALVED,
    SUM_REDUCED,
    SUM_UNCHANGED,
    SUM_WITHOUT_HIGHEST,
)
from argentum.bots.heuristics.owner_knowledge import OWNER_KNOWN_VALUE, UNKNOWN_CARD_COST
from argentum.rules.asking import (
    STEP_ANOTHER_CARD,
    STEP_CARD,
    STEP_END_WINDOW,
    STEP_HAND,
    STEP_KEEP,
    STEP_MAIN_ACTION,
    STEP_MORE_CARDS,
    STEP_SECOND_CARD,
    STEP_USE,
    STEP_VILLAGE,
    card_moves,
)
from argentum.rules.exchange_result import leaving_indexes
from argentum.rules.fast_lists import contains
from argentum.rules.notation import (
    AND_CARD,
    CALL,
    DISCARD,
    DISCARD_CARD,
    DONE,
    DRAW,
    DRAW_PRIVATE,
    DRAW_SHOWN,
    END_TURN,
    EXCHANGE,
    GIVE,
    KEEP_FROM_DECK,
    PASS,
    PICK_CARD,
    PICK_VILLAGE,
    STOP,
    TAKE,
    TAKE_FROM_PILE,
    USE,
    USE_ABILITY,
    USE_FROM_PILE,
    USE_TOKEN,
    card_move,
    deck_depth,
    has_base,
    pile_choice_number,
    place_of,
    receiver_of,
    seat_of,
    shown_place,
    village_of,
)
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, WINDOW_MAIN_ACTION, Cast, copies_of, has_number
from argentum.rules.table import HAND_LIFTED, HIGHEST_LOW_NUMBER, NO_SEAT, Table

UNSEEN_CARD_VALUE: Final = 6.5  # expected number of a card that no seat has seen
MAX_COST: Final = 40  # length of `draw_gains`; the cost of an exchanged card or set is usually lower
LOW_CARD_LIMIT: Final = 4  # lower numbers are not left on the discard pile
LAST_TURN_GAIN: Final = 4.0  # points that each other seat gains on the caller in its last turn
MIN_CALL_PROBABILITY: Final = 0.65  # probability of the lowest sum above which a seat calls
EXTRA_DRAW_GAIN: Final = 1.0  # gain for each further card of the deck to choose from (A4)
UNKNOWN: Final = -1  # the number of an unknown card
ABILITY_STEPS: Final = (STEP_CARD, STEP_SECOND_CARD, STEP_ANOTHER_CARD, STEP_VILLAGE, STEP_USE, STEP_KEEP)


class PlayoutPolicy:
    """Choose moves for any seat of a table. A policy belongs to a cast and is stateless."""

    def __init__(self, cast: Cast) -> None:
        models = [ABILITY_MODELS.get(label, NO_MODEL) for label in cast.labels]
        token_model = ABILITY_MODELS.get(cast.token_label, NO_MODEL)
        self.cast: Final = cast
        self.number_by_label: Final = {label: number for number, label in enumerate(cast.labels)}
        self.value: Final[list[float]] = [
            float(number) if model.final_value is None else model.final_value for number, model in enumerate(models)
        ]
        self.faceup_bonus: Final[list[float]] = [model.faceup_bonus for model in models]
        self.typical_gain: Final[list[float]] = [model.typical_gain for model in models]
        self.effect: Final[list[int]] = [*[model.effect for model in models], token_model.effect]
        self.own_cards_only: Final[list[bool]] = [
            *[model.own_cards_only for model in models],
            token_model.own_cards_only,
        ]
        self.always_use: Final[list[bool]] = [model.always_use for model in models]
        self.sum_effect: Final[list[int]] = [model.sum_effect for model in models]
        self.joins_village: Final[list[bool]] = [resident.joins_village for resident in cast.residents]
        # Sets of these numbers are not exchanged, because they count little.
        self.has_special_value: Final[list[bool]] = [model.final_value is not None for model in models]
        # Whether a card of this number would stay in the village (D4), so that it is not exchanged.
        self.stays: Final[list[bool]] = [
            not leaving_indexes([number], cast.clings) for number in range(RESIDENTS_PER_BOX)
        ]
        self.draw_gains: Final = [self.expected_draw_gain(float(cost)) for cost in range(MAX_COST)]

    def expected_draw_gain(self, highest_cost: float) -> float:
        """Return the expected gain of a draw from a full deck.

        `highest_cost` is the highest cost of a card or set that the seat could exchange.
        """
        gains, values = self.typical_gain, self.value
        return (
            fsum(
                [
                    copies_of(number) * max(gains[number], highest_cost - values[number], 0.0)
                    for number in range(RESIDENTS_PER_BOX)
                ]
            )
            / CARDS_IN_DECK
        )

    def choose(self, table: Table, options: list[int]) -> int:
        """Return a move for the seat that must choose. `options` are its legal moves in the order of the rules."""
        return self.choose_for_seat(table, table.chooser, options)

    def choose_for_seat(self, table: Table, me: int, options: list[int]) -> int:
        """Return a move for seat `me`. `options` are its legal moves in the order of the rules."""
        step = table.step
        if step == STEP_MAIN_ACTION:
            return self.choose_main_action(table, me, options)
        if step == STEP_MORE_CARDS:
            return self.name_next_card(table, me, options)
        if step == STEP_HAND:
            return self.decide_hand(table, me, options)
        if step == STEP_END_WINDOW:
            ability_move = self.choose_ability(table, me, options)
            return ability_move if ability_move >= 0 else END_TURN
        if step in ABILITY_STEPS:
            return self.choose_in_ability(table, me, options)
        return options[0]

    # Costs of cards and gains of abilities. `me` is the choosing seat.

    def known_number(self, table: Table, me: int, card: int) -> int:
        """Return the number of a card if the seat knows it, else UNKNOWN."""
        return table.faces[card] if table.knows(me, card) else UNKNOWN

    def own_card_cost(self, table: Table, me: int, card: int) -> float:
        """Return the expected points of a card in the village of `me`, from what `me` knows."""
        if card == table.muted_card:
            return 0.0
        if table.is_faceup(card):
            number = table.faces[card]
            return self.value[number] - self.faceup_bonus[number]
        return self.value[table.faces[card]] if table.knows(me, card) else UNSEEN_CARD_VALUE + UNKNOWN_CARD_COST

    def other_card_cost(self, table: Table, me: int, seat: int, card: int) -> float:
        """Return the expected points that a card counts for its owner, another seat, from what `me` knows."""
        if table.knows(me, card) or card == table.muted_card:
            return self.own_card_cost(table, me, card)
        return OWNER_KNOWN_VALUE if table.knows(seat, card) else UNSEEN_CARD_VALUE

    def flip_gain(self, table: Table, me: int, card: int, is_own: bool) -> float:
        number = self.known_number(table, me, card)
        if number == UNKNOWN:
            return 0.6 if is_own else -0.2
        if table.is_faceup(card):
            gain = -self.faceup_bonus[number]
        else:
            if self.would_end_round(table, number):
                return self.points_ahead(table, me)
            gain = self.faceup_bonus[number]
        return gain if is_own else -gain

    def would_end_round(self, table: Table, number: int) -> bool:
        """Return whether one more faceup card of this number ends the round (A0)."""
        ends = self.cast.ends_round
        if not has_number(ends, number):
            return False
        return sum([table.count_active(seat, ends) for seat in range(table.players)]) == self.cast.ending_card_count - 1

    def points_ahead(self, table: Table, me: int) -> float:
        """Return the lowest expected sum of another seat, minus that of `me`."""
        own_sum = self.village_sum(table, me, me)[0]
        return min([self.village_sum(table, seat, me)[0] for seat in range(table.players) if seat != me]) - own_sum

    def highest_own_cost(self, table: Table, me: int) -> float:
        highest, covered = -99.0, table.covered_card
        for card in table.villages[me]:
            if card != covered:
                highest = max(highest, self.own_card_cost(table, me, card))
        return highest if highest > -99.0 else 0.0

    def lowest_other_cost(self, table: Table, me: int) -> float:
        """Return the lowest cost of a card of another seat that `me` may move; 99 if there is none."""
        lowest = 99.0
        for seat in range(table.players):
            if seat != me and not table.is_closed(seat, me):
                for card in table.villages[seat]:
                    if table.may_touch(me, seat, card):
                        lowest = min(lowest, self.other_card_cost(table, me, seat, card))
        return lowest

    def ability_gain(self, table: Table, me: int, number: int) -> float:
        """Return the estimated gain of using the draw ability of a number now."""
        effect = self.effect[number]
        if effect == EFFECT_SWITCH:
            lowest = self.lowest_other_cost(table, me)
            return 1.5 * (self.highest_own_cost(table, me) - lowest) - 1.0 if lowest < 99 else 0.0
        if effect == EFFECT_MERGE:
            costs = sorted(
                [self.own_card_cost(table, me, card) for card in table.villages[me] if card != table.covered_card]
            )
            return costs[-1] + costs[-2] - number if len(costs) > 1 else 0.0
        if effect == EFFECT_FLIP:
            return self.best_flip_gain(table, me, self.own_cards_only[number]) - (
                float(number) if self.joins_village[number] else 0.0
            )
        if effect == EFFECT_BORROW or effect == EFFECT_REMOVE:
            return self.best_faceup_gain(table, me, effect == EFFECT_REMOVE)
        if effect == EFFECT_LOOK and not self.has_unknown_card(table, me, self.own_cards_only[number]):
            return 0.0
        return self.typical_gain[number]

    def best_faceup_gain(self, table: Table, me: int, removes: bool) -> float:
        """Return the gain of the best faceup card: of removing it if `removes`, else of using its ability."""
        best = 0.0
        for seat in range(table.players):
            for card in table.villages[seat]:
                if table.is_faceup(card) and table.may_touch(me, seat, card):
                    number = table.faces[card]
                    cost = self.value[number] - self.faceup_bonus[number]
                    best = max(best, (cost if seat == me else -cost) if removes else self.typical_gain[number])
        return best

    # The main action of a turn.

    def choose_main_action(self, table: Table, me: int, options: list[int]) -> int:
        if contains(options, CALL) and self.should_call(table, me):
            return CALL
        ability_move = self.choose_ability(table, me, options)
        if ability_move >= 0:
            return ability_move
        return self.best_draw_or_take(table, me, options)[1]

    def best_draw_or_take(self, table: Table, me: int, options: list[int]) -> tuple[float, int]:
        """Return the best move that draws or takes a card, after its gain."""
        highest_cost = self.best_exchange(table, me, 0.0)[0]
        best, best_move = -99.0, options[0]
        for move in options:
            if move == DRAW:
                gain = self.deck_draw_gain(table, me, highest_cost)
            elif move == DRAW_PRIVATE:
                gain = self.known_draw_gain(table, me, table.private[me][-1], highest_cost)
            elif DRAW_SHOWN < move < KEEP_FROM_DECK:
                gain = self.known_draw_gain(table, me, table.shown[shown_place(move) - 1], highest_cost)
            elif move == TAKE:
                gain = highest_cost - self.incoming_cost(table, me, table.discard[-1])
            else:
                continue
            if gain > best:
                best, best_move = gain, move
        return best, best_move

    def deck_draw_gain(self, table: Table, me: int, highest_cost: float) -> float:
        """Return the gain of drawing from the deck: exact if `me` knows the top card, else expected.

        Each active Rascal adds a bonus, because it lets the seat choose among more cards (A4). `highest_cost` is the
        highest cost of a card or set that `me` could exchange.
        """
        extra_cards = table.count_active(me, self.cast.draws_deeper) if self.cast.draws_deeper else 0
        gain = self.average_draw_gain(highest_cost) + EXTRA_DRAW_GAIN * extra_cards
        if self.known_number(table, me, table.deck[-1]) == UNKNOWN:
            return gain
        known_gain = self.known_draw_gain(table, me, table.deck[-1], highest_cost)
        return max(known_gain, gain - EXTRA_DRAW_GAIN) if extra_cards else known_gain

    def average_draw_gain(self, highest_cost: float) -> float:
        """Return the expected gain of drawing an unknown card. `highest_cost` is as in `deck_draw_gain`."""
        return self.draw_gains[min(max(int(highest_cost + 0.5), 0), MAX_COST - 1)]

    def known_draw_gain(self, table: Table, me: int, card: int, highest_cost: float) -> float:
        number = table.faces[card]
        return max(highest_cost - self.incoming_cost(table, me, card), self.ability_gain(table, me, number))

    def incoming_cost(self, table: Table, me: int, card: int) -> float:
        """Return the cost of a card in the village of `me`, minus the lead of `me` if the card ends the round (A0)."""
        cost = self.other_card_cost(table, me, me, card)
        if self.cast.ends_round and table.is_faceup(card) and self.would_end_round(table, table.faces[card]):
            cost -= self.points_ahead(table, me)
        return cost

    def should_call(self, table: Table, me: int) -> bool:
        own_sum, own_variance = self.village_sum(table, me, me)
        probability = 1.0
        for seat in range(table.players):
            if seat != me:
                their_sum, their_variance = self.village_sum(table, seat, me)
                probability *= 0.5 + 0.5 * erf(
                    (their_sum - LAST_TURN_GAIN - own_sum + 0.5) / sqrt(2 * (own_variance + their_variance + 12.0))
                )
        return probability > MIN_CALL_PROBABILITY

    def village_sum(self, table: Table, seat: int, me: int) -> tuple[float, float]:
        """Return the expected sum of a village and its variance, from what `me` knows."""
        total = variance = highest = cleared = 0.0
        halves = drops_highest = clears = False
        faces, muted = table.faces, table.muted_card
        for card in table.villages[seat]:
            if card == muted:
                continue
            if not table.knows(me, card):
                is_known_to_owner = seat != me and table.knows(seat, card)
                value = OWNER_KNOWN_VALUE if is_known_to_owner else UNSEEN_CARD_VALUE
                variance += 9.0 if is_known_to_owner else 13.0
            else:
                number = faces[card]
                value = self.value[number]
                effect = self.sum_effect[number]
                if effect != SUM_UNCHANGED and table.is_faceup(card):
                    if effect == SUM_HALVED:
                        halves = True
                        value = 0.0
                    elif effect == SUM_WITHOUT_HIGHEST:
                        drops_highest = True
                    elif effect == SUM_CLEARED:
                        clears = True
                        cleared += value
                    elif effect == SUM_REDUCED:
                        value = -5.0 * (table.players - 1)
            total += value
            highest = max(highest, value)
        if drops_highest:
            total -= highest
        if halves:
            total /= 2
        if clears and total - cleared < 12:
            total = 0.0
        return total, variance

    def choose_ability(self, table: Table, me: int, options: list[int]) -> int:
        """Return a move that uses the token or a village ability to advantage, the last of several, or -1."""
        for index in range(len(options) - 1, -1, -1):
            move = options[index]
            if move == USE_TOKEN:
                if self.should_use_token(table, me):
                    return move
            elif has_base(move, USE_ABILITY) and self.is_worth_using(table, me, move, options):
                return move
        return -1

    def is_worth_using(self, table: Table, me: int, move: int, options: list[int]) -> bool:
        """Return whether `me` should use the ability of the village card that `move` names. `options` are all moves."""
        number = table.faces[table.card_at(move)]
        effect = self.effect[number]
        if self.always_use[number]:
            return True
        if effect == EFFECT_LOOK:
            return self.has_unknown_card(table, me, self.own_cards_only[number])
        if effect == EFFECT_GUARD:
            return not [guard for _, guard, _ in table.guards if guard == table.card_at(move)]
        if effect == EFFECT_BORROW:
            gain = self.ability_gain(table, me, table.faces[table.discard[-1]])
            if self.cast.windows[number] != WINDOW_MAIN_ACTION:
                return True
            if not table.deck and not table.shown:  # The other main actions draw or take known cards (D10).
                return gain > self.best_draw_or_take(table, me, options)[0]
            return gain > self.average_draw_gain(self.best_exchange(table, me, 0.0)[0])
        return effect == EFFECT_FLIP and self.best_flip_gain(table, me, self.own_cards_only[number]) > 0.5

    def has_unknown_card(self, table: Table, me: int, own_village: bool) -> bool:
        """Return whether `me` may touch a card that it does not know, in its own village or in another one."""
        for seat in range(table.players):
            if (seat == me) == own_village:
                for card in table.villages[seat]:
                    if self.known_number(table, me, card) == UNKNOWN and table.may_touch(me, seat, card):
                        return True
        return False

    def best_flip_gain(self, table: Table, me: int, own_cards_only: bool) -> float:
        best = 0.0
        for seat in range(table.players):
            if seat == me or not own_cards_only:
                for card in table.villages[seat]:
                    if table.may_touch(me, seat, card):
                        best = max(best, self.flip_gain(table, me, card, seat == me))
        return best

    def should_use_token(self, table: Table, me: int) -> bool:
        is_last_turn = table.caller != NO_SEAT
        effect = self.effect[RESIDENTS_PER_BOX]
        if effect == EFFECT_COVER:
            if not self.cast.token_mutes_card:
                return not is_last_turn
            return self.highest_own_cost(table, me) > (0.5 if is_last_turn else 8.5)
        if effect == EFFECT_FLIP:
            return self.best_flip_gain(table, me, False) > (0.5 if is_last_turn else 4.0)
        return effect == EFFECT_SKIP_TURN and table.players == 2 and not is_last_turn

    # The card in hand.

    def best_exchange(self, table: Table, me: int, incoming: float) -> tuple[float, int]:
        """Return the gain of the best exchange for a card of cost `incoming`, and the place of its first named card.

        If `incoming` is 0, the gain is the highest cost of a card or set in the village of `me`.
        """
        highest, best_place = incoming - 99.0, 0
        seen_numbers = 0  # bit mask of the known numbers so far
        faces, covered, wild = table.faces, table.covered_card, self.cast.wild
        wild_cost, partner_cost, partner_place = 0.0, 0.0, -1
        for place, card in enumerate(table.villages[me]):
            if card == covered:
                continue
            cost = UNSEEN_CARD_VALUE + UNKNOWN_CARD_COST
            if table.knows(me, card):
                number = faces[card]
                if self.stays[number]:
                    continue
                cost = self.value[number]
                if has_number(seen_numbers, number):
                    cost += self.cost_of_earlier_equals(table, me, number, place)
                if table.is_faceup(card):
                    cost -= self.faceup_bonus[number]
                seen_numbers |= 1 << number
                if wild:
                    if has_number(wild, number):
                        wild_cost = cost
                    elif cost > partner_cost:
                        partner_cost, partner_place = cost, place
            if cost > highest:
                highest, best_place = cost, place
        if wild_cost and partner_place >= 0 and wild_cost + partner_cost > highest:  # A wild card joins any set (A13).
            highest, best_place = wild_cost + partner_cost, partner_place
        return highest - incoming, best_place

    def cost_of_earlier_equals(self, table: Table, me: int, number: int, place: int) -> float:
        """Return the total cost of the cards of `me` that lie before `place` and are known to have this number."""
        total, village = 0.0, table.villages[me]
        for index in range(place):
            card = village[index]
            if (
                table.faces[card] == number
                and card != table.covered_card
                and self.known_number(table, me, card) == number
            ):
                total += self.value[number]
                if table.is_faceup(card):
                    total -= self.faceup_bonus[number]
        return total

    def decide_hand(self, table: Table, me: int, options: list[int]) -> int:
        """Exchange, use or discard the card in hand, or replace another seat's card with it (A11)."""
        ability_move = self.choose_ability(table, me, options)
        if ability_move >= 0:
            return ability_move
        hand = table.hand
        gain, place = self.best_exchange(table, me, self.incoming_cost(table, me, hand))
        move = card_move(EXCHANGE, me, place)
        if contains(options, DISCARD):
            number = self.known_number(table, me, hand)
            discard_gain = 0.0 if number >= LOW_CARD_LIMIT else number - 4.0
            if contains(options, USE):
                use_gain = self.ability_gain(table, me, number)
                if use_gain > gain and use_gain > discard_gain:
                    return USE
            if discard_gain > gain:
                return DISCARD
        elif table.hand_source == HAND_LIFTED:
            replacement_gain, best_move = self.best_swap_into_other_village(table, me, options)
            if replacement_gain > gain or not contains(options, move):
                return best_move
        return move if contains(options, move) else options[-1]

    def best_swap_into_other_village(self, table: Table, me: int, options: list[int]) -> tuple[float, int]:
        """Return the best move that replaces another seat's card with the card in hand (A11), after its gain."""
        best, best_move = -99.0, options[-1]
        incoming = self.other_card_cost(table, me, me, table.hand)
        for move in options:
            if has_base(move, PICK_CARD):
                gain = incoming - self.other_card_cost(table, me, seat_of(move), table.card_at(move))
                if gain > best:
                    best, best_move = gain, move
        return best, best_move

    def name_next_card(self, table: Table, me: int, options: list[int]) -> int:
        """Name another card that is known to match the cards named for an exchange, or finish."""
        wild = self.cast.wild
        number, village = UNKNOWN, table.villages[me]
        for place, card in enumerate(village):
            if table.is_named(place):
                face = self.known_number(table, me, card)
                if face == UNKNOWN:
                    return DONE
                if number == UNKNOWN or not has_number(wild, face):
                    number = face
        if number <= 0 or self.stays[number] or self.has_special_value[number]:
            return DONE
        for move in options:
            if has_base(move, AND_CARD):
                face = self.known_number(table, me, village[place_of(move)])
                if face != UNKNOWN and (face == number or has_number(wild, face)):
                    return move
        return DONE

    # Choices within an ability.

    def asking_number(self, table: Table) -> int:
        """Return the number of the resident that asks; RESIDENTS_PER_BOX for the token."""
        return self.number_by_label.get(table.asker, RESIDENTS_PER_BOX)

    def choose_in_ability(self, table: Table, me: int, options: list[int]) -> int:
        """Return the option with the highest gain. If nothing has a gain, do not give up, take or use a card."""
        best, best_move = -99.0, options[0]
        effect = self.effect[self.asking_number(table)]
        if effect == EFFECT_GIVE_UP:
            best, best_move = 0.0, PASS
        elif table.step == STEP_USE:
            best, best_move = 0.0, STOP if contains(options, STOP) else options[-1]
        for move in options:
            gain = 0.0 if move == STOP or move == PASS else self.choice_gain(table, me, move, effect)
            if gain > best:
                best, best_move = gain, move
        return best_move

    def choice_gain(self, table: Table, me: int, move: int, effect: int) -> float:
        """Return the gain of a choice within an ability with this effect."""
        if table.step == STEP_USE:
            return self.use_gain(table, me, move, effect)
        if table.step == STEP_VILLAGE:
            return self.village_gain(table, me, village_of(move), effect)
        if table.step == STEP_KEEP:  # which card of the deck to draw (A4)
            highest_cost = self.best_exchange(table, me, 0.0)[0]
            return self.known_draw_gain(table, me, table.deck[-deck_depth(move)], highest_cost)
        if effect == EFFECT_GIVE_UP:  # A card is given to the opponent with the fewest points (C0).
            gain = self.value[table.faces[table.card_at(move)]]
            return gain - 0.001 * table.totals[receiver_of(move)] if move >= GIVE else gain
        if effect == EFFECT_ROTATE:
            return self.rotation_gain(table, me, move)
        return self.card_gain(table, me, move, effect) if has_base(move, PICK_CARD) else -99.0

    def rotation_gain(self, table: Table, me: int, move: int) -> float:
        """Return the gain of rotating a card, or the higher one of discarding it if it has many points (C2)."""
        card = table.card_at(move)
        number, cost = self.known_number(table, me, card), self.own_card_cost(table, me, card)
        if move >= DISCARD_CARD:
            return cost * 3 - 3
        return -cost if table.is_sideways(card) or (number != UNKNOWN and self.stays[number]) else cost

    def village_gain(self, table: Table, me: int, seat: int, effect: int) -> float:
        """Return the gain of using an ability on a village."""
        cards = [table.card_at(move) for move in card_moves(table, me, [seat])]
        if effect == EFFECT_LOOK:
            gain = float(len([card for card in cards if self.known_number(table, me, card) == UNKNOWN]))
            return gain * 2.0 if seat == me else gain
        if effect == EFFECT_SHUFFLE:
            gain = float(len([card for card in cards if table.knows(seat, card) and not table.is_faceup(card)]))
            return -gain if seat == me else gain
        if effect == EFFECT_FLIP:
            return fsum([self.flip_gain(table, me, card, seat == me) for card in cards])
        return -50.0 if seat == me else -1.0 * table.totals[seat]

    def use_gain(self, table: Table, me: int, move: int, effect: int) -> float:
        """Return the gain of taking or using a card, or of switching an own card for the picked one."""
        if TAKE_FROM_PILE < move < PICK_CARD:
            card = table.discard[table.pile_choices[pile_choice_number(move) - 1]]
            return self.best_exchange(table, me, self.incoming_cost(table, me, card))[0]
        if USE_FROM_PILE <= move < PICK_VILLAGE:
            number = move - USE_FROM_PILE
            if effect == EFFECT_USE_PILE:
                number = table.faces[table.discard[table.pile_choices[number - 1]]]
            return self.ability_gain(table, me, number)
        picked = table.picked[0]
        card = table.card_at(picked)
        if move == USE:
            return self.ability_gain(table, me, table.faces[card])
        return self.own_card_cost(table, me, table.card_at(move)) - self.other_card_cost(
            table, me, seat_of(picked), card
        )

    def pile_card_cost(self, table: Table, me: int) -> float:
        """Return the cost of the topmost discarded card that is not the asking resident; 0 if there is none."""
        for card in reversed(table.discard):
            if not table.is_faceup(card) or table.faces[card] != self.asking_number(table):
                return self.other_card_cost(table, me, me, card)
        return 0.0

    def card_gain(self, table: Table, me: int, move: int, effect: int) -> float:
        """Return the gain of choosing the card that a move names, for an ability with this effect."""
        seat, card = seat_of(move), table.card_at(move)
        is_own = seat == me
        if effect == EFFECT_FLIP:
            return self.flip_gain(table, me, card, is_own)
        cost = self.own_card_cost(table, me, card) if is_own else self.other_card_cost(table, me, seat, card)
        if effect == EFFECT_LOOK or effect == EFFECT_SEEK_LOW:
            number = self.known_number(table, me, card)
            if number == UNKNOWN:
                return 2.0 if is_own else 1.0
            return (
                self.flip_gain(table, me, card, is_own)
                if effect == EFFECT_SEEK_LOW and number <= HIGHEST_LOW_NUMBER
                else 0.0
            )
        if effect == EFFECT_BORROW:
            return self.ability_gain(table, me, table.faces[card])
        if effect == EFFECT_GUARD or (effect == EFFECT_COVER and not self.cast.token_mutes_card):
            return -cost
        if effect == EFFECT_REPLACE:
            cost -= self.pile_card_cost(table, me)
        return cost if is_own else -cost


@lru_cache(64)
def policy_for(cast: Cast) -> PlayoutPolicy:
    """Return the policy of a cast; cached."""
    return PlayoutPolicy(cast)
