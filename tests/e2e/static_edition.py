"""Serve the static edition from a subfolder of a plain web server, as GitHub Pages does."""

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

__all__ = ["host"]

BUILD_DIRECTORY = Path(os.environ.get("ARGENTUM_STATIC", "build/static"))


class SilentHandler(SimpleHTTPRequestHandler):
    """Serve files without logging."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def log_message(self, *_: object) -> None:
        pass


class StaticHost:
    """A plain web server for a folder. Tests may stop it."""

    def __init__(self, folder: Path) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SilentHandler, directory=str(folder)))
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
    """Serve the static edition under /silver."""
    if not (BUILD_DIRECTORY / "index.html").exists():
        pytest.fail("The static edition is not built: `make test-static` builds it")
    (tmp_path / "silver").symlink_to(BUILD_DIRECTORY.resolve())
    static_host = StaticHost(tmp_path)
    yield static_host
    static_host.stop()
