import time

from tests.support.server import PATIENCE, Server


def unready(server: Server) -> None:
    """Wait until a proxy is told to send nobody there: not for a trouble that may be over in a moment."""
    until = time.monotonic() + PATIENCE
    while server.ask("/ready").status == 200:
        assert time.monotonic() < until
        time.sleep(0.2)
