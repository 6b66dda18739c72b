"""Races of candidate moves: the chosen move, repeatability and stopping."""

from random import Random

from argentum.bots.search.racing import Race, search
from tests.bots.positions import game_at, sample_positions


def test_the_same_seed_and_deals_give_the_same_search() -> None:
    for index, (game, seat) in enumerate(sample_positions(8, 1, 0.03)):
        position, moves = game.position().known_to(seat), [int(move) for move in game.legal(seat)]
        if not game.in_first_look:
            first, second = [search(position, seat, moves, Random(index), 3, lambda: False) for _ in range(2)]
            assert first == second


def test_the_first_candidate_is_replaced_only_by_a_better_one() -> None:
    position = {"deck": "0 9 7 10 3 5", "caller": "B", "villages": {"A": "1 12 2", "B": "5^ 6^ 7^"}}
    game = game_at(position | {"seen": {"A": "A1 A2 A3"}})
    game.play("draw")
    good, bad = [next(int(move) for move in game.legal() if str(move) == f"exchange A{place}") for place in (2, 1)]
    known = game.position().known_to("A")
    assert search(known, "A", [good, bad], Random(1), 30, lambda: False)[0] == good
    assert search(known, "A", [bad, good], Random(1), 30, lambda: False)[0] == good


def test_a_search_can_be_stopped() -> None:
    game = game_at({"villages": {"A": "3 5 2 6", "B": "5 6 7 8"}})
    best, playouts = search(game.position().known_to("A"), "A", [*game.legal()], Random(1), 1000, lambda: True)
    assert best in game.legal()
    assert playouts == len(game.legal())


def test_a_race_drops_clearly_worse_candidates() -> None:
    race = Race([1, 2, 3])
    random = Random(1)
    for _ in range(50):
        result = random.random()
        race.results[1].append(result)
        race.results[2].append(result - 0.2 + 0.1 * random.random())
        race.results[3].append(result + 0.02 * random.random() - 0.01)
    race.drop_losers()
    assert 2 not in race.candidates
    assert set(race.candidates) == {1, 3}
