"""Where Allies stand: in a line whose bonds are closed, across the ways that Germans would take, in towns."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from bulge.core.spaces import members
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import Supply
from bulge.players.knowledge.ardennes_44.fields import (
    BESIDE_PURPOSE,
    FAR,
    GOAL,
    Fields,
    distances,
    on_the_way,
    wanted,
)
from bulge.players.knowledge.ardennes_44.ground import Ground

LINKED = (0.0, 0.8, 2.0)
"""What it counts to be in touch with nobody, with a friend on one flank, and on both."""
FRONT = 4
"""A line is held within so many hexes of the enemy."""
IN_THE_WAY, MOST_IN_THE_WAY = 0.8, 4.0
"""What each town counts to which a way would be barred, and the most that counts."""
GARRISON, AT_CROSSROADS, CROSSROADS = 6.0, 18.0, 4
"""The defence that a town wants, and one where so many primary roads meet."""
REAR, AHEAD = 2.0, 12
"""What a town wants that is not on the Germans' way, or so many hexes from them: reserves march on."""
THREAT, ODDS = 6, 3.0
"""Germans within so many hexes threaten a town; against so many attack factors it wants a point of defence."""
BESIDE = 0.4
"""What the hexes beside such crossroads count, as long as these and they want more."""
STEADY = (0.3, 1.5, 2.5)
"""What it counts to stay where one is, by flanks as well."""
COVER, COVERED = 0.6, 8
"""What each point of the bonus for defence counts, within so many hexes of the enemy: nobody hides in the rear."""
LOST, CUT_OFF = 0.6, 2.0
"""What ground counts less that Germans were the last to pass, and ground to which no supply comes."""


class AlliedFields(Fields):
    """Who holds the line stays in it; others bar roads, fill towns and gaps, and nobody stands alone."""

    side = ALLIED

    def __init__(self, facts: Facts, p: Ardennes44, ground: Ground) -> None:
        super().__init__(facts, p)
        self.ground = ground
        self.goals = wanted(facts, self.s.field)
        self.to_goal = distances(facts, self.goals & ~p.german_held, self.s.field.hexes)
        self.garrison = garrisons(facts, self.s)
        self.beside = {
            beside: hex_
            for hex_, wants in self.garrison.items()
            if wants > GARRISON
            for beside in members(facts.board.next_to(hex_))
        }
        """For each hex beside crossroads these."""
        loose = p.disrupted | p.broken | p.columns | facts.guns
        self.line: dict[int, int] = {}
        """Of units that can form bonds, how many stand in each hex."""
        self.forming = [
            unit for unit in facts.units_of[ALLIED] if facts.on_map(p.where[unit]) and not loose >> unit & 1
        ]
        for unit in self.forming:
            self.line[p.where[unit]] = self.line.get(p.where[unit], 0) + 1
        self.holding: dict[int, float] = {}
        """The defence that stands in each hex, as planned so far: who has no orders yet is where he is."""
        for unit in members(self.s.standing.on_map(ALLIED) & ~facts.guns):
            self._hold(p.where[unit], facts.defence(unit, p.reduced))
        self.supplied = Supply(self.s, ALLIED).supplied()
        self.barring: dict[int, float] = {}
        """The worth of the towns to which ways lead that a unit in each hex would bar."""
        self.open = 0
        self._look()

    def _hold(self, hex_: int, defence: float) -> None:
        self.holding[hex_] = self.holding.get(hex_, 0.0) + defence

    def _look(self) -> None:
        """What Germans could do next turn, as planned so far."""
        s = Situation(self.facts, self.p)
        wanting = {
            hex_: self.ground.worth_at[hex_] * max(0.0, 1.0 - self.holding.get(hex_, 0.0) / wants)
            for hex_, wants in self.garrison.items()
            if not self.p.german_held >> hex_ & 1
        }
        self.open, self.barring = self.ground.ways_open(s, self.ground.stacks.of(s)[GERMAN], wanting)
        self.changed = False

    def score(self, unit: int, hex_: int, manner: str) -> float:
        if self.changed:
            self._look()
        return super().score(unit, hex_, manner)

    def worth(self, unit: int, hex_: int) -> float:
        facts, p = self.facts, self.p
        far, defence = self.off.get(hex_, FAR), facts.defence(unit, p.reduced)
        bonus = max(facts.ground.hex_bonus(hex_), 2 * (p.improved >> hex_ & 1))
        cover = COVER * min(bonus, defence) if far <= COVERED else 0.0
        score = cover - 0.15 * self.to_goal.get(hex_, FAR) - 0.2 * far
        score += min(MOST_IN_THE_WAY, IN_THE_WAY * self.barring.get(hex_, 0.0))
        others = self.holding.get(hex_, 0.0) - (defence if hex_ == p.where[unit] else 0.0)
        if hex_ in self.garrison:
            need = max(0.0, self.garrison[hex_] - others)
            serves = min(defence, need) if others else need  # the first is better than nobody, however weak
            drawn = GOAL * serves / GARRISON * (1.0 if self.open >> hex_ & 1 else 8 / (8 + far))
            score += drawn * (BESIDE_PURPOSE if self.pursued.get(unit, {}).get(hex_, 0) > 1 else 1.0)
        elif hex_ in self.beside:
            hub = self.beside[hex_]
            need = max(0.0, self.garrison[hub] - others - self.holding.get(hub, 0.0))
            score += BESIDE * GOAL * min(defence, need) / GARRISON
        score -= 0.25 * others
        if far <= FRONT:
            flanks = self._flanks(unit, hex_)
            score += LINKED[flanks]
            if hex_ == p.where[unit]:
                score += STEADY[flanks] if self.supplied >> hex_ & 1 else 0.0
        if self.near >> hex_ & 1:
            score -= 1.0 if defence < 4 else 0.0
            score -= 6.0 if (p.disrupted | p.broken) >> unit & 1 else 0.0
        if not self.supplied >> hex_ & 1:
            score -= CUT_OFF
        return score - (LOST if p.german_held >> hex_ & 1 and hex_ not in self.garrison else 0.0)

    def _flanks(self, unit: int, hex_: int) -> int:
        """On how many flanks a unit there would be in touch with a friend; on two, if they lie well apart."""
        places, edge = _places(self.facts, hex_)
        touched, here = edge, self.p.where[unit]
        for other, place in places.items():
            count = self.line.get(other, 0)
            if count > (other == here and unit in self.forming):
                touched |= 1 << place
        return _FLANKS[touched]

    def send(self, unit: int, hex_: int) -> None:
        super().send(unit, hex_)
        here = self.p.where[unit]
        if hex_ == here or self.facts.guns >> unit & 1:
            return
        self._hold(here, -self.facts.defence(unit, self.p.reduced))
        self._hold(hex_, self.facts.defence(unit, self.p.reduced))
        if unit in self.forming:
            self.line[here] -= 1
        if hex_ >= 0 and (unit, hex_) not in self.in_column:
            self.line[hex_] = self.line.get(hex_, 0) + 1
        self.changed = self.changed or self.barring.get(hex_, 0.0) > 0 or self.off.get(here, FAR) <= FRONT


