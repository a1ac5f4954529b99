"""A unit that is about to move: what does not change on its way (rules 9.2, 10.2, 11 and 12)."""

from __future__ import annotations

from functools import cached_property

from bulge.core.hexes import Sides
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.steps import StepCosts
from bulge.games.ardennes_44.allowance import Allowance, allowance
from bulge.games.ardennes_44.counters import GERMAN, other
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.limits import boundary, closed_to
from bulge.games.ardennes_44.situation import Situation, enemy_blocks
from bulge.games.ardennes_44.stacking import fits

TRAFFIC, BOTTLENECK, BOTTLENECK_TAKEN = 2 * POINT, 4 * POINT, 2 * POINT
FROST = 11
"""From this turn on the ground is frozen (28.1)."""


class Mover:
    def __init__(self, s: Situation, unit: int, start: int, strategic: int = 0) -> None:
        facts, p = s.facts, s.p
        self.s, self.facts, self.unit, self.start = s, facts, unit, start
        self.side = facts.side_of(unit)
        self.enemy = other(self.side)
        self.strategic = strategic
        """The half points of Strategic Movement; 0 for any other."""
        self.allowed = Allowance(strategic) if strategic else allowance(facts, p, unit)
        self.zone = s.zone(self.enemy)
        self.vehicle = facts.way[unit] == "vehicle"

    @cached_property
    def others(self) -> int:
        """The spaces of friends, without this unit."""
        held, at = self.s.occupied[self.side], self.s.p.where[self.unit]
        return held & ~(1 << at) if at >= 0 and len(self.s.stack(at)) == 1 else held

    @cached_property
    def closed(self) -> int:
        s = self.s
        closed = s.occupied[self.enemy] | closed_to(s, self.unit)
        if self.strategic:
            closed |= s.next_to_enemy(self.side) | enemy_blocks(s.p, self.side)
        return closed

    @cached_property
    def near(self) -> int:
        """Every hex next to an enemy."""
        return self.s.next_to_enemy(self.side)

    @cached_property
    def shut(self) -> list[int]:
        """For each direction, the hexes that an enemy bond closes to who steps that way (10.2)."""
        return self.s.links(self.enemy).shut(self.others)

    @cached_property
    def boundary(self) -> Sides:
        return boundary(self.s, self.unit)

    @cached_property
    def firm(self) -> int:
        """The hexes of friends in Good Order."""
        p, stacks = self.s.p, self.s.standing
        firm = self.facts.of_side[self.side] & ~(p.disrupted | p.broken | 1 << self.unit)
        return stacks.hexes_of(self.side, firm)

    @cached_property
    def shunned(self) -> int:
        """Hexes that a Disrupted unit does not enter if it has a choice (18.3)."""
        p = self.s.p
        return self.zone & ~self.firm if (p.disrupted | p.broken) >> self.unit & 1 else 0

    @cached_property
    def surcharge(self) -> list[tuple[int, int]]:
        """Hexes that cost more to enter, with how much (24.2, 24.7)."""
        p, facts = self.s.p, self.facts
        found = [
            (union(p.traffic if self.side == GERMAN else p.greif), TRAFFIC),
            (enemy_blocks(p, self.side), TRAFFIC),
        ]
        if self.side == GERMAN:
            taken = p.german_held >> facts.st_vith & 1
            found.append((facts.bottleneck, BOTTLENECK_TAKEN if taken else BOTTLENECK))
        return [(hexes, extra) for hexes, extra in found if hexes]

    @cached_property
    def dear(self) -> int:
        """All those hexes."""
        dear = 0
        for hexes, _ in self.surcharge:
            dear |= hexes
        return dear

    def extra(self, to: int) -> int:
        """What it costs to enter a hex beyond its terrain."""
        return sum(extra for hexes, extra in self.surcharge if hexes >> to & 1) if self.dear >> to & 1 else 0

    @property
    def steps(self) -> StepCosts:
        """What single steps cost this unit; bridges may break under it."""
        ground, p = self.facts.ground, self.s.p
        if self.strategic:
            return ground.road_steps(p.blown)
        return ground.steps(self.facts.way[self.unit], p.turn >= FROST, p.blown)

    @rule("11.3", "11.4.1", "11.5", "11.6")
    def crosses(self, here: int, to: int, *, first: bool) -> bool:
        """Whether terrain lets it pass at all: hard hexsides only infantry, and only as the first step."""
        ground, blown = self.facts.ground, self.s.p.blown
        if self.vehicle:
            return ground.vehicles_cross(blown).between(here, to)
        return first or not ground.hard(blown).between(here, to)

    # ------------------------------------------------------------------ where it may end

    @rule("8.1", "8.3", "12.2")
    def has_room(self, hex_: int) -> bool:
        """Whether it may end its move with those who are in a hex."""
        s, p = self.s, self.s.p
        friends = [unit for unit in s.stack(hex_) if unit != self.unit]
        if friends and not fits(self.facts, p.reduced, [*friends, self.unit]):
            return False
        if self.strategic:
            return self._may_halt(hex_, friends)
        return not any(p.columns >> unit & 1 for unit in friends)

    @rule("12.2", "12.4.2")
    def _may_halt(self, hex_: int, friends: list[int]) -> bool:
        """A column ends alone, but for its own regiment, and not beside another on its road."""
        s, facts, p = self.s, self.facts, self.s.p
        regiment = facts.rows[self.unit].regiment
        if any(
            not (p.columns >> unit & 1 and regiment and facts.rows[unit].regiment == regiment) for unit in friends
        ):
            return False
        beside = facts.ground.open_roads(p.blown).across(1 << hex_)
        return not s.units_in(beside, self.side) & p.columns & ~(1 << self.unit)
