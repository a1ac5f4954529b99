"""Artillery: made ready, and firing in support (rules 5 and 22)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Modifier, Play, Preview
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.combat import Battle
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf

FLIPS, FLIPS_ON_TURN_2 = 3, 6
OFFENSIVE = 2
"""The most guns that support one attack (22.7)."""
FIRST_DAY_GUNS = ("V/187", "V/406")
"""The Allied guns that fire in defence on the first turn (29.2.1)."""
NONE = "no_guns"


# ---------------------------------------------------------------------- the Artillery Supply Phase


@rule("5.1", "5.2", "5.4", "22.3")
def begin_artillery(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Prime Movers come off; Allied guns are all made ready, German ones by choice."""
    p = t.p
    if side == GERMAN:
        p.movers = 0
        p.flips = FLIPS_ON_TURN_2 if p.turn == 2 else FLIPS
        fired = flippable(facts, p, side)
        if len(fired) <= p.flips:
            p.fired &= ~union(fired)
            p.flips = 0
    else:
        p.fired &= ~union(flippable(facts, p, side))


@rule("5.3", "18.3", "22.5", "23.4")
def flippable(facts: Facts, p: Ardennes44, side: str) -> list[int]:
    """Fired guns that may be made ready."""
    unfit = p.disrupted | p.broken | p.unsupplied | p.columns
    return members(p.fired & facts.of_side[side] & facts.guns & ~unfit)


@rule("5.2")
def artillery_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    p = t.p
    while p.flips and (guns := flippable(facts, p, side)):
        options: list[Choice] = [*guns, DONE]
        question = OneOf(facts, union(guns), "5.3", "cannot be made ready now")
        prompt = f"Make artillery ready: {p.flips} more"
        gun = yield Decision(side, prompt, options, "5.2", Kind.UNIT, top=True, about=question)
        if gun == DONE:
            break
        p.fired &= ~(1 << gun)
        p.flips -= 1
        t.say("5.2", f"{facts.rows[gun].name} is ready.", units=(gun,))
    p.flips = 0


# ---------------------------------------------------------------------- support


@rule("22.4", "22.5", "22.6", "13.8.1")
def guns_in_range(battle: Battle, side: str) -> list[int]:
    """The guns of a side that can fire at or for the hex under attack."""
    facts, p, target = battle.facts, battle.s.p, battle.target
    unfit = p.fired | p.movers | p.engaged | p.disrupted | p.broken | p.columns
    on_map, distance, beside, found = facts.on_map, facts.board.distance, _beside(battle), []
    for gun in members(facts.guns & facts.of_side[side] & ~unfit):
        at = p.where[gun]
        if distance(at, target) <= facts.rows[gun].range if on_map(at) else at in beside:
            found.append(gun)
    return found


def _beside(battle: Battle) -> tuple[int, ...]:
    """From where guns beside the map reach the hex: where they stand who attack it from beyond the edge."""
    facts, p = battle.facts, battle.s.p
    beyond = facts.blocking.get(battle.target, -1)
    if beyond < 0 or all(p.where[unit] != beyond for unit in battle.attackers):
        return ()
    return beyond, facts.box[facts.sector[beyond]]


@rule("22.6", "22.7", "29.2.2")
def offensive_guns(battle: Battle) -> list[int]:
    """Guns that may support this attack: somebody of their colour takes part, on turn 1 of their corps."""
    facts, p = battle.facts, battle.s.p
    corps = battle.side == GERMAN and p.turn == 1 and not p.night
    marks = {facts.rows[unit].corps if corps else facts.rows[unit].colour for unit in battle.attackers}
    return [
        gun
        for gun in guns_in_range(battle, battle.side)
        if (facts.rows[gun].corps if corps else facts.rows[gun].colour) in marks
    ]


def fired_by(facts: Facts, gun: int) -> Modifier:
    return Modifier(facts.rows[gun].name, 1, "22.7", "column")


@dataclass(frozen=True, slots=True)
class WhichGuns(Question):
    """Which guns fire: the attack stays in sight meanwhile."""

    battle: Battle
    guns: int
    others: str
    """What is true of all other guns."""
    shift: int = 0
    """What a gun is worth by itself; nothing where a die says it."""

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        return OneOf(self.battle.facts, self.guns, "22.6", self.others).bars(t, decision)

    def preview(self, t: Table[Ardennes44], decision: Decision, choice: Choice) -> Preview:
        battle = self.battle
        if self.shift and isinstance(choice, int):
            battle = replace(battle, shifts=[*battle.shifts, fired_by(battle.facts, choice)])
        return battle.preview()

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        return self.battle.subject()


@rule("22.7")
def offensive_support(t: Table[Ardennes44], battle: Battle) -> Play:
    """Up to two guns, a column to the right each."""
    p, facts = t.p, battle.facts
    for _ in range(OFFENSIVE):
        guns = offensive_guns(battle)
        if not guns:
            return
        question = WhichGuns(battle, union(guns), "cannot support this attack", shift=1)
        options: list[Choice] = [*guns, NONE]
        gun = yield Decision(
            battle.side, "Which guns support the attack?", options, "22.7", Kind.UNIT, about=question
        )
        if gun == NONE:
            return
        p.fired |= 1 << gun
        battle.shifts.append(fired_by(facts, gun))
        t.say("22.7", f"{facts.rows[gun].name} supports the attack.", units=(gun,))


@rule("22.8", "22.9", "29.2.1")
def defensive_support(t: Table[Ardennes44], battle: Battle) -> Play:
    """One gun, and a die for its effect. True if its fire stops the attack cold."""
    p, facts, side = t.p, battle.facts, other(battle.side)
    guns = [gun for gun in guns_in_range(battle, side) if p.where[gun] != battle.target]
    if side == ALLIED and p.turn == 1 and not p.night:
        guns = [gun for gun in guns if facts.rows[gun].id in FIRST_DAY_GUNS]
    if not guns:
        return False
    question = WhichGuns(battle, union(guns), "cannot support this defence")
    options: list[Choice] = [*guns, NONE]
    gun = yield Decision(side, "Do guns support the defence?", options, "22.8", Kind.UNIT, about=question)
    if gun == NONE:
        return False
    p.fired |= 1 << gun
    name = facts.rows[gun].name
    table = facts.dice["german_guns" if side == GERMAN else "allied_guns"]
    effect = table.result(t.roll("22.8", f"defensive fire of {name}"))
    if effect == "ToT":
        t.say("22.8", f"Time on Target: {name} stops the attack.", units=(gun,))
        return True
    if int(effect):
        battle.shifts.append(Modifier(name, -int(effect), "22.8", "column"))
    t.say("22.8", f"{name}: {effect} to the left.", units=(gun,))
    return False
