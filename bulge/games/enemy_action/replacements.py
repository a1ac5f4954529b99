"""Replacements of both sides (rules 8.12 and 16)."""

from __future__ import annotations

from collections.abc import Iterable

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN, Facts
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.situation import STACK_STEPS, Situation


@rule("8.12", "16.0")
def reduced_units(facts: Facts, p: EnemyActionPosition, units: Iterable[int]) -> list[int]:
    """Units in play that have lost steps."""
    return [
        unit
        for unit in units
        if (p.where[unit] >= 0 or p.where[unit] == BOX) and 0 < p.steps[unit] < facts.full[unit]
    ]


@rule("16.11", "13.3")
def can_assign(facts: Facts, p: EnemyActionPosition, units: Iterable[int]) -> list[int]:
    """Reduced German units in the box, or in supply and in reserve supply on the map."""
    s = Situation(facts, p)
    return [
        unit
        for unit in reduced_units(facts, p, units)
        if p.where[unit] == BOX
        or (s.supplied(unit) and s.traces(GERMAN, p.where[unit], reserve=True) and _has_room(s, unit))
    ]


@rule("10.4")
def _has_room(s: Situation, unit: int) -> bool:
    """A step more must not break the limit of the hex."""
    return s.stack_steps(s.where[unit]) < STACK_STEPS


@rule("16.1", "16.13", "16.2")
def replace_germans(t: Table[EnemyActionPosition], facts: Facts, units: Iterable[int], points: int) -> None:
    """One step a unit, from the highest selector down."""
    p = t.p
    for unit in Situation(facts, p).descending(can_assign(facts, p, units))[:points]:
        if p.where[unit] >= 0 and not _has_room(Situation(facts, p), unit):
            continue
        p.steps[unit] += 1
        t.say("16.2", f"{facts.name_of(unit)} gains a step ({p.steps[unit]}).", units=(unit,))


def german_replacements(t: Table[EnemyActionPosition], facts: Facts) -> str:
    p = t.p
    replace_germans(t, facts, facts.german.units(p.command, facts), p.to_place)
    p.to_place = 0
    return "german_command_end"


@rule("16.1", "16.11", "16.12", "16.13")
def allied_choices(facts: Facts, p: EnemyActionPosition) -> list[int]:
    """Reduced units of the corps in supply that have had none; an elite step only where no other can be given."""
    s = Situation(facts, p)
    units = facts.corps_units[facts.allied[p.card].corps]
    found = [
        unit
        for unit in reduced_units(facts, p, units)
        if p.where[unit] >= 0
        and s.supplied(unit)
        and s.traces(ALLIED, p.where[unit])
        and not p.moved >> unit & 1
        and _has_room(s, unit)
    ]
    plain = [unit for unit in found if facts.qualities[unit][p.steps[unit] + 1] != "elite"]
    return plain or found


@rule("16.0", "16.1")
def allied_replacements(t: Table[EnemyActionPosition], facts: Facts) -> Play:
    """The player gives steps one by one; what is left over is lost."""
    p = t.p
    units = allied_choices(facts, p)
    if p.to_place and units:
        options: list[Choice] = [*units, DONE]
        prompt = f"Who gets a replacement step? ({p.to_place} left)"
        unit = yield Decision(ALLIED, prompt, options, "16.1", Kind.UNIT, top=True)
        if isinstance(unit, int):
            p.steps[unit] += 1
            p.moved |= 1 << unit
            p.to_place -= 1
            t.say("16.1", f"{facts.name_of(unit)} gains a step ({p.steps[unit]}).", units=(unit,))
            return "allied_replacements"
    p.to_place = p.moved = 0
    return "allied_end"
