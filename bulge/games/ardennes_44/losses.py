"""Step losses, remnants, disruption and elimination (rules 16.3, 16.4, 18.2, 27.1)."""

from __future__ import annotations

from bulge.core.decision import Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.ardennes_44.dumps import capture
from bulge.games.ardennes_44.facts import ABSENT, GONE, POOL, Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf


def clear_markers(p: Ardennes44, unit: int) -> None:
    """Nothing lies on a unit that is gone, and its counter may be used again for one that has done nothing yet."""
    left = ~(1 << unit)
    for name in (
        *("reduced", "disrupted", "broken", "engaged", "unsupplied", "fired", "movers", "columns", "night_marked"),
        *("replaced", "lent", "astray", "attackers", "breakers", "attacked", "remaining", "defended", "retreated"),
        *("joined", "dug", "moved"),
    ):
        setattr(p, name, getattr(p, name) & left)
    p.parents.pop(unit, None)
    p.groups.pop(unit, None)


@rule("16.4", "17.3")
def eliminate(t: Table[Ardennes44], facts: Facts, unit: int, number: str) -> None:
    """A unit goes to the dead pile; a spare counter back to its pool."""
    p = t.p
    t.say(number, f"{facts.rows[unit].name} is eliminated.", units=(unit,))
    if unit == facts.dump_unit:
        capture(t, facts, p.where[unit])
    p.where[unit] = POOL if facts.rows[unit].entry == "pool" else ABSENT if unit == facts.dump_unit else GONE
    clear_markers(p, unit)


@rule("16.3", "16.4")
def lose_step(t: Table[Ardennes44], facts: Facts, unit: int, number: str) -> int:
    """One step: the counter is flipped, or removed, or a remnant takes its place. What is left there is told."""
    p, bit = t.p, 1 << unit
    if facts.rows[unit].steps > 1 and not p.reduced & bit:
        p.reduced |= bit
        t.say(number, f"{facts.rows[unit].name} loses a step.", units=(unit,))
        return unit
    hex_, remnant = p.where[unit], spare(facts, p, facts.remnant_of(unit))
    borne = [
        name
        for name in (
            *("disrupted", "broken", "engaged", "unsupplied", "night_marked", "lent"),
            *("attackers", "attacked", "defended", "joined", "retreated"),
        )
        if getattr(p, name) & bit
    ]
    group = p.groups.get(unit)
    eliminate(t, facts, unit, number)
    if remnant < 0:
        return -1
    p.where[remnant] = hex_
    for name in borne:
        setattr(p, name, getattr(p, name) | 1 << remnant)
    if group is not None:
        p.groups[remnant] = group
    t.say("16.4", "A remnant of it is left.", spaces=(hex_,) if hex_ >= 0 else (), units=(remnant,))
    return remnant


def spare(facts: Facts, p: Ardennes44, kind: str) -> int:
    """A spare counter of this kind; -1 if none is left."""
    return next((unit for unit in facts.spares.get(kind, ()) if p.where[unit] == POOL), -1)


@rule("16.3")
def choose_loss(t: Table[Ardennes44], facts: Facts, side: str, units: list[int], number: str, hex_: int) -> Play:
    """The owner says who of these loses a step; what is left of it is told, or -1."""
    if not units:
        return -1
    unit = units[0]
    if len(units) > 1:
        question = OneOf(facts, union(units), number, "cannot take this loss", hex_)
        unit = yield Decision(side, "Which unit loses a step?", units, number, Kind.UNIT, about=question)
    return lose_step(t, facts, unit, number)


@rule("18.2", "18.3", "18.5", "20.3", "25.2.4", "27.1")
def disrupt(t: Table[Ardennes44], facts: Facts, unit: int, number: str) -> None:
    """One level down: Disrupted, then Broken; a Broken unit is lost, and engineers break for good."""
    p, bit = t.p, 1 << unit
    p.replaced &= ~bit
    p.night_marked &= ~bit
    p.columns &= ~bit
    if p.broken & bit or (p.disrupted & bit and facts.engineers & bit):
        eliminate(t, facts, unit, number)
    elif p.disrupted & bit:
        p.disrupted &= ~bit
        p.broken |= bit
        _say_state(t, facts, unit, "Broken")
    else:
        p.disrupted |= bit
        _say_state(t, facts, unit, "Disrupted")


@rule("18.2", "18.3")
def break_(t: Table[Ardennes44], facts: Facts, unit: int, number: str) -> None:
    """Three or four hexes break a unit; one that was Disrupted already is lost."""
    p, bit = t.p, 1 << unit
    p.replaced &= ~bit
    p.night_marked &= ~bit
    p.columns &= ~bit
    if (p.disrupted | p.broken | facts.engineers) & bit:
        eliminate(t, facts, unit, number)
    else:
        p.broken |= bit
        _say_state(t, facts, unit, "Broken")


def _say_state(t: Table[Ardennes44], facts: Facts, unit: int, state: str) -> None:
    t.say("18.2", f"{facts.rows[unit].name}: {state}.", units=(unit,))
