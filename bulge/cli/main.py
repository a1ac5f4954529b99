"""The command `bulge`: its sub-commands, and one clear line for whatever goes wrong."""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from bulge import __version__
from bulge.cli.atlas import atlas
from bulge.cli.backup import backup, restore
from bulge.cli.bench import bench
from bulge.cli.common import Settings
from bulge.cli.data import data
from bulge.cli.fuzz import fuzz
from bulge.cli.ladder import ladder
from bulge.cli.map import draw
from bulge.cli.match import match
from bulge.cli.people import people
from bulge.cli.play import play
from bulge.cli.report import report
from bulge.cli.review import review
from bulge.cli.rules import rules
from bulge.cli.serve import page_is_built, serve
from bulge.cli.sim import sim
from bulge.cli.tune import tune_weights
from bulge.cli.verify import verify
from bulge.core.data import Overrides
from bulge.core.errors import BulgeError
from bulge.games import GAMES

FINE, BUG, MISTAKE, INTERRUPTED = 0, 1, 2, 130

OVERVIEW = """\
bulge plays board wargames on the Battle of the Bulge, with every rule enforced.

Start here:
  bulge serve           play in the browser (at a terminal, `bulge` alone does the same)
  bulge play            pick a game from a list and play it in this terminal
  bulge play ford       play The Ford, a small game to learn on
  bulge play ford --red random
                        the same, against a computer player that plays at random

All commands:
{commands}

bulge COMMAND --help explains a command. The games: {games}."""

_ClickError: type[Any] = next(cls for cls in typer.BadParameter.__mro__ if cls.__name__ == "ClickException")
"""Newer versions of typer carry a click of their own: this is the base of its errors, whichever it is."""

app = typer.Typer(
    name="bulge",
    help="Board wargames on the Battle of the Bulge, with every rule enforced.",
    add_completion=False,
    rich_markup_mode=None,  # plain help: frames of lines are noise to a screen reader
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"bulge {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _before_any_command(
    ctx: typer.Context,
    overrides: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A TOML file with your own corrections to a game's data."),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    ctx.obj = Settings(Overrides.read(overrides) if overrides else None)
    if ctx.invoked_subcommand is None:
        typer.echo(_overview(ctx))


def _overview(ctx: typer.Context) -> str:
    commands: dict[str, Any] = getattr(ctx.command, "commands", {})
    lines = [f"  {name:<22}{command.get_short_help_str(120)}" for name, command in commands.items()]
    return OVERVIEW.format(commands="\n".join(lines), games=", ".join(GAMES))


class _PlainCommand(TyperCommand):
    """Help without typer's marks for types: `GAME`, not `{GAME}` and `GAME <str>`."""

    def get_help(self, ctx: Any) -> str:
        text = re.sub(
            r"(?m)^(  \w+)( <[^>]+>)", lambda mark: mark[1].upper() + " " * len(mark[2]), super().get_help(ctx)
        )
        return _plain_usage(text)


def _plain_usage(text: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda mark: mark[1].upper(), text)


_ANY_FLAG = {"allow_extra_args": True, "ignore_unknown_options": True}
"""For commands whose flags depend on the game: they read the rest of their arguments themselves."""

app.command("play", cls=_PlainCommand, context_settings=_ANY_FLAG)(play)
app.command("verify", cls=_PlainCommand)(verify)
app.command("data", cls=_PlainCommand)(data)
app.command("rules", cls=_PlainCommand)(rules)
app.command("map", cls=_PlainCommand)(draw)
app.command("fuzz", cls=_PlainCommand)(fuzz)
app.command("match", cls=_PlainCommand)(match)
app.command("ladder", cls=_PlainCommand)(ladder)
app.command("sim", cls=_PlainCommand, context_settings=_ANY_FLAG)(sim)
app.command("tune", cls=_PlainCommand)(tune_weights)
app.command("review", cls=_PlainCommand)(review)
app.command("report", cls=_PlainCommand)(report)
app.command("atlas", cls=_PlainCommand)(atlas)
app.command("bench", cls=_PlainCommand)(bench)
app.command("serve", cls=_PlainCommand)(serve)
app.command("backup", cls=_PlainCommand)(backup)
app.command("restore", cls=_PlainCommand)(restore)
app.command("people", cls=_PlainCommand)(people)


# ---------------------------------------------------------------------- running it


def main() -> None:
    """The console script."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line; the answer is the exit code. Whatever goes wrong is said in one line."""
    _never_fail_on_a_character()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _hush()
        return FINE
    return code


def _run(arguments: list[str]) -> int:
    try:
        code = app(arguments or _alone(), prog_name="bulge", standalone_mode=False)
        return code if isinstance(code, int) else FINE
    except _ClickError as error:
        return _complain(_explain(error), MISTAKE)
    except BulgeError as error:
        return _complain(str(error), MISTAKE)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else FINE
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        return _complain(f"{error.filename or 'a file'}: {error.strerror or error}", MISTAKE)
    except Exception as error:
        if os.environ.get("BULGE_TRACEBACK"):
            raise
        kind = type(error).__name__
        return _complain(f"a fault in the program, {kind}: {error} (BULGE_TRACEBACK=1 shows where)", BUG)


def _alone() -> list[str]:
    """`bulge` and nothing else: at a terminal, and where the page is built, it plays in the browser."""
    return ["serve"] if sys.stdout.isatty() and page_is_built() else []


def _complain(words: str, code: int) -> int:
    print("bulge: " + " ".join(words.split()), file=sys.stderr)
    return code


def _explain(error: Any) -> str:
    """A mistake in the command line: what was wrong, and what is allowed."""
    words = str(error.format_message()).strip().rstrip(".")
    words = words[:1].lower() + words[1:]
    ctx = getattr(error, "ctx", None)
    if ctx is None:
        return words
    if unknown := getattr(error, "option_name", None):
        return f"{words}; allowed: {_allowed_options(ctx)}{_placing_hint(unknown)}"
    if commands := getattr(ctx.command, "commands", None):
        words = words.partition(". Did you mean")[0]  # the list says it better
        return f"{words}; the commands are: {', '.join(commands)}"
    if getattr(getattr(error, "param", None), "name", None) == "game":
        words += f"; the games are: {', '.join(GAMES)}"
    return f"{words}; usage: {_plain_usage(ctx.get_usage()).removeprefix('Usage: ')}"


def _allowed_options(ctx: Any) -> str:
    return ", ".join(
        option for param in ctx.command.get_params(ctx) for option in param.opts if option[:2] == "--"
    )


def _placing_hint(option: str) -> str:
    return " (--overrides comes before the command)" if option.lstrip("-") == "overrides" else ""


def _never_fail_on_a_character() -> None:
    """A terminal that lacks a character, or a line of bytes that is no text, must not end a game."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _hush() -> None:
    """Nobody reads our output any more: let Python's last flush, too, go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


if __name__ == "__main__":
    main()
