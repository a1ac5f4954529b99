"""An attack: who may be attacked by whom, strengths, column and shifts (rules 13.1 to 13.14, 14.6, 14.7, 15)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction

from msgspec import structs

from bulge.core.bars import Bar, open_to
from bulge.core.compiling import compiled
from bulge.core.decision import Choice, Decision, Modifier, Preview
from bulge.core.look import Subject
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.hexes import scene
from bulge.games.hexes.attackers import Attackers
from bulge.games.the_bulge.facts import AIR_FROM, ALLIED, GERMAN, Facts, other
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

AIR_STRIKES = 4
VAK_RANGE = 2
ARDOR_COLUMNS = 3
"""National Socialist Ardor is for the three leftmost columns (13.23)."""
ONLY_THERE = "British units attack only west and north of the Meuse"


# ---------------------------------------------------------------------- who may attack what


@rule("9.8", "13.1", "13.2", "13.3", "13.5", "14.5", "14.6")
def may_not_attack(s: Situation, side: str) -> Iterator[Bar]:
    """Hexes that may not be attacked now: a unit or stack is attacked once a phase.

    Flak alone makes no attack, and the British attack only beyond the Meuse.
    """
    facts, p, enemy, around = s.facts, s.p, other(side), s.facts.board.around
    if side == ALLIED:
        words = f"{facts.rows[facts.vdh].name} is not attacked: whoever enters its hex rounds it up"
        yield Bar(s.vdh, "14.5", words)
    yield Bar(~s.occupied[enemy], "13.1", "no enemy unit stands there")
    if p.defended:
        fresh = union([p.where[unit] for unit in facts.fighters_of[enemy] if not p.defended >> unit & 1])
        yield Bar(~fresh, "13.3", lambda hex_: f"{s.who_is_in(hex_)} there and was attacked already in this phase")
    yield Bar(~s.zones[side], "13.2", "no unit of yours is next to it")
    where, units = p.where, facts.attackers_of[side]
    able = s.zones[enemy] & (s.occupied[side] if side == ALLIED else union([where[unit] for unit in units]))
    yield Bar(~around(able), "14.7", "only artillery corps are next to it, and they do not attack")
    if p.attacked:
        units = [unit for unit in units if not p.attacked >> unit & 1]
        able &= union([where[unit] for unit in units])
        yield Bar(~around(able), "13.5", "your units next to it have attacked already in this phase")
    if side == GERMAN and able & union([where[facts.flak]]):
        able &= union([where[unit] for unit in units if unit != facts.flak])
        yield Bar(~around(able), "14.6", "the flak division never attacks alone")
    if side == ALLIED:
        yield Bar(facts.beyond_meuse & ~around(able & ~s.held_by(facts.british_units)), "9.8", ONLY_THERE)


# ---------------------------------------------------------------------- one attack


@compiled(allow_interpreted_subclasses=True)
@dataclass(eq=False)
class Battle(Attackers):
    """One attack on one hex."""

    s: Situation
    side: str
    target: int
    before_movement: bool
    """In the combat phase that comes before movement."""
    attackers: list[int] = field(default_factory=list)
    vak: int = -1
    """The artillery corps that fires in support, or -1 (14.7)."""
    air: bool = False
    """Allied air support takes part (15.1)."""
    chosen: int | None = None
    """The column to be rolled on, once the attacker has settled it (13.14)."""
    ardor: bool = False
    """A stall is rolled again (13.23)."""
    facts: Facts = field(init=False)

    def __post_init__(self) -> None:
        self.facts = self.s.facts

    @property
    def name(self) -> str:
        """The hex that is attacked."""
        return self.facts.board.name(self.target)

    # ------------------------------------------------------------------ naming the attackers

    def complete(self) -> bool:
        """Whether the attackers named so far may attack: flak never does alone (14.6)."""
        return any(unit != self.facts.flak for unit in self.attackers)

    def bars(self, t: Table[BulgePosition], decision: Decision) -> Iterator[Bar]:
        return self.may_not_join()

    def preview(self, t: Table[BulgePosition], decision: Decision, choice: Choice) -> Preview:
        seen = copy(self)
        seen.attackers = [*self.attackers, choice] if isinstance(choice, int) else self.attackers
        return seen.odds()

    def subject(self, t: Table[BulgePosition], decision: Decision) -> Subject:
        return scene.subject(self.facts.board, self.facts.roster, [self.target], self.attackers)

    @rule("9.8", "13.2", "13.5", "13.24", "14.4", "14.5", "14.6", "14.7")
    def may_not_join(self) -> Iterator[Bar]:
        """Units that may not take part. US and British do not mix; flak needs supply."""
        s, facts, named, p, roster = self.s, self.facts, self.attackers, self.s.p, self.facts.roster
        yield roster.not_of(self.side, "5.1")
        yield roster.bar(1 << facts.sses, "14.4", "have no strength to fight with")
        yield roster.bar(1 << facts.vdh, "14.5", "has no strength to fight with")
        yield Bar(union(facts.vaks), "14.7", "artillery corps do not attack; they fire in support")
        yield roster.lost(p.where, "2.11")
        yield roster.not_come(p.where, "12.1")
        if named:
            yield roster.bar(union(named), "13.5", "takes part already")
        if p.attacked:
            yield roster.bar(p.attacked, "13.5", "has attacked already in this phase")
        near = facts.board.next_to(self.target)
        yield roster.bar(lambda unit: not near >> p.where[unit] & 1, "13.2", f"is not next to {self.name}")
        if self.side == ALLIED:
            if facts.beyond_meuse >> self.target & 1:
                yield Bar(facts.british, "9.8", ONLY_THERE)
            if named:
                words = f"US and British units do not attack together, and {roster.list(named)} attacks"
                yield Bar(lambda unit: facts.british(unit) != facts.british(named[0]), "13.24", words)
        words = "does not attack out of supply"
        yield roster.bar(lambda unit: unit == facts.flak and not s.in_supply(unit), "14.6", words)

    @rule("5.4", "14.7")
    def may_not_fire(self) -> Iterator[Bar]:
        """Units that may not fire in support: corps may two hexes off, in supply, no enemy adjacent."""
        s, facts, where, roster = self.s, self.facts, self.s.p.where, self.facts.roster
        yield roster.lost(where, "2.11")
        yield roster.not_of(GERMAN, "5.1")
        only = "only artillery corps fire in support, not"
        yield Bar(~union(facts.vaks), "14.7", lambda unit: f"{only} {roster.name(unit)}")
        yield roster.not_come(where, "12.1")
        yield roster.bar(s.p.attacked, "14.7", "has fired already in this phase")
        ring, zone = facts.board.ring(1 << self.target, VAK_RANGE), s.zones[ALLIED]
        far = f"is not {VAK_RANGE} hexes from {self.name}"
        yield roster.bar(lambda unit: not ring >> where[unit] & 1, "14.7", far)

        def beside(unit: int) -> str:
            return f"{roster.name(unit)} is next to it: {s.whose_zone(ALLIED, where[unit])} reaches there"

        yield Bar(lambda unit: bool(zone >> where[unit] & 1), "14.7", beside)
        yield roster.bar(lambda unit: not s.in_supply(unit), "14.7", "is out of supply")

    def vaks_in_range(self) -> list[int]:
        """The artillery corps that may fire."""
        if self.side != GERMAN or not self.before_movement or self.s.p.turn == 1:
            return []
        return members(open_to(union(self.facts.vaks), self.may_not_fire()))

    # ------------------------------------------------------------------ strengths

    @rule("13.9", "13.10", "17.0")
    def ground(self) -> list[Modifier]:
        """The best natural terrain, then the river, then a town or the West Wall: they add up."""
        facts, hex_, terrain = self.facts, self.target, self.facts.terrain_of(self.target)
        found = []
        if natural := facts.terrain[terrain].defence:
            found.append(Modifier(terrain.replace("_", " "), natural, "13.9"))
        if all(facts.rivers.between(self.s.p.where[unit], hex_) for unit in self.attackers):
            found.append(Modifier("river", facts.terrain["river"].defence, "13.9"))
        if facts.towns >> hex_ & 1:
            found.append(Modifier("town", facts.terrain["town"].defence, "13.9"))
        if facts.wall >> hex_ & 1 and self.side == ALLIED:
            found.append(Modifier("West Wall", facts.terrain["west_wall"].defence, "13.10"))
        return found

    @rule("13.8")
    def totals(self) -> tuple[int, int, list[Modifier]]:
        """Attack, defence, and what the ground adds to the defence."""
        attack = sum(strength(self.s, unit) for unit in (*self.attackers, self.vak) if unit >= 0)
        additions = self.ground()
        return attack, defence_strength(self.s, self.target) + sum(m.amount for m in additions), additions

    # ------------------------------------------------------------------ shifts

    @rule("5.4", "7.7", "13.12")
    def shifts(self) -> list[Modifier]:
        """All column shifts, right for the attacker. Any unit out of supply counts once for its side."""
        s, allied = self.s, self.side == ALLIED
        surprise = s.p.turn == 1 and self.before_movement and not allied
        attackers_fed, defenders_fed = (
            all(s.in_supply(unit) for unit in units) for units in (self.attackers, s.stack(self.target))
        )
        lines = (
            (surprise, "surprise", 1, "5.4"),
            (self.concentric(), "concentric attack", 1, "13.11"),
            (not attackers_fed, "attacker out of supply", -1, "7.7"),
            (not defenders_fed, "defender out of supply", 1, "7.7"),
            (self.air, "air support", 1 if allied else -1, "15.1"),
            (self.combat_support(), "US combat support", 1 if allied else -1, "15.2"),
        )
        return [Modifier(words, amount, number) for applies, words, amount, number in lines if applies]

    @rule("13.11")
    def concentric(self) -> bool:
        """From opposite sides, from three hexes with one between each, or from more; never at a town."""
        if self.facts.towns >> self.target & 1:
            return False
        direction, where = self.facts.board.direction, self.s.p.where
        sides = {direction(self.target, where[unit]) for unit in self.attackers}
        opposite = any((side + 3) % 6 in sides for side in sides)
        return opposite or {0, 2, 4} <= sides or {1, 3, 5} <= sides

    @rule("15.2")
    def combat_support(self) -> bool:
        """From Turn 8: for Allies before movement, all supplied by land, and against Germans after theirs."""
        allied = self.side == ALLIED
        if self.s.p.turn < AIR_FROM or self.before_movement != allied:
            return False
        return not allied or all(self.s.overland(unit) for unit in self.attackers)

    @rule("14.6", "15.1")
    def air_available(self) -> bool:
        """Whether an air support marker may be flown: one a battle, and not where supplied flak takes part."""
        s, flak = self.s, self.facts.flak
        if s.p.turn < AIR_FROM or s.p.air_strikes >= AIR_STRIKES:
            return False
        involved = self.attackers if self.side == GERMAN else s.stack(self.target)
        return flak not in involved or not s.in_supply(flak)

    # ------------------------------------------------------------------ the column

    @rule("13.13")
    def column(self) -> int:
        """The column after all shifts, held at the table's ends; or the one that the attacker has settled."""
        if self.chosen is not None:
            return self.chosen
        attack, defence, _ = self.totals()
        crt = self.facts.crt
        return crt.shifted(crt.column(attack - defence), sum(m.amount for m in self.shifts()))

    def odds(self) -> Preview:
        """The attack as it stands: strengths, every modifier, the chance of each result."""
        attack, defence, additions = self.totals()
        crt, column = self.facts.crt, self.column()
        heading, chances = crt.columns[column], crt.chances(column)
        if self.automatic():
            heading, chances = "automatic", (("DE", Fraction(1)),)
        elif self.ardor:  # a stall is rolled again until there is none (13.23)
            rest = sum(chance for result, chance in chances if result != "AS")
            chances = tuple((result, chance / rest) for result, chance in chances if result != "AS")
        words = f"{attack} against {defence}, column {heading}"
        modifiers = (*additions, *(structs.replace(shift, to="column") for shift in self.shifts()))
        return Preview(words, attack, defence, modifiers, heading, chances)

    @rule("14.7")
    def automatic(self) -> bool:
        """An attack on an artillery corps needs no die: it is eliminated."""
        return any(self.facts.rows[unit].special == "vak" for unit in self.s.stack(self.target))


def strength(s: Situation, unit: int) -> int:
    return s.facts.factors[unit][s.p.steps[unit]]


@rule("13.17")
def defence_strength(s: Situation, hex_: int) -> int:
    """Units that were retreated into the hex this phase add nothing."""
    return sum(strength(s, unit) for unit in s.stack(hex_) if not s.p.retreated >> unit & 1)
