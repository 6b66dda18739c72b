"""Deals that can be checked: what a server promised before the game, our share in it, and whether it kept its word."""

import secrets

from argentum import records
from argentum.records.fairness import VerificationError, verify
from argentum.terminal.sources import Message

DEAL_OK = "The cards were dealt as the server promised before the game."
LATE = "The cards were dealt as the server promised, but you did not see the promise before the game."


class DealVerifier:
    """The commitment of a table, and the value that we added to its shuffles."""

    def __init__(self) -> None:
        self.commitment = ""
        self.value = ""
        self.late = False  # the commitment was first heard when the game had begun
        self.value_sent = False  # on this line: a server that was restarted knows of no values

    def observe(self, update: Message) -> Message | None:
        """Note what is promised; before a game, the message that adds our share."""
        told = update["arrangement"].get("commitment", "")
        if not told:
            return None
        if told != self.commitment:
            self.commitment, self.value, self.value_sent = told, "", False
            self.late = update["stage"] != "gathering"
        if update["stage"] != "gathering" or not update["seat"] or self.value_sent:
            return None
        self.value, self.value_sent = self.value or secrets.token_urlsafe(16), True
        return {"type": "value", "value": self.value}

    def verdict(self, record: str, seat: str) -> str:
        """Whether a finished game's record agrees with what was promised, in a sentence."""
        try:
            opened = verify(record, records.read(record), self.commitment)
            if self.value and dict(opened.values).get(seat) != self.value:
                raise VerificationError("your share is not among the values that the cards were shuffled with")
        except ValueError as error:
            return f"The deals are not as promised: {error}."
        return LATE if self.late else DEAL_OK
