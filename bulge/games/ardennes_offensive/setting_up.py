"""Free set-up: units are rearranged on their front line and behind it, and never stacked (rule 17)."""

from __future__ import annotations

from dataclasses import dataclass

from bulge.core.decision import DONE, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_offensive.facts import Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition

MOST_TIMES = 4
"""So often, on average, a unit may be put elsewhere: enough to change one's mind, and every set-up ends."""


@dataclass(frozen=True)
class Setting:
    """A unit that is being put elsewhere in a free set-up."""

    unit: int


@rule("17.0")
def free_hexes(facts: Facts, p: ArdennesPosition, unit: int) -> int:
    """Where a unit may be put: front line or rear, whichever it is in; a friend there changes places with it."""
    side, here = facts.side_of(unit), p.where[unit]
    ground = facts.front[side] if facts.front[side] >> here & 1 else facts.rear[side]
    return ground & ~(1 << here)


@rule("4.2", "17.0")
def set_up_freely(t: Table[ArdennesPosition], facts: Facts, side: str) -> Play:
    """From the historical set-up, units are put elsewhere one by one, until their owner is content."""
    p = t.p
    units = [unit for unit in facts.units_of[side] if p.where[unit] >= 0]
    while p.placed < MOST_TIMES * len(units):
        prompt = "Put a unit elsewhere, or end the set-up"
        unit = yield Decision(side, prompt, [*units, DONE], "17.0", Kind.UNIT, top=True)
        if unit == DONE:
            break
        hexes = members(free_hexes(facts, p, unit))
        line = "on" if facts.front[side] >> p.where[unit] & 1 else "behind"
        prompt = f"Where {line} the front line does {facts.rows[unit].name} start?"
        hex_ = yield Decision(side, prompt, hexes, "17.0", Kind.SPACE, about=Setting(unit))
        if hex_ in p.where:
            p.where[p.where.index(hex_)] = p.where[unit]
        p.where[unit] = hex_
        p.placed += 1
        words = f"{facts.rows[unit].name} starts in {facts.board.name(hex_)}."
        t.say("17.0", words, spaces=(hex_,), units=(unit,))
    p.placed = 0
