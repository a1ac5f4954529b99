"""What a game tells newcomers: the file `learning.toml` in its folder, with a briefing and a guided first turn."""

from __future__ import annotations

from importlib.resources.abc import Traversable

import msgspec

from bulge.core.data import read_toml
from bulge.core.look import Briefing, Lesson, Wish


class Learning(msgspec.Struct, frozen=True):
    lessons: tuple[Lesson, ...] = ()
    """A guided first game, one thing to do after the other."""
    briefing: Briefing | None = None
    """The game on one page."""


class _Page(msgspec.Struct, forbid_unknown_fields=True):
    wants: dict[str, tuple[Wish, ...]]
    mistakes: tuple[Wish, ...] = ()
    victory: tuple[Wish, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    lesson: tuple[Lesson, ...] = ()
    briefing: _Page | None = None


def load_learning(folder: Traversable) -> Learning:
    """Read `learning.toml` of a game's folder; a game without one teaches nothing."""
    if not (folder / "learning.toml").is_file():
        return Learning()
    found = read_toml(folder, "learning.toml", _File)
    page = found.briefing
    briefing = Briefing(tuple(page.wants.items()), page.mistakes, page.victory) if page else None
    return Learning(found.lesson, briefing)
