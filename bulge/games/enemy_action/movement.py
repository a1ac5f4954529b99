"""Where a unit can go: costs, zones, rivers, bridges, strategic movement (rules 10.0 to 10.8, 13.2)."""

from __future__ import annotations

from dataclasses import dataclass

from bulge.core.movement import Limits, Reach, StepCosts, reach
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.enemy_action.facts import ALLIED, FIRST_DAY, GERMAN, Facts, other
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.supply import intact_bridges, usable_bridges

ZONE_EXIT = 1
BRITISH_FREE_FROM = 26
GUARDS_BRIGADE = "29A.XXX"


@dataclass(frozen=True)
class Moves:
    """Everywhere that one unit can go in one move."""

    unit: int
    start: int
    reach: Reach
    one_hex: int
    """Hexes beside the start that it may enter whatever they cost: 10.0, and over a river (10.31)."""
    fords: int
    """Those of them that lie across an unbridged river."""

    @property
    def hexes(self) -> int:
        return (self.reach.spaces | self.one_hex) & ~(1 << self.start)

    def way(self, hex_: int) -> list[int]:
        """A cheapest way, both ends included."""
        return self.reach.path(hex_) if self.reach.spaces >> hex_ & 1 else [self.start, hex_]

    def cost(self, hex_: int) -> int:
        """Points spent on a cheapest way; a single hex that costs more than there is takes all there is."""
        return self.reach.cost(hex_) if self.reach.spaces >> hex_ & 1 else len(self.reach.levels) - 1


def side_of(facts: Facts, unit: int) -> str:
    return GERMAN if facts.is_german(unit) else ALLIED


@rule("10.0", "13.22", "13.23", "13.51", "12.9")
def may_move(facts: Facts, p: EnemyActionPosition, unit: int) -> bool:
    """Not dispersed, not without fuel, not isolated and mechanized."""
    if (p.dispersed | p.no_fuel) >> unit & 1 or not facts.moves[unit]:
        return False
    return not (p.isolated >> unit & 1 and facts.mechanized[unit])


@rule("4.1", "4.12", "13.22", "13.23")
def goes_one_hex(facts: Facts, p: EnemyActionPosition, unit: int) -> bool:
    """Allied foot on 16 December, mechanized units out of supply, isolated infantry."""
    if not facts.is_german(unit) and day_of(p) == FIRST_DAY and not facts.mechanized[unit]:
        return True
    return bool(p.isolated >> unit & 1 or (p.out >> unit & 1 and facts.mechanized[unit]))


@rule("10.0", "10.1", "10.2", "10.31", "10.32", "10.7", "10.8", "11.1", "13.23", "15.22")
def limits_of(s: Situation, unit: int, *, ignore_zones: bool = False) -> Limits:
    """What a unit may not enter, where it must stop, and what leaving a zone costs."""
    facts, p = s.facts, s.p
    side = side_of(facts, unit)
    zone = 0 if ignore_zones else s.zones[other(side)]
    blocked, stop = s.occupied[other(side)], zone
    if side == GERMAN:
        blocked |= p.roadblocks
        stop |= facts.open_roads(intact_bridges(facts, p)).across(p.roadblocks) if p.roadblocks else 0
    else:
        blocked |= p.detachments | british_bounds(facts, p, unit)
        stop |= facts.board.around(p.detachments)
    if p.isolated >> unit & 1:
        own = p.german_towns if side == GERMAN else ~p.german_towns
        blocked |= facts.towns & ~own | (facts.wall & ~s.occupied[ALLIED] if side == ALLIED else 0)
    bars: tuple[tuple[int, int], ...] = ((zone, zone),)
    for bridge in members(p.bridged):
        one, two = facts.river_sides[bridge]
        bars += tuple((1 << a, 1 << b) for a, b in ((one, two), (two, one)) if zone >> b & 1)
    return Limits(
        blocked=blocked, stop=stop, leave=((zone, ZONE_EXIT),) if zone else (), bars=bars if zone else ()
    )


@rule("10.7")
def british_bounds(facts: Facts, p: EnemyActionPosition, unit: int) -> int:
    """East of the Meuse, while XXX Corps is held back; the brigade that was put into Dinant is free."""
    if facts.corps_of[unit] != "XXX" or p.at_meuse or day_of(p) >= BRITISH_FREE_FROM:
        return 0
    if (
        facts.rows[unit].id == GUARDS_BRIGADE
        and p.where[unit] >= 0
        and not facts.west_of_meuse >> p.where[unit] & 1
    ):
        return 0
    return facts.board.all & ~facts.west_of_meuse


def step_costs(s: Situation, unit: int) -> StepCosts:
    facts, p = s.facts, s.p
    kind = "foot"
    if facts.mechanized[unit]:
        kind = "frozen" if p.frozen else "mechanized"
    return facts.costs(kind, intact_bridges(facts, p))


