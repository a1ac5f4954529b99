"""The arithmetic of an attack: strengths, bonuses, shifts and columns (rules 14.4, 14.5, 15 and 21)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from bulge.core.decision import Modifier, Preview
from bulge.core.look import Subject
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.counters import GERMAN, Counters
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.ground import Ground
from bulge.games.ardennes_44.situation import Situation

BELOW = "1-4"
"""Odds below the table: an automatic A1 (14.5)."""


FACTOR_LIMIT = 18
"""The most factors of an attack where rule 34 is played."""


@rule("14.4", "14.5")
def rung(attack: int, defence: int) -> int:
    """The column of the odds, rounded down, counted from the first; the ladder runs on beyond both ends."""
    if attack >= defence:
        whole = attack // defence
        if whole == 1:
            return 3 if 2 * attack >= 3 * defence else 2
        return whole + 2
    return 3 - -(-defence // attack)


@rule("14.5")
def column_after(facts: Facts, first: int, shift: int) -> int:
    """The column after all shifts; -1 for odds below the table."""
    return max(-1, min(len(facts.combat.columns) - 1, first + shift))


def column_name(facts: Facts, column: int) -> str:
    return BELOW if column < 0 else facts.combat.columns[column]


@rule("15.2")
def halved(strength: int) -> int:
    return -(-strength // 2)


@dataclass
class Battle:
    """An attack on one hex: by whom, and what has been added to it so far."""

    s: Situation
    side: str
    target: int
    attackers: list[int]
    shifts: list[Modifier] = field(default_factory=list)
    """Shifts that were chosen or rolled for: guns, air, surprise."""
    advantage: bool = False
    """An Attacker's Advantage marker points at the hex (16.6)."""

    def __post_init__(self) -> None:
        self.facts: Facts = self.s.facts

    @property
    def defenders(self) -> list[int]:
        return self.s.stack(self.target)

    # ------------------------------------------------------------------ attack

    @rule("15.2", "15.3", "15.4", "15.5", "15.5.1", "15.5.2", "15.7", "15.9", "23.4", "27.4")
    def attack_of(self, unit: int) -> int:
        """A unit's attack: doubled in built-up hexes where its guns can, then halved at most once."""
        facts, p = self.facts, self.s.p
        strength = facts.attack(unit, p.reduced)
        if facts.rows[unit].type == "special" and facts.ground.built_up >> self.target & 1:
            strength *= 2
        return halved(strength) if self.is_halved(unit) else strength

    def is_halved(self, unit: int) -> bool:
        facts, p, ground = self.facts, self.s.p, self.facts.ground
        here, to = p.where[unit], self.target
        if p.unsupplied >> unit & 1:
            return True
        if here in facts.blocked:
            return False
        if ground.rivers.between(here, to) or ground.wooded_rough >> here & 1:
            return True
        if facts.way[unit] != "vehicle":
            return False
        return bool(ground.west_wall >> to & 1) or not ground.vehicles_cross(p.blown).between(here, to)

    @rule("34.0")
    def attack(self) -> int:
        """All attackers together; 18 at most where that limit is played."""
        total = sum(self.attack_of(unit) for unit in self.attackers)
        return min(total, FACTOR_LIMIT) if self.s.p.factor_limit else total

    # ------------------------------------------------------------------ defence

    @rule("12.5", "17.5", "22.9")
    def defence_of(self, unit: int) -> int:
        facts, p = self.facts, self.s.p
        if p.joined >> unit & 1 and not p.breakers:
            return 0
        strength = facts.defence(unit, p.reduced)
        return halved(strength) if p.columns >> unit & 1 else strength

    @rule("12.5", "15.1", "15.7", "15.8.1", "16.7.2")
    def bonus(self) -> int:
        """The one Defensive Combat Bonus of the hex, never more than the stack's own defence."""
        return bonus_of(self.s, self.target, self.defenders, self.defence_of)

    def defence(self) -> int:
        return max(1, sum(self.defence_of(unit) for unit in self.defenders) + self.bonus())

    @rule("15.1", "15.2")
    def strengths_explained(self) -> list[Modifier]:
        """Why strengths are not those that are printed: who is halved or doubled, and the bonus of the hex."""
        attackers, defenders = self.attackers, self.defenders
        found = [
            *self._changed("attack", attackers, self.facts.attack, self.attack_of, "15.2"),
            *self._changed("defence", defenders, self.facts.defence, self.defence_of, "12.5"),
        ]
        if bonus := self.bonus():
            found.append(Modifier("defence bonus of the hex", bonus, "15.1"))
        return found

    def _changed(
        self,
        what: str,
        units: Sequence[int],
        printed: Callable[[int, int], int],
        counted: Callable[[int], int],
        number: str,
    ) -> Iterator[Modifier]:
        for words, sign in (("halved", -1), ("doubled", 1)):
            changes = {unit: counted(unit) - printed(unit, self.s.p.reduced) for unit in units}
            those = [unit for unit, change in changes.items() if change * sign > 0]
            if those:
                names = ", ".join(self.facts.rows[unit].name for unit in those)
                yield Modifier(f"{what} {words}: {names}", sum(changes[unit] for unit in those), number)

    # ------------------------------------------------------------------ shifts

    def all_shifts(self) -> list[Modifier]:
        """Every shift, to the right for the attacker and to the left for the defender."""
        found = [*self.shifts]
        if armour := self.armour_shift():
            found.append(Modifier("armour", armour, "21.1", "column"))
        p = self.s.p
        if any((p.disrupted | p.broken) >> unit & 1 for unit in self.defenders):
            found.append(Modifier("a defender is disrupted", 1, "18.3", "column"))
        if self.advantage:
            found.append(Modifier("Attacker's Advantage", 1, "16.6", "column"))
        return found

    @rule("21.1", "21.2", "21.3")
    def armour_shift(self) -> int:
        """+1 for better tanks, -1 for tanks with infantry against none; nobody's in woods, cities or the Wall."""
        if not armour_counts(self.facts.ground, self.target):
            return 0
        facts = self.facts
        if self.shifting_tanks():
            return 1
        defenders = union(self.defenders)
        tanks, infantry = defenders & facts.tanks, defenders & facts.infantry
        both = any(facts.rows[unit].type == "tank_nato" for unit in members(tanks))
        attacking = union(self.attackers) & facts.tanks
        return -1 if tanks and (infantry or both) and not attacking else 0

    def shifting_tanks(self) -> list[int]:
        """The attacking Tank Units that earn the shift: able to cross, and better than all who defend."""
        facts = self.facts
        if not armour_counts(facts.ground, self.target):
            return []
        best = max((facts.rows[unit].tq for unit in self.defenders), default=0)
        return [unit for unit in self.attackers if self.can_drive_in(unit) and attacking_tq(facts, unit) > best]

    @rule("21.3")
    def can_drive_in(self, unit: int) -> bool:
        """Whether a Tank Unit takes part that could move across into the hex."""
        facts, p = self.facts, self.s.p
        if not facts.tanks >> unit & 1:
            return False
        here = p.where[unit]
        return here in facts.blocked or facts.ground.vehicles_cross(p.blown).between(here, self.target)

    def column(self) -> int:
        return self.column_of(self.attack(), self.defence())

    def column_of(self, attack: int, defence: int) -> int:
        """The column of these strengths, with all shifts."""
        shift = sum([modifier.amount for modifier in self.all_shifts()])
        return column_after(self.facts, rung(attack, defence), shift)

    def subject(self) -> Subject:
        """The hex, and who attacks it."""
        facts = self.facts
        return Subject((facts.board.name(self.target),), tuple(facts.rows[unit].id for unit in self.attackers))

    def preview(self) -> Preview:
        """The attack as it stands, before what is rolled for."""
        attack, defence, column = self.attack(), self.defence(), self.column()
        name = column_name(self.facts, column)
        chances = self.facts.combat.chances(column) if column >= 0 else (("A1", Fraction(1)),)
        lines = (*self.strengths_explained(), *self.all_shifts())
        words = f"{attack} against {defence}, column {name}"
        return Preview(words, attack, defence, lines, name, chances, "combat")


