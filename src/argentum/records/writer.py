"""Write the record of a game."""

from argentum import words
from argentum.records.steps import Decision, RoundDealt, RoundScored, VillageShuffled, numbers_text, replay_steps
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.table import FIRST_RULINGS

RECORD_VERSION = 1
RECORD_TITLE = f"Argentum record {RECORD_VERSION}"


def write(game: Game) -> str:
    """Return the record of a game, with every face; raise `ValueError` if it has none (see :func:`replay_steps`).

    During a game, players get the record of :func:`write_for` instead.
    """
    lines = [RECORD_TITLE, *_header(game)]
    turn: list[str] = []  # consecutive moves of one seat
    mover = ""

    def flush_turn() -> None:
        if turn:
            lines.append(f"{mover}: {', '.join(turn)}")
            turn.clear()

    for step in replay_steps(game):
        match step:
            case RoundDealt():
                lines += _deal_lines(step)
            case Decision(_, seat, move):
                if seat != mover:
                    flush_turn()
                    mover = seat
                turn.append(move)
            case VillageShuffled(outcome):
                turn[-1] += f" [{outcome.seat} {outcome.cards}]"
            case RoundScored():
                flush_turn()
                lines.append(round_result_line(step))
    flush_turn()
    if game.over:
        lines.append(f"winner {game.winner}")
    return "\n".join(lines) + "\n"


def write_for(game: Game, seat: str) -> str:
    """Return what one seat knows of a game in progress: its log, with all players in the third person.

    A list of moves with `?` for hidden cards would reveal too much: single options are taken without asking (G22).
    """
    lines = [f"{RECORD_TITLE}, as seat {seat} knows it", *_header(game)]
    events, view = game.events(seat), game.view(seat)._replace(seat="")
    for entry in words.build_log(events, events, view):
        lines += [""] * (entry.kind == "dealt") + [entry.text(view.residents)]
    return "\n".join(lines) + "\n"


def _header(game: Game) -> list[str]:
    cast = game.cast
    names = [f"{letter}: {name}" for letter, name in zip(game.seats, game.names, strict=True)]
    rulings = [] if game.rulings == FIRST_RULINGS else [f"rulings: {game.rulings}"]
    return [f"boxes: {cast.code}", f"token: {cast.token}", *rulings, *names]


def points_line(points: dict[str, int]) -> str:
    """Format points by seat: `A 12, B 0`."""
    return ", ".join([f"{seat} {number}" for seat, number in points.items()])


def round_result_line(result: RoundScored) -> str:
    """Format the line with the result of a round."""
    return f"scores {points_line(result.scores)}; totals {points_line(result.totals)}; token {result.token}"


def _deal_lines(step: RoundDealt) -> list[str]:
    deal = step.deal
    lines = ["", f"round {step.round}, {SEAT_LETTERS[deal.start]} starts"]
    lines += [f"{SEAT_LETTERS[seat]} has {numbers_text(row)}" for seat, row in enumerate(deal.villages)]
    return [*lines, f"discard {deal.discard}", f"deck {numbers_text(deal.deck)}"]
