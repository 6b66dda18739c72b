"""What environments can be told when they are made, and what is wrong with it where it makes no sense."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

from argentum import bots
from argentum.envs.rewards import RANK, check_reward
from argentum.rules.boxes import BOX_NAMES, RANDOM_DECK, cast_of
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import NO_SEAT

# Who plays the other seats: a bot, or one for each, clockwise from the learner; or what says so for each game anew,
# from its place in the batch and a random stream of its own.
OpponentNames: TypeAlias = str | Sequence[str]
Opponents: TypeAlias = OpponentNames | Callable[[int, Random], OpponentNames]


class EnvSettings(NamedTuple):
    """What is played, by whom, and for what."""

    boxes: str
    players: int
    token: str
    rounds: int
    opponents: tuple[str, ...] | Callable[[int, Random], OpponentNames]  # no bots if every seat is asked
    learner_seat: int  # its seat, or NO_SEAT for any, in each game anew
    reward: str
    history: int
    illegal_reward: float = 0.0  # the reward for an illegal action that ends a game
    max_steps: int = 0  # a game is cut short after so many actions; 0 is no limit


def opponent_names(opponents: OpponentNames, players: int) -> tuple[str, ...]:
    """A bot's name for each of the other seats."""
    names = (opponents,) * (players - 1) if isinstance(opponents, str) else tuple(opponents)
    if len(names) != players - 1:
        raise ValueError(f"{len(names)} opponents for {players} players: name one bot, or {players - 1}")
    return names


RANDOM_SEAT: Final = "random"


def make_settings(
    boxes: str = "dagger",
    players: int = MIN_PLAYERS,
    token: str = "",
    rounds: int = ROUNDS_PER_GAME,
    opponents: Opponents = (),
    seat: str = RANDOM_SEAT,
    reward: str = RANK,
    history: int = 0,
    illegal: float | None = None,
    max_steps: int = 0,
) -> EnvSettings:
    """Settings that make sense; else an error for people."""
    check_deck(boxes, players, token)
    if not 1 <= rounds <= ROUNDS_PER_GAME:
        raise ValueError(f"{rounds} rounds: a game has one to four")
    if history < 0:
        raise ValueError(f"history={history}: how many things to remember cannot be below 0")
    if max_steps < 0:
        raise ValueError(f"max_steps={max_steps}: a limit cannot be below 0; 0 is none")
    learner = NO_SEAT if check_seat(seat, players) == RANDOM_SEAT else SEAT_LETTERS.index(seat)
    met, paid = check_opponents(opponents, players), check_reward(reward)
    return EnvSettings(boxes, players, token, rounds, met, learner, paid, history, illegal or 0.0, max_steps)


def check_deck(boxes: str, players: int, token: str = "") -> None:
    """Boxes must name a deck, or be `random`; players are two to four; a token is one of the boxes, or none."""
    cast_of(BOX_NAMES[0] if boxes.strip().lower() == RANDOM_DECK else boxes, token)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"{players} players: Silver is for two to four")


def check_opponents(opponents: Opponents, players: int) -> tuple[str, ...] | Callable[[int, Random], OpponentNames]:
    """A bot's name for each of the other seats, or what will name them; an error for people where that is wrong."""
    if callable(opponents):
        return opponents
    if not opponents:
        return ()
    names = opponent_names(opponents, players)
    for name in names:
        bots.make(name, 0)
    return names


def check_seat(seat: str, players: int) -> str:
    """The same, if it is a seat's letter or `random`."""
    if seat != RANDOM_SEAT and seat not in list(SEAT_LETTERS[:players]):
        raise ValueError(
            f"there is no seat {seat!r}: choose one of {', '.join(SEAT_LETTERS[:players])}, or {RANDOM_SEAT}"
        )
    return seat
