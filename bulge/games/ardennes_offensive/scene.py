"""What lies where in The Ardennes Offensive now. Nothing in it is hidden, so both sides see the same."""

from __future__ import annotations

from bulge.core.look import Mark, Piece, Scene, Score
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, LAST_TURN, Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation, judged
from bulge.games.ardennes_offensive.victory import POINTS_TO_WIN, exits_held, lost, points
from bulge.games.hexes.scene import by_side, flags, waiting
from bulge.games.hexes.scene import supply_line as line_of


def scene(facts: Facts, p: ArdennesPosition) -> Scene:
    s = Situation(facts, p)
    name, tally = facts.board.name, points(facts, s)
    flagged, arrivals = flags(_flag_sets(facts, s)), facts.arrivals[p.scenario]
    return Scene(
        turn=p.turn,
        step=p.step,
        pieces=tuple(
            Piece(row.id, name(space), 1, flagged.get(unit, ()))
            for unit, row in enumerate(facts.rows)
            if (space := p.where[unit]) >= 0
        ),
        marks=_exit_marks(facts, s),
        waiting=waiting(facts.roster, p.where, LAST_TURN, lambda unit: arrivals[unit].turn + p.late.get(unit, 0)),
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


def _flag_sets(facts: Facts, s: Situation) -> dict[str, int]:
    """The flags of counters, each with the units that bear it."""
    p = s.p
    beside = union([unit for unit, at in enumerate(p.where) if at in facts.entry_of])
    return {
        "road_mode": p.road,
        "must_leave_road": p.fought_on_road,
        "moved": p.moved,
        "attacked": p.attacked,
        "defended": p.defended,
        "retreated": p.retreated,
        "dormant": p.dormant & ~p.awake,
        **_short_of_supply(facts, s),
        "waiting": beside & ~p.dormant,
    }


def overlays(facts: Facts, s: Situation) -> dict[str, tuple[str, ...]]:
    board, both = facts.board, (GERMAN, ALLIED)
    return {
        **by_side(board, "zones", s.zones),
        **by_side(board, "supply", {side: s.lines(side).spaces & facts.passable for side in both}),
        **by_side(board, "interdicted", {side: s.cut_bridges(side) for side in both}),
        "start_line": tuple(facts.start_line.names()),
        "exits": tuple(board.name(hex_) for hex_ in exits_held(facts, s)),
    }


def supply_line(facts: Facts, p: ArdennesPosition, unit: int) -> tuple[str, ...]:
    """A supply path: three hexes at most to a road, and along it to the edge."""
    if not facts.on_map[p.where[unit]]:
        return ()
    s, side = Situation(facts, p), facts.side_of(unit)
    cut = s.cut_bridges(side)
    return line_of(facts.board, s.lines(side), facts.roads - cut, facts.sources_over(side, cut), p.where[unit])
