"""A quick player: it plays a seat as that seat knows the table, in a few microseconds a move.

It is given a whole table, for speed, but looks only at faces that the seat to choose knows; so it plays in imagined
games, and a bot that plays like it is given one. What it knows of the residents is a few figures of their plans; the
careful judgement is steady's.
"""

from functools import lru_cache
from math import erf, fsum, sqrt
from typing import TYPE_CHECKING, Final

from argentum.bots.heuristics.abilities import PLANS
from argentum.bots.heuristics.ability_model import (
    AS_IT_IS,
    BORROWS,
    CLEARS,
    COLLECTS,
    COVERS,
    DIGS,
    FLIPS,
    GUARDS,
    HALVES,
    LOOKS,
    MERGES,
    NO_PLAN,
    PARTS,
    PUTS,
    REMOVES,
    SEEKS,
    SHUFFLES,
    SKIPS,
    SWITCHES,
)
from argentum.rules.asking import (
    STEP_MAIN_ACTION,
    STEP_ANOTHER_CARD,
    STEP_END_WINDOW,
    STEP_HAND,
    STEP_KEEP,
    STEP_MORE_CARDS,
    STEP_SECOND_CARD,
    STEP_VILLAGE,
)
from argentum.rules.asking import STEP_CARD as PICK
from argentum.rules.asking import STEP_USE as USING
from argentum.rules.fast_lists import contains
from argentum.rules.notation import (
    USE_ABILITY,
    AND_CARD,
    CALL,
    PICK_CARD,
    DISCARD,
    DISCARD_CARD,
    DONE,
    DRAW,
    DRAW_SHOWN,
    DRAW_PRIVATE,
    END_TURN,
    EXCHANGE,
    GIVE,
    KEEP_FROM_DECK,
    PASS,
    REMOVE,
    ROTATE,
    STOP,
    TAKE,
    TAKE_FROM_PILE,
    USE_TOKEN,
    USE,
    USE_FROM_PILE,
)
from argentum.rules.notation import PICK_VILLAGE as SEAT
from argentum.rules.residents import CARDS_IN_DECK, WINDOW_MAIN_ACTION, RESIDENTS_PER_BOX, Cast, copies_of
from argentum.rules.table import HAND_DRAWN, HIGHEST_LOW_NUMBER, NO_SEAT, HAND_TAKEN, Table

if TYPE_CHECKING:
    from mypy_extensions import i64  # for locals: compiled, a number of the machine; else they are never evaluated

MEAN: Final = 6.5  # of a card that nobody has seen
KEPT: Final = 4.7  # of a card that its owner knows and keeps
BLIND: Final = 0.9  # what it costs not to know a card of one's own
HIGHEST: Final = 40  # more than a card or set that is exchanged usually costs
OFFERED: Final = 4  # a card below this is not left to the next seat for nothing
LAST_TURN: Final = 4.0  # what somebody gains on a caller
SURE: Final = 0.65  # how likely a call should be won
DEEPER: Final = 1.0  # what it gains to choose from one more card of the deck
UNKNOWN: Final = -1


