"""What combat results do: losses, retreats, conversions, advances (rules 13.15 to 13.22)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.retreat import prefer
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.the_bulge.battle import Battle
from bulge.games.the_bulge.facts import DIVISION, GONE, Facts, other
from bulge.games.the_bulge.movement import enter, remove
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

DECLINE, LOSE_STEP = "hold_the_town", "lose_a_step"


def apply_result(t: Table[BulgePosition], facts: Facts, s: Situation, battle: Battle, result: str) -> Play:
    """Carry out a result of the table at once (13.8)."""
    defenders = s.stack(battle.target)
    if result == "AE":
        _each_loses_a_step(t, facts, battle.attackers, "13.16")
    elif result == "DE":
        _each_loses_a_step(t, facts, defenders, "13.20")
    elif result == "BB":
        _each_loses_a_step(t, facts, defenders, "13.21")
        yield from _pay_for_bloodbath(t, facts, battle, len(defenders))
    elif result == "DR":
        yield from _defender_retreat(t, facts, s, battle, defenders)
    else:
        t.say("13.15", "The attack stalls.")
    yield from advance(t, facts, s, battle)


def lose_step(t: Table[BulgePosition], facts: Facts, unit: int, number: str) -> None:
    """2.11: a unit is reduced, or eliminated with its last step."""
    p = t.p
    p.steps[unit] -= 1
    if p.steps[unit] == 0:
        remove(facts, p, unit)
    t.say(number, f"{facts.rows[unit].name} is {'reduced' if p.steps[unit] else 'eliminated'}.", units=(unit,))


@rule("13.16", "13.20")
def _each_loses_a_step(t: Table[BulgePosition], facts: Facts, units: list[int], number: str) -> None:
    for unit in units:
        lose_step(t, facts, unit, number)


@rule("13.21")
def _pay_for_bloodbath(t: Table[BulgePosition], facts: Facts, battle: Battle, steps: int) -> Play:
    """The attacker loses as many steps as the defender did, from whom he likes."""
    for owed in range(steps, 0, -1):
        alive = [unit for unit in battle.attackers if t.p.where[unit] != GONE]
        if not alive:
            return
        unit = alive[0]
        if len(alive) > 1:
            prompt = f"Bloodbath: who loses a step? {owed} to lose"
            unit = yield Decision(battle.side, prompt, alive, "13.21", Kind.UNIT)
        lose_step(t, facts, unit, "13.21")


# ---------------------------------------------------------------------- retreats


@rule("13.17")
def open_hexes(facts: Facts, s: Situation, unit: int, from_: int) -> int:
    """Where one unit may retreat: no enemy, no unnegated enemy zone, no overstacking, not off the map."""
    return _refuge(facts, s, unit, from_) & ~s.crowded(facts.thirds[unit])


def _refuge(facts: Facts, s: Situation, unit: int, from_: int) -> int:
    """The hexes around that nothing shuts to a unit, but perhaps the stack in them."""
    side = facts.side_of(unit)
    shut = s.occupied[other(side)] | s.unnegated(side) | s.other_ally(unit)
    if facts.british(unit):
        shut |= facts.board.all & ~facts.west_of_meuse
    return facts.board.next_to(from_) & ~shut


@rule("13.17")
def towards_supply(facts: Facts, s: Situation, side: str, from_: int, hexes: int) -> int:
    """Of these hexes, those nearer than the old one to some working source."""
    far = [distances(facts, source) for source in members(s.live_sources(side))]
    return union([hex_ for hex_ in members(hexes) if any(to[hex_] < to[from_] for to in far)])


@cache
def distances(facts: Facts, source: int) -> dict[int, int]:
    """How far each hex is from a source."""
    return {hex_: facts.board.distance(hex_, source) for hex_ in members(facts.board.all)}


@rule("13.18", "13.19")
def _defender_retreat(
    t: Table[BulgePosition], facts: Facts, s: Situation, battle: Battle, defenders: list[int]
) -> Play:
    """Retreat, or in a town stay, or elsewhere lose a step instead; with no way out, the worst."""
    side, hex_ = other(battle.side), battle.target
    in_town = facts.towns >> hex_ & 1
    can_go = any(open_hexes(facts, s, unit, hex_) for unit in defenders)
    choices: list[Choice] = ["retreat"] if can_go else []
    if in_town:
        choices.append(DECLINE)
    elif can_go and sum(t.p.steps[unit] for unit in defenders) > 1:
        choices.append(LOSE_STEP)
    choice: Choice = "retreat"
    if choices not in ([], ["retreat"]):
        number = "13.18" if in_town else "13.19"
        choice = yield Decision(side, f"Retreat from {facts.board.name(hex_)}?", choices, number)
    if choice == DECLINE:
        t.say("13.18", f"The defenders of {facts.places.get(hex_, 'the town')} refuse to retreat.", spaces=(hex_,))
    elif choice == LOSE_STEP:
        yield from _lose_one_step(t, facts, side, defenders)
    else:
        yield from retreat(t, facts, s, side, hex_, defenders)


def _lose_one_step(t: Table[BulgePosition], facts: Facts, side: str, defenders: list[int]) -> Play:
    unit = defenders[0]
    if len(defenders) > 1:
        unit = yield Decision(side, "Who loses the step?", defenders, "13.19", Kind.UNIT)
    lose_step(t, facts, unit, "13.19")


@dataclass(frozen=True)
class Retreat:
    """One unit's retreat, as its owner is asked about it."""

    unit: int
    from_: int
    not_into: int


