"""Configure and run uvicorn."""

import gc
import logging
import os
import socket
import sys
import webbrowser
from asyncio import CancelledError
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from getpass import getuser
from pathlib import Path

import uvicorn

from argentum.build import fallback_reason
from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.web.app import create_app
from argentum.web.server.gc_policy import GC_THRESHOLDS, SWITCH_INTERVAL
from argentum.web.server.logs import use_json_logging
from argentum.web.server.protocols import HttpProtocol, WebSocketProtocol
from argentum.web.settings import Settings

MAX_FRAME_BYTES = 16 * 1024
RESERVED_FILES = 100  # that are open beside connections
WILDCARD_HOSTS = ("0.0.0.0", "::", "")


def default_database() -> str:
    """Where tables are kept if nobody says otherwise: a file among the user's own data."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = home / "argentum"
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder / "tables.db")


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or the next that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in range(wanted, wanted + 50):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError(f"no port from {wanted} to {wanted + 49} is free")


def local_urls(host: str, port: int, scheme: str = "http") -> list[str]:
    """Where the table can be reached: by friends too, if the server listens to the network."""
    if host not in WILDCARD_HOSTS:
        return [f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"]
    urls = [f"{scheme}://127.0.0.1:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; it only shows which address would be used
            urls.append(f"{scheme}://{probe.getsockname()[0]}:{port}/")
        except OSError:
            pass
    return urls


def ssh_hint(port: int, ssh: str, user: str) -> str:
    """How to reach a table on this machine from the one that somebody's SSH session comes from; empty without one.

    >>> print(ssh_hint(8420, "192.0.2.7 52000 192.0.2.1 22", "ann"))
    You are on another machine: run `ssh -L 8420:127.0.0.1:8420 ann@192.0.2.1` on yours, then open the link there.
    >>> ssh_hint(8420, "", "ann")
    ''
    """
    words = ssh.split()
    if len(words) != 4:
        return ""
    _, _, here, knocked = words
    way = "" if knocked == "22" else f"-p {knocked} "
    return (
        f"You are on another machine: run `ssh {way}-L {port}:127.0.0.1:{port} {user}@{here}` on yours, then open the"
        " link there."
    )


def connection_limit(wanted: int) -> int:
    """How many connections the system lets us have, up to what is wanted: each is an open file."""
    try:
        import resource
    except ImportError:  # on Windows there is no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft = hard if hard != resource.RLIM_INFINITY else max(soft, wanted + RESERVED_FILES)
    with suppress(OSError, ValueError):  # we may not be allowed to; then it stays as it is
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_FILES)


def url_scheme(settings: Settings) -> str:
    """How the server is asked: with TLS or without."""
    return "https" if settings.tls_cert else "http"


def can_open_browser() -> bool:
    """Whether a browser could open here; on a server the address is only printed."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def is_server_fault(record: logging.LogRecord) -> bool:
    """Whether something went wrong on our side, which is worth a line in the log.

    Clients that send rubbish are cut off. When the server stops, connections that take too long are cancelled; one line
    says so for all of them.
    """
    cancelled = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
    return not cancelled and not str(record.msg).startswith(("Invalid UTF-8 sequence", "Invalid HTTP request"))


def announce(host: str, port: int, limits: Limits, settings: Settings, say: Callable[[str], None]) -> None:
    """Say where the table is."""
    links = [settings.public_url] if settings.public_url else local_urls(host, port, url_scheme(settings))
    say("The table is at " + "\nand for friends on your network at ".join(links))
    far = ssh_hint(port, os.environ.get("SSH_CONNECTION", ""), getuser()) if host == "127.0.0.1" else ""
    if far:
        say(far)
    retention = f"games are kept for {limits.keep_days:g} days" if limits.keep_days else "every game is kept"
    say(f"Ctrl-C stops it; {retention}.")
    if fallback_reason():
        say(f"This is plain Python, so bots think more slowly ({fallback_reason()}): see docs/troubleshooting.md.")


def serve(
    host: str,
    port: int,
    database: str,
    say: Callable[[str], None],
    open_browser: bool = False,
    pace: Timing | None = None,
    limits: Limits | None = None,
    settings: Settings | None = None,
    listening: socket.socket | None = None,
) -> None:
    """Serve until stopped; at a socket that several workers share, if one is given."""
    limits, settings = limits or Limits(), settings or Settings()
    lines = connection_limit(limits.max_connections)
    limits = replace(limits, max_connections=lines, reserved_connections=min(limits.reserved_connections, lines // 4))

    def ready() -> None:
        announce(host, port, limits, settings, say)
        if open_browser and can_open_browser():
            webbrowser.open(local_urls(host, port, url_scheme(settings))[0])

    app = create_app(database, pace, limits, ready, settings, settings.internal_address)
    porch = app.state.limiter
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=partial(HttpProtocol, porch=porch),  # type: ignore[arg-type]
        ws=partial(WebSocketProtocol, porch=porch),  # type: ignore[arg-type]
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,  # it would cost much memory for each connection
        access_log=False,
        log_level="warning",
        log_config=uvicorn.config.LOGGING_CONFIG if settings.log_format == "text" else None,
        lifespan="on",
        timeout_graceful_shutdown=2,
        forwarded_allow_ips=settings.trusted_proxies,
        ssl_certfile=settings.tls_cert or None,
        ssl_keyfile=settings.tls_key or None,
    )
    if settings.log_format == "json":
        use_json_logging(settings.log_addresses)
    logging.getLogger("uvicorn.error").addFilter(is_server_fault)
    gc.set_threshold(*GC_THRESHOLDS)  # a sweep of all ages stops every table, at a thousand of them for a second
    sys.setswitchinterval(
        SWITCH_INTERVAL
    )  # with Python's 5 ms, the log's thread waits long for its turn at a busy server
    uvicorn.Server(config).run(None if listening is None else [listening])
