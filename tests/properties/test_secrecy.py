from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, records
from argentum.rules.deal import Deal
from argentum.rules.errors import IllegalMove
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.redeal import are_surely_indistinguishable
from argentum.rules.table import NO_SEAT, WATCHERS, Table
from argentum.rules.views import make_view, may_see_face, village_texts
from tests.random_games import deck_codes, games, play_drawing_and_using, play_random_moves, play_to_end, seeds, viewers


def received_by(game: Game, viewer: str | None) -> bytes:
    """Return the view, legal moves and events of a viewer as bytes."""
    legal = [str(move) for move in game.legal(viewer)] if viewer else []
    return repr((game.view(viewer), legal, game.events(viewer))).encode()


def unknown_cards(table: Table, viewer: str | None) -> list[int]:
    """Return the cards whose faces a viewer has never seen."""
    index = WATCHERS if viewer is None else "ABCD".index(viewer)
    return [card for card in range(len(table.faces)) if not table.knows(index, card)]


@settings(max_examples=250)
@given(games(), viewers, seeds)
def test_a_redeal_changes_nothing_for_its_viewer(game: Game, viewer: str | None, seed: int) -> None:
    redealt = game.redeal(viewer, Random(seed))
    assert received_by(redealt, viewer) == received_by(game, viewer)
    before, after = game.position().table, redealt.position().table
    assert Counter(after.faces) == Counter(before.faces)
    seat = NO_SEAT if viewer is None else "ABCD".index(viewer)
    for card, face in enumerate(before.faces):
        assert after.faces[card] == face or not may_see_face(before, seat, card)


@settings(max_examples=250)
@given(games(codes=deck_codes.map(lambda code: code[:8] + "d" + code[9:])), viewers, seeds)
def test_a_round_replayed_with_other_hidden_faces_looks_the_same_to_a_seat(
    game: Game, viewer: str | None, seed: int
) -> None:
    # Two hidden faces of the deal are exchanged; if a move is then illegal, other faces are tried. The decks have no
    # Things, because the replay would shuffle differently.
    random = Random(seed)
    unknown = unknown_cards(game.position().table, viewer)
    *before, running = game.deals
    for _ in range(20):
        if len(unknown) < 2:
            return
        faces = running.card_order(game.players)
        first, second = random.sample(unknown, 2)
        faces[first], faces[second] = faces[second], faces[first]
        villages = [faces[5 * place : 5 * place + 5] for place in range(game.players)]
        dealt = Deal(running.start, villages, faces[20], faces[21:])
        changed = Game.new(game.cast.code, game.players, 0, game.cast.token, game.names, [*before, dealt])
        try:
            for move in game.history():
                changed.play(move)
        except IllegalMove:
            continue
        if changed.history() == game.history() and changed.to_move == (game.to_move):
            assert received_by(changed, viewer) == received_by(game, viewer)
            return


@settings(max_examples=100)
@given(games(), seeds)
def test_a_redealt_game_plays_on_deterministically(game: Game, seed: int) -> None:
    if game.over:
        return
    redealt = game.redeal("A", Random(seed))
    copy = redealt.copy()
    play_to_end(redealt, Random(1))
    play_to_end(copy, Random(1))
    assert redealt.totals == copy.totals
    assert redealt.over


@settings(max_examples=60)
@given(games(), seeds)
def test_earlier_events_of_a_redealt_game_contain_only_numbers_that_its_viewer_received(game: Game, seed: int) -> None:
    redealt = game.redeal("A", Random(seed))
    kinds = [event.kind for event in game.events()]
    past = max(index for index, kind in enumerate(kinds) if kind in ("dealt", "turn"))
    for seen, known in zip(redealt.events("B")[:past], game.events("A")[:past], strict=True):
        assert seen.number in (None, known.number)


