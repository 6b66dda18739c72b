# mypyc: compile
"""Advice for a first game, and warnings before an exchange or a call."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from argentum.rules import asking
from argentum.rules.exchange_preview import ExchangePreview, known_sets, preview_exchange
from argentum.rules.exchange_result import DIFFER, MATCH, PENALTY_SET_SIZE, UNSURE
from argentum.rules.known_table import known_table
from argentum.rules.move import Move
from argentum.rules.notation import DRAW, SEAT_LETTERS
from argentum.rules.residents import TIMING_SCORING, WINDOW_MAIN_ACTION, Resident
from argentum.rules.turns import MAX_CARDS_TO_CALL
from argentum.rules.views import View, card_at
from argentum.words.buttons import button_text, uncapitalize_button_text
from argentum.words.context import PromptContext, usable_ability_names
from argentum.words.english import COUNT_WORDS, capitalize_first, join_list, number_with_article
from argentum.words.player_names import format_points, player_names
from argentum.words.residents import texts_of

LOW_NUMBER = 4
UNKNOWN_CARD_VALUE = 6  # about the average number in a deck


class KnownCards:
    """The uncovered cards of the reader's village, with those numbers that the reader knows."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.names = player_names(view)
        village = list(enumerate(view.villages[view.seat], start=1))
        self.cards = [(f"{view.seat}{place}", card.number) for place, card in village if not card.covered]
        covered_numbers = [card.number for _, card in village if card.covered and not view.cast.token_mutes_card]
        numbers = [number for _, number in self.cards] + covered_numbers
        # The estimated sum of the village: an unknown card counts as an average card.
        self.total = sum([UNKNOWN_CARD_VALUE if number is None else number for number in numbers])

    @property
    def discardable_cards(self) -> list[tuple[int, str]]:
        """Number and spot of each known card that scores its number and can leave the village."""
        return [(number, spot) for spot, number in self.cards if number is not None and self._is_discardable(number)]

    def _is_discardable(self, number: int) -> bool:
        """Whether cards with this number score that number and can leave the village (D4)."""
        resident = self.view.residents[number]
        return resident.timing != TIMING_SCORING and not resident.clings

    def find_sets(self) -> list[list[str]]:
        """Return the spots of each matching set of known cards that can leave the village (G10)."""
        view = self.view
        places = [int(spot[1:]) - 1 for _, spot in self.discardable_cards]
        sets = known_sets(known_table(view), SEAT_LETTERS.index(view.seat), places)
        return [[f"{view.seat}{place + 1}" for place in places] for places in sets]

    def best_set_for(self, number: int) -> list[str]:
        """Return the spots of the best set to exchange for a card with this number; empty if none is worth it.

        The sum of the set must be higher than the number and, if the set contains a card of LOW_NUMBER or less, not
        lower than the highest single card.
        """
        highest_single = max([UNKNOWN_CARD_VALUE if known is None else known for _, known in self.cards], default=0)
        best: list[str] = []
        for spots in self.find_sets():
            set_sum = self.total_of(spots)
            high = min(self._numbers_at(spots)) > LOW_NUMBER
            if set_sum > number and (high or set_sum >= highest_single) and set_sum > self.total_of(best):
                best = spots
        return best

    def _numbers_at(self, spots: Sequence[str]) -> list[int]:
        numbers = dict(self.cards)
        return [number for number in [numbers[spot] for spot in spots] if number is not None]

    def total_of(self, spots: Sequence[str]) -> int:
        """Return the sum of the known cards at these spots."""
        return sum(self._numbers_at(spots))

    def set_phrase(self, spots: Sequence[str]) -> str:
        """Describe a set: "your spots 1 and 4 are two 9s"."""
        plain_numbers = {number for number in self._numbers_at(spots) if not self.view.residents[number].wild}
        spots_text = self.names.spots_phrase(spots)
        if len(plain_numbers) == 1 and len(set(self._numbers_at(spots))) == 1:
            return f"{spots_text} are {COUNT_WORDS[len(spots)]} {plain_numbers.pop()}s"
        return f"{spots_text} go together"

    def selection_phrase(self, spots: Sequence[str]) -> str:
        return f"{'both ' * (len(spots) == 2)}{self.names.spots_phrase(spots)}"


