"""Closing in: who enters whose space before close assaults are resolved (rule 17.2)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.bastogne.assault import Assault
from bulge.games.bastogne.facts import US, Facts
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import has_room, name_targets, of_track, us_in, us_spaces


@rule("8.7", "15.8", "15.9", "16.11", "17.2")
def close_in_germans(t: Table[BastognePosition], facts: Facts) -> Play:
    """Units in assault mode next to US units must enter their space, inward if there are two."""
    p = t.p
    enemies = us_spaces(facts, p)
    for track, line in enumerate(facts.tracks):
        if not p.assault >> track & 1:
            continue
        for number, space in enumerate(line):
            near = [line[n] for n in (number - 1, number + 1) if 0 <= n < len(line) - 1]
            goal = next((s for s in near if enemies >> s & 1), None)
            units = of_track(facts, p, track, space)
            if goal is None or not units or enemies >> space & 1:
                continue
            for unit in units:
                p.where[unit] = goal
            names = ", ".join(map(facts.name_of, units))
            words = f"From {facts.at(space)} {names} close in on {facts.at(goal)}."
            t.say("17.2", words, spaces=(space, goal), units=tuple(units))
    return
    yield


@rule("13.5", "17.2")
def able_to_assault(facts: Facts, p: BastognePosition, space: int) -> list[int]:
    """US units and leaders next to a space that may enter it; artillery never does."""
    near = facts.beside[space]
    return [
        unit
        for unit in range(facts.leaders.stop)
        if p.where[unit] >= 0
        and near >> p.where[unit] & 1
        and not p.done >> unit & 1
        and unit not in facts.impact_of
        and has_room(facts, p, unit, space)
    ]


@rule("14.4", "17.2")
def close_in_us(t: Table[BastognePosition], facts: Facts) -> Play:
    """US units enter German spaces as the player likes; only then is any assault resolved."""
    p = t.p
    p.from_ = p.from_ or p.where[: facts.leaders.stop]

    def may_be_assaulted(space: int) -> bool:
        return any(unit in facts.us_units for unit in able_to_assault(facts, p, space))

    yield from name_targets(t, facts, may_be_assaulted, _enter, "Close assault a space, or go on", "17.2")


def _enter(t: Table[BastognePosition], facts: Facts, side: str, space: int) -> Play:
    p = t.p
    while able := able_to_assault(facts, p, space):
        fighting = bool(us_in(facts, p, space))
        options: list[Choice] = [*able, DONE] if fighting else [u for u in able if u in facts.us_units]
        if not options:
            return
        about = Assault(US, space)
        unit = yield Decision(side, f"Who enters {facts.at(space)}?", options, "17.1", Kind.UNIT, about=about)
        if unit == DONE:
            return
        p.where[unit] = space
        p.done |= 1 << unit
        t.say("17.2", f"{facts.name_of(unit)} closes in on {facts.at(space)}.", units=(unit,))
