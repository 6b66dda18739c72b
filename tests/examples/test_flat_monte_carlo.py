from examples.flat_monte_carlo import count_wins


def test_flat_monte_carlo_beats_novice() -> None:
    assert count_wins(8, seed=3) > 4
