import re
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, records
from argentum.cli import main
from argentum.commands.replay import replay_lines
from argentum.records import RecordError
from argentum.rules.deal import Deal, missing_cards
from tests.random_games import finish_move, games, play_to_end

RECORD = """\
Argentum record 1
boxes: bbbbbbbbbbbbbb
token: bullet
A: Ann
B: Bo

round 1, A starts
A has 9 5 1 5 7
B has 12 11 2 4 6
discard 10
deck 8 7 2 3 6 1 6 5 4 3 1 0 11 3 8 9 4 7 9 11 4 12 7 11 10 8 2 2 6 12 13
A: peek A1 A4
B: peek B1 B3
A: take, exchange A1
B: take, exchange B3
A: draw, use, B [B 6 11 9^ 4 12]
B: draw, use
"""


@cache
def finished_record() -> str:
    game = Game.new("bullet", 2, 4)
    play_to_end(game, Random(4))
    return records.write(game)


def replace_once(old: str, new: str, record: str = RECORD) -> str:
    assert record.count(old) == 1
    return record.replace(old, new)


def line_of(start: str, record: str) -> int:
    """Return the number of the first line that starts with this text."""
    return next(line_index for line_index, line in enumerate(record.splitlines(), 1) if line.startswith(start))


# Reading.


def test_a_running_game_is_read_and_written_again() -> None:
    game = records.read(RECORD)
    assert records.write(game) == RECORD
    assert game.names == ["Ann", "Bo"]
    assert game.to_move == "A"
    assert not game.over
    assert [str(card) for card in game.view("B").villages["B"]] == ["6", "11", "9^", "4", "12"]


def test_a_finished_game_is_read_and_written_again() -> None:
    game = records.read(finished_record())
    assert records.write(game) == finished_record()
    assert game.over
    assert finished_record().endswith(f"\nwinner {game.winner}\n")


@settings(max_examples=15)
@given(games(max_moves=150), st.integers(0, 150))
def test_a_record_may_end_after_the_deal_or_any_line_of_moves(game: Game, cut: int) -> None:
    lines = records.write(finish_move(game)).splitlines()
    first = next(line_index for line_index, line in enumerate(lines) if line.startswith("deck"))
    remaining = "\n".join(lines[: first + 1 + cut]) + "\n"
    if remaining.splitlines()[-1].startswith(("deck", "A:", "B:", "C:", "D:")):
        assert records.write(records.read(remaining)) == remaining


def test_comments_and_blank_lines_are_ignored() -> None:
    # Names may contain "#", so their lines have no comments.
    commented = RECORD.replace("\n", "  # a comment: A, B\n\n#\n")
    for name in ("A: Ann", "B: Bo"):
        commented = commented.replace(f"{name}  # a comment: A, B\n", f"{name}\n")
    assert commented.count("# a comment") == RECORD.count("\n") - 2
    assert records.write(records.read(f"# A game at the club\n\n{commented}")) == RECORD


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A: take, exchange A1", "  a :TAKE ,Exchange   a1  "),
        ("B: peek B1 B3", "b:\tpeek\tb1   B3"),
        ("use, B [B 6 11 9^ 4 12]", "USE,b[ b  6 11 9^ 4 12 ]"),
        ("A has 9 5 1 5 7", "  a   has 9  5 1 5 7 "),
        ("boxes: bbbbbbbbbbbbbb", "Boxes :  Bullet"),
        ("token: bullet", "TOKEN:BULLET"),
        ("round 1, A starts", " round  1,  a  starts"),
        ("Argentum record 1", "argentum  Record 1"),
        ("round 1, A starts", "Round 1, A Starts"),
        ("B has", "B Has"),
        ("discard 10", "Discard 10"),
        ("deck 8 7", "DECK 8 7"),
        ("\n", "\r\n"),
    ],
)
def test_case_and_extra_spaces_do_not_matter(old: str, new: str) -> None:
    assert records.write(records.read(RECORD.replace(old, new))) == RECORD


def test_case_and_extra_spaces_do_not_matter_in_scores() -> None:
    odd = (
        finished_record()
        .replace("scores ", "Scores   ")
        .replace("winner ", "WINNER  ")
        .replace("; totals", " ;  Totals")
    )
    assert records.write(records.read(odd)) == finished_record()


def test_the_token_may_be_left_out() -> None:
    assert records.write(records.read(replace_once("token: bullet\n", ""))) == RECORD


