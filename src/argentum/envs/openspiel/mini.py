"""A mini game for exact methods, `python_silver_mini`; importing this module registers it.

Two seats have one card each, or with `cards=2` two, which they know, and play one round of a few turns by the real
rules. There are six cards of Silver Dagger, two Spies (1), two Mystic Seers (9) and two Master Thieves (12), and a
Flipper (6) begins the discard pile. Seat A plays first, and the round ends as rounds do: after a call, or with the cap
on turns (G14), to which there are `turns` left. The returns are the difference of the points.

Chance deals the two villages, and each card when it is drawn: so the tree has nothing in it that makes no difference
yet. With two cards each there are sets and failed exchanges (G10, G11).

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

from argentum.envs.openspiel.observer import EVENT_FEATURES, SpielObserver
from argentum.envs.openspiel.state import CHANCE_PLAYER, NO_MOVE, TERMINAL_PLAYER, SpielHistory
from argentum.envs.rewards import point_differences
from argentum.observations.actions import ACTION_OF_MOVE, ACTION_TEXTS, move_of_action
from argentum.rules.asking import STEP_PENALTY_END
from argentum.rules.game import Game
from argentum.rules.notation import DRAW, SEAT_LETTERS
from argentum.rules.position_dict import read_position
from argentum.rules.position_text import write_position
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.rules.turns import TURN_CAP

MINI_PLAYERS: Final = 2
MINI_CARDS: Final = (1, 1, 9, 9, 12, 12)
MINI_DISCARD: Final = 6
DEFAULT_TURNS: Final = 3
# Everything that can be chosen, as a seat would say it (`argentum.observations.actions.text`).
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
    """The bounds of the game with so many cards each; nothing in its tree is ever more."""

    turns: int
    points: float
    turn: int  # moves
    rows: int  # of what a seat is told and does
    actions: tuple[str, ...]


MINI_BOUNDS: Final = {
    1: MiniBounds(4, 22.0, 6, 40, ONE_CARD_ACTIONS),  # a 12 and a lost call, against a won one
    2: MiniBounds(3, 54.0, 10, 60, tuple(dict.fromkeys((*ONE_CARD_ACTIONS, *TWO_CARD_ACTIONS)))),
}


@cache
def _actions(cards: int) -> dict[int, int]:
    """The game's number of each action, by its number in :mod:`argentum.observations.actions`."""
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
    """A place in the tree of the game. It never changes, and is made once: exact methods come by many times."""

    def __init__(
        self, turns: int, cards: int, steps: tuple[int, ...], left: Counter[int], game: Game | None = None
    ) -> None:
        self.turns: Final = turns
        self.cards: Final = cards  # of each village
        self.steps: Final = steps
        self.left: Final = left  # of the cards
        self.game: Final = game
        self.memories = [SpielHistory() for _ in range(MINI_PLAYERS)]
        self.pending_move = NO_MOVE  # a move that takes the top of the deck: chance says which card that is
        self.text_cache: Final[dict[tuple[bool, ...], str]] = {}  # what observers have said of it
        self._next: Final[dict[int, MiniNode]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return _node_at, (self.turns, self.cards, self.steps)

    def __deepcopy__(self, memo: object) -> "MiniNode":
        return self

    @cached_property
    def chooser(self) -> int:
        """The seat to move, or chance, or that the game is over."""
        if self.game is None or self.pending_move != NO_MOVE:
            return CHANCE_PLAYER
        return TERMINAL_PLAYER if self.game.over else self.game.chooser

    @cached_property
    def legal_actions(self) -> list[int]:
        """The legal actions of the seat to move, in order."""
        assert self.game is not None
        table = ACTION_OF_MOVE[MINI_PLAYERS][self.chooser]
        return sorted([_actions(self.cards)[table[move]] for move in self.game.legal_moves()])

    @cached_property
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that chance may deal, a whole village or the one that is drawn, and how likely each is."""
        size = self.cards if self.game is None else 1
        hand_count = comb(self.left.total(), size)
        hands = sorted(set(combinations(sorted(self.left.elements()), size)))
        return [(_outcome_number(hand), _combinations(hand, self.left) / hand_count) for hand in hands]

    @cached_property
    def returns(self) -> list[float]:
        """How many points less than the other each seat has."""
        if self.game is None or not self.game.over:
            return [0.0] * MINI_PLAYERS
        return point_differences(list(self.game.scores[-1].values()))

    def history(self, seat: int) -> SpielHistory:
        """What a seat was told and did, up to now."""
        return self.memories[seat]

    def child(self, step: int) -> "MiniNode":
        """The place that an outcome of chance, or an action, leads to."""
        node = self._next.get(step)
        if node is None:
            node = self._next[step] = self._act(step) if self.chooser != CHANCE_PLAYER else self._deal(step)
        return node

    def drop_children(self) -> None:
        """Keep the places after this one no longer: each has a game of its own, and a single walk needs none twice."""
        self._next.clear()

    def _deal(self, outcome: int) -> "MiniNode":
        """Chance deals a village, or the card that is drawn."""
        game = self.game
        left = self.left - Counter(_outcome_cards(outcome, self.cards if game is None else 1))
        if game is not None:
            game = game.with_faces({game.copy_table().deck[-1]: outcome})
            game.play(self.pending_move)
        elif len(self.steps) + 1 == MINI_PLAYERS:
            hands = [_outcome_cards(step, self.cards) for step in (*self.steps, outcome)]
            game = _dealt_game(hands, left, self.turns)
        return self._make_child(outcome, left, game)

    def _act(self, action: int) -> "MiniNode":
        """The seat to move does something; a card that it takes from the deck comes from chance."""
        assert self.game is not None
        move = move_of_action(
            SEAT_LETTERS[self.chooser], MINI_PLAYERS, ACTION_TEXTS.index(MINI_BOUNDS[self.cards].actions[action])
        )
        game = self.game.copy()
        takes = move == DRAW or game.copy_table().step == STEP_PENALTY_END
        if not takes:
            game.play(move)
        new = self._make_child(action, self.left, game, move)
        new.pending_move = move if takes else NO_MOVE
        return new

    def _make_child(self, step: int, left: Counter[int], game: Game | None, move: int = NO_MOVE) -> "MiniNode":
        """The next place, with what the seats are told on the way."""
        new = MiniNode(self.turns, self.cards, (*self.steps, step), left, game)
        new.memories = [memory.copy() for memory in self.memories]
        if self.game is not None and move != NO_MOVE:
            new.memories[self.chooser].add_move(self.game, self.chooser, move, step)
        if game is not None:
            for seat in range(MINI_PLAYERS):
                new.memories[seat].add_events(game, seat)
        return new


def _outcome_number(hand: tuple[int, ...]) -> int:
    """The number of an outcome of chance: that of the card; of two, the first counts for more."""
    number = 0
    for card in hand:
        number = number * RESIDENTS_PER_BOX + card
    return number


def _outcome_cards(outcome: int, size: int) -> tuple[int, ...]:
    """The cards that an outcome deals."""
    return tuple([outcome // RESIDENTS_PER_BOX**place % RESIDENTS_PER_BOX for place in reversed(range(size))])


def _combinations(hand: tuple[int, ...], left: Counter[int]) -> int:
    """In how many ways cards that are left make a hand."""
    return prod([comb(left[number], count) for number, count in Counter(hand).items()])


def _dealt_game(hands: list[tuple[int, ...]], left: Counter[int], turns: int) -> Game:
    """Return a game with these hands dealt, after the seats have looked at their cards (G4, G22)."""
    villages = {SEAT_LETTERS[seat]: " ".join([str(card) for card in hand]) for seat, hand in enumerate(hands)}
    deck = " ".join([str(number) for number in left.elements()])
    table = read_position(
        {"boxes": "dagger", "villages": villages, "deck": deck, "discard": str(MINI_DISCARD), "first_look": True}
    )
    table.turns = TURN_CAP - turns
    return Game.resume(write_position(table, (), table.round))


@cache
def _root(turns: int, cards: int) -> MiniNode:
    return MiniNode(turns, cards, (), Counter(MINI_CARDS))


def _node_at(turns: int, cards: int, steps: tuple[int, ...]) -> MiniNode:
    """The place that steps lead to."""
    course = _root(turns, cards)
    for step in steps:
        course = course.child(step)
    return course


class MiniGame(pyspiel.Game):  # type: ignore[misc]
    """The mini game, of a number of turns and cards."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.turns: Final[int] = params["turns"]
        self.cards: Final[int] = params["cards"]
        size = MINI_BOUNDS.get(self.cards)
        if size is None:
            raise ValueError(f"cards={self.cards}: in the mini game everybody has one card, or two")
        if not 1 <= self.turns <= size.turns:
            raise ValueError(f"turns={self.turns}: the mini game with cards={self.cards} has one to {size.turns} turns")
        info = pyspiel.GameInfo(
            num_distinct_actions=len(size.actions),
            max_chance_outcomes=_outcome_number((max(MINI_CARDS),) * self.cards) + 1,
            num_players=MINI_PLAYERS,
            min_utility=-size.points,
            max_utility=size.points,
            utility_sum=0.0,
            max_game_length=self.turns * size.turn,
        )
        super().__init__(MINI_GAME_TYPE, info, params)

    def new_initial_state(self) -> "MiniState":
        """The game before anything is dealt."""
        return MiniState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The villages are dealt, and one card a turn; one more where an exchange can fail (G11)."""
        return MINI_PLAYERS + self.turns * self.cards

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> "MiniObserver":
        """What writes down observations, or information states."""
        if params:
            raise ValueError(f"python_silver_mini has no observation parameters; given {params}")
        return MiniObserver(
            iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), MINI_BOUNDS[self.cards].rows
        )


class MiniState(pyspiel.State):  # type: ignore[misc]
    """A state: a place in the tree."""

    def __init__(self, game: MiniGame) -> None:
        super().__init__(game)
        self.progress = _root(game.turns, game.cards)

    def current_player(self) -> int:
        """The seat to move, or chance, or that the game is over."""
        return self.progress.chooser

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.progress.chooser == TERMINAL_PLAYER

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002  # OpenSpiel's signature
        return self.progress.legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, and how likely each is."""
        return self.progress.chance_outcomes

    def _apply_action(self, action: int) -> None:
        self.progress = self.progress.child(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE_PLAYER:
            return MINI_BOUNDS[self.progress.cards].actions[action]
        hand = _outcome_cards(action, self.progress.cards if self.progress.game is None else 1)
        return f"deal {' '.join([str(card) for card in hand])}"

    def returns(self) -> list[float]:
        """How many points less than the other each seat has, when the round is over."""
        return self.progress.returns

    def __str__(self) -> str:
        """The position with all its faces."""
        game = self.progress.game
        if game is None:
            hands = [_outcome_cards(step, self.progress.cards) for step in self.progress.steps]
            return f"dealt: {' '.join([str(card) for hand in hands for card in hand])}"
        lines = [f"to move: {'chance' if self.progress.chooser == CHANCE_PLAYER else game.to_move}"]
        return "\n".join([*lines, *[f"{key}: {value}" for key, value in game.position().items()]])


class MiniObserver(SpielObserver):
    """Information states: who the seat is, and all that it was told and did."""

    def __init__(self, kind: pyspiel.IIGObservationType, rows: int) -> None:
        super().__init__(
            kind, {"player": (MINI_PLAYERS,), "told": (rows, EVENT_FEATURES)} if kind.perfect_recall else {}
        )
        self.key: Final[tuple[bool, ...]] = (kind.perfect_recall, kind.public_info, self.single_player)

    def write(self, progress: MiniNode, player: int) -> None:
        self.write_history(progress.history(player), player)

    def string_from(self, state: MiniState, player: int) -> str:
        """The same in words, which are made once."""
        words = state.progress.text_cache
        key = (*self.key, bool(player))
        if key not in words:
            words[key] = super().string_from(state, player)
        return words[key]


pyspiel.register_game(MINI_GAME_TYPE, MiniGame)
