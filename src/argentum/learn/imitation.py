"""Games of a bot, to be imitated: played on all cores, and kept as their deals and moves.

    python -m argentum.learn.imitation steady steady.npz --choices 2000000

A choice takes less than a byte in the file. The observations are written anew when they are needed, by playing the
moves again, which is a thousand times as fast as thinking of them.
"""

import argparse
import multiprocessing
import os
import sys
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
from librt.strings import BytesWriter
from numpy.typing import NDArray

from argentum.bots import ask, make
from argentum.envs.episode import Episode, EpisodeSetup
from argentum.learn.self_play import split_by_weight
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE
from argentum.observations.layout import OBSERVATION_SIZE
from argentum.rules.boxes import BOX_NAMES, resolve_deck_code
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import CARDS_IN_DECK
from argentum.rules.scoring import ROUNDS_PER_GAME

DECK_WEIGHTS: Final = {**dict.fromkeys(BOX_NAMES, 1.0), "random": 4.0}
PLAYER_WEIGHTS: Final = {"2": 3.0, "3": 1.0, "4": 1.0}
GAMES_PER_TASK: Final = 4  # in a task
CONTEXT: Final = multiprocessing.get_context("spawn")


class RecordedGame(NamedTuple):
    """A game: what it follows from, and its moves."""

    code: str
    players: int
    seed: int
    moves: list[int]


class GameDataset(NamedTuple):
    """Many games, as arrays."""

    codes: NDArray[np.str_]
    players: NDArray[np.uint8]
    seeds: NDArray[np.int64]
    lengths: NDArray[np.int32]
    moves: NDArray[np.uint16]

    def save(self, file: Path) -> None:
        """Write them to a file."""
        np.savez_compressed(file, **self._asdict())

    def all(self) -> list[RecordedGame]:
        """Each game."""
        ends = np.cumsum(self.lengths)
        return [
            RecordedGame(str(code), int(players), int(seed), self.moves[end - length : end].tolist())
            for code, players, seed, length, end in zip(*self[:4], ends, strict=True)
        ]


def load_dataset(path: Path) -> GameDataset:
    """Games from a file, or from all files in a folder."""
    parts: list[GameDataset] = []
    for file in sorted(path.glob("*.npz")) if path.is_dir() else [path]:
        with np.load(file) as games:
            parts.append(GameDataset(*[games[name] for name in GameDataset._fields]))
    if not parts:
        raise ValueError(f"{path}: there are no games in it")
    return GameDataset(*[np.concatenate(column) for column in zip(*parts, strict=True)])


def to_dataset(games: list[RecordedGame]) -> GameDataset:
    """Games as arrays."""
    return GameDataset(
        np.array([game.code for game in games]),
        np.array([game.players for game in games], np.uint8),
        np.array([game.seed for game in games], np.int64),
        np.array([len(game.moves) for game in games], np.int32),
        np.array([move for game in games for move in game.moves], np.uint16),
    )


def play_task(bot: str, seed: int, seats: dict[str, float], boxes: dict[str, float]) -> list[RecordedGame]:
    """Some games of a bot against itself, that follow from a seed."""
    random = Random(seed)
    played: list[RecordedGame] = []
    for _ in range(GAMES_PER_TASK):
        players = int(random.choices(list(seats), list(seats.values()))[0])
        code = resolve_deck_code(random.choices(list(boxes), list(boxes.values()))[0], random)
        dealt = random.getrandbits(62)
        game = Game.new(code, players, dealt)
        seated = [make(bot, random.getrandbits(62)) for _ in range(players)]
        moves: list[int] = []
        while not game.over:
            seat = game.chooser
            move = int(ask(seated[seat], game, SEAT_LETTERS[seat]))
            moves.append(move)
            game.step(move)
        played.append(RecordedGame(code, players, dealt, moves))
    return played


def generate_games(
    bot: str, choices: int, seats: dict[str, float], boxes: dict[str, float], seed: int = 1, processes: int = 0
) -> GameDataset:
    """So many choices of a bot at least, made on all cores."""
    games: list[RecordedGame] = []
    move_count = task_index = 0
    workers = processes or os.cpu_count() or 1
    with ProcessPoolExecutor(workers, CONTEXT) as pool:
        running: list[Future[list[RecordedGame]]] = []
        while move_count < choices:
            while len(running) < 2 * workers:
                running.append(pool.submit(play_task, bot, (seed << 32) + task_index, seats, boxes))
                task_index += 1
            for game in running.pop(0).result():
                games.append(game)
                move_count += len(game.moves)
        pool.shutdown(cancel_futures=True)
    return to_dataset(games)


