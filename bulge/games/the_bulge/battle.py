"""An attack's arithmetic: who takes part, strengths, column and shifts (rules 13.2 to 13.14, 14.6, 14.7, 15)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from msgspec import structs

from bulge.core.decision import Modifier, Preview
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.the_bulge.facts import AIR_FROM, ALLIED, GERMAN, Facts, other
from bulge.games.the_bulge.situation import Situation

AIR_STRIKES = 4
VAK_RANGE = 2
ARDOR_COLUMNS = 3
"""National Socialist Ardor is for the three leftmost columns (13.23)."""


@dataclass
class Battle:
    """One attack on one hex."""

    side: str
    target: int
    before_movement: bool
    """In the combat phase that comes before movement."""
    attackers: list[int] = field(default_factory=list)
    vak: int | None = None
    """The artillery corps that fires in support (14.7)."""
    air: bool = False
    """Allied air support takes part (15.1)."""


# ---------------------------------------------------------------------- who may attack what


@rule("9.8", "13.3", "13.5", "14.6")
def targets(facts: Facts, s: Situation, side: str) -> list[int]:
    """The enemy hexes that may be attacked now: a unit or stack is attacked once a phase.

    Flak alone makes no attack, and the British attack only beyond the Meuse.
    """
    where, defended = s.p.where, s.p.defended
    ready = union([where[unit] for unit in _ready(facts, s, side) if unit != facts.flak])
    british = ready & s.british
    around = facts.board.around
    near = around(ready ^ british) | around(british) & facts.west_of_meuse
    enemies = s.occupied[other(side)] & near
    if defended:
        enemies &= union([where[unit] for unit in facts.fighters_of[other(side)] if not defended >> unit & 1])
    return members(enemies)


def _ready(facts: Facts, s: Situation, side: str) -> list[int]:
    """Units next to an enemy that have not attacked yet. Artillery corps never attack themselves (14.7)."""
    where, attacked, zone = s.p.where, s.p.attacked, s.zones[other(side)]
    return [
        u for u in facts.attackers_of[side] if where[u] >= 0 and zone >> where[u] & 1 and not attacked >> u & 1
    ]


@rule("9.8", "13.2", "14.6")
def able(facts: Facts, s: Situation, battle: Battle) -> list[int]:
    """The units that may join an attack. The British stay behind the Meuse; flak needs supply."""
    near = facts.board.next_to(battle.target)
    beyond_meuse = not facts.west_of_meuse >> battle.target & 1
    where, attacked = s.p.where, s.p.attacked
    return [
        unit
        for unit in facts.attackers_of[battle.side]
        if where[unit] >= 0
        and near >> where[unit] & 1
        and not attacked >> unit & 1
        and not (beyond_meuse and facts.british(unit))
        and (unit != facts.flak or s.in_supply(unit))
    ]


def complete(facts: Facts, battle: Battle) -> bool:
    """Whether the attackers named so far may attack: flak never does alone (14.6)."""
    return any(unit != facts.flak for unit in battle.attackers)


@rule("5.4", "14.7")
def vaks_in_range(facts: Facts, s: Situation, battle: Battle) -> list[int]:
    """The artillery corps that may fire: two hexes off, in supply, no enemy adjacent, before movement only."""
    if battle.side != GERMAN or not battle.before_movement or s.p.turn == 1:
        return []
    ring = facts.board.ring(1 << battle.target, VAK_RANGE) & ~s.zones[ALLIED]
    return [
        vak
        for vak in facts.vaks
        if s.p.where[vak] >= 0 and ring >> s.p.where[vak] & 1 and not s.p.attacked >> vak & 1 and s.in_supply(vak)
    ]


# ---------------------------------------------------------------------- strengths


def strength(facts: Facts, s: Situation, unit: int) -> int:
    return facts.factors[unit][s.p.steps[unit]]


@rule("13.17")
def defence_strength(facts: Facts, s: Situation, hex_: int) -> int:
    """Units that were retreated into the hex this phase add nothing."""
    return sum(strength(facts, s, unit) for unit in s.stack(hex_) if not s.p.retreated >> unit & 1)


@rule("13.9", "13.10", "17.0")
def ground(facts: Facts, s: Situation, battle: Battle) -> list[Modifier]:
    """The best natural terrain, then the river, then a town or the West Wall: they add up."""
    hex_ = battle.target
    found = []
    if natural := facts.natural_defence[hex_]:
        found.append(Modifier(facts.terrain_of(hex_).replace("_", " "), natural, "13.9"))
    if all(facts.rivers.between(s.p.where[unit], hex_) for unit in battle.attackers):
        found.append(Modifier("river", facts.terrain["river"].defence, "13.9"))
    if facts.towns >> hex_ & 1:
        found.append(Modifier("town", facts.terrain["town"].defence, "13.9"))
    if facts.wall >> hex_ & 1 and battle.side == ALLIED:
        found.append(Modifier("West Wall", facts.terrain["west_wall"].defence, "13.10"))
    return found


@rule("13.8")
def totals(facts: Facts, s: Situation, battle: Battle) -> tuple[int, int, list[Modifier]]:
    """Attack, defence, and what the ground adds to the defence."""
    attack = sum(strength(facts, s, unit) for unit in battle.attackers)
    if battle.vak is not None:
        attack += strength(facts, s, battle.vak)
    additions = ground(facts, s, battle)
    return attack, defence_strength(facts, s, battle.target) + sum(m.amount for m in additions), additions


# ---------------------------------------------------------------------- shifts


def shifts(facts: Facts, s: Situation, battle: Battle) -> list[Modifier]:
    """All column shifts, right for the attacker."""
    found = []
    if s.p.turn == 1 and battle.side == GERMAN and battle.before_movement:
        found.append(Modifier("surprise", 1, "5.4"))
    if concentric(facts, s, battle):
        found.append(Modifier("concentric attack", 1, "13.11"))
    found += _supply_shifts(s, battle)
    if battle.air:
        found.append(Modifier("air support", 1 if battle.side == ALLIED else -1, "15.1"))
    found += _combat_support(s, battle)
    return found


@rule("13.11")
def concentric(facts: Facts, s: Situation, battle: Battle) -> bool:
    """From opposite sides, from three hexes with one between each, or from more than three; never at a town."""
    if facts.towns >> battle.target & 1:
        return False
    board = facts.board
    sides = {board.direction(battle.target, s.p.where[unit]) for unit in battle.attackers}
    opposite = any((side + 3) % 6 in sides for side in sides)
    return opposite or {0, 2, 4} <= sides or {1, 3, 5} <= sides


@rule("7.7", "13.12")
def _supply_shifts(s: Situation, battle: Battle) -> list[Modifier]:
    """One left if any attacker is out of supply, one right if any defender is; both cancel."""
    found = []
    if not all(s.in_supply(unit) for unit in battle.attackers):
        found.append(Modifier("attacker out of supply", -1, "7.7"))
    if not all(s.in_supply(unit) for unit in s.stack(battle.target)):
        found.append(Modifier("defender out of supply", 1, "7.7"))
    return found


@rule("15.2")
def _combat_support(s: Situation, battle: Battle) -> list[Modifier]:
    if s.p.turn < AIR_FROM:
        return []
    if battle.side == ALLIED and battle.before_movement and all(s.overland(unit) for unit in battle.attackers):
        return [Modifier("US combat support", 1, "15.2")]
    if battle.side == GERMAN and not battle.before_movement:
        return [Modifier("US combat support", -1, "15.2")]
    return []


@rule("14.6", "15.1")
def air_available(facts: Facts, s: Situation, battle: Battle) -> bool:
    """Whether an air support marker may be flown: one a battle, and not where supplied flak takes part."""
    p = s.p
    if p.turn < AIR_FROM or p.air_strikes >= AIR_STRIKES:
        return False
    involved = battle.attackers if battle.side == GERMAN else s.stack(battle.target)
    return facts.flak not in involved or not s.in_supply(facts.flak)


@rule("13.13")
def column(facts: Facts, s: Situation, battle: Battle) -> int:
    """The column after all shifts, held at the table's ends."""
    attack, defence, _ = totals(facts, s, battle)
    return facts.crt.shifted(facts.crt.column(attack - defence), sum(m.amount for m in shifts(facts, s, battle)))


