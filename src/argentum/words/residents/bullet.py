# mypyc: compile
"""Texts of Silver Bullet."""

from argentum.rules.asking import STEP_CARD, STEP_SECOND_CARD, STEP_USE, STEP_VILLAGE, STEP_VILLAGE_END
from argentum.words.context import PromptContext
from argentum.words.english import join_list
from argentum.words.residents.texts import FLIP, FLIP_ADVICE, KEEP_FACES, PromptText, ResidentTexts


def mortician_question(context: PromptContext) -> PromptText:
    """Ask which exchanged card to use (B4). If the others did not see the cards, ask even if none can be used."""
    numbers = [move.number for move in context.view.legal if move.number is not None]
    if not numbers:
        return "Go on: none of the cards you exchanged can be used.", "The others can't tell, so you are asked anyway."
    names = join_list([context.resident_phrase(number) for number in numbers], " or ")
    return "Use a card you just exchanged, or none.", f"Your Mortician lets you use the ability of {names}."


def count_pile_end_question(context: PromptContext) -> PromptText:
    """Ask for a village end for a card that cannot stay on the discard pile (B10, D4)."""
    name = context.resident_phrase(context.view.discard[0].number)
    return (
        f"Choose an end of your village for {name}.",
        "It can't stay on top of the discard pile, so it joins you faceup.",
    )


def troublemaker_question(context: PromptContext) -> PromptText:
    return f"Choose the card to switch {context.first_pick_phrase} for.", f"In another village. {KEEP_FACES}"


def gremlin_question(context: PromptContext) -> PromptText:
    village = context.player_names.village_phrase(context.asking.picked[-1].seat)
    return f"Choose an end of {village} for the Gremlin.", "Left and right are as its owner sees them."


RESIDENT_TEXTS: dict[str, ResidentTexts] = {
    "B0": ResidentTexts(
        questions={STEP_CARD: ("Leave one of your cards out, or none.", "It doesn't count for this round.")},
        waiting_texts={STEP_CARD: "decides whether to leave out a card with {asker}"},
        decline_button="Leave nothing out",
        advice="Leave out your highest card.",
    ),
    "B2": ResidentTexts(
        questions={STEP_CARD: ("Choose one of your cards to flip.", FLIP)},
        waiting_texts={STEP_CARD: "chooses a card to flip with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "B4": ResidentTexts(
        questions={STEP_USE: mortician_question},
        waiting_texts={STEP_USE: "decides whether to use an exchanged card with {asker}"},
        decline_button="Use none",
    ),
    "B6": ResidentTexts(
        questions={STEP_CARD: ("Choose a card to flip.", f"In any village. {FLIP}")},
        waiting_texts={STEP_CARD: "chooses a card to flip with {asker}"},
        advice=FLIP_ADVICE,
    ),
    "B8": ResidentTexts(
        questions={
            STEP_VILLAGE: (
                "Choose a village to shuffle.",
                "Its facedown cards trade places, and nobody knows them now.",
            )
        },
        waiting_texts={STEP_VILLAGE: "chooses a village to shuffle with {asker}"},
        advice="Shuffle somebody who knows their cards well, not yourself.",
    ),
    "B9": ResidentTexts(
        questions={
            STEP_CARD: ("Choose a faceup card to use.", "In any village. You use it as if you had just drawn it.")
        },
        waiting_texts={STEP_CARD: "chooses a faceup card to use with {asker}"},
    ),
    "B10": ResidentTexts(
        questions={STEP_VILLAGE_END: count_pile_end_question},
        waiting_texts={STEP_VILLAGE_END: "chooses an end of the village, with {asker}"},
    ),
    "B11": ResidentTexts(
        questions={
            STEP_CARD: ("Choose the first of two cards to switch.", f"They come from two villages. {KEEP_FACES}"),
            STEP_SECOND_CARD: troublemaker_question,
        },
        waiting_texts={STEP_CARD: "chooses a card to switch with {asker}"},
        advice="Switch a high card of yours for a low one, or for a card you know nothing about.",
    ),
    "B12": ResidentTexts(
        questions={
            STEP_VILLAGE: ("Choose a village for the Gremlin.", "It joins that village faceup, at the end you choose."),
            STEP_VILLAGE_END: gremlin_question,
        },
        advice="A 12 is a burden: give it to somebody who is doing well.",
    ),
    "B14": ResidentTexts(
        questions={
            STEP_CARD: (
                "Choose one of your cards for the silver bullet.",
                "It counts 0, and nothing can touch it for the rest of the round.",
            )
        },
        advice="Put it on your highest card: that one counts 0 from now on.",
    ),
}
