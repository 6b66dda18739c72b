"""Invitations: a link, as people read it and as a QR code."""

import segno

from argentum.rulebook.card_art import all_card_art, box_styles
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.terminal.widgets import cards as terminal_cards
from argentum.web.pages.lobby import QR_BORDER, Invitation, residents_by_number

LINK = "/table/dapper-pine-123456#" + "k" * 32


def test_an_invitation_shows_its_address_and_a_code_of_the_whole_link() -> None:
    one = Invitation.of("https://silver.example", LINK)
    assert one.address == "silver.example/table/dapper-pine-123456"
    code = segno.make_qr("https://silver.example" + LINK, error="l")
    side = code.symbol_size(border=QR_BORDER)[0]
    assert f'viewBox="0 0 {side} {side}"' in one.code
    row = code.matrix[0]  # the first line of the picture is the first row of modules
    drawn = one.code.partition(' d="')[2].split("h", 2)
    assert drawn[0] == f"M{QR_BORDER} {QR_BORDER}.5"
    assert int(drawn[1].split("m")[0]) == row.index(0) == 7


def test_without_an_origin_there_is_no_code() -> None:
    assert Invitation.of("", LINK).code == ""


AMULET = "a" * RESIDENTS_PER_BOX


# Who is told apart from whom.


def test_every_box_has_a_badge_of_its_own_shape() -> None:
    assert len({style.badge_svg for style in box_styles()}) == len(BOX_NAMES)
    assert len(set(terminal_cards.BOX_SHAPES.values())) == len(BOX_NAMES) == len(terminal_cards.BOX_SHAPES)


def test_the_board_has_four_columns_the_amulet_first() -> None:
    assert [[one.box for one in row] for row in residents_by_number()] == [list(BOX_NAMES)] * RESIDENTS_PER_BOX
    assert BOX_NAMES[0] == "amulet"


def test_every_line_of_the_board_is_short_enough() -> None:
    assert {label: art.short for label, art in all_card_art().items() if len(art.short) > 27} == {}


def test_every_resident_has_an_icon_of_its_own() -> None:
    assert len({art.icon for art in all_card_art().values()}) == len(all_card_art()) == 4 * (RESIDENTS_PER_BOX + 1)


def test_the_board_says_how_sure_a_text_is() -> None:
    by_name = {one.name: one.text_certainty for row in residents_by_number() for one in row}
    assert (by_name["Empath"], by_name["Bodyguard"], by_name["Goth Girl"], by_name["Spy"]) == (
        "agreed", "partly reconstructed", "reconstructed", "",
    )  # fmt: skip
