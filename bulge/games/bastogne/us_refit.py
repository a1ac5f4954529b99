"""What US supply pays for in the Refit Phase: redeployment, refit, entrenchments (19.2, 20, 23, 24)."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.look import Reachable
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.bastogne.asked import Asked, german_neighbours, no_room, not_at_hand, not_on_the_map
from bulge.games.bastogne.facts import US, Facts, counted
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.preparation import spend
from bulge.games.bastogne.situation import german_spaces, guns_in, us_in, us_spaces

DIG_COST, ENGINEERS_DIG_COST = 2, 1


@rule("19.2")
def without_hq(facts: Facts, p: BastognePosition) -> int:
    """Spaces where no HQ is: redeployment, refit and enhancement need one."""
    return ~union([p.where[hq] for hq in facts.hqs])


def _standing_in(facts: Facts, p: BastognePosition, spaces: int) -> int:
    """The US units and leaders in these spaces."""
    return union(u for u in facts.rank if p.where[u] >= 0 and spaces >> p.where[u] & 1)


# ---------------------------------------------------------------------- redeployment (23)


@rule("23.0")
def near_germans(facts: Facts, p: BastognePosition) -> int:
    """Spaces next to German units, those and the guns in a staging area included."""
    germans = german_spaces(facts, p) | union(area for area in facts.staging if guns_in(facts, p, area))
    return union(space for space in members(facts.spaces) if facts.beside[space] & germans)


class WhoRedeploys(Asked):
    @rule("19.2", "23.0", "23.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, name, near = self.facts, self.facts.name_of, near_germans(self.facts, p)
        yield from not_at_hand(facts, p)
        yield Bar(p.done, "23.1", lambda unit: f"{name(unit)} has been redeployed this turn")
        without = _standing_in(facts, p, without_hq(facts, p))
        yield Bar(without, "19.2", lambda unit: f"no HQ is in {facts.at(p.where[unit])}")
        next_to = _standing_in(facts, p, near)
        yield Bar(next_to, "23.0", lambda unit: german_neighbours(facts, p, p.where[unit]))
        yield Bar(
            lambda unit: not Redeployment(facts, unit=unit).open(p, facts.spaces), "23.1", "no space is open to it"
        )


class Redeployment(Asked):
    """A unit that is picked up, and where it may be put down: along its track, to the Center, or from there."""

    @rule("23.0", "23.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, here = self.facts, p.where[self.unit]
        yield from not_on_the_map(facts)
        yield Bar(1 << here, "23.1", "the unit is there now")
        yield Bar(p.german | german_spaces(facts, p), "23.0", "it is not US controlled")
        yield Bar(near_germans(facts, p), "23.0", lambda space: german_neighbours(facts, p, space))
        yield from no_room(facts, p, self.unit)
        if here != facts.center:
            along = facts.track_spaces[facts.track_of[here]] | 1 << facts.center
            yield Bar(~along, "23.1", "redeployment goes along the unit's own track, to the Center, or from there")

    def cost(self, t: SiegeTable, space: int) -> str:
        return "1 supply"

    def reachable(self, t: SiegeTable, decision: Decision) -> Reachable:
        name = self.facts.board.name
        here, ends = name(t.p.where[self.unit]), [name(int(end)) for end in decision.options]
        return Reachable(dict.fromkeys(ends, "1 supply"), {end: (here, end) for end in ends})


@rule("4.2", "23.1")
def redeploy(t: SiegeTable, facts: Facts) -> Play:
    """A supply point a unit, each unit once a turn."""
    p, question = t.p, WhoRedeploys(facts)
    while p.supply and (movable := question.open(p, facts.led_set)):
        prompt = f"Redeploy a unit for a supply point? Supply is {p.supply}"
        options: list[Choice] = [*movable, DONE]
        unit = yield Decision(US, prompt, options, "23.0", Kind.UNIT, top=True, about=question)
        if unit == DONE:
            break
        prompt, where = f"Where does {facts.name_of(unit)} redeploy to?", Redeployment(facts, unit=unit)
        end = yield Decision(US, prompt, where.open(p, facts.spaces), "23.1", Kind.SPACE, about=where)
        p.where[unit] = end
        p.done |= 1 << unit
        spend(t, 1, "19.2", f"redeploying {facts.name_of(unit)} to {facts.at(end)}")
    p.done = 0


# ---------------------------------------------------------------------- refit and digging in (20, 24)


@rule("19.2", "24.1", "24.2")
def digging_cost(facts: Facts, p: BastognePosition, space: int) -> int | None:
    """One point with engineers, two with another battalion that is no artillery; None where nobody can dig."""
    if p.entrenched >> space & 1:
        return None
    units = us_in(facts, p, space)
    if any(unit in facts.engineers for unit in units):
        return ENGINEERS_DIG_COST
    if any(facts.battalions[unit] and unit not in facts.impact_of for unit in units):
        return DIG_COST
    return None


REFIT, DIG = "refit", "dig_in"


class SpendSupply(Asked):
    """What supply is spent on last in a turn."""

    said = {REFIT: "restore a reduced unit", DIG: "entrench a space", DONE: "keep the rest and end the turn"}
    ends = "end_turn"


class WhoIsRefitted(SpendSupply):
    """It takes the Center or an entrenchment, and an HQ in the space."""

    @rule("19.2", "20.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, name, shelter = self.facts, self.facts.name_of, p.entrenched | 1 << self.facts.center
        yield from not_at_hand(facts, p)
        whole = union(unit for unit in facts.us_units if p.steps[unit] == facts.us_full[unit])
        yield Bar(whole | ~facts.us_set, "20.1", lambda unit: f"{name(unit)} is not reduced")
        outside = _standing_in(facts, p, ~shelter)
        yield Bar(outside, "20.1", lambda unit: f"{facts.at(p.where[unit])} is neither entrenched nor the Center")
        without = _standing_in(facts, p, without_hq(facts, p))
        yield Bar(without, "19.2", lambda unit: f"no HQ is in {facts.at(p.where[unit])}")


class WhereToDig(SpendSupply):
    @rule("19.2", "24.1")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, held = self.facts, us_spaces(self.facts, p)
        yield from not_on_the_map(facts)
        yield Bar(p.entrenched, "24.1", "it is entrenched already")
        yield Bar(~held, "24.1", "no US unit is there to dig")
        costs = {space: digging_cost(facts, p, space) for space in members(held)}
        nobody = union(space for space, cost in costs.items() if cost is None)
        yield Bar(nobody, "24.1", "it takes engineers, or a battalion that is no artillery")
        dear = union(space for space, cost in costs.items() if cost is not None and cost > p.supply)
        yield Bar(dear, "19.2", lambda space: f"it costs {costs[space]} supply, and you have {p.supply}")

    def cost(self, t: SiegeTable, space: int) -> str:
        return f"{digging_cost(self.facts, t.p, space)} supply"


@rule("4.2", "20.1", "24.1")
def refit_us(t: SiegeTable, facts: Facts) -> Play:
    """Refit and dig in, in any order, as long as supply lasts."""
    p, question, who, where = t.p, SpendSupply(facts), WhoIsRefitted(facts), WhereToDig(facts)
    while p.supply:
        worn, digs = who.open(p, facts.us_set), where.open(p, facts.spaces)
        kind: Choice = REFIT if worn else DIG if digs else DONE
        if worn and digs:
            prompt = f"Spend supply? You have {counted(p.supply, 'point')}"
            kind = yield Decision(US, prompt, [REFIT, DIG, DONE], "19.2", top=True, about=question)
        chosen: Choice = DONE
        if kind == REFIT:
            chosen = yield from _which("Which unit is refitted?", worn, "20.1", Kind.UNIT, who, alone=not digs)
        elif kind == DIG:
            chosen = yield from _which(
                "Which space is entrenched?", digs, "24.1", Kind.SPACE, where, alone=not worn
            )
        if not isinstance(chosen, int):
            return
        if kind == REFIT:
            p.steps[chosen] = facts.us_full[chosen]
            spend(t, 1, "20.1", f"refitting {facts.name_of(chosen)}")
        else:
            cost = digging_cost(facts, p, chosen) or 0
            p.entrenched |= 1 << chosen
            spend(t, cost, "24.1", f"an entrenchment in {facts.at(chosen)}")


def _which(prompt: str, able: list[int], rule_: str, kind: Kind, about: Asked, *, alone: bool) -> Play:
    """One of these; where nothing else could be bought, the question can also be declined."""
    if not alone and len(able) == 1:
        return able[0]
    options: list[Choice] = [*able, DONE] if alone else [*able]
    return (yield Decision(US, prompt, options, rule_, kind, top=alone, about=about))
