"""Night Infiltration, an optional rule (31)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.bridges import test_ouren
from bulge.games.ardennes_44.counters import GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.holding import pass_through
from bulge.games.ardennes_44.limits import boundary, closed_to
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits


def markers_left(p: Ardennes44, side: str) -> int:
    return p.night_left_german if side == GERMAN else p.night_left_allied


@rule("31.0")
def infiltration_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Each Night marker that was not laid moves another stack one hex; it may not attack this night."""
    p = t.p
    while p.night_infiltration and markers_left(p, side):
        s = Situation(facts, p)
        hexes = [hex_ for hex_ in s.stacks if stack_for(s, side, hex_) and next_hexes(s, side, hex_)]
        if not hexes:
            break
        options: list[Choice] = [*sorted(hexes), DONE]
        prompt = f"Night Infiltration: which stack moves one hex? {markers_left(p, side)} left"
        hex_ = yield Decision(side, prompt, options, "31.0", Kind.SPACE, top=True)
        if hex_ == DONE:
            break
        prompt = f"Where does the stack of {facts.words(hex_)} go?"
        to = yield Decision(side, prompt, next_hexes(s, side, hex_), "31.0", Kind.SPACE)
        _go(t, s, side, hex_, to)
        if side == GERMAN:
            p.night_left_german -= 1
        else:
            p.night_left_allied -= 1


@rule("7.7", "31.0")
def _go(t: Table[Ardennes44], s: Situation, side: str, hex_: int, to: int) -> None:
    """The stack moves; before vehicles the bridge of Ouren may break, and then they have tried in vain."""
    p, facts, units = t.p, s.facts, stack_for(s, side, hex_)
    p.moved |= union(units)
    p.infiltrated |= union(units)
    if test_ouren(t, facts, side, hex_, to) and any(facts.way[unit] == "vehicle" for unit in units):
        return
    for unit in units:
        p.where[unit] = to
    pass_through(t, facts, side, to)
    t.say("31.0", f"{facts.words(hex_)} infiltrates to {facts.words(to)}.", spaces=(hex_, to))


@rule("31.0")
def stack_for(s: Situation, side: str, hex_: int) -> list[int]:
    """The units of a hex that may infiltrate: Good Order, no other marker, and not moved this way already."""
    facts, p = s.facts, s.p
    unfit = (
        p.disrupted
        | p.broken
        | p.replaced
        | p.columns
        | p.engaged
        | p.night_marked
        | p.moved
        | facts.immobile
        | facts.dump
    )
    return [unit for unit in s.stack(hex_) if facts.side_of(unit) == side and not unfit >> unit & 1]


@rule("31.0")
def next_hexes(s: Situation, side: str, hex_: int) -> list[Choice]:
    """Where a stack may go: by no bond, and into an enemy zone only if nobody in it is green."""
    facts, p = s.facts, s.p
    units, ground = stack_for(s, side, hex_), facts.ground
    shut = s.links(other(side)).shut(s.occupied[side])
    open_ = facts.board.next_to(hex_) & ~s.occupied[other(side)]
    if any(facts.rows[unit].morale == "green" for unit in units):
        open_ &= ~s.zone(other(side))
    for unit in units:
        open_ &= ~closed_to(s, unit)
    vehicles = any(facts.way[unit] == "vehicle" for unit in units)
    return [
        to
        for to in members(open_)
        if not shut[facts.board.direction(hex_, to)] >> to & 1
        and not any(boundary(s, unit).between(hex_, to) for unit in units)
        and (not vehicles or ground.vehicles_cross(p.blown).between(hex_, to))
        and fits(facts, p.reduced, [*s.stack(to), *units])
        and not any(p.columns >> mate & 1 for mate in s.stack(to))
    ]
