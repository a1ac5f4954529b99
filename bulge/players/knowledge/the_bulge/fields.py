"""What draws the units of each side in The Bulge, hex by hex, as a phase begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bulge.core.spaces import members, union
from bulge.games.the_bulge.facts import ALLIED, GERMAN, LAST_TURN, other
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from bulge.players.knowledge.nearness import strength_around
from bulge.players.knowledge.the_bulge.ground import Ground
from bulge.players.knowledge.the_bulge.tally import Tally
from bulge.players.knowledge.the_bulge.ways_out import WaysOut

TOWN_NOW = 4.0
WAY_OUT = 60.0
TOWN_HELD = 6.0
"""A town of theirs that Americans could take if nobody held it, on the last turn; less before."""
GUARD, GUARD_EDGE, GUARD_BEHIND, AT_THE_FRONT = 12.0, 8.0, 5.0, 0.6
"""To stand in the panzers' way: off the map, to its edge, or off it once attacks have opened it; and how far that
counts where the guard may be attacked first."""
STOPPER, SHORT = 40.0, 6
"""To close a way off the map that is no longer than so many hexes, there and then."""
SURROUND = 0.8
"""What it is worth to close an enemy's retreat, by the steps that he would lose."""


@dataclass(frozen=True)
class Guard:
    """Where a unit could stand in the panzers' way."""

    unit: int = -1
    hexes: int = 0
    worth: float = 0.0
    others: int = 0
    """Where all other Allied units stand."""
    at_the_last: bool = False
    """The way is open and short: next time they are gone."""


class BulgeFields:
    """What both sides have in common: who is near, who has been sent where."""

    side: str

    def __init__(self, ground: Ground, p: BulgePosition) -> None:
        self.ground, self.facts, self.p = ground, ground.facts, p
        self.situation = Situation(ground.facts, p)
        self.tally = Tally(ground.facts, self.situation)
        self.sent: dict[int, int] = {}
        """Strength sent to each hex so far."""
        self.enemies = self.tally.stacks[other(self.side)]
        self.targets = union(list(self.enemies))
        strengths = {hex_: stack.strength for hex_, stack in self.enemies.items()}
        self.around = strength_around(self.facts.board, strengths, two_off=0.4)
        self.pull = self._pull()

    def _weigh(self, side: str) -> NDArray[np.float64]:
        """How much strength of a side lies near each town and way out."""
        strength = np.zeros(self.ground.size)
        for hex_, stack in self.tally.stacks[side].items():
            strength[hex_] += stack.strength
        weighed: NDArray[np.float64] = self.ground.nearness @ strength
        return weighed

    def _pull(self) -> NDArray[np.float64]:
        raise NotImplementedError

    def send(self, unit: int, hex_: int) -> None:
        self.sent[hex_] = self.sent.get(hex_, 0) + self.ground.strength(self.p, unit)

    def score(self, unit: int, hex_: int, manner: str) -> float:
        raise NotImplementedError

    def exposure(self, unit: int, hex_: int) -> float:
        """How far the enemy outweighs whoever would stand there."""
        own = (
            self.sent.get(hex_, 0) + self.ground.strength(self.p, unit) + self.ground.cover(other(self.side), hex_)
        )
        return max(0.0, float(self.around[hex_]) - own)

    def assault(self, unit: int, hex_: int) -> float:
        """What a unit adds to the attacks that could be made from there."""
        gain = 0.0
        for target in members(self.facts.board.next_to(hex_) & self.targets):
            stack, here = self.enemies[target], self.facts.board.next_to(target)
            joined = sum(strength for at, strength in self.sent.items() if here >> at & 1)
            lack = stack.strength + self.ground.cover(self.side, target) + 4 - joined
            helped = min(float(self.ground.strength(self.p, unit)), lack)
            if joined and self._surrounds(hex_, target):
                helped += SURROUND * stack.steps_worth
            gain = max(gain, helped)
        return gain

    def _surrounds(self, hex_: int, target: int) -> bool:
        """Whether somebody has been sent to the other side of the target."""
        bits = self.ground.bit[target]
        across = (bits[hex_] << 3 | bits[hex_] >> 3) & 63
        return any(bits.get(at, 0) == across for at in self.sent)

    def place_name(self, place: int) -> str:
        board, hex_ = self.facts.board, self.ground.places[place]
        return self.facts.places.get(hex_, f"the map's edge at {board.name(hex_)}")

    def best_place(self, hex_: int, weights: NDArray[np.float64]) -> str:
        """The town or way out that counts most at a hex."""
        return self.place_name(int(np.argmax(weights * self.ground.nearness[:, hex_])))


