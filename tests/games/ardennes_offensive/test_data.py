"""The counters, set-up, schedules, exits and tables of The Ardennes Offensive, against book and map."""

from __future__ import annotations

import csv
import tomllib
from collections import Counter
from fractions import Fraction
from importlib.resources import files

import pytest

from bulge.core.data import SOURCES
from bulge.core.mapfile import load_map

GAME = "ardennes_offensive"
FOLDER = files("bulge.games") / GAME
MAP = load_map(GAME, FOLDER)
BOARD = MAP.board
HEXES, SIDES, EDGES, AREAS = (MAP.raw[key] for key in ("hexes", "sides", "edges", "areas"))

Row = dict[str, str]


def rows_of(file: str) -> list[Row]:
    return list(csv.DictReader((FOLDER / file).read_text("utf-8").splitlines()))


UNITS = rows_of("units.csv")
START = [unit for unit in UNITS if unit["hex"]]
TABLES = ("units.csv", "exits.csv", "terrain.csv", "initial.csv", "standard.csv")


def is_german(unit: Row) -> bool:
    return unit["nation"] == "german"


def value(unit: Row) -> str:
    return f"{unit['strength']}-{unit['movement']}"


def neighbours(hex_: str) -> set[str]:
    return set(BOARD.names_of(BOARD.next_to(BOARD.at(hex_))))


def touches_the_line(hex_: str) -> bool:
    return any(SIDES.get("/".join(sorted((hex_, near))), {}).get("front") for near in neighbours(hex_))


# ---------------------------------------------------------------------- sources


@pytest.mark.parametrize("file", TABLES)
def test_every_row_says_where_it_comes_from(file: str) -> None:
    assert all(row["source"].startswith(SOURCES) for row in rows_of(file))
    ids = Counter(row["id"] for row in rows_of(file))
    assert set(ids.values()) == {1}


def test_nothing_reconstructed_is_called_printed() -> None:
    """No set-up hex and no exit's worth can be read in the book, so no row may claim it."""
    assert all(unit["source"].startswith("reconstructed") for unit in START)
    assert all(row["source"].startswith("reconstructed") for row in rows_of("exits.csv"))
    assert rows_of("standard.csv")[5]["source"].startswith("reconstructed")
    printed = [*rows_of("initial.csv"), *rows_of("standard.csv")[:5], *rows_of("terrain.csv")]
    assert all(row["source"].startswith("rulebook") for row in printed)


# ---------------------------------------------------------------------- counters

READ_ON_THE_SHEET = {
    "us": {"7-12": 1, "6-12": 5, "5-12": 6, "4-12": 15, "5-4": 6, "3-4": 15, "1-4": 5},
    "french": {"2-4": 1},
    "british": {"4-4": 12, "8-12": 2, "3-12": 2, "2-12": 1},
    "german": {"7-4": 2, "6-4": 2, "5-4": 6, "4-4": 1, "3-4": 3, "2-4": 16, "1-4": 1}
    | {"9-10": 1, "7-10": 2, "6-10": 5, "5-10": 14, "4-10": 7, "3-10": 4},
}
"""Values read on the counter sheet of the scan. Many cells cannot be read: there may be more, never fewer."""

FULLY_READ = (
    [("us", "7-12"), ("us", "6-12"), ("us", "5-12"), ("us", "5-4"), ("french", "2-4")]
    + [("british", pair) for pair in ("4-4", "8-12", "3-12", "2-12")]
    + [("german", pair) for pair in ("7-4", "6-4", "5-4", "1-4", "9-10", "7-10", "6-10", "5-10", "3-10")]
)


@pytest.mark.rule(GAME, "3.3", "3.33")
def test_the_counters_are_those_of_the_sheet() -> None:
    assert len(UNITS) == 198
    for nation, values in READ_ON_THE_SHEET.items():
        counted = Counter(value(unit) for unit in UNITS if unit["nation"] == nation)
        for pair, read in values.items():
            exact = (nation, pair) in FULLY_READ
            assert counted[pair] == read if exact else counted[pair] >= read, (nation, pair)


