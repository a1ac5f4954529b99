"""A player that plans its movement as a whole: a search over plans, judged by what the enemy may do about them."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bulge.core.board import NamedSpaces
from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.players.commanding import tried_out
from bulge.players.greedy import GreedyPlayer, detours, least_gain
from bulge.players.knowledge import ArmyKnowledge, CommandKnowledge, Fields, Knowledge, Spread
from bulge.players.looking import Attack, Moves, Way, all_moves, best_attacks, expected_after, winning_way

MOST_CHOICES_OF_REPLY = 400
ATTEMPTS, MOST_CALLED = 2, 4
"""Each time round, how often each enemy is made the aim of several units, and how many are called at most."""
REGROUPED = 0.35
"""How likely a unit that is next to such an enemy already is to be put elsewhere around him."""
SHAKEN = 0.3
AGAIN = 4
"""The effort of planning anew in the middle of a phase is divided by this."""
MOST_CONTENDERS = 3
"""So many of the plans found are tried against the enemy's replies."""
MOST_TRIED, DRAWS_A_REPLY = 6, 2
"""So many commands are tried out, and against how many draws of what may come."""
BY_THUMB = 0.5
"""What a rule of thumb still counts for beside a trial: a few draws tell only half of the truth."""
MOST_TARGETS = 6
"""So many of the attacks that look best are looked at closely."""
FAR_OFF = 5
"""What an attack does is not felt by others that are farther off than so many hexes."""


@dataclass(frozen=True)
class Effort:
    """How hard a planner thinks in one phase. Counts, not seconds, so that it repeats itself by its seed."""

    evaluations: int = 1000
    plans: int = 5
    """Plans that are compared by letting the enemy reply."""
    replies: int = 1
    """Replies for each of those plans, each with other dice."""
    breadth: int = 8
    """Hexes tried for a unit each time round."""
    seconds: float = 4.0
    """Whatever happens, thinking about a phase ends after so much processor time."""

    def spread(self, how: Spread, by: int) -> Effort:
        """The same effort as a game spreads it, divided by so much."""
        return replace(
            self,
            evaluations=int(self.evaluations * how.evaluations / by),
            plans=max(1, int(self.plans * how.plans / by)),
            replies=math.ceil(self.replies * how.replies / by),
            breadth=int(self.breadth * how.breadth),
        )


Plan = dict[int, Way]
"""Who goes where; whoever is not in it stays."""


