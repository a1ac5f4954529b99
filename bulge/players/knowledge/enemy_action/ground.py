"""The ground of Enemy Action as an Allied commander sees it: where a unit does most, and what it risks there."""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import exp

from bulge.core.spaces import members
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts
from bulge.games.enemy_action.movement import allied_moves, may_move
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import attack_strength, defence_strength, defending
from bulge.players.knowledge.enemy_action.assaults import LEAST_ODDS, Assault, Assaults
from bulge.players.knowledge.enemy_action.fights import STEP, UNIT, attack_on, dear, worth_of_attack
from bulge.players.knowledge.enemy_action.pressure import Pressure

COVER = {"clear": 0.0, "broken": 0.05, "woods": 0.1, "forest": 0.2}
DUG_IN, RALLIED = 0.1, 0.4
WALL_WORTH, WALL_FROM = 4.0, 17
"""An Allied unit in the Westwall costs the Germans five points, if it is not thrown out again."""
LIKELY = 0.6
"""How likely those who stand beside a unit are activated before it can leave."""
BEHIND, MORE_CHITS = 0.35, 2
"""How much Germans a hex farther back count, and how many chits come on top of one a unit."""
HITS_AT_EVEN, HITS_BY_ODDS, MOST_HITS = 0.2, 0.05, 0.4
"""Hits on the defender a chit."""
FRONT, LAG = 2, 0.02
"""Every hex farther from the Germans than this costs a little."""
FAR_BEHIND = 40
"""Whoever is so far from the Germans, in points, bars no way of theirs yet."""
RETAKEN, NEXT_TO_IT = 0.7, 0.3
"""How much of a town's points counts for whoever enters it, and for whoever stands beside its detachment."""


