"""The map of Ardennes '44 as sets: terrain, hexsides, and what single steps cost (rules 3, 11 and 28)."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from bulge.core.data import DataTable
from bulge.core.errors import BadData
from bulge.core.hexes import Sides
from bulge.core.mapfile import HexMap
from bulge.core.movement import StepCosts
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.ardennes_44.rows import TerrainRow

POINT = 2
"""Movement is counted in half points: a primary road costs one half (12.1)."""

PRIMARY, SECONDARY, FOREST_ROAD = POINT // 2, POINT, 2 * POINT

TOO_DEAR = 1 << 30
"""What a step costs that no points buy."""

Step: TypeAlias = tuple[int, int, bool, bool]
"""A hex, what it costs to go there, whether terrain lets one pass at all, and whether a bond may close it."""


class Ground:
    """What never changes on the map. Sets of hexes are ints; bridges are numbered; sets of them are ints too."""

    @rule("3.1", "3.2", "3.3", "3.4")
    def __init__(self, game_map: HexMap, terrain: DataTable[TerrainRow]) -> None:
        self.map, self.board, self.terrain = game_map, game_map.board, terrain
        self.forest = game_map.hexes("terrain", "forest")
        self.wooded_rough = game_map.hexes("terrain", "wooded_rough")
        self.thick = self.forest | self.wooded_rough
        self.west_wall = game_map.hexes("west_wall")
        self.road_only = self.forest | self.west_wall
        """Hexes that vehicles enter and leave by road alone (11.5)."""
        kinds = {kind: game_map.hexes("kind", kind) for kind in ("city", "town", "village")}
        self.city, self.town, self.village = kinds["city"], kinds["town"], kinds["village"]
        self.settled = self.city | self.town
        self.built_up = self.settled | self.village
        self.terrain_hexes = {
            kind: game_map.hexes("terrain", kind) & ~self.city
            for kind in ("clear", "light_woods", "forest", "wooded_rough")
        } | {"city": self.city}
        """The hexes by what it costs to enter them."""
        for row in (terrain[kind] for kind in self.terrain_hexes):
            if min(row.mud, row.frozen, row.foot) < 1:
                raise BadData(
                    f"terrain.csv of ardennes_44: entering {row.id} must cost at least 1 in every column"
                )
        self.rivers = game_map.sides("river")
        self.meuse = game_map.sides("river", "Meuse")
        self.roads = game_map.sides("road")
        self.road_hexes = self.roads.hexes
        self.primary = game_map.sides("road", "primary")
        self.bridges = list(game_map.sides("bridge"))
        """Every bridge by its two hexes; a bridge's number is its place here."""
        self.bridge_number = {self.board.side_number(*ends): number for number, ends in enumerate(self.bridges)}
        """The bridge on each hexside that has one."""
        self.bridge_sides = self.board.sides_between(self.bridges)
        self.rough_sides = self.board.sides_of(self.wooded_rough)
        self.barriers = self.rivers | self.rough_sides
        """Hexsides of which a bond may not cross two (10.5.1)."""
        self.primary_hexes = self.primary.hexes
        self.forest_road_hexes = self.thick & self.roads.hexes & ~self.primary_hexes
        self.thick_sides = self.board.sides_of(self.thick)
        self._around: dict[int, list[tuple[int, int]]] = {}
        self._bridges_at: dict[int, int] = {}
        for number, ends in enumerate(self.bridges):
            for hex_ in ends:
                self._bridges_at[hex_] = self._bridges_at.get(hex_, 0) | 1 << number
        self._plain: dict[tuple[str, bool], dict[int, list[Step]]] = {}

    def around(self, hex_: int) -> list[tuple[int, int]]:
        """The neighbours of a hex, each with its direction."""
        found = self._around.get(hex_)
        if found is None:
            steps = sorted((hex_ + shift, direction) for direction, shift in enumerate(self.board.shifts))
            found = self._around[hex_] = [step for step in steps if self.board.hexes & 1 << step[0]]
        return found

    # ------------------------------------------------------------------ bridges

    def bridge_between(self, one: int, other: int) -> int:
        """The number of the bridge between two hexes; -1 where there is none."""
        return self.bridge_number.get(self.board.side_number(one, other), -1)

    def bridges_at(self, hexes: int) -> int:
        """The bridges with an end in one of these hexes."""
        found = 0
        for hex_ in members(hexes & self.bridge_sides.hexes):
            found |= self._bridges_at[hex_]
        return found

    def bridge_ends(self, bridges: int) -> int:
        """The hexes at the ends of these bridges."""
        return _bridge_sides(self, bridges).hexes

    def bridges_standing(self, blown: int) -> Sides:
        """The hexsides of all bridges but the blown ones."""
        return self.bridge_sides - _bridge_sides(self, blown)

    def side_of(self, bridge: int) -> int:
        """The hexside of a bridge."""
        return self.board.side_number(*self.bridges[bridge])

    def bridge_name(self, bridge: int) -> str:
        return self.board.side_name(self.side_of(bridge))

    # ------------------------------------------------------------------ hexsides that hold up (11.4 to 11.6)

    def open_roads(self, blown: int) -> Sides:
        """The roads without those over blown bridges."""
        return _open_roads(self, blown)

    def on_open_road(self, hex_: int, blown: int) -> bool:
        """Whether a road leads out of a hex, over no blown bridge."""
        if not self.road_hexes & 1 << hex_:
            return False
        blown &= self._bridges_at.get(hex_, 0)
        return not blown or bool(_open_roads(self, blown).hexes >> hex_ & 1)

    def hard(self, blown: int) -> Sides:
        """Unbridged rivers, and sides of wooded rough without a road: nobody pays his way across."""
        return _hard(self, blown)

    def vehicles_cross(self, blown: int) -> Sides:
        """The hexsides that a vehicle may cross."""
        return _vehicles_cross(self, blown)

    def closed_to_vehicles(self, blown: int) -> Sides:
        """The others."""
        return _closed_to_vehicles(self, blown)

    # ------------------------------------------------------------------ costs

    def steps(self, way: str, frozen: bool, blown: int) -> StepCosts:
        """What single steps cost in half points, by how a unit moves."""
        return _steps(self, way, frozen, blown)

    def road_steps(self, blown: int) -> StepCosts:
        """What steps cost along roads, at the mechanized rate: strategic movement (12.1, 12.4.4)."""
        return _road_steps(self, blown)

    @rule("28.1")
    def plain_steps(self, way: str, frozen: bool) -> dict[int, list[Step]]:
        """The steps out of every hex, with all bridges standing; frost changes nothing for who goes on foot, nor
        for columns."""
        kind = way, frozen and way in ("mech", "vehicle")
        found = self._plain.get(kind)
        if found is None:
            found = self._plain[kind] = self._with_all_bridges(*kind)
        return found

    @rule("7.2", "11.6")
    def ways_out(self, way: str, frozen: bool, blown: int, hex_: int) -> list[Step]:
        """The steps out of a hex, by how a unit moves or for a column; a blown bridge leaves the river."""
        found = self.plain_steps(way, frozen)[hex_]
        if blown := blown & self._bridges_at.get(hex_, 0):
            cut_off = {end for bridge in members(blown) for end in self.bridges[bridge]}
            return [(step[0], TOO_DEAR, False, False) if step[0] in cut_off else step for step in found]
        return found

    @rule("11.3", "11.5", "11.6")
    def _with_all_bridges(self, way: str, frozen: bool) -> dict[int, list[Step]]:
        """All hexes at once: what lies together is found together, and each is asked for many times."""
        table = self.road_steps(0) if way == "column" else self.steps(way, frozen, 0)
        shut = self.closed_to_vehicles(0) if way == "vehicle" else self.hard(0)
        hexes = members(self.board.hexes)
        directions = [
            (
                shift,
                {to: cost for cost, into in table.entered(direction) for to in members(into)},
                set(members(shut.masks[direction])),
            )
            for shift, direction in sorted((shift, direction) for direction, shift in enumerate(self.board.shifts))
        ]
        on_board = set(hexes)
        return {
            hex_: [
                (to, costs.get(to, TOO_DEAR), hex_ not in hard, False)
                for shift, costs, hard in directions
                if (to := hex_ + shift) in on_board
            ]
            for hex_ in hexes
        }

    def hex_bonus(self, hex_: int) -> int:
        """The defensive bonus of the terrain of a hex, West Wall and Improved Positions aside (15.1)."""
        bit, terrain = 1 << hex_, self.terrain
        if self.city & bit:
            return terrain["city"].bonus
        if self.town & bit:
            return terrain["town"].bonus
        if self.village & bit:
            return terrain["village"].bonus
        for kind, hexes in (("forest", self.forest), ("wooded_rough", self.wooded_rough)):
            if hexes & bit:
                return terrain[kind].bonus
        return 0


