"""No words tell a seat what it cannot know."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game
from argentum.display.guide import guide_advice
from argentum.words import advice_text, build_log, button_text, card_accessible_name, event_sentence, prompt
from tests.random_games import games, seeds


def words(game: Game, seat: str | None) -> list[object]:
    """All words that reach somebody."""
    view = game.view(seat)
    mine, public = game.events(seat), game.events(None)
    cards = [
        card_accessible_name(card, view, owner, place)
        for owner, village in view.villages.items()
        for place, card in enumerate(village, 1)
    ]
    buttons = [button_text(move, view) for move in view.legal]
    told_all = [event_sentence(event, view.names, view.residents) for event in mine]
    return [
        told_all,
        prompt(view),
        advice_text(view, guide_advice(view)),
        buttons,
        cards,
        build_log(mine, public, view),
    ]


@settings(max_examples=60)
@given(games(most_moves=150), st.sampled_from(["A", "B", None]), seeds)
def test_all_words_stay_when_what_a_seat_cannot_know_is_dealt_anew(game: Game, seat: str | None, seed: int) -> None:
    assert words(game.redeal(seat, Random(seed)), seat) == words(game, seat)