GOOD_CALL_SUM = 8  # a village that counts at most this is low


FIRST_LOOK_ADVICE = (
    "The fewest points win, and a card counts its number. Look at any two of your cards and remember them."
    " Get rid of high cards; keep low ones."
)


class Advice(NamedTuple):
    """A recommended move, with all cards of a look or an exchange."""

    move: Move
    spots: tuple[str, ...]  # of the cards to look at, or to exchange for the drawn or taken card

    @property
    def text(self) -> str:
        """The complete move, as a client sends it."""
        together = self.move.verb in ("peek", "exchange")
        return f"{self.move.verb} {' '.join(self.spots)}" if together else str(self.move)


def advice_text(view: View, advice: Advice | None) -> str:
    """Return an explanation of the recommended move; empty if there is none."""
    if advice is None:
        return ""
    context = PromptContext(view)
    if view.looking:
        return FIRST_LOOK_ADVICE
    if context.asking.is_rule:
        explain = ADVICE_BY_STEP.get(context.asking.step)
        return "" if explain is None else explain(context, advice)
    why = texts_of(context.asking.label).advice
    words = why if isinstance(why, str) else why(context)
    return f"{words or context.asker_text} {_best_move_text(context, advice)}"


def _best_move_text(context: PromptContext, advice: Advice) -> str:
    return f"Best here: {uncapitalize_button_text(button_text(advice.move, context.view), context.view)}."


class ExchangeWarning(NamedTuple):
    """Texts about the likely result of an exchange, for the player who picked the cards."""

    match_state: str  # MATCH, DIFFER or UNSURE of `exchange_result`
    title: str
    text: str
    numbers: str  # "7 ≠ 9"; empty if unknown cards decide
    change: str  # "5 cards would be 6"; empty if unknown cards decide


def exchange_warning(view: View, spots: Sequence[str]) -> ExchangeWarning:
    """Return a preview of the exchange of these cards, as texts for the reader (G10, G11)."""
    preview = preview_exchange(view, _place_indexes(spots))
    numbers = [card_at(view, spot).number for spot in spots]
    change = (
        "" if preview.village_size is None else f"{len(view.villages[view.seat])} cards would be {preview.village_size}"
    )
    if preview.match_state == MATCH:
        shown = ["?" if number is None else str(number) for number in numbers]
        numbers_text = (" = " if len(set(shown)) == 1 else " with ").join(shown)
        return ExchangeWarning(MATCH, "These match.", _match_text(view, spots, preview), numbers_text, change)
    cost = _mismatch_cost(view, len(spots))
    if preview.match_state == UNSURE:
        return ExchangeWarning(UNSURE, "You can't be sure that these match.", f"If they differ, {cost}", "", "")
    known = [number for number in numbers if number is not None]
    plain_numbers = dict.fromkeys([str(number) for number in known if not view.residents[number].wild])
    words = f"Only cards of one number go together. If you send them, {cost}"
    return ExchangeWarning(DIFFER, "These don't match.", words, " ≠ ".join(plain_numbers), change)


def _place_indexes(spots: Sequence[str]) -> list[int]:
    return [int(spot[1:]) - 1 for spot in spots]


def _match_text(view: View, spots: Sequence[str], preview: ExchangePreview) -> str:
    """Explain why the cards of a set match, and what exchanging them leads to."""
    numbers = [card_at(view, spot).number for spot in spots]
    reason = _match_reason(view, [view.residents[number] for number in numbers if number is not None])
    if len(preview.leaving) == len(spots):
        return f"{reason}They all leave, and the new card takes their place: fewer cards to count."
    stays = next(resident.name for resident in view.residents if resident.clings)
    if preview.village_size is None:
        return f"{reason}But a {stays} may stay."
    staying = f"{reason}But each {stays} stays: none can lie on top of the discard pile"
    return (
        f"{staying}. The new card takes the place of the rest." if preview.leaving else f"{staying}, so nothing leaves."
    )


