"""Why something cannot be chosen, with the rule that says so."""

from __future__ import annotations

from bulge.core.decision import Decision, Refusal
from bulge.games.bastogne.facts import BOXES, CLOSE_SUPPORT, COUNTERBATTERY, US, WAITING, Facts
from bulge.games.bastogne.fire import ENHANCE, Volley
from bulge.games.bastogne.losses import Hit
from bulge.games.bastogne.movement import INTELLIGENCE, Move, allowance
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import german_spaces, has_room, in_range, range_of, units_in, us_in
from bulge.games.bastogne.us_refit import Redeployment, digging_cost, has_hq, near_germans


def why_not(facts: Facts, p: BastognePosition, decision: Decision, asked: str) -> Refusal | None:
    if asked == ENHANCE:
        return Refusal("19.2", "it takes a supply point, and an HQ in the space of a unit that takes part")
    if asked == INTELLIGENCE:
        return Refusal("29.0", "no Intelligence marker is at hand, or it is used already")
    if facts.board.has(asked):
        return _why_not_space(facts, p, decision, facts.board.at(asked))
    unit = next((unit for unit in range(facts.counters) if facts.id_of(unit) == asked), None)
    return None if unit is None else _why_not_unit(facts, p, decision, unit)


# ---------------------------------------------------------------------- spaces


def _why_not_space(facts: Facts, p: BastognePosition, decision: Decision, space: int) -> Refusal | None:
    about = decision.about
    if facts.board.name(space) in BOXES:
        return Refusal("13.1", f"impact markers go to {COUNTERBATTERY} or {CLOSE_SUPPORT}, as they are asked for")
    if facts.staging_areas >> space & 1 and decision.rule not in ("13.2", "27.2.1"):
        return Refusal("15.10", "US ground units neither enter nor fire into a staging area")
    if isinstance(about, Move):
        return _why_not_enter(facts, p, about, space)
    if isinstance(about, Redeployment):
        return _why_not_redeploy_to(facts, p, about, space)
    if decision.rule in ("16.3", "27.3", "17.2") and not german_spaces(facts, p) >> space & 1:
        return Refusal(decision.rule, "no German unit is there")
    if decision.rule == "16.3":
        return Refusal("16.5", f"no unit that can still fire has it in range, which is {range_of(facts, p)} today")
    if decision.rule == "17.2":
        return Refusal("17.2", "no US unit that may close in is next to it, or it has no room for one more")
    if decision.rule == "24.1":
        return _why_not_dig(facts, p, space)
    if decision.rule in ("21.0", "25.0"):
        return Refusal(decision.rule, "only US units must be there, with room for one more")
    if decision.rule == "28.1":
        return Refusal("14.1", "four battalions is the limit; General McAuliffe joins a unit of the 101st")
    if decision.rule == "13.2":
        return Refusal("13.2", "no German artillery that could fire is there")
    return None


def _why_not_enter(facts: Facts, p: BastognePosition, move: Move, space: int) -> Refusal:
    if german_spaces(facts, p) >> space & 1:
        return Refusal("15.8", "German units stand there")
    if space in facts.laterals.get(p.where[move.unit], []) and p.german >> space & 1:
        return Refusal("15.5", "a lateral road must end in a US controlled space")
    if not has_room(facts, p, move.unit, space):
        return Refusal("14.1", "four battalions is the limit")
    return Refusal("15.4", f"it is beyond the {allowance(facts, p, move.unit)} spaces that the unit can move")


def _why_not_redeploy_to(facts: Facts, p: BastognePosition, about: Redeployment, space: int) -> Refusal:
    if p.german >> space & 1:
        return Refusal("23.0", "it is not US controlled")
    if near_germans(facts, p, space):
        return Refusal("23.0", "German units are next to it")
    if not has_room(facts, p, about.unit, space):
        return Refusal("14.1", "four battalions is the limit")
    return Refusal("23.1", "redeployment goes along the unit's own track, or to the Center, or from there")


