"""A bot that a network plays: a file for ONNX Runtime, made by `argentum train`. Needs the extra `network`."""

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from argentum.bots.bot import Bot
from argentum.rules.move import Move
from argentum.rules.notation import SEATS
from argentum.rules.views import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE_IN: Final = "table"
CARDS_IN: Final = "cards"
OUTPUTS: Final = ("logits", "values", "beliefs")
TOP: Final = 3  # cards of the discard pile that are read
NEEDS: Final = "a network needs ONNX Runtime, which is not installed: pip install 'argentum[network]'"


def layout() -> dict[str, str]:
    """What a file must be made for, as it says itself."""
    from argentum.envs import observation as ob
    from argentum.envs.actions import ACTIONS

    return {"argentum": "network 1", "layout": f"{ob.VERSION} {ob.SIZE} {ob.WIDTH}", "actions": str(ACTIONS)}


class Loaded:
    """A network in memory."""

    def __init__(self, file: str) -> None:
        try:
            onnxruntime: Any = import_module("onnxruntime")
            wanted = layout()
        except ImportError:
            raise ValueError(NEEDS) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # many games may be played side by side
        options.log_severity_level = 3
        try:
            self.session: Any = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has an exception of its own for each thing that can be wrong
            raise ValueError(f"{file} is not a network: {str(error).splitlines()[0]}") from None
        self.told: Final[dict[str, str]] = dict(self.session.get_modelmeta().custom_metadata_map)
        if {key: self.told.get(key) for key in wanted} != wanted:
            raise ValueError(f"{file} is not a network for this version: export its checkpoint again, or train anew")

    def ask(self, rows: "NDArray[np.uint8]") -> "list[NDArray[np.float32]]":
        """What the network says of observations: logits, values, and beliefs about the cards that it reads."""
        import numpy as np

        table, cards = read(rows)
        answer: list[NDArray[np.float32]] = self.session.run(
            None, {TABLE_IN: table.astype(np.int32), CARDS_IN: cards.astype(np.int32)}
        )
        return answer


def read(rows: "NDArray[np.uint8]") -> "tuple[NDArray[np.uint8], NDArray[np.uint8]]":
    """The table's part of observations, and the tokens of the cards that matter, with 0 where there are fewer."""
    import numpy as np

    from argentum.envs import observation as ob

    table = ob.PART["cards"].offset
    cards = rows[:, table : ob.SIZE].reshape(len(rows), -1, ob.WIDTH)
    where, place, reached = (cards[:, :, ob.COLUMN[name]] for name in ("where", "place", "reached"))
    kept = (where > 0) & ((where != ob.IN_DISCARD) | (place <= TOP) | (reached > 0))
    order = np.argsort(~kept, axis=1, kind="stable")[:, : max(int(kept.sum(1).max()), 1)]
    found = np.take_along_axis(cards, order[:, :, None], 1) * np.take_along_axis(kept, order, 1)[:, :, None]
    return rows[:, :table], found


@lru_cache(8)
def loaded(file: str) -> Loaded:
    """A network from a file; it is read once."""
    if not Path(file).is_file():
        raise ValueError(f"there is no file {file}")
    return Loaded(file)


class NetworkBot(Bot):
    """Plays what a network likes best, by what the seat sees."""

    name: ClassVar[str] = "network"
    summary: ClassVar[str] = "plays by what it has learned from millions of games"

    def __init__(self, seed: int | None = None, file: str = "") -> None:
        super().__init__(seed)
        self.network: Final = loaded(file)

    def choose(self, view: View) -> Move:
        """The legal move with the highest logit."""
        import numpy as np

        from argentum.bots.observing import observe
        from argentum.envs.actions import ACTION_TABLE

        logits = self.network.ask(np.frombuffer(observe(view), np.uint8)[None])[0][0]
        actions = ACTION_TABLE[len(view.villages)][SEATS.index(view.seat)]
        return max(view.legal, key=lambda move: float(logits[actions[move]]))
