"""The Rally Phase (rule 18.6)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_44.disengagement import MORALE
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.limits import BOUNDARIES_END
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation


@rule("11.9.4", "11.10.2", "18.6")
def rally(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Everybody away from enemies recovers a level; who is next to one needs a die."""
    p, near = t.p, Situation(facts, t.p).next_to_enemy(side)
    if p.turn >= BOUNDARIES_END:
        p.astray = 0
    for unit in members((p.disrupted | p.broken) & facts.of_side[side] & ~p.astray):
        hex_ = p.where[unit]
        if hex_ >= 0 and near >> hex_ & 1:
            row = facts.rows[unit]
            modifier = MORALE[row.morale]
            die = t.roll("18.6", f"{row.name} rallies, {modifier:+d} (2 or less)")
            if facts.dice["rally"].result(die + modifier) != "recovers":
                continue
        recover(p, unit)
        state = "recovers, to Disrupted" if p.disrupted >> unit & 1 else "is in Good Order again"
        t.say("18.6", f"{facts.rows[unit].name} {state}.", units=(unit,))


@rule("18.5", "18.6")
def recover(p: Ardennes44, unit: int) -> None:
    """Broken becomes Disrupted, Disrupted becomes Good Order."""
    bit = 1 << unit
    if p.broken & bit:
        p.broken &= ~bit
        p.disrupted |= bit
    else:
        p.disrupted &= ~bit
