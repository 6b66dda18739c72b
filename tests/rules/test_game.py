import copy
import pickle
import re
from random import Random
from typing import Any

import pytest

from argentum import Deal, Game, Move, records
from argentum.rules.notation import DONE
from tests.random_games import (
    play_random_moves,
    play_to_end,
    visible_state,
)
from tests.rules.move_texts import complete_state


def test_a_move_can_be_played_as_a_value_an_integer_or_a_text(game: Game) -> None:
    by_value, by_number, by_text = game.copy(), game.copy(), game.copy()
    by_value.play(game.legal()[0])
    by_number.play(int(game.legal()[0]))
    by_text.play("  DRAW ", seat="a")
    assert complete_state(by_value) == complete_state(by_number) == complete_state(by_text)
    assert [str(move) for move in by_text.legal()][:2] == ["discard", "use"]


def test_an_exchange_of_several_cards_can_be_played_as_one_text_or_card_by_card(game: Game) -> None:
    game.play("draw")
    at_once, card_by_card = game.copy(), game.copy()
    at_once.play("exchange A3 A1")
    for text in ("exchange A3", "and A1", "done"):
        card_by_card.play(Move.of(text))
    assert complete_state(at_once) == complete_state(card_by_card)
    assert [str(move) for move in at_once.legal()] == ["at A1", "at A3"]
    at_once.play("at A3")
    assert at_once.position().as_dict()["villages"]["A"] == "10 8 1"


def test_after_the_first_card_of_an_exchange_the_others_and_done_are_legal(game: Game) -> None:
    game.play("draw")
    game.play(Move.of("exchange A2"))
    assert [str(move) for move in game.legal()] == ["and A1", "and A3", "and A4", "done"]
    game.play("and A4")
    assert [str(move) for move in game.legal()] == ["and A1", "and A3", "done"]


def test_a_text_with_one_card_exchanges_only_that_card(game: Game) -> None:
    game.play("draw")
    game.play("exchange A2")
    assert DONE not in [*game.legal()]
    assert game.position().as_dict()["villages"]["A"] == "5 8 5 1"
    assert game.to_move == "B"


def test_an_exchange_of_all_cards_needs_no_done(game: Game) -> None:
    game.play("draw")
    game.play("exchange A1 A2 A3 A4")
    assert [str(move) for move in game.legal()] == ["at left", "at right"]


def test_a_look_can_be_played_as_one_text_or_card_by_card(first_look: Game) -> None:
    at_once, card_by_card = first_look.copy(), first_look.copy()
    at_once.play("peek B5 B2")
    card_by_card.play("peek B5")
    assert [str(move) for move in card_by_card.legal("B")] == ["and B1", "and B2", "and B3", "and B4"]
    card_by_card.play("and B2")
    assert complete_state(at_once) == complete_state(card_by_card)


def test_in_the_first_look_any_seat_may_move_next(first_look: Game) -> None:
    for text, seat in [("peek A1", "A"), ("peek B1", "B"), ("and A2", "A"), ("and B5", "B")]:
        first_look.play(text, seat=seat)
    assert not first_look.in_first_look


def test_history_returns_plain_integers() -> None:
    game = Game.new("dagger", 2, 1)
    for _ in range(6):
        game.play(game.legal()[0])
    assert [type(move) for move in game.history()] == [int] * 6


def test_with_faces_changes_faces_and_fixes_shuffles() -> None:
    villages = {"A": "7 5", "B": "12 3 6"}
    game = Game.at({"boxes": "bullet", "deck": "8 11 9", "discard": "9", "villages": villages})
    table = game.position().table
    first, second = table.villages[0][0], table.villages[1][0]
    changed = game.with_faces({first: 12, second: 7}, [[6, 3, 7]])
    assert changed.position().as_dict()["villages"] == {"A": "12 5", "B": "7 3 6"}
    assert game.position().as_dict()["villages"] == villages
    for move in ("draw", "use", "B"):
        changed.play(move)
    assert changed.position().as_dict()["villages"]["B"] == "6 3 7"
    assert [(shuffle.seat, shuffle.cards, shuffle.numbers) for shuffle in changed.shuffles()] == [
        ("B", "6 3 7", [6, 3, 7])
    ]


