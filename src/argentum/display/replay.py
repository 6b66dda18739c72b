"""Replays of finished games: positions, their scenes, and new games that continue from a position."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from argentum import words
from argentum.display import scene, scene_builder
from argentum.records.steps import moving_seat, written_moves
from argentum.rules.deal import Deal, deal_from_order
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS


@dataclass(frozen=True)
class Replay:
    """One position of a finished game, with the log lines of its round."""

    index: int
    last_index: int
    rounds: tuple[tuple[int, int], ...]  # number and first index of each round
    position: Game
    log: tuple[words.LogEntry, ...]
    viewer: str = ""  # the seat whose knowledge is shown; if empty, all cards are faceup

    @property
    def caption(self) -> str:
        """The text of the last log line."""
        return self.log[-1].text(tuple(self.position.cast.residents))

    @staticmethod
    def build(positions: Sequence[Game], index: int, viewer: str = "") -> "Replay":
        """Build the replay of a game at a position. An index out of range is clamped, and an unknown viewer ignored."""
        viewer = viewer if viewer in positions[0].seats else ""
        index = min(max(index, 0), len(positions) - 1)
        position = positions[index]
        starts = [i for i in range(1, len(positions)) if positions[i].round != positions[i - 1].round]
        rounds = [(1, 0), *[(positions[i].round, i) for i in starts]]
        events = position.events(viewer or None)
        deals = [i for i, event in enumerate(events) if event.kind == "dealt"]
        events = events[deals[-1] :]  # only the current round
        view = position.view(viewer or SEAT_LETTERS[0], all_faces=not viewer)
        log = words.build_log(events, events, view._replace(seat=""))
        return Replay(index, len(positions) - 1, tuple(rounds), position, tuple(log), viewer)


def game_positions(game: Game) -> list[Game]:
    """Return the positions of a finished game: before its first move and after every move."""
    replayed = game.restart()
    positions = [replayed.copy()]
    for _, steps in written_moves(game):
        for step in steps:
            replayed.play(step)
        positions.append(replayed.copy())
    return positions


def build_replay_scene(replay: Replay, seat: str, seats: Sequence[scene.SeatInfo], max_lines: int) -> scene.Scene:
    """Build the scene of a replay. `seat` is the seat at the bottom; empty for spectators.

    The scene has no legal moves, and neither connections nor recent actions, which do not belong to the position.
    """
    seats = [info._replace(here=True, stand_in="") for info in seats]
    if replay.viewer:
        view = replay.position.view(replay.viewer)
    else:
        view = replay.position.view(seat or SEAT_LETTERS[0], all_faces=True)._replace(seat=seat)
    view = view._replace(legal=())
    replay_scene = scene_builder.build_scene(
        view, seats, replay.position.scores, replay.log[-max_lines:], words.Prompt(replay.caption, "", None)
    )
    return replay_scene._replace(recent_lines=0)


def fork_game(game: Game, index: int, seat: str, seed: int) -> Game:
    """Return a new game that continues from a position of a finished game, for the player of `seat`.

    Because the player has seen how the game ended, cards that the seat could not know at that position are dealt again,
    consistently with all earlier moves. If no such deal is found, the cards stay the same. Later shuffles are new.
    """
    random = Random(seed)
    position = game_positions(game)[index]
    deals = list(position.deals)
    faces = position.redeal(seat, random).position().table.faces
    last_deal = deals[-1]
    for deal in (deal_from_order(last_deal.start, faces, game.players, last_deal.shuffles), last_deal):
        fork = _replay_prefix(game, index, [*deals[:-1], deal], seed)
        if fork is not None and fork.view(seat) == position.view(seat):
            return fork
    raise AssertionError("the moves of a game are legal on its own deals")


def _replay_prefix(game: Game, index: int, deals: list[Deal], seed: int) -> Game | None:
    """Play the first `index` moves of a game on other deals; return None if one of them is illegal there."""
    cast = game.cast
    replayed = Game.new(cast.code, game.players, seed, cast.token, game.names, deals, rulings=game.rulings)
    for _, steps in written_moves(game)[:index]:
        for step in steps:
            if step not in replayed.legal(moving_seat(replayed, [step])):
                return None
            replayed.play(step)
    return replayed
