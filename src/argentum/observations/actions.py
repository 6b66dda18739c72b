# mypyc: compile
"""Numbering of actions. An action is a move relative to the acting seat, so its number is the same for all seats."""

from typing import Final

from argentum.rules.game import MAX_PLAYERS, MIN_PLAYERS
from argentum.rules.move import MOVES, Move
from argentum.rules.notation import (
    AND_CARD,
    DISCARD_CARD,
    DRAW_SHOWN,
    EXCHANGE,
    GIVE,
    KEEP_FROM_DECK,
    MOVE_LIMIT,
    PEEK,
    PICK_CARD,
    PLACE_AT,
    REMOVE,
    ROTATE,
    SEAT_LETTERS,
    TAKE_FROM_PILE,
    USE_ABILITY,
    USE_FROM_PILE,
    base_of,
    card_move,
    give_move,
    make_spot,
    move_text,
    names_village,
    parse_move,
    place_of,
    receiver_of,
    seat_of,
    village_move,
    village_of,
)
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

NO_ACTION: Final = -1
ILLEGAL_ACTION: Final = -2  # replaces illegal actions in a batch in which they end the game
VILLAGE_NAMES: Final = ("own", "first", "second", "third")  # clockwise from the acting seat
PLAIN_ACTIONS: Final = 15  # moves without an argument, from `draw` to `end`
MAX_SHOWN: Final = 4  # most cards that can lie beside the deck (A1)
MAX_KEEP_DEPTH: Final = 5  # most cards of the deck from which one is kept (A4)
MAX_PILE_DEPTH: Final = 50  # depth of the deepest card of the discard pile that can be taken (A10)
# Bases of the moves that name only cards of the acting seat.
OWN_CARD_BASES: Final = (
    PEEK,
    EXCHANGE,
    AND_CARD,
    PLACE_AT,
    USE_ABILITY,
    ROTATE,
    DISCARD_CARD,
    REMOVE,
)


def _canonical_moves() -> list[int]:
    """Return the moves of seat A with four players, in the order of the actions."""
    moves = list(range(PLAIN_ACTIONS))
    moves += [DRAW_SHOWN + number for number in range(1, MAX_SHOWN + 1)]
    moves += [KEEP_FROM_DECK + depth for depth in range(1, MAX_KEEP_DEPTH + 1)]
    moves += [TAKE_FROM_PILE + depth for depth in range(1, MAX_PILE_DEPTH + 1)]
    moves += [USE_FROM_PILE + number for number in range(RESIDENTS_PER_BOX)]
    moves += [village_move(seat) for seat in range(MAX_PLAYERS)]
    for base in OWN_CARD_BASES:
        moves += [base + place for place in range(CARDS_IN_DECK)]
    for seat in range(MAX_PLAYERS):
        moves += [card_move(PICK_CARD, seat, place) for place in range(CARDS_IN_DECK)]
    for receiver in range(1, MAX_PLAYERS):
        moves += [give_move(make_spot(0, place), receiver) for place in range(CARDS_IN_DECK)]
    return moves


_CANONICAL_MOVES: Final = _canonical_moves()
ACTION_COUNT: Final = len(_CANONICAL_MOVES)
CARDLESS_ACTIONS: Final = _CANONICAL_MOVES.index(OWN_CARD_BASES[0])  # actions that name no card; they come first


def rotate_seats(move: int, steps: int, players: int) -> int:
    """Return a move with its seats rotated clockwise by `steps`; NO_ACTION if it names a seat beyond `players`."""
    if names_village(move):
        seat = village_of(move)
        return village_move((seat + steps) % players) if seat < players else NO_ACTION
    if move < PICK_CARD:
        return move
    seat, receiver = seat_of(move), receiver_of(move) if move >= GIVE else 0
    if seat >= players or receiver >= players:
        return NO_ACTION
    seat, receiver = (seat + steps) % players, (receiver + steps) % players
    if move < GIVE:
        return card_move(base_of(move), seat, place_of(move))
    return give_move(make_spot(seat, place_of(move)), receiver)


def _moves_by_seat(players: int) -> list[list[int]]:
    """Return one list per acting seat, with the move of each action; NO_ACTION if the action names a missing seat."""
    return [[rotate_seats(move, seat, players) for move in _CANONICAL_MOVES] for seat in range(players)]


def _actions_by_move(moves: list[int]) -> list[int]:
    """Return the action of each move, given the move of each action; NO_ACTION for moves without one."""
    actions = [NO_ACTION] * MOVE_LIMIT
    for action, move in enumerate(moves):
        if move != NO_ACTION:
            actions[move] = action
    return actions


# By number of players, then by acting seat: the move of each action, and the action of each move; NO_ACTION for none.
MOVE_OF_ACTION: Final = [
    _moves_by_seat(players) if players >= MIN_PLAYERS else [] for players in range(MAX_PLAYERS + 1)
]
ACTION_OF_MOVE: Final = [[_actions_by_move(moves) for moves in seats] for seats in MOVE_OF_ACTION]


def move_of_action(seat: str, players: int, action: int) -> Move:
    """Return the move that an action stands for when `seat` acts; raise `ValueError` if there is none."""
    move = MOVE_OF_ACTION[players][SEAT_LETTERS.index(seat)][action] if 0 <= action < ACTION_COUNT else NO_ACTION
    if move == NO_ACTION:
        raise ValueError(
            f"{action} is not an action for {players} players; actions are numbered 0 to {ACTION_COUNT - 1}"
        )
    return MOVES[move]


def action_of_move(seat: str, players: int, move: int | str) -> int:
    """Return the action that stands for a move (or its text) of `seat`; raise `ValueError` if there is none."""
    number = parse_move(move) if isinstance(move, str) else int(move)
    action = ACTION_OF_MOVE[players][SEAT_LETTERS.index(seat)][number] if 0 <= number < MOVE_LIMIT else NO_ACTION
    if action == NO_ACTION:
        text = move if isinstance(move, str) else move_text(number)
        raise ValueError(f"{text!r} is not an action of seat {seat} with {players} players")
    return action


def legal_actions(moves: list[int], seat: int, players: int) -> list[int]:
    """Return the actions of a seat's legal moves, in the same order."""
    actions = ACTION_OF_MOVE[players][seat]
    return [actions[move] for move in moves]


def action_text(action: int) -> str:
    """Return the text of an action, such as `exchange own 3`, `card first 2`, `village second` or `draw`."""
    move = _CANONICAL_MOVES[action]
    if names_village(move):
        return f"village {VILLAGE_NAMES[village_of(move)]}"
    if move < PICK_CARD:
        return move_text(move)
    place = place_of(move) + 1
    if move >= GIVE:
        return f"give own {place} {VILLAGE_NAMES[receiver_of(move)]}"
    verb = MOVES[move].verb or "card"
    return f"{verb} {VILLAGE_NAMES[seat_of(move)]} {place}"


ACTION_TEXTS: Final = [action_text(action) for action in range(ACTION_COUNT)]
