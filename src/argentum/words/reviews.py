"""The review of a game in words: what its decisions cost, and each of them."""

from argentum.words.seating import counted

NUMBERS = ("", "", "Two", "Three")


def headline(missed: int) -> str:
    """What a player should know first."""
    if not missed:
        return "No move cost you much."
    if missed == 1:
        return "One move cost you something."
    return f"{NUMBERS[min(missed, 3)]} moves cost you most."


def percent(share: float) -> str:
    """A share of a chance to win, with its sign.

    >>> percent(-0.138), percent(0.05), percent(0.001)
    ('\u221214 %', '+5 %', '0 %')
    """
    number = round(100 * share)
    return f"{'+' if number > 0 else chr(0x2212) if number < 0 else ''}{abs(number)} %"


def course(before: float, after: float) -> str:
    """How a chance to win changed.

    >>> course(0.25, 0.314)
    '25 → 31 %'
    """
    return f"{round(100 * before)} → {round(100 * after)} %"


def decided(standing: float | None, gain: float) -> str:
    """What a decision did to the chance to win: from what the other move gives to what the played one does.

    >>> decided(0.2, 0.14), decided(0.2, 0.001), decided(None, 0.0)
    ('Chance to win: from 34 to 20 %', 'Chance to win: 20 % either way', '')
    """
    if standing is None:
        return ""
    before, after = [round(100 * min(max(chance, 0.0), 1.0)) for chance in (standing + gain, standing)]
    return f"Chance to win: {after} % either way" if before == after else f"Chance to win: from {before} to {after} %"


def verdict(agreed: bool, sure: bool, gain: float) -> str:
    """What came of a decision, in a few words."""
    if agreed:
        return "The bot would have done the same"
    if not sure:
        return "Too close to tell"
    return f"Another move was better: {percent(-gain)}" if gain > 0 else f"Your move was better: {percent(-gain)}"


def how(bot: str, playouts: int, left_out: int) -> str:
    """How it was computed, and what was not."""
    words = (
        f"Where the bot {bot} would have done something else, both moves were played out {playouts} times,"
        " on what you knew then."
    )
    return f"{words} The last {counted(left_out, 'decision')} took too long to compute." if left_out else words
