"""A file of reproducible results.

An entry holds the points and ranks of every game. A reader can recompute its figures and replay a sample of its games,
which are determined by the seed, the bots and the version. Bots with a time limit are refused, because their moves also
depend on the machine's speed.
"""

import json
import platform
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from argentum import __version__
from argentum.arena.contest import BotStanding, Cell, cell_result, make_jobs
from argentum.arena.jobs import Job, PlayedJob, SeatResult, make_deals
from argentum.arena.match import Match, to_json
from argentum.arena.players import BotPlayer, make_player
from argentum.arena.report import TableRows, deck_label, percent_with_interval, points_with_interval
from argentum.rules import game
from argentum.rules.table import FIRST_RULINGS, RULINGS

FORMAT: Final = "argentum leaderboard 1"
SUBJECT_COLUMNS: Final = ("bot", "against", "decks", "players")
FIGURE_COLUMNS: Final = ("games won", "points ahead", "ms per decision", "deals", "seed", "version")
JSON_KEYS: Final = {"file_digests": "files"}  # keys of the file format that differ from the field names
GameScore = tuple[tuple[int, int], ...]  # points and rank, seat by seat


class LeaderboardEntry(NamedTuple):
    """The games of one cell of a contest, with everything needed to replay them."""

    version: str  # of Argentum
    bots: tuple[str, ...]
    boxes: str
    players: int
    seed: int
    deals: int
    file_digests: dict[str, str]  # SHA-256 of each network; the key in JSON is "files"
    milliseconds: dict[str, float]  # per decision, by bot
    machine: str  # on which the times were measured
    games: tuple[GameScore, ...]  # in the order of `jobs`
    rulings: int = FIRST_RULINGS  # version of the rulings; missing in entries of earlier versions

    @property
    def cell(self) -> Cell:
        return Cell(self.bots, self.boxes, self.players)

    @property
    def jobs(self) -> list[Job]:
        deals = make_deals(self.boxes, self.players, self.deals, self.seed)
        return make_jobs(self.cell, [deal._replace(rulings=self.rulings) for deal in deals])

    @property
    def standings(self) -> list[BotStanding]:
        """Standings of the bots, the best first."""
        results = {
            job: tuple([seat_result(bot, *seat) for bot, seat in zip(job.seating, score, strict=True)])
            for job, score in zip(self.jobs, self.games, strict=True)
        }
        return sorted(cell_result(self.cell, self.jobs, results).standings, key=lambda standing: -standing.wins.mean)

    @property
    def title(self) -> str:
        return f"{' '.join(self.bots)}, {deck_label(self.boxes)}, {self.players} players, seed {self.seed}"


def seat_result(bot: str, points: int, rank: int) -> SeatResult:
    """Return a seat's result with the points and rank of an entry, and placeholders for the other fields."""
    return SeatResult(bot, points, rank, 0, 0, 1, 0.0, {})


def game_score(seats: Sequence[SeatResult]) -> GameScore:
    return tuple([(seat.points, seat.rank) for seat in seats])


def require_reproducible(names: Iterable[str]) -> None:
    """Raise `ValueError` for bots with a time limit, whose games cannot be replayed."""
    for name in names:
        player = make_player(name, 0)
        if isinstance(player, BotPlayer) and player.bot.is_time_limited:
            raise ValueError(
                f"{name} has a time limit, so its games cannot be replayed: give it a number of deals, as in seer:20"
            )


def make_entries(match: Match, seed: int, results: dict[Job, tuple[SeatResult, ...]]) -> list[LeaderboardEntry]:
    """Return an entry for each cell of a finished match."""
    entries = []
    for cell, jobs in match.cells.items():
        result = cell_result(cell, jobs, results)
        speeds = {standing.bot: round(1000 * standing.seconds_per_decision, 3) for standing in result.standings}
        games = tuple([game_score(results[job]) for job in jobs])
        digests = network_digests(cell.names)
        header = (__version__, cell.names, cell.boxes, cell.players, seed, result.deals)
        entries.append(LeaderboardEntry(*header, digests, speeds, machine_description(), games, RULINGS))
    return entries


def machine_description() -> str:
    """Describe the processor, Python version and build, on which measured speeds depend."""
    build = "plain" if (game.__file__ or "").endswith(".py") else "compiled"
    return f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}, {build}"


def network_digests(names: Iterable[str]) -> dict[str, str]:
    """Map the name of each player that has a network file to the SHA-256 of that file."""
    bots = {name: player.bot for name in names if isinstance(player := make_player(name, 0), BotPlayer)}
    files = {name: bot.network_file for name, bot in bots.items()}
    return {name: sha256(Path(file).read_bytes()).hexdigest() for name, file in files.items() if file}


