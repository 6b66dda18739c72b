import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, IllegalMove, Move
from argentum.rules.move import MOVES
from argentum.rules.notation import AND_CARD, EXCHANGE, MOVE_LIMIT, parse_cards_move
from tests.random_games import all_options, games
from tests.rules.move_texts import INVALID_TEXTS, TEXTS, check_refusal, complete_state


@pytest.mark.parametrize(
    "text",
    [
        "call A",
        "use",
        "discard",
        "exchange A1",
        "exchange A1 A3",
        "at left",
        "A1",
        "end",
        "done",
        "and A1",
        "peek A1 A2",
    ],
)
def test_a_refusal_lists_the_legal_moves(text: str, game: Game) -> None:
    assert check_refusal(game, text).endswith("; seat A may play: draw, take, call")


@pytest.mark.parametrize(
    "text",
    [
        "exchange A1 A9",
        "exchange A9 A1",
        "exchange A1 A1",
        "exchange A1 A3 A1",
        "exchange A1 B1",
        "exchange B1 B2",
        "exchange A1 x",
        "exchange A1 and A3",
        "exchange A1, A3",
        "exchange A1 A3 at A1",
        "and A3",
        "done",
    ],
)
def test_an_illegal_exchange_of_several_cards_changes_nothing(text: str, game: Game) -> None:
    game.play("draw")
    assert check_refusal(game, text).endswith(
        "seat A may play: discard, use, exchange A1, exchange A2, exchange A3, exchange A4"
    )


@pytest.mark.parametrize("text", ["exchange A1", "exchange A1 A2", "exchange A2", "and A3", "and A4 A1", "and B1"])
def test_an_illegal_continuation_of_an_exchange_changes_nothing(text: str, game: Game) -> None:
    game.play("draw")
    game.play(Move.of("exchange A3"))
    assert check_refusal(game, text).endswith("seat A may play: and A1, and A2, and A4, done")


@pytest.mark.parametrize(
    "text", ["peek A1 A1", "peek A1 A6", "peek A6 A1", "peek A1 B1", "peek A1 A2 A3", "peek A1 x", "peek", "and A1"]
)
def test_an_illegal_look_changes_nothing(text: str, first_look: Game) -> None:
    assert check_refusal(first_look, text, "A").endswith("seat A may play: peek A1, peek A2, peek A3, peek A4, peek A5")


@pytest.mark.parametrize("text", ["peek A1", "peek A1 A2", "peek A2 A3", "and A1", "and B1", "done"])
def test_an_illegal_continuation_of_a_look_changes_nothing(text: str, first_look: Game) -> None:
    first_look.play("peek A1")
    assert check_refusal(first_look, text, "A").endswith("seat A may play: and A2, and A3, and A4, and A5")


def test_a_refusal_distinguishes_invalid_from_illegal_moves(game: Game) -> None:
    assert check_refusal(game, "fly").startswith("'fly' is not a move; ")
    assert check_refusal(game, " Exchange  A1 ").startswith("'Exchange A1' is not legal now; ")
    assert check_refusal(game, "exchange A1 A3").startswith("'exchange A1 A3' is not legal now; ")
    assert check_refusal(game, Move.of("use")).startswith("'use' is not legal now; ")
    assert check_refusal(game, "x" * 1000).startswith("'xxx")
    assert len(check_refusal(game, "x" * 1000)) < 200


@pytest.mark.parametrize(
    ("text", "seat", "kind", "legal"),
    [
        ("fly", "", "not a move", ("draw", "take", "call")),
        ("use", "A", "not legal", ("draw", "take", "call")),
        ("draw", "B", "not your turn", ()),
    ],
)
def test_the_error_of_an_illegal_move_has_a_kind_the_seats_and_the_legal_moves(
    text: str, seat: str, kind: str, legal: tuple[str, ...], game: Game
) -> None:
    with pytest.raises(IllegalMove) as caught:
        game.play(text, seat)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.kind, error.move, error.seat, error.to_move, error.legal) == (kind, text, seat or "A", "A", legal)
        assert str(error) == str(caught.value)


