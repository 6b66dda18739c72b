"""Raw TCP connections and half-open WebSockets."""

import socket
import struct

from tests.support.server import PATIENCE, Server

STRANGER = "127.9.0.1"
QUICK = """
header_timeout = 2.0
body_timeout = 2.0
write_timeout = 0.5
max_connections = 60
reserved_connections = 10
max_connections_per_address = 20
"""


def line(server: Server, address: str = STRANGER, patience: float = PATIENCE) -> socket.socket:
    """A bare TCP connection."""
    return socket.create_connection(("127.0.0.1", server.port), patience, (address, 0))


def upgraded(server: Server, address: str = STRANGER) -> socket.socket:
    """A WebSocket of which nothing is read any more."""
    raw = line(server, address)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    assert b" 101 " in raw.recv(4096)
    return raw


def frame(opcode: int, data: bytes = b"", last: bool = True) -> bytes:
    """A frame as a client sends it, masked with zeros."""
    return struct.pack("!BB", opcode | (0x80 if last else 0), 0x80 | len(data)) + bytes(4) + data


def is_cut(raw: socket.socket) -> bool:
    """Whether the server hangs up; what it says until then is read."""
    try:
        while raw.recv(65536):
            pass
    except ConnectionError:
        return True
    return True  # (a timeout is an error of the test)
