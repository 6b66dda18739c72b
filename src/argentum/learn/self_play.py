"""Self-play games in worker processes, in two halves: while one half is stepped, the network acts for the other.

Each half is a batch. Its rows are ordered by the number of players, and for each of these: games against the league,
games of the network against itself, and games against bots.
"""

from collections.abc import Sequence
from itertools import pairwise
from os import cpu_count
from typing import Final, NamedTuple

import numpy as np

from argentum.envs.batch import Batch, SettingsBlock
from argentum.envs.rewards import ROUND
from argentum.envs.settings import EnvSettings
from argentum.learn import config as cf
from argentum.processes import ProcessPool

HALF_COUNT: Final = 2
# Opponents of the learner, besides the names of bots.
OPPONENT_LEAGUE: Final = "league"
OPPONENT_SELF: Final = "self"


class GameBlock(NamedTuple):
    """Games with the same opponents, number of players and deck: rows `first` to `end - 1` of each half."""

    opponent: str  # OPPONENT_LEAGUE, OPPONENT_SELF or the name of a bot
    players: int
    boxes: str
    first: int
    end: int

    def settings_block(self) -> SettingsBlock:
        bots = () if self.opponent in (OPPONENT_LEAGUE, OPPONENT_SELF) else self.opponent
        settings = EnvSettings(boxes=self.boxes, players=self.players, opponents=bots, reward=ROUND)
        return SettingsBlock(self.end - self.first, settings)


def split_by_weight(total: int, weights: dict[str, float]) -> dict[str, int]:
    """Divide a total in proportion to weights, into integers that add up to it."""
    ends = np.round(np.cumsum([0.0, *weights.values()]) / sum(weights.values()) * total).astype(int)
    return {name: int(end - first) for name, (first, end) in zip(weights, pairwise(ends), strict=True)}


def make_blocks(games: cf.GamesConfig, league_fraction: float) -> list[GameBlock]:
    """Divide the games of a half by number of players, opponent and deck."""
    opponents = {
        OPPONENT_LEAGUE: league_fraction,
        OPPONENT_SELF: 1 - league_fraction - sum(games.bots.values()),
        **games.bots,
    }
    blocks: list[GameBlock] = []
    row = 0
    for players, game_count in split_by_weight(games.per_half, games.players).items():
        for opponent, opponent_games in split_by_weight(game_count, opponents).items():
            for boxes, box_games in split_by_weight(opponent_games, games.decks).items():
                if box_games:
                    blocks.append(GameBlock(opponent, int(players), boxes, row, row + box_games))
                    row += box_games
    return blocks


class SelfPlayGames:
    """All games of a run: a batch for each half, played by the same worker processes."""

    def __init__(self, config: cf.TrainingConfig, league_fraction: float) -> None:
        self.blocks: Final = make_blocks(config.games, league_fraction)
        self.games_per_half: Final = config.games.per_half
        self.seed: Final = config.seed
        self._pool: Final = ProcessPool(config.processes or max((cpu_count() or 2) - 1, 1), "self-play games")
        blocks = [block.settings_block() for block in self.blocks]
        self.halves: Final = [Batch(blocks, pool=self._pool, with_hidden_state=True) for _ in range(HALF_COUNT)]

    def start(self, saved: Sequence[Sequence[bytes]] = ()) -> None:
        """Start new games, or continue those that `save` returned."""
        for half, batch in enumerate(self.halves):
            if saved:
                batch.restore(saved[half])
            else:
                batch.reset(self.seed * HALF_COUNT + half)

    def save(self) -> list[list[bytes]]:
        """Return the state of all games, by half and row. No step may be running."""
        return [batch.save() for batch in self.halves]

    def close(self) -> None:
        self._pool.close()

    def __enter__(self) -> "SelfPlayGames":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
