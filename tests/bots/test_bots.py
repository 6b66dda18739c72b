"""All bots play legally, use only what their seat knows, and can replace a player in any position."""

from collections.abc import Iterable
from importlib.metadata import EntryPoint, EntryPoints
from random import Random

import pytest

from argentum import Game
from argentum.bots import Bot, ask, make, names, not_installed, strongest
from argentum.bots.random import RandomBot
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.views import View

TOKENS = ["", *BOX_NAMES]
SLOW_BOTS = ("seer:1", "moon", "moon:2")  # with the smallest budgets, and tested in fewer positions
POSITION_FACTORS = {"seer:1": 1.0, "moon": 2.0, "moon:2": 0.4}  # multiply the fraction of positions
BOTS = [
    *[name for name in names() if name not in ("seer", "moon")],
    *(SLOW_BOTS if "moon" in names() else SLOW_BOTS[:1]),
]


def play_to_end(game: Game, bots: dict[str, Bot]) -> None:
    while not game.over:
        seat = game.to_move
        game.play(ask(bots[seat], game, seat), seat)


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_plays_whole_games_of_all_boxes_and_mixes(name: str, players: int) -> None:
    random = Random(players)
    codes = [*BOX_NAMES, random_deck_code(random), random_deck_code(random)]
    for index, boxes in enumerate(codes if name not in SLOW_BOTS else [codes[players]]):
        game = Game.new(boxes, players, index, random.choice(TOKENS), rounds=1 if name == SLOW_BOTS[-1] else 4)
        play_to_end(
            game, {seat: make(name if name not in SLOW_BOTS or seat == "A" else "novice", index) for seat in game.seats}
        )
        assert game.over


@pytest.mark.parametrize("name", BOTS)
def test_a_new_bot_chooses_legally_in_any_position(name: str) -> None:
    random = Random(7)
    for index in range(12):
        game = Game.new(random_deck_code(random), random.randint(2, 4), index, random.choice(TOKENS))
        others = {seat: make("novice", index) for seat in game.seats}
        while not game.over and game.round < 3:
            seat = game.to_move
            if random.random() < (1.0 if name not in SLOW_BOTS else 0.05 * POSITION_FACTORS[name]):
                assert ask(make(name, index), game, seat) in game.legal(seat)
            game.play(ask(others[seat], game, seat), seat)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_does_not_depend_on_hidden_cards(name: str) -> None:
    random = Random(11)
    for index in range(14):
        game = Game.new(random_deck_code(random), random.randint(2, 4), index, random.choice(TOKENS))
        bots = {seat: make("novice", index) for seat in game.seats}
        while not game.over and game.round < 3:
            seat = game.to_move
            if random.random() < (0.15 if name not in SLOW_BOTS else 0.03 * POSITION_FACTORS[name]):
                redealt = game.redeal(seat, random)
                assert ask(make(name, index), redealt, seat) == ask(make(name, index), game, seat)
            game.play(ask(bots[seat], game, seat), seat)


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_plays_the_same_with_the_same_seed(name: str) -> None:
    histories = []
    for _ in range(2):
        game = Game.new("coin", 2, 5)
        while not game.over and (name not in SLOW_BOTS or game.turns < 8):
            game.play(ask(make(name, 9), game, game.to_move))
        histories.append(game.history())
    assert histories[0] == histories[1]


@pytest.mark.parametrize("name", ["novice", "quick", "steady", "seer:4"])
def test_bots_do_not_add_floats_with_sum(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sum` rounds floats differently from Python 3.12 on; `math.fsum` gives the same result in every version."""
    builtin_sum = sum

    def sum_of_integers(values: Iterable[int], start: int = 0) -> int:
        integers = list(values)
        assert not [value for value in integers if isinstance(value, float)]
        return builtin_sum(integers, start)

    monkeypatch.setattr("builtins.sum", sum_of_integers)
    for seed, boxes in enumerate([*BOX_NAMES, "abcdabcdabcdab"]):
        game = Game.new(boxes, 2, seed, rounds=1 if ":" in name else 2)
        play_to_end(game, {seat: make(name, seed) for seat in game.seats})


def test_bots_do_not_change_the_view() -> None:
    game = Game.new("bullet", 2, 3)
    for name in names():
        view = game.view(game.to_move)
        make(name, 1).choose(view)
        assert view == game.view(game.to_move)
        assert isinstance(view, View)


def test_an_unknown_bot_is_refused_with_the_list_of_bots() -> None:
    with pytest.raises(ValueError, match="no bot 'champion': the bots are random, novice, quick, steady, seer"):
        make("champion")
    with pytest.raises(ValueError, match="novice takes no budget"):
        make("novice:3")


def test_a_bot_of_another_package_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_points = EntryPoints([EntryPoint("chaos", "argentum.bots.random:RandomBot", "argentum.bots")])
    monkeypatch.setattr("argentum.bots.entry_points", lambda **options: entry_points.select(**options))
    assert [name for name in names() if name != "moon"] == ["random", "novice", "quick", "steady", "seer", "chaos"]
    assert isinstance(make("chaos", 3), RandomBot)


def test_every_bot_has_a_name_and_a_one_line_summary() -> None:
    for name in names():
        bot = make(name)
        assert bot.name == name
        assert bot.summary
        assert "\n" not in bot.summary


def test_the_strongest_is_moon_or_seer_if_packages_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    if "moon" in names():
        assert strongest() == "moon:100"
        assert strongest(may_search=False) == "moon"
        assert (strongest(3), strongest(4)) == ("moon", "moon")
    monkeypatch.setattr("argentum.bots.moon.find_spec", lambda _: None)
    assert "moon" not in names()
    assert (strongest(), strongest(3), strongest(may_search=False)) == ("seer:150", "steady", "steady")
    with pytest.raises(ValueError, match="moon needs NumPy, which is not installed: pip install numpy"):
        make("moon")
    with pytest.raises(ValueError, match=r"no bot 'champion': .*, seer; moon needs NumPy, .*: pip install"):
        make("champion")
    assert list(not_installed()) == ["moon"]
    monkeypatch.setattr("sys.platform", "emscripten")
    assert strongest() == "steady"
    assert not_installed() == {}
