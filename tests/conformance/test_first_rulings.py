"""A game goes by the rulings it was begun under, wherever it was saved: version 4013f87 wrote no version of them.

Its games here meet both rulings that have changed since: with the deck empty, a private deck was drawn from without a
choice (D10), and a Con Artist was offered where no turn could follow (C1).
"""

import asyncio
import pickle
import sqlite3
from pathlib import Path
from random import Random

import pytest

from argentum import Game, records
from argentum.display.replay import fork_game
from argentum.records import RecordError, fairness, written_moves
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.log.file import SavedGame, record_text
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.notation import parse_move
from argentum.rules.position_dict import PositionError

GAMES = Path(__file__).parent / "first_rulings"
RECORD = (GAMES / "record.silver").read_text(encoding="utf-8")
SAVED = GAMES / "saved_game.silver"
DATABASE = GAMES / "database.sql"
LAST_WINDOW = ["ability B5", "end"]  # of the saved game: the deck is empty, and B has no private deck
# As 4013f87 wrote it: with the deck empty, B's card of its private deck was drawn for it, and is used.
IN_MID_TURN = (
    "boxes dcdddddddddddd; token dagger A idle; round 1 of 4; turn B; A 4:A 5:A 1:A 4:all 7:A; B 2:AB 4:all 4:all 9:B"
    " 1:all; private B 8:B; deck; discard 13+ 7 12 9 0 12 3 12 3 10 12 1 2 9 5 3 13 7 8 6 10 10 6 0 11 2 8 6 5 2 3;"
    " turns 32: 32 31; moves use"
)


def saved() -> Game:
    """The game that was saved, before the choice in its last window."""
    return records.read(SAVED.read_text(encoding="utf-8"))


def legal(game: Game) -> list[str]:
    return [str(move) for move in game.legal()]


def test_a_new_game_goes_by_the_second_rulings_and_its_record_says_so() -> None:
    game = Game.new(seed=1)
    assert game.rulings == 2
    record = records.write(game)
    assert record.splitlines()[:4] == ["Argentum record 1", "boxes: dddddddddddddd", "token: dagger", "rulings: 2"]
    assert records.read(record).rulings == 2
    assert records.write(records.read(record)) == record


def test_a_record_without_rulings_goes_by_the_first_ones() -> None:
    game = records.read(RECORD)
    assert game.over
    assert game.rulings == 1
    assert records.write(game) == RECORD


def test_a_record_is_not_played_by_other_rulings_than_its_own() -> None:
    with pytest.raises(RecordError, match=r"^line 45: .* seat A may play: draw private, take"):
        records.read(RECORD.replace("token: dagger\n", "token: dagger\nrulings: 2\n"))


@pytest.mark.parametrize("version", ["0", "3", "two", ""])
def test_a_record_of_rulings_that_are_not_known_is_refused(version: str) -> None:
    with pytest.raises(
        RecordError, match=f"^line 4: rulings: this Argentum knows the versions 1, 2, and not '{version}'"
    ):
        records.read(RECORD.replace("token: dagger\n", f"token: dagger\nrulings: {version}\n"))
    with pytest.raises(ValueError, match="rulings 3: this Argentum knows versions 1 to 2"):
        Game.new(rulings=3)


def test_a_game_that_a_terminal_saved_goes_on_by_the_first_rulings() -> None:
    text = SAVED.read_text(encoding="utf-8")
    kept = SavedGame.read(SAVED, text)
    assert kept.game.rulings == 1
    assert legal(kept.game) == LAST_WINDOW
    assert record_text(kept.game, kept.arrangement, kept.seed) == text
    kept.game.play("ability B5")
    assert kept.game.round == 2
    assert kept.game.rulings == 1, "so do its later rounds"


def test_copies_of_all_kinds_keep_the_rulings() -> None:
    game = saved()
    copies = [game.copy(), pickle.loads(pickle.dumps(game)), game.redeal("A", Random(1)), Game.resume(game.text())]
    assert [(one.rulings, legal(one)) for one in copies] == [(1, LAST_WINDOW)] * 4
    engine = game.engine()
    assert [engine.is_option(parse_move(move)) for move in LAST_WINDOW] == [True, True]
    game.take_back(2)
    assert game.rulings == 1


def test_a_position_states_the_first_rulings_and_no_others() -> None:
    game = saved()
    assert "; round 1 of 4; rulings 1; turn B; " in game.text()
    assert "rulings" not in Game.new(seed=1).text()
    assert legal(Game.resume(game.text())) == LAST_WINDOW
    with pytest.raises(PositionError, match=r"^rulings: 3 is not a version from 1 to 2"):
        Game.resume(game.text().replace("rulings 1", "rulings 3"))


def test_an_old_position_in_mid_turn_goes_on_by_the_rulings_that_its_moves_need() -> None:
    game = Game.resume(IN_MID_TURN)
    assert game.rulings == 1
    assert legal(game) == ["A1", "A2", "A3", "A4", "A5"]
    before, _, _ = IN_MID_TURN.partition("; moves")
    assert legal(Game.resume(before)) == ["draw private", "take"]
    with pytest.raises(PositionError, match="moves: 'use' cannot be made there"):
        Game.resume(f"{IN_MID_TURN}; rulings 2")


def test_a_finished_game_is_played_on_by_its_own_rulings() -> None:
    game = records.read(RECORD)
    for at in range(0, len(written_moves(game)), 20):
        assert fork_game(game, at, "A", seed=at).rulings == 1


def test_a_table_of_a_servers_database_goes_on_by_the_first_rulings(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    connection = sqlite3.connect(file)
    connection.executescript(DATABASE.read_text(encoding="utf-8"))
    connection.close()

    async def main() -> None:
        log = SqlJournal.open(str(file))
        hall = RoomRegistry(log)
        room = await hall.find("pale-lantern-809475")
        assert room is not None
        assert room.game is not None
        assert room.game.rulings == 1
        assert legal(room.game) == ["ability A2", "end"]
        assert room.play.opening is not None
        fairness.verify(records.write(room.game) + room.play.opening.record_comments(), room.game)
        await room.play_move("A", room.choice_number("A"), "ability A2")
        again = Room.from_entries(room.name, log.entries(room.name), log, room.clock.timing)
        assert again.game is not None
        assert again.game.text() == room.game.text()
        assert again.game.round == 2
        await hall.close()
        await log.close()

    asyncio.run(main())


def test_a_new_game_of_a_servers_database_goes_by_the_second_rulings(tmp_path: Path) -> None:
    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        hall = RoomRegistry(log)
        room, _ = await hall.create(new_arrangement("Ann", "dagger", 1, bot="steady"))
        await lobby.start(room, "A")
        entries = log.entries(room.name)
        assert entries[1].body["rulings"] == 2
        again = Room.from_entries(room.name, entries, log, room.clock.timing)
        assert again.game is not None
        assert again.game.rulings == 2
        await hall.close()
        await log.close()

    asyncio.run(main())
