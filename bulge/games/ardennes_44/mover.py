"""A unit that is about to move: what does not change on its way (rules 9.2, 10.2, 11 and 12)."""

from __future__ import annotations

from typing import Any

from bulge.core.hexes import Sides
from bulge.core.kept import Keeps, kept
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.steps import StepCosts
from bulge.games.ardennes_44.allowance import Allowance, allowance
from bulge.games.ardennes_44.columns import column_beside, has_marker, partners
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.limits import (
    boundary,
    closed_to,
    confined,
    crossing_at_echternach,
    may_cross_at_echternach,
    no_boundary,
)
from bulge.games.ardennes_44.passage import Passage, Surcharge
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation, enemy_blocks
from bulge.games.ardennes_44.stacking import may_join

TRAFFIC, BOTTLENECK, BOTTLENECK_TAKEN = 2 * POINT, 4 * POINT, 2 * POINT
FROST = 11
"""From this turn on the ground is frozen (28.1)."""


@rule("24.7")
def st_vith_taken(facts: Facts, p: Ardennes44) -> bool:
    """Whether St. Vith is in German hands, so that its bottleneck holds them up less."""
    return bool(p.german_held & facts.st_vith)


class Mover(Keeps):
    def __init__(self, s: Situation, unit: int, strategic: int = 0) -> None:
        facts, p = s.facts, s.p
        self.s, self.facts, self.unit = s, facts, unit
        self.side, self.enemy = (GERMAN, ALLIED) if unit < facts.first_ally else (ALLIED, GERMAN)
        self.strategic = strategic
        """The half points of Strategic Movement; 0 for any other."""
        self.allowed = Allowance(strategic) if strategic else allowance(facts, p, unit)
        self.against = army = s.standing.armies[self.enemy]
        self.zone, self.near = army.zone, army.around
        """Every hex in an enemy zone, and every one next to an enemy."""
        self.ignored = 0
        """Hexes in which enemy zones do not bind it."""
        self.astray = bool(p.astray >> unit & 1)
        self.vehicle = facts.way[unit] == "vehicle"
        self.shaken = bool((p.disrupted | p.broken) >> unit & 1)
        self.freely = -1 if strategic else self.allowed.points
        """The half points within which it may end in any vacant hex; columns may not halt just anywhere."""
        self.room: dict[int, bool] = {}
        """Whether there is room for it, in hexes of which that was asked: nobody else moves in the meantime."""
        self._bonds_met = 0
        """The hexes closed by a bond that were tried, in which a friend would have kept it open."""
        self.at_echternach = p.turn == 1 and may_cross_at_echternach(facts, p, unit)
        """Whether the rule of Echternach is about this unit, now."""
        self.passage: Passage | None = None
        """The steps that are open to its kind, once they have been looked for; none where a bridge broke since."""

    def ignore(self, hexes: int) -> None:
        """From now on enemy zones in these hexes do not bind it."""
        self.ignored |= hexes
        self.zone &= ~hexes
        self.passage = None

    @kept
    def asked(self) -> dict[object, Any]:
        """What was found out on its way for whoever asks why it does not get somewhere."""
        return {}

    @kept
    def others(self) -> int:
        """The spaces of friends, without this unit."""
        held, at = self.s.occupied[self.side], self.s.p.where[self.unit]
        return held & ~(1 << at) if at >= 0 and len(self.s.stack(at)) == 1 else held

    @kept
    def shut(self) -> list[int]:
        """For each direction, the hexes that an enemy bond closes to who steps that way (10.2)."""
        return self.s.links(self.enemy).shut(self.others)

    @property
    @rule("11.10.1", "11.10.2")
    def boundary(self) -> Sides:
        """The hexsides that it may not cross; who was thrown back over one may go back."""
        return no_boundary(self.facts) if self.astray else boundary(self.s, self.unit)

    @kept
    def firm(self) -> int:
        """The hexes of friends in Good Order."""
        p = self.s.p
        firm = self.facts.of_side[self.side] & ~(p.disrupted | p.broken | 1 << self.unit)
        return self.s.standing.armies[self.side].hexes_of(firm)

    @property
    def shunned(self) -> int:
        """Hexes that a Disrupted unit does not enter if it has a choice (18.3)."""
        return self.zone & ~self.firm if self.shaken else 0

    # ------------------------------------------------------------------ the ways that are open

    @rule("11.5", "12.2")
    def ways_open(self) -> Passage:
        """Look for the steps that are open to its kind."""
        s, turn, blown, army = self.s, self.s.p.turn, self.s.p.blown, self.against
        way = "column" if self.strategic else self.facts.way[self.unit]
        key = way, turn, blown, self.marks, confined(s, self.unit), self.ignored, self.astray
        found = army.passages.get(key)
        if found is None:
            closed = closed_to(s, self.unit) | army.held
            if self.strategic:
                closed |= army.around | enemy_blocks(s.p, self.side)
            kind = way, turn >= FROST, blown
            found = Passage(self.facts.ground, army, kind, closed, self.surcharge, self.boundary, self.ignored)
            army.passages[key] = found
        self.passage = found
        return found

    @kept
    def marks(self) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
        """Where markers lie in its way as it sets out, and whether it finds St. Vith in German hands."""
        p = self.s.p
        if self.side == GERMAN:
            return (*p.traffic,), (*p.blocks_allied,), st_vith_taken(self.facts, p)
        return (*p.greif,), (*p.blocks_german,), False

    @property
    def surcharge(self) -> Surcharge:
        """Hexes that cost more to enter, with how much (24.2, 24.7)."""
        traffic, blocks, taken = self.marks
        found = [(union(traffic), TRAFFIC), (union(blocks), TRAFFIC)]
        if self.side == GERMAN:
            found.append((self.facts.bottleneck, BOTTLENECK_TAKEN if taken else BOTTLENECK))
        return [(hexes, extra) for hexes, extra in found if hexes]

    def surcharge_in(self, hex_: int) -> int:
        """How much more this hex costs to enter."""
        return sum([extra for hexes, extra in self.surcharge if hexes >> hex_ & 1])

    @property
    def steps(self) -> StepCosts:
        """What single steps cost this unit."""
        ground, p = self.facts.ground, self.s.p
        if self.strategic:
            return ground.road_steps(p.blown)
        return ground.steps(self.facts.way[self.unit], p.turn >= FROST, p.blown)

    def passes_bond(self, here: int, to: int) -> bool:
        """Whether an enemy bond does not hold it up: a friend is there, or the rule of Echternach lets it pass."""
        self._bonds_met |= 1 << to
        return bool(self.others & 1 << to) or (self.at_echternach and self.crosses_there(here, to))

    def crosses_there(self, here: int, to: int) -> bool:
        """Whether this step is the one that the rule of Echternach is about."""
        return crossing_at_echternach(self.s, here, to)

    # ------------------------------------------------------------------ where it may end

    @property
    def looked_at(self) -> int:
        """The hexes of which it mattered, on the ways that were tried, which friends are there."""
        return union(self.room) | self._bonds_met

    @rule("8.1", "8.3", "11.2")
    def may_end_in(self, hex_: int, how: tuple[int, bool]) -> bool:
        """Whether it may stop in a hex with so much spent, or tactically: within stacking, and not next to enemies
        if it used points of Extended Movement."""
        room = self.room.get(hex_)
        if room is None:
            vacant = hex_ not in self.s.standing.stacks and not self.strategic
            room = self.room[hex_] = vacant or self.has_room(hex_)
        if not room:
            return False
        spent, tactical = how
        if tactical or self.strategic or 0 <= spent <= self.allowed.points:
            return True
        return not self.near & 1 << hex_

    @rule("8.1", "8.3", "12.2")
    def has_room(self, hex_: int) -> bool:
        """Whether it may end its move with those who are in a hex."""
        p, stack = self.s.p, self.s.standing.stacks.get(hex_, [])
        if stack and stack != [self.unit] and not may_join(self.facts, p.reduced, self.unit, stack):
            return False
        if self.strategic:
            return self._may_halt(hex_, stack)
        columns = p.columns & self.facts.of_side[self.side] & ~(1 << self.unit)
        if columns:
            for mate in stack:
                if columns >> mate & 1:
                    return False
        return True

    @rule("12.2", "12.4.1", "12.4.2")
    def _may_halt(self, hex_: int, stack: list[int]) -> bool:
        """A column ends under a marker, alone but for its own regiment, and not beside another on its road."""
        along = partners(self.s, self.unit, hex_) if stack else 0
        if union(stack) & ~(along | 1 << self.unit):
            return False
        if not along & ~self.s.p.left_behind and not self.has_marker:
            return False
        return not column_beside(self.s, self.unit, hex_)

    @kept
    def has_marker(self) -> bool:
        """Whether a marker is there for it as a column wherever it halts, not only with its regiment."""
        return has_marker(self.s, self.unit)