@pytest.mark.parametrize("name", ["Ann", "Ann Lee", "Ann: the 2nd", "é", "round", "deck", "[A]", "Ann #2", "has", "?"])
def test_names_survive_writing_and_reading(name: str) -> None:
    game = Game.new("dagger", 2, 1, names=[name, "Bo"])
    assert records.read(records.write(game)).names == [name, "Bo"]


# Records that were written before Silver Amulet was added.

OLD = sorted((Path(__file__).parent / "games").glob("*.silver"))


def test_there_are_old_records_of_all_boxes_and_numbers_of_seats() -> None:
    results = [records.read_file(path) for path in OLD]
    assert {game.players for game in results} == {2, 3, 4}
    assert {letter for game in results for letter in game.cast.code} == set("bcd")


@pytest.mark.parametrize("path", OLD, ids=lambda path: str(path.stem))
def test_an_old_record_still_plays_to_the_same_scores(path: Path) -> None:
    # Reading checks the scores and the winner, and inserts the move `stop` that old records of B4 lack.
    record = path.read_text(encoding="utf-8")
    game = records.read_file(path)
    assert game.over
    rewritten = records.write(game)
    if "mortician-under-goth-girl" in path.stem:
        assert rewritten != record
        assert records.write(records.read(rewritten)) == rewritten
        assert [line for line in rewritten.splitlines() if line.startswith("scores")] == [
            line for line in record.splitlines() if line.startswith("scores")
        ]
    else:
        assert rewritten == record


def test_a_game_of_one_round_has_no_record() -> None:
    game = Game.new("amulet", 2, 1, rounds=1)
    play_to_end(game, Random(1))
    with pytest.raises(ValueError, match="only a game of 4 rounds has a record, and this one ended after 1"):
        records.write(game)


# Replays.


def amulet_game() -> Game:
    """Return a game in which A has a faceup Squire, and a Bodyguard that guards A4."""
    villages = [[9, 3, 11, 12, 12], [8, 9, 10, 10, 11]]
    game = Game.new("amulet", 2, 0, deals=[make_deal(0, villages, 1, 6, 5, 4, 7, 2)])
    for move in ("peek A1 A2", "peek B1 B2", "take", "exchange A1", "draw 1", "use", "A2", "ability A2", "A4"):
        game.play(move)
    return game


def test_replay_positions_include_shown_and_guarded_cards_and_the_movers_view() -> None:
    steps = [step for step in records.steps_as_json(amulet_game()) if "position" in step]
    assert [step["move"] for step in steps[-4:]] == ["use", "A2", "ability A2", "A4"]
    assert steps[4]["position"]["shown"] == "6"
    assert steps[4]["legal"] == ["draw", "draw 1", "take"]
    assert steps[4]["sees"] == {"B": {"A": "1^ ? ? ? ?", "B": "8 9 ? ? ?"}}
    assert [step["position"]["guards"] for step in steps] == [""] * len(steps)
    assert amulet_game().position().as_dict()["guards"] == "A2>A4"


def test_replay_text_includes_shown_and_guarded_cards() -> None:
    game = amulet_game()
    game.play("draw")
    lines = list(replay_lines(game))
    assert any(line.endswith("pile 9   shown 6") for line in lines)
    assert lines[-2].split() == [
        "A",
        "draw",
        "1^",
        "3^",
        "11",
        "12",
        "12",
        "pile",
        "6",
        "shown",
        "5",
        "guards",
        "A2>A4",
    ]


# Invalid records.


class InvalidRecord(NamedTuple):
    id: str
    record: str
    line: int | None  # in the error; 0 for any line, None for an error without a line
    reason: str


