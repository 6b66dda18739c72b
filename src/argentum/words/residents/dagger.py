"""Silver Dagger: what its residents and its token ask and tell."""

from argentum.rules.asking import (
    STEP_ANOTHER_CARD,
    STEP_VILLAGE_END,
    STEP_CARD,
    STEP_SECOND_CARD,
    STEP_SPOT,
    STEP_USE,
    STEP_VILLAGE,
)
from argentum.words.context import Moment
from argentum.words.english import article
from argentum.words.residents.texts import KEEP_FACES, THEIR_LOOK_ADVICE, UNSEEN, Asked, Voice, look_advice, look_on


def zombie(now: Moment) -> Asked:
    """An end for a Zombie that is sent away, or that joins a village since it cannot be discarded (D4)."""
    if now.view.hand is None:
        village = now.seating.village(now.view.previous)
        return f"Choose an end of {village} for the Zombie.", "It goes there facedown."
    if now.picked:  # a Witch's (X19)
        village = now.seating.village(now.picked[0][0])
        return f"Choose an end of {village} for the Zombie.", "The Zombie there doesn't leave, so this one joins it."
    free = [card for card in now.view.villages[now.asking.seat] if not card.covered]
    stays = "The Zombie in your village doesn't leave, so this one joins it."
    alone = "It can't be discarded, and you have nothing to exchange it for."
    return "Choose an end of your village for the Zombie.", stays if free else alone


def approximator(now: Moment) -> Asked:
    """The second card to discard."""
    return "Choose the second card to discard.", f"It goes together with {now.first}. They need not match."


def approximator_spot(now: Moment) -> Asked:
    """Where the Approximator goes."""
    return f"Choose the spot for {now.hand}.", "It goes in faceup. The two cards are discarded, and the row closes up."


def elusive_seer(now: Moment) -> Asked:
    """One card after another, until one is low."""
    number = now.card(now.picked[-1]).number
    title = "Look at another card."
    if number is not None:
        name = now.view.residents[number].name
        title = f"Look at another card: {article(name)} {name} is above 4."
    return title, f"You go on until one is 4 or lower. So far: {now.seating.spots(now.picked)}."


def magician(now: Moment) -> Asked:
    """The card is faceup: use it or switch it."""
    card = now.the(now.card(now.picked[0]).number)
    if "use" not in now.verbs:
        return f"Choose a card of yours to switch for {card}.", f"It lies at {now.first}. {KEEP_FACES}"
    if "" not in now.verbs:
        return f"Use {card}.", f"It lies at {now.first}."
    return (
        f"Use {card}, or choose a card of yours to switch for it.",
        f"It lies at {now.first}. Use it as if you had drawn it.",
    )


def master_thief(now: Moment) -> Asked:
    """The card is known to its thief: switch it."""
    return (
        f"Switch {now.known(now.picked[0])} for a card of another village.",
        f"Choose that card. {KEEP_FACES} You don't look at the one you choose.",
    )


VOICES: dict[str, Voice] = {
    "D0": Voice(faced=True, change="{name}: {cards} in other villages", by=True),
    "D1": Voice(
        asks={STEP_CARD: ("Choose a facedown card of another village to look at.", UNSEEN)},
        chooses={STEP_CARD: "chooses a card to look at with {asker}"},
        advice=THEIR_LOOK_ADVICE,
    ),
    "D2": Voice(faced=True, change="{name} halves {before}{rounded}"),
    "D4": Voice(asks={STEP_VILLAGE_END: zombie}),
    "D5": Voice(
        asks={
            STEP_CARD: (
                "Choose the first of two cards to discard.",
                "They need not match. The Approximator goes into the spot of one of them.",
            ),
            STEP_SECOND_CARD: approximator,
            STEP_SPOT: approximator_spot,
        },
        chooses={
            STEP_CARD: "chooses a card to discard for {asker}",
            STEP_SECOND_CARD: "chooses a second card to discard for {asker}",
        },
        advice="Discard your two highest cards: you get a 5 for them, and have one card fewer.",
    ),
    "D6": Voice(
        asks={STEP_VILLAGE: ("Choose a village to flip.", "Every card in it turns over.")},
        chooses={STEP_VILLAGE: "chooses a village to flip with {asker}"},
        advice="Flip a village whose faceup cards help its owner, or your own to see all your cards.",
    ),
    "D7": Voice(
        asks={
            STEP_CARD: (
                "Choose a facedown card to look at.",
                "In any village. You go on until one is 4 or lower, and that one turns faceup.",
            ),
            STEP_ANOTHER_CARD: elusive_seer,
        },
        chooses={
            STEP_CARD: "chooses a card to look at with {asker}",
            STEP_ANOTHER_CARD: "chooses another card to look at with {asker}",
        },
        advice=look_advice,
    ),
    "D8": Voice(
        asks={
            STEP_CARD: (
                "Choose a facedown card of another village to turn faceup.",
                "Then use its draw ability, or switch it for one of yours.",
            ),
            STEP_USE: magician,
        },
        chooses={
            STEP_CARD: "chooses a card to turn faceup with {asker}",
            STEP_USE: "decides what to do with the card that {asker} turned up",
        },
        advice="Look for a low card: you can switch your highest for it.",
    ),
    "D9": Voice(
        asks={
            STEP_CARD: ("Look at up to two facedown cards.", "In any villages. Nobody else sees them."),
            STEP_ANOTHER_CARD: look_on(2, "In any village."),
        },
        chooses={
            STEP_CARD: "chooses a card to look at with {asker}",
            STEP_ANOTHER_CARD: "chooses another card to look at with {asker}",
        },
        advice=look_advice,
    ),
    "D12": Voice(
        asks={
            STEP_CARD: (
                "Choose a facedown card to look at.",
                "In any village. Then you switch it for a card of another village, if you can.",
            ),
            STEP_SECOND_CARD: master_thief,
        },
        chooses={STEP_CARD: "chooses a card to look at with {asker}"},
        advice="Start with a high card of yours, and switch it for a card that somebody wants to keep.",
    ),
    "D13": Voice(change="{name}: exactly 50 becomes 0", abroad="{whose} {name} hit exactly 50"),
}
