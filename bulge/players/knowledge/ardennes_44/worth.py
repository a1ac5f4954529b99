"""What players know of Ardennes '44: what hexes, units, supply and results are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from bulge.core.decision import DONE, Choice, Decision
from bulge.core.game import Game
from bulge.games.ardennes_44.battle import ATTACK
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.game import Ardennes44Game
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.results import outcome
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits
from bulge.games.ardennes_44.victory import points
from bulge.players.knowledge.ardennes_44.fields import FAR, AlliedFields, GermanFields, distances

POINT_WORTH, STEP_WORTH, CUT_OFF, SHAKEN = 4.0, 1.0, 0.4, 0.5
RETREAT_WORTH, ENGAGED_WORTH, BREAKTHROUGH = 0.7, 0.4, 1.5
SETTLED = 20.0
"""What rules of thumb count for where they decide."""
ACT = ("22.7", "22.8", "7.3", "7.4", "16.2.1", "19.1.1", "19.4.2", "14.2", "5.2", "25.2.1")
"""Questions in which somebody or something that is offered is better than nothing."""
FAVOURED = {"attack": 1.0, "fall_back": 1.0}


class Ardennes44Knowledge:
    move_rule: ClassVar[str] = "11.1"
    attack_rule: ClassVar[str] = "14.1"
    launch: ClassVar[str] = ATTACK
    at_once: ClassVar[tuple[str, ...]] = ("fire_fight",)
    thrift: ClassVar[int] = 8

    def __init__(self, game: Ardennes44Game) -> None:
        self.game, self.facts = game, game.facts

    # ------------------------------------------------------------------ the evaluation

    def value(self, p: Ardennes44, side: str) -> float:
        """Points, steps on the map, less for who is shaken or cut off; and how far west the Germans are."""
        facts = self.facts
        german = POINT_WORTH * points(facts, p)
        weak = p.disrupted | p.broken
        for unit, row in enumerate(facts.rows):
            if p.where[unit] < 0:
                continue
            worth = STEP_WORTH * facts.defence(unit, p.reduced)
            worth -= SHAKEN * (weak >> unit & 1) + CUT_OFF * (p.unsupplied >> unit & 1) * worth
            worth -= 0.2 * (p.engaged >> unit & 1)
            german += worth if row.side == GERMAN else -worth
        return german if side == GERMAN else -german

    def prior(self, p: Ardennes44, decision: Decision, choice: Choice) -> float | None:
        """Rules of thumb: battles branch too far to look ahead at every answer in them."""
        number, unit = decision.rule, choice if isinstance(choice, int) else -1
        if number in ACT:
            return SETTLED if unit >= 0 else 0.0
        if number in ("S1.3", "20.2"):
            return SETTLED if choice == DONE else 0.0
        if number == "24.3.1":
            return SETTLED if choice == DONE else self._jam(p, decision.side, choice)
        if number == "16.3":
            return -float(self.facts.attack(unit, p.reduced) + self.facts.rows[unit].tq)
        if number == "16.7.1":
            return self._stand(p, unit) if unit >= 0 else 0.0
        if number in ("19.1", "13.1"):
            return self._forward(p, decision, choice)
        if number in ("17.1", "20.3", "17.6", "25.2.2"):
            return float(self.facts.ground.hex_bonus(unit)) if unit >= 0 else 0.0
        return FAVOURED.get(str(choice), 0.0) if number in ("14.4", "21.4") else None

    def _stand(self, p: Ardennes44, unit: int) -> float:
        """A Determined Defense is worth trying on good ground, or with men to spare."""
        bonus = self.facts.ground.hex_bonus(p.where[unit])
        bonus = max(bonus, 2 * (p.improved >> p.where[unit] & 1))
        steps = self.facts.steps_left(unit, p.reduced)
        return bonus + (self.facts.rows[unit].morale == "elite") + 0.5 * steps - 2.4

    def _forward(self, p: Ardennes44, decision: Decision, choice: Choice) -> float:
        """Nearer to what is still to be taken, or to be held."""
        facts, field = self.facts, self.facts.field_of(p.scenario)
        goals = facts.victory_hexes & field.hexes
        goals &= ~p.german_held if decision.side == GERMAN else -1
        far = distances(facts, goals or field.exits, field.hexes)
        if isinstance(choice, int):
            return -float(far.get(choice, FAR))
        if choice == "stop":
            here = getattr(getattr(decision.about, "way", None), "here", -1)
            return -float(far.get(here, FAR)) - 0.5
        return -2.0 * FAR

    def _jam(self, p: Ardennes44, side: str, choice: Choice) -> float:
        """A Traffic marker serves on a road just ahead of the enemy."""
        facts = self.facts
        s = Situation(facts, p)
        near = facts.board.within(s.occupied[other(side)] & s.field.hexes, 2)
        hex_ = 1 << int(choice)
        return SETTLED + 5.0 if hex_ & near & facts.ground.primary_hexes & ~s.occupied[side] else 0.0

    # ------------------------------------------------------------------ moving

    def fields(self, p: Ardennes44, side: str) -> GermanFields | AlliedFields:
        return (GermanFields if side == GERMAN else AlliedFields)(self.facts, p)

    def place(self, p: Ardennes44, unit: int, way: Sequence[Choice]) -> None:
        hexes = [hex_ for hex_ in way if isinstance(hex_, int)]
        for hex_ in hexes:
            bit = 1 << hex_
            p.german_held = p.german_held | bit if self.facts.side_of(unit) == GERMAN else p.german_held & ~bit
        if hexes:
            p.where[unit] = hexes[-1]

    def room(self, p: Ardennes44, unit: int, hex_: int) -> bool:
        there = [mate for mate, at in enumerate(p.where) if at == hex_ and mate != unit]
        return fits(self.facts, p.reduced, [*there, unit])

    def ways_to_win(self, p: Ardennes44, unit: int) -> int:
        return 0

    def worth_passing(self, p: Ardennes44, unit: int) -> int:
        held = p.german_held if self.facts.side_of(unit) == ALLIED else ~p.german_held
        return self.facts.victory_hexes & held

    def enemies(self, p: Ardennes44, side: str) -> int:
        return Situation(self.facts, p).occupied[other(side)]

    def where(self, p: Ardennes44, unit: int) -> int:
        return p.where[unit]

    def words_of(self, hex_: int) -> str:
        return self.facts.words(hex_)

    # ------------------------------------------------------------------ fighting

    def worth(self, p: Ardennes44, side: str, target: int, attackers: Sequence[int], result: str) -> float:
        """Steps for steps, more for driving off, most in a victory hex."""
        happens = outcome(result)
        if happens.fire_fight is not None:
            return 0.5 - 0.2 * happens.fire_fight
        gain = STEP_WORTH * (1.5 * happens.defender - 1.5 * happens.attacker)
        gain += RETREAT_WORTH * happens.retreat + ENGAGED_WORTH * happens.engaged
        gain += BREAKTHROUGH * happens.breakthrough
        if happens.retreat and self.facts.victory_hexes >> target & 1:
            gain += POINT_WORTH / 2
        return gain


def make(game: Game[Any]) -> Ardennes44Knowledge:
    assert isinstance(game, Ardennes44Game)
    return Ardennes44Knowledge(game)
