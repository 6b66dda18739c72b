"""Training runs that take seconds, for tests."""

from pathlib import Path
from typing import Any

from argentum.learn import config as cf
from argentum.learn.trainer import Trainer

TINY: dict[str, Any] = {
    "processes": 1,
    "threads": 1,
    "decisions": 8 * 2 * 4 * 8,
    "games": {"per_half": 8, "steps": 8, "players": {"2": 1, "3": 1}, "decks": {"random": 1}, "bots": {"quick": 0.25}},
    "network": {"width": 16, "layers": 1, "heads": 2, "critic_width": 16},
    "ppo": {"minibatch": 64, "critic_warmup_updates": 1},
    "league": {"interval": 200, "size": 3, "rotate_every": 2},
}


def make_trainer(folder: Path, **changes: Any) -> Trainer:
    return Trainer(cf.config_from_dict({**TINY, **changes}), folder, lambda _: None)