def _match_reason(view: View, residents: Sequence[Resident]) -> str:
    """Explain why cards of different numbers match: a wild card, or a faceup card that raises one (A13, B1)."""
    wild = [resident.name for resident in residents if resident.wild]
    reason = f"The {wild[0]} goes with any number. " if wild else ""
    if len({resident.number for resident in residents if not resident.wild}) > 1:
        faceup = [view.residents[card.number or 0] for card in view.villages[view.seat] if card.up]
        raising = next(resident.name for resident in faceup if resident.raises_set_card)
        reason += f"Your faceup {raising} makes up for the difference. "
    return reason


def _mismatch_cost(view: View, card_count: int) -> str:
    """Describe the penalty for exchanging cards that do not match (G11)."""
    cost = "you keep them all, everybody has seen them, and the new card joins your village."
    more = (
        " So does the deck's top card, because you try three or more."
        if card_count >= PENALTY_SET_SIZE and view.deck
        else ""
    )
    return cost + more


def best_known_set(view: View) -> tuple[str, ...]:
    """Return the spots of the known set with the highest sum; empty if no set is known."""
    known = KnownCards(view)
    sets = sorted(known.find_sets(), key=known.total_of)
    return tuple(sets[-1]) if sets else ()


# Lessons of a first game, roughly in the order in which they come up.
LESSONS = (
    "The first look",
    "Draw or take",
    "The card in your hand",
    "Sets",
    "Abilities",
    "The end of a turn",
    "Calling",
)


def lesson_number(view: View, advice: Advice | None) -> int:
    """Return the number, from 1, of the lesson that fits the position; 0 without advice."""
    if advice is None:
        return 0
    context = PromptContext(view)
    step, verb = context.asking.step, advice.move.verb
    if view.looking:
        return 1
    if step == asking.STEP_END_WINDOW:
        return 6
    if verb == "call" or (step == asking.STEP_MAIN_ACTION and KnownCards(view).total <= GOOD_CALL_SUM):
        return 7
    if verb in ("ability", "token", "use") or not context.asking.is_rule:
        return 5
    if len(advice.spots) > 1 or step == asking.STEP_MORE_CARDS:
        return 4
    return 2 if step == asking.STEP_MAIN_ACTION else 3


def strong_move_text(labels: str) -> str:
    """Return the text of a hint: the move of a strong bot, given as the text of its buttons.

    >>> strong_move_text("Draw from the deck")
    'A strong bot would choose: Draw from the deck.'
    """
    return f"A strong bot would choose: {labels}."


def call_warning(view: View, memory: bool) -> str:
    """Explain the consequences of a call, and state the sum of the cards that the reader knows.

    At tables with `memory`, where players must remember their cards, leave out the sum.
    """
    text = "Everybody else has one more turn, then all cards are shown."
    cards = view.villages[view.seat]
    known = [card.number for card in cards if card.number is not None]
    if memory or not known:
        return text
    unknown = len(cards) - len(known)
    rest = (
        f", and {COUNT_WORDS[unknown]} {'is' if unknown == 1 else 'are'} unknown"
        if 0 < unknown < len(COUNT_WORDS)
        else ""
    )
    return f"{text} You know {len(known)} of your {len(cards)}: their numbers add up to {sum(known)}{rest}."


def _main_action_advice(context: PromptContext, advice: Advice) -> str:
    """Return advice on the main action, calling, and a set that the reader knows."""
    known = KnownCards(context.view)
    return " ".join(
        [
            words
            for words in (
                _last_turn_advice(context),
                _action_advice(context, advice, known),
                _outlook_advice(context, advice, known),
            )
            if words
        ]
    )


