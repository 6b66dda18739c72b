from random import Random

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.rules.position_dict import read_position
from argentum.rules.scoring import ROUNDS_PER_GAME, ScoreLine, score_lines, score_round
from tests.random_games import games, play_to_end, seeds


def score_villages(boxes: str, *villages: str, caller: str = "", token: str = "") -> tuple[list[int], list[ScoreLine]]:
    """Score a round that ends with these villages; return the scores and the lines that explain them."""
    rows = dict(zip("ABCD", villages, strict=False))
    source = {"boxes": boxes, "players": len(villages), "villages": rows, "caller": caller}
    table = read_position({**source, "token": token} if token else source)
    score_round(table)
    return table.scores, score_lines(table)


def short_lines(lines: list[ScoreLine]) -> list[str]:
    """Format lines as seat, spot, change, sum and ruling."""
    return [f"{line.seat} {line.spot or '-'} {line.amount:+d} = {line.sum} {line.cause}" for line in lines]


@settings(max_examples=40)
@given(games(max_moves=0), seeds)
def test_the_last_sum_of_each_seat_is_its_score(game: Game, seed: int) -> None:
    play_to_end(game, Random(seed))
    for round_ in range(1, ROUNDS_PER_GAME + 1):
        end = game.round_end_view(round_)
        last = dict.fromkeys(game.seats, 0)
        for line in game.explain(round_):
            assert line.sum == last[line.seat] + line.amount
            last[line.seat] = line.sum
        assert last == game.scores[round_ - 1] == end.scores
        if end.caller:
            assert game.explain(round_)[-1].seat == end.caller


@settings(max_examples=15)
@given(games(max_moves=0), seeds)
def test_each_card_has_a_line_and_each_line_names_its_ruling(game: Game, seed: int) -> None:
    play_to_end(game, Random(seed))
    for round_ in range(1, ROUNDS_PER_GAME + 1):
        lines, villages = game.explain(round_), game.round_end_view(round_).villages
        empty = [seat for seat in game.seats if not villages[seat]]
        spots = [f"{seat}{place}" for seat in game.seats for place in range(1, 1 + len(villages[seat]))]
        counted = lines[: len(spots) + len(empty)]
        assert sorted(line.spot for line in counted if line.kind == "card") == sorted(spots)
        assert sorted(line.seat for line in counted if line.kind == "empty") == empty
        assert {line.cause for line in lines} <= {"G16", "B13", "B14", "C13", "D0", "D2", "D13"}
        for line in lines:
            if line.spot:
                assert line.number == villages[line.spot[0]][int(line.spot[1:]) - 1].number


def test_a_round_that_is_not_over_cannot_be_explained() -> None:
    game = Game.new("dagger", 2, 1)
    with pytest.raises(ValueError, match="round 1 is not over"):
        game.explain(1)


def test_sums_add_up_card_numbers() -> None:
    scores, lines = score_villages("dagger", "3 10^", "9")
    assert scores == [13, 9]
    assert short_lines(lines) == ["A A1 +3 = 3 G16", "A A2 +10 = 13 G16", "B B1 +9 = 9 G16"]


def test_a_line_as_text_shows_all_its_fields() -> None:
    _, lines = score_villages("dagger", "2^ 10", "9")
    for line in lines:
        for part in (line.seat, line.spot, f"{line.amount:+d}", f"= {line.sum:3d}", line.kind, f"({line.cause})"):
            assert part in str(line)
    assert len({str(line).index("=") for line in lines}) == 1  # The lines are aligned in columns.


def test_a_line_states_the_kind_number_and_value_of_its_card() -> None:
    _, lines = score_villages("dagger", "2^ 10", "9 0^ 13")
    assert [(line.kind, line.number, line.value) for line in lines] == [
        ("card", 2, None),
        ("card", 10, None),
        ("card", 9, None),
        ("card", 0, None),
        ("card", 13, None),
        ("change", 0, 2),
        ("change", 2, None),
    ]


def test_seats_are_scored_clockwise_from_the_token() -> None:
    _, lines = score_villages("dagger", "3", "9", "1", token="dagger B idle")
    assert [line.seat for line in lines] == ["B", "C", "A"]


def test_a_won_call_scores_0() -> None:
    scores, lines = score_villages("dagger", "5 5", "3 7", caller="A")
    assert scores == [0, 10]
    assert short_lines(lines)[-1] == "A - -10 = 0 G16"
    assert (lines[-1].kind, lines[-1].spot, lines[-1].number) == ("won", "", None)


