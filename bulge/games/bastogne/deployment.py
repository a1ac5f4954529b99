"""The US sets up (rule 28.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Choice, Decision, Kind, Play, Refusal
from bulge.core.look import Subject
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.bastogne.asked import Asked, no_room, not_on_the_map, not_yet
from bulge.games.bastogne.facts import US, WAITING, Facts
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import full_spaces, has_room

AS_PLANNED = "as_planned"
"""Put all that is left where our own plan of defence has it."""


@rule("28.1")
def deploy_us(t: Table[BastognePosition], facts: Facts) -> Play:
    """Every unit of the 101st, CCB and CCR goes to any space, the Center included, within stacking."""
    p = t.p
    while waiting := members(open_to(facts.led_set, may_not_deploy(facts, p))):
        options: list[Choice] = [*waiting]
        if _plan_fits(facts, p, waiting):
            options.append(AS_PLANNED)
        question = WhoDeploys(facts)
        unit = yield Decision(
            US, "Which unit do you deploy?", options, "28.1", Kind.UNIT, top=True, about=question
        )
        if unit == AS_PLANNED:
            for unit in waiting:
                _put(t, facts, unit, facts.board.at(facts.us_rows[unit].start))
            continue
        spaces = members(open_to(facts.spaces, no_place(facts, p, unit)))
        prompt = f"Where does {facts.name_of(unit)} deploy?"
        space = yield Decision(US, prompt, spaces, "28.1", Kind.SPACE, about=WhereToDeploy(facts, unit))
        _put(t, facts, unit, space)
    spaces = members(airborne_spaces(facts, p))
    prompt, where = "Where is General McAuliffe?", WhereIsMcAuliffe(facts)
    space = yield Decision(US, prompt, spaces, "28.1", Kind.SPACE, top=True, about=where)
    _put(t, facts, facts.mcauliffe, space)


@rule("28.1")
def may_not_deploy(facts: Facts, p: BastognePosition) -> Iterator[Bar]:
    name = facts.name_of
    yield Bar(facts.german_set, "28.2", lambda unit: f"{name(unit)} is German: the rules deploy it by lot")
    yield Bar(~facts.led_set, "28.1", lambda unit: f"the {name(unit)} is a marker, and needs no place")
    yield from not_yet(facts, p)
    placed = union(unit for unit in range(facts.leaders.stop) if p.where[unit] != WAITING)
    yield Bar(placed, "28.1", lambda unit: f"{name(unit)} is deployed already")


@rule("14.1", "28.1")
def no_place(facts: Facts, p: BastognePosition, unit: int) -> Iterator[Bar]:
    yield from not_on_the_map(facts)
    yield from no_room(facts, p, unit, full_spaces(facts, p))


@rule("28.1")
def airborne_spaces(facts: Facts, p: BastognePosition) -> int:
    """Where units of the 101st are."""
    return union(p.where[unit] for unit in facts.airborne)


class WhoDeploys(Asked):
    said = {AS_PLANNED: "deploy all the others as in our plan of defence"}

    def bars(self, t: Table[BastognePosition], decision: Decision) -> Iterator[Bar]:
        return may_not_deploy(self.facts, t.p)

    def why_not_word(self, t: Table[BastognePosition], decision: Decision, word: str) -> Refusal | None:
        return Refusal("14.1", "our plan has no room left for all the others") if word == AS_PLANNED else None


@dataclass(frozen=True, slots=True)
class WhereToDeploy(Asked):
    unit: int

    def bars(self, t: Table[BastognePosition], decision: Decision) -> Iterator[Bar]:
        return no_place(self.facts, t.p, self.unit)

    def subject(self, t: Table[BastognePosition], decision: Decision) -> Subject:
        return Subject((), (self.facts.id_of(self.unit),))


class WhereIsMcAuliffe(Asked):
    def bars(self, t: Table[BastognePosition], decision: Decision) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        yield Bar(~airborne_spaces(self.facts, t.p), "28.1", "no unit of the 101st is there")


def _put(t: Table[BastognePosition], facts: Facts, unit: int, space: int) -> None:
    t.p.where[unit] = space
    t.say("28.1", f"{facts.name_of(unit)} deploys in {facts.at(space)}.", spaces=(space,), units=(unit,))


def _plan_fits(facts: Facts, p: BastognePosition, waiting: list[int]) -> bool:
    """Whether the plan has room for all that are left."""
    after = p.copy()
    for unit in waiting:
        space = facts.board.at(facts.us_rows[unit].start)
        if not has_room(facts, after, unit, space):
            return False
        after.where[unit] = space
    return True
