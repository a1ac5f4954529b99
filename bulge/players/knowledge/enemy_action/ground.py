"""The ground of Enemy Action as an Allied commander sees it: what is worth holding, and where it is dangerous."""

from __future__ import annotations

from functools import cached_property

from bulge.core.spaces import members
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts
from bulge.games.enemy_action.movement import allied_moves, may_move
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import attack_strength, defence_strength, defending

NEAR = 7
"""Beyond so many hexes from the Germans a place need not be held yet."""
COVER = {"clear": 0.0, "broken": 0.3, "woods": 0.5, "forest": 1.0}
GOOD_ODDS = 2.5


class Ground:
    def __init__(self, facts: Facts, p: EnemyActionPosition) -> None:
        self.facts, self.p = facts, p
        self.s = Situation(facts, p)

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
        facts = self.facts
        town = 1.5 if facts.towns >> hex_ & 1 else 0.0
        position = 0.7 if self.p.positions >> hex_ & 1 else 0.0
        return COVER[facts.terrain_of(hex_)] + town + position

    def worth(self, hex_: int) -> float:
        """What the Germans want: points and hold values, the more the nearer they are."""
        far = self.to_germans(hex_)
        if far > NEAR:
            return 0.0
        value = 0.8 * self.facts.vp.get(hex_, 0) + 0.25 * self.facts.hold.get(hex_, 0)
        return value * (1.0 - 0.09 * far)

    def blocks(self, hex_: int) -> float:
        """A roadblock does most two or three hexes ahead of the Germans, on a road they want."""
        far = self.to_germans(hex_)
        return self.worth(hex_) + (1.0 if far in (2, 3) else 0.2)

    def danger(self, hex_: int) -> float:
        """Germans beside a hex, beyond what a single unit can bear."""
        beside = self.s.units_in(self.facts.board.next_to(hex_), GERMAN)
        strength = sum(self.s.strength(unit) for unit in beside)
        held = (self.facts.board.next_to(hex_) & (self.s.occupied[GERMAN] | self.s.zones[GERMAN])).bit_count()
        return 0.12 * max(0, strength - 5) + (0.5 * (held - 3) if held > 3 else 0.0)

    def score(self, hex_: int, unit: int) -> float:
        """How good it is for a unit to stand there."""
        mates = [mate for mate in self.s.stacks[ALLIED].get(hex_, []) if mate != unit]
        crowd = 1.0 / (1 + len(mates))
        far = min(self.to_germans(hex_), 20)
        return (
            self.worth(hex_) * crowd
            + self.cover(hex_) * crowd
            - self.danger(hex_) * crowd
            - 0.15 * max(0, far - 2)
        )

    @cached_property
    def _gains(self) -> dict[int, float]:
        return {}

    def gain(self, unit: int) -> float:
        """What a unit would gain by its best move."""
        known = self._gains.get(unit)
        if known is None:
            known = self._gains[unit] = self._find_gain(unit)
        return known

    def _find_gain(self, unit: int) -> float:
        if self.p.where[unit] < 0 or not may_move(self.facts, self.p, unit):
            return 0.0
        ends = members(allied_moves(self.s, unit).ends)
        here = self.score(self.p.where[unit], unit)
        return max((self.score(hex_, unit) for hex_ in ends), default=here) - here

    def worth_of(self, units: list[int]) -> float:
        """What activating these units would do: moves, attacks at good odds, digging in, rallying."""
        found = sum(max(0.0, self.gain(unit)) for unit in units)
        beside = self.facts.board.around(self.s.occupied[GERMAN])
        for unit in units:
            hex_ = self.p.where[unit]
            idle = beside >> hex_ & 1 and not (self.facts.towns | self.p.positions) >> hex_ & 1
            found += 0.5 * bool(idle) + 0.7 * bool(self.p.dispersed >> unit & 1)
        return found + self._attacks(units)

    def _attacks(self, units: list[int]) -> float:
        facts, s = self.facts, self.s
        places = {s.where[unit] for unit in units}
        targets = {at for hex_ in places for at in members(facts.board.next_to(hex_) & s.occupied[GERMAN])}
        gained = 0.0
        for target in targets:
            able = [u for u in units if facts.board.adjacent(s.where[u], target) and not self.p.dispersed >> u & 1]
            odds = attack_strength(s, able, target) / max(1, defence_strength(s, defending(s, target), target))
            gained += max(0.0, odds - GOOD_ODDS)
        return gained
