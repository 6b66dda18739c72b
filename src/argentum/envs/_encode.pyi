from typing_extensions import Buffer

from argentum.rules.table import Table

def sample(masks: Buffer, chances: Buffer, actions: Buffer, /) -> bool: ...

class Encoder:
    """Writes the rows of a batch into its arrays."""

    def __init__(
        self,
        observations: memoryview,
        masks: memoryview,
        seats: memoryview,
        truths: memoryview,
        table: type[Table],
        players: int,
        row: int,
        layout: tuple[int, int],
        steps: dict[str, int],
        kinds: list[int],
        bases: list[int],
        actions: list[list[int]],
    ) -> None: ...
    def write(
        self,
        place: int,
        table: Table,
        seat: int,
        chooser: int,
        over: bool,
        legal: list[int],
        deck: bytes,
        memory: bytes,
        /,
    ) -> None: ...
