from typing_extensions import Buffer

def sample(masks: Buffer, random_values: Buffer, actions: Buffer, /) -> bool: ...
def check(masks: Buffer, actions: Buffer, /) -> int: ...

class Encoder:
    def __init__(
        self,
        observations: memoryview,
        masks: memoryview,
        seats: memoryview,
        hidden_states: memoryview,
        players: int,
        row_size: int,
        layout: tuple[int, int],
        steps: dict[str, int],
        askers: dict[str, bytes],
        kinds: list[int],
        bases: list[int],
        actions: list[list[int]],
    ) -> None: ...
    def write(
        self,
        game: int,
        fields: list[object],
        seat: int,
        chooser: int,
        over: bool,
        legal: list[int],
        deck: bytes,
        history: bytes,
        /,
    ) -> None: ...
    def trace(self, game: int, fields: list[object], generator: object, /, *holders: object) -> None: ...
