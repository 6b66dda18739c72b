"""Measure the server's CPU time and sent bytes per move, without a network or a database.

Four seats play random moves, and after each move every reader gets its update: in one measurement four browsers, in
another four programs. Each game is repeated with the same moves, and the fastest time of each move counts, because
other load on the machine only adds time. For the compiled build, run `make compiled` and then:

    PYTHONPATH=build/compiled python benchmarks/server_move_cost.py

It takes about a minute; with `--moves 60`, which measures only the first moves of each game, a third of that.
"""

import argparse
import asyncio
import cProfile
import json
import pstats
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from argentum.records.fairness import DealCommitment
from argentum.rooms.arrangement import Arrangement, SeatConfig
from argentum.rooms.clock import Timing
from argentum.rooms.entries import RoomState, TableCreated
from argentum.rooms.json_reader import JsonReader, Reader
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import HtmlReader

DECKS = ("dagger", "bullet", "coin", "amulet")
CALL_PROBABILITY = 0.05  # makes rounds about as long as between people


class NullJournal(SqlJournal):
    """A journal that stores nothing, because load.py measures the cost of the database."""

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:  # noqa: ARG002  (the signature of its base class)
        # Serializing an entry is part of the measured cost.
        json.dumps(body, allow_nan=False, separators=(",", ":"))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        await self.append(table, seq, kind, body)


class MoveCost(NamedTuple):
    """CPU time in seconds and sent bytes of one move."""

    move_time: float
    update_time: float  # for the updates of the readers
    sent_bytes: int
    rounds: int  # 1 if the move ended a round

    @property
    def time(self) -> float:
        return self.move_time + self.update_time


def cost_report(kind: str, costs: list[MoveCost]) -> dict[str, Any]:
    moves, rounds = len(costs), sum([cost.rounds for cost in costs])
    bytes_per_reader = sum([cost.sent_bytes for cost in costs]) / len(SEAT_LETTERS)
    return {
        "readers": kind,
        "moves": moves,
        "rounds": rounds,
        "cpu_ms_per_move": round(sum([cost.time for cost in costs]) / moves * 1000, 3),
        "move_ms": round(sum([cost.move_time for cost in costs]) / moves * 1000, 3),
        "update_ms": round(sum([cost.update_time for cost in costs]) / moves * 1000, 3),
        "kb_per_round_and_reader": round(bytes_per_reader / rounds / 1000, 1) if rounds else None,
        "bytes_per_update": round(bytes_per_reader / moves),
    }


def random_move_text(game: Game, seat: str, random: Random) -> str:
    """Return a random legal move as a client sends it."""
    legal = [str(move) for move in game.legal(seat)]
    if legal[0].startswith("peek "):
        return "peek " + " ".join([move.split()[1] for move in random.sample(legal, 2)])
    other_moves = [move for move in legal if move != "call"]
    return (
        "call"
        if "call" in legal and (not other_moves or random.random() < CALL_PROBABILITY)
        else random.choice(other_moves)
    )


class SimulatedPlayer:
    def __init__(self, role: str, reader: Reader) -> None:
        self.role = role
        self.update_reader = reader

    def create_updates(self, room: Room) -> int:
        """Create the updates that are due; return their number of bytes."""
        return sum([len(text.encode()) for text in self.update_reader.updates(room, self.role, "")])


async def play_game(journal: SqlJournal, deck: str, seed: int, kind: str, max_moves: int) -> list[MoveCost]:
    """Play one game, or its first moves; return the cost of each move."""
    random = Random(seed)
    seats = tuple([SeatConfig(name, claimed=True) for name in ("Ann", "Bo", "Cy", "Dee")])
    state = RoomState(TableCreated(Arrangement(seats), {}))
    commitment = DealCommitment(bytes(32))  # shown in the footer of the page
    state.start_game(Game.new(deck, 4, seed, names=[seat.name for seat in seats]), commitment)
    room = Room("quiet-owl", journal, state, Timing())
    players = [
        SimulatedPlayer(role, HtmlReader(RENDERER, room) if kind == "browsers" else JsonReader())
        for role in SEAT_LETTERS
    ]
    for player in players:
        player.create_updates(room)
    costs: list[MoveCost] = []
    while room.playing and len(costs) < max_moves:
        session = state.last_session
        assert session is not None
        seat = random.choice([letter for letter in SEAT_LETTERS if session.choice_number(letter) is not None])
        text, choice, rounds = (
            random_move_text(session.game, seat, random),
            session.choice_number(seat),
            session.game.rounds_finished,
        )
        started = time.process_time()
        await room.play_move(seat, choice, text)
        moved = time.process_time()
        sent_bytes = sum([player.create_updates(room) for player in players])
        if session.game.rounds_finished > rounds and kind == "browsers":
            for letter in SEAT_LETTERS:
                room.mark_round_seen(letter, session.game.rounds_finished)
            sent_bytes += sum([player.create_updates(room) for player in players])
        updated = time.process_time()
        costs.append(MoveCost(moved - started, updated - moved, sent_bytes, session.game.rounds_finished - rounds))
    return costs


async def measure(journal: SqlJournal, kind: str, options: argparse.Namespace) -> dict[str, Any]:
    """Measure games with one kind of readers, after a first game to warm up; return the report."""
    await play_game(journal, "dagger", 0, kind, options.moves)
    costs: list[MoveCost] = []
    for index in range(options.games):
        deck, seed = DECKS[index % len(DECKS)], index + 1
        times = [await play_game(journal, deck, seed, kind, options.moves) for _ in range(options.repeat)]
        costs += [min(repeats, key=lambda cost: cost.time) for repeats in zip(*times, strict=True)]
    return cost_report(kind, costs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of each game, of which the fastest time of each move counts"
    )
    parser.add_argument("--moves", type=int, default=1_000_000, help="moves of each game [default: all]")
    parser.add_argument("--profile", choices=("browsers", "programs"), help="profile one kind of reader")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        journal = NullJournal.open(str(Path(folder) / "none.db"))
        for kind in ("browsers", "programs"):
            profile = cProfile.Profile()
            if options.profile == kind:
                profile.enable()
            report = asyncio.run(measure(journal, kind, options))
            profile.disable()
            print(json.dumps(report))
            if options.profile == kind:
                pstats.Stats(profile).sort_stats("cumtime").print_stats(60)
        asyncio.run(journal.close())


RENDERER = PageRenderer()
if __name__ == "__main__":
    main()
