"""What happens on the way: towns, bridges, detachments, depots, the Meuse (10, 13.52, 14, 15.1)."""

from __future__ import annotations

from itertools import pairwise

from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, ARMIES, FINAL_OBJECTIVE, GERMAN, GONE, Facts, other
from bulge.games.enemy_action.movement import side_of
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation

DETACHMENTS_FROM = 17
FUEL_FROM = 20
LAST_DAY = 29
THIRD_OBJECTIVE = 3


def walk(t: Table[EnemyActionPosition], facts: Facts, unit: int, way: list[int], rule_: str, words: str) -> None:
    """Go this way, hex by hex. `words` says why; it goes into the log with the way."""
    p = t.p
    if t.keeps_log:
        names = " – ".join(facts.board.name(hex_) for hex_ in way[1:])
        t.say(rule_, f"{facts.name_of(unit)} {words}: {names}.", spaces=tuple(way), units=(unit,), kind="move")
    for from_, to in pairwise(way):
        _cross(t, facts, unit, from_, to)
        p.where[unit] = to
        leave(t, facts, unit, from_)
        enter(t, facts, unit, to)


@rule("10.31", "10.32", "14.2")
def _cross(t: Table[EnemyActionPosition], facts: Facts, unit: int, from_: int, to: int) -> None:
    """A river crossed on a bridge or without one counts against its limit for the rest of the activation."""
    p, side = t.p, facts.river_side(from_, to)
    if side < 0:
        return
    if (facts.bridges & ~p.blown | p.built) >> side & 1:
        if Situation(facts, p).zones[other(side_of(facts, unit))] >> to & 1:
            p.bridged |= 1 << side
        take_bridge(t, facts, side, german=facts.is_german(unit))
    else:
        p.forded |= 1 << side


@rule("14.2")
def take_bridge(t: Table[EnemyActionPosition], facts: Facts, side: int, *, german: bool) -> None:
    p = t.p
    if bool(p.german_bridges >> side & 1) != german:
        p.german_bridges ^= 1 << side
        owner = GERMAN if german else ALLIED
        t.say("14.2", f"The bridge {facts.side_words(side)} is {owner} now.", spaces=facts.river_sides[side])


@rule("14.34", "15.1")
def leave(t: Table[EnemyActionPosition], facts: Facts, unit: int, hex_: int, *, beaten: bool = False) -> None:
    """An empty hex keeps no improved position; Germans leave a detachment in a hold-value hex, unless beaten."""
    p = t.p
    if any(at == hex_ for at in p.where):
        return
    p.positions &= ~(1 << hex_)
    if (
        beaten
        or not facts.is_german(unit)
        or day_of(p) < DETACHMENTS_FROM
        or not facts.scenarios[p.scenario].detachments
    ):
        return
    if facts.hold_hexes >> hex_ & 1 and not facts.rim >> hex_ & 1:
        p.detachments |= 1 << hex_
        t.say("15.1", f"A detachment stays in {facts.at(hex_)}.", spaces=(hex_,))


def enter(t: Table[EnemyActionPosition], facts: Facts, unit: int, hex_: int) -> None:
    """Whoever enters a hex changes it."""
    if facts.is_german(unit):
        _german_enters(t, facts, unit, hex_)
    else:
        _allied_enters(t, facts, hex_)


@rule("14.1", "10.8", "17.1")
def _allied_enters(t: Table[EnemyActionPosition], facts: Facts, hex_: int) -> None:
    p, here = t.p, 1 << hex_
    p.roadblocks &= ~here
    p.detachments &= ~here
    if p.german_towns & here:
        p.german_towns &= ~here
        t.say("14.1", f"{facts.at(hex_)} is Allied again.", spaces=(hex_,))


@rule("14.1", "13.52", "15.3", "17.1", "7.41", "10.7")
def _german_enters(t: Table[EnemyActionPosition], facts: Facts, unit: int, hex_: int) -> None:
    p, here = t.p, 1 << hex_
    p.detachments &= ~here
    p.wall_lost &= ~here
    if facts.towns & here & ~p.german_towns:
        p.german_towns |= here
        t.say("14.1", f"{facts.at(hex_)} is German now.", spaces=(hex_,))
    if p.depots & here:
        take_depot(t, facts, hex_)
    if p.where[facts.heydte] == hex_ and unit != facts.heydte:
        p.where[facts.heydte] = GONE
        p.relieved = True
        t.say("17.1", "Von der Heydte's men are relieved: 1 victory point.", spaces=(hex_,))
    if facts.meuse & here and not p.at_meuse:
        p.at_meuse = True
        t.say("10.7", "The Germans have reached the Meuse.", spaces=(hex_,))
    if facts.west_of_meuse & here:
        p.over_meuse = True
    _reach_objective(t, facts, unit, hex_)


@rule("13.52")
def take_depot(t: Table[EnemyActionPosition], facts: Facts, hex_: int) -> None:
    """Captured fuel: the first day after today, 20 December at the earliest, that has none yet."""
    p = t.p
    p.depots &= ~(1 << hex_)
    day = max(day_of(p) + 1, FUEL_FROM)
    while p.fuel_days >> day & 1:
        day += 1
    p.fuel_days |= 1 << day
    t.say("13.52", f"The Germans capture the fuel of {facts.at(hex_)}: enough for {day} December.", spaces=(hex_,))


@rule("9.15")
def _reach_objective(t: Table[EnemyActionPosition], facts: Facts, unit: int, hex_: int) -> None:
    """A third objective has been reached: on to the far corner, or, for the 7th Army, over to the defence."""
    p, army = t.p, facts.army_of[unit]
    if army not in ARMIES:
        return
    which = ARMIES.index(army)
    if p.objective[which] != hex_ or p.table[which] != THIRD_OBJECTIVE:
        return
    if army != "7A":
        p.objective[which] = facts.board.at(FINAL_OBJECTIVE)
        p.table[which] += 1
        t.say("9.15", f"{army} has its last objective; the marker goes to {FINAL_OBJECTIVE}.", spaces=(hex_,))
    elif facts.foot[unit] and not p.defensive:
        p.defensive = True
        t.say("9.15", "The 7th Army has its last objective and goes over to the defence.", spaces=(hex_,))
