from collections import Counter
from itertools import islice, permutations

from argentum import Game
from argentum.rules.shuffling import (
    FIRST_LONG_SEED,
    fast_shuffle,
    random_below,
    random_stream,
    random_words,
    shuffle_in_round,
    unbiased_shuffle,
)


def test_every_order_is_equally_likely() -> None:
    words, trials = random_words(b"key"), 12_000
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(trials):
        numbers = [1, 2, 3, 4]
        unbiased_shuffle(numbers, words)
        counts[tuple(numbers)] += 1
    expected = trials / 24
    assert set(counts) == set(permutations([1, 2, 3, 4]))
    assert (
        sum([(count - expected) ** 2 / expected for count in counts.values()]) < 50
    )  # chi-squared with 23 degrees of freedom: p < 0.001


def test_random_words_that_would_cause_a_bias_are_skipped() -> None:
    assert random_below(3, iter([2**32 - 1, 2**32 - 1, 7])) == 1


def test_a_short_seed_uses_the_standard_generator_and_a_long_one_sha_256() -> None:
    short, long = list(range(8)), list(range(8))
    shuffle_in_round(short, 5, 1, 1)
    shuffle_in_round(long, FIRST_LONG_SEED, 1, 1)
    expected = list(range(8))
    fast_shuffle(expected, random_stream(5, 1, 1))
    assert short == expected
    assert (sorted(long), long != expected) == (list(range(8)), True)
    assert list(islice(random_words(b"key"), 3)) == [1323532886, 4284601754, 3658234211]


def test_a_long_seed_survives_a_position_text() -> None:
    text = Game.new("bullet", 3, 2**255 + 1).text()
    assert f"seed {2**255 + 1}" in text
    assert Game.resume(text).text() == text
