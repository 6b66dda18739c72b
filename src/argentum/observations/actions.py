"""Action numbering (write_mask goes to table_writer.py)."""

from typing import Final

from argentum.rules.game import MIN_PLAYERS, MAX_PLAYERS
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import (
    USE_ABILITY,
    AND_CARD,
    PLACE_AT,
    PICK_CARD,
    DISCARD_CARD,
    DRAW_SHOWN,
    EXCHANGE,
    GIVE,
    KEEP_FROM_DECK,
    MOVE_LIMIT,
    PEEK,
    REMOVE,
    ROTATE,
    SEAT_LETTERS,
    TAKE_FROM_PILE,
    USE_FROM_PILE,
    PICK_VILLAGE,
    parse_move,
    make_spot,
)
from argentum.rules.notation import move_text as move_text
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

NO_ACTION: Final = -1
FORFEIT: Final = -2  # in a batch: something illegal was chosen, which ends the game
WHOSE: Final = ("own", "first", "second", "third")  # villages: one's own, then the others clockwise
PLAIN: Final = 15  # moves that name nothing, from `draw` to `end`
SHOWN: Final = 4  # cards that may lie beside the deck (A1)
KEPT: Final = 5  # cards that may be looked at to keep one (A4)
DEEPEST: Final = 50  # card of the discard pile that may be taken (A10)
OWN: Final = (
    PEEK,
    EXCHANGE,
    AND_CARD,
    PLACE_AT,
    USE_ABILITY,
    ROTATE,
    DISCARD_CARD,
    REMOVE,
)  # what only names one's own cards


def _moves() -> list[int]:
    """The move of each action, for seat A of four."""
    moves = list(range(PLAIN))
    moves += [DRAW_SHOWN + nth for nth in range(1, SHOWN + 1)]
    moves += [KEEP_FROM_DECK + nth for nth in range(1, KEPT + 1)]
    moves += [TAKE_FROM_PILE + nth for nth in range(1, DEEPEST + 1)]
    moves += [USE_FROM_PILE + number for number in range(RESIDENTS_PER_BOX)]
    moves += [PICK_VILLAGE + seat for seat in range(MAX_PLAYERS)]
    for base in OWN:
        moves += [base + place for place in range(CARDS_IN_DECK)]
    for seat in range(MAX_PLAYERS):
        moves += [PICK_CARD + make_spot(seat, place) for place in range(CARDS_IN_DECK)]
    for receiver in range(1, MAX_PLAYERS):
        moves += [GIVE + (receiver << 8) + place for place in range(CARDS_IN_DECK)]
    return moves


_MOVES: Final = _moves()
ACTIONS: Final = len(_MOVES)
NAMELESS: Final = _MOVES.index(OWN[0])  # the first so many actions name no card


def _names_village(move: int) -> bool:
    """Whether a move names a village and nothing else."""
    return PICK_VILLAGE <= move < PICK_VILLAGE + MAX_PLAYERS


def turned(move: int, by: int, players: int) -> int:
    """A move with each seat that it names turned clockwise; -1 where it names one that is not there."""
    if _names_village(move):
        seat = move - PICK_VILLAGE
        return PICK_VILLAGE + (seat + by) % players if seat < players else NO_ACTION
    if move < PICK_CARD:
        return move
    seat, receiver = move >> 6 & 3, (move - GIVE) >> 8 if move >= GIVE else 0
    if seat >= players or receiver >= players:
        return NO_ACTION
    seat, receiver = (seat + by) % players, (receiver + by) % players
    if move < GIVE:
        return (move & ~192) + (seat << 6)
    return GIVE + (receiver << 8) + (seat << 6) + (move & 63)


def _moves_of_seats(players: int) -> list[list[int]]:
    """By seat: the move of each action, or -1."""
    return [[turned(move, seat, players) for move in _MOVES] for seat in range(players)]


def _actions_of(moves: list[int]) -> list[int]:
    """The action of each move, or -1."""
    actions = [NO_ACTION] * MOVE_LIMIT
    for action, move in enumerate(moves):
        if move != NO_ACTION:
            actions[move] = action
    return actions


# By the number of seats, and by the acting seat: the move of each action, and the action of each move, or -1.
MOVE_TABLE: Final = [_moves_of_seats(players) if players >= MIN_PLAYERS else [] for players in range(MAX_PLAYERS + 1)]
ACTION_TABLE: Final = [[_actions_of(moves) for moves in seats] for seats in MOVE_TABLE]


def move_of(seat: str, players: int, action: int) -> Move:
    """The move that an action of a seat is."""
    move = MOVE_TABLE[players][SEAT_LETTERS.index(seat)][action] if 0 <= action < ACTIONS else NO_ACTION
    if move == NO_ACTION:
        raise ValueError(f"{action} is not an action for {players} players; actions are numbered 0 to {ACTIONS - 1}")
    return MOVES[move]


def action_of(seat: str, players: int, move: int | str) -> int:
    """The action that a seat's move is, given by value or by its text."""
    number = parse_move(move) if isinstance(move, str) else int(move)
    action = ACTION_TABLE[players][SEAT_LETTERS.index(seat)][number] if 0 <= number < MOVE_LIMIT else NO_ACTION
    if action == NO_ACTION:
        written = move if isinstance(move, str) else move_text(number)
        raise ValueError(f"{written!r} is not an action of seat {seat} with {players} players")
    return action


def actions(moves: list[int], seat: int, players: int) -> list[int]:
    """The actions that a seat's legal moves are."""
    table = ACTION_TABLE[players][seat]
    return [table[move] for move in moves]


def text(action: int) -> str:
    """An action as its seat would say it: `exchange own 3`, `card first 2`, `village second`, `draw`."""
    move = _MOVES[action]
    if _names_village(move):
        return f"village {WHOSE[move - PICK_VILLAGE]}"
    if move < PICK_CARD:
        return move_text(move)
    place = (move & 63) + 1
    if move >= GIVE:
        return f"give own {place} {WHOSE[(move - GIVE) >> 8]}"
    verb = MOVES[move].verb or "card"
    return f"{verb} {WHOSE[move >> 6 & 3]} {place}"


TEXTS: Final = [text(action) for action in range(ACTIONS)]
