"""The map, the counters and the charts of The Bulge, read from its data; nothing here changes in play."""

from __future__ import annotations

from bulge.core.data import Overrides
from bulge.core.errors import BadData
from bulge.core.movement import StepCosts
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.hexes.facts import HexFacts
from bulge.games.hexes.sides import ALLIED as ALLIED
from bulge.games.hexes.sides import GERMAN as GERMAN
from bulge.games.hexes.sides import SIDES as SIDES
from bulge.games.hexes.sides import other as other
from bulge.games.the_bulge.rows import LAST_TURN as LAST_TURN
from bulge.games.the_bulge.rows import TerrainRow, TownRow, UnitRow

POINT = 5
"""Movement is counted in fifths of a point: one hex of mechanized movement is one fifth (10.1)."""

AIR_FROM = 8
"""The turn from which the Allies have aerial supply, air support and combat support (7.5, 15)."""

MECHANIZED_STEP = POINT // 5

DIVISION = 3
"""Stacking is counted in thirds of a division (6.2)."""
STACK_LIMIT = 2 * DIVISION

EDGES = {"N": "north", "E": "east", "S": "south", "W": "west"}


class Facts(HexFacts):
    def __init__(self, overrides: Overrides | None) -> None:
        super().__init__("the_bulge", overrides)
        self.rows = list(self.data.rows("units.csv", UnitRow))
        self.crt = self.data.results("combat.csv")
        self.terrain = self.data.rows("terrain.csv", TerrainRow)
        self._read_counters()
        self._read_map()
        self.data.overrides.complain_of_unused("the_bulge")

    # ------------------------------------------------------------------ counters

    @rule("2.4", "2.5", "2.7", "2.9", "8.2")
    def _read_counters(self) -> None:
        rows = self.rows
        self.mechanized = [row.mechanized for row in rows]
        self.sizes, self.stack_limit = [_thirds(row) for row in rows], STACK_LIMIT
        markers = [unit for unit, size in enumerate(self.sizes) if not size]
        self._enlist(rows, {GERMAN: ("german",), ALLIED: ("us", "british")}, markers)
        roster = self.roster
        self.german_units, self.us_units, self.british_units = roster.nations.values()
        self.allied_units, self.fighting, self.fighters_of = self.units_of[ALLIED], roster.bodies, roster.bodies_of
        self.enemy_of = [other(roster.side_of(unit)) for unit in range(len(rows))]
        self.factors = [(0, row.reduced, row.factor) if row.steps == 2 else (0, row.factor) for row in rows]
        self.ssp, self.sses, self.vdh, self.flak = (
            roster.only(tag, (unit for unit, row in enumerate(rows) if row.special == tag))
            for tag in ("ssp", "sses", "vdh", "flak")
        )
        self.vaks = [unit for unit, row in enumerate(rows) if row.special == "vak"]
        self.reinforcements = {
            side: [u for u in units if rows[u].turn and u != self.vdh] for side, units in self.units_of.items()
        }
        """Units that come on in play; von der Heydte's men do not march on, they are dropped (14.5)."""
        for unit in (unit for units in self.reinforcements.values() for unit in units if unit != self.sses):
            if not rows[unit].edge:
                raise BadData(f"units.csv of the_bulge: {rows[unit].id} comes on in play, and needs an edge")
        alike = [(row.edge, row.nation, _thirds(row), row.mechanized, row.special) for row in rows]
        self.entry_kinds = [alike.index(kind) for kind in alike]
        """For each reinforcement the first that comes on just like it."""
        self.attackers_of = {
            side: [unit for unit in units if unit not in self.vaks] for side, units in self.fighters_of.items()
        }

    def british(self, unit: int) -> bool:
        return unit >= self.british_units.start

    # ------------------------------------------------------------------ map

    @rule("1.3", "7.10")
    def _read_map(self) -> None:
        game_map, board = self.map, self.board
        points = self.data.rows("towns.csv", TownRow)
        self.towns, self.places = game_map.hexes("kind", "town"), game_map.places
        self.town_points = {
            hex_: points.rows.get(self.places[hex_], points["other"]).points for hex_ in members(self.towns)
        }
        self.by_terrain = {
            name: game_map.hexes("terrain", name) for name in ("clear", "rough", "light_woods", "heavy_woods")
        }
        self.wall = game_map.hexes("west_wall")
        self.roads = game_map.sides("road")
        self.road_hexes = self.roads.hexes
        self.rivers = game_map.sides("river")
        self.bridges = game_map.sides("bridge")
        self.edge_roads = game_map.edge_roads()
        self.sources = {GERMAN: game_map.area("german_supply"), ALLIED: game_map.area("allied_supply")}
        self.exits = game_map.area("german_exit")
        self.west_of_meuse = game_map.area("west_of_meuse")
        self.beyond_meuse = board.all & ~self.west_of_meuse
        self.german_at_start = game_map.area("german_control")
        self.entries = {
            edge: game_map.area(f"{name}_edge") & self.edge_roads & self.sources[GERMAN if edge == "E" else ALLIED]
            for edge, name in EDGES.items()
        }
        self.river_toll = self.terrain["river"].points * POINT
        self.off_road = self.across_country(POINT)
        """What a step costs as if there were no roads, on the first turn (5.4)."""
        self.in_points = self.across_country(1)
        """The same in whole points, for supply (7.3): a flood by cost has fewer levels then."""
        self.on_road = self.off_road.along(self.roads, POINT)
        """What a step costs with the road rate wherever there is a road (10.1)."""
        self.driving = StepCosts.by_terrain(board, {MECHANIZED_STEP: board.all}).only(self.roads)
        """Mechanized movement: along roads only (10.1)."""
        by_nation = {"german": 0, "us": self.wall, "british": 0}
        self.not_from_zone_into = [-1 if row.special == "vak" else by_nation[row.nation] for row in self.rows]
        """For each unit the hexes that it may not enter straight from one enemy zone into another (8.3, 14.7)."""

    def across_country(self, point: int) -> StepCosts:
        """What a step costs by terrain and rivers alone, where a point counts for so much."""
        steps = self.steps_into((self.terrain[id_].points * point, at) for id_, at in self.by_terrain.items())
        return steps.add(self.rivers - self.bridges, self.terrain["river"].points * point)

    def terrain_of(self, hex_: int) -> str:
        return next(name for name, hexes in self.by_terrain.items() if hexes >> hex_ & 1)


@rule("6.1", "6.2", "6.7")
def _thirds(row: UnitRow) -> int:
    """A unit's stacking value; commandos and paratroopers have neither that nor strength nor zone (8.2)."""
    if row.special in ("sses", "vdh"):
        return 0
    if row.special == "vak":
        return STACK_LIMIT
    return DIVISION if row.size in ("XX", "[XX]") else 1
