"""The look of the report: one set of colours for the screen by day and by night, for paper, and for pictures."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape, quoteattr

from bulge.geo.drawing.png import to_png
from bulge.geo.drawing.svg import num
from bulge.geo.drawing.typeface import STYLE as MAP_STYLE

LIGHT = {
    "page": "#F6F1E4",
    "card": "#FDFAF2",
    "ink": "#2A2723",
    "soft": "#5C5443",
    "rule": "#D9CFB8",
    "attack": "#8E2F2B",
    "defend": "#2F5D50",
    "link": "#1F5F7A",
}
DARK = {
    "page": "#16181A",
    "card": "#1F2224",
    "ink": "#ECE6D9",
    "soft": "#B9B1A1",
    "rule": "#3C4043",
    "attack": "#F09A84",
    "defend": "#8FC4B0",
    "link": "#8CC3DC",
}
PAPER = {**LIGHT, "page": "#FFFFFF", "card": "#FFFFFF", "rule": "#BDB5A3"}

CHART_STYLE = """
.chart{{font-family:Cabin,'Gill Sans','Segoe UI',sans-serif;font-weight:500;font-size:13px;fill:{ink}}}
.chart .soft{{fill:{soft}}}
.chart .strong{{font-weight:700}}
.chart .grid{{stroke:{rule};stroke-width:1;fill:none}}
.chart .axis{{stroke:{soft};stroke-width:1;fill:none}}
.chart .attack{{fill:{attack}}}
.chart .defend{{fill:{defend}}}
.chart .attack-line{{stroke:{attack};stroke-width:2.4;fill:none;stroke-linejoin:round}}
.chart .defend-line{{stroke:{defend};stroke-width:2.4;fill:none;stroke-dasharray:7 3;stroke-linejoin:round}}
.chart .history-line{{stroke:{ink};stroke-width:1.6;fill:none;stroke-dasharray:2 4;stroke-linecap:round}}
.chart .history{{fill:{card};stroke:{ink};stroke-width:1.8}}
.chart .hollow{{fill:{card};stroke:{defend};stroke-width:2}}
.chart .bar-line{{stroke:{defend};stroke-width:1.5;fill:{card}}}
"""
"""In every class the colour is only half of it: lines differ by their dashes, marks by their shape."""


def chart_css(colours: dict[str, str] | None = None) -> str:
    """The charts' style, with fixed colours or with those of the page."""
    return CHART_STYLE.format_map(colours or {name: f"var(--{name})" for name in LIGHT})


class Figure:
    """A drawing that can stand in the page or on its own."""

    def __init__(self, name: str, words: str, body: str, width: float, height: float, **settings: Any) -> None:
        self.name = name
        """Of its file."""
        self.words = words
        """What somebody who does not see it should know."""
        self.body, self.width, self.height = body, width, height
        self.kind: str = settings.get("kind", "chart")
        self.origin: tuple[float, float] = settings.get("origin", (0.0, 0.0))

    @property
    def _view(self) -> str:
        return " ".join(num(value) for value in (*self.origin, self.width, self.height))

    def inline(self) -> str:
        """As part of the page, in the page's colours."""
        label = quoteattr(self.words)
        return f'<svg class="{self.kind}" viewBox="{self._view}" role="img" aria-label={label}>{self.body}</svg>'

    def alone(self, defs: str = "") -> str:
        """As a file of its own, in the colours of daylight."""
        css = chart_css(LIGHT) + MAP_STYLE.replace("svg{", ".map{")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.kind}" viewBox="{self._view}" '
            f'width="{num(self.width)}" height="{num(self.height)}"><title>{escape(self.words)}</title>'
            f"<style>{css}</style>{defs}"
            f'<rect x="{num(self.origin[0])}" y="{num(self.origin[1])}" width="100%" height="100%" '
            f'fill="{LIGHT["card"]}"/>{self.body}</svg>'
        )

    def png(self, width: int, defs: str = "") -> bytes:
        return to_png(self.alone(defs), width)
