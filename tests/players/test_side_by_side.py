"""Processes that help a planner to think: they change when something is found, never what; and they may die."""

from __future__ import annotations

import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bulge.core.chance import seed_of
from bulge.core.data import Overrides
from bulge.core.match import Match
from bulge.games import load_game
from bulge.players import side_by_side
from bulge.players.contenders import desk_for, matter_of, ranked_after, rounds
from bulge.players.greedy import GreedyPlayer
from bulge.players.knowledge import armies_of, unit_question
from bulge.players.levels import player_for
from bulge.players.planner import Effort, PlannerPlayer
from bulge.players.purpose import Purposes
from bulge.players.side_by_side import Company, Matter, OutOfTime, _Helper, usable_cores

ROOT = Path(__file__).parents[2]
SMALL = Effort(evaluations=240, plans=6, replies=2, breadth=4, seconds=math.inf)
MANY = 10_000
"""More often than this nothing is waited for."""


def in_vain() -> bool:
    return False


def as_words(letter: bytes) -> str:
    return letter.decode()


@dataclass(frozen=True)
class Say:
    """A task that is done in no time."""

    number: int

    def __call__(self, word: str, _: OutOfTime) -> str:
        return f"{word} {self.number}"


@dataclass(frozen=True)
class WhoAreYou:
    """A task that leaves others the time to take one as well."""

    def __call__(self, word: str, _: OutOfTime) -> int:
        time.sleep(0.02)
        return os.getpid()


@dataclass(frozen=True)
class Die:
    """A task that nobody but the player itself survives."""

    survivor: int

    def __call__(self, word: str, _: OutOfTime) -> str:
        if os.getpid() != self.survivor:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.02)
        return word


WORDS = Matter(as_words, b"word")


class Leaving(Company):
    """Whoever has this company leaves all the work to it, as long as there is somebody in it."""

    def __init__(self) -> None:
        super().__init__(lambda: 2)
        self._worth_it = True

    def _work(self, agenda: Any, ready: Any, out_of_time: OutOfTime) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not agenda.left or not self._helpers[0][0].lives)
        super()._work(agenda, ready, out_of_time)


@pytest.fixture
def others() -> Iterator[Company]:
    found = Leaving()
    yield found
    found.close()


@pytest.fixture
def company() -> Iterator[Company]:
    found = Company(lambda: 2, patience=-1)
    yield found
    found.close()


def done_by(company: Company, tasks: list[Any], **limits: Any) -> list[Any]:
    return company.all_done(tasks, WORDS, "word", in_vain, **limits)


def helper_of(company: Company) -> int:
    """The process of the one helper, once it has begun to help."""
    for _ in range(MANY):
        others = set(done_by(company, [WhoAreYou(), WhoAreYou()])) - {os.getpid()}
        if others:
            return int(others.pop())
    raise AssertionError("nobody helps")


def gone(process: int) -> bool:
    for _ in range(MANY):
        try:
            os.kill(process, 0)
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


# ---------------------------------------------------------------------- the work


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_answers_come_in_the_order_of_the_tasks(cores: int) -> None:
    company = Company(lambda: cores, patience=-1)
    try:
        for _ in range(3):
            assert done_by(company, [Say(n) for n in range(20)]) == [f"word {n}" for n in range(20)]
    finally:
        company.close()


def test_a_helper_takes_a_part_of_the_work_and_its_time_is_told(company: Company) -> None:
    helper_of(company)
    before = company.helped
    processes = done_by(company, [WhoAreYou()] * 6)
    assert len(set(processes)) == 2
    assert company.helped > before


def test_on_one_core_nobody_is_begun() -> None:
    company = Company(lambda: 1, patience=-1)
    assert set(done_by(company, [WhoAreYou()] * 3)) == {os.getpid()}
    assert company._helpers == []


def test_short_work_begins_no_process() -> None:
    company = Company(lambda: 2)
    done_by(company, [Say(n) for n in range(50)])
    assert company._helpers == []


def test_helpers_pause_while_others_need_the_cores() -> None:
    cores = 2
    company = Company(lambda: cores, patience=-1)
    try:
        helper_of(company)
        cores = 1
        assert set(done_by(company, [WhoAreYou()] * 4)) == {os.getpid()}
        cores = 2
        helper_of(company)
    finally:
        company.close()


def test_when_time_is_up_only_what_must_be_is_done(company: Company) -> None:
    helper_of(company)
    tasks = [Say(n) for n in range(6)]
    found = company.all_done(tasks, WORDS, "word", lambda: True, seconds=0.0, at_least=2)
    assert found == ["word 0", "word 1", None, None, None, None]


