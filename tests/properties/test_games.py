"""Properties of every game."""

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
from tests.random_games import cards_in_play, codes, finish_move, games, options, play_some, seeds


def visible_state(game: Game) -> list[object]:
    """Return what every seat and a watcher see of a game."""
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
    cards = cards_in_play(table)
    assert len(cards) == len(set(cards))
    gone = 2 if table.round_over else 0  # by Hunters, or a hand at the Villagers' end (X13)
    assert 5 * game.players + 32 - gone <= len(cards) <= 5 * game.players + 32
    assert sorted(table.faces) == sorted([0, 0, 13, 13, *range(1, 13), *range(1, 13), *range(1, 13), *range(1, 13)])
    assert {card for _, *pair in table.guards for card in pair} <= {card for row in table.villages for card in row}


amulets = codes.map(lambda code: f"a{code[1:3]}a{code[4:]}")  # with Villagers and Bodyguards


@settings(max_examples=60)
@given(amulets, st.integers(2, 4), st.sampled_from(["", *BOX_NAMES]), seeds)
def test_at_every_question_guards_are_valid_and_the_villagers_are_not_both_faceup(
    code: str, players: int, token: str, seed: int
) -> None:
    """A0, A3, X13: consequences of a step are applied before the next question."""
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
        for round_ in range(ended + 1, game.rounds_finished + 1):
            end = game.round_end_view(round_)
            faceup_zeros = [
                card for village in end.villages.values() for card in village if card.up and card.number == 0
            ]
            muted = [card for card in faceup_zeros if card.covered and token == "bullet"]
            assert (end.reason == "residents") == (len(faceup_zeros) - len(muted) == 2)


@settings(max_examples=100)
@given(games(), seeds)
def test_a_copy_played_on_equals_the_original_played_on(game: Game, seed: int) -> None:
    other = game.copy()
    assert visible_state(other) == visible_state(game)
    play_some(other, Random(seed), 60)
    before = visible_state(other)
    play_some(game, Random(seed), 60)
    assert visible_state(game) == before
    assert other.text() == game.text()


@settings(max_examples=25)
@given(codes, st.integers(2, 4), seeds, st.integers(1, 90))
def test_the_replayed_start_of_a_turn_does_not_depend_on_earlier_queries(
    code: str, players: int, seed: int, moves: int
) -> None:
    """Tables are saved every few turns only; inside an ability, the start of the turn is replayed."""
    random = Random(seed)
    game = Game.new(code, players, seed)
    asked = game.copy()
    for index in range(160):
        if game.over or (index >= moves and not game.copy_table().restartable):
            break
        move = random_move(game.legal_moves(), random)
        game.play(move)
        asked.play(move)
        asked.text()  # inside an ability, this saves the start of the turn
    (table, moves_since), (other, other_moves) = game.checkpoint(), asked.checkpoint()
    assert moves_since == other_moves
    assert (table.faces, table.seen_by, table.deck, table.discard, table.villages, table.faceup, table.events_off) == (
        other.faces, other.seen_by, other.deck, other.discard, other.villages, other.faceup, other.events_off,
    )  # fmt: skip
    assert game.text() == asked.text()
    assert visible_state(game.copy()) == visible_state(asked)


@settings(max_examples=25)
@given(codes, st.integers(2, 4), seeds)
def test_copies_of_copies_inside_abilities_are_the_same_game(code: str, players: int, seed: int) -> None:
    """The first copy saves the last table at rest, and later copies start from it."""
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
    assert visible_state(other) == visible_state(game)
    game.take_back()
    other.take_back()
    assert other.copy().text() == game.text()


@settings(max_examples=60)
@given(games())
def test_the_replay_of_a_record_equals_the_game(game: Game) -> None:
    finish_move(game)
    record = records.write(game)
    replayed = records.read(record)
    assert records.write(replayed) == record
    assert visible_state(replayed) == visible_state(game)
    assert list(records.steps_as_json(replayed)) == list(records.steps_as_json(game))


@settings(max_examples=30)
@given(games())
def test_an_incomplete_exchange_is_not_in_the_record(game: Game) -> None:
    if game.is_choosing_cards:
        record = records.write(game)
        game.take_back()
        assert records.write(game) == record


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
    text = turn_start_dict(start)
    table = read_position(text)
    assert turn_start_dict(table) == text
    assert position_dict(table) == position_dict(start)


@settings(max_examples=60)
@given(games(), st.integers(1, 5))
def test_taking_back_and_playing_again_changes_nothing(game: Game, count: int) -> None:
    moves = records.written_moves(finish_move(game))
    if len(moves) < count:
        return
    before = visible_state(game)
    game.take_back(count)
    assert [move for move, _ in records.written_moves(game)] == [move for move, _ in moves[:-count]]
    for move, _ in moves[-count:]:
        game.play(move)
    assert visible_state(game) == before


@settings(max_examples=60)
@given(games(most_moves=0), seeds)
def test_rounds_end(game: Game, seed: int) -> None:
    game.rollout(Random(seed))
    assert game.over
    assert game.rounds_finished == ROUNDS_PER_GAME
    assert all(game.round_end_view(round_).turns <= TURN_CAP for round_ in range(1, ROUNDS_PER_GAME + 1))
    assert game.winner in game.seats


@settings(max_examples=60)
@given(games())
def test_every_legal_move_can_be_made(game: Game) -> None:
    for move in game.legal():
        game.copy().play(move)


