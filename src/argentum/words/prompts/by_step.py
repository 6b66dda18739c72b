"""What a turn itself asks: the first look, the main action, the card in hand, the windows, and where a card goes."""

from collections.abc import Callable

from argentum.rules import asking
from argentum.words.buttons import top_card
from argentum.words.context import Moment, also, uses
from argentum.words.english import choices, listed, sentence
from argentum.words.residents.texts import Asked

TITLES = {
    asking.STEP_CARD: "Choose a card for {asker}.",
    asking.STEP_SECOND_CARD: "Choose a second card for {asker}.",
    asking.STEP_ANOTHER_CARD: "Choose another card for {asker}{or_stop}.",
    asking.STEP_VILLAGE: "Choose a village for {asker}.",
    asking.STEP_DIRECTION: "Choose a direction for {asker}.",
    asking.STEP_USE: "Choose what to use with {asker}.",
    asking.STEP_VILLAGE_END: "Choose an end of the village for {asker}.",
    asking.STEP_SPOT: "Choose a spot for {hand}.",
    asking.STEP_HAND: "Choose what to do with {hand}.",
    asking.STEP_KEEP: "Choose the card to draw.",
}
# What others are told, after the name of the player who is asked.
CHOOSES = {
    asking.STEP_CARD: "chooses a card for {asker}",
    asking.STEP_SECOND_CARD: "chooses a second card for {asker}",
    asking.STEP_ANOTHER_CARD: "chooses another card for {asker}",
    asking.STEP_VILLAGE: "chooses a village for {asker}",
    asking.STEP_DIRECTION: "chooses a direction for {asker}",
    asking.STEP_USE: "chooses what to use with {asker}",
    asking.STEP_VILLAGE_END: "chooses an end of the village for {asker}",
    asking.STEP_SPOT: "chooses a spot for {asker}",
    asking.STEP_HAND: "decides what to do with a card, with {asker}",
    asking.STEP_KEEP: "chooses one of the deck's top cards, with {asker}",
}


def general(now: Moment) -> Asked:
    """A question by its step, with the resident's text and what was picked so far."""
    so_far = f" So far: {now.seating.spots(now.picked)}." if now.picked else ""
    or_stop = ", or stop" * ("stop" in now.verbs)
    title = TITLES[now.asking.step].format(asker=now.asker, hand=now.hand, or_stop=or_stop)
    return title, now.asker_text + so_far


TAKEN = "G8"  # a card from the discard pile is in hand, which must be exchanged


def look(now: Moment) -> Asked:
    """The first look (G4)."""
    if now.picked:
        return "Choose the second card to look at.", "You see both at once, and nobody else does."
    return "Look at two of your cards.", "Choose them: you see both, and nobody else does."


def action(now: Moment) -> Asked:
    """The main action (G5)."""
    view = now.view
    actions = {
        "draw": "draw from the deck",
        "draw private": "draw from your own deck",
        "take": f"take {top_card(view)}" if view.discard else "",
        "call": "call for a vote",
    }
    ways = [words for verb, words in actions.items() if verb in now.verbs]
    if "draw 1" in now.verbs:
        shown = listed([now.the(card.number) for card in view.shown], " or ")
        ways.insert("draw" in now.verbs, f"draw {shown} shown beside it" if ways else f"draw {shown}")
    detail = choices(ways + uses(now, True)) + also(now)
    if not view.caller:
        return "It is your turn.", detail
    title = "It is your turn." if view.extra_turns else "This is your last turn."
    return title, f"{sentence(now.seating.does(view.caller, 'have'))} called. {detail}"


def hand(now: Moment) -> Asked:
    """A card in hand (G7, G8)."""
    exchange = "choose one or more cards to exchange it for"
    if now.asking.label == TAKEN:
        return f"You took {now.hand}.", sentence(exchange) + "." + also(now)
    title = f"You drew {now.hand}."
    if "discard" not in now.verbs:  # it clings (D4)
        return title, f"It can't be discarded: {exchange}.{also(now)}"
    ways = [exchange] if "exchange" in now.verbs else []
    ways.append("discard it")
    card = now.view.hand
    if "use" in now.verbs and card is not None and card.number is not None:
        joins = now.view.residents[card.number].joins_village
        ways.append("use it" if joins else "discard it and use its ability")
    return title, choices(ways) + also(now)


def more(now: Moment) -> Asked:
    """More cards for an exchange, or no more (G10)."""
    title = f"Exchange {now.seating.spots(now.picked)} for {now.hand}."
    if len(now.picked) == 1:
        return title, "Or choose more cards of the same number to go with it."
    return title, "They must be of one number, or they stay. Or choose more."


def spot(now: Moment) -> Asked:
    """The spot for the new card, among those that the old ones leave (G10)."""
    return f"Choose the spot for {now.hand}.", "The other cards leave, and the row closes up."


def end(now: Moment) -> Asked:
    """An end of the village for the card in hand, after a failed exchange (G11)."""
    return (
        f"Choose an end of your village for {now.hand}.",
        "Your cards don't match: they stay, facedown, and it joins them.",
    )


def penalty(now: Moment) -> Asked:
    """An end for the penalty card (G11)."""
    face = "faceup" if now.view.deck_up else "facedown"
    return (
        "Choose an end of your village for the penalty card.",
        f"You tried three or more cards, so the deck's top card joins you too, {face}.",
    )


def close(now: Moment) -> Asked:
    """The window after the main action (G24)."""
    return "Your turn is nearly over.", choices([*uses(now), "end your turn"])


QUESTIONS: dict[str, Callable[[Moment], Asked]] = {
    asking.STEP_FIRST_LOOK: look,
    asking.STEP_MAIN_ACTION: action,
    asking.STEP_HAND: hand,
    asking.STEP_MORE_CARDS: more,
    asking.STEP_SPOT: spot,
    asking.STEP_VILLAGE_END: end,
    asking.STEP_PENALTY_END: penalty,
    asking.STEP_END_WINDOW: close,
}