def test_a_lost_call_costs_10() -> None:
    scores, lines = score_villages("dagger", "5 6", "3 7", caller="A")
    assert scores == [21, 10]
    assert short_lines(lines)[-1] == "A - +10 = 21 G16"
    assert lines[-1].kind == "lost"


@pytest.mark.parametrize("token", ["dagger A idle", "dagger B idle"])
def test_a_seat_without_cards_has_a_line(token: str) -> None:
    scores, lines = score_villages("dagger", "", "1", token=token)
    assert scores == [0, 1]
    summaries = sorted(zip(short_lines(lines), [line.kind for line in lines], strict=True))
    assert summaries == [("A - +0 = 0 G16", "empty"), ("B B1 +1 = 1 G16", "card")]


def test_a_caller_without_cards_has_a_line_for_the_call_too() -> None:
    scores, lines = score_villages("dagger", "", "1", caller="A")
    assert scores == [0, 1]
    assert short_lines(lines) == ["A - +0 = 0 G16", "B B1 +1 = 1 G16", "A - +0 = 0 G16"]
    assert lines[0].kind == "empty"
    assert (lines[-1].kind, lines[-1].spot, lines[-1].number) == ("won", "", None)


def test_a_card_under_the_bullet_counts_0() -> None:
    scores, lines = score_villages("bullet", "12* 9", "6")
    assert scores == [9, 6]
    assert short_lines(lines)[0] == "A A1 +0 = 0 B14"


def test_a_faceup_halfling_counts_0_and_halves_the_sum_rounded_up() -> None:
    scores, lines = score_villages("dagger", "2^ 9 5^ 2^", "2 7")
    assert scores == [4, 9]
    assert short_lines(lines) == [
        "A A1 +0 = 0 D2",
        "A A2 +9 = 9 G16",
        "A A3 +5 = 14 G16",
        "A A4 +0 = 14 D2",
        "B B1 +2 = 2 G16",
        "B B2 +7 = 9 G16",
        "A A1 -7 = 7 D2",
        "A A4 -3 = 4 D2",
    ]


def test_a_halfling_rounds_a_negative_sum_toward_zero() -> None:
    scores, lines = score_villages("dagger", "0^ 2^", "1 1 1 3 3")
    assert scores == [-2, 9]
    assert short_lines(lines)[-2:] == ["A A1 -5 = -5 D0", "A A2 +3 = -2 D2"]


def test_each_faceup_debt_collector_subtracts_the_cards_of_other_villages() -> None:
    scores, lines = score_villages("dagger", "0^ 12 0^", "12", "11 6^")
    assert scores == [6, 12, 17]
    assert short_lines(lines)[-2:] == ["A A1 -3 = 9 D0", "A A3 -3 = 6 D0"]
    assert lines[-1].value == 3


def test_a_facedown_debt_collector_does_nothing() -> None:
    scores, lines = score_villages("dagger", "0 12", "12")
    assert scores == [12, 12]
    assert short_lines(lines) == ["A A1 +0 = 0 G16", "A A2 +12 = 12 G16", "B B1 +12 = 12 G16"]


def test_a_caller_with_a_negative_sum_scores_0() -> None:
    scores, lines = score_villages("dagger", "0^ 1", "1 1 3", caller="A")
    assert scores == [0, 5]
    assert short_lines(lines)[-2:] == ["A A1 -3 = -2 D0", "A - +2 = 0 G16"]


def test_a_furry_turns_exactly_50_into_0_and_adds_50_to_the_others() -> None:
    scores, lines = score_villages("dagger", "12 12 13 13^", "3", "4")
    assert scores == [0, 53, 54]
    assert short_lines(lines)[-3:] == ["A A3 -50 = 0 D13", "B A3 +50 = 53 D13", "C A3 +50 = 54 D13"]


def test_a_furry_does_nothing_at_49() -> None:
    scores, lines = score_villages("dagger", "12 12 13 12", "3")
    assert scores == [49, 3]
    assert "D13" not in [line.cause for line in lines]


def test_a_furry_can_raise_a_village_with_another_furry_to_50() -> None:
    # A's 50 becomes 0 and raises B from 0 to 50; then B's Furry is resolved, at exactly 50.
    scores, lines = score_villages("dagger", "13 1 1 1 1 2 2 2 3 3 4 5 12", "13 0^")
    assert scores == [50, 0]
    assert short_lines(lines)[-5:] == [
        "B B2 -13 = 0 D0",
        "A A1 -50 = 0 D13",
        "B A1 +50 = 50 D13",
        "B B1 -50 = 0 D13",
        "A B1 +50 = 50 D13",
    ]


