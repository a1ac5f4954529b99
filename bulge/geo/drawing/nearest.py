"""Which hex lies nearest to each of a million points."""

import math

import numpy as np
import numpy.typing as npt
import shapely

from bulge.geo.drawing.board import Board
from bulge.geo.drawing.curves import Array
from bulge.geo.drawing.palette import HEX

Whole = npt.NDArray[np.int_]
LINE = HEX * math.sqrt(3) / 2  # from one line of hexes (a row or a column) to the next
HALF = HEX / 2  # the lines are shifted against each other by so much


class Nearest:
    """Hex centres as a lattice of (line, half steps along it), both odd or both even; beside it a tree helps."""

    def __init__(self, board: Board) -> None:
        self.centres = np.array(list(board.centres.values()))
        self._by_rows = board.by_rows
        self._origin = self._turned(*self.centres[0])
        lines, steps = (np.rint(place).astype(int) for place in self._lattice(*self.centres.T))
        self._first = lines.min() - 1, steps.min() - 2
        self._index: Whole = np.full((lines.max() - lines.min() + 3, steps.max() - steps.min() + 5), -1)
        self._index[lines - self._first[0], steps - self._first[1]] = np.arange(len(self.centres))
        self._tree = shapely.STRtree(shapely.points(self.centres))

    def __call__(self, x: Array, y: Array) -> Whole:
        """The numbers of the hexes in the board's order."""
        across, along = self._lattice(x, y)
        above = np.floor(across).astype(int)
        found, best = above, np.full(x.shape, np.inf)
        for line in (above, above + 1):  # no other line has a hex as near
            odd = line & 1
            step = 2 * np.rint((along - odd) / 2).astype(int) + odd
            distance = ((line - across) * LINE) ** 2 + ((step - along) * HALF) ** 2
            found = np.where(distance < best, self._look_up(line, step), found)
            best = np.minimum(best, distance)
        off = found < 0
        found[off] = self._tree.nearest(shapely.points(x[off], y[off]))
        return found

    def _look_up(self, line: Whole, step: Whole) -> Whole:
        rows, columns = self._index.shape  # the outermost are empty
        i, j = np.clip(line - self._first[0], 0, rows - 1), np.clip(step - self._first[1], 0, columns - 1)
        found: Whole = self._index[i, j]
        return found

    def _turned(self, x: Array, y: Array) -> tuple[Array, Array]:
        return (y, x) if self._by_rows else (x, y)

    def _lattice(self, x: Array, y: Array) -> tuple[Array, Array]:
        across, along = self._turned(x, y)
        return (across - self._origin[0]) / LINE, (along - self._origin[1]) / HALF
