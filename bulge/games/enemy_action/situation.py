"""What follows from where the units stand: stacks, strength, zones, who is surrounded (2.21, 9.3, 10.4, 11).

A `Situation` belongs to one moment. Rules take one and ask it; after a move they take a new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from bulge.core.rulebook import rule
from bulge.core.spaces import members
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
        self.stacks: dict[str, dict[int, list[int]]] = {GERMAN: {}, ALLIED: {}}
        germans = len(facts.german_units)
        for unit, hex_ in enumerate(self.where):
            if hex_ >= 0:
                self.stacks[GERMAN if unit < germans else ALLIED].setdefault(hex_, []).append(unit)
        self.occupied = {side: sum(1 << hex_ for hex_ in held) for side, held in self.stacks.items()}
        self._lines: dict[tuple[str, bool, int], Supply] = {}
        self.kept: dict[object, object] = {}
        """What rules have worked out for this moment, such as where each unit can go."""

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

    @cached_property
    def zones(self) -> dict[str, int]:
        around = self.facts.board.around
        return {side: around(self._exerting(side)) for side in (GERMAN, ALLIED)}

    @rule("11.0", "2.21")
    def _exerting(self, side: str) -> int:
        """The hexes from which a side exerts control."""
        p, facts = self.p, self.facts
        silent = p.dispersed | p.isolated
        strong_ground = facts.towns | (facts.wall if side == GERMAN else 0)
        found = 0
        for hex_, units in self.stacks[side].items():
            fit = [unit for unit in units if not silent >> unit & 1]
            if not fit:
                continue
            if len(fit) > 1 or not self.bracketed(fit[0]) or strong_ground >> hex_ & 1:
                found |= 1 << hex_
        return found

    def exerts(self, side: str, hex_: int) -> bool:
        return bool(self._exerting(side) >> hex_ & 1)

    def in_zone_of_enemy(self, side: str) -> int:
        return self.zones[other(side)]

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

    @cached_property
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
