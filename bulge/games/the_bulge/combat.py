"""The combat phases: naming an attack, the answers to it, the die, and what results do (rules 13, 14.2, 15.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview, Role, settle
from bulge.core.question import Barred
from bulge.core.retreat import prefer
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.hexes.attackers import name_attackers
from bulge.games.hexes.roster import GONE
from bulge.games.the_bulge.battle import ARDOR_COLUMNS, Battle, may_not_attack
from bulge.games.the_bulge.facts import ALLIED, DIVISION, GERMAN, Facts, other
from bulge.games.the_bulge.movement import enter, not_together, remove, remove_excess
from bulge.games.the_bulge.phases import AIRLIFT, NO_AIRLIFT, needy, offer_airlift
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation

NO_SUPPORT, FLY, NO_AIR = "no_support", "air_support", "no_air_support"
EVADE, STAND = "retreat_before_combat", "stand"
ARDOR = "ardor"
DECLINE, LOSE_STEP = "hold_the_town", "lose_a_step"
EACH_LOSES_A_STEP = {"AE": "13.16", "DE": "13.20", "BB": "13.21"}
NO_PART = "takes no part in this battle"


@rule("13.1", "13.7")
def combat_phase(t: Table[BulgePosition], facts: Facts, side: str, before_movement: bool) -> Play:
    """Attacks are optional and made one after the other, in any order."""
    p = t.p
    s = Situation(facts, p)
    prompt = "Attack a hex, or end the combat phase"
    role: Role = "end" if before_movement else "end_turn"
    while True:
        options: list[Choice] = [*members(open_to(s.occupied[other(side)], may_not_attack(s, side))), DONE]
        if side == ALLIED and needy(s, facts.allied_units):
            options.append(AIRLIFT)
        about = Barred(partial(may_not_attack, s, side), over="end the phase", role=role, refused=NO_AIRLIFT)
        target = yield Decision(side, prompt, options, "13.1", Kind.SPACE, top=True, about=about)
        if target == DONE:
            break
        if target == AIRLIFT:
            yield from offer_airlift(t, s, facts.allied_units, asked_for=True)
            continue
        battle = Battle(s, side, target, before_movement)
        yield from _name_attackers(battle)
        yield from _support_fire(battle)
        yield from _fight(t, battle)
        s = yield from remove_excess(t, battle.s.now())
    p.attacked = p.defended = p.retreated = 0


@rule("13.4", "13.6")
def _name_attackers(battle: Battle) -> Play:
    """One unit after the other, as many as the attacker likes; the column is asked for before any die."""
    where, near = battle.s.p.where, battle.facts.board.next_to(battle.target)
    able = battle.facts.attackers_of[battle.side]
    beside = union([unit for unit in able if where[unit] >= 0 and near >> where[unit] & 1])
    prompt, bars = f"Who attacks {battle.name}?", battle.may_not_join
    yield from name_attackers(battle, battle.side, beside, bars, prompt=prompt, rule="13.4", confirm=False)


# ---------------------------------------------------------------------- what comes between


class InBattle(Barred):
    """A question in the middle of a battle; it shows the odds with each answer."""

    def __init__(self, battle: Battle, shut: Callable[[], Iterable[Bar]] = tuple) -> None:
        super().__init__(shut, [battle.target], battle.attackers)
        self.battle = battle

    def preview(self, t: Table[BulgePosition], decision: Decision, choice: Choice) -> Preview | None:
        return None if choice == EVADE else _answered(copy(self.battle), choice).odds()


def _answered(battle: Battle, answer: Choice) -> Battle:
    """An answer becomes part of the battle: who fires in support, aircraft, or the column, with ardor or not."""
    columns, (heading, _, ardor) = battle.facts.crt.columns, str(answer).partition(" ")
    if isinstance(answer, int):
        battle.vak = answer
    elif answer == FLY:
        battle.air = True
    elif heading in columns:
        battle.chosen, battle.ardor = columns.index(heading), bool(ardor)
    return battle


def _support_fire(battle: Battle) -> Play:
    """One artillery corps at most may add its factor (14.7)."""
    if vaks := battle.vaks_in_range():
        options: list[Choice] = [*vaks, NO_SUPPORT]
        prompt, about = "Does an artillery corps fire?", InBattle(battle, battle.may_not_fire)
        _answered(battle, (yield Decision(battle.side, prompt, options, "14.7", Kind.UNIT, about=about)))


def _fight(t: Table[BulgePosition], battle: Battle) -> Play:
    s = battle.s
    defenders = s.stack(battle.target)
    # Aerial supply may be committed at any instant: it is offered before the supply of a battle is judged (7.5).
    yield from offer_airlift(t, s, among=battle.attackers if battle.side == ALLIED else defenders)
    t.p.attacked |= union([*battle.attackers, battle.vak])
    t.p.defended |= union(defenders)
    if (yield from _retreats_before_combat(t, battle, defenders)):
        yield from advance(t, battle)
        return
    if battle.automatic():
        corps, by = (battle.facts.roster.list(units) for units in (defenders, battle.attackers))
        words = f"{corps}, alone in {battle.name}, {'is' if len(defenders) == 1 else 'are'} overrun by {by}."
        t.say("14.7", words, spaces=(battle.target,), kind="battle")
        yield from apply_result(t, battle, "DE")
        return
    yield from _air_support(t, battle)
    yield from _choose_column(battle)
    yield from apply_result(t, battle, _roll(t, battle))


@rule("14.2")
def _retreats_before_combat(t: Table[BulgePosition], battle: Battle, defenders: list[int]) -> Play:
    """A supplied US cavalry regiment, alone, may slip away from an attack without supplied mechanized units."""
    s, facts, cavalry = battle.s, battle.facts, defenders[0]
    if len(defenders) != 1 or facts.rows[cavalry].special != "cavalry" or not s.overland(cavalry):
        return False
    if any(facts.mechanized[unit] and s.in_supply(unit) for unit in battle.attackers):
        return False
    if not open_hexes(s, cavalry, battle.target) & ~facts.wall:
        return False
    name = facts.rows[cavalry].name
    prompt = f"{name} is attacked: retreat before combat?"
    if (yield Decision(ALLIED, prompt, [EVADE, STAND], "14.2", about=InBattle(battle))) == STAND:
        return False
    t.say("14.2", f"{name} retreats before combat.", units=(cavalry,))
    yield from retreat(t, s, ALLIED, battle.target, defenders, not_into=facts.wall)
    return True


def _air_support(t: Table[BulgePosition], battle: Battle) -> Play:
    """From Turn 8 the Allied player may fly one marker in any battle (15.1)."""
    if not battle.air_available():
        return
    prompt = f"Fly air support over {battle.name}?"
    if _answered(battle, (yield Decision(ALLIED, prompt, [FLY, NO_AIR], "15.1", about=InBattle(battle)))).air:
        t.p.air_strikes += 1
        t.say("15.1", "Allied aircraft support the battle.", spaces=(battle.target,))


# ---------------------------------------------------------------------- the column and the die


@rule("13.14", "13.23")
def _choose_column(battle: Battle) -> Play:
    """The attacker may take a lower column; a German on the three lowest may swear not to stop at a stall."""
    headings = battle.facts.crt.columns
    options: list[Choice] = []
    for number in range(battle.column(), -1, -1):
        options.append(headings[number])
        if battle.side == GERMAN and number < ARDOR_COLUMNS:
            options.append(f"{headings[number]} {ARDOR}")
    prompt, about = "Roll on which column?", WhichColumn(battle)
    _answered(battle, (yield Decision(battle.side, prompt, options, "13.14", about=about)))


class WhichColumn(InBattle):
    def option(self, t: Table[BulgePosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        words = f"column {str(choice).replace(ARDOR, 'with ardor: a stall is rolled again')}"
        return replace(plain, words=words, role="strike", rolls=True)


@rule("13.8", "13.23")
def _roll(t: Table[BulgePosition], battle: Battle) -> str:
    crt, on, name, by = battle.facts.crt, battle.column(), battle.name, battle.facts.roster.list(battle.attackers)
    while True:
        die = t.roll("13.8", f"attack on {name}, column {crt.columns[on]}")
        result = crt.result(on, die)
        t.say("13.8", f"The attack on {name} by {by} gives {result}.", spaces=(battle.target,))
        if not battle.ardor or result != "AS":
            return result
        t.say("13.23", "National Socialist ardor: the attack goes on.")


# ---------------------------------------------------------------------- what results do


@rule("13.15", "13.16", "13.20")
def apply_result(t: Table[BulgePosition], battle: Battle, result: str) -> Play:
    """Carry out a result of the table at once (13.8)."""
    facts, defenders = battle.facts, battle.s.stack(battle.target)
    if result in EACH_LOSES_A_STEP:
        for unit in battle.attackers if result == "AE" else defenders:
            lose_step(t, facts, unit, EACH_LOSES_A_STEP[result])
    if result == "BB":
        yield from _pay_for_bloodbath(t, battle, len(defenders))
    elif result == "DR":
        yield from _defender_retreat(t, battle, defenders)
    elif result == "AS":
        t.say("13.15", "The attack stalls.")
    yield from advance(t, battle)


def lose_step(t: Table[BulgePosition], facts: Facts, unit: int, number: str) -> None:
    """2.11: a unit is reduced, or eliminated with its last step."""
    p = t.p
    p.steps[unit] -= 1
    if p.steps[unit] == 0:
        remove(facts, p, unit)
    t.say(number, f"{facts.rows[unit].name} is {'reduced' if p.steps[unit] else 'eliminated'}.", units=(unit,))


@rule("13.21")
def _pay_for_bloodbath(t: Table[BulgePosition], battle: Battle, steps: int) -> Play:
    """The attacker loses as many steps as the defender did, from whom he likes."""
    for owed in range(steps, 0, -1):
        alive = [unit for unit in battle.attackers if t.p.where[unit] != GONE]
        if not alive:
            return
        prompt = f"Bloodbath: who loses a step? {owed} to lose"
        unit = yield from settle(battle.facts.roster.one_of(battle.side, prompt, alive, "13.21", NO_PART))
        lose_step(t, battle.facts, unit, "13.21")


# ---------------------------------------------------------------------- where to retreat


@rule("6.10", "9.8", "13.17")
def no_refuge(s: Situation, unit: int, from_: int) -> Iterator[Bar]:
    """Hexes into which a unit may not retreat, whatever room there is."""
    facts, enemy = s.facts, s.facts.enemy_of[unit]
    yield Bar(~facts.board.next_to(from_), "13.17", "a retreat goes one hex")
    yield Bar(s.occupied[enemy], "13.17", lambda hex_: f"{s.who_is_in(hex_)} there")
    zone = s.unnegated(other(enemy))
    yield Bar(zone, "13.17", lambda hex_: f"it lies in {s.whose_zone(enemy, hex_)}, and no friend stands there")
    yield not_together(s, s.other_ally(unit))
    if facts.british(unit):
        yield Bar(facts.beyond_meuse, "9.8", "British units stay west and north of the Meuse")


def refuge(s: Situation, unit: int, from_: int) -> int:
    """The hexes around that nothing shuts to a unit, but perhaps the stack in them."""
    return open_to(s.facts.board.next_to(from_), no_refuge(s, unit, from_))


@rule("13.17")
def open_hexes(s: Situation, unit: int, from_: int) -> int:
    """Where one unit may retreat: no enemy, no unnegated enemy zone, no overstacking, not off the map."""
    return refuge(s, unit, from_) & ~s.crowded(s.facts.sizes[unit])


@rule("13.17")
def towards_supply(s: Situation, side: str, from_: int, hexes: int) -> int:
    """Of these hexes, those nearer than the old one to some working source."""
    to, sources = s.facts.board.distance, members(s.live_sources(side))
    return union(hex_ for hex_ in members(hexes) if any(to(hex_, home) < to(from_, home) for home in sources))


def may_not_retreat(s: Situation, unit: int, from_: int, not_into: int) -> Iterator[Bar]:
    """All that keeps a unit from retreating into a hex."""
    yield from no_refuge(s, unit, from_)
    yield Bar(not_into, "14.2", "cavalry does not retreat before combat into the West Wall")
    crowded = s.crowded(s.facts.sizes[unit])
    yield Bar(crowded, "13.17", lambda hex_: f"{s.who_is_in(hex_)} there: it would be overstacked")
    yield Bar(-1, "13.17", "it is no nearer to a supply source, or has no room for the whole stack")


# ---------------------------------------------------------------------- retreats


@rule("13.18", "13.19")
def _defender_retreat(t: Table[BulgePosition], battle: Battle, defenders: list[int]) -> Play:
    """Retreat, or in a town stay, or elsewhere lose a step instead; with no way out, the worst."""
    s, facts, side, hex_ = battle.s, battle.facts, other(battle.side), battle.target
    in_town = facts.towns >> hex_ & 1
    can_go = any(open_hexes(s, unit, hex_) for unit in defenders)
    choices: list[Choice] = ["retreat"] if can_go else []
    if in_town:
        choices.append(DECLINE)
    elif can_go and sum(t.p.steps[unit] for unit in defenders) > 1:
        choices.append(LOSE_STEP)
    choice: Choice = "retreat"
    if choices not in ([], ["retreat"]):
        number, prompt = "13.18" if in_town else "13.19", f"Retreat from {battle.name}"
        if ways := ways_back(s, side, max(defenders, key=facts.sizes.__getitem__), defenders, hex_):
            prompt += f" to {' or '.join(map(facts.board.name, members(ways)))}"
        choice = yield Decision(side, f"{prompt}?", choices, number)
    if choice == DECLINE:
        t.say("13.18", f"The defenders of {facts.places.get(hex_, 'the town')} refuse to retreat.", spaces=(hex_,))
    elif choice == LOSE_STEP:
        loses = facts.roster.one_of(side, "Who loses the step?", defenders, "13.19", NO_PART)
        lose_step(t, facts, (yield from settle(loses)), "13.19")
    else:
        yield from retreat(t, s, side, hex_, defenders)


@rule("13.17")
def ways_back(
    s: Situation, side: str, unit: int, left: list[int], from_: int, used: int = 0, not_into: int = 0
) -> int:
    """Where a unit retreats: where all that are left find room, where others went, towards supply, if it can."""
    together = s.facts.board.all & ~s.crowded(sum(s.facts.sizes[each] for each in left))
    toward = partial(towards_supply, s, side, from_)
    return prefer(open_hexes(s, unit, from_) & ~not_into, together, used, toward)


@rule("13.17", "14.5")
def retreat(
    t: Table[BulgePosition], s: Situation, side: str, from_: int, units: list[int], *, not_into: int = 0
) -> Play:
    """Move units one hex, all into the same one as far as stacking allows; who cannot go suffers DE in place."""
    p, facts, used = t.p, s.facts, 0
    left = sorted(units, key=lambda u: -facts.sizes[u])
    while left:
        s = s.now()
        unit = yield from _next_to_go(s, side, left, refuge(s, left[0], from_) & ~not_into)
        hexes = members(ways_back(s, side, unit, left, from_, used, not_into))
        left.remove(unit)
        if not hexes:
            t.say("13.17", f"{facts.rows[unit].name} has nowhere to retreat.", units=(unit,))
            lose_step(t, facts, unit, "13.17")
            continue
        prompt = f"Where does {facts.rows[unit].name} retreat?"
        about = Barred(partial(may_not_retreat, s, unit, from_, not_into), [from_], [unit])
        hex_ = yield from settle(Decision(side, prompt, hexes, "13.17", Kind.SPACE, about=about))
        used |= 1 << hex_
        enter(t, facts, unit, hex_)
        p.retreated |= 1 << unit
        t.say("13.17", f"{facts.rows[unit].name} retreats to {facts.board.name(hex_)}.", spaces=(from_, hex_))


def _next_to_go(s: Situation, side: str, left: list[int], hexes: int) -> Play:
    """Where a stack must break up it matters who goes first. As long as all find room, the big ones do."""
    size = s.facts.sizes
    rooms = [s.room(hex_) for hex_ in members(hexes)]
    need, most = sum(size[unit] for unit in left), max(rooms, default=0)
    divisions = sum(size[unit] == DIVISION for unit in left)
    all_fit = need <= sum(rooms) and divisions <= sum(room // DIVISION for room in rooms)
    among = [unit for unit in left if size[unit] <= most and not (all_fit and size[unit] < size[left[0]])]
    if need <= most or len(among) < 2:
        return among[0] if among else left[0]
    prompt = "The stack must break up. Who retreats next?"
    others = "is not there to retreat, finds no room, or goes later"
    return (yield s.facts.roster.one_of(side, prompt, among, "13.17", others))


# ---------------------------------------------------------------------- advance


@rule("6.10", "13.22")
def may_not_advance(battle: Battle, s: Situation) -> Iterator[Bar]:
    """Units that may not go into the hex that they attacked; zones do not matter. Artillery never does."""
    p, facts, target, name = s.p, s.facts, battle.target, s.facts.roster.name
    yield facts.roster.lost(p.where, "2.11")
    yield Bar(~union(battle.attackers), "13.22", lambda unit: f"{name(unit)} did not attack the hex")
    yield Bar(lambda unit: p.where[unit] == target, "13.22", lambda unit: f"{name(unit)} is there already")
    room = s.room(target)
    yield Bar(lambda unit: facts.sizes[unit] > room, "6.5", lambda unit: f"there is no room left for {name(unit)}")
    words = "US and British units never stop together"
    yield Bar(lambda unit: bool(s.other_ally(unit) >> target & 1), "6.10", words)


@rule("13.22")
def advance(t: Table[BulgePosition], battle: Battle) -> Play:
    """If the hex was vacated, attackers may go in, within stacking, whatever the zones."""
    facts = battle.facts
    s = battle.s = battle.s.now()
    if s.occupied[other(battle.side)] >> battle.target & 1:
        return
    nobody = "nobody advances"
    while able := open_to(union(battle.attackers), may_not_advance(battle, s)):
        options: list[Choice] = [*(unit for unit in battle.attackers if able >> unit & 1), DONE]
        prompt = f"Who advances into {battle.name}?"
        about = Barred(partial(may_not_advance, battle, s), spaces=(battle.target,), over=nobody)
        unit = yield Decision(battle.side, prompt, options, "13.22", Kind.UNIT, about=about)
        if unit == DONE:
            return
        enter(t, facts, unit, battle.target)
        s = battle.s = s.now()
        nobody = "nobody else advances"
        t.say("13.22", f"{facts.rows[unit].name} advances.", spaces=(battle.target,), units=(unit,))
