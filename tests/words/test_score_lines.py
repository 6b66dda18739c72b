from argentum import Game
from argentum.rules.views import View
from argentum.words import ScoreText, continue_button_text, round_result, score_texts, token_result
from tests.words.positions import NAMES, game_at, play_moves

MINUS = "\u2212"


def round_end_view(game: Game, seat: str = "A") -> View:
    """Return a seat's view at the end of the round."""
    return game.round_end_view(game.round, seat)


def score_sheets(game: Game, seat: str = "A") -> dict[str, list[tuple[str, str]]]:
    """Return the texts and amounts of each seat's score sheet, for the reader at `seat`."""
    texts = score_texts(game.explain(game.round), round_end_view(game, seat))
    return {seat: [(line.words, line.amount) for line in lines] for seat, lines in texts.items()}


def result_for(game: Game, seat: str = "A") -> tuple[str, str]:
    return round_result(game.explain(game.round), round_end_view(game, seat))


def round_with_call(villages: dict[str, str], **more: object) -> Game:
    """Return a scored round with these villages, in which the seat to move called."""
    boxes = more.pop("boxes", "dddddddcdcddcd")
    game = game_at(players=len(villages), boxes=boxes, villages=villages, deck="6 12 12 9", discard="9 9", **more)
    play_moves(game, "call")
    while not game.over:
        move = "draw" if "draw" in [str(move) for move in game.legal()] else "discard"
        play_moves(game, "end" if "end" in [str(move) for move in game.legal()] else move)
    return game


def test_score_sheets_list_cards_changes_and_the_call() -> None:
    villages = {"A": "8 3 1 2", "B": "6 0^ 4 11", "C": "5 2^ 7 1", "D": "3 4 1"}
    game = round_with_call(villages, turn="D")
    texts = score_texts(game.explain(1), round_end_view(game))
    assert texts["B"] == [
        ScoreText(6, "Flipper", "6", "card"),
        ScoreText(0, "Debt Collector, faceup", "0", "card"),
        ScoreText(4, "Zombie", "4", "card"),
        ScoreText(11, "Reverser", "11", "card"),
        ScoreText(None, "Sum", "21", "sum"),
        ScoreText(0, "Debt Collector: 11 cards in other villages", f"{MINUS}11", "change"),
        ScoreText(None, "Round score", "10", "score"),
    ]
    lines = score_sheets(game)
    assert lines["A"][3:] == [
        ("Halfling, facedown", "2"),
        ("Sum", "14"),
        ("Nothing changes it", ""),
        ("Round score", "14"),
    ]
    assert lines["C"][1] == ("Halfling, faceup", "0")
    assert lines["C"][4:] == [("Sum", "13"), ("Halfling halves 13, rounded up", "7"), ("Round score", "7")]
    assert lines["D"][3:] == [("Sum", "8"), ("Call lost: Cy has less", "+10"), ("Round score", "18")]
    assert result_for(game) == (
        "Dee called, and the vote is lost.",
        "Cy's village counts 7, one less than Dee's 8.",
    )
    assert result_for(game, "D")[0] == "You called, and the vote is lost."
    assert result_for(game, "C")[1] == "Your village counts 7, one less than Dee's 8."


def test_the_result_of_a_won_call_says_that_nobody_has_less() -> None:
    game = round_with_call({"A": "8 3", "B": "5 5", "C": "1 2"}, turn="C")
    assert result_for(game) == ("Cy called, and the vote is won.", "No village counts less than Cy's 3.")
    assert score_sheets(game)["C"][2:] == [("Sum", "3"), ("Call won: nobody has less", "0"), ("Round score", "0")]
    tied = round_with_call({"A": "1 2", "B": "5 5", "C": "3"}, turn="C")
    assert result_for(tied, "C") == (
        "You called, and the vote is won.",
        "Ann's village counts 3 too, but the caller wins a tie.",
    )


def test_the_result_of_a_lost_call_names_both_villages_with_less() -> None:
    game = round_with_call({"A": "1", "B": "1", "C": "3 6"}, turn="C")
    assert result_for(game)[1] == "Your and Bo's villages count 1, 8 less than Cy's 9."
    assert score_sheets(game)["C"][3] == ("Call lost: two players have less", "+10")


def test_the_result_of_a_round_without_a_call_names_the_lowest_village() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 0^", "B": ""}, deck="6", discard="9")
    play_moves(game, "draw", "discard")
    assert result_for(game) == ("The deck ran out, and nobody called.", "Bo's village counts 0, the least.")
    lines = score_sheets(game)
    assert lines["B"] == [("No cards", "0"), ("Sum", "0"), ("Nothing changes it", ""), ("Round score", "0")]
    assert lines["A"][3] == ("Debt Collector: 0 cards in other villages", "0")


