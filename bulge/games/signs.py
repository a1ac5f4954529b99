"""Signs that several games print alike: colours of counters, badges of flags."""

from __future__ import annotations

from collections.abc import Iterable

from bulge.core.look import Face, FlagLook, StyleLook

STYLES = (
    StyleLook("german_mechanized", "#2C2E31", "#F2ECDF", "#15161A"),
    StyleLook("german_foot", "#5F6864", "#FFFFFF", "#3C4340"),
    StyleLook("us", "#C9CD93", "#23261A", "#7B8049"),
    StyleLook("british", "#D8A98A", "#2E1A10", "#94684C"),
    StyleLook("blue", "#26405C", "#EEF3F8", "#142536"),
    StyleLook("red", "#E3A48D", "#33130A", "#9C5B44"),
)

_WARNING = "M0 -5.4V1.2M0 4.8v.1"

FLAGS = (
    FlagLook("moved", "moved", effect="spent"),
    FlagLook("attacked", "has attacked", effect="spent"),
    FlagLook("defended", "was attacked"),
    FlagLook("retreated", "has retreated"),
    FlagLook("out_of_supply", "out of supply", _WARNING, "bad"),
    FlagLook("unsupplied", "unsupplied", _WARNING, "bad"),
    FlagLook("isolated", "isolated", "M-3 -5.4V1.2M-3 4.8v.1M3 -5.4V1.2M3 4.8v.1", "bad"),
    FlagLook("low_supply", "low on supply", _WARNING, "bad"),
    FlagLook("short", "short of fuel", "M0 -5.5C2.5 -2 4 0 4 2A4 4 0 0 1-4 2C-4 0-2.5 -2 0 -5.5"),
    FlagLook("disrupted", "disrupted", "M-4 -4 4 4M4 -4-4 4", "bad"),
    FlagLook("broken", "broken", "M-4 -3 4 3M4 -3-4 3M0 -5.4V5.4", "bad"),
    FlagLook("engaged", "engaged: does not move", "M-5.6 0H-1M-3.4 -2.6-1 0-3.4 2.6M5.6 0H1M3.4 -2.6 1 0 3.4 2.6"),
    FlagLook("fired", "has fired", "M4 0A4 4 0 1 1-4 0 4 4 0 1 1 4 0"),
    FlagLook("night", "marked for the night", "M1.5 -5.2A5.2 5.2 0 1 0 5.2 2.2 4.6 4.6 0 0 1 1.5 -5.2"),
    FlagLook("replacement", "was given a replacement", "M0 -5V5M-5 0H5"),
    FlagLook("active", "its formation is active", "M-5 .5-1.5 4 5 -4"),
    FlagLook("suppressed", "suppressed", "M-5 0H5", "bad"),
    FlagLook("air_supply", "supplied from the air", "M0 -5V5M-5 0H5"),
    FlagLook("road_mode", "in Road Mode: half strength, no zone", "M-5 -4 -1 0-5 4M1 -4 5 0 1 4"),
    FlagLook("in_column", "in column: defends with half", "M-5 -4 -1 0-5 4M1 -4 5 0 1 4"),
    FlagLook("mover", "has a Prime Mover", "M-2.5 -4.5 2.5 0-2.5 4.5"),
    FlagLook("must_leave_road", "must leave Road Mode", "M5 -4 1 0 5 4M-1 -4-5 0-1 4"),
    FlagLook("dormant", "dormant off the map", "M-4 -4H4L-4 4H4", "spent"),
    FlagLook("waiting", "about to come on", "M0 -5.4V0L4 2.6"),
)


def styles_of(faces: Iterable[Face]) -> tuple[StyleLook, ...]:
    """The colours that these counters need."""
    needed = {face.style for face in faces}
    return tuple(style for style in STYLES if style.id in needed)
