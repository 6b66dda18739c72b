"""Evaluate a view for its seat, in points."""

from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from math import erf, exp, fsum, sqrt
from typing import Final

from argentum.bots.heuristics.ability_model import ABILITY_MODELS, NO_MODEL, AbilityModel, Spot, Village
from argentum.bots.heuristics.beliefs import Beliefs, mean, variance
from argentum.rules.exchange_preview import avoids_discard_pile, cast_of_view_fields, is_active_card, is_known_with
from argentum.rules.notation import SEAT_LETTERS, parse_spot, place_of, seat_of
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, TIMING_SCORING, Resident, copies_of
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME
from argentum.rules.views import Card, View

UNKNOWN_CARD_COST: Final = 0.9  # cost of an own card that its owner does not know
KNOWLEDGE_GAIN: Final = 0.3  # gain of knowing a card of another seat
PAIR_FACTOR: Final = 0.8  # fraction of the value of a pair that is not exchanged yet
EXTRA_CARD_COST: Final = 1.5  # cost of each card above the limit for a call
TYPICAL_TURNS: Final = 9.0  # turns of a seat in a typical round
TURN_VALUE: Final = 2.0  # points
CALLER_POINT_WEIGHT: Final = 0.01  # minimal weight of the caller's points
RIVAL_SCALE: Final = 25.0  # points behind the leader; scales the weights of opponents
LEAD_DECAY: Final = 0.55  # fraction of a lead that remains if the round goes on
MODEL_CACHE_SIZE: Final = 256  # casts


@lru_cache(MODEL_CACHE_SIZE)
def models_for(residents: tuple[Resident, ...]) -> tuple[AbilityModel, ...]:
    """Return the ability models of a cast by number."""
    return tuple([ABILITY_MODELS.get(resident.label, NO_MODEL) for resident in residents])


