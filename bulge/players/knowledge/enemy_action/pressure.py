"""Where the Germans would drive if nobody did anything about it, and what a unit in their way is worth.

A flood of costs runs from the Germans to everything they earn points with: roads are quick; rivers, zones and
garrisons hold them up. What they can reach in one move is as good as lost, what lies farther off is threatened
less. A unit on the cheapest way to a goal, or whose zone covers it, takes some of that threat away, and one that
stands in the goal most of it.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from bulge.core.spaces import members, union
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.supply import intact_bridges

FORD, ZONE, BLOCK = 5, 4, 4
"""What holds a drive up, in movement points: a river without a bridge, a zone of control, a roadblock."""
GARRISON = 3
"""Whoever stands in the way must be attacked first; his strength comes on top."""
TOWN = 2
MASSED = 8.0
ONE_MOVE, SPREAD = 9.0, 2.5
"""How far a goal is that is taken in the next move as often as not, and how sharply that falls off."""
SOON, FADES = 0.7, 12.0
"""How much of a threat is about the next move; the rest fades by a factor of e every so many points."""
GOES_ROUND = 0.5
"""How much of a threat a block on the way takes away, compared with one in the goal: there are other ways."""
MEUSE_WORTH = 2.0
LEAVING_FROM, MOST_LEAVING = 9, 24.0
"""Who leaves the map counts twice his strength; of those so near to an exit half may, up to so many points."""
SHUT = 0.2
"""How much of the threat to an exit is left while an Allied zone shuts it (10.91)."""
FARTHEST = 50

Links = dict[int, list[tuple[int, int]]]


@lru_cache(maxsize=4)
def links(facts: Facts, intact: int) -> Links:
    """From each hex where to, and at what price, for mechanized units; rivers without a bridge included."""
    steps = facts.costs("mechanized", intact)
    found: Links = {}
    for hex_ in members(facts.board.all):
        there = dict(steps.from_hex(hex_))
        for to in members(facts.board.next_to(hex_)):
            if facts.river_side(hex_, to) >= 0 and not intact >> facts.river_side(hex_, to) & 1:
                there[to] = FORD
        found[hex_] = list(there.items())
    return found


@lru_cache(maxsize=1024)
def likely(cost: int) -> float:
    """How likely the Germans take what is so many points away from them."""
    return SOON / (1 + exp((cost - ONE_MOVE) / SPREAD)) + (1 - SOON) * exp(-cost / FADES)


@lru_cache(maxsize=64)
def near_to(facts: Facts, exit_: int) -> int:
    return facts.board.within(1 << exit_, LEAVING_FROM)


class Threat:
    """A goal of the Germans: how much it is worth to them, how far it is, and by which way."""

    __slots__ = ("cost", "goal", "much", "origin", "way", "worth")

    def __init__(self, goal: int, worth: float, cost: int, way: int, origin: int) -> None:
        self.goal, self.worth, self.cost, self.way, self.origin = goal, worth, cost, way, origin
        self.much = worth * likely(cost)

    def less(self, delay: int) -> float:
        """How much of it goes away if it takes them so many points more."""
        return self.much - self.worth * likely(self.cost + delay)


class Pressure:
    """The threats as things stand; `without`: as if this unit were not there."""

    def __init__(self, facts: Facts, s: Situation, without: int | None = None) -> None:
        self.facts = facts
        self.s = s if without is None else s.without(without)
        self._cost, self._from = self._flood()
        ways_out = self._ways_out()
        self.exits = union(ways_out)
        leaving = ((goal, open_ * self._leaving(goal)) for goal, open_ in ways_out.items())
        goals = [*self._goals().items(), *leaving]
        self.threats = [threat for goal in goals if (threat := self._threat(*goal))]

    def _flood(self) -> tuple[list[int], dict[int, int]]:
        """What it costs them to get to each hex, FARTHEST if it is out of reach, and from where they come."""
        s, facts = self.s, self.facts
        links_ = links(facts, intact_bridges(facts, s.p))
        size = facts.board.all.bit_length()
        extra = [0] * size
        for hex_, delay in self._delays().items():
            extra[hex_] = delay
        cost, came = [FARTHEST] * size, {}
        buckets: list[list[int]] = [[] for _ in range(FARTHEST + 1)]
        buckets[0] = members(s.occupied[GERMAN])
        for hex_ in buckets[0]:
            cost[hex_] = 0
        for spent, bucket in enumerate(buckets):
            for hex_ in bucket:
                if cost[hex_] == spent:
                    for to, price in links_[hex_]:
                        total = spent + price + extra[to]
                        if total < cost[to]:
                            cost[to], came[to] = total, hex_
                            buckets[total].append(to)
        return cost, came

    def _delays(self) -> dict[int, int]:
        s = self.s
        found = dict.fromkeys(members(s.zones[ALLIED]), ZONE)
        for hex_ in members(s.p.roadblocks):
            found[hex_] = found.get(hex_, 0) + BLOCK
        for hex_, units in s.stacks[ALLIED].items():
            found[hex_] = found.get(hex_, 0) + GARRISON + self.stand(hex_, units)
        return found

    def stand(self, hex_: int, units: list[int]) -> int:
        """How long units hold a hex beyond the bare need to attack them."""
        s, facts = self.s, self.facts
        strength = sum(s.strength(unit) for unit in units)
        shelter = TOWN if (facts.towns | s.p.positions) >> hex_ & 1 else 0
        return round(strength + strength * strength / MASSED) + shelter + (facts.by_terrain["forest"] >> hex_ & 1)

    def _goals(self) -> dict[int, float]:
        s, facts = self.s, self.facts
        worth = {hex_: float(facts.vp[hex_]) for hex_ in members(s.allied_vp)}
        if not s.p.crossed:
            for hex_ in members(facts.meuse & facts.towns):
                worth[hex_] = worth.get(hex_, 0.0) + MEUSE_WORTH
        return worth

    def _ways_out(self) -> dict[int, float]:
        """The exits, and how likely each is open; an army's next objective may be one more (9.11)."""
        facts, p = self.facts, self.s.p
        found = dict.fromkeys(members(facts.exits | p.exits), 1.0)
        for objective, table in zip(p.objective, p.table, strict=True):
            at = facts.board.name(objective) if objective >= 0 else ""
            for row in facts.objectives:
                if at and row.exit and (row.at, row.table) == (at, table + 1):
                    found.setdefault(facts.board.at(row.to), (row.die_to - row.die_from + 1) / 10)
        return found

    def _leaving(self, exit_: int) -> float:
        """What the Germans near an exit would earn by leaving the map there."""
        s = self.s
        near = s.units_in(near_to(self.facts, exit_), GERMAN)
        worth = min(MOST_LEAVING, float(sum(map(s.strength, near))))
        return worth * SHUT if s.zones[ALLIED] >> exit_ & 1 else worth

    def _threat(self, goal: int, worth: float) -> Threat | None:
        cost = self._cost[goal]
        if cost == FARTHEST:
            return None
        way, hex_ = 1 << goal, goal
        while hex_ in self._from:
            hex_ = self._from[hex_]
            way |= 1 << hex_
        return Threat(goal, worth, cost, way, hex_)

    @property
    def total(self) -> float:
        return sum(threat.much for threat in self.threats)

    def cost_to(self, hex_: int) -> int:
        """How far the Germans are from a hex, in points with all that holds them up."""
        return self._cost[hex_]

    def relief(self, hex_: int, unit: int) -> float:
        """How much of all threats a unit would take away from there, if it is not among those who stand now."""
        s, facts = self.s, self.facts
        held = s.stacks[ALLIED].get(hex_, [])
        here = 1 << hex_
        delay = (
            self.stand(hex_, [*held, unit]) - self.stand(hex_, held)
            if held
            else GARRISON + self.stand(hex_, [unit])
        )
        ring = 0 if s.bracketed(unit) else facts.board.next_to(hex_) & ~s.zones[ALLIED] & ~s.occupied[ALLIED]
        found = 0.0
        for threat in self.threats:
            if threat.goal == hex_:
                found += threat.less(delay)
            elif self.exits & ring & 1 << threat.goal:
                found += threat.much * (1 - SHUT)
            elif threat.way & here:
                found += threat.less(delay) * GOES_ROUND
            elif threat.way & ring:
                found += threat.less(ZONE) * GOES_ROUND
        return found

    def across(self, one: int, two: int) -> float:
        """How much of what threatens would go away without the bridge between two hexes."""
        both = 1 << one | 1 << two
        ways = (threat for threat in self.threats if threat.way & both == both)
        return GOES_ROUND * sum(threat.less(FORD) for threat in ways)

    def through(self, hex_: int) -> float:
        """How much of what threatens on its way through a hex a roadblock there would take away."""
        ways = (threat for threat in self.threats if threat.way >> hex_ & 1 and threat.goal != hex_)
        return GOES_ROUND * sum(threat.less(BLOCK) for threat in ways)