@rule("21.3")
def armour_counts(ground: Ground, hex_: int) -> bool:
    """Whether tanks make a difference there."""
    return not (ground.thick | ground.west_wall | ground.city) >> hex_ & 1


@rule("21.2")
def attacking_tq(counters: Counters, unit: int) -> int:
    """Tank Quality in attack: one less if it is printed red, and none for what is no Tank Unit."""
    row = counters.rows[unit]
    if not counters.tanks >> unit & 1:
        return 0
    return row.tq - 1 if row.tq_kind == "red" else row.tq


def bonus_of(s: Situation, hex_: int, defenders: list[int], defence_of: Callable[[int], int]) -> int:
    facts, p, ground = s.facts, s.p, s.facts.ground
    infirm = [unit for unit in defenders if facts.rows[unit].parentheses or p.columns >> unit & 1]
    firm = [unit for unit in defenders if unit not in infirm]
    if not firm:
        return 0
    best = ground.hex_bonus(hex_)
    if ground.west_wall >> hex_ & 1 and facts.side_of(firm[0]) == GERMAN:
        best = max(best, ground.terrain["west_wall"].bonus)
    if p.improved >> hex_ & 1:
        best = max(best, ground.terrain["improved"].bonus)
    if not union(defenders) & ~(facts.silhouettes | facts.guns | facts.dump):
        best = min(best, 1)
    return min(best, sum(defence_of(unit) for unit in firm))
