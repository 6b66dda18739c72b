"""Tables that stand still, for pictures."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from argentum.display.session import play_text
from argentum.rules.game import Game
from argentum.rules.views import View
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source
from argentum.terminal.sources.local import LocalSource


class Still(Source):
    """Tells these messages, and nothing more."""

    def __init__(self, messages: Sequence[ProtocolMessage]) -> None:
        self.messages = messages
        self.sent: list[ProtocolMessage] = []

    async def run(self, on_message: OnMessage) -> None:
        for message in self.messages:
            on_message(message)
        await asyncio.Event().wait()

    async def send(self, message: ProtocolMessage) -> None:
        self.sent.append(message)


def choose(view: View, random: Random) -> str:
    """A plain way to play: keep low cards, use an ability now and then, call when one may."""
    legal, me = [str(move) for move in view.legal], view.seat
    if legal[0].startswith("peek"):
        return f"peek {me}1 {me}{random.randint(2, 5)}"
    held = 99 if view.hand is None or view.hand.number is None else view.hand.number
    known = {f"{me}{place}": card.number for place, card in enumerate(view.villages[me], 1)}
    worth = {spot: 6 if number is None else number for spot, number in known.items()}
    worst = max(worth, key=lambda spot: worth[spot])
    twins = [spot for spot in known if known[spot] == known[worst]] if known[worst] is not None else [worst]
    if f"exchange {worst}" in legal and (worth[worst] > held or "discard" not in legal):
        return " ".join(["exchange", *twins])
    top = view.discard[0].number if view.discard else None
    wanted = ["call", *["take"] * (top is not None and top < 4), "draw", *["use"] * (random.random() < 0.5), "discard"]
    return next((move for move in wanted if move in legal), random.choice(legal))


def played_until(wanted: Callable[[Game], bool], boxes: str = "dddddddcdcddcb", seed: int = 8) -> list[ProtocolMessage]:
    """The updates of a game for four, up to a moment."""
    table, random = LocalSource("Ann", ["novice"] * 3, boxes, seed), Random(seed)
    updates = [table.next_update()]
    while not wanted(table.game):
        letter = next(one for one in table.game.seats if table.game.legal(one))
        made = play_text(table.game, letter, choose(table.game.view(letter), random))
        table.session.commit(made, table.session.revision + 1)
        updates.append(table.next_update())
    return updates


def in_hand(game: Game) -> bool:
    """Ann has drawn a card in a game that has gone on for a while."""
    view = game.view("A")
    return view.turns > 9 and view.holder == "A" and any(move.verb == "exchange" for move in view.legal)


def to_draw(game: Game) -> bool:
    """Ann begins a turn in a game that has gone on for a while."""
    view = game.view("A")
    return view.turns > 9 and any(move.verb == "draw" for move in view.legal)