class Evaluation:
    """The evaluation of one view. Gains are those of its seat, in points."""

    def __init__(self, view: View, ending: bool = False) -> None:
        self.view = view
        self.me = view.seat
        self.others = [seat for seat in view.villages if seat != view.seat]
        self.beliefs = Beliefs(view)
        self.cast = cast_of_view_fields(view.residents, view.boxes, view.token)
        self.models = models_for(view.residents)
        self.sum_adjustments = [model.adjust_sum for model in self.models]
        acting = view.asking.number if view.asking is not None else None
        if (
            acting is not None and view.residents[acting].timing == TIMING_SCORING
        ):  # Its ability has been used by then (C0, B0).
            self.sum_adjustments[acting] = None
        self.turns_left = 0.0 if ending else turns_left(view)  # expected turns of this seat after this one
        self.time_factor = min(self.turns_left / 3, 1.0)  # weight of gains that need further turns
        self.weights = rival_weights(view)
        # Only the knowledge of the owner matters for the value of a card.
        self.villages: Mapping[str, Village] = {
            seat: [
                unknown_card(card) if card.number is None and seat not in card.known_by else card for card in village
            ]
            for seat, village in view.villages.items()
        }
        self.offer_costs: dict[int, float] = {}  # by number: cost of leaving it to the next seat
        self._means: dict[Card, float] = {}
        self._flip_gains: dict[tuple[str, Card], float] = {}

    def expected_number(self, card: Card) -> float:
        if card.number is not None:
            return card.number
        if card not in self._means:
            self._means[card] = mean(self.beliefs.probabilities(card))
        return self._means[card]

    def probabilities(self, card: Card) -> list[tuple[int, float]]:
        """Return the numbers that a card may have, with their probabilities."""
        return [(number, chance) for number, chance in enumerate(self.beliefs.probabilities(card)) if chance > 0]

    def card_at(self, spot: Spot) -> Card:
        """The card at a spot."""
        return self.villages[spot.seat][spot.place]

    def known_label(self, card: Card) -> str:
        """Return the label of the resident of a known card, else an empty text."""
        return "" if card.number is None else self.cast.labels[card.number]

    def is_resident(self, label: str, card: Card) -> bool:
        """Return whether a card is known to be this resident."""
        return card.number is not None and self.cast.labels[card.number] == label

    # Active abilities, and protection.

    def is_muted(self, card: Card) -> bool:
        """Return whether the token makes a card count 0 (B14)."""
        return card.covered and self.cast.token_mutes_card

    def is_known_with(self, card: Card, hook: int) -> bool:
        """Return whether the number of a card is known and has a hook of the cast."""
        return is_known_with(card, hook)

    def is_active(self, card: Card, hook: int) -> bool:
        """Return whether such a card is faceup and has its ability."""
        return is_active_card(self.cast, card, hook)

    def has_active(self, seat: str, hook: int) -> bool:
        """Return whether a village has such a card faceup with its ability."""
        return hook != 0 and any([self.is_active(card, hook) for card in self.villages[seat]])

    def is_closed(self, seat: str) -> bool:
        """Return whether this seat may move no card into or out of a village (D3)."""
        return seat != self.me and self.has_active(seat, self.cast.closes)

    def may_touch(self, spot: Spot) -> bool:
        """Return whether this seat may touch a card (G23)."""
        return not self.card_at(spot).covered and spot not in self.protected

    @cached_property
    def protected(self) -> set[Spot]:
        """Return the cards of others that are protected or guarded (A3)."""
        if not self.cast.protects:
            return set()
        cards = {
            Spot(seat, place)
            for seat in self.others
            for place, card in enumerate(self.villages[seat])
            if self.is_active(card, self.cast.protects)
        }
        guarded = [parse_spot(spot) for _, spot in self.view.guards]
        return cards | {
            Spot(SEAT_LETTERS[seat_of(spot)], place_of(spot))
            for spot in guarded
            if SEAT_LETTERS[seat_of(spot)] != self.me
        }

    @cached_property
    def avoids_discard_pile(self) -> bool:
        """Return whether discards of this seat do not go to the discard pile (B3)."""
        return avoids_discard_pile(self.cast, self.villages[self.me])

    @cached_property
    def threat(self) -> float:
        """Return how many cards that take cards from others the opponents will probably draw in this round."""
        takers = sum([copies_of(number) for number, model in enumerate(self.models) if model.may_take_cards])
        return self.turns_left * takers / CARDS_IN_DECK

    # Costs of villages.

    @cached_property
    def at_round_end(self) -> "Evaluation":
        """Return the evaluation as if the round ended now."""
        return Evaluation(self.view, True)

    def village_cost(self, seat: str, village: Village) -> float:
        """Return the expected points of a village, with effects of its faceup cards and future knowledge."""
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
                total += self.expected_number(card)
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
                UNKNOWN_CARD_COST * blind + EXTRA_CARD_COST * max(len(village) - 4, 0) - self.known_sets_value(counts)
            )
        return total

    def known_sets_value(self, counts: list[int]) -> float:
        """Return the value of the sets that the owner knows."""
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
        return PAIR_FACTOR * (saved + highest if has_wild else saved)  # A wild card matches the highest card (A13).

    @cached_property
    def costs(self) -> dict[str, float]:
        return {seat: self.village_cost(seat, village) for seat, village in self.villages.items()}

    # Outlook of this seat.

    def expected_lead(self, costs: Mapping[str, float]) -> float:
        """Return the expected lead over the rivals in this round."""
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
        """Return the probability that the caller's sum is the lowest (G16)."""
        chance = 1.0
        for seat in costs:
            if seat != caller:
                variance = sqrt(self.sum_variances[seat] + self.sum_variances[caller] + 0.2)
                chance *= normal_cdf((costs[seat] - costs[caller] + 0.5) / variance)
        return chance

    @cached_property
    def sum_variances(self) -> dict[str, float]:
        """Return the variance of the sum of each village, as this seat sees it."""
        return {
            seat: fsum([variance(self.beliefs.probabilities(card)) for card in village if not self.is_muted(card)])
            for seat, village in self.villages.items()
        }

    @cached_property
    def current_lead(self) -> float:
        return self.expected_lead(self.costs)

    def gain_of_change(self, changed: Mapping[str, Village]) -> float:
        """Return the gain of this seat if villages change to these."""
        if self.cast.ends and self.would_end_round(changed):
            end = self.at_round_end
            costs = {**end.costs, **{seat: end.village_cost(seat, cards) for seat, cards in changed.items()}}
            return end.expected_lead(costs) - (1.0 if self.view.caller else LEAD_DECAY) * self.current_lead
        costs = {**self.costs, **{seat: self.village_cost(seat, cards) for seat, cards in changed.items()}}
        return self.expected_lead(costs) - self.current_lead

    def would_end_round(self, changed: Mapping[str, Village]) -> bool:
        """Return whether the round ends at once if villages change to these (A0)."""
        all_cards = [card for cards in {**self.villages, **changed}.values() for card in cards]
        return len([card for card in all_cards if self.is_active(card, self.cast.ends)]) >= self.cast.ending_card_count

    # Changes.

    def with_card_at(self, spot: Spot, card: Card) -> list[Card]:
        """Return a copy of the village at `spot` with `card` in that place."""
        village = list(self.villages[spot.seat])
        village[spot.place] = card
        return village

    def without_card_at(self, spot: Spot) -> list[Card]:
        """Return the village of a spot without its card."""
        village = list(self.villages[spot.seat])
        del village[spot.place]
        return village

    def flip_gain(self, spot: Spot) -> float:
        """Return the gain of turning a card over, which shows it to all seats."""
        card = self.card_at(spot)
        if card.up:
            return self.gain_of_change({spot.seat: self.with_card_at(spot, card._replace(up=False))})
        if card.number is not None:
            return self.gain_of_change({spot.seat: self.with_card_at(spot, faceup_card(card.number))})
        key = (spot.seat, card)
        if key not in self._flip_gains:
            self._flip_gains[key] = fsum(
                [
                    chance * self.gain_of_change({spot.seat: self.with_card_at(spot, faceup_card(number))})
                    for number, chance in self.probabilities(card)
                ]
            )
        return self._flip_gains[key]

    def look_gain(self, spot: Spot) -> float:
        card = self.card_at(spot)
        if card.number is not None:
            return 0.0
        return (UNKNOWN_CARD_COST if spot.seat == self.me else KNOWLEDGE_GAIN) * self.time_factor

    def switch_gain(self, first: Spot, second: Spot) -> float:
        return self.gain_of_change(
            {
                first.seat: self.with_card_at(first, self.card_at(second)),
                second.seat: self.with_card_at(second, self.card_at(first)),
            }
        )

    @cached_property
    def next_seat(self) -> str:
        """Return the seat that plays next."""
        seats = list(self.villages)
        step = 1 if self.view.direction == "clockwise" else -1
        return seats[(seats.index(self.me) + step) % len(seats)]


