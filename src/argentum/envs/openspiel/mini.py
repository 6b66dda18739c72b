"""`python_silver_mini`, a game of OpenSpiel for exact methods; importing this module registers it.

Two seats have one card each, which they know (two with `cards=2`), and play one round of a few turns by the full
rules. There are six cards of Silver Dagger: two Spies (1), two Mystic Seers (9) and two Master Thieves (12). A Flipper
(6) starts the discard pile. Seat A plays first. The round ends after a call, or after `turns` turns, as at the cap on
turns (G14). The returns are the difference in points.

Chance deals the two villages at the start, and each other card only when it is drawn, which keeps the tree small.
With `cards=2`, there are sets and failed exchanges (G10, G11).

>>> import pyspiel
>>> state = pyspiel.load_game("python_silver_mini(turns=2)").new_initial_state()
>>> for step in ("deal 9", "deal 1", "draw", "deal 12", "use", "card own 1"):
...     state.apply_action(state.string_to_action(step))
>>> print(*state.information_state_string(1).splitlines()[3:8], sep="\\n")
drew A source=deck
discarded A number=12 goes=discard
used A number=12
looked A spot=A1
switched A spot=A1 to=B1
"""

from collections import Counter
from functools import cache, cached_property
from itertools import combinations
from math import comb, prod
from typing import Any, Final, NamedTuple

import pyspiel

from argentum.envs.openspiel.observer import SpielObserver
from argentum.envs.openspiel.state import CHANCE_PLAYER, NO_MOVE, TERMINAL_PLAYER, SpielHistory
from argentum.observations.actions import ACTION_OF_MOVE, ACTION_TEXTS, move_of_action
from argentum.observations.float_layout import EVENT_FLOATS
from argentum.rules.asking import STEP_PENALTY_END
from argentum.rules.game import Game
from argentum.rules.notation import DRAW, SEAT_LETTERS
from argentum.rules.position_dict import read_position
from argentum.rules.position_text import write_position
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.rules.standings import point_differences
from argentum.rules.turns import TURN_CAP

MINI_PLAYERS: Final = 2
MINI_BOX: Final = "dagger"
MINI_CARDS: Final = (1, 1, 9, 9, 12, 12)
MINI_DISCARD: Final = 6
DEFAULT_TURNS: Final = 3
# All actions of the game, as texts of `argentum.observations.actions`.
ONE_CARD_ACTIONS: Final = (
    "draw",
    "take",
    "call",
    "discard",
    "use",
    "stop",
    "end",
    "exchange own 1",
    "ability own 1",
    "card own 1",
    "card first 1",
)
TWO_CARD_ACTIONS: Final = (
    "done",
    "at left",
    "at right",
    *[f"{word} own {place}" for word in ("exchange", "and", "at", "ability", "card") for place in range(1, 6)],
    *[f"card first {place}" for place in range(1, 6)],
)


class MiniBounds(NamedTuple):
    """Upper bounds, and the actions, of the game with a certain number of cards per village."""

    turns: int  # of the parameter `turns`
    points: float  # difference of two seats
    moves_per_turn: int
    history_rows: int  # events and moves in the history of a seat
    actions: tuple[str, ...]


# By cards per village. The bounds on points are those of a seat with high cards and a missed call against 0 points.
MINI_BOUNDS: Final = {
    1: MiniBounds(4, 22.0, 6, 40, ONE_CARD_ACTIONS),
    2: MiniBounds(3, 54.0, 10, 60, tuple(dict.fromkeys((*ONE_CARD_ACTIONS, *TWO_CARD_ACTIONS)))),
}


@cache
def _mini_actions(cards: int) -> dict[int, int]:
    """Map actions of :mod:`argentum.observations.actions` to actions of this game."""
    return {ACTION_TEXTS.index(text): action for action, text in enumerate(MINI_BOUNDS[cards].actions)}


MINI_GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_silver_mini",
    long_name="Silver with two cards",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MINI_PLAYERS,
    min_num_players=MINI_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=False,
    provides_factored_observation_string=True,
    parameter_specification={"turns": DEFAULT_TURNS, "cards": 1},
)


