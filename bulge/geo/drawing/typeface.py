"""The typefaces: measuring text with the fonts' own widths, and carrying the fonts inside the SVG.

The files in `fonts` hold the Latin letters of Cabin, EB Garamond and Barlow Condensed (SIL Open Font License, the
licences stand beside them): woff2 for browsers, ttf for PNG; `widths.json` has the widths of their letters.
"""

import base64
import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bulge.geo.drawing import palette as ink

FONTS = Path(__file__).with_name("fonts")


class Face(NamedTuple):
    family: str
    weight: int
    italic: bool
    file: str


# sans for places, serif for title and countries, serif-italic for water and regions, condensed for counters
FACES = {
    ("sans", 500): Face("Cabin", 500, False, "cabin-500"),
    ("sans", 600): Face("Cabin", 600, False, "cabin-600"),
    ("sans", 700): Face("Cabin", 700, False, "cabin-700"),
    ("serif", 500): Face("EB Garamond", 500, False, "eb-garamond-500"),
    ("serif-italic", 500): Face("EB Garamond", 500, True, "eb-garamond-500-italic"),
    ("condensed", 600): Face("Barlow Condensed", 600, False, "barlow-condensed-600"),
}
STYLE = (
    f"svg{{fill:{ink.INK};font-family:Cabin,'Gill Sans','Segoe UI',sans-serif;font-weight:500}}"
    ".s{font-family:'EB Garamond',Garamond,Georgia,serif}.i{font-style:italic}"
    ".c{font-family:'Barlow Condensed','Arial Narrow',sans-serif;font-weight:600}"
    f".halo{{paint-order:stroke;stroke:{ink.HALO};stroke-opacity:.82;stroke-linejoin:round}}"
)


@cache
def _widths() -> dict[str, dict[str, int]]:
    widths: dict[str, dict[str, int]] = json.loads((FONTS / "widths.json").read_text(encoding="utf-8"))
    return widths


def text_width(text: str, size: float, face: str = "sans", weight: int = 500, track: float = 0.0) -> float:
    table = _widths()[f"{face} {weight}"]
    return sum(table.get(c, 600) for c in text) / 1000 * size + track * size * len(text)


def font_faces(*, counters: bool) -> str:
    """The fonts themselves, to be put into a style sheet."""
    rules = []
    for (name, _), face in FACES.items():
        if name == "condensed" and not counters:
            continue
        data = base64.b64encode((FONTS / f"{face.file}.woff2").read_bytes()).decode()
        rules.append(
            f"@font-face{{font-family:'{face.family}';font-weight:{face.weight};"
            f"font-style:{'italic' if face.italic else 'normal'};src:url(data:font/woff2;base64,{data})}}"
        )
    return "\n".join(rules)


def style_sheet(*, embed: bool, counters: bool) -> str:
    """The sheet's style, with the fonts inside it unless the page that shows the map has them."""
    return f"{font_faces(counters=counters)}\n{STYLE}" if embed else STYLE


def with_fonts(svg: str) -> str:
    """A sheet that was drawn without its fonts, with them."""
    return svg.replace(STYLE, style_sheet(embed=True, counters=False), 1)
