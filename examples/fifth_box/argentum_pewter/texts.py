"""Texts of Silver Pewter: prompts, buttons, score lines and advice."""

from argentum.rules.asking import STEP_CARD, STEP_SECOND_CARD
from argentum.words.context import PromptContext
from argentum.words.residents.texts import UNSEEN, PromptText, ResidentTexts, look_advice


def lamplighter_question(context: PromptContext) -> PromptText:
    """Ask whether to turn up the card that the reader has just looked at."""
    card = context.resident_phrase(context.card(context.picked[0]).number)
    return f"Turn {card} faceup?", f"It lies at {context.first_pick_phrase}. Then everybody sees it."


RESIDENT_TEXTS: dict[str, ResidentTexts] = {
    "P1": ResidentTexts(
        questions={STEP_CARD: ("Choose a faceup card of yours to turn facedown.", "Everybody still knows what it is.")},
        waiting_texts={STEP_CARD: "chooses a card of their own to turn facedown with {asker}"},
    ),
    "P7": ResidentTexts(
        questions={
            STEP_CARD: ("Choose a facedown card to look at.", UNSEEN),
            STEP_SECOND_CARD: lamplighter_question,
        },
        waiting_texts={
            STEP_CARD: "chooses a card to look at with {asker}",
            STEP_SECOND_CARD: "decides whether to turn it faceup, with {asker}",
        },
        decline_button="Leave it facedown",
        advice=look_advice,
    ),
    "P10": ResidentTexts(own_score_change="{name}, for {value} faceup cards"),
    "P14": ResidentTexts(
        questions={STEP_CARD: ("Choose one of your cards to turn over.", "Facedown turns faceup for all to see.")}
    ),
}