DECK = next(line for line in RECORD.splitlines() if line.startswith("deck"))
INVALID_RECORDS = [
    InvalidRecord("no title", replace_once("Argentum record 1\n", ""), 1, "its first line must be 'Argentum record 1'"),
    InvalidRecord(
        "another title", replace_once("record 1", "record 2"), 1, "its first line must be 'Argentum record 1'"
    ),
    InvalidRecord("empty", "", None, "this is not a record: its first line must be 'Argentum record 1'"),
    InvalidRecord("only remarks", "# Argentum record 1\n", None, "this is not a record: its first line must be"),
    InvalidRecord(
        "only a title",
        "Argentum record 1\n",
        None,
        "the record has no complete deal: it begins like 'round 1, A starts'",
    ),
    InvalidRecord("no such deck", replace_once("bbbbbbbbbbbbbb", "gold"), 2, "'gold' names no deck"),
    InvalidRecord(
        "no deck named", replace_once("boxes: bbbbbbbbbbbbbb\n", ""), None, "the header has no line 'boxes: ...'"
    ),
    InvalidRecord("no such token", replace_once("token: bullet", "token: sword"), 3, "'sword' is not a token"),
    InvalidRecord(
        "no line of any kind", replace_once("B: draw, use", "and so on"), 17, "this is neither a deal, a line of moves"
    ),
    InvalidRecord(
        "another round first", replace_once("round 1", "round 2"), 7, "a round begins like 'round 1, A starts'"
    ),
    InvalidRecord(
        "a round without a start", replace_once(", A starts", ""), 7, "a round begins like 'round 1, A starts'"
    ),
    InvalidRecord("a start by no seat", replace_once("1, A", "1, E"), 7, "'E' is not a seat"),
    InvalidRecord("a start by an empty seat", replace_once("1, A", "1, C"), 7, "A, B"),
    InvalidRecord("a village of no seat", replace_once("A has", "E has"), 8, "'E' is not a seat"),
    InvalidRecord("a village of an empty seat", replace_once("B has", "C has"), 0, "A, B"),
    InvalidRecord(
        "a village too small", replace_once("A has 9 5 1 5 7", "A has 9 5 1"), 11, "this one has villages of [3, 5]"
    ),
    InvalidRecord(
        "a village missing", replace_once("B has 12 11 2 4 6\n", ""), 10, "there is no line 'B has 3 5 1 2 9'"
    ),
    InvalidRecord("no discard pile", replace_once("discard 10\n", ""), 10, "one card starts the discard pile"),
    InvalidRecord(
        "a discard pile of two", replace_once("discard 10", "discard 10 3"), 11, "one card starts the discard pile"
    ),
    InvalidRecord("a deck cut short", replace_once(DECK, DECK[:40]), 11, "a deck of 31"),
    InvalidRecord("a deal without a deck", replace_once(f"{DECK}\n", ""), 0, "deck"),
    InvalidRecord("a deal cut off", RECORD.partition("deck")[0], None, "the record has no complete deal"),
    InvalidRecord(
        "a player too many", replace_once("B: Bo", "B: Bo\nC: Cleo"), 12, "there is no line 'C has 3 5 1 2 9'"
    ),
    InvalidRecord("a player left out", replace_once("B: Bo", "C: Bo"), 0, "B"),
    InvalidRecord(
        "five 5s", replace_once("A has 9 5 1 5 7", "A has 5 5 5 5 7"), 11, "there are more than 4 cards of number 5"
    ),
    InvalidRecord("card 14", replace_once("A has 9", "A has 14"), 8, "'14' is not a card"),
    InvalidRecord("card of many digits", replace_once("A has 9", "A has " + "9" * 5000), 8, "is not a card"),
    InvalidRecord("a faceup card", replace_once("A has 9", "A has 9^"), 8, "'9^' has the mark ^"),
    InvalidRecord("a card in words", replace_once("deck 8", "deck eight"), 11, "'eight' is not a card"),
    InvalidRecord("a hidden village", replace_once("A has 9 5", "A has 9 ?"), 8, "'?' is not a card"),
    InvalidRecord("a hidden deck", replace_once("deck 8 7", "deck 8 ?"), 11, "'?' is not a card"),
    InvalidRecord("a hidden shuffle", replace_once("B 6 11", "B ? 11"), 16, "'?' is not a card"),
    InvalidRecord(
        "an illegal move",
        replace_once("A: take", "A: call"),
        14,
        "'call' is not legal now; seat A may play: draw, take",
    ),
    InvalidRecord(
        "half a move too many", replace_once("A1 A4", "A1 A4 A5"), 12, "seat A may play: peek A1, peek A2, peek A3,"
    ),
    InvalidRecord("no move", replace_once("A: take", "A: fly"), 14, "'fly' is not a move; seat A may play: draw, take"),
    InvalidRecord("an empty line of moves", replace_once("B: draw, use", "B:"), 17, "a move is missing"),
    InvalidRecord(
        "another seat's turn", replace_once("A: take", "B: take"), 14, "it is not seat B's turn, seat A is to move"
    ),
    InvalidRecord("moves of no seat", replace_once("A: take", "E: take"), 14, "'E' is not a seat; the seats are A, B"),
    InvalidRecord(
        "moves of a name", replace_once("A: take", "Ann: take"), 14, "'Ann' is not a seat; the seats are A, B"
    ),
    InvalidRecord("moves of nobody", replace_once("A: take", ": take"), 14, "'' is not a seat; the seats are A, B"),
    InvalidRecord(
        "a shuffle of other cards", replace_once("6 11 9^ 4", "6 11 9^ 3"), 16, "shuffle 6 11 9 3 12 is not an order of"
    ),
    InvalidRecord(
        "a shuffle of a faceup card", replace_once("6 11 9^", "9 11 6^"), 16, "shuffle 9 11 6 4 12 is not an order of"
    ),
    InvalidRecord(
        "a shuffle cut short",
        replace_once("6 11 9^ 4 12", "6 11"),
        16,
        "shuffle 6 11 is not an order of the village 12 11",
    ),
    InvalidRecord(
        "a shuffle of no village", replace_once("[B 6 11 9^ 4 12]", "[]"), 16, "stands in brackets, like [B 3 9 2^ 4]"
    ),
    InvalidRecord("a shuffle of another village", replace_once("[B 6", "[A 6"), 0, "shuffle"),
    InvalidRecord("a shuffle that is not told", replace_once(" [B 6 11 9^ 4 12]", ""), 0, "shuffle"),
    InvalidRecord("a shuffle without a Thing", RECORD.partition(", use, B")[0] + " [A 10 5 1 5 7]\n", 0, "shuffle"),
    InvalidRecord(
        "scores too early", RECORD + "scores A 1, B 2; totals A 1, B 2; token bullet A idle\n", 18, "that goes on"
    ),
    InvalidRecord("a winner too early", RECORD + "winner A\n", 18, "the moves lead to 'no winner yet'"),
]


