"""Combat in The Ford (rules 6 and 7.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Modifier, Option, Play, Preview, Refusal, settle
from bulge.core.frames import call
from bulge.core.look import Subject
from bulge.core.question import Barred, Question
from bulge.core.retreat import prefer
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ford.cards import support_card
from bulge.games.ford.facts import GONE, NO_CHIT, Facts, FordPosition, Pursuit, other

FIGHT, PLAY, KEEP, STAND = "fight", "play_support", "keep_support", "stand"


# ---------------------------------------------------------------------- which hex, by whom (6.1)


def combat_step(facts: Facts, t: Table[FordPosition], side: str, then: str) -> Play:
    """Attacks one after the other, in any order (6.1): after each, this step again."""
    p, prompt = t.p, "Attack a hex, or end your combat"
    options: list[Choice] = [*members(targets(facts, p, side)), DONE]
    about = Barred(partial(no_targets, facts, p, side), over="end the turn", role="end_turn")
    target = yield Decision(side, prompt, options, "6.1", Kind.SPACE, top=True, about=about)
    if target == DONE:
        p.attacked = p.assaulted = 0
        return then
    battle = Battle(facts, side, target, [])
    yield from _gather(facts, p, battle)
    return (yield from fight(t, battle, then=p.step))


def targets(facts: Facts, p: FordPosition, side: str) -> int:
    """The enemy hexes that may still be attacked."""
    return open_to(facts.occupied(p, other(side)), no_targets(facts, p, side))


@rule("6.1")
def no_targets(facts: Facts, p: FordPosition, side: str) -> Iterator[Bar]:
    """Hexes that may not be attacked now."""
    mine = facts.side_units(p, side)
    fresh = union([p.where[u] for u in mine if not p.attacked >> u & 1])
    yield Bar(~facts.occupied(p, other(side)), "6.1", "no enemy unit is there")
    yield Bar(p.assaulted, "6.1", "it has been attacked already this turn")
    yield Bar(~facts.board.around(facts.occupied(p, side)), "6.1", "none of your units is next to it")
    yield Bar(~facts.board.around(fresh), "6.1", "every unit of yours next to it has attacked already")


def _gather(facts: Facts, p: FordPosition, battle: Battle) -> Play:
    """Name the attackers, one at a time."""
    while True:
        able = members(open_to(facts.sets[battle.side], may_not_join(battle, p)))
        options: list[Choice] = [*able, FIGHT] if battle.attackers else [*able]
        chosen = yield Decision(battle.side, "Who attacks?", options, "6.1", Kind.UNIT, about=battle)
        if chosen == FIGHT:
            return
        battle.attackers.append(chosen)


@rule("6.1")
def may_not_join(battle: Battle, p: FordPosition) -> Iterator[Bar]:
    """Units that may not take part in an attack."""
    facts, enemy, target = battle.facts, other(battle.side), battle.where
    yield Bar(facts.lost(p), "6.4", lambda unit: f"{facts.units[unit].name} is lost")
    yield Bar(facts.sets[enemy], "6.1", lambda unit: f"{facts.units[unit].name} belongs to {enemy}")
    yield Bar(union(battle.attackers), "6.1", lambda unit: f"{facts.units[unit].name} takes part already")
    yield Bar(p.attacked, "6.1", lambda unit: f"{facts.units[unit].name} has attacked already")
    near = facts.units_in(p, facts.board.next_to(battle.target))
    yield Bar(~near, "6.1", lambda unit: f"{facts.stands(p, unit)}, which is not next to {target}")


@dataclass(slots=True)
class Battle(Question):
    """An attack being made ready: who attacks which hex."""

    facts: Facts
    side: str
    target: int
    attackers: list[int]

    @property
    def where(self) -> str:
        return self.facts.board.name(self.target)

    def option(self, t: Table[FordPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice != FIGHT:
            return plain
        return replace(plain, role="strike", rolls=nobody_can_support(t.p))

    def bars(self, t: Table[FordPosition], decision: Decision) -> Iterator[Bar]:
        return may_not_join(self, t.p)

    def why_not_word(self, t: Table[FordPosition], decision: Decision, word: str) -> Refusal | None:
        return Refusal("6.1", "nobody attacks yet: name a unit first") if word == FIGHT else None

    def preview(self, t: Table[FordPosition], decision: Decision, choice: Choice) -> Preview:
        """The attack as it stands, or with one unit more, without support."""
        joining = [choice] if isinstance(choice, int) else []
        battle = Battle(self.facts, self.side, self.target, [*self.attackers, *joining])
        attack, defence, changes = differential(self.facts, t.p, battle)
        crt = self.facts.crt
        column = crt.column(attack - defence + sum(change.amount for change in changes))
        words = f"{attack} against {defence}, column {crt.columns[column]}"
        return Preview(words, attack, defence, tuple(changes), crt.columns[column], crt.chances(column))

    def subject(self, t: Table[FordPosition], decision: Decision) -> Subject:
        return Subject((self.where,), tuple(self.facts.units[unit].id for unit in self.attackers))


# ---------------------------------------------------------------------- arithmetic and the die


@rule("6.2", "6.3", "5.2")
def modifiers(facts: Facts, p: FordPosition, battle: Battle) -> list[Modifier]:
    """What the ground and supply take off the attackers' strength."""
    found = []
    target = 1 << battle.target
    if target & (facts.town | facts.woods):
        found.append(Modifier("town" if target & facts.town else "woods", -1, "6.3"))
    if all(facts.river.between(p.where[u], battle.target) for u in battle.attackers):
        found.append(Modifier("across the river", -1, "6.3"))
    stand = union(p.where[u] for u in battle.attackers)
    if facts.supply(p, battle.side).among(stand) != stand:
        found.append(Modifier("out of supply", -1, "5.2"))
    return found


