"""A quick player: it plays a seat as that seat knows the table, in a few microseconds a move.

It is given a whole table, for speed, but looks only at faces that the seat to choose knows; so it plays in imagined
games, and a bot that plays like it is given one. What it knows of the residents is a few figures of their plans; the
careful judgement is steady's.
"""

from functools import lru_cache
from math import erf, fsum, sqrt
from typing import TYPE_CHECKING, Final

from argentum.bots.heuristics.abilities import ABILITY_MODELS
from argentum.bots.heuristics.ability_model import (
    EFFECT_BORROW,
    EFFECT_COVER,
    EFFECT_FLIP,
    EFFECT_GUARD,
    EFFECT_LOOK,
    EFFECT_MERGE,
    EFFECT_REMOVE,
    EFFECT_REPLACE,
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
from argentum.rules.asking import (
    STEP_ANOTHER_CARD,
    STEP_END_WINDOW,
    STEP_HAND,
    STEP_KEEP,
    STEP_MAIN_ACTION,
    STEP_MORE_CARDS,
    STEP_SECOND_CARD,
    STEP_VILLAGE,
)
from argentum.rules.asking import STEP_CARD as PICK
from argentum.rules.asking import STEP_USE as USING
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
    REMOVE,
    ROTATE,
    STOP,
    TAKE,
    TAKE_FROM_PILE,
    USE,
    USE_ABILITY,
    USE_FROM_PILE,
    USE_TOKEN,
)
from argentum.rules.notation import PICK_VILLAGE as SEAT
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, WINDOW_MAIN_ACTION, Cast, copies_of
from argentum.rules.table import HAND_DRAWN, HAND_TAKEN, HIGHEST_LOW_NUMBER, NO_SEAT, Table

if TYPE_CHECKING:
    from mypy_extensions import i64  # for locals: compiled, a number of the machine; else they are never evaluated

UNSEEN_CARD_VALUE: Final = 6.5  # of a card that nobody has seen
OWNER_KNOWN_VALUE: Final = 4.7  # of a card that its owner knows and keeps
UNKNOWN_CARD_COST: Final = 0.9  # what it costs not to know a card of one's own
MAX_COST: Final = 40  # more than a card or set that is exchanged usually costs
LOW_CARD_LIMIT: Final = 4  # a card below this is not left to the next seat for nothing
LAST_TURN_GAIN: Final = 4.0  # what somebody gains on a caller
MIN_CALL_PROBABILITY: Final = 0.65  # how likely a call should be won
EXTRA_DRAW_GAIN: Final = 1.0  # what it gains to choose from one more card of the deck
UNKNOWN: Final = -1


