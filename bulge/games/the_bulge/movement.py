"""Movement: single steps, one unit at a time (rules 6.3 to 6.6, 8.3, 9 and 10)."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import lru_cache

from bulge.core.decision import Choice, Decision, GameOver, Kind, Play, Result
from bulge.core.hexes import Sides
from bulge.core.movement import Limits, Reach, StepCosts, either, reach
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.the_bulge.facts import ALLIED, GERMAN, GONE, MECHANIZED_STEP, POINT, Facts, other
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

STOP, EXIT = "stop", "exit"
MOVEMENT_FACTOR, VAK_MOVEMENT_FACTOR = 6, 3


# ---------------------------------------------------------------------- what steps cost


@lru_cache(maxsize=256)
@rule("5.4", "9.5", "9.6", "10.1", "10.2", "14.5")
def regular_steps(facts: Facts, side: str, first_turn: bool, broken: Sides, vdh: int) -> StepCosts:
    """Off the road and along it, in any mixture. An interdicted bridge costs as a river."""
    steps = facts.off_road if side == GERMAN and first_turn else facts.on_road
    steps = steps.add(broken, facts.river_toll)
    if side == ALLIED and vdh:
        around = facts.board.within(vdh, 1)
        steps = steps.into(around, facts.off_road.add(broken, facts.river_toll).times(around, 2))
    return steps


@lru_cache(maxsize=256)
@rule("10.3", "14.5")
def mechanized_steps(facts: Facts, side: str, broken: Sides, vdh: int) -> StepCosts:
    """Along roads only, and over no interdicted bridge."""
    steps = facts.driving.forbid(broken)
    if side == ALLIED and vdh:
        steps = steps.into(facts.board.within(vdh, 1), StepCosts.by_terrain(facts.board, {}))
    return steps


@lru_cache(maxsize=256)
def steps_of(facts: Facts, side: str, first_turn: bool, broken: Sides, vdh: int) -> tuple[StepCosts, StepCosts]:
    """Regular and mechanized."""
    return regular_steps(facts, side, first_turn, broken, vdh), mechanized_steps(facts, side, broken, vdh)


# ---------------------------------------------------------------------- one unit's move


class Walk:
    """One unit on its way: where it is, what it has left, and what it may do next."""

    def __init__(self, s: Situation, unit: int, here: int, left: int, by_mech: bool) -> None:
        facts = s.facts
        self.facts, self.situation, self.unit = facts, s, unit
        self.here, self.path = here, [here]
        self.came_from = own = s.p.where[unit]
        """The hex in which it stood when the phase came to it; negative for a reinforcement."""
        self.left = left
        """Fifths of a movement point."""
        self.by_mech = by_mech
        """Still in mechanized movement: once it has moved otherwise, it cannot go back to it (10.3)."""
        self.side = side = facts.side_of(unit)
        enemy, need = other(side), facts.thirds[unit]
        alone = 1 << own if own >= 0 and s.loads[own] == need else 0
        self.friends = s.occupied[side] & ~alone
        self.blocked = s.occupied[enemy] | (s.crowded(need) & ~(1 << own) if own >= 0 else s.crowded(need))
        if facts.british(unit):
            self.blocked |= facts.board.all & ~facts.west_of_meuse
        self.no_end = s.other_ally(unit)
        """Hexes that it may pass through but not stop in (6.10)."""
        self.enemy_zone = s.zones[enemy]
        self.stacking_cost = 0 if unit == facts.ssp else POINT
        """6.4: one point more to stack and to unstack, but not for Peiper (14.3)."""
        self.not_from_zone_into = self._not_from_zone_into()
        self._next: dict[int, tuple[int, bool]] = {}
        self._next_at = -1
        self.paratroopers = s.vdh if side == ALLIED else 0
        """The hex of von der Heydte's men, as long as they slow this unit down (14.5)."""
        self.regular, self.mechanized = self._steps(self.paratroopers)

    def _steps(self, paratroopers: int) -> tuple[StepCosts, StepCosts]:
        s = self.situation
        return steps_of(self.facts, self.side, s.p.turn == 1, s.interdicted(self.side), paratroopers)

    def _not_from_zone_into(self) -> int:
        """Hexes that may not be entered straight from one enemy zone into another (8.3, 14.7)."""
        if self.facts.special[self.unit] == "vak":
            return self.enemy_zone
        return self.enemy_zone & self.facts.wall if self.unit in self.facts.us_units else 0

    # -------------------------------------------------------------- the next step

    def next_steps(self) -> dict[int, tuple[int, bool]]:
        """Every hex that may be entered now: its whole cost, and whether by mechanized movement."""
        if self._next_at != self.here:
            self._next, self._next_at = self._find_next_steps(), self.here
        return self._next

    @rule("6.4", "6.5", "8.3", "8.5", "9.3", "9.4", "10.3")
    def _find_next_steps(self) -> dict[int, tuple[int, bool]]:
        here, left, friends, blocked = self.here, self.left, self.friends, self.blocked
        zone, stacking = self.enemy_zone, self.stacking_cost
        leave = stacking if friends >> here & 1 else 0
        found: dict[int, tuple[int, bool]] = {}
        if self.by_mech:
            closed = blocked | zone
            for to, cost in self.mechanized.from_hex(here):
                if closed >> to & 1:
                    continue
                total = cost + leave + (stacking if friends >> to & 1 else 0)
                if total <= left:
                    found[to] = (total, True)
        if zone >> here & 1:
            leave += POINT
            blocked |= self.not_from_zone_into
        for to, cost in self.regular.from_hex(here):
            total = cost + leave
            if total > left or to in found or blocked >> to & 1:
                continue
            if friends >> to & 1:
                total += stacking
            if zone >> to & 1:
                total += POINT
            if total <= left:
                found[to] = (total, False)
        return found

    def may_stop(self) -> bool:
        return not self.no_end >> self.here & 1

    @rule("4.2", "9.7")
    def exit_cost(self) -> int | None:
        """What leaving the map would cost here, if it is allowed and affordable."""
        facts = self.facts
        if self.side != GERMAN or not facts.mechanized[self.unit] or not facts.exits >> self.here & 1:
            return None
        leave = self.stacking_cost if self.friends >> self.here & 1 else 0
        in_zone = self.enemy_zone >> self.here & 1
        if self.by_mech and not in_zone and facts.edge_roads >> self.here & 1:
            cost = MECHANIZED_STEP + leave
        else:
            cost = POINT + leave + (POINT if in_zone else 0)
        return cost if cost <= self.left else None

    def step(self, to: int) -> None:
        cost, by_mech = self.next_steps()[to]
        self.left -= cost
        self.by_mech = by_mech
        self.here = to
        self.path.append(to)
        if self.paratroopers >> to & 1:
            self.paratroopers = 0
            self.regular, self.mechanized = self._steps(0)

    def options(self) -> list[Choice]:
        """Hexes to enter next, and the words for stopping and leaving the map."""
        found, no_end = self.next_steps(), self.no_end
        options: list[Choice] = [*found]
        if no_end:
            options = [to for to in found if not no_end >> to & 1 or self._leads_on(to)]
        if self.may_stop():
            options.append(STOP)
        if self.exit_cost() is not None:
            options.append(EXIT)
        return options

    def _leads_on(self, to: int) -> bool:
        """Whether a unit that may not stop there would find a hex beyond in which it may."""
        ahead = copy(self)
        ahead.path = list(self.path)
        ahead.step(to)
        return bool(ahead.reach().spaces & ~self.no_end)

    # -------------------------------------------------------------- all of it at once

    def reach(self) -> Reach:
        """Everywhere this unit can still go, by the cheapest way: mechanized first, then otherwise.

        Once it has rounded up von der Heydte's men, costs beyond are the usual ones (14.5).
        """
        zone, stacking = self.enemy_zone, ((self.friends, self.stacking_cost),)
        start: dict[int, int] = {0: 1 << self.here}
        before = None
        if self.by_mech:
            limits = Limits(blocked=self.blocked | zone, enter=stacking, leave=stacking)
            before = reach(self.mechanized, self.here, self.left, limits)
            start = {cost: level for cost, level in enumerate(before.levels) if level}
        limits = Limits(
            blocked=self.blocked,
            enter=(*stacking, (zone, POINT)),
            leave=(*stacking, (zone, POINT)),
            bars=((zone, self.not_from_zone_into),),
        )
        found = reach(self.regular, start, self.left, limits, before=before)
        if not self.paratroopers & found.spaces:
            return found
        caught = {found.cost(members(self.paratroopers)[0]): self.paratroopers}
        usual, _ = self._steps(0)
        return either(found, reach(usual, caught, self.left, limits, before=found))


