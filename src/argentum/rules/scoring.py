# mypyc: compile
"""The end of a round: round-end abilities, sums, scores, and the token (G15 to G19)."""

from typing import Final, NamedTuple

from argentum.rules import events as ev
from argentum.rules.asking import run_ability
from argentum.rules.notation import SEAT_LETTERS, make_spot, spot_text
from argentum.rules.residents import Rule, has_number
from argentum.rules.table import NO_CARD, NO_SEAT, TOKEN_ACTIVE, TOKEN_IDLE, Table

ROUNDS_PER_GAME: Final = 4
LOST_CALL_POINTS: Final = 10

# Kinds of lines. The values are part of the protocol.
LINE_CARD: Final = "card"  # the value of a card
LINE_EMPTY: Final = "empty"  # a village without cards
LINE_CHANGE: Final = "change"  # a scoring ability changes the sum
LINE_CALL_WON: Final = "won"
LINE_CALL_LOST: Final = "lost"


class ScoreLine(NamedTuple):
    """One step in the score of a seat."""

    seat: str
    kind: str
    spot: str  # of the card that causes the change, perhaps in another village; empty for none
    number: int | None  # of that card
    amount: int  # the change of the sum
    sum: int
    cause: str  # the label of the ruling
    value: int | None = None  # for D0, the number of cards in other villages; for C13, the sum of the other cards

    def __str__(self) -> str:
        card = "" if self.number is None else f" {self.number} at {self.spot}"
        return f"{self.seat} {self.amount:+4d} = {self.sum:3d}  {self.kind}{card} ({self.cause})"


class Tally:
    """The sums of a round, optionally with the lines that explain them."""

    def __init__(self, table: Table, with_lines: bool) -> None:
        self.table = table
        self.with_lines = with_lines
        self.sums = [0] * table.players
        self.lines: list[ScoreLine] = []

    def set_sum(
        self, seat: int, total: int, card: int, cause: str, kind: str = LINE_CHANGE, value: int | None = None
    ) -> None:
        """Set the sum of a seat, and add a line that explains the change if there are lines.

        `card` is the card that causes the change, or `NO_CARD`; `cause` is the label of the ruling that applies.
        """
        change = total - self.sums[seat]
        self.sums[seat] = total
        if self.with_lines:
            spot = spot_text(self.table.spot_of_card(card)) if card >= 0 else ""
            number = self.table.faces[card] if card >= 0 else None
            self.lines.append(ScoreLine(SEAT_LETTERS[seat], kind, spot, number, change, total, cause, value))

    def card_value(self, seat: int, card: int) -> int:
        """Return the points of a card: its number, 0 if muted, or the value hook of its resident (B14, D2, B13)."""
        table = self.table
        if card == table.muted_card:
            return 0
        number = table.faces[card]
        if has_number(table.cast.has_card_value, number):
            value_hook = table.cast.residents[number].value_hook
            if value_hook is not None:
                return value_hook(self, seat, card)
        return number

    def add_card(self, seat: int, card: int) -> None:
        """Add a card's value to a seat's sum (G15)."""
        table, value = self.table, self.card_value(seat, card)
        if not self.with_lines:
            self.sums[seat] += value
            return
        number = table.faces[card]
        cause = "G16"
        if card == table.muted_card:
            cause = table.cast.token_label
        elif value != number:
            cause = table.cast.labels[number]
        self.set_sum(seat, self.sums[seat] + value, card, cause, LINE_CARD)


def finish_round(table: Table) -> Rule:
    """Reveal the villages, run the round-end abilities, and score (G15)."""
    table.begin_action()
    table.add_event(ev.ROUND_ENDED, table.turn, -1, NO_CARD, table.end_reason)
    reveal_villages(table)
    if table.cast.acts_at_round_end:
        for seat in table.seats_clockwise_from(table.token_seat):
            yield from use_round_end_abilities(table, seat)
    score_round(table)


def reveal_villages(table: Table) -> None:
    """Show everybody the cards of all villages, without turning them."""
    for seat in range(table.players):
        table.begin_action()
        village = table.villages[seat]
        table.reveal_cards_to_all(village)
        for place, card in enumerate(village):
            if not table.is_faceup(card):
                table.add_event(ev.REVEALED, seat, make_spot(seat, place), card)


