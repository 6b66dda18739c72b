import re
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from argentum import Game, IllegalMove, View, records
from argentum.rules.deal import Deal
from argentum.rules.table import Table
from argentum.rules.views import may_see_face
from tests.random_games import deck_codes, games, play_drawing_and_using, seeds


def known_numbers(table: Table, viewer: int) -> set[int]:
    """Return the distinct numbers of the cards that a seat knows."""
    return {table.faces[card] for card in range(52) if may_see_face(table, viewer, card)}


def numbers_in(game: Game, record: str) -> set[int]:
    """Return the numbers of the residents that a part of a record names."""
    names = [(resident.number, resident.name) for resident in game.cast.residents]
    return {number for number, name in names if re.search(rf"\b{name} {number}\b", record)}


@settings(max_examples=25)
@given(games(max_moves=200), st.sampled_from("AB"))
def test_each_move_adds_to_a_seats_record_only_what_the_seat_knows(game: Game, seat: str) -> None:
    # The added text may extend the last sentence. It names only cards that this sentence named, that the seat knows, or
    # that a public event names.
    viewer = game.seats.index(seat)
    replayed = game.restart()
    before, record = known_numbers(replayed.position().table, viewer), records.write_for(replayed, seat)
    for move in game.history():
        event_count = len(replayed.events())
        replayed.play(move)
        after = known_numbers(replayed.position().table, viewer).union(
            [event.number for event in replayed.events(None, event_count) if event.number is not None]
        )
        longer = records.write_for(replayed, seat)
        finished, last = record.rstrip("\n").rpartition("\n")[::2]
        assert longer.startswith(finished)
        assert numbers_in(replayed, longer.removeprefix(finished)) <= before | after | numbers_in(replayed, last)
        before, record = known_numbers(replayed.position().table, viewer), longer


def views_of_seat(game: Game, seat: str) -> list[View]:
    """Return the views of a seat before and after each move."""
    replayed = game.restart()
    results = [replayed.view(seat)]
    for move in game.history():
        replayed.play(move)
        results.append(replayed.view(seat))
    return results


def replay_with_exchanged_faces(game: Game, seat: str, random: Random) -> Game | None:
    """Replay a game after exchanging two faces that a seat does not know.

    Return None if the faces are equal or a move becomes illegal.
    """
    table, (*before, running) = game.position().table, game.deals
    viewer = game.seats.index(seat)
    unknown = [card for row in (*table.villages, table.deck) for card in row if not table.knows(viewer, card)]
    first, second = random.sample(unknown, 2) if len(unknown) > 1 else (0, 0)
    faces = running.card_order(game.players)
    if faces[first] == faces[second]:
        return None
    faces[first], faces[second] = faces[second], faces[first]
    villages = [faces[5 * place : 5 * place + 5] for place in range(game.players)]
    deals = [Deal(dealt.start, dealt.villages, dealt.discard, dealt.deck) for dealt in before]
    deals.append(Deal(running.start, villages, faces[20], faces[21:]))
    replayed = Game.new(game.cast.code, game.players, table.seed, game.cast.token, deals=deals)
    try:
        for move in game.history():
            replayed.play(move)
    except IllegalMove:
        return None
    return replayed


@settings(max_examples=40)
@given(deck_codes.map(lambda code: code[:8] + "b" + code[9:]), st.integers(2, 4), seeds, st.integers(10, 200))
def test_games_with_equal_views_of_a_seat_have_equal_records_for_it(
    code: str, players: int, seed: int, moves: int
) -> None:
    random = Random(seed)
    game = play_drawing_and_using(Game.new(code, players, seed), random, moves)
    for seat in game.seats:
        other = replay_with_exchanged_faces(game, seat, random)
        if other is not None and not game.over and views_of_seat(other, seat) == views_of_seat(game, seat):
            assert records.write_for(other, seat) == records.write_for(game, seat)
            assert records.write(other) != records.write(game)
