"""German events: when they are possible, and what they do (rules 8.11, 10.8, 13.53, 14.2)."""

from __future__ import annotations

from bulge.core.decision import Choice, Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, DUE, GERMAN, Facts
from bulge.games.enemy_action.position import EnemyActionPosition, day_of
from bulge.games.enemy_action.replacements import can_assign, replace_germans
from bulge.games.enemy_action.rows import holds
from bulge.games.enemy_action.situation import Situation, now
from bulge.games.enemy_action.supply import intact_bridges
from bulge.games.enemy_action.walking import LAST_DAY

Tab = Table[EnemyActionPosition]
DROP_HEXES = ("0408", "0409", "0309", "0509", "0508")
BRITISH_DAY, AIRBORNE_DAY = 22, 18
AIRBORNE = ("82", "101")


@rule("8.1", "8.11")
def is_possible(facts: Facts, p: EnemyActionPosition, event: str) -> bool:
    """An event that would change nothing cannot be carried out: the next command is tried."""
    if not holds(facts.events[event].dates, day_of(p)):
        return False
    if event == "bridge_engineers":
        return bool(_repairs(facts, p) or _new_bridges(facts, p))
    if event == "commandos":
        return bool(p.allied_pile | p.hand)
    if event == "consolidation":
        return bool(can_assign(facts, p, commanded(facts, p)))
    if event == "von_der_heydte":
        return not p.heydte and _drop_hex(facts, p) >= 0
    if event == "allied_command_crisis":
        return bool(_due(facts, p, "XXX", BRITISH_DAY))
    if event == "eisenhower_hesitates":
        return bool(_airborne(facts, p))
    return True


def commanded(facts: Facts, p: EnemyActionPosition) -> list[int]:
    """The units of the formation on the command card; of an army card, all of the army."""
    row = facts.german[p.command]
    if row.level == "army_group":
        return list(facts.german_units)
    return facts.army_units[row.army] if row.level == "army" else facts.german.units(p.command, facts)


def german_event(t: Tab, facts: Facts) -> Play:
    """An event of the command card is the whole command."""
    yield from carry_out_event(t, facts)
    return "german_command_end"


@rule("8.1")
def support_event(t: Tab, facts: Facts) -> Play:
    """After the support card's event the command card still commands."""
    yield from carry_out_event(t, facts)
    return "german_command"


@rule("8.11")
def carry_out_event(t: Tab, facts: Facts) -> Play:
    """Carry out the event at hand."""
    p, event = t.p, t.p.event
    if event == "commandos":
        yield from _commandos(t, facts)
    elif event == "eisenhower_hesitates":
        yield from _hesitate(t, facts)
    else:
        _plain_event(t, facts, event)
    p.event = ""


def _plain_event(t: Tab, facts: Facts, event: str) -> None:
    p = t.p
    row = facts.events[event]
    if event == "bridge_engineers":
        _engineers(t, facts)
        return
    if event == "consolidation":
        replace_germans(t, facts, commanded(facts, p), 1)
        return
    if event == "von_der_heydte":
        p.where[facts.heydte] = hex_ = _drop_hex(facts, p)
        p.heydte = True
        p.detachments &= ~(1 << hex_)
        t.say("12.37", f"Von der Heydte's men land in {facts.at(hex_)}.", spaces=(hex_,), units=(facts.heydte,))
        return
    if event == "allied_command_crisis":
        for unit in _due(facts, p, "XXX", BRITISH_DAY):
            p.entry[unit] += 1
        p.late_cards |= sum(
            1 << c for c in members(facts.allied.due(BRITISH_DAY)) if facts.allied[c].corps == "XXX"
        )
    elif event == "fuel_priority":
        _fuel_priority(t, facts)
    elif event == "ground_freeze":
        p.frozen = True
    elif event == "manteuffel_directs_traffic":
        p.manteuffel = True
    elif event == "fury_of_bastogne":
        p.fury = True
    t.say("8.11", f"{row.title}: {row.words}")


@rule("13.53")
def _fuel_priority(t: Tab, facts: Facts) -> None:
    """No more fuel checks today; a depot marker on today's space moves to the next space without one."""
    p, day = t.p, day_of(t.p)
    p.fuel_checks_over = True
    if p.fuel_days >> day & 1:
        p.fuel_days &= ~(1 << day)
        later = next((d for d in range(day + 1, LAST_DAY + 1) if not p.fuel_days >> d & 1), 0)
        p.fuel_days |= 1 << later if later else 0


