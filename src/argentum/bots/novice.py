"""A bot that plays like a beginner."""

from collections.abc import Callable
from math import fsum
from random import Random
from typing import ClassVar, Final

from argentum.bots.bot import Bot
from argentum.rules import asking
from argentum.rules.exchange_result import MATCH, match_state
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import (
    CALL,
    DISCARD,
    DONE,
    DRAW,
    DRAW_PRIVATE,
    DRAW_SHOWN,
    END_TURN,
    KEEP_FROM_DECK,
    TAKE,
    USE,
    deck_depth,
    shown_place,
)
from argentum.rules.residents import TIMING_SCORING, Resident
from argentum.rules.views import Card, View, card_at

LOW_NUMBER: Final = 5  # highest number that the novice considers low
UNKNOWN_CARD_VALUE: Final = 6.0  # estimate of an unknown card
REMEMBER_PROBABILITY: Final = 0.85  # for each facedown card that the novice has seen
MEMORY_TURNS: Final = 6  # turns after which the forgotten cards are chosen anew
USE_PROBABILITY: Final = 0.7  # probability of using the ability of a drawn card
CALL_SUM: Final = 8.0  # highest estimated sum for a call
FIRST_CALL_TURN: Final = 7  # finished turns of all seats before the novice calls
TAKE_LIMIT: Final = 3  # highest number of a visible card that the novice takes


class NoviceBot(Bot):
    """Keep low cards, discard high ones, look at own cards, forget some of them, and call late."""

    name: ClassVar[str] = "novice"
    summary: ClassVar[str] = "keeps low cards, forgets some of them, and calls late"

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self.salt = self.random.random()

    def choose(self, view: View) -> Move:
        """Apply the rule for the current step; choose at random if there is no rule or the rule gives no move."""
        rule = RULE_BY_STEP.get(view.asking.step) if view.asking is not None else None
        move = None if rule is None else rule(self, view)
        return self.random.choice(view.legal) if move is None else move

    def remembered_value(self, view: View, spot: str) -> float | None:
        """Return the number of a card (0 if muted), or None if the novice does not know it or has forgotten it."""
        card = card_at(view, spot)
        if card.covered and view.cast.token_mutes_card:
            return 0.0
        if card.number is None or card.up:
            return card.number
        remembers = (
            Random(f"{self.salt} {view.round} {view.turns // MEMORY_TURNS} {spot}").random() < REMEMBER_PROBABILITY
        )
        return card.number if remembers else None

    def estimated_value(self, view: View, spot: str) -> float:
        """Return the remembered value of a card, or the estimate for unknown cards."""
        value = self.remembered_value(view, spot)
        return UNKNOWN_CARD_VALUE if value is None else value

    def choose_main_action(self, view: View) -> Move | None:
        """Call with a low sum, else take a low card, else use an ability with some probability, else draw."""
        village = [self.estimated_value(view, spot) for spot in own_spots(view)]
        if CALL in view.legal and fsum(village) <= CALL_SUM and view.turns >= FIRST_CALL_TURN:
            return MOVES[CALL]
        worst = max(village, default=0.0)
        for move in view.legal:
            card = visible_card_to_take(view, move)
            if card is not None and card.number is not None and card.number <= TAKE_LIMIT and worst > card.number + 2:
                return move
        return self.maybe_use_ability(view) or next((move for move in view.legal if move in (DRAW, DRAW_PRIVATE)), None)

    def maybe_use_ability(self, view: View) -> Move | None:
        """Return a random move that uses the token or an ability with probability `USE_PROBABILITY / 2`, else None."""
        ability_moves = [move for move in view.legal if move.verb in ("ability", "token")]
        return (
            self.random.choice(ability_moves) if ability_moves and self.random.random() < USE_PROBABILITY / 2 else None
        )

    def decide_hand(self, view: View) -> Move | None:
        """Exchange a low card in hand for the highest card of the village; use or discard a high one.

        If the card in hand may replace another seat's card (A11) and is high, do that instead.
        """
        hand_value = UNKNOWN_CARD_VALUE if view.hand is None or view.hand.number is None else view.hand.number
        exchanges = [move for move in view.legal if move.verb == "exchange"]
        replacements = [move for move in view.legal if move.verb == "" and move.spot]
        pair = self.highest_known_pair(view)
        if replacements and hand_value > LOW_NUMBER:
            return self.random.choice(replacements)
        if exchanges:
            worst = max(exchanges, key=lambda move: self.estimated_value(view, move.spot))
            discard_or_use_moves = [move for move in view.legal if move in (DISCARD, USE)]
            if pair and self.estimated_value(view, pair[0]) + self.estimated_value(view, pair[1]) > hand_value + 1:
                return Move.of(f"exchange {pair[0]}")
            if not discard_or_use_moves or (
                hand_value <= LOW_NUMBER and self.estimated_value(view, worst.spot) > hand_value
            ):
                return worst
        if USE in view.legal and self.random.random() < USE_PROBABILITY:
            return MOVES[USE]
        return MOVES[DISCARD] if DISCARD in view.legal and (not exchanges or hand_value > LOW_NUMBER) else None

    def keep_lowest_card(self, view: View) -> Move | None:
        return min(view.legal, key=lambda move: view.deck[deck_depth(move) - 1].number or 0)

    def name_second_card(self, view: View) -> Move | None:
        """Name the second card of a pair if the first is named; else finish the exchange."""
        pair = self.highest_known_pair(view)
        if pair and view.named == (pair[0],):
            return Move.of(f"and {pair[1]}")
        return MOVES[DONE]

    def highest_known_pair(self, view: View) -> tuple[str, str] | None:
        """Return the spots of the highest pair of own cards that the novice remembers; None if there is no pair."""
        known_cards: list[tuple[int, str]] = []
        for spot in own_spots(view):
            number = card_at(view, spot).number
            if number is not None and self.remembered_value(view, spot) is not None and not card_at(view, spot).covered:
                known_cards.append((number, spot))
        pairs = [
            (first + second, first_spot, second_spot)
            for index, (first, first_spot) in enumerate(known_cards)
            for second, second_spot in known_cards[index + 1 :]
            if match_state([first, second], view.cast.wild) == MATCH
        ]
        return max(pairs)[1:] if pairs else None

    def pick_card(self, view: View) -> Move | None:
        """Pick an unknown own card, else a high own card; return None if there is neither.

        To protect a card, pick the lowest one; to remove or give away a card at the end of the round, the highest.
        """
        resident = asking_resident(view)
        if resident is not None and resident.timing == TIMING_SCORING:
            return self.pick_highest(view)
        if asks_which_card_to_protect(view):
            return min(view.legal, key=lambda move: self.estimated_value(view, move.spot))
        own_card_moves = [move for move in view.legal if move.verb == "" and move.spot and move.spot[0] == view.seat]
        unknown_card_moves = [move for move in own_card_moves if self.remembered_value(view, move.spot) is None]
        if unknown_card_moves:
            return self.random.choice(unknown_card_moves)
        worst = max(own_card_moves, key=lambda move: self.estimated_value(view, move.spot), default=None)
        return worst if worst is not None and self.estimated_value(view, worst.spot) > LOW_NUMBER else None

    def pick_village(self, view: View) -> Move | None:
        """Choose another seat's village at random for the card in hand (B12); return None for other abilities."""
        others = [move for move in view.legal if move.seat != view.seat]
        return self.random.choice(others) if view.hand is not None and others else None

    def pick_highest(self, view: View) -> Move | None:
        options = [move for move in view.legal if move.spot]
        return max(options, key=lambda move: self.estimated_value(view, move.spot), default=None)

    def choose_at_turn_end(self, view: View) -> Move | None:
        return self.maybe_use_ability(view) or MOVES[END_TURN]


