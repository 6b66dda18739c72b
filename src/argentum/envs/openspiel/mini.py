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

from argentum.envs.openspiel.observer import TOLD, Observer
from argentum.envs.openspiel.state import CHANCE, NO_MOVE, TERMINAL, Memory, margins
from argentum.observations.actions import ACTION_OF_MOVE, ACTION_TEXTS, move_of_action
from argentum.rules.asking import STEP_PENALTY_END
from argentum.rules.game import Game
from argentum.rules.notation import DRAW, SEAT_LETTERS
from argentum.rules.position_dict import read_position
from argentum.rules.position_text import write_position
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.rules.turns import TURN_CAP

PLAYERS: Final = 2
CARDS: Final = (1, 1, 9, 9, 12, 12)
DISCARD: Final = 6
TURNS: Final = 3
# Everything that can be chosen, as a seat would say it (`argentum.observations.actions.text`).
ACTIONS: Final = (
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
WITH_TWO: Final = (
    "done",
    "at left",
    "at right",
    *[f"{word} own {place}" for word in ("exchange", "and", "at", "ability", "card") for place in range(1, 6)],
    *[f"card first {place}" for place in range(1, 6)],
)


class Size(NamedTuple):
    """The bounds of the game with so many cards each; nothing in its tree is ever more."""

    turns: int
    points: float
    turn: int  # moves
    rows: int  # of what a seat is told and does
    actions: tuple[str, ...]


SIZES: Final = {
    1: Size(4, 22.0, 6, 40, ACTIONS),  # a 12 and a lost call, against a won one
    2: Size(3, 54.0, 10, 60, tuple(dict.fromkeys((*ACTIONS, *WITH_TWO)))),
}


@cache
def _actions(cards: int) -> dict[int, int]:
    """The game's number of each action, by its number in :mod:`argentum.observations.actions`."""
    return {ACTION_TEXTS.index(text): action for action, text in enumerate(SIZES[cards].actions)}


TYPE: Final = pyspiel.GameType(
    short_name="python_silver_mini",
    long_name="Silver with two cards",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=PLAYERS,
    min_num_players=PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=False,
    provides_factored_observation_string=True,
    parameter_specification={"turns": TURNS, "cards": 1},
)


class MiniCourse:
    """A place in the tree of the game. It never changes, and is made once: exact methods come by many times."""

    def __init__(
        self, turns: int, cards: int, steps: tuple[int, ...], left: Counter[int], game: Game | None = None
    ) -> None:
        self.turns: Final = turns
        self.cards: Final = cards  # of each village
        self.steps: Final = steps
        self.left: Final = left  # of the cards
        self.game: Final = game
        self.memories = [Memory() for _ in range(PLAYERS)]
        self.waiting = NO_MOVE  # a move that takes the top of the deck: chance says which card that is
        self.words: Final[dict[tuple[bool, ...], str]] = {}  # what observers have said of it
        self._next: Final[dict[int, MiniCourse]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return _course, (self.turns, self.cards, self.steps)

    def __deepcopy__(self, memo: object) -> "MiniCourse":
        return self

    @cached_property
    def chooser(self) -> int:
        """The seat to move, or chance, or that the game is over."""
        if self.game is None or self.waiting != NO_MOVE:
            return CHANCE
        return TERMINAL if self.game.over else self.game.chooser

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions of the seat to move, in order."""
        assert self.game is not None
        table = ACTION_OF_MOVE[PLAYERS][self.chooser]
        return sorted([_actions(self.cards)[table[move]] for move in self.game.legal_moves()])

    @cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """The cards that chance may deal, a whole village or the one that is drawn, and how likely each is."""
        size = self.cards if self.game is None else 1
        ways = comb(self.left.total(), size)
        hands = sorted(set(combinations(sorted(self.left.elements()), size)))
        return [(_outcome(hand), _chances(hand, self.left) / ways) for hand in hands]

    @cached_property
    def returns(self) -> list[float]:
        """How many points less than the other each seat has."""
        if self.game is None or not self.game.over:
            return [0.0] * PLAYERS
        return margins(list(self.game.scores[-1].values()))

    def memory(self, seat: int) -> Memory:
        """What a seat was told and did, up to now."""
        return self.memories[seat]

    def after(self, step: int) -> "MiniCourse":
        """The place that an outcome of chance, or an action, leads to."""
        found = self._next.get(step)
        if found is None:
            found = self._next[step] = self._act(step) if self.chooser != CHANCE else self._deal(step)
        return found

    def forget(self) -> None:
        """Keep the places after this one no longer: each has a game of its own, and a single walk needs none twice."""
        self._next.clear()

    def _deal(self, outcome: int) -> "MiniCourse":
        """Chance deals a village, or the card that is drawn."""
        game = self.game
        left = self.left - Counter(_hand(outcome, self.cards if game is None else 1))
        if game is not None:
            game = game.with_faces({game.copy_table().deck[-1]: outcome})
            game.play(self.waiting)
        elif len(self.steps) + 1 == PLAYERS:
            hands = [_hand(step, self.cards) for step in (*self.steps, outcome)]
            game = _dealt(hands, left, self.turns)
        return self._then(outcome, left, game)

    def _act(self, action: int) -> "MiniCourse":
        """The seat to move does something; a card that it takes from the deck comes from chance."""
        assert self.game is not None
        move = move_of_action(
            SEAT_LETTERS[self.chooser], PLAYERS, ACTION_TEXTS.index(SIZES[self.cards].actions[action])
        )
        game = self.game.copy()
        takes = move == DRAW or game.copy_table().step == STEP_PENALTY_END
        if not takes:
            game.play(move)
        new = self._then(action, self.left, game, move)
        new.waiting = move if takes else NO_MOVE
        return new

    def _then(self, step: int, left: Counter[int], game: Game | None, move: int = NO_MOVE) -> "MiniCourse":
        """The next place, with what the seats are told on the way."""
        new = MiniCourse(self.turns, self.cards, (*self.steps, step), left, game)
        new.memories = [memory.copy() for memory in self.memories]
        if self.game is not None and move != NO_MOVE:
            new.memories[self.chooser].act(self.game, self.chooser, move, step)
        if game is not None:
            for seat in range(PLAYERS):
                new.memories[seat].listen(game, seat)
        return new


def _outcome(hand: tuple[int, ...]) -> int:
    """The number of an outcome of chance: that of the card; of two, the first counts for more."""
    number = 0
    for card in hand:
        number = number * RESIDENTS_PER_BOX + card
    return number


def _hand(outcome: int, size: int) -> tuple[int, ...]:
    """The cards that an outcome deals."""
    return tuple([outcome // RESIDENTS_PER_BOX**place % RESIDENTS_PER_BOX for place in reversed(range(size))])


def _chances(hand: tuple[int, ...], left: Counter[int]) -> int:
    """In how many ways cards that are left make a hand."""
    return prod([comb(left[number], count) for number, count in Counter(hand).items()])


def _dealt(hands: list[tuple[int, ...]], left: Counter[int], turns: int) -> Game:
    """The game when the villages are dealt; the seats have looked at their cards (G4, G22)."""
    villages = {SEAT_LETTERS[seat]: " ".join([str(card) for card in hand]) for seat, hand in enumerate(hands)}
    deck = " ".join([str(number) for number in left.elements()])
    table = read_position(
        {"boxes": "dagger", "villages": villages, "deck": deck, "discard": str(DISCARD), "first_look": True}
    )
    table.turns = TURN_CAP - turns
    return Game.resume(write_position(table, (), table.round))


@cache
def _root(turns: int, cards: int) -> MiniCourse:
    """Where the tree begins."""
    return MiniCourse(turns, cards, (), Counter(CARDS))


def _course(turns: int, cards: int, steps: tuple[int, ...]) -> MiniCourse:
    """The place that steps lead to."""
    course = _root(turns, cards)
    for step in steps:
        course = course.after(step)
    return course


class MiniGame(pyspiel.Game):  # type: ignore[misc]
    """The mini game, of a number of turns and cards."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.turns: Final[int] = params["turns"]
        self.cards: Final[int] = params["cards"]
        size = SIZES.get(self.cards)
        if size is None:
            raise ValueError(f"cards={self.cards}: in the mini game everybody has one card, or two")
        if not 1 <= self.turns <= size.turns:
            raise ValueError(f"turns={self.turns}: the mini game with cards={self.cards} has one to {size.turns} turns")
        info = pyspiel.GameInfo(
            num_distinct_actions=len(size.actions),
            max_chance_outcomes=_outcome((max(CARDS),) * self.cards) + 1,
            num_players=PLAYERS,
            min_utility=-size.points,
            max_utility=size.points,
            utility_sum=0.0,
            max_game_length=self.turns * size.turn,
        )
        super().__init__(TYPE, info, params)

    def new_initial_state(self) -> "MiniState":
        """The game before anything is dealt."""
        return MiniState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The villages are dealt, and one card a turn; one more where an exchange can fail (G11)."""
        return PLAYERS + self.turns * self.cards

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> "MiniObserver":
        """What writes down observations, or information states."""
        if params:
            raise ValueError(f"python_silver_mini has no observation parameters; given {params}")
        return MiniObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), SIZES[self.cards].rows)


class MiniState(pyspiel.State):  # type: ignore[misc]
    """A state: a place in the tree."""

    def __init__(self, game: MiniGame) -> None:
        super().__init__(game)
        self.course = _root(game.turns, game.cards)

    def current_player(self) -> int:
        """The seat to move, or chance, or that the game is over."""
        return self.course.chooser

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.course.chooser == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002  # OpenSpiel's signature
        return self.course.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, and how likely each is."""
        return self.course.outcomes

    def _apply_action(self, action: int) -> None:
        self.course = self.course.after(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return SIZES[self.course.cards].actions[action]
        hand = _hand(action, self.course.cards if self.course.game is None else 1)
        return f"deal {' '.join([str(card) for card in hand])}"

    def returns(self) -> list[float]:
        """How many points less than the other each seat has, when the round is over."""
        return self.course.returns

    def __str__(self) -> str:
        """The position with all its faces."""
        game = self.course.game
        if game is None:
            hands = [_hand(step, self.course.cards) for step in self.course.steps]
            return f"dealt: {' '.join([str(card) for hand in hands for card in hand])}"
        lines = [f"to move: {'chance' if self.course.chooser == CHANCE else game.to_move}"]
        return "\n".join([*lines, *[f"{key}: {value}" for key, value in game.position().items()]])


class MiniObserver(Observer):
    """Information states: who the seat is, and all that it was told and did."""

    def __init__(self, kind: pyspiel.IIGObservationType, rows: int) -> None:
        super().__init__(kind, {"player": (PLAYERS,), "told": (rows, TOLD)} if kind.perfect_recall else {})
        self.key: Final[tuple[bool, ...]] = (kind.perfect_recall, kind.public_info, self.alone)

    def write(self, course: MiniCourse, player: int) -> None:
        """Write the tensor."""
        self.write_told(course.memory(player), player)

    def string_from(self, state: MiniState, player: int) -> str:
        """The same in words, which are made once."""
        words = state.course.words
        key = (*self.key, bool(player))
        if key not in words:
            words[key] = super().string_from(state, player)
        return words[key]


pyspiel.register_game(TYPE, MiniGame)
