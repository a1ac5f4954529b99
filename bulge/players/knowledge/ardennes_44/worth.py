"""What players know of Ardennes '44: what hexes, units, supply and results are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from bulge.core.decision import Choice, Decision
from bulge.core.game import Game
from bulge.core.spaces import members, union
from bulge.games.ardennes_44.battle import ATTACK
from bulge.games.ardennes_44.columns import MARKERS
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import EXITED
from bulge.games.ardennes_44.game import Ardennes44Game
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.reach import LEAVE_MAP, MOVER, STRATEGIC
from bulge.games.ardennes_44.results import outcome
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits
from bulge.games.ardennes_44.supply import road_bound
from bulge.games.ardennes_44.victory import FACTORS_A_POINT, exited_factors, german_controlled
from bulge.players.knowledge import Spread
from bulge.players.knowledge.ardennes_44.defence import AlliedFields
from bulge.players.knowledge.ardennes_44.digging import diggers
from bulge.players.knowledge.ardennes_44.fields import FAR, distances, wanted
from bulge.players.knowledge.ardennes_44.ground import TOWN, Ground
from bulge.players.knowledge.ardennes_44.habits import Habits
from bulge.players.knowledge.ardennes_44.missions import (
    ON_FOOT,
    formation,
    free_units,
    objectives,
    sectors,
    ways_west,
)
from bulge.players.knowledge.ardennes_44.nights import marked
from bulge.players.knowledge.ardennes_44.offence import GermanFields
from bulge.players.knowledge.ardennes_44.stacks import Stack

POINT_WORTH, STEP_WORTH, MATERIAL = 4.0, 1.0, 0.5
SHAKEN, BROKEN, CUT_OFF = 0.7, 1.2, 1.0
"""What each unit counts less that is disrupted, broken or out of supply."""
URGE, LEAN = 1.0, 1.0
"""How far German strength near towns counts, and to whom each town leans."""
DRIVE, NEAR = 0.15, 6.0
"""What each German factor counts at a hex that is still to be taken; half as much this many hexes off."""
HASTE = {0: (3.0, 0.2), 1: (1.75, 0.6), 2: (1.25, 1.0)}
"""With so many turns to come: how much more points count, and how far what leads to them later still does."""
GUN_RANGE, IN_RANGE = 4, 0.5
"""How near an enemy must be to a German gun, and what it counts then, fired or not."""
DRAWING, LEANING, ALLIED_EDGE = 40.0, 15.0, 1.2
"""The strength near a town that is much, the difference that is, and how much more a defender's counts."""
FIGHTS_NEXT = {
    "german_movement": (GERMAN, 1.0),
    "german_combat": (ALLIED, 0.3),
    "allied_movement": (ALLIED, 1.0),
    "allied_combat": (GERMAN, 0.3),
    "german_night_movement": (GERMAN, 1.0),
    "allied_night_movement": (ALLIED, 1.0),
}
"""Who fights next once a step is over, and how far the attacks that he could make from here count."""
OPEN = {"german_movement": 0.4, "german_combat": 0.5, "allied_movement": 3.0, "allied_combat": 2.0}
"""How far victory hexes count into which German armour could drive."""
EXPOSED = {"german_movement": 2.5, "german_combat": 2.5}
"""How far victory hexes count that Germans have taken and left to whoever comes next."""
BY_COLUMN, WAY_OUT = 0.3, 1.0
"""What a victory hex counts of that which only columns can reach, and what an open way off the map does."""
RETREAT_WORTH, ENGAGED_WORTH, BREAKTHROUGH = 0.7, 0.4, 1.5
TOO_MANY = 6.0
"""What each column counts less for which no marker is left."""

CAMPAIGN = Spread(evaluations=1.5, plans=0.7)
SHORT = CAMPAIGN._replace(at_a_glance=0.1)


