"""Night Turns: which stacks act, and replacements (rule 25)."""

from __future__ import annotations

from functools import lru_cache

from bulge.core.decision import DONE, Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.games.ardennes_44.counters import ALLIED, FOOT, GERMAN, other
from bulge.games.ardennes_44.facts import GONE, POOL, Facts
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.questions import OneOf
from bulge.games.ardennes_44.situation import Situation, enemy_blocks
from bulge.games.ardennes_44.stacking import fits, load_of
from bulge.games.ardennes_44.supply import road_bound

STACKS = 3
NEAR_FRIENDS = 5


# ---------------------------------------------------------------------- marking stacks by day


@rule("25.3.3", "25.3.4")
def may_mark(s: Situation, unit: int) -> bool:
    """Whether the stack of a unit may be given a Night marker now."""
    facts, p = s.facts, s.p
    if p.night or p.turn % 2 or p.where[unit] < 0 or p.night_stacks >= STACKS or p.night_marked >> unit & 1:
        return False
    if p.turn == facts.scenarios[p.scenario].last_turn:
        return False
    return bool(_able(s, unit) >> unit & 1)


def eligible(p: Ardennes44) -> int:
    """Units that may be given a Night marker: Good Order, in supply, not Engaged, not in column."""
    return ~(p.disrupted | p.broken | p.engaged | p.unsupplied | p.columns | p.replaced)


def _able(s: Situation, unit: int) -> int:
    """Those of a unit's stack that a Night marker would cover; in a box, which has no stacks, the unit itself."""
    p, at = s.p, s.p.where[unit]
    able = eligible(p) & ~(p.moved | p.dug | s.facts.dump)
    return able & union(s.stack(at)) if s.facts.on_map(at) else able & 1 << unit


@rule("25.3.3", "25.3.5")
def mark_stack(t: Table[Ardennes44], s: Situation, unit: int) -> None:
    """The whole stack gets a Night marker; it may still spend one point, and may not attack."""
    p, able = t.p, _able(s, unit)
    p.night_marked |= able
    p.night_stacks += 1
    t.say(
        "25.3.3",
        f"Marked for the night in {s.facts.words(p.where[unit])}: {s.facts.names_of(able)}.",
        spaces=(p.where[unit],),
        units=tuple(members(able)),
    )


# ---------------------------------------------------------------------- the first night


@rule("27.5")
def wake_peiper(facts: Facts, p: Ardennes44) -> None:
    """In the first night the four units of Peiper move and fight without a marker, in whatever state they are."""
    if p.turn == 2:
        p.night_marked |= facts.peiper


@rule("27.5", "31.0")
def commandeer(facts: Facts, p: Ardennes44) -> None:
    """Whoever Peiper's units are stacked with after moving may fight beside them, in whatever state; not those who
    have infiltrated."""
    if p.turn != 2:
        return
    hexes = union([p.where[unit] for unit in members(facts.peiper)])
    beside = [unit for unit in facts.units_of[GERMAN] if p.where[unit] >= 0 and hexes >> p.where[unit] & 1]
    p.lent = union(beside) & ~facts.peiper & ~p.night_marked & ~p.infiltrated
    p.night_marked |= p.lent


# ---------------------------------------------------------------------- replacements


@rule("25.2", "25.2.1")
def begin_replacements(facts: Facts, p: Ardennes44, side: str) -> None:
    """The number of the night."""
    row = facts.nights[str(p.turn)]
    p.to_place = row.german_replacements if side == GERMAN else row.allied_replacements
    p.armour_to_place = p.to_place > 1


@rule("25.2.1", "25.2.2", "25.2.4", "27.5")
def replacement_phase(t: Table[Ardennes44], facts: Facts, side: str) -> Play:
    """Reduced units are restored, lost ones brought back on their reduced side. Peiper, who bears no marker, wakes
    only then, and so can be served."""
    p = t.p
    while p.to_place:
        s = Situation(facts, p)
        weak, dead = restorable(s, side), returning(s, side)
        options: list[Choice] = [*weak, *dead, DONE]
        if options == [DONE]:
            break
        question = OneOf(facts, union([*weak, *dead]), "25.2.5", "cannot be given a replacement now")
        kinds = "" if p.armour_to_place else ", for infantry only"
        prompt = f"Replacements left: {p.to_place}{kinds}. Which unit?"
        unit = yield Decision(side, prompt, options, "25.2.1", Kind.UNIT, top=True, about=question)
        if unit == DONE:
            break
        if unit in dead:
            yield from bring_back(t, s, unit)
        else:
            p.reduced &= ~(1 << unit)
            t.say("25.2.2", f"{facts.rows[unit].name} is at full strength.", units=(unit,))
        p.replaced |= 1 << unit
        p.to_place -= 1
        if not facts.infantry >> unit & 1:
            p.armour_to_place = False
    p.to_place = 0
    if side == GERMAN:
        wake_peiper(facts, p)


