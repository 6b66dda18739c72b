"""Learn to play by self-play: masked PPO in one file.

    python examples/train_ppo.py --minutes 10 --out ppo
    python examples/train_ppo.py --minutes 10 --out ppo --device cuda --envs 2048

One network plays every seat of many games at once. A round is an episode: at its end a seat is rewarded with how much
better it did than the others, and the advantage of a choice is reckoned along the seat's own choices, past those of the
others between them. Writes OUT.svg (the learning curve), OUT.json (the same in numbers) and OUT.pt (the network).
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from argentum.arena.spread import Estimate, share_of
from argentum.envs.actions import ACTIONS, NO_ACTION
from argentum.envs.batch import Batch, Step
from argentum.envs.observation import COLUMN, PART, PARTS, RESIDENTS, SIZE, WIDTH
from argentum.envs.one_hot import CARD_SLOTS, SLOTS
from argentum.envs.options import check_deck
from argentum.envs.spaces import parts
from argentum.rules.notation import SEATS

OPPONENTS = {"random": "#2f7d6d", "novice": "#b3422f", "steady": "#2b2d42"}  # and their colours in the picture
EXAMS, DEALS, LAST_DEALS = 8, 20, 100  # while it learns; deals for each opponent, each twice; deals of the last exam
EXAM_SEED = 10**9  # far from those that it learns on
STEPS = 64  # of each game between two updates
EPOCHS = 3
MINIBATCHES = 16  # of an epoch
LEARNING_RATE = 5e-4
CLIP = 0.2
TRACE = 0.95  # the lambda of the generalised advantage; nothing is discounted
ENTROPY = 0.01
VALUE = 0.5
HIDDEN, CARD_WIDTH = 256, 24
TABLE = PART["cards"].offset  # values about the table as a whole; then tokens, one for each card
UP = COLUMN["up"]  # from this column on a token has flags and small counts


class Net(nn.Module):
    """A policy and a value. Every card is read by the same small layer, and then stands in the slot of its place."""

    def __init__(self) -> None:
        super().__init__()
        kinds = np.zeros(TABLE, np.int64)  # of each value of the table: how many kinds it tells apart, or 0
        scale = np.ones(TABLE, np.float32)
        for part in PARTS[:-1]:
            kinds[part.offset : part.offset + part.size] = max(part.most, 0)
            scale[part.offset : part.offset + part.size] = 1 / max(-part.most, 1)
        kinds[PART["asker"].offset :][:2] = (6, 26)
        picked = PART["picked"]
        kinds[picked.offset : picked.offset + picked.size] = [31, 5, 54] * picked.shape[0]
        self.kinds, self.first, self.told, self.scale, self.slots, self.where = (
            nn.Buffer(torch.from_numpy(values))
            for values in (
                kinds[kinds > 0],
                np.cumsum(kinds[kinds > 0]) - kinds[kinds > 0],
                kinds > 0,
                scale[kinds == 0],
                CARD_SLOTS,
                np.array([COLUMN["where"], COLUMN["place"]]),
            )
        )
        self.asked = nn.EmbeddingBag(int(kinds.sum()), HIDDEN, mode="sum")
        self.counts = nn.Linear(int((kinds == 0).sum()), HIDDEN)
        self.resident = nn.Embedding(RESIDENTS + 1, CARD_WIDTH)
        self.marks = nn.Linear(WIDTH - UP, CARD_WIDTH)
        self.cards = nn.Linear(SLOTS * CARD_WIDTH, HIDDEN)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.policy = nn.Linear(HIDDEN, ACTIONS)
        self.value = nn.Linear(HIDDEN, 1)
        nn.init.normal_(self.asked.weight, std=0.05)
        for layer, gain in ((self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of the actions, with what is not legal at next to no chance, and how well the round will go."""
        table, tokens = observations[:, :TABLE].long(), observations[:, TABLE:SIZE].view(len(observations), -1, WIDTH)
        asked = self.asked(table[:, self.told].minimum(self.kinds - 1) + self.first)
        counts = self.counts(table[:, ~self.told] * self.scale)
        body = self.body(asked + counts + self.cards(self._in_slots(tokens)))
        return self.policy(body).masked_fill(~masks, -1e9), self.value(body).squeeze(1)

    def _in_slots(self, tokens: Tensor) -> Tensor:
        """What is seen of each card, at the slot that its place has; those that have none fall away."""
        seen = torch.relu(
            self.resident(tokens[..., COLUMN["resident"]].long()) + self.marks(tokens[..., UP:].clamp(max=8) / 1.0)
        )
        where, place = tokens[..., self.where].long().unbind(-1)
        slots = self.slots[where, place].unsqueeze(-1).expand_as(seen)
        placed = seen.new_zeros(len(tokens), SLOTS + 1, CARD_WIDTH).scatter_add(1, slots, seen)
        return placed[:, :SLOTS].flatten(1)