def enter(t: Table[BulgePosition], facts: Facts, unit: int, hex_: int) -> None:
    """A unit enters a hex: control changes at once (3.3), and von der Heydte is found or relieved (14.5)."""
    p = t.p
    p.where[unit] = hex_
    german = unit in facts.german_units
    if german:
        p.german |= 1 << hex_
    else:
        p.german &= ~(1 << hex_)
    if unit == p.disrupted:
        p.where[facts.sses] = hex_
    if p.where[facts.vdh] == hex_ and unit != facts.vdh:
        p.where[facts.vdh] = GONE
        if german:
            p.paratroops_relieved = True
            t.say(
                "14.5",
                f"{facts.rows[unit].name} relieves von der Heydte's paratroopers: one point.",
                spaces=(hex_,),
            )
        else:
            t.say("14.5", f"{facts.rows[unit].name} rounds up von der Heydte's paratroopers.", spaces=(hex_,))


def remove(facts: Facts, p: BulgePosition, unit: int) -> None:
    """A unit leaves the game, and the commandos with the unit that they are on (14.4)."""
    p.where[unit] = GONE
    if unit == p.disrupted:
        p.where[facts.sses] = GONE
        p.disrupted = -1


def walk(t: Table[BulgePosition], facts: Facts, way: Walk) -> Play:
    """Move one unit, hex by hex, until its owner stops it (9.2)."""
    p, unit, name = t.p, way.unit, facts.rows[way.unit].name
    prompt = f"Where does {name} go next?"
    while True:
        options = way.options()
        if options == [STOP]:
            break
        choice = yield Decision(way.side, prompt, options, "9.2", Kind.SPACE, about=way)
        if choice == STOP:
            break
        if choice == EXIT:
            p.where[unit] = GONE
            t.say("4.2", f"{name} leaves the map from {facts.board.name(way.here)}.", units=(unit,))
            raise GameOver(Result(GERMAN, f"{name} has broken through: it has left the map.", "4.2"))
        way.step(choice)
        enter(t, facts, unit, choice)
    p.moved |= 1 << unit
    way.situation.note_move(unit, way.came_from)
    if len(way.path) > 1 and t.keeps_log:
        route = " - ".join(facts.board.name(hex_) for hex_ in way.path)
        t.say("9.2", f"{name} moves {route}.", spaces=tuple(way.path), units=(unit,))


