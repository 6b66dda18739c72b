"""Values of the lobby and of invitations."""

import segno

from argentum.rulebook.card_art import all_card_art, box_styles
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.web.pages.lobby import QR_BORDER, Invitation, residents_by_number

LINK = "/table/dapper-pine-123456#" + "k" * 32


def test_an_invitation_has_its_address_and_a_qr_code_of_the_complete_link() -> None:
    invitation = Invitation.from_link("https://silver.example", LINK)
    assert invitation.address == "silver.example/table/dapper-pine-123456"
    code = segno.make_qr("https://silver.example" + LINK, error="l")
    side = code.symbol_size(border=QR_BORDER)[0]
    assert f'viewBox="0 0 {side} {side}"' in invitation.code
    row = code.matrix[0]  # The path of the picture begins with the first row of modules.
    path = invitation.code.partition(' d="')[2].split("h", 2)
    assert path[0] == f"M{QR_BORDER} {QR_BORDER}.5"
    assert int(path[1].split("m")[0]) == row.index(0) == 7


def test_without_an_origin_there_is_no_qr_code() -> None:
    assert Invitation.from_link("", LINK).code == ""


AMULET = "a" * RESIDENTS_PER_BOX


# Residents in the lobby.


def test_every_box_has_a_badge_of_a_different_shape() -> None:
    assert len({style.badge_svg for style in box_styles()}) == len(BOX_NAMES)


def test_the_residents_are_in_four_columns_with_the_amulet_first() -> None:
    assert [[resident.box if resident else "" for resident in row] for row in residents_by_number()] == [
        list(BOX_NAMES)
    ] * RESIDENTS_PER_BOX
    assert BOX_NAMES[0] == "amulet"


def test_every_short_text_of_a_resident_fits() -> None:
    assert {label: art.short for label, art in all_card_art().items() if len(art.short) > 27} == {}


def test_every_resident_has_a_different_icon() -> None:
    assert len({art.icon for art in all_card_art().values()}) == len(all_card_art()) == 4 * (RESIDENTS_PER_BOX + 1)


def test_residents_have_the_certainty_of_their_texts() -> None:
    by_name = {resident.name: resident.text_certainty for row in residents_by_number() for resident in row if resident}
    assert (by_name["Empath"], by_name["Bodyguard"], by_name["Goth Girl"], by_name["Spy"]) == (
        "agreed", "partly reconstructed", "reconstructed", "",
    )  # fmt: skip
