"""TCP connections and WebSockets below the level of client libraries, for tests of bad clients."""

import socket
import struct
from contextlib import suppress

from tests.support.server import TIMEOUT, Server

STRANGER = "127.9.0.1"
SHORT_TIMEOUTS = """
header_timeout = 2.0
body_timeout = 2.0
write_timeout = 0.5
max_connections = 60
reserved_connections = 10
max_connections_per_address = 20
"""


def connect_tcp(server: Server, address: str = STRANGER, timeout: float = TIMEOUT) -> socket.socket:
    """Open a TCP connection to a server from a local address."""
    return socket.create_connection(("127.0.0.1", server.port), timeout, (address, 0))


def open_unread_websocket(server: Server, address: str = STRANGER) -> socket.socket:
    """Open a WebSocket with a small receive buffer; nothing is read after the handshake."""
    raw = connect_tcp(server, address)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert b" 101 " in raw.recv(4096)
    return raw


def websocket_frame(opcode: int, data: bytes = b"", is_last: bool = True) -> bytes:
    """Return a WebSocket frame as a client sends it, masked with zeros."""
    return struct.pack("!BB", opcode | (0x80 if is_last else 0), 0x80 | len(data)) + bytes(4) + data


def read_until_closed(raw: socket.socket) -> None:
    """Read until the server closes the connection; raise TimeoutError if it does not."""
    with suppress(ConnectionError):
        while raw.recv(65536):
            pass
