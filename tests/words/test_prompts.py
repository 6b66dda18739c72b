"""What a player is asked, or waits for."""

from collections import Counter
from random import Random

import pytest

from argentum import Game
from argentum.words import Prompt, label, prompt
from argentum.words.questions import FALL_BACK, FIRST, LATER
from tests.words.tables import asked, at, buttons, decisions, played

VILLAGES = {"A": "9 6 1^ 9", "B": "6 0^ 2 5", "C": "2^ 7 3"}


def test_the_first_look() -> None:
    game = Game.new("dagger", 3, 1, names=["Ann", "Bo", "Cy"])
    assert asked(game, "B") == Prompt(
        "Look at two of your cards.", "Choose them: you see both, and nobody else does.", None
    )
    game.play(game.legal("B")[0], "B")
    assert asked(game, "B").title == "Choose the second card to look at."
    game.play(game.legal("B")[0], "B")
    starter = "You start" if game.view().turn == "B" else f"{game.names['ABC'.index(game.view().turn)]} starts"
    assert asked(game, "B") == Prompt("Ann and Cy are looking at two cards.", f"{starter} the round.", None)


def test_a_turn_from_its_beginning_to_its_end() -> None:
    game = at(players=3, boxes="dagger", villages=VILLAGES, token="dagger A active", deck="8 5 7")
    detail = "Draw from the deck, take the Master Thief, or call for a vote."
    assert asked(game) == Prompt(
        "It is your turn.", f"{detail} You may also use your Spy or use the silver dagger.", None
    )
    assert buttons(game) == [
        "Draw from the deck",
        "Take the Master Thief",
        "Call for a vote",
        "Use your Spy",
        "Use the silver dagger",
    ]
    played(game, "draw")
    ways = "Choose one or more cards to exchange it for, discard it, or discard it and use its ability."
    assert asked(game) == Prompt(
        "You drew the Magician.", f"{ways} You may also use your Spy or use the silver dagger.", None
    )
    assert asked(game, "B") == Prompt("Ann is playing.", "Ann drew a card.", None)
    assert buttons(game)[:3] == ["Discard", "Discard and use", "Exchange your spot 1"]
    played(game, "use")
    assert asked(game) == Prompt(
        "Choose a facedown card in another village.",
        "It turns faceup. Then use its draw ability, or switch it for one of yours.",
        8,
    )
    assert asked(game, "B") == Prompt("Ann chooses a card for the Magician.", "", 8)
    played(game, "B1")
    use = "Use its ability as if you had drawn it, or choose one of your cards to switch for it."
    assert asked(game) == Prompt("Bo's spot 1 is the Flipper.", use, 8)
    played(game, "use")
    assert asked(game) == Prompt("Choose a village to flip.", "Every card in it turns over.", 6)
    assert buttons(game) == ["Your village", "Bo's village", "Cy's village"]
    played(game, "C")
    assert asked(game) == Prompt(
        "Your turn is nearly over.", "Use your Spy, use the silver dagger, or end your turn.", None
    )
    assert buttons(game)[-1] == "End your turn"


def test_a_taken_card_and_a_set() -> None:
    game = at(players=2, boxes="dagger", villages={"A": "9 6 9", "B": "6 5"}, seen={"A": "A1 A3"})
    played(game, "take")
    assert asked(game) == Prompt("You took the Master Thief.", "Choose one or more cards to exchange it for.", None)
    game.play(game.legal()[0])
    assert asked(game).detail == "Exchange it for your spot 1, or name more cards to go with it."
    assert buttons(game) == ["And your spot 2", "And your spot 3", "Exchange one card"]
    game.play(game.legal()[1])
    assert asked(game).detail == "Exchange it for your spots 1 and 3, if they match, or name more cards."
    assert buttons(game)[-1] == "Exchange two cards"
    game.play(game.legal()[-1])
    assert asked(game) == Prompt(
        "Choose the spot for the Master Thief.", "The other cards leave, and the row closes up.", None
    )
    assert buttons(game) == ["Your spot 1", "Your spot 3"]


def test_a_failed_exchange_of_three() -> None:
    game = at(players=2, boxes="dagger", villages={"A": "9 6 8", "B": "6 5"}, deck="3 7 8")
    played(game, "draw", "exchange A1 A2 A3")
    assert asked(game) == Prompt(
        "Choose an end of your village for the Sentinel.",
        "Your cards do not match: they stay, facedown, and it joins them.",
        None,
    )
    assert buttons(game) == ["Left end", "Right end"]
    played(game, "at left")
    assert asked(game).title == "Choose an end of your village for the penalty card."
    assert asked(game).detail.endswith("top card joins you too, unseen.")


def test_a_drawn_zombie_must_stay() -> None:
    game = played(at(players=2, boxes="dagger", villages={"A": "9 6", "B": "6 5"}, deck="4 7"), "draw")
    expected = "A Zombie cannot be discarded: choose one or more cards to exchange it for."
    assert asked(game) == Prompt("You drew the Zombie.", expected, None)


def test_after_a_call() -> None:
    game = played(at(players=3, boxes="dagger", villages=VILLAGES, turn="C"), "call")
    title, detail, _ = asked(game, "A")
    assert title == "This is your last turn."
    assert detail.startswith("Cy has called. Draw from the deck, or take the Master Thief.")
    assert asked(game, "B") == Prompt("Ann is playing.", "Cy has called: these are the last turns.", None)
    assert asked(game, "C").detail == "You have called: these are the last turns."


