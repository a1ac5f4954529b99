"""The map, the counters, the cards and the tables of Enemy Action, read from data; nothing changes in play."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from bulge.core.data import GameData, Overrides
from bulge.core.errors import BadData
from bulge.core.hexes import Sides
from bulge.core.mapfile import load_map
from bulge.core.movement import StepCosts
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.enemy_action import rows
from bulge.games.enemy_action.counters import Counters
from bulge.games.enemy_action.deck import Cards

if TYPE_CHECKING:
    from bulge.games.enemy_action.position import EnemyActionPosition
    from bulge.games.enemy_action.situation import Situation

GERMAN, ALLIED = "German", "Allied"
SIDES = (ALLIED, GERMAN)

FIRST_DAY = 16
"""The day of December that is turn 1."""

GONE, DUE, BOX, EXITED = -1, -2, -3, -4
"""Where a unit is that is lost, one that has not come yet, one in the Reserve Units box, one that left the map."""

ARMIES = ("6PzA", "5PzA", "7A")
"""The German armies in the order of the position's objectives; OKW has none of its own."""
CORPS_WITH_OBJECTIVE = {"LXVII": 0, "LXVI": 1, "LXXX": 2}
ARROW_OF_ARMY = {"5PzA": "5", "6PzA": "6", "7A": "7"}

PRUEM = "1203"
FINAL_OBJECTIVE = "0129"
DINANT = "1126"
SUPPLY_PATH = 4


