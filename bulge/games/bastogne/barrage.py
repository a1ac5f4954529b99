"""The Barrage Phase: interdiction, German artillery, counterbattery (rules 12, 13.2, 27.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar
from bulge.core.decision import Choice, Decision, Kind, Play, Refusal
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.asked import Asked
from bulge.games.bastogne.facts import (
    COUNTERBATTERY,
    GERMAN,
    GONE,
    INTERDICTION,
    RESERVE,
    TRACKS,
    US,
    Facts,
    counted,
)
from bulge.games.bastogne.losses import Tally, inflict, note_losses
from bulge.games.bastogne.morale import change_morale
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import (
    artillery_strength,
    fire_director,
    germans_in,
    guns_in,
    markers_in,
    strength,
    us_in,
)
from bulge.games.bastogne.targets import SPLIT, share_out

MORALE = "morale"
GUNS, UNITS = "guns", "units"

# ---------------------------------------------------------------------- interdiction (27.2)


def target_words(target: str) -> str:
    kind, _, name = target.partition("_")
    if kind == MORALE:
        return "German morale"
    return f"the {'artillery' if kind == GUNS else 'units'} of the {name} Staging Area"


@rule("8.2", "15.10", "16.11", "27.2")
def interdiction_targets(facts: Facts, p: BastognePosition) -> list[str]:
    """Guns that can still fire and other units, by staging area; and morale."""
    found = []
    for track, name in enumerate(TRACKS):
        if ready_guns(facts, p, track):
            found.append(f"{GUNS}_{name}")
        if germans_in(facts, p, facts.staging[track]):
            found.append(f"{UNITS}_{name}")
    return [*found, MORALE]


@rule("27.2", "27.2.1")
def interdict(t: SiegeTable, facts: Facts) -> Play:
    """First every marker gets its target, then each target is rolled for."""
    p = t.p
    markers = markers_in(p, facts.airstrikes, facts.board.at(INTERDICTION))
    left = len(markers)
    allotted: dict[Choice, int] = dict.fromkeys(interdiction_targets(facts, p), 0)
    while left:
        prompt = f"What {'does' if left == 1 else 'do'} {counted(left, 'airstrike')} interdict?"
        question = WhatToInterdict(facts, left=left)
        first, targets = left == len(markers), [*allotted]
        target, count = yield from share_out(
            fire_director(p), prompt, left, targets, "27.2", Kind.NUMBER, question, top=first
        )
        allotted[target] += count
        left -= count
    for marker in markers:
        p.where[marker] = GONE
    for target, count in allotted.items():
        if count:
            yield from _strike(t, facts, str(target), count)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatToInterdict(Asked):
    left: int
    said = {f"{kind}_{name}": target_words(f"{kind}_{name}") for kind in (GUNS, UNITS) for name in TRACKS} | {
        MORALE: target_words(MORALE),
        SPLIT: "split them",
    }
    asides = (SPLIT,)

    def why_not_word(self, t: SiegeTable, decision: Decision, word: str) -> Refusal | None:
        return Refusal("27.2", "nothing of the kind is there to be hit") if word in self.said else None


def _strike(t: SiegeTable, facts: Facts, target: str, count: int) -> Play:
    dice = t.roll_each("27.2.1", f"{counted(count, 'airstrike')} against {target_words(target)}", count=count)
    sixes = facts.dice["interdiction"].count("effect", dice)
    if target == MORALE:
        _strike_morale(t, sixes)
        return
    kind, _, name = target.partition("_")
    track = TRACKS.index(name)
    if kind == GUNS:
        yield from _suppress(t, facts, track, sixes, "27.2.1")
        return
    tally = Tally()
    yield from inflict(t, facts, facts.staging[track], GERMAN, sixes, "27.2.1", tally)
    note_losses(t, facts, tally)


@rule("27.2.1")
def _strike_morale(t: SiegeTable, sixes: int) -> None:
    """However many sixes: one point a turn."""
    if sixes and not t.p.morale_struck:
        t.p.morale_struck = True
        change_morale(t, -1, "27.2.1", "airstrikes")


def ready_guns(facts: Facts, p: BastognePosition, track: int) -> list[int]:
    """German artillery that is not suppressed."""
    return [gun for gun in guns_in(facts, p, facts.staging[track]) if p.steps[gun] == 2]


@rule("12.1", "13.2")
def _suppress(t: SiegeTable, facts: Facts, track: int, sixes: int, rule_: str) -> Play:
    """A six suppresses one marker; one that is suppressed already is not affected."""
    p = t.p
    for _ in range(sixes):
        guns = ready_guns(facts, p, track)
        if not guns:
            return
        gun = guns[0]
        if len({facts.alike[each] for each in guns}) > 1:
            prompt, question = "Which artillery is suppressed?", WhichGuns(facts, space=facts.staging[track])
            gun = yield Decision(fire_director(p), prompt, guns, rule_, Kind.UNIT, about=question)
        p.steps[gun] = 1
        t.say(rule_, f"{facts.name_of(gun)} is suppressed.", units=(gun,))


class WhichGuns(Asked):
    """Which artillery of a staging area is suppressed."""

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, where = self.facts, self.facts.at(self.space)
        ready = union(ready_guns(facts, p, facts.track_of[self.space]))
        yield Bar(~ready, "13.2", lambda unit: f"{facts.name_of(unit)} is no artillery in {where} that can fire")


# ---------------------------------------------------------------------- German artillery (12.3)


@rule("9.4", "9.5", "12.3")
def fire_german_artillery(t: SiegeTable, facts: Facts, track: int) -> Play:
    """All ready guns of one staging area fire, if its division is in assault mode; then all results apply."""
    p = t.p
    if not p.assault >> track & 1:
        if ready_guns(facts, p, track):
            t.say("9.5", f"{TRACKS[track]}: the division is in refit mode, its artillery does not fire.")
        return
    hits = 0
    for gun in ready_guns(facts, p, track):
        dice = artillery_strength(facts, p, strength(facts, p, gun))
        hits += artillery_hits(t, facts, dice, f"{facts.name_of(gun)}, {TRACKS[track]}")
    yield from apply_artillery(t, facts, hits, track)


@rule("12.3", "16.12")
def artillery_hits(t: SiegeTable, facts: Facts, dice: int, who: str) -> int:
    """A die for each point of strength; sixes hit."""
    halved = ", halved: socked in" if facts.weather[t.p.weather].halved and "Luftwaffe" not in who else ""
    rolled = t.roll_each("12.3", f"{who}: {counted(dice, 'die', 'dice')}{halved}", count=dice)
    hits = facts.dice["german_artillery"].count("hit", rolled)
    t.say("12.3", f"{who} fires: {counted(hits, 'hit')}.")
    return hits


@rule("12.3", "12.3.1")
def apply_artillery(t: SiegeTable, facts: Facts, hits: int, track: int | None) -> Play:
    """A second die for each hit says what was hit; the Luftwaffe (no track) hits the Center, never an axis."""
    tallies: dict[int, Tally] = {}
    for die in t.roll_each("12.3.1", "what was hit", count=hits) if hits else []:
        result = facts.dice["german_artillery_second"].result(die)
        if result.startswith("supply"):
            yield from _supply_hit(t, facts, int(result[-1]), track, tallies)
        elif result == "center" or track is None:
            yield from _center_hit(t, facts, track, tallies)
        else:
            yield from _axis_hit(t, facts, track, tallies)
    for tally in tallies.values():
        note_losses(t, facts, tally)


@rule("12.3.1", "19.3")
def _supply_hit(t: SiegeTable, facts: Facts, points: int, track: int | None, tallies: dict[int, Tally]) -> Play:
    """One or two points are lost; with none left, the hit is on the Center."""
    p = t.p
    if not p.supply:
        t.say("12.3.1", "No supply is left to hit: the Center is hit instead.")
        yield from _center_hit(t, facts, track, tallies)
        return
    _lose_supply(t, points)


@rule("19.3")
def _lose_supply(t: SiegeTable, points: int) -> None:
    lost = min(points, t.p.supply)
    t.p.supply -= lost
    t.say("12.3.1", f"Supply is hit: {-lost:+d} to {t.p.supply}." if lost else "There is no supply to hit.")


@rule("12.3.1")
def _center_hit(t: SiegeTable, facts: Facts, track: int | None, tallies: dict[int, Tally]) -> Play:
    """A step in the Center; if nobody is there, the track of the guns; if nobody is there either, one supply."""
    if us_in(facts, t.p, facts.center):
        yield from _reduce(t, facts, facts.center, 1, tallies)
    elif track is not None and (space := foremost(facts, t.p, track)) is not None:
        t.say("12.3.1", f"The Center is empty: the hit is on the {TRACKS[track]} Track.")
        yield from _reduce(t, facts, space, _axis_steps(t.p, space), tallies)
    else:
        t.say("12.3.1", "Nobody is there to be hit: it counts as one supply point.")
        _lose_supply(t, 1)


@rule("12.3.1", "24.1.1")
def _axis_hit(t: SiegeTable, facts: Facts, track: int, tallies: dict[int, Tally]) -> Play:
    """The foremost US space of the track: one step if it is entrenched, else two; if there is none, the Center."""
    space = foremost(facts, t.p, track)
    if space is None:
        t.say("12.3.1", f"No US unit is on the {TRACKS[track]} Track: the hit is on the Center.")
        yield from _center_hit(t, facts, track, tallies)
    else:
        yield from _reduce(t, facts, space, _axis_steps(t.p, space), tallies)


@rule("24.1.1")
def _axis_steps(p: BastognePosition, space: int) -> int:
    return 1 if p.entrenched >> space & 1 else 2


@rule("12.3.1")
def foremost(facts: Facts, p: BastognePosition, track: int) -> int | None:
    """The highest numbered space of a track that holds US units."""
    return next((space for space in facts.tracks[track][-2:0:-1] if us_in(facts, p, space)), None)


@rule("12.3.2")
def _reduce(t: SiegeTable, facts: Facts, space: int, steps: int, tallies: dict[int, Tally]) -> Play:
    """The player says which units lose the steps; what nobody can take is lost."""
    tally = tallies.setdefault(space, Tally())
    yield from inflict(t, facts, space, US, steps, "12.3.2", tally)


# ---------------------------------------------------------------------- counterbattery (13.2)


@rule("4.2", "13.1", "13.2", "16.11")
def counterbattery(t: SiegeTable, facts: Facts) -> Play:
    """Every impact marker gets its staging area before any is rolled for."""
    p, board = t.p, facts.board
    markers = markers_in(p, facts.impacts, board.at(COUNTERBATTERY))
    targets = WhichBattery(facts).open(p, facts.staging_areas)
    aimed: dict[int, list[int]] = {}
    for marker in markers:
        target = targets[0] if targets else None
        if len(targets) > 1:
            side, prompt = fire_director(p), f"Which staging area does the {facts.name_of(marker)} hit?"
            question, first = WhichBattery(facts, unit=marker, last=marker == markers[-1]), marker == markers[0]
            target = yield Decision(side, prompt, targets, "13.2", Kind.SPACE, top=first, about=question)
        if target is not None:
            aimed.setdefault(facts.track_of[target], []).append(marker)
        else:
            t.say("13.2", f"The {facts.name_of(marker)} finds no German artillery that could fire.")
    for marker in markers:
        p.where[marker] = board.at(RESERVE)
    for track, firing in sorted(aimed.items()):
        dice = sum(impact_strength(facts, p, marker) for marker in firing)
        rolled = t.roll_each(
            "13.2", f"counterbattery against {TRACKS[track]}: {counted(dice, 'die', 'dice')}", count=dice
        )
        sixes = facts.dice["interdiction"].count("effect", rolled)
        yield from _suppress(t, facts, track, sixes, "13.2")


@dataclass(frozen=True, slots=True, kw_only=True)
class WhichBattery(Asked):
    """Which staging area an impact marker hits."""

    last: bool = False

    @rule("13.2", "16.11")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts = self.facts
        yield Bar(~facts.staging_areas, "13.2", "German artillery is in staging areas only")
        silent = union(area for track, area in enumerate(facts.staging) if not ready_guns(facts, p, track))
        yield Bar(silent, "13.2", "no German artillery that could fire is there")


@rule("13.3", "16.12")
def impact_strength(facts: Facts, p: BastognePosition, marker: int) -> int:
    """The impact of a gun, reduced or not; half of it when it is socked in."""
    return artillery_strength(facts, p, facts.us_rows[facts.gun_of[marker]].impact)
