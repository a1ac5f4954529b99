"""What stands in each hex, in the few numbers that an evaluation needs."""

from __future__ import annotations

from typing import NamedTuple

from bulge.core.spaces import union
from bulge.games.ardennes_44.combat import attacking_tq
from bulge.games.ardennes_44.counters import GERMAN, SIDES
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.situation import Situation

STEP_WORTH = 1.0
"""What each point of defence counts; attack factors count a little beside it."""
ATTACK_WORTH = 0.4
GUN_DRAWN = 1
"""For how many factors a gun counts where it is asked how near the Germans have come."""
MOST_KEPT = 50_000


class Stack(NamedTuple):
    """What stands in a hex: factors that can attack now, factors that defend, what they are worth, and tanks."""

    attack: int
    defence: int
    worth: float
    factors: int
    """Attack factors, whether they can attack now or not."""
    drives: bool
    """Armour is among them."""
    attacking_tq: int
    """The best Tank Quality that can attack; 0 without tanks."""
    tq: int
    """The best that defends."""
    guarded: bool
    """Tanks and infantry stand together (21.2)."""
    shaken: bool
    """One of them is Disrupted or Broken (18.3)."""


Marks = tuple[int, ...]


class Stacks:
    """Stacks are worked out once: in a search, nearly all of them stay as they are from one plan to the next."""

    def __init__(self, facts: Facts, hexes: int, armour: int) -> None:
        self.facts, self.hexes, self.armour = facts, hexes, armour
        self._known: dict[Marks, dict[tuple[int, ...], Stack]] = {}
        self._kept = 0

    def of(self, s: Situation) -> dict[str, dict[int, Stack]]:
        """What stands on the map, by side and hex."""
        p, first_ally = s.p, self.facts.first_ally
        marks = (p.reduced, p.disrupted | p.broken, p.columns | p.dug | p.replaced, p.columns, p.unsupplied)
        known = self._known.setdefault(marks, {})
        found: dict[str, dict[int, Stack]] = {side: {} for side in SIDES}
        german, allied = found.values() if SIDES[0] == GERMAN else reversed(found.values())
        for hex_, units in s.stacks.items():
            if not self.hexes >> hex_ & 1:
                continue
            key = tuple(units)
            stack = known.get(key)
            if stack is None:
                stack = known[key] = self._stack(units, marks)
                self._kept += 1
            (german if units[0] < first_ally else allied)[hex_] = stack
        if self._kept > MOST_KEPT or len(self._known) > MOST_KEPT // 100:
            self._known.clear()
            self._kept = 0
        return found

    def _stack(self, units: list[int], marks: Marks) -> Stack:
        facts = self.facts
        reduced, weak, idle, columns, dry = marks
        attack = defence = factors = tq_attack = 0
        worth = 0.0
        for unit in units:
            own, held = facts.attack(unit, reduced), facts.defence(unit, reduced)
            gun = facts.guns >> unit & 1
            factors += GUN_DRAWN if gun else own
            if not (idle >> unit & 1 or gun):
                attack += own - (own // 2 if (weak | dry) >> unit & 1 else 0)
                tq_attack = max(tq_attack, attacking_tq(facts, unit))
            defence += held - (held // 2 if columns >> unit & 1 else 0)
            worth += STEP_WORTH * held + ATTACK_WORTH * own
        here = union(units)
        tanks = here & facts.tanks
        best = max(facts.rows[unit].tq for unit in units)
        guarded = bool(tanks and here & facts.infantry)
        drives, shaken = bool(here & self.armour), bool(here & weak)
        return Stack(attack, max(1, defence), worth, factors, drives, tq_attack, best, guarded, shaken)
