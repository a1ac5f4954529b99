"""Finer points of losses, markers and positions, found by reading the rules again (12, 15.8, 16 and 20)."""

from __future__ import annotations

import pytest

from tests.games.ardennes_44.helpers import answer, at, begun, hexes, placed, unit, units

GAME = "ardennes_44"


# ---------------------------------------------------------------------- positions and losses


@pytest.mark.rule(GAME, "15.8.4", "16.1")
def test_who_takes_an_improved_position_in_an_exchange_does_not_inherit_it() -> None:
    p = placed(("12/48", "E2630"), ("12/89", "E2630"), ("106/424/1", "E2631"), step="german_combat")
    p.improved = hexes("E2631")
    match = begun(p, 5)
    answer(match, "E2631", "12/48", "12/89", "attack", "12/89")
    assert match.log[-1].words == "106th Division 424/1 infantry is eliminated."
    answer(match, "12/48", "E2631", "done")
    assert match.position.where[unit("12/48")] == at("E2631")
    assert not match.position.improved


# ---------------------------------------------------------------------- Strategic Movement markers


@pytest.mark.rule(GAME, "12.6")
def test_a_unit_leaves_its_column_without_moving() -> None:
    p = placed(("4Arm/CCA", "E3016"), ("12/48", "E2016"), step="allied_movement", turn=5)
    p.columns = units("4Arm/CCA")
    match = begun(p)
    answer(match, "4Arm/CCA", "leave_column")
    assert not match.position.columns
    answer(match, "4Arm/CCA")
    assert match.why_not("leave_column").rule == "12.6"
    answer(match, "stop")
    assert match.position.where[unit("4Arm/CCA")] == at("E3016")
