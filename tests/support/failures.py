"""Players whose server fails during their games, and a comparison of the log with the answers they received."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from argentum.rooms.access import derive_key
from argentum.rooms.clock import Timing
from argentum.rooms.log.journal import Entry
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.room import Room
from tests.support.server import ProtocolClient, Server, join_table


@dataclass
class FailurePlayer:
    """A player who moves at random, reconnects after failures, and records moves and answers."""

    table: str
    seat: str
    key: str
    random: Random
    sent_moves: dict[int, list[str]] = field(default_factory=dict)  # by choice: every move that was sent
    acknowledged: dict[int, str] = field(default_factory=dict)  # by choice: the move that was acknowledged
    stale_moves: dict[int, str] = field(default_factory=dict)  # by choice: a move that was sent again and was stale
    unanswered: tuple[int, str] | None = None  # the choice and the move that wait for an answer
    final_state: dict[str, object] = field(default_factory=dict)

    async def play(self, run: "FailureRun") -> None:
        """Play to the end of the game, through all failures."""
        while not self.final_state:
            try:
                async with join_table(run.server, self.table, self.key) as client:
                    run.on_connected(self)
                    await self._play_connected(client, run)
            except (ConnectionClosed, InvalidHandshake, OSError) as error:
                run.broken_connections += 1
                run.on_disconnected(self)
                await asyncio.sleep(run.reconnect_delay(self, was_open=isinstance(error, ConnectionClosed)))

    async def _play_connected(self, client: ProtocolClient, run: "FailureRun") -> None:
        assert client.state["seat"] == self.seat, "the key still opens the seat"
        if self.unanswered is not None and self.random.random() < 0.5:
            await self._send(client, *self.unanswered)  # Depending on whether it was made, it is now made or stale.
        else:
            self.unanswered = None
        while client.state["stage"] != "over":
            choice = client.state.get("choice")
            if choice is not None and self.unanswered is None and choice not in self.acknowledged:
                await asyncio.sleep(0.0 if run.is_over else run.move_delay)
                await self._send(client, choice, self._choose_move(client.state["view"]["legal"], run))
            message = await client.receive()
            if message.get("code") in ("too fast", "not saved") and self.unanswered is not None:
                if message["code"] == "not saved":
                    run.on_disconnected(self)
                await asyncio.sleep(0.1)
                await self._send(client, *self.unanswered)
            else:
                self._record_answer(message, run)
        self.final_state = client.state

    def _choose_move(self, legal: list[str], run: "FailureRun") -> str:
        if run.has_long_games and not run.is_over:  # Neither a call nor an empty deck ends a round.
            ending = ("call", "draw") if self.random.random() < 0.9 else ("call",)
            legal = [move for move in legal if move.split()[0] not in ending] or legal
        quick = [move for move in ("call", "draw", "discard", "stop", "end") if move in legal]
        if quick and (run.is_over or self.random.random() < 0.3):
            return quick[0]  # Games of random moves alone are very long.
        if legal[0].startswith("peek"):
            return " ".join(["peek", *[move.split()[1] for move in self.random.sample(legal, 2)]])
        return self.random.choice(legal)

    async def _send(self, client: ProtocolClient, choice: int, move: str) -> None:
        self.unanswered = (choice, move)
        self.sent_moves.setdefault(choice, []).append(move)
        await client.send(type="move", choice=choice, move=move, id=f"{self.seat}{choice}")

    def _record_answer(self, message: dict[str, object], run: "FailureRun") -> None:
        if message["type"] == "update" or message.get("code") == "storage":
            return
        assert self.unanswered is not None
        choice, move = self.unanswered
        if message["type"] == "done":
            assert message["id"] == f"{self.seat}{choice}"
            assert choice not in self.acknowledged
            self.acknowledged[choice] = move
            run.on_connected(self)
            run.on_acknowledged()
        else:
            assert message["code"] == "stale", message
            assert len(self.sent_moves[choice]) > 1, "only a repeated move can be stale"
            self.stale_moves[choice] = move
        self.unanswered = None


class FailureRun(ABC):
    """The server of some games, and the failures that are caused while they are played."""

    has_long_games = False  # whether games last until all failures are over
    move_delay = 0.0  # seconds before a move, until then

    def __init__(self, server: Server, random: Random) -> None:
        self.server = server
        self.random = random
        self.broken_connections = 0

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether all failures have happened, so that games may end."""

    def on_connected(self, player: FailurePlayer) -> None:  # noqa: B027  (a hook)
        """Called when a player has connected, or when a player's move was saved."""

    def on_disconnected(self, player: FailurePlayer) -> None:  # noqa: B027  (a hook)
        """Called when a player's connection broke, or when a player's move could not be saved."""

    def reconnect_delay(self, player: FailurePlayer, was_open: bool) -> float:
        """Return the seconds that a player waits before reconnecting; `was_open`: the last socket had been opened."""
        return 0.1

    @abstractmethod
    def on_acknowledged(self) -> None:
        """Called when a move was acknowledged."""


