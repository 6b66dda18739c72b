"""The parts of a table's page. A part is drawn only if what it shows has changed, and is given nothing else."""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from argentum import words
from argentum.display.scene import Button, CardScene, Lesson, Portrait, Scene, Score, Village


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
    names: tuple[str, ...]
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
    names: tuple[str, ...]


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


class Line(NamedTuple):
    """A line of the story, as drawn."""

    sign: str  # the glyph of the deed, if it has one
    words: str
    item: str  # the same as an item of the list


class Story(NamedTuple):
    """What happened."""

    lines: tuple[Line, ...]
    since: int


class Since(NamedTuple):
    """What others did since the reader's last turn; the page's script takes it from the story."""

    you: str
    initials: tuple[str, ...]


class Foot(NamedTuple):
    """What is said of the table itself."""

    info: Info


class Plot(NamedTuple):
    """A village with its cards as drawn."""

    village: Village
    row: tuple[str, ...]


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
    plots: tuple[Plot, ...]

    @staticmethod
    def of(drawn: Scene, rows: Sequence[tuple[str, ...]], lines: tuple[Line, ...], info: Info) -> "Page":
        """The parts of a scene, with what else stands on its page."""
        return Page(
            tuple.__new__(Banner, OF_BANNER(drawn)),
            tuple.__new__(Piles, OF_PILES(drawn)),
            tuple.__new__(Ask, OF_ASK(drawn)),
            Guide(drawn.lesson, drawn.names),
            Moon(drawn.moon),
            Bar(drawn.round, drawn.moon),
            ScoreSheet(drawn.round, drawn.scores),
            Story(lines, drawn.since),
            Since(drawn.you, drawn.initials),
            Foot(info),
            Street(drawn.code, drawn.token),
            tuple([Plot(village, row) for village, row in zip(drawn.villages, rows, strict=True)]),
        )


PARTS = [(nth, name.replace("_", "-"), name) for nth, name in enumerate(Page._fields[:-2])]  # by their places


class Drawing(NamedTuple):
    """A part to be drawn: the id of its element, the macro, and what that is given, which is all that it shows."""

    id: str
    macro: str
    shows: tuple[object, ...]


def changes(old: Page, new: Page) -> list[Drawing]:
    """The parts of a table's page that show something else than before, in a game of the same people."""
    changed = [Drawing(id_, name, (new[nth],)) for nth, id_, name in PARTS if old[nth] != new[nth]]
    for before, plot in zip(old.plots, new.plots, strict=True):
        if plot != before or new.street != old.street:
            changed.append(Drawing(f"village-{plot.village.seat.letter}", "village", (*plot, new.street)))
    return changed
