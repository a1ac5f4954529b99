"""What is written down of a game, held against the same game replayed from its journal."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bulge.core.board import GraphBoard
from bulge.core.journal import read, replay
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.core.table import Event
from bulge.games import GAMES, load_game
from bulge.lab.measures import Measures, measures_of, rolled, with_ways
from bulge.lab.plan import Laboratory, plan_of
from bulge.lab.record import mask_bytes, mask_of
from tests.lab.conftest import rows


class Replayed:
    """A game of The Bulge played again, seen at every change of turn."""

    def __init__(self, journal: Path) -> None:
        self.game: Any = load_game("the_bulge")
        self.ends: list[Any] = []
        self._turn, self._last = 1, None
        loaded = replay(self.game, read(journal), each=self._look)
        self.match: Match[Any] = loaded.match
        self.ends.append(self.match.position)

    def _look(self, match: Match[Any]) -> None:
        if match.position.turn != self._turn:
            self._turn = match.position.turn
            self.ends.append(match.position.copy())


@pytest.fixture(scope="module")
def replayed(bulge_run: Path) -> Replayed:
    return Replayed(bulge_run / "journals" / "campaign-00001.json")


@pytest.fixture(scope="module")
def row(bulge_run: Path) -> dict[str, Any]:
    return rows(bulge_run)[1]


def test_a_row_says_how_the_game_ended(row: dict[str, Any], replayed: Replayed) -> None:
    match = replayed.match
    assert match.result is not None
    assert (row["winner"], row["ending"], row["rule"]) == (
        match.result.winner,
        match.result.words,
        match.result.rule,
    )
    assert (row["decisions"], row["dice"], row["seed"]) == (len(match.ids), match.position.drawn, match.seed)
    assert row["turns"] == list(range(1, match.position.turn + 1))
    assert row["days"] == [15 + turn for turn in row["turns"]]


def test_points_front_and_losses_by_turn(row: dict[str, Any], replayed: Replayed) -> None:
    game, ends = replayed.game, replayed.ends
    assert len(ends) == len(row["turns"]) > 1
    assert row["score"] == [game.points(p) for p in ends]
    assert [mask_of(front) for front in row["front"]] == [p.german for p in ends]
    full = [unit.steps for unit in game.facts.rows]
    for side, units in game.facts.units_of.items():
        lost = [sum(full[unit] - p.steps[unit] for unit in units) for p in ends]
        assert row["losses"][side] == lost
        assert any(lost)


def test_key_towns_are_those_behind_the_front(row: dict[str, Any], replayed: Replayed) -> None:
    facts = replayed.game.facts
    for held, p in zip(row["towns"], replayed.ends, strict=True):
        assert set(held) == {facts.places[hex_] for hex_ in facts.town_points if p.german >> hex_ & 1}


def test_the_deepest_advance_is_measured_from_the_start_line(row: dict[str, Any], replayed: Replayed) -> None:
    game = replayed.game
    start = game.begin("campaign").german
    board, across = game.board, game.facts.map.raw["projection"]["km_per_hex"]
    for far, p in zip(row["deepest"], replayed.ends, strict=True):
        gained = [board.at(name) for name in board.names_of(p.german & ~start)]
        begun = [board.at(name) for name in board.names_of(start)]
        # A hex at a distance of n hexes lies between 0.86 n and n hex widths away, centre to centre.
        hexes = max((min(board.distance(hex_, other) for other in begun) for hex_ in gained), default=0)
        assert 0.86 * hexes * across - 0.1 <= far <= hexes * across + 0.1


def test_dice_are_tallied_by_side_and_result(row: dict[str, Any], replayed: Replayed) -> None:
    given = Counter(
        found[1]
        for event in replayed.match.log
        if (found := re.search(r"^The attack .* gives (\w\w)\.$", event.words))
    )
    counted: Counter[str] = Counter()
    for roll in row["rolls"]:
        counted[roll["result"]] += roll["actual"]
    assert counted == given
    for side in ("German", "Allied"):
        mine = [roll for roll in row["rolls"] if roll["side"] == side]
        assert sum(roll["expected"] for roll in mine) == pytest.approx(
            sum(roll["actual"] for roll in mine), abs=1e-3
        )
        good = [roll for roll in mine if roll["result"] in ("DR", "BB", "DE")]
        luck = sum(roll["actual"] - roll["expected"] for roll in good)
        assert row["luck"][side] == pytest.approx(luck, abs=1e-4)


def test_a_die_on_the_table_has_the_chances_of_its_column() -> None:
    table = load_game("the_bulge").facts.crt  # type: ignore[attr-defined]
    (roll,) = rolled("German", table, Event("13.8", "attack on 1307, column 0", dice=(4,), sides=6))
    assert (roll.side, roll.result) == ("German", "AS")
    assert roll.chances == pytest.approx({"DR": 1 / 2, "AS": 1 / 3, "AE": 1 / 6})
    assert (
        rolled("German", table, Event("7.11", "German units that run short of supply", dice=(4,), sides=6)) == []
    )


def test_any_game_can_be_measured_without_a_word_of_its_own() -> None:
    game: Any = load_game("ford")
    plain, own = Measures(game), measures_of(game)
    assert type(own) is not Measures
    p = game.begin("bridge")
    assert plain.start(p) == own.occupied(p, "Blue") == game.facts.occupied(p, "Blue")
    before = plain.start(p)
    left = p.where[0]
    taken = p.where
    p.where[0] = next(hex_ for hex_ in members(game.board.next_to(left)) if hex_ not in taken)
    held = plain.held(p, before)
    assert held >> left & 1, "what was left stays behind the front"
    assert held >> p.where[0] & 1
    p.where[3] = left
    assert not plain.held(p, held) >> left & 1, "unless an enemy stands there"
    p.steps[0] -= 1
    assert plain.losses(p, game.begin("bridge")) == {"Blue": 1, "Red": 0}


def test_a_unit_far_ahead_holds_the_way_it_came() -> None:
    road = GraphBoard(list("abcdefg"), [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("c", "f"), ("f", "g")])
    behind, unit = road.set_of("ab"), road.set_of("e")
    held = with_ways(road, behind | unit, unit, behind, road.all)
    assert road.names_of(held) == list("abcde")
    cut_off = with_ways(road, behind | unit, unit, behind, road.all & ~road.set_of("d"))
    assert road.names_of(cut_off) == list("abe"), "paratroopers behind the lines hold no way"


def test_who_stands_next_to_a_space_alone_holds_it() -> None:
    game: Any = load_game("ford")
    plain = Measures(game)
    p = game.begin("bridge")
    blue, red = (game.facts.occupied(p, side) for side in ("Blue", "Red"))
    held = plain.held(p, blue)
    around = game.board.around
    assert held & around(blue) & ~around(red) & ~red == around(blue) & ~around(red) & ~red
    assert not held & around(red) & ~around(blue) & ~blue
    assert not held & red


def test_sets_of_spaces_survive_as_bytes() -> None:
    for spaces in (0, 1, 1 << 600 | 5):
        assert mask_of(mask_bytes(spaces)) == spaces


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "ford" else pytest.mark.slow) for name in GAMES]
)
def test_every_game_is_written_down(name: str) -> None:
    game = load_game(name)
    scenario = next(iter(game.scenarios))
    plan = plan_of(game, dict.fromkeys(game.players_in(scenario), "random"), games=1)
    row = Laboratory(plan).play(0).row
    turns = len(row.turns)
    assert turns == len(set(row.turns))
    lists: list[list[Any]] = [row.days, row.score, row.deepest, row.towns, row.front, *row.losses.values()]
    assert {len(by_turn) for by_turn in lists} == {turns}
    assert set(row.losses) == set(row.luck) == set(game.sides)
    measures = measures_of(game)
    assert all(set(held) <= set(measures.towns) for held in row.towns)
    if type(measures) is not Measures:
        assert any(row.losses[side][-1] for side in game.sides)
        assert row.rolls, "no attack was tallied: has the wording of the log changed?"
    for side in game.sides:
        mine = [tally for tally in row.rolls if tally.side == side]
        assert sum(tally.expected for tally in mine) == pytest.approx(
            sum(tally.actual for tally in mine), abs=1e-3
        )
        assert {tally.result for tally in mine} <= set(measures.result_words)
    assert set(measures.good) <= set(measures.result_words)
