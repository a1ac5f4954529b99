"""Rules 13.1 to 13.14, 13.23 and 13.24: who may attack what, the arithmetic, the column, and the oath."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from bulge.core.errors import BulgeError
from bulge.games.the_bulge.combat import DECLINE
from bulge.games.the_bulge.facts import ALLIED
from tests.games.the_bulge.helpers import (
    BulgeMatch,
    amounts,
    battle,
    decline,
    facts,
    fight,
    name_attack,
    names,
    place,
    play,
    position,
    situation,
    terrain,
    units,
    where,
)
from tests.helpers import answer, foresee, offered, offered_names, refused_by, run_until

MIDDLE = "0619"
"""A clear hex among clear ones, far from rivers, towns and the West Wall."""
RING = ["0519", "0618", "0719", "0720", "0620", "0520"]
"""Around it, clockwise from the north-east."""
PANZERS = ["1SS", "2SS", "9SS", "2Pz", "9Pz", "Lehr"]


def combat(placed: dict[str, str], *, step: str = "german_combat_1", turn: int = 3) -> BulgeMatch:
    return play(position(placed, turn=turn, step=step), [1] * 9)


@pytest.mark.rule("the_bulge", "13.11")
def test_the_middle_is_what_these_tests_take_it_for() -> None:
    assert set(RING) == names(facts().board.around(facts().board.set_of([MIDDLE])))
    assert all(terrain(hex_) == "clear" for hex_ in [MIDDLE, *RING])
    assert amounts(battle(situation({"1SS": RING[0], "2ID": MIDDLE}), MIDDLE, "1SS").ground()) == {}


# ---------------------------------------------------------------------- 13.1 to 13.7 who attacks whom


@pytest.mark.rule("the_bulge", "13.1")
def test_attacking_is_optional_and_allowed_in_both_combat_phases() -> None:
    dice = [6, 6]
    match = play(position({"1SS": RING[0], "30ID": MIDDLE}, turn=3, step="german_combat_1"), dice)
    assert offered(match) == {MIDDLE, "done"}
    for phase, column_ in (("german_combat_1", "0"), ("german_combat_2", "-2..-1")):
        decline(name_attack(run_until(match, phase), MIDDLE, "1SS"))
        answer(match, column_)  # on a six the attacker loses a step, and so attacks more weakly
    assert where(match.position, "1SS") is None


@pytest.mark.rule("the_bulge", "13.1", "13.2")
@pytest.mark.parametrize(("hex_", "rule"), [("0520", "13.1"), ("0720", "13.2")])
def test_only_a_hex_with_an_enemy_next_to_a_unit_can_be_attacked(hex_: str, rule: str) -> None:
    match = combat({"1SS": RING[0], "30ID": MIDDLE, "1ID": "0720"})
    assert offered(match) == {MIDDLE, "done"}
    assert refused_by(match, hex_) == rule


@pytest.mark.rule("the_bulge", "13.2")
def test_only_units_next_to_the_hex_may_join() -> None:
    match = answer(combat({"1SS": RING[0], "2SS": "0418", "30ID": MIDDLE}), MIDDLE)
    assert offered(match) == {"1SS"}
    assert refused_by(match, "2SS") == "13.2"
    assert refused_by(match, "30ID") == "5.1"


@pytest.mark.rule("the_bulge", "13.3")
def test_a_stack_is_attacked_once_a_phase() -> None:
    match = fight(position({"1SS": RING[0], "2SS": RING[1], "30ID": MIDDLE}, turn=3, step="german_combat_1"),
                  MIDDLE, ["1SS"], "AS")  # fmt: skip
    assert offered(match) == {"done"}
    assert refused_by(match, MIDDLE) == "13.3"
    assert MIDDLE in offered(run_until(match, "german_combat_2")), "the next phase is another one"


@pytest.mark.rule("the_bulge", "13.4")
def test_units_of_all_six_hexes_may_combine() -> None:
    placed = dict(zip(PANZERS, RING, strict=True))
    match = answer(combat({**placed, "SSP": RING[0], "30ID": MIDDLE}), MIDDLE)
    assert offered_names(match) == {*PANZERS, "SSP"}
    s = situation({**placed, "SSP": RING[0], "30ID": MIDDLE})
    attack, defence, _ = battle(s, MIDDLE, *PANZERS, "SSP").totals()
    assert (attack, defence) == (4 + 6 + 5 + 5 + 4 + 4 + 3, 4)


@pytest.mark.rule("the_bulge", "13.5")
def test_a_unit_attacks_once_a_phase_with_all_its_strength() -> None:
    p = position({"1SS": RING[0], "30ID": MIDDLE, "1ID": "0518"}, turn=3, step="german_combat_1")
    match = fight(p, MIDDLE, ["1SS"], "AS")
    assert offered(match) == {"done"}
    assert refused_by(match, "0518") == "13.5"


@pytest.mark.rule("the_bulge", "13.5")
def test_who_takes_part_already_or_has_attacked_may_not_join_again() -> None:
    p = position({"1SS": RING[0], "2SS": RING[0], "9SS": "0418", "30ID": MIDDLE, "1ID": "0518"},
                 turn=3, step="german_combat_1")  # fmt: skip
    match = answer(fight(p, MIDDLE, ["1SS"], "AS"), "0518", "2SS")
    assert refused_by(match, "1SS") == "13.5"
    assert refused_by(match, "2SS") == "13.5"
    assert offered(match) == {"9SS", "attack"}


@pytest.mark.rule("the_bulge", "13.6")
def test_units_of_one_stack_may_attack_different_hexes_or_not_at_all() -> None:
    p = position({"1SS": RING[0], "2SS": RING[0], "30ID": MIDDLE, "1ID": "0518"}, turn=3, step="german_combat_1")
    match = fight(p, MIDDLE, ["1SS"], "AS")
    assert offered(match) == {"0518", "done"}
    answer(match, "0518")
    assert offered(match) == {"2SS"}


@pytest.mark.rule("the_bulge", "13.7", "13.22")
def test_one_attack_is_finished_with_its_advance_before_the_next_is_named() -> None:
    p = position({"1SS": RING[0], "2SS": RING[0], "110": MIDDLE, "1ID": "0518"}, turn=3, step="german_combat_1")
    match = fight(p, MIDDLE, ["1SS"], "DR")
    assert match.asked().rule == "13.17"
    match.choose(match.asked().options[0])
    assert match.asked().rule == "13.22"
    answer(match, "1SS")
    assert offered(match) == {"0518", "done"}, "attacks are not declared ahead: this one may be made or not"


@pytest.mark.rule("the_bulge", "13.7")
@pytest.mark.parametrize("first", [MIDDLE, "0518"])
def test_attacks_are_made_in_any_order(first: str) -> None:
    match = combat({"1SS": RING[0], "2SS": RING[0], "30ID": MIDDLE, "1ID": "0518"})
    assert offered(match) == {MIDDLE, "0518", "done"}
    answer(match, first)


# ---------------------------------------------------------------------- 13.8 to 13.10 strengths


@pytest.mark.rule("the_bulge", "13.8")
@pytest.mark.parametrize(
    ("attackers", "defenders", "heading"),
    [
        (["62VG"], ["2ID", "99ID"], "<=-3"),  # 2 - 7
        (["62VG"], ["2ID"], "-2..-1"),  # 2 - 4
        (["12VG"], ["2ID"], "-2..-1"),  # 3 - 4
        (["1SS"], ["2ID"], "0"),
        (["2Pz"], ["2ID"], "+1..+2"),
        (["2SS"], ["2ID"], "+1..+2"),
        (["2SS"], ["99ID"], "+3"),
        (["2SS"], ["CCB7"], "+4"),
        (["2SS"], ["110"], "+5..+6"),
        (["2SS", "62VG"], ["CCB7"], "+5..+6"),
        (["2SS", "12VG"], ["CCB7"], "+7..+8"),
        (["2SS", "1SS"], ["CCB7"], "+7..+8"),
        (["2SS", "9SS"], ["CCB7"], "+9..+11"),
        (["2SS", "9SS", "62VG"], ["CCB7"], "+9..+11"),
        (["2SS", "9SS", "12VG"], ["CCB7"], ">=+12"),
    ],
)
def test_attack_less_defence_gives_the_column(attackers: list[str], defenders: list[str], heading: str) -> None:
    placed = dict.fromkeys(attackers[:2], RING[1]) | dict.fromkeys(attackers[2:], RING[0])
    s = situation(placed | dict.fromkeys(defenders, MIDDLE), turn=3)
    assert battle(s, MIDDLE, *attackers).shifts() == []
    assert battle(s, MIDDLE, *attackers).odds().column == heading


@pytest.mark.rule("the_bulge", "13.8", "2.11")
def test_a_reduced_unit_counts_with_its_reduced_factor() -> None:
    p = position({"30ID": MIDDLE}, turn=3)
    place(p, "2SS", RING[0], steps=1)
    place(p, "30ID", MIDDLE, steps=1)
    assert battle(situation(p), MIDDLE, "2SS").totals()[:2] == (3, 2)


@pytest.mark.rule("the_bulge", "13.9")
def test_two_in_a_rough_town_behind_rivers_defend_with_nine() -> None:
    """The rulebook's own sum: 2, and 1 for rough, 3 for the town, 3 for the river."""
    s = situation({"CCB7": "0615", "1SS": "0516", "2SS": "0616"}, turn=3)
    attack, defence, additions = battle(s, "0615", "1SS", "2SS").totals()
    assert (attack, defence) == (10, 9)
    assert amounts(additions) == {"rough": 1, "river": 3, "town": 3}


