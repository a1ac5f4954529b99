"""What the Allied player is asked explains itself: reserves, engineers, retreats, losses, full hexes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from bulge.core.bars import refusal
from bulge.core.chance import Scripted
from bulge.core.decision import DONE, Kind, Refusal
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.enemy_action.allied_activation import overfull
from bulge.games.enemy_action.allied_events import BLOW, REPAIR, bridge_sites, roadblock_bars, site_bars
from bulge.games.enemy_action.allied_losses import DISPERSE, RETREAT, allied_retreats, loss_bars
from bulge.games.enemy_action.events import carry_out_event
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN, GONE, mask
from bulge.games.enemy_action.losses import german_defence
from bulge.games.enemy_action.movement import allied_moves
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.replacements import allied_choices, can_assign
from bulge.games.enemy_action.reserves import deploy_bars, entry_bars, together_bar
from bulge.games.enemy_action.retreats import RetreatQuestion, passages, retreat_bars
from tests.games.enemy_action.helpers import at, crisis, empty, place, sit, start, table, the_game, unit

GAME = "enemy_action"


def says(found: Refusal | None) -> tuple[str, str]:
    assert found is not None
    return found.rule, found.words


def play_from(p: EnemyActionPosition, *dice: int) -> Match[Any]:
    return Match.at(the_game(), p, Scripted(list(dice)))


# ---------------------------------------------------------------------- reserves (7)


@pytest.mark.rule(GAME, "7.1")
@pytest.mark.rule(GAME, "7.2")
def test_why_a_reserve_unit_may_not_come_on_in_a_hex() -> None:
    p = start()
    rifles = unit("26.1.V")
    p.where[rifles] = BOX
    bars = entry_bars(sit(p), rifles)
    assert says(refusal(bars, at("1209")))[0] == "7.1"
    assert "area of V Corps" in says(refusal(bars, at("1209")))[1]
    near = the_game().board.within(sit(p).occupied[GERMAN], 2) & sit(p).lines(ALLIED).heads
    near &= the_game().facts.corps_area["V"] & ~the_game().facts.edge & ~sit(p).occupied[GERMAN]
    assert "too near" in says(refusal(bars, members(near)[0]))[1]
    assert "no road hex" in says(refusal(bars, at("0310")))[1]
    open_ = [hex_ for hex_ in members(the_game().board.all) if refusal(bars, hex_) is None]
    assert open_
    mate = unit("16.1.V")
    p.where[mate], p.placed = open_[0], 1 << mate
    assert refusal([together_bar(sit(p), rifles)], open_[0]) is None
    assert says(refusal([together_bar(sit(p), rifles)], open_[-1]))[0] == "7.2"


@pytest.mark.rule(GAME, "7.0")
def test_why_a_unit_may_not_be_deployed() -> None:
    p = start()
    p.entering = 0
    bars = deploy_bars(the_game().facts, p)
    assert says(refusal(bars, unit("3.2P.XLVII"))) == ("9.4", "it is a German unit; the rules bring it on")
    assert says(refusal(bars, unit("393.99.V"))) == ("7.1", "it is on the map")
    assert "does not belong" in says(refusal(bars, unit("26.1.V")))[1]


# ---------------------------------------------------------------------- engineers (14.2, 10.8)


@pytest.mark.rule(GAME, "14.21")
@pytest.mark.rule(GAME, "4.12")
def test_why_a_bridge_may_not_be_blown_or_repaired() -> None:
    facts, p = the_game().facts, start(day=16)
    bridge = members(facts.bridges & ~facts.bridges_blown & ~facts.bridges_german)[0]
    assert says(refusal(site_bars(facts, p, BLOW), bridge))[0] == "4.12"
    p.turn = 2
    destroyed = members(facts.bridges_blown)[0]
    assert says(refusal(site_bars(facts, p, BLOW), destroyed)) == ("14.21", "there is no bridge that stands")
    german = members(facts.bridges_german & ~facts.bridges_blown)[0]
    assert says(refusal(site_bars(facts, p, BLOW), german)) == ("14.21", "the bridge is German")
    assert says(refusal(site_bars(facts, p, REPAIR), bridge)) == ("14.21", "no bridge lies destroyed there")
    assert all(refusal(site_bars(facts, p, BLOW), side) is None for side in bridge_sites(facts, p, BLOW))


@pytest.mark.rule(GAME, "10.8")
def test_why_a_roadblock_may_not_be_placed() -> None:
    facts, p = the_game().facts, start()
    bars = roadblock_bars(facts, p)
    held = the_game().board.around(1 << p.where[unit("3.2P.XLVII")]) & facts.road_hexes & ~sit(p).occupied[ALLIED]
    assert says(refusal(bars, members(held)[0]))[1] == "a German unit is in it or beside it"
    assert says(refusal(bars, at("0310")))[1] == "no road runs through it"


@pytest.mark.rule(GAME, "14.2")
def test_a_hexside_without_a_river_is_refused_in_the_clients_words() -> None:
    p = start(day=17)
    facts = the_game().facts
    p.hand, p.step = 1 << facts.allied.of["A33"], "engineers"
    match = play_from(p)
    assert {option.id: option.words for option in match.options()}["blow"] == "Blow up a bridge"
    match.answer("blow")
    assert match.asked().kind is Kind.SIDE
    assert match.why_not("0310/0311").words == "no river runs there"


# ---------------------------------------------------------------------- full hexes (10.4)


def crowded() -> EnemyActionPosition:
    """Three units in 1513 and a fourth beside them, all active."""
    p = empty(18)
    place(p, **{"109.28.VIII": "1513", "110.28.VIII": "1513", "112.28.VIII": "1513", "CCR.9A.VIII": "1514"})
    p.active = mask(map(unit, ("109.28.VIII", "110.28.VIII", "112.28.VIII", "CCR.9A.VIII")))
    p.step = "allied_moves"
    return p


@pytest.mark.rule(GAME, "10.4")
def test_an_allied_unit_may_end_in_a_full_hex_while_somebody_can_still_leave_it() -> None:
    p = crowded()
    assert allied_moves(sit(p), unit("CCR.9A.VIII")).ends >> at("1513") & 1
    p.moved = mask(map(unit, ("109.28.VIII", "110.28.VIII", "112.28.VIII")))
    assert not allied_moves(sit(p), unit("CCR.9A.VIII")).ends >> at("1513") & 1


@pytest.mark.rule(GAME, "10.4")
def test_what_is_over_the_limit_after_movement_loses_steps() -> None:
    match = play_from(crowded())
    match.choose(unit("CCR.9A.VIII"))
    match.choose(at("1513"))
    the_game().check(match.position)
    end = next(option for option in match.options() if option.id == DONE)
    assert "steps are lost in" in end.words
    match.choose(DONE)
    decision = match.asked()
    assert decision.rule == "10.4"
    lone = unit("CCR.9A.VIII")
    assert set(decision.options) == set(sit(match.position).stack(at("1513")))
    while match.position.steps[lone]:
        assert match.asked().rule == "10.4"
        match.choose(lone)
    assert match.position.where[lone] == GONE
    while match.asked().rule == "10.4":
        match.choose(match.asked().options[0])
    assert not overfull(sit(match.position))


# ---------------------------------------------------------------------- retreats (12.7)


def attacked(p: EnemyActionPosition, target: str, hits: int, **more: Any) -> Battle:
    defenders = mask(sit(p).stack(at(target)))
    attackers = mask(sit(p).units_in(the_game().board.next_to(at(target)), GERMAN))
    p.battle = battle = replace(Battle(GERMAN, at(target), attackers, defenders, defender_hits=hits), **more)
    p.step = "battle_defence"
    return battle


def hemmed_in() -> EnemyActionPosition:
    """One regiment whose only way out of zones leads through three of its own."""
    p = empty(18)
    place(
        p,
        **{
            "393.99.V": "1510",
            "3.2P.XLVII": "1509",
            "2.2P.XLVII": "1409",
            "304.2P.XLVII": "1609",
            "109.28.VIII": "1511",
            "110.28.VIII": "1511",
            "112.28.VIII": "1511",
        },
    )
    return p


@pytest.mark.rule(GAME, "12.75")
def test_a_retreat_of_two_hexes_may_pass_through_a_full_stack() -> None:
    p = hemmed_in()
    assert not allied_retreats(sit(p), attacked(p, "1510", 0)).keys() & {at("1511")}
    assert passages(sit(p), attacked(p, "1510", 1)).hexes >> at("1511") & 1
    attacked(p, "1510", 2)
    match = play_from(p)
    match.choose(RETREAT)
    assert match.asked().rule == "12.7"
    words = {option.id: option.words for option in match.options()}
    assert "full" in words["1511"]
    match.choose(at("1511"))
    if match.asked().rule == "12.7":
        match.choose(match.asked().options[0])
    ended = match.position.where[unit("393.99.V")]
    assert the_game().board.distance(ended, at("1510")) == 2
    assert match.position.dispersed >> unit("393.99.V") & 1
    the_game().check(match.position)


@pytest.mark.rule(GAME, "12.71")
@pytest.mark.rule(GAME, "12.73")
def test_why_a_hex_is_closed_to_a_retreat() -> None:
    p = hemmed_in()
    battle = attacked(p, "1510", 0)
    s = sit(p)
    here = [unit("393.99.V")]
    bars = retreat_bars(s, battle, here, at("1510"))
    assert says(refusal(bars, at("1509")))[1].endswith("stands there")
    assert says(refusal(bars, at("1512")))[1] == "a retreat goes one hex at a time"
    p.german_towns |= 1 << at("1410")
    question = RetreatQuestion(s, battle, allied_retreats(s, battle))
    match = play_from(p)
    assert says(refusal(question.bars(match.table, match.asked()), at("1511")))[0] == "12.73"


# ---------------------------------------------------------------------- losses (12.51, 12.61)


@pytest.mark.rule(GAME, "12.61")
@pytest.mark.rule(GAME, "12.51")
def test_why_a_unit_or_a_word_does_not_take_a_loss() -> None:
    p = empty(18)
    place(p, **{"393.99.V": "1510", "394.99.V": "1510", "3.2P.XLVII": "1509", "395.99.V": "1511"})
    battle = attacked(p, "1510", 2, hit=1 << unit("393.99.V"), hit_hexes=1 << at("1510"))
    bars = loss_bars(p, battle, battle.defenders)
    assert says(refusal(bars, unit("393.99.V")))[0] == "12.61"
    assert says(refusal(bars, unit("395.99.V")))[0] == "12.6"
    assert refusal(bars, unit("394.99.V")) is None
    match = play_from(p)
    assert match.why_not(DISPERSE).rule == "12.51"
    assert {option.id: option.words for option in match.options()}[RETREAT] == "All retreat one hex"
    p.isolated = mask(map(unit, ("393.99.V", "394.99.V")))
    attacked(p, "1510", 2, retreat=(at("1510"),))
    assert play_from(p).why_not(RETREAT).rule == "12.75"


# ---------------------------------------------------------------------- faults that were mended


@pytest.mark.rule(GAME, "16.1")
@pytest.mark.rule(GAME, "10.4")
def test_a_replacement_step_does_not_overfill_a_hex() -> None:
    facts, p = the_game().facts, crisis()
    p.card = facts.allied.of["A02"]
    mates = [unit(name) for name in ("47.9.V", "9.2.V", "38.2.V")]
    assert all(p.where[one] == at("0506") for one in mates)
    p.steps[mates[2]] = facts.full[mates[2]] - 1
    for mate in mates[:2]:
        p.steps[mate] = facts.full[mate]
    while sit(p).stack_steps(at("0506")) < 6:
        p.steps[mates[0]] += 1
    assert mates[2] not in allied_choices(facts, p)
    p.steps[mates[0]] -= 1
    assert mates[2] in allied_choices(facts, p)


@pytest.mark.rule(GAME, "16.2")
@pytest.mark.rule(GAME, "10.4")
def test_german_steps_do_not_overfill_a_hex_either() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"272.LXVII": "0203", "326.LXVII": "0203"})
    one, two = unit("272.LXVII"), unit("326.LXVII")
    assert (facts.full[one], facts.full[two]) == (4, 4)
    p.steps[one], p.steps[two] = 3, 3
    assert can_assign(facts, p, [one, two]) == []
    p.steps[two] = 2
    assert set(can_assign(facts, p, [one, two])) == {one, two}


@pytest.mark.rule(GAME, "12.37")
@pytest.mark.rule(GAME, "15.3")
def test_von_der_heydte_takes_the_place_of_a_detachment() -> None:
    facts, p = the_game().facts, empty(18)
    p.detachments = 1 << at("0408")
    p.event, p.command = "von_der_heydte", facts.german.of["G41"]
    list(carry_out_event(table(p), facts))
    assert p.where[facts.heydte] == at("0408")
    assert not p.detachments


@pytest.mark.rule(GAME, "15.1")
@pytest.mark.rule(GAME, "12.7")
def test_germans_who_are_driven_back_leave_no_detachment() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"3.2P.XLVII": "1309", "502.101.VIII": "1310"})
    assert facts.hold[at("1309")]
    p.steps[unit("3.2P.XLVII")] = 1
    p.battle = Battle(ALLIED, at("1309"), 1 << unit("502.101.VIII"), 1 << unit("3.2P.XLVII"), defender_hits=1)
    german_defence(table(p, 10), facts)
    assert p.where[unit("3.2P.XLVII")] != at("1309")
    assert not p.detachments


@pytest.mark.rule("enemy_action", "12.75")
def test_who_falls_back_through_a_full_hex_is_not_yet_too_many() -> None:
    p = empty()
    place(
        p,
        **dict.fromkeys(("502.101.VIII", "327.101.VIII", "120.30.XVIII", "501.101.VIII", "506.101.VIII"), "0326"),
    )
    p.step = "battle_defence"
    the_game().check(p)
    p.step = "allied_impulse"
    with pytest.raises(AssertionError, match="too many units in 0326"):
        the_game().check(p)


@pytest.mark.rule(GAME, "12.61")
def test_all_hits_are_taken_as_steps_by_one_answer_spread_as_they_must_be() -> None:
    p = empty(18)
    stack = ("109.28.VIII", "110.28.VIII", "112.28.VIII")
    place(p, **dict.fromkeys(stack, "1511"), **{"3.2P.XLVII": "1510"})
    before = [p.steps[unit(name)] for name in stack]
    attacked(p, "1511", 4)
    match = play_from(p)
    offer = match.game.together(match.table, match.asked())
    assert offer
    assert offer.words.startswith("take 4 hits as steps: ")
    for choice in match.in_a_row():
        match.choose(choice)
    lost = [old - match.position.steps[unit(name)] for old, name in zip(before, stack, strict=True)]
    assert sorted(lost) == [1, 1, 2]


@pytest.mark.rule(GAME, "12.61")
def test_a_single_hit_is_answered_by_itself() -> None:
    p = empty(18)
    place(p, **{"109.28.VIII": "1511", "110.28.VIII": "1511", "3.2P.XLVII": "1510"})
    attacked(p, "1511", 1)
    match = play_from(p)
    assert match.game.together(match.table, match.asked()) is None
