"""What combat results do: losses, retreats, conversions, advances (rules 13.15 to 13.22)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Play, settle
from bulge.core.question import Barred
from bulge.core.retreat import prefer
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.hexes.roster import GONE
from bulge.games.the_bulge.battle import Battle
from bulge.games.the_bulge.facts import DIVISION, Facts, other
from bulge.games.the_bulge.movement import enter, not_together, remove
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

DECLINE, LOSE_STEP = "hold_the_town", "lose_a_step"
EACH_LOSES_A_STEP = {"AE": "13.16", "DE": "13.20", "BB": "13.21"}
NO_PART = "takes no part in this battle"


@rule("13.15", "13.16", "13.20")
def apply_result(t: Table[BulgePosition], battle: Battle, result: str) -> Play:
    """Carry out a result of the table at once (13.8)."""
    facts, defenders = battle.facts, battle.s.stack(battle.target)
    if result in EACH_LOSES_A_STEP:
        for unit in battle.attackers if result == "AE" else defenders:
            lose_step(t, facts, unit, EACH_LOSES_A_STEP[result])
    if result == "BB":
        yield from _pay_for_bloodbath(t, battle, len(defenders))
    elif result == "DR":
        yield from _defender_retreat(t, battle, defenders)
    elif result == "AS":
        t.say("13.15", "The attack stalls.")
    yield from advance(t, battle)


def lose_step(t: Table[BulgePosition], facts: Facts, unit: int, number: str) -> None:
    """2.11: a unit is reduced, or eliminated with its last step."""
    p = t.p
    p.steps[unit] -= 1
    if p.steps[unit] == 0:
        remove(facts, p, unit)
    t.say(number, f"{facts.rows[unit].name} is {'reduced' if p.steps[unit] else 'eliminated'}.", units=(unit,))


@rule("13.21")
def _pay_for_bloodbath(t: Table[BulgePosition], battle: Battle, steps: int) -> Play:
    """The attacker loses as many steps as the defender did, from whom he likes."""
    for owed in range(steps, 0, -1):
        alive = [unit for unit in battle.attackers if t.p.where[unit] != GONE]
        if not alive:
            return
        prompt = f"Bloodbath: who loses a step? {owed} to lose"
        unit = yield from settle(battle.facts.roster.one_of(battle.side, prompt, alive, "13.21", NO_PART))
        lose_step(t, battle.facts, unit, "13.21")


# ---------------------------------------------------------------------- where to retreat


@rule("6.10", "9.8", "13.17")
def no_refuge(s: Situation, unit: int, from_: int) -> Iterator[Bar]:
    """Hexes into which a unit may not retreat, whatever room there is."""
    facts, enemy = s.facts, s.facts.enemy_of[unit]
    yield Bar(~facts.board.next_to(from_), "13.17", "a retreat goes one hex")
    yield Bar(s.occupied[enemy], "13.17", lambda hex_: f"{s.who_is_in(hex_)} there")
    zone = s.unnegated(other(enemy))
    yield Bar(zone, "13.17", lambda hex_: f"it lies in {s.whose_zone(enemy, hex_)}, and no friend stands there")
    yield not_together(s, s.other_ally(unit))
    if facts.british(unit):
        yield Bar(facts.beyond_meuse, "9.8", "British units stay west and north of the Meuse")


def refuge(s: Situation, unit: int, from_: int) -> int:
    """The hexes around that nothing shuts to a unit, but perhaps the stack in them."""
    return open_to(s.facts.board.next_to(from_), no_refuge(s, unit, from_))


@rule("13.17")
def open_hexes(s: Situation, unit: int, from_: int) -> int:
    """Where one unit may retreat: no enemy, no unnegated enemy zone, no overstacking, not off the map."""
    return refuge(s, unit, from_) & ~s.crowded(s.facts.sizes[unit])


@rule("13.17")
def towards_supply(s: Situation, side: str, from_: int, hexes: int) -> int:
    """Of these hexes, those nearer than the old one to some working source."""
    far = [distances(s.facts, source) for source in members(s.live_sources(side))]
    return union([hex_ for hex_ in members(hexes) if any(to[hex_] < to[from_] for to in far)])


@cache
def distances(facts: Facts, source: int) -> dict[int, int]:
    """How far each hex is from a source."""
    return {hex_: facts.board.distance(hex_, source) for hex_ in members(facts.board.all)}


def may_not_retreat(s: Situation, unit: int, from_: int, not_into: int) -> Iterator[Bar]:
    """All that keeps a unit from retreating into a hex."""
    yield from no_refuge(s, unit, from_)
    yield Bar(not_into, "14.2", "cavalry does not retreat before combat into the West Wall")
    crowded = s.crowded(s.facts.sizes[unit])
    yield Bar(crowded, "13.17", lambda hex_: f"{s.who_is_in(hex_)} there: it would be overstacked")
    yield Bar(-1, "13.17", "it is no nearer to a supply source, or has no room for the whole stack")


# ---------------------------------------------------------------------- retreats


@rule("13.18", "13.19")
def _defender_retreat(t: Table[BulgePosition], battle: Battle, defenders: list[int]) -> Play:
    """Retreat, or in a town stay, or elsewhere lose a step instead; with no way out, the worst."""
    s, facts, side, hex_ = battle.s, battle.facts, other(battle.side), battle.target
    in_town = facts.towns >> hex_ & 1
    can_go = any(open_hexes(s, unit, hex_) for unit in defenders)
    choices: list[Choice] = ["retreat"] if can_go else []
    if in_town:
        choices.append(DECLINE)
    elif can_go and sum(t.p.steps[unit] for unit in defenders) > 1:
        choices.append(LOSE_STEP)
    choice: Choice = "retreat"
    if choices not in ([], ["retreat"]):
        number = "13.18" if in_town else "13.19"
        choice = yield Decision(side, f"Retreat from {battle.name}?", choices, number)
    if choice == DECLINE:
        t.say("13.18", f"The defenders of {facts.places.get(hex_, 'the town')} refuse to retreat.", spaces=(hex_,))
    elif choice == LOSE_STEP:
        loses = facts.roster.one_of(side, "Who loses the step?", defenders, "13.19", NO_PART)
        lose_step(t, facts, (yield from settle(loses)), "13.19")
    else:
        yield from retreat(t, s, side, hex_, defenders)


@rule("13.17", "14.5")
def retreat(
    t: Table[BulgePosition], s: Situation, side: str, from_: int, units: list[int], *, not_into: int = 0
) -> Play:
    """Move units one hex, all into the same one as far as stacking allows; who cannot go suffers DE in place."""
    p, facts, used = t.p, s.facts, 0
    left = sorted(units, key=lambda u: -facts.sizes[u])
    while left:
        s = s.now()
        unit = yield from _next_to_go(s, side, left, refuge(s, left[0], from_) & ~not_into)
        toward = partial(towards_supply, s, side, from_)
        together = facts.board.all & ~s.crowded(sum(facts.sizes[each] for each in left))
        left.remove(unit)
        hexes = members(prefer(open_hexes(s, unit, from_) & ~not_into, together, used, toward))
        if not hexes:
            t.say("13.17", f"{facts.rows[unit].name} has nowhere to retreat.", units=(unit,))
            lose_step(t, facts, unit, "13.17")
            continue
        prompt = f"Where does {facts.rows[unit].name} retreat?"
        about = Barred(partial(may_not_retreat, s, unit, from_, not_into), [from_], [unit])
        hex_ = yield from settle(Decision(side, prompt, hexes, "13.17", Kind.SPACE, about=about))
        used |= 1 << hex_
        enter(t, facts, unit, hex_)
        p.retreated |= 1 << unit
        t.say("13.17", f"{facts.rows[unit].name} retreats to {facts.board.name(hex_)}.", spaces=(from_, hex_))


def _next_to_go(s: Situation, side: str, left: list[int], hexes: int) -> Play:
    """Where a stack must break up it matters who goes first. As long as all find room, the big ones do."""
    size = s.facts.sizes
    rooms = [s.room(hex_) for hex_ in members(hexes)]
    need, most = sum(size[unit] for unit in left), max(rooms, default=0)
    divisions = sum(size[unit] == DIVISION for unit in left)
    all_fit = need <= sum(rooms) and divisions <= sum(room // DIVISION for room in rooms)
    among = [unit for unit in left if size[unit] <= most and not (all_fit and size[unit] < size[left[0]])]
    if need <= most or len(among) < 2:
        return among[0] if among else left[0]
    prompt, others = (
        "The stack must break up. Who retreats next?",
        "is not there to retreat, finds no room, or goes later",
    )
    return (yield s.facts.roster.one_of(side, prompt, among, "13.17", others))


# ---------------------------------------------------------------------- advance


@rule("6.10", "13.22")
def may_not_advance(battle: Battle, s: Situation) -> Iterator[Bar]:
    """Units that may not go into the hex that they attacked; zones do not matter. Artillery never does."""
    p, facts, target, name = s.p, s.facts, battle.target, s.facts.roster.name
    yield facts.roster.lost(p.where, "2.11")
    yield Bar(~union(battle.attackers), "13.22", lambda unit: f"{name(unit)} did not attack the hex")
    yield Bar(lambda unit: p.where[unit] == target, "13.22", lambda unit: f"{name(unit)} is there already")
    room = s.room(target)
    yield Bar(lambda unit: facts.sizes[unit] > room, "6.5", lambda unit: f"there is no room left for {name(unit)}")
    words = "US and British units never stop together"
    yield Bar(lambda unit: bool(s.other_ally(unit) >> target & 1), "6.10", words)


@rule("13.22")
def advance(t: Table[BulgePosition], battle: Battle) -> Play:
    """If the hex was vacated, attackers may go in, within stacking, whatever the zones."""
    facts = battle.facts
    s = battle.s = battle.s.now()
    if s.occupied[other(battle.side)] >> battle.target & 1:
        return
    nobody = "nobody advances"
    while able := open_to(union(battle.attackers), may_not_advance(battle, s)):
        options: list[Choice] = [*(unit for unit in battle.attackers if able >> unit & 1), DONE]
        prompt = f"Who advances into {battle.name}?"
        about = Barred(partial(may_not_advance, battle, s), spaces=(battle.target,), over=nobody)
        unit = yield Decision(battle.side, prompt, options, "13.22", Kind.UNIT, about=about)
        if unit == DONE:
            return
        enter(t, facts, unit, battle.target)
        s = battle.s = s.now()
        nobody = "nobody else advances"
        t.say("13.22", f"{facts.rows[unit].name} advances.", spaces=(battle.target,), units=(unit,))
