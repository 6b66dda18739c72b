"""The people at a table: where each of them is."""

NUDGED = "{name} asks you to play on."
GONE = "Somebody who left"  # won the last game, and has no name any more


def whereabouts(bot: str, claimed: bool, here: bool, stand_in: str) -> str:
    """What is to be said of a seat besides its name.

    >>> whereabouts("", True, False, "steady")
    'away; steady fills in'
    """
    if bot:
        return f"bot, {bot}"
    if not claimed:
        return f"free; {stand_in} keeps it" if stand_in else "free"
    if here:
        return f"late; {stand_in} fills in" if stand_in else "here"
    return f"away; {stand_in} fills in" if stand_in else "away"


def watching(free: bool) -> str:
    """What somebody without a seat reads before a game."""
    return "You are watching. A seat is free." if free else "All seats are taken. You are watching."


def without_seat(people: int) -> str:
    """What the host reads of those who have no seat; nothing if there are none.

    >>> without_seat(2)
    '2 people are here without a seat.'
    """
    if not people:
        return ""
    return "Somebody is here without a seat." if people == 1 else f"{people} people are here without a seat."
