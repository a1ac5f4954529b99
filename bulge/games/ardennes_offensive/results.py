"""What combat results do: losses, exchanges, advances; retreats are in a file of their own (rules 9.6 and 10)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.question import Barred
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.ardennes_offensive.at_hand import not_at_hand
from bulge.games.ardennes_offensive.battle import Battle, hexes_of
from bulge.games.ardennes_offensive.facts import Facts, other
from bulge.games.ardennes_offensive.losses import eliminate
from bulge.games.ardennes_offensive.movement import NO_COLUMN_IN_THE_WALL, NOT_OVER_THE_MEUSE, kept_back
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import retreat
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
        losers = _who_falls_back(t, facts, attackers, stand)
        yield from retreat(t, facts, s, other(battle.side), losers, int(result[2:]))
        yield from advance(t, facts, s, other(battle.side), defenders, left)
        return
    if result.startswith("Dr"):
        losers = _who_falls_back(t, facts, defenders, stand)
        yield from retreat(t, facts, s, battle.side, losers, int(result[2:]))
    else:
        for unit in defenders:
            eliminate(t, facts, unit, "10.1")
        if result == "Ex":
            yield from _pay(t, facts, battle, sum(facts.strength[unit] for unit in defenders))
    yield from advance(t, facts, s, battle.side, attackers, battle.targets)


def _who_falls_back(t: Table[ArdennesPosition], facts: Facts, units: list[int], stand: set[int]) -> list[int]:
    """Those who must retreat; it is said who need not."""
    for unit in units:
        if unit in stand:
            t.say(
                "11.0", f"{facts.rows[unit].name} stands: its shelter lets it ignore the retreat.", units=(unit,)
            )
    return [unit for unit in units if unit not in stand]


@rule("10.1")
def _pay(t: Table[ArdennesPosition], facts: Facts, battle: Battle, owed: int) -> Play:
    """Exchange: the attacker loses units of his choice worth at least the face value that he destroyed."""
    left = list(battle.attackers)
    while owed > 0 and left:
        unit = left[0]
        strengths = [facts.strength[attacker] for attacker in left]
        if sum(strengths) - min(strengths) >= owed:  # else every one of them goes, whoever goes first
            prompt = f"Exchange: which attacker is eliminated? {owed} to lose"
            about = Barred(partial(who_does_not_pay, facts, t.p, battle.side, left), battle.targets)
            unit = yield Decision(battle.side, prompt, [*left], "10.1", Kind.UNIT, about=about)
        left.remove(unit)
        owed -= facts.strength[unit]
        eliminate(t, facts, unit, "10.1")


def who_does_not_pay(facts: Facts, p: ArdennesPosition, side: str, left: list[int]) -> Iterator[Bar]:
    yield from not_at_hand(facts, p, side)
    yield facts.roster.bar(~union(left), "10.1", "did not take part in the attack")


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
        open_ = open_to(union(left), may_not_advance(facts, s, side, hex_))
        found: list[Choice] = [unit for unit in left if open_ >> unit & 1]
        if not found:
            continue
        prompt = f"Who advances into {facts.map.words(hex_)}?"
        shut = partial(who_does_not_advance, facts, s, side, hex_, left)
        about = Barred(shut, [hex_], over="nobody advances", role="")
        unit = yield Decision(side, prompt, [*found, DONE], "9.6N", Kind.UNIT, about=about)
        if unit != DONE:
            left.remove(unit)
            p.where[unit] = hex_
            t.say("9.6N", f"{facts.rows[unit].name} advances.", spaces=(hex_,), units=(unit,))


@rule("6.5F", "6.5G", "8.0", "9.6N", "11.0", "14.3C")
def may_not_advance(facts: Facts, s: Situation, side: str, hex_: int) -> Iterator[Bar]:
    """Units that may not advance into a hex: on foot, not next to it, without room, columns off their road."""
    p, rows, place = s.p, facts.rows, facts.map.words(hex_)
    yield Bar(~facts.mechanized_set, "9.6N", lambda unit: f"{rows[unit].name} is not mechanized")
    near = s.units_in(side, facts.board.next_to(hex_))
    yield Bar(~near, "9.6N", lambda unit: f"{rows[unit].name} is not next to {place}")
    yield Bar(
        lambda unit: s.room(hex_) < facts.size[unit], "8.0", lambda _: f"{s.names_in(1 << hex_)} fills {place}"
    )
    if not facts.beyond_meuse >> hex_ & 1:
        yield Bar(lambda unit: kept_back(facts, p, unit), *NOT_OVER_THE_MEUSE)
    if not facts.marched_by(side) >> hex_ & 1:
        yield Bar(p.road, *NO_COLUMN_IN_THE_WALL)
    road = (facts.roads - s.interdicted(side)).across(1 << hex_)
    yield Bar(p.road & ~s.units_in(side, road), "6.5F", lambda unit: f"no open road leads {rows[unit].name} there")
    columns = s.marching[side]
    if (columns | facts.roads.across(columns)) >> hex_ & 1:
        yield Bar(~p.road, "6.5G", f"a friend in Road Mode is in {place} or next to it on the road")

    def is_crowded(unit: int) -> bool:
        here = p.where[unit]
        alone = 1 << here if s.loads[here] == facts.size[unit] else 0
        return bool(p.road >> unit & s.shut_to_columns(alone) >> hex_ & 1)

    yield Bar(
        is_crowded, "6.5G", lambda unit: f"{rows[unit].name} is in Road Mode, and others are next to {place}"
    )


def who_does_not_advance(facts: Facts, s: Situation, side: str, hex_: int, left: list[int]) -> Iterator[Bar]:
    """Those who may not, and those who did not win the hex."""
    yield from not_at_hand(facts, s.p, side)
    yield facts.roster.bar(~union(left), "9.6N", "did not take part in the battle, or has advanced already")
    yield from may_not_advance(facts, s, side, hex_)
