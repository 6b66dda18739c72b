"""Actions stand for moves, each for one, whatever the seat."""

from random import Random

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.envs.actions import (
    ACTION_TABLE,
    ACTIONS,
    MOVE_TABLE,
    NO_ACTION,
    TEXTS,
    action_of,
    actions,
    mask,
    move_of,
)
from argentum.rules.move import MOVES
from argentum.rules.notation import SEATS, parse
from tests.playing import games


@pytest.mark.parametrize("players", [2, 3, 4])
def test_actions_and_moves_are_each_others_inverse(players: int) -> None:
    for seat in range(players):
        moves, numbers = MOVE_TABLE[players][seat], ACTION_TABLE[players][seat]
        assert len(moves) == ACTIONS
        there = [move for move in moves if move != NO_ACTION]
        assert len(set(there)) == len(there)
        assert all(numbers[move] == action for action, move in enumerate(moves) if move != NO_ACTION)
        assert all(moves[action] == move for move, action in enumerate(numbers) if action != NO_ACTION)


def test_with_four_seats_every_action_is_a_move() -> None:
    assert NO_ACTION not in MOVE_TABLE[4][2]
    assert NO_ACTION in MOVE_TABLE[3][2]


def test_an_action_is_the_same_from_every_seat() -> None:
    for players in (2, 3, 4):
        for seat in range(players):
            for action, move in enumerate(MOVE_TABLE[players][seat]):
                first = MOVE_TABLE[players][0][action]
                assert (move == NO_ACTION) == (first == NO_ACTION)
                if move != NO_ACTION:
                    turned = "".join(
                        [
                            SEATS[(SEATS.index(one) + seat) % players] if one in SEATS else one
                            for one in str(MOVES[first])
                        ]
                    )
                    assert str(MOVES[move]) == turned


@settings(max_examples=60)
@given(games())
def test_every_legal_move_has_an_action(game: Game) -> None:
    for seat, letter in enumerate(game.seats):
        legal = game.legal(letter)
        assert [move_of(letter, game.players, action) for action in actions(game, seat)] == legal
        assert [action_of(letter, game.players, str(move)) for move in legal] == actions(game, seat)


def test_every_legal_move_of_whole_games_has_an_action() -> None:
    for seed in range(30):
        random = Random(seed)
        game = Game.new("".join(random.choices("bcd", k=14)), 2 + seed % 3, seed)
        while not game.over:
            assert NO_ACTION not in actions(game, game.chooser)
            game.play(random.choice(game.choices()))


@settings(max_examples=40)
@given(games())
def test_a_mask_has_a_1_for_each_legal_action(game: Game) -> None:
    for seat in range(game.players):
        buffer = bytearray([7]) * (ACTIONS + 2)
        mask(game, seat, buffer, 1)
        assert buffer[0] == buffer[-1] == 7
        assert [action for action in range(ACTIONS) if buffer[action + 1]] == sorted(actions(game, seat))
        assert max(buffer[1:-1]) <= 1


def test_texts_are_all_different() -> None:
    assert len(set(TEXTS)) == ACTIONS
    assert TEXTS[action_of("C", 3, "exchange C2")] == "exchange own 2"
    assert TEXTS[action_of("C", 3, "A4")] == "card first 4"
    assert TEXTS[action_of("C", 3, "B")] == "village second"
    assert TEXTS[action_of("C", 3, parse("give C1 B"))] == "give own 1 second"


@pytest.mark.parametrize("action", [-1, ACTIONS])
def test_a_number_that_is_no_action(action: int) -> None:
    with pytest.raises(ValueError, match=f"{action} is no action"):
        move_of("A", 2, action)


@pytest.mark.parametrize("written", ["exchange B1", "give B1 A", "D", "jump"])
def test_a_move_that_is_no_action_of_the_seat(written: str) -> None:
    with pytest.raises(ValueError, match="is no action of seat A with 2 players"):
        action_of("A", 2, written)
