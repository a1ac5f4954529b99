"""Random legal play to the end of the game, with everything that the engine promises probed on the way.

A game of a fuzz run is named by its label, `SEED:NUMBER`: both the dice and the random choices follow from it, so
any single game can be played again by itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from typing import Any

import msgspec

from bulge.core.chance import seed_of
from bulge.core.decision import Choice, Decision
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import Journal, journal_of
from bulge.core.match import Match
from bulge.core.probes import (
    Fault,
    UndoProbe,
    place_of,
    probe_copies_for_players,
    probe_journal,
    probe_log,
    probe_position,
    probe_question,
    probe_question_for_secrets,
    probe_resume,
    probe_views,
    probe_words,
)
from bulge.core.processes import workers

SOME = 10
"""Unless a run is thorough, the costly probes are made after one choice in so many, and undo is seldom tried
farther back than so many: a phase in which an army moves hex by hex has hundreds of choices."""


class Failure(msgspec.Struct, frozen=True):
    """What went wrong in a game, and its journal up to there."""

    kind: str
    words: str
    choices: int
    journal: Journal | None
    """None where not even the set-up could be made."""


class Played(msgspec.Struct, frozen=True):
    """What one game of a run came to."""

    label: str
    choices: int = 0
    options: int = 0
    """How many options there were to choose from, over all choices."""
    winner: str | None = None
    failure: Failure | None = None


class Plan(msgspec.Struct, frozen=True):
    """What every game of a run has in common."""

    seed: str
    first: int = 0
    """The number of the first game."""
    scenario: str | None = None
    """None: the game's scenarios in turn."""
    thorough: bool = False
    overrides: str = ""
    options: dict[str, str] | None = None
    """What the players agreed on; None: drawn anew for each game, so that every optional rule is tried."""

    def label(self, number: int) -> str:
        return f"{self.seed}:{number}"


def plan_of(
    seed: str,
    scenario: str | None = None,
    *,
    thorough: bool = False,
    overrides: str = "",
    options: dict[str, str] | None = None,
) -> Plan:
    """A plan from a seed as people write it: `7`, or `7:12` to begin with game 12 of seed 7."""
    words, colon, number = seed.rpartition(":")
    if not colon:
        return Plan(seed, 0, scenario, thorough, overrides, options)
    if not words or not number.isdecimal():
        raise BulgeError(f"a seed is a word or number, or SEED:NUMBER for one game of a run, not {seed!r}")
    return Plan(words, int(number), scenario, thorough, overrides, options)


# ---------------------------------------------------------------------- one game


