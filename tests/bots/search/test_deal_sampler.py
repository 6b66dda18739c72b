"""Sampled deals are consistent with what a seat knows; cards that owners know and keep are low."""

from collections import Counter
from random import Random

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.search.deal_sampler import DealSampler
from argentum.rules.table import HIGHEST_LOW_NUMBER
from tests.bots.positions import game_at, sample_positions


def test_a_sample_is_consistent_with_what_the_seat_knows() -> None:
    random = Random(3)
    for game, seat in sample_positions(10, 4, 0.05):
        me, table = game.seats.index(seat), game.position().table
        position = game.position()
        sample = DealSampler(position.known_to(seat), seat).sample(random)
        assert sample is not None
        sampled = sample.start
        assert Counter(sampled.faces) == Counter(table.faces)
        if position.moves:
            continue
        for card, face in enumerate(table.faces):
            if table.is_faceup(card) or table.knows(me, card):
                assert sampled.faces[card] == face
            if table.is_passed_over(card):
                assert sampled.faces[card] > HIGHEST_LOW_NUMBER


def test_cards_that_owners_keep_are_sampled_low() -> None:
    deck = "0 1 1 2 2 3 3 4 5 6 7 9 9 10 10 11 11 12 12"
    game = game_at({"deck": deck, "villages": {"A": "5 6", "B": "8 8 8 8"}, "seen": {"B": "B1 B2"}})
    game = Game.resume(f"{game.text()}; turns 20: 19 20")
    sampler, random = DealSampler(game.position().known_to("A"), "A"), Random(1)
    known_sum = unknown_sum = 0
    for _ in range(300):
        sample = sampler.sample(random)
        assert sample is not None
        faces = sample.table.faces
        village = game.position().table.villages[1]
        known_sum += faces[village[0]] + faces[village[1]]
        unknown_sum += faces[village[2]] + faces[village[3]]
    assert known_sum < 0.8 * unknown_sum


def test_a_sample_keeps_high_faces_for_cards_that_were_passed_over() -> None:
    # All high cards but two are visible. C has those two, passed over (D7); B's known cards must not use them up.
    seen = " ".join([str(number) for number in range(5, 13) for _ in range(4)][2:])
    text = (
        "boxes dddddddddddddd; token dagger A idle; round 1 of 4; turn A; turns 12: 10 11 12;"
        f" A 0:A 1:A; B 1:B 2:B 3:B 4:B 0:B; C 5! 5!; deck 1 1 2 2 2 3 3 3 4 4; discard {seen} 13 13"
    )
    game = Game.resume(text)
    sampler, random = DealSampler(game.position().known_to("A"), "A"), Random(1)
    for _ in range(300):
        sample = sampler.sample(random)
        assert sample is not None
        sampled = sample.table
        assert Counter(sampled.faces) == Counter(game.position().table.faces)
        assert all([sampled.faces[card] > HIGHEST_LOW_NUMBER for card in sampled.villages[2]])
    assert str(ask(make("seer:50", 1), game, "A")) in [str(move) for move in game.legal()]
