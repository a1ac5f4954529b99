"""A player that plans its movement as a whole: a search over plans, judged by what the enemy may do about them."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bulge.core.board import NamedSpaces
from bulge.core.decision import Choice
from bulge.core.match import Match
from bulge.players.commanding import by_evidence, tried_out
from bulge.players.contenders import Desk, Goals, Improve, Reply, after_reply, matter_of, ranked_after, rounds
from bulge.players.greedy import GreedyPlayer, detours, least_gain
from bulge.players.knowledge import ArmyKnowledge, CommandKnowledge, Knowledge, Spread
from bulge.players.looking import Attack, Moves, Way, all_moves, best_attacks, expected_after, winning_way
from bulge.players.search import Plan, Search
from bulge.players.side_by_side import Company, Task

AGAIN = 4
"""The effort of planning anew in the middle of a phase is divided by this."""
MOST_CONTENDERS = 4
"""So many of the plans found are tried against the enemy's replies."""
MOST_TRIED, DRAWS_A_REPLY = 6, 2
"""So many commands are tried out, and against how many draws of what may come."""
BY_THUMB = 0.5
"""What a rule of thumb still counts for beside a trial: a few draws tell only half of the truth."""
MOST_TARGETS = 6
"""So many of the attacks that look best are looked at closely."""
REPLYING = 0.3
"""The part of its time that a planner keeps for the enemy's replies."""
AT_LEAST = 0.1
"""The part of its time that it takes once more for planning anew, when its time is up already."""
HOPELESS = -0.5
"""Attacks that look worse than this by their odds alone are not looked at closely: of 300, none was made."""
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
    glances: bool = False
    """It makes do with few evaluations where a game says that these find as much: a lower level, not a review."""

    def spread(self, how: Spread, by: int) -> Effort:
        """The same effort as a game spreads it, divided by so much."""
        looks = how.evaluations * (how.at_a_glance if self.glances else 1.0)
        return replace(
            self,
            evaluations=int(self.evaluations * looks / by),
            plans=max(1, int(self.plans * how.plans / by)),
            replies=math.ceil(self.replies * how.replies / by),
            breadth=int(self.breadth * how.breadth),
        )


