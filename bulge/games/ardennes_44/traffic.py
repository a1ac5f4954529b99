"""Traffic markers: the enemy lays the jams (rule 24)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import union, without
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44

IN_BOX, FOR_GOOD = -1, -2
GERMAN_FROM = 3
SCHEDULE_FROM = 8


def markers_of(p: Ardennes44, side: str) -> list[int]:
    return p.traffic if side == ALLIED else p.greif


@rule("24.1", "24.4")
def hexes_for_marker(facts: Facts, p: Ardennes44, side: str) -> int:
    """Where a marker may be laid: not on or next to another of the same side, nor by Allies in the bottleneck."""
    laid = union(markers_of(p, side))
    open_ = facts.field_of(p.scenario).hexes & ~laid & ~facts.board.around(laid)
    return open_ & ~facts.bottleneck if side == ALLIED else open_


@dataclass(frozen=True, slots=True)
class Laying(Question):
    """A Traffic marker is to be laid."""

    facts: Facts
    side: str

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        facts, laid = self.facts, union(markers_of(t.p, self.side))
        yield Bar(~facts.field_of(t.p.scenario).hexes, "3.1", "that hex is not in play")
        yield Bar(laid | facts.board.around(laid), "24.4", "a marker of yours lies there or next to it")
        if self.side == ALLIED:
            yield Bar(facts.bottleneck, "24.4", "no Allied marker lies in the bottleneck of St-Vith")


@rule("24.3", "24.3.1", "24.5")
def traffic_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Markers from the box are laid anywhere; afterwards dice take some away."""
    p = t.p
    while side == ALLIED or p.turn >= GERMAN_FROM:
        waiting = [number for number, hex_ in enumerate(markers_of(p, side)) if hex_ == IN_BOX]
        if not waiting:
            break
        shut = facts.field_of(p.scenario).hexes & ~hexes_for_marker(facts, p, side)
        options: list[Choice] = [*without(facts.hexes_in_play(p.scenario), shut), DONE]
        prompt = f"Lay Traffic marker {waiting[0] + 1}, or keep {len(waiting)} in the box"
        about = Laying(facts, side)
        hex_ = yield Decision(side, prompt, options, "24.3.1", Kind.SPACE, top=True, about=about)
        if hex_ == DONE:
            break
        markers_of(p, side)[waiting[0]] = hex_
        t.say("24.3.1", f"Traffic marker {waiting[0] + 1} in {facts.words(hex_)}.", spaces=(hex_,))


@rule("24.3.2", "24.6")
def remove_traffic(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """Two dice send markers back to the box; from turn 8 a German one leaves for good each PM turn."""
    p, markers = t.p, markers_of(t.p, side)
    if side == GERMAN and p.turn < GERMAN_FROM:
        return
    dice = t.roll_each("24.3.2", "Traffic markers that go back to the box", count=2)
    for die in set(dice):
        if markers[die - 1] >= 0:
            markers[die - 1] = IN_BOX
    if side == GERMAN and p.turn >= SCHEDULE_FROM and p.turn % 2 == 0:
        number = (p.turn - SCHEDULE_FROM) // 2
        if number < len(markers):
            markers[number] = FOR_GOOD