@rule("13.17", "14.5")
def retreat(
    t: Table[BulgePosition],
    facts: Facts,
    s: Situation,
    side: str,
    from_: int,
    units: list[int],
    *,
    not_into: int = 0,
) -> Play:
    """Move units one hex, all into the same one as far as stacking allows; who cannot go suffers DE in place."""
    p, used = t.p, 0
    left = sorted(units, key=lambda u: -facts.thirds[u])
    while left:
        s = s.now()
        unit = yield from _next_to_go(facts, s, side, left, _refuge(facts, s, left[0], from_) & ~not_into)
        toward = partial(towards_supply, facts, s, side, from_)
        together = _with_room_for(facts, s, left)
        left.remove(unit)
        hexes = members(prefer(open_hexes(facts, s, unit, from_) & ~not_into, together, used, toward))
        if not hexes:
            t.say("13.17", f"{facts.rows[unit].name} has nowhere to retreat.", units=(unit,))
            lose_step(t, facts, unit, "13.17")
            continue
        hex_ = hexes[0]
        if len(hexes) > 1:
            prompt = f"Where does {facts.rows[unit].name} retreat?"
            about = Retreat(unit, from_, not_into)
            hex_ = yield Decision(side, prompt, hexes, "13.17", Kind.SPACE, about=about)
        used |= 1 << hex_
        enter(t, facts, unit, hex_)
        p.retreated |= 1 << unit
        t.say("13.17", f"{facts.rows[unit].name} retreats to {facts.board.name(hex_)}.", spaces=(from_, hex_))


def _next_to_go(facts: Facts, s: Situation, side: str, left: list[int], hexes: int) -> Play:
    """Where a stack must break up it matters who goes first. As long as all find room, the big ones do."""
    size = facts.thirds
    rooms = [s.room(hex_) for hex_ in members(hexes)]
    need, most = sum(size[unit] for unit in left), max(rooms, default=0)
    divisions = sum(size[unit] == DIVISION for unit in left)
    all_fit = need <= sum(rooms) and divisions <= sum(room // DIVISION for room in rooms)
    among = [unit for unit in left if size[unit] <= most and not (all_fit and size[unit] < size[left[0]])]
    if need <= most or len(among) < 2:
        return among[0] if among else left[0]
    return (yield Decision(side, "The stack must break up. Who retreats next?", among, "13.17", Kind.UNIT))


def _with_room_for(facts: Facts, s: Situation, units: list[int]) -> int:
    """The hexes that have room for all of these."""
    return facts.board.all & ~s.crowded(sum(facts.thirds[unit] for unit in units))


# ---------------------------------------------------------------------- advance


@rule("13.22")
def advance(t: Table[BulgePosition], facts: Facts, s: Situation, battle: Battle) -> Play:
    """If the hex was vacated, attackers may go in, within stacking, whatever the zones. Artillery never does."""
    p, s = t.p, s.now()
    if s.occupied[other(battle.side)] >> battle.target & 1:
        return
    while True:
        able: list[Choice] = [
            unit
            for unit in battle.attackers
            if p.where[unit] not in (GONE, battle.target)
            and facts.thirds[unit] <= s.room(battle.target)
            and not s.other_ally(unit) >> battle.target & 1
        ]
        if not able:
            return
        prompt = f"Who advances into {facts.board.name(battle.target)}?"
        unit = yield Decision(battle.side, prompt, [*able, DONE], "13.22", Kind.UNIT)
        if unit == DONE:
            return
        enter(t, facts, unit, battle.target)
        s = s.now()
        t.say("13.22", f"{facts.rows[unit].name} advances.", spaces=(battle.target,), units=(unit,))