def differential(facts: Facts, p: FordPosition, battle: Battle) -> tuple[int, int, list[Modifier]]:
    attack = sum(facts.strength(p, u) for u in battle.attackers)
    defence = sum(facts.strength(p, u) for u in facts.stack(p, battle.target))
    return attack, defence, modifiers(facts, p, battle)


def fight(t: Table[FordPosition], battle: Battle, then: str) -> Play:
    """Resolve an attack. If it leaves its hex empty, the attackers may advance before play goes on."""
    p, facts = t.p, battle.facts
    attack, defence, changes = differential(facts, p, battle)
    total = attack - defence + sum(change.amount for change in changes)
    total += yield from _support(t, battle, battle.side, total)
    total -= yield from _support(t, battle, other(battle.side), total)
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
    if facts.stack(p, battle.target):
        return then
    frame = Pursuit(then=then, side=battle.side, target=battle.target, attackers=union(battle.attackers))
    return call(p, frame, "advance")


def nobody_can_support(p: FordPosition) -> bool:
    """Whether the die is rolled as soon as an attack is declared."""
    return all(chit == NO_CHIT for chit in p.held) and not p.blue_hand and not p.red_hand


@dataclass(slots=True)
class PlaySupport(Question):
    """Whether a side plays its chit in a battle that stands at a total."""

    battle: Battle
    total: int
    shift: int
    """What the chit adds to the total; of the defender's, what it takes."""
    last: bool
    """Nobody is asked after this: then the die is rolled."""

    def option(self, t: Table[FordPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == PLAY:
            return replace(plain, words=f"play it: {self.shift:+d}", role="strike", rolls=True)
        return replace(plain, words="keep it", rolls=self.last)

    def preview(self, t: Table[FordPosition], decision: Decision, choice: Choice) -> Preview:
        attack, defence, changes = differential(self.battle.facts, t.p, self.battle)
        known = self.total - (attack - defence + sum(change.amount for change in changes))
        shifts = [("support of the attacker", known), ("your support", self.shift if choice == PLAY else 0)]
        changes += [Modifier(words, amount, "7.2") for words, amount in shifts if amount]
        crt = self.battle.facts.crt
        column = crt.column(attack - defence + sum(change.amount for change in changes))
        words = f"{attack} against {defence}, column {crt.columns[column]}"
        return Preview(words, attack, defence, tuple(changes), crt.columns[column], crt.chances(column))

    def subject(self, t: Table[FordPosition], decision: Decision) -> Subject:
        return self.battle.subject(t, decision)


@rule("7.2")
def _support(t: Table[FordPosition], battle: Battle, side: str, total: int) -> Play:
    """A side may play its chit, or a card of its hand; the answer is its number."""
    p, facts, seat = t.p, battle.facts, ("Blue", "Red").index(side)
    if p.known:
        return (yield from support_card(facts, t, side))
    if p.held[seat] == NO_CHIT:
        return 0
    shift = facts.chits[p.held[seat]]
    attacks = side == battle.side
    question = PlaySupport(battle, total, shift if attacks else -shift, not attacks or p.held[1 - seat] == NO_CHIT)
    chosen = yield Decision(side, "Play your support chit?", [PLAY, KEEP], "7.2", about=question)
    if chosen == KEEP:
        return 0
    p.held[seat] = NO_CHIT
    t.reveal()
    t.say("7.2", f"{side} plays support of {shift}.")
    return shift


# ---------------------------------------------------------------------- results


@rule("6.5", "6.6")
def _retreat_or_stand(facts: Facts, t: Table[FordPosition], side: str, hex_: int) -> Play:
    p = t.p
    ways = members(retreats(facts, p, side, hex_))
    prompt, shut = "Retreat, or stand and lose a step?", partial(may_not_retreat, facts, p, side, hex_)
    about = Barred(shut, [hex_], facts.stack(p, hex_))
    chosen = yield Decision(side, prompt, [*ways, STAND], "6.5", Kind.SPACE, about=about)
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
def no_refuge(facts: Facts, p: FordPosition, side: str, hex_: int) -> Iterator[Bar]:
    """Hexes into which the units of a hex may not retreat."""
    enemy, size = other(side), len(facts.stack(p, hex_))
    yield Bar(~facts.board.next_to(hex_), "6.6", "a retreat goes one hex")
    yield Bar(facts.occupied(p, enemy), "4.4", lambda at: f"{facts.who_is_in(p, at)} there")
    held = facts.zone(p, enemy) & ~facts.occupied(p, side)
    yield Bar(held, "6.6", "it lies in an enemy zone, and no friend stands there")
    crowded = union(at for at in p.where if at != GONE and p.where.count(at) + size > 2)
    yield Bar(crowded, "4.2", lambda at: f"{facts.who_is_in(p, at)} there, and two units are the most")


def retreats(facts: Facts, p: FordPosition, side: str, hex_: int) -> int:
    """Where the units of a hex may retreat: best hexes only."""
    open_ = open_to(facts.board.all, no_refuge(facts, p, side, hex_))
    return prefer(open_, lambda candidates: facts.board.nearest(candidates, facts.edge[side]))


@rule("6.6")
def may_not_retreat(facts: Facts, p: FordPosition, side: str, hex_: int) -> Iterator[Bar]:
    """The same, and hexes that are not the best."""
    yield from no_refuge(facts, p, side, hex_)
    yield Bar(~retreats(facts, p, side, hex_), "6.6", "another hex is nearer to the own edge")


@dataclass(frozen=True, slots=True)
class OneOf(Question):
    """One of a few units is to be named."""

    facts: Facts
    rule: str
    units: int
    others: str
    """What is true of all the others."""

    def bars(self, t: Table[FordPosition], decision: Decision) -> Iterator[Bar]:
        facts = self.facts
        yield Bar(facts.lost(t.p), "6.4", lambda unit: f"{facts.units[unit].name} is lost")
        yield Bar(~self.units, self.rule, lambda unit: f"{facts.units[unit].name} {self.others}")


def _lose_step(facts: Facts, t: Table[FordPosition], side: str, units: list[int], number: str) -> Play:
    """One unit loses a step; its owner says which."""
    about = OneOf(facts, number, union(units), "takes no part in this")
    loser = yield from settle(Decision(side, "Which unit loses a step?", units, number, Kind.UNIT, about=about))
    t.p.steps[loser] -= 1
    if not t.p.steps[loser]:
        t.p.where[loser] = GONE
    t.say(
        number, f"{facts.units[loser].name} {'loses a step' if t.p.steps[loser] else 'is lost'}.", units=(loser,)
    )
