"""The combat phases: naming an attack, the answers to it, and the die (rules 13.1 to 13.8, 13.14, 13.23, 14.2)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.the_bulge.airlift import AIRLIFT, may_airlift, offer_airlift
from bulge.games.the_bulge.battle import (
    ARDOR_COLUMNS,
    Battle,
    able,
    air_available,
    automatic,
    column,
    complete,
    targets,
    vaks_in_range,
)
from bulge.games.the_bulge.facts import ALLIED, GERMAN, Facts
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.results import advance, apply_result, open_hexes, retreat
from bulge.games.the_bulge.situation import Situation
from bulge.games.the_bulge.stacking import remove_excess

ATTACK, NO_SUPPORT, FLY, NO_AIR = "attack", "no_support", "air_support", "no_air_support"
EVADE, STAND = "retreat_before_combat", "stand"
ARDOR = "ardor"


@rule("13.1", "13.7")
def combat_phase(t: Table[BulgePosition], facts: Facts, side: str, before_movement: bool) -> Play:
    """Attacks are optional and made one after the other, in any order."""
    p = t.p
    s = Situation(facts, p)
    while True:
        options: list[Choice] = [*targets(facts, s, side), DONE]
        if side == ALLIED and may_airlift(facts, s):
            options.append(AIRLIFT)
        target = yield Decision(
            side, "Attack a hex, or end the combat phase", options, "13.1", Kind.SPACE, top=True
        )
        if target == DONE:
            break
        if target == AIRLIFT:
            yield from offer_airlift(t, facts, s, facts.allied_units, asked_for=True)
            continue
        battle = Battle(side, target, before_movement)
        yield from _name_attackers(facts, s, battle)
        yield from _support_fire(facts, s, battle)
        yield from _fight(t, facts, s, battle)
        s = yield from remove_excess(t, facts, s.now())
    p.attacked = p.defended = p.retreated = 0


@rule("13.4", "13.6", "13.24")
def _name_attackers(facts: Facts, s: Situation, battle: Battle) -> Play:
    """One unit after the other, as many as the attacker likes; US and British do not mix."""
    found = able(facts, s, battle)
    while True:
        options: list[Choice] = [*found]
        if complete(facts, battle):
            options.append(ATTACK)
        if options == [ATTACK]:
            return
        prompt = f"Who attacks {facts.board.name(battle.target)}?"
        unit = yield Decision(battle.side, prompt, options, "13.4", Kind.UNIT, about=battle)
        if unit == ATTACK:
            return
        battle.attackers.append(unit)
        found = [other for other in found if other != unit and facts.british(other) == facts.british(unit)]


def _support_fire(facts: Facts, s: Situation, battle: Battle) -> Play:
    """One artillery corps at most may add its factor (14.7)."""
    if vaks := vaks_in_range(facts, s, battle):
        options: list[Choice] = [*vaks, NO_SUPPORT]
        vak = yield Decision(
            battle.side, "Does an artillery corps fire?", options, "14.7", Kind.UNIT, about=battle
        )
        if vak != NO_SUPPORT:
            battle.vak = vak


def _fight(t: Table[BulgePosition], facts: Facts, s: Situation, battle: Battle) -> Play:
    yield from _airlift_before_battle(t, facts, s, battle)
    defenders = s.stack(battle.target)
    _mark_as_used(t.p, battle, defenders)
    if (yield from _retreats_before_combat(t, facts, s, battle, defenders)):
        yield from advance(t, facts, s, battle)
        return
    if automatic(facts, s, battle):
        t.say("14.7", "The artillery corps is overrun.", spaces=(battle.target,))
        yield from apply_result(t, facts, s, battle, "DE")
        return
    yield from _air_support(t, facts, s, battle)
    chosen, ardor = yield from _choose_column(facts, s, battle)
    result = _roll(t, facts, battle, chosen, ardor)
    yield from apply_result(t, facts, s, battle, result)


def _mark_as_used(p: BulgePosition, battle: Battle, defenders: list[int]) -> None:
    for unit in battle.attackers:
        p.attacked |= 1 << unit
    if battle.vak is not None:
        p.attacked |= 1 << battle.vak
    for unit in defenders:
        p.defended |= 1 << unit


def _airlift_before_battle(t: Table[BulgePosition], facts: Facts, s: Situation, battle: Battle) -> Play:
    """Aerial supply may be committed at any instant: before the supply of a battle is judged, it is offered."""
    involved = battle.attackers if battle.side == ALLIED else s.stack(battle.target)
    yield from offer_airlift(t, facts, s, among=involved)


@rule("14.2")
def _retreats_before_combat(
    t: Table[BulgePosition], facts: Facts, s: Situation, battle: Battle, defenders: list[int]
) -> Play:
    """A supplied US cavalry regiment, alone, may slip away from an attack without supplied mechanized units."""
    if len(defenders) != 1 or facts.special[defenders[0]] != "cavalry" or not s.overland(defenders[0]):
        return False
    if any(facts.mechanized[unit] and s.in_supply(unit) for unit in battle.attackers):
        return False
    if not open_hexes(facts, s, defenders[0], battle.target) & ~facts.wall:
        return False
    name = facts.rows[defenders[0]].name
    prompt = f"{name} is attacked: retreat before combat?"
    choice = yield Decision(ALLIED, prompt, [EVADE, STAND], "14.2", about=battle)
    if choice == STAND:
        return False
    t.say("14.2", f"{name} retreats before combat.", units=(defenders[0],))
    yield from retreat(t, facts, s, ALLIED, battle.target, defenders, not_into=facts.wall)
    return True


def _air_support(t: Table[BulgePosition], facts: Facts, s: Situation, battle: Battle) -> Play:
    """From Turn 8 the Allied player may fly one marker in any battle (15.1)."""
    if not air_available(facts, s, battle):
        return
    prompt = f"Fly air support over {facts.board.name(battle.target)}?"
    choice = yield Decision(ALLIED, prompt, [FLY, NO_AIR], "15.1", about=battle)
    if choice == FLY:
        battle.air = True
        t.p.air_strikes += 1
        t.say("15.1", "Allied aircraft support the battle.", spaces=(battle.target,))


@rule("13.14", "13.23")
def _choose_column(facts: Facts, s: Situation, battle: Battle) -> Play:
    """The attacker may take a lower column; a German on the three lowest may swear not to stop at a stall."""
    headings = facts.crt.columns
    options: list[Choice] = []
    for number in range(column(facts, s, battle), -1, -1):
        options.append(headings[number])
        if battle.side == GERMAN and number < ARDOR_COLUMNS:
            options.append(f"{headings[number]} {ARDOR}")
    choice = yield Decision(battle.side, "Roll on which column?", options, "13.14", about=battle)
    return read_column(facts, str(choice))


def read_column(facts: Facts, choice: str) -> tuple[int, bool]:
    """The column that an option names, and whether it is with ardor."""
    heading, _, ardor = choice.partition(" ")
    return facts.crt.columns.index(heading), bool(ardor)


@rule("13.8", "13.23")
def _roll(t: Table[BulgePosition], facts: Facts, battle: Battle, chosen: int, ardor: bool) -> str:
    name, heading = facts.board.name(battle.target), facts.crt.columns[chosen]
    while True:
        die = t.roll("13.8", f"attack on {name}, column {heading}")
        result = facts.crt.result(chosen, die)
        t.say("13.8", f"The attack on {name} by {_list(facts, battle)} gives {result}.", spaces=(battle.target,))
        if not ardor or result != "AS":
            return result
        t.say("13.23", "National Socialist ardor: the attack goes on.")


def _list(facts: Facts, battle: Battle) -> str:
    return ", ".join(facts.rows[unit].name for unit in battle.attackers)
