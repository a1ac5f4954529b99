"""Setting up: start hexes, set-up cards, Crisis at the Meuse (rules 3.0 and 18)."""

from __future__ import annotations

from bulge.core.decision import Decision, Kind, Play
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.allied_cards import fill_pile, refill_hand
from bulge.games.enemy_action.facts import ALLIED, BOX, DUE, FIRST_DAY, GONE, Facts, mask
from bulge.games.enemy_action.position import EnemyActionPosition, day_of, turn_of
from bulge.games.enemy_action.rows import ChangeRow, ScenarioRow
from bulge.games.enemy_action.situation import Situation

CORPS_WITH_CARDS = ("LXVII", "ISS", "LXVI", "LVIII", "XLVII", "LXXXV", "LXXX")
DEPOTS_TO_CHOOSE = 2
BUELLINGEN = "0706"


@rule("3.0", "18.1", "18.2", "18.3", "18.4", "2.22")
def set_up(facts: Facts, scenario: ScenarioRow) -> EnemyActionPosition:
    """Every unit in its printed hex, or on the calendar; the German pile without primaries and army cards."""
    at = facts.board.at
    where = [at(row.hex) if row.hex else DUE for row in facts.rows]
    for unit, day in enumerate(facts.entry_day):
        if day == FIRST_DAY and where[unit] == DUE and not facts.is_german(unit):
            where[unit] = BOX
    first = facts.german.until(FIRST_DAY)
    held_back = sum(
        1 << card for card in members(first) if facts.german[card].primary or facts.german[card].cv >= 4
    )
    return EnemyActionPosition(
        step="set_up_cards",
        turn=turn_of(scenario.first_day),
        scenario=scenario.id,
        where=where,
        steps=list(facts.full),
        entry=list(facts.entry_day),
        german_towns=facts.german_towns,
        blown=facts.bridges_blown,
        german_bridges=facts.bridges_german,
        depots=1 << at(BUELLINGEN) if scenario.depots else 0,
        objective=[-1, -1, -1],
        facing=["", "", ""],
        table=[0, 0, 0],
        corps_objective=[-1, -1, -1],
        pile=first & ~held_back,
        discards=held_back,
        allied_pile=facts.allied.until(FIRST_DAY) & facts.allied.primary,
        available=facts.allied.until(FIRST_DAY) & ~facts.allied.primary,
        cup=(1 << len(facts.chits)) - 1,
        queue=[],
    )


@rule("18.5")
def set_up_crisis(facts: Facts, scenario: ScenarioRow) -> EnemyActionPosition:
    """Every unit and marker where the scenario puts it; the first German cards are already drawn."""
    board, day = facts.board, scenario.first_day
    p = set_up(facts, scenario)
    p.step = "first_hand"
    for unit, row in enumerate(facts.rows):
        placed = facts.crisis.rows.get(row.id)
        if placed is None:
            p.where[unit] = BOX if p.entry[unit] == day else DUE
            continue
        p.where[unit] = GONE if placed.eliminated else board.at(placed.hex)
        p.steps[unit] = 0 if placed.eliminated else facts.full[unit] - placed.steps_lost
        p.low |= (placed.supply == "low") << unit
        if placed.ip:
            p.positions |= 1 << board.at(placed.hex)
    p.heydte = True
    p.german_towns = board.set_of(scenario.german_towns)
    p.blown, p.german_bridges = facts.crisis_blown, facts.crisis_german
    p.detachments = board.set_of(scenario.detachment_hexes)
    p.depots = board.set_of(scenario.depot_hexes)
    p.objective = [board.at(placed.hex) for placed in scenario.army_objectives]
    p.facing = [placed.facing for placed in scenario.army_objectives]
    p.table = [placed.table for placed in scenario.army_objectives]
    p.corps_objective = [board.at(name) for name in scenario.corps_objectives]
    cards = facts.german
    p.discards = mask(cards.of[name] for name in scenario.german_discards)
    p.command, p.support = cards.of[scenario.german_command], cards.of[scenario.german_support]
    p.pile = cards.until(day) & ~p.discards & ~(1 << p.command | 1 << p.support)
    p.allied_pile = facts.allied.until(day) & facts.allied.primary
    p.available = facts.allied.until(day) & ~facts.allied.primary
    return p


# ---------------------------------------------------------------------- set-up cards (2.33, 3.0)