@settings(max_examples=60)
@given(games(), seeds)
def test_a_redealt_game_has_no_record(game: Game, seed: int) -> None:
    with pytest.raises(ValueError, match="from its first deal"):
        records.write(game.redeal("A", Random(seed)))


@settings(max_examples=60)
@given(games(), seeds)
def test_moves_before_a_redeal_cannot_be_taken_back(game: Game, seed: int) -> None:
    redealt = game.redeal("A", Random(seed))
    moves = len(redealt.history())
    assert moves <= len(game.position().moves)
    with pytest.raises(ValueError, match="no move to take back"):
        redealt.take_back(moves + 1)


@settings(max_examples=100)
@given(games())
def test_a_watcher_sees_no_hidden_face_until_the_reveal(game: Game) -> None:
    view = game.view()
    hidden = [card for deck in view.private.values() for card in deck]
    hidden += [card for card in view.deck if not card.up]
    villages = [card for village in view.villages.values() for card in village if not card.up]
    assert all(card.number is None for card in hidden)
    assert all(
        (card.number is None) != bool(view.reason) for card in villages
    )  # All villages are revealed before round-end abilities (G15).
    assert view.legal == ()


def test_a_watcher_sees_all_villages_after_the_last_reveal() -> None:
    game = Game.new("amulet", 3, 2)
    play_to_end(game, Random(2))
    for seat in (None, "A"):
        faces = [card.number for village in game.view(seat).villages.values() for card in village]
        assert None not in faces
    assert game.view().villages == game.round_end_view(4).villages
    assert None not in [card.number for card in game.view("B", all_faces=True).deck]


@settings(max_examples=150)
@given(games(), seeds)
def test_questions_do_not_depend_on_what_the_seat_to_move_cannot_know(game: Game, seed: int) -> None:
    if not game.over:
        redealt = game.redeal(game.to_move, Random(seed))
        assert [*redealt.legal()] == [*game.legal()]
        assert redealt.view(game.to_move).asking == game.view(game.to_move).asking
        assert all(redealt.view(seat).asking == game.view(seat).asking for seat in game.seats)


thing_deck_codes = deck_codes.map(
    lambda code: f"{code[0]}c{code[2]}c{code[4:8]}b{code[9:]}"
)  # with Con Artists, Pixies and Things


@settings(max_examples=120)
@given(thing_deck_codes, st.integers(2, 4), seeds, st.integers(20, 300), viewers)
def test_a_redeal_after_shuffles_changes_nothing_for_its_viewer(
    code: str, players: int, seed: int, moves: int, viewer: str | None
) -> None:
    random = Random(seed)
    game = play_drawing_and_using(Game.new(code, players, seed), random, moves)
    redealt = game.redeal(viewer, random)
    assert received_by(redealt, viewer) == received_by(game, viewer)
    play_random_moves(redealt, random, 10)


MARKS: dict[str, object] = {
    "boxes": "dcdcddddbddddd",
    "token": "dagger A active",  # so that a window stays open after the Thing
    "round": 2,
    "deck": "9 8 6 6",
    "discard": "10",
    "previous": "B",
    "villages": {"A": "1^ 3^ 11 12 7", "B": "5 6"},
}


def test_after_a_shuffle_the_mark_of_a_cooling_down_card_is_hidden() -> None:
    # A's Con Artist cools down, its Pixie was used; the Thing shuffles both among A's facedown cards (B8).
    game = Game.at(MARKS)
    for move in ("draw", "discard", "ability A1", "ability A2", "A3"):
        game.play(move)
    assert (game.view("A").resting, game.view("A").used) == (("A1",), ("A2",))
    game = game.with_faces({}, [[7, 1, 11, 3, 12]])
    for move in ("draw", "use", "A"):
        game.play(move)
    table = game.position().table
    assert [table.faces[card] for _, card, _ in table.cooldowns] == [1]  # The mark moved with the card.
    assert [table.villages[0].index(card) for _, card, _ in table.cooldowns] == [1]
    assert table.used_cards
    assert str(game.legal("A")[-1]) == "end"
    for seat in (None, *game.seats):
        assert (game.view(seat).resting, game.view(seat).used) == ((), ())


