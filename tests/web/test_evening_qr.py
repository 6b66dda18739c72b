"""The QR codes of invitations, read back module by module."""

import re

import pytest

from argentum.web import qr


def read(rows: tuple[tuple[int, ...], ...]) -> str:
    """The text of a code without errors, by its own format."""
    side = len(rows)
    version = (side - 17) // 4
    format_ = sum(rows[row][column] << nth for nth, (row, column) in enumerate(qr._format_places(side)[0])) ^ 0x5412
    assert format_ >> 13 == 0b01, "correction level L"
    mask = qr.MASKS[format_ >> 10 & 7]
    fixed = qr._patterns(version)[1]
    bits = "".join([str(rows[row][column] ^ mask(row, column)) for row, column in qr._path(fixed)])
    size, _, blocks, _ = qr.VERSIONS[version]
    laid = [int(bits[at : at + 8], 2) for at in range(0, size * 8, 8)]
    data = "".join([f"{byte:08b}" for block in range(blocks) for byte in laid[block::blocks]])
    assert data[:4] == "0100", "bytes"
    length = int(data[4:12], 2)
    return bytes([int(data[at : at + 8], 2) for at in range(12, 12 + 8 * length, 8)]).decode()


def read_picture(side: int, path: str) -> str:
    """The text of a code as it is drawn."""
    rows = [[0] * (side - 2 * qr.QUIET) for _ in range(side - 2 * qr.QUIET)]
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path):
        for nth in range(int(length)):
            rows[int(y) - qr.QUIET][int(x) - qr.QUIET + nth] = 1
    return read(tuple([tuple(row) for row in rows]))


@pytest.mark.parametrize("text", ["x", "https://silver.example/table/dapper-pine#" + "k" * 32, "é" * 40, "q" * 134])
def test_what_a_code_says(text: str) -> None:
    assert read(qr.matrix(text)) == text


def test_every_block_is_a_multiple_of_the_divisor() -> None:
    """What Reed and Solomon's check comes to: the block with its correction leaves no remainder."""
    for version, (size, correction, *_) in qr.VERSIONS.items():
        block = list(range(size % 256))
        assert qr._remainder([*block, *qr._remainder(block, correction)], correction) == [0] * correction, version


def test_too_long_a_link_has_no_code() -> None:
    with pytest.raises(ValueError, match="134"):
        qr.matrix("q" * 135)


def test_the_picture_has_a_quiet_zone() -> None:
    side, path = qr.drawn("x")
    assert side == 21 + 8
    assert path.startswith("M4 4h7v1h-7z")
