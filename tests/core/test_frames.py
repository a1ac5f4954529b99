"""Play inside play: a prompt at any depth resumes from its own step, and play goes on where it left off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import pytest

from bulge.core.board import GraphBoard
from bulge.core.decision import Decision, GameOver, Play, Result
from bulge.core.frames import Frame, back, call, change, inner
from bulge.core.game import Game, Scenario
from bulge.core.match import Match
from bulge.core.position import Position
from bulge.core.rulebook import Rule, Rulebook
from bulge.core.table import Table
from tests.helpers import SEED, answer


class Dig(Frame, frozen=True, kw_only=True):
    depth: int
    found: int = 0


class DigPosition(Position, kw_only=True):
    frames: list[Dig] = []
    total: int = 0


class Digging(Game[DigPosition]):
    """Ann digs; in a hole she may dig another; what she found counts when she is out again."""

    id: ClassVar[str] = "digging"
    title: ClassVar[str] = "Digging"
    words: ClassVar[str] = "For tests."
    sides: ClassVar[tuple[str, ...]] = ("Ann",)
    players: ClassVar[tuple[str, ...]] = ("Ann",)
    most_choices: ClassVar[int] = 1000
    position_type = DigPosition

    def __init__(self) -> None:
        self.board = GraphBoard(["here"], [])
        self.units = []
        self.rulebook = Rulebook("digging", [Rule("1", "Everything", "Dig.")])
        self.scenarios = {"hole": Scenario("hole", "Hole", "One hole.")}
        self.sequence = {"field": self._field, "hole": self._hole, "up": self._up}
        self.rolls = 0
        """How often a die was rolled, resumed matches included."""

    def set_up(self, scenario: str, options: Mapping[str, str]) -> DigPosition:
        return DigPosition(step="field")

    def _field(self, t: Table[DigPosition]) -> Play:
        chosen = yield Decision("Ann", "Dig?", ["dig", "go_home"], "1", top=True)
        if chosen == "go_home":
            raise GameOver(Result("Ann", "Enough.", "1"))
        return call(t.p, Dig(then="field", depth=1), "hole")

    def _hole(self, t: Table[DigPosition]) -> Play:
        chosen = yield Decision("Ann", f"Now at {inner(t.p).depth}", ["search", "deeper", "leave"], "1", top=True)
        here = inner(t.p)
        if chosen == "search":
            self.rolls += 1
            change(t.p, Dig(then=here.then, depth=here.depth, found=here.found + t.roll("1", "search")))
            return "hole"
        if chosen == "deeper":
            return call(t.p, Dig(then="hole", depth=here.depth + 1), "hole")
        return "up"

    def _up(self, t: Table[DigPosition]) -> str:
        t.p.total += inner(t.p).found
        return back(t.p)


@pytest.fixture
def match() -> Match[DigPosition]:
    return Match(Digging(), seed=SEED)


def test_play_goes_on_where_it_was_called_from(match: Match[DigPosition]) -> None:
    answer(match, "dig", "deeper", "deeper")
    assert [frame.depth for frame in match.position.frames] == [1, 2, 3]
    answer(match, "leave")
    assert match.asked().prompt == "Now at 2"
    answer(match, "leave", "leave")
    assert match.asked().prompt == "Dig?"
    assert match.position.frames == []


def test_what_a_frame_remembers_stays_with_it(match: Match[DigPosition]) -> None:
    answer(match, "dig", "search", "deeper", "search", "search")
    outer, deeper = match.position.frames
    assert 1 <= outer.found <= 6
    answer(match, "leave")
    assert match.position.total == deeper.found
    assert inner(match.position) == outer
    answer(match, "leave")
    assert match.position.total == outer.found + deeper.found


def test_a_copy_deep_inside_replays_nothing(match: Match[DigPosition]) -> None:
    game = match.game
    assert isinstance(game, Digging)
    answer(match, "dig", "search", "deeper", "search", "deeper", "search", "deeper")
    rolled = game.rolls
    twin = match.copy()
    assert game.rolls == rolled == 3
    assert twin.position == match.position
    assert twin.asked().key() == match.asked().key()
    answer(twin, "leave", "leave", "leave", "leave", "go_home")
    assert match.asked().prompt == "Now at 4", "a copy goes on by itself"


def test_frames_come_back_from_json(match: Match[DigPosition]) -> None:
    answer(match, "dig", "search", "deeper")
    there = Match.unpacked(match.game, match.packed())
    assert there.position == match.position
    assert isinstance(inner(there.position), Dig)
