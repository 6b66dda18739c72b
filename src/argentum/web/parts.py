"""The parts of a table's page. A part is drawn only if what it shows has changed, and is given nothing else."""

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from argentum import words
from argentum.tableside.scene import Button, CardScene, Lesson, Portrait, Scene, Score, Village


class Info(NamedTuple):
    """What is to be said of the table itself."""

    table: str
    memory: bool
    seconds: int
    watching: int
    away: bool  # a bot fills in for the reader
    links: tuple[tuple[str, str], ...]  # for the host: what to copy, and the link
    commitment: str = ""  # to the shuffles of this game
    fresh: int = 0  # the round, as long as no card has moved in it: a page then knows how they were dealt


class Banner(NamedTuple):
    """Who called, and who still has a turn."""

    caller: str
    last_turns: tuple[tuple[str, bool], ...]


class Piles(NamedTuple):
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


class Ask(NamedTuple):
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


# Parts that show fields of the scene under the same names.
OF_BANNER, OF_PILES, OF_ASK = [attrgetter(*part._fields) for part in (Banner, Piles, Ask)]


class Guide(NamedTuple):
    """What the guide of a first game says."""

    lesson: Lesson | None


class Moon(NamedTuple):
    """The sky."""

    moon: str


class Bar(NamedTuple):
    """The bar of the rail."""

    round: int
    moon: str


class ScoreSheet(NamedTuple):
    """Each seat's points, round by round."""

    round: int
    scores: tuple[Score, ...]


class Story(NamedTuple):
    """What happened."""

    lines: tuple[str, ...]  # of HTML
    by: tuple[str, ...]
    since: int


class Since(NamedTuple):
    """What others did since the reader's last turn; the page's script takes it from the story."""

    you: str
    initials: tuple[str, ...]


class Foot(NamedTuple):
    """What is said of the table itself."""

    info: Info


class Street(NamedTuple):
    """What every village's part shows besides the village."""

    code: str
    token: str


class Page(NamedTuple):
    """All that a table's page shows, part by part. Their macros have these names; their ids, with `-`, too."""

    banner: Banner
    piles: Piles
    prompt: Ask
    guide: Guide
    moon: Moon
    bar: Bar
    score_sheet: ScoreSheet
    log: Story
    since: Since
    foot: Foot
    street: Street
    villages: tuple[Village, ...]

    @staticmethod
    def of(drawn: Scene, lines: tuple[str, ...], info: Info) -> "Page":
        """The parts of a scene, with what else stands on its page."""
        return Page(
            banner=Banner(*OF_BANNER(drawn)),
            piles=Piles(*OF_PILES(drawn)),
            prompt=Ask(*OF_ASK(drawn)),
            guide=Guide(drawn.lesson),
            moon=Moon(drawn.moon),
            bar=Bar(drawn.round, drawn.moon),
            score_sheet=ScoreSheet(drawn.round, drawn.scores),
            log=Story(lines, tuple([entry.seat for entry in drawn.log[: len(lines)]]), drawn.since),
            since=Since(drawn.you, drawn.initials),
            foot=Foot(info),
            street=Street(drawn.code, drawn.token),
            villages=drawn.villages,
        )


PARTS = [(name.replace("_", "-"), name) for name in Page._fields if name not in ("street", "villages")]


class Drawing(NamedTuple):
    """A part to be drawn: the id of its element, the macro, and what that is given, which is all that it shows."""

    id: str
    macro: str
    shows: tuple[object, ...]


def drawings(page: Page) -> Iterator[Drawing]:
    """The parts of a table's page."""
    for id_, name in PARTS:
        yield Drawing(id_, name, (getattr(page, name),))
    for village in page.villages:
        yield Drawing(f"village-{village.seat.letter}", "village", (village, page.street))
