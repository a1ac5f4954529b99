"""A position: everything about a game in play, as plain data that copies in microseconds."""

from __future__ import annotations

import hashlib
from types import UnionType
from typing import Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

import msgspec

_FLAT = (int, str, bool, float, type(None))


class Position(msgspec.Struct, kw_only=True):
    """The base of every game's position.

    A field is a number, a word, or a flat list or dict of those (or of frozen structs). Deeper nesting would make
    copies slow or, worse, shared; it is refused when the class is defined.
    """

    step: str
    """The step of the sequence of play that is under way, or about to begin."""
    turn: int = 1
    drawn: int = 0
    """How many random numbers have been taken."""

    newer: ClassVar[tuple[str, ...]] = ()
    """Fields that were added when games had been kept already. While one is 0 or empty, a fingerprint passes it
    over, so that what was kept before still verifies."""

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        containers = {
            name: get_origin(hint)
            for name, hint in get_type_hints(cls).items()
            if get_origin(hint) is not ClassVar and _is_container(hint)
        }
        cls.copy = _copier(containers)  # type: ignore[method-assign]

    def copy(self) -> Self:
        twin: Self = self.__copy__()  # type: ignore[attr-defined]  # given by msgspec
        return twin

    def to_json(self) -> bytes:
        return msgspec.json.encode(self)

    def fingerprint(self) -> str:
        """The same for two positions if and only if they are equal."""
        plain = msgspec.to_builtins(self, str_keys=True)
        for name in self.newer:
            if not plain[name]:
                del plain[name]
        return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()[:16]


def _copier(containers: dict[str, Any]) -> Any:
    """A copy method with a line for each container. Written out, it takes half the time of a loop over names, and
    nothing else is done as often as this; a list is unpacked, since that calls nothing."""
    copies = {
        name: f"[*self.{name}]" if kind is list else f"self.{name}.copy()" for name, kind in containers.items()
    }
    lines = "".join(f"    twin.{name} = {copied}\n" for name, copied in copies.items())
    made: dict[str, Any] = {}
    exec(f"def copy(self):\n    twin = self.__copy__()\n{lines}    return twin\n", made)
    return made["copy"]


def _is_container(hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in (list, dict):
        if not all(_is_flat(arg) for arg in get_args(hint)):
            raise TypeError(f"a position holds flat lists and dicts only, not {hint}")
        return True
    if not _is_flat(hint):
        raise TypeError(f"a position cannot hold {hint}")
    return False


def _is_flat(hint: Any) -> bool:
    if hint in _FLAT:
        return True
    origin = get_origin(hint)
    if origin in (Union, UnionType, tuple):
        return all(arg is Ellipsis or _is_flat(arg) for arg in get_args(hint))
    if not (isinstance(hint, type) and issubclass(hint, msgspec.Struct) and hint.__struct_config__.frozen):
        return False
    return all(_is_flat(held) for held in get_type_hints(hint).values() if get_origin(held) is not ClassVar)
