"""What classes tell the compiler, mypyc, which the program itself does without (scripts/compiled.sh)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as compiled
else:
    C = TypeVar("C", bound=type)

    def compiled(**_: bool) -> Callable[[C], C]:
        """`allow_interpreted_subclasses`: classes of modules that are not compiled derive from it, or it is
        copied, or made by its `__new__` without `__init__`. Where nothing is compiled, this changes nothing."""
        return lambda unchanged: unchanged


__all__ = ["compiled", "is_compiled"]


def is_compiled() -> bool:
    """Whether the inner modules run as C."""
    return not str(import_module("bulge.core.spaces").__file__).endswith(".py")
