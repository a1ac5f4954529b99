"""The review of a game that is over: how its chances stood, and where they turned, by play or by luck.

*Luck* is the swing that a die made: the chance after the face that came up, less the mean over all its faces, with
everybody answering as he would; where one choice takes several dice or cards, that of all of them together, less
the mean of other draws. *Play* is what a phase of moves gave away: the chance after the computer's plan,
less the chance after the moves that were made; and what an attack gave away on average, beside none, or an answer
to the enemy, beside the best. All are measured by the same chances (`chances.py`), which are those of computer
players: a person may know better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

from bulge.core.decision import DONE, Choice, Kind
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import Journal, replay
from bulge.core.match import Match
from bulge.players.chances import Estimate, estimate, weights_of
from bulge.players.headlines import told
from bulge.players.judged import Judged, best_answer, left_out, made
from bulge.players.knowledge import ArmyKnowledge, armies_of, knowledge_of, unit_question
from bulge.players.looking import Anew, OneFace, expected, settle
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.reviewed import Cause, Ended, Moment, Review, Step, Turning
from bulge.players.weighing import Weighing

MOST_TURNINGS = 8
LEAST_SWING = 0.04
"""A smaller swing is no turning point."""
THOROUGH = Effort(evaluations=1200, plans=4, replies=0, breadth=8)
QUICK = Effort(evaluations=200, plans=2, replies=0, breadth=6)

DRAWN_ANEW = 24
"""So many other draws say what all that one choice rolls and draws together might have come to."""
MOST_STEPS = 6
"""So many moves are shown of each plan."""
MOST_REASONS = 3
TOO_EARLY = "a game is reviewed when it is over: before that, the review would be a hint"


def review(
    game: Game[Any],
    journal: Journal,
    *,
    effort: Effort = QUICK,
    each: Callable[[int], None] | None = None,
    ended: Ended | None = None,
) -> Review:
    """Look back on a game. `each` is told how many choices have been looked at."""
    if weights_of(game.id, journal.scenario) is None:
        where = f"its file belongs in bulge/players/weights/{game.id}"
        raise BulgeError(f"{not_learned(game, journal.scenario)}: bulge tune learns it, and {where}")
    loaded = replay(game, journal)
    if loaded.stopped_at is not None:
        raise BulgeError(f"it cannot be reviewed: {loaded.words}")
    if loaded.match.result is None and ended is None:
        raise BulgeError(TOO_EARLY)
    looking = _Looking(game, journal, effort, ended)
    for at in looking.play():
        if each is not None:
            each(at)
    return looking.review()


def not_learned(game: Game[Any], scenario: str) -> str:
    """Why a scenario has no chances, in words."""
    return f"nobody has learned yet what a position of {game.title}, {game.scenario(scenario).title}, is worth"


class _Looking:
    """One replay of a game, with the questions asked at each place."""

    def __init__(self, game: Game[Any], journal: Journal, effort: Effort, ended: Ended | None) -> None:
        self.game, self.journal, self.effort, self.ended = game, journal, effort, ended
        self.first = game.players[0]
        self.weighing = Weighing(knowledge_of(game))
        self.armies = armies_of(game)
        self.names = {unit.id: unit.name for unit in game.units}
        self.acting = ""
        """Whose phase it is."""
        self.phase = (1, "")
        """The turn and the step that are looked at."""
        self.moments: list[Moment] = []
        self.turnings: list[Turning] = []
        self.luck = 0.0
        self.dice = 0
        judged = game.everybody if self.armies is not None else ()
        self.given_away = dict.fromkeys(judged, 0.0)
        self.gained = dict.fromkeys(judged, 0.0)

    def play(self) -> Iterator[int]:
        journal = self.journal
        match = self.match = Match(self.game, journal.scenario, journal.options, seed=journal.seed)
        begun: set[tuple[int, str]] = set()
        """Phases looked at: one that a battle interrupts goes on afterwards, and is no new one."""
        self.opening = match.position.copy()
        self.phase = self.opening.turn, self.opening.step
        if not journal.choices:
            self._note_moment(0)  # people ended it at once: all that can be said is how it began
        for at, id_ in enumerate(journal.choices):
            now = match.position.turn, match.position.step
            if now not in begun:
                self._note_moment(at)
            self.phase = now
            if now not in begun:
                begun.add(now)
                self._note_play(at)
            self._note_attack(at)
            self._note_answer(at, match.find(id_))
            self._note_luck(at, match.find(id_))
            yield at + 1

    def _chance(self, match: Match[Any]) -> float:
        if match.result is not None:
            return {self.first: 1.0, None: 0.5}.get(match.result.winner, 0.0)
        return self._estimate(match.position).chance

    def _estimate(self, p: Any) -> Estimate:
        """Chances were learned at the ends of phases, and hold there: what follows from one is read as its end."""
        if (p.turn, p.step) != self.phase:
            p = p.copy()
            p.turn, p.step = self.phase
        found = estimate(self.game, self.journal.scenario, p, self.first)
        assert found is not None
        return found

    # ------------------------------------------------------------------ chances

    def _note_moment(self, at: int) -> None:
        """A phase begins as the one before it ended."""
        p = self.match.position
        read = dict(zip(("chance", "low", "high"), _rounded(self._estimate(p)), strict=True))
        if len(self.moments) == 1 and self._set_up_by(p):
            self.moments[0] = msgspec.structs.replace(self.moments[0], **read)
        self.moments.append(Moment(at, p.turn, p.step, self.match.asked().side, **read))

    def _set_up_by(self, now: Any) -> bool:
        """Whether units were put on the board before this: of an empty one nothing was learned."""
        before, after = (self.game.scene(p, None).pieces for p in (self.opening, now))
        return len(after) > len(before)

    # ------------------------------------------------------------------ luck

    def _note_luck(self, at: int, choice: Choice) -> None:
        """Make a choice; where it rolls, compare what came up with what might have."""
        match = self.match
        before, side, logged = match.copy(), match.asked().side, len(match.log)
        match.choose(choice)
        taken = range(before.position.drawn, match.position.drawn)
        if not taken:
            return
        alone = len(taken) == 1
        might = self._after_each_face(before, choice) if alone else self._after_others(before, choice, taken, at)
        mean = fmean(might)
        came = self._after(before.copy(), choice)
        swing = came - mean
        self.luck += swing
        self.dice += 1
        if abs(swing) >= LEAST_SWING:
            said = match.log[logged:]
            spaces = dict.fromkeys(self.game.board.name(space) for event in said for space in event.spaces)
            words, detail = told(said)
            more = {"detail": detail, "spaces": tuple(spaces)}
            self._turned("luck", at, before.position.turn, side, came, mean, words, **more)

    def _turned(
        self, kind: Cause, at: int, turn: int, side: str, came: float, instead: float, words: str, **more: Any
    ) -> None:
        swing, came, instead = round(came - instead, 4), round(came, 4), round(instead, 4)
        self.turnings.append(
            Turning(
                kind=kind, at=at + 1, turn=turn, side=side, swing=swing, came=came, instead=instead, words=words,
                **more,
            )
        )  # fmt: skip

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
            faces = die.size
            face += 1

    def _after_others(self, before: Match[Any], choice: Choice, taken: range, at: int) -> Iterator[float]:
        """The same where a choice took several numbers: with others in their place, as often as is worth while."""
        for time in range(DRAWN_ANEW):
            ahead = before.copy()
            ahead.table.chance = Anew(taken, f"review {at}", time, ahead.table.chance)
            yield self._after(ahead, choice)

    # ------------------------------------------------------------------ play

    def _note_play(self, at: int) -> None:
        """Where a phase of moves begins: compare the computer's plan for it with the moves that were made."""
        match, armies = self.match, self.armies
        if armies is None or unit_question(match, armies) != "move":
            return
        side = match.asked().side
        begun = self._stand(match, side)
        played = self._as_played(at)
        planner = PlannerPlayer(random.Random(f"review {at}"), self.effort)
        planner.take_all_the_time()
        planned = self._carried_out(match.copy(), planner, armies)
        lost = (1 if side == self.first else -1) * (planned.chance - played.chance)
        account = self.given_away if lost > 0 else self.gained
        account[side] += abs(lost)
        if abs(lost) >= LEAST_SWING:
            steps = _differing(begun, played.stand, planned.stand)
            would = _differing(begun, planned.stand, played.stand)
            reasons = "; ".join(planned.why(step, self.names[step.unit]) for step in would[:MOST_REASONS])
            words, turn = self._words(side, lost, steps), match.position.turn
            moves = {"better": reasons, "played": steps, "would": would}
            self._turned("play", at, turn, side, played.chance, planned.chance, words, **moves)

    def _note_attack(self, at: int) -> None:
        """Where somebody attacks, or attacks no more: compare the attack with none."""
        match, armies = self.match, self.armies
        if armies is None or unit_question(match, armies) != "attack":
            return
        side, ids = match.asked().side, self.journal.choices[at:]
        given_up = match.find(ids[0]) == DONE
        found = self._judged_attack(
            ids, armies, given_up, lambda ahead: self._turned_to(side, self._chance(ahead))
        )
        if found is None:
            return
        came, instead = (found.without, found.with_it) if given_up else (found.with_it, found.without)
        lost = instead - came
        if lost < LEAST_SWING:
            return
        self.given_away[side] += lost
        did, would = ("did not attack", "attack it") if given_up else ("attacked", "leave that attack")
        words = f"{side} {did} {found.words}. On average that gave away {lost:.0%}."
        more = {"better": would, "spaces": (self.game.board.name(found.target),)}
        came, instead = self._turned_to(side, came), self._turned_to(side, instead)
        self._turned("play", at, match.position.turn, side, came, instead, words, **more)

    def _note_answer(self, at: int, choice: Choice) -> None:
        """Where somebody answers in another's phase, or says what befalls the enemy: compare it with the best."""
        match, decision = self.match, self.match.asked()
        if decision.top:
            self.acting = decision.side
        in_anothers_phase = decision.side != self.acting
        if self.armies is None or not (in_anothers_phase or self._picks_enemies()) or len(decision.options) < 2:
            return
        side, answer = decision.side, self.weighing.answer

        def value(ahead: Match[Any]) -> float:
            return self._turned_to(side, self._chance(ahead))

        best, instead = best_answer(match, self.weighing.likeliest(match), answer, value)
        came = expected(match, choice, answer, value)
        if instead - came < LEAST_SWING:
            return
        self.given_away[side] += instead - came
        said = {match.find(option.id): option.words for option in match.options()}
        did = "answered" if in_anothers_phase else "chose"
        words = f"{side} {did}: {said[choice]}. On average that gave away {instead - came:.0%}."
        better = said[best]
        came, instead = self._turned_to(side, came), self._turned_to(side, instead)
        self._turned("play", at, match.position.turn, side, came, instead, words, better=better)

    def _picks_enemies(self) -> bool:
        """Whether one of the enemy's units is asked for that nobody attacks: who is to run short of supply."""
        decision, units = self.match.asked(), self.game.units
        if self.armies is None or not decision.top or unit_question(self.match, self.armies) != "other":
            return False
        return decision.kind is Kind.UNIT and all(
            isinstance(choice, int) and units[choice].side != decision.side for choice in decision.options
        )

    def _turned_to(self, side: str, chance: float) -> float:
        """A chance of the first side as a side's own, and the other way round."""
        return chance if side == self.first else 1 - chance

    def _judged_attack(
        self, ids: Sequence[str], armies: ArmyKnowledge, given_up: bool, value: Callable[[Match[Any]], float]
    ) -> Judged | None:
        if given_up:
            return left_out(self.match, armies, self.weighing.answer, value)
        return made(self.match, ids, armies, self.weighing.answer, value)

    def _words(self, side: str, lost: float, steps: Sequence[Step]) -> str:
        moved = ", ".join(f"{self.names[step.unit]} to {step.to}" for step in steps[:MOST_REASONS])
        what = f"{side}: {moved}" if moved else f"{side} moved nobody whom the computer would have moved"
        return (
            f"{what}. {'That gave away' if lost > 0 else 'That was better than the computer by'} {abs(lost):.0%}."
        )

    def _stand(self, match: Match[Any], side: str) -> dict[str, str]:
        """Where the units stand that a side can see."""
        eyes = side if side in self.game.sides else None
        return {piece.unit: piece.space for piece in self.game.scene(match.position, eyes).pieces}

    def _as_played(self, at: int) -> _Phase:
        """The moves that were made, before the phase was ended."""
        ahead = self.match.copy()
        watch = _Watch(self, ahead)
        for id_ in self.journal.choices[at:]:
            if not watch.goes_on():
                break
            ahead.answer(id_)
        return watch.phase()

    def _carried_out(self, ahead: Match[Any], planner: PlannerPlayer, armies: ArmyKnowledge) -> _Phase:
        """The computer's moves for the same phase, with its reasons."""
        watch = _Watch(self, ahead)
        while watch.goes_on():
            decision = ahead.asked()
            choice = planner.choose(ahead) if decision.side == watch.side else self.weighing.answer(ahead)
            if decision.side == watch.side and decision.top and isinstance(choice, int):
                unit = self.game.units[choice]
                watch.reasons[unit.id] = planner.why()
            ahead.choose(choice)
        return watch.phase()

    # ------------------------------------------------------------------ all of it

    def review(self) -> Review:
        result, ended = self.match.result, self.ended
        largest = sorted(self.turnings, key=lambda turning: -abs(turning.swing))[:MOST_TURNINGS]
        return Review(
            game=self.game.id,
            scenario=self.journal.scenario,
            first=self.first,
            result=result.words if result is not None else ended.words if ended is not None else "",
            winner=result.winner if result is not None else ended.winner if ended is not None else None,
            moments=tuple(self.moments),
            turnings=tuple(sorted(largest, key=lambda turning: turning.at)),
            luck=round(self.luck, 4),
            dice=self.dice,
            play={side: round(lost, 4) for side, lost in self.given_away.items()},
            strokes={side: round(won, 4) for side, won in self.gained.items()},
        )


