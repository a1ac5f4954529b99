"""The ground of The Bulge as players see it: distances to what matters, strengths on hexes, open roads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bulge.core.bars import open_to
from bulge.core.hexes import Sides
from bulge.core.movement import Limits, Reach, reach
from bulge.core.spaces import members, union
from bulge.games.the_bulge.arrivals import may_not_come_on, waiting_to_arrive
from bulge.games.the_bulge.battle import ARDOR_COLUMNS
from bulge.games.the_bulge.facts import ALLIED, GERMAN, POINT, Facts, other
from bulge.games.the_bulge.movement import MOVEMENT_FACTOR, mechanized_steps, regular_steps
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.results import refuge
from bulge.games.the_bulge.situation import INTERDICTION_RANGE, Situation
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
WEST_OF_THE_WALL = 5
"""From this column on German units bar the way into their rear; the roads up to it are their lines of supply."""
MOST_REACHES_KEPT = 128

Chances = tuple[float, float, float, float]
"""Of DE, BB, DR and AE."""


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
        self._reaches: dict[tuple[object, ...], Reach] = {}

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
        now = p.step == "german_combat_1"
        free = p.turn + (not now) <= FREE_SUPPLY_UNTIL
        drivers = panzers if free else s.lines(GERMAN).among(panzers)
        if now and p.short:
            drivers &= ~union([p.where[unit] for unit in self.armour if p.short >> unit & 1])
        drivers |= union([p.where[self.facts.ssp]])
        return self._reach(s, GERMAN, panzers, drivers, against)

    def foot_reach(self, s: Situation) -> int:
        """Where any German unit on foot can be after its next move."""
        foot = union([s.p.where[unit] for unit in self.foot])
        return self._reach(s, GERMAN, foot, 0, s.occupied[ALLIED]).spaces if foot else 0

    def allied_reach(self, s: Situation) -> int:
        """Where any American unit can be after its next move, reinforcements of this turn among them."""
        us, coming = s.us, self._coming(s)
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
        key = (side, units, drivers, enemies, s.interdicted(side))
        found = self._reaches.get(key)
        if found is None:
            if len(self._reaches) >= MOST_REACHES_KEPT:
                self._reaches.clear()
            found = self._reaches[key] = self._flood(side, units, drivers, enemies, s.interdicted(side))
        return found

    def _flood(self, side: str, units: int, drivers: int, enemies: int, broken: Sides) -> Reach:
        facts, zone = self.facts, self.facts.board.around(enemies)
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

    # ------------------------------------------------------------------ attacks

    def attack_prospects(self, s: Situation, tally: Tally, side: str) -> tuple[float, dict[int, float]]:
        """What the attacks that a side could make from where it stands are worth, no unit used twice.

        With it, the hexes that it could empty by attacks at whatever price, each with its chance.
        """
        found = []
        chances: dict[int, float] = {}
        mine, offensive = s.occupied[side], Offensive(s, tally, side)
        for target in tally.stacks[other(side)]:
            if near := self.facts.board.next_to(target) & mine:
                gain, used, emptied = self._best_attack(s, tally, side, target, near, offensive)
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

    def _best_attack(
        self, s: Situation, tally: Tally, side: str, target: int, near: int, offensive: Offensive
    ) -> tuple[float, int, float]:
        """The best gain with who takes part; and how likely the hex is emptied if that is all that counts."""
        facts, crt, mine, fed = self.facts, self.facts.crt, tally.stacks[side], offensive.fed
        groups = [hex_ for hex_ in members(near) if hex_ in mine and mine[hex_].strength]
        groups.sort(key=lambda hex_: (not fed >> hex_ & 1, -mine[hex_].strength))
        defender = tally.stacks[other(side)][target]
        defence = defender.strength + self.cover(side, target)
        town = facts.town_points.get(target, 0)
        trapped = self.trapped(s, target)
        cut_off = not offensive.foes_fed >> target & 1
        prize = 1.0 + 3.0 * town + (self.nuisance(target, cut_off) if side == GERMAN else 0.0)
        shift = offensive.shift + cut_off
        dry, bits, menu = self.dry[target], self.bit[target], self._menus[side]
        attack, risk, used, around = 0, 0.0, 0, 0
        best, best_used, best_emptied = 0.0, 0, 0.0
        for hex_ in groups:
            attack += mine[hex_].strength
            risk += mine[hex_].steps_worth
            used |= 1 << hex_
            around |= bits[hex_]
            river = 0 if used & dry else facts.terrain["river"].defence
            shifts = shift - (1 if used & ~fed else 0) + (1 if around in CONCENTRIC and not town else 0)
            column = crt.shifted(crt.column(attack - defence - river), shifts)
            for chances in OVERRUN if defender.helpless else menu[column]:
                gain, emptied = self._gain(chances, defender, risk, prize, town, trapped)
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
