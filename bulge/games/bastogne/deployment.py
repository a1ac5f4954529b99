"""The US sets up (rule 28.1)."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.bars import Bar
from bulge.core.decision import Choice, Decision, Kind, Play, Refusal
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.asked import Asked, no_room, not_on_the_map, not_yet
from bulge.games.bastogne.facts import STACK_LIMIT, US, WAITING, Facts
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import places_of

AS_PLANNED = "as_planned"
"""Put all that is left where our own plan of defence has it."""


@rule("28.1")
def deploy_us(t: SiegeTable, facts: Facts) -> Play:
    """Every unit of the 101st, CCB and CCR goes to any space, the Center included, within stacking."""
    p, question = t.p, WhoDeploys(facts)
    while waiting := question.open(p, facts.led_set):
        options: list[Choice] = [*waiting]
        if _plan_fits(facts, p, waiting):
            options.append(AS_PLANNED)
        prompt = "Which unit do you deploy?"
        unit = yield Decision(US, prompt, options, "28.1", Kind.UNIT, top=True, about=question)
        if unit == AS_PLANNED:
            for unit in waiting:
                _put(t, facts, unit, facts.planned[unit])
            continue
        prompt, where = f"Where does {facts.name_of(unit)} deploy?", WhereToDeploy(facts, unit=unit)
        space = yield Decision(US, prompt, where.open(p, facts.spaces), "28.1", Kind.SPACE, about=where)
        _put(t, facts, unit, space)
    prompt, with_ = "Where do you put General McAuliffe?", WhereIsMcAuliffe(facts, unit=facts.mcauliffe)
    space = yield Decision(US, prompt, with_.open(p, facts.spaces), "28.1", Kind.SPACE, top=True, about=with_)
    _put(t, facts, facts.mcauliffe, space)


class WhoDeploys(Asked):
    said = {AS_PLANNED: "deploy all who wait as in our plan of defence"}

    @rule("28.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, name = self.facts, self.facts.name_of
        yield Bar(facts.german_set, "28.2", lambda unit: f"{name(unit)} is German: the rules deploy it by lot")
        yield Bar(~facts.led_set, "28.1", lambda unit: f"the {name(unit)} is a marker, and needs no place")
        yield from not_yet(facts, p)
        placed = facts.led_set & ~union(places_of(p.where[: facts.rank.stop], WAITING))
        yield Bar(placed, "28.1", lambda unit: f"{name(unit)} is deployed already")

    def why_not_word(self, t: SiegeTable, decision: Decision, word: str) -> Refusal | None:
        return Refusal("14.1", "our plan has no room left for all the others") if word == AS_PLANNED else None


class WhereToDeploy(Asked):
    @rule("14.1", "28.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        yield from no_room(self.facts, p, self.unit)


class WhereIsMcAuliffe(Asked):
    @rule("28.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        airborne = union(p.where[unit] for unit in self.facts.airborne)
        yield Bar(~airborne, "28.1", "no unit of the 101st is there")


def _put(t: SiegeTable, facts: Facts, unit: int, space: int) -> None:
    t.p.where[unit] = space
    t.say("28.1", f"{facts.name_of(unit)} deploys in {facts.at(space)}.", spaces=(space,), units=(unit,))


def _plan_fits(facts: Facts, p: BastognePosition, waiting: list[int]) -> bool:
    """Whether the plan has room for all that are left."""
    after = p.copy()
    for unit in waiting:
        after.where[unit] = facts.planned[unit]
    places = facts.places_of_stacking(after.where)
    return all(places.count(space) <= STACK_LIMIT for space in set(places) if space >= 0)
