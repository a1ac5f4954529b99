"""Strength and distance over a map, checked against hexes counted the plain way."""

from __future__ import annotations

from math import exp

import pytest

from bulge.core.hexes import ROWS_FROM_EAST
from bulge.core.movement import StepCosts
from bulge.players.knowledge.nearness import distances, nearness, strength_around
from tests.helpers import hex_board, hex_names, plain_distances

NAMES = hex_names(1, 7, 1, 7)
BOARD = hex_board(NAMES)
MIDDLE = "0404"
FROM_MIDDLE = plain_distances(ROWS_FROM_EAST, MIDDLE, NAMES)


@pytest.mark.parametrize("point", [1, 5])
def test_distances_are_whole_points_up_to_a_limit(point: int) -> None:
    steps = StepCosts.by_terrain(BOARD, {point: BOARD.all})
    found = distances(steps, BOARD.set_of([MIDDLE]), 3, point)
    assert {name: found[BOARD.at(name)] for name in NAMES} == {name: min(3, FROM_MIDDLE[name]) for name in NAMES}


def test_a_part_of_a_point_does_not_count() -> None:
    steps = StepCosts.by_terrain(BOARD, {3: BOARD.all})
    found = distances(steps, BOARD.set_of([MIDDLE]), 9, 2)
    assert all(found[BOARD.at(name)] == 3 * far // 2 for name, far in FROM_MIDDLE.items())


def test_strength_counts_less_from_farther_off() -> None:
    assert nearness([[0, 7], [14, 0]], 7.0).tolist() == [[1.0, exp(-1)], [exp(-2), 1.0]]


def test_strength_counts_next_to_it_and_in_part_two_hexes_off() -> None:
    found = strength_around(BOARD, {BOARD.at(MIDDLE): 10, BOARD.at("0401"): 2}, two_off=0.25)
    other = plain_distances(ROWS_FROM_EAST, "0401", NAMES)
    share = {1: 1.0, 2: 0.25}
    expected = {name: 10 * share.get(FROM_MIDDLE[name], 0) + 2 * share.get(other[name], 0) for name in NAMES}
    assert {name: found[BOARD.at(name)] for name in NAMES} == expected
