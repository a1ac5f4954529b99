"""Hidden fuel dumps, an optional rule (32).

Three markers lie on the map, one of them real; only the Allies know which. Found out, the real one is a counter of
two factors that guards its hex without zone or bonds.
"""

from __future__ import annotations

from bulge.core.decision import Decision, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import ABSENT, Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import Words
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.supply import road_bound

HIDDEN, FOUND, CAPTURED, TAKEN, NO_DUMP = "hidden", "found", "captured", "taken", ""
BLOW_DUMP, LEAVE_DUMP = "destroy_the_dump", "leave_the_dump"
FIRST_TURN, LAST_TURN, SPARED = 3, 6, (7, 8)
"""From when dumps are destroyed, as bridges are; when the markers go; the phases of shortage that are skipped."""


@rule("32.1")
def lay_dumps(t: Table[Ardennes44], facts: Facts, side: str) -> None:
    """One marker in each of three places; which is real is drawn, and the Allies look at it."""
    p = t.p
    p.dumps = facts.map.area("fuel_dumps")
    p.real_dump = t.draw(members(p.dumps))
    p.dump = HIDDEN
    t.say("32.1", f"The fuel lies in {facts.words(p.real_dump)}.", side=ALLIED, spaces=(p.real_dump,))


@rule("32.1")
def find_dumps(t: Table[Ardennes44], facts: Facts, hex_: int) -> bool:
    """A German comes next to markers: they are turned over, and dummies go. True if the real one is among them."""
    p = t.p
    turned = (facts.board.next_to(hex_) | 1 << hex_) & p.dumps
    for found in members(turned):
        t.reveal()
        p.dumps &= ~(1 << found)
        if found == p.real_dump:
            _guard(t, facts, found)
            t.say("32.1", f"The dump in {facts.words(found)} is real.", spaces=(found,), units=(facts.dump_unit,))
        else:
            t.say("32.1", f"The dump in {facts.words(found)} is a dummy.", spaces=(found,))
    return bool(turned >> p.real_dump & 1)


def _guard(t: Table[Ardennes44], facts: Facts, hex_: int) -> None:
    t.p.dump = FOUND
    t.p.where[facts.dump_unit] = hex_


@rule("32.2")
def capture(t: Table[Ardennes44], facts: Facts, hex_: int) -> None:
    """Its guards are beaten: the Germans have it, until they fetch the fuel or the Allies come back."""
    t.p.dump = CAPTURED
    t.say("32.2", f"The fuel in {facts.words(hex_)} is captured.", spaces=(hex_,))


@rule("32.2")
def retake(t: Table[Ardennes44], facts: Facts, hex_: int) -> bool:
    """An Allied unit enters the hex of a captured dump, which is guarded again. True if it was one."""
    if t.p.dump != CAPTURED or hex_ != t.p.real_dump:
        return False
    _guard(t, facts, hex_)
    t.say("32.2", f"The dump in {facts.words(hex_)} is Allied again.", spaces=(hex_,))
    return True


@rule("32.2")
def fetch_fuel(t: Table[Ardennes44], facts: Facts) -> None:
    """In their Fuel Shortage Phase the Germans take the fuel away, if a road leads from it to their supply."""
    p = t.p
    if p.dump == CAPTURED and road_bound(Situation(facts, p), GERMAN) >> p.real_dump & 1:
        p.dump = TAKEN
        t.say("32.2", "The captured fuel is taken away: no shortage on turns 7 and 8.")


@rule("32.2")
def is_spared(p: Ardennes44) -> bool:
    """Whether captured fuel lets this Fuel Shortage Phase be skipped."""
    return p.dump == TAKEN and p.turn in SPARED


@rule("32.3")
def may_destroy(s: Situation, *, attacked: bool = False) -> bool:
    """Whether the Allies may try to destroy a dump that was found: a German is next to it, or attacks it."""
    p = s.p
    if p.dump != FOUND or p.dump_tried or p.turn < FIRST_TURN:
        return False
    return attacked or bool(s.next_to_enemy(ALLIED) >> p.real_dump & 1)


@rule("32.3")
def try_to_destroy(t: Table[Ardennes44], facts: Facts, *, own_turn: bool) -> bool:
    """A die as for bridges, one more in the Germans' Combat Phase; nobody needs to be there."""
    p, modifier = t.p, 0 if own_turn else 1
    p.dump_tried = True
    die = t.roll("32.3", f"destroying the dump, {modifier:+d} (4 or less)")
    if facts.dice["demolition"].result(die + modifier) != "blown":
        t.say("32.3", "The dump does not burn.")
        return False
    remove(facts, p)
    t.say("32.3", "The dump burns.", spaces=(p.real_dump,))
    return True


@rule("32.3")
def ask_to_destroy(t: Table[Ardennes44], facts: Facts, target: int) -> Play:
    """Before a German attack on its hex the Allies may destroy the dump. True if they did."""
    p = t.p
    if target != p.real_dump or not may_destroy(Situation(facts, p), attacked=True):
        return False
    said = Words(((BLOW_DUMP, "set it on fire"), (LEAVE_DUMP, "leave it")), rolls=(BLOW_DUMP,))
    options = [BLOW_DUMP, LEAVE_DUMP]
    choice = yield Decision(ALLIED, "Destroy the dump before the attack?", options, "32.3", about=said)
    return choice == BLOW_DUMP and try_to_destroy(t, facts, own_turn=False)


@rule("32.3")
def end_of_dumps(facts: Facts, p: Ardennes44) -> None:
    """At the end of turn 6 what is left of them goes."""
    if p.turn == LAST_TURN and p.dump != TAKEN:
        remove(facts, p)


def remove(facts: Facts, p: Ardennes44) -> None:
    p.dump, p.dumps = NO_DUMP, 0
    p.engaged &= ~facts.dump
    if p.where[facts.dump_unit] >= 0:
        p.where[facts.dump_unit] = ABSENT