@pytest.mark.rule(GAME, "3.32")
def test_mechanized_units_are_those_on_tracks_and_wheels() -> None:
    tracked = {"armor", "armored_infantry", "cavalry"}
    for unit in UNITS:
        assert (unit["mechanized"] == "true") == (unit["type"] in tracked), unit["id"]
        allowance = 4 if unit["type"] not in tracked else 10 if is_german(unit) else 12
        assert int(unit["movement"]) == allowance, unit["id"]


@pytest.mark.rule(GAME, "8.2C")
def test_only_german_infantry_divisions_are_divisions() -> None:
    divisions = [unit for unit in UNITS if unit["size"] == "XX"]
    assert len(divisions) == 10
    assert all(is_german(unit) and unit["type"] == "infantry" for unit in divisions)


def test_the_start_box_of_the_track() -> None:
    """Legible in the scan: three 4-12, one 5-4, five 3-4 and four 1-4 start on the map."""
    counted = Counter(value(unit) for unit in START if not is_german(unit))
    assert [counted[pair] for pair in ("4-12", "5-4", "3-4", "1-4")] == [3, 1, 5, 4]
    assert len(START) == 67


# ---------------------------------------------------------------------- set-up


@pytest.mark.rule(GAME, "8.0", "17.0")
def test_nobody_starts_stacked() -> None:
    assert set(Counter(unit["hex"] for unit in START).values()) == {1}


@pytest.mark.rule(GAME, "E3.1-5")
def test_everybody_starts_behind_his_own_line() -> None:
    german = set(AREAS["german_control"])
    nobody = {*AREAS["closed"], *AREAS["allied_map_edge"]}
    for unit in START:
        assert (unit["hex"] in german) == is_german(unit), unit["id"]
        assert unit["hex"] not in nobody, unit["id"]
        assert HEXES[unit["hex"]]["terrain"] != "impassable", unit["id"]


@pytest.mark.rule(GAME, "E3.1-6")
def test_the_only_towns_with_americans_are_monschau_and_st_vith() -> None:
    held = {HEXES[unit["hex"]]["place"] for unit in START if "place" in HEXES[unit["hex"]]}
    assert held == {"Monschau", "St. Vith"}


@pytest.mark.rule(GAME, "E4.2")
def test_the_offensive_begins_in_contact() -> None:
    germans = {unit["hex"]: unit for unit in START if is_german(unit)}
    met = [unit for unit in START if not is_german(unit) and neighbours(unit["hex"]) & set(germans)]
    assert len(met) == 13
    attackers = {hex_ for unit in met for hex_ in neighbours(unit["hex"]) & set(germans)}
    strength = sum(int(germans[hex_]["strength"]) for hex_ in attackers)
    defence = sum(int(unit["strength"]) for unit in met)
    assert Fraction(3 * strength, defence) > 3, "tripled, the first attacks average better than 3-1"


# ---------------------------------------------------------------------- the start line


@pytest.mark.rule(GAME, "E3.1-5")
def test_the_start_line_runs_from_end_to_end() -> None:
    """In every row one hexside of the line, between the last German and the first Allied hex."""
    german = set(AREAS["german_control"])
    for row in range(1, 38):
        line = [hex_ for hex_ in HEXES if hex_.startswith(f"{row:02}")]
        last = max(hex_ for hex_ in line if hex_ in german)
        assert {hex_ for hex_ in line if hex_ <= last} <= german
        assert SIDES[f"{last}/{int(last) + 1:04}"]["front"]
    assert {"0108", "3702"} <= german
    assert not {"0109", "3703"} & german


def test_every_front_side_parts_the_two_sides() -> None:
    german = set(AREAS["german_control"])
    for side, features in SIDES.items():
        one, other = side.split("/")
        assert bool(features.get("front")) <= ((one in german) != (other in german)), side


