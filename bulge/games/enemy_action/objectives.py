"""Army and corps objectives, and how far a hex is from them (rules 9.1, 9.22, 9.83)."""

from __future__ import annotations

from bulge.core.priority import Line
from bulge.core.rulebook import rule
from bulge.core.table import Table
from bulge.games.enemy_action.choosing import line
from bulge.games.enemy_action.facts import ALLIED, ARMIES, CORPS_WITH_OBJECTIVE, GERMAN, Facts
from bulge.games.enemy_action.movement import may_move
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.restrictions import free_moves
from bulge.games.enemy_action.situation import Situation

NEAR_OBJECTIVE = 2
CORPS_RANGE = 3
LAST_TABLE = 3
NOT_PLACED, REMOVED = -1, -2
CORPS_HEXES = {"LXVII": "0506", "LXVI": "1106", "LXXX": "2505"}


@rule("9.83", "9.1")
def objective_of(s: Situation, unit: int) -> int:
    """The army that a unit's objective belongs to; -1 without one. OKW: the card's army, or the nearest marker."""
    facts, p = s.facts, s.p
    army = facts.army_of[unit]
    if army in ARMIES:
        which = ARMIES.index(army)
        return which if p.objective[which] >= 0 else -1
    if p.command >= 0 and facts.german[p.command].level == "army":
        return ARMIES.index(facts.german[p.command].army)
    placed = [which for which in range(len(ARMIES)) if p.objective[which] >= 0]
    at = s.where[unit]
    if not placed or at < 0:
        return placed[0] if placed else -1
    return min(placed, key=lambda which: (facts.distance(at, p.objective[which]), facts.row[p.objective[which]]))


def distance_to_objective(s: Situation, unit: int, hex_: int) -> int:
    which = objective_of(s, unit)
    return s.facts.distance(hex_, s.p.objective[which]) if which >= 0 else 0


@rule("9.22")
def tie_breakers(s: Situation, unit: int) -> list[Line]:
    """Closest to the objective, farthest in its compass direction, northernmost."""
    facts, p, which = s.facts, s.p, objective_of(s, unit)
    tests = []
    if which >= 0:
        goal, facing = p.objective[which], p.facing[which]
        ahead = {
            "W": lambda hex_: facts.east[hex_],
            "N": lambda hex_: facts.row[hex_],
            "S": lambda hex_: -facts.row[hex_],
        }
        tests.append(line("9.22", "closest to the objective", lambda hex_: facts.distance(hex_, goal)))
        tests.append(line("9.22", f"farthest {facing}", ahead[facing]))
    return [*tests, line("9.22", "northernmost", lambda hex_: facts.row[hex_])]


# ---------------------------------------------------------------------- placing the markers (9.11 to 9.14)


@rule("9.11", "9.12", "9.14")
def check_army_objectives(t: Table[EnemyActionPosition], facts: Facts, armies: list[str]) -> None:
    """A marker that is not there is rolled for; one that Germans have come near to moves on."""
    p = t.p
    for army in armies:
        which = ARMIES.index(army)
        if p.objective[which] < 0:
            _place(t, facts, which, 1, army, "")
        elif p.table[which] < LAST_TABLE and _is_near(facts, p, p.objective[which]):
            _place(t, facts, which, p.table[which] + 1, "", facts.board.name(p.objective[which]))
        elif p.table[which] < LAST_TABLE:
            hex_ = p.objective[which]
            t.say(
                "9.11",
                f"No German unit is near {army}'s objective {facts.at(hex_)}: it stays.",
                spaces=(hex_,),
                depth=2,
            )


def _is_near(facts: Facts, p: EnemyActionPosition, goal: int) -> bool:
    """Within two hexes of the marker, or able to get there in one move."""
    s = Situation(facts, p)
    if s.occupied[GERMAN] & facts.board.within(1 << goal, NEAR_OBJECTIVE):
        return True
    near = s.units_in(facts.board.within(1 << goal, max(facts.moves) + 1), GERMAN)
    beside = facts.board.next_to(goal) if s.occupied[ALLIED] >> goal & 1 else 1 << goal
    return any(may_move(facts, p, unit) and free_moves(s, unit).hexes & beside for unit in near)


@rule("2.5", "9.11")
def _place(t: Table[EnemyActionPosition], facts: Facts, which: int, table: int, army: str, at: str) -> None:
    p = t.p
    die = t.roll("9.11", f"The objective of {ARMIES[which]}", 10)
    row = next(
        row for row in facts.objectives
        if row.table == table and row.army == army and row.at == at and row.die_from <= die <= row.die_to
    )  # fmt: skip
    p.objective[which] = facts.board.at(row.to)
    p.facing[which], p.table[which] = row.facing, table
    if row.exit:
        p.exits |= 1 << p.objective[which]
    words = f"{ARMIES[which]}: objective {facts.at(p.objective[which])}, facing {row.facing}."
    t.say("9.11", words, spaces=(p.objective[which],), depth=2)


@rule("9.13")
def check_corps_objectives(t: Table[EnemyActionPosition], facts: Facts, units: list[int]) -> None:
    """Placed at the first activation of the corps; gone for good once no Allied unit is within three hexes."""
    p = t.p
    allied = Situation(facts, p).occupied[ALLIED]
    for corps in sorted({facts.corps_of[unit] for unit in units} & set(CORPS_WITH_OBJECTIVE)):
        which = CORPS_WITH_OBJECTIVE[corps]
        if p.corps_objective[which] == REMOVED:
            continue
        hex_ = facts.board.at(CORPS_HEXES[corps])
        if p.corps_objective[which] == NOT_PLACED:
            p.corps_objective[which] = hex_
            t.say("9.13", f"{corps} has its own objective in {facts.at(hex_)}.", spaces=(hex_,), depth=2)
        if not facts.board.within(1 << hex_, CORPS_RANGE) & allied:
            p.corps_objective[which] = REMOVED
            t.say("9.13", f"No Allied unit is left near the objective of {corps}: it is removed.", spaces=(hex_,))


def corps_goal(facts: Facts, p: EnemyActionPosition, unit: int) -> int:
    """The hex of the unit's corps objective, or -1 (9.23)."""
    which = CORPS_WITH_OBJECTIVE.get(facts.corps_of[unit])
    return -1 if which is None else max(-1, p.corps_objective[which])


def easternmost(facts: Facts, words: str = "easternmost", rule_: str = "9.23") -> Line:
    return line(rule_, words, lambda hex_: -facts.east[hex_])
