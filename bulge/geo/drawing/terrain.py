"""The ground: terrain areas whose edges wander off the hexsides, trees, and hachures for broken country.

Every point of a mesh asks which hex it would be in after a small shift by noise (none at a hex's centre, so
no hex changes its terrain); the answers are blurred and contoured.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry import Polygon

from bulge.geo.drawing import palette as ink
from bulge.geo.drawing.board import Board
from bulge.geo.drawing.curves import Array, lengths_along, points_along
from bulge.geo.drawing.nearest import Nearest
from bulge.geo.drawing.noise import Mesh, chance, noise
from bulge.geo.drawing.svg import Geometry, Point, at, dots, group, hard, num, path, soft, strokes

Whole = npt.NDArray[np.int_]
Clear = Callable[[Array, Array], npt.NDArray[np.bool_]]  # whether points are clear of names, roads and water
MOST_HEXES_AT_FULL_DENSITY = 800  # bigger maps get fewer, larger trees: a page has to load on a phone


class Ground:
    """Terrain as fields (one number a mesh point) for each thing that is drawn of it."""

    def __init__(self, mesh: Mesh, wood: Whole, relief: Whole, coarseness: float = 1.0) -> None:
        self.mesh, self.coarseness = mesh, coarseness
        self.size = (mesh.xs[-1], mesh.ys[-1])
        self.rough = mesh.blur((relief == 1) & (wood == 0), 5)
        self.light = mesh.blur(wood >= 1, 4.5) + 0.06
        self.heavy = mesh.blur(wood == 2, 4.5) - 0.02
        self.steep = mesh.blur((wood == 1) & (relief == 1), 4.5)
        self.rock = mesh.blur(relief == 2, 4.5)

    def draw(self, sheet: Geometry, is_clear: Clear) -> str:
        mesh = self.mesh
        rough, light, heavy, steep, rock = (
            shapely.intersection(mesh.areas(field, 0.5), sheet)
            for field in (self.rough, self.light, self.heavy, self.steep, self.rock)
        )
        mottle = shapely.intersection(mesh.areas(noise(mesh.x, mesh.y, 125, 11), 0.4, 2500), sheet)
        edge = {"stroke_width": 1.2, "stroke_linejoin": "round"}
        return "\n".join(
            (
                path(hard(sheet), ink.CLEAR),
                path(soft(mottle, 6), ink.MOTTLE, fill_opacity=0.25),
                path(soft(rough), ink.ROUGH, fill_opacity=0.8),
                path(soft(light), ink.LIGHT_WOODS, stroke=ink.LIGHT_WOODS_EDGE, **edge),
                path(soft(steep), ink.STEEP_WOODS, stroke=ink.STEEP_WOODS_EDGE, **edge),
                path(soft(heavy), ink.HEAVY_WOODS, stroke=ink.HEAVY_WOODS_EDGE, **edge),
                path(soft(rock), ink.ROCK, stroke=ink.ROCK_EDGE, **edge),
                self._hachures(is_clear),
                self._crags(is_clear),
                self._trees(is_clear),
            )
        )

    def _hachures(self, is_clear: Clear) -> str:
        # where most of the country is rough, a closer weave would drown everything else
        share = float((self.rough > 0.5).mean())
        grain = self.coarseness * (1 + min(0.7, 2.5 * max(0.0, share - 0.12)))
        plain = self._inside(self.rough, 0.62, is_clear)
        wooded = self._inside(self.steep, 0.62, is_clear)

        def bare(x: Array, y: Array) -> npt.NDArray[np.bool_]:
            return plain(x, y) & (self.mesh.at(self.light, x, y) < 0.5)

        steep_grain = 1.35 * self.coarseness
        return hachures(self.mesh, bare, ink.HACHURE, grain) + hachures(
            self.mesh, wooded, ink.STEEP_HACHURE, steep_grain
        )

    def _crags(self, is_clear: Clear) -> str:
        inside = self._inside(self.rock, 0.6, is_clear)
        return crags(scatter((0, 0, *self.size), 13, 3.6, 71, inside))

    def _trees(self, is_clear: Clear) -> str:
        sheet = (0.0, 0.0, *self.size)
        heavy, light, steep = self.heavy, self.light, self.steep
        forest = self._inside(heavy, 0.62, is_clear)
        steep_grove = self._inside(steep, 0.62, is_clear)
        open_wood = self._inside(light, 0.72, is_clear)

        def grove(x: Array, y: Array) -> npt.NDArray[np.bool_]:
            return (
                open_wood(x, y)
                & (self.mesh.at(heavy, x, y) < 0.36)
                & (self.mesh.at(steep, x, y) < 0.4)
                & clump(x, y)
            )

        coarse = self.coarseness
        return "".join(
            crowns(name, scatter(sheet, kind.spacing * coarse, kind.jitter * coarse, seed, inside), kind, coarse)
            for name, kind, seed, inside in (
                ("grove", ink.GROVE, 21, grove),
                ("steep", ink.STEEP_GROVE, 31, steep_grove),
                ("forest", ink.FOREST, 41, forest),
            )
        )

    def _inside(self, field: Array, level: float, is_clear: Clear) -> Clear:
        return lambda x, y: (self.mesh.at(field, x, y) > level) & is_clear(x, y)


def wander(x: Array, y: Array, seed: int) -> Array:
    """How far a point strays along one axis when it asks what terrain it has."""
    return 8 * noise(x, y, 150, seed) + 9 * noise(x, y, 72, seed + 1) + 4 * noise(x, y, 32, seed + 2)


def ground_of_hexes(board: Board) -> Ground:
    """The ground of a hex map: every mesh point takes the terrain of the hex it strays into."""
    mesh = Mesh(board.width, board.height, 5.0)
    x, y = mesh.x, mesh.y
    nearest = Nearest(board)
    home = nearest.centres[nearest(x, y)]
    free = np.clip((np.hypot(x - home[..., 0], y - home[..., 1]) - 14) / 22, 0, 1)
    hexes = nearest(x + free * wander(x, y, 1), y + free * wander(x, y, 5))
    classes = [ink.TERRAIN[features["terrain"]] for features in board.hexes.values()]
    wood, relief = (np.array([getattr(c, key) for c in classes])[hexes] for key in ("wood", "relief"))
    coarseness = max(1.0, (len(board.hexes) / MOST_HEXES_AT_FULL_DENSITY) ** 0.25)
    return Ground(mesh, wood, relief, coarseness)


def scatter(
    area: tuple[float, float, float, float], spacing: float, jitter: float, seed: int, keep: Clear
) -> Array:
    """A jittered lattice of points, of which those are kept that the caller wants; row by row from the north."""
    x0, y0, x1, y1 = area
    y, x = np.mgrid[y0 : y1 : spacing * 0.87, x0:x1:spacing]
    x = x + (np.arange(x.shape[0]) % 2)[:, None] * spacing / 2
    moved_x = (x + jitter * (2 * chance(x, y, seed) - 1)).ravel()
    moved_y = (y + jitter * (2 * chance(x, y, seed + 1) - 1)).ravel()
    kept = keep(moved_x, moved_y)
    return np.stack([moved_x[kept], moved_y[kept]], 1)


def clump(x: Array, y: Array) -> npt.NDArray[np.bool_]:
    """Thin the trees by noise, so that light woods come as groves and glades and not as wallpaper."""
    density = noise(x, y, 34, 61) + 0.5 * noise(x, y, 80, 62)
    luck = chance(x, y, 63) + chance(x, y, 64) + chance(x, y, 65) - 1.5  # bell-shaped, spread 0.5
    thick: npt.NDArray[np.bool_] = density > luck - 0.2
    return thick


def crowns(name: str, points: Array, kind: ink.Crowns, scale: float = 1.0) -> str:
    """Round crowns as zero-length round-capped strokes: one path a size, drawn again for shade and light."""
    if not len(points):
        return ""
    sizes = kind.diameters
    # the sizes are dealt out by chance, not in turn: in turn they would line up into stripes
    deal = (chance(points[:, 0], points[:, 1], 66) * len(sizes)).astype(int)
    shapes = "".join(
        f'<path id="{name}{i}" d="{dots(points[deal == i])}" stroke-width="{size * scale:.1f}"/>'
        for i, size in enumerate(sizes)
    )
    uses = "".join(f'<use href="#{name}{i}"/>' for i in range(len(sizes)))

    def layer(dx: float, dy: float, colour: str, opacity: float) -> str:
        # the opacity is the strokes' and not the group's, which would take a picture of the whole sheet to blend
        return group(uses, transform=f"translate({dx} {dy})", stroke=colour, stroke_opacity=opacity,
                     stroke_linecap="round", fill="none")  # fmt: skip

    out = f"<defs>{shapes}</defs>" + layer(0.7, 1.1, kind.shade, 0.85) + layer(0, 0, kind.body, 1.0)
    return out + (layer(-0.7, -0.9, kind.light, 0.4) if kind.light else "")


def relief(x: Array, y: Array, grain: float) -> Array:
    """The hills and gullies that hachures show: made up, since no game's rules know more than "rough"."""
    return 0.85 * noise(x, y, 60 * grain, 81) + 0.45 * noise(x, y, 29 * grain, 85)


