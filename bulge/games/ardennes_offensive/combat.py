"""The combat phases: naming an attack, the choices before the die, and the die (rules 9, 10.0 and 11.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.decision import DONE, Choice, Decision, Kind, Option, Play, Preview, Refusal, Together
from bulge.core.look import Subject
from bulge.core.question import Barred, Question, all_units
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.core.table import Table
from bulge.core.tables import ResultsTable
from bulge.games.ardennes_offensive.at_hand import not_at_hand
from bulge.games.ardennes_offensive.battle import (
    Battle,
    able,
    columns_to_choose,
    hexes_of,
    may_not_join,
    may_stand,
    no_addition,
    no_target,
    preview,
    table_for,
    targets,
)
from bulge.games.ardennes_offensive.facts import GERMAN, Facts, other
from bulge.games.ardennes_offensive.first_turn import Duties
from bulge.games.ardennes_offensive.position import ArdennesPosition
from bulge.games.ardennes_offensive.results import apply_result
from bulge.games.ardennes_offensive.situation import Situation
from bulge.games.hexes.attackers import ALL_WHO_MAY

ATTACK, ROLL = "attack", "roll"
ALL_MUST_FIGHT = {DONE: Refusal("E4.2", "on the first turn every American next to a German must be attacked")}


@rule("9.0", "9.1B", "4.2")
def combat_phase(t: Table[ArdennesPosition], facts: Facts, side: str) -> Play:
    """Attacks are optional, but for the Germans on the first turn, and made one after the other."""
    p = t.p
    s = Situation(facts, p)
    while open_ := targets(facts, s, side):
        duties = Duties(facts, s) if side == GERMAN and p.turn == 1 else None
        options: list[Choice] = [*members(open_)]
        prompt = "Attack a hex, or end the combat phase"
        if duties is None:
            options.append(DONE)
        else:
            prompt = f"Attack a hex: on the first turn {duties} must still fight"
        about = Barred(partial(no_target, facts, s, side), over="end the phase", refused=ALL_MUST_FIGHT)
        target = yield Decision(side, prompt, options, "9.0", Kind.SPACE, top=True, about=about)
        if target == DONE:
            break
        battle = Battle(side, [target])
        yield from _add_hexes(facts, s, battle, duties)
        yield from _name_attackers(facts, s, battle, duties)
        yield from _fight(t, facts, s, battle)
        s = s.now()
    p.defended = p.retreated = p.joined = 0


@dataclass(frozen=True, slots=True)
class AboutABattle(Question):
    """A question in the course of one attack."""

    facts: Facts
    s: Situation
    battle: Battle
    duties: Duties | None = None

    def preview(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice) -> Preview | None:
        """The attack as it would be with this choice."""
        battle = self.battle
        seen = Battle(battle.side, [*battle.targets], [*battle.attackers], battle.chosen)
        self.choose(seen, choice)
        return preview(self.facts, self.s, seen) if seen.attackers else None

    def choose(self, battle: Battle, choice: Choice) -> None:
        """Make the choice, on paper."""

    def subject(self, t: Table[ArdennesPosition], decision: Decision) -> Subject:
        targets_ = tuple(self.facts.board.name(hex_) for hex_ in self.battle.targets)
        return Subject(targets_, tuple(self.facts.rows[unit].id for unit in self.battle.attackers))


# ---------------------------------------------------------------------- which hexes, by whom


@rule("9.2D")
def _add_hexes(facts: Facts, s: Situation, battle: Battle, duties: Duties | None) -> Play:
    """One attack may be on several hexes, if all who make it are next to all of them."""
    question = WhichHexToo(facts, s, battle, duties)
    while more := members(open_to(s.occupied[other(battle.side)], no_addition(facts, s, battle, duties))):
        done = duties is None or duties.completable(union(battle.targets), set())
        options: list[Choice] = [*more, DONE] if done else [*more]
        prompt = f"Attack another hex together with {_names(facts, battle)}?"
        hex_ = yield Decision(battle.side, prompt, options, "9.2D", Kind.SPACE, about=question)
        if hex_ == DONE:
            return
        battle.targets.append(hex_)


class WhichHexToo(AboutABattle):
    __slots__ = ()

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        return replace(plain, words="only these", role="") if choice == DONE else plain

    def bars(self, t: Table[ArdennesPosition], decision: Decision) -> Iterator[Bar]:
        return no_addition(self.facts, self.s, self.battle, self.duties)

    def why_not_word(self, t: Table[ArdennesPosition], decision: Decision, word: str) -> Refusal | None:
        return (
            Refusal("E4.2", "with these hexes alone somebody who must fight is left out") if word == DONE else None
        )


@rule("9.1A", "9.1B", "9.2E", "9.2G", "E4.2")
def _name_attackers(facts: Facts, s: Situation, battle: Battle, duties: Duties | None) -> Play:
    """One unit after the other, as many as the attacker likes; on the first turn, so that nobody is left out."""
    question = WhoAttacks(facts, s, battle, duties)
    here = union(battle.targets)
    while True:
        options: list[Choice] = [*able(facts, s, battle, duties)]
        prompt = f"Who attacks {_names(facts, battle)}?"
        if battle.attackers and (duties is None or duties.fulfilled_by(here, set(battle.attackers))):
            options.append(ATTACK)
        if options == [ATTACK]:
            if len(columns_to_choose(facts, s, battle)) > 1:
                return  # the odds are asked for next, and that commits
            prompt = f"Attack {_names(facts, battle)} now?"
        unit = yield Decision(battle.side, prompt, options, "9.1A", Kind.UNIT, about=question)
        if unit == ATTACK:
            return
        battle.attackers.append(unit)


class WhoAttacks(AboutABattle):
    """The next unit to join an attack, or the word that makes it."""

    __slots__ = ()

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        if choice != ATTACK:
            return plain
        one_column = len(columns_to_choose(self.facts, self.s, self.battle)) == 1
        rolls = one_column and not _asked_before_the_die(self.facts, self.s, self.battle)
        return replace(plain, words="attack with these", role="strike", rolls=rolls)

    def bars(self, t: Table[ArdennesPosition], decision: Decision) -> Iterator[Bar]:
        yield from not_at_hand(self.facts, t.p, self.battle.side)
        yield from may_not_join(self.facts, self.s, self.battle, self.duties)

    def why_not_word(self, t: Table[ArdennesPosition], decision: Decision, word: str) -> Refusal | None:
        if word != ATTACK:
            return None
        if not self.battle.attackers:
            return Refusal("9.1A", "nobody attacks yet: name a unit first")
        return Refusal("E4.2", "somebody who must fight on the first turn would be left out")

    def choose(self, battle: Battle, choice: Choice) -> None:
        if isinstance(choice, int):
            battle.attackers.append(choice)

    def together(self, t: Table[ArdennesPosition], decision: Decision) -> Together:
        return all_units(decision, ALL_WHO_MAY)


def _names(facts: Facts, battle: Battle) -> str:
    return " and ".join(facts.map.words(hex_) for hex_ in battle.targets)


# ---------------------------------------------------------------------- before the die


def _fight(t: Table[ArdennesPosition], facts: Facts, s: Situation, battle: Battle) -> Play:
    table = table_for(facts, s, battle.side)
    battle.chosen = chosen = yield from _choose_odds(facts, s, battle, table)
    defenders = [unit for hex_ in battle.targets for unit in s.stack(hex_)]
    _mark_as_used(t.p, battle, defenders)
    stand: set[int] = set()
    for side, units in ((other(battle.side), defenders), (battle.side, battle.attackers)):
        sheltered = _sheltered(facts, s, battle, side, chosen)
        kept = yield from _waive(facts, s, battle, side, hexes_of(s.p.where, sheltered))
        stand |= {unit for unit in units if unit in sheltered and s.p.where[unit] in kept}
    result = _roll(t, facts, battle, table, chosen)
    yield from apply_result(t, facts, s, battle, defenders, stand, result)


@rule("9.4L", "E9.4L")
def _choose_odds(facts: Facts, s: Situation, battle: Battle, table: ResultsTable) -> Play:
    columns = columns_to_choose(facts, s, battle)
    if len(columns) == 1:
        return columns[0]
    options: list[Choice] = [table.columns[number] for number in columns]
    prompt = f"Attack at {options[0]}, or at lower odds?"
    choice = yield Decision(battle.side, prompt, options, "9.4L", about=AtWhatOdds(facts, s, battle))
    return table.columns.index(choice)


class AtWhatOdds(AboutABattle):
    """A column of the table: the odds, or lower ones."""

    __slots__ = ()

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        seen = Battle(self.battle.side, self.battle.targets, self.battle.attackers)
        self.choose(seen, choice)
        return replace(plain, role="strike", rolls=not _asked_before_the_die(self.facts, self.s, seen))

    def why_not_word(self, t: Table[ArdennesPosition], decision: Decision, word: str) -> Refusal | None:
        table = table_for(self.facts, self.s, self.battle.side)
        if word not in table.columns:
            return None
        best = columns_to_choose(self.facts, self.s, self.battle)[0]
        if table.columns.index(word) > best:
            return Refusal("9.3K", f"the strengths give no more than {table.columns[best]}")
        return Refusal("E9.4L", "the Germans never lower their odds below 2-1")

    def choose(self, battle: Battle, choice: Choice) -> None:
        battle.chosen = table_for(self.facts, self.s, battle.side).columns.index(str(choice))


@rule("6.7L", "9.1C")
def _mark_as_used(p: ArdennesPosition, battle: Battle, defenders: list[int]) -> None:
    for unit in battle.attackers:
        p.attacked |= 1 << unit
    for unit in defenders:
        p.defended |= 1 << unit
    for unit in (*battle.attackers, *defenders):
        p.fought_on_road |= p.road & 1 << unit


@rule("11.0", "E11.0")
def _sheltered(facts: Facts, s: Situation, battle: Battle, side: str, column: int) -> set[int]:
    """The units of a side in a battle that may ignore a retreat, if its column can make them retreat at all."""
    table, retreats = table_for(facts, s, battle.side), "Ar" if side == battle.side else "Dr"
    if not any(row[column].startswith(retreats) for row in table.rows):
        return set()
    defenders = [unit for hex_ in battle.targets for unit in s.stack(hex_)]
    units = battle.attackers if side == battle.side else defenders
    return {unit for unit in units if may_stand(facts, unit, s.p.where[unit])}


def _asked_before_the_die(facts: Facts, s: Situation, battle: Battle) -> bool:
    """Whether somebody must still say if he gives up his shelter, on the column chosen or the only one."""
    column = columns_to_choose(facts, s, battle)[0] if battle.chosen is None else battle.chosen
    return any(_sheltered(facts, s, battle, side, column) for side in (battle.side, other(battle.side)))


@rule("11.0", "E11.0")
def _waive(facts: Facts, s: Situation, battle: Battle, side: str, hexes: list[int]) -> Play:
    """Before the die, a player may give up that his units in towns, or in the West Wall, ignore a retreat."""
    question = WhoGivesUpShelter(facts, s, battle)
    while hexes:
        names = ", ".join(facts.map.words(hex_) for hex_ in hexes)
        prompt = f"Units in {names} ignore a retreat. Give that up, before the die?"
        hex_ = yield Decision(side, prompt, [*hexes, ROLL], "E11.0", Kind.SPACE, about=question)
        if hex_ == ROLL:
            break
        hexes.remove(hex_)
    return hexes


class WhoGivesUpShelter(AboutABattle):
    """Hexes whose units could ignore a retreat, or the word that keeps all shelter and goes on to the die."""

    __slots__ = ()

    def option(self, t: Table[ArdennesPosition], decision: Decision, choice: Choice, plain: Option) -> Option:
        others = decision.side != self.battle.side and self._attackers_are_asked()
        if choice == ROLL:
            return replace(plain, words="keep it and roll", role="strike", rolls=not others)
        # A button, since the hex itself is lit as the battle's.
        last = not others and len([hex_ for hex_ in decision.options if isinstance(hex_, int)]) == 1
        return replace(plain, words=f"give it up in {plain.words}", spaces=(), rolls=last)

    def _attackers_are_asked(self) -> bool:
        battle = self.battle
        return battle.chosen is not None and bool(
            _sheltered(self.facts, self.s, battle, battle.side, battle.chosen)
        )

    def bars(self, t: Table[ArdennesPosition], decision: Decision) -> Iterator[Bar]:
        offered = union([hex_ for hex_ in decision.options if isinstance(hex_, int)])
        yield Bar(~offered, "E11.0", "no unit there takes part in this battle and could still ignore a retreat")


@rule("9.0", "10.0")
def _roll(t: Table[ArdennesPosition], facts: Facts, battle: Battle, table: ResultsTable, chosen: int) -> str:
    names = _names(facts, battle)
    die = t.roll("10.0", f"attack on {names}, odds {table.columns[chosen]}")
    result = table.result(chosen, die)
    attackers = ", ".join(facts.rows[unit].name for unit in battle.attackers)
    words = f"The attack on {names} by {attackers} gives {result}."
    t.say("10.0", words, spaces=tuple(battle.targets), kind="result")
    return result
