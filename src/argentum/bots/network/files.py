"""Load, check and run network files: `.npz` with NumPy, `.onnx` with ONNX Runtime."""

import json
import os
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

if "numpy" not in sys.modules:  # One thread is fastest for a single decision, and callers use many processes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from argentum.bots.network.features import PILE_CARDS_READ, TABLE_BYTES
from argentum.bots.network.forward import NumpyActor
from argentum.observations import layout
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE
from argentum.observations.view_writer import write_observation
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.views import View

TABLE_IN: Final = "table"
CARDS_IN: Final = "cards"
OUTPUTS: Final = ("logits", "values", "beliefs")
FORMAT: Final = "network 2"
METADATA_KEY: Final = "metadata"  # name of the array with the metadata as JSON
FORMAT_V1: Final = "network 1"
METADATA_KEY_V1: Final = "told"
# Prefixes of weight names in version 1 with their current names. `{}` stands for the number of a layer.
WEIGHT_NAMES_V1: Final = {
    "body.table.first": "encoder.table_encoder.linear1",
    "body.table.second": "encoder.table_encoder.linear2",
    "body.card": "encoder.card_projection",
    "body.layers.{}.before": "encoder.layers.{}.norm1",
    "body.layers.{}.between": "encoder.layers.{}.norm2",
    "body.layers.{}.mixed": "encoder.layers.{}.qkv",
    "body.layers.{}.out": "encoder.layers.{}.proj",
    "body.layers.{}.wide": "encoder.layers.{}.up",
    "body.layers.{}.narrow": "encoder.layers.{}.down",
    "body.last": "encoder.final_norm",
    "plain": "action_head",
    "point.0": "card_action_head.0",
    "point.2": "card_action_head.2",
    "value.0": "value_head.0",
    "value.2": "value_head.2",
    "belief": "belief_head",
}
ONNX: Final = ".onnx"
MISSING_ONNX_MESSAGE: Final = (
    "a network in ONNX needs ONNX Runtime, which is not installed: pip install 'argentum[learn]'"
)

ByteArray: TypeAlias = NDArray[np.uint8]
FloatArray: TypeAlias = NDArray[np.float32]


def upgrade_weight_name(name: str) -> str:
    """Return the current name of a weight of version 1, or any other name unchanged.

    >>> upgrade_weight_name("body.layers.3.mixed.weight")
    'encoder.layers.3.qkv.weight'

    """
    prefix, _, parameter_kind = name.rpartition(".")
    layer = re.search(r"\.layers\.(\d+)\.", prefix)
    layer_number = layer[1] if layer else ""
    key = prefix.replace(f".{layer_number}.", ".{}.") if layer else prefix
    return f"{WEIGHT_NAMES_V1[key].format(layer_number)}.{parameter_kind}" if key in WEIGHT_NAMES_V1 else name


def required_metadata(with_foreign_boxes: bool = True) -> dict[str, str]:
    """Return the metadata that a network file must have: its format, and the layouts of observations and actions.

    Without `with_foreign_boxes`, return the metadata of a network for the published boxes only.
    """
    return {"argentum": FORMAT, "layout": layout.layout_text(with_foreign_boxes), "actions": str(ACTION_COUNT)}


def knows_foreign_boxes(metadata: dict[str, str]) -> bool:
    """Whether a network was made for all boxes that are installed here, and not only for the published ones."""
    return metadata["layout"] == layout.layout_text()