@pytest.mark.rule("the_bulge", "13.9")
@pytest.mark.parametrize(
    ("hex_", "ground_"),
    [
        ("0619", {}),
        ("0905", {"rough": 1}),
        ("0807", {}),
        ("0707", {"town": 3}),
        ("0207", {}),
        ("0307", {"light woods": 2}),
        ("0309", {"heavy woods": 3}),
        ("1014", {"heavy woods": 3, "town": 3}),
        ("1317", {"light woods": 2, "town": 3}),
    ],
)
def test_the_ground_adds_once_however_many_defend(hex_: str, ground_: dict[str, int]) -> None:
    dry = next(n for n in sorted(names(facts().board.around(facts().board.set_of([hex_]))))
               if not facts().rivers.between(facts().board.at(n), facts().board.at(hex_)))  # fmt: skip
    for defenders in (["2ID"], ["2ID", "99ID"], ["110", "109", "112"]):
        s = situation(dict.fromkeys(defenders, hex_) | {"1SS": dry}, turn=3)
        _, defence, additions = battle(s, hex_, "1SS").totals()
        assert amounts(additions) == ground_
        own = sum(facts().rows[u].factor for u in s.stack(facts().board.at(hex_)))
        assert defence == own + sum(ground_.values())


@pytest.mark.rule("the_bulge", "13.9")
@pytest.mark.parametrize(
    ("attackers", "river"),
    [
        ({"1SS": "0616"}, True),  # over a bridge
        ({"1SS": "0516"}, True),  # over no bridge
        ({"1SS": "0516", "2SS": "0616"}, True),
        ({"1SS": "0716"}, False),
        ({"1SS": "0516", "2SS": "0716"}, False),  # one does not cross
    ],
)
def test_a_river_helps_only_if_every_attacker_crosses_it_bridged_or_not(
    attackers: dict[str, str], river: bool
) -> None:
    s = situation({"CCB7": "0615", **attackers}, turn=3)
    assert ("river" in amounts(battle(s, "0615", *attackers).ground())) is river


