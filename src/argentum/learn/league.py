"""The league: older selves of the network, and the one that had only just learned to imitate."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

import torch

from argentum.learn import config as cf
from argentum.learn.models import Actor, cpu_state_dict

RESULT_DECAY: Final = 0.98  # how much of what is known of a member is kept after a game
MIN_WEIGHT: Final = 0.1  # every member is played against now and then


class LeagueMember(NamedTuple):
    """An older self."""

    name: str
    weights: dict[str, torch.Tensor]  # in half precision


class League:
    """The members, how the network does against each, and which of them are played against now."""

    def __init__(self, config: cf.LeagueConfig, actors: Sequence[Actor], seed: int) -> None:
        self.config: Final = config
        self.actors: Final = actors  # to play them with, as many as are played against at once
        self.members: list[LeagueMember] = []
        self.mean_results: list[float] = []  # what a game against each brings, from -1 to 1
        self.active: list[int] = []
        self.random: Final = Random(seed)

    def add(self, name: str, actor: Actor) -> None:
        """The network as it is joins; the oldest but the first leaves where there are too many."""
        self.members.append(LeagueMember(name, {key: value.half() for key, value in cpu_state_dict(actor).items()}))
        self.mean_results.append(0.0)
        if len(self.members) > self.config.size:
            del self.members[1], self.mean_results[1]
        self.choose_opponents()

    def choose_opponents(self) -> None:
        """Choose who is played against: rather those that are hard to beat."""
        weights = [(1 - gain) ** 2 / 4 + MIN_WEIGHT for gain in self.mean_results]
        first = [0] if self.config.first else []
        others = self.random.choices(range(len(self.members)), weights, k=len(self.actors) - len(first))
        self.active = first + others
        self.load_weights()

    def load_weights(self) -> None:
        """Load the weights of those who are played against."""
        for actor, index in zip(self.actors, self.active, strict=True):
            actor.load_state_dict({key: value.float() for key, value in self.members[index].weights.items()})

    def record_results(self, outcomes: list[tuple[int, float]]) -> None:
        """Note how games came out: which of those played against, and what it brought."""
        for slot, gain in outcomes:
            index = self.active[slot]
            self.mean_results[index] = RESULT_DECAY * self.mean_results[index] + (1 - RESULT_DECAY) * gain

    def summary(self) -> dict[str, float]:
        """How the network does against each member."""
        return {member.name: round(gain, 3) for member, gain in zip(self.members, self.mean_results, strict=True)}

    def state(self) -> dict[str, Any]:
        """All of it, to be kept."""
        members = [tuple(member) for member in self.members]
        return {"members": members, "gains": self.mean_results, "chosen": self.active, "random": self.random.getstate()}

    def load_state(self, kept: dict[str, Any]) -> None:
        """Take up what was kept."""
        self.members = [LeagueMember(*member) for member in kept["members"]]
        self.mean_results, self.active = kept["gains"], kept["chosen"]
        self.random.setstate(kept["random"])
        if len(self.active) == len(self.actors):
            self.load_weights()
        elif self.members:  # the configuration has more or fewer at once than it had
            self.choose_opponents()
