"""How Bastogne looks: what is printed on counters, displays and charts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bulge.core.learning import load_learning
from bulge.core.legend import load_legend
from bulge.core.look import Chart, Face, Look, SpaceLook, TurnLook
from bulge.core.rulebook import Rulebook, rule
from bulge.games.bastogne.facts import (
    BOXES,
    CLEAR_FROM,
    GERMAN,
    LAST_TURN,
    LEADER_MOVES,
    PATTON_ATTACKS_FROM,
    US,
    Facts,
)
from bulge.games.drawn import centres, drawing_of, style_of
from bulge.games.signs import FLAGS, styles_of

SYMBOLS = {
    "airborne_infantry": "airborne",
    "antiaircraft": "air_defence",
    "antitank": "infantry",
    "armor": "armor",
    "armored_infantry": "mechanized",
    "armored_recon": "armored_cavalry",
    "artillery": "artillery",
    "assault_gun": "armor",
    "engineer": "engineers",
    "glider_infantry": "airborne",
    "hq": "headquarters",
    "infantry": "infantry",
    "leader": "none",
    "panzer": "armor",
    "panzergrenadier": "mechanized",
    "sp_antitank": "armor",
    "sp_artillery": "artillery",
}

US_FORMATIONS = {
    "101": "101st Airborne",
    "CCB": "CCB, 10th Armored",
    "CCR": "CCR, 9th Armored",
    "event": "by event",
}

BOX_PLACES = ((0.72, 0.06), (0.83, 0.06), (0.94, 0.06), (0.72, 0.55), (0.83, 0.55), (0.94, 0.55))
"""Where the mission boxes lie, as parts of the drawing's width and height: in its empty corners."""

BOX_SIZE = (262.0, 300.0)

BOX_WORDS = (
    "airstrikes received and not yet assigned",
    "airstrikes that interdict in the Barrage Phase",
    "airstrikes for tactical missions",
    "impact markers without a mission",
    "impact markers for counterbattery",
    "impact markers for close support",
)


def look(facts: Facts, rulebook: Rulebook, title: str, drawing: Mapping[str, Any] | None) -> Look:
    drawn = drawing or drawing_of(facts.map.raw)
    faces = tuple(face(facts, unit) for unit in range(facts.counters))
    legend, learning = load_legend(facts.data.folder), load_learning(facts.data.folder)
    return Look(
        game=rulebook.game,
        title=title,
        sides=legend.sides,
        spaces=_spaces(facts, drawn),
        hex_width=0,
        pointy=False,
        width=float(drawn["width"]),
        height=float(drawn["height"]),
        faces=faces,
        charts=charts(facts),
        turns=tuple(TurnLook(f"{18 + turn} Dec", _turn_words(turn)) for turn in range(1, LAST_TURN + 1)),
        phases=legend.phases,
        lessons=learning.lessons,
        briefing=learning.briefing,
        overlays=legend.overlays,
        styles=styles_of(faces),
        flags=FLAGS,
    )


def _turn_words(turn: int) -> str:
    if turn == PATTON_ATTACKS_FROM:
        return "Third Army attacks from now on"
    return "The skies may clear from now on" if turn == CLEAR_FROM else ""


# ---------------------------------------------------------------------- the map and the displays


@rule("2.3", "2.4", "2.5", "5.1")
def _spaces(facts: Facts, drawn: Mapping[str, Any]) -> tuple[SpaceLook, ...]:
    width, height = float(drawn["width"]), float(drawn["height"])
    boxes = {box: (x * width, y * height) for box, (x, y) in zip(BOXES, BOX_PLACES, strict=True)}
    where = centres(drawn) | boxes
    return tuple(
        SpaceLook(
            name,
            *where[name],
            facts.names[facts.board.at(name)],
            space_words(facts, name),
            _kind(facts, name),
            *drawn.get("sizes", {}).get(name, BOX_SIZE),
        )
        for name in facts.board.names_of(facts.board.all)
    )


def _kind(facts: Facts, name: str) -> str:
    if name in BOXES:
        return "box"
    return "staging" if facts.staging_areas >> facts.board.at(name) & 1 else "space"


def space_words(facts: Facts, name: str) -> str:
    """A space for somebody who does not see the map."""
    if name in BOXES:
        return BOX_WORDS[BOXES.index(name)]
    space = facts.board.at(name)
    words = [facts.map.raw["spaces"][name]["terrain"]]
    if space in facts.track_of:
        words.append(f"{facts.map.raw['spaces'][name]['track']} Track")
    words += [f"lateral road to {facts.at(other)}" for other in facts.laterals.get(space, [])]
    return ", ".join(words)


# ---------------------------------------------------------------------- counters


PACES = (
    "strength {}, moves as far as the weather allows",
    "strength {}, moves one space more than the weather allows",
    f"{{}} to the tactical edge, moves {LEADER_MOVES} spaces",
)
"""What a US counter says, by its pace (15.2)."""


