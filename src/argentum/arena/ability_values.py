"""What each resident's ability, and each token, is worth to a bot: how often it is used, and what is lost without."""

from collections.abc import Sequence
from math import ceil
from statistics import fmean
from typing import Any, Final, NamedTuple

from argentum.arena.contest import Cell, Results, jobs_of, table_of, whole_deals
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job, deals, works_by_itself
from argentum.arena.match import facts_of, in_turn
from argentum.arena.players.without_ability import WITHOUT
from argentum.arena.report import Rows, columns, signed
from argentum.rules.boxes import RANDOM_DECK, BOX_BY_LETTER, resident_of, residents
from argentum.rules.scoring import ROUNDS_PER_GAME

BOT: Final = "steady"  # whose use of abilities is measured


class Ability(NamedTuple):
    """What an ability is to the bot, against itself without it, in random mixes that have it."""

    label: str
    name: str
    uses: float  # a game; of one that works by itself: at work at the end of a round
    by_itself: bool
    chance: Estimate  # of winning that it adds
    points: Estimate  # a round that it saves
    games: int


def ability_rows(abilities: Sequence[Ability]) -> Rows:
    """Abilities as rows of a table."""
    return [
        ("ability", "uses a game", "winning chance", "points a round"),
        *[
            (
                f"{one.label} {one.name}",
                f"{one.uses:.2f}" + " at work" * one.by_itself,
                signed(one.chance.scaled(100)),
                signed(one.points),
            )
            for one in abilities
        ],
    ]


def labels() -> list[str]:
    """The labels of all residents and tokens."""
    return [*[one.label for one in residents()], *[box.token_label for box in BOX_BY_LETTER.values()]]


def cell_of(label: str) -> Cell:
    """The bot against itself without an ability."""
    return Cell((BOT, f"{BOT}{WITHOUT}{label}"), RANDOM_DECK, 2)


def jobs_for(label: str, games: int, seed: int) -> list[Job]:
    """The games that show what an ability is worth."""
    token = BOX_BY_LETTER[label[0].lower()].name if is_token(label) else ""
    keeping = "" if token else label
    return jobs_of(cell_of(label), deals(RANDOM_DECK, 2, ceil(games / 2), seed, keeping, token))


def is_token(label: str) -> bool:
    """Whether a label is a token's."""
    return label in [box.token_label for box in BOX_BY_LETTER.values()]


def ability_of(label: str, jobs: Sequence[Job], results: Results) -> Ability | None:
    """What the games show of an ability; None before a deal is played."""
    table = table_of(cell_of(label), jobs, results)
    if not table.standings:
        return None
    own = [seat for games in whole_deals(jobs, results) for _, seats in games for seat in seats if seat.bot == BOT]
    standing = table.standings[0]
    resident = None if is_token(label) else resident_of(BOX_BY_LETTER[label[0].lower()].name, int(label[1:]))
    return Ability(
        label,
        f"silver {BOX_BY_LETTER[label[0].lower()].name}" if resident is None else resident.name,
        fmean([seat.uses.get(label, 0) for seat in own]),
        resident is not None and works_by_itself(resident),
        Estimate(*[share - 0.5 for share in standing.wins]),
        standing.lead.scaled(1 / ROUNDS_PER_GAME),
        table.games,
    )


class Abilities:
    """Every ability: the games that show what each is to the bot, and what came of them."""

    def __init__(self, games: int, seed: int) -> None:
        self.parts = {label: jobs_for(label, games, seed) for label in labels()}

    @property
    def jobs(self) -> list[Job]:
        """All games."""
        return in_turn([job for jobs in self.parts.values() for job in jobs])

    def found(self, results: Results) -> list[Ability]:
        """What was found, as far as it was played."""
        found = [ability_of(label, jobs, results) for label, jobs in self.parts.items()]
        return [one for one in found if one is not None]

    def text(self, results: Results, width: int | None = None) -> str:
        """What came of it, for a terminal of that width."""
        return columns(ability_rows(self.found(results)), width)

    def facts(self, results: Results) -> dict[str, Any]:
        """What came of it, for a program."""
        return {"residents": facts_of(self.found(results))}
