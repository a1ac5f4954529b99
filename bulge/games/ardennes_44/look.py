"""How Ardennes '44 looks: what is printed on counters, track and charts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from bulge.core.game import Game
from bulge.core.look import Chart, Face, Look, TurnLook, results_chart, rules_chart
from bulge.core.rulebook import Rulebook, rule
from bulge.games.ardennes_44.counters import ALLIED, FOOT, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.mover import BOTTLENECK, BOTTLENECK_TAKEN
from bulge.games.ardennes_44.rows import DieRow, UnitRow
from bulge.games.drawn import hex_look, style_of
from bulge.games.ground import side_words

LAST_TURN = 30
BEGINS = {
    3: "bridges may be blown",
    5: "army boundaries end",
    7: "fuel shortage begins",
    11: "the ground is frozen",
    15: "clear weather",
    23: "clouds return",
}
"""What begins with a turn."""

SYMBOLS = {
    "infantry": "infantry",
    "parachute": "airborne",
    "glider": "airborne",
    "engineer": "engineers",
    "fortress": "infantry",
    "mech_infantry": "mechanized",
    "tank": "armor",
    "tank_nato": "armor",
    "td": "armor",
    "special": "armor",
    "recon": "armored_cavalry",
    "flak": "air_defence",
    "artillery": "artillery",
    "nebelwerfer": "artillery",
    "dump": "none",
}

BANDS = {
    (GERMAN, "red"): "6th Panzer Army",
    (GERMAN, "grey"): "5th Panzer Army",
    (GERMAN, "blue"): "7th Army",
    (ALLIED, "purple"): "VIII Corps",
    (ALLIED, "burgundy"): "V Corps",
    (ALLIED, "orange"): "3rd Army",
    (ALLIED, "beige"): "VII Corps",
    (ALLIED, "blue"): "XVIII Airborne Corps",
    (ALLIED, "red"): "XXX Corps",
}


BOTTLENECK_WORDS = (
    f"St-Vith bottleneck (Germans pay {BOTTLENECK // POINT} points more to enter, "
    f"{BOTTLENECK_TAKEN // POINT} once they hold St-Vith)"
)


def look(game: Game[Any], facts: Facts, drawing: Mapping[str, Any] | None) -> Look:
    return hex_look(
        game,
        drawing,
        words=partial(space_words, facts),
        faces=(_face(row) for row in facts.rows),
        charts=charts(facts, game.rulebook),
        turns=(TurnLook(turn_name(turn), BEGINS.get(turn, "")) for turn in range(1, LAST_TURN + 1)),
    )


def turn_name(turn: int) -> str:
    """The date and half of the day of a turn."""
    return f"{16 + (turn - 1) // 2} {'AM' if turn % 2 else 'PM'}"


@rule("3.4", "24.7")
def space_words(facts: Facts, name: str) -> str:
    """A hex for somebody who does not see the map."""
    hex_ = facts.board.at(name)
    words = [str(facts.map.raw["hexes"][name]["terrain"]).replace("_", " ")]
    for kind, hexes in (
        ("village", facts.ground.village),
        ("town", facts.ground.town),
        ("city", facts.ground.city),
        ("West Wall", facts.ground.west_wall),
        ("victory hex", facts.victory_hexes),
        (BOTTLENECK_WORDS, facts.bottleneck),
    ):
        if hexes >> hex_ & 1:
            words.append(kind)
    words += [f"entry {row.letter}" for row in facts.entries if row.id == name]
    return ", ".join(words + side_words(facts.map, name))


@rule("2.1", "2.2", "2.3", "2.6", "2.10", "2.11")
def _face(row: UnitRow) -> Face:
    full = f"{row.attack}-{row.defence}-{row.movement}"
    weak = f"{row.attack_reduced}-{row.defence_reduced}-{row.movement_reduced}"
    values = ("", weak, full) if row.steps > 1 else ("", full)
    return Face(
        id=row.id,
        name=row.name,
        short=printed_id(row.id),
        side=row.side,
        style=style_of(row.nation, mechanized=row.type not in FOOT),
        symbol=SYMBOLS[row.type],
        size=row.size if row.size in ("I", "II", "III", "X", "XXX") else "",
        band=BANDS.get((row.side, row.colour), ""),
        values=values,
        arrives=row.hex or (f"turn {row.turn}, {row.entry}" if row.turn else ""),
        said=tuple(value and _said(row, value, reduced=value == weak) for value in values),
    )


SHORTER = (
    (re.compile(r"/\d+/?(?=Pz|Rec)"), "/"),
    (re.compile(r"\(-\)"), "-"),
    (re.compile(r"^(BD|Rem)-[A-Z]+-(\w+)-(\d+)$"), r"\1 \2 \3"),
)
"""What need not be printed: the number of a battalion that is the only one of its kind in the division, brackets,
and the nation, which the colour tells."""


def printed_id(id_: str) -> str:
    """An id as short as the top of a counter is."""
    for pattern, shorter in SHORTER:
        id_ = pattern.sub(shorter, id_)
    return id_


@rule("2.1", "2.2")
def _said(row: UnitRow, value: str, *, reduced: bool) -> str:
    """What is printed on a counter, in words."""
    points = row.points_reduced if reduced else row.points
    words = ["attack {}, defence {}, movement {}".format(*value.split("-")), row.morale]
    words += [f"tank quality {row.tq}"] if row.tq else []
    words += [f"range {row.range}"] if row.range else []
    words += [f"stacks as {points}" if points else "stacks free"]
    words += [f"{row.corps.replace('SS', ' SS')} Corps"] if set(row.corps.removesuffix("SS")) & set("IVXL") else []
    return ", ".join(words + (["may not move on turn 1"] if row.red else []))


# ---------------------------------------------------------------------- charts


def charts(facts: Facts, rulebook: Rulebook) -> tuple[Chart, ...]:
    return (
        results_chart("combat", "Combat results", "16.1", facts.combat),
        _dice(facts.dice["fire_fight"], "Fire Fight", "16.2"),
        _dice(facts.dice["determined_defense"], "Determined Defense", "16.7.2"),
        _dice(facts.dice["disengagement"], "Disengagement", "20.2"),
        _dice(facts.dice["demolition"], "Bridge demolition", "7.2"),
        _dice(facts.dice["allied_guns"], "Allied defensive artillery", "22.8"),
        _dice(facts.dice["german_guns"], "German defensive artillery", "22.8"),
        _dice(facts.dice["surrender"], "Surrender", "23.7"),
        _terrain(facts),
        rules_chart("victory", "Victory", "30.0", "What", rulebook, ("30.1.2", "30.2", "30.3", "S2.4", "S3.4")),
    )


def _dice(row: DieRow, title: str, number: str) -> Chart:
    rows = tuple((str(row.low + at), result) for at, result in enumerate(row.results))
    return Chart(row.id, title, number, ("Die", "Result"), rows)


@rule("3.4")
def _terrain(facts: Facts) -> Chart:
    rows = tuple(
        (row.id.replace("_", " "), *(str(cost or "–") for cost in (row.mud, row.frozen, row.foot)), str(row.bonus))
        for row in facts.ground.terrain
    )
    columns = ("Terrain", "Mechanized in mud", "Mechanized in frost", "On foot", "Bonus")
    return Chart("terrain", "Terrain", "3.4", columns, rows)
