"""Retreats: by ranked priorities, path by path (rules 17, 20.3 and 21.4)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bulge.core.bars import Bar
from bulge.core.decision import Decision, Kind, Play
from bulge.core.hexes import Sides
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import union
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, GERMAN, other
from bulge.games.ardennes_44.facts import Facts
from bulge.games.ardennes_44.ground import Ground
from bulge.games.ardennes_44.holding import pass_through
from bulge.games.ardennes_44.limits import note_boundaries
from bulge.games.ardennes_44.losses import break_, choose_loss, disrupt, eliminate
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits
from bulge.games.ardennes_44.supply import Supply

MOST_EXTRA = 3
"""How many hexes a crowded unit is led on in search of room (17.4)."""

Path = tuple[int, ...]


@lru_cache(maxsize=256)
def _shut(ground: Ground, blown: int, vehicle: bool) -> Sides:
    """The hexsides that nobody retreats across, or no vehicle: the Meuse where it has no bridge, and the like."""
    meuse = ground.meuse - ground.bridges_standing(blown)
    return meuse | ground.closed_to_vehicles(blown) if vehicle else meuse


class Ways:
    """Every way that a unit may retreat from its hex."""

    @rule("17.1", "17.2")
    def __init__(self, s: Situation, unit: int, *, no_zones: bool = False) -> None:
        facts, p = s.facts, s.p
        self.s, self.unit, self.start = s, unit, p.where[unit]
        self.side = facts.side_of(unit)
        self.vehicle = facts.way[unit] == "vehicle"
        self.barred = s.links(other(self.side)).shut(s.occupied[self.side])
        """By direction, the hexes that an enemy bond closes."""
        fled = p.retreated | 1 << unit
        firm = s.standing.spaces_of(self.side, ~fled)
        self.zone = s.zone(other(self.side)) & ~firm
        """Enemy zones that no friend negates who has not retreated himself."""
        hidden = p.dumps if self.side == GERMAN else 0
        self.open = s.field.hexes & ~s.occupied[other(self.side)] & ~hidden
        self.no_zones = no_zones
        """Not even the first hex may be in an enemy zone (20.4)."""
        self.shut, self.roads = _shut(facts.ground, p.blown, self.vehicle), facts.ground.open_roads(p.blown)

    def onward(self, path: Path) -> list[int]:
        """The hexes that may come next."""
        here, barred, shut = 1 << path[-1], self.barred, self.shut.masks
        open_ = self.open & ~self.zone if len(path) > 1 or self.no_zones else self.open
        return [
            hex_
            for hex_, way in self.s.facts.ground.around(path[-1])
            if open_ & 1 << hex_ and not barred[way] & 1 << hex_ and not shut[way] & here and hex_ not in path
        ]

    def paths(self, length: int) -> list[Path]:
        """Every way of full length, those that end as far off if there are any (17.1, first priority)."""
        return self.all_paths(length, straight=True) or self.all_paths(length)

    def all_paths(self, length: int, *, straight: bool = False) -> list[Path]:
        """Every way of full length, or only those that lead straight off."""
        distance, start = self.s.facts.board.distance, self.start
        found: list[Path] = [(start,)]
        for done in range(1, length + 1):
            found = [
                (*path, hex_)
                for path in found
                for hex_ in self.onward(path)
                if not straight or distance(start, hex_) == done
            ]
        return found

    # ------------------------------------------------------------------ priorities

    @rule("17.1")
    def best(self, length: int) -> list[Path]:
        """The ways that the priorities leave: clear of zones, in supply, within stacking, along roads."""
        paths = self.paths(length)
        if len(paths) < 2:
            return paths
        # Where it was it no longer negates a zone or a bond, so that it is taken away before supply is looked at.
        supplied = Supply(self.s.without(self.unit), self.side).supplied()
        room = {path[-1]: self.has_room(path[-1]) for path in paths}
        ranked = {path: self._rank(path, supplied, room[path[-1]]) for path in paths}
        least = min(ranked.values())
        return [path for path in paths if ranked[path] == least]

    def _rank(self, path: Path, supplied: int, room: bool) -> tuple[int, int, int, int]:
        off_road = 0
        if self.vehicle:
            off_road = sum(not self.roads.between(one, two) for one, two in itertools.pairwise(path))
        return self.zone >> path[1] & 1, 1 - (supplied >> path[-1] & 1), int(not room), off_road

    def has_room(self, hex_: int) -> bool:
        s = self.s
        friends = [unit for unit in s.stack(hex_) if unit != self.unit]
        return not friends or fits(s.facts, s.p.reduced, [*friends, self.unit])


@dataclass(frozen=True, slots=True)
class Retreating(Question):
    """A unit on its retreat, and the ways that are left to it."""

    facts: Facts
    unit: int
    path: Path
    ways: tuple[Path, ...]
    number: str

    def bars(self, t: Table[Ardennes44], decision: Decision) -> Iterator[Bar]:
        facts, p, here = self.facts, t.p, self.path[-1]
        s = Situation(facts, p)
        ways, enemy = Ways(s, self.unit), other(facts.side_of(self.unit))
        yield Bar(~facts.board.next_to(here), "17.1", f"a retreat goes on from {facts.words(here)} hex by hex")
        yield Bar(s.occupied[enemy], "17.2", "enemies are there")
        barred = (to for to, way in facts.ground.around(here) if ways.barred[way] >> to & 1)
        yield Bar(union(barred), "17.2", "an enemy bond closes the way")
        yield Bar(ways.shut.across(1 << here), "17.2", "it cannot cross that hexside")
        yield Bar(ways.zone if len(self.path) > 1 else 0, "17.2", "only the first hex may be in an enemy zone")
        left = union([path[len(self.path)] for path in self.ways])
        if self.number == "20.3":
            yield Bar(~left, "20.3", "it leads into an enemy zone that is closed to it, or to no room")
        yield Bar(~left, "17.1", "another way comes first: distance, enemy zones, supply, stacking, roads in turn")

    def subject(self, t: Table[Ardennes44], decision: Decision) -> Subject:
        return Subject((self.facts.board.name(self.path[-1]),), (self.facts.rows[self.unit].id,))


# ---------------------------------------------------------------------- carrying it out


@rule("17.1", "17.2", "17.3", "17.5", "17.8")
def retreat(t: Table[Ardennes44], facts: Facts, units: list[int], length: int) -> Play:
    """Retreat these units, one after the other; their owner leads them."""
    for unit in units:
        if t.p.where[unit] < 0:
            continue
        t.p.engaged &= ~(1 << unit)
        if reason := forbidden(facts, t.p, unit, length):
            eliminate(t, facts, unit, reason)
            continue
        yield from _retreat_one(t, facts, unit, length)


@rule("17.5", "17.7", "18.3", "18.5", "23.4", "27.1", "32.2")
def forbidden(facts: Facts, p: Ardennes44, unit: int, length: int) -> str:
    """The rule by which a unit is lost rather than retreat so far; empty if it may."""
    bit = 1 << unit
    if facts.dump & bit:
        return "32.2"
    if p.broken & bit:
        return "18.5"
    if facts.guns & bit and facts.side_of(unit) == GERMAN and not p.movers & bit:
        return "17.7"
    if p.joined & bit and not p.breakers:
        return "17.5"
    if length >= 3 and p.unsupplied & bit:
        return "23.4"
    if length >= 3 and p.disrupted & bit:
        return "18.3"
    if length >= 3 and facts.engineers & bit:
        return "27.1"
    return ""


@rule("17.2", "17.4", "18.2")
def _retreat_one(t: Table[Ardennes44], facts: Facts, unit: int, length: int) -> Play:
    """The best way of full length; farther on if that ends crowded; off the map, or lost, if there is none."""
    s = Situation(facts, t.p)
    ways = Ways(s, unit)
    paths, led = ways.best(length), length
    if paths and not ways.has_room(paths[0][-1]):
        for extra in range(1, MOST_EXTRA + 1):
            longer = [path for path in ways.best(length + extra) if ways.has_room(path[-1])]
            if longer:
                paths, led = longer, length + extra
                break
    crowded = not paths or not ways.has_room(paths[0][-1])
    if crowded and facts.side_of(unit) == ALLIED and (edges := edge_hexes(s, ways, length)):
        yield from leave_map(t, facts, unit, edges)
        (disrupt if length == 2 else break_)(t, facts, unit, "18.2")
        return
    if not paths:
        t.say("17.2", f"{facts.rows[unit].name} has nowhere to retreat.", units=(unit,))
        eliminate(t, facts, unit, "17.2")
        return
    path = yield from follow(t, facts, unit, paths, "17.1")
    settle(t, facts, unit, path)
    (disrupt if length == 2 else break_)(t, facts, unit, "18.2")
    if led > length and t.p.disrupted >> unit & 1:
        disrupt(t, facts, unit, "17.4")  # who is led on is Broken, if not already
    yield from lose_excess(t, facts, path[-1])


@rule("8.3", "17.4")
def lose_excess(t: Table[Ardennes44], facts: Facts, hex_: int) -> Play:
    """Steps beyond the stacking limit are lost, by those who retreated there."""
    p = t.p
    while not fits(facts, p.reduced, stack := Situation(facts, p).stack(hex_)):
        fled = [unit for unit in stack if p.retreated >> unit & 1]
        if not fled:  # engineers may stand in a town beyond the limit (13.2.1)
            return
        yield from choose_loss(t, facts, facts.side_of(stack[0]), fled, "17.4", hex_)


def follow(t: Table[Ardennes44], facts: Facts, unit: int, paths: list[Path], number: str) -> Play:
    """The owner chooses among these ways, hex by hex."""
    side, name, path = facts.side_of(unit), facts.rows[unit].name, paths[0][:1]
    while len(path) < len(paths[0]):
        at = len(path)
        nexts = sorted({way[at] for way in paths})
        hex_ = nexts[0]
        if len(nexts) > 1:
            question = Retreating(facts, unit, path, tuple(paths), number)
            prompt = f"Where does {name} retreat? {len(paths[0]) - at} to go"
            hex_ = yield Decision(side, prompt, nexts, number, Kind.SPACE, about=question)
        paths = [way for way in paths if way[at] == hex_]
        path = (*path, hex_)
    return path


@rule("11.10.2", "17.5", "17.7", "25.3.7")
def settle(t: Table[Ardennes44], facts: Facts, unit: int, path: Path) -> None:
    """The unit stands at the end of its way; what it passed is noted."""
    p, bit, side = t.p, 1 << unit, facts.side_of(unit)
    before = Situation(facts, p)
    for hex_ in path[1:]:
        pass_through(t, facts, side, hex_)
    note_boundaries(facts, p, unit, path)
    p.where[unit] = path[-1]
    p.retreated |= bit
    if before.stack(path[-1]):
        p.joined |= bit
    if facts.guns & bit:
        p.fired |= bit
    p.night_marked &= ~bit
    route = " - ".join(facts.board.name(hex_) for hex_ in path)
    t.say("17.1", f"{facts.rows[unit].name} retreats {route}.", spaces=path, units=(unit,))


@rule("11.9.4", "17.6")
def edge_hexes(s: Situation, ways: Ways, length: int) -> list[int]:
    """The hexes of a friendly edge by which a unit that has no other way may retreat off the map."""
    found = {path[-1] for done in range(length) for path in ways.paths(done)}
    return [hex_ for hex_ in sorted(found) if hex_ in s.field.boxes]


def leave_map(t: Table[Ardennes44], facts: Facts, unit: int, edges: list[int]) -> Play:
    """To the box beyond one of these edge hexes."""
    p, hex_ = t.p, edges[0]
    if len(edges) > 1:
        prompt = f"Where does {facts.rows[unit].name} leave the map?"
        hex_ = yield Decision(ALLIED, prompt, edges, "17.6", Kind.SPACE)
    p.where[unit] = facts.field_of(p.scenario).boxes[hex_]
    p.retreated |= 1 << unit
    p.fired |= facts.guns & 1 << unit
    t.say("11.9.4", f"{facts.rows[unit].name} retreats off the map at {facts.words(hex_)}.", units=(unit,))
