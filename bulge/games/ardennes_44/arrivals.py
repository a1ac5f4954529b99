"""Reinforcements, and units that come on from beyond the edges (rule 13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import Choice, Decision, Kind, Option, Play, Refusal
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.allowance import allowance
from bulge.games.ardennes_44.columns import leave_column, may_load, strategic_points
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import DUE, GONE
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.holding import pass_through
from bulge.games.ardennes_44.limits import closed_to
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.mover import Mover, st_vith_taken
from bulge.games.ardennes_44.night import mark_stack, may_mark
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.reach import STRATEGIC, Routes, ways
from bulge.games.ardennes_44.sectors import (
    airborne_in_eight_turns,
    bonded,
    drop_hexes,
    elsewhere,
    entry_hexes,
    open_entries,
    sector_of,
    sector_open,
    towns_for_engineers,
)
from bulge.games.ardennes_44.situation import Situation, enemy_blocks
from bulge.games.ardennes_44.stacking import load_of
from bulge.games.ardennes_44.walking import WHY_NOT

FROM_AFAR = 4 * POINT
OFF_MAP = -1
NOWHERE, EVERYWHERE = 0, -1
"""No space and all spaces, as sets: what an answer depends on that holds in any case, or until anybody moves."""
NOT_ASKED: tuple[Any, int] = (None, NOWHERE, []), NOWHERE
"""As if it had been asked of another time, when nobody came."""
WAIT, LOAD, NIGHT = "wait", "get_on_trucks", "mark_for_night"
SAID = {
    WAIT: "stay where it is",
    STRATEGIC: "come on by Strategic Movement",
    LOAD: "get on trucks, to drive next turn",
    NIGHT: "mark it for the Night Turn",
}


WHERE_PLACED = {
    "town": ("13.2.1", "engineers appear in Allied towns and cities on a road to supply, away from enemies"),
    "drop": ("27.2", "the drop lands within eight hexes of E2335 on open ground, out of enemy zones"),
}


# ---------------------------------------------------------------------- who may come


@rule("13.1", "13.5", "13.6", "27.2", "27.7")
def due(s: Situation, side: str) -> list[int]:
    """Units beside the map that may come on now, or move among boxes."""
    p, waiting = s.p, _waiting(s, side)
    if not waiting:
        return []
    now = p.blown, p.reduced, st_vith_taken(s.facts, p)
    coming: list[int]
    (then, waited, coming), looked_at = s.kept.get("due", NOT_ASKED)
    if then == now and waiting == waited:
        return coming
    if then != now or waiting & ~waited:
        units = members(waiting)
        coming, looked_at = (units, NOWHERE) if side == ALLIED else _who_comes_on(s, units)
    else:  # whoever has come on since bars nobody's way but where he is
        coming = [unit for unit in coming if waiting >> unit & 1]
    s.kept["due"] = (now, waiting, coming), looked_at
    return coming


@rule("11.9.4", "13.1", "25.3.1", "25.3.5", "27.7")
def _waiting(s: Situation, side: str) -> int:
    """Reinforcements whose turn has come, and units that have rallied; who is marked for the night comes then."""
    facts, p, army = s.facts, s.p, s.standing.armies[side]
    if p.night:
        return army.boxed & p.night_marked & ~(p.disrupted | p.broken | p.moved)
    due = army.due & facts.due_by(p.turn)
    if not p.jagdtigers:
        due &= ~facts.jagdtigers
    return (due | army.boxed & ~(p.disrupted | p.broken | p.night_marked)) & ~p.moved


def _who_comes_on(s: Situation, units: list[int]) -> tuple[list[int], int]:
    """Those of these German units that have a way on, and the hexes of which that depends on who is there."""
    coming, looked_at, rows = [], NOWHERE, s.facts.rows
    vacant: dict[tuple[str, str], int] = {}
    for unit in units:
        key = rows[unit].entry, rows[unit].area
        if key not in vacant:
            vacant[key] = _vacant_entry(s, unit)
        comes, there = (True, vacant[key]) if vacant[key] else _comes_on(s, unit)
        if comes:
            coming.append(unit)
        looked_at |= there
    return coming, looked_at


def _vacant_entry(s: Situation, unit: int) -> int:
    """An entry hex of a German unit in which nobody is, as a set; it is the same for all of its entry and area."""
    entries = s.facts.entries_with(s.facts.rows[unit].entry)
    vacant = entries & ~(s.occupied[ALLIED] | s.occupied[GERMAN] | closed_to(s, unit) | bonded(s, GERMAN))
    return vacant & -vacant


def _comes_on(s: Situation, unit: int) -> tuple[bool, int]:
    """Whether a German unit has a way on where none of its entry hexes is vacant and open, and on which hexes that
    depends."""
    facts, p = s.facts, s.p
    if facts.rows[unit].entry == "drop":
        return bool(ways_on(s, unit)), EVERYWHERE
    key = "comes on", unit, p.blown, p.reduced, st_vith_taken(facts, p)
    if key not in s.kept:
        s.kept[key] = _comes_on_among_friends(s, unit)
    return s.kept[key]


def _comes_on_among_friends(s: Situation, unit: int) -> tuple[bool, int]:
    """The same where friends are in all of its entry hexes, and of which hexes that depends on who is there.

    For units that are alike the answer is the same, and is found once; on the first turn each has its own area.
    """
    facts, p = s.facts, s.p
    row, hexes = facts.rows[unit], open_entries(s, unit)
    load, allowed, shaken = load_of(facts, p.reduced, (unit,)), allowance(facts, p, unit), p.disrupted | p.broken
    alike = unit if p.turn == 1 else (row.entry, facts.way[unit], load, allowed, shaken >> unit & 1)
    markers = (*p.traffic, OFF_MAP, *p.blocks_allied), st_vith_taken(facts, p)
    key = "comes on", alike, (*hexes,), p.blown, p.reduced, markers
    if key not in s.kept:
        comes, looked_at = _a_way_on(s, unit, hexes)
        s.kept[key] = comes, EVERYWHERE if p.turn == 1 or shaken >> unit & 1 else looked_at
    return s.kept[key]


def _a_way_on(s: Situation, unit: int, hexes: list[int]) -> tuple[bool, int]:
    """Whether a unit may come on by one of these hexes, and the hexes of which that depends on who is there."""
    mover = Mover(s, unit)
    for hex_ in hexes:
        if _ends_at_once(mover, hex_):
            return True, 1 << hex_
    comes = any(_entering(mover, hex_).goes_on() for hex_ in hexes)
    return comes, mover.looked_at


@rule("13.1", "13.2.1", "13.5", "13.6", "27.2")
def ways_on(s: Situation, unit: int, strategic: int = 0) -> list[int]:
    """The hexes by which a unit may come on to the map, by Strategic Movement if it has points for that."""
    if _is_placed(s, unit):
        return members(towns_for_engineers(s) if s.facts.rows[unit].entry == "town" else drop_hexes(s))
    return [*_over_the_edge(s, unit, strategic or by_truck(s, unit))]


def _over_the_edge(s: Situation, unit: int, strategic: int) -> Iterator[int]:
    """The same for a unit that is not placed, one by one."""
    mover, stacks = Mover(s, unit, strategic), s.standing.stacks
    stays = mover.allowed.tactical > 0  # in any hex that is vacant
    entries = open_entries(s, unit, column=bool(strategic))
    return (hex_ for hex_ in entries if (stays and hex_ not in stacks) or _leads_on(mover, hex_))


def _leads_on(mover: Mover, hex_: int) -> bool:
    """Whether a unit that comes on here may end its move, in this hex or farther on."""
    return _ends_at_once(mover, hex_) or _entering(mover, hex_).goes_on()


def _ends_at_once(mover: Mover, hex_: int) -> bool:
    """Whether it may stay in the hex by which it comes on."""
    if mover.strategic or mover.allowed.tactical:  # whatever it costs
        return mover.may_end_in(hex_, (0, True))
    return mover.may_end_in(hex_, (entry_cost(mover, hex_), False))


def _entering(mover: Mover, hex_: int) -> Walk:
    """A unit that comes on here."""
    return Walk.of(mover, hex_, entry_cost(mover, hex_))


@rule("S3.3")
def by_truck(s: Situation, unit: int) -> int:
    """What an airborne unit of the eight turns may spend on its trucks, as long as markers last; 0 for others."""
    return strategic_points(s, unit) if airborne_in_eight_turns(s, unit) else 0


@rule("13.1", "24.2", "33.1", "S3.3")
def entry_cost(mover: Mover, hex_: int) -> int:
    """What it costs to come on: the road rate of the hex, and what enemy markers in it add; four points more are
    spent by trucks from afar."""
    rate = mover.facts.road_off_map(mover.unit, hex_, column=bool(mover.strategic)) + mover.surcharge_in(hex_)
    return FROM_AFAR + rate if airborne_in_eight_turns(mover.s, mover.unit) else rate


# ---------------------------------------------------------------------- coming on


@dataclass(frozen=True, slots=True)
class Arriving(Question):
    s: Situation
    unit: int
    strategic: int = 0
    """The half points of Strategic Movement with which it comes on; 0 for any other."""
    rolls: bool = False

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, str):
            return replace(plain, words=SAID.get(choice, plain.words))
        return replace(plain, rolls=self.rolls)

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        facts, s, unit = self.s.facts, Situation(self.s.facts, t.p), self.unit
        row, off_map = facts.rows[unit], facts.off_map
        if row.entry in ("town", "drop") and t.p.where[unit] == DUE:
            number, words = WHERE_PLACED[row.entry]
            yield Bar(~union(ways_on(s, unit)), number, words)
            return
        yield Bar(~(union(entry_hexes(s, unit)) | off_map), "13.1", "it is no entry hex of this unit")
        yield Bar(s.occupied[other(row.side)], "13.1", "an enemy is there")
        shut = [hex_ for hex_ in entry_hexes(s, unit) if not sector_open(s, sector_of(facts, hex_))]
        if row.side == ALLIED:
            yield Bar(union(shut), "13.4", "Germans hold an entry hex of that sector, and nobody blocks them")
        yield Bar(off_map & ~union(elsewhere(s, unit)), "13.5", "it cannot go there from where it is")
        yield Bar(bonded(s, row.side), "10.2", "an enemy bond closes that hex")
        if self.strategic:
            yield Bar(s.next_to_enemy(row.side), "12.2", "an enemy is next to that hex")
            yield Bar(enemy_blocks(t.p, row.side), "33.1", "no column passes an enemy Roadblock")
            yield Bar(off_map, "13.1", "it is coming on to the map in column")
        yield Bar(
            ~(union(ways_on(s, unit, self.strategic)) | off_map), "8.3", "there is neither room nor a way on"
        )

    def why_not_word(self, t: Table[Ardennes44], decision: Decision, word: str) -> Refusal | None:
        return Refusal(*WHY_NOT[word]) if word in WHY_NOT else None

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        return Subject((), (self.s.facts.rows[self.unit].id,))

    def reach(self) -> Routes:
        """Everywhere on the map that it can get to, for players that plan."""
        return routes_on(self.s, self.unit)


def routes_on(s: Situation, unit: int) -> Routes:
    """Where a unit that comes on can end its move, by the nearest entry, in column if that leads farther."""
    found = Routes(OFF_MAP)
    points = by_truck(s, unit)
    found.add(_walks_on(s, unit, points), 0)
    if not points and not _is_placed(s, unit) and (points := strategic_points(s, unit)):
        found.add(_walks_on(s, unit, points), 0, STRATEGIC)
    return found


def _walks_on(s: Situation, unit: int, strategic: int) -> dict[int, Walk]:
    """For each hex the cheapest walk that begins in an entry hex; who is placed is there at once."""
    found: dict[int, Walk] = {}
    for hex_ in ways_on(s, unit, strategic):
        if _is_placed(s, unit):
            found[hex_] = Walk(s, unit, hex_)
            continue
        first = _entering(Mover(s, unit, strategic), hex_)
        on_from_here = ways(first) | ({hex_: first} if first.may_stop() else {})
        for goal, walk in on_from_here.items():
            if goal not in found or found[goal].worth > walk.worth:
                found[goal] = walk
    return found


def _is_placed(s: Situation, unit: int) -> bool:
    """Whether it appears in its hex rather than coming on over an edge."""
    return s.p.where[unit] == DUE and s.facts.rows[unit].entry in ("town", "drop")


@rule("12.1", "12.4.3", "13.1", "13.2.1", "13.3", "13.5", "13.6")
def bring_on(t: Table[Ardennes44], s: Situation, unit: int) -> Play:
    """Ask where a unit comes on; the walk that it then begins, or None if it goes elsewhere or waits."""
    p, facts, bit = t.p, s.facts, 1 << unit
    row, strategic = facts.rows[unit], by_truck(s, unit)
    hexes, spaces = ways_on(s, unit), elsewhere(s, unit)
    placed = _is_placed(s, unit)
    points = 0 if placed or strategic else strategic_points(s, unit)
    options: list[Choice] = [*hexes, *spaces, WAIT]
    if points and any(_over_the_edge(s, unit, points)):
        options.append(STRATEGIC)
    options += [word for word, may in ((LOAD, may_load(s, unit)), (NIGHT, may_mark(s, unit))) if may]
    prompt = f"Where does {row.name} come on?"
    question = Arriving(s, unit, strategic, row.entry == "drop")
    choice = yield Decision(row.side, prompt, options, "13.1", Kind.SPACE, about=question)
    if choice == STRATEGIC:
        strategic = points
        prompt, options = f"Where does {row.name} come on in column?", [*ways_on(s, unit, points), WAIT]
        choice = yield Decision(row.side, prompt, options, "13.1", Kind.SPACE, about=Arriving(s, unit, points))
    if choice == NIGHT:
        mark_stack(t, s, unit)
        return None
    if choice == LOAD:
        p.columns |= bit
        t.say("12.4.3", f"{row.name} gets on trucks.", units=(unit,))
        s.look_again()
    if choice in (WAIT, LOAD):
        p.moved |= bit
        return None
    if p.where[unit] == DUE or choice in spaces:
        p.fired |= facts.guns & bit
    if not strategic:
        leave_column(p, bit)
    if choice in spaces:
        go_to(t, s, unit, choice)
        return None
    p.arrived |= bit
    if placed:
        place(t, s, unit, choice)
        return None
    pass_through(t, facts, row.side, choice)
    t.say("13.1", f"{row.name} comes on at {facts.words(choice)}.", spaces=(choice,), units=(unit,))
    return _entering(Mover(s, unit, strategic), choice)


@rule("13.1", "13.5", "13.6", "22.1")
def go_to(t: Table[Ardennes44], s: Situation, unit: int, space: int) -> None:
    """To a box or a Blocking Position; guns that go there have moved."""
    p, facts = t.p, s.facts
    p.where[unit] = space
    p.moved |= 1 << unit
    t.say("13.1", f"{facts.rows[unit].name} goes to the {facts.words(space)}.", spaces=(space,), units=(unit,))
    s.note_move(unit)


@rule("13.2.1", "27.2")
def place(t: Table[Ardennes44], s: Situation, unit: int, hex_: int) -> None:
    """Engineers appear in a town and may still move; paratroopers drop, and a die says how many survive."""
    p, facts, row = t.p, s.facts, s.facts.rows[unit]
    p.where[unit] = hex_
    if row.entry == "drop":
        p.moved |= 1 << unit
        fate = facts.dice["von_der_heydte"].result(
            t.roll("27.2", f"the drop at {facts.words(hex_)} (4 to 6: lost)")
        )
        if fate == "lost":
            p.where[unit] = GONE
        else:
            p.reduced |= 1 << unit if fate == "reduced" else 0
            pass_through(t, facts, row.side, hex_)
        t.say("27.2", f"{row.name}: {fate}.", spaces=(hex_,), units=(unit,))
    else:
        p.engineered |= 1 << hex_
        t.say("13.2.1", f"{row.name} appear in {facts.words(hex_)}.", spaces=(hex_,), units=(unit,))
    s.look_again()


@rule("13.1")
def settle_late_comers(t: Table[Ardennes44], s: Situation, side: str) -> None:
    """Allied units that were due and did not come on wait in the box of their sector."""
    facts, p = s.facts, t.p
    if side == GERMAN or p.night:
        return
    for unit in members(s.standing.armies[ALLIED].due & facts.due_by(p.turn)):
        if facts.rows[unit].entry != "town" and (hexes := entry_hexes(s, unit)):
            p.where[unit] = facts.box[sector_of(facts, hexes[0])]
            p.fired |= facts.guns & 1 << unit
