"""Why something cannot be done: moves, attacks, retreats, arrivals, set-ups, the drop."""

from __future__ import annotations

from bulge.core.decision import Refusal
from bulge.games.ardennes_offensive.arrivals import bridge_is_cut, first_hex, open_to
from bulge.games.ardennes_offensive.battle import Battle, ready
from bulge.games.ardennes_offensive.facts import (
    ALLIED,
    DIVISION,
    GERMAN,
    SECTION_WORDS,
    Facts,
    hex_beside,
    other,
)
from bulge.games.ardennes_offensive.movement import LEAVE_ROAD, STOP, TAKE_ROAD, Walk
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import Retreat, Ways, given_up
from bulge.games.ardennes_offensive.scene import point_words
from bulge.games.ardennes_offensive.situation import Situation


def why_not_enter(facts: Facts, way: Walk, hex_: int) -> Refusal:
    """Why the unit on its way may not go there."""
    s = way.situation
    if not facts.passable >> hex_ & 1:
        return _why_closed(facts, hex_)
    if s.occupied[other(way.side)] >> hex_ & 1:
        return Refusal("5.2F", "an enemy unit stands there")
    if way.stops >> way.here & 1:
        return Refusal("7.1A", "it is in an enemy zone that no friend negates: it may not leave")
    if way.blocked >> hex_ & 1 and not way.by_road:
        return _why_blocked(facts, way, hex_)
    if way.by_road and way.shut_to_column >> hex_ & 1:
        return _why_no_column(facts, way, hex_)
    if way.by_road and not facts.roads.across(1 << way.here) >> hex_ & 1 and facts.board.adjacent(way.here, hex_):
        return Refusal("6.5F", "in Road Mode it keeps to the road")
    if way.by_road and way.situation.cut_bridges(way.side).of(1 << way.here).across(1 << way.here) >> hex_ & 1:
        return Refusal("6.5F", "the bridge is interdicted")
    if not facts.board.adjacent(way.here, hex_) and any(reach.spaces >> hex_ & 1 for reach in way.reaches()):
        return Refusal("5.0", "units go from hex to adjacent hex: it is farther off")
    return Refusal("5.2J", f"it costs more than the {point_words(way.left)} movement points that are left")


def _why_closed(facts: Facts, hex_: int) -> Refusal:
    if facts.edge >> hex_ & 1:
        return Refusal("5.3L", "map edge hexes are entered only by Allied units that must retreat")
    if facts.live >> hex_ & 1:
        return Refusal("11.0", "the hex is impassable")
    return Refusal("E3.1-1", "nobody may enter the edge behind the German flanks")


def _why_blocked(facts: Facts, way: Walk, hex_: int) -> Refusal:
    s = way.situation
    if s.crowded(facts.size[way.unit]) >> hex_ & 1:
        divisions = facts.size[way.unit] == DIVISION or any(facts.size[unit] == DIVISION for unit in s.stack(hex_))
        if divisions:
            return Refusal("8.2C", "German infantry divisions stack with nobody")
        return Refusal("8.0", "three units are in the hex: one division equivalent is the limit")
    if s.beside_columns(way.side) >> hex_ & 1:
        return Refusal("6.5G", "a friend in Road Mode is there or next to it on the road")
    return Refusal("14.3C", "it may not cross the Meuse before the Germans have 25 points")


def _why_no_column(facts: Facts, way: Walk, hex_: int) -> Refusal:
    if not facts.marched_by(way.side) >> hex_ & 1:
        return _why_no_wall()
    if way.situation.shut_to_columns(way.alone) >> hex_ & 1:
        return Refusal("6.5G", "another unit is there or next to it on the road")
    return Refusal("14.3C", "it may not cross the Meuse before the Germans have 25 points")


def _why_no_wall() -> Refusal:
    return Refusal("11.0", "Allied units do not enter the West Wall in Road Mode")


def why_not_change(facts: Facts, way: Walk, asked: str) -> Refusal:
    """Why the unit on its way may not stop, or not change its mode, where it is."""
    if asked == STOP:
        return Refusal("6.7N", "it is next to a friend on the road, one of them in Road Mode: it must move")
    if (asked == TAKE_ROAD) == way.by_road:
        return Refusal("6.3C", "it is in that mode already")
    if len(way.path) > 1 and way.stops >> way.here & 1:
        return Refusal("7.1A", "it has come into an enemy zone, and its move is over")
    if asked == LEAVE_ROAD or way.left < way.mode_toll:
        return Refusal("6.3C", f"that costs {point_words(way.mode_toll)} points, and it has fewer left")
    if not facts.road_hexes >> way.here & 1:
        return Refusal("6.3C", "it is not on a road")
    return _why_no_column(facts, way, way.here)


