"""Allied reserves: where they may come on (rules 7.0 to 7.41)."""

from __future__ import annotations

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play
from bulge.core.look import Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, BOX, DINANT, FIRST_DAY, GERMAN, Facts, mask
from bulge.games.enemy_action.movement import GUARDS_BRIGADE
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation, now
from bulge.games.enemy_action.walking import enter

Tab = Table[EnemyActionPosition]
FROM_ENEMY, FROM_ENEMY_AT_EDGE, FROM_ENEMY_STRATEGIC = 3, 2, 5
OF_OWN_UNIT = 3
BRITISH = "XXX"
DELAYED_DAYS = 2


@rule("7.1", "7.11", "7.41")
def entry_hexes(s: Situation, unit: int) -> int:
    """Every hex in which a reserve unit may be placed now, whoever comes with it."""
    return open_to(s.facts.board.all, entry_bars(s, unit))


@rule("7.1", "7.11", "7.4", "7.41", "10.4", "15.22")
def entry_bars(s: Situation, unit: int) -> list[Bar]:
    """What shuts a hex to a reserve unit."""
    facts, p = s.facts, s.p
    corps = facts.corps_of[unit]
    bars = [Bar(s.occupied[GERMAN], "7.1", lambda hex_: f"{facts.name_of(s.stack(hex_)[0])} stands there")]
    if corps == BRITISH and not p.over_meuse:
        bars += _british_bars(s, unit)
    else:
        area = s.lines(ALLIED).heads & facts.corps_area[corps] & ~facts.board.within(p.detachments, 1)
        far = area & _clear_of_enemy(s, FROM_ENEMY_STRATEGIC) if is_strategic(facts, p, unit) else 0
        clear = area & _clear_of_enemy(s, FROM_ENEMY)
        bars += [
            Bar(~facts.corps_area[corps], "7.1", f"it lies outside the area of {corps} Corps"),
            Bar(~s.lines(ALLIED).heads, "7.1", "it is no road hex to which supply runs by road"),
            Bar(facts.board.within(p.detachments, 1), "15.22", "a German detachment is in it or beside it"),
            Bar(~(clear | far), "7.1", "it is too near to a German unit or town"),
            Bar(~(near_own(s, unit, clear) | far), "7.1", _too_far),
        ]
    return [*bars, Bar(lambda hex_: not s.has_room(unit, hex_), "10.4", "the hex is full")]


def _too_far(_: int) -> str:
    return f"it is not within {OF_OWN_UNIT} hexes of its division, failing that its corps, failing that its army"


@rule("7.1", "13.23")
def _clear_of_enemy(s: Situation, far: int) -> int:
    """So far from German towns and units that are not isolated; at the map's edge two hexes suffice."""
    found = s.kept.get(("clear", far))
    if not isinstance(found, int):
        facts, p, board = s.facts, s.p, s.facts.board
        germans = mask({p.where[unit] for unit in s.units_in(-1, GERMAN) if not p.isolated >> unit & 1})
        enemy = germans | p.german_towns
        at_edge = facts.edge & ~board.within(enemy, FROM_ENEMY_AT_EDGE - 1)
        found = s.kept["clear", far] = board.all & ~board.within(enemy, far - 1) | at_edge
    return found


@rule("7.1")
def near_own(s: Situation, unit: int, hexes: int) -> int:
    """Within three hexes of the division; if that cannot be, of the corps; if not, of the army."""
    facts, p = s.facts, s.p
    circles = [
        [mate for mate in facts.allied_units if facts.division_of[mate] == facts.division_of[unit]],
        facts.corps_units[facts.corps_of[unit]],
        facts.army_units[facts.army_of[unit]],
    ]
    for circle in circles:
        here = mask({p.where[mate] for mate in circle if p.where[mate] >= 0})
        if found := hexes & facts.board.within(here, OF_OWN_UNIT):
            return found
    return 0


@rule("7.11")
def is_strategic(facts: Facts, p: EnemyActionPosition, unit: int) -> bool:
    """Marked so, or overdue."""
    return facts.rows[unit].strategic or p.entry[unit] < day_of(p)


@rule("7.4", "7.41")
def _british_bars(s: Situation, unit: int) -> list[Bar]:
    """West or north of the Meuse, two hexes from the enemy, within three of their own; one brigade into Dinant."""
    facts, p, lines = s.facts, s.p, s.lines(ALLIED)
    west = facts.road_hexes & facts.west_of_meuse
    if facts.rows[unit].id == GUARDS_BRIGADE:
        west |= 1 << facts.board.at(DINANT) & ~p.german_towns
    bars = [
        Bar(~west, "7.41", "the British come on in road hexes west or north of the Meuse"),
        Bar(~lines.among(west), "7.41", "it is not in Allied supply"),
        Bar(~_clear_of_enemy(s, FROM_ENEMY_AT_EDGE), "7.41", "it is too near to a German unit or town"),
    ]
    mates = [mate for mate in facts.corps_units[BRITISH] if p.where[mate] >= 0]
    if mates:
        division = [mate for mate in mates if facts.division_of[mate] == facts.division_of[unit]]
        near = facts.board.within(mask({p.where[mate] for mate in division or mates}), OF_OWN_UNIT)
        bars.append(Bar(~near, "7.41", f"it is not within {OF_OWN_UNIT} hexes of its division or corps"))
    return bars


