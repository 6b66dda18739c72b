"""The playout policy plays legally and uses only what the seat knows."""

import json
from collections.abc import Mapping
from random import Random

import pytest

from argentum import Game
from argentum.bots.search.playout_policy import PlayoutPolicy
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.move import MOVES
from argentum.rules.notation import SEAT_LETTERS
from tests.bots.positions import is_in_ability, sample_positions


def chosen_move(game: Game, seat: str) -> int:
    me = game.seats.index(seat)
    return PlayoutPolicy(game.cast).choose_for_seat(game.position().table, me, [*game.legal(SEAT_LETTERS[me])])


def test_the_playout_policy_does_not_depend_on_hidden_cards() -> None:
    random = Random(4)
    in_ability_count = 0
    for game, seat in sample_positions(11, 12, 0.15):
        if not game.in_first_look:
            for _ in range(3):
                assert chosen_move(game.redeal(seat, random), seat) == chosen_move(game, seat)
            in_ability_count += is_in_ability(game)
    assert in_ability_count > 30


@pytest.mark.parametrize(
    ("position", "before"),
    [
        # The facedown card is taken from the discard pile, put into a village by a Golem, or rotated by a Curator.
        ({"discard": "?v 8", "villages": {"A": "6 3 9", "B": "5 6 7"}}, ["take"]),
        ({"discard": "?v 8", "deck": "11 3 3", "villages": {"A": "6 3 9", "B": "5 6 7"}}, ["draw", "use"]),
        ({"discard": "8", "villages": {"A": "2^ ? 9", "B": "5 6 7"}}, ["ability A1"]),
    ],
)
def test_the_playout_policy_does_not_use_the_number_of_a_facedown_card(
    position: Mapping[str, object], before: list[str]
) -> None:
    moves = set()
    for number in (4, 12):
        template = {"boxes": "ccccdccccccccc", "deck": "6 9 7 10", "seen": {"A": "A1"}, **position}
        game = Game.at(json.loads(json.dumps(template).replace("?", str(number))))
        for move in before:
            game.play(move)
        moves.add(chosen_move(game, "A"))
    assert len(moves) == 1


@pytest.mark.parametrize(("private", "expected"), [("0", "draw private"), ("10", "ability A1")])
def test_with_the_deck_empty_the_playout_policy_compares_a_blob_with_its_private_deck(
    private: str, expected: str
) -> None:
    # A Blob can use the Robber on the discard pile instead of drawing a card (D10).
    position = {"boxes": "ddddcdddddddad", "deck": "", "discard": "12", "private": {"A": private}, "seen": {"A": "A2"}}
    game = Game.at({**position, "villages": {"A": "4^ 11", "B": "5 6 7"}})
    assert [str(move) for move in game.legal()] == ["draw private", "take", "ability A1"]
    assert str(MOVES[chosen_move(game, "A")]) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_playout_policy_plays_whole_games(players: int) -> None:
    random = Random(players)
    for index in range(12):
        game = Game.new(random_deck_code(random), players, index, random.choice(["", *BOX_NAMES]))
        policy = PlayoutPolicy(game.cast)
        while not game.over:
            options: list[int] = [*game.legal()]
            game.play(options[0] if game.in_first_look else policy.choose(game.position().table, options))
        assert game.winner
