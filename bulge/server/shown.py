"""What is the same for several pages of one match: worked out and put into JSON once for every change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

import msgspec

from bulge.core.look import Scene
from bulge.core.position import Position
from bulge.server.play import Play

T = TypeVar("T")


class Shown:
    def __init__(self) -> None:
        self._play: Play | None = None
        self._rev = -1
        self._parts: dict[Hashable, msgspec.Raw] = {}
        self._position: Position | None = None
        self._scenes: dict[str | None, msgspec.Raw] = {}
        """By whose eyes see them. They follow from the position, which many a choice leaves as it is."""

    def at(self, play: Play, rev: int) -> Shown:
        """What was kept of an earlier state is forgotten."""
        if play is not self._play or rev != self._rev:
            if play is not self._play or play.match.position != self._position:
                self._position, self._scenes = play.match.position.copy(), {}
            self._play, self._rev, self._parts = play, rev, {}
        return self

    def scene(self, eyes: str | None, make: Callable[[], Scene]) -> Scene:
        return _kept(self._scenes, eyes, make)

    def part(self, key: Hashable, make: Callable[[], T]) -> T:
        """A part of a state, for the encoder alone: it is JSON already."""
        return _kept(self._parts, key, make)


def _kept(parts: dict[Any, msgspec.Raw], key: Hashable, make: Callable[[], T]) -> T:
    if key not in parts:
        parts[key] = msgspec.Raw(msgspec.json.encode(make()))
    return cast("T", parts[key])
