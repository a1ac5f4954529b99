"""One game as one row: what is written down at the end of every turn, and at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bulge.core.decision import Play
from bulge.core.game import Game, Step
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.lab.measures import Measures, Roll, deepest, held_towns, measures_of


class Tally(msgspec.Struct):
    """How often a side's attacks gave a result, and how often they would have on average."""

    side: str
    result: str
    expected: float
    actual: int


class Count(msgspec.Struct):
    """How often something happened, by turn."""

    what: str
    by_turn: list[int]


class Row(msgspec.Struct, kw_only=True):
    """A game. Lists go by turn: the first entry is the end of the first turn, the last the end of the game."""

    scenario: str
    number: int
    """The number of the game in its scenario, from 0."""
    seed: str
    winner: str | None
    ending: str
    """In words, and the rule."""
    rule: str
    points: int
    turns: list[int]
    days: list[int]
    """The day of December on whose evening each turn ended; 0 where the game is not history."""
    score: list[int]
    deepest: list[float]
    """How far the attacker had come, from where its front began."""
    towns: list[list[str]]
    """The key towns that the attacker held."""
    front: list[bytes]
    """The spaces behind the attacker's front: bit i of the little-endian number is space i of the board."""
    losses: dict[str, list[int]]
    """Steps lost so far, by side."""
    counts: list[Count]
    """What a turn was made of (impulses, cards, attacks), as far as the game's measures count it."""
    rolls: list[Tally]
    luck: dict[str, float]
    """By side: attacks that hurt the defender, above what the dice give on average."""
    decisions: int
    dice: int
    seconds: float = 0.0


def mask_bytes(spaces: int) -> bytes:
    return spaces.to_bytes((spaces.bit_length() + 7) // 8, "little")


def mask_of(data: bytes) -> int:
    return int.from_bytes(data, "little")


class Recorder:
    """Watches one match through the steps of its game.

    A step of the sequence of play is where a turn ends exactly, also in games whose rules play one side without
    asking anybody. Copies on which players think run through the same steps; they keep no log, so they are told
    apart by that.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.measures: Measures[Any] = measures_of(game)
        self.game.sequence = {name: self._watched(step) for name, step in game.sequence.items()}
        self._depths: dict[int, dict[int, float]] = {}

    def _watched(self, step: Step[Any]) -> Step[Any]:
        def begin(t: Table[Any]) -> Play | str:
            if t.keeps_log:
                self._step_begins(t)
            return step(t)

        return begin

    # ------------------------------------------------------------------ one match

    def begin(self, scenario: str, options: Mapping[str, str]) -> None:
        """Call this before the match is made: it runs up to its first question at once."""
        self._start = self.game.begin(scenario, options)
        self._held = self.measures.start(self._start)
        if self._held not in self._depths:
            self._depths[self._held] = self.measures.ground.depths(self._held)
        self._from = self._depths[self._held]
        self._turn, self._step, self._read = self._start.turn, self._start.step, 0
        self._turns: list[int] = []
        self._score: list[int] = []
        self._deepest: list[float] = []
        self._towns: list[list[str]] = []
        self._front: list[bytes] = []
        self._losses: dict[str, list[int]] = {side: [] for side in self.game.sides}
        self._counts: dict[str, list[int]] = {}
        self._rolls: dict[tuple[str, str], Tally] = {}

    def _step_begins(self, t: Table[Any]) -> None:
        self._read_log(t)
        if t.p.turn != self._turn:
            self._end_turn(t)
        self._turn, self._step = t.p.turn, t.p.step
        for what, more in self.measures.counted(t.p).items():
            by_turn = self._counts.setdefault(what, [])
            by_turn += [0] * (len(self._turns) + 1 - len(by_turn))
            by_turn[-1] += more

    def _end_turn(self, t: Table[Any]) -> None:
        measures, p = self.measures, t.p
        self._held = held = measures.held(p, self._held)
        self._turns.append(self._turn)
        self._score.append(measures.points(p))
        self._deepest.append(deepest(self._from, held))
        self._towns.append(held_towns(measures, held))
        self._front.append(mask_bytes(held))
        for side, lost in measures.losses(p, self._start).items():
            self._losses[side].append(lost)

    def _read_log(self, t: Table[Any]) -> None:
        events = t.events or []
        for event in events[self._read :]:
            for roll in self.measures.rolls(t.p, self._step, event) if event.dice else ():
                self._count(roll)
        self._read = len(events)

    def _count(self, roll: Roll) -> None:
        for result, chance in roll.chances.items():
            tally = self._rolls.setdefault((roll.side, result), Tally(roll.side, result, 0.0, 0))
            tally.expected += chance
            tally.actual += result == roll.result

    def row(self, match: Match[Any], number: int) -> Row:
        """The whole game, or as far as it was played."""
        result, t = match.result, match.table
        self._read_log(t)
        self._end_turn(t)
        rolls = sorted(self._rolls.values(), key=lambda tally: (tally.side, tally.result))
        for tally in rolls:
            tally.expected = round(tally.expected, 6)
        return Row(
            scenario=match.start.scenario,
            number=number,
            seed=match.seed or "",
            winner=result.winner if result else None,
            ending=result.words if result else "",
            rule=result.rule if result else "",
            points=self._score[-1],
            turns=self._turns,
            days=[self.measures.day(turn) for turn in self._turns],
            score=self._score,
            deepest=self._deepest,
            towns=self._towns,
            front=self._front,
            losses=self._losses,
            counts=[
                Count(what, by_turn + [0] * (len(self._turns) - len(by_turn)))
                for what, by_turn in sorted(self._counts.items())
            ],
            rolls=rolls,
            luck={side: self._luck(side, rolls) for side in self.game.sides},
            decisions=len(match.ids),
            dice=match.position.drawn,
        )

    def _luck(self, side: str, rolls: list[Tally]) -> float:
        good = [tally for tally in rolls if tally.side == side and tally.result in self.measures.good]
        return round(sum(tally.actual - tally.expected for tally in good), 6)
