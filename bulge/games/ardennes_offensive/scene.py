"""What lies where in The Ardennes Offensive now. Nothing in it is hidden, so both sides see the same."""

from __future__ import annotations

from bulge.core.look import Mark, Piece, Scene, Score, Waiting
from bulge.core.rulebook import rule
from bulge.core.supply import whole_line
from bulge.games.ardennes_offensive.facts import ALLIED, DUE, GERMAN, GONE, LAST_TURN, Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition
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
            Piece(row.id, name(space), 1, _flags(facts, p, short, unit))
            for unit, row in enumerate(facts.rows)
            if (space := p.where[unit]) >= 0
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
            if facts.on_map[hex_ := p.where[unit]] and not supplied >> hex_ & 1:
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
    if p.where[unit] in facts.entry_of and not p.dormant >> unit & 1:
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


def supply_line(facts: Facts, p: ArdennesPosition, unit: int) -> tuple[str, ...]:
    """A supply path: three hexes at most to a road, and along it to the edge."""
    if not facts.on_map[p.where[unit]]:
        return ()
    s = Situation(facts, p)
    side = facts.side_of(unit)
    roads = facts.roads - s.cut_bridges(side)
    sources = facts.sources_over(side, s.cut_bridges(side))
    line = whole_line(s.lines(side), roads, sources, p.where[unit])
    return tuple(facts.board.name(hex_) for hex_ in line)
