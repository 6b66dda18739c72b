"""Network files: versions 1 and 2 are read, version 2 is written, and moon plays its recorded moves."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.rules.notation import parse_move

if find_spec("numpy") is None:
    pytest.skip("moon cannot play here", allow_module_level=True)

import numpy as np

from argentum.bots.moon import NETWORK_FILE
from argentum.bots.network.files import (
    METADATA_KEY,
    METADATA_KEY_V1,
    load_network,
    move_probabilities,
    upgrade_weight_name,
    write_npz,
)

FOLDER = Path(__file__).parent
VERSION_1 = FOLDER / "v1.npz"  # two layers of width 8 with random weights, written by the exporter of version 1
MOON_MOVES = (FOLDER / "moon_moves.txt").read_text(encoding="utf-8").splitlines()  # recorded before version 2
STRIDE = 4  # moves between the checked positions, which are 10 per game


@pytest.mark.parametrize("line", MOON_MOVES)
def test_moon_plays_the_recorded_moves(line: str) -> None:
    setup, moves = line.split(" | ")
    deck, players, seed = setup.split()
    game = Game.new(deck, int(players), seed=int(seed))
    bot = make("moon", 1)
    for index, move in enumerate(moves.split("; ")):
        if index % STRIDE == 0:
            assert str(ask(bot, game, game.to_move)) == move, index
        game.play(parse_move(move), game.to_move)  # parsed, because `play` reads a text as the whole exchange


def test_a_file_of_version_1_gives_the_same_probabilities() -> None:
    game = Game.new("dagger", 2, seed=4)
    for _ in range(2):
        game.play(game.legal(game.to_move)[0])
    network = load_network(str(VERSION_1))
    assert network.metadata["argentum"] == "network 2"
    assert network.metadata["decisions"] == "12"
    expected = [0.2098, 0.1985, 0.1948, 0.203, 0.1939]
    assert move_probabilities(network, game.view(game.to_move)) == pytest.approx(expected, abs=1e-3)


def test_a_file_of_version_2_is_read_back(tmp_path: Path) -> None:
    with np.load(VERSION_1) as arrays:
        weights = {upgrade_weight_name(name): arrays[name] for name in arrays if name != METADATA_KEY_V1}
    old = load_network(str(VERSION_1))
    path = tmp_path / "v2.npz"
    write_npz(path, weights, old.metadata)
    with np.load(path) as arrays:
        assert json.loads(str(arrays[METADATA_KEY]))["argentum"] == "network 2"
        assert all(name.startswith(("encoder.", METADATA_KEY)) or "_head." in name for name in arrays)
    view = Game.new("coin", 3, seed=1).view("A")
    new = load_network(str(path))
    assert new.metadata == old.metadata
    assert move_probabilities(new, view) == move_probabilities(old, view)


def test_every_weight_of_moon_has_a_new_name() -> None:
    with np.load(NETWORK_FILE) as arrays:
        names = [name for name in arrays if name != METADATA_KEY_V1]
    assert all(upgrade_weight_name(name) != name for name in names)
    assert len({upgrade_weight_name(name) for name in names}) == len(names)
