"""How a German unit gets where it goes: the route of most hold value, and beside whom (rules 9.24, 15.1)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts, mask
from bulge.games.enemy_action.movement import Moves
from bulge.games.enemy_action.objectives import tie_breakers
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.walking import DETACHMENTS_FROM, walk


def ends(s: Situation, moves: Moves) -> int:
    """Where a unit may end its move: within stacking (10.4)."""
    hexes = moves.hexes
    for hex_ in members(hexes & s.occupied[GERMAN]):
        if not s.has_room(moves.unit, hex_):
            hexes &= ~(1 << hex_)
    return hexes


@rule("15.1")
def route(s: Situation, moves: Moves, end: int) -> list[int]:
    """Of all ways within the points, the one over the most hold value; ties go to the cheaper one."""
    detachments = day_of(s.p) >= DETACHMENTS_FROM and s.facts.scenarios[s.p.scenario].detachments
    if not detachments or not moves.reach.spaces >> end & 1:
        return moves.way(end)
    hold, distance = s.facts.hold, s.facts.distance
    steps, limits = moves.reach.steps, moves.reach.limits
    budget = len(moves.reach.levels) - 1
    levels: list[dict[int, tuple[int, tuple[int, ...]]]] = [{} for _ in range(budget + 1)]
    levels[0][moves.start] = 0, (moves.start,)
    best: tuple[int, tuple[int, ...]] | None = None
    for spent, level in enumerate(levels):
        for hex_, (value, path) in level.items():
            if hex_ == end:
                if best is None or value > best[0]:
                    best = value, path
                continue
            if limits.stop >> hex_ & 1 and hex_ != moves.start:
                continue
            worth = value + hold.get(hex_, 0)
            for to, price in steps.from_hex(hex_):  # type: ignore[attr-defined]  # hexes, not a graph
                total = spent + price + limits.extra_to_leave(hex_)
                if total + distance(to, end) > budget or limits.blocked >> to & 1 or to in path:
                    continue
                known = levels[total].get(to)
                if (known is None or worth > known[0]) and not limits.barred(hex_, to):
                    levels[total][to] = worth, (*path, to)
    return list(best[1]) if best else moves.way(end)


@rule("9.24")
def adjusted(
    t: Table[EnemyActionPosition] | None,
    s: Situation,
    unit: int,
    end: int,
    open_: int,
    wanted: int,
    *,
    enemies: int = -1,
) -> int:
    """Beside an Allied unit (one of these), rather a hex without Germans, then one that no river parts from it."""
    facts, board = s.facts, s.facts.board
    targets = members(board.next_to(end) & s.occupied[ALLIED] & enemies)
    if not targets:
        return end
    last = [line("9.24", "as the method wants it", wanted), *tie_breakers(s, unit)]
    empty = ~s.occupied[GERMAN]
    if not empty >> end & 1:
        free = open_ & empty & board.around(mask(targets))
        if free:
            end = pick(t, facts, free, [line("9.24", "an unoccupied hex next to the same enemy", free), *last])
    for target in targets:
        dry = open_ & board.next_to(target) & ~facts.rivers.across(1 << target)
        if empty >> end & 1:
            dry &= empty
        if dry and board.adjacent(end, target) and facts.river_side(end, target) >= 0:
            if t is not None:
                t.say("9.24", f"Not across a river from {facts.at(target)}.", spaces=(end,))
            return pick(t, facts, dry, last)
    return end


def go(
    t: Table[EnemyActionPosition],
    s: Situation,
    moves: Moves,
    end: int,
    number: str,
    words: str,
) -> None:
    """The unit moves there and is done for this activation."""
    facts: Facts = s.facts
    walk(t, facts, moves.unit, route(s, moves, end), number, words)
    t.p.moved |= 1 << moves.unit
