"""The end of a round: the 0s that act, the sums and why, the scores, and where the token goes (G15 to G19)."""

from typing import Final, NamedTuple

from argentum.rules import events as ev
from argentum.rules.notation import SEATS, spot_text
from argentum.rules.residents import Ask
from argentum.rules.table import ACTIVE, EVERYBODY, IDLE, NO_CARD, NO_SEAT, Table

ROUNDS: Final = 4
LOST_CALL: Final = 10
# Why a card counts what it does, by the ruling.
COUNTS: Final = {
    "G16": "",
    "B13": "counts as the lowest other card",
    "B14": "counts 0 under the bullet",
    "D2": "counts 0 while faceup",
}


class Line(NamedTuple):
    """One line of a seat's reckoning: which card, what it did, the sum after it, and why."""

    seat: str
    card: str  # the spot, or empty
    change: int
    sum: int
    why: str
    label: str

    def __str__(self) -> str:
        return f"{self.seat} {self.card or '':3}{self.change:+4d} = {self.sum:3d}  {self.why} ({self.label})"


class Tally:
    """The reckoning of a round, line by line."""

    def __init__(self, table: Table, aloud: bool) -> None:
        self.table = table
        self.aloud = aloud  # whether to write the lines
        self.sums = [0] * table.players
        self.lines: list[Line] = []

    def set(self, seat: int, total: int, card: int, label: str, why: str) -> None:
        """Change a seat's sum because of a card (or of none) and say why."""
        change = total - self.sums[seat]
        self.sums[seat] = total
        if not self.aloud:
            return
        place = ""
        if card >= 0:
            place = spot_text(self.table.spot(card))
            number = self.table.faces[card]
            why = f"{number} {self.table.cast.residents[number].name}{': ' * bool(why)}{why}"
        self.lines.append(Line(SEATS[seat], place, change, total, why, label))

    def printed(self, card: int) -> int:
        """A card's printed number, but 0 for a faceup Halfling and for the card under the bullet (C13, B14)."""
        table = self.table
        if card == table.bullet or (table.faces[card] == table.cast.halfling and table.up[card]):
            return 0
        return table.faces[card]

    def count(self, seat: int, card: int) -> None:
        """Add what a card counts (G15)."""
        table = self.table
        number = self.printed(card)
        label = "G16"
        if number == table.cast.copycat:
            number = self.copied(seat)
            label = "B13"
        elif number != table.faces[card]:
            label = "B14" if card == table.bullet else "D2"
        self.set(seat, self.sums[seat] + number, card, label, COUNTS[label])

    def copied(self, seat: int) -> int:
        """What a Copycat counts: the lowest other number, of neither Copycats nor faceup Halflings (B13, X7)."""
        table = self.table
        lowest = 13
        for card in table.villages[seat]:
            if card == table.bullet:
                return 0
            number = table.faces[card]
            if number != table.cast.copycat and not (number == table.cast.halfling and table.up[card]):
                lowest = min(lowest, number)
        return lowest


def finish_round(table: Table) -> Ask:
    """Reveal, let the 0s act, and score (G15)."""
    table.tell(ev.ROUND_ENDED, table.turn)
    reveal(table)
    if table.cast.hunter == 0 or table.cast.regifter == 0:
        for seat in table.clockwise_from(table.token_seat):
            yield from act_zeros(table, seat)
    score(table)


def reveal(table: Table) -> None:
    """Everybody sees every village; the cards keep the faces they had."""
    for seat in range(table.players):
        for place, card in enumerate(table.villages[seat]):
            table.seen[card] = EVERYBODY
            if not table.up[card]:
                table.tell(ev.REVEALED, seat, seat << 6 | place, card)


def act_zeros(table: Table, seat: int) -> Ask:
    """A seat's faceup 0s act one by one from its left; one that is given to it in time acts too (C0)."""
    table.chooser = seat
    act = table.cast.residents[0].act
    done: list[int] = []
    while act is not None:
        ready = [
            card
            for card in table.villages[seat]
            if table.faces[card] == 0 and table.up[card] and card != table.bullet and card not in done
        ]
        if not ready:
            return
        done.append(ready[0])
        yield from act(table, seat, ready[0], 1 << ready[0])


def reckon(table: Table, token_seat: int, aloud: bool) -> Tally:
    """Work out the sums: what each card counts, then the scoring abilities from the lowest number up (G15)."""
    tally = Tally(table, aloud)
    seats = table.clockwise_from(token_seat)
    for seat in seats:
        for card in table.villages[seat]:
            tally.count(seat, card)
        if not table.villages[seat]:
            tally.set(seat, 0, NO_CARD, "G16", "no cards")
    for resident in table.cast.residents:
        resolve = resident.score
        if resolve is not None:
            for seat in seats:
                for card in table.villages[seat]:
                    if table.faces[card] == resident.number and card != table.bullet:
                        resolve(tally, seat, card)
    return tally


def explain(table: Table) -> list[Line]:
    """The score of a finished round line by line, the caller's last."""
    tally = reckon(table, table.token_was, True)
    caller = table.caller
    if caller != NO_SEAT:
        own = tally.sums[caller]
        if call_won(table, tally.sums):
            tally.set(caller, 0, NO_CARD, "G16", "the call is won: no sum is lower")
        else:
            tally.set(caller, own + LOST_CALL, NO_CARD, "G16", "the call is lost")
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
    table.totals = [total + points for total, points in zip(table.totals, scores, strict=True)]
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
