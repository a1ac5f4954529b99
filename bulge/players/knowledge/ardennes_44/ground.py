"""The ground of Ardennes '44 as players see it: ways to towns, strengths on hexes, what attacks are worth."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bulge.core.movement import Limits, Steps, reach
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.combat import armour_counts, column_after, rung
from bulge.games.ardennes_44.counters import GERMAN, other
from bulge.games.ardennes_44.facts import Facts, Field
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.results import Outcome, outcome
from bulge.games.ardennes_44.situation import Situation
from bulge.players.knowledge.ardennes_44.fields import wanted
from bulge.players.knowledge.ardennes_44.stacks import Stack, Stacks
from bulge.players.knowledge.nearness import Array, distances, nearness

FAR, FADING = 40, 8.0
"""Strength counts for a town by e to the minus (points of movement between) / this."""
WEST_WORTH = 2.0
"""What a victory hex of the west sheet counts, where one of the east counts 1."""
DRIVE, COLUMN = 8, 12
"""Points that German armour spends in a turn, and in column."""
DRIVEN_OFF, EACH_HEX_BACK, HELD_FAST, TRAPPED = 0.6, 0.25, 0.3, 0.6
"""What it is worth to drive a stack off, per hex besides, to engage it; and the share that a trapped one loses."""
TOWN = 2.0
"""What it is worth to drive somebody out of a place that counts."""
MOST_KEPT = 50_000


class Odds(NamedTuple):
    """One column of the table, as means: what it costs the attacker and the defender, and how far he is driven."""

    attacker: float
    defender: float
    driven_off: float
    hexes: float
    engaged: float

    def gain(self, defender: Stack, trapped: bool, town: float) -> float:
        back = TRAPPED * defender.worth if trapped else DRIVEN_OFF
        step = 1.0 + defender.worth / 6
        return (
            step * self.defender
            - 1.6 * self.attacker
            + self.driven_off * (back + town)
            + EACH_HEX_BACK * self.hexes
            + HELD_FAST * self.engaged
        )


class Ground:
    """What does not change in play, worked out once for each part of the map, and questions about a position."""

    def __init__(self, facts: Facts, field: Field) -> None:
        self.facts, self.field = facts, field
        self.places = members(wanted(facts, field))
        sheet = {facts.board.at(row.id): row.sheet for row in facts.victory}
        self.place_worth = np.array([WEST_WORTH if sheet[hex_] == "West" else 1.0 for hex_ in self.places])
        self.worth_at = dict(zip(self.places, map(float, self.place_worth), strict=True))
        self.drive = facts.ground.steps("mech", True, 0)
        far = [distances(self.drive, 1 << hex_, FAR, POINT) for hex_ in self.places]
        self.nearness = nearness(far, FADING)
        armour = [unit for unit, row in enumerate(facts.rows) if facts.way[unit] != "foot" and row.attack]
        self.stacks = Stacks(facts, field.hexes, union(armour))
        self.odds = [_odds_of(facts, column) for column in range(-1, len(facts.combat.columns))]
        """By 1 and the column: below the table, the attacker loses a step."""
        self._groups: dict[tuple[object, ...], tuple[float, int]] = {}
        self._drives: dict[tuple[int, int, int, int], int] = {}

    # ------------------------------------------------------------------ towns

    def strength_near(self, stacks: dict[int, Stack]) -> Array:
        """For each place the strength of a side near it."""
        worths = np.fromiter((stack.worth for stack in stacks.values()), float, len(stacks))
        found: Array = self.nearness[:, [*stacks]] @ worths
        return found

    def worth_in(self, hexes: int) -> float:
        """The worth of the places in some hexes."""
        return sum(worth for hex_, worth in self.worth_at.items() if hexes >> hex_ & 1)

    def threatened(self, s: Situation, german: dict[int, Stack]) -> int:
        """The hexes into which German armour could drive next turn, if nobody stood in its way anew."""
        return self._flood(*self._drive(s, german), self.drive, DRIVE)

    def _drive(self, s: Situation, german: dict[int, Stack]) -> tuple[int, Limits]:
        """Where German armour starts, and what is in its way."""
        zone, ally = s.zone(other(GERMAN)), s.occupied[other(GERMAN)]
        start = union([hex_ for hex_, stack in german.items() if stack.drives])
        return start & ~zone, Limits(blocked=ally | s.bonds(other(GERMAN)).hexes, stop=zone)

    def open_to_columns(self, s: Situation, german: dict[int, Stack]) -> int:
        """The hexes that German columns could reach next turn by road, out of the way of every Ally (12.2)."""
        return self._flood(*self._in_column(s, german), self.facts.ground.road_steps(s.p.blown), COLUMN)

    def _in_column(self, s: Situation, german: dict[int, Stack]) -> tuple[int, Limits]:
        """Where German columns start, and what is in their way."""
        near = s.next_to_enemy(GERMAN)
        start = union([hex_ for hex_, stack in german.items() if stack.drives]) & ~near
        return start, Limits(blocked=near | s.occupied[other(GERMAN)])

    def ways_open(
        self, s: Situation, german: dict[int, Stack], wanting: dict[int, float]
    ) -> tuple[int, dict[int, float]]:
        """The hexes that German armour could reach next turn; and for each hex beside a way to towns, or to the
        gates of towns that are held, what these towns want."""
        open_, barring, board = 0, dict[int, float](), self.facts.board
        roads = self.facts.ground.road_steps(s.p.blown)
        driving, marching = self._drive(s, german), self._in_column(s, german)
        for (start, limits), steps, points in ((driving, self.drive, DRIVE), (marching, roads, COLUMN)):
            found = reach(steps, {0: start}, points * POINT, limits)
            for town, want in wanting.items():
                gates = found.spaces & (1 << town) or found.spaces & board.next_to(town)
                if want and gates and not open_ >> town & 1:
                    way = union(found.path(min(members(gates), key=found.cost)))
                    for hex_ in members(way | board.around(way)):
                        barring[hex_] = barring.get(hex_, 0.0) + want
            open_ |= found.spaces & self.field.hexes
        return open_, barring

    def retakable(self, s: Situation, allied: dict[int, Stack]) -> int:
        """The places held by Germans in which none stands, and into which Allied armour could drive."""
        left = union(self.places) & s.p.german_held & ~s.occupied[GERMAN]
        if not left:
            return 0
        start = union([hex_ for hex_, stack in allied.items() if stack.drives])
        limits = Limits(blocked=s.occupied[GERMAN] | s.bonds(GERMAN).hexes, stop=s.zone(GERMAN))
        return left & self._flood(start, limits, self.drive, DRIVE)

    def _flood(self, start: int, limits: Limits, steps: Steps, points: int) -> int:
        key = start, limits.blocked, limits.stop, points
        found = self._drives.get(key)
        if found is None:
            if len(self._drives) >= MOST_KEPT:
                self._drives.clear()
            found = reach(steps, {0: start}, points * POINT, limits).spaces & self.field.hexes if start else 0
            self._drives[key] = found
        return found

    # ------------------------------------------------------------------ attacks

    def prospects(
        self, s: Situation, stacks: dict[str, dict[int, Stack]], side: str, place: float = TOWN
    ) -> float:
        """What the attacks that a side could make from where it stands are worth, no hex used twice."""
        facts, enemy = self.facts, other(side)
        mine, theirs, board = stacks[side], stacks[enemy], facts.board
        able = union([hex_ for hex_, stack in mine.items() if stack.attack])
        contact = able & board.around(s.occupied[enemy])
        if not contact:
            return 0.0
        shut = s.zone(side) & ~s.occupied[enemy] | s.occupied[side]
        supported = self._in_range(s, side)
        found = []
        for target in members(s.occupied[enemy] & self.field.hexes & board.around(contact)):
            near = board.next_to(target) & contact
            attackers = sorted(
                ((mine[hex_].attack, mine[hex_].attacking_tq, hex_) for hex_ in members(near)), reverse=True
            )
            trapped = not board.next_to(target) & self.field.hexes & ~shut
            shift = supported >> target & 1
            town = place * self.worth_at.get(target, 0.0)
            found.append(self._best_attack(s, target, tuple(attackers), theirs[target], trapped, shift, town))
        total, spent = 0.0, 0
        for gain, used in sorted(found, reverse=True):
            if gain > 0 and not used & spent:
                total += gain
                spent |= used
        return total

    def _in_range(self, s: Situation, side: str) -> int:
        """The hexes that guns which are ready can support."""
        facts, p = self.facts, s.p
        found = 0
        unfit = p.fired | p.movers | p.engaged | p.disrupted | p.broken | p.columns
        for unit in members(facts.guns & facts.of_side[side] & ~unfit):
            if p.where[unit] >= 0:
                found |= _around(facts, p.where[unit], facts.rows[unit].range)
        return found

    def _best_attack(
        self,
        s: Situation,
        target: int,
        attackers: tuple[tuple[int, int, int], ...],
        defender: Stack,
        trapped: bool,
        shift: int,
        town: float,
    ) -> tuple[float, int]:
        """The best attack on one hex by the strongest next to it, and the hexes it is made from."""
        improved = s.p.improved >> target & 1
        key = target, attackers, defender, trapped, shift, improved, town
        found = self._groups.get(key)
        if found is None:
            if len(self._groups) >= MOST_KEPT:
                self._groups.clear()
            facts = self.facts
            bonus = max(facts.ground.hex_bonus(target), facts.ground.terrain["improved"].bonus if improved else 0)
            strength = defender.defence + min(bonus, defender.defence)
            best, best_used, attack, used, tanks = 0.0, 0, 0, 0, 0
            armour = armour_counts(facts.ground, target)
            for factors, tq, hex_ in attackers:
                attack += -(-factors // 2) if self._hampered(hex_, target) else factors
                used |= 1 << hex_
                tanks = max(tanks, tq)
                better = (tanks > defender.tq) - (defender.guarded and not tanks) if armour else 0
                column = column_after(facts, rung(attack, strength), shift + better + defender.shaken)
                gain = self.odds[1 + column].gain(defender, trapped, town)
                if gain > best:
                    best, best_used = gain, used
            found = self._groups[key] = best, best_used
        return found

    def _hampered(self, from_: int, to: int) -> bool:
        ground = self.facts.ground
        return ground.rivers.between(from_, to) or bool(ground.wooded_rough >> from_ & 1)


@lru_cache(maxsize=20_000)
def _around(facts: Facts, hex_: int, hexes: int) -> int:
    return facts.board.within(1 << hex_, hexes)


def _odds_of(facts: Facts, column: int) -> Odds:
    """The means of a column; a Fire Fight is what its own table makes of it."""
    chances = facts.combat.chances(column) if column >= 0 else (("A1", 1),)
    fought = facts.dice["fire_fight"]
    means = np.zeros(5)
    for result, chance in chances:
        happens = outcome(result)
        if happens.fire_fight is None:
            means += float(chance) * _means(happens)
        else:
            rolls = [_means(outcome(fought.result(die + happens.fire_fight))) for die in range(1, 7)]
            means += float(chance) * sum(rolls) / 6
    return Odds(*means.tolist())


def _means(happens: Outcome) -> Array:
    return np.array(
        [happens.attacker, happens.defender, happens.retreat > 0, max(0, happens.retreat - 2), happens.engaged],
        float,
    )
