"""Disengagement (rule 20)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.allowance import held_back
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.losses import disrupt, eliminate
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf, Words
from bulge.games.ardennes_44.retreats import Ways, edge_hexes, follow, leave_map, settle
from bulge.games.ardennes_44.situation import Situation

ONE, TWO = "one_hex", "two_hexes"
MORALE = {"green": 1, "veteran": 0, "elite": -1}


@rule("20.1", "20.2", "25.3.2", "27.5", "29.1.1")
def can_disengage(s: Situation, side: str) -> list[int]:
    """Units next to an enemy, or Engaged, that have neither attacked nor tried already."""
    facts, p = s.facts, s.p
    able = facts.of_side[side] & ~p.attacked & ~p.remaining & ~held_back(facts, p) & ~facts.dump
    if p.night:
        able &= p.night_marked & ~p.lent
    return members(able & s.standing.on_map(side) & (s.facing_enemies(side) | p.engaged))


def disengage(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Units of one stack try to get away, each by a die of its own."""
    for unit in (yield from _announce(t, Situation(facts, t.p), side)):
        yield from _try(t, facts, unit)


@rule("20.1", "20.2")
def _announce(t: Table[Ardennes44], s: Situation, side: str) -> Play:
    """Before any die, all of a stack who will try are named; the others of it remain."""
    p, facts, able = t.p, s.facts, can_disengage(s, side)
    question = OneOf(facts, union(able), "20.1", "is neither next to an enemy nor Engaged, or has acted already")
    options: list[Choice] = [*able, DONE]
    unit = yield Decision(side, "Who tries to disengage?", options, "20.2", Kind.UNIT, about=question)
    if unit == DONE:
        return []
    tried = [unit]
    while mates := [mate for mate in able if p.where[mate] == p.where[unit] and mate not in tried]:
        question = OneOf(facts, union(mates), "20.2", "is not of this stack, or has been named")
        prompt, options = "Who else of the stack tries? The others remain", [*mates, DONE]
        mate = yield Decision(side, prompt, options, "20.2", Kind.UNIT, about=question)
        if mate == DONE:
            p.remaining |= union(mates)
            break
        tried.append(mate)
    return tried


@rule("20.2", "20.5", "21.5")
def _try(t: Table[Ardennes44], facts: Facts, unit: int) -> Play:
    """A die says whether the unit gets away."""
    p, bit, name = t.p, 1 << unit, facts.rows[unit].name
    was_engaged = bool(p.engaged & bit)
    p.attacked |= bit
    p.engaged &= ~bit
    modifier = disengagement_modifier(facts, unit)
    result = facts.dice["disengagement"].result(t.roll("20.2", f"{name} disengages, {modifier:+d}") + modifier)
    t.say("20.3", f"{name}: {result}.", units=(unit,))
    shaken = result.endswith("D")
    if result.startswith("Yes"):
        yield from _get_away(t, Situation(facts, p), unit, engaged=was_engaged, shaken=shaken)
    if shaken and p.where[unit] >= 0:
        disrupt(t, facts, unit, "20.3")


@rule("20.2", "21.5")
def disengagement_modifier(facts: Facts, unit: int) -> int:
    nimble = (facts.tanks | facts.recon) >> unit & 1
    return MORALE[facts.rows[unit].morale] - nimble


@rule("17.2", "17.6", "17.7", "20.3", "20.4")
def _get_away(t: Table[Ardennes44], s: Situation, unit: int, *, engaged: bool, shaken: bool) -> Play:
    """One or two hexes where 17.2 lets it; who was not Engaged enters no enemy zone, who is Disrupted goes two."""
    p, facts, bit = t.p, s.facts, 1 << unit
    if facts.guns & bit and facts.side_of(unit) == GERMAN and not p.movers & bit:
        eliminate(t, facts, unit, "17.7")
        return
    ways = Ways(s, unit, no_zones=not engaged)
    short, long_ = _fitting(ways, 1), _fitting(ways, 2)
    if (p.disrupted | p.broken) & bit:
        short = []
    elif shaken:
        short = [path for path in short if not ways.zone >> path[-1] & 1]
    if not short and not long_:
        if facts.side_of(unit) == ALLIED and (edges := edge_hexes(s, ways, 2)):
            yield from leave_map(t, facts, unit, edges)
        else:
            eliminate(t, facts, unit, "17.2" if engaged else "20.4")
        return
    paths = long_ or short
    if short and long_:
        said = Words(((ONE, "one hex"), (TWO, "two hexes")), units=(facts.rows[unit].id,))
        choice = yield Decision(facts.side_of(unit), "How far does it go?", [ONE, TWO], "20.3", about=said)
        paths = short if choice == ONE else long_
    path = yield from follow(t, facts, unit, paths, "20.3")
    settle(t, facts, unit, path)


def _fitting(ways: Ways, length: int) -> list[tuple[int, ...]]:
    """The ways of a length that end with room to stand."""
    return [path for path in ways.all_paths(length) if ways.has_room(path[-1])]
