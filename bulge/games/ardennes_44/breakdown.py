"""Breakdown units (rule 26)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_44.allowance import in_good_order
from bulge.games.ardennes_44.facts import POOL, Facts
from bulge.games.ardennes_44.losses import spare
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits

NATIONS = {"us": "US", "british": "UK", "german": "GE"}
KINDS = {
    "infantry": "inf",
    "parachute": "para",
    "glider": "para",
    "mech_infantry": "pzg",
    "tank_nato": "tf",
    "tank": "tf",
}


@rule("26.1")
def kind_of(facts: Facts, unit: int) -> str:
    """The kind of counter that a unit breaks down into; empty if it does not."""
    row = facts.rows[unit]
    if row.steps == 1 or row.entry == "pool" or (row.type == "tank" and row.nation != "us"):
        return ""
    kind = KINDS.get(row.type, "")
    return f"BD-{NATIONS[row.nation]}-{kind}-" if kind else ""


@rule("26.1", "26.2")
def may_break_down(s: Situation, unit: int) -> bool:
    """A full unit in Good Order, with a spare counter left and room for it."""
    facts, p = s.facts, s.p
    if p.reduced >> unit & 1 or not in_good_order(p) >> unit & 1 or (p.columns | p.night_marked) >> unit & 1:
        return False
    part = spare(facts, p, kind_of(facts, unit))
    return part >= 0 and fits(facts, p.reduced | 1 << unit, [*s.stack(p.where[unit]), part])


@rule("26.1", "26.3")
def break_down(t: Table[Ardennes44], s: Situation, unit: int) -> None:
    """The unit gives a step to a counter that is placed with it."""
    p, facts, bit = t.p, s.facts, 1 << unit
    part = spare(facts, p, kind_of(facts, unit))
    p.where[part] = p.where[unit]
    p.reduced |= bit
    p.parents[part] = unit
    for name in ("engaged", "unsupplied", "replaced"):
        if getattr(p, name) & bit:
            setattr(p, name, getattr(p, name) | 1 << part)
    t.say("26.1", f"{facts.rows[unit].name} splits off {facts.rows[part].name}.", units=(unit, part))
    s.look_again()


@rule("26.4")
def rejoin(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Parts that ended their move with the unit that made them are taken in again."""
    p = t.p
    for part, unit in list(p.parents.items()):
        together = p.where[part] >= 0 and p.where[part] == p.where[unit] and facts.side_of(unit) == side
        shaken = (p.disrupted | p.broken | p.columns) & (1 << part | 1 << unit)
        if together and p.moved >> part & 1 and p.moved >> unit & 1 and not shaken and p.reduced >> unit & 1:
            p.reduced &= ~(1 << unit)
            p.where[part] = POOL
            for name in ("engaged", "unsupplied", "replaced", "moved"):
                setattr(p, name, getattr(p, name) & ~(1 << part))
            del p.parents[part]
            t.say("26.4", f"{facts.rows[unit].name} takes its part in again.", units=(unit,))
