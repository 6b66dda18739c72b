from pathlib import Path

from argentum import records
from argentum.review.analysis import find_open_decisions, review_decisions
from argentum.review.plot import plot_review
from tests.review.example import write_example_record


def test_a_review_is_plotted_to_a_png_file(tmp_path: Path) -> None:
    game = records.read_file(write_example_record(tmp_path))
    decisions = list(review_decisions(find_open_decisions(game, "A")[:3], "random", 2))
    plot_review(decisions, "Ann", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
