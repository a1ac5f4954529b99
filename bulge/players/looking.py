"""Looking ahead on copies: every face of the next die once, and the moves that a phase offers.

Everything here works on copies made for a side (`Match.copy_for`), never on the match itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from bulge.core.chance import Chance
from bulge.core.decision import DONE, Choice, Decision, Kind
from bulge.core.match import Match
from bulge.core.movement import Reach
from bulge.core.spaces import members


class OneFace:
    """The next number is given; those after it come from wherever they came from before."""

    def __init__(self, face: int, at: int, later: Chance) -> None:
        self.face, self.at, self.later = face, at, later
        self.size = 0
        """How many faces that number had; 0 as long as nobody asked for it."""

    def raw(self, count: int, size: int) -> int:
        if count == self.at:
            self.size = size
            return self.face % size
        return self.later.raw(count, size)


class Anew:
    """Some numbers are drawn anew, time and again; the others come from wherever they came from before.

    Each time is like any other draw; over several times each number has all its faces about equally often.
    """

    def __init__(self, counts: range, seed: str, time: int, others: Chance) -> None:
        self.counts, self.seed, self.time, self.others = counts, seed, time, others

    def raw(self, count: int, size: int) -> int:
        if count not in self.counts:
            return self.others.raw(count, size)
        round_, place = divmod(self.time, size)
        return random.Random(f"{self.seed} {count} {size} {round_}").sample(range(size), size)[place]


FAIR_ROLL = 3
"""Where a die says how far a unit goes, this face of it is planned with: four, counted from nought."""
MOST_FACES = 6
MOST_ANSWERS = 40
"""After so many answers that follow from a choice, what stands is what counts."""


def expected(
    twin: Match[Any],
    choice: Choice,
    answer: Callable[[Match[Any]], Choice],
    value: Callable[[Match[Any]], float],
) -> float:
    """The mean value after a choice, over every face of the next die, once the matter is settled."""
    return expected_after(twin, [choice], "", answer, value)


def expected_after(
    twin: Match[Any],
    choices: Sequence[Choice],
    launch: str,
    answer: Callable[[Match[Any]], Choice],
    value: Callable[[Match[Any]], float],
) -> float:
    """The same after several choices in a row, and after the word that sets them going, where one is asked for.

    What is answered before the die falls is answered once: nobody knows by then what it will show.
    """
    total, face, faces = 0.0, 0, 1
    chosen = list(choices)
    while face < faces:
        ahead = twin.copy()
        chance = OneFace(face, ahead.position.drawn, ahead.table.chance)
        ahead.table.chance = chance
        for choice in chosen:
            ahead.choose(choice)
        if not face:
            chosen += _up_to_the_die(ahead, chance, launch, answer)
        settle(ahead, answer)
        total += value(ahead)
        faces = min(chance.size or 1, MOST_FACES)
        face += 1
    return total / faces


def _up_to_the_die(
    ahead: Match[Any], chance: OneFace, launch: str, answer: Callable[[Match[Any]], Choice]
) -> list[Choice]:
    """Set going what was chosen, and answer until the die has fallen; what was said on the way there."""
    said: list[Choice] = []
    while (decision := ahead.decision) is not None and not decision.top and len(said) < MOST_ANSWERS:
        if chance.size:
            break
        said.append(launch if launch in decision.options and not said else answer(ahead))
        ahead.choose(said[-1])
    return said


def settle(twin: Match[Any], answer: Callable[[Match[Any]], Choice]) -> None:
    """Answer what follows until the next top-level question or the end."""
    for _ in range(MOST_ANSWERS):
        if twin.decision is None or twin.decision.top:
            return
        twin.choose(answer(twin))


# ---------------------------------------------------------------------- moves


class Routed(Protocol):
    """Everywhere a unit can go in a game whose units may change on the way how they go."""

    spaces: int

    def manner(self, hex_: int, /) -> str:
        """How the unit will stand there."""

    def path(self, hex_: int, /) -> list[Choice]:
        """Where it is, and then the choices that lead there."""


Reached: TypeAlias = Reach | Routed


class Way:
    """How a unit gets to a hex. The path is looked for only when somebody asks for it."""

    __slots__ = ("_path", "entry", "hex_", "manner", "reach", "unit")

    def __init__(self, unit: int, hex_: int, reach: Reached | None, entry: tuple[Choice, ...] = ()) -> None:
        self.unit, self.hex_, self.entry = unit, hex_, entry
        """`entry` holds the hex by which a reinforcement comes on, or what a unit says that stays."""
        self.manner: str = reach.manner(hex_) if reach is not None and not isinstance(reach, Reach) else ""
        """How the unit will stand there, where a game knows several ways."""
        self.reach = reach
        self._path: tuple[Choice, ...] | None = None

    @property
    def path(self) -> tuple[Choice, ...]:
        """The hexes that are entered, in order, with what is said on the way; empty for staying."""
        if self._path is None:
            onward = self.reach.path(self.hex_)[1:] if self.reach is not None else []
            self._path = (*self.entry, *onward)
        return self._path


@dataclass
class Moves:
    """Everywhere the units of a side can go in this phase."""

    ways: dict[int, dict[int, Way]] = field(default_factory=dict)
    """By unit and hex."""
    special: list[int] = field(default_factory=list)
    """Units that do not walk: what they do is asked in another way."""


def all_moves(twin: Match[Any], where: Callable[[int], int]) -> Moves:
    """Ask, on copies, for the reach of every unit that may move now; where it rolls for that, the die is fair."""
    found = Moves()
    for unit in twin.asked().options:
        if not isinstance(unit, int):
            continue
        asked = twin.copy()
        asked.table.chance = OneFace(FAIR_ROLL, asked.position.drawn, asked.table.chance)
        asked.choose(unit)
        decision = asked.decision
        if decision is None or decision.top:
            continue  # it cannot go anywhere: naming it ends its move
        here = where(unit)
        if (reach := reach_of(decision)) is not None:
            found.ways[unit] = _ways(unit, reach)
        elif decision.kind is Kind.SPACE and here < 0:
            found.ways[unit] = _ways_in(asked, unit, decision)
        else:
            found.special.append(unit)
    return found


def has_reach(decision: Decision) -> bool:
    """Whether a unit is on its way."""
    return isinstance(decision.about, Reach) or callable(getattr(decision.about, "reach", None))


def reach_of(decision: Decision) -> Reached | None:
    """Everywhere that the unit on its way can go, whichever way the game asks for it."""
    about = decision.about
    if isinstance(about, Reach):
        return about
    flood = getattr(about, "reach", None)
    return flood() if callable(flood) else None


def _ways(unit: int, reach: Reached, entry: tuple[int, ...] = ()) -> dict[int, Way]:
    return {hex_: Way(unit, hex_, reach, entry) for hex_ in members(reach.spaces)}


def _ways_in(asked: Match[Any], unit: int, decision: Decision) -> dict[int, Way]:
    """Every place that a reinforcement can reach by any of its entries; the entry that leaves most is best."""
    ways: dict[int, Way] = {}
    costs: dict[int, int] = {}
    for entry in decision.options:
        if not isinstance(entry, int):
            continue  # a word: to wait beside the map, or to go elsewhere
        inside = asked.copy()
        inside.choose(entry)
        reach = reach_of(inside.decision) if inside.decision is not None else None
        if not isinstance(reach, Reach):
            ways.setdefault(entry, Way(unit, entry, None, (entry,)))
            continue
        for cost, level in enumerate(reach.levels):
            for hex_ in members(level):
                if cost < costs.get(hex_, 1 << 30):
                    costs[hex_], ways[hex_] = cost, Way(unit, hex_, reach, (entry,))
    return ways


def with_detours(moves: Moves, passing: Callable[[int], int], straight: Callable[[int], int]) -> Moves:
    """The same goals by way of as many hexes worth passing as a unit can pass; to some goals it goes straight."""
    ways = {}
    for unit, known in moves.ways.items():
        wanted, direct = passing(unit), straight(unit)
        ways[unit] = dict(known)
        for reach in {id(way.reach): way.reach for way in known.values()}.values() if wanted else ():
            if isinstance(reach, Reach):
                bent = {hex_: way for hex_, way in known.items() if way.reach is reach and not direct >> hex_ & 1}
                ways[unit] |= _bent(bent, reach, wanted)
    return Moves(ways, moves.special)


def _bent(ways: dict[int, Way], reach: Reach, wanted: int) -> dict[int, Way]:
    """Pass the nearest hex of those wanted, then the next one from there, as long as there is one."""
    bent: dict[int, Way] = {}
    while near := wanted & (passed := reach.earlier or reach).spaces:
        level = next(level for level in passed.levels if level & near)
        hex_ = members(level & near)[0]
        wanted ^= 1 << hex_
        reach = reach.via(hex_)
        bent |= {
            goal: Way(way.unit, goal, reach, way.entry) for goal, way in ways.items() if reach.spaces >> goal & 1
        }
    return bent


def winning_way(
    twin: Match[Any], moves: Moves, words: Sequence[str], ways_to_win: Callable[[int], int]
) -> Way | None:
    """A move at whose end one of these words is offered, looked for where the game may be won."""
    for unit, ways in moves.ways.items():
        if not words or not (goals := ways_to_win(unit)):
            continue
        for way in (way for hex_, way in ways.items() if goals >> hex_ & 1):
            ahead = twin.copy()
            ahead.choose(unit)
            for hex_ in way.path:
                if ahead.decision is None or hex_ not in ahead.decision.options:
                    break
                ahead.choose(hex_)
            if ahead.decision is not None and any(word in ahead.decision.options for word in words):
                return way
    return None


# ---------------------------------------------------------------------- attacks


@dataclass(frozen=True)
class Attack:
    """One grouped attack, with what it is worth on average."""

    target: int
    opening: tuple[Choice, ...]
    """What is chosen before the first attacker is named, the target first."""
    units: tuple[int, ...]
    gain: float
    words: str
    """The odds in the game's own words."""
    hope: float
    """What the best of its results is worth."""