async def start_random_game(server: Server, random: Random) -> list[FailurePlayer]:
    """Start a game of two or three seats, of which one may be a bot's; return the players."""
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
    """Return a logged move in the notation in which clients send it, such as `peek A1 A4`."""
    first, *rest = entry.body["steps"]
    return " ".join([first, *[step.removeprefix("and ") for step in rest if step != "done"]])


def logged_moves(entries: list[Entry], seat: str) -> Iterator[tuple[int, str]]:
    """Yield the entry number and the text of each logged move of a seat."""
    for entry in entries:
        if entry.kind == "move" and entry.body["seat"] == seat:
            assert "bot" not in entry.body, "nobody was away for long enough that a bot fills in"
            yield entry.seq, move_text(entry)


@dataclass
class LogComparison:
    """Counts of the differences between the answers that players received and the moves in the log."""

    acknowledged: int = 0
    lost: int = 0  # acknowledged, but not in the log
    doubled: int = 0  # choices that were answered more than once
    differences: list[str] = field(default_factory=list)  # all others

    def add(self, player: FailurePlayer, entries: list[Entry], server_died: bool) -> None:
        """Compare what a player sent and received with the log.

        An acknowledged move must be in the log once and in order; any other move at most once. If connections broke
        only because the server died (`server_died`), a choice that is open after reconnecting has no move in the log,
        and a stale move must be the logged one. Otherwise the server may be saving a move while the player reconnects
        and sends another.
        """
        moves = list(logged_moves(entries, player.seat))
        self.acknowledged += len(player.acknowledged)
        # The number of a choice is that of the next entry when it opens, so the seat's next entry is its answer.
        choices = sorted(player.sent_moves)
        for choice, next_choice in zip(choices, [*choices[1:], entries[-1].seq + 1], strict=True):
            answers = [move for seq, move in moves if choice <= seq < next_choice]
            acknowledged = player.acknowledged.get(choice)
            self.lost += acknowledged is not None and acknowledged not in answers
            self.doubled += len(answers) > 1
            expected = acknowledged or player.stale_moves.get(choice) if server_died else acknowledged
            if (
                len(answers) != 1
                or answers[0] not in player.sent_moves[choice]
                or answers[0] != (expected or answers[0])
            ):
                self.differences.append(f"{player.seat}'s choice {choice} of {player.table} was answered by {answers}")
        if len(moves) != len(choices):
            self.differences.append(
                f"the log has {len(moves)} answers of {player.seat} of {player.table}, not {len(choices)}"
            )

    @property
    def is_correct(self) -> bool:
        return not (self.lost or self.doubled or self.differences)


def compare_with_log(database_url: str, players: list[FailurePlayer], server_died: bool = True) -> LogComparison:
    """Compare what players sent and received with the log, for games that are over."""
    comparison = LogComparison()

    async def read() -> None:
        log = SqlJournal.open(database_url)
        for player in players:
            entries = log.entries(player.table)
            # An arrangement replaces earlier ones; no other entry may be missing.
            assert all([entry.kind == "arrange" or entry.seq == last.seq + 1 for last, entry in pairwise(entries)])
            assert len([entry for entry in entries if entry.kind == "start"]) == 1
            comparison.add(player, entries, server_died)
            room = Room.from_entries(player.table, entries, log, Timing())
            assert room.game is not None
            assert room.stage == "over"
            assert (player.final_state["winner"], player.final_state["scores"]) == (room.game.winner, room.game.scores)
        await log.close()

    asyncio.run(read())
    return comparison
