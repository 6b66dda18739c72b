"""Writing records."""

from argentum.records.steps import Dealt, Decision, RoundOver, Shuffled, walk
from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.rules.positions import deck_text, shuffle_text
from argentum.rules.table import Table

VERSION = 1
TITLE = f"Argentum record {VERSION}"


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
                lines.append(f"scores {points_text(scores)}; totals {points_text(totals)}; token {token}")
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


def points_text(points: dict[str, int]) -> str:
    """Points by seat: `A 12, B 0`."""
    return ", ".join([f"{seat} {number}" for seat, number in points.items()])


def _deal_lines(table: Table) -> list[str]:
    lines = ["", f"round {table.round}, {SEATS[table.turn]} starts"]
    lines += [f"{SEATS[seat]} has {deck_text(table, row[::-1])}" for seat, row in enumerate(table.villages)]
    return [*lines, f"discard {deck_text(table, table.pile)}", f"deck {deck_text(table, table.deck)}"]
