"""Advice for a first game."""

from argentum import Game
from argentum.words import coach
from tests.words.tables import at, played


def advice(game: Game, seat: str = "") -> str:
    """What a seat (the one to move) is told."""
    return coach(game.view(seat or game.to_move))


def test_the_first_look_says_what_the_game_is_about() -> None:
    game = Game.new("dagger", 2, 1)
    assert advice(game).startswith("The fewest points win")


def test_draw_or_take() -> None:
    villages = {"A": "9 6 8 7 10", "B": "6 5"}
    low = at(players=2, boxes="dagger", villages=villages, discard="1 12", seen={"A": "A1 A2"})
    assert advice(low) == (
        "The Spy on the discard pile is only a 1: take it, in exchange for your spot 1, a 9."
        " It will lie faceup, where all can see it."
    )
    high = at(players=2, boxes="dagger", villages=villages, discard="11 12")
    assert "The Reverser, an 11, would have to go into your village" in advice(high)
    assert advice(high, "B") == ""


def test_a_drawn_card() -> None:
    villages = {"A": "9 6 3 9 10", "B": "6 5"}
    low = at(players=2, boxes="dagger", villages=villages, seen={"A": "A2"}, deck="3 9")
    assert advice(played(low, "draw")) == (
        "You drew a 3, which is low. Keep it: choose a card that you do not know, such as your spot 1, and exchange."
    )
    pair = at(players=2, boxes="dagger", villages=villages, seen={"A": "A1 A4"}, deck="3 9")
    assert advice(played(pair, "draw")).startswith("Your spots 1 and 4 are of one number, 9: choose them all")
    high = at(players=2, boxes="dagger", villages={"A": "6 6 2", "B": "6 5"}, seen={"A": "A1 A2"}, deck="13 9")
    assert "of one number" not in advice(played(high, "draw"))
    able = at(players=2, boxes="dagger", villages=villages, deck="12 9", discard="5")
    assert advice(played(able, "draw")).startswith(
        "A 12 is not low, but you may use it rather than keep it. When drawn:"
    )
    wolf = at(players=2, boxes="coin", villages=villages, deck="13 9")
    assert advice(played(wolf, "draw")).startswith("The Wolfman does not count like other cards.")
    lost = at(players=2, boxes="dagger", villages={"A": "5", "B": "6"}, seen={"A": "A1"}, deck="5 9")
    assert advice(played(lost, "draw")) == "A 5 would not make your village lower: you may well discard it."


def test_a_taken_card_and_naming_more() -> None:
    game = at(players=2, boxes="dagger", villages={"A": "12 6", "B": "6 5"}, seen={"A": "A1"}, discard="1")
    assert (
        advice(played(game, "take")) == "It must go into your village now: best choose your spot 1, a 12, and exchange."
    )
    game.play(game.legal()[0])
    assert advice(game).startswith("Several cards may go at once if they are all of one number")


def test_calls() -> None:
    game = at(players=2, boxes="dagger", villages={"A": "1 2 3", "B": "6 5"}, seen={"A": "A1 A2 A3"})
    assert advice(game).startswith("Your village counts about 6, which is little.")
    unknown = at(players=2, boxes="dagger", villages={"A": "1 2 3", "B": "6 5"})
    assert "call" not in advice(unknown)
    assert advice(played(game, "call")) == (
        "Ann has called, so this is your last chance: swap a high card for a lower one if you can."
    )


def test_what_may_be_used() -> None:
    villages = {"A": "1^ 9 9 10 11", "B": "6 5"}
    spy = at(players=2, boxes="dagger", villages=villages)
    assert advice(spy) == f"You may use your Spy. {spy.view().residents[1].text}"
    assert advice(played(spy, "ability A1")).startswith("A card of yours that you do not know")
    token = at(players=2, boxes="coin", villages=villages, token="coin A active")
    assert (
        advice(token) == "The silver coin is ready for use. Once, on your turn: turn over any one card of any village."
    )