def test_with_faces_works_inside_an_ability() -> None:
    villages = {"A": "7 5", "B": "12 3 6"}
    game = Game.at({"boxes": "bullet", "deck": "11 8 9", "discard": "9", "villages": villages})
    for move in ("draw", "use", "A1"):
        game.play(move)
    table = game.position().table
    changed = game.with_faces({table.villages[0][0]: 12, table.villages[1][0]: 7})
    changed.play("B1")
    assert changed.position().as_dict()["villages"] == {"A": "7 5", "B": "12 3 6"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"boxes": "gold"}, "'gold' names no deck"),
        ({"rounds": 5}, "5 rounds: a game has one to four"),
        ({"boxes": "ddd"}, "a deck code of 14 letters"),
        ({"token": "sword"}, "'sword' is not a token"),
        ({"players": 5}, "two to four"),
        ({"players": 1}, "two to four"),
        ({"names": ["Ann"]}, "1 names for 2 players"),
        ({"names": ["Ann", "B\no"]}, "is not a name"),
        ({"deals": [Deal(0, [[1] * 5, [2] * 5], 3, range(10))]}, "more than 4 cards of number 1"),
        ({"deals": [Deal(0, [[1, 2], [3, 4]], 3, [5])]}, "villages of [2, 2] and a deck of 1"),
        ({"deals": [Deal(0, [[1, 2], [3, 40]], 3, [5])]}, "40 is not a card"),
    ],
)
def test_impossible_settings_are_refused_with_the_reason(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Game.new(**arguments)


def test_unknown_rounds_seats_and_moves_are_errors() -> None:
    game = Game.new("coin", 2, 1)
    with pytest.raises(ValueError, match=re.escape("round 1 is not over")):
        game.explain(1)
    with pytest.raises(ValueError, match=re.escape("there is no seat 'C': the seats are A, B")):
        game.view("C")
    with pytest.raises(ValueError, match="no move to take back"):
        game.take_back()


def test_interleaved_looks_are_undone_one_by_one() -> None:
    game = Game.new("coin", 2, 1)
    for move in ("peek A1", "peek B1", "and B2", "and A4"):
        game.play(move)
    game.take_back()
    assert [move for move, _ in records.written_moves(game)] == ["peek B1 B2"]
    game.play("peek A2 A3")
    game.take_back(2)
    assert game.history() == []


def test_a_game_can_start_with_a_fixed_deal() -> None:
    game = Game.new("dagger", 2, 1)
    (dealt,) = game.deals
    replayed = Game.new("dagger", 2, 99, deals=[Deal(1, dealt.villages, dealt.discard, dealt.deck)])
    assert replayed.position().as_dict() == {**game.position().as_dict(), "token": "dagger B idle"}
    assert replayed.to_move == "B"


@pytest.mark.parametrize("seed", range(4))
def test_a_copy_deals_the_next_rounds_from_the_given_deals(seed: int) -> None:
    random, dealt = Random(seed), Game.new("dagger", 2, seed)
    while not dealt.over:
        dealt.play(random.choice(dealt.legal()))
    game = Game.new("dagger", 2, seed + 1, deals=dealt.deals)
    while not game.over:
        game.play(random.choice(game.legal()))
        game = game.copy()
    assert [deal.villages for deal in game.deals] == [deal.villages for deal in dealt.deals]


@pytest.mark.parametrize("seed", [6, 8, 10])  # games with a choice at the end of a round (B0)
def test_a_game_that_continues_in_copies_has_the_same_events(seed: int) -> None:
    random = Random(seed)
    game = Game.new("bullet", 3, seed)
    continued = game.copy()
    while not game.over:
        move = random.choice(game.legal())
        game.play(move)
        continued.copy()  # The first copy at a choice saves a table for the later ones.
        continued = continued.copy()
        continued.play(move)
    assert continued.events() == game.events()


def test_copying_a_table_copies_every_attribute_except_events() -> None:
    table = Game.new("bullet", 4, 1).position().table
    for name in (
        "seed",
        "turns",
        "extra_turns",
        "used_cards",
        "discarded_this_turn",
        "named_places",
        "passed_over",
        "first_look_pending",
        "untraceable",
        "muted_card",
        "end_reason",
    ):
        setattr(table, name, 7)
    table.fixed_shuffles, table.shuffle_log, table.cooldowns, table.guards = (
        [[1]],
        ((0, 1),),
        ((0, 1, 2),),
        ((0, 1, 2),),
    )
    table.asker, table.step, table.picked, table.shown, table.first_peeks = "D8", "card", (3,), (5,), (1, 2, 3, 4)
    copied = table.copy()
    names = [name for name in dir(table) if not name.startswith("_") and not callable(getattr(table, name))]
    assert len(names) > 45
    assert {name: getattr(copied, name) for name in names if name != "events"} == {
        name: getattr(table, name) for name in names if name != "events"
    }


def test_every_kind_of_copy_is_independent() -> None:
    game = play_random_moves(Game.new("amulet", 3, 1), Random(1), 30)
    before = visible_state(game)
    for copied in (copy.copy(game), copy.deepcopy(game), game.copy()):
        assert visible_state(copied) == before
        play_random_moves(copied, Random(2), 20)
        assert visible_state(game) == before


def test_the_repr_of_a_game_shows_deck_round_and_seat_to_move() -> None:
    game = Game.new("amulet", 2, 1, rounds=1)
    assert repr(game) == f"<Game aaaaaaaaaaaaaa for 2: round 1, {game.to_move} to move>"
    play_to_end(game, Random(1))
    assert repr(game) == "<Game aaaaaaaaaaaaaa for 2: round 1, nobody to move>"
    assert game.turns == game.round_end_view(1).turns


def test_a_game_of_fewer_rounds_has_a_winner() -> None:
    for rounds in (1, 2, 3):
        game = Game.new("amulet", 3, rounds, rounds=rounds)
        assert (game.winner, game.view().winner) == ("", "")
        play_to_end(game, Random(rounds))
        assert game.totals[game.winner] == min(game.totals.values())
        assert game.view("A").winner == game.winner


def test_a_view_survives_pickling() -> None:
    view = Game.new("coin", 3, 1).view("B")
    assert pickle.loads(pickle.dumps(view)) == view


def test_events_before_since_are_left_out() -> None:
    game = play_random_moves(Game.new("coin", 3, 1), Random(1), 50)
    events = game.events("A")
    for since in (0, 1, 10, len(events) - 1, len(events), len(events) + 5):
        assert game.events("A", since) == events[since:]
