"""Record games of a bot as deals and moves, and replay them for imitation.

    python -m argentum.learn.imitation steady steady.npz --decisions 2000000

A recorded decision takes less than a byte. Observations are written when the moves are replayed, which is a thousand
times as fast as choosing them.
"""

import argparse
import sys
from contextlib import closing
from itertools import count
from math import ceil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from argentum.bots import ask, make
from argentum.envs.episode import Episode, EpisodeSetup
from argentum.envs.rows import row_of
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE
from argentum.observations.layout import OBSERVATION_SIZE
from argentum.processes import process_count, run_tasks
from argentum.rules.boxes import PUBLISHED_BOXES, resolve_deck_code
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import CARDS_IN_DECK
from argentum.rules.scoring import ROUNDS_PER_GAME

DECK_WEIGHTS: Final = {**{box.name: 1.0 for box in PUBLISHED_BOXES}, "random": 4.0}
PLAYER_WEIGHTS: Final = {"2": 3.0, "3": 1.0, "4": 1.0}
GAMES_PER_TASK: Final = 4


class RecordedGame(NamedTuple):
    code: str
    players: int
    seed: int
    moves: list[int]


class GameDataset(NamedTuple):
    """Recorded games as arrays, one item per game, except `moves`, which concatenates the moves of all games."""

    codes: NDArray[np.str_]
    players: NDArray[np.uint8]
    seeds: NDArray[np.int64]
    lengths: NDArray[np.int32]
    moves: NDArray[np.uint16]

    def save(self, file: Path) -> None:
        np.savez_compressed(file, **self._asdict())

    def to_games(self) -> list[RecordedGame]:
        ends = np.cumsum(self.lengths)
        return [
            RecordedGame(str(code), int(players), int(seed), self.moves[end - length : end].tolist())
            for code, players, seed, length, end in zip(*self[:4], ends, strict=True)
        ]


def load_dataset(path: Path) -> GameDataset:
    """Load a dataset file, or concatenate all datasets in a folder; raise ValueError if there is none."""
    datasets: list[GameDataset] = []
    for file in sorted(path.glob("*.npz")) if path.is_dir() else [path]:
        with np.load(file) as games:
            datasets.append(GameDataset(*[games[name] for name in GameDataset._fields]))
    if not datasets:
        raise ValueError(f"{path}: there are no games in it")
    return GameDataset(*[np.concatenate(column) for column in zip(*datasets, strict=True)])


def to_dataset(games: list[RecordedGame]) -> GameDataset:
    return GameDataset(
        np.array([game.code for game in games]),
        np.array([game.players for game in games], np.uint8),
        np.array([game.seed for game in games], np.int64),
        np.array([len(game.moves) for game in games], np.int32),
        np.array([move for game in games for move in game.moves], np.uint16),
    )


def play_games(
    bot: str, seed: int, player_weights: dict[str, float], deck_weights: dict[str, float]
) -> list[RecordedGame]:
    """Play `GAMES_PER_TASK` games of a bot against itself."""
    random = Random(seed)
    recorded_games: list[RecordedGame] = []
    for _ in range(GAMES_PER_TASK):
        players = int(random.choices(list(player_weights), list(player_weights.values()))[0])
        code = resolve_deck_code(random.choices(list(deck_weights), list(deck_weights.values()))[0], random)
        game_seed = random.getrandbits(62)
        game = Game.new(code, players, game_seed)
        seat_bots = [make(bot, random.getrandbits(62)) for _ in range(players)]
        moves: list[int] = []
        while not game.over:
            seat = SEAT_LETTERS.index(game.to_move)
            move = int(ask(seat_bots[seat], game, SEAT_LETTERS[seat]))
            moves.append(move)
            game.play(move)
        recorded_games.append(RecordedGame(code, players, game_seed, moves))
    return recorded_games


def generate_games(
    bot: str,
    decisions: int,
    player_weights: dict[str, float],
    deck_weights: dict[str, float],
    seed: int = 1,
    processes: int = 0,
) -> GameDataset:
    """Play games of a bot against itself until there are at least `decisions` decisions; use all cores by default."""
    games: list[RecordedGame] = []
    move_count = 0
    tasks = ((bot, (seed << 32) + index, player_weights, deck_weights) for index in count())
    with closing(run_tasks(play_games, tasks, process_count(processes), in_order=True)) as results:
        while move_count < decisions:
            _, played = next(results)
            games += played
            move_count += sum([len(game.moves) for game in played])
    return to_dataset(games)


