"""Tactical fire of both sides (rule 16)."""

from __future__ import annotations

from dataclasses import dataclass, field

from bulge.core.decision import Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.bastogne.barrage import impact_strength
from bulge.games.bastogne.events import after_combat
from bulge.games.bastogne.facts import (
    CLOSE_SUPPORT,
    GERMAN,
    GONE,
    RESERVE,
    TACTICAL,
    TRACKS,
    US,
    Facts,
    counted,
)
from bulge.games.bastogne.losses import Tally, drive_out, inflict, note_losses
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.preparation import spend
from bulge.games.bastogne.situation import (
    defensive,
    fire_director,
    german_spaces,
    german_strength,
    in_range,
    markers_in,
    name_targets,
    of_track,
    range_of,
    spaces_within,
    strength,
    us_spaces,
)

FIRE, ALL, HOLD = "fire", "all", "hold"
ENHANCE, PLAIN = "enhance", "plain"


@dataclass
class Volley:
    """Fire that is being made ready against a space."""

    side: str
    space: int
    units: list[int] = field(default_factory=list)
    enhanced: bool = False


def names_of(facts: Facts, p: BastognePosition, units: list[int]) -> str:
    """Units with their strengths, so that the dice can be checked."""
    return ", ".join(f"{facts.name_of(unit)} {strength(facts, p, unit)}" for unit in units)


# ---------------------------------------------------------------------- the table (16.2, 16.6)


@rule("2.2", "16.2", "16.6", "16.10")
def roll_fire(t: Table[BastognePosition], facts: Facts, dice: int, column: str, who: str) -> tuple[int, int]:
    """A die for each factor; the answer is hits and retreats."""
    if not dice:
        return 0, 0
    rolled = t.roll_each("16.2", f"{who}: {counted(dice, 'die', 'dice')}, {column} column", count=dice)
    results = [facts.dice[f"fire_{column}"].result(die) for die in rolled]
    hits, retreats = results.count("hit"), results.count("retreat")
    t.say("16.6", f"{who}: {counted(hits, 'hit')}, {counted(retreats, 'retreat')}.")
    return hits, retreats


@rule("16.10")
def column_of(facts: Facts, p: BastognePosition, space: int, side: str) -> str:
    """The column for fire at units of a side in a space."""
    return "defensive" if defensive(facts, p, space, side) else "open"


@rule("6.1", "7.2", "16.6")
def resolve(t: Table[BastognePosition], facts: Facts, space: int, side: str, dice: int, who: str) -> Play:
    """Roll, hit, drive out, and see what it means for morale and fortune."""
    tally = Tally()
    hits, retreats = roll_fire(t, facts, dice, column_of(facts, t.p, space, side), who)
    yield from inflict(t, facts, space, side, hits, "16.6", tally)
    yield from drive_out(t, facts, space, side, retreats, tally)
    note_losses(t, facts, tally)
    yield from after_combat(t, facts, tally)


# ---------------------------------------------------------------------- US fire support (16.3, 16.13)


@rule("13.1", "16.3", "16.13", "27.3")
def place_support(t: Table[BastognePosition], facts: Facts) -> Play:
    """Impact markers and airstrikes are laid on spaces with Germans, anywhere on the map."""
    p, board = t.p, facts.board
    targets = members(german_spaces(facts, p) & facts.spaces)
    for marker in markers_in(p, facts.impacts, board.at(CLOSE_SUPPORT)):
        goal: Choice = HOLD
        if targets:
            prompt = f"Which space does the {facts.name_of(marker)} hit?"
            options: list[Choice] = [*targets, HOLD]
            goal = yield Decision(fire_director(p), prompt, options, "16.3", Kind.SPACE, top=True)
        p.where[marker] = goal if isinstance(goal, int) else board.at(RESERVE)
    while tactical := markers_in(p, facts.airstrikes, board.at(TACTICAL)):
        if not targets:
            _recall(facts, p, tactical)
            return
        side, prompt = fire_director(p), f"Which space do airstrikes attack? {len(tactical)} are left"
        options = [*targets, HOLD]
        goal = yield Decision(side, prompt, options, "27.3", Kind.SPACE, top=True)
        if not isinstance(goal, int):
            _recall(facts, p, tactical)
            return
        count = yield Decision(side, "How many of them?", range(1, len(tactical) + 1), "16.13", Kind.NUMBER)
        for marker in tactical[:count]:
            p.where[marker] = goal