def replace_in_finished_record(old: str, new: str) -> str:
    assert old in finished_record()
    return finished_record().replace(old, new, 1)


def check_error(record: str, line: int | None, reason: str, file: Path) -> None:
    """Assert that the reader and the command line report this error for an invalid record."""
    with pytest.raises(RecordError) as error:
        records.read(record)
    message = str(error.value)
    assert reason in message
    if line is None:
        assert not re.match("line [0-9]", message)
    else:
        assert re.match(f"line {line or '[0-9]+'}: ", message)
    assert "\n" not in message
    file.write_text(record, encoding="utf-8")
    for options in ([], ["--json"]):
        result = CliRunner().invoke(main, ["replay", str(file), *options])
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr == f"Error: {file}: {message}.\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.silver"


@pytest.mark.parametrize("invalid", INVALID_RECORDS, ids=lambda invalid: str(invalid.id))
def test_an_invalid_record_is_an_error_with_the_line(invalid: InvalidRecord, file: Path) -> None:
    check_error(invalid.record, invalid.line, invalid.reason, file)


def test_the_error_for_wrong_scores_states_the_right_ones(file: Path) -> None:
    right = next(line for line in finished_record().splitlines() if line.startswith("scores"))
    wrong = re.sub(r"scores A \d+", "scores A 99", right)
    error_text = f"the record says '{wrong}', but the moves lead to '{right}'"
    check_error(replace_in_finished_record(right, wrong), line_of("scores", finished_record()), error_text, file)


@pytest.mark.parametrize(("part", "change"), [(r"totals A \d+", "totals A 999"), (r"token \w+ .", "token dagger C")])
def test_wrong_totals_and_a_wrong_token_are_errors(part: str, change: str, file: Path) -> None:
    check_error(re.sub(part, change, finished_record()), line_of("scores", finished_record()), change, file)


def test_a_wrong_winner_is_an_error(file: Path) -> None:
    winner = records.read(finished_record()).winner
    loser = "B" if winner == "A" else "A"
    error_text = f"the record says 'winner {loser}', but the moves lead to 'winner {winner}'"
    check_error(
        replace_in_finished_record(f"winner {winner}", f"winner {loser}"),
        line_of("winner", finished_record()),
        error_text,
        file,
    )


def test_moves_after_the_end_are_refused(file: Path) -> None:
    last = len(finished_record().splitlines())
    check_error(f"{finished_record()}A: draw\n", last + 1, "'draw' is refused: the game is over", file)