class PlannerPlayer(GreedyPlayer):
    """Plans once a phase, then carries the plan out; what comes otherwise than expected is planned anew."""

    def __init__(
        self, rng: random.Random, effort: Effort | None = None, *, noise: float = 0.0, name: str = "planner"
    ) -> None:
        super().__init__(rng, noise=noise, name=name)
        self._effort = effort or Effort()
        self._until = self._searched = self._ends = 0.0
        """How long it thinks now, how long it looks for plans, and when it has to be done with the phase, all in
        processor time."""
        self._sent = -1
        """The unit that has been sent off last."""
        self._gains: dict[tuple[int, tuple[int, ...]], float] = {}
        """What attacks of this phase were found to change, by target and units."""
        self._carried_out: Plan = {}
        """The plan of this phase."""
        self.contenders: list[tuple[float, Plan]] = []
        """The plans of this phase, first the one that is carried out, and what each is worth less than it."""
        self._gains_of: tuple[str, int] = ("", 0)
        self._company: Company | None = None
        """Whoever works on plans and replies beside it; alone, a plan is made once those before it are known."""

    @classmethod
    def seeded(cls, words: str) -> PlannerPlayer:
        return cls(random.Random(words))

    def take_all_the_time(self) -> None:
        """Think by counts alone, so that a slow machine finds the same plans as a fast one."""
        self._effort = replace(self._effort, seconds=math.inf)

    def think_with(self, company: Company) -> None:
        """Let others work on plans and replies too. It finds what it would find with nobody in that company, but
        not what it would find without one: there, plans share one random stream."""
        self._company = company

    def _now(self) -> float:
        """Processor time; waiting for others is time as well."""
        return time.thread_time() + (self._company.waited if self._company else 0.0)

    def _out_of_time(self) -> bool:
        return self._now() > self._until

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
        effort = self._effort.spread(knowledge.spread(twin.position), AGAIN if self._planned else 1)
        began = self._now()
        if not self._planned:
            self._ends = began + effort.seconds
            self._searched = began + effort.seconds * (1 - REPLYING if effort.replies else 1)
        self._until = max(self._searched, began + effort.seconds * AT_LEAST)
        start, side = twin.position.copy(), twin.asked().side
        moves = all_moves(twin, lambda unit: knowledge.where(start, unit))
        if (
            winning := winning_way(twin, moves, knowledge.at_once, partial(knowledge.ways_to_win, start))
        ) is not None:
            self._reasons = {winning.unit: f"{knowledge.words_of(winning.hex_)}: it wins the game"}
            self._carried_out = {winning.unit: winning}
            self.contenders = [(0.0, self._carried_out)]
            return [winning]
        matter = matter_of(twin, self._purposes, self._noise) if self._company else None
        moves = detours(moves, start, knowledge)
        fields = self.fields(moves, start, side, knowledge)
        search = Search(
            knowledge, start, side, moves, fields, self._rng, self._out_of_time, self._noise, twin.game.board
        )
        desk = Desk(twin, search, self._weighing(knowledge), matter)
        found = self._found_together(desk, effort) if self._company else self._found_alone(search, effort)
        self._until = self._ends
        self.contenders = self._ranked_after_replies(desk, found, effort.replies)
        self._carried_out = plan = self.contenders[0][1]
        self._reasons = search.reasons(plan) | dict.fromkeys(moves.special, "what it can do is asked next")
        return [*(Way(unit, -1, None) for unit in moves.special), *search.in_order(plan)]

    def _found_alone(self, search: Search, effort: Effort) -> list[tuple[float, Plan]]:
        found: list[tuple[float, Plan]] = []
        begun = self._begun(search)
        for number in range(effort.plans):
            share = max(0, min(effort.evaluations - search.evaluated, self._share(effort, search)))
            if found and (not share or self._out_of_time()):
                break
            start = begun[number] if number < len(begun) else search.shaken(max(found, key=_value)[1])
            found.append(search.improve(start, share, effort.breadth))
        return found

    def _found_together(self, desk: Desk, effort: Effort) -> list[tuple[float, Plan]]:
        """Plans of one round begin from the best of those before, so that several can be improved at a time."""
        begun = [desk.goals(plan) for plan in self._begun(desk.search)]
        share = max(1, self._share(effort, desk.search))
        plans = max(1, min(effort.plans, math.ceil(effort.evaluations / share)))
        seeds = [self._rng.random() for _ in range(plans)]
        found: list[tuple[float, Goals]] = []
        for numbers in rounds(plans):
            best = max(found, key=_value)[1] if found else []
            tasks = [
                Improve(
                    start=begun[number] if number < len(begun) else best,
                    shaken=number >= len(begun),
                    evaluations=min(share, effort.evaluations - share * number),
                    breadth=effort.breadth,
                    seed=seeds[number],
                )
                for number in numbers
            ]
            answers = self._done_together(tasks, desk, at_least=0 if found else 1)
            found += [answer for answer in answers if answer is not None]
        return [(value, desk.plan(goals)) for value, goals in found]

    def _done_together(self, tasks: Sequence[Task], desk: Desk, at_least: int) -> list[Any]:
        assert self._company is not None
        assert desk.matter is not None
        seconds = self._until - self._now()
        return self._company.all_done(
            tasks, desk.matter, desk, self._out_of_time, seconds=seconds, at_least=at_least
        )

    def _share(self, effort: Effort, search: Search) -> int:
        """What one plan may take of the effort: at least one time round, for hardly anything is found after it."""
        return max(effort.evaluations // effort.plans, (effort.breadth + 2) * len(search.free))

    def _begun(self, search: Search) -> list[Plan]:
        """Where the first searches begin; those after them do from the best plan so far, shaken up."""
        first = self._first_plan(search)
        return [first, search.standing_still(first)]

    def _first_plan(self, search: Search) -> Plan:
        """What was planned already, or what greed would do."""
        ways = search.moves.ways
        if self._planned:
            return {
                unit: ways[unit][way.hex_]
                for unit, way in self._carried_out.items()
                if unit in ways and way.hex_ in ways[unit]
            }
        orders = self.send_all(Moves(ways), search.start.copy(), search.side, search.knowledge)
        return {way.unit: way for way in orders}

    def _ranked_after_replies(
        self, desk: Desk, found: list[tuple[float, Plan]], replies: int
    ) -> list[tuple[float, Plan]]:
        """Let the enemy reply to each plan, on dice of our own making; what stands best afterwards comes first."""
        if len(found) < 2 or self._out_of_time():
            replies = 0
        worths, plans = [worth for worth, _ in found], [plan for _, plan in found]
        dice = [self._rng.random() for _ in range(replies)]

        def replied(left: Sequence[int], number: int) -> Sequence[float | None]:
            return self._replied(desk, [plans[each] for each in left], dice[number], at_least=not number)

        ranked = ranked_after(worths, MOST_CONTENDERS, replies, replied)
        return [(less, plans[number]) for number, less in ranked]

    def _replied(self, desk: Desk, plans: list[Plan], seed: float, *, at_least: bool) -> Sequence[float | None]:
        """What each plan is worth after a reply with these dice; `at_least` however little time there is."""
        if self._company is not None:
            tasks = [Reply(desk.goals(plan), seed) for plan in plans]
            return self._done_together(tasks, desk, at_least=len(tasks) if at_least else 0)
        if self._out_of_time() and not at_least:
            return [None] * len(plans)
        return [after_reply(desk.twin, plan, desk.weighing, seed) for plan in plans]

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
        self._until = self._now() + self._effort.seconds
        most = min(MOST_TRIED, self._effort.breadth)
        # To put a card back is to stand where one stood, which looks better than any command that costs something:
        # whoever tried that out took up the same card for ever.
        onward = [number for number, choice in enumerate(options) if not _goes_back(twin, choice)]
        likely = sorted(onward, key=lambda number: -worths[number])[:most]
        dice = [self._rng.random() for _ in range(replies)]
        side, weighing = twin.asked().side, self._weighing(knowledge)
        choices = [options[number] for number in likely]
        after = tried_out(
            twin, choices, knowledge.command_rule, dice, lambda m: weighing.value(m, side), self._out_of_time
        )
        evidence = [by_evidence(values, after[0]) for values in after]
        found = [BY_THUMB * worth + min(evidence) for worth in worths]
        for number, value in zip(likely, evidence, strict=True):
            found[number] = BY_THUMB * worths[number] + value
        return found

    # ------------------------------------------------------------------ fighting

    def _fight(self, match: Match[Any], knowledge: ArmyKnowledge) -> Choice:
        """The attack after which the position is best on average, over every face of the die.

        One of which no result is worth anything is not made for what the enemy might do of his own accord.
        """
        side = match.asked().side
        twin = match.copy_for(side, self._rng)
        p = twin.position

        def worth(target: int, units: Any, result: str) -> float:
            return knowledge.worth(p, side, target, units, result)

        least = least_gain(match)
        best: tuple[float, Attack] | None = None
        for attack in best_attacks(twin, knowledge.launch, worth)[:MOST_TARGETS]:
            if (attack.target, attack.units) in self._tried or (least >= 0 and _futile(attack)):
                continue
            gain = self._misjudged(0.5 * self._gain(twin, attack, knowledge) + 0.5 * attack.gain)
            if best is None or gain > best[0]:
                best = gain, attack
        if best is None or best[0] <= least:
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


def _goes_back(match: Match[Any], choice: Choice) -> bool:
    return match.game.option(match.table, match.asked(), choice).role == "back"


def _value(found: tuple[float, Any]) -> float:
    return found[0]


def _futile(attack: Attack) -> bool:
    """Whether no result of it is worth anything, or hardly any likely one."""
    return attack.hope <= 0 or attack.gain < HOPELESS
