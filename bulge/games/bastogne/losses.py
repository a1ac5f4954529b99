"""Hits, retreats and what becomes of a space (rules 5.2, 13.4, 14.3, 16.6 to 16.9, 24.1, 25.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bulge.core.bars import Bar
from bulge.core.decision import Decision, Kind, Play, Together
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.asked import Asked, no_room
from bulge.games.bastogne.facts import GERMAN, GONE, STACK_LIMIT, US, Facts
from bulge.games.bastogne.morale import change_morale
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import (
    battalions,
    closed_to_germans,
    closed_to_us,
    commander,
    full_spaces,
    germans_in,
    leaders_in,
    load,
    strength,
    units_in,
    us_in,
)

GERMANS_FOR_MORALE, US_FOR_MORALE = 3, 2
"""Battalions eliminated in one space by one attack that change morale (6.1)."""


@dataclass
class Tally:
    """What one combat has cost: the units eliminated."""

    lost: list[int] = field(default_factory=list)

    def of(self, facts: Facts, side: str) -> int:
        """Battalions of a side."""
        return battalions(facts, [unit for unit in self.lost if facts.side_of(unit) == side])


# ---------------------------------------------------------------------- steps


@rule("13.4", "16.8", "20.2")
def lose_step(t: SiegeTable, facts: Facts, unit: int, rule_: str, tally: Tally) -> None:
    """A unit is reduced, or eliminated with its last step; lost guns take their impact marker with them."""
    p = t.p
    space = p.where[unit]
    p.steps[unit] -= 1
    if not p.steps[unit]:
        p.where[unit] = GONE
        tally.lost.append(unit)
    state = "reduced" if p.steps[unit] else "eliminated"
    words = f"{facts.name_of(unit)} is {state} in {facts.at(space)}."
    t.say(rule_, words, spaces=(space,), units=(unit,), kind="loss")
    if p.steps[unit]:
        return
    if unit in facts.impact_of and p.where[facts.impact_of[unit]] != GONE:
        p.where[facts.impact_of[unit]] = GONE
        t.say("13.4", f"The impact marker of {facts.name_of(unit)} is removed for good.", units=(unit,))
    settle(t, facts, space)


@rule("16.6", "16.7")
def inflict(t: SiegeTable, facts: Facts, space: int, side: str, hits: int, rule_: str, tally: Tally) -> Play:
    """The player says who takes each hit, on either side; hits beyond the last step are lost."""
    p = t.p
    for left in range(hits, 0, -1):
        units = units_in(facts, p, space, side)
        if not units:
            return
        unit = units[0]
        if len(units) > 1 and sum(p.steps[unit] for unit in units) > left:
            question = Hit(facts, space=space, side=side, left=left)
            able = question.open(p, union(units))
            named = standing_choice(facts, p, able, cost_of_a_step)
            if named is None:
                prompt = f"Which unit in {facts.at(space)} takes a hit? {left} to take"
                named = yield Decision(commander(facts, p, space), prompt, able, rule_, Kind.UNIT, about=question)
            unit = named
        lose_step(t, facts, unit, rule_, tally)


@rule("16.7")
def standing_choice(
    facts: Facts, p: BastognePosition, units: list[int], worth: Callable[[Facts, BastognePosition, int], int]
) -> int | None:
    """Whom the player need not name: by standing order a German, or one of US units that differ in name only."""
    if len(units) == 1:
        return units[0]
    if units[0] in facts.german_units:
        return None if p.german_losses_asked else max(units, key=lambda unit: worth(facts, p, unit))
    return units[0] if len({_state_of(facts, p, unit) for unit in units}) == 1 else None


def _state_of(facts: Facts, p: BastognePosition, unit: int) -> tuple[object, ...]:
    """All that the rules know of a US unit now; of guns, also where their impact marker is."""
    came_from = p.from_[unit] if p.from_ else 0
    aimed = p.where[facts.impact_of[unit]] if unit in facts.impact_of else 0
    return facts.alike[unit], p.steps[unit], p.done >> unit & 1, came_from, aimed


def cost_of_a_step(facts: Facts, p: BastognePosition, unit: int) -> int:
    """What a unit loses with its next step."""
    return _loss(facts, unit, p.steps[unit])


def _loss(facts: Facts, unit: int, steps: int) -> int:
    return facts.factors[unit][steps] - facts.factors[unit][steps - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stricken(Asked):
    """The units of a side in a space, one of which is to be named."""

    side: str
    left: int = 1
    """How many are to be named."""

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, struck = self.facts, union(units_in(self.facts, p, self.space, self.side))
        where = facts.at(self.space)
        yield Bar(~struck, "16.6", lambda unit: f"{facts.name_of(unit)} is none of the units struck in {where}")


class Hit(Stricken):
    """Losses that the player shares out in a space."""

    @rule("16.7")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        """US units in any order; of German units those of two steps first."""
        yield from Stricken.shut(self, p)
        if self.side != GERMAN:
            return
        whole = union([unit for unit in germans_in(self.facts, p, self.space) if p.steps[unit] == 2])
        if whole:
            yield Bar(~whole, "16.7", "German units of two steps are reduced before any is eliminated")

    @rule("16.7")
    def together(self, t: SiegeTable, decision: Decision) -> Together:
        """Shared out so that the least strength is lost, and as few units as can be."""
        facts, steps = self.facts, list(t.p.steps)
        shared: list[int] = []
        for _ in range(self.left):
            able = [unit for unit in decision.options if isinstance(unit, int) and steps[unit]]
            if not able:
                break
            unit = min(able, key=lambda unit: (steps[unit] == 1, _loss(facts, unit, steps[unit])))
            steps[unit] -= 1
            shared.append(unit)
        names = ", ".join(facts.id_of(unit) for unit in shared)
        return Together(f"share {self.left} hits out: {names}", tuple(shared))


# ---------------------------------------------------------------------- retreats


@rule("16.6", "16.9")
def drive_out(t: SiegeTable, facts: Facts, space: int, side: str, retreats: int, tally: Tally) -> Play:
    """For each retreat result one unit leaves the space, as far as its own die says; none is driven twice."""
    p = t.p
    driven = 0
    for left in range(retreats, 0, -1):
        units = [unit for unit in units_in(facts, p, space, side) if not driven >> unit & 1]
        if not units:
            return
        unit = standing_choice(facts, p, units, strength) if len(units) > left else units[0]
        if unit is None:
            prompt = f"Which unit retreats from {facts.at(space)}? {left} to go"
            question = DrivenOut(facts, space=space, side=side, left=left, driven=driven)
            able = question.open(p, union(units))
            unit = yield Decision(commander(facts, p, space), prompt, able, "16.9", Kind.UNIT, about=question)
        driven |= 1 << unit
        distance = t.roll("16.9", f"retreat of {facts.name_of(unit)}")
        if side == GERMAN:
            retreat_german(t, facts, unit, distance, tally)
        elif space == facts.center:
            yield from _leave_center(t, facts, unit, tally)
        else:
            retreat_us(t, facts, unit, distance, tally)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivenOut(Stricken):
    """Which unit a retreat result drives out of a space."""

    driven: int

    @rule("16.6")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from Stricken.shut(self, p)
        yield Bar(self.driven, "16.6", "it has been driven already, and no unit is driven twice")


@rule("16.9")
def retreat_german(t: SiegeTable, facts: Facts, unit: int, distance: int, tally: Tally) -> None:
    """Towards the staging area of its own track, short of US units; who cannot go at all loses a step."""
    p = t.p
    line = facts.tracks[p.track[unit - facts.german_units.start]]
    at, barred = facts.number_of[p.where[unit]], closed_to_germans(facts, p)
    goal = at
    while goal < min(at + distance, len(line) - 1) and not barred >> line[goal + 1] & 1:
        goal += 1
    if goal == at:
        _stand(t, facts, unit, tally)
        return
    go(t, facts, unit, [*line[at + 1 : goal + 1]], "16.9", "retreats")


@rule("14.3", "16.9")
def retreat_us(t: SiegeTable, facts: Facts, unit: int, distance: int, tally: Tally) -> None:
    """Towards the Center: not past it, nor past an entrenchment, nor into Germans; and on, out of an overstack."""
    p = t.p
    line = facts.tracks[facts.track_of[p.where[unit]]]
    at, barred = facts.number_of[p.where[unit]], closed_to_us(facts, p)
    goal, left = at, distance
    full = full_spaces(facts, p) if facts.battalions[unit] else 0
    while goal and not barred >> line[goal - 1] & 1:
        if goal != at and p.entrenched >> line[goal] & 1:
            left = 0
        if not left and not full >> line[goal] & 1:
            break
        goal, left = goal - 1, max(0, left - 1)
    while 0 < goal < at and full >> line[goal] & 1:
        goal += 1  # Germans bar the way out of the overstack
    if goal == at:
        _stand(t, facts, unit, tally)
        return
    go(t, facts, unit, line[at - 1 : goal - 1 if goal else None : -1], "16.9", "retreats")
    if load(facts, p, line[goal]) > STACK_LIMIT:
        t.say("14.3", f"{facts.at(line[goal])} is overstacked for the time being.", spaces=(line[goal],))


class Retreat(Asked):
    """A unit driven out of the Center goes to the first space of a track that is still the US's."""

    @rule("16.9", "17.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        first = self.facts.beside[self.facts.center]
        yield Bar(~first, "16.9", "a retreat from the Center goes to the first space of a track")
        yield Bar(p.german, "16.9", "the Germans control it")
        yield from no_room(self.facts, p, self.unit)


def _leave_center(t: SiegeTable, facts: Facts, unit: int, tally: Tally) -> Play:
    question = Retreat(facts, unit=unit)
    ways = question.open(t.p, facts.spaces)
    if not ways:
        _stand(t, facts, unit, tally)
        return
    goal = ways[0]
    if len(ways) > 1:
        prompt = f"Where does {facts.name_of(unit)} retreat to?"
        goal = yield Decision(US, prompt, ways, "16.9", Kind.SPACE, about=question)
    go(t, facts, unit, [goal], "16.9", "retreats")


def _stand(t: SiegeTable, facts: Facts, unit: int, tally: Tally) -> None:
    t.say("16.9", f"{facts.name_of(unit)} has nowhere to retreat to.", units=(unit,))
    lose_step(t, facts, unit, "16.9", tally)


def go(t: SiegeTable, facts: Facts, unit: int, way: list[int], rule_: str, verb: str) -> None:
    """Bring a unit along a way."""
    go_together(t, facts, [unit], way, rule_, verb)


@rule("5.2", "25.3")
def go_together(t: SiegeTable, facts: Facts, units: list[int], way: list[int], rule_: str, verb: str) -> None:
    """Units of one space go along a way; every space on it changes hands. The last to go take leaders along."""
    p = t.p
    left = p.where[units[0]]
    if units[0] in facts.us_units and us_in(facts, p, left) == units:
        units = [*units, *leaders_in(facts, p, left)]
    for space in way:
        for unit in units:
            p.where[unit] = space
        settle(t, facts, space)
    settle(t, facts, left)
    if t.keeps_log:
        names = ", ".join(map(facts.name_of, units))
        words = f"From {facts.at(left)} {names} {verb} to {facts.at(way[-1])}."
        t.say(rule_, words, spaces=(left, *way), units=tuple(units), kind="move")


# ---------------------------------------------------------------------- what becomes of a space


@rule("5.2", "24.1", "25.3")
def settle(t: SiegeTable, facts: Facts, space: int) -> None:
    """Who is alone in a space controls it; Germans alone there destroy entrenchments and catch leaders."""
    p, here = t.p, 1 << space
    if not facts.spaces & here:
        return
    germans, americans = space in facts.places_of_mobile(p.where), space in p.where[: facts.us_units.stop]
    if germans and not americans:
        p.german |= here
        if p.entrenched & here:
            p.entrenched &= ~here
            t.say("24.1", f"The entrenchment in {facts.at(space)} is lost.", spaces=(space,))
        for leader in leaders_in(facts, p, space):
            p.where[leader] = GONE
            t.say("25.3", f"{facts.name_of(leader)} is lost in {facts.at(space)}.", units=(leader,), kind="loss")
    elif americans and not germans:
        p.german &= ~here


@rule("6.1")
def note_losses(t: SiegeTable, facts: Facts, tally: Tally) -> None:
    """One attack that eliminates three German or two US battalions in a space changes morale."""
    if tally.of(facts, GERMAN) >= GERMANS_FOR_MORALE:
        change_morale(t, -1, "6.1", f"{tally.of(facts, GERMAN)} German battalions eliminated by one attack")
    if tally.of(facts, US) >= US_FOR_MORALE:
        change_morale(t, 1, "6.1", f"{tally.of(facts, US)} US battalions eliminated by one attack")
