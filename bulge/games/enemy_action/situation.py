"""What follows from where the units stand: stacks, strength, zones, who is surrounded (2.21, 9.3, 10.4, 11).

A `Situation` belongs to one moment. Rules take one and ask it; after a move they take a new one.
"""

from __future__ import annotations

from collections.abc import Iterable

from bulge.core.kept import kept
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts, other
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.supply import Supply, lines_of

STACK_UNITS, STACK_STEPS = 3, 6


class Situation:
    """`moved` imagines units elsewhere, or nowhere (-1), for rules that ask what would be."""

    def __init__(self, facts: Facts, p: EnemyActionPosition, moved: dict[int, int] | None = None) -> None:
        self.facts, self.p = facts, p
        self.where = p.where
        if moved:
            self.where = p.where.copy()
            for unit, hex_ in moved.items():
                self.where[unit] = hex_
        germans: dict[int, list[int]] = {}
        allies: dict[int, list[int]] = {}
        self.stacks = {GERMAN: germans, ALLIED: allies}
        first_ally = len(facts.german_units)
        for unit, hex_ in enumerate(self.where):
            if hex_ >= 0:
                (germans if unit < first_ally else allies).setdefault(hex_, []).append(unit)
        self.occupied = {side: union(held) for side, held in self.stacks.items()}
        self._exerting: dict[str, int] = {}
        self._lines: dict[tuple[str, bool, int], Supply] = {}
        self.kept: dict[object, object] = {}
        """What rules have worked out for this moment, such as where each unit can go."""

    def without(self, unit: int) -> Situation:
        """The same as if a unit were nowhere."""
        found = self.kept.get(("without", unit))
        if not isinstance(found, Situation):
            found = self.kept["without", unit] = self._without(unit)
        return found

    def in_other(self, p: EnemyActionPosition) -> Situation:
        """The same places in a position that differs only in what lies on the map."""
        same: Situation = object.__new__(Situation)
        same.facts, same.p, same.where = self.facts, p, p.where
        same.stacks, same.occupied, same._exerting = self.stacks, self.occupied, self._exerting
        same._lines, same.kept = {}, {}
        return same

    def _without(self, unit: int) -> Situation:
        side, at = GERMAN if self.facts.is_german(unit) else ALLIED, self.where[unit]
        if self.where is not self.p.where or unit not in self.stacks[side].get(at, ()):
            return Situation(self.facts, self.p, {unit: -1})
        away: Situation = object.__new__(Situation)
        away.facts, away.p, away._lines, away.kept = self.facts, self.p, {}, {}
        away.where = self.where.copy()
        away.where[unit] = -1
        held = dict(self.stacks[side])
        left = [mate for mate in held[at] if mate != unit]
        if left:
            held[at] = left
        else:
            del held[at]
        away.stacks = {**self.stacks, side: held}
        away.occupied = {**self.occupied, side: self.occupied[side] if left else self.occupied[side] & ~(1 << at)}
        rest = self.exerting(side) & ~(1 << at)
        away._exerting = {other(side): self.exerting(other(side)), side: rest}
        if left and away._controls(side, at, left):
            away._exerting[side] |= 1 << at
        return away

    # ------------------------------------------------------------------ stacks (10.4)

    def stack(self, hex_: int) -> list[int]:
        """The units in a hex, of whichever side."""
        return self.stacks[GERMAN].get(hex_) or self.stacks[ALLIED].get(hex_) or []

    def side_in(self, hex_: int) -> str | None:
        return next((side for side, held in self.occupied.items() if held >> hex_ & 1), None)

    def stack_steps(self, hex_: int) -> int:
        return sum(self.p.steps[unit] for unit in self.stack(hex_))

    @rule("10.4")
    def has_room(self, unit: int, hex_: int) -> bool:
        """Three units or six steps; von der Heydte's men are picked up and do not count."""
        return self.room_for([unit], hex_)

    def room_for(self, units: Iterable[int], hex_: int) -> bool:
        inside = [unit for unit in self.stack(hex_) if unit != self.facts.heydte]
        together = inside + [unit for unit in units if unit not in inside]
        return len(together) <= STACK_UNITS and sum(self.p.steps[unit] for unit in together) <= STACK_STEPS

    # ------------------------------------------------------------------ units (2.21)

    def strength(self, unit: int) -> int:
        return self.facts.strengths[unit][self.p.steps[unit]]

    def bracketed(self, unit: int) -> bool:
        return self.facts.brackets[unit][self.p.steps[unit]]

    def quality(self, unit: int) -> str:
        return self.facts.qualities[unit][self.p.steps[unit]]

    def elite(self, units: Iterable[int]) -> bool:
        return any(self.quality(unit) == "elite" for unit in units)

    @rule("2.21")
    def ascending(self, units: Iterable[int]) -> list[int]:
        """Units in the order of their selector numbers; ties go to the lower corps."""
        facts, steps = self.facts, self.p.steps
        return sorted(units, key=lambda unit: (facts.selectors[unit][steps[unit]], facts.corps_rank[unit], unit))

    @rule("2.21")
    def descending(self, units: Iterable[int]) -> list[int]:
        facts, steps = self.facts, self.p.steps
        return sorted(units, key=lambda unit: (-facts.selectors[unit][steps[unit]], facts.corps_rank[unit], unit))

    def supplied(self, unit: int) -> bool:
        """Whether a unit carries no marker of unsupply."""
        p = self.p
        return not (p.low | p.out | p.isolated) >> unit & 1

    # ------------------------------------------------------------------ zones (11)

    @kept
    def zones(self) -> dict[str, int]:
        around = self.facts.board.around
        return {side: around(self.exerting(side)) for side in (GERMAN, ALLIED)}

    def exerting(self, side: str) -> int:
        """The hexes from which a side exerts control."""
        found = self._exerting.get(side)
        if found is None:
            held = [hex_ for hex_, units in self.stacks[side].items() if self._controls(side, hex_, units)]
            found = self._exerting[side] = union(held)
        return found

    @rule("11.0", "2.21")
    def _controls(self, side: str, hex_: int, units: list[int]) -> bool:
        """Whether these units exert control from a hex."""
        facts, silent = self.facts, self.p.dispersed | self.p.isolated
        fit = [unit for unit in units if not silent >> unit & 1] if silent else units
        if not fit:
            return False
        if len(fit) > 1 or not self.bracketed(fit[0]):
            return True
        return bool((facts.towns | facts.wall if side == GERMAN else facts.towns) >> hex_ & 1)

    def exerts(self, side: str, hex_: int) -> bool:
        return bool(self.exerting(side) >> hex_ & 1)

    # ------------------------------------------------------------------ supply (13)

    def lines(self, side: str, *, reserve: bool = False, detachments: int = 0) -> Supply:
        """Where a side can trace supply now; `reserve`: by 13.3; `detachments`: while those have zones (15.21)."""
        key = side, reserve, detachments
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = lines_of(self, side, reserve=reserve, detachments=detachments)
        return found

    def traces(self, side: str, hex_: int, *, reserve: bool = False, detachments: int = 0) -> bool:
        """Whether a unit of a side in this hex could trace supply (15.51: imagined in the place of an enemy)."""
        if self.occupied[other(side)] >> hex_ & 1:
            without = Situation(self.facts, self.p, dict.fromkeys(self.stack(hex_), -1))
            return bool(without.lines(side, reserve=reserve, detachments=detachments).among(1 << hex_))
        return bool(self.lines(side, reserve=reserve, detachments=detachments).among(1 << hex_))

    # ------------------------------------------------------------------ surrounded (9.3)

    @rule("9.3")
    def is_surrounded(self, hex_: int) -> bool:
        """Every hex around is held by the enemy or in his zone, whoever of one's own is there."""
        side = self.side_in(hex_)
        if side is None:
            return False
        enemy = other(side)
        return not self.facts.board.next_to(hex_) & ~(self.occupied[enemy] | self.zones[enemy])

    @kept
    def surrounded_allies(self) -> int:
        return sum(1 << hex_ for hex_ in self.stacks[ALLIED] if self.is_surrounded(hex_))

    def next_to_enemy(self, side: str) -> int:
        """All hexes next to a unit of this side's enemy, whether it exerts control or not."""
        return self.facts.board.around(self.occupied[other(side)])

    def vp_value(self, hex_: int) -> int:
        return self.facts.vp.get(hex_, 0)

    @property
    def allied_vp(self) -> int:
        """VP hexes that the Allies own."""
        return self.facts.vp_hexes & ~self.p.german_towns

    def units_in(self, hexes: int, side: str) -> list[int]:
        return [unit for hex_ in members(hexes & self.occupied[side]) for unit in self.stacks[side][hex_]]


def now(facts: Facts, p: EnemyActionPosition) -> Situation:
    """The situation of this moment: the same object, with all that was worked out about it, as long as nothing in
    the position has changed but how far the German procedure has got in looking at units and methods."""
    moment = p.copy()
    moment.method, moment.queue = 0, []
    if facts.last_moment is not None:
        known, s = facts.last_moment
        if s.p is p and known == moment:
            return s
    s = Situation(facts, p)
    facts.last_moment = moment, s
    return s
