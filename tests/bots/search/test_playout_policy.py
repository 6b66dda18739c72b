"""The playout policy plays legally and uses only what the seat knows."""

import json
from collections.abc import Mapping
from random import Random

import pytest

from argentum import Game
from argentum.bots.search.playout_policy import PlayoutPolicy
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.move import MOVES
from tests.bots.positions import is_in_ability, sample_positions


def chosen_move(game: Game, seat: str) -> int:
    """What the quick player chooses at a seat."""
    me = game.seats.index(seat)
    return PlayoutPolicy(game.cast).choose_for(game.copy_table(), me, game.legal_moves_of(me))


def test_the_playout_policy_does_not_depend_on_hidden_cards() -> None:
    random = Random(4)
    met = 0
    for game, seat in sample_positions(11, 12, 0.15):
        if not game.in_first_look:
            for _ in range(3):
                assert chosen_move(game.redeal(seat, random), seat) == chosen_move(game, seat)
            met += is_in_ability(game)
    assert met > 30


@pytest.mark.parametrize(
    ("position", "before"),
    [
        ({"discard": "?v 8", "villages": {"A": "6 3 9", "B": "5 6 7"}}, ["take"]),
        ({"discard": "?v 8", "deck": "11 3 3", "villages": {"A": "6 3 9", "B": "5 6 7"}}, ["draw", "use"]),
        ({"discard": "8", "villages": {"A": "2^ ? 9", "B": "5 6 7"}}, ["ability A1"]),
    ],
)
def test_the_playout_policy_takes_a_facedown_card_for_any(position: Mapping[str, object], before: list[str]) -> None:
    """A card taken facedown from the pile, one that a Golem would switch, and a Zombie that a Curator might try."""
    picks = set()
    for number in (4, 12):
        whole = {"boxes": "ccccdccccccccc", "deck": "6 9 7 10", "seen": {"A": "A1"}, **position}
        game = Game.at(json.loads(json.dumps(whole).replace("?", str(number))))
        for move in before:
            game.play(move)
        picks.add(chosen_move(game, "A"))
    assert len(picks) == 1


@pytest.mark.parametrize(("private", "wanted"), [("0", "draw private"), ("10", "ability A1")])
def test_with_the_deck_empty_the_playout_policy_weighs_a_blob_against_its_private_deck(
    private: str, wanted: str
) -> None:
    """D10: a Robber lies on the discard pile, which a Blob can use in place of the draw."""
    position = {"boxes": "ddddcdddddddad", "deck": "", "discard": "12", "private": {"A": private}, "seen": {"A": "A2"}}
    game = Game.at({**position, "villages": {"A": "4^ 11", "B": "5 6 7"}})
    assert [str(move) for move in game.legal()] == ["draw private", "take", "ability A1"]
    assert str(MOVES[chosen_move(game, "A")]) == wanted


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_playout_policy_plays_whole_games(players: int) -> None:
    random = Random(players)
    for index in range(12):
        game = Game.new(random_deck_code(random), players, index, random.choice(["", *BOX_NAMES]))
        quick = PlayoutPolicy(game.cast)
        while not game.over:
            options = game.legal_moves()
            game.play(options[0] if game.in_first_look else quick.choose(game.copy_table(), options))
        assert game.winner
