"""Movement phases with their reinforcements, aerial supply, and what comes once a turn (7.5, 7.11, 9, 12, 14)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Refusal
from bulge.core.question import Barred
from bulge.core.rulebook import rule
from bulge.core.spaces import lowest, members, union
from bulge.core.table import Table
from bulge.games.hexes.roster import DUE, GONE
from bulge.games.hexes.situation import within
from bulge.games.the_bulge.facts import AIR_FROM, ALLIED, DIVISION, GERMAN, MECHANIZED_STEP, POINT, Facts
from bulge.games.the_bulge.movement import STOP, Walk, enter, may_not_stand, remove_excess, start_of_move, walk
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

AIRLIFT = "aerial_supply"
WHY_NO_AIRLIFT = f"aerial supply begins on turn {AIR_FROM}, and needs a marker left and a unit that wants it"
NO_AIRLIFT = {AIRLIFT: Refusal("7.5", WHY_NO_AIRLIFT)}
AIRLIFT_MARKERS, MOST_IN_A_HEX = 3, 2
SHORTAGES_FROM = 6
DROP_DISTANCE = 6
MOST_POINTS = 6 * POINT
"""What the fastest units have, and the most that the die gives who is out of supply."""


# ---------------------------------------------------------------------- movement


@rule("6.3", "9.1", "9.2")
def movement_phase(t: Table[BulgePosition], facts: Facts, side: str) -> Play:
    """Units move one at a time, each at most once; reinforcements come on at any time in between (12.2)."""
    p = t.p
    s = Situation(facts, p)
    waiting = [unit for unit in facts.fighters_of[side] if p.where[unit] >= 0 and not p.moved >> unit & 1]
    due, question = waiting_to_arrive(facts, p, side), WhoMoves(s, side)
    prompt = "Move a unit, or end the movement phase"
    while True:
        options: list[Choice] = [*movable(s, side, waiting), *arrivals(s, due), DONE]
        if side == ALLIED and needy(s, facts.allied_units):
            options.append(AIRLIFT)
        unit = yield Decision(side, prompt, options, "9.2", Kind.UNIT, top=True, about=question)
        if unit == DONE:
            break
        if unit == AIRLIFT:
            yield from offer_airlift(t, s, facts.allied_units, asked_for=True)
        elif unit in due:
            due.remove(unit)
            yield from _commit_commandos(t, facts) if unit == facts.sses else bring_on(t, s, unit)
        else:
            waiting.remove(unit)
            yield from walk(t, start_of_move(t, s, unit))
    p.moved = 0
    if side == ALLIED and p.where[facts.sses] >= 0:
        p.where[facts.sses], p.disrupted = GONE, -1
    yield from remove_excess(t, s)


@rule("14.7")
def movable(s: Situation, side: str, units: list[int]) -> list[int]:
    """Those of these units that can move: not artillery out of supply."""
    stuck = s.stranded() if side == GERMAN else []
    return [unit for unit in units if unit not in stuck] if stuck else units


@rule("6.5", "8.3", "9.4")
def hemmed_in(s: Situation, side: str, units: Sequence[Choice]) -> int:
    """Those of these units that can enter no hex, whatever the die; who has a vacant one beside it can."""
    held, vacant = s.occupied[side], s.facts.board.hexes & ~(s.occupied[GERMAN] | s.occupied[ALLIED])
    close = held & ~s.facts.board.around(vacant)
    doubtful = [unit for hex_ in members(close) for unit in s.stack(hex_) if unit in units]
    ways = {unit: Walk(s, unit, s.p.where[unit], MOST_POINTS, False) for unit in doubtful}
    return union([unit for unit, way in ways.items() if way.options() == [STOP]])


class WhoMoves(Barred):
    """Whose turn it is to move, or to come on."""

    def __init__(self, s: Situation, side: str) -> None:
        bars = partial(may_not_move, s, side)
        super().__init__(bars, over="end the phase", role="end_phase", refused=NO_AIRLIFT)
        self.s, self.side = s, side

    def idle(self, t: Table[BulgePosition], decision: Decision) -> int:
        return hemmed_in(self.s, self.side, decision.options)

    def option(self, t: Table[BulgePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, str) or t.p.where[choice] < 0 or self.s.supplied_to_move(choice):
            return super().option(t, decision, choice, plain)
        return replace(plain, words=f"{plain.words}: out of supply, it rolls for its points", rolls=True)


@rule("9.2", "12.3", "12.4", "14.4", "14.5", "14.7")
def may_not_move(s: Situation, side: str) -> Iterator[Bar]:
    """Units that neither move nor come on now."""
    p, facts, rows, roster = s.p, s.facts, s.facts.rows, s.facts.roster
    yield roster.lost(p.where, "2.11")
    yield roster.not_of(side, "5.1")
    early = union([unit for unit, at in enumerate(p.where) if at == DUE and rows[unit].turn > p.turn])
    yield Bar(early, "12.4", lambda unit: f"{rows[unit].name} does not arrive before turn {rows[unit].turn}")
    yield roster.bar(1 << facts.vdh, "14.5", "does not move")
    placed = 1 << facts.sses if p.where[facts.sses] >= 0 else 0
    yield roster.bar(placed, "14.4", "do not move by themselves")
    yield roster.bar(p.moved, "9.2", "has moved already")
    shut_out = union([unit for unit in waiting_to_arrive(facts, p, side) if not may_come_on(s, unit)])
    yield Bar(shut_out, "12.3", lambda unit: f"every road by which {rows[unit].name} could come on is blocked")
    yield roster.bar(union(facts.vaks), "14.7", "is out of supply and cannot move")


# ---------------------------------------------------------------------- reinforcements (12)


@rule("12.4")
def waiting_to_arrive(facts: Facts, p: BulgePosition, side: str) -> list[int]:
    """Reinforcements whose turn has come. They may be held back from turn to turn."""
    where, rows = p.where, facts.rows
    return [unit for unit in facts.reinforcements[side] if where[unit] == DUE and rows[unit].turn <= p.turn]


@rule("12.1")
def arrivals(s: Situation, units: list[int]) -> list[int]:
    """Those of these reinforcements that may come on now; one of each kind is asked for all."""
    kinds = s.facts.entry_kinds
    doubted = {kinds[unit] for unit in units} - s.come_on
    shut_out = {kind for kind in doubted if not may_come_on(s, kind)} if doubted else doubted
    return [unit for unit in units if kinds[unit] not in shut_out] if shut_out else units


# ---------------------------------------------------------------------- where reinforcements come on


@rule("6.5", "9.8", "12.1", "12.3")
def may_not_come_on(s: Situation, unit: int) -> Iterator[Bar]:
    """Hexes by which a reinforcement does not come on: von der Heydte's men and the commandos are enemies, too."""
    facts, enemy = s.facts, s.facts.enemy_of[unit]
    words = "no road leads on there from the side by which it comes"
    yield Bar(~facts.entries[facts.rows[unit].edge], "12.1", words)
    yield Bar(s.occupied[enemy], "12.3", lambda hex_: f"{s.who_is_in(hex_)} there")
    yield Bar(s.zones[enemy], "12.3", lambda hex_: f"it lies in {s.whose_zone(enemy, hex_)}")
    if enemy == GERMAN:
        yield Bar(s.vdh, "12.3", f"{facts.rows[facts.vdh].name} is there")
        yield Bar(union([s.p.where[facts.sses]]), "12.3", f"{facts.rows[facts.sses].name} are there")
    yield from may_not_stand(s, unit)


