"""Attacks that begin with a march: who of a formation can come up beside which Germans, and what that is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bulge.core.spaces import members
from bulge.games.enemy_action.facts import ALLIED, GERMAN
from bulge.games.enemy_action.movement import allied_moves, may_move
from bulge.games.enemy_action.situation import STACK_STEPS, STACK_UNITS, Situation
from bulge.games.enemy_action.strengths import attack_strength, defence_strength, defending
from bulge.players.knowledge.enemy_action.fights import attack_on, worth_of_attack
from bulge.players.knowledge.enemy_action.pressure import Pressure

if TYPE_CHECKING:
    from bulge.players.knowledge.enemy_action.ground import Ground

LEAST_ODDS = 1.5
"""Attacks below this are not looked at."""
LEAST_WORTH = 0.3
MOST_TARGETS, MOST_ATTACKERS = 3, 6
"""So many targets of a formation are looked at closely, and so many units go for one of them."""
NEEDED_THERE = 1.0
"""Whoever is worth so much more where he is does not leave."""
STANDS = 0.5
"""How much it counts what the attackers risk where they stand afterwards."""
PUSHED_BACK = 0.3
"""How much of what Germans threaten is averted by driving them off."""
CUT_OFF = 0.35
"""What it is worth to bring a step back into supply."""


class Assault(NamedTuple):
    target: int
    places: dict[int, int]
    """From where each unit attacks."""
    worth: float


class Assaults:
    """What the units of a formation could attack now, by moves of this activation."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.s, self.facts = ground, ground.s, ground.facts
        self._prizes: dict[int, float] = {}
        self._found: dict[frozenset[int], list[Assault]] = {}
        self._weighed: dict[tuple[int, frozenset[int]], Assault | None] = {}
        self._ends: dict[int, int] = {}

    def of(self, units: list[int]) -> list[Assault]:
        """The best first, each unit in one of them."""
        key = frozenset(units)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._find({unit for unit in units if self.ground.fights(unit)})
        return found

    def _find(self, free: set[int]) -> list[Assault]:
        found: list[Assault] = []
        targets = self._targets(free)
        while targets and free:
            tries = [assault for target in targets if (assault := self._weigh(target, free))]
            best = max(tries, key=lambda assault: assault.worth, default=None)
            if best is None or best.worth <= LEAST_WORTH:
                break
            found.append(best)
            free = free - best.places.keys()
            targets = [assault.target for assault in tries if assault is not best]
        return found

    def _targets(self, units: set[int]) -> list[int]:
        """The Germans within reach that promise most."""
        s, near = self.s, self.facts.board.next_to
        promise = {}
        for target in members(s.occupied[GERMAN]):
            beside = near(target)
            able = [unit for unit in units if self.ends(unit) & beside]
            strength = sum(s.strength(unit) for unit in able)
            odds = strength / max(1, defence_strength(s, defending(s, target), target))
            if odds >= LEAST_ODDS:
                promise[target] = self.facts.vp.get(target, 0) + min(odds, 6.0) / 3
        return sorted(promise, key=lambda target: -promise[target])[:MOST_TARGETS]

    def ends(self, unit: int) -> int:
        """Where a unit may stand when it attacks."""
        found = self._ends.get(unit)
        if found is None:
            p = self.s.p
            found = 1 << p.where[unit]
            if not p.moved >> unit & 1 and may_move(self.facts, p, unit):
                found |= allied_moves(self.s, unit).ends
            self._ends[unit] = found
        return found

    def _weigh(self, target: int, free: set[int]) -> Assault | None:
        beside = self.facts.board.next_to(target)
        able = frozenset(unit for unit in free if self.ends(unit) & beside)
        key = target, able
        if key not in self._weighed:
            self._weighed[key] = self._weigh_anew(target, able) if able else None
        return self._weighed[key]

    def _weigh_anew(self, target: int, able: frozenset[int]) -> Assault | None:
        s = self.s
        places = self._places(target, able)
        after = Situation(self.facts, s.p, places)
        units = sorted(places)
        defence = defence_strength(s, defending(s, target), target)
        if not units or attack_strength(after, units, target) < LEAST_ODDS * defence:
            return None
        worth = worth_of_attack(after, attack_on(after, target, units), more=self.prize(target))
        laid_open = Pressure(self.facts, after).total - self.ground.pressure.total
        risked = sum(self._risks_more(unit, hex_) for unit, hex_ in places.items())
        return Assault(target, places, worth - laid_open - STANDS * risked)

    def _risks_more(self, unit: int, hex_: int) -> float:
        danger, here = self.ground.danger, self.s.p.where[unit]
        return danger(hex_, unit) - danger(here, unit) if hex_ != here else 0.0

    def _better_by(self, unit: int, hex_: int) -> float:
        here = self.s.p.where[unit]
        return self.ground.score(hex_, unit) - self.ground.score(here, unit) if hex_ != here else 0.0

    def _places(self, target: int, able: frozenset[int]) -> dict[int, int]:
        """Strong units first; not over a river, from several sides, as few steps as needed."""
        s, beside = self.s, self.facts.board.next_to(target)
        places: dict[int, int] = {}
        for unit in sorted(able, key=lambda unit: (-s.strength(unit), unit)):
            open_ = [hex_ for hex_ in members(self.ends(unit) & beside) if self._room(unit, hex_, places)]
            ranked = sorted(((self._fit(unit, hex_, target, places), hex_) for hex_ in open_), reverse=True)
            for _, hex_ in ranked[:2]:
                if self._better_by(unit, hex_) > -NEEDED_THERE:
                    places[unit] = hex_
                    break
            if len(places) == MOST_ATTACKERS:
                break
        return places

    def _fit(self, unit: int, hex_: int, target: int, places: dict[int, int]) -> float:
        dry = self.facts.river_side(hex_, target) < 0
        fresh = hex_ not in places.values()
        stays = hex_ == self.s.p.where[unit]
        return 2.0 * dry + 0.5 * fresh + 0.2 * stays + self.ground.cover(hex_)

    def _room(self, unit: int, hex_: int, places: dict[int, int]) -> bool:
        mates = [mate for mate in self.s.stacks[ALLIED].get(hex_, ()) if places.get(mate, hex_) == hex_]
        mates += [mate for mate, at in places.items() if at == hex_ and mate not in mates]
        together = {*mates, unit}
        steps = self.s.p.steps
        return len(together) <= STACK_UNITS and sum(steps[mate] for mate in together) <= STACK_STEPS

    def prize(self, target: int) -> float:
        """What driving Germans off is worth besides their steps and the town they stand in."""
        found = self._prizes.get(target)
        if found is None:
            threatened = sum(threat.much for threat in self.ground.pressure.threats if threat.origin == target)
            found = self._prizes[target] = PUSHED_BACK * threatened + CUT_OFF * self._freed(target)
        return found

    def _freed(self, target: int) -> int:
        """How many Allied steps would be in supply again if the Germans there were gone."""
        s = self.s
        held = s.occupied[ALLIED]
        cut = held & ~s.lines(ALLIED).among(held)
        if not cut:
            return 0
        gone = Situation(self.facts, s.p, dict.fromkeys(s.stack(target), -1))
        return sum(s.stack_steps(hex_) for hex_ in members(gone.lines(ALLIED).among(cut)))
