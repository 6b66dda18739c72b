"""A bot that plays like somebody at the table for the first time."""

from collections.abc import Callable
from random import Random
from typing import ClassVar, Final

from argentum.bots.bot import Bot
from argentum.rules.move import Move
from argentum.rules.views import Card, View

LOW: Final = 5  # what a novice is glad to have
GUESS: Final = 6.0  # what it thinks of a card that it does not know
MEMORY: Final = 0.85  # how likely it still knows a facedown card
SPAN: Final = 6  # turns, after which it may have forgotten other cards, or remember them again
CURIOSITY: Final = 0.7  # how likely it uses what a card offers
LOW_SUM: Final = 8.0  # with which it dares to call
SETTLED: Final = 7  # turns, before which it does not think of calling
BARGAIN: Final = 3  # what it takes from the discard pile


class NoviceBot(Bot):
    """Keeps low cards, gives away high ones, is curious about its own, forgets some, and calls late."""

    name: ClassVar[str] = "novice"
    summary: ClassVar[str] = "keeps low cards, forgets some of them, and calls late"

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self.salt = self.random.random()

    def choose(self, view: View) -> Move:
        """The first rule of thumb that has something to say; else any legal move."""
        verbs = {move.verb for move in view.legal}
        rule = next((rule for verb, rule in RULES.items() if verb in verbs), None)
        move = None if rule is None else rule(self, view)
        return self.random.choice(view.legal) if move is None else move

    def points(self, view: View, spot: str) -> float | None:
        """What a card counts, if the novice knows it and has not forgotten it."""
        card = card_at(view, spot)
        if card.covered:
            return 0.0
        if card.number is None or card.up:
            return card.number
        remembers = Random(f"{self.salt} {view.round} {view.turns // SPAN} {spot}").random() < MEMORY
        return card.number if remembers else None

    def thinks(self, view: View, spot: str) -> float:
        """The same, with a guess where it does not know."""
        points = self.points(view, spot)
        return GUESS if points is None else points

    def open_turn(self, view: View) -> Move | None:
        """Call with a low sum; take a low card; else use something, or draw."""
        verbs = [move.verb for move in view.legal]
        village = [self.thinks(view, spot) for spot in own_spots(view)]
        if "call" in verbs and sum(village) <= LOW_SUM and view.turns >= SETTLED:
            return Move.of("call")
        top = view.discard[0].number if view.discard else None
        if "take" in verbs and top is not None and top <= BARGAIN and max(village) > top + 2:
            return Move.of("take")
        return self.perhaps_use(view) or next(move for move in view.legal if move.verb.startswith("draw"))

    def perhaps_use(self, view: View) -> Move | None:
        """Now and then, the token or a card of the village."""
        tools = [move for move in view.legal if move.verb in ("ability", "token")]
        return self.random.choice(tools) if tools and self.random.random() < CURIOSITY / 2 else None

    def settle(self, view: View) -> Move | None:
        """Exchange a low card in for the worst of the village; use or discard a high one."""
        hand = GUESS if view.hand is None or view.hand.number is None else view.hand.number
        exchanges = [move for move in view.legal if move.verb == "exchange"]
        pair = self.pair(view)
        if exchanges:
            worst = max(exchanges, key=lambda move: self.thinks(view, move.spot))
            plain = [move for move in view.legal if move.verb in ("discard", "use")]
            if pair and 2 * self.thinks(view, pair[0]) > hand + 1:
                return Move.of(f"exchange {pair[0]}")
            if not plain or (hand <= LOW and self.thinks(view, worst.spot) > hand):
                return worst
        if "use" in map(str, view.legal) and self.random.random() < CURIOSITY:
            return Move.of("use")
        return next(move for move in view.legal if move.verb == "discard") if not exchanges or hand > LOW else None

    def name_more(self, view: View) -> Move | None:
        """Name the other one of a pair; that is all."""
        pair = self.pair(view)
        if pair and view.named == (pair[0],):
            return Move.of(f"and {pair[1]}")
        return Move.of("done")

    def pair(self, view: View) -> tuple[str, str] | None:
        """Two equal cards of its own that it remembers: the highest such."""
        places: dict[float, str] = {}
        pairs: list[tuple[float, str, str]] = []
        for spot in own_spots(view):
            points = self.points(view, spot)
            if points is not None and not card_at(view, spot).covered:
                if points in places:
                    pairs.append((points, places[points], spot))
                places[points] = spot
        return max(pairs)[1:] if pairs else None

    def pick(self, view: View) -> Move | None:
        """A card of its own that it does not know; else its own worst one; else any."""
        if any(len(move.spot) == 1 for move in view.legal):
            return self.pick_village(view)
        own = [move for move in view.legal if move.verb == "" and move.spot[0] == view.seat]
        unknown = [move for move in own if self.points(view, move.spot) is None]
        if unknown:
            return self.random.choice(unknown)
        worst = max(own, key=lambda move: self.thinks(view, move.spot), default=None)
        return worst if worst is not None and self.thinks(view, worst.spot) > LOW else None

    def pick_village(self, view: View) -> Move | None:
        """A card that is still in hand is for somebody else (B12); otherwise any village will do."""
        others = [move for move in view.legal if move.spot != view.seat]
        return self.random.choice(others) if view.hand is not None and others else None

    def part_with(self, view: View) -> Move | None:
        """At the end of a round: away with the highest card."""
        ways = [move for move in view.legal if move.spot]
        return max(ways, key=lambda move: self.thinks(view, move.spot), default=None)

    def finish(self, view: View) -> Move | None:
        """Perhaps use something, and end the turn."""
        return self.perhaps_use(view) or Move.of("end")


# By a verb that is among the legal moves: what to do. The first that fits counts.
RULES: Final[dict[str, Callable[[NoviceBot, View], Move | None]]] = {
    "draw": NoviceBot.open_turn,
    "draw private": NoviceBot.open_turn,
    "exchange": NoviceBot.settle,
    "done": NoviceBot.name_more,
    "end": NoviceBot.finish,
    "remove": NoviceBot.part_with,
    "give": NoviceBot.part_with,
    "": NoviceBot.pick,
}


def own_spots(view: View) -> list[str]:
    """The spots of one's own cards."""
    return [f"{view.seat}{place}" for place in range(1, len(view.villages[view.seat]) + 1)]


def card_at(view: View, spot: str) -> Card:
    """The card at a spot."""
    return view.villages[spot[0]][int(spot[1:]) - 1]
