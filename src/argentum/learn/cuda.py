"""Device setup, CUDA graphs, torch.compile and pinned memory."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

import numpy as np
import torch
import torch._dynamo

from argentum.envs.batch.arrays import SharedBuffer
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


WARM_UP: Final = 3  # calls before it is recorded: libraries choose their kernels in the first ones
SHAPES: Final = 64  # that work may be compiled for: each group of games has its own number of rows and of tokens

Found = TypeVar("Found")
Work = TypeVar("Work", bound=Callable[..., Any])


def compiled(work: Work, wanted: bool) -> Work:
    """Work with tensors, compiled as a whole for each shape that they come in; or as it is."""
    if not wanted:
        return work
    torch._dynamo.config.recompile_limit = SHAPES
    return cast(Work, torch.compile(work, dynamic=False))


class Recorded(Generic[Found]):
    """A function that reads and writes tensors that stay where they are; on a GPU, recorded after some calls.

    What it returns then lies in the same tensors each time: it is to be read, or copied, before the next call.
    """

    def __init__(
        self, work: Callable[[], Found], device: torch.device, generators: Sequence[torch.Generator] = ()
    ) -> None:
        self.work: Final = work
        self.on_gpu: Final = device.type == "cuda"
        self.generators: Final = generators
        self.calls = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._found: Found

    def __call__(self) -> Found:
        """Do it."""
        if not self.on_gpu:
            return self.work()
        self.calls += 1
        if self.calls <= WARM_UP:
            return self._on_the_side()
        if self._graph is None:
            self._record()
        assert self._graph is not None
        self._graph.replay()
        return self._found

    def _on_the_side(self) -> Found:
        """Do it in a stream of its own, as PyTorch asks before something is recorded."""
        stream, now = torch.cuda.Stream(), torch.cuda.current_stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(now)
        with torch.cuda.stream(stream):
            found = self.work()
        now.wait_stream(stream)
        torch.cuda.synchronize()
        return found

    def _record(self) -> None:
        self._graph = torch.cuda.CUDAGraph()
        for generator in self.generators:
            self._graph.register_generator_state(generator)
        with torch.cuda.graph(self._graph):
            self._found = self.work()


def _pinned(memory: SharedBuffer) -> int:
    """Pin memory, so that a GPU reads it faster; its address is returned, for `_unpin`."""
    address = int(np.frombuffer(memoryview(memory), np.uint8).ctypes.data)
    cudart: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    cudart.cudaHostRegister(address, len(memory), 0)  # if it cannot be, copies are slower, and all else is the same
    return address


def _unpin(address: int) -> None:
    """Let go of memory that was pinned: nothing else could be pinned there later."""
    cudart: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    cudart.cudaHostUnregister(address)