def may_come_on(s: Situation, unit: int) -> bool:
    """Whether there is an entry hex for a reinforcement; doubtful ones are tried only where there is no other.

    Commandos need no hex but a US unit (14.4).
    """
    if unit == s.facts.sses:
        return any(s.p.where[us] >= 0 for us in s.facts.us_units)
    sure, doubtful = _free_entries(s, unit)
    return bool(sure) or any(_gets_in(s, unit, hex_) for hex_ in members(doubtful))


def _free_entries(s: Situation, unit: int) -> tuple[int, int]:
    """Where neither the enemy nor stacking keeps a reinforcement out: the sure hexes, and the doubtful ones.

    From the doubtful ones it might not get on as it must (6.10), or it could not pay for them (14.5). All this
    changes only with who stands on a road at the map's edge, or once von der Heydte's men are gone.
    """
    kind = s.facts.entry_kinds[unit]
    found = s.entries.get(kind)
    if found is None:
        free = open_to(s.facts.entries[s.facts.rows[unit].edge], may_not_come_on(s, unit))
        doubtful = free & (s.other_ally(unit) | _under_paratroopers(s, unit))
        found = s.entries[kind] = free ^ doubtful, doubtful
        if found[0]:
            s.come_on.add(kind)
    return found


def _under_paratroopers(s: Situation, unit: int) -> int:
    """Hexes that cost this unit double, and in which roads do it no good (14.5)."""
    return 0 if unit in s.facts.german_units else within(s.facts.board, s.vdh, 1)


