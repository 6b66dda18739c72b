"""Commit to deals before a game, and verify them afterwards.

A secret of 256 bits and a value from each seat determine all shuffles of a game. The server publishes a commitment to
the secret before the players choose their values. A part of the secret for each round is revealed after that round, and
discloses nothing about later rounds. A fifth part, for shuffles during rounds, is revealed after the game.
docs/fairness.md specifies how to reproduce the shuffles; `web/static/js/deals.js` does so in the browser.
"""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from argentum.rules.deal import DEALT_SETS, FULL_DECK, VILLAGE_SIZE, Deal
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.shuffling import random_below, random_words, unbiased_shuffle

SECRET_BYTES = 32
VALUE_PATTERN = re.compile(r"[0-9A-Za-z_-]{1,64}")
COMMENT_PATTERN = re.compile(r"^# deal (secret|commitment|value of ([A-D])): (\S+)$", re.MULTILINE)


class VerificationError(ValueError):
    """A record contains no valid commitment, or its deals or shuffles do not match the commitment."""


@dataclass(frozen=True)
class DealCommitment:
    """The server's secret and the players' values, which determine all shuffles of a game."""

    secret: bytes
    values: tuple[tuple[str, str], ...] = ()  # by seat, in order

    def round_secret(self, part_number: int) -> bytes:
        """Return the secret for the deal of a round, from 1, or for shuffles during rounds (`ROUNDS_PER_GAME` + 1)."""
        return hmac.digest(self.secret, f"part {part_number}".encode(), "sha256")

    def digests(self) -> list[bytes]:
        """Return the digests of all parts, which commit to them without revealing them."""
        return [
            sha256(b"argentum part\n" + self.round_secret(part_number)).digest()
            for part_number in range(1, ROUNDS_PER_GAME + 2)
        ]

    @cached_property
    def commitment(self) -> str:
        """The digest of all parts, published before the game."""
        return sha256(b"argentum commitment\n" + b"".join(self.digests())).hexdigest()

    @property
    def seed(self) -> int:
        """The 256-bit seed of the shuffles during rounds."""
        return int.from_bytes(self._part_key(ROUNDS_PER_GAME + 1), "big")

    def deals(self, players: int) -> list[Deal]:
        """Return the deals of all rounds. The start seat matters only in the first one (G3)."""
        return [self._deal(round_, players) for round_ in range(1, ROUNDS_PER_GAME + 1)]

    def record_comments(self) -> str:
        """Return the commitment, the secret and the values as comments for the end of a record."""
        lines = [f"# deal commitment: {self.commitment}", f"# deal secret: {self.secret.hex()}"]
        return "\n".join([*lines, *[f"# deal value of {seat}: {value}" for seat, value in self.values]]) + "\n"

    def verification_data(self, round_: int, deal: Deal) -> dict[str, Any]:
        """Return what a client needs to verify the deal of a finished round."""
        return {
            "round": round_,
            "commitment": self.commitment,
            "digests": [digest.hex() for digest in self.digests()],
            "part": self.round_secret(round_).hex(),
            "values": dict(self.values),
            "start": deal.start,
            "villages": deal.villages,
            "discard": deal.discard,
            "deck": deal.deck,
        }

    def _part_key(self, part_number: int) -> bytes:
        seat_values = "".join([f"{seat} {value}\n" for seat, value in self.values])
        return sha256(b"argentum deal\n" + self.round_secret(part_number) + f"\n{seat_values}".encode()).digest()

    def _deal(self, round_: int, players: int) -> Deal:
        source = random_words(self._part_key(round_))
        start = random_below(players, source)
        order = FULL_DECK[:]
        unbiased_shuffle(order, source)
        first = DEALT_SETS * VILLAGE_SIZE
        villages = [order[seat * VILLAGE_SIZE : (seat + 1) * VILLAGE_SIZE] for seat in range(players)]
        return Deal(start, villages, order[first], order[first + 1 :])


def make_commitment(secret: bytes, values: Mapping[str, str]) -> DealCommitment:
    """Return the commitment to a secret and the seats' values; keys of `values` other than seats are ignored."""
    return DealCommitment(secret, tuple([(seat, values[seat]) for seat in SEAT_LETTERS if seat in values]))


def read_commitment(record_text: str) -> DealCommitment:
    """Return the secret and values in the comments of a record; raise `VerificationError` if there are none."""
    comments = {seat or kind: value for kind, seat, value in COMMENT_PATTERN.findall(record_text)}
    if not {"secret", "commitment"} <= comments.keys():
        raise VerificationError(
            "this record does not say how its cards were shuffled: complete records of tables have that"
        )
    try:
        secret = bytes.fromhex(comments["secret"])
    except ValueError:
        raise VerificationError("the record's secret is not a hexadecimal number") from None
    if len(secret) != SECRET_BYTES:
        raise VerificationError(f"the record's secret has {len(secret)} bytes, not {SECRET_BYTES}")
    return make_commitment(secret, comments)


def verify(record_text: str, game: Game, commitment: str = "") -> DealCommitment:
    """Check that the deals and shuffles of a finished game follow from the secret and values in its record.

    Return the secret and values; raise `VerificationError` if the check fails. `commitment` is the commitment published
    before the game, by default the one in the record.
    """
    deal_commitment = read_commitment(record_text)
    recorded = next(value for kind, _, value in COMMENT_PATTERN.findall(record_text) if kind == "commitment")
    if deal_commitment.commitment != (commitment or recorded):
        raise VerificationError("the secret is not the one that was promised before the game")
    for part_number, (deal, promised_deal) in enumerate(
        zip(game.deals, deal_commitment.deals(game.players), strict=False), 1
    ):
        if deal.card_order(game.players) != promised_deal.card_order(game.players) or (
            part_number == 1 and deal.start != promised_deal.start
        ):
            raise VerificationError(f"round {part_number} was not dealt as promised")
    _check_shuffles(game, deal_commitment)
    return deal_commitment


def _check_shuffles(game: Game, deal_commitment: DealCommitment) -> None:
    """Replay the game with the committed seed, and raise `VerificationError` if a shuffle differs."""
    cast, deals = game.cast, deal_commitment.deals(game.players)
    replayed = Game.new(
        cast.code, game.players, deal_commitment.seed, cast.token, game.names, deals, rulings=game.rulings
    )
    for move in game.history():
        round_ = replayed.round
        replayed.play(move)
        shuffled = replayed.shuffles(round_)  # Compare now, because after a wrong shuffle the next move may be illegal.
        if shuffled != game.shuffles(round_)[: len(shuffled)]:
            raise VerificationError(f"a village was not shuffled as promised in round {round_}")
