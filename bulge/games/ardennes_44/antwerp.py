"""The British answer to Germans on their way to Antwerp (rule 27.3.4)."""

from __future__ import annotations

from bulge.core.decision import Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import DUE, EXITED, Facts
from bulge.games.ardennes_44.losses import clear_markers
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf

MARGIN = 6


@rule("27.3.4")
def missing(facts: Facts, p: Ardennes44) -> int:
    """The defence factors that the British lack at Antwerp; none while no German is on his way there."""
    if not p.exited or facts.scenarios[p.scenario].points:
        return 0
    germans = sum(facts.defence(unit, p.reduced) for unit in members(p.exited))
    there = sum(facts.defence(unit, p.reduced) for unit in members(facts.british) if p.where[unit] == EXITED)
    return max(0, germans + MARGIN - there)


@rule("27.3.4")
def antwerp(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """At the end of the German turn British units leave the map until there are enough."""
    p = t.p
    while side == GERMAN and missing(facts, p):
        able = [unit for unit in members(facts.british) if facts.on_map(p.where[unit])]
        if not able:
            return
        options: list[Choice] = [*able]
        question = OneOf(facts, union(able), "27.3.4", "is no British unit on the map")
        prompt = f"Antwerp: {missing(facts, p)} factors are missing. Which British unit goes?"
        unit = yield Decision(ALLIED, prompt, options, "27.3.4", Kind.UNIT, top=True, about=question)
        send(t, facts, unit)


def send(t: Table[Ardennes44], facts: Facts, unit: int) -> None:
    reduced = t.p.reduced & 1 << unit
    t.p.where[unit] = EXITED
    clear_markers(t.p, unit)
    t.p.reduced |= reduced
    t.say("27.3.4", f"{facts.rows[unit].name} goes to Antwerp.", units=(unit,))


@rule("27.3.4")
def divert(t: Table[Ardennes44], facts: Facts) -> None:
    """British reinforcements go straight to Antwerp while factors are missing there."""
    p = t.p
    for unit in members(facts.british):
        if p.where[unit] == DUE and facts.rows[unit].turn <= p.turn and missing(facts, p):
            send(t, facts, unit)
