"""Silver as a Gymnasium environment: one seat learns, bots sit at the others.

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
from argentum.envs.episode import GamePlay, Match, new_match
from argentum.envs.settings import ANY_SEAT, Opponents
from argentum.observations.actions import ACTION_COUNT, MOVE_OF_ACTION
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME


class SilverEnv(gymnasium.Env[Any, np.int64]):
    """A game of Silver at one seat, against bots.

    `boxes` is a box, a deck code or `random`; `opponents` the name of a bot, or one for each of the other seats,
    clockwise from the learner, or a function `opponents(place, random)` that names them for each game anew, where the
    place is 0; `seat` a letter, or `random` for each game anew; `reward` one of `rank`, `difference`,
    `round`; `observation` one of `plain`, `masked`, `parts`, `vector`, `rllib`, with the last `history` things
    the learner was told and did; a game has one to four `rounds`. The mask of legal actions is in the info, too. An
    action that is not legal is refused: nothing changes, and the info says so; with `illegal`, it ends the game with
    that reward. When a game is over, the info has each seat's `points` and `ranks`, and the `reason` why the last round
    ended.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        boxes: str = "dagger",
        players: int = 2,
        token: str = "",
        opponents: Opponents = "steady",
        seat: str = ANY_SEAT,
        reward: str = "rank",
        observation: str = spaces.PLAIN,
        rounds: int = ROUNDS_PER_GAME,
        history: int = 0,
        illegal: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.settings = settings.settings(boxes, players, token, rounds, opponents, seat, reward, history)
        self.form = spaces.check_form(observation)
        self.illegal = illegal
        self.render_mode = render_module.check_mode(render_mode, self.metadata["render_modes"])
        self.observation_space = spaces.observation_space(self.form, history)
        self.action_space = spaces.action_space()
        self.match: Match | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        play = self._running().play
        assert isinstance(play, GamePlay)
        return play.game

    @property
    def learner(self) -> int:
        """The seat that learns, from 0."""
        return self._running().learner

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, at the learner's first choice."""
        super().reset(seed=seed, options=options)
        match = self.match = new_match(self.settings, int(self.np_random.integers(1 << 62)), True)
        self._show()
        return spaces.observe(match.play, match.learner, self.form), self._info(match)

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner acts, and the others until it is asked again or the game is over."""
        match = self._running()
        play, learner = match.play, match.learner
        rounds = len(play.scores)
        move = MOVE_OF_ACTION[self.settings.players][learner][action] if 0 <= action < ACTION_COUNT else -1
        legal = not play.over and move in play.choices()
        if legal:
            match.step(move)
        gained, over = play.rewards(self.settings.reward, rounds)[learner], play.over
        info = self._info(match)
        if not legal:
            info["illegal"] = True
            if self.illegal is not None:
                gained, over = self.illegal, True
        self._show()
        return spaces.observe(play, learner, self.form), gained, over, False, info

    def meet(self, opponents: Opponents) -> None:
        """Let every game that begins from now on be against other opponents."""
        self.settings = self.settings._replace(opponents=settings.check_opponents(opponents, self.settings.players))

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal, as Stable-Baselines3's MaskablePPO asks for it."""
        match = self._running()
        return spaces.mask(match.play, match.learner).astype(bool)

    def render(self) -> Any:
        """The table as the learner sees it, in the way that was chosen as `render_mode`."""
        return render_module.rendered(self.game.view(SEAT_LETTERS[self.learner]), self.render_mode)

    def _info(self, match: Match) -> dict[str, Any]:
        return {"action_mask": spaces.mask(match.play, match.learner), **spaces.outcome(match.play)}

    def _show(self) -> None:
        if self.render_mode == render_module.HUMAN:
            self.render()

    def _running(self) -> Match:
        if self.match is None:
            raise RuntimeError("there is no game yet: call reset()")
        return self.match
