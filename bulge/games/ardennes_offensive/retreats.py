"""Retreats: the victor moves the loser's units, by ranked priorities (rules 5.3M, 6.7, 7.3, 9.7 and 10.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from bulge.core.bars import Bar, open_to
from bulge.core.decision import Decision, Kind, Play, settle
from bulge.core.question import Barred
from bulge.core.retreat import lowest_by, prefer
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_offensive.at_hand import not_at_hand
from bulge.games.ardennes_offensive.facts import ALLIED, DIVISION, GERMAN, Facts, other
from bulge.games.ardennes_offensive.losses import eliminate
from bulge.games.ardennes_offensive.movement import (
    NO_COLUMN_IN_THE_WALL,
    NOT_OVER_THE_MEUSE,
    closed_ground,
    kept_back,
)
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.situation import Situation

NATIONS = {GERMAN: "Germans", ALLIED: "Allies"}


class Ways:
    """Where a unit can retreat: hex by hex, each one farther from where it started."""

    @rule("6.7M", "7.3C", "10.2")
    def __init__(self, facts: Facts, s: Situation, unit: int, length: int, losers: int = 0) -> None:
        self.facts, self.s, self.unit, self.length = facts, s, unit, length
        self.losers = losers
        """All who retreat from the same battle: they negate no enemy zone for each other, nor push each other."""
        p, board, side = s.p, facts.board, facts.side_of(unit)
        self.start, self.by_road = p.where[unit], bool(p.road >> unit & 1)
        self.roads = facts.roads - s.interdicted(side)
        self.open = open_to(facts.passable, no_refuge(facts, s, unit, losers))
        """Hexes that nothing shuts but perhaps the friends who are there."""
        self.full = s.occupied[side] if self.by_road else s.crowded(facts.size[unit])
        self.refuge = facts.edge & ~s.zones[GERMAN] if side == ALLIED else 0
        """Map edge hexes for an Allied unit that has no other way out (5.3M, 5.3N)."""
        self.rings = [board.ring(1 << self.start, distance) for distance in range(length + 1)]

    def around(self, hex_: int) -> int:
        """The next hexes; for a unit in Road Mode, along the road (6.7M)."""
        return self.roads.across(1 << hex_) if self.by_road else self.facts.board.next_to(hex_)

    def onward(self, hex_: int, done: int) -> int:
        """Hexes that a retreat may pass through after so many hexes."""
        return self.around(hex_) & self.open & ~self.full & self.rings[done + 1]

    # -------------------------------------------------------------- three kinds of way, the best first

    def plain(self, hex_: int, done: int) -> int:
        """Next hexes on a way of full length."""
        found = self.onward(hex_, done)
        if done + 1 == self.length:
            return found
        return union([next_ for next_ in members(found) if self.plain(next_, done + 1)])

    @rule("5.3M", "5.3N", "9.7P")
    def off_the_map(self, hex_: int, done: int) -> int:
        """Next hexes on a way that ends in a map edge hex."""
        found = self.around(hex_) & self.refuge
        if done + 1 < self.length:
            further = members(self.onward(hex_, done))
            found |= union([next_ for next_ in further if self.off_the_map(next_, done + 1)])
        return found

    @rule("6.7M", "10.2")
    def displacing(self, hex_: int, done: int) -> int:
        """Next hexes on a way whose last hex is full, but where friends can be pushed on. Not in Road Mode."""
        if self.by_road:
            return 0
        if done + 1 == self.length:
            last = self.around(hex_) & self.open & self.full & self.rings[self.length]
            return union([next_ for next_ in members(last) if self._can_make_room(next_)])
        found = self.onward(hex_, done)
        return union([next_ for next_ in members(found) if self.displacing(next_, done + 1)])

    def _can_make_room(self, hex_: int) -> bool:
        """Whether enough friends can be pushed out of a hex."""
        s, size = self.s, self.facts.size
        pushed = nexts = 0
        for unit in self.displaceable(s, hex_):
            pushed += size[unit]
            nexts |= self.next_hexes_of_displaced(s, unit)
        room_for_them = sum(s.room(next_) for next_ in members(nexts))
        return min(pushed, room_for_them) + s.room(hex_) >= size[self.unit]

    @rule("7.2B", "7.3D", "10.2")
    def displaceable(self, s: Situation, hex_: int) -> list[int]:
        """Friends who can be pushed out of a hex: none of the beaten, nor the last who keeps an enemy zone off."""
        friends = [unit for unit in s.stack(hex_) if not self.losers >> unit & 1]
        in_zone = s.zones[other(self.facts.side_of(self.unit))] >> hex_ & 1
        if in_zone and (len(friends) < 2 or self.facts.size[self.unit] == DIVISION):
            return []
        return [unit for unit in friends if self.next_hexes_of_displaced(s, unit)]

    def next_hexes_of_displaced(self, s: Situation, unit: int) -> int:
        """Where a friend who is in the way can be pushed: one hex, and on nobody else."""
        ways = Ways(self.facts, s, unit, 1, self.losers)
        return ways.plain(ways.start, 0)


# ---------------------------------------------------------------------- which hexes are shut


@rule("5.2F", "6.7M", "7.3D", "10.2", "11.0", "14.3C")
def no_refuge(facts: Facts, s: Situation, unit: int, losers: int = 0) -> Iterator[Bar]:
    """Hexes that a beaten unit may neither enter nor pass, whoever of its friends is there."""
    side = facts.side_of(unit)
    yield from closed_to_the_beaten(facts, s, side)
    if losers:
        zone = given_up(s, losers) & s.zones[other(side)]
        yield Bar(
            zone, "7.3D", lambda at: f"it lies in an enemy zone, and {s.names_in(1 << at)} must retreat as well"
        )
    if s.p.road >> unit & 1:
        yield Bar(~facts.marched_by(side), *NO_COLUMN_IN_THE_WALL)
    if kept_back(facts, s.p, unit):
        yield Bar(~facts.beyond_meuse, *NOT_OVER_THE_MEUSE)


@rule("5.2F", "6.7M", "7.3D", "10.2")
def closed_to_the_beaten(facts: Facts, s: Situation, side: str) -> Iterator[Bar]:
    """Those of them that are shut to every unit of a side."""
    enemy = other(side)
    yield Bar(s.occupied[enemy], "5.2F", lambda at: f"the enemy is there: {s.names_in(1 << at)}")
    holders = s.occupied[enemy] & ~s.marching[enemy]
    yield Bar(
        s.unnegated(side),
        "7.3D",
        lambda at: (
            f"it lies in the zone of {s.names_in(facts.board.next_to(at) & holders)}, and no friend is there"
        ),
    )
    yield Bar(
        s.marching[side], "6.7M", lambda at: f"{s.names_in(1 << at)} is there in Road Mode and suffers nobody"
    )


@rule("7.3D")
def given_up(s: Situation, losers: int) -> int:
    """The hexes in which nobody is but the beaten: they do not open them to each other."""
    hexes = {s.p.where[unit] for unit in members(losers)}
    return union([hex_ for hex_ in hexes if all(losers >> unit & 1 for unit in s.stack(hex_))])


# ---------------------------------------------------------------------- priorities


@rule("10.2", "E10.2")
def best(ways: Ways, here: int, hexes: int) -> int:
    """The hexes among which the victor may choose: towards supply first, then by the ground, then by crowding."""
    s, facts, side = ways.s, ways.facts, ways.facts.side_of(ways.unit)
    toward = distances(facts, live_sources(facts, s, side))
    away = distances(facts, live_sources(facts, s, other(side)))
    nearer = union([hex_ for hex_ in members(hexes) if toward.get(hex_, 0) < toward.get(here, 0)])
    farther = union([hex_ for hex_ in members(hexes) if away.get(hex_, 0) > away.get(here, 0)])
    return prefer(hexes, nearer & farther, nearer, farther, lowest_by(_ground(ways, here)), lowest_by(_friends(s)))


def live_sources(facts: Facts, s: Situation, side: str) -> int:
    """The road exits that work for a side now; all of them if none does."""
    sources = facts.sources_over(side, s.interdicted(side))
    return sources & ~s.denied(side) or sources


@lru_cache(maxsize=256)
def distances(facts: Facts, sources: int) -> dict[int, int]:
    """How far each hex is from the nearest of these."""
    found: dict[int, int] = {}
    ring, seen, distance = sources, sources, 0
    while ring:
        found.update(dict.fromkeys(members(ring), distance))
        ring = facts.board.around(ring) & ~seen
        seen |= ring
        distance += 1
    return found


@rule("10.2")
def _ground(ways: Ways, here: int) -> Callable[[int], int]:
    """The five kinds of ground, from the road to the river."""
    facts, cut = ways.facts, ways.s.interdicted(ways.facts.side_of(ways.unit))

    def kind(hex_: int) -> int:
        if facts.unbridged.between(here, hex_):
            return 5
        if cut.between(here, hex_):
            return 4
        if facts.fords.between(here, hex_):
            return 3
        if facts.roads.between(here, hex_) or facts.road_hexes >> hex_ & 1:
            return 1
        return 2 if facts.clear >> hex_ & 1 else 3

    return kind


def _friends(s: Situation) -> Callable[[int], int]:
    return lambda hex_: len(s.stack(hex_))


# ---------------------------------------------------------------------- carrying it out


@rule("10.2")
def retreat(
    t: Table[ArdennesPosition], facts: Facts, s: Situation, victor: str, units: list[int], length: int
) -> Play:
    """Retreat these units, one after the other."""
    losers = sum(1 << unit for unit in units)
    for unit in units:
        s = s.now()
        yield from _retreat_one(t, Ways(facts, s, unit, length, losers), victor)


def _retreat_one(t: Table[ArdennesPosition], ways: Ways, victor: str) -> Play:
    """The whole way if there is one; else off the map; else by pushing friends on; else it is lost."""
    for kind in (ways.plain, ways.off_the_map, ways.displacing):
        if kind(ways.start, 0):
            yield from _follow(t, ways, victor, kind)
            return
    t.say("10.2", f"{ways.facts.rows[ways.unit].name} has nowhere to retreat.", units=(ways.unit,))
    eliminate(t, ways.facts, ways.unit, "10.2")


def _follow(t: Table[ArdennesPosition], ways: Ways, victor: str, kind: Callable[[int, int], int]) -> Play:
    p, facts, unit = t.p, ways.facts, ways.unit
    name, bit = facts.rows[unit].name, 1 << unit
    path, led = [ways.start], False
    for done in range(ways.length):
        here = path[-1]
        hexes = members(best(ways, here, kind(here, done)))
        hex_ = yield from _choose(victor, ways, here, done, hexes)
        led |= len(hexes) > 1
        path.append(hex_)
        if facts.edge >> hex_ & 1:
            p.where[unit] = hex_
            p.dormant |= bit
            t.say("5.3M", f"{name} leaves the map at {facts.board.name(hex_)}.", spaces=tuple(path), units=(unit,))
            return
        if ways.full >> hex_ & 1:
            made = yield from _make_room(t, ways, victor, hex_)
            if not made:
                eliminate(t, facts, unit, "10.2")
                return
        p.where[unit] = hex_
    p.retreated |= bit
    if ways.s.loads.get(path[-1]):
        p.joined |= bit
    route = " - ".join(facts.board.name(hex_) for hex_ in path)
    way = f"led by the {NATIONS[victor]}" if led else "the one way that the priorities leave"
    t.say("10.2", f"{name} retreats {route}, {way}.", spaces=tuple(path), units=(unit,))


def _choose(victor: str, ways: Ways, here: int, done: int, hexes: list[int]) -> Play:
    left = ways.length - done
    far = "" if left == 1 else f", {left} hexes to go"
    prompt = f"You lead the beaten: where does {ways.facts.rows[ways.unit].name} retreat{far}?"
    about = Barred(partial(no_next_hex, ways, here, done), [here], [ways.unit])
    return (yield from settle(Decision(victor, prompt, hexes, "10.2", Kind.SPACE, about=about)))


@rule("6.7M", "E9.2F")
def _make_room(t: Table[ArdennesPosition], ways: Ways, victor: str, hex_: int) -> Play:
    """Friends in the last hex are pushed one hex on, by the same priorities, until the unit finds room."""
    p, facts, s = t.p, ways.facts, ways.s.now()
    while s.room(hex_) < facts.size[ways.unit]:
        able = ways.displaceable(s, hex_)
        if not able:
            return False
        prompt = f"Who is pushed out of {facts.map.words(hex_)}?"
        about = Barred(partial(not_pushed, ways, s, hex_), [hex_])
        unit = yield from settle(Decision(victor, prompt, able, "10.2", Kind.UNIT, about=about))
        pushed, name = Ways(facts, s, unit, 1, ways.losers), facts.rows[unit].name
        nexts = members(best(pushed, hex_, pushed.plain(hex_, 0)))
        to = yield from _choose(victor, pushed, hex_, 0, nexts)
        if s.loads.get(to):
            p.joined |= 1 << unit
        p.retreated |= 1 << unit
        p.where[unit] = to
        t.say("10.2", f"{name} is pushed on to {facts.board.name(to)}.", spaces=(hex_, to), units=(unit,))
        s = s.now()
    return True


# ---------------------------------------------------------------------- questions


@rule("6.7M", "8.0", "10.2", "E10.2")
def no_next_hex(ways: Ways, here: int, done: int) -> Iterator[Bar]:
    """Hexes that a beaten unit does not enter next, after so many."""
    yield Bar(1 << here, "10.2", "it must leave the hex")
    yield Bar(~ways.facts.board.next_to(here), "10.2", "a retreat goes from hex to hex")
    yield Bar(~ways.around(here), "6.7M", "in Road Mode it retreats along the road")
    yield from closed_ground(ways.facts)
    yield from no_refuge(ways.facts, ways.s, ways.unit, ways.losers)
    yield Bar(ways.full, "8.0", lambda at: f"there is no room for it beside {ways.s.names_in(1 << at)}")
    yield Bar(~ways.rings[done + 1], "10.2", "each hex of a retreat lies farther from where it began")
    yield Bar(-1, "E10.2", "the priorities of retreats put other hexes first")


@rule("6.7M", "7.3D", "10.2")
def not_pushed(ways: Ways, s: Situation, hex_: int) -> Iterator[Bar]:
    """Units that do not make room in a full hex."""
    facts, side, bar = ways.facts, ways.facts.side_of(ways.unit), ways.facts.roster.bar
    yield from not_at_hand(facts, s.p, side)
    elsewhere = f"is not in {facts.map.words(hex_)}, where room is to be made"
    yield bar(~s.units_in(side, 1 << hex_), "10.2", elsewhere)
    yield bar(ways.losers, "10.2", "was beaten in the same battle")
    yield bar(~union(ways.displaceable(s, hex_)), "10.2", "has no hex to be pushed to")
