"""A leaderboard: results in a file, each with all that it takes to play its games again.

An entry has every game's points and ranks, so whoever reads it can compute its figures anew, and play a sample of the
games: they follow from the seed, the bots and the version. Bots that think by the clock have no place here.
"""

import json
import platform
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from argentum import __version__
from argentum.arena.contest import BotStanding, Cell, cell_result, jobs_of
from argentum.arena.jobs import Job, PlayedJob, SeatResult, make_deals
from argentum.arena.match import Match, to_json
from argentum.arena.players import BotPlayer, make_player
from argentum.arena.report import TableRows, deck_label, percent_with_interval, points_with_interval
from argentum.rules import game
from argentum.rules.table import FIRST_RULINGS, RULINGS

FORMAT: Final = "argentum leaderboard 1"
SUBJECT_COLUMNS: Final = ("bot", "against", "decks", "players")
FIGURE_COLUMNS: Final = ("games won", "points ahead", "ms per decision", "deals", "seed", "version")
GameScore = tuple[tuple[int, int], ...]  # points and rank, seat by seat


class LeaderboardEntry(NamedTuple):
    """A cell of a contest: what was played, by what, and how it came out."""

    version: str  # of Argentum
    bots: tuple[str, ...]
    boxes: str
    players: int
    seed: int
    deals: int
    file_digests: dict[str, str]  # the SHA-256 of each network
    milliseconds: dict[str, float]  # a choice, by bot
    machine: str  # where that was measured
    games: tuple[GameScore, ...]  # in the order of `jobs`
    rulings: int = FIRST_RULINGS  # that the games were played by; entries of earlier versions do not say it

    @property
    def cell(self) -> Cell:
        """Who plays, with what, and how many."""
        return Cell(self.bots, self.boxes, self.players)

    @property
    def jobs(self) -> list[Job]:
        """The games."""
        dealt = make_deals(self.boxes, self.players, self.deals, self.seed)
        return jobs_of(self.cell, [deal._replace(rulings=self.rulings) for deal in dealt])

    @property
    def standings(self) -> list[BotStanding]:
        """How the bots did, the best first."""
        results = {
            job: tuple([seat_result(bot, *seat) for bot, seat in zip(job.seating, score, strict=True)])
            for job, score in zip(self.jobs, self.games, strict=True)
        }
        return sorted(cell_result(self.cell, self.jobs, results).standings, key=lambda entry: -entry.wins.mean)

    @property
    def title(self) -> str:
        """What the entry is about."""
        return f"{' '.join(self.bots)}, {deck_label(self.boxes)}, {self.players} players, seed {self.seed}"


def seat_result(bot: str, points: int, rank: int) -> SeatResult:
    """A seat's result as far as an entry has it."""
    return SeatResult(bot, points, rank, 0, 0, 1, 0.0, {})


def game_score(seats: Sequence[SeatResult]) -> GameScore:
    """A game's points and ranks."""
    return tuple([(seat.points, seat.rank) for seat in seats])


def require_reproducible(names: Iterable[str]) -> None:
    """Refuse bots whose games nobody can play again."""
    for name in names:
        entry = make_player(name, 0)
        if isinstance(entry, BotPlayer) and entry.bot.is_time_limited:
            raise ValueError(
                f"{name} thinks by the clock, so its games cannot be replayed: give it a number of deals, as in seer:20"
            )


def make_entries(match: Match, seed: int, results: dict[Job, tuple[SeatResult, ...]]) -> list[LeaderboardEntry]:
    """An entry for each cell of a match that was played as a whole."""
    entries = []
    for cell, jobs in match.cells.items():
        table = cell_result(cell, jobs, results)
        speeds = {entry.bot: round(1000 * entry.seconds_per_decision, 3) for entry in table.standings}
        games = tuple([game_score(results[job]) for job in jobs])
        files = network_digests(cell.names)
        about = (__version__, cell.names, cell.boxes, cell.players, seed, table.deals)
        entries.append(LeaderboardEntry(*about, files, speeds, machine_description(), games, RULINGS))
    return entries


def machine_description() -> str:
    """What plays here: speed depends on it, and nothing else."""
    build = "plain" if (game.__file__ or "").endswith(".py") else "compiled"
    return f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}, {build}"