@pytest.mark.rule("the_bulge", "13.9", "14.7")
def test_artillery_that_fires_over_dry_land_does_not_take_the_river_away() -> None:
    s = situation({"CCB7": "0615", "1SS": "0516", "388VAK": "0714"}, turn=3)
    fought = battle(s, "0615", "1SS")
    fought.vak = facts().vaks[0]
    assert "river" in amounts(fought.ground())


@pytest.mark.rule("the_bulge", "13.10")
@pytest.mark.parametrize(
    ("defender", "attacker", "wall"),
    [("12VG", "2ID", 3), ("2ID", "12VG", 0)],
)
def test_the_west_wall_helps_german_defenders_only(defender: str, attacker: str, wall: int) -> None:
    s = situation({defender: "0503", attacker: "0504"}, turn=3)
    found = amounts(battle(s, "0503", attacker).ground())
    assert found.get("West Wall", 0) == wall
    assert found["light woods"] == 2


@pytest.mark.rule("the_bulge", "13.10", "13.22")
def test_a_west_wall_hex_lost_and_retaken_helps_the_germans_again() -> None:
    p = position({"2Pz": "0502", "110": "0503", "2ID": "0504"}, turn=3, step="german_combat_1")
    match = answer(fight(p, "0503", ["2Pz"], "BB"), "2Pz", "done")
    assert where(match.position, "2Pz") == "0503"
    match = answer(run_until(match, "allied_combat_1"), "0503")
    reduced, woods, wall = 3, 2, 3
    assert foresee(match, "2ID").defence == reduced + woods + wall


