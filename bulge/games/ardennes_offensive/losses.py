"""Units that are eliminated: each is a point for the other side (16.0)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_offensive.facts import Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.hexes.roster import GONE


@rule("16.0", "16.0A")
def eliminate(t: Table[ArdennesPosition], facts: Facts, unit: int, number: str) -> None:
    p, bit = t.p, 1 << unit
    p.where[unit] = GONE
    p.lost |= bit
    for units in ("road", "fought_on_road", "unsupplied", "isolated", "retreated", "joined"):
        setattr(p, units, getattr(p, units) & ~bit)
    t.say(number, f"{facts.rows[unit].name} is eliminated.", units=(unit,))
