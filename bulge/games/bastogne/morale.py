"""German morale: its changes, its levels, checks, and collapse (rule 6)."""

from __future__ import annotations

from bulge.core.decision import GameOver, Result
from bulge.core.rulebook import rule
from bulge.games.bastogne.facts import TRACKS, US, Facts
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.situation import german_track, us_track

HIGHEST, COLLAPSE = 12, 1
LEVELS = ((9, "high", 3), (5, "medium", 2), (2, "low", 1))
"""The least morale of each level, its name, and the German movement allowance (6.3, 15.6)."""


@rule("6.3", "6.4")
def change_morale(t: SiegeTable, by: int, rule_: str, why: str, *, lowest: int = COLLAPSE) -> None:
    """Morale moves within 1 and 12; a collapse ends the game there and then."""
    p = t.p
    before, p.morale = p.morale, max(min(p.morale, lowest), min(HIGHEST, p.morale + by))
    limit = f"{HIGHEST} is the highest" if by > 0 else f"no event takes it below {lowest}"
    held = f" ({limit})" if p.morale - before != by else ""
    t.say(rule_, f"German morale {by:+d} to {p.morale}{held}: {why}.")
    if p.morale == COLLAPSE:
        raise GameOver(Result(US, "German morale has collapsed.", "6.4"))


@rule("6.3", "6.4", "15.6")
def level(p: BastognePosition) -> tuple[str, int]:
    """The level of morale, and how far German units move."""
    return next((name, spaces) for least, name, spaces in LEVELS if p.morale >= least)


@rule("6.5")
def morale_check(t: SiegeTable, rule_: str, who: str) -> bool:
    """Two dice, at most the morale."""
    p = t.p
    dice = t.roll_each(rule_, f"morale check of {who} against {p.morale}", count=2)
    return sum(dice) <= p.morale


@rule("6.2")
def adjust_morale(t: SiegeTable, facts: Facts) -> None:
    """What the Refit Phase does to morale: first what raises it, then what lowers it."""
    p = t.p
    for track in range(4):
        if not p.assault >> track & 1:
            name = facts.formations[p.division[track]].name
            change_morale(t, 1, "6.2", f"{name} is in refit mode")
    for track in range(4):
        if german_track(facts, p, track):
            change_morale(t, 1, "6.2", f"the Germans control the whole {TRACKS[track]} Track")
    for track in range(4):
        if us_track(facts, p, track):
            change_morale(t, -1, "6.2", f"the US controls the whole {TRACKS[track]} Track")
