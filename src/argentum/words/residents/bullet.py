"""Silver Bullet: what its residents and its token ask and tell."""

from argentum.rules.asking import STEP_VILLAGE_END, STEP_CARD, STEP_SECOND_CARD, STEP_USE, STEP_VILLAGE
from argentum.words.context import Moment
from argentum.words.english import listed
from argentum.words.residents.texts import FLIP, FLIP_ADVICE, KEEP_FACES, Asked, Voice


def mortician(now: Moment) -> Asked:
    """Which of the exchanged cards to use (B4). If others did not see them, this is asked even if none can be."""
    numbers = [int(str(move).split()[1]) for move in now.view.legal if str(move) != "stop"]
    if not numbers:
        return "Go on: none of the cards you exchanged can be used.", "The others can't tell, so you are asked anyway."
    names = listed([now.the(number) for number in numbers], " or ")
    return "Use a card you just exchanged, or none.", f"Your Mortician lets you use the ability of {names}."


def counts_zombie(now: Moment) -> Asked:
    """Where a card that cannot stay on the pile goes (B10, D4)."""
    name = now.the(now.view.discard[0].number)
    return (
        f"Choose an end of your village for {name}.",
        "It can't stay on top of the discard pile, so it joins you faceup.",
    )


def troublemaker(now: Moment) -> Asked:
    """The second card, of another village than the first."""
    return f"Choose the card to switch {now.first} for.", f"In another village. {KEEP_FACES}"


def gremlin(now: Moment) -> Asked:
    """The end of the village that was chosen."""
    village = now.seating.village(now.asking.picked[-1].spot)
    return f"Choose an end of {village} for the Gremlin.", "Left and right are as its owner sees them."


VOICES: dict[str, Voice] = {
    "B0": Voice(
        asks={STEP_CARD: ("Leave one of your cards out, or none.", "It doesn't count for this round.")},
        chooses={STEP_CARD: "decides whether to leave out a card with {asker}"},
        decline="Leave nothing out",
        advice="Leave out your highest card.",
    ),
    "B2": Voice(
        asks={STEP_CARD: ("Choose one of your cards to flip.", FLIP)},
        chooses={STEP_CARD: "chooses a card to flip with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "B4": Voice(
        asks={STEP_USE: mortician},
        chooses={STEP_USE: "decides whether to use an exchanged card with {asker}"},
        decline="Use none",
    ),
    "B6": Voice(
        asks={STEP_CARD: ("Choose a card to flip.", f"In any village. {FLIP}")},
        chooses={STEP_CARD: "chooses a card to flip with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "B8": Voice(
        asks={
            STEP_VILLAGE: (
                "Choose a village to shuffle.",
                "Its facedown cards trade places, and nobody knows them now.",
            )
        },
        chooses={STEP_VILLAGE: "chooses a village to shuffle with {asker}"},
        advice="Shuffle somebody who knows their cards well, not yourself.",
    ),
    "B9": Voice(
        asks={STEP_CARD: ("Choose a faceup card to use.", "In any village. You use it as if you had just drawn it.")},
        chooses={STEP_CARD: "chooses a faceup card to use with {asker}"},
    ),
    "B10": Voice(
        asks={STEP_VILLAGE_END: counts_zombie},
        chooses={STEP_VILLAGE_END: "chooses an end of the village, with {asker}"},
    ),
    "B11": Voice(
        asks={
            STEP_CARD: ("Choose the first of two cards to switch.", f"They come from two villages. {KEEP_FACES}"),
            STEP_SECOND_CARD: troublemaker,
        },
        chooses={STEP_CARD: "chooses a card to switch with {asker}"},
        advice="Switch a high card of yours for a low one, or for a card you know nothing about.",
    ),
    "B12": Voice(
        asks={
            STEP_VILLAGE: ("Choose a village for the Gremlin.", "It joins that village faceup, at the end you choose."),
            STEP_VILLAGE_END: gremlin,
        },
        advice="A 12 is a burden: give it to somebody who is doing well.",
    ),
    "B14": Voice(
        asks={
            STEP_CARD: (
                "Choose one of your cards for the silver bullet.",
                "It counts 0, and nothing can touch it for the rest of the round.",
            )
        },
        advice="Put it on your highest card: that one counts 0 from now on.",
    ),
}
