"""What divisions go for together: Germans for towns on their way west, Allies for those that want more defence."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_

from bulge.core.movement import Limits, Reach, reach
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import DUE, Facts
from bulge.games.ardennes_44.limits import closed_to
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.players.knowledge.ardennes_44.defence import (
    AHEAD,
    AT_CROSSROADS,
    FRONT,
    REAR,
    crossroads,
    garrisons,
    in_peace,
    threat,
)
from bulge.players.knowledge.ardennes_44.fields import (
    MOST_ROAD,
    aside,
    distances,
    drives,
    meuse_towns,
    wanted,
    western_towns,
)

WANTED, FOR_CROSSROADS = 2.5, 3.5
"""How much more than its garrison a town wants of divisions, with Germans before it: they hold what is around."""
FRONT_LINE = 1.5
"""How much more than the garrison of the towns themselves is wanted where Germans are near."""
SHOULDER = {("E1833",): ("1", "2", "99"), ("E1837",): ("9", "78", "102Cav")}
"""Around Elsenborn and Monschau, the divisions of V Corps that hold the northern shoulder, and leave the rest."""
FRONTAGE = {
    ("E2531", "E2830", "E3029"): ("30",),
    ("E3029", "E3525"): ("82",),
    ("E3525", "E3821", "W1124"): ("3Arm",),
    ("W1124", "W1423", "W1820"): ("84",),
    ("W1423", "W1820", "W2125", "W2723"): ("2Arm",),
    ("W1835", "W2234"): ("75",),
    ("W2723",): ("4Cav",),
    ("W3019", "W2932", "W1536"): ("43", "51", "53", "GdsArm"),
    ("E3306", "E2712", "E2107", "E2008"): ("26", "80", "5"),
}
"""Around which towns other divisions fight: 30th from Malmedy to Trois-Ponts, 82nd Airborne from St. Vith to
Manhay, 3rd Armored, 84th and 2nd Armored on from there to Dinant, the British on the Meuse, Third Army's infantry
from Martelange to Diekirch. Americans went to Bastogne or stayed on the Meuse, and the British did not."""
LEAST = 1.0
"""What is wanted where as much stands as is needed: who holds it already stays for it."""
HOPELESS = 3
"""A town that Germans hold is given up where no Ally stands within so many hexes."""
AROUND = 2
"""Who stands within so many hexes of a town holds it."""
SPEARHEAD, FIRM = 30.0, 15.0
"""What a town wants of German armour that nobody holds; half of it where the defence is so much."""
FIRMLY, FIRMLY_AROUND = 12, 24
"""The defence of a hex past which German armour takes other roads; and that of crossroads and what is around."""
DETOUR = 1.1
"""How much longer a way may be on which nobody stands."""
ARMOUR_TAKES_ST_VITH = 8
"""Until this turn St. Vith, whose roads are jammed (24.7), is left to the infantry before it."""
FOR_THE_WEST = 9
"""From this turn on armour goes for the nearest towns of the west, six of which win, not for the Meuse alone."""
TOGETHER = 8
"""Units of a division that begin farther apart march on their own."""
ON_FOOT = 0.5
"""How fast infantry marches, beside armour."""
SOON = 2
"""Reinforcements that come within so many turns are reckoned with."""


def objectives(facts: Facts, p: Ardennes44, side: str) -> dict[int, float]:
    """The towns that formations of a side go for, and the strength that each wants. Only in the campaign: where
    all towns are points, and turns are few, whoever is nearest had better go to each."""
    s = Situation(facts, p)
    if s.field.west_roads:
        return {}
    return _to_take(facts, s) if side == GERMAN else _to_hold(facts, s)


def _to_take(facts: Facts, s: Situation) -> dict[int, float]:
    """What lies on the way to the Meuse: the less it is held, the better."""
    goals, allied = wanted(facts, s.field) & ~s.p.german_held, facts.units_of[ALLIED]
    return {hex_: SPEARHEAD / (1 + _held(facts, s, allied, hex_) / FIRM) for hex_ in members(goals)}


def _to_hold(facts: Facts, s: Situation) -> dict[int, float]:
    """What lies on the Germans' way, less what stands in the line there already."""
    off = distances(facts, s.occupied[GERMAN] & s.field.hexes, s.field.hexes)
    given_up = s.p.german_held & ~facts.board.within(s.occupied[ALLIED] & s.field.hexes, HOPELESS)
    peace, wants = in_peace(facts, s), garrisons(facts, s)
    free = free_units(facts, s.p, ALLIED)
    in_line = [unit for unit in facts.units_of[ALLIED] if not free >> unit & 1]
    towns = union([hex_ for hex_, want in wants.items() if want > REAR]) & ~given_up
    ours = towns & ~s.p.german_held
    found = {}
    for hex_ in _apart(facts, wants, ours, towns & s.p.german_held):
        for_roads = (FOR_CROSSROADS if peace[hex_] >= AT_CROSSROADS else WANTED) * peace[hex_]
        together = ours & facts.board.within(1 << hex_, AROUND) | 1 << hex_
        threatened = FRONT_LINE * sum(threat(facts, s, town) for town in members(together))
        against = max(for_roads * (1 - off[hex_] / (AHEAD + 1)), threatened)
        found[hex_] = max(LEAST, against - _held(facts, s, in_line, hex_))
    return found


@lru_cache(maxsize=4)
def sectors(facts: Facts) -> dict[str, int]:
    """By Allied formation where its objectives lie: for V Corps alone on the northern shoulder."""
    own = {_around(facts, towns): theirs for towns, theirs in (SHOULDER | FRONTAGE).items()}
    elsewhere = ~reduce(or_, (_around(facts, towns) for towns in SHOULDER))
    return {
        formation(facts, unit): next(
            (sector for sector, theirs in own.items() if facts.rows[unit].division in theirs), elsewhere
        )
        for unit in facts.units_of[ALLIED]
    }


