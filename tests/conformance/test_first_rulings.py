"""Saved games without a version of the rulings continue with the first version.

The files were written by commit 4013f87. Their games use both rulings that version 2 changed: with an empty deck, a
card is drawn from a private deck without a choice (D10); a Con Artist can be used where no turn can follow (C1).
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
SAVED_GAME = GAMES / "saved_game.silver"
DATABASE = GAMES / "database.sql"
LAST_WINDOW = ["ability B5", "end"]  # of the saved game: the deck is empty, and B has no private deck
# Written by 4013f87: the deck is empty, so B drew from its private deck without a choice, and uses that card.
IN_MID_TURN = (
    "boxes dcdddddddddddd; token dagger A idle; round 1 of 4; turn B; A 4:A 5:A 1:A 4:all 7:A; B 2:AB 4:all 4:all 9:B"
    " 1:all; private B 8:B; deck; discard 13+ 7 12 9 0 12 3 12 3 10 12 1 2 9 5 3 13 7 8 6 10 10 6 0 11 2 8 6 5 2 3;"
    " turns 32: 32 31; moves use"
)


def load_saved_game() -> Game:
    """Return the saved game, before the choice in its last window."""
    return records.read(SAVED_GAME.read_text(encoding="utf-8"))


def legal_texts(game: Game) -> list[str]:
    return [str(move) for move in game.legal()]


def test_a_new_game_and_its_record_use_the_second_rulings() -> None:
    game = Game.new(seed=1)
    assert game.rulings == 2
    record = records.write(game)
    assert record.splitlines()[:4] == ["Argentum record 1", "boxes: dddddddddddddd", "token: dagger", "rulings: 2"]
    assert records.read(record).rulings == 2
    assert records.write(records.read(record)) == record


def test_a_record_without_a_version_uses_the_first_rulings() -> None:
    game = records.read(RECORD)
    assert game.over
    assert game.rulings == 1
    assert records.write(game) == RECORD


def test_a_record_with_moves_that_are_illegal_under_its_rulings_is_refused() -> None:
    with pytest.raises(RecordError, match=r"^line 45: .* seat A may play: draw private, take"):
        records.read(RECORD.replace("token: dagger\n", "token: dagger\nrulings: 2\n"))


@pytest.mark.parametrize("version", ["0", "3", "two", ""])
def test_an_unknown_version_of_the_rulings_is_refused(version: str) -> None:
    with pytest.raises(
        RecordError, match=f"^line 4: rulings: this Argentum knows the versions 1, 2, and not '{version}'"
    ):
        records.read(RECORD.replace("token: dagger\n", f"token: dagger\nrulings: {version}\n"))
    with pytest.raises(ValueError, match="rulings 3: this Argentum knows versions 1 to 2"):
        Game.new(rulings=3)


def test_a_saved_terminal_game_continues_with_the_first_rulings() -> None:
    text = SAVED_GAME.read_text(encoding="utf-8")
    saved = SavedGame.read(SAVED_GAME, text)
    assert saved.game.rulings == 1
    assert legal_texts(saved.game) == LAST_WINDOW
    assert record_text(saved.game, saved.arrangement, saved.seed) == text
    saved.game.play("ability B5")
    assert saved.game.round == 2
    assert saved.game.rulings == 1, "later rounds keep the version"


def test_copies_keep_the_rulings() -> None:
    game = load_saved_game()
    copies = [game.copy(), pickle.loads(pickle.dumps(game)), game.redeal("A", Random(1)), Game.resume(game.text())]
    assert [(copied.rulings, legal_texts(copied)) for copied in copies] == [(1, LAST_WINDOW)] * 4
    engine = game.position().engine()
    assert [engine.is_option(parse_move(move)) for move in LAST_WINDOW] == [True, True]
    game.take_back(2)
    assert game.rulings == 1


def test_a_position_text_states_only_the_first_rulings() -> None:
    game = load_saved_game()
    assert "; round 1 of 4; rulings 1; turn B; " in game.text()
    assert "rulings" not in Game.new(seed=1).text()
    assert legal_texts(Game.resume(game.text())) == LAST_WINDOW
    with pytest.raises(PositionError, match=r"^rulings: 3 is not a version from 1 to 2"):
        Game.resume(game.text().replace("rulings 1", "rulings 3"))


def test_an_old_position_in_mid_turn_uses_the_rulings_that_its_moves_require() -> None:
    game = Game.resume(IN_MID_TURN)
    assert game.rulings == 1
    assert legal_texts(game) == ["A1", "A2", "A3", "A4", "A5"]
    before, _, _ = IN_MID_TURN.partition("; moves")
    assert legal_texts(Game.resume(before)) == ["draw private", "take"]
    with pytest.raises(PositionError, match="moves: 'use' cannot be made there"):
        Game.resume(f"{IN_MID_TURN}; rulings 2")


def test_a_game_forked_from_a_record_keeps_its_rulings() -> None:
    game = records.read(RECORD)
    for index in range(0, len(written_moves(game)), 20):
        assert fork_game(game, index, "A", seed=index).rulings == 1


def test_a_table_of_an_old_database_continues_with_the_first_rulings(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    connection = sqlite3.connect(file)
    connection.executescript(DATABASE.read_text(encoding="utf-8"))
    connection.close()

    async def main() -> None:
        log = SqlJournal.open(str(file))
        registry = RoomRegistry(log)
        room = await registry.find("pale-lantern-809475")
        assert room is not None
        assert room.game is not None
        assert room.game.rulings == 1
        assert legal_texts(room.game) == ["ability A2", "end"]
        assert room.opening is not None
        fairness.verify(records.write(room.game) + room.opening.record_comments(), room.game)
        await room.play_move("A", room.choice_number("A"), "ability A2")
        reloaded = Room.from_entries(room.name, log.entries(room.name), log, room.timing)
        assert reloaded.game is not None
        assert reloaded.game.text() == room.game.text()
        assert reloaded.game.round == 2
        await registry.close()
        await log.close()

    asyncio.run(main())


def test_a_new_game_in_a_database_uses_the_second_rulings(tmp_path: Path) -> None:
    async def main() -> None:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        registry = RoomRegistry(log)
        room, _ = await registry.create(new_arrangement("Ann", "dagger", 1, bot="steady"))
        await lobby.start(room)
        entries = log.entries(room.name)
        assert entries[1].body["rulings"] == 2
        reloaded = Room.from_entries(room.name, entries, log, room.timing)
        assert reloaded.game is not None
        assert reloaded.game.rulings == 2
        await registry.close()
        await log.close()

    asyncio.run(main())
