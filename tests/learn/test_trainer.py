"""Training runs: learning, checkpoints, export and the command."""

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

from argentum import Game, bots
from argentum.bots.moon import MoonBot
from argentum.bots.network.files import load_network, predict, required_metadata, write_npz
from argentum.cli import main
from argentum.learn import config as cf
from argentum.learn import imitation
from argentum.learn.models import Actor, cpu_state_dict
from argentum.learn.ppo import Minibatches
from argentum.learn.rollout import RolloutCollector, Stopwatch
from argentum.learn.trainer import CHECKPOINT_FILE, Trainer, read_checkpoint
from argentum.observations.view_writer import write_observation
from argentum.rules.boxes import BOX_NAMES

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


def read_log(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def weights(run: Trainer) -> list[np.ndarray]:
    return [value.detach().numpy() for value in (*run.actor.parameters(), *run.critic.parameters())]


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
    for resumed, expected in zip(weights(part), weights(full), strict=True):
        assert (resumed == expected).all()
    assert part.league.summary() == full.league.summary()
    assert len(full.league.members) == 3
    losses = [line["losses"] for line in read_log(tmp_path / "full") if "losses" in line]
    assert losses == [line["losses"] for line in read_log(tmp_path / "part") if "losses" in line]


def test_imitation_improves_accuracy(tmp_path: Path) -> None:
    games = imitation.to_dataset(imitation.play_task("quick", 1, {"2": 1.0}, {"dagger": 1.0}))
    games.save(tmp_path / "games.npz")
    settings = {
        "dataset": str(tmp_path / "games.npz"),
        "decisions": 1,
        "epochs": 4,
        "minibatch": 32,
        "learning_rate": 3e-3,
    }
    run = make_trainer(tmp_path, imitation=settings)
    run.imitate()
    epochs = [line["imitation"] for line in read_log(tmp_path) if "imitation" in line]
    assert epochs[-1]["policy"] < epochs[0]["policy"] - 0.1
    assert epochs[-1]["accuracy"] > epochs[0]["accuracy"]
    assert [member.name for member in run.league.members] == ["steady"]


def test_self_play_learns_rewarded_actions(tmp_path: Path) -> None:
    """Replace the advantages so that they favour low action numbers, which must become more frequent."""
    run = make_trainer(
        tmp_path,
        decisions=10**9,
        ppo={"minibatch": 64, "critic_warmup_updates": 0, "learning_rate": 3e-3, "entropy_coef": 0.0},
    )
    low_action_fractions = []
    update = run.update

    def update_with_other_advantages(collector: Any, minibatches: Any) -> None:
        def compute_advantages(*arguments: float) -> Any:
            row_indexes, buffer = RolloutCollector.compute_advantages(collector, *arguments), collector.buffer
            low = (buffer.actions < 15).float()
            low_action_fractions.append(float(low.mean()))
            buffer.advantages.copy_(low - low.mean())
            return row_indexes

        collector.compute_advantages = compute_advantages
        update(collector, minibatches)
        run.stopped = run.updates >= 16

    run.update = update_with_other_advantages  # type: ignore[method-assign]
    run.run()
    assert np.mean(low_action_fractions[-3:]) > np.mean(low_action_fractions[:3]) + 0.1


def test_confident_fraction_drops_confident_decisions(tmp_path: Path) -> None:
    run = make_trainer(tmp_path)
    row_counts: list[int] = []
    compute_advantages = RolloutCollector.compute_advantages

    def update(collector: RolloutCollector, minibatches: Minibatches) -> None:
        collector.collect(Stopwatch())
        half = collector.buffer.log_probs[:, 0]
        half.fill_(log(0.5))
        for log_prob, fraction in ((log(0.5), 0.2), (log(0.999), 1.0), (log(0.999), 0.2)):
            collector.buffer.log_probs[:, 1] = log_prob
            row_counts.append(sum([len(rows) for rows in compute_advantages(collector, 0.95, fraction)]))
        run.stopped = True

    run.update = update  # type: ignore[method-assign]
    run.run()
    unsure, full, thinned = row_counts
    assert unsure == full
    assert full / 2 < thinned < 0.8 * full


def test_keep_first_always_plays_the_first_member(tmp_path: Path) -> None:
    run = make_trainer(tmp_path, league={**TINY["league"], "keep_first": True, "active": 2})
    run.run()
    assert len(run.league.members) == 3
    seen = set()
    for _ in range(50):
        run.league.choose_opponents()
        assert run.league.active[0] == 0
        seen.add(run.league.active[1])
    assert seen == {0, 1, 2}
    larger = make_trainer(tmp_path, league={**TINY["league"], "keep_first": True, "active": 3})
    larger.resume(tmp_path / CHECKPOINT_FILE)
    assert len(larger.league.active) == 3
    first = run.league.members[0].weights["action_head.weight"].float()
    assert torch.equal(larger.league.actors[0].action_head.weight, first)


def test_run_that_is_out_of_time_writes_a_checkpoint(tmp_path: Path) -> None:
    run = make_trainer(tmp_path)
    run.run(minutes=1e-9)
    assert (tmp_path / CHECKPOINT_FILE).is_file()
    assert cf.config_from_dict(cf.config_to_dict(run.config)) == run.config


def test_version_1_checkpoint_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / CHECKPOINT_FILE
    file.write_bytes(gzip.decompress((Path(__file__).parent / "checkpoint_v1.pt.gz").read_bytes()))
    config = cf.config_from_dict(read_checkpoint(file)["config"])
    assert (config.decisions, config.games.reward, config.games.per_half) == (64, cf.REWARD_WIN_PROBABILITY, 2)
    assert (config.ppo.learning_rate, config.league.fraction, config.games.decks) == (1e-4, 0.5, {"dagger": 1})
    run = Trainer(replace(config, decisions=128), tmp_path / "run", lambda _: None)
    run.resume(file)
    assert (run.decisions, run.updates, len(run.league.members)) == (64, 2, 2)
    before = weights(run)[0].copy()
    run.run()
    assert run.decisions == 128
    assert not np.array_equal(weights(run)[0], before)
    assert read_log(tmp_path / "run")[0]["update"] == 3


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the exported network of a short run."""
    from argentum.learn.export import export

    folder = tmp_path_factory.mktemp("network")
    make_trainer(folder).run(minutes=1e-9)
    export(folder / CHECKPOINT_FILE, folder / "tiny.npz", "tiny")
    return folder / "tiny.npz"


@pytest.mark.parametrize(("ending", "near"), [(".npz", 5e-3), (".onnx", 1e-4)])
def test_exported_file_has_the_outputs_of_pytorch(network: Path, ending: str, near: float) -> None:
    from argentum.learn.export import actor_from_checkpoint, export
    from argentum.learn.models import select_cards

    _, actor = actor_from_checkpoint(read_checkpoint(network.parent / CHECKPOINT_FILE))
    file = network.with_suffix(ending)
    if not file.exists():
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
        export(network.parent / CHECKPOINT_FILE, file, "tiny")
    bot = MoonBot(1, str(file))
    assert {key: bot.network.metadata[key] for key in required_metadata()} == required_metadata()
    assert bot.network.metadata["name"] == "tiny"
    game = Game.new("amulet", 4, seed=2)
    for _ in range(30):
        row = np.frombuffer(write_observation(game.view(game.to_move)), np.uint8)[None]
        logits, values, beliefs = predict(bot.network, row)
        inputs = select_cards(torch.from_numpy(row.copy()), beliefs.shape[1])
        with torch.no_grad():
            output = actor(inputs.table, inputs.tokens)
        assert logits == pytest.approx(output.logits.numpy(), abs=near)
        assert values == pytest.approx(output.values.numpy(), abs=near)
        assert beliefs == pytest.approx(output.beliefs.numpy(), abs=near)
        game.play(bot.choose(game.view(game.to_move)))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "abcdabcdabcdab"])
def test_exported_network_plays_games_of_every_deck(network: Path, boxes: str, players: int) -> None:
    bot = bots.make(f"moon@{network}", 1)
    game = Game.new(boxes, players, seed=players, rounds=1)
    while not game.over:
        seat = game.to_move
        move = bots.ask(bot, game, seat)
        assert move in game.view(seat).legal
        game.play(move, seat)


def test_network_file_of_another_layout_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    write_npz(
        other,
        {key: value.numpy() for key, value in cpu_state_dict(Actor(16, 1, 2)).items()},
        {**required_metadata(), "layout": "0"},
    )
    with pytest.raises(ValueError, match="export its checkpoint again"):
        bots.make(str(other))
    for ending in (".npz", ".onnx"):
        (tmp_path / f"none{ending}").write_bytes(b"nothing")
        with pytest.raises(ValueError, match="is not a network"):
            bots.make(str(tmp_path / f"none{ending}"))


# The command.


def test_command_trains_resumes_and_exports(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    small = "[network]\nwidth = 16\nheads = 2\ncritic_width = 16\nlayers = 1\n"
    file.write_text(f"processes = 1\nthreads = 1\ndecisions = 64\n[games]\nper_half = 4\nsteps = 8\n{small}")
    run = CliRunner().invoke(main, ["train", "--config", str(file), "--out", str(tmp_path / "run")])
    assert run.exit_code == 0, run.output
    assert "parameters" in run.output
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
    run = CliRunner().invoke(main, ["train", "--out", str(tmp_path), *options])
    assert run.exit_code == 2
    assert message in run.output


@pytest.mark.parametrize("name", cf.PRESETS)
def test_presets_are_valid(name: str) -> None:
    assert cf.load_config(name).name == name


def test_bfloat16_losses_are_close_to_float32(tmp_path: Path) -> None:
    """Test the autocast dtype of CUDA on the CPU."""
    run = make_trainer(tmp_path, network={"width": 32, "layers": 2, "heads": 2, "critic_width": 16})
    games = imitation.to_dataset(imitation.play_task("quick", 2, {"3": 1.0}, {"random": 1.0}))
    rows, _ = run.imitation_batches(imitation.replay_dataset(games, 1))
    batch = rows[0].select(torch.arange(64))
    run.learner.set_schedule(1e-3, entropy_coef=0.01, train_actor=True)
    exact = run.learner.losses(batch)
    run.learner.autocast = lambda: torch.autocast("cpu", torch.bfloat16)
    rough = run.learner.losses(batch)
    for name in ("policy", "value", "actor_value", "belief", "entropy"):
        assert float(rough[name].detach()) == pytest.approx(float(exact[name].detach()), rel=0.03, abs=0.01)
    losses = run.learner.step([batch])
    assert all(value.isfinite() for value in losses.values())


def test_critic_warmup_leaves_the_actor_unchanged(tmp_path: Path) -> None:
    """The value and belief losses of the actor change its shared encoder, so they must wait, too."""
    run = make_trainer(tmp_path)
    games = imitation.to_dataset(imitation.play_task("quick", 2, {"2": 1.0}, {"dagger": 1.0}))
    rows, _ = run.imitation_batches(imitation.replay_dataset(games, 1))
    batch = rows[0].select(torch.arange(64))
    actor, critic = cpu_state_dict(run.actor), cpu_state_dict(run.critic)
    run.learner.set_schedule(1e-2, entropy_coef=0.01, train_actor=False)
    run.learner.step([batch])
    for name, value in cpu_state_dict(run.actor).items():
        assert torch.allclose(value, actor[name], atol=1e-5), name
    assert not torch.allclose(
        cpu_state_dict(run.critic)["value_head.2.weight"], critic["value_head.2.weight"], atol=1e-4
    )


def test_gradients_that_are_not_finite_change_no_weights(tmp_path: Path) -> None:
    """The fused optimizer of a GPU checks `found_inf`; it can run on the CPU, too."""
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
    run = make_trainer(tmp_path)
    run.decisions = run.config.decisions // 4
    run.time_schedule = (run.progress, 0.0, 1.0)  # its deadline has passed
    assert run.progress == 1.0
    run.time_schedule = (0.25, perf_counter(), perf_counter() + 1000)
    assert 0.25 <= run.progress < 0.3