def _why_not_dig(facts: Facts, p: BastognePosition, space: int) -> Refusal:
    if p.entrenched >> space & 1:
        return Refusal("24.1", "it is entrenched already")
    cost = digging_cost(facts, p, space)
    if cost is None:
        return Refusal("24.1", "it takes engineers, or a battalion that is no artillery")
    return Refusal("19.2", f"it costs {cost} supply points, and there are {p.supply}")


# ---------------------------------------------------------------------- units


def _why_not_unit(facts: Facts, p: BastognePosition, decision: Decision, unit: int) -> Refusal | None:
    name, about = facts.name_of(unit), decision.about
    if unit in facts.impacts or unit in facts.airstrikes:
        return Refusal("13.0" if unit in facts.impacts else "27.1", f"the {name} is not waiting for an order")
    if isinstance(about, Hit):
        if p.where[unit] == about.space and unit in units_in(facts, p, about.space, about.side):
            return Refusal("16.7", "German units of two steps are reduced before any is eliminated")
        return Refusal("16.6", f"{name} is not one of the units that were hit")
    if facts.side_of(unit) != US:
        return Refusal("2.9", f"{name} is German: the rules move it")
    if p.where[unit] == WAITING:
        return _why_not_yet(facts, unit)
    if p.where[unit] < 0:
        return Refusal("20.2", f"{name} is lost for good")
    if isinstance(about, Volley):
        return _why_not_fire(facts, p, about, unit)
    if decision.rule in ("15.2", "14.3"):
        return _why_not_move(facts, p, decision, unit)
    if decision.rule == "23.0":
        return _why_not_redeploy(facts, p, unit)
    if decision.rule == "20.1":
        return Refusal("20.1", "it must be reduced, in the Center or an entrenchment, with an HQ in its space")
    if decision.rule == "17.1":
        return Refusal("17.2", "it is not next to the space, is artillery, or has closed in already")
    if decision.rule == "28.1":
        return Refusal("28.1", f"{name} is deployed already")
    return None


def _why_not_yet(facts: Facts, unit: int) -> Refusal:
    name = facts.name_of(unit)
    if unit in facts.task_forces:
        return Refusal("21.0", f"{name} waits for the event US Reinforcements")
    if unit in facts.event_leaders:
        return Refusal("25.0", f"{name} waits for the event Leader")
    return Refusal("28.1", f"{name} joins a unit of the 101st when all others are deployed")


def _why_not_fire(facts: Facts, p: BastognePosition, volley: Volley, unit: int) -> Refusal:
    if unit in facts.impact_of:
        return Refusal("13.5", "artillery fires by its impact marker only")
    if p.done >> unit & 1 or unit in volley.units:
        return Refusal("16.1", "it has fired already")
    if not in_range(facts, p, unit) >> volley.space & 1:
        return Refusal("16.5", f"the space is not within {range_of(facts, p)} of it on its own track")
    return Refusal("16.2", "it has no strength to fire with")


def _why_not_move(facts: Facts, p: BastognePosition, decision: Decision, unit: int) -> Refusal:
    if decision.rule == "14.3":
        return Refusal("14.3", "a battalion must leave the overstacked Center first")
    if p.done >> unit & 1:
        return Refusal("15.2", f"{facts.name_of(unit)} has moved already")
    return Refusal("15.8", f"{facts.name_of(unit)} has nowhere to go, or is another commander's")


def _why_not_redeploy(facts: Facts, p: BastognePosition, unit: int) -> Refusal:
    here = p.where[unit]
    if p.done >> unit & 1:
        return Refusal("23.1", "it has been redeployed this turn")
    if not has_hq(facts, p, here):
        return Refusal("19.2", "no HQ is in its space")
    if near_germans(facts, p, here):
        return Refusal("23.0", "German units are next to its space")
    others = len(us_in(facts, p, here)) - 1
    return Refusal("23.0", f"no space is open to it and the {others} units with it")
