"""Method 10: along the movement arrows, and the extended move (rules 2.1 and 9.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, ARROW_OF_ARMY, Facts, mask
from bulge.games.enemy_action.movement import Moves
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.restrictions import free_moves, moves_within
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.walking import walk

EXTENDED_FROM = 17
EXTENDED_ON_FOOT = 2
BRIDGE_AHEAD = 3
"""How many hexes ahead an arrow marked B looks for its bridge."""


@rule("2.1")
def arrows_from(s: Situation, unit: int, hex_: int) -> list[int]:
    """The hexes that the arrows in a hex point to for this unit, the primary one first."""
    facts, board = s.facts, s.facts.board
    own = ARROW_OF_ARMY.get(facts.army_of[unit], "")
    found = []
    for row in facts.arrows.get(hex_, ()):
        to = board.at(row.to)
        if row.only in ("", own) or (row.only == "B" and bridge_ahead(s, hex_, to)):
            found.append(to)
    return found


@rule("2.1")
def bridge_ahead(s: Situation, hex_: int, to: int) -> bool:
    """Whether the nearest bridge in the direction of an arrow stands."""
    facts, board = s.facts, s.facts.board
    direction = board.direction(hex_, to)
    for _ in range(BRIDGE_AHEAD):
        side = facts.river_side(hex_, to)
        if side >= 0:
            return bool(intact_bridges(facts, s.p) >> side & 1)
        hex_, to = to, board.neighbour(to, direction)
        if to < 0:
            break
    return True


class Walk(NamedTuple):
    way: tuple[int, ...]
    left: int
    """Points that could not be spent."""
    beside_enemy: bool

    @property
    def clean(self) -> bool:
        return not self.left and not self.beside_enemy


class _Walker:
    """Follows arrows within the rules of movement and the restrictions of 9.21."""

    def __init__(self, s: Situation, moves: Moves) -> None:
        self.s, self.moves, self.unit = s, moves, moves.unit
        self.steps, self.limits = moves.reach.steps, moves.reach.limits
        self.near = s.facts.board.around(s.occupied[ALLIED])

    def price(self, from_: int, to: int, left: int) -> int | None:
        """What a step costs; None where it cannot be made."""
        if from_ == self.moves.start and self.moves.fords >> to & 1:
            return left
        cost = self.steps.cost(from_, to)
        if cost is None or self.limits.blocked >> to & 1 or self.limits.barred(from_, to):
            return None
        cost += self.limits.extra_to_leave(from_)
        return cost if cost <= left else None

    @rule("9.2")
    def follow(self, way: tuple[int, ...], left: int) -> Walk:
        """The primary arrow, unless its walk ends early or beside an enemy and the secondary's does not."""
        here = way[-1]
        if left and not (self.limits.stop >> here & 1 and here != self.moves.start):
            walks = []
            for to in arrows_from(self.s, self.unit, here):
                price = None if to in way else self.price(here, to, left)
                if price is not None:
                    walks.append(self.follow((*way, to), left - price))
            for walk_ in walks:
                if walk_.clean:
                    return walk_
            for walk_ in walks:
                if not walk_.left:
                    return walk_
            if walks:
                return walks[0]
        return Walk(way, left, bool(self.near >> here & 1))

    @rule("9.2")
    def extend(self, way: tuple[int, ...], left: int) -> tuple[int, ...]:
        """Further along the arrows, never next to an Allied unit, into an Allied town or over an Allied bridge."""
        facts, p = self.s.facts, self.s.p
        while left and not self.limits.stop >> way[-1] & 1:
            here = way[-1]
            for to in arrows_from(self.s, self.unit, here):
                price = None if to in way else self.price(here, to, left)
                side = facts.river_side(here, to)
                enemy_bridge = side >= 0 and not p.german_bridges >> side & 1
                shut = self.near | facts.towns & ~p.german_towns
                if price is not None and not shut >> to & 1 and not enemy_bridge:
                    way, left = (*way, to), left - price
                    break
            else:
                break
        return way


def arrows_ahead(s: Situation, unit: int) -> int:
    """Every hex that the arrows lead to, as far as an extended move goes: all of it is bound by 9.21."""
    found = front = 1 << s.p.where[unit]
    for _ in range(2 * s.facts.moves[unit]):
        front = mask({to for hex_ in members(front) for to in arrows_from(s, unit, hex_)}) & ~found
        found |= front
    return found


@rule("9.2")
def follow_arrows(t: Table[EnemyActionPosition], s: Situation, unit: int) -> bool:
    """Method 10: only if the whole allowance is spent on the arrows' way; from 17 December it goes on."""
    facts, p = s.facts, s.p
    free = free_moves(s, unit)
    if len(free.reach.levels) == 1 or _Walker(s, free).follow((free.start,), facts.moves[unit]).left:
        return (
            False  # if the arrows do not take all its points without the restrictions, neither do they with them
        )
    moves = moves_within(s, unit, arrows_ahead(s, unit))
    walker = _Walker(s, moves)
    found = walker.follow((moves.start,), facts.moves[unit])
    if found.left or len(found.way) == 1:
        return False
    way = found.way
    forded = len(way) == 2 and moves.fords >> way[-1] & 1
    if day_of(p) >= EXTENDED_FROM and not found.beside_enemy and not forded:
        way = walker.extend(way, facts.moves[unit] if facts.mechanized[unit] else EXTENDED_ON_FOOT)
    while len(way) > len(found.way) and not s.has_room(unit, way[-1]):
        way = way[:-1]
    if not s.has_room(unit, way[-1]):
        return False
    far = "and goes on " if len(way) > len(found.way) else ""
    walk(t, facts, unit, list(way), "9.2", f"(method 10) follows the arrows {far}".rstrip())
    p.moved |= 1 << unit
    return True


@rule("9.2")
def go_on_by_arrows(t: Table[EnemyActionPosition], facts: Facts, unit: int, left: int) -> None:
    """Method 1b: points that are left at the Meuse are spent along the arrows."""
    s = Situation(facts, t.p)
    if left <= 0 or s.zones[ALLIED] >> t.p.where[unit] & 1:
        return
    moves = replace(free_moves(s, unit), fords=0)
    way = list(_Walker(s, moves).follow((moves.start,), left).way)
    while len(way) > 1 and not s.has_room(unit, way[-1]):
        way.pop()
    if len(way) > 1:
        walk(t, facts, unit, way, "9.2", "(method 1b) goes on along the arrows")
