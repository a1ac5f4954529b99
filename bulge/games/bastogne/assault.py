"""Close assault and breakthrough (rules 17 and 18)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from bulge.core.bars import Bar
from bulge.core.decision import Choice, Decision, Kind, Modifier, Play, Preview
from bulge.core.look import Subject
from bulge.core.rulebook import rule
from bulge.core.spaces import members, union
from bulge.games.bastogne.asked import Asked, not_on_the_map
from bulge.games.bastogne.events import after_combat
from bulge.games.bastogne.facts import GERMAN, STACK_LIMIT, TRACKS, US, Facts
from bulge.games.bastogne.fire import ENHANCE, PLAIN, enhanced_strength, may_enhance, names_of, roll_fire
from bulge.games.bastogne.losses import (
    Tally,
    drive_out,
    inflict,
    note_losses,
    settle,
)
from bulge.games.bastogne.morale import change_morale, morale_check
from bulge.games.bastogne.movement import use_intelligence
from bulge.games.bastogne.position import BastognePosition, SiegeTable
from bulge.games.bastogne.preparation import spend
from bulge.games.bastogne.situation import (
    battalions,
    commander,
    defensive,
    german_spaces,
    german_strength,
    germans_in,
    leaders_in,
    load,
    units_in,
    us_in,
    us_spaces,
)
from bulge.games.bastogne.withdrawal import withdraw

USE, KEEP = "use_intelligence", "keep_intelligence"
MOST_EDGE = 4


@dataclass(slots=True)
class Assault:
    """One close assault in one space."""

    side: str
    """The attacker."""
    space: int
    breakthrough: bool = False
    sheltered: bool = False
    """The US defends the Center, a town or an entrenchment, as it was when the assault began."""
    entrenched: bool = False
    enhanced: bool = False
    intelligence: bool = False
    tally: Tally = field(default_factory=Tally)


# ---------------------------------------------------------------------- one after the other


def disputed(facts: Facts, p: BastognePosition) -> list[int]:
    """Spaces that hold units of both sides, in the order of the tracks, the innermost first (17.2)."""
    both = members(us_spaces(facts, p) & german_spaces(facts, p))
    if len(both) < 2:
        return both
    return sorted(both, key=lambda space: (_first_track(facts, p, space), facts.number_of[space]))


def _first_track(facts: Facts, p: BastognePosition, space: int) -> int:
    """The Center belongs to the first track from which it is attacked."""
    return min(p.track[unit - facts.german_units.start] for unit in germans_in(facts, p, space))


@rule("17.2", "17.3.3")
def german_assaults(t: SiegeTable, facts: Facts) -> Play:
    """The next German assault, clockwise from the north; whether there was one."""
    waiting = disputed(facts, t.p)
    if not waiting:
        return False
    yield from resolve_assault(t, facts, GERMAN, waiting[0])
    return True


@rule("17.2")
def us_assaults(t: SiegeTable, facts: Facts) -> Play:
    """The next US assault, in the order the player likes; whether there was one."""
    p = t.p
    waiting = disputed(facts, p)
    if not waiting:
        p.from_ = []
        return False
    space = waiting[0]
    if len(waiting) > 1:
        question = WhichAssault(facts)
        space = yield Decision(
            US, "Which close assault next?", waiting, "17.2", Kind.SPACE, top=True, about=question
        )
    yield from resolve_assault(t, facts, US, space)
    return True


class WhichAssault(Asked):
    commits = True

    def shut(self, p: BastognePosition) -> Iterator[Bar]:
        yield from not_on_the_map(self.facts)
        yield Bar(~union(disputed(self.facts, p)), "17.2", "nobody has closed in on anybody there")


def begin(facts: Facts, p: BastognePosition, side: str, space: int, *, breakthrough: bool = False) -> Assault:
    sheltered = side == GERMAN and defensive(facts, p, space, US)
    dug_in = side == GERMAN and bool(p.entrenched >> space & 1)
    return Assault(side, space, breakthrough, sheltered, dug_in)


@rule("17.1", "17.3.2", "17.4")
def resolve_assault(t: SiegeTable, facts: Facts, side: str, space: int, *, breakthrough: bool = False) -> Play:
    """Tactical edge, one round of fire on the open column, a winner or a draw, and perhaps a breakthrough."""
    p = t.p
    assault = begin(facts, p, side, space, breakthrough=breakthrough)
    kind = "Breakthrough combat" if breakthrough else f"{side} close assault"
    t.say("17.1", f"{kind} in {facts.at(space)}.", spaces=(space,), kind="battle")
    involved = min(battalions(facts, us_in(facts, p, space)), battalions(facts, germans_in(facts, p, space)))
    yield from _prepare(t, facts, assault)
    first = _tactical_edge(t, facts, assault)
    for shooter in (first, GERMAN if first == US else US):
        yield from _assault_fire(t, facts, assault, shooter)
    winner = yield from _winner(t, facts, assault)
    note_losses(t, facts, assault.tally)
    if winner is not None and involved:
        change = 1 if winner == GERMAN else -1
        change_morale(t, change, "6.1", f"the {winner} side won a close assault with a battalion on each side")
    settle(t, facts, space)
    if winner == GERMAN and side == GERMAN and not breakthrough:
        yield from _breakthrough(t, facts, space)
    yield from after_combat(t, facts, assault.tally, german_win=winner == GERMAN)


@rule("19.2", "29.0")
def _prepare(t: SiegeTable, facts: Facts, assault: Assault) -> Play:
    """Before the dice: the US may use Intelligence, unless it would add nothing, and spend supply."""
    p = t.p
    who = commander(facts, p, assault.space)
    if p.intelligence and total_of(us_edge(facts, p, assault)) < MOST_EDGE:
        prompt = f"Use the Intelligence marker in {facts.at(assault.space)}?"
        question = UseIntelligence(facts, space=assault.space, assault=assault)
        answer = yield Decision(who, prompt, [USE, KEEP], "29.0", about=question)
        if answer == USE:
            use_intelligence(t, facts)
            assault.intelligence = True
    if may_enhance(facts, p, us_in(facts, p, assault.space)):
        prompt = f"Spend a supply point for +1 to each US unit in {facts.at(assault.space)}? Supply is {p.supply}"
        spending = SpendOnAssault(facts, space=assault.space, assault=assault)
        answer = yield Decision(who, prompt, [ENHANCE, PLAIN], "19.2", about=spending)
        if answer == ENHANCE:
            spend(t, 1, "19.2", f"the close assault in {facts.at(assault.space)}")
            assault.enhanced = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeAssault(Asked):
    """What the US may add to a close assault before the dice."""

    assault: Assault

    def preview(self, t: SiegeTable, decision: Decision, choice: Choice) -> Preview:
        before = self.assault
        enhanced, intelligence = before.enhanced or choice == ENHANCE, before.intelligence or choice == USE
        return preview_assault(self.facts, t.p, replace(before, enhanced=enhanced, intelligence=intelligence))

    def subject(self, t: SiegeTable, decision: Decision) -> Subject:
        facts, p, space = self.facts, t.p, self.space
        units = [*us_in(facts, p, space), *germans_in(facts, p, space)]
        return Subject((facts.board.name(space),), tuple(map(facts.id_of, units)))


class UseIntelligence(BeforeAssault):
    said = {
        USE: "use the Intelligence marker: +1 to the tactical edge",
        KEEP: "keep the Intelligence marker",
    }
    strikes = (USE, KEEP)


class SpendOnAssault(BeforeAssault):
    said = {ENHANCE: "spend a supply point for +1 to each unit", PLAIN: "fight without spending supply"}
    strikes = (ENHANCE, PLAIN)


ROLLS = [(us, german) for us in range(1, 7) for german in range(1, 7)]


def preview_assault(facts: Facts, p: BastognePosition, assault: Assault) -> Preview:
    """Dice of both sides, every modifier of the tactical edge, and who is likely to fire first."""
    mine, theirs = us_edge(facts, p, assault), german_edge(facts, p, assault)
    lead = total_of(mine) - total_of(theirs)
    first = sum(us + lead > german or (us + lead == german and assault.sheltered) for us, german in ROLLS)
    chance = Fraction(first, len(ROLLS))
    dice = {side: assault_dice(facts, p, assault, side) for side in (US, GERMAN)}
    words = f"US {dice[US]} dice, German {dice[GERMAN]} dice, in {facts.at(assault.space)}"
    attack, defence = (dice[US], dice[GERMAN]) if assault.side == US else (dice[GERMAN], dice[US])
    against = [Modifier(m.words, -m.amount, m.rule, m.to) for m in theirs]
    chances = (("US fires first", chance), ("Germans fire first", 1 - chance))
    return Preview(words, attack, defence, (*mine, *against), "open", chances)


# ---------------------------------------------------------------------- tactical edge (17.3.1)


@rule("17.3.1", "25.2", "26.2", "29.0")
def us_edge(facts: Facts, p: BastognePosition, assault: Assault) -> list[Modifier]:
    """The best of leaders and HQs, shelter in defence, and events: four at most."""
    space = assault.space
    guides = [*leaders_in(facts, p, space), *(hq for hq in facts.hqs if p.where[hq] == space)]
    found = []
    if guides:
        best = max(guides, key=lambda unit: facts.us_rows[unit].edge)
        number = "25.2" if best in facts.leaders else "26.2"
        found.append(Modifier(facts.name_of(best), facts.us_rows[best].edge, number, "edge"))
    if assault.sheltered:
        found.append(Modifier("defends Center, town or entrenchment", 1, "17.3.1", "edge"))
    if p.malmedy:
        found.append(Modifier("Malmedy", 1, "29.0", "edge"))
    if assault.intelligence:
        found.append(Modifier("Intelligence", 1, "29.0", "edge"))
    return found


@rule("17.3.1", "29.0")
def german_edge(facts: Facts, p: BastognePosition, assault: Assault) -> list[Modifier]:
    found = []
    if assault.side == US and defensive(facts, p, assault.space, GERMAN):
        found.append(Modifier("defend a town", 1, "17.3.1", "edge"))
    if p.ardor:
        found.append(Modifier("National Socialist Ardor", 1, "29.0", "edge"))
    return found


def total_of(modifiers: list[Modifier]) -> int:
    return min(MOST_EDGE, sum(modifier.amount for modifier in modifiers))


@rule("17.3.1")
def _tactical_edge(t: SiegeTable, facts: Facts, assault: Assault) -> str:
    """The higher total fires first; a tie goes to a sheltered US defender, otherwise to the Germans."""
    us, german = us_edge(facts, t.p, assault), german_edge(facts, t.p, assault)
    mine = t.roll("17.3.1", f"US tactical edge{_words(us)}") + total_of(us)
    theirs = t.roll("17.3.1", f"German tactical edge{_words(german)}") + total_of(german)
    first = US if mine > theirs or (mine == theirs and assault.sheltered) else GERMAN
    t.say("17.3.1", f"US {mine}, German {theirs}: the {first} side fires first.")
    return first


def _words(modifiers: list[Modifier]) -> str:
    return "".join(f", {modifier.words} {modifier.amount:+d}" for modifier in modifiers)


# ---------------------------------------------------------------------- fire (17.3.2)


@rule("13.5", "17.3.2", "17.4", "24.1.1")
def assault_dice(facts: Facts, p: BastognePosition, assault: Assault, shooter: str) -> int:
    """Printed factors, guns too; the Germans one less each when they attack an entrenchment."""
    if shooter == US:
        units = us_in(facts, p, assault.space)
        return enhanced_strength(facts, p, units, enhanced=assault.enhanced)
    return german_strength(facts, p, germans_in(facts, p, assault.space), entrenched=assault.entrenched)


def _assault_fire(t: SiegeTable, facts: Facts, assault: Assault, shooter: str) -> Play:
    """All fire on the open column, so that retreats are possible everywhere."""
    space, target = assault.space, GERMAN if shooter == US else US
    dice = assault_dice(facts, t.p, assault, shooter)
    if dice and t.keeps_log:
        change = ", each +1 for supply, guns excepted" if shooter == US and assault.enhanced else ""
        change = ", each one less, at least one" if shooter == GERMAN and assault.entrenched else change
        t.say("17.3.2", f"{shooter}: {names_of(facts, t.p, units_in(facts, t.p, space, shooter))}{change}.")
    hits, retreats = roll_fire(t, facts, space, dice, "open", f"{shooter} fire in {facts.at(space)}", kind="")
    yield from inflict(t, facts, space, target, hits, "17.3.2", assault.tally)
    yield from drive_out(t, facts, space, target, retreats, assault.tally)


# ---------------------------------------------------------------------- who won (17.3.3)


@rule("17.3.3")
def _winner(t: SiegeTable, facts: Facts, assault: Assault) -> Play:
    """The side that is alone in the space; nobody after a draw, which makes one side withdraw."""
    p, space = t.p, assault.space
    americans, germans = us_in(facts, p, space), germans_in(facts, p, space)
    if americans and germans:
        yield from withdraw(t, facts, space, assault.tally, germans=assault.sheltered)
        return None
    winner = US if americans else GERMAN
    t.say("17.3.3", f"{facts.at(space)}: the {winner} side wins.", spaces=(space,), kind="result")
    return winner


# ---------------------------------------------------------------------- breakthrough (18)


@rule("18.0", "18.1", "18.2", "18.3")
def _breakthrough(t: SiegeTable, facts: Facts, space: int) -> Play:
    """Each victorious unit that passes a morale check goes one space on; US units there must be fought at once."""
    if space == facts.center:
        return
    p, goal = t.p, facts.inward(space)
    victors = germans_in(facts, p, space)
    through = [unit for unit in victors if morale_check(t, "18.2", f"{facts.name_of(unit)} to break through")]
    if not through:
        return
    resisting = us_in(facts, p, goal)
    for unit in through:
        p.where[unit] = goal
    names = ", ".join(map(facts.name_of, through))
    words = f"{TRACKS[facts.track_of[space]]}: {names} break through to {facts.at(goal)}."
    t.say("18.2", words, spaces=(space, goal), units=tuple(through), kind="move")
    settle(t, facts, goal)
    change_morale(t, 1, "6.1", "a German breakthrough")
    if resisting:
        yield from resolve_assault(t, facts, GERMAN, goal, breakthrough=True)


def overstacked(facts: Facts, p: BastognePosition) -> list[int]:
    """Spaces with too many US battalions; only the Center may be, for a time (14.3)."""
    return [space for space in members(us_spaces(facts, p)) if load(facts, p, space) > STACK_LIMIT]
