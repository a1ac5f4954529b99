"""`bulge report`: what runs say, as one page and as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bulge.core.errors import BulgeError

PAGE = "report.html"


def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR", help="Folders of runs of bulge sim.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where the page goes; without it, into DIR/report, or ./report for several."
        ),
    ] = None,
) -> None:
    """Write what one or more runs say: report.html, which needs nothing else, and its pictures as PNG."""
    from bulge.lab.report.page import Page
    from bulge.lab.report.sample import read_samples

    samples = [sample for folder in dict.fromkeys(folders) for sample in read_samples(folder)]
    target = out or (folders[0] / "report" if len(folders) == 1 else Path("report"))
    if target.exists() and not target.is_dir():
        raise BulgeError(f"{target} is not a folder")
    target.mkdir(parents=True, exist_ok=True)

    def keep(name: str, data: bytes) -> None:
        (target / name).write_bytes(data)
        pictures.append(name)

    pictures: list[str] = []
    html = Page(samples, keep, lambda words: typer.echo(words, err=True)).html()
    (target / PAGE).write_text(html, "utf-8")
    typer.echo(f"Wrote {target / PAGE} ({len(html.encode()) // 1024} kB) and {len(pictures)} pictures beside it.")