def test_score_sheets_explain_copycat_wolfman_furry_and_bullet() -> None:
    copy = round_with_call({"A": "13 5^ 9", "B": "13"}, turn="B", boxes="bullet")
    assert score_sheets(copy)["A"][0] == ("Copycat, counts as 5", "5")
    wolf = round_with_call({"A": "13^ 5^ 3", "B": "13"}, turn="B", boxes="coin")
    assert score_sheets(wolf)["A"][0] == ("Wolfman, faceup", "13")
    assert score_sheets(wolf)["A"][4] == ("Wolfman: the others add up to 8, less than 13", "0")
    furry = round_with_call({"A": "13 11 11 10 5", "B": "1"}, turn="B", boxes="dagger")
    assert score_sheets(furry)["A"][6] == ("Furry: exactly 50 becomes 0", "0")
    assert score_sheets(furry)["B"][2] == ("Your Furry hit exactly 50", "+50")
    assert score_sheets(furry, "B")["B"][2] == ("Ann's Furry hit exactly 50", "+50")
    covered = game_at(players=2, boxes="bullet", villages={"A": "12 5", "B": "1"}, token="bullet A active", deck="6")
    play_moves(covered, "token", "A1", "draw", "discard")
    assert score_sheets(covered)["A"][0] == ("Gremlin, under the silver bullet", "0")


def test_a_score_sheet_shows_a_negative_sum_with_a_minus_sign() -> None:
    game = round_with_call({"A": "0^ 1", "B": "5 5 6", "C": "1 2"}, turn="C")
    assert score_sheets(game)["A"][2:] == [
        ("Sum", "1"),
        ("Debt Collector: 5 cards in other villages", f"{MINUS}5"),
        ("Round score", f"{MINUS}4"),
    ]
    assert result_for(game)[1] == f"Your village counts {MINUS}4, 7 less than Cy's 3."


def test_score_sheets_of_random_games_add_up_for_all_viewers() -> None:
    for seed in range(12):
        game = Game.new(
            "dcdbacadcdbacc"[seed:] + "dcdbacadcdbacc"[:seed], 2 + seed % 3, seed, names=NAMES[: 2 + seed % 3]
        )
        while not game.over:
            game.play(game.legal()[seed % len(game.legal())])
        for number in range(1, game.rounds_finished + 1):
            seen, watched = game.round_end_view(number, "A"), game.round_end_view(number)
            lines = game.explain(number)
            texts = score_texts(lines, seen)
            for seat, score in seen.scores.items():
                assert texts[seat][-1].amount.replace(MINUS, "-") == str(score)
                assert [line.kind for line in texts[seat]].count("card") == max(1, len(seen.villages[seat]))
            assert [line.amount for line in score_texts(lines, watched)["A"]] == [line.amount for line in texts["A"]]
            assert all(part.endswith(".") for part in round_result(lines, watched))


def test_the_result_says_that_the_villagers_ended_the_round() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "0^ 9", "B": "0 5"}, deck="6 12", discard="9")
    play_moves(game, "draw", "use", "B1")
    assert result_for(game) == (
        "Both Villagers came to lie faceup: the round ended at once.",
        "Bo's village counts 5, the least.",
    )
    villagers_game = game_at(
        players=2, boxes="amulet", villages={"A": "0^ 9", "B": "0 5"}, deck="6 12", discard="9", caller="B"
    )
    play_moves(villagers_game, "draw", "use", "B1")
    assert result_for(villagers_game) == (
        "Both Villagers came to lie faceup: the round ended at once.",
        "Bo called, and the vote is won. No village counts less than Bo's 5.",
    )


def test_the_result_names_the_turn_cap_that_ended_the_round() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9", "B": "5"}, discard="6")
    while not game.over:
        play_moves(game, "take")
        if not game.over and "done" in [str(move) for move in game.legal()]:
            play_moves(game, "done")
    headline, why = result_for(game)
    assert headline == "The round ended after 200 turns."
    assert why.endswith(", the least.")


def test_a_score_sheet_counts_the_number_of_a_card_under_the_amulet() -> None:
    game = game_at(
        players=2, boxes="amulet", villages={"A": "12 5", "B": "1"}, token="amulet A active", deck="6", discard="9"
    )
    play_moves(game, "token", "A1", "draw", "discard")
    assert score_sheets(game)["A"][0] == ("Robber, under the silver amulet", "12")


def test_the_token_result_says_who_has_the_token_and_whether_it_is_ready() -> None:
    game = round_with_call({"A": "8 3", "B": "5 5", "C": "1 2"}, turn="C")
    assert continue_button_text(round_end_view(game)) == "On to round 2"
    assert continue_button_text(round_end_view(game)._replace(round=4)) == "See the result"
    assert token_result(round_end_view(game)._replace(round=4)) == "The silver dagger ends with Cy."
    assert token_result(round_end_view(game)) == "Cy has the silver dagger and starts round 2. It is ready for use."
    lost = round_with_call({"A": "1", "B": "5 5", "C": "1 2"}, turn="C")
    assert token_result(round_end_view(lost)) == (
        "Ann has the silver dagger and starts round 2. It lies idle: only a successful call makes it ready."
    )
