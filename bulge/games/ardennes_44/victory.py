"""Who wins, and when (rule 30 and the scenarios)."""

from __future__ import annotations

from bulge.core.decision import Result
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import road_bound

FACTORS_A_POINT = 4
AREAS, CHECKS = 3, 2
EXIT_FACTORS, LIEGE, MEUSE, WEST, WEST_AT_END = 24, 4, 4, 6, 4
BASTOGNE = ("E3313", "E3414")


def german_passed(s: Situation) -> int:
    """The victory hexes that Germans are in or were the last to pass."""
    return s.facts.victory_hexes & s.field.hexes & s.p.german_held


@rule("30.1.2")
def german_controlled(s: Situation) -> int:
    """Those of them that are on a road to German supply."""
    return german_passed(s) & road_bound(s, GERMAN)


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


@rule("30.1", "30.3", "S1.0")
def check_victory(facts: Facts, p: Ardennes44) -> Result | None:
    """The Victory Check of the campaign: Allied areas first, then what wins for the Germans."""
    s = Situation(facts, p)
    p.allied_areas = p.allied_areas + 1 if areas_held(s) >= AREAS else 0
    if p.allied_areas >= CHECKS:
        return Result(ALLIED, "The Allies hold three German set-up areas.", "30.3")
    if not _german_success(facts, p, german_passed(s), p.exit_hexes):
        return None  # and a look at the roads to supply, which takes long, could only take some of it away
    held = german_controlled(s)
    words = _german_success(facts, p, held, p.exit_hexes & road_bound(s, GERMAN))
    return Result(GERMAN, words, "30.2", {GERMAN: held.bit_count()}) if words else None


@rule("30.2")
def _german_success(facts: Facts, p: Ardennes44, held: int, way_back: int) -> str:
    """What wins for the Germans with these victory hexes and these hexes as a way back; empty if nothing does."""

    def count(kind: str) -> int:
        hexes = (facts.board.at(row.id) for row in facts.victory if kind in (row.group, row.sheet))
        return sum(held >> hex_ & 1 for hex_ in hexes)

    if way_back and exited_factors(facts, p) >= EXIT_FACTORS:
        return "The way to Antwerp is open."
    if count("liege") >= LIEGE:
        return "Liège has fallen."
    if count("meuse") >= MEUSE:
        return "Four towns on the Meuse have fallen."
    return "Six hexes of the west have fallen." if count("West") >= WEST else ""


@rule("30.3")
def areas_held(s: Situation) -> int:
    """In how many German set-up areas a supplied Allied unit stands."""
    facts, p = s.facts, s.p
    hexes = union([p.where[unit] for unit in facts.units_of[ALLIED] if not p.unsupplied >> unit & 1])
    return sum(bool(area & hexes) for area in facts.area_hexes.values())


@rule("S1.1", "S2.1", "S2.4", "S3.1", "S3.4", "S4.1", "S4.4", "S5.0", "S5.1", "S5.2", "30.3")
def final_result(facts: Facts, p: Ardennes44) -> Result:
    """The end of a scenario."""
    row, s = facts.scenarios[p.scenario], Situation(facts, p)
    if row.points:
        found = points(facts, p)
        winner = GERMAN if found >= row.points else ALLIED
        words = f"{found} points; the Germans needed {row.points}."
        return Result(winner, words, "S2.4" if p.scenario == "S2" else "S3.4", {GERMAN: found})
    bastogne = facts.board.set_of(BASTOGNE)
    shut = bastogne & ~road_bound(s, ALLIED)
    if p.scenario == "S4" and shut:
        return Result(None, "Bastogne is still cut off.", "S4.4")
    west = sum(german_controlled(s) >> facts.board.at(row.id) & 1 for row in facts.victory if row.sheet == "West")
    both = not bastogne & ~german_controlled(s)
    if p.scenario == "S5" and (both or shut == bastogne) and west >= WEST_AT_END:
        return Result(GERMAN, "Bastogne is shut, and the west is held.", "S5.2", {GERMAN: west})
    return Result(ALLIED, "The Germans have been stopped.", "30.3", {GERMAN: west})