def read_leaderboard(file: Path) -> list[LeaderboardEntry]:
    """Read the entries of a file; return an empty list if there is no file.

    Raise ValueError if the file has another format, or figures that do not follow from its games.
    """
    if not file.exists():
        return []
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(data["format"])
        entries = [entry_from_json(item) for item in data["entries"]]
        stored_win_shares = [item["won"] for item in data["entries"]]
    except (ValueError, TypeError, KeyError):
        raise ValueError(f"{file} is not a leaderboard of this version") from None
    for entry, stored_shares in zip(entries, stored_win_shares, strict=True):
        seat_counts, expected = [len(game) for game in entry.games], [entry.players] * len(entry.jobs)
        if seat_counts != expected:
            raise ValueError(
                f"{file}: {entry.title} must have {len(expected)} games of {entry.players}, and has others"
            )
        if win_shares(entry) != stored_shares:
            raise ValueError(f"{file}: the figures of {entry.title} are not those of its games")
    return entries


def entry_from_json(data: dict[str, Any]) -> LeaderboardEntry:
    games = tuple([tuple([(points, rank) for points, rank in game]) for game in data["games"]])
    data = {"rulings": FIRST_RULINGS, **data, "bots": tuple(data["bots"]), "games": games}
    return LeaderboardEntry(**{field: data[JSON_KEYS.get(field, field)] for field in LeaderboardEntry._fields})


def write_leaderboard(file: Path, entries: Iterable[LeaderboardEntry]) -> None:
    """Write the entries, one per line; omit an entry if a later one has the same cell and seed."""
    latest = {(entry.cell, entry.seed): entry for entry in entries}
    lines = [json.dumps(entry_to_json(entry), separators=(",", ":")) for _, entry in sorted(latest.items())]
    text = f'{{"format": "{FORMAT}", "entries": [\n' + ",\n".join(lines) + "\n]}\n"
    file.write_text(text, encoding="utf-8")


def entry_to_json(entry: LeaderboardEntry) -> dict[str, Any]:
    """Convert an entry for JSON, and add the win rates that follow from its games."""
    return {JSON_KEYS.get(field, field): value for field, value in entry._asdict().items()} | {"won": win_shares(entry)}


def entry_summary(entry: LeaderboardEntry) -> dict[str, Any]:
    """Convert an entry for JSON with its standings instead of its games."""
    header = {JSON_KEYS.get(field, field): value for field, value in entry._asdict().items() if field != "games"}
    standings = [
        {
            "bot": standing.bot,
            "wins": to_json(standing.wins),
            "points_ahead": to_json(standing.points_ahead),
        }
        for standing in entry.standings
    ]
    return {**header, "standings": standings}


def win_shares(entry: LeaderboardEntry) -> dict[str, list[float]]:
    """Map each bot to the share of games that it won: the mean, and the ends of the interval."""
    return {standing.bot: [round(value, 4) for value in standing.wins] for standing in entry.standings}


def verify_entry(
    entry: LeaderboardEntry, sample: int, random: Random, play: Callable[[list[Job]], Iterable[PlayedJob]]
) -> list[str]:
    """Replay up to `sample` of an entry's games; return an error message for each game whose scores differ.

    If a network file has changed, replay nothing and return only a message about that. Raise ValueError for bots with
    a time limit.
    """
    jobs = entry.jobs
    require_reproducible(entry.bots)
    for name, digest in network_digests(entry.bots).items():
        if digest != entry.file_digests.get(name):
            return [f"{name} is another network than the one that played"]
    scores = dict(zip(jobs, entry.games, strict=True))
    chosen = random.sample(jobs, min(sample, len(jobs)))
    return [
        f"deal {job.deal.number}, {' '.join(job.seating)}: the entry says {score_text(scores[job])}, replayed it is"
        f" {score_text(game_score(seats))} (version {entry.version}, this is {__version__})"
        for job, seats in play(chosen)
        if game_score(seats) != scores[job]
    ]


def score_text(score: GameScore) -> str:
    return " to ".join([str(points) for points, _ in score])


def leaderboard_rows(entries: Iterable[LeaderboardEntry]) -> TableRows:
    """Return a header row, then a row for each bot of each entry."""
    return [
        (*SUBJECT_COLUMNS, *FIGURE_COLUMNS),
        *[
            (
                standing.bot,
                " ".join([bot for bot in entry.bots if bot != standing.bot]),
                deck_label(entry.boxes),
                f"{entry.players}",
                percent_with_interval(standing.wins),
                points_with_interval(standing.points_ahead),
                f"{entry.milliseconds[standing.bot]:.2f}",
                f"{entry.deals}",
                f"{entry.seed}",
                entry.version,
            )
            for entry in entries
            for standing in entry.standings
        ],
    ]