@pytest.mark.rule(GAME, "17.0")
def test_both_sides_have_a_front_and_a_rear_to_rearrange() -> None:
    for german, front, rear in ((True, 27, 16), (False, 16, 8)):
        side = [unit for unit in START if is_german(unit) == german]
        ahead = [unit for unit in side if touches_the_line(unit["hex"])]
        assert (len(ahead), len(side) - len(ahead)) == (front, rear)


# ---------------------------------------------------------------------- exits and roads


@pytest.mark.rule(GAME, "16.0B", "14.1A")
def test_exits_lie_on_roads_just_inside_the_edge() -> None:
    for row in rows_of("exits.csv"):
        edge, exit_ = row["edge"], row["id"]
        assert edge in AREAS[row["section"]]
        assert edge in AREAS["allied_map_edge"]
        assert exit_ in neighbours(edge)
        assert exit_ not in AREAS["allied_map_edge"]
        assert SIDES["/".join(sorted((edge, exit_)))]["road"]


def test_exits_and_the_map_agree() -> None:
    drawn = {edge: (exit_["from"], str(exit_["vp"])) for edge, exit_ in EDGES.items() if "vp" in exit_}
    assert drawn == {row["edge"]: (row["id"], row["points"]) for row in rows_of("exits.csv")}


@pytest.mark.rule(GAME, "16.2", "16.0D")
def test_the_points_of_the_exits_make_the_victory_hard_but_possible() -> None:
    """Every section has an exit; no one section is worth the 35 points; those without Bastogne are together."""
    points: Counter[str] = Counter()
    for row in rows_of("exits.csv"):
        points[row["section"]] += int(row["points"])
    assert set(points) == {"NE", "NW", "W", "SW", "SE"}
    assert max(points.values()) < 35 <= points["NE"] + points["NW"] + points["W"]


@pytest.mark.rule(GAME, "12.2D", "12.2F")
def test_roads_leave_the_map_for_both_sides() -> None:
    east = {hex_ for hex_, exit_ in EDGES.items() if "vp" not in exit_}
    assert east == {"0601", "0801", "1601", "2601", "3101"}
    assert all(hex_.endswith("01") and hex_ in AREAS["german_control"] for hex_ in east)


@pytest.mark.rule(GAME, "12.2D")
def test_every_road_can_be_marched_to_from_the_east() -> None:
    ways: dict[str, set[str]] = {}
    for side, features in SIDES.items():
        if features.get("road"):
            one, other = side.split("/")
            ways.setdefault(one, set()).add(other)
            ways.setdefault(other, set()).add(one)
    reached = {hex_ for hex_, exit_ in EDGES.items() if "vp" not in exit_}
    found = list(reached)
    while found:
        new = ways[found.pop()] - reached
        reached |= new
        found += new
    assert reached == set(ways)


# ---------------------------------------------------------------------- schedules

ALLIED_HISTORICAL = """
2 NE CCA7 CCB7 CCR7 39Inf 47Inf 26Inf 517PIR
2 SE CCA10 CCB10 CCR10
3 NE 117Inf 119Inf 120Inf
3 W 504PIR 506PIR 325GIR 401GIR 327GIR 502PIR 505PIR 501PIR
4 NE 16Inf 18Inf
5 NE 32AR 33AR 36AIR
5 SE CCA4 CCR4 CCB4
5 WB 56Gds 32Gds 129Br 130Br 214Br 152Br 153Br 154Br 71Br 158Br 160Br 33Br 29Br
6 NE CCR5 333Inf 334Inf 335Inf
6 SE 2Inf 10Inf 11Inf 101Inf 104Inf 328Inf 317Inf 318Inf 319Inf
7 NE 24Inf 60Inf 66AR 67AR 41AIR
7 SE 6Cav
8 NE 289Inf 290Inf 291Inf
8 SE 4Cav
8 WB FrLt 354Eng 342Eng 392Eng 366Eng 1308Eng 1313Eng
11 NE 329Inf 330Inf 331Inf 401Gl
11 SE 134Inf 137Inf 320Inf
11 WB 508PIR 551PIR
12 SE CCA6 CCB6 CCR6
12 WB 34Br
14 SE CCA11 CCB11 CCR11
16 W 68Br 151Br 231Br
17 W 513PIR 507PIR 193GIR 194GIR
"""

