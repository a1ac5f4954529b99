"""A draw in close assault: one side withdraws (rules 14.3 and 17.3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar
from bulge.core.decision import Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.facts import GERMAN, STACK_LIMIT, US, Facts
from bulge.games.bastogne.losses import Stricken, Tally, go, go_together, lose_step
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import (
    closed_to_us,
    commander,
    has_room,
    load,
    of_track,
    us_in,
    us_spaces,
)


@rule("17.3.3")
def withdraw(t: SiegeTable, facts: Facts, space: int, tally: Tally, *, germans: bool) -> Play:
    """The Germans give way before a sheltered defender; otherwise the US does."""
    words = f"{facts.at(space)}: a draw; the {GERMAN if germans else US} side withdraws."
    t.say("17.3.3", words, spaces=(space,), kind="result")
    if germans:
        for track in range(len(facts.tracks)):
            _withdraw_germans(t, facts, space, track, tally)
    else:
        yield from _withdraw_us(t, facts, space, tally)


def _withdraw_germans(t: SiegeTable, facts: Facts, space: int, track: int, tally: Tally) -> None:
    """Those of one track go back along it; who attacked outward and is barred goes back inside."""
    p, line, number = t.p, facts.tracks[track], facts.number_of[space]
    units = of_track(facts, p, track, space)
    if not units:
        return
    ways = [line[number + 1], *line[max(0, number - 1) : number]]
    back = next((way for way in ways if not us_spaces(facts, p) >> way & 1), None)
    if back is None:
        for unit in units:
            _cut_off(t, facts, unit, tally)
    else:
        go_together(t, facts, units, [back], "17.3.3", "withdraws" if len(units) == 1 else "withdraw")


@rule("14.3", "17.3.3")
def _withdraw_us(t: SiegeTable, facts: Facts, space: int, tally: Tally) -> Play:
    """Unit by unit; where not all of them fit, the player says who takes the room that there is."""
    p = t.p
    while units := us_in(facts, p, space):
        unit = units[0]
        if rivals := _rivals(facts, p, units):
            goal = facts.at(_withdrawal(facts, p, rivals[0])[-1])
            prompt = f"Who withdraws to {goal}? It has no room for all"
            who = commander(facts, p, space)
            question = WhoFindsRoom(facts, space=space, side=US, rivals=union(rivals), goal=goal)
            unit = yield Decision(who, prompt, rivals, "14.3", Kind.UNIT, about=question)
        if way := _withdrawal(facts, p, unit):
            go(t, facts, unit, way, "17.3.3", "withdraws")
        else:
            _cut_off(t, facts, unit, tally)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoFindsRoom(Stricken):
    """Which battalion of a stack that withdraws takes the room that there is."""

    rivals: int
    goal: str

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from Stricken.shut(self, p)
        yield Bar(~self.rivals, "14.3", f"it does not compete for room in {self.goal}")


@rule("14.3")
def _rivals(facts: Facts, p: BastognePosition, units: list[int]) -> list[int]:
    """Battalions that would all end in one space, which has room for some of them; the Center takes any number."""
    by_goal: dict[int, list[int]] = {}
    for unit in units:
        way = _withdrawal(facts, p, unit)
        if way and way[-1] != facts.center and facts.battalions[unit]:
            by_goal.setdefault(way[-1], []).append(unit)
    return next((group for goal, group in by_goal.items() if load(facts, p, goal) + len(group) > STACK_LIMIT), [])


@rule("14.3", "17.3.3")
def _withdrawal(facts: Facts, p: BastognePosition, unit: int) -> list[int]:
    """One space towards the Center, and on if that is overstacked; if that is barred, where it came from."""
    here = p.where[unit]
    if way := _way_in(facts, p, unit):
        return way
    back = p.from_[unit] if p.from_ else here
    barred = back == here or closed_to_us(facts, p) >> back & 1 or not has_room(facts, p, unit, back)
    return [] if barred else [back]


def _way_in(facts: Facts, p: BastognePosition, unit: int) -> list[int]:
    """The spaces inward to the first that has room; the Center always has, for the time being (14.3)."""
    if p.where[unit] == facts.center:
        return []
    line = facts.tracks[facts.track_of[p.where[unit]]]
    way: list[int] = []
    for space in line[facts.number_of[p.where[unit]] - 1 :: -1]:
        if closed_to_us(facts, p) >> space & 1:
            return []
        way.append(space)
        if space == facts.center or has_room(facts, p, unit, space):
            return way
    return way


def _cut_off(t: SiegeTable, facts: Facts, unit: int, tally: Tally) -> None:
    """Who must withdraw and cannot is eliminated."""
    while t.p.where[unit] >= 0:
        lose_step(t, facts, unit, "17.3.3", tally)