Worth = Callable[[int, Sequence[int], str], float]
"""Target, attackers, result: what it is worth."""


def best_attacks(twin: Match[Any], launch: str, worth: Worth) -> list[Attack]:
    """For every target the group of attackers with the highest mean worth, by the exact chances of its results."""
    targets = [target for target in twin.asked().options if isinstance(target, int)]
    found = [best_attack(twin, target, launch, worth) for target in targets]
    return sorted((attack for attack in found if attack is not None), key=_gain, reverse=True)


def _gain(attack: Attack) -> float:
    return attack.gain


def best_attack(twin: Match[Any], target: int, launch: str, worth: Worth) -> Attack | None:
    """Add the unit that helps most, one after the other, and keep the best group on the way."""
    asked = twin.copy()
    opening = _open(asked, target)
    named: list[int] = []
    best: Attack | None = None
    while (decision := asked.decision) is not None and not decision.top and decision.kind is Kind.UNIT:
        able = [unit for unit in decision.options if isinstance(unit, int)]
        if not able:
            break
        tried = [attack for unit in able if (attack := _with(asked, opening, named, unit, worth)) is not None]
        step = max(tried, key=_gain, default=None)
        if step is None:
            break
        named.append(step.units[-1])
        asked.choose(step.units[-1])
        after = asked.decision
        goes_on = after is not None and after.about is decision.about and after.kind is Kind.UNIT
        may_launch = not goes_on or launch in asked.asked().options
        if may_launch and (best is None or step.gain > best.gain):
            best = step
        if not goes_on:
            break
    return best


def _open(asked: Match[Any], target: int) -> tuple[Choice, ...]:
    """Begin an attack on one hex, or on as few as the rules allow where one attack may be on several."""
    opening: list[Choice] = [target]
    asked.choose(target)
    while (decision := asked.decision) is not None and decision.kind is Kind.SPACE and not decision.top:
        opening.append(DONE if DONE in decision.options else decision.options[0])
        asked.choose(opening[-1])
    return tuple(opening)


def _with(
    asked: Match[Any], opening: Sequence[Choice], named: list[int], unit: int, worth: Worth
) -> Attack | None:
    preview = asked.preview(unit)
    if preview is None:
        return None
    target, units = int(opening[0]), (*named, unit)
    results = [(float(chance), worth(target, units, result)) for result, chance in preview.chances]
    gain, hope = (
        sum(chance * worth_ for chance, worth_ in results),
        max((worth_ for _, worth_ in results), default=0.0),
    )
    return Attack(target, tuple(opening), units, gain, preview.words, hope)
