"""Where Germans stand: near towns that are not taken, together against who holds them, across his supply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bulge.core.movement import Limits, reach
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import Supply
from bulge.players.knowledge.ardennes_44.defence import crossroads
from bulge.players.knowledge.ardennes_44.fields import (
    BESIDE_PURPOSE,
    FAR,
    GOAL,
    MOST_ROAD,
    Fields,
    distances,
    drives,
    wanted,
    western_towns,
)
from bulge.players.knowledge.ardennes_44.missions import is_firm

PULL, MASS, CONTACT = 6.0, 1.2, 0.6
ON_ITS_WAY, IN_PASSING = 4, 0.3
"""Farther than so many hexes from its objective armour masses so much less against who stands beside its way: half
of the SS divisions fought for Elsenborn and Eupen while their tanks were before Hotton."""
ALONE, COMPANY = 4.0, 4
"""What it counts against a hex that no other German is within so many hexes of it."""
TOO_FAR_AHEAD, SPEARHEADS = 9.0, 5
"""What that counts in a campaign, where objectives draw far: for all until this turn, and from then on for all but
armour. Regiments on foot went to Liège alone on trucks, and rocket launchers to the Meuse."""
FARTHER = 2.0
"""What each hex counts there that one is farther from others: a battalion alone was in Huy on the 19th."""
SECTORS = {
    "3FJ": ("E2531", "E2830"),
    "18": ("E2125",),
    "62": ("E2125", "E2826"),
    "560": ("E3219", "E3821"),
    "26": ("E2712", "E3313", "E3414"),
    "5FJ": ("E2712", "E3306"),
    "352": ("E2008", "E2107"),
}
"""In the campaign, the towns that divisions on foot take before others. All went for the nearest: five divisions
met before St. Vith, 26th Volksgrenadier stood at La Roche, and nobody in Patton's way."""
FLANK = ("5FJ", "352")
"""Divisions of Seventh Army, which guards the flank: they leave neither their sectors nor a town in them empty."""
POST = 8.0
"""What it counts to stay in such a town, or in one of the west, for the last who is there."""
LIFELINE, AROUND_HUB, NEAR_HUB = 4.0, 6, 4
"""What it counts to shut the road by which crossroads that hold are supplied, within so many hexes of them; with
Germans so near to them."""


