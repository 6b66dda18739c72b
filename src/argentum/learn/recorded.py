"""Work that a GPU is told once and then does many times.

The networks are small, and so are the steps of their work: a GPU is through with most of them before the processor has
told it the next. So they are recorded as a graph, which is started as a whole. Most of their time goes into moving
tokens through memory; so they may also be compiled, several steps into one.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar, cast

import torch
import torch._dynamo

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
