"""A unit moves, hex by hex; and what its owner is asked and told on the way (rules 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from bulge.core.bars import Bar, refusal
from bulge.core.decision import Choice, Decision, Kind, Option, Play, Refusal
from bulge.core.look import Reachable, Subject
from bulge.core.movement import points_in_words, too_dear
from bulge.core.question import HEX_BY_HEX, Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.ardennes_offensive.facts import POINT, Facts
from bulge.games.ardennes_offensive.movement import (
    LEAVE_ROAD,
    STOP,
    TAKE_ROAD,
    Walk,
    closed_ground,
    no_entry,
    no_march,
)
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.routes import Routes

WORDS = {STOP: "stop here", TAKE_ROAD: "enter Road Mode", LEAVE_ROAD: "leave Road Mode"}


@rule("5.0", "5.1A", "5.1C", "5.1E", "8.1B", "8.3E")
def walk(t: Table[ArdennesPosition], facts: Facts, way: Walk) -> Play:
    """Move one unit, hex by hex, until its owner stops it."""
    p, unit, name = t.p, way.unit, facts.rows[way.unit].name
    bit = 1 << unit
    where_to, held = f"Where does {name} go next?", f"{name} can enter no hex from here. Change its mode?"
    options = way.options()
    if options == [STOP] and p.where[unit] == way.came_from and t.keeps_log:
        t.say("5.0", f"{name} can go nowhere now.", units=(unit,))
    question = WhereNext(way)
    while options != [STOP]:
        prompt = where_to if way.next_steps() else held
        choice = yield Decision(way.side, prompt, options, "5.0", Kind.SPACE, about=question)
        if choice == STOP:
            break
        if isinstance(choice, str):
            way.change_mode()
            p.road ^= bit
            t.say("6.3C", f"{name} {'enters' if way.by_road else 'leaves'} Road Mode.", units=(unit,))
        else:
            way.step(choice)
            p.where[unit] = choice
            p.dormant &= ~bit
        options = way.options()
    p.moved |= bit
    way.situation.note_move(unit, way.came_from)
    t.say_move("5.0", unit, way.path, kind="move")


class WhereNext(Question):
    """The next hex of a unit on its way, a change of mode, or the end of its move."""

    __slots__ = ("way",)

    def __init__(self, way: Walk) -> None:
        self.way = way

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, int):
            return replace(plain, cost=point_words(self.way.next_steps()[choice]))
        return replace(
            plain, words=WORDS[choice], cost=None if choice == STOP else point_words(self.way.mode_toll)
        )

    @rule("5.0", "5.2J", "6.5F", "7.1A")
    def bars(self, t: Table[ArdennesPosition], decision: Decision) -> Iterator[Bar]:
        way = self.way
        facts, here = way.facts, 1 << way.here
        yield Bar(here, "5.0", "it is there already")
        if way.bound:
            yield Bar(-1, "7.1A", "it is in an enemy zone that no friend negates: it may not leave")
        yield from closed_ground(facts)
        yield from no_march(way) if way.by_road else no_entry(way)
        beside = facts.board.around(here)
        if way.by_road:
            yield Bar(beside & ~facts.roads.across(here), "6.5F", "in Road Mode it keeps to the road")
            cut = way.situation.interdicted(way.side).of(here).across(here)
            yield Bar(cut, "6.5F", "the bridge is interdicted")
        left, within = point_words(way.left), way.reach().spaces
        yield Bar(within & ~beside, "5.0", HEX_BY_HEX)
        all_ways = way.untiring().reach()
        dear = all_ways.spaces & ~within
        yield Bar(dear, "5.2J", lambda hex_: too_dear(point_words(all_ways.cost(hex_)), left))
        yield Bar(
            ~all_ways.spaces, "7.1A", "no way leads there: enemies, their zones and full hexes bar every one"
        )
        yield Bar(-1, "5.2J", f"only in another mode do the {left} movement points reach it")

    def why_not_word(self, t: Table[ArdennesPosition], decision: Decision, word: str) -> Refusal | None:
        return _why_not_change(self.way, word) if word in WORDS else None

    def why_not(self, t: Table[ArdennesPosition], decision: Decision, asked: str) -> Refusal | None:
        if any(row.id == asked for row in self.way.facts.rows):
            name = self.way.facts.rows[self.way.unit].name
            return Refusal("5.1E", f"{name} is on its way, and must finish its move first")
        return None

    def reachable(self, t: Table[ArdennesPosition], decision: Decision) -> Reachable:
        """Everywhere that the unit can stop, what it costs, and whether it gets there in Road Mode."""
        way = self.way
        name = way.facts.board.name
        costs: dict[str, str] = {}
        paths: dict[str, tuple[str, ...]] = {}
        modes: dict[str, str] = {}
        seen = 1 << way.here
        routes = way.reach()
        for changes, flood in enumerate(routes.floods):
            for cost, level in enumerate(flood.levels):
                for hex_ in members(level & ~seen):
                    costs[name(hex_)] = point_words(cost)
                    paths[name(hex_)] = tuple(name(step) for step in flood.path(hex_))
                    if routes.marches_in(changes):
                        modes[name(hex_)] = "in Road Mode"
            seen |= flood.spaces
        joined = way.facts.board.names_of(seen & way.friends)
        notes = dict.fromkeys(joined, f"{point_words(way.stacking_toll)} of it to join a stack")
        return Reachable(costs, paths, modes, notes, what_is_left(way))

    def reach(self) -> Routes:
        """The same for computer players."""
        return self.way.reach()

    def subject(self, t: Table[ArdennesPosition], decision: Decision) -> Subject:
        facts = self.way.facts
        return Subject((facts.board.name(self.way.here),), (facts.rows[self.way.unit].id,))

    def way_to(self, t: Table[ArdennesPosition], decision: Decision, asked: str) -> list[Choice]:
        board = self.way.facts.board
        return self.way.way_to(board.at(asked)) if board.has(asked) else []


@rule("6.3C", "6.7N", "7.1A")
def _why_not_change(way: Walk, asked: str) -> Refusal | None:
    """Why a unit may not stop, or not change its mode, where it is."""
    if asked == STOP or (way.must_go and asked == LEAVE_ROAD):
        return Refusal(
            "6.7N", "it is next to a friend on the road, one of them in Road Mode: it must go elsewhere"
        )
    if (asked == TAKE_ROAD) == way.by_road:
        return Refusal("6.3C", "it is in that mode already")
    if len(way.path) > 1 and way.bound:
        return Refusal("7.1A", "it has come into an enemy zone, and its move is over")
    if asked == LEAVE_ROAD or way.left < way.mode_toll:
        return Refusal("6.3C", f"that costs {point_words(way.mode_toll)} points, and it has fewer left")
    if not way.facts.road_hexes >> way.here & 1:
        return Refusal("6.3C", "it is not on a road")
    return refusal(no_march(way), way.here)


def what_is_left(way: Walk) -> str:
    """The points of a unit on its way, what it must pay first, and why it cannot change its mode."""
    said = [f"{point_words(way.left)} movement points left"]
    if way.by_road:
        said.append("in Road Mode")
    elif way.friends >> way.here & 1:
        said.append(f"{point_words(way.stacking_toll)} to leave the stack")
    change = LEAVE_ROAD if way.by_road else TAKE_ROAD
    if len(way.path) == 1 and change not in way.options() and (why := _why_not_change(way, change)):
        said.append(f"cannot {WORDS[change]}: {why.words}")
    return "; ".join(said)


def point_words(tenths: int) -> str:
    """A number of movement points as a person writes it: 2, 1/2, 3 7/10."""
    return points_in_words(tenths, POINT)