def network_digests(names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of the file of each network among players, by the player's name."""
    guests = {name: entry.bot for name in names if isinstance(entry := make_player(name, 0), BotPlayer)}
    files = {name: bot.network_file for name, bot in guests.items()}
    return {name: sha256(Path(file).read_bytes()).hexdigest() for name, file in files.items() if file}


def read_leaderboard(file: Path) -> list[LeaderboardEntry]:
    """The entries of a file; none if there is no such file."""
    if not file.exists():
        return []
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(data["format"])
        entries = [entry_from_json(one) for one in data["entries"]]
        won = [one["won"] for one in data["entries"]]
    except (ValueError, TypeError, KeyError):
        raise ValueError(f"{file} is not a leaderboard of this version") from None
    for entry, stored_shares in zip(entries, won, strict=True):
        games, due = [len(game) for game in entry.games], [entry.players] * len(entry.jobs)
        if games != due:
            raise ValueError(f"{file}: {entry.title} must have {len(due)} games of {entry.players}, and has others")
        if win_shares(entry) != stored_shares:
            raise ValueError(f"{file}: the figures of {entry.title} are not those of its games")
    return entries


def entry_from_json(data: dict[str, Any]) -> LeaderboardEntry:
    """An entry from JSON."""
    games = tuple([tuple([(points, rank) for points, rank in game]) for game in data["games"]])
    data = {"rulings": FIRST_RULINGS, **data}
    entries = {key: data[key] for key in LeaderboardEntry._fields} | {"bots": tuple(data["bots"]), "games": games}
    return LeaderboardEntry(**entries)


def write_leaderboard(file: Path, entries: Iterable[LeaderboardEntry]) -> None:
    """Write entries, one a line; of those with the same bots, decks, seats and seed, the last."""
    latest = {(entry.cell, entry.seed): entry for entry in entries}
    lines = [json.dumps(entry_to_json(entry), separators=(",", ":")) for _, entry in sorted(latest.items())]
    text = f'{{"format": "{FORMAT}", "entries": [\n' + ",\n".join(lines) + "\n]}\n"
    file.write_text(text, encoding="utf-8")


def entry_to_json(entry: LeaderboardEntry) -> dict[str, Any]:
    """An entry for JSON, with its figures for those who only read."""
    return {**entry._asdict(), "won": win_shares(entry)}


def entry_summary(entry: LeaderboardEntry) -> dict[str, Any]:
    """What an entry comes to, for programs: as `rows` has it, without the games."""
    about = {key: value for key, value in entry._asdict().items() if key != "games"}
    standings = [
        {
            "bot": standing.bot,
            "wins": to_json(standing.wins),
            "points_ahead": to_json(standing.points_ahead),
        }
        for standing in entry.standings
    ]
    return {**about, "standings": standings}


def win_shares(entry: LeaderboardEntry) -> dict[str, list[float]]:
    """The games that each bot won, with the interval."""
    return {one.bot: [round(value, 4) for value in one.wins] for one in entry.standings}


def verify_entry(
    entry: LeaderboardEntry, sample: int, random: Random, play: Callable[[list[Job]], Iterable[PlayedJob]]
) -> list[str]:
    """What is wrong with an entry: a file, or a game of the sample that comes out otherwise."""
    jobs = entry.jobs
    require_reproducible(entry.bots)
    for name, known in network_digests(entry.bots).items():
        if known != entry.file_digests.get(name):
            return [f"{name} is another network than the one that played"]
    data = dict(zip(jobs, entry.games, strict=True))
    chosen = random.sample(jobs, min(sample, len(jobs)))
    return [
        f"deal {job.deal.number}, {' '.join(job.seating)}: the entry says {score_text(data[job])}, replayed it is"
        f" {score_text(game_score(seats))} (version {entry.version}, this is {__version__})"
        for job, seats in play(chosen)
        if game_score(seats) != data[job]
    ]


def score_text(score: GameScore) -> str:
    """A game's points in words."""
    return " to ".join([str(entry) for entry, _ in score])


def leaderboard_rows(entries: Iterable[LeaderboardEntry]) -> TableRows:
    """Entries as rows of a table, bot by bot."""
    return [
        (*SUBJECT_COLUMNS, *FIGURE_COLUMNS),
        *[
            (
                one.bot,
                " ".join([bot for bot in entry.bots if bot != one.bot]),
                deck_label(entry.boxes),
                f"{entry.players}",
                percent_with_interval(one.wins),
                points_with_interval(one.points_ahead),
                f"{entry.milliseconds[one.bot]:.2f}",
                f"{entry.deals}",
                f"{entry.seed}",
                entry.version,
            )
            for entry in entries
            for one in entry.standings
        ],
    ]
