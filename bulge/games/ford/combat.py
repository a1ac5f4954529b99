"""Combat in The Ford (rules 6 and 7.2)."""

from __future__ import annotations

from dataclasses import dataclass

from bulge.core.decision import DONE, Choice, Decision, Kind, Modifier, Play, Preview
from bulge.core.retreat import prefer
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ford.facts import GONE, NO_CHIT, Facts, FordPosition, other

FIGHT, PLAY, KEEP, STAND, STAY = "fight", "play_support", "keep_support", "stand", "stay"


@dataclass
class Battle:
    """An attack being made ready: who attacks which hex."""

    side: str
    target: int
    attackers: list[int]


@rule("6.1")
def able_attackers(facts: Facts, p: FordPosition, side: str, target: int) -> list[int]:
    """The units that may still attack this hex."""
    near = facts.board.next_to(target)
    return [u for u in facts.side_units(p, side) if near >> p.where[u] & 1 and not p.attacked >> u & 1]


def targets(facts: Facts, p: FordPosition, side: str) -> int:
    """The enemy hexes that may still be attacked."""
    fresh = union(p.where[u] for u in facts.side_units(p, side) if not p.attacked >> u & 1)
    return facts.occupied(p, other(side)) & facts.board.around(fresh) & ~p.assaulted


def combat_step(facts: Facts, t: Table[FordPosition], side: str) -> Play:
    """Attacks one after the other, in any order (6.1)."""
    p = t.p
    while True:
        options: list[Choice] = [*members(targets(facts, p, side)), DONE]
        target = yield Decision(side, "Attack a hex, or end your combat", options, "6.1", Kind.SPACE, top=True)
        if target == DONE:
            p.attacked = p.assaulted = 0
            return
        battle = Battle(side, target, [])
        yield from _gather(facts, p, battle)
        yield from _resolve(facts, t, battle)


def _gather(facts: Facts, p: FordPosition, battle: Battle) -> Play:
    """Name the attackers, one at a time."""
    while True:
        able = [u for u in able_attackers(facts, p, battle.side, battle.target) if u not in battle.attackers]
        options: list[Choice] = [*able, FIGHT] if battle.attackers else [*able]
        chosen = yield Decision(battle.side, "Who attacks?", options, "6.1", Kind.UNIT, about=battle)
        if chosen == FIGHT:
            return
        battle.attackers.append(chosen)


@rule("6.2", "6.3", "5.2")
def modifiers(facts: Facts, p: FordPosition, battle: Battle) -> list[Modifier]:
    """What the ground and supply take off the attackers' strength."""
    found = []
    target = 1 << battle.target
    if target & (facts.town | facts.woods):
        found.append(Modifier("town" if target & facts.town else "woods", -1, "6.3"))
    if all(facts.river.between(p.where[u], battle.target) for u in battle.attackers):
        found.append(Modifier("across the river", -1, "6.3"))
    lines = facts.supply(p, battle.side).spaces
    if not all(lines >> p.where[u] & 1 for u in battle.attackers):
        found.append(Modifier("out of supply", -1, "5.2"))
    return found


def differential(facts: Facts, p: FordPosition, battle: Battle) -> tuple[int, int, list[Modifier]]:
    attack = sum(facts.strength(p, u) for u in battle.attackers)
    defence = sum(facts.strength(p, u) for u in facts.stack(p, battle.target))
    return attack, defence, modifiers(facts, p, battle)


def preview(facts: Facts, p: FordPosition, battle: Battle) -> Preview:
    """The attack as it stands, without support."""
    attack, defence, changes = differential(facts, p, battle)
    column = facts.crt.column(attack - defence + sum(change.amount for change in changes))
    heading = facts.crt.columns[column]
    words = f"{attack} against {defence}, column {heading}"
    return Preview(words, attack, defence, tuple(changes), heading, facts.crt.chances(column))


