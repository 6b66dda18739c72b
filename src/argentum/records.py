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
``[B 3 9 2^ 4]``. What follows a ``#`` is a remark. Scores and the winner are checked when a record is read.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from argentum.rules.deal import Deal
from argentum.rules.game import Game
from argentum.rules.moves import AND, DONE, EXCHANGE, PEEK, SEATS, names_seat, spot_text, text
from argentum.rules.positions import deck_text, position, read_cards, read_seat, shuffle_text, token_text
from argentum.rules.residents import CARDS
from argentum.rules.table import Table

T = TypeVar("T")

VERSION = 1
TITLE = f"Argentum record {VERSION}"


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


class _Veil:
    """What one seat has known of each card, since it was dealt or last shuffled."""

    def __init__(self, game: Game, seat: str) -> None:
        self.viewer = game.seats.index(seat)
        self.known: set[tuple[int, int, int]] = set()  # round, how many shuffles there were, card
        self.round = 0
        self.since: list[int] = []  # by card: the shuffle that last moved it, from 1
        for step in walk(game):
            if not isinstance(step, Shuffled):
                self._note(step.game.table if isinstance(step, Decision) else step.table)
        self._note(game.table)

    def _note(self, table: Table) -> None:
        if table.round != self.round:
            self.round, self.since = table.round, [0] * len(table.faces)
        for nth, outcome in enumerate(table.outcomes, 1):
            for card in outcome[1:]:
                if not card & 16 and not card & 64:  # facedown, and not under the bullet
                    self.since[card >> 7] = max(nth, self.since[card >> 7])
        self.known |= {
            (table.round, self.since[card], card) for card in range(len(table.faces)) if self._sees(table, card)
        }

    def _sees(self, table: Table, card: int) -> bool:
        return table.seen[card] >> self.viewer & 1 == 1

    def hides(self, round: int, shuffles: int) -> set[int]:
        """The cards that the seat did not know after so many shuffles of a round, and before the next of them."""
        return {card for card in range(CARDS) if (round, shuffles, card) not in self.known}


def write(game: Game, seat: str = "") -> str:
    """The record of a game, finished or not.

    With a seat, it is a record of what that seat knows of a game in progress, with `?` for the faces that it may not
    know: for people to read, as it cannot be played again.
    """
    veil = _Veil(game, seat) if seat and not game.over else None
    cast = game.table.cast
    lines = [TITLE, f"boxes: {cast.code}", f"token: {cast.token}"]
    lines += [f"{letter}: {name}" for letter, name in zip(game.seats, game.names, strict=True)]
    turn: list[str] = []  # what one seat played on end
    mover = ""
    round = shuffles = 0

    def close() -> None:
        if turn:
            lines.append(f"{mover}: {', '.join(turn)}")
            turn.clear()

    for step in walk(game):
        match step:
            case Dealt(table):
                round, shuffles = table.round, 0
                lines += _deal_lines(table, veil.hides(round, 0) if veil else set())
            case Decision(_, seat, move):
                if seat != mover:
                    close()
                    mover = seat
                turn.append(move)
            case Shuffled(outcome):
                shuffles += 1
                hidden = veil.hides(round, shuffles) if veil else set()
                turn[-1] += f" [{SEATS[outcome[0]]} {shuffle_text(outcome, hidden)}]"
            case RoundOver(_, scores, totals, token):
                close()
                lines.append(f"scores {_points(scores)}; totals {_points(totals)}; token {token}")
    close()
    if game.over:
        lines.append(f"winner {game.winner}")
    return "\n".join(lines) + "\n"


def _points(points: dict[str, int]) -> str:
    return ", ".join([f"{seat} {number}" for seat, number in points.items()])


def _deal_lines(table: Table, hidden: set[int]) -> list[str]:
    def cards(row: Iterable[int]) -> str:
        return " ".join(["?" if card in hidden else str(table.faces[card]) for card in row])

    lines = ["", f"round {table.round}, {SEATS[table.turn]} starts"]
    lines += [f"{SEATS[seat]} has {cards(row)}" for seat, row in enumerate(table.villages)]
    return [*lines, f"discard {cards(table.pile)}", f"deck {cards(reversed(table.deck))}"]


# Reading.


