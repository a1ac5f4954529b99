"""Retreats: how far, where to, who chooses, friends in the way, the edge of the map (rules 5.3, 7.3, 10.2)."""

from __future__ import annotations

import pytest

from bulge.games.ardennes_offensive.retreats import Ways, best, distances, live_sources
from tests.games.ardennes_offensive.helpers import (
    STRONG,
    ArdennesMatch,
    around,
    at,
    clockwise,
    distance,
    dry,
    facts,
    fight,
    hexes,
    is_in,
    live,
    meadow,
    names,
    position,
    retreated,
    side_is,
    situation,
    steps_where,
    unit,
    units,
    where,
)
from tests.helpers import offered_names, refused_by

GAME = "ardennes_offensive"


def beaten(here: str, result: str, *, placed: dict[str, str] | None = None, side: int = 0) -> ArdennesMatch:
    """Three panzer regiments attack the 395th in this hex from one side, with this result."""
    from_ = clockwise(here)[side]
    units_ = dict.fromkeys(STRONG, from_) | {"395Inf": here} | (placed or {})
    return fight(position(units_, step="german_combat"), here, STRONG, result)


@pytest.mark.rule(GAME, "10.2", "10.1", "7.3C")
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_retreat_ends_the_full_number_of_hexes_away(length: int) -> None:
    here = meadow()
    match = retreated(beaten(here, f"Dr{length}"))
    ended = where(match.position, "395Inf")
    assert ended is not None
    assert distance(here, ended) == length


@pytest.mark.rule(GAME, "10.2")
def test_each_hex_of_a_retreat_lies_farther_off() -> None:
    here = meadow()
    ways = Ways(facts(), situation(position({"395Inf": here}, step="german_combat")), unit("395Inf"), 3)
    for first in names(ways.plain(at(here), 0)):
        for second in names(ways.plain(at(first), 1)):
            assert distance(here, second) == 2
            assert all(distance(here, third) == 3 for third in names(ways.plain(at(second), 2)))


@pytest.mark.rule(GAME, "10.2")
def test_the_victor_leads_the_retreat() -> None:
    sides = set()
    for here in live()[200:900:7]:
        if is_in(here, facts().towns | facts().wall) or len(around(here) & set(live())) < 6:
            continue
        match = beaten(here, "Dr1")
        if match.decision is not None and match.asked().rule == "10.2":
            sides.add(match.asked().side)
    assert sides == {"German"}


@pytest.mark.rule(GAME, "7.3D", "10.2")
def test_no_retreat_into_an_enemy_zone() -> None:
    here = meadow()
    match = beaten(here, "Dr1", placed={"3Pz": clockwise(here)[2]})
    zone = around(clockwise(here)[0]) | around(clockwise(here)[2])
    ended = where(retreated(match).position, "395Inf")
    assert ended not in zone


@pytest.mark.rule(GAME, "10.2", "7.3D", "16.0A")
def test_a_surrounded_unit_is_lost() -> None:
    here = meadow()
    around_it = clockwise(here)
    match = beaten(here, "Dr1", placed={"3Pz": around_it[2], "5FJ": around_it[4]})
    assert where(match.position, "395Inf") == "lost"
    assert match.position.lost == units("395Inf")


@pytest.mark.rule(GAME, "7.2B", "10.2")
def test_a_friend_opens_a_hex_that_the_enemy_controls() -> None:
    here = meadow()
    around_it = clockwise(here)
    match = beaten(here, "Dr1", placed={"3Pz": around_it[2], "5FJ": around_it[4], "9Inf": around_it[3]})
    assert where(match.position, "395Inf") == around_it[3]
    assert match.position.joined == units("395Inf")


@pytest.mark.rule(GAME, "10.2")
def test_impassable_hexes_are_shut() -> None:
    near = next(name for name in sorted(around("1516")) if is_in(name, facts().passable & ~facts().towns))
    ways = Ways(facts(), situation(position({"395Inf": near})), unit("395Inf"), 1)
    assert not is_in("1516", ways.plain(at(near), 0))


# ---------------------------------------------------------------------- priorities