@rule("10.0", "10.31")
def moves_of(
    s: Situation,
    unit: int,
    *,
    ignore_zones: bool = False,
    short_step: bool = True,
    more: Limits | None = None,
) -> Moves:
    """Where a unit can go. `short_step`: the limits of one hex hold; `more` adds a side's own restrictions."""
    facts, p = s.facts, s.p
    start = p.where[unit]
    limits = limits_of(s, unit, ignore_zones=ignore_zones)
    if more is not None:
        limits = Limits(
            blocked=limits.blocked | more.blocked,
            stop=limits.stop,
            leave=limits.leave,
            bars=limits.bars + more.bars,
        )
    steps = step_costs(s, unit)
    if p.isolated >> unit & 1 and s.zones[other(side_of(facts, unit))] >> start & 1:
        return Moves(unit, start, reach(steps, start, 0), 0, 0)
    single = short_step and goes_one_hex(facts, p, unit)
    found = reach(steps, start, 0 if single else facts.moves[unit], limits)
    fords = fords_from(s, start) & ~limits.blocked
    beside = facts.board.next_to(start) & ~_over_rivers(s, start) & ~limits.blocked | fords
    one_hex = sum(1 << hex_ for hex_ in members(beside) if not limits.barred(start, hex_))
    return Moves(unit, start, found, one_hex, fords & one_hex)


def _over_rivers(s: Situation, start: int) -> int:
    """Hexes that an unbridged river parts from this one."""
    facts = s.facts
    return (facts.rivers - facts.sides(intact_bridges(facts, s.p))).across(1 << start)


@rule("10.3", "10.31")
def fords_from(s: Situation, start: int) -> int:
    """Hexes across an unbridged river over which nobody has gone yet in this activation."""
    facts, p = s.facts, s.p
    over = _over_rivers(s, start)
    return sum(1 << hex_ for hex_ in members(over) if not p.forded >> facts.river_side(start, hex_) & 1)


# ---------------------------------------------------------------------- Allied moves


@rule("10.5")
def strategic_reach(s: Situation, unit: int) -> Reach | None:
    """Along roads at twice or three times the allowance, clear of the enemy; None where a unit may not."""
    facts, p = s.facts, s.p
    start, near = p.where[unit], s.next_to_enemy(ALLIED)
    if not s.supplied(unit) or not facts.road_hexes >> start & 1 or near >> start & 1:
        return None
    blocked = (
        near | s.occupied[GERMAN] | p.german_towns | facts.wall | p.detachments | british_bounds(facts, p, unit)
    )
    roads = facts.open_roads(usable_bridges(facts, p, ALLIED))
    steps = StepCosts.by_terrain(facts.board, {1: facts.board.all}).only(roads)
    times = 2 if facts.mechanized[unit] else 3
    limits = Limits(blocked=blocked, stop=facts.board.around(p.detachments))
    return reach(steps, start, facts.moves[unit] * times, limits)


@dataclass(frozen=True)
class AlliedMoves:
    """Where an Allied unit may end a move, and how it gets there."""

    unit: int
    ends: int
    plain: Moves
    strategic: Reach | None

    def way(self, hex_: int) -> list[int]:
        """Its own way if it has one, else the strategic one."""
        if self.plain.hexes >> hex_ & 1 or self.strategic is None:
            return self.plain.way(hex_)
        return self.strategic.path(hex_)


@rule("10.4", "10.5", "10.6")
def allied_moves(s: Situation, unit: int, *, free: bool = False) -> AlliedMoves:
    """Every hex with room from which the unit can trace supply; `free`: not held to one hex on 16 December."""
    found = s.kept.get(("allied", unit, free))
    if isinstance(found, AlliedMoves):
        return found
    facts, p = s.facts, s.p
    plain = moves_of(s, unit, short_step=not free)
    held = goes_one_hex(facts, p, unit) and not free
    strategic = None if held else strategic_reach(s, unit)
    hexes = (plain.hexes | (strategic.spaces if strategic else 0)) & ~(1 << p.where[unit])
    hexes = sum(1 << hex_ for hex_ in members(hexes) if s.has_room(unit, hex_) or will_clear(s, unit, hex_))
    made = AlliedMoves(unit, _in_supply(s, unit, hexes), plain, strategic)
    s.kept["allied", unit, free] = made
    return made


@rule("10.4")
def will_clear(s: Situation, unit: int, hex_: int) -> bool:
    """Whether an Allied unit may end in a full hex: somebody active is there who can still leave it."""
    p = s.p
    return any(
        p.active >> mate & 1 and not p.moved >> mate & 1 and may_move(s.facts, p, mate)
        for mate in s.stacks[ALLIED].get(hex_, ())
        if mate != unit
    )


@rule("10.6")
def _in_supply(s: Situation, unit: int, hexes: int) -> int:
    """No move may end out of supply; a unit that is cut off already and finds no way back is free."""
    away = s.without(unit).lines(ALLIED)
    supplied = away.among(hexes)
    if not supplied and not s.traces(ALLIED, s.p.where[unit]):
        return hexes
    return supplied


@rule("9.3")
def allied_proximate(s: Situation, hexes: int) -> int:
    """Those of these hexes that some Allied unit is next to, or could come next to in one move."""
    board, found = s.facts.board, 0
    for hex_ in members(hexes):
        beside = board.next_to(hex_)
        if beside & s.occupied[ALLIED]:
            found |= 1 << hex_
            continue
        near = s.units_in(board.within(1 << hex_, 7), ALLIED)
        if any(may_move(s.facts, s.p, unit) and allied_moves(s, unit).ends & beside for unit in near):
            found |= 1 << hex_
    return found
