"""How The Ardennes Offensive looks: what is printed on counters, track and charts, and what lies where now.

Nothing in it is hidden, so both sides see the same.
"""

from __future__ import annotations

from bulge.core.hexes import Sides
from bulge.core.look import Chart, Face, Mark, Score, results_chart, rules_chart
from bulge.core.rulebook import Rulebook, rule
from bulge.core.spaces import union
from bulge.games.ardennes_offensive.at_hand import unit_words
from bulge.games.ardennes_offensive.battle import INITIAL, STANDARD
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, SECTION_WORDS, SIDES, Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.rows import TerrainRow, UnitRow
from bulge.games.ardennes_offensive.situation import Situation, judged
from bulge.games.ardennes_offensive.victory import POINTS_TO_WIN, exits_held, lost, points
from bulge.games.ground import features, side_words
from bulge.games.hexes.game import HexGame
from bulge.games.hexes.look import face

CAVALRY = "armored_cavalry"
"""The symbol of cavalry; all other types have that of their name."""
BEGINS = {
    1: "First turn: see rule 4.2",
    6: "From now on a German die for the table each turn; 35 German points win at its end",
}
"""What begins with a turn."""


class ArdennesLook(HexGame[Facts, ArdennesPosition, Situation]):
    """The Ardennes Offensive as it is shown."""

    # ------------------------------------------------------------------ what is printed

    @rule("3.1", "E3.1-7")
    def hex_words(self, name: str) -> str:
        facts, hex_ = self.facts, self.board.at(name)
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

    @rule("3.3", "3.31", "3.32", "3.33")
    def face(self, unit: int) -> Face:
        row = self.facts.rows[unit]
        return face(
            row,
            self.facts.side_of(unit),
            values=("", f"{row.strength}-{row.movement}"),
            arrives=arrival_words(row),
            band=row.army,
            short=row.short,
            symbol=CAVALRY if row.type == "cavalry" else "",
            said=("", f"strength {row.strength}, movement {row.movement}"),
        )

    def date(self, turn: int) -> str:
        return f"{15 + turn} Dec" if turn <= 16 else f"{turn - 16} Jan"

    @rule("3.2")
    def turn_words(self, turn: int) -> str:
        return BEGINS.get(turn, "")

    def charts(self) -> tuple[Chart, ...]:
        return (
            results_chart(INITIAL, "German Initial table", "10.3", self.facts.initial),
            results_chart(STANDARD, "Standard table", "10.0", self.facts.standard),
            _results_in_words(),
            _terrain(self.facts),
            _road_mode(),
            _supply(),
            _exits(self.facts),
            _victory(self.rulebook),
        )

    # ------------------------------------------------------------------ what lies where

    def unit_words(self, p: ArdennesPosition, unit: int) -> str:
        return unit_words(self.facts, p, unit)

    def arrives(self, p: ArdennesPosition, unit: int) -> int:
        return self.facts.arrivals[p.scenario][unit].turn + p.late.get(unit, 0)

    def flags(self, s: Situation) -> dict[str, int]:
        facts, p = self.facts, s.p
        beside = union([unit for unit, at in enumerate(p.where) if at in facts.entry_of])
        return {
            "road_mode": p.road,
            "must_leave_road": p.fought_on_road,
            **p.deeds(),
            "dormant": p.dormant & ~p.awake,
            **_short_of_supply(facts, s),
            "waiting": beside & ~p.dormant,
        }

    @rule("16.0B", "16.0D")
    def marks(self, s: Situation) -> tuple[Mark, ...]:
        """What each road exit is worth, as printed in its hex, and whether it counts now."""
        held = exits_held(self.facts, s)
        marks = []
        for row in self.facts.exits:
            hex_ = self.board.at(row.id)
            words = f"Road exit to {row.leads_to}, {row.points} points"
            if row.section in ("SE", "SW"):
                words += " while a supplied German unit is in Bastogne"
            now = "It counts now" if hex_ in held else "It does not count now"
            marks.append(Mark(f"exit {row.points}", row.id, f"{words}. {now}."))
        return tuple(marks)

    def scores(self, s: Situation) -> tuple[Score, ...]:
        tally, exits = points(self.facts, s), exits_held(self.facts, s)
        german = (
            f"units {lost(self.facts, s.p, ALLIED)}, exits {sum(self.facts.exit_points[hex_] for hex_ in exits)}"
        )
        return (
            Score("German points", tally[GERMAN], POINTS_TO_WIN, "16.0", german),
            Score("Allied points", tally[ALLIED], 0, "16.0A"),
        )

    def layers(self, s: Situation) -> dict[str, tuple[str, ...]]:
        held = tuple(self.board.name(hex_) for hex_ in exits_held(self.facts, s))
        return {"start_line": tuple(self.facts.start_line.names()), "exits": held}

    def supply_roads(self, s: Situation, side: str) -> tuple[Sides, int]:
        cut = s.interdicted(side)
        return self.facts.roads - cut, self.facts.sources_over(side, cut)

    def supply_line(self, p: ArdennesPosition, unit: int) -> tuple[str, ...]:
        """For units in play alone."""
        return super().supply_line(p, unit) if self.facts.on_map[p.where[unit]] else ()


@rule("3.34", "12.0")
def _short_of_supply(facts: Facts, s: Situation) -> dict[str, int]:
    """Units without supply: as judged in a side's own turn, as things stand at other times."""
    p = s.p
    found = {"unsupplied": p.unsupplied & ~p.isolated, "isolated": p.isolated}
    for side in SIDES:
        if side == judged(p):
            continue
        supplied, isolated = s.supplied_hexes(side), s.isolated_hexes(side)
        for unit in facts.units_of[side]:
            if facts.on_map[hex_ := p.where[unit]] and not supplied >> hex_ & 1:
                found["isolated" if isolated >> hex_ & 1 else "unsupplied"] |= 1 << unit
    return found


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


# ---------------------------------------------------------------------- charts


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
