# mypyc: compile
"""Texts of Silver Coin."""

from argentum.rules.asking import (
    STEP_ANOTHER_CARD,
    STEP_CARD,
    STEP_DIRECTION,
    STEP_SECOND_CARD,
    STEP_USE,
    STEP_VILLAGE,
    STEP_VILLAGE_END,
)
from argentum.words.context import PromptContext, usable_abilities_sentence
from argentum.words.english import join_list, options_sentence
from argentum.words.residents.texts import (
    FLIP,
    FLIP_ADVICE,
    PromptText,
    ResidentTexts,
    look_advice,
    look_again_question,
)


def curator_question(context: PromptContext) -> PromptText:
    discards = "discard" in context.verbs
    return (
        "Choose one of your cards to turn sideways or back.",
        "Or discard one that lies sideways." if discards else "Later a Curator can discard a card that lies sideways.",
    )


def huntress_question(context: PromptContext) -> PromptText:
    return (
        "Choose a different card to turn faceup.",
        f"In any village. You turned {context.first_pick_phrase} facedown.",
    )


def nosferatu_question(context: PromptContext) -> PromptText:
    verbs = {move.verb for move in context.view.legal}
    options = {"take": "take one and exchange it in", "use": "use the ability of one, which stays where it is"}
    detail = options_sentence([words for verb, words in options.items() if verb in verbs])
    cards = [context.view.discard[depth - 1] for depth in context.asking.depths]
    names = [context.resident_phrase(card.number if card.up else None, "a facedown card") for card in cards]
    return "Choose a card from below in the discard pile.", f"{detail} From the top: {join_list(names)}."


def village_idiot_question(context: PromptContext) -> PromptText:
    """Ask which card of a village moves on; a Curator may interrupt the choice (C2)."""
    seat = next(move.spot[0] for move in context.view.legal if not move.verb)
    direction = str(context.asking.picked[0])
    so_far = f" So far: {context.player_names.spots_phrase(context.picked)}." if context.picked else ""
    return (
        f"Choose the card of {context.player_names.village_phrase(seat)} that moves on.",
        f"Each card goes to the next village, {direction}.{so_far}{usable_abilities_sentence(context)}",
    )


FLIP_ANOTHER = ("Choose another card to flip.", f"In any village. {FLIP}")
RESIDENT_TEXTS: dict[str, ResidentTexts] = {
    "C0": ResidentTexts(
        questions={STEP_CARD: ("Give one of your cards away, or none.", "It counts in the village that it goes to.")},
        waiting_texts={STEP_CARD: "decides whether to give a card away with {asker}"},
        decline_button="Give nothing",
        advice="Give your highest card to somebody who is doing well.",
    ),
    "C2": ResidentTexts(
        questions={STEP_CARD: curator_question},
        waiting_texts={STEP_CARD: "chooses a card to turn sideways or discard with {asker}"},
        advice="Turn a high card sideways now, and discard it with the Curator on a later turn.",
    ),
    "C3": ResidentTexts(
        questions={STEP_CARD: FLIP_ANOTHER},
        waiting_texts={STEP_CARD: "chooses a card to flip with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "C5": ResidentTexts(
        questions={
            STEP_VILLAGE_END: (
                "Choose an end of your village for the Apprentice Tanner.",
                "It joins you faceup. Then you flip another card.",
            ),
            STEP_CARD: FLIP_ANOTHER,
        },
        waiting_texts={STEP_CARD: "chooses a card to flip with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "C6": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose a faceup card to turn facedown.",
                "In any village. Then you turn a different card faceup.",
            ),
            STEP_SECOND_CARD: huntress_question,
        },
        waiting_texts={
            STEP_CARD: "chooses a card to turn facedown with {asker}",
            STEP_SECOND_CARD: "chooses a second card for {asker}, to turn faceup",
        },
        advice="Turn down a card that helps somebody else while faceup.",
    ),
    "C7": ResidentTexts(
        questions={
            STEP_VILLAGE: ("Choose a village to look at.", "You see all its facedown cards, and nobody else does.")
        },
        waiting_texts={STEP_VILLAGE: "chooses a village to look at with {asker}"},
        advice="If you know your own cards, look at the village that seems to be the lowest.",
    ),
    "C8": ResidentTexts(
        questions={
            STEP_CARD: ("Choose a faceup card to discard.", "In any village. It goes to the bottom of the pile.")
        },
        waiting_texts={STEP_CARD: "chooses a faceup card to discard with {asker}"},
        advice="Discard a high faceup card of your own, or one that helps somebody else.",
    ),
    "C9": ResidentTexts(
        questions={
            STEP_CARD: ("Look at up to three facedown cards.", "In any villages. Nobody else sees them."),
            STEP_ANOTHER_CARD: look_again_question(3, "In any village."),
        },
        waiting_texts={
            STEP_CARD: "chooses a card to look at with {asker}",
            STEP_ANOTHER_CARD: "chooses another card to look at with {asker}",
        },
        advice=look_advice,
    ),
    "C10": ResidentTexts(
        questions={STEP_USE: nosferatu_question},
        waiting_texts={STEP_USE: "chooses a card from below in the discard pile for {asker}"},
    ),
    "C11": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose a card to replace.",
                "In any village. It goes to the bottom of the discard pile, and the card just below this Golem takes"
                " its place.",
            )
        },
        waiting_texts={STEP_CARD: "chooses a card to replace, with {asker}"},
        advice="If the card below the Golem is low, put it in place of your highest. If it is high, give it away.",
    ),
    "C12": ResidentTexts(
        questions={
            STEP_DIRECTION: (
                "Choose which way the cards move.",
                "One card of each village moves to the next; you choose each.",
            ),
            STEP_CARD: village_idiot_question,
            STEP_SECOND_CARD: village_idiot_question,
        },
        waiting_texts={
            STEP_CARD: "chooses a card that moves on, with {asker}",
            STEP_SECOND_CARD: "chooses another card that moves on, with {asker}",
        },
        advice="Send your highest card away, and pick a low one to come to you.",
    ),
    "C13": ResidentTexts(shows_facing=True, own_score_change="{name}: the others add up to {value}, less than 13"),
    "C14": ResidentTexts(
        questions={STEP_CARD: ("Choose a card to flip.", f"In any village. {FLIP}")},
        waiting_texts={STEP_CARD: "chooses a card to flip with {asker}"},
        advice=FLIP_ADVICE,
    ),
}
