"""Map files as text: keys sorted, one hex and one hexside a line, so that a change can be read."""

from __future__ import annotations

import json
from typing import Any

_BY_LINE = ("hexes", "sides", "edges", "areas", "boxes", "spaces", "links")
_ORDER = ("format", "game", "title", "grid", "projection", *_BY_LINE)


def to_text(document: dict[str, Any]) -> str:
    parts = []
    known = [key for key in _ORDER if key in document]
    for key in [*known, *sorted(set(document) - set(known))]:
        value = document[key]
        if key in _BY_LINE and isinstance(value, dict):
            rows = [f"  {_json(name)}: {_json(value[name])}" for name in sorted(value)]
            parts.append(f" {_json(key)}: {{\n" + ",\n".join(rows) + ("\n }" if rows else "}"))
        else:
            parts.append(f" {_json(key)}: {_json(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
