"""Breakdown units (rule 26)."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from bulge.core.decision import Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.facts import GONE, POOL, Facts
from bulge.games.ardennes_44.losses import clear_markers, spare
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf, Words
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
BREAK_DOWN, BREAK_UP = "break_down", "break_up"
SHARED = (
    *("engaged", "unsupplied", "replaced", "night_marked", "lent", "astray"),
    *("dug", "attacked", "remaining"),
)
"""Markers that the parts of a unit bear as it does, and what it has done in this phase, so that they do not."""


@lru_cache(maxsize=1024)
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
    p = s.p
    if not kind_of(s.facts, unit):
        return False
    held = p.reduced | p.columns | p.disrupted | p.broken | (0 if p.night else p.night_marked)
    if held & 1 << unit:
        return False
    parts = _spares(s, unit, 1)
    return bool(parts) and _fits(s, unit, [unit, *parts])


@rule("26.1", "26.2", "16.4")
def may_break_up(s: Situation, unit: int) -> bool:
    """A unit of three steps, with two spare counters and a remnant left and room for them."""
    kind = s.facts.remnant_of(unit)
    if not kind or not may_break_down(s, unit):
        return False
    remnant, parts = spare(s.facts, s.p, kind), _spares(s, unit, 2)
    return remnant >= 0 and len(parts) == 2 and _fits(s, unit, [remnant, *parts])


def _spares(s: Situation, unit: int, count: int) -> list[int]:
    where, found = s.p.where, []
    for part in s.facts.spares.get(kind_of(s.facts, unit), ()):
        if where[part] == POOL:
            found.append(part)
            if len(found) == count:
                break
    return found


def _fits(s: Situation, unit: int, parts: list[int]) -> bool:
    """Whether a unit's place holds these in its stead."""
    facts, p, at = s.facts, s.p, s.p.where[unit]
    if not facts.on_map(at):
        return True
    others = [mate for mate in s.stack(at) if mate != unit]
    return fits(facts, p.reduced | 1 << unit, [*others, *parts])


@rule("26.2")
def breakable(s: Situation, units: int) -> list[int]:
    """Those of these units that may break down now."""
    return [unit for unit in members(units & ~s.p.reduced) if may_break_down(s, unit)]


def can_break(s: Situation, units: int) -> bool:
    """Whether there is one."""
    return any(may_break_down(s, unit) for unit in members(units & ~s.p.reduced))


@rule("26.1", "26.3")
def break_down(t: Table[Ardennes44], s: Situation, unit: int) -> list[int]:
    """The unit gives a step to a counter that is placed with it. The parts are told, the unit among them."""
    parts = _spares(s, unit, 1)
    _place(t, s, unit, parts)
    t.p.reduced |= 1 << unit
    _say(t, s, unit, parts)
    return [unit, *parts]


@rule("26.1", "26.3")
def break_up(t: Table[Ardennes44], s: Situation, unit: int) -> list[int]:
    """A unit of three steps becomes two counters and a remnant; its own counter goes to the dead pile."""
    p, facts = t.p, s.facts
    parts, remnant = _spares(s, unit, 2), spare(facts, p, facts.remnant_of(unit))
    _place(t, s, unit, [*parts, remnant])
    del p.parents[remnant]
    p.where[unit] = GONE
    clear_markers(p, unit)
    _say(t, s, unit, [*parts, remnant])
    return [*parts, remnant]


def _place(t: Table[Ardennes44], s: Situation, unit: int, parts: list[int]) -> None:
    p = t.p
    for part in parts:
        p.where[part] = p.where[unit]
        p.parents[part] = unit
        if unit in p.groups:
            p.groups[part] = p.groups[unit]
    for name in SHARED:
        if getattr(p, name) >> unit & 1:
            setattr(p, name, getattr(p, name) | union(parts))
    p.advantages = [
        replace(mark, units=mark.units | union(parts)) if mark.units >> unit & 1 else mark for mark in p.advantages
    ]


def _say(t: Table[Ardennes44], s: Situation, unit: int, parts: list[int]) -> None:
    facts = s.facts
    t.say("26.1", f"{facts.rows[unit].name} breaks down: {facts.names_of(union(parts))}.", units=(unit, *parts))
    s.look_again()


@rule("26.1", "26.2")
def ask_to_split(t: Table[Ardennes44], s: Situation, side: str, units: list[int]) -> Play:
    """In the Combat Phase: which of these units breaks down, and how. What came of it, or nothing."""
    question = OneOf(s.facts, union(units), "26.2", "cannot break down now")
    unit = units[0]
    if len(units) > 1:
        options: list[Choice] = [*units]
        unit = yield Decision(side, "Which unit breaks down?", options, "26.2", Kind.UNIT, about=question)
    if may_break_up(s, unit):
        said = Words(((BREAK_DOWN, "split off a battalion"), (BREAK_UP, "two battalions and a remnant")))
        how = yield Decision(side, "Into what?", [BREAK_DOWN, BREAK_UP], "26.1", about=said)
        if how == BREAK_UP:
            return break_up(t, s, unit)
    return break_down(t, s, unit)


@rule("26.4")
def rejoin(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Parts that ended their move with the unit that made them are taken in again."""
    p = t.p
    for part, unit in list(p.parents.items()):
        if facts.side_of(unit) == side and _may_rejoin(facts, p, part, unit):
            p.reduced &= ~(1 << unit)
            p.where[part] = POOL
            clear_markers(p, part)
            t.say("26.4", f"{facts.rows[unit].name} takes its part in again.", units=(unit,))


@rule("8.3", "26.4")
def _may_rejoin(facts: Facts, p: Ardennes44, part: int, unit: int) -> bool:
    """Both have done moving in one hex, in Good Order, and the whole fits there."""
    here, both = p.where[unit], 1 << part | 1 << unit
    if here < 0 or p.where[part] != here or both & ~p.moved or both & (p.disrupted | p.broken | p.columns):
        return False
    rest = [mate for mate in facts.units_of[facts.side_of(unit)] if p.where[mate] == here and mate != part]
    roomy = bool(facts.off_map >> here & 1) or fits(facts, p.reduced & ~(1 << unit), rest)
    return bool(p.reduced >> unit & 1) and roomy
