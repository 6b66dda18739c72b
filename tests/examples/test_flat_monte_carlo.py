from pathlib import Path
from runpy import run_path

EXAMPLE = Path(__file__).parents[2] / "examples" / "flat_monte_carlo.py"


def test_flat_monte_carlo_beats_novice() -> None:
    assert run_path(str(EXAMPLE))["count_wins"](8, seed=3) > 4
