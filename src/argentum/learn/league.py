"""The league: older selves of the network, and the one that had only just learned to imitate."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

import torch

from argentum.learn import config as cf
from argentum.learn.models import Actor, state

FORGETTING: Final = 0.98  # how much of what is known of a member is kept after a game
DOUBT: Final = 0.1  # every member is played against now and then


class Member(NamedTuple):
    """An older self."""

    name: str
    weights: dict[str, torch.Tensor]  # in half precision


class Leagues:
    """The members, how the network does against each, and which of them are played against now."""

    def __init__(self, config: cf.League, actors: Sequence[Actor], seed: int) -> None:
        self.config: Final = config
        self.actors: Final = actors  # to play them with, as many as are played against at once
        self.members: list[Member] = []
        self.gains: list[float] = []  # what a game against each brings, from -1 to 1
        self.chosen: list[int] = []
        self.random: Final = Random(seed)

    def add(self, name: str, actor: Actor) -> None:
        """The network as it is joins; the oldest but the first leaves where there are too many."""
        self.members.append(Member(name, {key: value.half() for key, value in state(actor).items()}))
        self.gains.append(0.0)
        if len(self.members) > self.config.size:
            del self.members[1], self.gains[1]
        self.choose()

    def choose(self) -> None:
        """Choose who is played against: rather those that are hard to beat."""
        weights = [(1 - gain) ** 2 / 4 + DOUBT for gain in self.gains]
        first = [0] if self.config.first else []
        others = self.random.choices(range(len(self.members)), weights, k=len(self.actors) - len(first))
        self.chosen = first + others
        self.seat()

    def seat(self) -> None:
        """Load the weights of those who are played against."""
        for actor, nth in zip(self.actors, self.chosen, strict=True):
            actor.load_state_dict({key: value.float() for key, value in self.members[nth].weights.items()})

    def learn(self, outcomes: list[tuple[int, float]]) -> None:
        """Note how games came out: which of those played against, and what it brought."""
        for slot, gain in outcomes:
            nth = self.chosen[slot]
            self.gains[nth] = FORGETTING * self.gains[nth] + (1 - FORGETTING) * gain

    def told(self) -> dict[str, float]:
        """How the network does against each member."""
        return {member.name: round(gain, 3) for member, gain in zip(self.members, self.gains, strict=True)}

    def state(self) -> dict[str, Any]:
        """All of it, to be kept."""
        members = [tuple(member) for member in self.members]
        return {"members": members, "gains": self.gains, "chosen": self.chosen, "random": self.random.getstate()}

    def go_on(self, kept: dict[str, Any]) -> None:
        """Take up what was kept."""
        self.members = [Member(*member) for member in kept["members"]]
        self.gains, self.chosen = kept["gains"], kept["chosen"]
        self.random.setstate(kept["random"])
        if len(self.chosen) == len(self.actors):
            self.seat()
        elif self.members:  # the configuration has more or fewer at once than it had
            self.choose()
