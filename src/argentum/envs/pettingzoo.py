"""PettingZoo environment (AEC): agents act one after another, with action masks.

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
    """Games of Silver between two to four agents, `player_0` to `player_3`.

    - `boxes`: a box, a deck code, or `random` for a new random deck in each game.
    - `reward`: `rank`, `difference` or `round` (:mod:`argentum.envs.rewards`).
    - `observation`: `masked`, `plain`, `parts`, `vector`, `float` or `rllib`
      (:func:`argentum.envs.spaces.observation_space`).
    - `max_cycles`: the number of actions after which a game is truncated; None for no limit.
    - `rounds`: the number of rounds in a game, one to four.
    - `history`: the number of most recent events and own actions in an observation.

    In the rules, the first look is simultaneous (G4); here, the agents act one after another, starting with the start
    seat. An illegal action changes nothing and sets `illegal` in the agent's info.
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
        self._observation_spaces = {
            agent: spaces.observation_space(self.observation_form, history) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.action_space() for agent in self.possible_agents}
        self.state_space = spaces.state_space(history)
        self.random = Random()
        self.episode: GameEpisode | None = None
        self.cycles = 0

    @property
    def game(self) -> Game:
        return self._require_episode().game

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations: see :func:`argentum.envs.spaces.observation_space`."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of actions: see :mod:`argentum.observations.actions`."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game. The games are drawn from a random stream, which `seed` restarts."""
        if seed is not None:
            self.random = Random(seed)
        episode = new_episode(self.settings, self.random, True)
        assert isinstance(episode, GameEpisode)
        self.episode = episode
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
        episode, seat = self._require_episode(), self._seat[agent]
        rounds = len(episode.scores)
        move = MOVE_OF_ACTION[episode.players][seat][action] if 0 <= action < ACTION_COUNT else -1
        legal = move in episode.legal_moves()
        if legal:
            episode.step(move)
        self.cycles += 1
        self.rewards = dict(zip(self.agents, episode.rewards(self.settings.reward, rounds), strict=True))
        self.terminations = dict.fromkeys(self.agents, episode.over)
        self.truncations = dict.fromkeys(self.agents, not episode.over and self.cycles == self.max_cycles)
        self._select_agent()
        if not legal:
            self.infos[agent]["illegal"] = True
        self._accumulate_rewards()
        self._render_human()

    def observe(self, agent: str) -> Any:
        """Return the current observation of an agent."""
        return spaces.observe(self._require_episode(), self._seat[agent], self.observation_form)

    def state(self) -> NDArray[np.uint8]:
        """Return the observation of the agent to move, followed by the hidden state, for critics in training.

        The hidden state has the residents of all cards: first those of the card tokens of the observation, in the same
        order, then those of the deck from the top.
        """
        episode = self._require_episode()
        return spaces.state_row(episode, max(episode.chooser, 0))

    def render(self) -> str | NDArray[np.uint8] | None:
        """Render the view of the agent to move in `render_mode`."""
        game = self.game
        return render_module.render(game.view(game.to_move or None), self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def _select_agent(self) -> None:
        """Select the agent to move, and update the infos of all agents."""
        episode = self._require_episode()
        if not episode.over:
            self.agent_selection = self.possible_agents[episode.chooser]
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": spaces.action_mask(episode, self._seat[agent]), **spaces.outcome_info(episode)}
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
    """Return the environment without wrappers; the settings are those of :class:`SilverAECEnv`."""
    return SilverAECEnv(**settings)


def env(**settings: Any) -> AECEnv[str, Any, int | None]:
    """Return the environment in PettingZoo's wrappers: an illegal action ends the game with reward -1."""
    wrapped: AECEnv[str, Any, int | None] = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


def parallel_env(**settings: Any) -> "turn_based_aec_to_parallel_wrapper[str, Any, int]":
    """Return the environment with the parallel API, which applies only the action of the agent to move."""
    return turn_based_aec_to_parallel_wrapper(raw_env(**settings))
