from argentum.words import card_accessible_name, pile_accessible_name, selection_button_text
from tests.words.positions import button_texts, game_at, play_moves


def test_accessible_names_of_cards_state_all_that_the_reader_may_know() -> None:
    game = game_at(
        players=2,
        boxes="bcdddddddddddd",
        token="bullet A active",
        villages={"A": "9 6~ 1^ 5", "B": "6 0^~ 2"},
        seen={"A": "A1 B3"},
    )
    play_moves(game, "token", "A4")
    view = game.view("A")
    names = [
        card_accessible_name(card, view, seat, place)
        for seat in "AB"
        for place, card in enumerate(view.villages[seat], 1)
    ]
    assert names == [
        "you, spot 1, facedown, you know it: 9 Mystic Seer",
        "you, spot 2, facedown, sideways",
        "you, spot 3, faceup: 1 Con Artist",
        "you, spot 4, facedown, under the silver bullet",
        "Bo, spot 1, facedown",
        "Bo, spot 2, faceup: 0 Hunter, sideways",
        "Bo, spot 3, facedown, you know it: 2 Halfling",
    ]
    watched = game.view()
    assert card_accessible_name(watched.villages["A"][0], watched, "A", 1) == "Ann, spot 1, facedown"


def test_the_accessible_name_of_a_passed_over_card_says_above_4() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 6", "B": "12 2"}, deck="7 8")
    play_moves(game, "draw", "use", "A1")
    view = game.view("B")
    assert card_accessible_name(view.villages["A"][0], view, "A", 1) == "Ann, spot 1, facedown, above 4, chosen"


def test_buttons_name_the_known_top_cards_of_decks_and_piles() -> None:
    game = game_at(
        players=2, boxes="dagger", villages={"A": "9 6 9 8 7", "B": "6 5"}, private={"A": "4 11"}, deck="8 2"
    )
    assert button_texts(game) == ["Draw from the deck", "Draw the Zombie from your own deck", "Take the Master Thief"]
    up = game_at(
        players=2, boxes="coin", villages={"A": "9 6 9 8 7", "B": "6 5"}, deck="8 2", deck_up=True, discard="5v 6"
    )
    assert button_texts(up) == ["Draw the Assassin from the deck", "Take the facedown card"]


def test_button_for_a_card_that_joins_the_village_says_use() -> None:
    game = play_moves(game_at(players=2, boxes="dagger", villages={"A": "9 6", "B": "6 5"}, deck="5 2"), "draw")
    assert button_texts(game)[:2] == ["Discard", "Use the Approximator"]


def test_buttons_of_equal_cards_differ() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "1^ 6 1^ 8 9", "B": "6 5"})
    assert button_texts(game)[-2:] == ["Use your Spy at spot 1", "Use your Spy at spot 3"]


def test_buttons_name_what_curator_regifter_and_mortician_do() -> None:
    game = play_moves(game_at(players=2, boxes="coin", villages={"A": "2^ 6~", "B": "6 5"}), "ability A1")
    assert button_texts(game) == ["Turn your spot 1 sideways", "Turn your spot 2 back", "Discard your spot 2"]
    end = game_at(players=3, boxes="coin", villages={"A": "0^ 6", "B": "6 5", "C": "7"}, deck="7", discard="9")
    play_moves(end, "draw", "discard")
    assert button_texts(end) == ["Give your spot 2 to Bo", "Give your spot 2 to Cy", "Give nothing"]
    dead = game_at(players=2, boxes="bullet", villages={"A": "4^ 6", "B": "6 5"}, discard="3")
    play_moves(dead, "take", "exchange A2")
    assert button_texts(dead) == ["Use the Instigator", "Use none"]


def test_stop_and_directions_have_plain_buttons() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "8 6", "B": "6 5"}, deck="9 12 7")
    assert button_texts(play_moves(game, "draw", "use", "A1"))[-1] == "No more"
    assert button_texts(play_moves(game, "stop", "draw", "use")) == ["Clockwise", "Counterclockwise"]


