from argentum import Game, Move
from argentum.display.guide import guide_advice
from argentum.words import Advice, ExchangeWarning, advice_text, best_known_set, exchange_warning
from tests.words.positions import game_at, play_moves, random_decisions


def advice(game: Game, seat: str = "") -> str:
    """Return the advice for a seat, by default the seat to move."""
    view = game.view(seat or game.to_move)
    return advice_text(view, guide_advice(view))


def test_advice_on_the_first_look_explains_the_aim() -> None:
    game = Game.new("dagger", 2, 1)
    assert advice(game).startswith("The fewest points win")


def test_advice_is_to_take_a_low_card_and_to_leave_a_high_one() -> None:
    villages = {"A": "9 6 8 7 10", "B": "6 5"}
    low = game_at(players=2, boxes="dagger", villages=villages, discard="1 12", seen={"A": "A1 A2"})
    assert advice(low) == (
        "Take the Spy, which is only a 1, and exchange it for your spot 1, a 9."
        " It will lie faceup, where everybody sees it."
    )
    high = game_at(players=2, boxes="dagger", villages=villages, discard="11 12")
    assert "The Reverser, an 11, would have to go into your village" in advice(high)
    assert advice(high, "B") == ""


def test_advice_on_a_drawn_card_is_to_keep_use_or_discard_it() -> None:
    villages = {"A": "9 6 3 9 10", "B": "6 5"}
    low = game_at(players=2, boxes="dagger", villages=villages, seen={"A": "A2"}, deck="3 9")
    assert advice(play_moves(low, "draw")) == (
        "You drew a 3, which is low. Keep it: choose a card you don't know, such as your spot 1, and exchange."
    )
    pair = game_at(players=2, boxes="dagger", villages=villages, seen={"A": "A1 A4"}, deck="3 9")
    assert advice(play_moves(pair, "draw")).startswith("Your spots 1 and 4 are two 9s: choose both and exchange them")
    high = game_at(players=2, boxes="dagger", villages={"A": "6 6 2", "B": "6 5"}, seen={"A": "A1 A2"}, deck="13 9")
    assert "two 6s" not in advice(play_moves(high, "draw"))
    able = game_at(players=2, boxes="dagger", villages=villages, deck="9 9", discard="5")
    assert advice(play_moves(able, "draw")).startswith("Use it: that is worth more than keeping a 9. When drawn:")
    wolf = game_at(players=2, boxes="coin", villages=villages, deck="13 9")
    assert advice(play_moves(wolf, "draw")).startswith("The Wolfman doesn't count like other cards.")
    lost = game_at(players=2, boxes="dagger", villages={"A": "5", "B": "6"}, seen={"A": "A1"}, deck="5 9")
    assert advice(play_moves(lost, "draw")) == "A 5 wouldn't make your village better: discard it."


def test_advice_on_a_taken_card_is_to_exchange_it() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "12 6", "B": "6 5"}, seen={"A": "A1"}, discard="1")
    assert (
        advice(play_moves(game, "take")) == "It must go into your village now: choose your spot 1, a 12, and exchange."
    )
    game.play(game.legal()[0])
    assert advice(game).startswith("Exchange this one card. Several can go at once if they are all of one number")


def test_advice_is_to_call_with_a_low_known_village() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "1 2 1", "B": "6 5 9 7 8"}, seen={"A": "A1 A2 A3"})
    assert advice(game).startswith("Call now: your village counts about 4, which is low. If nobody has less")
    careful = game_at(players=2, boxes="dagger", villages={"A": "1 2 3", "B": "6 5"}, seen={"A": "A1 A2 A3"})
    assert advice(careful).endswith("You could call, but somebody may well have less: wait a turn.")
    unknown = game_at(players=2, boxes="dagger", villages={"A": "1 2 3", "B": "6 5"})
    assert "call" not in advice(unknown)
    assert advice(play_moves(game, "call")).startswith("Ann has called, so this is your last chance. Draw")


