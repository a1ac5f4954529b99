"""How Enemy Action looks: what is printed on counters, calendar, cards and charts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bulge.core.game import Game
from bulge.core.look import Chart, Face, Look
from bulge.core.rulebook import rule
from bulge.games.drawn import hex_look, style_of
from bulge.games.enemy_action.calendar import days
from bulge.games.enemy_action.card_faces import SYMBOLS, card_looks
from bulge.games.enemy_action.chits import situation_words
from bulge.games.enemy_action.explaining import LAST_METHODS
from bulge.games.enemy_action.facts import ALLIED, GERMAN, SIDES, Facts
from bulge.games.enemy_action.methods import METHODS
from bulge.games.enemy_action.rows import CardRow, UnitRow
from bulge.games.ground import features, side_words

SIZES = {"regiment": "III", "division": "XX", "independent": "X"}


def look(game: Game[Any], facts: Facts, drawing: Mapping[str, Any] | None) -> Look:
    return hex_look(
        game,
        drawing,
        words=partial(space_words, facts),
        faces=(_face(facts, unit, row) for unit, row in enumerate(facts.rows)),
        charts=charts(facts),
        turns=days(facts),
        cards=card_looks(facts),
    )


@rule("2.1")
def space_words(facts: Facts, name: str) -> str:
    """A hex for somebody who does not see the map."""
    hex_ = facts.board.at(name)
    words = [facts.terrain_of(hex_)]
    if facts.towns >> hex_ & 1:
        kind = "city" if facts.cities >> hex_ & 1 else "town"
        words.append(f"{kind} worth {facts.vp[hex_]} VP" if facts.vp[hex_] else kind)
    if facts.wall >> hex_ & 1:
        words.append("Westwall")
    if hex_ in facts.hold:
        words.append(f"hold value {facts.hold[hex_]}")
    words += [f"{row.arrow} arrow to {row.to} {row.only}".rstrip() for row in facts.arrows.get(hex_, ())]
    words += side_words(facts.map, name)
    words += features(hex_, {f"source of {side} supply": facts.sources[side] for side in SIDES})
    words += features(hex_, {"German exit": facts.exits, "fuel depot": facts.depots})
    return ", ".join(words)


@rule("2.21", "2.2")
def _face(facts: Facts, unit: int, row: UnitRow) -> Face:
    german = facts.is_german(unit)
    nation = "german" if german else "british" if row.corps == "XXX" else "us"
    values = tuple(
        f"[{strength}]" if bracket else str(strength)
        for strength, bracket in zip(facts.strengths[unit], facts.brackets[unit], strict=True)
    )
    return Face(
        id=row.id,
        name=row.name,
        short=row.id.rpartition(".")[0] or row.id,
        side=GERMAN if german else ALLIED,
        style=style_of(nation, mechanized=facts.mechanized[unit]),
        symbol=SYMBOLS[row.type],
        size=SIZES[row.size],
        band=f"{row.army}, {row.corps}" if row.corps != row.army else row.army,
        values=values,
        arrives=row.hex or (f"{row.entry} Dec" if row.entry.isdecimal() else row.entry),
    )


# ---------------------------------------------------------------------- charts


def charts(facts: Facts) -> tuple[Chart, ...]:
    return (
        _terrain(facts),
        _marginal(facts),
        _advance(facts),
        _objectives(facts),
        _methods(),
        _chits(facts),
        _situations(facts),
        _events(facts),
        _cards("allied_cards", "Allied command cards", "2.31", facts, facts.allied.rows),
        _cards("german_cards", "German command cards", "2.32", facts, facts.german.rows),
    )


def _terrain(facts: Facts) -> Chart:
    rows = tuple(
        (row.id, str(row.foot), str(row.mechanized), str(row.frozen), row.combat) for row in facts.terrain
    )
    return Chart("terrain", "Terrain", "10.2", ("Terrain", "On foot", "Mechanized", "Frozen", "In combat"), rows)


def _marginal(facts: Facts) -> Chart:
    rows = tuple(
        (str(die), f"below {row.ratio_below:g}:1" if row.ratio_below else "", row.cancel_if.replace("_", " "))
        for die, row in sorted(facts.marginal.items())
    )
    return Chart("marginal", "Marginal attacks: cancelled if", "9.5", ("Die", "Ratio", "Or"), rows)


def _advance(facts: Facts) -> Chart:
    rows = tuple(
        (row.route, *(str(die) if die else "no" for die in (row.already_0, row.already_1, row.already_2)))
        for row in facts.advance.values()
    )
    return Chart("advance", "German advance: up to this die", "12.83", ("Route", "First", "Second", "Third"), rows)


def _objectives(facts: Facts) -> Chart:
    rows = tuple(
        (
            row.army or row.at,
            f"{row.die_from} to {row.die_to}",
            f"{row.name} ({row.to}) {row.facing}",
            str(row.table),
        )
        for row in facts.objectives
    )
    return Chart("objectives", "German objectives", "9.11", ("From", "Die", "To", "Table"), rows)


def _chits(facts: Facts) -> Chart:
    rows = []
    for front, back in facts.chits:
        cells = []
        for face in (front, back):
            letters = (("A", face.attacker), ("D", face.defender), ("G", face.german), ("U", face.us))
            hits = [f"{letter}{number:+d}" for letter, number in letters if number]
            mark = " P" if face.priority else ""
            cells.append(f"{situation_words(facts, face.situation)}{mark}: {' '.join(hits) or '0'}")
        rows.append((str(front.chit) + (" blue" if front.blue else ""), *cells))
    return Chart("chits", "Combat chits", "12.41", ("Chit", "Front", "Back"), tuple(rows))


def _situations(facts: Facts) -> Chart:
    rows = tuple((row.id.replace("_", " "), row.test) for row in facts.situations)
    return Chart("situations", "What a chit looks at", "12.41", ("Situation", "It holds if"), rows)


@rule("9.2")
def _methods() -> Chart:
    orders = {True: "descending", False: "ascending"}
    rows = [(one.name, one.title, orders[one.descending], f"{one.first_day} Dec") for one in METHODS]
    rows += [(number, title, "ascending", "16 Dec") for number, title, _ in LAST_METHODS]
    columns = ("Method", "What it does", "Order", "From")
    return Chart("methods", "German movement methods", "9.2", columns, tuple(rows))


def _events(facts: Facts) -> Chart:
    rows = tuple((row.title, row.kind.replace("_", " "), row.side or "both", row.words) for row in facts.events)
    return Chart("events", "Events and tactics", "8.11", ("Name", "Kind", "Side", "What it does"), rows)


def _cards(id_: str, title: str, number: str, facts: Facts, rows: list[CardRow]) -> Chart:
    found = []
    for row in rows:
        commands = [one.event or one.do for one in row.commands]
        words = ", ".join(word.replace("_", " ") for word in commands)
        tactics = ", ".join(
            facts.events[name].title if name in facts.events.rows else "any tactic" for name in row.tactics
        )
        when = f"{row.date} Dec" if row.date else "with the OKW reserve"
        found.append(
            (f"{row.number} {row.title}", when, "primary" if row.primary else "", str(row.cv), words, tactics)
        )
    return Chart(id_, title, number, ("Card", "From", "", "Value", "Commands", "Tactics"), tuple(found))
