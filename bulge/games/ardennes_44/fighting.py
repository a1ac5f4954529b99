"""A battle from first to last: bridges, guns, the die, losses, retreat and advance (rules 14.4 and 16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import Choice, Decision, Kind, Modifier, Option, Play, Preview
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.advance import advance, breakthrough_group
from bulge.games.ardennes_44.air import jabos, offensive_air
from bulge.games.ardennes_44.allowance import held_back, in_good_order
from bulge.games.ardennes_44.artillery import defensive_support, offensive_support
from bulge.games.ardennes_44.bridges import FIRST_TURN, LEAVE, AboutBridges, sappers, test_ouren, try_to_blow
from bulge.games.ardennes_44.brigade import surprise
from bulge.games.ardennes_44.combat import Battle, armour_counts, column_name
from bulge.games.ardennes_44.counters import other
from bulge.games.ardennes_44.dumps import ask_to_destroy
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.holding import drop_vacant, held
from bulge.games.ardennes_44.limits import boundary, closed_to
from bulge.games.ardennes_44.losses import choose_loss, lose_step
from bulge.games.ardennes_44.position import Advantage, Ardennes44
from bulge.games.ardennes_44.questions import OneOf, Words
from bulge.games.ardennes_44.results import LIMITED, Outcome, outcome
from bulge.games.ardennes_44.retreats import retreat
from bulge.games.ardennes_44.situation import Situation

FIRE_FIGHT, ENGAGE, CALL_OFF, ATTACK, GIVE_WAY, FALL_BACK, STAY = (
    *("fire_fight", "engage", "call_off", "attack", "give_way", "fall_back"),
    "take_the_result",
)
MORALE = {"green": 1, "veteran": 0, "elite": -1}
FALLEN_BACK = {"D1": "DR4", "A1/D1": "A1/DR4", "DS": "DR4"}
"""What recon makes of a result (21.4)."""


@rule("14.4", "19.4.4")
def fight(t: Table[Ardennes44], battle: Battle) -> Play:
    """All steps of one battle."""
    p, facts = t.p, battle.facts
    called_off = yield from _bridges(t, battle)
    burnt = not called_off and (yield from ask_to_destroy(t, facts, battle.target))
    if called_off or (burnt and not Situation(facts, p).stack(battle.target)):
        p.target, p.attackers, p.along = -1, 0, 0
        return
    battle.s = Situation(facts, p)
    involved = union(battle.attackers) | p.along
    p.attacked |= involved
    p.engaged &= ~involved
    defenders = union(battle.defenders)
    p.defended |= defenders
    p.advanced = {}
    p.chain = p.chain + 1 if p.breakers else 1
    number, words = "14.1", f"{facts.names_of(p.attackers)} attack {facts.words(battle.target)}."
    if p.breakers:
        number, words = "19.4.2", f"Breakthrough, attack {p.chain} of the chain: {words}"
    t.say(number, words, spaces=(battle.target,), units=tuple(battle.attackers), kind="battle")
    yield from offensive_air(t, battle)
    yield from offensive_support(t, battle)
    stopped = yield from defensive_support(t, battle)
    if not stopped:
        jabos(t, battle)
        yield from surprise(t, battle)
    result = "A1" if stopped else roll(t, battle)
    breaks_through = yield from apply(t, battle, result)
    p.columns &= ~defenders
    p.target, p.attackers = -1, 0
    p.breakers = breakthrough_group(facts, p) & ~p.along if breaks_through else 0
    p.along = 0


# ---------------------------------------------------------------------- before the die


@rule("7.4", "7.6", "7.7", "14.4", "25.3.6")
def _bridges(t: Table[Ardennes44], battle: Battle) -> Play:
    """The defender may blow bridges that are attacked across; the attacker may then call it off."""
    p, facts, blown = t.p, battle.facts, False
    crossed = {p.where[unit] for unit in battle.attackers if facts.on_map(p.where[unit])}
    for hex_ in sorted(crossed):
        blown |= test_ouren(t, facts, battle.side, hex_, battle.target)
    numbers = {facts.ground.bridge_between(hex_, battle.target) for hex_ in crossed} - {-1}
    while p.turn >= FIRST_TURN:
        s, defender = Situation(facts, p), other(battle.side)
        able: list[Choice] = [
            facts.ground.side_of(number)
            for number in sorted(numbers)
            if not (p.blown | p.tried) >> number & 1 and sappers(s, defender, number)
        ]
        if not able:
            break
        prompt = "Blow a bridge before the attack?"
        question = AboutBridges(facts, defender)
        choice = yield Decision(defender, prompt, [*able, LEAVE], "7.4", Kind.SIDE, about=question)
        if choice == LEAVE:
            break
        went = yield from try_to_blow(t, facts, defender, facts.ground.bridge_number[choice], own_turn=False)
        blown |= went
    if not blown:
        return False
    said = Words(((ATTACK, "attack all the same"), (CALL_OFF, "call the attack off")))
    choice = yield Decision(battle.side, "The bridge is gone.", [ATTACK, CALL_OFF], "14.4", about=said)
    return choice == CALL_OFF


@rule("14.4", "14.5")
def roll(t: Table[Ardennes44], battle: Battle) -> str:
    """The odds with all shifts, then the die."""
    facts, attack, defence = battle.facts, battle.attack(), battle.defence()
    column = battle.column_of(attack, defence)
    odds = f"{attack} against {defence}, column {column_name(facts, column)}"
    if column < 0:
        t.say("14.5", f"{odds}: below the table.")
        return "A1"
    result = facts.combat.result(column, t.roll("14.4", f"{facts.words(battle.target)}: {odds}"))
    t.say("16.1", f"The result is {result}.", spaces=(battle.target,))
    return result


# ---------------------------------------------------------------------- results


@rule("15.8.4", "16.1", "16.2", "16.3")
def apply(t: Table[Ardennes44], battle: Battle, result: str) -> Play:
    """Losses, Determined Defense, retreat and advance, in this order. True if a breakthrough may follow."""
    p, facts, target = t.p, battle.facts, battle.target
    lead, shifted, held_before = -1, battle.shifting_tanks(), held(battle.s)
    guarded = [unit for unit in battle.defenders if facts.tanks >> unit & 1] if battle.armour_shift() < 0 else []
    happens = outcome(result)
    if happens.fire_fight is not None:
        result, lead = yield from fire_fight(t, battle, happens.fire_fight)
        happens = outcome(result)
    yield from _spend_advantage(t, battle, happens)
    result = yield from _recon(t, battle, result)
    happens = outcome(result)
    if happens.attacker:
        yield from attacker_loses(t, battle, lead, shifted if result == "EX" else [])
    if happens.defender:
        losers = guarded if result == "EX" and guarded else first_to_lose(facts, battle.defenders)
        yield from choose_loss(t, facts, other(battle.side), losers, "16.3", target)
        battle.s = Situation(facts, p)
    if happens.may_stand and battle.defenders:
        stands = yield from determined_defense(t, battle, shifted)
        if stands is not None:
            happens = stands
    battle.s = Situation(facts, p)
    if happens.retreat:
        _forget_advantages(p, target)
        yield from retreat(t, facts, battle.defenders, happens.retreat)
    elif happens.engaged:
        p.engaged |= union(battle.defenders)
    left = Situation(facts, p)
    drop_vacant(left, held_before)
    gone = not left.occupied[other(battle.side)] >> target & 1
    if happens.advance and gone:
        if happens.advance != LIMITED:
            _forget_advantages(p, target)
        yield from advance(t, facts, battle.side, p.attackers | p.along, happens.advance, target)
    return happens.breakthrough


@rule("16.3", "32.2")
def first_to_lose(facts: Facts, defenders: list[int]) -> list[int]:
    """Those who may take a loss: the guards of a dump only where nobody else is."""
    return [unit for unit in defenders if unit != facts.dump_unit] or defenders


@rule("16.3")
def attacker_loses(t: Table[Ardennes44], battle: Battle, lead: int, tanks: list[int]) -> Play:
    """The Lead Unit of a Fire Fight takes the loss; in an exchange, a tank that earned the shift."""
    p, facts = t.p, battle.facts
    if lead >= 0:
        lose_step(t, facts, lead, "16.3")
        return
    left = [tank for tank in tanks if p.attackers >> tank & 1]
    yield from choose_loss(t, facts, battle.side, left or members(p.attackers), "16.3", battle.target)


@rule("21.4")
def _recon(t: Table[Ardennes44], battle: Battle, result: str) -> Play:
    """Recon alone in its hex may fall back four hexes rather than lose a step. What attackers lose they lose."""
    facts, defenders = battle.facts, battle.defenders
    alone = bool(defenders) and not union(defenders) & ~facts.recon
    if not alone or result not in FALLEN_BACK:
        return result
    said = Words(((STAY, f"take {result}"), (FALL_BACK, f"fall back four hexes ({FALLEN_BACK[result]})")))
    choice = yield Decision(other(battle.side), "Recon may fall back", [STAY, FALL_BACK], "21.4", about=said)
    return FALLEN_BACK[result] if choice == FALL_BACK else result


# ---------------------------------------------------------------------- the Fire Fight


@rule("7.4", "16.2", "16.2.1")
def leads(battle: Battle) -> list[int]:
    """The attackers that may lead a Fire Fight: in Good Order, and able to advance into the hex."""
    p, facts = battle.s.p, battle.facts
    fit = in_good_order(p) & ~facts.guns & ~p.columns & ~held_back(facts, p)
    return [unit for unit in battle.attackers if fit >> unit & 1 and may_enter(battle, unit)]


def may_enter(battle: Battle, unit: int) -> bool:
    s, facts, target = battle.s, battle.facts, battle.target
    here = s.p.where[unit]
    if closed_to(s, unit) >> target & 1:
        return False
    if here in facts.blocked:
        return True
    if boundary(s, unit).between(here, target):
        return False
    return facts.way[unit] != "vehicle" or facts.ground.vehicles_cross(s.p.blown).between(here, target)


@rule("16.2", "16.2.1", "21.3")
def fire_fight_modifiers(battle: Battle, lead: int, extra: int = 0) -> list[Modifier]:
    """By the result, by the morale of the Lead Unit, and one less for good tanks where tanks count."""
    facts = battle.facts
    row = facts.rows[lead]
    best = max((facts.rows[unit].tq for unit in battle.defenders), default=0)
    tank = facts.tanks >> lead & 1 and row.tq_kind == "grey" and row.tq >= best
    lines = [
        Modifier("the result", extra, "16.2", "die"),
        Modifier(f"{row.name} is {row.morale}", MORALE[row.morale], "16.2.1", "die"),
        Modifier("tanks lead", -bool(tank and armour_counts(facts.ground, battle.target)), "21.3", "die"),
    ]
    return [line for line in lines if line.amount]


def fire_fight_modifier(battle: Battle, lead: int, extra: int = 0) -> int:
    return sum(line.amount for line in fire_fight_modifiers(battle, lead, extra))


@dataclass(frozen=True, slots=True)
class WhoLeads(Question):
    """Who leads the Fire Fight, at what chances."""

    battle: Battle
    able: int
    extra: int

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, words="no Fire Fight: the defenders are Engaged") if choice == ENGAGE else plain

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        rows, attackers = self.battle.facts.rows, union(self.battle.attackers)
        yield Bar(~attackers, "16.2.1", lambda unit: f"{rows[unit].name} does not take part in this attack")
        yield Bar(
            ~self.able, "16.2.1", lambda unit: f"{rows[unit].name} is shaken, or could not advance into the hex"
        )

    def preview(self, t: Table[Ardennes44], decision: Decision, choice: Choice) -> Preview:
        battle, facts = self.battle, self.battle.facts
        if not isinstance(choice, int):
            return Preview("Engaged", battle.attack(), battle.defence(), (), "", (("ENG", Fraction(1)),))
        lines = fire_fight_modifiers(battle, choice, self.extra)
        modifier = fire_fight_modifier(battle, choice, self.extra)
        results = [facts.dice["fire_fight"].result(die + modifier) for die in range(1, 7)]
        chances = tuple((result, Fraction(results.count(result), 6)) for result in dict.fromkeys(results))
        words = f"Fire Fight led by {facts.rows[choice].name}, who loses a step where attackers do"
        return Preview(words, battle.attack(), battle.defence(), tuple(lines), "", chances)

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        return self.battle.subject()


@rule("16.2", "16.2.1")
def fire_fight(t: Table[Ardennes44], battle: Battle, extra: int) -> Play:
    """The attacker settles for Engaged, or names a Lead Unit and rolls again. The result, and who led."""
    facts, able = battle.facts, leads(battle)
    if not able:
        return "ENG", -1
    question = WhoLeads(battle, union(able), extra)
    options: list[Choice] = [*able, ENGAGE]
    prompt = "Fire Fight: who leads? Or settle for Engaged"
    lead = yield Decision(battle.side, prompt, options, "16.2.1", Kind.UNIT, about=question)
    if lead == ENGAGE:
        return "ENG", -1
    modifier = fire_fight_modifier(battle, lead, extra)
    die = t.roll("16.2", f"Fire Fight led by {facts.rows[lead].name}, {modifier:+d}")
    result = facts.dice["fire_fight"].result(die + modifier)
    t.say("16.2", f"The Fire Fight gives {result}.", spaces=(battle.target,))
    return result, lead


# ---------------------------------------------------------------------- Determined Defense


@rule("12.5", "16.7", "16.7.1", "16.7.2", "16.7.3", "16.7.4")
def determined_defense(t: Table[Ardennes44], battle: Battle, shifted: list[int]) -> Play:
    """The defender may stand. What then happens instead, or None if the result stays as it was."""
    p, facts, side = t.p, battle.facts, other(battle.side)
    fit = in_good_order(p) & ~(facts.guns | facts.dump) & ~p.columns
    able = [unit for unit in battle.defenders if fit >> unit & 1]
    if not able:
        return None
    question = OneOf(facts, union(able), "16.7.1", "cannot lead the defence", battle.target)
    options: list[Choice] = [*able, GIVE_WAY]
    prompt = "Determined Defense: who leads? Or give way"
    lead = yield Decision(side, prompt, options, "16.7.1", Kind.UNIT, about=question)
    if lead == GIVE_WAY:
        return None
    _forget_advantages(p, battle.target)
    modifier = MORALE[facts.rows[lead].morale] - battle.bonus()
    die = t.roll("16.7", f"Determined Defense led by {facts.rows[lead].name}, {modifier:+d}")
    result = facts.dice["determined_defense"].result(die + modifier)
    t.say("16.7.3", f"Determined Defense: {result}.", spaces=(battle.target,))
    happens = outcome(result)
    if happens.defender:
        lose_step(t, facts, lead, "16.7.3")
        battle.s = Situation(facts, p)
    if happens.attacker:
        yield from attacker_loses(t, battle, -1, shifted)
    return None if result.startswith("No") else happens


# ---------------------------------------------------------------------- Attacker's Advantage


@rule("16.6")
def _spend_advantage(t: Table[Ardennes44], battle: Battle, happens: Outcome) -> Play:
    """Markers that pointed here are used up; an ENG+ lays one on a stack of the attacker's choice."""
    p, used = t.p, union(battle.attackers)
    p.advantages = [mark for mark in p.advantages if mark.target != battle.target or not bearers(p, mark) & used]
    if not happens.advantage:
        return
    spaces: list[Choice] = sorted({p.where[unit] for unit in battle.attackers})
    hex_ = spaces[0]
    if len(spaces) > 1:
        prompt = "Which stack has the Attacker's Advantage?"
        hex_ = yield Decision(battle.side, prompt, spaces, "16.6", Kind.SPACE)
    units = union([unit for unit in battle.attackers if p.where[unit] == hex_])
    p.advantages.append(Advantage(units, int(hex_), battle.target))


@rule("16.6")
def bearers(p: Ardennes44, mark: Advantage) -> int:
    """The units under an Attacker's Advantage marker: of those it was given to, who has not left its hex."""
    return union([unit for unit in members(mark.units) if p.where[unit] == mark.hex_])


def _forget_advantages(p: Ardennes44, hex_: int) -> None:
    """A stack that suffers a retreat result loses its own marker."""
    p.advantages = [mark for mark in p.advantages if mark.hex_ != hex_]


@rule("16.6")
def prune_advantages(facts: Facts, p: Ardennes44, side: str) -> None:
    """As a Combat Phase begins, whoever has left a marker's hex is not under it any more; markers go that nobody
    is left under, or whose target is vacant."""
    enemies, mine, kept = Situation(facts, p).occupied[other(side)], facts.of_side[side], []
    for mark in p.advantages:
        if not mark.units & mine:
            kept.append(mark)
        elif (left := bearers(p, mark)) and enemies >> mark.target & 1:
            kept.append(Advantage(left, mark.hex_, mark.target))
    p.advantages = kept
