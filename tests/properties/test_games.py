"""What holds in every game."""

import copy
import pickle
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Deal, Game, records
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.engine import Engine, random_move
from argentum.rules.notation import move_text, parse_move
from argentum.rules.position_dict import position_dict, read_position, turn_start_dict
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import PHASE_BEFORE_ACTION
from argentum.rules.turns import TURN_CAP
from tests.random_games import codes, finish_move, games, lying, options, play_some, seeds


def all_told(game: Game) -> list[object]:
    """A game as everybody knows it."""
    return [game.history(), game.scores, *[(game.view(seat), game.events(seat)) for seat in (None, *game.seats)]]


def test_a_history_is_plain_numbers_on_every_build() -> None:
    game = Game.new("dagger", 2, 1)
    for _ in range(6):
        game.play(game.legal()[0])
    assert [type(move) for move in game.history()] == [int] * 6


@settings(max_examples=100)
@given(games())
def test_cards_are_conserved(game: Game) -> None:
    table = game.copy_table()
    cards = lying(table)
    assert len(cards) == len(set(cards))
    gone = 2 if table.round_over else 0  # by Hunters, or a hand at the Villagers' end (X13)
    assert 5 * game.players + 32 - gone <= len(cards) <= 5 * game.players + 32
    assert sorted(table.faces) == sorted([0, 0, 13, 13, *range(1, 13), *range(1, 13), *range(1, 13), *range(1, 13)])
    assert {card for _, *pair in table.guards for card in pair} <= {card for row in table.villages for card in row}


amulets = codes.map(lambda code: f"a{code[1:3]}a{code[4:]}")  # with Villagers and Bodyguards


@settings(max_examples=60)
@given(amulets, st.integers(2, 4), st.sampled_from(["", *BOX_NAMES]), seeds)
def test_wherever_something_is_asked_guards_stand_and_the_villagers_lie_apart(
    code: str, players: int, token: str, seed: int
) -> None:
    """A0, A3, X13: what follows at once from a step has been seen to before anything else is asked."""
    random = Random(seed)
    game = Game.new(code, players, seed, token)
    while not game.over:
        table = game.copy_table()
        assert sum(table.count_active(seat, table.cast.ends) for seat in range(players)) < 2
        for owner, guard, guarded in table.guards:
            assert guard != guarded
            assert {guard, guarded} <= set(table.villages[owner])
            assert table.is_active(guard, table.cast.protects)
        assert len({guard for _, guard, _ in table.guards}) == len(table.guards)
        ended = game.rounds_finished
        game.play(random_move(game.legal_moves(), random))
        for nth in range(ended + 1, game.rounds_finished + 1):
            end = game.round_end_view(nth)
            open_ones = [card for village in end.villages.values() for card in village if card.up and card.number == 0]
            bulleted = [card for card in open_ones if card.covered and token == "bullet"]
            assert (end.reason == "villagers") == (len(open_ones) - len(bulleted) == 2)


@settings(max_examples=100)
@given(games(), seeds)
def test_a_copy_played_on_equals_the_original_played_on(game: Game, seed: int) -> None:
    other = game.copy()
    assert all_told(other) == all_told(game)
    play_some(other, Random(seed), 60)
    before = all_told(other)
    play_some(game, Random(seed), 60)
    assert all_told(game) == before
    assert other.text() == game.text()


@settings(max_examples=25)
@given(codes, st.integers(2, 4), seeds, st.integers(1, 90))
def test_the_start_of_a_turn_is_the_same_whoever_asks_for_it_first(
    code: str, players: int, seed: int, moves: int
) -> None:
    """A table is kept every few turns only: inside an ability, that at the start of the turn is made from it."""
    random = Random(seed)
    game = Game.new(code, players, seed)
    asked = game.copy()
    for nth in range(160):
        if game.over or (nth >= moves and not game.copy_table().restartable):
            break
        move = random_move(game.legal_moves(), random)
        game.play(move)
        asked.play(move)
        asked.text()  # it keeps the start of a turn in which it is inside an ability
    (table, made), (other, others) = game.checkpoint(), asked.checkpoint()
    assert made == others
    assert (table.faces, table.seen_by, table.deck, table.discard, table.villages, table.faceup, table.events_off) == (
        other.faces, other.seen_by, other.deck, other.discard, other.villages, other.faceup, other.events_off,
    )  # fmt: skip
    assert game.text() == asked.text()
    assert all_told(game.copy()) == all_told(asked)


