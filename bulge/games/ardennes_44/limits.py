"""Where a unit may not go, whatever it could pay: boundaries, areas, edges (rules 11.10, 27.3 and 29)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from bulge.core.hexes import Sides
from bulge.core.rulebook import rule
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation

NOWHERE, NO_AREA, THE_18TH, THE_MEUSE = "", "no area", "Germans where the 18th was", "the Meuse"
"""Why a unit is kept out of some of the map, besides the area that is its own on the first turn."""
BOUNDARIES_END = 5
"""From this turn on army boundaries bind nobody (11.10.1)."""


def closed_to(s: Situation, unit: int) -> int:
    """Hexes that this unit may not enter by moving or advancing."""
    return _closed(s.facts, s.p.scenario, confined(s, unit))


@rule("29.1.2", "29.4", "27.3.1", "27.3.2")
def confined(s: Situation, unit: int) -> str:
    """What keeps a unit out of some of the map, if anything does; its own area does on the first turn."""
    facts, p = s.facts, s.p
    row = facts.rows[unit]
    if row.side == GERMAN:
        return row.area or NO_AREA if p.turn == 1 and not p.night else NOWHERE
    if row.division == "106":
        return THE_18TH if guarded(s) else NOWHERE
    if row.nation == "british":
        return NOWHERE if row.id == "29Arm" and british_free(s) else THE_MEUSE
    return NOWHERE


@lru_cache(maxsize=256)
def _closed(facts: Facts, scenario: str, confined_by: str) -> int:
    """The hexes that are closed to who is kept out of them so, and all that are not in play."""
    beyond = ~facts.field_of(scenario).hexes
    if confined_by == NOWHERE:
        return beyond
    if confined_by == THE_18TH:
        return beyond | facts.area_hexes["18VG"]
    if confined_by == THE_MEUSE:
        return beyond | ~facts.british_ground
    own = facts.all_areas if confined_by.startswith("corps") else facts.area_hexes.get(confined_by, 0)
    return beyond | facts.all_areas & ~own | facts.rear_zone


def why_closed(facts: Facts, unit: int) -> tuple[str, str]:
    """The rule by which ground is closed to a unit, and what it says."""
    row = facts.rows[unit]
    if row.nation == "british":
        return "27.3.1", "British units stay on the west sheet, west of the Meuse"
    if row.division == "106":
        return "29.4", "Germans are in the area of the 18th Volksgrenadiers"
    return "29.1.2", "on the first turn that area belongs to others"


def guarded(s: Situation) -> int:
    """The area of the 18th Volksgrenadiers, as long as a German is in it (29.4)."""
    area = s.facts.area_hexes["18VG"]
    return area if s.occupied[GERMAN] & area else 0


@rule("27.3.2")
def british_free(s: Situation) -> bool:
    """Whether the 29th Armoured Brigade may leave the Meuse: on turn 29, or once a German has crossed it."""
    return s.p.turn >= 29 or s.p.meuse_crossed


@rule("11.10.1", "11.10.2")
def boundary(s: Situation, unit: int) -> Sides:
    """The hexsides that no German may move or advance across before turn 5."""
    if s.facts.side_of(unit) == GERMAN and s.p.turn < BOUNDARIES_END:
        return s.facts.boundaries
    return no_boundary(s.facts)


@lru_cache(maxsize=4)
def no_boundary(facts: Facts) -> Sides:
    return facts.board.sides()


@rule("11.10.2")
def note_boundaries(facts: Facts, p: Ardennes44, unit: int, path: Sequence[int]) -> None:
    """A German who crosses a boundary before turn 5 is astray; who crosses back is not."""
    if facts.side_of(unit) == GERMAN and p.turn < BOUNDARIES_END:
        for from_, to in pairwise(path):
            if facts.boundaries.between(from_, to):
                p.astray ^= 1 << unit


@rule("29.3")
def may_cross_at_echternach(facts: Facts, p: Ardennes44, unit: int) -> bool:
    """One unit of the 212th may cross from E1006 to E1005 on the first turn, whatever bond closes it."""
    return p.turn == 1 and not p.night and facts.rows[unit].division == "212" and facts.side_of(unit) == GERMAN


@rule("29.3")
def crossing_at_echternach(s: Situation, from_: int, to: int) -> bool:
    """Whether a step is that crossing, for the first to make it."""
    at = s.facts.board.at
    return from_ == at("E1006") and to == at("E1005") and not s.stack(to)
