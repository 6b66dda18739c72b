"""Deals, seatings and games of the arena."""

from collections import Counter
from itertools import product

import pytest

from argentum import Game
from argentum.arena.jobs import ArenaDeal, Job, SeatResult, deals_needed, line_ups, make_deals, play_job, seat_orders
from argentum.bots import ask, make
from argentum.bots.heuristics.ability_model import ability_started_by
from argentum.rules.notation import CALL
from argentum.rules.scoring import LINE_CALL_WON


def without_time(seats: tuple[SeatResult, ...]) -> list[SeatResult]:
    return [seat._replace(seconds=0.0) for seat in seats]


def test_a_deal_depends_only_on_the_seed_and_its_index() -> None:
    two, five = make_deals("random", 3, 2, 7), make_deals("random", 3, 5, 7)
    assert five[:2] == two
    assert len({deal.code for deal in five}) == 5
    assert make_deals("random", 3, 2, 8) != two
    assert make_deals("coin", 3, 1, 7)[0].code == "c" * 14
    assert all(deal.code[8] == "c" for deal in make_deals("random", 2, 9, 7, required_label="C8"))
    assert make_deals("random", 2, 1, 7, token="coin")[0].token == "coin"
    with pytest.raises(ValueError, match="'dager' names no deck"):
        make_deals("dager", 2, 1, 1)


def test_a_job_is_reproducible() -> None:
    deal = make_deals("random", 2, 1, 3)[0]
    first, second = play_job(Job(deal, ("novice", "novice"))), play_job(Job(deal, ("novice", "novice")))
    assert without_time(first) == without_time(second)
    swapped = play_job(Job(deal, ("steady", "novice"))), play_job(Job(deal, ("novice", "steady")))
    assert [[seat.bot for seat in seats] for seats in swapped] == [["steady", "novice"], ["novice", "steady"]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_results_are_consistent_with_the_game(players: int) -> None:
    deal = ArenaDeal("dagger", players, 0, "d" * 14, "", 12)
    seats = play_job(Job(deal, ("steady", "novice", "steady", "random")[:players]))
    game = Game.new("dagger", players, 12)
    assert sorted(seat.rank for seat in seats) == list(range(1, players + 1))
    assert all(seat.points <= other.points for seat in seats for other in seats if seat.rank < other.rank)
    assert sum(seat.calls for seat in seats) <= 4
    assert all(0 <= seat.calls_won <= seat.calls for seat in seats)
    assert all(seat.decisions > 0 < seat.seconds for seat in seats)
    assert {label[0] for seat in seats for label in seat.uses} == {"D"}
    assert game.cast.code == deal.code


def test_calls_ranks_and_uses_are_consistent_with_the_events() -> None:
    """Compare a job's result with counts from the events of the same game, replayed with the same bots."""
    deal = make_deals("random", 2, 1, 1)[0]
    seats = play_job(Job(deal, ("steady", "steady")))
    game = Game.new(deal.code, 2, deal.seed)
    bots = {seat: make("steady", 0) for seat in game.seats}
    calls = dict.fromkeys(game.seats, 0)
    while not game.over:
        seat = game.to_move
        move = ask(bots[seat], game, seat)
        calls[seat] += move == CALL
        label = ability_started_by(game.view(seat), move)
        assert label == "" or move.verb in ("use", "ability", "token", "give", "remove")
        game.play(move, seat)
    assert [seat.calls for seat in seats] == list(calls.values())
    assert [seat.points for seat in seats] == list(game.totals.values())
    assert seats[game.seats.index(game.winner)].rank == 1
    won = [line for number in range(1, 5) for line in game.explain(number) if line.kind == LINE_CALL_WON]
    assert sum(seat.calls_won for seat in seats) == len(won)
    used_events = [event for event in game.events() if event.kind in ("used", "ability", "token", "gave", "removed")]
    direct = [
        count
        for seat in seats
        for label, count in seat.uses.items()
        if label[1:] == "14" or game.cast.residents[int(label[1:])].ability is not None
    ]
    assert 0 < sum(direct) <= len(used_events)


NAMES = ["random", "novice", "steady", "seer"]


@pytest.mark.parametrize(("bots", "players"), list(product([2, 3, 4], repeat=2)))
def test_every_bot_has_every_seat_equally_often(bots: int, players: int) -> None:
    seatings = [order for line_up in line_ups(NAMES[:bots], players) for order in seat_orders(line_up)]
    assert len(set(seatings)) == len(seatings)
    for seat in range(players):
        assert len(set(Counter([seating[seat] for seating in seatings]).values())) == 1
    line_up_sets = {frozenset(seating) for seating in seatings}
    assert all(len(pool) == min(bots, players) for pool in line_up_sets)
    assert set(NAMES[:bots]) == set().union(*line_up_sets)


def test_two_bots_at_four_seats_have_all_seatings_with_both_bots() -> None:
    seatings = [order for line_up in line_ups(NAMES[:2], 4) for order in seat_orders(line_up)]
    assert sorted(seatings) == sorted(seating for seating in product(NAMES[:2], repeat=4) if len(set(seating)) == 2)


def test_enough_deals_are_played_for_the_games_of_each_line_up() -> None:
    assert deals_needed(["steady", "novice"], 2, 200) == 100
    assert deals_needed(["steady", "novice"], 4, 200) == 50  # a line-up with one seat of a bot has four seat orders
    assert deals_needed(NAMES, 4, 200) == 9
    assert deals_needed(NAMES, 2, 1) == 1
