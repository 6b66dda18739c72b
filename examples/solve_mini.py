"""Solve a size of the mini game on its own tree: python examples/solve_mini.py turns=2,cards=2

The tree is walked once into arrays, and CFR+ and the best responses work on those with NumPy, level by level. So even
`turns=3,cards=2` with its 474,842 histories takes minutes. It needs the extra `openspiel`.
"""

import sys
from typing import Any, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

import argentum.envs.openspiel.mini  # noqa: F401  # registers the game

ITERATIONS = 256
CHANCE = -1
Numbers: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]


class Tree:
    """All histories of a game for two. A slot is an action of an information state."""

    def __init__(self, root: Any) -> None:
        paid: list[float] = []  # to the first seat, at the end
        edges: list[tuple[int, int, int, int, int, float]] = []  # depth, from, to, whose, information state, chance
        slots: list[int] = []  # of each edge, counted within its information state
        states: dict[tuple[int, str], int] = {}
        waiting: list[tuple[Any, tuple[int, int, int, int, float], int]] = [(root, (0, 0, CHANCE, 0, 1.0), 0)]
        while waiting:
            state, (depth, parent, player, asked, chance), slot = waiting.pop()
            edges.append((depth, parent, len(paid), player, asked, chance))
            slots.append(slot)
            here, player, asked = len(paid), CHANCE, 0
            paid.append(state.returns()[0] if state.is_terminal() else 0.0)
            if state.is_terminal():
                continue
            if state.is_chance_node():
                ways = state.chance_outcomes()
            else:
                player = state.current_player()
                asked = states.setdefault((player, state.information_state_string(player)), len(states))
                ways = [(action, 1.0) for action in state.legal_actions()]
            for nth, (action, chance) in enumerate(ways):
                waiting.append((state.child(action), (depth + 1, here, player, asked, chance), nth))
            state.progress.drop_children()  # 474,842 games would take gigabytes
        edges.pop(0)
        slots.pop(0)
        self.paid: Numbers = np.array(paid)
        columns = [np.array(column) for column in zip(*edges, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        depths, self.parent, self.child, self.player, state_of, self.chance = [column[order] for column in columns]
        decided = self.player != CHANCE
        sizes = np.zeros(len(states), np.int64)
        places = np.array(slots)[order]
        np.maximum.at(sizes, state_of[decided], places[decided] + 1)
        self.first = np.cumsum(sizes) - sizes  # slot of each information state
        self.state_of = np.repeat(np.arange(len(states)), sizes)  # by slot
        self.slot: Places = np.where(decided, self.first[state_of] + places, 0)
        bounds = np.searchsorted(depths, np.arange(1, depths[-1] + 2))
        self.levels = [slice(*pair) for pair in zip(bounds, [*bounds[1:], len(depths)], strict=True)]

    def shares(self, weights: Numbers) -> Numbers:
        """Weights of slots as chances; all the same where an information state has none."""
        totals = np.bincount(self.state_of, weights)[self.state_of]
        even = 1.0 / np.bincount(self.state_of)[self.state_of]
        return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), even)

    def reached(self, policy: Numbers, by: int) -> Numbers:
        """How likely each history is as far as a seat, or chance, has its part in it."""
        reach = np.ones(len(self.paid))
        for level in self.levels:
            part = self.chance[level] if by == CHANCE else policy[self.slot[level]]
            reach[self.child[level]] = reach[self.parent[level]] * np.where(self.player[level] == by, part, 1.0)
        return reach

    def values(self, policy: Numbers, seat: int, best: bool = False) -> Numbers:
        """What each history is worth to a seat, which plays by the policy too, or its best response."""
        worth = self.paid if seat == 0 else -self.paid
        others = self.reached(policy, 1 - seat) * self.reached(policy, CHANCE) if best else worth
        for level in reversed(self.levels):
            parent, child, slot = self.parent[level], self.child[level], self.slot[level]
            weight = np.where(self.player[level] == CHANCE, self.chance[level], policy[slot])
            own = self.player[level] == seat
            if best and own.any():
                gain = np.bincount(slot[own], others[parent[own]] * worth[child[own]], len(self.state_of))
                weight[own] = self.greedy(gain.astype(np.float64))[slot[own]]
            worth = worth + np.bincount(parent, weight * worth[child], len(worth))
        return worth

    def greedy(self, gain: Numbers) -> Numbers:
        """The best slot of each information state."""
        order = np.lexsort((gain, self.state_of))
        last = np.append(self.first[1:], len(gain)) - 1
        chosen = np.zeros(len(gain))
        chosen[order[last]] = 1.0
        return chosen

    def exploitability(self, policy: Numbers) -> float:
        """What the best responses gain, on average."""
        return float(self.values(policy, 0, best=True)[0] + self.values(policy, 1, best=True)[0]) / 2


def solve(tree: Tree) -> Numbers:
    """The average policy of CFR+, the later ones counting more."""
    regrets, total = np.zeros(len(tree.state_of)), np.zeros(len(tree.state_of))
    for nth in range(1, ITERATIONS + 1):
        for seat in (0, 1):
            policy, own = tree.shares(regrets), tree.player == seat
            worth = tree.values(policy, seat)
            others = tree.reached(policy, 1 - seat) * tree.reached(policy, CHANCE)
            parent, child = tree.parent[own], tree.child[own]
            gain = np.bincount(tree.slot[own], others[parent] * (worth[child] - worth[parent]), len(regrets))
            regrets = np.maximum(regrets + gain, 0.0)
        policy = tree.shares(regrets)
        for seat in (0, 1):
            own, reach = tree.player == seat, np.zeros(len(regrets))
            reach[tree.slot[own]] = tree.reached(policy, seat)[tree.parent[own]]  # the same in all its histories
            total += nth * reach * policy
    return tree.shares(total)


def main(size: str) -> None:
    """Say how large the game is, what random play loses, and what is left after CFR+."""
    tree = Tree(pyspiel.load_game(f"python_silver_mini({size})").new_initial_state())
    ends = len(tree.paid) - len(np.unique(tree.parent))
    print(f"{len(tree.paid):,} histories, {ends:,} of which end; {len(tree.first):,} information states")
    print(f"random play loses {tree.exploitability(tree.shares(np.zeros(len(tree.state_of)))):.2f} points")
    policy = solve(tree)
    print(f"after {ITERATIONS} iterations of CFR+ {tree.exploitability(policy):.4f} are left;", end=" ")
    print(f"the first seat wins by {tree.values(policy, 0)[0]:.2f}")


if __name__ == "__main__":
    print(__doc__) if "--help" in sys.argv else main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
