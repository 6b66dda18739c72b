"""Who sits where."""

from collections import Counter
from itertools import product

import pytest

from argentum.arena.jobs import deals_for, line_ups, orders

NAMES = ["random", "novice", "steady", "seer"]


@pytest.mark.parametrize(("bots", "players"), list(product([2, 3, 4], repeat=2)))
def test_every_bot_sits_as_often_as_any_other_at_every_seat(bots: int, players: int) -> None:
    seatings = [order for one in line_ups(NAMES[:bots], players) for order in orders(one)]
    assert len(set(seatings)) == len(seatings)
    for seat in range(players):
        assert len(set(Counter([seating[seat] for seating in seatings]).values())) == 1
    everybody = {frozenset(one) for one in seatings}
    assert all(len(one) == min(bots, players) for one in everybody)
    assert set(NAMES[:bots]) == set().union(*everybody)


def test_the_seatings_of_two_bots_at_four_seats_are_all_but_those_of_one_alone() -> None:
    seatings = [order for one in line_ups(NAMES[:2], 4) for order in orders(one)]
    assert sorted(seatings) == sorted(one for one in product(NAMES[:2], repeat=4) if len(set(one)) == 2)


def test_so_many_deals_are_played_that_each_line_up_has_its_games() -> None:
    assert deals_for(["steady", "novice"], 2, 200) == 100
    assert deals_for(["steady", "novice"], 4, 200) == 50  # the line-ups with one of a kind sit in four orders
    assert deals_for(NAMES, 4, 200) == 9
    assert deals_for(NAMES, 2, 1) == 1
