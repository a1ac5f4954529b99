"""Stacking, zones, bonds, supply and isolation (rules 8, 9, 10 and 23)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.situation import Situation
from bulge.games.ardennes_44.stacking import fits, load_of
from bulge.games.ardennes_44.supply import Supply
from bulge.games.ardennes_44.surrender import points_of, threshold
from tests.games.ardennes_44.helpers import at, begun, facts, hexes, names, placed, stand, unit, units

GAME = "ardennes_44"


@pytest.mark.rule(GAME, "8.1", "8.2", "8.3")
@pytest.mark.parametrize(
    ("ids", "points"),
    [
        (("99/394", "2/741"), 3),
        (("1SS/1", "1SS/1/PzV"), 3),
        (("2/741", "V/406"), 0),
        (("99/394", "2/644", "4/803"), 3),
    ],
)
def test_the_stacks_of_the_figure_are_legal(ids: tuple[str, ...], points: int) -> None:
    stack = [unit(id_) for id_ in ids]
    assert fits(facts(), 0, stack)
    assert load_of(facts(), 0, stack).points == points


@pytest.mark.rule(GAME, "8.1", "8.2")
@pytest.mark.parametrize(
    "ids", [("99/394", "99/395/3"), ("V/187", "V/406"), ("2/741", "2/644"), ("2/741", "28/707")]
)
def test_more_than_the_limit_does_not_fit(ids: tuple[str, ...]) -> None:
    assert not fits(facts(), 0, [unit(id_) for id_ in ids])


@pytest.mark.rule(GAME, "8.2")
def test_the_defence_of_a_silhouette_tells_its_steps() -> None:
    for number, row in enumerate(facts().rows):
        if facts().silhouettes >> number & 1:
            assert (row.defence >= 3) == (row.steps == 2), row.id


@pytest.mark.rule(GAME, "9.1")
def test_a_unit_has_a_zone_in_the_six_hexes_around_it() -> None:
    assert stand(["E2305"]).zone(ALLIED).bit_count() == 6


@pytest.mark.rule(GAME, "9.3")
def test_silhouettes_reach_into_thick_woods_along_roads_only() -> None:
    ground = facts().ground
    zone = stand(["E1532s"]).zone(ALLIED)
    for hex_ in facts().board.neighbours(at("E1532")):
        reached = not ground.thick >> hex_ & 1 or ground.roads.between(at("E1532"), hex_)
        assert bool(zone >> hex_ & 1) == reached, facts().board.name(hex_)
    assert not zone >> at("E1432") & 1
    assert zone >> at("E1433") & 1


@pytest.mark.rule(GAME, "10.1", "10.3", "10.5", "10.5.1", "10.5.2", "10.5.3")
@pytest.mark.parametrize(
    ("own", "enemies", "closed"),
    [
        (["E2305", "E2303"], [], "E2304"),
        (["E2405", "E2605"], [], "E2504/E2505"),
        (["E2405", "E2605"], ["E2504", "E2505"], ""),
        (["E2305", "E2303"], ["E2304"], ""),
        (["E2405", "E2605"], ["E2504"], "E2504/E2505"),
        (["E1908", "E2107"], [], ""),
        (["E0805", "E0906"], ["E0806"], ""),
        (["E0805", "E0906"], [], "E0806/E0905"),
        (["E1504s", "E1703"], [], ""),
        (["E1504", "E1703"], [], "E1604"),
        (["E1504s", "E1502"], [], "E1503"),
    ],
)
def test_bonds_by_the_figures(own: list[str], enemies: list[str], closed: str) -> None:
    found = stand(own, enemies).bonds(ALLIED)
    assert {*names(found.hexes), *found.sides.names()} == ({closed} if closed else set())


@pytest.mark.rule(GAME, "10.5.1")
def test_no_bond_leads_through_wooded_rough() -> None:
    assert not stand(["E1339", "E1341"]).bonds(ALLIED).hexes


@pytest.mark.rule(GAME, "10.6")
def test_units_bond_with_their_own_edge_only() -> None:
    north = stand(["E1341"]).bonds(ALLIED).sides.names()
    assert north == ["E1242/E1342", "E1342/E1442"]
    assert not len(stand(["E1341"], side=GERMAN).bonds(GERMAN).sides)
    assert stand(["E0220"], side=GERMAN).bonds(GERMAN).sides.names()
    assert not len(stand(["E0220"]).bonds(ALLIED).sides)


@pytest.mark.rule(GAME, "10.1", "12.5", "18.3", "22.10")
@pytest.mark.parametrize("marker", ["disrupted", "broken", "columns"])
def test_shaken_units_and_columns_form_no_bond(marker: str) -> None:
    s = stand(["E2305", "E2303"])
    setattr(s.p, marker, s.units_in(hexes("E2305"), ALLIED))
    assert not Situation(facts(), s.p).bonds(ALLIED).hexes
    assert Situation(facts(), s.p).zone(ALLIED) >> at("E2304") & 1
    assert not stand(["E2305a", "E2303"]).bonds(ALLIED).hexes


@pytest.mark.rule(GAME, "10.4")
def test_bonds_that_cross_close_the_way_to_both() -> None:
    s = stand(["E2405", "E2605"], ["E2504", "E2506"])
    assert "E2504/E2505" in s.bonds(ALLIED).sides.names()
    assert names(s.bonds(GERMAN).hexes) == {"E2505"}


# ---------------------------------------------------------------------- supply


@pytest.mark.rule(GAME, "23.3")
def test_the_overland_part_crosses_rivers_and_enters_a_zone_in_its_first_hex() -> None:
    s = stand(["E1709"], ["E1810", "E1707"], side=GERMAN)
    s.p.blown = 1 << facts().bridge("E1710/E1811")
    assert Supply(s, GERMAN).supplied() >> at("E1709") & 1


@pytest.mark.rule(GAME, "23.3")
@pytest.mark.parametrize(("own", "supplied"), [(["E0115"], False), (["E0115", "E0113"], True)])
def test_a_friend_negates_a_zone_on_the_path(own: list[str], supplied: bool) -> None:
    s = stand(own, ["E0213a", "E0414a"], side=GERMAN)
    assert bool(Supply(s, GERMAN).supplied() >> at("E0115") & 1) == supplied


@pytest.mark.rule(GAME, "23.3")
def test_no_road_part_leads_over_a_blown_bridge() -> None:
    s = stand(["E2115"], ["E2315"], side=GERMAN)
    s.p.blown = 1 << facts().bridge("E2016/E2115")
    supply = Supply(s, GERMAN)
    assert not supply.road_net() >> at("E2115") & 1
    assert supply.supplied() >> at("E2115") & 1


@pytest.mark.rule(GAME, "23.2")
def test_a_source_with_an_enemy_in_it_gives_nothing() -> None:
    s = stand(["E2305"], ["E0113", "E0122", "E0139"], side=GERMAN)
    assert not Supply(s, GERMAN).road_net()


@pytest.mark.rule(GAME, "23.6")
def test_isolated_units_fall_into_groups() -> None:
    s = stand(["E3313", "E3512", "E3021"], ["E3118", "E3316", "E3016", "E3216"])
    groups = Supply(s, ALLIED).groups(hexes("E3313", "E3512", "E3021"))
    assert sorted(sorted(names(group)) for group in groups) == [["E3021"], ["E3313", "E3512"]]


@pytest.mark.rule(GAME, "23.6")
def test_a_line_of_communication_runs_from_unit_to_unit() -> None:
    s = stand(["E3313", "E3512"])
    supply = Supply(s, ALLIED)
    assert supply.in_touch(hexes("E3512")) == hexes("E3313", "E3512")
    assert supply.in_touch(0) == 0


@pytest.mark.rule(GAME, "23.8")
def test_the_threshold_follows_morale() -> None:
    assert threshold(facts(), [unit("106/422")]) == 3
    assert threshold(facts(), [unit("106/422"), unit("99/394")]) == 4
    assert threshold(facts(), [unit("106/422"), unit("101/501")]) == 5


@pytest.mark.rule(GAME, "23.9")
def test_of_groups_that_join_the_larger_one_counts() -> None:
    p = placed(("99/394", "E2305"), ("99/395/3", "E2306"))
    p.groups = {unit("99/394"): 1, unit("99/395/3"): 2}
    p.surrender = {1: 1, 2: 3}
    assert points_of(facts(), p, [unit("99/394"), unit("99/395/3")]) == 1


@pytest.mark.rule(GAME, "23.1", "23.4", "23.7", "23.10")
def test_cut_off_units_are_marked_and_add_surrender_points_until_supplied() -> None:
    ring = ("E2406", "E2304", "E2205", "E2206", "E2305")
    germans = ("277/989", "277/990", "277/991", "12/48", "12/89")
    p = placed(("99/395/3", "E2306"), *zip(germans, ring, strict=True), step="allied_supply")
    p.where[unit("12/27F")] = at("E2307")
    match = begun(p, 3)
    assert match.position.unsupplied >> unit("99/395/3") & 1
    assert list(match.position.surrender.values()) == [1]
    q = placed(("99/395/3", "E2306"), step="allied_supply")
    q.unsupplied = units("99/395/3")
    q.groups, q.surrender = {unit("99/395/3"): 1}, {1: 2}
    after = begun(q).position
    assert not after.unsupplied
    assert not after.groups
