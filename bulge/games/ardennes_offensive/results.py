"""What combat results do: losses, exchanges, advances; retreats are in a file of their own (rules 9.6 and 10)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_offensive.battle import Battle, hexes_of
from bulge.games.ardennes_offensive.facts import Facts, other
from bulge.games.ardennes_offensive.losses import eliminate
from bulge.games.ardennes_offensive.movement import kept_back
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import Place, retreat
from bulge.games.ardennes_offensive.situation import Situation


@rule("10.1")
def apply_result(
    t: Table[ArdennesPosition],
    facts: Facts,
    s: Situation,
    battle: Battle,
    defenders: list[int],
    stand: set[int],
    result: str,
) -> Play:
    """Carry out a result of the table at once. `stand` are the units that ignore a retreat."""
    attackers = list(battle.attackers)
    if result.startswith("Ar"):
        left = hexes_of(t.p.where, attackers)
        losers = [unit for unit in attackers if unit not in stand]
        yield from retreat(t, facts, s, other(battle.side), losers, int(result[2:]))
        yield from advance(t, facts, s, other(battle.side), defenders, left)
        return
    if result.startswith("Dr"):
        losers = [unit for unit in defenders if unit not in stand]
        yield from retreat(t, facts, s, battle.side, losers, int(result[2:]))
    else:
        for unit in defenders:
            eliminate(t, facts, unit, "10.1")
        if result == "Ex":
            yield from _pay(t, facts, battle, sum(facts.strength[unit] for unit in defenders))
    yield from advance(t, facts, s, battle.side, attackers, battle.targets)


@rule("10.1")
def _pay(t: Table[ArdennesPosition], facts: Facts, battle: Battle, owed: int) -> Play:
    """Exchange: the attacker loses units of his choice worth at least the face value that he destroyed."""
    left = list(battle.attackers)
    while owed > 0 and left:
        unit = left[0]
        strengths = [facts.strength[attacker] for attacker in left]
        if sum(strengths) - min(strengths) >= owed:  # else every one of them goes, whoever goes first
            prompt = f"Exchange: which attacker is eliminated? {owed} to lose"
            unit = yield Decision(battle.side, prompt, [*left], "10.1", Kind.UNIT, about=battle)
        left.remove(unit)
        owed -= facts.strength[unit]
        eliminate(t, facts, unit, "10.1")


# ---------------------------------------------------------------------- advance


@rule("9.6N")
def advance(
    t: Table[ArdennesPosition], facts: Facts, s: Situation, side: str, units: list[int], hexes: list[int]
) -> Play:
    """One mechanized unit that took part may go into each hex that was cleared of the enemy, each unit once."""
    p, left = t.p, list(units)
    for hex_ in hexes:
        s = s.now()
        if s.occupied[other(side)] >> hex_ & 1:
            continue
        found: list[Choice] = [unit for unit in left if may_advance(facts, s, unit, hex_)]
        if not found:
            continue
        prompt = f"Who advances into {facts.map.words(hex_)}?"
        unit = yield Decision(side, prompt, [*found, DONE], "9.6N", Kind.UNIT, about=Place(hex_))
        if unit != DONE:
            left.remove(unit)
            p.where[unit] = hex_
            t.say("9.6N", f"{facts.rows[unit].name} advances.", spaces=(hex_,), units=(unit,))


@rule("6.5F", "6.5G", "8.0", "9.6N", "11.0", "14.3C")
def may_advance(facts: Facts, s: Situation, unit: int, hex_: int) -> bool:
    """Whether a unit may advance: mechanized, next to the hex, with room there; a column only along its road."""
    p, side, here = s.p, facts.side_of(unit), s.p.where[unit]
    if here < 0 or not facts.mechanized[unit] or not facts.board.adjacent(here, hex_):
        return False
    if s.room(hex_) < facts.size[unit] or (kept_back(facts, p, unit) and not facts.beyond_meuse >> hex_ & 1):
        return False
    alone = 1 << here if s.loads[here] == facts.size[unit] else 0
    if p.road >> unit & 1:
        road = facts.roads - s.cut_bridges(side)
        shut = s.shut_to_columns(alone) | ~facts.marched_by(side)
        return road.between(here, hex_) and not shut >> hex_ & 1
    columns = s.marching[side]
    return not (columns | facts.roads.across(columns)) >> hex_ & 1
