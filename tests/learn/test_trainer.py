"""Training runs: they learn, stop, resume, and their networks play."""

import json
from collections.abc import Callable
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
from argentum.learn.trainer import CHECKPOINT_FILE, Trainer
from argentum.observations.view_writer import write_observation
from argentum.rules.boxes import BOX_NAMES

TINY: dict[str, Any] = {
    "processes": 1,
    "threads": 1,
    "choices": 8 * 2 * 4 * 8,
    "games": {"games": 8, "steps": 8, "seats": {"2": 1, "3": 1}, "boxes": {"random": 1}, "bots": {"quick": 0.25}},
    "network": {"width": 16, "layers": 1, "heads": 2, "critic_width": 16},
    "ppo": {"minibatch": 64, "critic_first": 1},
    "league": {"every": 200, "size": 3, "hold": 2},
}


def trainer(folder: Path, **changes: Any) -> Trainer:
    return Trainer(cf.config_from_dict({**TINY, **changes}), folder, lambda _: None)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def weights(one: Trainer) -> list[np.ndarray]:
    return [value.detach().numpy() for value in (*one.actor.parameters(), *one.critic.parameters())]


def test_a_run_that_is_resumed_ends_just_as_one_that_was_not(tmp_path: Path) -> None:
    whole = trainer(tmp_path / "whole")
    whole.run()
    part = trainer(tmp_path / "part")
    part.run(minutes=1e-9)
    assert part.updates == 0
    while part.updates < whole.updates:
        again = trainer(tmp_path / "part")
        again.resume(tmp_path / "part" / CHECKPOINT_FILE)
        update = again.update

        def once(collector: Any, lesson: Any, update: Callable[..., None] = update, again: Trainer = again) -> None:
            update(collector, lesson)
            again.stopped = again.updates % 3 == 0

        again.update = once  # type: ignore[method-assign]
        again.run()
        part = again
    assert part.decisions == whole.decisions == TINY["choices"]
    for one, other in zip(weights(part), weights(whole), strict=True):
        assert (one == other).all()
    assert part.league.summary() == whole.league.summary()
    assert len(whole.league.members) == 3
    named = [line["losses"] for line in lines(tmp_path / "whole") if "losses" in line]
    assert named == [line["losses"] for line in lines(tmp_path / "part") if "losses" in line]


def test_imitation_agrees_more_and_more(tmp_path: Path) -> None:
    games = imitation.to_dataset(imitation.play_task("quick", 1, {"2": 1.0}, {"dagger": 1.0}))
    games.save(tmp_path / "games.npz")
    told = {"games": str(tmp_path / "games.npz"), "choices": 1, "passes": 4, "minibatch": 32, "rate": 3e-3}
    run = trainer(tmp_path, imitation=told)
    run.imitate()
    passes = [line["imitation"] for line in lines(tmp_path) if "imitation" in line]
    assert passes[-1]["policy"] < passes[0]["policy"] - 0.1
    assert passes[-1]["agreed"] > passes[0]["agreed"]
    assert [member.name for member in run.league.members] == ["steady"]


def test_self_play_learns_what_is_rewarded(tmp_path: Path) -> None:
    """With a reward for acting early in the list of moves, it learns just that: the loop works from end to end."""
    run = trainer(tmp_path, choices=10**9, ppo={"minibatch": 64, "critic_first": 0, "rate": 3e-3, "entropy": 0.0})
    rows = []
    update = run.update

    def some(collector: Any, lesson: Any) -> None:
        judge = RolloutCollector.compute_advantages

        def rewarded(*told: float) -> Any:
            found, stored = judge(collector, *told), collector.stored
            low = (stored.actions < 15).float()
            rows.append(float(low.mean()))
            stored.advantages.copy_(low - low.mean())
            return found

        collector.judge = rewarded
        update(collector, lesson)
        run.stopped = run.updates >= 16

    run.update = some  # type: ignore[method-assign]
    run.run()
    assert np.mean(rows[-3:]) > np.mean(rows[:3]) + 0.1


