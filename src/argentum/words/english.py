"""Lists, counts and articles in English."""

from collections.abc import Sequence

COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINAL_WORDS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def join_list(items: Sequence[str], last: str = " and ") -> str:
    """Things one after another.

    >>> listed(["1"]), listed(["1", "4"]), listed(["1", "3", "4"], " or ")
    ('1', '1 and 4', '1, 3 or 4')
    """
    return last.join([part for part in (", ".join(items[:-1]), items[-1]) if part])


def options_sentence(options: Sequence[str]) -> str:
    """What may be done, as a sentence.

    >>> choices(["draw from the deck", "take the Spy"])
    'Draw from the deck, or take the Spy.'
    """
    return capitalize_first(join_list(options, ", or ")) + "."


def count_noun(number: int, noun: str) -> str:
    """How many of a thing, in words up to ten.

    >>> counted(1, "card"), counted(3, "card"), counted(12, "card")
    ('one card', 'three cards', '12 cards')
    """
    words = COUNT_WORDS[number] if number < len(COUNT_WORDS) else str(number)
    return f"{words} {noun}{'s' * (number != 1)}"


def ordinal_word(number: int) -> str:
    """A place in a row, in words up to ten.

    >>> ordinal(1), ordinal(3), ordinal(12), ordinal(22)
    ('first', 'third', '12th', '22nd')
    """
    if number < len(ORDINAL_WORDS):
        return ORDINAL_WORDS[number]
    ending = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def number_with_article(number: int) -> str:
    """A number as a thing.

    >>> a_number(7), a_number(8)
    ('a 7', 'an 8')
    """
    return f"{'an' if number in (8, 11) else 'a'} {number}"


def capitalize_first(words: str) -> str:
    """Words with a capital at the beginning."""
    return words[:1].upper() + words[1:]


def indefinite_article(name: str) -> str:
    """The indefinite article that a resident's name takes."""
    return "an" if name[0] in "AEIOU" else "a"
