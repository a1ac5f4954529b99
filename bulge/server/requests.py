"""What a page may ask for over the WebSocket."""

from __future__ import annotations

from typing import Annotated

import msgspec

Word = Annotated[str, msgspec.Meta(max_length=200)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
Re = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)] | Annotated[str, msgspec.Meta(max_length=64)] | None


class Ask(msgspec.Struct, tag_field="type", kw_only=True):
    n: Count
    """How many choices the page has seen."""
    re: Re = None
    """The page's own number of the request; the answer carries it."""
    rev: Count | None = None
    """The revision that the page has seen."""


class Choose(Ask, tag="choose"):
    id: Word


class Go(Ask, tag="go"):
    id: Word


class TakeTogether(Ask, tag="together"): ...


class Undo(Ask, tag="undo"): ...


class Redo(Ask, tag="redo"): ...


class GiveUp(Ask, tag="give_up"): ...


class Why(Ask, tag="why"):
    about: Word


class PreviewOf(Ask, tag="preview"):
    id: Word


class Reach(Ask, tag="reach"): ...


class Trace(Ask, tag="trace"):
    unit: Word


class ThreatOf(Ask, tag="threat"):
    unit: Word


class DangersTo(Ask, tag="dangers"):
    places: Annotated[tuple[Word, ...], msgspec.Meta(max_length=200)] = ()


class Overlays(Ask, tag="overlays"):
    ids: Annotated[tuple[Word, ...], msgspec.Meta(max_length=40)]


class Log(Ask, tag="log"):
    before: Count
    """The number of a line, counted from 0: those that come before it are wanted."""


class Hint(Ask, tag="hint"): ...


Change = Choose | Go | TakeTogether | Undo | Redo | GiveUp
Inquiry = Why | PreviewOf | Reach | Trace | ThreatOf | DangersTo | Overlays
"""What can be found out from the match alone."""
Question = Inquiry | Log | Hint

decoder: msgspec.json.Decoder[Change | Question] = msgspec.json.Decoder(Change | Question)


class _OnlyRe(msgspec.Struct):
    re: Re = None


def re_of(text: str | bytes) -> Re:
    """The number of a request that is otherwise nonsense, so that its sender can be told."""
    try:
        return msgspec.json.decode(text, type=_OnlyRe).re
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
