# mypyc: compile
"""Settings of environments and their validation."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

from argentum import bots
from argentum.envs.rewards import RANK, check_reward
from argentum.rules.boxes import DEFAULT_BOX, cast_of, resolve_deck_code
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import NO_SEAT

# The bots at the other seats: one name for all of them, or a name for each, clockwise from the learner. `Opponents` is
# this, or a function that returns it and is called for each game with its index in the batch and a random generator.
OpponentNames: TypeAlias = str | Sequence[str]
Opponents: TypeAlias = OpponentNames | Callable[[int, Random], OpponentNames]


class EnvSettings(NamedTuple):
    """Settings of an environment, validated by `make_settings`."""

    boxes: str
    players: int
    token: str
    rounds: int
    opponents: tuple[str, ...] | Callable[[int, Random], OpponentNames]  # empty for self-play
    learner_seat: int  # or NO_SEAT to draw it for each game
    reward: str  # one of REWARD_KINDS
    history: int  # number of events and actions in an observation
    illegal_reward: float = 0.0  # for an illegal action that ends the game
    max_steps: int = 0  # a game is truncated after this many actions; 0 for no limit


def opponent_names(opponents: OpponentNames, players: int) -> tuple[str, ...]:
    """Return the name of a bot for each seat but the learner's; raise ValueError if there are too many or too few."""
    names = (opponents,) * (players - 1) if isinstance(opponents, str) else tuple(opponents)
    if len(names) != players - 1:
        raise ValueError(f"{len(names)} opponents for {players} players: name one bot, or {players - 1}")
    return names


RANDOM_SEAT: Final = "random"


def make_settings(
    boxes: str = DEFAULT_BOX,
    players: int = MIN_PLAYERS,
    token: str = "",
    rounds: int = ROUNDS_PER_GAME,
    opponents: Opponents = (),
    seat: str = RANDOM_SEAT,
    reward: str = RANK,
    history: int = 0,
    illegal_reward: float | None = None,
    max_steps: int = 0,
) -> EnvSettings:
    """Return validated settings; raise ValueError with a message for users if one is invalid."""
    check_deck(boxes, players, token)
    if not 1 <= rounds <= ROUNDS_PER_GAME:
        raise ValueError(f"{rounds} rounds: a game has one to four")
    if history < 0:
        raise ValueError(f"history={history}: the length of the history cannot be below 0")
    if max_steps < 0:
        raise ValueError(f"max_steps={max_steps}: a limit cannot be below 0; 0 is none")
    learner = NO_SEAT if check_seat(seat, players) == RANDOM_SEAT else SEAT_LETTERS.index(seat)
    return EnvSettings(
        boxes,
        players,
        token,
        rounds,
        check_opponents(opponents, players),
        learner,
        check_reward(reward),
        history,
        illegal_reward or 0.0,
        max_steps,
    )


def check_deck(boxes: str, players: int, token: str = "") -> None:
    """Raise ValueError if the deck, the number of players or the token is invalid."""
    cast_of(resolve_deck_code(boxes, Random(0)), token)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"{players} players: Silver is for two to four")


def check_opponents(opponents: Opponents, players: int) -> tuple[str, ...] | Callable[[int, Random], OpponentNames]:
    """Return the names of the opponents, or a function unchanged; raise ValueError for unknown bots."""
    if callable(opponents):
        return opponents
    if not opponents:
        return ()
    names = opponent_names(opponents, players)
    for name in names:
        bots.make(name, 0)
    return names


def check_seat(seat: str, players: int) -> str:
    """Return `seat`; raise ValueError if it is neither the letter of a seat nor `random`."""
    if seat != RANDOM_SEAT and seat not in list(SEAT_LETTERS[:players]):
        raise ValueError(
            f"there is no seat {seat!r}: choose one of {', '.join(SEAT_LETTERS[:players])}, or {RANDOM_SEAT}"
        )
    return seat