# Playing the games again, for the observations.

DATASET_ARRAYS: Final = ("observations", "masks", "truths", "actions", "seats", "rounds", "points", "before")


def replay_game(game: RecordedGame) -> dict[str, list[Any]]:
    """All choices of a game: what was seen, what was done, and the points of their round for all seats."""
    play = Episode(EpisodeSetup(game.code, game.players, "", ROUNDS_PER_GAME, game.seed, 0))
    seen, masks, truths = BytesWriter(), BytesWriter(), BytesWriter()
    games: dict[str, list[Any]] = {name: [] for name in DATASET_ARRAYS}
    totals_before = [0] * game.players
    for move in game.moves:
        seat, finished = play.chooser, len(play.scores)
        play.write_observation(seat, seen, truths)
        play.write_mask(seat, masks)
        games["actions"].append(ACTION_OF_MOVE[game.players][seat][move])
        games["seats"].append(seat)
        games["rounds"].append(finished + 1)
        play.step(move)
    for number in games["rounds"]:
        games["points"].append(play.scores[number - 1])
    totals = [totals_before]
    for score in play.scores:
        totals.append([one + other for one, other in zip(totals[-1], score, strict=True)])
    games["before"] = [totals[number - 1] for number in games["rounds"]]
    for name, out in (("observations", seen), ("masks", masks), ("truths", truths)):
        games[name] = [out.getvalue()]
    return games


def replay_chunk(games: list[RecordedGame], players: int, file: str) -> None:
    """Write the choices of some games, all for as many players, to a file."""
    parts = [replay_game(game) for game in games]
    joined = {name: [value for part in parts for value in part[name]] for name in DATASET_ARRAYS}
    count = len(joined["actions"])
    np.savez(
        file,
        observations=np.frombuffer(b"".join(joined["observations"]), np.uint8).reshape(count, OBSERVATION_SIZE),
        masks=np.frombuffer(b"".join(joined["masks"]), np.bool_).reshape(count, ACTION_COUNT),
        truths=np.frombuffer(b"".join(joined["truths"]), np.uint8).reshape(count, 2, CARDS_IN_DECK),
        actions=np.array(joined["actions"], np.int64),
        seats=np.array(joined["seats"], np.int64),
        rounds=np.array(joined["rounds"], np.int64),
        points=np.array(joined["points"], np.float32).reshape(count, players),
        before=np.array(joined["before"], np.float32).reshape(count, players),
    )


def replay_dataset(games: GameDataset, processes: int = 0) -> dict[int, dict[str, NDArray[Any]]]:
    """The choices of all games by the number of players, written on all cores."""
    workers = processes or os.cpu_count() or 1
    found: dict[int, dict[str, NDArray[Any]]] = {}
    everything = games.all()
    with TemporaryDirectory() as folder, ProcessPoolExecutor(workers, CONTEXT) as pool:
        for players in sorted({game.players for game in everything}):
            mine = [game for game in everything if game.players == players]
            bounds = split_by_weight(len(mine), {str(task_index): 1.0 for task_index in range(workers)})
            tasks, first = [], 0
            for task_index, size in bounds.items():
                if size:
                    file = f"{folder}/{players}-{task_index}.npz"
                    tasks.append((file, pool.submit(replay_chunk, mine[first : first + size], players, file)))
                    first += size
            parts = []
            for file, task in tasks:
                task.result()
                with np.load(file) as part:
                    parts.append({name: part[name] for name in DATASET_ARRAYS})
                Path(file).unlink()
            found[players] = {name: np.concatenate([part[name] for part in parts]) for name in DATASET_ARRAYS}
    return found


def main() -> None:
    """Make games, and keep them."""
    parser = argparse.ArgumentParser(description="Let a bot play against itself, for a network to imitate.")
    parser.add_argument("bot", help="the bot to imitate, such as steady or seer:20")
    parser.add_argument("file", type=Path, help="where to save the games (.npz)")
    parser.add_argument("--choices", type=int, default=100_000, help="how many choices to make at least (100000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same games")
    parser.add_argument("--processes", type=int, default=0, help="games at once (one per core)")
    arguments = parser.parse_args()
    began = perf_counter()
    games = generate_games(
        arguments.bot, arguments.choices, PLAYER_WEIGHTS, DECK_WEIGHTS, arguments.seed, arguments.processes
    )
    games.save(arguments.file)
    spent = perf_counter() - began
    sys.stdout.write(f"{len(games.codes)} games, {len(games.moves)} choices in {spent:.0f} s\n")


if __name__ == "__main__":
    main()