@settings(max_examples=25)
@given(codes, st.integers(2, 4), seeds)
def test_copies_of_copies_inside_abilities_are_the_same_game(code: str, players: int, seed: int) -> None:
    """The first copy there keeps the table that was last at rest, and others begin from that."""
    random = Random(seed)
    game = Game.new(code, players, seed)
    other = game.copy()
    for _ in range(80):
        if game.over:
            break
        move = random_move(game.legal_moves(), random)
        game.play(move)
        other.play(move)
        for _ in range(2 if game.checkpoint()[1] else 0):
            other = other.copy()
            assert other.text() == game.text()
            assert other.legal_moves() == game.legal_moves()
    assert all_told(other) == all_told(game)
    game.take_back()
    other.take_back()
    assert other.copy().text() == game.text()


@settings(max_examples=60)
@given(games())
def test_the_replay_of_a_record_equals_the_game(game: Game) -> None:
    finish_move(game)
    written = records.write(game)
    again = records.read(written)
    assert records.write(again) == written
    assert all_told(again) == all_told(game)
    assert list(records.steps_as_json(again)) == list(records.steps_as_json(game))


@settings(max_examples=30)
@given(games())
def test_an_exchange_that_is_not_yet_named_to_its_end_is_not_in_the_record(game: Game) -> None:
    if game.is_choosing_cards:
        written = records.write(game)
        game.take_back()
        assert records.write(game) == written


@settings(max_examples=100)
@given(games())
def test_the_text_of_a_legal_move_parses_back_to_it(game: Game) -> None:
    for move in game.legal():
        assert parse_move(move_text(move)) == move
        assert parse_move(f"  {str(move).upper()} ") == move


@settings(max_examples=100)
@given(games())
def test_a_position_written_and_read_is_the_same(game: Game) -> None:
    start, _ = game.checkpoint()
    if start.phase > PHASE_BEFORE_ACTION or start.round_over:
        return
    written = turn_start_dict(start)
    table = read_position(written)
    assert turn_start_dict(table) == written
    assert position_dict(table) == position_dict(start)


@settings(max_examples=60)
@given(games(), st.integers(1, 5))
def test_taking_back_and_playing_again_changes_nothing(game: Game, count: int) -> None:
    moves = records.written_moves(finish_move(game))
    if len(moves) < count:
        return
    before = all_told(game)
    game.take_back(count)
    assert [move for move, _ in records.written_moves(game)] == [move for move, _ in moves[:-count]]
    for move, _ in moves[-count:]:
        game.play(move)
    assert all_told(game) == before


@settings(max_examples=60)
@given(games(most_moves=0), seeds)
def test_rounds_end(game: Game, seed: int) -> None:
    game.rollout(Random(seed))
    assert game.over
    assert game.rounds_finished == ROUNDS_PER_GAME
    assert all(game.round_end_view(nth).turns <= TURN_CAP for nth in range(1, ROUNDS_PER_GAME + 1))
    assert game.winner in game.seats


@settings(max_examples=60)
@given(games())
def test_every_legal_move_can_be_made(game: Game) -> None:
    for move in game.legal():
        game.copy().play(move)


@settings(max_examples=15)
@given(st.integers(2, 4), seeds)
def test_a_seed_is_a_game(players: int, seed: int) -> None:
    one, other = (Game.new("dagger", players, seed) for _ in range(2))
    assert one.rollout(Random(seed)) == other.rollout(Random(seed))
    assert records.write(one) == records.write(other)


@settings(max_examples=150)
@given(games(), seeds)
def test_a_position_as_text_is_the_whole_position(game: Game, seed: int) -> None:
    """Also inside an ability, in the first look, and when all is over: everybody sees the same, and play goes on."""
    written = game.text()
    again = Game.resume(written, game.names)
    assert again.text() == written
    assert "\n" not in written
    for seat in (None, *game.seats):
        assert again.view(seat) == game.view(seat)
    play_some(again, Random(seed), 40)
    play_some(game, Random(seed), 40)
    assert again.text() == game.text()
    assert [again.view(seat) for seat in again.seats] == [game.view(seat) for seat in game.seats]
    assert again.totals == game.totals