def _around(facts: Facts, towns: Iterable[str]) -> int:
    return facts.board.within(union([facts.board.at(town) for town in towns]), AROUND)


def ways_west(facts: Facts, p: Ardennes44) -> dict[str, int]:
    """By formation of German armour the next town on the road of each unit to the west, past what is held."""
    s, goals = Situation(facts, p), facts.victory_hexes & ~aside(facts) & ~p.german_held
    allied = s.occupied[ALLIED] & s.field.hexes
    firm = union([hex_ for hex_ in members(allied) if is_firm(facts, s, hex_)])
    left_aside = facts.st_vith if p.turn < ARMOUR_TAKES_ST_VITH else 0
    open_, others = (_roads_west(facts, p, shut | left_aside) for shut in (allied, firm))
    found: dict[str, int] = {}
    for unit in members(free_units(facts, p, GERMAN)):
        name, here = formation(facts, unit), p.where[unit]
        found.setdefault(name, 0)
        towns = [hex_ for hex_ in _way(open_, others, here) if goals >> hex_ & 1]
        found[name] |= 1 << towns[-1] if towns else 0
    return {name: towns or drives(facts, s.field) for name, towns in found.items()}


def _roads_west(facts: Facts, p: Ardennes44, shut: int) -> Reach:
    shut |= aside(facts)
    ends = meuse_towns(facts) if p.turn < FOR_THE_WEST else western_towns(facts) & ~p.german_held
    roads = facts.ground.road_steps(p.blown)
    return reach(roads, {0: ends & ~shut}, MOST_ROAD, Limits(blocked=shut))


def _way(open_: Reach, others: Reach, here: int) -> list[int]:
    """The way from the west to a hex, an open one unless that goes far out of the way; empty if there is none."""
    if here < 0 or not others.spaces >> here & 1:
        return []
    detour = not open_.spaces >> here & 1 or open_.cost(here) > DETOUR * others.cost(here)
    return (others if detour else open_).path(here)


def is_firm(facts: Facts, s: Situation, hex_: int) -> bool:
    """Whether armour had better pass a hex that Allies hold."""
    defence = sum(facts.defence(unit, s.p.reduced) for unit in s.stack(hex_))
    if defence + min(defence, facts.ground.hex_bonus(hex_)) >= FIRMLY:
        return True
    at_crossroads = crossroads(facts) >> hex_ & 1
    return bool(at_crossroads and _held(facts, s, facts.units_of[ALLIED], hex_) >= FIRMLY_AROUND)


def _apart(facts: Facts, wants: dict[int, float], *towns: int) -> list[int]:
    """Of towns that lie close together the one that wants most, of the first kind if there are such."""
    found: list[int] = []
    for hex_ in (hex_ for some in towns for hex_ in sorted(members(some), key=wants.__getitem__, reverse=True)):
        if not facts.board.within(1 << hex_, AROUND) & union(found):
            found.append(hex_)
    return found


def _held(facts: Facts, s: Situation, units: Iterable[int], town: int) -> float:
    """The defence of those units that stand in a town and around it, and may enter it: the British watched from
    beyond the Meuse how Huy fell."""
    around, where = facts.board.within(1 << town, AROUND), s.p.where
    return sum(
        facts.defence(unit, s.p.reduced)
        for unit in units
        if where[unit] >= 0 and around >> where[unit] & 1 and not closed_to(s, unit) >> town & 1
    )


def free_units(facts: Facts, p: Ardennes44, side: str) -> int:
    """German armour, and units of Allied divisions that are not in the line; also who comes on to the map soon."""
    s = Situation(facts, p)
    front, near, free = 0, 0, 0
    if side == ALLIED:
        front, near = facts.board.within(s.occupied[GERMAN] & s.field.hexes, FRONT), s.next_to_enemy(ALLIED)
    for unit in facts.units_of[side]:
        hex_ = p.where[unit]
        on_foot = facts.way[unit] == "foot" and not p.columns >> unit & 1
        held_up = front if on_foot else near
        there = not held_up >> hex_ & 1 if hex_ >= 0 else hex_ == DUE and facts.rows[unit].turn <= p.turn + SOON
        if there and _marches(facts, unit):
            free |= 1 << unit
    return free


def formation(facts: Facts, unit: int) -> str:
    """Who marches as one: those of a division that begin near each other, or come on to the map."""
    return _groups(facts)[unit]


@lru_cache(maxsize=4)
def _groups(facts: Facts) -> dict[int, str]:
    found: dict[int, str] = {}
    for unit, row in enumerate(facts.rows):
        mates = (mate for mate in range(unit) if _together(facts, unit, mate))
        found[unit] = next((found[mate] for mate in mates), f"{facts.formation[unit]} {row.id}")
    return found


def _together(facts: Facts, one: int, other: int) -> bool:
    if facts.formation[one] != facts.formation[other]:
        return False
    begin = [facts.board.at(row.hex) for row in (facts.rows[one], facts.rows[other]) if row.hex]
    return not begin or (len(begin) == 2 and bool(facts.board.within(1 << begin[0], TOGETHER) >> begin[1] & 1))


def _marches(facts: Facts, unit: int) -> bool:
    """Whether a unit belongs to a formation that marches as one: a German one drives."""
    on_wheels = facts.side_of(unit) == ALLIED or facts.way[unit] != "foot"
    return on_wheels and bool(facts.rows[unit].division) and not facts.guns >> unit & 1
