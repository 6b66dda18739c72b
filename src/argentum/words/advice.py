"""Advice for a first game: what to do now, and why."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from argentum.rules import asking
from argentum.rules.boxes import BOX_BY_LETTER
from argentum.rules.card_sets import PENALTY_SET_SIZE
from argentum.rules.exchange_preview import (
    DIFFER,
    MATCH,
    UNSURE,
    ExchangePreview,
    cast_of_view_fields,
    known_sets,
    preview_exchange,
)
from argentum.rules.move import Move
from argentum.rules.residents import TIMING_SCORING, WINDOW_MAIN_ACTION, Resident
from argentum.rules.turns import MAX_CARDS_TO_CALL
from argentum.rules.views import View, card_at
from argentum.words.buttons import button_text, in_sentence
from argentum.words.context import PromptContext, usable_names
from argentum.words.english import COUNT_WORDS, capitalize_first, join_list, number_with_article
from argentum.words.player_names import player_names, signed
from argentum.words.residents import texts_of

LOW_NUMBER = 4
UNKNOWN_CARD_VALUE = 6  # what a card that nobody has seen counts, about


class KnownCards:
    """The reader's cards that may be touched, with their numbers where known."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seating = player_names(view)
        village = list(enumerate(view.villages[view.seat], start=1))
        self.cards = [(f"{view.seat}{place}", card.number) for place, card in village if not card.covered]
        kept = [
            card.number for _, card in village if card.covered and not BOX_BY_LETTER[view.token[0]].token_mutes_card
        ]
        counts = [number for _, number in self.cards] + kept
        # What the village counts, about; an unknown card counts as an average one.
        self.total = sum([UNKNOWN_CARD_VALUE if number is None else number for number in counts])

    @property
    def discardable_cards(self) -> list[tuple[int, str]]:
        """Numbers and spots of the known cards that simply count their number and can be got rid of."""
        return [(number, spot) for spot, number in self.cards if number is not None and self._can_leave(number)]

    def _can_leave(self, number: int) -> bool:
        """Whether cards of a number simply count it, and can leave the village (D4)."""
        resident = self.view.residents[number]
        return resident.timing != TIMING_SCORING and not resident.clings

    def sets(self) -> list[list[str]]:
        """The sets that the reader knows, of cards that can be got rid of (G10)."""
        view = self.view
        cast = cast_of_view_fields(view.residents, view.boxes, view.token)
        places = [int(spot[1:]) - 1 for _, spot in self.discardable_cards]
        found = known_sets(cast, view.villages[view.seat], places)
        return [[f"{view.seat}{place + 1}" for place in one] for one in found]

    def best_set_for(self, number: int) -> list[str]:
        """The set that is best exchanged for a card of this number; empty where there is none, or not worth it.

        A set of cards above LOW is worth it whenever it counts more than the new card; a low one only if it counts as
        much as the worst single card that could go instead.
        """
        instead = max([UNKNOWN_CARD_VALUE if known is None else known for _, known in self.cards], default=0)
        best: list[str] = []
        for spots in self.sets():
            counts = self.total_of(spots)
            high = min(self._numbers(spots)) > LOW_NUMBER
            if counts > number and (high or counts >= instead) and counts > self.total_of(best):
                best = spots
        return best

    def _numbers(self, spots: Sequence[str]) -> list[int]:
        numbers = dict(self.cards)
        return [number for number in [numbers[spot] for spot in spots] if number is not None]

    def total_of(self, spots: Sequence[str]) -> int:
        """What known cards count together."""
        return sum(self._numbers(spots))

    def set_phrase(self, spots: Sequence[str]) -> str:
        """A set in words: "your spots 1 and 4 are two 9s"."""
        tame = {number for number in self._numbers(spots) if not self.view.residents[number].wild}
        where = self.seating.spots_phrase(spots)
        if len(tame) == 1 and len(set(self._numbers(spots))) == 1:
            return f"{where} are {COUNT_WORDS[len(spots)]} {tame.pop()}s"
        return f"{where} go together"

    def selection_phrase(self, spots: Sequence[str]) -> str:
        """A set as what is chosen."""
        return f"{'both ' * (len(spots) == 2)}{self.seating.spots_phrase(spots)}"


GOOD_CALL_SUM = 8


FIRST_LOOK_ADVICE = (
    "The fewest points win, and a card counts its number. Look at any two of your cards and remember them."
    " Get rid of high cards; keep low ones."
)


