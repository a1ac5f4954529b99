"""The shelf for games on hexes, tried on a small map with two sides and a marker."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from bulge.core.bars import Bar, refusal
from bulge.core.decision import Decision, Kind, Play, Refusal, settle
from bulge.core.errors import BadData
from bulge.core.movement import StepCosts, reach
from bulge.core.spaces import members
from bulge.games.hexes.attackers import ATTACK, Attackers, name_attackers
from bulge.games.hexes.roster import DUE, GONE, Roster
from bulge.games.hexes.scene import by_side, flags, front, reachable, waiting
from bulge.games.hexes.sequence import sequence
from bulge.games.hexes.situation import HexSituation, Supplied
from tests.helpers import hex_board, hex_names

BOARD = hex_board(hex_names(1, 5, 1, 5))


class Row(NamedTuple):
    id: str
    nation: str

    @property
    def name(self) -> str:
        return f"the {self.id}"


ROWS = [Row("r1", "red"), Row("r2", "red"), Row("spy", "red"), Row("b1", "blue"), Row("g1", "green")]
R1, R2, SPY, B1, G1 = range(5)
ROSTER = Roster("toy", ROWS, {"Red": ("red",), "Others": ("blue", "green")}, markers=[SPY])


def situation(*names: str | int) -> HexSituation[Any, Any]:
    facts = SimpleNamespace(board=BOARD, roster=ROSTER, sizes=[2, 1, 0, 2, 1], stack_limit=3)
    return HexSituation(
        facts, SimpleNamespace(where=[BOARD.at(at) if isinstance(at, str) else at for at in names])
    )


def hexes(*names: str) -> int:
    return BOARD.set_of(names)


# ---------------------------------------------------------------------- roster


def test_sides_are_ranges_of_nations() -> None:
    assert ROSTER.units_of == {"Red": range(3), "Others": range(3, 5)}
    assert ROSTER.sets == {"Red": 0b111, "Others": 0b11000}
    assert [ROSTER.side_of(unit) for unit in range(5)] == ["Red"] * 3 + ["Others"] * 2
    assert ROSTER.bodies_of["Red"] == [R1, R2], "the spy only lies somewhere"


def test_rows_out_of_order_and_missing_units_are_refused() -> None:
    with pytest.raises(BadData, match="red units one after the other"):
        Roster("toy", [ROWS[R1], ROWS[B1], ROWS[R2]], {"Red": ("red",), "Others": ("blue",)})
    with pytest.raises(BadData, match="exactly one 'spy'"):
        ROSTER.only("spy", [])


def test_where_units_are_and_why_they_are_out_of_it() -> None:
    where = [GONE, DUE, BOARD.at("0202"), BOARD.at("0202"), BOARD.at("0303")]
    assert ROSTER.at(where, GONE) == 1 << R1
    assert ROSTER.within(where, hexes("0202")) == 1 << SPY | 1 << B1
    assert ROSTER.who_is_in(where, BOARD.at("0202")) == "the b1 stands"
    bars = (ROSTER.lost(where, "1"), ROSTER.not_come(where, "2"), ROSTER.not_of("Red", "3"))
    said = [refusal(bars, unit) for unit in (R1, R2, SPY, B1)]
    assert [refused.rule if refused else None for refused in said] == ["1", "2", None, "3"]
    assert said[3] is not None
    assert said[3].words == "the b1 belongs to the other side"


def test_one_of_a_few_units_is_asked_for_and_all_others_are_told_why_not() -> None:
    asked = ROSTER.one_of("Red", "Who goes?", [R1, R2], "4", "stays at home")
    assert (asked.options, asked.rule, asked.kind) == ([R1, R2], "4", Kind.UNIT)
    table: Any = None
    refused = refusal(asked.about.bars(table, asked), B1)
    assert refused == Refusal("4", "the b1 stays at home")
    assert refusal(asked.about.bars(table, asked), R1) is None
    assert next(settle(asked)) is asked
    with pytest.raises(StopIteration) as stop:
        next(settle(ROSTER.one_of("Red", "Who goes?", [R2], "4", "stays at home")))
    assert stop.value.value == R2, "there was no choice, so nobody was asked"


# ---------------------------------------------------------------------- situations


def test_a_situation_kept_up_to_date_is_the_one_found_anew() -> None:
    s = situation("0101", "0101", "0303", "0404", DUE)
    assert s.crowded(1) == hexes("0101")
    assert s.room(BOARD.at("0404")) == 1
    for unit, to in ((R2, "0202"), (G1, "0404"), (R1, "0202"), (B1, "0403")):
        before = s.p.where[unit]
        s.p.where[unit] = BOARD.at(to)
        s.note_move(unit, before)
        anew = situation(*(BOARD.name(at) if at >= 0 else at for at in s.p.where))
        assert (s.occupied, s.zones, s.loads) == (anew.occupied, anew.zones, anew.loads)
        assert [s.crowded(size) for size in (1, 2, 3)] == [anew.crowded(size) for size in (1, 2, 3)]
        assert s.stack(BOARD.at("0202")) == anew.stack(BOARD.at("0202"))
    assert s.now() is s
    s.p.where[R1] = GONE
    assert s.now().occupied["Red"] == hexes("0202")


def test_a_marker_takes_no_hex_and_has_no_zone() -> None:
    s = situation(GONE, GONE, "0303", "0101", GONE)
    assert s.occupied["Red"] == s.zones["Red"] == 0
    assert s.stack(BOARD.at("0303")) == []


def test_lines_and_interdicted_bridges_are_found_once_for_each_side() -> None:
    asked: list[str] = []

    class Found(Supplied):
        def find_lines(self, side: str) -> Any:
            asked.append(side)
            return side

        def find_interdicted(self, side: str) -> Any:
            return self.find_lines(f"{side} bridges")

    s: Any = Found()
    for _ in range(2):
        assert (s.lines("Red"), s.lines("Others"), s.interdicted("Red")) == ("Red", "Others", "Red bridges")
    assert asked == ["Red", "Others", "Red bridges"]


# ---------------------------------------------------------------------- sequence of play


def test_phases_follow_each_other_whether_they_ask_or_not() -> None:
    said = []

    def asks(t: Any) -> Play:
        said.append((yield Decision("Red", "Well?", ["yes"], "1")))

    steps = sequence([("ask", asks), ("act", lambda t: said.append("act"))], "end")
    table: Any = None
    play: Any = steps["ask"](table)
    next(play)
    with pytest.raises(StopIteration) as stop:
        play.send("yes")
    assert stop.value.value == "act"
    assert steps["act"](table) == "end"
    assert said == ["yes", "act"]


# ---------------------------------------------------------------------- attackers


class Raid(Attackers):
    def __init__(self) -> None:
        self.attackers: list[int] = []


def test_attackers_are_named_until_the_word() -> None:
    raid = Raid()

    def taken() -> Iterator[Bar]:
        yield Bar(sum(1 << unit for unit in raid.attackers), "1", "it takes part already")

    for confirm, last in ((True, [ATTACK]), (False, None)):
        raid.attackers = []
        play = name_attackers(raid, "Red", 0b11, taken, prompt="Who?", rule="1", confirm=confirm)
        assert next(play).options == [R1, R2], "nobody, so no word yet"
        assert play.send(R2).options == [R1, ATTACK]
        if last is None:
            with pytest.raises(StopIteration):
                play.send(R1)
        else:
            assert play.send(R1).options == last


# ---------------------------------------------------------------------- what is shown


def test_what_is_shown() -> None:
    flagged = flags({"moved": 0b100, "lost": 0b011, "short": 0b111})
    assert flagged == {0: ("lost", "short"), 1: ("lost", "short"), 2: ("moved", "short")}
    boxes = waiting(ROSTER, [GONE, DUE, DUE, 3, GONE], 4, arrives=lambda unit: 2 * unit)
    assert {box.box: box.units for box in boxes} == {"turn 2": ("r2",), "turn 4": ("spy",), "lost": ("r1", "g1")}
    assert by_side(BOARD, "zones", {"Red": hexes("0101", "0102")}) == {"zones_red": ("0101", "0102")}
    assert all(side.startswith("0101/") for side in front(BOARD, hexes("0101")))
    assert len(front(BOARD, hexes("0101"))) == len(members(BOARD.around(hexes("0101"))))


def test_reachable_says_what_a_move_costs_and_how() -> None:
    found = reach(StepCosts.by_terrain(BOARD, {1: BOARD.all}), BOARD.at("0303"), 1)
    shown = reachable(BOARD, found, str, but=hexes("0303", "0302"))
    assert set(shown.costs) == set(BOARD.names_of(BOARD.around(hexes("0303")) & ~hexes("0302")))
    assert shown.paths["0304"] == ("0303", "0304")
    assert shown.modes == {}
