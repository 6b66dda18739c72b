"""List helpers that mypyc compiles well."""


def contains(values: list[int], value: int) -> bool:
    """Whether a move is one of these. (Compiled, `in` compares objects, which takes five times as long.)"""
    for other in values:  # noqa: SIM110  # a generator is as slow
        if other == value:
            return True
    return False


def remove(values: list[int], value: int) -> None:
    """Take a move, or a card, out of a list. (Compiled, `remove` compares objects, which takes five times as long.)"""
    for index, other in enumerate(values):
        if other == value:
            values.pop(index)
            return
    raise ValueError(f"{value} is not in the list")