@pytest.mark.parametrize("pixie", [[], ["ability A2", "A3"]])
def test_a_redeal_after_a_shuffle_moves_hidden_marks_with_the_marked_faces(pixie: list[str]) -> None:
    # The Con Artist can be at any of A's shuffled spots, and its mark moves with it (B8).
    game = Game.at(MARKS)
    for move in ("draw", "discard", "ability A1", *pixie, "draw", "use", "A"):
        game.play(move)
    places = set()
    for seed in range(60):
        redealt = game.redeal("B", Random(seed))
        assert received_by(redealt, "B") == received_by(game, "B")
        table = redealt.position().table
        ((_, card, _),) = table.cooldowns
        if 1 in [table.faces[other] for other in table.villages[0]]:
            assert table.faces[card] == 1
            places.add(table.villages[0].index(card))
    assert len(places) > 1


def test_a_shuffled_card_shows_its_mark_again_when_faceup() -> None:
    villages = {"A": "1^ 3^ 11 12 7", "B": "5 6", "C": "9 5"}
    game = Game.at({**MARKS, "boxes": "dcdcddbdbddddd", "players": 3, "previous": "C", "villages": villages})
    for move in ("draw", "discard", "ability A1"):
        game.play(move)
    assert game.view().resting == ("A1",)
    game = game.with_faces({}, [[7, 3, 1, 12, 11]])
    for move in ("draw", "use", "A", "end"):
        game.play(move)
    assert game.view().resting == ()
    for move in ("draw", "use", "A3"):  # B's Instigator turns the Con Artist faceup again.
        game.play(move)
    assert game.position().as_dict()["villages"]["A"] == "7 3^ 1^ 12 11"
    assert game.to_move == "C"
    assert game.view().resting == ("A3",)


def test_only_the_owner_of_a_rascal_knows_the_deck_cards_that_it_showed() -> None:
    # A leaves the 9 and the 11 on the deck. B draws the 11, which A then knows in B's village and C does not (A4, G12).
    villages = {"A": "4^ 4^ 12", "B": "5 10", "C": "8 8"}
    game = Game.at({"boxes": "amulet", "players": 3, "deck": "11 9 2 6", "discard": "8", "villages": villages})
    for move in ("draw", "keep 3", "exchange A3"):
        game.play(move)
    assert [str(card) for card in game.view("A").deck] == ["11", "9", "?"]
    assert [str(card) for card in game.view("B").deck] == ["?", "?", "?"]
    assert [event.number for event in game.events("A") if event.kind == "looked"] == [11, 9, 2]
    assert [(event.number, event.depth) for event in game.events("C") if event.kind == "looked"] == [
        (None, 1),
        (None, 2),
        (None, 3),
    ]
    game.play("draw")
    game.play("exchange B1")
    assert village_texts(game.view("A"))["B"] == "11 ?"
    assert village_texts(game.view("C"))["B"] == "? ?"


def test_a_mortician_under_a_goth_girl_does_not_reveal_what_was_exchanged() -> None:
    # The others see the same question, whether or not the exchanged card has a usable ability (B4).
    seen = []
    for hidden in (6, 1):
        villages = {"A": f"3^ 4^ {hidden}", "B": "5 7"}
        game = Game.at({"boxes": "bullet", "deck": "9 9 9", "discard": "8", "villages": villages})
        game.play("draw")
        game.play("exchange A3")
        assert game.to_move == "A"
        seen.append([received_by(game, "B"), received_by(game, None)])
        assert [str(move) for move in game.legal("A")] == ["use 6"] * (hidden == 6) + ["stop"]
    assert seen[0] == seen[1]


