"""`bulge match`: two computer players head to head, on the same seeds with sides swapped."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Annotated

import typer

from bulge.cli.common import Agreed, check_contenders, game_named, settings_of, telling_if_interrupted
from bulge.cli.progress import with_progress
from bulge.core.errors import BulgeError
from bulge.core.options import check_options, read_options
from bulge.games import load_game
from bulge.players.arena import Bout, Pairing, Score, play_bouts, score_of, seconds_a_turn
from bulge.players.levels import PLAYERS


def match(
    ctx: typer.Context,
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help=f"A player: {', '.join(PLAYERS)}; or FOLDER:PLAYER for that of another checkout."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game that they play.")],
    games: Annotated[
        int, typer.Option(help="How many games; each seed is played twice, sides swapped.", min=2)
    ] = 20,
    jobs: Annotated[int, typer.Option(help="How many processes.", min=1)] = 2,
    seed: Annotated[str, typer.Option(help="What dice and players follow from.")] = "1",
    scenario: Annotated[str | None, typer.Option(help="Which scenario.")] = None,
    option: Agreed = None,
) -> None:
    """Let two computer players meet, with both sides swapped on the same seeds."""
    loaded = game_named(ctx, game)
    if games % 2:
        raise BulgeError(f"--games wants an even number, since each seed is played twice, not {games}")
    chosen = loaded.scenario(scenario or next(iter(loaded.scenarios)))
    agreed = read_options(option or ())
    check_options(loaded.options, chosen.id, agreed)
    check_contenders(ctx, loaded, (a, b))
    pairing = Pairing((a, b), seed, scenario, agreed)
    run = play_bouts(partial(load_game, loaded.id, settings_of(ctx).overrides), pairing, games, jobs)
    bouts: list[Bout] = []
    with telling_if_interrupted(lambda: _so_far(bouts, (a, b), loaded.players, games)), closing(run):
        bouts.extend(with_progress(run, f"{a} against {b}", games))
    for line in report(bouts, (a, b), loaded.players):
        typer.echo(line)


def _so_far(bouts: Sequence[Bout], names: tuple[str, str], sides: Sequence[str], games: int) -> list[str]:
    told = f"Interrupted after {len(bouts)} of {games} games; the same command begins anew."
    return [told, *report(bouts, names, sides)] if bouts else [told]


def report(bouts: Sequence[Bout], names: tuple[str, str], sides: Sequence[str]) -> list[str]:
    """Who won how often, as which side, by how many points, and how long they thought."""
    a, b = names
    lines = [f"{a} won {_share(score_of(bouts, 0))} against {b}."]
    for place, side in enumerate(sides):
        seated = [bout for bout in bouts if bout.first == place]
        lines.append(f"As {side}, {a} won {_share(score_of(seated, 0))}.")
    for side in sides:
        won = sum(bout.side_won == side for bout in bouts)
        lines.append(f"{side} won {won} of {len(bouts)} games, whoever played it.")
    lines += _points_lines(bouts, names, sides)
    drawn = sum(bout.player_won is None for bout in bouts)
    if drawn:
        lines.append(f"Drawn: {drawn}.")
    turns = sum(bout.turns for bout in bouts) / len(bouts)
    lines.append(f"Turns a game: {turns:.1f}.")
    lines += [
        f"Seconds a player-turn: {name} {seconds_a_turn(bouts, player):.2f}." for player, name in ((0, a), (1, b))
    ]
    return lines


def _share(score: Score) -> str:
    share = score.won / score.games if score.games else 0.0
    return f"{score.won} of {score.games} games, {share:.0%} (95 % interval {score.low:.0%} to {score.high:.0%})"


def _points_lines(bouts: Sequence[Bout], names: tuple[str, str], sides: Sequence[str]) -> list[str]:
    """Mean points of a side, by who played it, in the games that were counted out by points."""
    lines = []
    for place, side in enumerate(sides):
        for player, name in enumerate(names):
            counted = [bout.points[side] for bout in bouts if bout.first ^ place == player and side in bout.points]
            if counted:
                mean = sum(counted) / len(counted)
                lines.append(
                    f"{side} points under {name}: {mean:.1f} in {len(counted)} games that went to the end."
                )
    return lines
