"""Tracing supply: heads on the roads, four hexes overland, the hypothetical unit (13.0, 13.1, 13.3, 15.51)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bulge.core.rulebook import rule
from bulge.core.supply import Lines
from bulge.games.enemy_action.facts import ALLIED, GERMAN, SUPPLY_PATH, Facts, other

if TYPE_CHECKING:
    from bulge.games.enemy_action.position import EnemyActionPosition
    from bulge.games.enemy_action.situation import Situation


class Supply(Lines):
    """Overland to a head or a friendly edge; or over one unbridged river straight into a head."""

    @rule("13.1", "13.11")
    def __init__(self, facts: Facts, side: str, through: int, usable: int, intact: int, sources: int) -> None:
        self._made_of = facts, side, usable, intact, sources
        self.roads = facts.open_roads(usable)
        self.heads = self.roads.connected(sources & through, through)
        """Road hexes joined to a source: supply heads."""
        self.edge = facts.friendly_edge[side]
        goals = self.heads | self.edge & ~(facts.sources[side] & ~sources)
        super().__init__(facts.overland(usable), goals, SUPPLY_PATH, through)
        self.over_river = (facts.rivers - facts.sides(intact)).across(self.heads & through)

    def among(self, spaces: int) -> int:
        return super().among(spaces) | spaces & (self.over_river | self.edge)

    def overland_reaches(self, hex_: int) -> bool:
        """Whether a plain line overland leads to a head, which can be drawn."""
        return bool(super().among(1 << hex_) and self.heads)

    def without(self, hexes: int) -> Supply:
        """The lines that are left if these hexes are closed too."""
        if not self.through & hexes:
            return self
        facts, side, usable, intact, sources = self._made_of
        return _supply(facts, side, self.through & ~hexes, usable, intact, sources)


@rule("13.0", "13.1", "13.13", "13.3", "15.21")
def lines_of(s: Situation, side: str, *, reserve: bool, detachments: int) -> Supply:
    """What blocks a line: enemies, their towns, their zones where no friend stands, the Westwall, roadblocks."""
    facts, p, enemy = s.facts, s.p, other(side)
    zone = s.zones[enemy]
    if side == ALLIED:
        zone |= facts.board.around(detachments)
    friends = 0 if reserve else s.occupied[side]
    free = facts.board.all & ~s.occupied[enemy] & ~(zone & ~friends)
    if side == GERMAN:
        free &= p.german_towns | ~facts.towns
        free &= ~p.roadblocks
    else:
        free &= ~p.german_towns
        free &= ~facts.wall | s.occupied[ALLIED]
        free &= ~detachments
    usable, intact = usable_bridges(facts, p, side), intact_bridges(facts, p)
    return _supply(facts, side, free, usable, intact, open_sources(facts, p, side))


@lru_cache(maxsize=512)
def _supply(facts: Facts, side: str, through: int, usable: int, intact: int, sources: int) -> Supply:
    return Supply(facts, side, through, usable, intact, sources)


def intact_bridges(facts: Facts, p: EnemyActionPosition) -> int:
    return facts.bridges & ~p.blown | p.built


@rule("14.2", "13.1")
def usable_bridges(facts: Facts, p: EnemyActionPosition, side: str) -> int:
    """Bridges that stand and are not the enemy's."""
    own = p.german_bridges if side == GERMAN else ~p.german_bridges
    return intact_bridges(facts, p) & own


@rule("13.14")
def open_sources(facts: Facts, p: EnemyActionPosition, side: str) -> int:
    """Some Allied sources close while certain towns are German."""
    sources = facts.sources[side]
    if side == ALLIED:
        for source, towns in facts.lost_with:
            if towns & p.german_towns:
                sources &= ~source
    return sources
