"""Records: games as text files.

A record consists of a header and, for each round, the deal, the moves and the result::

    Argentum record 1
    boxes: dddddddddddddd
    token: dagger
    rulings: 2
    A: Ann
    B: Bo

    round 1, A starts
    A has 3 5 1 2 9
    B has 4 11 7 0 6
    discard 6
    deck 12 3 8 ...
    A: peek A1 A4
    B: peek B1 B2
    A: draw, exchange A2
    B: take, exchange B1 B3, at B3
    scores A 12, B 0; totals A 12, B 0; token dagger B active

Each line of moves lists consecutive moves of one seat. A move that shuffles a village is followed by the result in
brackets: ``[B 3 9 2^ 4]``. ``#`` starts a comment, except in a name. Reading a record checks the scores and the winner.

`rulings` is the version of the rulings (:attr:`argentum.Game.rulings`), by default 1.
"""

from argentum.records.reader import RecordError, read, read_file
from argentum.records.steps import (
    Decision,
    RoundDealt,
    RoundScored,
    VillageShuffled,
    replay_steps,
    steps_as_json,
    written_moves,
)
from argentum.records.writer import RECORD_TITLE, write, write_for

__all__ = [
    "RECORD_TITLE",
    "Decision",
    "RecordError",
    "RoundDealt",
    "RoundScored",
    "VillageShuffled",
    "read",
    "read_file",
    "replay_steps",
    "steps_as_json",
    "write",
    "write_for",
    "written_moves",
]