@rule("2.10", "7.6", "14.7")
def allowance(t: Table[BulgePosition], facts: Facts, unit: int, supplied: bool) -> int:
    """A unit's movement in fifths of a point; one that is out of supply rolls for it."""
    if supplied:
        return (VAK_MOVEMENT_FACTOR if facts.special[unit] == "vak" else MOVEMENT_FACTOR) * POINT
    return t.roll("7.6", f"points of {facts.rows[unit].name}, out of supply") * POINT


@rule("5.4", "7.5", "14.4")
def supplied_to_move(facts: Facts, s: Situation, unit: int) -> bool:
    """Supply for movement: on the first turn no US unit has it but the 2nd Division.

    A unit under the commandos has it only from the air.
    """
    if s.p.turn == 1 and unit in facts.us_units:
        return facts.special[unit] == "on_the_ball"
    if s.p.disrupted == unit:
        return bool(s.p.airlifted >> unit & 1)
    return s.in_supply(unit)


@rule("5.4", "10.1", "10.3", "14.4")
def may_drive(facts: Facts, s: Situation, unit: int) -> bool:
    """Whether a unit may begin with mechanized movement where it stands."""
    side, here = facts.side_of(unit), 1 << s.p.where[unit]
    if not facts.mechanized[unit] or not here & facts.road_hexes or here & s.zones[other(side)]:
        return False
    if unit == s.p.disrupted or (side == GERMAN and s.p.turn == 1):
        return False
    return supplied_to_move(facts, s, unit) and s.overland(unit)


def start_of_move(t: Table[BulgePosition], facts: Facts, s: Situation, unit: int) -> Walk:
    """A unit on the map begins to move: its supply is judged now, for the whole move (7.1)."""
    supplied = supplied_to_move(facts, s, unit)
    drives = supplied and may_drive(facts, s, unit)
    return Walk(s, unit, t.p.where[unit], allowance(t, facts, unit, supplied), drives)


# ---------------------------------------------------------------------- reinforcements


