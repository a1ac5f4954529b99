"""Plain questions about a position: who is where, who controls what, who fires how far (rules 5, 14, 16.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.facts import (
    COMPANIES_TO_A_BATTALION,
    FIRES,
    GERMAN,
    SECTORS,
    STACK_LIMIT,
    US,
    Facts,
)
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.rows import WeatherRow

# ---------------------------------------------------------------------- who is where


def us_in(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    """The US combat units in a space; leaders are none."""
    return places_of(p.where[: facts.us_units.stop], space)


def leaders_in(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    return [unit for unit in facts.leaders if p.where[unit] == space]


def germans_in(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    """The German units that can fight there; guns stay out of it in their staging area (12.1)."""
    first, last = facts.german_units.start, facts.german_units.stop
    found = [first + at for at in places_of(p.where[first:last], space)]
    if facts.staging_areas >> space & 1:
        return [unit for unit in found if facts.mobile_set >> unit & 1]
    return found


def places_of(where: Sequence[int], space: int) -> list[int]:
    """The places at which a space stands in a list: few of many, so that searching beats looking at each."""
    found, at = [], -1
    for _ in range(where.count(space)):
        at = where.index(space, at + 1)
        found.append(at)
    return found


def of_track(facts: Facts, p: BastognePosition, track: int, space: int) -> list[int]:
    """The Germans of one track in a space; in the Center several divisions may meet."""
    return [unit for unit in germans_in(facts, p, space) if p.track[unit - facts.german_units.start] == track]


def guns_in(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    """The German artillery in a staging area."""
    return [unit for unit in facts.german_guns if p.where[unit] == space]


def units_in(facts: Facts, p: BastognePosition, space: int, side: str) -> list[int]:
    return germans_in(facts, p, space) if side == GERMAN else us_in(facts, p, space)


def us_spaces(facts: Facts, p: BastognePosition) -> int:
    return union(set(p.where[: facts.us_units.stop]))


def german_spaces(facts: Facts, p: BastognePosition) -> int:
    """Where German units are, staging areas included."""
    return union(set(facts.places_of_mobile(p.where)))


def markers_in(p: BastognePosition, markers: Iterable[int], place: int) -> list[int]:
    return [marker for marker in markers if p.where[marker] == place]


# ---------------------------------------------------------------------- control (5.2)


@rule("5.2", "5.3")
def german_track(facts: Facts, p: BastognePosition, track: int) -> bool:
    """Whether the Germans control all of a track but the Center."""
    return not facts.track_spaces[track] & ~p.german


@rule("5.2", "5.3", "6.2")
def us_track(facts: Facts, p: BastognePosition, track: int) -> bool:
    """Whether the US controls a track from the Center, which counts for the US, up to the staging area."""
    return not (facts.track_spaces[track] | 1 << facts.center) & p.german


@rule("14.4", "16.9")
def closed_to_us(facts: Facts, p: BastognePosition) -> int:
    """Where US units cannot fall back to: Germans hold it. Germans who have only closed in bar nobody."""
    return german_spaces(facts, p) & p.german


@rule("14.4", "16.9")
def closed_to_germans(facts: Facts, p: BastognePosition) -> int:
    """The same for German units: the US holds it."""
    return us_spaces(facts, p) & ~p.german


# ---------------------------------------------------------------------- stacking (14)


@rule("14.1", "14.2", "14.4")
def load(facts: Facts, p: BastognePosition, space: int) -> int:
    """US battalion equivalents in a space. Germans have no limit and do not count."""
    return facts.places_of_stacking(p.where).count(space)


@rule("14.1")
def full_spaces(facts: Facts, p: BastognePosition) -> int:
    """Where no US battalion has room."""
    places = sorted(facts.places_of_stacking(p.where))
    return union({space for space, full in zip(places, places[STACK_LIMIT - 1 :], strict=False) if space == full})


def has_room(facts: Facts, p: BastognePosition, unit: int, space: int) -> bool:
    return not facts.battalions[unit] or load(facts, p, space) < STACK_LIMIT


@rule("2.9", "6.1")
def battalions(facts: Facts, units: Iterable[int]) -> int:
    """Battalion equivalents: three US companies make one. Every German unit is one."""
    units = list(units)
    german = sum(unit in facts.german_units for unit in units)
    us = [unit for unit in units if unit in facts.us_units]
    companies = sum(facts.companies[unit] for unit in us)
    return german + sum(facts.battalions[unit] for unit in us) + companies // COMPANIES_TO_A_BATTALION


# ---------------------------------------------------------------------- strength, range, weather


@rule("2.62", "8.6", "16.8", "26.0")
def strength(facts: Facts, p: BastognePosition, unit: int) -> int:
    """The factor on the side that shows."""
    return facts.factors[unit][p.steps[unit]]


@rule("24.1.1", "16.10")
def german_strength(facts: Facts, p: BastognePosition, units: Iterable[int], *, entrenched: bool) -> int:
    """Against an entrenchment each German unit counts one less, but at least one."""
    factors = [strength(facts, p, unit) for unit in units]
    return sum(max(1, factor - 1) for factor in factors) if entrenched else sum(factors)


@rule("16.12")
def artillery_strength(facts: Facts, p: BastognePosition, factor: int) -> int:
    """All artillery fires at half strength, rounded up, when it is socked in."""
    return (factor + 1) // 2 if weather(facts, p).halved else factor


def weather(facts: Facts, p: BastognePosition) -> WeatherRow:
    return facts.weather[p.weather]


@rule("16.10")
def defensive(facts: Facts, p: BastognePosition, space: int, side: str) -> bool:
    """Whether units of a side are on defensive terrain: towns, and so Bastogne; for the US also entrenchments."""
    ground = facts.towns | 1 << facts.center | (p.entrenched if side == US else 0)
    return bool(ground >> space & 1)


def range_of(facts: Facts, p: BastognePosition) -> int:
    return weather(facts, p).range


@rule("16.3", "16.5")
def in_range(facts: Facts, p: BastognePosition, space: int) -> int:
    """Where US ground units in a space can fire, which is also from where they can be fired at."""
    return facts.within(space, range_of(facts, p))


# ---------------------------------------------------------------------- who commands (1.0)


@rule("1.0")
def commander(facts: Facts, p: BastognePosition, space: int) -> str:
    """Who decides about a space: the player, or, where several share the command, whoever holds the sector."""
    if not p.shared or space == facts.center:
        return US
    return SECTORS[facts.track_of[space]]


@rule("1.0")
def fire_director(p: BastognePosition) -> str:
    """Who decides about airstrikes and artillery."""
    return FIRES if p.shared else US


def commands(facts: Facts, p: BastognePosition) -> list[tuple[str, int]]:
    """Who decides one after the other, and about which spaces."""
    if not p.shared:
        return [(US, facts.spaces)]
    sectors = zip(SECTORS, facts.track_spaces, strict=True)
    return [(US, 1 << facts.center), *sectors]