def _commandos(t: Tab, facts: Facts) -> Play:
    """A card of the Allied pile is gone; from the hand the player picks it."""
    p = t.p
    if p.allied_pile:
        card = t.draw(members(p.allied_pile))
        p.allied_pile &= ~(1 << card)
    else:
        options: list[Choice] = [*members(p.hand)]
        card = yield Decision(ALLIED, "Commandos: which card do you lose?", options, "8.11", Kind.CARD)
        p.hand &= ~(1 << card)
    p.used |= 1 << card
    t.say("8.11", f"Commandos: the Allies lose {facts.allied[card].title}.")


def _hesitate(t: Tab, facts: Facts) -> Play:
    """The 82nd or the 101st comes a day later."""
    p = t.p
    options = _airborne(facts, p)
    chosen = options[0]
    if len(options) > 1:
        prompt = "Eisenhower hesitates: which airborne division comes a day later?"
        chosen = yield Decision(ALLIED, prompt, options, "8.11")
    for unit in facts.allied_units:
        if facts.rows[unit].division == chosen and p.where[unit] == DUE:
            p.entry[unit] = AIRBORNE_DAY + 1
    t.say("8.11", f"Eisenhower hesitates: the {chosen}st Airborne comes on 19 December." if chosen == "101"
          else f"Eisenhower hesitates: the {chosen}nd Airborne comes on 19 December.")  # fmt: skip


def _airborne(facts: Facts, p: EnemyActionPosition) -> list[str]:
    due = [unit for unit in facts.allied_units if p.where[unit] == DUE and p.entry[unit] == AIRBORNE_DAY]
    return [division for division in AIRBORNE if any(facts.rows[unit].division == division for unit in due)]


def _due(facts: Facts, p: EnemyActionPosition, corps: str, day: int) -> list[int]:
    return [unit for unit in facts.corps_units[corps] if p.where[unit] == DUE and p.entry[unit] == day]


def _drop_hex(facts: Facts, p: EnemyActionPosition) -> int:
    held = Situation(facts, p).occupied[ALLIED] | p.roadblocks
    return next((hex_ for hex_ in map(facts.board.at, DROP_HEXES) if not held >> hex_ & 1), -1)


# ---------------------------------------------------------------------- Bridge Engineers


@rule("13.0", "14.21", "14.22")
def _sites(facts: Facts, p: EnemyActionPosition, sides: int) -> list[int]:
    """River hexsides beside or near a supplied German unit, both banks free of the enemy, one in German supply."""
    s = now(facts, p)
    supplied = sum({1 << p.where[unit] for unit in s.units_in(-1, GERMAN) if s.supplied(unit)})
    near = facts.board.within(supplied, 1)
    closed = s.occupied[ALLIED] | s.zones[ALLIED] & ~s.occupied[GERMAN]
    sides &= facts.rivers_at(near) & ~facts.rivers_at(closed)
    return members(sides & facts.rivers_at(s.lines(GERMAN).among(facts.river_hexes))) if sides else []


def _repairs(facts: Facts, p: EnemyActionPosition) -> list[int]:
    return _sites(facts, p, p.blown)


def _new_bridges(facts: Facts, p: EnemyActionPosition) -> dict[int, int]:
    """Hexsides where a bridge would let German units trace supply that cannot, and how many."""
    s = now(facts, p)
    cut_off = sum(1 << hex_ for hex_ in s.stacks[GERMAN] if not s.traces(GERMAN, hex_))
    if not cut_off:
        return {}
    bare = (1 << len(facts.river_sides)) - 1 & ~intact_bridges(facts, p) & ~p.blown
    found = {}
    for side in _sites(facts, p, bare):
        twin = p.copy()
        twin.built |= 1 << side
        twin.german_bridges |= 1 << side
        again = s.in_other(twin).lines(GERMAN).among(cut_off)
        if again:
            found[side] = len(s.units_in(again, GERMAN))
    return found


def _engineers(t: Tab, facts: Facts) -> None:
    """Repair the bridge of most hold value, else build where most units come into supply."""
    p = t.p
    repairs = _repairs(facts, p)
    if repairs:

        def value(side: int) -> tuple[int, int, str]:
            one, two = facts.river_sides[side]
            hold = max(facts.hold.get(one, 0), facts.hold.get(two, 0))
            return -hold, min(facts.east[one], facts.east[two]), facts.side_words(side)

        side = min(repairs, key=value)
        p.blown &= ~(1 << side)
        word = "repair"
    else:
        gains = _new_bridges(facts, p)
        side = min(
            gains,
            key=lambda at: (
                -gains[at],
                -max(facts.east[hex_] for hex_ in facts.river_sides[at]),
                facts.side_words(at),
            ),
        )
        p.built |= 1 << side
        word = "build"
    p.german_bridges |= 1 << side
    words = f"Bridge Engineers {word} the bridge {facts.side_words(side)}."
    t.say("14.21" if word == "repair" else "14.22", words, spaces=facts.river_sides[side])
