"""Everything printed on the map, the counters and the charts of Ardennes '44; nothing here changes in play."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from bulge.core.data import GameData, Overrides
from bulge.core.mapfile import load_map
from bulge.core.rulebook import rule
from bulge.core.spaces import lowest, members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, Counters
from bulge.games.ardennes_44.ground import FOREST_ROAD, PRIMARY, SECONDARY, Ground
from bulge.games.ardennes_44.rows import (
    AreaRow,
    BoundaryRow,
    DieRow,
    EntryRow,
    LaterRow,
    NightRow,
    ScenarioRow,
    TerrainRow,
    UnitRow,
    VictoryRow,
)

if TYPE_CHECKING:
    from bulge.games.ardennes_44.standing import Standing

GONE, DUE, ABSENT, POOL, EXITED, SURRENDERED = -1, -2, -3, -4, -5, -6
"""Where a unit is that is in the dead pile, due to arrive, no part of the scenario, waiting as a spare counter,
off the map for good, or a prisoner."""


SECTORS = ("SE", "SW", "W", "NW", "NE")
"""The sectors beyond the map's edges, each next to its neighbours here (13.5)."""
BOX_OF = {
    "SE": "Southeast box",
    "SW": "Southwest box",
    "W": "West box",
    "NW": "Northwest box",
    "NE": "Northeast box",
}
"""The Allied Off Map Box of each sector."""


@dataclass(frozen=True, slots=True)
class Field:
    """The part of the map that a scenario is played on."""

    hexes: int
    sources: dict[str, int]
    """Where supply comes from, by side (23.2)."""
    exits: int
    """Where German units leave the map to win (11.9.3, S2.4)."""
    west_roads: int
    """The road hexes of the west edge where only the east sheet is used (S2.3, S3.3)."""
    boxes: dict[int, int]
    """For each hex of an Allied edge, the Off Map Box beyond it (11.9.1)."""


AIRBORNE = ("101", "82")
BLOWN_DECEMBER_22 = ("E3821/E3921", "E3618/E3718", "E2928/E3029", "E2929/E3029")
"""La Roche, Ortho and both of Trois-Ponts (S4.3)."""
POCKETS = {"Peiper": 3, "Bastogne": 1}
"""The Surrender Points of the two pockets (S4.3)."""

BRIDGES_AT_START = {
    "blown": ("E1105/E1106", "E1307/E1407", "E1508/E1608", "E1710/E1811"),
    "building": ("E2016/E2115", "E1913/E2013"),
    "ouren": ("E2020/E2119",),
}
"""Bridges 1 to 4, 5 and 6, and the weak one (S1.4, 29.5, 7.7); which road bridges 1 to 4 are is reconstructed."""