# ---------------------------------------------------------------------- combat


def why_not_attack(facts: Facts, p: ArdennesPosition, side: str, hex_: int) -> Refusal:
    """Why nobody may attack a hex."""
    s = Situation(facts, p)
    if not s.occupied[other(side)] >> hex_ & 1:
        return Refusal("9.1A", "no enemy unit stands there")
    if all(p.defended >> unit & 1 for unit in s.stack(hex_)):
        return Refusal("9.1C", "its defenders have been attacked already in this phase")
    near = [unit for unit in facts.units_of[side] if facts.board.next_to(hex_) >> max(p.where[unit], 0) & 1]
    return why_not_join(facts, p, Battle(side, [hex_]), near[0]) if near else _not_next_to_it()


def why_not_add(facts: Facts, p: ArdennesPosition, battle: Battle, hex_: int) -> Refusal:
    """Why a hex may not be attacked together with others."""
    s = Situation(facts, p)
    near = facts.board.next_to(hex_)
    for target in battle.targets:
        near &= facts.board.next_to(target)
    if s.occupied[other(battle.side)] >> hex_ & 1 and not any(
        near >> p.where[unit] & 1 for unit in ready(facts, s, battle.side)
    ):
        return Refusal("9.2D", "no unit that could attack is next to all of these hexes")
    if hex_ in battle.targets:
        return Refusal("9.2D", "it is attacked already")
    return why_not_attack(facts, p, battle.side, hex_)


def why_not_join(facts: Facts, p: ArdennesPosition, battle: Battle, unit: int) -> Refusal:
    """Why a unit may not take part in an attack."""
    if unit in battle.attackers:
        return Refusal("9.1C", "it takes part already")
    if p.attacked >> unit & 1:
        return Refusal("9.1C", "it has attacked already in this phase")
    if p.isolated >> unit & 1:
        return Refusal("12.6", "it is isolated and has no strength to attack with")
    if not all(facts.board.adjacent(max(p.where[unit], 0), hex_) for hex_ in battle.targets):
        return _not_next_to_it()
    return Refusal("E4.2", "then somebody who must fight on the first turn would be left out")


def _not_next_to_it() -> Refusal:
    return Refusal("9.1A", "only units next to every hex attacked may take part")


def why_not_retreat(facts: Facts, p: ArdennesPosition, about: Retreat, hex_: int) -> Refusal:
    s, side = Situation(facts, p), facts.side_of(about.unit)
    ways = Ways(facts, s, about.unit, 1, about.losers)
    if not ways.around(about.here) >> hex_ & 1:
        if ways.by_road and facts.board.adjacent(about.here, hex_):
            return Refusal("6.7M", "in Road Mode it retreats along the road")
        return Refusal("10.2", "a retreat goes from hex to hex")
    if s.occupied[other(side)] >> hex_ & 1:
        return Refusal("5.2F", "an enemy unit stands there")
    if s.unnegated(side) >> hex_ & 1:
        return Refusal("7.3D", "it lies in an enemy zone, and no friendly unit stands there")
    if (given_up(s, about.losers) & s.zones[other(side)]) >> hex_ & 1:
        return Refusal("7.3D", "it lies in an enemy zone, and the units there must retreat as well")
    if not facts.passable >> hex_ & 1:
        return _why_closed(facts, hex_)
    if ways.by_road and not facts.marched_by(side) >> hex_ & 1:
        return _why_no_wall()
    if ways.full >> hex_ & 1:
        return Refusal("10.2", "there is no room in the hex")
    if not ways.open >> hex_ & 1:
        return Refusal("14.3C" if not s.marching[side] >> hex_ & 1 else "6.7M", "it may not go there")
    if facts.board.distance(about.start, hex_) <= facts.board.distance(about.start, about.here):
        return Refusal("10.2", "each hex of a retreat lies farther from where it began")
    return Refusal("E10.2", "the priorities of retreats put other hexes first")


