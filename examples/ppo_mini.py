"""Train a network on the mini game by the method of `argentum train`, and see how far it can be exploited.

    python examples/ppo_mini.py [TURNS] [UPDATES]

Masked PPO against itself, a critic that sees both seats' cards, entropy and steps that fall, and an average of the
weights at the end: what `argentum train` does, on a game that OpenSpiel solves exactly. Needs the extras `openspiel`
and `learn`, and some minutes.
"""

import sys
from dataclasses import dataclass, field

import numpy as np
import pyspiel
import torch
from open_spiel.python import policy
from open_spiel.python.algorithms.exploitability import exploitability
from torch import Tensor, nn

import argentum.envs.openspiel.mini  # noqa: F401  # registers the game

GAMES, EPOCHS, MINIBATCH, CLIP, AVERAGE = 1024, 2, 1024, 0.2, 0.995
RATE, ENTROPY = (1e-3, 1e-4), (0.1, 0.01)  # at first, and at last
POINTS = 10.0  # that count as 1


@dataclass
class Tree:
    """The game written down once: for each history, who acts, what they know, and where each action leads."""

    player: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)  # the information state
    both: list[tuple[int, int]] = field(default_factory=list)  # the information states of both seats
    leads: list[list[int]] = field(default_factory=list)
    chance: list[list[float]] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)  # to the first seat
    states: dict[str, int] = field(default_factory=dict)
    tensors: list[list[float]] = field(default_factory=list)
    legal: list[list[int]] = field(default_factory=list)

    def add(self, state: pyspiel.State, actions: int) -> int:
        """Write a history down, and all that follow it."""
        node, who = len(self.player), int(state.current_player())
        self.player.append(who)
        self.known.append(self.know(state, who, True) if who >= 0 else -1)
        dealt = who >= 0
        self.both.append((self.know(state, 0, False), self.know(state, 1, False)) if dealt else (-1, -1))
        self.leads.append([-1] * actions)
        self.chance.append([0.0] * actions)
        self.returns.append(state.returns()[0] if state.is_terminal() else 0.0)
        odds = dict(state.chance_outcomes()) if state.is_chance_node() else {}
        for nth, action in enumerate(odds or ([] if state.is_terminal() else state.legal_actions())):
            place = nth if odds else action
            self.chance[node][place] = odds.get(action, 0.0)
            self.leads[node][place] = self.add(state.child(action), actions)
        return node

    def know(self, state: pyspiel.State, seat: int, chooses: bool) -> int:
        """What a seat knows, by a number."""
        name = f"{seat} {state.information_state_string(seat)}"
        if name not in self.states:
            self.states[name] = len(self.states)
            self.tensors.append(state.information_state_tensor(seat))
            self.legal.append([])
        found = self.states[name]
        if chooses:
            self.legal[found] = state.legal_actions()
        return found


def layers(size: int, out: int) -> nn.Sequential:
    """A small network."""
    return nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, out))


def played(tree: dict[str, np.ndarray], chances: np.ndarray, random: np.random.Generator) -> list[np.ndarray]:
    """Games side by side: for each choice the node, the action, and what the game brought the seat that made it."""
    at = np.zeros(GAMES, np.int64)
    made: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while True:
        going = np.flatnonzero(tree["player"][at] != pyspiel.PlayerId.TERMINAL)
        if not len(going):
            break
        now = at[going]
        odds = np.where((tree["player"][now] < 0)[:, None], tree["chance"][now], chances[tree["known"][now]])
        action = (odds.cumsum(1) > random.random((len(now), 1)) * odds.sum(1, keepdims=True)).argmax(1)
        at[going] = tree["leads"][now, action]
        seats = tree["player"][now] >= 0
        made.append((now[seats], action[seats], going[seats]))
    nodes, actions, games = (np.concatenate(part) for part in zip(*made, strict=True))
    gains = tree["returns"][at][games] / POINTS * np.where(tree["player"][nodes] == 0, 1, -1)
    return [nodes, actions, gains]


