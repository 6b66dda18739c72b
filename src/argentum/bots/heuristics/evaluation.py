"""Evaluate a position for the seat that views it, in points."""

from collections.abc import Mapping
from functools import cache, cached_property, lru_cache
from math import exp, fsum, sqrt
from typing import Final

from argentum.bots.heuristics.ability_model import ABILITY_MODELS, NO_MODEL, AbilityModel, Spot, Village
from argentum.bots.heuristics.beliefs import Beliefs, mean, variance
from argentum.bots.heuristics.owner_knowledge import UNKNOWN_CARD_COST
from argentum.rules.exchange_result import discard_destination, is_off_pile
from argentum.rules.known_table import known_table
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX, TIMING_SCORING, Resident, copies_of, has_number
from argentum.rules.scoring import LOST_CALL_POINTS, ROUNDS_PER_GAME
from argentum.rules.standings import normal_cdf
from argentum.rules.table import Table
from argentum.rules.views import Card, View

KNOWLEDGE_GAIN: Final = 0.3  # gain of knowing a card of another seat
PAIR_FACTOR: Final = 0.8  # fraction of its gain that a pair is worth before it is exchanged
EXTRA_CARD_COST: Final = 1.5  # cost of each card of a village beyond the fourth
TYPICAL_TURNS: Final = 9.0  # turns of a seat in a typical round
TURN_VALUE: Final = 2.0  # points that a turn gains on average
CALLER_POINT_WEIGHT: Final = 0.01  # so that a caller that will win still prefers a lower sum
RIVAL_SCALE: Final = 25.0  # points behind the leading opponent by which the weight falls to 1/e in the last round
LEAD_DECAY: Final = 0.55  # fraction of a lead in this round that remains until its end
MODEL_CACHE_SIZE: Final = 256  # number of casts


@lru_cache(MODEL_CACHE_SIZE)
def models_for(residents: tuple[Resident, ...]) -> tuple[AbilityModel, ...]:
    """Return the ability model of each resident."""
    return tuple([ABILITY_MODELS.get(resident.label, NO_MODEL) for resident in residents])