ALLIED_SLOWED = """
2 NE CCA7 CCB7 CCR7
2 SE CCA10 CCB10 CCR10
3 NE 39Inf 47Inf 16Inf 18Inf 26Inf 517PIR
4 NE 117Inf 119Inf 120Inf
5 W 327GIR 401GIR 502PIR 501PIR 506PIR 504PIR 505PIR 325GIR
8 NE 32AR 33AR 36AIR
8 SE CCA4 CCB4 CCR4
9 W 129Br 130Br 214Br 152Br 153Br 154Br 56Gds 32Gds
10 W 33Br 29Br 71Br 158Br 160Br
11 NE 289Inf 290Inf 291Inf
11 SE 6Cav
12 SE 2Inf 10Inf 11Inf 101Inf 104Inf 328Inf
12 NE 66AR 67AR 41AIR
13 SE 317Inf 318Inf 319Inf
13 NE 329Inf 330Inf 331Inf
14 W 354Eng 342Eng 392Eng 366Eng 1308Eng 1313Eng FrLt
15 SE 134Inf 137Inf 320Inf
15 NE 24Inf 60Inf 401Gl
16 W 34Br
16 SE CCA6 CCB6 CCR6
17 SE CCA11 CCB11 CCR11
18 W 68Br 151Br 231Br
18 SE 513PIR 193GIR 507PIR 194GIR
"""

GERMAN_HISTORICAL = """
1 E Bde1
2 E Bde2
2 drop VDH
3 E Bde3
4 E Bde4 2SSPz 3SSPG 4SSPG 9SSPz 19SSPG 20SSPG 8PG 29PG FE
5 E Bde5 1130Gr
6 E Bde6
7 E Bde7
8 E Bde8 33Pz 10PG 11PG 104PG 115PG FG 79VG
10 E 167VG
12 E 246VG
13 E 9VG
18 E 340VG
"""

GERMAN_ACCELERATED = """
1 E Bde1
2 E Bde2 2SSPz 3SSPG FE
2 drop VDH
3 E Bde3 4SSPG 9SSPz 19SSPG 20SSPG 8PG 29PG 10SSPz 21SSPG 22SSPG 15Pz 110PG 111PG FG
4 E Bde4
5 E Bde5 33Pz 10PG 11PG 104PG 115PG 1130Gr
6 E Bde6 79VG
7 E Bde7
8 E Bde8 167VG
9 E 246VG
11 E 9VG
13 E 340VG
"""


@pytest.mark.parametrize(
    ("german", "columns", "errata"),
    [
        pytest.param(False, "turn section", ALLIED_HISTORICAL, marks=pytest.mark.rule(GAME, "E17.0-1")),
        pytest.param(False, "varied_turn varied_section", ALLIED_SLOWED, marks=pytest.mark.rule(GAME, "E17.0-2")),
        pytest.param(True, "turn section", GERMAN_HISTORICAL, marks=pytest.mark.rule(GAME, "E17.0-3")),
        pytest.param(
            True, "varied_turn varied_section", GERMAN_ACCELERATED, marks=pytest.mark.rule(GAME, "E17.0-4")
        ),
    ],
)
def test_a_schedule_is_that_of_the_errata(german: bool, columns: str, errata: str) -> None:
    turn, section = columns.split()
    due: dict[tuple[str, str], set[str]] = {}
    for unit in UNITS:
        if is_german(unit) == german and unit[turn]:
            due.setdefault((unit[turn], unit[section]), set()).add(unit["id"])
    named = [line.split() for line in errata.split("\n") if line]
    assert due == {(when, where): set(units) for when, where, *units in named}


@pytest.mark.rule(GAME, "14.0")
def test_units_on_the_map_are_on_no_schedule() -> None:
    for unit in UNITS:
        assert bool(unit["hex"]) != bool(unit["turn"] or unit["varied_turn"]), unit["id"]