def test_a_record_cannot_end_between_two_rounds(file: Path) -> None:
    last = line_of("scores", finished_record())
    check_error(
        "\n".join(finished_record().splitlines()[:last]), None, "the record ends without the deal of round 2", file
    )


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", b"\x89PNG\r\n\x1a\n", b"\x00" * 100])
def test_a_file_that_is_not_text_is_an_error(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    result = CliRunner().invoke(main, ["replay", str(file)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {file}: ")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_missing_or_a_folder_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path / "none.silver", tmp_path):
        result = CliRunner().invoke(main, ["replay", str(path)])
        assert result.exit_code == 2
        assert result.stderr.startswith(f"Error: {path}: ")
        assert result.stderr.count("\n") == 1


# Records of what one seat knows.

RECORD_FOR_A = """\
Argentum record 1, as seat A knows it
boxes: bbbbbbbbbbbbbb
token: bullet
A: Ann
B: Bo

Round 1 begins: Ann starts.
Ann looked at spots 1 and 4: a Marksman 9 and a Cow 5.
Bo looked at spots 1 and 3.
Ann took the Count 10 for spot 1, discarding a Marksman 9.
Bo took the Marksman 9 for spot 3, discarding a Priest 2.
Ann used the Thing 8: the facedown cards of Bo's village were shuffled.
Bo looked at spots 1, 2, 4 and 5 with the Insomniac 7.
"""


def test_the_record_for_a_seat_contains_only_what_the_seat_knows() -> None:
    assert records.write_for(records.read(RECORD), "A") == RECORD_FOR_A


def test_the_record_for_a_seat_contains_its_looks_before_and_after_a_shuffle() -> None:
    seen = records.write_for(records.read(RECORD), "B").splitlines()
    assert seen[-3:] == [
        "Bo took the Marksman 9 for spot 3, discarding a Priest 2.",
        "Ann used the Thing 8: the facedown cards of Bo's village were shuffled.",
        "Bo looked at spots 1, 2, 4 and 5 with the Insomniac 7:"
        " an Instigator 6, a Troublemaker 11, a Mortician 4 and a Gremlin 12.",
    ]
    assert "Bo looked at spots 1 and 3: a Gremlin 12 and a Priest 2." in seen
    before = records.read(replace_once("B: draw, use\n", ""))
    assert records.write_for(before, "B").splitlines() == seen[:-1]
    assert [str(card) for card in before.view("B").villages["B"]] == ["?", "?", "9^", "?", "?"]


def make_deal(start: int, villages: list[list[int]], discard: int, *top: int) -> Deal:
    """Return a deal with these cards on top of the deck."""
    rest = missing_cards([*villages[0], *villages[1], discard, *top])
    return Deal(start, villages, discard, [*top, *rest[: 31 - len(top)]])


def test_a_card_under_the_bullet_stays_known_through_a_shuffle() -> None:
    # A calls with 0 0 2, wins, and covers the second card of its next village; then its Thing shuffles the others.
    first = make_deal(0, [[0, 0, 1, 1, 1], [12, 12, 12, 12, 11]], 5, 2, 3, 6)
    second = make_deal(0, [[7, 5, 1, 9, 9], [10, 10, 11, 11, 12]], 6, 8)
    game = Game.new("bullet", 2, 0, deals=[first, second])
    for move in ["peek A1 A2", "peek B1 B2", "draw", "exchange A3 A4 A5", "at A3", "draw", "discard", "call", "draw"]:
        game.play(move)
    for move in ["discard", "peek A1 A2", "peek B1 B2", "token", "A2", "draw", "use", "A"]:
        game.play(move)
    assert [str(card) for card in game.view("A").villages["A"]] == ["?", "5*", "?", "?", "?"]
    assert [str(card) for card in game.view("B").villages["A"]] == ["?", "?*", "?", "?", "?"]
    assert re.findall(r"\[A \d+ 5\* \d+ \d+ \d+\]", records.write(game)) == re.findall(r"\[.*\]", records.write(game))
    assert records.write(records.read(records.write(game))) == records.write(game)


def test_a_game_from_a_given_position_has_no_record() -> None:
    game = Game.at({"boxes": "dagger", "deck": "1 2", "discard": "3", "villages": {"A": "4", "B": "5"}})
    with pytest.raises(ValueError, match="began from a given position"):
        records.write(game)


@pytest.mark.parametrize("seat", ["A", "B"])
def test_a_seats_record_cannot_be_replayed(seat: str, file: Path) -> None:
    error_text = "this record is what one player knew of a game in progress: it can be read, but not played again"
    check_error(records.write_for(records.read(RECORD), seat), 1, error_text, file)
