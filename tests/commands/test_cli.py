"""The command line: help, suggestions, completion, JSON output, and interruption of the sub-commands."""

import json
import os
import platform
import pty
import shlex
import signal
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from argentum.arena.report import STANDING_COLUMNS
from argentum.build import is_compiled
from argentum.cli import COMMAND_SECTIONS, main
from argentum.commands import _params
from argentum.rooms.limits import Limits
from argentum.rules.boxes import BOX_NAMES, RANDOM_DECK
from argentum.web.server.run import announce
from argentum.web.settings import Settings

CONTEXT = click.Context(main, info_name="argentum")
NAMES = main.list_commands(CONTEXT)
SCENARIO = """
title = "G8: the drawn card is discarded"
boxes = "dagger"
players = 2
deck = "9 3"
discard = "8"
villages = { A = "7 12^", B = "5 6" }

[[step]]
do = ["A draw", "A discard"]
discard = "9 8"
turn = "B"
"""


def run(*words: str) -> Result:
    """Run a command; fail if it ends with a traceback."""
    result = CliRunner().invoke(main, words, prog_name="argentum")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def get_command(name: str) -> click.Command:
    subcommand = main.get_command(CONTEXT, name)
    assert subcommand is not None
    return subcommand


def command_line(*words: str) -> list[str]:
    """Return the arguments that run a command in a process."""
    return [sys.executable, "-m", "argentum", *words]


# Finding commands.


def test_argentum_without_a_command_prints_a_quick_start() -> None:
    result = run()
    assert result.exit_code == 0
    for words in ("argentum play", "argentum rules", "argentum --help"):
        assert words in result.stdout


def test_the_version_is_printed_with_build_and_platform() -> None:
    build = "compiled" if is_compiled() else "plain Python"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{platform.system()} {platform.machine()}"
    assert run("--version").stdout == f"argentum {version('argentum')}, {build}, {python}, {machine}\n"


def test_a_build_that_fell_back_to_plain_python_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "Compiling failed, so this is plain Python: no gcc"
    lines: list[str] = []
    monkeypatch.setattr("argentum.build.fallback_message", lambda: message)
    assert run("--version").stdout.splitlines()[1:] == [message]
    monkeypatch.setattr("argentum.web.server.run.fallback_message", lambda: message)
    announce("127.0.0.1", 8420, Limits(), Settings(), lines.append)
    assert lines[-1] == message


def test_the_help_has_every_command_in_its_section() -> None:
    lines = run("--help").stdout.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line.split()[0] in NAMES]
    assert sorted(listed) == NAMES
    assert {name for names in COMMAND_SECTIONS.values() for name in names} <= set(NAMES)
    assert lines.index("Play:") < lines.index("Learn:") < lines.index("Measure:") < lines.index("More:")


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_examples(name: str) -> None:
    output = run(name, "--help").stdout
    assert output.startswith(f"Usage: argentum {name} ")
    assert "\n  Examples:\n    argentum " in output
    assert get_command(name).get_short_help_str(80).endswith(".")


def parse_examples(name: str) -> list[list[str]]:
    """Parse a command's examples as a shell does, up to a pipe, redirection or comment."""
    lines = [line.strip() for line in (get_command(name).epilog or "").splitlines() if line.startswith("  argentum ")]
    words = [shlex.split(line, comments=True) for line in lines]
    return [
        line[: next((index for index, word in enumerate(line) if word in ("|", ">", ">>")), None)] for line in words
    ]


@pytest.mark.parametrize(("name", "words"), [(name, words) for name in NAMES for words in parse_examples(name)])
def test_every_example_is_parsed_without_errors(name: str, words: list[str]) -> None:
    assert words[:2] == ["argentum", name]
    context = get_command(name).make_context(name, words[2:])
    context.close()


@pytest.mark.parametrize(("wrong", "right"), [("simulat", "simulate"), ("ruels", "rules"), ("scenarios", "scenario")])
def test_a_misspelled_command_gets_a_suggestion(wrong: str, right: str) -> None:
    result = run(wrong)
    assert result.exit_code == 2
    assert result.stderr.endswith(f"Error: No such command {wrong!r}. Did you mean {right!r}?\n")


def test_a_misspelled_option_gets_a_suggestion() -> None:
    assert "Did you mean '--records'?" in run("simulate", "--recrods", "games").stderr