def _resolve(facts: Facts, t: Table[FordPosition], battle: Battle) -> Play:
    p = t.p
    attack, defence, changes = differential(facts, p, battle)
    total = attack - defence + sum(change.amount for change in changes)
    total += yield from _support(facts, t, battle.side)
    total -= yield from _support(facts, t, other(battle.side))
    p.assaulted |= 1 << battle.target
    for unit in battle.attackers:
        p.attacked |= 1 << unit
    column = facts.crt.column(total)
    die = t.roll("6.4", f"attack on {facts.board.name(battle.target)}, column {facts.crt.columns[column]}")
    result = facts.crt.result(column, die)
    t.say("6.4", f"The attack on {facts.board.name(battle.target)} gives {result}.", spaces=(battle.target,))
    if result == "A1":
        yield from _lose_step(facts, t, battle.side, battle.attackers, "6.4")
    elif result == "D1":
        yield from _lose_step(facts, t, other(battle.side), facts.stack(p, battle.target), "6.4")
    elif result == "DR":
        yield from _retreat_or_stand(facts, t, other(battle.side), battle.target)
    if not facts.stack(p, battle.target):
        yield from _advance(facts, t, battle)


@rule("7.2")
def _support(facts: Facts, t: Table[FordPosition], side: str) -> Play:
    """A side may play its chit; the answer is its number."""
    p, seat = t.p, ("Blue", "Red").index(side)
    if p.held[seat] == NO_CHIT:
        return 0
    chosen = yield Decision(side, "Play your support chit?", [PLAY, KEEP], "7.2")
    if chosen == KEEP:
        return 0
    shift = facts.chits[p.held[seat]]
    p.held[seat] = NO_CHIT
    t.reveal()
    t.say("7.2", f"{side} plays support of {shift}.")
    return shift


@rule("6.5", "6.6")
def _retreat_or_stand(facts: Facts, t: Table[FordPosition], side: str, hex_: int) -> Play:
    p = t.p
    ways = members(retreats(facts, p, side, hex_))
    chosen = yield Decision(side, "Retreat, or stand and lose a step?", [*ways, STAND], "6.5", Kind.SPACE)
    if chosen == STAND:
        yield from _lose_step(facts, t, side, facts.stack(p, hex_), "6.5")
        return
    for unit in facts.stack(p, hex_):
        p.where[unit] = chosen
    t.say(
        "6.6",
        f"{side} retreats from {facts.board.name(hex_)} to {facts.board.name(chosen)}.",
        spaces=(hex_, chosen),
    )


@rule("3.3", "6.6")
def retreats(facts: Facts, p: FordPosition, side: str, hex_: int) -> int:
    """Where the units of a hex may retreat: best hexes only."""
    enemy = other(side)
    friends = facts.occupied(p, side)
    size = len(facts.stack(p, hex_))
    crowded = union(at for at in p.where if at != GONE and p.where.count(at) + size > 2)
    barred = facts.occupied(p, enemy) | (facts.zone(p, enemy) & ~friends) | crowded
    open_ = facts.board.next_to(hex_) & ~barred
    return prefer(open_, lambda candidates: facts.board.nearest(candidates, facts.edge[side]))


def _lose_step(facts: Facts, t: Table[FordPosition], side: str, units: list[int], number: str) -> Play:
    """One unit loses a step; its owner says which."""
    loser = units[0]
    if len(units) > 1:
        loser = yield Decision(side, "Which unit loses a step?", units, number, Kind.UNIT)
    t.p.steps[loser] -= 1
    if not t.p.steps[loser]:
        t.p.where[loser] = GONE
    t.say(
        number, f"{facts.units[loser].name} {'loses a step' if t.p.steps[loser] else 'is lost'}.", units=(loser,)
    )


@rule("6.7")
def _advance(facts: Facts, t: Table[FordPosition], battle: Battle) -> Play:
    p = t.p
    able = [u for u in battle.attackers if p.where[u] != GONE]
    if not able:
        return
    chosen = yield Decision(battle.side, "Advance into the empty hex?", [*able, STAY], "6.7", Kind.UNIT)
    if chosen != STAY:
        p.where[chosen] = battle.target
        t.say("6.7", f"{facts.units[chosen].name} advances.", spaces=(battle.target,), units=(chosen,))
