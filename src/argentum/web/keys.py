"""Secret links: who holds a seat's key sits in that seat.

The log keeps digests only. The host's key is random; the keys that the host hands out follow from it, so that the
host's page can show the links again at any time, and the server alone cannot.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import sha256

KEY_BYTES = 24
LONGEST = 64
MOST_DERIVED = 4_096  # links of hosts who are at their tables now: each page of theirs shows one, at every move


def new_key() -> str:
    """A fresh random key."""
    return secrets.token_urlsafe(KEY_BYTES)


@lru_cache(MOST_DERIVED)
def derived(host: str, role: str, lock: int = 0) -> str:
    """The key of another seat (its letter) or of the onlookers (`watch`), from the host's; each lock has its own."""
    code = hmac.digest(host.encode(), (f"{role} {lock}" if lock else role).encode(), "sha256")
    return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")


def digest(key: str) -> str:
    """What the log keeps of a key."""
    return sha256(key.encode()).hexdigest()


def role_of(key: str, digests: dict[str, str]) -> str:
    """The role that a key stands for, or an empty string. Every digest is compared, each in constant time.

    A role may have several keys: `watch B` is that of the invitations that seat B has sent as the host.
    """
    if not key.isascii():
        return ""
    given = digest(key)
    found = ""
    for role, kept in digests.items():
        if hmac.compare_digest(given, kept):
            found = role.split()[0]
    return found
