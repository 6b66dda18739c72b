"""No move is lost or played twice when the server is killed during games."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from argentum.rooms.log.journal import Entry
from tests.support.failures import FailurePlayer, FailureRun, LogComparison, compare_with_log, start_random_game
from tests.support.server import Server

TABLES = 4
KILLS = 4
MOVES_BETWEEN_CRASHES = (20, 90)  # acknowledged moves, at random in this range


class CrashRun(FailureRun):
    """A run that kills and restarts the server after random numbers of acknowledged moves."""

    def __init__(self, server: Server, random: Random) -> None:
        super().__init__(server, random)
        self.kills = 0
        self.moves_until_crash = random.randint(*MOVES_BETWEEN_CRASHES)

    @property
    def is_over(self) -> bool:
        return self.kills == KILLS

    def on_acknowledged(self) -> None:
        self.moves_until_crash -= 1
        if self.moves_until_crash == 0 and self.kills < KILLS:
            self.kills += 1
            self.moves_until_crash = self.random.randint(*MOVES_BETWEEN_CRASHES)
            self.server.kill()
            self.server.start()
            assert self.server.request("/health").status == 200


@pytest.mark.long
def test_no_crash_loses_a_move(database_url: str, tmp_path: Path) -> None:
    async def play() -> list[FailurePlayer]:
        players = [player for _ in range(TABLES) for player in await start_random_game(server, random)]
        await asyncio.wait_for(asyncio.gather(*[player.play(run) for player in players]), 600)
        return players

    random = Random(1)
    with (tmp_path / "stderr").open("wb") as stderr:
        server = Server(database_url, stderr=stderr)
        run = CrashRun(server, random)
        server.start()
        try:
            players = asyncio.run(play())
            assert (tmp_path / "stderr").read_text() == ""
        finally:
            server.stop()
    assert run.kills == KILLS
    assert run.broken_connections >= KILLS * 2
    comparison = compare_with_log(database_url, players)
    assert comparison.is_correct, comparison


def test_the_comparison_counts_lost_doubled_and_changed_moves() -> None:
    def log_of(*moves: str) -> list[Entry]:
        return [Entry(seq, "move", {"seat": "A", "steps": [move]}, 0.0) for seq, move in enumerate(moves)]

    player = FailurePlayer("quiet-owl", "A", "", Random(1), {0: ["draw"], 1: ["stop"]}, {0: "draw", 1: "stop"})
    cases = [(log_of("draw", "stop"), 0, 0), (log_of("draw"), 1, 0), (log_of("draw", "stop", "stop"), 0, 1)]
    cases.append((log_of("call", "stop"), 1, 0))  # another move than was acknowledged
    for entries, lost, doubled in cases:
        comparison = LogComparison()
        comparison.add(player, entries, server_died=False)
        assert (comparison.lost, comparison.doubled) == (lost, doubled)
        assert comparison.is_correct == (lost + doubled == 0)
