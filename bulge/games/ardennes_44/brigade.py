"""The 150th Panzer Brigade in American dress (rule 27.8)."""

from __future__ import annotations

from bulge.core.decision import Decision, Modifier, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.ardennes_44.combat import Battle
from bulge.games.ardennes_44.counters import GERMAN
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import Words

BRIGADE = "150Pz"
SURPRISE, PLAIN_ATTACK, INFILTRATE = "surprise", "attack_plainly", "infiltrate"


@rule("27.8.1", "27.8.2")
def may_infiltrate(walk: Walk) -> bool:
    """Whether the brigade, not detected yet, has just been stopped by a zone that it may try to ignore."""
    if not walk.stopped or len(walk.path) < 2 or walk.mover.facts.rows[walk.unit].id != BRIGADE:
        return False
    return not walk.mover.s.p.detected and bool(walk.mover.zone >> walk.here & 1)


@rule("27.8.2")
def infiltrate(t: Table[Ardennes44], walk: Walk) -> None:
    """A die: 1 to 3 and the zones in this hex are ignored, as it leaves too; else it is found out and stops."""
    p, facts = t.p, walk.mover.facts
    die = t.roll("27.8.2", f"infiltration at {facts.words(walk.here)} (3 or less)")
    p.tricked = True
    if facts.dice["brigade_150"].result(die) == "undetected":
        walk.ignore_zone()
        t.say("27.8.2", "Nobody recognizes the brigade.", units=(walk.unit,))
    else:
        p.detected = True
        t.say("27.8.2", "The brigade is detected.", units=(walk.unit,))


@rule("14.4", "27.8.3")
def surprise(t: Table[Ardennes44], battle: Battle) -> Play:
    """Once, the brigade may try to surprise a defender for a column to the right."""
    p, facts, unit = t.p, battle.facts, battle.facts.number[BRIGADE]
    if battle.side != GERMAN or p.detected or unit not in battle.attackers:
        return
    said = Words(((SURPRISE, "try to surprise them"), (PLAIN_ATTACK, "attack plainly")), rolls=(SURPRISE,))
    choice = yield Decision(GERMAN, "Surprise by the 150th?", [SURPRISE, PLAIN_ATTACK], "27.8.3", about=said)
    if choice == SURPRISE:
        die = t.roll("27.8.3", "surprise by the 150th Panzer Brigade (3 or less)")
        if facts.dice["brigade_150"].result(die) == "undetected":
            battle.shifts.append(Modifier("surprise", 1, "27.8.3", "column"))
        p.detected = True


@rule("27.8.1")
def find_out(p: Ardennes44) -> None:
    """At the end of a turn in which it used a trick it is detected."""
    if p.tricked:
        p.detected, p.tricked = True, False
