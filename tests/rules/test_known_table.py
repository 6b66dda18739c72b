from random import Random

from argentum.rules.asking import ANY_FACING, FACEDOWN, FACEUP, all_seats, card_moves, movable_cards
from argentum.rules.known_table import known_table
from argentum.rules.residents import UNKNOWN_NUMBER
from argentum.rules.views import may_see_face
from tests.bots.positions import game_at, sample_positions


def test_the_rules_allow_the_same_cards_on_the_table_that_a_seat_knows() -> None:
    for game, seat in sample_positions(21, 8, 0.1):
        me, table, known = game.seats.index(seat), game.position().table, known_table(game.view(seat))
        assert [len(village) for village in known.villages] == [len(village) for village in table.villages]
        for facing in (ANY_FACING, FACEUP, FACEDOWN):
            assert card_moves(known, me, all_seats(known), facing) == card_moves(table, me, all_seats(table), facing)
        assert movable_cards(known, me, all_seats(known)) == movable_cards(table, me, all_seats(table))
        assert known.own_moves(me) == table.own_moves(me)


def test_the_table_that_a_seat_knows_has_no_other_faces() -> None:
    random = Random(22)
    for game, seat in sample_positions(22, 3, 0.1):
        me, table, known = game.seats.index(seat), game.position().table, known_table(game.view(seat))
        other = known_table(game.redeal(seat, random).view(seat))
        assert (known.faces, known.villages, known.guards) == (other.faces, other.villages, other.guards)
        for village, known_village in zip(table.villages, known.villages, strict=True):
            for card, known_card in zip(village, known_village, strict=True):
                number = table.faces[card] if may_see_face(table, me, card) else UNKNOWN_NUMBER
                assert known.faces[known_card] == number


def test_guarding_and_guarded_cards_of_others_are_protected_on_a_known_table() -> None:
    villages = {"A": "9 12 8 7", "B": "3^ 0^ 7^ 2^"}
    view = game_at({"boxes": "amulet", "villages": villages, "guards": "B1>B2"}).view("A")
    known = known_table(view)
    assert [known.may_touch(0, 1, card) for card in known.villages[1]] == [False, False, True, True]
    assert all([known.may_touch(1, 1, card) for card in known.villages[1]])
