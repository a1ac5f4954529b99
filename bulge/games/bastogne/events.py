"""Fortunes of War: when a chit is drawn, and what each does (rules 7 and 29)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from bulge.core.bars import Bar
from bulge.core.decision import Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.asked import Asked, no_room, not_on_the_map, who_stands
from bulge.games.bastogne.barrage import apply_artillery, artillery_hits
from bulge.games.bastogne.facts import (
    GERMAN,
    GONE,
    INTERDICTION,
    TACTICAL,
    TRACKS,
    US,
    WAITING,
    Facts,
    counted,
)
from bulge.games.bastogne.losses import Tally, go_together
from bulge.games.bastogne.morale import change_morale
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.preparation import add_supply
from bulge.games.bastogne.reinforcements import (
    arrive,
    place_at_random,
    refit_check,
    reinforce_by_event,
    waiting_units,
)
from bulge.games.bastogne.situation import (
    fire_director,
    german_spaces,
    germans_in,
    markers_in,
    us_spaces,
)

LOWEST_BY_EVENT = 2
PATTON, MORALE = "patton", "morale"

Effect = Callable[[SiegeTable, Facts], Play | bool | None]
"""What an event does; one that asks is a generator. True from a marker that is kept for later."""


@rule("7.1", "7.2")
def after_combat(t: SiegeTable, facts: Facts, tally: Tally, *, german_win: bool = False) -> Play:
    """A chit if a battalion was lost, both sides together, or the Germans won a close assault; one at most."""
    battalions = tally.of(facts, US) + tally.of(facts, GERMAN)
    if battalions or german_win:
        why = f"{counted(battalions, 'battalion')} lost" if battalions else "the Germans won a close assault"
        yield from draw_event(t, facts, why)


@rule("7.3", "7.4", "7.5")
def draw_event(t: SiegeTable, facts: Facts, why: str) -> Play:
    """Draw, carry out, and put back or away."""
    p = t.p
    if not p.cup:
        t.say("7.3", "The cup of Fortunes of War is empty.")
        return
    number = t.draw(p.cup)
    p.drawn_events.append(number)
    event = facts.events[number]
    t.say("7.3", f"Fortunes of War ({why}): {event.name}.")
    done = EFFECTS[event.id](t, facts)
    kept = (yield from done) if isinstance(done, Generator) else done
    if event.disposition == "return" and not kept:
        p.cup.append(number)
        t.say("7.4", f"{event.name} goes back into the cup.")


# ---------------------------------------------------------------------- the sixteen events (29.0)


@rule("29.0", "2.7")
def _fog_of_war(t: SiegeTable, facts: Facts) -> None:
    die = t.roll("29.0", "Fog of War: odd raises German morale, even lowers it")
    change_morale(t, 1 if die % 2 else -1, "29.0", "Fog of War", lowest=LOWEST_BY_EVENT)


@rule("29.0")
def _must_be_cleared(t: SiegeTable, facts: Facts) -> None:
    """Morale up; then the Reinforcement Table, and a die of units for each formation that it brings."""
    change_morale(t, 1, "29.0", "Bastogne must be cleared")
    reinforce_by_event(t, facts)


@rule("29.0")
def _bypass(t: SiegeTable, facts: Facts) -> None:
    """Morale down; one staging area empties into the reinforcement boxes."""
    change_morale(t, -1, "29.0", "bypass Bastogne", lowest=LOWEST_BY_EVENT)
    track = place_at_random(t, facts, "the staging area that is emptied", "29.0")
    gone = [unit for unit in facts.german_units if t.p.where[unit] == facts.staging[track]]
    for unit in gone:
        t.p.where[unit] = WAITING
    t.say("29.0", f"{counted(len(gone), 'unit')} left the {TRACKS[track]} Staging Area.", units=tuple(gone))


@rule("29.0")
def _counteroffensive(t: SiegeTable, facts: Facts) -> None:
    move_patton(t, facts, -1, "a German counteroffensive")


@rule("29.0")
def move_patton(t: SiegeTable, facts: Facts, by: int, why: str, rule_: str = "29.0") -> None:
    """Never below the first box, and no farther than Relief."""
    t.p.patton = max(1, min(facts.relief, t.p.patton + by))
    t.say(rule_, f"Third Army {by:+d} to box {t.p.patton} of {facts.relief}: {why}.")


@rule("29.0")
def _infiltration(t: SiegeTable, facts: Facts) -> None:
    """Every German unit of a track goes one space inward, unless US units are there or where it stands."""
    p = t.p
    track = place_at_random(t, facts, "the track on which the Germans infiltrate", "29.0")
    line, americans = facts.tracks[track], us_spaces(facts, p)
    for number in range(1, len(line)):
        if (americans >> line[number - 1] | americans >> line[number]) & 1:
            continue
        if units := germans_in(facts, p, line[number]):
            go_together(t, facts, units, [line[number - 1]], "29.0", "infiltrate")


@rule("29.0")
def _intelligence(t: SiegeTable, facts: Facts) -> bool:
    """Kept until it is used; then it goes back into the cup."""
    t.p.intelligence += 1
    t.say("29.0", "The US keeps the Intelligence marker for later.")
    return True


class WhereToJoin(Asked):
    """Where a task force that arrives by event joins US units."""

    @rule("14.1", "21.0", "25.0", "29.0")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        yield Bar(~us_spaces(self.facts, p), "21.0", "no US unit is there")
        there = german_spaces(self.facts, p)
        yield Bar(there, "21.0", lambda space: f"{who_stands(self.facts, p, space)} there too")
        yield from no_room(self.facts, p, self.unit)


class WhoLeads(WhereToJoin):
    """Where a leader does."""


@rule("25.0", "29.0")
def _leader(t: SiegeTable, facts: Facts) -> Play:
    p = t.p
    leader = next(unit for unit in facts.event_leaders if p.where[unit] == WAITING)
    question = WhoLeads(facts, unit=leader)
    spaces = question.open(p, facts.spaces)
    if not spaces:
        p.where[leader] = GONE
        t.say("25.0", f"There is nobody whom {facts.name_of(leader)} could lead.")
        return
    prompt = f"Where does {facts.name_of(leader)} take command?"
    p.where[leader] = yield Decision(US, prompt, spaces, "25.0", Kind.SPACE, about=question)
    t.say("25.0", f"{facts.name_of(leader)} joins {facts.at(p.where[leader])}.", units=(leader,))


@rule("29.0")
def _bombers(t: SiegeTable, facts: Facts) -> Play:
    """An attack with the factor on the counter; what would hit a track hits the Center."""
    hits = artillery_hits(t, facts, facts.numbers["luftwaffe_factor"], "Luftwaffe bombers")
    yield from apply_artillery(t, facts, hits, None)


@rule("29.0")
def _fighters(t: SiegeTable, facts: Facts) -> Play:
    """As many airstrikes as a die says leave their mission boxes; if there are none, bombers come instead."""
    p, board = t.p, facts.board
    missions = board.set_of([INTERDICTION, TACTICAL]) | facts.spaces
    laid = [unit for unit in facts.airstrikes if p.where[unit] >= 0 and missions >> p.where[unit] & 1]
    if not laid:
        t.say("29.0", "No airstrike has a mission: the Luftwaffe sends bombers.")
        yield from _bombers(t, facts)
        return
    count = min(len(laid), t.roll("29.0", "airstrikes driven off by Luftwaffe fighters"))
    for left in range(count, 0, -1):
        places = sorted({p.where[unit] for unit in laid if p.where[unit] != GONE})
        place = places[0]
        if len(places) > 1:
            prompt = f"From where is an airstrike driven off? {left} to go"
            question = DrivenOff(facts, left=left)
            place = yield Decision(fire_director(p), prompt, places, "29.0", Kind.SPACE, about=question)
        p.where[markers_in(p, facts.airstrikes, place)[0]] = GONE
    t.say("29.0", f"{count} airstrikes are driven off.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivenOff(Asked):
    """From where fighters drive off an airstrike."""

    left: int

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield Bar(~union(p.where[unit] for unit in self.facts.airstrikes), "29.0", "no airstrike is there")


@rule("29.0")
def _malmedy(t: SiegeTable, facts: Facts) -> None:
    t.p.malmedy = True
    t.say("29.0", "US forces add 1 to every tactical edge this turn.")


@rule("29.0")
def _ardor(t: SiegeTable, facts: Facts) -> None:
    t.p.ardor = True
    t.say("29.0", "German forces add 1 to every tactical edge this turn.")


@rule("29.0")
def _patton_or_morale(t: SiegeTable, facts: Facts) -> Play:
    prompt = "Third Army one box on, or German morale one down?"
    answer = yield Decision(US, prompt, [PATTON, MORALE], "29.0", about=PattonOrMorale(facts))
    if answer == PATTON:
        move_patton(t, facts, 1, "an event")
    else:
        change_morale(t, -1, "29.0", "an event", lowest=LOWEST_BY_EVENT)


class PattonOrMorale(Asked):
    said = {PATTON: "Third Army goes one box on", MORALE: "German morale one down"}


@rule("29.0")
def _option(t: SiegeTable, facts: Facts) -> None:
    t.say("29.0", "Nothing happens.")


@rule("21.0", "29.0")
def _us_reinforcements(t: SiegeTable, facts: Facts) -> Play:
    """A task force joins US units; if both are used up, or nowhere is room, a supply point comes instead."""
    p = t.p
    units = [unit for unit in facts.task_forces if p.where[unit] == WAITING]
    spaces = WhereToJoin(facts, unit=units[0]).open(p, facts.spaces) if units else []
    if not spaces:
        add_supply(t, 1, "29.0")
        return
    unit = units[0]
    if len(units) > 1:
        prompt, question = "Which task force arrives?", WhichTaskForce(facts)
        unit = yield Decision(US, prompt, units, "21.0", Kind.UNIT, about=question)
    prompt, where = f"Where does {facts.name_of(unit)} arrive?", WhereToJoin(facts, unit=unit)
    p.where[unit] = yield Decision(US, prompt, spaces, "21.0", Kind.SPACE, about=where)
    t.say("21.0", f"{facts.name_of(unit)} arrives in {facts.at(p.where[unit])}.", units=(unit,))


class WhichTaskForce(Asked):
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, others = self.facts, ~union(self.facts.task_forces)
        yield Bar(others, "21.0", lambda unit: f"{facts.name_of(unit)} is no task force that comes by event")
        yield Bar(lambda unit: p.where[unit] != WAITING, "21.0", "it has come already")


@rule("10.2", "10.3", "29.0")
def _von_manteuffel(t: SiegeTable, facts: Facts) -> None:
    """A corps unit arrives; if none waits, one staging area refits whatever its mode."""
    p = t.p
    pool = waiting_units(facts, p, facts.corps)
    if pool:
        arrive(t, facts, facts.corps, [t.draw(pool)], "10.2")
        return
    track = place_at_random(t, facts, "the staging area that refits", "29.0")
    refit_check(t, facts, track, "29.0")


EFFECTS: dict[str, Effect] = {
    "fog_of_war": _fog_of_war,
    "must_be_cleared": _must_be_cleared,
    "bypass": _bypass,
    "counteroffensive": _counteroffensive,
    "infiltration": _infiltration,
    "intelligence": _intelligence,
    "leader": _leader,
    "bombers": _bombers,
    "fighters": _fighters,
    "malmedy": _malmedy,
    "ardor": _ardor,
    "nuts": _patton_or_morale,
    "option": _option,
    "us_reinforcements": _us_reinforcements,
    "von_manteuffel": _von_manteuffel,
    "can_still_lose": _patton_or_morale,
}
