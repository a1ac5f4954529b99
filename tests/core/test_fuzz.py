"""Fuzzing must catch every kind of broken game: here is one of each, made from The Ford."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulge.core.decision import Choice, Decision, Option, Play
from bulge.core.errors import BulgeError
from bulge.core.fuzz import Plan, Played, plan_of, play_many, play_one, summary_of
from bulge.core.journal import replay
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.games import load_game
from bulge.games.ford.facts import FordPosition
from bulge.games.ford.game import Ford
from tests.helpers import examples

PLAN = Plan("tests", thorough=True)


def test_a_sound_game_passes() -> None:
    games = list(play_many(Ford, PLAN, 5))
    assert [game.failure for game in games] == [None] * 5
    summary = summary_of(games)
    assert summary.games == 5
    assert summary.failed == 0
    assert sum(summary.winners.values()) == 5
    assert summary.choices == sum(game.choices for game in games) > 100
    assert "5 games" in summary.words


def test_a_single_game_of_a_run_can_be_played_again() -> None:
    third = list(play_many(Ford, plan_of("7"), 3))[2]
    assert third.label == "7:2"
    assert list(play_many(Ford, plan_of("7:2"), 1)) == [third]


def test_how_much_is_probed_does_not_change_the_game() -> None:
    few, all_ = play_one(Ford(), plan_of("1"), 0), play_one(Ford(), plan_of("1", thorough=True), 0)
    assert few == all_


def test_several_processes_play_the_same_games_as_one() -> None:
    make = partial(load_game, "ford")
    assert list(play_many(make, plan_of("7"), 4, jobs=2)) == list(play_many(make, plan_of("7"), 4))


@pytest.mark.parametrize("seed", [":3", "7:", "7:x"])
def test_a_malformed_seed_is_refused(seed: str) -> None:
    with pytest.raises(BulgeError, match="SEED:NUMBER"):
        plan_of(seed)


def test_an_unknown_scenario_is_the_callers_mistake_not_a_failed_game() -> None:
    with pytest.raises(BulgeError, match="no scenario"):
        play_one(Ford(), plan_of("7", "nowhere"), 0)


@examples(25)
@given(st.integers(min_value=0))
def test_the_ford_keeps_every_promise_whatever_the_seed(seed: int) -> None:
    assert play_one(Ford(), Plan(str(seed), thorough=True), 0).failure is None


# ---------------------------------------------------------------------- broken games


def first_failure(game: Ford, games: int = 20) -> Played:
    """The first game that fails. Its journal must load to the very moment."""
    failed = next(played for n in range(games) if (played := play_one(game, PLAN, n)).failure)
    failure = failed.failure
    assert failure is not None
    assert failure.journal is not None
    assert len(failure.journal.choices) == failure.choices
    assert replay(game, failure.journal).stopped_at is None
    return failed


def assert_caught(game: Ford, kind: str, *words: str) -> None:
    failure = first_failure(game).failure
    assert failure is not None
    assert failure.kind == kind
    for word in words:
        assert word in failure.words


def assert_fails_at_once(game: Ford, kind: str, word: str) -> None:
    """For games so broken that their journals may not replay."""
    failure = play_one(game, PLAN, 0).failure
    assert failure is not None
    assert failure.kind == kind
    assert word in failure.words


class Edited(Ford):
    """The Ford with something done at every decision, before it is asked."""

    def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
        return decision

    def play(self, t: Table[FordPosition]) -> Play:
        flow = super().play(t)
        choice: Choice | None = None
        while True:
            choice = yield self.edit(t, flow.send(choice))


def changed(decision: Decision, options: list[Choice], rule: str = "") -> Decision:
    return Decision(
        decision.side,
        decision.prompt,
        options,
        rule or decision.rule,
        decision.kind,
        top=decision.top,
        about=decision.about,
    )


def test_catches_a_broken_invariant() -> None:
    class Overstacked(Ford):
        def check(self, p: FordPosition) -> None:
            super().check(p)
            assert p.turn < 3, "turn three"

    assert_caught(Overstacked(), "invariant", "turn three")


def test_catches_a_dead_end() -> None:
    class DeadEnd(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            return changed(decision, []) if t.p.turn == 2 else decision

    assert_caught(DeadEnd(), "dead end", "no option")


def test_catches_an_option_offered_twice() -> None:
    class Twice(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            return changed(decision, [*decision.options, decision.options[0]])

    assert_caught(Twice(), "option twice", "more than once")


def test_catches_endless_play() -> None:
    class Endless(Ford):
        most_choices = 10

    played = first_failure(Endless())
    assert played.failure is not None
    assert played.failure.kind == "endless"
    assert played.failure.choices == 10


def test_catches_a_leak_in_a_view() -> None:
    class Leak(Ford):
        def view(self, p: FordPosition, side: str | None) -> dict[str, Any]:
            return super().view(p, side) | {"held": p.held}

    assert_caught(Leak(), "leak", "held")


def test_catches_a_leak_to_spectators() -> None:
    class Leak(Ford):
        def view(self, p: FordPosition, side: str | None) -> dict[str, Any]:
            view = super().view(p, side)
            return view | {"held": p.held} if side is None else view

    assert_caught(Leak(), "leak", "spectator", "held")


def test_catches_options_that_betray_a_secret() -> None:
    class Betrayed(Edited):
        """What may be chosen depends on what the other side holds."""

        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            other = t.p.held[decision.side == "Blue"]
            return changed(decision, [*decision.options, "wait"] if other % 2 else [*decision.options])

    assert_caught(Betrayed(), "leak", "if hidden things were otherwise")


class Forgetful(Ford):
    """Something about the match lives in the suspended generator alone."""

    def play(self, t: Table[FordPosition]) -> Play:
        flow = super().play(t)
        asked = 0
        choice: Choice | None = None
        while True:
            decision = flow.send(choice)
            asked += 1
            decision.prompt += f" ({asked})"
            choice = yield decision


def test_catches_a_match_that_resumes_differently() -> None:
    assert_caught(Forgetful(), "resume", "another question")


def test_catches_a_position_that_resumes_differently() -> None:
    class Drifting(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            t.p.assaulted += decision.top  # a resumed match does this once more
            return decision

    assert_fails_at_once(Drifting(), "resume", "assaulted")


def test_catches_an_undo_that_survives_a_die() -> None:
    class Unsealed(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            t.sealed = False
            return decision

    assert_caught(Unsealed(), "undo", "after a die or draw")


def test_catches_an_undo_that_survives_the_other_sides_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Match._raise_floor

    def for_dice_alone(match: Match[Any]) -> None:
        if match.table.sealed:
            plain(match)

    monkeypatch.setattr(Match, "_raise_floor", for_dice_alone)
    assert_caught(Ford(), "undo", "turn to choose")


def test_catches_an_undo_that_does_not_bring_back_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Match.undo

    def undo(match: Match[Any]) -> None:
        plain(match)
        match.table.say("4.1", "An echo.")

    monkeypatch.setattr(Match, "undo", undo)
    assert_caught(Ford(), "undo", "does not bring back the log")


def test_catches_an_exception_and_says_on_which_choice() -> None:
    class Crash(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            if t.p.turn == 2:
                raise KeyError("a hole in a table")
            return decision

    assert_caught(Crash(), "exception", "KeyError", "a hole in a table", "on choosing 'done'")


def test_catches_a_sequence_of_play_that_just_stops() -> None:
    class Stops(Ford):
        def play(self, t: Table[FordPosition]) -> Play:
            yield Decision("Blue", "Well?", ["yes"], "1.1", top=True)

    assert_caught(Stops(), "exception", "on choosing 'yes'")


def test_catches_a_position_that_json_refuses() -> None:
    class Slippery(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            t.p.turn = bool(t.p.turn)
            return decision

    assert_fails_at_once(Slippery(), "JSON", "Expected `int`, got `bool`")


def test_catches_a_position_that_json_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = FordPosition.to_json

    def to_json(position: FordPosition) -> bytes:
        twin = position.copy()
        twin.moved = 0
        return plain(twin)

    monkeypatch.setattr(FordPosition, "to_json", to_json)
    assert_fails_at_once(Ford(), "JSON", "changed: moved")


def test_catches_a_copy_that_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = FordPosition.copy

    def copy(position: FordPosition) -> FordPosition:
        twin = plain(position)
        twin.steps = position.steps
        return twin

    monkeypatch.setattr(FordPosition, "copy", copy)
    assert_fails_at_once(Ford(), "copy", "shares steps")


def test_catches_a_copy_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = FordPosition.copy

    def copy(position: FordPosition) -> FordPosition:
        twin = plain(position)
        twin.moved = 0
        return twin

    monkeypatch.setattr(FordPosition, "copy", copy)
    assert_fails_at_once(Ford(), "copy", "moved")


def test_catches_a_question_under_a_rule_that_does_not_exist() -> None:
    class Uncited(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            return changed(decision, [*decision.options], rule="99.9")

    assert_caught(Uncited(), "unknown rule", "99.9", "'Move a unit")


def test_catches_a_log_line_under_a_rule_that_does_not_exist() -> None:
    class Uncited(Edited):
        def edit(self, t: Table[FordPosition], decision: Decision) -> Decision:
            if t.keeps_log and t.p.turn == 2:
                t.say("99.9", "Something happens.")
            return decision

    assert_caught(Uncited(), "unknown rule", "99.9", "Something happens.")


def test_catches_options_without_words() -> None:
    class Silent(Ford):
        def option(self, t: Table[FordPosition], decision: Decision, choice: Choice) -> Option:
            return Option(super().option(t, decision, choice).id, "")

    assert_caught(Silent(), "words")


def test_catches_a_game_that_does_not_replay() -> None:
    class Moody(Ford):
        """Its play depends on something outside the match."""

        starts: Iterator[int] = iter(range(1_000_000))

        def set_up(self, scenario: str, options: Any) -> FordPosition:
            position = super().set_up(scenario, options)
            position.turn = 1 + next(self.starts) % 2
            return position

    assert_fails_at_once(Moody(), "journal", "does not verify")


def test_a_game_that_cannot_be_set_up_fails_without_a_journal() -> None:
    class Unready(Ford):
        def set_up(self, scenario: str, options: Any) -> FordPosition:
            raise KeyError("no such hex")

    failure = play_one(Unready(), PLAN, 0).failure
    assert failure is not None
    assert failure.kind == "exception"
    assert failure.journal is None


def test_dealing_anew_may_not_break_the_view_that_copies_rely_on() -> None:
    class Unsteady(Ford):
        def deal_anew(self, p: FordPosition, side: str, rng: random.Random) -> None:
            p.turn = 9

    assert_caught(Unsteady(), "leak", "turn")
