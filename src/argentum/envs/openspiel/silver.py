"""Silver as a game of OpenSpiel, `python_silver`; importing this module registers it.

>>> import pyspiel
>>> import argentum.envs.openspiel.silver
>>> game = pyspiel.load_game("python_silver(players=3,boxes=coin,rounds=1)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), game.num_players(), game.num_distinct_actions()
(True, 3, 872)

The returns of a seat are the mean points of the other seats minus its own, so they sum to 0. The first look, which is
simultaneous in the rules (G4), is sequential here; as seats look at their own cards only, this changes little.

`boxes` can also be `random`, or several decks with `/` between them, because OpenSpiel separates parameters by commas:
`python_silver(boxes=coin/dagger)`. Then chance first decides the deck.
"""

from base64 import b64encode
from collections.abc import Callable
from hashlib import blake2b
from pickle import dumps
from typing import Any, Final

import numpy as np
import pyspiel

from argentum.envs.openspiel.observer import SpielObserver
from argentum.envs.openspiel.state import CHANCE_PLAYER, DECK_SEPARATOR, MAX_TOKENS, TERMINAL_PLAYER, SpielProgress
from argentum.envs.settings import EnvSettings
from argentum.observations import one_hot
from argentum.observations.actions import ACTION_COUNT, move_of_action
from argentum.observations.float_layout import EVENT_FLOATS, part_shapes, vector_size
from argentum.rules.boxes import DEFAULT_BOX, is_random_deck
from argentum.rules.deal import DECK_SIZE, VILLAGE_SIZE
from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.turns import TURN_CAP

# Upper bounds: of the difference in points of two seats in a round (all cards count 338; then a missed call, two
# Furries and two Debt Collectors), and of the moves in a turn.
MAX_POINTS: Final = 600
MAX_MOVES_PER_TURN: Final = 200
RECALL_BITS: Final = 64

GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_silver",
    long_name="Silver",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=MAX_PLAYERS,
    min_num_players=MIN_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"players": MIN_PLAYERS, "boxes": DEFAULT_BOX, "rounds": ROUNDS_PER_GAME},
)


class SilverGame(pyspiel.Game):  # type: ignore[misc]
    """The game `python_silver`.

    Its parameters are the fields `players`, `boxes` and `rounds` of :class:`argentum.envs.settings.EnvSettings`.
    """

    def __init__(self, params: dict[str, Any]) -> None:
        self.players: Final[int] = params["players"]
        self.boxes: Final[str] = params["boxes"]
        self.rounds: Final[int] = params["rounds"]
        decks = self.boxes.split(DECK_SEPARATOR)
        EnvSettings(boxes=decks, players=self.players, rounds=self.rounds)  # raises ValueError if one is invalid
        deck_nodes = 1 + RESIDENTS_PER_BOX if len(decks) > 1 or is_random_deck(decks[0]) else 0
        dealt = self.players * VILLAGE_SIZE + 1 + DECK_SIZE
        self.chance_node_limit: Final[int] = deck_nodes + 1 + self.rounds * (dealt + TURN_CAP * CARDS_IN_DECK)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNT,
            max_chance_outcomes=max(RESIDENTS_PER_BOX, len(decks)),
            num_players=self.players,
            min_utility=-float(MAX_POINTS * self.rounds),
            max_utility=float(MAX_POINTS * self.rounds),
            utility_sum=0.0,
            max_game_length=self.rounds * TURN_CAP * MAX_MOVES_PER_TURN,
        )
        super().__init__(GAME_TYPE, info, params)

    def new_initial_state(self) -> "SilverState":
        """Return the state before the deck and the start seat are chosen and cards are dealt."""
        return SilverState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound: the deck, the start seat, a node per dealt card, and a Thing's shuffle in every turn (B8)."""
        return self.chance_node_limit

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> "SilverObserver":
        """Return an observer; by default, of observations without perfect recall."""
        if params:
            raise ValueError(f"python_silver has no observation parameters; given {params}")
        return SilverObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), self.players)


