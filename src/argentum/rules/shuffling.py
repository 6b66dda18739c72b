# mypyc: compile
"""Random streams, and unbiased shuffles that can be verified: SHA-256 in counter mode.

Simulations need many cheap shuffles: seeds below 2**64 use Python's generator. Games between people have longer seeds,
from which the shuffles during a round are derived by SHA-256: earlier shuffles reveal nothing about later ones, and
anyone who has the seed can reproduce them. See docs/fairness.md.
"""

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Final, TypeVar

Item = TypeVar("Item")  # mypyc: generic, so that integers stay boxed and are not boxed again


def random_stream(seed: int, *path: int) -> Random:
    """Return a generator for a seed and a path of numbers; different paths give independent generators.

    Games derive a generator for each deal and shuffle, so they need not copy the state of one.
    """
    for number in path:
        seed = seed * 1_000_003 + number + 1
    return Random(seed)


def fast_shuffle(items: list[Item], random: Random) -> None:
    """Shuffle in place. (Ten times as fast as `Random.shuffle`.)"""
    uniform_random = random.random
    for place in range(len(items) - 1, 0, -1):
        other = int(uniform_random() * (place + 1))
        items[place], items[other] = items[other], items[place]


FIRST_LONG_SEED: Final = 1 << 64  # from here on, shuffles in a round are derived by SHA-256
SEED_BYTES: Final = 32


def random_words(key: bytes) -> Iterator[int]:
    """Yield an endless sequence of 32-bit integers, from SHA-256 of a key and a counter."""
    block = 0
    while True:
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def random_below(bound: int, words: Iterator[int]) -> int:
    """Return an unbiased integer from 0 up to, but not including, `bound`."""
    limit = (1 << 32) - (1 << 32) % bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound


def unbiased_shuffle(numbers: list[int], words: Iterator[int]) -> None:
    """Shuffle in place, without bias (Fisher-Yates)."""
    for place in range(len(numbers) - 1, 0, -1):
        other = random_below(place + 1, words)
        numbers[place], numbers[other] = numbers[other], numbers[place]


def shuffle_in_round(numbers: list[int], seed: int, round_: int, index: int) -> None:
    """Shuffle in place, as the Nth shuffle of a round for index N (B8). Seed, round and index determine the result."""
    if seed < FIRST_LONG_SEED:
        fast_shuffle(numbers, random_stream(seed, round_, index))
    else:
        size = max(SEED_BYTES, (seed.bit_length() + 7) // 8)
        index_text = f"\nround {round_} shuffle {index}\n".encode()
        unbiased_shuffle(
            numbers, random_words(sha256(b"argentum shuffle\n" + seed.to_bytes(size, "big") + index_text).digest())
        )
