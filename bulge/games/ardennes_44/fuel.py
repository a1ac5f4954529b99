"""Fuel shortage (rule 6)."""

from __future__ import annotations

from functools import lru_cache

from bulge.core.decision import Choice, Decision, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, ARMY_OF, GERMAN
from bulge.games.ardennes_44.dumps import fetch_fuel, is_spared
from bulge.games.ardennes_44.facts import DUE, Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import Words

FIRST_TURN, BOMBED_FROM = 7, 15
PANZER = ("116", "2Pz", "Lehr", "9Pz")
"""The panzer divisions of the 5th Panzer Army (6.4.2)."""


@rule("6.1", "6.2", "28.2", "S5.3")
def roll_for_fuel(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """From turn 7 a die on each table, one more from turn 15 on."""
    p = t.p
    fetch_fuel(t, facts)
    if p.turn < FIRST_TURN or is_spared(p):
        return
    modifier = 1 if p.turn >= BOMBED_FROM else 0
    for number in ("1", "2"):
        die = t.roll("6.1", f"Fuel Shortage Table {number}, {modifier:+d}")
        result = facts.dice[f"fuel_{number}"].result(die + modifier)
        t.say("6.1", f"Fuel: {result}.")
        p.fuel.append(result)


@rule("6.1", "6.3", "6.4", "6.4.1", "6.4.2")
def fuel_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """The divisions that the dice named run dry; where two are named, or the Allies pick, somebody chooses."""
    p = t.p
    while p.fuel:
        chooser, divisions, all_of_them = named(facts, p, p.fuel[0])
        only_west = p.fuel[0].startswith("west")
        if len(divisions) > 1 and not all_of_them:
            said = Words(tuple((division, f"the {division} runs dry") for division in divisions))
            options: list[Choice] = [*divisions]
            choice = yield Decision(chooser, "Which division lacks fuel?", options, "6.4", top=True, about=said)
            divisions = [choice]
        p.fuel.pop(0)
        for division in divisions:
            run_dry(t, facts, division, only_west=only_west)


@rule("6.1", "6.3", "6.4.1", "6.4.2")
def named(facts: Facts, p: Ardennes44, result: str) -> tuple[str, list[str], bool]:
    """Who chooses, among which divisions that are there, and whether all of them are hit."""
    kind, _, army = result.partition(" ")
    if result == "none":
        return GERMAN, [], False
    if kind == "west":
        west = west_of_ourthe(facts)
        there = {
            row.division
            for unit, row in enumerate(facts.rows)
            if row.side == GERMAN and ARMY_OF.get(row.colour) == army and p.where[unit] >= 0 and row.division
            if west >> p.where[unit] & 1
        }
        return ALLIED, sorted(there), False
    if kind == "panzer":
        return ALLIED, [division for division in PANZER if _on_map(facts, p, division)], False
    joined = " and " in result
    divisions = result.split(" and " if joined else " or ")
    return GERMAN, [division for division in divisions if is_there(facts, p, division)], joined


@rule("6.3")
def is_there(facts: Facts, p: Ardennes44, division: str) -> bool:
    """Whether a division has a unit on the map, or one that arrives this turn."""
    return any(
        p.where[unit] >= 0 or (p.where[unit] == DUE and facts.rows[unit].turn <= p.turn)
        for unit in units_of_division(facts, division)
    )


def _on_map(facts: Facts, p: Ardennes44, division: str) -> bool:
    return any(facts.on_map(p.where[unit]) for unit in units_of_division(facts, division))


def units_of_division(facts: Facts, division: str) -> list[int]:
    return [unit for unit in facts.units_of[GERMAN] if facts.rows[unit].division == division]


def run_dry(t: Table[Ardennes44], facts: Facts, division: str, *, only_west: bool) -> None:
    """Its units are Out of Supply until the end of the player-turn; those who arrive, too."""
    p, west = t.p, west_of_ourthe(facts)
    units = [
        unit
        for unit in units_of_division(facts, division)
        if (p.where[unit] >= 0 and (not only_west or west >> p.where[unit] & 1))
        or (p.where[unit] == DUE and facts.rows[unit].turn <= p.turn and not only_west)
    ]
    p.unsupplied |= union(units)
    t.say("6.1", f"Without fuel: {facts.names_of(union(units))}.", units=tuple(units))


@lru_cache(maxsize=4)
@rule("6.4.1")
def west_of_ourthe(facts: Facts) -> int:
    """Everything on or west of the line: a column of hexes in the south, then the left bank of the Ourthe."""
    board, line = facts.board, facts.map.area("ourthe_line")
    rivers = facts.map.sides("river", "Ourthe Occidentale", "Ourthe", "Meuse")
    reached = front = 1 << board.at("E2125")
    while front:
        ahead = 0
        for direction, shut in enumerate(rivers.masks):
            ahead |= board.step(front & ~shut, direction)
        front = ahead & ~line & ~reached
        reached |= front
    return board.all & ~reached
