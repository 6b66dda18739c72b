from typing_extensions import Buffer

def sample(masks: Buffer, chances: Buffer, actions: Buffer, /) -> bool: ...
def check(masks: Buffer, actions: Buffer, /) -> int: ...

class Encoder:
    """Writes the rows of a batch into its arrays."""

    def __init__(
        self,
        observations: memoryview,
        masks: memoryview,
        seats: memoryview,
        truths: memoryview,
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
        fields: list[object],
        seat: int,
        chooser: int,
        over: bool,
        legal: list[int],
        deck: bytes,
        memory: bytes,
        /,
    ) -> None: ...
    def note(self, place: int, fields: list[object], rules: object, /, *holders: object) -> None: ...
