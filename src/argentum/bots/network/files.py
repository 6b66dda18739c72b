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

from argentum.bots.network.features import PILE_CARDS_READ, TABLE_BYTES
from argentum.bots.network.forward import NumpyActor
from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE
from argentum.observations.view_writer import write_observation
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View

TABLE_IN: Final = "table"
CARDS_IN: Final = "cards"
OUTPUTS: Final = ("logits", "values", "beliefs")
METADATA_KEY: Final = "told"  # in a file for NumPy: what it says of itself
ONNX: Final = ".onnx"
MISSING_ONNX_MESSAGE: Final = (
    "a network in ONNX needs ONNX Runtime, which is not installed: pip install 'argentum[learn]'"
)

ByteArray: TypeAlias = NDArray[np.uint8]
FloatArray: TypeAlias = NDArray[np.float32]


def required_metadata() -> dict[str, str]:
    """What a file must be made for, as it says itself."""
    return {
        "argentum": "network 1",
        "layout": f"{ob.LAYOUT_VERSION} {ob.OBSERVATION_SIZE} {ob.TOKEN_SIZE}",
        "actions": str(ACTION_COUNT),
    }


class NetworkModel(Protocol):
    """A network in memory."""

    metadata: dict[str, str]  # what its file says of it

    def predict(self, table: ByteArray, cards: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Logits of actions, values, and logits of what each card that it reads may be."""


class NumpyNetwork:
    """A network that NumPy runs."""

    def __init__(self, file: str) -> None:
        try:
            with np.load(file, allow_pickle=False) as arrays:
                weights: dict[str, NDArray[Any]] = dict(arrays)
            self.metadata: dict[str, str] = json.loads(str(weights.pop(METADATA_KEY)))
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise ValueError(f"{file} is not a network: {error}") from None
        check_metadata(file, self.metadata)
        self.predict: Final = NumpyActor(weights, int(self.metadata["heads"]))


class OnnxNetwork:
    """A network that ONNX Runtime runs."""

    def __init__(self, file: str) -> None:
        try:
            onnxruntime: Any = import_module("onnxruntime")
        except ImportError:
            raise ValueError(MISSING_ONNX_MESSAGE) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # many games may be played side by side
        options.log_severity_level = 3
        try:
            self.session: Any = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has an exception of its own for each thing that can be wrong
            raise ValueError(f"{file} is not a network: {str(error).splitlines()[0]}") from None
        self.metadata: dict[str, str] = dict(self.session.get_modelmeta().custom_metadata_map)
        check_metadata(file, self.metadata)

    def predict(self, table: ByteArray, cards: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Logits of actions, values, and logits of what each card that it reads may be."""
        logits, values, beliefs = self.session.run(
            None, {TABLE_IN: table.astype(np.int32), CARDS_IN: cards.astype(np.int32)}
        )
        return logits, values, beliefs


def check_metadata(file: str, told: dict[str, str]) -> None:
    """A file must be made for the observations and actions of this version."""
    wanted = required_metadata()
    if {key: told.get(key) for key in wanted} != wanted:
        raise ValueError(f"{file} is not a network for this version: export its checkpoint again, or train anew")


def write_npz(file: Path, weights: dict[str, NDArray[Any]], told: dict[str, str]) -> None:
    """Write a file for NumPy; half of each number's bits do."""
    weights_f16 = {name: value.astype(np.float16) for name, value in weights.items()}
    with file.open("wb") as out:
        np.savez_compressed(out, **{METADATA_KEY: np.array(json.dumps(told)), **weights_f16})  # type: ignore[arg-type]


def split_observation(rows: ByteArray) -> tuple[ByteArray, ByteArray]:
    """The table's part of observations, and the tokens of the cards that matter, with 0 where there are fewer."""
    cards = rows[:, TABLE_BYTES : ob.OBSERVATION_SIZE].reshape(len(rows), -1, ob.TOKEN_SIZE)
    where, place, reached = (cards[:, :, ob.COLUMN_INDEX[name]] for name in ("where", "place", "reached"))
    is_read = (where > 0) & ((where != ob.LOCATION_DISCARD) | (place <= PILE_CARDS_READ) | (reached > 0))
    order = np.argsort(~is_read, axis=1, kind="stable")[:, : max(int(is_read.sum(1).max()), 1)]
    found = np.take_along_axis(cards, order[:, :, None], 1) * np.take_along_axis(is_read, order, 1)[:, :, None]
    return rows[:, :TABLE_BYTES], found


def predict(network: NetworkModel, rows: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What a network says of observations: logits of actions, values, and beliefs about the cards that it reads."""
    return network.predict(*split_observation(rows))


def move_probabilities(network: NetworkModel, view: View) -> list[float]:
    """How likely a network would play each of a view's legal moves."""
    logits = predict(network, np.frombuffer(write_observation(view), np.uint8)[None])[0][0]
    actions = ACTION_OF_MOVE[len(view.villages)][SEAT_LETTERS.index(view.seat)]
    legal = logits[[actions[move] for move in view.legal]]
    found = np.exp(legal - legal.max())
    shares: list[float] = (found / found.sum()).tolist()
    return shares


@lru_cache(8)
def load_network(file: str) -> NetworkModel:
    """A network from a file; it is read once."""
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}")
    return OnnxNetwork(file) if file.endswith(ONNX) else NumpyNetwork(file)
