"""A property that is worked out once and then kept.

`functools.cached_property` takes a lock on Python 3.11, which costs more than most of what the rules keep; and the
compiler (docs/architecture.md) would work it out anew each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, Self, TypeVar, overload

from bulge.core.compiling import compiled

T = TypeVar("T")


class _Kept(Generic[T]):
    """Used like `functools.cached_property`, but by one thread at a time."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find, self._name = find, find.__name__

    @overload
    def __get__(self, holder: None, owner: type) -> Self: ...
    @overload
    def __get__(self, holder: object, owner: type) -> T: ...
    def __get__(self, holder: Any, owner: type) -> Any:
        if holder is None:
            return self
        found = self._find(holder)
        setattr(holder, self._name, found)  # from now on this is found before us
        return found


kept = _Kept


@compiled(allow_interpreted_subclasses=True)
class Keeps(Protocol):
    """The base of a class that keeps something. Compiled, its instances would have no room for that otherwise."""


__all__ = ["Keeps", "kept"]
