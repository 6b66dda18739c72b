"""What the sub-commands have in common: decks and bots as arguments, examples, errors for people, progress bars."""

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from difflib import get_close_matches
from shutil import get_terminal_size
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from argentum.rules.boxes import BOX_NAMES, RANDOM_DECK, deck_code


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """A question that offers what may have been meant, to end a sentence with; empty if nothing is like it.

    >>> closest("dager", ["bullet", "coin", "dagger"])
    " Did you mean 'dagger'?"
    >>> closest("xyz", ["bullet", "coin", "dagger"])
    ''
    """
    names = {choice.lower(): choice for choice in choices}
    found = get_close_matches(word.lower(), names, n=1)
    return f" Did you mean {names[found[0]]!r}?" if found else ""


T = TypeVar("T")

DATABASE = "ARGENTUM_DATABASE"  # the variable for a URL with a password: other users can read command lines
EXIT_FAILED = 1  # what was to hold does not
EXIT_INVALID_INPUT = 2
EXIT_INTERRUPTED = 130  # by Ctrl-C, as shells have it


class InvalidInput(click.ClickException):
    """Invalid input."""

    exit_code = EXIT_INVALID_INPUT


def unusable(error: Exception) -> InvalidInput:
    """What is wrong with a database, in words that name the option."""
    why = f"{str(error)[:1].upper()}{str(error)[1:]}".rstrip(".")
    return InvalidInput(f"{why}." if "--database" in why else f"{why}. --database names another one.")


def examples_epilog(*lines: str) -> str:
    """The examples that stand under a command's help, as its `epilog`; each can be typed as it is."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


class DeckParam(click.ParamType[str]):
    """A box, a deck code, or `random` for any mix (G1)."""

    name = "deck"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """The deck in small letters."""
        word = value.strip().lower()
        if word != RANDOM_DECK:
            try:
                deck_code(word)
            except ValueError as error:
                raise InvalidInput(
                    f"{error}, or '{RANDOM_DECK}'.{did_you_mean(word, [*BOX_NAMES, RANDOM_DECK])}"
                ) from None
        return word

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """The boxes."""
        return [CompletionItem(word) for word in (*BOX_NAMES, RANDOM_DECK) if word.startswith(incomplete.lower())]


class BotNameParam(click.ParamType[str]):
    """A bot's name, with a budget as in `seer:200`; a network's file; or a class, as in `my.bots:Clever`."""

    name = "bot"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """The name, if there is such a bot."""
        from argentum import bots

        word, names = value.strip(), bots.names()
        if word.lower().partition(":")[0] in names:
            word = word.lower()
        name = word.partition(":")[0]
        try:
            bots.make(word)
        except ValueError as error:
            raise InvalidInput(f"{error}.{'' if name in names else did_you_mean(name, names)}") from None
        return word

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """The bots."""
        from argentum import bots

        return [CompletionItem(name) for name in bots.names() if name.startswith(incomplete.lower())]


class CommaSeparated(click.ParamType[tuple[Any, ...]]):
    """Several values of one kind, with commas between them."""

    def __init__(self, kind: click.ParamType[Any]) -> None:
        self.kind = kind
        self.name = f"{kind.name},..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        """The values, each once."""
        return tuple(dict.fromkeys([self.kind.convert(word, param, ctx) for word in value.split(",")]))


def terminal_width() -> int | None:
    """The columns of the terminal; None if the output goes elsewhere."""
    return get_terminal_size((0, 0)).columns or None


def progress_bar(steps: Iterable[T], length: int, label: str) -> AbstractContextManager[Iterable[T]]:
    """A progress bar on the error stream; nothing if that is no terminal."""
    return click.progressbar(steps, length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())
