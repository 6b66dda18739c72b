"""Valid and invalid move texts, and an assertion for refused moves."""

import pytest

from argentum import Game, IllegalMove
from argentum.rules.notation import parse_move

SPOTS = [f"{seat}{place}" for seat in "ABCD" for place in range(1, 53)]
VERBS = ["", "peek ", "and ", "exchange ", "at ", "ability ", "rotate ", "discard ", "remove "]
PLAIN = [
    "draw",
    "draw private",
    "take",
    "call",
    "discard",
    "use",
    "done",
    "at left",
    "at right",
    "token",
    "clockwise",
    "counterclockwise",
    "stop",
    "pass",
    "end",
]
TEXTS = [
    *PLAIN,
    *[f"draw {number}" for number in range(1, 5)],
    *[f"keep {number}" for number in range(1, 6)],
    *[f"take {number}" for number in range(1, 51)],
    *[f"use {number}" for number in range(14)],
    *"ABCD",
    *[verb + spot for verb in VERBS for spot in SPOTS],
    *[f"give {spot} {seat}" for spot in SPOTS for seat in "ABCD"],
]
VALID_MOVES = {parse_move(text) for text in TEXTS}
INVALID_TEXTS = [
    "",
    "   ",
    "fly",
    "draw draw",
    "draw A1",
    "drawprivate",
    "private",
    "call A",
    "token A",
    "exchange",
    "exchange left",
    "exchange A0",
    "exchange A53",
    "exchange A-1",
    "exchange A1.5",
    "exchange A\u00b9",
    "exchange A\u0661",
    "exchange E1",
    "exchange 1",
    "exchange A",
    "at",
    "at up",
    "A1 A2",
    "1A",
    "E",
    "AB",
    "take 0",
    "take 51",
    "draw 0",
    "draw 5",
    "keep",
    "keep 0",
    "keep 6",
    "take -1",
    "use 14",
    "use A1",
    "stop 1",
    "give A2",
    "give A2 E",
    "give A2 C D",
    "give C A2",
    "rotate C",
    "draw; call",
    "exchange A" + "1" * 5000,
    "use " + "1" * 5000,
    "\0",
]


def complete_state(game: Game) -> list[object]:
    """Return the text, history, legal moves, views and events of a game, for comparison."""
    everybody = (None, *game.seats)
    return [
        game.text(),
        game.history(),
        game.legal(),
        game.to_move,
        [(game.view(seat), game.events(seat)) for seat in everybody],
    ]


def check_refusal(game: Game, move: int | str, seat: str = "") -> str:
    """Assert that a move is refused and changes nothing; return the message of the error."""
    before = complete_state(game)
    with pytest.raises(IllegalMove) as error:
        game.play(move, seat=seat)
    assert complete_state(game) == before
    assert "\n" not in str(error.value)
    return str(error.value)
