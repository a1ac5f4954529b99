"""Hex boards, in the two numberings that our games print on their maps.

Both number hexes by a line (the straight run of hexes: a row, or a column) and a place on that line. We turn
them into slanted co-ordinates in which every hex has its six neighbours at the same six offsets, and lay those
out as bits with a gap between lines, so that a shift never runs from one line into the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from bulge.core.board import NamedSpaces
from bulge.core.errors import UnknownSpace
from bulge.core.spaces import members, union

SLANTED_STEPS = ((-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0))
"""The six neighbours in slanted co-ordinates (line, place), clockwise; the opposite of d is (d + 3) % 6."""

LINE_SPACING = sqrt(3) / 2
"""Distance between two lines of hexes, where hexes are one wide across their flats."""


@dataclass(frozen=True)
class Numbering:
    """How four digits name a hex, and how those hexes lie on the ground."""

    name: str
    directions: tuple[str, ...]
    """The six hexsides, in the order of SLANTED_STEPS."""

    def slanted(self, line: int, place: int) -> tuple[int, int]:
        raise NotImplementedError

    def plane(self, line: int, place: int) -> tuple[float, float]:
        """The hex's centre, in hex widths east and north of the numbering's origin."""
        raise NotImplementedError

    def corners(self) -> list[tuple[float, float]]:
        """The six corners about a hex's centre; corner d and corner d + 1 bound hexside d."""
        raise NotImplementedError


class _RowsFromEast(Numbering):
    def slanted(self, line: int, place: int) -> tuple[int, int]:
        west_twice = 2 * place + (line % 2 == 0)
        return line, (west_twice + line - 1) // 2

    def plane(self, line: int, place: int) -> tuple[float, float]:
        return -(place + (0.5 if line % 2 == 0 else 0.0)), -line * LINE_SPACING

    def corners(self) -> list[tuple[float, float]]:
        r = 1 / sqrt(3)
        return [(0, r), (0.5, r / 2), (0.5, -r / 2), (0, -r), (-0.5, -r / 2), (-0.5, r / 2)]


class _ColumnsFromEast(Numbering):
    def slanted(self, line: int, place: int) -> tuple[int, int]:
        north_twice = 2 * place + line % 2
        return line, (north_twice + line) // 2

    def plane(self, line: int, place: int) -> tuple[float, float]:
        return -line * LINE_SPACING, place + (0.5 if line % 2 else 0.0)

    def corners(self) -> list[tuple[float, float]]:
        r = 1 / sqrt(3)
        return [(r, 0), (r / 2, -0.5), (-r / 2, -0.5), (-r, 0), (-r / 2, 0.5), (r / 2, 0.5)]


ROWS_FROM_EAST = _RowsFromEast("rows_from_east", ("NE", "E", "SE", "SW", "W", "NW"))
"""RRCC: rows from the north, columns from the east, pointy-top, even rows half a hex west."""

COLUMNS_FROM_EAST = _ColumnsFromEast("columns_from_east", ("SE", "S", "SW", "NW", "N", "NE"))
"""CCRR: columns from the east, rows from the south, flat-top, odd columns half a hex north."""

NUMBERINGS = {numbering.name: numbering for numbering in (ROWS_FROM_EAST, COLUMNS_FROM_EAST)}


@dataclass(frozen=True)
class Sheet:
    """One printed sheet of a map: a letter before its hex numbers, and how many lines west it begins."""

    prefix: str = ""
    shift: int = 0


@dataclass(frozen=True)
class Grid:
    """A numbering together with the sheets it runs over. It knows places beyond the board's outline too."""

    numbering: Numbering
    sheets: tuple[Sheet, ...] = (Sheet(),)

    def parse(self, name: str) -> tuple[int, int]:
        """A hex's line and place on the joined map. A name without a letter is on the first sheet."""
        for sheet in self.sheets:
            digits = name.removeprefix(sheet.prefix)
            if len(digits) == 4 and digits.isdecimal():
                return int(digits[:2]) + sheet.shift, int(digits[2:])
        raise UnknownSpace(f"{name!r} is not a hex number of this map")

    def slanted(self, name: str) -> tuple[int, int]:
        return self.numbering.slanted(*self.parse(name))

    def plane(self, name: str) -> tuple[float, float]:
        return self.numbering.plane(*self.parse(name))

    def distance(self, one: str, other: str) -> int:
        """Hexes from one to the other as the crow flies, also where one of them lies off the board."""
        return slanted_distance(self.slanted(one), self.slanted(other))


