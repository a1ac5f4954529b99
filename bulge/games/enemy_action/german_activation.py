"""A German activation, step by step (rules 9.0, 9.4, 9.6, 9.7, 15.4)."""

from __future__ import annotations

from bulge.core.priority import Line
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN, Facts, mask
from bulge.games.enemy_action.german_cards import armies_of, formation
from bulge.games.enemy_action.movement import allied_proximate
from bulge.games.enemy_action.objectives import (
    check_army_objectives,
    check_corps_objectives,
    distance_to_objective,
    objective_of,
)
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.victory import check_objectives_moved
from bulge.games.enemy_action.walking import enter, take_bridge

Tab = Table[EnemyActionPosition]
POSITIONS_FROM = 20
RESERVES_ON_FOOT_FROM, ALL_RESERVES_FROM = 18, 21
ARRIVAL_RANGE = 3
REMOVAL_LEAVES, REMOVAL_LEAVES_IN_VP_HEX = 2, 3


@rule("9.0", "9.3", "8.13")
def german_activation(t: Tab, facts: Facts) -> str:
    """Who is active; roadblocks beside them go; bridges; objectives. New formations are only placed."""
    p = t.p
    units = formation(t, facts)
    forget_activation(p)
    p.scattered = mask(units) & p.dispersed
    p.active = mask(units) & ~p.dispersed
    p.army_card = facts.german[p.command].level in ("army", "army_group")
    if not units:
        t.say("8.13", "No unit of the formation is in play: the activation is wasted.")
        return "german_command_end"
    on_map = [unit for unit in units if p.where[unit] >= 0]
    names = ", ".join(facts.short(unit) for unit in members(p.active))
    t.say("9.0", f"Active: {names or 'nobody'}.", units=tuple(members(p.active)), depth=2)
    if not on_map:
        return "german_arrival"
    remove_roadblocks(t, facts)
    seize_bridges(t, facts, GERMAN)
    check_army_objectives(t, facts, armies_of(facts, p))
    check_objectives_moved(t, facts)
    check_corps_objectives(t, facts, units)
    return "german_move_order"


def forget_activation(p: EnemyActionPosition) -> None:
    """An activation begins with a clean slate."""
    p.active = p.moved = p.attacked = p.placed = p.scattered = p.defended = p.fell_back = 0
    p.forded = p.bridged = p.checked = 0
    p.battle = None


@rule("10.8")
def remove_roadblocks(t: Tab, facts: Facts) -> None:
    p = t.p
    here = sum({1 << p.where[unit] for unit in members(p.active) if p.where[unit] >= 0})
    gone = p.roadblocks & facts.board.around(here)
    if gone:
        p.roadblocks &= ~gone
        words = f"Roadblocks cleared: {', '.join(map(facts.at, members(gone)))}."
        t.say("10.8", words, spaces=tuple(members(gone)))


@rule("14.2")
def seize_bridges(t: Tab, facts: Facts, side: str) -> None:
    """A bridge beside an active unit changes hands if no unit of its owner stands across it."""
    p = t.p
    s = Situation(facts, p)
    enemy = s.occupied[ALLIED if side == GERMAN else GERMAN]
    here = {p.where[unit] for unit in members(p.active) if p.where[unit] >= 0}
    for bridge in members(
        (facts.bridges & ~p.blown | p.built) & (~p.german_bridges if side == GERMAN else p.german_bridges)
    ):
        one, two = facts.river_sides[bridge]
        if (one in here and not enemy >> two & 1) or (two in here and not enemy >> one & 1):
            take_bridge(t, facts, bridge, german=side == GERMAN)


# ---------------------------------------------------------------------- a formation that arrives (9.42)


