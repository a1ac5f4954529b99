"""PNG from SVG, by resvg: the picture a browser would show, without one."""

import importlib
from pathlib import Path

from bulge.geo.drawing.typeface import FONTS


class NoRendererError(RuntimeError):
    """The renderer is not installed."""


def to_png(svg: str, width: int = 2400) -> bytes:
    """A PNG so many pixels wide; only the map's own fonts are used, so it looks alike everywhere."""
    try:
        resvg = importlib.import_module("resvg_py")
    except ModuleNotFoundError as error:
        raise NoRendererError("PNG needs the Python package resvg-py: pip install resvg-py") from error
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_dirs=[str(FONTS)]))


def save_png(svg: str, path: Path, width: int = 2400) -> None:
    path.write_bytes(to_png(svg, width))
