"""The mapping between actions and moves, which is the same for every seat."""

from random import Random

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.envs.rows import write_mask
from argentum.observations.actions import (
    ACTION_COUNT,
    ACTION_OF_MOVE,
    ACTION_TEXTS,
    MOVE_OF_ACTION,
    NO_ACTION,
    action_of_move,
    legal_actions,
    move_of_action,
)
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.move import MOVES
from argentum.rules.notation import SEAT_LETTERS, parse_move
from tests.random_games import games, random_move


@pytest.mark.parametrize("players", [2, 3, 4])
def test_actions_and_moves_map_to_each_other(players: int) -> None:
    for seat in range(players):
        moves, numbers = MOVE_OF_ACTION[players][seat], ACTION_OF_MOVE[players][seat]
        assert len(moves) == ACTION_COUNT
        existing = [move for move in moves if move != NO_ACTION]
        assert len(set(existing)) == len(existing)
        assert all(numbers[move] == action for action, move in enumerate(moves) if move != NO_ACTION)
        assert all(moves[action] == move for move, action in enumerate(numbers) if action != NO_ACTION)


def test_with_four_seats_every_action_is_a_move() -> None:
    assert NO_ACTION not in MOVE_OF_ACTION[4][2]
    assert NO_ACTION in MOVE_OF_ACTION[3][2]


def test_an_action_is_the_same_from_every_seat() -> None:
    for players in (2, 3, 4):
        for seat in range(players):
            for action, move in enumerate(MOVE_OF_ACTION[players][seat]):
                first = MOVE_OF_ACTION[players][0][action]
                assert (move == NO_ACTION) == (first == NO_ACTION)
                if move != NO_ACTION:
                    rotated = "".join(
                        [
                            SEAT_LETTERS[(SEAT_LETTERS.index(letter) + seat) % players]
                            if letter in SEAT_LETTERS
                            else letter
                            for letter in str(MOVES[first])
                        ]
                    )
                    assert str(MOVES[move]) == rotated


@settings(max_examples=60)
@given(games())
def test_every_legal_move_has_an_action(game: Game) -> None:
    for seat, letter in enumerate(game.seats):
        legal = game.legal(letter)
        actions = legal_actions([*game.legal(SEAT_LETTERS[seat])], seat, game.players)
        assert [move_of_action(letter, game.players, action) for action in actions] == legal
        assert [action_of_move(letter, game.players, str(move)) for move in legal] == actions


@pytest.mark.parametrize("boxes", [*BOX_NAMES, ""])
def test_every_legal_move_of_whole_games_maps_both_ways(boxes: str) -> None:
    for seed in range(8):
        random = Random(seed)
        players = 2 + seed % 3
        game = Game.new(boxes or "".join(random.choices("abcd", k=14)), players, seed, random.choice(["", *BOX_NAMES]))
        while not game.over:
            legal: list[int] = [*game.legal()]
            seat = SEAT_LETTERS.index(game.to_move)
            actions = legal_actions(legal, seat, players)
            assert NO_ACTION not in actions
            assert [MOVE_OF_ACTION[players][seat][action] for action in actions] == legal
            game.play(random_move(game, random) if seed % 2 else random.choice(legal))


@pytest.mark.parametrize("text", ["draw 4", "keep 5", "take 50", "use 13", "take 1"])
def test_moves_with_numbers_are_the_same_for_all_seats(text: str) -> None:
    assert len({action_of_move(seat, players, text) for players in (2, 3, 4) for seat in "ABCD"[:players]}) == 1
    assert ACTION_TEXTS[action_of_move("A", 2, text)] == text


@settings(max_examples=40)
@given(games())
def test_a_mask_has_a_1_for_each_legal_action(game: Game) -> None:
    for seat in range(game.players):
        legal: list[int] = [*game.legal(SEAT_LETTERS[seat])]
        mask = write_mask(legal, seat, game.players)
        assert len(mask) == ACTION_COUNT
        assert [action for action in range(ACTION_COUNT) if mask[action]] == sorted(
            legal_actions(legal, seat, game.players)
        )
        assert max(mask) <= 1


def test_texts_of_actions_are_unique() -> None:
    assert len(set(ACTION_TEXTS)) == ACTION_COUNT
    assert ACTION_TEXTS[action_of_move("C", 3, "exchange C2")] == "exchange own 2"
    assert ACTION_TEXTS[action_of_move("C", 3, "A4")] == "card first 4"
    assert ACTION_TEXTS[action_of_move("C", 3, "B")] == "village second"
    assert ACTION_TEXTS[action_of_move("C", 3, parse_move("give C1 B"))] == "give own 1 second"


@pytest.mark.parametrize("action", [-1, ACTION_COUNT])
def test_a_number_without_an_action_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"{action} is not an action"):
        move_of_action("A", 2, action)


@pytest.mark.parametrize("text", ["exchange B1", "give B1 A", "D", "jump"])
def test_a_move_without_an_action_of_the_seat_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an action of seat A with 2 players"):
        action_of_move("A", 2, text)
