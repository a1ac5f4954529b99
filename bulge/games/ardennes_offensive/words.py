"""The Ardennes Offensive in words: options, previews, and why something cannot be done."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Preview, Refusal
from bulge.core.table import Table
from bulge.games.ardennes_offensive.arrivals import Placing
from bulge.games.ardennes_offensive.battle import Battle, preview, table_for
from bulge.games.ardennes_offensive.combat import ATTACK, ROLL
from bulge.games.ardennes_offensive.facts import ABSENT, DUE, GONE, SECTION_WORDS, Facts, hex_beside
from bulge.games.ardennes_offensive.movement import LEAVE_ROAD, STOP, TAKE_ROAD, Walk
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.refusals import (
    why_not_add,
    why_not_arrive,
    why_not_attack,
    why_not_change,
    why_not_drop,
    why_not_enter,
    why_not_join,
    why_not_move,
    why_not_retreat,
    why_not_set,
)
from bulge.games.ardennes_offensive.retreats import Retreat
from bulge.games.ardennes_offensive.scene import point_words
from bulge.games.ardennes_offensive.setting_up import Setting
from bulge.games.ardennes_offensive.situation import Situation

PLAIN = {
    STOP: "stop here",
    TAKE_ROAD: "enter Road Mode",
    LEAVE_ROAD: "leave Road Mode",
    ATTACK: "attack with these",
    ROLL: "keep it and roll",
}

_NO_MORE = {"9.2D": "only these", "9.6N": "nobody advances"}
"""What it means to be done within a battle, by the rule of the question."""


def unit_words(facts: Facts, p: ArdennesPosition, unit: int) -> str:
    row, at = facts.rows[unit], p.where[unit]
    if at == GONE:
        return f"{row.name}, lost"
    if at == ABSENT:
        return f"{row.name}, not in this scenario"
    if at == DUE:
        arrival = facts.arrivals[p.scenario][unit]
        way = SECTION_WORDS[arrival.section]
        where = way if arrival.section == "drop" else f"in the {way}"
        return f"{row.name}, {row.strength}-{row.movement}, due on turn {arrival.turn}, {where}"
    mode = ", in Road Mode" if p.road >> unit & 1 else ""
    values = f"{row.name}, {row.strength}-{row.movement}{mode}"
    if at >= 0:
        return f"{values}, in {facts.map.words(at)}"
    beside = facts.map.words(hex_beside(at))
    return f"{values}, dormant at {beside}" if p.dormant >> unit & 1 else f"{values}, arriving at {beside}"


def option(facts: Facts, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
    way = decision.about
    if choice == DONE:
        ends = "end the set-up" if decision.rule == "17.0" else "end the phase"
        return Option(plain.id, ends if decision.top else _NO_MORE.get(decision.rule, "no more"))
    if isinstance(way, Setting) and isinstance(choice, int) and choice in t.p.where:
        friend = facts.rows[t.p.where.index(choice)].name
        return Option(plain.id, f"{plain.words}, changing places with {friend}", plain.spaces)
    if isinstance(way, Walk):
        if isinstance(choice, int):
            return Option(plain.id, plain.words, plain.spaces, cost=point_words(way.next_steps()[choice]))
        cost = None if choice == STOP else point_words(way.mode_toll)
        return Option(plain.id, PLAIN[choice], cost=cost)
    if decision.rule == "E11.0" and isinstance(choice, int):
        # A button, since the hex itself is lit as the battle's.
        return Option(plain.id, f"give it up in {plain.words}")
    return Option(plain.id, PLAIN[choice]) if choice in PLAIN else plain


def preview_of(facts: Facts, p: ArdennesPosition, decision: Decision, choice: Choice) -> Preview | None:
    """The attack as it would be with this choice added."""
    battle = decision.about
    if not isinstance(battle, Battle) or decision.rule == "10.1":
        return None
    s = Situation(facts, p)
    seen = Battle(battle.side, [*battle.targets], [*battle.attackers], battle.chosen)
    if decision.rule == "9.4L":
        seen.chosen = table_for(facts, s, battle.side).columns.index(str(choice))
    if decision.rule == "9.1A" and isinstance(choice, int):
        seen.attackers.append(choice)
    return preview(facts, s, seen) if seen.attackers else None


def way_to(facts: Facts, decision: Decision, asked: str) -> list[Choice]:
    """The single choices that lead a moving unit to a hex farther off, by the cheapest way."""
    way = decision.about
    if not isinstance(way, Walk) or not facts.board.has(asked):
        return []
    return way.way_to(facts.board.at(asked))


def what_is_left(facts: Facts, way: Walk) -> str:
    """The points of a unit on its way, what it must pay first, and why it cannot change its mode."""
    said = [f"{point_words(way.left)} movement points left"]
    if way.by_road:
        said.append("in Road Mode")
    elif way.friends >> way.here & 1:
        said.append(f"{point_words(way.stacking_toll)} to leave the stack")
    change = LEAVE_ROAD if way.by_road else TAKE_ROAD
    if len(way.path) == 1 and change not in way.options():
        said.append(f"cannot {PLAIN[change]}: {why_not_change(facts, way, change).words}")
    return "; ".join(said)


# ---------------------------------------------------------------------- why not?


def why_not(facts: Facts, p: ArdennesPosition, decision: Decision, asked: str) -> Refusal | None:
    about = decision.about
    if asked in (STOP, TAKE_ROAD, LEAVE_ROAD) and isinstance(about, Walk):
        return why_not_change(facts, about, asked)
    if asked == DONE and decision.rule == "9.0":
        return Refusal("E4.2", "on the first turn every American next to a German must be attacked")
    if asked == DONE and decision.rule == "5.0":
        return Refusal("14.1A", "reinforcements that can come on must, and columns that crowd must part")
    if facts.board.has(asked):
        return _why_not_hex(facts, p, decision, facts.board.at(asked))
    unit = next((number for number, row in enumerate(facts.rows) if row.id == asked), None)
    return None if unit is None else _why_not_unit(facts, p, decision, unit)


def _why_not_hex(facts: Facts, p: ArdennesPosition, decision: Decision, hex_: int) -> Refusal | None:
    about = decision.about
    if decision.kind is Kind.UNIT:
        return Refusal(decision.rule, "a unit is to be chosen now, not a hex")
    if isinstance(about, Walk):
        return why_not_enter(facts, about, hex_)
    if isinstance(about, Placing):
        return why_not_arrive(facts, p, about.unit, hex_)
    if isinstance(about, Retreat):
        return why_not_retreat(facts, p, about, hex_)
    if isinstance(about, Setting):
        return why_not_set(facts, p, about.unit, hex_)
    if decision.rule == "9.0":
        return why_not_attack(facts, p, decision.side, hex_)
    if isinstance(about, Battle) and decision.rule == "9.2D":
        return why_not_add(facts, p, about, hex_)
    if decision.rule == "E11.0":
        return Refusal("E11.0", "no unit there takes part in this battle and could ignore a retreat")
    return why_not_drop(facts, p, hex_) if decision.rule == "15.0" else None


def _why_not_unit(facts: Facts, p: ArdennesPosition, decision: Decision, unit: int) -> Refusal:
    row, where = facts.rows[unit], p.where[unit]
    if where == GONE:
        return Refusal("10.1", f"{row.name} is no longer in play")
    if where == ABSENT:
        return Refusal("17.0", f"{row.name} does not come in this scenario")
    if where == DUE:
        turn = facts.arrivals[p.scenario][unit].turn
        return Refusal("14.0", f"{row.name} does not arrive before turn {max(turn, p.turn + 1)}")
    if facts.side_of(unit) != decision.side and decision.rule != "10.2":
        return Refusal("4.1", f"{row.name} belongs to the other side")
    if decision.rule == "5.0":
        if isinstance(decision.about, Walk):
            return Refusal("5.1E", "the unit on its way must finish its move first")
        return why_not_move(facts, p, unit)
    if decision.rule == "9.1A":
        return why_not_join(facts, p, decision.about, unit)
    if decision.rule == "9.6N":
        return Refusal("9.6N", f"{row.name} is not a mechanized unit that took part and can enter the hex")
    return Refusal(decision.rule, f"{row.name} cannot be chosen for this")
