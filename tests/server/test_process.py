"""A real server process: killed in the middle, and asked by command."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from tests.server.balanced import balanced, play_and_kill
from tests.server.databases import Databases
from tests.server.killing import kill_again_and_again
from tests.server.process import Player, Server


@pytest.mark.slow
def test_no_acknowledged_choice_is_lost_when_the_server_is_killed(tmp_path: Path, maps: Path) -> None:
    assert len(kill_again_and_again(tmp_path, maps.parent, 5, seed=1)) > 50


def test_a_match_is_played_over_a_real_websocket(tmp_path: Path, maps: Path) -> None:
    async def play() -> Player:
        async with server.live(match) as socket:
            player = Player(socket, random.Random(2))
            await player.begin()
            while await player.choose():
                pass
            return player

    with Server(tmp_path, maps.parent) as server:
        match = server.make({"game": "ford"})
        player = asyncio.run(play())
        assert player.state["result"]
        assert server.journal(match)["choices"] == player.acknowledged


@pytest.mark.slow
def test_two_servers_behind_a_balancer_lose_nothing_when_one_is_killed(
    tmp_path: Path, maps: Path, databases: Databases
) -> None:
    with balanced(tmp_path, maps.parent, databases.fresh_postgresql()) as there:
        outcome = asyncio.run(play_and_kill(there, 2, 6, seed=1))
    assert outcome.kills
    assert outcome.choices > 10
