"""`bulge play`: a game in the terminal, against another person at the keyboard or the computer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from bulge.cli.common import (
    Agreed,
    Wish,
    closing_is_interrupting,
    game_named,
    game_of_journal,
    settings_of,
    side_flag,
    sort_out,
)
from bulge.cli.saving import Keeper, check_target
from bulge.cli.session import Session, ask, say
from bulge.core import journal as journals
from bulge.core.chance import commitment, new_seed, seed_meant
from bulge.core.errors import BulgeError
from bulge.core.game import Game
from bulge.core.match import Match
from bulge.core.options import read_options, with_defaults
from bulge.games import GAMES
from bulge.players.levels import LEVELS, player_for
from bulge.players.levels import PLAYERS as COMPUTER_PLAYERS
from bulge.players.onward import onward
from bulge.players.side_by_side import Company

PLAYERS = ("human", *LEVELS, *(name for name in COMPUTER_PLAYERS if name not in LEVELS))
OWN_OPTIONS = ("--scenario", "--option", "--seed", "--load", "--save", "--side", "--help")


def play(
    ctx: typer.Context,
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game's name; without it, you pick from a list.")
    ] = None,
    scenario: Annotated[str | None, typer.Option(metavar="NAME", help="Which scenario to play.")] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Any text; the same text gives the same dice.")
    ] = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to save the game when it ends or you leave.")
    ] = None,
    option: Agreed = None,
    side: Annotated[
        list[str] | None,
        typer.Option(metavar="SIDE=PLAYER", help=f"Who plays a side: {', '.join(PLAYERS)}. May be repeated."),
    ] = None,
) -> None:
    """Play a game in this terminal.

    Sides that are not mentioned are played by people at this keyboard. A side's name may be used as an option
    of its own: bulge play ford --red random. During play, type help for what can be typed.
    """
    # What is left over keeps its order, but its first word, be it a side's option, went to GAME.
    name, wishes = sort_out([*([] if game is None else [game]), *ctx.args])
    wishes += [_wish(text) for text in side or []]
    if load is not None:
        if scenario is not None or seed is not None or option:
            raise BulgeError("a saved game has its own: with --load, leave out --scenario, --seed and --option")
        _run(_loaded(ctx, load, save, name, wishes))
        return
    chosen = game_named(ctx, name) if name is not None else _pick_game(ctx, wishes)
    if chosen is None:
        return
    scenario = scenario or (None if name is not None else _pick_scenario(chosen))
    seats = _chosen_seats(chosen, wishes, scenario)
    kept = new_seed() if seed is None else seed_meant(seed)
    match = Match(chosen, scenario, read_options(option or ()), seed=kept)
    _run(_new(ctx, match, save, seats))


# ---------------------------------------------------------------------- arguments


def _wish(text: str) -> Wish:
    side, equals, player = text.partition("=")
    if not equals:
        raise BulgeError(f"--side wants SIDE=PLAYER, such as --side red=random, not {text!r}")
    return f"--{side}", player


def _chosen_seats(game: Game[Any], wishes: Sequence[Wish], scenario: str | None = None) -> dict[str, str]:
    """The kind of player of each side; whatever is not allowed is refused with what is."""
    players = game.players_in(scenario or next(iter(game.scenarios)))
    flags = {side_flag(side): side for side in players}
    seats = dict.fromkeys(players, "human")
    for flag, player in wishes:
        if flag.lower() not in flags:
            raise BulgeError(_unknown_flag(flag, flags, game.title))
        if player not in PLAYERS:
            said = f"not {player!r}" if player else "and nothing follows it"
            raise BulgeError(f"{flag.lower()} wants a player, {said}; there are: {', '.join(PLAYERS)}")
        seats[flags[flag.lower()]] = player
    return seats


def _unknown_flag(flag: str, flags: Mapping[str, str], title: str) -> str:
    hint = " (--overrides comes before the command)" if flag == "--overrides" else ""
    return f"no such option or side: {flag}; {title} allows: {', '.join([*flags, *OWN_OPTIONS])}{hint}"


# ---------------------------------------------------------------------- picking


def _pick_game(ctx: typer.Context, wishes: Sequence[Wish]) -> Game[Any] | None:
    """Let the user pick from a numbered list; None if they would rather not."""
    games = [game_named(ctx, name) for name in GAMES]
    flags = {side_flag(side): side for game in games for side in game.everybody}
    for flag, _ in wishes:
        if flag.lower() not in flags:
            raise BulgeError(_unknown_flag(flag, flags, "bulge play"))
    lines = [f"{game.title} ({game.id}). {game.words}" for game in games]
    place = _pick("Which game?", lines, [(game.id, game.title) for game in games])
    return None if place is None else games[place]


def _pick_scenario(game: Game[Any]) -> str | None:
    scenarios = list(game.scenarios.values())
    if len(scenarios) == 1:
        return scenarios[0].id
    lines = [f"{each.title} ({each.id}). {each.words}" for each in scenarios]
    place = _pick("Which scenario?", lines, [(each.id, each.title) for each in scenarios])
    if place is None:
        raise typer.Exit
    return scenarios[place].id


def _pick(question: str, lines: Sequence[str], names: Sequence[tuple[str, ...]]) -> int | None:
    print(question)
    say(f"{number}. {line}" for number, line in enumerate(lines, start=1))
    while (text := ask("Number or name, or quit> ")) is not None:
        if text.lower() == "quit":
            return None
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(lines):
            return int(text) - 1
        for place, known in enumerate(names):
            if text.lower() in (name.lower() for name in known):
                return place
        print(f"There is no {text!r} in the list. Type a number from 1 to {len(lines)}, or a name.")
    return None


# ---------------------------------------------------------------------- matches


def _new(ctx: typer.Context, match: Match[Any], save: Path | None, seats: Mapping[str, str]) -> Session:
    if save is not None:
        check_target(save, match)
    overrides = settings_of(ctx).overrides
    session = _session(match, seats, Keeper(overrides.text if overrides else "", save))
    say(_introduction(match, seats))
    return session


def _loaded(
    ctx: typer.Context, load: Path, save: Path | None, name: str | None, wishes: Sequence[Wish]
) -> Session:
    journal = journals.read(load)
    game = game_of_journal(ctx, journal, load)
    if name is not None and game_named(ctx, name).id != game.id:
        raise BulgeError(f"{load} holds a game of {game.id}, not of {name}")
    seats = _chosen_seats(game, wishes, journal.scenario)
    loaded = journals.replay(game, journal)
    whole = loaded.stopped_at is None
    if save is not None:
        check_target(save, loaded.match)
    # A file of which only a part still fits is left as it is: its other choices must not be lost.
    path = save or (load if whole else None)
    saved = journal.choices if whole and save in (None, load) else None
    session = _session(loaded.match, seats, Keeper(journal.overrides, path, saved=saved))
    session.already_told()
    say(_introduction(loaded.match, seats))
    print(f"{load}: {loaded.words}.")
    return session


def _session(match: Match[Any], seats: Mapping[str, str], keeper: Keeper) -> Session:
    assert match.seed is not None
    public, company = commitment(match.seed), Company()
    seated = {
        side: None if player == "human" else onward(player_for(player, match.game, side, public, company=company))
        for side, player in seats.items()
    }
    return Session(match, seated, keeper, company)


def _introduction(match: Match[Any], seats: Mapping[str, str]) -> Iterator[str]:
    game = match.game
    scenario = game.scenario(match.start.scenario)
    yield f"{game.title}. {game.words}"
    yield f"Scenario: {scenario.title}. {scenario.words}"
    yield from _agreed(match)
    yield from (f"{side}: {player}" for side, player in seats.items())
    humans = [side for side, player in seats.items() if player == "human"]
    if len(humans) > 1 and game.view(match.position, humans[0]) != game.view(match.position, humans[1]):
        yield "This game has secrets. A line that begins with Only for is for that side's eyes."
    assert match.seed is not None
    yield f"Commitment to the dice: {commitment(match.seed)}"
    if humans:
        yield "Type help for what you can type."


def _agreed(match: Match[Any]) -> Iterator[str]:
    """Every option of the scenario with its value, and the rest of what it could be."""
    game, start = match.game, match.start
    values = with_defaults(game.options, start.scenario, start.options)
    for option in game.options:
        if option.id in values:
            others = ", ".join(value for value, _ in option.values if value != values[option.id])
            yield f"Option {option.id}={values[option.id]} (or {others}): {option.title}. {option.words}"


# ---------------------------------------------------------------------- running


def _run(session: Session) -> None:
    """Play; and whatever ends the program before its time, the game is saved first."""
    with suppress(ImportError):
        import readline  # noqa: F401  # editing and history of lines, where the system has it
    try:
        with closing_is_interrupting():
            session.run()
    except BaseException:
        with suppress(OSError, BulgeError):
            print()
            session.rescue()
        raise
    finally:
        session.close()
