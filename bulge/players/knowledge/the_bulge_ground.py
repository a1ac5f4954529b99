"""The ground of The Bulge as players see it: distances to what matters, strengths on hexes, open roads."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from bulge.core.movement import Limits, Reach, reach
from bulge.core.spaces import members, union
from bulge.games.the_bulge.facts import AIR_FROM, ALLIED, GERMAN, MECHANIZED_STEP, POINT, Facts, other
from bulge.games.the_bulge.movement import MOVEMENT_FACTOR, mechanized_steps, regular_steps
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

FAR = 60
BUDGET = MOVEMENT_FACTOR * POINT
ANCHORS = {"0110": 1.5, "0113": 1.5, "0116": 1.5, "0119": 1.0, "0123": 1.0, "0526": 1.0, "0926": 1.0, "1226": 0.7}
"""Places on the edge by which panzers would leave the map, as if they were towns of such points."""
OVERRUN = {"DE": 1.0}
FADING = 5.0
"""Strength counts for a place by e to the minus (points of movement between) / this."""


class Stack:
    """The fighting units of one hex."""

    __slots__ = ("count", "helpless", "steps_worth", "strength", "weakest")

    def __init__(self) -> None:
        self.count = self.strength = 0
        self.steps_worth = 0.0
        """What one step from each unit is worth."""
        self.weakest = 0
        """How many of the units have one step left."""
        self.helpless = False
        """Artillery: any attack destroys it."""


class Tally:
    """Who stands where, with what strength."""

    def __init__(self, facts: Facts, s: Situation) -> None:
        p = s.p
        self.stacks: dict[str, dict[int, Stack]] = {GERMAN: {}, ALLIED: {}}
        self.total = {GERMAN: 0.0, ALLIED: 0.0}
        first_ally, factors = facts.us_units.start, facts.factors
        for unit, hex_ in enumerate(p.where):
            steps = p.steps[unit]
            if hex_ == -1 or not steps:
                continue
            side = GERMAN if unit < first_ally else ALLIED
            strength = factors[unit][steps]
            self.total[side] += strength + 0.5 * steps
            if hex_ < 0:
                continue
            stack = self.stacks[side].get(hex_)
            if stack is None:
                stack = self.stacks[side][hex_] = Stack()
            stack.count += 1
            if facts.special[unit] == "vak":
                stack.helpless = True
            else:
                stack.strength += strength
            stack.steps_worth += 0.5 + strength - factors[unit][steps - 1]
            stack.weakest += steps == 1

    def strength_outside(self, side: str, spaces: int) -> float:
        return sum(stack.strength for hex_, stack in self.stacks[side].items() if not spaces >> hex_ & 1)


class Ground:
    """What does not change in play, worked out once, and questions about a position that use it."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.size = facts.board.all.bit_length()
        self.towns = members(facts.towns)
        self.armour = [unit for unit in facts.german_units if facts.mechanized[unit]]
        self.foot = [u for u in facts.german_units if facts.fighting[u] and not facts.mechanized[u]]
        self.exit_distance = self._distances(facts.exits)
        self.town_distance = {town: self._distances(1 << town) for town in self.towns}
        anchors = {facts.board.at(name): worth for name, worth in ANCHORS.items() if facts.board.has(name)}
        self.places = [*self.towns, *anchors]
        self.place_worth = np.array([*(facts.town_points[town] for town in self.towns), *anchors.values()])
        distances = [*self.town_distance.values(), *(self._distances(1 << hex_) for hex_ in anchors)]
        self.nearness: NDArray[np.float64] = np.array([[exp(-d / FADING) for d in row] for row in distances])
        hexes, far = members(facts.board.all), self.exit_distance
        self.exit_within = [union([hex_ for hex_ in hexes if far[hex_] <= most]) for most in range(FAR)]
        self.dry = {hex_: self._dry_around(hex_) for hex_ in hexes}
        """From where a hex is attacked without crossing a river."""
        self._chances = [self._column(number) for number in range(len(facts.crt.columns))]

    def _distances(self, goals: int) -> list[int]:
        """Points of movement from each hex, as if there were no enemy."""
        found = [FAR] * self.size
        flood = reach(self.facts.on_road, {0: goals}, FAR * POINT)
        for cost, level in enumerate(flood.levels):
            for hex_ in members(level):
                found[hex_] = cost // POINT
        return found

    def _column(self, number: int) -> dict[str, float]:
        return {result: float(chance) for result, chance in self.facts.crt.chances(number)}

    # ------------------------------------------------------------------ units

    def strength(self, p: BulgePosition, unit: int) -> int:
        return self.facts.factors[unit][p.steps[unit]]

    def step_worth(self, p: BulgePosition, unit: int) -> float:
        """What losing a step costs: strength, and the step itself."""
        factors, steps = self.facts.factors[unit], p.steps[unit]
        return 0.5 + factors[steps] - factors[steps - 1] if steps else 0.0

    def westward(self, p: BulgePosition, unit: int) -> float:
        """How near a unit is to the edge it must not reach, from 0 to 4."""
        return max(0.0, 4.0 - self.exit_distance[p.where[unit]] / 5) if p.where[unit] >= 0 else 0.0

    def panzers(self, p: BulgePosition) -> int:
        return union([p.where[unit] for unit in self.armour])

    def near_foot(self, p: BulgePosition) -> int:
        """Where German infantry gets in a turn, roughly."""
        facts = self.facts
        foot = union([p.where[unit] for unit in self.foot])
        return facts.board.within(foot, 2)

    # ------------------------------------------------------------------ towns and edges

    def points_in(self, towns: int) -> float:
        return float(sum(self.facts.town_points[town] for town in members(towns)))

    def drawn(self, tally: Tally, german: int) -> float:
        """How near German strength is to what it has not got yet."""
        wanted = [0.0 if german >> place & 1 else 1.0 for place in self.places]
        pull = (self.place_worth * np.array(wanted)) @ self.nearness
        return float(sum(stack.strength * pull[hex_] for hex_, stack in tally.stacks[GERMAN].items()))

    def leaning(self, tally: Tally) -> float:
        """For every town and every way out: to whom it leans, by the strength near it."""
        balance = np.zeros(self.size)
        for side, sign in ((GERMAN, 1.0), (ALLIED, -1.0)):
            for hex_, stack in tally.stacks[side].items():
                balance[hex_] += sign * stack.strength
        lean = np.tanh(self.nearness @ balance / 4.0)
        return float(self.place_worth @ lean)

    def exit_nearness(self, spaces: int) -> float:
        """From 0 to 1: how near to the edge the nearest of these is."""
        for distance, hexes in enumerate(self.exit_within):
            if hexes & spaces:
                return exp(-distance / 6)
        return 0.0

    # ------------------------------------------------------------------ reach

    def panzer_reach(self, s: Situation, without: int = 0) -> Reach:
        """Where any panzer unit can be after its next move; `without` Allied units in these hexes, if given."""
        panzers = self.panzers(s.p)
        drivers = panzers if s.p.turn < 3 else panzers & s.lines(GERMAN).spaces
        enemies = s.occupied[ALLIED] & ~without
        return self._reach(s, GERMAN, panzers, drivers, enemies)

    def allied_reach(self, s: Situation) -> int:
        us = s.us
        return self._reach(s, ALLIED, us, us & s.lines(ALLIED).spaces, s.occupied[GERMAN]).spaces if us else 0

    def _reach(self, s: Situation, side: str, units: int, drivers: int, enemies: int) -> Reach:
        facts = self.facts
        broken, zone = s.interdicted(side), facts.board.around(enemies)
        start = {0: units}
        before = None
        if on_road := drivers & facts.road_hexes & ~zone:
            before = reach(
                mechanized_steps(facts, side, broken, 0), {0: on_road}, BUDGET, Limits(blocked=enemies | zone)
            )
            start = {cost: level for cost, level in enumerate(before.levels) if level}
            start[0] = start.get(0, 0) | units
        limits = Limits(blocked=enemies, enter=((zone, POINT),), leave=((zone, POINT),))
        return reach(regular_steps(facts, side, False, broken, 0), start, BUDGET, limits, before=before)

    def can_exit(self, panzers: Reach) -> bool:
        """Whether a panzer unit gets to the edge with enough left to leave the map."""
        exits, roads = self.facts.exits, self.facts.edge_roads
        last = len(panzers.levels)
        by_road = panzers.before.spaces & exits & roads if panzers.before is not None else 0
        early = 0
        for level in panzers.levels[: last - POINT]:
            early |= level
        return bool(early & exits or (by_road and last > MECHANIZED_STEP))

    # ------------------------------------------------------------------ attacks

    def attack_prospects(self, s: Situation, tally: Tally, side: str) -> tuple[float, int]:
        """What the attacks that a side could make from where it stands are worth, no unit used twice.

        With it, the hexes that such attacks would probably empty.
        """
        found = []
        mine = s.occupied[side]
        for target in tally.stacks[other(side)]:
            if near := self.facts.board.next_to(target) & mine:
                gain, used, emptied = self._best_attack(s, tally, side, target, near)
                if gain > 0:
                    found.append((gain, used, target, emptied))
        total, spent, shaky = 0.0, 0, 0
        for gain, used, target, emptied in sorted(found, reverse=True):
            if not used & spent:
                total += gain
                spent |= used
                if emptied >= 0.5:
                    shaky |= 1 << target
        return total, shaky

    def _best_attack(
        self, s: Situation, tally: Tally, side: str, target: int, near: int
    ) -> tuple[float, int, float]:
        """The gain, who takes part, and how likely the hex is emptied."""
        facts = self.facts
        mine = tally.stacks[side]
        groups = sorted((hex_ for hex_ in members(near) if hex_ in mine), key=lambda hex_: -mine[hex_].strength)
        groups = [hex_ for hex_ in groups if mine[hex_].strength]
        defender = tally.stacks[other(side)][target]
        defence = defender.strength + self.cover(side, target)
        dry = self.dry[target]
        trapped = self.trapped(s, other(side), target)
        shift = self._shift(s, side, target)
        attack, risk, used = 0, 0.0, 0
        best, best_used, best_emptied = 0.0, 0, 0.0
        for hex_ in groups:
            attack += mine[hex_].strength
            risk += mine[hex_].steps_worth
            used |= 1 << hex_
            river = 0 if used & dry else facts.terrain["river"].defence
            column = facts.crt.shifted(facts.crt.column(attack - defence - river), shift)
            chances = OVERRUN if defender.helpless else self._chances[column]
            gain, emptied = self._gain(chances, defender, risk, facts.towns >> target & 1, trapped)
            if gain > best:
                best, best_used, best_emptied = gain, used, emptied
        return best, best_used, best_emptied

    def trapped(self, s: Situation, side: str, hex_: int) -> bool:
        """Whether the units of a side in a hex have nowhere to retreat."""
        return not self.facts.board.next_to(hex_) & ~s.occupied[other(side)] & ~s.unnegated(side)

    def _shift(self, s: Situation, side: str, target: int) -> int:
        shift = 1 if s.p.turn > 3 and not s.lines(other(side)).spaces >> target & 1 else 0
        if s.p.turn >= AIR_FROM:
            shift += 1 if side == ALLIED else -1
        return shift

    def cover(self, side: str, target: int) -> int:
        """What the ground adds to the defence, but for rivers."""
        facts = self.facts
        add = facts.natural_defence[target]
        if facts.towns >> target & 1:
            add += facts.terrain["town"].defence
        if side == ALLIED and facts.wall >> target & 1:
            add += facts.terrain["west_wall"].defence
        return add

    def _dry_around(self, target: int) -> int:
        """The neighbours from which no river has to be crossed."""
        rivers = self.facts.rivers
        return union([hex_ for hex_ in self.facts.board.neighbours(target) if not rivers.between(hex_, target)])

    def _gain(
        self, chances: dict[str, float], defender: Stack, risk: float, town: int, trapped: bool
    ) -> tuple[float, float]:
        ground = 4.0 if town else 1.0
        broken = defender.weakest == defender.count
        hit = defender.steps_worth + (ground if broken else 0.0)
        eliminated, bloody, back = (chances.get(result, 0.0) for result in ("DE", "BB", "DR"))
        gain = eliminated * hit + bloody * (hit - 1.5 * defender.count) - chances.get("AE", 0.0) * risk
        emptied = eliminated + bloody if broken else 0.0
        if not town:
            gain += back * (hit if trapped else 1.2)
            emptied += back if broken or not trapped else 0.0
        return gain, emptied
