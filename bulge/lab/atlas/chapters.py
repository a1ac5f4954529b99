"""The runs that a page shows, with their figures, each beside the run that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bulge.core.errors import BulgeError
from bulge.lab.atlas.figures import ModelFigures, figures_of
from bulge.lab.atlas.models import models
from bulge.lab.atlas.runs import Run, besides
from bulge.lab.atlas.shipped import Kept, all_shipped, name_of
from bulge.lab.report.sample import Sample


class Chapter(NamedTuple):
    """A run with its figures."""

    sample: Sample
    figures: ModelFigures
    kept: Sequence[Kept] = ()
    beside: Chapter | None = None
    """The run without the if, or the plain one by players that do not plan ahead; None for a plain run."""

    @property
    def run(self) -> Run:
        return Run(self.sample.plan, self.sample.scenario, self.figures.what_if)

    @property
    def ahead(self) -> bool:
        """Whether it is the plain run once more, by players that plan ahead."""
        return self.beside is not None and not self.figures.what_if


Given = tuple[Sample, str, Sequence[Kept]]
"""A run as it is read: what is otherwise in it, and its games to look at."""


def chapters_of(given: Sequence[Given]) -> list[Chapter]:
    """In the order of the models; plain runs first, then those by players that plan ahead, then the ifs."""
    order = list(models())
    known = [each for each in given if each[0].game.id in order]
    if not known:
        raise BulgeError("none of these runs is of a model that the atlas knows")
    known.sort(key=lambda each: order.index(each[0].game.id))
    laid = besides([_run(each) for each in known])
    alone = [Chapter(sample, figures_of(sample, what_if), kept) for sample, what_if, kept in known]
    found = [
        chapter if place is None else chapter._replace(beside=alone[place])
        for chapter, place in zip(alone, laid, strict=True)
    ]
    return sorted(found, key=lambda chapter: (chapter.beside is not None, bool(chapter.figures.what_if)))


def shipped_runs(folder: Path | None = None) -> list[Given]:
    """What came with the program."""
    found: list[Given] = [(shipped.sample(), shipped.what_if, shipped.kept) for shipped in all_shipped(folder)]
    if not found:
        raise BulgeError("no results came with this program: bulge atlas --play makes them")
    return found


def in_place_of(shipped: Sequence[Given], own: Sequence[Given]) -> list[Given]:
    """What came with the program, and runs of one's own, which take the place of those of the same name."""
    taken = {name_of(_run(each)) for each in own if each[0].game.id in models()}
    return [*(each for each in shipped if name_of(_run(each)) not in taken), *own]


def _run(given: Given) -> Run:
    return Run(given[0].plan, given[0].scenario, given[1])


def shipped_chapters(folder: Path | None = None) -> list[Chapter]:
    return chapters_of(shipped_runs(folder))
