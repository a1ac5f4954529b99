"""An Allied activation: moves, attacks, improved positions (rules 6.0, 10, 12.0, 12.1, 14.31, 15.3)."""

from __future__ import annotations

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview, Refusal
from bulge.core.look import Reachable, Subject
from bulge.core.question import Question
from bulge.core.rulebook import rule
from bulge.core.spaces import members
from bulge.core.table import Table
from bulge.games.enemy_action.facts import ALLIED, GERMAN, Facts, mask
from bulge.games.enemy_action.german_activation import rally, seize_bridges
from bulge.games.enemy_action.losses import remove
from bulge.games.enemy_action.movement import AlliedMoves, allied_moves, may_move, will_clear
from bulge.games.enemy_action.odds import preview
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.situation import Situation
from bulge.games.enemy_action.strengths import defending
from bulge.games.enemy_action.walking import walk

Tab = Table[EnemyActionPosition]
ATTACK, CANCEL = "attack", "cancel"


@rule("6.0", "15.3", "14.2")
def allied_start(t: Tab, facts: Facts) -> str:
    """Detachments beside active units go; bridges beside them change hands."""
    p = t.p
    here = mask({p.where[unit] for unit in members(p.active)})
    gone = p.detachments & facts.board.around(here)
    if gone:
        p.detachments &= ~gone
        words = f"Detachments removed: {', '.join(map(facts.at, members(gone)))}."
        t.say("15.3", words, spaces=tuple(members(gone)))
    seize_bridges(t, facts, ALLIED)
    return "allied_moves"


# ---------------------------------------------------------------------- moves