class _Phase(NamedTuple):
    """How a phase of moves ended."""

    chance: float
    stand: dict[str, str]
    reasons: dict[str, str]

    def why(self, step: Step, name: str) -> str:
        """Where a unit would have gone and what for, as far as that was said beforehand."""
        reason = self.reasons.get(step.unit, "")
        return f"{name} to {reason if ': ' in reason else step.to}"


class _Watch:
    """Follows a phase to its last top-level question: what ends the phase may roll dice, and is not part of it."""

    def __init__(self, looking: _Looking, ahead: Match[Any]) -> None:
        self._looking, self._ahead = looking, ahead
        self.side = ahead.asked().side
        self.reasons: dict[str, str] = {}
        self._begun = (ahead.position.turn, ahead.position.step)
        self._note()

    def _note(self) -> None:
        self._chance = self._looking._chance(self._ahead)
        self._stand = self._looking._stand(self._ahead, self.side)

    def goes_on(self) -> bool:
        decision, p = self._ahead.decision, self._ahead.position
        if decision is None or (p.turn, p.step) != self._begun:
            return False
        if decision.top:
            self._note()
        return True

    def phase(self) -> _Phase:
        if self._ahead.decision is None:
            self._note()
        return _Phase(self._chance, self._stand, self.reasons)


def _differing(begun: dict[str, str], one: dict[str, str], other: dict[str, str]) -> tuple[Step, ...]:
    """The moves of one plan that the other does not make; whoever comes on begins where he ends."""
    moved = {unit: to for unit, to in one.items() if to not in (begun.get(unit), other.get(unit))}
    return tuple(Step(unit, begun.get(unit, to), to) for unit, to in list(moved.items())[:MOST_STEPS])


def _rounded(found: Estimate) -> Sequence[float]:
    return [round(value, 4) for value in found]
