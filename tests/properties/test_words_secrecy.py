from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game
from argentum.display.guide import guide_advice
from argentum.words import advice_text, build_log, button_text, card_accessible_name, prompt
from tests.random_games import games, seeds


def all_texts(game: Game, seat: str | None) -> list[object]:
    """Return all texts that a viewer receives."""
    view = game.view(seat)
    own_events, public = game.events(seat), game.events(None)
    cards = [
        card_accessible_name(card, view, owner, place)
        for owner, village in view.villages.items()
        for place, card in enumerate(village, 1)
    ]
    buttons = [button_text(move, view) for move in view.legal]
    return [
        prompt(view),
        advice_text(view, guide_advice(view)),
        buttons,
        cards,
        build_log(own_events, public, view),
    ]


@settings(max_examples=60)
@given(games(max_moves=150), st.sampled_from(["A", "B", None]), seeds)
def test_a_redeal_changes_no_text_of_its_viewer(game: Game, seat: str | None, seed: int) -> None:
    assert all_texts(game.redeal(seat, Random(seed)), seat) == all_texts(game, seat)
