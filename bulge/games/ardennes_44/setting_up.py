"""The German set-up: every unit within its division's area (rules S1.3 and S1.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from operator import or_

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Play, Refusal
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.facts import (
    ABSENT,
    BLOWN_DECEMBER_22,
    BRIDGES_AT_START,
    DUE,
    GONE,
    POCKETS,
    POOL,
    Facts,
)
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.rows import UnitRow
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import excess, fits

MOST_TIMES = 2
"""So often, on average, a unit may be put elsewhere: enough to change one's mind, and every set-up ends."""
OF_CORPS = "corps:"
"""Before the name of a corps, in all areas of which a unit may start."""


@rule("S1.2", "S1.3", "S1.4", "S1.5", "S2.2", "S2.3", "S3.2", "29.5")
def at_start(facts: Facts, scenario: str) -> Ardennes44:
    """Every unit in its hex, or due to arrive; bridges 1 to 4 blown, 5 and 6 under construction."""
    if facts.scenarios[scenario].set_up == "december_22":
        return on_december_22(facts, scenario)
    row, field = facts.scenarios[scenario], facts.field_of(scenario)
    where = []
    for unit in facts.rows:
        if unit.entry == "pool":
            where.append(POOL)
        elif unit.hex:
            where.append(facts.board.at(unit.hex))
        elif (unit.division in row.without and unit.side != GERMAN) or not can_enter(
            facts, unit.entry, field.hexes
        ):
            where.append(ABSENT)
        else:
            where.append(DUE if unit.turn <= row.last_turn else ABSENT)
    blown = union([facts.bridge(name) for name in BRIDGES_AT_START["blown"]])
    building = union([facts.bridge(name) for name in BRIDGES_AT_START["building"]])
    return Ardennes44(
        step="german_setup",
        scenario=scenario,
        turn=row.first_turn,
        where=where,
        blown=blown | building,
        building=building,
        german_held=facts.german_ground,
        improved=union([facts.board.at(unit.hex) for unit in facts.rows if unit.improved]),
    )


@rule("S4.0", "S4.2", "S4.3")
def on_december_22(facts: Facts, scenario: str) -> Ardennes44:
    """The situation of that morning: German guns fired, four bridges blown, two pockets cut off."""
    row = facts.scenarios[scenario]
    p = Ardennes44(
        step="allied_first_traffic",
        scenario=scenario,
        turn=row.first_turn,
        where=[POOL if unit.entry == "pool" else ABSENT for unit in facts.rows],
        blown=union([facts.bridge(name) for name in BLOWN_DECEMBER_22]),
        ouren_tested=True,
        detected=True,
        german_held=facts.german_ground | facts.board.set_of(row.german_towns),
        fired=facts.guns & facts.of_side[GERMAN],
        greif=[-2, -2, -2, -1, -1, -1],
    )
    for number, pocket in enumerate(POCKETS, start=1):
        p.surrender[number] = POCKETS[pocket]
    for there in facts.december_22:
        unit = facts.number[there.id]
        p.where[unit] = {"lost": GONE, "absent": ABSENT, "due": DUE}.get(there.state, 0)
        if there.hex:
            p.where[unit] = hex_ = facts.board.at(there.hex)
            german = facts.side_of(unit) == GERMAN
            p.german_held = p.german_held | 1 << hex_ if german else p.german_held & ~(1 << hex_)
            p.improved |= 1 << hex_ if there.improved else 0
        p.reduced |= 1 << unit if there.state == "reduced" else 0
        if there.pocket:
            p.unsupplied |= 1 << unit
            p.groups[unit] = list(POCKETS).index(there.pocket) + 1
    p.fired &= union([unit for unit in range(len(facts.rows)) if p.where[unit] >= 0])
    return p


def can_enter(facts: Facts, entry: str, hexes: int) -> bool:
    """Whether the map in play has a way on for a unit."""
    if entry in ("town", "drop"):
        return True
    return any(hexes >> hex_ & 1 for letter in entry for hex_ in facts.entry_hexes.get(letter, []))


@lru_cache(maxsize=1024)
@rule("S1.3")
def set_up_area(facts: Facts, unit: int) -> int:
    """The hexes in which a German unit may begin."""
    row, hexes = facts.rows[unit], _whole_area(facts, unit)
    if row.area == "26VG" and row.red:
        hexes &= ~facts.map.area("26vg_wooded_rough")
    if row.id == "5FJ/11":
        hexes &= ~facts.map.area("5fj_wooded_rough")
    return hexes


def _whole_area(facts: Facts, unit: int) -> int:
    """The area of a unit's division, or those of its corps."""
    area = facts.rows[unit].area
    if not area.startswith(OF_CORPS):
        return facts.area_hexes[area]
    corps = area.removeprefix(OF_CORPS)
    return reduce(or_, (facts.area_hexes[each.id] for each in facts.areas if each.corps == corps))


