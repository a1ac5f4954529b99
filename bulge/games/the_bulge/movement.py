"""Movement: single steps, one unit at a time (rules 6.3 to 6.6, 8.3, 9 and 10)."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import lru_cache, partial

from msgspec.structs import replace

from bulge.core.bars import Bar, shut_by
from bulge.core.compiling import compiled
from bulge.core.decision import Choice, Decision, GameOver, Kind, Option, Play, Refusal, Result, Role
from bulge.core.hexes import Sides
from bulge.core.look import Reachable, Subject
from bulge.core.movement import Limits, Reach, StepCosts, either, points_in_words, reach, too_dear
from bulge.core.question import HEX_BY_HEX, Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.hexes import scene
from bulge.games.hexes.roster import GONE
from bulge.games.the_bulge.facts import ALLIED, GERMAN, MECHANIZED_STEP, POINT, STACK_LIMIT, Facts
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.rows import MOVEMENT_FACTOR as MOVEMENT_FACTOR
from bulge.games.the_bulge.situation import Situation

ENDLESS = 200 * POINT
STOP, EXIT = "stop", "exit"
WORDS: dict[str, tuple[str, Role]] = {STOP: ("stop here", "end"), EXIT: ("leave the map and win", "")}


points = partial(points_in_words, point=POINT)
"""A number of fifths of a movement point as a person writes it: 2, 1/5, 3 2/5."""


# ---------------------------------------------------------------------- what steps cost


@lru_cache(maxsize=1024)
@rule("5.4", "9.5", "9.6", "10.1", "10.2", "10.3", "14.5")
def steps_of(facts: Facts, side: str, first_turn: bool, broken: Sides, vdh: int) -> tuple[StepCosts, StepCosts]:
    """Regular steps: off the road and along it, in any mixture; an interdicted bridge costs as a river.

    And mechanized ones: along roads only, and over no such bridge. Around von der Heydte's men roads do the Allies
    no good, and all else costs double.
    """
    regular = (facts.off_road if side == GERMAN and first_turn else facts.on_road).add(broken, facts.river_toll)
    mechanized = facts.driving.forbid(broken)
    if side == ALLIED and vdh:
        around = facts.board.within(vdh, 1)
        regular = regular.into(around, facts.off_road.add(broken, facts.river_toll).times(around, 2))
        mechanized = mechanized.into(around, StepCosts.by_terrain(facts.board, {}))
    return regular, mechanized


# ---------------------------------------------------------------------- one unit's move


@rule("9.4")
def may_not_enter(s: Situation, unit: int) -> Iterator[Bar]:
    """Hexes that a moving unit may not enter at all."""
    yield Bar(s.occupied[s.facts.enemy_of[unit]], "9.4", lambda hex_: f"{s.who_is_in(hex_)} there")
    own = s.p.where[unit]
    yield from may_not_stand(s, unit, but_for=1 << own if own >= 0 else 0)


@rule("6.5", "9.8")
def may_not_stand(s: Situation, unit: int, but_for: int = 0) -> Iterator[Bar]:
    """Hexes that the Meuse or a full stack shuts to a unit; `but_for` is the hex that it fills itself."""
    if s.facts.british(unit):
        yield Bar(s.facts.beyond_meuse, "9.8", "British units stay west and north of the Meuse")
    crowded = s.crowded(s.facts.sizes[unit]) & ~but_for
    yield Bar(crowded, "6.5", lambda hex_: f"{s.who_is_in(hex_)} there, and two divisions are the most")


@rule("6.10")
def not_together(s: Situation, allies: int) -> Bar:
    """Hexes in which a unit may not stop for the allies who are there."""
    return Bar(allies, "6.10", lambda hex_: f"{s.who_is_in(hex_)} there: US and British never stop together")


@compiled(allow_interpreted_subclasses=True)
class Walk(Question):
    """One unit on its way: where it is, what it has left, and what it may do next."""

    def __init__(self, s: Situation, unit: int, here: int, left: int, by_mech: bool) -> None:
        facts = s.facts
        self.facts, self.situation, self.unit = facts, s, unit
        self.here, self.path = here, [here]
        self.came_from = own = s.p.where[unit]
        """The hex in which it stood when the phase came to it; negative for a reinforcement."""
        self.left = left
        """Fifths of a movement point."""
        self.by_mech = by_mech
        """Still in mechanized movement: once it has moved otherwise, it cannot go back to it (10.3)."""
        self.side = side = facts.side_of(unit)
        alone = 1 << own if own >= 0 and s.loads[own] == facts.sizes[unit] else 0
        self.friends = s.occupied[side] & ~alone
        self.blocked = shut_by(may_not_enter(s, unit))
        self.no_end = s.other_ally(unit)
        """Hexes that it may pass through but not stop in (6.10)."""
        self.enemy_zone = s.zones[facts.enemy_of[unit]]
        self.stacking_cost = 0 if unit == facts.ssp else POINT
        """6.4: one point more to stack and to unstack, but not for Peiper (14.3)."""
        self.not_from_zone_into = self.enemy_zone & facts.not_from_zone_into[unit]
        self._next: dict[int, tuple[int, bool]] = {}
        self._next_at = -1
        self.paratroopers = s.vdh if side == ALLIED else 0
        """The hex of von der Heydte's men, as long as they slow this unit down (14.5)."""
        self.regular, self.mechanized = self._steps(self.paratroopers)

    def _steps(self, paratroopers: int) -> tuple[StepCosts, StepCosts]:
        s = self.situation
        return steps_of(self.facts, self.side, s.p.turn == 1, s.interdicted(self.side), paratroopers)

    # -------------------------------------------------------------- the next step

    def next_steps(self) -> dict[int, tuple[int, bool]]:
        """Every hex that may be entered now: its whole cost, and whether by mechanized movement."""
        if self._next_at != self.here:
            self._next, self._next_at = self._find_next_steps(), self.here
        return self._next

    @rule("6.4", "6.5", "8.3", "8.5", "9.3", "9.4", "10.3")
    def _find_next_steps(self) -> dict[int, tuple[int, bool]]:
        here, left, friends, blocked = self.here, self.left, self.friends, self.blocked
        zone, stacking = self.enemy_zone, self.stacking_cost
        leave = stacking if friends >> here & 1 else 0
        found: dict[int, tuple[int, bool]] = {}
        if self.by_mech:
            closed = blocked | zone
            for to, cost in self.mechanized.from_hex(here):
                if closed >> to & 1:
                    continue
                total = cost + leave + (stacking if friends >> to & 1 else 0)
                if total <= left:
                    found[to] = (total, True)
        if zone >> here & 1:
            leave += POINT
            blocked |= self.not_from_zone_into
        others = friends | blocked | zone
        for to, cost in self.regular.from_hex(here):
            total = cost + leave
            if others >> to & 1:
                if blocked >> to & 1:
                    continue
                if friends >> to & 1:
                    total += stacking
                if zone >> to & 1:
                    total += POINT
            if total <= left and to not in found:
                found[to] = (total, False)
        return found

    def exit_cost(self) -> int:
        """What leaving the map costs here."""
        leave = self.stacking_cost if self.friends >> self.here & 1 else 0
        if self.enemy_zone >> self.here & 1:
            return 2 * POINT + leave
        by_road = self.by_mech and self.facts.edge_roads >> self.here & 1
        return (MECHANIZED_STEP if by_road else POINT) + leave

    @rule("4.2", "9.3", "9.7")
    def why_not_exit(self) -> Refusal | None:
        """What keeps this unit from leaving the map here."""
        if self.side != GERMAN or not self.facts.mechanized[self.unit]:
            return Refusal("9.7", "only German mechanized units may leave the map")
        if not self.facts.exits >> self.here & 1:
            return Refusal("4.2", "the map may be left only between 0110 and 1326")
        if self.exit_cost() <= self.left:
            return None
        return Refusal("9.3", f"it costs more than the {points(self.left)} movement points that are left")

    def step(self, to: int) -> None:
        cost, by_mech = self.next_steps()[to]
        self.left -= cost
        self.by_mech = by_mech
        self.here = to
        self.path.append(to)
        if self.paratroopers >> to & 1:
            self.paratroopers = 0
            self.regular, self.mechanized = self._steps(0)
            self.situation.forget_entries(self.facts.edge_roads)

    def options(self) -> list[Choice]:
        """Hexes to enter next, and the words for stopping and leaving the map."""
        found, here, no_end = self.next_steps(), self.here, self.no_end
        options: list[Choice] = [*found]
        if no_end and no_end & self.facts.board.next_to(here):
            options = [to for to in found if not no_end >> to & 1 or self._leads_on(to)]
        if not no_end >> here & 1:
            options.append(STOP)
        if self.facts.exits >> here & 1 and not self.why_not_exit():
            options.append(EXIT)
        return options

    def _leads_on(self, to: int) -> bool:
        """Whether a unit that may not stop there would find a hex beyond in which it may."""
        ahead = copy(self)
        ahead.path = list(self.path)
        ahead.step(to)
        return bool(ahead.reach().spaces & ~self.no_end)

    # -------------------------------------------------------------- all of it at once

    def reach(self) -> Reach:
        """Everywhere this unit can still go, by the cheapest way: mechanized first, then otherwise.

        Once it has rounded up von der Heydte's men, costs beyond are the usual ones (14.5).
        """
        zone, stacking = self.enemy_zone, ((self.friends, self.stacking_cost),)
        start: dict[int, int] = {0: 1 << self.here}
        before = None
        if self.by_mech:
            limits = Limits(blocked=self.blocked | zone, enter=stacking, leave=stacking)
            before = reach(self.mechanized, self.here, self.left, limits)
            start = {cost: level for cost, level in enumerate(before.levels) if level}
        limits = Limits(
            blocked=self.blocked,
            enter=(*stacking, (zone, POINT)),
            leave=(*stacking, (zone, POINT)),
            bars=((zone, self.not_from_zone_into),),
        )
        found = reach(self.regular, start, self.left, limits, before=before)
        if not self.paratroopers & found.spaces:
            return found
        caught = {found.cost(members(self.paratroopers)[0]): self.paratroopers}
        usual, _ = self._steps(0)
        return either(found, reach(usual, caught, self.left, limits, before=found))

    # -------------------------------------------------------------- in words

    def option(self, t: Table[BulgePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if isinstance(choice, str):
            words, role = WORDS[choice]
            return replace(plain, words=words, role=role)
        cost, by_mech = self.next_steps()[choice]
        words = f"{plain.words} by mechanized movement" if by_mech else plain.words
        return replace(plain, words=words, cost=points(cost))

    def bars(self, t: Table[BulgePosition], decision: Decision) -> Iterator[Bar]:
        facts, s, near = self.facts, self.situation, union(list(self.next_steps()))
        yield Bar(1 << self.here, "9.2", "it is there already")
        yield from may_not_enter(s, self.unit)
        yield not_together(s, self.no_end & near)
        beyond = self.reach().spaces & ~facts.board.next_to(self.here)
        yield Bar(beyond, "9.2", HEX_BY_HEX)
        if self.enemy_zone >> self.here & 1:
            number = "14.7" if facts.rows[self.unit].special == "vak" else "8.3"
            words = "it may not go from one enemy zone straight into another there"
            yield Bar(self.not_from_zone_into & facts.board.next_to(self.here), number, words)
        untiring = copy(self)
        untiring.left = ENDLESS
        all_ways, left = untiring.reach(), points(self.left)
        yield Bar(all_ways.spaces & ~near, "9.3", lambda hex_: too_dear(points(all_ways.cost(hex_)), left))
        yield Bar(~near, "9.4", "no way leads there: the enemy, full hexes and closed ground bar every one")

    def why_not_word(self, t: Table[BulgePosition], decision: Decision, word: str) -> Refusal | None:
        if word == STOP:
            return Refusal("6.10", "US and British units may not stop in the same hex")
        return self.why_not_exit() if word == EXIT else None

    def why_not(self, t: Table[BulgePosition], decision: Decision, asked: str) -> Refusal | None:
        if Kind.UNIT in t.game.meant_by(asked):
            return Refusal("6.3", f"{self.facts.rows[self.unit].name} must finish its move first")
        return None

    def reachable(self, t: Table[BulgePosition], decision: Decision) -> Reachable:
        but = self.no_end | 1 << self.here
        board, left = self.facts.board, f"{points(self.left)} movement points left"
        return scene.reachable(board, self.reach(), points, but=but, first_mode="mechanized", words=left)

    def subject(self, t: Table[BulgePosition], decision: Decision) -> Subject:
        return scene.subject(self.facts.board, self.facts.roster, [self.here], [self.unit])

    def way_to(self, t: Table[BulgePosition], decision: Decision, asked: str) -> list[Choice]:
        """The single steps that lead to a hex farther off, by the cheapest way."""
        board, reach = self.facts.board, self.reach()
        within = board.has(asked) and reach.spaces >> board.at(asked) & 1
        return [*reach.path(board.at(asked))[1:]] if within else []


def enter(t: Table[BulgePosition], facts: Facts, unit: int, hex_: int) -> None:
    """A unit enters a hex: control changes at once (3.3), and von der Heydte is found or relieved (14.5)."""
    p, here, german = t.p, 1 << hex_, unit in facts.german_units
    p.where[unit] = hex_
    p.german = p.german | here if german else p.german & ~here
    if unit == p.disrupted:
        p.where[facts.sses] = hex_
    if p.where[facts.vdh] == hex_ and unit != facts.vdh:
        p.where[facts.vdh] = GONE
        p.paratroops_relieved = german
        met, points = ("relieves", ": one point") if german else ("rounds up", "")
        words = f"{facts.rows[unit].name} {met} von der Heydte's paratroopers{points}."
        t.say("14.5", words, spaces=(hex_,))


def remove(facts: Facts, p: BulgePosition, unit: int) -> None:
    """A unit leaves the game, and the commandos with the unit that they are on (14.4)."""
    p.where[unit] = GONE
    if unit == p.disrupted:
        p.where[facts.sses] = GONE
        p.disrupted = -1


def walk(t: Table[BulgePosition], way: Walk) -> Play:
    """Move one unit, hex by hex, until its owner stops it (9.2)."""
    p, facts, unit, name = t.p, way.facts, way.unit, way.facts.rows[way.unit].name
    prompt = f"Where does {name} go next?"
    while (options := way.options()) != [STOP]:
        choice = yield Decision(way.side, prompt, options, "9.2", Kind.SPACE, about=way)
        if choice == STOP:
            break
        if choice == EXIT:
            p.where[unit] = GONE
            t.say("4.2", f"{name} leaves the map from {facts.board.name(way.here)}.", units=(unit,))
            raise GameOver(Result(GERMAN, f"{name} has broken through: it has left the map.", "4.2"))
        way.step(choice)
        enter(t, facts, unit, choice)
    p.moved |= 1 << unit
    way.situation.note_move(unit, way.came_from)
    t.say_move("9.2", unit, way.path)


@rule("5.4", "10.1", "10.3", "14.4")
def may_drive(s: Situation, unit: int) -> bool:
    """Whether a unit may begin with mechanized movement where it stands."""
    facts = s.facts
    if not facts.mechanized[unit]:
        return False
    here, enemy = 1 << s.p.where[unit], facts.enemy_of[unit]
    if not here & facts.road_hexes or here & s.zones[enemy]:
        return False
    if unit == s.p.disrupted or (enemy == ALLIED and s.p.turn == 1):
        return False
    return s.overland(unit) and (s.p.turn > 1 or s.supplied_to_move(unit))


@rule("2.10", "7.1", "7.6")
def start_of_move(t: Table[BulgePosition], s: Situation, unit: int) -> Walk:
    """A unit on the map begins to move: its supply is judged now, for the whole move; without it, it rolls."""
    row, supplied = s.facts.rows[unit], s.supplied_to_move(unit)
    factor = row.movement if supplied else t.roll("7.6", f"{row.name} is out of supply: the die is its movement")
    return Walk(s, unit, t.p.where[unit], factor * POINT, supplied and may_drive(s, unit))


@rule("6.6")
def remove_excess(t: Table[BulgePosition], s: Situation) -> Play:
    """At the end of every phase and combat the owner of an overstacked hex eliminates units until it is legal."""
    facts = s.facts
    while overstacked := [hex_ for hex_, load in s.loads.items() if load > STACK_LIMIT]:
        units = s.stack(overstacked[0])
        prompt = f"{facts.board.name(overstacked[0])} is overstacked: which unit is eliminated?"
        unit = yield facts.roster.one_of(facts.side_of(units[0]), prompt, units, "6.6", "is not in that hex")
        remove(facts, t.p, unit)
        t.p.steps[unit] = 0
        t.say("6.6", f"{facts.rows[unit].name} is eliminated: too many units in the hex.", units=(unit,))
        s = Situation(facts, t.p)
    return s
