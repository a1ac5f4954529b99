"""The combat phases: naming an attack, the choices before the die, and the die (rules 9, 10.0 and 11.0)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.core.tables import ResultsTable
from bulge.games.ardennes_offensive.battle import (
    Battle,
    able,
    columns_to_choose,
    hexes_of,
    may_stand,
    ready,
    table_for,
    targets,
)
from bulge.games.ardennes_offensive.facts import GERMAN, Facts, other
from bulge.games.ardennes_offensive.first_turn import Duties
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.results import apply_result
from bulge.games.ardennes_offensive.situation import Situation

ATTACK, ROLL = "attack", "roll"


@rule("9.0", "9.1B", "4.2")
def combat_phase(t: Table[ArdennesPosition], facts: Facts, side: str) -> Play:
    """Attacks are optional, but for the Germans on the first turn, and made one after the other."""
    p = t.p
    s = Situation(facts, p)
    while True:
        open_ = targets(facts, s, side, ready(facts, s, side))
        duties = Duties(facts, s) if side == GERMAN and p.turn == 1 else None
        if not open_:
            break
        options: list[Choice] = [*members(open_)]
        prompt = "Attack a hex, or end the combat phase"
        if duties is None:
            options.append(DONE)
        else:
            prompt = f"Attack a hex: on the first turn {duties} must still fight"
        target = yield Decision(side, prompt, options, "9.0", Kind.SPACE, top=True)
        if target == DONE:
            break
        battle = Battle(side, [target])
        yield from _add_hexes(facts, s, battle, open_, duties)
        yield from _name_attackers(facts, s, battle, duties)
        yield from _fight(t, facts, s, battle)
        s = s.now()
    p.defended = p.retreated = p.joined = 0


@rule("9.2D")
def _add_hexes(facts: Facts, s: Situation, battle: Battle, open_: int, duties: Duties | None) -> Play:
    """One attack may be on several hexes, if all who make it are next to all of them."""
    while True:
        near = 0
        for unit in able(facts, s, battle):
            near |= facts.board.next_to(s.p.where[unit])
        more = [hex_ for hex_ in members(near & open_) if hex_ not in battle.targets]
        done = True
        if duties is not None:
            here = union(battle.targets)
            more = [hex_ for hex_ in more if duties.extendable(here | 1 << hex_)]
            done = duties.completable(here, set())
        if not more:
            return
        options: list[Choice] = [*more, DONE] if done else [*more]
        prompt = f"Attack another hex together with {_names(facts, battle)}?"
        hex_ = yield Decision(battle.side, prompt, options, "9.2D", Kind.SPACE, about=battle)
        if hex_ == DONE:
            return
        battle.targets.append(hex_)


@rule("9.1A", "9.1B", "9.2E", "9.2G", "E4.2")
def _name_attackers(facts: Facts, s: Situation, battle: Battle, duties: Duties | None) -> Play:
    """One unit after the other, as many as the attacker likes; on the first turn, so that nobody is left out."""
    found = able(facts, s, battle)
    here = union(battle.targets)
    while True:
        chosen = set(battle.attackers)
        options: list[Choice] = [
            unit
            for unit in found
            if unit not in chosen and (duties is None or duties.completable(here, chosen | {unit}))
        ]
        if chosen and (duties is None or duties.fulfilled_by(here, chosen)):
            options.append(ATTACK)
        if options == [ATTACK] and len(columns_to_choose(facts, s, battle)) > 1:
            return  # the odds are asked for next, and that commits
        prompt = f"Who attacks {_names(facts, battle)}?"
        if options == [ATTACK]:
            prompt = f"Attack {_names(facts, battle)} now?"
        unit = yield Decision(battle.side, prompt, options, "9.1A", Kind.UNIT, about=battle)
        if unit == ATTACK:
            return
        battle.attackers.append(unit)


def _fight(t: Table[ArdennesPosition], facts: Facts, s: Situation, battle: Battle) -> Play:
    table = table_for(facts, s, battle.side)
    battle.chosen = chosen = yield from _choose_odds(facts, s, battle, table)
    defenders = [unit for hex_ in battle.targets for unit in s.stack(hex_)]
    _mark_as_used(t.p, battle, defenders)
    possible = {row[chosen][:2] for row in table.rows}
    stand = yield from _waive(facts, s, other(battle.side), defenders, "Dr" in possible, battle)
    stand |= yield from _waive(facts, s, battle.side, battle.attackers, "Ar" in possible, battle)
    result = _roll(t, facts, battle, table, chosen)
    yield from apply_result(t, facts, s, battle, defenders, stand, result)


@rule("9.4L", "E9.4L")
def _choose_odds(facts: Facts, s: Situation, battle: Battle, table: ResultsTable) -> Play:
    columns = columns_to_choose(facts, s, battle)
    if len(columns) == 1:
        return columns[0]
    options: list[Choice] = [table.columns[number] for number in columns]
    prompt = f"Attack at {options[0]}, or at lower odds?"
    choice = yield Decision(battle.side, prompt, options, "9.4L", about=battle)
    return table.columns.index(choice)


@rule("6.7L", "9.1C")
def _mark_as_used(p: ArdennesPosition, battle: Battle, defenders: list[int]) -> None:
    for unit in battle.attackers:
        p.attacked |= 1 << unit
    for unit in defenders:
        p.defended |= 1 << unit
    for unit in (*battle.attackers, *defenders):
        p.fought_on_road |= p.road & 1 << unit


@rule("11.0", "E11.0")
def _waive(facts: Facts, s: Situation, side: str, units: list[int], matters: bool, battle: Battle) -> Play:
    """Before the die, a player may give up that his units in towns, or in the West Wall, ignore a retreat."""
    where = s.p.where
    sheltered = [unit for unit in units if may_stand(facts, unit, where[unit])]
    hexes = hexes_of(where, sheltered) if matters else []
    while hexes:
        names = ", ".join(facts.map.words(hex_) for hex_ in hexes)
        prompt = f"Units in {names} ignore a retreat. Give that up, before the die?"
        options: list[Choice] = [*hexes, ROLL]
        hex_ = yield Decision(side, prompt, options, "E11.0", Kind.SPACE, about=battle)
        if hex_ == ROLL:
            break
        hexes.remove(hex_)
    return {unit for unit in sheltered if where[unit] in hexes}


@rule("9.0", "10.0")
def _roll(t: Table[ArdennesPosition], facts: Facts, battle: Battle, table: ResultsTable, chosen: int) -> str:
    names = _names(facts, battle)
    die = t.roll("10.0", f"attack on {names}, odds {table.columns[chosen]}")
    result = table.result(chosen, die)
    attackers = ", ".join(facts.rows[unit].name for unit in battle.attackers)
    t.say("10.0", f"The attack on {names} by {attackers} gives {result}.", spaces=tuple(battle.targets))
    return result


def _names(facts: Facts, battle: Battle) -> str:
    return " and ".join(facts.map.words(hex_) for hex_ in battle.targets)
