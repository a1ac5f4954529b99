"""Blowing and rebuilding bridges (rule 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.dumps import BLOW_DUMP, may_destroy, try_to_destroy
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import Words
from bulge.games.ardennes_44.situation import Situation, enemy_blocks
from bulge.games.ardennes_44.supply import road_bound

FIRST_TURN = 3
"""Before this turn nobody blows bridges (7.6)."""
LEAVE, COMMANDO = "leave_it", "commando"
COMMANDO_BEFORE, COMMANDO_MODIFIER = 7, 2


# ---------------------------------------------------------------------- who may blow what


@rule("7.3", "7.6", "18.5")
def sappers(s: Situation, side: str, bridge: int) -> int:
    """The units that can blow a bridge: within one hex of it, by a way that no enemy and no bond shuts."""
    p, board, own = s.p, s.facts.board, s.occupied[side]
    unfit = p.broken | p.columns | p.movers
    bonds, enemies = s.bonds(other(side)), s.occupied[other(side)] | enemy_blocks(p, side)
    hexes = 0
    for end in s.facts.ground.bridges[bridge]:
        if enemies & 1 << end:
            continue
        hexes |= 1 << end
        if not bonds.hexes & 1 << end:
            near = members(board.next_to(end) & own)
            hexes |= union([hex_ for hex_ in near if not bonds.sides.between(hex_, end)])
    return s.units_in(hexes, side) & ~unfit


@rule("7.5")
def chance_modifier(p: Ardennes44, units: int, *, own_turn: bool) -> int:
    """What is added to the die: the best of the units that could do it."""
    calm = units & ~(p.disrupted | p.engaged)
    return (0 if own_turn else 1) + (0 if calm else 2)


@rule("3.3", "7.2", "7.3", "7.6")
def can_blow(s: Situation, side: str) -> list[int]:
    """The bridges that a side may try to blow in its own Bridge Phase: an enemy is within one hex of them."""
    facts, p = s.facts, s.p
    if p.turn < FIRST_TURN:
        return []
    near_enemy = s.next_to_enemy(side) | s.occupied[other(side)]
    front = near_enemy & facts.board.within(s.occupied[side], 2)  # one end is near an enemy, one near a friend
    near = facts.ground.bridges_at(front) & ~(p.blown | p.tried)
    in_play = [bridge for bridge in members(near) if s.field.hexes & 1 << facts.ground.bridges[bridge][0]]
    return [bridge for bridge in in_play if sappers(s, side, bridge)]


@rule("36.0")
def ask_commando(t: Table[Ardennes44], facts: Facts, side: str, bridge: int) -> Play:
    """Once before turn 7 the German player may have his commandos hinder a demolition."""
    p = t.p
    if not p.greif_commando or p.commando_used or side == GERMAN or p.turn >= COMMANDO_BEFORE:
        return 0
    said = Words(((COMMANDO, "the Greif Commando hinders it"), (LEAVE, "let it pass")))
    prompt = f"Demolition of {facts.ground.bridge_name(bridge)}: use the Greif Commando?"
    choice = yield Decision(GERMAN, prompt, [COMMANDO, LEAVE], "36.0", about=said)
    p.commando_used = choice == COMMANDO
    return COMMANDO_MODIFIER if choice == COMMANDO else 0


@rule("7.2", "7.4", "7.5")
def try_to_blow(t: Table[Ardennes44], facts: Facts, side: str, bridge: int, *, own_turn: bool) -> Play:
    """Roll for a demolition."""
    p, s = t.p, Situation(facts, t.p)
    modifier = chance_modifier(p, sappers(s, side, bridge), own_turn=own_turn)
    modifier += yield from ask_commando(t, facts, side, bridge)
    p.tried |= 1 << bridge
    name = facts.ground.bridge_name(bridge)
    die = t.roll("7.2", f"demolition of the bridge {name}, {modifier:+d} (4 or less blows it)")
    if facts.dice["demolition"].result(die + modifier) != "blown":
        t.say("7.2", f"The bridge {name} stands.")
        return False
    blow(t, facts, bridge, "7.2")
    return True


def blow(t: Table[Ardennes44], facts: Facts, bridge: int, number: str) -> None:
    bit = 1 << bridge
    t.p.blown |= bit
    t.p.building &= ~bit
    t.p.building_allied &= ~bit
    t.say(number, f"The bridge {facts.ground.bridge_name(bridge)} is gone.", spaces=facts.ground.bridges[bridge])


@dataclass(frozen=True, slots=True)
class AboutBridges(Question):
    """A bridge is to be named by its hexside."""

    facts: Facts
    side: str

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, str):
            return replace(plain, rolls=choice == BLOW_DUMP)
        ends = self.facts.board.side_hexes(choice)
        return replace(plain, words=f"bridge {' – '.join(self.facts.words(hex_) for hex_ in ends)}", rolls=True)

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        p, number, s = t.p, self.facts.ground.bridge_number, Situation(self.facts, t.p)
        near = s.next_to_enemy(self.side) | s.occupied[other(self.side)]
        yield Bar(lambda side: side not in number, "7.2", "there is no bridge")
        yield Bar(lambda side: bool(p.blown >> number[side] & 1), "7.2", "it is blown already")
        yield Bar(lambda side: bool(p.tried >> number[side] & 1), "7.2", "it has been tried this turn")
        yield Bar(
            lambda side: not near & union(self.facts.board.side_hexes(side)), "7.3", "no enemy is within one hex"
        )
        yield Bar(lambda side: not sappers(s, self.side, number[side]), "7.3", "no unit of yours can reach it")


# ---------------------------------------------------------------------- the Bridge Phase


@rule("7.1", "7.2", "7.3")
def bridge_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Bridges are tried one by one, until their owner leaves the rest."""
    while True:
        s = Situation(facts, t.p)
        options: list[Choice] = [*map(facts.ground.side_of, can_blow(s, side))]
        if side == ALLIED and may_destroy(s):
            options.append(BLOW_DUMP)
        if not options:
            return
        options.append(DONE)
        prompt = "Blow a bridge, or leave them"
        choice = yield Decision(side, prompt, options, "7.3", Kind.SIDE, top=True, about=AboutBridges(facts, side))
        if choice == DONE:
            return
        if choice == BLOW_DUMP:
            try_to_destroy(t, facts, own_turn=True)
            continue
        yield from try_to_blow(t, facts, side, facts.ground.bridge_number[choice], own_turn=True)


