"""What an update says is what the seat sees, when it is read back; and a game here tells what a server tells."""

import asyncio
import json
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from argentum import Game
from argentum.display.results import reckoning_of
from argentum.display.session import Made
from argentum.display.updates import event_json, read_event, read_reckoning, read_view, reckoning_json, view_json
from argentum.rules.views import Card, View
from argentum.terminal.sources.local import LocalTable
from argentum.terminal.state import Reader
from argentum.words import chronicle
from tests.playing import finish_move, games, play_some
from tests.terminal.playing import PATIENCE
from tests.web.serving import Server, seated, shared_server

__all__ = ["shared_server"]


def told(view: View) -> View:
    """A view without what an update leaves out: who knows cards of the deck, and faceup cards."""

    def plain(card: Card) -> Card:
        return card._replace(known_by="" if card.up else card.known_by)

    return view._replace(
        shown=tuple(plain(card) for card in view.shown),
        villages={seat: tuple(plain(card) for card in cards) for seat, cards in view.villages.items()},
        private={seat: tuple(plain(card) for card in cards) for seat, cards in view.private.items()},
        discard=tuple(plain(card) for card in view.discard),
        hand=None if view.hand is None else plain(view.hand),
        deck=tuple(Card(card.number, card.up) for card in view.deck),
    )


@given(games(most_moves=150))
@settings(max_examples=40, deadline=None)
def test_a_view_and_its_events_are_read_back_as_they_were(game: Game) -> None:
    for seat in (None, *game.seats):
        view = game.view(seat)
        assert read_view(json.loads(view_json(view))) == told(view)
        for event, public in zip(game.events(seat), game.events(None), strict=True):
            form = json.loads(event_json(event, public))
            assert "text" not in form
            assert read_event(form) == (event, public)


def test_a_reckoning_is_read_back_and_opens_only_the_villages() -> None:
    game = finish_move(play_some(Game.new("dagger", 3, 4), Random(4), 300))
    assert game.rounds_over
    end, lines = reckoning_of(game, "B")
    form = json.loads(reckoning_json(reckoning_of(game, "B")))
    assert read_reckoning(form) == (told(end), lines)
    assert lines == tuple(game.explain(end.round))
    assert all(card.number is not None for cards in end.villages.values() for card in cards)
    assert all(card.number is None for card in end.deck)


def test_a_reader_tells_the_same_story_as_the_game() -> None:
    table = LocalTable("Ann", ["novice", "novice"], "random", seed=5)
    reader, random = Reader(), Random(5)
    while not table.game.over:
        moment, _ = reader.read(table.update())
        assert moment.view is not None
        assert moment.scene is not None
        play_some(table.game, random, 3)
        table.sitting.go_on(Made(table.game, "", []), table.sitting.moment + 1)
    moment, _ = reader.read(table.update())
    assert moment.scene is not None
    game = table.game
    whole = chronicle(game.events("A"), game.events(None), game.view("A"))
    assert list(reversed(moment.scene.log)) == whole[-len(moment.scene.log) :]


def test_with_memory_what_was_seen_fades_and_is_not_in_the_log() -> None:
    table = LocalTable("Ann", ["novice"], seed=1, memory=True)
    reader = Reader()
    heard: list[dict[str, Any]] = []
    table.tell = heard.append
    reader.read(table.update())
    asyncio.run(table.send({"type": "move", "choice": 0, "move": "peek A1 A2"}))
    moment, _ = reader.read(heard[-1])
    assert moment.view is not None
    assert moment.scene is not None
    assert [card.number is None for card in moment.view.villages["A"]] == [False, False, True, True, True]
    residents = moment.view.residents
    assert "You looked at your spots 1 and 2." in [entry.text(residents) for entry in moment.scene.log]
    looks = table.sitting.recall("A").looks
    looks.update(dict.fromkeys(looks, -inf))  # long ago
    moment, _ = reader.read(table.update())
    assert moment.view is not None
    assert [card.number for card in moment.view.villages["A"]] == [None] * 5


def test_a_game_here_tells_what_a_server_tells(server: Server) -> None:
    here = LocalTable("Ann", ["novice"], seed=1).update()

    async def there() -> dict[str, Any]:
        table, key = server.new_table(boxes="dagger", bots="1")
        async with seated(server, table, key) as client:
            return client.state

    update = asyncio.run(there())
    assert here.keys() == update.keys() - {"links"}, "nobody is invited here"
    assert here["view"].keys() == update["view"].keys()
    assert here["seats"][0].keys() == update["seats"][0].keys()
    assert here["arrangement"].keys() == update["arrangement"].keys()


def test_a_bot_that_fails_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = LocalTable("Ann", ["novice"], seed=1, pause=0)
    monkeypatch.setattr("argentum.bots.novice.NoviceBot.choose", lambda self, view: 1 / 0)
    heard: list[dict[str, Any]] = []

    async def look() -> None:
        running = asyncio.create_task(table.run(heard.append))
        async with asyncio.timeout(PATIENCE):
            while table.game.legal("B"):
                await asyncio.sleep(0)
        running.cancel()

    asyncio.run(look())
    assert heard[-1]["view"]["looking"] == ["A"]