def hachures(mesh: Mesh, inside: Clear, colour: str, grain: float = 1.0) -> str:
    """Short downhill strokes along the contours of a made-up relief: broken, gullied ground."""
    heights = relief(mesh.x, mesh.y, grain)
    rings = [ring for level in (-0.9, -0.2, 0.5, 1.2) for ring in mesh.contours(heights, level)]
    points = np.vstack([points_along(ring, np.arange(0, lengths_along(ring)[-1], 4.4 * grain)) for ring in rings])
    x, y = points[inside(points[:, 0], points[:, 1])].T
    slope_x = relief(x - 2, y, grain) - relief(x + 2, y, grain)
    slope_y = relief(x, y - 2, grain) - relief(x, y + 2, grain)
    length = (4 + 4.5 * chance(x, y, 82)) * grain**0.5 / np.maximum(np.hypot(slope_x, slope_y), 1e-6)
    dx = slope_x * length + 1.6 * chance(x, y, 83) - 0.8
    dy = slope_y * length + 1.6 * chance(x, y, 84) - 0.8
    data = strokes(zip(x.tolist(), y.tolist(), dx.tolist(), dy.tolist(), strict=True))
    return path(data, stroke=colour, stroke_width=0.95, stroke_linecap="round")


def crags(points: Array) -> str:
    """Little peaks, for ground that nobody crosses."""
    heights = 5 + 3 * chance(points[:, 0], points[:, 1], 72)
    return path(
        "".join(
            f"M{num(x - 5)} {num(y + 3)}l4.4 {num(-h)}l2 3.4l1.6 -2l2.6 {num(h - 2)}"
            for (x, y), h in zip(points, heights, strict=True)
        ),
        stroke=ink.ROCK_EDGE,
        stroke_width=1.1,
        stroke_linejoin="round",
    )


