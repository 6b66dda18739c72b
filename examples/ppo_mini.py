"""Train a network on the mini game with the method of `argentum train`, and measure its exploitability.

    python examples/ppo_mini.py [TURNS] [UPDATES]

The method is self-play with masked PPO, a critic that sees both seats' cards, a decreasing learning rate and entropy
bonus, and a moving average of the weights. OpenSpiel can compute the exact exploitability of policies for this game.
This requires the extras `openspiel` and `learn`, and takes some minutes.
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

GAMES, EPOCHS, MINIBATCH, CLIP_RANGE, EMA_DECAY = 1024, 2, 1024, 0.2, 0.995
LEARNING_RATE, ENTROPY_COEF = (1e-3, 1e-4), (0.1, 0.01)  # at the start and at the end of the training
POINT_SCALE = 10.0  # points for a return of 1
ARRAYS = ("player", "state", "both_states", "children", "chance", "returns")


@dataclass
class Tree:
    """The game tree, as lists with an item per history, and the information states of both seats, as numbers."""

    player: list[int] = field(default_factory=list)
    state: list[int] = field(default_factory=list)  # information state of the seat to move; -1 if there is none
    both_states: list[tuple[int, int]] = field(default_factory=list)  # information states of both seats, for the critic
    children: list[list[int]] = field(default_factory=list)  # by action or chance outcome: history, or -1 for none
    chance: list[list[float]] = field(default_factory=list)  # probability by chance outcome
    returns: list[float] = field(default_factory=list)  # of the first seat
    state_numbers: dict[str, int] = field(default_factory=dict)
    tensors: list[list[float]] = field(default_factory=list)  # by information state
    legal_actions: list[list[int]] = field(default_factory=list)  # by information state

    def add(self, node: pyspiel.State, actions: int) -> int:
        """Add a history and its descendants; return its index."""
        index, player = len(self.player), int(node.current_player())
        self.player.append(player)
        self.state.append(self.state_number(node, player, True) if player >= 0 else -1)
        has_states = player >= 0
        self.both_states.append(
            (self.state_number(node, 0, False), self.state_number(node, 1, False)) if has_states else (-1, -1)
        )
        self.children.append([-1] * actions)
        self.chance.append([0.0] * actions)
        self.returns.append(node.returns()[0] if node.is_terminal() else 0.0)
        probabilities = dict(node.chance_outcomes()) if node.is_chance_node() else {}
        for number, action in enumerate(probabilities or ([] if node.is_terminal() else node.legal_actions())):
            column = number if probabilities else action
            self.chance[index][column] = probabilities.get(action, 0.0)
            self.children[index][column] = self.add(node.child(action), actions)
        return index

    def state_number(self, node: pyspiel.State, seat: int, to_move: bool) -> int:
        """Return the number of a seat's information state; add the state if it is new."""
        name = f"{seat} {node.information_state_string(seat)}"
        if name not in self.state_numbers:
            self.state_numbers[name] = len(self.state_numbers)
            self.tensors.append(node.information_state_tensor(seat))
            self.legal_actions.append([])
        number = self.state_numbers[name]
        if to_move:
            self.legal_actions[number] = node.legal_actions()
        return number


def mlp(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))


def play_games(tree: dict[str, np.ndarray], probabilities: np.ndarray, random: np.random.Generator) -> list[np.ndarray]:
    """Play `GAMES` games in parallel; return the history, the action and the seat's return of each decision."""
    current = np.zeros(GAMES, np.int64)
    decisions: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while True:
        running = np.flatnonzero(tree["player"][current] != pyspiel.PlayerId.TERMINAL)
        if not len(running):
            break
        histories = current[running]
        is_chance = (tree["player"][histories] < 0)[:, None]
        weights = np.where(is_chance, tree["chance"][histories], probabilities[tree["state"][histories]])
        action = (weights.cumsum(1) > random.random((len(histories), 1)) * weights.sum(1, keepdims=True)).argmax(1)
        current[running] = tree["children"][histories, action]
        by_seats = tree["player"][histories] >= 0
        decisions.append((histories[by_seats], action[by_seats], running[by_seats]))
    histories, actions, games = (np.concatenate(column) for column in zip(*decisions, strict=True))
    returns = tree["returns"][current][games] / POINT_SCALE * np.where(tree["player"][histories] == 0, 1, -1)
    return [histories, actions, returns]


