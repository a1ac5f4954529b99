"""Allied reserves: where they may come on (rules 7.0 to 7.41)."""

from __future__ import annotations

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, BOX, DINANT, FIRST_DAY, GERMAN, Facts, mask
from bulge.games.enemy_action.movement import GUARDS_BRIGADE
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.walking import enter

Tab = Table[EnemyActionPosition]
FROM_ENEMY, FROM_ENEMY_AT_EDGE, FROM_ENEMY_STRATEGIC = 3, 2, 5
OF_OWN_UNIT = 3
BRITISH = "XXX"
DELAYED_DAYS = 2


@rule("7.1", "7.11", "7.41")
def entry_hexes(s: Situation, unit: int) -> int:
    """Every hex in which a reserve unit may be placed now."""
    facts, p = s.facts, s.p
    corps = facts.corps_of[unit]
    heads = s.lines(ALLIED).heads
    if corps == BRITISH and not p.over_meuse:
        hexes = _british(s, unit)
    else:
        area = heads & facts.corps_area[corps] & ~facts.board.within(p.detachments, 1)
        hexes = near_own(s, unit, area & _clear_of_enemy(s, FROM_ENEMY))
        if is_strategic(facts, p, unit):
            hexes |= area & _clear_of_enemy(s, FROM_ENEMY_STRATEGIC)
    hexes &= ~s.occupied[GERMAN]
    return sum(1 << hex_ for hex_ in members(hexes) if s.has_room(unit, hex_))


@rule("7.1", "13.23")
def _clear_of_enemy(s: Situation, far: int) -> int:
    """So far from German towns and units that are not isolated; at the map's edge two hexes suffice."""
    facts, p = s.facts, s.p
    germans = mask({p.where[unit] for unit in s.units_in(-1, GERMAN) if not p.isolated >> unit & 1})
    enemy = germans | p.german_towns
    board = facts.board
    return board.all & ~board.within(enemy, far - 1) | facts.edge & ~board.within(enemy, FROM_ENEMY_AT_EDGE - 1)


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
def _british(s: Situation, unit: int) -> int:
    """West or north of the Meuse, two hexes from the enemy, within three of their own; one brigade into Dinant."""
    facts, p = s.facts, s.p
    hexes = s.lines(ALLIED).among(facts.road_hexes & facts.west_of_meuse)
    if facts.short(unit) == GUARDS_BRIGADE:
        hexes |= s.lines(ALLIED).among(1 << facts.board.at(DINANT)) & ~p.german_towns
    hexes &= _clear_of_enemy(s, FROM_ENEMY_AT_EDGE)
    mates = [mate for mate in facts.corps_units[BRITISH] if p.where[mate] >= 0]
    if not mates:
        return hexes
    division = [mate for mate in mates if facts.division_of[mate] == facts.division_of[unit]]
    return hexes & facts.board.within(mask({p.where[mate] for mate in division or mates}), OF_OWN_UNIT)


@rule("7.2")
def hexes_for(s: Situation, unit: int) -> int:
    """Units of a division come into one hex; a whole airborne division into two adjacent ones."""
    facts, p = s.facts, s.p
    together = [
        m for m in members(p.placed) if facts.division_of[m] == facts.division_of[unit] and p.where[m] >= 0
    ]
    hexes = entry_hexes(s, unit)
    if not together:
        return hexes
    here = mask({p.where[mate] for mate in together})
    full = all(not s.has_room(unit, hex_) for hex_ in members(here))
    return hexes & facts.board.around(here) if full else hexes & here


def deployable(facts: Facts, p: EnemyActionPosition, units: int) -> list[int]:
    s = Situation(facts, p)
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
    unit = yield Decision(ALLIED, "Deploy which reserve unit?", options, number, Kind.UNIT, top=True)
    if unit == DONE:
        p.to_place = 0
        return
    hexes = members(hexes_for(Situation(facts, p), unit))
    prompt = f"Where does {facts.name_of(unit)} come on?"
    hex_ = yield Decision(ALLIED, prompt, hexes, number, Kind.SPACE)
    p.where[unit] = hex_
    p.placed |= 1 << unit
    p.to_place -= 1
    t.say(number, f"{facts.name_of(unit)} comes on in {facts.at(hex_)}.", spaces=(hex_,), units=(unit,))
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
