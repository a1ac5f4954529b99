"""What the table writes into the log."""

from __future__ import annotations

from typing import Any

from bulge.core.chance import Keyed
from bulge.core.table import Table
from bulge.games import load_game

SEED = "0" * 32


def table(*, keep_log: bool = True) -> Table[Any]:
    game = load_game("ford")
    return Table(game, game.begin("bridge"), Keyed(SEED), keep_log=keep_log)


def test_a_move_is_told_hex_by_hex() -> None:
    t = table()
    path = [t.game.board.at(name) for name in ("0101", "0102")]
    t.say_move("4.1", 0, path, kind="move")
    (line,) = t.events or []
    assert line.words == f"{t.game.units[0].name} moves 0101 - 0102."
    assert (line.rule, line.spaces, line.units, line.kind) == ("4.1", tuple(path), (0,), "move")


def test_who_went_nowhere_or_moves_in_a_simulation_is_not_told_of() -> None:
    t, silent = table(), table(keep_log=False)
    t.say_move("4.1", 0, [t.game.board.at("0101")])
    silent.say_move("4.1", 0, [0, 1])
    assert (t.events, silent.events) == ([], None)
