"""Games as text files: a header, and round by round the deal, the moves, and how it ended.

A record reads like this::

    Argentum record 1
    boxes: dddddddddddddd
    token: dagger
    A: Ann
    B: Bo

    round 1, A starts
    A has 3 5 1 2 9
    B has 4 11 7 0 6
    discard 6
    deck 12 3 8 ...
    A: peek A1 A4
    B: peek B1 B2
    A: draw, exchange A2
    B: take, exchange B1 B3, at B3
    scores A 12, B 0; totals A 12, B 0; token dagger B active

A line of moves is what one seat played on end. After a Thing's shuffle the village as it then lay stands in brackets:
``[B 3 9 2^ 4]``. What follows a ``#`` is a remark, but in a name. Scores and the winner are checked when a
record is read.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from argentum.rules.boxes import cast_of, deck_code
from argentum.rules.deal import Deal
from argentum.rules.game import Game, check_name
from argentum.rules.moves import AND, DONE, EXCHANGE, PEEK, SEATS, names_seat, spot_text, text
from argentum.rules.positions import deck_text, position, read_cards, read_seat, shuffle_text, token_text
from argentum.rules.scoring import ROUNDS
from argentum.rules.table import Table

T = TypeVar("T")

VERSION = 1
TITLE = f"Argentum record {VERSION}"
UNDEALT = "the deal is not complete: it has a line 'A has 3 5 1 2 9' for each seat, 'discard 6', then 'deck ...'"
ONE_PLAYERS = "this record is what one player knew of a game in progress: it can be read, but not played again"


class RecordError(ValueError):
    """A record that cannot be read: the line, and what is wrong with it."""


# Walking through a game.


@dataclass(frozen=True)
class Dealt:
    """A round was dealt."""

    table: Table


@dataclass(frozen=True)
class Decision:
    """A seat is to choose, and does: the game before it (do not change it), and the move as it is written."""

    game: Game
    seat: str
    move: str

    @property
    def legal(self) -> list[str]:
        """The legal moves, one-card forms only."""
        return [str(move) for move in self.game.legal(self.seat)]


@dataclass(frozen=True)
class Shuffled:
    """A Thing shuffled a village, which then lay so (:meth:`Table.note_shuffle`)."""

    outcome: tuple[int, ...]


@dataclass(frozen=True)
class RoundOver:
    """A round was scored."""

    table: Table
    scores: dict[str, int]
    totals: dict[str, int]
    token: str


Step = Dealt | Decision | Shuffled | RoundOver


def written_moves(game: Game) -> list[tuple[str, list[int]]]:
    """All moves of a game as they are written, with the one-card moves that each stands for.

    A look or an exchange whose cards are still being named is not a move yet.
    """
    moves: list[tuple[str, list[int]]] = []
    peeks: dict[int, int] = {}
    steps = game.history()
    if DONE in game.options:
        while steps.pop() < EXCHANGE:
            pass
    place = 0
    while place < len(steps):
        step = steps[place]
        place += 1
        if PEEK <= step < AND:
            peeks[names_seat(step)] = step
        elif AND <= step < EXCHANGE:
            first = peeks.pop(names_seat(step))
            moves.append((f"{text(first)} {spot_text(step & 255)}", [first, step]))
        elif EXCHANGE <= step < EXCHANGE + 256:
            several = [step]
            while place < len(steps) and AND <= steps[place] < EXCHANGE:
                several.append(steps[place])
                place += 1
            named = " ".join([text(step), *[spot_text(one & 255) for one in several[1:]]])
            if place < len(steps) and steps[place] == DONE:
                several.append(DONE)
                place += 1
            moves.append((named, several))
        else:
            moves.append((text(step), [step]))
    return moves


def walk(game: Game) -> Iterator[Step]:
    """Go through a game from its first deal, step by step."""
    if game.setup.one_round or game.setup.past is not None:
        raise ValueError(
            "only a game from its first deal has a record: this one began from a given position or a re-deal"
        )
    again = game.from_start()
    yield Dealt(again.table)
    for move, steps in written_moves(game):
        table, finished = again.table, len(again.finished)
        known = len(table.outcomes)
        seat = SEATS[names_seat(steps[0])] if PEEK <= steps[0] < EXCHANGE else again.to_move
        yield Decision(again, seat, move)
        for step in steps:
            again.play(step)
        for outcome in table.outcomes[known:]:
            yield Shuffled(outcome)
        for over in again.finished[finished:]:
            scores = dict(zip(again.seats, over.scores, strict=True))
            yield RoundOver(over, scores, dict(zip(again.seats, over.totals, strict=True)), token_text(over))
            if not again.over:
                yield Dealt(again.table)


def steps_as_json(game: Game) -> Iterator[dict[str, Any]]:
    """A game as the objects that `argentum replay --json` prints."""
    code, token = game.table.cast.code, game.table.cast.token
    yield {"game": {"boxes": code, "token": token, "players": game.players, "names": game.names}}
    for step in walk(game):
        match step:
            case Dealt(table):
                yield {
                    "deal": {
                        "round": table.round,
                        "start": SEATS[table.turn],
                        "villages": {
                            SEATS[seat]: deck_text(table, row[::-1]) for seat, row in enumerate(table.villages)
                        },
                        "deck": deck_text(table, table.deck),
                        "discard": deck_text(table, table.pile),
                    }
                }
            case Decision(before, seat, move):
                yield {"seat": seat, "legal": step.legal, "position": position(before.table), "move": move}
            case Shuffled(outcome):
                yield {"shuffle": {"village": SEATS[outcome[0]], "cards": shuffle_text(outcome)}}
            case RoundOver(_, scores, totals, token):
                yield {"scores": scores, "totals": totals, "token": token}
    if game.over:
        yield {"winner": game.winner}


# Writing.


def write(game: Game) -> str:
    """The record of a game, finished or not, with all faces. (While it goes on, a player gets :func:`write_for`.)"""
    lines = [TITLE, *_header(game)]
    turn: list[str] = []  # what one seat played on end
    mover = ""

    def close() -> None:
        if turn:
            lines.append(f"{mover}: {', '.join(turn)}")
            turn.clear()

    for step in walk(game):
        match step:
            case Dealt(table):
                lines += _deal_lines(table)
            case Decision(_, seat, move):
                if seat != mover:
                    close()
                    mover = seat
                turn.append(move)
            case Shuffled(outcome):
                turn[-1] += f" [{SEATS[outcome[0]]} {shuffle_text(outcome)}]"
            case RoundOver(_, scores, totals, token):
                close()
                lines.append(f"scores {_points(scores)}; totals {_points(totals)}; token {token}")
    close()
    if game.over:
        lines.append(f"winner {game.winner}")
    return "\n".join(lines) + "\n"


def write_for(game: Game, seat: str) -> str:
    """What one seat knows of a game in progress: all that it was told, in words.

    Not its moves and `?` for what is hidden: which choices were asked for can give away what they were about (G22).
    """
    lines = [f"{TITLE}, as seat {seat} knows it", *_header(game)]
    for event in game.events(seat):
        lines += [""] * (event.kind == "dealt") + [str(event)]
    return "\n".join(lines) + "\n"


def _header(game: Game) -> list[str]:
    cast = game.table.cast
    names = [f"{letter}: {name}" for letter, name in zip(game.seats, game.names, strict=True)]
    return [f"boxes: {cast.code}", f"token: {cast.token}", *names]


def _points(points: dict[str, int]) -> str:
    return ", ".join([f"{seat} {number}" for seat, number in points.items()])


def _deal_lines(table: Table) -> list[str]:
    lines = ["", f"round {table.round}, {SEATS[table.turn]} starts"]
    lines += [f"{SEATS[seat]} has {deck_text(table, row[::-1])}" for seat, row in enumerate(table.villages)]
    return [*lines, f"discard {deck_text(table, table.pile)}", f"deck {deck_text(table, table.deck)}"]


# Reading.


class _Reader:
    """Reads a record line by line, and then plays the game again."""

    def __init__(self) -> None:
        self.begun = False
        self.rounds = 0
        self.header: dict[str, tuple[int, str]] = {}  # line and value
        self.deals: list[Deal] = []
        self.dealing: dict[str, list[int]] = {}  # a deal that is being read, by seat, and its discard
        self.start = 0
        self.shuffles: list[list[int]] = []  # of the round
        self.acts: list[Callable[[Game], None]] = []
        self.lines: list[int] = []  # of the acts

    def line(self, nth: int, line: str) -> None:
        """Take in a line that says something."""
        words = line.lower().split()
        if not self.begun:
            if line.startswith(f"{TITLE}, as seat"):
                raise RecordError(ONE_PLAYERS)
            if " ".join(words) != TITLE.lower():
                raise RecordError(f"this is no record: its first line must be '{TITLE}'")
            self.begun = True
        elif words[0] == "round":
            self._round(nth, words)
        elif self.rounds == 0:
            self._header(nth, line)
        elif words[0] == "deck" or words[0] == "discard" or words[1:2] == ["has"]:
            self._deal(words)
        elif words[0] in ("scores", "winner"):
            self._act(nth, partial(_check, line=re.sub(r"\s*([,;])\s*", r"\1 ", " ".join(line.split()))))
        else:
            self._moves(nth, line)

    def _header(self, nth: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key = key.strip().lower()
        if not colon or key not in ("boxes", "token", *SEATS.lower()):
            raise RecordError(
                "the header has lines such as 'boxes: dagger', 'token: coin' and 'A: Ann', then 'round 1, A starts'"
            )
        if key in self.header:
            raise RecordError(f"'{key}' stands in the header twice")
        if len(key) == 1:
            check_name(value.strip())
        self.header[key] = (nth, value.strip())

    def _round(self, nth: int, words: list[str]) -> None:
        number = len(self.deals) + 1
        if number > ROUNDS:
            raise RecordError(f"a game has {ROUNDS} rounds")
        if len(words) != 4 or words[3] != "starts" or words[1] != f"{number},":
            raise RecordError(f"a round begins like 'round {number}, A starts'")
        if self.rounds == number:
            raise RecordError(UNDEALT)
        self.start = read_seat("round", words[2].upper(), len(self._names()))
        self.rounds = number
        self.shuffles = []
        if number > 1:
            self._act(nth, partial(_begins, number=number, start=self.start))

    def _deal(self, words: list[str]) -> None:
        if len(self.deals) == self.rounds:
            raise RecordError(
                f"round {self.rounds} is dealt already; a round begins like 'round {self.rounds + 1}, A starts'"
            )
        village = words[1:2] == ["has"]
        key = words[0]
        if village:
            key = SEATS[read_seat("deal", key.upper(), len(self._names()))]
        if key in self.dealing:
            raise RecordError(f"'{words[0]}' is dealt twice")
        cards = words[2:] if village else words[1:]
        self.dealing[key] = [number for number, _ in read_cards(key, " ".join(cards), "")]
        if key == "deck":
            self._finish_deal()

    def _finish_deal(self) -> None:
        dealing, self.dealing = self.dealing, {}
        seats = SEATS[: len(self._names())]
        for seat in seats:
            if seat not in dealing:
                raise RecordError(f"there is no line '{seat} has 3 5 1 2 9' before the deck")
        if len(dealing.get("discard", [])) != 1:
            raise RecordError("one card starts the discard pile, in a line 'discard 6' before the deck's")
        villages = [dealing[seat] for seat in seats]
        deal = Deal(self.start, villages, dealing["discard"][0], dealing["deck"], self.shuffles)
        deal.order(len(seats))
        self.deals.append(deal)

    def _moves(self, nth: int, line: str) -> None:
        seat, colon, moves = line.partition(":")
        if len(self.deals) < self.rounds:
            raise RecordError(UNDEALT)
        if not colon:
            raise RecordError("this is neither a deal, a line of moves such as 'A: draw, discard', nor a score")
        letter = SEATS[read_seat("moves", seat.strip(), len(self._names()))]
        for written in moves.split(","):
            move, bracket, shuffle = written.partition("[")
            village = ""
            if bracket:
                village = self._shuffle(shuffle)
            if not move.strip():
                raise RecordError("a move is missing: moves are separated by single commas")
            self._act(nth, partial(_play, move=move.strip(), seat=letter, village=village))

    def _shuffle(self, written: str) -> str:
        """A shuffled village in brackets: note how it lies."""
        words = written.strip().removesuffix("]").split()
        if not written.strip().endswith("]") or not words:
            raise RecordError("a shuffled village stands in brackets, like [B 3 9 2^ 4]")
        read_seat("shuffle", words[0], len(self._names()))
        self.shuffles.append([number for number, _ in read_cards("shuffle", " ".join(words[1:]), "^~*")])
        return " ".join(words).upper()

    def _act(self, nth: int, act: Callable[[Game], None]) -> None:
        self.lines.append(nth)
        self.acts.append(act)

    def _names(self) -> list[str]:
        letters = [letter for letter in SEATS.lower() if letter in self.header]
        if letters != list(SEATS.lower()[: len(letters)]) or len(letters) < 2:
            raise RecordError("the header names two to four seats in order, A and B first, such as 'A: Ann'")
        return [self.header[letter][1] for letter in letters]

    def game(self) -> Game:
        """Play the game again."""
        if not self.begun:
            raise RecordError(f"this is no record: its first line must be '{TITLE}'")
        if self.deals and self.dealing:
            raise RecordError(f"the record ends within the deal of round {self.rounds}")
        if not self.deals:
            raise RecordError(
                "the record has no complete deal: it begins like 'round 1, A starts' and ends with the deck"
            )
        names = self._names()
        boxes = self._header_value("boxes", "", deck_code)
        token = self._header_value("token", "", lambda token: cast_of(boxes, token).token)
        game = Game.new(boxes, len(names), 0, token, names, self.deals)
        for nth, act in zip(self.lines, self.acts, strict=True):
            _at_line(nth, partial(act, game))
        if not game.over and game.round > len(self.deals):
            raise RecordError(f"the record ends without the deal of round {game.round}")
        return game

    def _header_value(self, key: str, default: str, check: Callable[[str], str]) -> str:
        if key not in self.header:
            if key == "boxes":
                raise RecordError("the header has no line 'boxes: ...'")
            return default
        nth, value = self.header[key]
        return _at_line(nth, partial(check, value))


def read(written: str) -> Game:
    """The game that a record holds, played up to where the record ends."""
    reader = _Reader()
    for nth, raw in enumerate(written.splitlines(), 1):
        # A name may have a # in it; elsewhere a remark begins there.
        named = re.match(rf"\s*[{SEATS}]\s*:", raw, re.IGNORECASE) and not reader.deals
        line = raw.strip() if named else raw.partition("#")[0].strip()
        if line:
            _at_line(nth, partial(reader.line, nth, line))
    return reader.game()


def read_file(path: Path) -> Game:
    """The game in a file."""
    try:
        return read(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: this is not a text file") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _at_line(nth: int, act: Callable[[], T]) -> T:
    """Do something, and say at which line it went wrong."""
    try:
        return act()
    except ValueError as error:
        raise RecordError(f"line {nth}: {error}") from None


def _play(game: Game, move: str, seat: str, village: str) -> None:
    """Make a move of the record; a Thing must shuffle just where the record says so."""
    table, known = game.table, len(game.table.outcomes)
    game.play(move, seat=seat)
    shuffled = [f"{SEATS[outcome[0]]} {shuffle_text(outcome)}" for outcome in table.outcomes[known:]]
    if not shuffled and village:
        raise RecordError(f"at '{move}' nothing is shuffled, but the record has [{village}]")
    if shuffled and not village:
        raise RecordError(
            f"at '{move}' a village is shuffled, and the record does not say how it came out: [B 3 9 2^ 4]"
        )
    if shuffled and shuffled != [village]:
        raise RecordError(f"at '{move}' the record has the shuffle [{village}], but it must be like [{shuffled[0]}]")


def _begins(game: Game, number: int, start: int) -> None:
    if game.round != number:
        raise RecordError(f"round {number} begins, but round {game.round} is not over")
    if game.table.turn != start:
        raise RecordError(f"seat {SEATS[start]} starts, but the token is at seat {SEATS[game.table.turn]} (G3)")


def _check(game: Game, line: str) -> None:
    """Compare what the record says of a round's end, or of the game's, with what was played."""
    if line.lower().startswith("winner"):
        found = f"winner {game.winner}" if game.over else "no winner yet"
    elif not game.finished or not (game.over or (len(game.view().looking) == game.players and not game.moves)):
        found = "a round that goes on"
    else:
        over = game.finished[-1]
        scores, totals = (dict(zip(game.seats, points, strict=True)) for points in (over.scores, over.totals))
        found = f"scores {_points(scores)}; totals {_points(totals)}; token {token_text(over)}"
    if line.lower() != found.lower():
        raise RecordError(f"the record says '{line}', but the moves lead to '{found}'")
