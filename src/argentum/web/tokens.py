"""Secret links: who holds a seat's token sits in that seat.

The log keeps digests only. The host's token is random; the tokens that the host hands out follow from it, so that the
host's page can show the links again at any time, and the server alone cannot.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

TOKEN_BYTES = 24
LONGEST = 64


def new_token() -> str:
    """A fresh random token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def derived(host: str, role: str, key: int = 0) -> str:
    """The token of another seat (its letter) or of the onlookers (`watch`), from the host's; each key gives another."""
    code = hmac.digest(host.encode(), (f"{role} {key}" if key else role).encode(), "sha256")
    return urlsafe_b64encode(code[:TOKEN_BYTES]).decode().rstrip("=")


def digest(token: str) -> str:
    """What the log keeps of a token."""
    return sha256(token.encode()).hexdigest()


def role_of(token: str, digests: dict[str, str]) -> str:
    """The role that a token stands for, or an empty string. Every digest is compared, each in constant time."""
    if not token.isascii():
        return ""
    given = digest(token)
    found = ""
    for role, kept in digests.items():
        if hmac.compare_digest(given, kept):
            found = role
    return found
