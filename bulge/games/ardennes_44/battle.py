"""The Combat Phase: which hex is attacked, and by whom (rules 14, 16.6, 19.4 and 20.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview, Refusal, Role, Together
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.advance import one_group
from bulge.games.ardennes_44.breakdown import BREAK_DOWN, ask_to_split, breakable, can_break
from bulge.games.ardennes_44.combat import Battle
from bulge.games.ardennes_44.counters import ALLIED, other
from bulge.games.ardennes_44.disengagement import can_disengage, disengage
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.fighting import bearers, fight
from bulge.games.ardennes_44.formations import may_attack_together
from bulge.games.ardennes_44.limits import guarded
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf
from bulge.games.ardennes_44.sectors import sector_open
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits
from bulge.games.hexes.attackers import ALL_WHO_MAY

ATTACK, DISENGAGE = "attack", "disengage"
SAID = {DISENGAGE: "try to disengage a unit", BREAK_DOWN: "break down a unit", DONE: "end the Combat Phase"}


# ---------------------------------------------------------------------- who and whom


@rule("12.5", "14.1", "15.8.2", "22.9", "25.2.4", "25.3.2", "25.3.5")
def ready(s: Situation, side: str) -> int:
    """The units that may attack now; in a breakthrough, those who broke through."""
    facts, p = s.facts, s.p
    able = facts.of_side[side] & ~(facts.guns | facts.dump) & ~p.columns & ~p.dug & ~p.replaced
    able &= p.breakers if p.breakers else ~p.attacked
    able &= p.night_marked if p.night else ~p.night_marked
    return able & (s.standing.on_map(side) | _blockers(s) if side == ALLIED else s.standing.on_map(side))


@rule("13.8.1", "13.8.2")
def _blockers(s: Situation) -> int:
    """The units that may attack on to the map from their Blocking Positions."""
    facts, held = s.facts, s.occupied[ALLIED] & s.facts.blocking_positions
    if not held:
        return 0
    return s.units_in(union([space for space in members(held) if sector_open(s, facts.sector[space])]), ALLIED)


@rule("13.8", "14.1", "14.2", "29.4")
def reach_of(s: Situation, unit: int) -> int:
    """The enemy hexes that a unit is next to and may attack."""
    facts, at = s.facts, s.p.where[unit]
    enemies = s.occupied[other(facts.side_of(unit))] & s.field.hexes
    if facts.rows[unit].division == "106" and facts.side_of(unit) == ALLIED:
        enemies &= ~guarded(s)
    return enemies & (1 << facts.blocked[at] if at in facts.blocked else facts.board.next_to(at))


@rule("13.8", "14.2", "29.4")
def _next_to_target(s: Situation, side: str, target: int) -> int:
    """The units of a side that are next to an enemy hex and may attack it."""
    facts = s.facts
    if not (s.occupied[other(side)] & s.field.hexes) >> target & 1:
        return 0
    beside = facts.board.next_to(target)
    if target in facts.blocking:
        beside |= 1 << facts.blocking[target]
    bound = facts.of_106 if side == ALLIED and guarded(s) >> target & 1 else 0
    return s.units_in(beside, side) & ~bound


@rule("14.1", "19.4.3", "27.5")
def targets(s: Situation, side: str) -> int:
    """The hexes that may be attacked: not those whose units all have been, unless by a breakthrough."""
    facts, p = s.facts, s.p
    able = ready(s, side) & ~(0 if p.breakers else p.lent)
    able &= s.facing_enemies(side) | s.standing.armies[side].boxed
    bound = able & facts.of_106
    spaces = s.standing.spaces_of(side, able & ~bound)
    near = facts.board.around(spaces & s.field.hexes)
    near |= union([facts.blocked[space] for space in members(spaces & facts.off_map)])
    near &= s.occupied[other(side)] & s.field.hexes
    for unit in members(bound):
        near |= reach_of(s, unit)
    if p.breakers:
        return near
    return union([hex_ for hex_ in members(near) if any(not p.defended >> unit & 1 for unit in s.stack(hex_))])


@rule("13.8.1", "14.2", "14.3", "19.4.1", "19.4.2", "27.5", "29.4")
def may_not_join(s: Situation, side: str, target: int) -> Iterator[Bar]:
    """Units that may not be added to the attack that is being made ready."""
    facts, p, rows = s.facts, s.p, s.facts.rows
    here, chosen = facts.words(target), members(p.attackers)
    yield Bar(facts.of_side[other(side)], "14.1", lambda unit: f"{rows[unit].name} is not yours")
    yield Bar(p.attackers, "14.1", lambda unit: f"{rows[unit].name} attacks already")
    yield Bar(facts.guns, "22.9", lambda unit: f"{rows[unit].name} can only support")
    yield Bar(~ready(s, side), "14.1", lambda unit: f"{rows[unit].name} may not attack now")
    yield Bar(~_next_to_target(s, side, target), "14.2", f"it is not next to {here}")
    yield Bar(
        lambda unit: not may_attack_together(s, [*chosen, unit]), "14.3.1", "that would be a third formation"
    )
    if not p.breakers and not p.attackers & facts.peiper:
        yield Bar(p.lent, "27.5", "it was taken along to assist Peiper: name a unit of his first")
    if p.breakers:
        yield Bar(lambda unit: not one_group(facts, p, [*chosen, unit]), "19.4.1", "it is not of the same group")
    if target in facts.blocking:
        yield Bar(lambda unit: not _room_to_attack(s, [*chosen, unit], target), "13.8.1", "no more may attack so")


def _room_to_attack(s: Situation, units: list[int], target: int) -> bool:
    beside = [unit for unit in units if s.p.where[unit] == s.facts.blocking[target]]
    return fits(s.facts, s.p.reduced, beside, hexes=2)


@rule("26.2")
def can_split(s: Situation, side: str) -> int:
    """The units next to an enemy that have neither attacked nor tried to disengage: elsewhere it would be idle."""
    p = s.p
    able = s.standing.on_map(side) & ~p.attacked & (p.night_marked if p.night else ~p.night_marked)
    return able & s.facing_enemies(side)


# ---------------------------------------------------------------------- questions


@dataclass(frozen=True, slots=True)
class WhatToAttack(Question):
    facts: Facts

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, int):
            return plain
        if choice == DONE and t.p.breakers:
            return replace(plain, words="stop here", role="end", has_preview=False)
        role: Role = "end_turn" if choice == DONE else ""
        return replace(plain, words=SAID.get(choice, plain.words), role=role, has_preview=False)

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        s = Situation(self.facts, t.p)
        yield Bar(~s.occupied[other(decision.side)], "14.1", "no enemy unit is there")
        yield Bar(
            ~targets(s, decision.side), "14.1", "nobody who may still attack is next to it, or it was attacked"
        )

    def preview(self, t: Table[Ardennes44], decision: Decision, choice: Choice) -> Preview | None:
        """What all who may attack a hex could do there."""
        if isinstance(choice, str):
            return None
        battle = all_who_may(self.facts, t.p, decision.side, choice)
        return battle.preview() if battle.attackers else None


@rule("14.2", "14.3")
def all_who_may(facts: Facts, p: Ardennes44, side: str, target: int) -> Battle:
    """An attack on a hex by everybody who may join it, one after the other: the most that can be had."""
    trial = p.copy()
    trial.target, trial.attackers = target, 0
    s = Situation(facts, trial)
    while joining := open_to(ready(s, side), may_not_join(s, side, target)):
        strongest = max(members(joining), key=lambda unit: facts.attack(unit, trial.reduced))
        trial.attackers |= 1 << strongest
    return battle_of(facts, trial, side)


@dataclass(frozen=True, slots=True)
class WhoAttacks(Question):
    """An attack that is being made ready."""

    facts: Facts

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, role="strike") if choice == ATTACK else plain

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        return may_not_join(Situation(self.facts, t.p), decision.side, t.p.target)

    def why_not_word(self, t: Table[Ardennes44], decision: Decision, word: str) -> Refusal | None:
        return Refusal("14.1", "nobody attacks yet: name a unit first") if word == ATTACK else None

    def preview(self, t: Table[Ardennes44], decision: Decision, choice: Choice) -> Preview:
        joining = [choice] if isinstance(choice, int) else []
        return battle_of(self.facts, t.p, decision.side, joining).preview()

    def together(self, t: Table[Ardennes44], decision: Decision) -> Together:
        """The strongest first, for what one adds may shut out another."""
        able = [choice for choice in decision.options if isinstance(choice, int)]
        able.sort(key=lambda unit: self.facts.attack(unit, t.p.reduced), reverse=True)
        return Together(ALL_WHO_MAY, tuple(able))

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        rows = self.facts.rows
        units = tuple(rows[unit].id for unit in members(t.p.attackers))
        return Subject((self.facts.board.name(t.p.target),), units)


def battle_of(facts: Facts, p: Ardennes44, side: str, joining: list[int] | None = None) -> Battle:
    """The attack that is being made ready, with these units too."""
    attackers = [*members(p.attackers), *(joining or [])]
    pointing = any(mark.target == p.target and bearers(p, mark) & union(attackers) for mark in p.advantages)
    return Battle(Situation(facts, p), side, p.target, attackers, advantage=pointing)


# ---------------------------------------------------------------------- the phase


@rule("14.1", "14.2", "20.1", "20.5")
def combat_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Attacks and disengagements in any order; a breakthrough comes before all else (19.4.2)."""
    p = t.p
    while True:
        s = Situation(facts, p)
        hexes = targets(s, side)
        if p.breakers and not hexes:
            p.breakers = 0
            continue
        options: list[Choice] = [*members(hexes)]
        if not p.breakers and can_disengage(s, side):
            options.append(DISENGAGE)
        if not p.breakers and can_break(s, can_split(s, side)):
            options.append(BREAK_DOWN)
        if not options:
            return
        prompt = "Break through: attack again, or stop" if p.breakers else "Attack a hex, or end the Combat Phase"
        number = "19.4.2" if p.breakers else "14.1"
        about = WhatToAttack(facts)
        choice = yield Decision(side, prompt, [*options, DONE], number, Kind.SPACE, top=True, about=about)
        if choice == DONE:
            if not p.breakers:
                return
            p.breakers = 0
        elif choice == DISENGAGE:
            yield from disengage(t, facts, side)
        elif choice == BREAK_DOWN:
            yield from ask_to_split(t, s, side, breakable(s, can_split(s, side)))
        else:
            p.target = choice
            yield from gather(t, s, side)
            yield from bring_along(t, s, side)
            yield from fight(t, battle_of(facts, p, side))


