"""Rule 15: air support markers, and the combat support that comes with them from turn 8."""

from __future__ import annotations

import pytest

from bulge.games.the_bulge.battle import AIR_STRIKES
from bulge.games.the_bulge.combat import FLY, NO_AIR
from bulge.games.the_bulge.facts import ALLIED
from tests.games.the_bulge.helpers import (
    BulgeMatch,
    amounts,
    battle,
    facts,
    name_attack,
    play,
    position,
    situation,
    unit,
    units,
)
from tests.helpers import answer, foresee, offered, run_until

MIDDLE, EAST = "0619", "0618"
PHASES = ["german_combat_1", "german_combat_2", "allied_combat_1", "allied_combat_2"]


def attack(step: str, *, turn: int = 8) -> BulgeMatch:
    """One side attacks the other: Peiper and CCB of the 7th Armored, who are both in supply."""
    german = step.startswith("german")
    placed = {"SSP": EAST, "CCB7": MIDDLE} if german else {"SSP": MIDDLE, "CCB7": EAST}
    match = play(position(placed, turn=turn, step=step), [6] * 9)
    return name_attack(match, MIDDLE, "SSP" if german else "CCB7")


def asked_for_air(match: BulgeMatch) -> bool:
    return match.asked().rule == "15.1"


# ---------------------------------------------------------------------- 15.1 air support


@pytest.mark.rule("the_bulge", "15.1")
@pytest.mark.parametrize("step", PHASES)
@pytest.mark.parametrize(("turn", "there"), [(1, False), (7, False), (8, True), (10, True)])
def test_from_turn_eight_the_allied_player_may_fly_in_any_battle_of_any_phase(
    step: str, turn: int, there: bool
) -> None:
    match = attack(step, turn=turn)
    assert asked_for_air(match) is there
    if there:
        assert match.asked().side == ALLIED
        assert offered(match) == {FLY, NO_AIR}


@pytest.mark.rule("the_bulge", "15.1")
@pytest.mark.parametrize(("step", "shift"), [(PHASES[0], -1), (PHASES[1], -1), (PHASES[2], 1), (PHASES[3], 1)])
def test_it_shifts_one_column_for_the_allies_attacking_or_defending(step: str, shift: int) -> None:
    match = attack(step)
    without, with_air = foresee(match, NO_AIR), foresee(match, FLY)
    columns = facts().crt.columns
    assert columns.index(with_air.column) - columns.index(without.column) == shift
    assert amounts(with_air.modifiers)["air support"] == shift
    assert "air support" not in amounts(without.modifiers)
    answer(match, FLY)
    assert match.asked().rule == "13.14", "one marker a battle: it is not asked again"
    assert match.asked().options[0] == with_air.column
    assert match.position.air_strikes == 1


@pytest.mark.rule("the_bulge", "15.1")
def test_a_marker_not_flown_is_kept() -> None:
    assert answer(attack("german_combat_1"), NO_AIR).position.air_strikes == 0


@pytest.mark.rule("the_bulge", "15.1")
@pytest.mark.parametrize(("used", "left"), [(0, True), (3, True), (4, False)])
def test_four_markers_a_turn(used: int, left: bool) -> None:
    assert AIR_STRIKES == 4
    p = position({"SSP": EAST, "30ID": MIDDLE}, turn=8, step="german_combat_1")
    p.air_strikes = used
    assert asked_for_air(name_attack(play(p), MIDDLE, "SSP")) is left


@pytest.mark.rule("the_bulge", "15.1")
def test_each_marker_flies_once_a_turn_and_all_are_back_in_the_next() -> None:
    p = position({"SSP": EAST, "30ID": MIDDLE}, turn=8, step="german_combat_1")
    p.air_strikes = 3
    stall, shortages = 3, 1
    match = answer(name_attack(play(p, [stall, shortages]), MIDDLE, "SSP"), FLY, "<=-3")
    run_until(match, "allied_combat_2")
    assert match.position.air_strikes == 4
    assert not asked_for_air(name_attack(match.copy(), EAST, "30ID"))
    run_until(match, "german_combat_1")
    assert (match.position.turn, match.position.air_strikes) == (9, 0)


