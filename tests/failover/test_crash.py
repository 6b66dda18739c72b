"""The server is killed again and again while games go on; no acknowledged move is lost, and every table goes on."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from argentum.rooms.access import derive_key
from argentum.rooms.clock import Timing
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.room import Room
from tests.support.server import ProtocolClient, Server, join_table

TABLES = 4
KILLS = 4
MOVES_BETWEEN_CRASHES = (20, 90)  # acknowledged moves from one kill to the next


@dataclass
class FailurePlayer:
    """Somebody at a seat who plays at random, comes back after every crash, and notes what was sent and answered."""

    table: str
    seat: str
    key: str
    random: Random
    sent_moves: dict[int, list[str]] = field(default_factory=dict)  # by choice: the moves that were tried
    acknowledged: dict[int, str] = field(default_factory=dict)  # by choice: the move that was acknowledged
    stale_moves: dict[int, str] = field(default_factory=dict)  # by choice: a move sent again that had been made already
    unanswered: tuple[int, str] | None = None  # what was sent and not answered
    final_state: dict[str, object] = field(default_factory=dict)

    async def play(self, world: "FailureRun") -> None:
        """Play to the end, through all crashes."""
        while not self.final_state:
            try:
                async with join_table(world.server, self.table, self.key, world.socket_path(self.table)) as client:
                    world.on_connected(self)
                    await self._play_connected(client, world)
            except (ConnectionClosed, InvalidHandshake, OSError):
                world.broken_connections += 1
                world.on_disconnected(self)
                await asyncio.sleep(world.reconnect_delay(self))

    async def _play_connected(self, client: ProtocolClient, world: "FailureRun") -> None:
        assert client.state["seat"] == self.seat, "the key still opens the seat"
        if self.unanswered is not None and self.random.random() < 0.5:
            await self._send(client, *self.unanswered)  # was it made? Sent again, it is made now or found stale
        else:
            self.unanswered = None
        while client.state["stage"] != "over":
            choice = client.state.get("choice")
            if choice is not None and self.unanswered is None and choice not in self.acknowledged:
                await asyncio.sleep(0.0 if world.is_over else world.move_delay)
                await self._send(client, choice, self._choose_move(client.state["view"]["legal"], world))
            message = await client.receive()
            if message.get("code") in ("too fast", "not saved") and self.unanswered is not None:
                if message["code"] == "not saved":
                    world.on_disconnected(self)
                await asyncio.sleep(0.1)
                await self._send(client, *self.unanswered)
            else:
                self._record_answer(message, world)
        self.final_state = client.state

    def _choose_move(self, legal: list[str], world: "FailureRun") -> str:
        if world.has_long_games and not world.is_over:  # neither a call nor an empty deck ends a round
            last = ("call", "draw") if self.random.random() < 0.9 else ("call",)
            legal = [move for move in legal if move.split()[0] not in last] or legal
        quick = [move for move in ("call", "draw", "discard", "stop", "end") if move in legal]
        if quick and (world.is_over or self.random.random() < 0.3):
            return quick[0]  # at random alone, games are very long
        if legal[0].startswith("peek"):
            return " ".join(["peek", *[move.split()[1] for move in self.random.sample(legal, 2)]])
        return self.random.choice(legal)

    async def _send(self, client: ProtocolClient, choice: int, move: str) -> None:
        self.unanswered = (choice, move)
        self.sent_moves.setdefault(choice, []).append(move)
        await client.send(type="move", choice=choice, move=move, id=f"{self.seat}{choice}")

    def _record_answer(self, message: dict[str, object], world: "FailureRun") -> None:
        if message["type"] == "update" or message.get("code") == "storage":
            return
        assert self.unanswered is not None
        choice, move = self.unanswered
        if message["type"] == "done":
            assert message["id"] == f"{self.seat}{choice}"
            assert choice not in self.acknowledged
            self.acknowledged[choice] = move
            world.on_connected(self)
            world.on_acknowledged()
        else:
            assert message["code"] == "stale", message
            assert len(self.sent_moves[choice]) > 1, "only what is sent again is stale"
            self.stale_moves[choice] = move
        self.unanswered = None


class FailureRun:
    """A server that crashes after so many acknowledged moves, and is started again."""

    has_long_games = False  # games last until all trouble is over
    move_delay = 0.0  # seconds before a move, until then

    def __init__(self, server: Server, random: Random) -> None:
        self.server = server
        self.random = random
        self.kills = 0
        self.broken_connections = 0  # connections
        self.moves_until_crash = random.randint(*MOVES_BETWEEN_CRASHES)

    @property
    def is_over(self) -> bool:
        """Whether all trouble is over, and games may end."""
        return self.kills == KILLS

    def socket_path(self, table: str) -> str:
        return "/socket"

    def on_connected(self, player: FailurePlayer) -> None:
        """A player sits, or a move of theirs was saved."""

    def on_disconnected(self, player: FailurePlayer) -> None:
        """A player's connection is broken, or a move could not be saved."""

    def reconnect_delay(self, player: FailurePlayer) -> float:
        """How many seconds until a player connects again."""
        return 0.1

    def on_acknowledged(self) -> None:
        self.moves_until_crash -= 1
        if self.moves_until_crash == 0 and self.kills < KILLS:
            self.kills += 1
            self.moves_until_crash = self.random.randint(*MOVES_BETWEEN_CRASHES)
            self.server.kill()
            self.server.start()
            assert self.server.request("/health").status == 200


