"""Export a checkpoint to a `.npz` or `.onnx` file, which plays without PyTorch (:mod:`argentum.bots.network.files`)."""

import warnings
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from argentum.bots.network.features import TABLE_BYTES
from argentum.bots.network.files import CARDS_IN, ONNX, OUTPUTS, TABLE_IN, required_metadata, write_npz
from argentum.learn import config as cf
from argentum.learn.models import CARDS_READ, Actor, cpu_state_dict, parameter_count
from argentum.learn.trainer import read_checkpoint
from argentum.observations import layout

OPSET: Final = 18


class OnnxActor(nn.Module):
    """Actor with a plain tuple as output, and inputs of any integer type."""

    def __init__(self, actor: Actor) -> None:
        super().__init__()
        self.actor = actor

    def forward(self, table: Tensor, cards: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        output = self.actor(table, cards)
        return output.logits, output.values, output.beliefs


def actor_from_checkpoint(checkpoint: dict[str, Any]) -> tuple[cf.TrainingConfig, Actor]:
    """Return the configuration of a checkpoint, and an actor with the moving average of its weights."""
    config = cf.config_from_dict(checkpoint["config"])
    actor = Actor(config.network.width, config.network.layers, config.network.heads)
    actor.load_state_dict(checkpoint["average"])
    return config, actor.eval()


def export(checkpoint: Path, file: Path, name: str = "") -> None:
    """Write the network of a checkpoint and its metadata to `file`, as ONNX if its suffix is `.onnx`, else as NPZ."""
    state = read_checkpoint(checkpoint)
    config, actor = actor_from_checkpoint(state)
    metadata = {
        **required_metadata(),
        "name": name or config.name,
        "decisions": str(state["counters"][0]),
        "parameters": str(parameter_count(actor)),
        "heads": str(config.network.heads),
    }
    if file.suffix == ONNX:
        write_onnx(actor, file, metadata)
    else:
        write_npz(file, {key: value.numpy() for key, value in cpu_state_dict(actor).items()}, metadata)


def write_onnx(actor: Actor, file: Path, metadata: dict[str, str]) -> None:
    import onnx

    rows, slots = 2, CARDS_READ[2]
    inputs = (
        torch.zeros((rows, TABLE_BYTES), dtype=torch.int32),
        torch.zeros((rows, slots, layout.TOKEN_SIZE), dtype=torch.int32),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecation warnings of the exporter itself
        torch.onnx.export(
            OnnxActor(actor).cpu().eval(),
            inputs,
            str(file),
            dynamo=False,
            opset_version=OPSET,
            input_names=[TABLE_IN, CARDS_IN],
            output_names=list(OUTPUTS),
            dynamic_axes={
                TABLE_IN: {0: "rows"},
                CARDS_IN: {0: "rows", 1: "cards"},
                **{output: {0: "rows"} for output in OUTPUTS},
            },
        )
    model = onnx.load(str(file))
    onnx.helper.set_model_props(model, metadata)
    onnx.save(model, str(file))
