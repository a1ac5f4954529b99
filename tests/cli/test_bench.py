"""`bulge bench` runs and says what it must. How fast it is, no test may assert: machines differ."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bulge.cli.speed import ChessPlay, Contestant, GamePlay, LargeBoard, best_time, take_turns
from bulge.games.ford.game import Ford
from tests.cli.conftest import Bulge

BRIEFLY = ("--seconds", "0.02")
BENCH = Path(__file__).parents[2] / "bench"


def test_it_prints_every_measure_with_its_target(bulge: Bulge) -> None:
    outcome = bulge("bench", "ford", *BRIEFLY)
    assert outcome.code == 0
    assert [line.partition(":")[0].strip().partition(" (")[0] for line in outcome.lines] == [
        "Random play of the interpreted rules, all contestants in short turns in one process",
        "python-chess",
        "ford",
        "Copies of a position",
        "ford",
        "A board of 40 by 60 hexes with terrain, roads, rivers and 120 units",
        "zones of both sides and supply of all units",
        "reach of one unit with 12 points",
        "the same where leaving a friend costs extra",
        "copy of the position",
    ]
    with_targets = [line for line in outcome.lines if "target" in line]
    assert len(with_targets) == 4
    assert all(line.endswith((": met", ": not met")) for line in with_targets)
    assert "times python-chess" in outcome.lines[2]


def test_without_python_chess_it_says_how_to_get_it_and_runs_the_rest(
    bulge: Bulge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    outcome = bulge("bench", "ford", *BRIEFLY)
    assert outcome.code == 0
    assert "pip install chess" in outcome.out
    assert "times python-chess" not in outcome.out
    assert "ford:" in outcome.out
    assert "reach of one unit" in outcome.out


def test_an_unknown_game_is_refused(bulge: Bulge) -> None:
    outcome = bulge("bench", "fjord", *BRIEFLY)
    assert outcome.code == 2
    assert "fjord" in outcome.err
    assert outcome.out == ""


def test_contestants_play_on_where_they_were_interrupted() -> None:
    players: list[Contestant] = [GamePlay(Ford()), ChessPlay()]
    for player in players:
        player.play(30)
        player.play(1000)
        assert player.decisions == 1030
        assert player.options > player.decisions
        assert player.games > 1


def test_all_contestants_get_their_time() -> None:
    players = [GamePlay(Ford()), GamePlay(Ford())]
    take_turns(players, 0.01)
    assert all(player.seconds >= 0.01 and player.decisions for player in players)


def test_the_best_time_is_of_one_action() -> None:
    calls = []
    assert 0 < best_time(lambda: calls.append(1), 0.01) < 0.01
    assert len(calls) > 1


def test_the_large_board_is_what_it_claims_to_be() -> None:
    large = LargeBoard()
    assert large.board.all.bit_count() == 40 * 60
    assert len(set(large.position.where)) == 120
    assert len(large.roads)
    assert 0 < len(large.unbridged) < len(large.rivers)
    zones, in_supply = large.zones_and_supply()
    assert all(zones)
    assert 60 < len(in_supply) < 120, "some unit should be out of supply, or the measure would be too easy"
    assert large.reach_of_one(large.limits(unstacking=False)).spaces.bit_count() > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    "measure",
    [
        "bastogne_balance", "hotspots", "kill_server", "largest_map", "latency", "overrides", "simulation",
        "two_servers", "waiting",
    ],
)  # fmt: skip
def test_what_is_measured_beside_the_command_explains_itself(measure: str) -> None:
    done = subprocess.run(
        [sys.executable, BENCH / f"{measure}.py", "--help"],
        env={**os.environ, "PYTHONPATH": str(BENCH.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