@rule("14.2", "14.3")
def gather(t: Table[Ardennes44], s: Situation, side: str) -> Play:
    """Name the attackers one at a time."""
    p, question = t.p, WhoAttacks(s.facts)
    while True:
        able = members(open_to(ready(s, side), may_not_join(s, side, p.target)))
        options: list[Choice] = [*able, ATTACK] if p.attackers else [*able]
        prompt = f"Who attacks {s.facts.words(p.target)}?"
        choice = yield Decision(side, prompt, options, "14.2", Kind.UNIT, about=question)
        if choice == ATTACK:
            return
        p.attackers |= 1 << choice


@rule("14.3.1", "19.1.1", "27.3.3")
def third_formations(s: Situation, side: str) -> int:
    """Units stacked with the attackers that the limit of formations shuts out, and nothing else."""
    facts, p, chosen = s.facts, s.p, members(s.p.attackers)
    beside = s.units_in(s.standing.spaces_of(side, p.attackers), side)
    able = ready(s, side) & _next_to_target(s, side, p.target) & beside & ~(p.attackers | p.along)
    nation = facts.rows[chosen[0]].nation
    return union(
        [
            unit
            for unit in members(able)
            if facts.rows[unit].nation == nation
            and not may_attack_together(s, [*chosen, unit])
            and (not p.breakers or one_group(facts, p, [*chosen, unit]))
        ]
    )


@rule("19.1.1")
def bring_along(t: Table[Ardennes44], s: Situation, side: str) -> Play:
    """Who is named so adds nothing to the attack, but may advance after it."""
    p = t.p
    while able := third_formations(s, side):
        question = OneOf(s.facts, able, "19.1.1", "attacks itself, or is not stacked with attackers", p.target)
        options: list[Choice] = [*members(able), DONE]
        prompt = "Which units of other formations come along, to advance?"
        choice = yield Decision(side, prompt, options, "14.3.1", Kind.UNIT, about=question)
        if choice == DONE:
            return
        p.along |= 1 << choice
        t.say("19.1.1", f"{s.facts.rows[choice].name} comes along.", units=(choice,))