class Facts(Counters):
    """Everything that is printed, or would be, on the map, the counters, the cards and the charts."""

    def __init__(self, overrides: Overrides | None) -> None:
        folder = files("bulge.games.enemy_action")
        self.data = data = GameData("enemy_action", folder, overrides)
        self.map = load_map("enemy_action", folder)
        self.board = self.map.board
        self.last_moment: tuple[EnemyActionPosition, Situation] | None = None
        """The position that the German procedure looked at last, and all that was worked out about it."""
        self.read_counters(list(data.rows("units.csv", rows.UnitRow)))
        self.events = data.rows("events.toml", rows.EventRow)
        self.allied = Cards(data.rows("allied_cards.toml", rows.CardRow), self)
        self.german = Cards(data.rows("german_cards.toml", rows.CardRow), self)
        self.set_up_cards = list(data.rows("setup_cards.toml", rows.SetUpCardRow))
        self.calendar = {int(row.id): row for row in data.rows("calendar.csv", rows.DayRow)}
        self.crisis = data.rows("setup_crisis.csv", rows.PlacedRow)
        self.scenarios = data.rows("scenarios.toml", rows.ScenarioRow)
        self._read_tables()
        self._read_ground()
        self._read_towns()
        self._read_rivers()
        self._read_edges()
        self._read_arrows()
        self.data.overrides.complain_of_unused("enemy_action")

    def _read_tables(self) -> None:
        data = self.data
        faces = list(data.rows("chits.csv", rows.ChitRow))
        self.chits = [
            (front, back)
            for front in faces
            if front.face == "front"
            for back in faces
            if back.chit == front.chit and back.face == "back"
        ]
        self.situations = data.rows("situations.csv", rows.SituationRow)
        self.objectives = list(data.rows("objectives.csv", rows.ObjectiveRow))
        self.marginal = {int(row.id): row for row in data.rows("marginal_attack.csv", rows.MarginalRow)}
        self.advance = {row.id: row for row in data.rows("advance.csv", rows.AdvanceRow)}
        self.surrender = {row.id: row.die_to for row in data.rows("surrender.csv", rows.SurrenderRow)}
        self.terrain = data.rows("terrain.csv", rows.TerrainRow)

    # ------------------------------------------------------------------ map

    @rule("2.1")
    def _read_ground(self) -> None:
        game_map, board = self.map, self.board
        self.by_terrain = {row.id: game_map.hexes("terrain", row.id) for row in self.terrain}
        self.wall = game_map.hexes("west_wall")
        self.roads = game_map.sides("road")
        self.road_hexes = self.roads.hexes
        self.west_of_meuse = game_map.area("west_of_meuse")
        area = game_map.area
        self.edge = area("north_edge") | area("east_edge") | area("south_edge") | area("west_edge")
        self.rim = board.within(self.edge, 1)
        """The map's edge and the hexes beside it: no detachments there (15.1, 15.52)."""
        self.corps_area = {
            corps: area(f"{corps.lower()}_corps") for corps in ("V", "XVIII", "VII", "VIII", "III", "XII", "XXX")
        }
        printed = self.data.rows("hold_values.csv", rows.HoldRow)
        self.hold = {board.at(row.id): row.value for row in printed if row.value}
        self.hold_hexes = sum(1 << hex_ for hex_ in self.hold)
        spots = {hex_: board.plane(hex_) for hex_ in members(board.all)}
        self.east = {hex_: int(x * 2) for hex_, (x, _) in spots.items()}
        """How far east each hex lies, in half hexes."""
        self.row = {hex_: int(board.name(hex_)[:2]) for hex_ in spots}
        """The row of each hex, counted from the north."""
        self.last_row = max(self.row.values())

    def _read_towns(self) -> None:
        towns = self.data.rows("towns.csv", rows.TownRow)
        at = self.board.at
        self.towns = sum(1 << at(row.id) for row in towns)
        """Towns and cities."""
        self.cities = sum(1 << at(row.id) for row in towns if row.kind == "city")
        self.german_towns = sum(1 << at(row.id) for row in towns if row.owner == "german")
        self.vp = {at(row.id): row.vp for row in towns}
        self.vp_hexes = sum(1 << hex_ for hex_, vp in self.vp.items() if vp)
        self.depots = self.map.area("fuel_depots")

    @rule("14.2", "14.21")
    def _read_rivers(self) -> None:
        board, rivers = self.board, self.map.sides("river")
        self.rivers = rivers
        self.river_sides = [board.side(name) for name in rivers.names()]
        self.side_of_river = {pair: at for at, pair in enumerate(self.river_sides)}
        self.side_of_river |= {(other, one): at for (one, other), at in self.side_of_river.items()}
        self.river_hexes = rivers.hexes
        self._rivers_at = dict.fromkeys(members(self.river_hexes), 0)
        for (bank, _), at in self.side_of_river.items():
            self._rivers_at[bank] |= 1 << at
        self.bridges = self._bridges("all")
        self.bridges_german = self._bridges("owner")
        self.bridges_blown = self._bridges("blown")
        self.crisis_german = self._bridges("crisis_owner")
        self.crisis_blown = self._bridges("crisis_blown")
        self.meuse = self.map.sides("river", "Meuse").hexes

    def _bridges(self, field: str) -> int:
        found = 0
        for row in self.data.tables.get("bridges") or self.data.rows("bridges.csv", rows.BridgeRow):
            if field == "all" or getattr(row, field) in ("german", True):
                found |= 1 << self.side_of_river[self.board.side(row.id)]
        return found

    @rule("13.0", "13.14", "10.92")
    def _read_edges(self) -> None:
        """Supply sources are roads that leave the map on a friendly edge."""
        at, board = self.board.at, self.board
        edges = list(self.data.rows("edges.csv", rows.EdgeRow))
        self.sources = {
            GERMAN: sum(1 << at(row.id) for row in edges if row.side == "german"),
            ALLIED: sum(1 << at(row.id) for row in edges if row.side == "allied"),
        }
        self.lost_with = [
            (1 << at(row.id), sum(1 << at(town) for town in row.lost_with.split()))
            for row in edges
            if row.lost_with
        ]
        """A source, and the towns that close it once they are German."""
        self.exits = sum(1 << at(row.id) for row in edges if row.exit == "always")
        german = board.set_of(self.map.raw["areas"]["east_edge"])
        for name in ("north_edge", "south_edge"):
            line = self.map.area(name)
            westernmost = min((self.east[hex_] for hex_ in members(line & self.wall)), default=1 << 30)
            german |= sum(1 << hex_ for hex_ in members(line) if self.east[hex_] >= westernmost)
        self.friendly_edge = {GERMAN: german, ALLIED: self.edge & ~german}

    @rule("2.1")
    def _read_arrows(self) -> None:
        at = self.board.at
        self.arrows: dict[int, list[rows.ArrowRow]] = {}
        for row in self.data.rows("arrows.csv", rows.ArrowRow):
            if not self.board.adjacent(at(row.hex), at(row.to)):
                raise BadData(f"arrows.csv of enemy_action: {row.hex} and {row.to} are not adjacent")
            self.arrows.setdefault(at(row.hex), []).append(row)
        for found in self.arrows.values():
            found.sort(key=lambda row: (row.arrow != "primary", row.id))

    # ------------------------------------------------------------------ words

    def at(self, hex_: int) -> str:
        """A hex in words."""
        return self.map.words(hex_)

    def terrain_of(self, hex_: int) -> str:
        return next(name for name, hexes in self.by_terrain.items() if hexes >> hex_ & 1)

    def distance(self, one: int, other: int) -> int:
        return self.board.distance(one, other)

    # ------------------------------------------------------------------ hexsides

    def river_side(self, one: int, other: int) -> int:
        """The number of the river hexside between two adjacent hexes; -1 where no river runs."""
        return self.side_of_river.get((one, other), -1)

    def rivers_at(self, hexes: int) -> int:
        """The river hexsides, by number, that have one of these hexes as a bank."""
        found = 0
        for hex_ in members(hexes & self.river_hexes):
            found |= self._rivers_at[hex_]
        return found

    def side_words(self, side: int) -> str:
        return self.board.side_name(self.board.side_number(*self.river_sides[side]))

    @lru_cache(maxsize=512)  # noqa: B019  # facts live as long as the program
    def sides(self, chosen: int) -> Sides:
        """River hexsides by their numbers, as a set of sides."""
        masks, direction = [0] * 6, self.board.direction
        for side in members(chosen):
            one, other = self.river_sides[side]
            towards = direction(one, other)
            masks[towards] |= 1 << one
            masks[(towards + 3) % 6] |= 1 << other
        return Sides(self.board, masks)

    @lru_cache(maxsize=512)  # noqa: B019
    def open_roads(self, usable: int) -> Sides:
        """The roads that run: over rivers only on these bridges, and only where a road was printed (14.23)."""
        return self.roads - (self.rivers - self.sides(usable & self.bridges))

    @lru_cache(maxsize=12)  # noqa: B019
    @rule("10.2", "10.31", "14.23")
    def costs(self, kind: str, intact: int) -> StepCosts:
        """What a step costs on `foot`, `mechanized` or `frozen`; unbridged rivers are no steps here."""
        by_cost: dict[int, int] = {}
        for name, hexes in self.by_terrain.items():
            cost = getattr(self.terrain[name], kind)
            by_cost[cost] = by_cost.get(cost, 0) | hexes
        steps = StepCosts.by_terrain(self.board, by_cost).along(self.open_roads(intact), 1)
        return steps.forbid(self.rivers - self.sides(intact))

    @lru_cache(maxsize=12)  # noqa: B019
    def overland(self, usable: int) -> StepCosts:
        """One for a hex, not over rivers but on these bridges: how supply is counted (13.1)."""
        return StepCosts.by_terrain(self.board, {1: self.board.all}).forbid(self.rivers - self.sides(usable))


def side_name(german: bool) -> str:
    return GERMAN if german else ALLIED


def other(side: str) -> str:
    return ALLIED if side == GERMAN else GERMAN


def mask(items: Iterable[int]) -> int:
    """A set of units, cards or hexes, as an int."""
    found = 0
    for item in items:
        found |= 1 << item
    return found