# ---------------------------------------------------------------------- arrivals, set-ups, the drop


def why_not_arrive(facts: Facts, p: ArdennesPosition, unit: int, hex_: int) -> Refusal:
    """Why a reinforcement may not be placed there."""
    section = facts.arrivals[p.scenario][unit].section
    if not any(hex_ in hexes for hexes in facts.entries.values()):
        return Refusal("14.1A", "no road leads onto the map there")
    s = Situation(facts, p)
    if bridge_is_cut(facts, s, unit, hex_):
        return Refusal("6.5F", "the bridge by which that road comes onto the map is interdicted")
    if not open_to(facts, s, unit, hex_):
        if section == "WB" and not facts.beyond_meuse >> first_hex(facts, hex_) & 1:
            return Refusal("14.3C", "it may not cross the Meuse before the Germans have 25 points")
        return Refusal("14.1A", "the enemy holds or controls the first hex of that road")
    if p.late.get(unit):
        return Refusal("14.1A", "after its delay it comes by the next section")
    return Refusal("14.1A", f"it comes in the {SECTION_WORDS[section]}")


def why_not_set(facts: Facts, p: ArdennesPosition, unit: int, hex_: int) -> Refusal:
    """Why a unit may not start there."""
    side = facts.side_of(unit)
    if facts.front[side] >> p.where[unit] & 1:
        if not facts.front[side] >> hex_ & 1:
            return Refusal("17.0", "units of the front line stay on it")
    elif not facts.rear[side] >> hex_ & 1:
        return Refusal("17.0", "units behind the front line stay behind it, on their own side of it")
    return Refusal("17.0", "it stands there already")


def why_not_drop(facts: Facts, p: ArdennesPosition, hex_: int) -> Refusal:
    """Why the paratroopers may not land there."""
    s = Situation(facts, p)
    if not facts.passable >> hex_ & 1:
        return _why_closed(facts, hex_)
    if (s.occupied[ALLIED] | s.unnegated(GERMAN)) >> hex_ & 1:
        return Refusal("15.0", "an Allied unit or its zone is there")
    if s.crowded(1) >> hex_ & 1:
        return Refusal("8.0", "there is no room in the hex")
    return Refusal("6.5G", "a German unit in Road Mode is there or next to it on the road")


def why_not_come_on(facts: Facts, p: ArdennesPosition, unit: int) -> Refusal:
    """Why a reinforcement that waits beside the map cannot come on now."""
    entry, name, s = hex_beside(p.where[unit]), facts.rows[unit].name, Situation(facts, p)
    first = facts.board.name(first_hex(facts, entry))
    if bridge_is_cut(facts, s, unit, entry):
        return Refusal("6.5F", f"the bridge to {first} is interdicted: {name} comes on in Road Mode")
    if not open_to(facts, s, unit, entry):
        return Refusal("14.1A", f"the enemy holds or controls {first}, where {name} would come on")
    if s.shut_to_columns(0) >> first_hex(facts, entry) & 1:
        return Refusal("6.5G", f"a unit is in {first} or next to it on the road: {name} comes on in Road Mode")
    return Refusal("14.2B", f"so many have come on at {first} that {name} has no points left for it in this phase")


def why_not_move(facts: Facts, p: ArdennesPosition, unit: int) -> Refusal:
    """Why a unit in play, or one beside the map, is not among those that may move now."""
    name = facts.rows[unit].name
    if p.moved >> unit & 1:
        return Refusal("5.0", f"{name} has moved already")
    if p.dormant >> unit & 1:
        return Refusal("5.3M", f"{name} is dormant until an Allied unit stands next to it")
    if p.step.endswith("mechanized"):
        if not facts.mechanized[unit]:
            return Refusal("5.2K", f"{name} is not mechanized")
        if p.attacked >> unit & 1:
            return Refusal("5.2K", f"{name} has fought in this turn")
    if hex_beside(p.where[unit]) >= 0:
        return why_not_come_on(facts, p, unit)
    s = Situation(facts, p)
    side = facts.side_of(unit)
    if s.zones[other(side)] >> p.where[unit] & 1 and s.loads[p.where[unit]] == facts.size[unit]:
        return Refusal("7.1A", f"{name} is alone in an enemy zone and may not leave it")
    return Refusal("6.7N", "units next to a friend in Road Mode on the road move first")
