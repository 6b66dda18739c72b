"""A quick player for looking ahead: it plays a seat as that seat knows the table, in a few microseconds a move.

It sees a whole table, but looks only at faces that the seat to choose knows. What it knows of the residents is in a
few figures for each; the careful judgement is steady's.
"""

from math import erf, sqrt
from typing import Final

from argentum.rules.notation import (
    ABILITY,
    AND,
    CALL,
    CARD,
    CLOCKWISE,
    DISCARD,
    DISCARD_CARD,
    DONE,
    DRAW_PRIVATE,
    END,
    EXCHANGE,
    GIVE,
    PASS,
    REMOVE,
    ROTATE,
    STOP,
    TAKE,
    TAKE_NTH,
    TOKEN,
    USE,
    USE_NTH,
    VILLAGE,
)
from argentum.rules.residents import CARDS, NUMBERS, Cast, copies
from argentum.rules.table import NO_CARD, NO_SEAT, TAKEN, Table

MEAN: Final = 6.5  # of a card that nobody has seen
KEPT: Final = 4.7  # of a card that its owner knows and keeps
BLIND: Final = 0.9  # what it costs not to know a card of one's own
HIGHEST: Final = 40  # more than a card or set that is exchanged usually costs
OFFERED: Final = 4  # a card below this is not left to the next seat for nothing
LAST_TURN: Final = 4.0  # what somebody gains on a caller
SURE: Final = 0.65  # how likely a call should be won

# Faceup, a card is better for its owner by so much; and what a draw ability gains as a rule.
FACEUP: Final = {
    "B0": 8.0, "B1": 0.4, "B2": 0.3, "B3": 0.2, "B4": 1.0, "C0": 11.0, "C1": 1.5, "C2": 2.5, "C3": 0.3, "C4": 0.5,
    "D0": 5.0, "D1": 0.2, "D2": 6.0, "D3": 0.5, "D4": 3.0, "C13": 6.0,
}  # fmt: skip
USUAL: Final = {
    "B7": 1.5, "B8": 0.8, "B12": 5.0, "C7": 1.5, "C9": 1.6,
    "C10": 2.0, "C11": 2.5, "D7": 1.0, "D8": 2.5, "D9": 1.3, "D10": 1.0, "D11": 2.0,
}  # fmt: skip
SWITCHES: Final = frozenset(("B11", "C12", "D12"))
ALWAYS: Final = frozenset(("C1", "C2", "D4"))  # village abilities that are used whenever they may be
LOOKS: Final = frozenset(("B7", "C7", "C9", "D1", "D7", "D9"))
FLIPS: Final = frozenset(("B2", "B6", "C3", "C5", "C6", "C14"))


