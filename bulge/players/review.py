"""The review of a game that is over: how its chances stood, and where they turned, by play or by luck.

*Luck* is the swing that a die made: the chance after the face that came up, less the mean over all its faces, with
everybody answering as he would. *Play* is what a phase of moves gave away: the chance after the computer's plan,
less the chance after the moves that were made. Both are measured by the same chances (`chances.py`), which are
those of computer players: a person may know better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from bulge.core.decision import Choice
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import Journal
from bulge.core.match import Match
from bulge.players.chances import Estimate, chance, estimate, weights_of
from bulge.players.knowledge import ArmyKnowledge, armies_of, knowledge_of, unit_question
from bulge.players.looking import MOST_FACES, OneFace, settle
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.weighing import Weighing

MOST_TURNINGS = 8
LEAST_SWING = 0.04
"""A smaller swing is no turning point."""
THOROUGH = Effort(evaluations=1200, plans=4, replies=0, breadth=8)
QUICK = Effort(evaluations=200, plans=2, replies=0, breadth=6)

Kind = Literal["play", "luck"]


class Moment(msgspec.Struct, frozen=True):
    """How the first side stood when a phase began."""

    at: int
    """How many choices had been made."""
    turn: int
    step: str
    side: str
    """Who decided then."""
    chance: float
    low: float
    high: float


class Turning(msgspec.Struct, frozen=True):
    """Where the game turned."""

    kind: Kind
    at: int
    """The choice to look at, counted from 1."""
    turn: int
    side: str
    """Whose play or whose die it was."""
    swing: float
    """What it did to the chance of the first side."""
    words: str
    better: str = ""
    """What the computer would have done, with its reasons."""
    spaces: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


class Review(msgspec.Struct, frozen=True):
    game: str
    scenario: str
    first: str
    """The side whose chances these are."""
    result: str
    moments: tuple[Moment, ...]
    turnings: tuple[Turning, ...]
    """The largest swings, in the order of play."""
    luck: float
    """What all dice together did to the chance of the first side."""
    play: dict[str, float]
    """What each side gave away by its moves, in chances of its own."""


def review(
    game: Game[Any], journal: Journal, *, effort: Effort = QUICK, each: Callable[[int], None] | None = None
) -> Review:
    """Look back on a game. `each` is told how many choices have been looked at."""
    if weights_of(game.id) is None:
        raise BulgeError(f"nobody has learned yet what a position of {game.title} is worth: bulge tune does that")
    if not journal.over:
        raise BulgeError("a game is reviewed when it is over: before that, the review would be a hint")
    looking = _Looking(game, journal, effort)
    for at in looking.play():
        if each is not None:
            each(at)
    return looking.review()


class _Looking:
    """One replay of a game, with the questions asked at each place."""

    def __init__(self, game: Game[Any], journal: Journal, effort: Effort) -> None:
        self.game, self.journal, self.effort = game, journal, effort
        self.first = game.players[0]
        self.weighing = Weighing(knowledge_of(game))
        self.armies = armies_of(game)
        self.moments: list[Moment] = []
        self.turnings: list[Turning] = []
        self.luck = 0.0
        self.given_away = dict.fromkeys(game.players, 0.0)

    def play(self) -> Iterator[int]:
        journal = self.journal
        match = self.match = Match(self.game, journal.scenario, journal.options, seed=journal.seed)
        begun: set[tuple[int, str]] = set()
        """Phases looked at: one that a battle interrupts goes on afterwards, and is no new one."""
        for at, id_ in enumerate(journal.choices):
            now = (match.position.turn, match.position.step)
            if now not in begun:
                begun.add(now)
                self._note_moment(at)
                self._note_play(at)
            self._note_luck(at, match.find(id_))
            yield at + 1

    def _chance(self, match: Match[Any]) -> float:
        if match.result is not None:
            return {self.first: 1.0, None: 0.5}.get(match.result.winner, 0.0)
        found = chance(self.game, match.position, self.first)
        assert found is not None
        return found

    # ------------------------------------------------------------------ chances

    def _note_moment(self, at: int) -> None:
        p, found = self.match.position, estimate(self.game, self.match.position, self.first)
        assert found is not None
        side = self.match.asked().side
        self.moments.append(Moment(at, p.turn, p.step, side, *_rounded(found)))

    # ------------------------------------------------------------------ luck

    def _note_luck(self, at: int, choice: Choice) -> None:
        """Make a choice; where it rolls, compare what came up with what might have."""
        match = self.match
        before, side, logged = match.copy(), match.asked().side, len(match.log)
        match.choose(choice)
        if match.position.drawn == before.position.drawn:
            return
        faces = list(self._after_each_face(before, choice))
        came = self._after(before.copy(), choice)
        swing = came - sum(faces) / len(faces)
        self.luck += swing
        if abs(swing) >= LEAST_SWING:
            said = match.log[logged:]
            spaces = dict.fromkeys(self.game.board.name(space) for event in said for space in event.spaces)
            words = " ".join(event.words for event in said if event.side is None)
            self.turnings.append(
                Turning("luck", at + 1, before.position.turn, side, swing, words, spaces=tuple(spaces))
            )

    def _after(self, ahead: Match[Any], choice: Choice) -> float:
        """The chance once a choice and all that follows from it is settled, everybody answering as he would."""
        ahead.choose(choice)
        settle(ahead, self.weighing.answer)
        return self._chance(ahead)

    def _after_each_face(self, before: Match[Any], choice: Choice) -> Iterator[float]:
        face, faces = 0, 1
        while face < faces:
            ahead = before.copy()
            die = OneFace(face, ahead.position.drawn, ahead.table.chance)
            ahead.table.chance = die
            yield self._after(ahead, choice)
            faces = min(die.size or 1, MOST_FACES)
            face += 1

    # ------------------------------------------------------------------ play

    def _note_play(self, at: int) -> None:
        """Where a phase of moves begins: compare the computer's plan for it with the moves that were made."""
        match, armies = self.match, self.armies
        if armies is None or unit_question(match, armies) != "move":
            return
        side = match.asked().side
        sign = 1 if side == self.first else -1
        played = self._end_of_phase(at)
        planner = PlannerPlayer(random.Random(f"review {at}"), self.effort)
        planner.take_all_the_time()
        planned, said = self._carried_out(match.copy(), planner, armies)
        lost = sign * (planned - played)
        if lost <= 0:
            return
        self.given_away[side] += lost
        if lost >= LEAST_SWING:
            turn = match.position.turn
            words = f"{side}: the moves of this phase left {lost:.0%} of the game on the table."
            self.turnings.append(Turning("play", at + 1, turn, side, -sign * lost, words, said))

    def _end_of_phase(self, at: int) -> float:
        """The chance after the moves that were made, before the phase was ended."""
        ahead = self.match.copy()
        phase = (ahead.position.turn, ahead.position.step)
        found = self._chance(ahead)
        for id_ in self.journal.choices[at:]:
            if ahead.decision is None or (ahead.position.turn, ahead.position.step) != phase:
                break
            if ahead.decision.top:
                found = self._chance(ahead)
            ahead.answer(id_)
        return self._chance(ahead) if ahead.decision is None else found

    def _carried_out(self, ahead: Match[Any], planner: PlannerPlayer, armies: ArmyKnowledge) -> tuple[float, str]:
        """The chance after the computer's moves for the same phase, and its first few reasons."""
        phase, side = (ahead.position.turn, ahead.position.step), ahead.asked().side
        reasons: list[str] = []
        found = self._chance(ahead)
        while ahead.decision is not None and (ahead.position.turn, ahead.position.step) == phase:
            if ahead.decision.top:
                found = self._chance(ahead)
            player_choice = planner.choose(ahead) if ahead.decision.side == side else None
            if player_choice is None:
                ahead.choose(self.weighing.answer(ahead))
                continue
            if ahead.decision.top and isinstance(player_choice, int):
                reasons.append(f"{self.game.units[player_choice].name} to {planner.why()}")
            ahead.choose(player_choice)
        return (self._chance(ahead) if ahead.decision is None else found), "; ".join(reasons[:4])

    # ------------------------------------------------------------------ all of it

    def review(self) -> Review:
        result = self.match.result
        largest = sorted(self.turnings, key=lambda turning: -abs(turning.swing))[:MOST_TURNINGS]
        return Review(
            game=self.game.id,
            scenario=self.journal.scenario,
            first=self.first,
            result=result.words if result is not None else "",
            moments=tuple(self.moments),
            turnings=tuple(sorted(largest, key=lambda turning: turning.at)),
            luck=round(self.luck, 4),
            play={side: round(lost, 4) for side, lost in self.given_away.items()},
        )


def _rounded(found: Estimate) -> Sequence[float]:
    return [round(value, 4) for value in found]
