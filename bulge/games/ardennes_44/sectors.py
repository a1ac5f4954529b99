"""Beyond the map's edges: sectors, Off Map Boxes and Blocking Positions (rules 13.1 and 13.4 to 13.7)."""

from __future__ import annotations

from functools import lru_cache

from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import AIRBORNE, DUE, SECTORS, Facts
from bulge.games.ardennes_44.limits import closed_to
from bulge.games.ardennes_44.situation import Situation, enemy_blocks
from bulge.games.ardennes_44.stacking import fits
from bulge.games.ardennes_44.supply import road_bound

BLOCKING_DEFENCE = 6
"""The defence factors that block a captured entry hex (13.4)."""
DROP_RADIUS = 8


def sector_of(facts: Facts, space: int) -> str:
    """The sector of an entry hex, a box or a Blocking Position; roads off the west of the east sheet lead west."""
    return facts.sector.get(space, "W")


@rule("13.4", "13.8.2")
def sector_open(s: Situation, sector: str) -> bool:
    """Whether every entry hex of a sector that the Germans are in is blocked."""
    captured = s.occupied[GERMAN] & s.facts.entry_sets[sector]
    return not captured or all(
        hex_ not in s.facts.blocking or defence_at(s, hex_) >= BLOCKING_DEFENCE for hex_ in members(captured)
    )


def defence_at(s: Situation, hex_: int) -> int:
    """The defence factors in the Blocking Position of an entry hex."""
    facts, p = s.facts, s.p
    return sum(facts.defence(unit, p.reduced) for unit in s.stack(facts.blocking[hex_]))


@rule("2.6", "11.9.3", "13.1", "13.5", "13.6")
def entry_hexes(s: Situation, unit: int) -> list[int]:
    """The entry hexes that serve a unit where it waits; not those by which Germans have left the map."""
    facts, p, at = s.facts, s.p, s.p.where[unit]
    if at >= 0:
        hexes = _entries_beside(facts, p.scenario, at)
    elif airborne_in_eight_turns(s, unit):
        hexes = members(s.field.west_roads & s.field.hexes)
    else:
        hexes = _entries_with(facts, p.scenario, facts.rows[unit].entry)
    if p.exit_hexes and facts.side_of(unit) == ALLIED:
        return [hex_ for hex_ in hexes if not p.exit_hexes >> hex_ & 1]
    return hexes


@lru_cache(maxsize=256)
def _entries_beside(facts: Facts, scenario: str, at: int) -> list[int]:
    """The entry hexes in play that serve a box or a Blocking Position."""
    field = facts.field_of(scenario)
    if at in facts.blocked:
        hexes = [facts.blocked[at]]
    else:
        sector = facts.sector[at]
        hexes = [*facts.entries_of[sector], *(members(field.west_roads) if sector == "W" else ())]
    return [hex_ for hex_ in hexes if field.hexes >> hex_ & 1]


@lru_cache(maxsize=256)
def _entries_with(facts: Facts, scenario: str, letters: str) -> list[int]:
    """The entry hexes in play of these letters."""
    hexes = [hex_ for letter in letters for hex_ in facts.entry_hexes.get(letter, [])]
    return [hex_ for hex_ in hexes if facts.field_of(scenario).hexes >> hex_ & 1]


@rule("S3.3")
def airborne_in_eight_turns(s: Situation, unit: int) -> bool:
    """The airborne divisions of the eight turns come on trucks from the west of the east sheet."""
    row = s.facts.rows[unit]
    return s.p.where[unit] == DUE and s.p.scenario == "S3" and row.division in AIRBORNE and row.side == ALLIED


@rule("10.2", "12.2", "13.4", "27.3.1", "33.1")
def open_entries(s: Situation, unit: int, *, column: bool = False) -> list[int]:
    """Those by which it may come on now: no enemy, no bond, the sector not threatened, the ground open to it."""
    facts, side = s.facts, s.facts.side_of(unit)
    shut = s.occupied[other(side)] | closed_to(s, unit) | bonded(s, side)
    if column:
        shut |= s.next_to_enemy(side) | enemy_blocks(s.p, side)
    hexes = [hex_ for hex_ in entry_hexes(s, unit) if not shut & 1 << hex_]
    if side == GERMAN or not s.occupied[GERMAN] & facts.entries_for[ALLIED]:
        return hexes
    open_ = {sector for sector in {sector_of(facts, hex_) for hex_ in hexes} if sector_open(s, sector)}
    return [hex_ for hex_ in hexes if sector_of(facts, hex_) in open_]


@rule("10.2", "10.3")
def bonded(s: Situation, side: str) -> int:
    """Hexes that enemy bonds close to a side: those in which no friend stands already."""
    return s.links(other(side)).hexes & ~s.occupied[side]


@rule("13.1", "13.5", "13.6", "13.7")
def elsewhere(s: Situation, unit: int) -> list[int]:
    """Boxes and Blocking Positions that an Allied unit may go to instead."""
    facts, at = s.facts, s.p.where[unit]
    if facts.side_of(unit) == GERMAN or (facts.rows[unit].entry == "town" and at == DUE):
        return []
    if at in facts.blocked:
        return [facts.box[facts.sector[at]]]
    hexes = entry_hexes(s, unit)
    found = [facts.blocking[hex_] for hex_ in hexes if hex_ in facts.blocking]
    if at == DUE:
        return [*dict.fromkeys(facts.box[sector_of(facts, hex_)] for hex_ in hexes), *found]
    sector = facts.sector[at]
    if sector_open(s, sector) and not facts.british >> unit & 1:
        number = SECTORS.index(sector)
        found += [facts.box[SECTORS[near]] for near in (number - 1, number + 1) if 0 <= near < len(SECTORS)]
    return found


# ---------------------------------------------------------------------- engineers and the drop


@rule("13.2.1")
def towns_for_engineers(s: Situation) -> int:
    """Own towns and cities on a road to supply, away from enemies, each for one engineer unit a turn."""
    facts, p = s.facts, s.p
    towns = facts.ground.settled & s.field.hexes & ~p.german_held & ~s.occupied[GERMAN]
    return towns & road_bound(s, ALLIED) & ~s.next_to_enemy(ALLIED) & ~p.engineered


@rule("27.2")
def drop_hexes(s: Situation) -> int:
    """Where von der Heydte may land: open ground near the drop zone, away from enemies, with room for it."""
    facts, unit = s.facts, s.facts.number["vdH"]
    shut = facts.ground.thick | facts.ground.built_up | s.zone(ALLIED) | s.occupied[ALLIED] | s.p.dumps
    zone = _drop_zone(facts) & s.field.hexes & ~shut
    crowded = [hex_ for hex_ in members(zone & s.occupied[GERMAN]) if not _has_room(s, hex_, unit)]
    return zone & ~union(crowded)


def _has_room(s: Situation, hex_: int, unit: int) -> bool:
    """For a unit that stays where it lands; beside a column nobody may."""
    mates = s.stack(hex_)
    return fits(s.facts, s.p.reduced, [*mates, unit]) and not s.p.columns & union(mates)


@lru_cache(maxsize=4)
def _drop_zone(facts: Facts) -> int:
    return facts.board.within(1 << facts.board.at("E2335"), DROP_RADIUS)
