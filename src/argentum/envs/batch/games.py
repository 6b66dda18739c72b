# mypyc: compile
"""The games of one process of a batch."""

from collections.abc import Callable
from typing import Final

from argentum.envs.episode import BotEpisode, new_bot_episode
from argentum.envs.rewards import Outcome
from argentum.envs.rows import RowWriter, row_of
from argentum.envs.settings import EnvSettings
from argentum.observations.actions import ILLEGAL_ACTION, MOVE_OF_ACTION, NO_ACTION


class EpisodeEnd:
    """A round or game that ended in a step, with the rewards of the step.

    `final_observation` is empty if the game continues; `outcome` is None unless the game was played to its end.
    """

    def __init__(
        self,
        index: int,
        rewards: list[float],
        over: bool,
        truncated: bool,
        final_observation: bytes,
        outcome: Outcome | None,
    ) -> None:
        self.index: Final = index
        self.rewards: Final = rewards
        self.over: Final = over
        self.truncated: Final = truncated
        self.final_observation: Final = final_observation
        self.outcome: Final = outcome


class BatchGames:
    """Steps the games of one process and writes a row for each: observation, mask, seat and hidden state.

    A game depends only on its seed, `next_seed(index)`, not on the process that plays it.
    """

    def __init__(
        self,
        settings: EnvSettings,
        next_seed: Callable[[int], int],
        observations: memoryview,
        masks: memoryview,
        seats: memoryview,
        hidden_states: memoryview,
        first: int = 0,
    ) -> None:
        self.settings = settings
        self.first: Final = first  # index of the first game in the whole batch
        self.seeds: Final = next_seed
        self.rows: Final = RowWriter(observations, masks, seats, hidden_states, settings.players, settings.history)
        self.count: Final = len(seats)
        self.move_of_action: Final = MOVE_OF_ACTION[settings.players]
        self.episodes: list[BotEpisode] = []
        self.steps: list[int] = []  # actions so far in each game

    def reset(self) -> None:
        self.steps = [0 for _ in range(self.count)]
        self.episodes = [self._new_game(index) for index in range(self.count)]
        self.write_all()

    def restore(self, episodes: list[BotEpisode]) -> None:
        self.steps = [0 for _ in episodes]
        self.episodes = episodes
        self.write_all()

    def step(self, actions: list[int]) -> list[EpisodeEnd]:
        """Apply a legal action, NO_ACTION or ILLEGAL_ACTION in each game; return the rounds and games that ended."""
        ends: list[EpisodeEnd] = []
        for index in range(len(actions)):
            action = actions[index]
            if action >= 0:
                self._step_game(index, action, ends)
            elif action == ILLEGAL_ACTION:
                ends.append(self._end_after_illegal_action(index))
            else:
                assert action == NO_ACTION
            self._write_row(index)  # now, while the game is in the CPU's cache
        return ends

    def write_all(self) -> None:
        for index in range(len(self.episodes)):
            self._write_row(index)

    def _step_game(self, index: int, action: int, ends: list[EpisodeEnd]) -> None:
        bot_episode = self.episodes[index]
        episode = bot_episode.episode
        seat = episode.chooser
        finished = len(episode.scores)
        bot_episode.step(self.move_of_action[seat][action])
        steps = self.steps[index] = self.steps[index] + 1
        truncated = steps == self.settings.max_steps and not episode.over
        if len(episode.scores) > finished or truncated:
            ends.append(self._end_episode(index, bot_episode, seat, finished, truncated))

    def _end_episode(
        self, index: int, bot_episode: BotEpisode, seat: int, finished: int, truncated: bool
    ) -> EpisodeEnd:
        """Describe the end of a round or game. If the game is over or truncated, start the next one in its place."""
        episode = bot_episode.episode
        rewards = episode.rewards(self.settings.reward, finished)
        final_observation = self._replace_game(index, seat) if episode.over or truncated else b""
        return EpisodeEnd(index, rewards, episode.over, truncated, final_observation, episode.outcome())

    def _end_after_illegal_action(self, index: int) -> EpisodeEnd:
        """End a game after an illegal action, and start the next one in its place."""
        seat = self.episodes[index].episode.chooser
        rewards = [0.0 for _ in range(self.settings.players)]
        rewards[seat] = self.settings.illegal_reward
        return EpisodeEnd(index, rewards, True, False, self._replace_game(index, seat), None)

    def _replace_game(self, index: int, seat: int) -> bytes:
        """Start the next game in place of one that ended; return the final observation of a seat."""
        final_observation = bytes(row_of(self.episodes[index].episode, seat).observations)
        self.episodes[index] = self._new_game(index)
        return final_observation

    def _write_row(self, index: int) -> None:
        """Write the row of a game, as the seat to move observes it."""
        episode = self.episodes[index].episode
        self.rows.write(index, episode, episode.chooser)

    def _new_game(self, index: int) -> BotEpisode:
        self.steps[index] = 0
        return new_bot_episode(self.settings, self.seeds(index), False, self.first + index)