class Ardennes44Knowledge:
    move_rule: ClassVar[str] = "11.1"
    attack_rules: ClassVar[tuple[str, ...]] = ("14.1", "19.4.2")
    launch: ClassVar[str] = ATTACK
    at_once: ClassVar[tuple[str, ...]] = ("fire_fight",)

    def __init__(self, game: Ardennes44Game) -> None:
        self.game, self.facts = game, game.facts
        self._grounds: dict[str, Ground] = {}
        self._habits = Habits(self.facts)
        self._german_guns = members(self.facts.guns & self.facts.of_side[GERMAN])

    # ------------------------------------------------------------------ the evaluation

    def value(self, p: Ardennes44, side: str) -> float:
        german = sum(self.features(p).values())
        return german if side == GERMAN else -german

    def features(self, p: Ardennes44) -> dict[str, float]:
        """Points and units, where strength leans, what lies open, and the attacks that either side could make."""
        s, ground = Situation(self.facts, p), self.ground(p)
        stacks = ground.stacks.of(s)
        fights, weight = FIGHTS_NEXT.get(p.step, (GERMAN, 0.3))
        sign = 1 if fights == GERMAN else -1
        haste, calm = HASTE.get(self._turns_left(p), (1.0, 1.0))
        town = haste * TOWN
        pending = ground.prospects(s, stacks, other(fights), town) if p.step.endswith("movement") else 0.0
        exposed = ground.worth_in(ground.retakable(s, stacks[ALLIED]))
        return {
            "points": haste * POINT_WORTH * self._held(s, ground),
            "material": self._material(p, stacks),
            **{name: calm * worth for name, worth in self._towns(s, ground, stacks).items()},
            "drive": calm * self._drive(s, stacks[GERMAN]),
            "guns": calm * self._guns(s),
            "exposed": -haste * EXPOSED.get(p.step, 0.5) * exposed,
            "prospects": sign * weight * ground.prospects(s, stacks, fights, town),
            "pending": -0.4 * sign * pending,
        }

    def _turns_left(self, p: Ardennes44) -> int:
        return self.facts.scenarios[p.scenario].last_turn - p.turn

    def ground(self, p: Ardennes44) -> Ground:
        """What is known of the part of the map that the scenario is played on."""
        sheets = self.facts.scenarios[p.scenario].sheets
        if sheets not in self._grounds:
            self._grounds[sheets] = Ground(self.facts, self.facts.fields[sheets])
        return self._grounds[sheets]

    def _held(self, s: Situation, ground: Ground) -> float:
        """The victory hexes that Germans control, and what has left the map for them."""
        if not (self.facts.victory_hexes & s.p.german_held or s.p.exited):
            return 0.0
        held = ground.worth_in(german_controlled(s))
        way_back = s.p.exited and s.p.exit_hexes & road_bound(s, GERMAN)
        return held + (exited_factors(self.facts, s.p) / FACTORS_A_POINT if way_back else 0.0)

    def _material(self, p: Ardennes44, stacks: dict[str, dict[int, Stack]]) -> float:
        """What stands on the map, less for who is shaken or cut off."""
        total = 0.0
        for side, sign in ((GERMAN, 1.0), (ALLIED, -1.0)):
            mine = self.facts.of_side[side]
            held_up = SHAKEN * (p.disrupted & mine).bit_count() + BROKEN * (p.broken & mine).bit_count()
            held_up += CUT_OFF * (p.unsupplied & mine).bit_count()
            held_up += TOO_MANY * max(0, (p.columns & mine).bit_count() - MARKERS[side])
            total += sign * (MATERIAL * sum(stack.worth for stack in stacks[side].values()) - held_up)
        return total

    def _drive(self, s: Situation, german: dict[int, Stack]) -> float:
        """How near each German is to the nearest hex that is still to be taken."""
        facts, p = self.facts, s.p
        goals = wanted(facts, s.field) & ~p.german_held
        far = distances(facts, goals or s.field.exits, s.field.hexes)
        return DRIVE * sum(stack.factors * NEAR / (NEAR + far.get(hex_, FAR)) for hex_, stack in german.items())

    def _guns(self, s: Situation) -> float:
        """German guns serve where an enemy is in range; those of the Allies are always near enough."""
        facts, p = self.facts, s.p
        near = facts.board.within(s.occupied[ALLIED] & s.field.hexes, GUN_RANGE)
        return IN_RANGE * sum(near >> p.where[gun] & 1 for gun in self._german_guns if p.where[gun] >= 0)

    def _towns(self, s: Situation, ground: Ground, stacks: dict[str, dict[int, Stack]]) -> dict[str, float]:
        """How near German strength is to what it still wants, to whom each town leans, and what lies open."""
        german, allied = ground.strength_near(stacks[GERMAN]), ground.strength_near(stacks[ALLIED])
        held = np.array([s.p.german_held >> hex_ & 1 for hex_ in ground.places], bool)
        lean = np.tanh((german - ALLIED_EDGE * allied) / LEANING)
        drawn = np.tanh(german / DRAWING)
        # What is held counts as if all strength were there, lest taking a town should cost its pull.
        near = ground.threatened(s, stacks[GERMAN]) & ~s.p.german_held
        far = ground.open_to_columns(s, stacks[GERMAN]) & ~s.p.german_held
        within_reach = ground.worth_in(near) + BY_COLUMN * ground.worth_in(far & ~near)
        within_reach += WAY_OUT * bool((near | far) & s.field.exits)
        return {
            "leaning": LEAN * float(ground.place_worth @ np.where(held, 0.5 + 0.5 * lean, lean)),
            "drawn": URGE * float(ground.place_worth @ np.where(held, 1.0, drawn)),
            "open": OPEN.get(s.p.step, 0.4) * within_reach,
        }

    def prior(self, p: Ardennes44, decision: Decision, choice: Choice) -> float | None:
        return self._habits.prior(p, decision, choice)

    # ------------------------------------------------------------------ moving

    def spread(self, p: Ardennes44) -> Spread:
        """Many units want more evaluations, and fewer plans leave time for the enemy's replies. In six or eight
        turns a hundred evaluations find what thousands do."""
        return SHORT if self.facts.scenarios[p.scenario].points else CAMPAIGN

    def fields(self, p: Ardennes44, side: str) -> GermanFields | AlliedFields:
        if side == GERMAN:
            return GermanFields(self.facts, p)
        return AlliedFields(self.facts, p, self.ground(p))

    def place(self, p: Ardennes44, unit: int, way: Sequence[Choice]) -> None:
        """Entering a hex takes it; who went in column stays in it; guns that are drawn cannot fire."""
        hexes = [hex_ for hex_ in way if isinstance(hex_, int)]
        if not hexes:
            return
        bit, passed = 1 << unit, union(hexes)
        german = self.facts.side_of(unit) == GERMAN
        p.german_held = p.german_held | passed if german else p.german_held & ~passed
        p.where[unit] = hexes[-1]
        if LEAVE_MAP in way:
            p.where[unit] = EXITED
            p.exited |= bit
            p.exit_hexes |= 1 << hexes[-1]
        p.columns = p.columns | bit if STRATEGIC in way else p.columns & ~bit
        if MOVER in way:
            p.movers |= bit
        if bit & self.facts.guns and not german and len(hexes) > 1:
            p.fired |= bit

    def room(self, p: Ardennes44, unit: int, hex_: int) -> bool:
        there = [mate for mate, at in enumerate(p.where) if at == hex_ and mate != unit]
        return fits(self.facts, p.reduced, [*there, unit])

    def while_staying(self, p: Ardennes44, side: str, units: Sequence[int]) -> dict[int, str]:
        """Germans who could dig in had rather come up by night, Allies the other way round."""
        first, then = (marked, diggers) if side == GERMAN else (diggers, marked)
        found = first(self.facts, p, side, units)
        busy = {p.where[unit] for unit in found}
        return found | then(self.facts, p, side, [unit for unit in units if p.where[unit] not in busy])

    def objectives(self, p: Ardennes44, side: str) -> dict[int, float]:
        return objectives(self.facts, p, side)

    def own_objectives(self, p: Ardennes44, side: str) -> dict[str, int]:
        return ways_west(self.facts, p) if side == GERMAN else sectors(self.facts)

    def free_units(self, p: Ardennes44, side: str) -> int:
        return free_units(self.facts, p, side)

    def formation(self, unit: int) -> str:
        return formation(self.facts, unit)

    def strength(self, p: Ardennes44, unit: int) -> float:
        return self.facts.defence(unit, p.reduced)

    def pace(self, unit: int) -> float:
        return ON_FOOT if self.facts.way[unit] == "foot" else 1.0

    def far_from(self, p: Ardennes44, objective: int) -> dict[int, int]:
        return distances(self.facts, 1 << objective, self.facts.field_of(p.scenario).hexes)

    def ways_to_win(self, p: Ardennes44, unit: int) -> int:
        return 0

    def worth_passing(self, p: Ardennes44, unit: int) -> int:
        held = p.german_held if self.facts.side_of(unit) == ALLIED else ~p.german_held
        return self.facts.victory_hexes & held

    def enemies(self, p: Ardennes44, side: str) -> int:
        return Situation(self.facts, p).occupied[other(side)]

    def where(self, p: Ardennes44, unit: int) -> int:
        return p.where[unit]

    def words_of(self, hex_: int) -> str:
        return self.facts.words(hex_)

    # ------------------------------------------------------------------ fighting

    def worth(self, p: Ardennes44, side: str, target: int, attackers: Sequence[int], result: str) -> float:
        """Steps for steps, more for driving off, most in a victory hex."""
        happens = outcome(result)
        if happens.fire_fight is not None:
            return 0.5 - 0.2 * happens.fire_fight
        gain = STEP_WORTH * (1.5 * happens.defender - 1.5 * happens.attacker)
        gain += RETREAT_WORTH * happens.retreat + ENGAGED_WORTH * happens.engaged
        gain += BREAKTHROUGH * happens.breakthrough
        if happens.retreat and self.facts.victory_hexes >> target & 1:
            gain += POINT_WORTH / 2 * HASTE.get(self._turns_left(p), (1.0, 1.0))[0]
        return gain


def make(game: Game[Any]) -> Ardennes44Knowledge:
    assert isinstance(game, Ardennes44Game)
    return Ardennes44Knowledge(game)
