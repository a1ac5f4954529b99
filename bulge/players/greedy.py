"""A player that looks one step ahead: the best-scored moves, the attacks and answers with the best exact odds."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Any

from bulge.core.decision import DONE, Choice, Decision, Kind
from bulge.core.match import Match
from bulge.players.knowledge import (
    ArmyKnowledge,
    Fields,
    Knowledge,
    PurposefulFields,
    PurposefulKnowledge,
    StayingKnowledge,
    armies_of,
    knowledge_of,
    unit_question,
)
from bulge.players.looking import (
    Attack,
    Moves,
    Way,
    all_moves,
    best_attacks,
    expected,
    has_reach,
    reach_of,
    with_detours,
)
from bulge.players.player import checked, offered
from bulge.players.purpose import Purposes
from bulge.players.weighing import Weighing, by_odds

LEAST_GAIN = 0.15
"""An attack must be worth this much on average."""
MOST_OPTIONS = 24
"""Where more is offered than this, only so many options are looked at."""


class GreedyPlayer:
    """Decides phase by phase: orders for all units at its start, then one answer after the other."""

    def __init__(self, rng: random.Random, *, noise: float = 0.0, name: str = "greedy") -> None:
        self.name = name
        self._rng = rng
        self._noise = noise
        """How far, at most, a score is misjudged: for players that are meant to err."""
        self._why = "nothing has been decided yet"
        self._phase: tuple[str, int] = ("", 0)
        self._planned = False
        self._asked: tuple[Any, Any] | None = None
        """The last question, and all that could be seen then."""
        self._answer: Choice = ""
        self._off: set[Choice] = set()
        """The units that have been sent off in this phase."""
        self._moved: set[Choice] = set()
        """Those of them that could not move any more when others were."""
        self._purposes = Purposes()
        self._orders: deque[Way] = deque()
        self._reasons: dict[int, str] = {}
        self._steps: deque[Choice] = deque()
        """The hexes that the unit on its way still enters, and what it says on the way."""
        self._goal = -1
        """The hex in which that unit is to end."""
        self._attack: Attack | None = None
        self._group: deque[int] = deque()
        self._tried: set[tuple[int, tuple[int, ...]]] = set()
        self._weighed: Weighing | None = None

    @classmethod
    def seeded(cls, words: str) -> GreedyPlayer:
        return cls(random.Random(words))

    def why(self) -> str:
        return self._why

    def choose(self, match: Match[Any]) -> Choice:
        options, decision = offered(match), match.asked()
        asked = decision.key(), match.game.view(match.position, decision.side)
        if asked != self._asked:
            self._asked, self._answer = asked, self._chosen(match, options)
        return self._answer  # whoever asks twice has not followed the first answer yet

    def _chosen(self, match: Match[Any], options: Sequence[Choice]) -> Choice:
        knowledge = knowledge_of(match.game)
        choice: Choice | None = next((word for word in knowledge.at_once if word in options), None)
        if choice is not None:
            self._why = f"{choice} at once: nothing is better"
        elif len(options) == 1:
            choice = options[0]
            self._why = "there is no other choice"
        else:
            choice = self._decide(match, knowledge)
        return checked(match, choice, self.name)

    def _decide(self, match: Match[Any], knowledge: Knowledge) -> Choice:
        armies = armies_of(match.game)
        order = self._command(match, armies) if armies is not None else None
        return order if order is not None else self._settle(match, knowledge)

    def _command(self, match: Match[Any], knowledge: ArmyKnowledge) -> Choice | None:
        """What to say where units move and attack; None where something else is asked."""
        question = unit_question(match, knowledge)
        if question == "other":
            return self._follow(match, knowledge, match.asked())
        self._note_phase(match)
        if question == "attack":
            return self._fight(match, knowledge)
        self._note_moved(match)
        return self._move(match, knowledge)

    def _note_phase(self, match: Match[Any]) -> None:
        """Forget what belonged to an earlier phase."""
        p = match.position
        if self._phase != (p.step, p.turn):
            self._phase = (p.step, p.turn)
            self._forget_plan()
            self._tried.clear()
        self._steps.clear()
        self._group.clear()

    def _forget_plan(self) -> None:
        self._orders.clear()
        self._off.clear()
        self._moved.clear()
        self._planned = False

    def _note_moved(self, match: Match[Any]) -> None:
        """Whoever has moved and may move again after all was taken back, as people do who ask for hints."""
        able = set(match.asked().options)
        if self._moved & able:
            self._forget_plan()
        self._moved |= self._off - able

    def _misjudged(self, score: float) -> float:
        return score + self._rng.uniform(-self._noise, self._noise) if self._noise else score

    # ------------------------------------------------------------------ moving

    def _move(self, match: Match[Any], knowledge: ArmyKnowledge) -> Choice:
        if not self._planned:
            self._plan(match, knowledge)
        while self._orders:
            way = self._orders.popleft()
            if way.unit in match.asked().options:
                self._steps = deque(way.path)
                self._goal = way.hex_
                self._off.add(way.unit)
                self._why = self._reasons.get(way.unit, "")
                return way.unit
        if DONE not in match.asked().options:
            self._why = "it must move before the phase ends"
            return match.asked().options[0]
        self._why = "every unit is where it should be"
        return DONE

    def _plan(self, match: Match[Any], knowledge: ArmyKnowledge) -> None:
        twin = match.copy_for(match.asked().side, self._rng)
        self._orders = deque(self.plan_moves(twin, knowledge))
        self._orders.extend(self._stayers(twin, knowledge))
        self._planned = True

    def _stayers(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        """Orders for those who are not sent anywhere, where there is something for them to do."""
        if not isinstance(knowledge, StayingKnowledge):
            return []
        p, sent, decision = twin.position, {way.unit for way in self._orders}, twin.asked()
        stay = [unit for unit in decision.options if isinstance(unit, int) and unit not in sent]
        said = knowledge.while_staying(p, decision.side, stay)
        self._reasons |= {unit: f"it stays: {word.replace('_', ' ')}" for unit, word in said.items()}
        return [Way(unit, knowledge.where(p, unit), None, (word,)) for unit, word in said.items()]

    def plan_moves(self, twin: Match[Any], knowledge: ArmyKnowledge) -> list[Way]:
        """Send the units, strongest draw first, each where its score is best; who stays is not named."""
        p, side = twin.position.copy(), twin.asked().side
        moves = all_moves(twin, lambda unit: knowledge.where(p, unit))
        return self.send_all(detours(moves, p, knowledge), p, side, knowledge)

    def fields(self, moves: Moves, p: Any, side: str, knowledge: ArmyKnowledge) -> Fields:
        return fields_of(moves, p, side, knowledge, self._purposes)

    def send_all(self, moves: Moves, p: Any, side: str, knowledge: ArmyKnowledge) -> list[Way]:
        fields = self.fields(moves, p, side, knowledge)
        orders: list[Way] = [Way(unit, -1, None) for unit in moves.special]
        self._reasons = dict.fromkeys(moves.special, "what it can do is asked next")
        for unit in fields.in_turn(moves.ways) if isinstance(fields, PurposefulFields) else moves.ways:
            ways, here = moves.ways[unit], knowledge.where(p, unit)
            scored = sorted(
                ((self._misjudged(fields.score(unit, hex_, way.manner)), hex_) for hex_, way in ways.items()),
                reverse=True,
            )
            hex_ = next((hex_ for _, hex_ in scored if hex_ == here or knowledge.room(p, unit, hex_)), here)
            fields.send(unit, hex_)
            if hex_ >= 0 and hex_ != here:
                self._reasons[unit] = f"{knowledge.words_of(hex_)}: {fields.reason(unit, hex_)}"
                orders.append(ways[hex_])
                knowledge.place(p, unit, ways[hex_].path)
        return orders

    # ------------------------------------------------------------------ following what was begun

    def _follow(self, match: Match[Any], knowledge: ArmyKnowledge, decision: Decision) -> Choice | None:
        """The next step of a move or an attack that has been decided on; None if something came in between."""
        if decision.kind is Kind.UNIT and self._attack is not None and knowledge.launch in decision.options:
            attacker = self._next_attacker(decision)
            return knowledge.launch if attacker is None else attacker  # the first unit of a game is number 0
        if self._group and self._group[0] in decision.options and decision.kind is Kind.UNIT:
            return self._group.popleft()
        if has_reach(decision) or (self._steps and decision.kind is Kind.SPACE):
            return self._next_step(match, decision)
        return None

    def _next_attacker(self, decision: Decision) -> int | None:
        while self._group:
            unit = self._group.popleft()
            if unit in decision.options:
                return unit
        return None

    def _next_step(self, match: Match[Any], decision: Decision) -> Choice | None:
        if self._goal in decision.options and "stop" not in decision.options and not self._walks(decision):
            self._steps.clear()
            return self._goal
        while self._steps:
            step = self._steps.popleft()
            if step in decision.options:
                return step
            self._steps = deque(self._way_round(match, decision))
        return self._stop(decision)

    def _walks(self, decision: Decision) -> bool:
        """Whether a move is asked for hex by hex."""
        return callable(getattr(decision.about, "reach", None))

    def _way_round(self, match: Match[Any], decision: Decision) -> list[Choice]:
        """Something was not as expected (a roll, a bridge): go as near to the goal as can be."""
        reach = reach_of(decision)
        if reach is None:
            return []
        board = match.game.board
        reached = reach.spaces & ~getattr(decision.about, "no_end", 0)
        nearest = board.nearest(reached, 1 << self._goal) if self._goal >= 0 else 0
        if not nearest:
            return []
        goal = (nearest & -nearest).bit_length() - 1
        path = reach.path(goal)[1:]
        return [*path] if path and path[0] in decision.options else []

    def _stop(self, decision: Decision) -> Choice | None:
        return "stop" if "stop" in decision.options else None

    # ------------------------------------------------------------------ fighting

    def _fight(self, match: Match[Any], knowledge: ArmyKnowledge) -> Choice:
        side = match.asked().side
        twin = match.copy_for(side, self._rng)
        p = twin.position

        def worth(target: int, units: Any, result: str) -> float:
            return knowledge.worth(p, side, target, units, result)

        least = least_gain(match)
        for attack in best_attacks(twin, knowledge.launch, worth):
            if self._misjudged(attack.gain) > least and (attack.target, attack.units) not in self._tried:
                return self._launch(attack, attack.gain, knowledge)
        return self._attack_no_more(match)

    def _launch(self, attack: Attack, gain: float, knowledge: ArmyKnowledge) -> Choice:
        self._tried.add((attack.target, attack.units))
        self._attack, self._group = attack, deque(attack.units)
        self._why = f"attack {knowledge.words_of(attack.target)}: {attack.words}, worth {gain:+.1f} on average"
        return attack.target

    def _attack_no_more(self, match: Match[Any]) -> Choice:
        self._attack = None
        options = match.asked().options
        self._why = "no attack is worth its risk" if DONE in options else "the rules ask for this attack"
        return DONE if DONE in options else options[0]

    # ------------------------------------------------------------------ everything else

    def _settle(self, match: Match[Any], knowledge: Knowledge) -> Choice:
        """Compare the options by what they lead to, over every face of the next die."""
        decision = match.asked()
        twin = match.copy_for(decision.side, self._rng)
        options = list(decision.options)
        if len(options) > MOST_OPTIONS and knowledge.prior(twin.position, decision, options[0]) is None:
            options = self._rng.sample(options, MOST_OPTIONS)
        worths = self._worths(twin, knowledge, options)
        scored = [(self._misjudged(worth), choice) for worth, choice in zip(worths, options, strict=True)]
        best, choice = max(scored, key=lambda pair: pair[0])
        worst = min(score for score, _ in scored)
        said = words_for(twin, choice)
        self._why = f"{said}: {best - worst:+.1f} better than the worst of {len(scored)} options"
        return choice

    def _worths(self, twin: Match[Any], knowledge: Knowledge, options: list[Choice]) -> list[float]:
        """What each option is worth, as far as this player looks."""
        side = twin.asked().side
        worths = by_odds(twin, options)
        if worths is None:
            worths = [self._worth_of(twin, knowledge, side, choice) for choice in options]
        return worths

    def _worth_of(self, twin: Match[Any], knowledge: Knowledge, side: str, choice: Choice) -> float:
        prior = knowledge.prior(twin.position, twin.asked(), choice)
        if prior is not None:
            return prior
        weighing = self._weighing(knowledge)
        return expected(twin, choice, weighing.answer, lambda after: weighing.value(after, side))

    def _weighing(self, knowledge: Knowledge) -> Weighing:
        """What this player remembers of positions that it has weighed."""
        if self._weighed is None or self._weighed.knowledge is not knowledge:
            self._weighed = Weighing(knowledge)
        return self._weighed


def detours(moves: Moves, p: Any, knowledge: ArmyKnowledge) -> Moves:
    """Whoever may win by his move goes there straight, others by way of what changes hands as they pass."""
    return with_detours(moves, partial(knowledge.worth_passing, p), partial(knowledge.ways_to_win, p))


def fields_of(moves: Moves, p: Any, side: str, knowledge: ArmyKnowledge, purposes: Purposes) -> Fields:
    """What draws each unit, and its formation's objective."""
    if not isinstance(knowledge, PurposefulKnowledge):
        return knowledge.fields(p, side)
    fields: PurposefulFields = knowledge.fields(p, side)
    fields.pursue(purposes.renewed(knowledge, p, side, moves))
    return fields


def least_gain(match: Match[Any]) -> float:
    """What an attack must be worth; where the rules ask for attacks, the best of them is made whatever it is."""
    return LEAST_GAIN if DONE in match.asked().options else -1000.0


def words_for(twin: Match[Any], choice: Choice) -> str:
    """A choice in the game's own words."""
    return twin.game.option(twin.table, twin.asked(), choice).words
