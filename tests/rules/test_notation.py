"""Moves and their texts; playing by value and by text; refusals."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, IllegalMove, Move
from argentum.rules.move import MOVES
from argentum.rules.notation import AND_CARD, DONE, EXCHANGE, MOVE_LIMIT, PEEK, move_text, parse_cards_move, parse_move
from tests.random_games import games, options

SPOTS = [f"{seat}{place}" for seat in "ABCD" for place in range(1, 53)]
VERBS = ["", "peek ", "and ", "exchange ", "at ", "ability ", "rotate ", "discard ", "remove "]
PLAIN = [
    "draw",
    "draw private",
    "take",
    "call",
    "discard",
    "use",
    "done",
    "at left",
    "at right",
    "token",
    "clockwise",
    "counterclockwise",
    "stop",
    "pass",
    "end",
]
TEXTS = [
    *PLAIN,
    *[f"draw {number}" for number in range(1, 5)],
    *[f"keep {number}" for number in range(1, 6)],
    *[f"take {number}" for number in range(1, 51)],
    *[f"use {number}" for number in range(14)],
    *"ABCD",
    *[verb + spot for verb in VERBS for spot in SPOTS],
    *[f"give {spot} {seat}" for spot in SPOTS for seat in "ABCD"],
]
VALID_MOVES = {parse_move(text) for text in TEXTS}
NONSENSE = [
    "",
    "   ",
    "fly",
    "draw draw",
    "draw A1",
    "drawprivate",
    "private",
    "call A",
    "token A",
    "exchange",
    "exchange left",
    "exchange A0",
    "exchange A53",
    "exchange A-1",
    "exchange A1.5",
    "exchange A\u00b9",
    "exchange A\u0661",
    "exchange E1",
    "exchange 1",
    "exchange A",
    "at",
    "at up",
    "A1 A2",
    "1A",
    "E",
    "AB",
    "take 0",
    "take 51",
    "draw 0",
    "draw 5",
    "keep",
    "keep 0",
    "keep 6",
    "take -1",
    "use 14",
    "use A1",
    "stop 1",
    "give A2",
    "give A2 E",
    "give A2 C D",
    "give C A2",
    "rotate C",
    "draw; call",
    "exchange A" + "1" * 5000,
    "use " + "1" * 5000,
    "\0",
]


def state_of(game: Game) -> list[object]:
    """Return the state of a game as all seats and watchers see it, for comparison."""
    everybody = (None, *game.seats)
    return [
        game.text(),
        game.history(),
        game.legal(),
        game.to_move,
        [(game.view(seat), game.events(seat)) for seat in everybody],
    ]


def refusal(game: Game, move: int | str, seat: str = "") -> str:
    """Return the message of a refused move, and check that it changed nothing."""
    before = state_of(game)
    with pytest.raises(IllegalMove) as error:
        game.play(move, seat=seat)
    assert state_of(game) == before
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.fixture
def game() -> Game:
    """A is to play, with a pair of 5s and a Magician to draw."""
    villages = {"A": "5 10 5 1", "B": "3 9 2^ 4"}
    return Game.at({"boxes": "dagger", "deck": "8 2 5 11", "discard": "6 7", "villages": villages})


@pytest.fixture
def looking() -> Game:
    """The first look of a game."""
    return Game.new("dagger", 2, 1)


# Texts.


def test_every_move_has_one_text_that_reads_back_to_it() -> None:
    moves = [parse_move(text) for text in TEXTS]
    assert -1 not in moves
    assert [move_text(move) for move in moves] == TEXTS
    assert len(set(moves)) == len(TEXTS)
    assert max(moves) < MOVE_LIMIT


def test_numbers_that_are_no_moves_do_not_parse_back() -> None:
    """Spots 53 to 64 have numbers, for example, but villages have at most 52 cards."""
    texts: dict[int, str] = {}
    for move in range(MOVE_LIMIT):
        with suppress(LookupError):  # not all have a text, either
            texts[move] = move_text(move)
    assert texts.keys() >= VALID_MOVES
    assert [move for move, text in texts.items() if parse_move(text) != (move if move in VALID_MOVES else -1)] == []


@pytest.mark.parametrize("text", ["exchange A2", "draw private", "give B3 C", "take 2", "B", "B3", "at left"])
def test_case_and_extra_spaces_do_not_matter(text: str) -> None:
    for odd in (text.upper(), f"  {text}\t", text.replace(" ", "   "), text.replace(" ", "\t").title()):
        assert parse_move(odd) == parse_move(text) >= 0
        assert Move.of(odd) == Move.of(text)


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_no_move(text: str) -> None:
    assert parse_move(text) == -1
    with pytest.raises(ValueError, match="is not a move; a move reads like 'draw'"):
        Move.of(text)


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(["give", "use", "at", "a", "b3", "C", "12", "left", "é", "0"]), max_size=4).map(" ".join)
)
def test_random_words_parse_to_a_move_with_the_same_text_or_to_none(text: str) -> None:
    move = parse_move(text)
    assert move == -1 or move_text(move).lower() == text.lower()


def test_whole_looks_and_exchanges_are_not_single_moves() -> None:
    assert parse_move("peek A1 A2") == parse_move("exchange A1 A2") == -1


def test_a_move_is_its_number_and_shows_its_text() -> None:
    move = Move.of("exchange A2")
    assert move == EXCHANGE + 1
    assert (str(move), repr(move)) == ("exchange A2", "Move('exchange A2')")


@pytest.mark.parametrize(
    ("text", "verb", "spot"),
    [
        ("exchange A2", "exchange", "A2"),
        ("draw private", "draw private", ""),
        ("B3", "", "B3"),
        ("B", "", "B"),
        ("give A2 C", "give", "A2"),
    ],
)
def test_a_move_has_a_verb_and_the_spot_that_it_names(text: str, verb: str, spot: str) -> None:
    move = Move.of(text)
    assert (move.verb, move.spot) == (verb, spot)
    assert move  # also the move with the number 0


def test_the_move_with_number_0_is_truthy() -> None:
    assert Move.of("draw") == 0
    assert bool(Move.of("draw"))


def test_several_cards_are_read_as_one_card_moves() -> None:
    assert parse_cards_move(" PEEK  a1 A4") == [PEEK, PEEK + 3]
    assert parse_cards_move("exchange B1 B2 B3") == [EXCHANGE + 64, EXCHANGE + 65, EXCHANGE + 66]
    for text in ("exchange", "exchange A1 x", "exchange A1, A2", "give A1 A2", "draw", ""):
        assert parse_cards_move(text) == []


# Playing.


def test_a_move_is_played_by_value_by_plain_number_and_by_text(game: Game) -> None:
    by_value, by_number, by_text = game.copy(), game.copy(), game.copy()
    by_value.play(game.legal()[0])
    by_number.play(int(game.legal()[0]))
    by_text.play("  DRAW ", seat="a")
    assert state_of(by_value) == state_of(by_number) == state_of(by_text)
    assert [str(move) for move in by_text.legal()][:2] == ["discard", "use"]


def test_an_exchange_of_several_cards_is_one_text_or_one_move_per_card(game: Game) -> None:
    game.play("draw")
    at_once, card_by_card = game.copy(), game.copy()
    at_once.play("exchange A3 A1")
    for text in ("exchange A3", "and A1", "done"):
        card_by_card.play(Move.of(text))
    assert state_of(at_once) == state_of(card_by_card)
    assert [str(move) for move in at_once.legal()] == ["at A1", "at A3"]
    at_once.play("at A3")
    assert at_once.position()["villages"]["A"] == "10 8 1"


def test_after_one_card_by_value_the_others_and_done_are_legal(game: Game) -> None:
    game.play("draw")
    game.play(Move.of("exchange A2"))
    assert [str(move) for move in game.legal()] == ["and A1", "and A3", "and A4", "done"]
    game.play("and A4")
    assert [str(move) for move in game.legal()] == ["and A1", "and A3", "done"]


def test_an_exchange_of_one_card_by_text_is_whole(game: Game) -> None:
    game.play("draw")
    game.play("exchange A2")
    assert DONE not in game.legal_moves()
    assert game.position()["villages"]["A"] == "5 8 5 1"
    assert game.to_move == "B"


def test_an_exchange_of_all_cards_needs_no_done(game: Game) -> None:
    game.play("draw")
    game.play("exchange A1 A2 A3 A4")
    assert [str(move) for move in game.legal()] == ["at left", "at right"]


def test_a_look_is_one_text_or_one_move_per_card(looking: Game) -> None:
    at_once, card_by_card = looking.copy(), looking.copy()
    at_once.play("peek B5 B2")
    card_by_card.play("peek B5")
    assert [str(move) for move in card_by_card.legal("B")] == ["and B1", "and B2", "and B3", "and B4"]
    card_by_card.play("and B2")
    assert state_of(at_once) == state_of(card_by_card)


def test_in_the_first_look_any_seat_may_move_next(looking: Game) -> None:
    for text, seat in [("peek A1", "A"), ("peek B1", "B"), ("and A2", "A"), ("and B5", "B")]:
        looking.play(text, seat=seat)
    assert not looking.in_first_look


# Refusals.


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
def test_a_refusal_names_what_is_legal(text: str, game: Game) -> None:
    assert refusal(game, text).endswith("; seat A may play: draw, take, call")


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
def test_no_card_of_an_illegal_exchange_is_named(text: str, game: Game) -> None:
    game.play("draw")
    assert refusal(game, text).endswith(
        "seat A may play: discard, use, exchange A1, exchange A2, exchange A3, exchange A4"
    )


@pytest.mark.parametrize("text", ["exchange A1", "exchange A1 A2", "exchange A2", "and A3", "and A4 A1", "and B1"])
def test_no_card_of_an_illegal_exchange_is_named_after_its_first_card(text: str, game: Game) -> None:
    game.play("draw")
    game.play(Move.of("exchange A3"))
    assert refusal(game, text).endswith("seat A may play: and A1, and A2, and A4, done")


@pytest.mark.parametrize(
    "text", ["peek A1 A1", "peek A1 A6", "peek A6 A1", "peek A1 B1", "peek A1 A2 A3", "peek A1 x", "peek", "and A1"]
)
def test_no_card_of_an_illegal_look_is_looked_at(text: str, looking: Game) -> None:
    assert refusal(looking, text, "A").endswith("seat A may play: peek A1, peek A2, peek A3, peek A4, peek A5")


@pytest.mark.parametrize("text", ["peek A1", "peek A1 A2", "peek A2 A3", "and A1", "and B1", "done"])
def test_no_card_of_an_illegal_look_is_looked_at_after_its_first_card(text: str, looking: Game) -> None:
    looking.play("peek A1")
    assert refusal(looking, text, "A").endswith("seat A may play: and A2, and A3, and A4, and A5")


def test_a_refusal_distinguishes_invalid_from_illegal_moves(game: Game) -> None:
    assert refusal(game, "fly").startswith("'fly' is not a move; ")
    assert refusal(game, " Exchange  A1 ").startswith("'Exchange A1' is not legal now; ")
    assert refusal(game, "exchange A1 A3").startswith("'exchange A1 A3' is not legal now; ")
    assert refusal(game, Move.of("use")).startswith("'use' is not legal now; ")
    assert refusal(game, "x" * 1000).startswith("'xxx")
    assert len(refusal(game, "x" * 1000)) < 200


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_refused(text: str, game: Game) -> None:
    assert refusal(game, text).endswith("is not a move; seat A may play: draw, take, call")


def test_another_seats_move_is_refused(game: Game, looking: Game) -> None:
    assert refusal(game, "draw", "B") == "'draw' is refused: it is not seat B's turn, seat A is to move"
    assert refusal(game, Move.of("draw"), "b") == "'draw' is refused: it is not seat B's turn, seat A is to move"
    assert refusal(looking, "peek A1 A2", "B").endswith("seat B may play: peek B1, peek B2, peek B3, peek B4, peek B5")


def test_a_seat_that_has_looked_waits_for_the_others(looking: Game) -> None:
    looking.play("peek A1 A2")
    assert refusal(looking, "peek A3 A4", "A") == "'peek A3 A4' is refused: it is not seat A's turn, seat B is to move"


@pytest.mark.parametrize("seat", ["C", "E", "AB", "1", "?"])
def test_an_unknown_seat_is_an_error_that_names_the_seats(seat: str, game: Game) -> None:
    before = state_of(game)
    with pytest.raises(ValueError, match="the seats are A, B"):
        game.play("draw", seat=seat)
    assert state_of(game) == before


@pytest.mark.parametrize("move", [-1, 15, 16, 21, 31, 52, 63, 64, 115, 255, MOVE_LIMIT, 10**9])
def test_a_number_that_is_no_move_is_refused(move: int, game: Game) -> None:
    assert refusal(game, move) == f"'move {move}' is not a move; seat A may play: draw, take, call"


def test_every_value_of_a_move_that_is_not_legal_is_refused(game: Game) -> None:
    before = state_of(game)
    for move in MOVES:
        if move not in game.legal_moves():
            with pytest.raises(IllegalMove):
                game.play(move)
    assert state_of(game) == before


def test_every_move_is_refused_after_the_game() -> None:
    villages = {"A": "5 10", "B": "3"}
    game = Game.at({"boxes": "dagger", "deck": "8", "discard": "6", "villages": villages})
    game.play("draw")
    game.play("discard")
    assert game.over
    for move in ("draw", "fly", Move.of("draw"), "exchange A1 A2"):
        assert refusal(game, move).endswith("is refused: the round is over")
    assert refusal(game, "draw", "B").endswith("is refused: the round is over")


@settings(max_examples=60)
@given(games(), st.lists(st.sampled_from(TEXTS), min_size=5, max_size=5), st.sampled_from(["", "A", "B"]))
def test_illegal_moves_are_refused_and_change_nothing(game: Game, moves: list[str], seat: str) -> None:
    legal = game.legal(seat) if seat else [MOVES[move] for move in options(game)]
    for text in moves:
        if text not in map(str, legal) and len(parse_cards_move(text)) < 2:
            refusal(game, text, seat)


@settings(max_examples=60)
@given(games(), st.lists(st.sampled_from([f"A{place}" for place in range(1, 9)]), min_size=2, max_size=4))
def test_an_exchange_is_legal_exactly_if_each_of_its_cards_is(game: Game, spots: list[str]) -> None:
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
        refusal(game, text)
