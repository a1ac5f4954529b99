"""What players know of The Bulge: what towns, units, ground, supply and open roads are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, tanh
from typing import Any, ClassVar

from bulge.core.decision import Choice, Decision
from bulge.core.game import Game
from bulge.core.movement import Reach
from bulge.games.the_bulge.facts import ALLIED, GERMAN, LAST_TURN, other
from bulge.games.the_bulge.game import POINTS_TO_WIN, TheBulge
from bulge.games.the_bulge.movement import EXIT
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from bulge.players.knowledge import Spread
from bulge.players.knowledge.the_bulge.fields import AlliedFields, GermanFields
from bulge.players.knowledge.the_bulge.ground import Ground
from bulge.players.knowledge.the_bulge.tally import Tally
from bulge.players.knowledge.the_bulge.ways_out import WaysOut

POINT_WORTH = 3.0
"""What a point of towns is worth in points of strength on the first turn; on the last it is twice as much."""
ENOUGH, MARGIN, UNCERTAIN = 150.0, 0.6, 0.45
"""Twelve points win, eleven do not (4.3). What it is worth to be sure of that on the last turn; how near the line
that is decided then; and how much farther off it still is for each turn to come. With fewer steps to come strength
counts for less and less beside it."""
TOWN_PULL, SUPPLY_WORTH, URGE = 1.2, 0.3, 0.1
EXIT_NOW = 150.0
"""A panzer unit that can leave the map as things stand, when the Germans move next: as good as won."""
OFTEN_LEAVES = 0.85
"""What chance the Germans have then at least: of 38 such positions in 18 games between computer players 34 won."""
EXIT_LATER, EXIT_EASE = 12.0, 60.0
"""Nothing at all between panzers and the edge: before the Allies move, and after. Less, the more there is."""
EXIT_THREAT = 4.0
"""They could leave it next time if the Allies did nothing about it: but Allies do."""
EXIT_HELD = 30.0
"""A panzer unit that is sure to stay on a hex of the edge until the Germans move again."""
EXIT_NARROWLY = 25.0
"""They could leave it but for what leaving an enemy zone costs."""
EXIT_WITHIN_REACH = 40.0
"""They can get to the edge, if not over it: from there they leave unless they are thrown back in time."""
EXIT_IF_BROKEN = 120.0
"""They can leave it once attacks succeed which they can make first: by the chance of that."""

NEXT_TO_MOVE = {
    "german_combat_1": GERMAN,
    "german_movement": ALLIED,
    "german_combat_2": ALLIED,
    "allied_combat_1": ALLIED,
}
"""Whose movement comes next once a step is over; the Germans' after all others."""
PROSPECTS = {"german_combat_1": 0.3, "allied_combat_1": 0.3}
"""How far attacks that could be made from here count; less where the same units still move before it matters."""
MENACE = {GERMAN: 0.35, ALLIED: 0.25}
"""How far it counts what whoever moves next could surround."""
DRIVE, DRIVE_UNTIL = 0.03, 7
LINE = 1.2
"""A row of the map in which Germans bar the way into their rear: one combat command there starves an army."""
RAID, MOST_RAIDED = 0.5, 10
"""A road hex in that rear which Americans could reach, and how many of them count."""
OPEN_NOW, OPEN_LATER = 0.7, 0.4
"""How likely Germans take an empty town that they can reach: when they move next, and when the Allies do."""
MOST_TAKEN = 5.0
"""So many points at most are taken by one move, however many lie open."""
LEFT_EMPTY = 0.9
"""How likely a German town is lost that nobody holds and Americans can reach."""
PENDING = ("german_movement", "allied_movement")
"""Steps after which the same side still fights."""


