"""Who digs in: infantry that stays near the enemy on open ground, where there is nothing worth attacking."""

from __future__ import annotations

from collections.abc import Sequence

from bulge.core.spaces import members
from bulge.games.ardennes_44.counters import other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.holding import may_dig
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.walking import DIG
from bulge.players.knowledge.ardennes_44.fields import FAR, distances

NEAR = 3
"""Positions are dug within so many hexes of the enemy."""
WORTH_ATTACKING = 1.5
"""Who could attack a neighbour with so many times its defence does not dig: it would keep him from it (15.8.2)."""


def diggers(facts: Facts, p: Ardennes44, side: str, units: Sequence[int]) -> dict[int, str]:
    """Of units that stay, one in each hex that a position would better."""
    s = Situation(facts, p)
    hexes = s.field.hexes
    off = distances(facts, s.occupied[other(side)] & hexes, hexes)
    position = facts.ground.terrain["improved"].bonus
    found: dict[int, str] = {}
    dug = 0
    for unit in sorted(units, key=lambda unit: facts.attack(unit, p.reduced)):
        here = p.where[unit]
        if off.get(here, FAR) > NEAR or dug >> here & 1 or facts.ground.hex_bonus(here) >= position:
            continue
        if may_dig(s, unit) and not _worth_attacking(s, side, here):
            found[unit] = DIG
            dug |= 1 << here
    return found


def _worth_attacking(s: Situation, side: str, here: int) -> bool:
    """Whether a side could attack somebody next to a hex with strength enough."""
    facts, p, next_to = s.facts, s.p, s.facts.board.next_to
    for target in members(next_to(here) & s.occupied[other(side)]):
        attack = sum(
            facts.attack(unit, p.reduced)
            for hex_ in members(next_to(target) & s.occupied[side])
            for unit in s.stack(hex_)
        )
        defence = sum(facts.defence(unit, p.reduced) for unit in s.stack(target)) + facts.ground.hex_bonus(target)
        if attack >= WORTH_ATTACKING * defence:
            return True
    return False
