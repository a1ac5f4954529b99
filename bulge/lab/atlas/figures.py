"""The figures of the atlas, by model and day: what the pictures show, and what can be downloaded."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

import msgspec

from bulge.lab.atlas.models import rebuilt
from bulge.lab.atlas.runs import players_of
from bulge.lab.atlas.shares import Middle, Share, middle, share_of
from bulge.lab.atlas.siege import STATES, TOWN, Siege, sieges
from bulge.lab.atlas.spearhead import Reach, reaches
from bulge.lab.report.history import DAYS
from bulge.lab.report.sample import Sample

LAST_DAY = 26


class Chances(msgspec.Struct, frozen=True):
    """How often the attackers won in the end, by how deep they stood on an evening."""

    deep: Share
    """Of the half of the games that stood deeper."""
    shallow: Share
    history_is_deep: bool | None
    """In which half the front of 1944 would be; None where it is not known."""


class Day(msgspec.Struct, frozen=True):
    """How a model stood on the evening of a day of December."""

    day: int
    depth: Middle
    """Kilometres from the start to the farthest ground held: a quarter, half, three quarters of the games."""
    history: float | None
    """The same of the line of 1944 on this model's spaces, on the days whose line is known."""
    towns: dict[str, Share]
    """The share of games in which each key town was held."""
    losses: dict[str, Middle]
    """What each side had lost: a quarter, half, three quarters of the games."""
    chances: Chances
    still_going: float
    """The share of games that were not over."""
    reach: Reach | None = None
    """Of a model of the whole battle."""
    siege: Siege | None = None
    """The same."""


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
    what_if: str = ""
    """What is otherwise than in the plain run of the same game."""
    players: dict[str, str] = {}
    """Who played each side that people decide for."""

    @property
    def whole(self) -> bool:
        """Whether it is a model of the whole battle, from the first day on."""
        return self.unit == "km" and bool(self.days) and self.days[0].day == DAYS[0]


def figures_of(sample: Sample, what_if: str = "") -> ModelFigures:
    """All figures of one model."""
    won = sample.won(sample.attacker)
    return ModelFigures(
        game=sample.game.id,
        title=sample.title,
        scenario=sample.subtitle,
        games=len(sample.rows),
        command=command_of(sample),
        made_by=sample.plan.made_by,
        won=share_of(won.some, won.of),
        drawn=round(sample.won(None).share, 4),
        attacker=sample.attacker,
        days=tuple(_days(sample)),
        rebuilt=rebuilt(sample.game),
        unit=sample.measures.ground.unit,
        loss_words=sample.measures.loss_words,
        what_if=what_if,
        players=dict(sample.plan.players),
    )


def command_of(sample: Sample) -> str:
    plan = sample.plan
    players = " ".join(f"--{side.lower().replace(' ', '-')} {level}" for side, level in plan.players.items())
    options = "".join(f" --option {name}={value}" for name, value in plan.options.items())
    over = " (with overrides)" if plan.overrides else ""
    return (
        f"bulge sim {plan.game} --scenario {sample.scenario} {players} --games {plan.games} --seed {plan.seed}"
        f"{options}{over}"
    )


def _evenings(sample: Sample) -> dict[int, int]:
    """By day of December: the place of the turn that ends on its evening."""
    found = {}
    for day in range(DAYS[0], LAST_DAY + 1):
        place = sample.place_of_day(day)
        if place is not None and sample.measures.day(sample.turns[place]) == day:
            found[day] = place
    return found


def _days(sample: Sample) -> Iterator[Day]:
    depth, towns, evenings = sample.quantiles("deepest"), sample.town_shares(), _evenings(sample)
    losses = {side: sample.losses(side) for side in sample.game.sides}
    games = len(sample.rows)
    known = [day for day in DAYS if day in evenings] if sample.history.real else []
    whole = TOWN in towns and DAYS[0] in evenings
    reach = reaches(sample, evenings, known) if whole else {}
    siege = sieges(sample, evenings) if whole else {}
    for day, place in evenings.items():
        going = sum(len(row["turns"]) > place for row in sample.rows) / len(sample.rows)
        yield Day(
            day=day,
            depth=middle(depth[place]),
            history=sample.historical_depth(day) if day in known else None,
            towns={town: share_of(round(shares[place] * games), games) for town, shares in towns.items()},
            losses={side: middle(by_turn[place]) for side, by_turn in losses.items()},
            chances=_chances(sample, place, day),
            still_going=round(going, 4),
            reach=reach.get(day),
            siege=siege.get(day),
        )


def _chances(sample: Sample, place: int, day: int) -> Chances:
    ordered = sorted(sample.rows, key=lambda row: (sample.at(row, "deepest", place), row["number"]))
    half = len(ordered) // 2
    shallow, deep = ordered[:half], ordered[half:]
    won = [sum(row["winner"] == sample.attacker for row in some) for some in (deep, shallow)]
    least = sample.at(deep[0], "deepest", place)
    known = day in DAYS and sample.history.real
    return Chances(
        share_of(won[0], len(deep)),
        share_of(won[1], len(shallow)),
        sample.historical_depth(day) >= least if known else None,
    )


def last_turn_of(sample: Sample, day: int) -> int | None:
    """The turn whose end is shown for a day: the last one that ends by its evening, if the game lasts so long."""
    place = sample.place_of_day(day)
    return place if place is not None and day - sample.measures.day(sample.turns[place]) <= 1 else None


def as_csv(found: Sequence[ModelFigures]) -> str:
    """One line for each figure, with its interval: model, what if, day, what, the figure, low and high."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["game", "scenario", "what_if", "players", "games", "day", "figure", "value", "low", "high"])
    for model in found:
        head = [model.game, model.scenario, model.what_if, players_of(model.players), model.games]
        writer.writerow([*head, "", "attackers won", model.won.share, model.won.low, model.won.high])
        for day in model.days:
            for name, value, low, high in _figures(day):
                writer.writerow([*head, day.day, name, value, low, high])
    return out.getvalue()


def _figures(day: Day) -> Iterator[tuple[str, float, float | str, float | str]]:
    """Of depths and losses the range holds half of the games, of shares it is the interval."""
    low, half, high = day.depth
    yield "depth", half, low, high
    if day.history is not None:
        yield "depth in 1944", day.history, "", ""
    yield "still going", day.still_going, "", ""
    for name, share in (("won, of the deeper half", day.chances.deep), ("won, of the rest", day.chances.shallow)):
        yield name, share.share, share.low, share.high
    for town, share in day.towns.items():
        yield f"held {town}", share.share, share.low, share.high
    for side, (less, lost, more) in day.losses.items():
        yield f"lost by {side}", lost, less, more
    if day.reach is not None:
        less, stood, more = day.reach.from_celles
        yield "spearhead to Celles", stood, less, more
        came = {"had come to the Meuse": day.reach.meuse}
        came |= {f"had come to the Meuse: {sector}": share for sector, share in day.reach.sectors.items()}
        for name, share in came.items():
            yield name, share.share, share.low, share.high
    if day.siege is not None:
        for state in STATES:
            share = day.siege.share(state)
            yield f"{TOWN} {state}", share.share, share.low, share.high
        ever = day.siege.ever
        yield f"{TOWN} had been besieged", ever.share, ever.low, ever.high
