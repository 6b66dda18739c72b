# mypyc: compile
"""`ResidentTexts`, and texts that several residents share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from argentum.words.context import PromptContext
from argentum.words.english import COUNT_WORDS

PromptText: TypeAlias = tuple[str, str]  # a title and a detail
PromptTextSource: TypeAlias = PromptText | Callable[[PromptContext], PromptText]


@dataclass(frozen=True)
class ResidentTexts:
    """Texts of a resident or token. Missing texts are replaced by general ones with the name and card text."""

    # Prompts for the player who decides, by step (`asking.STEPS`).
    questions: Mapping[str, PromptTextSource] = field(default_factory=dict)
    # Prompts for the other players, by step, after the name of the player who decides: "chooses ... for {asker}".
    waiting_texts: Mapping[str, str] = field(default_factory=dict)
    pick_button: str = "{spot}"  # text of the buttons that pick a card
    decline_button: str = ""  # text of the button that declines or stops
    log_phrases: Mapping[str, str] = field(default_factory=dict)  # clauses of the log, by kind of event
    shows_facing: bool = False  # its score line says whether it is faceup
    # Score lines about a change of its owner's sum, and of other sums. Fields: {name}, {whose}, {before} (the sum),
    # {rounded}, and {value} or {cards} for `ScoreLine.value`.
    own_score_change: str = "{name}"
    other_score_change: str = "{whose} {name}"
    shows_difference: bool = False  # such a score line shows the difference instead of the new sum
    advice: str | Callable[[PromptContext], str] = ""  # in the guide for a first game


NO_TEXTS = ResidentTexts()

FLIP = "Faceup turns facedown, and facedown turns faceup for all to see."
UNSEEN = "Nobody else sees it."
KEEP_FACES = "Both cards stay faceup or facedown as they are."
THEIR_LOOK_ADVICE = "A card of another village tells you how well its owner is doing: look before you call."
FLIP_ADVICE = "A card that works while faceup is worth turning up. Turning a card up also shows it to everybody."


def look_advice(context: PromptContext) -> str:
    """Return advice on looking at a card of any village."""
    own = (
        "Look at a card of yours that you don't know, to find one to get rid of. " if _has_unknown_card(context) else ""
    )
    return f"{own}A card of another village tells you how well its owner is doing."


def own_look_advice(context: PromptContext) -> str:
    """Return advice on looking at a card of the reader's own village."""
    if _has_unknown_card(context):
        return "Look at a card that you haven't seen yet: it may be one to get rid of."
    return "You know all the cards that you can look at, so this tells you nothing new."


def _has_unknown_card(context: PromptContext) -> bool:
    """Whether the reader can look at an unknown card of their own village."""
    own_spots = [move.spot for move in context.view.legal if move.spot.startswith(context.view.seat)]
    return any([context.card(spot).number is None for spot in own_spots])


def look_again_question(limit: int, scope: str) -> Callable[[PromptContext], PromptText]:
    """Return a function that asks for another card to look at, up to `limit` cards; `scope` says where."""

    def question(context: PromptContext) -> PromptText:
        left = limit - len(context.picked)
        seen = context.player_names.spots_phrase(context.picked)
        return (
            f"Look at {'up to ' * (left > 1)}{COUNT_WORDS[left]} more, or stop.",
            f"{scope} You have looked at {seen}.",
        )

    return question
