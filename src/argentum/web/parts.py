"""The parts of a table's page. A part is drawn only if what it shows has changed, and is given nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

from markupsafe import Markup

from argentum import words
from argentum.tableside.scene import Button, CardScene, Lesson, Portrait, Scene, Score, Village


class Info(NamedTuple):
    """What is to be said of the table itself."""

    table: str
    memory: bool
    seconds: int
    watching: int
    away: bool  # a bot sits in for the reader
    links: tuple[tuple[str, str], ...]  # for the host: what to copy, and the link
    commitment: str = ""  # to the shuffles of this game
    fresh: int = 0  # the round, as long as no card has moved in it: a page then knows how they were dealt


@dataclass(frozen=True, kw_only=True)
class Page(Scene):
    """All that a table's page shows."""

    lines: tuple[Markup, ...]  # of the story, drawn
    by: tuple[str, ...]  # whose deed each of them tells
    info: Info

    @staticmethod
    def of(drawn: Scene, lines: tuple[Markup, ...], info: Info) -> "Page":
        """A scene, with what else stands on its page."""
        by = tuple([entry.seat for entry in drawn.log[: len(lines)]])
        shows = {name: getattr(drawn, name) for name in Scene.__dataclass_fields__}
        return Page(**shows, lines=lines, by=by, info=info)


@dataclass(frozen=True)
class Part:
    """What a part of the page shows: fields of the page, which the macro of its name is given."""

    @classmethod
    def of(cls, page: Page) -> Self:
        """The part as it is now."""
        return cls(*[getattr(page, name) for name in cls.__dataclass_fields__])


@dataclass(frozen=True)
class Banner(Part):
    """Who called, and who still has a turn."""

    caller: str
    last_turns: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Piles(Part):
    """The middle of the table."""

    code: str
    deck: CardScene | None
    deck_count: int
    shown: tuple[CardScene, ...]
    shower: Portrait | None
    top: CardScene | None
    pile: tuple[Portrait | None, ...]
    direction: str
    turn_side: str
    lantern_lit: bool
    token: str
    token_side: str
    token_state: str
    token_ready: bool


@dataclass(frozen=True)
class Ask(Part):
    """What the reader may do now."""

    code: str
    cast: tuple[Portrait, ...]
    you: str
    holder: str
    hand: CardScene | None
    your_move: bool
    bot_plays: bool
    can_take_back: bool
    prompt: words.Prompt
    before_call: str
    fan: tuple[CardScene, ...]
    buttons: tuple[Button, ...]
    uses: tuple[Button, ...]


@dataclass(frozen=True)
class Guide(Part):
    """What the guide of a first game says."""

    lesson: Lesson | None


@dataclass(frozen=True)
class Moon(Part):
    """The sky."""

    moon: str


@dataclass(frozen=True)
class Bar(Part):
    """The bar of the rail."""

    round: int
    moon: str


@dataclass(frozen=True)
class ScoreSheet(Part):
    """Each seat's points, round by round."""

    round: int
    scores: tuple[Score, ...]


@dataclass(frozen=True)
class Story(Part):
    """What happened."""

    lines: tuple[Markup, ...]
    by: tuple[str, ...]
    since: int


@dataclass(frozen=True)
class Since(Part):
    """What others did since the reader's last turn; the page's script takes it from the story."""

    you: str
    initials: tuple[str, ...]


@dataclass(frozen=True)
class Foot(Part):
    """What is said of the table itself."""

    info: Info


@dataclass(frozen=True)
class Street(Part):
    """What every village's part shows besides the village."""

    code: str
    token: str


# By the ids of their elements. Their macros have the same names.
PARTS: dict[str, type[Part]] = {
    "banner": Banner,
    "piles": Piles,
    "prompt": Ask,
    "guide": Guide,
    "moon": Moon,
    "bar": Bar,
    "score-sheet": ScoreSheet,
    "log": Story,
    "since": Since,
    "foot": Foot,
}


class Drawing(NamedTuple):
    """A part to be drawn: the id of its element, the macro, and what that is given, which is all that it shows."""

    id: str
    macro: str
    shows: tuple[Part | Village, ...]


def drawings(page: Page) -> Iterator[Drawing]:
    """The parts of a table's page."""
    for id_, kind in PARTS.items():
        yield Drawing(id_, id_.replace("-", "_"), (kind.of(page),))
    street = Street.of(page)
    for village in page.villages:
        yield Drawing(f"village-{village.seat.letter}", "village", (village, street))
