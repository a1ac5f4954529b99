"""Reinforcements, Off Map Boxes and Blocking Positions (rule 13)."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.decision import Choice, Decision, Kind, Option, Play
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.columns import strategic_points
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import AIRBORNE, BOXES, DUE, GONE, Facts, blocked_hex, blocking, box, box_number
from bulge.games.ardennes_44.ground import FOREST_ROAD, POINT, PRIMARY, SECONDARY
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import road_bound

BLOCKING_DEFENCE = 6
"""The defence factors that block a captured entry hex (13.4)."""
DROP_RADIUS = 8
FROM_AFAR = 4 * POINT
SECTORS = {"SE": "Southeast", "SW": "Southwest", "W": "West", "NW": "Northwest", "NE": "Northeast"}
WAIT, STRATEGIC = "wait", "strategic"


# ---------------------------------------------------------------------- who may come


@rule("13.1", "13.5", "13.6", "27.2", "27.7")
def due(s: Situation, side: str) -> list[int]:
    """Units beside the map that may come on now, or move among boxes."""
    facts, p = s.facts, s.p
    if p.night:
        return []
    return [
        unit
        for unit in members(facts.of_side[side] & ~p.moved)
        if _waits(facts, p, unit) and (ways_on(s, unit) or elsewhere(s, unit))
    ]


def _waits(facts: Facts, p: Ardennes44, unit: int) -> bool:
    at = p.where[unit]
    if at == DUE:
        return facts.rows[unit].turn <= p.turn and (facts.rows[unit].id != "653" or p.jagdtigers)
    unrallied = (p.disrupted | p.broken | p.night_marked) >> unit & 1
    return (box_number(at) >= 0 or blocked_hex(at) >= 0) and not unrallied


@rule("2.6", "13.1", "13.2.1", "13.4", "13.5", "13.6", "27.2")
def ways_on(s: Situation, unit: int) -> list[int]:
    """The hexes by which a unit may come on to the map."""
    facts, p = s.facts, s.p
    row, at = facts.rows[unit], p.where[unit]
    if row.entry == "town" and at == DUE:
        return members(towns_for_engineers(s))
    if row.entry == "drop":
        return members(drop_hexes(s))
    found = []
    strategic = by_truck(s, unit)
    for hex_ in entry_hexes(s, unit):
        if s.occupied[other(row.side)] >> hex_ & 1 or (
            row.side == ALLIED and not sector_open(s, sector_of(facts, hex_))
        ):
            continue
        walk = Walk(s, unit, hex_, strategic=strategic, entering=entry_cost(s, unit, hex_))
        if walk.may_stop() or walk.options():
            found.append(hex_)
    return found


def entry_hexes(s: Situation, unit: int) -> list[int]:
    """The entry hexes that serve a unit where it waits."""
    facts, at = s.facts, s.p.where[unit]
    if (hex_ := blocked_hex(at)) >= 0:
        return [hex_]
    if (number := box_number(at)) >= 0:
        hexes = [facts.board.at(row.id) for row in facts.entries if SECTORS.get(row.sector) == BOXES[number]]
        hexes += members(s.field.exits) if BOXES[number] == "West" and s.field.exits else []
    elif by_truck(s, unit):
        hexes = members(s.field.exits)
    else:
        hexes = [hex_ for letter in facts.rows[unit].entry for hex_ in facts.entry_hexes.get(letter, [])]
    return [hex_ for hex_ in dict.fromkeys(hexes) if s.field.hexes >> hex_ & 1]


@rule("S3.3")
def by_truck(s: Situation, unit: int) -> int:
    """What an airborne unit of the eight turns may spend on its trucks, as long as markers last; 0 for others."""
    row = s.facts.rows[unit]
    airborne = s.p.scenario == "S3" and row.division in AIRBORNE and row.nation == "us" and s.p.where[unit] == DUE
    return strategic_points(s, unit, arriving=True) if airborne else 0


@rule("13.1", "S3.3")
def entry_cost(s: Situation, unit: int, hex_: int) -> int:
    """What it costs to come on: the road rate of the hex; four points more are spent by trucks from afar."""
    facts = s.facts
    if by_truck(s, unit):
        return FROM_AFAR + SECONDARY
    rank = facts.map.raw["edges"].get(facts.board.name(hex_), {}).get("road", "secondary")
    if rank == "primary":
        return PRIMARY
    forest = facts.ground.forest_road_hexes >> hex_ & 1 and facts.way[unit] != "foot"
    return FOREST_ROAD if forest else SECONDARY


# ---------------------------------------------------------------------- sectors and blocking (13.4)


def sector_of(facts: Facts, hex_: int) -> str:
    return next((row.sector for row in facts.entries if facts.board.at(row.id) == hex_), "W")


@rule("13.4", "13.8.2")
def sector_open(s: Situation, sector: str) -> bool:
    """Whether every entry hex of a sector that the Germans are in is blocked."""
    facts = s.facts
    for row in facts.entries:
        hex_ = facts.board.at(row.id)
        captured = row.sector == sector and row.blocking and s.occupied[GERMAN] >> hex_ & 1
        if captured and defence_at(s, hex_) < BLOCKING_DEFENCE:
            return False
    return True


def defence_at(s: Situation, hex_: int) -> int:
    """The defence factors in the Blocking Position of an entry hex."""
    facts, p = s.facts, s.p
    here = blocking(hex_)
    return sum(facts.defence(unit, p.reduced) for unit in facts.units_of[ALLIED] if p.where[unit] == here)


@rule("13.1", "13.5", "13.6", "13.7")
def elsewhere(s: Situation, unit: int) -> dict[str, int]:
    """Boxes and Blocking Positions that an Allied unit may go to instead, by the word for each."""
    facts, at = s.facts, s.p.where[unit]
    if facts.side_of(unit) == GERMAN or (facts.rows[unit].entry == "town" and at == DUE):
        return {}
    found: dict[str, int] = {}
    number = box_number(at)
    sectors = {sector_of(facts, hex_) for hex_ in entry_hexes(s, unit)} if number < 0 else {_sector(number)}
    if number < 0:
        found |= {f"box_{SECTORS[sector]}": box(SECTORS[sector]) for sector in sectors}
    elif sector_open(s, _sector(number)):
        for near in (number - 1, number + 1):
            if 0 <= near < len(BOXES):
                found[f"box_{BOXES[near]}"] = box(BOXES[near])
    if blocked_hex(at) < 0:
        mine = set(entry_hexes(s, unit))
        for row in facts.entries:
            hex_ = facts.board.at(row.id)
            if row.blocking and row.sector in sectors and hex_ in mine and s.occupied[GERMAN] >> hex_ & 1:
                found[f"block_{row.id}"] = blocking(hex_)
    return found


def _sector(number: int) -> str:
    return next(short for short, name in SECTORS.items() if name == BOXES[number])


# ---------------------------------------------------------------------- engineers and the drop


@rule("13.2.1")
def towns_for_engineers(s: Situation) -> int:
    """Own towns and cities on a road to supply, away from enemies, each for one engineer unit a turn."""
    facts, p = s.facts, s.p
    placed = union([p.where[unit] for unit in members(facts.engineers & p.arrived)])
    towns = facts.ground.settled & s.field.hexes & ~p.german_held & ~s.occupied[GERMAN]
    return towns & road_bound(s, ALLIED) & ~s.next_to_enemy(ALLIED) & ~placed


@rule("27.2")
def drop_hexes(s: Situation) -> int:
    """Where von der Heydte may land: open ground near the drop zone, away from enemies."""
    facts = s.facts
    near = facts.board.within(1 << facts.board.at("E2335"), DROP_RADIUS)
    shut = facts.ground.thick | facts.ground.built_up | s.zone(ALLIED) | s.occupied[ALLIED] | s.occupied[GERMAN]
    return near & s.field.hexes & ~shut


# ---------------------------------------------------------------------- coming on


@dataclass(frozen=True, slots=True)
class Arriving(Question):
    facts: Facts
    unit: int
    rolls: bool = False

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, str):
            kind, _, name = choice.partition("_")
            words = {"box": f"the {name} Off Map Box", "block": f"the Blocking Position of {name}"}.get(kind)
            return replace(plain, words=words or plain.words)
        return replace(plain, rolls=self.rolls)

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        return Subject((), (self.facts.rows[self.unit].id,))


@rule("13.1", "13.2.1", "13.3", "13.5", "13.6")
def bring_on(t: Table[Ardennes44], s: Situation, unit: int) -> Play:
    """Ask where a unit comes on; the walk that it then begins, or None if it is placed or waits."""
    p, facts, bit = t.p, s.facts, 1 << unit
    row, strategic = facts.rows[unit], by_truck(s, unit)
    while True:
        hexes, others = ways_on(s, unit), elsewhere(s, unit)
        options: list[Choice] = [*hexes, *others, WAIT]
        if (
            hexes
            and not strategic
            and row.entry not in ("town", "drop")
            and strategic_points(s, unit, arriving=True)
        ):
            options.append(STRATEGIC)
        prompt = f"Where does {row.name} come on{' in column' if strategic else ''}?"
        question = Arriving(facts, unit, row.entry == "drop")
        choice = yield Decision(row.side, prompt, options, "13.1", Kind.SPACE, about=question)
        if choice != STRATEGIC:
            break
        strategic = strategic_points(s, unit, arriving=True)
    if choice == WAIT:
        p.moved |= bit
        return None
    if choice in others:
        p.where[unit] = others[choice]
        p.moved |= bit
        p.fired |= facts.guns & bit
        t.say("13.1", f"{row.name} goes to {choice.replace('_', ' ')}.", units=(unit,))
        return None
    p.arrived |= bit
    p.fired |= facts.guns & bit
    if row.entry == "town" or row.entry == "drop":
        place(t, s, unit, choice)
        return None
    p.german_held = p.german_held | 1 << choice if row.side == GERMAN else p.german_held & ~(1 << choice)
    t.say("13.1", f"{row.name} comes on at {facts.words(choice)}.", spaces=(choice,), units=(unit,))
    return Walk(s, unit, choice, strategic=strategic, entering=entry_cost(s, unit, choice))


@rule("13.2.1", "27.2")
def place(t: Table[Ardennes44], s: Situation, unit: int, hex_: int) -> None:
    """Engineers appear in a town and may still move; paratroopers drop, and a die says how many survive."""
    p, facts, row = t.p, s.facts, s.facts.rows[unit]
    p.where[unit] = hex_
    if row.entry == "drop":
        p.moved |= 1 << unit
        fate = facts.dice["von_der_heydte"].result(
            t.roll("27.2", f"the drop at {facts.words(hex_)} (4 to 6: lost)")
        )
        if fate == "lost":
            p.where[unit] = GONE
        else:
            p.reduced |= 1 << unit if fate == "reduced" else 0
            p.german_held |= 1 << hex_
        t.say("27.2", f"{row.name}: {fate}.", spaces=(hex_,), units=(unit,))
    else:
        t.say("13.2.1", f"{row.name} appear in {facts.words(hex_)}.", spaces=(hex_,), units=(unit,))
    s.look_again()


@rule("13.1")
def settle_late_comers(t: Table[Ardennes44], s: Situation, side: str) -> None:
    """Allied units that were due and did not come on wait in the box of their sector."""
    facts, p = s.facts, t.p
    if side == GERMAN or p.night:
        return
    for unit in facts.units_of[ALLIED]:
        late = p.where[unit] == DUE and facts.rows[unit].turn <= p.turn and facts.rows[unit].entry != "town"
        if late and (hexes := entry_hexes(s, unit)):
            p.where[unit] = box(SECTORS[sector_of(facts, hexes[0])])
            p.fired |= facts.guns & 1 << unit
