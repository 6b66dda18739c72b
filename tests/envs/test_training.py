"""The example that learns by self-play: a few updates really learn, and what it learned can be kept and played with."""

import importlib
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from argentum.envs.batch import Batch  # noqa: E402

GAMES, STEPS = 4, 400  # so that some rounds end
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def ppo() -> Iterator[ModuleType]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        yield importlib.import_module("train_ppo")
    torch.set_num_threads(threads)


@pytest.fixture
def selfplay(ppo: ModuleType) -> Iterator[Any]:
    torch.manual_seed(1)
    with Batch(GAMES, "dagger", players=2, reward="round") as batch:
        yield ppo.Selfplay(ppo.Net(), batch, 1, "cpu")


def test_advantages_follow_a_seats_own_choices(ppo: ModuleType) -> None:
    """Seats 0, 1, 0, 1 choose, and the round ends with the third choice; the fourth is of the next round."""
    seats = np.array([[0], [1], [0], [1]])
    values = np.array([[0.5], [0.25], [1.0], [3.0]], np.float32)
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[2, 0] = [2, -2]
    ends = np.array([[False], [False], [True], [False]])
    found = ppo.advantages(seats, values, rewards, ends)[:, 0]
    last = 2 - 1.0
    assert found[2] == pytest.approx(last)
    assert found[0] == pytest.approx(1.0 - 0.5 + ppo.TRACE * last)
    assert found[1] == pytest.approx(-2 - 0.25)
    assert math.isnan(found[3])


def test_a_lead_is_worth_as_much_as_the_lag_is_bad(ppo: ModuleType) -> None:
    worth = ppo.worth(np.array([[-3, -20], [-7, -7]], np.float32))
    assert worth[0, 0] == -worth[0, 1] > 0
    assert not worth[1].any()


def test_what_was_played_comes_to_be_foreseen(ppo: ModuleType, selfplay: Any) -> None:
    """Learning from the same steps again and again: what comes of them is foreseen, what was good is liked."""
    net, played = selfplay.net, selfplay.play(STEPS)
    assert 0.9 * STEPS * GAMES <= len(played.actions) < STEPS * GAMES
    chosen_well = played.advantages > played.advantages.mean()
    optimiser = torch.optim.Adam(net.parameters(), ppo.LEARNING_RATE)
    losses = [ppo.learn(net, optimiser, played) for _ in range(2)]
    assert all(math.isfinite(loss) for loss in losses)
    assert losses[-1] < losses[0]
    with torch.no_grad():
        logits, values = net(played.observations, played.masks)
    returns = played.values + played.advantages
    assert (values - returns).square().mean() < (played.values - returns).square().mean() / 2
    likelier = (logits.log_softmax(1).gather(1, played.actions) - played.chances).squeeze(1)
    assert likelier[chosen_well].mean() > likelier[~chosen_well].mean()


def test_only_legal_actions_have_a_chance(selfplay: Any) -> None:
    played = selfplay.play(4)
    with torch.no_grad():
        logits, _ = selfplay.net(played.observations, played.masks)
    assert not logits.softmax(1)[~played.masks].any()


def test_a_run_writes_a_network_that_plays_and_its_curve(
    ppo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ppo, "OPPONENTS", {"random": "black"})
    monkeypatch.setattr(ppo, "STEPS", 8)
    monkeypatch.setattr(ppo, "DEALS", 1)
    monkeypatch.setattr(ppo, "LAST_DEALS", 1)
    monkeypatch.setattr(
        sys, "argv", ["train_ppo.py", "--minutes", "0.001", "--envs", "4", "--out", str(tmp_path / "ppo")]
    )
    ppo.main()
    report = json.loads((tmp_path / "ppo.json").read_text(encoding="utf-8"))
    share, low, high = report["final"]["random"]
    assert 0 <= low <= share <= high <= 1
    assert [point["choices"] for point in report["curve"]] == [0, 8 * 4]
    assert "against random" in (tmp_path / "ppo.svg").read_text(encoding="utf-8")
    net = ppo.Net()
    net.load_state_dict(torch.load(tmp_path / "ppo.pt"))
    assert 0 <= ppo.match(net, "random", "coin", 1, "cpu").mean <= 1  # a box that it has not learned on


@pytest.mark.parametrize(
    ("given", "said"),
    [("--boxes=zinc", "names no deck"), ("--device=abacus", "device"), ("--envs=0", "a game at least")],
)
def test_what_cannot_be_learned_is_said_in_words(
    ppo: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str, said: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["train_ppo.py", given])
    with pytest.raises(SystemExit, match="2"):
        ppo.main()
    assert said in capsys.readouterr().err