def main(turns: int, updates: int) -> None:
    """Train a network; print its exploitability after an eighth, a quarter, half and all of the updates."""
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    game = pyspiel.load_game(f"python_silver_mini(turns={turns})")
    action_count = game.num_distinct_actions()
    full_tree = Tree()
    full_tree.add(game.new_initial_state(), action_count)
    tree = {name: np.array(getattr(full_tree, name)) for name in ARRAYS}
    features = np.unique(np.array(full_tree.tensors, np.float32), axis=1)  # without duplicate columns
    inputs = torch.from_numpy(features[:, features.std(0) > 0])
    states = (
        f"{len(inputs):,} information states of {inputs.shape[1]} numbers each, including those of the waiting seat"
    )
    print(f"{len(full_tree.player):,} histories; {states}")
    mask = torch.zeros((len(inputs), action_count), dtype=torch.bool)
    for number, legal in enumerate(full_tree.legal_actions):
        mask[number, legal or list(range(action_count))] = True
    actor, critic, average = (
        mlp(inputs.shape[1], action_count),
        mlp(2 * inputs.shape[1], 1),
        mlp(inputs.shape[1], action_count),
    )
    parameters = [*actor.parameters(), *critic.parameters()]
    optimizer = torch.optim.AdamW(parameters, LEARNING_RATE[0])
    average.load_state_dict(actor.state_dict())

    def masked_log_probs(network: nn.Module, rows: Tensor) -> Tensor:
        logits: Tensor = network(inputs[rows])
        return logits.masked_fill(~mask[rows], -1e9).log_softmax(1)

    for update in range(updates):
        progress = update / updates
        learning_rate, entropy_coef = (
            first + (last - first) * progress for first, last in (LEARNING_RATE, ENTROPY_COEF)
        )
        for group in optimizer.param_groups:
            group["lr"] = learning_rate
        with torch.no_grad():
            old_log_probs = masked_log_probs(actor, torch.arange(len(inputs)))
        histories, actions, outcomes = play_games(tree, old_log_probs.exp().numpy().astype(np.float64), random)
        state, action = torch.from_numpy(tree["state"][histories]), torch.from_numpy(actions)
        returns = torch.from_numpy(outcomes).float()
        both_states = torch.from_numpy(tree["both_states"][histories])
        for order in [torch.randperm(len(state)) for _ in range(EPOCHS)]:
            for batch in torch.split(order, MINIBATCH):
                rows, chosen = state[batch], action[batch].unsqueeze(1)
                values = critic(inputs[both_states[batch]].flatten(1)).squeeze(1)
                advantages = returns[batch] - values.detach()
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
                log_probs = masked_log_probs(actor, rows)
                ratio = (log_probs.gather(1, chosen) - old_log_probs[rows].gather(1, chosen)).squeeze(1).exp()
                clipped = ratio.clamp(1 - CLIP_RANGE, 1 + CLIP_RANGE)
                objective = torch.minimum(ratio * advantages, clipped * advantages)
                entropy = -(log_probs.exp() * log_probs.clamp_min(-50)).sum(1)
                value_loss = (values - returns[batch]).square().mean()
                loss = -objective.mean() - entropy_coef * entropy.mean() + 0.5 * value_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(parameters, 0.5)
                optimizer.step()
                with torch.no_grad():
                    torch._foreach_lerp_(list(average.parameters()), list(actor.parameters()), 1 - EMA_DECAY)
        if update + 1 in (updates // 8, updates // 4, updates // 2, updates):
            probabilities = masked_log_probs(average, torch.arange(len(inputs))).exp().detach().numpy()
            result = policy_exploitability(game, full_tree, probabilities)
            print(f"{update + 1:5} updates of {GAMES} games: exploitability {result:.4f} points", flush=True)


def policy_exploitability(game: pyspiel.Game, tree: Tree, probabilities: np.ndarray) -> float:
    """Return the exact exploitability of a policy, in points."""
    table = policy.TabularPolicy(game)
    for seat in range(game.num_players()):
        for state in table.states_per_player[seat]:
            row = probabilities[tree.state_numbers[f"{seat} {state}"]].astype(np.float64)
            table.action_probability_array[table.state_lookup[state]] = row / row.sum()
    return float(exploitability(game, table))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word != "--help"]
    print(__doc__) if "--help" in sys.argv else main(*[*numbers, 3, 800][:1], *[*numbers[1:], 800][:1])
