"""What divisions go for together: Germans for towns on their way west, Allies for those that want more defence."""

from __future__ import annotations

from collections.abc import Iterable

from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import DUE, Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.players.knowledge.ardennes_44.defence import AHEAD, FRONT, REAR, garrisons
from bulge.players.knowledge.ardennes_44.fields import distances, drives

WANTED = 2.0
"""How much more than its garrison a town wants of divisions, with Germans before it: they hold what is around."""
HOPELESS = 3
"""A town that Germans hold is given up where no Ally stands within so many hexes."""
AROUND = 2
"""Who stands within so many hexes of a town holds it."""
SPEARHEAD, FIRM = 20.0, 15.0
"""What a town wants of German armour that nobody holds; half of it where the defence is so much."""
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
    goals, allied = drives(facts, s.field) & ~s.p.german_held, facts.units_of[ALLIED]
    return {hex_: SPEARHEAD / (1 + _held(facts, s, allied, hex_) / FIRM) for hex_ in _apart(facts, goals)}


def _to_hold(facts: Facts, s: Situation) -> dict[int, float]:
    """What lies on the Germans' way, less what stands in the line there already."""
    off = distances(facts, s.occupied[GERMAN] & s.field.hexes, s.field.hexes)
    given_up = s.p.german_held & ~facts.board.within(s.occupied[ALLIED] & s.field.hexes, HOPELESS)
    wants = {hex_: wants for hex_, wants in garrisons(facts, s).items() if wants > REAR}
    free = free_units(facts, s.p, ALLIED)
    in_line = [unit for unit in facts.units_of[ALLIED] if not free >> unit & 1]
    return {
        hex_: max(
            0.0, WANTED * wants[hex_] * (1 - (off[hex_] / (AHEAD + 1)) ** 2) - _held(facts, s, in_line, hex_)
        )
        for hex_ in _apart(facts, union(list(wants)) & ~given_up)
    }


def _apart(facts: Facts, towns: int) -> list[int]:
    """Of towns that lie close together the first."""
    found: list[int] = []
    for hex_ in members(towns):
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
    front, free = facts.board.within(s.occupied[GERMAN] & s.field.hexes, FRONT) if side == ALLIED else 0, 0
    for unit in facts.units_of[side]:
        hex_ = p.where[unit]
        there = not front >> hex_ & 1 if hex_ >= 0 else hex_ == DUE and facts.rows[unit].turn <= p.turn + SOON
        if there and _marches(facts, unit):
            free |= 1 << unit
    return free


def _marches(facts: Facts, unit: int) -> bool:
    """Whether a unit belongs to a formation that marches as one: a German one drives."""
    on_wheels = facts.side_of(unit) == ALLIED or facts.way[unit] != "foot"
    return on_wheels and bool(facts.rows[unit].division) and not facts.guns >> unit & 1