class NetworkModel(Protocol):
    metadata: dict[str, str]

    def predict(self, table: ByteArray, cards: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return three arrays: action logits, state values, and, for each card token, logits over the card's number."""


class NumpyNetwork:
    """A network from an `.npz` file. Raise `ValueError` if the file is not a network for this version."""

    def __init__(self, file: str) -> None:
        try:
            with np.load(file, allow_pickle=False) as arrays:
                weights: dict[str, NDArray[Any]] = dict(arrays)
            key = METADATA_KEY_V1 if METADATA_KEY_V1 in weights else METADATA_KEY
            self.metadata: dict[str, str] = upgrade_metadata(json.loads(str(weights.pop(key))))
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise ValueError(f"{file} is not a network: {error}") from None
        check_metadata(file, self.metadata)
        if key == METADATA_KEY_V1:
            weights = {upgrade_weight_name(name): value for name, value in weights.items()}
        self.predict: Final = NumpyActor(weights, int(self.metadata["heads"]), knows_foreign_boxes(self.metadata))


class OnnxNetwork:
    """A network from an `.onnx` file, run by ONNX Runtime.

    Raise `ValueError` if ONNX Runtime is not installed or the file is not a network for this version.
    """

    def __init__(self, file: str) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise ValueError(MISSING_ONNX_MESSAGE) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # as for NumPy above
        options.log_severity_level = 3
        try:
            self.session: Any = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has many exception classes without a common base.
            raise ValueError(f"{file} is not a network: {str(error).splitlines()[0]}") from None
        self.metadata: dict[str, str] = upgrade_metadata(self.session.get_modelmeta().custom_metadata_map)
        check_metadata(file, self.metadata)

    def predict(self, table: ByteArray, cards: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        logits, values, beliefs = self.session.run(
            None, {TABLE_IN: table.astype(np.int32), CARDS_IN: cards.astype(np.int32)}
        )
        return logits, values, beliefs


def upgrade_metadata(metadata: dict[str, str]) -> dict[str, str]:
    """Return a copy of the metadata with the current format and key names, converted from version 1 if necessary."""
    if metadata.get("argentum") != FORMAT_V1:
        return dict(metadata)
    names = {"choices": "decisions"}
    return {names.get(key, key): value for key, value in metadata.items()} | {"argentum": FORMAT}


def check_metadata(file: str, metadata: dict[str, str]) -> None:
    """Raise `ValueError` if `metadata` lacks the values that this version requires."""
    accepted = [required_metadata(), required_metadata(with_foreign_boxes=False)]
    if {key: metadata.get(key) for key in accepted[0]} in accepted:
        return
    version, *boxes = metadata.get("layout", "").split(", ")
    if boxes and version == layout.layout_text(with_foreign_boxes=False):
        raise ValueError(f"{file} is a network for other boxes than those installed here: {', '.join(boxes)}")
    raise ValueError(f"{file} is not a network for this version: export its checkpoint again, or train anew")


def write_npz(file: Path, weights: dict[str, NDArray[Any]], metadata: dict[str, str]) -> None:
    """Write an `.npz` file with the weights as 16-bit floats."""
    weights_f16 = {name: value.astype(np.float16) for name, value in weights.items()}
    with file.open("wb") as out:
        np.savez_compressed(out, **{METADATA_KEY: np.array(json.dumps(metadata)), **weights_f16})  # type: ignore[arg-type]


def split_observation(rows: ByteArray) -> tuple[ByteArray, ByteArray]:
    """Split observations into the table part and the tokens of the cards that the network reads.

    From the discard pile, the network reads the top cards and those that can be chosen. Rows are padded with zero
    tokens to the length of the longest row.
    """
    cards = rows[:, TABLE_BYTES : layout.OBSERVATION_SIZE].reshape(len(rows), -1, layout.TOKEN_SIZE)
    location, place, reached = (cards[:, :, layout.COLUMN_INDEX[name]] for name in ("where", "place", "reached"))
    is_read = (location > 0) & ((location != layout.LOCATION_DISCARD) | (place <= PILE_CARDS_READ) | (reached > 0))
    order = np.argsort(~is_read, axis=1, kind="stable")[:, : max(int(is_read.sum(1).max()), 1)]
    tokens = np.take_along_axis(cards, order[:, :, None], 1) * np.take_along_axis(is_read, order, 1)[:, :, None]
    return rows[:, :TABLE_BYTES], tokens


def predict(network: NetworkModel, rows: ByteArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return action logits, state values and belief logits for observations, one per row."""
    return network.predict(*split_observation(rows))


def move_probabilities(network: NetworkModel, view: View) -> list[float]:
    """Return the probabilities of the legal moves of a view, in their order."""
    logits = predict(network, np.frombuffer(write_observation(view), np.uint8)[None])[0][0]
    actions = ACTION_OF_MOVE[len(view.villages)][SEAT_LETTERS.index(view.seat)]
    legal = logits[[actions[move] for move in view.legal]]
    exponentials = np.exp(legal - legal.max())
    probabilities: list[float] = (exponentials / exponentials.sum()).tolist()
    return probabilities


@lru_cache(8)
def load_network(file: str) -> NetworkModel:
    """Load a network, or return a cached one; raise `ValueError` for a missing or invalid file."""
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}")
    return OnnxNetwork(file) if file.endswith(ONNX) else NumpyNetwork(file)
