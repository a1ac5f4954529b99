"""The US sets up (rule 28.1)."""

from __future__ import annotations

from bulge.core.decision import Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.bastogne.facts import US, WAITING, Facts
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.situation import has_room

AS_PLANNED = "as_planned"
"""Put all that is left where our own plan of defence has it."""


@rule("28.1")
def deploy_us(t: Table[BastognePosition], facts: Facts) -> Play:
    """Every unit of the 101st, CCB and CCR goes to any space, the Center included, within stacking."""
    p = t.p
    while waiting := [unit for unit in facts.at_start if p.where[unit] == WAITING]:
        options: list[Choice] = [*waiting]
        if _plan_fits(facts, p, waiting):
            options.append(AS_PLANNED)
        unit = yield Decision(US, "Which unit do you deploy?", options, "28.1", Kind.UNIT, top=True)
        if unit == AS_PLANNED:
            for unit in waiting:
                _put(t, facts, unit, facts.board.at(facts.us_rows[unit].start))
            continue
        spaces = [space for space in members(facts.spaces) if has_room(facts, p, unit, space)]
        prompt = f"Where does {facts.name_of(unit)} deploy?"
        space = yield Decision(US, prompt, spaces, "28.1", Kind.SPACE)
        _put(t, facts, unit, space)
    spaces = sorted({p.where[unit] for unit in facts.airborne})
    space = yield Decision(US, "Where is General McAuliffe?", spaces, "28.1", Kind.SPACE, top=True)
    _put(t, facts, facts.mcauliffe, space)


def _put(t: Table[BastognePosition], facts: Facts, unit: int, space: int) -> None:
    t.p.where[unit] = space
    t.say("28.1", f"{facts.name_of(unit)} deploys in {facts.at(space)}.", spaces=(space,), units=(unit,))


def _plan_fits(facts: Facts, p: BastognePosition, waiting: list[int]) -> bool:
    """Whether the plan has room for all that are left."""
    after = p.copy()
    for unit in waiting:
        space = facts.board.at(facts.us_rows[unit].start)
        if not has_room(facts, after, unit, space):
            return False
        after.where[unit] = space
    return True
