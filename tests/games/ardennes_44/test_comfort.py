"""What makes a large game bearable: stacks that move together, odds before the attack, reasons, overlays."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bulge.core.decision import Option, Refusal
from bulge.core.legend import load_legend
from bulge.games.ardennes_44.counters import ALLIED, GERMAN
from bulge.games.ardennes_44.disengagement import can_disengage
from bulge.games.ardennes_44.fighting import ENGAGE, WhoLeads, fire_fight, fire_fight_modifier
from bulge.games.ardennes_44.moving import follower, movable
from bulge.games.ardennes_44.position import Ardennes44
from bulge.games.ardennes_44.situation import Situation
from tests.games.ardennes_44.helpers import (
    answer,
    ardennes,
    at,
    battle,
    begun,
    empty,
    facts,
    hexes,
    placed,
    unit,
    units,
)

GAME = "ardennes_44"


@pytest.mark.rule(GAME, "11.1")
def test_the_rest_of_a_stack_follows_the_first_unit_in_one_choice() -> None:
    p = placed(("12/48", "E2406"), ("1SS/501", "E2406"), ("12/89", "E2406"), ("12/27F", "E2008"))
    match = begun(p)
    answer(match, "12/48", "E2405", "stop")
    option = next(option for option in match.options() if option.id == "stack_follows")
    assert option.spaces == ("E2406", "E2405")
    answer(match, "stack_follows")
    q = match.position
    assert q.where[unit("1SS/501")] == at("E2405")
    assert q.where[unit("12/89")] == at("E2406"), "there is no room for two more points"
    assert q.moved == units("12/48", "1SS/501")
    assert "stack_follows" not in match.asked().options
    assert match.why_not("stack_follows").rule == "11.1"


@pytest.mark.rule(GAME, "11.1")
def test_ending_movement_passes_over_whoever_has_not_moved() -> None:
    match = begun(placed(("12/48", "E2406"), ("12/89", "E2305")))
    roles = {option.id: option.role for option in match.options()}
    assert roles == {"12/48": "", "12/89": "", "done": "end_phase"}


@pytest.mark.rule(GAME, "10.2", "11.1")
def test_whoever_is_hemmed_in_says_so_and_is_not_looked_for() -> None:
    """Five enemies around it close the sixth hex by their bonds; in Good Order it could still do something."""
    around = ("E2305", "E2306", "E2405", "E2407", "E2505")
    ring = zip(("99/394", "99/393", "2/9", "2/38", "2/23"), around, strict=True)
    p = placed(("12/48", "E2406"), ("12/89", "E2008"), *ring)
    assert offered(p)["12/48"].role == ""
    p.disrupted = units("12/48")
    assert offered(p)["12/48"].role == "idle"
    assert offered(p)["12/48"].words.endswith("hemmed in, it can only stay")
    assert begun(p).why_not("12/48").words == "hemmed in, it can only stay"
    assert offered(p)["12/89"].role == ""
    assert ardennes().overlays(p, GERMAN)["unmoved"] == ("E2008",)
    p.where[unit("99/394")] = p.where[unit("2/9")] = at("E1532")
    assert offered(p)["12/48"].role == ""


def offered(p: Ardennes44) -> dict[str, Option]:
    return {option.id: option for option in begun(p).options()}


@pytest.mark.rule(GAME, "7.7", "11.1")
def test_nobody_follows_over_the_untested_bridge_of_ouren() -> None:
    p = placed(("26/77", "E2020"), ("26/78", "E2020"), turn=3)
    match = begun(p, 6)
    p = match.position
    p.last_way = [at("E2020"), at("E2119")]

    s = Situation(facts(), p)
    assert not follower(s, movable(s, GERMAN))
    p.ouren_tested = True
    assert follower(s, movable(s, GERMAN))


@pytest.mark.rule(GAME, "14.1", "14.2", "14.3")
def test_pointing_at_a_hex_shows_the_odds_of_all_who_may_attack_it() -> None:
    p = placed(("12/48", "E2406"), ("12/89", "E2305"), ("99/394", "E2405"), step="german_combat")
    match = begun(p)
    shown = match.preview(at("E2405"))
    assert shown is not None
    assert (shown.attack, shown.defence) == (10, 6)
    assert sum(chance for _, chance in shown.chances) == 1
    assert not p.attackers, "nothing has been chosen"
    assert not next(option for option in match.options() if option.id == "done").has_preview


@pytest.mark.rule(GAME, "15.8.2", "20.1")
def test_who_digs_or_is_engaged_far_from_enemies_may_disengage() -> None:
    p = placed(("99/394", "E2406"), ("99/393", "E2008"), ("12/48", "E2405"), step="allied_combat")
    p.dug, p.engaged = units("99/394"), units("99/393")
    assert can_disengage(Situation(facts(), p), ALLIED) == sorted([unit("99/394"), unit("99/393")])


@pytest.mark.rule(GAME, "11.1", "11.2", "9.2.1", "29.1.2")
def test_a_far_hex_is_refused_by_what_keeps_the_unit_from_it() -> None:
    match = begun(placed(("12/48", "E2406"), ("99/394", "E2004"), turn=6))
    answer(match, "12/48")
    dear = "the cheapest way there costs {} movement points, and {} are left; 2 more where no enemy is near"
    hard = "that hexside is crossed tactically only, by who begins next to it"
    for asked, number, words in (
        ("E2401", "11.1", dear.format(6, 3)),
        ("E2403", "11.1", "it can go there, hex by hex"),
        ("E2004", "11.1", "99th Division 394 infantry is there"),
        ("W0941", "3.1", "that hex is not in play"),
        ("E2410", "11.4.1", f"no way leads there; from E2309 Bourscheid to E2410: {hard}"),
    ):
        assert match.why_not(asked) == Refusal(number, words)
    answer(match, "E2405")
    assert match.why_not("E2401").words.startswith(
        "the cheapest way there costs 5 movement points, and 2 are left"
    )
    first_turn = begun(placed(("12/48", "E1330"), turn=1))
    answer(first_turn, "12/48")
    assert first_turn.why_not("E1328") == Refusal("29.1.2", "on the first turn that area belongs to others")


@pytest.mark.rule(GAME, "11.1", "12.1", "22.3")
@pytest.mark.parametrize(
    ("id_", "from_", "manner"), [("LXVII/405", "E1320", "prime_mover"), ("2Pz/3/PzV", "E1322", "strategic")]
)
def test_what_was_asked_before_changes_nothing_of_what_is_said_after(id_: str, from_: str, manner: str) -> None:
    """What keeps a unit from far hexes is found for all of them at once, and anew when it goes otherwise."""
    hexes = facts().board.names_of(facts().board.within(1 << at(from_), 12))
    fresh, curious = (begun(placed((id_, from_), ("99/393", "E3414"), turn=6)) for _ in range(2))
    for match in (fresh, curious):
        answer(match, id_)
    before = [curious.why_not(hex_) for hex_ in hexes]
    for match in (fresh, curious):
        answer(match, manner)
    after = [fresh.why_not(hex_) for hex_ in hexes]
    assert [curious.why_not(hex_) for hex_ in hexes] == after != before


@pytest.mark.rule(GAME, "11.4.1", "18.3", "25.3.5", "12.1", "22.3", "26.2")
def test_refusals_of_a_move_name_the_rule_that_counts() -> None:
    match = begun(placed(("12/48", "E1509"), turn=3))
    answer(match, "12/48", "E1609")
    assert match.why_not("E1709").rule == "11.4.1"
    marked = placed(("12/48", "E1532"), turn=4)
    marked.night_marked = units("12/48")
    match = begun(marked)
    answer(match, "12/48")
    assert match.why_not("E1432").rule == "25.3.5", "forest costs more than its one point"
    for word, number in (
        ("strategic", "12.1"),
        ("prime_mover", "22.3"),
        ("break_down", "26.2"),
        ("dig_in", "15.8.2"),
    ):
        assert match.why_not(word).rule == number
    shaken = placed(("12/48", "E2406"), ("99/394", "E2404"), turn=3)
    shaken.disrupted = units("12/48")
    match = begun(shaken)
    answer(match, "12/48")
    assert match.why_not("E2405").rule == "18.3"


@pytest.mark.rule(GAME, "13.4", "24.4")
def test_refusals_of_arrivals_and_markers_say_why() -> None:
    p = placed(("12/48", "E1701"), scenario="S1", turn=4, step="allied_movement")
    p.where[unit("4/8/2")] = at("Southeast box")
    match = begun(p)
    answer(match, "4/8/2")
    assert match.why_not("E2401").rule == "13.4"
    assert match.why_not("E1701").rule == "13.1"
    assert match.why_not("E2406").rule == "13.1"
    assert match.why_not("Southwest box").rule == "13.5"
    laying = empty("S1", turn=4, step="allied_traffic")
    laying.traffic[0] = at("E2406")
    match = begun(laying)
    assert match.why_not("E2405").rule == "24.4"
    assert match.why_not("E1826").rule == "24.4"


@pytest.mark.rule(GAME, "9.1", "10.1", "11.10", "23.3")
def test_every_overlay_has_a_group_and_shows_something_of_the_position() -> None:
    p = placed(("12/48", "E2406"), ("12/89", "E2404"), ("99/394", "E2305"), turn=3)
    shown, overlays = ardennes().overlays(p, GERMAN), load_legend(facts().data.folder).overlays
    assert {overlay.id for overlay in overlays} == set(shown)
    assert all(overlay.group for overlay in overlays)
    assert {overlay.side for overlay in overlays if overlay.id == "bonds_german"} == {ALLIED}, "whom they bar"
    assert shown["bonds_german"] == ("E2405",)
    assert shown["unmoved"] == tuple(facts().board.names_of(hexes("E2406", "E2404")))
    assert "E2305" in shown["targets"]


@pytest.mark.rule(GAME, "22.7")
def test_the_attack_stays_in_sight_while_guns_are_chosen() -> None:
    match = begun(placed(("12/48", "E2406"), ("ISS/388", "E2407"), ("99/394", "E2405"), step="german_combat"))
    answer(match, "E2405", "12/48", "attack")
    assert match.asked().rule == "22.7"
    without, with_gun = match.preview("no_guns"), match.preview(unit("ISS/388"))
    assert without is not None
    assert with_gun is not None
    assert [line.rule for line in with_gun.modifiers if line not in without.modifiers] == ["22.7"]
    assert without.column != with_gun.column
    subject = match.game.subject(match.table, match.asked())
    assert subject is not None
    assert (subject.spaces, subject.units) == (("E2405",), ("12/48",))
    assert match.why_not("12/48").rule == "22.6"


@pytest.mark.rule(GAME, "16.2", "16.2.1")
def test_who_leads_a_fire_fight_sees_the_chances() -> None:
    found = battle("E2405", [("12/48", "E2406")], ["99/394"])
    found.s.p.attackers, found.s.p.target = units("12/48"), at("E2405")
    match = begun(found.s.p)
    asked = next(fire_fight(match.table, found, 0))
    assert isinstance(asked.about, WhoLeads)
    seen = asked.about.preview(match.table, asked, unit("12/48"))
    table = facts().dice["fire_fight"]
    results = [table.result(die + fire_fight_modifier(found, unit("12/48"))) for die in range(1, 7)]
    assert seen.chances == tuple((each, Fraction(results.count(each), 6)) for each in dict.fromkeys(results))
    assert asked.about.preview(match.table, asked, ENGAGE).chances == (("ENG", Fraction(1)),)
