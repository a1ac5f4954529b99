"""Who stands where in The Bulge with what strength, and what all attacks of a side have in common."""

from __future__ import annotations

from bulge.core.spaces import union
from bulge.games.the_bulge.facts import AIR_FROM, ALLIED, GERMAN, Facts, other
from bulge.games.the_bulge.situation import Situation

FREE_SUPPLY_UNTIL = 3
"""The last turn on which every German unit is in supply (5.5)."""


class Stack:
    """The fighting units of one hex."""

    __slots__ = ("count", "helpless", "short", "steps_worth", "strength", "weakest")

    def key(self) -> tuple[int, int, float, int, bool]:
        """All that matters of it where it is attacked."""
        return self.count, self.strength, self.steps_worth, self.weakest, self.helpless

    def __init__(self) -> None:
        self.count = self.strength = 0
        self.steps_worth = 0.0
        """What one step from each unit is worth."""
        self.weakest = 0
        """How many of the units have one step left."""
        self.helpless = False
        """Artillery: any attack destroys it."""
        self.short = False
        """A unit in it has run out of supply for this turn (7.11)."""


class Tally:
    """Who stands where, with what strength."""

    def __init__(self, facts: Facts, s: Situation) -> None:
        p = s.p
        self.stacks: dict[str, dict[int, Stack]] = {GERMAN: {}, ALLIED: {}}
        self.total = {GERMAN: 0.0, ALLIED: 0.0}
        first_ally, factors = facts.us_units.start, facts.factors
        for unit, hex_ in enumerate(p.where):
            steps = p.steps[unit]
            if hex_ == -1 or not steps:
                continue
            side = GERMAN if unit < first_ally else ALLIED
            strength = factors[unit][steps]
            self.total[side] += strength + 0.5 * steps
            if hex_ < 0:
                continue
            stack = self.stacks[side].get(hex_)
            if stack is None:
                stack = self.stacks[side][hex_] = Stack()
            stack.count += 1
            if facts.rows[unit].special == "vak":
                stack.helpless = True
            else:
                stack.strength += strength
            stack.steps_worth += 0.5 + strength - factors[unit][steps - 1]
            stack.weakest += steps == 1
            if p.short >> unit & 1:
                stack.short = True

    def strength_outside(self, side: str, spaces: int) -> float:
        return sum(stack.strength for hex_, stack in self.stacks[side].items() if not spaces >> hex_ & 1)


class Offensive:
    """What all attacks have in common that a side could make next: who is in supply, and what shifts columns."""

    def __init__(self, s: Situation, tally: Tally, side: str, point_worth: float) -> None:
        turn, foe = s.p.turn, other(side)
        second = s.p.step.startswith(side.lower())
        """In the combat phase that comes after the side's own movement."""
        this_turn = second or side == ALLIED
        self.fed = self._fed(s, tally, side, turn if this_turn else turn + 1, this_turn)
        self.foes_fed = self._fed(s, tally, foe, turn, this_turn)
        self.point_worth = point_worth
        self.shift = 0
        if turn >= AIR_FROM:
            self.shift = (1 if second else 2) if side == ALLIED else (-2 if second else -1)
        self.common = self.shift, point_worth

    def _fed(self, s: Situation, tally: Tally, side: str, turn: int, this_turn: bool) -> int:
        """The hexes whose units are in supply."""
        mine = s.occupied[side]
        if side == ALLIED:
            return s.lines(ALLIED).among(mine)
        fed = mine if turn <= FREE_SUPPLY_UNTIL else s.lines(GERMAN).among(mine)
        if this_turn and s.p.short:
            fed &= ~union([hex_ for hex_, stack in tally.stacks[GERMAN].items() if stack.short])
        return fed
