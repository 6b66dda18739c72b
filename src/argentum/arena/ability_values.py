"""What each resident's ability, and each token, is worth to a bot: how often it is used, and what is lost without."""

from collections.abc import Sequence
from math import ceil
from statistics import fmean
from typing import Any, Final, NamedTuple

from argentum.arena.contest import Cell, JobResults, cell_result, complete_deals, jobs_of
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job, is_passive, make_deals
from argentum.arena.match import interleave_deals, to_json
from argentum.arena.players.without_ability import WITHOUT_SEPARATOR
from argentum.arena.report import TableRows, points_with_interval, text_table
from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, RANDOM_DECK, resident_of, residents
from argentum.rules.residents import LABEL_TOKEN, parse_label
from argentum.rules.scoring import ROUNDS_PER_GAME

MEASURED_BOT: Final = "steady"  # whose use of abilities is measured


class AbilityValue(NamedTuple):
    """What an ability is to the bot, against itself without it, in random mixes that have it."""

    label: str
    name: str
    uses: float  # a game; of one that works by itself: at work at the end of a round
    by_itself: bool
    chance: Estimate  # of winning that it adds
    points: Estimate  # a round that it saves
    games: int


def ability_value_rows(abilities: Sequence[AbilityValue]) -> TableRows:
    """Abilities as rows of a table."""
    return [
        ("ability", "uses a game", "winning chance", "points a round"),
        *[
            (
                f"{value.label} {value.name}",
                f"{value.uses:.2f}" + " at work" * value.by_itself,
                points_with_interval(value.chance.scaled(100)),
                points_with_interval(value.points),
            )
            for value in abilities
        ],
    ]


def all_ability_labels() -> list[str]:
    """The labels of all residents and tokens."""
    return [*[value.label for value in residents()], *[box.token_label for box in ALL_BOXES]]


def ability_cell(label: str) -> Cell:
    """The bot against itself without an ability."""
    return Cell((MEASURED_BOT, f"{MEASURED_BOT}{WITHOUT_SEPARATOR}{label}"), RANDOM_DECK, 2)


def ability_jobs(label: str, games: int, seed: int) -> list[Job]:
    """The games that show what an ability is worth."""
    token = BOX_BY_LETTER[parse_label(label).letter].name if is_token_label(label) else ""
    keeping = "" if token else label
    return jobs_of(ability_cell(label), make_deals(RANDOM_DECK, 2, ceil(games / 2), seed, keeping, token))


def is_token_label(label: str) -> bool:
    return parse_label(label).kind == LABEL_TOKEN


def ability_value(label: str, jobs: Sequence[Job], results: JobResults) -> AbilityValue | None:
    """What the games show of an ability; None before a deal is played."""
    table = cell_result(ability_cell(label), jobs, results)
    if not table.standings:
        return None
    own = [
        seat
        for games in complete_deals(jobs, results)
        for _, seats in games
        for seat in seats
        if seat.bot == MEASURED_BOT
    ]
    standing = table.standings[0]
    resident = (
        None if is_token_label(label) else resident_of(BOX_BY_LETTER[parse_label(label).letter].name, int(label[1:]))
    )
    return AbilityValue(
        label,
        f"silver {BOX_BY_LETTER[parse_label(label).letter].name}" if resident is None else resident.name,
        fmean([seat.uses.get(label, 0) for seat in own]),
        resident is not None and is_passive(resident),
        Estimate(*[share - 0.5 for share in standing.wins]),
        standing.points_ahead.scaled(1 / ROUNDS_PER_GAME),
        table.games,
    )


class AbilityValues:
    """Every ability: the games that show what each is to the bot, and what came of them."""

    def __init__(self, games: int, seed: int) -> None:
        self.parts = {label: ability_jobs(label, games, seed) for label in all_ability_labels()}

    @property
    def jobs(self) -> list[Job]:
        """All games."""
        return interleave_deals([job for jobs in self.parts.values() for job in jobs])

    def values(self, results: JobResults) -> list[AbilityValue]:
        """What was found, as far as it was played."""
        found = [ability_value(label, jobs, results) for label, jobs in self.parts.items()]
        return [value for value in found if value is not None]

    def text(self, results: JobResults, width: int | None = None) -> str:
        """What came of it, for a terminal of that width."""
        return text_table(ability_value_rows(self.values(results)), width)

    def to_json(self, results: JobResults) -> dict[str, Any]:
        """What came of it, for a program."""
        return {"residents": to_json(self.values(results))}
