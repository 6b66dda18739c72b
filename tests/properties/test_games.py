import pickle
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, records
from argentum.rules.boxes import BOX_BY_NAME, BOX_NAMES
from argentum.rules.engine import Engine
from argentum.rules.notation import SEAT_LETTERS, move_text, parse_move
from argentum.rules.position_dict import position_dict, read_position
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.table import PHASE_BEFORE_ACTION
from argentum.rules.turns import TURN_CAP
from tests.random_games import (
    all_options,
    cards_in_play,
    deck_codes,
    finish_move,
    games,
    play_random_moves,
    play_to_end,
    random_move,
    seeds,
    visible_state,
)


@settings(max_examples=100)
@given(games())
def test_cards_are_conserved(game: Game) -> None:
    table = game.position().table
    cards = cards_in_play(table)
    assert len(cards) == len(set(cards))
    max_removed = 2 if table.round_over else 0  # Hunters remove cards; so does the end by Villagers (X13).
    assert 5 * game.players + 32 - max_removed <= len(cards) <= 5 * game.players + 32
    assert sorted(table.faces) == sorted([0, 0, 13, 13, *range(1, 13), *range(1, 13), *range(1, 13), *range(1, 13)])
    assert {card for _, *pair in table.guards for card in pair} <= {card for row in table.villages for card in row}


guard_deck_codes = deck_codes.map(lambda code: f"a{code[1:3]}a{code[4:]}")  # with Villagers (A0) and Bodyguards (A3)


@settings(max_examples=60)
@given(guard_deck_codes, st.integers(2, 4), st.sampled_from(["", *BOX_NAMES]), seeds)
def test_at_every_question_guards_are_valid_and_the_villagers_are_not_both_faceup(
    code: str, players: int, token: str, seed: int
) -> None:
    random = Random(seed)
    game = Game.new(code, players, seed, token)
    while not game.over:
        table = game.position().table
        assert sum(table.count_active(seat, table.cast.ends_round) for seat in range(players)) < 2
        for owner, guard, guarded in table.guards:
            assert guard != guarded
            assert {guard, guarded} <= set(table.villages[owner])
            assert table.is_active(guard, table.cast.protects)
        assert len({guard for _, guard, _ in table.guards}) == len(table.guards)
        ended = game.rounds_finished
        game.play(random_move(game, random))
        for round_ in range(ended + 1, game.rounds_finished + 1):
            end = game.round_end_view(round_)
            faceup_zeros = [
                card for village in end.villages.values() for card in village if card.up and card.number == 0
            ]
            muted = [card for card in faceup_zeros if card.covered and BOX_BY_NAME[end.token].token_mutes_card]
            assert (end.reason == "residents") == (len(faceup_zeros) - len(muted) == 2)


@settings(max_examples=100)
@given(games(), seeds)
def test_a_copy_is_independent_and_plays_like_the_original(game: Game, seed: int) -> None:
    other = game.copy()
    assert visible_state(other) == visible_state(game)
    play_random_moves(other, Random(seed), 60)
    before = visible_state(other)
    play_random_moves(game, Random(seed), 60)
    assert visible_state(game) == before
    assert other.text() == game.text()


@settings(max_examples=25)
@given(deck_codes, st.integers(2, 4), seeds, st.integers(1, 90))
def test_the_replayed_start_of_a_turn_does_not_depend_on_earlier_queries(
    code: str, players: int, seed: int, moves: int
) -> None:
    random = Random(seed)
    game = Game.new(code, players, seed)
    queried = game.copy()
    for index in range(160):
        if game.over or (index >= moves and not game.position().table.restartable):
            break
        move = random_move(game, random)
        game.play(move)
        queried.play(move)
        queried.text()  # Inside an ability, this saves the start of the turn, from which copies are replayed.
    position, other_position = game.position(), queried.position()
    assert position.moves == other_position.moves
    table, other = position.start, other_position.start
    assert (table.faces, table.seen, table.deck, table.discard, table.villages, table.faceup, table.events_off) == (
        other.faces, other.seen, other.deck, other.discard, other.villages, other.faceup, other.events_off,
    )  # fmt: skip
    assert game.text() == queried.text()
    assert visible_state(game.copy()) == visible_state(queried)


