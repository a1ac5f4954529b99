"""Boards: named spaces, sets of them as ints, and what lies next to what.

A hex board numbers its hexes so that the six neighbours of every hex lie at the same six shifts; the neighbours
of a whole set are then six shifts of one int. A graph board (tracks, boxes, areas) has the same interface.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from bulge.core.errors import UnknownSpace
from bulge.core.spaces import members


class Board(Protocol):
    """What rules may ask of any board."""

    all: int

    def at(self, name: str) -> int:
        """The space of that name."""

    def name(self, space: int) -> str:
        """The name of a space."""

    def around(self, spaces: int) -> int:
        """Every space next to one of these (which may include some of them)."""


class NamedSpaces:
    """The part that every board shares: names, and questions answered by `around` alone."""

    noun = "space"
    """What people call one of its spaces."""

    all: int
    _names: dict[int, str]
    _spaces: dict[str, int]

    def __init__(self) -> None:
        self._next_to: dict[int, int] = {}

    def at(self, name: str) -> int:
        try:
            return self._spaces[name]
        except KeyError:
            raise UnknownSpace(f"there is no space {name!r} on this board") from None

    def name(self, space: int) -> str:
        return self._names[space]

    def has(self, name: str) -> bool:
        return name in self._spaces

    def set_of(self, names: Iterable[str]) -> int:
        out = 0
        for name in names:
            out |= 1 << self.at(name)
        return out

    def names_of(self, spaces: int) -> list[str]:
        return [self._names[space] for space in members(spaces)]

    def side_named(self, name: str) -> int | None:
        """The number of a hexside, such as `2020/2119`; None where the board has no such side."""
        return None

    def side_name(self, side: int) -> str:
        """The name of a hexside."""
        raise UnknownSpace("this board has no hexsides")

    def around(self, spaces: int) -> int:
        raise NotImplementedError

    def next_to(self, space: int) -> int:
        """The spaces next to one space; kept, since rules ask for it all the time."""
        found = self._next_to.get(space)
        if found is None:
            found = self._next_to[space] = self.around(1 << space)
        return found

    def neighbours(self, space: int) -> list[int]:
        return members(self.next_to(space))

    def adjacent(self, one: int, other: int) -> bool:
        return bool(self.next_to(one) >> other & 1)

    def within(self, spaces: int, distance: int, through: int = -1) -> int:
        """Every space at most so far from one of these, these included, stepping only into `through`."""
        reached = front = spaces & self.all
        for _ in range(distance):
            front = self.around(front) & through & ~reached
            if not front:
                break
            reached |= front
        return reached

    def ring(self, spaces: int, distance: int) -> int:
        """Every space exactly so far from the nearest of these."""
        if distance == 0:
            return spaces & self.all
        return self.within(spaces, distance) & ~self.within(spaces, distance - 1)

    def connected(self, start: int, through: int) -> int:
        """Every space of `through` that can be walked to from `start` without leaving `through`."""
        reached = front = start & through
        while front:
            front = self.around(front) & through & ~reached
            reached |= front
        return reached

    def nearest(self, among: int, targets: int) -> int:
        """Those of `among` that lie nearest to `targets`; nothing if no target can be reached."""
        reached = front = targets & self.all
        while front:
            if best := front & among:
                return best
            front = self.around(front) & ~reached
            reached |= front
        return 0

    def distance(self, one: int, other: int) -> int:
        """Steps from one space to another; -1 if there is no way."""
        reached = front = 1 << one
        goal = 1 << other
        steps = 0
        while front:
            if front & goal:
                return steps
            front = self.around(front) & ~reached
            reached |= front
            steps += 1
        return -1


class GraphBoard(NamedSpaces):
    """Areas, tracks and boxes: named spaces and the links between them."""

    def __init__(self, names: Sequence[str], links: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        self._spaces = {name: space for space, name in enumerate(names)}
        if len(self._spaces) != len(names):
            raise UnknownSpace("two spaces of this board have one name")
        self._names = dict(enumerate(names))
        self.all = (1 << len(names)) - 1
        self.links: dict[int, int] = dict.fromkeys(self._names, 0)
        for one, other in links:
            self.links[self.at(one)] |= 1 << self.at(other)
            self.links[self.at(other)] |= 1 << self.at(one)

    def around(self, spaces: int) -> int:
        out = 0
        for space in members(spaces):
            out |= self.links[space]
        return out
