"""What players know of Bastogne: rules of thumb for every question that its US player is asked.

The rules play the Germans, so there is nobody to outguess: dig in on the inner towns, keep the stacks full, spend
supply where it buys most dice, and never leave the Center empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from bulge.core.decision import DONE, Choice, Decision
from bulge.core.game import Game
from bulge.core.spaces import members
from bulge.games.bastogne import (
    assault,
    barrage,
    closing,
    deployment,
    events,
    fire,
    losses,
    movement,
    preparation,
    us_refit,
    withdrawal,
)
from bulge.games.bastogne.facts import GERMAN
from bulge.games.bastogne.game import Bastogne
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import leaders_in, load, strength, us_in, us_spaces
from bulge.players.knowledge.bastogne.ground import Ground, total

DIGGING_RESERVE = 5
"""Supply kept back from the guns for the first entrenchments."""
ODDS_TO_COUNTERATTACK = 3.0
STRIKES_AT_MORALE = 3


class BastogneKnowledge:
    at_once: ClassVar[tuple[str, ...]] = (deployment.AS_PLANNED,)

    def __init__(self, game: Bastogne) -> None:
        self.facts = game.facts
        self._thumbs: dict[type, Callable[[BastognePosition, Decision, Choice], float]] = {
            assault.SpendOnAssault: self._spend_on_assault,
            assault.UseIntelligence: self._event,
            assault.WhichAssault: self._assault,
            barrage.WhatToInterdict: self._interdiction_target,
            barrage.WhichBattery: self._battery,
            barrage.WhichGuns: self._guns,
            closing.AssaultTarget: self._assault,
            closing.WhoEnters: self._join_assault,
            deployment.WhereIsMcAuliffe: self._lead,
            deployment.WhereToDeploy: self._lead,
            deployment.WhoDeploys: self._deploy,
            events.PattonOrMorale: self._event,
            events.WhereToJoin: self._need,
            events.WhichTaskForce: self._guns,
            events.WhoLeads: self._lead,
            fire.FireTarget: self._aim,
            fire.LaySupport: self._aim,
            fire.WhoFires: self._gather,
            losses.DrivenOut: self._drive_out,
            losses.Hit: self._hit,
            losses.Retreat: self._retreat,
            movement.HowFar: self._go_along,
            movement.WhereTo: self._place,
            movement.WhoGoesAlong: self._go_along,
            movement.WhoMoves: self._move,
            preparation.HowManyInterdict: self._interdict,
            preparation.WhichImpact: self._buy_gun,
            us_refit.SpendSupply: self._spend,
            us_refit.WhereToDig: self._dig,
            us_refit.WhoIsRefitted: self._refit,
            us_refit.WhoRedeploys: self._go_along,
            withdrawal.WhoFindsRoom: self._drive_out,
        }

    # ------------------------------------------------------------------ the door

    def prior(self, p: BastognePosition, decision: Decision, choice: Choice) -> float | None:
        thumb = self._thumbs.get(type(decision.about))
        if thumb is not None:
            return thumb(p, decision, choice)
        return float(choice) if isinstance(choice, int) else 0.0

    def value(self, p: BastognePosition, side: str) -> float:
        return sum(self.features(p).values())

    def features(self, p: BastognePosition) -> dict[str, float]:
        """Third Army near, German morale low, men and supplies left, and the Center held."""
        facts = self.facts
        return {
            "third_army": 4.0 * p.patton,
            "morale": -1.5 * p.morale,
            "men": total(facts, p, [unit for unit in facts.us_units if p.where[unit] >= 0]),
            "supplies": 0.3 * p.supply,
            "center": -20.0 if p.german >> facts.center & 1 else 0.0,
        }

    # ------------------------------------------------------------------ air and artillery

    def _interdict(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """A few strikes at morale, the rest on whoever attacks."""
        return -abs(int(choice) - STRIKES_AT_MORALE)

    def _interdiction_target(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        return float(choice == barrage.MORALE)

    def _buy_gun(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """The heaviest guns first, for close support, as long as the digging is paid for."""
        if not isinstance(choice, int):
            return 1.0 if choice == DONE else -1.0
        dug = (p.entrenched & self.facts.towns).bit_count()
        reserve = DIGGING_RESERVE if dug < len(self.facts.tracks) else 2
        impact = barrage.impact_strength(self.facts, p, choice)
        return float(impact) if p.supply > reserve else 0.0

    def _guns(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """The strongest."""
        return float(strength(self.facts, p, int(choice)))

    def _battery(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """The strongest guns."""
        track = self.facts.track_of[int(choice)]
        return total(self.facts, p, barrage.ready_guns(self.facts, p, track))

    def _aim(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Where many Germans stand close to the Center, best in the open."""
        if not isinstance(choice, int):
            return 0.0 if choice == DONE else -1.0
        ground = Ground(self.facts, p)
        return 1.0 + ground.danger(choice)

    def _gather(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Everybody, and with supply if that makes many."""
        question = decision.about
        units = question.volley.with_choice(self.facts, p, fire.ALL).units
        enhance = len(units) >= 3 and p.supply > 2 and question.enhances(p, fire.ALL)
        words = fire.ENHANCED if enhance else {fire.ALL: fire.ALL, fire.FIRE: fire.FIRE}
        return 2.0 * (choice == words[fire.ALL]) + (choice == words[fire.FIRE])

    # ------------------------------------------------------------------ losses

    def _hit(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Germans: what costs them most. Our own: what costs us least; guns keep their impact when reduced."""
        facts, unit = self.facts, int(choice)
        if decision.about.side == GERMAN:
            factors = facts.factors[unit]
            return float(factors[p.steps[unit]] - factors[p.steps[unit] - 1])
        factors = facts.factors[unit]
        cost = 2.0 * (factors[p.steps[unit]] - factors[p.steps[unit] - 1])
        if p.steps[unit] == 1:
            cost += 4.0 * facts.battalions[unit] + 3.0 * (unit in facts.hqs) + (unit in facts.impact_of)
        return -cost

    def _drive_out(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Their strongest, our weakest."""
        return strength(self.facts, p, int(choice)) * (1.0 if decision.about.side == GERMAN else -1.0)

    def _retreat(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        return float(load(self.facts, p, int(choice)))

    # ------------------------------------------------------------------ movement

    def _move(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """The unit that gains most by its best move; leaders and HQs stay with their men."""
        if not isinstance(choice, int):
            return 0.5 if choice == DONE else -1.0
        facts = self.facts
        ground = Ground(facts, p)
        here = ground.worth(choice, p.where[choice])
        best = max(ground.worth(choice, end) for end in movement.ways_of(facts, p, choice))
        return best - here + (0.0 if DONE in decision.options else 10.0)

    def _place(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        return Ground(self.facts, p).worth(decision.about.unit, int(choice))

    def _need(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        return Ground(self.facts, p).need(int(choice))

    def _go_along(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Nobody needs to go, along or anywhere else."""
        return float(choice == DONE)

    def _deploy(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """As planned."""
        return float(choice == deployment.AS_PLANNED)

    def _lead(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Where many fight and nobody leads yet."""
        facts, choice = self.facts, int(choice)
        led = bool(leaders_in(facts, p, choice)) + any(p.where[hq] == choice for hq in facts.hqs)
        return load(facts, p, choice) + 2.0 * (facts.towns >> choice & 1) - 1.5 * led

    # ------------------------------------------------------------------ close assault

    def _assault(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Retake the Center at any price; otherwise only what is weak."""
        if not isinstance(choice, int):
            return 0.0 if choice == DONE else -1.0
        facts = self.facts
        if choice == facts.center:
            return 10.0
        if us_in(facts, p, choice):
            return -1.0
        able = [unit for unit in closing.able_to_assault(facts, p, choice) if unit in facts.us_units]
        mine = total(facts, p, able)
        theirs = Ground(facts, p).enemy(choice) or 0.5
        return mine / theirs - ODDS_TO_COUNTERATTACK

    def _join_assault(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        """Enough for the odds, and no more than that; everybody for the Center."""
        facts, space = self.facts, decision.about.space
        enough = total(facts, p, us_in(facts, p, space)) >= ODDS_TO_COUNTERATTACK * Ground(facts, p).enemy(space)
        if not isinstance(choice, int):
            return 1.0 if enough and space != facts.center else 0.2
        if choice in facts.leaders:
            return 0.1
        return 0.3 + 0.1 * strength(facts, p, choice) - 0.2 * (choice in facts.hqs)

    # ------------------------------------------------------------------ supply

    def _spend_on_assault(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        many = len(us_in(self.facts, p, decision.about.assault.space)) >= 2
        return float((choice == fire.ENHANCE) == many)

    def _spend(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        if choice == us_refit.DIG:
            spaces = members(us_spaces(self.facts, p))
            return 3.0 if any(self._worth_digging(p, space) for space in spaces) else -1.0
        return float(choice == us_refit.REFIT)

    def _refit(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        if choice == DONE:
            return -9.0
        factors = self.facts.factors[int(choice)]
        return factors[-1] - factors[-2] - 2.0 * (int(choice) in self.facts.impact_of)

    def _worth_digging(self, p: BastognePosition, space: int) -> bool:
        """The Center, and the foremost spaces where something stands that will stay."""
        cost = us_refit.digging_cost(self.facts, p, space)
        if cost is None or cost > p.supply:
            return False
        if space == self.facts.center:
            return True
        return space == Ground(self.facts, p).front(self.facts.track_of[space])

    def _dig(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        if choice == DONE:
            return 0.0
        space = int(choice)
        town = 2.0 * (self.facts.towns >> space & 1)
        return load(self.facts, p, space) + town if self._worth_digging(p, space) else -1.0

    # ------------------------------------------------------------------ events

    def _event(self, p: BastognePosition, decision: Decision, choice: Choice) -> float:
        if choice == assault.USE or choice == events.PATTON:
            return 1.0
        return 0.0


def make(game: Game[Any]) -> BastogneKnowledge:
    assert isinstance(game, Bastogne)
    return BastogneKnowledge(game)
