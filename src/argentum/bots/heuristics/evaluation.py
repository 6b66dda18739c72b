"""How a position stands for a seat, in points, and what it would gain by a change."""

from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from math import erf, exp, fsum, sqrt
from typing import Final

from argentum.bots.heuristics.ability_model import ABILITY_MODELS, NO_MODEL, AbilityModel, Spot, Village
from argentum.bots.heuristics.beliefs import Beliefs, mean, variance
from argentum.rules.exchange_preview import avoids_discard_pile, cast_of_view_fields, is_active_card, is_known_with
from argentum.rules.notation import SEAT_LETTERS, parse_spot
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, TIMING_SCORING, Resident, copies_of
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME
from argentum.rules.views import Card, View

UNKNOWN_CARD_COST: Final = 0.9  # what it costs an owner not to know a card of its own
KNOWLEDGE_GAIN: Final = 0.3  # what it is worth to know a card of somebody else's
PAIR_FACTOR: Final = 0.8  # how much of a pair's worth is counted before it is exchanged
EXTRA_CARD_COST: Final = 1.5  # what it costs to have too many cards for a call
TYPICAL_TURNS: Final = 9.0  # turns that a seat has in a usual round
TURN_VALUE: Final = 2.0  # points that a turn is worth
CALLER_POINT_WEIGHT: Final = 0.01  # what a point of a caller counts, however sure its call is
RIVAL_SCALE: Final = 25.0  # points behind, by which an opponent counts for less
LEAD_DECAY: Final = 0.55  # what will be left of a lead if the round goes on
MODEL_CACHE_SIZE: Final = 256  # whose plans are kept at hand


@lru_cache(MODEL_CACHE_SIZE)
def models_for(residents: tuple[Resident, ...]) -> tuple[AbilityModel, ...]:
    """The residents' plans, by number."""
    return tuple([ABILITY_MODELS.get(resident.label, NO_MODEL) for resident in residents])


