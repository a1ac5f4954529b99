"""The combat phases: naming an attack, the answers to it, and the die (rules 13.1 to 13.8, 13.14, 13.23, 14.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import partial
from typing import Any

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview, Role
from bulge.core.question import Barred
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.hexes.attackers import name_attackers
from bulge.games.the_bulge.airlift import AIRLIFT, NO_AIRLIFT, needy, offer_airlift
from bulge.games.the_bulge.battle import ARDOR_COLUMNS, Battle, may_not_attack, targets
from bulge.games.the_bulge.facts import ALLIED, GERMAN, Facts
from bulge.games.the_bulge.movement import remove_excess
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.results import advance, apply_result, open_hexes, retreat
from bulge.games.the_bulge.situation import Situation

NO_SUPPORT, FLY, NO_AIR = "no_support", "air_support", "no_air_support"
EVADE, STAND = "retreat_before_combat", "stand"
ARDOR = "ardor"


@rule("13.1", "13.7")
def combat_phase(t: Table[BulgePosition], facts: Facts, side: str, before_movement: bool) -> Play:
    """Attacks are optional and made one after the other, in any order."""
    p = t.p
    s = Situation(facts, p)
    prompt = "Attack a hex, or end the combat phase"
    role: Role = "end" if before_movement else "end_turn"
    while True:
        options: list[Choice] = [*targets(s, side), DONE]
        if side == ALLIED and needy(s, facts.allied_units):
            options.append(AIRLIFT)
        about = Barred(partial(may_not_attack, s, side), over="end the phase", role=role, refused=NO_AIRLIFT)
        target = yield Decision(side, prompt, options, "13.1", Kind.SPACE, top=True, about=about)
        if target == DONE:
            break
        if target == AIRLIFT:
            yield from offer_airlift(t, s, facts.allied_units, asked_for=True)
            continue
        battle = Battle(s, side, target, before_movement)
        yield from _name_attackers(battle)
        yield from _support_fire(battle)
        yield from _fight(t, battle)
        s = yield from remove_excess(t, battle.s.now())
    p.attacked = p.defended = p.retreated = 0


@rule("13.4", "13.6")
def _name_attackers(battle: Battle) -> Play:
    """One unit after the other, as many as the attacker likes; the column is asked for before any die."""
    where, near = battle.s.p.where, battle.facts.board.next_to(battle.target)
    able = battle.facts.attackers_of[battle.side]
    beside = union([unit for unit in able if where[unit] >= 0 and near >> where[unit] & 1])
    prompt, bars = f"Who attacks {battle.name}?", battle.may_not_join
    yield from name_attackers(battle, battle.side, beside, bars, prompt=prompt, rule="13.4", confirm=False)


# ---------------------------------------------------------------------- what comes between


class InBattle(Barred):
    """A question in the middle of a battle; it shows the odds with each answer."""

    def __init__(
        self,
        battle: Battle,
        answered: Callable[[Battle, Any], Battle | None],
        shut: Callable[[], Iterable[Bar]] = tuple,
    ) -> None:
        """`answered` makes the battle what it is with an answer; None where there is none then."""
        super().__init__(shut, [battle.target], battle.attackers)
        self.battle, self.answered = battle, answered

    def preview(self, t: Table[BulgePosition], decision: Decision, choice: Choice) -> Preview | None:
        seen = self.answered(copy(self.battle), choice)
        return seen.odds() if seen else None


def _support_fire(battle: Battle) -> Play:
    """One artillery corps at most may add its factor (14.7)."""
    if vaks := battle.vaks_in_range():
        options: list[Choice] = [*vaks, NO_SUPPORT]
        prompt, about = "Does an artillery corps fire?", InBattle(battle, _fired, battle.may_not_fire)
        _fired(battle, (yield Decision(battle.side, prompt, options, "14.7", Kind.UNIT, about=about)))


def _fired(battle: Battle, vak: Choice) -> Battle:
    battle.vak = vak if isinstance(vak, int) else -1
    return battle


def _fight(t: Table[BulgePosition], battle: Battle) -> Play:
    s = battle.s
    defenders = s.stack(battle.target)
    # Aerial supply may be committed at any instant: it is offered before the supply of a battle is judged (7.5).
    yield from offer_airlift(t, s, among=battle.attackers if battle.side == ALLIED else defenders)
    t.p.attacked |= union([*battle.attackers, battle.vak])
    t.p.defended |= union(defenders)
    if (yield from _retreats_before_combat(t, battle, defenders)):
        yield from advance(t, battle)
        return
    if battle.automatic():
        t.say("14.7", _overrun(battle, defenders), spaces=(battle.target,), kind="battle")
        yield from apply_result(t, battle, "DE")
        return
    yield from _air_support(t, battle)
    yield from _choose_column(battle)
    yield from apply_result(t, battle, _roll(t, battle))


@rule("14.2")
def _retreats_before_combat(t: Table[BulgePosition], battle: Battle, defenders: list[int]) -> Play:
    """A supplied US cavalry regiment, alone, may slip away from an attack without supplied mechanized units."""
    s, facts, cavalry = battle.s, battle.facts, defenders[0]
    if len(defenders) != 1 or facts.special[cavalry] != "cavalry" or not s.overland(cavalry):
        return False
    if any(facts.mechanized[unit] and s.in_supply(unit) for unit in battle.attackers):
        return False
    if not open_hexes(s, cavalry, battle.target) & ~facts.wall:
        return False
    name = facts.rows[cavalry].name
    prompt = f"{name} is attacked: retreat before combat?"
    about = InBattle(battle, lambda seen, answer: seen if answer == STAND else None)
    choice = yield Decision(ALLIED, prompt, [EVADE, STAND], "14.2", about=about)
    if choice == STAND:
        return False
    t.say("14.2", f"{name} retreats before combat.", units=(cavalry,))
    yield from retreat(t, s, ALLIED, battle.target, defenders, not_into=facts.wall)
    return True


def _air_support(t: Table[BulgePosition], battle: Battle) -> Play:
    """From Turn 8 the Allied player may fly one marker in any battle (15.1)."""
    if not battle.air_available():
        return
    prompt = f"Fly air support over {battle.name}?"
    about = InBattle(battle, _flown)
    if _flown(battle, (yield Decision(ALLIED, prompt, [FLY, NO_AIR], "15.1", about=about))).air:
        t.p.air_strikes += 1
        t.say("15.1", "Allied aircraft support the battle.", spaces=(battle.target,))


def _flown(battle: Battle, answer: str) -> Battle:
    battle.air = answer == FLY
    return battle


# ---------------------------------------------------------------------- the column and the die


@rule("13.14", "13.23")
def _choose_column(battle: Battle) -> Play:
    """The attacker may take a lower column; a German on the three lowest may swear not to stop at a stall."""
    headings = battle.facts.crt.columns
    options: list[Choice] = []
    for number in range(battle.column(), -1, -1):
        options.append(headings[number])
        if battle.side == GERMAN and number < ARDOR_COLUMNS:
            options.append(f"{headings[number]} {ARDOR}")
    about = WhichColumn(battle, _settled)
    _settled(battle, (yield Decision(battle.side, "Roll on which column?", options, "13.14", about=about)))


class WhichColumn(InBattle):
    def option(self, t: Table[BulgePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        words = f"column {str(choice).replace(ARDOR, 'with ardor: a stall is rolled again')}"
        return replace(plain, words=words, role="strike", rolls=True)


def _settled(battle: Battle, choice: str) -> Battle:
    """On the column that an option names, and with ardor if it says so."""
    heading, _, ardor = choice.partition(" ")
    battle.chosen, battle.ardor = battle.facts.crt.columns.index(heading), bool(ardor)
    return battle


def _overrun(battle: Battle, defenders: list[int]) -> str:
    corps, by = (battle.facts.roster.list(units) for units in (defenders, battle.attackers))
    return f"{corps}, alone in {battle.name}, {'is' if len(defenders) == 1 else 'are'} overrun by {by}."


@rule("13.8", "13.23")
def _roll(t: Table[BulgePosition], battle: Battle) -> str:
    crt, on, name, by = battle.facts.crt, battle.column(), battle.name, battle.facts.roster.list(battle.attackers)
    while True:
        die = t.roll("13.8", f"attack on {name}, column {crt.columns[on]}")
        result = crt.result(on, die)
        t.say("13.8", f"The attack on {name} by {by} gives {result}.", spaces=(battle.target,))
        if not battle.ardor or result != "AS":
            return result
        t.say("13.23", "National Socialist ardor: the attack goes on.")
