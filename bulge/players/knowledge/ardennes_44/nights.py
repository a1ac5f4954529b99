"""Who is marked for the night (25.3.3): stacks that would stay by day, just behind those who fight."""

from __future__ import annotations

from collections.abc import Sequence

from bulge.games.ardennes_44.counters import other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.night import STACKS, may_mark
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.walking import NIGHT
from bulge.players.knowledge.ardennes_44.fields import FAR, distances

BEHIND = 4
"""Who is so many hexes from the enemy counts for half as much as who is nearest."""


def marked(facts: Facts, p: Ardennes44, side: str, units: Sequence[int]) -> dict[int, str]:
    """Of units that stay, one in each stack that is marked: the strongest near the enemy, but nobody next to him,
    who had better attack by day together with those who come up."""
    s = Situation(facts, p)
    beside = s.next_to_enemy(side)
    off = distances(facts, s.occupied[other(side)] & s.field.hexes, s.field.hexes)
    spokesman: dict[int, int] = {}
    worth: dict[int, float] = {}
    for unit in units:
        hex_ = p.where[unit]
        if facts.on_map(hex_) and not beside >> hex_ & 1 and not facts.guns >> unit & 1 and may_mark(s, unit):
            spokesman.setdefault(hex_, unit)
            near = BEHIND / (BEHIND + off.get(hex_, FAR))
            worth[hex_] = worth.get(hex_, 0.0) + facts.attack(unit, p.reduced) * near
    best = sorted(worth, key=worth.__getitem__, reverse=True)[: STACKS - p.night_stacks]
    return {spokesman[hex_]: NIGHT for hex_ in best}
