"""Deals that players can check: the server commits itself before the players add their share, and opens it at the end.

Everything random in a game follows from a secret of 256 bits and a value from each seat. Whoever knows them can shuffle
again; docs/fairness.md says how, so that anybody can write a program that checks it.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from argentum.rules.deal import FULL_DECK, SETS, VILLAGE_SIZE, Deal
from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.rules.scoring import ROUNDS

VALUE = re.compile(r"[0-9A-Za-z_-]{1,64}")
REMARK = re.compile(r"^# deal (secret|commitment|value of ([A-D])): (\S+)$", re.MULTILINE)


class Unfair(ValueError):
    """A record that does not agree with what was promised, or says nothing of it."""


class Opening(NamedTuple):
    """What a game's shuffles follow from."""

    secret: bytes
    values: tuple[tuple[str, str], ...] = ()  # by seat, in order

    @property
    def commitment(self) -> str:
        """What is told before the game: it fixes the secret, and gives nothing of it away."""
        return sha256(b"argentum commitment\n" + self.secret).hexdigest()

    @property
    def seed(self) -> int:
        """The seed of what is shuffled during a round."""
        return int.from_bytes(self._digest("things")[:8], "big")

    def deals(self, players: int) -> list[Deal]:
        """The deals of all rounds. Only the first says who starts; later it is the token's seat (G3)."""
        return [self._deal(round_, players) for round_ in range(1, ROUNDS + 1)]

    def remarks(self) -> str:
        """The opening, as remarks at the end of a record."""
        lines = [f"# deal commitment: {self.commitment}", f"# deal secret: {self.secret.hex()}"]
        return "\n".join([*lines, *[f"# deal value of {seat}: {value}" for seat, value in self.values]]) + "\n"

    def _digest(self, what: str) -> bytes:
        said = "".join([f"{seat} {value}\n" for seat, value in self.values])
        return sha256(b"argentum deal\n" + self.secret + f"\n{said}{what}\n".encode()).digest()

    def _deal(self, round_: int, players: int) -> Deal:
        words = self._words(round_)
        start = below(players, words)
        order = FULL_DECK[:]
        for last in range(len(order) - 1, 0, -1):
            other = below(last + 1, words)
            order[last], order[other] = order[other], order[last]
        first = SETS * VILLAGE_SIZE
        villages = [order[seat * VILLAGE_SIZE : (seat + 1) * VILLAGE_SIZE] for seat in range(players)]
        return Deal(start, villages, order[first], order[first + 1 :])

    def _words(self, round_: int) -> Iterator[int]:
        """Numbers of 32 bits without end: SHA-256 of a key with a counter."""
        key = self._digest(f"round {round_}")
        block = 0
        while True:
            digest = sha256(key + block.to_bytes(8, "big")).digest()
            yield from [int.from_bytes(digest[at : at + 4], "big") for at in range(0, len(digest), 4)]
            block += 1


def below(bound: int, words: Iterator[int]) -> int:
    """A number from 0 up to a bound, each as likely as the others."""
    limit = 2**32 - 2**32 % bound
    return next(word for word in words if word < limit) % bound


def opening(secret: bytes, values: Mapping[str, str]) -> Opening:
    """What a game follows from, with the seats' values in their order."""
    return Opening(secret, tuple([(seat, values[seat]) for seat in SEATS if seat in values]))


def verify(written: str, game: Game, commitment: str = "") -> Opening:
    """The opening of a finished game's record, if the deals follow from it; Unfair, if not.

    `commitment` is what the table told before the game, if somebody has kept it; else the record's own is checked.
    """
    found = {seat or kind: value for kind, seat, value in REMARK.findall(written)}
    if not {"secret", "commitment"} <= found.keys():
        raise Unfair("this record does not say how its cards were shuffled: tables on a server write that at the end")
    try:
        secret = bytes.fromhex(found["secret"])
    except ValueError:
        raise Unfair("the record's secret is not a hexadecimal number") from None
    opened = opening(secret, found)
    if opened.commitment != (commitment or found["commitment"]):
        raise Unfair("the secret is not the one that was promised before the game")
    for nth, (dealt, due) in enumerate(zip(game.dealt, opened.deals(game.players), strict=False), 1):
        if dealt.order(game.players) != due.order(game.players) or (nth == 1 and dealt.start != due.start):
            raise Unfair(f"round {nth} was not dealt as promised")
    _check_shuffles(game, opened)
    return opened


def _check_shuffles(game: Game, opened: Opening) -> None:
    """Play the game again with the promised seed: what a Thing shuffled must come out the same."""
    again = Game.new(game.cast.code, game.players, opened.seed, game.cast.token, game.names, opened.deals(game.players))
    for move in game.history():
        again.step(move)
    for round_ in range(1, len(game.dealt) + 1):
        if [one.numbers for one in again.shuffles(round_)] != [one.numbers for one in game.shuffles(round_)]:
            raise Unfair(f"a village was not shuffled as promised in round {round_}")
