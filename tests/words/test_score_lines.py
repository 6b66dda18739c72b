"""The reveal in words."""

from argentum import Game
from argentum.rules.views import View
from argentum.words import ScoreText, continue_button, round_result, score_texts, token_result
from tests.words.positions import NAMES, at, played

MINUS = "\u2212"


def end_of(game: Game, seat: str = "A") -> View:
    """A seat's view of the first round that is over."""
    return game.round_end_view(game.round, seat)


def reveal(game: Game, seat: str = "A") -> dict[str, list[tuple[str, str]]]:
    """Each seat's lines, as words and amounts."""
    texts = score_texts(game.explain(game.round), end_of(game, seat))
    return {seat: [(line.words, line.amount) for line in lines] for seat, lines in texts.items()}


def judged(game: Game, seat: str = "A") -> tuple[str, str]:
    """The verdict as a seat reads it."""
    return round_result(game.explain(game.round), end_of(game, seat))


def called(villages: dict[str, str], **more: object) -> Game:
    """The last seat has called, and everybody else has had the last turn: everything is revealed as it lies."""
    boxes = more.pop("boxes", "dddddddcdcddcd")
    game = at(players=len(villages), boxes=boxes, villages=villages, deck="6 12 12 9", discard="9 9", **more)
    played(game, "call")
    while not game.over:
        move = "draw" if "draw" in [str(move) for move in game.legal()] else "discard"
        played(game, "end" if "end" in [str(move) for move in game.legal()] else move)
    return game


def test_a_reveal_as_the_picture_shows_it() -> None:
    villages = {"A": "8 3 1 2", "B": "6 0^ 4 11", "C": "5 2^ 7 1", "D": "3 4 1"}
    game = called(villages, turn="D")
    texts = score_texts(game.explain(1), end_of(game))
    assert texts["B"] == [
        ScoreText(6, "Flipper", "6", "card"),
        ScoreText(0, "Debt Collector, faceup", "0", "card"),
        ScoreText(4, "Zombie", "4", "card"),
        ScoreText(11, "Reverser", "11", "card"),
        ScoreText(None, "Sum", "21", "sum"),
        ScoreText(0, "Debt Collector: 11 cards in other villages", f"{MINUS}11", "change"),
        ScoreText(None, "Round score", "10", "score"),
    ]
    lines = reveal(game)
    assert lines["A"][3:] == [
        ("Halfling, facedown", "2"),
        ("Sum", "14"),
        ("Nothing changes it", ""),
        ("Round score", "14"),
    ]
    assert lines["C"][1] == ("Halfling, faceup", "0")
    assert lines["C"][4:] == [("Sum", "13"), ("Halfling halves 13, rounded up", "7"), ("Round score", "7")]
    assert lines["D"][3:] == [("Sum", "8"), ("Call lost: Cy has less", "+10"), ("Round score", "18")]
    assert judged(game) == (
        "Dee called, and the vote is lost.",
        "Cy's village counts 7, one less than Dee's 8.",
    )
    assert judged(game, "D")[0] == "You called, and the vote is lost."
    assert judged(game, "C")[1] == "Your village counts 7, one less than Dee's 8."


def test_a_call_that_is_won() -> None:
    game = called({"A": "8 3", "B": "5 5", "C": "1 2"}, turn="C")
    assert judged(game) == ("Cy called, and the vote is won.", "No village counts less than Cy's 3.")
    assert reveal(game)["C"][2:] == [("Sum", "3"), ("Call won: nobody has less", "0"), ("Round score", "0")]
    tied = called({"A": "1 2", "B": "5 5", "C": "3"}, turn="C")
    assert judged(tied, "C") == (
        "You called, and the vote is won.",
        "Ann's village counts 3 too, but the caller wins a tie.",
    )


def test_two_villages_below_the_caller() -> None:
    game = called({"A": "1", "B": "1", "C": "3 6"}, turn="C")
    assert judged(game)[1] == "Your and Bo's villages count 1, 8 less than Cy's 9."
    assert reveal(game)["C"][3] == ("Call lost: two players have less", "+10")


