"""Past versions of the network as opponents in self-play."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

import torch

from argentum.learn import config as cf
from argentum.learn.models import Actor, cpu_state_dict

RESULT_DECAY: Final = 0.98  # per game, of the moving average of results
MIN_WEIGHT: Final = 0.1  # added to the weight of every member, so that each is chosen sometimes


class LeagueMember(NamedTuple):
    name: str
    weights: dict[str, torch.Tensor]  # in half precision


class League:
    """Members of the league, with the learner's mean result against each. The active members are the opponents."""

    def __init__(self, config: cf.LeagueConfig, actors: Sequence[Actor], seed: int) -> None:
        self.config: Final = config
        self.actors: Final = actors  # networks for the active members' weights
        self.members: list[LeagueMember] = []
        self.mean_results: list[float] = []  # of the learner against each member, -1 to 1
        self.active: list[int] = []  # indexes of members, possibly with duplicates
        self.random: Final = Random(seed)

    def add(self, name: str, actor: Actor) -> None:
        """Add a copy of the network as a member, and choose new opponents.

        If there are too many members, remove the second oldest.
        """
        self.members.append(LeagueMember(name, {key: value.half() for key, value in cpu_state_dict(actor).items()}))
        self.mean_results.append(0.0)
        if len(self.members) > self.config.size:
            del self.members[1], self.mean_results[1]
        self.choose_opponents()

    def choose_opponents(self) -> None:
        """Sample the active members, harder ones more often, and load their weights.

        With `keep_first`, the first member is always active.
        """
        weights = [(1 - result) ** 2 / 4 + MIN_WEIGHT for result in self.mean_results]
        first = [0] if self.config.keep_first else []
        others = self.random.choices(range(len(self.members)), weights, k=len(self.actors) - len(first))
        self.active = first + others
        self.load_weights()

    def load_weights(self) -> None:
        for actor, index in zip(self.actors, self.active, strict=True):
            actor.load_state_dict({key: value.float() for key, value in self.members[index].weights.items()})

    def record_results(self, results: list[tuple[int, float]]) -> None:
        """Update the mean results. `results` has, for each game, the opponent's index in `active` and the result."""
        for slot, result in results:
            index = self.active[slot]
            self.mean_results[index] = RESULT_DECAY * self.mean_results[index] + (1 - RESULT_DECAY) * result

    def summary(self) -> dict[str, float]:
        """Return the learner's mean result against each member, by name."""
        return {member.name: round(result, 3) for member, result in zip(self.members, self.mean_results, strict=True)}

    def state(self) -> dict[str, Any]:
        members = [tuple(member) for member in self.members]
        return {
            "members": members,
            "mean_results": self.mean_results,
            "active": self.active,
            "random": self.random.getstate(),
        }

    def load_state(self, state: dict[str, Any]) -> None:
        self.members = [LeagueMember(*member) for member in state["members"]]
        self.mean_results, self.active = state["mean_results"], state["active"]
        self.random.setstate(state["random"])
        if len(self.active) == len(self.actors):
            self.load_weights()
        elif self.members:  # `league.active` has changed
            self.choose_opponents()