class SilverState(pyspiel.State):  # type: ignore[misc]
    """A state of `python_silver`."""

    def __init__(self, game: SilverGame) -> None:
        super().__init__(game)
        self.progress = SpielProgress(game.boxes, game.players, game.rounds)

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or for the end of the game."""
        return self.progress.chooser

    def is_terminal(self) -> bool:
        return self.progress.chooser == TERMINAL_PLAYER

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002  # OpenSpiel's signature
        return self.progress.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance can decide or deal now, with the probabilities."""
        return self.progress.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.progress.step(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE_PLAYER:
            return str(move_of_action(SEAT_LETTERS[player], self.progress.players, action))
        return self.progress.chance_text(action)

    def returns(self) -> list[float]:
        """Return, for each seat, the sum of its returns for all finished rounds."""
        by_seat = zip(*self.progress.round_returns(), strict=True)
        return [sum(returns) for returns in by_seat] or [0.0] * self.progress.players

    def rewards(self) -> list[float]:
        """Return, for each seat, its return for the round that has just ended; 0 if none has."""
        returns = self.progress.round_returns()
        return returns[-1] if returns and self.progress.has_round_just_ended else [0.0] * self.progress.players

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> "SilverState":
        """Return a random state with the same information state of a player, by re-dealing unknown cards.

        Its action history is copied from this state, so the chance outcomes in it may differ from the re-dealt cards.
        """
        if self.is_chance_node():
            raise ValueError("chance is to deal: only a state in which a seat has to choose can be resampled")
        seed = int(probability_sampler() * 2**53)
        history = self.serialize().splitlines()[:2]
        state: SilverState = self.get_game().deserialize_state("\n".join([*history, EMPTY_STATE]))
        state.progress = self.progress.redeal(player, seed)
        return state

    def __str__(self) -> str:
        """Return the position as text, with the faces of all cards and the numbers that chance has dealt so far.

        Cards that are not dealt yet have arbitrary faces from those that remain.
        """
        lines: list[str] = []
        if self.current_player() == CHANCE_PLAYER:
            lines.append(f"dealt: {' '.join([str(number) for number in self.progress.chance_numbers])}")
        game = self.progress.game
        if self.progress.is_deck_drawn:
            lines.append(f"boxes: {self.progress.code}")
        if game is not None:
            lines += [f"round: {game.round}", f"to move: {game.to_move}"]
            lines += [f"{key}: {value}" for key, value in game.position().as_dict().items()]
        return "\n".join(lines)


# The third line of a serialized state without data, which `resample_from_infostate` sets after deserialization.
EMPTY_STATE: Final = "__dict__=" + b64encode(dumps({})).decode()


class SilverObserver(SpielObserver):
    """Observer of `python_silver`, whose tensors have the parts of :mod:`argentum.observations.one_hot`.

    The tensor of an information state has three more parts: `player`, the seat, one-hot; `told`, its last 64 events and
    actions; and `recall`, a 64-bit hash of the whole history, so that different information states have
    different tensors.
    """

    def __init__(self, observation_type: pyspiel.IIGObservationType, players: int) -> None:
        shapes = part_shapes()
        if observation_type.perfect_recall:
            shapes |= {"player": (players,), "told": (MAX_TOKENS, EVENT_FLOATS), "recall": (RECALL_BITS,)}
        super().__init__(observation_type, shapes)

    def write_tensor(self, progress: SpielProgress, player: int) -> None:
        assert self.tensor is not None
        observation = progress.observation(player)
        self.tensor[: vector_size()] = one_hot.encode_one_hot(observation)
        if self.observation_type.perfect_recall:
            history = progress.history(player)
            self.write_history(history, player)
            digest = blake2b(history.lines.encode() + observation.tobytes(), digest_size=RECALL_BITS // 8).digest()
            self.dict["recall"][:] = np.unpackbits(np.frombuffer(digest, np.uint8))


pyspiel.register_game(GAME_TYPE, SilverGame)
