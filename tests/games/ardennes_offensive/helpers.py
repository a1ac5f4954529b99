"""What the tests of The Ardennes Offensive share: positions made by hand, matches, hexes by feature."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache

from bulge.core.chance import Scripted
from bulge.core.match import Match
from bulge.games.ardennes_offensive.battle import Battle, columns_to_choose, table_for
from bulge.games.ardennes_offensive.facts import ABSENT, POINT, Facts
from bulge.games.ardennes_offensive.game import ArdennesOffensive
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from bulge.games.ardennes_offensive.walking import WhereNext
from bulge.games.hexes.roster import DUE, GONE
from tests.games.naming import Naming
from tests.helpers import offered

ArdennesMatch = Match[ArdennesPosition]


@cache
def ardennes() -> ArdennesOffensive:
    return ArdennesOffensive()


def facts() -> Facts:
    return ardennes().facts


NAMING = Naming(facts)
at, hexes, names = NAMING.at, NAMING.hexes, NAMING.names
unit, units = NAMING.unit, NAMING.units


# ---------------------------------------------------------------------- positions


def start(scenario: str = "1") -> ArdennesPosition:
    return ardennes().set_up(scenario, {})


def position(
    placed: Mapping[str, str] | None = None,
    *,
    turn: int = 4,
    step: str = "german_movement",
    road: Iterable[str] = (),
    scenario: str = "1",
) -> ArdennesPosition:
    """Nobody in play but these units; `road` names those in Road Mode."""
    p = start(scenario)
    p.where = [ABSENT] * len(p.where)
    p.turn, p.step = turn, step
    for id_, hex_ in (placed or {}).items():
        p.where[unit(id_)] = at(hex_)
    p.road = units(*road)
    return p


def beside(p: ArdennesPosition, id_: str, hex_: str, *, dormant: bool = False) -> ArdennesPosition:
    """Put a unit beside the map: asleep, or a reinforcement in Road Mode that is about to come on."""
    p.where[unit(id_)] = at(hex_) if dormant else facts().beside[at(hex_)]
    if dormant:
        p.dormant |= units(id_)
    else:
        p.road |= units(id_)
    return p


def due(p: ArdennesPosition, *ids: str) -> ArdennesPosition:
    """Let these units wait for their turn."""
    for id_ in ids:
        p.where[unit(id_)] = DUE
    return p


def situation(p: ArdennesPosition) -> Situation:
    return Situation(facts(), p)


def where(p: ArdennesPosition, id_: str) -> str | None:
    """The hex of a unit in play, `beside 0109`, `lost`, or None for one that is not there."""
    space = p.where[unit(id_)]
    if space == GONE:
        return "lost"
    if space < 0:
        return None
    name = facts().board.name(space)
    return f"beside {name}" if is_in(name, facts().edge) else name


def in_road_mode(p: ArdennesPosition, id_: str) -> bool:
    return bool(p.road & units(id_))


# ---------------------------------------------------------------------- play


def play(p: ArdennesPosition, dice: Sequence[int] = ()) -> ArdennesMatch:
    """A match from this position on, at the beginning of its step, with these dice."""
    return Match.at(ardennes(), p, Scripted(dice))


def points_left(match: ArdennesMatch) -> Fraction:
    """What the moving unit has left."""
    question = match.asked().about
    assert isinstance(question, WhereNext)
    return Fraction(question.way.left, POINT)


def refusal(match: ArdennesMatch, asked: str) -> tuple[str, str]:
    """As `refused_by`, with the words."""
    assert asked not in offered(match), f"{asked} is offered"
    found = match.why_not(asked)
    return found.rule, found.words


# ---------------------------------------------------------------------- hexes by feature


@cache
def around(hex_: str) -> frozenset[str]:
    return frozenset(names(facts().board.around(hexes(hex_))))


def distance(one: str, other: str) -> int:
    return facts().board.distance(at(one), at(other))


def live() -> list[str]:
    return sorted(names(facts().passable))


def is_in(hex_: str, spaces: int) -> bool:
    return bool(spaces >> at(hex_) & 1)


@cache
def side_is(one: str, other: str, feature: str) -> bool:
    """Whether the side between two hexes has a `river` to wade, a `ford`, a `bridge` or a `road`."""
    sides = {
        "river": facts().unbridged,
        "ford": facts().fords,
        "bridge": facts().bridges,
        "road": facts().roads,
    }[feature]
    return sides.between(at(one), at(other))


def dry(one: str, other: str) -> bool:
    """Neither river nor road between them."""
    return not any(side_is(one, other, feature) for feature in ("river", "ford", "bridge", "road"))


def steps_where(wanted: Callable[[str, str], bool]) -> Iterator[tuple[str, str]]:
    """Every pair of live neighbours (from, to) with this property, in a fixed order."""
    for one in live():
        for other in sorted(around(one)):
            if is_in(other, facts().passable) and wanted(one, other):
                yield one, other


def first_step(wanted: Callable[[str, str], bool]) -> tuple[str, str]:
    return next(steps_where(wanted))


def in_the_wall() -> tuple[str, str]:
    """A hex of the West Wall and its neighbour outside."""
    return first_step(lambda one, other: is_in(one, facts().wall) and not is_in(other, facts().wall))


@cache
def meadow(radius: int = 2) -> str:
    """A live hex with nothing but clear hexes around it: no river, road, town or wall, and far from the edges."""
    for name in live():
        near = facts().board.within(hexes(name), radius)
        plain = near & facts().clear & facts().live & ~facts().towns & ~facts().wall & ~facts().cleared_wall
        if near != plain or near.bit_count() != 1 + 3 * radius * (radius + 1):
            continue
        inside = sorted(names(near))
        if all(dry(one, other) for one in inside for other in around(one) & set(inside)):
            return name
    raise AssertionError("no such meadow on this map")


def ring(hex_: str, radius: int = 1) -> list[str]:
    """The hexes at this distance, clockwise as the board goes round for radius 1."""
    return sorted(names(facts().board.ring(hexes(hex_), radius)))


def clockwise(hex_: str) -> list[str]:
    """The six neighbours, one next to the other."""
    board = facts().board
    return [board.name(board.neighbour(at(hex_), direction)) for direction in range(6)]


@cache
def highway(length: int, *, rivers: bool = False) -> tuple[str, ...]:
    """A road of so many hexes through open country on the Allied side: no town, and no short cut to itself.

    Without rivers no bridge is on it.
    """
    for name in live():
        if way := _extend((name,), length, rivers):
            return way
    raise AssertionError("no such road on this map")


def _extend(way: tuple[str, ...], length: int, rivers: bool) -> tuple[str, ...] | None:
    if len(way) == length:
        return way
    for next_ in sorted(names(facts().roads.across(hexes(way[-1])))):
        if (
            next_ not in way
            and is_in(next_, facts().passable & ~facts().german_ground & ~facts().towns)
            and (rivers or not side_is(way[-1], next_, "bridge"))
            and not any(next_ in names(facts().roads.across(hexes(old))) for old in way[:-1])
            and (found := _extend((*way, next_), length, rivers))
        ):
            return found
    return None


# ---------------------------------------------------------------------- battles

STRONG = ["1SSPz", "12SSPz", "16Pz"]
"""Three panzer regiments, who beat most others."""


def battle(targets: str | Sequence[str], *attackers: str) -> Battle:
    """An attack by these units, on paper."""
    numbers = [unit(id_) for id_ in attackers]
    target_names = [targets] if isinstance(targets, str) else list(targets)
    return Battle(facts().side_of(numbers[0]), [at(name) for name in target_names], numbers)


def name_attack(match: ArdennesMatch, target: str | Sequence[str], *attackers: str) -> ArdennesMatch:
    """Attack a hex, or several, with these units: everything up to the choice of odds."""
    for hex_ in [target] if isinstance(target, str) else target:
        match.answer(hex_)
    if match.asked().rule == "9.2D":
        match.answer("done")
    for id_ in attackers:
        match.answer(id_)
    if match.asked().rule == "9.1A":
        match.answer("attack")
    return match


def fight(
    p: ArdennesPosition,
    target: str | Sequence[str],
    attackers: Sequence[str],
    result: str,
    *,
    waive: Iterable[str] = (),
) -> ArdennesMatch:
    """An attack that gets this result, at the highest odds that can give it; who can stands, but where waived."""
    on_paper = battle(target, *attackers)
    table = table_for(facts(), situation(p), on_paper.side)
    for column in columns_to_choose(facts(), situation(p), on_paper):
        die = next((die for die in range(1, 7) if table.result(column, die) == result), None)
        if die is not None:
            break
    else:
        raise AssertionError(f"no odds that may be chosen give {result}")
    match = name_attack(play(p, [die]), target, *attackers)
    if match.asked().rule == "9.4L":
        match.answer(table.columns[column])
    for hex_ in waive:
        match.answer(hex_)
    while match.decision is not None and match.asked().rule == "E11.0":
        match.answer("roll")
    return match


def retreated(match: ArdennesMatch) -> ArdennesMatch:
    """Lead every retreat by the first hex offered each time."""
    while match.decision is not None and match.asked().rule == "10.2":
        match.choose(match.asked().options[0])
    return match