# The rule for each step.
RULE_BY_STEP: Final[dict[str, Callable[[NoviceBot, View], Move | None]]] = {
    asking.STEP_MAIN_ACTION: NoviceBot.choose_main_action,
    asking.STEP_HAND: NoviceBot.decide_hand,
    asking.STEP_KEEP: NoviceBot.keep_lowest_card,
    asking.STEP_MORE_CARDS: NoviceBot.name_second_card,
    asking.STEP_END_WINDOW: NoviceBot.choose_at_turn_end,
    asking.STEP_CARD: NoviceBot.pick_card,
    asking.STEP_SECOND_CARD: NoviceBot.pick_card,
    asking.STEP_ANOTHER_CARD: NoviceBot.pick_card,
    asking.STEP_USE: NoviceBot.pick_card,
    asking.STEP_VILLAGE: NoviceBot.pick_village,
}


def visible_card_to_take(view: View, move: Move) -> Card | None:
    """Return the card that a move takes: a shown card or the top of the discard pile; None for other moves."""
    if DRAW_SHOWN < move < KEEP_FROM_DECK:
        return view.shown[shown_place(move) - 1]
    return view.discard[0] if move == TAKE else None


def asking_resident(view: View) -> Resident | None:
    """Return the resident whose ability asks; None if a rule or the token asks."""
    number = None if view.asking is None else view.asking.number
    return None if number is None else view.residents[number]


def asks_which_card_to_protect(view: View) -> bool:
    """Return whether the seat must choose a card for a guard or the token to protect."""
    if view.asking is not None and view.asking.label == view.cast.token_label:
        return view.cast.token_covers_card and not view.cast.token_mutes_card
    resident = asking_resident(view)
    return resident is not None and resident.protects


def own_spots(view: View) -> list[str]:
    return [f"{view.seat}{place}" for place in range(1, len(view.villages[view.seat]) + 1)]
