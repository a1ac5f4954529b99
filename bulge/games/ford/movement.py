"""Movement in The Ford (rules 3.2 and 4)."""

from __future__ import annotations

from bulge.core.decision import DONE, Decision, Kind, Play
from bulge.core.movement import Limits, Reach, reach
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ford.facts import POINT, Facts, FordPosition, other


@rule("3.2", "4.1", "4.2", "4.3", "4.4", "5.2")
def reach_of(facts: Facts, p: FordPosition, unit: int) -> Reach:
    """Where a unit can go, and for how many half points."""
    side, here = facts.units[unit].side, p.where[unit]
    friends = union(p.where[u] for u in facts.side_units(p, side) if u != unit)
    points = 3 * POINT if facts.supply(p, side).spaces >> here & 1 else POINT
    limits = Limits(
        blocked=facts.occupied(p, other(side)) | facts.full(p),
        stop=facts.zone(p, other(side)),
        enter=((friends, POINT // 2),),
        leave=((friends, POINT // 2),),
    )
    return reach(facts.steps, here, points, limits)


def movement_step(facts: Facts, t: Table[FordPosition], side: str) -> Play:
    """Each unit may move once (4.5)."""
    p = t.p
    while True:
        movable = [u for u in facts.side_units(p, side) if not p.moved >> u & 1]
        unit = yield Decision(
            side, "Move a unit, or end your movement", [*movable, DONE], "4.5", Kind.UNIT, top=True
        )
        if unit == DONE:
            p.moved = 0
            return
        yield from _move(facts, t, side, unit)


def _move(facts: Facts, t: Table[FordPosition], side: str, unit: int) -> Play:
    p = t.p
    here = p.where[unit]
    range_ = reach_of(facts, p, unit)
    goals = members(range_.spaces)
    prompt = f"Where does {facts.units[unit].name} go?"
    there = yield Decision(side, prompt, goals, "4.1", Kind.SPACE, about=range_)
    p.where[unit] = there
    p.moved |= 1 << unit
    if there != here and t.keeps_log:
        way = range_.path(there)
        route = " - ".join(facts.board.name(hex_) for hex_ in way)
        t.say("4.1", f"{facts.units[unit].name} moves {route}.", spaces=tuple(way), units=(unit,))
