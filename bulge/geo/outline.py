"""The edge of a board: its hexes in order, stretches of it, and the parts into which lines cut a board."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bulge.geo.lattice import Cell, Lattice, Side


def rim(lattice: Lattice, board: Collection[Cell]) -> list[Cell]:
    """The hexes of the board's edge, clockwise, beginning at the first line's first place."""
    start = min(board)
    direction = next(
        d
        for d in range(6)
        if lattice.neighbours(start)[d] not in board and lattice.neighbours(start)[d - 1] in board
    )
    cell, first = start, (start, direction)
    out = [start]
    while True:
        # Turn clockwise about the hex while the way is off the board; step on when it is not.
        direction = (direction + 1) % 6
        other = lattice.neighbours(cell)[direction]
        if other in board:
            cell, direction = other, (direction + 4) % 6
            while lattice.neighbours(cell)[direction] in board:
                direction = (direction + 5) % 6
            out.append(cell)
        if (cell, direction) == first:
            break
    if len(out) > 1 and out[-1] == out[0]:
        out.pop()
    return out


def stretch(edge: list[Cell], start: Cell, end: Cell) -> list[Cell]:
    """The edge from one hex clockwise to another, both included."""
    first = edge.index(start)
    turned = edge[first:] + edge[:first]
    return turned[: turned.index(end) + 1]


def flood(
    lattice: Lattice, start: Iterable[Cell], through: Collection[Cell], walls: Collection[Side]
) -> set[Cell]:
    """Every hex of `through` that can be walked to from `start` without crossing a wall."""
    reached = set(start)
    front = list(reached)
    while front:
        cell = front.pop()
        for other in lattice.neighbours(cell):
            if other in through and other not in reached and frozenset((cell, other)) not in walls:
                reached.add(other)
                front.append(other)
    return reached
