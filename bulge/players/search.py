"""A search over plans for a whole phase of moves: for each unit, and for several against one enemy."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from typing import Any

from bulge.core.board import NamedSpaces
from bulge.core.spaces import members
from bulge.players.knowledge import ArmyKnowledge, Fields, PurposefulFields
from bulge.players.looking import Moves, Way

ATTEMPTS, MOST_CALLED = 2, 4
"""Each time round, how often each enemy is made the aim of several units, and how many are called at most."""
REGROUPED = 0.35
"""How likely a unit that is next to such an enemy already is to be put elsewhere around him."""
SHAKEN = 0.3

Plan = dict[int, Way]
"""Who goes where; whoever is not in it stays."""


class Search:
    """Improves a plan one unit at a time, by the value of the whole position."""

    def __init__(
        self,
        knowledge: ArmyKnowledge,
        start: Any,
        side: str,
        moves: Moves,
        fields: Fields,
        rng: random.Random,
        out_of_time: Callable[[], bool],
        noise: float,
        board: NamedSpaces,
    ) -> None:
        self.board = board
        self.knowledge, self.start, self.side, self.moves, self.rng = knowledge, start, side, moves, rng
        self.out_of_time = out_of_time
        self.evaluated = 0
        """How many positions have been weighed so far."""
        self.noise = noise
        self.fields = fields
        self._pursuit: Callable[[Any], float] | None = None
        """What counts besides where formations have objectives: how near they have come to them."""
        self._marching: Collection[int] = ()
        """Who goes where the first plan sends him, whatever else would look better on this turn."""
        if isinstance(fields, PurposefulFields):
            self._pursuit, self._marching = fields.pursuit, fields.marching(moves.ways)
        self.free = [unit for unit in moves.ways if unit not in self._marching]
        self.enemies = knowledge.enemies(start, side)
        self._ranked: dict[int, list[int]] = {}
        self._near: dict[int, dict[int, list[int]]] = {}

    def value(self, plan: Plan) -> float:
        return self._value_of(self.after(plan))

    def _value_of(self, p: Any) -> float:
        self.evaluated += 1
        value = self.knowledge.value(p, self.side)
        if self._pursuit is not None:
            value += self._pursuit(p)
        return value + self.rng.uniform(-self.noise, self.noise) if self.noise else value

    def after(self, plan: Plan) -> Any:
        p = self.start.copy()
        for unit, way in plan.items():
            self.knowledge.place(p, unit, way.path)
        return p

    def improve(self, plan: Plan, evaluations: int, breadth: int) -> tuple[float, Plan]:
        """Go round the units in any order, try other hexes for each, and keep what is better."""
        best, left = self.value(plan), evaluations
        units = [*self.free]
        while left > 0 and units and not self.out_of_time():
            self.rng.shuffle(units)
            before = best
            tried, best, plan = self._mass(best, plan, min(left, evaluations // 4))
            left -= tried
            for unit in units:
                if left <= 0:
                    break
                tried, best, plan = self._improve_one(unit, best, plan, breadth)
                left -= tried
            if best <= before and self.rng.random() < 0.5:
                break
        return best, plan

    def _improve_one(self, unit: int, best: float, plan: Plan, breadth: int) -> tuple[int, float, Plan]:
        tried = 0
        others = self.after({mate: way for mate, way in plan.items() if mate != unit})
        chosen = plan
        for hex_ in self._candidates(unit, breadth):
            way = self.moves.ways[unit].get(hex_)
            stays = hex_ == self.knowledge.where(self.start, unit)
            if not stays and (way is None or not self.knowledge.room(others, unit, hex_)):
                continue
            there = others.copy()
            if not stays and way is not None:
                self.knowledge.place(there, unit, way.path)
            tried += 1
            value = self._value_of(there)
            if value > best + 1e-9:
                best, chosen = value, {mate: known for mate, known in plan.items() if mate != unit}
                if not stays and way is not None:
                    chosen[unit] = way
        return max(tried, 1), best, chosen

    def standing_still(self, first: Plan) -> Plan:
        """A plan by which nobody moves but who is on his march."""
        return {unit: way for unit, way in first.items() if unit in self._marching}

    def shaken(self, plan: Plan) -> Plan:
        """The same plan, with some of the units sent elsewhere among what draws them."""
        other, p = dict(plan), self.after(plan)
        for unit in self.free:
            if self.rng.random() < SHAKEN:
                hex_ = self.rng.choice(self._candidates(unit, 8)[:4])
                way = self.moves.ways[unit].get(hex_)
                if way is not None and self.knowledge.room(p, unit, hex_):
                    other[unit] = way
                    self.knowledge.place(p, unit, way.path)
        return other

    def _mass(self, best: float, plan: Plan, most: int) -> tuple[int, float, Plan]:
        """Try to bring several units at once next to an enemy: one alone may be worth nothing there."""
        tried = 0
        targets = [target for target in members(self.enemies) if self._who_reaches(target)]
        self.rng.shuffle(targets)
        for target in targets * ATTEMPTS:
            if tried >= most:
                break
            other = self._massed(target, plan)
            tried += 1
            value = self.value(other)
            if value > best + 1e-9:
                best, plan = value, other
        return tried, best, plan

    def _who_reaches(self, target: int) -> dict[int, list[int]]:
        """The units that can get next to an enemy, and where."""
        found = self._near.get(target)
        if found is None:
            near = self.board.next_to(target)
            found = self._near[target] = {
                unit: hexes
                for unit in self.free
                if (hexes := [hex_ for hex_ in self.moves.ways[unit] if near >> hex_ & 1])
            }
        return found

    def _massed(self, target: int, plan: Plan) -> Plan:
        """Whoever is next to the enemy already stays, mostly; others join him where they close ways of retreat."""
        able, near = self._who_reaches(target), self.board.next_to(target)
        ends = {unit: way.hex_ for unit, way in plan.items()}
        there = {unit: ends[unit] if unit in ends else self.knowledge.where(self.start, unit) for unit in able}
        beside = [unit for unit, hex_ in there.items() if hex_ >= 0 and near >> hex_ & 1]
        again = [unit for unit in beside if self.rng.random() < REGROUPED]
        group = [*again, *self._called(there, near)]
        other = {unit: way for unit, way in plan.items() if unit not in group}
        p = self.after(other)
        closed = self._closed([there[unit] for unit in beside if unit not in again])
        for unit in group:
            hexes = [hex_ for hex_ in able[unit] if self.knowledge.room(p, unit, hex_)]
            if hexes:
                way = self.moves.ways[unit][self._tightest(hexes, near & ~closed)]
                self.knowledge.place(p, unit, way.path)
                other[unit] = way
                closed |= self._closed([way.hex_])
        return other

    def _called(self, there: dict[int, int], near: int) -> list[int]:
        """Some of those who are elsewhere, first whoever faces no other enemy."""
        engaged = self.board.around(self.enemies)
        called = [unit for unit, hex_ in there.items() if hex_ < 0 or not near >> hex_ & 1]
        busy = {unit: there[unit] >= 0 and bool(engaged >> there[unit] & 1) for unit in called}
        called.sort(key=lambda unit: busy[unit] + 1.5 * self.rng.random())
        return called[: self.rng.randint(1, MOST_CALLED)]

    def _closed(self, hexes: list[int]) -> int:
        """These hexes and all around them: what units there keep an enemy from."""
        closed = 0
        for hex_ in hexes:
            closed |= 1 << hex_ | self.board.next_to(hex_)
        return closed

    def _tightest(self, hexes: list[int], open_: int) -> int:
        """The hex from which most of what is open is closed, more or less."""
        return max(hexes, key=lambda hex_: (self._closed([hex_]) & open_).bit_count() + 2 * self.rng.random())

    def _candidates(self, unit: int, breadth: int) -> list[int]:
        """The hexes that draw the unit most, some others at random, and where it stands."""
        ranked = self._ranked.get(unit)
        if ranked is None:
            ways = self.moves.ways[unit]
            ranked = sorted(ways, key=lambda hex_: -self.fields.score(unit, hex_, ways[hex_].manner))
            self._ranked[unit] = ranked
        top, rest = ranked[: breadth // 2], ranked[breadth // 2 :]
        some = self.rng.sample(rest, min(len(rest), breadth - len(top)))
        return [*top, *some, self.knowledge.where(self.start, unit)]

    def reasons(self, plan: Plan) -> dict[int, str]:
        return {
            unit: f"{self.knowledge.words_of(way.hex_)}: {self.fields.reason(unit, way.hex_)}"
            for unit, way in plan.items()
        }

    def in_order(self, plan: Plan) -> list[Way]:
        """First whoever leaves room for others, that is whoever nobody has to make room for."""
        waiting, ordered, p = dict(plan), [], self.start.copy()
        while waiting:
            ready = [unit for unit, way in waiting.items() if self.knowledge.room(p, unit, way.hex_)]
            unit = ready[0] if ready else next(iter(waiting))
            way = waiting.pop(unit)
            self.knowledge.place(p, unit, way.path)
            ordered.append(way)
        return ordered
