"""How The Ardennes Offensive looks: what is printed on counters, track and charts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bulge.core.game import Game
from bulge.core.look import Chart, Face, Look, TurnLook, results_chart, rules_chart
from bulge.core.rulebook import Rulebook, rule
from bulge.games.ardennes_offensive.battle import INITIAL, STANDARD
from bulge.games.ardennes_offensive.facts import (
    ALLIED,
    GERMAN,
    LAST_TURN,
    SECTION_WORDS,
    Facts,
)
from bulge.games.ardennes_offensive.rows import TerrainRow, UnitRow
from bulge.games.drawn import hex_look
from bulge.games.ground import features, side_words
from bulge.games.hexes.look import face

CAVALRY = "armored_cavalry"
"""The symbol of cavalry; all other types have that of their name."""


def look(game: Game[Any], facts: Facts, drawing: Mapping[str, Any] | None) -> Look:
    return hex_look(
        game,
        drawing,
        words=partial(space_words, facts),
        faces=(_face(facts, unit, row) for unit, row in enumerate(facts.rows)),
        charts=charts(facts, game.rulebook),
        turns=(TurnLook(date_of(turn), turn_words(facts, turn)) for turn in range(1, LAST_TURN + 1)),
    )


# ---------------------------------------------------------------------- the map


@rule("3.1", "E3.1-7")
def space_words(facts: Facts, name: str) -> str:
    """A hex for somebody who does not see the map."""
    hex_ = facts.board.at(name)
    words = [str(facts.map.raw["hexes"][name]["terrain"])]
    if facts.edge >> hex_ & 1:
        words.append("Allied map edge")
    elif not facts.live >> hex_ & 1:
        words.append("closed to everybody")
    walls = {"West Wall": facts.wall, "cleared West Wall": facts.cleared_wall}
    words += features(hex_, {"town": facts.towns, **walls})
    if hex_ in facts.exit_points:
        points = facts.exit_points[hex_]
        words.append(f"road exit, {points} point{'s' if points > 1 else ''}")
    return ", ".join(words + side_words(facts.map, name))


# ---------------------------------------------------------------------- counters and the turn track


@rule("3.3", "3.31", "3.32", "3.33")
def _face(facts: Facts, unit: int, row: UnitRow) -> Face:
    values = "", f"{row.strength}-{row.movement}"
    side, symbol = facts.side_of(unit), CAVALRY if row.type == "cavalry" else ""
    return face(
        row,
        side,
        values=values,
        arrives=arrival_words(row),
        band=row.army,
        short=row.short,
        symbol=symbol,
        said=("", f"strength {row.strength}, movement {row.movement}"),
    )


def arrival_words(row: UnitRow) -> str:
    """The set-up hex, or turn and section by either schedule."""
    if row.hex:
        return row.hex
    varied = "accelerated" if row.nation == "german" else "slowed"
    history = f"turn {row.turn}, {SECTION_WORDS[row.section]}" if row.turn else "not in history"
    if (row.turn, row.section) == (row.varied_turn, row.varied_section):
        return history
    other = f"turn {row.varied_turn}, {SECTION_WORDS[row.varied_section]}" if row.varied_turn else "never"
    return f"{history} ({varied}: {other})"


def date_of(turn: int) -> str:
    return f"{15 + turn} Dec" if turn <= 16 else f"{turn - 16} Jan"


@rule("2.1", "3.2", "14.0")
def turn_words(facts: Facts, turn: int) -> str:
    """What a turn brings by either schedule of either side, and what begins with it."""
    words = []
    for side, varied in ((GERMAN, "accelerated"), (ALLIED, "slowed")):
        rows = [facts.rows[unit] for unit in facts.units_of[side]]
        history = _due([(row.id, row.section) for row in rows if row.turn == turn])
        other = _due([(row.id, row.varied_section) for row in rows if row.varied_turn == turn])
        if history or other:
            also = "" if other == history else f" ({varied}: {other or 'nobody'})"
            words.append(f"{side} reinforcements: {history or 'nobody'}{also}")
    if turn == 1:
        words.append("First turn: see rule 4.2")
    if turn == 6:
        words.append("From now on a German die for the table each turn; 35 German points win at its end")
    return "; ".join(words)


def _due(arrivals: list[tuple[str, str]]) -> str:
    """Units by the section where they come in."""
    sections = dict.fromkeys(section for _, section in arrivals)
    return ", ".join(
        f"{', '.join(id_ for id_, where in arrivals if where == section)} ({SECTION_WORDS[section]})"
        for section in sections
    )


# ---------------------------------------------------------------------- charts


def charts(facts: Facts, rulebook: Rulebook) -> tuple[Chart, ...]:
    return (
        results_chart(INITIAL, "German Initial table", "10.3", facts.initial),
        results_chart(STANDARD, "Standard table", "10.0", facts.standard),
        _results_in_words(),
        _terrain(facts),
        _road_mode(),
        _supply(),
        _exits(facts),
        _victory(rulebook),
    )


def _results_in_words() -> Chart:
    rows = (
        ("Ar1, Ar2, Ar3", "attackers retreat so many hexes, led by the defender", "10.2"),
        ("Dr1, Dr2, Dr3", "defenders retreat so many hexes, led by the attacker", "10.2"),
        ("Ex", "defenders lost; attackers lose at least their printed strength", "10.1"),
        ("De", "defenders lost", "10.1"),
        ("Ar or Dr in a town or West Wall", "no effect, if its owner said so before the die", "E11.0"),
    )
    return Chart("results", "What the results mean", "10.1", ("Result", "In short", "Rule"), rows)


@rule("11.0")
def _terrain(facts: Facts) -> Chart:
    rows = [(row.id.replace("_", " "), *_costs(row), _in_combat(row)) for row in facts.terrain]
    rows.append(("impassable", "closed", "closed", "–"))
    rows.append(("Allied map edge", "closed", "closed", "Allied units retreat onto it as a last way out"))
    return Chart("terrain", "Terrain", "11.0", ("Terrain", "Mechanized", "On foot", "In combat"), tuple(rows))


def _costs(row: TerrainRow) -> tuple[str, str]:
    if row.allied:
        return (f"+{row.allied} for Allies",) * 2
    extra = "+" if row.id in ("ford", "river") else ""
    return (f"{extra}{row.mechanized}", f"{extra}{row.foot}") if row.mechanized else ("–", "–")


def _in_combat(row: TerrainRow) -> str:
    words = []
    if row.german_defence > 1:
        words.append(f"Germans defend x{row.german_defence}")
    if row.german_attack > 1:
        words.append(f"attack x{row.german_attack}")
    if row.stands:
        words.append("Ar and Dr may be ignored" + (" by Germans" if row.stands == "german" else ""))
    return ", ".join(words) or "–"


def _road_mode() -> Chart:
    rows = (
        ("To enter or leave, on a road", "6 points", "3 points", "6.3C"),
        ("Speed, German", "2 hexes a point", "2 hexes a point", "6.5H"),
        ("Speed, Allied", "2 hexes a point", "10 hexes a point", "6.5H"),
        ("Strength", "half, rounded up", "half, rounded up", "6.6K"),
        ("To stack or unstack (any mode)", "6 points", "2 points", "8.1A"),
    )
    return Chart("road_mode", "Road mode", "6.0", ("", "Mechanized", "On foot", "Rule"), rows)


def _supply() -> Chart:
    rows = (
        ("Attack", "full", "half", "none"),
        ("Defence", "full", "full", "half"),
        ("Movement", "full", "half, rounded down", "half, rounded down"),
    )
    return Chart("supply", "Supply effects", "12.6", ("", "Supplied", "Unsupplied", "Isolated"), rows)


def _exits(facts: Facts) -> Chart:
    rows = tuple((row.id, row.section, row.leads_to, str(row.points)) for row in facts.exits)
    return Chart("exits", "Road exits", "16.0B", ("Hex", "Section", "Leads to", "Points"), rows)


def _victory(rulebook: Rulebook) -> Chart:
    numbers = ("16.0A", "16.0C", "16.0D", "16.0G", "16.1", "16.2", "16.3")
    return rules_chart("victory", "Points and victory", "16.0", "What", rulebook, numbers)
