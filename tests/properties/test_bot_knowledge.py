from random import Random
from typing import cast

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.bots import Bot, ask, make
from argentum.rules.move import Move
from argentum.rules.position import Position
from argentum.rules.views import View
from tests.bots.positions import is_in_ability, sample_positions
from tests.random_games import games, play_to_end, seeds, viewers
from tests.rules.test_table import attributes


def contents(position: Position) -> list[object]:
    """Return everything in a position, for comparisons."""
    tables = [(attributes(table), table.events) for table in (position.table, position.start)]
    return [tables, list(position.moves), position.options, position.last_round, position.hidden_marks]


@settings(max_examples=250)
@given(games(), viewers, seeds)
def test_a_position_as_a_viewer_knows_it_does_not_depend_on_the_true_faces(
    game: Game, viewer: str | None, seed: int
) -> None:
    other = game.redeal(viewer, Random(seed))
    assert contents(game.position().known_to(viewer)) == contents(other.position().known_to(viewer))


@settings(max_examples=150)
@given(games(), viewers, seeds)
def test_a_redeal_does_not_depend_on_the_true_faces(game: Game, viewer: str | None, seed: int) -> None:
    other = game.redeal(viewer, Random(seed + 1)).position()
    known = game.position().known_to(viewer)
    first, *rest = [position.redealt(viewer, Random(seed)) for position in (known, other, game.position())]
    for sample in rest:
        assert (first is None) == (sample is None)
        if first is not None and sample is not None:
            assert first.text() == sample.text()


@settings(max_examples=100)
@given(games(), viewers, seeds)
def test_a_redealt_position_shows_its_viewer_the_same(game: Game, viewer: str | None, seed: int) -> None:
    known = game.position().known_to(viewer)
    sample = known.redealt(viewer, Random(seed))
    if sample is None or game.over:
        return
    assert Position.read(sample.text()).text() == sample.text()
    resumed = Game.at(sample, game.names)
    assert resumed.view(viewer) == game.view(viewer)._replace(names=tuple(game.names))


class RecordingBot(Bot):
    """A bot that stores the view and the re-dealt game that it receives."""

    name = "recorder"
    summary = "stores its arguments"
    uses_search = True

    def choose(self, view: View) -> Move:
        return view.legal[0]

    def choose_with_search(self, view: View, position: Position) -> Move:
        self.received = (view, contents(position))
        return view.legal[0]


def test_a_searching_bot_receives_nothing_that_depends_on_the_true_faces() -> None:
    random = Random(2)
    for seed, (game, seat) in enumerate(sample_positions(15, 4, 0.1)):
        received = []
        for source in (game, game.redeal(seat, random)):
            bot = RecordingBot(seed)
            ask(bot, source, seat)
            received.append(bot.received)
        assert received[0] == received[1]


def test_a_redealt_game_resumed_from_text_shows_the_seat_the_same_view_and_can_be_finished() -> None:
    for seed, (game, seat) in enumerate(sample_positions(6, 3, 0.05)):
        resumed = Game.resume(game.redeal(seat, Random(seed)).text(), game.names)
        assert resumed.view(seat) == game.view(seat)
        play_to_end(resumed, Random(seed))
        assert resumed.over


def test_the_text_of_a_redealt_game_contains_no_history() -> None:
    for seed, (game, seat) in enumerate(sample_positions(7, 2, 0.05)):
        resumed = Game.resume(game.redeal(seat, Random(seed)).text(), game.names)
        assert not [event for event in resumed.events(seat) if event.kind == "dealt"]
        assert resumed.scores == []
        assert resumed.totals == game.totals
        assert is_in_ability(game) or not any([shuffle.cards for shuffle in resumed.shuffles()])


def test_a_redeal_falls_back_to_the_faces_seen_in_this_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argentum.rules.position.MAX_REDEAL_ATTEMPTS", 0)
    position = {"boxes": "bullet", "deck": "6 9 7 10 3 5 12 2 8", "discard": "11"}
    villages = {"villages": {"A": "2^ 4^ 8 5 9 1", "B": "5 6 7 3"}, "seen": {"A": "A3 A4"}}
    game = Game.at(position | villages)
    for move in ("draw", "exchange A3", "use 8", "A", "ability A1"):
        game.play(move)
    assert is_in_ability(game)
    for seed in range(20):
        for seat in game.seats:
            assert game.redeal(seat, Random(seed)).view(seat) == game.view(seat)


def test_a_searching_bot_uses_its_view_if_no_redeal_succeeds() -> None:
    game = Game.new("coin", 2, 1)

    class GameWithoutRedeals:
        """A game, and its position, for which no re-deal succeeds."""

        view = staticmethod(game.view)

        def position(self) -> "GameWithoutRedeals":
            return self

        def known_to(self, seat: str) -> "GameWithoutRedeals":
            return self

        def redealt(self, seat: str, random: Random) -> None:
            return None

    assert ask(make("seer:1", 1), cast("Game", GameWithoutRedeals()), "A") == make("steady", 1).choose(game.view("A"))
