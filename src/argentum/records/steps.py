"""Going through a game step by step: deals, decisions, shuffles, scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from argentum.rules.deal import Deal
from argentum.rules.game import Game
from argentum.rules.notation import AND, DONE, EXCHANGE, PEEK, SEATS, names_seat, spot_text, text
from argentum.rules.scoring import ROUNDS
from argentum.rules.turn_history import Shuffle


@dataclass(frozen=True)
class Dealt:
    """A round was dealt."""

    round: int
    deal: Deal


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
    """A Thing shuffled a village, which then lay so."""

    outcome: Shuffle


@dataclass(frozen=True)
class RoundOver:
    """A round was scored."""

    round: int
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
    if game.naming:
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


def mover(game: Game, steps: Sequence[int]) -> str:
    """Whose move this is in a game; in the first look, where nobody waits for others, the move says it (G4)."""
    return SEATS[names_seat(steps[0])] if PEEK <= steps[0] < EXCHANGE else game.to_move


def walk(game: Game) -> Iterator[Step]:
    """Go through a game from its first deal, step by step."""
    if not game.whole:
        raise ValueError(
            "only a game from its first deal has a record: this one began from a given position or a re-deal"
        )
    if game.over and game.rounds_over < ROUNDS:
        raise ValueError(f"only a game of {ROUNDS} rounds has a record, and this one ended after {game.rounds_over}")
    again = game.from_start()
    yield Dealt(1, again.dealt[-1])
    for move, steps in written_moves(game):
        running, known = again.round, len(again.shuffles())
        seat = mover(again, steps)
        yield Decision(again, seat, move)
        for step in steps:
            again.step(step)
        for outcome in again.shuffles(running)[known:]:
            yield Shuffled(outcome)
        if again.rounds_over == running:
            yield round_over(again, running)
            if not again.over:
                yield Dealt(again.round, again.dealt[-1])


def round_over(game: Game, number: int) -> RoundOver:
    """How a round ended: points, totals and where the token went."""
    end = game.view_end(number)
    return RoundOver(number, end.scores, end.totals, f"{end.token} {end.token_seat} {end.token_state}")


def numbers_text(numbers: Sequence[int]) -> str:
    """Cards by their numbers: `3 9 2 4`."""
    return " ".join([str(number) for number in numbers])


def steps_as_json(game: Game) -> Iterator[dict[str, Any]]:
    """A game as the objects that `argentum replay --json` prints."""
    yield {"game": {"boxes": game.cast.code, "token": game.cast.token, "players": game.players, "names": game.names}}
    for step in walk(game):
        match step:
            case Dealt(number, deal):
                yield {
                    "deal": {
                        "round": number,
                        "start": SEATS[deal.start],
                        "villages": {SEATS[seat]: numbers_text(row) for seat, row in enumerate(deal.villages)},
                        "deck": numbers_text(deal.deck),
                        "discard": str(deal.discard),
                    }
                }
            case Decision(before, seat, move):
                sees = {seat: {village: before.sees(seat, village) for village in before.seats}}
                yield {
                    "seat": seat,
                    "legal": step.legal,
                    "position": before.position(),
                    "sees": sees,
                    "move": move,
                }
            case Shuffled(outcome):
                yield {"shuffle": {"village": outcome.seat, "cards": outcome.cards}}
            case RoundOver(_, scores, totals, token):
                yield {"scores": scores, "totals": totals, "token": token}
    if game.over:
        yield {"winner": game.winner}