@rule("12.2", "14.5")
def _entry(s: Situation, unit: int, hex_: int) -> Walk:
    """A reinforcement in its first hex, paid for by road, at the mechanized rate if it can."""
    facts = s.facts
    drives = facts.mechanized[unit]
    cost = MECHANIZED_STEP if drives else POINT
    if _under_paratroopers(s, unit) >> hex_ & 1:
        drives, cost = False, 2 * facts.terrain[facts.terrain_of(hex_)].points * POINT
    return Walk(s, unit, hex_, facts.rows[unit].movement * POINT - cost, drives)


def _gets_in(s: Situation, unit: int, hex_: int) -> bool:
    """Whether a reinforcement could pay for its first hex, and end its move where it may stop (6.10)."""
    way = _entry(s, unit, hex_)
    return way.left >= 0 and bool(way.reach().spaces & ~way.no_end)


def may_not_enter_at(s: Situation, unit: int) -> Iterator[Bar]:
    """All that keeps a reinforcement from coming on by a hex, what it costs included."""
    yield from may_not_come_on(s, unit)
    words = "it could not pay for the hex and end its move where it may stop"
    yield Bar(lambda hex_: not _gets_in(s, unit, hex_), "12.2", words)


@rule("12.2")
def bring_on(t: Table[BulgePosition], s: Situation, unit: int) -> Play:
    """A reinforcement enters and moves on."""
    facts, (sure, doubtful) = s.facts, _free_entries(s, unit)
    hexes = members(sure | union([hex_ for hex_ in members(doubtful) if _gets_in(s, unit, hex_)]))
    side, name = facts.side_of(unit), facts.rows[unit].name
    about = Barred(partial(may_not_enter_at, s, unit), units=[unit])
    hex_ = yield Decision(side, f"Where does {name} come on?", hexes, "12.1", Kind.SPACE, about=about)
    way = _entry(s, unit, hex_)
    enter(t, facts, unit, hex_)
    t.say("12.2", f"{name} enters at {facts.board.name(hex_)}.", spaces=(hex_,), units=(unit,))
    yield from walk(t, way)


# ---------------------------------------------------------------------- commandos (14.4)


@rule("6.9", "14.4")
def _commit_commandos(t: Table[BulgePosition], facts: Facts) -> Play:
    """Steilau's commandos are put on a US unit, which is out of supply for this turn's movement."""
    p = t.p
    units = [unit for unit in facts.us_units if p.where[unit] >= 0]
    prompt = "Which US unit do the commandos disrupt?"
    p.disrupted = unit = yield facts.roster.one_of(GERMAN, prompt, units, "14.4", "is no US unit on the map")
    p.where[facts.sses] = p.where[unit]
    p.moved |= 1 << facts.sses
    t.say("14.4", f"Commandos disrupt {facts.rows[unit].name}.", units=(unit,))


# ---------------------------------------------------------------------- aerial supply (7.5)


@rule("7.5")
def needy(s: Situation, among: Iterable[int]) -> list[int]:
    """Units out of supply that a marker could still supply."""
    p, held = s.p, s.occupied[ALLIED]
    if p.turn < AIR_FROM:
        return []
    fed = s.lines(ALLIED).among(held)
    if fed == held and p.disrupted < 0:
        return []
    short = [unit for unit in among if (at := p.where[unit]) >= 0 and (not fed >> at & 1 or unit == p.disrupted)]
    able = open_to(union(short), may_not_be_lifted(s, among))
    return [unit for unit in short if able >> unit & 1]


def _markers_for(facts: Facts, p: BulgePosition, unit: int) -> list[int]:
    """The markers in the unit's hex with room left for it, and a new one if there may be one more."""
    here, need, used = p.where[unit], facts.sizes[unit], len(p.air_hexes)
    new = used < AIRLIFT_MARKERS and p.air_hexes.count(here) < MOST_IN_A_HEX
    roomy = [marker for marker in range(used) if p.air_hexes[marker] == here and p.air_room[marker] >= need]
    return [*roomy, used] if new else roomy


def may_not_be_lifted(s: Situation, among: Iterable[int]) -> Iterator[Bar]:
    """Units that are not supplied from the air."""
    p, roster, allied = s.p, s.facts.roster, s.occupied[ALLIED]
    yield roster.lost(p.where, "2.11")
    yield roster.not_of(ALLIED, "7.5")
    yield roster.not_come(p.where, "12.1")
    yield roster.bar(~union(among), "7.5", "takes no part in this battle")
    yield roster.bar(p.airlifted, "7.5", "is supplied from the air already")
    fed = roster.within(p.where, s.lines(ALLIED).among(allied)) & ~union([p.disrupted])
    yield roster.bar(fed, "7.5", "is in supply overland")
    markers, name, full = partial(_markers_for, s.facts, p), roster.name, "no marker is left with room for"
    yield Bar(lambda unit: not markers(unit), "7.5", lambda unit: f"{full} {name(unit)}, or its hex has two")


