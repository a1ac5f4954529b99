"""What follows an attack that left its hex empty: advance (6.7), and with it breakthroughs, to any depth (8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Choice, Decision, Kind, Option, Play
from bulge.core.frames import back, change, inner
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ford.combat import Battle, OneOf, fight, nobody_can_support
from bulge.games.ford.facts import Facts, FordPosition, other

STAY, HALT = "stay", "halt"


@rule("6.7", "8.2")
def advance_step(facts: Facts, t: Table[FordPosition]) -> Play:
    """One attacker may enter the hex while it is empty; when he breaks through, the next one may."""
    p, frame = t.p, inner(t.p)
    able = members(frame.attackers & ~facts.lost(p))
    if not able or facts.stack(p, frame.target):
        return back(p)
    question = WhoAdvances(facts, "6.7", frame.attackers, "did not attack the hex")
    options: list[Choice] = [*able, STAY]
    prompt = "Advance into the empty hex?"
    chosen = yield Decision(frame.side, prompt, options, "6.7", Kind.UNIT, top=True, about=question)
    if chosen == STAY:
        return back(p)
    p.where[chosen] = frame.target
    t.say("6.7", f"{facts.units[chosen].name} advances.", spaces=(frame.target,), units=(chosen,))
    if not p.breakthrough:
        return back(p)
    change(p, replace(frame, attackers=frame.attackers & ~(1 << chosen), advanced=chosen))
    return "breakthrough"


class WhoAdvances(OneOf):
    def option(self, t: Table[FordPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        name = self.facts.units[choice].name if isinstance(choice, int) else ""
        return replace(plain, words=f"advance with {name}") if name else plain


@rule("8.1")
def breakthrough_step(facts: Facts, t: Table[FordPosition]) -> Play:
    """Whoever advanced may attack again at once; after that, the others may follow him."""
    p, frame = t.p, inner(t.p)
    question = WhereThrough(facts, frame.side, frame.advanced)
    open_ = members(open_to(facts.board.hexes, question.shut(p)))
    if not open_:
        return "advance"
    name = facts.units[frame.advanced].name
    target = yield Decision(
        frame.side, f"Does {name} attack again?", [*open_, HALT], "8.1", Kind.SPACE, top=True, about=question
    )
    if target == HALT:
        return "advance"
    t.say("8.1", f"{name} breaks through.", spaces=(target,), units=(frame.advanced,))
    return (yield from fight(t, Battle(facts, frame.side, target, [frame.advanced]), then="advance"))


@dataclass(frozen=True, slots=True)
class WhereThrough(Question):
    facts: Facts
    side: str
    unit: int

    def shut(self, p: FordPosition) -> Iterator[Bar]:
        name = self.facts.units[self.unit].name
        yield Bar(~self.facts.occupied(p, other(self.side)), "8.1", "no enemy unit is there")
        yield Bar(~self.facts.board.next_to(p.where[self.unit]), "8.1", f"{name} is not next to it")
        yield Bar(p.assaulted, "6.1", "it has been attacked already this turn")

    def bars(self, t: Table[FordPosition], decision: Decision) -> Iterator[Bar]:
        return self.shut(t.p)

    def option(self, t: Table[FordPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == HALT:
            return plain
        return replace(plain, role="strike", rolls=nobody_can_support(t.p))

    def subject(self, t: Table[FordPosition], decision: Decision) -> Subject:
        return Subject((self.facts.board.name(t.p.where[self.unit]),), (self.facts.units[self.unit].id,))
