"""The layout of observations with a foreign box, and the networks that it accepts."""

from importlib.util import find_spec
from math import prod
from pathlib import Path
from random import Random

import pytest

if find_spec("numpy") is None:
    pytest.skip("moon cannot play here", allow_module_level=True)

import numpy as np

from argentum import Game, bots
from argentum.bots.network.features import card_features, table_features
from argentum.bots.network.files import METADATA_KEY_V1, load_network, upgrade_weight_name, write_npz
from argentum.envs.batch.batch import Batch
from argentum.envs.gym import SilverEnv
from argentum.observations import c_writer, float_layout, layout
from argentum.observations.view_writer import write_observation
from argentum.rules.boxes import ALL_BOXES, BOX_BY_NAME, cast_of
from tests.bots.network.test_files import VERSION_1, test_moon_plays_the_recorded_moves

__all__ = ["test_moon_plays_the_recorded_moves"]  # also where another box is installed

PEWTER_CODE = 6


def test_codes_of_published_boxes_and_of_rules_do_not_change() -> None:
    assert [layout.box_code(box.name) for box in ALL_BOXES] == [1, 2, 3, 4, PEWTER_CODE]
    assert (layout.RULE_ASKER, layout.BOX_VALUES, layout.RESIDENT_COUNT) == (5, 7, 70)
    assert layout.layout_text() == f"1 1308 21, pewter p {BOX_BY_NAME['pewter'].digest}"
    assert layout.layout_text(with_foreign_boxes=False) == "1 1308 21"


def test_an_observation_has_the_codes_of_the_box() -> None:
    game = Game.new("pewter", 2, seed=5)
    row = write_observation(game.view("A"))
    residents = layout.PART_BY_NAME["residents"]
    assert list(row[residents.offset : residents.offset + residents.size]) == [
        PEWTER_CODE if letter == "p" else 4 for letter in game.cast.code
    ]
    assert row[layout.PART_BY_NAME["token"].offset] == PEWTER_CODE
    random = Random(5)
    tokens: set[int] = set()
    while not game.over:
        cards = np.frombuffer(write_observation(game.view(game.to_move)), np.uint8)[
            layout.PART_BY_NAME["cards"].offset :
        ]
        tokens |= set(cards.reshape(-1, layout.TOKEN_SIZE)[:, layout.COLUMN_INDEX["resident"]].tolist())
        game.play(random.choice(game.legal()))
    pewter = {4 * 14 + number + 1 for number in (1, 3, 7, 10, 13)}
    dagger = {3 * 14 + number + 1 for number in range(14)} - {code - 14 for code in pewter}
    assert tokens == {0} | pewter | dagger


def test_a_batch_plays_the_box() -> None:
    with pytest.warns(RuntimeWarning, match="runs without its C writer"):
        batch = Batch(4, boxes="pewter", players=2)
    random = np.random.default_rng(1)
    residents = layout.PART_BY_NAME["residents"]
    step = batch.reset(1)
    assert c_writer.problem() in (c_writer.MISSING, c_writer.FOREIGN.format(boxes="Silver Pewter"))
    for _ in range(200):
        assert (step.observations[:, residents.offset + 13] == PEWTER_CODE).all()
        step = batch.step([int(random.choice(np.flatnonzero(mask))) for mask in step.masks])
    batch.close()


def test_floats_have_a_place_for_the_box() -> None:
    env = SilverEnv(boxes="pewter", opponents="quick", observation="vector")
    vector, _ = env.reset(seed=1)
    shapes = float_layout.part_shapes()
    first = sum([prod(shape) for shape in list(shapes.values())[: list(shapes).index("residents")]])
    residents = vector[first : first + prod(shapes["residents"])].reshape(shapes["residents"])
    assert residents.argmax(1).tolist() == [PEWTER_CODE if letter == "p" else 4 for letter in cast_of("pewter").code]
    assert env.observation_space.contains(vector)


def test_a_network_reads_the_published_boxes_or_all_boxes() -> None:
    assert len(card_features()) - len(card_features(with_foreign_boxes=False)) == 14
    assert len(table_features()) - len(table_features(with_foreign_boxes=False)) == 14 + 1 + layout.ASKER_NUMBERS


def test_a_network_for_other_boxes_is_refused_with_their_names(tmp_path: Path) -> None:
    with np.load(VERSION_1) as arrays:
        weights = {upgrade_weight_name(name): arrays[name] for name in arrays if name != METADATA_KEY_V1}
    metadata = load_network(str(VERSION_1)).metadata | {"layout": "1 1308 21, brass r 0123abcd"}
    file = tmp_path / "brass.npz"
    write_npz(file, weights, metadata)
    with pytest.raises(ValueError, match="is a network for other boxes than those installed here: brass r 0123abcd"):
        load_network(str(file))


def test_the_packaged_network_plays_published_decks_only() -> None:
    moon = bots.make("moon")
    assert moon.knows_deck(Game.new("abcdabcdabcdab", 2, seed=1).cast)
    assert not moon.knows_deck(Game.new("dagger", 2, seed=1, token="pewter").cast)
