"""Parse a record, replay its game, and check the scores and the winner that it states."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from argentum.records.steps import round_result
from argentum.records.writer import RECORD_TITLE, round_result_line
from argentum.rules.boxes import cast_of, check_foreign_box, deck_code
from argentum.rules.deal import Deal
from argentum.rules.game import Game, check_name
from argentum.rules.notation import PEEK, SEAT_LETTERS, STOP, has_base, parse_move
from argentum.rules.position_dict import read_cards, read_seat
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import FIRST_RULINGS, RULINGS

T = TypeVar("T")

INCOMPLETE_DEAL = (
    "the deal is not complete: it has a line 'A has 3 5 1 2 9' for each seat, 'discard 6', then 'deck ...'"
)
PRIVATE_RECORD = "this record is what one player knew of a game in progress: it can be read, but not played again"


class RecordError(ValueError):
    """An invalid record; the message names the line and the reason."""


class _RecordReader:
    """Parses a record line by line, then replays the game."""

    def __init__(self) -> None:
        self.has_title = False
        self.rounds = 0
        self.header_values: dict[str, tuple[int, str]] = {}  # number of the line, and value
        self.deals: list[Deal] = []
        self.partial_deal: dict[str, list[int]] = {}  # numbers of the incomplete deal, by seat, "discard" and "deck"
        self.start = 0
        self.shuffles: list[list[int]] = []  # results of the shuffles of the current round
        self.replay_steps: list[Callable[[Game], None]] = []
        self.line_numbers: list[int] = []  # of the replay steps

    def parse_line(self, line_number: int, line: str) -> None:
        """Parse a line that is neither empty nor a comment."""
        words = line.lower().split()
        if not self.has_title:
            if line.startswith(f"{RECORD_TITLE}, as seat"):
                raise RecordError(PRIVATE_RECORD)
            if " ".join(words) != RECORD_TITLE.lower():
                raise RecordError(f"this is not a record: its first line must be '{RECORD_TITLE}'")
            self.has_title = True
        elif words[0] == "round":
            self._parse_round(line_number, words)
        elif self.rounds == 0:
            self._parse_header(line_number, line)
        elif words[0] == "deck" or words[0] == "discard" or words[1:2] == ["has"]:
            self._parse_deal(words)
        elif words[0] in ("scores", "winner"):
            self._add_step(
                line_number, partial(_check_result, line=re.sub(r"\s*([,;])\s*", r"\1 ", " ".join(line.split())))
            )
        else:
            self._parse_moves(line_number, line)

    def _parse_header(self, line_number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key = key.strip().lower()
        if colon and key == "box":
            check_foreign_box(value)
            return
        if not colon or key not in ("boxes", "token", "rulings", *SEAT_LETTERS.lower()):
            raise RecordError(
                "the header has lines such as 'boxes: dagger', 'token: coin' and 'A: Ann', then 'round 1, A starts'"
            )
        if key in self.header_values:
            raise RecordError(f"'{key}' stands in the header twice")
        if len(key) == 1:
            check_name(value.strip())
        self.header_values[key] = (line_number, value.strip())

    def _parse_round(self, line_number: int, words: list[str]) -> None:
        number = len(self.deals) + 1
        if number > ROUNDS_PER_GAME:
            raise RecordError(f"a game has {ROUNDS_PER_GAME} rounds")
        if len(words) != 4 or words[3] != "starts" or words[1] != f"{number},":
            raise RecordError(f"a round begins like 'round {number}, A starts'")
        if self.rounds == number:
            raise RecordError(INCOMPLETE_DEAL)
        self.start = read_seat("round", words[2].upper(), len(self._player_names()))
        self.rounds = number
        self.shuffles = []
        if number > 1:
            self._add_step(line_number, partial(_check_round_start, number=number, start=self.start))

    def _parse_deal(self, words: list[str]) -> None:
        if len(self.deals) == self.rounds:
            raise RecordError(
                f"round {self.rounds} is dealt already; a round begins like 'round {self.rounds + 1}, A starts'"
            )
        village = words[1:2] == ["has"]
        key = words[0]
        if village:
            key = SEAT_LETTERS[read_seat("deal", key.upper(), len(self._player_names()))]
        if key in self.partial_deal:
            raise RecordError(f"'{words[0]}' is dealt twice")
        cards = words[2:] if village else words[1:]
        self.partial_deal[key] = [number for number, _ in read_cards(key, " ".join(cards), "")]
        if key == "deck":
            self._finish_deal()

    def _finish_deal(self) -> None:
        dealing, self.partial_deal = self.partial_deal, {}
        seats = SEAT_LETTERS[: len(self._player_names())]
        for seat in seats:
            if seat not in dealing:
                raise RecordError(f"there is no line '{seat} has 3 5 1 2 9' before the deck")
        if len(dealing.get("discard", [])) != 1:
            raise RecordError("one card starts the discard pile, in a line 'discard 6' before the deck's")
        villages = [dealing[seat] for seat in seats]
        deal = Deal(self.start, villages, dealing["discard"][0], dealing["deck"], self.shuffles)
        deal.card_order(len(seats))
        self.deals.append(deal)

    def _parse_moves(self, line_number: int, line: str) -> None:
        seat, colon, moves = line.partition(":")
        if len(self.deals) < self.rounds:
            raise RecordError(INCOMPLETE_DEAL)
        if not colon:
            raise RecordError("this is neither a deal, a line of moves such as 'A: draw, discard', nor a score")
        letter = SEAT_LETTERS[read_seat("moves", seat.strip(), len(self._player_names()))]
        for text in moves.split(","):
            move, bracket, shuffle = text.partition("[")
            village = ""
            if bracket:
                village = self._parse_shuffle(shuffle)
            if not move.strip():
                raise RecordError("a move is missing: moves are separated by single commas")
            self._add_step(line_number, partial(_replay_move, move=move.strip(), seat=letter, village=village))

    def _parse_shuffle(self, text: str) -> str:
        """Store the result of a shuffle, given up to the closing bracket; return its normalized text: `B 3 9 2^ 4`."""
        words = text.strip().removesuffix("]").split()
        if not text.strip().endswith("]") or not words:
            raise RecordError("a shuffled village stands in brackets, like [B 3 9 2^ 4]")
        read_seat("shuffle", words[0], len(self._player_names()))
        self.shuffles.append([number for number, _ in read_cards("shuffle", " ".join(words[1:]), "^~*")])
        return " ".join(words).upper()

    def _add_step(self, line_number: int, act: Callable[[Game], None]) -> None:
        self.line_numbers.append(line_number)
        self.replay_steps.append(act)

    def _player_names(self) -> list[str]:
        letters = [letter for letter in SEAT_LETTERS.lower() if letter in self.header_values]
        if letters != list(SEAT_LETTERS.lower()[: len(letters)]) or len(letters) < 2:
            raise RecordError("the header names two to four seats in order, A and B first, such as 'A: Ann'")
        return [self.header_values[letter][1] for letter in letters]

    def replay_game(self) -> Game:
        if not self.has_title:
            raise RecordError(f"this is not a record: its first line must be '{RECORD_TITLE}'")
        if self.deals and self.partial_deal:
            raise RecordError(f"the record ends within the deal of round {self.rounds}")
        if not self.deals:
            raise RecordError(
                "the record has no complete deal: it begins like 'round 1, A starts' and ends with the deck"
            )
        names = self._player_names()
        boxes = self._header_value("boxes", "", deck_code)
        token = self._header_value("token", "", lambda token: cast_of(boxes, token).token)
        rulings = self._header_value("rulings", FIRST_RULINGS, _parse_rulings)
        game = Game.new(boxes, len(names), 0, token, names, self.deals, rulings=rulings)
        for line_number, act in zip(self.line_numbers, self.replay_steps, strict=True):
            _with_line_number(line_number, partial(act, game))
        if not game.over and game.round > len(self.deals):
            raise RecordError(f"the record ends without the deal of round {game.round}")
        return game

    def _header_value(self, key: str, default: T, check: Callable[[str], T]) -> T:
        if key not in self.header_values:
            if key == "boxes":
                raise RecordError("the header has no line 'boxes: ...'")
            return default
        line_number, value = self.header_values[key]
        return _with_line_number(line_number, partial(check, value))


def read(text: str) -> Game:
    """Replay a record and return its game; raise `RecordError` if the record is invalid."""
    reader = _RecordReader()
    for line_number, raw in enumerate(text.splitlines(), 1):
        # A "#" starts a comment, except in the line of a player's name.
        named = re.match(rf"\s*[{SEAT_LETTERS}]\s*:", raw, re.IGNORECASE) and not reader.deals
        line = raw.strip() if named else raw.partition("#")[0].strip()
        if line:
            _with_line_number(line_number, partial(reader.parse_line, line_number, line))
    return reader.replay_game()


def read_file(path: Path) -> Game:
    """Replay the record in a file and return its game; raise `RecordError` if the file is not a valid record."""
    try:
        return read(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: this is not a text file") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _parse_rulings(value: str) -> int:
    known = [str(version) for version in range(FIRST_RULINGS, RULINGS + 1)]
    if value not in known:
        raise RecordError(f"rulings: this Argentum knows the versions {', '.join(known)}, and not '{value}'")
    return int(value)


def _with_line_number(line_number: int, action: Callable[[], T]) -> T:
    """Return the result of an action; convert its `ValueError` to a `RecordError` with the line number."""
    try:
        return action()
    except ValueError as error:
        raise RecordError(f"line {line_number}: {error}") from None


def _replay_move(game: Game, move: str, seat: str, village: str) -> None:
    """Play a move; raise `ValueError` if it is illegal, or if its shuffle does not result in `village`.

    `village` is the result that the record states, empty if it states none. Old records lack the move `stop` where a
    Mortician asks without another option (B4): it is inserted.
    """
    if game.legal() == [STOP] and parse_move(move) != STOP:
        game.play(STOP)
    round_number, shuffle_count = game.round, len(game.shuffles())
    game.play(move, seat=seat)
    shuffled = [f"{outcome.seat} {outcome.cards}" for outcome in game.shuffles(round_number)[shuffle_count:]]
    if not shuffled and village:
        raise RecordError(f"at '{move}' nothing is shuffled, but the record has [{village}]")
    if shuffled and not village:
        raise RecordError(
            f"at '{move}' a village is shuffled, and the record does not say how it came out: [B 3 9 2^ 4]"
        )
    if shuffled and shuffled != [village]:
        raise RecordError(f"at '{move}' the record has the shuffle [{village}], but it must be like [{shuffled[0]}]")


def _check_round_start(game: Game, number: int, start: int) -> None:
    if game.round != number:
        raise RecordError(f"round {number} begins, but round {game.round} is not over")
    actual_start = game.deals[-1].start
    if actual_start != start:
        raise RecordError(
            f"seat {SEAT_LETTERS[start]} starts, but the token is at seat {SEAT_LETTERS[actual_start]} (G3)"
        )


def _check_result(game: Game, line: str) -> None:
    """Raise `RecordError` if the scores or the winner in a line differ from those of the replayed game."""
    if line.lower().startswith("winner"):
        expected = f"winner {game.winner}" if game.over else "no winner yet"
    elif not game.rounds_finished or not (game.over or _is_just_dealt(game)):
        expected = "a round that goes on"
    else:
        expected = round_result_line(round_result(game, game.rounds_finished))
    if line.lower() != expected.lower():
        raise RecordError(f"the record says '{line}', but the moves lead to '{expected}'")


def _is_just_dealt(game: Game) -> bool:
    """Whether nobody has begun the first look of the current round."""
    looks = [move for seat in game.seats for move in game.legal(seat)]
    return len(game.view().looking) == game.players and all([has_base(move, PEEK) for move in looks])
