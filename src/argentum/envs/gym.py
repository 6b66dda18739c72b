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

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from argentum.envs import render as render_module
from argentum.envs import settings, spaces
from argentum.envs.episode import BotEpisode, GameEpisode, new_bot_episode
from argentum.envs.settings import RANDOM_SEAT, Opponents
from argentum.observations.actions import ACTION_COUNT, MOVE_OF_ACTION
from argentum.rules.boxes import DEFAULT_BOX
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME


class SilverEnv(gymnasium.Env[Any, np.int64]):
    """Games of Silver in which the learner plays one seat against bots.

    - `boxes`: a box, a deck code, or `random` for a new random deck in each game.
    - `opponents`: the name of a bot for all other seats; a list with a name for each of them, clockwise from the
      learner; or a function `opponents(index, random)` that returns one of these and is called for each game, with
      index 0.
    - `seat`: the letter of the learner's seat, or `random` to draw it for each game.
    - `reward`: `rank`, `difference` or `round` (:mod:`argentum.envs.rewards`).
    - `observation`: `plain`, `masked`, `parts`, `vector`, `float` or `rllib`
      (:func:`argentum.envs.spaces.observation_space`).
    - `rounds`: the number of rounds in a game, one to four.
    - `history`: the number of most recent events and own actions in an observation.
    - `illegal_reward`: if not None, an illegal action ends the game with this reward; otherwise it changes nothing.

    The info has the `action_mask`, and `illegal` after an illegal action. At the end of a game it also has the `points`
    and `ranks` by seat and the `reason` why the last round ended.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        boxes: str = DEFAULT_BOX,
        players: int = 2,
        token: str = "",
        opponents: Opponents = "steady",
        seat: str = RANDOM_SEAT,
        reward: str = "rank",
        observation: str = spaces.FORM_PLAIN,
        rounds: int = ROUNDS_PER_GAME,
        history: int = 0,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.settings = settings.make_settings(boxes, players, token, rounds, opponents, seat, reward, history)
        self.observation_form = spaces.check_form(observation)
        self.illegal_reward = illegal_reward
        self.render_mode = render_module.check_mode(render_mode, self.metadata["render_modes"])
        self.observation_space = spaces.observation_space(self.observation_form, history)
        self.action_space = spaces.action_space()
        self.bot_episode: BotEpisode | None = None

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
        reward, over = episode.rewards(self.settings.reward, rounds)[learner], episode.over
        info = self._info(bot_episode)
        if not legal:
            info["illegal"] = True
            if self.illegal_reward is not None:
                reward, over = self.illegal_reward, True
        self._render_human()
        return self._observation(bot_episode), reward, over, False, info

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents of games that start from now on."""
        self.settings = self.settings._replace(opponents=settings.check_opponents(opponents, self.settings.players))

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
