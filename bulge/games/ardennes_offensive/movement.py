"""One unit on the move: single steps, off Road Mode and in it (rules 5, 6, 7.1, 7.4 and 8.1)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import lru_cache, reduce
from operator import or_

from bulge.core.bars import Bar, open_to
from bulge.core.compiling import compiled
from bulge.core.decision import Choice
from bulge.core.movement import Limits, Reach, reach
from bulge.core.rulebook import rule
from bulge.games.ardennes_offensive.facts import DIVISION, POINT, Facts, other
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.routes import Routes
from bulge.games.ardennes_offensive.situation import Situation, steps_of

STOP, TAKE_ROAD, LEAVE_ROAD = "stop", "enter_road_mode", "leave_road_mode"

ENDLESS = 200 * POINT
MODE_TOLL = {True: 6 * POINT, False: 3 * POINT}
"""What it costs to enter or leave Road Mode, mechanized or not (6.3C)."""
STACKING_TOLL = {True: 6 * POINT, False: 2 * POINT}
"""What it costs to join a stack, and to leave one, mechanized or not (8.1A)."""


@rule("12.4K", "12.6")
def allowance(facts: Facts, p: ArdennesPosition, unit: int) -> int:
    """A unit's movement in tenths of a point: halved without supply, less what a forced conversion took."""
    points = facts.rows[unit].movement
    if p.unsupplied >> unit & 1:
        points //= 2
    left = points * POINT
    return left - MODE_TOLL[facts.mechanized[unit]] if p.converted >> unit & 1 else left


@rule("14.3C")
def kept_back(facts: Facts, p: ArdennesPosition, unit: int) -> bool:
    """Whether a unit may not cross the Meuse yet."""
    return not p.british_free and facts.arrivals[p.scenario][unit].section == "WB"


