"""Tries an installed Argentum as a player would: `python tools/smoke_test.py [COMMAND...]`.

It starts `argentum play`, opens the first page, sets a table, sits down and makes a move. A command says how Argentum
is started, such as `uvx argentum`; by default it is the one that this Python has.
"""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import connect

PATIENCE = 60.0  # seconds
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def wait_for(port: int) -> None:
    """Return when the port is open: its address is printed a moment before."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise SystemExit(f"Nobody answers on port {port}.")


def ask(port: int, method: str, path: str, body: str = "") -> tuple[int, str, str]:
    """One request: the status, where it leads, and the page."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    line.request(method, path, body, FORM if body else {})
    answer = line.getresponse()
    page = answer.read().decode()
    line.close()
    return answer.status, answer.getheader("Location", ""), page


async def first_moves(port: int, table: str, key: str) -> str:
    """Sit down, and answer questions until a card was drawn; the move that was accepted last."""
    async with asyncio.timeout(PATIENCE), connect(f"ws://127.0.0.1:{port}/socket", max_size=2**22) as line:
        await line.send(json.dumps({"type": "sit", "table": table, "key": key, "protocol": 2}))
        asked = move = None
        async for text in line:
            state = json.loads(text)
            if state["type"] == "error":
                raise SystemExit(f"The server refused a legal move: {state}")
            if state["type"] != "update" or state["choice"] in (None, asked):
                continue
            if move == "draw":
                return str(move)
            legal = state["view"]["legal"]
            peeks = [one.split()[1] for one in legal if one.startswith("peek")]
            move = "peek " + " ".join(peeks[:2]) if peeks else "draw" if "draw" in legal else legal[0]
            asked = state["choice"]
            await line.send(json.dumps({"type": "move", "choice": asked, "move": move}))
    raise SystemExit("The server hung up.")


def main() -> None:
    """Play a little, and say so."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        argentum = sys.argv[1:] or [sys.executable, "-m", "argentum"]
        command = [*argentum, "play", "--no-browser", "--database", str(Path(folder) / "tables.db")]
        told = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=told) as server:
            try:
                assert server.stdout is not None
                said = re.search(r":(\d+)/", server.stdout.readline())
                assert said, "the server did not say where it is"
                port = int(said[1])
                wait_for(port)
                status, _, page = ask(port, "GET", "/")
                assert status == 200, page
                assert "Play now" in page
                status, where, _ = ask(port, "POST", "/play", "name=Ann&bots=1&boxes=coin")
                assert status == 303
                table, _, key = where.removeprefix("/table/").partition("#")
                move = asyncio.run(first_moves(port, table, key))
            finally:
                server.terminate()
    print(f"argentum play answers on port {port}; {move!r} was played at {table}")  # noqa: T201


if __name__ == "__main__":
    main()
