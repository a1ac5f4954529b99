"""The Movement Phase: units one after the other, reinforcements among them (rules 11 to 13, 15.8 and 25.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.allowance import TACTICAL, held_back
from bulge.games.ardennes_44.arrivals import bring_on, due, settle_late_comers
from bulge.games.ardennes_44.breakdown import (
    BREAK_DOWN,
    BREAK_UP,
    break_down,
    break_up,
    may_break_down,
    may_break_up,
    rejoin,
)
from bulge.games.ardennes_44.bridges import test_ouren
from bulge.games.ardennes_44.brigade import INFILTRATE, infiltrate, may_infiltrate
from bulge.games.ardennes_44.columns import (
    halt,
    leave_column,
    loading_with,
    may_load,
    may_use_mover,
    strategic_points,
    stuck_guns,
)
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import EXITED, Facts
from bulge.games.ardennes_44.holding import drop_vacant, finish_digging, may_dig, pass_through
from bulge.games.ardennes_44.limits import note_boundaries
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.night import mark_stack, may_mark
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.reach import LEAVE_MAP, MOVER, STRATEGIC
from bulge.games.ardennes_44.roadblocks import remove_overrun
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.walking import (
    DIG,
    LOAD,
    NIGHT,
    STACK,
    STOP,
    UNLOAD,
    AboutWalk,
    WhoMoves,
)


def begin_movement(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Positions begun last time are finished before anybody moves."""
    if done := finish_digging(facts, t.p, side):
        t.say("15.8.2", f"Improved Positions: {', '.join(facts.board.names_of(done))}.")


