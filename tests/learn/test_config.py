"""Settings of training runs: invalid and renamed ones are refused."""

import re
from pathlib import Path

import pytest

from argentum.learn import config as cf
from argentum.rules.boxes import BOX_NAMES


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("network.width=0", "'network.width' is 0: it should be above 0"),
        ("network.heads=0", "'network.heads' is 0: it should be above 0"),
        ("network.layers=-1", "'network.layers' is -1: it should be above 0"),
        ("games.steps=0", "'games.steps' is 0: it should be above 0"),
        ("ppo.learning_rate=nan", "'ppo.learning_rate' is nan: it should be above 0"),
        ("ppo.confident_fraction=0", "'ppo.confident_fraction' is 0.0: it should be above 0"),
        ("ppo.confident_fraction=2", "'ppo.confident_fraction' is 2.0: it should be at most 1"),
        ("league.fraction=-0.1", "'league.fraction' is -0.1: it should not be below 0"),
        ("games.players={2=-1}", "'games.players.2' is -1: it should not be below 0"),
        ("games.players={2=0}", "'games.players' has no weights: give one a number above 0"),
        ("games.decks={all=-1}", "'games.decks.all' is -1: it should not be below 0"),
        ("games.decks={}", "'games.decks' has no weights: give one a number above 0"),
        ("games.bots={quick='often'}", "'games.bots.quick' is 'often': it should be a weight, such as 1"),
        ("games.bots={nobody=0.1}", "there is no bot 'nobody'"),
        ("network=3", "'network' is 3: it has settings of its own: width, "),
        ("ppo.clip=0.1", "the setting 'ppo.clip' is now called 'ppo.clip_range'"),
        ("games.reward=chance", "the reward 'chance' is now called 'win_probability'"),
    ],
)
def test_invalid_settings_are_explained(override: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        cf.load_config("small", [override])


@pytest.mark.parametrize("preset", cf.PRESETS)
def test_presets_train_on_every_box_and_on_random_decks(preset: str) -> None:
    assert cf.load_config(preset).games.decks == {**dict.fromkeys(BOX_NAMES, 1), "random": 4}


def test_a_weight_of_all_boxes_can_be_changed_for_one() -> None:
    config = cf.load_config("small", ["games.decks={all=2,dagger=1}"])
    assert config.games.decks == {**dict.fromkeys(BOX_NAMES, 2), "dagger": 1}


@pytest.mark.parametrize(("old", "new"), cf.RENAMED_SETTINGS.items())
def test_old_setting_names_in_a_file_are_refused_with_the_new_name(old: str, new: str, tmp_path: Path) -> None:
    section, _, name = old.rpartition(".")
    file = tmp_path / "old.toml"
    file.write_text(f"[{section}]\n{name} = 1\n" if section else f"{name} = 1\n")
    with pytest.raises(ValueError, match=f"'{old}' is now called '{new}'"):
        cf.load_config(str(file))
    current: object = cf.config_to_dict(cf.TrainingConfig())
    for part in new.split("."):
        assert isinstance(current, dict)
        current = current[part]