class PlannerPlayer(GreedyPlayer):
    """Plans once a phase, then carries the plan out; what comes otherwise than expected is planned anew."""

    def __init__(
        self, rng: random.Random, effort: Effort | None = None, *, noise: float = 0.0, name: str = "planner"
    ) -> None:
        super().__init__(rng, noise=noise, name=name)
        self._effort = effort or Effort()
        self._until = 0.0
        self._sent = -1
        """The unit that has been sent off last."""
        self._gains: dict[tuple[int, tuple[int, ...]], float] = {}
        """What attacks of this phase were found to change, by target and units."""
        self.contenders: list[tuple[float, Plan]] = []
        """The plans of this phase, first the one that is carried out."""
        self._gains_of: tuple[str, int] = ("", 0)

    @classmethod
    def seeded(cls, words: str) -> PlannerPlayer:
        return cls(random.Random(words))

    def take_all_the_time(self) -> None:
        """Think by counts alone, so that a slow machine finds the same plans as a fast one."""
        self._effort = replace(self._effort, seconds=math.inf)

    def _out_of_time(self) -> bool:
        return time.thread_time() > self._until

    # ------------------------------------------------------------------ moving

    def _move(self, match: Match[Any], knowledge: ArmyKnowledge) -> Choice:
        if self._planned and self._astray(match, knowledge):
            self._plan(match, knowledge)
        choice = super()._move(match, knowledge)
        self._sent = choice if isinstance(choice, int) else -1
        return choice

    def _astray(self, match: Match[Any], knowledge: ArmyKnowledge) -> bool:
        """Whether a unit has ended elsewhere than it was to: the others had counted on that."""
        there = knowledge.where(match.position, self._sent) if self._sent >= 0 else -1
        return min(there, self._goal) >= 0 and there != self._goal

    def plan_moves(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        effort = self._effort.spread(knowledge.spread, AGAIN if self._planned else 1)
        if not self._planned:
            self._until = time.thread_time() + effort.seconds
        start, side = twin.position.copy(), twin.asked().side
        moves = all_moves(twin, lambda unit: knowledge.where(start, unit))
        if (
            winning := winning_way(twin, moves, knowledge.at_once, partial(knowledge.ways_to_win, start))
        ) is not None:
            self._reasons = {winning.unit: f"{knowledge.words_of(winning.hex_)}: it wins the game"}
            self.contenders = [(0.0, {winning.unit: winning})]
            return [winning]
        moves = detours(moves, start, knowledge)
        search = _Search(knowledge, start, side, moves, self._rng, self._out_of_time, self._noise, twin.game.board)
        found: list[tuple[float, Plan]] = []
        for number in range(effort.plans):
            seed = self._seed_plan(number, search, found)
            found.append(search.improve(seed, self._share(effort, number), effort.breadth))
        plan = self._best_after_replies(twin, found, knowledge, side, effort.replies)
        self.contenders = sorted(found, key=lambda pair: (pair[1] is not plan, -pair[0]))
        self._reasons = search.reasons(plan) | dict.fromkeys(moves.special, "every means counts")
        return [*(Way(unit, -1, None) for unit in moves.special), *search.in_order(plan)]

    def _share(self, effort: Effort, number: int) -> int:
        """The first two plans are worked out well; those after them are variations on the better one."""
        evaluations, plans = effort.evaluations, effort.plans
        if plans <= 2:
            return evaluations // max(1, plans)
        return evaluations * 35 // 100 if number < 2 else evaluations * 30 // 100 // (plans - 2)

    def _seed_plan(self, number: int, search: _Search, found: list[tuple[float, Plan]]) -> Plan:
        """Where a search begins: from what greed would do, from standing still, or from a plan shaken up."""
        if number == 0:
            orders = self.send_all(Moves(search.moves.ways), search.start.copy(), search.side, search.knowledge)
            return {way.unit: way for way in orders}
        return {} if number == 1 else search.shaken(max(found, key=lambda pair: pair[0])[1])

    def _best_after_replies(
        self, twin: Match[Any], found: list[tuple[float, Plan]], knowledge: Knowledge, side: str, replies: int
    ) -> Plan:
        """Let the enemy reply to each plan, with dice of our own making, and keep what stands best afterwards."""
        found.sort(key=lambda pair: -pair[0])
        if len(found) < 2 or not replies or self._out_of_time():
            return found[0][1]
        dice = [self._rng.random() for _ in range(replies)]
        judged = [
            (value + self._after_replies(twin, plan, knowledge, side, dice), plan)
            for value, plan in found[:MOST_CONTENDERS]
        ]
        return max(judged, key=lambda pair: pair[0])[1]

    def _after_replies(
        self, twin: Match[Any], plan: Plan, knowledge: Knowledge, side: str, dice: list[float]
    ) -> float:
        """The mean value afterwards. All plans meet the same dice, and a few dice tell only half of the truth."""
        total = 0.0
        for seed in dice:
            ahead = twin.copy_for(side, random.Random(seed))
            mine = _Executor(random.Random(0), list(plan.values()))
            theirs = GreedyPlayer(random.Random(1))
            _play_to_own_turn(ahead, side, mine, theirs)
            total += self._weighing(knowledge).value(ahead, side)
        return total / len(dice)

    # ------------------------------------------------------------------ commanding

    def _worths(self, twin: Match[Any], knowledge: Knowledge, options: list[Choice]) -> list[float]:
        """Against rules that play the enemy, the likeliest answers are played on, until the next command."""
        worths = super()._worths(twin, knowledge, options)
        replies = self._effort.replies * DRAWS_A_REPLY
        if (
            not isinstance(knowledge, CommandKnowledge)
            or twin.asked().rule not in knowledge.tried_out
            or not replies
        ):
            return worths
        self._until = time.thread_time() + self._effort.seconds
        most = min(MOST_TRIED, self._effort.breadth)
        likely = sorted(range(len(options)), key=lambda number: -worths[number])[:most]
        dice = [self._rng.random() for _ in range(replies)]
        side, weighing = twin.asked().side, self._weighing(knowledge)
        choices = [options[number] for number in likely]
        after = tried_out(
            twin, choices, knowledge.command_rule, dice, lambda m: weighing.value(m, side), self._out_of_time
        )
        found = [BY_THUMB * worth + min(after) for worth in worths]
        for number, value in zip(likely, after, strict=True):
            found[number] = BY_THUMB * worths[number] + value
        return found

    # ------------------------------------------------------------------ fighting

    def _fight(self, match: Match[Any], knowledge: ArmyKnowledge) -> Choice:
        """The attack after which the position is best on average, over every face of the die."""
        side = match.asked().side
        twin = match.copy_for(side, self._rng)
        p = twin.position

        def worth(target: int, units: Any, result: str) -> float:
            return knowledge.worth(p, side, target, units, result)

        best: tuple[float, Attack] | None = None
        for attack in best_attacks(twin, knowledge.launch, worth)[:MOST_TARGETS]:
            if (attack.target, attack.units) in self._tried:
                continue
            gain = self._misjudged(0.5 * self._gain(twin, attack, knowledge) + 0.5 * attack.gain)
            if best is None or gain > best[0]:
                best = gain, attack
        if best is None or best[0] <= least_gain(match):
            return self._attack_no_more(match)
        self._forget_near(best[1].target, match.game.board)
        return self._launch(best[1], best[0], knowledge)

    def _gain(self, twin: Match[Any], attack: Attack, knowledge: ArmyKnowledge) -> float:
        """What an attack changes on average; weighed again only when something has happened near it."""
        self._note_gains(twin)
        key = attack.target, attack.units
        if key not in self._gains:
            side, weighing = twin.asked().side, self._weighing(knowledge)
            after = expected_after(
                twin,
                [*attack.opening, *attack.units],
                knowledge.launch,
                weighing.answer,
                lambda ahead: weighing.value(ahead, side),
            )
            self._gains[key] = after - weighing.value(twin, side)
        return self._gains[key]

    def _note_gains(self, twin: Match[Any]) -> None:
        phase = twin.position.step, twin.position.turn
        if self._gains_of != phase:
            self._gains_of, self._gains = phase, {}

    def _forget_near(self, target: int, board: NamedSpaces) -> None:
        self._gains = {key: gain for key, gain in self._gains.items() if board.distance(key[0], target) > FAR_OFF}


class _Executor(GreedyPlayer):
    """Carries out orders that were made already for one phase; moves on and fights as greed tells it."""

    def __init__(self, rng: random.Random, orders: list[Way]) -> None:
        super().__init__(rng)
        self._given: list[Way] | None = orders

    def plan_moves(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        given, self._given = self._given, None
        return super().plan_moves(twin, knowledge) if given is None else given


def _play_to_own_turn(ahead: Match[Any], side: str, mine: GreedyPlayer, theirs: GreedyPlayer) -> None:
    """The rest of this player-turn, and the whole of the enemy's, until it is this side's phase again."""
    replied = False
    for _ in range(MOST_CHOICES_OF_REPLY):
        decision = ahead.decision
        if decision is None or (replied and decision.top and decision.side == side):
            return
        replied = replied or (decision.top and decision.side != side)
        ahead.choose((mine if decision.side == side else theirs).choose(ahead))


class _Search:
    """Improves a plan one unit at a time, by the value of the whole position."""

    def __init__(
        self,
        knowledge: ArmyKnowledge,
        start: Any,
        side: str,
        moves: Moves,
        rng: random.Random,
        out_of_time: Callable[[], bool],
        noise: float,
        board: NamedSpaces,
    ) -> None:
        self.board = board
        self.knowledge, self.start, self.side, self.moves, self.rng = knowledge, start, side, moves, rng
        self.out_of_time = out_of_time
        self.noise = noise
        self.fields: Fields = knowledge.fields(start, side)
        self.enemies = knowledge.enemies(start, side)
        self._ranked: dict[int, list[int]] = {}
        self._near: dict[int, dict[int, list[int]]] = {}

    def value(self, plan: Plan) -> float:
        return self._value_of(self.after(plan))

    def _value_of(self, p: Any) -> float:
        value = self.knowledge.value(p, self.side)
        return value + self.rng.uniform(-self.noise, self.noise) if self.noise else value

    def after(self, plan: Plan) -> Any:
        p = self.start.copy()
        for unit, way in plan.items():
            self.knowledge.place(p, unit, way.path)
        return p

    def improve(self, plan: Plan, evaluations: int, breadth: int) -> tuple[float, Plan]:
        """Go round the units in any order, try other hexes for each, and keep what is better."""
        best, left = self.value(plan), evaluations
        units = list(self.moves.ways)
        while left > 0 and units and not self.out_of_time():
            self.rng.shuffle(units)
            before = best
            tried, best, plan = self._mass(best, plan, min(left, evaluations // 4))
            left -= tried
            for unit in units:
                if left <= 0:
                    break
                tried, best, plan = self._improve_one(unit, best, plan, breadth)
                left -= tried
            if best <= before and self.rng.random() < 0.5:
                break
        return best, plan

    def _improve_one(self, unit: int, best: float, plan: Plan, breadth: int) -> tuple[int, float, Plan]:
        tried = 0
        others = self.after({mate: way for mate, way in plan.items() if mate != unit})
        chosen = plan
        for hex_ in self._candidates(unit, breadth):
            way = self.moves.ways[unit].get(hex_)
            stays = hex_ == self.knowledge.where(self.start, unit)
            if not stays and (way is None or not self.knowledge.room(others, unit, hex_)):
                continue
            there = others.copy()
            if not stays and way is not None:
                self.knowledge.place(there, unit, way.path)
            tried += 1
            value = self._value_of(there)
            if value > best + 1e-9:
                best, chosen = value, {mate: known for mate, known in plan.items() if mate != unit}
                if not stays and way is not None:
                    chosen[unit] = way
        return max(tried, 1), best, chosen

    def shaken(self, plan: Plan) -> Plan:
        """The same plan, with some of the units sent elsewhere among what draws them."""
        other, p = dict(plan), self.after(plan)
        for unit in self.moves.ways:
            if self.rng.random() < SHAKEN:
                hex_ = self.rng.choice(self._candidates(unit, 8)[:4])
                way = self.moves.ways[unit].get(hex_)
                if way is not None and self.knowledge.room(p, unit, hex_):
                    other[unit] = way
                    self.knowledge.place(p, unit, way.path)
        return other

    def _mass(self, best: float, plan: Plan, most: int) -> tuple[int, float, Plan]:
        """Try to bring several units at once next to an enemy: one alone may be worth nothing there."""
        tried = 0
        targets = [target for target in members(self.enemies) if self._who_reaches(target)]
        self.rng.shuffle(targets)
        for target in targets * ATTEMPTS:
            if tried >= most:
                break
            other = self._massed(target, plan)
            tried += 1
            value = self.value(other)
            if value > best + 1e-9:
                best, plan = value, other
        return tried, best, plan

    def _who_reaches(self, target: int) -> dict[int, list[int]]:
        """The units that can get next to an enemy, and where."""
        found = self._near.get(target)
        if found is None:
            near = self.board.next_to(target)
            found = self._near[target] = {
                unit: hexes
                for unit, ways in self.moves.ways.items()
                if (hexes := [hex_ for hex_ in ways if near >> hex_ & 1])
            }
        return found

    def _massed(self, target: int, plan: Plan) -> Plan:
        """Whoever is next to the enemy already stays, mostly; others join him where they close ways of retreat."""
        able, near = self._who_reaches(target), self.board.next_to(target)
        ends = {unit: way.hex_ for unit, way in plan.items()}
        there = {unit: ends[unit] if unit in ends else self.knowledge.where(self.start, unit) for unit in able}
        beside = [unit for unit, hex_ in there.items() if hex_ >= 0 and near >> hex_ & 1]
        again = [unit for unit in beside if self.rng.random() < REGROUPED]
        group = [*again, *self._called(there, near)]
        other = {unit: way for unit, way in plan.items() if unit not in group}
        p = self.after(other)
        closed = self._closed([there[unit] for unit in beside if unit not in again])
        for unit in group:
            hexes = [hex_ for hex_ in able[unit] if self.knowledge.room(p, unit, hex_)]
            if hexes:
                way = self.moves.ways[unit][self._tightest(hexes, near & ~closed)]
                self.knowledge.place(p, unit, way.path)
                other[unit] = way
                closed |= self._closed([way.hex_])
        return other

    def _called(self, there: dict[int, int], near: int) -> list[int]:
        """Some of those who are elsewhere, first whoever faces no other enemy."""
        engaged = self.board.around(self.enemies)
        called = [unit for unit, hex_ in there.items() if hex_ < 0 or not near >> hex_ & 1]
        busy = {unit: there[unit] >= 0 and bool(engaged >> there[unit] & 1) for unit in called}
        called.sort(key=lambda unit: busy[unit] + 1.5 * self.rng.random())
        return called[: self.rng.randint(1, MOST_CALLED)]

    def _closed(self, hexes: list[int]) -> int:
        """These hexes and all around them: what units there keep an enemy from."""
        closed = 0
        for hex_ in hexes:
            closed |= 1 << hex_ | self.board.next_to(hex_)
        return closed

    def _tightest(self, hexes: list[int], open_: int) -> int:
        """The hex from which most of what is open is closed, more or less."""
        return max(hexes, key=lambda hex_: (self._closed([hex_]) & open_).bit_count() + 2 * self.rng.random())

    def _candidates(self, unit: int, breadth: int) -> list[int]:
        """The hexes that draw the unit most, some others at random, and where it stands."""
        ranked = self._ranked.get(unit)
        if ranked is None:
            ways = self.moves.ways[unit]
            ranked = sorted(ways, key=lambda hex_: -self.fields.score(unit, hex_, ways[hex_].manner))
            self._ranked[unit] = ranked
        top, rest = ranked[: breadth // 2], ranked[breadth // 2 :]
        some = self.rng.sample(rest, min(len(rest), breadth - len(top)))
        return [*top, *some, self.knowledge.where(self.start, unit)]

    def reasons(self, plan: Plan) -> dict[int, str]:
        return {
            unit: f"{self.knowledge.words_of(way.hex_)}: {self.fields.reason(unit, way.hex_)}"
            for unit, way in plan.items()
        }

    def in_order(self, plan: Plan) -> list[Way]:
        """First whoever leaves room for others, that is whoever nobody has to make room for."""
        waiting, ordered, p = dict(plan), [], self.start.copy()
        while waiting:
            ready = [unit for unit, way in waiting.items() if self.knowledge.room(p, unit, way.hex_)]
            unit = ready[0] if ready else next(iter(waiting))
            way = waiting.pop(unit)
            self.knowledge.place(p, unit, way.path)
            ordered.append(way)
        return ordered
