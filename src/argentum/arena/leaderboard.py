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
from argentum.arena.contest import Cell, Standing, jobs_of, table_of
from argentum.arena.jobs import Job, Played, Result, deals
from argentum.arena.match import Match, facts_of
from argentum.arena.players import Guest, player
from argentum.arena.report import Rows, decks, percent, signed
from argentum.rules import game
from argentum.rules.table import FIRST_RULINGS, RULINGS

FORMAT: Final = "argentum leaderboard 1"
ABOUT: Final = ("bot", "against", "decks", "players")
FIGURES: Final = ("games won", "points ahead", "ms a choice", "deals", "seed", "version")
Score = tuple[tuple[int, int], ...]  # points and rank, seat by seat


class Entry(NamedTuple):
    """A cell of a contest: what was played, by what, and how it came out."""

    version: str  # of Argentum
    bots: tuple[str, ...]
    boxes: str
    players: int
    seed: int
    deals: int
    files: dict[str, str]  # the SHA-256 of each network
    milliseconds: dict[str, float]  # a choice, by bot
    machine: str  # where that was measured
    games: tuple[Score, ...]  # in the order of `jobs`
    rulings: int = FIRST_RULINGS  # that the games were played by; entries of earlier versions do not say it

    @property
    def cell(self) -> Cell:
        """Who plays, with what, and how many."""
        return Cell(self.bots, self.boxes, self.players)

    @property
    def jobs(self) -> list[Job]:
        """The games."""
        dealt = deals(self.boxes, self.players, self.deals, self.seed)
        return jobs_of(self.cell, [deal._replace(rulings=self.rulings) for deal in dealt])

    @property
    def standings(self) -> list[Standing]:
        """How the bots did, the best first."""
        results = {
            job: tuple([made_of(bot, *seat) for bot, seat in zip(job.seating, score, strict=True)])
            for job, score in zip(self.jobs, self.games, strict=True)
        }
        return sorted(table_of(self.cell, self.jobs, results).standings, key=lambda one: -one.wins.mean)

    @property
    def title(self) -> str:
        """What the entry is about."""
        return f"{' '.join(self.bots)}, {decks(self.boxes)}, {self.players} players, seed {self.seed}"


def made_of(bot: str, points: int, rank: int) -> Result:
    """A seat's result as far as an entry has it."""
    return Result(bot, points, rank, 0, 0, 1, 0.0, {})


def score_of(seats: Sequence[Result]) -> Score:
    """A game's points and ranks."""
    return tuple([(seat.points, seat.rank) for seat in seats])


def check_players(names: Iterable[str]) -> None:
    """Refuse bots whose games nobody can play again."""
    for name in names:
        one = player(name, 0)
        if isinstance(one, Guest) and one.bot.is_time_limited:
            raise ValueError(
                f"{name} thinks by the clock, so its games cannot be replayed: give it a number of deals, as in seer:20"
            )


def entries(match: Match, seed: int, results: dict[Job, tuple[Result, ...]]) -> list[Entry]:
    """An entry for each cell of a match that was played as a whole."""
    found = []
    for cell, jobs in match.cells.items():
        table = table_of(cell, jobs, results)
        speeds = {one.bot: round(1000 * one.seconds, 3) for one in table.standings}
        games = tuple([score_of(results[job]) for job in jobs])
        files = digests(cell.names)
        about = (__version__, cell.names, cell.boxes, cell.players, seed, table.deals)
        found.append(Entry(*about, files, speeds, machine(), games, RULINGS))
    return found


def machine() -> str:
    """What plays here: speed depends on it, and nothing else."""
    build = "plain" if (game.__file__ or "").endswith(".py") else "compiled"
    return f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}, {build}"