class Evaluation:
    """What one seat thinks of a view: everything in points, and a gain is its own."""

    def __init__(self, view: View, ending: bool = False) -> None:
        self.view = view
        self.me = view.seat
        self.others = [seat for seat in view.villages if seat != view.seat]
        self.beliefs = Beliefs(view)
        self.cast = cast_of_view_fields(view.residents, view.boxes, view.token)
        self.models = models_for(view.residents)
        self.sum_adjustments = [plan.adjust_sum for plan in self.models]
        acting = view.asking.number if view.asking is not None else None
        if acting is not None and view.residents[acting].timing == TIMING_SCORING:  # it will have acted (C0, B0)
            self.sum_adjustments[acting] = None
        self.turns_left = 0.0 if ending else turns_left(view)  # turns of this seat that may follow this one
        self.time_factor = min(self.turns_left / 3, 1.0)  # how much there is still to come of what takes time
        self.weights = rival_weights(view)
        # Who else knows a card that its owner does not know makes no difference; that its owner knows it, does.
        self.villages: Mapping[str, Village] = {
            seat: [
                unknown_card(card) if card.number is None and seat not in card.known_by else card for card in village
            ]
            for seat, village in view.villages.items()
        }
        self.offer_costs: dict[int, float] = {}  # what it costs to leave a number to the next seat
        self._means: dict[Card, float] = {}
        self._flip_gains: dict[tuple[str, Card], float] = {}

    def mean(self, card: Card) -> float:
        """The number to expect of a card."""
        if card.number is not None:
            return card.number
        if card not in self._means:
            self._means[card] = mean(self.beliefs.probabilities(card))
        return self._means[card]

    def probabilities(self, card: Card) -> list[tuple[int, float]]:
        """The numbers that a card may be, with how likely each is."""
        return [(number, chance) for number, chance in enumerate(self.beliefs.probabilities(card)) if chance > 0]

    def card(self, spot: Spot) -> Card:
        """The card at a spot."""
        return self.villages[spot.seat][spot.place]

    def label(self, card: Card) -> str:
        """The label of the resident that a card is known to be, or none."""
        return "" if card.number is None else self.cast.labels[card.number]

    def is_resident(self, label: str, card: Card) -> bool:
        """Whether a card is known to be this resident."""
        return card.number is not None and self.cast.labels[card.number] == label

    # What is at work, and what may be touched.

    def is_muted(self, card: Card) -> bool:
        """Whether the token makes a card count nothing (B14)."""
        return card.covered and self.cast.token_mutes_card

    def is_known_with(self, card: Card, hook: int) -> bool:
        """Whether a card is known to be one of those that a hook of the cast names."""
        return is_known_with(card, hook)

    def is_active(self, card: Card, hook: int) -> bool:
        """Whether it also is faceup and at work."""
        return is_active_card(self.cast, card, hook)

    def has_active(self, seat: str, hook: int) -> bool:
        """Whether a seat has such a card faceup and at work."""
        return hook != 0 and any([self.is_active(card, hook) for card in self.villages[seat]])

    def is_closed(self, seat: str) -> bool:
        """Whether this seat may neither take a card from a village nor put one there (D3)."""
        return seat != self.me and self.has_active(seat, self.cast.closes)

    def may_touch(self, spot: Spot) -> bool:
        """Whether this seat may touch a card (G23)."""
        return not self.card(spot).covered and spot not in self.protected

    @cached_property
    def protected(self) -> set[Spot]:
        """The cards of others that protect themselves, or are guarded (A3)."""
        if not self.cast.protects:
            return set()
        found = {
            Spot(seat, place)
            for seat in self.others
            for place, card in enumerate(self.villages[seat])
            if self.is_active(card, self.cast.protects)
        }
        guarded = [parse_spot(spot) for _, spot in self.view.guards]
        return found | {
            Spot(SEAT_LETTERS[spot >> 6], spot & 63) for spot in guarded if SEAT_LETTERS[spot >> 6] != self.me
        }

    @cached_property
    def avoids_discard_pile(self) -> bool:
        """Whether what this seat discards does not come to the discard pile (B3)."""
        return avoids_discard_pile(self.cast, self.villages[self.me])

    @cached_property
    def threat(self) -> float:
        """How many cards that take cards from others the opponents may draw until the round is over."""
        takers = sum([copies_of(number) for number, plan in enumerate(self.models) if plan.may_take_cards])
        return self.turns_left * takers / CARDS_IN_DECK

    # What a village costs.

    @cached_property
    def at_round_end(self) -> "Evaluation":
        """The same if the round ended now."""
        return Evaluation(self.view, True)

    def cost(self, seat: str, village: Village) -> float:
        """The points that a village will cost its owner, with what it promises and what is yet to be found out."""
        total = 0.0
        blind = 0
        mutes = self.cast.token_mutes_card
        counts = [0] * RESIDENTS_PER_BOX
        special: list[tuple[int, Card]] = []
        for card in village:
            if card.covered and mutes:
                continue
            number = card.number
            known = card.up or seat in card.known_by
            if not known:
                blind += 1
            if number is None:
                total += self.mean(card)
                continue
            total += number
            if known and not card.covered:
                counts[number] += 1
            if self.sum_adjustments[number] is not None:
                special.append((number, card))
        if special:
            special.sort(key=_number_key)
            for number, card in special:
                rule = self.sum_adjustments[number]
                if rule is not None:
                    total = rule(self, seat, village, card, total)
        if self.time_factor:
            total += self.time_factor * (
                UNKNOWN_CARD_COST * blind + EXTRA_CARD_COST * max(len(village) - 4, 0) - self._sets(counts)
            )
        return total

    def _sets(self, counts: list[int]) -> float:
        """What the sets promise that an owner knows to have."""
        saved = highest = 0
        wild, has_wild = self.cast.wild, False
        for number, count in enumerate(counts):
            if count > 1 or (wild and count):
                if self.cast.clings >> number & 1 or self.models[number].final_value is not None:
                    continue  # some stay, and some count little
                saved += number * (count - 1)
                if wild >> number & 1:
                    has_wild = True
                else:
                    highest = number
        return PAIR_FACTOR * (saved + highest if has_wild else saved)  # a wild card takes the highest with it (A13)

    @cached_property
    def costs(self) -> dict[str, float]:
        """What each village costs as things are."""
        return {seat: self.cost(seat, village) for seat, village in self.villages.items()}

    # How that stands for this seat.

    def outlook(self, costs: Mapping[str, float]) -> float:
        """The points by which this seat is ahead of its rivals in this round."""
        caller = self.view.caller
        ahead = 0.0 if caller == self.me else -costs[self.me]
        for seat in self.others:
            if seat != caller:
                ahead += self.weights[seat] * costs[seat]
        if caller:
            score = (1 - self.call_win_probability(caller, costs)) * (costs[caller] + LOST_CALL_POINTS)
            ahead += -score - CALLER_POINT_WEIGHT * costs[caller] if caller == self.me else self.weights[caller] * score
        return ahead

    def call_win_probability(self, caller: str, costs: Mapping[str, float]) -> float:
        """How likely a caller's sum is the lowest (G16)."""
        chance = 1.0
        for seat in costs:
            if seat != caller:
                variance = sqrt(self.sum_variances[seat] + self.sum_variances[caller] + 0.2)
                chance *= normal_cdf((costs[seat] - costs[caller] + 0.5) / variance)
        return chance

    @cached_property
    def sum_variances(self) -> dict[str, float]:
        """For each village, the variance of its sum as this seat sees it."""
        return {
            seat: fsum([variance(self.beliefs.probabilities(card)) for card in village if not self.is_muted(card)])
            for seat, village in self.villages.items()
        }

    @cached_property
    def current_outlook(self) -> float:
        """The outlook as things are."""
        return self.outlook(self.costs)

    def gain(self, changed: Mapping[str, Village]) -> float:
        """What this seat gains if these villages become so."""
        if self.cast.ends and self.would_end_round(changed):
            end = self.at_round_end
            costs = {**end.costs, **{seat: end.cost(seat, cards) for seat, cards in changed.items()}}
            return end.outlook(costs) - (1.0 if self.view.caller else LEAD_DECAY) * self.current_outlook
        costs = {**self.costs, **{seat: self.cost(seat, cards) for seat, cards in changed.items()}}
        return self.outlook(costs) - self.current_outlook

    def would_end_round(self, changed: Mapping[str, Village]) -> bool:
        """Whether the round ends at once if these villages become so (A0)."""
        there = [card for cards in {**self.villages, **changed}.values() for card in cards]
        return len([card for card in there if self.is_active(card, self.cast.ends)]) >= self.cast.ending_card_count

    # Changes.

    def with_card_at(self, spot: Spot, card: Card) -> list[Card]:
        """The village of a spot with another card there."""
        village = list(self.villages[spot.seat])
        village[spot.place] = card
        return village

    def without_card_at(self, spot: Spot) -> list[Card]:
        """The village of a spot without the card there."""
        village = list(self.villages[spot.seat])
        del village[spot.place]
        return village

    def flip_gain(self, spot: Spot) -> float:
        """The gain of turning a card over; everybody will know it."""
        card = self.card(spot)
        if card.up:
            return self.gain({spot.seat: self.with_card_at(spot, card._replace(up=False))})
        if card.number is not None:
            return self.gain({spot.seat: self.with_card_at(spot, faceup_card(card.number))})
        key = (spot.seat, card)
        if key not in self._flip_gains:
            self._flip_gains[key] = fsum(
                [
                    chance * self.gain({spot.seat: self.with_card_at(spot, faceup_card(number))})
                    for number, chance in self.probabilities(card)
                ]
            )
        return self._flip_gains[key]

    def look_gain(self, spot: Spot) -> float:
        """The gain of looking at a card."""
        card = self.card(spot)
        if card.number is not None:
            return 0.0
        return (UNKNOWN_CARD_COST if spot.seat == self.me else KNOWLEDGE_GAIN) * self.time_factor

    def switch_gain(self, one: Spot, other: Spot) -> float:
        """The gain of switching two cards of different villages."""
        return self.gain(
            {one.seat: self.with_card_at(one, self.card(other)), other.seat: self.with_card_at(other, self.card(one))}
        )

    @cached_property
    def next_seat(self) -> str:
        """Who plays after this seat."""
        seats = list(self.villages)
        step = 1 if self.view.direction == "clockwise" else -1
        return seats[(seats.index(self.me) + step) % len(seats)]


