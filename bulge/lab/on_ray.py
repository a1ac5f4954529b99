"""A run on Ray: the same games on as many machines as there are.

Every machine of the cluster needs bulge at the same version. A game is one task; Ray gives the task of a worker
that is lost to another one, and since a game follows from the plan alone it comes out the same there.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

from bulge.core.errors import BulgeError
from bulge.lab.extras import needed
from bulge.lab.plan import Laboratory, Plan, Played, made_by

PATIENCE = 10.0
"""Seconds for a cluster to answer the door."""
QUEUE = 4
"""So many games a processor are given out ahead."""
TRY_FOREVER = -1


class OnRay:
    """Plays on the cluster at an address, or on a small one that is started for the run."""

    def __init__(self, address: str | None, jobs: int) -> None:
        self._ray = needed("ray", "ray", "--ray")
        self._address = address
        self._jobs = jobs

    def __call__(self, plan: Plan, games: Sequence[int]) -> Generator[Played, None, None]:
        ray = self._ray
        began = not ray.is_initialized()
        if began:
            self._connect()
        try:
            yield from self._play(plan, games)
        finally:
            if began:
                ray.shutdown()

    def _connect(self) -> None:
        if self._address is not None:
            _knock(self._address)
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
        try:
            if self._address is None:
                self._ray.init(num_cpus=self._jobs, include_dashboard=False, **quiet)
            else:
                self._ray.init(address=self._address, **quiet)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise BulgeError(f"there is no Ray cluster at {self._address or 'hand'}: {error}") from None

    def _play(self, plan: Plan, games: Sequence[int]) -> Generator[Played, None, None]:
        ray = self._ray
        play = ray.remote(num_cpus=1, max_retries=TRY_FOREVER)(_play_there)
        plan_there = ray.put(plan)
        ahead = QUEUE * max(1, int(ray.cluster_resources().get("CPU", 1)))
        todo = deque(games)
        under_way: list[Any] = []
        while todo or under_way:
            while todo and len(under_way) < ahead:
                under_way.append(play.remote(plan_there, todo.popleft()))
            done, under_way = ray.wait(under_way)
            yield from ray.get(done)


def _knock(address: str) -> None:
    """Ray waits for minutes at a door where nobody is; we do not. `auto` and names of its own are left to it."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return
    if not port.isdecimal():
        raise BulgeError(f"--ray wants HOST:PORT or auto, not {address!r}")
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise BulgeError(f"there is no Ray cluster at {address}: {error}") from None


_laboratories: dict[str, Laboratory] = {}
"""In a worker: the laboratory of the run that it plays for."""


def _play_there(plan: Plan, place: int) -> Played:
    laboratory = _laboratories.get(repr(plan))
    if laboratory is None:
        if made_by(plan.game) != plan.made_by:
            raise BulgeError("a worker of the cluster has another version of bulge than this machine")
        _laboratories.clear()
        laboratory = _laboratories[repr(plan)] = Laboratory(plan)
    return laboratory.play(place)
