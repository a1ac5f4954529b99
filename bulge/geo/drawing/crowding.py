"""A raster of the sheet that knows how bad it is to write over a spot, or whether anything stands there."""

import numpy as np
import numpy.typing as npt
import shapely

from bulge.geo.drawing.curves import Array, resample
from bulge.geo.drawing.svg import Geometry, parts

CELL = 2.5


class Crowding:
    def __init__(self, width: float, height: float) -> None:
        self.cost = np.zeros((int(height / CELL) + 2, int(width / CELL) + 2), np.float32)
        self._sums: Array | None = None

    def copy(self) -> "Crowding":
        twin = Crowding(0, 0)
        twin.cost = self.cost.copy()
        return twin

    def _index(self, x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        rows, columns = self.cost.shape
        i = np.clip(np.asarray(y) / CELL, 0, rows - 1).astype(np.intp)
        j = np.clip(np.asarray(x) / CELL, 0, columns - 1).astype(np.intp)
        return i, j

    def at(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        return self.cost[self._index(x, y)].astype(np.float64)

    def add_points(self, x: npt.ArrayLike, y: npt.ArrayLike, cost: float = 1.0) -> None:
        spots = self._index(x, y)
        self.cost[spots] = np.maximum(self.cost[spots], cost)
        self._sums = None

    def add_line(self, line: Geometry, half_width: float, cost: float = 1.0) -> None:
        for piece in parts(line):
            if piece.geom_type != "LineString" or piece.length < 1:
                continue
            points = resample(piece, CELL)
            along = np.gradient(points, axis=0)
            normal = np.stack([-along[:, 1], along[:, 0]], 1) / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
            for offset in np.linspace(-half_width, half_width, max(2, int(2 * half_width / CELL) + 2)):
                beside = points + normal * offset
                self.add_points(beside[:, 0], beside[:, 1], cost)

    def add_box(self, x0: float, y0: float, x1: float, y1: float, cost: float = 1.0) -> None:
        (i0, i1), (j0, j1) = self._index([x0, x1], [y0, y1])
        block = self.cost[i0 : i1 + 1, j0 : j1 + 1]
        np.maximum(block, cost, out=block)
        self._sums = None

    def add_area(self, area: Geometry, cost: float = 1.0) -> None:
        """Every cell whose middle lies in a small area; piece by piece, so that little of the sheet is asked."""
        for piece in parts(area):
            x0, y0, x1, y1 = piece.bounds
            (i0, i1), (j0, j1) = self._index([x0, x1], [y0, y1])
            x, y = np.meshgrid((np.arange(j0, j1 + 1) + 0.5) * CELL, (np.arange(i0, i1 + 1) + 0.5) * CELL)
            inside = shapely.contains_xy(piece, x, y)
            self.add_points(x[inside], y[inside], cost)

    def in_boxes(self, boxes: Array) -> Array:
        """The cost of covering each of many boxes (x0, y0, x1, y1), by a table of sums."""
        if self._sums is None:
            self._sums = np.pad(self.cost.astype(np.float64).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        i0, j0 = self._index(boxes[:, 0], boxes[:, 1])
        i1, j1 = self._index(boxes[:, 2], boxes[:, 3])
        s = self._sums
        total: Array = s[i1 + 1, j1 + 1] - s[i0, j1 + 1] - s[i1 + 1, j0] + s[i0, j0]
        return total * CELL**2


class ClearGround:
    """Answers whether points are clear of everything in a crowding."""

    def __init__(self, busy: Crowding) -> None:
        self.busy = busy

    def __call__(self, x: Array, y: Array) -> npt.NDArray[np.bool_]:
        clear: npt.NDArray[np.bool_] = self.busy.at(x, y) == 0
        return clear
