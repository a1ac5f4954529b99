"""Hits on Allied units: the player takes steps, falls back or lets attackers be dispersed (rules 12.51, 12.61)."""

from __future__ import annotations

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Choice, Decision, Kind, Option, Play, Refusal, Together
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, Facts, mask
from bulge.games.enemy_action.losses import DISPERSAL_TAKES, lose_step, scatter
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.retreats import RetreatQuestion, fall_back, open_retreats, passages, retreats_left
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.tactics import the_battle

Tab = Table[EnemyActionPosition]
RETREAT, DISPERSE = "retreat", "disperse"


@rule("12.61")
def allied_losers(p: EnemyActionPosition, battle: Battle, units: int) -> list[int]:
    """Who may lose the next step: nobody twice before all once, no hex twice before every hex once."""
    found = members(units)
    fresh_hexes = [unit for unit in found if not battle.hit_hexes >> p.where[unit] & 1]
    fresh = [unit for unit in found if not battle.hit >> unit & 1]
    if fresh_hexes and len({p.where[unit] for unit in found}) > 1:
        return [unit for unit in fresh_hexes if unit in fresh] or fresh_hexes
    return fresh or found


@rule("12.7", "12.75")
def allied_retreats(s: Situation, battle: Battle) -> dict[int, bool]:
    """The hexes that Allied defenders may fall back into, and whether that costs a step."""
    found: dict[int, bool] = {}
    for way in (passages(s, battle), open_retreats(s, battle)):
        found |= dict.fromkeys(members(way.hexes), way.costs_step)
    return found


class LossQuestion(Question):
    """Who loses a step, or whether all fall back or are dispersed."""

    def __init__(self, s: Situation, battle: Battle, units: int) -> None:
        self.s, self.battle, self.units = s, battle, units

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == RETREAT:
            return replace(plain, words="All retreat one hex", role="aside")
        if choice == DISPERSE:
            return replace(plain, words=f"Disperse all attackers: that takes {DISPERSAL_TAKES} hits")
        left = self.s.p.steps[int(choice)] - 1
        return replace(plain, words=f"{plain.words}: {f'{left} left' if left else 'eliminated'}")

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return loss_bars(self.s.p, self.battle, self.units)

    @rule("12.51", "12.7", "12.9", "13.23")
    def why_not_word(self, t: Tab, decision: Decision, word: str) -> Refusal | None:
        if word == DISPERSE:
            return Refusal("12.51", "the first hit on attackers is a step, and they are dispersed but once")
        if word != RETREAT:
            return None
        if self.battle.side == ALLIED:
            return Refusal("12.7", "attackers do not retreat")
        if retreats_left(self.s, self.battle) < 1:
            return Refusal("12.75", "they have fallen back as far as they may")
        return Refusal("12.7", "no hex beside them is open to a retreat")

    @rule("12.61")
    def together(self, t: Tab, decision: Decision) -> Together | None:
        """All hits that are left as steps, spread as they must be; among equals, who keeps most."""
        battle, p = self.battle, self.s.p.copy()
        hits = battle.defender_hits if self.units == battle.defenders else battle.attacker_hits
        units = self.units
        lost: list[int] = []
        while len(lost) < hits and units:
            unit = max(allied_losers(p, battle, units), key=lambda unit: p.steps[unit])
            lost.append(unit)
            p.steps[unit] -= 1
            units &= ~(0 if p.steps[unit] else 1 << unit)
            battle = replace(battle, hit=battle.hit | 1 << unit, hit_hexes=battle.hit_hexes | 1 << p.where[unit])
        if len(lost) < 2:
            return None
        names = ", ".join(self.s.facts.name_of(unit) for unit in dict.fromkeys(lost))
        return Together(
            f"take {len(lost)} hits as steps: {names}{'' if units else ', all of them lost'}", tuple(lost)
        )

    def subject(self, t: Tab, decision: Decision) -> Subject:
        facts = self.s.facts
        return Subject((facts.board.name(self.battle.target),), facts.ids(members(self.units)))