@settings(max_examples=15)
@given(st.integers(2, 4), seeds)
def test_a_seed_determines_the_game(players: int, seed: int) -> None:
    first, second = (Game.new("dagger", players, seed) for _ in range(2))
    assert first.rollout(Random(seed)) == second.rollout(Random(seed))
    assert records.write(first) == records.write(second)


@settings(max_examples=150)
@given(games(), seeds)
def test_a_position_text_is_the_complete_position(game: Game, seed: int) -> None:
    """Also inside an ability, in the first look and after the end: all views are equal, and play goes on."""
    text = game.text()
    replayed = Game.resume(text, game.names)
    assert replayed.text() == text
    assert "\n" not in text
    for seat in (None, *game.seats):
        assert replayed.view(seat) == game.view(seat)
    play_some(replayed, Random(seed), 40)
    play_some(game, Random(seed), 40)
    assert replayed.text() == game.text()
    assert [replayed.view(seat) for seat in replayed.seats] == [game.view(seat) for seat in game.seats]
    assert replayed.totals == game.totals


@settings(max_examples=40)
@given(games(), seeds)
def test_a_game_survives_pickling(game: Game, seed: int) -> None:
    replayed = pickle.loads(pickle.dumps(game))
    assert visible_state(replayed) == visible_state(game)
    assert replayed.has_full_history
    assert records.write(finish_move(replayed)) == records.write(finish_move(game))
    play_some(replayed, Random(seed), 30)
    play_some(game, Random(seed), 30)
    assert visible_state(replayed) == visible_state(game)


@settings(max_examples=30)
@given(games(), seeds)
def test_a_resumed_or_redealt_game_survives_pickling(game: Game, seed: int) -> None:
    for source in (Game.resume(game.text(), game.names), game.redeal("A", Random(seed))):
        replayed = pickle.loads(pickle.dumps(source))
        assert replayed.text() == source.text()
        assert [replayed.view(seat) for seat in replayed.seats] == [source.view(seat) for seat in source.seats]
        assert not replayed.has_full_history


@settings(max_examples=30)
@given(games(most_moves=60), seeds)
def test_a_game_after_a_rollout_can_be_copied_undone_and_recorded(game: Game, seed: int) -> None:
    """`rollout` records no events, and yet a copy is the same game."""
    moves = len(game.history())
    rollout_moves = game.rollout(Random(seed))
    assert len(game.history()) == moves + rollout_moves
    other = game.copy()
    assert visible_state(other) == visible_state(game)
    assert records.write(other) == records.write(game)
    replayed = records.read(records.write(game))
    assert replayed.scores == game.scores
    assert len(replayed.events()) >= len(game.events())
    other.take_back()
    assert not other.over


@settings(max_examples=60)
@given(games(), seeds)
def test_an_engine_ends_the_round_like_the_game(game: Game, seed: int) -> None:
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
    round_, other = game.round, game.copy()
    while not engine.over and engine.options:
        move = random_move(engine.options, random)
        engine.step(move)
        other.step(move)
    assert other.rounds_finished >= round_ or other.over
    assert dict(zip(game.seats, engine.table.scores, strict=True)) == other.scores[-1]


@settings(max_examples=60)
@given(games())
def test_a_checkpoint_and_its_moves_lead_to_the_same_options(game: Game) -> None:
    table, moves = game.checkpoint()
    if table.round_over:
        return
    engine = Engine(table, table.round)
    engine.start()
    for move in moves:
        engine.step(move)
    assert sorted(engine.options) == sorted(options(game))


def test_other_faces_can_be_dealt_to_a_game() -> None:
    """For solvers: two hidden cards are exchanged, and the next shuffle is fixed."""
    villages = {"A": "7 5", "B": "12 3 6"}
    game = Game.at({"boxes": "bullet", "deck": "8 11 9", "discard": "9", "villages": villages})
    table = game.copy_table()
    first, second = table.villages[0][0], table.villages[1][0]
    changed = game.with_faces({first: 12, second: 7}, [[6, 3, 7]])
    assert changed.position()["villages"] == {"A": "12 5", "B": "7 3 6"}
    assert game.position()["villages"] == villages
    for move in ("draw", "use", "B"):
        changed.play(move)
    assert changed.position()["villages"]["B"] == "6 3 7"
    assert [(shuffle.seat, shuffle.cards, shuffle.numbers) for shuffle in changed.shuffles()] == [
        ("B", "6 3 7", [6, 3, 7])
    ]


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


def test_given_deals_are_dealt() -> None:
    game = Game.new("dagger", 2, 1)
    (dealt,) = game.deals
    replayed = Game.new("dagger", 2, 99, deals=[Deal(1, dealt.villages, dealt.discard, dealt.deck)])
    assert replayed.position() == {**game.position(), "token": "dagger B idle"}
    assert replayed.to_move == "B"


def test_a_copied_table_has_every_attribute() -> None:
    table = Game.new("bullet", 4, 1).copy_table()
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
    game = play_some(Game.new("amulet", 3, 1), Random(1), 30)
    before = visible_state(game)
    for copied in (copy.copy(game), copy.deepcopy(game), game.copy()):
        assert visible_state(copied) == before
        play_some(copied, Random(2), 20)
        assert visible_state(game) == before


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


def test_a_view_survives_pickling() -> None:
    view = Game.new("coin", 3, 1).view("B")
    assert pickle.loads(pickle.dumps(view)) == view


def test_events_before_since_are_left_out() -> None:
    game = play_some(Game.new("coin", 3, 1), Random(1), 50)
    events = game.events("A")
    for since in (0, 1, 10, len(events) - 1, len(events), len(events) + 5):
        assert game.events("A", since) == events[since:]
