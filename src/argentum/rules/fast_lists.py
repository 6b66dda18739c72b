"""List helpers that mypyc compiles well."""


def listed(moves: list[int], wanted: int) -> bool:
    """Whether a move is one of these. (Compiled, `in` compares objects, which takes five times as long.)"""
    for move in moves:  # noqa: SIM110  # as would a generator
        if move == wanted:
            return True
    return False


def drop(moves: list[int], unwanted: int) -> None:
    """Take a move, or a card, out of a list. (Compiled, `remove` compares objects, which takes five times as long.)"""
    for place, move in enumerate(moves):
        if move == unwanted:
            moves.pop(place)
            return
    raise ValueError(f"{unwanted} is not in the list")
