"""What US supply pays for in the Refit Phase: redeployment, refit, entrenchments (19.2, 20, 23, 24)."""

from __future__ import annotations

from dataclasses import dataclass

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.bastogne.facts import US, Facts, counted
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.preparation import spend
from bulge.games.bastogne.situation import german_spaces, guns_in, has_room, us_in, us_spaces

DIG_COST, ENGINEERS_DIG_COST = 2, 1


@dataclass(frozen=True)
class Redeployment:
    """A unit that is picked up, and where it may be put down."""

    unit: int
    ends: tuple[int, ...]


# ---------------------------------------------------------------------- redeployment (23)


def near_germans(facts: Facts, p: BastognePosition, space: int) -> bool:
    """Whether German units are next to a space, those in a staging area included."""
    near = facts.beside[space]
    if near & german_spaces(facts, p):
        return True
    return any(guns_in(facts, p, area) for area in members(near & facts.staging_areas))


@rule("23.0", "23.1", "19.2")
def redeployments(facts: Facts, p: BastognePosition, unit: int) -> list[int]:
    """Along its track and to the Center, or from the Center anywhere; never from or to a space next to Germans."""
    here = p.where[unit]
    if here < 0 or p.done >> unit & 1 or p.german >> here & 1 or near_germans(facts, p, here):
        return []
    if not has_hq(facts, p, here):
        return []
    reached = facts.spaces
    if here != facts.center:
        reached = facts.track_spaces[facts.track_of[here]] | 1 << facts.center
    ends = members(reached & ~p.german & ~(1 << here) & ~german_spaces(facts, p))
    return [end for end in ends if has_room(facts, p, unit, end) and not near_germans(facts, p, end)]


@rule("19.2")
def has_hq(facts: Facts, p: BastognePosition, space: int) -> bool:
    """Redeployment, refit and enhancement need an HQ in the space."""
    return any(p.where[hq] == space for hq in facts.hqs)


@rule("4.2", "23.1")
def redeploy(t: Table[BastognePosition], facts: Facts) -> Play:
    """A supply point a unit, each unit once a turn."""
    p = t.p
    while p.supply:
        movable = [unit for unit in range(facts.leaders.stop) if redeployments(facts, p, unit)]
        if not movable:
            break
        prompt = f"Redeploy a unit for a supply point? Supply is {p.supply}"
        options: list[Choice] = [*movable, DONE]
        unit = yield Decision(US, prompt, options, "23.0", Kind.UNIT, top=True)
        if unit == DONE:
            break
        ends = redeployments(facts, p, unit)
        about = Redeployment(unit, tuple(ends))
        prompt = f"Where does {facts.name_of(unit)} redeploy to?"
        end = yield Decision(US, prompt, ends, "23.1", Kind.SPACE, about=about)
        p.where[unit] = end
        p.done |= 1 << unit
        spend(t, 1, "19.2", f"redeploying {facts.name_of(unit)} to {facts.at(end)}")
    p.done = 0


# ---------------------------------------------------------------------- refit and digging in (20, 24)


@rule("19.2", "20.1")
def refittable(facts: Facts, p: BastognePosition) -> list[int]:
    """Reduced units in the Center or an entrenchment, with an HQ in the space."""
    shelter = p.entrenched | 1 << facts.center
    return [
        unit
        for unit in facts.us_units
        if p.where[unit] >= 0
        and p.steps[unit] < facts.us_full[unit]
        and shelter >> p.where[unit] & 1
        and has_hq(facts, p, p.where[unit])
    ]


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


@rule("4.2", "20.1", "24.1")
def refit_us(t: Table[BastognePosition], facts: Facts) -> Play:
    """Refit and dig in, in any order, as long as supply lasts."""
    p = t.p
    while True:
        options: list[Choice] = []
        if p.supply and refittable(facts, p):
            options.append(REFIT)
        digs = [s for s in members(us_spaces(facts, p)) if (digging_cost(facts, p, s) or p.supply + 1) <= p.supply]
        if digs:
            options.append(DIG)
        if not options:
            return
        prompt = f"Spend supply? You have {counted(p.supply, 'point')}"
        answer = yield Decision(US, prompt, [*options, DONE], "19.2", top=True)
        if answer == DONE:
            return
        if answer == REFIT:
            unit = yield Decision(US, "Which unit is refitted?", refittable(facts, p), "20.1", Kind.UNIT)
            p.steps[unit] = facts.us_full[unit]
            spend(t, 1, "20.1", f"refitting {facts.name_of(unit)}")
        else:
            space = yield Decision(US, "Which space is entrenched?", digs, "24.1", Kind.SPACE)
            cost = digging_cost(facts, p, space)
            assert cost is not None
            p.entrenched |= 1 << space
            spend(t, cost, "24.1", f"an entrenchment in {facts.at(space)}")
