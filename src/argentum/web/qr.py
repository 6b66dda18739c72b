"""QR codes for links: byte mode, correction level L, versions 1 to 6, which is 134 characters (ISO/IEC 18004)."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby, pairwise

# By version: data bytes, correction bytes of a block, blocks, and where the alignment pattern's middle is.
VERSIONS = {
    1: (19, 7, 1, 0),
    2: (34, 10, 1, 18),
    3: (55, 15, 1, 22),
    4: (80, 20, 1, 26),
    5: (108, 26, 1, 30),
    6: (136, 18, 2, 34),
}
LONGEST = 134
QUIET = 4  # modules around
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, _: row % 2 == 0,
    lambda _, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)
FINDER_LIKE = ("10111010000", "00001011101")

Grid = list[list[int]]  # 1 is dark


@lru_cache(maxsize=1024)
def matrix(text: str) -> tuple[tuple[int, ...], ...]:
    """The modules of a text's code, row by row, without the quiet zone; 1 is dark."""
    content = text.encode()
    version = next((one for one, (size, *_) in VERSIONS.items() if len(content) + 2 <= size), 0)
    if not version:
        raise ValueError(f"a QR code here holds at most {LONGEST} bytes, not {len(content)}")
    bits = "".join([f"{byte:08b}" for byte in _codewords(content, version)])
    grid, fixed = _patterns(version)
    for bit, (row, column) in zip(bits.ljust(len(grid) ** 2, "0"), _path(fixed), strict=False):
        grid[row][column] = int(bit)
    masked = [_masked(grid, fixed, mask) for mask in range(len(MASKS))]
    return tuple([tuple(row) for row in min(masked, key=_penalty)])


@lru_cache(maxsize=1024)
def drawn(text: str) -> tuple[int, str]:
    """A code as a picture: the side of its square with the quiet zone, and the path of its dark modules."""
    rows = matrix(text)
    path = []
    for y, row in enumerate(rows, QUIET):
        x = QUIET
        for dark, run in groupby(row):
            length = len(list(run))
            if dark:
                path.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return len(rows) + 2 * QUIET, "".join(path)


def _codewords(content: bytes, version: int) -> list[int]:
    """Data and correction bytes, in the order in which they are laid out."""
    size, correction, blocks, _ = VERSIONS[version]
    bits = "0100" + f"{len(content):08b}" + "".join([f"{byte:08b}" for byte in content])
    bits = (bits + "0000")[: size * 8].ljust(-(-(len(bits) + 4) // 8) * 8, "0")[: size * 8]
    data = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    data += [(0xEC, 0x11)[nth % 2] for nth in range(size - len(data))]
    each = size // blocks
    parts = [data[at : at + each] for at in range(0, size, each)]
    checks = [_remainder(part, correction) for part in parts]
    return [byte for rows in (parts, checks) for column in zip(*rows, strict=True) for byte in column]


@cache
def _times(one: int, other: int) -> int:
    """A product in the field of 256 elements."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        one = one << 1 ^ (0x11D if one & 0x80 else 0)
        other >>= 1
    return product


def _remainder(data: Sequence[int], degree: int) -> list[int]:
    """The Reed-Solomon correction of a block."""
    divisor = _divisor(degree)[1:]
    rest = [0] * degree
    for byte in data:
        factor = byte ^ rest[0]
        rest = [one ^ _times(factor, by) for one, by in zip([*rest[1:], 0], divisor, strict=True)]
    return rest


@cache
def _divisor(degree: int) -> tuple[int, ...]:
    divisor, root = [1], 1
    for _ in range(degree):
        longer = [*divisor, 0]
        for at, factor in enumerate(divisor):
            longer[at + 1] ^= _times(factor, root)
        divisor, root = longer, _times(root, 2)
    return tuple(divisor)


def _patterns(version: int) -> tuple[Grid, Grid]:
    """The parts that every code of a version has, and which modules they take."""
    side = 17 + 4 * version
    grid, fixed = [[0] * side for _ in range(side)], [[0] * side for _ in range(side)]

    def put(row: int, column: int, dark: bool) -> None:
        if 0 <= row < side and 0 <= column < side:
            grid[row][column], fixed[row][column] = int(dark), 1

    for at in range(side):
        put(6, at, at % 2 == 0)
        put(at, 6, at % 2 == 0)
    for top, left in ((3, 3), (3, side - 4), (side - 4, 3)):
        for row in range(-4, 5):
            for column in range(-4, 5):
                put(top + row, left + column, max(abs(row), abs(column)) not in (2, 4))
    middle = VERSIONS[version][3]
    for row in range(-2, 3) if middle else ():
        for column in range(-2, 3):
            put(middle + row, middle + column, max(abs(row), abs(column)) != 1)
    for row, column in [*_format_places(side)[0], *_format_places(side)[1]]:
        put(row, column, False)
    put(side - 8, 8, True)
    return grid, fixed


def _format_places(side: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where the format stands, twice, its lowest bit first."""
    first = [(row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)] + [(8, column) for column in (7, 5, 4, 3, 2, 1, 0)]
    second = [(8, side - 1 - nth) for nth in range(8)] + [(side - 15 + nth, 8) for nth in range(8, 15)]
    return first, second


def _path(fixed: Grid) -> Iterator[tuple[int, int]]:
    """The free modules in the order of the bits: two columns at a time, up and down from the right."""
    side = len(fixed)
    pairs = [right if right > 6 else right - 1 for right in range(side - 1, 0, -2)]
    for nth, right in enumerate(pairs):
        for row in range(side) if nth % 2 else range(side - 1, -1, -1):
            for column in (right, right - 1):
                if not fixed[row][column]:
                    yield row, column


def _masked(grid: Grid, fixed: Grid, mask: int) -> Grid:
    """A code under a mask, with the format that says so."""
    turns = MASKS[mask]
    new = [
        [bit if fixed[row][column] else bit ^ turns(row, column) for column, bit in enumerate(line)]
        for row, line in enumerate(grid)
    ]
    data = 0b01 << 3 | mask
    rest = data << 10
    for shift in range(4, -1, -1):
        if rest >> shift + 10 & 1:
            rest ^= 0x537 << shift
    format_ = (data << 10 | rest) ^ 0x5412
    for places in _format_places(len(grid)):
        for nth, (row, column) in enumerate(places):
            new[row][column] = format_ >> nth & 1
    return new


def _penalty(grid: Grid) -> int:
    """How hard a code is to read."""
    lines = ["".join(map(str, line)) for line in (*grid, *zip(*grid, strict=True))]
    runs = sum([len(run) - 2 for line in lines for _, group in groupby(line) if len(run := list(group)) >= 5])
    blocks = sum(
        [
            one == two == three == four
            for above, below in pairwise(grid)
            for one, two, three, four in zip(above, above[1:], below, below[1:], strict=False)
        ]
    )
    finders = sum([line.count(like) for line in lines for like in FINDER_LIKE])
    dark = sum(map(sum, grid)) * 100 / len(grid) ** 2
    return runs + 3 * blocks + 40 * finders + 10 * int(abs(dark - 50) // 5)
