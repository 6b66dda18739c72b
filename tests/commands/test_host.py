"""`argentum host`: create a table and print its links."""

import asyncio

from click.testing import CliRunner

from argentum.cli import main
from argentum.client import TableClient, TableLink
from tests.commands.invoke import error_message, run
from tests.support.server import Server, server, shared_server

__all__ = ["server", "shared_server"]


def test_the_links_of_the_new_table_open_its_seats(server: Server) -> None:
    options = ["--name", "Ann", "--boxes", "coin", "--seats", "3", "--bots", "steady", "--clock", "30"]
    lines = run("host", server.origin, *options).stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Your seat", "Invitation", "Seat B"]
    own, invitation, second = [TableLink.parse(line.split()[-1]) for line in lines]

    async def seats_of(link: TableLink) -> tuple[str, list[str], int]:
        async with TableClient(link) as table:
            assert table.update.arrangement["boxes"] == "c" * 14
            bots = [seat.bot for seat in table.update.seats]
            return table.update.seat, bots, table.update.arrangement["seconds"]

    assert asyncio.run(seats_of(own)) == ("A", ["", "", "steady"], 30)
    assert asyncio.run(seats_of(second))[0] == "B"
    assert asyncio.run(seats_of(invitation))[0] == ""


def test_the_address_of_the_server_can_come_from_the_environment(server: Server) -> None:
    result = CliRunner().invoke(main, ["host"], env={"ARGENTUM_PUBLIC_URL": server.origin})
    assert result.stdout.startswith(f"Your seat:  {server.origin}/table/")


def test_invalid_tables_are_refused_in_one_line(server: Server) -> None:
    assert "does not answer" in error_message("host", "http://127.0.0.1:9")
    assert "not the address of a server" in error_message("host", "silver.example")
    assert "stedy" in error_message("host", server.origin, "--bots", "stedy")
    assert "choose one of the two" in error_message("host", server.origin, "--clock", "30", "--away", "day")
    assert "more than 2 seats" in error_message("host", server.origin, "--seats", "2", "--bots", "novice,novice")


def test_the_table_is_created_before_a_missing_terminal_is_reported(server: Server) -> None:
    result = run("host", server.origin, "--join")
    assert (result.exit_code, result.stdout.count("\n")) == (2, 3)
    assert "The table needs a terminal" in result.stderr
