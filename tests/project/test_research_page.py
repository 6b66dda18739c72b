"""The tables and the example of docs/research.md."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import observation_tables
from argentum.observations.actions import ACTION_COUNT, ACTION_TEXTS
from argentum.observations.float_layout import BLOCK_SIZE, vector_size
from argentum.observations.layout import OBSERVATION_SIZE

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "table",
    [
        observation_tables.observation_table,
        observation_tables.column_table,
        observation_tables.location_table,
        observation_tables.index_table,
        observation_tables.history_table,
        observation_tables.block_table,
        observation_tables.action_table,
    ],
)
def test_tables_of_the_page_are_current(table: Callable[[], str]) -> None:
    assert table() in PAGE


def test_sizes_on_the_page_are_current() -> None:
    assert f"a row of {OBSERVATION_SIZE} bytes" in PAGE
    assert f"`Discrete({ACTION_COUNT})`" in PAGE
    assert f"vectors of {vector_size()} floats" in PAGE
    assert f"a block of {BLOCK_SIZE} numbers" in PAGE


def test_the_stable_baselines_example_updates_many_times() -> None:
    program = PAGE[PAGE.index("from sb3_contrib") :]
    games, steps, batch, total = [
        int(re.search(pattern, program)[1].replace("_", ""))  # type: ignore[index]
        for pattern in (r"SilverVecEnv\((\d+)", r"n_steps=(\d+)", r"batch_size=(\d+)", r"learn\(([\d_]+)\)")
    ]
    assert total >= 50 * games * steps
    assert games * steps % batch == 0


def test_the_table_of_actions_is_complete() -> None:
    ranges = [line.split("|")[1].split(" to ") for line in observation_tables.action_table().splitlines()[2:]]
    numbers = [number for first, last in ranges for number in range(int(first), int(last) + 1)]
    assert numbers == list(range(len(ACTION_TEXTS)))