class Quick:
    """Chooses for whoever is to choose. It has no memory: the table says what is asked."""

    def __init__(self, cast: Cast) -> None:
        plans = [PLANS.get(label, NO_PLAN) for label in cast.labels]
        token = PLANS.get(cast.token_label, NO_PLAN)
        self.cast: Final = cast
        self.number_of: Final = {label: number for number, label in enumerate(cast.labels)}
        self.worth: Final[list[float]] = [
            float(number) if plan.counts is None else plan.counts for number, plan in enumerate(plans)
        ]
        self.bonus: Final[list[float]] = [plan.faceup for plan in plans]
        self.usual: Final[list[float]] = [plan.usual for plan in plans]
        self.deed: Final[list[int]] = [*[plan.deed for plan in plans], token.deed]
        self.own: Final[list[bool]] = [*[plan.own for plan in plans], token.own]
        self.eager: Final[list[bool]] = [plan.eager for plan in plans]
        self.ending: Final[list[int]] = [plan.ending for plan in plans]
        self.joins: Final[list[bool]] = [resident.joins_village for resident in cast.residents]
        self.odd: Final[list[bool]] = [plan.counts is not None for plan in plans]  # what sets of them save is little
        self.drawing: Final = [self.draws(float(worst)) for worst in range(HIGHEST)]

    def draws(self, worst: float) -> float:
        """What it gains to draw, for somebody whose worst card or set costs so much."""
        usual, worth = self.usual, self.worth
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
        return self.pick(table, table.chooser, options)

    def pick(self, table: Table, me: int, options: list[int]) -> int:
        """A move for a seat."""
        step = table.step
        if step == STEP_MAIN_ACTION:
            return self.open(table, me, options)
        if step == STEP_MORE_CARDS:
            return self.go_on(table, me, options)
        if step == STEP_HAND:
            return self.settle(table, me, options)
        if step == STEP_END_WINDOW:
            tool = self.tool(table, me, options)
            return tool if tool >= 0 else END_TURN
        if step == STEP_VILLAGE:
            return self.village(table, me, options)
        if step == USING:
            return self.use(table, me, options)
        if step == STEP_KEEP:
            return self.keep(table, me, options)
        if step == PICK or step == STEP_SECOND_CARD or step == STEP_ANOTHER_CARD:
            if options[-1] == PASS:
                return self.part(table, options)
            if ROTATE <= options[0] < REMOVE:
                return self.curate(table, me, options)
            return self.card(table, me, options)
        return options[0]

    # What a seat knows, and thinks, of cards.

    def face(self, table: Table, me: int, card: int) -> int:
        """The number of a card, if the seat knows it; else -1."""
        up: i64 = table.faceup
        seen: i64 = table.seen_by[card]
        return table.faces[card] if (up >> card | seen >> me) & 1 else UNKNOWN

    def held(self, table: Table, me: int, card: int) -> float:
        """What a card of one's own costs."""
        if card == table.muted_card:
            return 0.0
        up: i64 = table.faceup
        if up >> card & 1:
            number = table.faces[card]
            return self.worth[number] - self.bonus[number]
        seen: i64 = table.seen_by[card]
        return self.worth[table.faces[card]] if seen >> me & 1 else MEAN + BLIND

    def other(self, table: Table, me: int, seat: int, card: int) -> float:
        """What a card costs another seat, as somebody knows it."""
        up: i64 = table.faceup
        seen: i64 = table.seen_by[card]
        if (up >> card | seen >> me) & 1 or card == table.muted_card:
            return self.held(table, me, card)
        return KEPT if seen >> seat & 1 else MEAN

    def flip(self, table: Table, me: int, card: int, mine: bool) -> float:
        """What it gains to turn a card over."""
        number = self.face(table, me, card)
        if number == UNKNOWN:
            return 0.6 if mine else -0.2
        if table.faceup >> card & 1:
            gain = -self.bonus[number]
        else:
            if self.ends(table, number):
                return self.lead(table, me)
            gain = self.bonus[number]
        return gain if mine else -gain

    def ends(self, table: Table, number: int) -> bool:
        """Whether one more faceup card of this number ends the round (A0)."""
        ends = self.cast.ends
        if not ends >> number & 1:
            return False
        return sum([table.count_active(seat, ends) for seat in range(table.players)]) == self.cast.ending_card_count - 1

    def lead(self, table: Table, me: int) -> float:
        """By how much a seat is ahead of the best of the others."""
        mine = self.sum(table, me, me)[0]
        return min([self.sum(table, seat, me)[0] for seat in range(table.players) if seat != me]) - mine

    def worst(self, table: Table, me: int) -> float:
        """The most that one of one's cards costs."""
        worst, covered = -99.0, table.covered_card
        for card in table.villages[me]:
            if card != covered:
                worst = max(worst, self.held(table, me, card))
        return worst if worst > -99.0 else 0.0

    def least(self, table: Table, me: int) -> float:
        """The least that a card of somebody else's costs, which may be moved; 99 if there is none."""
        least = 99.0
        for seat in range(table.players):
            if seat != me and not table.is_closed(seat, me):
                for card in table.villages[seat]:
                    if table.may_touch(me, seat, card):
                        least = min(least, self.other(table, me, seat, card))
        return least

    def gain_of(self, table: Table, me: int, number: int) -> float:
        """What the draw ability of a number gains now."""
        deed = self.deed[number]
        if deed == SWITCHES:
            least = self.least(table, me)
            return 1.5 * (self.worst(table, me) - least) - 1.0 if least < 99 else 0.0
        if deed == MERGES:
            costs = sorted([self.held(table, me, card) for card in table.villages[me] if card != table.covered_card])
            return costs[-1] + costs[-2] - number if len(costs) > 1 else 0.0
        if deed == FLIPS:
            return self.best_flip(table, me, self.own[number]) - (float(number) if self.joins[number] else 0.0)
        if deed == BORROWS or deed == REMOVES:
            return self.best_faceup(table, me, deed == REMOVES)
        if deed == LOOKS and not self.unknown(table, me, self.own[number]):
            return 0.0
        return self.usual[number]

    def best_faceup(self, table: Table, me: int, away: bool) -> float:
        """The most that it gains to have a faceup card away, or to use it."""
        best = 0.0
        for seat in range(table.players):
            for card in table.villages[seat]:
                if table.faceup >> card & 1 and table.may_touch(me, seat, card):
                    number = table.faces[card]
                    cost = self.worth[number] - self.bonus[number]
                    best = max(best, (cost if seat == me else -cost) if away else self.usual[number])
        return best

    # The windows of a turn.

    def open(self, table: Table, me: int, options: list[int]) -> int:
        """Call, use something, take or draw."""
        if contains(options, CALL) and self.calls(table, me):
            return CALL
        tool = self.tool(table, me, options)
        if tool >= 0:
            return tool
        return self.source(table, me, options)[1]

    def source(self, table: Table, me: int, options: list[int]) -> tuple[float, int]:
        """Where to get a card: from the deck, beside it, from one's own or from the discard pile; and what it gains."""
        worst = self.exchanging(table, me, 0.0)[0]
        best, found = -99.0, options[0]
        for move in options:
            if move == DRAW:
                gain = self.from_deck(table, me, worst)
            elif move == DRAW_PRIVATE:
                gain = self.drawn(table, me, table.private[me][-1], worst)
            elif DRAW_SHOWN < move < KEEP_FROM_DECK:
                gain = self.drawn(table, me, table.shown[move - DRAW_SHOWN - 1], worst)
            elif move == TAKE:
                gain = worst - self.coming(table, me, table.discard[-1])
            else:
                continue
            if gain > best:
                best, found = gain, move
        return best, found

    def from_deck(self, table: Table, me: int, worst: float) -> float:
        """What it gains to draw from the deck; its top card may be known, and of several the best is kept (A4)."""
        deep = table.count_active(me, self.cast.deepens) if self.cast.deepens else 0
        gain = self.drawn_from(worst) + DEEPER * deep
        if self.face(table, me, table.deck[-1]) == UNKNOWN:
            return gain
        known = self.drawn(table, me, table.deck[-1], worst)
        return max(known, gain - DEEPER) if deep else known

    def drawn_from(self, worst: float) -> float:
        """What it gains to draw from the deck, for somebody whose worst card or set costs so much."""
        return self.drawing[min(max(int(worst + 0.5), 0), HIGHEST - 1)]

    def drawn(self, table: Table, me: int, card: int, worst: float) -> float:
        """What it gains to draw a card that the seat knows."""
        number = table.faces[card]
        return max(worst - self.coming(table, me, card), self.gain_of(table, me, number))

    def coming(self, table: Table, me: int, card: int) -> float:
        """What a card will cost that comes in as it lies; faceup, it may end the round."""
        cost = self.other(table, me, me, card)
        if self.cast.ends and table.faceup >> card & 1 and self.ends(table, table.faces[card]):
            cost -= self.lead(table, me)
        return cost

    def calls(self, table: Table, me: int) -> bool:
        """Whether a call is likely to be won."""
        mine, doubt = self.sum(table, me, me)
        chance = 1.0
        for seat in range(table.players):
            if seat != me:
                theirs, more = self.sum(table, seat, me)
                chance *= 0.5 + 0.5 * erf((theirs - LAST_TURN - mine + 0.5) / sqrt(2 * (doubt + more + 12.0)))
        return chance > SURE

    def sum(self, table: Table, seat: int, me: int) -> tuple[float, float]:
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
                value = KEPT if kept else MEAN
                doubt += 9.0 if kept else 13.0
            else:
                number = faces[card]
                value = self.worth[number]
                ending = self.ending[number]
                if ending != AS_IT_IS and up >> card & 1:
                    if ending == HALVES:
                        halves = True
                        value = 0.0
                    elif ending == PARTS:
                        parts = True
                    elif ending == CLEARS:
                        clears = True
                        cleared += value
                    elif ending == COLLECTS:
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

    def tool(self, table: Table, me: int, options: list[int]) -> int:
        """A village ability or the token, if one is to be used now; else -1."""
        for place in range(len(options) - 1, -1, -1):
            move = options[place]
            if move == USE_TOKEN:
                if self.spends(table, me):
                    return move
            elif USE_ABILITY <= move < ROTATE:
                if self.works(table, me, move, options):
                    return move
            elif move != END_TURN:
                break
        return -1

    def works(self, table: Table, me: int, move: int, options: list[int]) -> bool:
        """Whether a village ability is worth its use."""
        number = table.faces[table.card_at(move)]
        deed = self.deed[number]
        if self.eager[number]:
            return True
        if deed == LOOKS:
            return self.unknown(table, me, self.own[number])
        if deed == GUARDS:
            return not [guard for _, guard, _ in table.guards if guard == table.card_at(move)]
        if deed == BORROWS:
            gain = self.gain_of(table, me, table.faces[table.discard[-1]])
            if self.cast.windows[number] != WINDOW_MAIN_ACTION:
                return True
            if not table.deck and not table.shown:  # only one's own deck can be drawn from, which one knows (D10)
                return gain > self.source(table, me, options)[0]
            return gain > self.drawn_from(self.exchanging(table, me, 0.0)[0])
        return deed == FLIPS and self.best_flip(table, me, self.own[number]) > 0.5

    def unknown(self, table: Table, me: int, own: bool) -> bool:
        """Whether there is a card that a seat does not know: of its own, or of somebody else's."""
        for seat in range(table.players):
            if (seat == me) == own:
                for card in table.villages[seat]:
                    if self.face(table, me, card) == UNKNOWN and table.may_touch(me, seat, card):
                        return True
        return False

    def best_flip(self, table: Table, me: int, own: bool) -> float:
        """The most that turning a card over gains."""
        best = 0.0
        for seat in range(table.players):
            if seat == me or not own:
                for card in table.villages[seat]:
                    if table.may_touch(me, seat, card):
                        best = max(best, self.flip(table, me, card, seat == me))
        return best

    def spends(self, table: Table, me: int) -> bool:
        """Whether the token is worth its use now."""
        last = table.caller != NO_SEAT
        deed = self.deed[RESIDENTS_PER_BOX]
        if deed == COVERS:
            return self.worst(table, me) > (0.5 if last else 8.5) if self.cast.token_mutes_card else not last
        if deed == FLIPS:
            return self.best_flip(table, me, False) > (0.5 if last else 4.0)
        return deed == SKIPS and table.players == 2 and not last

    # A card in hand.

    def exchanging(self, table: Table, me: int, comes: float) -> tuple[float, int]:
        """What the best exchange for a card gains that will cost so much, and the place to name first."""
        highest, at = comes - 99.0, 0
        met: i64 = 0  # a bit for each number that came before
        faces, seen = table.faces, table.seen_by
        up: i64 = table.faceup
        covered: i64 = table.covered_card
        clings: i64 = self.cast.clings
        wild: i64 = self.cast.wild
        seat: i64 = me
        card: i64
        joker, partner, partner_at = 0.0, 0.0, -1
        for place, card in enumerate(table.villages[me]):
            if card == covered:
                continue
            cost = MEAN + BLIND
            if (up >> card | seen[card] >> seat) & 1:
                number: i64 = faces[card]
                if clings >> number & 1:
                    continue
                cost = self.worth[number]
                if met >> number & 1:
                    cost += self.before(table, me, number, place)
                if up >> card & 1:
                    cost -= self.bonus[number]
                met |= 1 << number
                if wild:
                    if wild >> number & 1:
                        joker = cost
                    elif cost > partner:
                        partner, partner_at = cost, place
            if cost > highest:
                highest, at = cost, place
        if joker and partner_at >= 0 and joker + partner > highest:  # it goes with any set (A13)
            highest, at = joker + partner, partner_at
        return highest - comes, at

    def before(self, table: Table, me: int, number: int, place: int) -> float:
        """What the known cards of a number cost together that lie before a place."""
        costs, village = 0.0, table.villages[me]
        for nth in range(place):
            card = village[nth]
            if table.faces[card] == number and card != table.covered_card and self.face(table, me, card) == number:
                costs += self.worth[number]
                if table.faceup >> card & 1:
                    costs -= self.bonus[number]
        return costs

    def settle(self, table: Table, me: int, options: list[int]) -> int:
        """Exchange the card in hand, use it or discard it; put one that a resident lifted abroad."""
        tool = self.tool(table, me, options)
        if tool >= 0:
            return tool
        hand = table.hand
        gain, place = self.exchanging(table, me, self.coming(table, me, hand))
        move = EXCHANGE + (me << 6) + place
        if options[0] == DISCARD:
            number = self.face(table, me, hand)
            idle = 0.0 if number >= OFFERED else number - 4.0
            if len(options) > 1 and options[1] == USE:
                used = self.gain_of(table, me, number)
                if used > gain and used > idle:
                    return USE
            if idle > gain:
                return DISCARD
        elif table.hand_source != HAND_TAKEN and table.hand_source != HAND_DRAWN:
            best, found = self.best_abroad(table, me, options)
            if best > gain or not contains(options, move):
                return found
        return move if contains(options, move) else options[-1]

    def best_abroad(self, table: Table, me: int, options: list[int]) -> tuple[float, int]:
        """Where the card in hand does most harm to the others, and how much (A11)."""
        best, found = -99.0, options[-1]
        comes = self.other(table, me, me, table.hand)
        for move in options:
            if PICK_CARD <= move < PICK_CARD + 256:
                gain = comes - self.other(table, me, move >> 6 & 3, table.card_at(move))
                if gain > best:
                    best, found = gain, move
        return best, found

    def go_on(self, table: Table, me: int, options: list[int]) -> int:
        """Name what matches the cards that are named for an exchange."""
        clings, wild = self.cast.clings, self.cast.wild
        number, village = UNKNOWN, table.villages[me]
        for place, card in enumerate(village):
            if table.named_places >> place & 1:
                face = self.face(table, me, card)
                if face == UNKNOWN:
                    return DONE
                if number == UNKNOWN or not wild >> face & 1:
                    number = face
        if number <= 0 or clings >> number & 1 or self.odd[number]:
            return DONE
        for move in options:
            if AND_CARD <= move < EXCHANGE:
                face = self.face(table, me, village[move & 63])
                if face != UNKNOWN and (face == number or wild >> face & 1):
                    return move
        return DONE

    def keep(self, table: Table, me: int, options: list[int]) -> int:
        """Of the deck's first cards, keep the one that does most good."""
        worst = self.exchanging(table, me, 0.0)[0]
        best, found = -99.0, options[0]
        for move in options:
            gain = self.drawn(table, me, table.deck[-(move - KEEP_FROM_DECK)], worst)
            if gain > best:
                best, found = gain, move
        return found

    # Inside an ability.

    def part(self, table: Table, options: list[int]) -> int:
        """Part with the highest card at the end of a round, when all are seen; give it to who has the fewest points."""
        best, found = 0.0, PASS
        for move in options:
            if move == PASS:
                continue
            gain = self.worth[table.faces[table.card_at(move)]]
            if move >= GIVE:
                gain -= 0.001 * table.totals[(move - GIVE) >> 8]
            if gain > best:
                best, found = gain, move
        return found

    def curate(self, table: Table, me: int, options: list[int]) -> int:
        """Discard the worst sideways card, else turn the worst one sideways."""
        best, found = -99.0, options[0]
        for move in options:
            card = table.card_at(move)
            number = self.face(table, me, card)
            gain = self.held(table, me, card)
            if move >= DISCARD_CARD:
                gain = gain * 3 - 3
            elif table.sideways >> card & 1 or (number != UNKNOWN and self.cast.clings >> number & 1):
                gain = -gain
            if gain > best:
                best, found = gain, move
        return found

    def asks(self, table: Table) -> int:
        """The number of the resident that asks; 14 for the token."""
        return self.number_of.get(table.asker, RESIDENTS_PER_BOX)

    def village(self, table: Table, me: int, options: list[int]) -> int:
        """Look at one's own, shuffle, turn or harm somebody else's."""
        best, found = -99.0, options[0]
        deed = self.deed[self.asks(table)]
        for move in options:
            seat = move - SEAT
            cards = [card for card in table.villages[seat] if table.may_touch(me, seat, card)]
            if deed == LOOKS:
                gain = float(len([card for card in cards if self.face(table, me, card) == UNKNOWN]))
                gain *= 2.0 if seat == me else 1.0
            elif deed == SHUFFLES:
                gain = float(
                    len([card for card in cards if table.seen_by[card] >> seat & 1 and not table.faceup >> card & 1])
                )
                gain *= -1.0 if seat == me else 1.0
            elif deed == FLIPS:
                gain = fsum([self.flip(table, me, card, seat == me) for card in cards])
            else:
                gain = -50.0 if seat == me else -1.0 * table.totals[seat]
            if gain > best:
                best, found = gain, move
        return found

    def use(self, table: Table, me: int, options: list[int]) -> int:
        """Take or use a card of the discard pile, use one that was exchanged, or a card that was turned up."""
        best, found = 0.0, options[-1]
        digs = self.deed[self.asks(table)] == DIGS
        for move in options:
            if move == STOP:
                continue
            if TAKE_FROM_PILE < move < PICK_CARD:
                card = table.discard[table.pile_choices[move - TAKE_FROM_PILE - 1]]
                gain = self.exchanging(table, me, self.coming(table, me, card))[0]
            elif USE_FROM_PILE <= move < SEAT:
                number = move - USE_FROM_PILE
                if digs:
                    number = table.faces[table.discard[table.pile_choices[number - 1]]]
                gain = self.gain_of(table, me, number)
            elif move == USE:
                gain = self.gain_of(table, me, table.faces[table.card_at(table.picked[0])])
            else:
                first = table.picked[0]
                turned = self.other(table, me, first >> 6 & 3, table.card_at(first))
                gain = self.held(table, me, table.card_at(move)) - turned
            if gain > best:
                best, found = gain, move
        return found

    def topmost(self, table: Table, me: int) -> float:
        """What the topmost card of the discard pile costs but the one that asks, which lies on it as a rule."""
        for card in reversed(table.discard):
            if not table.faceup >> card & 1 or table.faces[card] != self.asks(table):
                return self.other(table, me, me, card)
        return 0.0

    def card(self, table: Table, me: int, options: list[int]) -> int:
        """Some card, as the ability wants it."""
        best, found = -99.0, options[0]
        asks = self.asks(table)
        for move in options:
            if move == STOP:
                gain = 0.0
            elif move < PICK_CARD or move >= PICK_CARD + 256:
                continue
            else:
                gain = self.gain(table, me, move, self.deed[asks])
            if gain > best:
                best, found = gain, move
        return found

    def gain(self, table: Table, me: int, move: int, deed: int) -> float:
        """What it gains to pick a card, by what the ability does with it."""
        seat, card = move >> 6 & 3, table.card_at(move)
        mine = seat == me
        if deed == FLIPS:
            return self.flip(table, me, card, mine)
        cost = self.held(table, me, card) if mine else self.other(table, me, seat, card)
        if deed == LOOKS or deed == SEEKS:
            number = self.face(table, me, card)
            if number == UNKNOWN:
                return 2.0 if mine else 1.0
            return self.flip(table, me, card, mine) if deed == SEEKS and number <= HIGHEST_LOW_NUMBER else 0.0
        if deed == BORROWS:
            return self.gain_of(table, me, table.faces[card])
        if deed == GUARDS or (deed == COVERS and not self.cast.token_mutes_card):
            return -cost
        if deed == PUTS:
            cost -= self.topmost(table, me)
        return cost if mine else -cost


@lru_cache(64)
def quick_for(cast: Cast) -> Quick:
    """The quick player for a cast; it has no memory, so that one will do for all."""
    return Quick(cast)
