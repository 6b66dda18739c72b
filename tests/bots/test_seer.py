"""How seer thinks: its guesses, its quick player, its prospects, and what comes of them."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.guessing import Guesses
from argentum.bots.prospects import prospect
from argentum.bots.quick import Quick
from argentum.bots.search import Race, search
from argentum.bots.seer import MOST, candidates
from argentum.bots.steady import SteadyBot
from argentum.rules.boxes import random_code
from argentum.rules.positions import read_position
from argentum.rules.residents import BOXES
from argentum.rules.scoring import ROUNDS
from argentum.rules.table import LOW
from tests.bots.test_imagined import positions


def at(position: Mapping[str, object]) -> Game:
    """A game from a position."""
    return Game.at(read_position({"boxes": "dagger", "deck": "6 9 7 10 3 5 12 2 8", "discard": "11", **position}))


def test_the_same_seed_and_deals_give_the_same_search() -> None:
    for nth, (game, seat) in enumerate(positions(8, 1, 0.03)):
        moves = game.choices_of(game.seats.index(seat))
        if not game.table.looking:
            found = [search(game, seat, moves, Random(nth), 3, lambda: False) for _ in range(2)]
            assert found[0] == found[1]


def test_it_calls_what_is_sure_to_win() -> None:
    game = at({"villages": {"A": "0 1", "B": "9^ 10^ 12^ 8^ 11^"}, "seen": {"A": "A1 A2"}})
    assert str(ask(make("seer:30", 1), game, "A")) == "call"


def test_it_does_not_call_what_is_sure_to_lose() -> None:
    game = at({"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": "A1 A2 A3 A4"}})
    assert str(ask(make("seer:30", 1), game, "A")) != "call"


def test_it_departs_from_the_move_at_hand_only_for_a_better_one() -> None:
    """Exchanging a 1 for a drawn 12 is no better than exchanging a 12; the other way round it is."""
    position = {"deck": "0 9 7 10 3 5", "caller": "B", "villages": {"A": "1 12 2", "B": "5^ 6^ 7^"}}
    game = at(position | {"seen": {"A": "A1 A2 A3"}})
    game.play("draw")
    good, bad = [next(int(move) for move in game.legal() if str(move) == f"exchange A{place}") for place in (2, 1)]
    assert search(game, "A", [good, bad], Random(1), 30, lambda: False)[0] == good
    assert search(game, "A", [bad, good], Random(1), 30, lambda: False)[0] == good


def test_a_search_ends_when_told() -> None:
    game = at({"villages": {"A": "3 5 2 6", "B": "5 6 7 8"}})
    best, played = search(game, "A", game.choices(), Random(1), 1000, lambda: True)
    assert best in game.choices()
    assert played == len(game.choices())


def test_steadys_move_is_the_first_candidate_and_a_call_is_always_one() -> None:
    for game, seat in positions(9, 2, 0.1):
        steady = SteadyBot(1)
        found = candidates(steady.rated(game.view(seat)))
        assert found[0] == SteadyBot(1).choose(game.view(seat))
        assert len(found) <= MOST
        assert len(set(found)) == len(found)
        verbs = [move.verb for move in game.legal(seat)]
        assert "call" not in verbs or "call" in [move.verb for move in found]


def test_a_guess_agrees_with_what_the_seat_knows() -> None:
    random = Random(3)
    for game, seat in positions(10, 4, 0.05):
        me, table = game.seats.index(seat), game.table
        guesses = Guesses(game, seat)
        dealt, moves = guesses.deal(random)
        assert Counter(dealt.faces) == Counter(table.faces)
        if moves or not table.at_rest:
            continue
        for card, face in enumerate(table.faces):
            if table.up[card] or table.seen[card] >> me & 1:
                assert dealt.faces[card] == face
            if table.passed >> card & 1:
                assert dealt.faces[card] > LOW


def test_what_an_owner_has_kept_is_guessed_to_be_low() -> None:
    deck = "0 1 1 2 2 3 3 4 5 6 7 9 9 10 10 11 11 12 12"
    game = at({"deck": deck, "villages": {"A": "5 6", "B": "8 8 8 8"}, "seen": {"B": "B1 B2"}})
    game.table.finished = 20
    guesses, random = Guesses(game, "A"), Random(1)
    known = unknown = 0
    for _ in range(300):
        faces = guesses.deal(random)[0].faces
        village = game.table.villages[1]
        known += faces[village[0]] + faces[village[1]]
        unknown += faces[village[2]] + faces[village[3]]
    assert known < 0.8 * unknown


def test_the_quick_player_does_not_look_at_what_its_seat_cannot_know() -> None:
    random = Random(4)
    for game, seat in positions(11, 8, 0.15):
        if game.table.at_rest and not game.table.looking:
            me = game.seats.index(seat)
            quick = Quick(game.table.cast)
            other = game.redeal(seat, random)
            assert quick.pick(other.table, me, other.options) == quick.pick(game.table, me, game.options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_quick_player_plays_whole_games(players: int) -> None:
    random = Random(players)
    for nth in range(12):
        game = Game.new(random_code(random), players, nth, random.choice(["", *BOXES]))
        quick = Quick(game.table.cast)
        while not game.over:
            game.play(game.options[0] if game.table.looking else quick.choose(game.table, game.options))
        assert game.winner


def test_prospects_are_chances_and_at_the_end_certain() -> None:
    game = Game.new("dagger", 3, 2)
    game.roll_out(Random(2))
    for table in game.finished:
        chances = [prospect(table, seat) for seat in range(3)]
        assert sum(chances) == pytest.approx(1.0, abs=0.3)
        best = max(range(3), key=lambda seat: chances[seat])
        assert table.totals[best] <= min(table.totals) + 3  # a token may be worth that
        if table.round == ROUNDS:
            assert "ABC"[best] == game.winner


def test_a_race_drops_who_falls_behind_and_keeps_who_may_be_best() -> None:
    race = Race([1, 2, 3])
    random = Random(1)
    for _ in range(50):
        luck = random.random()
        race.results[1].append(luck)
        race.results[2].append(luck - 0.2 + 0.1 * random.random())
        race.results[3].append(luck + 0.02 * random.random() - 0.01)
    race.drop()
    assert 2 not in race.candidates
    assert set(race.candidates) == {1, 3}
