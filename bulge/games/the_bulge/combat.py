"""The combat phases: naming an attack, the answers to it, and the die (rules 13.1 to 13.8, 13.14, 13.23, 14.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview, Refusal
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.hexes.attackers import name_attackers
from bulge.games.the_bulge.airlift import AIRLIFT, may_airlift, offer_airlift, why_no_airlift
from bulge.games.the_bulge.battle import (
    ARDOR_COLUMNS,
    Battle,
    air_available,
    automatic,
    column,
    may_not_attack,
    may_not_fire,
    may_not_join,
    preview,
    targets,
    vaks_in_range,
)
from bulge.games.the_bulge.facts import ALLIED, GERMAN, Facts
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.results import advance, apply_result, open_hexes, retreat
from bulge.games.the_bulge.situation import Situation
from bulge.games.the_bulge.stacking import remove_excess

NO_SUPPORT, FLY, NO_AIR = "no_support", "air_support", "no_air_support"
EVADE, STAND = "retreat_before_combat", "stand"
ARDOR = "ardor"


@rule("13.1", "13.7")
def combat_phase(t: Table[BulgePosition], facts: Facts, side: str, before_movement: bool) -> Play:
    """Attacks are optional and made one after the other, in any order."""
    p = t.p
    s = Situation(facts, p)
    prompt = "Attack a hex, or end the combat phase"
    while True:
        options: list[Choice] = [*targets(s, side), DONE]
        if side == ALLIED and may_airlift(s):
            options.append(AIRLIFT)
        about = WhichHex(s, before_movement)
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


@dataclass
class WhichHex(Question):
    """Which hex is attacked next."""

    s: Situation
    before_movement: bool

    def option(self, t: Table[BulgePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice != DONE:
            return plain
        return replace(plain, words="end the phase", role="end" if self.before_movement else "end_turn")

    def bars(self, t: Table[BulgePosition], decision: Decision) -> Iterator[Bar]:
        return may_not_attack(self.s, decision.side)

    def why_not_word(self, t: Table[BulgePosition], decision: Decision, word: str) -> Refusal | None:
        return why_no_airlift(word)


@rule("13.4", "13.6")
def _name_attackers(battle: Battle) -> Play:
    """One unit after the other, as many as the attacker likes; the column is asked for before any die."""
    where, near = battle.s.p.where, battle.facts.board.next_to(battle.target)
    able = battle.facts.attackers_of[battle.side]
    beside = union([unit for unit in able if where[unit] >= 0 and near >> where[unit] & 1])
    prompt, bars = f"Who attacks {battle.name}?", partial(may_not_join, battle)
    yield from name_attackers(battle, beside, bars, prompt=prompt, rule="13.4", confirm=False)


# ---------------------------------------------------------------------- what comes between


@dataclass
class InBattle(Question):
    """A question in the middle of a battle; it shows the odds with each answer."""

    battle: Battle

    def with_answer(self, choice: Choice) -> Battle | None:
        """The battle as it would be; None where there would be none."""
        return self.battle

    def preview(self, t: Table[BulgePosition], decision: Decision, choice: Choice) -> Preview | None:
        battle = self.with_answer(choice)
        return preview(battle) if battle else None

    def subject(self, t: Table[BulgePosition], decision: Decision) -> Subject:
        return self.battle.subject(t, decision)


class Support(InBattle):
    def with_answer(self, choice: Choice) -> Battle:
        return self.battle if isinstance(choice, str) else self.battle.supported(choice, self.battle.air)

    def bars(self, t: Table[BulgePosition], decision: Decision) -> Iterator[Bar]:
        return may_not_fire(self.battle)


def _support_fire(battle: Battle) -> Play:
    """One artillery corps at most may add its factor (14.7)."""
    if vaks := vaks_in_range(battle):
        options: list[Choice] = [*vaks, NO_SUPPORT]
        prompt = "Does an artillery corps fire?"
        vak = yield Decision(battle.side, prompt, options, "14.7", Kind.UNIT, about=Support(battle))
        if vak != NO_SUPPORT:
            battle.vak = vak


def _fight(t: Table[BulgePosition], battle: Battle) -> Play:
    s = battle.s
    defenders = s.stack(battle.target)
    # Aerial supply may be committed at any instant: it is offered before the supply of a battle is judged (7.5).
    yield from offer_airlift(t, s, among=battle.attackers if battle.side == ALLIED else defenders)
    _mark_as_used(t.p, battle, defenders)
    if (yield from _retreats_before_combat(t, battle, defenders)):
        yield from advance(t, battle)
        return
    if automatic(battle):
        t.say("14.7", _overrun(battle, defenders), spaces=(battle.target,), kind="battle")
        yield from apply_result(t, battle, "DE")
        return
    yield from _air_support(t, battle)
    chosen, ardor = yield from _choose_column(battle)
    yield from apply_result(t, battle, _roll(t, battle, chosen, ardor))


def _mark_as_used(p: BulgePosition, battle: Battle, defenders: list[int]) -> None:
    for unit in battle.attackers:
        p.attacked |= 1 << unit
    if battle.vak is not None:
        p.attacked |= 1 << battle.vak
    for unit in defenders:
        p.defended |= 1 << unit


class Evasion(InBattle):
    def with_answer(self, choice: Choice) -> Battle | None:
        return self.battle if choice == STAND else None


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
    choice = yield Decision(ALLIED, prompt, [EVADE, STAND], "14.2", about=Evasion(battle))
    if choice == STAND:
        return False
    t.say("14.2", f"{name} retreats before combat.", units=(cavalry,))
    yield from retreat(t, s, ALLIED, battle.target, defenders, not_into=facts.wall)
    return True


class AirSupport(InBattle):
    def with_answer(self, choice: Choice) -> Battle:
        return self.battle.supported(self.battle.vak, choice == FLY)


def _air_support(t: Table[BulgePosition], battle: Battle) -> Play:
    """From Turn 8 the Allied player may fly one marker in any battle (15.1)."""
    if not air_available(battle):
        return
    prompt = f"Fly air support over {battle.name}?"
    choice = yield Decision(ALLIED, prompt, [FLY, NO_AIR], "15.1", about=AirSupport(battle))
    if choice == FLY:
        battle.air = True
        t.p.air_strikes += 1
        t.say("15.1", "Allied aircraft support the battle.", spaces=(battle.target,))


# ---------------------------------------------------------------------- the column and the die


class Columns(InBattle):
    """On which column the die is rolled."""

    def option(self, t: Table[BulgePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        words = f"column {str(choice).replace(ARDOR, 'with ardor: a stall is rolled again')}"
        return replace(plain, words=words, role="strike", rolls=True)

    def preview(self, t: Table[BulgePosition], decision: Decision, choice: Choice) -> Preview:
        chosen, ardor = read_column(self.battle.facts, str(choice))
        return preview(self.battle, chosen, ardor=ardor)


@rule("13.14", "13.23")
def _choose_column(battle: Battle) -> Play:
    """The attacker may take a lower column; a German on the three lowest may swear not to stop at a stall."""
    headings = battle.facts.crt.columns
    options: list[Choice] = []
    for number in range(column(battle), -1, -1):
        options.append(headings[number])
        if battle.side == GERMAN and number < ARDOR_COLUMNS:
            options.append(f"{headings[number]} {ARDOR}")
    choice = yield Decision(battle.side, "Roll on which column?", options, "13.14", about=Columns(battle))
    return read_column(battle.facts, str(choice))


def read_column(facts: Facts, choice: str) -> tuple[int, bool]:
    """The column that an option names, and whether it is with ardor."""
    heading, _, ardor = choice.partition(" ")
    return facts.crt.columns.index(heading), bool(ardor)


def _overrun(battle: Battle, defenders: list[int]) -> str:
    rows, where = battle.facts.rows, battle.facts.board.name(battle.target)
    attackers, corps = (", ".join(rows[unit].name for unit in units) for units in (battle.attackers, defenders))
    return f"{corps}, alone in {where}, {'is' if len(defenders) == 1 else 'are'} overrun by {attackers}."


@rule("13.8", "13.23")
def _roll(t: Table[BulgePosition], battle: Battle, chosen: int, ardor: bool) -> str:
    crt, name = battle.facts.crt, battle.name
    while True:
        die = t.roll("13.8", f"attack on {name}, column {crt.columns[chosen]}")
        result = crt.result(chosen, die)
        by = battle.facts.roster.list(battle.attackers)
        t.say("13.8", f"The attack on {name} by {by} gives {result}.", spaces=(battle.target,))
        if not ardor or result != "AS":
            return result
        t.say("13.23", "National Socialist ardor: the attack goes on.")
