from random import Random

import pytest

from argentum import Game, residents
from argentum.display.guide import guide_advice
from argentum.rules.asking import STEPS
from argentum.rules.boxes import ALL_BOXES
from argentum.words import Prompt, advice_text, button_text, prompt
from argentum.words.context import PromptContext
from argentum.words.prompts.by_step import TITLE_BY_STEP, WAITING_TEXT_BY_STEP, fallback_prompt
from argentum.words.residents import RESIDENT_TEXTS
from tests.words.positions import button_texts, game_at, play_moves, prompt_for, random_decisions

VILLAGES = {"A": "9 6 1^ 9", "B": "6 0^ 2 5", "C": "2^ 7 3"}


def test_prompts_of_the_first_look_ask_for_two_cards_and_then_wait() -> None:
    game = Game.new("dagger", 3, 1, names=["Ann", "Bo", "Cy"])
    assert prompt_for(game, "B") == Prompt(
        "Look at two of your cards.", "Choose them: you see both, and nobody else does.", None
    )
    game.play(game.legal("B")[0], "B")
    assert prompt_for(game, "B").title == "Choose the second card to look at."
    game.play(game.legal("B")[0], "B")
    starter = "You start" if game.view().turn == "B" else f"{game.names['ABC'.index(game.view().turn)]} starts"
    assert prompt_for(game, "B") == Prompt("Ann and Cy are looking at two cards.", f"{starter} the round.", None)


def test_prompt_with_an_empty_deck_and_a_private_deck_offers_all_but_a_call() -> None:
    villages = {"A": "4^ 9 1^", "B": "6 5"}
    game = game_at(players=2, boxes="dagger", deck="", private={"A": "8"}, villages=villages, previous="B")
    assert prompt_for(game).detail == (
        "Draw from your own deck, take the Master Thief, or use your Zombie. You may also use your Spy."
    )
    assert button_texts(game) == [
        "Draw the Magician from your own deck",
        "Take the Master Thief",
        "Use your Zombie",
        "Use your Spy",
    ]


def test_each_question_of_a_turn_has_a_prompt_and_buttons() -> None:
    game = game_at(players=3, boxes="dagger", villages=VILLAGES, token="dagger A active", deck="8 5 7")
    detail = "Draw from the deck, take the Master Thief, or call for a vote."
    assert prompt_for(game) == Prompt(
        "It is your turn.", f"{detail} You may also use your Spy or the silver dagger.", None
    )
    assert button_texts(game) == [
        "Draw from the deck",
        "Take the Master Thief",
        "Call for a vote",
        "Use your Spy",
        "Use the silver dagger",
    ]
    play_moves(game, "draw")
    options = "Choose one or more cards to exchange it for, discard it, or discard it and use its ability."
    assert prompt_for(game) == Prompt(
        "You drew the Magician.", f"{options} You may also use your Spy or the silver dagger.", None
    )
    assert prompt_for(game, "B") == Prompt("Ann drew a card.", "Ann exchanges it or discards it.", None)
    assert button_texts(game)[:3] == ["Discard", "Discard and use", "Exchange your spot 1"]
    play_moves(game, "use")
    assert prompt_for(game) == Prompt(
        "Choose a facedown card of another village to turn faceup.",
        "Then use its draw ability, or switch it for one of yours.",
        8,
    )
    assert prompt_for(game, "B") == Prompt("Ann chooses a card to turn faceup with the Magician.", "", 8)
    play_moves(game, "B1")
    assert prompt_for(game) == Prompt(
        "Use the Flipper, or choose a card of yours to switch for it.",
        "It lies at Bo's spot 1. Use it as if you had drawn it.",
        8,
    )
    assert prompt_for(game, "B") == Prompt(
        "Ann decides what to do with the card that the Magician turned up.", "So far: your spot 1.", 8
    )
    play_moves(game, "use")
    assert prompt_for(game) == Prompt("Choose a village to flip.", "Every card in it turns over.", 6)
    assert button_texts(game) == ["Your village", "Bo's village", "Cy's village"]
    play_moves(game, "C")
    assert prompt_for(game) == Prompt(
        "Your turn is nearly over.", "Use your Spy or the silver dagger, or end your turn.", None
    )
    assert button_texts(game)[-1] == "End your turn"


