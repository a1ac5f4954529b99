"""Strength and distance over a map of hexes, as arrays by hex: what players of such games work out alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

import numpy as np
from numpy.typing import NDArray

from bulge.core.hexes import HexBoard
from bulge.core.movement import Steps, reach
from bulge.core.spaces import members

Array = NDArray[np.float64]


def distances(steps: Steps, goals: int, most: int, point: int = 1) -> list[int]:
    """Points of movement between each hex and the nearest goal, whole ones, at most so many, enemies left out."""
    found = [most] * steps.all.bit_length()
    for cost, level in enumerate(reach(steps, {0: goals}, most * point).levels):
        for hex_ in members(level):
            found[hex_] = cost // point
    return found


def nearness(distances_: Sequence[Sequence[int]], fading: float) -> Array:
    """How far strength in each hex (column) counts for each place (row): less and less with the distance."""
    return np.array([[exp(-points / fading) for points in row] for row in distances_])


def strength_around(board: HexBoard, strengths: Mapping[int, float], two_off: float) -> Array:
    """The strength next to each hex, and this share of what is two hexes off."""
    found = np.zeros(board.hexes.bit_length())
    for hex_, strength in strengths.items():
        for near in members(board.next_to(hex_)):
            found[near] += strength
        for near in members(board.ring(1 << hex_, 2)):
            found[near] += two_off * strength
    return found