def test_advice_says_that_an_empty_deck_prevents_a_call() -> None:
    villages = {"A": "1 2 1", "B": "6 5 9 7 8"}
    game = game_at(players=2, boxes="dagger", deck="", private={"A": "0"}, villages=villages, seen={"A": "A1 A2 A3"})
    assert advice(game) == (
        "Draw the Debt Collector from your own deck: you can see what you get."
        " Your village counts about 4, which is low. But you can't call: the deck is empty."
    )


def test_advice_is_to_use_an_ability_before_the_main_action() -> None:
    villages = {"A": "1^ 9 9 10 11", "B": "6 5"}
    spy = game_at(players=2, boxes="dagger", villages=villages)
    assert advice(spy) == f"Use your Spy first; your main action comes after it. {spy.view().residents[1].text}"
    assert advice(play_moves(spy, "ability A1")).startswith("A card of another village tells you")
    cards = {"A": "11 2 1 3 9", "B": "6 5"}
    token = game_at(players=2, boxes="dagger", villages=cards, seen={"A": "A1 A2 A3"}, token="bullet A active")
    assert advice(token).startswith("Use the silver bullet first; your main action comes after it. ")


def advice_for_move(game: Game, move: str) -> str:
    """Return the advice for the seat to move if this move is recommended."""
    return advice_text(game.view(game.to_move), Advice(Move.of(move), ()))


def test_an_ability_that_replaces_the_draw_is_the_main_action() -> None:
    for boxes, number in (("coin", 4), ("dagger", 4)):
        game = game_at(players=2, boxes=boxes, villages={"A": f"{number}^ 9", "B": "6 5"}, discard="9 12", previous="B")
        resident = game.view().residents[number]
        assert advice_for_move(game, "ability A1") == (
            f"Use your {resident.name}: that is your main action, so you don't draw. {resident.text}"
        )


def test_advice_names_no_unknown_card_if_all_are_known() -> None:
    for boxes, number, move in (("dagger", 9, "A1"), ("amulet", 9, "A1"), ("coin", 9, "A1"), ("amulet", 7, "A1")):
        villages = {"A": "9 6", "B": "6 5"}
        new = play_moves(game_at(players=2, boxes=boxes, villages=villages, deck=f"{number} 3"), "draw", "use")
        assert advice_for_move(new, move).startswith("Look at a card ")
        known = game_at(players=2, boxes=boxes, villages=villages, deck=f"{number} 3", seen={"A": "A1 A2"})
        words = advice_for_move(play_moves(known, "draw", "use"), move)
        assert "don't know" not in words
        assert "haven't seen" not in words


def test_a_player_name_stays_capitalized_within_a_sentence() -> None:
    game = play_moves(game_at(players=2, boxes="dagger", villages={"A": "1^ 9", "B": "6 5"}), "ability A1")
    assert advice_for_move(game, "B1").endswith("Best here: Bo's spot 1.")
    assert advice_for_move(game, "B1") != advice_for_move(game, "B2")


def test_a_village_that_is_not_low_is_not_called_low() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 9 9", "B": "6 5"}, seen={"A": "A1 A2 A3"})
    assert advice_for_move(game, "call").startswith("Call now: your village counts about 27. If nobody has less")


PAIR = {"A": "9 6 3 9 10", "B": "6 5"}


def test_advice_on_a_draw_explains_a_known_pair() -> None:
    game = game_at(players=2, boxes="dagger", villages=PAIR, seen={"A": "A1 A4"}, discard="12")
    assert advice(game).startswith("Draw from the deck")
    assert advice(game).endswith(
        "You hold a set: your spots 1 and 4 are two 9s. If you want to keep what you draw, exchange both your spots 1"
        " and 4 for it. Fewer cards count less, and with four or fewer you can call."
    )


def test_advice_on_a_taken_card_agrees_with_the_advice_to_take_it() -> None:
    villages = {"A": "5 6 12 5 10", "B": "6 5"}
    low = game_at(players=2, boxes="coin", villages=villages, seen={"A": "A1 A3 A4"}, discard="1 12", deck="2 9")
    assert "and exchange it for your spot 3, a 12." in advice(low)
    assert (
        advice(play_moves(low, "take")) == "It must go into your village now: choose your spot 3, a 12, and exchange."
    )
    pair = game_at(players=2, boxes="dagger", villages=PAIR, seen={"A": "A1 A4"}, discard="1 12", deck="2 9")
    assert "and exchange it for both your spots 1 and 4." in advice(pair)
    assert advice(play_moves(pair, "take")).startswith("Your spots 1 and 4 are two 9s: choose both and exchange them")