@rule("2.33", "3.0", "4.11")
def draw_set_up_cards(t: Table[EnemyActionPosition], facts: Facts) -> str:
    """Cards are drawn until every corps has one and some corps three; the last drawn of a corps comes first."""
    cup = list(range(len(facts.set_up_cards)))
    piles: dict[str, list[int]] = {corps: [] for corps in CORPS_WITH_CARDS}
    while cup and not (all(piles.values()) and max(map(len, piles.values())) >= 3):
        card = t.draw(cup)
        piles[facts.set_up_cards[card].corps].insert(0, card)
    for pile in piles.values():
        carry_out(t, facts, pile)
    return "depots"


@rule("3.0")
def carry_out(t: Table[EnemyActionPosition], facts: Facts, pile: list[int]) -> None:
    """The picture of the top card, then note 2 of the next by the top card's letter, then note 3 of the last."""
    rows = [facts.set_up_cards[card] for card in pile]
    top = rows[0]
    _adjust(t, facts, f"{top.id}, picture", top.picture)
    if len(rows) > 1:
        _adjust(t, facts, f"{rows[1].id}, note 2{top.letter}", rows[1].second.get(top.letter, ()))
    if len(rows) > 2:
        _adjust(t, facts, f"{rows[2].id}, note 3", rows[2].third)


def _adjust(t: Table[EnemyActionPosition], facts: Facts, card: str, changes: tuple[ChangeRow, ...]) -> None:
    """A note that finds its unit gone, or the hex taken, has nothing to do."""
    p = t.p
    for change in changes:
        if change.do == "ip":
            hex_ = facts.board.at(change.hex)
            if Situation(facts, p).stack(hex_):
                p.positions |= 1 << hex_
                t.say("3.0", f"Set-up card {card}: improved position in {facts.at(hex_)}.", spaces=(hex_,))
            continue
        unit = facts.unit_of[change.unit]
        if p.where[unit] < 0:
            continue
        t.say("3.0", f"Set-up card {card}: {facts.name_of(unit)} {_words(facts, change)}.", units=(unit,))
        if change.to:
            _shift(t, facts, unit, facts.board.at(change.to))
        elif change.do == "disperse":
            p.dispersed |= 1 << unit
        else:
            p.steps[unit] = 0 if change.do == "eliminate" else p.steps[unit] - 1
            if not p.steps[unit]:
                p.where[unit] = GONE


def _words(facts: Facts, change: ChangeRow) -> str:
    if change.to:
        return f"goes to {facts.at(facts.board.at(change.to))}"
    return {"reduce": "loses a step", "disperse": "is dispersed", "eliminate": "is eliminated"}[change.do]


def _shift(t: Table[EnemyActionPosition], facts: Facts, unit: int, hex_: int) -> None:
    """Into a hex that friends have room in; a German unit owns the town it comes into (14.1)."""
    p = t.p
    s = Situation(facts, p)
    holder = s.side_in(hex_)
    german = facts.is_german(unit)
    if (holder is not None and (holder != ALLIED) != german) or not s.has_room(unit, hex_):
        return
    p.where[unit] = hex_
    if german:
        p.german_towns |= 1 << hex_ & facts.towns


# ---------------------------------------------------------------------- depots and first hands (3.0)


@rule("3.0", "13.52")
def place_depots(t: Table[EnemyActionPosition], facts: Facts) -> Play:
    """One depot lies in Büllingen; the player puts two more in two of the four other depot hexes."""
    p = t.p
    if facts.scenarios[p.scenario].depots:
        for number in range(DEPOTS_TO_CHOOSE):
            prompt = f"Where does fuel depot {number + 2} of 3 lie?"
            free = members(facts.depots & ~p.depots)
            hex_ = yield Decision(ALLIED, prompt, free, "3.0", Kind.SPACE)
            p.depots |= 1 << hex_
            t.say("3.0", f"A fuel depot in {facts.at(hex_)}.", spaces=(hex_,))
    return "first_hand"


@rule("3.0", "5.0", "18.5")
def deal_first_hand(t: Table[EnemyActionPosition], facts: Facts) -> str:
    """The first day's supplementals and hand; the day begins with an Allied impulse, in 18.5 with a German one."""
    fill_pile(t, facts)
    refill_hand(t, facts)
    if day_of(t.p) == FIRST_DAY:
        t.say("4.11", "16 December: the German surprise attack is over; the Allies react.")
        return "allied_impulse"
    return "german_support"