def test_a_deck_that_runs_out() -> None:
    game = at(players=2, boxes="dagger", villages={"A": "9 0^", "B": ""}, deck="6", discard="9")
    played(game, "draw", "discard")
    assert judged(game) == ("The deck ran out, and nobody called.", "Bo's village counts 0, the least.")
    lines = reveal(game)
    assert lines["B"] == [("No cards", "0"), ("Sum", "0"), ("Nothing changes it", ""), ("Round score", "0")]
    assert lines["A"][3] == ("Debt Collector: 0 cards in other villages", "0")


def test_copycat_wolfman_furry_and_the_bullet() -> None:
    copy = called({"A": "13 5^ 9", "B": "13"}, turn="B", boxes="bullet")
    assert reveal(copy)["A"][0] == ("Copycat, counts as 5", "5")
    wolf = called({"A": "13^ 5^ 3", "B": "13"}, turn="B", boxes="coin")
    assert reveal(wolf)["A"][0] == ("Wolfman, faceup", "13")
    assert reveal(wolf)["A"][4] == ("Wolfman: the others add up to 8, less than 13", "0")
    furry = called({"A": "13 11 11 10 5", "B": "1"}, turn="B", boxes="dagger")
    assert reveal(furry)["A"][6] == ("Furry: exactly 50 becomes 0", "0")
    assert reveal(furry)["B"][2] == ("Your Furry hit exactly 50", "+50")
    assert reveal(furry, "B")["B"][2] == ("Ann's Furry hit exactly 50", "+50")
    covered = at(players=2, boxes="bullet", villages={"A": "12 5", "B": "1"}, token="bullet A active", deck="6")
    played(covered, "token", "A1", "draw", "discard")
    assert reveal(covered)["A"][0] == ("Gremlin, under the silver bullet", "0")


def test_a_negative_sum() -> None:
    game = called({"A": "0^ 1", "B": "5 5 6", "C": "1 2"}, turn="C")
    assert reveal(game)["A"][2:] == [
        ("Sum", "1"),
        ("Debt Collector: 5 cards in other villages", f"{MINUS}5"),
        ("Round score", f"{MINUS}4"),
    ]
    assert judged(game)[1] == f"Your village counts {MINUS}4, 7 less than Cy's 3."


def test_a_reveal_of_every_round_adds_up_and_watchers_read_it_too() -> None:
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


def test_a_round_that_the_villagers_end() -> None:
    game = at(players=2, boxes="amulet", villages={"A": "0^ 9", "B": "0 5"}, deck="6 12", discard="9")
    played(game, "draw", "use", "B1")
    assert judged(game) == (
        "Both Villagers came to lie faceup: the round ended at once.",
        "Bo's village counts 5, the least.",
    )
    called = at(players=2, boxes="amulet", villages={"A": "0^ 9", "B": "0 5"}, deck="6 12", discard="9", caller="B")
    played(called, "draw", "use", "B1")
    assert judged(called) == (
        "Both Villagers came to lie faceup: the round ended at once.",
        "Bo called, and the vote is won. No village counts less than Bo's 5.",
    )


def test_a_round_that_goes_on_for_too_long() -> None:
    game = at(players=2, boxes="dagger", villages={"A": "9", "B": "5"}, discard="6")
    while not game.over:
        played(game, "take")
        if not game.over and "done" in [str(move) for move in game.legal()]:
            played(game, "done")
    headline, why = judged(game)
    assert headline == "The round ended after 200 turns."
    assert why.endswith(", the least.")


def test_a_card_under_the_amulet_counts_its_number() -> None:
    game = at(
        players=2, boxes="amulet", villages={"A": "12 5", "B": "1"}, token="amulet A active", deck="6", discard="9"
    )
    played(game, "token", "A1", "draw", "discard")
    assert reveal(game)["A"][0] == ("Robber, under the silver amulet", "12")


def test_what_becomes_of_the_token() -> None:
    game = called({"A": "8 3", "B": "5 5", "C": "1 2"}, turn="C")
    assert continue_button(end_of(game)) == "On to round 2"
    assert continue_button(end_of(game)._replace(round=4)) == "See the result"
    assert token_result(end_of(game)._replace(round=4)) == "The silver dagger ends with Cy."
    assert token_result(end_of(game)) == "Cy has the silver dagger and starts round 2. It is ready for use."
    lost = called({"A": "1", "B": "5 5", "C": "1 2"}, turn="C")
    assert token_result(end_of(lost)) == (
        "Ann has the silver dagger and starts round 2. It lies idle: only a successful call makes it ready."
    )
