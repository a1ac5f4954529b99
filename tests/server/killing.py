"""Kill the server at random moments under play, and look whether anything acknowledged was lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed

from bulge.core import journal as journals
from bulge.core.game import Game
from bulge.core.journal import Journal
from bulge.games import load_game
from tests.server.process import Player, Server

Json = dict[str, Any]


GAMES = ("ford", "the_bulge")
LONGEST = 400
"""A match of more choices is left for a new one."""


def kill_again_and_again(
    folder: Path,
    cache: Path,
    times: int,
    seed: int,
    say: Callable[[str], None] = lambda words: None,
    *,
    matches: int = 2,
    pause: float = 0,
) -> list[float]:
    """Play, kill, start again and compare, so many times; the answer is how long each acknowledged choice waited.

    Players pause for so many seconds on the average between two choices.
    """
    rng = random.Random(seed)
    server = Server(folder, cache)
    server.start()
    played = [server.make({"game": GAMES[number % len(GAMES)]}) for number in range(matches)]
    waited: list[float] = []
    try:
        for number in range(1, times + 1):
            players = asyncio.run(_play_and_kill(server, played, rng, pause))
            server.start()
            for place, (match, player) in enumerate(zip(list(played), players, strict=True)):
                _compare(server, match, player)
                waited += player.waited
                if player.state["decision"] is None or len(player.acknowledged) > LONGEST:
                    played[place] = server.make({"game": player.state["game"]})
            say(f"{number} of {times}: {len(waited)} choices acknowledged, none lost")
    finally:
        server.kill()
    return waited


async def _play_and_kill(server: Server, matches: list[Json], rng: random.Random, pause: float) -> list[Player]:
    """Play all matches at once; the server dies in the middle."""
    players: dict[str, Player] = {}

    async def play(match: Json) -> None:
        # Whoever was cut off before the first word comes again, as a page does; `die` waits for all of them.
        while match["id"] not in players:
            with suppress(ConnectionClosed):
                await play_on(match)

    async def play_on(match: Json) -> None:
        async with server.live(match) as socket:
            player = Player(socket, rng)
            player.acknowledged = list(match.get("choices", []))
            await player.begin()
            players[match["id"]] = player
            while await player.choose():
                await asyncio.sleep(rng.uniform(0, 2 * pause))

    async def die() -> None:
        while len(players) < len(matches):
            await asyncio.sleep(0.01)
        await asyncio.sleep(rng.uniform(0.05, 1.2 + 10 * pause))
        await asyncio.to_thread(server.kill)

    await asyncio.gather(*(play(match) for match in matches), die())
    return [players[match["id"]] for match in matches]


@cache
def _game(name: str) -> Game[Any]:
    """Loaded once: what rules remember of a game stays with it."""
    return load_game(name)


def _compare(server: Server, match: Json, player: Player) -> None:
    compare(server.journal(match), match, player)


def compare(stored: Json, match: Json, player: Player) -> None:
    """What was acknowledged is there, and what is there is a proper match."""
    choices, known = stored["choices"], player.acknowledged
    unanswered = player.asked > len(player.waited)
    if choices != known:
        # One request may have been stored and not yet answered when the server died: a choice, or an undo.
        one_more = len(choices) == len(known) + 1 and choices[:-1] == known
        one_less = len(choices) == len(known) - 1 and choices == known[:-1]
        assert unanswered, f"{match['id']}: {known[-3:]} acknowledged, {choices[-3:]} found"
        assert one_more or one_less, f"{match['id']}: {known[-3:]} acknowledged, {choices[-3:]} found"
    verdict = journals.verify(_game(stored["game"]), msgspec.convert(stored, Journal))
    assert not verdict.faults, verdict.faults
    match["choices"] = choices
