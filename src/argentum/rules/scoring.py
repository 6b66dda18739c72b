"""The end of a round: the 0s that act, the sums and why, the scores, and where the token goes (G15 to G19)."""

from typing import Final, NamedTuple

from argentum.rules import events as ev
from argentum.rules.asking import at_work
from argentum.rules.notation import SEATS, spot_text
from argentum.rules.residents import Ask
from argentum.rules.table import ACTIVE, EVERYBODY, IDLE, NO_CARD, NO_SEAT, Table

ROUNDS: Final = 4
LOST_CALL: Final = 10

# What a line of a reckoning is about.
CARD: Final = "card"  # what a card counts
EMPTY: Final = "empty"  # a village without cards
CHANGE: Final = "change"  # a scoring ability changes the sum
WON: Final = "won"  # the call
LOST: Final = "lost"


class Line(NamedTuple):
    """One line of a seat's reckoning: what it is about, what it did, and the sum after it."""

    seat: str
    kind: str
    spot: str  # of the card that it is about, which may lie in another village; or empty
    number: int | None  # of that card
    amount: int  # by which the sum changes
    sum: int
    cause: str  # the label of the ruling
    value: int | None = None  # what the ruling looked at: cards in the other villages (D0), the other numbers (C13)

    def __str__(self) -> str:
        card = "" if self.number is None else f" {self.number} at {self.spot}"
        return f"{self.seat} {self.amount:+4d} = {self.sum:3d}  {self.kind}{card} ({self.cause})"


class Tally:
    """The reckoning of a round, line by line."""

    def __init__(self, table: Table, aloud: bool) -> None:
        self.table = table
        self.aloud = aloud  # whether to write the lines
        self.sums = [0] * table.players
        self.lines: list[Line] = []

    def set(self, seat: int, total: int, card: int, cause: str, kind: str = CHANGE, value: int | None = None) -> None:
        """Change a seat's sum because of a card (or of none), by the ruling that is the cause."""
        change = total - self.sums[seat]
        self.sums[seat] = total
        if self.aloud:
            spot = spot_text(self.table.spot(card)) if card >= 0 else ""
            number = self.table.faces[card] if card >= 0 else None
            self.lines.append(Line(SEATS[seat], kind, spot, number, change, total, cause, value))

    def counted(self, seat: int, card: int) -> int:
        """What a card counts: its number, unless it is muted or its resident says otherwise (B14, D2, B13)."""
        table = self.table
        if card == table.muted:
            return 0
        number = table.faces[card]
        if table.cast.counts >> number & 1:
            counts = table.cast.residents[number].counts
            if counts is not None:
                return counts(self, seat, card)
        return number

    def count(self, seat: int, card: int) -> None:
        """Add what a card counts (G15)."""
        table, counted = self.table, self.counted(seat, card)
        if not self.aloud:  # nobody asks why
            self.sums[seat] += counted
            return
        number = table.faces[card]
        cause = "G16"
        if card == table.muted:
            cause = table.cast.token_label
        elif counted != number:
            cause = table.cast.labels[number]
        self.set(seat, self.sums[seat] + counted, card, cause, CARD)


def finish_round(table: Table) -> Ask:
    """Reveal, let the 0s act, and score (G15)."""
    table.tell(ev.ROUND_ENDED, table.turn, -1, NO_CARD, table.reason)
    reveal(table)
    if table.cast.closing:
        for seat in table.clockwise_from(table.token_seat):
            yield from act_last(table, seat)
    score(table)


def reveal(table: Table) -> None:
    """Everybody sees every village; the cards keep the faces they had."""
    for seat in range(table.players):
        for place, card in enumerate(table.villages[seat]):
            table.seen[card] = EVERYBODY
            if not table.up >> card & 1:
                table.tell(ev.REVEALED, seat, seat << 6 | place, card)


def act_last(table: Table, seat: int) -> Ask:
    """A seat's faceup 0s act one by one from its left; one that is given to it in time acts too (C0)."""
    table.chooser = seat
    done: list[int] = []
    while True:
        ready = [card for card in table.villages[seat] if card not in done and table.works(card, table.cast.closing)]
        if not ready:
            return
        done.append(ready[0])
        resident = table.cast.residents[table.faces[ready[0]]]
        if resident.act is not None:
            yield from at_work(table, resident.label, resident.act(table, seat, ready[0], 1 << ready[0]))


def reckon(table: Table, token_seat: int, aloud: bool) -> Tally:
    """Work out the sums: what each card counts, then the scoring abilities from the lowest number up (G15)."""
    tally = Tally(table, aloud)
    seats = table.clockwise_from(token_seat)
    for seat in seats:
        for card in table.villages[seat]:
            tally.count(seat, card)
        if not table.villages[seat]:
            tally.set(seat, 0, NO_CARD, "G16", EMPTY)
    for resident in table.cast.residents:
        resolve = resident.score
        if resolve is not None:
            for seat in seats:
                for card in table.villages[seat]:
                    if table.faces[card] == resident.number and card != table.muted:
                        resolve(tally, seat, card)
    return tally


def explain(table: Table) -> list[Line]:
    """The score of a finished round line by line, the caller's last."""
    tally = reckon(table, table.token_was, True)
    caller = table.caller
    if caller != NO_SEAT:
        own = tally.sums[caller]
        if call_won(table, tally.sums):
            tally.set(caller, 0, NO_CARD, "G16", WON)
        else:
            tally.set(caller, own + LOST_CALL, NO_CARD, "G16", LOST)
    return tally.lines


def call_won(table: Table, sums: list[int]) -> bool:
    """Whether somebody called and no sum is lower than the caller's (G16)."""
    return table.caller != NO_SEAT and min(sums) == sums[table.caller]


def score(table: Table) -> None:
    """Score the round and hand the token on (G16, G17); after the last round, name the winner (G19)."""
    sums = reckon(table, table.token_seat, False).sums
    won = call_won(table, sums)
    scores = sums[:]
    if table.caller != NO_SEAT:
        scores[table.caller] = 0 if won else sums[table.caller] + LOST_CALL
    table.scores = scores
    table.totals = [total + scores[seat] for seat, total in enumerate(table.totals)]
    for seat in range(table.players):
        table.tell(ev.SCORED, seat, -1, NO_CARD, scores[seat])
    pass_token(table, scores, won)
    table.over = True
    if table.round == ROUNDS:
        table.tell(ev.WON, winner(table))


def pass_token(table: Table, scores: list[int], won: bool) -> None:
    """The token goes to the lowest score, active only for a successful caller (G17)."""
    lowest = min(scores)
    seat = table.token_was = table.token_seat
    if won and scores[table.caller] == lowest:
        seat = table.caller
    else:
        seat = next(one for one in table.clockwise_from(seat) if scores[one] == lowest)
    table.token_seat = seat
    table.token_state = ACTIVE if won and seat == table.caller else IDLE
    table.tell(ev.TOKEN_WENT, seat, -1, NO_CARD, table.token_state)


def winner(table: Table) -> int:
    """The seat with the lowest total; at a tie, the first from the token's seat (G19)."""
    lowest = min(table.totals)
    return next(seat for seat in table.clockwise_from(table.token_seat) if table.totals[seat] == lowest)
