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
    *[f"draw {nth}" for nth in range(1, 5)],
    *[f"keep {nth}" for nth in range(1, 6)],
    *[f"take {nth}" for nth in range(1, 51)],
    *[f"use {number}" for number in range(14)],
    *"ABCD",
    *[verb + spot for verb in VERBS for spot in SPOTS],
    *[f"give {spot} {seat}" for spot in SPOTS for seat in "ABCD"],
]
NUMBERS = {parse_move(written) for written in TEXTS}
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


def told(game: Game) -> list[object]:
    """A game as it stands, for comparison."""
    everybody = (None, *game.seats)
    return [
        game.text(),
        game.history(),
        game.legal(),
        game.to_move,
        [(game.view(seat), game.events(seat)) for seat in everybody],
    ]


def refusal(game: Game, move: int | str, seat: str = "") -> str:
    """The message with which a move is refused; nothing has changed by it."""
    before = told(game)
    with pytest.raises(IllegalMove) as error:
        game.play(move, seat=seat)
    assert told(game) == before
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
    moves = [parse_move(written) for written in TEXTS]
    assert -1 not in moves
    assert [move_text(move) for move in moves] == TEXTS
    assert len(set(moves)) == len(TEXTS)
    assert max(moves) < MOVE_LIMIT


def test_the_text_of_a_number_that_is_no_move_reads_to_none() -> None:
    """Not all numbers are moves: spots from 53 to 64, for instance, have numbers, but no village has so many cards."""
    texts: dict[int, str] = {}
    for move in range(MOVE_LIMIT):
        with suppress(LookupError):  # not all have a text, either
            texts[move] = move_text(move)
    assert texts.keys() >= NUMBERS
    assert [move for move, written in texts.items() if parse_move(written) != (move if move in NUMBERS else -1)] == []


@pytest.mark.parametrize("written", ["exchange A2", "draw private", "give B3 C", "take 2", "B", "B3", "at left"])
def test_case_and_extra_spaces_do_not_matter(written: str) -> None:
    for odd in (written.upper(), f"  {written}\t", written.replace(" ", "   "), written.replace(" ", "\t").title()):
        assert parse_move(odd) == parse_move(written) >= 0
        assert Move.of(odd) == Move.of(written)


@pytest.mark.parametrize("written", NONSENSE)
def test_nonsense_is_no_move(written: str) -> None:
    assert parse_move(written) == -1
    with pytest.raises(ValueError, match="is not a move; a move reads like 'draw'"):
        Move.of(written)


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(["give", "use", "at", "a", "b3", "C", "12", "left", "é", "0"]), max_size=4).map(" ".join)
)
def test_any_words_are_no_move_or_one_with_a_text_of_its_own(written: str) -> None:
    move = parse_move(written)
    assert move == -1 or move_text(move).lower() == written.lower()


def test_whole_looks_and_exchanges_are_not_single_moves() -> None:
    assert parse_move("peek A1 A2") == parse_move("exchange A1 A2") == -1


def test_a_move_is_its_number_and_shows_its_text() -> None:
    move = Move.of("exchange A2")
    assert move == EXCHANGE + 1
    assert (str(move), repr(move)) == ("exchange A2", "Move('exchange A2')")


@pytest.mark.parametrize(
    ("written", "verb", "spot"),
    [
        ("exchange A2", "exchange", "A2"),
        ("draw private", "draw private", ""),
        ("B3", "", "B3"),
        ("B", "", "B"),
        ("give A2 C", "give", "A2"),
    ],
)
def test_a_move_has_a_verb_and_the_spot_that_it_names(written: str, verb: str, spot: str) -> None:
    move = Move.of(written)
    assert (move.verb, move.spot) == (verb, spot)
    assert move  # also the move with the number 0


def test_the_first_move_is_true_as_any_other() -> None:
    assert Move.of("draw") == 0
    assert bool(Move.of("draw"))


def test_several_cards_are_read_as_one_card_moves() -> None:
    assert parse_cards_move(" PEEK  a1 A4") == [PEEK, PEEK + 3]
    assert parse_cards_move("exchange B1 B2 B3") == [EXCHANGE + 64, EXCHANGE + 65, EXCHANGE + 66]
    for written in ("exchange", "exchange A1 x", "exchange A1, A2", "give A1 A2", "draw", ""):
        assert parse_cards_move(written) == []


# Playing.


def test_a_move_is_played_by_value_by_plain_number_and_by_text(game: Game) -> None:
    by_value, by_number, by_text = game.copy(), game.copy(), game.copy()
    by_value.play(game.legal()[0])
    by_number.play(int(game.legal()[0]))
    by_text.play("  DRAW ", seat="a")
    assert told(by_value) == told(by_number) == told(by_text)
    assert [str(move) for move in by_text.legal()][:2] == ["discard", "use"]


def test_an_exchange_of_several_is_one_text_or_a_move_a_card(game: Game) -> None:
    game.play("draw")
    whole, split = game.copy(), game.copy()
    whole.play("exchange A3 A1")
    for written in ("exchange A3", "and A1", "done"):
        split.play(Move.of(written))
    assert told(whole) == told(split)
    assert [str(move) for move in whole.legal()] == ["at A1", "at A3"]
    whole.play("at A3")
    assert whole.position()["villages"]["A"] == "10 8 1"


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


def test_a_look_is_one_text_or_a_move_a_card(looking: Game) -> None:
    whole, split = looking.copy(), looking.copy()
    whole.play("peek B5 B2")
    split.play("peek B5")
    assert [str(move) for move in split.legal("B")] == ["and B1", "and B2", "and B3", "and B4"]
    split.play("and B2")
    assert told(whole) == told(split)


