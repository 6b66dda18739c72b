"""Invitations: a link, as people read it and as a QR code."""

import segno

from argentum.web.pages.lobby import QUIET, Invitation

LINK = "/table/dapper-pine-123456#" + "k" * 32


def test_an_invitation_shows_its_address_and_a_code_of_the_whole_link() -> None:
    one = Invitation.of("https://silver.example", LINK)
    assert one.address == "silver.example/table/dapper-pine-123456"
    code = segno.make_qr("https://silver.example" + LINK, error="l")
    side = code.symbol_size(border=QUIET)[0]
    assert f'viewBox="0 0 {side} {side}"' in one.code
    row = code.matrix[0]  # the first line of the picture is the first row of modules
    drawn = one.code.partition(' d="')[2].split("h", 2)
    assert drawn[0] == f"M{QUIET} {QUIET}.5"
    assert int(drawn[1].split("m")[0]) == row.index(0) == 7


def test_without_an_origin_there_is_no_code() -> None:
    assert Invitation.of("", LINK).code == ""
