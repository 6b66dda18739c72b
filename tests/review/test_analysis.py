"""Review of a game: which decisions, what the bot knows, what a move gains, and the output."""

import json
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from argentum import bots, records
from argentum.arena.simulation import simulate_games
from argentum.cli import main
from argentum.records import Decision
from argentum.review.analysis import (
    OpenDecision,
    bot_moves,
    compare_moves,
    moves_text,
    open_decisions,
    played_moves,
    review_decisions,
)
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.game import Game


def run(*words: str) -> Result:
    """Run a command and check that it ends without a traceback."""
    result = CliRunner().invoke(main, words, prog_name="argentum")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of the first two rounds of a game between two novices."""
    game = Game.new("dagger", 2, 3, names=["Ann", "Bo"])
    players = {"A": bots.make("novice", 1), "B": bots.make("novice", 2)}
    while game.rounds_finished < 2:
        seat = game.to_move
        game.play(int(bots.ask(players[seat], game, seat)))
    file = tmp_path_factory.mktemp("records") / "game.silver"
    file.write_text(records.write(game), encoding="utf-8")
    return file


def at(village: str, hand: str, move: str) -> OpenDecision:
    """A decision of seat A, which has drawn a card and knows its village."""
    seen = " ".join(f"A{place}" for place in range(1, len(village.split()) + 1))
    game = Game.at(
        {
            "boxes": "dagger",
            "deck": f"{hand} 2 3 4 5 6 7 8 9 10 11 12 1 3 5",
            "discard": "8",
            "villages": {"A": village, "B": "5 6 7 8"},
            "seen": {"A": seen},
        }
    )
    game.play("draw")
    return OpenDecision(game, "A", move)


# Selection.


def test_only_decisions_with_a_choice_are_reviewed(record: Path) -> None:
    game = records.read_file(record)
    moves, open_moves = [], []
    for step in records.replay_steps(game):
        if isinstance(step, Decision) and step.seat == "B":
            moves.append(step.move)
            if len(step.legal) > 1 and step.move.split()[0] not in ("peek", "at"):
                open_moves.append(step.move)
    assert [step.move for step in open_decisions(game, "B")] == open_moves
    assert 10 < len(open_moves) < len(moves)


def test_the_bot_knows_only_what_the_seat_knew(record: Path) -> None:
    game = records.read_file(record)
    for step in open_decisions(game, "A")[::5]:
        other = OpenDecision(step.game.redeal("A", Random(9)), "A", step.move)
        better = bot_moves(bots.make("seer:10", 1), step)
        assert bot_moves(bots.make("seer:10", 1), other) == better
        assert compare_moves(other, better, 3, 1) == compare_moves(step, better, 3, 1)


@pytest.mark.parametrize("boxes", BOX_NAMES)
def test_a_bot_agrees_with_its_own_moves(boxes: str) -> None:
    game = Game.new(boxes, 2, 4)
    players = {seat: bots.make("steady", 1) for seat in game.seats}
    while not game.over:
        game.play(int(bots.ask(players[game.to_move], game, game.to_move)))
    choices = open_decisions(game, "B")
    assert any(choice.game.checkpoint()[1] for choice in choices)  # it is asked in the middle of abilities too
    assert all(decision.agreed for decision in review_decisions(choices, "steady", 2))


def test_a_bots_exchange_is_written_with_all_its_cards() -> None:
    step = at("9 1 9 2", "3", "exchange A3 A1")
    assert moves_text(bot_moves(bots.make("steady", 1), step)) == "exchange A1 A3"
    assert moves_text(played_moves(step)) == step.move


# Gains.


def test_a_blunder_has_a_significant_gain() -> None:
    [decision] = review_decisions([at("0 12 1 2", "11", "exchange A1")], "steady", 200)
    assert decision.bot_move != decision.played
    assert not decision.agreed
    assert decision.points_gain.is_significant
    assert decision.points_gain.mean > 3
    assert decision.win_probability_gain.mean > 0


def test_the_same_move_gains_nothing_whatever_the_order_of_its_cards() -> None:
    [decision] = review_decisions([at("9 1 9 2", "3", "exchange A3 A1")], "steady", 2)
    assert decision.agreed
    assert (decision.bot_move, decision.points_gain, decision.win_probability_gain) == (
        "exchange A3 A1",
        (0.0, 0.0),
        (0.0, 0.0),
    )


def test_the_same_seed_gives_the_same_results(record: Path) -> None:
    decisions = open_decisions(records.read_file(record), "A")[:8]
    first = list(review_decisions(decisions, "steady", 2, seed=5))
    assert list(review_decisions(decisions, "steady", 2, seed=5)) == first
    assert any(not decision.agreed for decision in first)


# Output.


def test_the_command_prints_a_table(record: Path) -> None:
    result = run("review", str(record), "--seat", "bo", "--bot", "steady", "--playouts", "2")
    assert result.exit_code == 0
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0] == "Bo (seat B), seen by steady"
    assert [line for line in lines if line.startswith("Round")] == ["Round 1", "Round 2"]
    rows = [line for line in lines if line[:1].isdigit() and "decisions" not in line]
    assert len(rows) == len(open_decisions(records.read_file(record), "B"))
    same = [row for row in rows if "±" not in row]
    assert lines[-1].startswith(f"{len(rows)} decisions, {len(same)} as the bot would have played; ")


def test_the_command_writes_json_and_a_plot(record: Path, tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    words = ["review", str(record), "--bot", "novice", "--playouts", "2", "--json", "--plot", str(picture)]
    result = run(*words)
    review = json.loads(result.stdout)
    assert [review[key] for key in ("seat", "bot", "playouts", "seed")] == ["A", "novice", 2, 1]
    keys = ["number", "round", "village", "hand", "discard_top", "played", "bot_move"]
    keys += ["points_gain", "win_probability_gain", "win_probability"]
    assert all(list(decision) == keys for decision in review["decisions"])
    gains = [decision[name] for decision in review["decisions"] for name in ("points_gain", "win_probability_gain")]
    assert all(list(gain) == ["mean", "error"] for gain in gains)
    assert result.stderr == f"The plot is in {picture}.\n"
    svg = picture.read_text(encoding="utf-8")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    for text in ("Ann (seat A), seen by novice", "round 1", "round 2", "decision"):
        assert text in svg


def test_a_plot_can_be_a_png_file(record: Path, tmp_path: Path) -> None:
    from argentum.review.plot import plot_review

    decisions = list(review_decisions(open_decisions(records.read_file(record), "A")[:3], "random", 2))
    plot_review(decisions, "Ann", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


# Errors.


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--seat", "C"], "'C' is not a seat of this game: there are A Ann, B Bo."),
        (["--seat", "Anne"], "'Anne' is not a seat of this game: there are A Ann, B Bo. Did you mean 'Ann'?"),
        (["--plot", "a.gif"], "a.gif: a plot is a file that ends in .png or .svg"),
        (["--plot", "none/a.png"], "none/a.png: there is no folder none"),
    ],
)
def test_invalid_options_are_refused(options: list[str], error: str, record: Path) -> None:
    result = run("review", str(record), *options)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {error}\n")


def test_files_that_cannot_be_replayed_are_refused(tmp_path: Path) -> None:
    (tmp_path / "no.silver").write_text("Hello", encoding="utf-8")
    result = run("review", str(tmp_path / "no.silver"))
    assert result.exit_code == 2
    assert "this is not a record" in result.stderr
    game = next(simulate_games("coin", 2, 1, 1)).game.restart()
    (tmp_path / "own.silver").write_text(records.write_for(game, "A"), encoding="utf-8")
    assert "it can be read, but not played again" in run("review", str(tmp_path / "own.silver")).stderr
