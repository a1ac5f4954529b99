"""What a choice led to, as its log tells it: short, or in one sentence with the rest to be opened."""

from __future__ import annotations

from collections.abc import Sequence

from bulge.core.table import NEAREST, Event

SHORT = 240
"""So many letters can be told whole."""
TELLING = ("result", "battle", "loss")
"""The kinds of lines that say most of what happened, the best first."""


def told(said: Sequence[Event]) -> tuple[str, str]:
    """The headline, and line by line all that everybody could read where that is not told by it already."""
    lines = [event for event in said if event.side is None and event.depth < NEAREST]
    sentences = [_sentence(event) for event in lines]
    whole = " ".join(sentences)
    if len(whole) <= SHORT or len(lines) == 1:
        return whole, ""
    at = lines.index(_most_telling(lines))
    under = next((f"{event.words.rstrip('.')}: " for event in reversed(lines[:at]) if event.kind == "phase"), "")
    return under + sentences[at], "\n".join(sentences)


def _most_telling(lines: Sequence[Event]) -> Event:
    for kind in TELLING:
        for event in lines:
            if event.kind == kind:
                return event
    rolled = next((at for at, event in enumerate(lines) if event.dice), -1)
    came = [event for event in lines[rolled + 1 :] if not event.depth and not event.kind and not event.dice]
    return came[0] if came else lines[0]


def _sentence(event: Event) -> str:
    return f"{event.words.rstrip('.')}."