def garrisons(facts: Facts, s: Situation) -> dict[int, float]:
    """The defence that each town wants now: in the campaign also those aside, as far as Germans threaten them."""
    goals = wanted(facts, s.field)
    on_way = goals if s.field.west_roads else on_the_way(facts)
    ahead = facts.board.within(s.occupied[GERMAN] & s.field.hexes, AHEAD)
    wants = {hex_: _garrison(facts, hex_) if (on_way & ahead) >> hex_ & 1 else REAR for hex_ in members(goals)}
    if s.field.west_roads:
        return wants
    return {hex_: max(want, min(AT_CROSSROADS, threat(facts, s, hex_))) for hex_, want in wants.items()}


def threat(facts: Facts, s: Situation, town: int) -> float:
    """The defence that a town wants against those Germans who are near it."""
    near, where = facts.board.within(1 << town, THREAT), s.p.where
    factors = sum(
        facts.attack(unit, s.p.reduced)
        for unit in facts.units_of[GERMAN]
        if where[unit] >= 0 and near >> where[unit] & 1
    )
    return factors / ODDS


def _garrison(facts: Facts, hex_: int) -> float:
    """The defence that a town wants."""
    primary, next_to = facts.ground.primary, facts.board.next_to
    town = members((1 << hex_ | next_to(hex_)) & facts.victory_hexes)
    roads = max(sum(primary.between(part, beside) for beside in members(next_to(part))) for part in town)
    return AT_CROSSROADS if roads >= CROSSROADS else GARRISON


@lru_cache(maxsize=4096)
def _places(facts: Facts, hex_: int) -> tuple[dict[int, int], int]:
    """The hexes with which one forms a line, each with its place among twelve around; and places off the map."""
    board, found, edge = facts.board, {}, 0
    for direction in range(6):
        beside = board.neighbour(hex_, direction)
        if beside < 0:
            edge |= 1 << 2 * direction
            continue
        found[beside] = 2 * direction
        for turn in (0, 1):
            beyond = board.neighbour(beside, (direction + turn) % 6)
            if beyond >= 0:
                found[beyond] = 2 * direction + turn
    return found, edge


def _apart(one: int, other: int) -> int:
    return min((one - other) % 12, (other - one) % 12)


def _count_flanks(touched: int) -> int:
    places = members(touched)
    both = any(_apart(one, other) >= 4 for one, other in combinations(places, 2))
    return 2 if both else bool(places)


_FLANKS = [int(_count_flanks(touched)) for touched in range(1 << 12)]
