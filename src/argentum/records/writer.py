"""Writing records."""

from argentum import words
from argentum.records.steps import Dealt, Decision, RoundOver, Shuffled, numbers_text, walk
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.table import FIRST_RULINGS

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
            case Dealt():
                lines += _deal_lines(step)
            case Decision(_, seat, move):
                if seat != mover:
                    close()
                    mover = seat
                turn.append(move)
            case Shuffled(outcome):
                turn[-1] += f" [{outcome.seat} {outcome.cards}]"
            case RoundOver():
                close()
                lines.append(over_text(step))
    close()
    if game.over:
        lines.append(f"winner {game.winner}")
    return "\n".join(lines) + "\n"


def write_for(game: Game, seat: str) -> str:
    """What one seat knows of a game in progress: all that it was told, in words.

    Not its moves and `?` for what is hidden: which choices were asked for can give away what they were about (G22).
    """
    lines = [f"{TITLE}, as seat {seat} knows it", *_header(game)]
    residents = tuple(game.cast.residents)
    for event in game.events(seat):
        lines += [""] * (event.kind == "dealt") + [words.event_sentence(event, tuple(game.names), residents)]
    return "\n".join(lines) + "\n"


def _header(game: Game) -> list[str]:
    cast = game.cast
    names = [f"{letter}: {name}" for letter, name in zip(game.seats, game.names, strict=True)]
    rulings = [] if game.rulings == FIRST_RULINGS else [f"rulings: {game.rulings}"]
    return [f"boxes: {cast.code}", f"token: {cast.token}", *rulings, *names]


def points_text(points: dict[str, int]) -> str:
    """Points by seat: `A 12, B 0`."""
    return ", ".join([f"{seat} {number}" for seat, number in points.items()])


def over_text(over: RoundOver) -> str:
    """The line that says how a round ended."""
    return f"scores {points_text(over.scores)}; totals {points_text(over.totals)}; token {over.token}"


def _deal_lines(dealt: Dealt) -> list[str]:
    deal = dealt.deal
    lines = ["", f"round {dealt.round}, {SEAT_LETTERS[deal.start]} starts"]
    lines += [f"{SEAT_LETTERS[seat]} has {numbers_text(row)}" for seat, row in enumerate(deal.villages)]
    return [*lines, f"discard {deal.discard}", f"deck {numbers_text(deal.deck)}"]
