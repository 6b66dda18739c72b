"""Device setup, CUDA graphs, torch.compile and pinned memory."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

import numpy as np
import torch
import torch._dynamo

from argentum.learn import config as cf
from argentum.processes import SharedBuffer

AutocastFactory: TypeAlias = Callable[[], AbstractContextManager[Any]]


def set_up_device(config: cf.TrainingConfig) -> torch.device:
    """Configure PyTorch and return the device; raise ValueError if the device is not available."""
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
    """Return an autocast context to bfloat16 on CUDA, or a null context on other devices."""
    return torch.autocast("cuda", torch.bfloat16) if device.type == "cuda" else nullcontext()


WARM_UP_CALLS: Final = 3  # before the capture: libraries choose their kernels in the first calls
MAX_COMPILED_SHAPES: Final = 64  # each group of games has its own numbers of rows and tokens

Output = TypeVar("Output")
Function = TypeVar("Function", bound=Callable[..., Any])


def compile_if(function: Function, enabled: bool) -> Function:
    """Return the function, compiled by torch.compile for each shape of its inputs if `enabled`."""
    if not enabled:
        return function
    torch._dynamo.config.recompile_limit = MAX_COMPILED_SHAPES
    return cast(Function, torch.compile(function, dynamic=False))


class CudaGraph(Generic[Output]):
    """A function whose inputs are always the same tensors; on CUDA, it is captured as a graph and replayed.

    Each call overwrites the tensors that the previous call returned.
    """

    def __init__(
        self, function: Callable[[], Output], device: torch.device, generators: Sequence[torch.Generator] = ()
    ) -> None:
        self.function: Final = function
        self.on_gpu: Final = device.type == "cuda"
        self.generators: Final = generators
        self.calls = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._output: Output

    def __call__(self) -> Output:
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
        """Call the function in another stream, as PyTorch requires before a capture."""
        stream, current = torch.cuda.Stream(), torch.cuda.current_stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(current)
        with torch.cuda.stream(stream):
            output = self.function()
        current.wait_stream(stream)
        torch.cuda.synchronize()
        return output

    def _capture(self) -> None:
        self._graph = torch.cuda.CUDAGraph()
        for generator in self.generators:
            self._graph.register_generator_state(generator)
        with torch.cuda.graph(self._graph):
            self._output = self.function()


def pin_memory(buffer: SharedBuffer) -> int:
    """Pin memory for faster copies to a GPU; return its address, for `unpin_memory`."""
    address = int(np.frombuffer(memoryview(buffer), np.uint8).ctypes.data)
    cudart: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    cudart.cudaHostRegister(address, len(buffer), 0)  # If it fails, copies are only slower.
    return address


def unpin_memory(address: int) -> None:
    """Unpin the memory at an address, so that it can be pinned again."""
    cudart: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    cudart.cudaHostUnregister(address)
