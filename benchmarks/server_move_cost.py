"""What a move costs the server, reader by reader, and what it sends: in one process, without a network or a database.

Four people's seats are played at random. After each move every reader is told: first four browsers, then four programs.
Each game is played several times with the same moves, and of each move the quickest time counts: what other programs on
the machine do makes some of them slow, and none of them quick. For the compiled build, `make compiled` and then

    PYTHONPATH=build/compiled python benchmarks/server_move_cost.py

which takes about a minute. `--moves 60` measures only how games begin, in a third of that.
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
from argentum.rooms.json_reader import JsonReader, Reader
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.room import Room
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import HtmlReader

DECKS = ("dagger", "bullet", "coin", "amulet")
CALL = 0.05  # how often a call is made when it could be, so that rounds last as long as those of people


class Nothing(SqlJournal):
    """A log that keeps nothing: what the database costs is measured by load.py."""

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:  # noqa: ARG002  (as its parent)
        """Take the work of writing it as text, which is ours."""
        json.dumps(body, allow_nan=False, separators=(",", ":"))

    async def replace(self, table: str, seq: int, kind: str, body: Any) -> None:
        """Take the work of an append."""
        await self.append(table, seq, kind, body)


class Cost(NamedTuple):
    """What one move cost."""

    moving: float  # seconds of processor time for the move itself
    telling: float  # and for what the readers are sent
    octets: int
    rounds: int  # that ended with it

    @property
    def time(self) -> float:
        """All its processor time."""
        return self.moving + self.telling


def report_of(kind: str, costs: list[Cost]) -> dict[str, Any]:
    """The figures for people."""
    moves, rounds = len(costs), sum([cost.rounds for cost in costs])
    octets = sum([cost.octets for cost in costs]) / len(SEAT_LETTERS)
    return {
        "readers": kind,
        "moves": moves,
        "rounds": rounds,
        "cpu_ms_a_move": round(sum([cost.time for cost in costs]) / moves * 1000, 3),
        "of_it_the_move_ms": round(sum([cost.moving for cost in costs]) / moves * 1000, 3),
        "of_it_the_telling_ms": round(sum([cost.telling for cost in costs]) / moves * 1000, 3),
        "kb_a_round_and_reader": round(octets / rounds / 1000, 1) if rounds else None,
        "bytes_an_update": round(octets / moves),
    }


def _text(game: Game, seat: str, random: Random) -> str:
    """A legal move at random, as a client sends it."""
    legal = [str(move) for move in game.legal(seat)]
    if legal[0].startswith("peek "):
        return "peek " + " ".join([move.split()[1] for move in random.sample(legal, 2)])
    rest = [move for move in legal if move != "call"]
    return "call" if "call" in legal and (not rest or random.random() < CALL) else random.choice(rest)


class Player:
    """Whoever is told in a role, and says that a round's end was seen."""

    def __init__(self, role: str, reader: Reader) -> None:
        self.role = role
        self.update_reader = reader

    def told(self, room: Room) -> int:
        """The bytes that are sent now."""
        return sum([len(text.encode()) for text in self.update_reader.updates(room, self.role, "")])


async def game_of(log: SqlJournal, deck: str, seed: int, kind: str, most: int) -> list[Cost]:
    """Play one game, or so many moves of it; what each cost."""
    random = Random(seed)
    places = tuple([SeatConfig(name, claimed=True) for name in ("Ann", "Bo", "Cy", "Dee")])
    room = Room("quiet-owl", log, {}, Arrangement(places), Timing())
    room.play.opening = DealCommitment(bytes(32))  # which the page's foot tells of
    room.play._begin_game(Game.new(deck, 4, seed, names=[place.name for place in places]), False)
    players = [Player(role, HtmlReader(PAINTER, room) if kind == "browsers" else JsonReader()) for role in SEAT_LETTERS]
    for player in players:
        player.told(room)
    costs: list[Cost] = []
    while room.session is not None and not room.session.game.over and len(costs) < most:
        sitting = room.session
        seat = random.choice([one for one in SEAT_LETTERS if sitting.choice_number(one) is not None])
        text, choice, rounds = (
            _text(sitting.game, seat, random),
            sitting.choice_number(seat),
            sitting.game.rounds_finished,
        )
        began = time.process_time()
        await room.play._commit_move(sitting.try_move(seat, choice, text))
        moved = time.process_time()
        octets = sum([player.told(room) for player in players])
        if sitting.game.rounds_finished > rounds and kind == "browsers":
            room.play.rounds_seen = [sitting.game.rounds_finished] * 4
            octets += sum([player.told(room) for player in players])
        told = time.process_time()
        costs.append(Cost(moved - began, told - moved, octets, sitting.game.rounds_finished - rounds))
    return costs


async def measure(log: SqlJournal, kind: str, options: argparse.Namespace) -> dict[str, Any]:
    """Play games with readers of one kind, after one that is not measured."""
    await game_of(log, "dagger", 0, kind, options.moves)
    costs: list[Cost] = []
    for nth in range(options.games):
        deck, seed = DECKS[nth % len(DECKS)], nth + 1
        times = [await game_of(log, deck, seed, kind, options.moves) for _ in range(options.repeat)]
        costs += [min(same, key=lambda cost: cost.time) for same in zip(*times, strict=True)]
    return report_of(kind, costs)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=3, help="how often each is played: the quickest counts")
    parser.add_argument("--moves", type=int, default=1_000_000, help="how many of each game; all unless given")
    parser.add_argument("--profile", choices=("browsers", "programs"), help="say where the time goes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Nothing.open(str(Path(folder) / "none.db"))
        for kind in ("browsers", "programs"):
            profile = cProfile.Profile()
            if options.profile == kind:
                profile.enable()
            report = asyncio.run(measure(log, kind, options))
            profile.disable()
            print(json.dumps(report))
            if options.profile == kind:
                pstats.Stats(profile).sort_stats("cumtime").print_stats(60)
        asyncio.run(log.close())


PAINTER = PageRenderer()
if __name__ == "__main__":
    main()
