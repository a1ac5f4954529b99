"""Strategic Movement, trucks and Prime Movers: who may use them, and how many markers there are (12, 22.3)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.allowance import TRUCKS, held_back
from bulge.games.ardennes_44.counters import ALLIED, ARMY_OF, GERMAN
from bulge.games.ardennes_44.facts import DUE, Facts
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation

MARKERS = {GERMAN: 6, ALLIED: 10}
MOVERS = {"6PzA": 2, "5PzA": 2, "7A": 1}
"""Prime Movers by army; the sixth German marker is for Strategic Movement only (12.4.1)."""


@rule("12.4.1", "12.4.2")
def markers_used(facts: Facts, p: Ardennes44, side: str) -> int:
    """Markers on the map: one a unit, or one for units of a regiment that move together; Prime Movers too."""
    stacks = set()
    for unit in members(p.columns & facts.of_side[side]):
        regiment = facts.rows[unit].regiment
        stacks.add((p.where[unit], regiment) if regiment else (unit, ""))
    return len(stacks) + (p.movers & facts.of_side[side]).bit_count()


@rule("22.3")
def may_use_mover(facts: Facts, p: Ardennes44, unit: int) -> bool:
    """Whether a German gun may take a Prime Mover; not on its first turn if its code is red."""
    if not facts.guns >> unit & 1 or facts.side_of(unit) != GERMAN or (p.movers | p.engaged) >> unit & 1:
        return False
    if held_back(facts, p) >> unit & 1 or p.night or (p.night_marked | p.replaced) >> unit & 1:
        return False
    return facts.rows[unit].colour in colours_with_movers(facts, p)


@rule("12.4.1", "22.3")
def colours_with_movers(facts: Facts, p: Ardennes44) -> set[str]:
    """The armies, by colour, that have a Prime Mover left."""
    if markers_used(facts, p, GERMAN) >= MARKERS[GERMAN]:
        return set()
    used = [facts.rows[gun].colour for gun in members(p.movers)]
    return {colour for colour, army in ARMY_OF.items() if used.count(colour) < MOVERS[army]}


@rule("22.1", "22.3")
def stuck_guns(facts: Facts, p: Ardennes44, guns: int) -> int:
    """Those of these German guns that cannot move: of movement 0, and without a Prime Mover to be had."""
    heavy = guns & facts.immobile & ~p.movers
    if not heavy:
        return 0
    free = set() if p.night else colours_with_movers(facts, p)
    held = p.night_marked | p.replaced
    return union([gun for gun in members(heavy) if facts.rows[gun].colour not in free or held >> gun & 1])


@rule("12.1", "12.2", "12.4.1", "12.4.3", "12.4.4", "25.3.1", "29.1.3")
def strategic_points(s: Situation, unit: int) -> int:
    """What a unit may spend in Strategic Movement; 0 where it may not use it. Reinforcements come on trucks."""
    facts, p, bit = s.facts, s.p, 1 << unit
    side = facts.side_of(unit)
    if p.turn == 1 or p.night or not fit_to_march(facts, p, unit):
        return 0
    if not p.columns & bit and markers_used(facts, p, side) >= MARKERS[side]:
        return 0
    at = p.where[unit]
    if facts.on_map(at) and (s.next_to_enemy(side) | ~facts.ground.open_roads(p.blown).hexes) >> at & 1:
        return 0
    if facts.foot & bit:
        loaded = at == DUE or p.columns & bit
        return TRUCKS if side == ALLIED and loaded else 0
    if facts.guns & bit and side == GERMAN:
        return 0
    return 2 * facts.movement(unit, p.reduced) * POINT


def fit_to_march(facts: Facts, p: Ardennes44, unit: int) -> bool:
    """Good Order, in supply, and not held by a marker."""
    held = p.disrupted | p.broken | p.unsupplied | p.engaged | p.replaced | p.night_marked | held_back(facts, p)
    return not (held | facts.engineers & p.arrived) >> unit & 1


@rule("12.4.3")
def may_load(s: Situation, unit: int) -> bool:
    """Whether an Allied unit on foot may spend its move getting on trucks: on a road, or in an Off Map Box."""
    facts, p, bit = s.facts, s.p, 1 << unit
    if facts.side_of(unit) != ALLIED or not facts.foot & bit or p.columns & bit or p.turn == 1 or p.night:
        return False
    if not fit_to_march(facts, p, unit) or markers_used(facts, p, ALLIED) >= MARKERS[ALLIED]:
        return False
    at = p.where[unit]
    if not facts.on_map(at):
        return at in facts.box.values()
    alone = len(s.stack(at)) == 1
    return alone and bool((facts.ground.roads.hexes & ~s.next_to_enemy(ALLIED)) >> at & 1)
