"""Exported networks: their files have the outputs of PyTorch, and play."""

from pathlib import Path

import numpy as np
import pytest
import torch

from argentum import Game, bots
from argentum.bots.moon import MoonBot
from argentum.bots.network.files import predict, required_metadata, write_npz
from argentum.learn.export import actor_from_checkpoint, export
from argentum.learn.models import Actor, cpu_state_dict, select_cards
from argentum.learn.trainer import CHECKPOINT_FILE, read_checkpoint
from argentum.observations.view_writer import write_observation
from argentum.rules.boxes import BOX_NAMES
from tests.learn.tiny_runs import make_trainer


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the exported network of a short run."""
    folder = tmp_path_factory.mktemp("network")
    make_trainer(folder).run(minutes=1e-9)
    export(folder / CHECKPOINT_FILE, folder / "tiny.npz", "tiny")
    return folder / "tiny.npz"


@pytest.mark.parametrize(("ending", "near"), [(".npz", 5e-3), (".onnx", 1e-4)])
def test_exported_file_has_the_outputs_of_pytorch(network: Path, ending: str, near: float) -> None:
    _, actor = actor_from_checkpoint(read_checkpoint(network.parent / CHECKPOINT_FILE))
    file = network.with_suffix(ending)
    if not file.exists():
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
        export(network.parent / CHECKPOINT_FILE, file, "tiny")
    bot = MoonBot(1, str(file))
    assert {key: bot.network.metadata[key] for key in required_metadata()} == required_metadata()
    assert bot.network.metadata["name"] == "tiny"
    game = Game.new("amulet", 4, seed=2)
    for _ in range(30):
        row = np.frombuffer(write_observation(game.view(game.to_move)), np.uint8)[None]
        logits, values, beliefs = predict(bot.network, row)
        inputs = select_cards(torch.from_numpy(row.copy()), beliefs.shape[1])
        with torch.no_grad():
            output = actor(inputs.table, inputs.tokens)
        assert logits == pytest.approx(output.logits.numpy(), abs=near)
        assert values == pytest.approx(output.values.numpy(), abs=near)
        assert beliefs == pytest.approx(output.beliefs.numpy(), abs=near)
        game.play(bot.choose(game.view(game.to_move)))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "abcdabcdabcdab"])
def test_exported_network_plays_games_of_every_deck(network: Path, boxes: str, players: int) -> None:
    bot = bots.make(f"moon@{network}", 1)
    game = Game.new(boxes, players, seed=players, rounds=1)
    while not game.over:
        seat = game.to_move
        move = bots.ask(bot, game, seat)
        assert move in game.view(seat).legal
        game.play(move, seat)


def test_network_file_of_another_layout_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    write_npz(
        other,
        {key: value.numpy() for key, value in cpu_state_dict(Actor(16, 1, 2)).items()},
        {**required_metadata(), "layout": "0"},
    )
    with pytest.raises(ValueError, match="export its checkpoint again"):
        bots.make(str(other))
    for ending in (".npz", ".onnx"):
        (tmp_path / f"none{ending}").write_bytes(b"nothing")
        with pytest.raises(ValueError, match="is not a network"):
            bots.make(str(tmp_path / f"none{ending}"))
