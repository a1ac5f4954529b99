"""The ways off the map in The Bulge: who could leave by them, what would open them, and who stands in between."""

from __future__ import annotations

from math import exp

from bulge.core.movement import Limits, Reach, reach
from bulge.core.spaces import lowest, members, union
from bulge.games.the_bulge.facts import ALLIED, GERMAN, POINT
from bulge.games.the_bulge.situation import Situation
from bulge.players.knowledge.the_bulge.ground import FAR, Ground
from bulge.players.knowledge.the_bulge.tally import Tally

OFF_ROAD = 2
"""What a point of terrain counts for on a long march, where a hex along a road counts for one."""
PAST_ZONE, PAST_WEAK, PAST_FIRM, PAST_STRONG = 4, 8, 12, 18
"""And what it counts for to pass an Allied zone, or a hex that must be attacked first, by how well it is held."""
WEAK, FIRM = 3, 6
MOST_MARCHED, MARCH_FADING = 40, 12.0
MOST_EASES_KEPT = 2_000

Held = tuple[tuple[int, int], ...]
"""Sets of hexes, each with what it counts for to get past them."""


class WaysOut:
    def __init__(self, ground: Ground) -> None:
        self.ground, self.facts = ground, ground.facts
        hexes, far = members(self.facts.board.all), ground.exit_distance
        self.marching = self.facts.across_country(OFF_ROAD).along(self.facts.roads, 1)
        """What a step counts for on a march of several turns: roads are all that matters, where there are any."""
        self._eases: dict[tuple[int, Held], float] = {}
        self.within = [union([hex_ for hex_ in hexes if far[hex_] <= most]) for most in range(FAR)]

    def nearness(self, spaces: int) -> float:
        """From 0 to 1: how near to the edge the nearest of these is."""
        for distance, hexes in enumerate(self.within):
            if hexes & spaces:
                return exp(-distance / 6)
        return 0.0

    def ease(self, s: Situation, tally: Tally) -> float:
        """From 0 to 1: how little keeps panzers from the edge, be it the way there or whoever stands in it."""
        key = self.ground.panzers(s.p), self._held(tally)
        ease = self._eases.get(key)
        if ease is None:
            if len(self._eases) >= MOST_EASES_KEPT:
                self._eases.clear()
            ease = self._eases[key] = self._ease(s.occupied[ALLIED], *key)
        return ease

    def _ease(self, allied: int, panzers: int, held: Held) -> float:
        limits = Limits(enter=((self.facts.board.around(allied) & ~allied, PAST_ZONE), *held))
        exits = self.facts.exits
        march = reach(self.marching, {0: panzers}, MOST_MARCHED, limits, until=exits)
        reached = march.spaces & exits
        return exp(-march.cost(lowest(reached)) / MARCH_FADING) if reached else 0.0

    def _held(self, tally: Tally) -> Held:
        """The hexes that Allied units hold, by what it takes to get past them."""
        held = {PAST_WEAK: 0, PAST_FIRM: 0, PAST_STRONG: 0}
        for hex_, stack in tally.stacks[ALLIED].items():
            defence = stack.strength + self.ground.cover(GERMAN, hex_)
            held[PAST_WEAK if defence <= WEAK else PAST_FIRM if defence <= FIRM else PAST_STRONG] |= 1 << hex_
        return tuple((hexes, past) for past, hexes in held.items())

    def can_exit(self, panzers: Reach, against: int) -> bool:
        """Whether a panzer unit gets to the edge with enough left to leave the map past Allied units there."""
        return any(self._left_from(panzers, against))

    def _left_from(self, panzers: Reach, against: int) -> tuple[int, int]:
        """The hexes from which panzers leave the map: driving, and otherwise. It costs more from an enemy zone."""
        exits, roads = self.facts.exits, self.facts.edge_roads
        zone = self.facts.board.around(against)
        last = len(panzers.levels)
        by_road = panzers.before.spaces & exits & roads & ~zone if panzers.before is not None else 0
        early = 0
        for cost, level in enumerate(panzers.levels[: last - POINT]):
            early |= level & ~zone if cost >= last - 2 * POINT else level
        return by_road, early & exits

    def way_out(self, s: Situation, against: int) -> list[int]:
        """The hexes by which panzers leave the map past Allied units in these hexes; empty if they cannot."""
        panzers = self.ground.panzer_reach(s, against)
        by_road, otherwise = self._left_from(panzers, against)
        if by_road and panzers.before is not None:
            return panzers.before.path(members(by_road)[0])
        return panzers.path(members(otherwise)[0]) if otherwise else []

    def way_to_the_edge(self, s: Situation, against: int) -> list[int]:
        """The hexes by which panzers get to the edge, if not over it; empty if they cannot."""
        panzers = self.ground.panzer_reach(s, against)
        edge = panzers.spaces & self.facts.exits
        return panzers.path(members(edge)[0]) if edge else []

    def breakthrough(self, s: Situation, emptied: dict[int, float]) -> float:
        """The chance that attacks which empty these hexes, each as likely, let panzers off the map."""
        if not self._lets_out(s, union(list(emptied))):
            return 0.0
        held = 1.0
        for hex_, chance in emptied.items():
            if self._lets_out(s, 1 << hex_):
                held *= 1.0 - chance
        if held < 1.0:
            return 1.0 - held
        likely = sorted(emptied.values())[-2:]
        return likely[0] * likely[1]  # it takes at least two of them

    def _lets_out(self, s: Situation, gone: int) -> bool:
        """Whether panzers could leave the map if the Allied units in these hexes were gone."""
        against = s.occupied[ALLIED] & ~gone
        return bool(gone) and self.can_exit(self.ground.panzer_reach(s, against), against)

    def foothold(self, s: Situation, tally: Tally) -> float:
        """The chance that a panzer unit on an edge hex is still there when the Allies have done their worst."""
        best = 0.0
        allied = tally.stacks[ALLIED]
        for hex_ in members(self.ground.panzers(s.p) & self.facts.exits):
            own = tally.stacks[GERMAN][hex_].strength + self.ground.cover(ALLIED, hex_)
            near = self.ground.closing[hex_]
            foes = sum(stack.strength * near[at] for at, stack in allied.items())
            best = max(best, min(0.9, 0.5 + (own + 2 - 0.6 * foes) / 10))
        return best
