"""Settings that all environments share, and their validation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeAlias, TypedDict, Unpack

from argentum import bots
from argentum.envs.rewards import RANK, check_reward
from argentum.rules.boxes import DEFAULT_BOX, cast_of, resolve_deck_code
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import NO_SEAT

Decks: TypeAlias = str | Sequence[str] | Callable[[int, Random], str]
OpponentNames: TypeAlias = str | Sequence[str]
Opponents: TypeAlias = OpponentNames | Callable[[int, Random], OpponentNames]

RANDOM_SEAT: Final = "random"
DEFAULT_OPPONENT: Final = "steady"  # in the environments with one learner


class EnvOptions(TypedDict, total=False):
    """The fields of :class:`EnvSettings` as keyword arguments of an environment."""

    boxes: Decks
    players: int
    token: str
    rounds: int
    opponents: Opponents
    seat: str
    reward: str
    history: int
    illegal_reward: float | None
    max_steps: int


@dataclass(frozen=True)
class EnvSettings:
    """Settings of an environment. Raise ValueError with a message for users if one is invalid.

    - `boxes`: the deck: a box, a deck code, or `random` for a new mix of the published boxes in each game; a list of
      these, from which each game draws one; or a function `boxes(index, random)` that returns one of them for each
      game.
    - `players`: two to four.
    - `token`: the box whose token is used; empty for the token of the deck.
    - `rounds`: the number of rounds in a game, one to four.
    - `opponents`: empty if the caller acts for every seat (self-play). Otherwise bots play all seats but the learner's:
      the name of one bot for all of them; a list with a name for each, clockwise from the learner; or a function
      `opponents(index, random)` that returns one of these for each game.
    - `seat`: the letter of the learner's seat, or `random` to draw it for each game.
    - `reward`: `rank`, `difference` or `round` (:mod:`argentum.envs.rewards`).
    - `history`: the number of most recent events and own actions in an observation.
    - `illegal_reward`: if not None, an illegal action ends the game with this reward for its seat.
    - `max_steps`: the number of actions after which a game is truncated; 0 for no limit. With opponents, only the
      learner's actions count.

    The functions get the index of the game in its batch (0 in environments with one game) and a random generator.
    """

    boxes: Decks = DEFAULT_BOX
    players: int = MIN_PLAYERS
    token: str = ""
    rounds: int = ROUNDS_PER_GAME
    opponents: Opponents = ()
    seat: str = RANDOM_SEAT
    reward: str = RANK
    history: int = 0
    illegal_reward: float | None = None
    max_steps: int = 0

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= self.players <= MAX_PLAYERS:
            raise ValueError(f"{self.players} players: Silver is for two to four")
        self._check_decks()
        if not 1 <= self.rounds <= ROUNDS_PER_GAME:
            raise ValueError(f"{self.rounds} rounds: a game has one to four")
        if self.history < 0:
            raise ValueError(f"history={self.history}: the length of the history cannot be below 0")
        if self.max_steps < 0:
            raise ValueError(f"max_steps={self.max_steps}: a limit cannot be below 0; 0 is none")
        self._check_opponents()
        letters = SEAT_LETTERS[: self.players]
        if self.seat != RANDOM_SEAT and self.seat not in list(letters):
            raise ValueError(f"there is no seat {self.seat!r}: choose one of {', '.join(letters)}, or {RANDOM_SEAT}")
        check_reward(self.reward)

    def _check_decks(self) -> None:
        if callable(self.boxes):
            return
        decks = [self.boxes] if isinstance(self.boxes, str) else list(self.boxes)
        if not decks:
            raise ValueError("boxes is an empty list: name at least one deck")
        for deck in decks:
            cast_of(resolve_deck_code(deck, Random(0)), self.token)

    def _check_opponents(self) -> None:
        if callable(self.opponents) or not self.opponents:
            return
        for name in set(opponent_names(self.opponents, self.players)):
            bots.make(name, 0)

    @property
    def learner_seat(self) -> int:
        """The index of the learner's seat, or NO_SEAT if each game draws it."""
        return NO_SEAT if self.seat == RANDOM_SEAT else SEAT_LETTERS.index(self.seat)

    def draw_deck(self, index: int, random: Random) -> str:
        """Return the deck code of the next game at an index of the batch."""
        deck = self.boxes
        if callable(deck):
            deck = deck(index, random)
        elif not isinstance(deck, str):
            deck = random.choice(deck)
        return resolve_deck_code(deck, random)

    def draw_opponents(self, index: int, seed: int) -> tuple[str, ...]:
        """Return the names of the bots of the next game, clockwise from the learner; empty for self-play."""
        names = self.opponents
        if callable(names):
            names = names(index, Random(f"opponents {seed}"))
        return opponent_names(names, self.players) if names else ()


def opponent_names(opponents: OpponentNames, players: int) -> tuple[str, ...]:
    """Return the name of a bot for each seat but the learner's; raise ValueError if there are too many or too few."""
    names = (opponents,) * (players - 1) if isinstance(opponents, str) else tuple(opponents)
    if len(names) != players - 1:
        raise ValueError(f"{len(names)} opponents for {players} players: name one bot, or {players - 1}")
    return names


def make_settings(settings: EnvSettings | None = None, **options: Unpack[EnvOptions]) -> EnvSettings:
    """Return `settings`, by default those of :class:`EnvSettings`, with the given options changed."""
    return replace(settings or EnvSettings(), **options)


def make_learner_settings(settings: EnvSettings | None = None, **options: Unpack[EnvOptions]) -> EnvSettings:
    """Return the settings of an environment with one learner, whose opponents are `steady` unless they are given."""
    changed = make_settings(settings, **options)
    return changed if changed.opponents else replace(changed, opponents=DEFAULT_OPPONENT)


def make_self_play_settings(settings: EnvSettings | None = None, **options: Unpack[EnvOptions]) -> EnvSettings:
    """Return the settings of an environment in which every seat is an agent.

    Raise ValueError for settings that are only for environments with one learner.
    """
    changed = make_settings(settings, **options)
    if changed.opponents or changed.seat != RANDOM_SEAT or changed.illegal_reward is not None:
        raise ValueError("every seat is an agent here: opponents, seat and illegal_reward are not settings")
    return changed
