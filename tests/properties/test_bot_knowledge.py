"""What a bot that looks ahead is given follows from what its seat knows, and from nothing else."""

from random import Random
from typing import cast

import pytest

from argentum import Game
from argentum.bots import Bot, ask, make
from argentum.rules.boxes import BOX_NAMES, random_deck_code
from argentum.rules.move import Move
from argentum.rules.views import View


def inside(game: Game) -> bool:
    """Whether a game stands inside an ability: the table alone does not say where."""
    return bool(game.checkpoint()[1])


def positions(seed: int, games: int, share: float) -> list[tuple[Game, str]]:
    """Games in the middle, at choices of the seat to move: at rest, in first looks and inside abilities."""
    random = Random(seed)
    found = []
    for nth in range(games):
        game = Game.new(random_deck_code(random), random.randint(2, 4), nth, random.choice(["", *BOX_NAMES]))
        bots = {seat: make(random.choice(["novice", "steady"]), nth) for seat in game.seats}
        while not game.over and game.round < 3:
            seat = game.to_move
            if random.random() < (3 * share if inside(game) else share):
                found.append((game.copy(), seat))
            game.play(ask(bots[seat], game, seat), seat)
    return found


def test_an_imagined_game_is_the_same_whatever_the_truth_is() -> None:
    random = Random(1)
    asked = positions(5, 10, 0.1)
    assert any([inside(game) for game, _ in asked])
    for nth, (game, seat) in enumerate(asked):
        other = game.redeal(seat, random)
        assert other.view(seat) == game.view(seat)
        one, another = [which.redeal_from_knowledge(seat, Random(nth)) for which in (game, other)]
        assert one is not None
        assert another is not None
        assert one.text() == another.text()


class Listener(Bot):
    """A bot that writes down what it is given."""

    name = "listener"
    summary = "writes down what it is given"
    uses_search = True

    def choose(self, view: View) -> Move:
        """Any move."""
        return view.legal[0]

    def choose_with_search(self, view: View, imagined: Game) -> Move:
        """Any move, once the game is written down."""
        self.given = (view, imagined.text(), imagined.names, imagined.events(view.seat))
        return view.legal[0]


def test_what_a_bot_is_given_to_look_ahead_is_the_same_whatever_the_truth_is() -> None:
    random = Random(2)
    for nth, (game, seat) in enumerate(positions(15, 4, 0.1)):
        told = []
        for one in (game, game.redeal(seat, random)):
            bot = Listener(nth)
            ask(bot, one, seat)
            told.append(bot.given)
        assert told[0] == told[1]


def test_an_imagined_game_stands_as_the_seat_sees_it_and_can_be_played_on() -> None:
    for nth, (game, seat) in enumerate(positions(6, 3, 0.05)):
        guess = Game.resume(game.redeal(seat, Random(nth)).text(), game.names)
        assert guess.view(seat) == game.view(seat)
        guess.rollout(Random(nth))
        assert guess.over


def test_an_imagined_game_has_nothing_of_the_past() -> None:
    for nth, (game, seat) in enumerate(positions(7, 2, 0.05)):
        guess = Game.resume(game.redeal(seat, Random(nth)).text(), game.names)
        assert not [event for event in guess.events(seat) if event.kind == "dealt"]
        assert guess.scores == []
        assert guess.totals == game.totals
        assert inside(game) or not any([shuffle.cards for shuffle in guess.shuffles()])


def test_a_redeal_holds_where_no_other_faces_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then what the running turn rests on stays: what was seen in it, and what a Thing shuffled."""
    monkeypatch.setattr("argentum.rules.game.MAX_REDEAL_ATTEMPTS", 0)
    position = {"boxes": "bullet", "deck": "6 9 7 10 3 5 12 2 8", "discard": "11"}
    villages = {"villages": {"A": "2^ 4^ 8 5 9 1", "B": "5 6 7 3"}, "seen": {"A": "A3 A4"}}
    game = Game.at(position | villages)
    for move in ("draw", "exchange A3", "use 8", "A", "ability A1"):
        game.play(move)
    assert inside(game)
    for nth in range(20):
        for seat in game.seats:
            assert game.redeal(seat, Random(nth)).view(seat) == game.view(seat)


def test_where_nothing_can_be_imagined_a_bot_makes_do_with_its_view() -> None:
    game = Game.new("coin", 2, 1)

    class Puzzling:
        """A game of which a seat cannot find out how it may stand."""

        view = staticmethod(game.view)

        def imagine(self, seat: str, random: Random) -> None:
            """Nothing is found."""

    assert ask(make("seer:1", 1), cast("Game", Puzzling()), "A") == make("steady", 1).choose(game.view("A"))
