"""What lies where in The Bulge now. Nothing in it is hidden (6.8), so both sides see the same."""

from __future__ import annotations

from bulge.core.look import Mark, Piece, Scene, Score
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.hexes import scene as shelf
from bulge.games.the_bulge.facts import GERMAN, LAST_TURN, SIDES, Facts
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation


@rule("6.8")
def scene(facts: Facts, p: BulgePosition, points: int, points_to_win: int) -> Scene:
    s, name = Situation(facts, p), facts.board.name
    unfed = union([u for u, at in enumerate(p.where) if at >= 0 and facts.fighting[u] and not s.in_supply(u)])
    flags = shelf.flags(
        {
            "moved": p.moved,
            "attacked": p.attacked,
            "defended": p.defended,
            "retreated": p.retreated,
            "short": p.short,
            "air_supply": p.airlifted,
            "disrupted": 1 << p.disrupted if p.disrupted >= 0 else 0,
            "out_of_supply": unfed,
        }
    )
    return Scene(
        turn=p.turn,
        step=p.step,
        pieces=tuple(
            Piece(row.id, name(p.where[unit]), p.steps[unit], flags.get(unit, ()))
            for unit, row in enumerate(facts.rows)
            if p.where[unit] >= 0 and facts.fighting[unit]
        ),
        marks=_marks(facts, p),
        waiting=shelf.waiting(facts.roster, p.where, LAST_TURN, lambda unit: facts.rows[unit].turn),
        scores=(Score("German points", points, points_to_win, "4.3"),),
    )


def overlays(facts: Facts, s: Situation) -> dict[str, tuple[str, ...]]:
    board, german = facts.board, s.p.german
    return {
        **shelf.by_side(board, "zones", s.zones),
        **shelf.by_side(board, "supply", {side: s.lines(side).spaces for side in SIDES}),
        **shelf.by_side(board, "interdicted", {side: s.interdicted(side) for side in SIDES}),
        **shelf.by_side(board, "control", {GERMAN: german}),
        "front": shelf.front(board, german),
    }


@rule("2.12", "3.2")
def _marks(facts: Facts, p: BulgePosition) -> tuple[Mark, ...]:
    name = facts.board.name
    found = [Mark("air_supply", name(hex_), "supplied from the air", "by air") for hex_ in p.air_hexes]
    for kind, label, unit in (("vdh", "paratroopers", facts.vdh), ("sses", "commandos", facts.sses)):
        if p.where[unit] >= 0:
            found.append(Mark(kind, name(p.where[unit]), facts.rows[unit].name, label))
    return tuple(found)


def supply_line(facts: Facts, p: BulgePosition, unit: int) -> tuple[str, ...]:
    """A line of supply: overland to a road, and along it to a source."""
    s, side = Situation(facts, p), facts.side_of(unit)
    roads = facts.roads - s.interdicted(side)
    return shelf.supply_line(facts.board, s.lines(side), roads, facts.sources[side], p.where[unit])
