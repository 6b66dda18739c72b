# mypyc: compile
"""Lists, counts and articles in English."""

from collections.abc import Sequence

COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINAL_WORDS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def join_list(items: Sequence[str], last: str = " and ") -> str:
    """Join items with commas, and the last two with `last`.

    >>> join_list(["1"]), join_list(["1", "4"]), join_list(["1", "3", "4"], " or ")
    ('1', '1 and 4', '1, 3 or 4')
    """
    return last.join([part for part in (", ".join(items[:-1]), items[-1]) if part])


def options_sentence(options: Sequence[str]) -> str:
    """Join options into a sentence.

    >>> options_sentence(["draw from the deck", "take the Spy"])
    'Draw from the deck, or take the Spy.'
    """
    return capitalize_first(join_list(options, ", or ")) + "."


def count_noun(number: int, noun: str) -> str:
    """Return a number and a noun, the number in words up to ten.

    >>> count_noun(1, "card"), count_noun(3, "card"), count_noun(12, "card")
    ('one card', 'three cards', '12 cards')
    """
    words = COUNT_WORDS[number] if number < len(COUNT_WORDS) else str(number)
    return f"{words} {noun}{'s' * (number != 1)}"


def ordinal_word(number: int) -> str:
    """Return an ordinal number, in words up to ten.

    >>> ordinal_word(1), ordinal_word(3), ordinal_word(12), ordinal_word(22)
    ('first', 'third', '12th', '22nd')
    """
    if number < len(ORDINAL_WORDS):
        return ORDINAL_WORDS[number]
    ending = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def number_with_article(number: int) -> str:
    """Return a card's number with the indefinite article.

    >>> number_with_article(7), number_with_article(8)
    ('a 7', 'an 8')
    """
    return f"{'an' if number in (8, 11) else 'a'} {number}"


def capitalize_first(words: str) -> str:
    return words[:1].upper() + words[1:]


def indefinite_article(name: str) -> str:
    return "an" if name[0] in "AEIOU" else "a"
