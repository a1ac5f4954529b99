"""One unit on the move, hex by hex (rules 9.2, 10.2, 11 and 12).

A unit need not say how it moves. Its walk keeps the ways that still fit: paying for each hex, with the points of
Extended Movement if it ends away from enemies, or two hexes by Tactical Movement. Only Strategic Movement must be
declared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from heapq import heappop, heappush

from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.steps import StepCosts
from bulge.games.ardennes_44.allowance import Allowance, allowance
from bulge.games.ardennes_44.counters import GERMAN, other
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.limits import boundary, closed_to, crossing_at_echternach
from bulge.games.ardennes_44.situation import Situation, enemy_blocks
from bulge.games.ardennes_44.stacking import fits
from bulge.games.ardennes_44.zones import Bonds

TRAFFIC, BOTTLENECK, BOTTLENECK_TAKEN = 2 * POINT, 4 * POINT, 2 * POINT
FROST = 11
"""From this turn on the ground is frozen (28.1)."""


class Walk:
    """A unit on its way: where it is, what it has spent, and which ways of moving still fit."""

    def __init__(self, s: Situation, unit: int, here: int, *, strategic: int = 0, entering: int = 0) -> None:
        facts, p = s.facts, s.p
        self.s, self.facts, self.unit = s, facts, unit
        self.side = facts.side_of(unit)
        self.path = [here]
        self.strategic = strategic
        """The half points of Strategic Movement; 0 for any other."""
        self.allowed = Allowance(strategic) if strategic else allowance(facts, p, unit)
        self.spent = entering
        self.tactical = not strategic and self.allowed.tactical > 0
        self.hexes = 1 if entering else 0
        """Hexes entered so far; a reinforcement's first is the one by which it comes on."""
        self.stopped = bool(entering and s.zone(other(self.side)) >> here & 1)
        self.alone = p.where[unit] >= 0 and len(s.stack(p.where[unit])) == 1

    @property
    def here(self) -> int:
        return self.path[-1]

    # ------------------------------------------------------------------ what does not change on the way

    @cached_property
    def others(self) -> int:
        """The spaces of friends, without this unit."""
        held = self.s.occupied[self.side]
        return held & ~(1 << self.path[0]) if self.alone else held

    @cached_property
    def closed(self) -> int:
        s = self.s
        closed = s.occupied[other(self.side)] | closed_to(s, self.unit)
        if self.strategic:
            closed |= s.next_to_enemy(self.side) | enemy_blocks(s.p, self.side)
        return closed

    @cached_property
    def zone(self) -> int:
        return self.s.zone(other(self.side))

    @cached_property
    def shunned(self) -> int:
        """Hexes that a Disrupted unit does not enter if it has a choice (18.3)."""
        p = self.s.p
        if not (p.disrupted | p.broken) >> self.unit & 1:
            return 0
        firm = self.s.units_in(-1, self.side) & ~(p.disrupted | p.broken) & ~(1 << self.unit)
        return self.zone & ~union([p.where[unit] for unit in members(firm)])

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
        return found

    @cached_property
    def steps(self) -> StepCosts:
        """What single steps cost this unit."""
        ground, p = self.facts.ground, self.s.p
        if self.strategic:
            return ground.road_steps(p.blown)
        return ground.steps(self.facts.way[self.unit], p.turn >= FROST, p.blown)

    def bonds(self) -> Bonds:
        """The enemy's bonds as they are while the unit stands here: its own presence may break one (10.3)."""
        known, here = self.bonds_of_others, self.here
        if not (known.hexes | known.sides.hexes) >> here & 1:
            return known
        return self.s.bonds_against(other(self.side), self.others | 1 << here)

    @cached_property
    def bonds_of_others(self) -> Bonds:
        """The enemy's bonds as if the unit were nowhere."""
        return self.s.bonds_against(other(self.side), self.others)

    # ------------------------------------------------------------------ the next step

    @rule("9.2.1", "9.2.2", "10.2", "11.1", "11.3", "11.4.1", "11.6", "11.7", "12.2", "12.3", "24.2", "24.7")
    def next_steps(self) -> dict[int, tuple[int, bool]]:
        """Every hex that may be entered now: what has then been spent (-1: too much), and whether tactically."""
        if self.stopped:
            return {}
        s, facts, here = self.s, self.facts, self.here
        bonds, edge = self.bonds(), boundary(s, self.unit)
        costs = dict(self.steps.from_hex(here))
        found = {}
        for to in facts.board.neighbours(here):
            special = crossing_at_echternach(s, self.unit, here, to)
            if self.closed >> to & 1 or edge.between(here, to) or (bonds.bar(here, to) and not special):
                continue
            spent = -1
            if self.spent >= 0 and (cost := costs.get(to)) is not None:
                spent = self.spent + cost + (POINT if self.zone >> here & 1 else 0)
                spent += sum(extra for hexes, extra in self.surcharge if hexes >> to & 1)
                if spent > self.allowed.points + self.allowed.extended:
                    spent = -1
            tactical = self.tactical and self.hexes < self.allowed.tactical and self._tactically(here, to)
            if spent >= 0 or tactical:
                found[to] = spent, tactical
        if self.shunned:
            found = self._with_choice(found)
        return found

    @rule("11.3", "11.4.1", "11.6")
    def _tactically(self, here: int, to: int) -> bool:
        """Whether terrain lets Tactical Movement in: hard hexsides only infantry, and only as the first step."""
        ground, p = self.facts.ground, self.s.p
        if self.facts.way[self.unit] == "vehicle":
            return ground.vehicles_cross(p.blown).between(here, to)
        return self.hexes == 0 or not ground.hard(p.blown).between(here, to)

    @rule("18.3")
    def _with_choice(self, found: dict[int, tuple[int, bool]]) -> dict[int, tuple[int, bool]]:
        """A Disrupted unit stays out of enemy zones; in one, it leaves if it can."""
        free = {to: way for to, way in found.items() if not self.shunned >> to & 1}
        return free if free or not self.shunned >> self.here & 1 else found

    def options(self) -> list[int]:
        """The hexes to enter next from which the move can be ended, there or farther on."""
        return [to for to, how in self.next_steps().items() if self._leads_somewhere(to, how)]

    def _leads_somewhere(self, to: int, how: tuple[int, bool]) -> bool:
        first = self.after(to, how)
        return first.may_stop() or any(ahead.may_stop() for ahead in first.onward())

    def onward(self) -> Iterator[Walk]:
        """Every walk that goes on from here, the cheapest way to each hex first."""
        front: list[tuple[int, int, Walk]] = [(0, 0, self)]
        seen: set[tuple[int, bool]] = set()
        count = 0
        while front:
            at = heappop(front)[2]
            if (at.here, at.tactical) in seen:
                continue
            seen.add((at.here, at.tactical))
            if at is not self:
                yield at
            for to, how in at.next_steps().items():
                if (to, how[1]) not in seen:
                    ahead, count = at.after(to, how), count + 1
                    heappush(front, (ahead.worth, count, ahead))

    @property
    def worth(self) -> int:
        """What the way has cost; one that only Tactical Movement allows comes after all others."""
        return self.spent if self.spent >= 0 else 1000 + self.hexes

    def after(self, to: int, how: tuple[int, bool]) -> Walk:
        """The walk one hex farther on."""
        ahead: Walk = object.__new__(Walk)
        ahead.__dict__.update(self.__dict__)
        ahead.path = [*self.path, to]
        ahead.spent, ahead.tactical = how
        ahead.hexes = self.hexes + 1
        ahead.stopped = bool(self.zone >> to & 1) or crossing_at_echternach(self.s, self.unit, self.here, to)
        return ahead

    def step(self, to: int) -> None:
        ahead = self.after(to, self.next_steps()[to])
        self.__dict__.update(ahead.__dict__)

    # ------------------------------------------------------------------ stopping

    @rule("8.1", "8.3", "11.2", "12.2", "12.4.2")
    def may_stop(self) -> bool:
        """Whether the move may end here: within stacking, off columns, and not next to enemies if extended."""
        s, facts, p = self.s, self.facts, self.s.p
        if len(self.path) == 1 and p.where[self.unit] >= 0:
            return True
        here = self.here
        friends = [unit for unit in s.stack(here) if unit != self.unit]
        if friends and not fits(facts, p.reduced, [*friends, self.unit]):
            return False
        if self.strategic:
            return self._may_halt(friends)
        if any(p.columns >> unit & 1 for unit in friends):
            return False
        if self.tactical or 0 <= self.spent <= self.allowed.points:
            return True
        return not s.next_to_enemy(self.side) >> here & 1

    def _may_halt(self, friends: list[int]) -> bool:
        """A column ends alone, but for its own regiment, and not beside another on its road."""
        s, facts, p = self.s, self.facts, self.s.p
        regiment = facts.rows[self.unit].regiment
        if any(
            not (p.columns >> unit & 1 and regiment and facts.rows[unit].regiment == regiment) for unit in friends
        ):
            return False
        beside = facts.ground.open_roads(p.blown).across(1 << self.here)
        mine = s.units_in(beside, self.side) & p.columns & ~(1 << self.unit)
        return not mine

    @property
    def must_go(self) -> bool:
        """A Disrupted unit that can leave an enemy zone may not stay (18.3)."""
        return (
            len(self.path) == 1
            and bool(self.shunned >> self.here & 1)
            and any(not self.shunned >> to & 1 for to in self.options())
        )

    # ------------------------------------------------------------------ leaving the map

    @rule("11.9.1", "11.9.2", "11.9.3")
    def may_leave_map(self) -> bool:
        """Whether it may go off the map from here: Allies over a friendly edge, Germans by a road that wins."""
        s = self.s
        if self.stopped or (self.strategic and self.side == GERMAN):
            return False
        toll = POINT + (POINT if self.zone >> self.here & 1 else 0)
        paid = 0 <= self.spent <= self.allowed.points - toll
        if not paid and not (self.tactical and self.hexes < self.allowed.tactical):
            return False
        if self.side == GERMAN:
            return bool(s.field.exits >> self.here & 1)
        return self.here in s.field.boxes
