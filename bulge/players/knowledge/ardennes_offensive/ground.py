"""The ground of The Ardennes Offensive as players see it: ways to the exits, strengths on hexes, attacks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bulge.core.bars import open_to
from bulge.core.movement import Limits, StepCosts, reach
from bulge.core.spaces import members, union
from bulge.core.tables import ResultsTable
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, Facts, other
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import closed_to_the_beaten
from bulge.games.ardennes_offensive.situation import Situation
from bulge.players.knowledge.ardennes_offensive.tally import Counter, Stack, Tally
from bulge.players.knowledge.nearness import distances, nearness

FAR = 90
FADING = 14.0
"""Strength counts for an exit by e to the minus (points of movement between) / this."""
BASTOGNE_WORTH = 6.0
"""What Bastogne is worth as a place: the southern exits count through it alone."""
SOUTHERN = ("SE", "SW")
MOST_KEPT = 50_000
"""So many answers to each question that comes again and again are kept."""
FARTHEST_RETREAT = 3
DRIVE = 20
"""Points that a mechanized German spends in the two movement phases of a turn."""


class Odds:
    """One column of a table, as chances: destroyed, exchanged, and the mean retreats of both sides."""

    def __init__(self, table: ResultsTable, column: int) -> None:
        chances = {result: float(chance) for result, chance in table.chances(column)}
        self.destroyed, self.exchanged = chances.get("De", 0.0), chances.get("Ex", 0.0)
        back = [chances.get(f"Dr{hexes}", 0.0) for hexes in (1, 2, 3)]
        self.caught = [0.0, sum(back), back[1] + back[2], back[2], 0.0]
        """By 1 and the hexes that a defender can go: how likely he must go farther."""
        self.escaped = [
            sum((0.7 + 0.3 * (at + 1)) * chance for at, chance in enumerate(back[:most])) for most in range(4)
        ]
        """By the hexes that a defender can go: what the retreats are worth that he can make."""
        self.thrown_back = sum(0.5 * hexes * chances.get(f"Ar{hexes}", 0.0) for hexes in (1, 2, 3))

    def gain(self, worth: float, retreats: int, attackers: int) -> float:
        """The mean worth of an attack. `retreats`: 0 for a defender who stands, else 1 and the hexes he can go."""
        gain = (self.destroyed + self.caught[retreats]) * (worth + 1.0) + self.exchanged * (0.35 * worth + 1.0)
        if retreats:
            gain += self.escaped[retreats - 1]
        return gain - self.thrown_back * attackers


class Ground:
    """What does not change in play, worked out once, and questions about a position that use it."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.size = facts.board.hexes.bit_length()
        self.exits = list(facts.exit_points)
        self.places = [*self.exits, facts.bastogne]
        self.place_worth = np.array([*map(float, facts.exit_points.values()), BASTOGNE_WORTH])
        self.southern = np.array([facts.exit_section[hex_] in SOUTHERN for hex_ in self.exits] + [False])
        self.drive = self._whole_points(mechanized=True)
        self.nearness = nearness([distances(self.drive, 1 << hex_, FAR) for hex_ in self.places], FADING)
        self.armour = [unit for unit in facts.german_units if facts.mechanized[unit]]
        self.initial, self.standard = (
            [Odds(table, column) for column in range(len(table.columns))]
            for table in (facts.initial, facts.standard)
        )
        self.gate = {entry: self._gate(entry) for hexes in facts.entries.values() for entry in hexes}
        """For each entry, the hexes where a friend keeps out whoever would come on: nobody marches next to him."""
        self.counter = Counter(facts)
        self.way_back = [facts.board.within(1 << hex_, FARTHEST_RETREAT) for hex_ in range(self.size)]
        """What a retreat from each hex depends on."""
        self._groups: dict[tuple[object, ...], tuple[float, int]] = {}
        """The best attacks on single stacks that have been worked out lately."""
        self._drives: dict[tuple[int, int, int, bool], float] = {}
        self.shelter = {GERMAN: facts.towns | facts.wall | facts.cleared_wall, ALLIED: facts.towns}
        """Where the units of a side may ignore a retreat."""

    def _whole_points(self, *, mechanized: bool) -> StepCosts:
        """What steps cost a German off road mode, in whole points: floods over them are short."""
        facts = self.facts

        def cost(id_: str) -> int:
            row = facts.terrain[id_]
            return row.mechanized if mechanized else row.foot

        ground = {cost("clear"): facts.clear & facts.passable, cost("rough"): facts.rough & facts.passable}
        steps = StepCosts.by_terrain(facts.board, ground)
        wet = steps.add(facts.fords, cost("ford")).add(facts.unbridged, cost("river"))
        return wet.along(facts.roads, cost("road"))

    def _gate(self, entry: int) -> int:
        first = 1 << self.facts.first_hex[entry]
        return (first | self.facts.roads.across(first)) & self.facts.live

    def side_strength(self, tally: Tally, side: str) -> NDArray[np.float64]:
        found = np.zeros(self.size)
        for hex_, stack in tally.stacks[side].items():
            found[hex_] = stack.face
        return found

    # ------------------------------------------------------------------ exits

    def open_worth(self, p: ArdennesPosition, s: Situation) -> NDArray[np.float64]:
        """What each place is still worth to the Germans; southern exits are worth little without Bastogne."""
        held = s.occupied[GERMAN] | s.zones[GERMAN] & ~s.occupied[ALLIED]
        wanted = np.array([0.25 if held >> place & 1 else 1.0 for place in self.places])
        if not s.occupied[GERMAN] >> self.facts.bastogne & 1:
            wanted[self.southern] *= 0.35
        worth: NDArray[np.float64] = self.place_worth * wanted
        return worth

    def threatened(self, s: Situation) -> float:
        """Points of exits that German armour could hold after its next turn, if nobody stood in its way anew."""
        stop = s.zones[ALLIED] & ~s.occupied[GERMAN]
        start = union([s.p.where[unit] for unit in self.armour]) & ~stop
        bastogne = bool(s.occupied[GERMAN] >> self.facts.bastogne & 1)
        key = start, s.occupied[ALLIED], stop, bastogne
        found = self._drives.get(key)
        if found is None:
            if len(self._drives) >= MOST_KEPT:
                self._drives.clear()
            found = self._drives[key] = self._threatened(*key)
        return found

    def _threatened(self, start: int, enemies: int, stop: int, bastogne: bool) -> float:
        facts = self.facts
        spaces = reach(self.drive, {0: start}, DRIVE, Limits(blocked=enemies, stop=stop)).spaces if start else 0
        controlled = (spaces | facts.board.around(spaces)) & ~enemies
        bastogne = bastogne or bool(spaces >> facts.bastogne & 1)
        return float(
            sum(
                points
                for hex_, points in facts.exit_points.items()
                if controlled >> hex_ & 1 and (bastogne or facts.exit_section[hex_] not in SOUTHERN)
            )
        )

    # ------------------------------------------------------------------ attacks

    def attack_prospects(self, s: Situation, tally: Tally, side: str) -> float:
        """What the attacks that a side could make from where it stands are worth, no hex used twice."""
        facts = self.facts
        enemies = s.occupied[other(side)]
        contact = s.occupied[side] & facts.board.around(enemies)
        if not contact:
            return 0.0
        odds = self.initial if side == GERMAN and not s.p.standard else self.standard
        shut = ~open_to(facts.passable, closed_to_the_beaten(facts, s, other(side)))
        mine, theirs, shelter = tally.stacks[side], tally.stacks[other(side)], self.shelter[other(side)]
        found = []
        for target in members(enemies & facts.board.around(contact)):
            near = facts.board.next_to(target) & contact
            attackers = sorted([(mine[hex_].attack, hex_) for hex_ in members(near)], reverse=True)
            stands = bool(shelter >> target & 1)
            best = self._best_attack(odds, attackers, target, theirs[target], 0 if stands else shut, stands)
            if best[0] > 0:
                found.append(best)
        total, spent = 0.0, 0
        for gain, used in sorted(found, reverse=True):
            if not used & spent:
                total += gain
                spent |= used
        return total

    def _best_attack(
        self,
        odds: list[Odds],
        attackers: list[tuple[int, int]],
        target: int,
        defender: Stack,
        shut: int,
        stands: bool,
    ) -> tuple[float, int]:
        """The best attack on one hex, and the hexes it is made from. Most are the same from plan to plan."""
        key = id(odds), target, defender.defence, defender.worth, shut & self.way_back[target], *attackers
        found = self._groups.get(key)
        if found is None:
            if len(self._groups) >= MOST_KEPT:
                self._groups.clear()
            retreats = 0 if stands else 1 + self.way_out(target, shut)
            found = self._groups[key] = _best_group(odds, attackers, defender, retreats)
        return found

    def way_out(self, hex_: int, shut: int) -> int:
        """How many hexes, up to three, a unit could retreat from here."""
        board = self.facts.board
        ring = 1 << hex_
        seen = ring
        for hexes in range(FARTHEST_RETREAT):
            ring = board.around(ring) & ~seen & ~shut
            if not ring:
                return hexes
            seen |= ring
        return FARTHEST_RETREAT


def _best_group(
    odds: list[Odds], attackers: list[tuple[int, int]], defender: Stack, retreats: int
) -> tuple[float, int]:
    """The gain of the best attack by the strongest of the hexes next to a target, and which those are."""
    attack = used = 0
    best, best_used = 0.0, 0
    for count, (strength, hex_) in enumerate(attackers, start=1):
        attack += strength
        used |= 1 << hex_
        if attack:
            column = odds[min(attack // defender.defence, len(odds) - 1)]
            gain = column.gain(defender.worth, retreats, count)
            if gain > best:
                best, best_used = gain, used
    return best, best_used
