"""What the Allied player may do: cards, activations, tactics, answers in combat (rules 5 to 7, 12)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bulge.core.bars import refusal
from bulge.core.decision import DONE, Decision, IllegalChoice
from bulge.core.match import Match
from bulge.core.spaces import members
from bulge.games.enemy_action import allied_cards, allied_tactics
from bulge.games.enemy_action.advance import crossing_open
from bulge.games.enemy_action.allied_activation import able_to_attack, attacker_bars, position_hexes, targets
from bulge.games.enemy_action.allied_events import airpower, unsupplied_stacks
from bulge.games.enemy_action.battle import battle_advance, battle_cards, battle_draw
from bulge.games.enemy_action.facts import ALLIED, BOX, GERMAN, GONE, mask
from bulge.games.enemy_action.german_attack import best_plan, fit_to_attack, reserve_places
from bulge.games.enemy_action.losses import german_loser
from bulge.games.enemy_action.movement import limits_of
from bulge.games.enemy_action.objectives import objective_of
from bulge.games.enemy_action.position import Battle, EnemyActionPosition
from bulge.games.enemy_action.reserves import delayed_reserves, entry_hexes
from bulge.games.enemy_action.retreats import open_retreats
from bulge.games.enemy_action.strengths import defending
from bulge.games.enemy_action.tactics import bonus_tactic_applies, draw_tactics
from tests.games.enemy_action.helpers import (
    at,
    crisis,
    empty,
    names,
    place,
    sit,
    start,
    table,
    the_game,
    told,
    unit,
)

GAME = "enemy_action"


def card(name: str) -> int:
    deck = the_game().facts.german if name.startswith("G") else the_game().facts.allied
    return deck.of[name]


def words_of(p: EnemyActionPosition, name: str) -> list[str]:
    return allied_cards.commands_of(the_game().facts, p, card(name))


# ---------------------------------------------------------------------- cards and commands (5, 6)


@pytest.mark.rule(GAME, "5.1")
@pytest.mark.rule(GAME, "5.2")
@pytest.mark.rule(GAME, "5.3")
@pytest.mark.rule(GAME, "5.5")
@pytest.mark.rule(GAME, "5.6")
@pytest.mark.rule(GAME, "6.3")
def test_what_each_kind_of_card_may_be_played_for() -> None:
    p = crisis()
    assert "activate_division" in words_of(p, "A10")
    assert {"activate_corps", "activate_one_unit", "replacements"} <= set(words_of(p, "A02"))
    assert set(words_of(p, "A31")) <= {"activate_any_corps", "deploy_all"}
    assert set(words_of(p, "A32")) == {"engineers"}
    p.one_unit_used = True
    assert "activate_one_unit" not in words_of(p, "A02")


@pytest.mark.rule(GAME, "5.1")
@pytest.mark.rule(GAME, "5.7")
def test_a_card_outside_the_hand_is_refused_with_its_rule() -> None:
    match = Match(the_game(), "initial_assault", seed="00" * 16)
    facts, p = the_game().facts, match.position
    absent = next(facts.allied[c].id for c in range(34) if not p.hand >> c & 1)
    decision = match.asked()
    refused = the_game().why_not(match.table, decision, absent)
    assert (refused.rule, refused.words) == ("5.1", "that card is not in your hand")
    before = p.hand
    played = next(c for c in decision.options if isinstance(c, int))
    match.choose(played)
    match.choose(match.asked().options[0])
    for _ in range(20):
        if match.position.used >> played & 1 or match.decision is None:
            break
        match.choose(match.asked().options[-1])
    assert match.position.used >> played & 1 or match.position.hand == before
    with pytest.raises(IllegalChoice):
        Match(the_game(), "initial_assault", seed="00" * 16).choose("nonsense")


@pytest.mark.rule(GAME, "7.0")
@pytest.mark.rule(GAME, "7.3")
def test_reserves_two_days_late_come_without_a_card() -> None:
    facts, p = the_game().facts, start(day=18)
    late = unit("8.4.XII")
    assert p.where[late] == BOX
    asked = next(delayed_reserves(table(p), facts))
    assert isinstance(asked, Decision)
    assert late in asked.options
    assert asked.options[-1] == DONE
    p = start(day=17)
    with pytest.raises(StopIteration):
        next(delayed_reserves(table(p), facts))


@pytest.mark.rule(GAME, "7.4")
def test_the_british_come_within_three_hexes_of_their_own() -> None:
    facts, p = the_game().facts, empty(22)
    british = [u for u in facts.corps_units["XXX"] if facts.rows[u].id != "29A.XXX"]
    p.where[british[0]] = at("0727")
    found = entry_hexes(sit(p), british[1])
    assert found
    assert not found & ~facts.board.within(1 << at("0727"), 3)


@pytest.mark.rule(GAME, "6.0")
@pytest.mark.rule(GAME, "14.32")
@pytest.mark.rule(GAME, "14.33")
def test_idle_units_may_dig_in_outside_towns() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"16.1.V": "0808", "26.1.V": "0709", "18.1.V": "0707"})
    p.active = mask(map(unit, ["16.1.V", "26.1.V", "18.1.V"]))
    p.moved = 1 << unit("18.1.V")
    assert names(position_hexes(facts, p)) == {"0808"}
    p.positions = 1 << at("0808")
    assert not position_hexes(facts, p)


@pytest.mark.rule(GAME, "13.4")
def test_a_stack_is_supplied_from_the_air() -> None:
    facts, p = the_game().facts, crisis()
    assert set(map(facts.board.name, unsupplied_stacks(facts, p))) == {"1814", "1815", "1915"}
    ask = airpower(table(p), facts)
    next(ask)
    with pytest.raises(StopIteration):
        ask.send(at("1814"))
    assert not p.low >> unit("502.101.VIII") & 1
    assert p.low >> unit("501.101.VIII") & 1


@pytest.mark.rule(GAME, "15.22")
def test_allied_units_stop_beside_a_detachment_and_may_not_enter_it() -> None:
    p = empty(18)
    place(p, **{"16.1.V": "0709"})
    p.detachments = 1 << at("0808")
    limits = limits_of(sit(p), unit("16.1.V"))
    assert limits.blocked >> at("0808") & 1
    assert limits.stop & the_game().board.next_to(at("0808")) == the_game().board.next_to(at("0808"))


# ---------------------------------------------------------------------- who attacks (9.5, 12.1)


@pytest.mark.rule(GAME, "12.1")
def test_who_may_join_an_attack_and_why_others_may_not() -> None:
    p = empty(20)
    crowd = ["16.1.V", "26.1.V", "18.1.V", "393.99.V", "39.9.V"]
    for name, hex_ in zip(crowd, ["0806", "0806", "0806", "0705", "0905"], strict=True):
        place(p, **{name: hex_})
    place(p, **{"48.12.ISS": "0805"})
    p.active = mask(map(unit, crowd[:4]))
    p.dispersed, p.attacked = 1 << unit("26.1.V"), 1 << unit("18.1.V")
    s = sit(p)
    bars = attacker_bars(s, at("0805"), [])
    assert refusal(bars, unit("16.1.V")) is None
    refused = [refusal(bars, unit(name)) for name in ("26.1.V", "18.1.V", "39.9.V")]
    assert [found.rule for found in refused if found] == ["12.9", "12.1", "12.1"]
    assert unit("16.1.V") in able_to_attack(s, at("0805"))
    assert targets(s) == [at("0805")]
    p.defended = 1 << unit("48.12.ISS")
    assert not targets(sit(p))


@pytest.mark.rule(GAME, "9.52")
@pytest.mark.rule(GAME, "9.54")
@pytest.mark.rule(GAME, "12.1")
def test_german_units_out_of_supply_or_used_do_not_attack() -> None:
    p = empty(20)
    one = unit("48.12.ISS")
    assert fit_to_attack(p, one)
    p.low = 1 << one
    assert fit_to_attack(p, one)
    for field in ("out", "isolated", "attacked", "dispersed", "no_fuel"):
        setattr(p, field, 1 << one)
        assert not fit_to_attack(p, one), field
        setattr(p, field, 0)


@pytest.mark.rule(GAME, "9.51")
def test_a_lead_unit_takes_the_target_of_the_highest_ratio() -> None:
    p = empty(18)
    place(p, **{"12.12SS.ISS": "0805", "395.99.V": "0804", "26.1.V": "0806", "16.1.V": "0806"})
    p.active = 1 << unit("12.12SS.ISS")
    s = sit(p)
    found = best_plan(table(p), s, unit("12.12SS.ISS"), s.occupied[ALLIED])
    assert found.target == at("0804")


@pytest.mark.rule(GAME, "12.2")
@pytest.mark.rule(GAME, "12.21")
def test_active_reserves_would_come_in_beside_the_target_in_reserve_supply() -> None:
    p = start(day=19)
    p.where[unit("8.3F.ISS")] = BOX
    p.active = 1 << unit("8.3F.ISS")
    s = sit(p)
    target = next(hex_ for hex_ in s.stacks[ALLIED] if s.next_to_enemy(GERMAN) & s.occupied[GERMAN] and
                  the_game().board.next_to(hex_) & s.occupied[GERMAN])  # fmt: skip
    for hex_ in reserve_places(s, target).values():
        assert the_game().board.adjacent(hex_, target)
        assert s.traces(GERMAN, hex_, reserve=True)
    p.no_fuel = p.active
    assert not reserve_places(sit(p), target)


@pytest.mark.rule(GAME, "9.82")
@pytest.mark.rule(GAME, "9.83")
def test_okw_units_follow_the_nearest_marker_or_the_army_card() -> None:
    facts, p = the_game().facts, empty(24)
    one = facts.okw[0]
    p.where[one] = at("1316")
    p.objective, p.facing, p.table = [at("0117"), at("1219"), at("2508")], ["W", "W", "W"], [3, 2, 1]
    p.command = card("G52")
    assert objective_of(sit(p), one) == 1
    p.command = card("G39")
    assert objective_of(sit(p), one) == 0
    assert set(facts.german.units(card("G52"), facts)) == set(facts.okw)


# ---------------------------------------------------------------------- tactics (12.3)


def german_attack(p: EnemyActionPosition) -> Battle:
    place(p, **{"48.12.ISS": "0805", "27.12.ISS": "0805", "16.1.V": "0806"})
    battle = Battle(GERMAN, at("0806"), mask(map(unit, ["48.12.ISS", "27.12.ISS"])), 1 << unit("16.1.V"))
    p.battle = battle
    return battle


@pytest.mark.rule(GAME, "12.31")
def test_a_bonus_tactic_must_do_more_than_add_a_chit() -> None:
    p = empty(18)
    battle = german_attack(p)
    units = members(battle.attackers)
    s = sit(p)
    assert not bonus_tactic_applies(s, card("G37"), battle.target, units, ())  # Press the Attack
    assert bonus_tactic_applies(s, card("G41"), battle.target, units, ())  # Infantry Infiltration
    assert not bonus_tactic_applies(s, card("G41"), battle.target, units, ("infantry_infiltration",))
    assert bonus_tactic_applies(s, card("G43"), battle.target, units, ())  # Panzer Battalion for infantry


@pytest.mark.rule(GAME, "12.3")
@pytest.mark.rule(GAME, "12.33")
@pytest.mark.rule(GAME, "12.38")
def test_german_tactics_come_from_the_pile_or_the_discards_and_corps_cards_go_back() -> None:
    facts, p = the_game().facts, empty(18)
    p.pile, p.discards = 1 << card("G35") | 1 << card("G37"), 0
    t = table(p, 1)
    assert draw_tactics(t, facts) == ("assault_coordination",)
    assert p.pile >> card("G35") & 1  # it goes back
    p.pile, p.discards = 0, 1 << card("G39")
    t = table(p, 1)
    assert draw_tactics(t, facts) == ("artillery", "assault_coordination")
    assert "from the discards" in told(t)
    assert not p.pile


@pytest.mark.rule(GAME, "12.35")
def test_an_army_activation_gives_every_attack_artillery() -> None:
    facts, p = the_game().facts, empty(18)
    german_attack(p)
    p.army_card = True
    p.pile = 1 << card("G37") | 1 << card("G46")
    battle_cards(table(p, 1), facts)
    assert p.battle is not None
    assert p.battle.attack_tactics == ("artillery", "press_the_attack")


@pytest.mark.rule(GAME, "12.3")
@pytest.mark.rule(GAME, "12.32")
@pytest.mark.rule(GAME, "12.34")
def test_which_cards_help_an_allied_defence_or_attack() -> None:
    p = empty(18)
    battle = german_attack(p)
    s = sit(p)
    assert allied_tactics.may_be_supported(s, battle)
    assert allied_tactics.choices_of(s, battle, card("A03")) == ["artillery"]
    assert not allied_tactics.choices_of(s, battle, card("A05"))  # Screen without a mechanized unit
    assert "airpower_tactic" in allied_tactics.choices_of(s, battle, card("A01"))
    p.low = 1 << unit("16.1.V")
    assert not allied_tactics.may_be_supported(sit(p), battle)
    p.turn = 1
    assert not allied_tactics.choices_of(sit(p), battle, card("A03"))  # no Artillery on the 16th
    assert allied_tactics.choices_of(sit(p), battle, card("A02")) == ["corps_artillery"]


@pytest.mark.rule(GAME, "12.23")
@pytest.mark.rule(GAME, "12.37")
def test_a_card_that_does_not_fit_the_defenders_gives_its_tactic() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"48.12.ISS": "0805", "16.1.V": "0806"})
    p.battle = Battle(ALLIED, at("0805"), 1 << unit("16.1.V"), 1 << unit("48.12.ISS"))
    p.pile = 1 << card("G66") | 1 << card("G37")
    battle_draw(table(p, 1 + members(p.pile).index(card("G66"))), facts)
    assert p.battle.defence_tactics == ("combat_engineers",)
    assert p.positions >> at("0805") & 1
    p.where[facts.heydte] = at("0408")
    p.battle = Battle(ALLIED, at("0408"), 1 << unit("16.1.V"), 1 << facts.heydte)
    assert battle_draw(table(p), facts) == "battle_chits"


# ---------------------------------------------------------------------- losses, retreats, advances


@pytest.mark.rule(GAME, "12.6")
@pytest.mark.rule(GAME, "12.51")
def test_german_losses_fall_on_big_units_full_hexes_and_high_selectors() -> None:
    p = empty(18)
    place(p, **{"272.LXVII": "0404", "48.12.ISS": "0504", "27.12.ISS": "0504", "89.12.ISS": "0505"})
    units = [unit(name) for name in ("272.LXVII", "48.12.ISS", "27.12.ISS", "89.12.ISS")]
    assert german_loser(sit(p), units) == unit("272.LXVII")
    assert german_loser(sit(p), units[1:]) == unit("27.12.ISS")
    p.steps[unit("27.12.ISS")] = p.steps[unit("48.12.ISS")] = 1
    assert german_loser(sit(p), units[1:]) == unit("89.12.ISS")


@pytest.mark.rule(GAME, "12.72")
def test_a_lesser_way_is_taken_if_the_best_one_kills() -> None:
    """12.7, illustration D in kind: two steps, two hits, and a second hex that costs again on the better way."""
    p = empty(20)
    place(p, **{"39.9.V": "1619", "2.2P.XLVII": "1618", "3.2P.XLVII": "1719", "505.82.XVIII": "1820"})
    battle = Battle(GERMAN, at("1619"), 1 << unit("2.2P.XLVII"), 1 << unit("39.9.V"), defender_hits=2)
    found = open_retreats(sit(p), battle)
    assert found.hexes
    assert not found.hexes >> at("1719") & 1


@pytest.mark.rule(GAME, "12.73")
def test_a_stack_needs_room_for_all_of_it_where_it_retreats() -> None:
    p = empty(20)
    place(p, **{"39.9.V": "1420", "47.9.V": "1420", "2.2P.XLVII": "1419", "26.1.V": "1321", "16.1.V": "1321"})
    stack = mask(map(unit, ["39.9.V", "47.9.V"]))
    battle = Battle(GERMAN, at("1420"), 1 << unit("2.2P.XLVII"), stack, defender_hits=1)
    assert not open_retreats(sit(p), battle).hexes >> at("1321") & 1
    place(p, **{"26.1.V": "0127", "16.1.V": "0127"})
    assert open_retreats(sit(p), battle).hexes


@pytest.mark.rule(GAME, "12.74")
def test_units_that_fell_back_do_not_defend_and_die_with_the_hex() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"39.9.V": "1420", "47.9.V": "1420", "2.2P.XLVII": "1419"})
    p.fell_back = 1 << unit("47.9.V")
    assert defending(sit(p), at("1420")) == [unit("39.9.V")]
    p.where[unit("39.9.V")] = GONE
    p.battle = Battle(GERMAN, at("1420"), 1 << unit("2.2P.XLVII"), 0, eliminated=True)
    p.objective[1], p.facing[1], p.table[1] = at("1126"), "W", 3
    battle_advance(table(p, 1, 1), facts)
    assert p.where[unit("47.9.V")] == GONE


@pytest.mark.rule(GAME, "12.82")
def test_one_unit_advances_over_an_unbridged_side() -> None:
    facts, p = the_game().facts, empty(20)
    place(p, **{"2.2P.XLVII": "0214"})
    river = facts.river_side(at("0214"), at("0314"))
    battle = Battle(GERMAN, at("0314"), 1 << unit("2.2P.XLVII"), 0, eliminated=True)
    assert crossing_open(sit(p), battle, at("0214"), at("0314"), GERMAN)
    assert not crossing_open(sit(p), replace(battle, crossed=1 << river), at("0214"), at("0314"), GERMAN)


# ---------------------------------------------------------------------- parts of the game (2.2, 2.23, 2.32)


@pytest.mark.rule(GAME, "2.2")
@pytest.mark.rule(GAME, "2.23")
@pytest.mark.rule(GAME, "2.32")
def test_markers_and_open_cards_are_shown() -> None:
    game, p = the_game(), crisis()
    scene = game.scene(p, ALLIED)
    flags = {piece.unit: piece.flags for piece in scene.pieces}
    assert "low_supply" in flags["501.101.VIII"]
    kinds = {mark.kind for mark in scene.marks}
    assert {"detachment", "improved_position", "depot", "objective"} <= kinds
    assert [hand.cards for hand in scene.hands if hand.side == GERMAN] == [("G39",), ("G50",)]
    p.hand = 0b111
    assert len(game.scene(p, ALLIED).hands[0].cards) == 3
    assert game.scene(p, None).hands[0] == replace(game.scene(p, ALLIED).hands[0], cards=(), hidden=3)
