"""The endless hex lattice under a map: cells by line and place, their corners, and what lies across a hexside.

A map's outline cuts a board out of it. Rivers and roads are traced on the lattice with a margin round the board,
so that they cross the edge where they really do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import dist

from bulge.core.hexes import COLUMNS_FROM_EAST, LINE_SPACING, SLANTED_STEPS, Numbering

Cell = tuple[int, int]
"""A hex by line and place, on the joined map; it may lie beyond the outline."""

Point = tuple[float, float]
"""A place on the map plane, in hex widths east and north."""

Vertex = tuple[int, int]
"""A corner where three hexes meet, as a key."""

Side = frozenset[Cell]
"""The hexside between two cells."""


def _key(point: Point) -> Vertex:
    return round(point[0] * 1000), round(point[1] * 1000)


@dataclass(frozen=True)
class Lattice:
    """Geometry of one numbering, on and off the board."""

    numbering: Numbering

    def centre(self, cell: Cell) -> Point:
        return self.numbering.plane(*cell)

    def at(self, point: Point) -> Cell:
        """The cell in which a point lies."""
        u, v = point
        by_columns = self.numbering == COLUMNS_FROM_EAST
        line = round(-(u if by_columns else v) / LINE_SPACING)
        place = round(v if by_columns else -u)
        near = [(line + i, place + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        return min(near, key=lambda cell: (round(dist(self.centre(cell), point), 9), cell))

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The six neighbours, in the order of the numbering's directions."""
        line, place = self.numbering.slanted(*cell)
        return [self._cell(line + step, place + turn) for step, turn in SLANTED_STEPS]

    def _cell(self, line: int, slanted: int) -> Cell:
        if self.numbering == COLUMNS_FROM_EAST:
            return line, slanted - (line + 1) // 2
        return line, slanted - line // 2

    def corners(self, cell: Cell) -> list[Point]:
        u, v = self.centre(cell)
        return [(u + x, v + y) for x, y in self.numbering.corners()]

    def depth(self, point: Point, cell: Cell) -> float:
        """How deep inside a cell a point lies: its distance from the nearest hexside, negative outside."""
        u, v = self.centre(cell)
        deepest = 1.0
        for other in self.neighbours(cell):
            x, y = self.centre(other)
            deepest = min(deepest, 0.5 - ((point[0] - u) * (x - u) + (point[1] - v) * (y - v)))
        return deepest

    def middle(self, one: Cell, other: Cell) -> Point:
        """The middle of the line between two cells: for neighbours, the middle of their hexside."""
        (a, b), (c, d) = self.centre(one), self.centre(other)
        return (a + c) / 2, (b + d) / 2


@dataclass(frozen=True)
class Window:
    """The part of a lattice in which a map is drawn: the board and some hexes round it."""

    lattice: Lattice
    board: frozenset[Cell]
    cells: frozenset[Cell] = field(default_factory=frozenset)

    @classmethod
    def about(cls, lattice: Lattice, board: Iterable[Cell], margin: int = 3) -> Window:
        """A rectangle that holds the whole board, whatever its outline, and `margin` hexes beyond."""
        inside = frozenset(board)
        lines = [line for line, _ in inside]
        places = [place for _, place in inside]
        cells = frozenset(
            (line, place)
            for line in range(min(lines) - margin, max(lines) + margin + 1)
            for place in range(min(places) - margin, max(places) + margin + 1)
        )
        return cls(lattice, inside, cells)

    @cached_property
    def vertices(self) -> dict[Vertex, Point]:
        return {_key(point): point for cell in self.cells for point in self.lattice.corners(cell)}

    @cached_property
    def sides(self) -> dict[frozenset[Vertex], tuple[Cell, Cell]]:
        """Every hexside inside the window, by its two ends."""
        found: dict[frozenset[Vertex], tuple[Cell, Cell]] = {}
        for cell in sorted(self.cells):
            corners = [_key(point) for point in self.lattice.corners(cell)]
            for direction, other in enumerate(self.lattice.neighbours(cell)):
                if other in self.cells and cell < other:
                    ends = frozenset((corners[direction], corners[(direction + 1) % 6]))
                    found[ends] = (cell, other)
        return found

    @cached_property
    def ends(self) -> dict[Side, tuple[Vertex, Vertex]]:
        """The two ends of every hexside."""
        return {frozenset(cells): (min(ends), max(ends)) for ends, cells in self.sides.items()}

    @cached_property
    def ways(self) -> dict[Vertex, list[Vertex]]:
        """From each corner, the corners at the other end of a hexside."""
        out: dict[Vertex, list[Vertex]] = {}
        for ends in self.sides:
            one, other = sorted(ends)
            out.setdefault(one, []).append(other)
            out.setdefault(other, []).append(one)
        return {vertex: sorted(others) for vertex, others in out.items()}

    def banks(self, start: Vertex, end: Vertex) -> tuple[Cell, Cell]:
        """The cells left and right of a hexside, walking it from start to end."""
        one, other = self.sides[frozenset((start, end))]
        (x1, y1), (x2, y2) = self.vertices[start], self.vertices[end]
        u, v = self.lattice.centre(one)
        left = (x2 - x1) * (v - y1) - (y2 - y1) * (u - x1) > 0
        return (one, other) if left else (other, one)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north."""
        us = [point[0] for point in self.vertices.values()]
        vs = [point[1] for point in self.vertices.values()]
        return min(us), min(vs), max(us), max(vs)

    def holds(self, point: Point) -> bool:
        return self.lattice.at(point) in self.cells