@dataclass(frozen=True)
class Entry:
    """A reinforcement that is about to come on."""

    unit: int


@rule("12.1", "12.3")
def entry_hexes(facts: Facts, s: Situation, unit: int) -> int:
    """Where a reinforcement may come on: a road on its edge, free of enemies and of their zones."""
    free = _free_entries(facts, s, unit)
    doubtful = free & _doubtful_entries(facts, s, unit)
    return free & ~union([hex_ for hex_ in members(doubtful) if not _gets_in(facts, s, unit, hex_)])


def may_come_on(facts: Facts, s: Situation, unit: int) -> bool:
    """Whether there is an entry hex for a reinforcement; doubtful ones are tried only where there is no other.

    Commandos need no hex but a US unit (14.4).
    """
    if unit == facts.sses:
        return bool(s.us)
    free = _free_entries(facts, s, unit)
    doubtful = free & _doubtful_entries(facts, s, unit)
    return free != doubtful or any(_gets_in(facts, s, unit, hex_) for hex_ in members(doubtful))


def _free_entries(facts: Facts, s: Situation, unit: int) -> int:
    """The entry hexes that neither the enemy nor stacking closes."""
    kind = facts.entry_kinds[unit]
    free = s.entries.get(kind)
    if free is None:
        enemy = other(facts.side_of(unit))
        free = facts.entries[kind.edge] & ~s.occupied[enemy] & ~s.zones[enemy] & ~s.crowded(kind.thirds)
        if facts.british(unit):
            free &= facts.west_of_meuse
        s.entries[kind] = free
    return free & ~_infiltrated(facts, s, unit)


@rule("12.3")
def _infiltrated(facts: Facts, s: Situation, unit: int) -> int:
    """Von der Heydte's men and the commandos are enemy units, too: where they are, no Allied unit comes on."""
    return 0 if unit in facts.german_units else s.vdh | s.commandos


def enemy_at_entry(facts: Facts, s: Situation, unit: int) -> int:
    """The hexes that enemy units or their zones close to a reinforcement (12.3)."""
    enemy = other(facts.side_of(unit))
    return s.occupied[enemy] | s.zones[enemy] | _infiltrated(facts, s, unit)


def _doubtful_entries(facts: Facts, s: Situation, unit: int) -> int:
    """Hexes that a reinforcement might enter, but perhaps not leave again as it must (6.10), or not pay for."""
    return 0 if unit in facts.german_units else s.other_ally(unit) | _under_paratroopers(facts, s, unit)


def _under_paratroopers(facts: Facts, s: Situation, unit: int) -> int:
    """Hexes that cost this unit double, and in which roads do it no good (14.5)."""
    return 0 if not s.vdh or unit in facts.german_units else facts.board.within(s.vdh, 1)


@rule("12.2", "14.5")
def _entry(facts: Facts, s: Situation, unit: int, hex_: int) -> Walk:
    """A reinforcement in its first hex, paid for by road, at the mechanized rate if it can."""
    points = VAK_MOVEMENT_FACTOR if facts.special[unit] == "vak" else MOVEMENT_FACTOR
    drives = facts.mechanized[unit]
    cost = MECHANIZED_STEP if drives else POINT
    if _under_paratroopers(facts, s, unit) >> hex_ & 1:
        drives, cost = False, 2 * facts.terrain[facts.terrain_of(hex_)].points * POINT
    return Walk(s, unit, hex_, points * POINT - cost, drives)


def _gets_in(facts: Facts, s: Situation, unit: int, hex_: int) -> bool:
    """Whether a reinforcement could pay for its first hex, and end its move where it may stop (6.10)."""
    way = _entry(facts, s, unit, hex_)
    return way.left >= 0 and bool(way.reach().spaces & ~way.no_end)


@rule("12.2")
def bring_on(t: Table[BulgePosition], facts: Facts, s: Situation, unit: int) -> Play:
    """A reinforcement enters and moves on."""
    side, name = facts.side_of(unit), facts.rows[unit].name
    hexes = members(entry_hexes(facts, s, unit))
    hex_ = yield Decision(side, f"Where does {name} come on?", hexes, "12.1", Kind.SPACE, about=Entry(unit))
    way = _entry(facts, s, unit, hex_)
    enter(t, facts, unit, hex_)
    t.say("12.2", f"{name} enters at {facts.board.name(hex_)}.", spaces=(hex_,), units=(unit,))
    yield from walk(t, facts, way)
