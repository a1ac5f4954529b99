"""German set-up, reinforcements and refit (rules 8, 10, 12.2, 22, 28.2)."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.rulebook import rule
from bulge.games.bastogne.facts import GONE, LATE_FROM, NO_TRACK, TRACKS, WAITING, Facts
from bulge.games.bastogne.morale import level, morale_check
from bulge.games.bastogne.position import BastognePosition, SiegeTable

# ---------------------------------------------------------------------- set-up (28.2)


@rule("8.3", "28.2", "28.21", "28.22", "28.23", "28.24")
def deploy_germans(t: SiegeTable, facts: Facts) -> None:
    """A division to each staging area by lot, two dice of its units, and a die of corps units."""
    p = t.p
    hqs = list(facts.divisions)
    for track in TRACKS:
        p.division.append(t.draw(hqs))
        t.say("28.21", f"{facts.formations[p.division[-1]].name} is drawn for the {track} Staging Area.")
    for division in p.division:
        _draw_units(t, facts, division, t.roll("28.22", _units_of(facts, division), count=2), "28.22")
    count = t.roll("28.23", _units_of(facts, facts.corps))
    _draw_units(t, facts, facts.corps, count, "28.23")


def _units_of(facts: Facts, formation: int) -> str:
    return f"units of {facts.formations[formation].name} at the start"


def _draw_units(t: SiegeTable, facts: Facts, formation: int, count: int, rule_: str) -> None:
    pool = waiting_units(facts, t.p, formation)
    drawn = [t.draw(pool) for _ in range(min(count, len(pool)))]
    arrive(t, facts, formation, drawn, rule_)


# ---------------------------------------------------------------------- arriving (10.3)


@rule("8.5", "10.1", "10.3", "12.1")
def arrive(t: SiegeTable, facts: Facts, formation: int, units: list[int], rule_: str) -> None:
    """Units come to their division's staging area; new formations draw one for all, corps units one each."""
    p = t.p
    kind, name = facts.formations[formation].kind, facts.formations[formation].name
    if kind == "division":
        home = p.division.index(formation)
    elif kind == "new":
        known = (p.track[unit - facts.german_units.start] for unit in facts.formation_units[formation])
        home = next((track for track in known if track != NO_TRACK), NO_TRACK)
        if home == NO_TRACK:
            home = place_at_random(t, facts, f"the staging area of {name}", "10.3")
    for unit in units:
        at = unit - facts.german_units.start
        if kind == "corps":
            home = place_at_random(t, facts, f"the staging area of {facts.name_of(unit)}", "10.3")
        p.track[at] = home
        p.where[unit] = facts.staging[home]
        words = f"{facts.name_of(unit)} ({name}) is in the {TRACKS[home]} Staging Area."
        t.say(rule_, words, spaces=(facts.staging[home],), units=(unit,))
    if kind == "new":
        for unit in facts.formation_units[formation]:
            p.track[unit - facts.german_units.start] = home


@rule("10.3")
def place_at_random(t: SiegeTable, facts: Facts, what: str, rule_: str) -> int:
    """The Random Placement Table: roll until it names a track."""
    while True:
        result = facts.dice["placement"].result(t.roll(rule_, f"random placement: {what}"))
        if result in TRACKS:
            return TRACKS.index(result)


# ---------------------------------------------------------------------- reinforcements (10.1)


@rule("10.1")
def waiting(facts: Facts, p: BastognePosition) -> list[int]:
    """The formations that have units waiting; corps units come by an event only (10.2)."""
    return [
        formation
        for formation, units in enumerate(facts.formation_units)
        if formation != facts.corps and any(p.where[unit] == WAITING for unit in units)
    ]


@rule("4.2", "10.1")
def reinforce(t: SiegeTable, facts: Facts) -> None:
    """As many formations as the table says arrive with all that they have waiting."""
    for formation in _formations_that_come(t, facts, "10.1"):
        arrive(t, facts, formation, waiting_units(facts, t.p, formation), "10.1")


@rule("29.0", "10.1")
def reinforce_by_event(t: SiegeTable, facts: Facts) -> None:
    """The same table; but of each formation only a die of units arrives."""
    for formation in _formations_that_come(t, facts, "29.0"):
        pool = waiting_units(facts, t.p, formation)
        count = min(len(pool), t.roll("29.0", f"units of {facts.formations[formation].name} that arrive"))
        arrive(t, facts, formation, [t.draw(pool) for _ in range(count)], "29.0")


def waiting_units(facts: Facts, p: BastognePosition, formation: int) -> list[int]:
    return [unit for unit in facts.formation_units[formation] if p.where[unit] == WAITING]


@rule("10.1")
def _formations_that_come(t: SiegeTable, facts: Facts, rule_: str) -> Iterator[int]:
    """A die, modified by morale and date: no, one, or two formations; which, another die says."""
    p = t.p
    name, _ = level(p)
    modifier = facts.numbers[f"reinforcement_{name}"]
    late = facts.numbers["reinforcement_late"] if p.turn >= LATE_FROM else 0
    words = f"German reinforcements ({name} morale {modifier:+d}, date {late:+d})"
    die = t.roll(rule_, words)
    result = facts.dice["reinforcement"].result(die + modifier + late)
    t.say(rule_, f"German reinforcements: {result.replace('_', ' ')}.")
    allowed = {"no": 0, "yes": 1, "yes_twice": 2}[result]
    ready = waiting(facts, p)
    for _ in range(min(allowed, len(ready))):
        formation = ready[0] if len(ready) <= allowed else _roll_formation(t, facts, ready, rule_)
        ready.remove(formation)
        allowed -= 1
        yield formation


@rule("10.1")
def _roll_formation(t: SiegeTable, facts: Facts, ready: list[int], rule_: str) -> int:
    """The Formation Table: roll until it names a formation that has units waiting."""
    while True:
        result = facts.dice["formation"].result(t.roll(rule_, "which formation"))
        if facts.formation_named[result] in ready:
            return facts.formation_named[result]


# ---------------------------------------------------------------------- refit (22)


@rule("9.6", "22.0", "22.1", "22.2")
def refit_germans(t: SiegeTable, facts: Facts) -> None:
    """In staging areas of divisions in refit mode: checks for who is reduced, then the eliminated come back."""
    p = t.p
    for track in range(4):
        if p.assault >> track & 1:
            continue
        refit_check(t, facts, track, "22.1")
        for at, unit in enumerate(facts.german_units):
            if p.where[unit] == GONE and p.track[at] == track:
                p.where[unit], p.steps[unit] = facts.staging[track], 1
                state = ", reduced" if facts.german_full[unit] > 1 else ""
                words = f"{facts.name_of(unit)} comes back to {TRACKS[track]}{state}."
                t.say("22.1", words, units=(unit,))


@rule("6.4", "12.2", "22.1")
def refit_check(t: SiegeTable, facts: Facts, track: int, rule_: str) -> None:
    """A morale check for each reduced unit and each suppressed gun in a staging area."""
    p = t.p
    for unit in facts.german_units:
        if p.where[unit] != facts.staging[track] or p.steps[unit] >= facts.german_full[unit]:
            continue
        if morale_check(t, rule_, facts.name_of(unit)):
            p.steps[unit] += 1
            state = "ready again" if unit in facts.german_guns else "at full strength"
            t.say("12.2" if unit in facts.german_guns else rule_, f"{facts.name_of(unit)} is {state}.")
