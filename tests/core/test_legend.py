"""`look.toml`: a mistake in it is told, with the name of the file and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.core.errors import BadData
from bulge.core.legend import load_legend

SIDES = 'sides = [{ id = "Red", name = "Red", polarity = "dark" }]\n'
PHASES = 'phases = [{ step = "move", side = "Red", name = "Movement" }]\n'


def test_what_a_game_does_not_have_need_not_be_there(tmp_path: Path) -> None:
    (tmp_path / "look.toml").write_text(SIDES + PHASES, "utf-8")
    found = load_legend(tmp_path)
    assert [phase.name for phase in found.phases] == ["Movement"]
    assert (found.overlays, found.results) == ((), ())


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (SIDES, "phases"),
        (SIDES + PHASES.replace("name", "nome"), "nome"),
    ],
)
def test_a_mistake_in_the_file_is_told(tmp_path: Path, wrong: str, told: str) -> None:
    (tmp_path / "look.toml").write_text(wrong, "utf-8")
    with pytest.raises(BadData, match=rf"look\.toml.*{told}"):
        load_legend(tmp_path)
