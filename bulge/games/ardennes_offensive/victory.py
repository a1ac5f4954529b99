"""Points and victory (rule 16)."""

from __future__ import annotations

from bulge.core.decision import Result
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation

POINTS_TO_WIN = 35
IMMEDIATE_UNTIL = 6
"""The last turn at whose end the Germans can win at once (16.2)."""
BRITISH_FREE_FROM = 25
"""German points that bring the British over the Meuse (14.3C)."""


def lost(facts: Facts, p: ArdennesPosition, side: str) -> int:
    """How many units a side has lost."""
    units = facts.units_of[side]
    return (p.lost >> units.start & (1 << len(units)) - 1).bit_count()


@rule("16.0B", "16.0C", "16.0D", "16.0F", "16.0G", "16.0H")
def exits_held(facts: Facts, s: Situation) -> list[int]:
    """The road exit hexes that count for the Germans: held or controlled by supplied units, and free of Allies."""
    supplied = s.supplied_hexes(GERMAN)
    zone = facts.board.around(supplied & ~s.marching[GERMAN])
    held = (supplied | zone) & ~s.occupied[ALLIED]
    bastogne = supplied >> facts.bastogne & 1
    return [
        hex_
        for hex_ in members(facts.sources[ALLIED] & held)
        if bastogne or facts.exit_section[hex_] not in ("SE", "SW")
    ]


@rule("16.0")
def points(facts: Facts, s: Situation) -> dict[str, int]:
    """The victory points of both sides as they are now."""
    exits = sum(facts.exit_points[hex_] for hex_ in exits_held(facts, s))
    return {GERMAN: lost(facts, s.p, ALLIED) + exits, ALLIED: lost(facts, s.p, GERMAN)}


@rule("16.2")
def immediate_victory(found: dict[str, int], turn: int) -> Result | None:
    if turn <= IMMEDIATE_UNTIL and found[GERMAN] >= POINTS_TO_WIN:
        words = f"The Germans have {found[GERMAN]} points by the end of turn {turn}: they win at once."
        return Result(GERMAN, words, "16.2", found)
    return None


@rule("16.1", "16.3")
def final_judgment(found: dict[str, int]) -> Result:
    """After the last turn: too few German points, or else the ratio."""
    german, allied = found[GERMAN], found[ALLIED]
    tally = f"{german} German to {allied} Allied points"
    if german < POINTS_TO_WIN:
        return Result(ALLIED, f"{tally}: the Germans needed {POINTS_TO_WIN}. The Allies win.", "16.3", found)
    if 2 * german >= 3 * allied:
        return Result(GERMAN, f"{tally}, three to two or better. The Germans win.", "16.1", found)
    if german < allied:
        return Result(ALLIED, f"{tally}, fewer than the Allies have. The Allies win.", "16.1", found)
    return Result(None, f"{tally}, less than three to two: a draw.", "16.1", found)
