"""The Supply and Surrender Phase (rule 23)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.air import clear_weather
from bulge.games.ardennes_44.counters import ALLIED
from bulge.games.ardennes_44.facts import SURRENDERED, Facts
from bulge.games.ardennes_44.losses import clear_markers
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import Supply

THRESHOLD = {"green": 3, "normal": 4, "elite": 5}
AIR_SUPPLY = -2


@rule("23.1", "23.2", "23.4", "23.10")
def supply_phase(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Mark who has no Supply Path, lift the marker from who has; then the isolated check for surrender."""
    p, s = t.p, Situation(facts, t.p)
    supply = Supply(s, side)
    supplied = supply.supplied()
    cut_off = s.units_in(~supplied, side) & ~facts.dump
    for words, units in (
        ("Out of supply", cut_off & ~p.unsupplied),
        ("In supply again", p.unsupplied & facts.of_side[side] & ~cut_off),
    ):
        if units and t.keeps_log:
            t.say("23.1", f"{words}: {facts.names_of(units)}.", units=tuple(members(units)))
    p.unsupplied = p.unsupplied & ~facts.of_side[side] | cut_off
    isolated = s.occupied[side] & s.field.hexes & ~supply.in_touch(supplied)
    for unit in [unit for unit in p.groups if unit in facts.units_of[side]]:
        if not isolated >> max(p.where[unit], 0) & 1:
            del p.groups[unit]
    for hexes in supply.groups(isolated):
        if group := members(s.units_in(hexes, side) & ~facts.dump):
            check_surrender(t, facts, side, group)


@rule("23.6", "23.7", "23.8", "28.2")
def check_surrender(t: Table[Ardennes44], facts: Facts, side: str, units: list[int]) -> None:
    """A die for the group: points are added, and at its threshold it lays down its arms."""
    p = t.p
    points = points_of(facts, p, units)
    modifier = AIR_SUPPLY if side == ALLIED and clear_weather(p) else 0
    die = t.roll("23.7", f"surrender of {facts.names_of(union(units))}, {modifier:+d}")
    points = max(0, points + int(facts.dice["surrender"].result(die + modifier)))
    number = max([0, *p.surrender]) + 1
    for unit in units:
        p.groups[unit] = number
    p.surrender[number] = points
    for old in [old for old in p.surrender if old not in p.groups.values()]:
        del p.surrender[old]
    t.say("23.7", f"Surrender Points: {points} of {threshold(facts, units)}.", units=tuple(units))
    if points >= threshold(facts, units):
        for unit in units:
            t.say("23.7", f"{facts.rows[unit].name} surrenders.", units=(unit,))
            p.where[unit] = SURRENDERED
            clear_markers(p, unit)


@rule("23.8")
def threshold(facts: Facts, units: list[int]) -> int:
    """By morale: elite if one unit is, green if all are."""
    kinds = {facts.rows[unit].morale for unit in units}
    return THRESHOLD["elite" if "elite" in kinds else "green" if kinds == {"green"} else "normal"]


@rule("23.9")
def points_of(facts: Facts, p: Ardennes44, units: list[int]) -> int:
    """What a group has already: of several that join, the larger one's points count, then the greater number."""
    factors: dict[int, int] = {}
    for unit in units:
        if unit in p.groups:
            factors[p.groups[unit]] = factors.get(p.groups[unit], 0) + facts.attack(unit, p.reduced)
    best = max(((size, p.surrender.get(group, 0)) for group, size in factors.items()), default=(0, 0))
    return best[1]
