"""Training runs: learning, checkpoints and the command `argentum train`."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from math import log
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from argentum.bots.network.files import load_network
from argentum.cli import main
from argentum.learn import config as cf
from argentum.learn import imitation
from argentum.learn.models import cpu_state_dict
from argentum.learn.ppo import Minibatches
from argentum.learn.rollout import RolloutCollector, Stopwatch
from argentum.learn.trainer import CHECKPOINT_FILE, Trainer, read_checkpoint, tensorboard_scalars
from tests.learn.tiny_runs import TINY, make_trainer


def read_log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def network_weights(trainer: Trainer) -> list[np.ndarray]:
    return [value.detach().numpy() for value in (*trainer.actor.parameters(), *trainer.critic.parameters())]


def test_tensorboard_has_the_names_of_stable_baselines3() -> None:
    metrics = {
        "update": 3,
        "decisions_per_second": 1000,
        "losses": {"policy": 0.5, "value": 0.25, "entropy": 2.0, "loss": 0.1, "approx_kl": 0.01},
        "held_out": {"policy": 0.75},
        "league": {"1.0 M": -0.5},
        "checkpoint": "file.pt",
    }
    assert tensorboard_scalars(metrics) == {
        "time/iterations": 3,
        "time/fps": 1000,
        "train/policy_gradient_loss": 0.5,
        "train/value_loss": 0.25,
        "train/entropy_loss": -2.0,
        "train/loss": 0.1,
        "train/approx_kl": 0.01,
        "eval/policy_gradient_loss": 0.75,
        "rollout/league/1.0 M": -0.5,
    }


def test_resumed_run_ends_with_the_same_weights(tmp_path: Path) -> None:
    full = make_trainer(tmp_path / "full")
    full.run()
    part = make_trainer(tmp_path / "part")
    part.run(minutes=1e-9)
    assert part.updates == 0
    while part.updates < full.updates:
        resumed_run = make_trainer(tmp_path / "part")
        resumed_run.resume(tmp_path / "part" / CHECKPOINT_FILE)
        update = resumed_run.update

        def update_once(
            collector: Any, minibatches: Any, update: Callable[..., None] = update, resumed_run: Trainer = resumed_run
        ) -> None:
            update(collector, minibatches)
            resumed_run.stopped = resumed_run.updates % 3 == 0

        resumed_run.update = update_once  # type: ignore[method-assign]
        resumed_run.run()
        part = resumed_run
    assert part.decisions == full.decisions == TINY["decisions"]
    for resumed, expected in zip(network_weights(part), network_weights(full), strict=True):
        assert (resumed == expected).all()
    assert part.league.summary() == full.league.summary()
    assert len(full.league.members) == 3
    losses = [line["losses"] for line in read_log(tmp_path / "full") if "losses" in line]
    assert losses == [line["losses"] for line in read_log(tmp_path / "part") if "losses" in line]


def test_imitation_improves_accuracy(tmp_path: Path) -> None:
    games = imitation.to_dataset(imitation.play_games("quick", 1, {"2": 1.0}, {"dagger": 1.0}))
    games.save(tmp_path / "games.npz")
    settings = {
        "dataset": str(tmp_path / "games.npz"),
        "decisions": 1,
        "epochs": 4,
        "minibatch": 32,
        "learning_rate": 3e-3,
    }
    trainer = make_trainer(tmp_path, imitation=settings)
    trainer.imitate()
    epochs = [line["imitation"] for line in read_log(tmp_path) if "imitation" in line]
    assert epochs[-1]["policy"] < epochs[0]["policy"] - 0.1
    assert epochs[-1]["accuracy"] > epochs[0]["accuracy"]
    assert [member.name for member in trainer.league.members] == ["steady"]


def test_self_play_learns_rewarded_actions(tmp_path: Path) -> None:
    """With advantages that favour low action numbers, low actions must become more frequent."""
    trainer = make_trainer(
        tmp_path,
        decisions=10**9,
        ppo={"minibatch": 64, "critic_warmup_updates": 0, "learning_rate": 3e-3, "entropy_coef": 0.0},
    )
    low_action_fractions = []
    update = trainer.update

    def update_with_other_advantages(collector: Any, minibatches: Any) -> None:
        def compute_advantages(*arguments: float) -> Any:
            row_indexes, buffer = RolloutCollector.compute_advantages(collector, *arguments), collector.buffer
            low = (buffer.actions < 15).float()
            low_action_fractions.append(float(low.mean()))
            buffer.advantages.copy_(low - low.mean())
            return row_indexes

        collector.compute_advantages = compute_advantages
        update(collector, minibatches)
        trainer.stopped = trainer.updates >= 16

    trainer.update = update_with_other_advantages  # type: ignore[method-assign]
    trainer.run()
    assert np.mean(low_action_fractions[-3:]) > np.mean(low_action_fractions[:3]) + 0.1


def test_confident_fraction_drops_confident_decisions(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    row_counts: list[int] = []
    compute_advantages = RolloutCollector.compute_advantages

    def update(collector: RolloutCollector, minibatches: Minibatches) -> None:
        collector.collect(Stopwatch())
        half = collector.buffer.log_probs[:, 0]
        half.fill_(log(0.5))
        for log_prob, fraction in ((log(0.5), 0.2), (log(0.999), 1.0), (log(0.999), 0.2)):
            collector.buffer.log_probs[:, 1] = log_prob
            row_counts.append(sum([len(rows) for rows in compute_advantages(collector, 0.95, fraction)]))
        trainer.stopped = True

    trainer.update = update  # type: ignore[method-assign]
    trainer.run()
    unsure, full, thinned = row_counts
    assert unsure == full
    assert full / 2 < thinned < 0.8 * full


def test_keep_first_always_plays_the_first_member(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path, league={**TINY["league"], "keep_first": True, "active": 2})
    trainer.run()
    assert len(trainer.league.members) == 3
    seen = set()
    for _ in range(50):
        trainer.league.choose_opponents()
        assert trainer.league.active[0] == 0
        seen.add(trainer.league.active[1])
    assert seen == {0, 1, 2}
    larger_trainer = make_trainer(tmp_path, league={**TINY["league"], "keep_first": True, "active": 3})
    larger_trainer.resume(tmp_path / CHECKPOINT_FILE)
    assert len(larger_trainer.league.active) == 3
    first = trainer.league.members[0].weights["action_head.weight"].float()
    assert torch.equal(larger_trainer.league.actors[0].action_head.weight, first)


def test_run_that_is_out_of_time_writes_a_checkpoint(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    trainer.run(minutes=1e-9)
    assert (tmp_path / CHECKPOINT_FILE).is_file()
    assert cf.config_from_dict(cf.config_to_dict(trainer.config)) == trainer.config


def test_version_1_checkpoint_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / CHECKPOINT_FILE
    file.write_bytes(gzip.decompress((Path(__file__).parent / "checkpoint_v1.pt.gz").read_bytes()))
    config = cf.config_from_dict(read_checkpoint(file)["config"])
    assert (config.decisions, config.games.reward, config.games.per_half) == (64, cf.REWARD_WIN_PROBABILITY, 2)
    assert (config.ppo.learning_rate, config.league.fraction, config.games.decks) == (1e-4, 0.5, {"dagger": 1})
    trainer = Trainer(replace(config, decisions=128), tmp_path / "run", lambda _: None)
    trainer.resume(file)
    assert (trainer.decisions, trainer.updates, len(trainer.league.members)) == (64, 2, 2)
    before = network_weights(trainer)[0].copy()
    trainer.run()
    assert trainer.decisions == 128
    assert not np.array_equal(network_weights(trainer)[0], before)
    assert read_log(tmp_path / "run")[0]["update"] == 3


# The command.


def test_command_trains_resumes_and_exports(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    small = "[network]\nwidth = 16\nheads = 2\ncritic_width = 16\nlayers = 1\n"
    file.write_text(f"processes = 1\nthreads = 1\ndecisions = 64\n[games]\nper_half = 4\nsteps = 8\n{small}")
    trained = CliRunner().invoke(main, ["train", "--config", str(file), "--out", str(tmp_path / "run")])
    assert trained.exit_code == 0, trained.output
    assert "parameters" in trained.output
    checkpoint = tmp_path / "run" / CHECKPOINT_FILE
    more = ["--out", str(tmp_path / "run"), "--set", "decisions=128"]
    resumed = CliRunner().invoke(main, ["train", "--resume", str(checkpoint), *more])
    assert resumed.exit_code == 0, resumed.output
    assert read_log(tmp_path / "run")[-1]["decisions"] == 128
    exported = CliRunner().invoke(main, ["train", "--resume", str(checkpoint), "--export", str(tmp_path / "net.npz")])
    assert exported.exit_code == 0, exported.output
    assert load_network(str(tmp_path / "net.npz")).metadata["decisions"] == "128"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "Name a configuration"),
        (["--config", "huge"], "No such file"),
        (["--config", "small", "--set", "ppo.speed=3"], "There is no setting 'ppo.speed'"),
        (["--config", "small", "--set", "ppo.learning_rate=fast"], "'ppo.learning_rate' is 'fast'"),
        (["--config", "small", "--set", "games.decks={gold=1}"], "gold"),
        (["--config", "small", "--set", "ppo.rate=1e-4"], "'ppo.rate' is now called 'ppo.learning_rate'"),
        (["--config", "small", "--set", "nothing"], "changes nothing"),
        (["--config", "small", "--set", "network.width=0"], "'network.width' is 0: it should be above 0"),
        (["--config", "small", "--set", "imitation.bot=nobody"], "There is no bot 'nobody'"),
        (["--config", "small", "--set", "device=tpu"], "There is no device 'tpu' for PyTorch here"),
        (["--config", "small", "--set", "league.keep_first=true", "--set", "league.active=1"], "must be 2 or more"),
        (["--export", "file.onnx"], "--export needs --resume"),
        (["--config", "small", "--resume", "pyproject.toml"], "is not a checkpoint"),
        (["--resume", "nowhere.pt"], "Error: nowhere.pt: No such file"),
        (["--config", "small", "--out", "pyproject.toml/run"], "Error: pyproject.toml/run: Not a directory"),
        (["--config", "small", "--set", "imitation.dataset=nowhere.npz"], "Error: nowhere.npz: No such file"),
        (["--config", "small", "--fresh-games"], "--fresh-games needs --resume"),
    ],
)
def test_invalid_options_are_explained(options: list[str], message: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["train", "--out", str(tmp_path), *options])
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize("name", cf.PRESETS)
def test_presets_are_valid(name: str) -> None:
    assert cf.load_config(name).name == name


def test_bfloat16_losses_are_close_to_float32(tmp_path: Path) -> None:
    """Run autocast on the CPU with the dtype that training uses on CUDA."""
    trainer = make_trainer(tmp_path, network={"width": 32, "layers": 2, "heads": 2, "critic_width": 16})
    games = imitation.to_dataset(imitation.play_games("quick", 2, {"3": 1.0}, {"random": 1.0}))
    batches, _ = trainer.imitation_batches(imitation.replay_dataset(games, 1))
    batch = batches[0].select(torch.arange(64))
    trainer.learner.set_schedule(1e-3, entropy_coef=0.01, train_actor=True)
    float32_losses = trainer.learner.compute_losses(batch)
    trainer.learner.autocast = lambda: torch.autocast("cpu", torch.bfloat16)
    bfloat16_losses = trainer.learner.compute_losses(batch)
    for name in ("policy", "value", "actor_value", "belief", "entropy"):
        assert float(bfloat16_losses[name].detach()) == pytest.approx(
            float(float32_losses[name].detach()), rel=0.03, abs=0.01
        )
    losses = trainer.learner.step([batch])
    assert all(value.isfinite() for value in losses.values())


def test_critic_warmup_leaves_the_actor_unchanged(tmp_path: Path) -> None:
    """The value and belief losses of the actor would change its shared encoder, so they must not count, either."""
    trainer = make_trainer(tmp_path)
    games = imitation.to_dataset(imitation.play_games("quick", 2, {"2": 1.0}, {"dagger": 1.0}))
    batches, _ = trainer.imitation_batches(imitation.replay_dataset(games, 1))
    batch = batches[0].select(torch.arange(64))
    actor, critic = cpu_state_dict(trainer.actor), cpu_state_dict(trainer.critic)
    trainer.learner.set_schedule(1e-2, entropy_coef=0.01, train_actor=False)
    trainer.learner.step([batch])
    for name, value in cpu_state_dict(trainer.actor).items():
        assert torch.allclose(value, actor[name], atol=1e-5), name
    assert not torch.allclose(
        cpu_state_dict(trainer.critic)["value_head.2.weight"], critic["value_head.2.weight"], atol=1e-4
    )


def test_gradients_that_are_not_finite_change_no_weights(tmp_path: Path) -> None:
    """Test the fused optimizer of a GPU, which checks `found_inf`, on the CPU."""
    learner = make_trainer(tmp_path).learner
    learner.fused, learner.optimizer = True, torch.optim.AdamW(learner.parameters, 1e-3, fused=True)
    before = [parameter.detach().clone() for parameter in learner.parameters]
    for norm in (float("nan"), 1.0):
        for parameter in learner.parameters:
            parameter.grad = torch.full_like(parameter, norm)
        learner.apply_gradients(torch.tensor(norm))
        same = [torch.equal(after, old) for after, old in zip(learner.parameters, before, strict=True)]
        assert all(same) if norm != norm else not any(same)


def test_finish_ends_the_schedules_when_the_time_is_up(tmp_path: Path) -> None:
    trainer = make_trainer(tmp_path)
    trainer.decisions = trainer.config.decisions // 4
    trainer.time_schedule = (trainer.progress, 0.0, 1.0)  # its deadline has passed
    assert trainer.progress == 1.0
    trainer.time_schedule = (0.25, perf_counter(), perf_counter() + 1000)
    assert 0.25 <= trainer.progress < 0.3
