"""Victory points and how the game ends (rules 17 and 18)."""

from __future__ import annotations

from bulge.core.decision import GameOver, Result
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, ARMIES, GERMAN, GONE, Facts
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation

MEUSE_POINTS = 10
WALL_POINTS = 5
WALL_FROM = 18
UNITS_A_POINT = 2


class Points(dict[str, int]):
    """Victory points by what they are for."""

    @property
    def total(self) -> int:
        return sum(self.values())


@rule("17.0", "17.1", "18.1")
def points(facts: Facts, p: EnemyActionPosition) -> Points:
    """What the Germans have now."""
    bonus = facts.scenarios[p.scenario].town_without_value
    taken = members(p.german_towns & ~facts.german_towns)
    towns = sum(facts.vp[hex_] or bonus for hex_ in taken)
    return Points(
        towns=towns,
        exits=p.exit_points,
        eliminated=lost_units(facts, p) // UNITS_A_POINT,
        relief=int(p.relieved),
        meuse=MEUSE_POINTS * p.crossed,
        westwall=-WALL_POINTS * p.wall_lost.bit_count(),
    )


def lost_units(facts: Facts, p: EnemyActionPosition) -> int:
    return sum(p.where[unit] == GONE for unit in facts.allied_units)


@rule("17.1")
def note_westwall(t: Table[EnemyActionPosition], facts: Facts) -> None:
    """From 18 December each Westwall hex that a supplied Allied unit stands in costs the Germans five points."""
    p = t.p
    if day_of(p) < WALL_FROM:
        return
    s = Situation(facts, p)
    fresh = s.lines(ALLIED).among(facts.wall & s.occupied[ALLIED]) & ~p.wall_lost
    if fresh:
        p.wall_lost |= fresh
        words = f"Allied units stand in the Westwall: {', '.join(map(facts.at, members(fresh)))}."
        t.say("17.1", words, spaces=tuple(members(fresh)))


@rule("17.1")
def note_meuse(t: Table[EnemyActionPosition], facts: Facts) -> None:
    """Ten points, once, for a German unit west of the Meuse in supply at a victory check."""
    p = t.p
    if p.crossed:
        return
    s = Situation(facts, p)
    across = s.lines(GERMAN).among(facts.west_of_meuse & s.occupied[GERMAN])
    if across:
        p.crossed = True
        t.say(
            "17.1",
            f"German units are across the Meuse in supply: {MEUSE_POINTS} VP.",
            spaces=tuple(members(across)),
        )


@rule("18.1", "9.11")
def check_objectives_moved(t: Table[EnemyActionPosition], facts: Facts) -> None:
    """In the first scenario the Allies have lost at once when two objective markers have moved on."""
    p = t.p
    most = facts.scenarios[p.scenario].lost_if_objectives_move
    moved = [ARMIES[which] for which, table in enumerate(p.table) if table > 1]
    if most and len(moved) >= most:
        words = f"The objectives of {' and '.join(moved)} have moved on: the front is broken."
        raise GameOver(Result(GERMAN, words, "18.1", {GERMAN: points(facts, p).total}))


@rule("17.2", "17.3", "18.0", "18.2", "18.3", "18.4", "18.5")
def check_victory(t: Table[EnemyActionPosition], facts: Facts) -> None:
    """At the end of a day: by the scenario's bands, and by the calendar's lines."""
    p, day = t.p, day_of(t.p)
    scenario = facts.scenarios[p.scenario]
    note_meuse(t, facts)
    note_westwall(t, facts)
    total = points(facts, p).total
    t.say("17.1", f"{day} December ends with {total} German victory points.")
    for check in scenario.checks:
        if check.first <= day <= check.last:
            level = next(band.level for band in check.bands if total >= band.least)
            if level:
                raise GameOver(result(level, total, scenario.rule))
    row = facts.calendar[day]
    if day in scenario.calendar_checks:
        if total >= row.defeat_vp:
            raise GameOver(result(f"{row.defeat_level} defeat", total, scenario.rule))
        if total <= row.victory_vp:
            raise GameOver(result(f"{row.victory_level} victory", total, scenario.rule))
    if day >= scenario.last_day:
        raise GameOver(result("draw", total, scenario.rule))


@rule("17.3")
def result(level: str, total: int, number: str) -> Result:
    """A level of victory or defeat, seen from the Allied side."""
    winner = None if level == "draw" else ALLIED if level.endswith("victory") else GERMAN
    words = f"Allied {level}: the Germans have {total} victory points."
    if level == "draw":
        words = f"A draw: the Germans have {total} victory points."
    return Result(winner, words, number, {GERMAN: total})
