"""What holds German units back: guarded towns, surrounds, empty towns and the Westwall (rule 9.21)."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.movement import Limits
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.games.enemy_action.facts import ALLIED, GERMAN
from bulge.games.enemy_action.movement import Moves, moves_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.supply import Supply

GUARDED_STRENGTH, GUARDED_STRENGTH_IN_CITY = 5, 3
NEAR = 2


def free_moves(s: Situation, unit: int) -> Moves:
    """Where a German unit can go by the rules of movement alone."""
    found = s.kept.get(("free", unit))
    if not isinstance(found, Moves):
        found = s.kept["free", unit] = moves_of(s, unit, ignore_zones=s.p.ignores_zones)
    return found


@rule("9.21")
def restricted_moves(s: Situation, unit: int) -> Moves:
    """Where it can go within the restrictions that bind methods 2 to 13, on every hex of its way."""
    found = s.kept.get(("restricted", unit))
    if isinstance(found, Moves):
        return found
    made = s.kept["restricted", unit] = moves_within(s, unit, free_moves(s, unit).hexes)
    return made


def moves_within(s: Situation, unit: int, hexes: int) -> Moves:
    """Its moves, with the restrictions worked out for these hexes."""
    more = restrictions(s, unit, hexes)
    if more.blocked or more.bars:
        return moves_of(s, unit, ignore_zones=s.p.ignores_zones, more=more)
    return free_moves(s, unit)


def restrictions(s: Situation, unit: int, hexes: int) -> Limits:
    """The restrictions of 9.21 for a unit that may go to these hexes, as hexes closed and steps barred."""
    return Limits(
        blocked=leaves_guarded(s, unit, hexes) | frees_allies(s, unit, hexes),
        bars=exposing_steps(s, unit, hexes) + freeing_steps(s, unit, hexes),
    )


@rule("9.21")
def leaves_guarded(s: Situation, unit: int, hexes: int) -> int:
    """(a) From beside a weakly held VP hex only to another hex beside it."""
    facts, board = s.facts, s.facts.board
    closed = 0
    for near in members(board.next_to(s.where[unit]) & facts.vp_hexes & s.occupied[ALLIED]):
        strength = sum(s.strength(held) for held in s.stack(near))
        most = GUARDED_STRENGTH_IN_CITY if facts.cities >> near & 1 else GUARDED_STRENGTH
        if strength <= most:
            closed |= hexes & ~board.next_to(near)
    return closed


@rule("9.21")
def frees_allies(s: Situation, unit: int, hexes: int) -> int:
    """(b) Not where a surrounded Allied unit would no longer be surrounded."""
    board = s.facts.board
    near = s.surrounded_allies & board.within(1 << s.where[unit], NEAR)
    if not near:
        return 0
    away = s.without(unit)
    open_to = {hex_: board.next_to(hex_) & ~(away.occupied[GERMAN] | away.zones[GERMAN]) for hex_ in members(near)}
    gaps = [gap for gap in open_to.values() if gap]
    if not gaps:
        return 0
    closed = 0
    for hex_ in members(hexes):
        covers = 1 << hex_ | zone_at(away, unit, hex_)
        if any(gap & ~covers for gap in gaps):
            closed |= 1 << hex_
    return closed


@rule("9.21")
def freeing_steps(s: Situation, unit: int, hexes: int) -> tuple[tuple[int, int], ...]:
    """(b) No step away from a hex on the way that surrounds somebody, to one that does not."""
    return steps_that_add({hex_: ~held for hex_, held in surrounded_from(s, unit, hexes).items()})


def surrounded_from(s: Situation, unit: int, hexes: int) -> dict[int, int]:
    """For its own hex and each of these, the Allied hexes that would be surrounded by the unit there."""
    board = s.facts.board
    away = s.without(unit)
    held = away.occupied[GERMAN] | away.zones[GERMAN]
    near = s.occupied[ALLIED] & board.within(hexes | 1 << s.where[unit], NEAR)
    gaps = {enemy: gap for enemy in members(near) if (gap := board.next_to(enemy) & ~held)}
    found = {}
    for hex_ in members(hexes | 1 << s.where[unit]):
        covers = 1 << hex_ | zone_at(away, unit, hex_)
        found[hex_] = sum(1 << enemy for enemy, gap in gaps.items() if not gap & ~covers)
    return found


def steps_that_add(found: dict[int, int]) -> tuple[tuple[int, int], ...]:
    """Pairs of sets of hexes: a step from the first to the second would add something to what is found."""
    groups: dict[int, int] = {}
    for hex_, these in found.items():
        groups[these] = groups.get(these, 0) | 1 << hex_
    return tuple(
        (before, after) for held_before, before in groups.items() for held_after, after in groups.items()
        if held_after & ~held_before
    )  # fmt: skip


def zone_at(away: Situation, unit: int, hex_: int) -> int:
    """What a German unit would control from a hex, in a situation without it."""
    facts, p = away.facts, away.p
    if (p.dispersed | p.isolated) >> unit & 1:
        return 0
    fit = [mate for mate in away.stacks[GERMAN].get(hex_, []) if not (p.dispersed | p.isolated) >> mate & 1]
    if not away.bracketed(unit) or fit or (facts.towns | facts.wall) >> hex_ & 1:
        return facts.board.next_to(hex_)
    return 0


@rule("9.21")
def exposing_steps(s: Situation, unit: int, hexes: int) -> tuple[tuple[int, int], ...]:
    """(c, d) No step that opens an empty German town, city or Westwall hex to Allied supply."""
    bars = tuple(out_of_new_towns(s, unit, hexes))
    exposed = exposures(s, unit, hexes)
    if exposed is None:
        return bars
    return bars + steps_that_add(exposed)


@rule("9.21")
def out_of_new_towns(s: Situation, unit: int, hexes: int) -> Iterator[tuple[int, int]]:
    """(c, d) A town that is taken on the way is not left open either, neither at once nor a few hexes later."""
    facts, p = s.facts, s.p
    taken = hexes & facts.towns & ~p.german_towns & ~s.occupied[ALLIED]
    if not taken:
        return
    away = s.without(unit)
    lines = away.lines(ALLIED)
    for town in members(lines.among(taken & ~away.occupied[GERMAN])):
        beyond = only_through(s, unit, town, hexes)
        opened = 0
        for hex_ in members(facts.board.within(beyond | 1 << town, 1) & ~s.occupied[ALLIED] & ~(1 << town)):
            shut = 1 << hex_ | zone_at(away, unit, hex_) & ~s.occupied[ALLIED]
            if lines.without(shut).among(1 << town):
                opened |= 1 << hex_
        if opened:
            yield beyond & ~opened | 1 << town, opened


def only_through(s: Situation, unit: int, town: int, hexes: int) -> int:
    """Those of these hexes that a unit gets to by way of a town alone."""
    start, here = 1 << s.where[unit], 1 << town
    free = free_moves(s, unit).hexes
    around = moves_of(s, unit, ignore_zones=s.p.ignores_zones, more=Limits(blocked=here)).hexes
    linked = s.facts.board.connected(start, (hexes | start) & ~here)
    return hexes & ~here & ~(around | linked & ~free)


def exposures(s: Situation, unit: int, hexes: int) -> dict[int, int] | None:
    """For its own hex and each of these, the empty German hexes that Allied supply reaches; None: all the same."""
    facts, p, start = s.facts, s.p, s.where[unit]
    german = p.german_towns | facts.wall
    away = s.without(unit)
    empty = german & ~(away.occupied[GERMAN] | away.occupied[ALLIED])
    lines = away.lines(ALLIED)
    open_at_most = lines.among(empty)
    if not open_at_most:
        return None
    shut = {
        hex_: 1 << hex_ | zone_at(away, unit, hex_) & ~s.occupied[ALLIED] for hex_ in members(hexes | 1 << start)
    }
    found = {hex_: open_at_most & ~(1 << hex_) for hex_ in shut}
    for hex_ in _that_matter(lines, open_at_most, shut, [*shut]):
        found[hex_] = lines.without(shut[hex_]).among(found[hex_])
    return found if len(set(found.values())) > 1 else None


def _that_matter(lines: Supply, spaces: int, shut: dict[int, int], hexes: list[int]) -> Iterator[int]:
    """Those of these hexes whose closing may cost one of the spaces its line. If all of them closed together cost
    nothing, none does."""
    together = 0
    for hex_ in hexes:
        together |= shut[hex_]
    if lines.without(together).among(spaces) == spaces:
        return
    if len(hexes) == 1:
        yield hexes[0]
    else:
        half = len(hexes) // 2
        yield from _that_matter(lines, spaces, shut, hexes[:half])
        yield from _that_matter(lines, spaces, shut, hexes[half:])
