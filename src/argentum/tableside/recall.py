"""What a seat was told, in words; and, with memory, what it saw a moment ago."""

from time import monotonic

from argentum import words
from argentum.rules.events import Event
from argentum.rules.game import Game
from argentum.rules.views import Card, View

MOVING = ("left", "added", "switched", "shifted", "gave", "removed", "shuffled")


class Recall:
    """What one seat (or, with an empty letter, whoever watches) sees now and was told so far."""

    def __init__(self, seat: str, game: Game, looks: dict[str, float] | None = None) -> None:
        self.seat = seat
        self.view = game.view(seat or None)
        self.moment = -1  # the number of the log entry that it is up to
        self.events: list[Event] = []
        self._game = game
        self._public: list[Event] = []
        self.looks = looks or {}  # when the card in a spot was last seen
        self._turn = 0  # where the last turn's events begin
        self._old: list[words.Entry] = []  # of turns that are over
        self._old_end = 0  # where their events end
        self._entries: list[words.Entry] = []
        self._told = 0  # how many events they tell

    def catch_up(self, game: Game, moment: int) -> None:
        """See and hear what happened since."""
        if moment == self.moment:
            return
        live = self.moment >= 0  # what happened before somebody began to listen has faded
        self.moment = moment
        self._game = game
        self.view = game.view(self.seat or None)
        new = game.events(self.seat or None, since=len(self.events))
        if not new:
            return
        for event in new if live else ():
            self._see(event, monotonic())
        turns = [nth for nth, event in enumerate(new, len(self.events)) if event.kind == "turn"]
        self._turn = turns[-1] if turns else self._turn
        self.events += new

    def _see(self, event: Event, now: float) -> None:
        """Note which card was seen just now. Where cards move, what was seen there before is no longer shown."""
        if event.kind in MOVING:
            villages = event.spot[:1] + event.to[:1]
            self.looks = {spot: seen for spot, seen in self.looks.items() if spot[0] not in villages}
        if event.spot and event.number is not None:
            self.looks[event.to if event.kind in ("shifted", "gave") else event.spot] = now

    @property
    def public(self) -> list[Event]:
        """The same events as whoever watches was told them; few ask for them."""
        if not self.seat:
            return self.events
        if len(self._public) < len(self.events):
            self._public += self._game.events(None, since=len(self._public))
        return self._public

    def entries(self, most: int) -> list[words.Entry]:
        """The last things that happened, in words: only those of the last turn anew, and only if somebody asks."""
        if self._told != len(self.events):
            self._old += self._chronicle(self._old_end, self._turn)
            self._old_end = self._turn
            self._entries = self._old + self._chronicle(self._turn, len(self.events))
            self._told = len(self.events)
        return self._entries[-most:]

    def _chronicle(self, first: int, end: int) -> list[words.Entry]:
        return words.chronicle(self.events[first:end], self.public[first:end], self.view)

    @property
    def revealed(self) -> bool:
        """Whether the round is over and all villages are open, though a 0 may still act (G15)."""
        marks = [event.kind for event in self.events[self._turn :] if event.kind in ("dealt", "round ended")]
        return bool(marks) and marks[-1] == "round ended"

    @property
    def turn_events(self) -> list[Event]:
        """What happened in this turn."""
        return self.events[self._turn :]

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
    deck = tuple([_hidden(card, "", fresh) for card in view.deck])
    discard = tuple([_hidden(card, "", fresh) for card in view.discard])
    return view._replace(villages=villages, private=private, deck=deck, discard=discard)


def _hidden(card: Card, spot: str, fresh: frozenset[str]) -> Card:
    return card if card.up or card.number is None or spot in fresh else card._replace(number=None)
