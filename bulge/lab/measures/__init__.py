"""What the laboratory writes down about a game.

`Measures` reads scenes and does for every game; a game about which more can be said has a module of its name in
this folder with a class `GameMeasures` that says so. docs/laboratory.md walks through one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

import msgspec

from bulge.core.board import NamedSpaces
from bulge.core.game import Game
from bulge.core.position import Position
from bulge.core.spaces import members
from bulge.core.table import Event
from bulge.core.tables import ResultsTable
from bulge.lab.ground import Ground

P = TypeVar("P", bound=Position)


class Roll(msgspec.Struct, frozen=True):
    """A die that decided something: whose attack it was, what it gave, and how likely each result was."""

    side: str
    result: str
    chances: dict[str, float]


class Measures(Generic[P]):
    """The questions that a run asks at the end of every turn, answered for any game."""

    good: tuple[str, ...] = ()
    """The results of an attack that hurt the defender: what luck is counted in."""
    result_words: Mapping[str, str] = {}
    """The results as people read them, from the worst for the attacker to the best."""
    loss_words: str = "steps"
    """What losses are counted in."""
    points_words: str = "Points"
    """What the score counts."""

    def __init__(self, game: Game[P]) -> None:
        self.game = game
        self.ground = Ground(game)
        self.attacker = game.sides[0]
        """The side whose advance is followed."""
        self.towns: dict[str, int] = {}
        """The key towns and their spaces."""

    def day(self, turn: int) -> int:
        """The day of December 1944 on whose evening a turn ends; 0 where the game is not history."""
        return 0

    def turn_name(self, turn: int) -> str:
        day = self.day(turn)
        return f"{day} Dec" if day else f"turn {turn}"

    def points(self, p: P) -> int:
        """How the attacker stands, as the game itself keeps score."""
        scores = self.game.scene(p, None).scores
        return scores[0].value if scores else 0

    def losses(self, p: P, start: P) -> dict[str, int]:
        """Steps lost so far, by side. This needs a position that keeps `steps` by unit, as most do."""
        lost = dict.fromkeys(self.game.sides, 0)
        before, now = getattr(start, "steps", ()), getattr(p, "steps", ())
        for unit, full, left in zip(self.game.units, before, now, strict=False):
            lost[unit.side] += full - left
        return lost

    def start(self, p: P) -> int:
        """The spaces behind the attacker's front before the first turn."""
        return self.occupied(p, self.attacker)

    def held(self, p: P, before: int) -> int:
        """The spaces behind the attacker's front now, given those of the turn before.

        Where a game has no rule of control: wherever the attacker came last or stands next to alone, and the way
        by which it got there.
        """
        board, mine, enemies = self.game.board, self.occupied(p, self.attacker), 0
        for side in self.game.sides:
            if side != self.attacker:
                enemies |= self.occupied(p, side)
        ours, theirs = board.around(mine), board.around(enemies)
        held = (before | mine | ours & ~theirs) & ~enemies & ~(theirs & ~ours & ~mine)
        return with_ways(board, held, mine, before, board.all & ~enemies & ~(theirs & ~ours))

    def occupied(self, p: P, side: str) -> int:
        """The spaces where a side has pieces that everybody may see."""
        board, mine = self.game.board, {unit.id for unit in self.game.units if unit.side == side}
        names = (piece.space for piece in self.game.scene(p, None).pieces if piece.unit in mine)
        return board.set_of(name for name in names if board.has(name))

    def counted(self, p: P) -> Mapping[str, int]:
        """What the step that begins now adds to the counts of its turn: impulses, cards, attacks."""
        return {}

    def points_for(self, held: Collection[int]) -> int | None:
        """The score that a front would give, to compare with history; None where a front says too little."""
        return None

    def rolls(self, p: P, step: str, event: Event) -> Iterable[Roll]:
        """What a line of the log with dice decided, for the tally of luck; nothing where it decides no attack.

        `step` is the step of the sequence of play in which they were rolled, `p` the position at its end.
        """
        return ()


def with_ways(board: NamedSpaces, held: int, units: int, behind: int, through: int) -> int:
    """What is held together with the shortest way to every unit that is cut off from what lay behind the front."""
    linked = board.connected(held & behind, held)
    for unit in members(units & ~linked):
        levels = [linked]
        reached = linked
        while not reached >> unit & 1 and levels[-1]:
            levels.append(board.around(levels[-1]) & (through | 1 << unit) & ~reached)
            reached |= levels[-1]
        if reached >> unit & 1:
            at = 1 << unit
            for level in reversed(levels[:-1]):
                at = board.around(at) & level
                at &= -at
                linked |= at
            linked |= board.connected(1 << unit, held | 1 << unit)
    return held | linked


def rolled(side: str, table: ResultsTable, event: Event) -> list[Roll]:
    """A die on a results table, by a line of the log whose last word is the column's heading."""
    heading = event.words.rpartition(" ")[2]
    if not event.dice or heading not in table.columns:
        return []
    column = table.columns.index(heading)
    chances = {result: float(chance) for result, chance in table.chances(column)}
    return [Roll(side, table.result(column, event.dice[0]), chances)]


def held_towns(measures: Measures[Any], held: int) -> list[str]:
    return [name for name, space in measures.towns.items() if held >> space & 1]


def deepest(depths: Mapping[int, float], held: int) -> float:
    return max((depths.get(space, 0.0) for space in members(held)), default=0.0)


KEY_TOWNS = (
    "Echternach", "Monschau", "Clervaux", "Ettelbruck", "St. Vith", "Wiltz", "Malmedy", "Vielsalm", "Houffalize",
    "Stavelot", "Bastogne", "Spa", "Martelange", "La Roche", "Durbuy", "St. Hubert", "Neufchâteau", "Marche",
    "Rochefort", "Ciney", "Huy", "Dinant", "Givet", "Namur",
)  # fmt: skip
"""What the battle was about, for all maps of the whole of it."""


def key_towns(ground: Ground) -> dict[str, int]:
    """Those of the key towns that a map has."""
    known = ground.places()
    return {name: known[name] for name in KEY_TOWNS if name in known}


def measures_of(game: Game[P]) -> Measures[P]:
    """What can be said about this game."""
    module = f"bulge.lab.measures.{game.id}"
    if find_spec(module) is None:
        return Measures(game)
    found: Measures[P] = import_module(module).GameMeasures(game)
    return found