class PlayoutPolicy:
    """Chooses for whoever is to choose. It has no memory: the table says what is asked."""

    def __init__(self, cast: Cast) -> None:
        plans = [ABILITY_MODELS.get(label, NO_MODEL) for label in cast.labels]
        token = ABILITY_MODELS.get(cast.token_label, NO_MODEL)
        self.cast: Final = cast
        self.number_by_label: Final = {label: number for number, label in enumerate(cast.labels)}
        self.value: Final[list[float]] = [
            float(number) if plan.final_value is None else plan.final_value for number, plan in enumerate(plans)
        ]
        self.faceup_bonus: Final[list[float]] = [plan.faceup_bonus for plan in plans]
        self.typical_gain: Final[list[float]] = [plan.typical_gain for plan in plans]
        self.effect: Final[list[int]] = [*[plan.effect for plan in plans], token.effect]
        self.own_cards_only: Final[list[bool]] = [*[plan.own_cards_only for plan in plans], token.own_cards_only]
        self.always_use: Final[list[bool]] = [plan.always_use for plan in plans]
        self.sum_effect: Final[list[int]] = [plan.sum_effect for plan in plans]
        self.joins: Final[list[bool]] = [resident.joins_village for resident in cast.residents]
        self.has_special_value: Final[list[bool]] = [
            plan.final_value is not None for plan in plans
        ]  # what sets of them save is little
        self.draw_gains: Final = [self.expected_draw_gain(float(worst)) for worst in range(MAX_COST)]

    def expected_draw_gain(self, worst: float) -> float:
        """What it gains to draw, for somebody whose worst card or set costs so much."""
        usual, worth = self.typical_gain, self.value
        return (
            fsum(
                [
                    copies_of(number) * max(usual[number], worst - worth[number], 0.0)
                    for number in range(RESIDENTS_PER_BOX)
                ]
            )
            / CARDS_IN_DECK
        )

    def choose(self, table: Table, options: list[int]) -> int:
        """A move for the seat to choose."""
        return self.choose_for(table, table.chooser, options)

    def choose_for(self, table: Table, me: int, options: list[int]) -> int:
        """A move for a seat."""
        step = table.step
        if step == STEP_MAIN_ACTION:
            return self.choose_main_action(table, me, options)
        if step == STEP_MORE_CARDS:
            return self.name_next_card(table, me, options)
        if step == STEP_HAND:
            return self.decide_hand(table, me, options)
        if step == STEP_END_WINDOW:
            tool = self.choose_ability(table, me, options)
            return tool if tool >= 0 else END_TURN
        if step == STEP_VILLAGE:
            return self.choose_village(table, me, options)
        if step == USING:
            return self.choose_use(table, me, options)
        if step == STEP_KEEP:
            return self.choose_deck_card(table, me, options)
        if step == PICK or step == STEP_SECOND_CARD or step == STEP_ANOTHER_CARD:
            if options[-1] == PASS:
                return self.choose_parting_card(table, options)
            if ROTATE <= options[0] < REMOVE:
                return self.choose_rotation(table, me, options)
            return self.choose_card(table, me, options)
        return options[0]

    # What a seat knows, and thinks, of cards.

    def known_number(self, table: Table, me: int, card: int) -> int:
        """The number of a card, if the seat knows it; else -1."""
        up: i64 = table.faceup
        seen: i64 = table.seen_by[card]
        return table.faces[card] if (up >> card | seen >> me) & 1 else UNKNOWN

    def own_card_cost(self, table: Table, me: int, card: int) -> float:
        """What a card of one's own costs."""
        if card == table.muted_card:
            return 0.0
        up: i64 = table.faceup
        if up >> card & 1:
            number = table.faces[card]
            return self.value[number] - self.faceup_bonus[number]
        seen: i64 = table.seen_by[card]
        return self.value[table.faces[card]] if seen >> me & 1 else UNSEEN_CARD_VALUE + UNKNOWN_CARD_COST

    def other_card_cost(self, table: Table, me: int, seat: int, card: int) -> float:
        """What a card costs another seat, as somebody knows it."""
        up: i64 = table.faceup
        seen: i64 = table.seen_by[card]
        if (up >> card | seen >> me) & 1 or card == table.muted_card:
            return self.own_card_cost(table, me, card)
        return OWNER_KNOWN_VALUE if seen >> seat & 1 else UNSEEN_CARD_VALUE

    def flip_gain(self, table: Table, me: int, card: int, is_own: bool) -> float:
        """What it gains to turn a card over."""
        number = self.known_number(table, me, card)
        if number == UNKNOWN:
            return 0.6 if is_own else -0.2
        if table.faceup >> card & 1:
            gain = -self.faceup_bonus[number]
        else:
            if self.would_end_round(table, number):
                return self.lead(table, me)
            gain = self.faceup_bonus[number]
        return gain if is_own else -gain

    def would_end_round(self, table: Table, number: int) -> bool:
        """Whether one more faceup card of this number ends the round (A0)."""
        ends = self.cast.ends
        if not ends >> number & 1:
            return False
        return sum([table.count_active(seat, ends) for seat in range(table.players)]) == self.cast.ending_card_count - 1

    def lead(self, table: Table, me: int) -> float:
        """By how much a seat is ahead of the best of the others."""
        is_own = self.village_sum(table, me, me)[0]
        return min([self.village_sum(table, seat, me)[0] for seat in range(table.players) if seat != me]) - is_own

    def highest_own_cost(self, table: Table, me: int) -> float:
        """The most that one of one's cards costs."""
        worst, covered = -99.0, table.covered_card
        for card in table.villages[me]:
            if card != covered:
                worst = max(worst, self.own_card_cost(table, me, card))
        return worst if worst > -99.0 else 0.0

    def lowest_other_cost(self, table: Table, me: int) -> float:
        """The least that a card of somebody else's costs, which may be moved; 99 if there is none."""
        least = 99.0
        for seat in range(table.players):
            if seat != me and not table.is_closed(seat, me):
                for card in table.villages[seat]:
                    if table.may_touch(me, seat, card):
                        least = min(least, self.other_card_cost(table, me, seat, card))
        return least

    def ability_gain(self, table: Table, me: int, number: int) -> float:
        """What the draw ability of a number gains now."""
        deed = self.effect[number]
        if deed == EFFECT_SWITCH:
            least = self.lowest_other_cost(table, me)
            return 1.5 * (self.highest_own_cost(table, me) - least) - 1.0 if least < 99 else 0.0
        if deed == EFFECT_MERGE:
            costs = sorted(
                [self.own_card_cost(table, me, card) for card in table.villages[me] if card != table.covered_card]
            )
            return costs[-1] + costs[-2] - number if len(costs) > 1 else 0.0
        if deed == EFFECT_FLIP:
            return self.best_flip_gain(table, me, self.own_cards_only[number]) - (
                float(number) if self.joins[number] else 0.0
            )
        if deed == EFFECT_BORROW or deed == EFFECT_REMOVE:
            return self.best_faceup_gain(table, me, deed == EFFECT_REMOVE)
        if deed == EFFECT_LOOK and not self.has_unknown_card(table, me, self.own_cards_only[number]):
            return 0.0
        return self.typical_gain[number]

    def best_faceup_gain(self, table: Table, me: int, away: bool) -> float:
        """The most that it gains to have a faceup card away, or to use it."""
        best = 0.0
        for seat in range(table.players):
            for card in table.villages[seat]:
                if table.faceup >> card & 1 and table.may_touch(me, seat, card):
                    number = table.faces[card]
                    cost = self.value[number] - self.faceup_bonus[number]
                    best = max(best, (cost if seat == me else -cost) if away else self.typical_gain[number])
        return best

    # The windows of a turn.

    def choose_main_action(self, table: Table, me: int, options: list[int]) -> int:
        """Call, use something, take or draw."""
        if contains(options, CALL) and self.should_call(table, me):
            return CALL
        tool = self.choose_ability(table, me, options)
        if tool >= 0:
            return tool
        return self.choose_source(table, me, options)[1]

    def choose_source(self, table: Table, me: int, options: list[int]) -> tuple[float, int]:
        """Where to get a card: from the deck, beside it, from one's own or from the discard pile; and what it gains."""
        worst = self.best_exchange(table, me, 0.0)[0]
        best, best_move = -99.0, options[0]
        for move in options:
            if move == DRAW:
                gain = self.deck_draw_gain(table, me, worst)
            elif move == DRAW_PRIVATE:
                gain = self.known_draw_gain(table, me, table.private[me][-1], worst)
            elif DRAW_SHOWN < move < KEEP_FROM_DECK:
                gain = self.known_draw_gain(table, me, table.shown[move - DRAW_SHOWN - 1], worst)
            elif move == TAKE:
                gain = worst - self.incoming_cost(table, me, table.discard[-1])
            else:
                continue
            if gain > best:
                best, best_move = gain, move
        return best, best_move

    def deck_draw_gain(self, table: Table, me: int, worst: float) -> float:
        """What it gains to draw from the deck; its top card may be known, and of several the best is kept (A4)."""
        deep = table.count_active(me, self.cast.deepens) if self.cast.deepens else 0
        gain = self.average_draw_gain(worst) + EXTRA_DRAW_GAIN * deep
        if self.known_number(table, me, table.deck[-1]) == UNKNOWN:
            return gain
        known = self.known_draw_gain(table, me, table.deck[-1], worst)
        return max(known, gain - EXTRA_DRAW_GAIN) if deep else known

    def average_draw_gain(self, worst: float) -> float:
        """What it gains to draw from the deck, for somebody whose worst card or set costs so much."""
        return self.draw_gains[min(max(int(worst + 0.5), 0), MAX_COST - 1)]

    def known_draw_gain(self, table: Table, me: int, card: int, worst: float) -> float:
        """What it gains to draw a card that the seat knows."""
        number = table.faces[card]
        return max(worst - self.incoming_cost(table, me, card), self.ability_gain(table, me, number))

    def incoming_cost(self, table: Table, me: int, card: int) -> float:
        """What a card will cost that comes in as it lies; faceup, it may end the round."""
        cost = self.other_card_cost(table, me, me, card)
        if self.cast.ends and table.faceup >> card & 1 and self.would_end_round(table, table.faces[card]):
            cost -= self.lead(table, me)
        return cost

    def should_call(self, table: Table, me: int) -> bool:
        """Whether a call is likely to be won."""
        is_own, doubt = self.village_sum(table, me, me)
        chance = 1.0
        for seat in range(table.players):
            if seat != me:
                theirs, more = self.village_sum(table, seat, me)
                chance *= 0.5 + 0.5 * erf((theirs - LAST_TURN_GAIN - is_own + 0.5) / sqrt(2 * (doubt + more + 12.0)))
        return chance > MIN_CALL_PROBABILITY

    def village_sum(self, table: Table, seat: int, me: int) -> tuple[float, float]:
        """What a village will probably count, as a seat knows it, and the variance of that."""
        total = doubt = highest = cleared = 0.0
        halves = parts = clears = False
        faces, seen, muted = table.faces, table.seen_by, table.muted_card
        up: i64 = table.faceup
        card: i64
        for card in table.villages[seat]:
            if card == muted:
                continue
            if not (up >> card & 1 or seen[card] >> me & 1):
                kept = seat != me and seen[card] >> seat & 1
                value = OWNER_KNOWN_VALUE if kept else UNSEEN_CARD_VALUE
                doubt += 9.0 if kept else 13.0
            else:
                number = faces[card]
                value = self.value[number]
                ending = self.sum_effect[number]
                if ending != SUM_UNCHANGED and up >> card & 1:
                    if ending == SUM_HALVED:
                        halves = True
                        value = 0.0
                    elif ending == SUM_WITHOUT_HIGHEST:
                        parts = True
                    elif ending == SUM_CLEARED:
                        clears = True
                        cleared += value
                    elif ending == SUM_REDUCED:
                        value = -5.0 * (table.players - 1)
            total += value
            highest = max(highest, value)
        if parts:
            total -= highest
        if halves:
            total /= 2
        if clears and total - cleared < 12:
            total = 0.0
        return total, doubt

    def choose_ability(self, table: Table, me: int, options: list[int]) -> int:
        """A village ability or the token, if one is to be used now; else -1."""
        for place in range(len(options) - 1, -1, -1):
            move = options[place]
            if move == USE_TOKEN:
                if self.should_use_token(table, me):
                    return move
            elif USE_ABILITY <= move < ROTATE:
                if self.is_worth_using(table, me, move, options):
                    return move
            elif move != END_TURN:
                break
        return -1

    def is_worth_using(self, table: Table, me: int, move: int, options: list[int]) -> bool:
        """Whether a village ability is worth its use."""
        number = table.faces[table.card_at(move)]
        deed = self.effect[number]
        if self.always_use[number]:
            return True
        if deed == EFFECT_LOOK:
            return self.has_unknown_card(table, me, self.own_cards_only[number])
        if deed == EFFECT_GUARD:
            return not [guard for _, guard, _ in table.guards if guard == table.card_at(move)]
        if deed == EFFECT_BORROW:
            gain = self.ability_gain(table, me, table.faces[table.discard[-1]])
            if self.cast.windows[number] != WINDOW_MAIN_ACTION:
                return True
            if not table.deck and not table.shown:  # only one's own deck can be drawn from, which one knows (D10)
                return gain > self.choose_source(table, me, options)[0]
            return gain > self.average_draw_gain(self.best_exchange(table, me, 0.0)[0])
        return deed == EFFECT_FLIP and self.best_flip_gain(table, me, self.own_cards_only[number]) > 0.5

    def has_unknown_card(self, table: Table, me: int, own: bool) -> bool:
        """Whether there is a card that a seat does not know: of its own, or of somebody else's."""
        for seat in range(table.players):
            if (seat == me) == own:
                for card in table.villages[seat]:
                    if self.known_number(table, me, card) == UNKNOWN and table.may_touch(me, seat, card):
                        return True
        return False

    def best_flip_gain(self, table: Table, me: int, own: bool) -> float:
        """The most that turning a card over gains."""
        best = 0.0
        for seat in range(table.players):
            if seat == me or not own:
                for card in table.villages[seat]:
                    if table.may_touch(me, seat, card):
                        best = max(best, self.flip_gain(table, me, card, seat == me))
        return best

    def should_use_token(self, table: Table, me: int) -> bool:
        """Whether the token is worth its use now."""
        last = table.caller != NO_SEAT
        deed = self.effect[RESIDENTS_PER_BOX]
        if deed == EFFECT_COVER:
            return self.highest_own_cost(table, me) > (0.5 if last else 8.5) if self.cast.token_mutes_card else not last
        if deed == EFFECT_FLIP:
            return self.best_flip_gain(table, me, False) > (0.5 if last else 4.0)
        return deed == EFFECT_SKIP_TURN and table.players == 2 and not last

    # A card in hand.

    def best_exchange(self, table: Table, me: int, comes: float) -> tuple[float, int]:
        """What the best exchange for a card gains that will cost so much, and the place to name first."""
        highest, at = comes - 99.0, 0
        seen_numbers: i64 = 0  # a bit for each number that came before
        faces, seen = table.faces, table.seen_by
        up: i64 = table.faceup
        covered: i64 = table.covered_card
        clings: i64 = self.cast.clings
        wild: i64 = self.cast.wild
        seat: i64 = me
        card: i64
        wild_cost, partner_cost, partner_at = 0.0, 0.0, -1
        for place, card in enumerate(table.villages[me]):
            if card == covered:
                continue
            cost = UNSEEN_CARD_VALUE + UNKNOWN_CARD_COST
            if (up >> card | seen[card] >> seat) & 1:
                number: i64 = faces[card]
                if clings >> number & 1:
                    continue
                cost = self.value[number]
                if seen_numbers >> number & 1:
                    cost += self.cost_of_earlier_equals(table, me, number, place)
                if up >> card & 1:
                    cost -= self.faceup_bonus[number]
                seen_numbers |= 1 << number
                if wild:
                    if wild >> number & 1:
                        wild_cost = cost
                    elif cost > partner_cost:
                        partner_cost, partner_at = cost, place
            if cost > highest:
                highest, at = cost, place
        if wild_cost and partner_at >= 0 and wild_cost + partner_cost > highest:  # it goes with any set (A13)
            highest, at = wild_cost + partner_cost, partner_at
        return highest - comes, at

    def cost_of_earlier_equals(self, table: Table, me: int, number: int, place: int) -> float:
        """What the known cards of a number cost together that lie before a place."""
        costs, village = 0.0, table.villages[me]
        for index in range(place):
            card = village[index]
            if (
                table.faces[card] == number
                and card != table.covered_card
                and self.known_number(table, me, card) == number
            ):
                costs += self.value[number]
                if table.faceup >> card & 1:
                    costs -= self.faceup_bonus[number]
        return costs

    def decide_hand(self, table: Table, me: int, options: list[int]) -> int:
        """Exchange the card in hand, use it or discard it; put one that a resident lifted abroad."""
        tool = self.choose_ability(table, me, options)
        if tool >= 0:
            return tool
        hand = table.hand
        gain, place = self.best_exchange(table, me, self.incoming_cost(table, me, hand))
        move = EXCHANGE + (me << 6) + place
        if options[0] == DISCARD:
            number = self.known_number(table, me, hand)
            idle = 0.0 if number >= LOW_CARD_LIMIT else number - 4.0
            if len(options) > 1 and options[1] == USE:
                used = self.ability_gain(table, me, number)
                if used > gain and used > idle:
                    return USE
            if idle > gain:
                return DISCARD
        elif table.hand_source != HAND_TAKEN and table.hand_source != HAND_DRAWN:
            best, best_move = self.best_replacement(table, me, options)
            if best > gain or not contains(options, move):
                return best_move
        return move if contains(options, move) else options[-1]

    def best_replacement(self, table: Table, me: int, options: list[int]) -> tuple[float, int]:
        """Where the card in hand does most harm to the others, and how much (A11)."""
        best, best_move = -99.0, options[-1]
        comes = self.other_card_cost(table, me, me, table.hand)
        for move in options:
            if PICK_CARD <= move < PICK_CARD + 256:
                gain = comes - self.other_card_cost(table, me, move >> 6 & 3, table.card_at(move))
                if gain > best:
                    best, best_move = gain, move
        return best, best_move

    def name_next_card(self, table: Table, me: int, options: list[int]) -> int:
        """Name what matches the cards that are named for an exchange."""
        clings, wild = self.cast.clings, self.cast.wild
        number, village = UNKNOWN, table.villages[me]
        for place, card in enumerate(village):
            if table.named_places >> place & 1:
                face = self.known_number(table, me, card)
                if face == UNKNOWN:
                    return DONE
                if number == UNKNOWN or not wild >> face & 1:
                    number = face
        if number <= 0 or clings >> number & 1 or self.has_special_value[number]:
            return DONE
        for move in options:
            if AND_CARD <= move < EXCHANGE:
                face = self.known_number(table, me, village[move & 63])
                if face != UNKNOWN and (face == number or wild >> face & 1):
                    return move
        return DONE

    def choose_deck_card(self, table: Table, me: int, options: list[int]) -> int:
        """Of the deck's first cards, keep the one that does most good."""
        worst = self.best_exchange(table, me, 0.0)[0]
        best, best_move = -99.0, options[0]
        for move in options:
            gain = self.known_draw_gain(table, me, table.deck[-(move - KEEP_FROM_DECK)], worst)
            if gain > best:
                best, best_move = gain, move
        return best_move

    # Inside an ability.

    def choose_parting_card(self, table: Table, options: list[int]) -> int:
        """Part with the highest card at the end of a round, when all are seen; give it to who has the fewest points."""
        best, best_move = 0.0, PASS
        for move in options:
            if move == PASS:
                continue
            gain = self.value[table.faces[table.card_at(move)]]
            if move >= GIVE:
                gain -= 0.001 * table.totals[(move - GIVE) >> 8]
            if gain > best:
                best, best_move = gain, move
        return best_move

    def choose_rotation(self, table: Table, me: int, options: list[int]) -> int:
        """Discard the worst sideways card, else turn the worst one sideways."""
        best, best_move = -99.0, options[0]
        for move in options:
            card = table.card_at(move)
            number = self.known_number(table, me, card)
            gain = self.own_card_cost(table, me, card)
            if move >= DISCARD_CARD:
                gain = gain * 3 - 3
            elif table.sideways >> card & 1 or (number != UNKNOWN and self.cast.clings >> number & 1):
                gain = -gain
            if gain > best:
                best, best_move = gain, move
        return best_move

    def asking_number(self, table: Table) -> int:
        """The number of the resident that asks; 14 for the token."""
        return self.number_by_label.get(table.asker, RESIDENTS_PER_BOX)

    def choose_village(self, table: Table, me: int, options: list[int]) -> int:
        """Look at one's own, shuffle, turn or harm somebody else's."""
        best, best_move = -99.0, options[0]
        deed = self.effect[self.asking_number(table)]
        for move in options:
            seat = move - SEAT
            cards = [card for card in table.villages[seat] if table.may_touch(me, seat, card)]
            if deed == EFFECT_LOOK:
                gain = float(len([card for card in cards if self.known_number(table, me, card) == UNKNOWN]))
                gain *= 2.0 if seat == me else 1.0
            elif deed == EFFECT_SHUFFLE:
                gain = float(
                    len([card for card in cards if table.seen_by[card] >> seat & 1 and not table.faceup >> card & 1])
                )
                gain *= -1.0 if seat == me else 1.0
            elif deed == EFFECT_FLIP:
                gain = fsum([self.flip_gain(table, me, card, seat == me) for card in cards])
            else:
                gain = -50.0 if seat == me else -1.0 * table.totals[seat]
            if gain > best:
                best, best_move = gain, move
        return best_move

    def choose_use(self, table: Table, me: int, options: list[int]) -> int:
        """Take or use a card of the discard pile, use one that was exchanged, or a card that was turned up."""
        best, best_move = 0.0, options[-1]
        digs = self.effect[self.asking_number(table)] == EFFECT_USE_PILE
        for move in options:
            if move == STOP:
                continue
            if TAKE_FROM_PILE < move < PICK_CARD:
                card = table.discard[table.pile_choices[move - TAKE_FROM_PILE - 1]]
                gain = self.best_exchange(table, me, self.incoming_cost(table, me, card))[0]
            elif USE_FROM_PILE <= move < SEAT:
                number = move - USE_FROM_PILE
                if digs:
                    number = table.faces[table.discard[table.pile_choices[number - 1]]]
                gain = self.ability_gain(table, me, number)
            elif move == USE:
                gain = self.ability_gain(table, me, table.faces[table.card_at(table.picked[0])])
            else:
                first = table.picked[0]
                turned = self.other_card_cost(table, me, first >> 6 & 3, table.card_at(first))
                gain = self.own_card_cost(table, me, table.card_at(move)) - turned
            if gain > best:
                best, best_move = gain, move
        return best_move

    def pile_card_cost(self, table: Table, me: int) -> float:
        """What the topmost card of the discard pile costs but the one that asks, which lies on it as a rule."""
        for card in reversed(table.discard):
            if not table.faceup >> card & 1 or table.faces[card] != self.asking_number(table):
                return self.other_card_cost(table, me, me, card)
        return 0.0

    def choose_card(self, table: Table, me: int, options: list[int]) -> int:
        """Some card, as the ability wants it."""
        best, best_move = -99.0, options[0]
        asks = self.asking_number(table)
        for move in options:
            if move == STOP:
                gain = 0.0
            elif move < PICK_CARD or move >= PICK_CARD + 256:
                continue
            else:
                gain = self.card_gain(table, me, move, self.effect[asks])
            if gain > best:
                best, best_move = gain, move
        return best_move

    def card_gain(self, table: Table, me: int, move: int, deed: int) -> float:
        """What it gains to pick a card, by what the ability does with it."""
        seat, card = move >> 6 & 3, table.card_at(move)
        is_own = seat == me
        if deed == EFFECT_FLIP:
            return self.flip_gain(table, me, card, is_own)
        cost = self.own_card_cost(table, me, card) if is_own else self.other_card_cost(table, me, seat, card)
        if deed == EFFECT_LOOK or deed == EFFECT_SEEK_LOW:
            number = self.known_number(table, me, card)
            if number == UNKNOWN:
                return 2.0 if is_own else 1.0
            return (
                self.flip_gain(table, me, card, is_own)
                if deed == EFFECT_SEEK_LOW and number <= HIGHEST_LOW_NUMBER
                else 0.0
            )
        if deed == EFFECT_BORROW:
            return self.ability_gain(table, me, table.faces[card])
        if deed == EFFECT_GUARD or (deed == EFFECT_COVER and not self.cast.token_mutes_card):
            return -cost
        if deed == EFFECT_REPLACE:
            cost -= self.pile_card_cost(table, me)
        return cost if is_own else -cost


@lru_cache(64)
def policy_for(cast: Cast) -> PlayoutPolicy:
    """The quick player for a cast; it has no memory, so that one will do for all."""
    return PlayoutPolicy(cast)
