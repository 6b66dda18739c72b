"""Server settings from a TOML file, the environment and command options."""

import logging
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from argentum.rooms.limits import Limits

ENVIRONMENT_PREFIX = "ARGENTUM_"
# Old names of settings, accepted with a warning until version 2.0.
RENAMED = {
    "tables": "max_tables",
    "prefix_burst": "new_tables_prefix_burst",
    "prefix_rate": "new_tables_prefix_rate",
    "all_burst": "new_tables_total_burst",
    "all_rate": "new_tables_total_rate",
    "empty_minutes": "empty_table_minutes",
    "gathered_hours": "lobby_hours",
    "idle_hours": "idle_table_hours",
    "spare_minutes": "grace_minutes",
    "start_grace_minutes": "startup_grace_minutes",
    "connections": "max_connections_per_seat",
    "onlookers_per_address": "max_spectators_per_address",
    "lines": "max_connections",
    "lines_per_address": "max_connections_per_address",
    "lines_reserved": "reserved_connections",
    "header_seconds": "header_timeout",
    "body_seconds": "body_timeout",
    "unread_seconds": "write_timeout",
    "burst": "message_burst",
    "rate": "message_rate",
    "frames_burst": "frame_burst",
    "frames_rate": "frame_rate",
    "pieces": "max_fragments",
    "seer_processes": "search_processes",
}
# Removed settings, with what to do instead.
ONE_PROCESS = (
    "{name} is not a setting any more: a server is one process. To use more cores or machines, run several servers"
    " behind a proxy, as docs/hosting.md describes under `Several processes, several machines`."
)
NO_INTERNAL_ADDRESS = (
    "{name} is not a setting any more, because servers do not connect to each other: remove it. docs/hosting.md"
    " describes under `Several processes, several machines` how they share tables."
)
REMOVED = {
    "workers": ONE_PROCESS,
    "internal_address": NO_INTERNAL_ADDRESS,
    "inner_address": NO_INTERNAL_ADDRESS,
}
logger = logging.getLogger(__name__)
T = TypeVar("T", "Limits", "Settings")


@dataclass(frozen=True)
class Settings:
    """The settings of a server, except its limits."""

    public_url: str = ""  # URL for players; requests for other hosts are refused. Empty: any host
    search_processes: int = 1  # processes that search one move of `seer` or `moon` while no other bot is waiting
    trusted_proxies: str = "127.0.0.1"  # comma-separated addresses and networks whose X-Forwarded-For is trusted
    tls_cert: str = ""
    tls_key: str = ""
    operator_token: str = ""  # for /metrics and `argentum admin`; empty: local requests only
    log_format: str = "text"  # text: warnings and errors; json: every event, one object per line
    log_addresses: bool = False  # log players' addresses


class BadSetting(ValueError):
    """Raised for an unknown setting or an invalid value."""


def read_settings(
    file: str | None = None, environment: Mapping[str, str] | None = None, overrides: Mapping[str, Any] | None = None
) -> tuple[Limits, Settings]:
    """Read limits and settings from the defaults, the TOML file, the environment and `overrides`; the last one wins.

    Raise `BadSetting` for unknown settings in the file, for invalid values, and for settings that were removed.
    """
    values: dict[str, Any] = {}
    if file:
        try:
            values = tomllib.loads(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise BadSetting(f"The settings in {file} cannot be read: {error.strerror}.") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadSetting(f"{file} is not a TOML file: {error}.") from None
    known = {field.name for group in (Limits, Settings) for field in fields(group)}
    readable = known | set(RENAMED) | set(REMOVED)
    unknown = sorted(set(values) - readable)
    if unknown:
        raise BadSetting(f"There is no setting {unknown[0]!r}; docs/hosting.md lists all.")
    variables = os.environ if environment is None else environment
    from_environment = {
        name.removeprefix(ENVIRONMENT_PREFIX).lower(): text
        for name, text in variables.items()
        if name.startswith(ENVIRONMENT_PREFIX)
    }
    from_environment = {
        name: text for name, text in from_environment.items() if name in known | set(RENAMED) | set(REMOVED)
    }
    for source in (values, from_environment, overrides or {}):
        _check_removed(source)
    values = _current_names(values) | _current_names(from_environment) | _current_names(overrides or {})
    limits, settings = _override(Limits(), values), _override(Settings(), values)
    _check_public_url(settings)
    _check_certificate(settings)
    return limits, settings


def _check_removed(values: Mapping[str, Any]) -> None:
    """Raise BadSetting for a setting that was removed, unless it asks for what is always so now."""
    for name, text in REMOVED.items():
        if name in values and not (name == "workers" and str(values[name]) == "1"):
            raise BadSetting(text.format(name=name))


def _current_names(values: Mapping[str, Any]) -> dict[str, Any]:
    """Replace old names of settings, with a warning for each; raise BadSetting if a setting has both names."""
    current = {name: value for name, value in values.items() if name not in RENAMED}
    for old, new in RENAMED.items():
        if old in values:
            if new in values:
                raise BadSetting(f"{old} is the old name of {new}: set only {new}.")
            logger.warning("The setting %s is now called %s; the old name works until version 2.0.", old, new)
            current[new] = values[old]
    return current


def _check_public_url(settings: Settings) -> None:
    """Raise BadSetting for an invalid public URL, which would disable the host check."""
    if not settings.public_url:
        return
    try:
        host = urlsplit(settings.public_url).netloc
    except ValueError:  # such as `http://[x`
        host = ""
    if not host or not re.fullmatch(r"https?://[^/?#]+/?", settings.public_url):
        raise BadSetting(f"public_url is an address such as https://silver.example, not {settings.public_url!r}.")


def _check_certificate(settings: Settings) -> None:
    """Raise BadSetting for a certificate that cannot be loaded."""
    if settings.tls_key and not settings.tls_cert:
        raise BadSetting("tls_key needs tls_cert: the certificate that it is the key of.")
    if settings.tls_cert:
        import ssl  # imported late: the static edition has no ssl

        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.tls_cert, settings.tls_key or None)
        except OSError as error:
            reason = (
                error.strerror if not isinstance(error, ssl.SSLError) else "its key does not fit, or it is no PEM file"
            )
            raise BadSetting(f"The certificate {settings.tls_cert} cannot be used: {reason}.") from None


def _override(defaults: T, values: Mapping[str, Any]) -> T:
    """Return the defaults with the fields in `values` replaced, converted to the types of the defaults."""
    names = [field.name for field in fields(defaults) if field.name in values]
    changes: dict[str, Any] = {name: _convert(name, getattr(defaults, name), values[name]) for name in names}
    return replace(defaults, **changes)


def _convert(name: str, default: object, value: object) -> object:
    """Convert a value to the type of the default; raise BadSetting if that is not possible."""
    if isinstance(default, str) and isinstance(value, str):
        return value
    if isinstance(default, bool):
        if isinstance(value, bool) or value in ("true", "false", "1", "0"):
            return value in (True, "true", "1")
        raise BadSetting(f"{name} is true or false, not {value!r}.")
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        number = int(value) if isinstance(default, int) else float(value)
    except ValueError:
        raise BadSetting(f"{name} is a number, not {value!r}.") from None
    if not 0 <= number < 1e12:
        raise BadSetting(f"{name} is a number from 0 up, not {value!r}.")
    return number