class Evaluation:
    """The evaluation of one view. All gains are expected points for the viewing seat.

    With `ending`, evaluate the position as if the round ended now.
    """

    def __init__(self, view: View, ending: bool = False) -> None:
        self.view = view
        self.me = view.seat
        self.seat = SEAT_LETTERS.index(view.seat)  # in `table`
        self.others = [seat for seat in view.villages if seat != view.seat]
        self.beliefs = Beliefs(view)
        self.cast = view.cast
        self.models = models_for(view.residents)
        self.sum_adjustments = [model.adjust_sum for model in self.models]
        asking_number = view.asking.number if view.asking is not None else None
        if asking_number is not None and view.residents[asking_number].timing == TIMING_SCORING:
            # The question is already the effect of this resident's ability (C0, B0).
            self.sum_adjustments[asking_number] = None
        self.turns_left = 0.0 if ending else turns_left(view)  # expected turns of this seat after this one
        self.time_factor = min(self.turns_left / 3, 1.0)  # weight of gains that need further turns
        self.weights = rival_weights(view)
        # Only the knowledge of the owner matters for the value of a card.
        self.villages: Mapping[str, Village] = {
            seat: [unseen_copy(card) if card.number is None and seat not in card.known_by else card for card in village]
            for seat, village in view.villages.items()
        }
        self.discard_costs: dict[int, float] = {}  # by number: see `discard_cost`
        self._means: dict[Card, float] = {}
        self._flip_gains: dict[tuple[str, Card], float] = {}

    def expected_number(self, card: Card) -> float:
        if card.number is not None:
            return card.number
        if card not in self._means:
            self._means[card] = mean(self.beliefs.probabilities(card))
        return self._means[card]

    def probabilities(self, card: Card) -> list[tuple[int, float]]:
        """Return the possible numbers of a card with their probabilities."""
        return [
            (number, probability)
            for number, probability in enumerate(self.beliefs.probabilities(card))
            if probability > 0
        ]

    def card_at(self, spot: Spot) -> Card:
        return self.villages[spot.seat][spot.place]

    def known_label(self, card: Card) -> str:
        """Return the label of a known card, such as `B5`; empty if the card is unknown."""
        return "" if card.number is None else self.cast.labels[card.number]

    def is_resident(self, label: str, card: Card) -> bool:
        """Return whether a card is known to be this resident."""
        return card.number is not None and self.cast.labels[card.number] == label

    # Conditions of the rules. A `hook` is a bit mask of the numbers that have a certain ability in the cast.

    @cached_property
    def table(self) -> Table:
        """The villages as a table with the faces that the viewing seat knows."""
        return known_table(self.view)

    @cached_property
    def discard_destination(self) -> int:
        """The destination of the viewing seat's discards, as returned by `exchange_result.discard_destination`."""
        return discard_destination(self.table, self.seat)

    @cached_property
    def avoids_discard_pile(self) -> bool:
        """Whether the discards of the viewing seat do not go onto the discard pile (B3)."""
        return is_off_pile(self.table, self.discard_destination)

    def is_closed(self, seat: str) -> bool:
        """Return whether the viewing seat may not move cards into or out of another village (D3)."""
        return self.table.is_closed(SEAT_LETTERS.index(seat), self.seat)

    def is_muted(self, card: Card) -> bool:
        """Return whether a card counts 0 because the token covers it (B14)."""
        return card.covered and self.cast.token_mutes_card

    def has_hook(self, card: Card, hook: int) -> bool:
        """Return whether a card is known and of a number in this hook."""
        return card.number is not None and has_number(hook, card.number)

    def is_active(self, card: Card, hook: int) -> bool:
        """Return whether a card, which may lie in a hypothetical village, is faceup, not muted, and has this hook."""
        return card.up and self.has_hook(card, hook) and not self.is_muted(card)

    @cached_property
    def expected_thefts(self) -> float:
        """Expected number of cards that take cards from other villages, among those one opponent will still draw."""
        takers = sum([copies_of(number) for number, model in enumerate(self.models) if model.may_take_cards])
        return self.turns_left * takers / CARDS_IN_DECK

    # Costs of villages.

    @cached_property
    def at_round_end(self) -> "Evaluation":
        """The evaluation of the same view as if the round ended now."""
        return Evaluation(self.view, True)

    def village_cost(self, seat: str, village: Village) -> float:
        """Return the expected points of a village at the end of the round.

        They include the effects of its faceup cards and, while turns remain, its unknown cards, its size and its sets.
        """
        total = 0.0
        unknown_count = 0
        mutes = self.cast.token_mutes_card
        counts = [0] * RESIDENTS_PER_BOX
        special: list[tuple[int, Card]] = []
        for card in village:
            if card.covered and mutes:
                continue
            number = card.number
            is_known_to_owner = card.up or seat in card.known_by
            if not is_known_to_owner:
                unknown_count += 1
            if number is None:
                total += self.expected_number(card)
                continue
            total += number
            if is_known_to_owner and not card.covered:
                counts[number] += 1
            if self.sum_adjustments[number] is not None:
                special.append((number, card))
        if special:
            special.sort(key=_number_key)  # the order of scoring (G15)
            for number, card in special:
                adjust_sum = self.sum_adjustments[number]
                if adjust_sum is not None:
                    total = adjust_sum(self, seat, village, card, total)
        if self.time_factor:
            total += self.time_factor * (
                UNKNOWN_CARD_COST * unknown_count
                + EXTRA_CARD_COST * max(len(village) - 4, 0)
                - self.known_sets_value(counts)
            )
        return total

    def known_sets_value(self, counts: list[int]) -> float:
        """Return the points that an owner can save by exchanging sets, given the counts of known cards by number."""
        saved = highest = 0
        wild, has_wild = self.cast.wild, False
        for number, count in enumerate(counts):
            if count > 1 or (wild and count):
                if has_number(self.cast.clings, number) or self.models[number].final_value is not None:
                    continue  # Clinging cards stay in the village, and cards with a special value count little.
                saved += number * (count - 1)
                if has_number(wild, number):
                    has_wild = True
                else:
                    highest = number
        return PAIR_FACTOR * (saved + highest if has_wild else saved)  # A wild card matches the highest card (A13).

    @cached_property
    def costs(self) -> dict[str, float]:
        return {seat: self.village_cost(seat, village) for seat, village in self.villages.items()}

    # The lead over the other seats.

    def expected_lead(self, costs: Mapping[str, float]) -> float:
        """Return the expected lead in this round over the weighted mean of the opponents, given the village costs."""
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
        """Return the probability that the caller has the lowest sum (G16), given the village costs."""
        probability = 1.0
        for seat in costs:
            if seat != caller:
                deviation = sqrt(self.sum_variances[seat] + self.sum_variances[caller] + 0.2)
                probability *= normal_cdf((costs[seat] - costs[caller] + 0.5) / deviation)
        return probability

    @cached_property
    def sum_variances(self) -> dict[str, float]:
        """The variance of the sum of each village, given what the viewing seat knows."""
        return {
            seat: fsum([variance(self.beliefs.probabilities(card)) for card in village if not self.is_muted(card)])
            for seat, village in self.villages.items()
        }

    @cached_property
    def current_lead(self) -> float:
        return self.expected_lead(self.costs)

    def gain_of_change(self, changed: Mapping[str, Village]) -> float:
        """Return the change in expected lead if villages change. `changed` maps their seats to their new cards."""
        if self.cast.ends_round and self.would_end_round(changed):
            end = self.at_round_end
            costs = {**end.costs, **{seat: end.village_cost(seat, cards) for seat, cards in changed.items()}}
            return end.expected_lead(costs) - (1.0 if self.view.caller else LEAD_DECAY) * self.current_lead
        costs = {**self.costs, **{seat: self.village_cost(seat, cards) for seat, cards in changed.items()}}
        return self.expected_lead(costs) - self.current_lead

    def would_end_round(self, changed: Mapping[str, Village]) -> bool:
        """Return whether the round would end at once (A0) with the villages in `changed`."""
        all_cards = [card for cards in {**self.villages, **changed}.values() for card in cards]
        return (
            len([card for card in all_cards if self.is_active(card, self.cast.ends_round)])
            >= self.cast.ending_card_count
        )

    # Changed villages and their gains.

    def village_with_card_at(self, spot: Spot, card: Card) -> list[Card]:
        """Return the village of `spot` with `card` at that spot."""
        village = list(self.villages[spot.seat])
        village[spot.place] = card
        return village

    def village_without_card_at(self, spot: Spot) -> list[Card]:
        """Return the village of `spot` without the card at that spot."""
        village = list(self.villages[spot.seat])
        del village[spot.place]
        return village

    def flip_gain(self, spot: Spot) -> float:
        """Return the gain of turning a card over; for an unknown card, the expected gain."""
        card = self.card_at(spot)
        if card.up:
            return self.gain_of_change({spot.seat: self.village_with_card_at(spot, card._replace(up=False))})
        if card.number is not None:
            return self.gain_of_change({spot.seat: self.village_with_card_at(spot, faceup_card(card.number))})
        key = (spot.seat, card)
        if key not in self._flip_gains:
            self._flip_gains[key] = fsum(
                [
                    probability * self.gain_of_change({spot.seat: self.village_with_card_at(spot, faceup_card(number))})
                    for number, probability in self.probabilities(card)
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
                first.seat: self.village_with_card_at(first, self.card_at(second)),
                second.seat: self.village_with_card_at(second, self.card_at(first)),
            }
        )

    @cached_property
    def next_seat(self) -> str:
        seats = list(self.villages)
        step = 1 if self.view.direction == "clockwise" else -1
        return seats[(seats.index(self.me) + step) % len(seats)]