class Advice(NamedTuple):
    """What a newcomer had best do now."""

    move: Move
    spots: tuple[str, ...]  # the cards that are picked together for it, or that what is taken is exchanged for

    @property
    def text(self) -> str:
        """The whole answer, as a reader sends it."""
        together = self.move.verb in ("peek", "exchange")
        return f"{self.move.verb} {' '.join(self.spots)}" if together else str(self.move)


def advice_text(view: View, advice: Advice | None) -> str:
    """What a newcomer is told now. What it says to do is what is advised, and nothing else."""
    if advice is None:
        return ""
    now = PromptContext(view)
    if view.looking:
        return FIRST_LOOK_ADVICE
    if now.asking.is_rule:
        explain = ADVICE_BY_STEP.get(now.asking.step)
        return "" if explain is None else explain(now, advice)
    why = texts_of(now.asking.label).advice
    words = why if isinstance(why, str) else why(now)
    return f"{words or now.asker_text} {_best_move_text(now, advice)}"


def _best_move_text(now: PromptContext, advice: Advice) -> str:
    """What is advised, in the words of its button or card."""
    return f"Best here: {in_sentence(button_text(advice.move, now.view), now.view)}."


class ExchangeWarning(NamedTuple):
    """What is said of cards that are picked for an exchange, before they are sent."""

    match_state: str  # one of argentum.rules.exchange_preview
    title: str
    text: str
    numbers: str  # "7 ≠ 9"; empty where nobody can be sure
    change: str  # "5 cards would be 6"; empty too


def exchange_warning(view: View, spots: Sequence[str]) -> ExchangeWarning:
    """What to say of several cards that the reader has picked: what an exchange of them comes to (G10, G11)."""
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
    tame = dict.fromkeys([str(number) for number in known if not view.residents[number].wild])
    words = f"Only cards of one number go together. If you send them, {cost}"
    return ExchangeWarning(DIFFER, "These don't match.", words, " ≠ ".join(tame), change)


def _place_indexes(spots: Sequence[str]) -> list[int]:
    return [int(spot[1:]) - 1 for spot in spots]


def _match_text(view: View, spots: Sequence[str], preview: ExchangePreview) -> str:
    """What a set brings, and why it is one; some cards stay all the same (D4)."""
    numbers = [card_at(view, spot).number for spot in spots]
    why = _match_reason(view, [view.residents[number] for number in numbers if number is not None])
    if len(preview.leaving) == len(spots):
        return f"{why}They all leave, and the new card takes their place: fewer cards to count."
    stays = next(one.name for one in view.residents if one.clings)
    if preview.village_size is None:
        return f"{why}But a {stays} may stay."
    staying = f"{why}But each {stays} stays: none can lie on top of the discard pile"
    return (
        f"{staying}. The new card takes the place of the rest." if preview.leaving else f"{staying}, so nothing leaves."
    )


def _match_reason(view: View, those: Sequence[Resident]) -> str:
    """Why cards match though their numbers differ: by a wild one, or a faceup one that raises (A13, B1)."""
    wild = [one.name for one in those if one.wild]
    why = f"The {wild[0]} goes with any number. " if wild else ""
    if len({one.number for one in those if not one.wild}) > 1:
        faceup = [view.residents[card.number or 0] for card in view.villages[view.seat] if card.up]
        why += f"Your faceup {next(one.name for one in faceup if one.raises_set_card)} makes up for the difference. "
    return why


def _mismatch_cost(view: View, preview: int) -> str:
    """What it costs to try so many cards that differ (G11)."""
    cost = "you keep them all, everybody has seen them, and the new card joins your village."
    more = (
        " So does the deck's top card, because you try three or more."
        if preview >= PENALTY_SET_SIZE and view.deck
        else ""
    )
    return cost + more


def best_known_set(view: View) -> tuple[str, ...]:
    """The spots of a set that the reader knows: the one that counts most; none if there is none."""
    known = KnownCards(view)
    sets = sorted(known.sets(), key=known.total_of)
    return tuple(sets[-1]) if sets else ()


# What a first game teaches, in about the order in which it comes up.
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
    """Which of the topics the reader is at now, from 1; 0 for none."""
    if advice is None:
        return 0
    now = PromptContext(view)
    step, verb = now.asking.step, advice.move.verb
    if view.looking:
        return 1
    if step == asking.STEP_END_WINDOW:
        return 6
    if verb == "call" or (step == asking.STEP_MAIN_ACTION and KnownCards(view).total <= GOOD_CALL_SUM):
        return 7
    if verb in ("ability", "token", "use") or not now.asking.is_rule:
        return 5
    if len(advice.spots) > 1 or step == asking.STEP_MORE_CARDS:
        return 4
    return 2 if step == asking.STEP_MAIN_ACTION else 3