def test_a_misspelled_deck_gets_a_suggestion() -> None:
    result = run("simulate", "--boxes", "daggr")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: 'daggr' names no deck: give a box ({', '.join(BOX_NAMES)})")
    assert result.stderr.endswith(" Did you mean 'dagger'?\n")


def test_a_misspelled_bot_gets_a_suggestion(tmp_path: Path) -> None:
    result = run("review", str(tmp_path / "game.silver"), "--bot", "stedy")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: There is no bot 'stedy': the bots are random, novice, quick, steady")
    assert result.stderr.endswith(" Did you mean 'steady'?\n")


def test_an_invalid_budget_of_a_bot_is_refused() -> None:
    result = run("review", "game.silver", "--bot", "seer:x")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: 'x' is not a budget: ")
    assert "mean" not in result.stderr


def test_an_address_that_is_in_use_or_invalid_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = run("serve", "--host", "127.0.0.1", "--port", str(port))
        assert result.exit_code == 2
        assert result.stderr == f"Error: Port {port} is in use; try --port.\n"
    refused = run("serve", "--host", "300.1.1.1").stderr
    assert refused.startswith("Error: The server cannot listen on 300.1.1.1, port 8420: ")


def test_a_misspelled_resident_gets_a_suggestion() -> None:
    assert run("rules", "magican").stderr.endswith("Did you mean 'Magician'?\n")


@pytest.mark.parametrize("words", [[], ["magician"], ["X11"], ["G13"], ["amulet"], ["play"]])
@pytest.mark.parametrize("columns", [40, 80])
def test_rules_wrap_to_the_terminals_width(words: list[str], columns: int) -> None:
    result = CliRunner().invoke(main, ["rules", *words], env={"COLUMNS": str(columns)})
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= columns


def test_tables_of_the_arena_wrap_to_the_terminals_width() -> None:
    words = ["arena", "random", "novice", "--games", "2", "--processes", "1"]
    wide = CliRunner().invoke(main, words, env={"COLUMNS": "200"}).stdout.splitlines()[1:]
    result = CliRunner().invoke(main, words, env={"COLUMNS": "60"})
    narrow = result.stdout.splitlines()[1:]
    assert max(map(len, wide)) > 60 >= max(map(len, narrow))
    assert all(any(heading in line for line in narrow) for heading in STANDING_COLUMNS)
    assert sum(line.startswith("novice ") for line in narrow) == narrow.count("") + 1


def test_training_without_pytorch_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "argentum.learn.trainer", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delattr("argentum.learn.trainer", raising=False)
    result = run("train", "--config", "small")
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: Training needs PyTorch, which is not installed: run `pip install 'argentum[learn]'`.\n",
    )


