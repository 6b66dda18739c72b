"""Seer: deal sampling, the playout policy, win probabilities and the race."""

import json
from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from argentum import Game
from argentum.bots import ask, make
from argentum.bots.search.deal_sampler import DealSampler
from argentum.bots.search.playout_policy import PlayoutPolicy
from argentum.bots.search.racing import Race, search
from argentum.bots.search.win_probability import win_probability
from argentum.bots.seer import MAX_CANDIDATES, select_candidates
from argentum.bots.steady import SteadyBot, rate_moves
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.deal import deal_next_round
from argentum.rules.engine import Engine
from argentum.rules.move import MOVES
from argentum.rules.scoring import ROUNDS_PER_GAME, winner_seat
from argentum.rules.table import HIGHEST_LOW_NUMBER
from tests.bots.positions import inside, positions


def at(position: Mapping[str, object]) -> Game:
    """A game from a position."""
    return Game.at({"boxes": "dagger", "deck": "6 9 7 10 3 5 12 2 8", "discard": "11", **position})


def test_the_same_seed_and_deals_give_the_same_search() -> None:
    for nth, (game, seat) in enumerate(positions(8, 1, 0.03)):
        moves = game.legal_moves_of(game.seats.index(seat))
        if not game.in_first_look:
            found = [search(game, seat, moves, Random(nth), 3, lambda: False) for _ in range(2)]
            assert found[0] == found[1]


def test_it_calls_what_is_sure_to_win() -> None:
    game = at({"villages": {"A": "0 1", "B": "9^ 10^ 12^ 8^ 11^"}, "seen": {"A": "A1 A2"}})
    assert str(ask(make("seer:30", 1), game, "A")) == "call"


def test_it_does_not_call_what_is_sure_to_lose() -> None:
    game = at({"villages": {"A": "9 11 7 12", "B": "2^ 1^ 3^"}, "seen": {"A": "A1 A2 A3 A4"}})
    assert str(ask(make("seer:30", 1), game, "A")) != "call"


def test_it_leaves_the_first_candidate_only_for_a_better_one() -> None:
    """Exchanging a 1 for a drawn 12 is no better than exchanging a 12; the other way round it is."""
    position = {"deck": "0 9 7 10 3 5", "caller": "B", "villages": {"A": "1 12 2", "B": "5^ 6^ 7^"}}
    game = at(position | {"seen": {"A": "A1 A2 A3"}})
    game.play("draw")
    good, bad = [next(int(move) for move in game.legal() if str(move) == f"exchange A{place}") for place in (2, 1)]
    assert search(game, "A", [good, bad], Random(1), 30, lambda: False)[0] == good
    assert search(game, "A", [bad, good], Random(1), 30, lambda: False)[0] == good


def test_a_search_can_be_stopped() -> None:
    game = at({"villages": {"A": "3 5 2 6", "B": "5 6 7 8"}})
    best, played = search(game, "A", game.legal_moves(), Random(1), 1000, lambda: True)
    assert best in game.legal_moves()
    assert played == len(game.legal_moves())


def test_steadys_move_is_the_first_candidate_and_a_call_is_always_one() -> None:
    for game, seat in positions(9, 2, 0.1):
        found = select_candidates(rate_moves(game.view(seat)))
        assert found[0] == SteadyBot(1).choose(game.view(seat))
        assert len(found) <= MAX_CANDIDATES
        assert len(set(found)) == len(found)
        verbs = [move.verb for move in game.legal(seat)]
        assert "call" not in verbs or "call" in [move.verb for move in found]


def test_a_sample_agrees_with_what_the_seat_knows() -> None:
    random = Random(3)
    for game, seat in positions(10, 4, 0.05):
        me, table = game.seats.index(seat), game.copy_table()
        guesses = DealSampler(game, seat)
        dealt, moves = guesses.sample(random)
        assert Counter(dealt.faces) == Counter(table.faces)
        if moves:
            continue
        for card, face in enumerate(table.faces):
            if table.faceup >> card & 1 or table.seen_by[card] >> me & 1:
                assert dealt.faces[card] == face
            if table.passed_over >> card & 1:
                assert dealt.faces[card] > HIGHEST_LOW_NUMBER


def test_cards_that_owners_keep_are_sampled_low() -> None:
    deck = "0 1 1 2 2 3 3 4 5 6 7 9 9 10 10 11 11 12 12"
    game = at({"deck": deck, "villages": {"A": "5 6", "B": "8 8 8 8"}, "seen": {"B": "B1 B2"}})
    game = Game.resume(f"{game.text()}; turns 20: 19 20")
    guesses, random = DealSampler(game, "A"), Random(1)
    known = unknown = 0
    for _ in range(300):
        faces = guesses.sample(random)[0].faces
        village = game.copy_table().villages[1]
        known += faces[village[0]] + faces[village[1]]
        unknown += faces[village[2]] + faces[village[3]]
    assert known < 0.8 * unknown