def _recall(facts: Facts, p: BastognePosition, airstrikes: list[int]) -> None:
    for marker in airstrikes:
        p.where[marker] = GONE


def support_at(facts: Facts, p: BastognePosition, space: int) -> tuple[list[int], list[int]]:
    """The impact markers and the airstrikes laid on a space."""
    return markers_in(p, facts.impacts, space), markers_in(p, facts.airstrikes, space)


# ---------------------------------------------------------------------- US tactical fire (16.3)


@rule("16.1", "16.3", "16.5", "16.11")
def able_to_fire(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    """US units in range that have not fired. Artillery fires by its impact markers only (13.5)."""
    here = 1 << space
    return [
        unit
        for unit in facts.us_units
        if p.where[unit] >= 0
        and not p.done >> unit & 1
        and unit not in facts.impact_of
        and strength(facts, p, unit)
        and in_range(facts, p, unit) & here
    ]


@rule("16.1", "16.3", "19.2")
def us_fire(t: Table[BastognePosition], facts: Facts) -> Play:
    """Target by target, as the player likes; each unit fires once."""

    def may_be_fired_at(space: int) -> bool:
        return any(support_at(facts, t.p, space)) or bool(able_to_fire(facts, t.p, space))

    prompt = "Fire at a space, or end tactical fire"
    yield from name_targets(t, facts, may_be_fired_at, _fire_at, prompt, "16.3")
    _clear_support(t, facts)


def _fire_at(t: Table[BastognePosition], facts: Facts, side: str, space: int) -> Play:
    p = t.p
    volley = Volley(US, space)
    while able := [unit for unit in able_to_fire(facts, p, space) if unit not in volley.units]:
        options: list[Choice] = [*able, ALL]
        if volley.units or any(support_at(facts, p, space)):
            options.append(FIRE)
        prompt = f"Who fires at {facts.at(space)}?"
        unit = yield Decision(side, prompt, options, "16.2", Kind.UNIT, about=volley)
        if unit == FIRE:
            break
        volley.units += able if unit == ALL else [unit]
    if may_enhance(facts, p, volley.units):
        prompt = f"Spend a supply point for +1 to each unit that fires? Supply is {p.supply}"
        answer = yield Decision(side, prompt, [ENHANCE, PLAIN], "19.2", about=volley)
        if answer == ENHANCE:
            volley.enhanced = True
            spend(t, 1, "19.2", f"fire at {facts.at(space)}")
    for unit in volley.units:
        p.done |= 1 << unit
    dice = us_dice(facts, p, volley)
    who = f"US fire at {facts.at(space)}"
    if t.keeps_log:
        t.say("16.3", f"{who}: {_parts_of(facts, p, volley)}.", spaces=(space,), units=tuple(volley.units))
    impacts, airstrikes = support_at(facts, p, space)
    for marker in impacts:
        p.where[marker] = facts.board.at(RESERVE)
    _recall(facts, p, airstrikes)
    yield from resolve(t, facts, space, GERMAN, dice, who)


def _parts_of(facts: Facts, p: BastognePosition, volley: Volley) -> str:
    """What the dice of a US volley are made of."""
    impacts, airstrikes = support_at(facts, p, volley.space)
    parts = [names_of(facts, p, volley.units)] if volley.units else []
    if volley.enhanced:
        parts.append("each +1 for supply")
    parts += [f"{facts.name_of(marker)} {impact_strength(facts, p, marker)}" for marker in impacts]
    if airstrikes:
        parts.append(counted(len(airstrikes), "airstrike"))
    return ", ".join(parts)


@rule("19.2")
def may_enhance(facts: Facts, p: BastognePosition, units: list[int]) -> bool:
    """A supply point and an HQ in a space of a unit that takes part."""
    spaces = {p.where[unit] for unit in units if unit not in facts.impact_of}
    return p.supply > 0 and any(p.where[hq] in spaces for hq in facts.hqs)


@rule("16.2", "19.2", "27.3")
def us_dice(facts: Facts, p: BastognePosition, volley: Volley) -> int:
    """Factors of units (one more each if supply was spent), impact markers and airstrikes."""
    impacts, airstrikes = support_at(facts, p, volley.space)
    dice = enhanced_strength(facts, p, volley.units, enhanced=volley.enhanced)
    return dice + sum(impact_strength(facts, p, marker) for marker in impacts) + len(airstrikes)


@rule("19.2")
def enhanced_strength(facts: Facts, p: BastognePosition, units: list[int], *, enhanced: bool) -> int:
    """Supply adds one to each unit that is no artillery."""
    plain = sum(strength(facts, p, unit) for unit in units)
    return plain + sum(unit not in facts.impact_of for unit in units) if enhanced else plain


def _clear_support(t: Table[BastognePosition], facts: Facts) -> None:
    """Markers that were laid but not used (13.0, 27.1)."""
    p = t.p
    for space in members(facts.spaces):
        impacts, airstrikes = support_at(facts, p, space)
        for marker in impacts:
            p.where[marker] = facts.board.at(RESERVE)
        _recall(facts, p, airstrikes)


# ---------------------------------------------------------------------- German tactical fire (16.4)


@rule("9.5", "16.4", "16.5", "16.11")
def german_target(facts: Facts, p: BastognePosition, track: int, space: int) -> int | None:
    """Whom the Germans in a space fire at: adjacent US units first, then those two spaces off.

    Of two at the same distance it is the one under fire from adjacent Germans, then the one nearer to the Center.
    """
    enemies, number = us_spaces(facts, p), facts.number_of[space]
    line = facts.tracks[track]
    for distance in range(1, range_of(facts, p) + 1):
        near = [line[n] for n in (number - distance, number + distance) if 0 <= n < len(line) - 1]
        found = [s for s in near if enemies >> s & 1]
        if found:
            return next((s for s in found if _pinned(facts, p, track, s)), found[0])
    return None


def _pinned(facts: Facts, p: BastognePosition, track: int, space: int) -> bool:
    """Whether Germans of this track stand next to a space."""
    return bool(spaces_within(facts, space, 1, [track]) & _spaces_of(facts, p, track))


def _spaces_of(facts: Facts, p: BastognePosition, track: int) -> int:
    return union([space for space in facts.tracks[track][:-1] if of_track(facts, p, track, space)])


@rule("16.4")
def german_volleys(facts: Facts, p: BastognePosition, track: int) -> list[Volley]:
    """Who fires at whom on a track, all fire at one space combined; the space nearest to the Center first."""
    by_target: dict[int, list[int]] = {}
    for space in facts.tracks[track][:-1]:
        units = of_track(facts, p, track, space)
        target = german_target(facts, p, track, space) if units else None
        if target is not None:
            by_target.setdefault(target, []).extend(units)
    return [Volley(GERMAN, s, by_target[s]) for s in sorted(by_target, key=lambda s: facts.number_of[s])]


@rule("16.4", "24.1.1")
def german_fire(t: Table[BastognePosition], facts: Facts, track: int) -> Play:
    """All that can fire must fire, in either mode."""
    p = t.p
    if not range_of(facts, p):
        if track == 0:
            t.say("16.12", "Socked in: no ground unit fires at a distance.")
        return
    for volley in german_volleys(facts, p, track):
        if not us_spaces(facts, p) >> volley.space & 1:
            continue
        units = [unit for unit in volley.units if p.where[unit] >= 0]
        dug_in = bool(p.entrenched >> volley.space & 1)
        dice = german_strength(facts, p, units, entrenched=dug_in)
        who = f"German fire, {TRACKS[track]}, at {facts.at(volley.space)}"
        less = ", each one less against the entrenchment" if dug_in else ""
        t.say("16.4", f"{who}: {names_of(facts, p, units)}{less}.", spaces=(volley.space,), units=tuple(units))
        yield from resolve(t, facts, volley.space, US, dice, who)
