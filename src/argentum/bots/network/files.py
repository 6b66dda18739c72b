"""Networks that play, from files made by `argentum train`: `.npz` by NumPy, `.onnx` by ONNX Runtime."""

import json
import os
import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

if "numpy" not in sys.modules:  # many games may be played side by side: each choice on one core
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from argentum.bots.network.features import TABLE, TOP
from argentum.bots.network.forward import Forward
from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_OF_MOVE, ACTION_COUNT
from argentum.observations.view_writer import write_observation
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View

TABLE_IN: Final = "table"
CARDS_IN: Final = "cards"
OUTPUTS: Final = ("logits", "values", "beliefs")
TOLD: Final = "told"  # in a file for NumPy: what it says of itself
ONNX: Final = ".onnx"
NEEDS: Final = "a network in ONNX needs ONNX Runtime, which is not installed: pip install 'argentum[learn]'"

Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]


def layout() -> dict[str, str]:
    """What a file must be made for, as it says itself."""
    return {
        "argentum": "network 1",
        "layout": f"{ob.LAYOUT_VERSION} {ob.OBSERVATION_SIZE} {ob.TOKEN_SIZE}",
        "actions": str(ACTION_COUNT),
    }


class Network(Protocol):
    """A network in memory."""

    told: dict[str, str]  # what its file says of it

    def answer(self, table: Bytes, cards: Bytes) -> tuple[Floats, Floats, Floats]:
        """Logits of actions, values, and logits of what each card that it reads may be."""


class InNumpy:
    """A network that NumPy runs."""

    def __init__(self, file: str) -> None:
        try:
            with np.load(file, allow_pickle=False) as arrays:
                weights: dict[str, NDArray[Any]] = dict(arrays)
            self.told: dict[str, str] = json.loads(str(weights.pop(TOLD)))
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise ValueError(f"{file} is not a network: {error}") from None
        check(file, self.told)
        self.answer: Final = Forward(weights, int(self.told["heads"]))


class InOnnx:
    """A network that ONNX Runtime runs."""

    def __init__(self, file: str) -> None:
        try:
            onnxruntime: Any = import_module("onnxruntime")
        except ImportError:
            raise ValueError(NEEDS) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # many games may be played side by side
        options.log_severity_level = 3
        try:
            self.session: Any = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has an exception of its own for each thing that can be wrong
            raise ValueError(f"{file} is not a network: {str(error).splitlines()[0]}") from None
        self.told: dict[str, str] = dict(self.session.get_modelmeta().custom_metadata_map)
        check(file, self.told)

    def answer(self, table: Bytes, cards: Bytes) -> tuple[Floats, Floats, Floats]:
        """Logits of actions, values, and logits of what each card that it reads may be."""
        logits, values, beliefs = self.session.run(
            None, {TABLE_IN: table.astype(np.int32), CARDS_IN: cards.astype(np.int32)}
        )
        return logits, values, beliefs


def check(file: str, told: dict[str, str]) -> None:
    """A file must be made for the observations and actions of this version."""
    wanted = layout()
    if {key: told.get(key) for key in wanted} != wanted:
        raise ValueError(f"{file} is not a network for this version: export its checkpoint again, or train anew")


def write(file: Path, weights: dict[str, NDArray[Any]], told: dict[str, str]) -> None:
    """Write a file for NumPy; half of each number's bits do."""
    halves = {name: value.astype(np.float16) for name, value in weights.items()}
    with file.open("wb") as out:
        np.savez_compressed(out, **{TOLD: np.array(json.dumps(told)), **halves})  # type: ignore[arg-type]


def read(rows: Bytes) -> tuple[Bytes, Bytes]:
    """The table's part of observations, and the tokens of the cards that matter, with 0 where there are fewer."""
    cards = rows[:, TABLE : ob.OBSERVATION_SIZE].reshape(len(rows), -1, ob.TOKEN_SIZE)
    where, place, reached = (cards[:, :, ob.COLUMN_INDEX[name]] for name in ("where", "place", "reached"))
    kept = (where > 0) & ((where != ob.LOCATION_DISCARD) | (place <= TOP) | (reached > 0))
    order = np.argsort(~kept, axis=1, kind="stable")[:, : max(int(kept.sum(1).max()), 1)]
    found = np.take_along_axis(cards, order[:, :, None], 1) * np.take_along_axis(kept, order, 1)[:, :, None]
    return rows[:, :TABLE], found


def ask(network: Network, rows: Bytes) -> tuple[Floats, Floats, Floats]:
    """What a network says of observations: logits of actions, values, and beliefs about the cards that it reads."""
    return network.answer(*read(rows))


def likes(network: Network, view: View) -> list[float]:
    """How likely a network would play each of a view's legal moves."""
    logits = ask(network, np.frombuffer(write_observation(view), np.uint8)[None])[0][0]
    actions = ACTION_OF_MOVE[len(view.villages)][SEAT_LETTERS.index(view.seat)]
    legal = logits[[actions[move] for move in view.legal]]
    found = np.exp(legal - legal.max())
    shares: list[float] = (found / found.sum()).tolist()
    return shares


@lru_cache(8)
def loaded(file: str) -> Network:
    """A network from a file; it is read once."""
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}")
    return InOnnx(file) if file.endswith(ONNX) else InNumpy(file)
