"""Where a game in play is kept: the file the user named, or one in their data folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from bulge.cli.common import data_folder
from bulge.core import journal as journals
from bulge.core.chance import commitment
from bulge.core.errors import BadJournal, BulgeError
from bulge.core.match import Match


class Keeper:
    """Knows where a match is to be saved and whether anything in it is not saved yet."""

    def __init__(self, overrides: str = "", path: Path | None = None, *, saved: list[str] | None = None) -> None:
        self.path = path
        """The file that the user named, if any."""
        self._overrides = overrides
        self._saved = saved or []
        """The choices that are in a file already. A match without choices needs no saving."""

    def unsaved(self, match: Match[Any]) -> bool:
        return match.ids != self._saved

    def save(self, match: Match[Any], path: Path | None = None) -> Path:
        """Save to this file, or to the one named before, or to one in the user's data folder."""
        target = path or self.path or autosave_path(match)
        check_target(target, match)
        try:
            journals.save(journals.journal_of(match, self._overrides), target)
        except (OSError, ValueError) as error:
            raise BulgeError(f"{target} cannot be written: {_reason(error)}") from None
        self._saved = list(match.ids)
        if path is not None:
            self.path = path
        return target

    def save_somewhere(self, match: Match[Any]) -> Path:
        """Save; if the named file refuses, then in the data folder: a game must not be lost to a full disk."""
        if self.path is not None and not self.unsaved(match):
            return self.path
        try:
            return self.save(match)
        except BulgeError:
            if self.path is None:
                raise
            return self.save(match, autosave_path(match))


def autosave_path(match: Match[Any]) -> Path:
    """One file a match: saving it again replaces only itself."""
    assert match.seed is not None
    return data_folder() / "saves" / f"{match.game.id}-{commitment(match.seed)[:12]}.json"


def check_target(path: Path, match: Match[Any]) -> None:
    """Refuse to write over anything but an earlier save of the same match."""
    try:
        if path.is_dir():
            raise BulgeError(f"{path} is a folder; name a file")
        if not path.exists():
            return
        there = journals.read(path)
    except BadJournal:
        raise BulgeError(f"{path} exists and is not a saved game; choose another name") from None
    except (OSError, ValueError) as error:
        raise BulgeError(f"{path} cannot be written: {_reason(error)}") from None
    if (there.game, there.scenario, there.seed) != (match.game.id, match.start.scenario, match.seed):
        raise BulgeError(f"{path} holds another game; choose another name")


def typed_path(text: str) -> Path:
    """A file name as a person types it."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:  # ~name, and there is no such user
        raise BulgeError(f"{text}: {error}") from None


def command_for(words: str, path: Path) -> str:
    """A command with a file that can be copied into a shell."""
    return f"{words} {shlex.quote(str(path))}"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
