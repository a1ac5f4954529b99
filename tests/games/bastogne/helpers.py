"""What the tests of Bastogne share: positions made by hand, matches that begin in them, and dice by script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from bulge.core.chance import Scripted
from bulge.core.decision import Choice, Decision, Play
from bulge.core.match import Match
from bulge.core.table import Table
from bulge.games.bastogne.facts import GONE, NO_TRACK, TRACKS, WAITING, Facts
from bulge.games.bastogne.game import Bastogne
from bulge.games.bastogne.position import BastognePosition
from bulge.games.bastogne.targets import ORDERS

Siege = Match[BastognePosition]


@cache
def bastogne() -> Bastogne:
    return Bastogne()


def facts() -> Facts:
    return bastogne().facts


# ---------------------------------------------------------------------- names to numbers and back


def at(name: str) -> int:
    return facts().board.at(name)


def spaces(*names: str) -> int:
    return facts().board.set_of(names)


@cache
def unit(id_: str) -> int:
    return next(number for number, each in enumerate(bastogne().units) if each.id == id_)


def units(*ids: str) -> list[int]:
    return [unit(id_) for id_ in ids]


def ids(numbers: Sequence[int]) -> list[str]:
    return [facts().id_of(number) for number in numbers]


def chit(id_: str) -> int:
    return next(number for number, row in enumerate(facts().events) if row.id == id_)


# ---------------------------------------------------------------------- positions


def position(
    placed: Mapping[str, str] | None = None,
    *,
    step: str = "us_fire",
    turn: int = 3,
    weather: str = "good",
    assault: str = "NESW",
    morale: int = 9,
    supply: int = 0,
) -> BastognePosition:
    """Nobody in play but these units, all full; Lehr north, 2nd Panzer east, 5th FJ south, 26th VG west."""
    p = bastogne().set_up("siege", {"german_losses": "asked"})
    f = facts()
    for counter in range(f.german_units.stop):
        p.where[counter] = GONE
    p.division = [f.formation_named[name] for name in ("lehr", "2pz", "5fj", "26vg")]
    for at_, row in enumerate(f.german_rows):
        known = ("lehr", "2pz", "5fj", "26vg")
        p.track[at_] = known.index(row.formation) if row.formation in known else NO_TRACK
    p.step, p.turn, p.weather, p.morale, p.supply = step, turn, weather, morale, supply
    p.assault = sum(1 << track for track, name in enumerate(TRACKS) if name[0] in assault)
    for id_, space in (placed or {}).items():
        place(p, id_, space)
    return p


def place(p: BastognePosition, id_: str, space: str, *, steps: int | None = None) -> None:
    """Put a counter down; its side takes the space, a German unit belongs to the track from now on."""
    f, number = facts(), unit(id_)
    p.where[number] = at(space)
    if steps is not None:
        p.steps[number] = steps
    if number in f.german_units:
        if at(space) in f.track_of:
            p.track[number - f.german_units.start] = f.track_of[at(space)]
        if f.spaces >> at(space) & 1:
            p.german |= 1 << at(space)
    elif number in f.us_units:
        p.german &= ~(1 << at(space))


def wait(p: BastognePosition, *unit_ids: str) -> None:
    """Put units into their reinforcement boxes."""
    for id_ in unit_ids:
        p.where[unit(id_)] = WAITING


# ---------------------------------------------------------------------- play


def siege(p: BastognePosition, dice: Sequence[int] = ()) -> Siege:
    """A match that begins in a position, with these dice and draws (numbers from 1)."""
    return Match.at(bastogne(), p, Scripted(dice))


class Part:
    """One rule carried out on a position, with dice by script: what it asks, what it logs, what it changes."""

    def __init__(self, p: BastognePosition, dice: Sequence[int] = ()) -> None:
        self.p = p
        self.dice = dice
        self.table: Table[BastognePosition] = Table(bastogne(), p, Scripted(dice))
        self.decision: Decision | None = None
        self.answer: object = None
        """What the rule gave back when it was done."""

    def play(self, rule: Callable[..., Play | None], *args: object, **settings: object) -> Part:
        flow = rule(self.table, facts(), *args, **settings)
        if flow is None:
            return self
        self._flow = flow
        return self._go_on(None)

    def choose(self, *answers: str) -> Part:
        for answer in answers:
            decision = self.asked
            found = [each for each in decision.options if bastogne().id_of(decision, each) == answer]
            assert found, f"{answer} is not offered; {self.offered} are"
            self._go_on(found[0])
        return self

    def _go_on(self, choice: Choice | None) -> Part:
        try:
            self.decision = self._flow.send(choice)
        except StopIteration as done:
            self.decision, self.answer = None, done.value
        return self

    @property
    def asked(self) -> Decision:
        assert self.decision is not None, "nothing is asked"
        return self.decision

    @property
    def offered(self) -> set[str]:
        """What can be chosen, standing orders aside."""
        return {bastogne().id_of(self.asked, choice) for choice in self.asked.options if choice not in ORDERS}

    @property
    def over(self) -> bool:
        """Everything is settled, and every die of the script was rolled."""
        return self.decision is None and self.p.drawn == len(self.dice)

    def said(self, rule: str) -> list[str]:
        """The lines of the log that cite a rule."""
        return [event.words for event in self.table.events or [] if event.rule == rule]

    def where(self, id_: str) -> str:
        """Where a counter is, by name; `gone` or `waiting` off the map."""
        found = self.p.where[unit(id_)]
        return {GONE: "gone", WAITING: "waiting"}.get(found) or facts().board.name(found)

    def steps(self, *unit_ids: str) -> list[int]:
        return [self.p.steps[unit(id_)] for id_ in unit_ids]
