"""How The Bulge looks: what is printed on counters, track and charts, and what lies where now.

Nothing in it is hidden (6.8), so both sides see the same.
"""

from __future__ import annotations

from bulge.core.hexes import Sides
from bulge.core.look import Chart, Face, Mark, results_chart, rules_chart
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.ground import features, side_words
from bulge.games.hexes import look, scene
from bulge.games.hexes.game import HexGame
from bulge.games.hexes.roster import GONE
from bulge.games.the_bulge.facts import AIR_FROM, EDGES, GERMAN, SIDES, Facts
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

RESULTS = ("13.15", "13.16", "13.17", "13.18", "13.19", "13.20", "13.21")


class BulgeLook(HexGame[Facts, BulgePosition, Situation]):
    """The Bulge as it is shown."""

    # ------------------------------------------------------------------ the map

    @rule("2.2")
    def hex_words(self, name: str) -> str:
        facts, hex_ = self.facts, self.board.at(name)
        words = [facts.terrain_of(hex_).replace("_", " ")]
        if facts.towns >> hex_ & 1:
            points = facts.town_points[hex_]
            words.append(f"town worth {points} point{'s' if points > 1 else ''}")
        words += features(hex_, {"West Wall": facts.wall})
        words += side_words(facts.map, name)
        words += features(hex_, {f"source of {side} supply": facts.sources[side] for side in SIDES})
        words += features(hex_, {"German exit": facts.exits})
        return ", ".join(words)

    # ------------------------------------------------------------------ counters and the turn track

    @rule("2.3", "2.6", "2.7", "2.8")
    def face(self, unit: int) -> Face:
        facts, row = self.facts, self.facts.rows[unit]
        values = [str(factor) for factor in facts.factors[unit]] if facts.fighting[unit] else []
        return look.face(
            row,
            facts.side_of(unit),
            values=values,
            arrives=row.hex or f"turn {row.turn}" + (f", {EDGES[row.edge]} edge" if row.edge else ""),
            band=row.army,
            symbol="cavalry" if row.special == "cavalry" else "",
            said=[f"strength {factor}, movement {row.movement}" for factor in values],
        )

    def date(self, turn: int) -> str:
        return f"{15 + turn} Dec"

    @rule("12.1")
    def turn_words(self, turn: int) -> str:
        return {1: "Surprise: see rule 5.4", AIR_FROM: "Allied air from now on"}.get(turn, "")

    # ------------------------------------------------------------------ charts

    def charts(self) -> tuple[Chart, ...]:
        rows = []
        for row in self.facts.terrain:
            points = f"+{row.points}" if row.id == "river" else str(row.points) if row.points else "–"
            rows.append((row.id.replace("_", " "), points, f"+{row.defence}" if row.defence else "0"))
        return (
            results_chart("combat", "Combat results", "16.0", self.facts.crt),
            rules_chart("results", "What the results mean", "13.8", "Result", self.rulebook, RESULTS),
            Chart("terrain", "Terrain", "9.5", ("Terrain", "Points to enter", "Defence"), tuple(rows)),
        )

    # ------------------------------------------------------------------ what lies where

    def unit_words(self, p: BulgePosition, unit: int) -> str:
        facts, row, at = self.facts, self.facts.rows[unit], p.where[unit]
        if at < 0:
            return f"{row.name}, lost" if at == GONE else f"{row.name}, due on turn {row.turn}"
        reduced = ", reduced" if p.steps[unit] < row.steps else ""
        strength = f", strength {facts.factors[unit][p.steps[unit]]}{reduced}," if facts.fighting[unit] else ""
        return f"{row.name}{strength} in {facts.map.words(at)}"

    def steps_left(self, p: BulgePosition, unit: int) -> int:
        return p.steps[unit]

    def arrives(self, p: BulgePosition, unit: int) -> int:
        return self.facts.rows[unit].turn

    @rule("6.8")
    def flags(self, s: Situation) -> dict[str, int]:
        p, fighting = s.p, self.facts.fighting
        unfed = [unit for unit, at in enumerate(p.where) if at >= 0 and fighting[unit] and not s.in_supply(unit)]
        return {
            **p.deeds(),
            "short": p.short,
            "air_supply": p.airlifted,
            "disrupted": union([p.disrupted]),
            "out_of_supply": union(unfed),
        }

    @rule("2.12", "3.2")
    def marks(self, s: Situation) -> tuple[Mark, ...]:
        facts, where, name = self.facts, s.p.where, self.board.name
        found = [Mark("air_supply", name(hex_), "supplied from the air", "by air") for hex_ in s.p.air_hexes]
        for kind, label, unit in (("vdh", "paratroopers", facts.vdh), ("sses", "commandos", facts.sses)):
            if where[unit] >= 0:
                found.append(Mark(kind, name(where[unit]), facts.rows[unit].name, label))
        return tuple(found)

    def layers(self, s: Situation) -> dict[str, tuple[str, ...]]:
        board, german = self.facts.board, s.p.german
        return {**scene.by_side(board, "control", {GERMAN: german}), "front": scene.front(board, german)}

    def supply_roads(self, s: Situation, side: str) -> tuple[Sides, int]:
        return self.facts.roads - s.interdicted(side), self.facts.sources[side]

    def needs_no_line(self, p: BulgePosition, unit: int) -> bool:
        return self.situation(p).in_supply(unit)