@rule("12.61", "12.6")
def loss_bars(p: EnemyActionPosition, battle: Battle, units: int) -> list[Bar]:
    return [
        Bar(~units, "12.6", "it takes no part in this combat on the side that loses a step"),
        Bar(
            ~mask(allied_losers(p, battle, units)),
            "12.61",
            "others, or another hex, must lose a step first: losses are spread evenly",
        ),
    ]


@rule("12.51", "12.7", "12.54")
def allied_defence(t: Tab, facts: Facts) -> Play:
    """For each hit the player takes a step or falls back a hex; out of a full hex he must go on (12.75)."""
    p = t.p
    battle = the_battle(p)
    if not battle.defender_hits or not battle.defenders:
        unused = (1 if battle.was_dispersed else 2) - len(battle.retreat)
        spared = max(0, battle.defender_hits - unused) if not battle.defenders else 0
        p.battle = replace(battle, spared=spared, defender_hits=0, hit=0, hit_hexes=0)
        return "battle_attackers"
    s = Situation(facts, p)
    passing = bool(battle.retreat) and not s.room_for((), battle.retreat[-1])
    losers = 0 if passing else open_to(battle.defenders, loss_bars(p, battle, battle.defenders))
    options: list[Choice] = [*members(losers)]
    left = replace(battle, defender_hits=battle.defender_hits - 1)
    if passing or allied_retreats(s, left):
        options.append(RETREAT)
    hits = f"{battle.defender_hits} hit{'s' if battle.defender_hits > 1 else ''}"
    prompt = f"{hits} on {facts.at(battle.target)}: who loses a step, or do all retreat?"
    chosen = options[0]
    if len(options) > 1:
        question = LossQuestion(s, battle, battle.defenders)
        chosen = yield Decision(ALLIED, prompt, options, "12.51", Kind.UNIT, top=True, about=question)
    if isinstance(chosen, int):
        p.battle = lose_step(t, facts, left, chosen)
    else:
        p.battle = yield from _allied_retreat(t, facts, left)
    return "battle_defence"


def _allied_retreat(t: Tab, facts: Facts, battle: Battle) -> Play:
    """The player picks among the hexes of the first open priority; a step is lost in an enemy zone."""
    p = t.p
    s = Situation(facts, p)
    ways = allied_retreats(s, battle)
    hexes = sorted(ways)
    hex_ = hexes[0]
    if len(hexes) > 1:
        question = RetreatQuestion(s, battle, ways)
        prompt = "Where do the defenders retreat to?"
        hex_ = yield Decision(ALLIED, prompt, hexes, "12.7", Kind.SPACE, about=question)
    battle = fall_back(t, facts, battle, hex_)
    if ways[hex_]:
        losers = allied_losers(p, battle, battle.defenders)
        unit = losers[0]
        if len(losers) > 1:
            prompt = "A retreat into an enemy zone: who loses a step?"
            about = LossQuestion(Situation(facts, p), battle, battle.defenders)
            unit = yield Decision(ALLIED, prompt, losers, "12.7", Kind.UNIT, about=about)
        battle = lose_step(t, facts, battle, unit, "12.7")
    return battle


@rule("12.51", "12.61", "12.9")
def allied_attackers(t: Tab, facts: Facts) -> Play:
    """The first hit is a step; then steps, or a dispersal that takes two hits."""
    p = t.p
    battle = the_battle(p)
    if battle.attacker_hits and battle.absorbed:
        p.battle = replace(battle, attacker_hits=battle.attacker_hits - 1, absorbed=battle.absorbed - 1)
        return "battle_attackers"
    if not battle.attacker_hits or not battle.attackers:
        return "battle_advance"
    options: list[Choice] = [*members(open_to(battle.attackers, loss_bars(p, battle, battle.attackers)))]
    if battle.hit and not battle.scattered:
        options.append(DISPERSE)
    chosen = options[0]
    if len(options) > 1:
        prompt = f"{battle.attacker_hits} hits on the attackers: who loses a step?"
        question = LossQuestion(Situation(facts, p), battle, battle.attackers)
        chosen = yield Decision(ALLIED, prompt, options, "12.51", Kind.UNIT, top=True, about=question)
    battle = replace(battle, attacker_hits=battle.attacker_hits - 1)
    p.battle = lose_step(t, facts, battle, chosen) if isinstance(chosen, int) else scatter(t, facts, battle)
    return "battle_attackers"
