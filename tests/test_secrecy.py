"""Nothing reaches a seat, or a spectator, that it may not know."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, records
from argentum.rules.deal import Deal
from argentum.rules.game import IllegalMove
from argentum.rules.positions import read_position
from argentum.rules.table import NO_SEAT, Table
from argentum.rules.views import knows
from tests.playing import codes, games, seeds

viewers = st.sampled_from(["A", "B", None])


def told(game: Game, viewer: str | None) -> bytes:
    """All that has reached somebody, byte for byte: the view, the legal moves, the events."""
    legal = [str(move) for move in game.legal(viewer)] if viewer else []
    return repr((game.view(viewer), legal, game.events(viewer))).encode()


def unknown_cards(table: Table, viewer: str | None) -> list[int]:
    """The cards whose faces somebody cannot know: they never saw them."""
    bit = 16 if viewer is None else 1 << "ABCD".index(viewer)
    return [card for card in range(len(table.faces)) if not table.seen[card] & bit]


@settings(max_examples=300)
@given(games(), viewers, seeds)
def test_a_redeal_of_what_a_seat_cannot_know_changes_nothing_for_it(game: Game, viewer: str | None, seed: int) -> None:
    redealt = game.redeal(viewer, Random(seed))
    assert told(redealt, viewer) == told(game, viewer)
    assert Counter(redealt.table.faces) == Counter(game.table.faces)
    seat = NO_SEAT if viewer is None else "ABCD".index(viewer)
    for card, face in enumerate(game.table.faces):
        assert redealt.table.faces[card] == face or not knows(game.table, seat, card)


@settings(max_examples=300)
@given(games(codes=codes.map(lambda code: code[:8] + "d" + code[9:])), viewers, seeds)
def test_the_whole_round_played_with_other_hidden_faces_tells_a_seat_the_same(
    game: Game, viewer: str | None, seed: int
) -> None:
    """The strict form: not the position but the round is played again, with two hidden faces exchanged in the deal.

    (Without Things, whose shuffles would have to be undone. Moves of other seats that are not legal there are tried
    with other faces.)
    """
    random = Random(seed)
    table = game.table
    unknown = unknown_cards(table, viewer)
    deals = [deal_of(again, again.faces) for again in starts(game)]
    for _ in range(20):
        if len(unknown) < 2:
            return
        one, other = random.sample(unknown, 2)
        faces = list(table.faces)
        faces[one], faces[other] = faces[other], faces[one]
        changed = Game.new(
            table.cast.code,
            game.players,
            0,
            table.cast.token,
            game.names,
            [*deals[:-1], deal_of(starts(game)[-1], faces)],
        )
        try:
            for move in game.history():
                changed.play(move)
        except IllegalMove:
            continue
        if changed.history() == game.history() and changed.chooser == game.chooser:
            assert told(changed, viewer) == told(game, viewer)
            return


def starts(game: Game) -> list[Table]:
    """The table at the start of each round that was dealt."""
    again = game.from_start()
    tables = [again.table.copy()]
    for move in game.history():
        again.play(move)
        if again.round > len(tables):
            tables.append(again.table.copy())
    return tables


def deal_of(start: Table, faces: list[int]) -> Deal:
    """The deal of a round with these faces, by card."""
    villages = [[faces[card] for card in range(seat * 5, seat * 5 + 5)] for seat in range(start.players)]
    return Deal(start.turn, villages, faces[20], faces[21:])


@settings(max_examples=100)
@given(games(), seeds)
def test_a_redealt_game_plays_on_and_has_a_random_stream_of_its_own(game: Game, seed: int) -> None:
    if game.over:
        return
    redealt = game.redeal("A", Random(seed))
    copy = redealt.copy()
    redealt.roll_out(Random(1))
    copy.roll_out(Random(1))
    assert redealt.totals == copy.totals
    assert redealt.over


@settings(max_examples=60)
@given(games(), seeds)
def test_a_redealt_game_does_not_give_away_the_past(game: Game, seed: int) -> None:
    redealt = game.redeal("A", Random(seed))
    past = len(game.events()) - len(game.table.events)
    for seen, mine in zip(redealt.events("B")[:past], game.events("A")[:past], strict=True):
        assert seen.number in (None, mine.number)
    with pytest.raises(ValueError, match="from its first deal"):
        records.write(redealt)
    moves = len(redealt.history())
    assert moves <= len(game.moves)
    with pytest.raises(ValueError, match="no move to take back"):
        redealt.take_back(moves + 1)


@settings(max_examples=100)
@given(games())
def test_a_spectator_sees_no_hidden_face(game: Game) -> None:
    view = game.view()
    hidden = [card for village in view.villages.values() for card in village if not card.up]
    hidden += [card for deck in view.private.values() for card in deck]
    hidden += [card for card in view.deck if not card.up]
    assert all(card.number is None for card in hidden)
    assert view.legal == ()


def test_a_redeal_knows_that_an_elusive_seer_passed_over_high_cards() -> None:
    deck = "7 1 1 1 2 2 2 3 3 3 0 0 4 4"
    villages = {"A": "5 5 6 6", "B": "9 9 10 10 11", "C": "11 12 12 8 8"}
    game = Game.at(read_position({"boxes": "dagger", "players": 3, "deck": deck, "discard": "8", "villages": villages}))
    game.play("draw")
    game.play("use")
    passed = ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "C1", "C2")
    for spot in passed:
        game.play(spot)
    dealt = [game.redeal("C", Random(seed)) for seed in range(20)]
    assert all(told(one, "C") == told(game, "C") for one in dealt)
    assert len({tuple(one.table.faces) for one in dealt}) == 20
    assert all((one.view("A").villages[spot[0]][int(spot[1]) - 1].number or 0) > 4 for one in dealt for spot in passed)
    assert [card.passed for card in game.view().villages["C"]] == [True, True, False, False, False]


def test_a_shuffle_mixes_passed_cards_with_others_and_nobody_knows_which_is_which() -> None:
    code = "ddddddddbddddd"
    start = {"boxes": code, "deck": "7 8 6 6 6", "discard": "1", "villages": {"A": "10 11 12", "B": "9 3"}}
    game = Game.at(read_position(start))
    for move in ("draw", "use", "A1", "A2", "B2", "draw", "use"):
        game.play(move)
    assert [card.passed for card in game.view().villages["A"]] == [False, False, False]


def test_a_redeal_in_the_first_look_of_small_villages_deals_anew() -> None:
    villages = {"A": "7 1", "B": "11 6 5"}
    game = Game.at(read_position({"boxes": "dagger", "first_look": True, "deck": "9 9", "villages": villages}))
    dealt = [game.redeal("A", Random(seed)) for seed in range(10)]
    assert all(told(one, "A") == told(game, "A") for one in dealt)
    assert sum(one.table.faces == game.table.faces for one in dealt) == 0


def test_a_game_that_is_over_is_redealt_as_it_is() -> None:
    game = Game.new("bullet", 3, 5)
    game.roll_out(Random(5))
    for viewer in ("A", None):
        redealt = game.redeal(viewer, Random(1))
        assert redealt.over
        assert redealt.winner == game.winner
        assert told(redealt, viewer) == told(game, viewer)
