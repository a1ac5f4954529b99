"""What the server says of itself: lines for people, or one JSON object a line for machines.

Never the query of an address, a header or a body: they hold secrets.
"""

from __future__ import annotations

import datetime
import json
import logging

from bulge.core.errors import BulgeError

KINDS = ("text", "json")
NONSENSE = "Invalid UTF-8"
"""So begins what uvicorn says of a frame that cannot be read."""
log = logging.getLogger("bulge.server.requests")


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        line: dict[str, object] = {
            "time": when.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logs(kind: str) -> None:
    """Everything that is logged goes to standard error, in this form."""
    if kind not in KINDS:
        raise BulgeError(f"logs are {' or '.join(KINDS)}, not {kind!r}")
    handler = logging.StreamHandler()
    handler.setFormatter(
        JsonLines() if kind == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("uvicorn.error").addFilter(_is_a_fault)
    logging.getLogger("bulge").setLevel(logging.INFO if kind == "json" else logging.WARNING)


def _is_a_fault(record: logging.LogRecord) -> bool:
    """What somebody sends that is no UTF-8 is none: with some lines for each frame they could fill the log."""
    return not record.msg.startswith(NONSENSE)


def log_request(method: str, path: str, status: int, seconds: float) -> None:
    """A line for each answer, in the logs for machines alone."""
    facts = {"method": method, "path": path, "status": status, "ms": round(1000 * seconds, 1)}
    log.info("%s %s %s", method, path, status, extra={"facts": facts})
