# mypyc: compile
"""The villages of a view as a table, so that the conditions of the rules apply to what a viewer knows."""

from argentum.rules.notation import SEAT_LETTERS, parse_spot, seat_of
from argentum.rules.residents import UNKNOWN_NUMBER
from argentum.rules.table import Table
from argentum.rules.views import Card, View


def known_table(view: View) -> Table:
    """Return a table with the villages, the guards and the covered card of a view; it has no other cards.

    It is for functions that read a table, such as :meth:`Table.may_touch` and `asking.card_moves`, not for playing on.
    The face of a card that the viewer does not know is `UNKNOWN_NUMBER`.
    """
    table = Table(view.cast, len(view.villages), 0)
    card_count = 0
    for seat, village in enumerate(view.villages.values()):
        cards = table.villages[seat]
        # mypyc: checks the type of a loop variable only if it is declared
        card: Card
        for card in village:
            number = card.number
            table.faces[card_count] = UNKNOWN_NUMBER if number is None else number
            if card.up:
                table.lay_faceup(card_count)
            if card.covered:
                table.covered_card = card_count
                if view.cast.token_mutes_card:
                    table.muted_card = card_count
            for letter in card.known_by:
                table.reveal_to(SEAT_LETTERS.index(letter), card_count)
            cards.append(card_count)
            card_count += 1
    guards = [(parse_spot(guard), parse_spot(guarded)) for guard, guarded in view.guards]
    table.guards = tuple([(seat_of(guard), table.card_at(guard), table.card_at(card)) for guard, card in guards])
    return table
