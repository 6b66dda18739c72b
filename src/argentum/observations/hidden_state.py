# mypyc: compile
"""The hidden state of a table: the residents of all cards, for critics in training."""

from argentum.observations.layout import cast_bytes
from argentum.rules.residents import CARDS_IN_DECK
from argentum.rules.table import NO_CARD, Table


def write_hidden_state(table: Table, seat: int) -> bytes:
    """Return the residents of the cards in a seat's observation, then of the cards in the deck, from the top.

    Residents are numbered from 1. Both parts are padded with 0 to `CARDS_IN_DECK` bytes.
    """
    residents = cast_bytes(table.cast)
    deck = table.deck[::-1]
    return b"".join(
        [
            bytes([residents[table.faces[card]] for card in cards]).ljust(CARDS_IN_DECK, b"\0")
            for cards in (observed_cards(table, seat), deck)
        ]
    )


def observed_cards(table: Table, seat: int) -> list[int]:
    """Return the cards of the tokens of a seat's observation, in order."""
    order = [(seat + step) % table.players for step in range(table.players)]
    cards = [card for owner in order for card in table.villages[owner]]
    if table.hand != NO_CARD:
        cards.append(table.hand)
    cards += table.discard[::-1]
    for card in table.deck[::-1]:
        if table.is_passed_over(card) or any([table.knows(viewer, card) for viewer in order]):
            cards.append(card)
    cards += table.shown
    for owner in order:
        cards += table.private[owner][::-1]
    return cards
