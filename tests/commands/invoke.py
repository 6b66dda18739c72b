"""Run sub-commands in tests."""

from click.testing import CliRunner, Result

from argentum.cli import main


def run(*words: str) -> Result:
    """Run a command; fail if it ends with a traceback."""
    result = CliRunner().invoke(main, words)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def error_message(*words: str) -> str:
    """Run a command, check that it refuses its input in one line, and return the message."""
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("Error: ").rstrip()