class Played(NamedTuple):
    """What was seen and done, a row for each choice."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    chances: Tensor  # the logarithm of each action's
    values: Tensor
    advantages: Tensor


def rounds(observations: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Which round each game is in."""
    return parts(observations)["round"][:, 0].copy()


def worth(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much better than the others' a seat's round was; a hundred points count little more than fifty."""
    others = (points.sum(1, keepdims=True) - points) / (points.shape[1] - 1)
    better = points - others
    worths: NDArray[np.float32] = np.sign(better) * np.log1p(np.abs(better) / 5)
    return worths


def advantages(
    seats: NDArray[np.uint8], values: NDArray[np.float32], rewards: NDArray[np.float32], ends: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """The generalised advantage of each choice, by step and game, over the later ones of its seat in the same round.

    A seat's last choice before the steps run out is only good to value those before it: it has no advantage (NaN).
    """
    later_value = np.full(rewards.shape[1:], np.nan, np.float32)  # by game and seat, like the next two
    later_advantage = np.zeros_like(later_value)
    reward = np.zeros_like(later_value)
    found = np.empty_like(values)
    games = np.arange(values.shape[1])
    for step in reversed(range(len(values))):
        here, ended = (games, seats[step]), ends[step]
        later_value[ended] = 0
        later_advantage[ended] = 0
        reward[ended] = rewards[step, ended]
        found[step] = reward[here] + later_value[here] - values[step] + TRACE * later_advantage[here]
        later_advantage[here] = np.nan_to_num(found[step])
        later_value[here] = values[step]
        reward[here] = 0
    return found


def seen(step: Step, device: str) -> tuple[Tensor, Tensor]:
    """What the seats to act see and may do, as tensors of their own: the batch will overwrite its arrays."""
    rows, masks = torch.from_numpy(step.observations), torch.from_numpy(step.masks)
    return rows.to(device, copy=True), masks.to(device, copy=True)


class Selfplay:
    """Games that the network plays against itself, some steps at a time."""

    def __init__(self, net: Net, batch: Batch, seed: int, device: str) -> None:
        self.net, self.batch, self.device = net, batch, device
        self.step: Step = batch.reset(seed)

    @torch.no_grad()
    def play(self, steps: int) -> Played:
        """Play on, and say what was done and what came of it."""
        rows: list[tuple[Tensor, ...]] = []
        seats, rewards, ends = [], [], []
        for _ in range(steps):
            observations, masks = seen(self.step, self.device)
            logits, values = self.net(observations, masks)
            actions = logits.softmax(1).multinomial(1)
            rows.append((observations, masks, actions, logits.log_softmax(1).gather(1, actions), values))
            seats.append(self.step.seats.copy())
            before = rounds(self.step.observations)
            self.step = self.batch.step(actions.squeeze(1).cpu().numpy())
            rewards.append(worth(self.step.rewards))
            ends.append((rounds(self.step.observations) != before) | self.step.terminations)
        reckoned = np.stack([values.cpu().numpy() for *_, values in rows])
        columns = [torch.cat(column) for column in zip(*rows, strict=True)]
        found = advantages(np.stack(seats), reckoned, np.stack(rewards), np.stack(ends))
        columns.append(torch.from_numpy(found).flatten().to(self.device))
        known = ~columns[-1].isnan()
        return Played(*[column[known] for column in columns])


def learn(net: Net, optimiser: torch.optim.Optimizer, played: Played) -> float:
    """Some epochs of PPO over what was played; the mean loss."""
    returns = played.advantages + played.values
    scaled = (played.advantages - played.advantages.mean()) / (played.advantages.std() + 1e-6)
    losses: list[Tensor] = []
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(returns), device=returns.device).chunk(MINIBATCHES):
            logits, values = net(played.observations[rows], played.masks[rows])
            chances = logits.log_softmax(1)
            ratio = (chances.gather(1, played.actions[rows]) - played.chances[rows]).exp().squeeze(1)
            gain = torch.minimum(ratio * scaled[rows], ratio.clamp(1 - CLIP, 1 + CLIP) * scaled[rows]).mean()
            miss = nn.functional.mse_loss(values, returns[rows])
            entropy = -(logits.softmax(1) * chances).sum(1).mean()  # the exp() of what is not legal would be slow
            loss = VALUE * miss - gain - ENTROPY * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimiser.step()
            losses.append(loss.detach())
    return float(torch.stack(losses).mean())


@torch.no_grad()
def match(net: Net, opponent: str, boxes: str, deals: int, device: str) -> Estimate:
    """The share of games that the network wins against a bot: every deal is played twice, once from each seat.

    It plays by its chances, as it learns, and so begins as `random` plays. Untrained networks that always do what they
    like best win nearly all games against `random` or lose nearly all, as it happens.
    """
    shares = np.zeros(deals)
    for nth, seat in enumerate(SEATS[:2]):
        with Batch(deals, boxes, opponents=opponent, seat=seat) as batch:
            step, playing = batch.reset(EXAM_SEED), np.ones(deals, np.bool_)
            while playing.any():
                logits, _ = net(*seen(step, device))
                actions = logits.softmax(1).multinomial(1).flatten().cpu().numpy()
                step = batch.step(np.where(playing, actions, NO_ACTION))
                shares[playing & step.terminations & (step.rewards[:, nth] > 0)] += 1 / 2
                playing &= ~step.terminations
    return share_of(shares.tolist())


def exam(net: Net, boxes: str, deals: int, device: str) -> dict[str, list[float]]:
    """How the network does against each opponent: the share of games won, and its 95 % confidence interval."""
    return {name: [round(value, 4) for value in match(net, name, boxes, deals, device)] for name in OPPONENTS}


def train(net: Net, selfplay: Selfplay, seconds: float, examine: Callable[[float, int], None]) -> None:
    """Play and learn in turn for so long; examine now and then, first more often, told the seconds and choices."""
    optimiser = torch.optim.Adam(net.parameters(), LEARNING_RATE, eps=1e-5)
    spent, choices, examined = 0.0, 0, 0
    while spent < seconds:
        if spent >= seconds * (examined / EXAMS) ** 2:
            examine(spent, choices)
            examined += 1
        began = perf_counter()
        optimiser.param_groups[0]["lr"] = LEARNING_RATE * (1 - spent / seconds)
        learn(net, optimiser, selfplay.play(STEPS))
        choices += STEPS * selfplay.batch.games
        spent += perf_counter() - began
    examine(spent, choices)


def draw(report: dict[str, Any], file: Path) -> None:
    """The learning curve as a picture."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    minutes = [point["seconds"] / 60 for point in report["curve"]]
    for name, colour in OPPONENTS.items():
        share, low, high = zip(*[point["won"][name] for point in report["curve"]], strict=True)
        axes.plot(minutes, share, color=colour, marker="o", markersize=3, label=f"against {name}")
        axes.fill_between(minutes, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel="minutes of learning", ylabel="games won", ylim=(0, 1.02), xlim=(0, None), title=report["title"])
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    with rc_context({"svg.hashsalt": "argentum", "svg.fonttype": "none"}):
        figure.savefig(file, metadata={"Date": None})


def arguments() -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(description="Learn to play two-player games by self-play (masked PPO).")
    parser.add_argument("--minutes", type=float, default=10, help="time to learn; examinations come on top (10)")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--boxes", default="dagger", help="a box, a deck code, or random (dagger)")
    parser.add_argument("--envs", type=int, default=128, help="games side by side (128)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ppo"), help="where to write, without an ending (ppo)")
    parser.add_argument("--draw", action="store_true", help="only draw OUT.svg again from OUT.json")
    given = parser.parse_args()
    try:
        check_deck(given.boxes, players=2)
        torch.zeros(1, device=given.device)
    except (ValueError, RuntimeError, AssertionError) as error:  # the last is PyTorch's, if there is no CUDA
        parser.error(str(error))
    if given.envs < 1 or not given.out.absolute().parent.is_dir():
        parser.error("there must be a game at least, and the folder of OUT")
    return given


