"""The figures of the atlas, by model and day: what the pictures show, and what can be downloaded."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

import msgspec

from bulge.lab.atlas.models import models, rebuilt
from bulge.lab.report.history import DAYS
from bulge.lab.report.sample import Sample

LAST_DAY = 26
QUARTER, HALF, THREE_QUARTERS = 1, 2, 3
"""Places of these levels among the quantiles of a sample."""


class Share(msgspec.Struct, frozen=True):
    share: float
    low: float
    high: float


class Day(msgspec.Struct, frozen=True):
    """How a model stood on the evening of a day of December."""

    day: int
    depth: tuple[float, float, float]
    """Kilometres from the start to the farthest ground held: a quarter, half, three quarters of the games."""
    history: float | None
    """The same of the line of 1944 on this model's spaces, on the days whose line is known."""
    towns: dict[str, float]
    """The share of games in which each key town was held."""
    losses: dict[str, float]
    """The middle of what each side had lost."""
    still_going: float
    """The share of games that were not over."""


class ModelFigures(msgspec.Struct, frozen=True):
    game: str
    title: str
    scenario: str
    games: int
    command: str
    made_by: str
    won: Share
    """By the side that attacks."""
    drawn: float
    attacker: str
    days: tuple[Day, ...]
    rebuilt: tuple[int, int]
    """Rows of its data that are reconstructed, of how many."""
    unit: str
    loss_words: str

    @property
    def whole(self) -> bool:
        """Whether it is a model of the whole battle, from the first day on."""
        return self.unit == "km" and bool(self.days) and self.days[0].day == DAYS[0]


def figures_of(sample: Sample) -> ModelFigures:
    """All figures of one model."""
    won = sample.won(sample.attacker)
    low, high = won.interval
    return ModelFigures(
        game=sample.game.id,
        title=sample.title,
        scenario=sample.subtitle,
        games=len(sample.rows),
        command=command_of(sample),
        made_by=sample.plan.made_by,
        won=Share(round(won.share, 4), round(low, 4), round(high, 4)),
        drawn=round(sample.won(None).share, 4),
        attacker=sample.attacker,
        days=tuple(_days(sample)),
        rebuilt=rebuilt(sample.game),
        unit=sample.measures.ground.unit,
        loss_words=sample.measures.loss_words,
    )


def command_of(sample: Sample) -> str:
    plan = sample.plan
    players = " ".join(f"--{side.lower().replace(' ', '-')} {level}" for side, level in plan.players.items())
    return f"bulge sim {plan.game} --scenario {sample.scenario} {players} --games {plan.games} --seed {plan.seed}"


def _days(sample: Sample) -> Iterator[Day]:
    depth, towns = sample.quantiles("deepest"), sample.town_shares()
    losses = {side: sample.losses(side) for side in sample.game.sides}
    for day in range(DAYS[0], LAST_DAY + 1):
        place = sample.place_of_day(day)
        if place is None or sample.measures.day(sample.turns[place]) != day:
            continue
        going = sum(len(row["turns"]) > place for row in sample.rows) / len(sample.rows)
        yield Day(
            day=day,
            depth=(_km(depth, place, QUARTER), _km(depth, place, HALF), _km(depth, place, THREE_QUARTERS)),
            history=sample.historical_depth(day) if day in DAYS and sample.history.real else None,
            towns={town: round(shares[place], 4) for town, shares in towns.items()},
            losses={side: round(by_turn[place][HALF], 1) for side, by_turn in losses.items()},
            still_going=round(going, 4),
        )


def _km(depths: Sequence[Sequence[float]], place: int, level: int) -> float:
    return round(depths[place][level], 1)


def last_turn_of(sample: Sample, day: int) -> int | None:
    """The turn whose end is shown for a day: the last one that ends by its evening, if the game lasts so long."""
    place = sample.place_of_day(day)
    return place if place is not None and day - sample.measures.day(sample.turns[place]) <= 1 else None


def as_csv(found: Sequence[ModelFigures]) -> str:
    """One line for each model and day."""
    known = list(models())
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    towns = sorted({town for model in found for day in model.days for town in day.towns})
    head = ["game", "scenario", "games", "day", "depth_quarter", "depth_half", "depth_three_quarters"]
    writer.writerow([*head, "depth_1944", "still_going", *(f"held {town}" for town in towns)])
    for model in sorted(found, key=lambda model: known.index(model.game)):
        for day in model.days:
            history = "" if day.history is None else day.history
            row = [model.game, model.scenario, model.games, day.day, *day.depth, history, day.still_going]
            writer.writerow([*row, *(day.towns.get(town, "") for town in towns)])
    return out.getvalue()