class MiniNode:
    """An immutable node of the game tree. Nodes are created once and shared, as exact methods visit them often."""

    def __init__(
        self, turns: int, cards: int, steps: tuple[int, ...], undealt: Counter[int], game: Game | None = None
    ) -> None:
        self.turns: Final = turns
        self.cards: Final = cards  # per village
        self.steps: Final = steps  # actions and chance outcomes from the root
        self.undealt: Final = undealt
        self.game: Final = game  # None before both villages are dealt
        self.histories = [SpielHistory() for _ in range(MINI_PLAYERS)]
        self.pending_move = NO_MOVE  # a move that draws from the deck, played after chance has dealt the card
        self.text_cache: Final[dict[tuple[bool, ...], str]] = {}  # by `MiniObserver.cache_key` and player
        self._children: Final[dict[int, MiniNode]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return _find_node, (self.turns, self.cards, self.steps)

    def __deepcopy__(self, memo: object) -> "MiniNode":
        return self

    @cached_property
    def chooser(self) -> int:
        """The seat to move, or `CHANCE_PLAYER` or `TERMINAL_PLAYER`."""
        if self.game is None or self.pending_move != NO_MOVE:
            return CHANCE_PLAYER
        return TERMINAL_PLAYER if self.game.over else SEAT_LETTERS.index(self.game.to_move)

    @cached_property
    def legal_actions(self) -> list[int]:
        """Legal actions of the seat to move, ascending."""
        assert self.game is not None
        action_of_move = ACTION_OF_MOVE[MINI_PLAYERS][self.chooser]
        mini_action_of = _mini_actions(self.cards)
        return sorted([mini_action_of[action_of_move[move]] for move in self.game.legal()])

    @cached_property
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Villages or drawn cards that chance can deal now, with their probabilities."""
        size = self.cards if self.game is None else 1
        hand_count = comb(self.undealt.total(), size)
        hands = sorted(set(combinations(sorted(self.undealt.elements()), size)))
        return [(_encode_hand(hand), _count_combinations(hand, self.undealt) / hand_count) for hand in hands]

    @cached_property
    def returns(self) -> list[float]:
        """Returns by seat: the other seat's points minus its own; 0 before the end."""
        if self.game is None or not self.game.over:
            return [0.0] * MINI_PLAYERS
        return point_differences(list(self.game.scores[-1].values()))

    def history(self, seat: int) -> SpielHistory:
        """Return the events and moves of a seat."""
        return self.histories[seat]

    def child(self, step: int) -> "MiniNode":
        """Return the node after an action or a chance outcome."""
        node = self._children.get(step)
        if node is None:
            node = self._children[step] = (
                self._apply_action(step) if self.chooser != CHANCE_PLAYER else self._apply_chance(step)
            )
        return node

    def drop_children(self) -> None:
        """Forget the children to free the memory of their games. `child` creates them again."""
        self._children.clear()

    def _apply_chance(self, outcome: int) -> "MiniNode":
        game = self.game
        undealt = self.undealt - Counter(_decode_hand(outcome, self.cards if game is None else 1))
        if game is not None:
            game = game.with_faces({game.position().table.deck[-1]: outcome})
            game.play(self.pending_move)
        elif len(self.steps) + 1 == MINI_PLAYERS:
            hands = [_decode_hand(step, self.cards) for step in (*self.steps, outcome)]
            game = _start_game(hands, undealt, self.turns)
        return self._make_child(outcome, undealt, game)

    def _apply_action(self, action: int) -> "MiniNode":
        assert self.game is not None
        move = move_of_action(
            SEAT_LETTERS[self.chooser], MINI_PLAYERS, ACTION_TEXTS.index(MINI_BOUNDS[self.cards].actions[action])
        )
        game = self.game.copy()
        takes_deck_card = move == DRAW or game.position().table.step == STEP_PENALTY_END
        if not takes_deck_card:
            game.play(move)
        child = self._make_child(action, self.undealt, game, move)
        child.pending_move = move if takes_deck_card else NO_MOVE
        return child

    def _make_child(self, step: int, undealt: Counter[int], game: Game | None, move: int = NO_MOVE) -> "MiniNode":
        """Create the node after a step; add the move and the new events to its histories."""
        child = MiniNode(self.turns, self.cards, (*self.steps, step), undealt, game)
        child.histories = [history.copy() for history in self.histories]
        if self.game is not None and move != NO_MOVE:
            child.histories[self.chooser].add_move(self.game, self.chooser, move, step)
        if game is not None:
            for seat in range(MINI_PLAYERS):
                child.histories[seat].add_events(game, seat)
        return child


def _encode_hand(hand: tuple[int, ...]) -> int:
    """Return the chance outcome that deals a hand: the cards are its digits to base `RESIDENTS_PER_BOX`."""
    outcome = 0
    for number in hand:
        outcome = outcome * RESIDENTS_PER_BOX + number
    return outcome


def _decode_hand(outcome: int, size: int) -> tuple[int, ...]:
    """Return the hand of `size` cards that a chance outcome deals."""
    return tuple([outcome // RESIDENTS_PER_BOX**digit % RESIDENTS_PER_BOX for digit in reversed(range(size))])


def _count_combinations(hand: tuple[int, ...], undealt: Counter[int]) -> int:
    """Count the ways to draw the cards of a hand from the undealt cards."""
    return prod([comb(undealt[number], count) for number, count in Counter(hand).items()])


def _start_game(hands: list[tuple[int, ...]], undealt: Counter[int], turns: int) -> Game:
    """Return a game whose villages are these hands, in which the seats have looked at their cards (G4, G22)."""
    villages = {SEAT_LETTERS[seat]: " ".join([str(card) for card in hand]) for seat, hand in enumerate(hands)}
    deck = " ".join([str(number) for number in undealt.elements()])
    table = read_position(
        {"boxes": MINI_BOX, "villages": villages, "deck": deck, "discard": str(MINI_DISCARD), "first_look": True}
    )
    table.turns = TURN_CAP - turns
    return Game.resume(write_position(table, (), table.round))


@cache
def _root_node(turns: int, cards: int) -> MiniNode:
    return MiniNode(turns, cards, (), Counter(MINI_CARDS))


def _find_node(turns: int, cards: int, steps: tuple[int, ...]) -> MiniNode:
    node = _root_node(turns, cards)
    for step in steps:
        node = node.child(step)
    return node


class MiniGame(pyspiel.Game):  # type: ignore[misc]
    """The game `python_silver_mini`, with `turns` turns and `cards` cards per village."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.turns: Final[int] = params["turns"]
        self.cards: Final[int] = params["cards"]
        bounds = MINI_BOUNDS.get(self.cards)
        if bounds is None:
            raise ValueError(f"cards={self.cards}: in the mini game everybody has one card, or two")
        if not 1 <= self.turns <= bounds.turns:
            raise ValueError(
                f"turns={self.turns}: the mini game with cards={self.cards} has one to {bounds.turns} turns"
            )
        info = pyspiel.GameInfo(
            num_distinct_actions=len(bounds.actions),
            max_chance_outcomes=_encode_hand((max(MINI_CARDS),) * self.cards) + 1,
            num_players=MINI_PLAYERS,
            min_utility=-bounds.points,
            max_utility=bounds.points,
            utility_sum=0.0,
            max_game_length=self.turns * bounds.moves_per_turn,
        )
        super().__init__(MINI_GAME_TYPE, info, params)

    def new_initial_state(self) -> "MiniState":
        """Return the root: the state before the villages are dealt."""
        return MiniState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound: one node per village, and in each turn a drawn card and, with `cards=2`, a penalty (G11)."""
        return MINI_PLAYERS + self.turns * self.cards

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> "MiniObserver":
        """Return an observer; by default, of observations without perfect recall."""
        if params:
            raise ValueError(f"python_silver_mini has no observation parameters; given {params}")
        return MiniObserver(
            iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), MINI_BOUNDS[self.cards].history_rows
        )


class MiniState(pyspiel.State):  # type: ignore[misc]
    """A state of `python_silver_mini`."""

    def __init__(self, game: MiniGame) -> None:
        super().__init__(game)
        self.progress = _root_node(game.turns, game.cards)

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or for the end of the game."""
        return self.progress.chooser

    def is_terminal(self) -> bool:
        return self.progress.chooser == TERMINAL_PLAYER

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002  # OpenSpiel's signature
        return self.progress.legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the villages or drawn cards that chance can deal now, with their probabilities."""
        return self.progress.chance_outcomes

    def _apply_action(self, action: int) -> None:
        self.progress = self.progress.child(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE_PLAYER:
            return MINI_BOUNDS[self.progress.cards].actions[action]
        hand = _decode_hand(action, self.progress.cards if self.progress.game is None else 1)
        return f"deal {' '.join([str(card) for card in hand])}"

    def returns(self) -> list[float]:
        """Return for each seat the other seat's points minus its own; 0 before the end."""
        return self.progress.returns

    def __str__(self) -> str:
        """Return the position as text, with the faces of all cards."""
        game = self.progress.game
        if game is None:
            hands = [_decode_hand(step, self.progress.cards) for step in self.progress.steps]
            return f"dealt: {' '.join([str(card) for hand in hands for card in hand])}"
        lines = [f"to move: {'chance' if self.progress.chooser == CHANCE_PLAYER else game.to_move}"]
        return "\n".join([*lines, *[f"{key}: {value}" for key, value in game.position().as_dict().items()]])


class MiniObserver(SpielObserver):
    """Observer of the mini game.

    The tensor of an information state has two parts: `player`, the seat, one-hot; and `told`, its whole history.
    Observations without perfect recall have a text but no tensor.
    """

    def __init__(self, observation_type: pyspiel.IIGObservationType, rows: int) -> None:
        super().__init__(
            observation_type,
            {"player": (MINI_PLAYERS,), "told": (rows, EVENT_FLOATS)} if observation_type.perfect_recall else {},
        )
        self.cache_key: Final[tuple[bool, ...]] = (
            observation_type.perfect_recall,
            observation_type.public_info,
            self.single_player,
        )

    def write_tensor(self, progress: MiniNode, player: int) -> None:
        self.write_history(progress.history(player), player)

    def string_from(self, state: MiniState, player: int) -> str:
        """Return the observation of a player as text, which is cached in the node."""
        texts = state.progress.text_cache
        key = (*self.cache_key, bool(player))
        if key not in texts:
            texts[key] = super().string_from(state, player)
        return texts[key]


pyspiel.register_game(MINI_GAME_TYPE, MiniGame)
