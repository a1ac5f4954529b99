"""Cards of both sides, the calendar and the set-up cards (rules 2.3, 3.0, 4.2, 5, 6, 8, 13.5)."""

from __future__ import annotations

import pytest

from bulge.core.decision import Kind
from bulge.core.spaces import members
from bulge.games.enemy_action import allied_cards
from bulge.games.enemy_action.calendar import days
from bulge.games.enemy_action.card_faces import card_looks
from bulge.games.enemy_action.events import support_event
from bulge.games.enemy_action.facts import BOX, DUE, GONE, mask
from bulge.games.enemy_action.german_cards import (
    choose_command,
    formation,
    german_impulse,
    mark_out_of_fuel,
    out_of_fuel,
)
from bulge.games.enemy_action.position import EnemyActionPosition
from bulge.games.enemy_action.setting_up import carry_out
from tests.games.enemy_action.helpers import (
    at,
    crisis,
    empty,
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


def drawn(p: EnemyActionPosition, *cards: str) -> list[int]:
    """The script that draws these cards from the pile, one after the other."""
    left, script = members(p.pile), []
    for name in cards:
        script.append(left.index(card(name)) + 1)
        left.remove(card(name))
    return script


# ---------------------------------------------------------------------- what stands on cards (2.3)


@pytest.mark.rule(GAME, "2.3")
@pytest.mark.rule(GAME, "3.0")
def test_there_are_as_many_cards_as_the_rulebook_counts() -> None:
    facts, p = the_game().facts, start()
    assert len(facts.allied.rows) == 34
    assert len(facts.german.rows) == 37
    assert len(facts.set_up_cards) == 17
    assert p.pile.bit_count() == 14
    primaries = [row.number for row in facts.german.rows if row.primary and row.date == 16]
    assert primaries == [35, 44, 49, 56, 58, 62, 66]
    assert p.discards.bit_count() == 11
    assert (facts.german.all & ~(p.pile | p.discards)).bit_count() == 12


@pytest.mark.rule(GAME, "2.31")
@pytest.mark.rule(GAME, "6.2")
def test_card_46_lists_2nd_panzer_and_lehr_and_card_28_three_divisions() -> None:
    facts = the_game().facts
    row = facts.german[card("G46")]
    assert [one.name for one in row.formations] == ["2nd Panzer", "Panzer Lehr"]
    assert (row.corps, row.army) == ("XLVII", "5PzA")
    assert [one.name for one in facts.allied[card("A28")].formations] == ["90th Inf", "6th Armd", "35th Inf"]
    assert facts.allied[card("A05")].not_in_this_game == ("artillery_barrage",)


@pytest.mark.rule(GAME, "2.21")
def test_a_designation_says_division_and_corps() -> None:
    facts = the_game().facts
    assert facts.rows[unit("501.101.VIII")].division == "101"
    assert facts.corps_of[unit("501.101.VIII")] == "VIII"
    assert not facts.rows[unit("14 Cav.XVIII")].division
    assert sum(row.corps == "XVIII" and row.level == "corps" for row in facts.allied.rows) == 2


@pytest.mark.rule(GAME, "2.21")
def test_equal_selectors_go_by_the_lower_corps() -> None:
    facts, s = the_game().facts, sit(start())
    here = [u for u in facts.german_units if s.where[u] >= 0]
    order = s.ascending(here)
    keys = [(facts.selectors[u][s.p.steps[u]], facts.corps_rank[u]) for u in order]
    assert keys == sorted(keys)
    backwards = [(-facts.selectors[u][s.p.steps[u]], facts.corps_rank[u]) for u in s.descending(here)]
    assert backwards == sorted(backwards)


# ---------------------------------------------------------------------- set-up cards (3.0)


def set_up_pile(*names: str) -> list[int]:
    ids = [row.id for row in the_game().facts.set_up_cards]
    return [ids.index(name) for name in names]


@pytest.mark.rule(GAME, "2.33")
@pytest.mark.rule(GAME, "3.0")
def test_the_illustration_of_the_three_lviii_cards() -> None:
    p = start()
    for name, hex_ in {"112.28.VIII": "1406", "16.116P.LVIII": "1405", "armor.LVIII": "1605"}.items():
        assert p.where[unit(name)] == at(hex_), name
    carry_out(table(p), the_game().facts, set_up_pile("LVIII-C"))
    placed = {"112.28.VIII": "1407", "16.116P.LVIII": "1406", "60.116P.LVIII": "1406", "armor.LVIII": "1506"}
    assert {name: p.where[unit(name)] for name in placed} == {name: at(hex_) for name, hex_ in placed.items()}
    assert p.steps[unit("112.28.VIII")] == the_game().facts.full[unit("112.28.VIII")] - 1

    p = start()
    t = table(p)
    carry_out(t, the_game().facts, set_up_pile("LVIII-C", "LVIII-B"))
    placed = {"112.28.VIII": "1308", "16.116P.LVIII": "1407", "156.116P.LVIII": "1507"}
    assert {name: p.where[unit(name)] for name in placed} == {name: at(hex_) for name, hex_ in placed.items()}
    assert "LVIII-B, note 2C" in told(t)

    p = start()
    carry_out(table(p), the_game().facts, set_up_pile("LVIII-C", "LVIII-B", "LVIII-A"))
    assert p.where[unit("112.28.VIII")] == GONE


# ---------------------------------------------------------------------- the Allied hand (5, 6)


@pytest.mark.rule(GAME, "5.0")
@pytest.mark.rule(GAME, "4.2")
def test_the_calendar_of_16_17_21_and_22_december() -> None:
    facts = the_game().facts
    rows = facts.calendar
    assert (rows[16].supplemental, rows[16].hand) == (4, 4)
    assert (rows[17].supplemental, rows[17].hand) == (5, 5)
    assert rows[21].german_discards == 3
    assert (rows[22].german_discards, rows[22].supplemental, rows[22].hand) == (4, 8, 7)
    for day, primary, supplemental in ((16, 3, 9), (17, 4, 12)):
        cards = facts.allied.until(day)
        assert (cards & facts.allied.primary).bit_count() == primary
        assert (cards & ~facts.allied.primary).bit_count() == supplemental


@pytest.mark.rule(GAME, "5.0")
def test_the_first_pile_has_seven_cards_and_the_hand_four() -> None:
    p = start()
    facts = the_game().facts
    t = table(p, *[1] * 8)
    allied_cards.fill_pile(t, facts)
    assert p.allied_pile.bit_count() == 7
    allied_cards.refill_hand(t, facts)
    assert (p.hand.bit_count(), p.allied_pile.bit_count(), p.available.bit_count()) == (4, 3, 5)


@pytest.mark.rule(GAME, "6.4")
def test_a_corps_that_was_active_rests_in_the_next_impulse() -> None:
    facts, p = the_game().facts, crisis()
    p.hand = facts.allied.all
    eighteenth = [u for u in facts.corps_units["XVIII"] if p.where[u] >= 0]
    assert allied_cards.formations_of(facts, p, card("A06"), "activate_corps")
    p.before = mask(eighteenth)
    assert not allied_cards.formations_of(facts, p, card("A06"), "activate_corps")
    assert not allied_cards.formations_of(facts, p, card("A10"), "activate_division")
    assert not set(allied_cards.single_units(facts, p)) & set(eighteenth)
    assert "replacements" in allied_cards.commands_of(facts, p, card("A06"))


@pytest.mark.rule(GAME, "6.1")
@pytest.mark.rule(GAME, "5.4")
def test_an_army_card_also_activates_who_is_stacked_with_the_corps() -> None:
    facts, p = the_game().facts, empty(18)
    place(p, **{"424.106.XVIII": "1108", "394.99.V": "1108", "16.1.V": "0908"})
    ask = allied_cards._whom(facts, p, card("A01"), "activate_corps_of_army")
    next(ask)
    with pytest.raises(StopIteration) as stopped:
        ask.send("XVIII")
    assert set(stopped.value.value) == {unit("424.106.XVIII"), unit("394.99.V")}
    assert allied_cards.formations_of(facts, p, card("A06"), "activate_corps")["XVIII"] == [unit("424.106.XVIII")]


# ---------------------------------------------------------------------- German cards (8)


@pytest.mark.rule(GAME, "8.1")
@pytest.mark.rule(GAME, "8.14")
def test_the_primary_commands_then_the_value_then_the_number() -> None:
    facts = the_game().facts
    t = table(start(day=19))
    assert choose_command(t, facts, [card("G46"), card("G44")]) == (card("G44"), card("G46"))
    assert choose_command(t, facts, [card("G46"), card("G45")]) == (card("G45"), card("G46"))
    assert choose_command(t, facts, [card("G47"), card("G46")]) == (card("G46"), card("G47"))
    assert choose_command(t, facts, [card("G38"), card("G44")]) == (card("G44"), card("G38"))
    t = table(start(day=17))
    assert choose_command(t, facts, [card("G44"), card("G38")]) == (card("G38"), card("G44"))


@pytest.mark.rule(GAME, "8.13")
def test_the_seventh_army_is_activated_around_2106() -> None:
    """The illustration of 8.1 on the printed start."""
    facts, p = the_game().facts, start()
    p.command = card("G68")
    p.objective[2] = at("2508")
    p.facing[2], p.table[2] = "W", 1
    found = formation(table(p), facts)
    on_map = [u for u in found if p.where[u] >= 0]
    assert unit("352.LXXXV") in on_map
    assert len(on_map) == 6
    assert facts.distance(at("2204"), at("2508")) > facts.distance(at("2106"), at("2508"))


@pytest.mark.rule(GAME, "8.14")
def test_peiper_alone_on_the_17th_and_the_150th_on_the_18th() -> None:
    facts = the_game().facts
    for day, name in ((17, "Peiper.1SS.ISS"), (18, "150.ISS")):
        p = start(day=day)
        p.command = card("G38")
        assert formation(table(p), facts) == [unit(name)]
        assert p.ignores_zones
    p = start(day=19)
    p.command = card("G38")
    assert set(formation(table(p), facts)) == {unit("Peiper.1SS.ISS"), unit("150.ISS")}
    assert not p.ignores_zones


@pytest.mark.rule(GAME, "8.2")
def test_army_group_b_releases_reserves_and_the_days_cards_whatever_it_was_drawn_for() -> None:
    p = start(day=19)
    p.pile, p.discards = 1 << card("G61"), the_game().facts.german.until(18) & ~(1 << card("G61"))
    t = table(p, 1, 1)
    german_impulse(t, the_game().facts)
    assert p.where[unit("8.3F.ISS")] == BOX  # due on the 17th
    assert p.where[unit("8.3PG.LXVII")] == BOX  # due today
    assert p.where[unit("246.LXVII")] == DUE  # due on the 24th
    assert p.pile >> card("G60") & 1
    assert not p.pile_out


@pytest.mark.rule(GAME, "8.2")
def test_army_group_b_does_not_shuffle_in_the_card_that_was_drawn_before_it() -> None:
    """Found by random play: the first card of the impulse was due today, and came into the pile a second time."""
    p = start(day=22)
    first = card("G70")
    assert the_game().facts.german.due(22) >> first & 1
    p.pile, p.discards = 1 << first | 1 << card("G61"), the_game().facts.german.until(22) & ~(1 << first)
    p.discards &= ~(1 << card("G61"))
    german_impulse(table(p, 2, 1), the_game().facts)
    assert first in (p.command, p.support)
    assert not p.pile >> first & 1


# ---------------------------------------------------------------------- fuel (13.5)


@pytest.mark.rule(GAME, "13.5")
@pytest.mark.rule(GAME, "13.51")
def test_the_example_of_the_12th_ss_on_23_december() -> None:
    facts, p = the_game().facts, crisis()
    p.turn, p.command, p.support = 8, -1, -1
    p.pile |= 1 << card("G62")
    p.discards &= ~(1 << card("G62"))
    t = table(p, *drawn(p, "G62", "G37"))
    german_impulse(t, facts)
    assert p.no_fuel == mask(unit(name) for name in ("12.12SS.ISS", "25.12SS.ISS", "26.12SS.ISS"))
    assert (p.command, p.support) == (card("G62"), -1)
    assert p.discards >> card("G37") & 1


@pytest.mark.rule(GAME, "13.5")
def test_two_cards_without_fuel_end_the_impulse_without_markers() -> None:
    facts, p = the_game().facts, crisis()
    p.turn, p.command, p.support = 8, -1, -1
    p.pile |= 1 << card("G38")
    p.discards &= ~(1 << card("G38"))
    t = table(p, *drawn(p, "G37", "G38"))
    assert german_impulse(t, facts) == "german_end"
    assert not p.no_fuel
    assert p.command == -1


@pytest.mark.rule(GAME, "13.52")
@pytest.mark.rule(GAME, "13.53")
def test_captured_fuel_and_fuel_priority_spare_the_check() -> None:
    facts, p = the_game().facts, crisis()
    p.turn = 8
    assert out_of_fuel(facts, p, card("G37"))
    p.fuel_days = 1 << 23
    assert not out_of_fuel(facts, p, card("G37"))
    p.fuel_days, p.fuel_checks_over = 0, True
    assert not out_of_fuel(facts, p, card("G37"))
    p.turn, p.fuel_checks_over = 4, False
    assert not out_of_fuel(facts, p, card("G37"))


@pytest.mark.rule(GAME, "13.51")
def test_isolated_units_get_no_fuel_marker() -> None:
    facts, p = the_game().facts, crisis()
    p.turn = 8
    p.isolated = 1 << unit("12.12SS.ISS")
    mark_out_of_fuel(table(p), facts, card("G37"))
    assert not p.no_fuel >> unit("12.12SS.ISS") & 1
    assert p.no_fuel >> unit("25.12SS.ISS") & 1


@pytest.mark.rule(GAME, "8.1")
def test_the_command_card_says_which_tests_were_passed_over_before_one_decided() -> None:
    facts, p = the_game().facts, empty(18)
    t = table(p)
    number = {row.number: card for card, row in enumerate(facts.german.rows)}
    choose_command(t, facts, [number[57], number[47]])
    line = (t.events or [])[-1]
    assert [test.words for test in line.conditions][-1] == "The lower number leads"
    assert [test.holds for test in line.conditions] == [False, False, False, True]
    assert (line.kind, line.depth) == ("card", 1)
    assert [the_game().cards[card].id for card in line.cards] == ["G47", "G57"]


@pytest.mark.rule(GAME, "2.31")
def test_a_card_shows_its_formations_and_when_a_line_of_it_can_be_had() -> None:
    faces = {face.id: face for face in card_looks(the_game().facts)}
    assert [one.words for one in faces["G37"].units] == ["1st SS Panzer", "12th SS Panzer"]
    replacements = next(line for line in faces["G35"].lines if line.words.startswith("Replacements"))
    assert replacements.words == "Replacements 3, from 20"
    assert replacements.turns == tuple(range(5, 15))


@pytest.mark.rule(GAME, "4.2")
def test_the_calendar_tells_discards_air_and_lines_of_victory() -> None:
    sixteenth, *_, nineteenth, twentieth = days(the_game().facts)[:5]
    assert [note.short for note in sixteenth.notes if note.short] == ["hand 4"]
    assert "fade 1" in [note.short for note in nineteenth.notes]
    flag = next(note for note in twentieth.notes if note.kind == "flag")
    assert flag.words == "strategic defeat from 44 German points, strategic victory up to 0"


@pytest.mark.rule(GAME, "8.11")
def test_commandos_ask_for_a_card_of_the_hand_by_its_face() -> None:
    facts, p = the_game().facts, empty(17)
    p.allied_pile, p.hand = 0, mask([card("A01"), card("A16")])
    p.event = "commandos"
    asked = next(support_event(table(p), facts))
    assert asked.kind is Kind.CARD
    assert [the_game().cards[int(one)].id for one in asked.options] == ["A01", "A16"]