@rule("2.61", "2.62", "2.63", "2.64", "2.7")
def face(facts: Facts, unit: int) -> Face:
    id_, name = facts.id_of(unit), facts.name_of(unit)
    if unit in facts.german_units:
        row = facts.german_rows[unit - facts.german_units.start]
        style = style_of("german", mechanized=row.mechanized)
        band = facts.formations[facts.formation_named[row.formation]].name
        values = ("0", "-", f"({row.front})") if row.artillery else tuple(map(str, facts.factors[unit]))
        tells = "fires with strength {}" if row.artillery else "strength {}, moves as far as German morale allows"
        said = tuple(tells.format(value.strip("()")) for value in values)
        return Face(
            id_, name, id_, GERMAN, style, SYMBOLS[row.type], row.size, band=band, values=values, said=said
        )
    if unit in facts.impacts:
        impact = facts.us_rows[facts.gun_of[unit]].impact
        return Face(id_, name, id_, US, "us", "artillery", band="impact marker", values=("0", str(impact)))
    if unit in facts.airstrikes:
        return Face(id_, name, id_, US, "us", "none", band="airstrike", values=("0", "1"))
    us = facts.us_rows[unit]
    values = ("0", f"+{us.edge}") if unit in facts.leaders else tuple(map(str, facts.factors[unit]))
    size, task_force = ("II", True) if us.size == "TF" else (us.size, False)
    band = US_FORMATIONS[us.formation]
    said = tuple(PACES[facts.pace[unit]].format(value) for value in values)
    return Face(id_, name, id_, US, "us", SYMBOLS[us.type], size, task_force, band, values, us.start, said)


# ---------------------------------------------------------------------- charts


def charts(facts: Facts) -> tuple[Chart, ...]:
    return (
        _weather(facts),
        *(_dice_chart(facts, *chart) for chart in DICE_CHARTS),
        _events(facts),
        _modifiers(facts),
    )


DICE_CHARTS = (
    (
        "weather_die",
        "Weather",
        "4.2",
        ("weather_fog", "weather_clear"),
        ("19 to 22 December", "23 to 26 December"),
    ),
    ("fire", "Tactical fire", "16.6", ("fire_open", "fire_defensive"), ("Open", "Defensive")),
    (
        "german_artillery",
        "German artillery",
        "12.3.1",
        ("german_artillery", "german_artillery_second"),
        ("First die", "Second die"),
    ),
    ("interdiction", "Interdiction and counterbattery", "13.2", ("interdiction",), ("Result",)),
    ("reinforcement", "German reinforcements", "10.1", ("reinforcement",), ("Result",)),
    ("formation", "Formation and placement", "10.3", ("formation", "placement"), ("Formation", "Track")),
    ("patton", "Third Army", "4.2", ("patton_turning", "patton_attacking"), ("Turns 1 to 3", "Turns 4 to 8")),
)


def _dice_chart(
    facts: Facts, id_: str, title: str, rule_: str, tables: tuple[str, ...], headings: tuple[str, ...]
) -> Chart:
    first = min(facts.dice[table].first for table in tables)
    last = max(facts.dice[table].first + len(facts.dice[table].faces) - 1 for table in tables)
    rows = tuple(
        (str(die), *(facts.dice[table].result(die).replace("_", " ") for table in tables))
        for die in range(min(1, first), max(6, last) + 1)
    )
    return Chart(id_, title, rule_, ("Die", *headings), rows)


def _weather(facts: Facts) -> Chart:
    rows = tuple(
        (
            row.name,
            f"{row.supply_dice} dice",
            f"{row.airstrike_dice} dice" if row.airstrike_dice else "none",
            str(row.movement),
            str(row.range) if row.range else "none",
            "half" if row.halved else "full",
        )
        for row in facts.weather.values()
    )
    columns = ("Weather", "Supply", "Airstrikes", "US movement", "Range", "Artillery")
    return Chart("weather", "What the weather sets", "27.0", columns, rows)


@rule("29.0")
def _events(facts: Facts) -> Chart:
    rows = tuple((row.name, str(row.chits), row.disposition.replace("_", " ")) for row in facts.events)
    return Chart("events", "Fortunes of War", "29.0", ("Event", "Chits", "Afterwards"), rows)


def _modifiers(facts: Facts) -> Chart:
    numbers = facts.numbers
    rows = tuple((words, f"{numbers[id_]:+d}") for id_, words in MODIFIERS.items())
    rows += tuple((words, str(numbers[id_])) for id_, words in NUMBERS.items())
    return Chart("modifiers", "Modifiers and numbers", "4.2", ("What", "Number"), rows)


MODIFIERS = {
    "reinforcement_high": "German reinforcements: high morale",
    "reinforcement_medium": "German reinforcements: medium morale",
    "reinforcement_low": "German reinforcements: low morale",
    "reinforcement_late": "German reinforcements: turns 6 to 8",
    "patton_good": "Third Army: good weather",
    "patton_socked_in": "Third Army: socked in",
    "patton_south_lost": "Third Army: the Germans hold the whole South Track",
}
NUMBERS = {
    "patton_relief": "Third Army: number of the Relief box",
    "luftwaffe_factor": "Luftwaffe bombers: dice",
}
