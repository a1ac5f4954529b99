"""Overstacked hexes are cleared at once, at the end of every phase and every combat (6.6)."""

from __future__ import annotations

from bulge.core.decision import Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.the_bulge.facts import STACK_LIMIT
from bulge.games.the_bulge.movement import remove
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation


@rule("6.6")
def remove_excess(t: Table[BulgePosition], s: Situation) -> Play:
    """The owner of an overstacked hex eliminates units of his choice until it is legal."""
    facts = s.facts
    while max(s.loads.values(), default=0) > STACK_LIMIT:
        hex_ = next(hex_ for hex_, load in s.loads.items() if load > STACK_LIMIT)
        units = s.stack(hex_)
        prompt = f"{facts.board.name(hex_)} is overstacked: which unit is eliminated?"
        unit = yield facts.roster.one_of(facts.side_of(units[0]), prompt, units, "6.6", "is not in that hex")
        remove(facts, t.p, unit)
        t.p.steps[unit] = 0
        t.say("6.6", f"{facts.rows[unit].name} is eliminated: too many units in the hex.", units=(unit,))
        s = Situation(facts, t.p)
    return s
