"""Weather and the Allied air forces (rules 15.6, 28 and 35)."""

from __future__ import annotations

from bulge.core.decision import Decision, Modifier, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_44.combat import Battle
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import Words

CLEAR_FROM, CLEAR_TO = 15, 22
"""The turns of clear weather (28.2, S5.3)."""
AIR, NO_AIR = "air_support", "no_air_support"


@rule("15.6.1", "28.2", "S5.3")
def clear_weather(p: Ardennes44) -> bool:
    """Whether the sky is clear: from 23 to 26 December."""
    return CLEAR_FROM <= p.turn <= CLEAR_TO


def hampered(p: Ardennes44) -> int:
    """1 once the blow against Allied airfields counts (35)."""
    return int(0 < p.bodenplatte <= p.turn)


@rule("35.0")
def roll_for_bodenplatte(t: Table[Ardennes44], facts: Facts) -> None:
    """At the start of turn 15 a die says from which turn on Allied air power suffers, if ever."""
    p = t.p
    if p.with_bodenplatte and p.turn == CLEAR_FROM:
        p.bodenplatte = int(facts.dice["bodenplatte"].result(t.roll("35.0", "Bodenplatte (4 or more)")) or 0)
        effect = f"hampers Allied air power from turn {p.bodenplatte} on" if p.bodenplatte else "has no effect"
        t.say("35.0", f"Bodenplatte {effect}.")


@rule("15.6.2", "35.0")
def roll_for_air(t: Table[Ardennes44], facts: Facts) -> None:
    """Half a die of Air Support markers, fractions up."""
    p = t.p
    if clear_weather(p) and not p.night:
        die = max(1, t.roll("15.6.2", "Air Support (half of it)") - hampered(p))
        p.air = -(-die // 2)


@rule("15.6.2", "13.8.1")
def offensive_air(t: Table[Ardennes44], battle: Battle) -> Play:
    """One marker an attack, a column to the right."""
    p = t.p
    if battle.side != ALLIED or not p.air or p.night:
        return
    said = Words(((AIR, f"Air Support, {p.air} left"), (NO_AIR, "no Air Support")))
    choice = yield Decision(ALLIED, "Air Support for this attack?", [AIR, NO_AIR], "15.6.2", about=said)
    if choice == AIR:
        p.air -= 1
        battle.shifts.append(Modifier("Air Support", 1, "15.6.2", "column"))


@rule("14.4", "15.6.3", "35.0")
def jabos(t: Table[Ardennes44], battle: Battle) -> None:
    """Before every German attack by day under a clear sky, fighter-bombers may shift it to the left."""
    p = t.p
    if battle.side != GERMAN or p.night or not clear_weather(p):
        return
    die = t.roll("15.6.3", "Jabos") + hampered(p)
    if shift := int(battle.facts.dice["jabos"].result(die)):
        battle.shifts.append(Modifier("Jabos", -shift, "15.6.3", "column"))