DATASET_ARRAYS: Final = (
    "observations",
    "masks",
    "hidden_states",
    "actions",
    "seats",
    "rounds",
    "points",
    "totals_before",
)


def replay_game(game: RecordedGame) -> dict[str, list[Any]]:
    """Return the arrays of a game, with one item per decision."""
    episode = Episode(EpisodeSetup(game.code, game.players, "", ROUNDS_PER_GAME, game.seed, 0))
    arrays: dict[str, list[Any]] = {name: [] for name in DATASET_ARRAYS}
    for move in game.moves:
        seat, rounds_finished = episode.chooser, len(episode.scores)
        row = row_of(episode, seat)
        arrays["observations"].append(row.observations)
        arrays["masks"].append(row.masks)
        arrays["hidden_states"].append(row.hidden_states)
        arrays["actions"].append(ACTION_OF_MOVE[game.players][seat][move])
        arrays["seats"].append(seat)
        arrays["rounds"].append(rounds_finished + 1)
        episode.step(move)
    for round_number in arrays["rounds"]:
        arrays["points"].append(episode.scores[round_number - 1])
    totals = [[0] * game.players]
    for points in episode.scores:
        totals.append([total + score for total, score in zip(totals[-1], points, strict=True)])
    arrays["totals_before"] = [totals[round_number - 1] for round_number in arrays["rounds"]]
    return arrays


def replay_chunk(games: list[RecordedGame], players: int, file: str) -> None:
    """Replay games with the same number of players and save their training arrays to an `.npz` file."""
    replayed_games = [replay_game(game) for game in games]
    joined = {name: [value for arrays in replayed_games for value in arrays[name]] for name in DATASET_ARRAYS}
    count = len(joined["actions"])
    np.savez(
        file,
        observations=np.frombuffer(b"".join(joined["observations"]), np.uint8).reshape(count, OBSERVATION_SIZE),
        masks=np.frombuffer(b"".join(joined["masks"]), np.bool_).reshape(count, ACTION_COUNT),
        hidden_states=np.frombuffer(b"".join(joined["hidden_states"]), np.uint8).reshape(count, 2, CARDS_IN_DECK),
        actions=np.array(joined["actions"], np.int64),
        seats=np.array(joined["seats"], np.int64),
        rounds=np.array(joined["rounds"], np.int64),
        points=np.array(joined["points"], np.float32).reshape(count, players),
        totals_before=np.array(joined["totals_before"], np.float32).reshape(count, players),
    )


def replay_dataset(games: GameDataset, processes: int = 0) -> dict[int, dict[str, NDArray[Any]]]:
    """Replay all games, on all cores by default; map each number of players to the training arrays by name."""
    workers = process_count(processes)
    chunks: list[tuple[list[RecordedGame], int, str]] = []
    chunk_arrays: dict[int, list[dict[str, NDArray[Any]]]] = {}
    all_games = games.to_games()
    with TemporaryDirectory() as folder:
        for players in sorted({game.players for game in all_games}):
            games_of_count = [game for game in all_games if game.players == players]
            size = ceil(len(games_of_count) / workers)
            chunks += [
                (games_of_count[first : first + size], players, f"{folder}/{players}-{first}.npz")
                for first in range(0, len(games_of_count), size)
            ]
        for (_, players, file), _ in run_tasks(replay_chunk, chunks, workers, in_order=True):
            with np.load(file) as arrays:
                chunk_arrays.setdefault(players, []).append({name: arrays[name] for name in DATASET_ARRAYS})
            Path(file).unlink()
    return {
        players: {name: np.concatenate([arrays[name] for arrays in parts]) for name in DATASET_ARRAYS}
        for players, parts in chunk_arrays.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Let a bot play against itself, for a network to imitate.")
    parser.add_argument("bot", help="the bot to imitate, such as steady or seer:20")
    parser.add_argument("file", type=Path, help="where to save the games (.npz)")
    parser.add_argument(
        "--decisions", type=int, default=100_000, help="play until there are this many decisions (100000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same games")
    parser.add_argument("--processes", type=int, default=0, help="games at once (one per core)")
    arguments = parser.parse_args()
    started = perf_counter()
    games = generate_games(
        arguments.bot, arguments.decisions, PLAYER_WEIGHTS, DECK_WEIGHTS, arguments.seed, arguments.processes
    )
    games.save(arguments.file)
    seconds = perf_counter() - started
    sys.stdout.write(f"{len(games.codes)} games, {len(games.moves)} decisions in {seconds:.0f} s\n")


if __name__ == "__main__":
    main()
