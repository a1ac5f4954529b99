"""German detachments that come and go between days (rules 15.2, 15.3, 15.5)."""

from __future__ import annotations

from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.choosing import line, pick
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation

Tab = Table[EnemyActionPosition]
GENERATE_FROM = 18
GENERATE_RANGE = 2


@rule("15.2", "15.21", "15.51")
def supplied_by_both(s: Situation, hex_: int, zones: int) -> bool:
    """Whether either side could trace supply to a hex, while these detachments have zones."""
    return s.traces(GERMAN, hex_) and s.traces(ALLIED, hex_, detachments=zones & ~(1 << hex_))


@rule("15.3", "15.21")
def prune_detachments(t: Tab, facts: Facts) -> None:
    """At the end of a day those outside towns and the Westwall go that either side's supply cannot reach."""
    p = t.p
    s = Situation(facts, p)
    all_ = p.detachments
    loose = all_ & ~facts.towns & ~facts.wall
    gone = sum(1 << hex_ for hex_ in members(loose) if not supplied_by_both(s, hex_, all_))
    if gone:
        p.detachments &= ~gone
        words = f"Detachments removed: {', '.join(map(facts.at, members(gone)))}."
        t.say("15.3", words, spaces=tuple(members(gone)))


@rule("15.5", "15.51", "15.52")
def generate_detachments(t: Tab, facts: Facts) -> None:
    """From 18 December markers and towns held by Germans put out new ones; then the empty Westwall."""
    p = t.p
    if day_of(p) < GENERATE_FROM or not facts.scenarios[p.scenario].detachments:
        return
    held = Situation(facts, p).occupied[GERMAN] & facts.towns
    parents = sorted(members(p.detachments | held), key=lambda hex_: (-facts.east[hex_], facts.row[hex_]))
    for parent in parents:
        _generate(t, facts, parent)
    s = Situation(facts, p)
    empty = facts.wall & facts.hold_hexes & ~s.occupied[GERMAN] & ~s.occupied[ALLIED] & ~p.detachments & ~facts.rim
    for hex_ in members(empty):
        if supplied_by_both(s, hex_, p.detachments):
            place(t, facts, hex_, "on the Westwall")


@rule("15.52", "14.1")
def _generate(t: Tab, facts: Facts, parent: int) -> None:
    p = t.p
    s, board = Situation(facts, p), facts.board
    if not supplied_by_both(s, parent, p.detachments):
        return
    hexes = board.within(1 << parent, GENERATE_RANGE) & facts.hold_hexes & ~facts.rim
    hexes &= ~(s.occupied[GERMAN] | s.occupied[ALLIED] | p.detachments | board.around(s.occupied[ALLIED]))
    hexes = sum(1 << hex_ for hex_ in members(hexes) if supplied_by_both(s, hex_, p.detachments))
    if not hexes:
        return
    lines = [
        line(
            "15.52",
            "nearest to the north or south edge",
            lambda hex_: min(facts.row[hex_] - 1, facts.last_row - facts.row[hex_]),
        ),
        line("15.52", "highest hold value", lambda hex_: -facts.hold[hex_]),
        line("15.52", "easternmost", lambda hex_: -facts.east[hex_]),
    ]
    place(t, facts, pick(t, facts, hexes, lines), f"from {facts.at(parent)}")


def place(t: Tab, facts: Facts, hex_: int, words: str) -> None:
    """A new marker; an Allied town becomes German by it."""
    p = t.p
    p.detachments |= 1 << hex_
    p.german_towns |= 1 << hex_ & facts.towns
    t.say("15.5", f"A new detachment in {facts.at(hex_)} ({words}).", spaces=(hex_,))
