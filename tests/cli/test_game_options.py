"""Options that a game declares, on the command line."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Bulge


@pytest.mark.parametrize(
    "command",
    [
        ["play", "ford"],
        ["fuzz", "ford", "--games", "1"],
        ["match", "random", "random", "ford", "--games", "2"],
        ["sim", "ford", "--out", "run"],
    ],
)
def test_an_unknown_option_is_refused_before_anything_is_played(bulge: Bulge, command: list[str]) -> None:
    outcome = bulge(*command, "--option", "nonsense=yes")
    assert outcome.code == 2
    assert "has no option 'nonsense'" in outcome.err


def test_an_option_wants_a_value(bulge: Bulge) -> None:
    outcome = bulge("play", "ford", "--option", "nonsense")
    assert outcome.code == 2
    assert "NAME=VALUE" in outcome.err