def test_prompts_lead_from_a_taken_card_to_the_exchange_of_a_set() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 6 9", "B": "6 5"}, seen={"A": "A1 A3"})
    play_moves(game, "take")
    assert prompt_for(game) == Prompt(
        "You took the Master Thief.", "Choose one or more cards to exchange it for.", None
    )
    game.play(game.legal()[0])
    assert prompt_for(game) == Prompt(
        "Exchange your spot 1 for the Master Thief.", "Or choose more cards of the same number to go with it.", None
    )
    assert prompt_for(game, "B") == Prompt("Ann chooses cards to exchange.", "So far: Ann's spot 1.", None)
    assert button_texts(game) == ["And your spot 2", "And your spot 3", "Exchange one card"]
    game.play(game.legal()[1])
    assert prompt_for(game) == Prompt(
        "Exchange your spots 1 and 3 for the Master Thief.",
        "They must be of one number, or they stay. Or choose more.",
        None,
    )
    assert button_texts(game)[-1] == "Exchange two cards"
    game.play(game.legal()[-1])
    assert prompt_for(game) == Prompt(
        "Choose the spot for the Master Thief.", "The other cards leave, and the row closes up.", None
    )
    assert button_texts(game) == ["Your spot 1", "Your spot 3"]


def test_prompts_after_a_failed_exchange_of_three_ask_for_two_village_ends() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 6 8", "B": "6 5"}, deck="3 7 8")
    play_moves(game, "draw", "exchange A1 A2 A3")
    assert prompt_for(game) == Prompt(
        "Choose an end of your village for the Sentinel.",
        "Your cards don't match: they stay, facedown, and it joins them.",
        None,
    )
    assert button_texts(game) == ["Left end", "Right end"]
    play_moves(game, "at left")
    assert prompt_for(game).title == "Choose an end of your village for the penalty card."
    assert prompt_for(game).detail.endswith("top card joins you too, facedown.")


def test_the_prompt_for_a_drawn_zombie_says_that_it_cannot_be_discarded() -> None:
    game = play_moves(game_at(players=2, boxes="dagger", villages={"A": "9 6", "B": "6 5"}, deck="4 7"), "draw")
    expected = "It can't be discarded: choose one or more cards to exchange it for."
    assert prompt_for(game) == Prompt("You drew the Zombie.", expected, None)


def test_prompts_after_a_call_announce_the_last_turns() -> None:
    game = play_moves(game_at(players=3, boxes="dagger", villages=VILLAGES, turn="C"), "call")
    title, detail, _ = prompt_for(game, "A")
    assert title == "This is your last turn."
    assert detail.startswith("Cy has called. Draw from the deck, or take the Master Thief.")
    assert prompt_for(game, "B") == Prompt("It is Ann's turn.", "Cy has called: these are the last turns.", None)
    assert prompt_for(game, "C").detail == "You have called: these are the last turns."


def test_prompts_ask_for_round_end_abilities_and_then_state_the_result() -> None:
    game = game_at(players=2, boxes="bullet", villages={"A": "0^ 5", "B": "6"}, deck="7", discard="9")
    play_moves(game, "draw", "discard")
    assert prompt_for(game, "A") == Prompt(
        "Leave one of your cards out, or none.", "It doesn't count for this round.", 0
    )
    assert prompt_for(game, "B") == Prompt(
        "Ann decides whether to leave out a card with the Hunter.", "Then the round is scored.", 0
    )
    assert button_texts(game) == ["Leave your spot 1 out", "Leave your spot 2 out", "Leave nothing out"]
    play_moves(game, "remove A2")
    assert prompt_for(game, "B") == Prompt("The round is over.", "Ann 0 and you 6.", None)
    full_game = Game.new("dagger", 2, 3, names=["Ann", "Bo"])
    while not full_game.over:
        full_game.play(full_game.legal()[0])
    winner, loser = sorted(full_game.totals, key=lambda seat: (full_game.totals[seat], seat != full_game.winner))
    assert prompt_for(full_game, winner).title == "You win the game."
    assert prompt_for(full_game, loser).title == f"{full_game.names['AB'.index(winner)]} wins the game."


