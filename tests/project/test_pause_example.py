"""The Pause button of docs/architecture.md, added in a copy of the repository."""

from pathlib import Path

import pytest

from tests.support.worked_examples import apply_line_step, copy_source, example_steps, run_code, run_module

MESSAGES = "src/argentum/rooms/messages.py"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the button."""
    root = tmp_path_factory.mktemp("pause")
    copy_source(root, "pyproject.toml", "docs/protocol.md", "examples/client.py", "tests", "tools")
    for step in example_steps("docs/architecture.md", "A Pause button"):
        apply_line_step(root, step)
    return root


def test_the_code_passes_lint_format_and_types(copy: Path) -> None:
    files = list(dict.fromkeys(step.file for step in example_steps("docs/architecture.md", "A Pause button")))
    assert files[0] == MESSAGES
    files = [file for file in files if file.endswith(".py")]
    run_module(copy, "ruff", "check", *files)
    run_module(copy, "ruff", "format", "--check", *files)
    assert run_module(copy, "mypy", "--no-incremental", "--follow-imports=silent", *files).startswith("Success")


def test_the_test_of_the_example_and_those_of_all_messages_pass(copy: Path) -> None:
    tests = ["tests/rooms/test_ticker.py", "tests/rooms/test_messages.py"]
    output = run_module(copy, "pytest", "-q", "-p", "no:cacheprovider", "-k", "paused or messages", *tests)
    assert " passed" in output
    assert "failed" not in output


def test_the_protocol_page_gets_the_message(copy: Path) -> None:
    [row] = run_code(
        copy,
        "import sys",
        "sys.path.append('tools')",
        "from docs_pages import protocol_page",
        "print(*[line for line in protocol_page().splitlines() if line.startswith('| `pause` |')], sep='\\n')",
    )
    assert row == "| `pause` | players | `on` | | pause the game for everybody (`on` true), or resume it |"


def test_players_get_the_button_and_spectators_do_not(copy: Path) -> None:
    output = run_code(
        copy,
        "import asyncio, re",
        "from argentum.display.session import SPECTATOR",
        "from argentum.web.sockets.readers import PageState",
        "from tests.support.room import load_registry, start_game",
        "from tests.support.scenes import page_updates",
        "async def main() -> None:",
        "    async with load_registry('sqlite:///tables.db') as registry:",
        "        room = await start_game(registry)",
        "        for paused in (False, True):",
        "            room.set_paused(paused)",
        "            for role in ('A', SPECTATOR):",
        "                page = ''.join(page_updates(room, role, '', PageState()))",
        "                print(role, re.findall(r'on.{1,5}(true|false).{1,16}pause.{1,6}(Pause|Resume)', page))",
        "asyncio.run(main())",
    )
    assert output == ["A [('true', 'Pause')]", "watch []", "A [('false', 'Resume')]", "watch []"]