class MoverQuestion(Question):
    """Which active unit moves."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice != DONE:
            return plain
        full = overfull(Situation(self.facts, t.p))
        words = (
            f"End movement; steps are lost in {', '.join(map(self.facts.at, full))}" if full else "End movement"
        )
        return Option(plain.id, words, role="end")

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return mover_bars(self.facts, t.p)


@rule("10.0", "12.9", "6.0")
def mover_bars(facts: Facts, p: EnemyActionPosition) -> list[Bar]:
    s = Situation(facts, p)
    return [
        Bar(mask(facts.german_units), "4.0", "it is a German unit; the rules move it"),
        Bar(~(p.active | p.scattered), "6.0", "it is not active in this impulse"),
        Bar(p.scattered, "12.9", "it is dispersed: it rallies at the end of the activation and does not move"),
        Bar(p.moved, "10.0", "it has moved already"),
        Bar(lambda unit: not may_move(facts, p, unit), "13.23", "an isolated mechanized unit does not move"),
        Bar(lambda unit: not allied_moves(s, unit).ends, "10.0", "it has nowhere to go"),
    ]


class GoalQuestion(Question):
    """Where an Allied unit goes."""

    def __init__(self, facts: Facts, s: Situation, moves: AlliedMoves) -> None:
        self.facts, self.s, self.moves = facts, s, moves

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        return Option(plain.id, "Another unit", role="back") if choice == CANCEL else plain

    def subject(self, t: Tab, decision: Decision) -> Subject:
        unit = self.moves.unit
        return Subject((self.facts.board.name(t.p.where[unit]),), self.facts.ids([unit]))

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return goal_bars(self.s, self.moves)

    def reachable(self, t: Tab, decision: Decision) -> Reachable:
        board = self.facts.board
        costs, paths, modes = {}, {}, {}
        for hex_ in members(self.moves.ends):
            name, way = board.name(hex_), self.moves.way(hex_)
            plain = self.moves.plain.hexes >> hex_ & 1
            costs[name] = str(self.moves.plain.cost(hex_) if plain else len(way) - 1)
            paths[name] = tuple(board.name(at) for at in way)
            modes[name] = "" if plain else "strategic"
        return Reachable(costs, paths, modes)


@rule("10.0", "10.1", "10.4", "10.6", "10.7")
def goal_bars(s: Situation, moves: AlliedMoves) -> list[Bar]:
    """Why a hex is no end of this move."""
    facts, p, unit = s.facts, s.p, moves.unit
    reached = moves.plain.hexes | (moves.strategic.spaces if moves.strategic else 0)
    return [
        Bar(1 << p.where[unit], "10.0", "it stands there already"),
        Bar(s.occupied[GERMAN], "10.1", lambda hex_: f"{facts.name_of(s.stack(hex_)[0])} stands there"),
        Bar(p.detachments, "10.1", "a German detachment holds it"),
        Bar(~reached, "10.0", "it is out of reach: points, zones of control or rivers do not allow it"),
        Bar(
            lambda hex_: not (s.has_room(unit, hex_) or will_clear(s, unit, hex_)),
            "10.4",
            "three units or six steps are the limit of a hex, and nobody there can still leave it",
        ),
        Bar(~moves.ends, "10.6", "it could not trace supply from there"),
    ]


@rule("6.0", "10.0")
def allied_movement(t: Tab, facts: Facts) -> Play:
    """Active units move one at a time, each once."""
    p = t.p
    units = members(open_to(p.active, mover_bars(facts, p)))
    if units:
        options: list[Choice] = [*units, DONE]
        question = MoverQuestion(facts)
        unit = yield Decision(
            ALLIED, "Move a unit, or end movement", options, "10.0", Kind.UNIT, top=True, about=question
        )
        if isinstance(unit, int):
            s = Situation(facts, p)
            moves = allied_moves(s, unit)
            prompt = f"Where does {facts.name_of(unit)} go?"
            ends: list[Choice] = [*members(moves.ends), CANCEL]
            hex_ = yield Decision(ALLIED, prompt, ends, "10.0", Kind.SPACE, about=GoalQuestion(facts, s, moves))
            if isinstance(hex_, int):
                walk(t, facts, unit, moves.way(hex_), "10.0", "moves")
                p.moved |= 1 << unit
            return "allied_moves"
    return "allied_stacking"


@rule("10.4")
def overfull(s: Situation) -> list[int]:
    """Hexes with more Allied units or steps than a hex holds."""
    return sorted(hex_ for hex_ in s.stacks[ALLIED] if not s.room_for((), hex_))


class CrowdQuestion(Question):
    """Who loses a step in a hex that is too full."""

    def __init__(self, s: Situation, hex_: int) -> None:
        self.s, self.hex = s, hex_

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        words = f"it is not in {self.s.facts.at(self.hex)}, which is over the limit"
        return [Bar(~mask(self.s.stack(self.hex)), "10.4", words)]

    def subject(self, t: Tab, decision: Decision) -> Subject:
        return Subject((self.s.facts.board.name(self.hex),))


@rule("10.4")
def allied_stacking(t: Tab, facts: Facts) -> Play:
    """Once all have moved the limits hold: the player takes off steps until they do."""
    p = t.p
    s = Situation(facts, p)
    full = overfull(s)
    if not full:
        return "allied_attacks" if p.may_attack else "allied_finish"
    hex_ = full[0]
    options: list[Choice] = [*s.stack(hex_)]
    prompt = f"{facts.at(hex_)} is over the limit of three units or six steps: who loses a step?"
    unit = yield Decision(ALLIED, prompt, options, "10.4", Kind.UNIT, top=True, about=CrowdQuestion(s, hex_))
    p.steps[unit] -= 1
    t.say("10.4", f"{facts.name_of(unit)} loses a step ({p.steps[unit]} left).", spaces=(hex_,), units=(unit,))
    if not p.steps[unit]:
        remove(p, unit)
    return "allied_stacking"


# ---------------------------------------------------------------------- attacks


@rule("12.1", "13.22", "2.21")
def able_to_attack(s: Situation, target: int) -> list[int]:
    """Active units beside a target that may attack it."""
    return members(open_to(s.p.active, attacker_bars(s, target, [])))


@rule("12.1", "2.21", "12.74")
def targets(s: Situation) -> list[int]:
    """German hexes that have not been attacked in this activation; a bracketed unit does not attack alone."""
    found = []
    for hex_ in s.stacks[GERMAN]:
        fresh = any(not s.p.defended >> unit & 1 for unit in defending(s, hex_))
        if fresh and any(not s.bracketed(unit) for unit in able_to_attack(s, hex_)):
            found.append(hex_)
    return sorted(found)


@rule("12.0", "12.1", "12.34")
def allied_attacks(t: Tab, facts: Facts) -> Play:
    """The player names a target and who attacks it, as often as he likes."""
    p = t.p
    s = Situation(facts, p)
    open_targets = targets(s)
    if not open_targets:
        return "allied_finish"
    options: list[Choice] = [*open_targets, DONE]
    target = yield Decision(
        ALLIED,
        "Attack a hex, or end combat",
        options,
        "12.0",
        Kind.SPACE,
        top=True,
        about=EndQuestion("End combat"),
    )
    if target == DONE:
        return "allied_finish"
    units = yield from _attackers(s, target)
    if not units:
        return "allied_attacks"
    defenders = mask(defending(s, target))
    wild = int(p.army_card)
    p.battle = Battle(ALLIED, target, mask(units), defenders, wild=wild, was_dispersed=defenders & p.dispersed)
    t.say(
        "12.0",
        f"The Allies attack {facts.at(target)}.",
        spaces=(target,),
        units=tuple(units),
        kind="battle",
        depth=3,
    )
    return "battle_tactics"


class EndQuestion(Question):
    """What can be left as it is."""

    def __init__(self, words: str) -> None:
        self.words = words

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        return Option(plain.id, self.words, role="end") if choice == DONE else plain


class AttackQuestion(Question):
    """Who takes part in an attack, and what it would bring."""

    def __init__(self, s: Situation, target: int, chosen: list[int]) -> None:
        self.s, self.target, self.chosen = s, target, chosen

    def option(self, t: Tab, decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice == ATTACK:
            return replace(plain, words="Attack with these units", role="strike", has_preview=True)
        return Option(plain.id, "No attack on this hex", role="back") if choice == CANCEL else plain

    def bars(self, t: Tab, decision: Decision) -> list[Bar]:
        return attacker_bars(self.s, self.target, self.chosen)

    def why_not_word(self, t: Tab, decision: Decision, word: str) -> Refusal | None:
        if word == ATTACK:
            return Refusal("2.21", "a unit without brackets must take part: others do not attack on their own")
        return None

    def preview(self, t: Tab, decision: Decision, choice: Choice) -> Preview | None:
        units = [*self.chosen, choice] if isinstance(choice, int) else self.chosen
        if not units or choice == CANCEL:
            return None
        return preview(self.s, Battle(ALLIED, self.target, mask(units), mask(defending(self.s, self.target))))

    def subject(self, t: Tab, decision: Decision) -> Subject:
        facts = self.s.facts
        return Subject((facts.board.name(self.target),), facts.ids(self.chosen))


@rule("12.1", "12.9", "13.22", "13.23")
def attacker_bars(s: Situation, target: int, chosen: list[int]) -> list[Bar]:
    """Why a unit cannot join the attack on a hex."""
    p = s.p
    beside = mask(s.units_in(s.facts.board.next_to(target), ALLIED))
    return [
        Bar(mask(s.facts.german_units), "12.1", "it is a German unit"),
        Bar(mask(chosen), "12.1", "it takes part already"),
        Bar(~beside, "12.1", "it is not next to the target"),
        Bar(p.attacked, "12.1", "it has attacked in this activation"),
        Bar(p.dispersed, "12.9", "it is dispersed"),
        Bar(p.out, "13.22", "it is out of supply"),
        Bar(p.isolated, "13.23", "it is isolated"),
        Bar(~p.active, "12.1", "it is not active"),
    ]


def _attackers(s: Situation, target: int) -> Play:
    """Units join one by one."""
    able = able_to_attack(s, target)
    chosen: list[int] = []
    while True:
        options: list[Choice] = [unit for unit in able if unit not in chosen]
        if any(not s.bracketed(unit) for unit in chosen):
            options.append(ATTACK)
        options.append(CANCEL)
        prompt = f"Who attacks {s.facts.at(target)}?"
        question = AttackQuestion(s, target, list(chosen))
        unit = yield Decision(ALLIED, prompt, options, "12.1", Kind.UNIT, about=question)
        if unit == ATTACK:
            return chosen
        if unit == CANCEL:
            return []
        chosen.append(unit)


# ---------------------------------------------------------------------- the end


@rule("14.31", "14.32", "12.9")
def position_hexes(facts: Facts, p: EnemyActionPosition) -> int:
    """Hexes of active units that did nothing: in supply or low supply, not dispersed, not in towns."""
    bad = p.moved | p.attacked | p.dispersed | p.out | p.isolated
    here = mask({p.where[unit] for unit in members(p.active & ~bad) if p.where[unit] >= 0})
    return here & ~facts.towns & ~p.positions


@rule("6.0", "14.31", "14.33")
def allied_finish(t: Tab, facts: Facts) -> Play:
    """Improved positions where the player wants them; then dispersed units of the formation rally."""
    p = t.p
    hexes = members(position_hexes(facts, p)) if p.may_attack or p.active else []
    if hexes:
        options: list[Choice] = [*hexes, DONE]
        hex_ = yield Decision(
            ALLIED,
            "Build an improved position?",
            options,
            "14.31",
            Kind.SPACE,
            top=True,
            about=EndQuestion("Dig no more"),
        )
        if isinstance(hex_, int):
            p.positions |= 1 << hex_
            t.say("14.31", f"An improved position in {facts.at(hex_)}.", spaces=(hex_,))
            return "allied_finish"
    rally(t, facts)
    p.active = 0
    return "allied_end"
