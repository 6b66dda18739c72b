"""A finished game gone through again, with all faces open."""

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
    """Where a replay stands: after so many of the game's moves."""

    index: int
    last_index: int
    rounds: tuple[tuple[int, int], ...]  # each round, and after how many moves it begins
    position: Game
    log: tuple[words.LogEntry, ...]
    viewer: str = ""  # the seat by whose knowledge it is shown; empty: all faces are open

    @property
    def caption(self) -> str:
        """What happened last."""
        return self.log[-1].text(tuple(self.position.cast.residents))

    @staticmethod
    def of(scenes: Sequence[Game], at: int, eyes: str = "") -> "Replay":
        """A finished game, by all its positions, after some of its moves, open or as one seat saw it."""
        eyes = eyes if eyes in scenes[0].seats else ""
        at = min(max(at, 0), len(scenes) - 1)
        there = scenes[at]
        starts = [nth for nth in range(1, len(scenes)) if scenes[nth].round != scenes[nth - 1].round]
        rounds = [(1, 0), *[(scenes[nth].round, nth) for nth in starts]]
        events = there.events(eyes or None)
        dealt = [nth for nth, event in enumerate(events) if event.kind == "dealt"]
        events = events[dealt[-1] :]  # of this round
        view = there.view(eyes) if eyes else there.open_view()
        log = words.build_log(events, events, view._replace(seat=""))
        return Replay(at, len(scenes) - 1, tuple(rounds), there, tuple(log), eyes)


def film(game: Game) -> list[Game]:
    """A finished game before its first move, and after each."""
    again = game.restart()
    scenes = [again.copy()]
    for _, steps in written_moves(game):
        for step in steps:
            again.step(step)
        scenes.append(again.copy())
    return scenes


def build_replay_scene(replay: Replay, seat: str, seats: Sequence[scene.SeatInfo], max_lines: int) -> scene.Scene:
    """The table of a replay, with so many lines of the log: nothing can be played.

    Who is away now, and what happened since a turn of the reader's, is not of that time.
    """
    seats = [seat._replace(here=True, stand_in="") for seat in seats]
    if replay.viewer:
        view = replay.position.view(replay.viewer)._replace(legal=())
    else:
        view = replay.position.open_view(seat or SEAT_LETTERS[0])._replace(seat=seat)
    drawn = scene_builder.build_scene(
        view, seats, replay.position.scores, replay.log[-max_lines:], words.Prompt(replay.caption, "", None)
    )
    return drawn._replace(recent_lines=0)


def fork_game(game: Game, at: int, seat: str, seed: int) -> Game:
    """A finished game after so many of its moves, to be played on by a seat that has seen how it ended.

    So what the seat could not know there lies otherwise, in agreement with all that happened until then; only where no
    such deal is found, it lies as it did. Everything after that is shuffled anew.
    """
    random = Random(seed)
    there = film(game)[at]
    deals = list(there.deals)
    guess = there.redeal(seat, random).copy_table().faces
    last = deals[-1]
    for new in (deal_from_order(last.start, guess, game.players, last.shuffles), last):
        found = _replay_prefix(game, at, [*deals[:-1], new], seed)
        if found is not None and found.view(seat) == there.view(seat):
            return found
    raise AssertionError("a game can be played again as it was")


def _replay_prefix(game: Game, at: int, deals: list[Deal], seed: int) -> Game | None:
    """The first moves of a game on these deals, if they can be made."""
    cast = game.cast
    again = Game.new(cast.code, game.players, seed, cast.token, game.names, deals, rulings=game.rulings)
    for _, steps in written_moves(game)[:at]:
        for step in steps:
            if step not in again.legal_moves_of(SEAT_LETTERS.index(moving_seat(again, [step]))):
                return None
            again.step(step)
    return again
