"""Priority lists of this game end in one hex: the lowest number where the list does not decide (2.21)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bulge.core.priority import Line, least, narrow
from bulge.core.retreat import prefer
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import Facts
from bulge.games.enemy_action.position import EnemyActionPosition


def line(number: str, words: str, what: int | Callable[[int], int]) -> Line:
    """A line that prefers a set of hexes, or those for which a measure is least."""
    return Line(number, words, what if isinstance(what, int) else least(what))


@rule("9.22", "2.21")
def pick(t: Table[EnemyActionPosition] | None, facts: Facts, candidates: int, lines: Sequence[Line]) -> int:
    """The one hex that a list leaves. `t` is None where a rule only imagines the choice."""
    left = narrow(t, candidates, lines) if t is not None else prefer(candidates, *(one.prefer for one in lines))
    return min(members(left), key=facts.board.name) if left else -1