@settings(max_examples=40)
@given(games(), seeds)
def test_a_game_survives_a_journey_between_processes(game: Game, seed: int) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert all_told(again) == all_told(game)
    assert again.whole
    assert records.write(finish_move(again)) == records.write(finish_move(game))
    play_some(again, Random(seed), 30)
    play_some(game, Random(seed), 30)
    assert all_told(again) == all_told(game)


@settings(max_examples=30)
@given(games(), seeds)
def test_a_resumed_or_redealt_game_survives_it_too(game: Game, seed: int) -> None:
    for one in (Game.resume(game.text(), game.names), game.redeal("A", Random(seed))):
        again = pickle.loads(pickle.dumps(one))
        assert again.text() == one.text()
        assert [again.view(seat) for seat in again.seats] == [one.view(seat) for seat in one.seats]
        assert not again.whole


@settings(max_examples=30)
@given(games(most_moves=60), seeds)
def test_a_game_that_was_rolled_out_can_be_copied_taken_back_and_recorded(game: Game, seed: int) -> None:
    """`roll_out` notes no events, and yet a copy is the same game."""
    moves = len(game.history())
    made = game.rollout(Random(seed))
    assert len(game.history()) == moves + made
    other = game.copy()
    assert all_told(other) == all_told(game)
    assert records.write(other) == records.write(game)
    again = records.read(records.write(game))
    assert again.scores == game.scores
    assert len(again.events()) >= len(game.events())
    other.take_back()
    assert not other.over


@settings(max_examples=60)
@given(games(), seeds)
def test_an_engine_comes_to_the_same_end_of_the_round(game: Game, seed: int) -> None:
    """The documented fast way in: the rest of a round, with every face."""
    if game.over:
        return
    engine = game.engine()
    assert sorted(engine.options) == sorted(options(game))
    assert engine.chooser == game.chooser
    assert [engine.legal_moves_of(seat) for seat in range(game.players)] == [
        game.legal_moves_of(seat) for seat in range(game.players)
    ]
    random = Random(seed)
    nth, other = game.round, game.copy()
    while not engine.over and engine.options:
        move = random_move(engine.options, random)
        engine.step(move)
        other.step(move)
    assert other.rounds_finished >= nth or other.over
    assert dict(zip(game.seats, engine.table.scores, strict=True)) == other.scores[-1]


@settings(max_examples=60)
@given(games())
def test_from_a_table_at_rest_the_moves_since_lead_to_the_same_question(game: Game) -> None:
    table, moves = game.checkpoint()
    if table.round_over:
        return
    engine = Engine(table, table.round)
    engine.start()
    for move in moves:
        engine.step(move)
    assert sorted(engine.options) == sorted(options(game))


def test_other_faces_can_be_dealt_to_a_game() -> None:
    """For solvers: two hidden cards change places, and the next Thing's shuffle is given."""
    villages = {"A": "7 5", "B": "12 3 6"}
    game = Game.at({"boxes": "bullet", "deck": "8 11 9", "discard": "9", "villages": villages})
    table = game.copy_table()
    one, other = table.villages[0][0], table.villages[1][0]
    changed = game.with_faces({one: 12, other: 7}, [[6, 3, 7]])
    assert changed.position()["villages"] == {"A": "12 5", "B": "7 3 6"}
    assert game.position()["villages"] == villages
    for move in ("draw", "use", "B"):
        changed.play(move)
    assert changed.position()["villages"]["B"] == "6 3 7"
    assert [(one.seat, one.cards, one.numbers) for one in changed.shuffles()] == [("B", "6 3 7", [6, 3, 7])]


def test_other_faces_can_be_dealt_in_the_middle_of_an_ability() -> None:
    villages = {"A": "7 5", "B": "12 3 6"}
    game = Game.at({"boxes": "bullet", "deck": "11 8 9", "discard": "9", "villages": villages})
    for move in ("draw", "use", "A1"):
        game.play(move)
    table = game.copy_table()
    changed = game.with_faces({table.villages[0][0]: 12, table.villages[1][0]: 7})
    changed.play("B1")
    assert changed.position()["villages"] == {"A": "7 5", "B": "12 3 6"}