@pytest.mark.rule("the_bulge", "15.1")
def test_they_support_british_units_too() -> None:
    p = position({"43Br": "0725", "SSP": "0825"}, turn=8, step="german_combat_1")
    assert asked_for_air(name_attack(play(p), "0725", "SSP"))
    p = position({"43Br": "0725", "SSP": "0825"}, turn=8, step="allied_combat_2")
    assert asked_for_air(name_attack(play(p), "0825", "43Br"))


@pytest.mark.rule("the_bulge", "14.6", "15.1")
@pytest.mark.parametrize(("step", "flak_at"), [("german_combat_1", EAST), ("allied_combat_1", MIDDLE)])
@pytest.mark.parametrize("in_supply", [True, False])
def test_no_aircraft_where_the_supplied_flak_division_takes_part(
    step: str, flak_at: str, in_supply: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    german = step.startswith("german")
    placed = {"2FLAK": flak_at, "SSP": flak_at, "30ID": MIDDLE if german else EAST}
    p = position(placed, turn=8, step=step)
    monkeypatch.setattr("bulge.games.the_bulge.situation.Situation.overland",
                        lambda self, number: number != unit("2FLAK") or in_supply)  # fmt: skip
    attackers = (["SSP", "2FLAK"] if in_supply else ["SSP"]) if german else ["30ID"]
    match = name_attack(play(p), MIDDLE, *attackers)
    assert asked_for_air(match) is not in_supply


@pytest.mark.rule("the_bulge", "14.6", "15.1")
def test_flak_that_stands_by_keeps_no_aircraft_away() -> None:
    p = position({"2FLAK": EAST, "SSP": EAST, "30ID": MIDDLE}, turn=8, step="german_combat_1")
    assert asked_for_air(name_attack(play(p), MIDDLE, "SSP"))


# ---------------------------------------------------------------------- 15.2 combat support


@pytest.mark.rule("the_bulge", "15.2")
@pytest.mark.parametrize(
    ("turn", "step", "shift"),
    [
        (7, "german_combat_2", 0),
        (8, "german_combat_1", 0),
        (8, "german_combat_2", -1),
        (10, "german_combat_2", -1),
        (7, "allied_combat_1", 0),
        (8, "allied_combat_1", 1),
        (10, "allied_combat_1", 1),
        (8, "allied_combat_2", 0),
    ],
)
def test_combat_support_helps_allied_attacks_before_movement_and_hinders_german_ones_after(
    turn: int, step: str, shift: int
) -> None:
    match = attack(step, turn=turn)
    seen = foresee(match, NO_AIR) if turn >= 8 else foresee(match, str(match.asked().options[0]))
    assert amounts(seen.modifiers).get("US combat support", 0) == shift
    assert all(modifier.rule == "15.2" for modifier in seen.modifiers)


@pytest.mark.rule("the_bulge", "15.2")
@pytest.mark.parametrize(("overland", "shift"), [({"30ID", "1ID"}, 1), ({"30ID"}, 0), (set(), 0)])
def test_only_attacks_in_overland_supply_have_it(
    overland: set[str], shift: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bulge.games.the_bulge.situation.Situation.overland",
                        lambda self, number: facts().rows[number].id in overland | {"SSP"})  # fmt: skip
    p = position({"SSP": MIDDLE, "30ID": EAST, "1ID": EAST}, turn=8)
    p.airlifted = units("30ID", "1ID")
    found = amounts(battle(situation(p), MIDDLE, "30ID", "1ID").shifts())
    assert found == ({"US combat support": 1} if shift else {}), "supply from the air is supply, but not overland"


@pytest.mark.rule("the_bulge", "15.2")
def test_british_attacks_have_it_too() -> None:
    s = situation({"SSP": "0825", "43Br": "0725"}, turn=8)
    assert amounts(battle(s, "0825", "43Br").shifts()) == {"US combat support": 1}