@rule("11.1", "13.1", "25.3.1")
def movement_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Each unit moves at most once; who is Disrupted and can leave an enemy zone must, before the phase ends."""
    p, listed = t.p, Listed()
    s = Situation(facts, p)
    question = WhoMoves(facts, partial(hemmed_in, s, side))
    while True:
        units = movable(s, side)
        forced = must_leave(s, side, units)
        options: list[Choice] = [*listed.members(units), *due(s, side)]
        if follower(s, units) is not None:
            options.append(STACK)
        if not forced:
            options.append(DONE)
        if options == [DONE]:
            break
        who = "Move a unit that is marked for the night" if p.night else "Move a unit"
        prompt = f"{who}, or end the Movement Phase" if not forced else "Disrupted units must leave enemy zones"
        unit = yield Decision(side, prompt, options, "11.1", Kind.UNIT, top=True, about=question)
        if unit == DONE:
            break
        if unit == STACK:
            follow(t, s, side)
        elif facts.on_map(p.where[unit]):
            yield from move(t, s, unit)
        else:
            walk = yield from bring_on(t, s, unit)
            if walk is not None:
                yield from carry_on(t, s, AboutWalk(walk))
    settle_late_comers(t, s, side)
    rejoin(t, facts, side)
    dismiss_left_behind(t, facts)
    drop_vacant(Situation(facts, p))
    remove_overrun(p, side)
    p.moved, p.last_way = 0, []


class Listed:
    """The members of a set that loses one now and then, and seldom gains any."""

    def __init__(self) -> None:
        self._set = 0
        self._members: list[int] = []

    def members(self, units: int) -> list[int]:
        if units & ~self._set:
            self._members = members(units)
        else:
            for unit in members(self._set & ~units):
                self._members.remove(unit)
        self._set = units
        return self._members


@rule("11.1")
def follower(s: Situation, units: int) -> Walk | None:
    """The first unit of the stack that was moved from last that can go the same way; a stack may move together."""
    way = s.p.last_way
    if not way:
        return None
    walks = (Walk(s, unit, way[0]) for unit in s.stack(way[0]) if units >> unit & 1)
    return next((walk for walk in walks if walk.goes(way)), None)


def follow(t: Table[Ardennes44], s: Situation, side: str) -> None:
    """One after the other, as long as there is room."""
    way = t.p.last_way
    while walk := follower(s, movable(s, side)):
        leave_column(t.p, 1 << walk.unit)
        for hex_ in way[1:]:
            walk.step(hex_)
            pass_through(t, s.facts, side, hex_)
        finish(t, s, walk)


@rule("18.3")
def must_leave(s: Situation, side: str, units: int) -> bool:
    """Whether one of these units is Disrupted, in an enemy zone, and able to leave it."""
    p = s.p
    shaken = units & (p.disrupted | p.broken)
    if not shaken:
        return False
    zone = s.zone(other(side))
    return any(zone & 1 << p.where[unit] and _can_leave(s, unit) for unit in members(shaken))


def _can_leave(s: Situation, unit: int) -> bool:
    """Whether a Disrupted unit in an enemy zone is able to leave it; it has Tactical Movement only."""
    key = "leaves", unit, s.p.blown, s.p.reduced
    if key not in s.kept:
        here = s.p.where[unit]
        s.kept[key] = Walk(s, unit, here).must_go, s.facts.board.within(1 << here, TACTICAL)
    return bool(s.kept[key][0])


def movable(s: Situation, side: str) -> int:
    """The units on the map that have not moved yet and could do something."""
    facts, p = s.facts, s.p
    able = s.standing.armies[side].on_map & ~(p.moved | p.engaged | held_back(facts, p))
    if p.night:
        able &= p.night_marked
    return able & ~stuck_guns(facts, p, able)


@rule("10.2", "11.1")
def hemmed_in(s: Situation, side: str, units: Sequence[Choice]) -> int:
    """Those of these units that can only stay where they are.

    Whoever could step into a vacant hex is not asked farther: nearly all can.
    """
    board, vacant, beside = s.facts.board, s.field.hexes & ~(s.occupied[GERMAN] | s.occupied[ALLIED]), 0
    for direction, shut in enumerate(s.standing.armies[other(side)].closing):
        beside |= board.step(vacant & ~shut, (direction + 3) % 6)
    close = s.occupied[side] & s.field.hexes & ~beside
    doubtful = [unit for hex_ in members(close) for unit in s.stack(hex_) if unit in units]
    return union([unit for unit in doubtful if not (_goes_anywhere(s, unit) or _deeds(s, unit))])


def _goes_anywhere(s: Situation, unit: int) -> bool:
    walk = Walk(s, unit, s.p.where[unit])
    return walk.goes_on() or walk.may_leave_map()


@rule("12.6")
def move(t: Table[Ardennes44], s: Situation, unit: int) -> Play:
    """One unit moves, digs, gets on trucks or is marked for the night."""
    p, facts = t.p, s.facts
    walk, bit = Walk(s, unit, p.where[unit]), 1 << unit
    name, question = facts.rows[unit].name, AboutWalk(walk)
    options = [*walk.options(), *_deeds(s, unit)]
    if walk.may_leave_map():
        options.append(LEAVE_MAP)
    if not walk.must_go:
        options.append(STOP)
    prompt = f"Where does {name} go?"
    choice = yield Decision(walk.mover.side, prompt, options, "11.1", Kind.SPACE, about=question)
    if choice == DIG:
        p.digging |= 1 << p.where[unit]
        p.dug |= bit
        t.say("15.8.2", f"{name} digs in.", spaces=(p.where[unit],), units=(unit,))
    elif choice == LOAD:
        bit = loading_with(s, unit)
        p.columns |= bit
        t.say("12.4.3", f"On trucks: {facts.names_of(bit)}.", units=tuple(members(bit)))
    elif choice == UNLOAD:
        leave_column(p, bit)
        s.look_again()
        t.say("12.6", f"{name} is no longer in column.", units=(unit,))
        return
    elif choice in (BREAK_DOWN, BREAK_UP):
        (break_down if choice == BREAK_DOWN else break_up)(t, s, unit)
        return
    elif choice == NIGHT:
        mark_stack(t, s, unit)
        return
    elif choice == MOVER:
        p.movers |= bit
        t.say("22.3", f"{name} gets a Prime Mover.", units=(unit,))
        yield from carry_on(t, s, AboutWalk(Walk(s, unit, p.where[unit])))
        return
    elif choice == STRATEGIC:
        in_column = Walk(s, unit, p.where[unit], strategic=strategic_points(s, unit))
        yield from carry_on(t, s, AboutWalk(in_column))
        return
    elif choice != STOP:
        leave_column(p, bit)
        yield from carry_on(t, s, question, choice)
        return
    p.moved |= bit
    s.look_again()


def _deeds(s: Situation, unit: int) -> list[Choice]:
    """What a unit may do instead of an ordinary move; each is asked only of the kind that it can be about."""
    facts, p, bit = s.facts, s.p, 1 << unit
    found: list[Choice] = []
    if _may_form_column(s, unit):
        found.append(STRATEGIC)
    if facts.foot & bit and may_load(s, unit):
        found.append(LOAD)
    if p.columns & bit:
        found.append(UNLOAD)
    if facts.guns & bit and may_use_mover(facts, p, unit):
        found.append(MOVER)
    if facts.infantry & bit and may_dig(s, unit):
        found.append(DIG)
    if may_mark(s, unit):
        found.append(NIGHT)
    if may_break_down(s, unit):
        found += [BREAK_DOWN, BREAK_UP] if may_break_up(s, unit) else [BREAK_DOWN]
    return found


@rule("12.2")
def _may_form_column(s: Situation, unit: int) -> bool:
    """Whether a unit may use Strategic Movement, and could halt here or elsewhere."""
    points = strategic_points(s, unit)
    if not points:
        return False
    column = Walk(s, unit, s.p.where[unit], strategic=points)
    return column.may_stop() or column.goes_on() or column.may_leave_map()


@rule("11.1", "11.9", "12.4.2", "22.1", "22.5")
def carry_on(t: Table[Ardennes44], s: Situation, question: AboutWalk, first: Choice | None = None) -> Play:
    """Hex by hex until the owner stops it, or it can go no farther."""
    facts, walk, choice = s.facts, question.walk, first
    side, name = walk.mover.side, facts.rows[walk.mover.unit].name
    while True:
        if choice is None:
            options: list[Choice] = [*walk.options()]
            if walk.may_leave_map():
                options.append(LEAVE_MAP)
            if walk.may_stop():
                options.append(STOP)
            if walk.stopped and may_infiltrate(walk):
                options.append(INFILTRATE)
            if not options:
                walk.turn_back()
                break
            if options == [STOP]:
                break
            prompt = f"Where does {name} go next?"
            choice = yield Decision(side, prompt, options, "11.1", Kind.SPACE, about=question)
        if choice == STOP:
            break
        if choice == INFILTRATE:
            infiltrate(t, walk)
            choice = None
            continue
        if choice == LEAVE_MAP:
            leave_map(t, s, walk)
            return
        to, choice = int(choice), None
        if test_ouren(t, facts, side, walk.path[-1], to):
            walk.lose_bridge()
            continue
        walk.step(to)
        if pass_through(t, facts, side, to):
            walk.look_again()
    finish(t, s, walk)


def finish(t: Table[Ardennes44], s: Situation, walk: Walk) -> None:
    """The move is over: the unit stands where it stopped, with the markers of how it went."""
    p, facts, mover, path = t.p, s.facts, walk.mover, walk.path
    unit, bit = mover.unit, 1 << mover.unit
    if mover.strategic:
        end_in_column(t, s, walk)
    p.moved |= bit
    p.where[unit] = path[-1]
    plain = not mover.strategic and path[0] != path[-1]
    p.last_way = [*path] if plain and path[0] in s.standing.stacks else []
    if mover.astray:
        note_boundaries(facts, p, unit, path)
    if facts.guns & bit and mover.side == ALLIED and walk.hexes > 1:
        p.fired |= bit
    s.note_move(unit)
    if len(path) > 1 and t.keeps_log:
        route = " - ".join(facts.board.name(hex_) for hex_ in path)
        how = " in column" if mover.strategic else ""
        t.say("11.1", f"{facts.rows[unit].name} moves{how} {route}.", spaces=path, units=(unit,))


@rule("7.7", "12.4.1", "12.4.2")
def end_in_column(t: Table[Ardennes44], s: Situation, walk: Walk) -> None:
    """The marker is laid; not where a broken bridge holds up a column that may not halt there."""
    p, unit, here = t.p, walk.unit, walk.here
    if not walk.mover.has_room(here):
        leave_column(p, 1 << unit)
    elif left := halt(s, unit, here):
        names = s.facts.names_of(left)
        t.say(
            "12.4.2",
            f"The marker has left {names} behind, to follow it or do without.",
            units=tuple(members(left)),
        )


@rule("12.4.1", "12.6")
def dismiss_left_behind(t: Table[Ardennes44], facts: Facts) -> None:
    """Who has not followed the marker of its column is in column no more."""
    if left := t.p.left_behind:
        leave_column(t.p, left)
        t.say("12.6", f"No longer in column: {facts.names_of(left)}.", units=tuple(members(left)))


@rule("11.9.1", "11.9.2", "11.9.3")
def leave_map(t: Table[Ardennes44], s: Situation, walk: Walk) -> None:
    """Allied units go to the box beyond the edge; Germans are gone for good."""
    p, facts, unit = t.p, s.facts, walk.unit
    p.moved |= 1 << unit
    leave_column(p, 1 << unit)
    if walk.side == GERMAN:
        p.where[unit] = EXITED
        p.exited |= 1 << unit
        p.exit_hexes |= 1 << walk.here
    else:
        p.where[unit] = s.field.boxes[walk.here]
        if facts.guns >> unit & 1:
            p.fired |= 1 << unit
    s.note_move(unit)
    t.say("11.9", f"{facts.rows[unit].name} leaves the map at {facts.words(walk.here)}.", units=(unit,))
