"""Who wins, and when (rule 30 and the scenarios)."""

from __future__ import annotations

from bulge.core.decision import Result
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import road_bound

FACTORS_A_POINT = 4


@rule("30.1.2")
def german_controlled(s: Situation) -> int:
    """The victory hexes that Germans are in or were the last to pass, on a road to their supply."""
    return s.facts.victory_hexes & s.field.hexes & s.p.german_held & road_bound(s, GERMAN)


@rule("30.2", "S2.4")
def exited_factors(facts: Facts, p: Ardennes44) -> int:
    """The attack factors, on the side that shows, of Germans who left by the west."""
    return sum(facts.attack(unit, p.reduced) for unit in members(p.exited))


@rule("S2.4", "S3.4")
def points(facts: Facts, p: Ardennes44) -> int:
    """One for each victory hex of the east sheet, one for four factors that left, if a way back is open."""
    s = Situation(facts, p)
    liege = sum(1 << facts.board.at(row.id) for row in facts.victory if row.group == "liege")
    found = (german_controlled(s) & ~liege).bit_count()
    if p.exit_hexes & road_bound(s, GERMAN):
        found += exited_factors(facts, p) // FACTORS_A_POINT
    return found


@rule("S2.1", "S2.4", "S3.1", "S3.4")
def final_result(facts: Facts, p: Ardennes44) -> Result:
    """The end of a scenario that counts points."""
    needed, found = facts.scenarios[p.scenario].points, points(facts, p)
    winner = GERMAN if found >= needed else ALLIED
    words = f"{found} points; the Germans needed {needed}."
    return Result(winner, words, "S2.4" if p.scenario == "S2" else "S3.4", {GERMAN: found})
