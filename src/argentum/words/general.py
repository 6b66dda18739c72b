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
# What others are told that somebody chooses.
CHOOSES = {
    asking.FIRST: "a card",
    asking.SECOND: "a second card",
    asking.ANOTHER: "another card",
    asking.VILLAGE: "a village",
    asking.WAY: "a direction",
    asking.USE: "what to use",
    asking.END: "an end of a village",
    asking.SPOT: "a spot",
    asking.HAND: "what to do with a card",
    asking.KEEP: "a card from the top of the deck",
}


def general(now: Moment) -> Asked:
    """A question by its step, with the resident's text and what was picked so far."""
    so_far = f" So far: {now.seating.spots(now.picked)}." if now.picked else ""
    or_stop = ", or stop" * ("stop" in now.verbs)
    title = TITLES[now.asking.step].format(asker=now.asker, hand=now.hand, or_stop=or_stop)
    return title, now.asker_text + so_far