def _last_turn_advice(context: PromptContext) -> str:
    if not context.view.caller:
        return ""
    caller = capitalize_first(context.player_names.with_verb(context.view.caller, "have"))
    return f"{caller} called, so this is your last chance."


def _action_advice(context: PromptContext, advice: Advice, known: KnownCards) -> str:
    verb = advice.move.verb
    if verb == "call":
        low = ", which is low" if known.total <= GOOD_CALL_SUM else ""
        return (
            f"Call now: your village counts about {format_points(known.total)}{low}. If nobody has less, you score 0."
            " If somebody does, you score 10 points more."
        )
    if verb == "take":
        return _take_advice(context, advice, known)
    if verb in ("ability", "token"):
        return _ability_advice(context, advice)
    if verb != "draw" or advice.move.number is not None:  # a card of the own deck, or one shown beside the deck
        return f"{button_text(advice.move, context.view)}: you can see what you get."
    top = context.view.discard[0] if "take" in context.verbs else None
    if top is None or top.number is None or not top.up:
        return "Draw a card: you can exchange it for one of yours, or discard it."
    name = capitalize_first(context.resident_phrase(top.number))
    return (
        f"Draw from the deck: you may keep the card or discard it. {name},"
        f" {number_with_article(top.number)}, would have to go into your village, faceup."
    )


def _take_advice(context: PromptContext, advice: Advice, known: KnownCards) -> str:
    number = context.view.discard[0].number
    if number is None:
        return "Take the facedown card."
    only = "only " if number <= LOW_NUMBER else ""
    old = f", and exchange it for {_exchange_targets(advice, known)}" if advice.spots else ""
    card = f"{context.resident_phrase(number)}, which is {only}{number_with_article(number)}"
    return f"Take {card}{old}. It will lie faceup, where everybody sees it."


def _ability_advice(context: PromptContext, advice: Advice) -> str:
    number = context.card(advice.move.spot).number if advice.move.verb == "ability" else None
    text = context.token_text if number is None else context.view.residents[number].text
    if number is not None and context.view.residents[number].window == WINDOW_MAIN_ACTION:
        return f"{button_text(advice.move, context.view)}: that is your main action, so you don't draw. {text}"
    return f"{button_text(advice.move, context.view)} first; your main action comes after it. {text}"


def _outlook_advice(context: PromptContext, advice: Advice, known: KnownCards) -> str:
    """Return advice on a later call and its conditions (G9), or on a known set (G10); empty for neither."""
    total, cards = known.total, len(context.view.villages[context.view.seat])
    if context.view.caller or advice.move.verb == "call":
        return ""
    low = f"Your village counts about {format_points(total)}, which is low." if total <= GOOD_CALL_SUM else ""
    if low and "call" in context.verbs:
        return f"{low} You could call, but somebody may well have less: wait a turn."
    if low and cards > MAX_CARDS_TO_CALL:
        return (
            f"{low} But a call needs {COUNT_WORDS[MAX_CARDS_TO_CALL]} cards or fewer, and you have"
            f" {COUNT_WORDS[cards]}: exchange several cards of one number for one to get there."
        )
    if low and (context.view.deck or context.view.shown):
        return f"{low} You can't call in a turn in which you have used something; think of it on your next one."
    if low:
        return f"{low} But you can't call: the deck is empty."
    spots = known.best_set_for(LOW_NUMBER)
    if not spots or advice.move != DRAW:
        return ""
    return (
        f"You hold a set: {known.set_phrase(spots)}. If you want to keep what you draw,"
        f" exchange {known.selection_phrase(spots)} for it."
        f" Fewer cards count less, and with {COUNT_WORDS[MAX_CARDS_TO_CALL]} or fewer you can call."
    )


def _exchange_targets(advice: Advice, known: KnownCards) -> str:
    """Return a phrase for the cards whose exchange is recommended."""
    if len(advice.spots) > 1:
        return known.selection_phrase(advice.spots)
    number = dict(known.cards).get(advice.spots[0])
    if number is None:
        return f"a card you don't know, such as {known.names.spot_phrase(advice.spots[0])}"
    return f"{known.names.spot_phrase(advice.spots[0])}, {number_with_article(number)}"


