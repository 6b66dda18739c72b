import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from argentum.arena import runner, strength
from argentum.arena.ability_values import AbilityValues, all_ability_labels
from argentum.arena.jobs import PlayedJob
from argentum.arena.match import Match
from argentum.arena.strength import PAGE_BEGIN_MARK, PAGE_END_MARK, StrengthReport
from argentum.cli import main
from argentum.rules.boxes import BOX_NAMES, residents
from tests.arena.fake_results import fake_results


def run(*words: str) -> Result:
    """Run the command; fail if it ends with a traceback."""
    result = CliRunner().invoke(main, ["arena", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def write_fake_results(file: Path, plan: StrengthReport | AbilityValues | Match) -> str:
    """Write results for all games of a plan to a file; return the file's name."""
    file.write_text("".join([runner.format_result_line(item) + "\n" for item in fake_results(plan.jobs).items()]))
    return str(file)


def test_a_match_is_printed_as_a_table() -> None:
    result = run("random", "novice", "--games", "2", "--players", "2,3", "--boxes", "coin,random", "--processes", "1")
    assert result.exit_code == 0
    titles = [line for line in result.stdout.splitlines() if "players" in line]
    assert titles == [
        "coin, 2 players, 2 games on 1 deal",
        "random mixes, 2 players, 2 games on 1 deal",
        "coin, 3 players, 6 games on 1 deal",
        "random mixes, 3 players, 6 games on 1 deal",
    ]
    assert "games won" in result.stdout
    assert "ms per decision" in result.stdout
    assert result.stderr == ""  # no progress bar where there is no terminal


def test_a_match_is_printed_as_json_and_is_reproducible() -> None:
    words = ["novice", "random", "--games", "4", "--seed", "5", "--ratings", "--processes", "1", "--json"]
    first, second = [json.loads(run(*words).stdout) for _ in range(2)]
    assert (first["played"], first["stopped"], first["seed"]) == (4, False, 5)
    (table,) = first["tables"]
    assert (table["deals"], table["games"]) == (2, 4)
    novice = table["standings"][0]
    assert novice["bot"] == "novice"
    assert set(novice["wins"]) == {"mean", "low", "high"}
    assert first["ratings"][0]["bot"] == "novice"
    for summary in (first, second):
        for standing in summary["tables"][0]["standings"]:
            assert standing.pop("seconds_per_decision") > 0
    assert first == second


def test_the_plot_has_a_dot_and_an_interval_per_bot(tmp_path: Path) -> None:
    match = Match(["novice", "steady"], ["coin"], [2, 3], 40, 1)
    games, plot = tmp_path / "games.jsonl", tmp_path / "plot.svg"
    words = ["novice", "steady", "--boxes", "coin", "--players", "2,3", "--games", "40", "--plot", str(plot)]
    assert run(*words, "--results", write_fake_results(games, match)).exit_code == 0
    svg = "{http://www.w3.org/2000/svg}"
    root = ElementTree.parse(plot).getroot()
    texts = [item.text for item in root.iter(f"{svg}text")]
    assert [text for text in texts if text in ("novice", "steady", "novice, alone", "steady, alone")] == [
        *("steady", "novice"),
        *("steady", "steady, alone", "novice", "novice, alone"),
    ]
    dots = [float(item.attrib["cx"]) for item in root.iter(f"{svg}circle")]
    ranges = [(float(item.attrib["x1"]), float(item.attrib["x2"])) for item in root.iter(f"{svg}line")]
    assert len(dots) == 6
    assert all([any([low < dot < high for low, high in ranges]) for dot in dots])
    tables = match.results(fake_results(match.jobs))
    (steady,) = [item for item in tables[1].standings if item.bot == "steady"]
    assert steady.alone_wins is not None
    assert f"{100 * steady.alone_wins.mean:.1f} %" in texts


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Name two bots or more"),
        (["steady", "--ratings"], "Name two bots or more"),
        (["steady", "steady"], "Name each bot once"),
        (["steady", "novise"], "There is no bot 'novise'.* Did you mean 'novice'?"),
        (["steady", "seer:fast"], "'fast' is not a budget: .*\\.$"),
        (["steady", "steady without X9"], "'X9' is not an ability"),
        (["steady", "novice", "--boxes", "dagger,tin"], "'tin' names no deck"),
        (["steady", "novice", "--players", "2,5"], "5 is not in the range"),
        (["steady", "novice", "--report", "page.md"], "--report needs --ratings"),
        (["--ratings", "--report", "page.md", "--players", "2"], "leave out --boxes and --players"),
        (["--abilities", "--plot", "plot.svg"], "--plot needs a match"),
        (["steady", "novice", "--plot", "nowhere/plot.svg"], "nowhere/plot.svg: No such file"),
        (["steady", "novice", "--games", "2", "--plot", "plot.png"], "plot.png: .* name it plot.svg"),
        (["--check", "2"], "--check needs --leaderboard"),
        (["steady", "novice", "--abilities"], "--abilities only takes --games and --seed"),
    ],
)
def test_invalid_options_are_refused(words: list[str], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.search(message, result.stderr)


def test_a_file_without_results_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    file.write_text("notes\n")
    result = run("steady", "novice", "--results", str(file))
    assert result.exit_code == 2
    assert "notes, line 1: this is not a game of the arena" in result.stderr


def test_the_report_of_all_ratings_is_written_to_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "MIN_DEALS", 1)
    names, page = ["random", "novice", "steady", "seer:20"], tmp_path / "strength.md"
    file = write_fake_results(tmp_path / "games", StrengthReport(names, 12, 1))
    result = run(*names, "--ratings", "--games", "12", "--results", file, "--report", str(page))
    assert result.exit_code == 0
    text = page.read_text()
    for heading in ("Ratings", "Between two", "Games of two", "Games of four", "The oracle", "What each ability"):
        assert f"\n## {heading}" in text
    assert "argentum arena random novice steady seer:20 --ratings --games 12 --seed 1 --report docs/strength.md" in text
    assert "| seer:20 beats steady |" in text
    assert "| oracle (sees all cards) | random mixes |" in text
    assert "| seer:20 | random mixes |" in text
    assert all(f"\n| {label} " in text for label in all_ability_labels())
    assert str(tmp_path) not in text
    tables = [part for part in text.split("\n\n") if part.startswith("|")]
    assert len(tables) == 8
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_text_outside_the_marks_of_the_page_is_unchanged(tmp_path: Path) -> None:
    page, plan = tmp_path / "strength.md", StrengthReport(["novice", "steady"], 4, 1)
    file = write_fake_results(tmp_path / "games", plan)
    words = ["novice", "steady", "--ratings", "--games", "4", "--results", file, "--report", str(page)]
    page.write_text(f"# Mine\n\nBefore.\n\n{PAGE_BEGIN_MARK}\n\nOld figures.\n\n{PAGE_END_MARK}\n\nAfter.\n")
    assert run(*words).exit_code == 0
    text = page.read_text()
    assert text.startswith(f"# Mine\n\nBefore.\n\n{PAGE_BEGIN_MARK}\n")
    assert text.endswith(f"\n{PAGE_END_MARK}\n\nAfter.\n")
    assert "Old figures." not in text
    assert "## Ratings" in text
    assert run(*words).exit_code == 0
    assert page.read_text() == text  # the report is idempotent
    page.write_text("# Mine\n")
    result = run(*words)
    assert result.exit_code == 2
    assert "the page has no marks for the report" in result.stderr
    assert page.read_text() == "# Mine\n"


