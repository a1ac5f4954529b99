"""Where Allies stand: in a line whose bonds are closed, across the ways that Germans would take, in towns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts, Field
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits
from bulge.games.ardennes_44.supply import Supply
from bulge.players.knowledge.ardennes_44.fields import (
    BESIDE_PURPOSE,
    FAR,
    GOAL,
    Fields,
    distances,
    meuse_towns,
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
IN_CAMPAIGN = 2.0
"""How much more that counts where ways lead to the Meuse."""
GARRISON, AT_CROSSROADS, CROSSROADS = 6.0, 18.0, 4
"""The defence that a town wants, and one where so many primary roads meet."""
REAR, AHEAD = 2.0, 12
"""What a town wants that is not on the Germans' way, or so many hexes from them: reserves march on."""
BRIDGES_AHEAD = 20
"""Towns on the Meuse want somebody as soon as Germans are so near: as far as a column drives in a turn."""
THREAT, ODDS = 6, 3.0
"""Germans within so many hexes threaten a town; against so many attack factors it wants a point of defence."""
BESIDE = 0.4
"""What the hexes beside such crossroads count, as long as these and they want more."""
STEADY = (0.3, 1.5, 2.5)
"""What it counts to stay where one is, by flanks as well."""
COVER, COVERED = 0.6, 8
"""What each point of the bonus for defence counts, within so many hexes of the enemy: nobody hides in the rear."""
RIDGE, BEFORE_IT, RIDGE_WORTH = ("E1833", "E1935"), ("E1731",), 1.0
"""Elsenborn and Kalterherberg: with Bütgenbach and Monschau they are one line, which the campaign holds like towns
that count. Büllingen lies before it, and whoever goes there is surrounded."""
POST = 6.0
"""What it counts for the last in a town of the ridge or of the Meuse to stay: 2nd Division left Elsenborn to tanks
on the first evening, and 75th Division Andenne to whoever came."""
TANKS_ALONE, TANKS_HOLD, WITH_INFANTRY = 1, 0.4, 1.5
"""The bonus of tanks without infantry (15.1), how far a town draws them, and what infantry beside them counts."""
OBJECTIVE = 1.6
"""How much more a town draws those whose objective it is: regiments stood beside Monschau, and cavalry in it."""
AT_PURPOSE = 3
"""Farther than so many hexes from its objective a formation does not stop for ways that could be barred, as 7th
Armored did at Malmedy."""
LOST, CUT_OFF = 0.6, 2.0
"""What ground counts less that Germans were the last to pass, and ground to which no supply comes."""