async def start_random_game(server: Server, random: Random) -> list[FailurePlayer]:
    """A table for two or three, with a bot at some, where a game has begun."""
    table, host = server.new_table("/tables")
    seats = random.choice(["AB", "ABC", "ABc"])  # a small letter is a bot
    keys = {"A": host, "B": derive_key(host, "B"), "C": derive_key(host, "C")}
    async with join_table(server, table, host) as client:
        await client.send(type="arrange", seats=len(seats), boxes="random")
        if "c" in seats:
            await client.send(type="arrange", seat="C", bot="novice")
        for seat in seats[1:]:
            if seat.isupper():
                async with join_table(server, table, keys[seat]):
                    pass
        await client.send(type="start")
        while client.state["stage"] != "playing":
            await client.receive()
    return [FailurePlayer(table, seat, keys[seat], Random(random.random())) for seat in seats if seat.isupper()]


def move_text(entry: Entry) -> str:
    """A move as it is sent: `peek A1 A4`, not card by card."""
    first, *rest = entry.body["steps"]
    return " ".join([first, *[step.removeprefix("and ") for step in rest if step != "done"]])


def logged_moves(entries: list[Entry], seat: str) -> Iterator[tuple[int, str]]:
    """The moves of a seat in the log."""
    for entry in entries:
        if entry.kind == "move" and entry.body["seat"] == seat:
            assert "bot" not in entry.body, "nobody was away for so long that a bot should fill in"
            yield entry.seq, move_text(entry)


@dataclass
class LogComparison:
    """How many moves the log should have, and what is wrong with them."""

    acknowledged: int = 0
    lost: int = 0  # acknowledged, and not in the log
    doubled: int = 0  # choices that were answered more than once
    differences: list[str] = field(default_factory=list)  # what else differs

    def count(self, player: FailurePlayer, entries: list[Entry], died: bool) -> None:
        """Compare what a player sent and was told with the log.

        What was acknowledged is there once and in order, what was not is there once or not at all, and that is all. If
        the server died with each line, whoever comes back and is still asked can be sure that nothing was made: what is
        stale then was made itself. If only a line broke, the move may just be being written while its sender tries
        another.
        """
        made = list(logged_moves(entries, player.seat))
        self.acknowledged += len(player.acknowledged)
        # A choice has the number of the next entry when it is asked: the seat's next entry is its answer.
        tried = sorted(player.sent_moves)
        for choice, after in zip(tried, [*tried[1:], entries[-1].seq + 1], strict=True):
            its = [move for seq, move in made if choice <= seq < after]
            done = player.acknowledged.get(choice)
            self.lost += done is not None and done not in its
            self.doubled += len(its) > 1
            expected = done or player.stale_moves.get(choice) if died else done
            if len(its) != 1 or its[0] not in player.sent_moves[choice] or its[0] != (expected or its[0]):
                self.differences.append(f"{player.seat}'s choice {choice} of {player.table} was answered by {its}")
        if len(made) != len(tried):
            self.differences.append(
                f"the log has {len(made)} answers of {player.seat} of {player.table}, not {len(tried)}"
            )

    @property
    def is_correct(self) -> bool:
        """Whether the log has what it should have."""
        return not (self.lost or self.doubled or self.differences)


@pytest.mark.long
def test_no_crash_loses_a_move(database_url: str, tmp_path: Path) -> None:
    async def play() -> list[FailurePlayer]:
        players = [player for _ in range(TABLES) for player in await start_random_game(server, random)]
        await asyncio.wait_for(asyncio.gather(*[player.play(world) for player in players]), 600)
        return players

    random = Random(1)
    with (tmp_path / "stderr").open("wb") as stderr:
        server = Server(database_url, stderr=stderr)
        world = FailureRun(server, random)
        server.start()
        try:
            players = asyncio.run(play())
            assert (tmp_path / "stderr").read_text() == "", "the server has nothing to complain of"
        finally:
            server.stop()
    assert world.kills == KILLS
    assert world.broken_connections >= KILLS * 2
    tally = compare_with_log(database_url, players)
    assert tally.is_correct, tally


def compare_with_log(database_url: str, players: list[FailurePlayer], died: bool = True) -> LogComparison:
    """Compare what players were told with what the log has."""
    tally = LogComparison()

    async def read() -> None:
        log = SqlJournal.open(database_url)
        for player in players:
            entries = log.entries(player.table)
            # An arrangement has taken the place of those before it; nothing else may be missing.
            assert all([entry.kind == "arrange" or entry.seq == last.seq + 1 for last, entry in pairwise(entries)])
            assert len([entry for entry in entries if entry.kind == "start"]) == 1
            tally.count(player, entries, died)
            room = Room.from_entries(player.table, entries, log, Timing())
            assert room.game is not None
            assert room.stage == "over"
            assert (player.final_state["winner"], player.final_state["scores"]) == (room.game.winner, room.game.scores)
        await log.close()

    asyncio.run(read())
    return tally


def test_the_tally_finds_moves_that_are_lost_doubled_or_changed() -> None:
    def told(*moves: str) -> list[Entry]:
        return [Entry(seq, "move", {"seat": "A", "steps": [move]}, 0.0) for seq, move in enumerate(moves)]

    player = FailurePlayer("quiet-owl", "A", "", Random(1), {0: ["draw"], 1: ["stop"]}, {0: "draw", 1: "stop"})
    cases = [(told("draw", "stop"), 0, 0), (told("draw"), 1, 0), (told("draw", "stop", "stop"), 0, 1)]
    cases.append((told("call", "stop"), 1, 0))  # another move than was acknowledged
    for entries, lost, doubled in cases:
        tally = LogComparison()
        tally.count(player, entries, died=False)
        assert (tally.lost, tally.doubled, tally.is_correct) == (lost, doubled, lost + doubled == 0)