def slanted_distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    line, place = other[0] - one[0], other[1] - one[1]
    return max(abs(line), abs(place), abs(line - place))


def rectangle(lines: int, places: int, prefix: str = "") -> list[str]:
    """The names of a full sheet, for maps without an outline of their own."""
    return [f"{prefix}{line:02}{place:02}" for line in range(1, lines + 1) for place in range(1, places + 1)]


class HexBoard(NamedSpaces):
    """The hexes of a map, of any outline, and the boxes beside them.

    Sets of spaces are ints; the neighbours of a set of hexes are six shifts. A box (a holding box, a dead pile, a
    display) has no neighbours; no step and no hexside ever leads into one.
    """

    noun = "hex"

    def __init__(self, grid: Grid, names: Iterable[str], boxes: Iterable[str] = ()) -> None:
        super().__init__()
        self.grid = grid
        slanted = {name: grid.slanted(name) for name in names}
        first_line = min(line for line, _ in slanted.values())
        first_place = min(place for _, place in slanted.values())
        span = max(place for _, place in slanted.values()) - first_place + 1
        stride = span + 1
        self._spaces = {
            name: (line - first_line + 1) * stride + place - first_place + 1
            for name, (line, place) in slanted.items()
        }
        self._names = {space: name for name, space in self._spaces.items()}
        if len(self._names) != len(self._spaces):
            raise UnknownSpace("two names stand for one hex of this map")
        self._slanted = {self._spaces[name]: place for name, place in slanted.items()}
        self.hexes = union(self._names)
        self.shifts = tuple(line * stride + place for line, place in SLANTED_STEPS)
        self._stride = stride
        self.boxes = self._lay_out(boxes)
        self.all = self.hexes | self.boxes
        """The hexes and the boxes."""

    def _lay_out(self, boxes: Iterable[str]) -> int:
        """Give the boxes numbers above those of the hexes, so that no shift leads from a space into a box or out
        of one: then whatever shifts sets about need not know that there are boxes."""
        numbers: list[int] = []
        number = self.hexes.bit_length() + self._stride + 1
        for name in boxes:
            if name in self._spaces:
                raise UnknownSpace(f"two spaces of this board are called {name!r}")
            while any(number - earlier in self.shifts for earlier in numbers):
                number += 1
            self._spaces[name], self._names[number] = number, name
            numbers.append(number)
            number += 1
        return union(numbers)

    @property
    def directions(self) -> tuple[str, ...]:
        return self.grid.numbering.directions

    def around(self, spaces: int) -> int:
        s, w = spaces, self._stride
        return (s << 1 | s >> 1 | s << w | s >> w | s << w + 1 | s >> w + 1) & self.hexes

    def step(self, spaces: int, direction: int) -> int:
        """The set moved one hex in a direction; what would leave the board is dropped."""
        shift = self.shifts[direction]
        return (spaces << shift if shift > 0 else spaces >> -shift) & self.hexes

    def neighbour(self, hex_: int, direction: int) -> int:
        """The neighbour in a direction, or -1 beyond the map's edge."""
        other = hex_ + self.shifts[direction]
        return other if other >= 0 and self.hexes >> other & 1 else -1

    def direction(self, from_: int, to: int) -> int:
        """The direction of a neighbour."""
        try:
            return self.shifts.index(to - from_)
        except ValueError:
            raise UnknownSpace(f"{self.name(from_)} and {self.name(to)} are not adjacent") from None

    def distance(self, one: int, other: int) -> int:
        """Hexes as the crow flies, whatever the outline of the board; steps along links, if one is a box."""
        try:
            return slanted_distance(self._slanted[one], self._slanted[other])
        except KeyError:
            return super().distance(one, other)

    def plane(self, hex_: int) -> tuple[float, float]:
        """A hex's centre, in hex widths east and north."""
        return self.grid.plane(self._names[hex_])

    def line(self, one: int, other: int) -> list[int]:
        """The hexes on the straight line between two hexes, both included; off-board hexes are left out."""
        (line_a, place_a), (line_b, place_b) = self._slanted[one], self._slanted[other]
        steps = slanted_distance((line_a, place_a), (line_b, place_b))
        by_place = {place: hex_ for hex_, place in self._slanted.items()}
        path = []
        for i in range(steps + 1):
            share = i / steps if steps else 0.0
            # The nudge decides lines that run along hexsides, always to the same side.
            rounded = _round_slanted(
                line_a + (line_b - line_a) * share + 1e-6, place_a + (place_b - place_a) * share - 2e-6
            )
            if rounded in by_place:
                path.append(by_place[rounded])
        return path

    def side(self, name: str) -> tuple[int, int]:
        """The two hexes of a hexside written as `2020/2119`."""
        one, slash, other = name.partition("/")
        if not slash:
            raise UnknownSpace(f"{name!r} is not a hexside: write it as two hexes, 2020/2119")
        here, there = self.at(one), self.at(other)
        if there - here not in self.shifts:
            raise UnknownSpace(f"{one} and {other} are not adjacent, so {name!r} is no hexside")
        return here, there

    # A hexside as a number, to be chosen and kept in positions: one of its hexes, and which side of that.

    def side_number(self, one: int, other: int) -> int:
        """The hexside between two neighbours, whichever comes first."""
        direction = self.direction(one, other)
        return one * 3 + direction if direction < 3 else other * 3 + direction - 3

    def side_at(self, name: str) -> int:
        """The hexside of that name, `2020/2119` or `2119/2020`."""
        return self.side_number(*self.side(name))

    def side_named(self, name: str) -> int | None:
        try:
            return self.side_at(name)
        except UnknownSpace:
            return None

    def side_hexes(self, side: int) -> tuple[int, int]:
        """The two hexes of a hexside."""
        here, direction = divmod(side, 3)
        there = self.neighbour(here, direction)
        if here < 0 or there < 0 or not self.hexes >> here & 1:
            raise UnknownSpace(f"there is no hexside number {side} on this board")
        return here, there

    def side_name(self, side: int) -> str:
        """A hexside as maps and journals write it: its two hexes, the lower name first."""
        return "/".join(sorted(self.name(hex_) for hex_ in self.side_hexes(side)))

    def sides(self, names: Iterable[str] = ()) -> Sides:
        """The hexsides of these names, as masks."""
        return self.sides_between(map(self.side, names))

    def sides_between(self, pairs: Iterable[tuple[int, int]]) -> Sides:
        """The hexsides between these pairs of neighbours."""
        masks = [0] * 6
        for one, other in pairs:
            direction = self.direction(one, other)
            masks[direction] |= 1 << one
            masks[(direction + 3) % 6] |= 1 << other
        return Sides(self, masks)

    def sides_of(self, spaces: int) -> Sides:
        """All hexsides of these hexes, except those at the board's edge, which lead nowhere."""
        back = [(d + 3) % 6 for d in range(6)]
        return Sides(self, [spaces & self.step(self.hexes, d) | self.step(spaces, d) for d in back])

    def border(self, spaces: int) -> Sides:
        """The hexsides between these hexes and the rest of the board."""
        outside = self.hexes & ~spaces
        return Sides(
            self,
            [
                (spaces & self.step(outside, (d + 3) % 6)) | (outside & self.step(spaces, (d + 3) % 6))
                for d in range(6)
            ],
        )


