"""What the sub-commands share: the settings given before the command, games by name, where a user's files go."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from types import FrameType
from typing import Annotated, Any

import typer

from bulge.core.data import Overrides
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.journal import Journal
from bulge.games import GAMES, load_game
from bulge.players.elsewhere import contender_for, lives_elsewhere


@dataclass(frozen=True)
class Settings:
    """What was said before the name of the sub-command."""

    overrides: Overrides | None = None


Agreed = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the game; play shows them at its start.",
    ),
]
"""Options of the game, as typed."""


def settings_of(ctx: typer.Context) -> Settings:
    found = ctx.find_root().obj
    return found if isinstance(found, Settings) else Settings()


def overrides_words(ctx: typer.Context) -> list[str]:
    """The overrides as they were typed, for a command that can be given again."""
    given = settings_of(ctx).overrides
    return [] if given is None else ["--overrides", given.name]


def option_words(options: Mapping[str, str]) -> list[str]:
    """Options of a game as they would be typed."""
    return [word for name, value in options.items() for word in ("--option", f"{name}={value}")]


def game_named(ctx: typer.Context, name: str) -> Game[Any]:
    """The game that a user means, with the overrides that were given: `Ford` and `the-bulge` will do."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    return load_game(plain if plain in GAMES else name, settings_of(ctx).overrides)


def check_contenders(ctx: typer.Context, game: Game[Any], names: Sequence[str]) -> None:
    """Refuse players whom nobody can ask for before the first game."""
    for name in names:
        if lives_elsewhere(name) and settings_of(ctx).overrides is not None:
            raise BulgeError(f"{name} plays by its own data; leave out --overrides")
        contender_for(name, game, game.players[0], "check")


def game_of_journal(ctx: typer.Context, journal: Journal, file: Path) -> Game[Any]:
    """The game of a journal, with the overrides that it was played with: any others would falsify it."""
    given = settings_of(ctx).overrides
    if given is not None and given.text != journal.overrides:
        own = "overrides of its own" if journal.overrides else "no overrides"
        raise BulgeError(f"{file} was played with {own}, not with {given.name}; leave out --overrides")
    own_overrides = Overrides(journal.overrides, f"the overrides in {file}") if journal.overrides else None
    return load_game(journal.game, own_overrides)


@contextmanager
def closing_is_interrupting() -> Iterator[None]:
    """A closed terminal window, or whoever ends the program from outside, stops it as Ctrl-C does: in order."""

    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)  # it often comes twice: to the process, and to its group
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is interrupt:  # otherwise it ends, and stays deaf until it has
                signal.signal(number, handler)


@contextmanager
def telling_if_interrupted(so_far: Callable[[], Iterable[str]]) -> Iterator[None]:
    """Whoever interrupts hours of work is told what has come of it so far."""
    try:
        with closing_is_interrupting():
            yield
    except KeyboardInterrupt:
        for line in so_far():
            typer.echo(line)
        raise


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written before any work goes into what it is to hold."""
    if path.is_dir():
        raise BulgeError(f"{path} is a folder; name a file")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise BulgeError(f"{path} cannot be written: {error.strerror}") from None


Wish = tuple[str, str]
"""A side and its player, as typed."""


def sort_out(words: Sequence[str]) -> tuple[str | None, list[Wish]]:
    """Tell the game's name from options such as `--blue random` and `--blue=random`."""
    names: list[str] = []
    wishes: list[Wish] = []
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            names.append(word)
            continue
        name, equals, player = word.partition("=")
        wishes.append((name, player if equals else next(rest, "")))
    if len(names) > 1:
        raise BulgeError(f"one game at a time: {names[1]!r} is one word too many after {names[0]!r}")
    return names[0] if names else None, wishes


def side_flag(side: str) -> str:
    """A side's name as an option of its own."""
    return "--" + side.lower().replace(" ", "-")


def data_folder() -> Path:
    """Where this user's own files belong, by the custom of the system."""
    if sys.platform == "win32":
        home = os.environ.get("APPDATA")
        return (Path(home) if home else Path.home() / "AppData" / "Roaming") / "bulge"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "bulge"
    home = os.environ.get("XDG_DATA_HOME")
    # The XDG custom is that a relative path is to be ignored.
    return (Path(home) if home and os.path.isabs(home) else Path.home() / ".local" / "share") / "bulge"
