"""Scenarios: positions with moves and expectations, as TOML files (see docs/notation.md).

The position is the start of a turn, in keys, or any moment of a game, as a text from :meth:`Game.text`::

    title = "B11: a Troublemaker's first card is picked"
    position = '''
    boxes bbbbbbbbbbbbbb; token bullet A idle; round 1 of 1; turn A; A 7:A 5^; B 12 3; C 6 10;
    deck 11 9 9; discard 8; turns 1: 0 0 1; moves draw, use, B2
    '''

    [[step]]
    legal = ["A1", "A2", "C1", "C2"]

A file may hold several scenarios, as ``[[case]]`` tables below the keys that they share.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from argentum.rules.errors import IllegalMove
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.position_dict import PositionError, read_cards, read_seat
from argentum.rules.views import village_texts

POSITION_KEYS = {
    "title",
    "boxes",
    "players",
    "turn",
    "token",
    "round",
    "first_look",
    "direction",
    "previous",
    "caller",
    "deck",
    "deck_up",
    "discard",
    "shown",
    "guards",
    "position",
    "villages",
    "private",
    "seen",
    "totals",
    "step",
}
SEAT_KEYS = {"villages", "private", "hand", "scores", "totals"}
STEP_KEYS = SEAT_KEYS | {
    "do",
    "legal",
    "legal_has",
    "legal_lacks",
    "deck",
    "deck_up",
    "discard",
    "shown",
    "guards",
    "turn",
    "sees",
    "shuffle",
    "direction",
    "token",
    "caller",
    "round_over",
    "winner",
    "refused",
}


class ScenarioError(ValueError):
    """An invalid scenario; the message names the file, the key and the reason."""


class Scenario:
    def __init__(self, source: Mapping[str, Any]) -> None:
        self.source = source
        self.title = str(source.get("title", ""))
        _reject_unknown_keys(source, POSITION_KEYS)
        steps = source.get("step", [])
        if not isinstance(steps, list):
            raise ScenarioError("step: steps are written [[step]]")
        self.steps: list[Mapping[str, Any]] = steps
        try:
            self.game = _start_game(source)
        except PositionError as error:
            raise ScenarioError(str(error)) from None
        if not steps:
            raise ScenarioError("step: there is none, so nothing would be checked; write one as [[step]]")
        for number, step in enumerate(steps, 1):
            try:
                _check_step(step, self.game.players)
            except ValueError as error:
                raise ScenarioError(f"step {number}: {error}") from None

    def play(self) -> list[str]:
        """Play the scenario; return what differs in the first step that fails, or an empty list."""
        game = self.game.copy()
        for number, step in enumerate(self.steps, 1):
            checker = _StepChecker(game, step)
            differences = checker.run()
            if differences:
                return [f"step {number}: {line}" for line in differences]
            game = checker.game
        return []


def _start_game(source: Mapping[str, Any]) -> Game:
    """Return the game at the starting position, which a position text or the other keys describe."""
    if "position" not in source:
        return Game.at(source)
    other_keys = source.keys() & POSITION_KEYS - {"title", "position", "step"}
    if other_keys:
        raise ScenarioError(f"{min(other_keys)}: the text of a position says all of it")
    return Game.resume(str(source["position"]))


def _reject_unknown_keys(part: Mapping[str, Any], known: set[str]) -> None:
    for key in part:
        if key not in known:
            raise ScenarioError(f"{key}: there is no such key; there are {', '.join(sorted(known))}")


def _check_step(step: object, players: int) -> None:
    """Raise `ValueError` if a step has unknown keys, values of the wrong type, or seats that are not in the game."""
    if not isinstance(step, Mapping):
        raise ScenarioError("steps are written [[step]]")
    if not step:
        raise ScenarioError("it makes no move and checks nothing")
    _reject_unknown_keys(step, STEP_KEYS)
    for key, value in step.items():
        if key in ("do", "legal", "legal_has", "legal_lacks") and not _is_text_list(value):
            raise ScenarioError(f"{key}: {value!r} is not a list of texts")
        if key in SEAT_KEYS or key in ("sees", "shuffle"):
            for letter, part in _check_seat_mapping(key, value, players).items():
                if key == "sees":
                    _check_seat_mapping(f"sees.{letter}", part, players)
        if key == "shuffle":
            _read_shuffles(step)


def _check_seat_mapping(key: str, value: object, players: int) -> Mapping[str, Any]:
    """Return `value` if it is a mapping keyed by seat letter, otherwise raise `ValueError`."""
    if not isinstance(value, Mapping):
        raise ScenarioError(f"{key}: {value!r} is not a table of seats")
    for letter in value:
        read_seat(key, letter, players)
    return value


def _read_shuffles(step: Mapping[str, Any]) -> list[list[int]]:
    """Return the results of the shuffles of a step, as the numbers of the shuffled villages."""
    return [
        [number for number, _ in read_cards(f"shuffle.{letter}", village, "^~*")]
        for letter, village in step["shuffle"].items()
    ]


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _normalize(value: object) -> str:
    return " ".join(str(value).split())


class _StepChecker:
    """Plays the moves of a step, and compares the game with what the step expects."""

    def __init__(self, game: Game, step: Mapping[str, Any]) -> None:
        self.game = game.with_faces({}, _read_shuffles(step)) if "shuffle" in step else game
        self.step = step
        self.differences: list[str] = []

    def run(self) -> list[str]:
        error_text = ""
        moves: list[str] = self.step.get("do", [])
        for number, move in enumerate(moves, 1):
            try:
                self._play_move(move)
            except IllegalMove as error:
                if "refused" not in self.step or number < len(moves):
                    return [f"'{move}' was refused: {error}"]
                error_text = str(error)
            except ValueError as error:
                return [f"'{move}': {error}"]
        if "refused" in self.step:
            if not error_text:
                return [f"'{moves[-1] if moves else ''}' was not refused"]
            if str(self.step["refused"]).lower() not in error_text.lower():
                self.differences.append(f"the refusal does not say {self.step['refused']!r} but: {error_text}")
        self._compare_all()
        return self.differences

    def _play_move(self, text: str) -> None:
        seat, _, move = text.strip().partition(" ")
        self.game.play(move, seat=self.game.seats[read_seat("do", seat, self.game.players)])

    def _compare_all(self) -> None:
        for key, expected in self.step.items():
            if key in SEAT_KEYS:
                for letter, value in expected.items():
                    seat = SEAT_LETTERS[read_seat(key, letter, self.game.players)]
                    self._expect_equal(f"{key}.{letter}", value, self._seat_value(key, seat))
            elif key == "sees":
                for viewer, villages in expected.items():
                    for letter, value in villages.items():
                        seats = [read_seat("sees", name, self.game.players) for name in (viewer, letter)]
                        self._expect_equal(
                            f"sees.{viewer}.{letter}",
                            value,
                            village_texts(self.game.view(SEAT_LETTERS[seats[0]]))[SEAT_LETTERS[seats[1]]],
                        )
            elif key.startswith("legal"):
                self._compare_legal(key, {_normalize(move).lower() for move in expected})
            elif key not in ("do", "shuffle", "refused"):
                self._expect_equal(key, expected, self._table_value(key))

    def _expect_equal(self, key: str, expected: object, actual: object) -> None:
        if _normalize(expected).lower() != _normalize(actual).lower():
            self.differences.append(f"{key} is {_normalize(actual)!r}, not {_normalize(expected)!r}")

    def _seat_value(self, key: str, letter: str) -> object:
        game = self.game
        if key == "scores":
            return game.scores[-1][letter] if game.scores else "not scored"
        if key == "totals":
            return game.totals[letter]
        return game.position().as_dict()[key].get(letter, "")

    def _table_value(self, key: str) -> object:
        if key == "turn":
            return self.game.view().turn
        if key == "round_over":
            return self.game.over
        return self.game.winner if key == "winner" else self.game.position().as_dict()[key]

    def _compare_legal(self, key: str, expected: set[str]) -> None:
        actual = {str(move).lower() for move in self.game.legal()}
        if self.game.in_first_look:
            # The first looks are simultaneous (G4): a step may list the moves of all seats, or of one seat.
            looking = self.game.view().looking
            by_seat = [{str(move).lower() for move in self.game.legal(seat)} for seat in looking]
            actual = expected if expected in by_seat else set().union(*by_seat)
        extra, missing = ", ".join(sorted(actual - expected)), ", ".join(sorted(expected - actual))
        if key == "legal" and actual != expected:
            self.differences.append(
                "legal: " + "; ".join([f"also {extra}"] * bool(extra) + [f"not {missing}"] * bool(missing))
            )
        if key == "legal_has" and missing:
            self.differences.append(f"legal lacks {missing}; it is {', '.join(sorted(actual))}")
        if key == "legal_lacks" and actual & expected:
            self.differences.append(f"legal has {', '.join(sorted(actual & expected))}")


def read_scenarios(path: Path) -> list[Scenario]:
    """Read the cases of a scenario file; raise `ScenarioError` if one is invalid."""
    try:
        return _read_cases(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise ScenarioError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: this is not a text file") from None
    except RecursionError:
        raise ScenarioError(f"{path}: this is nested too deeply") from None
    except ValueError as error:
        raise ScenarioError(f"{path}: {error}") from None


def _read_cases(source: Mapping[str, Any]) -> list[Scenario]:
    """Return one scenario per `[[case]]` table, with the other keys of the file as defaults.

    A file without cases is a single scenario.
    """
    if "case" not in source:
        return [Scenario(source)]
    cases = source["case"]
    if not isinstance(cases, list) or not cases:
        raise ScenarioError("case: cases are written [[case]]")
    defaults = {key: value for key, value in source.items() if key != "case"}
    if "step" in defaults:
        raise ScenarioError("step: in a file with cases, the steps of a case are written [[case.step]]")
    _reject_unknown_keys(defaults, POSITION_KEYS)
    scenarios = []
    for number, case in enumerate(cases, 1):
        if not isinstance(case, Mapping):
            raise ScenarioError("case: cases are written [[case]]")
        try:
            # A position text says everything, so the defaults are for cases that list their position in keys.
            scenarios.append(Scenario(case if "position" in case else {**defaults, **case}))
        except ScenarioError as error:
            raise ScenarioError(f"case {number}{_quote_title(case)}: {error}") from None
    return scenarios


def _quote_title(case: Mapping[str, Any]) -> str:
    return f" ({case['title']})" if case.get("title") else ""


def find_scenarios(paths: list[Path]) -> Iterator[Path]:
    """Yield each path that is not a folder, and the TOML files in each folder and its subfolders."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        else:
            yield path
