"""Von der Heydte's drop (rule 15)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Choice, Decision, Kind, Option, Play
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, Facts
from bulge.games.ardennes_offensive.losses import eliminate
from bulge.games.ardennes_offensive.movement import closed_ground, no_room
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation
from bulge.games.hexes.roster import DUE

SURVIVES = 2
"""The highest die by which the paratroopers survive their drop (15.0)."""


@rule("15.0")
def paradrop(t: Table[ArdennesPosition], facts: Facts) -> Play:
    """On its turn von der Heydte's unit must be dropped; a die says whether it survives."""
    p, unit = t.p, facts.drop_unit
    if p.where[unit] != DUE or facts.arrivals[p.scenario][unit].turn > p.turn:
        return
    hexes = members(open_to(facts.passable, no_landing(facts, Situation(facts, p))))
    if not hexes:
        return
    prompt = "Where do von der Heydte's paratroopers land? A 1 or a 2 saves them"
    hex_ = yield Decision(GERMAN, prompt, hexes, "15.0", Kind.SPACE, top=True, about=WhereTheyLand(facts))
    p.where[unit] = hex_
    if t.roll("15.0", f"the drop in {facts.board.name(hex_)} (1 or 2 survives)") > SURVIVES:
        eliminate(t, facts, unit, "15.0")
    else:
        t.say("15.0", f"The paratroopers hold {facts.board.name(hex_)}.", spaces=(hex_,), units=(unit,))


@rule("6.5G", "8.0", "15.0")
def no_landing(facts: Facts, s: Situation) -> Iterator[Bar]:
    """Where the paratroopers may not land: among Allied units, in their zones, where Germans leave no room."""
    yield from closed_ground(facts)
    yield Bar(s.occupied[ALLIED], "15.0", lambda at: f"the enemy is there: {s.names_in(1 << at)}")
    yield Bar(s.unnegated(GERMAN), "15.0", lambda at: f"it lies in the zone of {_nearby(facts, s, at)}")
    yield from no_room(s)
    yield Bar(s.beside_columns(GERMAN), "6.5G", "a German unit in Road Mode is there or next to it on the road")


def _nearby(facts: Facts, s: Situation, at: int) -> str:
    return s.names_in(facts.board.next_to(at) & s.occupied[ALLIED] & ~s.marching[ALLIED])


@dataclass(frozen=True, slots=True)
class WhereTheyLand(Question):
    facts: Facts

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, rolls=True)

    def bars(self, t: Table[ArdennesPosition], decision: Decision) -> Iterator[Bar]:
        return no_landing(self.facts, Situation(self.facts, t.p))

    def subject(self, t: Table[ArdennesPosition], decision: Decision) -> Subject:
        return Subject((), (self.facts.rows[self.facts.drop_unit].id,))
