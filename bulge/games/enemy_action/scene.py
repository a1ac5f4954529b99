"""What lies where in Enemy Action now; the Allied hand only for the Allied player."""

from __future__ import annotations

from bulge.core.look import Deck, Hand, Mark, Piece, Scene, Score, Waiting
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.supply import whole_line
from bulge.games.enemy_action.arrows import arrows_from
from bulge.games.enemy_action.facts import (
    ALLIED,
    ARMIES,
    BOX,
    CORPS_WITH_OBJECTIVE,
    DUE,
    EXITED,
    GERMAN,
    GONE,
    Facts,
)
from bulge.games.enemy_action.movement import side_of
from bulge.games.enemy_action.position import EnemyActionPosition, day_of, turn_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.victory import Points, points

MEANING = {
    "towns": "towns and cities",
    "exits": "units that left the map",
    "eliminated": "Allied units lost",
    "relief": "von der Heydte relieved",
    "meuse": "across the Meuse",
    "westwall": "the Westwall lost",
}


@rule("2.23", "17.1")
def scene(facts: Facts, p: EnemyActionPosition, side: str | None) -> Scene:
    name = facts.board.name
    found, scenario = points(facts, p), facts.scenarios[p.scenario]
    return Scene(
        turn=p.turn,
        step=p.step,
        pieces=tuple(
            Piece(row.id, name(p.where[unit]), p.steps[unit], _flags(p, unit))
            for unit, row in enumerate(facts.rows)
            if p.where[unit] >= 0
        ),
        marks=_marks(facts, p),
        waiting=_waiting(facts, p),
        scores=_scores(facts, p, found),
        hands=_hands(facts, p, side),
        decks=_decks(facts, p),
        last_turn=turn_of(scenario.last_day),
        first_turn=turn_of(scenario.first_day),
    )


@rule("5.0", "8.1")
def _hands(facts: Facts, p: EnemyActionPosition, side: str | None) -> tuple[Hand, ...]:
    """The Allied hand, seen by its player alone, and the German cards that lie open."""
    held = tuple(facts.allied[card].id for card in members(p.hand)) if side == ALLIED else ()
    hidden = 0 if side == ALLIED else p.hand.bit_count()
    found = [Hand(ALLIED, held, hidden, "Hand")]
    for name, card in (("Command card", p.command), ("Support card", p.support)):
        if card >= 0:
            found.append(Hand(GERMAN, (facts.german[card].id,), name=name))
    return tuple(found)


@rule("8.0", "5.0")
def _decks(facts: Facts, p: EnemyActionPosition) -> tuple[Deck, ...]:
    allied = tuple(facts.allied[card].id for card in members(p.used))
    german = tuple(facts.german[card].id for card in members(p.discards))
    return (
        Deck("allied", "Allied cards", "us", p.allied_pile.bit_count(), allied),
        Deck("german", "German cards", "german_mechanized", p.pile.bit_count(), german, clock=True),
    )


@rule("2.23")
def _flags(p: EnemyActionPosition, unit: int) -> tuple[str, ...]:
    by_sets = (
        ("active", p.active),
        ("moved", p.moved),
        ("attacked", p.attacked),
        ("defended", p.defended),
        ("retreated", p.fell_back),
        ("disrupted", p.dispersed),
        ("low_supply", p.low),
        ("out_of_supply", p.out),
        ("isolated", p.isolated),
        ("short", p.no_fuel),
    )
    return tuple(flag for flag, units in by_sets if units >> unit & 1)


@rule("2.23", "9.1")
def _marks(facts: Facts, p: EnemyActionPosition) -> tuple[Mark, ...]:
    name = facts.board.name
    kinds = (
        ("improved_position", p.positions, "improved position"),
        ("roadblock", p.roadblocks, "Allied roadblock"),
        ("detachment", p.detachments, "German detachment"),
        ("depot", p.depots, "fuel depot"),
        ("exit", p.exits, "German exit"),
    )
    found = [Mark(kind, name(hex_), words) for kind, hexes, words in kinds for hex_ in members(hexes)]
    for which, army in enumerate(ARMIES):
        if p.objective[which] >= 0:
            found.append(
                Mark("objective", name(p.objective[which]), f"objective of {army}, facing {p.facing[which]}")
            )
    for corps, which in CORPS_WITH_OBJECTIVE.items():
        if p.corps_objective[which] >= 0:
            found.append(Mark("objective", name(p.corps_objective[which]), f"objective of {corps}"))
    return tuple(found)


def _waiting(facts: Facts, p: EnemyActionPosition) -> tuple[Waiting, ...]:
    boxes: dict[str, list[str]] = {}
    for unit, row in enumerate(facts.rows):
        at = p.where[unit]
        if at == DUE and p.entry[unit]:
            boxes.setdefault(f"turn {p.entry[unit] - 15}", []).append(row.id)
        elif at == DUE:
            boxes.setdefault("OKW reserve" if unit in facts.okw else "von der Heydte", []).append(row.id)
        elif at == BOX:
            boxes.setdefault(f"{side_of(facts, unit)} reserves", []).append(row.id)
        elif at == EXITED:
            boxes.setdefault("exited", []).append(row.id)
        elif at == GONE:
            boxes.setdefault("lost", []).append(row.id)
    return tuple(Waiting(box, tuple(units)) for box, units in sorted(boxes.items()))


def _scores(facts: Facts, p: EnemyActionPosition, found: Points) -> tuple[Score, ...]:
    parts = "; ".join(f"{MEANING[key]} {value}" for key, value in found.items() if value) or "none yet"
    row = facts.calendar[day_of(p)]
    return (
        Score("German VP", found.total, row.defeat_vp, "17.1", parts),
        Score("Chits in the cup", p.cup.bit_count(), len(facts.chits), "12.42"),
    )


@rule("2.1")
def overlays(facts: Facts, s: Situation) -> dict[str, tuple[str, ...]]:
    names, p = facts.board.names_of, s.p
    sides = facts.side_words
    intact = facts.bridges & ~p.blown | p.built
    return {
        "zones_german": tuple(names(s.zones[GERMAN])),
        "zones_allied": tuple(names(s.zones[ALLIED])),
        "supply_german": tuple(names(s.lines(GERMAN).spaces)),
        "supply_allied": tuple(names(s.lines(ALLIED).spaces)),
        "towns_german": tuple(names(p.german_towns)),
        "bridges_german": tuple(sides(side) for side in members(intact & p.german_bridges)),
        "bridges_blown": tuple(sides(side) for side in members(p.blown)),
        "arrows": tuple(_arrow_sides(facts, s)),
    }


def _arrow_sides(facts: Facts, s: Situation) -> list[str]:
    """The hexsides that an arrow of the active army, or of any German unit on the map, points across."""
    unit = next(iter(members(s.p.active)), facts.peiper)
    number, name = facts.board.side_number, facts.board.side_name
    return sorted({name(number(hex_, to)) for hex_ in facts.arrows for to in arrows_from(s, unit, hex_)})


@rule("13.1")
def supply_line(facts: Facts, p: EnemyActionPosition, unit: int) -> tuple[str, ...]:
    """A line of supply: overland to a road, and along it to a source."""
    if p.where[unit] < 0:
        return ()
    s, hex_ = Situation(facts, p), p.where[unit]
    lines = s.lines(side_of(facts, unit))
    if not lines.overland_reaches(hex_):
        return ()
    line = whole_line(lines, lines.roads, lines.heads & facts.edge, hex_)
    return tuple(facts.board.name(at) for at in line)
