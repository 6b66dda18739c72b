import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Move
from argentum.rules.notation import EXCHANGE, MOVE_LIMIT, PEEK, move_text, parse_cards_move, parse_move
from tests.rules.move_texts import INVALID_TEXTS, TEXTS, VALID_MOVES


def test_every_move_text_parses_to_a_distinct_move_with_this_text() -> None:
    moves = [parse_move(text) for text in TEXTS]
    assert -1 not in moves
    assert [move_text(move) for move in moves] == TEXTS
    assert len(set(moves)) == len(TEXTS)
    assert max(moves) < MOVE_LIMIT


def test_texts_of_integers_that_are_not_moves_do_not_parse() -> None:
    assert {move for move in range(MOVE_LIMIT) if parse_move(move_text(move)) == move} == VALID_MOVES
    assert {parse_move(move_text(move)) for move in set(range(MOVE_LIMIT)) - VALID_MOVES} == {-1}


@pytest.mark.parametrize("text", ["exchange A2", "draw private", "give B3 C", "take 2", "B", "B3", "at left"])
def test_case_and_extra_spaces_do_not_matter(text: str) -> None:
    for variant in (text.upper(), f"  {text}\t", text.replace(" ", "   "), text.replace(" ", "\t").title()):
        assert parse_move(variant) == parse_move(text) >= 0
        assert Move.of(variant) == Move.of(text)


@pytest.mark.parametrize("text", INVALID_TEXTS)
def test_invalid_texts_do_not_parse(text: str) -> None:
    assert parse_move(text) == -1
    with pytest.raises(ValueError, match="is not a move; a move reads like 'draw'"):
        Move.of(text)


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(["give", "use", "at", "a", "b3", "C", "12", "left", "é", "0"]), max_size=4).map(" ".join)
)
def test_random_words_parse_to_a_move_with_the_same_text_or_do_not_parse(text: str) -> None:
    move = parse_move(text)
    assert move == -1 or move_text(move).lower() == text.lower()


def test_looks_and_exchanges_with_several_cards_are_not_single_moves() -> None:
    assert parse_move("peek A1 A2") == parse_move("exchange A1 A2") == -1


def test_a_move_equals_its_integer_and_prints_as_its_text() -> None:
    move = Move.of("exchange A2")
    assert move == EXCHANGE + 1
    assert (str(move), repr(move)) == ("exchange A2", "Move('exchange A2')")


@pytest.mark.parametrize(
    ("text", "verb", "number", "spot", "seat"),
    [
        ("exchange A2", "exchange", None, "A2", ""),
        ("draw private", "draw private", None, "", ""),
        ("draw", "draw", None, "", ""),
        ("draw 2", "draw", 2, "", ""),
        ("use 0", "use", 0, "", ""),
        ("B3", "", None, "B3", ""),
        ("B", "", None, "", "B"),
        ("give A2 C", "give", None, "A2", "C"),
    ],
)
def test_a_move_has_a_verb_number_spot_and_seat(text: str, verb: str, number: int | None, spot: str, seat: str) -> None:
    move = Move.of(text)
    assert (move.verb, move.number, move.spot, move.seat) == (verb, number, spot, seat)
    assert move


def test_the_move_with_number_0_is_truthy() -> None:
    assert Move.of("draw") == 0
    assert bool(Move.of("draw"))


def test_a_text_with_several_cards_parses_to_one_move_per_card() -> None:
    assert parse_cards_move(" PEEK  a1 A4") == [PEEK, PEEK + 3]
    assert parse_cards_move("exchange B1 B2 B3") == [EXCHANGE + 64, EXCHANGE + 65, EXCHANGE + 66]
    for text in ("exchange", "exchange A1 x", "exchange A1, A2", "give A1 A2", "draw", ""):
        assert parse_cards_move(text) == []