@compiled(allow_interpreted_subclasses=True)
class Walk:
    """One unit on its way: where it is, what it has left, and what it may do next."""

    def __init__(self, s: Situation, unit: int, here: int, left: int, *, must_go: bool = False) -> None:
        facts, p = s.facts, s.p
        self.facts, self.situation, self.unit = facts, s, unit
        self.came_from = own = p.where[unit]
        """Where it stood when the phase came to it."""
        self.here, self.path = here, [here]
        self.left = left
        """Tenths of a movement point."""
        self.by_road = bool(p.road >> unit & 1)
        self.must_go = must_go
        """It may not stop before it has entered another hex (6.7N)."""
        self.side = side = facts.side_of(unit)
        self.mechanized = mechanized = facts.mechanized[unit]
        self.mode_toll, self.stacking_toll = MODE_TOLL[mechanized], STACKING_TOLL[mechanized]
        self.steps, self.march = steps_of(facts, side, mechanized, s.interdicted(side))
        loads = s.loads  # before it moves: the situation is told afterwards
        alone = 1 << own if facts.on_map[own] and loads[own] == facts.size[unit] else 0
        self.friends = s.occupied[side] & ~alone
        self.stops = s.zones[other(side)] & ~self.friends & facts.live
        """Enemy zones that no friend negates: they end a move, and hold a unit that is in one (7.1A, 7.2B)."""
        self.alone = alone
        """Its own hex, as a set, if nobody else is in it."""
        self.bound = bool(self.stops >> here & 1)
        """It is in an enemy zone and may not leave the hex (7.1A)."""
        self._next: dict[int, int] | None = None
        self._routes: Routes | None = None
        self._untiring: Walk | None = None
        self._open: int | None = None
        self._open_to_column: int | None = None

    @property
    def open(self) -> int:
        """The hexes that it may enter off Road Mode."""
        if self._open is None:
            self._open = open_to(self.facts.passable, no_entry(self))
        return self._open

    @property
    def open_to_column(self) -> int:
        """The hexes that it may enter in Road Mode."""
        if self._open_to_column is None:
            self._open_to_column = open_to(self.facts.passable, no_march(self))
        return self._open_to_column

    # -------------------------------------------------------------- the next step

    def next_steps(self) -> dict[int, int]:
        """Every hex that may be entered now, and its whole cost."""
        if self._next is None:
            self._next = self._find_next_steps()
        return self._next

    @rule("5.1B", "5.2F", "5.2G", "5.2H", "5.2J", "6.5F", "7.1A", "7.4E", "8.1A")
    def _find_next_steps(self) -> dict[int, int]:
        if self.bound:
            return {}
        here, left = self.here, self.left
        if self.by_road:
            open_ = self.open_to_column
            return {to: cost for to, cost in self.march.from_hex(here) if cost <= left and open_ >> to & 1}
        open_, friends, toll = self.open, self.friends, self.stacking_toll
        leave = toll if friends >> here & 1 else 0
        found = {}
        for to, cost in self.steps.from_hex(here):
            total = cost + leave
            if total > left or not open_ >> to & 1:
                continue
            if friends >> to & 1:
                total += toll
                if total > left:
                    continue
            found[to] = total
        return found

    @rule("6.3C", "6.5G")
    def may_take_road(self) -> bool:
        """Whether it may go into Road Mode here: on a road, with nobody in the hex or next to it on the road."""
        return (
            not self.by_road
            and self.left >= self.mode_toll
            and bool(self.facts.road_hexes >> self.here & 1)
            and bool(self.open_to_column >> self.here & 1)
        )

    @rule("6.3C")
    def may_leave_road(self) -> bool:
        return self.by_road and self._whole_points() >= self.mode_toll and bool(self.facts.live >> self.here & 1)

    @rule("6.5H")
    def _whole_points(self) -> int:
        """What is left for anything but the road: a point begun in Road Mode is spent."""
        return self.left - self.left % POINT

    def step(self, to: int) -> None:
        self.left -= self.next_steps()[to]
        self.here = to
        self.path.append(to)
        self.must_go = False
        self.bound = bool(self.stops >> to & 1)
        self._next = self._routes = self._untiring = None

    def change_mode(self) -> None:
        self.left = (self._whole_points() if self.by_road else self.left) - self.mode_toll
        self.by_road = not self.by_road
        self._next = self._routes = self._untiring = None

    @rule("6.7N")
    def _parts_by_deploying(self) -> bool:
        """Whether it could still enter another hex once it has left Road Mode."""
        after = copy(self)
        after.change_mode()
        return bool(after.next_steps())

    def options(self) -> list[Choice]:
        """Hexes to enter next, and the words for changing the mode and for stopping."""
        options: list[Choice] = [*self.next_steps()]
        if len(self.path) == 1 or not self.bound:
            if self.may_take_road():
                options.append(TAKE_ROAD)
            elif self.may_leave_road() and not (self.must_go and not self._parts_by_deploying()):
                options.append(LEAVE_ROAD)
        if not (self.must_go and options):
            options.append(STOP)
        return options

    # -------------------------------------------------------------- all of it at once

    def reaches(self) -> list[Reach]:
        """Everywhere this unit can still go: as it is now, and after each change of mode that it can pay for."""
        floods = [self._flood({0: 1 << self.here}, self.by_road)]
        by_road = self.by_road
        while start := self._changes(floods, by_road):
            by_road = not by_road
            floods.append(self._flood(start, by_road, before=floods[-1]))
        return floods

    @rule("6.3C", "6.5H")
    def _changes(self, floods: list[Reach], by_road: bool) -> dict[int, int]:
        """Where the mode may change after the last of these floods, by what has then been spent.

        The last but one was in the mode that comes next: what it reached for as little gains nothing.
        """
        able = self.facts.live if by_road else self.facts.road_hexes & self.open_to_column
        earlier = floods[-2].levels if len(floods) > 1 else []
        start: dict[int, int] = {}
        for cost, level in enumerate(floods[-1].levels[: max(self.left - self.mode_toll + 1, 0)]):
            if not level or not (hexes := level & able & ~self._spent(level)):
                continue
            begun = (self.left - cost) % POINT if by_road else 0
            spent = cost + begun + self.mode_toll
            if spent <= self.left and (hexes := hexes & ~reduce(or_, earlier[: spent + 1], 0)):
                start[spent] = start.get(spent, 0) | hexes
        return start

    def _spent(self, level: int) -> int:
        """Those of these hexes in which an enemy zone has ended the move."""
        return level & self.stops & ~(1 << self.path[0])

    def _flood(self, start: dict[int, int], by_road: bool, before: Reach | None = None) -> Reach:
        if by_road:
            limits = Limits(blocked=~self.open_to_column | self._held(), stop=self.stops)
            return reach(self.march, start, self.left, limits, before=before)
        stacking = ((self.friends, self.stacking_toll),)
        limits = Limits(blocked=~self.open | self._held(), stop=self.stops, enter=stacking, leave=stacking)
        return reach(self.steps, start, self.left, limits, before=before)

    def _held(self) -> int:
        """Everything is shut to a unit that an enemy zone binds."""
        return -1 if self.bound else 0

    def reach(self) -> Routes:
        """The same, with the choices that lead to each hex."""
        if self._routes is None:
            change = {True: LEAVE_ROAD, False: TAKE_ROAD}
            self._routes = Routes(self.here, self.reaches(), self.by_road, change)
        return self._routes

    def untiring(self) -> Walk:
        """The same unit from here on, if it had points without end; what is begun of one stays begun (6.5H)."""
        if self._untiring is None:
            ahead = self._untiring = copy(self)
            ahead.left, ahead._next, ahead._routes = ENDLESS + self.left % POINT, None, None
        return self._untiring

    def way_to(self, hex_: int) -> list[Choice]:
        """The choices that lead to a hex; the mode is changed on the way only where it must be."""
        routes = self.reach()
        changes = next((number for number, flood in enumerate(routes.floods) if flood.spaces >> hex_ & 1), None)
        return [] if changes is None else routes.way(hex_, changes)[1:]


