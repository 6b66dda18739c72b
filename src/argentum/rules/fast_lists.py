# mypyc: compile, optimize
"""Operations on lists of integers that mypyc compiles to fast loops."""


def contains(values: list[int], value: int) -> bool:
    """Whether a list contains a value. (Compiled, `in` takes five times as long because it compares objects.)"""
    for other in values:  # noqa: SIM110  # a generator is as slow
        if other == value:
            return True
    return False


def remove(values: list[int], value: int) -> None:
    """Remove the first item equal to `value`; raise `ValueError` if there is none.

    (Compiled, `list.remove` takes five times as long.)
    """
    for index, other in enumerate(values):
        if other == value:
            values.pop(index)
            return
    raise ValueError(f"{value} is not in the list")