def test_buttons_distinguish_shown_cards_and_cards_of_the_deck() -> None:
    villages = {"A": "4^ 6 9 8 7", "B": "1^ 1^ 5"}
    game = game_at(players=2, boxes="amulet", villages=villages, deck="12 2 8", shown="9 6")
    assert button_texts(game) == [
        "Draw from the deck",
        "Draw the shown Seer",
        "Draw the shown Revealer",
        "Take the Robber",
    ]
    assert button_texts(play_moves(game, "draw")) == ["Draw the Robber", "Draw the Empath"]
    twins = game_at(players=2, boxes="amulet", villages=villages, deck="2 2 8", shown="9 9")
    assert button_texts(twins)[1:3] == ["Draw the first shown Seer", "Draw the second shown Seer"]
    assert button_texts(play_moves(twins, "draw")) == [
        "Draw the Empath, first from the top",
        "Draw the Empath, second from the top",
    ]


def test_buttons_of_a_master_name_the_cards_of_the_pile() -> None:
    game = game_at(
        players=2, boxes="aaaaaaaaaaacaa", villages={"A": "9 6", "B": "5"}, deck="10 2", discard="12 9v 10 9"
    )
    assert button_texts(play_moves(game, "draw", "use")) == [
        "Take the Robber",
        "Take a facedown card",
        "Take the Master",
        "Take the Seer",
    ]
    borrowed = game_at(
        players=2, boxes="aaaaaaaadaaaaa", villages={"A": "9 6", "B": "10 5"}, deck="8 2", discard="12 9"
    )
    assert button_texts(play_moves(borrowed, "draw", "use", "B1", "use")) == [
        "Take the Magician",
        "Take the Robber",
        "Take the Seer",
    ]


def test_buttons_of_a_witch_distinguish_exchanging_from_replacing() -> None:
    game = play_moves(game_at(players=2, boxes="amulet", villages={"A": "9 6", "B": "5"}, deck="11 2"), "draw", "use")
    assert button_texts(game) == ["Exchange your spot 1", "Exchange your spot 2", "Replace Bo's spot 1"]
    view = game.view("A")
    assert [selection_button_text(move, view) for move in view.legal] == ["Exchange", "Exchange", "Replace it"]


def test_buttons_of_a_nosferatu_name_known_cards() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "9 6", "B": "5"}, deck="10 2", discard="12 9 12 3")
    assert button_texts(play_moves(game, "draw", "use"))[:3] == [
        "Take the Village Idiot, first from the top",
        "Take the Psychic",
        "Take the Village Idiot, third from the top",
    ]


def test_accessible_names_of_cards_mention_tokens_and_guards() -> None:
    game = game_at(
        players=2, boxes="amulet", villages={"A": "3^ 6 9", "B": "5"}, token="amulet A active", guards="A1>A3"
    )
    play_moves(game, "token", "A2")
    view = game.view("B")
    names = [card_accessible_name(card, view, "A", place) for place, card in enumerate(view.villages["A"], 1)]
    assert names == [
        "Ann, spot 1, faceup: 3 Bodyguard, guards spot 3",
        "Ann, spot 2, facedown, under the silver amulet",
        "Ann, spot 3, facedown, guarded by spot 1",
    ]


def test_accessible_names_of_piles_and_hands_state_only_what_the_reader_knows() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "1^ 6", "B": "5"}, deck="9 2", shown="8")
    view = game.view("A")
    assert pile_accessible_name(view.deck[0], view, "", "deck") == "deck, two cards"
    assert pile_accessible_name(view.discard[0], view, "", "pile") == "discard pile, top card: 12 Robber"
    assert pile_accessible_name(view.shown[0], view, "", "shown-1") == "shown beside the deck: 8 Apprentice Seer"
    view = play_moves(game, "draw").view("A")
    assert view.hand is not None
    assert pile_accessible_name(view.hand, view, "A", "hand") == "in your hand: 9 Seer"
    watched = game.view()
    assert watched.hand is not None
    assert pile_accessible_name(watched.hand, watched, "A", "hand") == "in Ann's hand, a facedown card"
