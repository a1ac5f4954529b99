"""The map, the counters and the charts of The Ardennes Offensive; nothing here changes in play."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import NamedTuple

from bulge.core.data import Overrides
from bulge.core.hexes import Sides
from bulge.core.movement import StepCosts
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_offensive.rows import ExitRow, ScenarioRow, TerrainRow, UnitRow
from bulge.games.hexes.facts import HexFacts
from bulge.games.hexes.sides import ALLIED as ALLIED
from bulge.games.hexes.sides import GERMAN as GERMAN
from bulge.games.hexes.sides import SIDES as SIDES
from bulge.games.hexes.sides import other as other

POINT = 10
"""Movement is counted in tenths of a point: Allied infantry in Road Mode makes ten hexes a point (6.5H)."""

LAST_TURN = 18

DIVISION = 3
"""Stacking is counted in thirds of a division equivalent, and one such is the limit (8.0)."""

ABSENT = -3
"""Where a unit is that has no part in the scenario."""

SECTIONS = ("NE", "NW", "W", "SW", "SE")
"""The Allied side of the map, in order (14.1A)."""
SECTION_WORDS = {
    "E": "east",
    "NE": "northeast",
    "NW": "northwest",
    "W": "west",
    "WB": "west, held beyond the Meuse",
    "SW": "southwest",
    "SE": "southeast",
    "drop": "by air",
}


class Arrival(NamedTuple):
    """When and where a unit comes into the game; turn 0 for one that does not."""

    turn: int
    section: str


class Facts(HexFacts):
    def __init__(self, overrides: Overrides | None) -> None:
        super().__init__("ardennes_offensive", overrides)
        self.rows = list(self.data.rows("units.csv", UnitRow))
        self.initial = self.data.results("initial.csv")
        self.standard = self.data.results("standard.csv")
        self.terrain = self.data.rows("terrain.csv", TerrainRow)
        self.exits = self.data.rows("exits.csv", ExitRow)
        self.scenarios = self.data.rows("scenarios.toml", ScenarioRow)
        self._read_counters()
        self._read_map()
        self._read_edges()
        self._read_costs()
        self._read_schedules()
        self.data.overrides.complain_of_unused("ardennes_offensive")

    # ------------------------------------------------------------------ counters

    @rule("3.3", "3.33", "8.0", "8.2C")
    def _read_counters(self) -> None:
        rows = self.rows
        self._enlist(rows, {GERMAN: ("german",), ALLIED: ("us", "french", "british")})
        self.german_units, self.allied_units = self.units_of[GERMAN], self.units_of[ALLIED]
        self.mechanized = [row.mechanized for row in rows]
        self.mechanized_set = sum(1 << unit for unit, row in enumerate(rows) if row.mechanized)
        self.strength = [row.strength for row in rows]
        self.size = [DIVISION if row.size == "XX" and row.nation == "german" else 1 for row in rows]
        self.divisions = [unit for unit, size in enumerate(self.size) if size == DIVISION]
        self.drop_unit = next(unit for unit, row in enumerate(rows) if row.section == "drop")

    # ------------------------------------------------------------------ map

    @rule("3.1", "5.3L", "11.0", "E3.1-1", "E3.1-5")
    def _read_map(self) -> None:
        game_map, board = self.map, self.board
        self.edge = game_map.area("allied_map_edge")
        impassable = game_map.hexes("terrain", "impassable")
        self.live = board.hexes & ~self.edge & ~game_map.area("closed")
        """Where units can be in play. What is not live nobody enters, but for Allied units on the map's edge."""
        spaces = range(board.all.bit_length())
        self.on_map = [bool(self.live >> space & 1) for space in spaces] + [False] * -ABSENT
        """By what `where` says of a unit, whether it is in play: not on the map's edge, in a box, or nowhere."""
        self.passable = self.live & ~impassable
        self.clear = game_map.hexes("terrain", "clear")
        self.rough = game_map.hexes("terrain", "rough")
        self.cleared_wall = game_map.area("west_wall_cleared")
        self.wall = game_map.hexes("west_wall") & ~self.cleared_wall
        self.towns = game_map.hexes("kind", "town")
        self.places = game_map.places
        self.roads = game_map.sides("road")
        self.road_hexes = self.roads.hexes & self.live
        self.fords = game_map.sides("ford")
        self.bridges = game_map.sides("bridge")
        self.bridge_hexes = self.bridges.hexes
        self.unbridged = game_map.sides("river") - self.fords - self.bridges
        self.beyond_meuse = game_map.area("beyond_meuse")
        self.german_ground = game_map.area("german_control")
        self.start_line = game_map.sides("front")
        own = {GERMAN: self.german_ground, ALLIED: board.hexes & ~self.german_ground}
        self.front = {side: self.start_line.hexes & ground & self.passable for side, ground in own.items()}
        """The hexes of each side's front line (17.0)."""
        self.rear = {side: ground & self.passable & ~self.front[side] for side, ground in own.items()}
        self.behind_german_line = board.sides_of(self.german_ground) - board.border(self.german_ground)
        """Hexsides that lie wholly on the German side of the start line (13.4E, errata 13.0)."""
        self.bastogne = next(hex_ for hex_, place in self.places.items() if place == "Bastogne")

    @rule("12.2D", "12.2F", "14.1A", "16.0B")
    def _read_edges(self) -> None:
        at, name = self.board.at, self.board.name
        self.exit_points = {at(row.id): row.points for row in self.exits}
        self.exit_section = {at(row.id): row.section for row in self.exits}
        self.exit_of = {at(row.edge): at(row.id) for row in self.exits}
        """For each map edge hex with a road, the live hex to which that leads."""
        east = self.map.edge_roads() & self.live
        self.sources = {GERMAN: east, ALLIED: union(self.exit_points)}
        """Live hexes from which a road leaves the map for a side's own rear."""
        self.near_source = {side: self.board.within(hexes, 3) for side, hexes in self.sources.items()}
        self.entries = {"E": members(east)} | {
            section: [edge for edge, exit_ in self.exit_of.items() if self.exit_section[exit_] == section]
            for section in SECTIONS
        }
        """Where reinforcements are placed, by section: for the Allies, map edge hexes."""
        self.beside = {edge: edge for edge in self.exit_of} | {
            hex_: at(f"beside {name(hex_)}") for hex_ in members(east)
        }
        """For each of these, where a unit waits to come on: Allies in the edge hex itself, Germans in a box."""
        self.entry_of = {space: entry for entry, space in self.beside.items()}
        self.first_hex = {entry: self.exit_of.get(entry, entry) for entry in self.beside}
        """The first hex on the map for somebody who comes on there; a German entry hex lies on the map itself."""
        self.gates = [
            (entry, 1 << first | self.roads.across(1 << first) & self.live)
            for entry, first in self.first_hex.items()
        ]
        """For each entry, its first hex and those next to it on the road: nobody may be there (6.5G)."""
        self.gate_hexes = reduce(or_, (gate for _, gate in self.gates), 0)
        self.all_entries, self.entered = union(self.first_hex), union(self.first_hex.values())
        self.edge_bridges = [
            (edge, exit_) for edge, exit_ in self.exit_of.items() if self.bridges.between(edge, exit_)
        ]
        """Roads that come onto the map over a bridge."""

    @rule("12.1A", "12.2F", "13.2B")
    def sources_over(self, side: str, cut: Sides) -> int:
        """A side's sources of supply but those whose road leaves the map over an interdicted bridge."""
        closed = [exit_ for edge, exit_ in self.edge_bridges if cut.between(edge, exit_)]
        return self.sources[side] & ~union(closed)

    # ------------------------------------------------------------------ what steps cost

    @rule("5.1D", "11.0")
    def _read_costs(self) -> None:
        both = [(side, mech) for side in SIDES for mech in (True, False)]
        self.off_road = {(side, mech): self._off_road(side, mech) for side, mech in both}
        """What a step costs as if there were no roads: by side, and whether the unit is mechanized."""
        self.steps = {(side, mech): self.with_roads(mech, self.off_road[side, mech]) for side, mech in both}
        """What a step costs off Road Mode while all bridges stand."""
        self.march = {
            (side, mech): StepCosts.by_terrain(
                self.board, {road_hex_cost(side, mech): self.marched_by(side)}
            ).only(self.roads)
            for side, mech in both
        }
        """What a step costs in Road Mode while all bridges stand."""
        self.one_a_hex = StepCosts.by_terrain(self.board, {1: self.passable})
        """For counting the hexes of a supply path (12.1A)."""

    def _cost(self, id_: str, mech: bool) -> int:
        row = self.terrain[id_]
        return (row.mechanized if mech else row.foot) * POINT

    def _off_road(self, side: str, mech: bool) -> StepCosts:
        wall = self.terrain["west_wall"].allied * POINT if side == ALLIED else 0
        steps = self.steps_into(
            (self._cost(id_, mech) + extra, hexes & part & self.passable)
            for id_, hexes in (("clear", self.clear), ("rough", self.rough))
            for extra, part in ((0, ~self.wall), (wall, self.wall))
        )
        return steps.add(self.fords, self._cost("ford", mech)).add(self.unbridged, self._cost("river", mech))

    def with_roads(self, mech: bool, off_road: StepCosts, cut: Sides | None = None) -> StepCosts:
        """Along a road a step costs one point whatever the terrain; an interdicted bridge is a mere river."""
        if cut is None:
            return off_road.along(self.roads, self._cost("road", mech))
        rivers = off_road.add(cut, self._cost("river", mech))
        return rivers.along(self.roads - cut, self._cost("road", mech))

    def marched_by(self, side: str) -> int:
        """Allied units may not enter the West Wall in Road Mode (11.0)."""
        return self.passable & ~self.wall if side == ALLIED else self.passable

    # ------------------------------------------------------------------ scenarios

    @rule("14.0", "17.0", "18.0", "E18.0", "E17.0-1", "E17.0-2", "E17.0-3", "E17.0-4")
    def _read_schedules(self) -> None:
        historical = [Arrival(row.turn, row.section) for row in self.rows]
        varied = [Arrival(row.varied_turn, row.varied_section) for row in self.rows]
        first_ally = self.allied_units.start
        self.arrivals = {
            row.id: (historical if row.german_schedule == "historical" else varied)[:first_ally]
            + (historical if row.allied_schedule == "historical" else varied)[first_ally:]
            for row in self.scenarios
        }
        """For each scenario, when and where each unit arrives."""


@rule("6.5H")
def road_hex_cost(side: str, mechanized: bool) -> int:
    """Two hexes a point, but ten for Allied units on foot (they ride)."""
    return POINT // 10 if side == ALLIED and not mechanized else POINT // 2
