"""What an override may put into a field: every number has a range, every word is free or known there.

A field says so by its type (`Annotated[int, msgspec.Meta(ge=0, le=20)]`, `Literal`, `Words`, `Space`). One that
says nothing keeps to what its column holds as printed: numbers to twice its span, words to those that occur in it.
So the data of a game yet to be written cannot lead its rules where they were never meant to go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
from msgspec import inspect as kinds

from bulge.core.errors import BadData

Words = Annotated[str, msgspec.Meta(max_length=200, extra={"free": True})]
"""A name, or words for people: anything."""
Space = Annotated[str, msgspec.Meta(max_length=40, extra={"free": True})]
"""A hex or another space of the map; whoever reads it refuses one that is not there."""
FIXED = msgspec.Meta(extra={"fixed": True})
"""For a field that the rules themselves rest on: `kind: Annotated[str, FIXED]`. No override changes it."""

LEAST_SPAN = 10
"""A column of small numbers may be raised to this."""


class Column:
    """One field of all the rows of a table, and what may stand in it."""

    def __init__(self, name: str, type_: kinds.Type, printed: Iterable[object]) -> None:
        self._name, self._type = name, type_
        values = list(printed)
        held = [part for value in values for part in _parts(value)]
        numbers = [part for part in held if isinstance(part, int | float)]
        self._words = {part for part in held if isinstance(part, str)}
        self._lowest, self._highest = _span(numbers)
        lengths = [len(value) for value in values if isinstance(value, list | tuple | dict)]
        self._longest = 2 * max(lengths, default=0)

    def check(self, value: object, printed: object) -> None:
        """Complain of a value that must not stand here instead of the printed one."""
        if isinstance(self._type, kinds.Metadata) and (self._type.extra or {}).get("fixed"):
            raise BadData(f"{self._name} cannot be changed: the rules rest on it")
        if isinstance(value, list | tuple | dict) and not 0 < len(value) <= self._longest:
            raise BadData(f"{self._name} must hold 1 to {self._longest} values, not {len(value)}")
        if isinstance(value, list | tuple) and set(_words(value)) != set(_words(printed)):
            wanted = ", ".join(dict.fromkeys(_words(printed)))
            raise BadData(f"{self._name} must hold each of {wanted} at least once, and nothing else")
        free, ranged = _is_free(self._type), _is_ranged(self._type)
        for part in _parts(value):
            if isinstance(part, str) and not free and part not in self._words:
                allowed = ", ".join(sorted(repr(word) for word in self._words))
                raise BadData(f"{self._name} must be one of {allowed}, not {part[:40]!r}")
            if isinstance(part, int | float) and not ranged and not self._lowest <= part <= self._highest:
                raise BadData(f"{self._name} must be from {self._lowest} to {self._highest}, not {part}")


def columns_of(row: type[msgspec.Struct], rows: Iterable[msgspec.Struct]) -> dict[str, Column]:
    """The columns of a table, as it is printed."""
    described, printed = kinds.type_info(row), list(rows)
    assert isinstance(described, kinds.StructType)
    return {
        field.name: Column(field.encode_name, field.type, [getattr(each, field.name) for each in printed])
        for field in described.fields
    }


def _span(numbers: list[int | float]) -> tuple[int, int]:
    """Twice as far from nought as any number printed; where all of them are above it, none may fall to it."""
    low, high = min(numbers, default=0), max(numbers, default=0)
    return (1 if low >= 1 else min(0, int(2 * low))), max(LEAST_SPAN, int(2 * high))


def _parts(value: object) -> Iterator[object]:
    """A value's numbers and words; yes and no are neither."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _parts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _parts(part)
    elif not isinstance(value, bool) and value is not None:
        yield value


def _words(value: object) -> list[str]:
    return [part for part in _parts(value) if isinstance(part, str)]


def _is_free(type_: kinds.Type) -> bool:
    """Whether the type itself says what words it allows."""
    if isinstance(type_, kinds.Metadata):
        return bool((type_.extra or {}).get("free")) or _is_free(type_.type)
    if isinstance(type_, kinds.UnionType):
        return any(_is_free(each) for each in type_.types)
    return isinstance(type_, kinds.LiteralType | kinds.EnumType)


def _is_ranged(type_: kinds.Type) -> bool:
    """Whether the type itself says what numbers it allows."""
    match type_:
        case kinds.Metadata():
            return _is_ranged(type_.type)
        case kinds.UnionType():
            return any(_is_ranged(each) for each in type_.types)
        case kinds.IntType() | kinds.FloatType():
            return type_.ge is not None and type_.le is not None
    inner: Any = getattr(type_, "item_type", None) or getattr(type_, "value_type", None)
    return inner is not None and _is_ranged(inner)
