"""A mini game for exact methods, `python_silver_mini`; importing this module registers it.

Two seats have one card each, which they know, and play one round of a few turns by the real rules. There are six cards
of Silver Dagger, two Spies (1), two Mystic Seers (9) and two Master Thieves (12), and a Flipper (6) begins the discard
pile. Seat A plays first, and the round ends as rounds do: after a call, or with the cap on turns (G14), to which there
are `turns` left. The returns are the difference of the points.

Chance deals the two villages, and each card when it is drawn: so the tree has nothing in it that nobody sees.

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
from typing import Any, Final

import pyspiel

from argentum.envs.actions import ACTION_TABLE, TEXTS, move_of
from argentum.envs.spiel_course import CHANCE, NO_MOVE, TERMINAL, Memory, margins
from argentum.envs.spiel_observer import TOLD, Observer
from argentum.rules.game import Game
from argentum.rules.notation import DRAW, SEATS
from argentum.rules.positions import read_position
from argentum.rules.snapshot import write_snapshot
from argentum.rules.turns import TURN_CAP

PLAYERS: Final = 2
CARDS: Final = (1, 1, 9, 9, 12, 12)
DISCARD: Final = 6
TURNS: Final = 3
MOST_TURNS: Final = 4
MOST_POINTS: Final = 22.0  # a 12 and a lost call, against a won one
LONGEST_TURN: Final = 6  # moves
ROWS: Final = 40  # of what a seat is told and does, which are never more
# Everything that can be chosen, as a seat would say it (`argentum.envs.actions.text`).
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
ACTION: Final = {TEXTS.index(text): action for action, text in enumerate(ACTIONS)}

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
    parameter_specification={"turns": TURNS},
)


class MiniCourse:
    """A place in the tree of the game. It never changes, and is made once: exact methods come by many times."""

    def __init__(self, turns: int, steps: tuple[int, ...], left: Counter[int], game: Game | None = None) -> None:
        self.turns: Final = turns
        self.steps: Final = steps
        self.left: Final = left  # of the cards
        self.game: Final = game
        self.memories = [Memory() for _ in range(PLAYERS)]
        self.drawing = False  # a card is drawn, and chance says which
        self.words: Final[dict[tuple[bool, ...], str]] = {}  # what observers have said of it
        self._next: Final[dict[int, MiniCourse]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return _course, (self.turns, self.steps)

    def __deepcopy__(self, memo: object) -> "MiniCourse":
        return self

    @cached_property
    def chooser(self) -> int:
        """The seat to move, or chance, or that the game is over."""
        if self.game is None or self.drawing:
            return CHANCE
        return TERMINAL if self.game.over else self.game.chooser

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions of the seat to move, in order."""
        assert self.game is not None
        table = ACTION_TABLE[PLAYERS][self.chooser]
        return sorted([ACTION[table[move]] for move in self.game.choices()])

    @cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """The cards that chance may deal, and how likely each is."""
        return [(number, self.left[number] / self.left.total()) for number in sorted(self.left)]

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

    def _deal(self, number: int) -> "MiniCourse":
        """Chance deals a village, or the card that is drawn."""
        left = self.left - Counter([number])
        game = self.game
        if game is not None:
            game = game.with_faces({game.snapshot().deck[-1]: number})
            game.play(DRAW)
        elif len(self.steps) + 1 == PLAYERS:
            game = _dealt((*self.steps, number), left, self.turns)
        return self._then(number, left, game)

    def _act(self, action: int) -> "MiniCourse":
        """The seat to move does something; a card that it draws comes from chance."""
        assert self.game is not None
        move = move_of(SEATS[self.chooser], PLAYERS, TEXTS.index(ACTIONS[action]))
        game = self.game.copy()
        if move != DRAW:
            game.play(move)
        return self._then(action, self.left, game, move)

    def _then(self, step: int, left: Counter[int], game: Game | None, move: int = NO_MOVE) -> "MiniCourse":
        """The next place, with what the seats are told on the way."""
        new = MiniCourse(self.turns, (*self.steps, step), left, game)
        new.drawing = move == DRAW
        new.memories = [memory.copy() for memory in self.memories]
        if self.game is not None and move != NO_MOVE:
            new.memories[self.chooser].act(self.game, self.chooser, move, step)
        if game is not None:
            for seat in range(PLAYERS):
                new.memories[seat].listen(game, seat)
        return new


def _dealt(numbers: tuple[int, ...], left: Counter[int], turns: int) -> Game:
    """The game when the villages are dealt; the seats have looked at their cards (G4, G22)."""
    villages = {SEATS[seat]: str(number) for seat, number in enumerate(numbers)}
    deck = " ".join([str(number) for number in left.elements()])
    table = read_position(
        {"boxes": "dagger", "villages": villages, "deck": deck, "discard": str(DISCARD), "first_look": True}
    )
    table.turns = TURN_CAP - turns
    return Game.resume(write_snapshot(table, (), table.round))


@cache
def _root(turns: int) -> MiniCourse:
    """Where the tree begins."""
    return MiniCourse(turns, (), Counter(CARDS))


def _course(turns: int, steps: tuple[int, ...]) -> MiniCourse:
    """The place that steps lead to."""
    course = _root(turns)
    for step in steps:
        course = course.after(step)
    return course


class MiniGame(pyspiel.Game):  # type: ignore[misc]
    """The mini game, of a number of turns."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.turns: Final[int] = params["turns"]
        if not 1 <= self.turns <= MOST_TURNS:
            raise ValueError(f"turns={self.turns}: the mini game has one to {MOST_TURNS} turns")
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=max(CARDS) + 1,
            num_players=PLAYERS,
            min_utility=-MOST_POINTS,
            max_utility=MOST_POINTS,
            utility_sum=0.0,
            max_game_length=self.turns * LONGEST_TURN,
        )
        super().__init__(TYPE, info, params)

    def new_initial_state(self) -> "MiniState":
        """The game before anything is dealt."""
        return MiniState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The villages are dealt, and one card a turn."""
        return PLAYERS + self.turns

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> "MiniObserver":
        """What writes down observations, or information states."""
        if params:
            raise ValueError(f"python_silver_mini has no observation parameters; given {params}")
        return MiniObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class MiniState(pyspiel.State):  # type: ignore[misc]
    """A state: a place in the tree."""

    def __init__(self, game: MiniGame) -> None:
        super().__init__(game)
        self.course = _root(game.turns)

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
        return f"deal {action}" if player == CHANCE else ACTIONS[action]

    def returns(self) -> list[float]:
        """How many points less than the other each seat has, when the round is over."""
        return self.course.returns

    def __str__(self) -> str:
        """The position with all its faces."""
        game = self.course.game
        if game is None:
            return f"dealt: {' '.join([str(number) for number in self.course.steps])}"
        lines = [f"to move: {'chance' if self.course.drawing else game.to_move}"]
        return "\n".join([*lines, *[f"{key}: {value}" for key, value in game.position().items()]])


class MiniObserver(Observer):
    """Information states: who the seat is, and all that it was told and did."""

    def __init__(self, kind: pyspiel.IIGObservationType) -> None:
        super().__init__(kind, {"player": (PLAYERS,), "told": (ROWS, TOLD)} if kind.perfect_recall else {})
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
