"""Structured log events, and a formatter that writes them as lines of JSON."""

import json
import logging
from typing import Any

logger = logging.getLogger("argentum.events")


def log_event(event: str, **fields: Any) -> None:
    """Log an event with its fields. Only logs in JSON contain events."""
    logger.info(event, extra={"fields": fields})


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON; omits the field `address` unless `with_addresses` is true."""

    def __init__(self, with_addresses: bool) -> None:
        super().__init__()
        self.with_addresses = with_addresses

    def format(self, record: logging.LogRecord) -> str:
        payload: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if not self.with_addresses:
            payload.pop("address", None)
        if record.exc_info:
            payload["traceback"] = self.formatException(record.exc_info)
        return json.dumps(payload, ensure_ascii=True, default=str)


def use_json_logging(with_addresses: bool) -> None:
    """Write events, warnings and errors to stderr as lines of JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(with_addresses))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logger.setLevel(logging.INFO)