def faceup_card(number: int) -> Card:
    return Card(number, True, known_by=SEAT_LETTERS)


@cache
def unseen_copy(card: Card) -> Card:
    """Return a copy of a card that no seat has seen; cached."""
    return card._replace(known_by="")


def _number_key(special: tuple[int, Card]) -> int:
    return special[0]


def turns_left(view: View) -> float:
    """Return the expected number of turns of the viewing seat in this round after the current one."""
    if view.caller:
        return 0.0
    seats = len(view.villages)
    private = len(view.private[view.seat])
    return max(
        min((len(view.deck) + len(view.shown)) / seats + private, TYPICAL_TURNS - view.turns / seats),
        1.0 if view.deck or view.shown or private else 0.0,
    )


def rival_weights(view: View) -> dict[str, float]:
    """Return a weight for each opponent's points, higher for those that lead the game. The weights sum to 1."""
    totals = {seat: view.totals[seat] for seat in view.villages if seat != view.seat}
    best = min(totals.values())
    game_progress = view.round / ROUNDS_PER_GAME
    weights = {seat: exp(-game_progress * (total - best) / RIVAL_SCALE) for seat, total in totals.items()}
    total = fsum(weights.values())
    return {seat: weight / total for seat, weight in weights.items()}


def normal_density(distance: float, variance: float) -> float:
    """Return the density of a normal distribution at a distance from its mean."""
    if variance < 0.1:
        return 1.0 if abs(distance) < 0.1 else 0.0
    return exp(-distance * distance / (2 * variance)) / sqrt(6.283185307179586 * variance)