def test_an_unknown_zombie_is_offered_like_any_other_card() -> None:
    # The cases are an exchange, an Approximator, a Witch and a Curator (G25, D4).
    cases = [
        ("dagger", "9 9", ["draw"]),
        ("dagger", "5 9", ["draw", "use"]),
        ("aaaadaaaaaaaaa", "11 9 9", ["draw", "use"]),
        ("ccccdccccccccc", "9 9", ["ability A1"]),
    ]
    for boxes, deck, moves in cases:
        seen = []
        for hidden in (4, 7):
            villages = {"A": f"2^ {hidden}~ 10", "B": f"{4 if hidden == 7 else 7} 5"}
            game = Game.at({"boxes": boxes, "deck": deck, "discard": "8", "villages": villages})
            for move in moves:
                game.play(move)
            seen.append([received_by(game, seat) for seat in ("A", "B", None)])
        assert seen[0] == seen[1]


def test_a_redeal_gives_passed_over_cards_numbers_above_4() -> None:
    deck = "7 1 1 1 2 2 2 3 3 3 0 0 4 4"
    villages = {"A": "5 5 6 6", "B": "9 9 10 10 11", "C": "11 12 12 8 8"}
    game = Game.at({"boxes": "dagger", "players": 3, "deck": deck, "discard": "8", "villages": villages})
    game.play("draw")
    game.play("use")
    passed = ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "C1", "C2")
    for spot in passed:
        game.play(spot)
    dealt = [game.redeal("C", Random(seed)) for seed in range(20)]
    assert all(received_by(redealt, "C") == received_by(game, "C") for redealt in dealt)
    assert len({tuple(redealt.position().table.faces) for redealt in dealt}) == 20
    assert all(
        (redealt.view("A").villages[spot[0]][int(spot[1]) - 1].number or 0) > 4 for redealt in dealt for spot in passed
    )
    assert [card.passed for card in game.view().villages["C"]] == [True, True, False, False, False]


def test_a_shuffle_hides_which_cards_were_passed_over() -> None:
    code = "ddddddddbddddd"
    start = {"boxes": code, "deck": "7 8 6 6 6", "discard": "1", "villages": {"A": "10 11 12", "B": "9 3"}}
    game = Game.at(start)
    for move in ("draw", "use", "A1", "A2", "B2", "draw", "use"):
        game.play(move)
    assert [card.passed for card in game.view().villages["A"]] == [False, False, False]


def test_a_redeal_during_the_first_look_changes_nothing_for_a_viewer_with_a_small_village() -> None:
    villages = {"A": "7 1", "B": "11 6 5"}
    game = Game.at({"boxes": "dagger", "first_look": True, "deck": "9 9", "villages": villages})
    dealt = [game.redeal("A", Random(seed)) for seed in range(10)]
    assert all(received_by(redealt, "A") == received_by(game, "A") for redealt in dealt)
    assert sum(redealt.position().table.faces == game.position().table.faces for redealt in dealt) == 0


def test_redealing_a_finished_game_changes_nothing() -> None:
    game = Game.new("bullet", 3, 5)
    play_to_end(game, Random(5))
    for viewer in ("A", None):
        redealt = game.redeal(viewer, Random(1))
        assert redealt.over
        assert redealt.winner == game.winner
        assert received_by(redealt, viewer) == received_by(game, viewer)


@given(games(), seeds, viewers, st.integers(0, 3))
def test_surely_indistinguishable_tables_give_equal_views(
    game: Game, seed: int, viewer: str | None, moves: int
) -> None:
    other = play_random_moves(game.redeal(viewer, Random(seed)), Random(seed), moves)
    first, second = game.position().table, other.position().table
    for seat in (NO_SEAT, *range(game.players)):
        if are_surely_indistinguishable(first, second, seat):
            chooser = SEAT_LETTERS.index(game.to_move)
            views = [make_view(table, game.names, seat, chooser, [], False) for table in (first, second)]
            assert views[0] == views[1]