def digests(names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of the file of each network among players, by the player's name."""
    guests = {name: one.bot for name in names if isinstance(one := player(name, 0), Guest)}
    files = {name: bot.network_file for name, bot in guests.items()}
    return {name: sha256(Path(file).read_bytes()).hexdigest() for name, file in files.items() if file}


def read(file: Path) -> list[Entry]:
    """The entries of a file; none if there is no such file."""
    if not file.exists():
        return []
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if told["format"] != FORMAT:
            raise ValueError(told["format"])
        found = [entry_of(one) for one in told["entries"]]
        won = [one["won"] for one in told["entries"]]
    except (ValueError, TypeError, KeyError):
        raise ValueError(f"{file} is not a leaderboard of this version") from None
    for entry, said in zip(found, won, strict=True):
        games, due = [len(game) for game in entry.games], [entry.players] * len(entry.jobs)
        if games != due:
            raise ValueError(f"{file}: {entry.title} must have {len(due)} games of {entry.players}, and has others")
        if shares(entry) != said:
            raise ValueError(f"{file}: the figures of {entry.title} are not those of its games")
    return found


def entry_of(told: dict[str, Any]) -> Entry:
    """An entry from JSON."""
    games = tuple([tuple([(points, rank) for points, rank in game]) for game in told["games"]])
    told = {"rulings": FIRST_RULINGS, **told}
    found = {key: told[key] for key in Entry._fields} | {"bots": tuple(told["bots"]), "games": games}
    return Entry(**found)


def write(file: Path, found: Iterable[Entry]) -> None:
    """Write entries, one a line; of those with the same bots, decks, seats and seed, the last."""
    latest = {(one.cell, one.seed): one for one in found}
    lines = [json.dumps(facts(one), separators=(",", ":")) for _, one in sorted(latest.items())]
    text = f'{{"format": "{FORMAT}", "entries": [\n' + ",\n".join(lines) + "\n]}\n"
    file.write_text(text, encoding="utf-8")


def facts(entry: Entry) -> dict[str, Any]:
    """An entry for JSON, with its figures for those who only read."""
    return {**entry._asdict(), "won": shares(entry)}


def figures(entry: Entry) -> dict[str, Any]:
    """What an entry comes to, for programs: as `rows` has it, without the games."""
    about = {key: value for key, value in entry._asdict().items() if key != "games"}
    standings = [{"bot": one.bot, "wins": facts_of(one.wins), "lead": facts_of(one.lead)} for one in entry.standings]
    return {**about, "standings": standings}


def shares(entry: Entry) -> dict[str, list[float]]:
    """The games that each bot won, with the interval."""
    return {one.bot: [round(value, 4) for value in one.wins] for one in entry.standings}


def check(entry: Entry, sample: int, random: Random, play: Callable[[list[Job]], Iterable[Played]]) -> list[str]:
    """What is wrong with an entry: a file, or a game of the sample that comes out otherwise."""
    jobs = entry.jobs
    check_players(entry.bots)
    for name, known in digests(entry.bots).items():
        if known != entry.files.get(name):
            return [f"{name} is another network than the one that played"]
    told = dict(zip(jobs, entry.games, strict=True))
    chosen = random.sample(jobs, min(sample, len(jobs)))
    return [
        f"deal {job.deal.nth}, {' '.join(job.seating)}: the entry says {points(told[job])}, replayed it is"
        f" {points(score_of(seats))} (version {entry.version}, this is {__version__})"
        for job, seats in play(chosen)
        if score_of(seats) != told[job]
    ]


def points(score: Score) -> str:
    """A game's points in words."""
    return " to ".join([str(one) for one, _ in score])


def rows(found: Iterable[Entry]) -> Rows:
    """Entries as rows of a table, bot by bot."""
    return [
        (*ABOUT, *FIGURES),
        *[
            (
                one.bot,
                " ".join([bot for bot in entry.bots if bot != one.bot]),
                decks(entry.boxes),
                f"{entry.players}",
                percent(one.wins),
                signed(one.lead),
                f"{entry.milliseconds[one.bot]:.2f}",
                f"{entry.deals}",
                f"{entry.seed}",
                entry.version,
            )
            for entry in found
            for one in entry.standings
        ],
    ]