class Quick:
    """Chooses for whoever is to choose. It keeps in mind which ability asks."""

    def __init__(self, cast: Cast) -> None:
        labels = [resident.label for resident in cast.residents]
        self.labels: Final = labels
        self.token: Final = cast.token[0].upper() + "14"
        self.worth: Final = [2.5 if label == "B13" else float(number) for number, label in enumerate(labels)]
        self.bonus: Final = [FACEUP.get(label, 0.0) for label in labels]
        self.usual: Final = [USUAL.get(label, 0.0) for label in labels]
        self.zombie: Final = cast.zombie
        self.drawing: Final = [self.draws(float(worst)) for worst in range(HIGHEST)]
        self.label = ""
        self.first = -1

    def draws(self, worst: float) -> float:
        """What it gains to draw, for somebody whose worst card or set costs so much."""
        usual, worth = self.usual, self.worth
        return (
            sum([copies(number) * max(usual[number], worst - worth[number], 0.0) for number in range(NUMBERS)]) / CARDS
        )

    def note(self, table: Table, move: int) -> None:
        """Keep in mind what a move begins, before it is made."""
        if move == USE:
            if table.hand != NO_CARD:
                self.label = self.labels[table.faces[table.hand]]
            elif self.first >= 0:
                self.label = self.labels[table.faces[table.at(self.first)]]
            self.first = -1
        elif move == TOKEN:
            self.label, self.first = self.token, -1
        elif ABILITY <= move < ROTATE:
            self.label, self.first = self.labels[table.faces[table.at(move)]], -1
            if self.label == "C4" and table.pile:
                self.label = self.labels[table.faces[table.pile[-1]]]
        elif USE_NTH <= move < VILLAGE:
            number = move - USE_NTH
            if self.label == "C10":
                number = table.faces[table.pile[max(len(table.pile) - 1 - number, 0)]]
            self.label, self.first = self.labels[number], -1
        elif CARD <= move < CARD + 256:
            if self.label == "B9":
                self.label, self.first = self.labels[table.faces[table.at(move)]], -1
            else:
                self.first = move

    def choose(self, table: Table, options: list[int]) -> int:
        """A move for the seat to choose; it is noted."""
        move = self.pick(table, table.chooser, options)
        self.note(table, move)
        return move

    def pick(self, table: Table, me: int, options: list[int]) -> int:
        """A move for a seat."""
        first, last = options[0], options[-1]
        if last == DONE:
            return self.go_on(table, me, options)
        if first <= DRAW_PRIVATE or first == TAKE:
            return self.open(table, me, options)
        if first == DISCARD or EXCHANGE <= first < EXCHANGE + 256:
            return self.settle(table, me, options)
        if last == END:
            tool = self.tool(table, me, options)
            return tool if tool >= 0 else END
        if last == PASS:
            return self.part(table, options)
        if ROTATE <= first < REMOVE:
            return self.curate(table, me, options)
        if first == CLOCKWISE:
            return first
        if VILLAGE <= first < VILLAGE + 4:
            return self.village(table, me, options)
        if TAKE_NTH < first < VILLAGE:
            return self.dig(table, me, options)
        if first == USE or CARD <= first < CARD + 256:
            return self.card(table, me, options)
        return first

    # What a seat thinks of cards.

    def held(self, table: Table, me: int, card: int) -> float:
        """What a card of one's own costs, as one knows it."""
        if card == table.bullet:
            return 0.0
        if table.up[card]:
            number = table.faces[card]
            return self.worth[number] - self.bonus[number]
        if table.seen[card] >> me & 1:
            return self.worth[table.faces[card]]
        return MEAN + BLIND

    def other(self, table: Table, me: int, seat: int, card: int) -> float:
        """What a card costs its owner, as somebody else knows it."""
        if card == table.bullet:
            return 0.0
        if table.up[card]:
            number = table.faces[card]
            return self.worth[number] - self.bonus[number]
        if table.seen[card] >> me & 1:
            return self.worth[table.faces[card]]
        return KEPT if table.seen[card] >> seat & 1 else MEAN

    def flip(self, table: Table, me: int, card: int, mine: bool) -> float:
        """What it gains to turn a card over."""
        if table.up[card]:
            gain = -self.bonus[table.faces[card]]
        elif table.seen[card] >> me & 1:
            gain = self.bonus[table.faces[card]]
        else:
            return 0.6 if mine else -0.2
        return gain if mine else -gain

    def worst(self, table: Table, me: int) -> float:
        """The most that one of one's cards costs."""
        return max([self.held(table, me, card) for card in table.villages[me] if card != table.bullet], default=0.0)

    def best_of_others(self, table: Table, me: int) -> float:
        """The least that a card of somebody else's costs, which may be moved."""
        least = 99.0
        for seat in range(table.players):
            if seat != me and not table.guarded(seat, me):
                for card in table.villages[seat]:
                    if card != table.bullet:
                        least = min(least, self.other(table, me, seat, card))
        return least

    def gain_of(self, table: Table, me: int, number: int) -> float:
        """What the draw ability of a number gains now."""
        label = self.labels[number]
        if label in SWITCHES:
            least = self.best_of_others(table, me)
            return 1.5 * (self.worst(table, me) - least) - 1.0 if least < 99 else 0.0
        if label == "D5":
            costs = sorted([self.held(table, me, card) for card in table.villages[me] if card != table.bullet])
            return costs[-1] + costs[-2] - 5.0 if len(costs) > 1 else 0.0
        if label in ("B6", "C5", "C6", "D6"):
            return self.best_flip(table, me, False) - (5.0 if label == "C5" else 0.0)
        if label in ("B9", "C8"):
            return self.best_faceup(table, me, label == "C8")
        return self.usual[number]

    def best_faceup(self, table: Table, me: int, away: bool) -> float:
        """The most that it gains to have a faceup card away, or to use it."""
        best = 0.0
        for seat in range(table.players):
            for card in table.villages[seat]:
                if table.up[card] and card != table.bullet:
                    number = table.faces[card]
                    cost = self.worth[number] - self.bonus[number]
                    best = max(best, (cost if seat == me else -cost) if away else self.usual[number])
        return best

    # The windows of a turn.

    def open(self, table: Table, me: int, options: list[int]) -> int:
        """Call, use something, take or draw."""
        if CALL in options and self.calls(table, me):
            return CALL
        tool = self.tool(table, me, options)
        if tool >= 0:
            return tool
        return self.source(table, me, options)

    def source(self, table: Table, me: int, options: list[int]) -> int:
        """Where to get a card: from the deck, from one's own or from the discard pile."""
        worst = self.exchanging(table, me, 0.0)[0]
        best, found = self.drawing[min(max(int(worst + 0.5), 0), HIGHEST - 1)], options[0]
        for move in options:
            if move == DRAW_PRIVATE:
                number = table.faces[table.private[me][-1]]
                gain = max(worst - self.worth[number], self.gain_of(table, me, number))
            elif move == TAKE:
                gain = worst - self.other(table, me, me, table.pile[-1])
            else:
                continue
            if gain > best:
                best, found = gain, move
        return found

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
        total = doubt = 0.0
        faces = table.faces
        highest = 0.0
        half = hunter = wolf = False
        for card in table.villages[seat]:
            if card == table.bullet:
                continue
            if not table.up[card] and not table.seen[card] >> me & 1:
                kept = seat != me and table.seen[card] >> seat & 1
                value = KEPT if kept else MEAN
                doubt += 9.0 if kept else 13.0
            else:
                value = self.worth[faces[card]]
                if table.up[card] and self.bonus[faces[card]] > 3.0:
                    label = self.labels[faces[card]]
                    half = half or label == "D2"
                    hunter = hunter or label in ("B0", "C0")
                    wolf = wolf or label == "C13"
                    if label == "D0":
                        value = -5.0 * (table.players - 1)
            total += value
            highest = max(highest, value)
        if hunter:
            total -= highest
        if half:
            total = (total - 2) / 2
        if wolf and total - 13 < 12:
            total = 0.0
        return total, doubt

    def tool(self, table: Table, me: int, options: list[int]) -> int:
        """A village ability or the token, if one is to be used now; else -1."""
        for place in range(len(options) - 1, -1, -1):
            move = options[place]
            if move == TOKEN:
                if self.spends(table, me):
                    return move
            elif ABILITY <= move < ROTATE:
                if self.works(table, me, move):
                    return move
            elif move != END:
                break
        return -1

    def works(self, table: Table, me: int, move: int) -> bool:
        """Whether a village ability is worth its use."""
        label = self.labels[table.faces[table.at(move)]]
        if label in ALWAYS:
            return True
        if label == "D1":
            return self.unknown(table, me)
        if label == "C4":
            worst = self.exchanging(table, me, 0.0)[0]
            gain = self.gain_of(table, me, table.faces[table.pile[-1]])
            return gain > self.drawing[min(max(int(worst + 0.5), 0), HIGHEST - 1)]
        return self.best_flip(table, me, label == "B2") > 0.5

    def unknown(self, table: Table, me: int) -> bool:
        """Whether there is a card of somebody else's that a seat does not know."""
        for seat in range(table.players):
            for card in table.villages[seat]:
                if seat != me and not table.up[card] and not table.seen[card] >> me & 1:
                    return True
        return False

    def best_flip(self, table: Table, me: int, own: bool) -> float:
        """The most that turning a card over gains."""
        best = 0.0
        for seat in range(table.players):
            if seat == me or not own:
                for card in table.villages[seat]:
                    if card != table.bullet:
                        best = max(best, self.flip(table, me, card, seat == me))
        return best

    def spends(self, table: Table, me: int) -> bool:
        """Whether the token is worth its use now."""
        last = table.caller != NO_SEAT
        if self.token == "B14":
            return self.worst(table, me) > (0.5 if last else 8.5)
        if self.token == "C14":
            return self.best_flip(table, me, False) > (0.5 if last else 4.0)
        return table.players == 2 and not last

    # A card in hand.

    def exchanging(self, table: Table, me: int, comes: float) -> tuple[float, int]:
        """What the best exchange for a card gains that will cost so much, and the place to name first."""
        best, at = -99.0, 0
        counts = [0.0] * NUMBERS
        zombie = self.zombie
        for place, card in enumerate(table.villages[me]):
            if card == table.bullet:
                continue
            cost = self.held(table, me, card)
            if table.up[card] or table.seen[card] >> me & 1:
                number = table.faces[card]
                if number == zombie:
                    continue
                cost += counts[number]  # with those that match it
                counts[number] = cost
            if cost - comes > best:
                best, at = cost - comes, place
        return best, at

    def settle(self, table: Table, me: int, options: list[int]) -> int:
        """Exchange the card in hand, use it or discard it."""
        tool = self.tool(table, me, options)
        if tool >= 0:
            return tool
        number = table.faces[table.hand]
        up = table.held == TAKEN or table.deck_up
        gain, place = self.exchanging(table, me, self.worth[number] - (self.bonus[number] if up else 0.0))
        move = EXCHANGE + (me << 6) + place
        if options[0] == DISCARD:
            idle = 0.0 if number >= OFFERED else number - 4.0
            if len(options) > 1 and options[1] == USE:
                used = self.gain_of(table, me, number)
                if used > gain and used > idle:
                    return USE
            if idle > gain:
                return DISCARD
        return move if move in options else options[-1]

    def go_on(self, table: Table, me: int, options: list[int]) -> int:
        """Name what matches the card that is named for an exchange."""
        village = table.villages[me]
        number = -1
        for place, card in enumerate(village):
            if table.named >> place & 1 and (table.up[card] or table.seen[card] >> me & 1):
                number = table.faces[card]
        if number > 0 and number != self.zombie and self.labels[number] != "B13":
            for move in options:
                if AND <= move < EXCHANGE:
                    card = table.at(move)
                    if table.faces[card] == number and (table.up[card] or table.seen[card] >> me & 1):
                        return move
        return DONE

    # Inside an ability.

    def part(self, table: Table, options: list[int]) -> int:
        """Part with the highest card at the end of a round; give it to whoever has the fewest points."""
        best, found = 0.0, PASS
        for move in options:
            if move == PASS:
                continue
            gain = self.worth[table.faces[table.at(move)]]
            if move >= GIVE:
                gain -= 0.001 * table.totals[(move - GIVE) >> 8]
            if gain > best:
                best, found = gain, move
        return found

    def curate(self, table: Table, me: int, options: list[int]) -> int:
        """Discard the worst sideways card, else turn the worst one sideways."""
        best, found = -99.0, options[0]
        for move in options:
            card = table.at(move)
            gain = self.held(table, me, card)
            if move >= DISCARD_CARD:
                gain = gain * 3 - 3
            elif table.side[card] or table.faces[card] == self.zombie:
                gain = -gain
            if gain > best:
                best, found = gain, move
        return found

    def village(self, table: Table, me: int, options: list[int]) -> int:
        """Look at one's own, shuffle, turn or harm somebody else's."""
        best, found = -99.0, options[0]
        for move in options:
            seat = move - VILLAGE
            cards = table.villages[seat]
            if self.label == "C7":
                gain = 1.0 * len([card for card in cards if not table.seen[card] >> me & 1])
                gain *= 2.0 if seat == me else 1.0
            elif self.label == "B8":
                gain = 1.0 * len([card for card in cards if table.seen[card] >> seat & 1 and not table.up[card]])
                gain *= -1.0 if seat == me else 1.0
            elif self.label == "D6":
                gain = sum([self.flip(table, me, card, seat == me) for card in cards])
            else:
                gain = -50.0 if seat == me else -1.0 * table.totals[seat]
            if gain > best:
                best, found = gain, move
        return found

    def dig(self, table: Table, me: int, options: list[int]) -> int:
        """Take or use a card of the discard pile, or use one that was exchanged."""
        best, found = 0.0, options[-1]
        for move in options:
            if move == STOP:
                continue
            card = table.pile[max(len(table.pile) - 1 - (move & 15), 0)] if self.label == "C10" else NO_CARD
            if move < USE_NTH:
                gain = self.exchanging(table, me, self.other(table, me, me, card))[0]
            else:
                gain = self.gain_of(table, me, table.faces[card] if card != NO_CARD else move - USE_NTH)
            if gain > best:
                best, found = gain, move
        return found

    def card(self, table: Table, me: int, options: list[int]) -> int:
        """Some card, as the ability wants it."""
        best, found = -99.0, options[0]
        for move in options:
            if move == STOP:
                gain = 0.0
            elif move == USE:
                gain = self.gain_of(table, me, table.faces[table.at(self.first)]) if self.first >= 0 else 0.0
            elif move < CARD or move >= CARD + 256:
                continue
            else:
                gain = self.gain(table, me, move)
            if gain > best:
                best, found = gain, move
        return found

    def gain(self, table: Table, me: int, move: int) -> float:
        """What it gains to pick a card, by the ability that asks."""
        seat, card, label = move >> 6 & 3, table.at(move), self.label
        mine = seat == me
        if label in FLIPS:
            return self.flip(table, me, card, mine)
        cost = self.held(table, me, card) if mine else self.other(table, me, seat, card)
        if label in LOOKS:
            if table.seen[card] >> me & 1:
                return self.flip(table, me, card, mine) if label == "D7" and table.faces[card] <= 4 else 0.0
            return 2.0 if mine else 1.0
        if label == "D8" and self.first >= 0:
            return cost - self.other(table, me, self.first >> 6 & 3, table.at(self.first))
        if label == "B9":
            return self.gain_of(table, me, table.faces[card])
        if label == "C11" and len(table.pile) > 1:
            cost -= self.worth[table.faces[table.pile[-2]]]
        return cost if mine else -cost
