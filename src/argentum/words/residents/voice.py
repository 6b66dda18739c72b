"""What a resident or token has to say of its own: the form of an entry in the tables of the boxes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from argentum.words.moment import Moment

Asked: TypeAlias = tuple[str, str]  # a title and a detail
Question: TypeAlias = Asked | Callable[[Moment], Asked]


@dataclass(frozen=True)
class Voice:
    """An entry. Whatever it leaves out is said in general words, from the step, the name and the card's text."""

    asks: Mapping[str, Question] = field(default_factory=dict)  # by step (`asking.STEPS`): what its user is asked
    chooses: Mapping[str, str] = field(default_factory=dict)  # by step: what others are told, "chooses ... for {asker}"
    pick: str = "{spot}"  # a button for a card
    decline: str = ""  # the button for none of it, or no more
    says: Mapping[str, str] = field(default_factory=dict)  # by kind of event: how the log tells it
    faced: bool = False  # whether it counts differently faceup and facedown
    # How it changes its owner's sum, and those of others: {name}, {whose}, {before} (the sum), {rounded}, and {value}
    # or {cards} for what it looked at (`scoring.Line.value`).
    change: str = "{name}"
    abroad: str = "{whose} {name}"
    by: bool = False  # whether the change is shown with that, not the new sum
    advice: str | Callable[[Moment], str] = ""  # for a first game


GENERAL = Voice()
