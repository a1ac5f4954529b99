"""Results that come with the program: the games of a run as one compressed file, and a few of them as journals.

They say what they came from: the plan has game, scenario, players, seed, and a hash of the program that played.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from bulge import __version__
from bulge.core import journal as journals
from bulge.core.errors import BulgeError
from bulge.core.journal import Journal
from bulge.core.match import Match
from bulge.lab.atlas.models import models
from bulge.lab.atlas.runs import Run, besides, players_of
from bulge.lab.measures import measures_of
from bulge.lab.plan import Plan
from bulge.lab.record import Row
from bulge.lab.report.sample import Sample
from bulge.lab.store import JOURNALS

ENDING = ".json.gz"
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
"""Of the games, from the shallowest to the deepest, these are kept to be looked at."""


class Kept(msgspec.Struct, frozen=True):
    """A game that can be played again, choice by choice."""

    number: int
    journal: Journal
    evenings: dict[int, int]
    """By day of December: how many choices had been made when it ended."""


class Shipped(msgspec.Struct, frozen=True):
    version: str
    """Of the program that played them."""
    plan: Plan
    rows: list[Row]
    kept: list[Kept]
    what_if: str = ""
    """What is otherwise than in the plain run of the same game; nothing for that one."""

    @property
    def run(self) -> Run:
        return Run(self.plan, self.plan.scenarios[0], self.what_if)

    def sample(self) -> Sample:
        rows = [
            msgspec.structs.asdict(row) | {"rolls": [msgspec.structs.asdict(tally) for tally in row.rolls]}
            for row in self.rows
        ]
        return Sample(Path(), self.plan, self.plan.load(), self.plan.scenarios[0], rows)


def ship(runs: Sequence[tuple[Sample, str]], folder: Path) -> list[Path]:
    """Write runs for shipping, each with what is otherwise in it; none if they do not fit to what is there."""
    new = {f"{name_of(run)}{ENDING}": run for run in (_run(sample, what_if) for sample, what_if in runs)}
    old = {file.name: read(file).run for file in _files(folder) if file.name not in new}
    besides([*old.values(), *new.values()])
    return [_ship(sample, folder, what_if) for sample, what_if in runs]


def _run(sample: Sample, what_if: str) -> Run:
    if sample.game.id not in models():
        raise BulgeError(f"the atlas has no model {sample.game.id!r}; it has: {', '.join(models())}")
    if len(sample.plan.scenarios) > 1:
        raise BulgeError(f"a run that is shipped has one scenario, not {', '.join(sample.plan.scenarios)}")
    return Run(sample.plan, sample.scenario, what_if)


def _ship(sample: Sample, folder: Path, what_if: str) -> Path:
    """Of its journals, if it has any, a few that differ."""
    rows = [msgspec.convert(row | {"rolls": [], "counts": []}, Row) for row in sample.rows]
    found = Shipped(__version__, sample.plan, rows, list(_kept(sample)), what_if)
    file = folder / f"{name_of(found.run)}{ENDING}"
    folder.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(msgspec.json.encode(found), 9, mtime=0))
    return file


def name_of(run: Run) -> str:
    """Of its file: a plain run bears its game's name alone."""
    return "--".join((run.plan.game, *(slug for slug in (_slug(run.what_if), by_words(run)) if slug)))


def by_words(run: Run) -> str:
    """By whom a run is played, where they plan ahead: part of the names of its file and of its games."""
    return _slug(f"by {players_of(run.plan.players)}") if run.plans_ahead else ""


def _slug(words: str) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in words.lower()).split())


def _kept(sample: Sample) -> Iterator[Kept]:
    by_depth = sorted(sample.rows, key=lambda row: (max(row["deepest"]), row["number"]))
    places = dict.fromkeys(round(quantile * (len(by_depth) - 1)) for quantile in QUANTILES)
    for place in places:
        number = by_depth[place]["number"]
        file = sample.path / JOURNALS / f"{sample.scenario}-{number:05}.json"
        if file.exists():
            journal = journals.read(file)
            yield Kept(number, journal, evenings_of(sample, journal))


def evenings_of(sample: Sample, journal: Journal) -> dict[int, int]:
    """When each day ended, in choices."""
    measures, game = measures_of(sample.game), sample.game
    match: Match[Any] = Match(game, journal.scenario, journal.options, seed=journal.seed, keep_log=False)
    found: dict[int, int] = {}
    for count, id_ in enumerate(journal.choices, start=1):
        match.answer(id_)
        found[measures.day(match.position.turn)] = count
    return {day: count for day, count in found.items() if day > 0}


def read(file: Path | Traversable) -> Shipped:
    try:
        return msgspec.json.decode(gzip.decompress(file.read_bytes()), type=Shipped)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise BulgeError(f"{file.name} holds no results of the atlas: {error}") from None


def all_shipped(folder: Path | None = None) -> list[Shipped]:
    """What came with the program: the plain runs, those by players that plan ahead, those with an if."""
    place = folder or files("bulge.lab.atlas") / "results"
    found = [read(file) for file in _files(place)]
    return sorted(found, key=lambda shipped: (shipped.what_if, shipped.run.plans_ahead))


def game_name(run: Run, number: int) -> str:
    """What a game of a run is asked for by, beside the name of what is played."""
    return "-".join(part for part in (by_words(run), str(number)) if part)


def _files(place: Path | Traversable) -> Sequence[Any]:
    if not place.is_dir():
        return []
    return sorted((file for file in place.iterdir() if file.name.endswith(ENDING)), key=lambda file: file.name)


@cache
def kept_games() -> Mapping[tuple[str, str], str]:
    """The journals that came with the program, by game and name; read once, since anybody may ask for them."""
    return {
        (shipped.plan.game, game_name(shipped.run, kept.number)): journals.encode(kept.journal)
        for shipped in all_shipped()
        if not shipped.what_if
        for kept in shipped.kept
    }
