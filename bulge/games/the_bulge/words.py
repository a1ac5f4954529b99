"""The Bulge in words: options, previews, and why something cannot be done."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Option, Preview, Refusal, Role
from bulge.core.movement import NoWay, points_in_words
from bulge.core.table import Table
from bulge.games.the_bulge.airlift import AIRLIFT
from bulge.games.the_bulge.battle import Battle, preview
from bulge.games.the_bulge.combat import ARDOR, ATTACK, FLY, NO_AIR, NO_SUPPORT, STAND, read_column
from bulge.games.the_bulge.facts import DUE, GERMAN, GONE, POINT, Facts, other
from bulge.games.the_bulge.movement import EXIT, STOP, Entry, Walk
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.refusals import (
    why_not_attack,
    why_not_come_on,
    why_not_drop,
    why_not_fire,
    why_not_join,
    why_not_retreat,
)
from bulge.games.the_bulge.results import Retreat
from bulge.games.the_bulge.situation import Situation

PLAIN = {
    STOP: "stop here",
    EXIT: "leave the map and win",
    ATTACK: "attack with these",
}


def points(fifths: int) -> str:
    """A number of movement points as a person writes it: 2, 1/5, 3 2/5."""
    return points_in_words(fifths, POINT)


ROLES: dict[str, Role] = {ATTACK: "strike", STOP: "end"}


def unit_words(facts: Facts, p: BulgePosition, unit: int) -> str:
    row, at = facts.rows[unit], p.where[unit]
    if at == GONE:
        return f"{row.name}, lost"
    if at == DUE:
        return f"{row.name}, due on turn {row.turn}"
    if not facts.fighting[unit]:
        return f"{row.name} in {facts.map.words(at)}"
    reduced = ", reduced" if p.steps[unit] < row.steps else ""
    return f"{row.name}, strength {facts.factors[unit][p.steps[unit]]}{reduced}, in {facts.map.words(at)}"


def option(facts: Facts, t: Table[BulgePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
    if choice == DONE:
        ends: Role = "end_turn" if decision.top and t.p.step.endswith("combat_2") else "end"
        return Option(plain.id, "end the phase" if decision.top else "no more", role=ends)
    if isinstance(choice, str) and decision.rule == "13.14":
        column = f"column {choice.replace(ARDOR, 'with National Socialist ardor')}"
        return Option(plain.id, column, role="strike", rolls=True)
    if isinstance(choice, str):
        return Option(plain.id, PLAIN.get(choice, plain.words), role=ROLES.get(choice, ""))
    way = decision.about
    if isinstance(way, Walk):
        cost, by_mech = way.next_steps()[choice]
        mode = " by mechanized movement" if by_mech else ""
        return Option(plain.id, f"{plain.words}{mode}", plain.spaces, cost=points(cost))
    return plain


def preview_of(facts: Facts, p: BulgePosition, decision: Decision, choice: Choice) -> Preview | None:
    """The attack as it would be with this choice added."""
    battle = decision.about
    if not isinstance(battle, Battle):
        return None
    s = Situation(facts, p)
    if decision.rule == "13.14":
        chosen, ardor = read_column(facts, str(choice))
        return preview(facts, s, battle, chosen, ardor=ardor)
    seen = Battle(battle.side, battle.target, battle.before_movement, [*battle.attackers], battle.vak, battle.air)
    if isinstance(choice, int) and choice in facts.vaks:
        seen.vak = choice
    elif isinstance(choice, int):
        seen.attackers.append(choice)
    elif choice == FLY:
        seen.air = True
    elif choice not in (ATTACK, NO_SUPPORT, NO_AIR, STAND):
        return None
    return preview(facts, s, seen)


def way_to(facts: Facts, decision: Decision, asked: str) -> list[Choice]:
    """The single steps that lead a moving unit to a hex farther off, by the cheapest way."""
    way = decision.about
    if not isinstance(way, Walk) or not facts.board.has(asked):
        return []
    try:
        return [*way.reach().path(facts.board.at(asked))[1:]]
    except NoWay:
        return []


# ---------------------------------------------------------------------- why not?


def why_not(facts: Facts, p: BulgePosition, decision: Decision, asked: str) -> Refusal | None:
    way = decision.about
    if asked in (STOP, EXIT) and isinstance(way, Walk):
        return _why_not_end(facts, way, asked)
    if asked == AIRLIFT:
        return Refusal("7.5", "aerial supply begins on turn 8, and needs a marker left and a unit that wants it")
    if facts.board.has(asked):
        hex_ = facts.board.at(asked)
        if isinstance(way, Walk):
            return _why_not_enter(facts, way, hex_)
        if isinstance(way, Entry):
            return why_not_come_on(facts, p, way.unit, hex_)
        if isinstance(way, Retreat):
            return why_not_retreat(facts, p, way, hex_)
        if decision.rule == "13.1":
            return why_not_attack(facts, p, decision.side, hex_)
        return why_not_drop(facts, p, hex_) if decision.rule == "14.5" else None
    unit = next((number for number, row in enumerate(facts.rows) if row.id == asked), None)
    return None if unit is None else _why_not_unit(facts, p, decision, unit)


def _why_not_enter(facts: Facts, way: Walk, hex_: int) -> Refusal:
    s, enemy = way.situation, other(way.side)
    if s.occupied[enemy] >> hex_ & 1:
        return Refusal("9.4", "an enemy unit stands there")
    if facts.british(way.unit) and not facts.west_of_meuse >> hex_ & 1:
        return Refusal("9.8", "British units stay west and north of the Meuse")
    if way.blocked >> hex_ & 1:
        return Refusal("6.5", "the hex would be overstacked: two divisions is the limit")
    if way.no_end >> hex_ & 1 and hex_ in way.next_steps():
        return Refusal("6.10", "US and British units may not stop in the same hex")
    if not facts.board.adjacent(way.here, hex_) and way.reach().spaces >> hex_ & 1:
        return Refusal("9.2", "units go from hex to adjacent hex: it is farther off")
    if way.enemy_zone >> way.here & 1 and way.not_from_zone_into >> hex_ & 1:
        number = "14.7" if facts.special[way.unit] == "vak" else "8.3"
        return Refusal(number, "it may not go from one enemy zone straight into another there")
    return Refusal("9.3", f"it costs more than the {points(way.left)} movement points that are left")


def _why_not_end(facts: Facts, way: Walk, asked: str) -> Refusal:
    """Why a unit may not stop, or not leave the map, where it is."""
    if asked == STOP:
        return Refusal("6.10", "US and British units may not stop in the same hex")
    if way.side != GERMAN or not facts.mechanized[way.unit]:
        return Refusal("9.7", "only German mechanized units may leave the map")
    if not facts.exits >> way.here & 1:
        return Refusal("4.2", "the map may be left only between 0110 and 1326")
    return Refusal("9.3", f"it costs more than the {points(way.left)} movement points that are left")


def _why_not_unit(facts: Facts, p: BulgePosition, decision: Decision, unit: int) -> Refusal:
    row = facts.rows[unit]
    if p.where[unit] == GONE:
        return Refusal("2.11", f"{row.name} is no longer in play")
    if facts.side_of(unit) != decision.side and decision.rule in ("9.2", "13.4", "14.7"):
        return Refusal("5.1", f"{row.name} belongs to the other side")
    if decision.rule == "7.11":
        return _why_not_short(facts, p, unit)
    if decision.rule == "9.2" and unit in (facts.vdh, facts.sses) and row.turn <= p.turn:
        number = "14.5" if unit == facts.vdh else "14.4"
        return Refusal(number, f"{row.name} does not move")
    if p.where[unit] == DUE:
        if row.turn > p.turn:
            return Refusal("12.4", f"{row.name} does not arrive before turn {row.turn}")
        if decision.rule != "9.2":
            return Refusal("12.1", f"{row.name} has not come on the map yet")
        return Refusal("12.3", f"every road by which {row.name} could come on is blocked")
    if decision.rule == "9.2":
        if p.moved >> unit & 1:
            return Refusal("9.2", f"{row.name} has moved already")
        if isinstance(decision.about, Walk):
            return Refusal("6.3", "the unit on its way must finish its move first")
        return Refusal("14.7", f"{row.name} is out of supply and cannot move")
    if isinstance(decision.about, Battle):
        return (why_not_fire if decision.rule == "14.7" else why_not_join)(facts, p, decision.about, unit)
    return Refusal(decision.rule, f"{row.name} cannot be chosen for this")


def _why_not_short(facts: Facts, p: BulgePosition, unit: int) -> Refusal:
    row = facts.rows[unit]
    if facts.side_of(unit) != GERMAN or not facts.fighting[unit]:
        return Refusal("7.11", f"{row.name} is no German unit that needs supply")
    if unit == facts.ssp:
        return Refusal("5.5", f"{row.name} is always in supply")
    if p.where[unit] == DUE:
        return Refusal("7.11", f"{row.name} is not on the map yet")
    return Refusal("7.11", f"{row.name} is marked already")
