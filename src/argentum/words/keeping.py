"""How long a finished game is kept, in words."""

from datetime import UTC, datetime

DAY = 86400.0


def kept_until(written: float, days: float, kept: bool) -> str:
    """Until when a table is kept whose last entry is from a Unix time, on a server that keeps games for so many days.

    >>> kept_until(0.0, 30.0, False), kept_until(0.0, 30.0, True)
    ('This game is kept until 31 January 1970.', 'This game is kept for good.')
    """
    if kept or not days:
        return "This game is kept for good."
    until = datetime.fromtimestamp(written + days * DAY, UTC)
    return f"This game is kept until {until.day} {until:%B %Y}."
