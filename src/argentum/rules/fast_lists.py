"""List helpers that mypyc compiles well."""


def contains(values: list[int], wanted: int) -> bool:
    """Whether a move is one of these. (Compiled, `in` compares objects, which takes five times as long.)"""
    for move in values:  # noqa: SIM110  # as would a generator
        if move == wanted:
            return True
    return False


def remove(values: list[int], unwanted: int) -> None:
    """Take a move, or a card, out of a list. (Compiled, `remove` compares objects, which takes five times as long.)"""
    for place, move in enumerate(values):
        if move == unwanted:
            values.pop(place)
            return
    raise ValueError(f"{unwanted} is not in the list")