def kept(here: str, among: list[str], id_: str = "395Inf", placed: dict[str, str] | None = None) -> set[str]:
    """Which of these next hexes the priorities leave to the victor."""
    s = situation(position({id_: here} | (placed or {}), step="german_combat"))
    return names(best(Ways(facts(), s, unit(id_), 1), at(here), hexes(*among)))


@pytest.mark.rule(GAME, "E10.2")
def test_first_of_all_toward_friendly_and_away_from_enemy_supply() -> None:
    good, bad = 0, 0
    for here in live()[100:1200:11]:
        s = situation(position({"395Inf": here}))
        own = distances(facts(), live_sources(facts(), s, "Allied"))
        enemy = distances(facts(), live_sources(facts(), s, "German"))
        among = [name for name in sorted(around(here)) if is_in(name, facts().passable)]
        homeward = [name for name in among if own[at(name)] < own[at(here)] and enemy[at(name)] > enemy[at(here)]]
        if homeward and len(homeward) < len(among):
            good += 1
            bad += not kept(here, among) <= set(homeward)
    assert good > 30
    assert bad == 0


def alike(here: str) -> list[str]:
    """Neighbours that are alike in their distances to both sides' supply."""
    s = situation(position())
    own, enemy = (distances(facts(), live_sources(facts(), s, side)) for side in ("Allied", "German"))
    groups: dict[tuple[bool, bool], list[str]] = {}
    for name in sorted(around(here)):
        if is_in(name, facts().passable):
            key = own[at(name)] < own[at(here)], enemy[at(name)] > enemy[at(here)]
            groups.setdefault(key, []).append(name)
    return max(groups.values(), key=len, default=[])


@pytest.mark.rule(GAME, "10.2")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("road", "clear"),
        ("clear", "rough"),
        ("rough", "river"),
        ("ford", "river"),
        ("bridge", "river"),
        ("clear", "ford"),
    ],
)
def test_then_by_the_ground(better: str, worse: str) -> None:
    def kind(here: str, to: str) -> str:
        for feature in ("river", "ford", "bridge"):
            if side_is(here, to, feature):
                return feature
        if side_is(here, to, "road") or is_in(to, facts().road_hexes):
            return "road"
        return "clear" if is_in(to, facts().clear) else "rough"

    tried = 0
    for here in live():
        group = alike(here)
        good = [name for name in group if kind(here, name) == better]
        bad = [name for name in group if kind(here, name) == worse]
        if good and bad:
            assert kept(here, [*good, *bad]) <= set(good)
            tried += 1
        if tried == 3:
            break
    assert tried


@pytest.mark.rule(GAME, "10.2", "E13.0-4")
def test_an_interdicted_bridge_comes_after_fords_and_before_rivers() -> None:
    for one, other in steps_where(lambda one, other: side_is(one, other, "bridge")):
        group = alike(one)
        dry_ground = [name for name in group if dry(one, name)]
        if other not in group or not dry_ground:
            continue
        sniper = next(name for name in live() if distance(name, other) == 3 and distance(name, one) >= 3)
        assert kept(one, [other, dry_ground[0]], placed={"1SSPz": sniper}) == {dry_ground[0]}
        return
    raise AssertionError("no such bridge on this map")


@pytest.mark.rule(GAME, "10.2")
def test_and_last_onto_the_fewest_friends() -> None:
    here = meadow()
    group = alike(here)[:2]
    assert kept(here, group) == set(group)
    assert kept(here, group, placed={"9Inf": group[0]}) == {group[1]}


@pytest.mark.rule(GAME, "10.2", "E10.2")
def test_why_another_hex_will_not_do() -> None:
    for here in live()[300:900:5]:
        if is_in(here, facts().towns | facts().wall) or len(around(here) & set(live())) < 6:
            continue
        match = beaten(here, "Dr1")
        if match.decision is None or match.asked().rule != "10.2":
            continue
        enemy = clockwise(here)[0]
        assert refused_by(match, enemy) == "5.2F"
        assert refused_by(match, clockwise(here)[1]) == "7.3D"
        others = set(clockwise(here)[2:5]) - offered_names(match)
        assert {refused_by(match, name) for name in others} <= {"E10.2", "11.0"}
        return
    raise AssertionError("nowhere on the map is the victor asked")


# ---------------------------------------------------------------------- friends in the way