@rule("7.8", "29.5")
def build(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Blown bridges are begun, finished, or left again, by what stands at their ends."""
    p, s = t.p, Situation(facts, t.p)
    sites = [bridge for bridge in members(p.blown) if s.field.hexes & 1 << facts.ground.bridges[bridge][0]]
    if not sites:
        return
    begun, still = p.building if side == GERMAN else p.building_allied, 0
    roads = road_bound(s, side) if any(is_safe(s, side, bridge) for bridge in sites) else 0
    for bridge in sites:
        bit, name = 1 << bridge, facts.ground.bridge_name(bridge)
        if not can_build(s, side, bridge, roads):
            continue
        if begun & bit and not (p.turn == 1 and side == GERMAN):
            p.blown &= ~bit
            p.building &= ~bit
            p.building_allied &= ~bit
            t.say("7.8", f"The bridge {name} is open.", spaces=facts.ground.bridges[bridge])
        else:
            still |= bit
            if not begun & bit:
                t.say("7.8", f"The bridge {name} is under construction.", spaces=facts.ground.bridges[bridge])
    if p.turn == 1 and side == GERMAN:
        still |= begun
    if side == GERMAN:
        p.building = still & p.blown
    else:
        p.building_allied = still & p.blown


@rule("7.8")
def can_build(s: Situation, side: str, bridge: int, roads: int) -> bool:
    """No enemy at either end, each held or out of enemy zones, and a road to supply at one."""
    return is_safe(s, side, bridge) and bool(union(s.facts.ground.bridges[bridge]) & roads)


def is_safe(s: Situation, side: str, bridge: int) -> bool:
    """Whether no enemy is at either end, and each is held or out of enemy zones."""
    return not union(s.facts.ground.bridges[bridge]) & (s.occupied[other(side)] | s.unnegated(side))


# ---------------------------------------------------------------------- Ouren


@rule("7.7")
def test_ouren(t: Table[Ardennes44], facts: Facts, side: str, one: int, two: int) -> bool:
    """The first German to use the weak bridge finds out whether it bears. True if it has just collapsed."""
    p = t.p
    weak = facts.weak_bridge
    if side != GERMAN or p.ouren_tested or two not in weak or one not in weak:
        return False
    bridge = facts.ground.bridge_between(one, two)
    if p.blown >> bridge & 1:
        return False
    p.ouren_tested = True
    die = t.roll("7.7", f"the {ALLIED} player rolls for the bridge of Ouren (4 or less: it collapses)")
    if facts.dice["ouren"].result(die) == "stands":
        t.say("7.7", "The bridge of Ouren bears.")
        return False
    blow(t, facts, bridge, "7.7")
    return True
