"""An attack's arithmetic: who may take part, strengths, odds and tables (rules 9, 10.0, 10.3, 11.0 and 12.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Modifier, Preview
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.tables import ResultsTable
from bulge.games.ardennes_offensive.facts import GERMAN, Facts, other
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation

if TYPE_CHECKING:
    from bulge.games.ardennes_offensive.first_turn import Duties

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
    near = facts.board.around(s.occupied[other(side)]) & facts.live
    return [
        unit
        for unit in facts.units_of[side]
        if (hex_ := where[unit]) >= 0 and near >> hex_ & 1 and not used >> unit & 1
    ]


def targets(facts: Facts, s: Situation, side: str) -> int:
    """The enemy hexes that may be attacked now."""
    return open_to(s.occupied[other(side)], no_target(facts, s, side))


@rule("9.1A", "9.1C")
def no_target(facts: Facts, s: Situation, side: str) -> Iterator[Bar]:
    """Hexes that may not be attacked in this phase."""
    p, where, enemies = s.p, s.p.where, s.occupied[other(side)]
    yield Bar(~enemies, "9.1A", "no enemy unit stands there")
    if p.defended:
        fresh = union([where[unit] for unit in facts.units_of[other(side)] if not p.defended >> unit & 1])
        yield Bar(~fresh, "9.1C", lambda at: f"{s.names_in(1 << at)} has been attacked already in this phase")
    yield Bar(~facts.board.around(s.occupied[side]), "9.1A", "none of your units is next to it")
    near = facts.board.around(union([where[unit] for unit in ready(facts, s, side)]))
    yield Bar(
        ~near, "9.1C", lambda at: f"who is next to it cannot attack any more: {_neighbours(facts, s, side, at)}"
    )


def _neighbours(facts: Facts, s: Situation, side: str, hex_: int) -> str:
    return s.names_in(facts.board.next_to(hex_) & s.occupied[side])


@rule("9.2D")
def no_addition(facts: Facts, s: Situation, battle: Battle, duties: Duties | None) -> Iterator[Bar]:
    """Hexes that may not be attacked together with those of a battle."""
    yield Bar(union(battle.targets), "9.2D", "it is attacked already")
    yield from no_target(facts, s, battle.side)
    near = 0
    for unit in able(facts, s, battle):
        near |= facts.board.next_to(s.p.where[unit])
    yield Bar(~near, "9.2D", "no unit that could attack is next to all of these hexes")
    if duties is not None:
        here = union(battle.targets)
        yield Bar(lambda hex_: not duties.extendable(here | 1 << hex_), *LEFT_OUT)


def able(facts: Facts, s: Situation, battle: Battle, duties: Duties | None = None) -> list[int]:
    """The units that may join an attack."""
    return members(open_to(facts.sets[battle.side], may_not_join(facts, s, battle, duties)))


@rule("9.1A", "9.1C", "9.2D", "9.2E", "12.6", "E4.2")
def may_not_join(facts: Facts, s: Situation, battle: Battle, duties: Duties | None = None) -> Iterator[Bar]:
    """Units that may not take part in an attack: each must be next to every hex attacked."""
    p, rows, chosen = s.p, facts.rows, union(battle.attackers)
    near = facts.board.hexes
    for hex_ in battle.targets:
        near &= facts.board.next_to(hex_)
    yield Bar(chosen, "9.1C", lambda unit: f"{rows[unit].name} takes part already")
    yield Bar(p.attacked, "9.1C", lambda unit: f"{rows[unit].name} has attacked already in this phase")
    yield Bar(~s.units_in(battle.side, near), "9.1A", lambda unit: _not_next_to_it(facts, p, battle, unit))
    yield Bar(p.isolated, "12.6", lambda unit: f"{rows[unit].name} is isolated and has no strength to attack with")
    if duties is not None:
        here, named = union(battle.targets), set(battle.attackers)
        yield Bar(lambda unit: not duties.completable(here, named | {unit}), *LEFT_OUT)


LEFT_OUT = "E4.2", "then somebody who must fight on the first turn would be left out"


def _not_next_to_it(facts: Facts, p: ArdennesPosition, battle: Battle, unit: int) -> str:
    where = p.where[unit]
    stands = f"{facts.rows[unit].name} is in {facts.map.words(where)}"
    apart = [hex_ for hex_ in battle.targets if not facts.board.next_to(hex_) >> where & 1]
    return f"{stands}, which is not next to {' or '.join(facts.map.words(hex_) for hex_ in apart)}"


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