def replaceable(facts: Facts, p: Ardennes44, side: str) -> int:
    """The units that replacements may serve, by their kind; armour once a night."""
    return _replaceable(facts, side, p.armour_to_place)


@lru_cache(maxsize=16)
@rule("25.2.5")
def _replaceable(facts: Facts, side: str, armour: bool) -> int:

    def serves(unit: int) -> bool:
        row = facts.rows[unit]
        if row.entry in ("pool", "drop") or row.nation == "british" or row.id == "150Pz":
            return False
        if row.nation == "us" and row.type in ("parachute", "glider"):
            return False
        if row.type in FOOT or row.type == "mech_infantry":
            return True
        return (
            armour
            and row.type in ("tank", "tank_nato", "td", "recon", "flak")
            and not (side == GERMAN and row.tq >= 5 and row.type != "flak")
        )

    return sum(1 << unit for unit in facts.units_of[side] if serves(unit))


def restorable(s: Situation, side: str) -> list[int]:
    """Reduced units on the map that may be restored, with room for all of them."""
    facts, p = s.facts, s.p
    units = replaceable(facts, p, side) & p.reduced & eligible(p) & ~p.night_marked & ~p.replaced
    return [
        unit
        for unit in members(units)
        if p.where[unit] >= 0
        and (facts.off_map >> p.where[unit] & 1 or fits(facts, p.reduced & ~(1 << unit), s.stack(p.where[unit])))
    ]


@rule("25.2.2", "25.2.3")
def returning(s: Situation, side: str) -> list[int]:
    """Lost units that can be brought back somewhere."""
    lost = replaceable(s.facts, s.p, side) & s.standing.armies[side].gone
    return [unit for unit in members(lost) if s.p.where[unit] == GONE and places_for(s, unit)]


@rule("25.2.2", "25.2.3")
def places_for(s: Situation, unit: int) -> int:
    """Where a lost unit may return: a large one in place of a remnant, others in a town near its friends."""
    facts, p = s.facts, s.p
    if facts.remnant_of(unit):
        return union([p.where[mate] for mate in remnants_for(s, unit)])
    side, colour = facts.side_of(unit), facts.rows[unit].colour
    load = facts.loads[1][unit]
    key = "places for", side, colour, load, p.reduced, p.german_held, p.blown, enemy_blocks(p, side)
    found = s.worked_out.get(key)
    if found is None:
        hexes = members(_towns_for(s, side, colour))
        found = union([hex_ for hex_ in hexes if load_of(facts, p.reduced, s.stack(hex_)).fits(load)])
        s.worked_out[key] = found
    return found


def _towns_for(s: Situation, side: str, colour: str) -> int:
    """Towns and entry hexes on a road to supply, near friends of this colour; German entry hexes in any case."""
    facts, p = s.facts, s.p
    entries = facts.entries_for[side]
    held = p.german_held if side == GERMAN else ~p.german_held
    towns = (facts.ground.settled | entries) & held & road_bound(s, side) & ~s.occupied[other(side)]
    friends = s.standing.spaces_of(side, facts.of_colour[colour])
    hexes = towns & facts.board.within(friends & s.field.hexes, NEAR_FRIENDS) & ~s.next_to_enemy(side)
    if side == GERMAN:
        hexes |= entries & ~s.zone(ALLIED) & ~s.occupied[ALLIED]
    return hexes & s.field.hexes


def remnants_for(s: Situation, unit: int) -> list[int]:
    """The remnants on the map that a large unit may be built up from."""
    facts, p = s.facts, s.p
    found, able = [], eligible(p) & ~p.night_marked
    for mate in facts.spares.get(facts.remnant_of(unit), ()):
        if facts.on_map(p.where[mate]) and able >> mate & 1:
            stack = [each for each in s.stack(p.where[mate]) if each != mate]
            if fits(facts, p.reduced | 1 << unit, [*stack, unit]):
                found.append(mate)
    return found


def bring_back(t: Table[Ardennes44], s: Situation, unit: int) -> Play:
    """A lost unit returns on its reduced side."""
    p, facts = t.p, s.facts
    hexes = members(places_for(s, unit))
    hex_ = hexes[0]
    if len(hexes) > 1:
        prompt = f"Where does {facts.rows[unit].name} return?"
        hex_ = yield Decision(facts.side_of(unit), prompt, hexes, "25.2.2", Kind.SPACE)
    if facts.remnant_of(unit):
        p.where[next(mate for mate in remnants_for(s, unit) if p.where[mate] == hex_)] = POOL
    p.where[unit] = hex_
    p.reduced |= 1 << unit if facts.rows[unit].steps > 1 else 0
    t.say("25.2.2", f"{facts.rows[unit].name} returns in {facts.words(hex_)}.", spaces=(hex_,), units=(unit,))
