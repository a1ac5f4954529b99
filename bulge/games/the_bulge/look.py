"""How The Bulge looks: what is printed on counters, track and charts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bulge.core.data import Row
from bulge.core.game import Game
from bulge.core.look import Chart, Face, Look, TurnLook, results_chart, rules_chart
from bulge.core.rulebook import Rulebook, rule
from bulge.games.drawn import hex_look
from bulge.games.ground import features, side_words
from bulge.games.hexes import look as shelf
from bulge.games.the_bulge.facts import AIR_FROM, LAST_TURN, SIDES, Facts
from bulge.games.the_bulge.rows import UnitRow

EDGES = {"N": "north", "E": "east", "S": "south", "W": "west"}


class FormationRow(Row, frozen=True, kw_only=True):
    army: str


def look(game: Game[Any], facts: Facts, drawing: Mapping[str, Any] | None) -> Look:
    armies = {row.id: row.army for row in facts.data.rows("formations.csv", FormationRow)}
    return hex_look(
        game,
        drawing,
        words=partial(space_words, facts),
        faces=(_face(facts, unit, row, armies.get(row.id, "")) for unit, row in enumerate(facts.rows)),
        charts=charts(facts, game.rulebook),
        turns=(TurnLook(f"{15 + turn} Dec", turn_words(facts, turn)) for turn in range(1, LAST_TURN + 1)),
    )


# ---------------------------------------------------------------------- the map


@rule("2.2")
def space_words(facts: Facts, name: str) -> str:
    """A hex for somebody who does not see the map."""
    hex_ = facts.board.at(name)
    words = [facts.terrain_of(hex_).replace("_", " ")]
    if facts.towns >> hex_ & 1:
        points = facts.town_points[hex_]
        words.append(f"town worth {points} point{'s' if points > 1 else ''}")
    words += features(hex_, {"West Wall": facts.wall})
    words += side_words(facts.map, name)
    words += features(hex_, {f"source of {side} supply": facts.sources[side] for side in SIDES})
    words += features(hex_, {"German exit": facts.exits})
    return ", ".join(words)


# ---------------------------------------------------------------------- counters and the turn track


@rule("2.3", "2.6", "2.7", "2.8")
def _face(facts: Facts, unit: int, row: UnitRow, army: str) -> Face:
    values = [str(factor) for factor in facts.factors[unit]] if facts.fighting[unit] else []
    symbol = "cavalry" if row.special == "cavalry" else ""
    return shelf.face(
        row,
        facts.side_of(unit),
        values=values,
        arrives=arrival_words(row),
        band=army,
        symbol=symbol,
        said=[f"strength {factor}, movement {row.movement}" for factor in values],
    )


def arrival_words(row: UnitRow) -> str:
    if row.hex:
        return row.hex
    return f"turn {row.turn}, {EDGES[row.edge]} edge" if row.edge else f"turn {row.turn}"


@rule("5.1", "12.1")
def turn_words(facts: Facts, turn: int) -> str:
    """What a turn brings: who is due, and from when the Allies fly."""
    words = []
    for side, units in facts.units_of.items():
        due = [row for row in (facts.rows[unit] for unit in units) if row.turn == turn]
        if due:
            names = ", ".join(f"{row.id} ({EDGES[row.edge]})" if row.edge else row.id for row in due)
            words.append(f"{side} reinforcements: {names}")
    if turn == 1:
        words.append("Surprise: see rule 5.4")
    if turn == AIR_FROM:
        words.append("Allied air from now on")
    return "; ".join(words)


# ---------------------------------------------------------------------- charts


def charts(facts: Facts, rulebook: Rulebook) -> tuple[Chart, ...]:
    results = ("13.15", "13.16", "13.17", "13.18", "13.19", "13.20", "13.21")
    return (
        results_chart("combat", "Combat results", "16.0", facts.crt),
        rules_chart("results", "What the results mean", "13.8", "Result", rulebook, results),
        _terrain(facts),
    )


def _terrain(facts: Facts) -> Chart:
    rows = []
    for row in facts.terrain:
        points = f"+{row.points}" if row.id == "river" else str(row.points) if row.points else "–"
        rows.append((row.id.replace("_", " "), points, f"+{row.defence}" if row.defence else "0"))
    return Chart("terrain", "Terrain", "9.5", ("Terrain", "Points to enter", "Defence"), tuple(rows))
