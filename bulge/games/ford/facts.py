"""The board, the units and the tables of The Ford, read from its data."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from bulge.core.data import GameData, Overrides, Row
from bulge.core.frames import Frame
from bulge.core.hexes import Sides
from bulge.core.mapfile import load_map
from bulge.core.movement import StepCosts
from bulge.core.position import Position
from bulge.core.ranges import FIXED, Space, Words
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.supply import Lines, supplied
from bulge.core.zones import zone

BLUE, RED = "Blue", "Red"
SIDES = (BLUE, RED)
POINT = 2
"""Costs are counted in half movement points (4.1)."""
GONE = -1
NO_CHIT = -1


class UnitRow(Row, frozen=True, kw_only=True):
    name: Words
    side: Annotated[str, FIXED]
    strength: int
    steps: int
    hex: Space


class ChitRow(Row, frozen=True, kw_only=True):
    shift: Annotated[int, Meta(ge=-99_999, le=99_999)]
    """Beyond the table it counts as the table's end (6.3)."""


class CardRow(Row, frozen=True, kw_only=True):
    name: Words
    kind: Annotated[Literal["support", "pontoon", "march", "scouts"], FIXED]
    shift: Annotated[int, Meta(ge=0, le=9)] = 0
    """How far support moves an attack (9.3)."""


class Pursuit(Frame, frozen=True, kw_only=True):
    """An attack that left its hex empty: who may still advance into it (6.7, 8)."""

    side: str
    target: int
    attackers: int
    """Set of units."""
    advanced: int = -1
    """The unit that advanced last."""


class FordPosition(Position, kw_only=True):
    where: list[int]
    """The hex of each unit, or GONE."""
    steps: list[int]
    cup: list[int]
    """The support chits that nobody has drawn yet (7.1)."""
    held: list[int]
    """The chit that each side holds, or NO_CHIT; the other side does not see it."""
    moved: int = 0
    """Set of units that have moved this step."""
    attacked: int = 0
    """Set of units that have attacked this step."""
    assaulted: int = 0
    """Set of hexes that have been attacked this step."""
    breakthrough: bool = False
    """Whether rule 8 is played with."""
    frames: list[Pursuit] = []
    """Attacks that are not over: the last one was made by a unit that broke through in the one before."""
    pile: list[int] = []
    ahead: list[int] = []
    discards: list[int] = []
    blue_hand: list[int] = []
    red_hand: list[int] = []
    known: list[int] = []
    """The cards of rule 9, as a `Deck` has them; all empty where they are not played with."""
    pontoons: int = 0
    """Set of hexsides with a bridge of boats (9.4)."""
    march: int = 0
    """Half points more for each unit of the side that moves (9.5)."""

    newer: ClassVar[tuple[str, ...]] = (
        *("breakthrough", "frames", "pile", "ahead", "discards"),
        *("blue_hand", "red_hand", "known", "pontoons", "march"),
    )


