"""Where the computer puts its units in a free set-up of The Ardennes Offensive (rule 17).

The Germans mass on their front line against Americans whom many of them can reach and who bar a way to the exits;
their armour stays behind it as in history, spread over the roads. The Allies stand where few Germans can get at
them, leave no road between their zones, and hold the crossroads behind.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import exp

from bulge.core.movement import Limits, reach
from bulge.core.spaces import members, union
from bulge.games.ardennes_offensive.battle import SURPRISE
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, other
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.players.knowledge.ardennes_offensive.ground import FADING, Ground, Odds
from bulge.players.knowledge.ardennes_offensive.tally import STRENGTH_WORTH, UNIT_WORTH

Plan = dict[int, int]
"""The hex of each unit."""

TRIALS = 4000
"""So many changes are tried to better a line."""
EXPECTED = (4, 3, 2, 2, 2, 2)
"""The strengths to reckon with next to an American, the strongest first, as long as the Germans are not placed."""
GAP, ROAD_GAP = 0.5, 2.5
"""What it costs the Allies to leave a hex of their front line to the enemy, and one with a road."""
HELD_UP = 8
"""Points that an Allied zone is taken to cost the Germans on their way."""
MOST_PLANS = 100
FAR = 60
"""Farther than this the Germans are not followed."""
PARTS = 4
"""The German front is looked at in so many parts."""
REACHED_SOON = 13
"""Crossroads within so many hexes of the front are worth holding from the start."""


class SetUps:
    def __init__(self, ground: Ground) -> None:
        self.ground, self.facts = ground, ground.facts
        pull = ground.place_worth @ ground.nearness
        self.pull = pull / pull[members(self.facts.front[GERMAN])].mean()
        """How near each hex is to what the Germans want; 1 is the mean of their front line."""
        self._kept: dict[tuple[str, tuple[tuple[int, int], ...]], Plan] = {}

    def plan(self, p: ArdennesPosition, side: str) -> Plan:
        """Where everybody of a side is to stand: it depends on where the enemy does, if he stays there."""
        facts = self.facts
        there = {unit: p.where[unit] for unit in facts.units_of[other(side)]}
        enemies = {hex_: facts.strength[unit] for unit, hex_ in there.items() if facts.on_map[hex_]}
        stay = side == GERMAN or facts.scenarios[p.scenario].german_set_up != "free"
        key = side, tuple(enemies.items()) if stay else ()
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_PLANS:
                self._kept.clear()
            found = self._german(enemies) if side == GERMAN else self._allied(enemies if stay else None)
            self._kept[key] = found
        return found

    def _stations(self, side: str) -> tuple[Plan, Plan]:
        """Where the units of a side stood in history: on the front line, and behind it."""
        facts = self.facts
        hexes = {unit: facts.rows[unit].hex for unit in facts.units_of[side]}
        start = {unit: facts.board.at(hex_) for unit, hex_ in hexes.items() if hex_}
        front = {unit: hex_ for unit, hex_ in start.items() if facts.front[side] >> hex_ & 1}
        return front, {unit: hex_ for unit, hex_ in start.items() if unit not in front}

    # ------------------------------------------------------------------ Germans

    def _german(self, americans: dict[int, int]) -> Plan:
        front, rear = self._stations(GERMAN)
        return rear | bettered(front, self.facts.front[GERMAN], lambda plan: self._first_attacks(plan, americans))

    def _first_attacks(self, plan: Plan, americans: dict[int, int]) -> float:
        """What the attacks of the first turn are worth, in which everybody next to an American must take part.

        Those count for more that open a way to the exits.
        """
        germans = union(plan.values())
        shut = germans | self.facts.board.around(germans) & ~union(americans) | ~self.facts.passable
        return sum(
            self._gain(target, americans[target], attack, shut) * float(self.pull[target])
            for target, attack in self._massed(plan, americans).items()
        )

    def _massed(self, plan: Plan, americans: dict[int, int]) -> dict[int, int]:
        """The strength that attacks each American: whoever has a choice goes where it betters the odds most."""
        facts, targets = self.facts, union(americans)
        massed: dict[int, int] = {}
        free: list[tuple[int, list[int]]] = []
        for unit, hex_ in plan.items():
            near, attack = facts.board.next_to(hex_) & targets, SURPRISE * facts.strength[unit]
            if near & (near - 1):
                free.append((attack, members(near)))
            elif near:
                target = near.bit_length() - 1
                massed[target] = massed.get(target, 0) + attack
        for attack, choice in sorted(free, reverse=True):
            target = min(choice, key=lambda target: massed.get(target, 0) / americans[target])
            massed[target] = massed.get(target, 0) + attack
        return massed

    def _odds(self, attack: int, defence: int) -> Odds:
        return self.ground.initial[min(attack // defence, len(self.ground.initial) - 1)]

    def _gain(self, target: int, defence: int, attack: int, shut: int) -> float:
        """The mean worth of an attack on an American of this strength."""
        retreats = 0 if self.ground.shelter[ALLIED] >> target & 1 else 1 + self.ground.way_out(target, shut)
        return self._odds(attack, defence).gain(UNIT_WORTH + STRENGTH_WORTH * defence, retreats, 1)

    # ------------------------------------------------------------------ Allies

    def _allied(self, germans: dict[int, int] | None) -> Plan:
        front, rear = self._stations(ALLIED)
        danger = {hex_: self._danger(hex_, germans) for hex_ in members(self.facts.front[ALLIED])}
        front = bettered(front, self.facts.front[ALLIED], lambda plan: self._line(plan, danger))
        return front | self._crossroads(front, rear)

    def _danger(self, hex_: int, germans: dict[int, int] | None) -> list[float]:
        """What the first attack on a unit in this hex is worth to the Germans, by the unit's strength."""
        near = members(self.facts.board.next_to(hex_) & self.facts.front[GERMAN])
        if germans is None:
            attack = SURPRISE * sum(EXPECTED[: len(near)])
        else:
            attack = SURPRISE * sum(germans.get(next_, 0) for next_ in near)
        most = max(self.facts.strength[unit] for unit in self.facts.allied_units)
        if not attack:
            return [0.0] * (most + 1)
        return [self._gain(hex_, max(1, defence), attack, ~self.facts.passable) for defence in range(most + 1)]

    def _line(self, plan: Plan, danger: dict[int, list[float]]) -> float:
        """A line is good where little can happen to it and nothing is left between its zones."""
        facts = self.facts
        held = union(plan.values())
        gaps = facts.front[ALLIED] & ~(held | facts.board.around(held))
        risk = sum(danger[hex_][facts.strength[unit]] for unit, hex_ in plan.items())
        cost = [ROAD_GAP if facts.road_hexes >> hex_ & 1 else GAP for hex_ in members(gaps)]
        return -risk - float(self.pull[members(gaps)] @ cost) if gaps else -risk

    def _crossroads(self, front: Plan, rear: Plan) -> Plan:
        """One after the other, the strongest first, into the town where a unit keeps the Germans farthest off."""
        facts = self.facts
        held = union(front.values())
        towns = facts.towns & facts.rear[ALLIED] & facts.board.within(facts.front[ALLIED], REACHED_SOON)
        plan: Plan = {}
        for unit in sorted(rear, key=lambda unit: -facts.strength[unit]):
            best = min(members(towns), key=lambda hex_: self._nearness_past(held | 1 << hex_))
            plan[unit] = best
            held |= 1 << best
            towns &= ~(1 << best)
        return plan

    def _nearness_past(self, held: int) -> float:
        """How near the exits are to the parts of the German front if Allied units hold these hexes."""
        facts, ground = self.facts, self.ground
        limits = Limits(blocked=held, enter=((facts.board.around(held), HELD_UP),))
        line = members(facts.front[GERMAN])
        total = 0.0
        for part in range(PARTS):
            start = union(line[part * len(line) // PARTS : (part + 1) * len(line) // PARTS])
            levels = reach(ground.drive, {0: start}, FAR, limits).levels
            for place, worth in zip(ground.places, ground.place_worth, strict=True):
                cost = next((cost for cost, level in enumerate(levels) if level >> place & 1), FAR)
                total += float(worth) * exp(-cost / FADING)
        return total


def bettered(plan: Plan, hexes: int, score: Callable[[Plan], float]) -> Plan:
    """Put units elsewhere, or let two change places, as long as that makes the whole better."""
    rng, places = random.Random(0), members(hexes)
    units, best = list(plan), score(plan)
    for _ in range(TRIALS):
        unit, hex_ = rng.choice(units), rng.choice(places)
        mate = next((mate for mate in units if plan[mate] == hex_), None)
        if mate == unit:
            continue
        other_plan = plan | {unit: hex_}
        if mate is not None:
            other_plan[mate] = plan[unit]
        if (found := score(other_plan)) > best:
            best, plan = found, other_plan
    return plan
