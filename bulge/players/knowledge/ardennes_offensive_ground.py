"""The ground of The Ardennes Offensive as players see it: ways to the exits, strengths on hexes, attacks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bulge.core.movement import Limits, StepCosts, reach
from bulge.core.spaces import members, union
from bulge.core.tables import ResultsTable
from bulge.games.ardennes_offensive.arrivals import first_hex
from bulge.games.ardennes_offensive.battle import SURPRISE, half
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, Facts, hex_beside, other
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from bulge.players.knowledge.nearness import distances, nearness

FAR = 90
FADING = 14.0
"""Strength counts for an exit by e to the minus (points of movement between) / this."""
BASTOGNE_WORTH = 6.0
"""What Bastogne is worth as a place: the southern exits count through it alone."""
SOUTHERN = ("SE", "SW")
UNIT_WORTH, STRENGTH_WORTH = 1.5, 0.35
"""What a unit is worth: a point for whoever destroys it, and what it can fight with."""
DRIVE = 20
"""Points that a mechanized German spends in the two movement phases of a turn."""


class Stack:
    """The units of one hex."""

    __slots__ = ("attack", "count", "defence", "face", "worth")

    def __init__(self) -> None:
        self.count = self.face = 0
        self.attack = self.defence = 0
        """Strength with everything that multiplies or halves it."""
        self.worth = 0.0


class Tally:
    """Who stands where, with what strength; and what each side has in all, those to come included."""

    def __init__(self, facts: Facts, s: Situation) -> None:
        p = s.p
        self.stacks: dict[str, dict[int, Stack]] = {GERMAN: {}, ALLIED: {}}
        self.total = {GERMAN: 0, ALLIED: 0}
        self.waiting: dict[int, int] = {}
        """How many reinforcements wait beside each entry."""
        first_ally, strengths, spent = facts.allied_units.start, facts.strength, p.attacked | p.isolated
        for unit, hex_ in enumerate(p.where):
            if hex_ < 0:
                if (entry := hex_beside(hex_)) >= 0 and not p.dormant >> unit & 1:
                    self.waiting[entry] = self.waiting.get(entry, 0) + 1
                continue
            side = GERMAN if unit < first_ally else ALLIED
            strength = strengths[unit]
            self.total[side] += strength
            stack = self.stacks[side].get(hex_)
            if stack is None:
                stack = self.stacks[side][hex_] = Stack()
            stack.count += 1
            stack.face += strength
            stack.worth += UNIT_WORTH + STRENGTH_WORTH * strength
            if not spent >> unit & 1:
                stack.attack += half(strength) if p.unsupplied >> unit & 1 else strength
        for side, stacks in self.stacks.items():
            for hex_, stack in stacks.items():
                stack.defence = stack.face
                if s.marching[side] >> hex_ & 1:
                    stack.attack, stack.defence = half(stack.attack), half(stack.defence)
                if side == GERMAN:
                    self._multiply(facts, p, hex_, stack)

    def _multiply(self, facts: Facts, p: ArdennesPosition, hex_: int, stack: Stack) -> None:
        """Surprise on the first turn, the West Wall after it."""
        if p.turn == 1:
            stack.attack, stack.defence = stack.attack * SURPRISE, stack.defence * SURPRISE
        elif facts.wall >> hex_ & 1:
            wall = facts.terrain["west_wall"]
            stack.attack, stack.defence = stack.attack * wall.german_attack, stack.defence * wall.german_defence
        elif facts.cleared_wall >> hex_ & 1:
            stack.defence *= facts.terrain["west_wall_cleared"].german_defence

    def strength_in(self, side: str, hexes: int) -> int:
        return sum(stack.face for hex_, stack in self.stacks[side].items() if hexes >> hex_ & 1)


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
        self.size = facts.board.all.bit_length()
        self.exits = list(facts.exit_points)
        self.places = [*self.exits, facts.bastogne]
        self.place_worth = np.array([*map(float, facts.exit_points.values()), BASTOGNE_WORTH])
        self.southern = np.array([facts.exit_section[hex_] in SOUTHERN for hex_ in self.exits] + [False])
        self.drive = self._whole_points(mechanized=True)
        self.nearness = nearness([distances(self.drive, 1 << hex_, FAR) for hex_ in self.places], FADING)
        self.armour = [unit for unit in facts.german_units if facts.mechanized[unit]]
        self.odds = {
            table: [Odds(table, column) for column in range(len(table.columns))]
            for table in (facts.initial, facts.standard)
        }
        self.gate = {entry: self._gate(entry) for hexes in facts.entries.values() for entry in hexes}
        """For each entry, the hexes where a friend keeps out whoever would come on: nobody marches next to him."""
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
        first = 1 << first_hex(self.facts, entry)
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
        facts = self.facts
        mine = union([s.p.where[unit] for unit in self.armour])
        enemies = s.occupied[ALLIED]
        limits = Limits(blocked=enemies, stop=s.zones[ALLIED] & ~s.occupied[GERMAN])
        start = mine & ~limits.stop
        spaces = reach(self.drive, {0: start}, DRIVE, limits).spaces if start else 0
        controlled = (spaces | facts.board.around(spaces)) & ~enemies
        bastogne = (spaces | s.occupied[GERMAN]) >> facts.bastogne & 1
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
        contact = s.occupied[side] & facts.board.around(s.occupied[other(side)])
        if not contact:
            return 0.0
        odds = self.odds[facts.initial if side == GERMAN and not s.p.standard else facts.standard]
        shut = s.occupied[side] | s.unnegated(other(side)) | ~facts.passable
        found = []
        for target, defender in tally.stacks[other(side)].items():
            if near := facts.board.next_to(target) & contact:
                retreats = 0 if self.shelter[other(side)] >> target & 1 else 1 + self.way_out(target, shut)
                best = self._best_group(odds, tally.stacks[side], near, defender, retreats)
                if best[0] > 0:
                    found.append(best)
        total, spent = 0.0, 0
        for gain, used in sorted(found, reverse=True):
            if not used & spent:
                total += gain
                spent |= used
        return total

    def _best_group(
        self, odds: list[Odds], mine: dict[int, Stack], near: int, defender: Stack, retreats: int
    ) -> tuple[float, int]:
        """The gain of the best attack by the strongest of the hexes next to a target, and which those are."""
        attack = used = 0
        best, best_used = 0.0, 0
        strongest_first = sorted(members(near), key=lambda hex_: -mine[hex_].attack)
        for count, hex_ in enumerate(strongest_first, start=1):
            attack += mine[hex_].attack
            used |= 1 << hex_
            if attack:
                column = odds[min(attack // defender.defence, len(odds) - 1)]
                gain = column.gain(defender.worth, retreats, count)
                if gain > best:
                    best, best_used = gain, used
        return best, best_used

    def way_out(self, hex_: int, shut: int) -> int:
        """How many hexes, up to three, a unit could retreat from here."""
        board = self.facts.board
        ring = 1 << hex_
        seen = ring
        for hexes in range(3):
            ring = board.around(ring) & ~seen & ~shut
            if not ring:
                return hexes
            seen |= ring
        return 3
