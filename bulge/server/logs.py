"""What the server says of itself: lines for people, or one JSON object a line for machines.

Never the query of an address, a header or a body: they hold secrets.
"""

from __future__ import annotations

import datetime
import json
import logging
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from bulge.core.errors import BulgeError

KINDS = ("text", "json")
MOST_ALIKE = 20
"""So many lines (or tracebacks) of one kind are written down in a while: whatever strangers find to send, it must
not fill the disk."""
A_WHILE = 60.0
MOST_KINDS = 1000
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


class Sparing(logging.Filter):
    """Lets through so many complaints of a kind, and says how many it has left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: OrderedDict[tuple[object, ...], _Told] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        told = self._told.setdefault(_kind(record), _Told(self._clock()))
        while len(self._told) > MOST_KINDS:
            self._told.popitem(last=False)
        if self._clock() - told.since > A_WHILE:
            if told.times > MOST_ALIKE:
                _add(record, f"{told.times - MOST_ALIKE} more before it were left out")
            told.since, told.times = self._clock(), 0
        told.times += 1
        if told.times == MOST_ALIKE:
            _add(record, f"more of the kind are left out for {A_WHILE:.0f} s")
        return told.times <= MOST_ALIKE


@dataclass
class _Told:
    since: float
    times: int = 0


def _kind(record: logging.LogRecord) -> tuple[object, ...]:
    """What two lines have in common that differ only in what somebody sent, or on which line."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return (record.name, str(record.msg).partition("\n")[0])
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return (record.name, type(error), *places[-1:])


def _add(record: logging.LogRecord, words: str) -> None:
    record.msg, record.args = f"{record.getMessage()} ({words})", ()


def set_up_logs(kind: str) -> None:
    """Everything that is logged goes to standard error, in this form."""
    if kind not in KINDS:
        raise BulgeError(f"logs are {' or '.join(KINDS)}, not {kind!r}")
    handler = logging.StreamHandler()
    handler.setFormatter(
        JsonLines() if kind == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    handler.addFilter(Sparing())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("bulge").setLevel(logging.INFO if kind == "json" else logging.WARNING)


def log_request(method: str, path: str, status: int, seconds: float) -> None:
    """A line for each answer, in the logs for machines alone."""
    facts = {"method": method, "path": path, "status": status, "ms": round(1000 * seconds, 1)}
    log.info("%s %s %s", method, path, status, extra={"facts": facts})