class AlliedFields(Fields):
    """Who holds the line stays in it; others bar roads, fill towns and gaps, and nobody stands alone."""

    side = ALLIED

    def __init__(self, facts: Facts, p: Ardennes44, ground: Ground) -> None:
        super().__init__(facts, p)
        self.ground = ground
        self.goals = to_hold(facts, self.s.field)
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
        self.manned: dict[int, int] = {}
        """Of units other than tanks, how many stand in each hex, as planned so far."""
        for unit in members(self.s.standing.on_map(ALLIED) & ~facts.guns & ~facts.silhouettes):
            self._man(p.where[unit], 1)
        self.posts = 0 if self.s.field.west_roads else _ridge(facts) | meuse_towns(facts)
        """Towns that the last who is there does not leave."""
        self.making_room: set[int] = set()
        """Who leaves crossroads to somebody stronger who comes there now."""
        self.supplied = Supply(self.s, ALLIED).supplied()
        self.barring: dict[int, float] = {}
        """The worth of the towns to which ways lead that a unit in each hex would bar."""
        self.stakes = 1.0 if self.s.field.west_roads else IN_CAMPAIGN
        self.open = 0
        self._look()

    def _hold(self, hex_: int, defence: float) -> None:
        self.holding[hex_] = self.holding.get(hex_, 0.0) + defence

    def _man(self, hex_: int, more: int) -> None:
        self.manned[hex_] = self.manned.get(hex_, 0) + more

    def in_turn(self, ways: Mapping[int, Mapping[int, object]]) -> list[int]:
        """Who makes room at crossroads goes first, and then whoever comes there."""
        first: list[int] = []
        for hub in {*self.beside.values()}:
            comers = [unit for unit in ways if unit not in first and self._comes(unit, hub) and hub in ways[unit]]
            for comer in sorted(comers, key=self._defence, reverse=True)[:1]:
                first += [*self._make_room(hub, comer, ways), comer]
        return [*first, *(unit for unit in ways if unit not in first)]

    def _comes(self, unit: int, hub: int) -> bool:
        return self.p.where[unit] != hub and self.pursued.get(unit, {}).get(hub, FAR) <= 2

    def _make_room(self, hub: int, comer: int, ways: Mapping[int, Mapping[int, object]]) -> list[int]:
        """The weakest who must leave so that somebody finds room; nobody if more would go than come."""
        there = (unit for unit in self.s.stack(hub) if not self.facts.guns >> unit & 1)
        staying = sorted(there, key=self._defence, reverse=True)
        leaving: list[int] = []
        while staying and not fits(self.facts, self.p.reduced, [*staying, comer]):
            leaving.append(staying.pop())
        if sum(map(self._defence, leaving)) > self._defence(comer) or not ways.keys() >= {*leaving}:
            return []
        self.making_room |= {*leaving}
        return leaving

    def _defence(self, unit: int) -> int:
        return self.facts.defence(unit, self.p.reduced)

    def _look(self) -> None:
        """What Germans could do next turn, as planned so far."""
        s = Situation(self.facts, self.p)
        wanting = {
            hex_: self.ground.worth_at.get(hex_, RIDGE_WORTH) * max(0.0, 1.0 - self.holding.get(hex_, 0.0) / wants)
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
        others = self.holding.get(hex_, 0.0) - (defence if hex_ == p.where[unit] else 0.0)
        score = self._cover(unit, hex_) - 0.15 * self.to_goal.get(hex_, FAR) - 0.2 * far
        score += self._stakes(unit, hex_) * min(MOST_IN_THE_WAY, IN_THE_WAY * self.barring.get(hex_, 0.0))
        score += self._drawn(unit, hex_, others)
        if not facts.silhouettes >> unit & 1 or self._tanks_alone(unit, hex_):
            score -= 0.25 * others
        elif far <= FRONT:
            score += WITH_INFANTRY
        if far <= FRONT:
            flanks = self._flanks(unit, hex_)
            score += LINKED[flanks]
            if hex_ == p.where[unit]:
                score += STEADY[flanks] if self.supplied >> hex_ & 1 else 0.0
        if hex_ == p.where[unit] and self.posts >> hex_ & 1 and not others:
            score += POST
        if self.near >> hex_ & 1:
            score -= 1.0 if defence < 4 else 0.0
            score -= 6.0 if (p.disrupted | p.broken) >> unit & 1 else 0.0
        if not self.supplied >> hex_ & 1:
            score -= CUT_OFF
        return score - (LOST if p.german_held >> hex_ & 1 and hex_ not in self.garrison else 0.0)

    def _stakes(self, unit: int, hex_: int) -> float:
        """How much ways count that are barred: less for who is on its way to where it is wanted."""
        return 1.0 if self.pursued.get(unit, {}).get(hex_, 0) > AT_PURPOSE else self.stakes

    def _tanks_alone(self, unit: int, hex_: int) -> bool:
        return bool(self.facts.silhouettes >> unit & 1 and not self.manned.get(hex_))

    def _cover(self, unit: int, hex_: int) -> float:
        """What the ground of a hex counts for a unit."""
        if self.off.get(hex_, FAR) > COVERED:
            return 0.0
        bonus = max(self.facts.ground.hex_bonus(hex_), 2 * (self.p.improved >> hex_ & 1))
        if self._tanks_alone(unit, hex_):
            bonus = min(bonus, TANKS_ALONE)
        return COVER * min(bonus, self._defence(unit))

    def _drawn(self, unit: int, hex_: int, others: float) -> float:
        """What a town counts that wants a garrison, or a hex beside such crossroads, by what others hold there."""
        defence = self._defence(unit)
        if hex_ in self.beside and hex_ not in self.garrison:
            hub = self.beside[hex_]
            need = max(0.0, self.garrison[hub] - others - self.holding.get(hub, 0.0))
            return BESIDE * GOAL * min(defence, need) / GARRISON
        if hex_ not in self.garrison or (unit in self.making_room and hex_ == self.p.where[unit]):
            return 0.0
        need = max(0.0, self.garrison[hex_] - others)
        serves = min(defence, need) if others else need  # the first is better than nobody, however weak
        drawn = GOAL * serves / GARRISON * (1.0 if self.open >> hex_ & 1 else 8 / (8 + self.off.get(hex_, FAR)))
        drawn *= TANKS_HOLD if self._tanks_alone(unit, hex_) else 1.0
        far = self.pursued.get(unit, {}).get(hex_, 1)
        return drawn * (OBJECTIVE if far == 0 else BESIDE_PURPOSE if far > 1 else 1.0)

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
        if not self.facts.silhouettes >> unit & 1:
            self._man(here, -1)
            self._man(hex_, 1)
        if unit in self.forming:
            self.line[here] -= 1
        if hex_ >= 0 and (unit, hex_) not in self.in_column:
            self.line[hex_] = self.line.get(hex_, 0) + 1
        self.changed = self.changed or self.barring.get(hex_, 0.0) > 0 or self.off.get(here, FAR) <= FRONT


def to_hold(facts: Facts, field: Field) -> int:
    """The towns that Allies hold: those that count, and in the campaign the line of the northern shoulder."""
    towns = wanted(facts, field)
    if field.west_roads:
        return towns
    before_it = union([facts.board.at(hex_) for hex_ in BEFORE_IT])
    return towns & ~before_it | _ridge(facts)


def _ridge(facts: Facts) -> int:
    return union([facts.board.at(hex_) for hex_ in RIDGE])


def garrisons(facts: Facts, s: Situation) -> dict[int, float]:
    """The defence that each town wants now: in the campaign also those aside, as far as Germans threaten them."""
    wants = in_peace(facts, s)
    if s.field.west_roads:
        return wants
    return {hex_: max(want, threat(facts, s, hex_)) for hex_, want in wants.items()}


def in_peace(facts: Facts, s: Situation) -> dict[int, float]:
    """The defence that each town wants for its roads, whoever is near."""
    goals = to_hold(facts, s.field)
    on_way = goals if s.field.west_roads else on_the_way(facts)
    german = s.occupied[GERMAN] & s.field.hexes
    before_them = on_way & facts.board.within(german, AHEAD)
    before_them |= goals & meuse_towns(facts) & facts.board.within(german, BRIDGES_AHEAD)
    return {hex_: _garrison(facts, hex_) if before_them >> hex_ & 1 else REAR for hex_ in members(goals)}


def threat(facts: Facts, s: Situation, town: int) -> float:
    """The defence that a town wants against those Germans who are near it: as much as crossroads at most."""
    near, where = facts.board.within(1 << town, THREAT), s.p.where
    factors = sum(
        facts.attack(unit, s.p.reduced)
        for unit in facts.units_of[GERMAN]
        if where[unit] >= 0 and near >> where[unit] & 1
    )
    return min(AT_CROSSROADS, factors / ODDS)


def _garrison(facts: Facts, hex_: int) -> float:
    """The defence that a town wants."""
    primary, next_to = facts.ground.primary, facts.board.next_to
    town = members((1 << hex_ | next_to(hex_)) & facts.victory_hexes)
    roads = max(sum(primary.between(part, beside) for beside in members(next_to(part))) for part in town)
    return AT_CROSSROADS if roads >= CROSSROADS else GARRISON


@lru_cache(maxsize=4)
def crossroads(facts: Facts) -> int:
    """The towns, such as St. Vith and Bastogne, that want a strong garrison for their roads."""
    return union([hex_ for hex_ in members(facts.victory_hexes) if _garrison(facts, hex_) >= AT_CROSSROADS])


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
