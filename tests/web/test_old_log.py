"""Tables of earlier versions are brought back: what their logs say is read as it was written then."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from argentum.rooms.access import derived, seat_link
from argentum.rooms.clock import Pace
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import Log
from argentum.rooms.room import Room

OLD: dict[str, Any] = json.loads(Path(__file__).with_name("old_log.json").read_text(encoding="utf-8"))
ENTRIES = [Entry(seq, kind, body, 0.0) for seq, kind, body in OLD["rows"]]


def restored(entries: list[Entry]) -> Room:
    return Room.restored(OLD["table"], entries, cast(Log, None), Pace())


def test_a_game_of_the_old_log_ends_as_it_did() -> None:
    room = restored(ENTRIES)
    assert room.game is not None
    assert (room.stage, room.game.scores, room.game.winner) == ("over", OLD["scores"], OLD["winner"])
    assert room.game.names == ["Ann", "Bo", "Cinder"]
    shuffled = [village for entry in ENTRIES if entry.kind == "move" for village in entry.body.get("shuffles", ())]
    told = [shuffle.numbers for round_ in (1, 2, 3, 4) for shuffle in room.game.shuffles(round_)]
    assert told == shuffled != []


@pytest.mark.parametrize("part", [0.1, 0.35, 0.6, 0.9])
def test_a_table_of_the_old_log_goes_on_from_anywhere(part: float) -> None:
    some = ENTRIES[: int(len(ENTRIES) * part)]
    room = restored(some)
    assert (room.stage, room.play.seq) == ("playing", len(some))
    assert room.game is not None
    for entry in ENTRIES[len(some) :]:
        for step in entry.body["steps"]:
            assert step in [str(move) for move in room.game.legal(entry.body["seat"])]
            room.game.play(next(move for move in room.game.legal(entry.body["seat"]) if str(move) == step))
        break


def test_a_seat_that_had_been_given_away_and_was_gone_has_a_link_that_works() -> None:
    """The old version showed the link of the first lock again, which was dead."""
    room = restored([entry for entry in ENTRIES if entry.kind not in ("start", "move")])
    link = seat_link(room, OLD["host"], "C")
    assert room.doors.role_of(link.partition("#")[2]) == "C"
    assert room.doors.role_of(derived(OLD["host"], "C")) == "", "whoever sat there has no seat any more"
