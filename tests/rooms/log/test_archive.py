import asyncio
import json

from click.testing import CliRunner, Result

from argentum.cli import main
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.clock import Timing
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from tests.support.databases import logged_tables


def test_a_players_data_is_exported_and_deleted(database_url: str) -> None:
    def run_admin(*args: str) -> Result:
        return CliRunner().invoke(main, ["admin", args[0], "--database", database_url, *args[1:]])

    async def play() -> list[str]:
        registry = RoomRegistry(SqlJournal.open(database_url))
        rooms = [(await registry.create(new_arrangement(name)))[0] for name in ("Ann", "Ann", "Bo")]
        for room in rooms:
            await room.claim_seat("key", "Cy")
            await lobby.start(room)
        await registry.close()
        await registry.log.close()
        return [room.name for room in rooms]

    async def player_names(table: str) -> list[str]:
        log = SqlJournal.open(database_url)
        room = Room.from_entries(table, log.entries(table), log, Timing())
        await log.close()
        assert room.game is not None
        assert room.game.names == [seat.name for seat in room.arrangement.seats]
        return list(room.game.names)

    first, second, third = asyncio.run(play())
    lines = [json.loads(line) for line in run_admin("export", "ann").output.splitlines()]
    assert {line["table"] for line in lines} == {first, second}
    assert {"digests", "secret", "seed"} & {key for line in lines for key in line["body"]} == set()
    assert run_admin("export", "--table", second, "ann").output.count(second) == len(lines) / 2
    assert run_admin("export", "Zoe").output == ""
    unknown = run_admin("export", "--table", "no-such-table", "ann")
    assert (unknown.exit_code, unknown.output) == (2, "Error: There is no table no-such-table.\n")
    assert run_admin("delete", "--yes", "Zoe").exit_code == 2
    assert run_admin("delete", "--yes", "--table", first, "ANN").output == "Deleted the name at 1 table.\n"
    assert run_admin("export", "--table", first, "Ann").output == ""
    assert asyncio.run(player_names(first)) == ["Ash", "Cy"]  # The game can be restored.
    assert asyncio.run(player_names(second)) == ["Ann", "Cy"]
    assert run_admin("delete", "--yes", "--games", "Ann").output == "Deleted 1 table.\n"
    assert sorted(logged_tables(database_url)) == sorted([first, third])