def strength_by(turn: int, *, german: bool, column: str = "turn") -> int:
    side = (unit for unit in UNITS if is_german(unit) == german)
    return sum(int(unit["strength"]) for unit in side if unit["hex"] or 0 < int(unit[column] or 0) <= turn)


@pytest.mark.rule(GAME, "17.0")
def test_what_the_schedules_bring() -> None:
    """Strength on the map and arrived, if nothing were lost."""
    assert [strength_by(turn, german=False) for turn in (1, 2, 6, 18)] == [82, 124, 315, 447]
    assert [strength_by(turn, german=True) for turn in (1, 2, 6, 18)] == [151, 154, 213, 271]
    assert strength_by(6, german=False, column="varied_turn") == 174
    assert strength_by(6, german=True, column="varied_turn") == 276


# ---------------------------------------------------------------------- tables and scenarios

WORST_FIRST = ("Ar3", "Ar2", "Ar1", "Dr1", "Dr2", "Dr3", "Ex", "De")


def columns_of(file: str) -> dict[str, list[int]]:
    rows = rows_of(file)
    odds = [name for name in rows[0] if name not in ("id", "source")]
    return {name: [WORST_FIRST.index(row[name]) for row in rows] for name in odds}


@pytest.mark.rule(GAME, "10.0")
@pytest.mark.parametrize("file", ["initial.csv", "standard.csv"])
def test_a_table_gets_better_with_the_odds_and_worse_with_the_die(file: str) -> None:
    columns = columns_of(file)
    assert list(columns) == ["1-2", *(f"{odds}-1" for odds in range(1, 10))]
    for results in columns.values():
        assert len(results) == 6
        assert results == sorted(results, reverse=True)
    for die in range(6):
        row = [results[die] for results in columns.values()]
        assert row == sorted(row)


@pytest.mark.rule(GAME, "10.0")
def test_the_lost_row_follows_the_pattern_of_the_table() -> None:
    """What holds in the five rows that can be read holds in the sixth."""
    initial, standard = columns_of("initial.csv"), columns_of("standard.csv")
    assert all(standard[name][die] <= initial[name][die] for name in standard for die in range(6))
    assert standard["2-1"] == initial["1-1"]
    assert standard["9-1"] == initial["8-1"]
    for left, right in (("1-1", "2-1"), ("2-1", "3-1"), ("5-1", "6-1"), ("7-1", "8-1")):
        assert standard[right][1:] == standard[left][:-1], (left, right)
    assert standard["1-1"][2:] == standard["1-2"][:-2]


@pytest.mark.rule(GAME, "11.0", "5.1D")
def test_the_terrain_chart() -> None:
    chart = {row["id"]: row for row in rows_of("terrain.csv")}
    rough, wall = chart["rough"], chart["west_wall"]
    assert int(rough["mechanized"]) + int(wall["allied"]) == 6
    assert {name for name, row in chart.items() if row["stands"]} == {"town", "west_wall", "west_wall_cleared"}
    assert (wall["german_defence"], wall["german_attack"]) == ("3", "2")
    assert {HEXES[hex_]["terrain"] for hex_ in HEXES} - {"impassable"} <= set(chart)


@pytest.mark.rule(GAME, "18.0", "E18.0")
def test_the_ten_scenarios() -> None:
    """Allied set-up and schedule, German set-up and schedule, by their first letters."""
    book = ["hhhh", "hhha", "hhfh", "fshh", "fsfh", "fsfa", "hsha", "hsfa", "hhfa", "fhfa"]
    scenarios = tomllib.loads((FOLDER / "scenarios.toml").read_text("utf-8"))
    keys = ("allied_set_up", "allied_schedule", "german_set_up", "german_schedule")
    assert {id_: "".join(row[key][0] for key in keys) for id_, row in scenarios.items()} == {
        str(number): letters for number, letters in enumerate(book, start=1)
    }
    assert [id_ for id_, row in scenarios.items() if row["source"].startswith("errata")] == ["2"]
