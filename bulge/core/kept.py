"""A property that is worked out once and then kept.

`functools.cached_property` takes a lock on Python 3.11, which costs more than most of what the rules keep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any


class _Kept:
    """Used like `functools.cached_property`, but by one thread at a time."""

    def __init__(self, find: Callable[[Any], Any]) -> None:
        self._find, self._name, self.__doc__ = find, find.__name__, find.__doc__

    def __get__(self, holder: Any, owner: type | None = None) -> Any:
        if holder is None:
            return self
        found = holder.__dict__[self._name] = self._find(holder)
        return found


if TYPE_CHECKING:
    from functools import cached_property as kept
else:
    kept = _Kept

__all__ = ["kept"]
