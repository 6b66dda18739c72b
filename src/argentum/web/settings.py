"""Read the settings from a TOML file, the environment and options."""

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
T = TypeVar("T", "Limits", "Settings")


@dataclass(frozen=True)
class Settings:
    """How a server runs, except for its limits."""

    public_url: str = ""  # URL for players; requests for other hosts are refused. Empty: any host
    workers: int = 1  # processes, about one per core; more than one needs PostgreSQL
    seer_processes: int = 1  # processes that search one move of `seer` while no other bot is waiting
    inner_address: str = "127.0.0.1"  # where servers on other machines reach this one, optionally with a port
    trusted_proxies: str = "127.0.0.1"  # addresses and networks whose X-Forwarded-For is trusted, by commas
    tls_cert: str = ""
    tls_key: str = ""
    operator_token: str = ""  # for /metrics and `argentum admin`; empty: local requests only
    log_format: str = "text"  # text: warnings and errors; json: every event, one object per line
    log_addresses: bool = False  # log players' addresses


class BadSetting(ValueError):
    """An unknown setting or an invalid value."""


def read_settings(
    file: str | None = None, environment: Mapping[str, str] | None = None, overrides: Mapping[str, Any] | None = None
) -> tuple[Limits, Settings]:
    """Read limits and settings: defaults, then the TOML file, the environment and the overrides, the last one wins."""
    values: dict[str, Any] = {}
    if file:
        try:
            values = tomllib.loads(Path(file).read_text(encoding="utf-8"))
        except OSError as error:
            raise BadSetting(f"The settings in {file} cannot be read: {error.strerror}.") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadSetting(f"{file} is not a TOML file: {error}.") from None
    known = {field.name for kind in (Limits, Settings) for field in fields(kind)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise BadSetting(f"There is no setting {unknown[0]!r}; docs/hosting.md lists all.")
    for name, text in (os.environ if environment is None else environment).items():
        if name.startswith(ENVIRONMENT_PREFIX) and name.removeprefix(ENVIRONMENT_PREFIX).lower() in known:
            values[name.removeprefix(ENVIRONMENT_PREFIX).lower()] = text
    values.update(overrides or {})
    limits, settings = _applied(Limits(), values), _applied(Settings(), values)
    _check_public_url(settings)
    _check_certificate(settings)
    return limits, settings


def _check_public_url(settings: Settings) -> None:
    """Raise BadSetting for an invalid public URL, with which no host would be refused."""
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


def _applied(defaults: T, values: Mapping[str, Any]) -> T:
    names = [field.name for field in fields(defaults) if field.name in values]
    changed: dict[str, Any] = {name: _convert(name, getattr(defaults, name), values[name]) for name in names}
    return replace(defaults, **changed)


def _convert(name: str, default: object, value: object) -> object:
    """Convert a value to the type of the default."""
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
