"""Verification of a server's deals against its commitment and the player's shuffle value."""

import secrets

from argentum import records
from argentum.records.fairness import VerificationError, verify
from argentum.terminal.sources import ProtocolMessage

DEAL_OK = "The cards were dealt as the server promised before the game."
DEAL_OK_SEEN_LATE = "The cards were dealt as the server promised, but you did not see the promise before the game."


class DealVerifier:
    """Tracks a table's commitments, adds a random value to its shuffles, and verifies the game's record."""

    def __init__(self) -> None:
        self.commitment = ""
        self.value = ""
        self.is_late = False  # whether the commitment was first seen after the game had started
        self.value_sent = False  # whether it was sent over this connection; a restarted server has lost earlier values

    def observe(self, update: ProtocolMessage) -> ProtocolMessage | None:
        """Store an update's commitment. Return a message with the player's shuffle value if it is due, else None."""
        commitment = update["arrangement"].get("commitment", "")
        if not commitment:
            return None
        if commitment != self.commitment:
            self.commitment, self.value, self.value_sent = commitment, "", False
            self.is_late = update["stage"] != "gathering"
        if update["stage"] != "gathering" or not update["seat"] or self.value_sent:
            return None
        self.value, self.value_sent = self.value or secrets.token_urlsafe(16), True
        return {"type": "shuffle_value", "value": self.value}

    def verdict(self, record: str, seat: str) -> str:
        """Return a sentence that says whether the record of a finished game matches the commitment."""
        try:
            deal_commitment = verify(record, records.read(record), self.commitment)
            if self.value and dict(deal_commitment.values).get(seat) != self.value:
                raise VerificationError("your value is not among those that the cards were shuffled with")
        except ValueError as error:
            return f"The deals are not as promised: {error}."
        return DEAL_OK_SEEN_LATE if self.is_late else DEAL_OK
