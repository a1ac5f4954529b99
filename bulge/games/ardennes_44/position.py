"""A position of Ardennes '44."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from bulge.core.position import Position


class Advantage(msgspec.Struct, frozen=True):
    """An Attacker's Advantage marker: who bears it, where they stand, and at which hex it points (16.6)."""

    units: int
    hex_: int
    target: int


class Ardennes44(Position, kw_only=True):
    """Sets of units, of hexes and of bridges are ints; lists go by unit."""

    newer: ClassVar[tuple[str, ...]] = (
        *("lent", "meuse_crossed", "remaining", "engineered", "along", "infiltrated", "left_behind"),
    )

    scenario: str
    where: list[int]
    """The space of each unit; or GONE, DUE, ABSENT, POOL, EXITED, SURRENDERED."""
    night: bool = False
    """It is the Night Turn after the PM turn that `turn` names (25.1)."""

    # What units bear
    reduced: int = 0
    disrupted: int = 0
    broken: int = 0
    """Broken units are not among the disrupted ones, though all that binds those binds them too (18.5)."""
    engaged: int = 0
    unsupplied: int = 0
    """Units under an Out of Supply marker."""
    fired: int = 0
    """Artillery on its Fired side."""
    movers: int = 0
    """German artillery under a Prime Mover."""
    columns: int = 0
    """Units under a Strategic Movement or Truck marker."""
    night_marked: int = 0
    night_stacks: int = 0
    """How many stacks the side on turn has marked for the night (25.3.3)."""
    infiltrated: int = 0
    """Units that have infiltrated this night, and may not attack (31)."""
    lent: int = 0
    """Units that Peiper has taken along for the combat of the first night (27.5)."""
    replaced: int = 0
    """Units under a Replacement marker (25.2.4)."""
    astray: int = 0
    """German units that retreated across an army boundary, and may not rally (11.10.2)."""
    advantages: list[Advantage] = []
    parents: dict[int, int] = {}
    """For each breakdown unit on the map, the unit that it came from (26.4)."""
    groups: dict[int, int] = {}
    """For each isolated unit the number of its group (23.9)."""
    surrender: dict[int, int] = {}
    """Surrender Points by group (23.7)."""

    # What lies on the map
    blown: int = 0
    """Bridges that are blown, those under construction among them."""
    building: int = 0
    """Bridges under construction, begun by the Germans."""
    building_allied: int = 0
    ouren_tested: bool = False
    german_held: int = 0
    """Hexes that a German was in or passed last (30.1.2)."""
    improved: int = 0
    """Hexes with an Improved Position."""
    digging: int = 0
    """Hexes with one under construction."""
    traffic: list[int] = msgspec.field(default_factory=lambda: [-1] * 6)
    """The hexes of the Allied Traffic markers; -1 in their box."""
    greif: list[int] = msgspec.field(default_factory=lambda: [-1] * 6)
    """The hexes of the German ones; -1 in their box, -2 gone for good."""
    exited: int = 0
    """Germans who left the map by its west edge."""
    exit_hexes: int = 0
    """Hexes by which they left."""
    detected: bool = False
    """The 150th Panzer Brigade has been found out (27.8)."""
    tricked: bool = False
    """It has used one of its tricks this turn."""
    meuse_crossed: bool = False
    """A German has been over the Meuse (27.3.2)."""
    jagdtigers: bool = False
    """The 653rd may come on (27.7)."""
    air: int = 0
    """Air Support markers left this player-turn (15.6.2)."""
    allied_areas: int = 0
    """In how many Victory Checks running the Allies held three German areas (30.3)."""

    fuel: list[str] = []
    """Results of the Fuel Shortage Tables that are still to be carried out (6.1)."""
    dumps: int = 0
    """Hexes with a fuel dump marker that nobody has turned over (32.1)."""
    real_dump: int = -1
    """Where the fuel is; a secret of the Allies until it is found."""
    dump: str = ""
    """What has become of the real one: hidden, found, captured or taken; empty where there is none (32.2)."""
    dump_tried: bool = False
    """Somebody has tried to destroy it in this player-turn."""
    bodenplatte: int = 0
    """The turn from which the Luftwaffe's blow counts; 0 if never (35)."""
    commando_used: bool = False
    """The Greif Commando has hindered a demolition (36)."""
    night_left_german: int = 0
    night_left_allied: int = 0
    """Night markers that a side did not lay, for Night Infiltration (31)."""
    blocks_german: list[int] = msgspec.field(default_factory=lambda: [-1, -1])
    blocks_allied: list[int] = msgspec.field(default_factory=lambda: [-1, -1])
    """The hexes of each side's Roadblocks; -1 in hand (33)."""
    overrun: int = 0
    """Hexes of enemy Roadblocks that the side on turn has entered in this phase."""
    blocks_done: int = 0
    """How many Roadblocks have been seen to in this Traffic Phase."""
    roadblocks: bool = False
    night_infiltration: bool = False
    factor_limit: bool = False
    with_bodenplatte: bool = False
    greif_commando: bool = False
    fuel_dumps: bool = False
    """The optional rules that are played (31 to 36)."""

    # This player-turn
    tried: int = 0
    """Bridges that somebody has tried to blow."""
    arrived: int = 0
    """Units that came on this turn."""
    engineered: int = 0
    """Towns in which engineers have appeared (13.2.1)."""

    # This phase
    moved: int = 0
    """Units whose movement is over."""
    left_behind: int = 0
    """Columns whose marker has driven on without them: they follow, or are none when the phase ends (12.4.2)."""
    last_way: list[int] = []
    """The hexes of the last move, for those of the stack who go the same way."""
    dug: int = 0
    """Units that spent the phase digging, and may not attack."""
    attacked: int = 0
    """Units that have attacked, or tried to disengage."""
    remaining: int = 0
    """Units whose stack has disengaged without them; they do not try any more (20.2)."""
    defended: int = 0
    """Units that have been attacked, and may not be attacked again."""
    advanced: dict[int, int] = {}
    """How many hexes each unit has advanced after the battle just fought."""
    retreated: int = 0
    """Units that have retreated in this Combat Phase."""
    joined: int = 0
    """Those of them that retreated on to friends, and add nothing to their defence (17.5)."""
    target: int = -1
    """The hex that is being attacked."""
    attackers: int = 0
    along: int = 0
    """Units of a third formation that come along with them, to advance (19.1.1)."""
    breakers: int = 0
    """Units that may make Breakthrough Combat now (19.4)."""
    chain: int = 0
    """How many attacks the last breakthrough has made, the first one included."""
    placed: int = 0
    """How often units have been put elsewhere in the set-up (S1.3)."""
    to_place: int = 0
    """How many replacements are left to use."""
    armour_to_place: bool = False
    """One of them may go to a Tank, Recon or Flak unit (25.2.1)."""
    flips: int = 0
    """How many German guns may still be made ready (5.2)."""