def test_a_sample_keeps_high_faces_for_cards_that_were_passed_over() -> None:
    """All high cards but two are seen; C has those two, passed over (D7); what B keeps must not use them up."""
    seen = " ".join([str(number) for number in range(5, 13) for _ in range(4)][2:])
    text = (
        "boxes dddddddddddddd; token dagger A idle; round 1 of 4; turn A; turns 12: 10 11 12;"
        f" A 0:A 1:A; B 1:B 2:B 3:B 4:B 0:B; C 5! 5!; deck 1 1 2 2 2 3 3 3 4 4; discard {seen} 13 13"
    )
    game = Game.resume(text)
    guesses, random = DealSampler(game, "A"), Random(1)
    for _ in range(300):
        dealt, _ = guesses.sample(random)
        assert Counter(dealt.faces) == Counter(game.copy_table().faces)
        assert all([dealt.faces[card] > HIGHEST_LOW_NUMBER for card in dealt.villages[2]])
    assert str(ask(make("seer:50", 1), game, "A")) in [str(move) for move in game.legal()]


def quick_picks(game: Game, seat: str) -> int:
    """What the quick player chooses at a seat."""
    me = game.seats.index(seat)
    return PlayoutPolicy(game.cast).choose_for(game.copy_table(), me, game.legal_moves_of(me))


def test_the_playout_policy_does_not_depend_on_hidden_cards() -> None:
    random = Random(4)
    met = 0
    for game, seat in positions(11, 12, 0.15):
        if not game.in_first_look:
            for _ in range(3):
                assert quick_picks(game.redeal(seat, random), seat) == quick_picks(game, seat)
            met += inside(game)
    assert met > 30


@pytest.mark.parametrize(
    ("position", "before"),
    [
        ({"discard": "?v 8", "villages": {"A": "6 3 9", "B": "5 6 7"}}, ["take"]),
        ({"discard": "?v 8", "deck": "11 3 3", "villages": {"A": "6 3 9", "B": "5 6 7"}}, ["draw", "use"]),
        ({"discard": "8", "villages": {"A": "2^ ? 9", "B": "5 6 7"}}, ["ability A1"]),
    ],
)
def test_the_playout_policy_takes_a_facedown_card_for_any(position: Mapping[str, object], before: list[str]) -> None:
    """A card taken facedown from the pile, one that a Golem would switch, and a Zombie that a Curator might try."""
    picks = set()
    for number in (4, 12):
        whole = {"boxes": "ccccdccccccccc", "deck": "6 9 7 10", "seen": {"A": "A1"}, **position}
        game = Game.at(json.loads(json.dumps(whole).replace("?", str(number))))
        for move in before:
            game.play(move)
        picks.add(quick_picks(game, "A"))
    assert len(picks) == 1


@pytest.mark.parametrize(("private", "wanted"), [("0", "draw private"), ("10", "ability A1")])
def test_with_the_deck_empty_the_playout_policy_weighs_a_blob_against_its_private_deck(
    private: str, wanted: str
) -> None:
    """D10: a Robber lies on the discard pile, which a Blob can use in place of the draw."""
    position = {"boxes": "ddddcdddddddad", "deck": "", "discard": "12", "private": {"A": private}, "seen": {"A": "A2"}}
    game = Game.at({**position, "villages": {"A": "4^ 11", "B": "5 6 7"}})
    assert [str(move) for move in game.legal()] == ["draw private", "take", "ability A1"]
    assert str(MOVES[quick_picks(game, "A")]) == wanted


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_playout_policy_plays_whole_games(players: int) -> None:
    random = Random(players)
    for nth in range(12):
        game = Game.new(random_deck_code(random), players, nth, random.choice(["", *BOX_NAMES]))
        quick = PlayoutPolicy(game.cast)
        while not game.over:
            options = game.legal_moves()
            game.play(options[0] if game.in_first_look else quick.choose(game.copy_table(), options))
        assert game.winner


def test_win_probabilities_add_up_and_are_certain_at_the_end() -> None:
    engine = Game.new("dagger", 3, 2).engine()
    for number in range(1, ROUNDS_PER_GAME + 1):
        engine = Engine(engine.table if number == 1 else deal_next_round(engine.table, None), number)
        engine.rollout(Random(2))
        table = engine.table
        chances = [win_probability(table, seat) for seat in range(3)]
        assert sum(chances) == pytest.approx(1.0, abs=0.3)
        best = max(range(3), key=lambda seat: chances[seat])
        assert table.totals[best] <= min(table.totals) + 3  # a token may be worth that
        if table.round == ROUNDS_PER_GAME:
            assert best == winner_seat(table)


def test_a_race_drops_clearly_worse_candidates() -> None:
    race = Race([1, 2, 3])
    random = Random(1)
    for _ in range(50):
        luck = random.random()
        race.results[1].append(luck)
        race.results[2].append(luck - 0.2 + 0.1 * random.random())
        race.results[3].append(luck + 0.02 * random.random() - 0.01)
    race.drop_losers()
    assert 2 not in race.candidates
    assert set(race.candidates) == {1, 3}
