"""The movement phases, and what happens once a turn: shortages, commandos, the drop (7.11, 9, 12, 14.4, 14.5)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.the_bulge.airlift import AIRLIFT, may_airlift, offer_airlift
from bulge.games.the_bulge.facts import ALLIED, DUE, GERMAN, GONE, Facts
from bulge.games.the_bulge.movement import bring_on, may_come_on, start_of_move, supplied_to_move, walk
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from bulge.games.the_bulge.stacking import remove_excess

SHORTAGES_FROM = 6
DROP_DISTANCE = 6


# ---------------------------------------------------------------------- movement


@rule("6.3", "9.1", "9.2")
def movement_phase(t: Table[BulgePosition], facts: Facts, side: str) -> Play:
    """Units move one at a time, each at most once; reinforcements come on at any time in between (12.2)."""
    p = t.p
    s = Situation(facts, p)
    waiting, due = waiting_to_move(facts, p, side), waiting_to_arrive(facts, p, side)
    while True:
        options: list[Choice] = [*movable(facts, s, waiting), *arrivals(facts, s, due), DONE]
        if side == ALLIED and may_airlift(facts, s):
            options.append(AIRLIFT)
        prompt = "Move a unit, or end the movement phase"
        unit = yield Decision(side, prompt, options, "9.2", Kind.UNIT, top=True)
        if unit == DONE:
            break
        if unit == AIRLIFT:
            yield from offer_airlift(t, facts, s, facts.allied_units, asked_for=True)
        elif unit == facts.sses:
            due.remove(unit)
            yield from _commit_commandos(t, facts, s)
        elif unit in due:
            due.remove(unit)
            yield from bring_on(t, facts, s, unit)
        else:
            waiting.remove(unit)
            yield from walk(t, facts, start_of_move(t, facts, s, unit))
    p.moved = 0
    if side == ALLIED:
        _recall_commandos(t, facts)
    yield from remove_excess(t, facts, s)


def waiting_to_move(facts: Facts, p: BulgePosition, side: str) -> list[int]:
    """Units on the map that have not moved."""
    return [unit for unit in facts.fighters_of[side] if p.where[unit] >= 0 and not p.moved >> unit & 1]


@rule("14.7")
def movable(facts: Facts, s: Situation, units: list[int]) -> list[int]:
    """Those of these units that can move: not artillery out of supply."""
    stuck = [vak for vak in facts.vaks if vak in units and not supplied_to_move(facts, s, vak)]
    return [unit for unit in units if unit not in stuck] if stuck else units


@rule("12.4")
def waiting_to_arrive(facts: Facts, p: BulgePosition, side: str) -> list[int]:
    """Reinforcements whose turn has come. They may be held back from turn to turn."""
    rows = facts.rows
    return [unit for unit in facts.reinforcements[side] if p.where[unit] == DUE and rows[unit].turn <= p.turn]


@rule("12.1")
def arrivals(facts: Facts, s: Situation, units: list[int]) -> list[int]:
    """Those of these reinforcements that may come on now; one of each kind is asked for all."""
    kinds = facts.entry_kinds
    one_of_each = {kinds[unit]: unit for unit in units}
    shut_out = [kind for kind, unit in one_of_each.items() if not may_come_on(facts, s, unit)]
    return [unit for unit in units if kinds[unit] not in shut_out] if shut_out else units


# ---------------------------------------------------------------------- commandos (14.4)


@rule("6.9", "14.4")
def _commit_commandos(t: Table[BulgePosition], facts: Facts, s: Situation) -> Play:
    """Steilau's commandos are put on a US unit, which is out of supply for this turn's movement."""
    p = t.p
    units = [unit for unit in facts.us_units if p.where[unit] >= 0]
    unit = yield Decision(GERMAN, "Which US unit do the commandos disrupt?", units, "14.4", Kind.UNIT)
    p.disrupted = unit
    p.where[facts.sses] = p.where[unit]
    p.moved |= 1 << facts.sses
    t.say("14.4", f"Commandos disrupt {facts.rows[unit].name}.", units=(unit,))


def _recall_commandos(t: Table[BulgePosition], facts: Facts) -> None:
    if t.p.where[facts.sses] >= 0:
        t.p.where[facts.sses] = GONE
        t.p.disrupted = -1


# ---------------------------------------------------------------------- shortages (7.11)


@rule("7.11")
def roll_for_shortages(t: Table[BulgePosition], facts: Facts) -> None:
    """From Turn 6 a die says how many German units run dry."""
    if t.p.turn >= SHORTAGES_FROM:
        t.p.shortages = t.roll("7.11", "German units that run short of supply")


@rule("7.11")
def place_shortages(t: Table[BulgePosition], facts: Facts) -> Play:
    """The Allied player marks German units on the map, one marker a unit."""
    p = t.p
    while p.shortages:
        units = [
            unit
            for unit in facts.german_units
            if p.where[unit] >= 0 and facts.fighting[unit] and unit != facts.ssp and not p.short >> unit & 1
        ]
        if not units:
            break
        prompt = f"Which German unit is out of supply this turn? {p.shortages} to mark"
        unit = yield Decision(ALLIED, prompt, units, "7.11", Kind.UNIT, top=True)
        p.short |= 1 << unit
        p.shortages -= 1
        t.say("7.11", f"{facts.rows[unit].name} runs short of supply.", units=(unit,))
    p.shortages = 0


# ---------------------------------------------------------------------- von der Heydte (14.5)


@rule("14.5")
def drop_hexes(facts: Facts, s: Situation) -> int:
    """Where the paratroopers may land: no town, no heavy woods, nobody there, no German within six hexes."""
    board = facts.board
    taken = facts.towns | facts.by_terrain["heavy_woods"] | s.occupied[ALLIED]
    return board.all & ~taken & ~board.within(s.occupied[GERMAN], DROP_DISTANCE)


@rule("14.5")
def drop_paratroops(t: Table[BulgePosition], facts: Facts) -> Play:
    """At the end of Turn 1."""
    p = t.p
    if p.where[facts.vdh] != DUE:
        return
    hexes = members(drop_hexes(facts, Situation(facts, p)))
    if not hexes:
        p.where[facts.vdh] = GONE
        t.say("14.5", "There is nowhere for von der Heydte's paratroopers to land.")
        return
    hex_ = yield Decision(
        GERMAN, "Where do von der Heydte's paratroopers land?", hexes, "14.5", Kind.SPACE, top=True
    )
    p.where[facts.vdh] = hex_
    t.say("14.5", f"Von der Heydte's paratroopers land in {facts.board.name(hex_)}.", spaces=(hex_,))