@pytest.mark.rule(GAME, "6.7M", "10.2", "E9.2F")
def test_a_unit_pushes_a_friend_out_of_the_only_hex_left() -> None:
    here = meadow()
    around_it = clockwise(here)
    full = dict.fromkeys(["9Inf", "38Inf", "393Inf"], around_it[3])
    match = beaten(here, "Dr1", placed={"3Pz": around_it[2], "5FJ": around_it[4], **full})
    assert match.asked().side == "German"
    match.answer("38Inf")
    retreated(match)
    assert where(match.position, "395Inf") == around_it[3]
    assert where(match.position, "38Inf") != around_it[3]
    assert distance(around_it[3], where(match.position, "38Inf") or "") == 1
    assert match.position.retreated >> unit("38Inf") & 1


@pytest.mark.rule(GAME, "8.0", "10.2")
def test_a_retreat_does_not_pass_through_a_full_hex() -> None:
    here = meadow()
    around_it = clockwise(here)
    full = dict.fromkeys(["9Inf", "38Inf", "393Inf"], around_it[3])
    match = beaten(here, "Dr2", placed={"3Pz": around_it[2], "5FJ": around_it[4], **full})
    assert where(match.position, "395Inf") == "lost"


# ---------------------------------------------------------------------- the edge of the map


@pytest.mark.rule(GAME, "5.3M", "9.7P", "8.3F")
def test_an_allied_unit_with_no_other_way_leaves_the_map_and_sleeps() -> None:
    match = retreated(edge_trap())
    assert (where(match.position, "395Inf") or "").startswith("beside 01")
    assert match.position.dormant == units("395Inf")
    assert not match.position.lost


def edge_trap() -> ArdennesMatch:
    """Americans in row 02 whose only way out is the edge of the map: Germans to the south and the south-west."""
    for here in sorted(name for name in live() if name.startswith("02") and 12 <= int(name[2:]) <= 38):
        row = int(here[2:])
        flanks = f"03{row:02}", f"03{row + 2:02}"
        units_ = {"1SSPz": flanks[0], "12SSPz": flanks[0], "16Pz": flanks[0], "3Pz": flanks[1], "395Inf": here}
        if any(not is_in(name, facts().passable) for name in flanks) or is_in(here, facts().towns):
            continue
        p = position(units_, step="german_combat")
        ways = Ways(facts(), situation(p), unit("395Inf"), 1)
        if not ways.plain(at(here), 0) and ways.off_the_map(at(here), 0):
            return fight(p, here, STRONG, "Dr1")
    raise AssertionError("no such place on this map")


@pytest.mark.rule(GAME, "5.3N", "7.5E")
def test_german_zones_close_the_edge() -> None:
    p = position({"395Inf": "0230", "1SSPz": "0330"}, step="german_combat")
    ways = Ways(facts(), situation(p), unit("395Inf"), 1)
    open_before = names(ways.refuge)
    p = position({"395Inf": "0230", "1SSPz": "0231"}, step="german_combat")
    closed = open_before - names(Ways(facts(), situation(p), unit("395Inf"), 1).refuge)
    assert closed == {name for name in around("0231") if name.startswith("01")}


@pytest.mark.rule(GAME, "5.3N", "5.3L")
def test_germans_never_leave_the_map() -> None:
    for here in ("0213", "0234"):
        p = position({"1SSPz": here, "395Inf": "3020"}, step="allied_combat", road=["1SSPz"])
        ways = Ways(facts(), situation(p), unit("1SSPz"), 1)
        assert ways.off_the_map(at(here), 0) == 0
        assert not ways.plain(at(here), 0) & ~facts().live


@pytest.mark.rule(GAME, "14.3C")
def test_the_british_do_not_retreat_over_the_meuse() -> None:
    bank = next(
        one
        for one, other in steps_where(
            lambda one, other: is_in(one, facts().beyond_meuse) and not is_in(other, facts().beyond_meuse)
        )
    )
    p = position({"129Br": bank}, step="german_combat")
    ways = Ways(facts(), situation(p), unit("129Br"), 1)
    assert not ways.plain(at(bank), 0) & ~facts().beyond_meuse
    p.british_free = True
    assert Ways(facts(), situation(p), unit("129Br"), 1).plain(at(bank), 0) & ~facts().beyond_meuse