def test_cores_that_this_process_may_not_use_do_not_count() -> None:
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system does not bind processes to cores")
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert usable_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
    assert usable_cores() == len(allowed)


# ---------------------------------------------------------------------- dying


def test_a_helper_that_dies_in_the_middle_loses_nothing(company: Company) -> None:
    helper_of(company)
    assert done_by(company, [Die(os.getpid())] * 4) == ["word"] * 4


def test_a_helper_that_was_killed_is_begun_anew(company: Company) -> None:
    first = helper_of(company)
    os.kill(first, signal.SIGKILL)
    assert gone(first)
    assert done_by(company, [Say(n) for n in range(5)]) == [f"word {n}" for n in range(5)]
    assert helper_of(company) != first


def test_one_that_dies_time_and_again_is_given_up(company: Company) -> None:
    helper, thread = None, None
    for _ in range(MANY):
        assert done_by(company, [Die(os.getpid())] * 4) == ["word"] * 4
        helper, thread = company._helpers[0]
        if not helper.lives:
            break
    assert helper is not None
    assert thread is not None
    thread.join()
    assert not helper.runs
    assert set(done_by(company, [WhoAreYou()] * 3)) == {os.getpid()}


def test_whoever_has_no_life_left_does_not_wait_for_more_to_do(company: Company) -> None:
    """Nothing may ever come: a thread that waits then is waited for as long by whoever joins it."""
    helper = _Helper()
    helper.lives = 0
    waits = threading.Thread(target=company._help, args=(0, helper), daemon=True)
    waits.start()
    waits.join(10)
    assert not waits.is_alive()


def test_a_matter_that_a_helper_cannot_make_ready_is_worked_on_alone(company: Company) -> None:
    nonsense = Matter(desk_for, b"nonsense")
    for _ in range(5):
        assert company.all_done([Say(1), Say(2)], nonsense, "word", in_vain) == ["word 1", "word 2"]