@rule("9.4", "9.42", "9.81")
def german_arrival(t: Tab, facts: Facts) -> str:
    """Units of a formation with nobody on the map come on behind the front; who finds no hex stays in the box."""
    p = t.p
    order = Situation(facts, p).ascending(unit for unit in members(p.active & ~p.no_fuel) if p.where[unit] == BOX)
    for unit in order:
        hexes = arrival_hexes(facts, p, unit)
        if not hexes:
            t.say("9.42", f"{facts.name_of(unit)} finds no hex to arrive in.", units=(unit,))
            continue
        hex_ = pick(t, facts, hexes, _arrival_tests(facts, p, unit))
        p.where[unit] = hex_
        p.placed |= 1 << unit
        t.say(
            "9.42",
            f"{facts.name_of(unit)} arrives in {facts.at(hex_)}.",
            spaces=(hex_,),
            units=(unit,),
            kind="move",
        )
        enter(t, facts, unit, hex_)
    return "german_command_end"


@rule("9.42", "13.3", "14.1")
def arrival_hexes(facts: Facts, p: EnemyActionPosition, unit: int) -> int:
    s, board = Situation(facts, p), facts.board
    army = facts.army_of[unit]
    friends = [
        mate
        for mate in s.units_in(-1, GERMAN)
        if s.supplied(mate) and (army == "OKW" or facts.army_of[mate] == army)
    ]
    lines = s.lines(GERMAN, reserve=True)
    hexes = lines.heads & board.within(mask({p.where[mate] for mate in friends}), ARRIVAL_RANGE)
    alive = mask({p.where[mate] for mate in s.units_in(-1, ALLIED) if not p.isolated >> mate & 1})
    hexes &= ~board.within(alive | facts.towns & ~p.german_towns, ARRIVAL_RANGE - 1) & ~facts.edge
    return sum(1 << hex_ for hex_ in members(hexes) if s.has_room(unit, hex_))


def _arrival_tests(facts: Facts, p: EnemyActionPosition, unit: int) -> list[Line]:
    s = Situation(facts, p)
    division = mask({p.where[m] for m in members(p.placed) if facts.division_of[m] == facts.division_of[unit]})
    corps = [p.where[m] for m in facts.corps_units[facts.corps_of[unit]] if p.where[m] >= 0]
    if facts.army_of[unit] == "OKW":
        meuse = members(facts.meuse)
        spear = min(s.stacks[GERMAN], key=lambda at: min(facts.distance(at, hex_) for hex_ in meuse), default=-1)
        last = line("9.42", "closest to the unit nearest the Meuse", lambda hex_: facts.distance(hex_, spear))
    else:
        last = line("9.42", "closest to the objective", lambda hex_: distance_to_objective(s, unit, hex_))
    return [
        line("9.42", "with its division", division),
        line(
            "9.42", "closest to its corps", lambda hex_: min((facts.distance(hex_, at) for at in corps), default=0)
        ),
        last,
    ]


# ---------------------------------------------------------------------- reserves on detachments (15.4)


@rule("15.4")
def german_detachments(t: Tab, facts: Facts) -> str:
    """From 18 December active reserves relieve detachments that an Allied unit could come up to."""
    p, day = t.p, day_of(t.p)
    p.method = 0
    if day >= RESERVES_ON_FOOT_FROM and p.detachments:
        s = Situation(facts, p)
        for unit in s.descending(unit for unit in members(p.active & ~p.no_fuel) if p.where[unit] == BOX):
            if not s.bracketed(unit) and (facts.foot[unit] or day >= ALL_RESERVES_FROM):
                _relieve(t, facts, unit)
    return "german_attack_order"


