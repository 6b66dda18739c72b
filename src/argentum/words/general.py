"""Questions in general words, from the step alone: for residents that have no entry of their own."""

from argentum.rules import asking
from argentum.words.moment import Moment
from argentum.words.residents.voice import Asked

TITLES = {
    asking.FIRST: "Choose a card for {asker}.",
    asking.SECOND: "Choose a second card for {asker}.",
    asking.ANOTHER: "Choose another card for {asker}{or_stop}.",
    asking.VILLAGE: "Choose a village for {asker}.",
    asking.WAY: "Choose a direction for {asker}.",
    asking.USE: "Choose what to use with {asker}.",
    asking.END: "Choose an end of the village for {asker}.",
    asking.SPOT: "Choose a spot for {hand}.",
    asking.HAND: "Choose what to do with {hand}.",
    asking.KEEP: "Choose the card to draw.",
}
# What others are told, after the name of the player who is asked.
CHOOSES = {
    asking.FIRST: "chooses a card for {asker}",
    asking.SECOND: "chooses a second card for {asker}",
    asking.ANOTHER: "chooses another card for {asker}",
    asking.VILLAGE: "chooses a village for {asker}",
    asking.WAY: "chooses a direction for {asker}",
    asking.USE: "chooses what to use with {asker}",
    asking.END: "chooses an end of the village for {asker}",
    asking.SPOT: "chooses a spot for {asker}",
    asking.HAND: "decides what to do with a card, with {asker}",
    asking.KEEP: "chooses one of the deck's top cards, with {asker}",
}


def general(now: Moment) -> Asked:
    """A question by its step, with the resident's text and what was picked so far."""
    so_far = f" So far: {now.seating.spots(now.picked)}." if now.picked else ""
    or_stop = ", or stop" * ("stop" in now.verbs)
    title = TITLES[now.asking.step].format(asker=now.asker, hand=now.hand, or_stop=or_stop)
    return title, now.asker_text + so_far
