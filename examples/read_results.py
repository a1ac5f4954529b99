"""A run of 40 games of The Ford, read back with pyarrow: how often Blue won, by how lucky it was.

pip install 'bulge[lab]'
python examples/read_results.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow.parquet as parquet

from bulge.games import load_game
from bulge.lab.plan import plan_of
from bulge.lab.run import carry_out, here
from bulge.lab.store import RESULTS, Folder


def main() -> None:
    game = load_game("ford")
    plan = plan_of(game, {"Blue": "greedy", "Red": "random"}, games=40, seed="example")
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(Path(place) / "run", plan, game.sides)
        carry_out(folder, here, lambda played: None)
        table = parquet.read_table(folder.path / RESULTS)
    print(f"{table.num_rows} games with the columns {', '.join(table.column_names)}")
    games = table.select(["winner", "luck", "losses"]).to_pylist()
    for words, lucky in (("lucky", True), ("unlucky", False)):
        some = [one for one in games if (one["luck"]["Blue"] > 0) == lucky]
        won = sum(one["winner"] == "Blue" for one in some)
        print(f"Blue won {won} of {len(some)} games in which its dice were {words}.")
    lost = sum(one["losses"]["Red"][-1] for one in games) / len(games)
    print(f"Red lost {lost:.1f} steps in the mean.")


if __name__ == "__main__":
    main()