def test_a_wolfman_makes_the_sum_0_if_the_others_are_below_13() -> None:
    scores, lines = score_villages("coin", "13^ 12", "13 1")
    assert scores == [0, 14]
    assert short_lines(lines)[-1] == "A A1 -25 = 0 C13"
    assert lines[-1].value == 12


@pytest.mark.parametrize("village", ["13^ 12 1", "13^ 13^"])
def test_a_wolfman_does_nothing_if_the_others_are_13_or_more(village: str) -> None:
    scores, lines = score_villages("coin", village, "1")
    assert scores == [26, 1]
    assert "C13" not in [line.cause for line in lines]


def test_a_wolfman_is_scored_after_a_halfling() -> None:
    # X7
    scores, lines = score_villages("ddddddddddddcc", "13^ 2^ 12", "1")
    assert scores == [0, 1]
    assert short_lines(lines)[-2:] == ["A A2 -12 = 13 D2", "A A1 -13 = 0 C13"]
    assert score_villages("ddddddddddddcc", "13^ 2^ 12 1", "1")[0] == [13, 1]


def test_a_copycat_counts_as_the_lowest_other_card() -> None:
    scores, lines = score_villages("bullet", "13 9 5", "13^ 7 7")
    assert scores == [19, 21]
    assert short_lines(lines)[0::3] == ["A A1 +5 = 5 B13", "B B1 +7 = 7 B13"]


def test_copycats_do_not_copy_each_other() -> None:
    scores, lines = score_villages("bullet", "13 13", "1")
    assert scores == [26, 1]
    assert short_lines(lines)[:2] == ["A A1 +13 = 13 G16", "A A2 +13 = 26 G16"]


def test_a_copycat_next_to_or_under_the_bullet_counts_0() -> None:
    assert short_lines(score_villages("bullet", "13 5* 9", "1")[1])[:2] == ["A A1 +0 = 0 B13", "A A2 +0 = 0 B14"]
    assert short_lines(score_villages("bullet", "13* 5 9", "1")[1])[:2] == ["A A1 +0 = 0 B14", "A A2 +5 = 5 G16"]


def test_copycats_ignore_a_faceup_halfling() -> None:
    # X7
    scores, lines = score_villages("bbdbbbbbbbbbbb", "2^ 13 5", "2 13 5")
    assert scores == [5, 9]
    assert short_lines(lines)[:2] == ["A A1 +0 = 0 D2", "A A2 +5 = 5 B13"]
    assert short_lines(lines)[3:5] == ["B B1 +2 = 2 G16", "B B2 +2 = 4 B13"]
    assert short_lines(lines)[-1] == "A A1 -5 = 5 D2"


def test_a_card_under_the_amulet_keeps_its_number_and_ability() -> None:
    # A14, X14
    scores, lines = score_villages("amulet", "12* 9", "6")
    assert scores == [21, 6]
    assert short_lines(lines)[0] == "A A1 +12 = 12 G16"
    assert score_villages("dagger", "2^* 9", "6", token="amulet A used")[0] == [5, 6]
    assert score_villages("dagger", "0^* 9", "6 1 1", token="amulet A used")[0] == [6, 8]
    assert score_villages("coin", "13^* 9", "6", token="amulet A used")[0] == [0, 6]


def test_a_copycat_copies_0_from_a_muted_copycat_and_still_copies_under_the_amulet() -> None:
    # B13, B14, A14
    assert score_villages("bullet", "13* 13 9", "1")[0] == [9, 1]
    assert score_villages("bullet", "13* 5 9", "1", token="amulet A used")[0] == [19, 1]


def test_an_empty_village_is_raised_by_a_furry() -> None:
    # G16, D13
    scores, lines = score_villages("dagger", "12 12 13 13", "")
    assert scores == [0, 50]
    assert short_lines(lines)[-2:] == ["A A3 -50 = 0 D13", "B A3 +50 = 50 D13"]


def test_a_doppelganger_is_a_13() -> None:
    assert score_villages("amulet", "13 9 5", "13^")[0] == [27, 13]
    assert score_villages("ddddddddddddda", "13 2^", "1")[0] == [7, 1]  # The Halfling halves 13 (X17).
