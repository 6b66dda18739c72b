"""What an update says is what the seat sees, when it is read back; and a game here tells what a server tells."""

import json
from random import Random

from hypothesis import given, settings

from argentum import Game
from argentum.display.results import round_scoring
from argentum.display.updates import (
    event_json,
    read_event,
    read_round_scoring,
    read_view,
    round_scoring_json,
    view_json,
)
from argentum.rules.views import Card, View
from tests.random_games import finish_move, games, play_some


def told(view: View) -> View:
    """A view without what an update leaves out: who knows cards of the deck, and faceup cards."""

    def plain(card: Card) -> Card:
        return card._replace(known_by="" if card.up else card.known_by)

    return view._replace(
        shown=tuple(plain(card) for card in view.shown),
        villages={seat: tuple(plain(card) for card in cards) for seat, cards in view.villages.items()},
        private={seat: tuple(plain(card) for card in cards) for seat, cards in view.private.items()},
        discard=tuple(plain(card) for card in view.discard),
        hand=None if view.hand is None else plain(view.hand),
        deck=tuple(Card(card.number, card.up) for card in view.deck),
    )


@given(games(most_moves=150))
@settings(max_examples=40, deadline=None)
def test_a_view_and_its_events_are_read_back_as_they_were(game: Game) -> None:
    for seat in (None, *game.seats):
        view = game.view(seat)
        assert read_view(json.loads(view_json(view))) == told(view)
        for event, public in zip(game.events(seat), game.events(None), strict=True):
            form = json.loads(event_json(event, public))
            assert "text" not in form
            assert read_event(form) == (event, public)


def test_a_reckoning_is_read_back_and_opens_only_the_villages() -> None:
    game = finish_move(play_some(Game.new("dagger", 3, 4), Random(4), 300))
    assert game.rounds_finished
    end, lines = round_scoring(game, "B")
    form = json.loads(round_scoring_json(round_scoring(game, "B")))
    assert read_round_scoring(form) == (told(end), lines)
    assert lines == tuple(game.explain(end.round))
    assert all(card.number is not None for cards in end.villages.values() for card in cards)
    assert all(card.number is None for card in end.deck)
