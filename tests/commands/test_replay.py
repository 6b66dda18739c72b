import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from argentum import Game, records, words
from tests.commands.invoke import run
from tests.random_games import play_to_end


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the record of a finished game with shuffled villages; return its path."""
    game = Game.new("bullet", 2, 4)
    play_to_end(game, Random(4))
    path = tmp_path_factory.mktemp("records") / "game.silver"
    path.write_text(records.write(game), encoding="utf-8")
    assert "[" in path.read_text(encoding="utf-8")
    return path


def test_replay_shows_a_game_move_by_move(record: Path) -> None:
    game = records.read_file(record)
    lines = run("replay", str(record)).stdout.splitlines()
    assert lines[0] == "Deck bbbbbbbbbbbbbb, silver bullet: A, B"
    assert [line for line in lines if line.startswith("Round")] == ["Round 1", "Round 2", "Round 3", "Round 4"]
    first, _ = records.written_moves(game)[0]
    seat = first[5]
    dealt = " ".join(map(str, game.deals[0].villages["AB".index(seat)]))
    assert lines[3] == f"  {seat}  {first:24} {dealt}   pile {game.deals[0].discard}"
    assert any("   in hand " in line for line in lines)
    assert sum(line.startswith(("  A  ", "  B  ")) for line in lines) == len(records.written_moves(game))
    assert len([line for line in lines if "the village is shuffled:" in line]) == record.read_text().count("[")
    assert len([line for line in lines if line.startswith("  scores ")]) == 4
    assert lines[-1] == f"Winner: {game.winner}"


def test_replay_prints_scores_and_token_after_each_round(record: Path) -> None:
    game = records.read_file(record)
    output = [line for line in run("replay", str(record)).stdout.splitlines() if line.startswith("  scores ")]
    ends = [game.round_end_view(number) for number in range(1, 5)]
    assert output == [
        f"  scores A {end.scores['A']}, B {end.scores['B']}; totals A {end.totals['A']}, B {end.totals['B']};"
        f" {end.token_seat} holds the bullet, {end.token_state}"
        for end in ends
    ]


def test_replay_explains_each_score(record: Path) -> None:
    game = records.read_file(record)
    output = run("replay", str(record)).stdout
    for number in range(1, 5):
        lines, end = game.explain(number), game.round_end_view(number)
        assert " ".join(words.round_result(lines, end)) in output
        for seat, account in words.score_texts(lines, end).items():
            assert all(f"      {seat} {line.amount:>4}  " in output and line.words in output for line in account)


def test_replay_shows_a_running_game(record: Path, tmp_path: Path) -> None:
    running = tmp_path / "running.silver"
    running.write_text("\n".join(record.read_text(encoding="utf-8").splitlines()[:20]), encoding="utf-8")
    assert run("replay", str(running)).stdout.endswith("\n(the game goes on)\n")
    kinds = [step_kind(step) for step in json_steps(running)]
    assert kinds[:2] == ["game", "deal"]
    assert kinds[-1] == "move"


KEYS = {
    "game": ["game"],
    "deal": ["deal"],
    "move": ["seat", "legal", "position", "sees", "move"],
    "shuffle": ["shuffle"],
    "scores": ["scores", "totals", "token"],
    "winner": ["winner"],
}


POSITION = [
    "villages", "deck", "discard", "shown", "guards", "private", "hand", "direction", "token", "caller", "deck_up",
]  # fmt: skip


def json_steps(path: Path) -> list[dict[str, Any]]:
    result = run("replay", str(path), "--json")
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout.splitlines()]


def step_kind(step: dict[str, Any]) -> str:
    return next(kind for kind in KEYS if kind in step)


def test_replay_as_json_has_one_object_per_line(record: Path) -> None:
    objects = json_steps(record)
    assert all(list(step) == KEYS[step_kind(step)] for step in objects)
    kinds = [step_kind(step) for step in objects]
    assert kinds[:3] == ["game", "deal", "move"]
    assert kinds[-2:] == ["scores", "winner"]
    assert (kinds.count("deal"), kinds.count("scores"), kinds.count("winner")) == (4, 4, 1)
    assert kinds.count("shuffle") == record.read_text(encoding="utf-8").count("[")
    assert kinds.count("move") == len(records.written_moves(records.read_file(record)))


def test_replay_as_json_names_the_game_and_its_deals(record: Path) -> None:
    objects = json_steps(record)
    assert objects[0]["game"] == {"boxes": "b" * 14, "token": "bullet", "players": 2, "names": ["A", "B"]}
    for number, deal in enumerate([step["deal"] for step in objects if "deal" in step], 1):
        assert list(deal) == ["round", "start", "villages", "deck", "discard"]
        assert deal["round"] == number
        assert [len(deal["villages"][seat].split()) for seat in "AB"] == [5, 5]
        assert (len(deal["deck"].split()), len(deal["discard"].split())) == (31, 1)


def test_replay_as_json_has_each_position_before_its_move(record: Path) -> None:
    dealt: dict[str, str] = {}
    for step in json_steps(record):
        if "deal" in step:
            dealt = step["deal"]["villages"]
        if "move" in step:
            assert list(step["position"]) == POSITION
            assert not dealt or step["position"]["villages"] == dealt  # before the first look is over
            assert step["move"] in step["legal"] or " ".join(step["move"].split()[:2]) in step["legal"]
            assert step["seat"] in "AB"
            assert list(step["sees"]) == [step["seat"]]
            assert list(step["sees"][step["seat"]]) == ["A", "B"]
            dealt = {}


def test_replay_as_json_has_the_scores_of_the_game(record: Path) -> None:
    game = records.read_file(record)
    ends = [step for step in json_steps(record) if "scores" in step]
    assert [end["scores"] for end in ends] == game.scores
    assert ends[-1]["totals"] == game.totals
    assert all(end["token"].split()[0] == "bullet" for end in ends)
    assert json_steps(record)[-1] == {"winner": game.winner}


def test_replay_as_json_has_the_village_after_each_shuffle(record: Path) -> None:
    shuffles = [step["shuffle"] for step in json_steps(record) if "shuffle" in step]
    text = record.read_text(encoding="utf-8")
    assert all(f"[{shuffle['village']} {shuffle['cards']}]" in text for shuffle in shuffles)
    assert all(list(shuffle) == ["village", "cards"] for shuffle in shuffles)
