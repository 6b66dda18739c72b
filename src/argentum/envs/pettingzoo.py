"""Silver as a PettingZoo environment: seats act one after another (AEC), each with a mask of what is legal.

>>> environment = env(boxes="random", players=3)
>>> environment.reset(seed=7)
>>> for agent in environment.agent_iter():
...     observation, reward, termination, truncation, info = environment.last()
...     done = termination or truncation
...     environment.step(None if done else environment.action_space(agent).sample(info["action_mask"]))
>>> environment.agents
[]
"""

from random import Random
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from argentum.envs import render as render_module
from argentum.envs import settings as settings_module
from argentum.envs import spaces
from argentum.envs.episode import GameEpisode, new_episode
from argentum.observations.actions import ACTION_COUNT, MOVE_OF_ACTION
from argentum.rules.boxes import DEFAULT_BOX
from argentum.rules.game import Game
from argentum.rules.scoring import ROUNDS_PER_GAME

__all__ = ["SilverAECEnv", "env", "parallel_env", "raw_env"]


class SilverAECEnv(AECEnv[str, Any, int | None]):  # type: ignore[misc]  # PettingZoo has no types
    """A game of Silver between agents `player_0` to `player_3`.

    `boxes` is a box, a deck code or `random`; `reward` one of `rank`, `difference`, `round`; `observation` one of
    `masked`, `plain`, `parts`, `vector`, `rllib`, with the last `history` things the agent was told and did; a game
    has one to four `rounds`. In the first look the seats choose one after another, from the start seat. An action
    that is not legal is refused: nothing changes, and its seat is told so in its info. After `max_cycles` actions the
    game is cut short.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "silver_v1",
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        boxes: str = DEFAULT_BOX,
        players: int = 2,
        token: str = "",
        reward: str = "rank",
        observation: str = spaces.FORM_MASKED,
        max_cycles: int | None = None,
        rounds: int = ROUNDS_PER_GAME,
        history: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings_module.make_settings(boxes, players, token, rounds, reward=reward, history=history)
        self.observation_form = spaces.check_form(observation)
        self.max_cycles = max_cycles
        self.render_mode = render_module.check_mode(render_mode, self.metadata["render_modes"])
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {
            agent: spaces.observation_space(self.observation_form, history) for agent in self.possible_agents
        }
        self._actions = {agent: spaces.action_space() for agent in self.possible_agents}
        self.state_space = spaces.state_space(history)
        self.random = Random()
        self.episode: GameEpisode | None = None
        self.cycles = 0

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._require_episode().game

    def observation_space(self, agent: str) -> Any:
        """What an agent observes: see :func:`argentum.envs.spaces.observation_space`."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may choose from: see :mod:`argentum.observations.actions`."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game, which follows from the seed; without one, from what the last game left of the stream."""
        if seed is not None:
            self.random = Random(seed)
        play = new_episode(self.settings, self.random, True)
        assert isinstance(play, GameEpisode)
        self.episode = play
        self.cycles = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_agent()
        self._render_human()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        play, seat = self._require_episode(), self._seat[agent]
        rounds = len(play.scores)
        move = MOVE_OF_ACTION[play.players][seat][action] if 0 <= action < ACTION_COUNT else -1
        legal = move in play.legal_moves()
        if legal:
            play.step(move)
        self.cycles += 1
        self.rewards = dict(zip(self.agents, play.rewards(self.settings.reward, rounds), strict=True))
        self.terminations = dict.fromkeys(self.agents, play.over)
        self.truncations = dict.fromkeys(self.agents, not play.over and self.cycles == self.max_cycles)
        self._select_agent()
        if not legal:
            self.infos[agent]["illegal"] = True
        self._accumulate_rewards()
        self._render_human()

    def observe(self, agent: str) -> Any:
        """What an agent observes now."""
        return spaces.observe(self._require_episode(), self._seat[agent], self.observation_form)

    def state(self) -> NDArray[np.uint8]:
        """What the seat to move observes, and the truth: for training only, as a critic may see it.

        The truth is the resident of each card of the observation, token by token, then those of the deck from the top.
        """
        play = self._require_episode()
        return spaces.state_row(play, max(play.chooser, 0))

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render the table as the seat to move sees it, according to `render_mode`."""
        game = self.game
        return render_module.render(game.view(game.to_move or None), self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def _select_agent(self) -> None:
        """Select the agent that must choose, and tell it what is legal."""
        play = self._require_episode()
        if not play.over:
            self.agent_selection = self.possible_agents[play.chooser]
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": spaces.action_mask(play, self._seat[agent]), **spaces.outcome(play)}
            for agent in self.agents
        }

    def _render_human(self) -> None:
        if self.render_mode == render_module.MODE_HUMAN:
            self.render()

    def _require_episode(self) -> GameEpisode:
        if self.episode is None:
            raise RuntimeError("there is no game yet: call reset()")
        return self.episode

    def __str__(self) -> str:
        return str(self.metadata["name"])


def raw_env(**settings: Any) -> SilverAECEnv:
    """The environment by itself; settings are those of :class:`SilverEnv`."""
    return SilverAECEnv(**settings)


def env(**settings: Any) -> AECEnv[str, Any, int | None]:
    """The environment with PettingZoo's checks: who does something illegal loses 1, and the game ends."""
    wrapped: AECEnv[str, Any, int | None] = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def parallel_env(**settings: Any) -> "turn_based_aec_to_parallel_wrapper[str, Any, int]":
    """The environment for those who step all agents at once: only the action of the one to move is played."""
    return turn_based_aec_to_parallel_wrapper(raw_env(**settings))
