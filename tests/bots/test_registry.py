"""Bots made by name: by module and class or by network file; invalid names are refused."""

import pytest

from argentum import Game, bots
from argentum.commands._params import BotNameParam, InvalidInput


def test_a_bot_is_named_by_module_and_class() -> None:
    bot = bots.make("argentum.bots.steady:SteadyBot", 3)
    assert bot.name == "steady"
    game = Game.new("dagger", 2, seed=1)
    assert bots.ask(bot, game, "A") in game.view("A").legal


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("no.such.module:Clever", "No module named 'no'"),
        ("argentum.bots.steady:Clever", "has no class Clever"),
        ("argentum.bots.steady:rate_moves", "that is an argentum.bots.Bot"),
        ("missing.onnx", "there is no file missing.onnx"),
        ("moon@missing.onnx", "there is no file missing.onnx"),
        ("seer:x", "'x' is not a budget"),
        ("stedy", "there is no bot 'stedy'"),
        ("bots/clever.py:Clever", r"such as clever:Clever, with the folder of clever\.py on PYTHONPATH"),
        ("./clever.py", "module and class, such as clever:MyBot"),
        (r"C:\bots\clever.py:Clever", "such as clever:Clever"),
    ],
)
def test_invalid_names_are_refused_with_an_explanation(name: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        bots.make(name)


def test_names_of_bots_ignore_case_but_class_paths_do_not() -> None:
    assert BotNameParam().convert("Steady", None, None) == "steady"
    assert BotNameParam().convert("argentum.bots.steady:SteadyBot", None, None) == "argentum.bots.steady:SteadyBot"
    with pytest.raises(InvalidInput, match="Did you mean 'steady'"):
        BotNameParam().convert("stedy", None, None)
