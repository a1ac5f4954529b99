"""Supply paths, what it means to lack one, and bridges under fire (rules 12 and 13)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_offensive.battle import defence_strength
from tests.games.ardennes_offensive.helpers import (
    around,
    at,
    battle,
    clockwise,
    distance,
    facts,
    first_step,
    hexes,
    is_in,
    live,
    meadow,
    names,
    play,
    position,
    side_is,
    situation,
    steps_where,
    unit,
    units,
    where,
)
from tests.helpers import answer, costs, refused_by, run_until

GAME = "ardennes_offensive"


def supplied(placed: dict[str, str], id_: str, *, turn: int = 4, road: list[str] | None = None) -> bool:
    """Whether a unit can trace a path now."""
    p = position(placed, turn=turn, step="turn_end", road=road or [])
    side = "German" if at(placed[id_]) and id_ in ("1SSPz", "5FJ", "12SSPz") else "Allied"
    return is_in(placed[id_], situation(p).supplied_hexes(side))


def plain_supplied_hexes(p_units: dict[str, str], side: str) -> set[str]:
    """Every hex from which a path can be traced, worked out hex by hex with sets of names."""
    german = {"1SSPz", "5FJ", "12SSPz", "16Pz", "3Pz"}
    own = {hex_ for id_, hex_ in p_units.items() if (id_ in german) == (side == "German")}
    enemy = set(p_units.values()) - own
    zone = {near for hex_ in enemy for near in around(hex_)} - own
    free = set(live()) - enemy - zone
    fire = {name for name in live() if any(distance(name, hex_) <= 3 for hex_ in enemy)}
    sources = names(facts().sources[side]) & free
    reached, front = set(sources), set(sources)
    while front:
        front = {
            to
            for hex_ in front
            for to in names(facts().roads.across(hexes(hex_)))
            if to in free - reached and not (side_is(hex_, to, "bridge") and (hex_ in fire or to in fire))
        }
        reached |= front
    for _ in range(3):
        reached |= {near for hex_ in reached & free for near in around(hex_)} & set(live())
    return reached


@pytest.mark.rule(GAME, "12.1A", "12.1B", "12.1C", "12.2D", "12.2F", "7.3D", "13.2B")
@pytest.mark.parametrize("side", ["German", "Allied"])
@pytest.mark.parametrize(
    "placed",
    [
        {"1SSPz": "0935", "395Inf": "0710"},
        {"1SSPz": "2521", "5FJ": "1824", "395Inf": "2019", "9Inf": "3112"},
        {"1SSPz": "1639", "5FJ": "1312", "12SSPz": "0814", "395Inf": "0902", "38Inf": "2602"},
    ],
)
def test_supply_paths_against_a_slow_second_opinion(placed: dict[str, str], side: str) -> None:
    s = situation(position(placed, step="turn_end"))
    assert names(s.lines(side).spaces & facts().passable) == plain_supplied_hexes(placed, side)


@pytest.mark.rule(GAME, "12.1A")
def test_three_hexes_to_a_road_and_no_more() -> None:
    three, four = (facts().board.ring(facts().road_hexes, steps) & facts().passable for steps in (3, 4))
    near, far = sorted(names(three)), sorted(names(four))
    assert far
    open_near = [name for name in near if supplied({"395Inf": name}, "395Inf")]
    assert open_near, "some hex three from a road has a path"
    assert not any(supplied({"395Inf": name}, "395Inf") for name in far)


@pytest.mark.rule(GAME, "7.2B", "12.1A")
def test_a_friend_carries_the_path_through_an_enemy_zone() -> None:
    """A road source in an enemy zone gives nothing until a friend stands on it."""
    source = "1601"
    enemy = sorted(name for name in around(source) if is_in(name, facts().passable))[0]
    p = position({"395Inf": enemy}, step="turn_end")
    assert not is_in(source, situation(p).lines("German").road_head)
    p = position({"395Inf": enemy, "5FJ": source}, step="turn_end")
    assert is_in(source, situation(p).supplied_hexes("German"))


@pytest.mark.rule(GAME, "6.6J", "12.1A")
def test_a_column_does_not_cut_a_path_but_where_it_stands() -> None:
    exit_ = "0213"
    near = sorted(name for name in around(exit_) if is_in(name, facts().passable))[0]
    deployed = position({"1SSPz": near}, step="turn_end")
    column = position({"1SSPz": near}, step="turn_end", road=["1SSPz"])
    assert not is_in(exit_, situation(deployed).lines("Allied").road_head)
    assert is_in(exit_, situation(column).lines("Allied").road_head)


# ---------------------------------------------------------------------- states


def ringed() -> dict[str, str]:
    """An American regiment in a meadow with Germans all around it, far from friends."""
    here = meadow()
    a, _, c, _, e, _ = clockwise(here)
    return {"395Inf": here, "1SSPz": a, "5FJ": c, "12SSPz": e}


@pytest.mark.rule(GAME, "12.3G", "12.3H", "12.4K")
def test_cut_off_and_surrounded_is_isolated() -> None:
    match = play(position(ringed() | {"CCB9": "3604"}, step="allied_supply"))
    assert match.position.step == "allied_movement"
    assert match.position.isolated == match.position.unsupplied == units("395Inf")


@pytest.mark.rule(GAME, "12.3G", "12.3H")
def test_who_is_not_surrounded_is_merely_unsupplied() -> None:
    """Four hexes from any road, with nobody near: no path, but room to breathe."""
    lonely = facts().board.ring(facts().road_hexes, 4) & facts().passable & ~facts().near_source["Allied"]
    match = play(position({"395Inf": sorted(names(lonely))[0], "1SSPz": "2602"}, step="allied_supply"))
    assert match.position.unsupplied == units("395Inf")
    assert match.position.isolated == 0


@pytest.mark.rule(GAME, "12.3H")
def test_a_supplied_friend_within_three_hexes_keeps_it_from_isolation() -> None:
    placed = ringed()
    for friend in live():
        if distance(friend, placed["395Inf"]) != 3:
            continue
        s = situation(position(placed | {"9Inf": friend}, step="turn_end"))
        if is_in(friend, s.supplied_hexes("Allied")):
            assert s.isolated_hexes("Allied") == 0
            return
    raise AssertionError("no supplied place three hexes off")


@pytest.mark.rule(GAME, "12.3J")
def test_nobody_is_isolated_within_three_hexes_of_his_own_exits() -> None:
    exit_ = names(facts().sources["Allied"])
    here = next(
        name
        for name in live()
        if min(distance(name, one) for one in exit_) == 2
        and all(is_in(near, facts().passable) for near in around(name))
        and not is_in(name, facts().towns)
    )
    a, _, c, _, e, _ = clockwise(here)
    s = situation(position({"395Inf": here, "1SSPz": a, "5FJ": c, "12SSPz": e}, step="turn_end"))
    assert not is_in(here, s.supplied_hexes("Allied"))
    assert s.isolated_hexes("Allied") == 0


@pytest.mark.rule(GAME, "12.4K", "12.6", "12.0")
def test_a_defender_is_judged_at_the_moment_of_combat() -> None:
    placed = ringed()
    on_paper = battle(placed["395Inf"], "1SSPz")
    p = position(placed, step="german_combat")
    assert defence_strength(facts(), situation(p), on_paper).total == 2, "isolated: 4 is 2"
    del placed["12SSPz"]
    p = position(placed, step="german_combat")
    assert defence_strength(facts(), situation(p), on_paper).total == 4, "unsupplied: no effect on defence"


@pytest.mark.rule(GAME, "12.5L")
def test_nobody_is_lost_for_want_of_supply() -> None:
    match = run_until(play(position(ringed() | {"CCB9": "3604"}, step="allied_supply")), "german_combat")
    assert where(match.position, "395Inf") == meadow()
    assert match.position.lost == 0


@pytest.mark.rule(GAME, "E12.0-2", "12.4K")
def test_supply_once_judged_holds_for_the_player_turn() -> None:
    placed = ringed()
    p = position(placed | {"CCB9": "0710", "1102Eng": "2715"}, step="allied_supply")
    match = play(p)
    assert match.position.unsupplied == units("395Inf")
    for id_ in ("1SSPz", "5FJ", "12SSPz"):
        match.position.where[unit(id_)] = at("2602")
    run_until(match, "allied_mechanized")
    assert match.position.unsupplied == units("395Inf"), "though the enemy is gone"


@pytest.mark.rule(GAME, "E12.0-1", "4.1")
def test_supply_markers_go_with_the_player_turn() -> None:
    p = position({"1SSPz": "2310", "395Inf": "0710"}, step="german_mechanized")
    p.unsupplied = p.isolated = units("1SSPz")
    p.attacked = units("1SSPz")
    p.interdicting = hexes("2310")
    match = play(p)
    assert match.position.step == "allied_movement"
    assert match.position.unsupplied == match.position.isolated == match.position.attacked == 0


@pytest.mark.rule(GAME, "4.2")
def test_on_the_first_turn_every_german_is_in_supply() -> None:
    a, _, c, _, e, _ = clockwise(meadow())
    placed = {"1SSPz": meadow(), "395Inf": a, "9Inf": c, "38Inf": e}
    first, second = (situation(position(placed, turn=turn, step="turn_end")) for turn in (1, 2))
    assert is_in(meadow(), first.supplied_hexes("German"))
    assert not is_in(meadow(), second.supplied_hexes("German"))


# ---------------------------------------------------------------------- bridges


def bridge(*, german_ground: bool = False) -> tuple[str, str]:
    ground = facts().german_ground if german_ground else facts().board.all & ~facts().german_ground
    return first_step(
        lambda one, other: side_is(one, other, "bridge") and is_in(one, ground) and is_in(other, ground)
    )


def off(hex_: str, other: str, steps: int) -> str:
    """A live hex exactly so far from one hex, and farther from the other."""
    return next(
        name
        for name in live()
        if distance(name, hex_) == steps and distance(name, other) > steps and not is_in(name, facts().towns)
    )


@pytest.mark.rule(GAME, "13.1A")
@pytest.mark.parametrize(("steps", "cut"), [(1, True), (3, True), (4, False)])
def test_a_bridge_within_three_hexes_of_an_enemy_is_cut(steps: int, cut: bool) -> None:
    one, other = bridge()
    p = position({"1SSPz": off(one, other, steps)}, step="allied_supply")
    match = play(p)
    assert situation(match.position).interdicted("Allied").between(at(one), at(other)) is cut


@pytest.mark.rule(GAME, "13.2B", "13.0")
@pytest.mark.parametrize(("id_", "points"), [("CCB9", 6), ("395Inf", 3)])
def test_a_cut_bridge_is_a_mere_river(id_: str, points: int) -> None:
    one, other = bridge()
    p = position({id_: one}, step="allied_movement")
    p.interdicting = hexes(other)
    match = answer(play(p), id_)
    ground = {("CCB9", False): 1, ("CCB9", True): 4, ("395Inf", False): 1, ("395Inf", True): 2}
    expected = points + ground[id_, is_in(other, facts().rough)]
    if expected > facts().rows[match.asked().about.way.unit].movement:
        assert refused_by(match, other) == "5.2J"
    else:
        assert costs(match)[other] == str(expected)


@pytest.mark.rule(GAME, "13.3D")
def test_columns_do_not_interdict() -> None:
    one, other = bridge()
    p = position({"1SSPz": off(one, other, 2)}, step="turn_end", road=["1SSPz"])
    assert not situation(p).interdicted("Allied").between(at(one), at(other))


@pytest.mark.rule(GAME, "13.5F", "E13.0-1")
def test_interdiction_is_for_each_side_apart_and_friends_do_not_lift_it() -> None:
    one, other = bridge()
    p = position({"1SSPz": off(one, other, 3), "395Inf": one}, step="turn_end")
    assert situation(p).interdicted("Allied").between(at(one), at(other))
    assert situation(p).interdicted("German").between(at(one), at(other))
    p = position({"1SSPz": one}, step="turn_end")
    assert situation(p).interdicted("Allied").between(at(one), at(other))
    assert not situation(p).interdicted("German").between(at(one), at(other))


@pytest.mark.rule(GAME, "13.4E", "E13.0-2")
def test_on_the_first_turn_bridges_wholly_behind_the_german_line_are_safe() -> None:
    one, other = bridge(german_ground=True)
    placed = {"395Inf": off(one, other, 3)}
    first, second = (situation(position(placed, turn=turn, step="turn_end")) for turn in (1, 2))
    assert not first.interdicted("German").between(at(one), at(other))
    assert second.interdicted("German").between(at(one), at(other))


@pytest.mark.rule(GAME, "E13.0-2")
def test_bridges_on_the_start_line_are_cut_on_the_first_turn() -> None:
    line = [
        (one, other)
        for one, other in steps_where(lambda one, other: side_is(one, other, "bridge"))
        if is_in(one, facts().german_ground) and not is_in(other, facts().german_ground)
    ]
    assert line
    for one, other in line:
        s = situation(position({"395Inf": other}, turn=1, step="turn_end"))
        assert s.interdicted("German").between(at(one), at(other))


@pytest.mark.rule(GAME, "E13.0-3", "13.1A")
def test_interdiction_is_fixed_for_the_player_turn() -> None:
    one, other = bridge()
    match = play(position({"1SSPz": off(one, other, 3), "395Inf": one, "9Inf": "3112"}, step="allied_supply"))
    p = match.position
    p.where[unit("1SSPz")] = at("2602")
    assert situation(p).interdicted("Allied").between(at(one), at(other)), "the enemy has gone, the marker stays"
    away = play(position({"1SSPz": "2602", "395Inf": one, "9Inf": "3112"}, step="allied_supply")).position
    away.where[unit("1SSPz")] = at(off(one, other, 3))
    assert not situation(away).interdicted("Allied").between(at(one), at(other)), "he came too late"


@pytest.mark.rule(GAME, "13.2C")
def test_markers_are_lifted_when_the_player_turn_ends() -> None:
    p = position({"1SSPz": "2310", "395Inf": "0710"}, step="german_mechanized")
    p.attacked = units("1SSPz")
    p.interdicting = hexes("2310", "2311")
    match = play(p)
    assert match.position.step == "allied_movement"
    assert match.position.interdicting == situation(match.position).within_fire("Allied")


@pytest.mark.rule(GAME, "E13.0-4")
def test_for_the_other_side_bridges_are_judged_as_things_stand() -> None:
    one, other = bridge()
    sniper = off(one, other, 3)
    p = position({"1SSPz": sniper, "395Inf": "0710"}, step="german_combat")
    assert situation(p).interdicted("Allied").between(at(one), at(other))
    p.where[unit("1SSPz")] = at("2602")
    assert not situation(p).interdicted("Allied").between(at(one), at(other))


@pytest.mark.rule(GAME, "12.6")
def test_an_unsupplied_attacker_is_halved_in_play() -> None:
    here = meadow()
    target = clockwise(here)[0]
    p = position({"1SSPz": here, "395Inf": target, "23Inf": "0710"}, step="german_combat")
    p.unsupplied = units("1SSPz")
    match = answer(play(p), target)
    found = match.preview(match.find("1SSPz"))
    assert found is not None
    assert (found.attack, found.defence, found.column) == (5, 4, "1-1")
    assert [(line.amount, line.rule) for line in found.modifiers] == [(-4, "12.6")]
