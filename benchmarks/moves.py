"""What a move costs the server, reader by reader, and what it sends: in one process, without a network or a database.

Four people's seats are played at random. After each move every reader is told: first four browsers, then four programs.
Run it with `PYTHONPATH=build/fast` for the compiled build.
"""

import argparse
import asyncio
import cProfile
import json
import pstats
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.tableside.arrangement import Arrangement, Place
from argentum.web.clock import Pace
from argentum.web.listeners import Browser, Listener, Program
from argentum.web.log import Log
from argentum.web.painter import Painter
from argentum.web.room import Room

DECKS = ("dagger", "bullet", "coin", "amulet")
CALL = 0.05  # how often a call is made when it could be, so that rounds last as long as those of people


class Nothing(Log):
    """A log that keeps nothing: what the database costs is measured by load.py."""

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:  # noqa: ARG002  (as its parent)
        """Take the work of writing it as text, which is ours."""
        json.dumps(body, allow_nan=False, separators=(",", ":"))


@dataclass
class Figures:
    """What was measured of one kind of reader."""

    moves: int = 0
    rounds: int = 0
    moving: float = 0.0  # seconds of processor time for the moves
    telling: float = 0.0  # and for what the readers are sent
    octets: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(*[getattr(self, one) + getattr(other, one) for one in self.__dataclass_fields__])

    def report(self, kind: str, readers: int) -> dict[str, Any]:
        """The figures for people."""
        return {
            "readers": kind,
            "moves": self.moves,
            "rounds": self.rounds,
            "cpu_ms_a_move": round((self.moving + self.telling) / self.moves * 1000, 3),
            "of_it_the_move_ms": round(self.moving / self.moves * 1000, 3),
            "of_it_the_telling_ms": round(self.telling / self.moves * 1000, 3),
            "kb_a_round_and_reader": round(self.octets / self.rounds / readers / 1000, 1),
            "bytes_an_update": round(self.octets / self.moves / readers),
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

    def __init__(self, role: str, reader: Listener) -> None:
        self.role = role
        self.reader = reader

    def told(self, room: Room) -> int:
        """The bytes that are sent now."""
        return sum([len(text.encode()) for text in self.reader.news(room, self.role, "")])


async def game_of(log: Log, deck: str, seed: int, kind: str, figures: Figures) -> None:
    """Play one game."""
    random = Random(seed)
    places = tuple([Place(name, claimed=True) for name in ("Ann", "Bo", "Cy", "Dee")])
    room = Room("quiet-owl", log, {}, Arrangement(places), Pace())
    room.play.begin(Game.new(deck, 4, seed, names=[place.name for place in places]), False)
    players = [Player(role, Browser(PAINTER, room) if kind == "browsers" else Program()) for role in SEATS]
    for player in players:
        player.told(room)
    while room.sitting is not None and not room.sitting.game.over:
        sitting = room.sitting
        seat = random.choice([one for one in SEATS if sitting.choice(one) is not None])
        text, choice, rounds = _text(sitting.game, seat, random), sitting.choice(seat), sitting.game.rounds_over
        began = time.process_time()
        await room.play.commit(sitting.answer(seat, choice, text))
        moved = time.process_time()
        figures.octets += sum([player.told(room) for player in players])
        if sitting.game.rounds_over > rounds and kind == "browsers":
            room.play.rounds_seen = [sitting.game.rounds_over] * 4
            figures.octets += sum([player.told(room) for player in players])
        figures.telling += time.process_time() - moved
        figures.moving += moved - began
        figures.rounds += sitting.game.rounds_over - rounds
        figures.moves += 1


async def measure(log: Log, kind: str, games: int, repeat: int) -> dict[str, Any]:
    """Play so many games with readers of one kind, after one that is not measured.

    Each is played several times, and the quickest counts: a busy machine makes the others slow.
    """
    await game_of(log, "dagger", 0, kind, Figures())
    total = Figures()
    for nth in range(games):
        tries = [Figures() for _ in range(repeat)]
        for figures in tries:
            await game_of(log, DECKS[nth % len(DECKS)], nth + 1, kind, figures)
        total += min(tries, key=lambda figures: figures.moving + figures.telling)
    return total.report(kind, len(SEATS))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=3, help="how often each is played; the quickest counts")
    parser.add_argument("--profile", choices=("browsers", "programs"), help="say where the time goes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Nothing.open(str(Path(folder) / "none.db"))
        for kind in ("browsers", "programs"):
            profile = cProfile.Profile()
            if options.profile == kind:
                profile.enable()
            report = asyncio.run(measure(log, kind, options.games, options.repeat))
            profile.disable()
            print(json.dumps(report))
            if options.profile == kind:
                pstats.Stats(profile).sort_stats("cumtime").print_stats(60)
        asyncio.run(log.close())


PAINTER = Painter()
if __name__ == "__main__":
    main()