def _hand_advice(context: PromptContext, advice: Advice) -> str:
    known = KnownCards(context.view)
    number = None if context.view.hand is None else context.view.hand.number
    has_special_value = (
        number is not None and number > LOW_NUMBER and context.view.residents[number].timing == TIMING_SCORING
    )
    name = capitalize_first(context.resident_phrase(number))
    text = f"{name} doesn't count like other cards. {context.view.residents[number or 0].text} "
    return (text if has_special_value and not context.asking.is_taken_card else "") + _hand_decision_advice(
        context, advice, known, number
    )


def _hand_decision_advice(context: PromptContext, advice: Advice, known: KnownCards, number: int | None) -> str:
    match advice.move.verb:
        case "exchange":
            return _exchange_advice(context, advice, known, number)
        case "use" if number is not None:
            text = context.view.residents[number].text
            return f"Use it: that is worth more than keeping {number_with_article(number)}. {text}"
        case "discard" if number is not None:
            return f"{capitalize_first(number_with_article(number))} wouldn't make your village better: discard it."
        case "ability" | "token":
            return f"{button_text(advice.move, context.view)} first: the card in your hand can wait."
    return _best_move_text(context, advice)


def _exchange_advice(context: PromptContext, advice: Advice, known: KnownCards, number: int | None) -> str:
    if len(advice.spots) > 1:
        them = "both" if len(advice.spots) == 2 else "them all"
        return (
            f"{capitalize_first(known.set_phrase(advice.spots))}: choose {them} and exchange them for this card,"
            " and you have fewer cards to count."
        )
    these = _exchange_targets(advice, known)
    if context.asking.is_taken_card:
        return f"It must go into your village now: choose {these}, and exchange."
    if number is None:
        return f"Choose {these}, and exchange."
    low = ", which is low" if number <= LOW_NUMBER else ""
    return f"You drew {number_with_article(number)}{low}. Keep it: choose {these}, and exchange."


def _more_cards_advice(context: PromptContext, advice: Advice) -> str:
    """Return advice on adding cards to an exchange, with the penalty for a mismatch (G10, G11)."""
    picked_count = len(context.picked)
    cost = _mismatch_cost(context.view, picked_count)
    if picked_count > 1 and preview_exchange(context.view, _place_indexes(context.picked)).match_state == DIFFER:
        numbers = [context.card(spot).number for spot in context.picked]
        numbers_text = join_list([number_with_article(number) for number in numbers if number is not None])
        return f"These don't match: {numbers_text}. If you exchange them, {cost}"
    if advice.move.verb == "and":
        spot = capitalize_first(context.player_names.spot_phrase(advice.move.spot))
        return f"{spot} goes with it: choose it too, and you have fewer cards to count."
    if picked_count == 1:
        return f"Exchange this one card. Several can go at once if they are all of one number; if they differ, {cost}"
    return f"Exchange them. If they differ, {cost}"


def _end_window_advice(context: PromptContext, advice: Advice) -> str:
    """Explain the window at the end of the turn (G24)."""
    texts = [
        context.view.residents[number].text
        for number in dict.fromkeys(
            [context.card(move.spot).number for move in context.view.legal if move.verb == "ability"]
        )
        if number is not None
    ]
    if "token" in context.verbs:
        texts.append(context.token_text)
    text = join_list(usable_ability_names(context), " or ")
    return (
        f"You have taken your main action. Before the next player's turn you may still use {text}; it costs no turn."
        f" {' '.join(texts)} {_best_move_text(context, advice)}"
    )


ADVICE_BY_STEP: dict[str, Callable[[PromptContext, Advice], str]] = {
    asking.STEP_MAIN_ACTION: _main_action_advice,
    asking.STEP_HAND: _hand_advice,
    asking.STEP_MORE_CARDS: _more_cards_advice,
    asking.STEP_END_WINDOW: _end_window_advice,
}
