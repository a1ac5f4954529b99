"""Free set-up: units are rearranged on their front line and behind it, and never stacked (rule 17)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play
from bulge.core.look import Subject
from bulge.core.question import Barred, Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_offensive.at_hand import not_at_hand
from bulge.games.ardennes_offensive.facts import Facts
from bulge.games.ardennes_offensive.position import ArdennesPosition

MOST_TIMES = 4
"""So often, on average, a unit may be put elsewhere: enough to change one's mind, and every set-up ends."""


@rule("4.2", "17.0")
def set_up_freely(t: Table[ArdennesPosition], facts: Facts, side: str) -> Play:
    """From the historical set-up, units are put elsewhere one by one, until their owner is content."""
    p = t.p
    units = [unit for unit in facts.units_of[side] if facts.on_map[p.where[unit]]]
    about = WhoStartsElsewhere(partial(not_at_hand, facts, p, side), over="end the set-up")
    while p.placed < MOST_TIMES * len(units):
        prompt = "Put a unit elsewhere, or end the set-up"
        unit = yield Decision(side, prompt, [*units, DONE], "17.0", Kind.UNIT, top=True, about=about)
        if unit == DONE:
            break
        hexes = members(open_to(facts.passable, no_start(facts, p, unit)))
        line = "on" if facts.front[side] >> p.where[unit] & 1 else "behind"
        prompt = f"Where {line} the front line does {facts.rows[unit].name} start?"
        hex_ = yield Decision(side, prompt, hexes, "17.0", Kind.SPACE, about=WhereItStarts(facts, unit))
        if hex_ in p.where:
            p.where[p.where.index(hex_)] = p.where[unit]
        p.where[unit] = hex_
        p.placed += 1
        words = f"{facts.rows[unit].name} starts in {facts.board.name(hex_)}."
        t.say("17.0", words, spaces=(hex_,), units=(unit,))
    p.placed = 0


@rule("17.0")
def no_start(facts: Facts, p: ArdennesPosition, unit: int) -> Iterator[Bar]:
    """Where a unit may not be put: off the front line if it is on it, and the other way round."""
    side, here = facts.side_of(unit), p.where[unit]
    yield Bar(1 << here, "17.0", "it stands there already")
    if facts.front[side] >> here & 1:
        yield Bar(~facts.front[side], "17.0", "units of the front line stay on it")
    else:
        yield Bar(~facts.rear[side], "17.0", "units behind the front line stay behind it, on their own side of it")


class WhoStartsElsewhere(Barred):
    """Who is put elsewhere, if anybody."""


@dataclass(frozen=True, slots=True)
class WhereItStarts(Question):
    """Where a unit is put; a friend there changes places with it."""

    facts: Facts
    unit: int

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice not in t.p.where:
            return plain
        friend = self.facts.rows[t.p.where.index(choice)].name
        return replace(plain, words=f"{plain.words}, changing places with {friend}")

    def bars(self, t: Table[ArdennesPosition], decision: Decision) -> Iterator[Bar]:
        return no_start(self.facts, t.p, self.unit)

    def subject(self, t: Table[ArdennesPosition], decision: Decision) -> Subject:
        return Subject((), (self.facts.rows[self.unit].id,))
