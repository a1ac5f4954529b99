"""Advance after combat, and who may attack again (rule 19)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.allowance import held_back
from bulge.games.ardennes_44.breakdown import BREAK_DOWN, ask_to_split, breakable, can_break
from bulge.games.ardennes_44.bridges import test_ouren
from bulge.games.ardennes_44.counters import GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.holding import pass_through
from bulge.games.ardennes_44.limits import boundary, closed_to
from bulge.games.ardennes_44.mover import FROST
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf
from bulge.games.ardennes_44.results import BONUS, LIMITED
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits

STOP, LEAVE_MAP = "stop", "leave_the_map"


class Advance:
    """One unit on its advance."""

    def __init__(self, s: Situation, unit: int, kind: str, vacated: int) -> None:
        self.s, self.facts, self.unit, self.kind, self.vacated = s, s.facts, unit, kind, vacated
        self.side = s.facts.side_of(unit)
        self.path = [s.p.where[unit]]
        self.by_road = not s.p.unsupplied >> unit & 1 and not s.facts.foot >> unit & 1
        """It has kept to the road so far, and so may go a hex farther (19.1.3)."""

    @property
    def here(self) -> int:
        return self.path[-1]

    @property
    def done(self) -> int:
        return len(self.path) - 1

    @rule("19.1", "19.1.2", "19.1.3", "19.2", "19.3", "19.3.1", "19.3.2", "19.5", "11.10.2", "29.1.1", "29.1.2")
    def next_steps(self) -> list[int]:
        """The hexes that may be entered next."""
        s, facts, here, p = self.s, self.facts, self.here, self.s.p
        if held_back(facts, p) >> self.unit & 1:
            return []
        rate = 2 if self.kind == BONUS else 1
        if self.done >= rate and not (self.by_road and self.kind != LIMITED and self.done == rate):
            return []
        if here in facts.blocked:
            return [facts.blocked[here]]
        near = facts.board.next_to(here) & ~s.occupied[other(self.side)] & ~closed_to(s, self.unit)
        if self.kind == LIMITED:
            near &= 1 << self.vacated
        edge = boundary(s, self.unit)
        friends, closing = s.occupied[self.side], s.standing.armies[other(self.side)].closing
        return [
            to
            for to, direction in facts.ground.around(here)
            if near >> to & 1
            and to not in self.path
            and not edge.between(here, to)
            and (to == self.vacated or friends >> to & 1 or not closing[direction] >> to & 1)
            and self._passable(here, to)
            and not (self.done and self._same_zone(here, to))
            and (self.done < rate or self._road(here, to))
        ]

    @rule("19.2")
    def _passable(self, here: int, to: int) -> bool:
        """Vehicles as in movement; infantry crosses rivers and enters roadless forest as the first hex only."""
        ground, blown = self.facts.ground, self.s.p.blown
        if self.facts.way[self.unit] == "vehicle":
            return ground.vehicles_cross(blown).between(here, to)
        if not self.done:
            return True
        off_road = ground.forest >> to & 1 and not ground.open_roads(blown).between(here, to)
        return not off_road and not ground.hard(blown).between(here, to)

    @rule("19.3.2")
    def _same_zone(self, here: int, to: int) -> bool:
        """Whether one enemy unit's zone covers both hexes."""
        s, facts = self.s, self.facts
        enemy = other(self.side)
        if not (s.zone(enemy) >> here & 1 and s.zone(enemy) >> to & 1):
            return False
        both = facts.board.next_to(here) & facts.board.next_to(to) & s.occupied[enemy]
        return any(self._exerts(hex_, here) and self._exerts(hex_, to) for hex_ in members(both))

    def _exerts(self, from_: int, to: int) -> bool:
        ground, units = self.facts.ground, union(self.s.stack(from_))
        if units & ~self.facts.silhouettes:
            return True
        return ground.roads.between(from_, to) or not ground.thick_sides.between(from_, to)

    @rule("11.8", "19.1.3", "28.1")
    def _road(self, here: int, to: int) -> bool:
        """Whether this step keeps the Road Bonus: along a road, a Forest Road only in frost."""
        ground, p = self.facts.ground, self.s.p
        forest_road = ground.forest_road_hexes >> to & 1 and p.turn < FROST
        return not forest_road and ground.open_roads(p.blown).between(here, to)

    @rule("8.3", "19.6")
    def may_stop(self) -> bool:
        s, here = self.s, self.here
        if not self.done:
            return True
        friends = [unit for unit in s.stack(here) if unit != self.unit]
        if any(s.p.columns >> unit & 1 for unit in friends):
            return False
        return fits(self.facts, s.p.reduced, [*friends, self.unit])

    @rule("11.9.1", "19.1.3")
    def may_leave_map(self) -> bool:
        """Whether an Allied unit may go off a friendly edge, which takes one hex of its advance."""
        if self.kind == LIMITED or self.side == GERMAN or self.here not in self.s.field.boxes:
            return False
        if held_back(self.facts, self.s.p) >> self.unit & 1:
            return False
        rate = 2 if self.kind == BONUS else 1
        farther = self.by_road and self.facts.road_ends >> self.here & 1
        return self.done < rate or (self.done == rate and bool(farther))

    def options(self) -> list[int]:
        """The next hexes from which the advance can be ended, there or farther on."""
        return [to for to in self.next_steps() if self._leads_somewhere(to)]

    def goes_on(self) -> bool:
        """Whether there is such a hex."""
        return any(self._leads_somewhere(to) for to in self.next_steps())

    def _leads_somewhere(self, to: int) -> bool:
        ahead = self.after(to)
        return ahead.may_stop() or ahead.may_leave_map() or ahead.goes_on()

    def after(self, to: int) -> Advance:
        ahead = Advance(self.s, self.unit, self.kind, self.vacated)
        ahead.path = [*self.path, to]
        ahead.by_road = self.by_road and (self.here not in self.facts.blocked and self._road(self.here, to))
        return ahead

    def step(self, to: int) -> None:
        ahead = self.after(to)
        self.path, self.by_road = ahead.path, ahead.by_road


