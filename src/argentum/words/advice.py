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
    preview_exchange,
    cast_of_view_fields,
    known_sets,
)
from argentum.rules.move import Move
from argentum.rules.residents import WINDOW_MAIN_ACTION, TIMING_SCORING, Resident
from argentum.rules.turns import MAX_CARDS_TO_CALL
from argentum.rules.views import View
from argentum.words.buttons import in_sentence, label
from argentum.words.context import Moment, card_at, usable
from argentum.words.english import COUNTS, a_number, listed, sentence
from argentum.words.player_names import seating_of, signed
from argentum.words.prompts.by_step import TAKEN
from argentum.words.residents import voice_of

LOW = 4
UNKNOWN = 6  # what a card that nobody has seen counts, about


class Holdings:
    """The reader's cards that may be touched, with their numbers where known."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seating = seating_of(view)
        village = list(enumerate(view.villages[view.seat], start=1))
        self.cards = [(f"{view.seat}{place}", card.number) for place, card in village if not card.covered]
        kept = [
            card.number for _, card in village if card.covered and not BOX_BY_LETTER[view.token[0]].token_mutes_card
        ]
        counts = [number for _, number in self.cards] + kept
        # What the village counts, about; an unknown card counts as an average one.
        self.total = sum([UNKNOWN if number is None else number for number in counts])

    @property
    def burdens(self) -> list[tuple[int, str]]:
        """Numbers and spots of the known cards that simply count their number and can be got rid of."""
        return [(number, spot) for spot, number in self.cards if number is not None and self._goes(number)]

    def _goes(self, number: int) -> bool:
        """Whether cards of a number simply count it, and can leave the village (D4)."""
        resident = self.view.residents[number]
        return resident.timing != TIMING_SCORING and not resident.clings

    def sets(self) -> list[list[str]]:
        """The sets that the reader knows, of cards that can be got rid of (G10)."""
        view = self.view
        cast = cast_of_view_fields(view.residents, view.boxes, view.token)
        places = [int(spot[1:]) - 1 for _, spot in self.burdens]
        found = known_sets(cast, view.villages[view.seat], places)
        return [[f"{view.seat}{place + 1}" for place in one] for one in found]

    def worth(self, number: int) -> list[str]:
        """The set that is best exchanged for a card of this number; empty where there is none, or not worth it.

        A set of cards above LOW is worth it whenever it counts more than the new card; a low one only if it counts as
        much as the worst single card that could go instead.
        """
        instead = max([UNKNOWN if known is None else known for _, known in self.cards], default=0)
        best: list[str] = []
        for spots in self.sets():
            counts = self.counts(spots)
            high = min(self._numbers(spots)) > LOW
            if counts > number and (high or counts >= instead) and counts > self.counts(best):
                best = spots
        return best

    def _numbers(self, spots: Sequence[str]) -> list[int]:
        numbers = dict(self.cards)
        return [number for number in [numbers[spot] for spot in spots] if number is not None]

    def counts(self, spots: Sequence[str]) -> int:
        """What known cards count together."""
        return sum(self._numbers(spots))

    def name(self, spots: Sequence[str]) -> str:
        """A set in words: "your spots 1 and 4 are two 9s"."""
        tame = {number for number in self._numbers(spots) if not self.view.residents[number].wild}
        where = self.seating.spots(spots)
        if len(tame) == 1 and len(set(self._numbers(spots))) == 1:
            return f"{where} are {COUNTS[len(spots)]} {tame.pop()}s"
        return f"{where} go together"

    def both(self, spots: Sequence[str]) -> str:
        """A set as what is chosen."""
        return f"{'both ' * (len(spots) == 2)}{self.seating.spots(spots)}"


GOOD_CALL = 8


FIRST_LOOK = (
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


def coach(view: View, advice: Advice | None) -> str:
    """What a newcomer is told now. What it says to do is what is advised, and nothing else."""
    if advice is None:
        return ""
    now = Moment(view)
    if view.looking:
        return FIRST_LOOK
    if now.asking.label.startswith("G"):
        explain = RULES.get(now.asking.step)
        return "" if explain is None else explain(now, advice)
    why = voice_of(now.asking.label).advice
    words = why if isinstance(why, str) else why(now)
    return f"{words or now.asker_text} {_best(now, advice)}"


def _best(now: Moment, advice: Advice) -> str:
    """What is advised, in the words of its button or card."""
    return f"Best here: {in_sentence(label(advice.move, now.view), now.view)}."


class Said(NamedTuple):
    """What is said of cards that are picked for an exchange, before they are sent."""

    fits: str  # one of argentum.rules.exchange_preview
    title: str
    words: str
    numbers: str  # "7 ≠ 9"; empty where nobody can be sure
    change: str  # "5 cards would be 6"; empty too


def of_picks(view: View, spots: Sequence[str]) -> Said:
    """What to say of several cards that the reader has picked: what an exchange of them comes to (G10, G11)."""
    tried = preview_exchange(view, _places(spots))
    numbers = [card_at(view, spot).number for spot in spots]
    change = (
        "" if tried.village_size is None else f"{len(view.villages[view.seat])} cards would be {tried.village_size}"
    )
    if tried.match_state == MATCH:
        shown = ["?" if number is None else str(number) for number in numbers]
        told = (" = " if len(set(shown)) == 1 else " with ").join(shown)
        return Said(MATCH, "These match.", _match(view, spots, tried), told, change)
    cost = _cost(view, len(spots))
    if tried.match_state == UNSURE:
        return Said(UNSURE, "You can't be sure that these match.", f"If they differ, {cost}", "", "")
    known = [number for number in numbers if number is not None]
    tame = dict.fromkeys([str(number) for number in known if not view.residents[number].wild])
    words = f"Only cards of one number go together. If you send them, {cost}"
    return Said(DIFFER, "These don't match.", words, " ≠ ".join(tame), change)


def _places(spots: Sequence[str]) -> list[int]:
    return [int(spot[1:]) - 1 for spot in spots]


def _match(view: View, spots: Sequence[str], tried: ExchangePreview) -> str:
    """What a set brings, and why it is one; some cards stay all the same (D4)."""
    numbers = [card_at(view, spot).number for spot in spots]
    why = _why(view, [view.residents[number] for number in numbers if number is not None])
    if len(tried.leaving) == len(spots):
        return f"{why}They all leave, and the new card takes their place: fewer cards to count."
    stays = next(one.name for one in view.residents if one.clings)
    if tried.village_size is None:
        return f"{why}But a {stays} may stay."
    staying = f"{why}But each {stays} stays: none can lie on top of the discard pile"
    return (
        f"{staying}. The new card takes the place of the rest." if tried.leaving else f"{staying}, so nothing leaves."
    )


def _why(view: View, those: Sequence[Resident]) -> str:
    """Why cards match though their numbers differ: by a wild one, or a faceup one that raises (A13, B1)."""
    wild = [one.name for one in those if one.wild]
    why = f"The {wild[0]} goes with any number. " if wild else ""
    if len({one.number for one in those if not one.wild}) > 1:
        faceup = [view.residents[card.number or 0] for card in view.villages[view.seat] if card.up]
        why += f"Your faceup {next(one.name for one in faceup if one.raises_set_card)} makes up for the difference. "
    return why


def _cost(view: View, tried: int) -> str:
    """What it costs to try so many cards that differ (G11)."""
    cost = "you keep them all, everybody has seen them, and the new card joins your village."
    more = (
        " So does the deck's top card, because you try three or more."
        if tried >= PENALTY_SET_SIZE and view.deck
        else ""
    )
    return cost + more


def known_set(view: View) -> tuple[str, ...]:
    """The spots of a set that the reader knows: the one that counts most; none if there is none."""
    mine = Holdings(view)
    sets = sorted(mine.sets(), key=mine.counts)
    return tuple(sets[-1]) if sets else ()


# What a first game teaches, in about the order in which it comes up.
TOPICS = (
    "The first look",
    "Draw or take",
    "The card in your hand",
    "Sets",
    "Abilities",
    "The end of a turn",
    "Calling",
)


def topic(view: View, advice: Advice | None) -> int:
    """Which of the topics the reader is at now, from 1; 0 for none."""
    if advice is None:
        return 0
    now = Moment(view)
    step, verb = now.asking.step, advice.move.verb
    if view.looking:
        return 1
    if step == asking.STEP_END_WINDOW:
        return 6
    if verb == "call" or (step == asking.STEP_MAIN_ACTION and Holdings(view).total <= GOOD_CALL):
        return 7
    if verb in ("ability", "token", "use") or not now.asking.label.startswith("G"):
        return 5
    if len(advice.spots) > 1 or step == asking.STEP_MORE_CARDS:
        return 4
    return 2 if step == asking.STEP_MAIN_ACTION else 3


def strong_choice(labels: str) -> str:
    """What a strong bot would do, from the words of its buttons and cards.

    >>> strong_choice("Draw from the deck")
    'A strong bot would choose: Draw from the deck.'
    """
    return f"A strong bot would choose: {labels}."


def before_call(view: View, memory: bool) -> str:
    """What a call brings, before it is sent; at a table without memory also what is known of the own village."""
    what = "Everybody else has one more turn, then all cards are shown."
    cards = view.villages[view.seat]
    known = [card.number for card in cards if card.number is not None]
    if memory or not known:
        return what
    unknown = len(cards) - len(known)
    rest = f", and {COUNTS[unknown]} {'is' if unknown == 1 else 'are'} unknown" if 0 < unknown < len(COUNTS) else ""
    return f"{what} You know {len(known)} of your {len(cards)}: their numbers add up to {sum(known)}{rest}."


def _opening(now: Moment, advice: Advice) -> str:
    """Before the main action: what to do, and what a call or a set still needs."""
    mine = Holdings(now.view)
    return " ".join([words for words in (_last_turn(now), _act(now, advice, mine), _ahead(now, advice, mine)) if words])


def _last_turn(now: Moment) -> str:
    """Somebody has called."""
    if not now.view.caller:
        return ""
    return f"{sentence(now.seating.does(now.view.caller, 'have'))} called, so this is your last chance."


def _act(now: Moment, advice: Advice, mine: Holdings) -> str:
    """The main action, or what is used before it."""
    verb = advice.move.verb
    if verb == "call":
        low = ", which is low" if mine.total <= GOOD_CALL else ""
        return (
            f"Call now: your village counts about {signed(mine.total)}{low}. If nobody has less, you score 0."
            " If somebody does, you score 10 points more."
        )
    if verb == "take":
        return _take(now, advice, mine)
    if verb in ("ability", "token"):
        return _use(now, advice)
    if verb != "draw":  # a card in sight
        return f"{label(advice.move, now.view)}: you can see what you get."
    top = now.view.discard[0] if "take" in now.verbs else None
    if top is None or top.number is None or not top.up:
        return "Draw a card: you can exchange it for one of yours, or discard it."
    return (
        f"Draw from the deck: you may keep the card or discard it. {sentence(now.the(top.number))},"
        f" {a_number(top.number)}, would have to go into your village, faceup."
    )


def _take(now: Moment, advice: Advice, mine: Holdings) -> str:
    """Take the card on the discard pile."""
    number = now.view.discard[0].number
    if number is None:
        return "Take the facedown card."
    only = "only " if number <= LOW else ""
    old = f", and exchange it for {_these(advice, mine)}" if advice.spots else ""
    return (
        f"Take {now.the(number)}, which is {only}{a_number(number)}{old}. It will lie faceup, where everybody sees it."
    )


def _use(now: Moment, advice: Advice) -> str:
    """The token, or a card of the village."""
    number = now.card(advice.move.spot).number if advice.move.verb == "ability" else None
    text = BOX_BY_LETTER[now.view.token[0]].token_text if number is None else now.view.residents[number].text
    if number is not None and now.view.residents[number].window == WINDOW_MAIN_ACTION:
        return f"{label(advice.move, now.view)}: that is your main action, so you don't draw. {text}"
    return f"{label(advice.move, now.view)} first; your main action comes after it. {text}"


def _ahead(now: Moment, advice: Advice, mine: Holdings) -> str:
    """What to look ahead to: a call and what it still needs (G9), or a set that is known (G10)."""
    total, cards = mine.total, len(now.view.villages[now.view.seat])
    if now.view.caller or advice.move.verb == "call":
        return ""
    low = f"Your village counts about {signed(total)}, which is low." if total <= GOOD_CALL else ""
    if low and "call" in now.verbs:
        return f"{low} You could call, but somebody may well have less: wait a turn."
    if low and cards > MAX_CARDS_TO_CALL:
        return (
            f"{low} But a call needs {COUNTS[MAX_CARDS_TO_CALL]} cards or fewer, and you have {COUNTS[cards]}: exchange"
            " several cards of one number for one to get there."
        )
    if low and (now.view.deck or now.view.shown):
        return f"{low} You can't call in a turn in which you have used something; think of it on your next one."
    if low:
        return f"{low} But you can't call: the deck is empty."
    spots = mine.worth(LOW)
    if not spots or advice.move.verb != "draw":
        return ""
    return (
        f"You hold a set: {mine.name(spots)}. If you want to keep what you draw, exchange {mine.both(spots)} for it."
        f" Fewer cards count less, and with {COUNTS[MAX_CARDS_TO_CALL]} or fewer you can call."
    )


def _these(advice: Advice, mine: Holdings) -> str:
    """The cards that are advised for an exchange, in words."""
    if len(advice.spots) > 1:
        return mine.both(advice.spots)
    number = dict(mine.cards).get(advice.spots[0])
    if number is None:
        return f"a card you don't know, such as {mine.seating.spot(advice.spots[0])}"
    return f"{mine.seating.spot(advice.spots[0])}, {a_number(number)}"


def _hand(now: Moment, advice: Advice) -> str:
    """A card in hand."""
    mine = Holdings(now.view)
    number = None if now.view.hand is None else now.view.hand.number
    odd = number is not None and number > LOW and now.view.residents[number].timing == TIMING_SCORING
    text = f"{sentence(now.the(number))} doesn't count like other cards. {now.view.residents[number or 0].text} "
    return (text if odd and now.asking.label != TAKEN else "") + _settle(now, advice, mine, number)


def _settle(now: Moment, advice: Advice, mine: Holdings, number: int | None) -> str:
    """What becomes of the card in hand."""
    match advice.move.verb:
        case "exchange":
            return _exchange(now, advice, mine, number)
        case "use" if number is not None:
            return f"Use it: that is worth more than keeping {a_number(number)}. {now.view.residents[number].text}"
        case "discard" if number is not None:
            return f"{sentence(a_number(number))} wouldn't make your village better: discard it."
        case "ability" | "token":
            return f"{label(advice.move, now.view)} first: the card in your hand can wait."
    return _best(now, advice)


def _exchange(now: Moment, advice: Advice, mine: Holdings, number: int | None) -> str:
    """Which cards to exchange for the one in hand."""
    if len(advice.spots) > 1:
        them = "both" if len(advice.spots) == 2 else "them all"
        return (
            f"{sentence(mine.name(advice.spots))}: choose {them} and exchange them for this card, and you have fewer"
            " cards to count."
        )
    these = _these(advice, mine)
    if now.asking.label == TAKEN:
        return f"It must go into your village now: choose {these}, and exchange."
    if number is None:
        return f"Choose {these}, and exchange."
    low = ", which is low" if number <= LOW else ""
    return f"You drew {a_number(number)}{low}. Keep it: choose {these}, and exchange."


def _more(now: Moment, advice: Advice) -> str:
    """More cards for a set, and what a wrong one costs (G10, G11)."""
    tried = len(now.picked)
    cost = _cost(now.view, tried)
    if tried > 1 and preview_exchange(now.view, _places(now.picked)).match_state == DIFFER:
        numbers = [now.card(spot).number for spot in now.picked]
        told = listed([a_number(number) for number in numbers if number is not None])
        return f"These don't match: {told}. If you exchange them, {cost}"
    if advice.move.verb == "and":
        where = sentence(now.seating.spot(advice.move.spot))
        return f"{where} goes with it: choose it too, and you have fewer cards to count."
    if tried == 1:
        return f"Exchange this one card. Several can go at once if they are all of one number; if they differ, {cost}"
    return f"Exchange them. If they differ, {cost}"


def _close(now: Moment, advice: Advice) -> str:
    """The window at the end of the turn (G24): what it is for, and whether to use it."""
    texts = [
        now.view.residents[number].text
        for number in dict.fromkeys([now.card(move.spot).number for move in now.view.legal if move.verb == "ability"])
        if number is not None
    ]
    if "token" in now.verbs:
        texts.append(BOX_BY_LETTER[now.view.token[0]].token_text)
    what = listed(usable(now), " or ")
    return (
        f"You have taken your main action. Before the next player's turn you may still use {what}; it costs no turn."
        f" {' '.join(texts)} {_best(now, advice)}"
    )


RULES: dict[str, Callable[[Moment, Advice], str]] = {
    asking.STEP_MAIN_ACTION: _opening,
    asking.STEP_HAND: _hand,
    asking.STEP_MORE_CARDS: _more,
    asking.STEP_END_WINDOW: _close,
}
