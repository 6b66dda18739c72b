"""What a seat sees and was told; and, with memory, what it saw a moment ago."""

from collections.abc import Callable
from time import monotonic

from argentum import words
from argentum.rules.asking import KEEP
from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.rules.views import Card, View
from argentum.tableside.scene import Drawn
from argentum.tableside.telling import Telling

MOVING = ("left", "added", "switched", "shifted", "gave", "removed", "shuffled")


class Recall:
    """What one seat (or, with an empty letter, whoever watches) sees now and was told so far.

    `public` tells the events of the game as those who only watch are told them; few ask for it.
    """

    def __init__(
        self, seat: str, game: Game, public: Callable[[], list[Event]], looks: dict[str, float] | None = None
    ) -> None:
        self.seat = seat
        self.view = game.view(seat or None)
        self.moment = -1  # of the table, up to which it has followed
        self.telling = Telling()
        self.looks = looks or {}  # when the card in a spot was last seen
        self.drawn: dict[str, Drawn] = {}  # its villages, as they were last drawn
        self._public = public

    @property
    def events(self) -> list[Event]:
        """What the seat was told so far."""
        return self.telling.events

    def catch_up(self, game: Game, moment: int, fade: float = 0.0) -> None:
        """See and hear what happened since; with memory, one card is shown for so many seconds."""
        if moment == self.moment:
            return
        live = self.moment >= 0  # what happened before somebody began to listen has faded
        self.moment = moment
        self.view = game.view(self.seat or None)
        new = game.events(self.seat, len(self.events)) if self.seat else self._public()[len(self.events) :]
        looked = [event for event in new if event.kind == "looked" and event.seat == self.seat]
        extra = fade * max(len(looked) - 1, 0)  # they are looked at one after another
        for event in new if live else ():
            self._see(event, monotonic() + (extra if event in looked else 0.0))
        self.telling.hear(new)

    def _see(self, event: Event, now: float) -> None:
        """Note which card was seen just now. Where cards move, what was seen there before is no longer shown."""
        if event.kind in MOVING:
            villages = event.spot[:1] + event.to[:1] + event.village
            self.looks = {spot: seen for spot, seen in self.looks.items() if spot[0] not in villages}
        if event.spot and event.number is not None:
            self.looks[event.to if event.kind in ("shifted", "gave") else event.spot] = now

    def entries(self, most: int, memory: bool = False) -> list[words.Entry]:
        """The last things that happened, in words."""
        return self.telling.entries(self._public(), self.view, most, memory)

    def fresh(self, fade: float) -> frozenset[str]:
        """The spots whose cards were seen a moment ago."""
        since = monotonic() - fade
        return frozenset([spot for spot, seen in self.looks.items() if seen > since])

    def fading(self, now: float, fade: float) -> tuple[bool, float | None]:
        """Forget what has faded: whether anything has, and when the next thing will."""
        faded = [spot for spot, seen in self.looks.items() if seen + fade <= now]
        for spot in faded:
            del self.looks[spot]
        return bool(faded), min([seen + fade - now for seen in self.looks.values()], default=None)


def masked(view: View, fresh: frozenset[str]) -> View:
    """A view without the faces of facedown cards that its seat saw longer ago."""
    villages = {
        letter: tuple([_hidden(card, f"{letter}{place}", fresh) for place, card in enumerate(cards, 1)])
        for letter, cards in view.villages.items()
    }
    private = {
        letter: cards if letter == view.seat else tuple([_hidden(card, "", fresh) for card in cards])
        for letter, cards in view.private.items()  # one's own may be looked at at any time (D10)
    }
    # Whoever chooses among cards of the deck has them before them (A4).
    keeping = view.asking is not None and view.asking.step == KEEP and view.asking.seat == view.seat
    looked_at = len(view.legal) if keeping else 0
    deck = view.deck[:looked_at] + tuple([_hidden(card, "", fresh) for card in view.deck[looked_at:]])
    discard = tuple([_hidden(card, "", fresh) for card in view.discard])
    return view._replace(villages=villages, private=private, deck=deck, discard=discard)


def _hidden(card: Card, spot: str, fresh: frozenset[str]) -> Card:
    return card if card.up or card.number is None or spot in fresh else card._replace(number=None)