@rule("7.5")
def offer_airlift(t: Table[BulgePosition], s: Situation, among: Iterable[int], *, asked_for: bool = False) -> Play:
    """The Allied player may supply some, all or none of these units; a marker carries one division.

    Who has asked for it supplies at least one, or a player could ask for ever and nothing would happen.
    """
    p, facts = t.p, s.facts
    while units := needy(s, among):
        options: list[Choice] = [*units] if asked_for else [*units, DONE]
        asked_for = False
        about = Barred(partial(may_not_be_lifted, s, among))
        unit = yield Decision(ALLIED, "Supply a unit from the air?", options, "7.5", Kind.UNIT, about=about)
        if unit == DONE:
            return
        marker = _markers_for(facts, p, unit)[0]
        if marker == len(p.air_hexes):
            p.air_hexes.append(p.where[unit])
            p.air_room.append(DIVISION)
        p.air_room[marker] -= facts.sizes[unit]
        p.airlifted |= 1 << unit
        t.say("7.5", f"{facts.rows[unit].name} is supplied from the air.", units=(unit,))


# ---------------------------------------------------------------------- shortages (7.11)


@rule("5.1", "7.11")
def begin_turn(t: Table[BulgePosition]) -> None:
    """From Turn 6 a die says how many German units run dry."""
    t.say("5.1", f"Turn {t.p.turn}, {15 + t.p.turn} December.", kind="turn")
    if t.p.turn >= SHORTAGES_FROM:
        t.p.shortages = t.roll("7.11", "German units that run short of supply")


@rule("5.5", "7.11")
def never_short(facts: Facts, p: BulgePosition) -> Iterator[Bar]:
    """Units that cannot be marked out of supply."""
    roster = facts.roster
    yield roster.lost(p.where, "2.11")
    yield roster.bar(~union(facts.fighters_of[GERMAN]), "7.11", "is no German unit that needs supply")
    yield roster.bar(1 << facts.ssp, "5.5", "is always in supply")
    yield roster.not_come(p.where, "7.11")
    yield roster.bar(p.short, "7.11", "is marked already")


@rule("7.11")
def place_shortages(t: Table[BulgePosition], facts: Facts) -> Play:
    """The Allied player marks German units on the map, one marker a unit."""
    p, about = t.p, Barred(partial(never_short, facts, t.p))
    while p.shortages and (units := members(open_to(facts.sets[GERMAN], never_short(facts, p)))):
        prompt = f"Which German unit is out of supply this turn? {p.shortages} to mark"
        unit = yield Decision(ALLIED, prompt, units, "7.11", Kind.UNIT, top=True, about=about)
        p.short |= 1 << unit
        p.shortages -= 1
        t.say("7.11", f"{facts.rows[unit].name} runs short of supply.", units=(unit,))
    p.shortages = 0


# ---------------------------------------------------------------------- von der Heydte (14.5)


@rule("6.9", "14.5")
def may_not_land(s: Situation) -> Iterator[Bar]:
    """Where the paratroopers do not land."""
    facts, board, german = s.facts, s.facts.board, s.occupied[GERMAN]
    words = "they land neither in a town nor in heavy woods"
    yield Bar(facts.towns | facts.by_terrain["heavy_woods"], "14.5", words)
    yield Bar(s.occupied[ALLIED], "6.9", lambda hex_: f"{s.who_is_in(hex_)} there")

    def too_near(hex_: int) -> str:
        at = lowest(board.nearest(german, 1 << hex_))
        return f"{s.who_is_in(at)} in {board.name(at)}, within {DROP_DISTANCE} hexes"

    yield Bar(board.within(german, DROP_DISTANCE), "14.5", too_near)


@rule("14.5")
def drop_paratroops(t: Table[BulgePosition], facts: Facts) -> Play:
    """At the end of Turn 1."""
    p = t.p
    if p.where[facts.vdh] != DUE:
        return
    s = Situation(facts, p)
    hexes = members(open_to(facts.board.all, may_not_land(s)))
    if not hexes:
        p.where[facts.vdh] = GONE
        t.say("14.5", "There is nowhere for von der Heydte's paratroopers to land.")
        return
    prompt = "Where do von der Heydte's paratroopers land?"
    about = Barred(partial(may_not_land, s))
    hex_ = yield Decision(GERMAN, prompt, hexes, "14.5", Kind.SPACE, top=True, about=about)
    p.where[facts.vdh] = hex_
    t.say("14.5", f"Von der Heydte's paratroopers land in {facts.board.name(hex_)}.", spaces=(hex_,))
