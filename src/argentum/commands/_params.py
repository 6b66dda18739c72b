"""Click parameter types, renamed options, errors and progress bars for the sub-commands."""

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from difflib import get_close_matches
from random import Random
from shutil import get_terminal_size
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from argentum.rules.boxes import BOX_NAMES, RANDOM_DECK, resolve_deck_code


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return a question with the closest of the choices, to append to an error message; empty if none is close.

    >>> did_you_mean("dager", ["bullet", "coin", "dagger"])
    " Did you mean 'dagger'?"
    >>> did_you_mean("xyz", ["bullet", "coin", "dagger"])
    ''
    """
    names = {choice.lower(): choice for choice in choices}
    matches = get_close_matches(word.lower(), names, n=1)
    return f" Did you mean {names[matches[0]]!r}?" if matches else ""


T = TypeVar("T")

DATABASE_VARIABLE = "ARGENTUM_DATABASE"  # Hides the URL's password from other users, who can read command lines.
DEFAULT_PORT = 8420
EXIT_FAILED = 1  # a check failed
EXIT_INVALID_INPUT = 2
EXIT_INTERRUPTED = 130  # by Ctrl-C: 128 + SIGINT


def as_sentence(message: str) -> str:
    """Capitalize a message, unless its first word is a name, such as a file name, and add a full stop if needed.

    >>> as_sentence("there is no bot 'stedy'")
    "There is no bot 'stedy'."
    >>> as_sentence("game.silver: No such file or directory")
    'game.silver: No such file or directory.'
    """
    first_word = message.partition(" ")[0]
    capitalized = message[:1].upper() + message[1:] if first_word.isalpha() else message
    return capitalized if capitalized.endswith((".", "?", "!")) else f"{capitalized}."


class InvalidInput(click.ClickException):
    """Input that a command refuses. The message, which may come from a library error, is shown as a sentence."""

    exit_code = EXIT_INVALID_INPUT

    def __init__(self, message: str) -> None:
        super().__init__(as_sentence(message))


def database_error(error: Exception) -> InvalidInput:
    """Convert an error of the database layer to one that names the option `--database`."""
    reason = as_sentence(str(error))
    return InvalidInput(reason if "--database" in reason else f"{reason} --database names another one.")


Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def renamed_option(old: str, new: str, is_flag: bool = False) -> Callable[[Decorated], Decorated]:
    """Declare a hidden option with a former name; using it raises a `UsageError` that gives the new name."""

    def refuse(ctx: click.Context, param: click.Parameter, value: object) -> None:  # noqa: ARG001
        if value:
            raise click.UsageError(f"{old} is called {new} now.")

    return click.option(old, is_flag=is_flag, hidden=True, is_eager=True, expose_value=False, callback=refuse)


def examples_epilog(*lines: str) -> str:
    """Format example command lines as the `epilog` of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


class DeckParam(click.ParamType[str]):
    """A box, a deck code, or `random` for a random mix (G1); converted to lower case."""

    name = "deck"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        word = value.strip().lower()
        try:
            resolve_deck_code(word, Random(0))
        except ValueError as error:
            raise InvalidInput(f"{error}, or '{RANDOM_DECK}'.{did_you_mean(word, [*BOX_NAMES, RANDOM_DECK])}") from None
        return word

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        return [CompletionItem(word) for word in (*BOX_NAMES, RANDOM_DECK) if word.startswith(incomplete.lower())]


class BotNameParam(click.ParamType[str]):
    """A bot: a name, with a budget as in `seer:200`; a network file; or a class, as in `my.bots:Clever`."""

    name = "bot"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
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
        from argentum import bots

        return [CompletionItem(name) for name in bots.names() if name.startswith(incomplete.lower())]


class CommaSeparated(click.ParamType[tuple[Any, ...]]):
    """Click parameter type: comma-separated values of one type. Duplicates are dropped."""

    def __init__(self, item_type: click.ParamType[Any]) -> None:
        self.item_type = item_type
        self.name = f"{item_type.name},..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        return tuple(dict.fromkeys([self.item_type.convert(word, param, ctx) for word in value.split(",")]))


def terminal_width() -> int | None:
    """Return the number of columns of the terminal, or None if the output is not a terminal."""
    return get_terminal_size((0, 0)).columns or None


def progress_bar(steps: Iterable[T], length: int, label: str) -> AbstractContextManager[Iterable[T]]:
    """Return a context manager that yields the steps and shows progress on standard error, if that is a terminal."""
    return click.progressbar(steps, length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())