# ---------------------------------------------------------------------- 13.11 to 13.13 shifts and limits


def every_way() -> list[tuple[int, ...]]:
    """All ways of attacking a hex from some of its six sides."""
    return list(chain.from_iterable(combinations(range(6), count) for count in range(1, 7)))


def plainly_concentric(sides: tuple[int, ...]) -> bool:
    """As the rule says it: opposite sides; or three with one hex between each; or more than three."""
    gaps = [(b - a) % 6 for a, b in zip(sides, [*sides[1:], sides[0]], strict=True)]
    opposite = any((b - a) % 6 == 3 for a in sides for b in sides)
    return opposite or gaps == [2, 2, 2] or len(sides) > 3


@pytest.mark.rule("the_bulge", "13.11")
@pytest.mark.parametrize("sides", every_way(), ids=lambda sides: "-".join(map(str, sides)))
def test_concentric_attacks_gain_a_column(sides: tuple[int, ...]) -> None:
    attackers = {PANZERS[side]: RING[side] for side in sides}
    fought = battle(situation({"30ID": MIDDLE, **attackers}, turn=3), MIDDLE, *attackers)
    assert fought.concentric() is plainly_concentric(sides)
    assert amounts(fought.shifts()).get("concentric attack", 0) == plainly_concentric(sides)


@pytest.mark.rule("the_bulge", "13.11")
def test_units_that_stand_around_but_do_not_attack_make_nothing_concentric() -> None:
    s = situation({"30ID": MIDDLE, **dict(zip(PANZERS, RING, strict=True))}, turn=3)
    assert not battle(s, MIDDLE, "1SS", "2SS").concentric()


@pytest.mark.rule("the_bulge", "13.11")
def test_no_attack_on_a_town_is_concentric() -> None:
    around = sorted(names(facts().board.around(facts().board.set_of(["1412"]))))
    s = situation({"101AB": "1412", **dict(zip(PANZERS, around, strict=True))}, turn=3)
    assert not battle(s, "1412", *PANZERS).concentric()


@pytest.mark.rule("the_bulge", "13.11")
def test_the_allies_attack_concentrically_too() -> None:
    s = situation({"12VG": MIDDLE, "2ID": RING[0], "30ID": RING[3]}, turn=3)
    assert amounts(battle(s, MIDDLE, "2ID", "30ID").shifts())["concentric attack"] == 1


@pytest.mark.rule("the_bulge", "13.12", "7.7")
@pytest.mark.parametrize(
    ("short", "cut_off", "found"),
    [
        ([], False, {}),
        (["1SS"], False, {"attacker out of supply": -1}),
        (["1SS", "2SS"], False, {"attacker out of supply": -1}),
        ([], True, {"defender out of supply": 1}),
        (["2SS"], True, {"attacker out of supply": -1, "defender out of supply": 1}),
    ],
)
def test_one_unit_out_of_supply_shifts_once_and_both_sides_cancel(
    short: list[str], cut_off: bool, found: dict[str, int]
) -> None:
    placed = {"1SS": RING[0], "2SS": RING[1], "30ID": MIDDLE}
    if cut_off:
        placed |= {"9SS": "0721"}  # with it every hex around lies in a German zone
    p = position(placed, turn=3)
    p.short = units(*short)
    s = situation(p)
    fought = battle(s, MIDDLE, "1SS", "2SS")
    assert amounts(fought.shifts()) == found
    assert facts().crt.columns[fought.column()] == {
        0: "+5..+6", -1: "+4", 1: "+7..+8",
    }[sum(found.values())]  # fmt: skip


@pytest.mark.rule("the_bulge", "13.13")
@pytest.mark.parametrize(
    ("attackers", "defenders", "air", "heading"),
    [
        (PANZERS, ["110"], False, ">=+12"),  # 28 - 1, and concentric: there is no column further right
        (["62VG"], ["2ID", "30ID"], False, "<=-3"),  # 2 - 8
        (["62VG"], ["2ID", "30ID"], True, "<=-3"),  # and one more to the left
        (PANZERS[:4], ["110"], True, ">=+12"),  # concentric and air cancel
    ],
)
def test_beyond_the_table_its_last_column_counts(
    attackers: list[str], defenders: list[str], air: bool, heading: str
) -> None:
    s = situation(dict(zip(attackers, RING, strict=False)) | dict.fromkeys(defenders, MIDDLE), turn=3)
    assert battle(s, MIDDLE, *attackers, air=air).odds().column == heading


