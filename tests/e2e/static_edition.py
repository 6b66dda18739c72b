"""The static edition on a plain web server, in a folder, as GitHub Pages has it."""

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

__all__ = ["host"]

BUILT = Path(os.environ.get("ARGENTUM_STATIC", "build/static"))


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def log_message(self, *_: object) -> None:
        pass


class StaticHost:
    """A web host that can be switched off."""

    def __init__(self, folder: Path) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        self.origin = f"http://127.0.0.1:{self.server.server_port}/silver"

    def stop(self) -> None:
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[StaticHost]:
    if not (BUILT / "index.html").exists():
        pytest.fail("The static edition is not built: `make test-static` builds it")
    (tmp_path / "silver").symlink_to(BUILT.resolve())
    one = StaticHost(tmp_path)
    yield one
    one.stop()
