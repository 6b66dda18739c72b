"""What happens at a server, for its operator: an event is one line of JSON, with addresses only if that is wanted."""

import json
import logging
from typing import Any

logger = logging.getLogger("argentum.events")


def log_event(event: str, **more: Any) -> None:
    """Note an event, with what is to be known about it."""
    logger.info(event, extra={"more": more})


class JsonFormatter(logging.Formatter):
    """Writes a record as one JSON object."""

    def __init__(self, addresses: bool) -> None:
        super().__init__()
        self.addresses = addresses

    def format(self, record: logging.LogRecord) -> str:
        form: dict[str, Any] = {
            "time": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "more", {}),
        }
        if not self.addresses:
            form.pop("address", None)
        if record.exc_info:
            form["traceback"] = self.formatException(record.exc_info)
        return json.dumps(form, ensure_ascii=True, default=str)


def use_json_logging(addresses: bool) -> None:
    """Write all events, warnings and errors to the error stream, a line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(addresses))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logger.setLevel(logging.INFO)
