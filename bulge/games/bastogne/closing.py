"""Closing in: who enters whose space before close assaults are resolved (rule 17.2)."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Play, Preview, Refusal
from bulge.core.priority import Line, least, narrow
from bulge.core.rulebook import rule
from bulge.core.spaces import lowest, members, union
from bulge.games.bastogne.asked import FULL, Asked, not_at_hand
from bulge.games.bastogne.assault import begin, preview_assault
from bulge.games.bastogne.facts import US, Facts
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import full_spaces, of_track, us_in, us_spaces
from bulge.games.bastogne.targets import ORDERS, Target, name_targets


@rule("8.7", "15.8", "15.9", "16.11", "17.2")
def close_in_germans(t: SiegeTable, facts: Facts) -> None:
    """Units in assault mode next to US units must enter their space, inward if there are two."""
    p = t.p
    enemies = us_spaces(facts, p)
    inward = Line("17.2", "towards the Center", least(lambda at: facts.number_of[at]))
    for track, line in enumerate(facts.tracks):
        if not p.assault >> track & 1:
            continue
        for number, space in enumerate(line):
            near = union(line[max(0, number - 1) : min(len(line) - 1, number + 2)]) & enemies
            if not near or enemies >> space & 1:
                continue
            units = of_track(facts, p, track, space)
            if not units:
                continue
            goal = lowest(narrow(t, near, (inward,)))
            for unit in units:
                p.where[unit] = goal
            names = ", ".join(map(facts.name_of, units))
            words = f"From {facts.at(space)} {names} close in on {facts.at(goal)}."
            t.say("17.2", words, spaces=(space, goal), units=tuple(units), kind="move")


# ---------------------------------------------------------------------- US units close in


@rule("14.4", "17.2")
def close_in_us(t: SiegeTable, facts: Facts) -> Play:
    """US units enter German spaces as the player likes; only then is any assault resolved."""
    p = t.p
    p.from_ = p.from_ or p.where[: facts.leaders.stop]
    yield from name_targets(t, facts, AssaultTarget, _enter, "Close assault a space, or go on", "17.2")


class AssaultTarget(Target):
    said = ORDERS | {DONE: "no close assault, or no other"}

    def out_of_reach(self, p: BastognePosition) -> Iterator[Bar]:
        facts = self.facts
        ready = [unit for unit in facts.shooters if p.where[unit] >= 0 and not p.done >> unit & 1]
        light = facts.around(union([p.where[unit] for unit in ready if not facts.battalions[unit]]))
        heavy = facts.around(union([p.where[unit] for unit in ready if facts.battalions[unit]]))
        yield Bar(~(light | heavy), "17.2", "no US unit that may close in is next to it")
        yield Bar(full_spaces(facts, p) & ~light, "14.1", FULL)


@rule("13.5", "14.1", "17.2")
def may_not_close_in(facts: Facts, p: BastognePosition, space: int) -> Iterator[Bar]:
    """Units and leaders that cannot enter a space; artillery never does."""
    near, there, name = facts.beside[space], facts.at(space), facts.name_of
    yield from not_at_hand(facts, p)
    yield Bar(facts.gun_set, "13.5", "artillery only defends in a close assault")
    yield Bar(p.done, "17.2", lambda unit: f"{name(unit)} has closed in already")
    off = union([unit for unit in facts.rank if p.where[unit] >= 0 and not near >> p.where[unit] & 1])
    yield Bar(
        off, "17.2", lambda unit: f"{name(unit)} is in {facts.at(p.where[unit])}, which is not next to {there}"
    )
    if full_spaces(facts, p) >> space & 1:
        yield Bar(union(facts.stacking), "14.1", FULL)


def set_to_assault(facts: Facts, p: BastognePosition, space: int) -> int:
    return open_to(facts.led_set, may_not_close_in(facts, p, space))


def able_to_assault(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    """US units and leaders next to a space that may enter it."""
    return members(set_to_assault(facts, p, space))


def _enter(t: SiegeTable, facts: Facts, side: str, space: int) -> Play:
    p, question = t.p, WhoEnters(facts, space=space)
    while True:
        able = set_to_assault(facts, p, space)
        fighting = bool(us_in(facts, p, space))
        options: list[Choice] = [*members(able), DONE] if fighting else [*members(able & facts.us_set)]
        if not able or not options:
            return
        unit = options[0]
        if len(options) > 1:
            prompt = f"Who enters {facts.at(space)}?"
            unit = yield Decision(side, prompt, options, "17.1", Kind.UNIT, about=question)
        if unit == DONE:
            return
        unit = int(unit)
        p.where[unit] = space
        p.done |= 1 << unit
        t.say("17.2", f"{facts.name_of(unit)} closes in on {facts.at(space)}.", units=(unit,), kind="move")


class WhoEnters(Asked):
    """Units are named that enter a space, one after the other."""

    said = {DONE: "nobody else enters"}

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from may_not_close_in(self.facts, p, self.space)
        yield Bar(~self.facts.us_set, "25.3", "a leader enters with units, not before them")

    def why_not_word(self, t: SiegeTable, decision: Decision, word: str) -> Refusal | None:
        return Refusal("17.2", "nobody has entered yet: name a unit first") if word == DONE else None

    def preview(self, t: SiegeTable, decision: Decision, choice: Choice) -> Preview:
        p = t.p.copy()
        if isinstance(choice, int):
            p.where[choice] = self.space
        return preview_assault(self.facts, p, begin(self.facts, p, US, self.space))
