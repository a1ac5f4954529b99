"""What lies where in The Ardennes Offensive now. Nothing in it is hidden, so both sides see the same."""

from __future__ import annotations

from bulge.core.decision import Decision
from bulge.core.look import Mark, Piece, Reachable, Scene, Score, Subject, Waiting
from bulge.core.movement import points_in_words
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.supply import whole_line
from bulge.games.ardennes_offensive.arrivals import Placing
from bulge.games.ardennes_offensive.battle import Battle
from bulge.games.ardennes_offensive.facts import (
    ALLIED,
    DUE,
    GERMAN,
    GONE,
    LAST_TURN,
    POINT,
    Facts,
    hex_beside,
)
from bulge.games.ardennes_offensive.movement import Walk
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import Place, Retreat
from bulge.games.ardennes_offensive.setting_up import Setting
from bulge.games.ardennes_offensive.situation import Situation, judged
from bulge.games.ardennes_offensive.victory import POINTS_TO_WIN, exits_held, lost, points


def scene(facts: Facts, p: ArdennesPosition) -> Scene:
    s = Situation(facts, p)
    name, tally = facts.board.name, points(facts, s)
    short = _short_of_supply(facts, s)
    return Scene(
        turn=p.turn,
        step=p.step,
        pieces=tuple(
            Piece(row.id, name(hex_), 1, _flags(facts, p, short, unit))
            for unit, row in enumerate(facts.rows)
            if (hex_ := _shown_in(facts, p, unit)) >= 0
        ),
        marks=_exit_marks(facts, s),
        waiting=_waiting(facts, p),
        scores=(
            Score("German points", tally[GERMAN], POINTS_TO_WIN, "16.0", _german_points(facts, s)),
            Score("Allied points", tally[ALLIED], 0, "16.0A"),
        ),
    )


def _german_points(facts: Facts, s: Situation) -> str:
    """What the Germans have their points for."""
    exits = sum(facts.exit_points[hex_] for hex_ in exits_held(facts, s))
    return f"units {lost(facts, s.p, ALLIED)}, exits {exits}"


@rule("16.0B", "16.0D")
def _exit_marks(facts: Facts, s: Situation) -> tuple[Mark, ...]:
    """What each road exit is worth, as printed in its hex, and whether it counts now."""
    held = exits_held(facts, s)
    marks = []
    for row in facts.exits:
        hex_ = facts.board.at(row.id)
        words = f"Road exit to {row.leads_to}, {row.points} points"
        if row.section in ("SE", "SW"):
            words += " while a supplied German unit is in Bastogne"
        now = "It counts now" if hex_ in held else "It does not count now"
        marks.append(Mark(f"exit {row.points}", row.id, f"{words}. {now}."))
    return tuple(marks)


def _shown_in(facts: Facts, p: ArdennesPosition, unit: int) -> int:
    """The hex in which a counter lies: Allied units off the map lie on its edge hexes, Germans in boxes."""
    where = p.where[unit]
    return hex_beside(where) if where < 0 and unit in facts.allied_units else where


@rule("3.34", "12.0")
def _short_of_supply(facts: Facts, s: Situation) -> dict[str, int]:
    """Units without supply: as judged in a side's own turn, as things stand at other times."""
    p = s.p
    found = {"unsupplied": p.unsupplied & ~p.isolated, "isolated": p.isolated}
    for side in (GERMAN, ALLIED):
        if side == judged(p):
            continue
        supplied, isolated = s.supplied_hexes(side), s.isolated_hexes(side)
        for unit in facts.units_of[side]:
            if (hex_ := p.where[unit]) >= 0 and not supplied >> hex_ & 1:
                found["isolated" if isolated >> hex_ & 1 else "unsupplied"] |= 1 << unit
    return found


def _flags(facts: Facts, p: ArdennesPosition, short: dict[str, int], unit: int) -> tuple[str, ...]:
    by_sets = {
        "road_mode": p.road,
        "must_leave_road": p.fought_on_road,
        "moved": p.moved,
        "attacked": p.attacked,
        "defended": p.defended,
        "retreated": p.retreated,
        "dormant": p.dormant & ~p.awake,
        **short,
    }
    flags = [flag for flag, units in by_sets.items() if units >> unit & 1]
    if hex_beside(p.where[unit]) >= 0 and not p.dormant >> unit & 1:
        flags.append("waiting")
    return tuple(flags)