def faceup_card(number: int) -> Card:
    """A card that everybody sees."""
    return Card(number, True, known_by="ABCD")


@cache
def unknown_card(card: Card) -> Card:
    """The same card, as if nobody had looked at it."""
    return card._replace(known_by="")


def _number_key(special: tuple[int, Card]) -> int:
    """Scoring goes by number (G15)."""
    return special[0]


def normal_cdf(z: float) -> float:
    """The chance that a normal variable lies below so many deviations."""
    return 0.5 * (1 + erf(z / 1.4142135623730951))


def turns_left(view: View) -> float:
    """How many turns this seat may still have after this one."""
    if view.caller:
        return 0.0
    seats = len(view.villages)
    private = len(view.private[view.seat])
    return max(
        min((len(view.deck) + len(view.shown)) / seats + private, TYPICAL_TURNS - view.turns / seats),
        1.0 if view.deck or view.shown or private else 0.0,
    )


def rival_weights(view: View) -> dict[str, float]:
    """How much each opponent's points count: those who lead in the game count for more."""
    totals = {seat: view.totals[seat] for seat in view.villages if seat != view.seat}
    best = min(totals.values())
    late = view.round / ROUNDS_PER_GAME
    shares = {seat: exp(-late * (total - best) / RIVAL_SCALE) for seat, total in totals.items()}
    whole = fsum(shares.values())
    return {seat: share / whole for seat, share in shares.items()}


def normal_density(distance: float, variance: float) -> float:
    """The chance that a sum comes out so far from what is expected, given its variance."""
    if variance < 0.1:
        return 1.0 if abs(distance) < 0.1 else 0.0
    return exp(-distance * distance / (2 * variance)) / sqrt(6.283185307179586 * variance)
