"""Writing the atlas: its page, its figures, its pictures.

As a program of its own, `python -m bulge.lab.atlas.make DIR`, it writes the atlas of the shipped results,
for a server to show.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bulge.core.errors import BulgeError
from bulge.lab.atlas.figures import as_csv, figures_of
from bulge.lab.atlas.layout import SCRIPT, Chapter, Place, own_file, page
from bulge.lab.atlas.models import PAGE, models
from bulge.lab.atlas.page import chance_chart, depth_chart, loss_chart, model_map, win_chart
from bulge.lab.atlas.shipped import Kept, all_shipped
from bulge.lab.report.history import DAYS
from bulge.lab.report.sample import Sample
from bulge.lab.report.style import Figure

CSV, FIGURES = "figures.csv", "figures.json"
PICTURED = 24
"""The day whose maps can be had as pictures of their own."""
ALONE, SERVED = Place(), Place("atlas/", "./")


def chapters_of(samples: Sequence[tuple[Sample, str, Sequence[Kept]]]) -> list[Chapter]:
    """In the order of the models, plain runs before those with an if."""
    order = list(models())
    known = [each for each in samples if each[0].game.id in order]
    if not known:
        raise BulgeError("none of these runs is of a model that the atlas knows")
    known.sort(key=lambda each: (bool(each[1]), order.index(each[0].game.id)))
    return [Chapter(sample, figures_of(sample, what_if), kept) for sample, what_if, kept in known]


def shipped_chapters(folder: Path | None = None) -> list[Chapter]:
    found = [(shipped.sample(), shipped.what_if, shipped.kept) for shipped in all_shipped(folder)]
    if not found:
        raise BulgeError("no results came with this program: bulge atlas --play makes them")
    return chapters_of(found)


def write(out: Path, chapters: Sequence[Chapter], place: Place = ALONE) -> Path:
    """The page and all files beside it; the page last, so that when it is there, all is."""
    out.mkdir(parents=True, exist_ok=True)
    figures = [chapter.figures for chapter in chapters]
    plain = [chapter for chapter in chapters if not chapter.figures.what_if]
    downloads = {"all figures as CSV": CSV, "as JSON": FIGURES}
    (out / CSV).write_text(as_csv(figures), "utf-8")
    (out / FIGURES).write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")
    for figure in _pictures(plain):
        (out / f"{figure.name}.svg").write_text(figure.alone(MAP_DEFS if figure.kind == "ground" else ""), "utf-8")
        (out / f"{figure.name}.png").write_bytes(figure.png(1400, MAP_DEFS if figure.kind == "ground" else ""))
        downloads |= {f"{figure.name} as {kind.upper()}": f"{figure.name}.{kind}" for kind in ("svg", "png")}
    (out / SCRIPT).write_text(own_file(SCRIPT), "utf-8")
    unfinished = out / f".{PAGE}"
    unfinished.write_text(page(chapters, downloads, place), "utf-8")
    return unfinished.replace(out / PAGE)  # at once: whoever looks meanwhile finds all of the page, or none


MAP_DEFS = f"<style>{own_file('map.css')}</style>"


def _pictures(plain: Sequence[Chapter]) -> list[Figure]:
    found = [chapter.figures for chapter in plain]
    maps = [model_map(chapter.sample, (min(PICTURED, _last_day(chapter)),)) for chapter in plain]
    long = [model for model in found if len(model.days) > 1]
    return [
        depth_chart(found), win_chart(found), *maps, *map(chance_chart, long), *map(loss_chart, long)
    ]  # fmt: skip


def _last_day(chapter: Chapter) -> int:
    """The last day with a line of 1944 that a model reaches."""
    last = chapter.figures.days[-1].day if chapter.figures.days else DAYS[0]
    return max((day for day in DAYS if day <= max(last, DAYS[0])), default=DAYS[0])


if __name__ == "__main__":
    write(Path(sys.argv[1]), shipped_chapters(), SERVED)
