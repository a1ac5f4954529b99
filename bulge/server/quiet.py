"""Hours in which somebody wants to be told nothing."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from bulge.core.errors import BulgeError

Clock = Annotated[str, msgspec.Meta(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", max_length=5)]


class Quiet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From a time of day until another, perhaps of the next day, as clocks show it where somebody lives."""

    begin: Clock
    end: Clock
    zone: Annotated[str, msgspec.Meta(max_length=64)]

    def check(self) -> None:
        if self.begin == self.end:
            raise BulgeError("quiet hours that begin and end at the same time are none; leave them out instead")
        self._zone()

    def until(self, now: datetime) -> datetime | None:
        """When it is no longer quiet; None if it is not quiet now."""
        here = now.astimezone(self._zone())
        begin, end = time.fromisoformat(self.begin), time.fromisoformat(self.end)
        clock = here.time()
        is_quiet = begin <= clock < end if begin < end else clock >= begin or clock < end
        if not is_quiet:
            return None
        morning = here.date() + timedelta(days=1 if clock >= end else 0)
        return datetime.combine(morning, end, here.tzinfo).astimezone(now.tzinfo)

    def _zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise BulgeError(f"there is no time zone {self.zone!r}; one looks like Europe/Brussels") from None


def read_quiet(text: str) -> Quiet | None:
    return msgspec.json.decode(text, type=Quiet) if text else None