# ---------------------------------------------------------------------- 13.14 lowering, 13.23 ardor


@pytest.mark.rule("the_bulge", "13.14", "13.23")
@pytest.mark.parametrize(
    ("step", "attacker", "defender", "options"),
    [
        ("german_combat_1", "2SS", "30ID",
         ["+1..+2", "0", "0 ardor", "-2..-1", "-2..-1 ardor", "<=-3", "<=-3 ardor"]),
        ("german_combat_1", "1SS", "30ID", ["0", "0 ardor", "-2..-1", "-2..-1 ardor", "<=-3", "<=-3 ardor"]),
        ("german_combat_2", "62VG", "43Br", ["-2..-1", "-2..-1 ardor", "<=-3", "<=-3 ardor"]),
        ("allied_combat_1", "2ID", "1SS", ["0", "-2..-1", "<=-3"]),
        ("allied_combat_2", "Gds", "1SS", ["+1..+2", "0", "-2..-1", "<=-3"]),
    ],
)  # fmt: skip
def test_the_attacker_may_take_any_lower_column_and_a_german_may_swear_on_the_three_lowest(
    step: str, attacker: str, defender: str, options: list[str]
) -> None:
    match = decline(name_attack(combat({attacker: "0625", defender: "0725"}, step=step), "0725", attacker))
    assert list(match.asked().options) == options


@pytest.mark.rule("the_bulge", "13.14")
@pytest.mark.parametrize(("column_", "result"), [("+5..+6", "BB"), ("+4", "DR"), ("+3", "DR"), ("<=-3", "AS")])
def test_the_die_is_read_on_the_column_chosen(column_: str, result: str) -> None:
    match = play(position({"2SS": RING[0], "110": MIDDLE}, turn=3, step="german_combat_1"), [2])
    decline(name_attack(match, MIDDLE, "2SS"))
    assert dict(foresee(match, column_).chances)[result] > 0
    answer(match, column_)
    assert any(f"gives {result}" in event.words for event in match.log)


@pytest.mark.rule("the_bulge", "13.14", "13.23")
def test_the_preview_of_a_column_gives_exact_chances_and_ardor_none_of_a_stall() -> None:
    match = decline(name_attack(combat({"1SS": RING[0], "30ID": MIDDLE}), MIDDLE, "1SS"))
    for option in match.asked().options:
        heading, _, ardor = str(option).partition(" ")
        seen = foresee(match, str(option))
        row = [results[facts().crt.columns.index(heading)] for results in facts().crt.rows]
        if ardor:
            row = [result for result in row if result != "AS"]
        assert seen.column == heading
        assert {result: chance * len(row) for result, chance in seen.chances} == {r: row.count(r) for r in row}
        assert sum(chance for _, chance in seen.chances) == 1


@pytest.mark.rule("the_bulge", "13.23")
@pytest.mark.parametrize(
    ("dice", "lost"),
    [([4, 5, 4, 6], True), ([4, 3], False), ([3], False)],
)
def test_an_ardor_attack_is_rolled_until_it_does_not_stall(dice: list[int], lost: bool) -> None:
    """On column 0, 4 and 5 stall."""
    match = play(position({"1SS": RING[0], "30ID": MIDDLE}, turn=3, step="german_combat_1"), dice)
    answer(decline(name_attack(match, MIDDLE, "1SS")), "0 ardor")
    assert match.dice_taken == len(dice)
    assert (match.position.steps[units("1SS").bit_length() - 1] == 1) is lost
    assert (match.asked().rule == "13.19") is not lost


@pytest.mark.rule("the_bulge", "13.23")
def test_without_ardor_a_stall_is_a_stall() -> None:
    match = play(position({"1SS": RING[0], "30ID": MIDDLE}, turn=3, step="german_combat_1"), [4])
    answer(decline(name_attack(match, MIDDLE, "1SS")), "0")
    assert offered(match) == {"done"}


