from typing_extensions import Buffer

from argentum.rules.events import RawEvent
from argentum.rules.table import Table

LAYOUT_DIGEST: int

def sample(masks: Buffer, random_values: Buffer, actions: Buffer, /) -> bool: ...
def are_legal(masks: Buffer, actions: Buffer, /) -> bool: ...
def one_hot(rows: Buffer, row_size: int, out: Buffer, /) -> None: ...

class Encoder:
    def __init__(
        self,
        observations: Buffer,
        masks: Buffer,
        seats: Buffer,
        hidden_states: Buffer,
        players: int,
        history: int,
    ) -> None: ...
    def write(
        self,
        index: int,
        table: Table,
        seat: int,
        chooser: int,
        over: bool,
        legal: list[int],
        cast: bytes,
        history: bytes,
        /,
    ) -> None: ...

class History:
    def __init__(self, players: int, limit: int) -> None: ...
    def add_events(self, events: list[RawEvent], first: int, /) -> None: ...
    def append_token(self, seat: int, token: bytes, /) -> None: ...
    def tokens(self, seat: int, /) -> bytes: ...