def test_a_spectators_prompt_says_what_the_player_did() -> None:
    game = play_moves(game_at(players=3, boxes="dagger", villages=VILLAGES), "take")
    assert prompt(game.view()) == Prompt("Ann took the Master Thief.", "It goes into Ann's village.", None)


def test_players_with_equal_names_are_distinguished_by_seat() -> None:
    game = Game.new("coin", 2, 1, names=["Bo", "Bo"])
    assert prompt(game.view()).title == "Bo (A) and Bo (B) are looking at two cards."


@pytest.mark.parametrize(("deck", "discard"), [("10 3", "12 9"), ("3", "10 12 9")])
def test_prompt_of_a_nosferatu_names_the_cards_below_it(deck: str, discard: str) -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "9 5 4^", "B": "6 5"}, deck=deck, discard=discard)
    play_moves(game, *(["draw", "use"] if deck != "3" else ["ability A3"]))
    options = "Take one and exchange it in, or use the ability of one, which stays where it is."
    below = " From the top: the Village Idiot and the Psychic."
    assert prompt_for(game) == Prompt("Choose a card from below in the discard pile.", options + below, 10)
    assert button_texts(game)[:2] == ["Take the Village Idiot", "Take the Psychic"]


def test_prompt_of_a_nosferatu_names_its_cards_with_another_in_a_village() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "9 5 4^", "B": "10^ 5"}, deck="3 7", discard="10 12 9")
    play_moves(game, "ability A3")
    assert "From the top: the Village Idiot and the Psychic." in prompt_for(game).detail
    assert button_texts(game)[:2] == ["Take the Village Idiot", "Take the Psychic"]


