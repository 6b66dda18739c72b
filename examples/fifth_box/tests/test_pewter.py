"""Silver Pewter in a game, in records, with bots, in an environment and in the terminal.

Run these tests where Argentum and this package are installed: `pytest examples/fifth_box/tests`.
"""

import asyncio
import json
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from argentum import Game, bots, records
from argentum.bots.heuristics.abilities import ABILITY_MODELS
from argentum.envs.gym import SilverEnv
from argentum.records import scenario
from argentum.rulebook.lookup import look_up
from argentum.rules.boxes import BOX_BY_NAME, cast_of, deck_code, default_token, random_deck_code
from argentum.rules.boxes.discovery import BoxWarning
from argentum.terminal.run import LocalGameApp
from argentum.terminal.sources.local import LocalSource
from argentum.words.prompts.prompt import prompt

PEWTER = BOX_BY_NAME["pewter"]
DECK = "dpdpdddpddpddp"
MIXES = ["pewter", "apcpbdbpacpbap", "dddpddddddpddd"]
SCENARIOS = [
    case
    for path in scenario.find_scenarios([Path(str(files("argentum_pewter") / "scenarios"))])
    for case in scenario.read_scenarios(path)
]


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.title)
def test_a_scenario_of_the_box_passes(case: scenario.Scenario) -> None:
    assert case.play() == []


def test_every_resident_and_the_token_have_a_scenario() -> None:
    assert {case.title.partition(":")[0] for case in SCENARIOS} == set(PEWTER.own_labels)


def test_the_base_provides_the_other_residents() -> None:
    assert deck_code("pewter") == deck_code("pppppppppppppp") == DECK
    assert default_token(DECK) == "pewter"
    assert [resident.name for resident in PEWTER.own_residents] == [
        "Snuffer", "Ragpicker", "Lamplighter", "Bellringer", "Hermit",
    ]  # fmt: skip
    assert cast_of("pewter").residents[9] is cast_of("dagger").residents[9]


def test_random_decks_have_the_box_only_if_asked_for() -> None:
    codes = {name: "".join([random_deck_code(Random(seed), name) for seed in range(50)]) for name in DECK_NAMES}
    assert {name: "p" in code for name, code in codes.items()} == DECK_NAMES


DECK_NAMES = {"random": False, "random+pewter": True, "random+all": True}


@pytest.mark.parametrize("boxes", MIXES)
@pytest.mark.parametrize("bot", ["novice", "quick", "steady"])
def test_bots_play_a_game_and_its_record_can_be_read(boxes: str, bot: str) -> None:
    game = Game.new(boxes, players=2, seed=5)
    players = {seat: bots.make(bot, seed=index) for index, seat in enumerate(game.seats)}
    while not game.over:
        assert prompt(game.view(game.to_move)).title
        game.play(bots.ask(players[game.to_move], game, game.to_move))
    record = records.write(game)
    assert f"box: pewter p {PEWTER.digest}" in record.splitlines()
    assert records.read(record).totals == game.totals


def test_a_record_says_that_the_rules_have_changed() -> None:
    game = Game.new("pewter", players=2, seed=5)
    record = records.write(game).replace(PEWTER.digest, "0123abcd")
    with pytest.warns(BoxWarning, match="rules of the box 'pewter' have changed"):
        assert records.read(record).cast.code == DECK


def test_a_bot_expects_no_gain_from_an_ability_without_a_model() -> None:
    assert {"P1", "P14"}.isdisjoint(ABILITY_MODELS)


def test_steady_plays_instead_of_a_network_that_does_not_know_the_box() -> None:
    game, bot = Game.new("pewter", players=2, seed=5), bots.make("moon")
    assert not bot.knows_deck(game.cast)
    assert bots.strongest(cast=game.cast) != bots.strongest() == "moon:100"
    with pytest.warns(BoxWarning, match="moon does not know all boxes"):
        move = bots.ask(bot, game, "A")
    assert move == bots.ask(bots.make("steady"), game, "A")
    published = Game.new("dagger", players=2, seed=5)
    assert bot.knows_deck(published.cast)
    assert bots.ask(bot, published, "A") in published.legal("A")


def test_an_environment_plays_the_box() -> None:
    env = SilverEnv(boxes="pewter", opponents=["quick"])
    random = Random(1)
    observation, info = env.reset(seed=1)
    for _ in range(200):
        assert observation in env.observation_space
        action = random.choice([index for index, legal in enumerate(info["action_mask"]) if legal])
        observation, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            observation, info = env.reset()


def test_the_terminal_plays_the_box() -> None:
    async def play() -> str:
        source = LocalSource("Ann", ["novice"], "pewter", seed=3, pause=0.0)
        app = LocalGameApp(source)
        random = Random(1)
        async with app.run_test(size=(120, 40)) as pilot:
            for _ in range(40):
                await pilot.pause(0.02)
                if app.table_state is not None and app.table_state.view is not None and app.table_state.view.legal:
                    app.send_move(str(random.choice(app.table_state.view.legal)))
        assert source.room.game is not None
        return source.room.game.cast.code

    assert asyncio.run(play()) == DECK


def test_the_rulings_of_the_box_can_be_looked_up() -> None:
    assert "Draw ability: look at a facedown card" in look_up("lamplighter")
    assert look_up("P14").startswith("P14: Pewter token")
    assert json.dumps(look_up("pewter"))
