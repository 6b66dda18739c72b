from argentum.display.results import game_result
from argentum.display.scene import SeatInfo


def test_the_winner_ranks_first_of_equal_totals_and_other_ties_share_a_rank() -> None:
    seats = [
        SeatInfo(letter, name, "", True, "") for letter, name in zip("ABCD", ("Ann", "Bo", "Cy", "Dee"), strict=True)
    ]
    scores = [{"A": 9, "B": 3, "C": 3, "D": 9}, {"A": 0, "B": 1, "C": 1, "D": 0}]
    result = game_result(seats, scores, "C", "B")
    assert result.headline == "Cy wins."
    assert [(row.rank, row.name, row.total) for row in result.rows] == [
        (1, "Cy", 4), (2, "Bo", 4), (3, "Ann", 9), (3, "Dee", 9),
    ]  # fmt: skip
    assert game_result(seats, scores, "C", "C").headline == "You win."
