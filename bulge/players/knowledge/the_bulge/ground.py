"""The ground of The Bulge as players see it: distances to what matters, strengths on hexes, open roads."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bulge.core.bars import open_to
from bulge.core.hexes import Sides
from bulge.core.movement import Limits, Reach, StepCosts, reach
from bulge.core.spaces import members, union
from bulge.games.the_bulge.battle import ARDOR_COLUMNS
from bulge.games.the_bulge.combat import refuge
from bulge.games.the_bulge.facts import ALLIED, GERMAN, POINT, Facts, other
from bulge.games.the_bulge.movement import MOVEMENT_FACTOR, steps_of
from bulge.games.the_bulge.phases import may_not_come_on, waiting_to_arrive
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import INTERDICTION_RANGE, Situation, supply_ground
from bulge.players.knowledge.nearness import distances, nearness
from bulge.players.knowledge.the_bulge.tally import FREE_SUPPLY_UNTIL, Offensive, Stack, Tally

FAR = 60
BUDGET = MOVEMENT_FACTOR * POINT
ANCHORS = {"0110": 1.5, "0113": 1.5, "0116": 1.5, "0119": 1.0, "0123": 1.0, "0526": 1.0, "0926": 1.0, "1226": 0.7}
"""Places on the edge by which panzers would leave the map, as if they were towns of such points."""
OVERRUN = ((1.0, 0.0, 0.0, 0.0),)
FADING = 5.0
"""Strength counts for a place by e to the minus (points of movement between) / this."""
CLOSING_IN = (1.0, 1.0, 1.0, 0.6, 0.3)
"""How far strength so many hexes away counts against somebody, once it has moved."""
MARGIN, CERTAIN = 3.0, 8.0
"""Somebody is in danger of being surrounded from this superiority on; with that much more he is sure to be."""
POCKET = 3.5
BEFORE_THEY_MOVE = ("shortages", "german_combat_1")
"""Steps of a turn after which the Germans move in it: whoever is marked as short of supply then cannot drive."""
WEST_OF_THE_WALL = 5
"""From this column on German units bar the way into their rear; the roads up to it are their lines of supply."""
MOST_REACHES_KEPT, MOST_ALIKE = 128, 8
"""For so many sets of units it is remembered where they get to, and for each of them against so many enemies."""
NOTICED = 2
"""An enemy so many hexes from wherever units get to may have kept them from more; one farther off has not."""

MOST_ATTACKS_KEPT = 20_000

Chances = tuple[float, float, float, float]
"""Of DE, BB, DR and AE."""
Group = tuple[bool, int, int, float]
"""A hex of attackers, in the order in which they join: whether it is out of supply, less its strength, where it
is, and what a step from each unit is worth."""


class Found(NamedTuple):
    """Where units get to, and against whom."""

    enemies: int
    broken: Sides
    near: int
    """All that could have made a difference: enemies elsewhere, or bridges, would not."""
    reach: Reach

    def holds(self, enemies: int, broken: Sides) -> bool:
        if (enemies ^ self.enemies) & self.near:
            return False
        return broken is self.broken or not any(
            (now ^ then) & self.near for now, then in zip(broken.masks, self.broken.masks, strict=True)
        )


class Aim(NamedTuple):
    """A hex that may be attacked, and what all attacks on it have in common."""

    target: int
    defender: Stack
    prize: float
    """What it is worth to empty it."""
    trapped: bool
    shift: int


class Ground:
    """What does not change in play, worked out once, and questions about a position that use it."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.size = facts.board.all.bit_length()
        self.towns = members(facts.towns)
        self.armour = [unit for unit in facts.german_units if facts.mechanized[unit]]
        self.foot = [u for u in facts.german_units if facts.fighting[u] and not facts.mechanized[u]]
        self.exit_distance = distances(facts.on_road, facts.exits, FAR, POINT)
        anchors = {facts.board.at(name): worth for name, worth in ANCHORS.items() if facts.board.has(name)}
        self.places = [*self.towns, *anchors]
        self.place_worth = np.array([*(facts.town_points[town] for town in self.towns), *anchors.values()])
        far_off = [distances(facts.on_road, 1 << place, FAR, POINT) for place in self.places]
        self.nearness = nearness(far_off, FADING)
        hexes = members(facts.board.all)
        self.dry = {hex_: self._dry_around(hex_) for hex_ in hexes}
        """From where a hex is attacked without crossing a river."""
        self.bit = {hex_: self._bits_around(hex_) for hex_ in hexes}
        """For every hex, its neighbours each with the bit of the side on which it lies."""
        self.closing = self._closing(hexes)
        self.rows, self.rear = self._rows(hexes), self._rear(hexes)
        """West of the Wall, row by row; and the roads behind it."""
        self.bars = {hex_: self._bars(hex_) for hex_ in hexes}
        self._menus = {side: self._menu(side) for side in (GERMAN, ALLIED)}
        self._reaches: dict[tuple[str, int, int], deque[Found]] = {}
        self._attacks: dict[tuple[object, ...], tuple[float, int, float]] = {}

    def _column(self, number: int, *, ardor: bool = False) -> Chances:
        chances = {result: float(chance) for result, chance in self.facts.crt.chances(number)}
        rolled = 1.0 - chances.get("AS", 0.0) if ardor else 1.0
        deadly, bloody, back, repelled = (chances.get(result, 0.0) / rolled for result in ("DE", "BB", "DR", "AE"))
        return deadly, bloody, back, repelled

    def _menu(self, side: str) -> list[tuple[Chances, ...]]:
        """For every column the ways to roll that may be best: a lower column is free to choose (13.14)."""
        columns = [self._column(number) for number in range(len(self.facts.crt.columns))]
        steady = next(number for number, chances in enumerate(columns) if sum(chances[:3]) > 0.999)
        menu: list[tuple[Chances, ...]] = []
        for number, chances in enumerate(columns):
            if side == GERMAN and number < ARDOR_COLUMNS:
                menu.append((chances, self._column(number, ardor=True)))
            else:
                menu.append((chances,) if number <= steady else (chances, columns[steady]))
        return menu

    def _bits_around(self, target: int) -> dict[int, int]:
        board = self.facts.board
        return {hex_: 1 << board.direction(target, hex_) for hex_ in board.neighbours(target)}

    def _closing(self, hexes: list[int]) -> NDArray[np.float64]:
        """How far strength in one hex counts against another."""
        found = np.zeros((self.size, self.size))
        for hex_ in hexes:
            for distance, share in enumerate(CLOSING_IN):
                found[hex_, members(self.facts.board.ring(1 << hex_, distance))] = share
        return found

    def _bars(self, hex_: int) -> float:
        """How much an Allied unit there hampers the Germans: bridges that it interdicts (11.1)."""
        around = self.facts.board.within(1 << hex_, INTERDICTION_RANGE)
        bridges = sum(1 for one, two in self.facts.bridges if around >> one & 1 or around >> two & 1)
        return min(1.0, 0.1 * bridges)

    def _column_of(self, hex_: int) -> int:
        return int(self.facts.board.name(hex_)[2:])

    def _rows(self, hexes: list[int]) -> list[int]:
        rows: dict[str, int] = {}
        for hex_ in hexes:
            if self._column_of(hex_) >= WEST_OF_THE_WALL:
                row = self.facts.board.name(hex_)[:2]
                rows[row] = rows.get(row, 0) | 1 << hex_
        return list(rows.values())

    def _rear(self, hexes: list[int]) -> int:
        behind = union([hex_ for hex_ in hexes if self._column_of(hex_) <= WEST_OF_THE_WALL])
        return behind & self.facts.road_hexes

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

    # ------------------------------------------------------------------ the front

    def barred_rows(self, s: Situation) -> int:
        """In how many rows of the map German units or their zones stand in the way of a drive to the east."""
        barred = s.occupied[GERMAN] | s.zones[GERMAN]
        return sum(1 for row in self.rows if row & barred)

    def open_rear(self, s: Situation) -> int:
        """How many road hexes behind the Wall American units could reach by their next move."""
        return (self.allied_reach(s) & self.rear).bit_count()

    # ------------------------------------------------------------------ reach

    def panzer_reach(self, s: Situation, against: int) -> Reach:
        """Where any panzer unit can be after its next move if Allied units stand in these hexes."""
        p, panzers = s.p, self.panzers(s.p)
        now = p.step in BEFORE_THEY_MOVE
        free = p.turn + (not now) <= FREE_SUPPLY_UNTIL
        drivers = panzers if free else s.lines(GERMAN).among(panzers)
        if now and p.short:
            drivers &= union([p.where[unit] for unit in self.armour if not p.short >> unit & 1])
        drivers |= union([p.where[self.facts.ssp]])
        return self._reach(s, GERMAN, panzers, drivers, against)

    def foot_reach(self, s: Situation) -> int:
        """Where any German unit on foot can be after its next move."""
        foot = union([s.p.where[unit] for unit in self.foot])
        return self._reach(s, GERMAN, foot, 0, s.occupied[ALLIED]).spaces if foot else 0

    def allied_reach(self, s: Situation) -> int:
        """Where any American unit can be after its next move, reinforcements of this turn among them."""
        us, coming = s.held_by(self.facts.us_units), self._coming(s)
        if not us | coming:
            return 0
        drivers = s.lines(ALLIED).among(us) | coming
        return self._reach(s, ALLIED, us | coming, drivers, s.occupied[GERMAN]).spaces

    def _coming(self, s: Situation) -> int:
        """The hexes by which American reinforcements may come on this turn."""
        facts = self.facts
        due = [unit for unit in waiting_to_arrive(facts, s.p, ALLIED) if not facts.british(unit)]
        entries = 0
        for edge, unit in {facts.rows[unit].edge: unit for unit in due}.items():
            entries |= open_to(facts.entries[edge], may_not_come_on(s, unit))
        return entries

    def _reach(self, s: Situation, side: str, units: int, drivers: int, enemies: int) -> Reach:
        """Where they get to, remembered as long as nothing changes so near that they could notice."""
        broken = s.interdicted(side)
        known = self._reaches.setdefault((side, units, drivers), deque(maxlen=MOST_ALIKE))
        for found in known:
            if found.holds(enemies, broken):
                return found.reach
        if len(self._reaches) > MOST_REACHES_KEPT:
            self._reaches.clear()
        reach_ = self._flood(side, units, drivers, enemies, broken)
        known.appendleft(Found(enemies, broken, self.facts.board.within(reach_.spaces, NOTICED), reach_))
        return reach_

    def _flood(self, side: str, units: int, drivers: int, enemies: int, broken: Sides) -> Reach:
        facts, zone = self.facts, self.facts.board.around(enemies)
        regular, mechanized = steps_of(facts, side, False, broken, 0)
        start = {0: units}
        before = None
        if on_road := drivers & facts.road_hexes & ~zone:
            before = self._driven(mechanized, on_road, supply_ground(facts, broken)[1], enemies | zone)
            # Off the road only whole points count, so what is left over is dropped at once.
            for cost, level in enumerate(before.levels):
                spent = -(-cost // POINT) * POINT
                start[spent] = start.get(spent, 0) | level
        limits = Limits(blocked=enemies, enter=((zone, POINT),), leave=((zone, POINT),))
        return reach(regular, start, BUDGET, limits, before=before)

    def _driven(self, steps: StepCosts, on_road: int, roads: Sides, shut: int) -> Reach:
        """Where driving leads, a fifth of a point a hex."""
        levels, left = [on_road], self.facts.board.all & ~shut & ~on_road
        spaces = left | on_road
        while levels[-1] and len(levels) <= BUDGET:
            levels.append(roads.across(levels[-1]) & left)
            left ^= levels[-1]
        levels += [0] * (BUDGET + 1 - len(levels))
        return Reach(steps, Limits(blocked=shut), levels, spaces ^ left, {0: on_road})

    # ------------------------------------------------------------------ attacks

    def attack_prospects(
        self, s: Situation, tally: Tally, side: str, point_worth: float
    ) -> tuple[float, dict[int, float]]:
        """What the attacks that a side could make from where it stands are worth, no unit used twice.

        With it, the hexes that it could empty by attacks at whatever price, each with its chance.
        """
        found = []
        chances: dict[int, float] = {}
        mine, offensive = s.occupied[side], Offensive(s, tally, side, point_worth)
        for target in tally.stacks[other(side)]:
            if near := self.facts.board.next_to(target) & mine:
                gain, used, emptied = self._prospect(s, tally, side, target, near, offensive)
                if gain > 0:
                    found.append((gain, used))
                if emptied:
                    chances[target] = emptied
        total, spent = 0.0, 0
        for gain, used in sorted(found, reverse=True):
            if not used & spent:
                total += gain
                spent |= used
        return total, chances

    def _prospect(
        self, s: Situation, tally: Tally, side: str, target: int, near: int, offensive: Offensive
    ) -> tuple[float, int, float]:
        """The best attack on a hex, remembered by all that matters around it: a move changes few of them."""
        mine, fed, around = tally.stacks[side], offensive.fed, self.facts.board.next_to(target)
        groups = [
            (not fed >> hex_ & 1, -mine[hex_].strength, hex_, mine[hex_].steps_worth)
            for hex_ in members(near)
            if hex_ in mine and mine[hex_].strength
        ]
        groups.sort()
        foe = other(side)
        defender, cut_off = tally.stacks[foe][target], not offensive.foes_fed >> target & 1
        here = around | 1 << target
        refuges = here & s.zones[side], here & s.occupied[foe], here & s.held_by(self.facts.us_units)
        key = side, target, offensive.common, cut_off, defender.key(), near, refuges, tuple(groups)
        found = self._attacks.get(key)
        if found is None:
            if len(self._attacks) >= MOST_ATTACKS_KEPT:
                self._attacks.clear()
            shift = offensive.shift + cut_off
            prize = 1.0 + offensive.point_worth * self.facts.town_points.get(target, 0)
            prize += self.nuisance(target, cut_off) if side == GERMAN else 0.0
            aim = Aim(target, defender, prize, self.trapped(s, target), shift)
            found = self._attacks[key] = self._best_attack(side, aim, groups)
        return found

    def _best_attack(self, side: str, aim: Aim, groups: list[Group]) -> tuple[float, int, float]:
        """The best gain with who takes part; and how likely the hex is emptied if that is all that counts."""
        facts, crt, target, defender = self.facts, self.facts.crt, aim.target, aim.defender
        defence = defender.strength + self.cover(side, target)
        town = facts.town_points.get(target, 0)
        dry, bits, menu = self.dry[target], self.bit[target], self._menus[side]
        attack, risk, used, around, hungry = 0, 0.0, 0, 0, False
        best, best_used, best_emptied = 0.0, 0, 0.0
        for unfed, minus_strength, hex_, steps_worth in groups:
            attack -= minus_strength
            risk += steps_worth
            used |= 1 << hex_
            around |= bits[hex_]
            hungry = hungry or unfed
            river = 0 if used & dry else facts.terrain["river"].defence
            shifts = aim.shift - hungry + (around in CONCENTRIC and not town)
            column = crt.shifted(crt.column(attack - defence - river), shifts)
            for chances in OVERRUN if defender.helpless else menu[column]:
                gain, emptied = self._gain(chances, defender, risk, aim.prize, town, aim.trapped)
                best_emptied = max(best_emptied, emptied)
                if gain > best:
                    best, best_used = gain, used
        return best, best_used, best_emptied

    def nuisance(self, hex_: int, cut_off: bool) -> float:
        """What it is worth to the Germans to be rid of Allied units: in a pocket they bar the roads of supply."""
        return self.bars[hex_] + (POCKET if cut_off else 0.0)

    def menace(self, tally: Tally, side: str) -> float:
        """What the enemy may lose to units of a side that move against him first, and surround him."""
        theirs = tally.stacks[other(side)]
        strength = np.zeros(self.size)
        for hex_, stack in tally.stacks[side].items():
            strength[hex_] = stack.strength
        occupied, near = union(list(theirs)), self.closing[list(theirs)] @ strength
        return sum(
            self._danger(side, hex_, stack, float(foes), occupied) * stack.steps_worth
            for (hex_, stack), foes in zip(theirs.items(), near, strict=True)
        )

    def _danger(self, side: str, hex_: int, stack: Stack, foes: float, friends: int) -> float:
        """How likely a side with so much strength near destroys a stack: less in towns, and with friends."""
        if stack.helpless:
            return 1.0 if foes else 0.0
        over = foes - stack.strength - self.cover(side, hex_) - MARGIN
        if over <= 0:
            return 0.0
        likely = min(1.0, over / CERTAIN)
        if self.facts.towns >> hex_ & 1:
            return 0.35 * likely
        return 0.6 * likely if self.facts.board.next_to(hex_) & friends else likely

    def trapped(self, s: Situation, hex_: int) -> bool:
        """Whether the units in a hex have nowhere to retreat."""
        return not self.refuge(s, hex_)

    def refuge(self, s: Situation, hex_: int) -> int:
        """Where the units in a hex could retreat, room or no room, by the rule's own list (13.17)."""
        return refuge(s, s.stack(hex_)[0], hex_)

    def cover(self, side: str, target: int) -> int:
        """What the ground adds to the defence, but for rivers."""
        facts = self.facts
        add = facts.terrain[facts.terrain_of(target)].defence
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
        self, chances: Chances, defender: Stack, risk: float, prize: float, town: int, trapped: bool
    ) -> tuple[float, float]:
        eliminated, bloody, back, repelled = chances
        broken = defender.weakest == defender.count
        hit = defender.steps_worth + (prize if broken else 0.0)
        gain = eliminated * hit + bloody * (hit - 1.5 * defender.count) - repelled * risk
        emptied = eliminated + bloody if broken else 0.0
        if not town:
            gain += back * (hit if trapped else 1.2)
            emptied += back if broken or not trapped else 0.0
        return gain, emptied


def _is_concentric(sides: int) -> bool:
    """Opposite sides, or three with one between each (13.11)."""
    return bool(sides & sides >> 3 & 7) or sides & 21 == 21 or sides & 42 == 42


CONCENTRIC = frozenset(sides for sides in range(64) if _is_concentric(sides))
