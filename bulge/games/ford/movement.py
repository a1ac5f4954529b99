"""Movement in The Ford (rules 3.2 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play
from bulge.core.look import Reachable, Subject
from bulge.core.movement import Limits, Reach, reach
from bulge.core.question import Barred, Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ford.facts import POINT, Facts, FordPosition, other


@rule("3.2", "4.1", "4.2", "4.3", "4.4", "5.2", "9.5")
def reach_of(facts: Facts, p: FordPosition, unit: int) -> Reach:
    """Where a unit can go, and for how many half points."""
    side, here = facts.units[unit].side, p.where[unit]
    friends = union([p.where[u] for u in facts.of_side[side] if u != unit])
    points = (3 * POINT if facts.supply(p, side).among(1 << here) else POINT) + p.march
    limits = Limits(
        blocked=facts.occupied(p, other(side)) | facts.full(p),
        stop=facts.zone(p, other(side)),
        enter=((friends, POINT // 2),),
        leave=((friends, POINT // 2),),
    )
    return reach(facts.steps(p), here, points, limits)


def movement_step(facts: Facts, t: Table[FordPosition], side: str) -> Play:
    """Each unit may move once (4.5)."""
    p, prompt = t.p, "Move a unit, or end your movement"
    about = Barred(partial(may_not_move, facts, p, side), over="done")
    while True:
        movable = members(open_to(facts.sets[side], may_not_move(facts, p, side)))
        unit = yield Decision(side, prompt, [*movable, DONE], "4.5", Kind.UNIT, top=True, about=about)
        if unit == DONE:
            p.moved = p.march = 0
            return
        yield from _move(facts, t, side, unit)


@rule("4.5")
def may_not_move(facts: Facts, p: FordPosition, side: str) -> Iterator[Bar]:
    """Units that do not move now."""
    yield Bar(facts.lost(p), "6.4", lambda unit: f"{facts.units[unit].name} is lost")
    yield Bar(facts.sets[other(side)], "2.1", lambda unit: f"{facts.units[unit].name} belongs to {other(side)}")
    yield Bar(p.moved, "4.5", lambda unit: f"{facts.units[unit].name} has moved already")


def _move(facts: Facts, t: Table[FordPosition], side: str, unit: int) -> Play:
    p, range_ = t.p, reach_of(facts, t.p, unit)
    goals = members(range_.spaces)
    prompt = f"Where does {facts.units[unit].name} go?"
    there = yield Decision(side, prompt, goals, "4.1", Kind.SPACE, about=WhereTo(facts, unit, range_))
    p.where[unit] = there
    p.moved |= 1 << unit
    if t.keeps_log:
        t.say_move("4.1", unit, range_.path(there), kind="move")


@dataclass(frozen=True, slots=True)
class WhereTo(Question):
    """Where a unit goes."""

    facts: Facts
    unit: int
    reach: Reach

    def option(self, t: Table[FordPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, cost=points(self.reach.cost(choice))) if isinstance(choice, int) else plain

    def bars(self, t: Table[FordPosition], decision: Decision) -> Iterator[Bar]:
        facts, p, reach = self.facts, t.p, self.reach
        yield Bar(facts.occupied(p, other(decision.side)), "4.4", lambda at: f"{facts.who_is_in(p, at)} there")
        yield Bar(facts.full(p), "4.2", lambda at: f"{facts.who_is_in(p, at)} there already")
        behind = facts.board.around(reach.limits.stop & reach.spaces) & ~reach.spaces
        yield Bar(behind, "3.2", "it lies too far, or behind an enemy zone in which the unit must stop")
        have = points(len(reach.levels) - 1)
        yield Bar(~reach.spaces, "4.1", f"it costs more than the {have} points the unit has")

    def reachable(self, t: Table[FordPosition], decision: Decision) -> Reachable:
        name, reach = self.facts.board.name, self.reach
        costs = {name(hex_): points(cost) for cost, level in enumerate(reach.levels) for hex_ in members(level)}
        paths = {name(hex_): tuple(name(step) for step in reach.path(hex_)) for hex_ in members(reach.spaces)}
        return Reachable(costs, paths, words=f"{points(len(reach.levels) - 1)} movement points")

    def subject(self, t: Table[FordPosition], decision: Decision) -> Subject:
        return Subject((self.facts.board.name(t.p.where[self.unit]),), (self.facts.units[self.unit].id,))


def points(half_points: int) -> str:
    """A cost in movement points, as a person writes it."""
    whole, half = divmod(half_points, POINT)
    return f"{whole}½" if half and whole else "½" if half else str(whole)
