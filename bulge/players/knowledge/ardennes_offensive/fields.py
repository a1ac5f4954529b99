"""What draws the units of each side in The Ardennes Offensive, hex by hex, as a phase begins."""

from __future__ import annotations

from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from bulge.core.spaces import members, union
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, other
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.routes import MARCHING
from bulge.games.ardennes_offensive.situation import Situation
from bulge.players.knowledge.ardennes_offensive.ground import Ground
from bulge.players.knowledge.nearness import strength_around

EXIT_NOW = 2.5
"""What holding an exit draws, for each of its points."""
DANGER = 4
"""So near to the enemy a column in road mode is in danger."""
JAM = 8.0
"""What it costs to stand where others would come on."""
GOOD_ODDS = 5
"""What an attack should have: more brings little."""


class ArdennesFields:
    """What both sides have in common: who is near, who has been sent where."""

    side: str

    def __init__(self, ground: Ground, p: ArdennesPosition) -> None:
        self.ground, self.facts, self.p = ground, ground.facts, p
        self.s = Situation(ground.facts, p)
        self.tally = ground.counter.tally(self.s)
        self.sent: dict[int, int] = {}
        """Strength sent to each hex so far."""
        self.enemies = self.tally.stacks[other(self.side)]
        attacks = {hex_: stack.attack for hex_, stack in self.enemies.items()}
        self.around = strength_around(self.facts.board, attacks, two_off=0.3)
        self.danger = self.facts.board.within(union(self.enemies), DANGER)
        self.assaults = {target: GOOD_ODDS * stack.defence for target, stack in self.enemies.items()}
        """The strength that each enemy still asks for, next to it."""
        self.gates = reduce(or_, (ground.gate[entry] for entry in self.tally.waiting), 0)
        """Where a unit would keep out reinforcements that wait beside the map."""
        self.pull = self._pull()

    def _pull(self) -> NDArray[np.float64]:
        raise NotImplementedError

    def score(self, unit: int, hex_: int, manner: str) -> float:
        raise NotImplementedError

    def send(self, unit: int, hex_: int) -> None:
        if hex_ < 0:
            return
        strength = self.facts.strength[unit]
        self.sent[hex_] = self.sent.get(hex_, 0) + strength
        for target in members(self.facts.board.next_to(hex_) & union(self.enemies)):
            self.assaults[target] = max(0, self.assaults[target] - strength)

    def exposure(self, unit: int, hex_: int) -> float:
        """How far the enemy outweighs whoever would stand there."""
        own = self.sent.get(hex_, 0) + self.facts.strength[unit]
        shelter = 0.5 if self.facts.towns >> hex_ & 1 else 1.0
        return shelter * max(0.0, float(self.around[hex_]) - 1.5 * own)

    def assault(self, unit: int, hex_: int) -> float:
        """What a unit adds to the attacks that could be made from there."""
        near = self.facts.board.next_to(hex_)
        wanted = [lack for target, lack in self.assaults.items() if near >> target & 1]
        return float(min(self.facts.strength[unit], max(wanted))) if wanted else 0.0

    def column_risk(self, unit: int, hex_: int, manner: str) -> float:
        """What a column in road mode risks near the enemy."""
        if manner != MARCHING:
            return 0.0
        return 2.0 + 0.6 * self.facts.strength[unit] if self.danger >> hex_ & 1 else 0.2

    def jam(self, hex_: int) -> float:
        return JAM if self.gates >> hex_ & 1 else 0.0

    def best_place(self, hex_: int, weights: NDArray[np.float64]) -> str:
        """The exit, or Bastogne, that counts most at a hex."""
        place = self.ground.places[int(np.argmax(weights * self.ground.nearness[:, hex_]))]
        return self.facts.places.get(place, f"the exit at {self.facts.board.name(place)}")


class GermanFields(ArdennesFields):
    """Exits that are not held, Bastogne, and enemies that can be hit."""

    side = GERMAN

    def _pull(self) -> NDArray[np.float64]:
        self.weights = self.ground.open_worth(self.p, self.s)
        pull: NDArray[np.float64] = self.weights @ self.ground.nearness
        return pull

    def score(self, unit: int, hex_: int, manner: str) -> float:
        strength = self.facts.strength[unit]
        score = float(self.pull[hex_]) * (1.0 + 0.1 * strength) + self._exits(hex_, manner)
        score += 0.5 * self.assault(unit, hex_) - 0.25 * self.exposure(unit, hex_)
        return score - self.column_risk(unit, hex_, manner) - self.jam(hex_)

    def _exits(self, hex_: int, manner: str) -> float:
        """Exits that a unit would hold from here, if nobody else has been sent to hold them."""
        facts, board = self.facts, self.facts.board
        holds = 1 << hex_ if manner == MARCHING else 1 << hex_ | board.next_to(hex_)
        held = board.around(union(self.sent)) | union(self.sent)
        open_ = facts.sources[ALLIED] & holds & ~held & ~self.s.occupied[ALLIED]
        return EXIT_NOW * sum(facts.exit_points[exit_] for exit_ in members(open_))

    def reason(self, unit: int, hex_: int) -> str:
        if self.facts.sources[ALLIED] & (1 << hex_ | self.facts.board.next_to(hex_)):
            return "hold an exit"
        if self.s.zones[ALLIED] >> hex_ & 1 and self.assault(unit, hex_):
            return "mass for an attack"
        return f"towards {self.best_place(hex_, self.weights)}"


class AlliedFields(ArdennesFields):
    """Exits and crossroads that the Germans are near, towns that can be held, and the spearheads themselves."""

    side = ALLIED

    def _pull(self) -> NDArray[np.float64]:
        ground = self.ground
        german = ground.nearness @ ground.side_strength(self.tally, GERMAN)
        allied = ground.nearness @ ground.side_strength(self.tally, ALLIED)
        self.weights: NDArray[np.float64] = ground.place_worth * np.tanh(german / 8.0)
        self.weights *= 1.0 + (allied < german)
        self.spearheads = union([self.p.where[unit] for unit in ground.armour])
        pull: NDArray[np.float64] = self.weights @ ground.nearness
        return pull

    def score(self, unit: int, hex_: int, manner: str) -> float:
        facts = self.facts
        crowd = 1.0 + 0.35 * self.sent.get(hex_, 0)
        score = 1.2 * float(self.pull[hex_]) / crowd
        if hex_ in facts.exit_points:
            score += 1.5 * float(self.weights[self.ground.places.index(hex_)]) / crowd
        if facts.towns >> hex_ & 1 or facts.road_hexes >> hex_ & 1:
            score += (1.0 if facts.towns >> hex_ & 1 else 0.4) / crowd
        if facts.board.next_to(hex_) & self.spearheads and hex_ not in self.sent:
            score += 1.5
        score += 0.4 * self.assault(unit, hex_) - 0.3 * self.exposure(unit, hex_)
        return score - self.column_risk(unit, hex_, manner) - self.jam(hex_)

    def reason(self, unit: int, hex_: int) -> str:
        if hex_ in self.facts.exit_points:
            return "hold the exit"
        if self.facts.towns >> hex_ & 1:
            return f"hold {self.facts.places[hex_]}"
        if self.facts.board.next_to(hex_) & self.spearheads:
            return "stand in the way of the panzers"
        return f"cover {self.best_place(hex_, self.weights)}"
