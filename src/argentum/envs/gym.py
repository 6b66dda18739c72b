"""Silver as a Gymnasium environment: one seat learns, bots sit at the others.

>>> import gymnasium
>>> import argentum.envs
>>> environment = gymnasium.make("argentum/Silver-v0", boxes="coin", opponents="novice")
>>> observation, info = environment.reset(seed=7)
>>> over = False
>>> while not over:
...     action = environment.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = environment.step(action)
...     over = terminated or truncated
>>> observation.shape, reward
((2581,), -1.0)
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from argentum import bots
from argentum.envs import picture, spaces
from argentum.envs.actions import ACTIONS, MOVE_TABLE
from argentum.envs.rewards import check_reward, rewards
from argentum.rules.game import Game
from argentum.rules.notation import SEATS

ANY_SEAT = "random"


class SilverEnv(gymnasium.Env[Any, np.int64]):
    """A game of Silver at one seat, against bots.

    `boxes` is a box, a deck code or `random`; `opponents` the name of a bot, or one for each of the other seats,
    clockwise from the learner; `seat` a letter, or `random` for each game anew; `reward` one of `rank`, `difference`,
    `round`; `observation` one of `plain`, `masked`, `parts`. The mask of legal actions is in the info, too. An action
    that is not legal is refused: nothing changes, and the info says so.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        boxes: str = "dagger",
        players: int = 2,
        token: str = "",
        opponents: str | Sequence[str] = "steady",
        seat: str = ANY_SEAT,
        reward: str = "rank",
        observation: str = spaces.PLAIN,
        render_mode: str | None = None,
    ) -> None:
        spaces.check_deck(boxes, players)
        self.boxes = boxes
        self.players = players
        self.token = token
        self.opponents = named_bots(opponents, players)
        self.seat = check_seat(seat, players)
        self.reward = check_reward(reward)
        self.form = spaces.check_form(observation)
        self.render_mode = picture.check_mode(render_mode, self.metadata["render_modes"])
        self.observation_space = spaces.observation_space(self.form)
        self.action_space = spaces.action_space()
        self.game: Game | None = None
        self.learner = 0
        self.bots: dict[int, bots.Bot] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, at the learner's first choice."""
        super().reset(seed=seed, options=options)
        chance = Random(int(self.np_random.integers(1 << 62)))
        self.game = spaces.new_game(self.boxes, self.players, self.token, chance)
        self.learner = chance.randrange(self.players) if self.seat == ANY_SEAT else SEATS.index(self.seat)
        self.bots = {
            (self.learner + nth) % self.players: bots.make(name, chance.getrandbits(62))
            for nth, name in enumerate(self.opponents, start=1)
        }
        self._let_bots_play(self.game)
        self._show()
        return self._observation(self.game), self._info(self.game)

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner acts, and the others until it is asked again or the game is over."""
        game = self._running()
        rounds = len(game.finished)
        move = MOVE_TABLE[self.players][self.learner][action] if 0 <= action < ACTIONS else -1
        legal = move in game.options
        if legal:
            game.play(move)
            self._let_bots_play(game)
        gained = rewards(game, self.reward, rounds)[self.learner]
        info = self._info(game)
        if not legal:
            info["illegal"] = True
        self._show()
        return self._observation(game), gained, game.over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal, as Stable-Baselines3's MaskablePPO asks for it."""
        return spaces.mask(self._running(), self.learner).astype(bool)

    def render(self) -> Any:
        """The table as the learner sees it, in the way that was chosen as `render_mode`."""
        return picture.rendered(self._running().view(SEATS[self.learner]), self.render_mode)

    def _let_bots_play(self, game: Game) -> None:
        while not game.over and game.chooser != self.learner:
            seat = game.chooser
            game.play(bots.ask(self.bots[seat], game, SEATS[seat]))

    def _observation(self, game: Game) -> Any:
        return spaces.observe(game, self.learner, self.form)

    def _info(self, game: Game) -> dict[str, Any]:
        return {"action_mask": spaces.mask(game, self.learner)}

    def _show(self) -> None:
        if self.render_mode == picture.HUMAN:
            self.render()

    def _running(self) -> Game:
        return spaces.begun(self.game)


def named_bots(opponents: str | Sequence[str], players: int) -> list[str]:
    """A bot's name for each of the other seats; an error for people where they are too many, too few or unknown."""
    names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != players - 1:
        raise ValueError(f"{len(names)} opponents for {players} players: name one bot, or {players - 1}")
    for name in names:
        bots.make(name, 0)
    return names


def check_seat(seat: str, players: int) -> str:
    """The same, if it is a seat's letter or `random`."""
    if seat != ANY_SEAT and seat not in list(SEATS[:players]):
        raise ValueError(f"there is no seat {seat!r}: choose one of {', '.join(SEATS[:players])}, or {ANY_SEAT}")
    return seat
