"""What is the same for several pages of one match: worked out and put into JSON once for every change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import msgspec

from bulge.server.play import Play

T = TypeVar("T")


class Shown:
    def __init__(self) -> None:
        self._play: Play | None = None
        self._rev = -1
        self._parts: dict[Hashable, msgspec.Raw] = {}

    def at(self, play: Play, rev: int) -> Shown:
        """What was kept of an earlier state is forgotten."""
        if play is not self._play or rev != self._rev:
            self._play, self._rev, self._parts = play, rev, {}
        return self

    def part(self, key: Hashable, make: Callable[[], T]) -> T:
        """A part of a state, for the encoder alone: it is JSON already."""
        if key not in self._parts:
            self._parts[key] = msgspec.Raw(msgspec.json.encode(make()))
        return cast("T", self._parts[key])