@pytest.mark.rule("the_bulge", "13.18", "13.23")
def test_a_town_that_refuses_to_retreat_ends_an_ardor_attack() -> None:
    p = position({"1SS": "1411", "99ID": "1412"}, turn=3, step="german_combat_1")
    match = play(p, [2, 1])
    answer(decline(name_attack(match, "1412", "1SS")), "-2..-1 ardor", DECLINE)
    assert match.dice_taken == 1
    assert offered(match) == {"done"}
    assert where(match.position, "99ID") == "1412"


# ---------------------------------------------------------------------- 13.24 no joint attacks


@pytest.mark.rule("the_bulge", "13.24")
@pytest.mark.parametrize(("first", "other"), [("2ID", "43Br"), ("43Br", "2ID")])
def test_us_and_british_units_do_not_attack_together(first: str, other: str) -> None:
    match = combat({"12VG": "0725", "2ID": "0625", "30ID": "0624", "43Br": "0726", "Gds": "0825"},
                   step="allied_combat_1")  # fmt: skip
    answer(match, "0725")
    assert offered_names(match) == {"2ID", "30ID", "43Br", "Gds"}
    answer(match, first)
    partner = {"2ID": "30ID", "43Br": "Gds"}[first]
    assert offered(match) == {partner, "attack"}
    assert refused_by(match, other) == "13.24"


@pytest.mark.rule("the_bulge", "13.24", "9.8")
def test_british_units_do_not_attack_over_the_meuse() -> None:
    match = combat({"12VG": "0723", "43Br": "0724"}, step="allied_combat_1")
    assert offered(match) == {"done"}
    assert refused_by(match, "0723") == "9.8"
    match = answer(combat({"12VG": "0723", "43Br": "0724", "2ID": "0722"}, step="allied_combat_1"), "0723")
    assert offered(match) == {"2ID"}
    assert refused_by(match, "43Br") == "9.8"


# ---------------------------------------------------------------------- previews


@pytest.mark.rule("the_bulge", "13.8")
def test_the_preview_shows_strengths_every_modifier_with_its_rule_and_exact_chances() -> None:
    p = position({"CCB7": "0615", "1SS": "0516", "2SS": "0616"}, turn=3, step="german_combat_1")
    match = answer(play(p), "0615", "1SS")
    seen = foresee(match, "2SS")
    assert (seen.attack, seen.defence, seen.column) == (10, 9, "+1..+2")
    assert [(m.words, m.amount, m.rule) for m in seen.modifiers] == [
        ("rough", 1, "13.9"),
        ("river", 3, "13.9"),
        ("town", 3, "13.9"),
    ]
    assert {result: chance * 6 for result, chance in seen.chances} == {"BB": 1, "DR": 3, "AS": 2}
    assert foresee(match, "attack").attack == 4, "without the other division"


@pytest.mark.rule("the_bulge", "13.8")
def test_the_preview_is_what_is_then_rolled_on() -> None:
    p = position({"30ID": MIDDLE, "1SS": RING[0], "2SS": RING[3], "9SS": RING[1]}, turn=3, step="german_combat_1")
    p.short = units("1SS")
    match = answer(play(p), MIDDLE, "1SS", "2SS")
    seen = foresee(match, "9SS")
    assert decline(name_attack(play(p.copy()), MIDDLE, "1SS", "2SS", "9SS")).asked().options[0] == seen.column


@pytest.mark.rule("the_bulge", "13.14")
def test_options_are_put_into_plain_words() -> None:
    match = decline(name_attack(combat({"1SS": RING[0], "30ID": MIDDLE}), MIDDLE, "1SS"))
    said = {option.id: option.words for option in match.options()}
    assert said["0"] == "column 0"
    assert said["0 ardor"] == "column 0 with ardor: a stall is rolled again"


@pytest.mark.rule("the_bulge", "13.14")
def test_a_column_that_the_attack_does_not_reach_is_refused() -> None:
    match = decline(name_attack(combat({"1SS": RING[0], "30ID": MIDDLE}), MIDDLE, "1SS"))
    with pytest.raises(BulgeError, match=r"rule 13\.14"):
        match.answer("+3")


@pytest.mark.rule("the_bulge", "13.1")
def test_the_allies_attack_in_their_own_phases() -> None:
    match = combat({"1SS": RING[0], "30ID": MIDDLE}, step="allied_combat_1")
    assert match.asked().side == ALLIED
    assert offered(match) == {RING[0], "done"}
