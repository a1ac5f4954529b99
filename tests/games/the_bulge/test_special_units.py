"""Rule 14: cavalry, Peiper, the commandos, von der Heydte, the flak division, and the artillery corps."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush

import pytest
from msgspec.structs import replace

from bulge.core.bars import Bar, open_to
from bulge.core.hexes import ROWS_FROM_EAST
from bulge.core.spaces import members
from bulge.games.hexes.roster import DUE
from bulge.games.the_bulge.combat import EVADE, STAND
from bulge.games.the_bulge.facts import ALLIED, GERMAN, POINT
from bulge.games.the_bulge.movement import Walk
from bulge.games.the_bulge.phases import may_not_land
from bulge.games.the_bulge.position import BulgePosition
from bulge.games.the_bulge.situation import Situation
from tests.games.the_bulge.helpers import (
    BulgeMatch,
    amounts,
    at,
    battle,
    bulge,
    due,
    facts,
    fight,
    hexes,
    name_attack,
    names,
    place,
    play,
    points_left,
    position,
    side_is,
    situation,
    start,
    terrain,
    unit,
    units,
    where,
)
from tests.helpers import answer, costs, foresee, offered, offered_names, plain_distances, refused_by, run_until

MIDDLE, EAST, WEST = "0619", "0618", "0620"


# ---------------------------------------------------------------------- 14.2 cavalry


def ring_at_three(hex_: str) -> dict[str, str]:
    """Panzers so far around a hex that it is cut off while the hexes next to it are free."""
    board, found = facts().board, {}
    for direction, id_ in enumerate(["1SS", "2SS", "9SS", "2Pz", "9Pz", "Lehr"]):
        there = at(hex_)
        for _ in range(3):
            there = board.neighbour(there, direction)
        found[id_] = board.name(there)
    return found


def evades(placed: dict[str, str], *attackers: str, target: str = MIDDLE, short: tuple[str, ...] = ()) -> bool:
    """Whether the defenders of a hex are asked if they retreat before combat."""
    p = position(placed, turn=3, step="german_combat_1")
    p.short = units(*short)
    return name_attack(play(p), target, *attackers).asked().rule == "14.2"


@pytest.mark.rule("the_bulge", "14.2")
@pytest.mark.parametrize(
    ("defenders", "attackers", "short", "asked"),
    [
        (["14Cav"], {"18VG": EAST}, (), True),
        (["102Cav"], {"18VG": EAST, "3FJ": "0519"}, (), True),
        (["110"], {"18VG": EAST}, (), False),  # no cavalry
        (["14Cav", "110"], {"18VG": EAST}, (), False),  # not alone
        (["14Cav", "102Cav"], {"18VG": EAST}, (), False),
        (["14Cav"], {"1SS": EAST}, (), False),  # supplied mechanized attackers
        (["14Cav"], {"18VG": EAST, "FE": EAST}, (), False),
        (["14Cav"], {"1SS": EAST}, ("1SS",), True),  # mechanized, but out of supply
        (["14Cav"], {"1SS": EAST, "2SS": "0519"}, ("1SS",), False),
        (["14Cav"], {"1SS": EAST, "18VG": "0519"}, ("1SS",), True),
        (["14Cav"], {"SSP": EAST}, ("SSP",), False),  # Peiper is always in supply
    ],
)
def test_cavalry_alone_may_retreat_from_an_attack_without_supplied_mechanized_units(
    defenders: list[str], attackers: dict[str, str], short: tuple[str, ...], asked: bool
) -> None:
    assert evades(dict.fromkeys(defenders, MIDDLE) | attackers, *attackers, short=short) is asked


@pytest.mark.rule("the_bulge", "14.2")
def test_a_supplied_mechanized_unit_that_stands_by_does_not_hold_the_cavalry() -> None:
    assert evades({"14Cav": MIDDLE, "18VG": EAST, "1SS": "0519"}, "18VG")


@pytest.mark.rule("the_bulge", "14.2")
def test_cavalry_out_of_overland_supply_may_not() -> None:
    placed = {"14Cav": MIDDLE, "18VG": EAST, **ring_at_three(MIDDLE)}
    s = situation(placed)
    assert not s.overland(unit("14Cav"))
    assert not evades(placed, "18VG")
    p = position(placed, turn=8, step="german_combat_1")
    p.airlifted = units("14Cav")
    assert Situation(facts(), p).in_supply(unit("14Cav"))
    assert name_attack(play(p), MIDDLE, "18VG").asked().rule != "14.2", "supply from the air is not overland"


@pytest.mark.rule("the_bulge", "14.2")
def test_it_is_the_allied_choice_before_any_die() -> None:
    p = position({"14Cav": MIDDLE, "18VG": EAST}, turn=3, step="german_combat_1")
    match = name_attack(play(p), MIDDLE, "18VG")
    assert match.asked().side == ALLIED
    assert offered(match) == {EVADE, STAND}
    assert foresee(match, STAND).column == "+1..+2"
    answer(match, STAND)
    assert match.asked().rule == "13.14"


@pytest.mark.rule("the_bulge", "14.2", "13.22")
def test_the_attackers_may_advance_and_have_made_their_attack() -> None:
    p = position({"14Cav": MIDDLE, "18VG": EAST, "110": "0517"}, turn=3, step="german_combat_1")
    match = answer(name_attack(play(p), MIDDLE, "18VG"), EVADE, WEST)
    assert match.dice_taken == 0
    assert match.asked().rule == "13.22"
    answer(match, "18VG")
    assert (where(match.position, "14Cav"), where(match.position, "18VG")) == (WEST, MIDDLE)
    assert offered(match) == {"done"}


@pytest.mark.rule("the_bulge", "14.2", "13.17")
def test_the_retreat_follows_all_rules_of_retreats() -> None:
    p = position({"14Cav": MIDDLE, "18VG": EAST, "30ID": WEST, "1ID": WEST}, turn=3, step="german_combat_1")
    match = answer(name_attack(play(p), MIDDLE, "18VG"), EVADE)
    assert offered(match) == {"0520", "0720"}, "no enemy zone, no full hex"
    assert refused_by(match, "0519") == "13.17"


@pytest.mark.rule("the_bulge", "14.2", "13.17")
def test_cavalry_with_nowhere_to_go_is_not_asked() -> None:
    placed = {"14Cav": MIDDLE, "18VG": EAST, "3FJ": "0520", "5FJ": "0720"}
    assert not evades(placed, "18VG")


@pytest.mark.rule("the_bulge", "14.2")
def test_it_does_not_go_into_the_west_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Situation, "overland", lambda self, unit: True)
    wall = {"0503", "0603"}
    assert wall <= names(facts().wall)
    p = position({"14Cav": "0504", "18VG": "0505"}, turn=3, step="german_combat_1")
    match = answer(name_attack(play(p), "0504", "18VG"), EVADE)
    assert where(match.position, "14Cav") == "0403", "the only other open hex"
    after_combat = fight(position({"14Cav": "0504", "18VG": "0505"}, turn=3, step="german_combat_1"),
                         "0504", ["18VG"], "DR")  # fmt: skip
    assert offered(after_combat) == {"0403", "0603"}, "0503 is no nearer to a source"
    assert not evades({"14Cav": "0504", "18VG": "0505", "12VG": "0304"}, "18VG", target="0504"), "only wall left"


@pytest.mark.rule("the_bulge", "14.2", "13.3", "13.17")
def test_cavalry_that_joins_others_shares_their_fate_without_strength() -> None:
    p = position({"14Cav": MIDDLE, "18VG": EAST, "30ID": WEST, "2SS": "0621"}, turn=3, step="german_combat_1")
    match = answer(name_attack(play(p, [1]), MIDDLE, "18VG"), EVADE, WEST, "done", WEST)
    assert foresee(match, "2SS").defence == 4


# ---------------------------------------------------------------------- 14.3 Peiper


@pytest.mark.rule("the_bulge", "14.3", "5.5", "7.11")
def test_peiper_is_in_supply_wherever_he_is() -> None:
    p = position({"SSP": "0520", "30ID": "0420", "1ID": "0620", "2ID": "0517", "1SS": "0521"}, turn=9)
    p.short = units("SSP", "1SS")
    s = Situation(facts(), p)
    assert s.in_supply(unit("SSP"))
    assert not s.in_supply(unit("1SS"))


@pytest.mark.rule("the_bulge", "14.3", "6.4")
@pytest.mark.parametrize(("id_", "more"), [("SSP", 0), ("1SS", 2)])
def test_peiper_never_pays_for_stacking(id_: str, more: int) -> None:
    """From a hex with a friend into another with a friend."""
    s = situation({id_: MIDDLE, "18VG": MIDDLE, "62VG": EAST}, turn=3)
    cost, _ = Walk(s, unit(id_), at(MIDDLE), 6 * POINT, by_mech=False).next_steps()[at(EAST)]
    s = situation({id_: MIDDLE}, turn=3)
    alone, _ = Walk(s, unit(id_), at(MIDDLE), 6 * POINT, by_mech=False).next_steps()[at(EAST)]
    assert cost - alone == more * POINT


# ---------------------------------------------------------------------- 14.4 the commandos


def disrupted(id_: str, placed: dict[str, str], *, turn: int = 3, step: str = "german_combat_2") -> BulgePosition:
    """The commandos lie on this unit."""
    p = position(placed, turn=turn, step=step)
    p.disrupted, p.where[unit("SSES")] = unit(id_), p.where[unit(id_)]
    return p


def commandos_on(id_: str, **placed: str) -> BulgeMatch:
    p = position({"30ID": "0418", "1ID": "0418", "43Br": "0525", "18VG": "0902", **placed}, turn=2)
    return answer(play(due(p, "SSES"), [3]), "SSES", id_)


@pytest.mark.rule("the_bulge", "14.4", "6.9")
def test_the_commandos_are_put_on_any_us_unit() -> None:
    p = position({"30ID": "0418", "1ID": "0418", "43Br": "0525", "18VG": "0902"}, turn=2)
    match = answer(play(due(p, "SSES")), "SSES")
    assert offered(match) == {"30ID", "1ID"}
    answer(match, "1ID")
    assert where(match.position, "SSES") == "0418"
    assert refused_by(match, "SSES") == "14.4"


@pytest.mark.rule("the_bulge", "14.4", "7.6")
def test_that_unit_alone_is_out_of_supply_to_move_in_this_turn() -> None:
    match = run_until(commandos_on("1ID"), "allied_movement")
    answer(match, "30ID")
    assert match.dice_taken == 0
    answer(match, "stop", "1ID")
    assert match.dice_taken == 1, "a die for its movement points"
    way = match.asked().about
    assert isinstance(way, Walk)
    assert (way.left, way.by_mech) == (3 * POINT, False)


@pytest.mark.rule("the_bulge", "14.4", "13.12")
def test_they_have_no_effect_on_combat_zones_or_stacking() -> None:
    match = commandos_on("30ID")
    s = Situation(facts(), match.position)
    assert s.in_supply(unit("30ID"))
    assert not s.occupied[GERMAN] & hexes("0418")
    assert s.loads[at("0418")] == 6, "two divisions, and nothing for the commandos"
    place(match.position, "1SS", "0417")
    s = Situation(facts(), match.position)
    assert amounts(battle(s, "0418", "1SS").shifts()) == {}
    assert amounts(battle(s, "0417", "30ID").shifts()) == {}


@pytest.mark.rule("the_bulge", "14.4")
def test_they_are_removed_after_the_allied_movement_phase_and_do_not_return() -> None:
    match = run_until(commandos_on("1ID"), "allied_movement")
    assert where(match.position, "SSES") == "0418"
    run_until(match, "allied_combat_2")
    assert where(match.position, "SSES") is None
    assert match.position.disrupted == -1
    run_until(match, "german_movement")
    assert refused_by(match, "SSES") == "2.11"
    answer(run_until(match, "allied_movement"), "1ID")
    assert match.dice_taken == 0


@pytest.mark.rule("the_bulge", "14.4")
def test_they_go_where_their_unit_goes_and_are_lost_with_it() -> None:
    p = disrupted("30ID", {"30ID": MIDDLE, "18VG": EAST})
    match = answer(fight(p.copy(), MIDDLE, ["18VG"], "DR"), "retreat", WEST)
    assert where(match.position, "SSES") == where(match.position, "30ID") == WEST
    moving = disrupted("30ID", {"30ID": MIDDLE}, step="allied_movement")
    assert where(answer(play(moving, [6]), "30ID", WEST).position, "SSES") == WEST
    p.steps[unit("30ID")] = 1
    match = fight(p, MIDDLE, ["18VG"], "BB")
    assert (where(match.position, "30ID"), where(match.position, "SSES")) == (None, None)
    assert match.position.disrupted == -1


@pytest.mark.rule("the_bulge", "14.4", "7.5", "10.3")
def test_aerial_supply_helps_their_unit_but_not_onto_the_road() -> None:
    """It is in supply for all purposes, by air: six points, and no mechanized movement."""
    p = disrupted("30ID", {"30ID": MIDDLE}, turn=8, step="allied_movement")
    assert situation(p).supplied_to_move(unit("30ID")) is False
    match = answer(play(p), "aerial_supply", "30ID", "30ID")
    assert points_left(match) == 6
    assert not any("mechanized" in option.words for option in match.options())


@pytest.mark.rule("the_bulge", "14.4", "12.4")
@pytest.mark.parametrize(("turn", "there"), [(1, False), (2, True), (5, True)])
def test_the_commandos_come_no_earlier_than_their_turn_but_may_be_held_back(turn: int, there: bool) -> None:
    p = due(position({"30ID": "0418", "18VG": "0902"}, turn=turn), "SSES")
    assert ("SSES" in offered(play(p))) is there


# ---------------------------------------------------------------------- 14.5 von der Heydte


def dropped(hex_: str, **placed: str) -> BulgePosition:
    return position({"VDH": hex_, **{id_.lstrip("_"): at_ for id_, at_ in placed.items()}}, step="allied_movement")


@pytest.mark.rule("the_bulge", "14.5")
def test_the_paratroopers_may_land_neither_in_towns_nor_heavy_woods_nor_near_germans() -> None:
    p = start()
    s = Situation(facts(), p)
    near: set[str] = set()
    for german in names(s.occupied[GERMAN]):
        distances = plain_distances(ROWS_FROM_EAST, german, names(facts().board.all))
        near |= {hex_ for hex_, distance in distances.items() if distance <= 6}
    allied = names(s.occupied[ALLIED])
    expected = {
        hex_
        for hex_ in names(facts().board.all) - near - allied - names(facts().towns)
        if terrain(hex_) != "heavy_woods"
    }
    assert names(open_to(facts().board.all, may_not_land(s))) == expected


@pytest.mark.rule("the_bulge", "14.5")
def test_they_land_at_the_end_of_turn_one() -> None:
    match = play(start())
    while match.position.step != "drop":
        assert where(match.position, "VDH") is None
        match.choose("done")
    assert (match.asked().side, match.position.turn) == (GERMAN, 1)
    assert refused_by(match, "0324") == "14.5"  # a town
    assert refused_by(match, "0311") == "14.5"  # heavy woods
    assert refused_by(match, "0405") == "14.5"  # within six hexes
    control = match.position.german
    answer(match, MIDDLE)
    assert where(match.position, "VDH") == MIDDLE
    assert match.position.turn == 2
    assert match.position.german == control


@pytest.mark.rule("the_bulge", "14.5", "6.9")
def test_they_do_not_land_on_an_allied_unit() -> None:
    p = due(position({"30ID": MIDDLE, "18VG": "1901"}, turn=1, step="drop"), "VDH")
    match = play(p)
    assert refused_by(match, MIDDLE) == "6.9"
    assert EAST in offered(match), "next to one they may"


@pytest.mark.rule("the_bulge", "14.5")
def test_with_no_hex_to_land_in_they_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bulge.games.the_bulge.phases.may_not_land", lambda s: [Bar(-1, "14.5", "no")])
    match = play(due(position({"18VG": "1901"}, turn=1, step="drop"), "VDH"))
    assert match.position.where[unit("VDH")] != DUE
    assert match.position.turn == 2


@pytest.mark.rule("the_bulge", "14.5")
@pytest.mark.parametrize("vdh", [MIDDLE, "0708", "1113", "0511", "0823"])
def test_around_them_allied_units_pay_double_and_use_no_road(vdh: str) -> None:
    board = facts().board
    under = names(board.within(hexes(vdh), 1))
    plain, near = situation({}), situation({"VDH": vdh})
    for s in (plain, near):
        s.p.where[unit("30ID")] = -2  # it comes from nowhere, so that nothing but the ground counts
    for here in names(board.within(hexes(vdh), 2)):
        before = Walk(plain, unit("30ID"), at(here), 90, by_mech=True).next_steps()
        after = Walk(near, unit("30ID"), at(here), 90, by_mech=True).next_steps()
        assert after.keys() == before.keys()
        for there, found in after.items():
            name = board.name(there)
            unbridged = side_is(here, name, "river") and not side_is(here, name, "bridge")
            points = facts().terrain[terrain(name)].points + unbridged
            assert found == ((2 * points * POINT, False) if name in under else before[there])


@pytest.mark.rule("the_bulge", "14.5")
def test_germans_pay_nothing_more_around_them() -> None:
    for placed in ({}, {"VDH": MIDDLE}):
        match = answer(play(position({"18VG": EAST, **placed})), "18VG")
        assert costs(match)[MIDDLE] == "1"


@pytest.mark.rule("the_bulge", "14.5")
def test_supply_runs_past_and_over_them() -> None:
    lines = [situation(placed).lines(ALLIED).spaces for placed in ({}, {"VDH": MIDDLE}, {"VDH": "0126"})]
    assert lines[0] == lines[1] == lines[2]


@pytest.mark.rule("the_bulge", "14.5", "6.9")
def test_an_allied_unit_that_moves_onto_them_removes_them_and_goes_on_at_normal_cost() -> None:
    match = answer(play(dropped(MIDDLE, _30ID=EAST)), "30ID")
    assert costs(match)[MIDDLE] == "2"
    answer(match, MIDDLE)
    assert where(match.position, "VDH") is None
    assert not match.position.paratroops_relieved
    assert costs(match)[WEST] == "1"


@pytest.mark.rule("the_bulge", "14.5", "4.3")
def test_a_german_unit_that_reaches_them_scores_a_point_once() -> None:
    match = answer(play(position({"VDH": MIDDLE, "18VG": EAST})), "18VG")
    before = bulge().points(match.position)
    answer(match, MIDDLE)
    assert where(match.position, "VDH") is None
    assert bulge().points(match.position) == before + 1
    assert bulge().judge(match.position).points == {GERMAN: before + 1}


@pytest.mark.rule("the_bulge", "14.5", "8.2")
def test_they_have_no_zone_no_strength_and_never_move() -> None:
    p = position({"VDH": MIDDLE, "30ID": EAST, "18VG": "0902"}, turn=3, step="german_combat_1")
    match = play(p)
    assert offered(match) == {"done"}
    assert refused_by(run_until(match, "german_movement"), "VDH") == "14.5"
    run_until(match, "allied_combat_1")
    assert offered(match) == {"done"}, "nobody attacks them either"
    assert refused_by(match, MIDDLE) == "14.5"
    assert not Situation(facts(), p).zones[GERMAN] & hexes(EAST)


@pytest.mark.rule("the_bulge", "14.5", "9.3")
@pytest.mark.parametrize(
    "vdh", ["0220", *(pytest.param(hex_, marks=pytest.mark.slow) for hex_ in (MIDDLE, "0118", "0517", "1120"))]
)
def test_reach_reckons_with_them_gone_once_their_hex_is_entered(vdh: str) -> None:
    """Beyond their hex, everything costs what it costs without them; every step is tried for comparison."""
    for start_hex in sorted(names(facts().board.within(hexes(vdh), 3)))[::5]:
        if start_hex != vdh:
            match = answer(play(dropped(vdh, _30ID=start_hex)), "30ID")
            assert reach_in_costs(match) == costs_step_by_step(match), start_hex


@pytest.mark.rule("the_bulge", "14.5", "9.2")
def test_a_way_over_them_is_found_and_walked() -> None:
    match = answer(play(dropped("0220", _30ID="0222")), "30ID")
    found = walk_of(match).reach()
    over = [hex_ for hex_ in members(found.spaces) if at("0220") in found.path(hex_)[:-1]]
    assert over, "some hexes are cheaper, or in reach at all, by way of theirs"
    for hex_ in over:
        there = match.copy()
        there.go(facts().board.name(hex_))
        assert there.position.where[unit("30ID")] == hex_
        assert where(there.position, "VDH") is None


def walk_of(match: BulgeMatch) -> Walk:
    way = match.asked().about
    assert isinstance(way, Walk)
    return way


def reach_in_costs(match: BulgeMatch) -> dict[str, int]:
    """What it costs to get to each hex within reach, in fifths of a point."""
    found = walk_of(match).reach()
    return {name: found.cost(at(name)) for name in names(found.spaces)}


def costs_step_by_step(match: BulgeMatch) -> dict[str, int]:
    """The same by making every choice in turn; who has spent less can go wherever one who has spent more can."""
    found = {walk_of(match).here: 0}
    front, seen, count = [(0, 0, match)], set(), 0
    while front:
        spent, _, here = heappop(front)
        way = here.asked().about
        if not isinstance(way, Walk):
            continue  # it has nothing left, and its move is over
        state = way.here, way.by_mech, where(here.position, "VDH")
        if state in seen:
            continue
        seen.add(state)
        for to, (cost, _) in way.next_steps().items():
            ahead, count = here.copy(), count + 1
            ahead.choose(to)
            found[to] = min(spent + cost, found.get(to, spent + cost))
            heappush(front, (spent + cost, count, ahead))
    return {facts().board.name(hex_): cost for hex_, cost in found.items()}


# ---------------------------------------------------------------------- 14.6 the flak division


@pytest.mark.rule("the_bulge", "14.6")
def test_flak_does_not_attack_alone() -> None:
    p = position({"2FLAK": EAST, "30ID": MIDDLE}, turn=3, step="german_combat_1")
    match = play(p)
    assert offered(match) == {"done"}
    assert refused_by(match, MIDDLE) == "14.6"


@pytest.mark.rule("the_bulge", "14.6")
@pytest.mark.parametrize("other_at", [EAST, "0519", WEST])
def test_flak_attacks_with_another_unit_from_the_same_hex_or_not(other_at: str) -> None:
    p = position({"2FLAK": EAST, "18VG": other_at, "30ID": MIDDLE}, turn=3, step="german_combat_1")
    match = answer(play(p), MIDDLE)
    assert offered(match) == {"2FLAK", "18VG"}
    answer(match, "2FLAK")
    assert offered(match) == {"18VG"}, "not yet: it would attack alone"
    assert foresee(match, "18VG").attack == 4


@pytest.mark.rule("the_bulge", "14.6", "14.7")
def test_artillery_does_not_keep_flak_company() -> None:
    p = position({"2FLAK": EAST, "388VAK": "0617", "30ID": MIDDLE}, turn=3, step="german_combat_1")
    assert offered(play(p)) == {"done"}


@pytest.mark.rule("the_bulge", "14.6")
def test_flak_out_of_supply_does_not_attack_at_all_but_defends() -> None:
    p = position({"2FLAK": EAST, "18VG": EAST, "30ID": MIDDLE}, turn=3, step="german_combat_1")
    p.short = units("2FLAK")
    match = answer(play(p), MIDDLE)
    assert offered(match) == {"18VG"}
    assert refused_by(match, "2FLAK") == "14.6"
    match = answer(run_until(play(p.copy()), "allied_combat_1"), EAST)
    assert foresee(match, "30ID").defence == 4


# ---------------------------------------------------------------------- 14.7 artillery corps


def asks_for_fire(p: BulgePosition, *attackers: str, target: str = MIDDLE) -> set[str]:
    """The artillery corps offered to support an attack."""
    match = name_attack(play(p), target, *attackers)
    return offered_names(match) if match.asked().rule == "14.7" else set()


@pytest.mark.rule("the_bulge", "14.7", "5.4")
@pytest.mark.parametrize(
    ("vak", "turn", "step", "short", "enemy", "fires"),
    [
        ("0617", 3, "german_combat_1", (), None, True),  # two hexes off
        ("0417", 3, "german_combat_1", (), None, False),  # three
        ("0519", 3, "german_combat_1", (), None, False),  # one: and next to the enemy
        ("0617", 1, "german_combat_1", (), None, False),  # not on the first turn
        ("0617", 2, "german_combat_1", (), None, True),
        ("0617", 3, "german_combat_2", (), None, False),  # not after movement
        ("0617", 3, "german_combat_1", ("388VAK",), None, False),  # out of supply
        ("0617", 3, "german_combat_1", ("1SS",), None, True),  # others may be
        ("0617", 3, "german_combat_1", (), "0616", False),  # next to some other enemy
        ("0617", 3, "german_combat_1", (), "0615", True),
        ("0419", 3, "german_combat_1", (), None, True),
        ("0820", 3, "german_combat_1", (), None, True),
    ],
)
def test_artillery_supports_an_attack_two_hexes_off(
    vak: str, turn: int, step: str, short: tuple[str, ...], enemy: str | None, fires: bool
) -> None:
    placed = {"1SS": EAST, "30ID": MIDDLE, "388VAK": vak} | ({"110": enemy} if enemy else {})
    p = position(placed, turn=turn, step=step)
    p.short = units(*short)
    assert asks_for_fire(p, "1SS") == ({"388VAK"} if fires else set())


@pytest.mark.rule("the_bulge", "14.7")
def test_one_corps_fires_in_an_attack_and_each_but_once_a_phase() -> None:
    placed = {"1SS": EAST, "2SS": "0720", "30ID": MIDDLE, "110": "0820", "388VAK": "0617", "402VAK": "0621"}
    match = name_attack(play(position(placed, turn=3, step="german_combat_1"), [4]), MIDDLE, "1SS")
    assert offered(match) == {"388VAK", "402VAK", "no_support"}
    answer(match, "402VAK")
    assert match.asked().rule == "13.14"
    answer(match, "0", "0820", "2SS")
    assert match.asked().rule == "13.14", "the only other one in range has fired"


@pytest.mark.rule("the_bulge", "14.7", "13.8")
def test_it_adds_one_factor_and_no_shift() -> None:
    """4 against 3 is +1; with the artillery 5 against 3 is +2, in the same column."""
    p = position({"1SS": EAST, "99ID": MIDDLE, "388VAK": "0617"}, turn=3, step="german_combat_1")
    match = name_attack(play(p), MIDDLE, "1SS")
    assert (foresee(match, "no_support").attack, foresee(match, "388VAK").attack) == (4, 5)
    assert foresee(match, "no_support").column == foresee(match, "388VAK").column == "+1..+2"
    assert foresee(match, "388VAK").modifiers == ()


@pytest.mark.rule("the_bulge", "14.7")
@pytest.mark.parametrize(
    ("asked", "words"),
    [("402VAK", "2 hexes"), ("766VAK", "next to it"), ("408VAK", "out of supply"), ("1SS", "only artillery")],
)
def test_why_a_corps_may_not_fire(asked: str, words: str) -> None:
    placed = {"1SS": EAST, "30ID": MIDDLE, "110": "0817", "388VAK": "0617", "402VAK": "0616", "766VAK": "0818",
              "408VAK": "0419"}  # fmt: skip
    p = position(placed, turn=3, step="german_combat_1")
    p.short = units("408VAK")
    match = name_attack(play(p), MIDDLE, "1SS")
    assert offered(match) == {"388VAK", "no_support"}
    assert refused_by(match, asked) == "14.7"
    assert words in match.why_not(asked).words


@pytest.mark.rule("the_bulge", "14.7")
def test_artillery_does_not_attack_what_it_stands_next_to() -> None:
    p = position({"388VAK": EAST, "30ID": MIDDLE}, turn=3, step="german_combat_1")
    match = play(p)
    assert offered(match) == {"done"}
    assert refused_by(match, MIDDLE) == "14.7"
    p = position({"388VAK": EAST, "1SS": "0519", "30ID": MIDDLE}, turn=3, step="german_combat_1")
    match = answer(play(p), MIDDLE)
    assert refused_by(match, "388VAK") == "14.7"


@pytest.mark.rule("the_bulge", "14.7", "13.20")
@pytest.mark.parametrize("turn", [3, 9])
def test_artillery_that_is_attacked_is_lost_without_a_die(turn: int) -> None:
    p = position({"388VAK": "0309", "110": "0308"}, turn=turn, step="allied_combat_1")
    match = answer(play(p), "0309")
    seen = foresee(match, "110")
    assert (seen.column, seen.chances) == ("automatic", (("DE", Fraction(1)),))
    answer(match, "110")
    assert where(match.position, "388VAK") is None
    told = next(event for event in match.log if event.rule == "14.7")
    assert (told.kind, "alone in 0309, is overrun by 110th" in told.words) == ("battle", True)
    assert match.dice_taken == 0
    assert match.position.air_strikes == 0
    assert match.asked().rule == "13.22"
    answer(match, "110")
    assert where(match.position, "110") == "0309"


@pytest.mark.rule("the_bulge", "14.7", "2.10")
def test_artillery_moves_three_points_and_not_at_all_out_of_supply() -> None:
    p = position({"388VAK": MIDDLE}, turn=3)
    match = answer(play(p), "388VAK")
    way = match.asked().about
    assert isinstance(way, Walk)
    assert way.left == 3 * POINT
    p = position({"388VAK": MIDDLE}, turn=3)
    p.short = units("388VAK")
    assert refused_by(play(p), "388VAK") == "14.7"


@pytest.mark.rule("the_bulge", "14.7", "8.3")
@pytest.mark.parametrize(("id_", "may"), [("388VAK", False), ("18VG", True)])
def test_artillery_does_not_go_from_zone_to_zone(id_: str, may: bool) -> None:
    p = position({id_: MIDDLE, "30ID": "0519"}, turn=3)
    assert {MIDDLE, EAST} <= names(facts().board.around(hexes("0519")))
    match = answer(play(p), id_)
    assert (EAST in offered(match)) is may
    if not may:
        assert refused_by(match, EAST) == "14.7"
        assert WEST in offered(match), "out of the zone it may"


@pytest.mark.rule("the_bulge", "14.7", "8.1")
def test_artillery_has_a_zone_like_any_unit() -> None:
    assert situation({"388VAK": MIDDLE}).zones[GERMAN] & hexes(EAST)


@pytest.mark.rule("the_bulge", "14.7", "6.2")
def test_artillery_fills_a_hex() -> None:
    assert situation({"388VAK": MIDDLE}).room(at(MIDDLE)) == 0


@pytest.mark.rule("the_bulge", "5.5")
def test_a_german_without_a_line_is_in_supply_in_the_first_days() -> None:
    p = start()
    germans = [number for number in facts().german_units if p.where[number] >= 0]
    stranded = [number for number in germans if not bulge().supply_line(p, number)]
    fed = {turn: {bulge().needs_no_line(replace(p, turn=turn), number) for number in stranded} for turn in (3, 4)}
    assert fed[3] == {True}
    assert False in fed[4]
