"""Test an installed Argentum end to end: `python tools/smoke_test.py [COMMAND...]`.

Start `argentum play`, open the first page, create a table, take a seat and play a move. COMMAND starts Argentum, such
as `uvx argentum`; by default, it is `python -m argentum` with this Python.
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

TIMEOUT = 60.0  # seconds
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def wait_for_port(port: int) -> None:
    """Wait until the port is open. The server prints its address before it opens the port."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise SystemExit(f"No answer on port {port}.")


def request_page(port: int, method: str, path: str, body: str = "") -> tuple[int, str, str]:
    """Send a request; return the status, the URL that it redirects to, and the page."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    connection.request(method, path, body, FORM if body else {})
    response = connection.getresponse()
    page = response.read().decode()
    connection.close()
    return response.status, response.getheader("Location", ""), page


async def play_first_moves(port: int, table: str, key: str) -> str:
    """Take a seat and play until the server has accepted the move `draw`; return that move."""
    async with asyncio.timeout(TIMEOUT), connect(f"ws://127.0.0.1:{port}/socket", max_size=2**22) as socket:
        await socket.send(json.dumps({"type": "join", "table": table, "key": key, "protocol": 3}))
        answered = move = None
        async for text in socket:
            state = json.loads(text)
            if state["type"] == "error":
                raise SystemExit(f"The server refused a legal move: {state}")
            if state["type"] != "update" or state["choice"] in (None, answered):
                continue
            if move == "draw":
                return str(move)
            legal = state["view"]["legal"]
            peeks = [option.split()[1] for option in legal if option.startswith("peek")]
            move = "peek " + " ".join(peeks[:2]) if peeks else "draw" if "draw" in legal else legal[0]
            answered = state["choice"]
            await socket.send(json.dumps({"type": "move", "choice": answered, "move": move}))
    raise SystemExit("The server closed the connection.")


def main() -> None:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        argentum = sys.argv[1:] or [sys.executable, "-m", "argentum"]
        command = [*argentum, "play", "--no-browser", "--database", str(Path(folder) / "tables.db")]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            try:
                assert server.stdout is not None
                address = re.search(r":(\d+)/", server.stdout.readline())
                assert address, "the server did not print its address"
                port = int(address[1])
                wait_for_port(port)
                status, _, page = request_page(port, "GET", "/")
                assert status == 200, page
                assert "Play now" in page
                status, location, _ = request_page(port, "POST", "/play", "name=Ann&bots=1&boxes=coin")
                assert status == 303
                table, _, key = location.removeprefix("/table/").partition("#")
                move = asyncio.run(play_first_moves(port, table, key))
            finally:
                server.terminate()
    print(f"argentum play answers on port {port}; {move!r} was played at {table}")  # noqa: T201


if __name__ == "__main__":
    main()