def hexes_for(s: Situation, unit: int) -> int:
    """Where a reserve unit may come on now, with those who came before it."""
    found = s.kept.get(("comes on", unit))
    if not isinstance(found, int):
        found = open_to(s.facts.board.all, [*entry_bars(s, unit), together_bar(s, unit)])
        s.kept["comes on", unit] = found
    return found


@rule("7.2")
def together_bar(s: Situation, unit: int) -> Bar:
    """Units of a division come into one hex; a whole airborne division into two adjacent ones."""
    facts, p = s.facts, s.p
    words = "units of a division that come on together come into one hex, or a full one's neighbour"
    mates = [m for m in members(p.placed) if facts.division_of[m] == facts.division_of[unit] and p.where[m] >= 0]
    if not mates:
        return Bar(0, "7.2", words)
    here = mask({p.where[mate] for mate in mates})
    full = all(not s.has_room(unit, hex_) for hex_ in members(here))
    return Bar(~(facts.board.around(here) if full else here), "7.2", words)


@rule("7.0", "7.1", "7.3")
def deploy_bars(facts: Facts, p: EnemyActionPosition) -> list[Bar]:
    """What shuts a unit to the card, or to the Reserve Phase."""
    s = Situation(facts, p)
    return [
        Bar(mask(facts.german_units), "9.4", "it is a German unit; the rules bring it on"),
        Bar(lambda unit: p.where[unit] >= 0, "7.1", "it is on the map"),
        Bar(lambda unit: p.where[unit] != BOX, "7.0", "it is not in the Reserve Units box"),
        Bar(~p.entering, "7.1", "it does not belong to what comes on now"),
        Bar(lambda unit: not hexes_for(s, unit), "7.1", "no hex is open to it now"),
    ]


class DeployQuestion(Question):
    """Which reserve unit comes on."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        return Option(plain.id, "No more reserves now", role="end") if choice == DONE else plain

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return deploy_bars(self.facts, t.p)


class EntryQuestion(Question):
    """Where a reserve unit comes on."""

    def __init__(self, s: Situation, unit: int) -> None:
        self.s, self.unit = s, unit

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return [*entry_bars(self.s, self.unit), together_bar(self.s, self.unit)]

    def subject(self, t: Tab, decision: Decision) -> Subject:
        return Subject((), self.s.facts.ids([self.unit]))


def deployable(facts: Facts, p: EnemyActionPosition, units: int) -> list[int]:
    s = now(facts, p)
    return [unit for unit in members(units) if p.where[unit] == BOX and hexes_for(s, unit)]


@rule("7.0", "7.1", "7.2")
def allied_deploy(t: Tab, facts: Facts) -> Play:
    """One reserve unit after the other, as many as the card allows and the player wants."""
    yield from _deploy(t, facts, "7.1")
    p = t.p
    if p.to_place and deployable(facts, p, p.entering):
        return "allied_deploy"
    p.entering = p.placed = p.to_place = 0
    return "allied_end"


def _deploy(t: Tab, facts: Facts, number: str) -> Play:
    p = t.p
    units = deployable(facts, p, p.entering) if p.to_place else []
    if not units:
        p.to_place = 0
        return
    options: list[Choice] = [*units, DONE]
    question = DeployQuestion(facts)
    prompt = "Deploy which reserve unit?"
    unit = yield Decision(ALLIED, prompt, options, number, Kind.UNIT, top=True, about=question)
    if unit == DONE:
        p.to_place = 0
        return
    s = Situation(facts, p)
    prompt = f"Where does {facts.name_of(unit)} come on?"
    hexes = members(hexes_for(s, unit))
    hex_ = yield Decision(ALLIED, prompt, hexes, number, Kind.SPACE, about=EntryQuestion(s, unit))
    p.where[unit] = hex_
    p.placed |= 1 << unit
    p.to_place -= 1
    t.say(
        number, f"{facts.name_of(unit)} comes on in {facts.at(hex_)}.", spaces=(hex_,), units=(unit,), kind="move"
    )
    enter(t, facts, unit, hex_)


@rule("7.3")
def delayed_reserves(t: Tab, facts: Facts) -> Play:
    """Units in the box two days after their date may come on without a card."""
    p = t.p
    if day_of(p) >= FIRST_DAY + DELAYED_DAYS:
        if not p.entering:
            waiting = [
                u for u in facts.allied_units if p.where[u] == BOX and p.entry[u] <= day_of(p) - DELAYED_DAYS
            ]
            p.entering, p.to_place, p.placed = mask(waiting), len(waiting), 0
        yield from _deploy(t, facts, "7.3")
        if p.to_place and deployable(facts, p, p.entering):
            return "delayed_reserves"
    p.entering = p.placed = p.to_place = 0
    return "okw_release"