@lru_cache(maxsize=256)
def _bridge_sides(ground: Ground, bridges: int) -> Sides:
    return ground.board.sides_between(ground.bridges[bridge] for bridge in members(bridges))


@lru_cache(maxsize=256)
@rule("7.2", "11.7")
def _open_roads(ground: Ground, blown: int) -> Sides:
    return ground.roads - _bridge_sides(ground, blown)


@lru_cache(maxsize=256)
@rule("7.2", "11.4.1", "11.4.2", "11.6")
def _hard(ground: Ground, blown: int) -> Sides:
    return (ground.rivers - ground.bridges_standing(blown)) | (ground.rough_sides - _open_roads(ground, blown))


@lru_cache(maxsize=256)
@rule("11.5")
def _vehicles_cross(ground: Ground, blown: int) -> Sides:
    return ground.board.sides_of(ground.board.all) - _closed_to_vehicles(ground, blown)


@lru_cache(maxsize=256)
@rule("11.5")
def _closed_to_vehicles(ground: Ground, blown: int) -> Sides:
    return _hard(ground, blown) | (ground.board.sides_of(ground.road_only) - _open_roads(ground, blown))


@lru_cache(maxsize=512)
@rule("11.1", "11.4", "11.7", "11.8", "28.1")
def _steps(ground: Ground, way: str, frozen: bool, blown: int) -> StepCosts:
    """Terrain, then roads by rank; what cannot be crossed at a cost is closed."""
    board, rows = ground.board, ground.terrain
    by_cost: dict[int, int] = {}
    for kind, hexes in ground.terrain_hexes.items():
        row = rows[kind]
        cost = POINT * (row.foot if way == "foot" else row.frozen if frozen else row.mud)
        by_cost[cost] = by_cost.get(cost, 0) | hexes
    open_roads = _open_roads(ground, blown)
    steps = StepCosts.by_terrain(board, by_cost).along(open_roads, SECONDARY)
    if way != "foot":
        into_forest_roads = _Entering(open_roads, ground.forest_road_hexes)
        steps = steps.along(into_forest_roads, FOREST_ROAD)
    steps = steps.along(ground.primary - _bridge_sides(ground, blown), PRIMARY)
    shut = _closed_to_vehicles(ground, blown) if way == "vehicle" else _hard(ground, blown)
    return steps.forbid(shut)


@lru_cache(maxsize=256)
def _road_steps(ground: Ground, blown: int) -> StepCosts:
    return _steps(ground, "mech", False, blown).only(_open_roads(ground, blown))


class _Entering(Sides):
    """Hexsides that count only when one of these hexes is entered: a Forest Road belongs to its hex (11.8)."""

    __slots__ = ("_into",)

    def __init__(self, sides: Sides, into: int) -> None:
        super().__init__(sides.board, sides.masks)
        self._into = into

    @property
    def entered(self) -> tuple[int, ...]:
        return tuple(entered & self._into for entered in super().entered)
