"""The terminal in tmux, with a real server and a browser at the same table."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from argentum import records
from argentum.rooms.access import derive_key
from argentum.rooms.log.file import unfinished_games
from argentum.terminal.key_filter import MIN_VISIBLE_SECONDS
from tests.support.browser import chromium, open_player
from tests.support.server import Server, server
from tests.support.terminal import TIMEOUT
from tests.support.terminal_tables import games

__all__ = ["chromium", "games", "server"]
QUESTION_DELAY = 2 * MIN_VISIBLE_SECONDS  # seconds; a key pressed sooner after a question is ignored
REPEAT_DELAY = 15.0  # seconds after which a key is pressed again; long enough for a slow machine to answer
TMUX_MISSING = (
    "tmux is not installed, and the terminal's table is tested in it: `make test` installs the Debian package tmux"
)


@dataclass
class Terminal:
    """A terminal of eighty columns and twenty-four rows, in tmux."""

    socket: str

    def tmux(self, *words: str) -> str:
        process = subprocess.run(
            ["tmux", "-S", self.socket, "-f", os.devnull, *words], capture_output=True, text=True, timeout=TIMEOUT
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    def open(self, *command: str, **environment: str) -> None:
        keep_open = ("start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";")
        self.tmux(*keep_open, "new-session", "-d", "-x", "80", "-y", "24", *argentum_arguments(command, environment))

    def open_again(self, *command: str, **environment: str) -> None:
        """Run another command in the same window.

        A new session could be lost: while tmux closes the last session, it also ends its server.
        """
        self.tmux("respawn-pane", *argentum_arguments(command, environment))

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def wait(self, pattern: str, meanwhile: Callable[[], None] = lambda: None) -> str:
        """Wait until the screen matches a pattern; call `meanwhile` repeatedly until then. Return the screen's text."""
        deadline = time.monotonic() + TIMEOUT
        while not re.search(pattern, text := self.text()):
            assert time.monotonic() < deadline, f"no {pattern!r} in\n{text}"
            meanwhile()
            time.sleep(0.02)
        return text

    def press_until(self, key: str, pattern: str) -> str:
        """Press a key, repeatedly if necessary, until the screen matches a pattern; return the screen's text."""
        next_press = time.monotonic() + QUESTION_DELAY

        def press() -> None:
            nonlocal next_press
            if time.monotonic() > next_press:
                self.press(key)
                next_press = time.monotonic() + REPEAT_DELAY

        return self.wait(pattern, press)

    def kill(self) -> None:
        """Kill the running process, as in a crash, and wait for its end."""
        os.kill(int(self.tmux("display-message", "-p", "#{pane_pid}")), signal.SIGKILL)
        deadline = time.monotonic() + TIMEOUT
        while self.tmux("display-message", "-p", "#{pane_dead}").strip() != "1":
            assert time.monotonic() < deadline, "the process still runs"


def argentum_arguments(command: tuple[str, ...], environment: dict[str, str]) -> list[str]:
    """Return the arguments with which tmux runs an argentum command."""
    options = [word for key, value in environment.items() for word in ("-e", f"{key}={value}")]
    return [*options, sys.executable, "-m", "argentum", *command]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.fail(TMUX_MISSING)
    terminal = Terminal(str(tmp_path / "tmux"))
    yield terminal
    subprocess.run(["tmux", "-S", terminal.socket, "kill-server"], capture_output=True, timeout=TIMEOUT)


def look_at_two_cards(terminal: Terminal) -> None:
    terminal.press_until("1", "✓")
    terminal.press_until("2", "✓.*✓")
    terminal.press_until("o", "you know|known")


def test_a_killed_game_resumes_at_its_last_move(terminal: Terminal, tmp_path: Path, games: Path) -> None:
    record = tmp_path / "mine.silver"
    options = ("--bots", "novice", "--seed", "1", "--record", str(record))  # with this seed, Ann starts
    terminal.open("terminal", *options, ARGENTUM_GAMES=str(games))
    terminal.wait("Look at two of your cards")
    look_at_two_cards(terminal)
    terminal.wait("It is your turn")
    terminal.press_until("d", "You drew")
    terminal.kill()

    game = records.read_file(record)
    assert game.view("A").hand is not None, "the record ends with the draw"
    terminal.open_again("terminal", ARGENTUM_GAMES=str(games))
    terminal.wait("You have an unfinished game")
    terminal.press_until("1", "You drew")
    terminal.press("C-c")
    terminal.wait("The game is saved")
    assert records.write(unfinished_games(games)[0].game) == records.write(game)


@pytest.mark.long
def test_a_terminal_and_a_browser_play_at_one_table(server: Server, chromium: Browser, terminal: Terminal) -> None:
    name, key = server.new_table("/tables", name="Ann", boxes="dagger", seats="2")
    link = f"{server.origin}/table/{name}#{derive_key(key, 'B')}"
    with open_player(chromium, server) as ann:
        ann.open(f"/table/{name}#{key}")
        ann.wait_for("lobby")
        terminal.open("join", "--name", "Zoe", link, TERM="xterm-256color")
        terminal.wait("The table is being set")
        ann.page.wait_for_selector("text=Zoe")
        ann.page.click("[data-send*=start]")
        ann.wait_for("table")
        terminal.wait("Look at two of your cards")
        look_at_two_cards(terminal)
        ann.page.wait_for_selector("#log:has-text('Zoe looked at spots 1 and 2')")
        random = Random(1)

        def play_for_ann() -> None:
            if ann.kind == "table" and ann.choice_number() is not None:
                ann.play_random_move(random)

        text = terminal.wait("It is your turn", play_for_ann)
        assert "Ann" in text
        terminal.press_until("d", "You drew")
        ann.page.wait_for_selector("#log:has-text('Zoe drew')")