def no_start(facts: Facts, p: Ardennes44, unit: int) -> Iterator[Bar]:
    """Hexes in which a unit may not be put."""
    s, row = Situation(facts, p), facts.rows[unit]
    whole, crowd = _whole_area(facts, unit), partial(_crowd, s, unit)
    yield Bar(
        s.occupied[ALLIED], "S1.3", lambda hex_: f"{facts.names_of(union(s.stack(hex_)))} is there, of the Allies"
    )
    yield Bar(~facts.all_areas, "S1.3", "no German unit starts there: it is in no German area")
    yield Bar(
        ~whole,
        "S1.3",
        lambda hex_: f"it is in the area of {_area_of(facts, hex_)}, and {row.name} starts in {_start_of(row)}",
    )
    yield Bar(~set_up_area(facts, unit), "S1.3", f"{row.name} starts outside the Wooded Rough of its area")
    yield Bar(1 << p.where[unit], "S1.3", f"{row.name} is there already")
    yield Bar(
        lambda hex_: not fits(facts, p.reduced, crowd(hex_)),
        "8.1",
        lambda hex_: f"no room beside {_mates(s, unit, hex_)}: {excess(facts, p.reduced, crowd(hex_))}",
    )


def can_start_elsewhere(s: Situation, unit: int) -> bool:
    """Whether there is room for a unit in another hex of its area; in a vacant one there always is."""
    area = set_up_area(s.facts, unit)
    vacant = area & ~(s.occupied[GERMAN] | s.occupied[ALLIED])
    return bool(vacant or open_to(area, no_start(s.facts, s.p, unit)))


def _crowd(s: Situation, unit: int, hex_: int) -> list[int]:
    """Those who would stand in a hex with a unit, and the unit itself."""
    return [*(mate for mate in s.stack(hex_) if mate != unit), unit]


def _mates(s: Situation, unit: int, hex_: int) -> str:
    return s.facts.names_of(union(s.stack(hex_)) & ~(1 << unit))


def _area_of(facts: Facts, hex_: int) -> str:
    return next(_spaced(area.id) for area in facts.areas if facts.area_hexes[area.id] >> hex_ & 1)


def _start_of(row: UnitRow) -> str:
    """Where a unit starts, in words."""
    if row.area.startswith(OF_CORPS):
        return f"those of {_corps(row.area.removeprefix(OF_CORPS))}"
    return f"that of {_spaced(row.area)}"


def _corps(name: str) -> str:
    return f"{name.replace('SS', ' SS')} Corps"


def _spaced(division: str) -> str:
    """A division's code as its units have it in their names: `26 VG`."""
    return re.sub(r"(?<=\d)(?=[A-Z])", " ", division)


@dataclass(frozen=True, slots=True)
class WhoStarts(Question):
    """A unit is to be named that starts elsewhere than in our set-up."""

    facts: Facts

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        rows, where = self.facts.rows, t.p.where
        allied = "is Allied: it starts in the hex that the scenario names"
        due = union([unit for unit, space in enumerate(where) if space == DUE])
        spare = union([unit for unit, space in enumerate(where) if space == POOL])
        absent = union([unit for unit, space in enumerate(where) if space < 0])
        yield Bar(due, "13.1", lambda unit: f"{rows[unit].name} is a reinforcement of turn {rows[unit].turn}")
        yield Bar(spare, "26.1", lambda unit: f"{rows[unit].name} is made only when a unit breaks down")
        yield Bar(absent, "S1.3", lambda unit: f"{rows[unit].name} takes no part in this scenario")
        yield Bar(self.facts.of_side[ALLIED], "S1.3", lambda unit: f"{rows[unit].name} {allied}")
        s = Situation(self.facts, t.p)
        yield Bar(
            lambda unit: not can_start_elsewhere(s, unit),
            "S1.3",
            lambda unit: f"{rows[unit].name} can start nowhere else: its area has no room for it",
        )

    def why_not(self, t: Table[Ardennes44], decision: Decision, asked: str) -> Refusal | None:
        """Of a hex, which cannot be chosen yet, one hears whose it is."""
        facts = self.facts
        if not facts.board.has(asked):
            return None
        hex_ = facts.board.at(asked)
        area = next((area for area in facts.areas if facts.area_hexes[area.id] >> hex_ & 1), None)
        whose = f"in the area of {_spaced(area.id)}, {_corps(area.corps)}" if area else "in no German area"
        return Refusal("S1.3", f"name a unit first: {facts.words(hex_)} is {whose}")


@dataclass(frozen=True, slots=True)
class Setting(Question):
    facts: Facts
    unit: int

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        return no_start(self.facts, t.p, self.unit)

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        return Subject((), (self.facts.rows[self.unit].id,))


@rule("S1.3")
def german_setup(t: Table[Ardennes44], facts: Facts) -> Play:
    """From a set-up of ours, units are put elsewhere one by one, until the German player is content."""
    p = t.p
    units = [unit for unit in facts.units_of[GERMAN] if p.where[unit] >= 0]
    about = WhoStarts(facts)
    while p.placed < MOST_TIMES * len(units):
        s = Situation(facts, p)
        options: list[Choice] = [*(unit for unit in units if can_start_elsewhere(s, unit)), DONE]
        prompt = "Put a unit elsewhere in its area, or begin"
        unit = yield Decision(GERMAN, prompt, options, "S1.3", Kind.UNIT, top=True, about=about)
        if unit == DONE:
            break
        hexes = members(open_to(set_up_area(facts, unit), no_start(facts, p, unit)))
        p.placed += 1
        prompt = f"Where does {facts.rows[unit].name} start?"
        p.where[unit] = yield Decision(GERMAN, prompt, hexes, "S1.3", Kind.SPACE, about=Setting(facts, unit))
    p.placed = 0
