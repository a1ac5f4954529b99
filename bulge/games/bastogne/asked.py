"""What Bastogne's questions have in common: options in words, what rolls, counters never asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cache
from typing import ClassVar

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Role
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.spaces import members, union
from bulge.games.bastogne.facts import GONE, WAITING, Facts
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import commander, full_spaces, germans_in, guns_in, places_of, us_in

NOWHERE = NOBODY = -1
FEW = 3
FULL = "four battalions are there, and that is the limit"


@dataclass(frozen=True, slots=True)
class Asked(Question):
    """The base of every question in Bastogne: what it concerns, what is shut to it, and its words."""

    facts: Facts
    _: KW_ONLY
    space: int = NOWHERE
    unit: int = NOBODY

    said: ClassVar[Mapping[str, str]] = {}
    """The words that it offers, as a person would say them."""
    strikes: ClassVar[Collection[str]] = ()
    """Those of them that commit an attack."""
    asides: ClassVar[Collection[str]] = ()
    """Those of them that do not answer it, or answer it in a roundabout way."""
    commits: ClassVar[bool] = False
    """To name a space commits an attack there."""
    ends: ClassVar[Role] = "end"
    """What `done` ends."""

    def option(self, t: SiegeTable, decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, str):
            return replace(plain, words=self.said.get(choice, plain.words), role=self.role_of(choice))
        if decision.kind is Kind.SPACE:
            words = plain.words + who_is_there(self.facts, t.p, choice)
            return replace(plain, words=words, cost=self.cost(t, choice), role="strike" if self.commits else "")
        if decision.kind is Kind.UNIT and t.p.where[choice] >= 0:
            return replace(plain, spaces=(self.facts.board.name(t.p.where[choice]),))
        return plain

    def role_of(self, word: str) -> Role:
        if word == DONE:
            return self.ends
        return "strike" if word in self.strikes else "aside" if word in self.asides else ""

    def bars(self, t: SiegeTable, decision: Decision) -> Iterator[Bar]:
        return self.shut(t.p)

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        """What cannot be chosen; its options are what is left."""
        yield from ()

    def open(self, p: BastognePosition, candidates: int) -> list[int]:
        """The options among these."""
        return members(open_to(candidates, self.shut(p)))

    def subject(self, t: SiegeTable, decision: Decision) -> Subject | None:
        facts, space = self.facts, self.space
        if space == NOWHERE and self.unit != NOBODY:
            space = t.p.where[self.unit]
        spaces = (facts.board.name(space),) if space >= 0 else ()
        units = (facts.id_of(self.unit),) if self.unit != NOBODY else ()
        return Subject(spaces, units) if spaces or units else None

    def cost(self, t: SiegeTable, space: int) -> str | None:
        """What it costs to choose a space."""
        return None


# ---------------------------------------------------------------------- words


def unit_words(facts: Facts, p: BastognePosition, unit: int) -> str:
    """Name, strength and place of a counter."""
    name, at = facts.name_of(unit), p.where[unit]
    away = "in the pool" if unit in facts.airstrikes else "lost" if at == GONE else "waiting"
    where = f", in {facts.at(at)}" if at >= 0 else f", {away}"
    if at == GONE or unit in facts.impacts or unit in facts.airstrikes or unit in facts.leaders:
        return name + where
    factors = facts.factors[unit]
    if unit in facts.german_guns:
        return f"{name}, {'suppressed' if p.steps[unit] == 1 else f'strength {factors[-1]}'}{where}"
    reduced = " (reduced)" if 0 < p.steps[unit] < facts.full(unit) else ""
    return f"{name}, strength {factors[p.steps[unit]]}{reduced}{where}"


def who_is_there(facts: Facts, p: BastognePosition, space: int) -> str:
    counts = (
        (len(us_in(facts, p, space)), "US"),
        (len(germans_in(facts, p, space)), "German"),
        (len(guns_in(facts, p, space)), "artillery"),
    )
    found = [f"{count} {name}" for count, name in counts if count]
    return f" ({', '.join(found)})" if found else ""


def who_stands(facts: Facts, p: BastognePosition, space: int) -> str:
    """The Germans in a space by name, or the first few of them."""
    units = [facts.name_of(unit) for unit in germans_in(facts, p, space)]
    more = f" and {len(units) - FEW} more" if len(units) > FEW else ""
    return f"{', '.join(units[:FEW])}{more} {'is' if len(units) == 1 else 'are'}"


def german_neighbours(facts: Facts, p: BastognePosition, space: int) -> str:
    """Where the Germans next to a space are."""
    near = [at for at in members(facts.beside[space]) if germans_in(facts, p, at) or guns_in(facts, p, at)]
    return "German units are next to it, in " + " and ".join(map(facts.at, near))


# ---------------------------------------------------------------------- bars that many questions share


def not_at_hand(facts: Facts, p: BastognePosition) -> Iterator[Bar]:
    """Counters that are no US units or leaders on the map."""
    yield from _never_at_hand(facts)
    yield from not_yet(facts, p)
    lost = union(places_of(p.where[: facts.rank.stop], GONE))
    yield Bar(lost, "20.2", lambda unit: f"{facts.name_of(unit)} is lost for good")


@cache
def _never_at_hand(facts: Facts) -> tuple[Bar, ...]:
    name = facts.name_of
    return (
        Bar(facts.german_set, "2.9", lambda unit: f"{name(unit)} is German: the rules move it"),
        Bar(facts.impact_set, "13.0", lambda unit: f"the {name(unit)} is a marker, and not asked for now"),
        Bar(facts.airstrike_set, "27.1", lambda unit: f"{name(unit)} is a marker, and not asked for now"),
    )


def not_yet(facts: Facts, p: BastognePosition) -> Iterator[Bar]:
    """US units and leaders that have still to come."""
    waiting = union(places_of(p.where[: facts.rank.stop], WAITING)) & facts.late_set
    if waiting:
        name, leaders = facts.name_of, facts.late_set & ~facts.us_set & ~(1 << facts.mcauliffe)
        yield Bar(
            waiting & facts.us_set, "21.0", lambda unit: f"{name(unit)} waits for the event US Reinforcements"
        )
        yield Bar(waiting & leaders, "25.0", lambda unit: f"{name(unit)} waits for the event Leader")
        yield Bar(waiting, "28.1", lambda unit: f"{name(unit)} joins a unit of the 101st when all are deployed")


def not_on_the_map(facts: Facts) -> Iterator[Bar]:
    """Boxes and staging areas."""
    yield Bar(facts.staging_areas, "15.10", "US units neither enter a staging area nor fire into it")
    yield Bar(~facts.spaces, "2.4", "it is a box for markers, not a space of the map")


def not_commanded(facts: Facts, p: BastognePosition, side: str, sector: int) -> Iterator[Bar]:
    """Spaces of another commander, where several share the command (1.0)."""
    if p.shared:
        others = facts.spaces & ~sector
        yield Bar(others, "1.0", lambda space: f"{commander(facts, p, space)} commands there, not {side}")


def _battalions_in(facts: Facts, p: BastognePosition, space: int) -> str:
    return ", ".join(facts.name_of(unit) for unit in us_in(facts, p, space) if facts.battalions[unit])


def no_room(facts: Facts, p: BastognePosition, unit: int) -> Iterator[Bar]:
    """Spaces that are full, for a battalion."""
    if facts.battalions[unit]:
        full = full_spaces(facts, p)
        yield Bar(full, "14.1", lambda space: f"{FULL}: {_battalions_in(facts, p, space)}")