class Facts:
    """Everything about the game that does not change in play, and plain questions about a position."""

    def __init__(self, overrides: Overrides | None) -> None:
        folder = files("bulge.games.ford")
        self.data = GameData("ford", folder, overrides)
        self.units = list(self.data.rows("units.csv", UnitRow))
        self.of_side = {
            side: _run(number for number, row in enumerate(self.units) if row.side == side) for side in SIDES
        }
        self.sets = {side: union(numbers) for side, numbers in self.of_side.items()}
        """The units of each side, as a set."""
        self.chits = [row.shift for row in self.data.rows("chits.csv", ChitRow)]
        self.cards = list(self.data.rows("cards.csv", CardRow))
        self.cards_by_kind = {
            kind: union(card for card, row in enumerate(self.cards) if row.kind == kind)
            for kind in {row.kind for row in self.cards}
        }
        self.crt = self.data.results("combat.csv")
        self.data.overrides.complain_of_unused("ford")
        self.map = load_map("ford", folder)
        self.board = self.map.board
        self._read_map()

    def _read_map(self) -> None:
        self.woods = self.map.hexes("terrain", "woods")
        self.town = self.map.hexes("kind", "town")
        self.road = self.map.sides("road")
        self.river = self.map.sides("river")
        self.open_river = self.river - self.map.sides("bridge")
        self.edge = {BLUE: self.map.area("blue_edge"), RED: self.map.area("red_edge")}
        self.road_ends = {side: edge & self.road.hexes for side, edge in self.edge.items()}
        woods, clear = self.woods, self.board.all & ~self.woods
        self._dry = StepCosts.by_terrain(self.board, {POINT: clear, 2 * POINT: woods})
        self._crossings: dict[int, tuple[Sides, StepCosts]] = {}
        self.one_a_hex = StepCosts.by_terrain(self.board, {1: self.board.all})

    # ------------------------------------------------------------------ plain questions

    def side_units(self, p: FordPosition, side: str) -> list[int]:
        return [u for u in self.of_side[side] if p.where[u] != GONE]

    def lost(self, p: FordPosition) -> int:
        return union([unit for unit, at in enumerate(p.where) if at == GONE])

    def units_in(self, p: FordPosition, hexes: int) -> int:
        """The units that stand in these hexes, as a set."""
        return union([unit for unit, at in enumerate(p.where) if at != GONE and hexes >> at & 1])

    def stands(self, p: FordPosition, unit: int) -> str:
        """Where a unit is, in words."""
        return f"{self.units[unit].name} stands in {self.board.name(p.where[unit])}"

    def who_is_in(self, p: FordPosition, hex_: int) -> str:
        """The units of a hex as the subject of a sentence: `1st Red is`, `1st Red and 2nd Red are`."""
        stack = self.stack(p, hex_)
        return f"{' and '.join(self.units[unit].name for unit in stack)} {'are' if len(stack) > 1 else 'is'}"

    def occupied(self, p: FordPosition, side: str) -> int:
        of_side = self.of_side[side]
        return union(p.where[of_side.start : of_side.stop])

    def stack(self, p: FordPosition, hex_: int) -> list[int]:
        return [u for u, at in enumerate(p.where) if at == hex_]

    def full(self, p: FordPosition) -> int:
        """Hexes that hold two units already (4.2)."""
        return union([hex_ for hex_ in p.where if hex_ != GONE and p.where.count(hex_) >= 2])

    def strength(self, p: FordPosition, unit: int) -> int:
        """6.2: one less when a step is lost."""
        row = self.units[unit]
        return row.strength - (row.steps - p.steps[unit])

    @rule("3.1")
    def zone(self, p: FordPosition, side: str) -> int:
        """All around, but not across a river without a bridge."""
        return zone(self.board, self.occupied(p, side), not_across=self.unbridged(p))

    @rule("9.4")
    def unbridged(self, p: FordPosition) -> Sides:
        """The hexsides of the river without a bridge, of stone or of boats."""
        return self._crossing(p)[0]

    def steps(self, p: FordPosition) -> StepCosts:
        """4.1: what each step costs."""
        return self._crossing(p)[1]

    def _crossing(self, p: FordPosition) -> tuple[Sides, StepCosts]:
        found = self._crossings.get(p.pontoons)
        if found is None:
            unbridged = self.open_river - self.board.sides(map(self.board.side_name, members(p.pontoons)))
            steps = self._dry.add(unbridged, POINT).along(self.road, POINT // 2)
            found = self._crossings[p.pontoons] = unbridged, steps
        return found

    @rule("5.1")
    def supply(self, p: FordPosition, side: str) -> Lines:
        """Two hexes, then the road to the own edge. A friend negates a zone (3.3)."""
        enemy = other(side)
        free = self.board.all & ~self.occupied(p, enemy) & ~(self.zone(p, enemy) & ~self.occupied(p, side))
        ends = self.road_ends[side]
        return supplied(self.one_a_hex, self.road, ends, 2, overland_through=free, road_through=free)


def _run(numbers: Iterable[int]) -> range:
    """Numbers without a gap, as a range: the data lists one side after the other."""
    found = list(numbers)
    return range(found[0], found[-1] + 1)


def other(side: str) -> str:
    return RED if side == BLUE else BLUE