@settings(max_examples=25)
@given(deck_codes, st.integers(2, 4), seeds)
def test_copies_of_copies_inside_abilities_are_the_same_game(code: str, players: int, seed: int) -> None:
    # The first copy inside an ability saves a table, from which later copies start.
    random = Random(seed)
    game = Game.new(code, players, seed)
    other = game.copy()
    for _ in range(80):
        if game.over:
            break
        move = random_move(game, random)
        game.play(move)
        other.play(move)
        for _ in range(2 if game.position().moves else 0):
            other = other.copy()
            assert other.text() == game.text()
            assert [*other.legal()] == [*game.legal()]
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
def test_a_turn_start_survives_a_round_trip_through_the_keys_of_a_scenario(game: Game) -> None:
    start = game.position().start
    if start.phase > PHASE_BEFORE_ACTION or start.round_over:
        return
    keys = position_dict(start)
    turn = {"boxes": start.cast.code, "players": start.players, "turn": SEAT_LETTERS[start.turn]}
    assert position_dict(read_position({**keys, **turn, "hand": ""})) == keys


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
@given(games(max_moves=0), seeds)
def test_random_games_end(game: Game, seed: int) -> None:
    play_to_end(game, Random(seed))
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
    play_to_end(first, Random(seed))
    play_to_end(second, Random(seed))
    assert records.write(first) == records.write(second)


@settings(max_examples=150)
@given(games(), seeds)
def test_a_position_text_contains_the_complete_position(game: Game, seed: int) -> None:
    text = game.text()
    replayed = Game.resume(text, game.names)
    assert replayed.text() == text
    assert "\n" not in text
    for seat in (None, *game.seats):
        assert replayed.view(seat) == game.view(seat)
    play_random_moves(replayed, Random(seed), 40)
    play_random_moves(game, Random(seed), 40)
    assert replayed.text() == game.text()
    assert [replayed.view(seat) for seat in replayed.seats] == [game.view(seat) for seat in game.seats]
    assert replayed.totals == game.totals


@settings(max_examples=40)
@given(games(), seeds)
def test_a_game_survives_pickling(game: Game, seed: int) -> None:
    replayed = pickle.loads(pickle.dumps(game))
    assert visible_state(replayed) == visible_state(game)
    assert replayed.deals
    assert records.write(finish_move(replayed)) == records.write(finish_move(game))
    play_random_moves(replayed, Random(seed), 30)
    play_random_moves(game, Random(seed), 30)
    assert visible_state(replayed) == visible_state(game)


@settings(max_examples=30)
@given(games(), seeds)
def test_a_resumed_or_redealt_game_survives_pickling(game: Game, seed: int) -> None:
    for source in (Game.resume(game.text(), game.names), game.redeal("A", Random(seed))):
        replayed = pickle.loads(pickle.dumps(source))
        assert replayed.text() == source.text()
        assert [replayed.view(seat) for seat in replayed.seats] == [source.view(seat) for seat in source.seats]
        assert not replayed.deals


@settings(max_examples=30)
@given(games(max_moves=60), seeds)
def test_a_finished_game_can_be_copied_undone_and_recorded(game: Game, seed: int) -> None:
    other = play_to_end(game, Random(seed)).copy()
    assert visible_state(other) == visible_state(game)
    assert records.write(other) == records.write(game)
    replayed = records.read(records.write(game))
    assert replayed.scores == game.scores
    assert len(replayed.events()) >= len(game.events())
    other.take_back()
    assert not other.over


@settings(max_examples=60)
@given(games(), seeds)
def test_an_engine_plays_the_round_like_the_game(game: Game, seed: int) -> None:
    if game.over:
        return
    engine = game.position().engine()
    assert sorted(engine.options) == sorted(all_options(game))
    assert engine.chooser == SEAT_LETTERS.index(game.to_move)
    assert [engine.legal_moves_of(seat) for seat in range(game.players)] == [
        [*game.legal(SEAT_LETTERS[seat])] for seat in range(game.players)
    ]
    random = Random(seed)
    round_, other = game.round, game.copy()
    while not engine.over and engine.options:
        move = random.choice(engine.options)
        engine.step(move)
        other.play(move)
    assert other.rounds_finished >= round_ or other.over
    assert dict(zip(game.seats, engine.table.scores, strict=True)) == other.scores[-1]


@settings(max_examples=60)
@given(games())
def test_the_start_of_a_position_and_its_moves_lead_to_the_same_options(game: Game) -> None:
    position = game.position()
    if game.over:
        return
    engine = Engine(position.start.copy(), position.last_round)
    engine.start()
    for move in position.moves:
        engine.step(move)
    assert sorted(position.options) == sorted(engine.options)
    assert sorted(engine.options) == sorted(all_options(game))