def preview(
    facts: Facts, s: Situation, battle: Battle, chosen: int | None = None, *, ardor: bool = False
) -> Preview:
    """The attack as it stands, or on a column chosen: strengths, every modifier, the chance of each result."""
    attack, defence, additions = totals(facts, s, battle)
    found = column(facts, s, battle) if chosen is None else chosen
    heading = facts.crt.columns[found]
    chances = facts.crt.chances(found)
    if automatic(facts, s, battle):
        heading, chances = "automatic", (("DE", Fraction(1)),)
    elif ardor:
        chances = _without_stalls(chances)
    words = f"{attack} against {defence}, column {heading}"
    modifiers = (*additions, *(structs.replace(shift, to="column") for shift in shifts(facts, s, battle)))
    return Preview(words, attack, defence, modifiers, heading, chances)


def _without_stalls(chances: tuple[tuple[str, Fraction], ...]) -> tuple[tuple[str, Fraction], ...]:
    """The chances of an attack that is rolled again until it does not stall (13.23)."""
    kept = [(result, chance) for result, chance in chances if result != "AS"]
    total = sum(chance for _, chance in kept)
    return tuple((result, chance / total) for result, chance in kept)


@rule("14.7")
def automatic(facts: Facts, s: Situation, battle: Battle) -> bool:
    """An attack on an artillery corps needs no die: it is eliminated."""
    return any(facts.special[unit] == "vak" for unit in s.stack(battle.target))
