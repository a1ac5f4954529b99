"""Rules 17 and 18: closing in, tactical edge, fire, winners, draws, breakthroughs; guns and leaders in assault."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bulge.games.bastogne.assault import (
    Assault,
    assault_dice,
    begin,
    disputed,
    german_edge,
    preview_assault,
    resolve_assault,
    total_of,
    us_edge,
)
from bulge.games.bastogne.closing import close_in_germans, close_in_us
from bulge.games.bastogne.facts import GERMAN, US
from bulge.games.bastogne.position import BastognePosition
from tests.games.bastogne.helpers import Part, at, chit, facts, position, unit

US_FIRST, GERMANS_FIRST = (6, 1), (1, 6)
"""Dice for the tactical edge."""


def fought(
    placed: dict[str, str], space: str = "N3", *, entrenched: str = "", **settings: object
) -> BastognePosition:
    """Both sides in one space, with a cup that holds nothing but chits without effect."""
    p = position(step="german_assault", **settings)  # type: ignore[arg-type]
    for id_, where in placed.items():
        p.where[unit(id_)] = at(where)
    p.german = 1 << at("N4") | 1 << at("N5")
    p.entrenched = 1 << at(entrenched) if entrenched else 0
    p.cup = [chit("option")] * 3
    assert disputed(facts(), p) == [at(space)]
    return p


def edge(p: BastognePosition, side: str, space: str = "N3", **changes: object) -> tuple[int, int]:
    assault = begin(facts(), p, side, at(space))
    for name, value in changes.items():
        setattr(assault, name, value)
    return total_of(us_edge(facts(), p, assault)), total_of(german_edge(facts(), p, assault))


# ---------------------------------------------------------------------- closing in


@pytest.mark.rule("bastogne", "17.2", "15.8", "8.7")
def test_germans_next_to_us_units_must_close_in_also_from_a_staging_area() -> None:
    p = position({"1-501": "N3", "I-901": "N4", "II-901": "N5", "2-501": "E6", "I-2": "E-STAGING"})
    part = Part(p).play(close_in_germans)
    assert [part.where(id_) for id_ in ("I-901", "II-901", "I-2")] == ["N3", "N5", "E6"]


@pytest.mark.rule("bastogne", "9.5", "17.2")
def test_divisions_in_refit_mode_do_not_close_in() -> None:
    part = Part(position({"1-501": "N3", "I-901": "N4"}, assault="ESW")).play(close_in_germans)
    assert part.where("I-901") == "N4"


@pytest.mark.rule("bastogne", "17.2")
def test_between_two_us_stacks_germans_turn_inward() -> None:
    part = Part(position({"1-501": "N1", "2-501": "N3", "I-901": "N2"})).play(close_in_germans)
    assert part.where("I-901") == "N1"
    assert part.said("17.2")[0] == "Preferred: towards the Center. Left: N1."


@pytest.mark.rule("bastogne", "17.2", "13.5", "14.4")
def test_us_units_may_close_in_up_to_four_battalions_but_no_artillery() -> None:
    crowd = dict.fromkeys(["1-501", "2-501", "3-501", "1-502", "321-GFA", "C-9-Eng", "HQ-101", "McAuliffe"], "N2")
    p = position(crowd | {"2-502": "N4", "I-901": "N3", "I-2": "E-STAGING", "3-502": "E6"})
    part = Part(p).play(close_in_us)
    assert part.offered == {"N3", "done"}, "no staging area"
    part.choose("N3")
    assert part.offered == {"1-501", "2-501", "3-501", "1-502", "2-502", "C-9-Eng", "HQ-101"}, "a leader not alone"
    part.choose("1-501", "2-501", "3-501", "2-502")
    assert part.offered == {"C-9-Eng", "HQ-101", "McAuliffe", "done"}
    part.choose("done", "done")
    assert part.over


@pytest.mark.rule("bastogne", "17.2")
def test_german_assaults_go_clockwise_and_the_center_belongs_to_its_first_attacker() -> None:
    p = position({"1-501": "W3", "I-39": "W3", "2-501": "E3", "I-2": "E3", "3-501": "C", "I-13-FJ": "S1"})
    p.where[unit("I-13-FJ")] = at("C")
    assert [facts().board.name(space) for space in disputed(facts(), p)] == ["E3", "C", "W3"]


# ---------------------------------------------------------------------- tactical edge


@pytest.mark.rule("bastogne", "17.3.1", "25.2", "29.0")
def test_mcauliffe_a_town_and_malmedy_make_four_the_most_there_is() -> None:
    p = position({"1-501": "N2", "McAuliffe": "N2", "HQ-101": "N2", "Leader-A": "N2", "I-901": "N3"})
    p.malmedy = True
    assert edge(p, GERMAN, "N2") == (4, 0)
    assert edge(p, GERMAN, "N2", intelligence=True) == (4, 0), "four is the limit"


@pytest.mark.rule("bastogne", "17.3.1", "25.2", "26.2")
@pytest.mark.parametrize(
    ("guides", "bonus"),
    [((), 0), (("HQ-101",), 1), (("Leader-C",), 1), (("Leader-C", "HQ-101"), 1), (("McAuliffe", "Leader-A"), 2)],
)
def test_only_one_leader_or_hq_counts(guides: tuple[str, ...], bonus: int) -> None:
    p = position({"1-501": "N3", "I-901": "N4"} | dict.fromkeys(guides, "N3"))
    assert edge(p, GERMAN) == (bonus, 0)


@pytest.mark.rule("bastogne", "17.3.1")
def test_an_entrenched_town_still_adds_one() -> None:
    p = position({"1-501": "N2"})
    p.entrenched = 1 << at("N2")
    assert edge(p, GERMAN, "N2") == (1, 0)


@pytest.mark.rule("bastogne", "17.3.1")
def test_attackers_have_no_shelter_and_germans_only_in_towns() -> None:
    p = position({"1-501": "N2", "I-901": "N2"})
    assert edge(p, US, "N2") == (0, 1)
    assert edge(p, US, "N3") == (0, 0)
    p.ardor = True
    assert edge(p, US, "N2") == (0, 2)


@pytest.mark.rule("bastogne", "17.3.1")
@pytest.mark.parametrize(
    ("space", "entrenched", "first"), [("N3", "", "German"), ("N3", "N3", "US"), ("N2", "", "US")]
)
def test_ties_go_to_a_sheltered_us_defender_and_else_to_the_germans(
    space: str, entrenched: str, first: str
) -> None:
    p = fought({"1-501": space, "I-901": space}, space, entrenched=entrenched)
    shelter = 1 if first == "US" else 0
    part = Part(p, (3, 3 + shelter, *(1,) * 3, *(1,) * (2 if entrenched else 3))).play(
        resolve_assault, GERMAN, at(space)
    )
    assert part.said("17.3.1")[-1].endswith(f"the {first} side fires first.")


@pytest.mark.rule("bastogne", "17.3.1")
def test_the_preview_knows_who_is_likely_to_fire_first() -> None:
    p = position({"1-501": "N3", "I-901": "N3"})
    seen = preview_assault(facts(), p, begin(facts(), p, GERMAN, at("N3")))
    assert dict(seen.chances)["US fires first"] == Fraction(15, 36)
    assert (seen.attack, seen.defence) == (3, 3)


# ---------------------------------------------------------------------- fire


@pytest.mark.rule("bastogne", "13.5", "17.3.2")
def test_a_gun_defends_with_its_printed_one_not_with_its_impact_of_two() -> None:
    p = position({"321-GFA": "N3", "I-901": "N3"})
    assert assault_dice(facts(), p, begin(facts(), p, GERMAN, at("N3")), US) == 1


@pytest.mark.rule("bastogne", "17.3.2", "24.1.1", "19.2")
def test_dice_of_both_sides() -> None:
    p = position({"1-501": "N3", "321-GFA": "N3", "HQ-101": "N3", "I-901": "N3", "26-FEB": "N3"})
    assault = Assault(GERMAN, at("N3"))
    assert [assault_dice(facts(), p, assault, side) for side in (US, GERMAN)] == [6, 4]
    assault.enhanced = assault.entrenched = True
    assert [assault_dice(facts(), p, assault, side) for side in (US, GERMAN)] == [8, 3], "guns gain nothing"


@pytest.mark.rule("bastogne", "17.1", "17.3.2", "17.4")
def test_the_second_side_fires_with_what_is_left_and_retreats_happen_even_in_a_town() -> None:
    p = fought({"1-501": "N2", "I-901": "N2", "II-901": "N2"}, "N2")
    dice = (*GERMANS_FIRST, 6, 1, 1, 1, 1, 1, 5, 1, 1)
    part = Part(p, dice).play(resolve_assault, GERMAN, at("N2"))
    assert part.asked.rule == "16.9", "reduced to two dice, of which one drives somebody out"
    part.choose("I-901")
    assert part.over
    assert part.steps("1-501") == [1]
    assert part.where("I-901") == "N3"
    assert part.where("II-901") == "N3", "a draw before a sheltered defender: the other withdraws"


@pytest.mark.rule("bastogne", "17.3.3", "6.1")
def test_a_us_win_lowers_morale() -> None:
    p = fought({"1-501": "N3", "2-501": "N3", "I-901": "N3"}, morale=7)
    part = Part(p, (*US_FIRST, 6, 6, 1, 1, 1, 1, 1)).play(resolve_assault, GERMAN, at("N3"))
    assert part.over
    assert p.morale == 6
    assert not p.german >> at("N3") & 1
    assert len(p.drawn_events) == 1, "a battalion was lost (7.2)"


@pytest.mark.rule("bastogne", "6.1", "7.2", "17.3.3")
def test_companies_alone_are_no_battalion_and_move_no_morale_but_a_german_win_draws_a_chit() -> None:
    p = fought({"C-9-Eng": "N3", "I-901": "N3"}, morale=2)
    part = Part(p, (*GERMANS_FIRST, 6, 1, 1, 6, 6, 1)).play(resolve_assault, GERMAN, at("N3"))
    assert part.over
    assert p.morale == 2
    assert part.where("C-9-Eng") == "gone"
    assert len(p.drawn_events) == 1


@pytest.mark.rule("bastogne", "17.3.3")
def test_a_draw_in_the_open_makes_the_us_withdraw_one_space_inward() -> None:
    p = fought({"1-501": "N3", "McAuliffe": "N3", "I-901": "N3"})
    part = Part(p, (*GERMANS_FIRST, *(1,) * 6)).play(resolve_assault, GERMAN, at("N3"))
    assert part.over
    assert part.where("1-501") == part.where("McAuliffe") == "N2", "a leader goes with the last (25.3)"
    assert p.german >> at("N3") & 1
    assert p.morale == 9, "nobody has won"


@pytest.mark.rule("bastogne", "17.3.3")
def test_a_draw_at_an_entrenchment_makes_the_germans_withdraw() -> None:
    p = fought({"1-501": "N3", "I-901": "N3"}, entrenched="N3")
    part = Part(p, (*US_FIRST, *(1,) * 5)).play(resolve_assault, GERMAN, at("N3"))
    assert part.over
    assert part.where("I-901") == "N4"


@pytest.mark.rule("bastogne", "17.3.3")
def test_a_us_attack_that_draws_falls_back_even_from_a_town() -> None:
    p = fought({"1-501": "N2", "I-901": "N2"}, "N2")
    p.german |= 1 << at("N2")
    part = Part(p, (*US_FIRST, *(1,) * 6)).play(resolve_assault, US, at("N2"))
    assert part.over
    assert part.where("1-501") == "N1"


@pytest.mark.rule("bastogne", "14.3", "17.3.3")
def test_a_withdrawal_goes_on_past_a_full_space() -> None:
    full = dict.fromkeys(["2-501", "3-501", "1-502", "2-502"], "N2")
    p = fought({"1-501": "N3", "I-901": "N3"} | full)
    part = Part(p, (*GERMANS_FIRST, *(1,) * 6)).play(resolve_assault, GERMAN, at("N3"))
    assert part.where("1-501") == "N1"


@pytest.mark.rule("bastogne", "17.3.3")
def test_who_must_withdraw_and_cannot_is_eliminated() -> None:
    p = fought({"1-501": "N3", "I-901": "N3", "II-901": "N2"})
    p.german |= 1 << at("N2")
    part = Part(p, (*GERMANS_FIRST, *(1,) * 6, 1)).play(resolve_assault, GERMAN, at("N3"))
    assert part.where("1-501") == "gone"


@pytest.mark.rule("bastogne", "17.3.2", "17.3.3")
def test_who_is_wiped_out_first_does_not_fire_back() -> None:
    p = fought({"C-9-Eng": "N3", "26-FEB": "N3"}, morale=7)
    part = Part(p, (*US_FIRST, 6, 1)).play(resolve_assault, GERMAN, at("N3"))
    assert part.over, "one US die, and the draw of a chit"
    assert not p.german >> at("N3") & 1
    assert p.morale == 7, "a company is no battalion"


@pytest.mark.rule("bastogne", "16.9", "17.1")
def test_a_unit_driven_out_of_the_center_goes_to_a_track_that_is_still_the_uss() -> None:
    p = fought({"1-501": "C", "I-901": "C"}, "C")
    p.german |= 1 << at("N1") | 1 << at("E1")
    part = Part(p, (*GERMANS_FIRST, 5, 1, 1, 4, 1)).play(resolve_assault, GERMAN, at("C"))
    assert part.offered == {"S1", "W1"}
    part.choose("S1")
    assert part.where("1-501") == "S1"
    assert p.german >> at("C") & 1


@pytest.mark.rule("bastogne", "25.3")
def test_a_leader_left_alone_with_germans_is_lost() -> None:
    p = fought({"C-9-Eng": "N3", "McAuliffe": "N3", "I-901": "N3"}, morale=2)
    part = Part(p, (*GERMANS_FIRST, 6, 1, 1, 6, 6, 1)).play(resolve_assault, GERMAN, at("N3"))
    assert part.over
    assert part.where("McAuliffe") == "gone"


@pytest.mark.rule("bastogne", "29.0", "17.3.1")
def test_intelligence_is_declared_before_the_dice() -> None:
    p = fought({"1-501": "N3", "I-901": "N3"})
    p.intelligence = 1
    part = Part(p, (3, 3, *(1,) * 6)).play(resolve_assault, GERMAN, at("N3"))
    assert p.drawn == 0
    part.choose("use_intelligence")
    assert part.said("17.3.1")[-1].startswith("US 4, German 3")
    assert p.intelligence == 0


@pytest.mark.rule("bastogne", "19.2")
def test_supply_adds_one_to_each_defender_with_an_hq() -> None:
    p = fought({"1-501": "N3", "HQ-101": "N3", "I-901": "N3"}, supply=1)
    part = Part(p, (*GERMANS_FIRST, 1, 1, 1, *(1,) * 7)).play(resolve_assault, GERMAN, at("N3"))
    part.choose("enhance")
    assert part.over, "seven US dice for three and two"
    assert p.supply == 0


# ---------------------------------------------------------------------- breakthrough


def broken(p: BastognePosition, *checks: int, then: tuple[int, ...] = ()) -> Part:
    """The Germans win against a company in N3, then check."""
    dice = (*GERMANS_FIRST, 6, *(1,) * (len(checks) // 2 * 3 - 1), *checks, *then)
    return Part(p, dice).play(resolve_assault, GERMAN, at("N3"))


@pytest.mark.rule("bastogne", "18.0", "18.1", "18.2", "6.1")
def test_each_victor_that_passes_its_check_goes_one_space_on() -> None:
    p = fought({"C-9-Eng": "N3", "I-901": "N3", "II-901": "N3"}, morale=7)
    part = broken(p, 3, 4, 4, 4, then=(1,))
    assert part.over
    assert (part.where("I-901"), part.where("II-901")) == ("N2", "N3")
    assert p.morale == 8, "a breakthrough, once"
    assert p.german >> at("N2") & 1


@pytest.mark.rule("bastogne", "18.2")
def test_no_check_passed_no_breakthrough() -> None:
    p = fought({"C-9-Eng": "N3", "I-901": "N3"}, morale=7)
    part = broken(p, 6, 6, then=(1,))
    assert part.over
    assert (part.where("I-901"), p.morale) == ("N3", 7)


@pytest.mark.rule("bastogne", "18.3")
def test_us_units_behind_are_fought_at_once_and_there_is_no_second_breakthrough() -> None:
    p = fought({"C-9-Eng": "N3", "C-609-TD": "N2", "I-901": "N3"}, morale=7)
    part = broken(p, 3, 4, then=(*GERMANS_FIRST, 6, 1, 1, 1, 1))
    assert part.over
    assert part.where("I-901") == "N2"
    assert part.where("C-609-TD") == "gone"
    assert p.morale == 8
    assert len(p.drawn_events) == 2, "one chit for each assault won"


@pytest.mark.rule("bastogne", "18.1")
def test_no_breakthrough_after_a_us_attack_that_fails() -> None:
    p = fought({"C-9-Eng": "N3", "I-901": "N3"}, morale=7)
    part = Part(p, (*GERMANS_FIRST, 6, 1, 1, 1)).play(resolve_assault, US, at("N3"))
    assert part.over
    assert part.where("I-901") == "N3"


@pytest.mark.rule("bastogne", "18.2")
def test_from_the_center_nobody_breaks_through() -> None:
    p = fought({"C-9-Eng": "C", "I-901": "C"}, "C", morale=12)
    part = Part(p, (*GERMANS_FIRST, 6, 1, 1, 1)).play(resolve_assault, GERMAN, at("C"))
    assert part.over
    assert part.where("I-901") == "C"


def test_fire_within_an_assault_is_told_where_it_is_but_not_as_a_fight_of_its_own() -> None:
    p = position({"1-501": "N2", "I-901": "N2"}, step="german_assault")
    part = Part(p, (6, 1, 1, 1, 1, 1, 1, 1)).play(resolve_assault, GERMAN, at("N2"))
    told = [event for event in part.table.events or () if " fire in " in event.words and not event.dice]
    assert told
    assert {(event.spaces, event.kind) for event in told} == {((at("N2"),), "")}