def run(minutes: float, device: str, boxes: str, envs: int, seed: int, out: Path) -> None:
    """Learn, and write down the network and how it went."""
    began = perf_counter()
    torch.manual_seed(seed)
    net = Net().to(device)
    curve: list[dict[str, Any]] = []

    def examine(seconds: float, choices: int) -> None:
        curve.append({"seconds": round(seconds, 1), "choices": choices, "won": exam(net, boxes, DEALS, device)})
        print(json.dumps(curve[-1]), flush=True)

    processes = max(1, min(os.cpu_count() or 1, envs // 32))
    with Batch(envs, boxes, players=2, reward="round", processes=processes) as batch:
        train(net, Selfplay(net, batch, seed, device), minutes * 60, examine)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    report = {
        "title": f"Self-play with PPO, {boxes} for two, {device}, {envs} games at once",
        "torch": torch.__version__,
        "processes": processes,
        "seed": seed,
        "curve": curve,
        "final": exam(net, boxes, LAST_DEALS, device),
        "wall_seconds": round(perf_counter() - began, 1),
    }
    out.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: report[name] for name in ("final", "wall_seconds")}))


def main() -> None:
    """Learn, unless it is only to draw, and draw the curve."""
    given = vars(arguments())
    out, only_draw = given["out"], given.pop("draw")
    if not only_draw:
        run(**given)
    try:
        draw(json.loads(out.with_suffix(".json").read_text(encoding="utf-8")), out.with_suffix(".svg"))
    except ModuleNotFoundError:
        print(f"There is no Matplotlib here: draw {out}.json elsewhere, with --draw.")
    except FileNotFoundError as error:
        sys.exit(f"{error.filename}: there is no such file")


if __name__ == "__main__":
    main()
