"""The device that a network learns on, and how PyTorch works there."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeAlias

import torch

from argentum.learn import config as cf

Autocast: TypeAlias = Callable[[], AbstractContextManager[Any]]


def set_up(config: cf.Config) -> torch.device:
    """Let PyTorch work as a configuration says; its device is returned, and one that is not here is a ValueError."""
    torch.set_float32_matmul_precision("high")
    if config.threads:
        torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)
    try:
        torch.empty(1, device=config.device)
    except (RuntimeError, AssertionError) as error:
        said = str(error).partition("\n")[0]
        raise ValueError(
            f"there is no device {config.device!r} for PyTorch here: {said}; try --set device=cpu"
        ) from None
    return torch.device(config.device)


def autocast(device: torch.device) -> AbstractContextManager[Any]:
    """Smaller numbers where that is faster."""
    return torch.autocast("cuda", torch.bfloat16) if device.type == "cuda" else nullcontext()