@pytest.mark.parametrize("text", INVALID_TEXTS)
def test_an_invalid_text_is_refused(text: str, game: Game) -> None:
    assert check_refusal(game, text).endswith("is not a move; seat A may play: draw, take, call")


def test_a_move_by_a_seat_that_is_not_to_move_is_refused(game: Game, first_look: Game) -> None:
    assert check_refusal(game, "draw", "B") == "'draw' is refused: it is not seat B's turn, seat A is to move"
    assert check_refusal(game, Move.of("draw"), "b") == "'draw' is refused: it is not seat B's turn, seat A is to move"
    assert check_refusal(first_look, "peek A1 A2", "B").endswith(
        "seat B may play: peek B1, peek B2, peek B3, peek B4, peek B5"
    )


def test_a_seat_that_has_finished_its_first_look_cannot_look_again(first_look: Game) -> None:
    first_look.play("peek A1 A2")
    assert (
        check_refusal(first_look, "peek A3 A4", "A")
        == "'peek A3 A4' is refused: it is not seat A's turn, seat B is to move"
    )


@pytest.mark.parametrize("seat", ["C", "E", "AB", "1", "?"])
def test_an_unknown_seat_is_an_error_that_names_the_seats(seat: str, game: Game) -> None:
    before = complete_state(game)
    with pytest.raises(ValueError, match="the seats are A, B"):
        game.play("draw", seat=seat)
    assert complete_state(game) == before


@pytest.mark.parametrize("move", [-1, 15, 16, 21, 31, 52, 63, 64, 115, 255, MOVE_LIMIT, 10**9])
def test_an_integer_that_is_not_a_move_is_refused(move: int, game: Game) -> None:
    assert check_refusal(game, move) == f"'move {move}' is not a move; seat A may play: draw, take, call"


def test_every_illegal_move_value_is_refused(game: Game) -> None:
    before = complete_state(game)
    for move in MOVES:
        if move not in [*game.legal()]:
            with pytest.raises(IllegalMove):
                game.play(move)
    assert complete_state(game) == before


def test_every_move_after_the_end_is_refused() -> None:
    villages = {"A": "5 10", "B": "3"}
    game = Game.at({"boxes": "dagger", "deck": "8", "discard": "6", "villages": villages})
    game.play("draw")
    game.play("discard")
    assert game.over
    for move in ("draw", "fly", Move.of("draw"), "exchange A1 A2"):
        assert check_refusal(game, move).endswith("is refused: the round is over")
        with pytest.raises(IllegalMove) as caught:
            game.play(move)
        assert (caught.value.kind, caught.value.seat, caught.value.legal) == ("round over", "", ())
    assert check_refusal(game, "draw", "B").endswith("is refused: the round is over")


@settings(max_examples=60)
@given(games(), st.lists(st.sampled_from(TEXTS), min_size=5, max_size=5), st.sampled_from(["", "A", "B"]))
def test_illegal_moves_are_refused_and_change_nothing(game: Game, moves: list[str], seat: str) -> None:
    legal = game.legal(seat) if seat else [MOVES[move] for move in all_options(game)]
    for text in moves:
        if text not in map(str, legal) and len(parse_cards_move(text)) < 2:
            check_refusal(game, text, seat)


@settings(max_examples=60)
@given(games(), st.lists(st.sampled_from([f"A{place}" for place in range(1, 9)]), min_size=2, max_size=4))
def test_an_exchange_is_legal_exactly_if_each_of_its_cards_may_be_exchanged(game: Game, spots: list[str]) -> None:
    text = f"exchange {' '.join(spots)}"
    legal = {str(move) for move in game.legal()}
    if len(set(spots)) == len(spots) and all(f"exchange {spot}" in legal for spot in spots):
        move_count = len(game.history())
        game.play(text)
        assert [move & ~255 for move in game.history()[move_count:]] in (
            [EXCHANGE, *[AND_CARD] * (len(spots) - 1)],
            [EXCHANGE, *[AND_CARD] * (len(spots) - 1), 0],
        )
    else:
        check_refusal(game, text)