def test_one_that_does_not_answer_is_not_waited_for(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = helper_of(company)
    monkeypatch.setattr(side_by_side, "LONGEST", 0.05)
    os.kill(stopped, signal.SIGSTOP)
    assert done_by(company, [WhoAreYou()] * 4) == [os.getpid()] * 4
    assert gone(stopped)


def test_a_task_that_fails_here_fails_and_the_next_ones_are_done(company: Company) -> None:
    helper_of(company)

    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        done_by(company, [fail, fail, fail])
    assert done_by(company, [Say(7)]) == ["word 7"]


def test_whoever_is_closed_leaves_no_process() -> None:
    company = Company(lambda: 2, patience=-1)
    helper = helper_of(company)
    company.close()
    assert gone(helper)
    company.close()


ORPHAN = """
import os, signal
from tests.players.test_side_by_side import Company, Endless, WORDS, helper_of, in_vain
company = Company(lambda: 2, patience=-1)
print(helper_of(company), flush=True)
if {busy}:
    company.all_done([Endless(os.getpid())] * 2, WORDS, "word", in_vain)
os.kill(os.getpid(), signal.SIGKILL)
"""


@dataclass(frozen=True)
class Endless:
    """A task that the player ends, with itself, as soon as somebody else has begun one."""

    player: int

    def __call__(self, word: str, _: OutOfTime) -> None:
        if os.getpid() != self.player:
            os.kill(self.player, signal.SIGKILL)
        while True:
            time.sleep(0.01)


@pytest.mark.parametrize("busy", [False, True])
def test_when_a_player_is_killed_nobody_goes_on_without_it(busy: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ORPHAN.format(busy=busy)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == -signal.SIGKILL
    assert gone(int(done.stdout))


# ---------------------------------------------------------------------- plans


def moving(id_: str, turn: int = 1, overrides: Overrides | None = None) -> Match[Any]:
    """Where units are to be moved, and more than one can be."""
    match = Match(load_game(id_, overrides), seed=seed_of("moving"), keep_log=False)
    armies = armies_of(match.game)
    assert armies is not None
    players = {side: GreedyPlayer(random.Random(side)) for side in match.game.players}
    while match.position.turn < turn or unit_question(match, armies) != "move":
        match.choose(players[match.asked().side].choose(match))
    return match


def planned(match: Match[Any], company: Company | None, effort: Effort = SMALL) -> tuple[Any, ...]:
    """All that a player has found out about a phase: orders, contenders and their values, and what follows."""
    player, armies = PlannerPlayer(random.Random("a seed"), effort), armies_of(match.game)
    assert armies is not None
    if company is not None:
        player.think_with(company)
    player._plan(match, armies)
    orders = [(way.unit, way.hex_) for way in player._orders]
    worths = [(value, [(unit, way.path) for unit, way in plan.items()]) for value, plan in player.contenders]
    return orders, worths, player._rng.random()


@pytest.mark.parametrize(("id_", "breadth"), [("the_bulge", 4), ("ardennes_44", 1)])
def test_the_same_plan_is_found_by_one_and_by_others(others: Company, id_: str, breadth: int) -> None:
    match, effort = moving(id_), replace(SMALL, breadth=breadth)
    alone = planned(match, Company(lambda: 1), effort)
    assert len([plan for _, plan in alone[1] if plan]) > 1
    assert planned(match, others, effort) == alone
    assert others.helped > 0


def test_a_helper_who_dies_changes_no_plan(company: Company) -> None:
    match, effort = moving("the_bulge"), replace(SMALL, replies=1)
    alone = planned(match, Company(lambda: 1), effort)
    os.kill(helper_of(company), signal.SIGKILL)
    assert planned(match, company, effort) == alone


def test_without_a_company_plans_share_one_stream_as_they_always_have() -> None:
    """Simulations repeat themselves by their seeds, also those of before."""
    player = player_for("regular", load_game("ford"), "Blue", "1", by_the_clock=False, company=Company(lambda: 2))
    assert isinstance(player, PlannerPlayer)
    assert player._company is None


def test_whoever_plays_for_people_has_the_company() -> None:
    company = Company(lambda: 2)
    player = player_for("regular", load_game("ford"), "Blue", "1", company=company)
    assert isinstance(player, PlannerPlayer)
    assert player._company is company
    assert company._helpers == []


def test_one_plan_is_made_and_judged_though_there_is_no_time_at_all(company: Company) -> None:
    _, worths, _ = planned(moving("ford"), company, replace(SMALL, seconds=0.0))
    assert len(worths) == 1


def test_a_helper_plays_by_the_overrides_of_the_match() -> None:
    match = moving("ford", overrides=Overrides("[ford.units.B1]\nstrength = 7\n"))
    desk = desk_for(matter_of(match, Purposes(), 0.0).letter)
    assert desk.twin.game.data.tables["units"]["B1"].strength == 7
    assert desk.twin.position == match.position
    assert desk.twin.asked().key() == match.asked().key()


def test_rounds_of_plans_do_not_depend_on_who_helps() -> None:
    assert [list(numbers) for numbers in rounds(1)] == [[0]]
    assert [list(numbers) for numbers in rounds(8)] == [[0, 1], [2, 3, 4, 5], [6, 7]]


REPLIES = [[0.0, 3.0, 2.0, 1.0], [9.0, 0.0], [0.0, 18.0]]
"""By round, what is gained by those who are left, in the order of how well they stand."""


def test_the_better_half_of_the_plans_meets_all_replies() -> None:
    met: list[list[int]] = []

    def replied(left: Sequence[int], number: int) -> list[float | None]:
        met.append([*left])
        return [*REPLIES[number]]

    def best(worths: list[float], rounds: int) -> int:
        return ranked_after(worths, 4, rounds, replied)[0][0]

    assert best([1.0, 0.0, 0.0, 0.0], 3) == 2
    assert met == [[0, 1, 2, 3], [1, 2], [1, 2]]
    assert best([1.0, 0.0, 0.0, 0.0], 1) == 1
    assert best([2.5, 0.0, 0.0, 0.0], 2) == 1


def test_plans_are_compared_after_the_last_replies_that_both_have_met() -> None:
    """Whoever is left out before the last round is not helped by what that costs the best one."""

    def replied(left: Sequence[int], number: int) -> list[float | None]:
        return [*REPLIES[number]]

    ranked = ranked_after([1.0, 0.0, 0.0, 0.0, -2.0], 4, 3, replied)
    assert [number for number, _ in ranked] == [2, 0, 3, 4, 1]
    assert [less for _, less in ranked] == pytest.approx([0, -1, -1, -2, 4 - 20 / 3])
    assert ranked_after([1.0, 2.0], 4, 0, replied) == [(1, 0.0), (0, -1.0)]


def test_a_round_of_replies_that_was_not_ended_does_not_count() -> None:
    def replied(left: Sequence[int], number: int) -> list[float | None]:
        return [0.0, 1.0] if number == 0 else [100.0, None]

    assert ranked_after([0.0, 0.0], 4, 3, replied) == [(1, 0.0), (0, -1.0)]
