"""Advice for a first game: a sentence or two about what matters now."""

from collections.abc import Callable

from argentum.rules import asking
from argentum.rules.boxes import BOX_OF
from argentum.rules.residents import DRAWN, SCORING
from argentum.rules.turns import MOST_TO_CALL
from argentum.rules.views import View
from argentum.words.holdings import LOW, UNKNOWN, Holdings
from argentum.words.moment import Moment
from argentum.words.residents import voice_of
from argentum.words.seating import COUNTS, a_number, listed, sentence
from argentum.words.turns import TAKEN
from argentum.words.windows import usable

GOOD_CALL = 8
COST = (
    "they all stay, everybody has seen them, and the new card joins your village. If you try three or more, so does the"
    " deck's top card."
)


FIRST_LOOK = (
    "The fewest points win, and a card counts its number. Look at any two of your cards and remember them."
    " Get rid of high cards; keep low ones."
)


def coach(view: View) -> str:
    """What a newcomer should know now; often nothing."""
    if not view.legal:
        return ""
    now = Moment(view)
    if view.looking:
        return FIRST_LOOK
    if now.asking.label.startswith("G"):
        advise = RULES.get(now.asking.step)
        return "" if advise is None else advise(now)
    return voice_of(now.asking.label).advice or now.asker_text


def of_sets(view: View) -> tuple[str, str, str]:
    """What to say of several picked cards before they are sent: they match, they do not, nobody can be sure (G10)."""
    have = len(view.villages[view.seat])
    more = f"With two, your {COUNTS[have]} cards would be {COUNTS[have - 1]}." if 1 < have < len(COUNTS) else ""
    return (
        f"These match: they all go, and one card takes their place. {more}".strip(),
        f"These don't match. You would keep them all and gain a card. Only cards with the same number go together: if"
        f" they differ, {COST}",
        f"You can't be sure that these match: you don't know all of them. If they differ, {COST}",
    )


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


def _opening(now: Moment) -> str:
    """Before the main action: the call, sets, what may be used, and the discard pile."""
    mine = Holdings(now.view)
    last = _last_turn(now, mine)
    if last:
        return last
    return _calling(now, mine) or _with_set(now, mine) or _to_use(now) or _pile(now, mine)


def _last_turn(now: Moment, mine: Holdings) -> str:
    """Somebody has called."""
    if not now.view.caller:
        return ""
    who = sentence(now.seating.does(now.view.caller, "have"))
    pair = mine.worth(LOW)
    how = f"exchange {mine.name(pair)} together" if pair else "swap a high card for a lower one"
    return f"{who} called, so this is your last chance: {how} if you can."


def _calling(now: Moment, mine: Holdings) -> str:
    """Whether to call, or what a call still needs (G9)."""
    total, cards = mine.total, len(now.view.villages[now.view.seat])
    if total > GOOD_CALL:
        return ""
    low = f"Your village counts about {total}, which is low."
    if "call" in now.verbs:
        return f"{low} Call now: if nobody has less, you score 0. If somebody does, you score 10 points more."
    if cards > MOST_TO_CALL:
        return (
            f"{low} But a call needs {COUNTS[MOST_TO_CALL]} cards or fewer, and you have {COUNTS[cards]}: exchange"
            " several cards of one number for one to get there."
        )
    if now.view.deck or now.view.shown:
        return f"{low} You can't call in a turn in which you have used something; call on your next one."
    return ""


def _with_set(now: Moment, mine: Holdings) -> str:
    """Two or more cards of one number (G10): with the card on the discard pile, or with what is drawn."""
    top = now.view.discard[0] if "take" in now.verbs else None
    if top is not None and top.up and top.number is not None and top.number <= LOW:
        spots = mine.worth(top.number)
        if spots:
            name = now.view.residents[top.number].name
            return f"Take the {name}, which is only {a_number(top.number)}, and exchange {mine.both(spots)} for it."
    spots = mine.worth(LOW)
    if not spots:
        return ""
    return (
        f"You hold a set: {mine.name(spots)}. Draw a card; if you want to keep it, exchange {mine.both(spots)} for it."
        f" Fewer cards count less, and with {COUNTS[MOST_TO_CALL]} or fewer you can call."
    )


