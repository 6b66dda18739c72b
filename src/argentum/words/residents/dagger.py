# mypyc: compile
"""Texts of Silver Dagger."""

from argentum.rules.asking import (
    STEP_ANOTHER_CARD,
    STEP_CARD,
    STEP_SECOND_CARD,
    STEP_SPOT,
    STEP_USE,
    STEP_VILLAGE,
    STEP_VILLAGE_END,
)
from argentum.words.context import PromptContext
from argentum.words.english import indefinite_article
from argentum.words.residents.texts import (
    KEEP_FACES,
    THEIR_LOOK_ADVICE,
    UNSEEN,
    PromptText,
    ResidentTexts,
    look_advice,
    look_again_question,
)


def zombie_question(context: PromptContext) -> PromptText:
    """Ask for a village end for a Zombie that is sent away or cannot be discarded (D4)."""
    if context.view.hand is None:
        village = context.player_names.village_phrase(context.view.previous)
        return f"Choose an end of {village} for the Zombie.", "It goes there facedown."
    if context.picked:  # A Witch put it there (X19).
        village = context.player_names.village_phrase(context.picked[0][0])
        return f"Choose an end of {village} for the Zombie.", "The Zombie there doesn't leave, so this one joins it."
    free = [card for card in context.view.villages[context.asking.seat] if not card.covered]
    stays = "The Zombie in your village doesn't leave, so this one joins it."
    alone = "It can't be discarded, and you have nothing to exchange it for."
    return "Choose an end of your village for the Zombie.", stays if free else alone


def approximator_question(context: PromptContext) -> PromptText:
    return (
        "Choose the second card to discard.",
        f"It goes together with {context.first_pick_phrase}. They need not match.",
    )


def approximator_spot_question(context: PromptContext) -> PromptText:
    return (
        f"Choose the spot for {context.hand_phrase}.",
        "It goes in faceup. The two cards are discarded, and the row closes up.",
    )


def elusive_seer_question(context: PromptContext) -> PromptText:
    number = context.card(context.picked[-1]).number
    title = "Look at another card."
    if number is not None:
        name = context.view.residents[number].name
        title = f"Look at another card: {indefinite_article(name)} {name} is above 4."
    return title, f"You go on until one is 4 or lower. So far: {context.player_names.spots_phrase(context.picked)}."


def magician_question(context: PromptContext) -> PromptText:
    card = context.resident_phrase(context.card(context.picked[0]).number)
    if "use" not in context.verbs:
        return f"Choose a card of yours to switch for {card}.", f"It lies at {context.first_pick_phrase}. {KEEP_FACES}"
    if "" not in context.verbs:
        return f"Use {card}.", f"It lies at {context.first_pick_phrase}."
    return (
        f"Use {card}, or choose a card of yours to switch for it.",
        f"It lies at {context.first_pick_phrase}. Use it as if you had drawn it.",
    )


def master_thief_question(context: PromptContext) -> PromptText:
    return (
        f"Switch {context.known_spot_phrase(context.picked[0])} for a card of another village.",
        f"Choose that card. {KEEP_FACES} You don't look at the one you choose.",
    )


RESIDENT_TEXTS: dict[str, ResidentTexts] = {
    "D0": ResidentTexts(shows_facing=True, own_score_change="{name}: {cards} in other villages", shows_difference=True),
    "D1": ResidentTexts(
        questions={STEP_CARD: ("Choose a facedown card of another village to look at.", UNSEEN)},
        waiting_texts={STEP_CARD: "chooses a card to look at with {asker}"},
        advice=THEIR_LOOK_ADVICE,
    ),
    "D2": ResidentTexts(shows_facing=True, own_score_change="{name} halves {before}{rounded}"),
    "D4": ResidentTexts(questions={STEP_VILLAGE_END: zombie_question}),
    "D5": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose the first of two cards to discard.",
                "They need not match. The Approximator goes into the spot of one of them.",
            ),
            STEP_SECOND_CARD: approximator_question,
            STEP_SPOT: approximator_spot_question,
        },
        waiting_texts={
            STEP_CARD: "chooses a card to discard for {asker}",
            STEP_SECOND_CARD: "chooses a second card to discard for {asker}",
        },
        advice="Discard your two highest cards: you get a 5 for them, and have one card fewer.",
    ),
    "D6": ResidentTexts(
        questions={STEP_VILLAGE: ("Choose a village to flip.", "Every card in it turns over.")},
        waiting_texts={STEP_VILLAGE: "chooses a village to flip with {asker}"},
        advice="Flip a village whose faceup cards help its owner, or your own to see all your cards.",
    ),
    "D7": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose a facedown card to look at.",
                "In any village. You go on until one is 4 or lower, and that one turns faceup.",
            ),
            STEP_ANOTHER_CARD: elusive_seer_question,
        },
        waiting_texts={
            STEP_CARD: "chooses a card to look at with {asker}",
            STEP_ANOTHER_CARD: "chooses another card to look at with {asker}",
        },
        advice=look_advice,
    ),
    "D8": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose a facedown card of another village to turn faceup.",
                "Then use its draw ability, or switch it for one of yours.",
            ),
            STEP_USE: magician_question,
        },
        waiting_texts={
            STEP_CARD: "chooses a card to turn faceup with {asker}",
            STEP_USE: "decides what to do with the card that {asker} turned up",
        },
        advice="Look for a low card: you can switch your highest for it.",
    ),
    "D9": ResidentTexts(
        questions={
            STEP_CARD: ("Look at up to two facedown cards.", "In any villages. Nobody else sees them."),
            STEP_ANOTHER_CARD: look_again_question(2, "In any village."),
        },
        waiting_texts={
            STEP_CARD: "chooses a card to look at with {asker}",
            STEP_ANOTHER_CARD: "chooses another card to look at with {asker}",
        },
        advice=look_advice,
    ),
    "D12": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose a facedown card to look at.",
                "In any village. Then you switch it for a card of another village, if you can.",
            ),
            STEP_SECOND_CARD: master_thief_question,
        },
        waiting_texts={STEP_CARD: "chooses a card to look at with {asker}"},
        advice="Start with a high card of yours, and switch it for a card that somebody wants to keep.",
    ),
    "D13": ResidentTexts(
        own_score_change="{name}: exactly 50 becomes 0", other_score_change="{whose} {name} hit exactly 50"
    ),
}