class GermanFields(Fields):
    """Towards towns that are not taken, and together against who stands before them."""

    side = GERMAN

    def __init__(self, facts: Facts, p: Ardennes44) -> None:
        super().__init__(facts, p)
        hexes = self.s.field.hexes
        goals = wanted(facts, self.s.field) & ~p.german_held
        self.in_campaign = not self.s.field.west_roads
        self.goals = {"foot": goals, "armour": goals & drives(facts, self.s.field)}
        """What draws units on foot, what draws the others, and what draws divisions that have a sector."""
        self.posts: dict[str, int] = {}
        """The towns that each division does not leave empty, and those of the west, which nobody does."""
        self.won = 0
        if self.in_campaign:
            self.goals |= _in_sectors(facts, p)
            self.posts = {division: _sector(facts, division) for division in FLANK}
            self.won = western_towns(facts)
        self.far = {
            kind: distances(facts, wants or self.s.field.exits, hexes) for kind, wants in self.goals.items()
        }
        self.west = distances(facts, self.s.field.exits, hexes)
        self.massed: dict[int, float] = {}
        self.to_company = distances(facts, self._company(), hexes)
        self.company = facts.board.within(self._company(), COMPANY)
        self.lifelines = self.shut = 0
        """Where roads supply crossroads that hold, and where they would if nobody shut them."""
        if self.in_campaign:
            german = self.s.occupied[GERMAN] & hexes
            self.lifelines = lifelines(facts, self.s, german)
            self.shut = lifelines(facts, self.s, german & ~facts.board.within(crossroads(facts), AROUND_HUB))

    def _company(self) -> int:
        """Where those stand whom others may follow: in the campaign neither guns nor who is cut off."""
        there = self.s.occupied[GERMAN] & self.s.field.hexes
        if not self.in_campaign:
            return there
        fighting = members(self.s.standing.on_map(GERMAN) & ~self.facts.guns)
        return there & union([self.p.where[unit] for unit in fighting]) & Supply(self.s, GERMAN).supplied()

    def _kind(self, unit: int) -> str:
        division = self.facts.rows[unit].division
        if division in self.goals:
            return division
        return "foot" if self.facts.way[unit] == "foot" else "armour"

    def worth(self, unit: int, hex_: int) -> float:
        kind = self._kind(unit)
        far = self.pursued.get(unit, self.far[kind])
        score = PULL * 6 / (6 + far.get(hex_, FAR)) - 0.12 * self.west.get(hex_, FAR)
        if self.goals[kind] >> hex_ & 1:
            score += GOAL * (1.0 if far.get(hex_, FAR) == 0 else BESIDE_PURPOSE)
        score -= self._alone(unit, hex_)
        if hex_ == self.p.where[unit] and (self.posts.get(kind, 0) | self.won) >> hex_ & 1:
            score += 0.0 if self.sent.get(hex_) else POST
        if unit not in self.pursued and self._shuts(unit, hex_):
            score += LIFELINE
        if self.near >> hex_ & 1:
            score += CONTACT + MASS * self._stakes(unit, hex_) * self._prospect(unit, hex_)
            score -= 4.0 if (self.p.disrupted | self.p.broken) >> unit & 1 else 0.0
        return score

    def marching(self, units: Iterable[int]) -> frozenset[int]:
        """Armour that is on its way west. Planners that weighed each turn by itself fought for every town of the
        east with it, and hardly came to the Meuse."""
        return frozenset(unit for unit in units if self._on_its_way(unit, self.p.where[unit]))

    def _on_its_way(self, unit: int, hex_: int) -> bool:
        return self.pursued.get(unit, {}).get(hex_, 0) > ON_ITS_WAY

    def _stakes(self, unit: int, hex_: int) -> float:
        """How far attacks count that could be made from a hex."""
        return IN_PASSING if self._on_its_way(unit, hex_) else 1.0

    def _shuts(self, unit: int, hex_: int) -> bool:
        """Whether a unit would shut a road there, or shuts one where it is."""
        return bool((self.lifelines | (self.shut if hex_ == self.p.where[unit] else 0)) >> hex_ & 1)

    def _alone(self, unit: int, hex_: int) -> float:
        """What it counts against a hex that nobody else is near."""
        if self.company >> hex_ & 1:
            return 0.0
        if not self.in_campaign:
            return ALONE
        spearhead = self.facts.way[unit] != "foot" and not self.facts.guns >> unit & 1
        alone = ALONE if spearhead and self.p.turn >= SPEARHEADS else TOO_FAR_AHEAD
        return alone + FARTHER * (self.to_company.get(hex_, FAR) - COMPANY)

    def gun(self, unit: int, hex_: int, manner: str) -> float:
        """Guns do not drive ahead of the army either."""
        return super().gun(unit, hex_, manner) - self._alone(unit, hex_)

    def _prospect(self, unit: int, hex_: int) -> float:
        """How good the odds get against the weakest neighbour with those who are already there."""
        facts, p, s = self.facts, self.p, self.s
        own = facts.attack(unit, p.reduced)
        best = 0.0
        for target in members(facts.board.next_to(hex_) & s.occupied[ALLIED]):
            defence = sum(facts.defence(mate, p.reduced) for mate in s.stack(target))
            defence += facts.ground.hex_bonus(target)
            odds = (self.massed.get(target, 0.0) + own) / max(1, defence)
            best = max(best, min(odds, 4.0))
        return best

    def send(self, unit: int, hex_: int) -> None:
        super().send(unit, hex_)
        if hex_ < 0:
            return
        if not self.in_campaign:  # there whole divisions ran ahead together, 1st SS to Huy by the 20th
            self.company |= self.facts.board.within(1 << hex_, COMPANY)
        own = self.facts.attack(unit, self.p.reduced)
        for target in members(self.facts.board.next_to(hex_) & self.s.occupied[ALLIED]):
            self.massed[target] = self.massed.get(target, 0.0) + own
        if self.lifelines >> hex_ & 1:
            self.lifelines = lifelines(self.facts, self.s, self.s.occupied[GERMAN] | union([*self.sent]))


def _in_sectors(facts: Facts, p: Ardennes44) -> Mapping[str, int]:
    """What divisions that have a sector go for; those that guard the flank stay where they have got it."""
    found = {}
    for division in SECTORS:
        towns = _sector(facts, division)
        if left := towns & ~p.german_held or towns * (division in FLANK):
            found[division] = left
    return found


def _sector(facts: Facts, division: str) -> int:
    return union([facts.board.at(hex_) for hex_ in SECTORS[division]])


def lifelines(facts: Facts, s: Situation, german: int) -> int:
    """The hexes on and beside roads by which crossroads that hold are supplied, with Germans in these hexes."""
    board, allied = facts.board, s.occupied[ALLIED]
    shut = (german | board.around(german)) & ~allied
    roads, found = facts.ground.road_steps(s.p.blown), 0
    sources = s.field.sources[ALLIED] & ~shut
    for hub in members(crossroads(facts) & allied & board.within(s.occupied[GERMAN], NEAR_HUB)):
        if not is_firm(facts, s, hub):
            continue
        ways = reach(roads, hub, MOST_ROAD, Limits(blocked=shut & ~(1 << hub)), until=sources)
        if reached := members(sources & ways.spaces):
            way = union(ways.path(min(reached, key=ways.cost)))
            found |= (way | board.around(way)) & board.within(1 << hub, AROUND_HUB)
    return found & ~allied
