"""What players know of The Ardennes Offensive: what points, units, exits, supply and attacks are worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import tanh
from typing import Any, ClassVar

import numpy as np

from bulge.core.decision import DONE, Choice, Decision
from bulge.core.game import Game
from bulge.core.question import Question
from bulge.games.ardennes_offensive.arrivals import WhereItArrives
from bulge.games.ardennes_offensive.combat import ATTACK, ROLL, WhichHexToo, WhoGivesUpShelter
from bulge.games.ardennes_offensive.facts import ALLIED, GERMAN, LAST_TURN, other
from bulge.games.ardennes_offensive.game import ArdennesOffensive
from bulge.games.ardennes_offensive.paradrop import WhereTheyLand
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.retreats import Ways
from bulge.games.ardennes_offensive.setting_up import WhereItStarts, WhoStartsElsewhere
from bulge.games.ardennes_offensive.situation import Situation, finds_room
from bulge.games.ardennes_offensive.victory import IMMEDIATE_UNTIL, POINTS_TO_WIN, exits_held, lost
from bulge.players.knowledge import Spread
from bulge.players.knowledge.ardennes_offensive.fields import AlliedFields, GermanFields
from bulge.players.knowledge.ardennes_offensive.ground import Ground
from bulge.players.knowledge.ardennes_offensive.setup import SetUps
from bulge.players.knowledge.ardennes_offensive.tally import STRENGTH_WORTH, UNIT_WORTH, Tally

LOSS_RATIO = 1.3
"""A German unit lost costs the Germans more than a point: they need three points for each two."""
URGE, LEAN = 0.02, 0.8
COLUMN_RISK = 0.3
"""What each point of strength in road mode risks near the enemy."""
CUT_OFF = 0.25
"""What each point of strength without supply counts less."""
FIRM = 0.4
"""How much more an exit counts with a unit in it: one that is held by a zone alone is lost to whoever walks in."""
KEPT_OUT = 1.0
"""What each reinforcement costs that friends keep from coming on."""
DECIDED = 20.0
"""What being over the points for victory is worth when it counts."""

PLANNED = 20.0
"""What it is worth to set up by plan: more than a weak player misjudges."""

ATTACKS_NEXT = {
    "german_movement": (GERMAN, 1.0),
    "german_combat": (GERMAN, 0.0),
    "german_mechanized": (ALLIED, 0.6),
    "allied_movement": (ALLIED, 1.0),
    "allied_combat": (ALLIED, 0.0),
    "allied_mechanized": (GERMAN, 0.6),
}
"""Who fights next once a step is over, and how far the attacks that he could make from here count."""
THREAT = {"german_movement": 0.5, "german_combat": 0.4, "allied_mechanized": 0.7, "allied_combat": 0.5}
"""How far exits that German armour could reach count; less while the Allies still move before it."""


class ArdennesKnowledge:
    move_rule: ClassVar[str] = "5.0"
    attack_rules: ClassVar[tuple[str, ...]] = ("9.0",)
    launch: ClassVar[str] = ATTACK
    at_once: ClassVar[tuple[str, ...]] = ()

    def __init__(self, game: ArdennesOffensive) -> None:
        self.game, self.facts = game, game.facts
        self.ground = Ground(game.facts)
        self.set_ups = SetUps(self.ground)
        self._kept: Situation | None = None

    # ------------------------------------------------------------------ the evaluation

    def value(self, p: ArdennesPosition, side: str) -> float:
        german = sum(self.features(p).values())
        return german if side == GERMAN else -german

    def features(self, p: ArdennesPosition) -> dict[str, float]:
        """What the value is made of, for the Germans."""
        s = Situation(self.facts, p)
        tally = self.ground.counter.tally(s)
        fights, weight = ATTACKS_NEXT.get(p.step, (GERMAN, 0.3))
        sign = 1 if fights == GERMAN else -1
        pending = self.ground.attack_prospects(s, tally, other(fights)) if p.step.endswith("_movement") else 0.0
        return {
            **self._points(p, s),
            "material": self._material(tally),
            "columns": self._columns(s, tally),
            "supply": self._supply(s, tally),
            "exits": self._exits(p, s, tally),
            "kept_out": self._kept_out(s, tally),
            "prospects": sign * weight * self.ground.attack_prospects(s, tally, fights),
            "pending": -0.5 * sign * pending,
        }

    def _points(self, p: ArdennesPosition, s: Situation) -> dict[str, float]:
        """Points as they are, and how they stand to what victory asks for, more so as time runs out."""
        killed, fallen = lost(self.facts, p, ALLIED), lost(self.facts, p, GERMAN)
        near = (s.occupied[GERMAN] | s.zones[GERMAN]) & self.facts.sources[ALLIED]
        held = exits_held(self.facts, s) if near else []
        exits = sum(self.facts.exit_points[hex_] for hex_ in held)
        firm = sum(self.facts.exit_points[hex_] for hex_ in held if s.occupied[GERMAN] >> hex_ & 1)
        lasting = 0.7 + 0.6 * p.turn / LAST_TURN
        margin = killed + exits - POINTS_TO_WIN
        decided = min(margin, killed + exits - 1.5 * fallen)
        return {
            "losses": UNIT_WORTH * (killed - LOSS_RATIO * fallen),
            "exits_held": UNIT_WORTH * lasting * (exits + FIRM * firm),
            "early": DECIDED * (1 + tanh(margin / 4)) if p.turn <= IMMEDIATE_UNTIL else 0.0,
            "enough": DECIDED * (p.turn / LAST_TURN) ** 2 * tanh(decided / 8),
        }

    def _material(self, tally: Tally) -> float:
        return STRENGTH_WORTH * (tally.total[GERMAN] - tally.total[ALLIED])

    def _columns(self, s: Situation, tally: Tally) -> float:
        """Columns in road mode near the enemy are at risk."""
        risk = 0.0
        for side, sign in ((GERMAN, -1.0), (ALLIED, 1.0)):
            if columns := s.marching[side]:
                near = columns & self.facts.board.within(s.occupied[other(side)], 4)
                risk += sign * COLUMN_RISK * tally.strength_in(side, near)
        return risk

    def _supply(self, s: Situation, tally: Tally) -> float:
        """Units that are cut off count for less."""
        total = 0.0
        for side, sign in ((GERMAN, -1.0), (ALLIED, 1.0)):
            cut_off = s.occupied[side] & ~s.supplied_hexes(side)
            if cut_off:
                total += sign * CUT_OFF * tally.strength_in(side, cut_off)
        return total

    def _kept_out(self, s: Situation, tally: Tally) -> float:
        """Reinforcements that friends keep from coming on are of no use."""
        total = 0.0
        for entry, count in tally.waiting.items():
            side = ALLIED if self.facts.edge >> entry & 1 else GERMAN
            if s.occupied[side] & self.ground.gate[entry]:
                total += (KEPT_OUT if side == ALLIED else -KEPT_OUT) * min(count, 4)
        return total

    def _exits(self, p: ArdennesPosition, s: Situation, tally: Tally) -> float:
        """How near German strength is to what is not held yet, to whom each exit leans, and what lies open."""
        ground = self.ground
        german, allied = (ground.side_strength(tally, side) for side in (GERMAN, ALLIED))
        worth = ground.open_worth(p, s)
        drawn = float(worth @ (ground.nearness @ german))
        lean = np.tanh((ground.nearness @ (german - allied)) / 6.0)
        total = URGE * drawn + LEAN * float(ground.place_worth @ lean)
        if weight := THREAT.get(p.step, 0.3):
            total += weight * ground.threatened(s)
        return total

    # ------------------------------------------------------------------ moving

    def spread(self, p: ArdennesPosition) -> Spread:
        return Spread(0.25, 0.25, 0.25)

    def fields(self, p: ArdennesPosition, side: str) -> GermanFields | AlliedFields:
        return GermanFields(self.ground, p) if side == GERMAN else AlliedFields(self.ground, p)

    def place(self, p: ArdennesPosition, unit: int, way: Sequence[Choice]) -> None:
        """Hexes lead on; a word is a change of mode. A reinforcement at least comes on."""
        facts, at = self.facts, p.where[unit]
        if not facts.on_map[at]:
            p.dormant &= ~(1 << unit)
            if at in facts.entry_of:
                p.where[unit] = facts.first_hex[facts.entry_of[at]]
        for step in way:
            if isinstance(step, int):
                p.where[unit] = step
            else:
                p.road ^= 1 << unit

    def room(self, p: ArdennesPosition, unit: int, hex_: int) -> bool:
        return finds_room(self.facts, p, unit, hex_)

    def ways_to_win(self, p: ArdennesPosition, unit: int) -> int:
        return 0

    def worth_passing(self, p: ArdennesPosition, unit: int) -> int:
        return 0

    def enemies(self, p: ArdennesPosition, side: str) -> int:
        return Situation(self.facts, p).occupied[other(side)]

    def where(self, p: ArdennesPosition, unit: int) -> int:
        """Its hex; negative for one that is not in play."""
        at = p.where[unit]
        return at if self.facts.on_map[at] else -1

    def words_of(self, hex_: int) -> str:
        return self.game.space_words(hex_)

    # ------------------------------------------------------------------ fighting

    def worth(self, p: ArdennesPosition, side: str, target: int, attackers: Sequence[int], result: str) -> float:
        """Units by what they fight with and the point they are worth; ground a little."""
        s = self._situation(p)
        if result[0] == "A":
            return -sum(self._retreat_worth(s, unit, int(result[2])) for unit in attackers)
        defenders = s.stack(target)
        if result[:2] == "Dr":
            return sum(self._retreat_worth(s, unit, int(result[2])) for unit in defenders) + 0.5
        strengths = [self.facts.strength[unit] for unit in defenders]
        destroyed = sum(UNIT_WORTH + STRENGTH_WORTH * strength for strength in strengths) + 1.0
        return destroyed if result == "De" else destroyed - self._price(attackers, sum(strengths))

    def _situation(self, p: ArdennesPosition) -> Situation:
        """The situation in a position, which is asked for again and again while one attack is weighed."""
        kept = self._kept
        kept = kept.now() if kept is not None and kept.p is p else Situation(self.facts, p)
        self._kept = kept
        return kept

    def _price(self, attackers: Sequence[int], owed: int) -> float:
        """What an exchange costs: the cheapest attackers that together are as strong as the units destroyed."""
        price, left = 0.0, sorted((self.facts.strength[unit] for unit in attackers), reverse=True)
        while owed > 0 and left:
            enough = [strength for strength in left if strength >= owed]
            strength = min(enough) if enough else left[0]
            left.remove(strength)
            owed -= strength
            price += UNIT_WORTH + STRENGTH_WORTH * strength
        return price

    def _retreat_worth(self, s: Situation, unit: int, hexes: int) -> float:
        """What a unit loses by a retreat: nothing where it may stand, itself where it cannot go."""
        facts, side, hex_ = self.facts, self.facts.side_of(unit), s.p.where[unit]
        if self.ground.shelter[side] >> hex_ & 1:
            return 0.0
        ways = Ways(facts, s, unit, hexes)
        if not (ways.plain(hex_, 0) or ways.off_the_map(hex_, 0) or ways.displacing(hex_, 0)):
            return UNIT_WORTH + STRENGTH_WORTH * facts.strength[unit]
        return 0.3 + 0.15 * hexes

    def prior(self, p: ArdennesPosition, decision: Decision, choice: Choice) -> float | None:
        """Rules of thumb, by what is asked."""
        thumb = RULES_OF_THUMB.get(type(decision.about))
        return None if thumb is None else thumb(self, p, decision, choice)

    def _single_hex(self, p: ArdennesPosition, decision: Decision, choice: Choice) -> float:
        return 1.0 if choice == DONE else 0.0

    def _stand_fast(self, p: ArdennesPosition, decision: Decision, choice: Choice) -> float:
        return 1.0 if choice == ROLL else 0.0

    def _who_starts_elsewhere(self, p: ArdennesPosition, decision: Decision, choice: Choice) -> float:
        """Whoever does not stand where the plan has him is put there; then it is done."""
        if isinstance(choice, str):
            return PLANNED / 2
        return PLANNED if self.set_ups.plan(p, decision.side)[choice] != p.where[choice] else 0.0

    def _where_it_starts(self, p: ArdennesPosition, decision: Decision, choice: Choice) -> float:
        return PLANNED if self.set_ups.plan(p, decision.side)[decision.about.unit] == choice else 0.0

    def _landing(self, p: ArdennesPosition, decision: Decision, choice: Choice) -> float:
        """On a road, near exits."""
        assert isinstance(choice, int)
        on_road = self.facts.road_hexes >> choice & 1
        return float(self.ground.place_worth @ self.ground.nearness[:, choice]) if on_road else -99.0

    def _entry(self, p: ArdennesPosition, decision: Decision, choice: Choice) -> float:
        """Allies come on where the Germans are near, Germans where exits are; fewer where others wait already."""
        assert isinstance(choice, int)
        ground, facts = self.ground, self.facts
        first = facts.first_hex[choice]
        waiting = p.where.count(facts.beside[choice])
        waiting += 4 * any(at >= 0 and ground.gate[choice] >> at & 1 for at in p.where)
        if decision.side == GERMAN:
            return float(ground.place_worth @ ground.nearness[:, first]) / (1 + waiting)
        near = ground.nearness[ground.places.index(first)]
        on_map = [unit for unit in facts.german_units if facts.on_map[p.where[unit]]]
        german = sum(facts.strength[unit] * near[p.where[unit]] for unit in on_map)
        return float(german) / (1 + waiting)


RULES_OF_THUMB: dict[type[Question], Callable[[ArdennesKnowledge, ArdennesPosition, Decision, Choice], float]] = {
    WhichHexToo: ArdennesKnowledge._single_hex,
    WhoGivesUpShelter: ArdennesKnowledge._stand_fast,
    WhoStartsElsewhere: ArdennesKnowledge._who_starts_elsewhere,
    WhereItStarts: ArdennesKnowledge._where_it_starts,
    WhereItArrives: ArdennesKnowledge._entry,
    WhereTheyLand: ArdennesKnowledge._landing,
}
"""Attack single hexes, stand in towns, set up by plan, come on where it is worth it."""


def make(game: Game[Any]) -> ArdennesKnowledge:
    assert isinstance(game, ArdennesOffensive)
    return ArdennesKnowledge(game)
