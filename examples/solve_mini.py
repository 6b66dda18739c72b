"""Solve the mini game with NumPy: python examples/solve_mini.py turns=2,cards=2

The game tree is traversed once and stored in arrays. CFR+ and the best responses are then computed level by level, so
that even `turns=3,cards=2` with its 474,842 histories takes only minutes. This requires the extra `openspiel`.
"""

import sys
from typing import Any, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

import argentum.envs.openspiel.mini  # noqa: F401  # registers the game

ITERATIONS = 256
CHANCE = -1
Floats: TypeAlias = NDArray[np.float64]
Indexes: TypeAlias = NDArray[np.int64]


class Tree:
    """All histories of a two-player game, as arrays.

    A slot is an action in an information state. An edge leads from a history to one of its children; edges are grouped
    into levels by depth.
    """

    def __init__(self, root: Any) -> None:
        returns: list[float] = []  # of the first seat, by history; 0 unless the game is over
        edges: list[tuple[int, int, int, int, int, float]] = []  # depth, parent, child, player, state, probability
        places: list[int] = []  # of each edge among the actions of its information state
        states: dict[tuple[int, str], int] = {}
        stack: list[tuple[Any, tuple[int, int, int, int, float], int]] = [(root, (0, 0, CHANCE, 0, 1.0), 0)]
        while stack:
            node, (depth, parent, player, state, probability), place = stack.pop()
            edges.append((depth, parent, len(returns), player, state, probability))
            places.append(place)
            history, player, state = len(returns), CHANCE, 0
            returns.append(node.returns()[0] if node.is_terminal() else 0.0)
            if node.is_terminal():
                continue
            if node.is_chance_node():
                options = node.chance_outcomes()
            else:
                player = node.current_player()
                state = states.setdefault((player, node.information_state_string(player)), len(states))
                options = [(action, 1.0) for action in node.legal_actions()]
            for index, (action, option_probability) in enumerate(options):
                stack.append((node.child(action), (depth + 1, history, player, state, option_probability), index))
            node.progress.drop_children()  # 474,842 games would take gigabytes
        edges.pop(0)
        places.pop(0)
        self.returns: Floats = np.array(returns)
        columns = [np.array(column) for column in zip(*edges, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        depths, self.parent, self.child, self.player, state_of_edge, self.probability = [
            column[order] for column in columns
        ]
        is_decision = self.player != CHANCE
        action_counts = np.zeros(len(states), np.int64)
        sorted_places = np.array(places)[order]
        np.maximum.at(action_counts, state_of_edge[is_decision], sorted_places[is_decision] + 1)
        self.first_slot = np.cumsum(action_counts) - action_counts  # by information state
        self.state_of_slot = np.repeat(np.arange(len(states)), action_counts)
        self.slot: Indexes = np.where(is_decision, self.first_slot[state_of_edge] + sorted_places, 0)
        bounds = np.searchsorted(depths, np.arange(1, depths[-1] + 2))
        self.levels = [slice(*pair) for pair in zip(bounds, [*bounds[1:], len(depths)], strict=True)]

    def normalize(self, weights: Floats) -> Floats:
        """Scale the weights of slots to probabilities, which are uniform in information states whose weights are 0."""
        totals = np.bincount(self.state_of_slot, weights)[self.state_of_slot]
        uniform = 1.0 / np.bincount(self.state_of_slot)[self.state_of_slot]
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform)

    def reach_probabilities(self, policy: Floats, player: int) -> Floats:
        """Return one player's contribution, that of a seat or `CHANCE`, to the reach probability of each history."""
        reach = np.ones(len(self.returns))
        for level in self.levels:
            probability = self.probability[level] if player == CHANCE else policy[self.slot[level]]
            own = np.where(self.player[level] == player, probability, 1.0)
            reach[self.child[level]] = reach[self.parent[level]] * own
        return reach

    def values(self, policy: Floats, seat: int, best_response: bool = False) -> Floats:
        """Return the value of each history to a seat that plays the policy, or the best response to it."""
        values = self.returns if seat == 0 else -self.returns
        others_reach = values
        if best_response:
            others_reach = self.reach_probabilities(policy, 1 - seat) * self.reach_probabilities(policy, CHANCE)
        for level in reversed(self.levels):
            parent, child, slot = self.parent[level], self.child[level], self.slot[level]
            weight = np.where(self.player[level] == CHANCE, self.probability[level], policy[slot])
            own = self.player[level] == seat
            if best_response and own.any():
                gain = np.bincount(slot[own], others_reach[parent[own]] * values[child[own]], len(self.state_of_slot))
                weight[own] = self.greedy_policy(gain.astype(np.float64))[slot[own]]
            values = values + np.bincount(parent, weight * values[child], len(values))
        return values

    def greedy_policy(self, gains: Floats) -> Floats:
        """Return the policy that always chooses the slot with the highest gain."""
        order = np.lexsort((gains, self.state_of_slot))
        last = np.append(self.first_slot[1:], len(gains)) - 1
        policy = np.zeros(len(gains))
        policy[order[last]] = 1.0
        return policy

    def exploitability(self, policy: Floats) -> float:
        """Return the mean of the two seats' gains from playing their best responses."""
        return float(self.values(policy, 0, True)[0] + self.values(policy, 1, True)[0]) / 2


def solve(tree: Tree) -> Floats:
    """Run CFR+; return the average policy, weighted linearly by iteration."""
    regrets, total = np.zeros(len(tree.state_of_slot)), np.zeros(len(tree.state_of_slot))
    for iteration in range(1, ITERATIONS + 1):
        for seat in (0, 1):
            policy, own = tree.normalize(regrets), tree.player == seat
            values = tree.values(policy, seat)
            others_reach = tree.reach_probabilities(policy, 1 - seat) * tree.reach_probabilities(policy, CHANCE)
            parent, child = tree.parent[own], tree.child[own]
            gains = np.bincount(tree.slot[own], others_reach[parent] * (values[child] - values[parent]), len(regrets))
            regrets = np.maximum(regrets + gains, 0.0)
        policy = tree.normalize(regrets)
        for seat in (0, 1):
            own, reach = tree.player == seat, np.zeros(len(regrets))
            # A seat's own reach is the same in all histories of an information state (perfect recall).
            reach[tree.slot[own]] = tree.reach_probabilities(policy, seat)[tree.parent[own]]
            total += iteration * reach * policy
    return tree.normalize(total)


def main(parameters: str) -> None:
    """Print the size of the game, the exploitability of random play and of the CFR+ policy, and the value."""
    tree = Tree(pyspiel.load_game(f"python_silver_mini({parameters})").new_initial_state())
    ends = len(tree.returns) - len(np.unique(tree.parent))
    print(f"{len(tree.returns):,} histories, {ends:,} of them terminal; {len(tree.first_slot):,} information states")
    uniform = tree.normalize(np.zeros(len(tree.state_of_slot)))
    print(f"random play: exploitability {tree.exploitability(uniform):.2f} points")
    policy = solve(tree)
    print(f"{ITERATIONS} iterations of CFR+: exploitability {tree.exploitability(policy):.4f} points")
    print(f"value of the game for the first seat: {tree.values(policy, 0)[0]:.2f} points")


if __name__ == "__main__":
    print(__doc__) if "--help" in sys.argv else main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
