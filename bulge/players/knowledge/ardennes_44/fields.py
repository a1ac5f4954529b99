"""Where it is good for units to stand: what both sides ask, and what lies on which way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from bulge.core.movement import Limits, reach
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.columns import MARKERS, markers_used
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts, Field
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.reach import LEAVE_MAP, STRATEGIC
from bulge.games.ardennes_44.situation import Situation

GOAL = 5.0
FAR = 60
IN_COLUMN, IN_REACH, NO_MARKER = 1.0, 3.0, 100.0
"""What it counts against a hex that one gets there in column, with enemies within four hexes, without a marker."""
LEAVING = 1.0
"""What each attack factor counts that leaves the map by a road that wins."""
BESIDE_PURPOSE = 0.3
"""How far a town draws whoever is after another."""
RESERVES = 6
"""So many hexes from where they come on, reserves are there before anybody."""
MOST_ROAD = 200
"""Half points, more than any road on the map takes."""
PURPOSE, NEARLY = 12.0, 6
"""What it counts to stand on the objective of one's formation; half of it so many hexes from there."""
PURSUIT = 0.15
"""What each factor of a unit counts there where a whole plan is weighed."""
NEAR_ENOUGH, READY = 3, 5.0
"""How far behind the enemy's hexes guns stand best, and what it counts to leave one that can fire."""


@lru_cache(maxsize=128)
def distances(facts: Facts, goals: int, hexes: int) -> dict[int, int]:
    """How many hexes each hex is from the nearest goal."""
    found: dict[int, int] = {}
    ring, distance = goals & hexes, 0
    seen = ring
    while ring:
        found.update(dict.fromkeys(members(ring), distance))
        ring = facts.board.around(ring) & hexes & ~seen
        seen |= ring
        distance += 1
    return found


def wanted(facts: Facts, field: Field) -> int:
    """The victory hexes of a part of the map; Liège counts for nothing where points are counted (S2.4, S3.4)."""
    return facts.victory_hexes & field.hexes & ~(_liege(facts) if field.west_roads else 0)


@lru_cache(maxsize=4)
def _liege(facts: Facts) -> int:
    return union([facts.board.at(row.id) for row in facts.victory if row.group == "liege"])


@lru_cache(maxsize=4)
def on_the_way(facts: Facts) -> int:
    """The victory hexes that count in the campaign, and those on the roads to the Meuse from where tanks start."""
    at, meuse = facts.board.at, members(meuse_towns(facts))
    found = western_towns(facts)
    for start in {at(row.hex) for row in facts.rows if row.side == GERMAN and row.type == "tank" and row.hex}:
        roads = reach(facts.ground.road_steps(0), start, MOST_ROAD, Limits(blocked=_liege(facts)))
        if reached := [hex_ for hex_ in meuse if roads.spaces >> hex_ & 1]:
            found |= union(roads.path(min(reached, key=roads.cost))) & facts.victory_hexes
    return found


@lru_cache(maxsize=4)
def meuse_towns(facts: Facts) -> int:
    return union([facts.board.at(row.id) for row in facts.victory if row.group == "meuse"])


@lru_cache(maxsize=4)
def western_towns(facts: Facts) -> int:
    """The victory hexes of the west sheet, six of which win the campaign."""
    return union([facts.board.at(row.id) for row in facts.victory if row.sheet == "West"])


@lru_cache(maxsize=4)
def aside(facts: Facts) -> int:
    """Liège, and what lies near where Allied reserves come on in the flanks: no way to the Meuse leads there."""
    flanks = union([facts.board.at(row.id) for row in facts.entries if row.blocking])
    return _liege(facts) | facts.board.within(flanks, RESERVES)


def drives(facts: Facts, field: Field) -> int:
    """What draws armour: in the campaign only what leads to the Meuse."""
    goals = wanted(facts, field)
    return goals if field.west_roads else goals & on_the_way(facts)


