"""Run by the tests in a process of its own: a run on a cluster of two workers, one of which is lost on the way.

python -m tests.lab.ray_cluster FOLDER GAMES
"""

from __future__ import annotations

import sys
from pathlib import Path

from ray.cluster_utils import Cluster

from bulge.games import load_game
from bulge.lab.on_ray import OnRay
from bulge.lab.plan import Played, plan_of
from bulge.lab.run import carry_out
from bulge.lab.store import Folder
from tests.lab.conftest import FORD


def main(path: Path, games: int) -> None:
    """The head of the cluster plays nothing; its two workers have one processor each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    workers = [cluster.add_node(num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes()
    game = load_game("ford")
    folder = Folder(path, plan_of(game, FORD, games=games), game.sides)
    played = 0

    def lose_a_worker(_: Played) -> None:
        nonlocal played
        played += 1
        if played == games // 3:
            cluster.remove_node(workers.pop(), allow_graceful=False)
            print(f"lost a worker after {played} games")

    carry_out(folder, OnRay(cluster.address, jobs=1), lose_a_worker)
    print(f"played {played} games")
    cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