def swatch(kind: str, centre: Point, radius: float, ident: str) -> str:
    """A small hex dressed exactly like the terrain on the map."""
    terrain = ink.TERRAIN[kind]
    local: Point = (
        300.0,
        300.0,
    )  # the hex is cut from the noise here, then moved, so that all legends look alike
    angles = np.arange(6) * np.pi / 3
    shape = Polygon(np.stack([local[0] + radius * np.sin(angles), local[1] - radius * np.cos(angles)], 1))
    inner = shape.buffer(-3)
    shapely.prepare(inner)

    def inside(x: Array, y: Array) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = shapely.contains_xy(inner, x, y)
        return found

    tone = {(0, 0): ink.CLEAR, (0, 1): ink.ROUGH, (1, 0): ink.LIGHT_WOODS, (1, 1): ink.STEEP_WOODS,
            (2, 0): ink.HEAVY_WOODS, (0, 2): ink.ROCK}[terrain.wood, terrain.relief]  # fmt: skip
    trees = {(1, 0): ink.GROVE, (1, 1): ink.STEEP_GROVE, (2, 0): ink.FOREST}.get((terrain.wood, terrain.relief))
    dress = ""
    if terrain.relief == 1:
        dress += hachures(Mesh(360, 360, 5.0), inside, ink.STEEP_HACHURE if terrain.wood else ink.HACHURE)
    if terrain.relief == 2:
        dress += crags(scatter(shape.bounds, 13, 3.6, 71, inside))
    if trees:
        dress += crowns(ident, scatter(shape.bounds, trees.spacing, trees.jitter, 21, inside), trees)
    outline = path(hard(shape), stroke=ink.GRID, stroke_width=0.9)
    move = f"translate({at((centre[0] - local[0], centre[1] - local[1]))})"
    return group(path(hard(shape), tone) + dress + outline, transform=move)