def faceup_card(number: int) -> Card:
    """Return a faceup card of a number."""
    return Card(number, True, known_by="ABCD")


@cache
def unknown_card(card: Card) -> Card:
    """Return the card as if nobody had seen its face."""
    return card._replace(known_by="")


def _number_key(special: tuple[int, Card]) -> int:
    """Sort by number, the order of scoring (G15)."""
    return special[0]


def normal_cdf(z: float) -> float:
    """Return the cumulative distribution function of the standard normal distribution."""
    return 0.5 * (1 + erf(z / 1.4142135623730951))


def turns_left(view: View) -> float:
    """Return the expected number of turns of this seat after this one."""
    if view.caller:
        return 0.0
    seats = len(view.villages)
    private = len(view.private[view.seat])
    return max(
        min((len(view.deck) + len(view.shown)) / seats + private, TYPICAL_TURNS - view.turns / seats),
        1.0 if view.deck or view.shown or private else 0.0,
    )


def rival_weights(view: View) -> dict[str, float]:
    """Return the weight of the points of each opponent; the leaders of the game weigh more."""
    totals = {seat: view.totals[seat] for seat in view.villages if seat != view.seat}
    best = min(totals.values())
    late = view.round / ROUNDS_PER_GAME
    shares = {seat: exp(-late * (total - best) / RIVAL_SCALE) for seat, total in totals.items()}
    total = fsum(shares.values())
    return {seat: share / total for seat, share in shares.items()}


def normal_density(distance: float, variance: float) -> float:
    """Return the probability density of a deviation, given the variance."""
    if variance < 0.1:
        return 1.0 if abs(distance) < 0.1 else 0.0
    return exp(-distance * distance / (2 * variance)) / sqrt(6.283185307179586 * variance)