def test_cells_with_few_deals_are_omitted() -> None:
    plan = StrengthReport(["novice", "steady"], 2 * strength.MIN_DEALS, 1)
    pairs = [job for job in plan.pool.jobs if job.deal.players == 2]
    few_jobs = [job for job in pairs if job.deal.boxes != "coin" or job.deal.number < strength.MIN_DEALS - 1]
    text = plan.page(fake_results(few_jobs), "argentum arena ...", "2026-11-16")
    (row,) = [line for line in text.splitlines() if line.startswith("| steady beats novice")]
    assert [bool(cell.strip()) for cell in row.split("|")[2:-1]] == [box != "coin" for box in strength.MEASURED_DECKS]
    assert "| steady | coin |" not in text
    assert "| steady | dagger |" in text
    assert "## Games of three" not in text


def test_oracle_and_abilities_with_few_deals_are_omitted() -> None:
    plan = StrengthReport(["novice", "steady", "seer:20"], 2 * strength.MIN_DEALS, 1)
    full = plan.page(fake_results(plan.jobs), "argentum arena ...", "2026-11-16")
    few_jobs = [job for job in plan.jobs if job.deal.number < strength.MIN_DEALS - 1]
    short_page = plan.page(fake_results(few_jobs), "argentum arena ...", "2026-11-16")
    for part in ("## The oracle", "Share of the gap", "## What each ability"):
        assert part in full
        assert part not in short_page


def test_sections_without_games_are_omitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "MIN_DEALS", 1)
    plan = StrengthReport(["novice", "steady"], 4, 1)
    text = plan.page(fake_results(plan.pool.jobs), "argentum arena ...", "2026-11-16")
    assert "Measured on 2026-11-16." in text
    assert f"after {len(plan.pool.jobs)} of {len(plan.jobs)} games" in text
    assert "## Games of four" in text
    assert "## The oracle" not in text
    assert "## What each ability" not in text


def test_the_value_of_each_ability_to_steady_is_printed(tmp_path: Path) -> None:
    file = write_fake_results(tmp_path / "games", AbilityValues(20, 1))
    result = run("--abilities", "--games", "20", "--results", file)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 1 + len(residents()) + len(BOX_NAMES)
    assert next(line for line in lines if line.startswith("C8 Assassin")).split()[2] == "3.00"
    assert next(line for line in lines if line.startswith("D14 silver dagger")).split()[3] == "0.00"
    summary = json.loads(run("--abilities", "--games", "20", "--results", file, "--json").stdout)
    assert [item["label"] for item in summary["abilities"]] == all_ability_labels()
    # In the fake results, steady is stronger than steady without an ability.
    assert summary["abilities"][0]["win_probability_gain"]["mean"] > 0


def test_ctrl_c_prints_the_results_so_far(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    words = ["arena", "novice", "random", "--games", "4000", "--processes", "2", "--results", str(file)]
    running = subprocess.Popen(
        [sys.executable, "-m", "argentum", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while running.returncode is None and not (file.exists() and file.read_text().count("\n") > 8):
        with suppress(subprocess.TimeoutExpired):
            running.wait(0.02)
    running.send_signal(signal.SIGINT)
    output, message = running.communicate(timeout=60)
    assert running.returncode == 130
    assert output.startswith("dagger, 2 players, ")
    assert message.startswith("Stopped after ")
    assert "Traceback" not in message


def test_a_killed_worker_process_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_broken_jobs(*_: object) -> Iterator[PlayedJob]:
        yield from ()
        raise BrokenProcessPool

    monkeypatch.setattr(runner, "run_jobs", run_broken_jobs)
    result = run("novice", "random")
    assert result.exit_code == 1
    assert result.stderr == "Error: A worker process was killed; with --results, finished games are saved.\n"
