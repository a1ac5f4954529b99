"""`bulge match`: its table, its seeds, and what it refuses."""

from __future__ import annotations

import re

import pytest

from bulge.games import load_game
from bulge.players.arena import Pairing, play_bout, play_bouts, wilson
from tests.cli.conftest import Bulge


def test_a_match_is_reported_line_by_line(bulge: Bulge) -> None:
    outcome = bulge("match", "greedy", "random", "ford", "--games", "6", "--jobs", "1", "--seed", "3")
    assert outcome.code == 0
    assert re.fullmatch(
        r"greedy won \d of 6 games, \d+% \(95 % interval \d+% to \d+%\) against random\.", outcome.lines[0]
    )
    assert re.fullmatch(r"As Blue, greedy won \d of 3 games, .*", outcome.lines[1])
    assert re.fullmatch(r"As Red, greedy won \d of 3 games, .*", outcome.lines[2])
    assert re.fullmatch(r"Seconds a player-turn: random \d+\.\d\d\.", outcome.lines[-1])


@pytest.mark.slow
def test_two_processes_give_the_same_result_as_one(bulge: Bulge) -> None:
    said = [
        [
            line
            for line in bulge("match", "greedy", "random", "ford", "--games", "6", "--jobs", jobs).lines
            if "won" in line
        ]
        for jobs in "12"
    ]
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("greedy", "marshal", "ford"), "there is no player 'marshal'; there are: random, greedy"),
        (("greedy", "random", "chess"), "there is no game 'chess'"),
        (("greedy", "random", "ford", "--games", "5"), "--games wants an even number"),
        (
            ("greedy", "random", "bastogne", "--scenario", "sectors", "--jobs", "1"),
            "in Bastogne the rules play the enemy: there is nobody to swap sides with",
        ),
    ],
)
def test_mistakes_are_refused(bulge: Bulge, words: tuple[str, ...], complaint: str) -> None:
    outcome = bulge("match", *words)
    assert outcome.code == 2
    assert complaint in outcome.err


def test_sides_are_swapped_on_the_same_dice() -> None:
    bouts = list(play_bouts(lambda: load_game("ford"), Pairing(("random", "greedy"), "1"), 4))
    assert [bout.first for bout in bouts] == [0, 1, 0, 1]
    again = play_bout(load_game("ford"), Pairing(("random", "greedy"), "1"), 3)
    assert (again.side_won, again.player_won) == (bouts[3].side_won, bouts[3].player_won)


def test_wilsons_interval() -> None:
    low, high = wilson(80, 100)
    assert (round(low, 3), round(high, 3)) == (0.711, 0.867)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(10, 10)[1] == 1.0
