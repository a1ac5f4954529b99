"""One unit on the move, hex by hex (rules 9.2, 10.2, 11 and 12).

A unit need not say how it moves. Its walk keeps the ways that still fit: paying for each hex, with the points of
Extended Movement if it ends away from enemies, or two hexes by Tactical Movement. Only Strategic Movement must be
declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from bulge.core.compiling import compiled
from bulge.core.rulebook import rule
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.mover import Mover
from bulge.games.ardennes_44.situation import Situation


@compiled(allow_interpreted_subclasses=True)
class Walk:
    """A unit on its way: where it is, what it has spent, and which ways of moving still fit."""

    __slots__ = ("_ahead", "hexes", "mover", "path", "spent", "stopped", "tactical")

    def __init__(self, s: Situation, unit: int, here: int, *, strategic: int = 0) -> None:
        self._begin(Mover(s, unit, strategic), here, 0)

    @classmethod
    def of(cls, mover: Mover, here: int, entering: int) -> Walk:
        """That of a unit that comes on here, at this cost."""
        walk: Walk = Walk.__new__(Walk)
        walk._begin(mover, here, entering)
        return walk

    def _begin(self, mover: Mover, here: int, entering: int) -> None:
        self.mover = mover
        self.path: tuple[int, ...] = (here,)
        self.spent = entering if entering <= mover.allowed.points + mover.allowed.extended else -1
        """Half points spent; -1 once only Tactical Movement will do."""
        self.tactical = not mover.strategic and mover.allowed.tactical > 0
        self.hexes = 1 if entering else 0
        """Hexes entered so far; a reinforcement's first is the one by which it comes on."""
        self.stopped = bool(entering and mover.zone & 1 << here)
        self._ahead: dict[int, tuple[int, bool]] | None = None
        """The next steps, once they have been looked for."""

    @property
    def here(self) -> int:
        return self.path[-1]

    @property
    def unit(self) -> int:
        return self.mover.unit

    @property
    def side(self) -> str:
        return self.mover.side

    # ------------------------------------------------------------------ the next step

    @rule("9.2.1", "9.2.2", "10.2", "11.1", "11.3", "11.4.1", "11.6", "11.7", "12.2", "12.3", "24.2", "24.7")
    def next_steps(self) -> dict[int, tuple[int, bool]]:
        """Every hex that may be entered now: what has then been spent (-1: too much), and whether tactically."""
        found = self._ahead
        if found is not None:
            return found
        if self.stopped:
            return {}
        mover, here, spent = self.mover, self.path[-1], self.spent
        allowed = mover.allowed
        left = allowed.points + allowed.extended - spent if spent >= 0 else -1
        may_go = self.tactical and self.hexes < allowed.tactical
        anywhere = self.hexes == 0 and not mover.vehicle
        passage, found = mover.passage or mover.ways_open(), {}
        for to, cost, passes, bond in passage.known.get(here) or passage.out_of(here):
            if bond and not mover.passes_bond(here, to):
                continue
            tactical = may_go and (passes or anywhere)
            if cost <= left:
                found[to] = spent + cost, tactical
            elif tactical:
                found[to] = -1, True
        if mover.shaken and mover.shunned:
            found = self._with_choice(found)
        self._ahead = found
        return found

    @rule("18.3")
    def _with_choice(self, found: dict[int, tuple[int, bool]]) -> dict[int, tuple[int, bool]]:
        """A Disrupted unit stays out of enemy zones; in one, it leaves if it can."""
        shunned = self.mover.shunned
        free = {to: way for to, way in found.items() if not shunned & 1 << to}
        if not shunned & 1 << self.path[-1] or self.options(free):
            return free
        return found

    def options(self, steps: dict[int, tuple[int, bool]] | None = None) -> list[int]:
        """The hexes to enter next, of these or of all, from which the move can be ended, there or farther on."""
        mover = self.mover
        stacks, freely, near, found = mover.s.standing.stacks, mover.freely, mover.near, []
        for to, (spent, tactical) in (self.next_steps() if steps is None else steps).items():
            if to not in stacks and (tactical or spent <= freely or (freely >= 0 and not near & 1 << to)):
                found.append(to)  # most steps: no need to ask farther
            elif (
                mover.may_end_in(to, (spent, tactical))
                or (ahead := self.after(to, (spent, tactical))).may_leave_map()
                or ahead.goes_on()
            ):
                found.append(to)
        return found

    def goes_on(self) -> bool:
        """Whether there is such a hex."""
        may_end_in = self.mover.may_end_in
        for to, how in self.next_steps().items():
            if may_end_in(to, how):
                return True
        return any(ahead.may_stop() or ahead.may_leave_map() for ahead in self.onward())

    def onward(self) -> Iterator[Walk]:
        """Every walk that goes on from here, the cheapest way to each hex first."""
        front: list[tuple[int, int, Walk]] = [(0, 0, self)]
        seen: set[tuple[int, int]] = set()
        count = 0
        while front:
            at = heappop(front)[2]
            # Two hexes of Tactical Movement are counted, so that a dearer way of fewer hexes may lead farther.
            key = at.path[-1], at.hexes if at.tactical else -1
            if key in seen:
                continue
            seen.add(key)
            if at is not self:
                yield at
            for to, how in at.next_steps().items():
                if (to, at.hexes + 1 if how[1] else -1) not in seen:
                    ahead, count = at.after(to, how), count + 1
                    heappush(front, (ahead.worth, count, ahead))

    @property
    def worth(self) -> int:
        """What the way has cost; one that only Tactical Movement allows comes after all others."""
        return self.spent if self.spent >= 0 else 1000 + self.hexes

    def after(self, to: int, how: tuple[int, bool]) -> Walk:
        """The walk one hex farther on."""
        ahead: Walk = Walk.__new__(Walk)
        ahead.mover, ahead.path, ahead.hexes = self.mover, self.path, self.hexes
        ahead._enter(to, how)
        return ahead

    def _enter(self, to: int, how: tuple[int, bool]) -> None:
        mover, path = self.mover, self.path
        self.stopped = bool(mover.zone & 1 << to or (mover.at_echternach and mover.crosses_there(path[-1], to)))
        self.path = (*path, to)
        self.spent, self.tactical = how
        self.hexes += 1
        self._ahead = None

    def goes(self, way: Sequence[int]) -> bool:
        """Whether it could walk these hexes and end in the last; the bridge of Ouren is tried by one alone."""
        if not self.mover.has_room(way[-1]):
            return False
        at, weak = self, self.mover.facts.weak_bridge
        for from_, to in pairwise(way):
            how = at.next_steps().get(to)
            if how is None or (not self.mover.s.p.ouren_tested and {from_, to} == weak):
                return False
            at = at.after(to, how)
        return at.may_stop()

    def step(self, to: int) -> None:
        self._enter(to, (self._ahead or self.next_steps())[to])

    @rule("27.8.2")
    def ignore_zone(self) -> None:
        """The zones in the hex where it is bind it no longer."""
        self.mover.ignore(1 << self.path[-1])
        self.stopped = False

    @rule("7.7")
    def lose_bridge(self) -> None:
        """A bridge has broken under it: there are fewer ways on."""
        self.mover.passage = None
        self._ahead = None

    @rule("32.1", "32.2")
    def look_again(self) -> None:
        """Guards of a dump stand on the way from now on."""
        mover = self.mover
        mover.s.look_again()
        self.mover = Mover(mover.s, mover.unit, mover.strategic)
        self.mover.ignore(mover.ignored)
        self._ahead = None

    @rule("7.7", "8.3")
    def turn_back(self) -> None:
        """A bridge broke under a unit that cannot end where it is: back to the last hex in which it can."""
        while len(self.path) > 1 and not self.mover.has_room(self.path[-1]):
            self.path = self.path[:-1]

    # ------------------------------------------------------------------ stopping

    @rule("8.1", "8.3", "11.2", "12.2", "12.4.2")
    def may_stop(self) -> bool:
        """Whether the move may end here: within stacking, off columns, and not next to enemies if extended."""
        mover, path = self.mover, self.path
        if len(path) == 1 and path[0] == mover.s.p.where[mover.unit] and not mover.strategic:
            return True
        return mover.may_end_in(path[-1], (self.spent, self.tactical))

    @property
    def must_go(self) -> bool:
        """A Disrupted unit that can leave an enemy zone may not stay (18.3)."""
        if not self.mover.shaken or len(self.path) > 1:
            return False
        shunned = self.mover.shunned
        return bool(shunned & 1 << self.path[-1]) and any(not shunned & 1 << to for to in self.options())

    # ------------------------------------------------------------------ leaving the map

    @rule("11.2", "11.9.1", "11.9.2", "11.9.3", "12.1", "12.4.1")
    def may_leave_map(self) -> bool:
        """Whether it may go off the map from here: Allies over a friendly edge, Germans by a road that wins.

        Beyond the edge nobody is next to an enemy, so Extended Movement leads there too; a column needs a road
        and a marker.
        """
        if self.stopped:
            return False
        mover, here = self.mover, self.path[-1]
        field, facts, allowed = mover.s.field, mover.facts, mover.allowed
        if not (field.exits & 1 << here if mover.side == GERMAN else here in field.boxes):
            return False
        if mover.strategic and not ((facts.road_ends | field.west_roads) & 1 << here and mover.has_marker):
            return False
        toll = (
            facts.road_off_map(mover.unit, here, column=bool(mover.strategic)) if mover.side == GERMAN else POINT
        )
        toll += POINT if mover.zone & 1 << here else 0
        paid = 0 <= self.spent <= allowed.points + allowed.extended - toll
        return paid or (self.tactical and self.hexes < allowed.tactical)
