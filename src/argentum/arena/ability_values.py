"""The value of each ability and token to a bot: how often the bot uses it, and what the bot loses without it."""

from collections.abc import Sequence
from math import ceil
from statistics import fmean
from typing import Any, Final, NamedTuple

from argentum.arena.contest import Cell, JobResults, cell_result, group_by_complete_deal, make_jobs
from argentum.arena.estimates import Estimate
from argentum.arena.jobs import Job, is_passive, make_deals
from argentum.arena.match import interleave_deals, to_json
from argentum.arena.players.without_ability import WITHOUT_SEPARATOR
from argentum.arena.report import TableRows, points_with_interval, text_table
from argentum.rules.boxes import BOX_BY_LETTER, PUBLISHED_BOXES, RANDOM_DECK
from argentum.rules.residents import LABEL_TOKEN, parse_label
from argentum.rules.scoring import ROUNDS_PER_GAME

MEASURED_BOT: Final = "steady"


class AbilityValue(NamedTuple):
    """Results of the bot against itself without one ability, in random mixes that contain it."""

    label: str
    name: str
    uses_per_game: float  # for a passive ability: how often it applies at the end of a round
    by_itself: bool  # whether the ability is passive (`is_passive`)
    win_probability_gain: Estimate
    points: Estimate  # saved per round
    games: int


def ability_value_rows(abilities: Sequence[AbilityValue]) -> TableRows:
    return [
        ("ability", "uses per game", "winning chance", "points per round"),
        *[
            (
                f"{value.label} {value.name}",
                f"{value.uses_per_game:.2f}" + " at work" * value.by_itself,
                points_with_interval(value.win_probability_gain.scaled(100)),
                points_with_interval(value.points),
            )
            for value in abilities
        ],
    ]


def all_ability_labels() -> list[str]:
    residents = [resident.label for box in PUBLISHED_BOXES for resident in box.residents]
    return [*residents, *[box.token_label for box in PUBLISHED_BOXES]]


def ability_cell(label: str) -> Cell:
    return Cell((MEASURED_BOT, f"{MEASURED_BOT}{WITHOUT_SEPARATOR}{label}"), RANDOM_DECK, 2)


def ability_jobs(label: str, games: int, seed: int) -> list[Job]:
    """Return jobs in which the measured bot plays against itself without the ability `label`."""
    token = BOX_BY_LETTER[parse_label(label).letter].name if is_token_label(label) else ""
    required_label = "" if token else label
    return make_jobs(ability_cell(label), make_deals(RANDOM_DECK, 2, ceil(games / 2), seed, required_label, token))


def is_token_label(label: str) -> bool:
    return parse_label(label).kind == LABEL_TOKEN


def ability_value(label: str, jobs: Sequence[Job], results: JobResults) -> AbilityValue | None:
    """Return the value of the ability `label`, or None if no deal has been played in every seating yet."""
    result = cell_result(ability_cell(label), jobs, results)
    if not result.standings:
        return None
    own_results = [
        seat
        for games in group_by_complete_deal(jobs, results)
        for _, seats in games
        for seat in seats
        if seat.bot == MEASURED_BOT
    ]
    standing = result.standings[0]
    box = BOX_BY_LETTER[parse_label(label).letter]
    resident = None if is_token_label(label) else box.residents[parse_label(label).number]
    return AbilityValue(
        label,
        f"silver {box.name}" if resident is None else resident.name,
        fmean([seat.uses.get(label, 0) for seat in own_results]),
        resident is not None and is_passive(resident),
        Estimate(*[fraction - 0.5 for fraction in standing.wins]),
        standing.points_ahead.scaled(1 / ROUNDS_PER_GAME),
        result.games,
    )


class AbilityValues:
    """The plan for measuring every ability: the games to play, and the evaluation of their results."""

    def __init__(self, games: int, seed: int) -> None:
        self.jobs_by_label = {label: ability_jobs(label, games, seed) for label in all_ability_labels()}

    @property
    def jobs(self) -> list[Job]:
        return interleave_deals([job for jobs in self.jobs_by_label.values() for job in jobs])

    def values(self, results: JobResults) -> list[AbilityValue]:
        """Return the value of each ability for which at least one deal has been played in every seating."""
        values = [ability_value(label, jobs, results) for label, jobs in self.jobs_by_label.items()]
        return [value for value in values if value is not None]

    def text(self, results: JobResults, width: int | None = None) -> str:
        """Format the results for a terminal with `width` columns."""
        return text_table(ability_value_rows(self.values(results)), width)

    def to_json(self, results: JobResults) -> dict[str, Any]:
        return {"abilities": to_json(self.values(results))}