def test_of_choices_that_were_sure_few_are_learned_from(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    found: list[int] = []
    judge = RolloutCollector.compute_advantages

    def look(collector: RolloutCollector, lesson: Minibatches) -> None:
        collector.collect(Stopwatch())
        half = collector.buffer.log_probs[:, 0]
        half.fill_(log(0.5))
        for sure, share in ((log(0.5), 0.2), (log(0.999), 1.0), (log(0.999), 0.2)):
            collector.buffer.log_probs[:, 1] = sure
            found.append(sum([len(rows) for rows in judge(collector, 0.95, share)]))
        run.stopped = True

    run.update = look  # type: ignore[method-assign]
    run.run()
    unsure, whole, thinned = found
    assert unsure == whole
    assert whole / 2 < thinned < 0.8 * whole


def test_the_first_of_the_league_may_always_be_played_against(tmp_path: Path) -> None:
    run = trainer(tmp_path, league={**TINY["league"], "first": True, "at_once": 2})
    run.run()
    assert len(run.league.members) == 3
    seen = set()
    for _ in range(50):
        run.league.choose_opponents()
        assert run.league.active[0] == 0
        seen.add(run.league.active[1])
    assert seen == {0, 1, 2}
    more = trainer(tmp_path, league={**TINY["league"], "first": True, "at_once": 3})
    more.resume(tmp_path / CHECKPOINT_FILE)
    assert len(more.league.active) == 3
    first = run.league.members[0].weights["plain.weight"].float()
    assert torch.equal(more.league.actors[0].action_head.weight, first)


def test_a_run_stops_in_time_with_a_checkpoint_and_goes_on_elsewhere(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(minutes=1e-9)
    assert (tmp_path / CHECKPOINT_FILE).is_file()
    told = cf.config_to_dict(run.config)
    assert cf.config_from_dict(told) == run.config


# The network that comes of it.


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of a short run, as a file."""
    from argentum.learn.export import export

    folder = tmp_path_factory.mktemp("network")
    trainer(folder).run(minutes=1e-9)
    export(folder / CHECKPOINT_FILE, folder / "tiny.npz", "tiny")
    return folder / "tiny.npz"


@pytest.mark.parametrize(("ending", "near"), [(".npz", 5e-3), (".onnx", 1e-4)])
def test_the_file_says_what_pytorch_says(network: Path, ending: str, near: float) -> None:
    from argentum.learn.export import actor_from_checkpoint, export
    from argentum.learn.models import select_cards
    from argentum.learn.trainer import read_checkpoint

    _, actor = actor_from_checkpoint(read_checkpoint(network.parent / CHECKPOINT_FILE))
    file = network.with_suffix(ending)
    if not file.exists():
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
        export(network.parent / CHECKPOINT_FILE, file, "tiny")
    bot = MoonBot(1, str(file))
    assert {key: bot.network.told[key] for key in required_metadata()} == required_metadata()
    assert bot.network.told["name"] == "tiny"
    game = Game.new("amulet", 4, seed=2)
    for _ in range(30):
        row = np.frombuffer(write_observation(game.view(game.to_move)), np.uint8)[None]
        logits, values, beliefs = predict(bot.network, row)
        seen = select_cards(torch.from_numpy(row.copy()), beliefs.shape[1])
        with torch.no_grad():
            answer = actor(seen.table, seen.tokens)
        assert logits == pytest.approx(answer.logits.numpy(), abs=near)
        assert values == pytest.approx(answer.values.numpy(), abs=near)
        assert beliefs == pytest.approx(answer.beliefs.numpy(), abs=near)
        game.play(bot.choose(game.view(game.to_move)))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("boxes", [*BOX_NAMES, "abcdabcdabcdab"])
def test_a_network_plays_whole_games(network: Path, boxes: str, players: int) -> None:
    bot = bots.make(f"moon@{network}", 1)
    game = Game.new(boxes, players, seed=players, rounds=1)
    while not game.over:
        seat = game.to_move
        move = bots.ask(bot, game, seat)
        assert move in game.view(seat).legal
        game.play(move, seat)


def test_a_file_of_another_layout_is_refused(tmp_path: Path) -> None:
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


def test_the_command_trains_and_exports(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    small = "[network]\nwidth = 16\nheads = 2\ncritic_width = 16\nlayers = 1\n"
    file.write_text(f"processes = 1\nthreads = 1\nchoices = 64\n[games]\ngames = 4\nsteps = 8\n{small}")
    run = CliRunner().invoke(main, ["train", "--config", str(file), "--out", str(tmp_path / "run")])
    assert run.exit_code == 0, run.output
    assert "parameters" in run.output
    made = tmp_path / "run" / CHECKPOINT_FILE
    more = ["--out", str(tmp_path / "run"), "--set", "choices=128"]
    again = CliRunner().invoke(main, ["train", "--resume", str(made), *more])
    assert again.exit_code == 0, again.output
    assert lines(tmp_path / "run")[-1]["choices"] == 128
    told = CliRunner().invoke(main, ["train", "--resume", str(made), "--export", str(tmp_path / "net.npz")])
    assert told.exit_code == 0, told.output
    assert load_network(str(tmp_path / "net.npz")).metadata["choices"] == "128"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "Name a configuration"),
        (["--config", "huge"], "No such file"),
        (["--config", "small", "--set", "ppo.speed=3"], "there is no setting 'ppo.speed'"),
        (["--config", "small", "--set", "ppo.rate=fast"], "'ppo.rate' is 'fast'"),
        (["--config", "small", "--set", "games.boxes={gold=1}"], "gold"),
        (["--config", "small", "--set", "nothing"], "changes nothing"),
        (["--config", "small", "--set", "network.width=0"], "'network.width' is 0: it should be above 0"),
        (["--config", "small", "--set", "imitation.bot=nobody"], "there is no bot 'nobody'"),
        (["--config", "small", "--set", "device=tpu"], "there is no device 'tpu' for PyTorch here"),
        (["--config", "small", "--set", "league.first=true", "--set", "league.at_once=1"], "must be 2 or more"),
        (["--export", "file.onnx"], "--export goes with --resume"),
        (["--config", "small", "--resume", "pyproject.toml"], "is not a checkpoint"),
        (["--resume", "nowhere.pt"], "Error: nowhere.pt: No such file"),
        (["--config", "small", "--out", "pyproject.toml/run"], "Error: pyproject.toml/run: Not a directory"),
        (["--config", "small", "--set", "imitation.games=nowhere.npz"], "Error: nowhere.npz: No such file"),
        (["--config", "small", "--fresh-games"], "--fresh-games goes with --resume"),
    ],
)
def test_mistakes_are_told(options: list[str], said: str, tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["train", "--out", str(tmp_path), *options])
    assert run.exit_code == 2
    assert said in run.output


@pytest.mark.parametrize("name", cf.PRESETS)
def test_presets_are_whole(name: str) -> None:
    assert cf.load_config(name).name == name


def test_smaller_numbers_say_nearly_the_same(tmp_path: Path) -> None:
    """On a GPU most of the network works in bfloat16; so it can here."""
    run = trainer(tmp_path, network={"width": 32, "layers": 2, "heads": 2, "critic_width": 16})
    games = imitation.to_dataset(imitation.play_task("quick", 2, {"3": 1.0}, {"random": 1.0}))
    rows, _ = run.imitation_batches(imitation.replay_dataset(games, 1))
    some = rows[0].select(torch.arange(64))
    run.learner.set_schedule(1e-3, entropy=0.01, policy=True)
    exact = run.learner.losses(some)
    run.learner.autocast = lambda: torch.autocast("cpu", torch.bfloat16)
    rough = run.learner.losses(some)
    for name in ("policy", "value", "own value", "belief", "entropy"):
        assert float(rough[name].detach()) == pytest.approx(float(exact[name].detach()), rel=0.03, abs=0.01)
    told = run.learner.step([some])
    assert all(value.isfinite() for value in told.values())


def test_while_only_the_critic_learns_the_player_stays_as_it_is(tmp_path: Path) -> None:
    """Its own value and its beliefs share a body with its moves: learning these changed what it did."""
    run = trainer(tmp_path)
    games = imitation.to_dataset(imitation.play_task("quick", 2, {"2": 1.0}, {"dagger": 1.0}))
    rows, _ = run.imitation_batches(imitation.replay_dataset(games, 1))
    some = rows[0].select(torch.arange(64))
    actor, critic = cpu_state_dict(run.actor), cpu_state_dict(run.critic)
    run.learner.set_schedule(1e-2, entropy=0.01, policy=False)
    run.learner.step([some])
    for name, value in cpu_state_dict(run.actor).items():
        assert torch.allclose(value, actor[name], atol=1e-5), name
    assert not torch.allclose(cpu_state_dict(run.critic)["value.2.weight"], critic["value.2.weight"], atol=1e-4)


def test_numbers_that_are_not_finite_change_no_weights(tmp_path: Path) -> None:
    """On a GPU the optimiser itself looks; it can do so on a processor too."""
    learner = trainer(tmp_path).learner
    learner.fused, learner.optimizer = True, torch.optim.AdamW(learner.parameters, 1e-3, fused=True)
    before = [one.detach().clone() for one in learner.parameters]
    for norm in (float("nan"), 1.0):
        for one in learner.parameters:
            one.grad = torch.full_like(one, norm)
        learner.apply_gradients(torch.tensor(norm))
        same = [torch.equal(one, other) for one, other in zip(learner.parameters, before, strict=True)]
        assert all(same) if norm != norm else not any(same)


def test_the_last_stretch_of_a_run_ends_its_schedules(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.decisions = run.config.choices // 4
    run.time_schedule = (run.progress, 0.0, 1.0)  # long over
    assert run.progress == 1.0
    run.time_schedule = (0.25, perf_counter(), perf_counter() + 1000)
    assert 0.25 <= run.progress < 0.3
