"""Positions of The Ford to try its rules on, with numbers worked out by hand on its map.

row 1     0105  0104w 0103 | 0102w 0101        w: woods   |: the river
row 2  0204 === 0203t =|= 0202 === 0201        t: the town   ===: the road, over a bridge
row 3     0305  0304  0303w| 0302  0301w       Red's edge is on the left (west), Blue's on the right
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bulge.core.chance import Scripted
from bulge.core.match import Match
from bulge.games.ford.facts import GONE, NO_CHIT, FordPosition
from bulge.games.ford.game import Ford

FORD = Ford()
FACTS, BOARD = FORD.facts, FORD.board
UNITS = [unit.id for unit in FORD.units]
GUNS, MORTARS = 4, 2
"""Chits that count 2 and 1."""


class Placed(Ford):
    """The Ford from a position of our own."""

    def __init__(self, position: FordPosition) -> None:
        super().__init__()
        self._position = position

    def set_up(self, scenario: str, options: Mapping[str, str]) -> FordPosition:
        return self._position.copy()


def place(
    units: str,
    *,
    step: str = "blue_move",
    turn: int = 1,
    held: Sequence[int] = (NO_CHIT, NO_CHIT),
    cup: str = "",
    **more: Any,
) -> FordPosition:
    """A position: `B1 0202, R1/1 0203` puts B1 in full strength and R1 with one step left; the rest are lost."""
    where, steps = [GONE] * 6, [0] * 6
    for entry in units.split(","):
        name, hex_ = entry.split()
        id_, _, left = name.partition("/")
        number = UNITS.index(id_)
        where[number] = BOARD.at(hex_)
        steps[number] = int(left) if left else FACTS.units[number].steps
    chits = [int(chit) for chit in cup.split()]
    return FordPosition(step=step, turn=turn, where=where, steps=steps, cup=chits, held=list(held), **more)


def start(
    units: str,
    *answers: str,
    dice: Sequence[int] = (),
    step: str = "blue_move",
    turn: int = 1,
    held: Sequence[int] = (NO_CHIT, NO_CHIT),
    cup: str = "",
    **more: Any,
) -> Match[FordPosition]:
    """A match from such a position, after these answers."""
    position = place(units, step=step, turn=turn, held=held, cup=cup, **more)
    FORD.check(position)
    match = Match(Placed(position), chance=Scripted(dice))
    for answer in answers:
        match.answer(answer)
    return match


def fight(units: str, *answers: str, die: int = 0, **more: Any) -> Match[FordPosition]:
    """Blue attacks: the target, the attackers; the word `fight` is said by itself."""
    match = start(units, *answers, "fight", dice=[die] if die else [], step="blue_fight", **more)
    FORD.check(match.position)
    return match


def ids(match: Match[FordPosition]) -> set[str]:
    return {option.id for option in match.options()}


def costs(match: Match[FordPosition]) -> dict[str, str | None]:
    return {option.id: option.cost for option in match.options()}


def hex_of(match: Match[FordPosition], unit: str) -> str:
    at = match.position.where[UNITS.index(unit)]
    return BOARD.name(at) if at != GONE else "lost"


def steps_of(match: Match[FordPosition], unit: str) -> int:
    return match.position.steps[UNITS.index(unit)]


def names(hexes: int) -> set[str]:
    return set(BOARD.names_of(hexes))