class BulgeKnowledge:
    move_rule: ClassVar[str] = "9.2"
    attack_rules: ClassVar[tuple[str, ...]] = ("13.1",)
    launch: ClassVar[str] = "attack"
    at_once: ClassVar[tuple[str, ...]] = (EXIT,)

    def __init__(self, game: TheBulge) -> None:
        self.game, self.facts = game, game.facts
        self.ground = Ground(game.facts)
        self.ways_out = WaysOut(self.ground)
        self.priors: dict[str, Callable[[BulgePosition, int], float]] = {
            "7.5": lambda p, unit: 1.0,
            "7.11": self._short_worth,
            "14.4": self._disrupted_worth,
            "14.5": self._drop_worth,
        }
        """What a choice is worth where a rule asks that is neither moving nor fighting."""

    # ------------------------------------------------------------------ the evaluation

    def value(self, p: BulgePosition, side: str) -> float:
        german = sum(self.features(p).values())
        return german if side == GERMAN else -german

    def features(self, p: BulgePosition) -> dict[str, float]:
        """What the value is made of, for the Germans."""
        s = Situation(self.facts, p)
        tally = Tally(self.facts, s)
        to_move = NEXT_TO_MOVE.get(p.step, GERMAN)
        sign, worth = 1 if to_move == GERMAN else -1, self._point_worth(p)
        prospects, emptied = self.ground.attack_prospects(s, tally, to_move, worth)
        pending = self.ground.attack_prospects(s, tally, other(to_move), worth)[0] if p.step in PENDING else 0.0
        return {
            "material": self._material(tally),
            **self._towns(p, tally),
            "supply": self._supply(s, tally),
            **self._roads(p, s, tally, to_move, emptied),
            "drive": self._drive(p),
            "front": self._front(p, s, to_move),
            "menace": sign * MENACE[to_move] * self.ground.menace(tally, to_move),
            "prospects": sign * PROSPECTS.get(p.step, 0.7) * prospects,
            "pending": -0.9 * sign * pending,
        }

    def _material(self, tally: Tally) -> float:
        return tally.total[GERMAN] - tally.total[ALLIED]

    def _towns(self, p: BulgePosition, tally: Tally) -> dict[str, float]:
        """Towns held now, and how likely each is to be taken, from the strength near it."""
        points = self.game.points(p)
        sure = self._steady_worth(p) * points
        enough = _enough(p.turn, points)
        drawn = URGE * self.ground.drawn(tally, p.german)
        leaning = TOWN_PULL * self.ground.leaning(tally)
        return {"points": sure, "enough": enough, "drawn": drawn, "leaning": leaning}

    def _steady_worth(self, p: BulgePosition) -> float:
        return POINT_WORTH * (1 + p.turn / LAST_TURN)

    def _point_worth(self, p: BulgePosition) -> float:
        """What one more point, or one less, is worth now: most where it may decide the game."""
        points = self.game.points(p)
        return self._steady_worth(p) + (_enough(p.turn, points + 1) - _enough(p.turn, points - 1)) / 2

    def _supply(self, s: Situation, tally: Tally) -> float:
        """Units that are cut off count for less."""
        cut_off = {
            side: tally.strength_outside(side, s.lines(side).among(s.occupied[side])) for side in (GERMAN, ALLIED)
        }
        return SUPPLY_WORTH * (cut_off[ALLIED] - cut_off[GERMAN])

    def _drive(self, p: BulgePosition) -> float:
        """Panzers are no use behind the front: every step towards the edge counts, less and less with time."""
        if p.turn > DRIVE_UNTIL:
            return 0.0
        far, armour = self.ground.exit_distance, [unit for unit in self.ground.armour if p.where[unit] >= 0]
        return -DRIVE * sum(self.ground.strength(p, unit) * far[p.where[unit]] for unit in armour)

    def _front(self, p: BulgePosition, s: Situation, to_move: str) -> float:
        """A line behind which supply is safe. On turn 1 nobody has broken through yet."""
        if p.turn == 1:
            return 0.0
        line = LINE * self.ground.barred_rows(s)
        if to_move == GERMAN:
            return line
        soon = min(1.0, 0.3 * p.turn)
        return line - soon * RAID * min(MOST_RAIDED, self.ground.open_rear(s))

    def _roads(
        self, p: BulgePosition, s: Situation, tally: Tally, to_move: str, emptied: dict[int, float]
    ) -> dict[str, float]:
        """What lies open: the map's edge to panzers, and empty towns to whoever moves next."""
        found = {"open_towns": 0.0, "way_out": 0.0, "threat_to_leave": 0.0, "left_empty": 0.0}
        if to_move == ALLIED:
            found["left_empty"] = -self._open_to_allies(p, s)
        if p.turn == LAST_TURN and p.step != "german_combat_1":
            return found  # the Germans have moved for the last time
        reach = self.ground.panzer_reach(s, s.occupied[ALLIED])
        towns = self._point_worth(p) * self._open_towns(s, reach)
        if to_move == GERMAN:
            return found | {"open_towns": OPEN_NOW * towns, "way_out": self._way_out(s, tally, reach, emptied)}
        return found | {
            "open_towns": OPEN_LATER * towns, "threat_to_leave": self._threat_to_leave(s, tally, reach)
        }  # fmt: skip

    def _open_to_allies(self, p: BulgePosition, s: Situation) -> float:
        empty = self.facts.towns & p.german & ~s.occupied[GERMAN]
        lost = self.ground.points_in(self.ground.allied_reach(s) & empty) if empty else 0.0
        return LEFT_EMPTY * self._point_worth(p) * lost

    def _threat_to_leave(self, s: Situation, tally: Tally, reach: Reach) -> float:
        """Panzers on the edge, or with little between it and them, before the Allies have moved."""
        out = self.ways_out
        threat = EXIT_LATER * out.ease(s, tally) + EXIT_HELD * out.foothold(s, tally)
        if out.can_exit(reach, s.occupied[ALLIED]):
            threat += EXIT_THREAT + 0.4 * min(12, (reach.spaces & self.facts.exits).bit_count())
        return threat

    def _open_towns(self, s: Situation, panzers: Reach) -> float:
        """The points of empty towns that Germans can take by their next move; they cannot be everywhere."""
        towns = self.facts.towns & ~s.p.german
        points = self.ground.points_in(towns & (panzers.spaces | self.ground.foot_reach(s)))
        return MOST_TAKEN * (1.0 - exp(-points / MOST_TAKEN))

    def _way_out(self, s: Situation, tally: Tally, reach: Reach, emptied: dict[int, float]) -> float:
        """Panzers that can leave the map now, or could if one attack succeeds, or get to its edge."""
        out = self.ways_out
        if out.can_exit(reach, s.occupied[ALLIED]):
            return EXIT_NOW
        near = EXIT_EASE * out.ease(s, tally)
        if out.can_exit(reach, against=0):
            near += EXIT_NARROWLY  # only the toll of a zone keeps them, and one attack may lift that
        if reach.spaces & self.facts.exits:
            near += EXIT_WITHIN_REACH
        return near + EXIT_IF_BROKEN * out.breakthrough(s, emptied)

    def bounds(self, features: Mapping[str, float]) -> tuple[float, float]:
        return (OFTEN_LEAVES, 1.0) if features["way_out"] >= EXIT_NOW else (0.0, 1.0)

    # ------------------------------------------------------------------ moving

    def spread(self, p: BulgePosition) -> Spread:
        return Spread()

    def fields(self, p: BulgePosition, side: str) -> GermanFields | AlliedFields:
        return GermanFields(self.ground, p) if side == GERMAN else AlliedFields(self.ground, p, self.ways_out)

    def place(self, p: BulgePosition, unit: int, way: Sequence[Choice]) -> None:
        hexes = [hex_ for hex_ in way if isinstance(hex_, int)]
        for hex_ in hexes:
            if unit in self.facts.german_units:
                p.german |= 1 << hex_
            else:
                p.german &= ~(1 << hex_)
        if hexes:
            p.where[unit] = hexes[-1]

    def room(self, p: BulgePosition, unit: int, hex_: int) -> bool:
        facts = self.facts
        there = [other_ for other_, at in enumerate(p.where) if at == hex_ and other_ != unit]
        if any(facts.side_of(mate) == ALLIED and facts.british(mate) != facts.british(unit) for mate in there):
            return False
        return sum(facts.sizes[mate] for mate in there) + facts.sizes[unit] <= facts.stack_limit

    def ways_to_win(self, p: BulgePosition, unit: int) -> int:
        return self.facts.exits if unit in self.ground.armour else 0

    def worth_passing(self, p: BulgePosition, unit: int) -> int:
        """Towns of the other side: they are whose unit was last in them (3.3)."""
        return self.facts.towns & (~p.german if unit in self.facts.german_units else p.german)

    def enemies(self, p: BulgePosition, side: str) -> int:
        return Situation(self.facts, p).occupied[other(side)]

    def where(self, p: BulgePosition, unit: int) -> int:
        return p.where[unit]

    def words_of(self, hex_: int) -> str:
        return self.game.space_words(hex_)

    # ------------------------------------------------------------------ fighting

    def worth(self, p: BulgePosition, side: str, target: int, attackers: Sequence[int], result: str) -> float:
        """Steps by what they fight with; ground by what it opens."""
        ground, facts = self.ground, self.facts
        defenders = [u for u, at in enumerate(p.where) if at == target and facts.fighting[u]]
        if result == "AE":
            return -sum(ground.step_worth(p, unit) for unit in attackers)
        if result == "AS":
            return 0.0
        s, taken = Situation(facts, p), self._ground_worth(p, side, target)
        emptied = taken
        if side == GERMAN:
            emptied += ground.nuisance(target, not s.lines(ALLIED).among(1 << target))
        if result == "DR":
            if facts.towns >> target & 1:
                return 0.0
            if not ground.trapped(s, target):
                return 0.5 * taken + self._pushed_back(s, side, target)
        broken = all(p.steps[unit] == 1 for unit in defenders)
        gain = sum(ground.step_worth(p, unit) for unit in defenders) + (emptied if broken else 0.0)
        if result == "BB":
            paid = sorted(ground.step_worth(p, unit) for unit in attackers)
            gain -= sum((paid * len(defenders))[: len(defenders)])
        return gain

    def _pushed_back(self, s: Situation, side: str, target: int) -> float:
        """What a retreat is worth: little into a town, or where the enemy could still be surrounded instead."""
        refuge = self.ground.refuge(s, target) & self.facts.towns
        if refuge & ~s.p.german if side == GERMAN else refuge & s.p.german:
            return -0.8
        return 0.6 if s.p.step.endswith("combat_1") else 0.8

    def _ground_worth(self, p: BulgePosition, side: str, target: int) -> float:
        """What it is worth to empty a hex: a town at once, elsewhere a little more for the Germans."""
        points = self.facts.town_points.get(target, 0)
        town = self._point_worth(p) * points if points else 0.0
        return town + (1.2 if side == GERMAN else 0.5)

    def prior(self, p: BulgePosition, decision: Decision, choice: Choice) -> float | None:
        if isinstance(choice, str):
            return 0.0 if decision.rule == "7.5" else None
        worth = self.priors.get(decision.rule)
        return worth(p, choice) if worth else None

    def _short_worth(self, p: BulgePosition, unit: int) -> float:
        worth = self._disrupted_worth(p, unit) + 3 * self.facts.mechanized[unit]
        return worth + self._driven_for(p, unit) if self.facts.mechanized[unit] else worth

    def _driven_for(self, p: BulgePosition, unit: int) -> float:
        """What the Germans lose if a unit cannot drive this turn: ways off the map, towns that lie open."""
        marked = p.copy()
        marked.short |= 1 << unit
        return max(0.0, self.value(p, GERMAN) - self.value(marked, GERMAN))

    def _disrupted_worth(self, p: BulgePosition, unit: int) -> float:
        return self.ground.strength(p, unit) + self.ground.westward(p, unit)

    def _drop_worth(self, p: BulgePosition, hex_: int) -> float:
        """Where paratroopers bar many roads, and panzers can soon relieve them: that is a point (14.5)."""
        board, armour = self.facts.board, self.ground.panzers(p)
        barred = (board.within(1 << hex_, 1) & self.facts.road_hexes).bit_count()
        away = next((far for far in range(1, 40) if board.within(1 << hex_, far) & armour), 40)
        return 0.5 * barred - away


def _enough(turn: int, points: int) -> float:
    """What it is worth to stand above the line that wins, or below: all or nothing at last, little before."""
    decided = MARGIN + UNCERTAIN * (LAST_TURN - turn)
    return ENOUGH * (turn / LAST_TURN) ** 3 * tanh((points - POINTS_TO_WIN + 0.5) / decided)


def make(game: Game[Any]) -> BulgeKnowledge:
    assert isinstance(game, TheBulge)
    return BulgeKnowledge(game)
