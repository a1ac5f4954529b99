"""What the tests of The Bulge share: positions made by hand, matches that begin in them, and hexes by feature."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache

from bulge.core.chance import Scripted
from bulge.core.decision import Modifier
from bulge.core.match import Match
from bulge.games.hexes.roster import DUE, GONE
from bulge.games.the_bulge.battle import Battle
from bulge.games.the_bulge.facts import POINT, Facts
from bulge.games.the_bulge.game import TheBulge
from bulge.games.the_bulge.movement import Walk
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from tests.games.naming import Naming
from tests.helpers import answer

BulgeMatch = Match[BulgePosition]


@cache
def bulge() -> TheBulge:
    return TheBulge()


def facts() -> Facts:
    return bulge().facts


NAMING = Naming(facts)
at, hexes, names = NAMING.at, NAMING.hexes, NAMING.names
unit, units = NAMING.unit, NAMING.units


# ---------------------------------------------------------------------- positions


def start() -> BulgePosition:
    """The printed set-up."""
    return bulge().set_up("campaign", {})


def position(
    placed: Mapping[str, str] | None = None, *, turn: int = 4, step: str = "german_movement"
) -> BulgePosition:
    """Nobody on the map but these units, at full strength; control as at the start, and under every unit."""
    p = start()
    p.where = [GONE] * len(p.where)
    p.turn, p.step = turn, step
    for id_, hex_ in (placed or {}).items():
        place(p, id_, hex_)
    return p


def place(p: BulgePosition, id_: str, hex_: str, *, steps: int | None = None) -> None:
    """Put a unit down; its side takes the hex."""
    number, here = unit(id_), 1 << at(hex_)
    p.where[number] = at(hex_)
    if steps is not None:
        p.steps[number] = steps
    if not facts().fighting[number]:
        return
    p.german = p.german | here if number in facts().german_units else p.german & ~here


def situation(placed: Mapping[str, str] | BulgePosition, *, turn: int = 4) -> Situation:
    return Situation(facts(), placed if isinstance(placed, BulgePosition) else position(placed, turn=turn))


def where(p: BulgePosition, id_: str) -> str | None:
    """The hex of a unit, or None if it is not on the map."""
    hex_ = p.where[unit(id_)]
    return facts().board.name(hex_) if hex_ >= 0 else None


# ---------------------------------------------------------------------- play


def play(p: BulgePosition, dice: Sequence[int] = ()) -> BulgeMatch:
    """A match from this position on, at the beginning of its step, with these dice."""
    return Match.at(bulge(), p, Scripted(dice))


def points_left(match: BulgeMatch) -> Fraction:
    """What the moving unit has left."""
    way = match.asked().about
    assert isinstance(way, Walk)
    return Fraction(way.left, POINT)


# ---------------------------------------------------------------------- hexes by feature


def roads(hex_: str) -> set[str]:
    """Where a road leads from a hex."""
    return names(facts().roads.across(hexes(hex_)))


@cache
def around(hex_: str) -> frozenset[str]:
    return frozenset(names(facts().board.around(hexes(hex_))))


@cache
def terrain(hex_: str) -> str:
    return next(name for name, found in facts().by_terrain.items() if found >> at(hex_) & 1)


def steps_where(
    wanted: Callable[[str, str], bool], among: Iterable[str] | None = None
) -> Iterator[tuple[str, str]]:
    """Every pair of neighbours (from, to) with this property, in a fixed order."""
    for one in sorted(among if among is not None else names(facts().board.all)):
        for other in sorted(around(one)):
            if wanted(one, other):
                yield one, other


@cache
def side_is(one: str, other: str, feature: str) -> bool:
    """Whether the side between two hexes has a `river`, a `bridge` or a `road`."""
    sides = {"river": facts().rivers, "bridge": facts().bridges, "road": facts().roads}[feature]
    return sides.between(at(one), at(other))


# ---------------------------------------------------------------------- battles

DECLINED = {"7.5": "done", "14.2": "stand", "14.7": "no_support", "15.1": "no_air_support"}
"""What says no to each offer that comes between naming the attackers and choosing the column."""


def due(p: BulgePosition, *ids: str) -> BulgePosition:
    """Let these units wait off the map."""
    for id_ in ids:
        p.where[unit(id_)] = DUE
    return p


def battle(s: Situation, target: str, *attackers: str, before_movement: bool = True, air: bool = False) -> Battle:
    """An attack by these units, on paper."""
    numbers = [unit(id_) for id_ in attackers]
    planned = Battle(s, facts().side_of(numbers[0]), at(target), before_movement)
    planned.attackers, planned.air = numbers, air
    return planned


def amounts(modifiers: Iterable[Modifier]) -> dict[str, int]:
    return {modifier.words: modifier.amount for modifier in modifiers}


def name_attack(match: BulgeMatch, target: str, *attackers: str) -> BulgeMatch:
    """Attack a hex with these units: everything up to the answers to it."""
    answer(match, target, *attackers)
    if match.asked().rule == "13.4":
        match.answer("attack")
    return match


def decline(match: BulgeMatch) -> BulgeMatch:
    """Say no to support, airlift and evasion until the column is asked for, or the battle is over."""
    while match.asked().rule in DECLINED:
        match.answer(DECLINED[match.asked().rule])
    return match


def fight(p: BulgePosition, target: str, attackers: Sequence[str], result: str) -> BulgeMatch:
    """An attack that gets this result, on the highest column that can give it, without support."""
    dice: list[int] = []
    match = decline(name_attack(play(p, dice), target, *attackers))
    table = facts().crt
    for option in match.asked().options:
        column = table.columns.index(str(option).partition(" ")[0])
        for die in range(1, 7):
            if table.result(column, die) == result:
                dice.append(die)
                return answer(match, str(option))
    raise AssertionError(f"no column gives {result}")


def first_step(wanted: Callable[[str, str], bool]) -> tuple[str, str]:
    """The first pair of neighbours (from, to) with this property."""
    return next(steps_where(wanted))


def distance(one: str, other: str) -> int:
    return facts().board.distance(at(one), at(other))


def hex_off(hexes: Iterable[str], distance_: int) -> str:
    """A hex whose distance to the nearest of these is exactly so much."""
    nearest = {name: min(distance(name, other) for other in hexes) for name in names(facts().board.all)}
    return min(name for name, off in nearest.items() if off == distance_)


# ---------------------------------------------------------------------- the rules worked out the plain way


POINTS_TO_ENTER = {"clear": 1, "rough": 2, "light_woods": 3, "heavy_woods": 4}


class Plain:
    """Who stands where, as sets of hex numbers, for a slow second opinion on supply and movement."""

    def __init__(self, p: BulgePosition, side: str) -> None:
        fighting = [number for number in range(len(p.where)) if p.where[number] >= 0 and facts().fighting[number]]
        self.stood = {number: facts().board.name(p.where[number]) for number in fighting}
        own = facts().units_of[side]
        self.own = {hex_ for number, hex_ in self.stood.items() if number in own}
        self.enemy = set(self.stood.values()) - self.own
        self.zone = {near for hex_ in self.enemy for near in around(hex_)}
        allied = side == "Allied"
        reached = self.enemy | (self.zone - self.own) if allied else _within_three(self.enemy)
        self.broken = {name for name in facts().bridges.names() if set(name.split("/")) & reached}

    def river(self, one: str, other: str) -> int:
        """The point for a river without a bridge that holds."""
        bridged = side_is(one, other, "bridge") and "/".join(sorted((one, other))) not in self.broken
        return int(side_is(one, other, "river") and not bridged)

    def road(self, one: str, other: str, *, unbroken: bool) -> bool:
        return side_is(one, other, "road") and not (unbroken and "/".join(sorted((one, other))) in self.broken)


def _within_three(hexes: set[str]) -> set[str]:
    found = set(hexes)
    for _ in range(3):
        found |= {near for hex_ in found for near in around(hex_)}
    return found


def positions_from_play(games: int, every: int) -> Iterator[BulgePosition]:
    """Positions that random play leads to, one in so many choices."""
    for seed in range(games):
        rng = random.Random(seed)
        match = Match(bulge(), seed=f"{seed:032x}", keep_log=False)
        count = 0
        while match.decision is not None:
            wordless = [choice for choice in match.decision.options if choice not in ("done", "stop", "exit")]
            busy = wordless and rng.random() < 0.7
            match.choose(rng.choice(wordless if busy else list(match.decision.options)))
            count += 1
            if count % every == 0 and match.decision is not None:
                yield match.position.copy()
