"""Gymnasium environment: one learner, bots at the other seats.

>>> import gymnasium
>>> import argentum.envs
>>> environment = gymnasium.make("argentum/Silver-v1", boxes="coin", opponents="random")
>>> observation, info = environment.reset(seed=7)
>>> over = False
>>> while not over:
...     action = environment.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = environment.step(action)
...     over = terminated or truncated
>>> observation.shape, abs(reward)
((1308,), 1.0)
"""

from dataclasses import replace
from typing import Any, Unpack

import gymnasium
import numpy as np
from numpy.typing import NDArray

from argentum.envs import render as render_module
from argentum.envs import spaces
from argentum.envs.episode import BotEpisode, GameEpisode, new_bot_episode
from argentum.envs.settings import EnvOptions, EnvSettings, Opponents, make_learner_settings
from argentum.observations.actions import ACTION_COUNT, MOVE_OF_ACTION
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS


class SilverEnv(gymnasium.Env[Any, np.int64]):
    """Games of Silver in which the learner plays one seat against bots.

    The `options` are fields of :class:`argentum.envs.settings.EnvSettings`, and change those of `settings`. The default
    opponents are `steady`. Without `illegal_reward`, an illegal action changes nothing. `observation` is one of the
    forms of :func:`argentum.envs.spaces.observation_space`.

    The info has the `action_mask`, and `illegal` after an illegal action. At the end of a game it also has the `points`
    and `ranks` by seat and the `reason` why the last round ended.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        settings: EnvSettings | None = None,
        *,
        observation: str = spaces.FORM_PLAIN,
        render_mode: str | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        self.settings = make_learner_settings(settings, **options)
        self.observation_form = spaces.check_form(observation)
        self.render_mode = render_module.check_mode(render_mode, self.metadata["render_modes"])
        self.observation_space = spaces.observation_space(self.observation_form, self.settings.history)
        self.action_space = spaces.action_space()
        self.bot_episode: BotEpisode | None = None
        self.steps = 0  # actions of the learner in the game

    @property
    def game(self) -> Game:
        episode = self._require_episode().episode
        assert isinstance(episode, GameEpisode)
        return episode.game

    @property
    def learner(self) -> int:
        """Index of the learner's seat."""
        return self._require_episode().learner

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game and play the bots until the learner's first decision."""
        super().reset(seed=seed, options=options)
        bot_episode = new_bot_episode(self.settings, int(self.np_random.integers(1 << 62)), True)
        self.bot_episode = bot_episode
        self.steps = 0
        self._render_human()
        return self._observation(bot_episode), self._info(bot_episode)

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Apply the learner's action and play the bots until the learner's next decision or the end of the game."""
        bot_episode = self._require_episode()
        episode, learner = bot_episode.episode, bot_episode.learner
        rounds = len(episode.scores)
        move = MOVE_OF_ACTION[self.settings.players][learner][action] if 0 <= action < ACTION_COUNT else -1
        legal = not episode.over and move in episode.legal_moves()
        if legal:
            bot_episode.step(move)
            self.steps += 1
        reward, over = episode.rewards(self.settings.reward, rounds)[learner], episode.over
        info = self._info(bot_episode)
        if not legal:
            info["illegal"] = True
            if self.settings.illegal_reward is not None:
                reward, over = self.settings.illegal_reward, True
        truncated = legal and not over and self.steps == self.settings.max_steps
        self._render_human()
        return self._observation(bot_episode), reward, over, truncated, info

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents of games that start from now on."""
        self.settings = replace(self.settings, opponents=opponents)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions, under the name that MaskablePPO calls."""
        bot_episode = self._require_episode()
        return spaces.action_mask(bot_episode.episode, bot_episode.learner).astype(bool)

    def render(self) -> Any:
        """Render the learner's view in `render_mode`."""
        return render_module.render(self.game.view(SEAT_LETTERS[self.learner]), self.render_mode)

    def _observation(self, bot_episode: BotEpisode) -> Any:
        return spaces.observe(bot_episode.episode, bot_episode.learner, self.observation_form)

    def _info(self, bot_episode: BotEpisode) -> dict[str, Any]:
        episode, learner = bot_episode.episode, bot_episode.learner
        return {"action_mask": spaces.action_mask(episode, learner), **spaces.outcome_info(episode)}

    def _render_human(self) -> None:
        if self.render_mode == render_module.MODE_HUMAN:
            self.render()

    def _require_episode(self) -> BotEpisode:
        if self.bot_episode is None:
            raise RuntimeError("there is no game yet: call reset()")
        return self.bot_episode
