"""Device setup, CUDA graphs, torch.compile and pinned memory."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

import numpy as np
import torch
import torch._dynamo

from argentum.envs.batch.arrays import SharedBuffer
from argentum.learn import config as cf

AutocastFactory: TypeAlias = Callable[[], AbstractContextManager[Any]]


def set_up_device(config: cf.TrainingConfig) -> torch.device:
    """Let PyTorch work as a configuration says; its device is returned, and one that is not here is a ValueError."""
    torch.set_float32_matmul_precision("high")
    if config.threads:
        torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)
    try:
        torch.empty(1, device=config.device)
    except (RuntimeError, AssertionError) as error:
        message = str(error).partition("\n")[0]
        raise ValueError(
            f"there is no device {config.device!r} for PyTorch here: {message}; try --set device=cpu"
        ) from None
    return torch.device(config.device)


def autocast_context(device: torch.device) -> AbstractContextManager[Any]:
    """Smaller numbers where that is faster."""
    return torch.autocast("cuda", torch.bfloat16) if device.type == "cuda" else nullcontext()


WARM_UP_CALLS: Final = 3  # calls before it is recorded: libraries choose their kernels in the first ones
MAX_COMPILED_SHAPES: Final = (
    64  # that work may be compiled for: each group of games has its own number of rows and of tokens
)

Output = TypeVar("Output")
Function = TypeVar("Function", bound=Callable[..., Any])


def compile_if(function: Function, enabled: bool) -> Function:
    """Work with tensors, compiled as a whole for each shape that they come in; or as it is."""
    if not enabled:
        return function
    torch._dynamo.config.recompile_limit = MAX_COMPILED_SHAPES
    return cast(Function, torch.compile(function, dynamic=False))


class CudaGraph(Generic[Output]):
    """A function that reads and writes tensors that stay where they are; on a GPU, recorded after some calls.

    What it returns then lies in the same tensors each time: it is to be read, or copied, before the next call.
    """

    def __init__(
        self, work: Callable[[], Output], device: torch.device, generators: Sequence[torch.Generator] = ()
    ) -> None:
        self.function: Final = work
        self.on_gpu: Final = device.type == "cuda"
        self.generators: Final = generators
        self.calls = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._output: Output

    def __call__(self) -> Output:
        """Do it."""
        if not self.on_gpu:
            return self.function()
        self.calls += 1
        if self.calls <= WARM_UP_CALLS:
            return self._warm_up()
        if self._graph is None:
            self._capture()
        assert self._graph is not None
        self._graph.replay()
        return self._output

    def _warm_up(self) -> Output:
        """Do it in a stream of its own, as PyTorch asks before something is recorded."""
        stream, now = torch.cuda.Stream(), torch.cuda.current_stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(now)
        with torch.cuda.stream(stream):
            found = self.function()
        now.wait_stream(stream)
        torch.cuda.synchronize()
        return found

    def _capture(self) -> None:
        self._graph = torch.cuda.CUDAGraph()
        for generator in self.generators:
            self._graph.register_generator_state(generator)
        with torch.cuda.graph(self._graph):
            self._output = self.function()


def pin_memory(memory: SharedBuffer) -> int:
    """Pin memory, so that a GPU reads it faster; its address is returned, for `_unpin`."""
    address = int(np.frombuffer(memoryview(memory), np.uint8).ctypes.data)
    cudart: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    cudart.cudaHostRegister(address, len(memory), 0)  # if it cannot be, copies are slower, and all else is the same
    return address


def unpin_memory(address: int) -> None:
    """Let go of memory that was pinned: nothing else could be pinned there later."""
    cudart: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    cudart.cudaHostUnregister(address)