# By label of the resident or token that asks: the possible kinds of the first event after the answer.
FOLLOWING_EVENT_KINDS = {
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


def resume_from_text(game: Game) -> Game:
    """Return the game after a round trip through its position text, as after a reload."""
    return Game.resume(game.text(), game.names)


def test_prompts_name_the_first_pick_after_a_reload() -> None:
    villages = {"A": "9 6 8", "B": "6 5 7"}
    trouble = game_at(players=2, boxes="bullet", villages=villages, deck="11 2")
    play_moves(trouble, "draw", "use", "A1")
    for game in (trouble, resume_from_text(trouble)):
        assert prompt_for(game).title == "Choose the card to switch your spot 1 for."
        assert prompt_for(game, "B") == Prompt(
            "Ann chooses a second card for the Troublemaker.", "So far: Ann's spot 1.", 11
        )
    pair = play_moves(game_at(players=2, boxes="dagger", villages=villages, deck="5 2"), "draw", "use", "A3")
    assert prompt_for(resume_from_text(pair)) == Prompt(
        "Choose the second card to discard.", "It goes together with your spot 3. They need not match.", 5
    )
    thief = play_moves(game_at(players=2, boxes="dagger", villages=villages, deck="12 2"), "draw", "use", "B1")
    assert (
        prompt_for(resume_from_text(thief)).title == "Switch Bo's spot 1, the Flipper, for a card of another village."
    )
    robber = play_moves(game_at(players=2, boxes="amulet", villages=villages, deck="12 2"), "draw", "use", "B2")
    assert prompt_for(resume_from_text(robber)).title == "Choose a card of yours to give for Bo's spot 2."
    idiot = play_moves(
        game_at(players=2, boxes="coin", villages=villages, deck="12 2"), "draw", "use", "clockwise", "A2"
    )
    assert prompt_for(resume_from_text(idiot)) == Prompt(
        "Choose the card of Bo's village that moves on.",
        "Each card goes to the next village, clockwise. So far: your spot 2.",
        12,
    )


def test_prompts_are_the_same_after_a_reload() -> None:
    for game in random_decisions(range(500, 512)):
        view = game.view(game.to_move)
        assert view.asking is not None
        if view.asking.label.startswith("G") and game.turns % 5:
            continue
        resumed_game = resume_from_text(game)
        for seat in [*game.seats, None]:
            assert prompt(resumed_game.view(seat)) == prompt(game.view(seat))


def test_questions_of_silver_amulet_have_their_own_prompts() -> None:
    villages = {"A": "4^ 3^ 7 2^ 9", "B": "1^ 5 6"}
    game = game_at(
        players=2, boxes="amulet", villages=villages, deck="8 11 2 6 7", discard="12 9", token="amulet A active"
    )
    assert prompt_for(game) == Prompt(
        "It is your turn.",
        "Draw from the deck, draw the Apprentice Seer shown beside it, or take the Robber."
        " You may also use your Bodyguard, your Empath or the silver amulet.",
        None,
    )
    play_moves(game, "ability A2")
    assert prompt_for(game).title == "Choose one of your cards to guard."
    assert prompt_for(game, "B") == Prompt("Ann chooses a card to guard with the Bodyguard.", "", 3)
    play_moves(game, "A5", "draw")
    assert prompt_for(game) == Prompt(
        "Choose the card to draw.",
        "From the top: the Witch and the Empath. The others stay on top in their order.",
        4,
    )
    assert prompt_for(game, "B") == Prompt("Ann chooses one of the deck's top cards, with the Rascal.", "", 4)
    play_moves(game, "keep 1", "use")
    assert prompt_for(game) == Prompt(
        "Find a place for the Empath.",
        "Choose cards of yours to exchange for it, or a card of another village to replace."
        " What it replaces is discarded.",
        11,
    )
    assert prompt_for(game, "B") == Prompt("Ann chooses a place for the Witch's card.", "", 11)


def test_every_question_has_its_own_text_and_distinct_buttons() -> None:
    asked: set[tuple[str, str]] = set()
    for game in random_decisions(range(72)):
        view = game.view(game.to_move)
        context = PromptContext(view)
        question = context.asking
        shown_prompt = prompt(view)
        assert shown_prompt.title[0].isupper()
        assert shown_prompt.title.endswith(".")
        assert "{" not in shown_prompt.title + shown_prompt.detail
        assert shown_prompt.source == question.number
        buttons = [button_text(move, view) for move in view.legal]
        assert len(set(buttons)) == len(buttons), buttons
        if not question.is_rule:
            assert question.step in RESIDENT_TEXTS[question.label].questions, question
            assert shown_prompt[:2] != fallback_prompt(context)
        asked.add((question.label, question.step))
    entries = {(label, step) for label, texts in RESIDENT_TEXTS.items() for step in texts.questions}
    assert entries - asked <= {("B10", "end")}  # This question needs a deck with a Zombie and a Count.
    assert {step for _, step in asked} == set(STEPS)


def test_waiting_prompts_name_the_player_and_the_decision() -> None:
    for game in random_decisions(range(200, 224)):
        for seat in [*game.seats, None]:
            view = game.view(seat)
            if view.legal or view.looking:
                continue
            assert view.asking is not None
            title, detail, source = prompt(view)
            assert game.names["ABCD".index(game.to_move)] in title
            assert "{" not in title + detail
            assert source == view.asking.number
            if source is not None:
                assert view.residents[source].name in title
            elif view.asking.label.endswith("14"):
                assert f"the silver {view.token}" in title


def test_the_prompt_for_the_village_end_of_a_zombie_says_why_it_goes_there() -> None:
    sent = game_at(players=3, boxes="dagger", villages={"A": "4^ 6", "B": "6", "C": "5 7"}, previous="C")
    assert prompt_for(play_moves(sent, "ability A1")) == Prompt(
        "Choose an end of Cy's village for the Zombie.", "It goes there facedown.", 4
    )
    twice = game_at(players=2, boxes="dagger", villages={"A": "4 6", "B": "6"}, deck="4 5")
    assert prompt_for(play_moves(twice, "draw", "exchange A1")) == Prompt(
        "Choose an end of your village for the Zombie.",
        "The Zombie in your village doesn't leave, so this one joins it.",
        4,
    )
    alone = game_at(players=2, boxes="dagger", villages={"A": "6*", "B": "6"}, deck="4 5", token="bullet A used")
    assert (
        prompt_for(play_moves(alone, "draw")).detail
        == "It can't be discarded, and you have nothing to exchange it for."
    )
    count = game_at(players=2, boxes="bbbbdbbbbbbbbb", villages={"A": "9 6", "B": "6"}, deck="10 1 4", discard="9")
    assert prompt_for(play_moves(count, "draw", "use")) == Prompt(
        "Choose an end of your village for the Zombie.",
        "It can't stay on top of the discard pile, so it joins you faceup.",
        10,
    )
    assert prompt_for(count, "B").title == "Ann chooses an end of the village, with the Count."
    witch = game_at(players=2, boxes="aaaadaaaaaaaaa", villages={"A": "9 6", "B": "4 6"}, deck="11 4")
    assert prompt_for(play_moves(witch, "draw", "use", "B1")) == Prompt(
        "Choose an end of Bo's village for the Zombie.", "The Zombie there doesn't leave, so this one joins it.", 4
    )


def test_a_resident_without_texts_has_a_fallback_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_at(players=2, boxes="bullet", villages={"A": "9 6 8", "B": "6 5 7"}, deck="11 2")
    view = play_moves(game, "draw", "use", "A1").view("A")
    text = view.residents[11].text
    for step in TITLE_BY_STEP:
        assert view.asking is not None
        context = PromptContext(view._replace(asking=view.asking._replace(step=step)))
        title, detail = fallback_prompt(context)
        assert title.endswith(".")
        assert detail == f"{text} So far: your spot 1."
    monkeypatch.delitem(RESIDENT_TEXTS, "B11")
    assert prompt(view) == Prompt("Choose a second card for the Troublemaker.", f"{text} So far: your spot 1.", 11)
    assert prompt(game.view("B")).title == "Ann chooses a second card for the Troublemaker."
    assert advice_text(view, guide_advice(view)).startswith(f"{text} Best here: ")
    assert button_text(view.legal[0], view) == "Bo's spot 1"
    assert (
        set(TITLE_BY_STEP) == set(WAITING_TEXT_BY_STEP) == set(STEPS) - {"look", "action", "more", "penalty", "close"}
    )


def test_texts_belong_to_existing_residents_and_tokens() -> None:
    labels = {resident.label for resident in residents()} | {box.token_label for box in ALL_BOXES}
    assert set(RESIDENT_TEXTS) <= labels
    assert {step for texts in RESIDENT_TEXTS.values() for step in [*texts.questions, *texts.waiting_texts]} <= set(
        STEPS
    )


def test_the_first_event_after_an_answer_fits_the_question() -> None:
    random = Random(7)
    seen: set[str] = set()
    for game in random_decisions(range(100, 124)):
        view = game.view(game.to_move)
        assert view.asking is not None
        by = view.asking.label
        picks = [move for move in game.legal() if str(move) not in ("stop", "pass") and move.verb != "ability"]
        if by in FOLLOWING_EVENT_KINDS and picks:
            after, before = game.copy(), len(game.events())
            after.play(random.choice(picks))
            assert after.events(since=before)[0].kind in FOLLOWING_EVENT_KINDS[by], (by, view.legal)
            seen.add(by)
    assert seen >= {label for label in FOLLOWING_EVENT_KINDS if not label.endswith("14")}