@pytest.mark.parametrize(
    ("wrong", "message"),
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
def test_a_game_that_cannot_be_says_why(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Game.new(**wrong)


def test_what_is_not_there_is_refused_in_words() -> None:
    game = Game.new("coin", 2, 1)
    with pytest.raises(ValueError, match=re.escape("round 1 is not over")):
        game.explain(1)
    with pytest.raises(ValueError, match=re.escape("there is no seat 'C': the seats are A, B")):
        game.view("C")
    with pytest.raises(ValueError, match="no move to take back"):
        game.take_back()


def test_looks_that_came_between_each_other_are_taken_back_one_by_one() -> None:
    game = Game.new("coin", 2, 1)
    for move in ("peek A1", "peek B1", "and B2", "and A4"):
        game.play(move)
    game.take_back()
    assert [move for move, _ in records.written_moves(game)] == ["peek B1 B2"]
    game.play("peek A2 A3")
    game.take_back(2)
    assert game.history() == []


def test_given_deals_are_dealt() -> None:
    game = Game.new("dagger", 2, 1)
    (dealt,) = game.deals
    again = Game.new("dagger", 2, 99, deals=[Deal(1, dealt.villages, dealt.discard, dealt.deck)])
    assert again.position() == {**game.position(), "token": "dagger B idle"}
    assert again.to_move == "B"


def test_a_copy_of_a_table_has_all_that_the_table_has() -> None:
    table = Game.new("bullet", 4, 1).copy_table()
    for name in ("seed", "turns", "extra", "used", "put", "named", "passed", "looking", "blurred", "muted", "reason"):
        setattr(table, name, 7)
    table.fixed_shuffles, table.shuffle_log, table.cooldowns, table.guards = (
        [[1]],
        ((0, 1),),
        ((0, 1, 2),),
        ((0, 1, 2),),
    )
    table.asker, table.step, table.picked, table.shown, table.first_peeks = "D8", "card", (3,), (5,), (1, 2, 3, 4)
    twin = table.copy()
    names = [name for name in dir(table) if not name.startswith("_") and not callable(getattr(table, name))]
    assert len(names) > 45
    assert {name: getattr(twin, name) for name in names if name != "events"} == {
        name: getattr(table, name) for name in names if name != "events"
    }


def test_a_copy_is_a_game_of_its_own_however_it_is_asked_for() -> None:
    game = play_some(Game.new("amulet", 3, 1), Random(1), 30)
    before = all_told(game)
    for one in (copy.copy(game), copy.deepcopy(game), game.copy()):
        assert all_told(one) == before
        play_some(one, Random(2), 20)
        assert all_told(game) == before


def test_a_game_shows_its_deck_round_and_mover() -> None:
    game = Game.new("amulet", 2, 1, rounds=1)
    assert repr(game) == f"<Game aaaaaaaaaaaaaa for 2: round 1, {game.to_move} to move>"
    game.rollout(Random(1))
    assert repr(game) == "<Game aaaaaaaaaaaaaa for 2: round 1, nobody to move>"
    assert game.turns == game.round_end_view(1).turns


def test_a_game_of_fewer_rounds_has_a_winner() -> None:
    for rounds in (1, 2, 3):
        game = Game.new("amulet", 3, rounds, rounds=rounds)
        assert (game.winner, game.view().winner) == ("", "")
        game.rollout(Random(rounds))
        assert game.totals[game.winner] == min(game.totals.values())
        assert game.view("A").winner == game.winner


def test_a_view_survives_a_journey_between_processes() -> None:
    view = Game.new("coin", 3, 1).view("B")
    assert pickle.loads(pickle.dumps(view)) == view


def test_what_is_already_read_of_the_events_is_left_out() -> None:
    game = play_some(Game.new("coin", 3, 1), Random(1), 50)
    events = game.events("A")
    for since in (0, 1, 10, len(events) - 1, len(events), len(events) + 5):
        assert game.events("A", since) == events[since:]