def _to_use(now: Moment) -> str:
    """The token, or a card of the village."""
    if "token" in now.verbs:
        return f"{sentence(now.token)} is ready for use. {BOX_OF[now.view.token[0]].token_text}"
    for move in now.view.legal:
        number = now.card(move.spot).number if move.verb == "ability" else None
        if number is not None:
            return f"You may use your {now.view.residents[number].name}. {now.view.residents[number].text}"
    return ""


def _pile(now: Moment, mine: Holdings) -> str:
    """Draw or take."""
    top = now.view.discard[0] if "take" in now.verbs else None
    if top is None or top.number is None or not top.up:
        return "Draw a card: you can exchange it for one of yours, or discard it."
    name = now.view.residents[top.number].name
    old = mine.single(top.number)
    if top.number <= LOW and old:
        return (
            f"The {name} on the discard pile is only {a_number(top.number)}: take it, in exchange for {old}."
            " It will lie faceup, where everybody sees it."
        )
    return (
        f"Draw from the deck: you may keep the card or discard it. The {name}, {a_number(top.number)}, would have to go"
        " into your village, faceup."
    )


def _hand(now: Moment) -> str:
    """A card in hand."""
    mine = Holdings(now.view)
    return _taken(now, mine) if now.asking.label == TAKEN else _drawn(now, mine)


def _drawn(now: Moment, mine: Holdings) -> str:
    """A card drawn from a deck."""
    number = None if now.view.hand is None else now.view.hand.number
    if number is None:
        return ""
    resident = now.view.residents[number]
    if "exchange" in now.verbs:
        spots = mine.worth(number)
        if spots:
            return (
                f"{sentence(mine.name(spots))}: choose {'both' if len(spots) == 2 else 'them all'} and exchange them"
                " for this card, and you have fewer cards to count."
            )
        old = mine.single(number)
        if number <= LOW and old:
            return f"You drew {a_number(number)}, which is low. Keep it: choose {old}, and exchange."
    if "discard" not in now.verbs:
        return resident.text
    if resident.timing == SCORING and number > LOW:
        return f"The {resident.name} doesn't count like other cards. {resident.text}"
    if resident.timing == DRAWN and "use" in now.verbs:
        return f"{sentence(a_number(number))} isn't low, but you can use it instead of keeping it. {resident.text}"
    if mine.highest > number:
        return f"{sentence(a_number(number))} is lower than {mine.worst}: you could exchange it for that."
    return f"{sentence(a_number(number))} wouldn't make your village lower: discard it."


def _taken(now: Moment, mine: Holdings) -> str:
    """A card taken from the discard pile (G8)."""
    number = None if now.view.hand is None else now.view.hand.number
    spots = mine.worth(UNKNOWN if number is None else number)
    if spots:
        return f"It must go into your village now: choose {mine.both(spots)}, and exchange them together."
    old = mine.single(UNKNOWN if number is None else number)
    return f"It must go into your village now: choose {old}, and exchange." if old else ""


def _more(now: Moment) -> str:
    """More cards for a set, and what a wrong one costs (G10, G11)."""
    mine = Holdings(now.view)
    numbers = [now.card(spot).number for spot in now.picked]
    known = [number for number in numbers if number is not None]
    if mine.clash(known):
        told = listed([a_number(number) for number in known])
        return f"These don't match: {told}. If you exchange them, {COST}"
    twins = mine.twins(known, now.picked)
    if twins:
        spots = sentence(now.seating.spots(twins))
        has = "has the same number: choose it too" if len(twins) == 1 else "have the same number: choose them too"
        return f"{spots} {has}, and you have fewer cards to count."
    return f"You can exchange several cards at once if they are all of one number. If they differ, {COST}"


def _close(now: Moment) -> str:
    """The window at the end of the turn (G24)."""
    texts = [
        now.view.residents[number].text
        for number in dict.fromkeys([now.card(move.spot).number for move in now.view.legal if move.verb == "ability"])
        if number is not None
    ]
    if "token" in now.verbs:
        texts.append(BOX_OF[now.view.token[0]].token_text)
    what = listed(usable(now), " or ")
    return f"You have had your main action. You may still use {what}, or end your turn. {' '.join(texts)}"


RULES: dict[str, Callable[[Moment], str]] = {
    asking.ACTION: _opening,
    asking.HAND: _hand,
    asking.MORE: _more,
    asking.CLOSE: _close,
}
