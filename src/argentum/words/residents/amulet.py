# mypyc: compile
"""Texts of Silver Amulet."""

from argentum.rules.asking import STEP_ANOTHER_CARD, STEP_CARD, STEP_HAND, STEP_KEEP, STEP_SECOND_CARD, STEP_USE
from argentum.words.context import PromptContext
from argentum.words.english import join_list, options_sentence
from argentum.words.residents.texts import (
    FLIP_ADVICE,
    KEEP_FACES,
    THEIR_LOOK_ADVICE,
    UNSEEN,
    PromptText,
    ResidentTexts,
    look_advice,
    look_again_question,
    own_look_advice,
)


def rascal_question(context: PromptContext) -> PromptText:
    cards = [context.resident_phrase(card.number) for card in context.view.deck[: len(context.view.legal)]]
    return "Choose the card to draw.", f"From the top: {join_list(cards)}. The others stay on top in their order."


def witch_question(context: PromptContext) -> PromptText:
    """Ask where to put the top card of the deck (A11)."""
    options = ["choose cards of yours to exchange for it"] if "exchange" in context.verbs else []
    if "" in context.verbs:
        options.append(
            "a card of another village to replace" if options else "choose a card of another village to replace"
        )
    return f"Find a place for {context.hand_phrase}.", options_sentence(options) + " What it replaces is discarded."


def robber_question(context: PromptContext) -> PromptText:
    """Ask for the card to give for the card that is taken (A12)."""
    return (
        f"Choose a card of yours to give for {context.first_pick_phrase}.",
        f"{KEEP_FACES} Then you look at the card you got.",
    )


RESIDENT_TEXTS: dict[str, ResidentTexts] = {
    "A2": ResidentTexts(
        questions={STEP_CARD: ("Choose one of your facedown cards to look at.", UNSEEN)},
        waiting_texts={STEP_CARD: "chooses a card to look at with {asker}"},
        advice=own_look_advice,
    ),
    "A3": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose one of your cards to guard.",
                "The other players can't touch it while the Bodyguard stays faceup in your village.",
            )
        },
        waiting_texts={STEP_CARD: "chooses a card to guard with {asker}"},
        log_phrases={"guarded": "it now guards {to}"},
        advice="Guard your best card: a low one that somebody might steal, or one that works while faceup.",
    ),
    "A4": ResidentTexts(
        questions={STEP_KEEP: rascal_question},
        advice="Draw a low card to keep, or one whose ability helps you now. You'll know what comes next.",
    ),
    "A5": ResidentTexts(
        questions={STEP_CARD: ("Choose one of your facedown cards to turn faceup.", "Everybody sees it.")},
        waiting_texts={STEP_CARD: "chooses a card to turn faceup with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "A6": ResidentTexts(
        questions={STEP_CARD: ("Choose a facedown card to turn faceup.", "In any village. Everybody sees it.")},
        waiting_texts={STEP_CARD: "chooses a card to turn faceup with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "A7": ResidentTexts(
        questions={
            STEP_CARD: ("Look at up to two of your facedown cards.", "Nobody else sees them."),
            STEP_ANOTHER_CARD: look_again_question(2, "One of your own."),
        },
        waiting_texts={
            STEP_CARD: "chooses a card to look at with {asker}",
            STEP_ANOTHER_CARD: "chooses another card to look at with {asker}",
        },
        advice=own_look_advice,
    ),
    "A8": ResidentTexts(
        questions={STEP_CARD: ("Choose a facedown card of another village to look at.", UNSEEN)},
        waiting_texts={STEP_CARD: "chooses a card to look at with {asker}"},
        advice=THEIR_LOOK_ADVICE,
    ),
    "A9": ResidentTexts(
        questions={STEP_CARD: ("Choose a facedown card to look at.", f"In any village. {UNSEEN}")},
        waiting_texts={STEP_CARD: "chooses a card to look at with {asker}"},
        advice=look_advice,
    ),
    "A10": ResidentTexts(
        questions={
            STEP_USE: (
                "Choose a card of the discard pile to take.",
                "Then exchange it for one or more of your cards, as if you had taken it from the top.",
            )
        },
        waiting_texts={STEP_USE: "chooses a card of the discard pile for {asker}"},
        advice="Take the lowest card of the pile, or a 0 to 4 that works while faceup.",
    ),
    "A11": ResidentTexts(
        questions={STEP_HAND: witch_question},
        waiting_texts={STEP_HAND: "chooses a place for {asker}'s card"},
        pick_button="Replace {spot}",
        advice="Keep a low card. A high one makes a fine present: put it in place of a low card of another village.",
    ),
    "A12": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose a card of another village to take.",
                "Then choose one of yours to give for it, and look at what you got.",
            ),
            STEP_SECOND_CARD: robber_question,
        },
        waiting_texts={
            STEP_CARD: "chooses a card to take with {asker}",
            STEP_SECOND_CARD: "chooses a card to give for it, with {asker}",
        },
        advice="Take a card that somebody keeps on purpose, and give your highest.",
    ),
    "A14": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose one of your cards for the silver amulet.",
                "Nobody can touch it for the rest of the round, not even you. It keeps its number and abilities.",
            )
        },
        advice="Put it on a low card, or on one that works while faceup: it can't be taken, turned or exchanged.",
    ),
}