def test_advice_counts_a_wild_card_into_a_pair() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "13 6 9 5 7", "B": "6"}, seen={"A": "A1 A3"}, deck="2 9")
    assert advice(play_moves(game, "draw")).startswith("Your spots 1 and 3 go together: choose both and exchange them")


def test_advice_ignores_sets_that_cannot_leave() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "4 4 6", "B": "6"}, seen={"A": "A1 A2"}, deck="3 9")
    assert advice(play_moves(game, "draw")) == (
        "You drew a 3, which is low. Keep it: choose a card you don't know, such as your spot 3, and exchange."
    )


def test_advice_on_a_set_explains_matching_cards_and_the_penalty() -> None:
    game = game_at(players=2, boxes="dagger", villages=PAIR, seen={"A": "A1 A2 A4"}, deck="2 9")
    game.play("draw")
    game.play(Move.of("exchange A1"))
    assert advice(game) == "Your spot 4 goes with it: choose it too, and you have fewer cards to count."
    game.play(Move.of("and A2"))
    cost = "you keep them all, everybody has seen them, and the new card joins your village."
    assert advice(game) == f"These don't match: a 9 and a 6. If you exchange them, {cost}"
    game.play(Move.of("and A4"))
    assert advice(game).endswith("So does the deck's top card, because you try three or more.")


def test_a_call_needs_four_cards_or_fewer() -> None:
    villages = {"A": "0 1 2 1 3", "B": "6 5"}
    game = game_at(players=2, boxes="coin", villages=villages, seen={"A": "A1 A2 A3 A4 A5"}, discard="12")
    assert "Your village counts about 7, which is low. But a call needs four cards or fewer" in advice(game)
    used = game_at(players=2, boxes="dagger", villages={"A": "1^ 2 3", "B": "6 5"}, seen={"A": "A2 A3"}, discard="12")
    assert "You could call, but" in advice(used)
    assert "in a turn in which you have used something" in advice(play_moves(used, "ability A1", "B1"))


def test_advice_at_the_end_of_a_turn_says_what_can_still_be_used() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "1^ 9 10", "B": "6 5"}, discard="12")
    assert advice(play_moves(game, "draw", "discard")) == (
        "You have taken your main action. Before the next player's turn you may still use your Spy; it costs no turn."
        f" {game.view().residents[1].text} Best here: use your Spy."
    )


def test_advice_counts_0_under_the_bullet_and_the_number_under_the_amulet() -> None:
    villages = {"A": "11 2 1", "B": "6 5"}
    for token, counts in (("bullet", "about 3, which is low"), ("amulet", "")):
        game = game_at(players=2, boxes="dagger", villages=villages, seen={"A": "A1 A2 A3"}, token=f"{token} A active")
        play_moves(game, "token", "A1")
        assert ("which is low" in advice(game)) == bool(counts)
        assert counts in advice(game)


def test_every_decision_of_a_resident_comes_with_advice() -> None:
    for game in random_decisions(range(400, 406)):
        view = game.view(game.to_move)
        assert view.asking is not None
        if view.asking.number is not None:
            assert advice(game).endswith(".")


LEAVE = "They all leave, and the new card takes their place: fewer cards to count."
COST = "you keep them all, everybody has seen them, and the new card joins your village."


def warning_for(
    *spots: str, boxes: str = "dagger", villages: str, seen: str = "", deck: str = "2 9"
) -> ExchangeWarning:
    """Return the warning for Ann when she has drawn a card and picks these cards to exchange."""
    game = game_at(players=2, boxes=boxes, villages={"A": villages, "B": "6 5"}, seen={"A": seen}, deck=deck)
    return exchange_warning(play_moves(game, "draw").view("A"), spots)


