"""Reinforcements (rule 12): who is due, by which hexes it may come on, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Decision, Kind, Play
from bulge.core.question import Barred
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.hexes import sequence
from bulge.games.the_bulge.facts import GERMAN, MECHANIZED_STEP, POINT, Facts
from bulge.games.the_bulge.movement import Walk, enter, may_not_stand, walk
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation


@rule("12.4")
def waiting_to_arrive(facts: Facts, p: BulgePosition, side: str) -> list[int]:
    """Reinforcements whose turn has come. They may be held back from turn to turn."""
    rows = facts.rows
    return sequence.waiting_to_arrive(p.where, p.turn, facts.reinforcements[side], lambda unit: rows[unit].turn)


@rule("12.1")
def arrivals(s: Situation, units: list[int]) -> list[int]:
    """Those of these reinforcements that may come on now; one of each kind is asked for all."""
    kinds = s.facts.entry_kinds
    doubted = {kinds[unit] for unit in units} - s.come_on
    shut_out = {kind for kind in doubted if not may_come_on(s, kind)} if doubted else doubted
    return [unit for unit in units if kinds[unit] not in shut_out] if shut_out else units


# ---------------------------------------------------------------------- where


@rule("6.5", "9.8", "12.1", "12.3")
def may_not_come_on(s: Situation, unit: int) -> Iterator[Bar]:
    """Hexes by which a reinforcement does not come on: von der Heydte's men and the commandos are enemies, too."""
    facts, enemy = s.facts, s.facts.enemy_of[unit]
    words = "no road leads on there from the side by which it comes"
    yield Bar(~facts.entries[facts.rows[unit].edge], "12.1", words)
    yield Bar(s.occupied[enemy], "12.3", lambda hex_: f"{s.who_is_in(hex_)} there")
    yield Bar(s.zones[enemy], "12.3", lambda hex_: f"it lies in {s.whose_zone(enemy, hex_)}")
    if enemy == GERMAN:
        yield Bar(s.vdh, "12.3", f"{facts.rows[facts.vdh].name} is there")
        yield Bar(union([s.p.where[facts.sses]]), "12.3", f"{facts.rows[facts.sses].name} are there")
    yield from may_not_stand(s, unit)


def entry_hexes(s: Situation, unit: int) -> int:
    """Where a reinforcement may come on."""
    sure, doubtful = _free_entries(s, unit)
    return sure | union([hex_ for hex_ in members(doubtful) if _gets_in(s, unit, hex_)])


def may_come_on(s: Situation, unit: int) -> bool:
    """Whether there is an entry hex for a reinforcement; doubtful ones are tried only where there is no other.

    Commandos need no hex but a US unit (14.4).
    """
    if unit == s.facts.sses:
        return any(s.p.where[us] >= 0 for us in s.facts.us_units)
    sure, doubtful = _free_entries(s, unit)
    return bool(sure) or any(_gets_in(s, unit, hex_) for hex_ in members(doubtful))


def _free_entries(s: Situation, unit: int) -> tuple[int, int]:
    """Where neither the enemy nor stacking keeps a reinforcement out: the sure hexes, and the doubtful ones.

    From the doubtful ones it might not get on as it must (6.10), or it could not pay for them (14.5). All this
    changes only with who stands on a road at the map's edge, or once von der Heydte's men are gone.
    """
    kind = s.facts.entry_kinds[unit]
    found = s.entries.get(kind)
    if found is None:
        free = open_to(s.facts.entries[s.facts.rows[unit].edge], may_not_come_on(s, unit))
        doubtful = free & (s.other_ally(unit) | _under_paratroopers(s, unit))
        found = s.entries[kind] = free ^ doubtful, doubtful
        if found[0]:
            s.come_on.add(kind)
    return found


def _under_paratroopers(s: Situation, unit: int) -> int:
    """Hexes that cost this unit double, and in which roads do it no good (14.5)."""
    return 0 if not s.vdh or unit in s.facts.german_units else s.facts.board.within(s.vdh, 1)


@rule("12.2", "14.5")
def _entry(s: Situation, unit: int, hex_: int) -> Walk:
    """A reinforcement in its first hex, paid for by road, at the mechanized rate if it can."""
    facts = s.facts
    drives = facts.mechanized[unit]
    cost = MECHANIZED_STEP if drives else POINT
    if _under_paratroopers(s, unit) >> hex_ & 1:
        drives, cost = False, 2 * facts.terrain[facts.terrain_of(hex_)].points * POINT
    return Walk(s, unit, hex_, facts.rows[unit].movement * POINT - cost, drives)


def _gets_in(s: Situation, unit: int, hex_: int) -> bool:
    """Whether a reinforcement could pay for its first hex, and end its move where it may stop (6.10)."""
    way = _entry(s, unit, hex_)
    return way.left >= 0 and bool(way.reach().spaces & ~way.no_end)


# ---------------------------------------------------------------------- coming on


def may_not_enter_at(s: Situation, unit: int) -> Iterator[Bar]:
    """All that keeps a reinforcement from coming on by a hex, what it costs included."""
    yield from may_not_come_on(s, unit)
    words = "it could not pay for the hex and end its move where it may stop"
    yield Bar(lambda hex_: not _gets_in(s, unit, hex_), "12.2", words)


@rule("12.2")
def bring_on(t: Table[BulgePosition], s: Situation, unit: int) -> Play:
    """A reinforcement enters and moves on."""
    facts, hexes = s.facts, members(entry_hexes(s, unit))
    side, name = facts.side_of(unit), facts.rows[unit].name
    about = Barred(partial(may_not_enter_at, s, unit), units=[unit])
    hex_ = yield Decision(side, f"Where does {name} come on?", hexes, "12.1", Kind.SPACE, about=about)
    way = _entry(s, unit, hex_)
    enter(t, facts, unit, hex_)
    t.say("12.2", f"{name} enters at {facts.board.name(hex_)}.", spaces=(hex_,), units=(unit,))
    yield from walk(t, way)
