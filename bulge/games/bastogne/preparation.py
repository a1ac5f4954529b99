"""The Preparation Phase: weather, activation, and the assignment of airstrikes and artillery (9, 11, 13, 27.1)."""

from __future__ import annotations

from collections.abc import Iterator

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.games.bastogne.asked import Asked
from bulge.games.bastogne.facts import (
    CLEAR_FROM,
    CLOSE_SUPPORT,
    COUNTERBATTERY,
    INTERDICTION,
    READY,
    RESERVE,
    SUPPLY_LIMIT,
    TACTICAL,
    TRACKS,
    Facts,
    counted,
)
from bulge.games.bastogne.morale import morale_check
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import fire_director, markers_in, weather

BUY_ALL, COUNTER = "buy_all", "counterbattery"


@rule("4.2", "11.1")
def determine_weather(t: SiegeTable, facts: Facts) -> None:
    """One die; the column goes by the date."""
    p = t.p
    t.say("4.1", f"Turn {p.turn}, {18 + p.turn} December.", kind="turn")
    column = "weather_clear" if p.turn >= CLEAR_FROM else "weather_fog"
    die = t.roll("4.2", f"weather, column of {'23 to 26' if p.turn >= CLEAR_FROM else '19 to 22'} December")
    p.weather = facts.dice[column].result(die)
    now = weather(facts, p)
    t.say("11.1", f"The weather is {now.name}: US units move {now.movement}, ground fire reaches {now.range}.")
    _fly_in_supply(t, facts)
    _receive_airstrikes(t, facts)


@rule("11.2", "27.0")
def _fly_in_supply(t: SiegeTable, facts: Facts) -> None:
    dice = weather(facts, t.p).supply_dice
    add_supply(t, t.roll("27.0", f"supply flown in, {counted(dice, 'die', 'dice')}", count=dice), "11.2")


@rule("11.2")
def add_supply(t: SiegeTable, points: int, rule_: str) -> None:
    """At most 49 points are kept."""
    lost = max(0, t.p.supply + points - SUPPLY_LIMIT)
    t.p.supply += points - lost
    beyond = f"; {counted(lost, 'point')} beyond the limit of {SUPPLY_LIMIT} {'is' if lost == 1 else 'are'} lost"
    t.say(rule_, f"US supply {points:+d} to {t.p.supply}{beyond if lost else ''}.")


@rule("11.3", "27.1")
def _receive_airstrikes(t: SiegeTable, facts: Facts) -> None:
    dice = weather(facts, t.p).airstrike_dice
    count = t.roll("27.1", f"airstrikes, {counted(dice, 'die', 'dice')}", count=dice) if dice else 0
    for marker in facts.airstrikes[:count]:
        t.p.where[marker] = facts.board.at(READY)
    t.say("11.3", f"Airstrike markers ready: {count}.")


@rule("9.1", "9.2", "9.3", "4.2")
def activate_divisions(t: SiegeTable, facts: Facts) -> None:
    """A morale check for each division, clockwise from the north. New formations go with their division."""
    p = t.p
    p.assault = 0
    for track, division in enumerate(p.division):
        name = f"{facts.formations[division].name}, {TRACKS[track]}"
        if morale_check(t, "9.2", name):
            p.assault |= 1 << track
        mode = "assault" if p.assault >> track & 1 else "refit"
        t.say("9.3", f"{name}: {mode} mode.", spaces=(facts.staging[track],))


@rule("4.2", "27.1")
def assign_airstrikes(t: SiegeTable, facts: Facts) -> Play:
    """Every airstrike gets a mission: so many interdict, all the others fly tactical missions."""
    p, board = t.p, facts.board
    ready = markers_in(p, facts.airstrikes, board.at(READY))
    if not ready:
        return
    prompt = f"How many of {len(ready)} airstrikes interdict? The others fly tactical missions"
    counts, question = range(len(ready) + 1), HowManyInterdict(facts)
    count = yield Decision(fire_director(p), prompt, counts, "27.1", Kind.NUMBER, top=True, about=question)
    for at, marker in enumerate(ready):
        p.where[marker] = board.at(INTERDICTION if at < count else TACTICAL)
    t.say("27.1", f"Airstrikes: {count} interdict, {len(ready) - count} fly tactical missions.")


@rule("4.2", "13.0", "13.1", "19.2")
def assign_artillery(t: SiegeTable, facts: Facts) -> Play:
    """A supply point buys an impact marker its mission for this turn."""
    p, board, which = t.p, facts.board, WhichImpact(facts)
    while p.supply:
        reserve = which.open(p, facts.impact_set)
        if not reserve:
            break
        box = COUNTERBATTERY if p.counterbattery else CLOSE_SUPPORT
        side, prompt = fire_director(p), f"Buy {box.lower()} for an impact marker? Supply is {p.supply}"
        options: list[Choice] = [*reserve, BUY_ALL, *([] if p.counterbattery else [COUNTER]), DONE]
        marker = yield Decision(side, prompt, options, "13.0", Kind.UNIT, top=True, about=which)
        if marker == DONE:
            break
        if marker == COUNTER:
            p.counterbattery = True
            continue
        bought = [m for m in facts.heaviest if m in reserve][: p.supply] if marker == BUY_ALL else [marker]
        for marker in bought:
            p.where[marker] = board.at(box)
            spend(t, 1, "13.0", f"the {facts.name_of(marker)} for {box.lower()}")
    p.counterbattery = False


class HowManyInterdict(Asked):
    """How many airstrikes interdict."""


class WhichImpact(Asked):
    """For which impact marker a mission is bought."""

    said = {
        BUY_ALL: "buy it for all of them, the heaviest first, as far as supply goes",
        COUNTER: "buy counterbattery from now on; close support is bought first",
        DONE: "buy no more",
    }
    asides = (COUNTER,)

    @rule("13.0", "13.1", "13.4")
    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        facts, name, reserve = self.facts, self.facts.name_of, self.facts.board.at(RESERVE)
        yield Bar(~facts.impact_set, "13.0", lambda unit: f"{name(unit)} is no impact marker")
        lost = union(marker for marker in facts.impacts if p.where[marker] < 0)
        yield Bar(lost, "13.4", lambda unit: f"{name(facts.gun_of[unit])} is lost, and its impact marker with it")
        out = union(marker for marker in facts.impacts if p.where[marker] != reserve)
        yield Bar(out, "13.1", lambda unit: f"the {name(unit)} has its mission for this turn")


@rule("19.1", "19.2")
def spend(t: SiegeTable, points: int, rule_: str, what: str) -> None:
    t.p.supply -= points
    t.say(rule_, f"{counted(points, 'supply point')} for {what}; {t.p.supply} left.")
