"""Writing the atlas: its page, its figures, its pictures.

As a program of its own, `python -m bulge.lab.atlas.make DIR`, it writes the atlas of the shipped results,
for a server to show.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bulge.lab.atlas.chapters import Chapter, shipped_chapters
from bulge.lab.atlas.figures import as_csv
from bulge.lab.atlas.layout import SCRIPT, own_file, page
from bulge.lab.atlas.models import PAGE
from bulge.lab.atlas.page import chance_chart, depth_chart, loss_chart, model_map, win_chart
from bulge.lab.atlas.replay import Place
from bulge.lab.atlas.sheet import PLAIN, PLANNED, fronts_sheet
from bulge.lab.atlas.west import siege_chart, spearhead_map, with_others
from bulge.lab.report.history import DAYS
from bulge.lab.report.style import Figure

CSV, FIGURES = "figures.csv", "figures.json"
PICTURED = 24
"""The day whose maps can be had as pictures of their own."""
STYLE = f"<style>{own_file('pictures.css')}</style>"
"""What a picture needs beside the style of charts when it stands alone."""
ALONE, SERVED = Place(), Place("atlas/", "./")


def write(out: Path, chapters: Sequence[Chapter], place: Place = ALONE) -> Path:
    """The page and all files beside it; the page last, so that when it is there, all is."""
    out.mkdir(parents=True, exist_ok=True)
    figures = [chapter.figures for chapter in chapters]
    downloads = {"all figures as CSV": CSV, "as JSON": FIGURES}
    (out / CSV).write_text(as_csv(figures), "utf-8")
    (out / FIGURES).write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n")
    for figure in _pictures(chapters):
        (out / f"{figure.name}.svg").write_text(figure.alone(STYLE), "utf-8")
        (out / f"{figure.name}.png").write_bytes(figure.png(1400, STYLE))
        downloads |= {f"{figure.name} as {kind.upper()}": f"{figure.name}.{kind}" for kind in ("svg", "png")}
    (out / SCRIPT).write_text(own_file(SCRIPT), "utf-8")
    unfinished = out / f".{PAGE}"
    unfinished.write_text(page(chapters, downloads, place), "utf-8")
    return unfinished.replace(out / PAGE)  # at once: whoever looks meanwhile finds all of the page, or none


def _pictures(chapters: Sequence[Chapter]) -> list[Figure]:
    plain = [chapter for chapter in chapters if chapter.beside is None]
    found = [chapter.figures for chapter in plain]
    maps = [model_map(chapter.sample, (min(PICTURED, _last_day(chapter)),)) for chapter in plain]
    west = [
        drawn
        for chapter, others in with_others(chapters)
        for drawn in (spearhead_map(chapter, others, (PICTURED,)), siege_chart(chapter, others))
    ]
    sheets = [
        fronts_sheet(plain, PLAIN),
        fronts_sheet([chapter for chapter in chapters if chapter.ahead], PLANNED),
    ]
    long = [model for model in found if len(model.days) > 1]
    return [
        depth_chart(found), win_chart(found), *(sheet for sheet in sheets if sheet), *maps, *west,
        *map(chance_chart, long), *map(loss_chart, long),
    ]  # fmt: skip


def _last_day(chapter: Chapter) -> int:
    """The last day with a line of 1944 that a model reaches."""
    last = chapter.figures.days[-1].day if chapter.figures.days else DAYS[0]
    return max((day for day in DAYS if day <= max(last, DAYS[0])), default=DAYS[0])


if __name__ == "__main__":
    write(Path(sys.argv[1]), shipped_chapters(), SERVED)
