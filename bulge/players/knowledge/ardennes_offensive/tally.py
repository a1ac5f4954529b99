"""Who stands where in The Ardennes Offensive, and with what strength: counted once, then kept up to date."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from bulge.core.spaces import members
from bulge.games.ardennes_offensive.battle import SURPRISE, half
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, SIDES, Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation

UNIT_WORTH, STRENGTH_WORTH = 1.5, 0.35
"""What a unit is worth: a point for whoever destroys it, and what it can fight with."""
MOST_CHANGES = 60
"""Where more units than this stand elsewhere than before, all are counted anew."""


class Stack:
    """The units of one hex. It is never changed: the same units in the same state are the same stack."""

    __slots__ = ("attack", "count", "defence", "face", "worth")

    def __init__(self, strengths: Sequence[int], attack: int) -> None:
        self.count, self.face = len(strengths), sum(strengths)
        self.attack, self.defence = attack, self.face
        """Strength with everything that multiplies or halves it."""
        self.worth = UNIT_WORTH * self.count + STRENGTH_WORTH * self.face


class Tally:
    """The stacks of both sides, what each side has in all on the map, and who waits to come on."""

    __slots__ = ("stacks", "total", "units", "waiting")

    def __init__(self) -> None:
        self.units: dict[int, tuple[int, ...]] = {}
        """The units in each hex, in order."""
        self.stacks: dict[str, dict[int, Stack]] = {GERMAN: {}, ALLIED: {}}
        self.total = {GERMAN: 0, ALLIED: 0}
        self.waiting: dict[int, int] = {}
        """How many reinforcements wait beside each entry."""

    def copy(self) -> Tally:
        twin = Tally()
        twin.units, twin.waiting = self.units.copy(), self.waiting.copy()
        twin.stacks = {side: stacks.copy() for side, stacks in self.stacks.items()}
        twin.total = self.total.copy()
        return twin

    def strength_in(self, side: str, hexes: int) -> int:
        stacks = self.stacks[side]
        return sum(stacks[hex_].face for hex_ in members(hexes) if hex_ in stacks)


State = tuple[int, int, bool]
"""What a stack's strength depends on besides its units: who cannot attack, who lacks supply, the first turn."""


class Counter:
    """Makes tallies. A search asks for one position after the other that differ in a unit or two."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._last = Tally()
        self._where: list[int] = []
        self._road = self._dormant = 0
        self._state: State | None = None
        self._known: dict[tuple[int, bool, tuple[int, ...]], Stack] = {}
        """Stacks in this state, by their hex, whether they march, and their units."""

    def tally(self, s: Situation) -> Tally:
        p = s.p
        state = (p.attacked | p.isolated, p.unsupplied, p.turn == 1)
        changed: list[int] | None = None
        if state == self._state and p.dormant == self._dormant:
            both = zip(self._where, p.where, strict=True)
            changed = [unit for unit, (old, new) in enumerate(both) if old != new]
        if changed is None or len(changed) > MOST_CHANGES:
            if state != self._state:
                self._state = state
                self._known.clear()
            found = self._count(s)
        else:
            found = self._follow(s, changed)
        self._last, self._where, self._road, self._dormant = found, p.where.copy(), p.road, p.dormant
        return found

    def _count(self, s: Situation) -> Tally:
        found = Tally()
        at: dict[int, list[int]] = {}
        on_map = self.facts.on_map
        for unit, hex_ in enumerate(s.p.where):
            if on_map[hex_]:
                at.setdefault(hex_, []).append(unit)
            else:
                self._wait(found, s.p, unit, hex_, 1)
        for hex_, units in at.items():
            found.units[hex_] = tuple(units)
            self._stand(found, s, hex_)
        return found

    def _follow(self, s: Situation, changed: list[int]) -> Tally:
        """The last tally, with these units moved, and those whose mode has changed."""
        found, where, before = self._last.copy(), s.p.where, self._where
        on_map = self.facts.on_map
        touched = {where[unit] for unit in members(s.p.road ^ self._road) if on_map[where[unit]]}
        for unit in changed:
            old, new = before[unit], where[unit]
            if on_map[old]:
                found.units[old] = tuple([mate for mate in found.units[old] if mate != unit])
                touched.add(old)
            else:
                self._wait(found, s.p, unit, old, -1)
            if on_map[new]:
                found.units[new] = tuple(sorted((*found.units.get(new, ()), unit)))
                touched.add(new)
            else:
                self._wait(found, s.p, unit, new, 1)
        for hex_ in touched:
            self._stand(found, s, hex_)
        return found

    def _wait(self, found: Tally, p: ArdennesPosition, unit: int, where: int, count: int) -> None:
        """A unit waits beside the map, or no longer does."""
        if (entry := self.facts.entry_of.get(where)) is not None and not p.dormant >> unit & 1:
            found.waiting[entry] = found.waiting.get(entry, 0) + count
            if not found.waiting[entry]:
                del found.waiting[entry]

    def _stand(self, found: Tally, s: Situation, hex_: int) -> None:
        """Set right what stands in a hex: a plan may for a moment have enemies in one."""
        for side in SIDES:
            if (old := found.stacks[side].pop(hex_, None)) is not None:
                found.total[side] -= old.face
        units, first_ally = found.units[hex_], self.facts.allied_units.start
        if not units:
            del found.units[hex_]
            return
        germans = bisect_left(units, first_ally)
        for side, part in ((GERMAN, units[:germans]), (ALLIED, units[germans:])):
            if part:
                marching = bool(s.marching[side] >> hex_ & 1)
                key = hex_, marching, part
                stack = self._known.get(key)
                if stack is None:
                    stack = self._known[key] = self._stack(s.p, side, hex_, marching, part)
                found.stacks[side][hex_] = stack
                found.total[side] += stack.face

    def _stack(self, p: ArdennesPosition, side: str, hex_: int, marching: bool, units: tuple[int, ...]) -> Stack:
        strength, spent = self.facts.strength, p.attacked | p.isolated
        able = [unit for unit in units if not spent >> unit & 1]
        attack = sum(half(strength[unit]) if p.unsupplied >> unit & 1 else strength[unit] for unit in able)
        stack = Stack([strength[unit] for unit in units], attack)
        if marching:
            stack.attack, stack.defence = half(stack.attack), half(stack.defence)
        if side == GERMAN:
            self._multiply(p, hex_, stack)
        return stack

    def _multiply(self, p: ArdennesPosition, hex_: int, stack: Stack) -> None:
        """Surprise on the first turn, the West Wall after it."""
        facts = self.facts
        if p.turn == 1:
            stack.attack, stack.defence = stack.attack * SURPRISE, stack.defence * SURPRISE
        elif facts.wall >> hex_ & 1:
            wall = facts.terrain["west_wall"]
            stack.attack, stack.defence = stack.attack * wall.german_attack, stack.defence * wall.german_defence
        elif facts.cleared_wall >> hex_ & 1:
            stack.defence *= facts.terrain["west_wall_cleared"].german_defence