class GermanFields(BulgeFields):
    """Towns that are not theirs, the map's edge for panzers, and enemies that can be hit."""

    side = GERMAN

    def _pull(self) -> NDArray[np.float64]:
        ground = self.ground
        open_ = np.array([0.0 if self.p.german >> place & 1 else 1.0 for place in ground.places])
        self.weights = ground.place_worth * open_
        foot = self.weights.copy()
        foot[len(ground.towns) :] = 0.0
        self.foot_weights = foot
        self.foot_pull: NDArray[np.float64] = foot @ ground.nearness
        pull: NDArray[np.float64] = self.weights @ ground.nearness
        self.to_hold = self._to_hold()
        return pull

    def _to_hold(self) -> int:
        """The towns of theirs that Americans could take, or come next to."""
        facts = self.facts
        own = facts.towns & self.p.german
        return own & facts.board.within(self.ground.allied_reach(self.situation), 1) if own else 0

    def score(self, unit: int, hex_: int, manner: str) -> float:
        facts = self.facts
        panzer = facts.mechanized[unit]
        strength = self.ground.strength(self.p, unit)
        score = float((self.pull if panzer else self.foot_pull)[hex_]) * (1 + 0.3 * strength)
        if facts.towns >> hex_ & 1 and not self.p.german >> hex_ & 1 and hex_ not in self.sent:
            score += TOWN_NOW * facts.town_points[hex_]
        if self.to_hold >> hex_ & 1 and hex_ not in self.sent:
            score += TOWN_HELD * facts.town_points[hex_] * self.p.turn / LAST_TURN
        if panzer and facts.exits >> hex_ & 1:
            score += WAY_OUT
        return score + 0.5 * self.assault(unit, hex_) - 0.25 * self.exposure(unit, hex_)

    def reason(self, unit: int, hex_: int) -> str:
        facts = self.facts
        if facts.towns >> hex_ & 1:
            return f"take {facts.places[hex_]}" if not self.p.german >> hex_ & 1 else f"hold {facts.places[hex_]}"
        if self.situation.zones[ALLIED] >> hex_ & 1 and self.assault(unit, hex_):
            return "mass for an attack"
        weights = self.weights if facts.mechanized[unit] else self.foot_weights
        return f"towards {self.best_place(hex_, weights)}"


class AlliedFields(BulgeFields):
    """Towns and ways out that the Germans are near, good ground, the spearheads, and their ways off the map."""

    side = ALLIED

    def __init__(self, ground: Ground, p: BulgePosition, ways_out: WaysOut) -> None:
        super().__init__(ground, p)
        self.ways_out = ways_out
        us = ground.facts.us_units.start
        self.stands = {
            unit: hex_ for unit, hex_ in enumerate(p.where) if unit >= us and ground.facts.fighting[unit]
        }
        """Where every Allied unit is, or has been sent."""
        self._guard = Guard()

    def _pull(self) -> NDArray[np.float64]:
        ground = self.ground
        german, allied = self._weigh(GERMAN), self._weigh(ALLIED)
        self.weights: NDArray[np.float64] = ground.place_worth * np.tanh(german / 6.0)
        self.weights *= 1.0 + (allied < german)
        pull: NDArray[np.float64] = self.weights @ ground.nearness
        self.spearheads = ground.panzers(self.p)
        return pull

    def send(self, unit: int, hex_: int) -> None:
        super().send(unit, hex_)
        self.stands[unit] = hex_

    def guards(self, unit: int, hex_: int) -> float:
        """What it is worth that a unit stands there in the way of panzers which could leave the map otherwise."""
        if self._guard.unit != unit:
            self._guard = self._to_guard(unit)
        guard, s = self._guard, self.situation
        if not guard.hexes >> hex_ & 1:
            return 0.0
        if guard.at_the_last and not self.ways_out.way_out(s, guard.others | 1 << hex_):
            return STOPPER
        return guard.worth * (AT_THE_FRONT if s.zones[GERMAN] >> hex_ & 1 else 1.0)

    def _to_guard(self, unit: int) -> Guard:
        """The hexes on or beside the way that the others leave open: out, to the edge, or out once attacked."""
        out, s = self.ways_out, self.situation
        if self.p.turn == LAST_TURN:
            return Guard(unit)  # nobody can leave any more
        others = union([hex_ for mate, hex_ in self.stands.items() if mate != unit])
        for way_open, against, worth in (
            (out.way_out, others, GUARD),
            (out.way_to_the_edge, others, GUARD_EDGE),
            (out.way_out, others & ~s.zones[GERMAN], GUARD_BEHIND),
        ):
            if way := way_open(s, against):
                at_the_last = worth == GUARD and len(way) <= SHORT
                return Guard(unit, self.facts.board.within(union(way), 1), worth, others, at_the_last)
        return Guard(unit)

    def score(self, unit: int, hex_: int, manner: str) -> float:
        facts, ground = self.facts, self.ground
        crowd = 1.0 + 0.35 * self.sent.get(hex_, 0)
        score = 3.0 * float(self.pull[hex_]) / crowd + 0.25 * ground.cover(GERMAN, hex_)
        if facts.towns >> hex_ & 1:
            place = ground.places.index(hex_)
            score += 3.0 * float(self.weights[place]) / crowd
        if (heads := facts.board.next_to(hex_) & self.spearheads) and hex_ not in self.sent:
            score += 6.0 * self.ways_out.nearness(heads)
        score += self.guards(unit, hex_)
        return score + 0.2 * self.assault(unit, hex_) - 0.35 * self.exposure(unit, hex_)

    def reason(self, unit: int, hex_: int) -> str:
        facts = self.facts
        if facts.towns >> hex_ & 1:
            roads = sum(hex_ in pair for pair in facts.roads)
            return f"hold {facts.places[hex_]}: {roads} roads, {facts.town_points[hex_]} points"
        if facts.board.next_to(hex_) & self.spearheads or self.guards(unit, hex_):
            return "stand in the way of the panzers"
        return f"cover {self.best_place(hex_, self.weights)}"
