"""What happened, as a list of small facts.

An event is public: who did what, where. The face of its card is for those who knew it at that moment, and each seat is
sent the event with or without it. The engine notes events as plain tuples (:data:`Raw`); :class:`Event` is what a
seat, or somebody who only watches, is told.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from argentum.rules.notation import SEATS, spot_text
from argentum.rules.residents import Cast

# Kind, seat that acts, spot or -1, number of the card or -1, who may know it (a bit for each seat), and one thing more.
Raw: TypeAlias = tuple[int, int, int, int, int, int]

DEALT: Final = 0
LOOKED: Final = 1
TURN: Final = 2
DREW: Final = 3
TOOK: Final = 4
CALLED: Final = 5
DISCARDED: Final = 6
USED: Final = 7
SHOWED: Final = 8
FAILED: Final = 9
PLACED: Final = 10
ADDED: Final = 11
STAYED: Final = 12
LEFT: Final = 13
TURNED_UP: Final = 14
TURNED_DOWN: Final = 15
SWITCHED: Final = 16
SHIFTED: Final = 17
ROTATED: Final = 18
ABILITY: Final = 19
TOKEN: Final = 20
COVERED: Final = 21
REVERSED: Final = 22
SKIPPED: Final = 23
DECK_TURNED: Final = 24
KEPT: Final = 25
COUNTED: Final = 26
SHUFFLED: Final = 27
EXTRA_TURN: Final = 28
ROUND_ENDED: Final = 29
REVEALED: Final = 30
GAVE: Final = 31
REMOVED: Final = 32
SCORED: Final = 33
TOKEN_WENT: Final = 34
WON: Final = 35

KINDS: Final = (
    "dealt",
    "looked",
    "turn",
    "drew",
    "took",
    "called",
    "discarded",
    "used",
    "showed",
    "failed",
    "placed",
    "added",
    "stayed",
    "left",
    "turned up",
    "turned down",
    "switched",
    "shifted",
    "rotated",
    "ability",
    "token",
    "covered",
    "reversed",
    "skipped",
    "deck turned",
    "kept",
    "counted",
    "shuffled",
    "extra turn",
    "round ended",
    "revealed",
    "gave",
    "removed",
    "scored",
    "token went",
    "won",
)

# Where a card that leaves a hand or a village goes.
TO_PILE: Final = 0
TO_DECK: Final = 1
TO_PILE_BOTTOM: Final = 2
OUT: Final = 3
PLACES: Final = ("pile", "deck", "bottom of the pile", "out of the round")
_GOES: Final = (
    "to the discard pile",
    "to the bottom of the deck",
    "to the bottom of the discard pile",
    "out of the round",
)


class Event(NamedTuple):
    """One thing that happened, as somebody was told it: with the card's number only if they may know it."""

    kind: str
    seat: str  # who acts
    spot: str  # where, or empty
    number: int | None  # of the card
    to: str  # where a card goes (another spot, a pile, a village), where it comes from, or how a thing lies after it
    value: int | None  # points, the number of a round, how deep in the pile
    text: str

    def __str__(self) -> str:
        return self.text


def told(raw: Raw, knows: bool, cast: Cast, names: list[str]) -> Event:
    """An event as somebody is told it who does, or does not, know its card."""
    kind, seat, where, number, _, other = raw
    seen = number if knows and number >= 0 else None
    spot = spot_text(where) if where >= 0 else ""
    to = ""
    if kind in (SWITCHED, SHIFTED, GAVE):
        to = spot_text(other)
    elif kind in (LEFT, DISCARDED, REMOVED):
        to = PLACES[other]
    elif kind == SHUFFLED:
        to = SEATS[other]
    elif kind in (ROTATED, REVERSED, DECK_TURNED):
        to = _MORE[kind](other, names)
    elif kind == DREW:
        to = "private deck" if other else "deck"
    elif kind == TOKEN_WENT:
        to = "active" if other else "idle"
    value = other if kind in (DEALT, TOOK, SCORED) else None
    return Event(KINDS[kind], SEATS[seat], spot, seen, to, value, _sentence(raw, seen, cast, names))