# ---------------------------------------------------------------------- which hexes are shut


@rule("5.2F", "6.5G", "8.0", "8.2C", "14.3C")
def no_entry(way: Walk) -> Iterator[Bar]:
    """Hexes that a unit off Road Mode may not enter."""
    s, facts, side, alone = way.situation, way.facts, way.side, way.alone
    yield Bar(s.occupied[other(side)], "5.2F", lambda at: f"the enemy is there: {s.names_in(1 << at)}")
    if facts.size[way.unit] == DIVISION:
        yield Bar(
            s.crowded(DIVISION) & ~alone,
            "8.2C",
            lambda at: f"divisions stack with nobody, and there is {s.names_in(1 << at)}",
        )
    else:
        yield from no_room(s, but_for=alone)
    if columns := s.marching[side] & ~alone:
        near = columns | facts.roads.across(columns)
        yield Bar(
            near, "6.5G", lambda at: f"in Road Mode there or next to it on the road: {_beside(way, columns, at)}"
        )
    if kept_back(facts, s.p, way.unit):
        yield Bar(~facts.beyond_meuse, *NOT_OVER_THE_MEUSE)


@rule("5.2F", "6.5F", "6.5G", "11.0", "14.3C")
def no_march(way: Walk) -> Iterator[Bar]:
    """Hexes that a unit in Road Mode may not enter."""
    s, facts = way.situation, way.facts
    yield Bar(s.occupied[other(way.side)], "5.2F", lambda at: f"the enemy is there: {s.names_in(1 << at)}")
    yield Bar(~facts.marched_by(way.side), *NO_COLUMN_IN_THE_WALL)
    units = s.everybody & ~way.alone
    near = units | facts.roads.across(units)
    yield Bar(near, "6.5G", lambda at: f"there or next to it on the road: {_beside(way, units, at)}")
    if kept_back(facts, s.p, way.unit):
        yield Bar(~facts.beyond_meuse, *NOT_OVER_THE_MEUSE)


NO_COLUMN_IN_THE_WALL = "11.0", "Allied units do not enter the West Wall in Road Mode"
NOT_OVER_THE_MEUSE = "14.3C", "it may not cross the Meuse before the Germans have 25 points"


@lru_cache(maxsize=4)
@rule("5.3L", "11.0", "E3.1-1")
def closed_ground(facts: Facts) -> tuple[Bar, ...]:
    """Hexes that nobody enters of his own will."""
    return (
        Bar(facts.board.boxes, "14.1A", "it is a box beside the map, in which reinforcements wait"),
        Bar(facts.edge, "5.3L", "map edge hexes are entered only by Allied units that must retreat"),
        Bar(~facts.live, "E3.1-1", "nobody may enter the edge behind the German flanks"),
        Bar(~facts.passable, "11.0", "the hex is impassable"),
    )


@rule("8.0", "8.2C")
def no_room(s: Situation, but_for: int = 0) -> Iterator[Bar]:
    """Hexes that have no room for a regiment."""
    yield Bar(
        s.divisions & ~but_for, "8.2C", lambda at: f"{s.names_in(1 << at)} is a division: it stacks with nobody"
    )
    full = s.crowded(1) & ~but_for
    yield Bar(full, "8.0", lambda at: f"{s.names_in(1 << at)} fill it: one division equivalent is the limit")


def _beside(way: Walk, hexes: int, at: int) -> str:
    """Who else of these hexes is in a hex, or next to it on the road."""
    return way.situation.names_in(hexes & (1 << at | way.facts.roads.across(1 << at)), way.unit)