def _waiting(facts: Facts, p: ArdennesPosition) -> tuple[Waiting, ...]:
    boxes: dict[str, list[str]] = {f"turn {turn}": [] for turn in range(1, LAST_TURN + 1)}
    arrivals = facts.arrivals[p.scenario]
    for unit, row in enumerate(facts.rows):
        where = p.where[unit]
        if where == DUE:
            boxes[f"turn {min(LAST_TURN, arrivals[unit].turn + p.late.get(unit, 0))}"].append(row.id)
        elif where == GONE:
            boxes.setdefault("lost", []).append(row.id)
        elif where < 0 and _shown_in(facts, p, unit) < 0 <= hex_beside(where):
            boxes.setdefault(f"arriving at {facts.board.name(hex_beside(where))}", []).append(row.id)
    return tuple(Waiting(box, tuple(units)) for box, units in boxes.items() if units)


def overlays(facts: Facts, s: Situation) -> dict[str, tuple[str, ...]]:
    names = facts.board.names_of
    return {
        "zones_german": tuple(names(s.zones[GERMAN])),
        "zones_allied": tuple(names(s.zones[ALLIED])),
        "supply_german": tuple(names(s.lines(GERMAN).spaces & facts.passable)),
        "supply_allied": tuple(names(s.lines(ALLIED).spaces & facts.passable)),
        "interdicted_german": tuple(s.cut_bridges(GERMAN).names()),
        "interdicted_allied": tuple(s.cut_bridges(ALLIED).names()),
        "start_line": tuple(facts.start_line.names()),
        "exits": tuple(facts.board.name(hex_) for hex_ in exits_held(facts, s)),
    }


# ---------------------------------------------------------------------- questions


def point_words(tenths: int) -> str:
    """A number of movement points as a person writes it: 2, 1/2, 3 7/10."""
    return points_in_words(tenths, POINT)


def reachable(facts: Facts, way: Walk, left: str) -> Reachable:
    """Everywhere that the unit on its way can stop, what it costs, and whether it gets there in Road Mode."""
    name = facts.board.name
    costs: dict[str, str] = {}
    paths: dict[str, tuple[str, ...]] = {}
    modes: dict[str, str] = {}
    seen = 1 << way.here
    routes = way.reach()
    for changes, flood in enumerate(routes.floods):
        for cost, level in enumerate(flood.levels):
            for hex_ in members(level & ~seen):
                costs[name(hex_)] = point_words(cost)
                paths[name(hex_)] = tuple(name(step) for step in flood.path(hex_))
                if routes.marches_in(changes):
                    modes[name(hex_)] = "in Road Mode"
        seen |= flood.spaces
    joined = facts.board.names_of(seen & way.friends)
    notes = dict.fromkeys(joined, f"{point_words(way.stacking_toll)} of it to join a stack")
    return Reachable(costs, paths, modes, notes, left)


def subject(facts: Facts, decision: Decision) -> Subject | None:
    """The battle, move or retreat that a question belongs to."""
    about, name, rows = decision.about, facts.board.name, facts.rows
    if isinstance(about, Battle):
        targets = tuple(name(hex_) for hex_ in about.targets)
        return Subject(targets, tuple(rows[unit].id for unit in about.attackers))
    if isinstance(about, (Walk, Retreat)):
        return Subject((name(about.here),), (rows[about.unit].id,))
    if isinstance(about, Place):
        return Subject((name(about.hex_),))
    if isinstance(about, (Placing, Setting)):
        return Subject((), (rows[about.unit].id,))
    return None


def supply_line(facts: Facts, p: ArdennesPosition, unit: int) -> tuple[str, ...]:
    """A supply path: three hexes at most to a road, and along it to the edge."""
    if p.where[unit] < 0:
        return ()
    s = Situation(facts, p)
    side = facts.side_of(unit)
    roads = facts.roads - s.cut_bridges(side)
    sources = facts.sources_over(side, s.cut_bridges(side))
    line = whole_line(s.lines(side), roads, sources, p.where[unit])
    return tuple(facts.board.name(hex_) for hex_ in line)