def main(turns: int, updates: int) -> None:
    """Train, and measure now and then."""
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    game = pyspiel.load_game(f"python_silver_mini(turns={turns})")
    actions = game.num_distinct_actions()
    whole = Tree()
    whole.add(game.new_initial_state(), actions)
    tree = {name: np.array(getattr(whole, name)) for name in ("player", "known", "both", "leads", "chance", "returns")}
    columns = np.unique(np.array(whole.tensors, np.float32), axis=1)  # the same again says nothing
    seen = torch.from_numpy(columns[:, columns.std(0) > 0])
    states = f"{len(seen):,} information states, also of the seat that waits, of {seen.shape[1]} figures each"
    print(f"{len(whole.player):,} histories; {states}")
    mask = torch.zeros((len(seen), actions), dtype=torch.bool)
    for number, legal in enumerate(whole.legal):
        mask[number, legal or list(range(actions))] = True
    actor, critic, average = (
        layers(seen.shape[1], actions),
        layers(2 * seen.shape[1], 1),
        layers(seen.shape[1], actions),
    )
    optimiser = torch.optim.AdamW([*actor.parameters(), *critic.parameters()], RATE[0])
    average.load_state_dict(actor.state_dict())

    def logged(net: nn.Module, rows: Tensor) -> Tensor:
        scores: Tensor = net(seen[rows])
        return scores.masked_fill(~mask[rows], -1e9).log_softmax(1)

    for update in range(updates):
        share = update / updates
        rate, entropy = (first + (last - first) * share for first, last in (RATE, ENTROPY))
        for group in optimiser.param_groups:
            group["lr"] = rate
        with torch.no_grad():
            before = logged(actor, torch.arange(len(seen)))
        nodes, chosen, gained = played(tree, before.exp().numpy().astype(np.float64), random)
        known, action = torch.from_numpy(tree["known"][nodes]), torch.from_numpy(chosen)
        gains = torch.from_numpy(gained).float()
        pairs = torch.from_numpy(tree["both"][nodes])
        for order in [torch.randperm(len(known)) for _ in range(EPOCHS)]:
            for part in torch.split(order, MINIBATCH):
                rows, did = known[part], action[part].unsqueeze(1)
                values = critic(seen[pairs[part]].flatten(1)).squeeze(1)
                better = gains[part] - values.detach()
                better = (better - better.mean()) / (better.std() + 1e-6)
                chances = logged(actor, rows)
                ratio = (chances.gather(1, did) - before[rows].gather(1, did)).squeeze(1).exp()
                bounded = torch.minimum(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better)
                spread = -(chances.exp() * chances.clamp_min(-50)).sum(1)
                loss = -bounded.mean() - entropy * spread.mean() + 0.5 * (values - gains[part]).square().mean()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
                optimiser.step()
                with torch.no_grad():
                    torch._foreach_lerp_(list(average.parameters()), list(actor.parameters()), 1 - AVERAGE)
        if update + 1 in (updates // 8, updates // 4, updates // 2, updates):
            found = measure(game, whole, logged(average, torch.arange(len(seen))).exp().detach().numpy())
            print(f"{update + 1:5} updates of {GAMES} games: exploitability {found:.4f} points", flush=True)


def measure(game: pyspiel.Game, tree: Tree, chances: np.ndarray) -> float:
    """By how many points the policy can be exploited, exactly."""
    table = policy.TabularPolicy(game)
    for seat in range(game.num_players()):
        for state in table.states_per_player[seat]:
            odds = chances[tree.states[f"{seat} {state}"]].astype(np.float64)
            table.action_probability_array[table.state_lookup[state]] = odds / odds.sum()
    return float(exploitability(game, table))


if __name__ == "__main__":
    told = [int(word) for word in sys.argv[1:] if word != "--help"]
    print(__doc__) if "--help" in sys.argv else main(*[*told, 3, 800][:1], *[*told[1:], 800][:1])
