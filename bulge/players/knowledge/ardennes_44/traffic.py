"""Where Traffic markers hold up most: on the roads that the enemy's strength takes next."""

from __future__ import annotations

from functools import lru_cache

from bulge.core.movement import reach
from bulge.core.spaces import union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.position import Ardennes44
from bulge.players.knowledge.ardennes_44.fields import MOST_ROAD, wanted

A_MOVE = 6
"""Points of road within which a marker meets a unit on its next move."""
FRONT = 6
"""Allies march to towns within so many hexes of the Germans."""


def factors_passing(facts: Facts, p: Ardennes44, side: str) -> dict[int, float]:
    """For each hex the attack factors of the enemy whose shortest roads lead through it within a move."""
    return _passing(facts, tuple(p.where), p.blown, p.reduced, p.scenario, side)


@lru_cache(maxsize=4)
def _passing(
    facts: Facts, where: tuple[int, ...], blown: int, reduced: int, scenario: str, side: str
) -> dict[int, float]:
    field, enemy = facts.field_of(scenario), other(side)
    occupied = {
        army: union([where[unit] for unit in facts.units_of[army] if where[unit] >= 0]) & field.hexes
        for army in (GERMAN, ALLIED)
    }
    front = wanted(facts, field) & facts.board.within(occupied[GERMAN], FRONT)
    goals = field.exits if enemy == GERMAN else front
    roads = reach(facts.ground.road_steps(blown), {0: goals}, MOST_ROAD)
    found: dict[int, float] = {}
    for unit in facts.units_of[enemy]:
        here = where[unit]
        if here < 0 or not roads.spaces >> here & 1:
            continue
        factors, off = facts.attack(unit, reduced), roads.cost(here)
        for hex_ in roads.path(here):
            if 0 < off - roads.cost(hex_) <= A_MOVE * POINT and not occupied[side] >> hex_ & 1:
                found[hex_] = found.get(hex_, 0.0) + factors
    return found