class Fields:
    side = GERMAN

    def __init__(self, facts: Facts, p: Ardennes44) -> None:
        self.facts, self.p, self.s = facts, p, Situation(facts, p)
        self.sent: dict[int, float] = {}
        """Attack or defence factors that have been sent to each hex."""
        self.enemy = ALLIED if self.side == GERMAN else GERMAN
        hexes = self.s.field.hexes
        self.off = distances(facts, self.s.occupied[self.enemy] & hexes, hexes)
        """How far each hex is from the nearest enemy."""
        self.near = self.s.next_to_enemy(self.side)
        self.markers = MARKERS[self.side] - markers_used(facts, p, self.side)
        self.in_column: set[tuple[int, int]] = set()
        """Units, and hexes to which they would go in column."""
        self.pursued: dict[int, dict[int, int]] = {}
        """For units that have an objective, how far each hex is from it."""

    def pursue(self, objectives: Mapping[int, int]) -> None:
        hexes = self.s.field.hexes
        self.pursued = {unit: distances(self.facts, 1 << hex_, hexes) for unit, hex_ in objectives.items()}

    def in_turn(self, ways: Mapping[int, Mapping[int, object]]) -> list[int]:
        """In which order units are sent."""
        return [*ways]

    def marching(self, units: Iterable[int]) -> frozenset[int]:
        """Who is on its way to its objective, and not to be held up by anything else."""
        return frozenset()

    def pursuit(self, p: Ardennes44) -> float:
        where, value = p.where, self.facts.defence
        return PURSUIT * sum(
            value(unit, p.reduced) * NEARLY / (NEARLY + far.get(where[unit], FAR))
            for unit, far in self.pursued.items()
        )

    def score(self, unit: int, hex_: int, manner: str) -> float:
        """The worth of a hex, less if one gets there, or stays there, in column."""
        if hex_ < 0:
            return 0.0
        score = self.gun(unit, hex_, manner) if self.facts.guns >> unit & 1 else self.worth(unit, hex_)
        if unit in self.pursued:
            score += PURPOSE * NEARLY / (NEARLY + self.pursued[unit].get(hex_, FAR))
        if manner == LEAVE_MAP:
            return score + LEAVING * self.facts.attack(unit, self.p.reduced)
        if manner == STRATEGIC:
            self.in_column.add((unit, hex_))
        elif not (hex_ == self.p.where[unit] and self.p.columns >> unit & 1):
            return score
        score -= IN_COLUMN + (IN_REACH if self.off.get(hex_, FAR) <= 4 else 0.0)
        return score - (NO_MARKER if self.markers <= 0 and not self.p.columns >> unit & 1 else 0.0)

    def worth(self, unit: int, hex_: int) -> float:
        raise NotImplementedError

    def gun(self, unit: int, hex_: int, manner: str) -> float:
        """Guns follow the front, out of the enemy's way; one that has something to fire at does so first."""
        score = -float(abs(self.off.get(hex_, FAR) - NEAR_ENOUGH)) - 3.0 * (self.near >> hex_ & 1)
        in_range = self.off.get(self.p.where[unit], FAR) <= self.facts.rows[unit].range
        ready = in_range and not self.p.fired >> unit & 1
        return score - (READY if ready and hex_ != self.p.where[unit] else 0.0)

    def send(self, unit: int, hex_: int) -> None:
        if hex_ >= 0:
            self.sent[hex_] = self.sent.get(hex_, 0.0) + self.facts.defence(unit, self.p.reduced)
            self.markers -= (unit, hex_) in self.in_column and not self.p.columns >> unit & 1

    def reason(self, unit: int, hex_: int) -> str:
        if self.facts.victory_hexes >> hex_ & 1:
            held = bool(self.p.german_held >> hex_ & 1) == (self.side == GERMAN)
            return f"{'hold' if held else 'take'} a victory hex"
        return "face the enemy" if self.near >> hex_ & 1 else "close up"
