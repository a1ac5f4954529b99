"""A position of Enemy Action: Ardennes."""

from __future__ import annotations

import msgspec

from bulge.core.position import Position


class Battle(msgspec.Struct, frozen=True):
    """A combat under way. Sets of units are ints."""

    side: str
    """Who attacks."""
    target: int
    attackers: int
    defenders: int
    joined: int = 0
    """Attackers that came by a tactic: they do not advance (12.83)."""
    attack_tactics: tuple[str, ...] = ()
    defence_tactics: tuple[str, ...] = ()
    wild: int = 0
    """Bonus tactics of an army card that the Allied player has yet to name (12.34)."""
    chits: tuple[int, ...] = ()
    """Chits drawn for this combat, in order."""
    due: int = 0
    """How many chits are to be drawn in all."""
    attacker_hits: int = 0
    defender_hits: int = 0
    was_dispersed: int = 0
    """Defenders that were dispersed when the combat began (12.9)."""
    retreat: tuple[int, ...] = ()
    """The hexes that the defenders fell back into."""
    hit: int = 0
    """Units that have lost a step in this combat (12.61)."""
    hit_hexes: int = 0
    absorbed: int = 0
    """Hits that a dispersal of the attackers still takes (12.53)."""
    scattered: bool = False
    """The attackers were dispersed."""
    eliminated: bool = False
    """The defenders were wiped out."""
    spared: int = 0
    """Hits that found no Allied step any more (12.54)."""
    into: tuple[int, ...] = ()
    """Where units that advanced stand now, one a unit (12.83)."""
    checked: int = 0
    """Units whose advance has been decided."""
    crossed: int = 0
    """River hexsides that advancing units have crossed (12.82)."""


class EnemyActionPosition(Position, kw_only=True):
    """Sets of units, hexes, cards, chits and river hexsides are ints; lists go by unit, or by army."""

    scenario: str
    where: list[int]
    """The hex of each unit, or GONE, DUE, BOX, EXITED."""
    steps: list[int]
    entry: list[int]
    """The day on which each unit comes; events may put it off."""
    dispersed: int = 0
    low: int = 0
    out: int = 0
    isolated: int = 0
    """Units in low supply, out of supply, isolated (13.2); in none of them: in supply."""
    no_fuel: int = 0

    # The map
    german_towns: int = 0
    blown: int = 0
    built: int = 0
    """Bridges that have been built where none was printed (14.22)."""
    german_bridges: int = 0
    positions: int = 0
    """Hexes with an improved position (14.3)."""
    roadblocks: int = 0
    detachments: int = 0
    depots: int = 0
    """Hexes with a fuel depot (13.52)."""
    exits: int = 0
    """Exit hexes that objectives have opened (9.11)."""
    objective: list[int]
    """The objective of each army, -1 before it has one (9.1)."""
    facing: list[str]
    table: list[int]
    """How many objectives each army has had."""
    corps_objective: list[int]
    """The objective of LXVII, LXVI and LXXX; -1 before it is placed, -2 once it is gone (9.13)."""
    defensive: bool = False
    """The 7th Army has its third objective: methods 1 to 9 only (9.15)."""

    # Points
    exit_points: int = 0
    relieved: bool = False
    crossed: bool = False
    """Ten points for the Meuse have been awarded (17.1)."""
    at_meuse: bool = False
    """A German unit has been next to the Meuse (9.2, 10.7)."""
    over_meuse: bool = False
    """A German unit has been west of it (7.41)."""
    wall_lost: int = 0
    """Westwall hexes that cost the Germans points (17.1)."""
    okw: bool = False
    """The OKW reserve has been released (9.8)."""
    heydte: bool = False
    """Von der Heydte has jumped."""

    # Cards and chits
    pile: int = 0
    """The German draw pile; its order never matters, so it is a set that is drawn from."""
    discards: int = 0
    command: int = -1
    support: int = -1
    allied_pile: int = 0
    hand: int = 0
    available: int = 0
    used: int = 0
    """Allied cards played or discarded today."""
    late_cards: int = 0
    """Allied cards that an event puts off by a day."""
    cup: int = 0
    """Chits in the cup."""

    # The day
    fuel_days: int = 0
    """Days with a fuel depot marker (13.52), as bits."""
    fuel_checks_over: bool = False
    frozen: bool = False
    manteuffel: bool = False
    fury: bool = False
    one_unit_used: bool = False
    pile_out: bool = False
    """The German pile ran out: one more Allied impulse, or the end of this one, ends the day."""

    # The impulse
    card: int = -1
    """The Allied card that was played for this impulse's command."""
    may_attack: bool = True
    army_card: bool = False
    active: int = 0
    activated: int = 0
    """Allied units activated in this impulse."""
    before: int = 0
    """Allied units activated in the impulse before (6.4)."""
    moved: int = 0
    attacked: int = 0
    placed: int = 0
    """German units placed from the box in this activation."""
    scattered: int = 0
    """Units that were dispersed when this activation began (12.9)."""
    defended: int = 0
    """Units that have been attacked in this activation."""
    fell_back: int = 0
    """Units that retreated in this activation (12.74)."""
    forded: int = 0
    """Unbridged river hexsides crossed in this activation (10.31)."""
    bridged: int = 0
    """Bridges crossed into an enemy zone in this activation (10.32)."""
    entering: int = 0
    """Reserve units that this card may deploy."""
    to_place: int = 0
    """Roadblocks, or units of Raise the Alarm, still to come."""

    # The German procedure
    method: int = 0
    queue: list[int]
    """Units that the method at hand still has to look at."""
    surrounded: int = 0
    """Allied hexes that method 3 has dealt with."""
    infiltrated: bool = False
    checked: int = 0
    """Allied hexes that have had their attack check (9.53)."""
    ignores_zones: bool = False
    """Peiper, or the 150th, on its day (8.14)."""
    drawn_card: int = -1
    """The German card last drawn for a combat."""
    event: str = ""
    """The German event under way."""
    battle: Battle | None = None


BEFORE = 15
"""Days of December before the first turn."""


def day_of(p: EnemyActionPosition) -> int:
    """The day of December."""
    return p.turn + BEFORE


def turn_of(day: int) -> int:
    """The turn of a day of December."""
    return day - BEFORE
