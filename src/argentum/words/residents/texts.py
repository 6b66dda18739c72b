"""What a resident or token has to say of its own: the form of an entry in the tables of the boxes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from argentum.words.context import PromptContext
from argentum.words.english import COUNT_WORDS

PromptText: TypeAlias = tuple[str, str]  # a title and a detail
PromptTextSource: TypeAlias = PromptText | Callable[[PromptContext], PromptText]


@dataclass(frozen=True)
class ResidentTexts:
    """An entry. Whatever it leaves out is said in general words, from the step, the name and the card's text."""

    questions: Mapping[str, PromptTextSource] = field(
        default_factory=dict
    )  # by step (`asking.STEPS`): what its user is asked
    waiting_texts: Mapping[str, str] = field(
        default_factory=dict
    )  # by step: what others are told, "chooses ... for {asker}"
    pick_button: str = "{spot}"  # a button for a card
    decline_button: str = ""  # the button for none of it, or no more
    log_phrases: Mapping[str, str] = field(default_factory=dict)  # by kind of event: how the log tells it
    shows_facing: bool = False  # whether it counts differently faceup and facedown
    # How it changes its owner's sum, and those of others: {name}, {whose}, {before} (the sum), {rounded}, and {value}
    # or {cards} for what it looked at (`scoring.Line.value`).
    own_score_change: str = "{name}"
    other_score_change: str = "{whose} {name}"
    shows_difference: bool = False  # whether the change is shown with that, not the new sum
    advice: str | Callable[[PromptContext], str] = ""  # for a first game


NO_TEXTS = ResidentTexts()

FLIP = "Faceup turns facedown, and facedown turns faceup for all to see."
UNSEEN = "Nobody else sees it."
KEEP_FACES = "Both cards stay faceup or facedown as they are."
THEIR_LOOK_ADVICE = "A card of another village tells you how well its owner is doing: look before you call."
FLIP_ADVICE = "A card that works while faceup is worth turning up. Turning a card up also shows it to everybody."


def look_advice(now: PromptContext) -> str:
    """Why to look at a card of any village."""
    own = "Look at a card of yours that you don't know, to find one to get rid of. " if _unknown(now) else ""
    return f"{own}A card of another village tells you how well its owner is doing."


def own_look_advice(now: PromptContext) -> str:
    """Why to look at a card of one's own."""
    if _unknown(now):
        return "Look at a card that you haven't seen yet: it may be one to get rid of."
    return "You know all the cards that you can look at, so this tells you nothing new."


def _unknown(now: PromptContext) -> bool:
    """Whether the reader can look at a card of their own that they don't know."""
    mine = [move.spot for move in now.view.legal if move.spot.startswith(now.view.seat)]
    return any([now.card(spot).number is None for spot in mine])


def look_again_question(limit: int, where: str) -> Callable[[PromptContext], PromptText]:
    """The question for one more card to look at, or no more."""

    def question(now: PromptContext) -> PromptText:
        left = limit - len(now.picked)
        seen = now.player_names.spots_phrase(now.picked)
        return (
            f"Look at {'up to ' * (left > 1)}{COUNT_WORDS[left]} more, or stop.",
            f"{where} You have looked at {seen}.",
        )

    return question