class Facts(Counters):
    """The counters, and beside them the map and the charts."""

    def __init__(self, overrides: Overrides | None) -> None:
        folder = files("bulge.games.ardennes_44")
        self.data = data = GameData("ardennes_44", folder, overrides)
        super().__init__(list(data.rows("units.csv", UnitRow)))
        self.combat = data.results("combat.csv")
        self.dice = data.rows("tables.toml", DieRow)
        self.entries = data.rows("entries.csv", EntryRow)
        self.areas = data.rows("areas.csv", AreaRow)
        self.victory = data.rows("victory.csv", VictoryRow)
        self.nights = data.rows("nights.csv", NightRow)
        self.scenarios = data.rows("scenarios.toml", ScenarioRow)
        self.december_22 = data.rows("december_22.csv", LaterRow)
        self.map = load_map("ardennes_44", folder)
        self.ground = Ground(self.map, data.rows("terrain.csv", TerrainRow))
        self.board = self.ground.board
        self.recent: tuple[Standing, ...] = ()
        """How the positions stood that were looked at last."""
        self._in_play: dict[str, list[int]] = {}
        self._due_by: dict[int, int] = {}
        self._entries_with: dict[str, int] = {}
        self._read_areas()
        self._read_boundaries()
        self._read_boxes()
        self._read_fields()
        data.overrides.complain_of_unused("ardennes_44")

    @rule("2.7", "29.1.2")
    def _read_areas(self) -> None:
        area = self.map.area
        self.area_hexes = {row.id: area(f"{row.id.lower()}_set_up") for row in self.areas}
        self.all_areas = 0
        for hexes in self.area_hexes.values():
            self.all_areas |= hexes
        self.german_ground = area("german_control")
        self.rear_zone = self.german_ground & ~self.all_areas
        self.bottleneck = area("st_vith_bottleneck")
        self.west_of_meuse = area("west_of_meuse")
        self.british_ground = self.west_of_meuse & ~area("east_sheet")
        self.st_vith = self.board.set_of(["E2125"])
        self.victory_hexes = union([self.board.at(row.id) for row in self.victory])

    @rule("11.10")
    def _read_boundaries(self) -> None:
        rows = self.data.rows("boundaries.csv", BoundaryRow)
        self.boundaries = self.board.sides(row.id for row in rows)

    @rule("11.9.3", "23.2")
    def _read_fields(self) -> None:
        at, east, area = self.board.at, self.map.area("east_sheet"), self.map.area
        sources = {
            side: union([at(row.id) for row in self.entries if row.side == side]) for side in (GERMAN, ALLIED)
        }
        self.entries_for = sources
        """Every entry hex of a side, as a set."""
        west_roads = area("east_sheet_west_edge_roads")
        boxes = {
            hex_: self.box[sector]
            for sector, name in BOX_OF.items()
            for hex_ in members(area(name.removesuffix(" box").lower()))
        }
        west_edge = {hex_: self.box["W"] for hex_ in members(east) if self.board.name(hex_).startswith("E40")}
        in_east = {hex_: beyond for hex_, beyond in boxes.items() if east >> hex_ & 1}
        self.fields = {
            "E": Field(
                east,
                {GERMAN: sources[GERMAN], ALLIED: sources[ALLIED] & east | west_roads},
                west_roads,
                west_roads,
                west_edge | in_east,
            ),
            "EW": Field(self.board.hexes, sources, area("entry_F") | area("entry_G"), 0, boxes),
        }
        self._field_of = {row.id: self.fields[row.sheets] for row in self.scenarios}
        self.entry_hexes: dict[str, list[int]] = {}
        for row in self.entries:
            self.entry_hexes.setdefault(row.letter, []).append(at(row.id))

    @rule("3.2", "13.4", "13.7")
    def _read_boxes(self) -> None:
        at, allied = self.board.at, [row for row in self.entries if row.side == ALLIED]
        self.weak_bridge = set(self.ground.bridges[self.bridge(BRIDGES_AT_START["ouren"][0])])
        """The two ends of the bridge of Ouren (7.7)."""
        self.road_ends = self.map.edge_roads()
        """The hexes where a road leaves the map."""
        edges = self.map.raw["edges"].items()
        self.primary_ends = union([at(name) for name, edge in edges if edge.get("road") == "primary"])
        """Those where a primary one does."""
        self.off_map = self.board.boxes
        """Every Off Map Box and Blocking Position."""
        self._first_box = lowest(self.off_map)
        self.box = {sector: at(name) for sector, name in BOX_OF.items()}
        self.blocking = {at(row.id): at(f"Block {row.id}") for row in allied if row.blocking}
        """The Blocking Position of each entry hex that has one."""
        self.blocking_positions = union(self.blocking.values())
        self.blocked = {space: hex_ for hex_, space in self.blocking.items()}
        """And the other way round."""
        self.entries_of = {sector: [at(row.id) for row in allied if row.sector == sector] for sector in SECTORS}
        self.entry_sets = {sector: union(hexes) for sector, hexes in self.entries_of.items()}
        self.sector = {at(row.id): row.sector for row in allied} | {
            space: sector for sector, space in self.box.items()
        }
        self.sector |= {space: self.sector[hex_] for hex_, space in self.blocking.items()}
        """The sector of each entry hex, Off Map Box and Blocking Position."""

    def field_of(self, scenario: str) -> Field:
        return self._field_of[scenario]

    def hexes_in_play(self, scenario: str) -> list[int]:
        """The hexes of a scenario's part of the map, in order."""
        sheets = self.scenarios[scenario].sheets
        if sheets not in self._in_play:
            self._in_play[sheets] = members(self.fields[sheets].hexes)
        return self._in_play[sheets]

    def bridge(self, name: str) -> int:
        """The number of the bridge on a hexside."""
        return self.ground.bridge_number[self.board.side_at(name)]

    @rule("11.9.3", "13.1")
    def road_off_map(self, unit: int, hex_: int, *, column: bool = False) -> int:
        """What the road costs a unit, in half points, that leaves the map at a hex; trucks pay as vehicles do."""
        if self.primary_ends & 1 << hex_:
            return PRIMARY
        forest = self.ground.forest_road_hexes & 1 << hex_ and (column or self.way[unit] != "foot")
        return FOREST_ROAD if forest else SECONDARY

    def entries_with(self, letters: str) -> int:
        """The entry hexes of these letters, as a set."""
        found = self._entries_with.get(letters)
        if found is None:
            found = union([hex_ for letter in letters for hex_ in self.entry_hexes.get(letter, ())])
            self._entries_with[letters] = found
        return found

    def due_by(self, turn: int) -> int:
        """The units whose turn of arrival has come."""
        found = self._due_by.get(turn)
        if found is None:
            found = self._due_by[turn] = self.those(lambda row: row.turn <= turn)
        return found

    def on_map(self, space: int) -> bool:
        """Whether a unit there is on the map: not in a box beside it, nor nowhere."""
        return 0 <= space < self._first_box

    def words(self, space: int) -> str:
        return self.map.words(space)

    def names_of(self, units: int) -> str:
        return ", ".join(self.rows[unit].name for unit in members(units))
