"""Breakdown units in both phases, and units of three steps that break up (rule 26)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.breakdown import breakable, may_break_down, may_break_up, rejoin
from bulge.games.ardennes_44.counters import ALLIED
from bulge.games.ardennes_44.facts import GONE, POOL
from bulge.games.ardennes_44.position import Advantage
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import answer, at, begun, facts, hexes, placed, unit, units

GAME = "ardennes_44"


@pytest.mark.rule(GAME, "26.1", "26.2")
def test_a_regiment_of_three_steps_breaks_up_into_two_battalions_and_a_remnant() -> None:
    p = placed(("99/393", "E2406"), step="allied_movement")
    p.unsupplied = units("99/393")
    match = begun(p)
    answer(match, "99/393", "break_up")
    q = match.position
    there = {facts().rows[number].id for number, hex_ in enumerate(q.where) if hex_ == at("E2406")}
    assert there == {"BD-US-inf-1", "BD-US-inf-2", "Rem-US-inf-1"}
    assert q.where[unit("99/393")] == GONE
    assert q.unsupplied == units(*there), "they bear what it bore"
    assert q.parents == {unit("BD-US-inf-1"): unit("99/393"), unit("BD-US-inf-2"): unit("99/393")}


@pytest.mark.rule(GAME, "16.4", "26.2")
def test_breaking_up_needs_two_counters_and_a_remnant() -> None:
    p = placed(("99/393", "E2406"), ("12/48", "E1330"), step="allied_movement")
    s = Situation(facts(), p)
    assert may_break_up(s, unit("99/393"))
    assert may_break_down(s, unit("12/48"))
    assert not may_break_up(s, unit("12/48")), "a unit of two steps leaves no remnant"
    for kind, count in (("Rem-US-inf-", 6), ("BD-US-inf-", 7)):
        q = p.copy()
        for number in range(1, count + 1):
            q.where[unit(f"{kind}{number}")] = at("E3001")
        assert not may_break_up(Situation(facts(), q), unit("99/393"))
        assert may_break_down(Situation(facts(), q), unit("99/393"))
        q.where[unit("BD-US-inf-8")] = at("E3001")
        assert may_break_down(Situation(facts(), q), unit("99/393")) == (kind != "BD-US-inf-")


@pytest.mark.rule(GAME, "26.2")
@pytest.mark.parametrize("marker", ["disrupted", "broken", "columns", "night_marked", "reduced"])
def test_who_may_not_break_down(marker: str) -> None:
    p = placed(("99/393", "E2406"), step="allied_movement")
    setattr(p, marker, units("99/393"))
    assert not may_break_down(Situation(facts(), p), unit("99/393"))


@pytest.mark.rule(GAME, "26.2")
def test_an_engaged_unit_breaks_down_in_the_combat_phase_and_then_disengages() -> None:
    p = placed(("99/393", "E2406"), ("12/48", "E2405"), step="allied_combat")
    p.engaged = units("99/393")
    p.advantages = [Advantage(units("99/393"), at("E2406"), at("E2405"))]
    match = begun(p, 1)
    answer(match, "break_down", "break_down")
    q = match.position
    assert q.reduced == units("99/393")
    assert q.where[unit("BD-US-inf-1")] == at("E2406")
    assert q.engaged == q.advantages[0].units == units("99/393", "BD-US-inf-1")
    answer(match, "disengage", "99/393", "done")
    assert q.engaged == units("BD-US-inf-1"), "the part holds the line"


@pytest.mark.rule(GAME, "26.2")
def test_who_has_attacked_or_is_far_off_does_not_break_down_in_the_combat_phase() -> None:
    p = placed(("99/393", "E2406"), ("99/394", "E3001"), ("12/48", "E2405"), step="allied_combat")
    p.attacked = units("99/393")
    match = begun(p)
    assert match.decision is None or "break_down" not in match.asked().options
    p = placed(("99/393", "E2406"), ("12/48", "E2405"), step="german_combat")
    assert "break_down" in begun(p).asked().options, "12/48 is the attacker now"
    assert breakable(Situation(facts(), p), units("12/48", "99/393")) == [unit("12/48"), unit("99/393")]


@pytest.mark.rule(GAME, "19.1.1", "26.2")
def test_a_unit_breaks_down_before_it_advances_and_both_parts_may_go() -> None:
    p = placed(("99/393", "E2406"), ("vdH", "E2405"), step="allied_combat")
    match = begun(p, 1)
    answer(match, "E2405", "99/393")
    while match.asked().rule != "19.1.1":
        answer(match, match.game.id_of(match.asked(), match.asked().options[-1]))
    answer(match, "break_down", "break_up")
    assert {unit("BD-US-inf-1"), unit("BD-US-inf-2"), unit("Rem-US-inf-1")} <= set(match.asked().options)
    assert unit("99/393") not in match.asked().options
    answer(match, "BD-US-inf-1", "E2405", "stop")
    assert match.position.where[unit("BD-US-inf-1")] == at("E2405")


@pytest.mark.rule(GAME, "26.4")
def test_parts_rejoin_and_leave_no_marker_behind() -> None:
    p = placed(("99/393", "E2406"), ("BD-US-inf-1", "E2406"), step="allied_movement")
    p.reduced, p.parents = units("99/393"), {unit("BD-US-inf-1"): unit("99/393")}
    p.unsupplied = units("BD-US-inf-1", "99/393")
    match = begun(p)
    answer(match, "99/393", "stop", "BD-US-inf-1", "stop")
    q = match.position
    assert (q.where[unit("BD-US-inf-1")], q.reduced, q.parents) == (POOL, 0, {})
    assert q.unsupplied & units("BD-US-inf-1") == 0
    assert hexes("E2406") >> q.where[unit("99/393")] & 1


@pytest.mark.rule(GAME, "8.3", "26.4")
def test_a_part_stays_apart_where_the_whole_would_not_fit() -> None:
    p = placed(("2/741", "E2406"), ("2/644", "E2406"), ("BD-US-tf-1", "E2406"), step="allied_movement")
    p.parents = {unit("BD-US-tf-1"): unit("2/741")}
    p.reduced, p.moved = units("2/741"), units("2/741", "BD-US-tf-1")
    rejoin(begun(p).table, facts(), ALLIED)
    assert p.where[unit("BD-US-tf-1")] == at("E2406"), "there would be three steps of silhouettes"
    p.where[unit("2/644")] = at("E2405")
    rejoin(begun(p).table, facts(), ALLIED)
    assert p.where[unit("BD-US-tf-1")] == POOL