def _sentence(raw: Raw, number: int | None, cast: Cast, names: list[str]) -> str:
    """What happened, in words."""
    kind, seat, where, _, _, other = raw
    card = "a card" if number is None else f"{number} {cast.residents[number].name}"
    more = _MORE.get(kind)
    sentence = _SENTENCES[kind].format(
        who=names[seat],
        spot=spot_text(where) if where >= 0 else "",
        card=card,
        known="" if number is None else f" ({card})",
        token=cast.token,
        more="" if more is None else more(other, names),
    )
    return sentence[0].upper() + sentence[1:]


_SENTENCES: Final = {
    DEALT: "Round {more} is dealt; {who} starts.",
    LOOKED: "{who} looks at {spot}{known}.",
    TURN: "{who} is to play.",
    DREW: "{who} draws {card}{more}.",
    TOOK: "{who} takes {card} from the discard pile{more}.",
    CALLED: "{who} calls for a vote.",
    DISCARDED: "{who} discards {card}{more}.",
    USED: "{who} uses the ability of {card}.",
    SHOWED: "{who} shows {spot}{known}.",
    FAILED: "The cards do not match and turn facedown.",
    PLACED: "{card} comes to {spot}.",
    ADDED: "{card} is added at {spot}.",
    STAYED: "The Zombie at {spot} does not leave.",
    LEFT: "{spot}{known} goes {more}.",
    TURNED_UP: "{who} turns {spot} faceup{known}.",
    TURNED_DOWN: "{who} turns {spot} facedown{known}.",
    SWITCHED: "{who} switches {spot} and {more}.",
    SHIFTED: "{spot}{known} goes to {more}.",
    ROTATED: "{who} turns {spot} {more}.",
    ABILITY: "{who} uses {card} at {spot}.",
    TOKEN: "{who} uses the silver {token}.",
    COVERED: "The silver bullet covers {spot}.",
    REVERSED: "Play now goes {more}.",
    SKIPPED: "{who} plays again: the other's turn is skipped.",
    DECK_TURNED: "The deck is turned over and lies {more}.",
    KEPT: "{card} goes on top of {who}'s private deck.",
    COUNTED: "{card} is turned onto the discard pile.",
    SHUFFLED: "{who} shuffles the facedown cards of {more}'s village.",
    EXTRA_TURN: "{who} takes another turn.",
    ROUND_ENDED: "The round is over.",
    REVEALED: "{spot} is revealed{known}.",
    GAVE: "{spot}{known} goes to {more}.",
    REMOVED: "{spot}{known} goes {more}.",
    SCORED: "{who} scores {more}.",
    TOKEN_WENT: "The silver {token} goes to {who}{more}.",
    WON: "{who} wins the game.",
}

# What the last part of an event adds to its sentence.
_MORE: Final[dict[int, Callable[[int, list[str]], str]]] = {
    DEALT: lambda other, names: str(other),
    DREW: lambda other, names: " from the private deck" if other else "",
    TOOK: lambda other, names: f", {other} down" if other else "",
    DISCARDED: lambda other, names: " " + _GOES[other] if other != TO_PILE else "",
    LEFT: lambda other, names: _GOES[other],
    SWITCHED: lambda other, names: spot_text(other),
    SHIFTED: lambda other, names: spot_text(other),
    ROTATED: lambda other, names: "sideways" if other else "upright",
    REVERSED: lambda other, names: "clockwise" if other > 0 else "counterclockwise",
    DECK_TURNED: lambda other, names: "faceup" if other else "facedown",
    SHUFFLED: lambda other, names: names[other],
    GAVE: lambda other, names: spot_text(other),
    REMOVED: lambda other, names: _GOES[other],
    SCORED: lambda other, names: str(other),
    TOKEN_WENT: lambda other, names: ", ready for use" if other else "",
}
