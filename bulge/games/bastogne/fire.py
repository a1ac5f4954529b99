"""Tactical fire of both sides (rule 16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Play, Preview, Refusal
from bulge.core.look import Subject
from bulge.core.priority import Line, least, narrow
from bulge.core.rulebook import rule
from bulge.core.spaces import lowest, members, union
from bulge.games.bastogne.asked import Asked, not_at_hand, not_on_the_map
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
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.preparation import spend
from bulge.games.bastogne.situation import (
    defensive,
    fire_director,
    german_spaces,
    german_strength,
    germans_in,
    in_range,
    markers_in,
    of_track,
    range_of,
    strength,
    us_spaces,
)
from bulge.games.bastogne.targets import ORDERS, SPLIT, Target, name_targets, share_out

FIRE, ALL = "fire", "all"
ENHANCED = {FIRE: "fire_enhanced", ALL: "all_enhanced"}
ENHANCE, PLAIN = "enhance", "plain"


@dataclass(slots=True)
class Volley:
    """Fire that is being made ready against a space."""

    side: str
    space: int
    units: list[int] = field(default_factory=list)
    enhanced: bool = False

    def with_choice(self, facts: Facts, p: BastognePosition, choice: Choice) -> Volley:
        """The volley as it would be with one unit more, with all of them, or with supply."""
        units = self.units
        if isinstance(choice, int):
            units = [*units, choice]
        elif choice in (ALL, ENHANCED[ALL]):
            units = able_to_fire(facts, p, self.space)
        return Volley(self.side, self.space, units, choice in ENHANCED.values())


def names_of(facts: Facts, p: BastognePosition, units: list[int]) -> str:
    """Units with their strengths, so that the dice can be checked."""
    return ", ".join(f"{facts.name_of(unit)} {strength(facts, p, unit)}" for unit in units)


# ---------------------------------------------------------------------- the table (16.2, 16.6)


@rule("2.2", "16.2", "16.6", "16.10")
def roll_fire(
    t: SiegeTable, facts: Facts, space: int, dice: int, column: str, who: str, kind: str = "result"
) -> tuple[int, int]:
    """A die for each factor; the answer is hits and retreats. Within an assault it is no fight of its own."""
    if not dice:
        return 0, 0
    how = f"{who}, {counted(dice, 'die', 'dice')}, {column} column"
    rolled = t.roll_each("16.2", how, count=dice)
    table = facts.dice[f"fire_{column}"]
    hits, retreats = table.count("hit", rolled), table.count("retreat", rolled)
    words = f"{how}: {counted(hits, 'hit')}, {counted(retreats, 'retreat')}."
    t.say("16.2", words, spaces=(space,), kind=kind)
    return hits, retreats


@rule("16.10")
def column_of(facts: Facts, p: BastognePosition, space: int, side: str) -> str:
    """The column for fire at units of a side in a space."""
    return "defensive" if defensive(facts, p, space, side) else "open"


@rule("6.1", "7.2", "16.6")
def resolve(t: SiegeTable, facts: Facts, space: int, side: str, dice: int, who: str) -> Play:
    """Roll, hit, drive out, and see what it means for morale and fortune."""
    tally = Tally()
    hits, retreats = roll_fire(t, facts, space, dice, column_of(facts, t.p, space, side), who)
    yield from inflict(t, facts, space, side, hits, "16.6", tally)
    yield from drive_out(t, facts, space, side, retreats, tally)
    note_losses(t, facts, tally)
    yield from after_combat(t, facts, tally)


# ---------------------------------------------------------------------- US fire support (16.3, 16.13)


@rule("13.1", "16.3", "16.13", "27.3")
def place_support(t: SiegeTable, facts: Facts) -> Play:
    """Impact markers, the heaviest first, and airstrikes are laid on spaces with Germans, anywhere on the map."""
    p, board, question = t.p, facts.board, LaySupport(facts)
    targets: list[Choice] = [*question.open(p, facts.spaces)]
    for markers, box, rule_, what in (
        (facts.heaviest, CLOSE_SUPPORT, "16.3", "impact marker"),
        (facts.airstrikes, TACTICAL, "27.3", "airstrike"),
    ):
        while waiting := markers_in(p, markers, board.at(box)):
            goal, count = GONE if box == TACTICAL else board.at(RESERVE), len(waiting)
            if targets:
                prompt = f"Which space {'does' if count == 1 else 'do'} {counted(count, what)} hit?"
                side = fire_director(p)
                goal, count = yield from share_out(
                    side, prompt, count, targets, rule_, Kind.SPACE, question, top=True
                )
                t.say(rule_, f"{counted(count, what)} laid on {facts.at(goal)}.", spaces=(goal,))
            for marker in waiting[:count]:
                p.where[marker] = goal


class LaySupport(Asked):
    """Where impact markers or airstrikes are laid."""

    said = {SPLIT: "split them"}
    asides = (SPLIT,)

    @rule("16.3", "16.11")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        yield Bar(~german_spaces(self.facts, p), "16.3", "no German unit is there")


def _recall(facts: Facts, p: BastognePosition, airstrikes: list[int]) -> None:
    for marker in airstrikes:
        p.where[marker] = GONE


def support_at(facts: Facts, p: BastognePosition, space: int) -> tuple[list[int], list[int]]:
    """The impact markers and the airstrikes laid on a space."""
    return markers_in(p, facts.impacts, space), markers_in(p, facts.airstrikes, space)


# ---------------------------------------------------------------------- US tactical fire (16.3)


@rule("16.1", "16.3", "16.5", "16.11")
def able_to_fire(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    """US units in range that have not fired."""
    return members(open_to(facts.us_set, may_not_fire(facts, p, space)))


@rule("13.5", "16.1", "16.3", "16.5")
def may_not_fire(facts: Facts, p: BastognePosition, space: int) -> Iterator[Bar]:
    """Units that cannot fire at a space, or have fired."""
    name, reach = facts.name_of, range_of(facts, p)
    yield from not_at_hand(facts, p)
    yield Bar(~facts.us_set, "25.0", lambda unit: f"{name(unit)} leads, and does not fire")
    yield Bar(facts.gun_set, "13.5", "artillery fires by its impact marker only")
    yield Bar(p.done, "16.1", lambda unit: f"{name(unit)} has fired already")
    if not reach:
        yield Bar(-1, "16.12", "it is socked in: no ground unit fires at a distance")
    near, there = in_range(facts, p, space), facts.at(space)
    off = union([unit for unit in facts.shooters if p.where[unit] >= 0 and not near >> p.where[unit] & 1])
    far = f"not within {reach} of {there} along its track"
    yield Bar(off, "16.5", lambda unit: f"{name(unit)} is in {facts.at(p.where[unit])}, {far}")
    yield Bar(lambda unit: not strength(facts, p, unit), "16.2", "it has no strength to fire with")


@rule("16.1", "16.3", "19.2")
def us_fire(t: SiegeTable, facts: Facts) -> Play:
    """Target by target, as the player likes; each unit fires once."""
    yield from name_targets(t, facts, FireTarget, _fire_at, "Fire at a space, or end tactical fire", "16.3")
    _clear_support(t, facts)


class FireTarget(Target):
    said = ORDERS | {DONE: "end tactical fire"}

    def out_of_reach(self, p: BastognePosition) -> Iterator[Bar]:
        facts = self.facts
        supported = union([p.where[marker] for marker in (*facts.impacts, *facts.airstrikes)])
        ready = {p.where[unit] for unit in facts.shooters if not p.done >> unit & 1 and strength(facts, p, unit)}
        reached = 0
        for space in ready:
            reached |= in_range(facts, p, space) if space >= 0 else 0
        words = f"no unit that can still fire has it in range, which is {range_of(facts, p)} today"
        yield Bar(~(supported | reached), "16.5", words)


def _fire_at(t: SiegeTable, facts: Facts, side: str, space: int) -> Play:
    p = t.p
    volley = Volley(US, space)
    question = WhoFires(facts, space=space, volley=volley)
    while True:
        able = question.open(p, facts.us_set)
        options: list[Choice] = [*able, ALL] if able else []
        if volley.units or any(support_at(facts, p, space)):
            options.append(FIRE)
        options += [ENHANCED[word] for word in (ALL, FIRE) if word in options and question.enhances(p, word)]
        prompt = f"Who fires at {facts.at(space)}? Supply is {p.supply}"
        unit = yield Decision(side, prompt, options, "16.2", Kind.UNIT, about=question)
        volley.units += able if unit in (ALL, ENHANCED[ALL]) else [unit] if isinstance(unit, int) else []
        if unit in ENHANCED.values():
            volley.enhanced = True
            spend(t, 1, "19.2", f"fire at {facts.at(space)}")
        if isinstance(unit, str):
            break
    for unit in volley.units:
        p.done |= 1 << unit
    dice = us_dice(facts, p, volley)
    who = f"US fire at {facts.at(space)}"
    if t.keeps_log:
        words = f"{who}: {_parts_of(facts, p, volley)}."
        t.say("16.3", words, spaces=(space,), units=tuple(volley.units), kind="battle")
    impacts, airstrikes = support_at(facts, p, space)
    for marker in impacts:
        p.where[marker] = facts.board.at(RESERVE)
    _recall(facts, p, airstrikes)
    yield from resolve(t, facts, space, GERMAN, dice, who)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoFires(Asked):
    """Units are named for a volley, one after the other."""

    volley: Volley
    said = {
        FIRE: "fire now",
        ALL: "everybody in range fires",
        ENHANCED[FIRE]: "spend a supply point for +1 to each unit, and fire",
        ENHANCED[ALL]: "spend a supply point for +1 to each unit, and everybody in range fires",
    }
    strikes = tuple(said)

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield Bar(union(self.volley.units), "16.1", lambda unit: f"{self.facts.name_of(unit)} fires already")
        yield from may_not_fire(self.facts, p, self.space)

    def enhances(self, p: BastognePosition, word: Choice) -> bool:
        return may_enhance(self.facts, p, self.volley.with_choice(self.facts, p, word).units)

    def why_not_word(self, t: SiegeTable, decision: Decision, word: str) -> Refusal | None:
        if word in ENHANCED.values():
            return Refusal("19.2", "it takes a supply point, and an HQ in the space of a unit that fires")
        return Refusal("16.2", "nobody fires yet: name a unit first") if word == FIRE else None

    def preview(self, t: SiegeTable, decision: Decision, choice: Choice) -> Preview:
        return preview_volley(self.facts, t.p, self.volley.with_choice(self.facts, t.p, choice))

    def subject(self, t: SiegeTable, decision: Decision) -> Subject:
        """Who fires, and the marks of the guns that do."""
        firing = (*self.volley.units, *support_at(self.facts, t.p, self.space)[0])
        return Subject((self.facts.board.name(self.space),), tuple(map(self.facts.id_of, firing)))


def preview_volley(facts: Facts, p: BastognePosition, volley: Volley) -> Preview:
    dice, column = us_dice(facts, p, volley), column_of(facts, p, volley.space, GERMAN)
    steps = sum(p.steps[unit] for unit in germans_in(facts, p, volley.space))
    chance = Fraction(facts.dice[f"fire_{column}"].faces.count("hit"), 6)
    there = f"{facts.at(volley.space)}, {column} column, {counted(steps, 'German step')} there"
    words = f"{counted(dice, 'die', 'dice')} at {there}"
    return Preview(words, dice, steps, (), column, hit_chances(dice, chance))


def hit_chances(dice: int, chance: Fraction, most: int = 3) -> tuple[tuple[str, Fraction], ...]:
    """The chance of no hit, one, two, and so many or more."""
    few = range(min(dice + 1, most))
    exact = [comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in few]
    found = [(f"{hits} hit{'' if hits == 1 else 's'}", each) for hits, each in enumerate(exact)]
    if dice >= most:
        found.append((f"{most} or more hits", Fraction(1) - sum(exact)))
    return tuple(found)


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


def _clear_support(t: SiegeTable, facts: Facts) -> None:
    """Markers that were laid but not used (13.0, 27.1)."""
    p = t.p
    for space in members(facts.spaces):
        impacts, airstrikes = support_at(facts, p, space)
        for marker in impacts:
            p.where[marker] = facts.board.at(RESERVE)
        _recall(facts, p, airstrikes)


# ---------------------------------------------------------------------- German tactical fire (16.4)


@rule("9.5", "16.4", "16.5", "16.11")
def german_target(t: SiegeTable, facts: Facts, track: int, space: int) -> int | None:
    """Whom the Germans in a space fire at: what the list of 16.4 leaves of US units in range on their track."""
    p, line, number = t.p, facts.tracks[track], facts.number_of[space]
    reach = range_of(facts, p)
    near = union(line[max(0, number - reach) : min(len(line) - 1, number + reach + 1)])
    targets = us_spaces(facts, p) & near & ~(1 << space)
    if not targets:
        return None
    ours = union([at for at in line[:-1] if of_track(facts, p, track, at)])
    lines = (
        Line("16.4", "nearest to the units that fire", least(lambda at: abs(facts.number_of[at] - number))),
        Line("16.4", "adjacent to German units of the track", facts.around(ours)),
        Line("16.4", "nearest to the Center", least(lambda at: facts.number_of[at])),
    )
    return lowest(narrow(t, targets, lines))


@rule("16.4")
def german_volleys(t: SiegeTable, facts: Facts, track: int) -> list[Volley]:
    """Who fires at whom on a track, all fire at one space combined; the space nearest to the Center first."""
    p = t.p
    by_target: dict[int, list[int]] = {}
    for space in facts.tracks[track][:-1]:
        units = of_track(facts, p, track, space)
        target = german_target(t, facts, track, space) if units else None
        if target is not None:
            by_target.setdefault(target, []).extend(units)
    return [Volley(GERMAN, s, by_target[s]) for s in sorted(by_target, key=lambda s: facts.number_of[s])]


@rule("16.4", "24.1.1")
def german_fire(t: SiegeTable, facts: Facts, track: int) -> Play:
    """All that can fire must fire, in either mode."""
    p = t.p
    if not range_of(facts, p):
        if track == 0:
            t.say("16.12", "Socked in: no ground unit fires at a distance.")
        return
    for volley in german_volleys(t, facts, track):
        if not us_spaces(facts, p) >> volley.space & 1:
            continue
        units = [unit for unit in volley.units if p.where[unit] >= 0]
        dug_in = bool(p.entrenched >> volley.space & 1)
        dice = german_strength(facts, p, units, entrenched=dug_in)
        who = f"German fire, {TRACKS[track]}, at {facts.at(volley.space)}"
        less = ", each one less against the entrenchment" if dug_in else ""
        words = f"{who}: {names_of(facts, p, units)}{less}."
        t.say("16.4", words, spaces=(volley.space,), units=tuple(units), kind="battle")
        yield from resolve(t, facts, volley.space, US, dice, who)