def test_in_the_first_look_nobody_waits_for_another(looking: Game) -> None:
    for written, seat in [("peek A1", "A"), ("peek B1", "B"), ("and A2", "A"), ("and B5", "B")]:
        looking.play(written, seat=seat)
    assert not looking.in_first_look


# Refusals.


@pytest.mark.parametrize(
    "written",
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
def test_a_refusal_names_what_is_legal(written: str, game: Game) -> None:
    assert refusal(game, written).endswith("; seat A may play: draw, take, call")


@pytest.mark.parametrize(
    "written",
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
def test_half_of_a_wrong_exchange_is_not_made(written: str, game: Game) -> None:
    game.play("draw")
    assert refusal(game, written).endswith(
        "seat A may play: discard, use, exchange A1, exchange A2, exchange A3, exchange A4"
    )


@pytest.mark.parametrize("written", ["exchange A1", "exchange A1 A2", "exchange A2", "and A3", "and A4 A1", "and B1"])
def test_half_of_a_wrong_exchange_is_not_made_after_its_first_card(written: str, game: Game) -> None:
    game.play("draw")
    game.play(Move.of("exchange A3"))
    assert refusal(game, written).endswith("seat A may play: and A1, and A2, and A4, done")


@pytest.mark.parametrize(
    "written", ["peek A1 A1", "peek A1 A6", "peek A6 A1", "peek A1 B1", "peek A1 A2 A3", "peek A1 x", "peek", "and A1"]
)
def test_half_of_a_wrong_look_is_not_made(written: str, looking: Game) -> None:
    assert refusal(looking, written, "A").endswith("seat A may play: peek A1, peek A2, peek A3, peek A4, peek A5")


@pytest.mark.parametrize("written", ["peek A1", "peek A1 A2", "peek A2 A3", "and A1", "and B1", "done"])
def test_half_of_a_wrong_look_is_not_made_after_its_first_card(written: str, looking: Game) -> None:
    looking.play("peek A1")
    assert refusal(looking, written, "A").endswith("seat A may play: and A2, and A3, and A4, and A5")


def test_a_refusal_tells_nonsense_from_what_is_not_legal_now(game: Game) -> None:
    assert refusal(game, "fly").startswith("'fly' is not a move; ")
    assert refusal(game, " Exchange  A1 ").startswith("'Exchange A1' is not legal now; ")
    assert refusal(game, "exchange A1 A3").startswith("'exchange A1 A3' is not legal now; ")
    assert refusal(game, Move.of("use")).startswith("'use' is not legal now; ")
    assert refusal(game, "x" * 1000).startswith("'xxx")
    assert len(refusal(game, "x" * 1000)) < 200


@pytest.mark.parametrize("written", NONSENSE)
def test_nonsense_is_refused(written: str, game: Game) -> None:
    assert refusal(game, written).endswith("is not a move; seat A may play: draw, take, call")


def test_another_seats_move_is_refused(game: Game, looking: Game) -> None:
    assert refusal(game, "draw", "B") == "'draw' is refused: it is not seat B's turn, seat A is to move"
    assert refusal(game, Move.of("draw"), "b") == "'draw' is refused: it is not seat B's turn, seat A is to move"
    assert refusal(looking, "peek A1 A2", "B").endswith("seat B may play: peek B1, peek B2, peek B3, peek B4, peek B5")


def test_a_seat_that_has_looked_waits_for_the_others(looking: Game) -> None:
    looking.play("peek A1 A2")
    assert refusal(looking, "peek A3 A4", "A") == "'peek A3 A4' is refused: it is not seat A's turn, seat B is to move"


@pytest.mark.parametrize("seat", ["C", "E", "AB", "1", "?"])
def test_a_seat_that_nobody_has_is_an_error_that_names_the_seats(seat: str, game: Game) -> None:
    before = told(game)
    with pytest.raises(ValueError, match="the seats are A, B"):
        game.play("draw", seat=seat)
    assert told(game) == before


@pytest.mark.parametrize("move", [-1, 15, 16, 21, 31, 52, 63, 64, 115, 255, MOVE_LIMIT, 10**9])
def test_a_number_that_is_no_move_is_refused(move: int, game: Game) -> None:
    assert refusal(game, move) == f"'move {move}' is not a move; seat A may play: draw, take, call"


def test_every_value_of_a_move_that_is_not_legal_is_refused(game: Game) -> None:
    before = told(game)
    for move in MOVES:
        if move not in game.legal_moves():
            with pytest.raises(IllegalMove):
                game.play(move)
    assert told(game) == before


def test_when_all_is_over_every_move_is_refused() -> None:
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
def test_what_is_not_legal_is_refused_anywhere_and_changes_nothing(game: Game, moves: list[str], seat: str) -> None:
    legal = game.legal(seat) if seat else [MOVES[move] for move in options(game)]
    for written in moves:
        if written not in map(str, legal) and len(parse_cards_move(written)) < 2:
            refusal(game, written, seat)


@settings(max_examples=60)
@given(games(), st.lists(st.sampled_from([f"A{place}" for place in range(1, 9)]), min_size=2, max_size=4))
def test_a_whole_exchange_is_made_just_if_each_of_its_cards_could_be(game: Game, spots: list[str]) -> None:
    written = f"exchange {' '.join(spots)}"
    legal = {str(move) for move in game.legal()}
    if len(set(spots)) == len(spots) and all(f"exchange {spot}" in legal for spot in spots):
        made = len(game.history())
        game.play(written)
        assert [move & ~255 for move in game.history()[made:]] in (
            [EXCHANGE, *[AND_CARD] * (len(spots) - 1)],
            [EXCHANGE, *[AND_CARD] * (len(spots) - 1), 0],
        )
    else:
        refusal(game, written)
