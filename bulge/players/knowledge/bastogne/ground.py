"""How the ground about Bastogne looks to a defender: where danger comes from, and where men are wanted."""

from __future__ import annotations

from collections.abc import Iterable

from bulge.games.bastogne.facts import Facts
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import defensive, german_spaces, germans_in, load, strength, us_in, us_spaces

CENTER_LEAST = 8.0
"""Strength that the Center is wanted to have, whatever happens."""
GUN_PLACES = 0.6


def total(facts: Facts, p: BastognePosition, units: Iterable[int]) -> float:
    return float(sum(strength(facts, p, unit) for unit in units))


class Ground:
    """What follows from where everybody stands; made anew for each question."""

    def __init__(self, facts: Facts, p: BastognePosition) -> None:
        self.facts, self.p = facts, p
        self.germans = german_spaces(facts, p)

    def enemy(self, space: int) -> float:
        return total(self.facts, self.p, germans_in(self.facts, self.p, space))

    def pressure(self, track: int) -> float:
        """German strength on a track; what waits in the staging area counts a little less."""
        line = self.facts.tracks[track]
        return sum(self.enemy(space) for space in line[1:-1]) + 0.7 * self.enemy(line[-1])

    def front(self, track: int) -> int | None:
        """The outermost space of a track that US units hold."""
        held = (s for s in self.facts.tracks[track][-2:0:-1] if us_in(self.facts, self.p, s))
        return next(held, None)

    def danger(self, space: int) -> float:
        """How much the Germans in a space threaten: many, near the Center, and easy to hit."""
        facts = self.facts
        many = self.enemy(space)
        nearness = 1.5 if facts.beside[space] & us_spaces(facts, self.p) else 1.0
        cover = 0.7 if facts.towns >> space & 1 else 1.0
        return many * nearness * cover / (1 + 0.2 * facts.number_of[space])

    def need(self, space: int) -> float:
        """How much more strength a space is wanted to have."""
        facts, p = self.facts, self.p
        have = total(facts, p, us_in(facts, p, space))
        if space == facts.center:
            open_tracks = [t for t in range(4) if self._open(t)]
            want = CENTER_LEAST + 0.5 * max((self.pressure(t) for t in open_tracks), default=0.0)
            return want - have
        track = facts.track_of[space]
        if space != self.front(track):
            return -have
        cover = 0.6 if defensive(facts, p, space, "US") else 0.2
        return cover * self.pressure(track) - have

    def _open(self, track: int) -> bool:
        """Whether nothing solid stands between the Germans of a track and the Center."""
        front = self.front(track)
        return front is None or not defensive(self.facts, self.p, front, "US")

    def worth(self, unit: int, space: int) -> float:
        """What a unit is worth in a space, measured by what is wanted there without it."""
        facts, p = self.facts, self.p
        if unit in facts.leaders or unit in facts.hqs:
            return 0.1 * load(facts, p, space) if space != p.where[unit] else 2.0
        if unit in facts.impact_of:
            return self._gun_worth(space)
        factor = strength(facts, p, unit)
        there = p.where[unit] == space
        lacking = self.need(space) + (factor if there else 0.0)
        shelter = 0.5 if defensive(facts, p, space, "US") else -0.5
        return max(0.0, min(factor, lacking)) + shelter

    def _gun_worth(self, space: int) -> float:
        """Guns belong where no German can get at them, but not in the way of others in the Center."""
        behind = not self.facts.beside[space] & self.germans
        return GUN_PLACES * behind + (0.3 if space == self.facts.center else 0.0)
