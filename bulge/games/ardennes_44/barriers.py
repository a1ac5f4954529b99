"""What keeps a unit on its way from a hex: a rule, what the way would cost, or what bars every way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from bulge.core.bars import Bar, refusal
from bulge.core.decision import Refusal
from bulge.core.movement import points_in_words, too_dear
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.allowance import Allowance
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.limits import closed_to, why_closed
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.mover import Mover
from bulge.games.ardennes_44.situation import enemy_blocks

T = TypeVar("T")
ENDLESS = 1000 * POINT
NO_MARKER = "12.4.1", "no marker is free, so that it halts only with others of its regiment that have one"


def closed_hexes(walk: Walk) -> Iterator[Bar]:
    """Hexes that a unit does not enter from anywhere; and no hex at all once a zone has stopped it."""
    s, facts = walk.mover.s, walk.mover.facts
    enemies = s.occupied[walk.mover.enemy]
    yield Bar(~s.field.hexes, "3.1", "that hex is not in play")
    yield Bar(1 << walk.here, "11.1", "it is there already")
    yield Bar(enemies, "11.1", lambda hex_: f"{facts.rows[s.stack(hex_)[0]].name} is there")
    if walk.stopped:
        yield Bar(-1, "9.2.1", f"{facts.words(walk.here)} is in an enemy zone, which ends the move")
    yield Bar(closed_to(s, walk.unit), *why_closed(facts, walk.unit))


def bars_of_step(walk: Walk) -> Iterator[Bar]:
    """What keeps a unit on its way from the hexes next to it."""
    mover = walk.mover
    s, facts, here = mover.s, mover.facts, walk.here
    shut = sum(1 << to for to, way in facts.ground.around(here) if mover.shut[way] >> to & 1)
    bond = s.links(mover.enemy).hexes
    yield from closed_hexes(walk)
    yield Bar(shut & bond, "10.2", "an enemy bond closes that hex")
    yield Bar(shut, "10.2", "an enemy bond closes that hexside")
    yield Bar(mover.boundary.across(1 << here), "11.10.1", "an army boundary lies between")
    if mover.strategic:
        yield Bar(s.next_to_enemy(walk.side), "12.2", "an enemy is next to that hex")
        yield Bar(enemy_blocks(s.p, walk.side), "33.1", "no column passes an enemy Roadblock")
        yield Bar(~facts.ground.open_roads(s.p.blown).across(1 << here), "12.1", "no open road leads there")
    if mover.vehicle:
        crossed = facts.ground.vehicles_cross(s.p.blown).across(1 << here)
        yield Bar(~crossed, "11.5", "a vehicle needs a road or a bridge there")
    elif walk.hexes or not walk.tactical:
        hard = facts.ground.hard(s.p.blown).across(1 << here)
        yield Bar(hard, "11.4.1", "that hexside is crossed tactically only, by who begins next to it")
    yield Bar(mover.shunned, "18.3", "a Disrupted unit does not enter an enemy zone while it has a choice")
    reached = sum(1 << hex_ for hex_ in walk.next_steps())
    if s.p.night_marked >> walk.unit & 1 and not s.p.night:
        yield Bar(~reached, "25.3.5", "who is marked for the night has one point")
    yield Bar(~reached, "11.1", "its movement does not suffice")
    shut = ~sum(1 << hex_ for hex_ in walk.options())
    if mover.strategic and not mover.has_marker:
        yield Bar(shut, *NO_MARKER)
    yield Bar(shut, "8.3", "it could not end its move there or beyond")


# ---------------------------------------------------------------------- farther off


@rule("11.1", "11.2", "12.2")
def why_out_of_reach(walk: Walk, hex_: int) -> Refusal:
    """Why a unit does not get to a hex that is not next to it, nor within its reach."""
    if closed := refusal(closed_hexes(walk), hex_):
        return closed
    found, costs = once(walk, _beyond)
    if hex_ in costs:
        return Refusal("11.1", _too_dear(walk, costs[hex_]))
    return Refusal("8.3", "it finds no room there") if hex_ in found else _barrier(found, hex_)


def once(walk: Walk, find: Callable[[Walk], T]) -> T:
    """What is found for all hexes at once, and asked again for each; as long as the unit is where it is."""
    asked, mover = walk.mover.asked, walk.mover
    key = find, walk.path, walk.spent, walk.tactical, mover.ignored, mover.s.p.blown
    if key not in asked:
        asked[key] = find(walk)
    found: T = asked[key]
    return found


def _beyond(walk: Walk) -> tuple[dict[int, Walk], dict[int, int]]:
    """Every hex that an untiring unit gets to, with the first way there; and what it costs to end there."""
    found, costs = {walk.here: walk}, dict[int, int]()
    for ahead in _untiring(walk).onward():
        found.setdefault(ahead.here, ahead)
        if ahead.here not in costs and ahead.may_stop():
            costs[ahead.here] = ahead.spent
    return found, costs


def _untiring(walk: Walk) -> Walk:
    """The same unit from here on, if it had points without end."""
    mover = Mover(walk.mover.s, walk.unit, ENDLESS if walk.mover.strategic else 0)
    mover.ignore(walk.mover.ignored)
    if not mover.strategic:
        mover.allowed, mover.freely = Allowance(ENDLESS), ENDLESS
    return Walk.of(mover, walk.here, 0)


def _too_dear(walk: Walk, cost: int) -> str:
    """What the cheapest way costs, and what the unit has; once only Tactical Movement will do, nothing is left."""
    allowed = walk.mover.allowed
    left = max(0, allowed.points - walk.spent) if walk.spent >= 0 else 0
    words = too_dear(points_in_words(cost, POINT), points_in_words(left, POINT))
    extended = points_in_words(allowed.extended, POINT)
    return f"{words}; {extended} more where no enemy is near" if allowed.extended and walk.spent >= 0 else words


def _barrier(found: dict[int, Walk], hex_: int) -> Refusal:
    """No points buy a way: what bars it, where whoever could go on for ever would come nearest."""
    mover = found[next(iter(found))].mover
    board, within = mover.facts.board, union(found)
    beyond = _joined(mover, hex_, within)
    edge = members(board.around(beyond) & within)
    if not edge:
        return Refusal("3.1", "no hexes that are in play lead there")
    last = min(edge, key=lambda each: board.distance(each, hex_))
    across = members(board.next_to(last) & beyond)
    step = min(across, key=lambda each: board.distance(each, hex_))
    why = refusal(bars_of_step(found[last]), step) or Refusal("11.1", "it cannot go on")
    place = mover.facts.words
    return Refusal(why.rule, f"no way leads there; from {place(last)} to {place(step)}: {why.words}")


def _joined(mover: Mover, hex_: int, within: int) -> int:
    """All hexes that hang together with one, outside those within reach of an untiring unit."""
    board, field = mover.facts.board, mover.s.field.hexes
    found, fresh = 0, 1 << hex_
    while fresh:
        found |= fresh
        fresh = board.around(fresh) & field & ~found & ~within
    return found
