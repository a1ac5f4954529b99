"""What divisions go for together: Germans for towns on their way west, Allies for those that want more defence."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bulge.core.movement import Limits, Reach, reach
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import DUE, Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.players.knowledge.ardennes_44.defence import AHEAD, FRONT, REAR, garrisons, threat
from bulge.players.knowledge.ardennes_44.fields import MOST_ROAD, aside, distances, drives, meuse_towns, wanted

WANTED = 2.5
"""How much more than its garrison a town wants of divisions, with Germans before it: they hold what is around."""
HOPELESS = 3
"""A town that Germans hold is given up where no Ally stands within so many hexes."""
AROUND = 2
"""Who stands within so many hexes of a town holds it."""
SPEARHEAD, FIRM = 20.0, 15.0
"""What a town wants of German armour that nobody holds; half of it where the defence is so much."""
FIRMLY = 12
"""The defence of a hex past which German armour takes other roads."""
DETOUR = 1.1
"""How much longer a way may be on which nobody stands."""
TOGETHER = 8
"""Units of a division that begin farther apart march on their own."""
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
    wants = {hex_: wants for hex_, wants in garrisons(facts, s).items() if wants > REAR}
    free = free_units(facts, s.p, ALLIED)
    in_line = [unit for unit in facts.units_of[ALLIED] if not free >> unit & 1]
    towns = union(list(wants)) & ~given_up
    found = {}
    for hex_ in _apart(facts, towns & ~s.p.german_held, towns & s.p.german_held):
        against = max(WANTED * wants[hex_] * (1 - (off[hex_] / (AHEAD + 1)) ** 2), threat(facts, s, hex_))
        found[hex_] = max(0.0, against - _held(facts, s, in_line, hex_))
    return found


def ways_west(facts: Facts, p: Ardennes44) -> dict[str, int]:
    """By formation of German armour the next town on the road of each unit to the Meuse, past what is held."""
    s, goals = Situation(facts, p), facts.victory_hexes & ~aside(facts) & ~p.german_held
    allied = s.occupied[ALLIED] & s.field.hexes
    firm = union([hex_ for hex_ in members(allied) if _is_firm(facts, s, hex_)])
    open_, others = (_roads_to_the_meuse(facts, p, shut) for shut in (allied, firm))
    found: dict[str, int] = {}
    for unit in members(free_units(facts, p, GERMAN)):
        name, here = formation(facts, unit), p.where[unit]
        found.setdefault(name, 0)
        towns = [hex_ for hex_ in _way(open_, others, here) if goals >> hex_ & 1]
        found[name] |= 1 << towns[-1] if towns else 0
    return {name: towns or drives(facts, s.field) for name, towns in found.items()}


def _roads_to_the_meuse(facts: Facts, p: Ardennes44, shut: int) -> Reach:
    shut |= aside(facts)
    roads = facts.ground.road_steps(p.blown)
    return reach(roads, {0: meuse_towns(facts) & ~shut}, MOST_ROAD, Limits(blocked=shut))


def _way(open_: Reach, others: Reach, here: int) -> list[int]:
    """The way from the Meuse to a hex, an open one unless that goes far out of the way; empty if there is none."""
    if here < 0 or not others.spaces >> here & 1:
        return []
    detour = not open_.spaces >> here & 1 or open_.cost(here) > DETOUR * others.cost(here)
    return (others if detour else open_).path(here)


def _is_firm(facts: Facts, s: Situation, hex_: int) -> bool:
    defence = sum(facts.defence(unit, s.p.reduced) for unit in s.stack(hex_))
    return defence + min(defence, facts.ground.hex_bonus(hex_)) >= FIRMLY


def _apart(facts: Facts, *towns: int) -> list[int]:
    """Of towns that lie close together the first."""
    found: list[int] = []
    for hex_ in (hex_ for some in towns for hex_ in members(some)):
        if not facts.board.within(1 << hex_, AROUND) & union(found):
            found.append(hex_)
    return found


def _held(facts: Facts, s: Situation, units: Iterable[int], town: int) -> float:
    """The defence of those units that stand in a town and around it."""
    around, where = facts.board.within(1 << town, AROUND), s.p.where
    return sum(
        facts.defence(unit, s.p.reduced) for unit in units if where[unit] >= 0 and around >> where[unit] & 1
    )


def free_units(facts: Facts, p: Ardennes44, side: str) -> int:
    """German armour, and units of Allied divisions that are not in the line; also who comes on to the map soon."""
    s = Situation(facts, p)
    front, near, free = 0, 0, 0
    if side == ALLIED:
        front, near = facts.board.within(s.occupied[GERMAN] & s.field.hexes, FRONT), s.next_to_enemy(ALLIED)
    for unit in facts.units_of[side]:
        hex_ = p.where[unit]
        held_up = front if facts.way[unit] == "foot" else near
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