class _Walk:
    """One random game under probes."""

    def __init__(self, game: Game[Any], plan: Plan, number: int) -> None:
        self.game, self.plan, self.label = game, plan, plan.label(number)
        known = list(game.scenarios)
        self.scenario = plan.scenario or known[number % len(known)]
        self.agreed = plan.options if plan.options is not None else self._any_options()
        self.seed = seed_of(f"fuzz {self.label}")
        self.chooser = random.Random(f"choices {self.label}")
        # The probes have luck of their own: how many of them are made must not change the game.
        self.luck = random.Random(f"probes {self.label}")
        self.ids: list[str] = []
        self.options = 0
        self.trying: str | None = None
        """The choice that is being made, until all of it has been carried out."""

    def _any_options(self) -> dict[str, str]:
        luck = random.Random(f"options {self.label}")
        offered = [option for option in self.game.options if option.offered_in(self.scenario)]
        return {option.id: luck.choice([value for value, _ in option.values]) for option in offered}

    def play(self) -> Played:
        match: Match[Any] | None = None
        try:
            match = Match(self.game, self.scenario, self.agreed, seed=self.seed)
            self._to_the_end(match)
        except BulgeError as error:
            if match is None:
                raise  # an unknown scenario: the caller's mistake, not the game's
            return self._failed("exception", _words_of(error), match)
        except Fault as fault:
            return self._failed(fault.kind, str(fault), match)
        except Exception as error:
            return self._failed("exception", _words_of(error), match)
        winner = match.result.winner if match.result else None
        return Played(self.label, len(self.ids), self.options, winner)

    def _to_the_end(self, match: Match[Any]) -> None:
        undo = UndoProbe(match)
        self._probe(match, undo, 0)
        while (decision := match.decision) is not None:
            if len(self.ids) >= self.game.most_choices:
                raise Fault("endless", f"the game goes on after {self.game.most_choices} choices, its bound")
            logged = len(match.log)
            self._choose(match, decision)
            undo.after_choice(decision.side)
            self._probe(match, undo, logged)
        if match.result is None:
            raise Fault("no result", "the game is over without a result")
        probe_journal(match, self.plan.overrides)

    def _choose(self, match: Match[Any], decision: Decision) -> None:
        self.options += len(decision.options)
        choice: Choice = self.chooser.choice(decision.options)
        self.trying = self.game.id_of(decision, choice)
        match.choose(choice)
        self.ids.append(self.trying)
        self.trying = None

    def _probe(self, match: Match[Any], undo: UndoProbe, logged: int) -> None:
        probe_position(match)
        probe_log(match, logged)
        if match.decision is None:
            return
        probe_question(match)
        probe_resume(match)
        probe_views(match, self.luck)
        if self._sampled():
            probe_copies_for_players(match, self.luck)
            probe_question_for_secrets(match, self.luck)
            probe_words(match, self.luck)
        # Undo puts a resumed sequence of play in the place of the running one, so it comes last, and never every
        # time: otherwise "resume equals running" would compare nothing but resumed ones.
        if self.luck.randrange(2 if self.plan.thorough else SOME) == 0:
            undo.there_and_back(None if self._sampled() else SOME)

    def _sampled(self) -> bool:
        return self.plan.thorough or self.luck.randrange(SOME) == 0

    def _failed(self, kind: str, words: str, match: Match[Any] | None) -> Played:
        if self.trying is not None:
            words = f"{words} (on choosing {self.trying!r})"
        failure = Failure(kind, " ".join(words.split()), len(self.ids), self._journal(match))
        return Played(self.label, len(self.ids), self.options, failure=failure)

    def _journal(self, match: Match[Any] | None) -> Journal | None:
        """The journal of all choices that were carried out, so that it loads to just before the failure."""
        if match is None:
            return None
        try:
            again = Match(self.game, self.scenario, self.agreed, seed=self.seed, keep_log=False)
            for id_ in self.ids:
                again.answer(id_)
        except Exception:  # a game so broken that it does not replay: what the match itself holds must do
            again = match
        return journal_of(again, self.plan.overrides)


def _words_of(error: Exception) -> str:
    return f"{type(error).__name__}: {error} {place_of(error)}"


def play_one(game: Game[Any], plan: Plan, number: int) -> Played:
    """Play one game of a run at random, probing after every choice."""
    return _Walk(game, plan, number).play()


# ---------------------------------------------------------------------- many games


def play_many(
    make_game: Callable[[], Game[Any]], plan: Plan, games: int, jobs: int = 1
) -> Generator[Played, None, None]:
    """Play games of a plan, in order, in so many processes. `make_game` must pickle where there are several."""
    numbers = range(plan.first, plan.first + games)
    if jobs == 1:
        game = make_game()
        yield from (play_one(game, plan, number) for number in numbers)
        return
    together = max(1, min(16, games // (jobs * 8)))
    with workers(jobs, _equip, make_game, plan) as pool:
        yield from pool.map(_play_here, numbers, chunksize=together)


_equipment: tuple[Game[Any], Plan] | None = None
"""In a process of its own: the game that it plays and the plan it follows."""


def _equip(make_game: Callable[[], Game[Any]], plan: Plan) -> None:
    global _equipment
    _equipment = make_game(), plan


def _play_here(number: int) -> Played:
    assert _equipment is not None
    return play_one(*_equipment, number)


class Summary(msgspec.Struct, frozen=True):
    """What a run came to."""

    games: int
    choices: int
    options: int
    winners: dict[str, int]
    failed: int

    @property
    def words(self) -> str:
        games = self.games or 1
        winners = ", ".join(f"{winner} {times}" for winner, times in sorted(self.winners.items()))
        return (
            f"{self.games:,} games, {self.choices:,} choices, {self.choices / games:.1f} choices a game, "
            f"branching {self.options / (self.choices or 1):.1f}; won by: {winners or 'nobody'}"
        )


def summary_of(played: Iterable[Played]) -> Summary:
    played = list(played)
    winners = Counter(game.winner or "nobody (draw)" for game in played if game.failure is None)
    return Summary(
        games=len(played),
        choices=sum(game.choices for game in played),
        options=sum(game.options for game in played),
        winners=dict(winners),
        failed=sum(game.failure is not None for game in played),
    )
