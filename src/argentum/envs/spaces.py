"""Observations and masks as arrays, and the spaces that they are in."""

from random import Random
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from argentum.envs import actions, observation
from argentum.rules.boxes import deck_code, random_code
from argentum.rules.game import FEWEST, MOST, Game

ANY_DECK: Final = "random"  # a new deck code for each game
MASKED: Final = "masked"
PLAIN: Final = "plain"
NAMED: Final = "parts"
FORMS: Final = (MASKED, PLAIN, NAMED)


def check_form(form: str) -> str:
    """The same, if it is a form of observations."""
    if form not in FORMS:
        raise ValueError(f"{form!r} is no form of observations: choose one of {', '.join(FORMS)}")
    return form


def check_deck(boxes: str, players: int) -> None:
    """Boxes must name a deck, or `random`; players are two to four."""
    if boxes != ANY_DECK:
        deck_code(boxes)
    if not FEWEST <= players <= MOST:
        raise ValueError(f"{players} players: Silver is for two to four")


def begun(game: Game | None) -> Game:
    """The game of an environment, which there is after its first reset."""
    if game is None:
        raise RuntimeError("there is no game yet: call reset()")
    return game


def new_game(boxes: str, players: int, token: str, chance: Random) -> Game:
    """A game that follows from a random stream."""
    code = random_code(chance) if boxes == ANY_DECK else boxes
    return Game.new(code, players, chance.getrandbits(62), token)


def action_space() -> "spaces.Discrete":
    """The actions."""
    return spaces.Discrete(actions.ACTIONS)


def observation_space(form: str) -> "spaces.Space[Any]":
    """The observations of a form.

    `plain`: the row of bytes. `masked`: a dictionary of that, `observation`, and the `action_mask`. `parts`: the same,
    but the observation is a dictionary of the parts by name, each in its shape.
    """
    if form == PLAIN:
        return _bytes((observation.SIZE,))
    seen: spaces.Space[Any] = _bytes((observation.SIZE,))
    if form == NAMED:
        seen = spaces.Dict({part.name: _bytes(part.shape) for part in observation.PARTS})
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions.ACTIONS,), np.int8)})


def observe(game: Game, seat: int, form: str) -> Any:
    """What a seat observes, in a form."""
    seen = row(game, seat)
    if form == PLAIN:
        return seen
    told = parts(seen) if form == NAMED else seen
    return {"observation": told, "action_mask": mask(game, seat)}


def row(game: Game, seat: int) -> NDArray[np.uint8]:
    """What a seat observes, as a row of bytes."""
    buffer = bytearray(observation.SIZE)
    observation.encode(game, seat, buffer)
    return np.frombuffer(buffer, np.uint8)


def parts(seen: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
    """The named parts of an observation, each in its shape; of many observations in rows, each with these rows."""
    return {
        part.name: seen[..., part.offset : part.offset + part.size].reshape(*seen.shape[:-1], *part.shape)
        for part in observation.PARTS
    }


def mask(game: Game, seat: int) -> NDArray[np.int8]:
    """A 1 for each legal action of a seat; all 0 while another is asked."""
    buffer = bytearray(actions.ACTIONS)
    if seat == game.chooser:
        actions.mask(game, seat, buffer)
    return np.frombuffer(buffer, np.int8)


def _bytes(shape: tuple[int, ...]) -> "spaces.Box":
    return spaces.Box(0, 255, shape, np.uint8)