class Ground:
    def __init__(self, facts: Facts, p: EnemyActionPosition) -> None:
        self.facts, self.p = facts, p
        self.s = Situation(facts, p)
        self._scores: dict[int, Pressure] = {}
        self._gains: dict[int, float] = {}

    # ------------------------------------------------------------------ distances and cover

    @cached_property
    def _distance(self) -> dict[int, int]:
        """How far each hex is from the nearest German unit."""
        board, found = self.facts.board, {}
        front = self.s.occupied[GERMAN]
        reached, steps = front, 0
        while front:
            for hex_ in members(front):
                found[hex_] = steps
            front = board.around(front) & ~reached
            reached |= front
            steps += 1
        return found

    def to_germans(self, hex_: int) -> int:
        return self._distance.get(hex_, 99)

    def cover(self, hex_: int) -> float:
        sheltered = (self.facts.towns | self.p.positions) >> hex_ & 1
        return COVER[self.facts.terrain_of(hex_)] + (0.25 if sheltered else 0.0)

    @cached_property
    def pressure(self) -> Pressure:
        """The threats with everybody where he is."""
        return Pressure(self.facts, self.s)

    def _without(self, unit: int) -> Pressure:
        """The threats if this unit were not there: what its places are measured against."""
        if self.p.where[unit] < 0 or self.pressure.cost_to(self.p.where[unit]) >= FAR_BEHIND:
            return self.pressure
        found = self._scores.get(unit)
        if found is None:
            found = self._scores[unit] = Pressure(self.facts, self.s, unit)
        return found

    # ------------------------------------------------------------------ danger

    def danger(self, hex_: int, unit: int) -> float:
        """What a unit there would cost on average; less than nothing if it steadies those who are there."""
        mates = [mate for mate in self.s.stacks[ALLIED].get(hex_, []) if mate != unit]
        return self.stack_danger(hex_, [*mates, unit]) - (self.stack_danger(hex_, mates) if mates else 0.0)

    def stack_danger(self, hex_: int, units: list[int], *, dug_in: bool = False) -> float:
        """What the next German attack on a stack would cost on average, if it comes at all."""
        facts, s, board = self.facts, self.s, self.facts.board
        near = board.next_to(hex_)
        beside = s.units_in(near, GERMAN)
        behind = s.units_in(board.ring(1 << hex_, 2), GERMAN)
        attack = attack_strength(s, beside, hex_) + BEHIND * sum(map(s.strength, behind))
        odds = attack / max(1, defence_strength(s, units, hex_) + (facts.by_terrain["forest"] >> hex_ & 1))
        chance = LIKELY * min(1.0, max(0.0, (odds - 1.0) / 2.5))
        if not chance:
            return 0.0
        closed = (near & (s.occupied[GERMAN] | s.zones[GERMAN])).bit_count()
        chits = len(beside) + BEHIND * len(behind) + MORE_CHITS
        shelter = dug_in or (facts.towns | self.p.positions) >> hex_ & 1
        hits = max(0.2, chits * min(MOST_HITS, HITS_AT_EVEN + HITS_BY_ODDS * (odds - 1.0)) - bool(shelter))
        steps = sum(self.p.steps[unit] for unit in units)
        walked_off = 0 if closed >= 6 else 1 if closed == 5 else 2
        return (
            chance
            * dear(facts, self.p)
            * (
                likelihood(hits, steps + walked_off) * (UNIT * len(units) + STEP * steps)
                + STEP * max(0.0, min(hits - walked_off, steps - 1)) * 0.5
            )
        )

    def score(self, hex_: int, unit: int) -> float:
        """How good it is for a unit to stand there."""
        far = min(self.to_germans(hex_), 25)
        found = self._without(unit).relief(hex_, unit) + self.cover(hex_) * (far <= FRONT)
        if self.facts.wall >> hex_ & 1 and day_of(self.p) >= WALL_FROM:
            found += WALL_WORTH
        found += self.regained(hex_)
        return found - self.danger(hex_, unit) - LAG * max(0, far - FRONT)

    def regained(self, hex_: int) -> float:
        """What the Germans lose if a unit goes there: a town of theirs is empty, or held by a detachment alone."""
        facts, lost = self.facts, self.p.german_towns & ~self.s.occupied[ALLIED]
        beside = facts.board.next_to(hex_) & lost & self.p.detachments
        return RETAKEN * facts.vp.get(hex_, 0) * (lost >> hex_ & 1) + NEXT_TO_IT * sum(
            facts.vp.get(town, 0) for town in members(beside)
        )

    def full(self, hex_: int, unit: int) -> bool:
        return not self.s.has_room(unit, hex_)

    # ------------------------------------------------------------------ what an activation would do

    def gain(self, unit: int) -> float:
        """What a unit would gain by its best move."""
        known = self._gains.get(unit)
        if known is None:
            known = self._gains[unit] = self._find_gain(unit)
        return known

    def _find_gain(self, unit: int) -> float:
        if self.p.where[unit] < 0 or not may_move(self.facts, self.p, unit):
            return 0.0
        ends = [hex_ for hex_ in members(allied_moves(self.s, unit).ends) if not self.full(hex_, unit)]
        here = self.score(self.p.where[unit], unit)
        return max((self.score(hex_, unit) for hex_ in ends), default=here) - here

    @cached_property
    def assaults(self) -> Assaults:
        return Assaults(self)

    def assault_with(self, unit: int) -> Assault | None:
        """The attack that a unit of the active formation is to take part in."""
        planned = self.assaults.of(members(self.p.active & ~self.p.attacked))
        return next((assault for assault in planned if unit in assault.places), None)

    def worth_of(self, units: list[int], *, attack: bool = True) -> float:
        """What activating these units would do: attacks, moves, digging in, rallying."""
        planned = self.assaults.of(units) if attack else []
        busy = {unit for assault in planned for unit in assault.places}
        found = sum(assault.worth for assault in planned)
        beside = self.facts.board.within(self.s.occupied[GERMAN], FRONT)
        for unit in units:
            hex_ = self.p.where[unit]
            if self.p.dispersed >> unit & 1:
                found += RALLIED
            elif unit not in busy:
                dig = self.digging(hex_) / len(self.s.stack(hex_)) if beside >> hex_ & 1 else 0.0
                found += max(self.gain(unit), dig, 0.0)
        return found

    def digging(self, hex_: int) -> float:
        """What an improved position would save."""
        if (self.facts.towns | self.p.positions) >> hex_ & 1:
            return 0.0
        stack = self.s.stack(hex_)
        return DUG_IN + self.stack_danger(hex_, stack) - self.stack_danger(hex_, stack, dug_in=True)

    def fights(self, unit: int) -> bool:
        p = self.p
        fit = p.where[unit] >= 0 and not (p.dispersed | p.out | p.isolated) >> unit & 1
        return fit and not self.s.bracketed(unit)

    def attack(self, target: int, units: set[int]) -> float:
        """What an attack by those of these units is worth that stand beside its target."""
        s = self.s
        able = sorted(unit for unit in units if self.facts.board.adjacent(s.where[unit], target))
        defenders = defending(s, target)
        if not able or attack_strength(s, able, target) < LEAST_ODDS * defence_strength(s, defenders, target):
            return 0.0
        return worth_of_attack(s, attack_on(s, target, able), more=self.assaults.prize(target))


@lru_cache(maxsize=4096)
def _tail(tenths: int, least: int) -> float:
    mean = tenths / 10
    term, below = exp(-mean), 0.0
    for count in range(least):
        below += term
        term *= mean / (count + 1)
    return max(0.0, 1.0 - below)


def likelihood(mean: float, least: int) -> float:
    """How likely at least so many hits come, if so many are expected (Poisson)."""
    return _tail(round(mean * 10), least)
