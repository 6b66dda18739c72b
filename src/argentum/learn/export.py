"""The network as a file that plays without PyTorch (:mod:`argentum.bots.network.files`): by NumPy or ONNX Runtime."""

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
from argentum.observations import layout as ob

OPSET: Final = 18


class OnnxActor(nn.Module):
    """A network whose answer is a plain tuple, and whose inputs are whole numbers of any kind."""

    def __init__(self, actor: Actor) -> None:
        super().__init__()
        self.actor = actor

    def forward(self, table: Tensor, cards: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The answer."""
        answer = self.actor(table, cards)
        return answer.logits, answer.values, answer.beliefs


def actor_from_checkpoint(checkpoint: dict[str, Any]) -> tuple[cf.TrainingConfig, Actor]:
    """The network of a checkpoint, averaged over its last steps."""
    config = cf.config_from_dict(checkpoint["config"])
    actor = Actor(config.network.width, config.network.layers, config.network.heads)
    actor.load_state_dict(checkpoint["average"])
    return config, actor.eval()


def export(checkpoint: Path, file: Path, name: str = "") -> None:
    """Write the network of a checkpoint as a file that says what it is made for: for NumPy, or `.onnx`."""
    kept = read_checkpoint(checkpoint)
    config, actor = actor_from_checkpoint(kept)
    metadata = {
        **required_metadata(),
        "name": name or config.name,
        "choices": str(kept["counters"][0]),
        "parameters": str(parameter_count(actor)),
        "heads": str(config.network.heads),
    }
    if file.suffix == ONNX:
        write_onnx(actor, file, metadata)
    else:
        write_npz(file, {key: value.numpy() for key, value in cpu_state_dict(actor).items()}, metadata)


def write_onnx(actor: Actor, file: Path, metadata: dict[str, str]) -> None:
    """Write a network, with what is told of it."""
    import onnx

    rows, slots = 2, CARDS_READ[2]
    inputs = (
        torch.zeros((rows, TABLE_BYTES), dtype=torch.int32),
        torch.zeros((rows, slots, ob.TOKEN_SIZE), dtype=torch.int32),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own, about itself
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
