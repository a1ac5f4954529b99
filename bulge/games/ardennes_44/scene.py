"""What lies where in Ardennes '44 now."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.look import Mark, Piece, Scene, Score, Waiting
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.supply import road_line
from bulge.games.ardennes_44.battle import targets
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, SIDES
from bulge.games.ardennes_44.dumps import CAPTURED
from bulge.games.ardennes_44.facts import DUE, EXITED, GONE, SURRENDERED, Facts
from bulge.games.ardennes_44.fighting import bearers
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.mover import TRAFFIC
from bulge.games.ardennes_44.moving import hemmed_in, movable
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import OVERLAND, Supply, towards
from bulge.games.ardennes_44.victory import german_controlled, points

TOLL = f"pay {TRAFFIC // POINT} points more to enter"


def scene(facts: Facts, p: Ardennes44) -> Scene:
    name, scenario = facts.board.name, facts.scenarios[p.scenario]
    return Scene(
        turn=p.turn,
        step=p.step,
        pieces=tuple(
            Piece(row.id, name(p.where[unit]), facts.steps_left(unit, p.reduced), _flags(facts, p, unit))
            for unit, row in enumerate(facts.rows)
            if p.where[unit] >= 0
        ),
        marks=_marks(facts, p),
        waiting=_waiting(facts, p),
        scores=(
            Score("German points", points(facts, p), scenario.points, "S2.4" if scenario.points == 10 else "S3.4"),
        ),
        last_turn=scenario.last_turn,
        first_turn=scenario.first_turn,
    )


def _flags(facts: Facts, p: Ardennes44, unit: int) -> tuple[str, ...]:
    by_sets = {
        "moved": p.moved,
        "attacked": p.attacked,
        "out_of_supply": p.unsupplied,
        "disrupted": p.disrupted,
        "broken": p.broken,
        "engaged": p.engaged,
        "fired": p.fired,
        "in_column": p.columns,
        "mover": p.movers,
        "night": p.night_marked,
        "replacement": p.replaced,
    }
    return tuple(flag for flag, units in by_sets.items() if units >> unit & 1)


@rule("2.12")
def _marks(facts: Facts, p: Ardennes44) -> tuple[Mark, ...]:
    """Everything on the map that is not a unit."""
    name = facts.board.name
    found = [*_positions(facts, p), *_toll_markers(facts, p), *_advantages(facts, p)]
    found += [Mark("dump", name(hex_), "fuel dump, real or not") for hex_ in members(p.dumps)]
    if p.dump == CAPTURED:
        found.append(Mark("dump", name(p.real_dump), "captured fuel"))
    return (*found, *_bridges(facts, p))


@rule("15.8.1", "15.8.2")
def _positions(facts: Facts, p: Ardennes44) -> Iterator[Mark]:
    bonus = facts.ground.terrain["improved"].bonus
    finished = f"Improved Position: a Combat Bonus of {bonus}, where the ground gives less"
    begun = "Improved Position under construction: done once infantry has stayed for two Movement Phases"
    for kind, hexes, words in (("improved", p.improved, finished), ("digging", p.digging, begun)):
        yield from (Mark(kind, facts.board.name(hex_), words) for hex_ in members(hexes))


@rule("24.2", "33.1")
def _toll_markers(facts: Facts, p: Ardennes44) -> Iterator[Mark]:
    """Markers that one side lays and the other pays for."""
    name = facts.board.name
    for kind, title, markers, payers in (
        ("traffic", "Allied Traffic marker", p.traffic, "Germans"),
        ("greif", "Greif marker", p.greif, "Allies"),
    ):
        for at, hex_ in enumerate(markers):
            if hex_ >= 0:
                yield Mark(kind, name(hex_), f"{title} {at + 1}: {payers} {TOLL}")
    for side, blocks, payers in ((GERMAN, p.blocks_german, "Allies"), (ALLIED, p.blocks_allied, "Germans")):
        words = f"{side} Roadblock: {payers} {TOLL}, and trace no supply through it"
        yield from (Mark("roadblock", name(hex_), words) for hex_ in blocks if hex_ >= 0)


@rule("16.6")
def _advantages(facts: Facts, p: Ardennes44) -> Iterator[Mark]:
    for marker in p.advantages:
        if bearers(p, marker):
            words = f"Attacker's Advantage: a column more in the next attack on {facts.words(marker.target)}"
            yield Mark("advantage", facts.board.name(marker.hex_), words)


@rule("7.2", "7.8")
def _bridges(facts: Facts, p: Ardennes44) -> Iterator[Mark]:
    """Those that cannot be crossed, at both of their ends."""
    for bridge in members(p.blown):
        being_built = (p.building | p.building_allied) >> bridge & 1
        state = (
            "is under construction: until it is done, an unbridged river"
            if being_built
            else "is blown: an unbridged river"
        )
        words = f"the bridge {facts.ground.bridge_name(bridge)} {state}"
        label = "bridge in work" if being_built else "bridge blown"
        yield from (Mark("bridge", facts.board.name(hex_), words, label) for hex_ in facts.ground.bridges[bridge])


def _waiting(facts: Facts, p: Ardennes44) -> tuple[Waiting, ...]:
    boxes: dict[str, list[str]] = {}
    for unit, row in enumerate(facts.rows):
        at = p.where[unit]
        if at == DUE:
            boxes.setdefault(f"turn {max(p.turn, row.turn)}", []).append(row.id)
        elif at == GONE:
            boxes.setdefault("lost", []).append(row.id)
        elif at == SURRENDERED:
            boxes.setdefault("prisoners", []).append(row.id)
        elif at == EXITED:
            boxes.setdefault("Antwerp", []).append(row.id)
    return tuple(Waiting(box, tuple(units)) for box, units in boxes.items())


def overlays(s: Situation) -> dict[str, tuple[str, ...]]:
    facts, p, names = s.facts, s.p, s.facts.board.names_of
    found: dict[str, tuple[str, ...]] = {
        "boundaries": tuple(facts.boundaries.names()),
        "victory_german": tuple(names(german_controlled(s))),
        "blown": tuple(facts.ground.bridge_name(bridge) for bridge in members(p.blown)),
    }
    mover = GERMAN if p.step.startswith("german") else ALLIED
    able = movable(s, mover)
    able &= ~hemmed_in(s, mover, members(able))
    found["unmoved"] = tuple(names(s.standing.armies[mover].hexes_of(able)))
    found["targets"] = tuple(names(targets(s, mover)))
    for side in SIDES:
        key, bonds = side.lower(), s.bonds(side)
        found[f"zones_{key}"] = tuple(names(s.zone(side) & s.field.hexes))
        found[f"bonds_{key}"] = tuple(names(bonds.hexes))
        found[f"bond_sides_{key}"] = tuple(bonds.sides.names())
        found[f"supply_{key}"] = tuple(names(Supply(s, side).supplied() & s.field.hexes))
    return found


def supply_line(facts: Facts, p: Ardennes44, unit: int) -> tuple[str, ...]:
    """A supply path: four hexes at most overland, then along roads to a source."""
    hex_ = p.where[unit]
    if not facts.on_map(hex_):
        return ()
    s = Situation(facts, p)
    supply = Supply(s, facts.side_of(unit))
    net = supply.road_net()
    way = overland(supply, hex_, net)
    if not way:
        return ()
    sources = s.field.sources[supply.side] & net
    roads = facts.ground.open_roads(p.blown) - supply.bonds.sides
    return tuple(facts.board.name(each) for each in [*way, *road_line(roads, way[-1], sources, through=net)[1:]])


def overland(supply: Supply, start: int, net: int) -> list[int]:
    """The overland part of a path from a hex to the roads, both ends included; empty if there is none."""
    board, sides = supply.board, supply.bonds.sides
    rings = [1 << start]
    while not rings[-1] & net:
        if len(rings) > OVERLAND:
            return []
        through = supply.entered if len(rings) == 1 else supply.free
        rings.append(towards(board, rings[-1], sides) & through)
    way = [(rings[-1] & net).bit_length() - 1]
    for ring in reversed(rings[:-1]):
        way.append((towards(board, 1 << way[-1], sides) & ring).bit_length() - 1)
    return way[::-1]