@dataclass(frozen=True, slots=True)
class Advancing(Question):
    way: Advance

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, words="advance no farther", role="end") if choice == STOP else plain

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        way = self.way
        s, facts, here = way.s, way.facts, way.here
        shut = s.links(other(way.side)).shut(s.occupied[way.side])
        yield Bar(~facts.board.next_to(here), "19.1", f"it is not next to {facts.words(here)}")
        yield Bar(s.occupied[other(way.side)], "19.1", "enemies are there")
        if way.kind == LIMITED:
            yield Bar(~(1 << way.vacated), "19.1.2", "only the hex that was vacated may be entered")
        barred = (to for to, way_ in facts.ground.around(here) if shut[way_] >> to & 1 and to != way.vacated)
        yield Bar(union(barred), "19.3.1", "an enemy bond closes the way")
        yield Bar(boundary(s, way.unit).across(1 << here), "11.10.2", "an army boundary lies between")
        yield Bar(lambda to: not way._passable(here, to), "19.2", "the ground does not let it pass there")
        yield Bar(
            lambda to: bool(way.done) and way._same_zone(here, to), "19.3.2", "it is in the zone of the same enemy"
        )
        yield Bar(~union(way.next_steps()), "19.1.3", "its advance does not reach so far")
        yield Bar(~union(way.options()), "19.6", "there is no room")

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        facts = self.way.facts
        return Subject((facts.board.name(self.way.here),), (facts.rows[self.way.unit].id,))


@rule("19.1.1", "13.8.3", "13.8.4", "16.2.2", "26.2")
def advance(t: Table[Ardennes44], facts: Facts, side: str, units: int, kind: str, vacated: int) -> Play:
    """Those who attacked advance one by one, as far as the result lets them. Guns never do."""
    p, left = t.p, units & ~facts.guns
    while True:
        s = Situation(facts, p)
        ways = [Advance(s, unit, kind, vacated) for unit in members(left)]
        able = [way.unit for way in ways if way.goes_on() or way.may_leave_map()]
        if not able:
            return
        whole = union(able) & ~p.along
        may_split = can_break(s, whole)
        options: list[Choice] = [*able, *([BREAK_DOWN] if may_split else []), DONE]
        question = OneOf(facts, union(able), "19.1.1", "cannot advance now", vacated)
        unit = yield Decision(
            side, f"Who advances? ({kind} advance)", options, "19.1.1", Kind.UNIT, about=question
        )
        if unit == DONE:
            return
        if unit == BREAK_DOWN:
            parts = yield from ask_to_split(t, s, side, breakable(s, whole))
            p.attackers |= union(parts)
            left = (left | union(parts)) & (p.attackers | p.along)
            continue
        left &= ~(1 << unit)
        yield from _go(t, Advance(s, unit, kind, vacated))


def _go(t: Table[Ardennes44], way: Advance) -> Play:
    p, facts, unit = t.p, way.facts, way.unit
    while True:
        options: list[Choice] = [*way.options()]
        if way.may_leave_map():
            options.append(LEAVE_MAP)
        if way.may_stop():
            options.append(STOP)
        while not options and not way.may_stop():
            way.path = way.path[:-1]  # a bridge broke before a unit that cannot end where it is (7.7)
        if options in ([], [STOP]):
            break
        prompt = f"Where does {facts.rows[unit].name} advance?"
        choice = yield Decision(way.side, prompt, options, "19.1", Kind.SPACE, about=Advancing(way))
        if choice == STOP:
            break
        if choice == LEAVE_MAP:
            _leave(t, way)
            return
        if way.here not in facts.blocked and test_ouren(t, facts, way.side, way.here, choice):
            continue
        way.step(choice)
        if pass_through(t, facts, way.side, choice):
            way.s = Situation(facts, p)
    if way.done:
        p.where[unit] = way.here
        p.advanced[unit] = way.done
        route = " - ".join(facts.board.name(space) for space in way.path)
        t.say("19.1", f"{facts.rows[unit].name} advances {route}.", spaces=tuple(way.path), units=(unit,))


@rule("11.9.1")
def _leave(t: Table[Ardennes44], way: Advance) -> None:
    """The unit ends its advance in the box beyond the edge."""
    p, facts = t.p, way.facts
    p.where[way.unit] = way.s.field.boxes[way.here]
    words = f"{facts.rows[way.unit].name} advances off the map at {facts.words(way.here)}."
    t.say("11.9.1", words, spaces=(way.here,), units=(way.unit,))


@rule("19.4", "19.4.1", "19.5")
def breakthrough_group(facts: Facts, p: Ardennes44) -> int:
    """Those who advanced after a Defender Shattered and may attack again: in supply, on foot after one hex."""
    able = [unit for unit, hexes in p.advanced.items() if hexes == 1 or not facts.foot >> unit & 1]
    return union(able) & ~p.unsupplied


@rule("19.4.1")
def one_group(facts: Facts, p: Ardennes44, units: list[int]) -> bool:
    """Whether these units are one Breakthrough Group: a single stack, on foot or mixed only after one hex."""
    if len({p.where[unit] for unit in units}) > 1:
        return False
    mechanized = not union(units) & facts.foot
    return mechanized or all(p.advanced.get(unit, 0) == 1 for unit in units)
