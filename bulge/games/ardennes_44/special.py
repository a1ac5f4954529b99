"""Units with rules of their own (rule 27)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import JAGDTIGERS
from bulge.games.ardennes_44.facts import ABSENT, DUE, Facts
from bulge.games.ardennes_44.position import Ardennes44


@rule("27.7")
def roll_for_jagdtigers(t: Table[Ardennes44], facts: Facts) -> None:
    """From turn 4 a die each turn: the 653rd arrives, is delayed, or never comes."""
    p, unit = t.p, facts.number[JAGDTIGERS]
    if p.where[unit] != DUE or p.turn < facts.rows[unit].turn or p.jagdtigers:
        return
    fate = facts.dice["jagdtiger"].result(t.roll("27.7", "whether the 653rd arrives (1 or 2; 5 or 6: never)"))
    t.say("27.7", f"{facts.rows[unit].name}: {fate}.", units=(unit,))
    if fate == "arrives":
        p.jagdtigers = True
    elif fate == "never":
        p.where[unit] = ABSENT