def use_round_end_abilities(table: Table, seat: int) -> Rule:
    """Run the round-end abilities of a seat's faceup cards from the left, including cards received meanwhile (C0)."""
    table.chooser = seat
    done: list[int] = []
    while True:
        ready = [
            card
            for card in table.villages[seat]
            if card not in done and table.is_active(card, table.cast.acts_at_round_end)
        ]
        if not ready:
            return
        done.append(ready[0])
        resident = table.cast.residents[table.faces[ready[0]]]
        if resident.ability is not None:
            table.begin_action()
            yield from run_ability(table, resident.label, resident.ability(table, seat, ready[0], 1 << ready[0]))


def tally_round(table: Table, token_seat: int, with_lines: bool) -> Tally:
    """Add up card values, then apply scoring abilities from the lowest number up (G15)."""
    tally = Tally(table, with_lines)
    seats = table.seats_clockwise_from(token_seat)
    for seat in seats:
        for card in table.villages[seat]:
            tally.add_card(seat, card)
        if not table.villages[seat]:
            tally.set_sum(seat, 0, NO_CARD, "G16", LINE_EMPTY)
    for resident in table.cast.residents:
        scoring_hook = resident.scoring_hook
        if scoring_hook is not None:
            for seat in seats:
                for card in table.villages[seat]:
                    if table.faces[card] == resident.number and card != table.muted_card:
                        scoring_hook(tally, seat, card)
    return tally


def score_lines(table: Table) -> list[ScoreLine]:
    """Return the score of a finished round line by line, the call last."""
    tally = tally_round(table, table.scored_token_seat, True)
    caller = table.caller
    if caller != NO_SEAT:
        if is_call_won(table, tally.sums):
            tally.set_sum(caller, 0, NO_CARD, "G16", LINE_CALL_WON)
        else:
            tally.set_sum(caller, tally.sums[caller] + LOST_CALL_POINTS, NO_CARD, "G16", LINE_CALL_LOST)
    return tally.lines


def is_call_won(table: Table, sums: list[int]) -> bool:
    """Whether somebody called and no sum is lower than the caller's (G16)."""
    return table.caller != NO_SEAT and min(sums) == sums[table.caller]


def score_round(table: Table) -> None:
    """Score the round and pass the token (G16, G17); after the last round, record the winner as an event (G19)."""
    sums = tally_round(table, table.token_seat, False).sums
    won = is_call_won(table, sums)
    scores = sums[:]
    if table.caller != NO_SEAT:
        scores[table.caller] = 0 if won else sums[table.caller] + LOST_CALL_POINTS
    table.scores = scores
    table.totals = [total + scores[seat] for seat, total in enumerate(table.totals)]
    table.begin_action()
    for seat in range(table.players):
        table.add_event(ev.SCORED, seat, -1, NO_CARD, scores[seat])
    pass_token(table, scores, won)
    table.round_over = True
    if table.round == ROUNDS_PER_GAME:
        table.begin_action()
        table.add_event(ev.WON, winner_seat(table))


def pass_token(table: Table, scores: list[int], won: bool) -> None:
    """Pass the token to the seat with the lowest score (G17); it is active only for a successful caller.

    On a tie, a successful caller gets it, otherwise the first tied seat clockwise from the current holder.
    """
    lowest = min(scores)
    seat = table.scored_token_seat = table.token_seat
    if won and scores[table.caller] == lowest:
        seat = table.caller
    else:
        seat = next(other for other in table.seats_clockwise_from(seat) if scores[other] == lowest)
    table.token_seat = seat
    table.token_state = TOKEN_ACTIVE if won and seat == table.caller else TOKEN_IDLE
    table.begin_action()
    table.add_event(ev.TOKEN_WENT, seat, -1, NO_CARD, table.token_state)


def winner_seat(table: Table) -> int:
    """Return the seat with the lowest total; on a tie, the first one clockwise from the token (G19)."""
    lowest = min(table.totals)
    return next(seat for seat in table.seats_clockwise_from(table.token_seat) if table.totals[seat] == lowest)