class _Reader:
    """Reads a record line by line: first all of it, then the game is played again."""

    def __init__(self) -> None:
        self.header: dict[str, str] = {}
        self.deals: list[Deal] = []
        self.villages: dict[int, list[int]] = {}
        self.discard: list[int] = []
        self.deck: list[int] = []
        self.start = 0
        self.shuffles: list[list[int]] = []
        self.acts: list[tuple[int, str, str]] = []  # line, seat (or empty for a check), what

    def line(self, nth: int, line: str) -> None:
        words = line.split()
        if not self.header and line != TITLE:
            raise RecordError(f"this is no record: its first line must be '{TITLE}'")
        if line == TITLE:
            self.header["title"] = line
        elif words[0] == "round":
            self._round(words)
        elif words[0] in ("scores", "winner"):
            self.acts.append((nth, "", line))
        elif words[0] == "deck":
            self.deck = self._numbers("deck", words[1:])
            self._finish_deal()
        elif words[0] == "discard":
            self.discard = self._numbers("discard", words[1:])
        elif len(words) > 1 and words[1] == "has":
            self.villages[read_seat("deal", words[0], 4)] = self._numbers(words[0], words[2:])
        elif ":" in line:
            key, _, value = line.partition(":")
            if self.deals:
                self._moves(nth, key.strip(), value)
            else:
                self.header[key.strip().lower() if len(key) > 1 else key.strip().upper()] = value.strip()
        else:
            raise RecordError("this is neither a deal, a line of moves, a score nor a remark")

    def _round(self, words: list[str]) -> None:
        if len(words) != 4 or words[3] != "starts" or words[1] != f"{len(self.deals) + 1},":
            raise RecordError(f"a round begins like 'round {len(self.deals) + 1}, A starts'")
        self.start = read_seat("round", words[2], 4)
        self.villages, self.discard, self.shuffles = {}, [], []

    def _numbers(self, key: str, words: list[str]) -> list[int]:
        if "?" in words:
            raise RecordError(
                "this record is what one player knew of a game in progress (?): it cannot be played again"
            )
        return [number for number, _ in read_cards(key, " ".join(words), "")]

    def _finish_deal(self) -> None:
        if len(self.discard) != 1:
            raise RecordError("one card starts the discard pile, in a line 'discard 6' before the deck's")
        villages = [self.villages[seat] for seat in sorted(self.villages)]
        deal = Deal(self.start, villages, self.discard[0], self.deck, self.shuffles)
        deal.order(len(self._names()))
        self.deals.append(deal)

    def _moves(self, nth: int, seat: str, line: str) -> None:
        for move in line.split(","):
            what, bracket, shuffle = move.partition("[")
            if bracket:
                if "?" in shuffle:
                    self._numbers("shuffle", ["?"])
                village = shuffle.strip().removesuffix("]").split()
                read_seat("shuffle", village[0] if village else "", 4)
                self.shuffles.append([number for number, _ in read_cards("shuffle", " ".join(village[1:]), "^~*")])
            self.acts.append((nth, seat, what))

    def _names(self) -> list[str]:
        return [self.header[letter] for letter in SEATS if letter in self.header]

    def game(self) -> Game:
        """Play the game again."""
        if not self.deals:
            raise RecordError("the record has no deal: a round begins like 'round 1, A starts'")
        names = self._names()
        game = Game.new(
            boxes=self.header.get("boxes", ""),
            players=len(names),
            seed=0,
            token=self.header.get("token", ""),
            names=names,
            deals=self.deals,
        )
        return game


def read(written: str) -> Game:
    """The game that a record holds, played up to where the record ends."""
    reader = _Reader()
    for nth, raw in enumerate(written.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if line:
            _at_line(nth, lambda: reader.line(nth, line))
    game = _at_line(1, reader.game)
    for nth, seat, what in reader.acts:
        if seat:
            _at_line(nth, lambda: game.play(what, seat=seat))
        else:
            _at_line(nth, lambda: _check(game, what))
    if not game.over and len(game.finished) >= len(reader.deals):
        # The round is over but the next was never dealt: nothing of it may be shown.
        raise RecordError(f"line {nth}: the record ends without the deal of round {game.round}")
    return game


def read_file(path: Path) -> Game:
    """The game in a file."""
    try:
        return read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: {error}") from None
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def _at_line(nth: int, act: Callable[[], T]) -> T:
    """Do something, and say at which line it went wrong."""
    try:
        return act()
    except ValueError as error:
        raise RecordError(f"line {nth}: {error}") from None


def _check(game: Game, line: str) -> None:
    """Compare what the record says of a round's end, or of the game's, with what was played."""
    if line.startswith("winner"):
        found = f"winner {game.winner}" if game.over else "no winner yet"
    elif not game.finished or game.table.round == game.finished[-1].round and not game.over:
        found = "a round that goes on"
    else:
        over = game.finished[-1]
        scores, totals = (dict(zip(game.seats, points, strict=True)) for points in (over.scores, over.totals))
        found = f"scores {_points(scores)}; totals {_points(totals)}; token {token_text(over)}"
    if " ".join(line.split()) != found:
        raise RecordError(f"the record says '{line}', but the moves lead to '{found}'")
