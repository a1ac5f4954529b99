"""An attack's arithmetic: who may take part, strengths, odds and tables (rules 9, 10.0, 10.3, 11.0 and 12.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bulge.core.decision import Modifier, Preview
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.tables import ResultsTable
from bulge.games.ardennes_offensive.facts import GERMAN, Facts, other
from bulge.games.ardennes_offensive.situation import Situation

SURPRISE = 3
"""What the Germans' strength is multiplied by on the first turn (4.2)."""
INITIAL, STANDARD = "initial", "standard"
"""The charts of the two results tables."""
LEAST_GERMAN_ODDS = "2-1"
"""The Germans never lower their odds beyond this (errata 9.0)."""


@dataclass
class Battle:
    """One attack on one hex or several."""

    side: str
    targets: list[int]
    attackers: list[int] = field(default_factory=list)
    chosen: int | None = None
    """The column to be rolled on, once the attacker has settled it (9.4L)."""

    @property
    def target(self) -> int:
        """The hex that was named first."""
        return self.targets[0]


# ---------------------------------------------------------------------- who may attack what


@rule("9.1A", "9.1C", "12.6")
def ready(facts: Facts, s: Situation, side: str) -> list[int]:
    """Units next to an enemy that have not attacked yet. Isolated ones have no strength to attack with."""
    p = s.p
    where, used = p.where, p.attacked | p.isolated
    near = facts.board.around(s.occupied[other(side)])
    return [
        unit
        for unit in facts.units_of[side]
        if (hex_ := where[unit]) >= 0 and near >> hex_ & 1 and not used >> unit & 1
    ]


@rule("9.1A", "9.1C")
def targets(facts: Facts, s: Situation, side: str, attackers: Iterable[int]) -> int:
    """The enemy hexes next to these units in which somebody has not been attacked in this phase."""
    p, where = s.p, s.p.where
    enemies = s.occupied[other(side)] & facts.board.around(union([where[unit] for unit in attackers]))
    if enemies and p.defended:
        enemies &= union([where[unit] for unit in facts.units_of[other(side)] if not p.defended >> unit & 1])
    return enemies


@rule("9.1A", "9.2D", "9.2E")
def able(facts: Facts, s: Situation, battle: Battle) -> list[int]:
    """The units that may join an attack: each must be next to every hex attacked."""
    near = facts.board.all
    for hex_ in battle.targets:
        near &= facts.board.next_to(hex_)
    return [unit for unit in ready(facts, s, battle.side) if near >> s.p.where[unit] & 1]


# ---------------------------------------------------------------------- strengths


def half(strength: int) -> int:
    """Halves are rounded up (6.6K, 9.3J)."""
    return (strength + 1) // 2


class Sum:
    """A strength that is added up line by line."""

    def __init__(self) -> None:
        self.total = 0
        self.lines: list[Modifier] = []

    def change(self, words: str, from_: int, to: int, number: str) -> int:
        """Note that part of the sum became another amount, and give that."""
        if to != from_:
            self.lines.append(Modifier(words, to - from_, number))
        return to


@rule("4.2", "6.6K", "9.2G", "9.2H", "9.3J", "9.5M", "11.0", "12.6")
def attack_strength(facts: Facts, s: Situation, battle: Battle) -> Sum:
    """Supply first, by stacks; then Road Mode; then the first turn's surprise or the West Wall."""
    found = Sum()
    p, name = s.p, facts.board.name
    for hex_ in dict.fromkeys(p.where[unit] for unit in battle.attackers):
        units = [unit for unit in battle.attackers if p.where[unit] == hex_]
        short = [unit for unit in units if p.unsupplied >> unit & 1]
        full = sum(facts.strength[unit] for unit in units)
        starved = sum(facts.strength[unit] for unit in short)
        strength = found.change(f"unsupplied in {name(hex_)}", full, full - starved + half(starved), "12.6")
        if s.marching[battle.side] >> hex_ & 1:
            strength = found.change(f"Road Mode in {name(hex_)}", strength, half(strength), "6.6K")
        if battle.side == GERMAN:
            strength = _multiplied_attack(facts, s, hex_, strength, found)
        found.total += strength
    return found


def _multiplied_attack(facts: Facts, s: Situation, hex_: int, strength: int, found: Sum) -> int:
    """Never more than tripled, so surprise makes the West Wall's doubling void (4.2)."""
    name = facts.board.name(hex_)
    if s.p.turn == 1:
        return found.change(f"first turn, tripled ({name})", strength, strength * SURPRISE, "4.2")
    if facts.wall >> hex_ & 1:
        times = facts.terrain["west_wall"].german_attack
        return found.change(f"out of the West Wall in {name}", strength, strength * times, "11.0")
    return strength


