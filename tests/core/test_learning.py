"""`learning.toml`: what is there is read, a game without one teaches nothing, and a mistake in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bulge.core.errors import BadData
from bulge.core.learning import Learning, load_learning

PAGE = """
[briefing]
victory = [{ words = "Hold the hill.", rule = "1.1", spaces = ["0202"] }]
[briefing.wants]
Red = [{ words = "The hill" }]
Blue = [{ words = "Peace" }]
[[lesson]]
title = "The hill"
words = "Go up."
side = "Red"
until = "read"
"""


def test_a_page_and_its_lessons_are_read_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "learning.toml").write_text(PAGE, "utf-8")
    found = load_learning(tmp_path)
    assert found.briefing is not None
    assert [side for side, _ in found.briefing.wants] == ["Red", "Blue"]
    assert found.briefing.victory[0].spaces == ("0202",)
    assert [lesson.title for lesson in found.lessons] == ["The hill"]


def test_a_game_without_the_file_teaches_nothing(tmp_path: Path) -> None:
    assert load_learning(tmp_path) == Learning()


@pytest.mark.parametrize("wrong", ["[[lesson]]\ntitle = 1", "[briefing]\nwants = {}\nwisdom = 1", "lesson"])
def test_a_mistake_in_the_file_is_told(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "learning.toml").write_text(wrong, "utf-8")
    with pytest.raises(BadData, match=r"learning\.toml"):
        load_learning(tmp_path)
