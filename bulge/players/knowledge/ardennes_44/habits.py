"""Rules of thumb for Ardennes '44: battles branch too far to look ahead at every answer in them."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision
from bulge.games.ardennes_44.battle import battle_of
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.fighting import ATTACK, fire_fight_modifier
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.players.knowledge.ardennes_44.fields import FAR, distances, wanted
from bulge.players.knowledge.ardennes_44.traffic import factors_passing

SETTLED = 20.0
"""What rules of thumb count for where they decide."""
ACT = ("22.8", "19.1.1", "14.2")
"""Questions in which somebody or something that is offered is better than nothing."""
PLENTY, STILL_WORTH_IT = 8, 3
"""The column from which guns are spared, and the least at which one attacks though the bridge is gone."""


class Habits:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def prior(self, p: Ardennes44, decision: Decision, choice: Choice) -> float | None:
        number, unit = decision.rule, choice if isinstance(choice, int) else -1
        if number in ACT:
            return SETTLED if unit >= 0 else 0.0
        if number in ("S1.3", "14.3.1", "20.2"):
            return SETTLED if choice == DONE else 0.0
        if number == "24.3.1":
            return SETTLED if choice == DONE else self._jam(p, decision.side, choice)
        if number in ("7.3", "7.4"):
            return self._blow(decision.side) if unit >= 0 else 0.0
        if number in ("5.2", "22.7"):
            return self._guns(p, decision, unit) if unit >= 0 else 0.0
        if number == "25.2.1":
            return SETTLED + self.facts.attack(unit, 0) if unit >= 0 else 0.0
        if number == "16.2.1":
            return self._lead(p, decision.side, unit) if unit >= 0 else 0.0
        if number == "16.3":
            return -float(self.facts.attack(unit, p.reduced) + self.facts.rows[unit].tq)
        if number == "16.7.1":
            return self._stand(p, unit) if unit >= 0 else 0.0
        if number == "19.1" and decision.side == ALLIED:
            return self._hold(p, decision, choice)
        if number in ("19.1", "13.1"):
            return self._forward(p, decision, choice)
        if number in ("17.1", "20.3", "17.6", "25.2.2"):
            return self._cover(p, decision.side, unit) if unit >= 0 else 0.0
        if number == "14.4":
            column = battle_of(self.facts, p, decision.side).column()
            return 1.0 if (choice == ATTACK) == (column >= STILL_WORTH_IT) else 0.0
        return float(choice == "fall_back") if number == "21.4" else None

    def _blow(self, side: str) -> float:
        """Who is driven back blows bridges; who drives needs them."""
        return -1.0 if side == GERMAN else SETTLED

    def _guns(self, p: Ardennes44, decision: Decision, gun: int) -> float:
        """Make those ready that have most to fire at; fire those that have least besides, if it matters."""
        facts, side = self.facts, decision.side
        enemies = Situation(facts, p).occupied[other(side)]
        near = (facts.board.within(1 << p.where[gun], facts.rows[gun].range) & enemies).bit_count()
        if decision.rule == "5.2":
            return SETTLED + near
        return SETTLED - 0.1 * near if battle_of(facts, p, side).column() < PLENTY else -1.0

    def _lead(self, p: Ardennes44, side: str, unit: int) -> float:
        """Whoever makes the Fire Fight better, and of these whose step is worth least."""
        facts = self.facts
        modifier = fire_fight_modifier(battle_of(facts, p, side), unit)
        return SETTLED - 3.0 * modifier - 0.3 * facts.attack(unit, p.reduced)

    def _stand(self, p: Ardennes44, unit: int) -> float:
        """A Determined Defense is worth trying on good ground, or with men to spare; not by the last step in a
        hex, which is lost whether it stands or not (16.7.4)."""
        bonus = self.facts.ground.hex_bonus(p.where[unit])
        bonus = max(bonus, 2 * (p.improved >> p.where[unit] & 1))
        steps = self.facts.steps_left(unit, p.reduced)
        if steps == 1 and len(Situation(self.facts, p).stack(p.where[unit])) == 1:
            return -1.0
        return bonus + (self.facts.rows[unit].morale == "elite") + 0.5 * steps - 2.4

    def _forward(self, p: Ardennes44, decision: Decision, choice: Choice) -> float:
        """Nearer to what is still to be taken, or to be held."""
        facts, field = self.facts, self.facts.field_of(p.scenario)
        goals = wanted(facts, field)
        goals &= ~p.german_held if decision.side == GERMAN else -1
        far = distances(facts, goals or field.exits, field.hexes)
        if isinstance(choice, int):
            return -float(far.get(choice, FAR))
        if choice == "stop":
            here = getattr(getattr(decision.about, "way", None), "here", -1)
            return -float(far.get(here, FAR)) - 0.5
        return -2.0 * FAR

    def _hold(self, p: Ardennes44, decision: Decision, choice: Choice) -> float:
        """Allies advance into a town that they had lost, or to ground that is no worse; else they stay in line."""
        here = getattr(getattr(decision.about, "way", None), "here", -1)
        hex_ = choice if isinstance(choice, int) else here
        if hex_ < 0:
            return -2.0 * FAR
        worth = float(max(self.facts.ground.hex_bonus(hex_), 2 * (p.improved >> hex_ & 1)))
        if not isinstance(choice, int):
            return worth + 0.5
        return worth + 3.0 * ((self.facts.victory_hexes & p.german_held) >> hex_ & 1)

    def _cover(self, p: Ardennes44, side: str, hex_: int) -> float:
        """Good ground, away from enemies, nearer to one's friends."""
        facts, s = self.facts, Situation(self.facts, p)
        near = facts.board.next_to(hex_)
        touch = bool((near | 1 << hex_) & s.occupied[side])
        return facts.ground.hex_bonus(hex_) + 0.5 * touch - 1.0 * bool(near & s.occupied[other(side)])

    def _jam(self, p: Ardennes44, side: str, choice: Choice) -> float:
        """A Traffic marker serves where most of the enemy would drive next."""
        passing = factors_passing(self.facts, p, side).get(int(choice), 0.0)
        return SETTLED + passing if passing else 0.0