class LinkedHexBoard(HexBoard):
    """A board on which some boxes lie next to hexes or to each other, as these links say."""

    def __init__(
        self, grid: Grid, names: Iterable[str], boxes: Iterable[str], links: Iterable[tuple[str, str]]
    ) -> None:
        super().__init__(grid, names, boxes)
        self._links: dict[int, int] = {}
        for one, other in links:
            for from_, to in ((self.at(one), self.at(other)), (self.at(other), self.at(one))):
                self._links[from_] = self._links.get(from_, 0) | 1 << to
        self._linked = union(self._links)

    def around(self, spaces: int) -> int:
        near = super().around(spaces)
        for space in members(spaces & self._linked):
            near |= self._links[space]
        return near


def _round_slanted(line: float, place: float) -> tuple[int, int]:
    """The hex in which a point lies. Slanted co-ordinates are cube co-ordinates (line, -place, place - line)."""
    x, y, z = line, -place, place - line
    rx, ry, rz = round(x), round(y), round(z)
    dx, dy, dz = abs(rx - x), abs(ry - y), abs(rz - z)
    if dx > dy and dx > dz:
        rx = -ry - rz
    elif dy > dz:
        ry = -rx - rz
    return rx, -ry


class Sides:
    """A set of hexsides: for each direction, the hexes whose side in that direction belongs to it."""

    __slots__ = ("_hash", "board", "masks")

    def __init__(self, board: HexBoard, masks: Sequence[int]) -> None:
        self.board = board
        self.masks = tuple(masks)
        self._hash = 0  # found once somebody asks: sides are often keys of what follows from them

    def between(self, one: int, other: int) -> bool:
        return bool(self.masks[self.board.direction(one, other)] & 1 << one)

    @property
    def hexes(self) -> int:
        """Every hex that has such a side."""
        out = 0
        for mask in self.masks:
            out |= mask
        return out

    def of(self, spaces: int) -> Sides:
        """Those of these sides that are sides of one of these hexes."""
        step = self.board.step
        masks = [mask & (spaces | step(spaces, (d + 3) % 6)) for d, mask in enumerate(self.masks)]
        return Sides(self.board, masks)

    @property
    def entered(self) -> tuple[int, ...]:
        """For each direction, the hexes that one enters across such a side when stepping in it."""
        return self.masks[3:] + self.masks[:3]

    def across(self, spaces: int) -> int:
        """The hexes that lie across such a side from one of these."""
        _, _, a, b, c, _ = self.board.shifts
        m0, m1, m2, m3, m4, m5 = self.masks
        up = (spaces & m2) << a | (spaces & m3) << b | (spaces & m4) << c
        down = (spaces & m5) >> a | (spaces & m0) >> b | (spaces & m1) >> c
        return (up | down) & self.board.hexes

    def past(self, spaces: int) -> int:
        """The hexes that lie next to one of these, but not across such a side from it."""
        _, _, a, b, c, _ = self.board.shifts
        m0, m1, m2, m3, m4, m5 = self.masks
        up = (spaces & ~m2) << a | (spaces & ~m3) << b | (spaces & ~m4) << c
        down = (spaces & ~m5) >> a | (spaces & ~m0) >> b | (spaces & ~m1) >> c
        return (up | down) & self.board.hexes

    def connected(self, start: int, through: int) -> int:
        """Every hex of `through` that these sides join to `start`, as a road joins its hexes."""
        front = start & through
        left = through ^ front
        _, _, a, b, c, _ = self.board.shifts
        m0, m1, m2, m3, m4, m5 = self.masks
        while front:
            up = (front & m2) << a | (front & m3) << b | (front & m4) << c
            down = (front & m5) >> a | (front & m0) >> b | (front & m1) >> c
            front = (up | down) & left
            left ^= front
        return through ^ left

    def names(self) -> list[str]:
        return sorted(self.board.side_name(side) for side in members(self.numbers))

    @property
    def numbers(self) -> int:
        """These sides by number, as a set."""
        out = 0
        for one, other in self:
            out |= 1 << self.board.side_number(one, other)
        return out

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Each side once, as its two hexes."""
        for direction in range(3):
            for hex_ in members(self.masks[direction]):
                other = self.board.neighbour(hex_, direction)
                if other >= 0:
                    yield hex_, other

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __or__(self, other: Sides) -> Sides:
        return Sides(self.board, [a | b for a, b in zip(self.masks, other.masks, strict=True)])

    def __and__(self, other: Sides) -> Sides:
        return Sides(self.board, [a & b for a, b in zip(self.masks, other.masks, strict=True)])

    def __sub__(self, other: Sides) -> Sides:
        return Sides(self.board, [a & ~b for a, b in zip(self.masks, other.masks, strict=True)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sides) and self.masks == other.masks

    def __hash__(self) -> int:
        if not self._hash:
            self._hash = hash(self.masks)
        return self._hash