@rule("9.1B", "9.2F", "E9.2F")
def defence_strength(facts: Facts, s: Situation, battle: Battle) -> Sum:
    """Everybody in the hexes attacked, together. Supply is judged at this moment (12.4K)."""
    found = Sum()
    isolated = s.isolated_hexes(other(battle.side))
    for hex_ in battle.targets:
        found.total += _defence_of(facts, s, hex_, bool(isolated >> hex_ & 1), found)
    return found


@rule("4.2", "6.6K", "9.3J", "9.5M", "11.0", "12.4K", "12.6")
def _defence_of(facts: Facts, s: Situation, hex_: int, isolated: bool, found: Sum) -> int:
    name, stack = facts.board.name(hex_), s.stack(hex_)
    counted = [unit for unit in stack if not s.p.joined >> unit & 1] or stack
    strength = sum(facts.strength[unit] for unit in counted)
    if isolated:
        strength = found.change(f"isolated in {name}", strength, half(strength), "12.6")
    if s.p.road >> stack[0] & 1:
        strength = found.change(f"Road Mode in {name}", strength, half(strength), "6.6K")
    if stack[0] not in facts.german_units:
        return strength
    times, words, number = _german_defence(facts, s, hex_)
    return found.change(f"{words} in {name}", strength, strength * times, number)


def _german_defence(facts: Facts, s: Situation, hex_: int) -> tuple[int, str, str]:
    if s.p.turn == 1:
        return SURPRISE, "first turn, tripled", "4.2"
    for id_, hexes in (("west_wall", facts.wall), ("west_wall_cleared", facts.cleared_wall)):
        if hexes >> hex_ & 1:
            return facts.terrain[id_].german_defence, id_.replace("_", " "), "11.0"
    return 1, "", "11.0"


# ---------------------------------------------------------------------- odds and tables


@rule("10.0", "10.3")
def table_for(facts: Facts, s: Situation, side: str) -> ResultsTable:
    """The Germans keep their better table until the die takes it away; the Allies never have it."""
    return facts.initial if side == GERMAN and not s.p.standard else facts.standard


@rule("9.0", "9.3K", "10.1")
def column(facts: Facts, s: Situation, battle: Battle) -> int:
    """The odds, rounded in the defender's favour and held at the table's ends: 26 to 9 is 2-1."""
    attack = attack_strength(facts, s, battle).total
    return table_for(facts, s, battle.side).odds_column(attack, defence_strength(facts, s, battle).total)


@rule("9.4L", "E9.4L")
def columns_to_choose(facts: Facts, s: Situation, battle: Battle) -> list[int]:
    """The odds, and all lower ones that the attacker may take instead."""
    most = column(facts, s, battle)
    least = 0
    if battle.side == GERMAN:
        least = min(most, table_for(facts, s, GERMAN).columns.index(LEAST_GERMAN_ODDS))
    return list(range(most, least - 1, -1))


def preview(facts: Facts, s: Situation, battle: Battle) -> Preview:
    """The attack as it stands, or on the odds chosen: strengths, every modifier, the chance of each result."""
    attack, defence = attack_strength(facts, s, battle), defence_strength(facts, s, battle)
    table = table_for(facts, s, battle.side)
    found = table.odds_column(attack.total, defence.total) if battle.chosen is None else battle.chosen
    heading = table.columns[found]
    words = f"{attack.total} against {defence.total}, odds {heading}"
    modifiers = (*attack.lines, *defence.lines)
    chart = STANDARD if table is facts.standard else INITIAL
    return Preview(words, attack.total, defence.total, modifiers, heading, table.chances(found), chart)


# ---------------------------------------------------------------------- who need not retreat


@rule("11.0", "E11.0")
def may_stand(facts: Facts, unit: int, hex_: int) -> bool:
    """Whether a unit may ignore a retreat where it is: anybody in a town, Germans in the West Wall."""
    for id_, hexes in (
        ("town", facts.towns),
        ("west_wall", facts.wall),
        ("west_wall_cleared", facts.cleared_wall),
    ):
        stands = facts.terrain[id_].stands
        if hexes >> hex_ & 1 and (stands == "both" or (stands == "german" and unit in facts.german_units)):
            return True
    return False


def hexes_of(where: list[int], units: Iterable[int]) -> list[int]:
    return members(union([where[unit] for unit in units]))
