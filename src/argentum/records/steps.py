"""The steps of a game that a record lists: deals, decisions, shuffles and scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from argentum.rules.deal import Deal
from argentum.rules.game import Game
from argentum.rules.notation import (
    AND_CARD,
    DONE,
    EXCHANGE,
    PEEK,
    SEAT_LETTERS,
    has_base,
    move_text,
    seat_of,
    spot_of,
    spot_text,
)
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.turn_history import VillageShuffle
from argentum.rules.views import village_texts


@dataclass(frozen=True)
class RoundDealt:
    round: int
    deal: Deal


@dataclass(frozen=True)
class Decision:
    """A move, and the game before it, which must not be changed."""

    game: Game
    seat: str
    move: str

    @property
    def legal(self) -> list[str]:
        """The texts of the legal moves; of looks and exchanges, only those with one card."""
        return [str(move) for move in self.game.legal(self.seat)]


@dataclass(frozen=True)
class VillageShuffled:
    """The result of a shuffle (B8)."""

    outcome: VillageShuffle


@dataclass(frozen=True)
class RoundScored:
    round: int
    scores: dict[str, int]
    totals: dict[str, int]
    token: str


ReplayStep = RoundDealt | Decision | VillageShuffled | RoundScored


def written_moves(game: Game) -> list[tuple[str, list[int]]]:
    """Return the text of each move of a game, with the one-card moves that it stands for.

    An incomplete look or exchange is left out.
    """
    moves: list[tuple[str, list[int]]] = []
    peeks: dict[int, int] = {}
    steps = game.history()
    if game.is_choosing_cards:
        while steps.pop() < EXCHANGE:
            pass
    place = 0
    while place < len(steps):
        step = steps[place]
        place += 1
        if has_base(step, PEEK):
            peeks[seat_of(step)] = step
        elif has_base(step, AND_CARD):
            first = peeks.pop(seat_of(step))
            moves.append((f"{move_text(first)} {spot_text(spot_of(step))}", [first, step]))
        elif has_base(step, EXCHANGE):
            card_moves = [step]
            while place < len(steps) and has_base(steps[place], AND_CARD):
                card_moves.append(steps[place])
                place += 1
            named = " ".join([move_text(step), *[spot_text(spot_of(move)) for move in card_moves[1:]]])
            if place < len(steps) and steps[place] == DONE:
                card_moves.append(DONE)
                place += 1
            moves.append((named, card_moves))
        else:
            moves.append((move_text(step), [step]))
    return moves


def moving_seat(game: Game, steps: Sequence[int]) -> str:
    """Return the seat that makes a move. In the first look, which is simultaneous, the move determines it (G4)."""
    return SEAT_LETTERS[seat_of(steps[0])] if PEEK <= steps[0] < EXCHANGE else game.to_move


def replay_steps(game: Game) -> Iterator[ReplayStep]:
    """Replay a game from its first deal, and yield its steps.

    Raise `ValueError` if the game began from a given position or a re-deal, or ended after fewer rounds than a complete
    game.
    """
    if not game.deals:
        raise ValueError(
            "only a game from its first deal has a record: this one began from a given position or a re-deal"
        )
    if game.over and game.rounds_finished < ROUNDS_PER_GAME:
        raise ValueError(
            f"only a game of {ROUNDS_PER_GAME} rounds has a record, and this one ended after {game.rounds_finished}"
        )
    replayed = game.restart()
    yield RoundDealt(1, replayed.deals[-1])
    for move, steps in written_moves(game):
        round_number, shuffle_count = replayed.round, len(replayed.shuffles())
        seat = moving_seat(replayed, steps)
        yield Decision(replayed, seat, move)
        for step in steps:
            replayed.play(step)
        for outcome in replayed.shuffles(round_number)[shuffle_count:]:
            yield VillageShuffled(outcome)
        if replayed.rounds_finished == round_number:
            yield round_result(replayed, round_number)
            if not replayed.over:
                yield RoundDealt(replayed.round, replayed.deals[-1])


def round_result(game: Game, number: int) -> RoundScored:
    """Return the result of a round; raise `ValueError` if the round is not finished."""
    end = game.round_end_view(number)
    return RoundScored(number, end.scores, end.totals, f"{end.token} {end.token_seat} {end.token_state}")


def numbers_text(numbers: Sequence[int]) -> str:
    """Format card numbers: `3 9 2 4`."""
    return " ".join([str(number) for number in numbers])


def steps_as_json(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the objects that `argentum replay --json` prints."""
    yield {"game": {"boxes": game.cast.code, "token": game.cast.token, "players": game.players, "names": game.names}}
    for step in replay_steps(game):
        match step:
            case RoundDealt(number, deal):
                yield {
                    "deal": {
                        "round": number,
                        "start": SEAT_LETTERS[deal.start],
                        "villages": {SEAT_LETTERS[seat]: numbers_text(row) for seat, row in enumerate(deal.villages)},
                        "deck": numbers_text(deal.deck),
                        "discard": str(deal.discard),
                    }
                }
            case Decision(before, seat, move):
                sees = {seat: village_texts(before.view(seat))}
                yield {
                    "seat": seat,
                    "legal": step.legal,
                    "position": before.position().as_dict(),
                    "sees": sees,
                    "move": move,
                }
            case VillageShuffled(outcome):
                yield {"shuffle": {"village": outcome.seat, "cards": outcome.cards}}
            case RoundScored(_, scores, totals, token):
                yield {"scores": scores, "totals": totals, "token": token}
    if game.over:
        yield {"winner": game.winner}
