"""What the Movement Phase asks, in words: who moves, where to, and why not (rules 11 and 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from bulge.core.bars import Bar
from bulge.core.decision import DONE, Choice, Decision, Option, Refusal
from bulge.core.look import Reachable, Subject
from bulge.core.movement import points_in_words
from bulge.core.question import HEX_BY_HEX, Question
from bulge.core.table import Table
from bulge.games.ardennes_44.allowance import allowance, held_back
from bulge.games.ardennes_44.barriers import NO_MARKER, bars_of_step, once, why_out_of_reach
from bulge.games.ardennes_44.breakdown import BREAK_DOWN, BREAK_UP
from bulge.games.ardennes_44.counters import other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.ground import POINT
from bulge.games.ardennes_44.movement import Walk
from bulge.games.ardennes_44.night import STACKS
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.reach import LEAVE_MAP, MOVER, STRATEGIC, Routes, reachable, routes

STOP, LOAD, UNLOAD, DIG = "stop", "get_on_trucks", "leave_column", "dig_in"
NIGHT, STACK = "mark_for_night", "stack_follows"

SAID = {
    STOP: "stay here",
    STRATEGIC: "Strategic Movement: roads only, twice as far",
    LOAD: "get on trucks, to drive next turn",
    UNLOAD: "take its Strategic Movement or Truck marker off",
    MOVER: "take a Prime Mover",
    DIG: "begin an Improved Position",
    NIGHT: "mark this stack for the Night Turn",
    LEAVE_MAP: "leave the map",
    BREAK_DOWN: "split off a battalion",
    BREAK_UP: "break up into two battalions and a remnant",
    "infiltrate": "try to pass as Americans",
}


WHY_NOT = {
    STRATEGIC: (
        "12.1",
        "that takes Good Order, supply, a road, no enemy next to it, and a marker: free, or its regiment's",
    ),
    LOAD: (
        "12.4.3",
        "Allied units on foot do: only their regiment there, a road, no enemy or column near, a free marker",
    ),
    UNLOAD: ("12.6", "it is under no Strategic Movement or Truck marker"),
    MOVER: ("22.3", "only German artillery takes a Prime Mover, while its army has one to spare"),
    DIG: ("15.8.2", "only infantry in Good Order, in supply, not Engaged, digs in, where nobody has dug yet"),
    NIGHT: (
        "25.3.4",
        "at most three stacks are, in a PM turn: Good Order, in supply, not Engaged, not moved",
    ),
    LEAVE_MAP: ("11.9", "Allies leave over their own edges, Germans by the roads that win, with a point left"),
    BREAK_DOWN: ("26.2", "only a full unit in Good Order breaks down, with a counter to spare"),
    BREAK_UP: ("26.2", "only a full unit of three steps does, with two counters and a remnant to spare"),
    "infiltrate": ("27.8.2", "only the 150th Panzer Brigade does, undetected, where a zone stops it"),
}
"""Why a word is not offered to a unit on its way."""


@dataclass(frozen=True, slots=True)
class WhoMoves(Question):
    facts: Facts
    hemmed_in: Callable[[Sequence[Choice]], int]
    """Those of these units that can only stay where they are."""

    def idle(self, t: Table[Ardennes44], decision: Decision) -> int:
        return self.hemmed_in(decision.options)

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        facts, p = self.facts, t.p
        rows, enemy = facts.rows, other(decision.side)
        yield Bar(facts.of_side[enemy], "11.1", lambda unit: f"{rows[unit].name} is not yours")
        yield Bar(p.moved, "11.1", lambda unit: f"{rows[unit].name} has moved already")
        yield Bar(p.engaged, "16.5", lambda unit: f"{rows[unit].name} is Engaged")
        yield Bar(held_back(facts, p), "29.1.1", lambda unit: f"{rows[unit].name} may not move on the first turn")
        if p.night:
            yield Bar(~p.night_marked, "25.3.1", lambda unit: f"{rows[unit].name} was not marked for the night")
        away = sum(1 << unit for unit, space in enumerate(p.where) if space < 0)
        yield Bar(away, "13.1", lambda unit: f"{rows[unit].name} is not on the map now")
        yield Bar(
            lambda unit: not allowance(facts, p, unit),
            "22.3",
            lambda unit: f"{rows[unit].name} cannot move by itself",
        )

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == DONE:
            return replace(plain, role="end_phase")
        if choice != STACK:
            return plain
        board, way = self.facts.board, t.p.last_way
        words = f"the rest of {board.name(way[0])} follows to {board.name(way[-1])}"
        return replace(plain, words=words, spaces=(board.name(way[0]), board.name(way[-1])))

    def why_not_word(self, t: Table[Ardennes44], decision: Decision, word: str) -> Refusal | None:
        if word == STACK:
            return Refusal("11.1", "nobody is left there who could go the same way")
        return Refusal("18.3", "a Disrupted unit must leave an enemy zone first") if word == DONE else None


@dataclass(frozen=True, slots=True)
class AboutWalk(Question):
    """A unit on its way."""

    walk: Walk

    def option(self, t: Table[Ardennes44], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == NIGHT:
            return replace(plain, words=f"{SAID[NIGHT]} ({t.p.night_stacks + 1} of {STACKS})")
        if isinstance(choice, str):
            return replace(plain, words=SAID.get(choice, plain.words), role="end" if choice == STOP else "")
        spent, _tactical = self.walk.next_steps()[choice]
        cost = points_in_words(spent - max(self.walk.spent, 0), POINT) if spent >= 0 else "tactical"
        return replace(plain, cost=cost)

    def why_not(self, t: Table[Ardennes44], decision: Decision, asked: str) -> Refusal | None:
        board, walk = self.walk.mover.facts.board, self.walk
        hex_ = board.at(asked) if board.has(asked) else walk.here
        if (board.next_to(walk.here) | 1 << walk.here) >> hex_ & 1:
            return None
        reached = once(walk, routes).found
        return Refusal("11.1", HEX_BY_HEX) if hex_ in reached else why_out_of_reach(walk, hex_)

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        return bars_of_step(self.walk)

    def why_not_word(self, t: Table[Ardennes44], decision: Decision, word: str) -> Refusal | None:
        if word == STOP:
            return self._why_not_stop()
        return Refusal(*WHY_NOT[word]) if word in WHY_NOT else None

    def _why_not_stop(self) -> Refusal:
        walk = self.walk
        if walk.must_go:
            return Refusal("18.3", "it must leave the enemy zone")
        if walk.mover.strategic and not walk.mover.has_marker:
            return Refusal(*NO_MARKER)
        return Refusal("8.3", "there is no room")

    def reach(self) -> Routes:
        """Everywhere it can end its move, for players that plan."""
        return routes(self.walk)

    def way_to(self, t: Table[Ardennes44], decision: Decision, asked: str) -> list[Choice]:
        board = self.walk.mover.facts.board
        found = self.reach().found.get(board.at(asked)) if board.has(asked) else None
        if found is None:
            return []
        said, walk, behind = found
        return [*said, *walk.path[behind:]]

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        walk, facts = self.walk, self.walk.mover.facts
        return Subject((facts.board.name(walk.here),), (facts.rows[walk.unit].id,))

    def reachable(self, t: Table[Ardennes44], decision: Decision) -> Reachable:
        return reachable(self.walk)
