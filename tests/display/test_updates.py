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
from tests.random_games import finish_move, games, play_random_moves


def expected_view(view: View) -> View:
    """Return the view that an update restores: without `known_by` of faceup cards and cards in the deck."""

    def expected_card(card: Card) -> Card:
        return card._replace(known_by="" if card.up else card.known_by)

    return view._replace(
        shown=tuple(expected_card(card) for card in view.shown),
        villages={seat: tuple(expected_card(card) for card in cards) for seat, cards in view.villages.items()},
        private={seat: tuple(expected_card(card) for card in cards) for seat, cards in view.private.items()},
        discard=tuple(expected_card(card) for card in view.discard),
        hand=None if view.hand is None else expected_card(view.hand),
        deck=tuple(Card(card.number, card.up) for card in view.deck),
    )


@given(games(max_moves=150))
@settings(max_examples=40, deadline=None)
def test_views_and_events_survive_writing_and_reading(game: Game) -> None:
    for seat in (None, *game.seats):
        view = game.view(seat)
        assert read_view(json.loads(view_json(view))) == expected_view(view)
        for event, public in zip(game.events(seat), game.events(None), strict=True):
            payload = json.loads(event_json(event, public))
            assert "text" not in payload
            assert read_event(payload) == (event, public)


def test_a_round_scoring_survives_writing_and_shows_only_the_villages() -> None:
    game = finish_move(play_random_moves(Game.new("dagger", 3, 4), Random(4), 300))
    assert game.rounds_finished
    end, lines = round_scoring(game, "B")
    payload = json.loads(round_scoring_json(round_scoring(game, "B")))
    assert read_round_scoring(payload) == (expected_view(end), lines)
    assert lines == tuple(game.explain(end.round))
    assert all(card.number is not None for cards in end.villages.values() for card in cards)
    assert all(card.number is None for card in end.deck)