def test_the_end_of_a_round_and_of_a_game() -> None:
    game = at(players=2, boxes="bullet", villages={"A": "0^ 5", "B": "6"}, deck="7", discard="9")
    played(game, "draw", "discard")
    assert asked(game, "A") == Prompt("Leave one of your cards out, or none.", "It does not count for this round.", 0)
    assert asked(game, "B") == Prompt("Ann decides about the Hunter.", "Then the round is scored.", 0)
    assert buttons(game) == ["Leave your spot 1 out", "Leave your spot 2 out", "Leave nothing out"]
    played(game, "remove A2")
    assert asked(game, "B") == Prompt("The round is over.", "Ann 0 and you 6.", None)
    whole = Game.new("dagger", 2, 3, names=["Ann", "Bo"])
    while not whole.over:
        whole.play(whole.legal()[0])
    winner, loser = sorted(whole.totals, key=lambda seat: (whole.totals[seat], seat != whole.winner))
    assert asked(whole, winner).title == "You win the game."
    assert asked(whole, loser).title == f"{whole.names['AB'.index(winner)]} wins the game."


def test_somebody_who_only_watches() -> None:
    game = played(at(players=3, boxes="dagger", villages=VILLAGES), "take")
    assert prompt(game.view(), game.events()) == Prompt("Ann is playing.", "Ann took the Master Thief.", None)


def test_players_of_one_name_are_told_apart() -> None:
    game = Game.new("coin", 2, 1, names=["Bo", "Bo"])
    assert prompt(game.view(), game.events()).title == "Bo (A) and Bo (B) are looking at two cards."


@pytest.mark.parametrize(("deck", "below"), [("10 3", " From the top: the Village Idiot and the Psychic."), ("3", "")])
def test_a_nosferatu_names_what_lies_below_it(deck: str, below: str) -> None:
    villages = {"A": "9 5 4^", "B": "10^ 5"}
    game = at(players=2, boxes="coin", villages=villages, deck=deck, discard="12 9" if below else "10 12 9")
    played(game, *(["draw", "use"] if below else ["ability A3"]))
    ways = "Take one and exchange it in, or use the draw ability of one, which stays where it lies."
    assert asked(game) == Prompt("Choose a card from below in the discard pile.", ways + below, 10)
    assert buttons(game)[:2] == ["Take the first card", "Take the second card"]


# What follows a choice that a resident or token asked for, in the events; what has two answers first shows after both.
FOLLOWS = {
    "B2": {"turned up", "turned down"},
    "B6": {"turned up", "turned down"},
    "B8": {"shuffled"},
    "B9": {"used"},
    "B14": {"covered"},
    "C3": {"turned up", "turned down"},
    "C7": {"looked"},
    "C8": {"left"},
    "C9": {"looked"},
    "C11": {"left"},
    "C14": {"turned up", "turned down"},
    "D1": {"looked"},
    "D6": {"turned up", "turned down"},
    "D7": {"looked"},
    "D9": {"looked"},
    "D12": {"looked", "switched"},
    "B4": {"used"},
    "C2": {"rotated", "left", "stayed"},
}


def test_every_question_has_a_sentence_of_its_own_and_every_button_too() -> None:
    titles: Counter[str] = Counter()
    sources: set[str] = set()
    for game, reader in decisions(range(32)):
        view = game.view(game.to_move)
        said = prompt(view, game.events(view.seat, since=reader.start))
        assert said[:2] != FALL_BACK[:2], (game.history(), view.legal)
        assert said.title[0].isupper()
        assert said.title.endswith((".", ":"))
        labels = [label(move, view) for move in view.legal]
        assert len(set(labels)) == len(labels), labels
        titles[said.title] += 1
        if said.source is not None:
            sources.add(view.residents[said.source].label)
    asking = {one for one in [*FIRST, *LATER] if not one.endswith("14")} | {"B0", "B4", "C0", "C2", "C10", "C12", "D4"}
    assert sources >= asking
    assert all(titles[FIRST[token][0]] for token in ("B14", "C14"))
    assert all(any(FIRST[one][0] == title for title in titles) for one in FIRST)


def test_what_is_asked_for_is_what_happens() -> None:
    random = Random(7)
    seen: set[str] = set()
    for game, reader in decisions(range(100, 124)):
        view = game.view(game.to_move)
        source = prompt(view, game.events(view.seat, since=reader.start)).source
        by = "" if source is None else view.residents[source].label
        picks = [move for move in game.legal() if str(move) not in ("stop", "pass") and move.verb != "ability"]
        if by in FOLLOWS and picks:
            after = game.copy()
            after.play(random.choice(picks))
            assert after.events(since=reader.read)[0].kind in FOLLOWS[by], (by, view.legal)
            seen.add(by)
    assert seen >= {one for one in FOLLOWS if not one.endswith("14")}


def test_whoever_waits_is_told_for_whom() -> None:
    for game, reader in decisions(range(200, 206)):
        for seat in game.seats:
            view = game.view(seat)
            if not view.legal and not view.looking:
                title = prompt(view, game.events(seat, since=reader.start)).title
                assert title.startswith(game.names["ABCD".index(game.to_move)]), title