def test_warnings_for_matching_differing_and_unknown_cards() -> None:
    pair, five = "7^ 7^ 9^ 4 8^", "5 cards would be"
    assert warning_for("A1", "A2", villages=pair) == ("match", "These match.", LEAVE, "7 = 7", f"{five} 4")
    differ = "Only cards of one number go together. If you send them, " + COST
    assert warning_for("A1", "A3", villages=pair) == ("differ", "These don't match.", differ, "7 ≠ 9", f"{five} 6")
    unsure = ("unsure", "You can't be sure that these match.", f"If they differ, {COST}", "", "")
    assert warning_for("A1", "A4", villages=pair) == unsure
    three = warning_for("A1", "A2", "A3", "A4", villages=pair)
    assert three[3:] == ("7 ≠ 9", f"{five} 7")
    assert three.text.endswith("So does the deck's top card, because you try three or more.")
    last = warning_for("A1", "A2", "A3", villages=pair, deck="2")
    assert (last.change, last.text) == (f"{five} 6", differ), "there is no card left for a penalty"


def test_warnings_take_lycans_and_doppelgangers_into_account() -> None:
    lycan = warning_for("A2", "A3", boxes="bullet", villages="1^ 3 4", seen="A2 A3", deck="5 6")
    why = "Your faceup Lycan makes up for the difference. "
    assert lycan == ("match", "These match.", why + LEAVE, "3 with 4", "3 cards would be 2")
    assert warning_for("A1", "A2", boxes="bullet", villages="1^ 2^ 4").match_state == "differ", (
        "it raises no set that it is in"
    )
    assert warning_for("A2", "A3", boxes="bullet", villages="1^ 3^ 5^").match_state == "differ", "only by one"
    assert warning_for("A2", "A3", boxes="bullet", villages="1 3^ 4^", seen="A1").match_state == "differ", (
        "only while faceup"
    )
    wild = warning_for("A1", "A3", boxes="amulet", villages="13 6 9 5 7", seen="A1 A3")
    assert wild[2:4] == ("The Doppelgänger goes with any number. " + LEAVE, "13 with 9")
    assert warning_for("A1", "A2", "A3", boxes="amulet", villages="13^ 6^ 9^").numbers == "6 ≠ 9"


def test_a_wild_card_matches_an_unknown_card() -> None:
    why, seen = "The Doppelgänger goes with any number. ", {"seen": "A1 A2"}
    blind = warning_for("A1", "A3", boxes="amulet", villages="13 6 9", **seen)
    assert blind == ("match", "These match.", why + LEAVE, "13 with ?", "3 cards would be 2")
    assert warning_for("A1", "A2", "A3", boxes="amulet", villages="13 13 9", **seen).numbers == "13 with 13 with ?"
    assert warning_for("A1", "A2", "A3", boxes="amulet", villages="13 6 9", **seen).match_state == "unsure"
    zombie = warning_for("A1", "A3", boxes="ddddddddddddda", villages="13 6 4", **seen)
    assert (zombie.text, zombie.change) == (f"{why}But a Zombie may stay.", "")


def test_exchange_warning_names_cards_that_stay() -> None:
    zombies = warning_for("A1", "A2", villages="4^ 4^ 6")
    assert zombies.text == "But each Zombie stays: none can lie on top of the discard pile, so nothing leaves."
    assert zombies.change == "3 cards would be 3"
    assert warning_for("A1", "A2", villages="4^ 4^ 6", deck="4 9").change == "3 cards would be 4"
    zombie = warning_for("A1", "A2", boxes="ddddddddddddda", villages="4^ 13^ 6")
    assert zombie.text.endswith("But each Zombie stays: none can lie on top of the discard pile. " + REST)
    assert zombie.change == "3 cards would be 3"
    girl = warning_for("A1", "A2", boxes="dddbdddddddddd", villages="4^ 4^ 3^")
    assert (girl.text, girl.change) == (LEAVE, "3 cards would be 2"), "they go under the deck (B3)"


REST = "The new card takes the place of the rest."


def test_a_set_that_matches_because_of_a_lycan_counts_as_known() -> None:
    game = game_at(players=2, boxes="bullet", villages={"A": "1^ 3 4 9", "B": "6"}, seen={"A": "A2 A3"}, deck="2 9")
    assert best_known_set(play_moves(game, "draw").view("A")) == ("A2", "A3")
