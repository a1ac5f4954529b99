"""Strategic Movement, trucks and Prime Movers: who may use them, and how many markers there are (12, 22.3)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.allowance import TRUCKS, at_dams, held_back
from bulge.games.ardennes_44.counters import ALLIED, ARMY_OF, GERMAN
from bulge.games.ardennes_44.facts import DUE, Facts
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.sectors import airborne_in_eight_turns
from bulge.games.ardennes_44.situation import Situation

MARKERS = {GERMAN: 6, ALLIED: 10}
MOVERS = {"6PzA": 2, "5PzA": 2, "7A": 1}
"""Prime Movers by army; the sixth German marker is for Strategic Movement only (12.4.1)."""


@rule("12.4.1", "12.4.2")
def markers_used(facts: Facts, p: Ardennes44, side: str) -> int:
    """Markers on the map: one a unit, or one for units of a regiment that move together; Prime Movers too."""
    mine = facts.of_side[side]
    columns = p.columns & mine & ~p.left_behind
    alone, together = columns & ~facts.in_regiments, columns & facts.in_regiments
    stacks = {(p.where[unit], facts.rows[unit].regiment) for unit in members(together)}
    return alone.bit_count() + (p.movers & mine).bit_count() + len(stacks)


@rule("12.4.1")
def any_left(facts: Facts, p: Ardennes44, side: str, kept_back: int = 0) -> bool:
    """Whether a side has a marker left, besides those kept back; it counts stacks only once units are too many."""
    mine, left = facts.of_side[side], MARKERS[side] - kept_back
    units = (p.columns & mine & ~p.left_behind).bit_count() + (p.movers & mine).bit_count()
    return units < left or markers_used(facts, p, side) < left


@rule("22.3")
def may_use_mover(facts: Facts, p: Ardennes44, unit: int) -> bool:
    """Whether a German gun may take a Prime Mover; not on its first turn if its code is red."""
    if not facts.guns >> unit & 1 or facts.side_of(unit) != GERMAN or (p.movers | p.engaged) >> unit & 1:
        return False
    if held_back(facts, p) >> unit & 1 or p.night or (p.night_marked | p.replaced) >> unit & 1:
        return False
    return bool(served_by_movers(facts, p) >> unit & 1)


@rule("12.4.1", "22.3")
def served_by_movers(facts: Facts, p: Ardennes44) -> int:
    """The units of the armies that have a Prime Mover left."""
    if not any_left(facts, p, GERMAN):
        return 0
    served = 0
    for colour, army in ARMY_OF.items():
        mates = facts.of_colour[colour]
        if (p.movers & mates).bit_count() < MOVERS[army]:
            served |= mates
    return served


@rule("22.1", "22.3")
def stuck_guns(facts: Facts, p: Ardennes44, guns: int) -> int:
    """Those of these German guns that cannot move: of movement 0, and without a Prime Mover to be had."""
    heavy = guns & facts.immobile & ~p.movers
    if not heavy or p.night:
        return heavy
    return heavy & (~served_by_movers(facts, p) | p.night_marked | p.replaced)


@rule("12.1", "12.2", "12.4.1", "12.4.3", "12.4.4", "25.3.1", "29.1.3")
def strategic_points(s: Situation, unit: int) -> int:
    """What a unit may spend in Strategic Movement; 0 where it may not use it. Reinforcements come on trucks."""
    facts, p, bit = s.facts, s.p, 1 << unit
    if p.turn == 1 or p.night:
        return 0
    side, at, on_foot = facts.side_of(unit), p.where[unit], facts.foot & bit
    if on_foot and not (side == ALLIED and (at == DUE or p.columns & bit)):
        return 0
    if facts.guns & bit and side == GERMAN:
        return 0
    if not fit_to_march(facts, p, unit):
        return 0
    if facts.on_map(at) and (s.next_to_enemy(side) & 1 << at or not facts.ground.on_open_road(at, p.blown)):
        return 0
    if not (p.columns & bit or marker_is_free(s, unit) or _regiment_drives(facts, p, unit)):
        return 0
    return TRUCKS if on_foot else 2 * facts.movement(unit, p.reduced) * POINT


@rule("12.4.2")
def _regiment_drives(facts: Facts, p: Ardennes44, unit: int) -> bool:
    """Whether another of its regiment is in column, whose marker it shares if it gets there."""
    rows, regiment = facts.rows, facts.rows[unit].regiment
    return bool(regiment) and any(rows[mate].regiment == regiment for mate in members(p.columns))


@rule("12.1", "27.6")
def fit_to_march(facts: Facts, p: Ardennes44, unit: int) -> bool:
    """Good Order, in supply, and not held by a marker or bound to Tactical Movement."""
    held = p.disrupted | p.broken | p.unsupplied | p.engaged | p.replaced | p.night_marked | held_back(facts, p)
    return not (held | facts.engineers & p.arrived | at_dams(facts, p)) >> unit & 1


@rule("12.2", "12.4.2", "12.4.3")
def may_load(s: Situation, unit: int) -> bool:
    """Whether an Allied unit on foot may spend its move getting on trucks: on a road, or in an Off Map Box."""
    facts, p, at = s.facts, s.p, s.p.where[unit]
    if facts.side_of(unit) != ALLIED or p.turn == 1 or p.night or not _can_load(facts, p, unit):
        return False
    if not facts.on_map(at):
        return at in facts.box.values() and (shares_marker(s, unit, at) or marker_is_free(s, unit))
    here = 1 << at
    if not facts.ground.road_hexes & here or s.next_to_enemy(ALLIED) & here or not marker_is_free(s, unit):
        return False
    return not column_beside(s, unit, at) and loading_with(s, unit) == union(s.stack(at))


def _can_load(facts: Facts, p: Ardennes44, unit: int) -> bool:
    return bool((facts.foot & ~p.columns & ~p.moved) >> unit & 1) and fit_to_march(facts, p, unit)


@rule("12.4.2")
def loading_with(s: Situation, unit: int) -> int:
    """A unit and those of its regiment in its hex: they get on trucks together, under one marker."""
    facts, p, at = s.facts, s.p, s.p.where[unit]
    regiment = facts.rows[unit].regiment
    if not regiment or not facts.on_map(at):
        return 1 << unit
    return union(
        [mate for mate in s.stack(at) if facts.rows[mate].regiment == regiment and _can_load(facts, p, mate)]
    )


# ---------------------------------------------------------------------- under one marker


@rule("12.4.2")
def partners(s: Situation, unit: int, space: int) -> int:
    """The columns of its regiment in a space, which it may halt with."""
    rows, regiment = s.facts.rows, s.facts.rows[unit].regiment
    if not regiment:
        return 0
    mates = [mate for mate in s.stack(space) if mate != unit and rows[mate].regiment == regiment]
    return union(mates) & s.p.columns


def shares_marker(s: Situation, unit: int, space: int) -> bool:
    """Whether in this space it would be under a marker that others of its regiment have there."""
    return bool(partners(s, unit, space) & ~s.p.left_behind)


@rule("12.4.1", "12.4.2", "12.6")
def has_marker(s: Situation, unit: int) -> bool:
    """Whether a marker is there for a unit wherever it drives: its own, or one that is free.

    Its own goes with it from others who have not moved; from those who have, it cannot be taken any more.
    """
    p = s.p
    own = p.columns & ~p.left_behind & 1 << unit
    return bool(own and not partners(s, unit, p.where[unit]) & p.moved) or marker_is_free(s, unit)


@rule("12.4.1", "12.4.2")
def halt(s: Situation, unit: int, hex_: int) -> int:
    """A column ends its move here; the units that its marker has left behind, as no other was free for them."""
    p, bit, from_ = s.p, 1 << unit, s.p.where[unit]
    sharing = partners(s, unit, from_) if p.columns & bit and from_ != hex_ else 0
    p.where[unit] = hex_
    p.columns |= bit
    p.left_behind &= ~(bit | partners(s, unit, hex_))
    if not sharing or sharing & p.moved:
        return 0
    p.left_behind |= sharing
    if marker_is_free(s, unit):
        p.left_behind &= ~sharing
    return p.left_behind & sharing


@rule("12.6")
def leave_column(p: Ardennes44, units: int) -> None:
    """Units are no longer in column; a marker that nobody shares any more is free."""
    p.columns &= ~units
    p.left_behind &= ~units


@rule("12.2")
def column_beside(s: Situation, unit: int, hex_: int) -> bool:
    """Whether another column halts next to a hex on its road."""
    side = s.facts.side_of(unit)
    columns = s.p.columns & s.facts.of_side[side] & ~(1 << unit)
    if not columns:
        return False
    stacks, roads, here = s.standing.stacks, s.facts.ground.open_roads(s.p.blown).masks, 1 << hex_
    return any(
        roads[direction] & here and columns & union(stacks[to])
        for to, direction in s.facts.ground.around(hex_)
        if to in stacks
    )


@rule("12.4.1", "S3.3")
def marker_is_free(s: Situation, unit: int) -> bool:
    """Whether a marker is left for a unit; in the eight turns one is kept for each airborne unit that is due."""
    facts, p = s.facts, s.p
    side = facts.side_of(unit)
    kept_back = 0
    if p.scenario == "S3" and side == ALLIED and not airborne_in_eight_turns(s, unit):
        due = s.standing.armies[side].due & facts.due_by(p.turn)
        kept_back = sum(airborne_in_eight_turns(s, mate) for mate in members(due))
    return any_left(facts, p, side, kept_back)