def strong_move_text(labels: str) -> str:
    """What a strong bot would do, from the words of its buttons and cards.

    >>> strong_choice("Draw from the deck")
    'A strong bot would choose: Draw from the deck.'
    """
    return f"A strong bot would choose: {labels}."


def call_warning(view: View, memory: bool) -> str:
    """What a call brings, before it is sent; at a table without memory also what is known of the own village."""
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


def _main_action_advice(now: PromptContext, advice: Advice) -> str:
    """Before the main action: what to do, and what a call or a set still needs."""
    known = KnownCards(now.view)
    return " ".join(
        [
            words
            for words in (
                _last_turn_advice(now),
                _action_advice(now, advice, known),
                _outlook_advice(now, advice, known),
            )
            if words
        ]
    )


def _last_turn_advice(now: PromptContext) -> str:
    """Somebody has called."""
    if not now.view.caller:
        return ""
    return (
        f"{capitalize_first(now.player_names.with_verb(now.view.caller, 'have'))} called, so this is your last chance."
    )


def _action_advice(now: PromptContext, advice: Advice, known: KnownCards) -> str:
    """The main action, or what is used before it."""
    verb = advice.move.verb
    if verb == "call":
        low = ", which is low" if known.total <= GOOD_CALL_SUM else ""
        return (
            f"Call now: your village counts about {signed(known.total)}{low}. If nobody has less, you score 0."
            " If somebody does, you score 10 points more."
        )
    if verb == "take":
        return _take_advice(now, advice, known)
    if verb in ("ability", "token"):
        return _ability_advice(now, advice)
    if verb != "draw":  # a card in sight
        return f"{button_text(advice.move, now.view)}: you can see what you get."
    top = now.view.discard[0] if "take" in now.verbs else None
    if top is None or top.number is None or not top.up:
        return "Draw a card: you can exchange it for one of yours, or discard it."
    return (
        f"Draw from the deck: you may keep the card or discard it. {capitalize_first(now.resident_phrase(top.number))},"
        f" {number_with_article(top.number)}, would have to go into your village, faceup."
    )


def _take_advice(now: PromptContext, advice: Advice, known: KnownCards) -> str:
    """Take the card on the discard pile."""
    number = now.view.discard[0].number
    if number is None:
        return "Take the facedown card."
    only = "only " if number <= LOW_NUMBER else ""
    old = f", and exchange it for {_exchange_targets(advice, known)}" if advice.spots else ""
    return f"Take {now.resident_phrase(number)}, which is {only}{number_with_article(number)}{old}. It will lie faceup, where everybody sees it."


def _ability_advice(now: PromptContext, advice: Advice) -> str:
    """The token, or a card of the village."""
    number = now.card(advice.move.spot).number if advice.move.verb == "ability" else None
    text = BOX_BY_LETTER[now.view.token[0]].token_text if number is None else now.view.residents[number].text
    if number is not None and now.view.residents[number].window == WINDOW_MAIN_ACTION:
        return f"{button_text(advice.move, now.view)}: that is your main action, so you don't draw. {text}"
    return f"{button_text(advice.move, now.view)} first; your main action comes after it. {text}"


def _outlook_advice(now: PromptContext, advice: Advice, known: KnownCards) -> str:
    """What to look ahead to: a call and what it still needs (G9), or a set that is known (G10)."""
    total, cards = known.total, len(now.view.villages[now.view.seat])
    if now.view.caller or advice.move.verb == "call":
        return ""
    low = f"Your village counts about {signed(total)}, which is low." if total <= GOOD_CALL_SUM else ""
    if low and "call" in now.verbs:
        return f"{low} You could call, but somebody may well have less: wait a turn."
    if low and cards > MAX_CARDS_TO_CALL:
        return (
            f"{low} But a call needs {COUNT_WORDS[MAX_CARDS_TO_CALL]} cards or fewer, and you have {COUNT_WORDS[cards]}: exchange"
            " several cards of one number for one to get there."
        )
    if low and (now.view.deck or now.view.shown):
        return f"{low} You can't call in a turn in which you have used something; think of it on your next one."
    if low:
        return f"{low} But you can't call: the deck is empty."
    spots = known.best_set_for(LOW_NUMBER)
    if not spots or advice.move.verb != "draw":
        return ""
    return (
        f"You hold a set: {known.set_phrase(spots)}. If you want to keep what you draw, exchange {known.selection_phrase(spots)} for it."
        f" Fewer cards count less, and with {COUNT_WORDS[MAX_CARDS_TO_CALL]} or fewer you can call."
    )