def _relieve(t: Tab, facts: Facts, unit: int) -> None:
    p = t.p
    s, board = Situation(facts, p), facts.board
    strong = [mate for mate in s.units_in(-1, GERMAN) if not s.bracketed(mate)]
    hexes = p.detachments & ~board.around(mask({p.where[mate] for mate in strong}))
    hexes = s.lines(GERMAN).among(hexes)
    hexes = sum(1 << hex_ for hex_ in members(hexes) if facts.army_of[unit] in _armies_at(s, hex_))
    hexes = allied_proximate(s, hexes) if hexes else 0
    if not hexes:
        return
    active = [p.where[mate] for mate in members(p.active) if p.where[mate] >= 0]
    which = objective_of(s, unit)
    tests = [
        line("15.4", "highest hold value", lambda hex_: -facts.hold.get(hex_, 0)),
        line(
            "15.4",
            "closest to an active unit",
            lambda hex_: min((facts.distance(hex_, a) for a in active), default=0),
        ),
        line(
            "15.4",
            "farthest from the objective",
            lambda hex_: -facts.distance(hex_, p.objective[which]) if which >= 0 else 0,
        ),
    ]
    hex_ = pick(t, facts, hexes, tests)
    p.where[unit] = hex_
    p.placed |= 1 << unit
    t.say(
        "15.4",
        f"{facts.name_of(unit)} takes over from the detachment in {facts.at(hex_)}.",
        spaces=(hex_,),
        units=(unit,),
        kind="move",
    )
    enter(t, facts, unit, hex_)


def _armies_at(s: Situation, hex_: int) -> set[str]:
    """The army of the nearest German unit; all of them where several are equally near."""
    facts = s.facts
    near = facts.board.nearest(s.occupied[GERMAN], 1 << hex_)
    return {facts.army_of[unit] for unit in s.units_in(near, GERMAN)}


# ---------------------------------------------------------------------- the end of an activation


@rule("9.0", "9.6", "9.7", "12.9")
def german_finish(t: Tab, facts: Facts) -> str:
    """Units to the box, improved positions, dispersed units rally."""
    p = t.p
    p.battle = None
    idle = p.active & ~(p.moved | p.attacked | p.placed) & ~p.dispersed
    for unit in Situation(facts, p).ascending(unit for unit in members(idle) if p.where[unit] >= 0):
        _to_box(t, facts, unit)
    if day_of(p) >= POSITIONS_FROM:
        dig_in(t, facts, idle)
    rally(t, facts)
    p.active, p.ignores_zones = 0, False
    return "german_command_end"


@rule("9.6", "13.3")
def _to_box(t: Tab, facts: Facts, unit: int) -> None:
    """An idle unit beside the enemy, in reserve supply, whose hex stays held by two steps, three in a VP hex."""
    p = t.p
    s, hex_ = Situation(facts, p), p.where[unit]
    leaves = REMOVAL_LEAVES_IN_VP_HEX if facts.vp_hexes >> hex_ & 1 else REMOVAL_LEAVES
    if not s.next_to_enemy(GERMAN) >> hex_ & 1 or s.stack_steps(hex_) - p.steps[unit] < leaves:
        return
    if s.traces(GERMAN, hex_, reserve=True):
        p.where[unit] = BOX
        t.say("9.6", f"{facts.name_of(unit)} goes into reserve.", spaces=(hex_,), units=(unit,))


@rule("9.7", "14.31", "14.32")
def dig_in(t: Tab, facts: Facts, idle: int) -> None:
    p = t.p
    bad = p.dispersed | p.out | p.isolated
    s = Situation(facts, p)
    for hex_ in sorted({p.where[unit] for unit in members(idle) if p.where[unit] >= 0}):
        if not (facts.towns | p.positions) >> hex_ & 1 and any(not bad >> unit & 1 for unit in s.stack(hex_)):
            p.positions |= 1 << hex_
            t.say("9.7", f"The Germans dig in in {facts.at(hex_)}.", spaces=(hex_,))


@rule("12.9")
def rally(t: Tab, facts: Facts) -> None:
    """Units that were dispersed when the activation began are themselves again."""
    p = t.p
    freed = p.scattered & p.dispersed
    if freed:
        p.dispersed &= ~freed
        names = ", ".join(facts.short(unit) for unit in members(freed))
        t.say("12.9", f"No longer dispersed: {names}.", units=tuple(members(freed)))
    p.scattered = 0