HEAVY = {"starlette", "uvicorn", "jinja2", "matplotlib", "numpy", "textual", "ray", "mkdocs", "asyncio"}


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["rules", "spy"]])
def test_help_and_rules_load_no_heavy_packages(words: list[str]) -> None:
    program = f"import sys; from argentum.cli import main; main({words!r}, standalone_mode=False); print(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    modules = output.splitlines()[-1].split()
    assert "argentum.cli" in modules
    assert not HEAVY & {module.split(".")[0] for module in modules}


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        (["arena", "--ladder"], "--ladder", "--ratings"),
        (["arena", "--residents"], "--residents", "--abilities"),
        (["arena", "novice", "random", "--keep", "games.jsonl"], "--keep", "--results"),
        (["arena", "--ratings", "--write", "page.md"], "--write", "--report"),
    ],
)
def test_a_renamed_option_is_refused_with_its_new_name(words: list[str], old: str, new: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"Error: {old} is called {new} now."
    assert f" {old} " not in run(words[0], "--help").stdout
    assert new in run(words[0], "--help").stdout


# Completion.


def completions(*words: str) -> list[str]:
    """Return the completions of the last word."""
    items = ShellComplete(main, {}, "argentum", "_ARGENTUM_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [item.value for item in items]


def test_commands_options_boxes_and_bots_are_completed() -> None:
    assert completions("re") == ["replay", "review"]
    assert completions("simulate", "--boxes", "") == [*BOX_NAMES, RANDOM_DECK]
    assert "steady" in completions("review", "--bot", "s")
    assert completions("simulate", "--ga") == ["--games"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_completion_script(shell: str) -> None:
    output = run("completion", shell).stdout
    assert f"_ARGENTUM_COMPLETE={shell}_complete" in output


def test_bash_accepts_its_completion_script() -> None:
    script = run("completion", "bash").stdout
    result = subprocess.run(
        ["bash", "-c", f"{script}\ncomplete -p argentum"], capture_output=True, text=True, check=True
    )
    assert "_argentum_completion" in result.stdout


# JSON output.


def test_rules_are_printed_as_json() -> None:
    [magician] = json.loads(run("rules", "magician", "--json").stdout)
    assert (magician["resident"], magician["number"], magician["label"]) == ("Magician", 8, "D8")
    assert magician["timing"] == "when drawn"
    [box_entry] = json.loads(run("rules", "coin", "--json").stdout)
    assert [item["number"] for item in box_entry["residents"]] == list(range(14))
    assert box_entry["token"]["label"] == "C14"
    [ruling] = json.loads(run("rules", "G10", "--json").stdout)
    assert ruling.keys() == {"label", "title", "ruling", "see", "source_status", "source"}
    assert [item["box"] for item in json.loads(run("rules", "--json").stdout)] == list(BOX_NAMES)


def test_scenario_results_are_printed_as_json(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "bad.toml").write_text(SCENARIO.replace('turn = "B"', 'turn = "A"'), encoding="utf-8")
    (tmp_path / "none.toml").write_text("boxes = 3", encoding="utf-8")
    result = run("scenario", "--json", str(tmp_path))
    bad, passing, unreadable = json.loads(result.stdout)
    assert result.exit_code == _params.EXIT_INVALID_INPUT
    assert (passing["differences"], passing["read_error"]) == ([], "")
    assert len(bad["differences"]) == 1
    assert "boxes" in unreadable["read_error"]
    (tmp_path / "none.toml").unlink()
    assert run("scenario", "--json", str(tmp_path)).exit_code == _params.EXIT_FAILED


def test_scenarios_of_one_file_are_reported_by_number(tmp_path: Path) -> None:
    title, _, rest = SCENARIO.replace("[[step]]", "[[case.step]]").strip().partition("\n")
    failing = rest.replace('turn = "B"', 'turn = "A"')
    file = tmp_path / "cases.toml"
    file.write_text(f"[[case]]\n{title}\n{rest}\n[[case]]\n{failing}\n", encoding="utf-8")
    outcomes = json.loads(run("scenario", "--json", str(file)).stdout)
    assert [(outcome["case"], bool(outcome["differences"])) for outcome in outcomes] == [(1, False), (2, True)]
    titled, untitled, *_ = run("scenario", str(file)).stdout.splitlines()
    assert titled.endswith("cases.toml  G8: the drawn card is discarded")
    assert untitled.endswith("cases.toml  case 2")


# Interruption.


def test_ctrl_c_interrupts_a_running_command() -> None:
    controller, terminal = pty.openpty()
    arguments = command_line("simulate", "--games", "10000000")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=terminal, text=True) as process:
        os.close(terminal)
        output = b""
        while b"Playing" not in output:  # until the progress bar appears
            output += os.read(controller, 1000)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == _params.EXIT_INTERRUPTED
        output += _read_rest(controller)
        assert process.stdout is not None
        assert process.stdout.read() == ""
    os.close(controller)
    assert output.endswith(b"Stopped.\r\n")
    assert b"Traceback" not in output


def _read_rest(terminal: int) -> bytes:
    """Read the buffered output of a terminal whose other end is closed."""
    output = b""
    try:
        while more := os.read(terminal, 1000):
            output += more
    except OSError:  # Linux reports the closed other end as an error.
        pass
    return output


def test_there_is_no_progress_bar_without_a_terminal() -> None:
    result = run("simulate", "--games", "3")
    assert result.stderr == ""


def test_a_closed_output_causes_no_error_message(tmp_path: Path) -> None:
    assert run("simulate", "--games", "1", "--players", "4", "--records", str(tmp_path)).exit_code == 0
    arguments = command_line("replay", "--json", str(tmp_path / "game-00001.silver"))
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith('{"game": ')
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(20) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(command_line("rules"), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode != 0
    assert result.stderr.startswith("Error: the output: No space left on device")
    assert "Traceback" not in result.stderr
