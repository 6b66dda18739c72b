"""Configure and run uvicorn."""

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
from platformdirs import user_data_path

from argentum.build import fallback_message
from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.web.app import create_app
from argentum.web.server.gc_policy import make_automatic_collections_rare
from argentum.web.server.logs import use_json_logging
from argentum.web.server.protocols import HttpProtocol, WebSocketProtocol
from argentum.web.settings import Settings

MAX_FRAME_BYTES = 16 * 1024
DATABASE_FILE = "tables.db"
SWITCH_INTERVAL = 0.001  # seconds for sys.setswitchinterval
RESERVED_FILES = 100  # open files other than connections
WILDCARD_HOSTS = ("0.0.0.0", "::", "")


def default_database() -> str:
    """Return the path of the default database, creating its folder in the platform's folder for user data.

    A database in the folder of Linux, which was used on every platform, stays in use.
    """
    folder_on_linux = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "argentum"
    if (folder_on_linux / DATABASE_FILE).exists():
        return str(folder_on_linux / DATABASE_FILE)
    return str(user_data_path("argentum", appauthor=False, ensure_exists=True) / DATABASE_FILE)


def free_port(host: str, first: int) -> int:
    """Return the first free port of the 50 that begin with `first`; raise OSError if all are in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in range(first, first + 50):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError(f"no port from {first} to {first + 49} is free")


def local_urls(host: str, port: int, scheme: str = "http") -> list[str]:
    """Return the URLs at which the server listens; for a wildcard host, those on this machine and on its network."""
    if host not in WILDCARD_HOSTS:
        return [f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"]
    urls = [f"{scheme}://127.0.0.1:{port}/"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # Nothing is sent; it selects the local address.
            urls.append(f"{scheme}://{probe.getsockname()[0]}:{port}/")
        except OSError:
            pass
    return urls


def ssh_hint(port: int, ssh: str, user: str) -> str:
    """Return an explanation of how to open an SSH tunnel to this server; empty outside of an SSH session.

    `ssh` is the value of SSH_CONNECTION: client address and port, server address and port.

    >>> print(ssh_hint(8420, "192.0.2.7 52000 192.0.2.1 22", "ann"))
    You are on another machine: run `ssh -L 8420:127.0.0.1:8420 ann@192.0.2.1` on yours, then open the link there.
    >>> ssh_hint(8420, "", "ann")
    ''
    """
    fields = ssh.split()
    if len(fields) != 4:
        return ""
    _, _, server_address, ssh_port = fields
    option = "" if ssh_port == "22" else f"-p {ssh_port} "
    return (
        f"You are on another machine: run `ssh {option}-L {port}:127.0.0.1:{port} {user}@{server_address}` on yours,"
        " then open the link there."
    )


def raise_connection_limit(requested: int) -> int:
    """Raise the limit on open files; return how many of the `requested` connections it allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return requested
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft = hard if hard != resource.RLIM_INFINITY else max(soft, requested + RESERVED_FILES)
    with suppress(OSError, ValueError):  # not permitted: keep the present limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(requested, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED_FILES)


def url_scheme(settings: Settings) -> str:
    return "https" if settings.tls_cert else "http"


def can_open_browser() -> bool:
    """Whether this machine seems to have a display, which a browser needs."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def is_server_fault(record: logging.LogRecord) -> bool:
    """Logging filter for uvicorn: drop records about invalid requests, and about requests cancelled at shutdown.

    Uvicorn logs the number of cancelled requests anyway.
    """
    cancelled = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
    return not cancelled and not str(record.msg).startswith(("Invalid UTF-8 sequence", "Invalid HTTP request"))


def announce(host: str, port: int, limits: Limits, settings: Settings, echo: Callable[[str], None]) -> None:
    """Print the URLs of the server, how to stop it, and how long games are kept."""
    links = [settings.public_url] if settings.public_url else local_urls(host, port, url_scheme(settings))
    echo("The table is at " + "\nand for friends on your network at ".join(links))
    hint = ssh_hint(port, os.environ.get("SSH_CONNECTION", ""), getuser()) if host == "127.0.0.1" else ""
    if hint:
        echo(hint)
    retention = f"games are kept for {limits.keep_days:g} days" if limits.keep_days else "every game is kept"
    echo(f"Ctrl-C stops it; {retention}.")
    if fallback_message():
        echo(fallback_message())


def serve(
    host: str,
    port: int,
    database: str,
    echo: Callable[[str], None],
    open_browser: bool = False,
    timing: Timing | None = None,
    limits: Limits | None = None,
    settings: Settings | None = None,
) -> None:
    """Run the server until it is stopped."""
    limits, settings = limits or Limits(), settings or Settings()
    max_connections = raise_connection_limit(limits.max_connections)
    reserved_connections = min(limits.reserved_connections, max_connections // 4)
    limits = replace(limits, max_connections=max_connections, reserved_connections=reserved_connections)

    def on_ready() -> None:
        announce(host, port, limits, settings, echo)
        if open_browser and can_open_browser():
            webbrowser.open(local_urls(host, port, url_scheme(settings))[0])

    app = create_app(database, timing, limits, on_ready, settings)
    limiter = app.state.limiter
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=partial(HttpProtocol, limiter=limiter),  # type: ignore[arg-type]
        ws=partial(WebSocketProtocol, limiter=limiter),  # type: ignore[arg-type]
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,  # it takes much memory per connection
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
    make_automatic_collections_rare()
    # With Python's default of 5 ms the journal's thread waits long for the interpreter lock of a busy server.
    sys.setswitchinterval(SWITCH_INTERVAL)
    uvicorn.Server(config).run()