def _exchange_targets(advice: Advice, known: KnownCards) -> str:
    """The cards that are advised for an exchange, in words."""
    if len(advice.spots) > 1:
        return known.selection_phrase(advice.spots)
    number = dict(known.cards).get(advice.spots[0])
    if number is None:
        return f"a card you don't know, such as {known.seating.spot_phrase(advice.spots[0])}"
    return f"{known.seating.spot_phrase(advice.spots[0])}, {number_with_article(number)}"


def _hand_advice(now: PromptContext, advice: Advice) -> str:
    """A card in hand."""
    known = KnownCards(now.view)
    number = None if now.view.hand is None else now.view.hand.number
    odd = number is not None and number > LOW_NUMBER and now.view.residents[number].timing == TIMING_SCORING
    text = f"{capitalize_first(now.resident_phrase(number))} doesn't count like other cards. {now.view.residents[number or 0].text} "
    return (text if odd and not now.asking.is_taken_card else "") + _hand_decision_advice(now, advice, known, number)


def _hand_decision_advice(now: PromptContext, advice: Advice, known: KnownCards, number: int | None) -> str:
    """What becomes of the card in hand."""
    match advice.move.verb:
        case "exchange":
            return _exchange_advice(now, advice, known, number)
        case "use" if number is not None:
            return f"Use it: that is worth more than keeping {number_with_article(number)}. {now.view.residents[number].text}"
        case "discard" if number is not None:
            return f"{capitalize_first(number_with_article(number))} wouldn't make your village better: discard it."
        case "ability" | "token":
            return f"{button_text(advice.move, now.view)} first: the card in your hand can wait."
    return _best_move_text(now, advice)


def _exchange_advice(now: PromptContext, advice: Advice, known: KnownCards, number: int | None) -> str:
    """Which cards to exchange for the one in hand."""
    if len(advice.spots) > 1:
        them = "both" if len(advice.spots) == 2 else "them all"
        return (
            f"{capitalize_first(known.set_phrase(advice.spots))}: choose {them} and exchange them for this card, and you have fewer"
            " cards to count."
        )
    these = _exchange_targets(advice, known)
    if now.asking.is_taken_card:
        return f"It must go into your village now: choose {these}, and exchange."
    if number is None:
        return f"Choose {these}, and exchange."
    low = ", which is low" if number <= LOW_NUMBER else ""
    return f"You drew {number_with_article(number)}{low}. Keep it: choose {these}, and exchange."


def _more_cards_advice(now: PromptContext, advice: Advice) -> str:
    """More cards for a set, and what a wrong one costs (G10, G11)."""
    preview = len(now.picked)
    cost = _mismatch_cost(now.view, preview)
    if preview > 1 and preview_exchange(now.view, _place_indexes(now.picked)).match_state == DIFFER:
        numbers = [now.card(spot).number for spot in now.picked]
        numbers_text = join_list([number_with_article(number) for number in numbers if number is not None])
        return f"These don't match: {numbers_text}. If you exchange them, {cost}"
    if advice.move.verb == "and":
        where = capitalize_first(now.player_names.spot_phrase(advice.move.spot))
        return f"{where} goes with it: choose it too, and you have fewer cards to count."
    if preview == 1:
        return f"Exchange this one card. Several can go at once if they are all of one number; if they differ, {cost}"
    return f"Exchange them. If they differ, {cost}"


def _end_window_advice(now: PromptContext, advice: Advice) -> str:
    """The window at the end of the turn (G24): what it is for, and whether to use it."""
    texts = [
        now.view.residents[number].text
        for number in dict.fromkeys([now.card(move.spot).number for move in now.view.legal if move.verb == "ability"])
        if number is not None
    ]
    if "token" in now.verbs:
        texts.append(BOX_BY_LETTER[now.view.token[0]].token_text)
    text = join_list(usable_names(now), " or ")
    return (
        f"You have taken your main action. Before the next player's turn you may still use {text}; it costs no turn."
        f" {' '.join(texts)} {_best_move_text(now, advice)}"
    )


ADVICE_BY_STEP: dict[str, Callable[[PromptContext, Advice], str]] = {
    asking.STEP_MAIN_ACTION: _main_action_advice,
    asking.STEP_HAND: _hand_advice,
    asking.STEP_MORE_CARDS: _more_cards_advice,
    asking.STEP_END_WINDOW: _end_window_advice,
}
