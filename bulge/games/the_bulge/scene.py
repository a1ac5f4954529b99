"""What lies where in The Bulge now. Nothing in it is hidden (6.8), so both sides see the same."""

from __future__ import annotations

from bulge.core.decision import Decision
from bulge.core.look import Mark, Piece, Reachable, Scene, Score, Subject, Waiting
from bulge.core.movement import Reach
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.supply import whole_line
from bulge.games.the_bulge.battle import Battle
from bulge.games.the_bulge.facts import ALLIED, DUE, GERMAN, GONE, LAST_TURN, Facts
from bulge.games.the_bulge.movement import Entry, Walk
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.results import Retreat
from bulge.games.the_bulge.situation import Situation
from bulge.games.the_bulge.words import points as points_words


@rule("6.8")
def scene(facts: Facts, p: BulgePosition, points: int, points_to_win: int) -> Scene:
    s = Situation(facts, p)
    name = facts.board.name
    return Scene(
        turn=p.turn,
        step=p.step,
        pieces=tuple(
            Piece(row.id, name(p.where[unit]), p.steps[unit], _flags(s, unit))
            for unit, row in enumerate(facts.rows)
            if p.where[unit] >= 0 and facts.fighting[unit]
        ),
        marks=_marks(facts, p),
        waiting=_waiting(facts, p),
        scores=(Score("German points", points, points_to_win, "4.3"),),
    )


def _flags(s: Situation, unit: int) -> tuple[str, ...]:
    p = s.p
    by_sets = (
        ("moved", p.moved),
        ("attacked", p.attacked),
        ("defended", p.defended),
        ("retreated", p.retreated),
        ("short", p.short),
        ("air_supply", p.airlifted),
    )
    flags = [flag for flag, units in by_sets if units >> unit & 1]
    if p.disrupted == unit:
        flags.append("disrupted")
    if not s.in_supply(unit):
        flags.append("out_of_supply")
    return tuple(flags)


@rule("2.12", "3.2")
def _marks(facts: Facts, p: BulgePosition) -> tuple[Mark, ...]:
    name = facts.board.name
    found = [Mark("air_supply", name(hex_), "supplied from the air", "by air") for hex_ in p.air_hexes]
    for kind, label, unit in (("vdh", "paratroopers", facts.vdh), ("sses", "commandos", facts.sses)):
        if p.where[unit] >= 0:
            found.append(Mark(kind, name(p.where[unit]), facts.rows[unit].name, label))
    return tuple(found)


def _waiting(facts: Facts, p: BulgePosition) -> tuple[Waiting, ...]:
    boxes: dict[str, list[str]] = {
        box: [] for box in (*(f"turn {turn}" for turn in range(1, LAST_TURN + 1)), "lost")
    }
    for unit, row in enumerate(facts.rows):
        if p.where[unit] == DUE:
            boxes[f"turn {row.turn}"].append(row.id)
        elif p.where[unit] == GONE:
            boxes["lost"].append(row.id)
    return tuple(Waiting(box, tuple(units)) for box, units in boxes.items() if units)


def overlays(facts: Facts, s: Situation) -> dict[str, tuple[str, ...]]:
    names, german = facts.board.names_of, s.p.german
    return {
        "zones_german": tuple(names(s.zones[GERMAN])),
        "zones_allied": tuple(names(s.zones[ALLIED])),
        "supply_german": tuple(names(s.lines(GERMAN).spaces)),
        "supply_allied": tuple(names(s.lines(ALLIED).spaces)),
        "interdicted_german": tuple(s.interdicted(GERMAN).names()),
        "interdicted_allied": tuple(s.interdicted(ALLIED).names()),
        "control_german": tuple(names(german)),
        "front": tuple(facts.board.border(german).names()),
    }


# ---------------------------------------------------------------------- questions


def reachable(facts: Facts, decision: Decision) -> Reachable | None:
    """Everywhere that the unit on its way can stop, what it costs, and by which kind of movement."""
    way = decision.about
    if not isinstance(way, Walk):
        return None
    reach, name = way.reach(), facts.board.name
    costs: dict[str, str] = {}
    paths: dict[str, tuple[str, ...]] = {}
    modes: dict[str, str] = {}
    for cost, level in enumerate(reach.levels):
        for hex_ in members(level & ~way.no_end & ~(1 << way.here)):
            costs[name(hex_)] = points_words(cost)
            paths[name(hex_)] = tuple(name(step) for step in reach.path(hex_))
            if _drives_to(reach, hex_, cost):
                modes[name(hex_)] = "mechanized"
    return Reachable(costs, paths, modes)


def _drives_to(reach: Reach, hex_: int, cost: int) -> bool:
    """Whether the cheapest way there is by mechanized movement all along."""
    return reach.before is not None and bool(reach.start.get(cost, 0) >> hex_ & 1)


def subject(facts: Facts, p: BulgePosition, decision: Decision) -> Subject | None:
    """The battle, move or retreat that a question belongs to."""
    about, name, rows = decision.about, facts.board.name, facts.rows
    if isinstance(about, Battle):
        return Subject((name(about.target),), tuple(rows[unit].id for unit in about.attackers))
    if isinstance(about, Walk):
        return Subject((name(about.here),), (rows[about.unit].id,))
    if isinstance(about, Entry):
        return Subject((), (rows[about.unit].id,))
    if isinstance(about, Retreat):
        return Subject((name(about.from_),), (rows[about.unit].id,))
    return None


def supply_line(facts: Facts, p: BulgePosition, unit: int) -> tuple[str, ...]:
    """A line of supply: overland to a road, and along it to a source."""
    if p.where[unit] < 0:
        return ()
    s = Situation(facts, p)
    side = facts.side_of(unit)
    roads = facts.roads - s.interdicted(side)
    line = whole_line(s.lines(side), roads, facts.sources[side], p.where[unit])
    return tuple(facts.board.name(hex_) for hex_ in line)
