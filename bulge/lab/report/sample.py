"""The games of one scenario of a run, and the numbers that are drawn from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from bulge.core.game import Game
from bulge.lab.measures import Measures, measures_of
from bulge.lab.plan import Plan
from bulge.lab.record import mask_of
from bulge.lab.report.history import History
from bulge.lab.store import read_plan, rows_of
from bulge.players.arena import wilson

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
"""The quantiles that curves show: the middle, half of all games, four games in five."""
FIFTHS = 5


class Share(NamedTuple):
    """So many of so many, with Wilson's interval."""

    some: int
    of: int

    @property
    def share(self) -> float:
        return self.some / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.some, self.of)


class Ending(NamedTuple):
    """A way in which games ended."""

    winner: str | None
    rule: str
    words: str
    share: Share
    turns: float


class Fifth(NamedTuple):
    """A fifth of the games, by the attacker's luck: from the worst to the best."""

    luck: float
    won: Share


class Sample:
    """Everything that the report says about one scenario of one run."""

    def __init__(self, path: Path, plan: Plan, game: Game[Any], scenario: str, rows: list[dict[str, Any]]) -> None:
        self.path, self.plan, self.game, self.scenario, self.rows = path, plan, game, scenario, rows
        self.measures: Measures[Any] = measures_of(game)
        self.attacker = self.measures.attacker
        self._start = game.begin(scenario)

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def subtitle(self) -> str:
        return self.game.scenario(self.scenario).title

    @property
    def players(self) -> str:
        return ", ".join(f"{side} by {level}" for side, level in self.plan.players.items())

    def won(self, side: str | None) -> Share:
        return Share(sum(row["winner"] == side for row in self.rows), len(self.rows))

    # ------------------------------------------------------------------ turns and days

    @cached_property
    def turns(self) -> list[int]:
        """Every turn that some game reached the end of."""
        longest: list[int] = max((row["turns"] for row in self.rows), key=len)
        return longest

    @cached_property
    def turn_names(self) -> list[str]:
        return [self.measures.turn_name(turn) for turn in self.turns]

    def place_of_day(self, day: int) -> int | None:
        """The last turn that ends by the evening of a day of December; None if none does."""
        places = [place for place, turn in enumerate(self.turns) if 0 < self.measures.day(turn) <= day]
        return places[-1] if places else None

    def at(self, row: dict[str, Any], column: str, place: int) -> Any:
        """A row's value at the end of a turn; a game that was over before counts with its last one."""
        values = row[column]
        return values[min(place, len(values) - 1)]

    def quantiles(self, column: str) -> list[list[float]]:
        """By turn: the levels' quantiles."""
        return [quantiles([self.at(row, column, place) for row in self.rows]) for place in range(len(self.turns))]

    # ------------------------------------------------------------------ the front

    @cached_property
    def start(self) -> int:
        return self.measures.start(self._start)

    @cached_property
    def depths(self) -> dict[int, float]:
        return self.measures.ground.depths(self.start)

    def front_shares(self, place: int) -> dict[int, float]:
        """For each space, the share of games in which it lay behind the attacker's front."""
        counts: Counter[int] = Counter()
        for front, times in Counter(self.at(row, "front", place) for row in self.rows).items():
            spaces = mask_of(front)
            for space in self.measures.ground.points:
                if spaces >> space & 1:
                    counts[space] += times
        return {space: counts[space] / len(self.rows) for space in self.measures.ground.points}

    @cached_property
    def history(self) -> History:
        return History(self.measures.ground)

    def historical_depth(self, day: int) -> float:
        """How far the historical front of a day had come, on this game's spaces and from its start."""
        held = self.history.held(day)
        return max((self.depths.get(space, 0.0) for space in held if not self.start >> space & 1), default=0.0)

    # ------------------------------------------------------------------ towns, losses, luck

    def town_shares(self) -> dict[str, list[float]]:
        """For each key town, by turn: the share of games in which the attacker held it."""
        counts = {town: [0] * len(self.turns) for town in self.measures.towns}
        for row in self.rows:
            for place in range(len(self.turns)):
                for town in self.at(row, "towns", place):
                    counts[town][place] += 1
        return {town: [count / len(self.rows) for count in by_turn] for town, by_turn in counts.items()}

    def losses(self, side: str) -> list[list[float]]:
        by_row = [row["losses"][side] for row in self.rows]
        return [
            quantiles([lost[min(place, len(lost) - 1)] for lost in by_row]) for place in range(len(self.turns))
        ]

    def counts(self) -> dict[str, list[float]]:
        """What a turn was made of, on average over the games that played it."""
        found: dict[str, list[float]] = {}
        for what in dict.fromkeys(count["what"] for row in self.rows for count in row.get("counts") or ()):
            by_row = [count["by_turn"] for row in self.rows for count in row["counts"] if count["what"] == what]
            by_turn = [
                [turns[place] for turns in by_row if place < len(turns)] for place in range(len(self.turns))
            ]
            found[what] = [sum(played) / max(1, len(played)) for played in by_turn]
        return found

    def historical_points(self, day: int) -> int | None:
        """The score that the front of that day would give, where the game's measures can tell."""
        return self.measures.points_for(self.history.held(day)) if self.history.real else None

    def rolls(self) -> dict[tuple[str, str], tuple[float, int]]:
        """By side and result: how often the dice should have given it, and how often they did."""
        total: dict[tuple[str, str], tuple[float, int]] = {}
        for row in self.rows:
            for roll in row["rolls"]:
                key = roll["side"], roll["result"]
                expected, actual = total.get(key, (0.0, 0))
                total[key] = expected + roll["expected"], actual + roll["actual"]
        return total

    def net_luck(self, row: dict[str, Any]) -> float:
        """The attacker's luck less its enemies', in attacks."""
        luck = row["luck"]
        return float(luck[self.attacker] - sum(value for side, value in luck.items() if side != self.attacker))

    def by_luck(self) -> list[Fifth]:
        """How often the attacker won, from its unluckiest games to its luckiest."""
        if len(self.rows) < 2 * FIFTHS:
            return []
        ordered = sorted(self.rows, key=lambda row: (self.net_luck(row), row["number"]))
        fifths = []
        for number in range(FIFTHS):
            some = ordered[number * len(ordered) // FIFTHS : (number + 1) * len(ordered) // FIFTHS]
            luck = sum(self.net_luck(row) for row in some) / len(some)
            fifths.append(Fifth(luck, Share(sum(row["winner"] == self.attacker for row in some), len(some))))
        return fifths

    # ------------------------------------------------------------------ ends

    def endings(self) -> list[Ending]:
        """How the games ended, the most frequent way first."""
        found: dict[tuple[str | None, str], list[dict[str, Any]]] = {}
        for row in self.rows:
            found.setdefault((row["winner"], row["rule"]), []).append(row)
        endings = [
            Ending(
                winner,
                rule,
                _common_words([row["ending"] for row in rows]),
                Share(len(rows), len(self.rows)),
                sum(row["turns"][-1] for row in rows) / len(rows),
            )
            for (winner, rule), rows in found.items()
        ]
        return sorted(endings, key=lambda ending: (-ending.share.some, ending.rule))

    def points(self) -> Counter[tuple[int, bool]]:
        """How many games ended with so many points, won by the attacker or not."""
        return Counter((row["points"], row["winner"] == self.attacker) for row in self.rows)

    def mean(self, column: str) -> float:
        return sum(float(row[column]) for row in self.rows) / len(self.rows)


def read_samples(path: Path) -> list[Sample]:
    """The scenarios of a complete run."""
    plan = read_plan(path)
    game = plan.load()
    rows = list(rows_of(path))
    return [
        Sample(path, plan, game, scenario, [row for row in rows if row["scenario"] == scenario])
        for scenario in plan.scenarios
    ]


def quantiles(values: Sequence[float]) -> list[float]:
    """The levels' quantiles, between neighbours where need be."""
    ordered = sorted(values)
    found = []
    for level in LEVELS:
        at = level * (len(ordered) - 1)
        low = int(at)
        high = min(low + 1, len(ordered) - 1)
        found.append(ordered[low] + (ordered[high] - ordered[low]) * (at - low))
    return found


def _common_words(endings: Sequence[str]) -> str:
    """One sentence for endings that differ in their numbers only."""
    if len(set(endings)) == 1:
        return endings[0]
    patterns = {"".join("#" if letter.isdigit() else letter for letter in words) for words in endings}
    example = Counter(endings).most_common(1)[0][0]
    return f"such as: {example}" if len(patterns) > 1 or "#" in next(iter(patterns)) else example
