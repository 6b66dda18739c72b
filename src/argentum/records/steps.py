"""Going through a game step by step: deals, decisions, shuffles, scores."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from argentum.rules.game import Game
from argentum.rules.notation import AND, DONE, EXCHANGE, PEEK, SEATS, names_seat, spot_text, text
from argentum.rules.positions import deck_text, position, shuffle_text, token_text
from argentum.rules.table import Table


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
