"""What happened, as a list of small facts.

An event is public: who did what, where. The face of its card is for those who knew it at that moment, and each seat is
sent the event with or without it. The engine notes events as plain tuples (:data:`Raw`); :class:`Event` is what a
seat, or somebody who only watches, is told.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from argentum.rules.moves import SEATS, spot_text
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
_GOES: Final = (
    "to the discard pile",
    "to the bottom of the deck",
    "to the bottom of the discard pile",
    "out of the round",
)


@dataclass(frozen=True)
class Event:
    """One thing that happened, as somebody was told it: with the card's number only if they may know it."""

    kind: str
    seat: str  # who acts
    spot: str  # where, or empty
    number: int | None
    text: str

    def __str__(self) -> str:
        return self.text


def told(raw: Raw, knows: bool, cast: Cast, names: list[str]) -> Event:
    """An event as somebody is told it who does, or does not, know its card."""
    kind, seat, where, number, _, _ = raw
    seen = number if knows and number >= 0 else None
    spot = spot_text(where) if where >= 0 else ""
    return Event(KINDS[kind], SEATS[seat], spot, seen, _sentence(raw, seen, cast, names))


def _sentence(raw: Raw, number: int | None, cast: Cast, names: list[str]) -> str:
    """What happened, in words."""
    kind, seat, where, _, _, other = raw
    who = names[seat]
    spot = spot_text(where) if where >= 0 else ""
    card = "a card" if number is None else f"{number} {cast.residents[number].name}"
    known = "" if number is None else f" ({card})"
    if kind == DEALT:
        return f"Round {other} is dealt; {who} starts."
    if kind == DREW:
        return f"{who} draws {card}{' from the private deck' if other else ''}."
    if kind == TOOK:
        return f"{who} takes {card} from the discard pile{f', {other} down' if other else ''}."
    if kind == DISCARDED:
        return f"{who} discards {card}{'' if other == TO_PILE else ' ' + _GOES[other]}."
    if kind == USED:
        return f"{who} uses {card}{' at ' + spot if spot else ''}."
    if kind == LEFT or kind == REMOVED:
        return f"{spot}{known} goes {_GOES[other]}."
    if kind == SWITCHED:
        return f"{who} switches {spot} and {spot_text(other)}."
    if kind == SHIFTED or kind == GAVE:
        return f"{spot}{known} goes to {spot_text(other)}."
    if kind == ROTATED:
        return f"{who} turns {spot} {'sideways' if other else 'upright'}."
    if kind == REVERSED:
        return f"Play now goes {'clockwise' if other > 0 else 'counterclockwise'}."
    if kind == DECK_TURNED:
        return f"The deck is turned over and lies face{'up' if other else 'down'}."
    if kind == SHUFFLED:
        return f"{who} shuffles the facedown cards of {names[other]}'s village."
    if kind == SCORED:
        return f"{who} scores {other}."
    if kind == TOKEN_WENT:
        return f"The silver {cast.token} goes to {who}{', ready for use' if other else ''}."
    return _SENTENCES[kind].format(who=who, spot=spot, card=card, known=known, token=cast.token)


_SENTENCES: Final = {
    LOOKED: "{who} looks at {spot}{known}.",
    TURN: "{who} is to play.",
    CALLED: "{who} calls for a vote.",
    SHOWED: "{who} shows {spot}{known}.",
    FAILED: "The cards do not match and turn facedown.",
    PLACED: "{card} comes to {spot}.",
    ADDED: "{card} is added at {spot}.",
    STAYED: "The Zombie at {spot} does not leave.",
    TURNED_UP: "{who} turns {spot} faceup{known}.",
    TURNED_DOWN: "{who} turns {spot} facedown{known}.",
    ABILITY: "{who} uses {card} at {spot}.",
    TOKEN: "{who} uses the silver {token}.",
    COVERED: "The silver bullet covers {spot}.",
    SKIPPED: "{who} plays again: the other's turn is skipped.",
    KEPT: "{card} goes on top of {who}'s private deck.",
    COUNTED: "{card} is turned onto the discard pile.",
    EXTRA_TURN: "{who} takes another turn.",
    ROUND_ENDED: "The round is over.",
    REVEALED: "{spot} is revealed{known}.",
    WON: "{who} wins the game.",
}
